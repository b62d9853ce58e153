/* formats/j3d/patch/tree.c - the original's hierarchy with new joints and shapes.
 *
 * Below a joint, new shapes are first and new joints last. An opened level belongs to the joint
 * before it, so a joint before the materials would own them. A joint without a level gets one for
 * new nodes. */
#include "formats/j3d/patch/tree.h"

#include "base/arena.h"
#include "base/error.h"

#include <string.h>

/* New nodes below each joint: lists by joint. */
typedef struct additions {
    uint32_t *first, *next; /* per joint, and per new node, + 1 */
} additions;

typedef struct growing_tree {
    facet_j3d_node *nodes;
    uint32_t count;
} growing_tree;

static void add(growing_tree *t, uint16_t type, uint32_t index)
{
    t->nodes[t->count++] = (facet_j3d_node){type, (uint16_t)index};
}

static void add_shapes(growing_tree *t, const facet_j3d *o, const additions *shapes, uint32_t joint)
{
    for (uint32_t s = shapes->first[joint]; s; s = shapes->next[s - 1]) {
        add(t, FACET_J3D_NODE_MATERIAL, o->shapes.items[s - 1].material);
        add(t, FACET_J3D_NODE_OPEN, 0);
        add(t, FACET_J3D_NODE_SHAPE, s - 1);
        add(t, FACET_J3D_NODE_CLOSE, 0);
    }
}

/* Add the new joints below a joint, with all their descendants. `stack` has the open ones. */
static void add_joints(growing_tree *t, const additions *joints, uint32_t joint, uint32_t *stack)
{
    uint32_t depth = 0, at = joints->first[joint];
    while (at || depth > 0) {
        if (!at) {
            add(t, FACET_J3D_NODE_CLOSE, 0);
            at = joints->next[stack[--depth]];
            continue;
        }
        add(t, FACET_J3D_NODE_JOINT, at - 1);
        if (joints->first[at - 1]) {
            add(t, FACET_J3D_NODE_OPEN, 0);
            stack[depth++] = at - 1;
            at = joints->first[at - 1];
        } else {
            at = joints->next[at - 1];
        }
    }
}

static facet_status insert(facet_j3d_builder *b, const additions *joints, const additions *shapes,
                           uint32_t more)
{
    facet_j3d *o = b->like->document;
    facet_j3d_hierarchy *h = &o->hierarchy;
    uint32_t depth = 0, *stack = facet_j3d_builder_scratch(b, o->joints.count, sizeof *stack);
    uint32_t *opened = facet_j3d_builder_scratch(b, (size_t)h->node_count + 1, sizeof *opened);
    bool *done = facet_j3d_builder_scratch(b, o->joints.count, sizeof *done);
    growing_tree t = {
        .nodes = facet_arena_allocate(o->arena, (size_t)h->node_count + more * 8, sizeof *t.nodes)};
    if (!stack || !opened || !done || !t.nodes)
        return facet_fail_arena(o->arena, b->error);
    for (uint32_t i = 0; i < h->node_count; i++) {
        facet_j3d_node node = h->nodes[i];
        if (node.type == FACET_J3D_NODE_OPEN)
            opened[depth++] = FACET_NONE;
        if (node.type == FACET_J3D_NODE_CLOSE && depth > 0 && opened[--depth] != FACET_NONE)
            add_joints(&t, joints, opened[depth], stack);
        t.nodes[t.count++] = node;
        if (node.type != FACET_J3D_NODE_JOINT || node.index >= o->joints.count || done[node.index])
            continue;
        done[node.index] = true;
        bool has_joints = joints && joints->first[node.index];
        bool has_shapes = shapes && shapes->first[node.index];
        bool opens = i + 1 < h->node_count && h->nodes[i + 1].type == FACET_J3D_NODE_OPEN;
        if (!has_joints && !has_shapes)
            continue;
        add(&t, FACET_J3D_NODE_OPEN, 0);
        if (has_shapes)
            add_shapes(&t, o, shapes, node.index);
        if (opens) {
            opened[depth++] = has_joints ? node.index : FACET_NONE;
            i++;
            continue;
        }
        if (has_joints)
            add_joints(&t, joints, node.index, stack);
        add(&t, FACET_J3D_NODE_CLOSE, 0);
    }
    h->nodes = t.nodes;
    h->node_count = t.count;
    return FACET_OK;
}

/* Insert from last to first, so that lists begin with the first. */
static facet_status begin(const facet_j3d_builder *b, uint32_t count, additions *a)
{
    a->first = facet_j3d_builder_scratch(b, b->like->document->joints.count, sizeof *a->first);
    a->next = facet_j3d_builder_scratch(b, count, sizeof *a->next);
    return a->first && a->next ? FACET_OK : facet_j3d_builder_no_memory(b);
}

static void put(additions *a, uint32_t joint, uint32_t item)
{
    a->next[item] = a->first[joint];
    a->first[joint] = item + 1;
}

facet_status facet_j3d_like_add_joints(facet_j3d_builder *b)
{
    const facet_j3d_joints *joints = &b->like->document->joints;
    additions a;
    TRY(begin(b, joints->count, &a));
    for (uint32_t i = joints->count; i-- > b->like->joint_count;)
        put(&a, joints->items[i].parent, i);
    return insert(b, &a, NULL, joints->count - b->like->joint_count);
}

facet_status facet_j3d_like_add_shapes(facet_j3d_builder *b)
{
    const facet_j3d_shapes *shapes = &b->like->document->shapes;
    additions a;
    facet_status status = begin(b, shapes->count, &a);
    if (status || shapes->count == b->like->shape_count)
        return status;
    for (uint32_t i = shapes->count; i-- > b->like->shape_count;)
        put(&a, shapes->items[i].joint, i);
    return insert(b, NULL, &a, shapes->count - b->like->shape_count);
}
