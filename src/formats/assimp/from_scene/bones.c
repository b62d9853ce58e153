/* formats/assimp/from_scene/bones.c - skeletons as programs that read FBX expect them.
 *
 * Blender takes a node between bones for another armature, and a bone that shows a mesh for a
 * mesh. So the nodes between joints become joints without weights, and a mesh at a joint moves to a
 * node below it. */
#include "base/error.h"
#include "formats/assimp/from_scene/from_scene.h"
#include "scene/matrix.h"
#include "scene/scene.h"

#include <inttypes.h>
#include <string.h>

/* -- Nodes between joints ----------------------------------------------- */

static const float identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};

typedef struct completer {
    facet_assimp_writer *w;
    uint32_t *joint_of; /* per node: the last skin that has it as a joint, plus 1 */
    uint32_t *seen_by;  /* per node: the last skin with a joint at or below it, plus 1 */
    uint32_t *branches; /* per node: number of its children with such joints */
    uint32_t *below;    /* per node: the first of them */
    float *binds;       /* per node: inverse bind matrix, 16 floats */
    uint32_t *seen;     /* nodes that the current skin has seen, joints excluded */
    uint32_t seen_count;
    uint32_t root, root_count; /* of the current skin */
} completer;

/* Note the joints of a skin. */
static void note_joints(completer *c, uint32_t number, const facet_skin *skin)
{
    for (uint32_t i = 0; i < skin->joint_count; i++) {
        uint32_t joint = skin->joints[i];
        const float *bind = skin->inverse_bind ? skin->inverse_bind + (size_t)i * 16 : identity;
        memcpy(c->binds + (size_t)joint * 16, bind, sizeof identity);
        c->joint_of[joint] = number + 1;
        c->branches[joint] = 0;
    }
}

/* See a joint and the nodes above it. The bind pose of these is their pose at rest, relative to the
 * first joint below. */
static void see(completer *c, uint32_t number, uint32_t joint)
{
    const facet_scene *scene = c->w->scene;
    uint32_t node = joint, parent;
    for (; c->seen_by[node] != number + 1; node = parent) {
        c->seen_by[node] = number + 1;
        parent = scene->nodes[node]->parent;
        if (parent == FACET_NONE) {
            c->root = node;
            c->root_count++;
            return;
        }
        bool is_new = c->seen_by[parent] != number + 1;
        if (is_new && c->joint_of[parent] != number + 1) {
            float local[16];
            facet_matrix_of_node(scene->nodes[node], local);
            facet_matrix_multiply(local, c->binds + (size_t)node * 16,
                                  c->binds + (size_t)parent * 16);
            c->branches[parent] = 0;
            c->below[parent] = node;
            c->seen[c->seen_count++] = parent;
        }
        c->branches[parent]++;
    }
}

/* Set branches to 0 for the nodes from the root to the first that has several branches or is a
 * joint. They are not between joints. */
static void leave_out_top(const completer *c, uint32_t skin)
{
    uint32_t node = c->root;
    while (c->root_count == 1 && c->joint_of[node] != skin + 1) {
        bool is_last = c->branches[node] > 1;
        c->branches[node] = 0;
        if (is_last)
            return;
        node = c->below[node];
    }
}

/* Replace a skin by a copy with the nodes between its joints. */
static facet_status complete_skin(completer *c, uint32_t number, facet_skin **skin)
{
    facet_assimp_writer *w = c->w;
    const facet_skin *from = *skin;
    uint32_t added = 0;
    c->seen_count = c->root_count = 0;
    note_joints(c, number, from);
    for (uint32_t i = 0; i < from->joint_count; i++)
        see(c, number, from->joints[i]);
    leave_out_top(c, number);
    for (uint32_t i = 0; i < c->seen_count; i++)
        added += c->branches[c->seen[i]] > 0;
    if (added == 0 || added > UINT16_MAX - from->joint_count)
        return FACET_OK;
    size_t count = (size_t)from->joint_count + added;
    facet_skin *to = facet_arena_allocate(w->scratch, 1, sizeof *to);
    uint32_t *joints = facet_arena_allocate(w->scratch, count, sizeof *joints);
    float *binds = facet_arena_allocate(w->scratch, count, 16 * sizeof *binds);
    if (!to || !joints || !binds)
        return facet_assimp_no_memory(w->error, count, 16 * sizeof *binds);
    *to = *from;
    memcpy(joints, from->joints, from->joint_count * sizeof *joints);
    for (uint32_t i = 0; i < from->joint_count; i++)
        memcpy(binds + (size_t)i * 16,
               from->inverse_bind ? from->inverse_bind + (size_t)i * 16 : identity,
               sizeof identity);
    for (uint32_t i = 0; i < c->seen_count; i++) {
        uint32_t node = c->seen[i];
        if (c->branches[node] == 0)
            continue;
        joints[to->joint_count] = node;
        memcpy(binds + (size_t)to->joint_count++ * 16, c->binds + (size_t)node * 16,
               sizeof identity);
    }
    to->joints = joints;
    to->inverse_bind = binds;
    *skin = to;
    return FACET_OK;
}

facet_status facet_assimp_complete_skins(facet_assimp_writer *w)
{
    const facet_scene *from = w->scene;
    uint32_t count = from->node_count;
    completer c = {.w = w};
    if (!w->target->has_mesh_places)
        return FACET_OK;
    facet_scene *to = facet_arena_allocate(w->scratch, 1, sizeof *to);
    facet_skin **skins = facet_arena_allocate(w->scratch, from->skin_count, sizeof(facet_skin *));
    c.joint_of = facet_arena_allocate_zeroed(w->scratch, count, sizeof *c.joint_of);
    c.seen_by = facet_arena_allocate_zeroed(w->scratch, count, sizeof *c.seen_by);
    c.branches = facet_arena_allocate(w->scratch, count, sizeof *c.branches);
    c.below = facet_arena_allocate(w->scratch, count, sizeof *c.below);
    c.seen = facet_arena_allocate(w->scratch, count, sizeof *c.seen);
    c.binds = facet_arena_allocate(w->scratch, count, 16 * sizeof *c.binds);
    if (!to || !skins || !c.joint_of || !c.seen_by || !c.branches || !c.below || !c.seen ||
        !c.binds)
        return facet_assimp_no_memory(w->error, count, 16 * sizeof *c.binds);
    *to = *from;
    to->skins = skins;
    for (uint32_t i = 0; i < from->skin_count; i++) {
        skins[i] = from->skins[i];
        TRY(complete_skin(&c, i, &skins[i]));
    }
    w->scene = to;
    return FACET_OK;
}

/* -- Meshes at joints --------------------------------------------------- */

facet_status facet_assimp_hang_meshes(facet_assimp_writer *w)
{
    const facet_scene *from = w->scene;
    facet_tally moved = {0, 0};
    bool *is_joint = facet_arena_allocate_zeroed(w->scratch, from->node_count, sizeof *is_joint);
    if (!is_joint)
        return facet_assimp_no_memory(w->error, from->node_count, sizeof *is_joint);
    for (uint32_t i = 0; i < from->skin_count && w->target->has_mesh_places; i++) {
        for (uint32_t k = 0; k < from->skins[i]->joint_count; k++)
            is_joint[from->skins[i]->joints[k]] = true;
    }
    for (uint32_t i = 0; i < from->node_count; i++) {
        if (is_joint[i] && from->nodes[i]->mesh != FACET_NONE)
            facet_tally_hit(&moved, i);
    }
    if (moved.count == 0)
        return FACET_OK;
    size_t count = (size_t)from->node_count + (size_t)moved.count;
    facet_scene *to = facet_arena_allocate(w->scratch, 1, sizeof *to);
    facet_node **nodes = facet_arena_allocate(w->scratch, count, sizeof(facet_node *));
    facet_node *changed =
        facet_arena_allocate(w->scratch, (size_t)moved.count, 2 * sizeof *changed);
    if (!to || !nodes || !changed)
        return facet_assimp_no_memory(w->error, count, 2 * sizeof *changed);
    *to = *from;
    to->nodes = nodes;
    memcpy(nodes, from->nodes, from->node_count * sizeof(facet_node *));
    for (uint32_t i = 0; i < from->node_count; i++) {
        const facet_node *node = from->nodes[i];
        if (!is_joint[i] || node->mesh == FACET_NONE)
            continue;
        facet_node *joint = changed++, *shown = changed++;
        *joint = *node;
        joint->mesh = joint->skin = FACET_NONE;
        nodes[i] = joint;
        *shown = (facet_node){.name = node->name,
                              .parent = i,
                              .mesh = node->mesh,
                              .skin = node->skin,
                              .weights = node->weights,
                              .transform = {.rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}},
                              .camera = FACET_NONE,
                              .light = FACET_NONE};
        nodes[to->node_count++] = shown;
    }
    facet_report_add_tally(w->report, "ASSIMP-SKIN-NODE", FACET_SEVERITY_NOTE, FACET_NO_OFFSET,
                           &moved,
                           "node %" PRIu64 " is a joint and shows a mesh, which moves to a node "
                           "below it",
                           moved.first);
    w->scene = to;
    return FACET_OK;
}
