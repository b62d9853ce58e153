/* Writing through assimp: the bytes of simple formats, and complete scenes after a round trip. */
#include "support/mesh.h"
#include "support/models.h"

#include <math.h>
#include <stdlib.h>

#ifdef FACET_HAVE_ASSIMP

/* -- Comparing ---------------------------------------------------------- */

static facet_scene *make_box(void);

static double box_of(facet_scene *scene, double minimum[3], double maximum[3])
{
    facet_error error;
    bool any;
    TEST_OK(facet_scene_bounds(scene, NULL, minimum, maximum, &any, &error), &error);
    assert_true(any);
    double size = 0;
    for (int i = 0; i < 3; i++)
        size = fmax(size, maximum[i] - minimum[i]);
    return size;
}

static void assert_boxes(facet_scene *a, facet_scene *b, double scale)
{
    double a_low[3], a_high[3], b_low[3], b_high[3];
    double size = box_of(a, a_low, a_high) * scale;
    box_of(b, b_low, b_high);
    for (int i = 0; i < 3; i++) {
        assert_true(fabs(a_low[i] * scale - b_low[i]) < 1e-4 * size);
        assert_true(fabs(a_high[i] * scale - b_high[i]) < 1e-4 * size);
    }
}

/* The node that shows the only mesh. */
static uint32_t shower_of(const facet_scene *scene)
{
    for (uint32_t i = 0; i < scene->node_count; i++) {
        if (scene->nodes[i]->mesh == 0)
            return i;
    }
    fail_msg("no node shows the mesh");
    return 0;
}

/* The positions of all corners of mesh 0 at a time of animation 0; the caller
 * frees them. */
static float *pose_corners(facet_scene *scene, double time)
{
    facet_error error;
    facet_pose pose = {0};
    const facet_mesh *mesh = scene->meshes[0];
    TEST_OK(facet_scene_pose(scene, 0, time, NULL, &pose, &error), &error);
    float *positions = malloc(mesh->streams[0].count * 3 * sizeof *positions);
    float *corners = malloc((size_t)mesh->corner_count * 3 * sizeof *corners);
    assert_true(positions && corners);
    TEST_OK(facet_pose_positions(scene, &pose, shower_of(scene), NULL, positions, &error), &error);
    for (uint32_t i = 0; i < mesh->corner_count; i++)
        memcpy(corners + (size_t)i * 3, positions + (size_t)mesh->streams[0].indices[i] * 3,
               3 * sizeof *corners);
    free(positions);
    facet_pose_free(&pose);
    return corners;
}

static void assert_poses(const char *what, facet_scene *a, facet_scene *b, double time,
                         float tolerance)
{
    assert_int_equal(a->meshes[0]->corner_count, b->meshes[0]->corner_count);
    float *p = pose_corners(a, time), *q = pose_corners(b, time);
    for (size_t i = 0; i < (size_t)a->meshes[0]->corner_count * 3; i++) {
        if (!(fabsf(p[i] - q[i]) <= tolerance))
            fail_msg("%s: at %g s number %zu is %g, not %g", what, time, i, (double)q[i],
                     (double)p[i]);
    }
    free(p);
    free(q);
}

/* -- COLLADA and FBX ---------------------------------------------------- */

static bool holds(const facet_output *output, const char *bytes, size_t length)
{
    const uint8_t *data = facet_output_data(output);
    for (size_t i = 0; i + length <= facet_output_size(output); i++) {
        if (memcmp(data + i, bytes, length) == 0)
            return true;
    }
    return false;
}

TEST(parts_and_materials)
{
    static const char *const formats[] = {"dae", "fbx"};
    TEST_NEEDS_CORPUS();
    for (size_t i = 0; i < 2; i++) {
        facet_scene *scene = load_file(test_corpus("obj/spider.obj"), NULL);
        facet_output *output = save_scene(scene, formats[i], NULL);
        char name[8];
        snprintf(name, sizeof name, "a.%s", formats[i]);
        facet_scene *again = load_output(output, name, NULL);
        assert_int_equal(count_faces(again), count_faces(scene));
        assert_int_equal(again->material_count, scene->material_count);
        assert_boxes(scene, again, 1);
        for (uint32_t k = 0; k < scene->material_count; k++) {
            const facet_material *was = scene->materials[k], *is = NULL;
            for (uint32_t n = 0; n < again->material_count; n++) {
                if (strcmp(again->materials[n]->name, was->name) == 0)
                    is = again->materials[n];
            }
            assert_non_null(is);
            const facet_texture *color = was->maps[FACET_MAP_DIFFUSE];
            assert_int_equal(color == NULL, is->maps[FACET_MAP_DIFFUSE] == NULL);
            if (color)
                assert_string_equal(is->maps[FACET_MAP_DIFFUSE]->path, color->path);
        }
        facet_scene_free(again);
        facet_output_free(output);
        facet_scene_free(scene);
    }
}

/* Each setting of a texture that is lost has its own message, and none hides another. An FBX holds
 * the strength, a COLLADA the set. */
TEST(each_lost_setting_of_a_texture_is_reported)
{
    static const char *const says[] = {"the transform of", "the wrap modes of", "the filter of",
                                       "the strength of", "the texture coordinate set of"};
    for (int is_fbx = 0; is_fbx < 2; is_fbx++) {
        facet_scene *scene = test_scene();
        facet_material *material = NULL;
        facet_report *report = NULL;
        facet_error error;
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        TEST_OK(facet_scene_add_material(scene, "m", &material, &error), &error);
        facet_texture *texture = test_map(scene, material, FACET_MAP_DIFFUSE);
        *texture = (facet_texture){.path = "a.png",
                                   .strength = 0.5F,
                                   .scale = {2, 1},
                                   .has_transform = true,
                                   .uv_set = 1,
                                   .wrap_v = FACET_WRAP_MIRROR,
                                   .minify = FACET_FILTER_NEAREST_MIPMAP_LINEAR};
        facet_options options = {.report = report};
        facet_output *output = save_scene(scene, is_fbx ? "fbx" : "dae", &options);
        for (int i = 0; i < 5; i++) {
            bool holds = i == (is_fbx ? 3 : 4);
            assert_int_equal(test_finding_saying(report, "LOSS-TEXTURES", says[i]) == NULL, holds);
        }
        facet_output_free(output);
        facet_report_free(report);
        facet_scene_free(scene);
    }
}

/* Faces without a material, and faces with a material that has only a name, are white. Readers
 * assume black (COLLADA 1.4.1, 5: no diffuse) or gray for a missing color. */
TEST(no_color_is_white)
{
    static const char *const formats[] = {"dae", "fbx"};
    static const float positions[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0}, white[3] = {1, 1, 1};
    for (size_t i = 0; i < 4; i++) {
        bool named = i >= 2;
        const char *format = formats[i % 2];
        facet_scene *scene = test_scene();
        facet_mesh *mesh = test_mesh(scene, 1, NULL);
        facet_material *material = NULL;
        facet_error error;
        assert_true(test_stream(scene, mesh, FACET_POSITION, 3, 3, positions, NULL));
        if (named) {
            TEST_OK(facet_scene_add_material(scene, "m", &material, &error), &error);
            mesh->face_materials = facet_scene_allocate(scene, 1, sizeof(uint32_t));
            assert_non_null(mesh->face_materials);
            mesh->face_materials[0] = 0;
        }
        facet_output *output = save_scene(scene, format, NULL);
        char name[8], *text = malloc((size_t)facet_output_size(output) + 1);
        assert_non_null(text);
        memcpy(text, facet_output_data(output), (size_t)facet_output_size(output));
        text[facet_output_size(output)] = '\0';
        if (strcmp(format, "dae") == 0)
            assert_non_null(strstr(text, "<color sid=\"diffuse\">1   1   1   1</color>"));
        free(text);
        snprintf(name, sizeof name, "a.%s", format);
        facet_scene *again = load_output(output, name, NULL);
        assert_int_equal(again->material_count, named);
        if (named)
            assert_memory_equal(again->materials[0]->base_color, white, sizeof white);
        facet_scene_free(again);
        facet_output_free(output);
        facet_scene_free(scene);
    }
}

/* assimp leaves out the end of an empty list: no program reads such a file. */
TEST(fbx_without_nodes_can_be_read)
{
    for (int with_material = 0; with_material < 2; with_material++) {
        facet_scene *scene = test_scene();
        facet_material *material = NULL;
        facet_error error;
        if (with_material)
            TEST_OK(facet_scene_add_material(scene, "m", &material, &error), &error);
        facet_output *output = save_scene(scene, "fbx", NULL);
        facet_scene *again = load_output(output, "a.fbx", NULL);
        assert_int_equal(again->mesh_count, 0);
        facet_scene_free(again);
        facet_output_free(output);
        facet_scene_free(scene);
    }
}

/* A skin and its animation: the corners have the same positions at any time. */
TEST(skin_and_animation)
{
    static const struct {
        const char *file, *format;
        float tolerance; /* for models of size 2, 2 and 160: text of six digits, Euler angles */
    } cases[] = {{"gltf/simple_skin.gltf", "dae", 1e-4F},
                 {"gltf/simple_skin.gltf", "fbx", 1e-3F},
                 {"gltf/greenman.glb", "dae", 1e-4F},
                 {"gltf/greenman.glb", "fbx", 1e-3F},
                 {"gltf/Fox.glb", "fbx", 5e-2F}};
    TEST_NEEDS_CORPUS();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        facet_scene *scene = load_file(test_corpus(cases[i].file), NULL);
        facet_output *output = save_scene(scene, cases[i].format, NULL);
        char name[8];
        snprintf(name, sizeof name, "a.%s", cases[i].format);
        facet_scene *again = load_output(output, name, NULL);
        assert_int_equal(again->skin_count, 1);
        bool one = strcmp(cases[i].format, "dae") == 0;
        assert_int_equal(again->animation_count, one ? 1 : scene->animation_count);
        for (int k = 0; k < 4; k++) /* at keys, where interpolation does not matter */
            assert_poses(name, scene, again, (double)scene->animations[0]->channels[0].times[k],
                         cases[i].tolerance);
        facet_scene_free(again);
        facet_output_free(output);
        facet_scene_free(scene);
    }
}

/* A skin whose bind pose differs from the pose of its joints at rest: the surface stays. */
TEST(fbx_keeps_a_skin_bound_in_another_pose)
{
    TEST_NEEDS_CORPUS();
    facet_error error;
    facet_options options = {0};
    TEST_OK(facet_report_create(NULL, &options.report, &error), &error);
    facet_scene *scene = load_file(test_corpus("gltf/simple_skin.gltf"), NULL);
    scene->skins[0]->inverse_bind[12] += 0.25F;
    facet_output *output = save_scene(scene, "fbx", &options);
    facet_scene *again = load_output(output, "a.fbx", NULL);
    assert_null(test_finding(options.report, "LOSS-SKIN"));
    for (double time = 0; time < 3; time += 0.5)
        assert_poses("simple_skin", scene, again, time, 1e-3F);
    facet_scene_free(again);
    facet_output_free(output);
    facet_scene_free(scene);
    facet_report_free(options.report);
}

TEST(fbx_keeps_morph_targets_and_weights)
{
    TEST_NEEDS_CORPUS();
    facet_scene *scene = load_file(test_corpus("gltf/AnimatedMorphCube.gltf"), NULL);
    facet_options options = {0};
    assert_int_equal(facet_report_create(NULL, &options.report, NULL), FACET_OK);
    scene->meshes[0]->morphs[0].weight = 0.5F;
    facet_output *output = save_scene(scene, "fbx", &options);
    assert_non_null(test_finding(options.report, "LOSS-MORPHS"));
    facet_report_free(options.report);
    /* Blender rejects a file whose shapes have assimp's class. */
    assert_false(holds(output, "Blendshape", 10));
    assert_true(holds(output, "\1GeometryS\5\0\0\0Shape", 19));
    assert_true(holds(output, "\1DeformerS\n\0\0\0BlendShape", 24));
    facet_scene *again = load_output(output, "a.fbx", NULL);
    const facet_mesh *a = scene->meshes[0], *b = again->meshes[0];
    assert_int_equal(b->morph_count, a->morph_count);
    assert_int_equal(b->corner_count, a->corner_count);
    for (uint32_t i = 0; i < a->morph_count; i++) {
        const facet_stream *was = facet_mesh_find(a, FACET_MORPH_POSITION, i);
        const facet_stream *is = facet_mesh_find(b, FACET_MORPH_POSITION, i);
        assert_true(was && is);
        for (uint32_t corner = 0; corner < a->corner_count; corner++) {
            for (int k = 0; k < 3; k++)
                assert_true(fabsf(corner_of(a, was, corner)[k] - corner_of(b, is, corner)[k]) <
                            1e-5F);
        }
    }
    facet_scene_free(again);
    facet_output_free(output);
    facet_scene_free(scene);
}

/* -- Images ------------------------------------------------------------- */

/* The second of two nodes with one name gets a number. Streams with different indices are
 * refused. */
TEST(names_are_made_unique_and_meshes_have_one_index)
{
    facet_error error;
    facet_options options = {0};
    facet_node *node;
    facet_output *output = NULL;
    TEST_OK(facet_report_create(NULL, &options.report, &error), &error);
    facet_scene *scene = make_box();
    for (int i = 0; i < 2; i++) {
        TEST_OK(facet_scene_add_node(scene, "same", &node, &error), &error);
        node->mesh = 0;
    }
    output = save_scene(scene, "fbx", &options);
    assert_int_equal(test_finding(options.report, "ASSIMP-NAME")->count, 1);
    facet_output_free(output);
    static const float corner[2];
    uint32_t *zeros = calloc(scene->meshes[0]->corner_count, sizeof *zeros);
    assert_non_null(zeros);
    TEST_OK(facet_mesh_add_stream_copy(scene->meshes[0], FACET_TEXCOORD, 0, NULL, FACET_FLOAT32, 2,
                                       1, corner, zeros, NULL, &error),
            &error);
    free(zeros);
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    assert_int_equal(facet_save(scene, facet_format_named("fbx"), NULL, output, &error),
                     FACET_ERROR_ARGUMENT);
    assert_string_equal(error.rule, "ASSIMP-NEEDS");
    facet_output_free(output);
    facet_scene_free(scene);
    facet_report_free(options.report);
}

/* assimp makes ids of names. They are unique, and as assimp alone numbers them: nodes come first,
 * then materials, then meshes. The names stay equal. */
TEST(dae_has_unique_ids_and_equal_names)
{
    static const char *const texts[] = {
        "<node id=\"part\" name=\"part\"",          "<node id=\"part_1\" name=\"part\"",
        "<node id=\"part_1_1\" name=\"part_1\"",    "<effect id=\"part_2-fx\" name=\"part\"",
        "<material id=\"part_2\" name=\"part\"",    "<material id=\"part_3\" name=\"part\"",
        "<geometry id=\"part_4\" name=\"part\"",    "<geometry id=\"part_5\" name=\"part\"",
        "<geometry id=\"part_1_2\" name=\"part_1\""};
    facet_error error;
    facet_scene *scene = make_box();
    facet_material *material;
    for (int i = 0; i < 2; i++) {
        facet_mesh *mesh;
        TEST_OK(facet_scene_add_material(scene, "part", &material, &error), &error);
        TEST_OK(facet_scene_add_mesh(scene, &mesh, &error), &error);
        facet_growth growth = mesh->stream_growth;
        *mesh = *scene->meshes[0];
        mesh->stream_growth = growth;
    }
    scene->meshes[0]->name = scene->meshes[1]->name = "part";
    scene->meshes[2]->name = "part_1";
    facet_output *output = save_scene(scene, "dae", NULL);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (!holds(output, texts[i], strlen(texts[i])))
            fail_msg("no %s", texts[i]);
    }
    facet_scene *again = load_output(output, "a.dae", NULL);
    assert_int_equal(again->mesh_count, 3);
    assert_string_equal(again->meshes[1]->name, "part");
    assert_string_equal(again->meshes[2]->name, "part_1");
    facet_scene_free(again);
    facet_output_free(output);
    facet_scene_free(scene);
}

/* COLLADA gets one animation: the first that it can hold. */
TEST(dae_gets_the_first_animation_that_moves_a_node)
{
    static float times[2] = {0, 1}, shown[2] = {0, 1}, moved[6] = {0, 0, 0, 3, 0, 0};
    static const facet_channel_target targets[] = {
        FACET_TARGET_VISIBILITY, FACET_TARGET_TRANSLATION, FACET_TARGET_TRANSLATION};
    static const char *const names[] = {"blink", "walk", "run"};
    facet_error error;
    facet_options options = {0};
    facet_node *node;
    TEST_OK(facet_report_create(NULL, &options.report, &error), &error);
    facet_scene *scene = make_box();
    TEST_OK(facet_scene_add_node(scene, "n", &node, &error), &error);
    node->mesh = 0;
    for (int i = 0; i < 3; i++) {
        facet_animation *animation;
        TEST_OK(facet_scene_add_animation(scene, names[i], 1, &animation, &error), &error);
        bool is_place = targets[i] == FACET_TARGET_TRANSLATION;
        animation->channels[0] = (facet_channel){
            .node = 0,
            .target = targets[i],
            .interpolation = is_place ? FACET_INTERPOLATION_LINEAR : FACET_INTERPOLATION_STEP,
            .width = is_place ? 3 : 1,
            .key_count = 2,
            .times = times,
            .values = is_place ? moved : shown,
            .material = FACET_NONE};
    }
    facet_output *output = save_scene(scene, "dae", &options);
    facet_scene *again = load_output(output, "a.dae", NULL);
    assert_int_equal(again->animation_count, 1);
    bool said = false;
    for (size_t i = 0; i < facet_report_count(options.report); i++)
        said |= strstr(facet_report_get(options.report, i)->message,
                       "only 'walk', animation 2 of 3, is written") != NULL;
    assert_true(said);
    facet_scene_free(again);
    facet_output_free(output);
    facet_scene_free(scene);
    facet_report_free(options.report);
}

/* The size is refused before any byte is read. */
TEST(images_have_less_than_4_gib)
{
    static const uint8_t png[8] = "\x89PNG\r\n\x1A\n";
    facet_scene *scene = make_box();
    facet_image *image;
    facet_material *material;
    facet_texture *texture;
    facet_output *output = NULL;
    facet_error error;
    TEST_OK(facet_scene_add_image(scene, "i", &image, &error), &error);
    image->media_type = "image/png";
    image->data = png;
    image->size = sizeof png;
    TEST_OK(facet_scene_add_material(scene, "m", &material, &error), &error);
    TEST_OK(facet_scene_add_map(scene, material, FACET_MAP_DIFFUSE, &texture, &error), &error);
    texture->has_image = true;
    texture->image = 0;
    TEST_OK(facet_prepare(scene, facet_format_named("fbx"), NULL, NULL, NULL, &error), &error);
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    image->size = (size_t)UINT32_MAX + 1;
    assert_int_equal(facet_save(scene, facet_format_named("fbx"), NULL, output, &error),
                     FACET_ERROR_LIMIT);
    assert_string_equal(error.rule, "ASSIMP-SIZE");
    image->size = sizeof png;
    facet_output_free(output);
    facet_scene_free(scene);
}

TEST(images_are_embedded_or_written_as_siblings)
{
    TEST_NEEDS_CORPUS();
    facet_error error;
    facet_options options = {0};
    TEST_OK(facet_report_create(NULL, &options.report, &error), &error);
    facet_scene *scene = load_file(test_corpus("gltf/CesiumMan.glb"), NULL);
    const facet_image *image = scene->images[0];

    /* Inside an FBX. */
    facet_output *fbx = save_scene(scene, "fbx", &options);
    facet_scene *again = load_output(fbx, "a.fbx", NULL);
    assert_int_equal(again->image_count, 1);
    assert_int_equal(again->images[0]->size, image->size);
    assert_memory_equal(again->images[0]->data, image->data, image->size);
    assert_string_equal(again->images[0]->media_type, "image/jpeg");
    assert_true(again->materials[0]->maps[FACET_MAP_DIFFUSE]->has_image);
    facet_scene_free(again);
    facet_output_free(fbx);

    /* Next to a COLLADA file. */
    facet_output *dae = save_scene(scene, "dae", &options);
    const facet_output *beside = facet_output_next_sibling(dae);
    assert_non_null(beside);
    assert_int_equal(facet_output_size(beside), image->size);
    assert_memory_equal(facet_output_data(beside), image->data, image->size);
    again = load_output(dae, "a.dae", NULL);
    /* "scene_texture_0000.jpg", or with another number */
    const char *path = again->materials[0]->maps[FACET_MAP_DIFFUSE]->path;
    assert_true(strncmp(path, "scene_texture_", 14) == 0 && strstr(path, ".jpg"));
    assert_string_equal(facet_output_name(beside), path);
    facet_scene_free(again);
    facet_output_free(dae);
    assert_null(test_finding(options.report, "LOSS-IMAGES"));

    /* Only as a name where no sibling can be written. */
    FILE *file = fopen(test_temporary("stream.dae"), "wb");
    facet_output *stream = NULL;
    assert_non_null(file);
    TEST_OK(facet_output_open_descriptor(fileno(file), &stream, &error), &error);
    TEST_OK(facet_save(scene, facet_format_named("dae"), &options, stream, &error), &error);
    TEST_OK(facet_output_commit(stream, &error), &error);
    facet_output_free(stream);
    fclose(file);
    assert_non_null(test_finding(options.report, "LOSS-IMAGES"));
    facet_scene_free(scene);
    facet_report_free(options.report);
}

/* Programs know an embedded picture by its file name: Blender showed the first for both. */
TEST(embedded_images_of_one_name_get_other_file_names)
{
    static const uint8_t first[8] = "\x89PNG\r\n\x1A\n", second[9] = "\x89PNG\r\n\x1A\n\1";
    static const char *const names[] = {"tex", "tex.png", "Tex"};
    facet_scene *scene = make_box();
    facet_error error;
    for (uint32_t i = 0; i < 3; i++) {
        facet_image *image;
        facet_material *material;
        facet_texture *texture;
        TEST_OK(facet_scene_add_image(scene, names[i], &image, &error), &error);
        image->media_type = "image/png";
        image->data = i == 1 ? second : first;
        image->size = i == 1 ? sizeof second : sizeof first;
        TEST_OK(facet_scene_add_material(scene, "m", &material, &error), &error);
        TEST_OK(facet_scene_add_map(scene, material, FACET_MAP_DIFFUSE, &texture, &error), &error);
        texture->has_image = true;
        texture->image = i;
    }
    facet_output *fbx = save_scene(scene, "fbx", NULL);
    assert_true(holds(fbx, "tex.png", 7));
    assert_true(holds(fbx, "tex.001.png", 11));
    assert_true(holds(fbx, "Tex.002.png", 11));
    facet_output_free(fbx);
    facet_scene_free(scene);
}

/* -- The time of writing ------------------------------------------------ */

static bool is_written_at(const char *epoch, const char *collada, const char *fbx_year,
                          const char *fbx_second)
{
    if (epoch)
        assert_int_equal(setenv("SOURCE_DATE_EPOCH", epoch, 1), 0);
    else
        assert_int_equal(unsetenv("SOURCE_DATE_EPOCH"), 0);
    facet_scene *scene = make_box();
    facet_output *dae = save_scene(scene, "dae", NULL), *fbx = save_scene(scene, "fbx", NULL);
    char created[64], modified[64];
    snprintf(created, sizeof created, "<created>%s</created>", collada);
    snprintf(modified, sizeof modified, "<modified>%s</modified>", collada);
    bool found = holds(dae, created, strlen(created)) && holds(dae, modified, strlen(modified)) &&
                 holds(fbx, fbx_year, 9) && holds(fbx, fbx_second, 11);
    facet_output_free(dae);
    facet_output_free(fbx);
    facet_scene_free(scene);
    unsetenv("SOURCE_DATE_EPOCH");
    return found;
}

/* `date -u -d @1700000000` is Tue Nov 14 22:13:20 UTC 2023; 2023 is 0x7E7, 1970 is 0x7B2. An
 * invalid number means 0. */
TEST(time_of_writing)
{
    const char *const zero = "1970-01-01T00:00:00";
    assert_true(is_written_at("1700000000", "2023-11-14T22:13:20", "YearI\xE7\x07\0\0",
                              "SecondI\x14\0\0\0"));
    assert_true(is_written_at(NULL, zero, "YearI\xB2\x07\0\0", "SecondI\0\0\0\0"));
    assert_true(is_written_at("soon", zero, "YearI\xB2\x07\0\0", "SecondI\0\0\0\0"));
    assert_true(
        is_written_at("99999999999999999999", zero, "YearI\xB2\x07\0\0", "SecondI\0\0\0\0"));
}

/* Write and read at the same time: assimp itself does not support that. */
static void write_one(void *argument, size_t index)
{
    facet_output **outputs = argument;
    facet_scene *scene = make_box();
    outputs[index] = save_scene(scene, index % 2 ? "dae" : "fbx", NULL);
    facet_scene_free(scene);
    facet_scene_free(load_output(outputs[index], index % 2 ? "a.dae" : "a.fbx", NULL));
}

TEST(many_at_once)
{
    facet_output *outputs[16] = {NULL};
    const facet_threads *threads = NULL;
    facet_error error;
    TEST_OK(facet_threads_create(4, &threads, &error), &error);
    threads->run(threads->user, write_one, outputs, 16);
    facet_threads_free(threads);
    for (size_t i = 2; i < 16; i++) { /* the same scene gives the same bytes */
        assert_int_equal(facet_output_size(outputs[i]), facet_output_size(outputs[i % 2]));
        assert_memory_equal(facet_output_data(outputs[i]), facet_output_data(outputs[i % 2]),
                            (size_t)facet_output_size(outputs[i]));
    }
    for (size_t i = 0; i < 16; i++)
        facet_output_free(outputs[i]);
}

/* -- Frames ------------------------------------------------------------- */

/* 100 by 200 by 300 centimeters, +Z up. */
static facet_scene *make_box(void)
{
    static const float positions[9] = {0, 0, 0, 100, 200, 0, 0, 0, 300};
    facet_scene *scene = NULL;
    assert_int_equal(facet_scene_create(NULL, &scene, NULL), FACET_OK);
    facet_mesh *mesh = test_mesh(scene, 1, NULL);
    assert_true(mesh && test_stream(scene, mesh, FACET_POSITION, 3, 3, positions, NULL));
    scene->axes.up = FACET_AXIS_Z;
    scene->axes.unit = 0.01;
    return scene;
}

TEST(axes_are_stored_or_converted_per_format)
{
    double low[3], high[3];
    facet_scene *scene = make_box();

    /* FBX stores axes and unit; its numbers are unchanged. */
    facet_output *output = save_scene(scene, "fbx", NULL);
    facet_scene *again = load_output(output, "a.fbx", NULL);
    assert_int_equal(again->axes.up, FACET_AXIS_Z);
    assert_false(again->axes.left_handed);
    assert_true(fabs(again->axes.unit - 0.01) < 1e-9);
    box_of(again, low, high);
    assert_true(high[0] == 100 && high[1] == 200 && high[2] == 300);
    facet_scene_free(again);
    facet_output_free(output);

    /* assimp reads COLLADA as meters and +Y up: z becomes y, y becomes -z. */
    output = save_scene(scene, "dae", NULL);
    again = load_output(output, "a.dae", NULL);
    box_of(again, low, high);
    assert_true(fabs(high[0] - 1) < 1e-5 && fabs(high[1] - 3) < 1e-5 && fabs(low[2] + 2) < 1e-5);
    facet_scene_free(again);
    facet_output_free(output);

    /* STL has neither: +Y up, the unit unchanged. */
    output = save_scene(scene, "stl", NULL);
    again = load_output(output, "a.stl", NULL);
    box_of(again, low, high);
    assert_true(high[0] == 100 && high[1] == 300 && low[2] == -200);
    facet_scene_free(again);
    facet_output_free(output);
    facet_scene_free(scene);
}

/* A meter is the default unit of COLLADA. It is known in a file that Facet wrote in meters, and
 * unknown if the scene had none, as that of an OBJ. */
TEST(collada_in_meters_keeps_its_unit)
{
    static const double units[] = {1, 0};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        facet_scene *scene = make_box();
        scene->axes.up = FACET_AXIS_Y;
        scene->axes.unit = units[i];
        facet_output *output = save_scene(scene, "dae", NULL);
        facet_scene *again = load_output(output, "a.dae", NULL);
        double low[3], high[3];
        assert_true(again->axes.unit == units[i]);
        box_of(again, low, high);
        assert_true(high[0] == 100 && high[1] == 200 && high[2] == 300);
        facet_scene_free(again);
        facet_output_free(output);
        facet_scene_free(scene);
    }
}

/* A left-handed frame is mirrored, in every format. */
TEST(left_handed_frames_are_mirrored)
{
    static const char *const formats[] = {"fbx", "dae", "stl", "ply"};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        facet_scene *scene = make_box();
        scene->axes = (facet_axes){.left_handed = true};
        facet_output *output = save_scene(scene, formats[i], NULL);
        char name[8];
        snprintf(name, sizeof name, "a.%s", formats[i]);
        facet_scene *again = load_output(output, name, NULL);
        double low[3], high[3];
        assert_false(again->axes.left_handed);
        box_of(again, low, high);
        assert_true(fabs(high[0] - 100) < 1e-3 && fabs(high[1] - 200) < 1e-3 &&
                    fabs(low[2] + 300) < 1e-3 && fabs(high[2]) < 1e-3);
        facet_scene_free(again);
        facet_output_free(output);
        facet_scene_free(scene);
    }
}

/* -- Losses and errors ---------------------------------------------------- */

/* A value of an FBX: a name, the type twice, a flag, and a double. */
static bool has_value(const facet_output *output, const char *name, double value)
{
    uint8_t bytes[64];
    size_t length = strlen(name);
    bytes[0] = 'S';
    bytes[1] = (uint8_t)length;
    memset(bytes + 2, 0, 3);
    memcpy(bytes + 5, name, length);
    static const uint8_t type[] = "S\6\0\0\0NumberS\0\0\0\0S\1\0\0\0AD";
    memcpy(bytes + 5 + length, type, sizeof type - 1);
    memcpy(bytes + 5 + length + sizeof type - 1, &value, sizeof value);
    return holds(output, (const char *)bytes, 5 + length + sizeof type - 1 + sizeof value);
}

/* Values that Blender and Facet read from an FBX: roughness r as a shininess of 100 * (1 - r)^2;
 * metallic as a factor of reflection; emission and its strength. */
TEST(fbx_keeps_roughness_metallic_emission)
{
    static const struct {
        float roughness, metallic, strength;
        double shininess;
    } cases[] = {{0.5F, 0.25F, 4, 25}, {1, 0, 1, 0}, {0, 1, 1, 100}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        facet_error error;
        facet_material *material = NULL;
        facet_scene *scene = make_box();
        facet_mesh *mesh = scene->meshes[0];
        TEST_OK(facet_scene_add_material(scene, "m", &material, &error), &error);
        material->roughness = cases[i].roughness;
        material->metallic = cases[i].metallic;
        material->emissive[0] = material->emissive[2] = 0.5F;
        material->emissive_strength = cases[i].strength;
        mesh->face_materials = facet_scene_allocate(scene, mesh->face_count, sizeof(uint32_t));
        assert_non_null(mesh->face_materials);
        memset(mesh->face_materials, 0, mesh->face_count * sizeof(uint32_t));
        facet_output *output = save_scene(scene, "fbx", NULL);
        assert_true(has_value(output, "ShininessExponent", cases[i].shininess));
        assert_true(has_value(output, "ReflectionFactor", (double)cases[i].metallic));
        assert_true(has_value(output, "EmissiveFactor", (double)cases[i].strength));
        facet_scene *again = load_output(output, "a.fbx", NULL);
        const facet_material *m = again->materials[0];
        assert_float_equal((double)m->roughness, (double)cases[i].roughness, 1e-6);
        assert_float_equal((double)m->metallic, (double)cases[i].metallic, 1e-6);
        for (int k = 0; k < 3; k++)
            assert_float_equal((double)(m->emissive[k] * m->emissive_strength),
                               (double)(material->emissive[k] * cases[i].strength), 1e-6);
        facet_scene_free(again);
        facet_output_free(output);
        facet_scene_free(scene);
    }
}

/* In an FBX a texture replaces the color that it is connected to. */
TEST(texture_without_color)
{
    facet_error error;
    facet_options options = {0};
    facet_material *material = NULL;
    facet_scene *scene = make_box();
    TEST_OK(facet_report_create(NULL, &options.report, &error), &error);
    TEST_OK(facet_scene_add_material(scene, "m", &material, &error), &error);
    material->base_color[1] = 0.5F;
    test_map(scene, material, FACET_MAP_DIFFUSE)->path = "a.png";
    facet_mesh *mesh = scene->meshes[0];
    mesh->face_materials = facet_scene_allocate(scene, mesh->face_count, sizeof(uint32_t));
    assert_non_null(mesh->face_materials);
    memset(mesh->face_materials, 0, mesh->face_count * sizeof(uint32_t));
    facet_output *output = save_scene(scene, "fbx", &options);
    assert_non_null(test_finding(options.report, "LOSS-MATERIALS"));
    facet_scene *again = load_output(output, "a.fbx", NULL);
    assert_float_equal((double)again->materials[0]->base_color[1], 1, 0);
    facet_scene_free(again);
    facet_output_free(output);
    facet_report_free(options.report);
    facet_scene_free(scene);
}

TEST(dropped_data_is_reported)
{
    facet_error error;
    facet_options options = {0};
    facet_hull *hull = NULL;
    facet_material *material = NULL;
    TEST_OK(facet_report_create(NULL, &options.report, &error), &error);
    facet_scene *scene = make_box();
    TEST_OK(facet_scene_add_hull(scene, "hull", 0, &hull, &error), &error);
    TEST_OK(facet_scene_add_material(scene, "metal", &material, &error), &error);
    material->metallic = 0.5F;
    facet_output_free(save_scene(scene, "dae", &options));
    assert_non_null(test_finding(options.report, "LOSS-HULLS"));
    assert_non_null(test_finding(options.report, "LOSS-MATERIALS"));
    facet_scene_free(scene);
    facet_report_free(options.report);
}

static facet_status save_with(const facet_allocator *allocator, void *user)
{
    const char *format = user;
    facet_options options = {.allocator = allocator};
    facet_output *output = NULL;
    facet_scene *scene = make_box();
    facet_material *material = NULL;
    facet_node *node = NULL;
    assert_int_equal(facet_scene_add_material(scene, "m", &material, NULL), FACET_OK);
    if (*format == 'd' || *format == 'f') { /* the other formats have no nodes */
        assert_int_equal(facet_scene_add_node(scene, "", &node, NULL), FACET_OK);
        node->mesh = 0;
    }
    facet_status status = facet_output_open_memory(NULL, &output, NULL);
    if (!status)
        status = facet_save(scene, facet_format_named(format), &options, output, NULL);
    facet_output_free(output);
    facet_scene_free(scene);
    return status;
}

TEST(write_reports_failed_allocations)
{
    test_every_allocation(save_with, (void *)(uintptr_t) "dae");
    test_every_allocation(save_with, (void *)(uintptr_t) "fbx");
}

#else

TEST(assimp_is_missing)
{
    skip();
}

#endif
