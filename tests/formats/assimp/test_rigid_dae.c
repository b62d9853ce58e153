/* Rigid meshes below joints in a COLLADA. Blender shows them only if they are bound to the joint.
 */
#include "support/j3d_write.h"
#include "support/models.h"

#ifdef FACET_HAVE_ASSIMP

/* The rig of make_rig with a mesh `hat` below the leg, 2 to the right, turned by a quarter around z
 * and doubled along x. */
static facet_scene *make_hat(void)
{
    facet_scene *scene = make_rig();
    uint32_t hat = add_node(scene, "hat", 3, add_triangle(scene));
    turn_about_z(scene->nodes[hat]);
    scene->nodes[hat]->transform.translation[0] = 2;
    scene->nodes[hat]->transform.scale[0] = 2;
    return scene;
}

static facet_node *named(const facet_scene *scene, const char *name, const char **parent)
{
    for (uint32_t i = 0; i < scene->node_count; i++) {
        facet_node *node = scene->nodes[i];
        if (strcmp(node->name, name) != 0)
            continue;
        *parent = node->parent == FACET_NONE ? "" : scene->nodes[node->parent]->name;
        return node;
    }
    fail_msg("no node '%s'", name);
    return NULL;
}

static uint32_t count_text(const facet_output *output, const char *text)
{
    const char *at = (const char *)facet_output_data(output);
    const char *end = at + facet_output_size(output);
    size_t length = strlen(text);
    uint32_t count = 0;
    for (; (size_t)(end - at) >= length; at++)
        count += memcmp(at, text, length) == 0;
    return count;
}

/* The leg is bound at (0, 0.5, 0). Without the rotation, the hat's matrix below it has the columns
 * (2, 0, 0), (0, 1, 0), (0, 0, 1) and (2, 0, 0). */
TEST(rigid_meshes_below_joints_are_bound_to_them)
{
    facet_error error;
    facet_options options = {0};
    facet_scene *scene = make_hat();
    memcpy(scene->nodes[4]->transform.rotation, (float[4]){0, 0, 0, 1}, 4 * sizeof(float));
    TEST_OK(facet_report_create(NULL, &options.report, &error), &error);
    facet_output *output = save_scene(scene, "dae", &options);
    assert_int_equal(count_text(output, "<instance_geometry"), 0);
    assert_int_equal(count_text(output, "<instance_controller"), 2);
    assert_int_equal(count_text(output, "<bind_shape_matrix>2 0 0 2 0 1 0 0.5 0 0 1 0 0 0 0 1<"),
                     1);
    assert_non_null(test_finding(options.report, "ASSIMP-RIGID"));
    /* Every joint of the rig is one in the file, also without weights. */
    assert_int_equal(count_text(output, "type=\"JOINT\""), 2);
    facet_report_free(options.report);
    facet_output_free(output);
    facet_scene_free(scene);
}

TEST(bound_rigid_meshes_become_rigid_again)
{
    const char *parent;
    facet_scene *scene = make_hat();
    facet_output *output = save_scene(scene, "dae", NULL);
    facet_scene *again = load_output(output, "a.dae", NULL);
    const facet_node *hat = named(again, "hat", &parent);
    assert_string_equal(parent, "leg");
    assert_int_equal(hat->skin, FACET_NONE);
    assert_int_equal(again->skin_count, 1);
    const facet_mesh *mesh = again->meshes[hat->mesh];
    assert_null(facet_mesh_find(mesh, FACET_JOINTS, 0));
    assert_null(facet_mesh_find(mesh, FACET_WEIGHTS, 0));
    const facet_transform expected = scene->nodes[4]->transform;
    for (int i = 0; i < 3; i++) {
        assert_float_equal(hat->transform.translation[i], expected.translation[i], 1e-6);
        assert_float_equal(hat->transform.scale[i], expected.scale[i], 1e-6);
    }
    for (int i = 0; i < 4; i++)
        assert_float_equal(hat->transform.rotation[i], expected.rotation[i], 1e-6);
    facet_scene_free(again);
    facet_output_free(output);
    facet_scene_free(scene);
}

/* A skin with one joint, whose weights are 1, stays a skin. */
TEST(skins_with_one_joint_stay_skins)
{
    facet_scene *scene = make_rig();
    uint16_t *joints = facet_mesh_find(scene->meshes[0], FACET_JOINTS, 0)->data;
    float *weights = facet_mesh_find(scene->meshes[0], FACET_WEIGHTS, 0)->data;
    for (size_t i = 0; i < 16; i++) {
        joints[i] = 1;
        weights[i] = i % 4 == 0;
    }
    facet_output *output = save_scene(scene, "dae", NULL);
    facet_scene *again = load_output(output, "a.dae", NULL);
    assert_int_equal(again->skin_count, 1);
    facet_scene_free(again);
    facet_output_free(output);
    facet_scene_free(scene);
}

/* A mesh on an animated node below a joint is bound to that node. The scene looks the same at both
 * ends of the animation, where the node moves by 3. */
TEST(animated_rigid_meshes_follow_their_node)
{
    static const float times[2] = {0, 1}, values[6] = {2, 0, 0, 5, 0, 0};
    facet_error error;
    facet_animation *animation = NULL;
    facet_scene *scene = make_hat();
    TEST_OK(facet_scene_add_animation(scene, "nod", 1, &animation, &error), &error);
    animation->channels[0] = (facet_channel){.node = 4,
                                             .target = FACET_TARGET_TRANSLATION,
                                             .interpolation = FACET_INTERPOLATION_LINEAR,
                                             .width = 3,
                                             .key_count = 2,
                                             .times = (float *)(uintptr_t)times,
                                             .values = (float *)(uintptr_t)values};
    facet_output *output = save_scene(scene, "dae", NULL);
    assert_int_equal(count_text(output, "<instance_geometry"), 0);
    facet_scene *again = load_output(output, "a.dae", NULL);
    for (int at = 0; at < 2; at++) {
        facet_pose pose = {0};
        TEST_OK(facet_scene_pose(again, 0, at, NULL, &pose, &error), &error);
        for (uint32_t i = 0; i < again->node_count; i++) {
            if (again->nodes[i]->mesh == FACET_NONE || again->nodes[i]->skin != FACET_NONE)
                continue;
            /* the leg at (0, 0.5, 0), then the hat */
            assert_float_equal(pose.global[i * 16 + 12], at == 0 ? 2 : 5, 1e-5);
            assert_float_equal(pose.global[i * 16 + 13], 0.5, 1e-5);
        }
        facet_pose_free(&pose);
    }
    facet_scene_free(again);
    facet_output_free(output);
    facet_scene_free(scene);
}

#endif
