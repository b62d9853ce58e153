/* Written glTF passes the Khronos validator without errors and warnings.
 *
 * The sources are all files of the corpus that can become a glTF. Needs node, and the package
 * gltf-validator under FACET_NPM. */
#include "support/gltf.h"

/* spider.obj names an image that does not exist, so its material maps cannot be valid. */
static const char *const sources[] = {"gltf/AnimatedMorphCube.gltf",
                                      "gltf/BoxInterleaved.glb",
                                      "gltf/BoxMeshopt.glb",
                                      "gltf/CesiumMan.glb",
                                      "gltf/Fox.glb",
                                      "gltf/cakeBirthday.glb",
                                      "gltf/greenman.glb",
                                      "gltf/robot.glb",
                                      "gltf/simple_skin.gltf",
                                      "j3d/fish_static.bmd",
                                      "j3d/greenman_skinned.bdl",
                                      "obj/concave_polygon.obj",
                                      "obj/cube_usemtl.obj",
                                      "obj/mixed_attribs_reverse.obj",
                                      "obj/negative_indices.obj",
                                      "obj/quadknot.obj",
                                      "obj/rabbit.obj",
                                      "obj/smoothing_group_162.obj",
                                      "obj/spot_control_mesh.obj",
                                      "obj/testmixed.obj",
                                      "obj/wallhole.obj",
                                      "bsm/test.bsm",
                                      "bga/teapot.v2.bga",
                                      "binarymesh/studio_teapot.v3.binarymesh"};

/* Plain, and with all options that make the file smaller. */
static const facet_gltf_options ways[] = {
    {0}, {.quantize = true}, {.quantize = true, .compress = true}};

static void convert(const char *from, const char *to, const facet_gltf_options *how,
                    uint32_t levels)
{
    const facet_options options = {.gltf = how};
    const facet_prepare_options prepare = {.tangents = levels > 0};
    facet_file *file = NULL;
    facet_scene *scene = NULL;
    facet_output *output = NULL;
    facet_error error;
    const facet_format *format = facet_format_from_path(to);
    TEST_OK(facet_file_open(from, NULL, &file, &error), &error);
    facet_source source = facet_file_source(file);
    TEST_OK(facet_load(&source, NULL, NULL, NULL, &scene, &error), &error);
    TEST_OK(facet_prepare(scene, format, &prepare, NULL, NULL, &error), &error);
    TEST_OK(facet_scene_make_lods(scene, levels, 0, NULL, &error), &error);
    TEST_OK(facet_output_open(to, &output, &error), &error);
    TEST_OK(facet_save(scene, format, &options, output, &error), &error);
    TEST_OK(facet_output_commit(output, &error), &error);
    facet_output_free(output);
    facet_scene_free(scene);
    facet_file_close(file);
}

TEST(the_validator_is_silent)
{
    TEST_NEEDS_CORPUS();
    if (!test_gltf_validator_is_there()) {
        print_message("FACET_NPM has no gltf-validator, or there is no node: skipped\n");
        skip();
    }
    static char files[60000];
    size_t used = 0;
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        for (uint32_t way = 0; way < 6; way++) {
            char name[40], from[4096];
            snprintf(from, sizeof from, "%s", test_corpus(sources[i]));
            snprintf(name, sizeof name, "%zu-%u.%s", i, way, way % 2 ? "glb" : "gltf");
            convert(from, test_temporary(name), &ways[way / 2], way == 3 || way == 5 ? 2 : 0);
            used +=
                (size_t)snprintf(files + used, sizeof files - used, " '%s'", test_temporary(name));
        }
    }
    test_gltf_expect_valid(files);
}

/* Cameras, lights and hidden nodes, which the corpus lacks; unchanged and in other axes. */
TEST(cameras_and_lights_are_valid)
{
    if (!test_gltf_validator_is_there()) {
        print_message("FACET_NPM has no gltf-validator, or there is no node: skipped\n");
        skip();
    }
    facet_scene *scene = NULL;
    facet_error error;
    char files[9000];
    size_t used = 0;
    TEST_OK(facet_scene_create(NULL, &scene, &error), &error);
    for (int i = 0; i < 6; i++) {
        facet_camera *camera = NULL;
        facet_light *light = NULL;
        facet_node *node = NULL;
        TEST_OK(facet_scene_add_camera(scene, "c", &camera, &error), &error);
        TEST_OK(facet_scene_add_light(scene, "l", &light, &error), &error);
        TEST_OK(facet_scene_add_node(scene, "n", &node, &error), &error);
        camera->is_orthographic = i % 2 == 1;
        camera->width = camera->height = 2;
        camera->far_distance = i < 4 ? 50 : 0;
        camera->aspect_ratio = i < 2 ? 1.5F : 0;
        if (camera->is_orthographic)
            camera->far_distance = 50;
        light->kind = (facet_light_kind)(i % 3);
        light->range = i < 3 ? 8 : 0;
        light->color[1] = 0.5F;
        node->camera = node->light = (uint32_t)i;
        node->hidden = i == 2;
    }
    for (int way = 0; way < 2; way++) {
        char name[40];
        facet_output *output = NULL;
        snprintf(name, sizeof name, "cameras-%d.glb", way);
        const facet_axes axes = {.up = FACET_AXIS_Z, .left_handed = true, .unit = 0.01};
        if (way == 1)
            TEST_OK(facet_scene_set_axes(scene, &axes, &error), &error);
        TEST_OK(facet_output_open(test_temporary(name), &output, &error), &error);
        TEST_OK(facet_save(scene, facet_format_named("glb"), NULL, output, &error), &error);
        TEST_OK(facet_output_commit(output, &error), &error);
        facet_output_free(output);
        used += (size_t)snprintf(files + used, sizeof files - used, " '%s'", test_temporary(name));
    }
    facet_scene_free(scene);
    test_gltf_expect_valid(files);
}
