/* facet_compare_scenes: meshes and skins of nodes, and surfaces at the times of animations. */
#include "support/compare.h"

/* -- Scenes ------------------------------------------------------------- */

static facet_node *add_node(facet_scene *scene, const char *name, uint32_t parent, float y)
{
    facet_node *node = NULL;
    facet_error error;
    TEST_OK(facet_scene_add_node(scene, name, &node, &error), &error);
    node->parent = parent;
    node->transform.translation[1] = y;
    return node;
}

/* Two joints at (0, 0, 0) and (0, 2, 0), each with half of a triangle at (0, 0, 0), (1, 0, 0) and
 * (0, 1, 0). Joint 'b' turns by 90 degrees around z within a second. `x` and `y` are the
 * translations of the inverse bind matrices along y: 0 and -2 keep the triangle. */
static facet_scene *bent(float x, float y)
{
    static const float positions[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    static const float weights[12] = {0.5F, 0.5F, 0, 0, 0.5F, 0.5F, 0, 0, 0.5F, 0.5F},
                       times[2] = {0, 1}, values[8] = {0, 0, 0, 1, 0, 0, 0.70710678F, 0.70710678F};
    static const uint32_t triangle[3] = {0, 1, 2};
    static const uint16_t joints[12] = {0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    facet_scene *scene = scene_of(3, positions, 1, triangle);
    facet_skin *skin = NULL;
    facet_animation *animation = NULL;
    facet_error error;
    add_node(scene, "a", FACET_NONE, 0);
    add_node(scene, "b", 0, 2);
    facet_node *body = add_node(scene, "body", FACET_NONE, 0);
    TEST_OK(facet_scene_add_skin(scene, "", 2, &skin, &error), &error);
    skin->joints[0] = 0;
    skin->joints[1] = 1;
    skin->inverse_bind[13] = x;
    skin->inverse_bind[16 + 13] = y;
    body->mesh = body->skin = 0;
    TEST_OK(facet_mesh_add_stream_copy(scene->meshes[0], FACET_JOINTS, 0, NULL, FACET_UINT16, 4, 3,
                                       joints, NULL, NULL, &error),
            &error);
    TEST_OK(facet_mesh_add_stream_copy(scene->meshes[0], FACET_WEIGHTS, 0, NULL, FACET_FLOAT32, 4,
                                       3, weights, NULL, NULL, &error),
            &error);
    TEST_OK(facet_scene_add_animation(scene, "turn", 1, &animation, &error), &error);
    animation->channels[0] =
        (facet_channel){.node = 1, .target = FACET_TARGET_ROTATION, .width = 4, .key_count = 2};
    animation->channels[0].times = test_copy(scene, times, 2);
    animation->channels[0].values = test_copy(scene, values, 8);
    return scene;
}

/* Two nodes, of which the first moves by (5, 0, 0), and squares at height 0 and 3. */
static facet_scene *carried(bool exchanged, const char *low, const char *high)
{
    static const float times[2] = {0, 1}, values[6] = {0, 0, 0, 5, 0, 0};
    facet_scene *scene = square(0, false);
    facet_mesh *mesh = test_mesh(scene, 2, NULL);
    facet_animation *animation = NULL;
    facet_error error;
    static const float positions[12] = {0, 0, 3, 1, 0, 3, 1, 1, 3, 0, 1, 3};
    static const uint32_t triangles[6] = {0, 1, 2, 0, 2, 3};
    assert_true(test_stream(scene, mesh, FACET_POSITION, 3, 4, positions, triangles));
    scene->meshes[0]->name = low;
    mesh->name = high;
    add_node(scene, "n", FACET_NONE, 0)->mesh = exchanged;
    add_node(scene, "n2", FACET_NONE, 0)->mesh = !exchanged;
    TEST_OK(facet_scene_add_animation(scene, "move", 1, &animation, &error), &error);
    animation->channels[0] = (facet_channel){.width = 3, .key_count = 2};
    animation->channels[0].times = test_copy(scene, times, 2);
    animation->channels[0].values = test_copy(scene, values, 6);
    return scene;
}

/* -- Tests -------------------------------------------------------------- */

/* Both are equal at rest: the matrices -2 and 0 move one half of each vertex down and the other up.
 * At 1 s, joint b turns (x, y) around its origin to (-y, x). The mean of the halves is
 *
 * | matrices 0, -2 | ((x, y) + (2 - y, x + 2)) / 2     | = ((x - y) / 2 + 1, (x + y) / 2 + 1) |
 * | matrices -2, 0 | ((x, y - 2) + (-y, x + 2)) / 2    | = ((x - y) / 2, (x + y) / 2)         |
 *
 * The triangles are (1, 1) apart. The second one is (0, 0), (0.5, 0.5), (-0.5, 0.5). Its nearest
 * point to (1.5, 1.5) of the first is (0.5, 0.5), at a distance of the square root of 2. */
TEST(inverse_bind_matrices_are_compared)
{
    facet_report *report = compare(bent(0, -2), bent(0, -2), NULL, NULL);
    assert_int_equal(facet_report_count(report), 0);
    facet_report_free(report);
    report = compare(bent(0, -2), bent(-2, 0), NULL, NULL);
    assert_int_equal(errors(report), 2);
    assert_says(report, "COMPARE-NODE", "skin 0 has another inverse bind matrix of joint 'b': ");
    assert_says(report, "COMPARE-ANIMATION", "animation 'turn' moves the surface up to 1.41421 ");
    assert_says(report, "COMPARE-ANIMATION", "away from that of the second file, at 1 s");
    facet_report_free(report);
    facet_compare_options with = {.ignore = FACET_COMPARE_WEIGHTS | FACET_COMPARE_ANIMATIONS};
    report = compare(bent(0, -2), bent(-2, 0), &with, NULL);
    assert_int_equal(errors(report), 0);
    facet_report_free(report);
}

/* The space of the mesh does not matter: here it is 7 higher, and each matrix 7 lower. */
TEST(another_mesh_space_is_no_difference)
{
    facet_scene *other = bent(-7, -9);
    for (int i = 0; i < 3; i++)
        ((float *)other->meshes[0]->streams[0].data)[3 * i + 1] += 7;
    facet_report *report = compare(bent(0, -2), other, NULL, NULL);
    assert_int_equal(errors(report), 0);
    facet_report_free(report);
}

/* The same scene with z up, left-handed. */
TEST(skins_and_poses_in_other_axes_are_equal)
{
    facet_scene *other = bent(0, -2);
    facet_axes axes = {.up = FACET_AXIS_Z, .left_handed = true};
    facet_error error;
    TEST_OK(facet_scene_set_axes(other, &axes, &error), &error);
    facet_report *report = compare(bent(0, -2), other, NULL, NULL);
    assert_int_equal(errors(report), 0);
    facet_report_free(report);
}

TEST(exchanged_meshes_of_nodes_are_reported)
{
    facet_report *report = compare(carried(false, "", ""), carried(false, "", ""), NULL, NULL);
    assert_int_equal(facet_report_count(report), 0);
    facet_report_free(report);
    static const char *const names[2][2] = {{"", ""}, {"low", "high"}};
    for (int i = 0; i < 2; i++) {
        report = compare(carried(false, names[i][0], names[i][1]),
                         carried(true, names[i][0], names[i][1]), NULL, NULL);
        assert_int_equal(errors(report), i == 0 ? 4 : 3); /* also the names that the nodes give */
        assert_says(report, "COMPARE-NODE", "node 'n' has another mesh in the second file");
        /* The squares are 3 apart, and each is at the end where the other was. */
        assert_says(report, "COMPARE-ANIMATION", "moves the surface up to 3 away");
        facet_report_free(report);
    }
}

/* Meshes in another order, with nodes that refer to them, are the same scene. */
TEST(meshes_in_another_order_are_no_difference)
{
    static const char *const names[3][2] = {{"", ""}, {"low", "high"}, {"same", "same"}};
    for (int i = 0; i < 3; i++) {
        facet_scene *other = carried(true, names[i][0], names[i][1]);
        facet_mesh *first = other->meshes[0];
        other->meshes[0] = other->meshes[1];
        other->meshes[1] = first;
        facet_report *report = compare(carried(false, names[i][0], names[i][1]), other, NULL, NULL);
        assert_int_equal(errors(report), 0);
        facet_report_free(report);
    }
}

/* A node that is hidden for the last part of an animation: only one file shows a surface then.
 * Without the ignored part, the channel is reported, and the surface is not looked at. */
TEST(surfaces_that_are_hidden_in_time_are_compared)
{
    facet_scene *scenes[2];
    for (int s = 0; s < 2; s++) {
        static const float times[2] = {0, 0.5F};
        facet_animation *animation = NULL;
        facet_error error;
        scenes[s] = square(0, false);
        add_node(scenes[s], "n", FACET_NONE, 0)->mesh = 0;
        TEST_OK(facet_scene_add_animation(scenes[s], "hide", 1, &animation, &error), &error);
        const float values[2] = {1, s == 1 ? 0 : 1};
        animation->channels[0] = (facet_channel){.target = FACET_TARGET_VISIBILITY,
                                                 .interpolation = FACET_INTERPOLATION_STEP,
                                                 .width = 1,
                                                 .key_count = 2};
        animation->channels[0].times = test_copy(scenes[s], times, 2);
        animation->channels[0].values = test_copy(scenes[s], values, 2);
    }
    facet_compare_options with = {.ignore = FACET_COMPARE_ANIMATIONS};
    facet_report *report = compare(scenes[0], scenes[1], &with, NULL);
    assert_non_null(test_finding_saying(report, "COMPARE-ANIMATION",
                                        "animation 'hide' shows a surface in one file only"));
    facet_report_free(report);
}

/* 20,000 triangles and 15 animations of four times each. The limit is 4 + 2^21 / 40,003 = 56 times,
 * so the surfaces are not compared in the last animation. A note reports that. */
TEST(surfaces_that_are_not_compared_are_reported)
{
    enum { SIDE = 101, QUADS = 100 };
    static float positions[SIDE * SIDE * 3];
    static uint32_t triangles[QUADS * QUADS * 6];
    for (int i = 0; i < SIDE * SIDE; i++) {
        positions[3 * i] = (float)(i % SIDE);
        positions[3 * i + 1] = (float)(i / SIDE);
    }
    for (uint32_t i = 0; i < QUADS * QUADS; i++) {
        uint32_t at = i / QUADS * SIDE + i % QUADS;
        const uint32_t corners[6] = {at, at + 1, at + SIDE, at + SIDE, at + 1, at + SIDE + 1};
        memcpy(triangles + (size_t)6 * i, corners, sizeof corners);
    }
    facet_scene *scenes[2];
    for (int s = 0; s < 2; s++) {
        static const float times[2] = {0, 1}, values[6] = {0, 0, 0, 5, 0, 0};
        scenes[s] = scene_of(SIDE * SIDE, positions, QUADS * QUADS * 2, triangles);
        add_node(scenes[s], "n", FACET_NONE, 0)->mesh = 0;
        for (int i = 0; i < 15; i++) {
            facet_animation *animation = NULL;
            facet_error error;
            TEST_OK(facet_scene_add_animation(scenes[s], "", 1, &animation, &error), &error);
            animation->channels[0] = (facet_channel){.width = 3, .key_count = 2};
            animation->channels[0].times = test_copy(scenes[s], times, 2);
            animation->channels[0].values = test_copy(scenes[s], values, 6);
        }
    }
    facet_compare_options with = {.samples = 100};
    facet_report *report = compare(scenes[0], scenes[1], &with, NULL);
    assert_int_equal(errors(report), 0);
    assert_says(report, "COMPARE-TIMES", "the surfaces of 1 animations are not compared");
    facet_report_free(report);
}
