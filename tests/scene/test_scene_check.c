/* facet_scene_check refuses a scene with one error, for each kind of error. Passes and writers
 * survive every scene that it accepts. */
#include "support/mesh.h"
#include "support/whole_scene.h"

#include <facet/convert.h>
#include <facet/pose.h>
#include <math.h>

/* -- One error each ----------------------------------------------------- */

static float *floats_of(facet_scene *scene, facet_semantic semantic)
{
    return facet_mesh_find(scene->meshes[0], semantic, 0)->data;
}

/* Put the error of this number into the scene. Returns a part of the expected message; NULL if the
 * number does not exist. */
static const char *spoil_mesh(facet_scene *s, int way)
{
    facet_mesh *m = s->meshes[0];
    switch (way) {
    case 0:
        s->meshes = NULL;
        return "1 meshes without an array";
    case 1:
        s->meshes[0] = NULL;
        return "item 0 of the meshes is NULL";
    case 2:
        m->name = NULL;
        return "no name";
    case 3:
        m->arena = NULL;
        return "no arena";
    case 4:
        m->face_count = 3;
        return "3 triangles with 6 corners";
    case 5:
        m->face_offsets = test_copy(s, (const uint32_t[3]){0, 3, 5}, 3);
        return "do not run from 0 to the 6 corners";
    case 6:
        m->face_offsets = test_copy(s, (const uint32_t[3]){0, 7, 6}, 3);
        return "face offset 1 is larger";
    case 7:
        m->streams = NULL;
        return "streams without an array";
    case 8:
        m->stream_count = 0;
        return "first stream of a mesh is not its positions";
    case 9:
        m->streams[0].semantic = FACET_NORMAL;
        return "first stream of a mesh is not its positions";
    case 10:
        m->streams[1].semantic = FACET_POSITION;
        return "stream 1 is a second one of positions";
    case 11:
        m->streams[1].components = 2;
        return "stream 1 has the wrong type";
    case 12:
        m->streams[1].component = FACET_FLOAT64;
        return "stream 1 has the wrong type";
    case 13:
        m->streams[7].component = (facet_component)99;
        return "stream 7 has the wrong type";
    case 14:
        m->streams[7].name = NULL;
        return "stream 7 has the wrong type";
    case 15:
        m->streams[7].components = 17;
        return "stream 7 has the wrong type";
    case 16:
        m->streams[7].semantic = (facet_semantic)99;
        return "stream 7 has the wrong type";
    case 17:
        m->streams[3].data = NULL;
        return "stream 3 lacks data";
    case 18:
        m->streams[3].indices = NULL;
        return "stream 3 lacks data or indices";
    case 19:
        m->streams[0].indices[5] = 4;
        return "corner 5 of stream 0 uses element 4 of 4";
    case 20:
        m->streams[0].indices[5] = FACET_NONE; /* every corner needs a position */
        return "corner 5 of stream 0";
    case 21:
        floats_of(s, FACET_POSITION)[11] = NAN;
        return "element 3 of stream 0 (position) is infinite";
    case 22:
        floats_of(s, FACET_NORMAL)[0] = INFINITY;
        return "element 0 of stream 1 (normal) is infinite";
    case 23:
        ((double *)m->streams[7].data)[3] = (double)-INFINITY;
        return "of stream 7 (custom) is infinite";
    case 24:
        floats_of(s, FACET_MORPH_POSITION)[5] = NAN;
        return "element 1 of stream 8 (morph position) is infinite";
    case 25:
        m->streams[8].set = 1;
        return "stream 8 is of morph target 1 of 1";
    case 26:
        m->face_materials[0] = 1;
        return "face 0 has material 1 of 1";
    case 27:
        m->parts = NULL;
        return "2 parts without an array";
    case 28:
        m->parts[1].face_count = 2;
        return "part 1 is not a run";
    case 29:
        m->parts[1].first_face = 0;
        return "part 1 is not a run";
    case 30:
        m->parts[0].group = NULL;
        return "part 0 is not a run";
    case 31:
        m->lines = NULL;
        return "1 lines without indices";
    case 32:
        m->lines[1] = 4;
        return "line 0 uses vertex 4 of 4";
    case 33:
        m->morphs = NULL;
        return "1 morph targets without an array";
    case 34:
        m->morphs[0].name = NULL;
        return "morph target 0 has no name";
    case 35:
        m->morphs[0].weight = NAN;
        return "the weight of morph target 0 is infinite";
    case 36:
        m->streams[7].count = UINT32_MAX; /* a smaller array cannot be detected */
        m->streams[7].data = NULL;
        return "stream 7 lacks data";
    case 37:
        ((uint16_t *)m->streams[5].data)[9] = 2; /* element 2: weights 0.5 0.5 0 0 */
        return "mesh 0 uses joint 2, and skin 0 of node 2 has 2 joints";
    case 38:
        ((uint16_t *)m->streams[5].data)[13] = 65535; /* element 3: weights 0 1 0 0 */
        return "mesh 0 uses joint 65535, and skin 0 of node 2 has 2 joints";
    case 39:
        s->skins[0]->joint_count = 1;
        return "mesh 0 uses joint 1, and skin 0 of node 2 has 1 joints";
    case 40:
        ((uint16_t *)m->streams[5].data)[13] = 7;
        m->face_count = m->corner_count = 0; /* only the line uses element 3 */
        m->part_count = 0;
        return "mesh 0 uses joint 7";
    case 41:
        m->streams[7].semantic = FACET_WEIGHTS;
        m->streams[7].component = FACET_FLOAT32;
        m->streams[7].components = 4;
        return "mesh 0 has two weights streams of set 0";
    case 42:
        m->streams[4].semantic = FACET_TEXCOORD; /* of color; set 0 like stream 3 */
        m->streams[4].components = 2;
        return "mesh 0 has two texcoord streams of set 0";
    case 43:
        m->line_materials[0] = 1;
        return "line 0 has material 1 of 1";
    case 44:
        m->point_count = 2;
        m->points = test_copy(s, (const uint32_t[2]){0, 3}, 2);
        m->point_materials = test_copy(s, (const uint32_t[2]){FACET_NONE, 7}, 2);
        return "point 1 has material 7 of 1";
    default:
        return NULL;
    }
}

static const char *spoil_rest(facet_scene *s, int way)
{
    facet_material *material = s->materials[0];
    switch (way) {
    case 0:
        s->hulls = NULL;
        return "1 hulls without an array";
    case 1:
        s->hulls[0]->points = NULL;
        return "hull 0 lacks";
    case 2:
        s->hulls[0]->name = NULL;
        return "hull 0 lacks";
    case 3:
        s->hulls[0]->points[7] = NAN;
        return "a point of hull 0 is infinite";
    case 4:
        s->occluder->streams[0].indices[1] = 9;
        return "corner 1 of stream 0 uses element 9";
    case 5:
        ((float *)s->occluder->streams[0].data)[4] = INFINITY;
        return "element 1 of stream 0 (position) is infinite";
    case 6:
        s->occluder = s->meshes[0];
        return "occluder has more than positions";
    case 7:
        s->materials = NULL;
        return "1 materials without an array";
    case 8:
        material->name = NULL;
        return "material 0 has no name";
    case 9:
        material->alpha_mode = (facet_alpha_mode)7;
        return "unknown alpha mode";
    case 10:
        material->roughness = NAN;
        return "a number of material 0 is infinite";
    case 11:
        material->base_color[3] = INFINITY;
        return "a number of material 0 is infinite";
    case 12:
        material->maps[FACET_MAP_DIFFUSE]->image = 1;
        return "material 0 uses image 1 of 1";
    case 13:
        material->maps[FACET_MAP_DIFFUSE]->path = NULL;
        return "without a path";
    case 14:
        material->maps[FACET_MAP_DIFFUSE]->wrap_v = (facet_wrap)3;
        return "unknown wrap or filter";
    case 15:
        test_map(s, material, FACET_MAP_NORMAL)->minify = (facet_filter)99;
        return "unknown wrap or filter";
    case 16:
        material->maps[FACET_MAP_DIFFUSE]->rotation = NAN;
        return "a number of material 0 is infinite";
    case 17:
        s->images = NULL;
        return "1 images without an array";
    case 18:
        s->images[0]->name = NULL;
        return "image 0 lacks a name";
    case 19:
        s->images[0]->media_type = NULL;
        return "image 0 lacks a name, a media type";
    case 20:
        s->images[0]->size = 100;
        return "image 0 lacks";
    case 21:
        s->images[0]->channels = 5;
        return "image 0 has pixels, and 2 x 2 of 5 channels";
    case 22:
        s->images[0]->height = 0;
        return "image 0 has pixels, and 2 x 0";
    case 23:
        s->images[0]->width = s->images[0]->height = UINT32_MAX;
        s->images[0]->channels = 4;
        s->images[0]->is_float = true;
        return "more pixels than memory";
    case 24:
        s->axes.up = (facet_axis)3;
        return "an unknown up axis";
    case 25:
        s->axes.unit = (double)NAN;
        return "a unit of";
    case 26:
        s->axes.unit = -1;
        return "a unit of -1 m";
    case 27:
        s->arena = NULL;
        return "the scene has no arena";
    default:
        return NULL;
    }
}

/* NULL in each array of pointers. */
static const char *spoil_items(facet_scene *s, int way)
{
    switch (way) {
    case 0:
        s->materials[0] = NULL;
        return "item 0 of the materials is NULL";
    case 1:
        s->images[0] = NULL;
        return "item 0 of the images is NULL";
    case 2:
        s->nodes[2] = NULL;
        return "item 2 of the nodes is NULL";
    case 3:
        s->skins[0] = NULL;
        return "item 0 of the skins is NULL";
    case 4:
        s->animations[0] = NULL;
        return "item 0 of the animations is NULL";
    case 5:
        s->hulls[0] = NULL;
        return "item 0 of the hulls is NULL";
    case 6:
        s->nodes[1]->camera = 0;
        return "node 1 has camera 0 of 0";
    case 7:
        s->nodes[1]->light = 2;
        return "node 1 has light 2 of 0";
    default:
        return NULL;
    }
}

static const char *spoil_motion(facet_scene *s, int way)
{
    facet_node **nodes = s->nodes;
    facet_channel *channels = s->animations[0]->channels;
    switch (way) {
    case 0:
        s->nodes = NULL;
        return "3 nodes without an array";
    case 1:
        nodes[1]->name = NULL;
        return "node 1 has no name";
    case 2:
        nodes[1]->parent = 3;
        return "node 1 has parent 3 of 3";
    case 3:
        nodes[0]->parent = 1;
        s->roots = NULL;
        return "form a cycle";
    case 4:
        nodes[1]->parent = 1;
        return "form a cycle";
    case 5:
        nodes[2]->mesh = 1;
        return "node 2 has mesh 1 of 1";
    case 6:
        nodes[2]->skin = 1;
        return "node 2 has skin 1 of 1";
    case 7:
        nodes[0]->weights = nodes[2]->weights;
        return "node 0 has morph weights and no mesh";
    case 8:
        nodes[2]->weights[0] = NAN;
        return "the transform or a weight of node 2 is infinite";
    case 9:
        nodes[0]->transform.translation[1] = NAN;
        return "the transform or a weight of node 0 is infinite";
    case 10:
        nodes[0]->transform.rotation[3] = INFINITY;
        return "the transform or a weight of node 0 is infinite";
    case 11:
        nodes[2]->transform.scale[0] = NAN;
        return "the transform or a weight of node 2 is infinite";
    case 12:
        nodes[1]->matrix[15] = NAN;
        return "the transform or a weight of node 1 is infinite";
    case 13:
        s->roots[0] = 1;
        return "root 0 is not a node without parent";
    case 14:
        s->roots[1] = 3;
        return "root 1 is not a node without parent";
    case 15:
        s->roots[1] = 0;
        return "root 1 occurs twice";
    case 16:
        s->root_count = 4;
        return "4 roots of 3 nodes";
    case 17:
        s->skins = NULL;
        return "1 skins without an array";
    case 18:
        s->skins[0]->name = NULL;
        return "skin 0 lacks";
    case 19:
        s->skins[0]->joints = NULL;
        return "skin 0 lacks";
    case 20:
        s->skins[0]->joints[1] = FACET_NONE;
        return "joint 1 of skin 0 is node 4294967295 of 3";
    case 21:
        s->skins[0]->skeleton = 3;
        return "skin 0 lacks";
    case 22:
        s->skins[0]->inverse_bind[31] = NAN;
        return "an inverse bind matrix of skin 0 is infinite";
    case 23:
        s->animations = NULL;
        return "1 animations without an array";
    case 24:
        s->animations[0]->name = NULL;
        return "animation 0 lacks";
    case 25:
        s->animations[0]->channels = NULL;
        return "animation 0 lacks";
    case 26:
        channels[0].node = 3;
        return "channel 0 of animation 0 has the wrong target";
    case 27:
        channels[0].target = (facet_channel_target)99;
        return "channel 0 of animation 0";
    case 28:
        channels[0].interpolation = (facet_interpolation)9;
        return "channel 0 of animation 0";
    case 29:
        channels[1].width = 3;
        return "channel 1 of animation 0";
    case 30:
        channels[2].width = 2;
        return "channel 2 of animation 0";
    case 31:
        channels[1].key_count = 0;
        return "channel 1 of animation 0";
    case 32:
        channels[1].times = NULL;
        return "channel 1 of animation 0";
    case 33:
        channels[1].values = NULL;
        return "channel 1 of animation 0";
    case 34:
        channels[0].times[0] = 2;
        return "channel 0 of animation 0";
    case 35:
        channels[0].times[1] = INFINITY;
        return "channel 0 of animation 0 is infinite";
    case 36:
        channels[2].values[5] = NAN; /* of the last out-tangent */
        return "channel 2 of animation 0 is infinite";
    default:
        return NULL;
    }
}

static void expect_refused(const char *(*spoil)(facet_scene *scene, int way))
{
    for (int way = 0;; way++) {
        facet_scene *scene = make_scene();
        facet_arena *arena = scene->arena;
        facet_error error = {0};
        const char *said = spoil(scene, way);
        facet_status status = facet_scene_check(scene, NULL, &error);
        scene->arena = arena;
        if (said && status != FACET_ERROR_ARGUMENT)
            fail_msg("way %d (%s) is accepted", way, said);
        if (said && !strstr(error.message, said))
            fail_msg("way %d: \"%s\" does not say \"%s\"", way, error.message, said);
        facet_scene_free(scene);
        if (!said)
            return;
        assert_string_equal(error.rule, strstr(said, "infinite") ? "SCENE-NONFINITE" : "SCENE");
    }
}

TEST(broken_meshes_are_refused)
{
    expect_refused(spoil_mesh);
}

/* A joint without a weight, or of an element that nothing uses, is not one of the vertex. */
TEST(joints_without_weight_are_not_checked)
{
    facet_scene *s = make_scene();
    facet_mesh *m = s->meshes[0];
    facet_stream *joints = facet_mesh_find(m, FACET_JOINTS, 0);
    uint16_t *data = joints->data;
    facet_error error;
    data[1] = data[2] = data[3] = 65535; /* element 0: weights 1 0 0 0 */
    TEST_OK(facet_scene_check(s, NULL, &error), &error);
    data[0] = 2;
    assert_int_equal(facet_scene_check(s, NULL, &error), FACET_ERROR_ARGUMENT);
    s->nodes[2]->skin = FACET_NONE; /* without a skin, no joint is used */
    TEST_OK(facet_scene_check(s, NULL, &error), &error);
    facet_scene_free(s);
}

/* Custom streams have names instead of sets. */
TEST(custom_streams_may_share_a_set)
{
    static const double heat[4] = {4, 3, 2, 1};
    facet_scene *s = make_scene();
    facet_error error;
    add(s->meshes[0], FACET_CUSTOM, 0, "cold", FACET_FLOAT64, 1, heat);
    add(s->meshes[0], FACET_TEXCOORD, 1, NULL, FACET_FLOAT32, 2, heat);
    TEST_OK(facet_scene_check(s, NULL, &error), &error);
    facet_scene_free(s);
}

TEST(broken_materials_and_hulls_are_refused)
{
    expect_refused(spoil_rest);
}

TEST(broken_nodes_and_animations_are_refused)
{
    expect_refused(spoil_items);
    expect_refused(spoil_motion);
}
