/* formats/assimp/from_scene/animations.c - animations: the channels of a node become one list of
 * keys in seconds, with the times of all channels. */
#include "base/error.h"
#include "formats/assimp/from_scene/from_scene.h"
#include "scene/matrix.h"
#include "scene/scene.h"

#include <facet/pose.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

/* -- One node ----------------------------------------------------------- */

typedef struct mover {
    const facet_channel *channels[3]; /* indexed by facet_channel_target; NULL if missing */
} mover;

/* Merge two ordered lists without duplicates. */
static uint64_t merge(const float *a, uint64_t a_count, const float *b, uint64_t b_count, float *to)
{
    uint64_t i = 0, k = 0, used = 0;
    while (i < a_count || k < b_count) {
        float time = k == b_count || (i < a_count && a[i] <= b[k]) ? a[i++] : b[k++];
        if (used == 0 || to[used - 1] != time)
            to[used++] = time;
    }
    return used;
}

static facet_status union_of_times(const facet_assimp_writer *w, const mover *m, float **times,
                                   uint64_t *count)
{
    uint64_t most = 0;
    for (int i = 0; i < 3; i++)
        most += facet_assimp_list_key_times(w, m->channels[i], NULL);
    float *space[3];
    for (int i = 0; i < 3; i++) {
        space[i] = facet_arena_allocate(w->scratch, most, sizeof **space);
        if (!space[i])
            return facet_assimp_no_memory(w->error, most, sizeof **space);
    }
    uint64_t used = 0;
    for (int i = 0; i < 3; i++) {
        if (!m->channels[i])
            continue;
        uint64_t listed = facet_assimp_list_key_times(w, m->channels[i], space[1]);
        used = merge(space[0], used, space[1], listed, space[2]);
        float *swapped = space[0];
        space[0] = space[2];
        space[2] = swapped;
    }
    *times = space[0];
    *count = used;
    return FACET_OK;
}

/* The closest scale, rotation and translation of a node at rest. */
static facet_transform rest_of(const facet_node *node)
{
    facet_transform transform = node->transform;
    if (node->has_matrix)
        facet_assimp_decompose(node->matrix, &transform);
    return transform;
}

static facet_status write_keys(facet_assimp_writer *w, const mover *m, uint32_t node,
                               struct aiNodeAnim *to)
{
    float *times = NULL;
    uint64_t count = 0;
    TRY(union_of_times(w, m, &times, &count));
    if (count > UINT32_MAX)
        return facet_assimp_no_memory(w->error, count, sizeof(struct aiQuatKey));
    to->mPositionKeys = facet_arena_allocate_zeroed(w->scratch, count, sizeof *to->mPositionKeys);
    to->mRotationKeys = facet_arena_allocate_zeroed(w->scratch, count, sizeof *to->mRotationKeys);
    to->mScalingKeys = facet_arena_allocate_zeroed(w->scratch, count, sizeof *to->mScalingKeys);
    if (!to->mPositionKeys || !to->mRotationKeys || !to->mScalingKeys)
        return facet_assimp_no_memory(w->error, count, sizeof(struct aiQuatKey));
    facet_assimp_set_text(&to->mNodeName, w->node_names[node]);
    to->mNumPositionKeys = to->mNumRotationKeys = to->mNumScalingKeys = (unsigned int)count;
    for (uint64_t i = 0; i < count; i++) {
        facet_transform at = rest_of(w->scene->nodes[node]);
        double time = (double)times[i];
        if (m->channels[FACET_TARGET_TRANSLATION])
            facet_channel_sample(m->channels[FACET_TARGET_TRANSLATION], time, at.translation);
        if (m->channels[FACET_TARGET_ROTATION])
            facet_channel_sample(m->channels[FACET_TARGET_ROTATION], time, at.rotation);
        if (m->channels[FACET_TARGET_SCALE])
            facet_channel_sample(m->channels[FACET_TARGET_SCALE], time, at.scale);
        to->mPositionKeys[i].mTime = to->mRotationKeys[i].mTime = to->mScalingKeys[i].mTime = time;
        memcpy(&to->mPositionKeys[i].mValue.x, at.translation, sizeof at.translation);
        memcpy(&to->mScalingKeys[i].mValue.x, at.scale, sizeof at.scale);
        to->mRotationKeys[i].mValue.w = at.rotation[3];
        to->mRotationKeys[i].mValue.x = at.rotation[0];
        to->mRotationKeys[i].mValue.y = at.rotation[1];
        to->mRotationKeys[i].mValue.z = at.rotation[2];
    }
    return FACET_OK;
}

/* -- Animations --------------------------------------------------------- */

typedef struct losses {
    facet_tally weights, others, steps, curves;
} losses;

/* Sort the channels by node. Returns the number of animated nodes. */
static uint32_t sort_channels(const facet_animation *from, mover *movers, losses *lost)
{
    uint32_t moving = 0;
    for (uint32_t i = 0; i < from->channel_count; i++) {
        const facet_channel *channel = &from->channels[i];
        if (!facet_channel_target_is_place(channel->target)) {
            facet_tally_hit(
                channel->target == FACET_TARGET_WEIGHTS ? &lost->weights : &lost->others, i);
            continue;
        }
        if (channel->interpolation == FACET_INTERPOLATION_STEP && channel->key_count > 1)
            facet_tally_hit(&lost->steps, i);
        if (channel->interpolation == FACET_INTERPOLATION_CUBIC && channel->key_count > 1)
            facet_tally_hit(&lost->curves, i);
        mover *m = &movers[channel->node];
        moving += !m->channels[0] && !m->channels[1] && !m->channels[2];
        m->channels[channel->target] = channel;
    }
    return moving;
}

static facet_status write_animation(facet_assimp_writer *w, const facet_animation *from,
                                    mover *movers, losses *lost, struct aiAnimation *to)
{
    uint32_t node_count = w->scene->node_count;
    memset(movers, 0, node_count * sizeof *movers);
    uint32_t moving = sort_channels(from, movers, lost);
    struct aiNodeAnim *channels = facet_arena_allocate_zeroed(w->scratch, moving, sizeof *channels);
    to->mChannels = facet_arena_allocate(w->scratch, moving, sizeof *to->mChannels);
    if (!channels || !to->mChannels)
        return facet_assimp_no_memory(w->error, moving, sizeof *channels);
    facet_assimp_set_text(&to->mName, from->name);
    to->mTicksPerSecond = 1;
    to->mDuration = ceil(facet_animation_duration(from)); /* exporters truncate it to seconds */
    facet_status status = FACET_OK;
    for (uint32_t node = 0; node < node_count && !status; node++) {
        const mover *m = &movers[node];
        if (!m->channels[0] && !m->channels[1] && !m->channels[2])
            continue;
        struct aiNodeAnim *channel = &channels[to->mNumChannels];
        to->mChannels[to->mNumChannels++] = channel;
        status = write_keys(w, m, node, channel);
    }
    return status;
}

/* Report the animations after the one that a format holds. */
static void report_others(const facet_assimp_writer *w, uint32_t written)
{
    facet_quoted quoted;
    const char *name = w->scene->animations[written]->name;
    facet_report_add(w->report, "LOSS-ANIMATIONS", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                     "only '%s', animation %" PRIu32 " of %" PRIu32
                     ", is written to %s, which assimp gives one",
                     facet_quote(&quoted, name, strlen(name)), written + 1,
                     w->scene->animation_count, w->target->name);
}

/* If the format has one animation, it gets the first that moves a node. */
facet_status facet_assimp_animations_from_scene(facet_assimp_writer *w)
{
    uint32_t count = w->scene->animation_count;
    struct aiAnimation *animations =
        facet_arena_allocate_zeroed(w->scratch, count, sizeof *animations);
    mover *movers = facet_arena_allocate(w->scratch, w->scene->node_count, sizeof *movers);
    w->to.mAnimations = facet_arena_allocate(w->scratch, count, sizeof *w->to.mAnimations);
    if (!animations || !movers || !w->to.mAnimations)
        return facet_assimp_no_memory(w->error, count, sizeof *animations);
    losses lost = {0};
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < count && !status; i++) {
        struct aiAnimation *to = &animations[w->to.mNumAnimations];
        status = write_animation(w, w->scene->animations[i], movers, &lost, to);
        if (to->mNumChannels == 0)
            continue;
        w->to.mAnimations[w->to.mNumAnimations++] = to;
        if (!w->target->one_animation)
            continue;
        if (count > 1)
            report_others(w, i);
        break;
    }
    const char *name = w->target->name;
    facet_report_add_tally(w->report, "LOSS-ANIMATIONS", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                           &lost.weights, "the animation of morph targets is not written to %s",
                           name);
    facet_report_add_tally(w->report, "LOSS-ANIMATIONS", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                           &lost.others,
                           "the animation of visibility and materials is not written to %s", name);
    facet_report_add_tally(
        w->report, "LOSS-ANIMATIONS", FACET_SEVERITY_NOTE, FACET_NO_OFFSET, &lost.steps,
        "a channel that steps from key to key gets ramps of a millisecond in %s", name);
    facet_report_add_tally(w->report, "LOSS-ANIMATIONS", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                           &lost.curves, "a cubic channel is sampled 30 times a second for %s",
                           name);
    return status;
}
