/* formats/iqm/from_scene_joints.c - the choice of joints, and the base pose.
 *
 * An IQM has one skeleton with one base pose, in which all vertices are stored. The joints of
 * skins, the nodes that animations move, and all nodes above them become joints. A mesh without a
 * skin follows the nearest joint above it, or becomes a joint. The base pose is the nodes' pose at
 * rest, if a skin's inverse bind matrices agree. Otherwise it is the inverse of those matrices. */
#include "base/arena.h"
#include "base/error.h"
#include "formats/iqm/from_scene.h"
#include "scene/axis_nodes.h"
#include "scene/matrix.h"
#include "scene/transform.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const float identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};

/* Tolerance for the elements of equal matrices: files store rounded ones. */
#define SAME 2e-5F

static bool is_same(const float *a, const float *b)
{
    float largest = 1;
    for (int i = 0; i < 16; i++)
        largest = fmaxf(largest, fabsf(b[i]));
    for (int i = 0; i < 16; i++) {
        if (!(fabsf(a[i] - b[i]) <= SAME * largest))
            return false;
    }
    return true;
}

static bool is_skinned(const facet_scene *scene, const facet_node *node)
{
    const facet_mesh *mesh = node->mesh == FACET_NONE ? NULL : scene->meshes[node->mesh];
    return mesh && node->skin != FACET_NONE && scene->skins[node->skin]->joint_count > 0 &&
           facet_mesh_find(mesh, FACET_JOINTS, 0) && facet_mesh_find(mesh, FACET_WEIGHTS, 0);
}

/* -- Choice ------------------------------------------------------------- */

static uint32_t mark_moved(const facet_scene *scene, bool *marks)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < scene->skin_count; i++) {
        for (uint32_t j = 0; j < scene->skins[i]->joint_count; j++)
            marks[scene->skins[i]->joints[j]] = true;
    }
    for (uint32_t i = 0; i < scene->animation_count; i++) {
        const facet_animation *animation = scene->animations[i];
        for (uint32_t c = 0; c < animation->channel_count; c++) {
            if (facet_iqm_is_motion(&animation->channels[c]))
                marks[animation->channels[c].node] = true;
        }
    }
    for (uint32_t i = 0; i < scene->node_count; i++)
        count += marks[i];
    return count;
}

/* Find nodes above all joints that have no effect; they do not become joints. */
static void find_idle(const facet_iqm_scene_writer *w, const bool *marks, bool *idle)
{
    for (uint32_t i = 0; i < w->scene->node_count; i++) {
        uint32_t n = w->pose.order[i], parent = w->scene->nodes[n]->parent;
        idle[n] = !marks[n] && (parent == FACET_NONE || idle[parent]) &&
                  is_same(w->pose.local + (size_t)n * 16, identity);
    }
}

static void mark_parents(const facet_iqm_scene_writer *w, const bool *idle, bool *marks)
{
    for (uint32_t i = w->scene->node_count; i-- > 0;) {
        uint32_t n = w->pose.order[i], parent = w->scene->nodes[n]->parent;
        if (marks[n] && parent != FACET_NONE && !idle[parent])
            marks[parent] = true;
    }
}

/* Mark nodes so that every mesh has a joint to follow. */
static void mark_meshes(const facet_iqm_scene_writer *w, bool *marks, bool *covered)
{
    const facet_scene *scene = w->scene;
    for (uint32_t i = 0; i < scene->node_count; i++) {
        uint32_t n = w->pose.order[i], parent = scene->nodes[n]->parent;
        covered[n] = marks[n] || (parent != FACET_NONE && covered[parent]);
        if (!covered[n] && w->pose.seen[n] && scene->nodes[n]->mesh != FACET_NONE &&
            !is_skinned(scene, scene->nodes[n]))
            covered[n] = marks[n] = true;
    }
}

/* Number a node after those above it. `chain` needs space for every node. Linear in total, because
 * the search stops at a numbered node. */
static void number_joint(facet_iqm_scene_writer *w, const bool *marks, uint32_t node,
                         uint32_t *chain)
{
    facet_iqm_skeleton *s = &w->skeleton;
    uint32_t count = 0;
    while (node != FACET_NONE && marks[node] && s->joint_of[node] == FACET_NONE) {
        chain[count++] = node;
        node = w->scene->nodes[node]->parent;
    }
    while (count > 0) {
        s->joint_of[chain[--count]] = s->count;
        s->nodes[s->count++] = chain[count];
    }
}

/* Number joints in the order of the skins, or of the nodes, if parents come first. */
static facet_status number_joints(facet_iqm_scene_writer *w, const bool *marks)
{
    facet_iqm_skeleton *s = &w->skeleton;
    const facet_scene *scene = w->scene;
    uint32_t *chain = facet_arena_allocate(w->scratch, scene->node_count, sizeof *chain);
    if (!chain)
        return facet_fail_arena(w->scratch, w->error);
    memset(s->joint_of, 0xFF, scene->node_count * sizeof *s->joint_of);
    for (uint32_t i = 0; i < scene->skin_count; i++) {
        for (uint32_t j = 0; j < scene->skins[i]->joint_count; j++)
            number_joint(w, marks, scene->skins[i]->joints[j], chain);
    }
    for (uint32_t n = 0; n < scene->node_count; n++)
        number_joint(w, marks, n, chain);
    for (uint32_t i = 0; i < scene->node_count; i++) {
        uint32_t n = w->pose.order[i], parent = scene->nodes[n]->parent;
        s->nearest[n] = s->joint_of[n];
        if (s->nearest[n] == FACET_NONE && parent != FACET_NONE)
            s->nearest[n] = s->nearest[parent];
    }
    if (s->count > UINT16_MAX)
        return facet_fail(w->error, FACET_ERROR_LIMIT, NULL, FACET_NO_OFFSET,
                          "the scene needs %" PRIu32 " joints, and Facet writes at most 65535",
                          s->count);
    return FACET_OK;
}

/* -- Base pose ---------------------------------------------------------- */

static const float *inverse_bind_of(const facet_skin *skin, uint32_t joint)
{
    return skin->inverse_bind ? skin->inverse_bind + (size_t)joint * 16 : identity;
}

/* Matrix from the mesh to the model, by the joint at rest. */
static void rest_place(const facet_iqm_scene_writer *w, const facet_skin *skin, uint32_t joint,
                       float *out)
{
    facet_matrix_multiply(w->pose.global + (size_t)skin->joints[joint] * 16,
                          inverse_bind_of(skin, joint), out);
}

/* Find the transform of a skin's vertices: by the topmost of its joints. */
static void find_stand(const facet_iqm_scene_writer *w, const facet_skin *skin, float *stand)
{
    uint32_t first = 0;
    for (uint32_t j = 1; j < skin->joint_count; j++) {
        if (w->skeleton.joint_of[skin->joints[j]] < w->skeleton.joint_of[skin->joints[first]])
            first = j;
    }
    rest_place(w, skin, first, stand);
    float determinant = facet_matrix_determinant(stand);
    /* A mirrored transform would flip triangles. */
    if (!(determinant > 0) || !isfinite(determinant) || is_same(stand, identity))
        memcpy(stand, identity, sizeof identity);
}

/* State of each joint while the base pose is computed. */
typedef struct base_pose {
    bool *bound;  /* a skin defines its transform */
    bool *rests;  /* its transform is that at rest */
    float *stand; /* 16 per skin */
    facet_tally others, sheared, moved;
} base_pose;

static void bind_skin(facet_iqm_scene_writer *w, base_pose *b, uint32_t index)
{
    const facet_skin *skin = w->scene->skins[index];
    facet_iqm_skeleton *s = &w->skeleton;
    float *stand = b->stand + (size_t)index * 16;
    bool rests = true;
    if (skin->joint_count == 0)
        return;
    find_stand(w, skin, stand);
    for (uint32_t j = 0; j < skin->joint_count && rests; j++) {
        float place[16];
        rest_place(w, skin, j, place);
        rests = is_same(place, stand);
    }
    for (uint32_t j = 0; j < skin->joint_count; j++) {
        uint32_t joint = s->joint_of[skin->joints[j]];
        float inverse[16], bind[16];
        facet_matrix_invert(inverse_bind_of(skin, j), inverse);
        facet_matrix_multiply(stand, inverse, bind);
        if (rests)
            memcpy(bind, w->pose.global + (size_t)skin->joints[j] * 16, sizeof bind);
        else
            facet_tally_hit(&b->moved, joint);
        if (b->bound[joint] && !is_same(s->bind + (size_t)joint * 16, bind))
            facet_tally_hit(&b->others, joint);
        if (b->bound[joint])
            continue;
        memcpy(s->bind + (size_t)joint * 16, bind, sizeof bind);
        b->bound[joint] = true;
        b->rests[joint] = rests;
    }
}

static void take_rest(const facet_iqm_scene_writer *w, uint32_t node, facet_transform *rest,
                      facet_tally *sheared)
{
    const facet_node *n = w->scene->nodes[node];
    *rest = n->transform;
    if (n->has_matrix && facet_transform_of_matrix(n->matrix, FACET_MIRROR_X, rest) > 1e-3)
        facet_tally_hit(sheared, node);
}

/* Set the transform of a joint in the base pose, and recompute its matrix from it. Without shear,
 * vertices must match the written transform. */
static void place_joint(facet_iqm_scene_writer *w, base_pose *b, uint32_t joint,
                        facet_transform *transform)
{
    facet_iqm_skeleton *s = &w->skeleton;
    uint32_t node = s->nodes[joint], parent_node = w->scene->nodes[node]->parent;
    uint32_t parent = parent_node == FACET_NONE ? FACET_NONE : s->nearest[parent_node];
    float *bind = s->bind + (size_t)joint * 16, local[16], wanted[16];
    take_rest(w, node, &s->rest[joint], &b->sheared);
    bool parent_rests = parent == FACET_NONE || b->rests[parent];
    if (!b->bound[joint])
        b->rests[joint] = parent_rests;
    if (!b->bound[joint] || (b->rests[joint] && parent_rests)) {
        *transform = s->rest[joint];
    } else {
        memcpy(wanted, bind, sizeof wanted);
        if (parent != FACET_NONE)
            facet_matrix_multiply(s->undo + (size_t)parent * 16, bind, wanted);
        if (facet_transform_of_matrix(wanted, FACET_MIRROR_X, transform) > 1e-3)
            facet_tally_hit(&b->sheared, node);
    }
    facet_matrix_of_transform(transform, local);
    if (parent == FACET_NONE)
        memcpy(bind, local, sizeof local);
    else
        facet_matrix_multiply(s->bind + (size_t)parent * 16, local, bind);
    facet_matrix_invert(bind, s->undo + (size_t)joint * 16);
}

/* Store w as negative or 0, like other exporters. */
static void store_rotation(const float from[4], float to[4])
{
    for (int k = 0; k < 4; k++)
        to[k] = from[3] > 0 ? -from[k] : from[k];
}

static facet_status add_joint(facet_iqm_scene_writer *w, base_pose *b, uint32_t index,
                              facet_iqm_joint *joint)
{
    facet_iqm_skeleton *s = &w->skeleton;
    const facet_node *node = w->scene->nodes[s->nodes[index]];
    facet_transform transform;
    place_joint(w, b, index, &transform);
    TRY(facet_iqm_intern(w, node->name, &joint->name));
    uint32_t parent = node->parent == FACET_NONE ? FACET_NONE : s->nearest[node->parent];
    joint->parent = parent == FACET_NONE ? -1 : (int32_t)parent;
    memcpy(joint->translation, transform.translation, sizeof joint->translation);
    store_rotation(transform.rotation, joint->rotation);
    memcpy(joint->scale, transform.scale, sizeof joint->scale);
    return FACET_OK;
}

/* Find the matrices from each skin's mesh to the base pose, per joint. */
static facet_status find_places(facet_iqm_scene_writer *w, const base_pose *b)
{
    facet_iqm_skeleton *s = &w->skeleton;
    for (uint32_t i = 0; i < w->scene->skin_count; i++) {
        const facet_skin *skin = w->scene->skins[i];
        const float *stand = b->stand + (size_t)i * 16;
        bool still = true;
        float *place = facet_arena_allocate(w->scratch, skin->joint_count, 16 * sizeof *place);
        if (!place)
            return facet_fail_arena(w->scratch, w->error);
        for (uint32_t j = 0; j < skin->joint_count; j++) {
            float *one = place + (size_t)j * 16;
            facet_matrix_multiply(s->bind + (size_t)s->joint_of[skin->joints[j]] * 16,
                                  inverse_bind_of(skin, j), one);
            /* Rounding must not move vertices. */
            if (is_same(one, stand))
                memcpy(one, stand, 16 * sizeof *one);
            still = still && memcmp(one, identity, sizeof identity) == 0;
        }
        s->place[i] = still ? NULL : place;
    }
    return FACET_OK;
}

static void report_base_pose(const facet_iqm_scene_writer *w, const base_pose *b)
{
    facet_report_add_tally(
        w->report, "LOSS-SKIN", FACET_SEVERITY_WARNING, FACET_NO_OFFSET, &b->others,
        "joint %" PRIu64 " is bound in several poses, and an IQM has one", b->others.first);
    facet_report_add_tally(
        w->report, "LOSS-SKIN", FACET_SEVERITY_WARNING, FACET_NO_OFFSET, &b->moved,
        "joint %" PRIu64 " rests in another pose than its bind pose: only the bind pose is written",
        b->moved.first);
    facet_report_add_tally(w->report, "LOSS-NODES", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                           &b->sheared, "node %" PRIu64 " is sheared, which a joint cannot express",
                           b->sheared.first);
}

static facet_status make_base_pose(facet_iqm_scene_writer *w)
{
    facet_iqm_skeleton *s = &w->skeleton;
    base_pose b = {0};
    b.bound = facet_arena_allocate_zeroed(w->scratch, s->count, sizeof *b.bound);
    b.rests = facet_arena_allocate_zeroed(w->scratch, s->count, sizeof *b.rests);
    b.stand = facet_arena_allocate_zeroed(w->scratch, w->scene->skin_count, 16 * sizeof *b.stand);
    s->bind = facet_arena_allocate(w->scratch, s->count, 16 * sizeof *s->bind);
    s->undo = facet_arena_allocate(w->scratch, s->count, 16 * sizeof *s->undo);
    s->rest = facet_arena_allocate(w->scratch, s->count, sizeof *s->rest);
    s->place = facet_arena_allocate_zeroed(w->scratch, w->scene->skin_count, sizeof *s->place);
    facet_iqm_joint *joints = facet_arena_allocate(w->arena, s->count, sizeof *joints);
    TRY(facet_arena_status(w->scratch, w->error));
    TRY(facet_arena_status(w->arena, w->error));
    for (uint32_t i = 0; i < w->scene->skin_count; i++)
        bind_skin(w, &b, i);
    for (uint32_t i = 0; i < s->count; i++)
        TRY(add_joint(w, &b, i, &joints[i]));
    TRY(find_places(w, &b));
    w->document->joints = joints;
    w->document->joint_count = s->count;
    report_base_pose(w, &b);
    return FACET_OK;
}

/* -- All joints -------------------------------------------------------- */

/* True if no property of the node is written. A mesh has its own name, or none. */
static bool is_lost(const facet_iqm_scene_writer *w, uint32_t n, bool idle)
{
    const facet_node *node = w->scene->nodes[n];
    const char *name = node->mesh == FACET_NONE ? "" : w->scene->meshes[node->mesh]->name;
    if (w->skeleton.joint_of[n] != FACET_NONE)
        return false;
    if (node->mesh == FACET_NONE)
        return !idle || w->skeleton.count == 0;
    return (!idle && w->skeleton.count == 0) ||
           (*name && *node->name && strcmp(name, node->name) != 0);
}

/* Report nodes that are dropped: those that are not joints only transform their meshes. Idle top
 * nodes are not reported. */
static void report_nodes(const facet_iqm_scene_writer *w, const bool *idle)
{
    facet_tally lost = {0, 0};
    for (uint32_t i = 0; i < w->scene->node_count; i++) {
        if (is_lost(w, i, idle[i]))
            facet_tally_hit(&lost, i);
    }
    facet_report_add_tally(w->report, "LOSS-NODES", FACET_SEVERITY_WARNING, FACET_NO_OFFSET, &lost,
                           "a node that is not a joint is left out; its mesh is written at its "
                           "world position, under the name of the mesh");
}

facet_status facet_iqm_choose_joints(facet_iqm_scene_writer *w)
{
    facet_iqm_skeleton *s = &w->skeleton;
    size_t count = w->scene->node_count;
    bool *marks = facet_arena_allocate_zeroed(w->scratch, count, sizeof *marks);
    bool *flags = facet_arena_allocate_zeroed(w->scratch, count, sizeof *flags);
    s->nodes = facet_arena_allocate(w->scratch, count, sizeof *s->nodes);
    s->joint_of = facet_arena_allocate(w->scratch, count, sizeof *s->joint_of);
    s->nearest = facet_arena_allocate(w->scratch, count, sizeof *s->nearest);
    TRY(facet_arena_status(w->scratch, w->error));
    if (count == 0)
        return FACET_OK;
    TRY(facet_scene_pose(w->scene, FACET_NONE, 0, w->options, &w->pose, w->error));
    facet_scene_report_hidden(w->scene, w->pose.seen, w->report);
    facet_scene_report_moved(w->scene, &w->pose, w->report);
    find_idle(w, marks, flags);
    if (mark_moved(w->scene, marks) > 0) {
        const facet_scene *folded;
        TRY(facet_scene_fold_axis_nodes(w->scene, marks, w->pose.order, FACET_NONE, w->scratch,
                                        &folded, w->error));
        if (folded != w->scene) {
            facet_pose_free(&w->pose);
            w->scene = folded;
            TRY(facet_scene_pose(w->scene, FACET_NONE, 0, w->options, &w->pose, w->error));
        }
        find_idle(w, marks, flags);
        mark_parents(w, flags, marks);
        mark_meshes(w, marks, flags);
        /* Nodes above a mesh that became a joint. */
        find_idle(w, marks, flags);
        mark_parents(w, flags, marks);
    }
    TRY(number_joints(w, marks));
    report_nodes(w, flags);
    return make_base_pose(w);
}
