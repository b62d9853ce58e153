/* Animated nodes: channels at a time, chains of transforms, skins, morph targets, baking,
 * flattening and merging. Expected numbers are literal, or computed here in double precision by the
 * formulas of the glTF specification. */
#include "formats/gltf/format.h"
#include "support/gltf.h"
#include "support/mesh.h"

#include <math.h>

static const float half = 0.70710678F; /* sine and cosine of 45 degrees */

/* -- Channels ----------------------------------------------------------- */

TEST(step_and_linear_channels_interpolate)
{
    float times[3] = {1, 2, 4}, values[9] = {0, 0, 0, 10, 20, 30, 20, 20, 20}, out[3];
    facet_channel channel = {.node = 0,
                             .target = FACET_TARGET_TRANSLATION,
                             .interpolation = FACET_INTERPOLATION_LINEAR,
                             .width = 3,
                             .key_count = 3,
                             .times = times,
                             .values = values};
    static const struct {
        double time;
        float linear[3], step[3];
    } rows[] = {{0, {0, 0, 0}, {0, 0, 0}},
                {1.25, {2.5F, 5, 7.5F}, {0, 0, 0}},
                {2, {10, 20, 30}, {10, 20, 30}},
                {3, {15, 20, 25}, {10, 20, 30}},
                {9, {20, 20, 20}, {20, 20, 20}}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        channel.interpolation = FACET_INTERPOLATION_LINEAR;
        facet_channel_sample(&channel, rows[i].time, out);
        for (int c = 0; c < 3; c++)
            assert_float_equal(out[c], rows[i].linear[c], 1e-6F);
        channel.interpolation = FACET_INTERPOLATION_STEP;
        facet_channel_sample(&channel, rows[i].time, out);
        for (int c = 0; c < 3; c++)
            assert_float_equal(out[c], rows[i].step[c], 0);
    }
}

/* Specification, appendix C.5, at t = 1/2 of 2 seconds. With v0 = 0, b0 = 1, v1 = 4, a1 = -2 it is
 * 1/2 v0 + 1/8 * 2 b0 + 1/2 v1 - 1/8 * 2 a1 = 2.75. */
TEST(cubic_channels_follow_the_specification)
{
    float times[2] = {0, 2}, out[3];
    float values[18] = {9, 9, 9, 0, 0, 0, 1, 1, 1, -2, -2, -2, 4, 4, 4, 9, 9, 9};
    facet_channel channel = {.node = 0,
                             .target = FACET_TARGET_SCALE,
                             .interpolation = FACET_INTERPOLATION_CUBIC,
                             .width = 3,
                             .key_count = 2,
                             .times = times,
                             .values = values};
    facet_channel_sample(&channel, 1, out);
    assert_float_equal(out[0], 2.75F, 1e-6F);
    facet_channel_sample(&channel, 0, out);
    assert_float_equal(out[1], 0, 0);
    facet_channel_sample(&channel, 2, out);
    assert_float_equal(out[2], 4, 0);
}

/* The same curve after another key. */
TEST(cubic_channels_read_the_keys_of_their_interval)
{
    float times[3] = {-5, 0, 2}, out[1], values[9] = {7, 7, 7, 9, 0, 1, -2, 4, 9};
    facet_channel channel = {.node = 0,
                             .target = FACET_TARGET_VISIBILITY,
                             .interpolation = FACET_INTERPOLATION_CUBIC,
                             .width = 1,
                             .key_count = 3,
                             .times = times,
                             .values = values};
    facet_channel_sample(&channel, 1, out);
    assert_float_equal(out[0], 2.75F, 1e-6F);
}

/* From no rotation to 90 degrees about z, given as the negative quaternion: a third of the way is
 * 30 degrees, not 330. */
TEST(rotations_take_the_shorter_arc)
{
    float times[2] = {0, 3}, values[8] = {0, 0, 0, 1, 0, 0, -half, -half}, out[4];
    facet_channel channel = {.node = 0,
                             .target = FACET_TARGET_ROTATION,
                             .interpolation = FACET_INTERPOLATION_LINEAR,
                             .width = 4,
                             .key_count = 2,
                             .times = times,
                             .values = values};
    facet_channel_sample(&channel, 1, out);
    assert_float_equal(out[2], 0.25881905F, 1e-6F); /* sin 15 */
    assert_float_equal(out[3], 0.96592583F, 1e-6F); /* cos 15 */
}

/* -- Scenes ------------------------------------------------------------- */

/* One triangle with a normal (0, 1, 1)/sqrt 2 and a tangent along x. */
static facet_scene *make_triangle(void)
{
    static const float data[3][12] = {{0, 0, 0, 1, 0, 0, 0, 1, 0},
                                      {0, 1, 1, 0, 1, 1, 0, 1, 1},
                                      {1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1}};
    static const facet_semantic semantics[3] = {FACET_POSITION, FACET_NORMAL, FACET_TANGENT};
    facet_scene *scene = NULL;
    facet_mesh *mesh = NULL;
    facet_error error;
    TEST_OK(facet_scene_create(NULL, &scene, &error), &error);
    TEST_OK(facet_scene_add_mesh(scene, &mesh, &error), &error);
    uint32_t *indices = facet_scene_allocate(scene, 3, sizeof *indices);
    for (uint32_t i = 0; i < 3; i++)
        indices[i] = i;
    mesh->face_count = 1;
    mesh->corner_count = 3;
    for (int s = 0; s < 3; s++) {
        facet_stream *stream = NULL;
        uint32_t width = s == 2 ? 4 : 3;
        TEST_OK(facet_mesh_add_stream(mesh, semantics[s], 0, NULL, FACET_FLOAT32, width, 3, &stream,
                                      &error),
                &error);
        stream->indices = indices;
        for (uint32_t i = 0; i < 3 * width; i++)
            ((float *)stream->data)[i] = s == 1 ? data[s][i] * half : data[s][i];
    }
    return scene;
}

static facet_node *add_node(facet_scene *scene, uint32_t parent, uint32_t mesh)
{
    facet_node *node = NULL;
    facet_error error;
    TEST_OK(facet_scene_add_node(scene, "n", &node, &error), &error);
    node->parent = parent;
    node->mesh = mesh;
    return node;
}

static void expect(const float *values, size_t count, const float *expected)
{
    for (size_t i = 0; i < count; i++)
        assert_float_equal(values[i], expected[i], 1e-5F);
}

/* The child is before its parent in the list. Rotate by 90 degrees about z and scale by 2 (child),
 * then move by (10, 0, 0) (parent): (1, 0, 0) becomes (10, 2, 0). */
TEST(transforms_of_parents_apply_to_children)
{
    facet_scene *scene = make_triangle();
    facet_pose pose = {0};
    facet_error error;
    facet_node *child = add_node(scene, 1, 0);
    memcpy(child->transform.rotation, (float[]){0, 0, half, half}, 16);
    memcpy(child->transform.scale, (float[]){2, 2, 2}, 12);
    add_node(scene, FACET_NONE, FACET_NONE)->transform.translation[0] = 10;
    float positions[9];
    TEST_OK(facet_scene_pose(scene, FACET_NONE, 0, NULL, &pose, &error), &error);
    TEST_OK(facet_pose_positions(scene, &pose, 0, NULL, positions, &error), &error);
    expect(positions, 9, (float[]){10, 0, 0, 10, 2, 0, 8, 0, 0});
    facet_pose_free(&pose);
    double low[3], high[3];
    bool any = false;
    TEST_OK(facet_scene_bounds(scene, NULL, low, high, &any, &error), &error);
    assert_true(any);
    assert_float_equal((float)low[0], 8, 1e-5F);
    assert_float_equal((float)high[1], 2, 1e-5F);
    scene->nodes[1]->parent = 0;
    assert_int_equal(facet_scene_pose(scene, FACET_NONE, 0, NULL, &pose, &error),
                     FACET_ERROR_ARGUMENT);
    assert_int_equal(facet_scene_check(scene, NULL, &error), FACET_ERROR_ARGUMENT);
    facet_scene_free(scene);
}

/* Formats drop positions that nothing uses, so that bounds without them stay the same. */
TEST(bounds_are_those_of_used_positions)
{
    static uint32_t two[3] = {0, 1, 1}, line[2] = {0, 2}, point = 2;
    facet_scene *scene = make_triangle();
    facet_mesh *mesh = scene->meshes[0];
    mesh->streams[0].indices = two; /* not (0, 1, 0) */
    for (int i = 0; i < 6; i++) {
        double low[3], high[3];
        bool any = false;
        facet_error error;
        if (i == 3)
            add_node(scene, FACET_NONE, 0);
        mesh->lines = i % 3 == 1 ? line : NULL;
        mesh->line_count = i % 3 == 1;
        mesh->points = i % 3 == 2 ? &point : NULL;
        mesh->point_count = i % 3 == 2;
        TEST_OK(facet_scene_bounds(scene, NULL, low, high, &any, &error), &error);
        assert_true(any);
        assert_float_equal((float)high[0], 1, 1e-5F);
        assert_float_equal((float)high[1], (float)(i % 3 != 0), 1e-5F);
    }
    mesh->lines = mesh->points = NULL;
    mesh->line_count = mesh->point_count = 0;
    facet_scene_free(scene);
}

/* An animated node with a matrix keeps the components without a channel: scale 2 and position (5,
 * 6, 7). Rotated by 90 degrees about z, (1, 0, 0) becomes (5, 8, 7). */
TEST(animated_matrix_keeps_components_without_a_channel)
{
    facet_scene *scene = make_triangle();
    facet_pose pose = {0};
    facet_animation *animation = NULL;
    facet_error error;
    facet_node *node = add_node(scene, FACET_NONE, 0);
    static const float place[16] = {2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 5, 6, 7, 1};
    static float time = 0, turn[4] = {0, 0, half, half};
    node->has_matrix = true;
    memcpy(node->matrix, place, sizeof place);
    TEST_OK(facet_scene_add_animation(scene, "a", 1, &animation, &error), &error);
    animation->channels[0] = (facet_channel){.node = 0,
                                             .target = FACET_TARGET_ROTATION,
                                             .width = 4,
                                             .key_count = 1,
                                             .times = &time,
                                             .values = turn};
    float positions[9];
    TEST_OK(facet_scene_pose(scene, 0, 0, NULL, &pose, &error), &error);
    TEST_OK(facet_pose_positions(scene, &pose, 0, NULL, positions, &error), &error);
    expect(positions, 9, (float[]){5, 6, 7, 5, 8, 7, 3, 6, 7});
    facet_pose_free(&pose);
    facet_scene_free(scene);
}

/* Weights are relative to their sum. The joints are at (4, 0, 0) and (0, 8, 0). Weights 0.25 and
 * 0.25 mean one half each, (2, 4, 0). 1 and 0 mean only the first; 0.2 and 0.6 mean a quarter and
 * three quarters. */
TEST(weights_are_relative_to_their_sum)
{
    facet_scene *scene = make_triangle();
    facet_mesh *mesh = scene->meshes[0];
    facet_pose pose = {0};
    facet_skin *skin = NULL;
    facet_error error;
    static const uint16_t joints[12] = {0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0};
    static const float weights[12] = {0.25F, 0.25F, 0, 0, 1, 0, 0, 0, 0.2F, 0.6F, 0, 0};
    TEST_OK(facet_mesh_add_stream_copy(mesh, FACET_JOINTS, 0, NULL, FACET_UINT16, 4, 3, joints,
                                       NULL, NULL, &error),
            &error);
    TEST_OK(facet_mesh_add_stream_copy(mesh, FACET_WEIGHTS, 0, NULL, FACET_FLOAT32, 4, 3, weights,
                                       NULL, NULL, &error),
            &error);
    add_node(scene, FACET_NONE, FACET_NONE)->transform.translation[0] = 4;
    add_node(scene, FACET_NONE, FACET_NONE)->transform.translation[1] = 8;
    TEST_OK(facet_scene_add_skin(scene, "s", 2, &skin, &error), &error);
    skin->joints[0] = 0;
    skin->joints[1] = 1;
    add_node(scene, FACET_NONE, 0)->skin = 0;
    float positions[9];
    TEST_OK(facet_scene_pose(scene, FACET_NONE, 0, NULL, &pose, &error), &error);
    TEST_OK(facet_pose_positions(scene, &pose, 2, NULL, positions, &error), &error);
    expect(positions, 9, (float[]){2, 4, 0, 5, 0, 0, 1, 7, 0});
    facet_pose_free(&pose);
    facet_scene_free(scene);
}

/* Between 2^26 and 2^27, neighboring floats differ by 8: the triangle would become a point. Scaled
 * by 1,000,000, its faces are much larger than that. Between 64 and 128 they differ by 2^-17. */
TEST(positions_that_nodes_round_are_reported)
{
    static const struct {
        float move, scale;
        bool is_reported;
    } cases[] = {{1e8F, 1, true}, {1e8F, 1e6F, false}, {100, 1, false}, {100, 0.001F, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        facet_scene *scene = make_triangle();
        facet_report *report = NULL;
        facet_error error;
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        const facet_options options = {.report = report};
        facet_node *node = add_node(scene, FACET_NONE, 0);
        node->transform.translation[1] = cases[i].move;
        for (int c = 0; c < 3; c++)
            node->transform.scale[c] = cases[i].scale;
        TEST_OK(facet_scene_flatten(scene, NULL, &options, &error), &error);
        assert_true((test_finding(report, "LOSS-PRECISION") != NULL) == cases[i].is_reported);
        facet_report_free(report);
        facet_scene_free(scene);
    }
}

/* The triangle has its front at +Z. A skin whose joint mirrors x reverses the order of its corners,
 * as the transform of a node without a skin does, so that the front stays at +Z. */
TEST(mirrored_skins_keep_their_front)
{
    static const uint16_t joints[12] = {0};
    static const float weights[12] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};
    for (int i = 0; i < 4; i++) {
        bool is_skinned = i % 2 == 1;
        facet_scene *scene = make_triangle();
        facet_mesh *mesh = scene->meshes[0];
        facet_skin *skin = NULL;
        facet_error error;
        TEST_OK(facet_mesh_add_stream_copy(mesh, FACET_JOINTS, 0, NULL, FACET_UINT16, 4, 3, joints,
                                           NULL, NULL, &error),
                &error);
        TEST_OK(facet_mesh_add_stream_copy(mesh, FACET_WEIGHTS, 0, NULL, FACET_FLOAT32, 4, 3,
                                           weights, NULL, NULL, &error),
                &error);
        add_node(scene, FACET_NONE, FACET_NONE)->transform.scale[0] = i < 2 ? -1 : 1;
        TEST_OK(facet_scene_add_skin(scene, "s", 1, &skin, &error), &error);
        skin->joints[0] = 0;
        add_node(scene, 0, 0)->skin = is_skinned ? 0 : FACET_NONE;
        TEST_OK(facet_scene_flatten(scene, NULL, NULL, &error), &error);
        const float *p = scene->meshes[0]->streams[0].data;
        const uint32_t *at = scene->meshes[0]->streams[0].indices;
        const float *a = p + at[0] * 3, *b = p + at[1] * 3, *c = p + at[2] * 3;
        /* z of the cross product of two edges */
        assert_float_equal((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]), 1, 1e-6F);
        facet_scene_free(scene);
    }
}

/* A hidden node hides its descendants; an animation may show it. Flattening removes it. */
TEST(hidden_nodes_are_not_flattened)
{
    static float times[2] = {0, 1}, shown[2] = {0, 1};
    facet_scene *scene = make_triangle();
    facet_pose pose = {0};
    facet_error error;
    facet_animation *animation = NULL;
    facet_report *report = NULL;
    add_node(scene, 1, 0);
    add_node(scene, FACET_NONE, FACET_NONE)->hidden = true;
    facet_light *light = NULL;
    TEST_OK(facet_scene_add_light(scene, "lamp", &light, &error), &error);
    add_node(scene, FACET_NONE, FACET_NONE)->light = 0;
    TEST_OK(facet_scene_pose(scene, FACET_NONE, 0, NULL, &pose, &error), &error);
    assert_true(!pose.seen[0] && !pose.seen[1] && pose.seen[2]);
    TEST_OK(facet_scene_add_animation(scene, "show", 1, &animation, &error), &error);
    animation->channels[0] = (facet_channel){.node = 1,
                                             .target = FACET_TARGET_VISIBILITY,
                                             .interpolation = FACET_INTERPOLATION_STEP,
                                             .width = 1,
                                             .key_count = 2,
                                             .times = times,
                                             .values = shown};
    TEST_OK(facet_scene_pose(scene, 0, 0.5, NULL, &pose, &error), &error);
    assert_true(!pose.seen[0] && !pose.seen[1]);
    TEST_OK(facet_scene_pose(scene, 0, 1, NULL, &pose, &error), &error);
    assert_true(pose.seen[0] && pose.seen[1] && pose.seen[2]);
    facet_pose_free(&pose);
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    facet_options options = {.report = report};
    TEST_OK(facet_scene_flatten(scene, NULL, &options, &error), &error);
    assert_int_equal(scene->mesh_count, 0);
    assert_int_equal(scene->light_count, 0);
    assert_non_null(test_finding(report, "LOSS-MESHES"));
    assert_non_null(test_finding(report, "LOSS-CAMERA"));
    facet_report_free(report);
    facet_scene_free(scene);
}

/* (1, 1, 0) / sqrt 2 under a scale of (2, 1, 1) is (1, 2, 0) / sqrt 5, because normals use the
 * inverse. Rotated by 90 degrees about z, it is (-2, 1, 0) / sqrt 5. A mirror changes (1, 0, 0) to
 * (-1, 0, 0). */
TEST(posed_normals_use_the_inverse)
{
    static const float normals[9] = {half, half, 0, 1, 0, 0, 0, 0, 1};
    facet_scene *scene = make_triangle();
    facet_pose pose = {0};
    facet_error error;
    float posed[9];
    facet_node *node = add_node(scene, FACET_NONE, 0);
    facet_mesh_remove_stream(scene->meshes[0], facet_mesh_find(scene->meshes[0], FACET_NORMAL, 0));
    TEST_OK(facet_scene_pose(scene, FACET_NONE, 0, NULL, &pose, &error), &error);
    assert_int_equal(facet_pose_normals(scene, &pose, 0, NULL, posed, &error),
                     FACET_ERROR_ARGUMENT);
    TEST_OK(facet_mesh_add_stream_copy(scene->meshes[0], FACET_NORMAL, 0, NULL, FACET_FLOAT32, 3, 3,
                                       normals, NULL, NULL, &error),
            &error);
    memcpy(node->transform.rotation, (float[]){0, 0, half, half}, 16);
    memcpy(node->transform.scale, (float[]){2, 1, 1}, 12);
    TEST_OK(facet_scene_pose(scene, FACET_NONE, 0, NULL, &pose, &error), &error);
    TEST_OK(facet_pose_normals(scene, &pose, 0, NULL, posed, &error), &error);
    expect(posed, 9, (float[]){-0.89442719F, 0.4472136F, 0, 0, 1, 0, 0, 0, 1});
    memcpy(node->transform.rotation, (float[]){0, 0, 0, 1}, 16);
    memcpy(node->transform.scale, (float[]){-1, 1, 1}, 12);
    TEST_OK(facet_scene_pose(scene, FACET_NONE, 0, NULL, &pose, &error), &error);
    TEST_OK(facet_pose_normals(scene, &pose, 0, NULL, posed, &error), &error);
    expect(posed, 9, (float[]){-half, half, 0, -1, 0, 0, 0, 0, 1});
    assert_int_equal(facet_pose_normals(scene, &pose, 7, NULL, posed, &error),
                     FACET_ERROR_ARGUMENT);
    facet_pose_free(&pose);
    facet_scene_free(scene);
}

/* A mirror at x = 0, with z scaled by 3. */
TEST(flatten_turns_mirrored_meshes)
{
    facet_scene *scene = make_triangle();
    facet_error error;
    add_node(scene, FACET_NONE, 0)->transform.translation[1] = 5;
    memcpy(add_node(scene, FACET_NONE, 0)->transform.scale, (float[]){-1, 1, 3}, 12);
    TEST_OK(facet_scene_flatten(scene, NULL, NULL, &error), &error);
    TEST_OK(facet_scene_check(scene, NULL, &error), &error);
    assert_int_equal(scene->node_count, 0);
    assert_int_equal(scene->mesh_count, 2);
    const facet_mesh *moved = scene->meshes[0], *mirrored = scene->meshes[1];
    expect(moved->streams[0].data, 9, (float[]){0, 5, 0, 1, 5, 0, 0, 6, 0});
    assert_memory_equal(moved->streams[0].indices, ((uint32_t[]){0, 1, 2}), 12);
    assert_true(facet_mesh_is_indexed(moved) && facet_mesh_is_indexed(mirrored));
    expect(mirrored->streams[0].data, 9, (float[]){0, 0, 0, -1, 0, 0, 0, 1, 0});
    assert_memory_equal(mirrored->streams[0].indices, ((uint32_t[]){0, 2, 1}), 12);
    /* Normals use the inverse: (0, 1, 1/3), normalized. */
    expect(facet_mesh_find(mirrored, FACET_NORMAL, 0)->data, 3,
           (float[]){0, 0.9486833F, 0.31622777F});
    expect(facet_mesh_find(mirrored, FACET_TANGENT, 0)->data, 4, (float[]){-1, 0, 0, -1});
    facet_scene_free(scene);
}

/* Two nodes show one mesh, so flattening copies it. A third mesh has lines without materials. */
TEST(copied_and_merged_lines_keep_their_materials)
{
    static const uint32_t lines[4] = {0, 1, 1, 2}, points[1] = {2}, of_lines[2] = {FACET_NONE, 1},
                          of_points[1] = {0};
    static const uint32_t merged[6] = {FACET_NONE, 1, FACET_NONE, 1, FACET_NONE, FACET_NONE};
    static const uint32_t merged_points[2] = {0, 0};
    facet_scene *scene = make_triangle();
    facet_mesh *mesh = scene->meshes[0], *bare = NULL;
    facet_material *material;
    facet_error error;
    for (int i = 0; i < 2; i++)
        TEST_OK(facet_scene_add_material(scene, "", &material, &error), &error);
    TEST_OK(facet_scene_add_mesh(scene, &bare, &error), &error);
    TEST_OK(facet_mesh_add_stream_copy(bare, FACET_POSITION, 0, NULL, FACET_FLOAT32, 3, 3,
                                       (const float[9]){0}, NULL, NULL, &error),
            &error);
    for (int i = 0; i < 2; i++) {
        facet_mesh *to = i ? bare : mesh;
        to->lines = test_copy(scene, lines, 4);
        to->line_count = 2;
    }
    mesh->points = test_copy(scene, points, 1);
    mesh->point_count = 1;
    mesh->line_materials = test_copy(scene, of_lines, 2);
    mesh->point_materials = test_copy(scene, of_points, 1);
    add_node(scene, FACET_NONE, 0);
    add_node(scene, FACET_NONE, 0);
    add_node(scene, FACET_NONE, 1);
    const facet_flatten_options merge = {.merge = true};
    TEST_OK(facet_scene_flatten(scene, &merge, NULL, &error), &error);
    TEST_OK(facet_scene_check(scene, NULL, &error), &error);
    mesh = scene->meshes[0];
    assert_int_equal(mesh->line_count, 6);
    assert_memory_equal(mesh->line_materials, merged, sizeof merged);
    assert_int_equal(mesh->point_count, 2);
    assert_memory_equal(mesh->point_materials, merged_points, sizeof merged_points);
    assert_null(mesh->face_materials);
    facet_scene_free(scene);
}

TEST(merge_creates_parts)
{
    facet_scene *scene = make_triangle();
    facet_flatten_options flatten = {.merge = true};
    facet_error error;
    add_node(scene, FACET_NONE, 0);
    add_node(scene, FACET_NONE, 0)->transform.translation[2] = 1;
    TEST_OK(facet_scene_flatten(scene, &flatten, NULL, &error), &error);
    TEST_OK(facet_scene_check(scene, NULL, &error), &error);
    const facet_mesh *mesh = scene->meshes[0];
    assert_int_equal(scene->mesh_count, 1);
    assert_int_equal(mesh->face_count, 2);
    assert_int_equal(mesh->part_count, 2);
    assert_string_equal(mesh->parts[1].name, "n");
    assert_int_equal(mesh->parts[1].first_face, 1);
    assert_true(facet_mesh_is_indexed(mesh));
    assert_memory_equal(mesh->streams[0].indices, ((uint32_t[]){0, 1, 2, 3, 4, 5}), 24);
    assert_float_equal(((float *)mesh->streams[0].data)[11], 1, 0);
    facet_scene_free(scene);
}

TEST(merge_accepts_meshes_with_different_streams)
{
    facet_scene *scene = make_triangle(), *other = make_triangle();
    facet_flatten_options flatten = {.merge = true};
    facet_error error;
    facet_mesh *second = NULL;
    TEST_OK(facet_scene_add_mesh(scene, &second, &error), &error);
    facet_arena *arena = second->arena;
    *second = *other->meshes[0]; /* only positions, borrowed from the other scene */
    second->arena = arena;
    second->streams = facet_scene_allocate(scene, 1, sizeof *second->streams);
    second->streams[0] = other->meshes[0]->streams[0];
    second->streams[0].indices = facet_scene_allocate(scene, 3, sizeof(uint32_t));
    second->streams[0].data = facet_scene_allocate(scene, 9, sizeof(float));
    memcpy(second->streams[0].indices, other->meshes[0]->streams[0].indices, 12);
    memcpy(second->streams[0].data, other->meshes[0]->streams[0].data, 36);
    second->stream_count = 1;
    TEST_OK(facet_scene_flatten(scene, &flatten, NULL, &error), &error);
    TEST_OK(facet_scene_check(scene, NULL, &error), &error);
    const facet_stream *normals = facet_mesh_find(scene->meshes[0], FACET_NORMAL, 0);
    assert_int_equal(normals->count, 3);
    assert_int_equal(normals->indices[2], 2);
    assert_int_equal(normals->indices[3], FACET_NONE);
    assert_int_equal(scene->meshes[0]->streams[0].indices[5], 5);
    facet_scene_free(other);
    facet_scene_free(scene);
}

static facet_status flatten_with(const facet_allocator *allocator, void *user)
{
    size_t size;
    const uint8_t *glb = user;
    memcpy(&size, glb, sizeof size);
    facet_source source = {.data = glb + sizeof size, .size = size};
    facet_options options = {.allocator = allocator};
    facet_flatten_options flatten = {.merge = true};
    facet_scene *scene = NULL;
    facet_status status = facet_gltf_read(&source, NULL, &options, &scene, NULL);
    if (!status)
        status = facet_scene_flatten(scene, &flatten, &options, NULL);
    facet_scene_free(scene);
    return status;
}

TEST(pose_reports_failed_allocations)
{
    static uint8_t bytes[8192];
    facet_scene *scene = make_triangle();
    facet_output *output = NULL;
    facet_error error;
    add_node(scene, FACET_NONE, 0);
    add_node(scene, 0, 0);
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(facet_gltf_write_binary(scene, NULL, output, &error), &error);
    size_t size = (size_t)facet_output_size(output);
    assert_true(size + sizeof size < sizeof bytes);
    memcpy(bytes, &size, sizeof size);
    memcpy(bytes + sizeof size, facet_output_data(output), size);
    test_every_allocation(flatten_with, bytes);
    facet_output_free(output);
    facet_scene_free(scene);
}

/* -- Morph targets, baking ---------------------------------------------- */

TEST(morph_targets_move)
{
    TEST_NEEDS_CORPUS();
    facet_scene *scene = test_gltf_load(test_corpus("gltf/AnimatedMorphCube.gltf"));
    facet_pose pose = {0};
    facet_error error;
    float positions[24 * 3], weights[2];
    const double time = 1.3;
    TEST_OK(facet_scene_pose(scene, 0, time, NULL, &pose, &error), &error);
    TEST_OK(facet_pose_positions(scene, &pose, 0, NULL, positions, &error), &error);
    facet_channel_sample(&scene->animations[0]->channels[0], time, weights);
    assert_true(weights[0] != 0 || weights[1] != 0);
    const facet_mesh *mesh = scene->meshes[0];
    const float *base = mesh->streams[0].data, *m = pose.global;
    for (uint32_t i = 0; i < 24; i++) {
        double p[3];
        for (int c = 0; c < 3; c++) {
            p[c] = (double)base[i * 3 + c];
            for (uint32_t t = 0; t < 2; t++) {
                const float *delta = facet_mesh_find(mesh, FACET_MORPH_POSITION, t)->data;
                p[c] += (double)weights[t] * (double)delta[i * 3 + c];
            }
        }
        for (int r = 0; r < 3; r++)
            assert_float_equal(positions[i * 3 + r],
                               (float)(m[r] * p[0] + m[4 + r] * p[1] + m[8 + r] * p[2] + m[12 + r]),
                               1e-4F);
    }
    facet_pose_free(&pose);
    facet_scene_free(scene);
}

TEST(baked_frames_follow_the_channels)
{
    facet_scene *scene = make_triangle();
    facet_animation *animation = NULL;
    facet_baked baked;
    facet_error error;
    float times[2] = {0, 1}, values[6] = {0, 0, 0, 8, 0, 0};
    add_node(scene, FACET_NONE, 0);
    TEST_OK(facet_scene_add_animation(scene, "go", 1, &animation, &error), &error);
    facet_channel channel = {.node = 0,
                             .target = FACET_TARGET_TRANSLATION,
                             .interpolation = FACET_INTERPOLATION_LINEAR,
                             .width = 3,
                             .key_count = 2,
                             .times = times,
                             .values = values};
    animation->channels[0] = channel;
    TEST_OK(facet_scene_check(scene, NULL, &error), &error);
    TEST_OK(facet_animation_bake(scene, 0, 4, NULL, &baked, &error), &error);
    assert_int_equal(baked.frame_count, 5); /* 0, 1/4, ... 1 */
    for (uint32_t frame = 0; frame < 5; frame++)
        assert_float_equal(baked.local[frame * 16 + 12], (float)frame * 2, 1e-6F);
    facet_baked_free(&baked);
    assert_int_equal(facet_animation_bake(scene, 0, 0, NULL, &baked, &error), FACET_ERROR_ARGUMENT);
    assert_int_equal(facet_animation_bake(scene, 0, 1e9, NULL, &baked, &error), FACET_ERROR_LIMIT);
    assert_int_equal(facet_animation_bake(scene, 1, 4, NULL, &baked, &error), FACET_ERROR_ARGUMENT);
    facet_scene_free(scene);
}

/* -- A skinned frame ---------------------------------------------------- */

/* Reference implementation: matrices in double precision from the nodes upward, per vertex. */
typedef struct matrix {
    double m[4][4]; /* rows */
} matrix;

static matrix product(const matrix *a, const matrix *b)
{
    matrix out;
    for (int r = 0; r < 4; r++) {
        for (int c = 0; c < 4; c++) {
            out.m[r][c] = 0;
            for (int i = 0; i < 4; i++)
                out.m[r][c] += a->m[r][i] * b->m[i][c];
        }
    }
    return out;
}

static matrix of_columns(const float *columns)
{
    matrix out;
    for (int r = 0; r < 4; r++) {
        for (int c = 0; c < 4; c++)
            out.m[r][c] = (double)columns[c * 4 + r];
    }
    return out;
}

static matrix of_node(const facet_scene *scene, uint32_t index, const facet_transform *moved)
{
    if (scene->nodes[index]->has_matrix)
        return of_columns(scene->nodes[index]->matrix);
    const facet_transform *t = &moved[index];
    double x = (double)t->rotation[0], y = (double)t->rotation[1], z = (double)t->rotation[2],
           w = (double)t->rotation[3];
    matrix out = {{{1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w), 0},
                   {2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w), 0},
                   {2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y), 0},
                   {0, 0, 0, 1}}};
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++)
            out.m[r][c] *= (double)t->scale[c];
        out.m[r][3] = (double)t->translation[r];
    }
    return out;
}

static matrix to_scene(const facet_scene *scene, uint32_t index, const facet_transform *moved)
{
    matrix own = of_node(scene, index, moved);
    uint32_t parent = scene->nodes[index]->parent;
    if (parent == FACET_NONE)
        return own;
    matrix above = to_scene(scene, parent, moved);
    return product(&above, &own);
}

static void expect_skinned(const char *name, double time)
{
    facet_scene *scene = test_gltf_load(test_corpus(name));
    facet_pose pose = {0};
    facet_error error;
    facet_transform moved[64];
    static matrix joints[64];
    uint32_t node = 0;
    while (scene->nodes[node]->skin == FACET_NONE)
        node++;
    const facet_skin *skin = scene->skins[scene->nodes[node]->skin];
    const facet_mesh *mesh = scene->meshes[scene->nodes[node]->mesh];
    assert_true(scene->node_count <= 64 && skin->joint_count <= 64);
    for (uint32_t i = 0; i < scene->node_count; i++)
        moved[i] = scene->nodes[i]->transform;
    for (uint32_t c = 0; c < scene->animations[0]->channel_count; c++) {
        const facet_channel *channel = &scene->animations[0]->channels[c];
        facet_transform *t = &moved[channel->node];
        facet_channel_sample(channel, time,
                             channel->target == FACET_TARGET_TRANSLATION ? t->translation
                             : channel->target == FACET_TARGET_ROTATION  ? t->rotation
                                                                         : t->scale);
    }
    for (uint32_t j = 0; j < skin->joint_count; j++) {
        matrix place = to_scene(scene, skin->joints[j], moved);
        matrix bind = of_columns(skin->inverse_bind + (size_t)j * 16);
        joints[j] = product(&place, &bind);
    }
    uint32_t count = mesh->streams[0].count;
    float *positions = malloc((size_t)count * 12);
    assert_non_null(positions);
    TEST_OK(facet_scene_pose(scene, 0, time, NULL, &pose, &error), &error);
    TEST_OK(facet_pose_positions(scene, &pose, node, NULL, positions, &error), &error);
    const float *base = mesh->streams[0].data;
    const uint16_t *numbers = facet_mesh_find(mesh, FACET_JOINTS, 0)->data;
    const float *weights = facet_mesh_find(mesh, FACET_WEIGHTS, 0)->data;
    for (uint32_t v = 0; v < count; v++) {
        for (int r = 0; r < 3; r++) {
            double sum = 0, size = 1, total = 0;
            for (int k = 0; k < 4; k++)
                total += (double)weights[v * 4 + k];
            for (int k = 0; k < 4; k++) {
                const matrix *m = &joints[numbers[v * 4 + k]];
                double p = m->m[r][3];
                for (int c = 0; c < 3; c++)
                    p += m->m[r][c] * (double)base[v * 3 + c];
                sum += (double)weights[v * 4 + k] / total * p;
                size = fabs(p) > size ? fabs(p) : size;
            }
            assert_true(fabs((double)positions[v * 3 + r] - sum) < 1e-5 * size);
        }
    }
    free(positions);
    facet_pose_free(&pose);
    facet_scene_free(scene);
}

TEST(skinned_frames_match_double_precision)
{
    TEST_NEEDS_CORPUS();
    expect_skinned("gltf/CesiumMan.glb", 0.77);
    expect_skinned("gltf/Fox.glb", 1.9);
    expect_skinned("gltf/simple_skin.gltf", 2.2);
    expect_skinned("gltf/greenman.glb", 0.3);
}

/* Flattening at a time gives the mesh of the pose. */
TEST(flatten_applies_skins)
{
    TEST_NEEDS_CORPUS();
    facet_scene *scene = test_gltf_load(test_corpus("gltf/CesiumMan.glb"));
    facet_pose pose = {0};
    facet_report *report = NULL;
    facet_error error;
    facet_flatten_options flatten = {.has_time = true, .animation = 0, .time = 0.5};
    facet_options options = {0};
    uint32_t node = 0;
    while (scene->nodes[node]->mesh == FACET_NONE)
        node++;
    uint32_t count = scene->meshes[0]->streams[0].count;
    float *positions = malloc((size_t)count * 12);
    assert_non_null(positions);
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    options.report = report;
    TEST_OK(facet_scene_pose(scene, 0, 0.5, NULL, &pose, &error), &error);
    TEST_OK(facet_pose_positions(scene, &pose, node, NULL, positions, &error), &error);
    facet_pose_free(&pose);
    TEST_OK(facet_scene_flatten(scene, &flatten, &options, &error), &error);
    TEST_OK(facet_scene_check(scene, NULL, &error), &error);
    expect(scene->meshes[0]->streams[0].data, (size_t)count * 3, positions);
    assert_null(facet_mesh_find(scene->meshes[0], FACET_JOINTS, 0));
    assert_non_null(test_finding(report, "LOSS-SKIN"));
    assert_non_null(test_finding(report, "LOSS-ANIMATIONS"));
    facet_report_free(report);
    free(positions);
    facet_scene_free(scene);
}
