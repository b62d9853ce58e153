/* Skins whose bind pose is not the pose at rest. Each vertex follows one joint. A model stores such
 * vertices in the space of the joint, without a bind pose. */
#include "support/j3d_write.h"

#include <facet/j3d_animation.h>
#include <math.h>

/* The rig of make_rig. In the bind pose, the leg is turned by a quarter around x, at (0, 0.5, 0).
 * Its inverse bind matrix maps (x, y, z) to (x, z, 0.5 - y). */
static facet_scene *make_posed_rig(void)
{
    static const float inverse[16] = {1, 0, 0, 0, 0, 0, -1, 0, 0, 1, 0, 0, 0, 0, 0.5F, 1};
    facet_scene *scene = make_rig();
    scene->axes.unit = 1;
    float *weights = (float *)facet_mesh_find(scene->meshes[0], FACET_WEIGHTS, 0)->data;
    for (int i = 0; i < 16; i++)
        weights[i] = i % 4 == 0 ? 1 : 0;
    memcpy(scene->skins[0]->inverse_bind + 16, inverse, sizeof inverse);
    return scene;
}

/* No bone differs from the model that was written from the same scene. */
TEST(bones_in_another_bind_pose_are_not_moved)
{
    static const char *const rules[] = {"J3D-LIKE-BONE-PLACE", "J3D-LIKE-SCALE",
                                        "J3D-LIKE-BONE-PARENT"};
    facet_scene *scene = make_posed_rig();
    facet_report *report = NULL;
    facet_error error;
    facet_j3d *original = write_document(scene, FACET_J3D_BMD3, NULL), *made = NULL;
    facet_output *file = bytes_of(original);
    facet_source like = test_source_of(file, "a.bmd");
    facet_j3d_options j3d = {.like = &like};
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    facet_options options = {.j3d = &j3d, .report = report};
    facet_scene_free(scene);
    scene = make_posed_rig();
    TEST_OK(facet_prepare(scene, facet_format_named("bmd"), NULL, NULL, NULL, &error), &error);
    TEST_OK(facet_j3d_from_scene(scene, &options, &made, &error), &error);
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        assert_null(test_finding(report, rules[i]));
    facet_j3d_free(made);
    facet_report_free(report);
    facet_output_free(file);
    facet_j3d_free(original);
    facet_scene_free(scene);
}

/* The leg turns from 0 to 60 degrees around x. The model gets the same angles. */
TEST(joints_in_another_bind_pose_keep_their_axes)
{
    static const float times[2] = {0, 1};
    static const float keys[8] = {0, 0, 0, 1, 0.5F, 0, 0, 0.8660254F};
    facet_scene *scene = make_posed_rig();
    facet_j3d *model = write_document(scene, FACET_J3D_BMD3, NULL);
    facet_output *file = bytes_of(model);
    facet_source like = test_source_of(file, "a.bmd");
    facet_j3d_options j3d = {.like = &like};
    facet_animation *animation = NULL;
    facet_j3d_animation *document = NULL;
    facet_report *report = NULL;
    facet_error error;
    uint16_t leg = joint_named(model, "leg");
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    facet_options options = {.j3d = &j3d, .report = report};
    TEST_OK(facet_scene_add_animation(scene, "walk", 1, &animation, &error), &error);
    facet_channel *channel = &animation->channels[0];
    channel->node = 3;
    channel->target = FACET_TARGET_ROTATION;
    channel->interpolation = FACET_INTERPOLATION_LINEAR;
    channel->width = 4;
    channel->key_count = 2;
    channel->times = facet_scene_allocate(scene, 2, sizeof *times);
    channel->values = facet_scene_allocate(scene, 8, sizeof *keys);
    memcpy(channel->times, times, sizeof times);
    memcpy(channel->values, keys, sizeof keys);
    TEST_OK(facet_j3d_animation_from_scene(scene, FACET_J3D_BCK, &options, &document, &error),
            &error);
    for (int frame = 0; frame <= 30; frame += 15) {
        facet_j3d_joint_pose poses[8];
        facet_j3d_moment moment = {.frame = frame};
        assert_true(document->sets[0].count <= 8);
        facet_j3d_animation_joints(document, &moment, poses);
        assert_true(fabs(poses[leg].angles[0] - frame * 2.0) < 0.06);
        assert_true(fabs(poses[leg].angles[1]) < 0.06);
        assert_true(fabs(poses[leg].angles[2]) < 0.06);
    }
    assert_null(test_finding(report, "J3D-JOINT-AXES"));
    assert_null(test_finding(report, "J3D-JOINT-REST"));
    facet_j3d_animation_free(document);
    facet_report_free(report);
    facet_output_free(file);
    facet_j3d_free(model);
    facet_scene_free(scene);
}
