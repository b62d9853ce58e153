/* Axes of billboards in J3D documents of handwritten scenes. */
#include "support/j3d_write.h"

/* Expect a triangle of a document at rest, in any order of its corners. */
static void expect_triangle(const facet_j3d *document, const float corners[9])
{
    placed p = place(document);
    assert_true(has_triangle(&p, corners, 1e-4F));
    free(p.corners);
}

/* Games draw the plane of a joint's x and y axes toward the camera. Blender's FBX has z up in the
 * axes of an object, below a rotation by -90 degrees about x: (x, y, z) becomes (x, z, -y). Such a
 * billboard gets a joint with y up. Nothing moves at rest. J3D's angles: 0x4000 is 90 degrees. */
TEST(billboard_with_z_up_gets_a_joint_with_y_up)
{
    static const struct {
        const char *name;
        float rotation; /* x of the quaternion; w is 0.70710678 */
        float points[9];
        int16_t joint;
        float placed[9];
    } cases[] = {
        /* upright, with z up */
        {"BillXY", -0.70710678F, {0, 0, 0, 1, 0, 0, 0, 0, 1}, 0, {0, 0, 0, 1, 0, 0, 0, 1, 0}},
        {"BillX", -0.70710678F, {0, 0, 0, 1, 0, 0, 0, 0, 1}, 0, {0, 0, 0, 1, 0, 0, 0, 1, 0}},
        /* upright, with -z up */
        {"BillXY", 0.70710678F, {0, 0, 0, 1, 0, 0, 0, 0, -1}, 0, {0, 0, 0, 1, 0, 0, 0, 1, 0}},
        /* lying: it faces the camera with its own axes */
        {"BillXY",
         -0.70710678F,
         {0, 0, 0, 1, 0, 0, 0, 1, 0},
         -0x4000,
         {0, 0, 0, 1, 0, 0, 0, 0, -1}},
        /* no billboard */
        {"a", -0.70710678F, {0, 0, 0, 1, 0, 0, 0, 0, 1}, -0x4000, {0, 0, 0, 1, 0, 0, 0, 1, 0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        facet_scene *scene = test_scene();
        uint32_t mesh = add_triangle(scene), below = add_triangle(scene);
        uint32_t node = add_node(scene, cases[i].name, FACET_NONE, mesh);
        uint32_t child = add_node(scene, "child", node, below);
        facet_node *turned = scene->nodes[node];
        turned->transform.rotation[0] = cases[i].rotation;
        turned->transform.rotation[3] = 0.70710678F;
        scene->nodes[child]->transform.translation[2] = 2;
        memcpy(scene->meshes[mesh]->streams[0].data, cases[i].points, sizeof cases[i].points);
        memcpy(scene->meshes[below]->streams[0].data, cases[i].points, sizeof cases[i].points);
        facet_j3d *document = write_document(scene, FACET_J3D_BMD3, NULL);
        const facet_j3d_joint *joint =
            &document->joints.items[joint_named(document, cases[i].name)];
        assert_in_range(joint->rotation[0] - cases[i].joint + 2, 0, 4); /* coarse angles */
        expect_triangle(document, cases[i].placed);
        /* The child is 2 along the node's z axis, which is the scene's y axis or its opposite. */
        float moved[9];
        memcpy(moved, cases[i].placed, sizeof moved);
        for (int k = 0; k < 3; k++)
            moved[k * 3 + 1] += cases[i].rotation < 0 ? 2 : -2;
        expect_triangle(document, moved);
        facet_j3d_free(document);
        facet_scene_free(scene);
    }
}
