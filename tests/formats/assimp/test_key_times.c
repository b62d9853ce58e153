/* Keys of FBX and COLLADA. Readers interpolate angles and quaternions, and decompose matrices. */
#include "support/mesh.h"
#include "support/models.h"

#include "base/arena.h"

#include <math.h>

#ifdef FACET_HAVE_ASSIMP

/* A triangle at a node below the root, whose channel has keys each `step` seconds. */
static facet_scene *make_moving(facet_channel_target target, uint32_t width, double step,
                                uint32_t keys, const float *values)
{
    static const float positions[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    facet_error error;
    facet_scene *scene = test_scene();
    facet_mesh *mesh = test_mesh(scene, 1, NULL);
    facet_node *node = NULL;
    facet_animation *animation = NULL;
    assert_true(test_stream(scene, mesh, FACET_POSITION, 3, 3, positions, NULL));
    TEST_OK(facet_scene_add_node(scene, "top", &node, &error), &error);
    TEST_OK(facet_scene_add_node(scene, "moving", &node, &error), &error);
    node->parent = 0;
    node->mesh = 0;
    TEST_OK(facet_scene_add_animation(scene, "move", 1, &animation, &error), &error);
    float *times = facet_arena_allocate(scene->arena, keys, sizeof *times);
    float *copy = facet_arena_allocate(scene->arena, keys, width * sizeof *copy);
    assert_true(times && copy);
    for (uint32_t i = 0; i < keys; i++)
        times[i] = (float)(i * step);
    memcpy(copy, values, keys * width * sizeof *copy);
    animation->channels[0] = (facet_channel){.node = 1,
                                             .target = target,
                                             .interpolation = FACET_INTERPOLATION_LINEAR,
                                             .width = width,
                                             .key_count = keys,
                                             .times = times,
                                             .values = copy};
    return scene;
}

/* It turns by `angle` about an axis (not normalized) in two seconds. */
static facet_scene *make_turn(const double axis[3], double angle)
{
    float values[8] = {0, 0, 0, 1};
    double length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    for (int i = 0; i < 3; i++)
        values[4 + i] = (float)(axis[i] / length * sin(angle / 2));
    values[7] = (float)cos(angle / 2);
    return make_moving(FACET_TARGET_ROTATION, 4, 2, 2, values);
}

static const facet_channel *rotation_of(const facet_scene *scene)
{
    const facet_animation *animation = scene->animations[0];
    for (uint32_t i = 0; i < animation->channel_count; i++) {
        if (animation->channels[i].target == FACET_TARGET_ROTATION)
            return &animation->channels[i];
    }
    fail_msg("no rotation is animated");
    return NULL;
}

/* Columns of the rotation by angles about x, then y, then z (FBX: eEulerXYZ). */
static void matrix_of_angles(const double a[3], double m[9])
{
    double cx = cos(a[0]), sx = sin(a[0]), cy = cos(a[1]), sy = sin(a[1]), cz = cos(a[2]),
           sz = sin(a[2]);
    const double made[9] = {cy * cz,
                            cy * sz,
                            -sy,
                            sx * sy * cz - cx * sz,
                            sx * sy * sz + cx * cz,
                            sx * cy,
                            cx * sy * cz + sx * sz,
                            cx * sy * sz - sx * cz,
                            cx * cy};
    memcpy(m, made, sizeof made);
}

/* Columns of the rotation of a quaternion of any length. */
static void matrix_of_quaternion(const double q[4], double m[9])
{
    double s = 2 / (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]), x = q[0], y = q[1],
           z = q[2], w = q[3];
    const double made[9] = {
        1 - s * (y * y + z * z), s * (x * y + z * w),     s * (x * z - y * w),
        s * (x * y - z * w),     1 - s * (x * x + z * z), s * (y * z + x * w),
        s * (x * z + y * w),     s * (y * z - x * w),     1 - s * (x * x + y * y)};
    memcpy(m, made, sizeof made);
}

/* The matrix at a time, with linear Euler angles (FBX) or quaternions between the keys. */
static void interpolated(const facet_channel *channel, bool euler, double time, double m[9])
{
    double q[2][4], angles[2][3], t;
    uint32_t key = 0;
    while (key + 2 < channel->key_count && (double)channel->times[key + 1] < time)
        key++;
    t = (time - (double)channel->times[key]) /
        ((double)channel->times[key + 1] - (double)channel->times[key]);
    for (uint32_t k = 0; k < 2; k++) {
        for (int i = 0; i < 4; i++)
            q[k][i] = (double)channel->values[(key + k) * 4 + (uint32_t)i];
        matrix_of_quaternion(q[k], m);
        angles[k][0] = atan2(m[5], m[8]);
        angles[k][1] = asin(fmax(-1, fmin(1, -m[2])));
        angles[k][2] = atan2(m[1], m[0]);
    }
    double dot = 0;
    for (int i = 0; i < 4; i++)
        dot += q[0][i] * q[1][i];
    for (int i = 0; i < 4; i++)
        q[0][i] += t * ((dot < 0 ? -1 : 1) * q[1][i] - q[0][i]);
    for (int i = 0; i < 3; i++)
        angles[0][i] += t * (angles[1][i] - angles[0][i]);
    if (euler)
        matrix_of_angles(angles[0], m);
    else
        matrix_of_quaternion(q[0], m);
}

/* The angle between two rotations: the trace of A^T B is 1 + 2 cos. */
static double degrees_between(const double a[9], const double b[9])
{
    double trace = 0;
    for (int i = 0; i < 9; i++)
        trace += a[i] * b[i];
    return acos(fmax(-1, fmin(1, (trace - 1) / 2))) * 180 / acos(-1);
}

/* At each time the rotation is `angle` t / 2 about the axis, whatever the reader interpolates. */
TEST(long_rotations_take_the_path_of_the_scene)
{
    static const double axes[][3] = {{1, 2, 3}, {1, 1, 0}, {0, 1, 0}, {1, 0, 0}};
    static const char *const formats[] = {"fbx", "dae"};
    for (size_t i = 0; i < 8; i++) {
        const double *axis = axes[i / 2];
        bool euler = i % 2 == 0;
        const char *format = formats[i % 2];
        char name[8];
        snprintf(name, sizeof name, "a.%s", format);
        facet_scene *scene = make_turn(axis, 2.8);
        facet_output *output = save_scene(scene, format, NULL);
        facet_scene *again = load_output(output, name, NULL);
        const facet_channel *channel = rotation_of(again);
        double length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
        for (int k = 0; k <= 64; k++) {
            double wanted[9], made[9], half = 0.7 * k / 32;
            const double q[4] = {axis[0] / length * sin(half), axis[1] / length * sin(half),
                                 axis[2] / length * sin(half), cos(half)};
            matrix_of_quaternion(q, wanted);
            interpolated(channel, euler, k / 32.0, made);
            double off = degrees_between(wanted, made);
            if (off > 0.2)
                fail_msg("%s, axis %zu: %g degrees off at %g s", format, i / 2, off, k / 32.0);
        }
        facet_scene_free(again);
        facet_output_free(output);
        facet_scene_free(scene);
    }
}

/* A rotation about one axis of less than 90 degrees needs only its keys in FBX, and so does one
 * that does not turn. */
TEST(short_rotations_get_no_more_keys)
{
    static const double axis[3] = {1, 0, 0};
    for (int i = 0; i < 2; i++) {
        facet_scene *scene = make_turn(axis, i * 1.5);
        facet_output *output = save_scene(scene, "fbx", NULL);
        facet_scene *again = load_output(output, "a.fbx", NULL);
        assert_int_equal(rotation_of(again)->key_count, 2);
        facet_scene_free(again);
        facet_output_free(output);
        facet_scene_free(scene);
    }
}

/* Readers interpolate all keys. A step is a ramp of a millisecond: the value before it is still
 * there two milliseconds earlier. The turns are 0, 170 and -170 degrees about x. */
TEST(steps_stay_steps)
{
    static const char *const formats[] = {"fbx", "dae"};
    static const double degrees[3] = {0, 170, -170};
    float values[12] = {0};
    for (int i = 0; i < 3; i++) {
        values[i * 4] = (float)sin(degrees[i] * acos(-1) / 360);
        values[i * 4 + 3] = (float)cos(degrees[i] * acos(-1) / 360);
    }
    for (size_t i = 0; i < 2; i++) {
        facet_error error;
        facet_options options = {0};
        char name[8];
        snprintf(name, sizeof name, "a.%s", formats[i]);
        TEST_OK(facet_report_create(NULL, &options.report, &error), &error);
        facet_scene *scene = make_moving(FACET_TARGET_ROTATION, 4, 0.5, 3, values);
        scene->animations[0]->channels[0].interpolation = FACET_INTERPOLATION_STEP;
        facet_output *output = save_scene(scene, formats[i], &options);
        assert_non_null(test_finding_saying(options.report, "LOSS-ANIMATIONS", "steps"));
        facet_scene *again = load_output(output, name, NULL);
        for (int k = 0; k < 3; k++) {
            for (int late = 0; late < (k < 2 ? 2 : 1); late++) {
                double wanted[9], made[9], half = degrees[k] * acos(-1) / 360;
                const double q[4] = {sin(half), 0, 0, cos(half)};
                matrix_of_quaternion(q, wanted);
                interpolated(rotation_of(again), i == 0, 0.5 * k + late * 0.498, made);
                assert_true(degrees_between(wanted, made) < 0.05);
            }
        }
        facet_scene_free(again);
        facet_output_free(output);
        facet_scene_free(scene);
        facet_report_free(options.report);
    }
}

/* The keys that a rotation gets are on frames while there are some between its own: here, on those
 * of 30 per second from 0 to 60. Editors then show them where they are. */
TEST(keys_between_are_on_frames)
{
    static const double axis[3] = {1, 2, 3};
    static const char *const formats[] = {"fbx", "dae"};
    for (size_t i = 0; i < 2; i++) {
        char name[8];
        snprintf(name, sizeof name, "a.%s", formats[i]);
        facet_scene *scene = make_turn(axis, 2.8);
        facet_output *output = save_scene(scene, formats[i], NULL);
        facet_scene *again = load_output(output, name, NULL);
        const facet_channel *channel = rotation_of(again);
        assert_true(channel->key_count > 3);
        for (uint32_t k = 0; k < channel->key_count; k++) {
            double frame = (double)channel->times[k] * 30;
            assert_true(fabs(frame - nearbyint(frame)) < 1e-4);
        }
        facet_scene_free(again);
        facet_output_free(output);
        facet_scene_free(scene);
    }
}

/* A scale that changes its sign does not become a turn. x is 1 - 2 t in the first second, and in
 * the second 1 - t times (-1, 1, 1). */
TEST(scales_of_other_signs_are_kept)
{
    static const char *const formats[] = {"fbx", "dae"};
    static const float values[9] = {1, 1, 1, -1, 1, 1, 0, 0, 0};
    for (size_t i = 0; i < 2; i++) {
        facet_error error;
        char name[8];
        snprintf(name, sizeof name, "a.%s", formats[i]);
        facet_scene *scene = make_moving(FACET_TARGET_SCALE, 3, 1, 3, values);
        facet_output *output = save_scene(scene, formats[i], NULL);
        facet_scene *again = load_output(output, name, NULL);
        uint32_t shower = 0;
        while (again->nodes[shower]->mesh == FACET_NONE)
            shower++;
        for (int k = 0; k <= 32; k++) {
            facet_pose pose = {0};
            double time = k / 16.0, size = time < 1 ? 1 : 2 - time;
            const double wanted[3] = {time < 1 ? 1 - 2 * time : -size, size, size};
            TEST_OK(facet_scene_pose(again, 0, time, NULL, &pose, &error), &error);
            for (int m = 0; m < 9; m++) {
                double made = (double)pose.global[(size_t)shower * 16 + m / 3 * 4 + m % 3];
                if (!(fabs(made - (m % 4 == 0 ? wanted[m / 4] : 0)) < 1e-4))
                    fail_msg("%s at %g s: number %d is %g", formats[i], time, m, made);
            }
            facet_pose_free(&pose);
        }
        facet_scene_free(again);
        facet_output_free(output);
        facet_scene_free(scene);
    }
}

/* Blender does not convert the axes of an animated root of a COLLADA. */
TEST(animated_root_of_a_dae_is_below_a_node)
{
    static const float values[6] = {0, 0, 0, 1, 0, 0};
    facet_error error;
    for (int i = 0; i < 2; i++) {
        facet_options options = {0};
        TEST_OK(facet_report_create(NULL, &options.report, &error), &error);
        facet_scene *scene = make_moving(FACET_TARGET_TRANSLATION, 3, 1, 2, values);
        if (i == 0)
            scene->nodes[1]->parent = FACET_NONE;
        facet_output *output = save_scene(scene, "dae", &options);
        facet_scene *again = load_output(output, "a.dae", NULL);
        uint32_t shower = 0;
        while (again->nodes[shower]->mesh == FACET_NONE)
            shower++;
        /* The scene also has a node 'top', which is the parent in the second scene. */
        assert_string_equal(again->nodes[again->nodes[shower]->parent]->name,
                            i == 0 ? "top_" : "top");
        assert_true((test_finding(options.report, "ASSIMP-TOP") != NULL) == (i == 0));
        facet_scene_free(again);
        facet_output_free(output);
        facet_scene_free(scene);
        facet_report_free(options.report);
    }
}

#else

TEST(assimp_is_missing)
{
    skip();
}

#endif

/* The writer adds nodes above a scene, and assimp finds the node of a channel by its name. */
TEST(nodes_with_the_names_of_added_nodes_move)
{
    static const float values[6] = {0, 0, 0, 3, 0, 0};
    static const char *const names[] = {"top", "scene_root"}, *const formats[] = {"dae", "fbx"};
    facet_error error;
    for (int i = 0; i < 4; i++) {
        facet_scene *scene = make_moving(FACET_TARGET_TRANSLATION, 3, 1, 2, values);
        scene->nodes[0]->name = names[i / 2];
        scene->nodes[0]->transform.translation[1] = 5;
        scene->animations[0]->channels[0].node = 0;
        facet_output *output = save_scene(scene, formats[i % 2], NULL);
        facet_scene *again = load_output(output, i % 2 ? "a.fbx" : "a.dae", NULL);
        uint32_t shower = 0;
        while (again->nodes[shower]->mesh == FACET_NONE)
            shower++;
        facet_pose pose = {0};
        TEST_OK(facet_scene_pose(again, 0, 1, NULL, &pose, &error), &error);
        /* At one second, the animated parent is at (3, 0, 0), no longer at (0, 5, 0). */
        assert_float_equal(pose.global[shower * 16 + 12], 3, 1e-5);
        assert_float_equal(pose.global[shower * 16 + 13], 0, 1e-5);
        facet_pose_free(&pose);
        facet_scene_free(again);
        facet_output_free(output);
        facet_scene_free(scene);
    }
}
