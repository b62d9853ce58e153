/* Copies of scenes: equal content in separate memory. The original is freed before the copy is
 * read, so that AddressSanitizer finds shared memory. */
#include "support/mesh.h"
#include "support/support.h"

#include <facet/convert.h>
#include <facet/gx_material.h>
#include <string.h>

/* -- Content of a scene as bytes ---------------------------------------- */

static facet_output *save(const facet_scene *scene, const char *format)
{
    facet_output *output = NULL;
    facet_error error;
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(facet_save(scene, facet_format_named(format), NULL, output, &error), &error);
    TEST_OK(facet_output_commit(output, &error), &error);
    return output;
}

static void assert_same_output(const facet_output *a, const facet_output *b)
{
    assert_int_equal(facet_output_size(a), facet_output_size(b));
    assert_memory_equal(facet_output_data(a), facet_output_data(b), facet_output_size(a));
}

static void assert_copy_is_whole(facet_scene *scene, const char *format)
{
    facet_error error;
    facet_scene *copy = NULL;
    facet_output *before = save(scene, format);
    TEST_OK(facet_scene_copy(scene, NULL, &copy, &error), &error);
    facet_scene_free(scene);
    TEST_OK(facet_scene_check(copy, NULL, &error), &error);
    facet_output *after = save(copy, format);
    assert_same_output(before, after);
    facet_output_free(before);
    facet_output_free(after);
    facet_scene_free(copy);
}

/* -- Scenes ------------------------------------------------------------- */

static facet_scene *load(const char *relative)
{
    facet_scene *scene = NULL;
    facet_file *file = NULL;
    facet_error error;
    TEST_OK(facet_file_open(test_corpus(relative), NULL, &file, &error), &error);
    facet_source source = facet_file_source(file);
    facet_load_options how = {.images = true};
    TEST_OK(facet_load(&source, NULL, &how, NULL, &scene, &error), &error);
    facet_file_close(file);
    return scene;
}

/* All kinds of data of a console file. No real file has so many. */
static facet_gx_file_part *make_part(facet_scene *scene, bool is_whole)
{
    static const facet_gx_file_joint joint = {.kind = 1, .scale = {1, 2, 3}, .radius = 4};
    static const facet_gx_file_shape shape = {.type = 2, .minimum = {5, 6, 7}};
    static const facet_gx_file_model model = {.kind = 4, .flags = 2};
    facet_gx_file_part *part = facet_scene_allocate(scene, 1, sizeof *part);
    facet_gx_file_animation *file = facet_scene_allocate(scene, 1, sizeof *file);
    uint8_t *bytes = facet_scene_allocate(scene, 4, 1);
    memcpy(bytes, "file", 4);
    *file = (facet_gx_file_animation){.name = facet_scene_string(scene, "walk"),
                                      .kind = facet_scene_string(scene, "bck"),
                                      .loop = 2,
                                      .frames = 9,
                                      .rate = 30,
                                      .bytes = bytes,
                                      .size = 4};
    *part = (facet_gx_file_part){.motion = is_whole ? NULL : file};
    if (is_whole) {
        part->carried = file;
        part->carried_count = 1;
        part->joint = facet_scene_allocate(scene, 1, sizeof joint);
        part->shape = facet_scene_allocate(scene, 1, sizeof shape);
        part->model = facet_scene_allocate(scene, 1, sizeof model);
        *part->joint = joint;
        *part->shape = shape;
        *part->model = model;
    }
    return part;
}

/* One node with a morphed mesh, extras, a skin, and a channel of each kind. */
static facet_scene *make_scene(const facet_options *options)
{
    facet_scene *scene = NULL;
    facet_error error;
    if (facet_scene_create(options, &scene, &error))
        return NULL;
    static const float corners[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    facet_mesh *mesh;
    facet_node *node;
    facet_animation *animation;
    TEST_OK(facet_scene_add_mesh(scene, &mesh, &error), &error);
    mesh->face_count = 1;
    mesh->corner_count = 3;
    static const facet_semantic semantics[] = {FACET_POSITION, FACET_NORMAL, FACET_MORPH_POSITION};
    for (int i = 0; i < 3; i++)
        TEST_OK(facet_mesh_add_stream_copy(mesh, semantics[i], 0, NULL, FACET_FLOAT32, 3, 3,
                                           corners, NULL, NULL, &error),
                &error);
    mesh->morphs = facet_scene_allocate(scene, 1, sizeof *mesh->morphs);
    mesh->morphs[0] = (facet_morph){.name = facet_scene_string(scene, "smile"), .weight = 0.5F};
    mesh->morph_count = 1;
    TEST_OK(facet_scene_add_node(scene, "root", &node, &error), &error);
    node->mesh = 0;
    node->weights = facet_scene_allocate(scene, 1, sizeof(float));
    node->weights[0] = 0.25F;
    node->extras = facet_scene_string(scene, "{\"a\":1}");
    static const facet_channel_target paths[] = {FACET_TARGET_TRANSLATION, FACET_TARGET_WEIGHTS};
    TEST_OK(facet_scene_add_animation(scene, "nod", 2, &animation, &error), &error);
    for (int i = 0; i < 2; i++) {
        facet_channel *channel = &animation->channels[i];
        uint32_t width = i ? 1 : 3;
        channel->target = paths[i];
        channel->interpolation = i ? FACET_INTERPOLATION_CUBIC : FACET_INTERPOLATION_LINEAR;
        channel->width = width;
        channel->key_count = 2;
        channel->times = facet_scene_allocate(scene, 2, sizeof(float));
        channel->times[0] = 0;
        channel->times[1] = 1;
        channel->values = facet_scene_allocate(scene, 2 * 3 * width, sizeof(float));
        for (uint32_t k = 0; k < 6 * width; k++)
            channel->values[k] = (float)k;
    }
    scene->gx_file = make_part(scene, true);
    animation->gx_file = make_part(scene, false);
    return scene;
}

/* -- Tests -------------------------------------------------------------- */

TEST(copy_has_separate_memory)
{
    facet_scene *scene = make_scene(NULL), *copy = NULL;
    facet_error error;
    TEST_OK(facet_scene_copy(scene, NULL, &copy, &error), &error);
    assert_string_equal(copy->nodes[0]->extras, "{\"a\":1}");
    const facet_gx_file_part *file = copy->gx_file, *from = scene->gx_file;
    assert_ptr_not_equal(file->joint, from->joint);
    assert_memory_equal(file->joint, from->joint, sizeof *file->joint);
    assert_ptr_not_equal(file->carried[0].bytes, from->carried[0].bytes);
    assert_memory_equal(file->carried[0].bytes, "file", 4);
    assert_float_equal(copy->nodes[0]->weights[0], 0.25F, 0);
    assert_float_equal(copy->animations[0]->channels[1].values[5], 5, 0);
    /* Three streams share one index, in both scenes. An appended item belongs to the copy. */
    const facet_mesh *mesh = copy->meshes[0];
    assert_ptr_equal(mesh->streams[0].indices, mesh->streams[2].indices);
    assert_ptr_not_equal(mesh->streams[0].indices, scene->meshes[0]->streams[0].indices);
    facet_node *node;
    TEST_OK(facet_scene_add_node(copy, "more", &node, &error), &error);
    assert_int_equal(scene->node_count, 1);
    facet_scene_free(copy);
    assert_copy_is_whole(scene, "glb");
}

/* Hulls and lines, which few formats write, are copied. */
TEST(hulls_and_lines_are_copied)
{
    static const uint32_t line[8] = {2, 1, 0, 1, 2, 0, 1, 2};
    facet_scene *scene = make_scene(NULL), *copy = NULL;
    facet_hull *hull;
    facet_error error;
    TEST_OK(facet_scene_add_hull(scene, "h", 2, &hull, &error), &error);
    for (int i = 0; i < 6; i++)
        hull->points[i] = (float)i;
    facet_mesh *mesh = scene->meshes[0];
    mesh->lines = facet_scene_allocate(scene, 8, sizeof *mesh->lines);
    assert_non_null(mesh->lines);
    memcpy(mesh->lines, line, sizeof line);
    mesh->line_count = 4;
    mesh->line_materials = facet_scene_allocate(scene, 4, sizeof *mesh->line_materials);
    assert_non_null(mesh->line_materials);
    memcpy(mesh->line_materials, line, sizeof line / 2);
    TEST_OK(facet_scene_copy(scene, NULL, &copy, &error), &error);
    memset(mesh->line_materials, 0xFF, sizeof line / 2);
    assert_ptr_not_equal(copy->hulls[0]->points, hull->points);
    memset(hull->points, 0xFF, 6 * sizeof(float));
    memset(mesh->lines, 0xFF, sizeof line);
    facet_scene_free(scene);
    assert_string_equal(copy->hulls[0]->name, "h");
    assert_float_equal(copy->hulls[0]->points[5], 5, 0);
    assert_memory_equal(copy->meshes[0]->lines, line, sizeof line);
    assert_memory_equal(copy->meshes[0]->line_materials, line, sizeof line / 2);
    facet_scene_free(copy);
}

TEST(copies_of_real_files_are_complete)
{
    TEST_NEEDS_CORPUS();
    static const char *const files[] = {"gltf/Fox.glb", "gltf/CesiumMan.glb",
                                        "gltf/AnimatedMorphCube.gltf", "gltf/cakeBirthday.glb"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        assert_copy_is_whole(load(files[i]), "glb");
}

static facet_status attempt(const facet_allocator *allocator, void *user)
{
    facet_options options = {.allocator = allocator};
    facet_scene *copy = NULL;
    facet_error error;
    facet_status status = facet_scene_copy(user, &options, &copy, &error);
    facet_scene_free(copy);
    return status;
}

TEST(copy_reports_failed_allocations)
{
    facet_scene *scene = make_scene(NULL);
    test_every_allocation(attempt, scene);
    facet_scene_free(scene);
}
