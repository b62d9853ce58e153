/* scene/animate.c - values of animation channels at a time. */
#include "scene/scene.h"

#include <facet/pose.h>
#include <math.h>
#include <string.h>

double facet_animation_duration(const facet_animation *animation)
{
    double end = 0;
    for (uint32_t i = 0; i < animation->channel_count; i++) {
        const facet_channel *channel = &animation->channels[i];
        double last = (double)channel->times[channel->key_count - 1];
        end = last > end ? last : end;
    }
    return end;
}

/* -- One channel -------------------------------------------------------- */

/* Find the last key at or before `time`, or the first key if all are later. The times of keys are
 * floats, so `time` is rounded to float. Otherwise a time of 5/30 s could be just before its
 * key. */
static uint32_t key_before(const facet_channel *channel, double time)
{
    uint32_t low = 0, high = channel->key_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (channel->times[middle] <= (float)time)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Value of a key; a cubic key stores it between its tangents. */
static const float *key_value(const facet_channel *channel, uint32_t key)
{
    size_t width = channel->width;
    return channel->interpolation == FACET_INTERPOLATION_CUBIC
               ? channel->values + ((size_t)key * 3 + 1) * width
               : channel->values + key * width;
}

static void normalize(float *q)
{
    float length = sqrtf(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int i = 0; length > 0 && i < 4; i++)
        q[i] /= length;
}

static void slerp(const float *a, const float *b, float t, float *out)
{
    float dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
    float sign = dot < 0 ? -1.0F : 1.0F;
    float near = dot * sign, from = 1 - t, to = t;
    if (near < 0.9995F) { /* closer rotations are interpolated linearly, which avoids a division
                             by zero */
        /* In double, because C libraries differ in the last bit of float results. */
        double angle = acos((double)near), whole = sin(angle);
        from = (float)(sin((1 - (double)t) * angle) / whole);
        to = (float)(sin((double)t * angle) / whole);
    }
    for (int i = 0; i < 4; i++)
        out[i] = from * a[i] + to * sign * b[i];
    normalize(out);
}

static void hermite(const facet_channel *channel, uint32_t key, float t, float seconds, float *out)
{
    size_t width = channel->width;
    const float *here = channel->values + (size_t)key * 3 * width;
    const float *next = here + 3 * width;
    float t2 = t * t, t3 = t2 * t;
    for (size_t i = 0; i < width; i++) {
        float leaving = here[2 * width + i] * seconds, arriving = next[i] * seconds;
        out[i] = (2 * t3 - 3 * t2 + 1) * here[width + i] + (t3 - 2 * t2 + t) * leaving +
                 (3 * t2 - 2 * t3) * next[width + i] + (t3 - t2) * arriving;
    }
}

/* Write the values at a time, of which `key` is the last key before. */
static void sample_after(const facet_channel *channel, uint32_t key, double time, float *values)
{
    const float *here = key_value(channel, key);
    double start = (double)channel->times[key];
    if (key + 1 == channel->key_count || time <= start ||
        channel->interpolation == FACET_INTERPOLATION_STEP) {
        memcpy(values, here, channel->width * sizeof *values);
        return;
    }
    double length = (double)channel->times[key + 1] - start;
    float t = length > 0 ? (float)((time - start) / length) : 0;
    const float *next = key_value(channel, key + 1);
    if (channel->interpolation == FACET_INTERPOLATION_CUBIC) {
        hermite(channel, key, t, (float)length, values);
        if (channel->target == FACET_TARGET_ROTATION)
            normalize(values);
    } else if (channel->target == FACET_TARGET_ROTATION) {
        slerp(here, next, t, values);
    } else {
        for (uint32_t i = 0; i < channel->width; i++)
            values[i] = here[i] + t * (next[i] - here[i]);
    }
}

void facet_channel_sample(const facet_channel *channel, double time, float *values)
{
    sample_after(channel, key_before(channel, time), time, values);
}

uint32_t facet_channel_width(const facet_scene *scene, const facet_channel *channel)
{
    static const uint32_t widths[] = {3, 4, 3, 0, 1, 4, 3, 2, 1, 2, 1};
    if (channel->target != FACET_TARGET_WEIGHTS)
        return widths[channel->target];
    uint32_t mesh = scene->nodes[channel->node]->mesh;
    return mesh == FACET_NONE ? 0 : scene->meshes[mesh]->morph_count;
}

void facet_channel_sample_next(const facet_channel *channel, double time, uint32_t *key,
                               float *values)
{
    while (*key + 1 < channel->key_count && channel->times[*key + 1] <= (float)time)
        ++*key;
    sample_after(channel, *key, time, values);
}
