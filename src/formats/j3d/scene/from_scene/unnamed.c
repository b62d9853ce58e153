/* formats/j3d/scene/from_scene/unnamed.c - nodes without names for joints of a model. The writer of
 * models names their joints "joint0", "joint1" and so on. They match by their order below a joint.
 */
#include "formats/j3d/scene/from_scene/unnamed.h"

#include "base/error.h"
#include "scene/scene.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* True if the writer of models made the name of a joint. */
static bool has_made_name(const facet_j3d *model, uint32_t joint)
{
    char made[32];
    snprintf(made, sizeof made, "joint%" PRIu32, joint);
    return joint < model->joints.names.count &&
           strcmp(model->joints.names.items[joint].bytes, made) == 0;
}

/* Mark the nodes of skins. Without skins, mark all nodes without meshes. */
static void mark_candidates(const facet_scene *scene, bool *can_be)
{
    for (uint32_t i = 0; i < scene->node_count; i++)
        can_be[i] = scene->skin_count == 0 && scene->nodes[i]->mesh == FACET_NONE;
    for (uint32_t s = 0; s < scene->skin_count; s++) {
        const facet_skin *skin = scene->skins[s];
        for (uint32_t k = 0; k < skin->joint_count; k++) {
            if (skin->joints[k] < scene->node_count)
                can_be[skin->joints[k]] = true;
        }
    }
}

/* Joints without a node, listed by their parent. The last list has those without a parent. */
typedef struct waiting {
    uint32_t *first, *next;
} waiting;

static uint32_t list_waiting(const facet_j3d *model, const bool *taken, waiting *lists)
{
    uint32_t joints = model->joints.count, count = 0;
    for (uint32_t j = 0; j <= joints; j++)
        lists->first[j] = FACET_NONE;
    for (uint32_t j = joints; j-- > 0;) {
        uint32_t parent = model->joints.items[j].parent;
        parent = parent < joints ? parent : joints;
        if (taken[j] || !has_made_name(model, j))
            continue;
        lists->next[j] = lists->first[parent];
        lists->first[parent] = j;
        count++;
    }
    return count;
}

facet_status facet_j3d_match_unnamed(const facet_scene *scene, const facet_j3d *model,
                                     uint32_t *joint_of_node, facet_arena *scratch,
                                     facet_error *error)
{
    uint32_t count = scene->node_count, joints = model->joints.count;
    waiting lists = {facet_arena_allocate(scratch, (size_t)joints + 1, sizeof(uint32_t)),
                     facet_arena_allocate(scratch, joints, sizeof(uint32_t))};
    bool *taken = facet_arena_allocate_zeroed(scratch, joints, sizeof *taken);
    uint32_t *depth = facet_arena_allocate(scratch, count, sizeof *depth);
    uint32_t *order = facet_arena_allocate(scratch, count, sizeof *order);
    uint32_t *above = facet_arena_allocate(scratch, count, sizeof *above);
    bool *can_be = facet_arena_allocate(scratch, count, sizeof *can_be);
    if (!lists.first || !lists.next || !taken || !depth || !order || !above || !can_be)
        return facet_fail_arena(scratch, error);
    for (uint32_t i = 0; i < count; i++) {
        if (joint_of_node[i] < joints)
            taken[joint_of_node[i]] = true;
    }
    if (list_waiting(model, taken, &lists) == 0)
        return FACET_OK;
    TRY(facet_scene_order(scene, depth, order, error));
    mark_candidates(scene, can_be);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t node = order[i], parent = scene->nodes[node]->parent;
        above[node] = parent == FACET_NONE             ? joints
                      : joint_of_node[parent] < joints ? joint_of_node[parent]
                                                       : above[parent];
        uint32_t joint = lists.first[above[node]];
        if (joint_of_node[node] != FACET_NONE || *scene->nodes[node]->name || !can_be[node] ||
            joint == FACET_NONE)
            continue;
        lists.first[above[node]] = lists.next[joint];
        joint_of_node[node] = joint;
    }
    return FACET_OK;
}
