/* Animations of joints in a scene, compared with positions computed by the format description. */
#include "support/j3d_motion.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* -- Positions by the description ---------------------------------------- */

static void scale_columns(matrix m, const double s[3])
{
    for (int i = 0; i < 12; i++)
        m[i] *= i % 4 < 3 ? s[i % 4] : 1;
}

/* Compute the joint matrices of the chain by the three scaling rules. */
static void place_all(const facet_j3d_joint_pose *poses, unsigned scaling, unsigned compensate,
                      matrix *global)
{
    matrix above = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}, unscaled;
    double all[3] = {1, 1, 1}, parent[3] = {1, 1, 1};
    memcpy(unscaled, above, sizeof above);
    for (unsigned j = 0; j < JOINTS; j++) {
        matrix local, next;
        double s[3], t[3];
        for (int i = 0; i < 3; i++) {
            s[i] = (double)poses[j].scale[i];
            t[i] = (double)poses[j].translation[i] *
                   (scaling == FACET_J3D_SCALING_SOFTIMAGE ? all[i] : 1);
        }
        turn(t, poses[j].angles, local);
        for (int i = 0; i < 3; i++)
            all[i] *= s[i];
        if (scaling == FACET_J3D_SCALING_SOFTIMAGE) {
            multiply(unscaled, local, next);
            memcpy(unscaled, next, sizeof next);
            memcpy(global[j], next, sizeof next);
            scale_columns(global[j], all);
            continue;
        }
        if (scaling == FACET_J3D_SCALING_MAYA && compensate == 1) {
            for (int i = 0; i < 12; i++)
                local[i] /= i % 4 < 3 ? parent[i / 4] : 1;
        }
        scale_columns(local, s);
        multiply(above, local, global[j]);
        memcpy(above, global[j], sizeof above);
        memcpy(parent, s, sizeof parent);
    }
}

/* -- Joints to a scene -------------------------------------------------- */

/* The largest distance between the scene's joints and their expected positions, over all eighths
 * of a frame or all whole frames. */
static double worst_place(const facet_scene *scene, const facet_j3d_animation *document,
                          unsigned scaling, unsigned compensate, int steps)
{
    double worst = 0;
    facet_error error;
    facet_pose pose = {0};
    for (int i = 0; i <= FRAMES * steps; i++) {
        facet_j3d_joint_pose poses[JOINTS];
        matrix expected[JOINTS];
        facet_j3d_moment moment = {.frame = (double)i / steps};
        facet_j3d_animation_joints(document, &moment, poses);
        place_all(poses, scaling, compensate, expected);
        TEST_OK(facet_scene_pose(scene, 0, moment.frame / 30, NULL, &pose, &error), &error);
        for (unsigned j = 0; j < JOINTS; j++) {
            for (int k = 0; k < 12; k++) {
                double found = (double)pose.global[j * 16 + k % 4 * 4 + k / 4];
                worst = fmax(worst, fabs(found - expected[j][k]));
            }
        }
    }
    facet_pose_free(&pose);
    return worst;
}

/* Plain joints keep the curve at any time. 0.01 degrees are 1.7e-4 radians; four joints in a row
 * of length 3 add up to less than 2e-3. */
TEST(plain_joints_keep_their_curves)
{
    for (unsigned scaling = 0; scaling < 3; scaling++) {
        test_bytes file = make_model(scaling, 0);
        facet_j3d_animation *document =
            make_animation(scaling == FACET_J3D_SCALING_SOFTIMAGE ? 0 : 2, JOINTS);
        facet_scene *scene = load_with(&file, document, NULL);
        assert_int_equal(scene->animation_count, 1);
        assert_string_equal(scene->animations[0]->name, "walk");
        /* Scales multiply errors, each by up to 1.5. */
        double worst = worst_place(scene, document, scaling, 0, 8);
        if (worst >= 4e-3)
            fail_msg("scaling %u: off by %g", scaling, worst);
        /* At most one key per frame, for programs that ignore tangents. */
        for (uint32_t i = 0; i < scene->animations[0]->channel_count; i++) {
            const facet_channel *channel = &scene->animations[0]->channels[i];
            if (channel->target != FACET_TARGET_ROTATION)
                assert_in_range(channel->key_count, 5, FRAMES + 1);
        }
        facet_scene_free(scene);
        facet_j3d_animation_free(document);
        test_bytes_free(&file);
    }
}

/* Compensated scale and the scaling of Softimage are exact at every frame. */
TEST(compensated_scale_is_exact_at_frames)
{
    for (unsigned scaling = FACET_J3D_SCALING_SOFTIMAGE; scaling <= FACET_J3D_SCALING_MAYA;
         scaling++) {
        test_bytes file = make_model(scaling, 1);
        facet_report *report = NULL;
        facet_error error;
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        facet_j3d_animation *document = make_animation(1, JOINTS);
        facet_scene *scene = load_with(&file, document, report);
        assert_null(test_finding(report, "LOSS-NODES"));
        /* The console truncates angles to whole steps: 2 of 32767 per half turn. */
        assert_true(worst_place(scene, document, scaling, 1, 1) < 4e-3);
        facet_scene_free(scene);
        facet_j3d_animation_free(document);
        /* A finding reports motion that no node can have. */
        document = make_animation(2, JOINTS);
        scene = load_with(&file, document, report);
        assert_non_null(test_finding(report, "LOSS-NODES"));
        facet_scene_free(scene);
        facet_report_free(report);
        facet_j3d_animation_free(document);
        test_bytes_free(&file);
    }
}
