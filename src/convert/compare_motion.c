/* convert/compare_motion.c - comparison of the transforms of nodes of two scenes, at rest and in
 * animations. */
#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"
#include "base/table.h"
#include "base/text.h"
#include "convert/compare.h"
#include "scene/axes.h"

#include <facet/pose.h>

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

/* Number of evenly spaced times. WORK: transforms of nodes that are computed even for animations
 * with few keys. */
enum { TIMES = 17, WORK = 1 << 20 };

/* -- Transforms --------------------------------------------------------- */

/* Distance of two transforms: that of the origins, and of the ends of arms along the axes. */
static double apart(const facet_comparing *c, const facet_compared_nodes *p, const float *here,
                    const float *there)
{
    double most = 0;
    for (int end = 0; end < (p->turned ? 1 : 4); end++) {
        float x[3], y[3];
        double squares = 0;
        for (int k = 0; k < 3; k++) {
            x[k] = here[12 + k] + (end > 0 ? (float)p->arm * here[4 * (end - 1) + k] : 0);
            y[k] = there[12 + k] +
                   (end > 0 ? (float)(p->arm / c->scale) * there[4 * (end - 1) + k] : 0);
        }
        facet_axes_turn(&p->a->axes, x);
        facet_axes_turn(&p->b->axes, y);
        for (int k = 0; k < 3; k++)
            squares += pow(x[k] - c->scale * y[k], 2);
        most = fmax(most, sqrt(squares));
    }
    return most;
}

facet_status facet_compare_rest(const facet_comparing *c, const facet_compared_nodes *p,
                                facet_error *error)
{
    facet_pose here = {0}, there = {0};
    uint32_t differing = 0;
    facet_status status = facet_scene_pose(p->a, FACET_NONE, 0, c->options, &here, error);
    if (!status)
        status = facet_scene_pose(p->b, FACET_NONE, 0, c->options, &there, error);
    for (uint32_t i = 0; i < p->a->node_count && !status; i++) {
        uint32_t other = p->pairs[i];
        if (other == FACET_NONE)
            continue;
        facet_quoted quoted;
        const char *name = p->a->nodes[i]->name;
        uint32_t parent = p->a->nodes[i]->parent, other_parent = p->b->nodes[other]->parent;
        bool hidden = p->a->nodes[i]->hidden != p->b->nodes[other]->hidden;
        bool moved_up = parent != FACET_NONE && p->pairs[parent] != FACET_NONE &&
                        p->pairs[parent] != other_parent;
        double distance =
            apart(c, p, here.global + 16 * (size_t)i, there.global + 16 * (size_t)other);
        if ((!moved_up && !hidden && distance <= c->tolerance) ||
            differing++ >= FACET_COMPARE_DETAILS)
            continue;
        facet_quote(&quoted, name, strlen(name));
        if (hidden)
            facet_compare_add(c, FACET_COMPARE_NODES, "COMPARE-NODE", FACET_NO_OFFSET,
                              "node '%s' is hidden in one file only", quoted.text);
        else if (moved_up)
            facet_compare_add(c, FACET_COMPARE_NODES, "COMPARE-NODE", FACET_NO_OFFSET,
                              "node '%s' has another parent", quoted.text);
        else
            facet_compare_add(c, FACET_COMPARE_NODES, "COMPARE-NODE", FACET_NO_OFFSET,
                              "node '%s' is %g away at rest", quoted.text, distance);
    }
    if (differing > FACET_COMPARE_DETAILS)
        facet_compare_add(c, FACET_COMPARE_NODES, "COMPARE-NODE", FACET_NO_OFFSET,
                          "%" PRIu32 " more node%s", differing - FACET_COMPARE_DETAILS,
                          facet_plural(differing - FACET_COMPARE_DETAILS, " differs", "s differ"));
    facet_pose_free(&there);
    facet_pose_free(&here);
    return status;
}

/* -- Animations --------------------------------------------------------- */

/* Times at which motion is compared: all keys of both animations, evenly spaced times, and the
 * middles between them. To keep the cost almost linear, there is a limit in proportion to the keys.
 * Beyond it, only every nth time is used, which a note reports. */
static double *take_times(const facet_comparing *c, const facet_animation *animations[2],
                          size_t per_time, uint32_t *count)
{
    double duration =
        fmax(facet_animation_duration(animations[0]), facet_animation_duration(animations[1]));
    uint64_t keys = TIMES, used = 0;
    for (int s = 0; s < 2; s++) {
        for (uint32_t i = 0; i < animations[s]->channel_count; i++)
            keys += animations[s]->channels[i].key_count;
    }
    double *times = keys > UINT32_MAX / 2
                        ? NULL
                        : facet_arena_allocate(c->arena, (size_t)keys, 2 * sizeof *times);
    if (!times)
        return NULL;
    for (; used < TIMES; used++)
        times[used] = duration * (double)used / (TIMES - 1);
    for (int s = 0; s < 2; s++) {
        for (uint32_t i = 0; i < animations[s]->channel_count; i++) {
            const facet_channel *channel = &animations[s]->channels[i];
            for (uint32_t k = 0; k < channel->key_count; k++)
                times[used++] = fmax((double)channel->times[k], 0);
        }
    }
    *count = facet_compare_merge_times(times, (uint32_t)used);
    uint64_t most = TIMES + (WORK + 16 * keys) / (per_time + 1);
    if (*count <= most)
        return times;
    uint32_t step = (uint32_t)(*count / most + 1), kept = 0;
    for (uint32_t i = 0; i < *count; i += step)
        times[kept++] = times[i];
    facet_quoted name;
    facet_report_add(c->report, "COMPARE-TIMES", FACET_SEVERITY_NOTE, FACET_NO_OFFSET,
                     "animation '%.60s' is compared at %" PRIu32 " of %" PRIu32 " times",
                     facet_quote(&name, animations[0]->name, strlen(animations[0]->name)), kept,
                     *count);
    *count = kept;
    return times;
}

/* The largest difference, at all times of take_times. */
static facet_status compare_motion(const facet_comparing *c, const facet_compared_nodes *p,
                                   uint32_t animation, uint32_t other, facet_error *error)
{
    facet_pose here = {0}, there = {0};
    const facet_animation *animations[2] = {p->a->animations[animation], p->b->animations[other]};
    double most = 0, when = 0;
    uint32_t who = 0, count = 0;
    size_t per_time = (size_t)p->a->node_count + p->b->node_count + animations[0]->channel_count +
                      animations[1]->channel_count;
    double *times = take_times(c, animations, per_time, &count);
    if (!times)
        return facet_fail_arena(c->arena, error);
    facet_status status = FACET_OK;
    for (uint32_t t = 0; t < count && !status; t++) {
        double time = times[t];
        status = facet_scene_pose(p->a, animation, time, c->options, &here, error);
        if (!status)
            status = facet_scene_pose(p->b, other, time, c->options, &there, error);
        for (uint32_t i = 0; i < p->a->node_count && !status; i++) {
            if (p->pairs[i] == FACET_NONE)
                continue;
            double distance =
                apart(c, p, here.global + 16 * (size_t)i, there.global + 16 * (size_t)p->pairs[i]);
            if (distance > most) {
                most = distance;
                when = time;
                who = i;
            }
        }
    }
    facet_pose_free(&there);
    facet_pose_free(&here);
    if (!status && most > c->tolerance) {
        facet_quoted name, node;
        const char *of = p->a->animations[animation]->name, *at = p->a->nodes[who]->name;
        facet_compare_add(c, FACET_COMPARE_ANIMATIONS, "COMPARE-ANIMATION", FACET_NO_OFFSET,
                          "animation '%.60s' moves node '%.60s' %g away from where the second "
                          "file does, at %g s",
                          facet_quote(&name, of, strlen(of)), facet_quote(&node, at, strlen(at)),
                          most, when);
    }
    return status;
}

/* Hash of the nodes that move, and of their motion and times. */
static uint64_t animation_content(const void *item)
{
    const facet_animation *animation = item;
    uint64_t hash = 0;
    for (uint32_t i = 0; i < animation->channel_count; i++) {
        const facet_channel *channel = &animation->channels[i];
        hash = facet_hash_word(hash, channel->node + ((uint64_t)channel->target << 32));
        hash = facet_hash_word(
            hash, facet_hash_bytes(channel->times, channel->key_count * sizeof(float)));
    }
    return hash;
}

static size_t count_errors(const facet_comparing *c)
{
    return c->report ? facet_report_severity_count(c->report, FACET_SEVERITY_ERROR) : 0;
}

facet_status facet_compare_animations(const facet_comparing *c, const facet_compared_nodes *p,
                                      facet_error *error)
{
    uint32_t *pairs = NULL;
    const facet_scene *a = p->a, *b = p->b;
    facet_status status = facet_compare_pair(
        c, "animations", a->animations, a->animation_count, b->animations, b->animation_count,
        offsetof(facet_animation, name), animation_content, &pairs, error);
    for (uint32_t i = 0; i < a->animation_count && !status; i++) {
        if (pairs[i] == FACET_NONE)
            continue;
        size_t errors = count_errors(c);
        status = compare_motion(c, p, i, pairs[i], error);
        if (!status)
            status = facet_compare_channels(c, p, a->animations[i], b->animations[pairs[i]], error);
        if (count_errors(c) > errors)
            pairs[i] = FACET_NONE; /* reported, so the surface adds nothing */
    }
    return status ? status : facet_compare_posed(c, p, pairs, error);
}
