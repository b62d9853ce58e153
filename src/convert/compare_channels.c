/* convert/compare_channels.c - comparison of the channels of two animations that move no node:
 * weights of morph targets, visibility, and values of materials. */
#include "base/arena.h"
#include "base/error.h"
#include "base/table.h"
#include "base/text.h"
#include "convert/compare.h"

#include <facet/pose.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Differences up to this are equal: half a step of an 8-bit color, rounded up. */
#define ALLOWED 0.002

/* -- Times -------------------------------------------------------------- */

static int compare_times(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Times that differ only by the rounding of floats count as one: the last, so that steps of both
 * files are over. */
uint32_t facet_compare_merge_times(double *times, uint32_t count)
{
    uint32_t kept = 0, end = count;
    qsort(times, count, sizeof *times, compare_times);
    double near = count > 0 ? 1e-6 * fmax(times[count - 1], 1) : 0;
    for (uint32_t i = 0; i < count; i++) {
        if (i + 1 == count || times[i + 1] - times[i] > near)
            times[kept++] = times[i];
    }
    for (uint32_t i = 1; i < kept && end < 2 * count; i++)
        times[end++] = (times[i - 1] + times[i]) / 2;
    memmove(times + kept, times + count, (end - count) * sizeof *times);
    return kept + end - count;
}

/* -- Two channels ------------------------------------------------------- */

static const char *const targets[] = {
    [FACET_TARGET_WEIGHTS] = "weights of morph targets",
    [FACET_TARGET_VISIBILITY] = "visibility",
    [FACET_TARGET_BASE_COLOR] = "base color",
    [FACET_TARGET_EMISSIVE] = "emissive color",
    [FACET_TARGET_TEXTURE_OFFSET] = "offset of a texture",
    [FACET_TARGET_TEXTURE_ROTATION] = "rotation of a texture",
    [FACET_TARGET_TEXTURE_SCALE] = "scale of a texture",
    [FACET_TARGET_TEXTURE_IMAGE] = "image of a texture",
};

typedef struct channels {
    const facet_comparing *c;
    const facet_compared_nodes *nodes;
    const facet_animation *animations[2];
    uint32_t *numbers; /* per node of b: its partner in a */
} channels;

static void report(const channels *all, const facet_channel *x, const char *what)
{
    facet_quoted name;
    const char *of = all->animations[0]->name;
    facet_compare_add(all->c, FACET_COMPARE_ANIMATIONS, "COMPARE-ANIMATION", FACET_NO_OFFSET,
                      "animation '%.60s', %s: %s", facet_quote(&name, of, strlen(of)),
                      targets[x->target], what);
}

/* A transform of a texture depends on the origin of v. */
static bool is_comparable(const channels *all, const facet_channel *x)
{
    return all->nodes->a->axes.uv_origin_top == all->nodes->b->axes.uv_origin_top ||
           x->target < FACET_TARGET_TEXTURE_OFFSET || x->target == FACET_TARGET_TEXTURE_IMAGE;
}

static bool values_differ(const channels *all, const facet_channel *x, const float *here,
                          const float *there)
{
    for (uint32_t k = 0; k < x->width; k++) {
        uint32_t image = (uint32_t)here[k];
        if (x->target == FACET_TARGET_TEXTURE_IMAGE && image < all->nodes->a->image_count) {
            if (all->c->image_pairs[image] != (uint32_t)there[k])
                return true;
        } else if (!(fabsf(here[k] - there[k]) <= ALLOWED)) {
            return true;
        }
    }
    return false;
}

static facet_status compare_two(const channels *all, const facet_channel *x, const facet_channel *y,
                                facet_error *error)
{
    size_t count = (size_t)x->key_count + y->key_count;
    if (!is_comparable(all, x)) {
        report(all, x, "not compared, because the origins of v differ");
        return FACET_OK;
    }
    if (x->width != y->width) {
        report(all, x, "another count of values in the second file");
        return FACET_OK;
    }
    double *times = facet_arena_allocate(all->c->arena, count, 2 * sizeof *times);
    float *values = facet_arena_allocate(all->c->arena, x->width, 2 * sizeof *values);
    if (!times || !values || count > UINT32_MAX / 2)
        return facet_fail_arena(all->c->arena, error);
    for (uint32_t i = 0; i < count; i++)
        times[i] = (double)(i < x->key_count ? x->times[i] : y->times[i - x->key_count]);
    uint32_t merged = facet_compare_merge_times(times, (uint32_t)count), i = 0;
    for (; i < merged; i++) {
        facet_channel_sample(x, times[i], values);
        facet_channel_sample(y, times[i], values + x->width);
        if (values_differ(all, x, values, values + x->width))
            break;
    }
    char text[60];
    if (i < merged) {
        snprintf(text, sizeof text, "another value in the second file at %g s", times[i]);
        report(all, x, text);
    }
    facet_arena_release(all->c->arena, values, x->width, 2 * sizeof *values);
    facet_arena_release(all->c->arena, times, count, 2 * sizeof *times);
    return FACET_OK;
}

/* -- Pairs of channels -------------------------------------------------- */

/* The object that a channel animates; equal for partners. */
typedef struct target_key {
    uint32_t target, object, map, used;
} target_key;

/* False for channels that move nodes, and for objects without partner. */
static bool key_of(const channels *all, const facet_channel *channel, int side, target_key *key)
{
    if (channel->target <= FACET_TARGET_SCALE)
        return false;
    bool texture = channel->target >= FACET_TARGET_TEXTURE_OFFSET;
    uint32_t object =
        side == 0 || channel->node == FACET_NONE ? channel->node : all->numbers[channel->node];
    if (channel->target > FACET_TARGET_VISIBILITY)
        object = all->c->materials[side][channel->material];
    *key = (target_key){channel->target, object, texture ? channel->map : 0, 0};
    return object != FACET_NONE;
}

/* Compare each channel of the first animation with the channel of its partner. */
static facet_status compare_pairs(const channels *all, facet_error *error)
{
    const facet_animation *a = all->animations[0], *b = all->animations[1];
    facet_records keys = facet_records_make(all->c->arena, sizeof(target_key));
    const facet_channel **first =
        facet_arena_allocate(all->c->arena, b->channel_count, sizeof(facet_channel *));
    bool *used = facet_arena_allocate_zeroed(all->c->arena, b->channel_count, sizeof *used);
    target_key key;
    if (!first || !used)
        return facet_fail_arena(all->c->arena, error);
    for (uint32_t i = 0; i < b->channel_count; i++) {
        if (!key_of(all, &b->channels[i], 1, &key))
            continue;
        uint32_t record = facet_records_put(&keys, &key);
        if (record == UINT32_MAX)
            return facet_fail_arena(all->c->arena, error);
        first[record] = &b->channels[i];
    }
    for (uint32_t i = 0; i < a->channel_count; i++) {
        if (!key_of(all, &a->channels[i], 0, &key))
            continue;
        uint32_t record = facet_records_find(&keys, &key);
        if (record == UINT32_MAX) {
            report(all, &a->channels[i], "only in the first file");
            continue;
        }
        used[record] = true;
        TRY(compare_two(all, &a->channels[i], first[record], error));
    }
    for (uint32_t i = 0; i < keys.count; i++) {
        if (!used[i])
            report(all, first[i], "only in the second file");
    }
    return FACET_OK;
}

facet_status facet_compare_channels(const facet_comparing *c, const facet_compared_nodes *p,
                                    const facet_animation *a, const facet_animation *b,
                                    facet_error *error)
{
    channels all = {c, p, {a, b}, NULL};
    all.numbers = facet_arena_allocate(c->arena, p->b->node_count, sizeof *all.numbers);
    if (!all.numbers)
        return facet_fail_arena(c->arena, error);
    for (uint32_t i = 0; i < p->b->node_count; i++)
        all.numbers[i] = FACET_NONE;
    for (uint32_t i = 0; i < p->a->node_count; i++) {
        if (p->pairs[i] != FACET_NONE)
            all.numbers[p->pairs[i]] = i;
    }
    return compare_pairs(&all, error);
}
