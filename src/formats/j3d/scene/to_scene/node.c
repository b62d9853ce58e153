/* formats/j3d/scene/to_scene/node.c - joints to nodes. */
#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"
#include "formats/j3d/json/json.h"
#include "formats/j3d/scene/to_scene/to_scene.h"
#include "scene/transform.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* -- Transforms --------------------------------------------------------- */

void facet_j3d_quaternion_of_angles(const double angles[3], float q[4])
{
    double s[3], c[3];
    for (int i = 0; i < 3; i++) {
        double half = angles[i] / 2;
        s[i] = sin(half);
        c[i] = cos(half);
    }
    q[0] = (float)(s[0] * c[1] * c[2] - c[0] * s[1] * s[2]);
    q[1] = (float)(c[0] * s[1] * c[2] + s[0] * c[1] * s[2]);
    q[2] = (float)(c[0] * c[1] * s[2] - s[0] * s[1] * c[2]);
    q[3] = (float)(c[0] * c[1] * c[2] + s[0] * s[1] * s[2]);
}

bool facet_j3d_decompose_matrix(const double m[12], facet_transform *transform)
{
    double columns[9];
    facet_decomposition parts;
    for (int i = 0; i < 9; i++)
        columns[i] = m[i % 3 * 4 + i / 3];
    facet_axes_decompose(columns, FACET_MIRROR_X, &parts);
    facet_quaternion_of_axes(parts.axes, transform->rotation);
    bool is_flat = false;
    for (int i = 0; i < 3; i++) {
        transform->scale[i] = (float)parts.scale[i];
        transform->translation[i] = (float)m[i * 4 + 3];
        is_flat |= parts.scale[i] == 0;
    }
    return !is_flat && parts.shear < 1e-6;
}

static void place_plainly(const facet_j3d_joint *joint, facet_node *node)
{
    double angles[3];
    for (int i = 0; i < 3; i++) {
        node->transform.translation[i] = joint->translation[i];
        node->transform.scale[i] = joint->scale[i];
        angles[i] = facet_j3d_angle(joint->rotation[i]);
    }
    facet_j3d_quaternion_of_angles(angles, node->transform.rotation);
}

facet_j3d_rest facet_j3d_joint_rest(const facet_j3d *document, const facet_j3d_skeleton *skeleton,
                                    uint32_t index, double local[12], facet_transform *transform)
{
    const facet_j3d_joint *joint = &document->joints.items[index];
    facet_j3d_matrix above;
    const double *global = skeleton->globals[index];
    if (skeleton->is_plain[index])
        return FACET_J3D_REST_AS_STORED;
    if (joint->parent == FACET_J3D_NONE)
        memcpy(local, global, sizeof above);
    else if (facet_j3d_matrix_invert(skeleton->globals[joint->parent], above))
        facet_j3d_matrix_multiply(above, global, local);
    else
        return FACET_J3D_REST_AS_STORED; /* everything below it has no volume anyway */
    return facet_j3d_decompose_matrix(local, transform) ? FACET_J3D_REST_COMPUTED
                                                        : FACET_J3D_REST_SHEARED;
}

/* Set the transform of a node, including the effect of scaling modes: exact at rest. */
static void place(const facet_j3d_reading *r, uint32_t index, facet_node *node,
                  facet_tally *sheared)
{
    facet_j3d_matrix local;
    facet_transform transform;
    place_plainly(&r->document->joints.items[index], node);
    switch (facet_j3d_joint_rest(r->document, &r->skeleton, index, local, &transform)) {
    case FACET_J3D_REST_AS_STORED:
        return;
    case FACET_J3D_REST_COMPUTED:
        node->transform = transform;
        return;
    case FACET_J3D_REST_SHEARED:
        break;
    }
    facet_tally_hit(sheared, index);
    node->has_matrix = true;
    for (int column = 0; column < 4; column++) {
        for (int row = 0; row < 3; row++)
            node->matrix[column * 4 + row] = (float)local[row * 4 + column];
        node->matrix[column * 4 + 3] = column == 3 ? 1.0F : 0.0F;
    }
}

/* -- Nodes -------------------------------------------------------------- */

static facet_status add_joint(facet_j3d_reading *r, uint32_t index, facet_tally *sheared,
                              facet_error *error)
{
    const facet_j3d_joints *joints = &r->document->joints;
    const facet_j3d_joint *joint = &joints->items[index];
    char name[256] = "";
    facet_node *node;
    if (index < joints->names.count)
        facet_j3d_name_text(joints->names.items[index].bytes, name, sizeof name);
    TRY(facet_scene_add_node(r->scene, name, &node, error));
    if (joint->parent != FACET_J3D_NONE)
        node->parent = joint->parent;
    place(r, index, node, sheared);
    node->gx_file = facet_j3d_file_joint(joint, r->scene->arena);
    return node->gx_file ? FACET_OK : facet_fail_arena(r->scene->arena, error);
}

facet_status facet_j3d_add_joints(facet_j3d_reading *r, facet_error *error)
{
    facet_tally sheared = {0, 0};
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < r->document->joints.count && !status; i++)
        status = add_joint(r, i, &sheared, error);
    facet_report_add_tally(
        r->report, "J3D-JOINT-MATRIX", FACET_SEVERITY_NOTE, FACET_NO_OFFSET, &sheared,
        "joint %" PRIu64 " is sheared by the scale of its parents: its node has a matrix, which "
        "no animation can move",
        sheared.first);
    return status;
}
