/* j3d/from_scene/joints.c - nodes and skins become joints, and every mesh
 * hangs on one.
 *
 * Every node that is seen becomes a joint, but for those that would only be in
 * the way of a skeleton's order: the nodes of skinned meshes, and nodes above
 * the joints of a skin that do not move anything. */
#include "j3d/from_scene/joints.h"

#include "base/error.h"
#include "base/report.h"
#include "j3d/json/json.h"
#include "scene/matrix.h"
#include "scene/scene.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define MOST_JOINTS 65535

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
/* -- Which nodes -------------------------------------------------------- */

static facet_status look_at_nodes(j3d_build *w, choosing *c)
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
        facet_j3d_convert_matrix(w, local, w->node_local[node]);
        if (parent == FACET_NONE)
            memcpy(w->node_place[node], w->node_local[node], sizeof *w->node_local);
        else
            facet_j3d_matrix_multiply(w->node_place[parent], w->node_local[node],
                                      w->node_place[node]);
        w->joint_of_node[node] = FACET_NONE;
    }
    return FACET_OK;
}

bool facet_j3d_is_skinned(const facet_scene *scene, const facet_node *node)
{
    return node->mesh != FACET_NONE && node->skin != FACET_NONE &&
           facet_mesh_find(scene->meshes[node->mesh], FACET_JOINTS, 0) &&
           facet_mesh_find(scene->meshes[node->mesh], FACET_WEIGHTS, 0);
}

/* Joints of skins that are used count as seen, with all that is above them. */
static void mark_skins(const j3d_build *w, choosing *c)
{
    const facet_scene *scene = w->scene;
    for (uint32_t i = 0; i < scene->node_count; i++) {
        const facet_node *node = &scene->nodes[i];
        if (!c->seen[i] || !facet_j3d_is_skinned(scene, node))
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

static bool is_joint(const j3d_build *w, const choosing *c, uint32_t index)
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
            return !w->is_j3d && !facet_j3d_is_skinned(w->scene, node);
        return !node->camera && !node->light;
    }
    /* What stands above a skeleton and moves nothing. */
    return !(c->above_skin[index] && node->mesh == FACET_NONE &&
             facet_j3d_matrix_distance(w->node_local[index], facet_j3d_identity, 1) < 1e-6);
}

/* -- Their order -------------------------------------------------------- */

static void link_children(const j3d_build *w, choosing *c, uint32_t *first_root)
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
static bool stands_in_order(const j3d_build *w, const bool *joint)
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
static uint32_t list_joints(const j3d_build *w, choosing *c, const bool *joint, uint32_t *list)
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

uint32_t facet_j3d_joint_above(const j3d_build *w, uint32_t node)
{
    for (uint32_t up = w->scene->nodes[node].parent; up != FACET_NONE;
         up = w->scene->nodes[up].parent) {
        if (w->joint_of_node[up] != FACET_NONE)
            return w->joint_of_node[up];
    }
    return FACET_NONE;
}

static facet_status make_space(j3d_build *w, uint32_t count)
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
static facet_status choose_joints(j3d_build *w, choosing *c)
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
        roots += facet_j3d_joint_above(w, list[i]) == FACET_NONE;
    uint32_t extra = roots != 1;
    facet_status status = make_space(w, count + extra);
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
        uint32_t parent = node == FACET_NONE ? FACET_NONE : facet_j3d_joint_above(w, node);
        made->parent = (uint16_t)(parent != FACET_NONE ? parent
                                  : extra && i > 0     ? 0
                                                       : FACET_J3D_NONE);
        w->document->joints.remap[i] = (uint16_t)i;
    }
    return FACET_OK;
}

static facet_status name_joints(j3d_build *w)
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
    facet_report_add_tally(facet_j3d_writer_report(w), "LOSS-NAME", FACET_SEVERITY_WARNING,
                           FACET_NO_OFFSET, &tally,
                           "a character in the name of a joint becomes '_': it is not in "
                           "Shift-JIS");
    return FACET_OK;
}
/* -- All of it ---------------------------------------------------------- */

static void find_turn(j3d_build *w)
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

facet_status facet_j3d_build_joints(j3d_build *w)
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
        status = facet_j3d_place_joints(w);
    if (!status)
        status = facet_j3d_bind_skins(w, c.seen, &moves);
    return status ? status : facet_j3d_find_instances(w, c.seen, moves);
}
