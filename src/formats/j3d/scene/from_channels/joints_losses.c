/* formats/j3d/scene/from_channels/joints_losses.c - channels that do not move a joint. */
#include "formats/j3d/scene/from_channels/joints.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"
#include "scene/scene.h"

#include <facet/pose.h>
#include <inttypes.h>
#include <math.h>

/* True if a channel gives a node only its value at rest, as programs write for each node. */
static bool is_at_rest(const facet_node *node, const facet_channel *channel)
{
    const facet_transform *at_rest = &node->transform;
    const float *rest = channel->target == FACET_TARGET_TRANSLATION ? at_rest->translation
                        : channel->target == FACET_TARGET_ROTATION  ? at_rest->rotation
                                                                    : at_rest->scale;
    if (node->has_matrix || channel->interpolation == FACET_INTERPOLATION_CUBIC)
        return false;
    for (uint32_t k = 0; k < channel->key_count; k++) {
        const float *value = channel->values + (size_t)k * channel->width;
        for (uint32_t i = 0; i < channel->width; i++) {
            if (fabsf(value[i] - rest[i]) > 1e-5F * fmaxf(1, fabsf(rest[i])))
                return false;
        }
    }
    return true;
}

/* Mark joints and the nodes above them, which move them. The node of a skinned mesh has no effect
 * on its mesh. */
static facet_status mark_effective(const facet_j3d_joint_weaving *w, bool *is_effective)
{
    const facet_scene *scene = w->scene;
    uint32_t *stack = facet_arena_allocate(w->scratch, scene->node_count, sizeof *stack);
    uint32_t *order = facet_arena_allocate(w->scratch, scene->node_count, sizeof *order);
    if (!stack || !order)
        return facet_j3d_joints_no_memory(w);
    TRY(facet_scene_order(scene, stack, order, w->error));
    for (uint32_t i = scene->node_count; i-- > 0;) {
        const facet_node *node = scene->nodes[order[i]];
        bool is_skinned = node->mesh != FACET_NONE && node->skin != FACET_NONE;
        is_effective[order[i]] |= is_skinned || w->joint_of_node[order[i]] != FACET_NONE;
        if (node->parent != FACET_NONE && !is_skinned)
            is_effective[node->parent] |= is_effective[order[i]];
    }
    return FACET_OK;
}

facet_status facet_j3d_report_joint_losses(const facet_j3d_joint_weaving *w)
{
    facet_report *report = w->options ? w->options->report : NULL;
    facet_tally lost = {0}, others = {0};
    if (!report)
        return FACET_OK;
    bool *is_effective =
        facet_arena_allocate_zeroed(w->scratch, w->scene->node_count, sizeof *is_effective);
    if (!is_effective)
        return facet_j3d_joints_no_memory(w);
    TRY(mark_effective(w, is_effective));
    for (uint32_t i = 0; i < w->animation->channel_count; i++) {
        const facet_channel *channel = &w->animation->channels[i];
        if (!facet_channel_target_is_place(channel->target))
            facet_tally_hit(&others, i);
        else if (!is_effective[channel->node] &&
                 !is_at_rest(w->scene->nodes[channel->node], channel))
            facet_tally_hit(&lost, i);
    }
    const char *kind = facet_j3d_animation_kind_name(w->kind);
    facet_report_add_tally(report, "LOSS-ANIMATIONS", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                           &lost, "channel %" PRIu64 " moves no joint of the model", lost.first);
    facet_report_add_tally(
        report, "LOSS-ANIMATIONS", FACET_SEVERITY_WARNING, FACET_NO_OFFSET, &others,
        "a %s cannot hold the animation of morph targets, visibility and materials", kind);
    return FACET_OK;
}
