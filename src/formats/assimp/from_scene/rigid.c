/* formats/assimp/from_scene/rigid.c - rigid meshes below joints.
 *
 * Blender's importer of COLLADA loses a mesh whose node is below a joint, or moves it to the
 * origin. So each such node gets a skin with one joint, which all vertices follow. The weights are
 * the float below 1, by which Facet's reader knows such a mesh (to_scene/rigid.c). */
#include "base/error.h"
#include "formats/assimp/from_scene/from_scene.h"
#include "scene/matrix.h"
#include "scene/scene.h"

#include <inttypes.h>
#include <string.h>

typedef struct binder {
    facet_assimp_writer *w;
    bool *seen, *is_joint, *is_animated; /* per node */
    uint32_t *below;                     /* per node: the nearest joint or animated node at or above
                                            it, if a joint is at or above it; else FACET_NONE */
    uint32_t *order;
} binder;

/* Mark joints and animated nodes, and find the bone that each node follows. */
static facet_status find_bones(const binder *b)
{
    const facet_scene *scene = b->w->scene;
    TRY(facet_scene_order(scene, b->below, b->order, b->w->error));
    facet_scene_mark_visible(scene, b->order, b->seen);
    for (uint32_t i = 0; i < scene->skin_count; i++) {
        for (uint32_t k = 0; k < scene->skins[i]->joint_count; k++)
            b->is_joint[scene->skins[i]->joints[k]] = true;
    }
    for (uint32_t i = 0; i < scene->animation_count; i++) {
        const facet_animation *animation = scene->animations[i];
        for (uint32_t k = 0; k < animation->channel_count; k++) {
            if (facet_channel_target_is_place(animation->channels[k].target))
                b->is_animated[animation->channels[k].node] = true;
        }
    }
    for (uint32_t i = 0; i < scene->node_count; i++) { /* parents first */
        uint32_t node = b->order[i], parent = scene->nodes[node]->parent;
        uint32_t above = parent == FACET_NONE ? FACET_NONE : b->below[parent];
        bool is_bone = b->is_joint[node] || (above != FACET_NONE && b->is_animated[node]);
        b->below[node] = is_bone ? node : above;
    }
    return FACET_OK;
}

static bool is_rigid(const binder *b, uint32_t i)
{
    const facet_node *node = b->w->scene->nodes[i];
    return node->mesh != FACET_NONE && node->skin == FACET_NONE && b->seen[i] &&
           b->below[i] != FACET_NONE;
}

/* The matrix from a node to its bone. */
static void matrix_to_bone(const binder *b, uint32_t i, float out[16])
{
    static const float identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    memcpy(out, identity, sizeof identity);
    for (uint32_t bone = b->below[i]; i != bone; i = b->w->scene->nodes[i]->parent) {
        float local[16], made[16];
        facet_matrix_of_node(b->w->scene->nodes[i], local);
        facet_matrix_multiply(local, out, made);
        memcpy(out, made, sizeof made);
    }
}

/* Replace w->scene by a copy with a skin for each rigid node. */
static facet_status add_skins(const binder *b, uint32_t count)
{
    facet_assimp_writer *w = b->w;
    const facet_scene *from = w->scene;
    facet_scene *to = facet_arena_allocate(w->scratch, 1, sizeof *to);
    facet_node **nodes = facet_arena_allocate(w->scratch, from->node_count, sizeof(facet_node *));
    facet_node *changed = facet_arena_allocate(w->scratch, count, sizeof *changed);
    facet_skin **skins =
        facet_arena_allocate(w->scratch, (size_t)from->skin_count + count, sizeof(facet_skin *));
    facet_skin *made = facet_arena_allocate_zeroed(w->scratch, count, sizeof *made);
    float *matrices = facet_arena_allocate(w->scratch, count, 16 * sizeof *matrices);
    uint32_t *joints = facet_arena_allocate(w->scratch, count, sizeof *joints);
    w->rigid_places = facet_arena_allocate(w->scratch, count, 16 * sizeof *w->rigid_places);
    if (!to || !nodes || !changed || !skins || !made || !matrices || !joints || !w->rigid_places)
        return facet_assimp_no_memory(w->error, count, 16 * sizeof *matrices);
    *to = *from;
    memcpy(nodes, from->nodes, from->node_count * sizeof(facet_node *));
    memcpy(skins, from->skins, from->skin_count * sizeof(facet_skin *));
    to->nodes = nodes;
    to->skins = skins;
    for (uint32_t i = 0, k = 0; i < from->node_count; i++) {
        if (!is_rigid(b, i))
            continue;
        joints[k] = b->below[i];
        matrix_to_bone(b, i, matrices + (size_t)k * 16);
        made[k] = (facet_skin){.name = "",
                               .joint_count = 1,
                               .joints = &joints[k],
                               .inverse_bind = matrices + (size_t)k * 16,
                               .skeleton = FACET_NONE};
        changed[k] = *from->nodes[i];
        changed[k].skin = to->skin_count;
        nodes[i] = &changed[k];
        skins[to->skin_count++] = &made[k++];
    }
    w->scene = to;
    return FACET_OK;
}

facet_status facet_assimp_bind_rigid(facet_assimp_writer *w)
{
    uint32_t count = w->scene->node_count;
    binder b = {.w = w};
    facet_tally rigid = {0, 0};
    w->first_rigid_skin = w->scene->skin_count;
    if (w->target->has_mesh_places)
        return FACET_OK;
    b.seen = facet_arena_allocate_zeroed(w->scratch, count, sizeof *b.seen);
    b.is_joint = facet_arena_allocate_zeroed(w->scratch, count, sizeof *b.is_joint);
    b.is_animated = facet_arena_allocate_zeroed(w->scratch, count, sizeof *b.is_animated);
    b.below = facet_arena_allocate(w->scratch, count, sizeof *b.below);
    b.order = facet_arena_allocate(w->scratch, count, sizeof *b.order);
    if (!b.seen || !b.is_joint || !b.is_animated || !b.below || !b.order)
        return facet_assimp_no_memory(w->error, count, sizeof *b.order);
    TRY(find_bones(&b));
    for (uint32_t i = 0; i < count; i++) {
        if (is_rigid(&b, i))
            facet_tally_hit(&rigid, i);
    }
    facet_report_add_tally(w->report, "ASSIMP-RIGID", FACET_SEVERITY_NOTE, FACET_NO_OFFSET, &rigid,
                           "the mesh of node %" PRIu64 " is below a joint: it becomes a root and "
                           "is bound to the joint, because Blender does not show it otherwise",
                           rigid.first);
    return rigid.count > 0 ? add_skins(&b, (uint32_t)rigid.count) : FACET_OK;
}
