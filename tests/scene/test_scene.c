/* Scenes built by the caller: arrays that a caller sets and the library extends, and one scene that
 * many threads read. */
#include "base/arena.h"
#include "scene/matrix.h"
#include "support/mesh.h"

#include <facet/convert.h>
#include <facet/pose.h>
#include <pthread.h>

/* -- Arrays set by the caller ------------------------------------------- */

/* The caller sets three items, then the library adds one. The caller's array is unchanged, and the
 * new one has all four. Under AddressSanitizer every block has its exact size. */
#define EXPECT_APPENDED(scene, array, count, call)                    \
    do {                                                              \
        size_t size_ = sizeof *(scene)->array;                        \
        void *mine_ = facet_arena_allocate((scene)->arena, 3, size_); \
        assert_non_null(mine_);                                       \
        memset(mine_, 0, 3 * size_);                                  \
        (scene)->array = mine_;                                       \
        (scene)->count = 3;                                           \
        for (int more_ = 0; more_ < 6; more_++)                       \
            TEST_OK(call, &error);                                    \
        assert_int_equal((scene)->count, 9);                          \
        assert_ptr_not_equal((scene)->array, mine_);                  \
        assert_memory_equal((scene)->array, mine_, 3 * size_);        \
        /* A smaller count: the space is reused. */                   \
        mine_ = (scene)->array;                                       \
        (scene)->count = 1;                                           \
        TEST_OK(call, &error);                                        \
        assert_ptr_equal((scene)->array, mine_);                      \
        /* A count without an array is an error. */                   \
        (scene)->array = NULL;                                        \
        assert_int_equal(call, FACET_ERROR_ARGUMENT);                 \
        (scene)->count = 0;                                           \
        TEST_OK(call, &error);                                        \
        assert_int_equal((scene)->count, 1);                          \
    } while (0)

TEST(library_extends_arrays_of_the_caller)
{
    facet_scene *scene = test_scene();
    facet_error error;
    facet_mesh *mesh;
    facet_material *material;
    facet_hull *hull;
    facet_image *image;
    facet_node *node;
    facet_skin *skin;
    facet_animation *animation;
    EXPECT_APPENDED(scene, meshes, mesh_count, facet_scene_add_mesh(scene, &mesh, &error));
    EXPECT_APPENDED(scene, materials, material_count,
                    facet_scene_add_material(scene, "m", &material, &error));
    EXPECT_APPENDED(scene, hulls, hull_count, facet_scene_add_hull(scene, "h", 4, &hull, &error));
    EXPECT_APPENDED(scene, images, image_count, facet_scene_add_image(scene, "i", &image, &error));
    EXPECT_APPENDED(scene, nodes, node_count, facet_scene_add_node(scene, "n", &node, &error));
    EXPECT_APPENDED(scene, skins, skin_count, facet_scene_add_skin(scene, "s", 2, &skin, &error));
    EXPECT_APPENDED(scene, animations, animation_count,
                    facet_scene_add_animation(scene, "a", 2, &animation, &error));
    facet_scene_free(scene);
}

TEST(library_extends_streams_of_the_caller)
{
    facet_scene *scene = test_scene();
    facet_mesh *mesh;
    facet_stream *stream;
    facet_error error;
    TEST_OK(facet_scene_add_mesh(scene, &mesh, &error), &error);
    EXPECT_APPENDED(
        mesh, streams, stream_count,
        facet_mesh_add_stream(mesh, FACET_COLOR, 0, NULL, FACET_FLOAT32, 3, 1, &stream, &error));
    facet_scene_free(scene);
}

/* An array outside of the arena is not freed or changed. */
TEST(array_outside_the_arena_is_not_changed)
{
    facet_scene *scene = test_scene();
    static facet_node two[2] = {{.name = "a", .parent = FACET_NONE}, {.name = "b", .parent = 0}};
    facet_node *both[2] = {&two[0], &two[1]}, *node;
    facet_error error;
    scene->nodes = both;
    scene->node_count = 2;
    TEST_OK(facet_scene_add_node(scene, "c", &node, &error), &error);
    assert_int_equal(scene->node_count, 3);
    assert_string_equal(scene->nodes[1]->name, "b");
    assert_ptr_equal(both[1], &two[1]);
    assert_ptr_not_equal(scene->nodes, both);
    facet_scene_free(scene);
}

/* -- Values ------------------------------------------------------------- */

/* A shear and a rotation: the product with the inverse is 1. By the rule of Sarrus, the determinant
 * is 1 * (1 * 2 - 0 * 0) - 2 * (0 * 2 - 0 * 3) + 3 * (0 * 0 - 1 * 3) = -7. */
TEST(matrices_are_inverted)
{
    static const float m[16] = {1, 2, 3, 0, 0, 1, 0, 0, 3, 0, 2, 0, 5, 6, 7, 1};
    float inverse[16];
    assert_float_equal(facet_matrix_determinant(m), -7, 1e-6F);
    assert_true(facet_matrix_invert(m, inverse));
    for (int column = 0; column < 4; column++) {
        for (int row = 0; row < 4; row++) {
            float sum = 0;
            for (int k = 0; k < 4; k++)
                sum += m[k * 4 + row] * inverse[column * 4 + k];
            assert_float_equal(sum, row == column, 1e-5F);
        }
    }
}

/* The translation of an inverse bind matrix is scaled, because it is a length. Its rotation is
 * not. */
TEST(translations_of_skins_are_scaled)
{
    facet_scene *scene = test_scene();
    facet_skin *skin;
    facet_error error;
    TEST_OK(facet_scene_add_skin(scene, "s", 1, &skin, &error), &error);
    for (int i = 0; i < 16; i++)
        skin->inverse_bind[i] = (float)i;
    facet_scene_scale(scene, 10);
    for (int i = 0; i < 16; i++)
        assert_float_equal(skin->inverse_bind[i], (float)(i >= 12 && i < 15 ? 10 * i : i), 0);
    facet_scene_free(scene);
}

/* The streams after a removed one move up completely. */
TEST(streams_after_a_removed_one_stay)
{
    static const float values[9] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    facet_scene *scene = test_scene();
    facet_mesh *mesh = test_mesh(scene, 1, NULL);
    facet_error error;
    for (uint32_t set = 0; set < 6; set++)
        TEST_OK(facet_mesh_add_stream_copy(mesh, FACET_TEXCOORD, set, NULL, FACET_FLOAT32, 3, 3,
                                           values, NULL, NULL, &error),
                &error);
    facet_mesh_remove_stream(mesh, &mesh->streams[1]);
    assert_int_equal(mesh->stream_count, 5);
    for (uint32_t i = 0; i < 5; i++)
        assert_int_equal(mesh->streams[i].set, i < 1 ? i : i + 1);
    facet_scene_free(scene);
}

TEST(mirrored_textures_are_valid_and_finite)
{
    facet_scene *scene = test_scene();
    facet_material *material;
    facet_error error;
    TEST_OK(facet_scene_add_material(scene, "m", &material, &error), &error);
    facet_texture *texture = test_map(scene, material, FACET_MAP_DIFFUSE);
    texture->wrap_u = texture->wrap_v = FACET_WRAP_MIRROR;
    TEST_OK(facet_scene_check(scene, NULL, &error), &error);
    texture->wrap_v = (facet_wrap)(FACET_WRAP_MIRROR + 1);
    assert_int_equal(facet_scene_check(scene, NULL, &error), FACET_ERROR_ARGUMENT);
    facet_scene_free(scene);
}

/* -- Streams copied in -------------------------------------------------- */

TEST(copied_streams_share_indices)
{
    static const float points[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0}, uv[4] = {0.25F, 0.5F, 0.75F, 1};
    static const uint32_t corners[6] = {0, 1, 2, 2, 1, 0}, wrong[6] = {0, 1, 2, 3, 1, 0};
    static const uint32_t holes[6] = {0, 1, FACET_NONE, 0, 1, 0}, first[3] = {0, 1, 2};
    facet_scene *scene = test_scene();
    facet_mesh *mesh = test_mesh(scene, 2, NULL), *single = test_mesh(scene, 1, NULL);
    facet_stream *stream = NULL;
    facet_error error;
    TEST_OK(facet_mesh_add_stream_copy(mesh, FACET_POSITION, 0, NULL, FACET_FLOAT32, 3, 3, points,
                                       corners, &stream, &error),
            &error);
    assert_memory_equal(stream->data, points, sizeof points);
    assert_memory_equal(stream->indices, corners, sizeof corners);
    assert_ptr_not_equal(stream->indices, corners);
    /* An index beyond the elements is refused, and nothing changes. */
    assert_int_equal(facet_mesh_add_stream_copy(mesh, FACET_NORMAL, 0, NULL, FACET_FLOAT32, 3, 3,
                                                points, wrong, NULL, &error),
                     FACET_ERROR_ARGUMENT);
    assert_string_equal(error.message, "corner 3 uses element 3 of 3");
    assert_int_equal(mesh->stream_count, 1);
    /* No indices: those of the first stream, shared. */
    TEST_OK(facet_mesh_add_stream_copy(mesh, FACET_NORMAL, 0, NULL, FACET_FLOAT32, 3, 3, points,
                                       NULL, NULL, &error),
            &error);
    assert_true(facet_mesh_is_indexed(mesh));
    TEST_OK(facet_mesh_add_stream_copy(mesh, FACET_TEXCOORD, 0, NULL, FACET_FLOAT32, 2, 2, uv,
                                       holes, NULL, &error),
            &error);
    assert_memory_equal(mesh->streams[2].indices, holes, sizeof holes);
    /* Indices that belong to the mesh are also shared. */
    TEST_OK(facet_mesh_add_stream_copy(mesh, FACET_CUSTOM, 0, "more", FACET_FLOAT32, 2, 2, uv,
                                       mesh->streams[2].indices, &stream, &error),
            &error);
    assert_ptr_equal(stream->indices, mesh->streams[2].indices);
    assert_string_equal(stream->name, "more");
    /* The first stream without indices: one vertex per corner. */
    TEST_OK(facet_mesh_add_stream_copy(single, FACET_POSITION, 0, NULL, FACET_FLOAT32, 3, 3, points,
                                       NULL, &stream, &error),
            &error);
    assert_memory_equal(stream->indices, first, sizeof first);
    TEST_OK(facet_scene_check(scene, NULL, &error), &error);
    facet_scene_free(scene);
}

/* -- One scene, many threads -------------------------------------------- */

enum { THREADS = 8, ROUNDS = 20 };

typedef struct look {
    const facet_scene *scene;
    const facet_format *format;
    facet_status status;
    facet_error error;
    double box[6];
    float sum; /* sum over the animated positions */
    size_t size;
} look;

static facet_status look_once(look *l, facet_pose *pose, int round)
{
    bool any;
    facet_baked baked = {0};
    facet_output *output = NULL;
    facet_status status = facet_scene_check(l->scene, NULL, &l->error);
    if (!status)
        status = facet_scene_bounds(l->scene, NULL, l->box, l->box + 3, &any, &l->error);
    if (!status)
        status = facet_scene_pose(l->scene, 0, round * 0.1, NULL, pose, &l->error);
    for (uint32_t i = 0; i < l->scene->node_count && !status; i++) {
        uint32_t mesh = l->scene->nodes[i]->mesh;
        float positions[64 * 3];
        if (mesh == FACET_NONE)
            continue;
        uint32_t count = l->scene->meshes[mesh]->streams[0].count;
        status = facet_pose_positions(l->scene, pose, i, NULL, positions, &l->error);
        for (uint32_t k = 0; k < count * 3 && !status; k++)
            l->sum += positions[k];
    }
    if (!status)
        status = facet_animation_bake(l->scene, 0, 10, NULL, &baked, &l->error);
    facet_baked_free(&baked);
    if (!status)
        status = facet_output_open_memory(NULL, &output, &l->error);
    if (!status)
        status = facet_save(l->scene, l->format, NULL, output, &l->error);
    if (!status)
        l->size = (size_t)facet_output_size(output);
    facet_output_free(output);
    return status;
}

static void *look_often(void *argument)
{
    look *l = argument;
    facet_pose pose = {0};
    for (int round = 0; round < ROUNDS && !l->status; round++)
        l->status = look_once(l, &pose, round);
    facet_pose_free(&pose);
    return NULL;
}

/* A skinned strip with a morph target that has separate indices, and an animation of joints and
 * weight. */
static facet_scene *make_moving(void)
{
    static const float points[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0};
    static const float deltas[6] = {0, 0, 1, 0, 0, 2};
    static const uint32_t corners[6] = {0, 1, 2, 2, 1, 3}, moved[6] = {0, 1, 0, 0, 1, 1};
    static float times[2] = {0, 2}, steps[6] = {0, 0, 0, 0, 4, 0}, amounts[2] = {0, 1};
    static const facet_morph morph = {"out", 0.5F};
    facet_scene *scene = test_scene();
    facet_mesh *mesh = test_mesh(scene, 2, NULL);
    facet_error error;
    assert_true(mesh && test_stream(scene, mesh, FACET_POSITION, 3, 4, points, corners));
    mesh->morphs = test_copy(scene, &morph, sizeof morph / 4);
    mesh->morph_count = 1;
    assert_true(test_stream(scene, mesh, FACET_MORPH_POSITION, 3, 2, deltas, moved));
    facet_stream *joints, *weights;
    TEST_OK(facet_mesh_add_stream(mesh, FACET_JOINTS, 0, NULL, FACET_UINT16, 4, 4, &joints, &error),
            &error);
    joints->indices = mesh->streams[0].indices;
    TEST_OK(
        facet_mesh_add_stream(mesh, FACET_WEIGHTS, 0, NULL, FACET_FLOAT32, 4, 4, &weights, &error),
        &error);
    weights->indices = mesh->streams[0].indices;
    joints = facet_mesh_find(mesh, FACET_JOINTS, 0);
    memset(joints->data, 0, 4 * 4 * sizeof(uint16_t));
    memset(weights->data, 0, 4 * 4 * sizeof(float));
    for (int i = 0; i < 4; i++) {
        ((uint16_t *)joints->data)[i * 4] = i > 1;
        ((float *)weights->data)[i * 4] = 1;
    }
    facet_node *node;
    facet_skin *skin;
    facet_animation *animation;
    for (uint32_t i = 0; i < 3; i++)
        TEST_OK(facet_scene_add_node(scene, "node", &node, &error), &error);
    scene->nodes[1]->parent = 0;
    scene->nodes[2]->mesh = 0;
    scene->nodes[2]->skin = 0;
    TEST_OK(facet_scene_add_skin(scene, "skin", 2, &skin, &error), &error);
    skin->joints[0] = 0;
    skin->joints[1] = 1;
    TEST_OK(facet_scene_add_animation(scene, "move", 2, &animation, &error), &error);
    animation->channels[0] = (facet_channel){.node = 1,
                                             .target = FACET_TARGET_TRANSLATION,
                                             .interpolation = FACET_INTERPOLATION_LINEAR,
                                             .width = 3,
                                             .key_count = 2,
                                             .times = times,
                                             .values = steps};
    animation->channels[1] = (facet_channel){.node = 2,
                                             .target = FACET_TARGET_WEIGHTS,
                                             .interpolation = FACET_INTERPOLATION_LINEAR,
                                             .width = 1,
                                             .key_count = 2,
                                             .times = times,
                                             .values = amounts};
    TEST_OK(facet_scene_check(scene, NULL, &error), &error);
    return scene;
}

/* Eight threads get the results of one. */
TEST(scene_is_the_same_for_eight_reading_threads)
{
    facet_scene *scene = make_moving();
    facet_error error;
    static const char *const formats[] = {"glb", "obj", "bmd", "bpx"};
    /* A mesh prepared for glTF suits the other formats. */
    TEST_OK(facet_prepare(scene, facet_format_named("glb"), NULL, NULL, NULL, &error), &error);
    look looks[THREADS], alone[THREADS];
    pthread_t threads[THREADS];
    memset(looks, 0, sizeof looks);
    memset(alone, 0, sizeof alone);
    for (int i = 0; i < THREADS; i++) {
        looks[i].scene = alone[i].scene = scene;
        looks[i].format = alone[i].format = facet_format_named(formats[i % 4]);
        look_often(&alone[i]);
        TEST_OK(alone[i].status, &alone[i].error);
    }
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, look_often, &looks[i]), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; i++) {
        TEST_OK(looks[i].status, &looks[i].error);
        assert_memory_equal(looks[i].box, alone[i].box, sizeof looks[i].box);
        assert_float_equal(looks[i].sum, alone[i].sum, 0);
        assert_int_equal(looks[i].size, alone[i].size);
    }
    facet_scene_free(scene);
}

/* A pose is filled again in the same memory. Another scene gets new memory. */
TEST(pose_is_filled_again_in_place)
{
    facet_scene *scene = make_moving(), *other = test_scene();
    facet_node *node;
    facet_pose pose = {0};
    facet_error error;
    test_allocator counting;
    test_allocator_init(&counting, 0);
    facet_options options = {.allocator = &counting.allocator};
    TEST_OK(facet_scene_pose(scene, 0, 0, &options, &pose, &error), &error);
    size_t before = counting.allocations;
    TEST_OK(facet_scene_pose(scene, 0, 1, &options, &pose, &error), &error);
    assert_int_equal(counting.allocations, before);
    /* Half of the two seconds: half of 4 up, half the weight. */
    assert_float_equal(pose.global[16 + 13], 2, 0);
    assert_float_equal(pose.weights[2][0], 0.5F, 0);
    TEST_OK(facet_scene_add_node(other, "only", &node, &error), &error);
    TEST_OK(facet_scene_pose(other, FACET_NONE, 0, &options, &pose, &error), &error);
    assert_int_equal(pose.node_count, 1);
    facet_pose_free(&pose);
    assert_int_equal(counting.live, 0);
    facet_scene_free(other);
    facet_scene_free(scene);
}

static facet_status look_with(const facet_allocator *allocator, void *user)
{
    const facet_scene *scene = user;
    facet_options options = {.allocator = allocator};
    facet_pose pose = {0};
    facet_baked baked = {0};
    float positions[64 * 3];
    double box[6];
    bool any;
    facet_status status = facet_scene_check(scene, &options, NULL);
    if (!status)
        status = facet_scene_pose(scene, 0, 0.5, &options, &pose, NULL);
    if (!status)
        status = facet_pose_positions(scene, &pose, 2, &options, positions, NULL);
    if (!status)
        status = facet_scene_bounds(scene, &options, box, box + 3, &any, NULL);
    if (!status)
        status = facet_animation_bake(scene, 0, 5, &options, &baked, NULL);
    facet_baked_free(&baked);
    facet_pose_free(&pose);
    return status;
}

TEST(reading_a_scene_reports_failed_allocations)
{
    facet_scene *scene = make_moving();
    test_every_allocation(look_with, scene);
    facet_scene_free(scene);
}
