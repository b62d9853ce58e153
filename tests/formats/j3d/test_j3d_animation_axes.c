/* Animations of nodes whose axes differ from those of the model's joints. */
#include "support/j3d_write.h"

#include <facet/j3d_animation.h>

#define PI 3.14159265358979323846

#define HALF_ROOT 0.70710678F
static const float about_x[4] = {HALF_ROOT, 0, 0, HALF_ROOT};
static const float about_z[4] = {0, 0, HALF_ROOT, HALF_ROOT};

/* out = a * b for quaternions x y z w, by Hamilton's product. */
static void product(const float a[4], const float b[4], float out[4])
{
    const float made[4] = {a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
                           a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
                           a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
                           a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]};
    memcpy(out, made, sizeof made);
}

static void inverse(const float q[4], float out[4])
{
    const float made[4] = {-q[0], -q[1], -q[2], q[3]};
    memcpy(out, made, sizeof made);
}

/* A column-major matrix: the transposed rotation of `axes`, after a translation by -y. */
static void set_inverse_bind(float *m, const float axes[3][3], float y)
{
    memset(m, 0, 16 * sizeof *m);
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 3; column++)
            m[column * 4 + row] = axes[column][row];
        m[12 + row] = -y * axes[1][row];
    }
    m[15] = 1;
}

/* The rig of make_rig, in meters. */
static facet_scene *make_straight_rig(void)
{
    facet_scene *scene = make_rig();
    scene->axes.unit = 1;
    return scene;
}

/* The same rig whose bones are turned at rest: the hip by a quarter around z, the leg by a
 * quarter around x. The columns of these rotations are their axes. */
static facet_scene *make_turned_rig(void)
{
    static const float hip_axes[3][3] = {{0, -1, 0}, {1, 0, 0}, {0, 0, 1}};
    static const float leg_axes[3][3] = {{1, 0, 0}, {0, 0, -1}, {0, 1, 0}};
    facet_scene *scene = make_straight_rig();
    facet_transform *hip = &scene->nodes[2]->transform, *leg = &scene->nodes[3]->transform;
    float back[4];
    memcpy(hip->rotation, about_z, sizeof about_z);
    inverse(about_z, back);
    product(back, about_x, leg->rotation);
    /* (0, -0.5, 0) turned by -90 degrees around z */
    memcpy(leg->translation, (float[3]){-0.5F, 0, 0}, sizeof leg->translation);
    set_inverse_bind(scene->skins[0]->inverse_bind, hip_axes, 1);
    set_inverse_bind(scene->skins[0]->inverse_bind + 16, leg_axes, 0.5F);
    return scene;
}

/* A rotation by `degrees` around axis 0, 1 or 2. */
static void about(int axis, double degrees, float out[4])
{
    memset(out, 0, 4 * sizeof *out);
    out[axis] = (float)sin(degrees * PI / 360);
    out[3] = (float)cos(degrees * PI / 360);
}

/* Add a channel to animation 0, with two keys: at 0 and after one second. */
static float *add_channel(facet_scene *scene, uint32_t node, facet_channel_target target)
{
    static const float times[2] = {0, 1};
    facet_animation *animation = NULL;
    facet_error error;
    if (scene->animation_count == 0) {
        TEST_OK(facet_scene_add_animation(scene, "walk", 4, &animation, &error), &error);
        animation->channel_count = 0;
    }
    animation = scene->animations[0];
    facet_channel *channel = &animation->channels[animation->channel_count++];
    channel->node = node;
    channel->target = target;
    channel->interpolation = FACET_INTERPOLATION_LINEAR;
    channel->width = target == FACET_TARGET_ROTATION ? 4 : 3;
    channel->key_count = 2;
    channel->times = facet_scene_allocate(scene, 2, sizeof *times);
    channel->values = facet_scene_allocate(scene, (size_t)2 * channel->width, sizeof(float));
    memcpy(channel->times, times, sizeof times);
    return channel->values;
}

/* The animation of a scene for a model, at 30 frames per second. */
static facet_j3d_animation *animate(const facet_scene *scene, const facet_j3d *model,
                                    facet_report *report)
{
    facet_output *file = bytes_of(model);
    facet_source like = test_source_of(file, "a.bmd");
    facet_j3d_options j3d = {.like = &like};
    facet_options options = {.j3d = &j3d, .report = report};
    facet_j3d_animation *document = NULL;
    facet_error error;
    TEST_OK(facet_j3d_animation_from_scene(scene, FACET_J3D_BCK, &options, &document, &error),
            &error);
    assert_int_equal(document->frames, 30);
    facet_output_free(file);
    return document;
}

/* Expect angles and translation of a joint at a frame, within the tolerances of keys: 0.05 degrees
 * and 0.01 units. */
static void expect_joint(const facet_j3d_animation *document, uint32_t joint, double frame,
                         const double angles[3], const float translation[3])
{
    facet_j3d_joint_pose poses[8];
    facet_j3d_moment moment = {.frame = frame};
    assert_true(document->sets[0].count <= 8);
    facet_j3d_animation_joints(document, &moment, poses);
    for (int i = 0; i < 3; i++) {
        if (!(fabs(poses[joint].angles[i] - angles[i]) < 0.06) ||
            !(fabsf(poses[joint].translation[i] - translation[i]) < 0.011F))
            fail_msg("joint %u, frame %g, axis %d: %g degrees, %g units", joint, frame, i,
                     poses[joint].angles[i], (double)poses[joint].translation[i]);
    }
}

/* Blender's importers of COLLADA and glTF make bones with other axes than the file's. The model is
 * that of make_rig, whose bones are not turned, at a hundred units per meter. In both rigs the hip
 * turns by 80 degrees around z, and the leg by 60 around x. The turned leg's local rotation is then
 * the inverse of the hip's axes, that turn, and the leg's axes. */
TEST(joints_with_other_axes_move_like_their_nodes)
{
    facet_scene *plain = make_straight_rig(), *turned = make_turned_rig();
    facet_j3d *model = write_document(plain, FACET_J3D_BMD3, NULL);
    facet_report *report = NULL;
    facet_error error;
    uint16_t hip = joint_named(model, "hip"), leg = joint_named(model, "leg");
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    float back[4], *hips = add_channel(turned, 2, FACET_TARGET_ROTATION);
    float *legs = add_channel(turned, 3, FACET_TARGET_ROTATION);
    inverse(about_z, back);
    for (int key = 0; key < 2; key++) {
        about(2, key * 80, hips + key * 4);
        product(hips + key * 4, about_z, hips + key * 4);
        about(0, key * 60, legs + key * 4);
        product(legs + key * 4, about_x, legs + key * 4);
        product(back, legs + key * 4, legs + key * 4);
    }
    facet_j3d_animation *document = animate(turned, model, report);
    for (int frame = 0; frame <= 30; frame += 15) {
        const double whole = frame / 30.0;
        expect_joint(document, hip, frame, (double[3]){0, 0, whole * 80}, (float[3]){0, 100, 0});
        expect_joint(document, leg, frame, (double[3]){whole * 60, 0, 0}, (float[3]){0, -50, 0});
    }
    assert_non_null(test_finding(report, "J3D-JOINT-AXES"));
    assert_null(test_finding(report, "J3D-JOINT-REST"));
    assert_null(test_finding(report, "LOSS-ANIMATIONS"));
    facet_j3d_animation_free(document);

    /* Uneven scale along the z axis of the turned leg, which is the model's -y or y. */
    float *scales = add_channel(turned, 3, FACET_TARGET_SCALE);
    memcpy(scales, (float[6]){1, 1, 1, 1, 1, 3}, 6 * sizeof *scales);
    document = animate(turned, model, report);
    facet_j3d_joint_pose poses[8];
    facet_j3d_moment moment = {.frame = 30};
    facet_j3d_animation_joints(document, &moment, poses);
    assert_float_equal(poses[leg].scale[1], 3, 0.002);
    assert_float_equal(poses[leg].scale[2], 1, 0.002);
    assert_null(test_finding(report, "LOSS-ANIMATIONS"));
    facet_j3d_animation_free(document);

    facet_report_free(report);
    facet_j3d_free(model);
    facet_scene_free(plain);
    facet_scene_free(turned);
}

/* The axes of joints that no skin binds are those of their nodes at rest, if other joints have
 * other axes. The toe, 0.25 below the leg, is turned like the leg, and moves by 0.1 along the
 * scene's x axis: 10 units. */
TEST(joints_without_skin_have_the_axes_of_nodes_at_rest)
{
    facet_scene *plain = make_straight_rig(), *turned = make_turned_rig();
    facet_scene *both[2] = {plain, turned};
    for (int i = 0; i < 2; i++) {
        uint32_t mesh = add_triangle(both[i]);
        uint32_t toe = add_node(both[i], "toe", 3, mesh);
        both[i]->nodes[toe]->transform.translation[i ? 2 : 1] = i ? 0.25F : -0.25F;
    }
    /* (0, -0.25, 0) turned by -90 degrees around x is (0, 0, 0.25). */
    facet_j3d *model = write_document(plain, FACET_J3D_BMD3, NULL);
    uint16_t toe = joint_named(model, "toe");
    uint32_t node = turned->node_count - 1;
    float *moves = add_channel(turned, node, FACET_TARGET_TRANSLATION);
    memcpy(moves, (float[6]){0, 0, 0.25F, 0.1F, 0, 0.25F}, 6 * sizeof *moves);
    facet_j3d_animation *document = animate(turned, model, NULL);
    expect_joint(document, toe, 0, (double[3]){0, 0, 0}, (float[3]){0, -25, 0});
    expect_joint(document, toe, 30, (double[3]){0, 0, 0}, (float[3]){10, -25, 0});
    facet_j3d_animation_free(document);
    facet_j3d_free(model);
    facet_scene_free(plain);
    facet_scene_free(turned);
}

/* A leg bound a quarter of a meter lower than in the model. */
TEST(joints_with_other_positions_are_reported)
{
    facet_scene *plain = make_straight_rig(), *moved = make_straight_rig();
    facet_j3d *model = write_document(plain, FACET_J3D_BMD3, NULL);
    facet_report *report = NULL;
    facet_error error;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    float *legs = add_channel(moved, 3, FACET_TARGET_ROTATION);
    about(0, 0, legs);
    about(0, 60, legs + 4);
    facet_j3d_animation *document = animate(moved, model, report);
    assert_null(test_finding(report, "J3D-JOINT-REST"));
    facet_j3d_animation_free(document);
    moved->nodes[3]->transform.translation[1] = -0.75F;
    moved->skins[0]->inverse_bind[16 + 13] = -0.25F;
    document = animate(moved, model, report);
    const facet_finding *found = test_finding(report, "J3D-JOINT-REST");
    assert_non_null(found);
    assert_int_equal(found->severity, FACET_SEVERITY_WARNING);
    assert_null(test_finding(report, "J3D-JOINT-AXES"));
    facet_j3d_animation_free(document);
    facet_report_free(report);
    facet_j3d_free(model);
    facet_scene_free(plain);
    facet_scene_free(moved);
}

/* Blender's exporter of COLLADA leaves out bones whose curves are flat, at rest or posed. Those of
 * glTF and FBX write them. */
TEST(joints_without_keys_in_blenders_collada_are_reported)
{
    static const struct {
        const char *generator;
        bool both, warns;
    } cases[] = {{"Blender 3.4.1", false, true},
                 {"Blender 3.4.1", true, false},
                 {"Khronos glTF Blender I/O v3.4.50", false, false},
                 {"Blender (stable FBX IO) - 3.4.1 - 4.37.5", false, false},
                 {NULL, false, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        facet_scene *scene = make_straight_rig();
        facet_j3d *model = write_document(scene, FACET_J3D_BMD3, NULL);
        facet_report *report = NULL;
        facet_error error;
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        scene->generator = cases[i].generator;
        for (uint32_t node = 2; node < (cases[i].both ? 4 : 3); node++) {
            float *turns = add_channel(scene, node, FACET_TARGET_ROTATION);
            about(0, 0, turns);
            about(0, 60, turns + 4);
        }
        facet_j3d_animation_free(animate(scene, model, report));
        assert_int_equal(test_finding(report, "J3D-JOINT-STILL") != NULL, cases[i].warns);
        facet_report_free(report);
        facet_j3d_free(model);
        facet_scene_free(scene);
    }
}

/* A billboard with z up gets a joint with y up, by the test of test_j3d_write_billboards.c. Its
 * node, turned by -90 degrees around x at rest, turns by 70 around the scene's y axis. That joint
 * turns around its own y axis. The node's child moves by 0.2 along x, from 2 along its z axis: from
 * y = 200 to (20, 200, 0). */
TEST(billboards_with_z_up_turn_like_their_nodes)
{
    static const float upright[9] = {0, 0, 0, 1, 0, 0, 0, 0, 1};
    facet_scene *scene = test_scene();
    scene->axes.unit = 1;
    uint32_t mesh = add_triangle(scene), below = add_triangle(scene);
    uint32_t node = add_node(scene, "BillX", FACET_NONE, mesh);
    uint32_t child = add_node(scene, "child", node, below);
    float lying[4];
    memcpy(scene->meshes[mesh]->streams[0].data, upright, sizeof upright);
    inverse(about_x, lying);
    memcpy(scene->nodes[node]->transform.rotation, lying, sizeof lying);
    scene->nodes[child]->transform.translation[2] = 2;
    facet_j3d *model = write_document(scene, FACET_J3D_BMD3, NULL);
    uint16_t joint = joint_named(model, "BillX"), under = joint_named(model, "child");
    float *turns = add_channel(scene, node, FACET_TARGET_ROTATION);
    for (int key = 0; key < 2; key++) {
        about(1, key * 70, turns + key * 4);
        product(turns + key * 4, lying, turns + key * 4);
    }
    float *moves = add_channel(scene, child, FACET_TARGET_TRANSLATION);
    memcpy(moves, (float[6]){0, 0, 2, 0.2F, 0, 2}, 6 * sizeof *moves);
    facet_j3d_animation *document = animate(scene, model, NULL);
    for (int frame = 0; frame <= 30; frame += 15) {
        const double whole = frame / 30.0;
        facet_j3d_joint_pose poses[8];
        facet_j3d_moment moment = {.frame = frame};
        expect_joint(document, joint, frame, (double[3]){0, whole * 70, 0}, (float[3]){0});
        facet_j3d_animation_joints(document, &moment, poses);
        assert_float_equal(poses[under].translation[0], whole * 20, 0.011);
        assert_float_equal(poses[under].translation[1], 200, 0.011);
        assert_float_equal(poses[under].translation[2], 0, 0.011);
    }
    facet_j3d_animation_free(document);
    facet_j3d_free(model);
    facet_scene_free(scene);
}
