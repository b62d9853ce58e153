/* formats/j3d/scene/from_scene/places.c - transforms of joints: scale, angles and translation of
 * nodes.
 *
 * Angles of joints are coarse (0.0055 degrees), and a joint has no shear and no mirroring. The
 * vertices and the inverse bind matrix of a joint compensate for the difference, so that the rest
 * pose is exact. */
#include "formats/j3d/gpu/skeleton.h"
#include "formats/j3d/json/json.h"
#include "formats/j3d/scene/from_scene/builder.h"
#include "formats/j3d/scene/from_scene/original.h"

#include "base/error.h"
#include "base/report.h"
#include "base/vec.h"
#include "scene/transform.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* -- Scale, angles and translation of a matrix -------------------------- */

static int16_t angle_of(double radians)
{
    double units = round(radians * 32767 / FACET_PI);
    return (int16_t)fmin(fmax(units, -32767), 32767);
}

/* Set the angles of R = Rz * Ry * Rx, given by rows. */
static void set_rotation(facet_j3d_joint *joint, const double r[9])
{
    double sine = fmin(fmax(-r[6], -1), 1), x, z = 0;
    if (fabs(sine) < 1 - 1e-10) {
        x = atan2(r[7], r[8]);
        z = atan2(r[3], r[0]);
    } else { /* the matrix depends only on x - z or x + z, so set z = 0 */
        x = sine > 0 ? atan2(r[1], r[4]) : atan2(-r[1], r[4]);
    }
    joint->rotation[0] = angle_of(x);
    joint->rotation[1] = angle_of(asin(sine));
    joint->rotation[2] = angle_of(z);
}

/* Find the scale, rotation and translation nearest to a matrix, without mirroring and shear. False
 * if it had shear. */
static bool decompose(const double local[12], facet_j3d_joint *joint)
{
    double columns[9], rows[9];
    facet_decomposition parts;
    for (int i = 0; i < 9; i++)
        columns[i] = local[i % 3 * 4 + i / 3];
    facet_axes_decompose(columns, FACET_MIRROR_X, &parts);
    for (int i = 0; i < 9; i++)
        rows[i] = parts.axes[i % 3 * 3 + i / 3];
    for (int i = 0; i < 3; i++) {
        joint->translation[i] = (float)local[i * 4 + 3];
        joint->scale[i] = (float)fabs(parts.scale[i]);
        /* Float rotations have lengths that differ from 1 in the last bits. */
        if (fabs(fabs(parts.scale[i]) - 1) < 2e-6)
            joint->scale[i] = 1;
    }
    set_rotation(joint, rows);
    return parts.shear < 1e-4;
}

/* -- Transforms of all joints ------------------------------------------- */

/* Compute the transform of a node relative to an ancestor. */
static void product_up_to(const facet_j3d_builder *b, uint32_t node, uint32_t above, double out[12])
{
    memcpy(out, b->node_local[node], sizeof(facet_j3d_matrix));
    for (uint32_t up = b->scene->nodes[node]->parent; up != above && up != FACET_NONE;
         up = b->scene->nodes[up]->parent) {
        facet_j3d_matrix made;
        facet_j3d_matrix_multiply(b->node_local[up], out, made);
        memcpy(out, made, sizeof made);
    }
}

/* Compute the transform of a joint relative to its stored parent joint. It compensates for
 * mirroring and shear missing above, but not for coarse angles. */
static void local_of(const facet_j3d_builder *b, uint32_t index, double out[12])
{
    uint32_t node = b->node_of_joint[index], parent = b->document->joints.items[index].parent;
    uint32_t above = parent == FACET_J3D_NONE ? FACET_NONE : b->node_of_joint[parent];
    facet_j3d_matrix back;
    facet_j3d_matrix_identity(out);
    if (node == FACET_NONE)
        return;
    bool is_near = above == FACET_NONE || b->like ||
                   facet_j3d_matrix_distance(
                       b->node_place[above], b->joint_place[parent],
                       1 + facet_j3d_matrix_translation_size(b->node_place[above])) < 0.01;
    if (is_near || !facet_j3d_matrix_invert(b->joint_place[parent], back))
        product_up_to(b, node, above, out);
    else
        facet_j3d_matrix_multiply(back, b->node_place[node], out);
}

static void compute_joints(facet_j3d_builder *b, uint32_t first)
{
    facet_tally sheared = {0, 0};
    for (uint32_t i = first; i < b->document->joints.count; i++) {
        facet_j3d_joint *joint = &b->document->joints.items[i];
        facet_j3d_matrix local;
        joint->scale_compensate = 0;
        joint->unknown = 0xFF;
        joint->unknown2 = 0xFFFF;
        local_of(b, i, local);
        if (!decompose(local, joint))
            facet_tally_hit(&sheared, i);
        facet_j3d_joint_local(joint, local);
        if (joint->parent == FACET_J3D_NONE)
            memcpy(b->joint_place[i], local, sizeof local);
        else
            facet_j3d_matrix_multiply(b->joint_place[joint->parent], local, b->joint_place[i]);
    }
    facet_report_add_tally(facet_j3d_builder_report(b), "LOSS-NODES", FACET_SEVERITY_WARNING,
                           FACET_NO_OFFSET, &sheared,
                           "joint %" PRIu64
                           " is sheared, which J3D cannot express: the shear is applied to the "
                           "vertices, and animations do not show it",
                           sheared.first);
}

/* Choose a scaling mode with plain products: Basic, or Maya without compensation if Basic skips a
 * scale. Basic skips a joint's scale if the product of all above is exactly 1. */
static facet_status choose_scaling(facet_j3d_builder *b)
{
    facet_j3d_skeleton skeleton;
    b->document->hierarchy.flags = FACET_J3D_SCALING_BASIC;
    facet_status status = facet_j3d_skeleton_create(b->document, b->scratch, &skeleton, b->error);
    for (uint32_t i = 0; !status && i < skeleton.joint_count; i++) {
        if (!skeleton.is_plain[i])
            b->document->hierarchy.flags = FACET_J3D_SCALING_MAYA;
    }
    return status;
}

/* Remove the shear of a matrix, because nodes cannot store it. */
static void without_shear(double local[12])
{
    double columns[9];
    facet_decomposition parts;
    for (int i = 0; i < 9; i++)
        columns[i] = local[i % 3 * 4 + i / 3];
    facet_axes_decompose(columns, FACET_MIRROR_LEAST, &parts);
    for (int i = 0; i < 9; i++)
        local[i % 3 * 4 + i / 3] = parts.axes[i] * parts.scale[i / 3];
}

/* True if a node equals the rest pose of its joint. If scaling shears the joint, compare with its
 * form in glTF, relative to the joint above. */
static bool rests(const facet_j3d_builder *b, const facet_j3d_skeleton *skeleton, uint32_t joint,
                  bool *sheared)
{
    uint32_t node = b->node_of_joint[joint], parent = b->document->joints.items[joint].parent;
    const double *place = b->node_place[node];
    double tolerance = 1 + facet_j3d_matrix_translation_size(place);
    facet_j3d_matrix back, local, seen;
    if (facet_j3d_matrix_distance(place, skeleton->globals[joint], tolerance) < 1e-4)
        return true;
    if (parent == FACET_J3D_NONE || b->node_of_joint[parent] == FACET_NONE ||
        !facet_j3d_matrix_invert(skeleton->globals[parent], back))
        return false;
    facet_j3d_matrix_multiply(back, skeleton->globals[joint], local);
    without_shear(local);
    *sheared = true;
    product_up_to(b, node, b->node_of_joint[parent], seen);
    return facet_j3d_matrix_distance(seen, local, 1 + facet_j3d_matrix_translation_size(local)) <
           1e-4;
}

/* Move nodes to their joints, also sheared ones, because meshes depend on them. */
static void place_nodes(const facet_j3d_builder *b, const facet_j3d_skeleton *skeleton)
{
    for (uint32_t i = 0; i < b->scene->node_count; i++) {
        uint32_t joint = b->joint_of_node[i];
        facet_j3d_matrix below;
        if (joint != FACET_NONE) {
            memcpy(b->node_place[i], skeleton->globals[joint], sizeof below);
            continue;
        }
        joint = facet_j3d_joint_above(b, i);
        if (joint == FACET_NONE || b->node_of_joint[joint] == FACET_NONE)
            continue;
        product_up_to(b, i, b->node_of_joint[joint], below);
        facet_j3d_matrix_multiply(skeleton->globals[joint], below, b->node_place[i]);
    }
}

/* Read the joints that the nodes were in a J3D file. *found is false if a node was not a joint, or
 * has moved since. */
static facet_status take_known_joints(facet_j3d_builder *b, bool *found)
{
    facet_j3d_joints *joints = &b->document->joints;
    facet_j3d_skeleton skeleton;
    bool sheared = false;
    *found = b->is_j3d;
    for (uint32_t i = 0; i < joints->count && *found; i++) {
        uint32_t node = b->node_of_joint[i];
        const facet_gx_file_part *file = node != FACET_NONE ? b->node_files[node] : NULL;
        *found = file && file->joint;
        if (*found)
            facet_j3d_joint_from_file(file->joint, &joints->items[i]);
        else if (file)
            facet_j3d_builder_report_wrong(b, file->wrong_joint);
    }
    if (!*found)
        return FACET_OK;
    facet_status status = facet_j3d_skeleton_create(b->document, b->scratch, &skeleton, b->error);
    for (uint32_t i = 0; i < joints->count && *found && !status; i++)
        *found = rests(b, &skeleton, i, &sheared);
    if (!status && *found && sheared)
        place_nodes(b, &skeleton);
    if (!status && *found)
        memcpy(b->joint_place, skeleton.globals, joints->count * sizeof *b->joint_place);
    return status;
}

facet_status facet_j3d_build_places(facet_j3d_builder *b)
{
    bool found;
    if (b->like) {
        b->like->steps->take_places(b);
        compute_joints(b, b->like->joint_count);
        return FACET_OK;
    }
    facet_status status = take_known_joints(b, &found);
    if (status || found)
        return status;
    compute_joints(b, 0);
    return choose_scaling(b);
}
