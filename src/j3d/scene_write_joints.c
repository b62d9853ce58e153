/* j3d/scene_write_joints.c - nodes and skins become joints, and every mesh
 * hangs on one.
 *
 * Every node that is seen becomes a joint, but for those that would only be in
 * the way of a skeleton's order: the nodes of skinned meshes, and nodes above
 * the joints of a skin that do not move anything. Angles of joints are coarse
 * (0.0055 degrees), and shear and mirrors have no place in them: what a joint
 * cannot hold is put into the vertices that hang on it and into its inverse bind
 * matrix, so that the model at rest is where it was. */
#include "j3d/json.h"
#include "j3d/scene_write.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"
#include "scene/matrix.h"
#include "scene/scene.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define PI 3.14159265358979323846
#define MOST_JOINTS 65535

static const facet_j3d_matrix identity = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};

/* What is known of the nodes while joints are chosen. */
typedef struct choosing {
    uint32_t *order;
    bool *seen;
    bool *in_skin;    /* joint of a skin that is used */
    bool *above_skin; /* has one below it */
    bool *has_children;
    uint32_t *first_child, *next_sibling;
    uint32_t *stack;
} choosing;

/* -- Matrices ----------------------------------------------------------- */

/* A matrix of the scene in J3D's frame. */
static void convert(const j3d_writer *w, const float m[16], double out[12])
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

static double determinant(const double m[12])
{
    double c[9];
    facet_j3d_matrix_cofactors(m, c);
    return m[0] * c[0] + m[1] * c[1] + m[2] * c[2];
}

/* How far a matrix is from another: the largest difference of the 3x3 parts
 * beside their size, and of the translations beside `size`. */
static double distance(const double a[12], const double b[12], double size)
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

static double translation_size(const double m[12])
{
    return fmax(fabs(m[3]), fmax(fabs(m[7]), fabs(m[11])));
}

/* -- Which nodes -------------------------------------------------------- */

static facet_status look_at_nodes(j3d_writer *w, choosing *c)
{
    const facet_scene *scene = w->scene;
    uint32_t count = scene->node_count;
    c->order = facet_j3d_writer_scratch(w, count, sizeof *c->order);
    c->stack = facet_j3d_writer_scratch(w, count, sizeof *c->stack);
    c->seen = facet_j3d_writer_scratch(w, count, sizeof *c->seen);
    c->in_skin = facet_j3d_writer_scratch(w, count, sizeof *c->in_skin);
    c->above_skin = facet_j3d_writer_scratch(w, count, sizeof *c->above_skin);
    c->has_children = facet_j3d_writer_scratch(w, count, sizeof *c->has_children);
    w->node_local = facet_j3d_writer_scratch(w, count, sizeof *w->node_local);
    c->first_child = facet_j3d_writer_scratch(w, count, sizeof *c->first_child);
    c->next_sibling = facet_j3d_writer_scratch(w, count, sizeof *c->next_sibling);
    w->node_place = facet_j3d_writer_scratch(w, count, sizeof *w->node_place);
    w->joint_of_node = facet_j3d_writer_scratch(w, count, sizeof *w->joint_of_node);
    if (!c->order || !c->stack || !c->seen || !c->in_skin || !c->above_skin || !c->has_children ||
        !w->node_local || !c->first_child || !c->next_sibling || !w->node_place ||
        !w->joint_of_node)
        return FACET_ERROR_MEMORY;
    facet_status status = facet_scene_order(scene, c->stack, c->order, w->error);
    if (status)
        return status;
    facet_scene_mark_seen(scene, c->order, c->seen);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t node = c->order[i], parent = scene->nodes[node].parent;
        float local[16];
        facet_matrix_of_node(&scene->nodes[node], local);
        convert(w, local, w->node_local[node]);
        if (parent == FACET_NONE)
            memcpy(w->node_place[node], w->node_local[node], sizeof *w->node_local);
        else
            facet_j3d_matrix_multiply(w->node_place[parent], w->node_local[node],
                                      w->node_place[node]);
        w->joint_of_node[node] = FACET_NONE;
    }
    return FACET_OK;
}

static bool is_skinned(const facet_scene *scene, const facet_node *node)
{
    return node->mesh != FACET_NONE && node->skin != FACET_NONE &&
           facet_mesh_find(scene->meshes[node->mesh], FACET_JOINTS, 0) &&
           facet_mesh_find(scene->meshes[node->mesh], FACET_WEIGHTS, 0);
}

/* Joints of skins that are used count as seen, with all that is above them. */
static void mark_skins(const j3d_writer *w, choosing *c)
{
    const facet_scene *scene = w->scene;
    for (uint32_t i = 0; i < scene->node_count; i++) {
        const facet_node *node = &scene->nodes[i];
        if (!c->seen[i] || !is_skinned(scene, node))
            continue;
        const facet_skin *skin = &scene->skins[node->skin];
        for (uint32_t j = 0; j < skin->joint_count; j++) {
            if (skin->joints[j] != FACET_NONE)
                c->in_skin[skin->joints[j]] = true;
        }
    }
    for (uint32_t i = scene->node_count; i-- > 0;) {
        uint32_t node = c->order[i], parent = scene->nodes[node].parent;
        c->seen[node] |= c->in_skin[node] || c->above_skin[node];
        if (parent == FACET_NONE)
            continue;
        c->above_skin[parent] |= c->in_skin[node] || c->above_skin[node];
        c->has_children[parent] |= c->seen[node];
    }
}

static bool is_joint(const j3d_writer *w, const choosing *c, uint32_t index)
{
    const facet_node *node = &w->scene->nodes[index];
    if (!c->seen[index])
        return false;
    if (c->in_skin[index])
        return true;
    if (w->is_j3d && facet_j3d_is_joint_extras(node->extras))
        return true;
    if (!c->has_children[index]) {
        if (node->mesh != FACET_NONE)
            return !w->is_j3d && !is_skinned(w->scene, node);
        return !node->camera && !node->light;
    }
    /* What stands above a skeleton and moves nothing. */
    return !(c->above_skin[index] && node->mesh == FACET_NONE &&
             distance(w->node_local[index], identity, 1) < 1e-6);
}

/* -- Their order -------------------------------------------------------- */

static void link_children(const j3d_writer *w, choosing *c, uint32_t *first_root)
{
    *first_root = FACET_NONE;
    for (uint32_t i = w->scene->node_count; i-- > 0;) {
        uint32_t parent = w->scene->nodes[i].parent;
        c->first_child[i] = FACET_NONE;
        c->next_sibling[i] = FACET_NONE;
        if (parent == FACET_NONE) {
            c->next_sibling[i] = *first_root;
            *first_root = i;
        }
    }
    for (uint32_t i = w->scene->node_count; i-- > 0;) {
        uint32_t parent = w->scene->nodes[i].parent;
        if (parent != FACET_NONE) {
            c->next_sibling[i] = c->first_child[parent];
            c->first_child[parent] = i;
        }
    }
}

/* True when the joints, as the nodes stand, come after their parents; what was
 * J3D's keeps its numbers then. */
static bool stands_in_order(const j3d_writer *w, const bool *joint)
{
    for (uint32_t i = 0; i < w->scene->node_count; i++) {
        uint32_t up = w->scene->nodes[i].parent;
        while (joint[i] && up != FACET_NONE && !joint[up])
            up = w->scene->nodes[up].parent;
        if (joint[i] && up != FACET_NONE && up > i)
            return false;
    }
    return true;
}

/* Parents first, then the children of the first child, and so on. */
static uint32_t list_joints(const j3d_writer *w, choosing *c, const bool *joint, uint32_t *list)
{
    uint32_t count = 0, depth = 0, at;
    link_children(w, c, &at);
    if (w->is_j3d && stands_in_order(w, joint)) {
        for (uint32_t i = 0; i < w->scene->node_count; i++) {
            if (joint[i])
                list[count++] = i;
        }
        return count;
    }
    while (at != FACET_NONE || depth > 0) {
        if (at == FACET_NONE) {
            at = c->next_sibling[c->stack[--depth]];
            continue;
        }
        if (joint[at])
            list[count++] = at;
        c->stack[depth++] = at;
        at = c->first_child[at];
    }
    return count;
}

static uint32_t joint_above(const j3d_writer *w, uint32_t node)
{
    for (uint32_t up = w->scene->nodes[node].parent; up != FACET_NONE;
         up = w->scene->nodes[up].parent) {
        if (w->joint_of_node[up] != FACET_NONE)
            return w->joint_of_node[up];
    }
    return FACET_NONE;
}

static facet_status make_room(j3d_writer *w, uint32_t count)
{
    facet_j3d_joints *joints = &w->document->joints;
    facet_status status =
        facet_j3d_writer_limit(w, "J3D-LIMIT-JOINTS", count, MOST_JOINTS, "joints (nodes)",
                               "remove nodes that move nothing");
    if (status)
        return status;
    joints->items = facet_j3d_writer_keep(w, count, sizeof *joints->items);
    joints->remap = facet_j3d_writer_keep(w, count, sizeof *joints->remap);
    joints->names.items = facet_j3d_writer_keep(w, count, sizeof *joints->names.items);
    w->node_of_joint = facet_j3d_writer_scratch(w, count, sizeof *w->node_of_joint);
    w->joint_place = facet_j3d_writer_scratch(w, count, sizeof *w->joint_place);
    w->bind = facet_j3d_writer_scratch(w, count, sizeof *w->bind);
    if (!joints->items || !joints->remap || !joints->names.items || !w->node_of_joint ||
        !w->joint_place || !w->bind)
        return FACET_ERROR_MEMORY;
    joints->count = joints->names.count = count;
    w->document->has_joints = true;
    return FACET_OK;
}

/* The nodes that become joints, numbered; a root is made up where there is not
 * exactly one. */
static facet_status choose_joints(j3d_writer *w, choosing *c)
{
    uint32_t node_count = w->scene->node_count, roots = 0;
    bool *joint = facet_j3d_writer_scratch(w, node_count, sizeof *joint);
    uint32_t *list = facet_j3d_writer_scratch(w, node_count, sizeof *list);
    if (!joint || !list)
        return FACET_ERROR_MEMORY;
    for (uint32_t i = 0; i < node_count; i++)
        joint[i] = is_joint(w, c, i);
    uint32_t count = list_joints(w, c, joint, list);
    for (uint32_t i = 0; i < count; i++)
        w->joint_of_node[list[i]] = i;
    for (uint32_t i = 0; i < count; i++)
        roots += joint_above(w, list[i]) == FACET_NONE;
    uint32_t extra = roots != 1;
    facet_status status = make_room(w, count + extra);
    if (status)
        return status;
    if (extra)
        w->node_of_joint[0] = FACET_NONE;
    for (uint32_t i = 0; i < count; i++) {
        w->joint_of_node[list[i]] = i + extra;
        w->node_of_joint[i + extra] = list[i];
    }
    for (uint32_t i = 0; i < count + extra; i++) {
        facet_j3d_joint *made = &w->document->joints.items[i];
        uint32_t node = w->node_of_joint[i];
        uint32_t parent = node == FACET_NONE ? FACET_NONE : joint_above(w, node);
        made->parent = (uint16_t)(parent != FACET_NONE ? parent
                                  : extra && i > 0     ? 0
                                                       : FACET_J3D_NONE);
        w->document->joints.remap[i] = (uint16_t)i;
    }
    return FACET_OK;
}

static facet_status name_joints(j3d_writer *w)
{
    facet_j3d_joints *joints = &w->document->joints;
    size_t lost = 0;
    for (uint32_t i = 0; i < joints->count; i++) {
        uint32_t node = w->node_of_joint[i];
        const char *name = node == FACET_NONE ? "root" : w->scene->nodes[node].name;
        char made[32];
        if (!*name) {
            snprintf(made, sizeof made, "joint%" PRIu32, i);
            name = made;
        }
        facet_status status = facet_j3d_writer_name(w, name, &joints->names.items[i], &lost);
        if (status)
            return status;
    }
    facet_tally tally = {lost, 0};
    facet_report_add_tally(facet_j3d_writer_report(w), "LOSS-NAME", FACET_WARNING, FACET_NO_OFFSET,
                           &tally,
                           "a character in the name of a joint becomes '_': it is not in "
                           "Shift-JIS");
    return FACET_OK;
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

static double normalise(double v[3])
{
    double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int i = 0; i < 3 && length > 0; i++)
        v[i] /= length;
    return length;
}

/* `v` made orthogonal to `to`; any such unit vector when nothing is left. */
static void orthogonalise(double v[3], const double *to, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        double along = v[0] * to[3 * k] + v[1] * to[3 * k + 1] + v[2] * to[3 * k + 2];
        for (int i = 0; i < 3; i++)
            v[i] -= along * to[3 * k + i];
    }
    for (int axis = 0; normalise(v) < 1e-12 && axis < 3; axis++) {
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
        scale[column] = normalise(axes + column * 3);
        joint->translation[column] = (float)local[column * 4 + 3];
    }
    for (int column = 1; column < 3; column++) {
        double before[3];
        memcpy(before, axes + column * 3, sizeof before);
        orthogonalise(axes + column * 3, axes, (size_t)column);
        for (int i = 0; i < 3 && scale[column] > 0; i++)
            lean = fmax(lean, fabs(before[i] - axes[column * 3 + i]));
    }
    if (scale[0] == 0)
        orthogonalise(axes, axes + 3, 2);
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
static void product_up_to(const j3d_writer *w, uint32_t node, uint32_t above, double out[12])
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
static void local_of(const j3d_writer *w, uint32_t index, double out[12])
{
    uint32_t node = w->node_of_joint[index], parent = w->document->joints.items[index].parent;
    uint32_t above = parent == FACET_J3D_NONE ? FACET_NONE : w->node_of_joint[parent];
    facet_j3d_matrix back;
    memcpy(out, identity, sizeof identity);
    if (node == FACET_NONE)
        return;
    bool is_near =
        above == FACET_NONE || distance(w->node_place[above], w->joint_place[parent],
                                        1 + translation_size(w->node_place[above])) < 0.01;
    if (is_near || !facet_j3d_matrix_invert(w->joint_place[parent], back))
        product_up_to(w, node, above, out);
    else
        facet_j3d_matrix_multiply(back, w->node_place[node], out);
}

static void compute_joints(j3d_writer *w)
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
    facet_report_add_tally(facet_j3d_writer_report(w), "LOSS-SHEAR", FACET_WARNING, FACET_NO_OFFSET,
                           &sheared,
                           "joint %" PRIu64 " has shear, which J3D has not: it is put into the "
                           "vertices, and animations will not show it",
                           sheared.first);
}

/* Basic skips a joint's scale when the product of all above is exactly 1;
 * Maya's way without compensation is the plain product. */
static facet_status choose_scaling(j3d_writer *w)
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
static facet_status take_known_joints(j3d_writer *w, bool *found)
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
            status = facet_j3d_joint_from_extras(w->scene->nodes[node].extras, &joints->items[i],
                                                 found, w->error);
        joints->items[i].parent = parent;
    }
    if (status || !*found)
        return status;
    status = facet_j3d_skeleton_create(w->document, w->scratch, &skeleton, w->error);
    for (uint32_t i = 0; i < joints->count && *found && !status; i++) {
        const double *place = w->node_place[w->node_of_joint[i]];
        *found = distance(place, skeleton.globals[i], 1 + translation_size(place)) < 1e-4;
    }
    if (!status && *found)
        memcpy(w->joint_place, skeleton.globals, joints->count * sizeof *w->joint_place);
    return status;
}

static facet_status place_joints(j3d_writer *w)
{
    bool found;
    facet_status status = take_known_joints(w, &found);
    if (status || found)
        return status;
    compute_joints(w);
    return choose_scaling(w);
}

/* -- Bind pose ---------------------------------------------------------- */

static uint32_t joint_of_skin(const j3d_writer *w, const facet_skin *skin, uint32_t index)
{
    return skin->joints[index] == FACET_NONE ? 0 : w->joint_of_node[skin->joints[index]];
}

/* The inverse bind matrices of a skin as the scene has them, in J3D's frame. */
static void take_skin_binds(const j3d_writer *w, uint32_t index)
{
    const facet_skin *skin = &w->scene->skins[index];
    for (uint32_t j = 0; j < skin->joint_count; j++) {
        double *bind = w->skin_bind[w->skin_first[index] + j];
        if (skin->inverse_bind)
            convert(w, skin->inverse_bind + (size_t)j * 16, bind);
        else
            memcpy(bind, identity, sizeof identity);
    }
}

/* One bind pose for all skins: the first skin's. Others that differ from it by
 * one matrix for all joints give way; *move is that matrix. False when they
 * differ in more. */
static bool join_skin(const j3d_writer *w, uint32_t index, bool *known, double move[12])
{
    const facet_skin *skin = &w->scene->skins[index];
    const facet_j3d_matrix *own = w->skin_bind + w->skin_first[index];
    facet_j3d_matrix back, there;
    bool found = false, same = true;
    memcpy(move, identity, sizeof identity);
    for (uint32_t j = 0; j < skin->joint_count; j++) {
        uint32_t joint = joint_of_skin(w, skin, j);
        if (!known[joint])
            continue;
        if (!found) {
            found = true;
            if (distance(own[j], w->bind[joint], 1 + translation_size(own[j])) < 1e-5)
                continue;
            if (!facet_j3d_matrix_invert(w->bind[joint], back))
                return false;
            facet_j3d_matrix_multiply(back, own[j], move);
        }
        facet_j3d_matrix_multiply(w->bind[joint], move, there);
        same &= distance(there, own[j], 1 + translation_size(own[j])) < 1e-4;
    }
    if (!same || !facet_j3d_matrix_invert(move, back))
        return false;
    for (uint32_t j = 0; j < skin->joint_count; j++) {
        uint32_t joint = joint_of_skin(w, skin, j);
        if (!known[joint])
            facet_j3d_matrix_multiply(own[j], back, w->bind[joint]);
        known[joint] = true;
    }
    return true;
}

/* Joints without a skin are bound where they rest; the others' inverse bind
 * matrices make up for what the joint as it is written lacks. */
static void finish_binds(j3d_writer *w, const bool *known)
{
    for (uint32_t i = 0; i < w->document->joints.count; i++) {
        facet_j3d_matrix back, change, made;
        uint32_t node = w->node_of_joint[i];
        if (!facet_j3d_matrix_invert(w->joint_place[i], back)) {
            if (!known[i])
                memcpy(w->bind[i], identity, sizeof identity);
            continue;
        }
        if (!known[i] || node == FACET_NONE) {
            memcpy(w->bind[i], back, sizeof back);
            continue;
        }
        facet_j3d_matrix_multiply(back, w->node_place[node], change);
        if (distance(change, identity, 1 + translation_size(w->bind[i])) < 1e-5)
            continue;
        facet_j3d_matrix_multiply(change, w->bind[i], made);
        memcpy(w->bind[i], made, sizeof made);
    }
}

static facet_status bind_skins(j3d_writer *w, const choosing *c, facet_j3d_matrix **moves)
{
    const facet_scene *scene = w->scene;
    bool *known = facet_j3d_writer_scratch(w, w->document->joints.count, sizeof *known);
    bool *used = facet_j3d_writer_scratch(w, scene->skin_count, sizeof *used);
    uint32_t total = 0;
    w->skin_first = facet_j3d_writer_scratch(w, scene->skin_count, sizeof *w->skin_first);
    w->conflict = facet_j3d_writer_scratch(w, scene->skin_count, sizeof *w->conflict);
    *moves = facet_j3d_writer_scratch(w, scene->skin_count, sizeof **moves);
    for (uint32_t i = 0; i < scene->skin_count && w->skin_first; i++) {
        w->skin_first[i] = total;
        total += scene->skins[i].joint_count;
    }
    w->skin_bind = facet_j3d_writer_scratch(w, total, sizeof *w->skin_bind);
    if (!known || !used || !w->skin_first || !w->conflict || !*moves || !w->skin_bind)
        return FACET_ERROR_MEMORY;
    for (uint32_t i = 0; i < scene->node_count; i++) {
        if (c->seen[i] && is_skinned(scene, &scene->nodes[i]))
            used[scene->nodes[i].skin] = true;
    }
    facet_tally conflicts = {0, 0};
    for (uint32_t i = 0; i < scene->skin_count; i++) {
        if (!used[i])
            continue;
        take_skin_binds(w, i);
        w->conflict[i] = !join_skin(w, i, known, (*moves)[i]);
        if (w->conflict[i])
            facet_tally_hit(&conflicts, i);
    }
    facet_report_add_tally(facet_j3d_writer_report(w), "LOSS-BIND-POSE", FACET_WARNING,
                           FACET_NO_OFFSET, &conflicts,
                           "skin %" PRIu64 " is bound in another pose than the skins before it, "
                           "and J3D has one for all: its vertices are right at rest, and may move "
                           "otherwise",
                           conflicts.first);
    finish_binds(w, known);
    return FACET_OK;
}

/* -- Instances ---------------------------------------------------------- */

/* Where a rigid mesh hangs: on its node's joint, or the nearest above. */
static void hang(const j3d_writer *w, uint32_t node, j3d_instance *instance)
{
    facet_j3d_matrix back;
    uint32_t joint = w->joint_of_node[node];
    if (joint == FACET_NONE)
        joint = joint_above(w, node);
    instance->joint = joint == FACET_NONE ? 0 : joint;
    if (facet_j3d_matrix_invert(w->joint_place[instance->joint], back))
        facet_j3d_matrix_multiply(back, w->node_place[node], instance->place);
    else
        memcpy(instance->place, identity, sizeof identity);
    if (distance(instance->place, identity, 1) < 1e-6)
        memcpy(instance->place, identity, sizeof identity);
}

/* A billboard is what the extras of the node or the mesh say was one. */
static facet_status find_billboard(const j3d_writer *w, const facet_node *node,
                                   j3d_instance *instance)
{
    facet_j3d_shape shape;
    bool found = false;
    facet_status status =
        facet_j3d_shape_from_extras(instance->mesh->extras, &shape, &found, w->error);
    if (!status && !found && node)
        status = facet_j3d_shape_from_extras(node->extras, &shape, &found, w->error);
    if (!status && found &&
        (shape.type == FACET_J3D_SHAPE_BILLBOARD || shape.type == FACET_J3D_SHAPE_Y_BILLBOARD))
        instance->billboard = shape.type;
    return status;
}

static facet_status add_instance(j3d_writer *w, uint32_t node, const facet_j3d_matrix *moves)
{
    const facet_scene *scene = w->scene;
    const facet_node *n = &scene->nodes[node];
    j3d_instance *instance = &w->instances[w->instance_count++];
    double side = determinant(w->node_place[node]);
    instance->mesh = scene->meshes[n->mesh];
    instance->skin = FACET_NONE;
    hang(w, node, instance);
    if (is_skinned(scene, n)) {
        const facet_skin *skin = &scene->skins[n->skin];
        facet_j3d_matrix rest;
        instance->skin = n->skin;
        memcpy(instance->place, w->conflict[n->skin] ? identity : moves[n->skin],
               sizeof instance->place);
        if (skin->joint_count > 0 && skin->joints[0] != FACET_NONE) {
            facet_j3d_matrix_multiply(w->node_place[skin->joints[0]],
                                      w->skin_bind[w->skin_first[n->skin]], rest);
            side = determinant(rest);
        }
    }
    instance->flip = (side < 0) != scene->frame.left_handed;
    return find_billboard(w, n, instance);
}

static facet_status find_instances(j3d_writer *w, const choosing *c, const facet_j3d_matrix *moves)
{
    const facet_scene *scene = w->scene;
    uint32_t most = scene->node_count > 0 ? scene->node_count : scene->mesh_count;
    w->instances = facet_j3d_writer_scratch(w, most, sizeof *w->instances);
    if (!w->instances)
        return FACET_ERROR_MEMORY;
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < scene->node_count && !status; i++) {
        if (c->seen[i] && scene->nodes[i].mesh != FACET_NONE &&
            scene->meshes[scene->nodes[i].mesh]->face_count > 0)
            status = add_instance(w, i, moves);
    }
    for (uint32_t i = 0; i < scene->mesh_count && scene->node_count == 0 && !status; i++) {
        if (scene->meshes[i]->face_count == 0)
            continue;
        j3d_instance *instance = &w->instances[w->instance_count++];
        instance->mesh = scene->meshes[i];
        instance->skin = FACET_NONE;
        instance->flip = scene->frame.left_handed;
        memcpy(instance->place, identity, sizeof identity);
        status = find_billboard(w, NULL, instance);
    }
    if (!status && w->instance_count == 0)
        return facet_fail(w->error, FACET_ERROR_LIMIT, "J3D-NO-MESH", FACET_NO_OFFSET,
                          "the scene has no triangles, and a J3D model needs at least one");
    return status;
}

/* -- All of it ---------------------------------------------------------- */

static void find_turn(j3d_writer *w)
{
    const facet_frame *frame = &w->scene->frame;
    for (int column = 0; column < 3; column++) {
        float axis[3] = {0, 0, 0};
        axis[column] = 1;
        facet_frame_turn(frame, axis);
        for (int row = 0; row < 3; row++)
            w->turn[row * 3 + column] = (double)axis[row];
    }
    w->unit = frame->unit > 0 ? frame->unit : 1;
    w->flip_v = !frame->uv_origin_top;
}

facet_status facet_j3d_write_joints(j3d_writer *w)
{
    choosing c = {0};
    facet_j3d_matrix *moves = NULL;
    find_turn(w);
    facet_status status = look_at_nodes(w, &c);
    if (status)
        return status;
    mark_skins(w, &c);
    status = choose_joints(w, &c);
    if (!status)
        status = name_joints(w);
    if (!status)
        status = place_joints(w);
    if (!status)
        status = bind_skins(w, &c, &moves);
    return status ? status : find_instances(w, &c, moves);
}
