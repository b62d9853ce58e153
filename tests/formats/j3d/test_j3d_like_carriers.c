/* Joints of an original that no skin of the scene binds. */
#include "support/j3d_write.h"

/* The rig of make_rig below a bone `pelvis`, which is moved and turned. */
static facet_scene *make_pelvis_rig(void)
{
    facet_scene *scene = make_rig();
    scene->axes.unit = 1;
    uint32_t pelvis = add_node(scene, "pelvis", 0, FACET_NONE);
    scene->nodes[pelvis]->transform.translation[1] = 3;
    turn_about_z(scene->nodes[pelvis]);
    scene->nodes[2]->parent = pelvis; /* the hip */
    return scene;
}

/* The skin binds the pelvis as well, without weights, as a GLB from Facet does. */
static void bind_pelvis(facet_scene *scene)
{
    facet_skin *skin = scene->skins[0];
    uint32_t *joints = facet_scene_allocate(scene, 3, sizeof *joints);
    float *binds = facet_scene_allocate(scene, 3, 16 * sizeof *binds);
    memcpy(joints, skin->joints, 2 * sizeof *joints);
    memcpy(binds, skin->inverse_bind, 32 * sizeof *binds);
    joints[2] = scene->node_count - 1;
    /* The transposed rotation by 90 degrees around z, after a translation by (0, -3, 0). */
    const float inverse[16] = {0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, -3, 0, 0, 1};
    memcpy(binds + 32, inverse, sizeof inverse);
    skin->joints = joints;
    skin->inverse_bind = binds;
    skin->joint_count = 3;
}

/* FBX and COLLADA bind only joints with weights. The others are not nodes that only carry axes, so
 * no bone differs from the original. */
TEST(joints_without_weights_are_not_moved)
{
    facet_scene *full = make_pelvis_rig(), *scene = make_pelvis_rig();
    facet_report *report = NULL;
    facet_error error;
    bind_pelvis(full);
    facet_j3d *original = write_document(full, FACET_J3D_BMD3, NULL), *made = NULL;
    assert_int_equal(joint_named(original, "pelvis"), 0);
    facet_output *file = bytes_of(original);
    facet_source like = test_source_of(file, "a.bmd");
    facet_j3d_options j3d = {.like = &like};
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    facet_options options = {.j3d = &j3d, .report = report};
    TEST_OK(facet_prepare(scene, facet_format_named("bmd"), NULL, NULL, NULL, &error), &error);
    TEST_OK(facet_j3d_from_scene(scene, &options, &made, &error), &error);
    assert_null(test_finding(report, "J3D-LIKE-BONE-PLACE"));
    assert_null(test_finding(report, "J3D-LIKE-BONE-GONE"));
    assert_null(test_finding(report, "J3D-LIKE-BONE-PARENT"));
    facet_j3d_free(made);
    facet_report_free(report);
    facet_output_free(file);
    facet_j3d_free(original);
    facet_scene_free(full);
    facet_scene_free(scene);
}
