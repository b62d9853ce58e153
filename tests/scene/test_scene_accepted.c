/* Scenes that facet_scene_check accepts: every format writes them, or rejects them with a reason.
 */
#include "support/whole_scene.h"

#include <facet/convert.h>
#include <facet/pose.h>
#include <math.h>

/* -- Accepted scenes ---------------------------------------------------- */

/* Unusual but valid: counts of 0, names of any length, transforms without volume. */
static void make_odd(facet_scene *s, uint32_t way, uint32_t number)
{
    facet_texture *map;
    static const uint32_t sets[4] = {1, 9, 70000, UINT32_MAX};
    static char long_name[3000];
    memset(long_name, 'x', sizeof long_name - 1);
    facet_mesh *m = s->meshes[0];
    switch (way) {
    case 0:
        m->face_count = m->corner_count = m->part_count = 0;
        break;
    case 1:
        m->face_count = m->corner_count = m->part_count = m->stream_count = m->line_count = 0;
        break;
    case 2:
        m->stream_count = 1 + number % m->stream_count;
        break;
    case 3:
        m->streams[number % m->stream_count].set = sets[number / 16 % 4];
        break;
    case 4:
        m->face_offsets = test_copy(s, (const uint32_t[3]){0, number % 7, 6}, 3);
        break;
    case 5:
        memset(m->streams[number % m->stream_count].data, 0, 32);
        break;
    case 6:
        m->name = number % 2 ? long_name : "\xff\x01";
        break;
    case 7:
        m->part_count = number % 3;
        break;
    case 8:
        m->face_materials = NULL;
        break;
    case 9:
        for (uint32_t i = 1; i < m->stream_count; i++) {
            uint32_t *own = test_copy(s, m->streams[i].indices, 6);
            own[number % 6] = FACET_NONE;
            if (number >> i & 1)
                m->streams[i].indices = own;
        }
        break;
    case 10:
        s->hulls[0]->point_count = number % 4;
        break;
    case 11:
        memset(s->hulls[0]->points, 0, 48);
        break;
    case 12:
        s->occluder->stream_count = s->occluder->face_count = s->occluder->corner_count = 0;
        break;
    case 13:
        s->occluder->face_count = s->occluder->corner_count = 0;
        break;
    case 14:
        s->images[0]->pixels = NULL; /* neither bytes nor pixels nor a name */
        break;
    case 15:
        s->images[0]->data = (const uint8_t *)"no picture";
        s->images[0]->size = 10;
        s->images[0]->media_type = "image/png";
        break;
    case 16:
        s->images[0]->channels = 1 + number % 3;
        break;
    case 17:
        map = test_map(s, s->materials[0], number % FACET_MAP_COUNT);
        *map = *s->materials[0]->maps[FACET_MAP_DIFFUSE];
        map->uv_set = sets[number / 32 % 4];
        break;
    case 18:
        memset(s->materials[0]->maps[FACET_MAP_DIFFUSE]->scale, 0, 8);
        break;
    case 19:
        s->materials[0]->name = number % 2 ? long_name : "";
        break;
    case 20:
        s->materials[0]->base_color[0] = number % 2 ? 1e30F : -5;
        s->materials[0]->roughness = -1e30F;
        break;
    case 21:
        s->nodes[number % 3]->has_matrix = true;
        memset(s->nodes[number % 3]->matrix, 0, 64);
        break;
    case 22:
        memset(&s->nodes[number % 3]->transform, 0, sizeof s->nodes[0]->transform);
        break;
    case 23:
        s->nodes[number % 3]->transform.translation[0] = 3e38F;
        break;
    case 24:
        s->nodes[number % 3]->skin = 0; /* with a mesh or without */
        break;
    case 25:
        s->nodes[2]->mesh = FACET_NONE;
        s->nodes[2]->weights = NULL;
        s->animations[0]->channel_count = 2;
        break;
    case 26:
        s->nodes[2]->parent = 1;
        s->root_count = 1;
        break;
    case 27:
        s->roots = NULL;
        s->root_count = number % 5;
        break;
    case 28:
        s->root_count = 0; /* nothing is visible */
        break;
    case 29:
        s->skins[0]->joint_count = number % 3;
        break;
    case 30:
        s->skins[0]->inverse_bind = NULL;
        break;
    case 31:
        s->skins[0]->joints[1] = number % 3;
        break;
    case 32:
        ((uint16_t *)facet_mesh_find(m, FACET_JOINTS, 0)->data)[number % 16] = 60000;
        break;
    case 33:
        s->animations[0]->channel_count = number % 4;
        break;
    case 34:
        s->animations[0]->channels[number % 3].key_count = 1;
        break;
    case 35:
        s->animations[0]->channels[number % 3].times[0] = -5;
        break;
    case 36:
        s->animations[0]->channels[number % 3].times[1] = 3e38F;
        break;
    case 37:
        s->node_count = s->skin_count = s->animation_count = s->root_count = 0;
        break;
    case 38:
        s->mesh_count = 0;
        s->nodes[2]->mesh = s->nodes[2]->skin = FACET_NONE;
        s->nodes[2]->weights = NULL;
        s->animation_count = 0;
        break;
    case 39:
        s->axes = (facet_axes){(facet_axis)(number % 3), number / 3 % 2, 0.01, number / 6 % 2};
        break;
    case 40:
        s->axes.unit = number % 2 ? 1e300 : 1e-300;
        break;
    case 41:
        m->morph_count = 0; /* refused if a stream still needs it */
        break;
    case 42:
        m->streams[number % m->stream_count].count = 0;
        break;
    case 43:
        m->streams[0].count = 3; /* fewer than the others have; corner 5 is refused */
        m->streams[0].indices[5] = number % 3;
        m->lines[1] = 0;
        break;
    case 44:
        s->nodes[0]->name = long_name;
        s->name = number % 2 ? NULL : "\n";
        break;
    case 45:
        s->extras = m->extras = s->nodes[0]->extras = number % 2 ? "{" : "{\"a\":[1]}";
        break;
    default:
        ((float *)m->streams[number % 5].data)[number % 8] = number & 256 ? 3e38F : -1e-40F;
        break;
    }
}
enum { WAYS = 47 };

static void write_everywhere(facet_scene *(*make)(uint32_t seed), uint32_t seed)
{
    for (size_t i = 0; i < facet_format_count(); i++) {
        const facet_format *format = facet_format_get(i);
        if (!facet_format_can_write(format))
            continue;
        for (int prepared = 0; prepared < 2; prepared++) {
            facet_scene *scene = make(seed);
            facet_output *output = NULL;
            facet_error error = {0};
            facet_status status = FACET_OK;
            if (prepared)
                status = facet_prepare(scene, format, NULL, NULL, NULL, &error);
            TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
            if (!status)
                status = facet_save(scene, format, NULL, output, &error);
            if (status && !error.message[0])
                fail_msg("%s refuses seed %u without a word", facet_format_name(format), seed);
            facet_output_free(output);
            facet_scene_free(scene);
        }
    }
}

/* A scene with one to three unusual properties. */
static facet_scene *make_odd_scene(uint32_t seed)
{
    facet_scene *scene = make_scene();
    if (seed < WAYS * 4) { /* each property separately */
        make_odd(scene, seed / 4, seed % 4 * 37 + seed);
        return scene;
    }
    uint32_t random = seed * 2654435761U + 1;
    for (uint32_t left = test_random(&random) % 3 + 1; left > 0; left--) {
        uint32_t way = test_random(&random) % WAYS;
        make_odd(scene, way, test_random(&random) % 1024);
    }
    return scene;
}

TEST(passes_and_writers_survive_accepted_scenes)
{
    uint32_t accepted = 0;
    for (uint32_t seed = 0; seed < WAYS * 4 + 60; seed++) {
        facet_scene *scene = make_odd_scene(seed);
        facet_error error;
        facet_status status = facet_scene_check(scene, NULL, &error);
        facet_prepare_options prepare = {.extra = FACET_NEED_TANGENTS | FACET_NEED_FACING};
        facet_hulls_options one = {.max_hulls = 1};
        if (!status) {
            double box[6];
            bool any;
            accepted++;
            facet_scene_bounds(scene, NULL, box, box + 3, &any, &error);
            facet_prepare(scene, NULL, &prepare, NULL, NULL, &error);
            for (uint32_t i = 0; i < scene->mesh_count; i++)
                facet_mesh_hulls(scene->meshes[i], &one, NULL, scene, NULL, &error);
        }
        facet_scene_free(scene);
        if (!status)
            write_everywhere(make_odd_scene, seed);
    }
    assert_true(accepted > WAYS * 2);
}
