/* j3d/to_scene/node.c - joints to nodes. */
#include "base/error.h"
#include "base/report.h"
#include "j3d/json/json.h"
#include "j3d/to_scene/to_scene.h"

#include <inttypes.h>
#include <math.h>

/* -- Places ------------------------------------------------------------- */

/* The rotation that a joint's three angles make. */
static void quaternion_of_angles(const int16_t rotation[3], float q[4])
{
    double s[3], c[3];
    for (int i = 0; i < 3; i++) {
        double half = facet_j3d_angle(rotation[i]) / 2;
        s[i] = sin(half);
        c[i] = cos(half);
    }
    q[0] = (float)(s[0] * c[1] * c[2] - c[0] * s[1] * s[2]);
    q[1] = (float)(c[0] * s[1] * c[2] + s[0] * c[1] * s[2]);
    q[2] = (float)(c[0] * c[1] * s[2] - s[0] * s[1] * c[2]);
    q[3] = (float)(c[0] * c[1] * c[2] + s[0] * s[1] * s[2]);
}

/* The unit quaternion of three orthonormal columns. */
static void quaternion_of_axes(const double m[3][3], float q[4])
{
    double v[4], trace = m[0][0] + m[1][1] + m[2][2];
    if (trace > 0) {
        double s = sqrt(trace + 1) * 2;
        v[3] = s / 4;
        v[0] = (m[2][1] - m[1][2]) / s;
        v[1] = (m[0][2] - m[2][0]) / s;
        v[2] = (m[1][0] - m[0][1]) / s;
    } else {
        int i = m[0][0] > m[1][1] ? 0 : 1;
        i = m[2][2] > m[i][i] ? 2 : i;
        int j = (i + 1) % 3, k = (i + 2) % 3;
        double s = sqrt(1 + m[i][i] - m[j][j] - m[k][k]) * 2;
        v[i] = s / 4;
        v[3] = (m[k][j] - m[j][k]) / s;
        v[j] = (m[j][i] + m[i][j]) / s;
        v[k] = (m[k][i] + m[i][k]) / s;
    }
    for (int i = 0; i < 4; i++)
        q[i] = (float)v[i];
}

/* Scale, rotation and translation of a matrix; false when it shears or is flat. */
static bool decompose(const double m[12], facet_transform *transform)
{
    double axes[3][3], lengths[3], cofactors[9];
    facet_j3d_matrix_cofactors(m, cofactors);
    bool mirrors = m[0] * cofactors[0] + m[1] * cofactors[1] + m[2] * cofactors[2] < 0;
    for (int i = 0; i < 3; i++) {
        lengths[i] = sqrt(m[i] * m[i] + m[4 + i] * m[4 + i] + m[8 + i] * m[8 + i]);
        if (!(lengths[i] > 0))
            return false;
        if (i == 0 && mirrors)
            lengths[i] = -lengths[i];
        for (int row = 0; row < 3; row++)
            axes[row][i] = m[row * 4 + i] / lengths[i];
        transform->scale[i] = (float)lengths[i];
        transform->translation[i] = (float)m[i * 4 + 3];
    }
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3;
        double dot = axes[0][i] * axes[0][j] + axes[1][i] * axes[1][j] + axes[2][i] * axes[2][j];
        if (!(fabs(dot) < 1e-6))
            return false;
    }
    quaternion_of_axes((const double(*)[3])axes, transform->rotation);
    return true;
}

static void place_plainly(const facet_j3d_joint *joint, facet_node *node)
{
    for (int i = 0; i < 3; i++) {
        node->transform.translation[i] = joint->translation[i];
        node->transform.scale[i] = joint->scale[i];
    }
    quaternion_of_angles(joint->rotation, node->transform.rotation);
}

/* What scaling makes of a joint is put into its own place: exact at rest. */
static void place(const facet_j3d_reading *r, uint32_t index, facet_node *node,
                  facet_tally *sheared)
{
    const facet_j3d_joint *joint = &r->document->joints.items[index];
    facet_j3d_matrix above, local;
    const double *global = r->skeleton.globals[index];
    place_plainly(joint, node);
    if (r->skeleton.is_plain[index])
        return;
    if (joint->parent == FACET_J3D_NONE)
        memcpy(local, global, sizeof local);
    else if (facet_j3d_matrix_invert(r->skeleton.globals[joint->parent], above))
        facet_j3d_matrix_multiply(above, global, local);
    else
        return; /* whatever is below has no volume anyway */
    facet_transform transform;
    if (decompose(local, &transform)) {
        node->transform = transform;
        return;
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
    facet_status status = facet_scene_add_node(r->scene, name, &node, error);
    if (status)
        return status;
    if (joint->parent != FACET_J3D_NONE)
        node->parent = joint->parent;
    place(r, index, node, sheared);
    node->extras = facet_j3d_joint_extras(r->document, index, r->scene->arena);
    return node->extras ? FACET_OK : facet_fail_memory(error, 1);
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
