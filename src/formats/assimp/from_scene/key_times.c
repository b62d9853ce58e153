/* formats/assimp/from_scene/key_times.c - times of the keys that a channel becomes.
 *
 * assimp writes linear keys. Cubic curves are sampled, and steps become short ramps. A rotation is
 * written as Euler angles (FBX) or as a matrix whose quaternion readers interpolate without a slerp
 * (COLLADA). Between keys that are far apart, these take another path. Such a span is halved, at a
 * frame if possible, until the path is the scene's. */
#include "formats/assimp/from_scene/from_scene.h"

#include "scene/rate.h"

#include <facet/pose.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Sampling rate of cubic curves. */
#define SAMPLES_PER_SECOND 30

/* A span is halved at most this often, and not below a shown frame. */
#define MAX_HALVINGS 8
#define SHORTEST_SPAN (1.0 / 240)

/* Tolerance of a path: the sine of half of 0.1 degrees. */
#define MAX_DEVIATION 8.7e-4

/* Distance of the keys next to a scale of 0, and duration of a step, in seconds. */
#define NEXT_TO_ZERO FACET_RAMP

/* -- Rotations ---------------------------------------------------------- */

/* The rotation at the fraction t between two keys, as readers of the target interpolate it. */
static void interpolate(const facet_assimp_target *target, const float a[4], const float b[4],
                        double t, double q[4])
{
    if (target->has_euler_keys) {
        double from[3], to[3];
        facet_assimp_angles_of(a, from);
        facet_assimp_angles_of(b, to);
        for (int i = 0; i < 3; i++)
            from[i] += t * (to[i] - from[i]);
        facet_assimp_quaternion_of_angles(from, q);
        return;
    }
    double dot = 0, length = 0;
    for (int i = 0; i < 4; i++)
        dot += (double)a[i] * (double)b[i];
    for (int i = 0; i < 4; i++) {
        q[i] = (1 - t) * (double)a[i] + (dot < 0 ? -t : t) * (double)b[i];
        length += q[i] * q[i];
    }
    for (int i = 0; i < 4 && length > 0; i++)
        q[i] /= sqrt(length);
}

/* True if the path between two times is that of the channel. */
static bool is_straight(const facet_assimp_target *target, const facet_channel *channel,
                        double begin, double end)
{
    float a[4], b[4];
    facet_channel_sample(channel, begin, a);
    facet_channel_sample(channel, end, b);
    for (double t = 0.25; t < 1; t += 0.25) {
        float wanted[4];
        double made[4], square = 0;
        facet_channel_sample(channel, begin + t * (end - begin), wanted);
        interpolate(target, a, b, t, made);
        double dot = 0;
        for (int i = 0; i < 4; i++)
            dot += (double)wanted[i] * made[i];
        for (int i = 0; i < 4; i++) {
            double off = made[i] - (dot < 0 ? -1 : 1) * (double)wanted[i];
            square += off * off;
        }
        if (square > MAX_DEVIATION * MAX_DEVIATION)
            return false;
    }
    return true;
}

/* -- Times -------------------------------------------------------------- */

typedef struct lister {
    const facet_assimp_target *target;
    const facet_channel *channel;
    double rate;  /* frames per second */
    float *times; /* NULL: only count */
    uint64_t count;
    float last;
} lister;

static void put(lister *l, float time)
{
    if (l->times)
        l->times[l->count] = time;
    l->count++;
    l->last = time;
}

/* The frame next to the middle of a span. If no frame is near it, a time that is not on the frames
 * of another rate. Programs would take 60 or 120 per second for the rate of the file. */
static double middle_of(const lister *l, double begin, double end)
{
    double span = end - begin, middle = begin + span / 2;
    double frame = nearbyint(middle * l->rate) / l->rate;
    return fabs(frame - middle) < span / 4 ? frame : begin + 0.46 * span;
}

/* List the times between the last one and another that a rotation needs. */
static void list_turns(lister *l, float time)
{
    struct {
        double end;
        int halvings;
    } stack[MAX_HALVINGS + 1] = {{(double)time, 0}};
    double begin = (double)l->last;
    int depth = 1;
    while (depth > 0) {
        double end = stack[depth - 1].end;
        int halvings = stack[depth - 1].halvings;
        if (halvings < MAX_HALVINGS && end - begin > 2 * SHORTEST_SPAN &&
            !is_straight(l->target, l->channel, begin, end)) {
            stack[depth - 1].halvings = halvings + 1;
            stack[depth].end = middle_of(l, begin, end);
            stack[depth++].halvings = halvings + 1;
            continue;
        }
        begin = end;
        if (--depth > 0 && (float)end > l->last && (float)end < time)
            put(l, (float)end);
    }
}

static int by_time(const void *a, const void *b)
{
    const double *left = a, *right = b;
    return (*left > *right) - (*left < *right);
}

/* List the times next to those at which a scale is 0, between the last one and another. */
static void list_zeros(lister *l, float time)
{
    float a[3], b[3];
    double found[9], begin = (double)l->last, end = (double)time;
    double near = fmin(NEXT_TO_ZERO, (end - begin) / 4);
    size_t count = 0;
    facet_channel_sample(l->channel, begin, a);
    facet_channel_sample(l->channel, end, b);
    for (int i = 0; i < 3; i++) {
        double from = (double)a[i], to = (double)b[i];
        bool reaches_zero = from != to && fmin(from, to) <= 0 && fmax(from, to) >= 0;
        if (!reaches_zero)
            continue;
        double zero = begin + (end - begin) * from / (from - to);
        found[count++] = zero - near;
        found[count++] = zero;
        found[count++] = zero + near;
    }
    qsort(found, count, sizeof *found, by_time);
    for (size_t i = 0; i < count; i++) {
        if ((float)found[i] > l->last && (float)found[i] < time)
            put(l, (float)found[i]);
    }
}

/* List the time at which a step begins, so that readers interpolate only between it and `time`. */
static void list_step(lister *l, float time)
{
    double span = (double)time - (double)l->last;
    float begin = (float)((double)time - fmin(FACET_RAMP, span / 4));
    if (begin > l->last && begin < time)
        put(l, begin);
}

/* List a time after the last one, with the times between them that the channel needs. */
static void reach(lister *l, float time)
{
    bool steps = l->channel->interpolation == FACET_INTERPOLATION_STEP;
    bool moves = l->count > 0 && !steps;
    if (l->count > 0 && steps)
        list_step(l, time);
    else if (moves && l->channel->target == FACET_TARGET_ROTATION)
        list_turns(l, time);
    else if (moves && l->channel->target == FACET_TARGET_SCALE)
        list_zeros(l, time);
    put(l, time);
}

uint64_t facet_assimp_list_key_times(const facet_assimp_writer *w, const facet_channel *channel,
                                     float *times)
{
    if (!channel)
        return 0;
    lister l = {.target = w->target, .channel = channel, .rate = w->rate, .times = times};
    double span = (double)channel->times[channel->key_count - 1] - (double)channel->times[0];
    bool cubic = channel->interpolation == FACET_INTERPOLATION_CUBIC && span > 0 && span < 1e6;
    uint64_t samples = cubic ? (uint64_t)(span * SAMPLES_PER_SECOND) : 0, sample = 1;
    for (uint32_t i = 0; i < channel->key_count; i++) {
        for (; sample <= samples; sample++) {
            float time = channel->times[0] + (float)((double)sample / SAMPLES_PER_SECOND);
            if (time >= channel->times[i])
                break;
            reach(&l, time);
        }
        reach(&l, channel->times[i]);
    }
    return l.count;
}
