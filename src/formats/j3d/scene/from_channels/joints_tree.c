/* formats/j3d/scene/from_channels/joints_tree.c - nodes of joints by their position in the tree.
 *
 * Names of nodes need not be unique, and the model can have a root joint that the scene lacks. A
 * node is first searched below the node of the parent joint, with the same descendants. */
#include "formats/j3d/scene/from_channels/joints.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/table.h"
#include "scene/scene.h"

#include <string.h>

/* Position of a node. Nodes with other names than joints are left out of the tree. */
typedef struct position {
    uint32_t above; /* node above, or FACET_NONE */
    uint32_t name;
    uint64_t below; /* hash of the descendants, or 0 to ignore them */
} position;

typedef struct tree {
    const facet_j3d_joint_weaving *weaving;
    facet_names names;                  /* of joints */
    uint32_t *joint_name;               /* per joint */
    uint32_t *node_name;                /* per node, UINT32_MAX if no joint has it */
    uint32_t *above;                    /* per node: the next node above with a joint's name */
    uint32_t *order;                    /* nodes, parents first */
    uint64_t *joint_below, *node_below; /* hashes of descendants, in any order */
} tree;

static uint64_t hash_of(uint32_t name, uint64_t below)
{
    uint64_t hash = (below + name + 1) * UINT64_C(0x9e3779b97f4a7c15);
    return (hash ^ hash >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
}

static facet_status make_tree(const facet_j3d_joint_weaving *b, tree *t)
{
    uint32_t count = b->scene->node_count;
    uint32_t *stack = facet_arena_allocate(b->scratch, count, sizeof *stack);
    *t = (tree){.weaving = b, .names = facet_names_make(b->scratch)};
    t->joint_name = facet_arena_allocate(b->scratch, b->joints, sizeof *t->joint_name);
    t->node_name = facet_arena_allocate(b->scratch, count, sizeof *t->node_name);
    t->above = facet_arena_allocate(b->scratch, count, sizeof *t->above);
    t->order = facet_arena_allocate(b->scratch, count, sizeof *t->order);
    t->joint_below = facet_arena_allocate_zeroed(b->scratch, b->joints, sizeof *t->joint_below);
    t->node_below = facet_arena_allocate_zeroed(b->scratch, count, sizeof *t->node_below);
    if (!stack || !t->joint_name || !t->node_name || !t->above || !t->order || !t->joint_below ||
        !t->node_below)
        return facet_j3d_joints_no_memory(b);
    return facet_scene_order(b->scene, stack, t->order, b->error);
}

static facet_status add_joints(tree *t)
{
    const facet_j3d_joint_weaving *b = t->weaving;
    for (uint32_t j = 0; j < b->joints; j++) {
        char name[FACET_J3D_JOINT_NAME];
        facet_j3d_joint_name(b->model, j, name);
        t->joint_name[j] = facet_names_put_copy(&t->names, name, strlen(name));
        if (t->joint_name[j] == UINT32_MAX)
            return facet_j3d_joints_no_memory(b);
    }
    for (uint32_t i = b->joints; i-- > 0;) {
        uint32_t joint = b->skeleton.order[i], parent = b->model->joints.items[joint].parent;
        if (parent != FACET_J3D_NONE)
            t->joint_below[parent] += hash_of(t->joint_name[joint], t->joint_below[joint]);
    }
    return FACET_OK;
}

/* The node of a skinned mesh does not become a joint. */
static void add_nodes(tree *t)
{
    const facet_scene *scene = t->weaving->scene;
    for (uint32_t i = 0; i < scene->node_count; i++) {
        uint32_t node = t->order[i], parent = scene->nodes[node]->parent;
        const facet_node *n = scene->nodes[node];
        bool is_skinned = n->mesh != FACET_NONE && n->skin != FACET_NONE;
        t->node_name[node] =
            is_skinned ? UINT32_MAX : facet_names_find(&t->names, n->name, strlen(n->name));
        t->above[node] =
            parent == FACET_NONE || t->node_name[parent] != UINT32_MAX ? parent : t->above[parent];
    }
    for (uint32_t i = scene->node_count; i-- > 0;) {
        uint32_t node = t->order[i];
        if (t->node_name[node] != UINT32_MAX && t->above[node] != FACET_NONE)
            t->node_below[t->above[node]] += hash_of(t->node_name[node], t->node_below[node]);
    }
}

/* Properties of a position that must agree. */
enum { ABOVE = 1, BELOW = 2 };

static position position_of(uint32_t above, uint32_t name, uint64_t below, unsigned agree)
{
    return (position){agree & ABOVE ? above : FACET_NONE, name, agree & BELOW ? below : 0};
}

/* Assign nodes to joints, parents first. Nodes at one position are assigned in their order. */
static facet_status match(facet_j3d_joint_weaving *b, const tree *t, unsigned agree)
{
    uint32_t count = b->scene->node_count;
    facet_records positions = facet_records_make(b->scratch, sizeof(position));
    uint32_t *first = facet_arena_allocate(b->scratch, count, sizeof *first);
    uint32_t *next = facet_arena_allocate(b->scratch, count, sizeof *next);
    if (!first || !next)
        return facet_j3d_joints_no_memory(b);
    for (uint32_t i = count; i-- > 0;) {
        const position at = position_of(t->above[i], t->node_name[i], t->node_below[i], agree);
        if (t->node_name[i] == UINT32_MAX || b->joint_of_node[i] != FACET_NONE)
            continue;
        uint32_t before = positions.count, number = facet_records_put(&positions, &at);
        if (number == UINT32_MAX)
            return facet_j3d_joints_no_memory(b);
        next[i] = number == before ? FACET_NONE : first[number];
        first[number] = i;
    }
    for (uint32_t i = 0; i < b->joints; i++) {
        uint32_t joint = b->skeleton.order[i], parent = b->model->joints.items[joint].parent;
        uint32_t above = parent == FACET_J3D_NONE ? FACET_NONE : b->nodes[parent];
        const position at = position_of(above, t->joint_name[joint], t->joint_below[joint], agree);
        uint32_t number = facet_records_find(&positions, &at);
        if (b->nodes[joint] != FACET_NONE || number == UINT32_MAX || first[number] == FACET_NONE)
            continue;
        /* Only a parent node identifies a joint without descendants. */
        if (!(agree & ABOVE) && t->joint_below[joint] == 0)
            continue;
        b->nodes[joint] = first[number];
        b->joint_of_node[first[number]] = joint;
        first[number] = next[first[number]];
    }
    return FACET_OK;
}

facet_status facet_j3d_match_joint_tree(facet_j3d_joint_weaving *b)
{
    tree t;
    TRY(make_tree(b, &t));
    TRY(add_joints(&t));
    add_nodes(&t);
    TRY(match(b, &t, ABOVE | BELOW));
    TRY(match(b, &t, BELOW));
    return match(b, &t, ABOVE);
}
