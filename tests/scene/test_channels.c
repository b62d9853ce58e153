/* Animation channels for visibility, colors and textures: in poses, in checks of scenes, and in
 * glTF. */
#include "base/json.h"
#include "formats/gltf/format.h"
#include "support/gltf.h"
#include "support/mesh.h"

#include <math.h>

/* A 1 x 1 PNG of one gray pixel, compressed by Python's zlib. */
static const uint8_t png[] = {
    0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0x00, 0x00, 0x00, 0x0D, 0x49, 0x48,
    0x44, 0x52, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x00, 0x00, 0x00,
    0x00, 0x3A, 0x7E, 0x9B, 0x55, 0x00, 0x00, 0x00, 0x0A, 0x49, 0x44, 0x41, 0x54, 0x78,
    0x9C, 0x63, 0x68, 0x00, 0x00, 0x00, 0x82, 0x00, 0x81, 0x77, 0xCD, 0x72, 0xB6, 0x00,
    0x00, 0x00, 0x00, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82};

enum { VISIBILITY, COLOR, EMISSIVE, OFFSET, ROTATION, SCALE, IMAGE, CHANNELS };

static float times[] = {0, 1, 2};
static float seen[] = {1, 0, 1};
static float colors[] = {1, 0, 0, 1, 0, 1, 0, 0.5F, 0, 0, 1, 1};
static float glows[] = {0, 0, 0, 1, 1, 1, 0, 0, 0.5F};
static float offsets[] = {0, 0, 0.5F, 0.25F, 1, 1};
static float turns[] = {0, 0.5F, 1};
static float scales[] = {1, 1, 2, 3, 1, 1};
static float images[] = {0, 1, 0};

static facet_channel of_material(facet_channel_target target, uint32_t width, float *values)
{
    facet_channel channel = {.node = FACET_NONE,
                             .target = target,
                             .width = width,
                             .key_count = 3,
                             .times = times,
                             .values = values,
                             .material = 0,
                             .map = FACET_MAP_DIFFUSE};
    if (target == FACET_TARGET_TEXTURE_IMAGE)
        channel.interpolation = FACET_INTERPOLATION_STEP;
    return channel;
}

/* A triangle below two nodes, a material with one of two images, and an animation of every
 * target. */
static facet_scene *make_scene(bool top)
{
    static const float corners[] = {0, 0, 0, 1, 0, 0, 0, 1, 0}, uv[] = {0, 0, 1, 0, 0, 1};
    facet_scene *scene = NULL;
    facet_error error;
    facet_mesh *mesh;
    facet_material *material;
    facet_image *image;
    facet_node *node;
    facet_animation *animation;
    TEST_OK(facet_scene_create(NULL, &scene, &error), &error);
    scene->axes.uv_origin_top = top;
    for (int i = 0; i < 2; i++) {
        TEST_OK(facet_scene_add_image(scene, i ? "two" : "one", &image, &error), &error);
        image->media_type = "image/png";
        image->data = png;
        image->size = sizeof png;
    }
    TEST_OK(facet_scene_add_material(scene, "paint", &material, &error), &error);
    facet_texture *map = test_map(scene, material, FACET_MAP_DIFFUSE);
    map->path = "";
    map->has_image = true;
    map->scale[0] = map->scale[1] = 1;
    TEST_OK(facet_scene_add_mesh(scene, &mesh, &error), &error);
    mesh->face_count = 1;
    mesh->corner_count = 3;
    TEST_OK(facet_mesh_add_stream_copy(mesh, FACET_POSITION, 0, NULL, FACET_FLOAT32, 3, 3, corners,
                                       NULL, NULL, &error),
            &error);
    TEST_OK(facet_mesh_add_stream_copy(mesh, FACET_TEXCOORD, 0, NULL, FACET_FLOAT32, 2, 3, uv, NULL,
                                       NULL, &error),
            &error);
    mesh->face_materials = facet_scene_allocate(scene, 1, sizeof(uint32_t));
    mesh->face_materials[0] = 0;
    TEST_OK(facet_scene_add_node(scene, "above", &node, &error), &error);
    TEST_OK(facet_scene_add_node(scene, "below", &node, &error), &error);
    node->parent = 0;
    node->mesh = 0;
    TEST_OK(facet_scene_add_animation(scene, "all", CHANNELS, &animation, &error), &error);
    facet_channel *c = animation->channels;
    c[VISIBILITY] = (facet_channel){.node = 0,
                                    .target = FACET_TARGET_VISIBILITY,
                                    .interpolation = FACET_INTERPOLATION_STEP,
                                    .width = 1,
                                    .key_count = 3,
                                    .times = times,
                                    .values = seen};
    c[COLOR] = of_material(FACET_TARGET_BASE_COLOR, 4, colors);
    c[EMISSIVE] = of_material(FACET_TARGET_EMISSIVE, 3, glows);
    c[OFFSET] = of_material(FACET_TARGET_TEXTURE_OFFSET, 2, offsets);
    c[ROTATION] = of_material(FACET_TARGET_TEXTURE_ROTATION, 1, turns);
    c[SCALE] = of_material(FACET_TARGET_TEXTURE_SCALE, 2, scales);
    c[IMAGE] = of_material(FACET_TARGET_TEXTURE_IMAGE, 1, images);
    TEST_OK(facet_scene_check(scene, NULL, &error), &error);
    return scene;
}

static facet_output *write_scene(const facet_scene *scene, facet_report *report)
{
    facet_output *output = NULL;
    facet_options options = {.report = report};
    facet_error error;
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(facet_gltf_write_binary(scene, &options, output, &error), &error);
    TEST_OK(facet_output_commit(output, &error), &error);
    return output;
}

static facet_scene *read_output(const facet_output *output, facet_report *report)
{
    facet_scene *scene = NULL;
    facet_error error;
    TEST_OK(test_gltf_read(facet_output_data(output), (size_t)facet_output_size(output), report,
                           &scene, &error),
            &error);
    TEST_OK(facet_scene_check(scene, NULL, &error), &error);
    return scene;
}

static const facet_channel *find(const facet_scene *scene, facet_channel_target target)
{
    for (uint32_t i = 0; i < scene->animations[0]->channel_count; i++) {
        if (scene->animations[0]->channels[i].target == target)
            return &scene->animations[0]->channels[i];
    }
    fail_msg("there is no channel of target %d", target);
    return NULL;
}

/* -- Scenes ------------------------------------------------------------- */

static void refused(facet_scene *scene)
{
    facet_error error;
    assert_int_equal(facet_scene_check(scene, NULL, &error), FACET_ERROR_ARGUMENT);
    assert_string_equal(error.rule, "SCENE");
}

TEST(scene_check_refuses_invalid_channels)
{
    for (int fault = 0; fault < 10; fault++) {
        facet_scene *scene = make_scene(true);
        facet_channel *c = scene->animations[0]->channels;
        float beyond[] = {0, 2, 0}, half[] = {0, 0.5F, 0};
        switch (fault) {
        case 0:
            c[COLOR].material = 1;
            break;
        case 1:
            c[COLOR].node = 0;
            break;
        case 2:
            c[OFFSET].map = FACET_MAP_NORMAL; /* a map that the material does not have */
            break;
        case 3:
            c[OFFSET].map = FACET_MAP_COUNT;
            break;
        case 4:
            c[ROTATION].width = 2;
            break;
        case 5:
            c[IMAGE].values = beyond;
            break;
        case 6:
            c[IMAGE].values = half;
            break;
        case 7:
            c[IMAGE].interpolation = FACET_INTERPOLATION_LINEAR;
            break;
        case 8:
            c[VISIBILITY].interpolation = FACET_INTERPOLATION_LINEAR;
            break;
        default:
            c[VISIBILITY].node = FACET_NONE;
        }
        refused(scene);
        facet_scene_free(scene);
    }
}

/* A hidden node hides its descendants; the next pose shows them again. */
TEST(hidden_nodes_hide_their_descendants)
{
    facet_scene *scene = make_scene(true);
    facet_pose pose = {0};
    facet_error error;
    static const double moments[] = {0, 1.5, 2, 1};
    static const bool expected[] = {true, false, true, false};
    for (int i = 0; i < 4; i++) {
        TEST_OK(facet_scene_pose(scene, 0, moments[i], NULL, &pose, &error), &error);
        assert_int_equal(pose.seen[0], expected[i]);
        assert_int_equal(pose.seen[1], expected[i]);
    }
    TEST_OK(facet_scene_pose(scene, FACET_NONE, 0, NULL, &pose, &error), &error);
    assert_true(pose.seen[1]);
    facet_pose_free(&pose);
    facet_flatten_options flatten = {.has_time = true, .time = 1};
    TEST_OK(facet_scene_flatten(scene, &flatten, NULL, &error), &error);
    assert_int_equal(scene->mesh_count, 0);
    facet_scene_free(scene);
}

/* -- glTF --------------------------------------------------------------- */

TEST(gltf_keeps_all_channels)
{
    facet_scene *scene = make_scene(true);
    facet_report *report = NULL;
    assert_int_equal(facet_report_create(NULL, &report, NULL), FACET_OK);
    facet_output *output = write_scene(scene, report);
    facet_scene *back = read_output(output, report);
    assert_int_equal(facet_report_count(report), 1); /* other programs show no choice of textures */
    assert_int_equal(facet_report_get(report, 0)->severity, FACET_SEVERITY_NOTE);
    assert_non_null(test_finding_saying(report, "LOSS-ANIMATIONS", "changes the texture"));
    assert_int_equal(back->animations[0]->channel_count, CHANNELS);
    for (int i = 0; i < CHANNELS; i++) {
        const facet_channel *from = &scene->animations[0]->channels[i];
        const facet_channel *to = find(back, from->target);
        assert_int_equal(to->key_count, 3);
        assert_int_equal(to->width, from->width);
        assert_int_equal(to->interpolation, from->interpolation);
        assert_memory_equal(to->times, times, sizeof times);
        assert_memory_equal(to->values, from->values, 3 * from->width * sizeof(float));
        assert_int_equal(to->node, from->node);
        assert_int_equal(to->material, from->material);
        if (from->target >= FACET_TARGET_TEXTURE_OFFSET)
            assert_int_equal(to->map, from->map);
    }
    facet_output_free(output);
    facet_scene_free(back);
    facet_scene_free(scene);
    facet_report_free(report);
}

/* The property names of KHR_animation_pointer, KHR_node_visibility and KHR_texture_transform. */
TEST(gltf_has_the_property_names)
{
    static const char *const pointers[] = {
        "/nodes/0/extensions/KHR_node_visibility/visible",
        "/materials/0/pbrMetallicRoughness/baseColorFactor",
        "/materials/0/emissiveFactor",
        "/materials/0/pbrMetallicRoughness/baseColorTexture/extensions/KHR_texture_transform/"
        "offset",
        "/materials/0/pbrMetallicRoughness/baseColorTexture/extensions/KHR_texture_transform/"
        "rotation",
        "/materials/0/pbrMetallicRoughness/baseColorTexture/extensions/KHR_texture_transform/scale",
        "/materials/0/pbrMetallicRoughness/baseColorTexture/extras/texture"};
    facet_scene *scene = make_scene(true);
    facet_output *output = write_scene(scene, NULL);
    const uint8_t *data = facet_output_data(output);
    uint32_t length;
    memcpy(&length, data + 12, 4);
    facet_json *root = facet_json_read((const char *)data + 20, length, 0, NULL);
    const facet_json *channels = facet_json_object_get(
        facet_json_array_get(facet_json_object_get(root, "animations"), 0), "channels");
    for (size_t i = 0; i < CHANNELS; i++) {
        bool found = false;
        for (size_t k = 0; k < facet_json_array_size(channels); k++) {
            const facet_json *target =
                facet_json_object_get(facet_json_array_get(channels, k), "target");
            const char *pointer = facet_json_string_value(facet_json_object_get(
                facet_json_object_get(facet_json_object_get(target, "extensions"),
                                      "KHR_animation_pointer"),
                "pointer"));
            assert_string_equal(facet_json_string_value(facet_json_object_get(target, "path")),
                                "pointer");
            assert_null(facet_json_object_get(target, "node"));
            if (strcmp(pointer, pointers[i]) != 0)
                continue;
            found = true;
            /* The pointer must be valid: each step except the last exists. */
            const facet_json *at = root;
            char part[64];
            for (const char *p = pointer + 1; strchr(p, '/'); p = strchr(p, '/') + 1) {
                snprintf(part, sizeof part, "%.*s", (int)strcspn(p, "/"), p);
                at = facet_json_is_array(at)
                         ? facet_json_array_get(at, (size_t)strtoul(part, NULL, 10))
                         : facet_json_object_get(at, part);
                assert_non_null(at);
            }
        }
        assert_true(found);
    }
    facet_json_free(root);
    facet_output_free(output);
    facet_scene_free(scene);
}

/* The example of KHR_texture_transform: its numbers select the lower left quadrant of the picture,
 * where u is below one half and v, from the top, above it. */
TEST(texture_rotation_matches_the_example)
{
    facet_scene *scene = make_scene(true);
    facet_texture *map = scene->materials[0]->maps[FACET_MAP_DIFFUSE];
    static const float o[2] = {0, 1}, s[2] = {0.5F, 0.5F};
    const float r = 1.57079632679F;
    for (int corner = 0; corner < 4; corner++) {
        float x = s[0] * (float)(corner % 2), y = s[1] * (float)(corner / 2);
        float u = o[0] + cosf(r) * x + sinf(r) * y, v = o[1] - sinf(r) * x + cosf(r) * y;
        assert_true(u > -1e-6F && u < 0.5F + 1e-6F);
        assert_true(v > 0.5F - 1e-6F && v < 1 + 1e-6F);
    }
    /* With v upward the scene has the inverse rotation, and the file that of the example. */
    map->has_transform = true;
    map->scale[0] = map->scale[1] = 0.5F;
    map->rotation = -r;
    map->offset[0] = 0.5F; /* u' = 0.5 - 0.5 v, v' = 0.5 u: the example's with 1 - v, 1 - v' */
    map->offset[1] = 0;
    scene->axes.uv_origin_top = false;
    scene->animation_count = 0;
    facet_output *output = write_scene(scene, NULL);
    facet_scene *back = read_output(output, NULL);
    const facet_texture *written = back->materials[0]->maps[FACET_MAP_DIFFUSE];
    assert_float_equal(written->offset[0], 0, 1e-6F);
    assert_float_equal(written->offset[1], 1, 1e-6F);
    assert_float_equal(written->rotation, r, 1e-6F);
    facet_output_free(output);
    facet_scene_free(back);
    facet_scene_free(scene);
}

/* Apply a texture transform, as a scene defines it, to a texture coordinate. */
static void transform(const facet_scene *scene, double time, const double uv[2], double out[2])
{
    float o[2], r, s[2];
    facet_channel_sample(find(scene, FACET_TARGET_TEXTURE_OFFSET), time, o);
    facet_channel_sample(find(scene, FACET_TARGET_TEXTURE_ROTATION), time, &r);
    facet_channel_sample(find(scene, FACET_TARGET_TEXTURE_SCALE), time, s);
    double x = uv[0] * (double)s[0], y = uv[1] * (double)s[1], c = cos((double)r);
    double sine = sin((double)r);
    out[0] = (double)o[0] + c * x + sine * y;
    out[1] = (double)o[1] - sine * x + c * y;
}

/* With v upward, the file's transform of (u, 1 - v) is the scene's with 1 - v', at every key. */
TEST(gltf_inverts_v_of_transforms)
{
    facet_scene *scene = make_scene(false);
    facet_output *output = write_scene(scene, NULL);
    facet_scene *back = read_output(output, NULL);
    for (int i = 0; i < 3; i++) {
        const double up[2] = {0.3, 0.7}, down[2] = {0.3, 1 - 0.7};
        double here[2], there[2];
        transform(scene, times[i], up, here);
        transform(back, times[i], down, there);
        assert_true(fabs(here[0] - there[0]) < 1e-5);
        assert_true(fabs(1 - here[1] - there[1]) < 1e-5);
    }
    facet_output_free(output);
    facet_scene_free(back);
    facet_scene_free(scene);
}

/* An image that cannot be written is not selected, and a map that glTF lacks is not animated. Both
 * are reported. */
TEST(gltf_reports_lost_channels)
{
    facet_scene *scene = make_scene(true);
    facet_report *report = NULL;
    facet_material *material = scene->materials[0];
    assert_int_equal(facet_report_create(NULL, &report, NULL), FACET_OK);
    scene->images[1]->data = NULL;
    scene->images[1]->size = 0;
    material->maps[FACET_MAP_SPECULAR] = material->maps[FACET_MAP_DIFFUSE];
    scene->animations[0]->channels[SCALE].map = FACET_MAP_SPECULAR;
    facet_output *output = write_scene(scene, report);
    bool said = false;
    for (size_t i = 0; i < facet_report_count(report); i++)
        said |= strcmp(facet_report_get(report, i)->rule, "LOSS-ANIMATIONS") == 0;
    assert_true(said);
    facet_scene *back = read_output(output, NULL);
    assert_int_equal(find(back, FACET_TARGET_TEXTURE_IMAGE)->key_count, 2);
    assert_int_equal(back->animations[0]->channel_count, CHANNELS - 1);
    facet_output_free(output);
    facet_scene_free(back);
    facet_scene_free(scene);
    facet_report_free(report);
}

/* Pointers to missing objects animate nothing. Errors in a valid channel are refused. */
TEST(gltf_pointers_to_missing_objects_are_ignored)
{
    static const struct {
        const char *pointer, *way;
        uint32_t channels; /* FACET_NONE: refused */
    } cases[] = {
        {"/materials/0/emissiveFactor", "LINEAR", 1},
        {"/materials/1/emissiveFactor", "LINEAR", 0},
        {"/materials/0/alphaCutoff", "LINEAR", 0},
        {"/materials//emissiveFactor", "LINEAR", 0},
        {"/materials/4294967295/emissiveFactor", "LINEAR", 0},
        {"/materials/99999999999999999999/emissiveFactor", "LINEAR", 0},
        {"/nodes/0/translation", "LINEAR", 1},
        {"/nodes/1/translation", "LINEAR", 0},
        {"/nodes/0/rotation", "LINEAR", FACET_NONE}, /* four numbers */
        {"/nodes/0/extensions/KHR_node_visibility/visible", "STEP", FACET_NONE},
        {"/materials/0/normalTexture/extensions/KHR_texture_transform/offset", "LINEAR", 0},
        {"", "LINEAR", 0},
    };
    static const float buffer[] = {0, 1, 1, 1, 1, 2, 2, 2};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char json[10000];
        facet_scene *scene = NULL;
        facet_error error;
        snprintf(
            json, sizeof json,
            "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{}],\"materials\":[{}],"
            "\"buffers\":[{\"byteLength\":32,\"uri\":\"data:application/octet-stream;base64,"
            "%s\"}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":32}],\"accessors\":["
            "{\"bufferView\":0,\"componentType\":5126,\"count\":2,\"type\":\"SCALAR\"},"
            "{\"bufferView\":0,\"byteOffset\":8,\"componentType\":5126,\"count\":2,"
            "\"type\":\"VEC3\"}],\"animations\":[{\"samplers\":[{\"input\":0,\"output\":1,"
            "\"interpolation\":\"%s\"}],\"channels\":[{\"sampler\":0,\"target\":{\"path\":"
            "\"pointer\",\"extensions\":{\"KHR_animation_pointer\":{\"pointer\":\"%s\"}}}}]}]}",
            test_base64(buffer, sizeof buffer), cases[i].way, cases[i].pointer);
        facet_status status = test_gltf_read(json, strlen(json), NULL, &scene, &error);
        assert_int_equal(status,
                         cases[i].channels == FACET_NONE ? FACET_ERROR_MALFORMED : FACET_OK);
        if (status)
            continue;
        assert_int_equal(scene->animations[0]->channel_count, cases[i].channels);
        facet_scene_free(scene);
    }
}
