/* j3d/from_scene/places.c - where joints stand: scale, angles and translation
 * of nodes.
 *
 * Angles of joints are coarse (0.0055 degrees), and shear and mirrors have no
 * place in them: what a joint cannot hold is put into the vertices that hang on
 * it and into its inverse bind matrix, so that the model at rest is where it was. */
#include "j3d/from_scene/joints.h"
#include "j3d/json/json.h"

#include "base/error.h"
#include "base/report.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846

/* -- Matrices ----------------------------------------------------------- */

void facet_j3d_convert_matrix(const j3d_build *w, const float m[16], double out[12])
{
    double half[9];
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            half[r * 3 + c] = 0;
            for (int k = 0; k < 3; k++)
                half[r * 3 + c] += w->turn[r * 3 + k] * (double)m[c * 4 + k];
        }
    }
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            out[r * 4 + c] = 0;
            for (int k = 0; k < 3; k++)
                out[r * 4 + c] += half[r * 3 + k] * w->turn[c * 3 + k];
        }
        out[r * 4 + 3] = 0;
        for (int k = 0; k < 3; k++)
            out[r * 4 + 3] += w->turn[r * 3 + k] * (double)m[12 + k] * w->unit;
    }
}

double facet_j3d_matrix_determinant(const double m[12])
{
    double c[9];
    facet_j3d_matrix_cofactors(m, c);
    return m[0] * c[0] + m[1] * c[1] + m[2] * c[2];
}

double facet_j3d_matrix_distance(const double a[12], const double b[12], double size)
{
    double most = 0, scale = 1e-30;
    for (int i = 0; i < 12; i++) {
        if (i % 4 != 3)
            scale = fmax(scale, fabs(b[i]));
    }
    for (int i = 0; i < 12; i++)
        most = fmax(most, fabs(a[i] - b[i]) / (i % 4 == 3 ? fmax(size, 1e-30) : scale));
    return most;
}

double facet_j3d_translation_size(const double m[12])
{
    return fmax(fabs(m[3]), fmax(fabs(m[7]), fabs(m[11])));
}

/* -- Their places ------------------------------------------------------- */

static int16_t angle_of(double radians)
{
    double units = round(radians * 32767 / PI);
    return (int16_t)fmin(fmax(units, -32767), 32767);
}

/* The angles of R = Rz * Ry * Rx, given by rows. */
static void set_rotation(facet_j3d_joint *joint, const double r[9])
{
    double sine = fmin(fmax(-r[6], -1), 1), x, z = 0;
    if (fabs(sine) < 1 - 1e-10) {
        x = atan2(r[7], r[8]);
        z = atan2(r[3], r[0]);
    } else { /* only x - z, or x + z, shows */
        x = sine > 0 ? atan2(r[1], r[4]) : atan2(-r[1], r[4]);
    }
    joint->rotation[0] = angle_of(x);
    joint->rotation[1] = angle_of(asin(sine));
    joint->rotation[2] = angle_of(z);
}

static double normalize(double v[3])
{
    double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int i = 0; i < 3 && length > 0; i++)
        v[i] /= length;
    return length;
}

/* `v` made orthogonal to `to`; any such unit vector when nothing is left. */
static void orthogonalize(double v[3], const double *to, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        double along = v[0] * to[3 * k] + v[1] * to[3 * k + 1] + v[2] * to[3 * k + 2];
        for (int i = 0; i < 3; i++)
            v[i] -= along * to[3 * k + i];
    }
    for (int axis = 0; normalize(v) < 1e-12 && axis < 3; axis++) {
        v[0] = v[1] = v[2] = 0;
        v[axis] = 1;
        for (size_t k = 0; k < count; k++) {
            double along = to[3 * k + axis];
            for (int i = 0; i < 3; i++)
                v[i] -= along * to[3 * k + i];
        }
    }
}

/* Scale, rotation and translation nearest to a matrix. A mirror is left out,
 * and shear is; false when there was shear. */
static bool decompose(const double local[12], facet_j3d_joint *joint)
{
    double axes[9], scale[3], lean = 0;
    for (int column = 0; column < 3; column++) {
        for (int row = 0; row < 3; row++)
            axes[column * 3 + row] = local[row * 4 + column];
        scale[column] = normalize(axes + column * 3);
        joint->translation[column] = (float)local[column * 4 + 3];
    }
    for (int column = 1; column < 3; column++) {
        double before[3];
        memcpy(before, axes + column * 3, sizeof before);
        orthogonalize(axes + column * 3, axes, (size_t)column);
        for (int i = 0; i < 3 && scale[column] > 0; i++)
            lean = fmax(lean, fabs(before[i] - axes[column * 3 + i]));
    }
    if (scale[0] == 0)
        orthogonalize(axes, axes + 3, 2);
    double hand = axes[0] * (axes[4] * axes[8] - axes[5] * axes[7]) -
                  axes[1] * (axes[3] * axes[8] - axes[5] * axes[6]) +
                  axes[2] * (axes[3] * axes[7] - axes[4] * axes[6]);
    double rows[9];
    for (int i = 0; i < 9; i++)
        rows[i] = axes[i % 3 * 3 + i / 3] * (hand < 0 && i % 3 == 0 ? -1 : 1);
    for (int i = 0; i < 3; i++) {
        joint->scale[i] = (float)scale[i];
        /* A unit rotation in floats leaves lengths that are 1 but for the last bits. */
        if (fabs(scale[i] - 1) < 2e-6)
            joint->scale[i] = 1;
    }
    set_rotation(joint, rows);
    return lean < 1e-4;
}

/* The place of a node beside one above it. */
static void product_up_to(const j3d_build *w, uint32_t node, uint32_t above, double out[12])
{
    memcpy(out, w->node_local[node], sizeof(facet_j3d_matrix));
    for (uint32_t up = w->scene->nodes[node].parent; up != above && up != FACET_NONE;
         up = w->scene->nodes[up].parent) {
        facet_j3d_matrix made;
        facet_j3d_matrix_multiply(w->node_local[up], out, made);
        memcpy(out, made, sizeof made);
    }
}

/* Where a joint stands beside the joint above it, as that is written. Coarse
 * angles above are nothing to make up for; mirrors and shear are. */
static void local_of(const j3d_build *w, uint32_t index, double out[12])
{
    uint32_t node = w->node_of_joint[index], parent = w->document->joints.items[index].parent;
    uint32_t above = parent == FACET_J3D_NONE ? FACET_NONE : w->node_of_joint[parent];
    facet_j3d_matrix back;
    memcpy(out, facet_j3d_identity, sizeof facet_j3d_identity);
    if (node == FACET_NONE)
        return;
    bool is_near =
        above == FACET_NONE ||
        facet_j3d_matrix_distance(w->node_place[above], w->joint_place[parent],
                                  1 + facet_j3d_translation_size(w->node_place[above])) < 0.01;
    if (is_near || !facet_j3d_matrix_invert(w->joint_place[parent], back))
        product_up_to(w, node, above, out);
    else
        facet_j3d_matrix_multiply(back, w->node_place[node], out);
}

static void compute_joints(j3d_build *w)
{
    facet_tally sheared = {0, 0};
    for (uint32_t i = 0; i < w->document->joints.count; i++) {
        facet_j3d_joint *joint = &w->document->joints.items[i];
        facet_j3d_matrix local;
        joint->scale_compensate = 0;
        joint->unknown = 0xFF;
        joint->unknown2 = 0xFFFF;
        local_of(w, i, local);
        if (!decompose(local, joint))
            facet_tally_hit(&sheared, i);
        facet_j3d_joint_local(joint, local);
        if (joint->parent == FACET_J3D_NONE)
            memcpy(w->joint_place[i], local, sizeof local);
        else
            facet_j3d_matrix_multiply(w->joint_place[joint->parent], local, w->joint_place[i]);
    }
    facet_report_add_tally(facet_j3d_writer_report(w), "LOSS-SHEAR", FACET_SEVERITY_WARNING,
                           FACET_NO_OFFSET, &sheared,
                           "joint %" PRIu64 " has shear, which J3D has not: it is put into the "
                           "vertices, and animations will not show it",
                           sheared.first);
}

/* Basic skips a joint's scale when the product of all above is exactly 1;
 * Maya's way without compensation is the plain product. */
static facet_status choose_scaling(j3d_build *w)
{
    facet_j3d_skeleton skeleton;
    w->document->hierarchy.flags = FACET_J3D_SCALING_BASIC;
    facet_status status = facet_j3d_skeleton_create(w->document, w->scratch, &skeleton, w->error);
    for (uint32_t i = 0; !status && i < skeleton.joint_count; i++) {
        if (!skeleton.is_plain[i])
            w->document->hierarchy.flags = FACET_J3D_SCALING_MAYA;
    }
    return status;
}

/* What nodes say of the joints that they were, if all of them still stand
 * there; *found tells. */
static facet_status take_known_joints(j3d_build *w, bool *found)
{
    facet_j3d_joints *joints = &w->document->joints;
    facet_j3d_skeleton skeleton;
    facet_status status = FACET_OK;
    *found = w->is_j3d;
    for (uint32_t i = 0; i < joints->count && *found && !status; i++) {
        uint32_t node = w->node_of_joint[i];
        uint16_t parent = joints->items[i].parent;
        *found = node != FACET_NONE;
        if (*found)
            status = facet_j3d_writer_extras(
                w,
                facet_j3d_joint_from_extras(w->scene->nodes[node].extras, &joints->items[i], found,
                                            w->error),
                found);
        joints->items[i].parent = parent;
    }
    if (status || !*found)
        return status;
    status = facet_j3d_skeleton_create(w->document, w->scratch, &skeleton, w->error);
    for (uint32_t i = 0; i < joints->count && *found && !status; i++) {
        const double *place = w->node_place[w->node_of_joint[i]];
        *found = facet_j3d_matrix_distance(place, skeleton.globals[i],
                                           1 + facet_j3d_translation_size(place)) < 1e-4;
    }
    if (!status && *found)
        memcpy(w->joint_place, skeleton.globals, joints->count * sizeof *w->joint_place);
    return status;
}

facet_status facet_j3d_place_joints(j3d_build *w)
{
    bool found;
    facet_status status = take_known_joints(w, &found);
    if (status || found)
        return status;
    compute_joints(w);
    return choose_scaling(w);
}
