/* scene/rate.c - frame rates of keys. */
#include "scene/rate.h"

#include <math.h>

static bool is_on_frame(float time, double rate)
{
    double frame = (double)time * rate;
    return fabs(frame - nearbyint(frame)) <= FACET_NEAR_FRAME;
}

/* True if the key before or after a key is on a frame and begins or ends a ramp with it. */
static bool is_of_ramp(const facet_channel *channel, uint32_t key, double rate)
{
    const double longest = 1.01 * FACET_RAMP; /* times are floats */
    const float *times = channel->times;
    return (key > 0 && (double)times[key] - (double)times[key - 1] <= longest &&
            is_on_frame(times[key - 1], rate)) ||
           (key + 1 < channel->key_count &&
            (double)times[key + 1] - (double)times[key] <= longest &&
            is_on_frame(times[key + 1], rate));
}

bool facet_animation_is_on_frames(const facet_animation *animation, double rate)
{
    for (uint32_t i = 0; i < animation->channel_count; i++) {
        const facet_channel *channel = &animation->channels[i];
        for (uint32_t k = 0; k < channel->key_count; k++) {
            if (!is_on_frame(channel->times[k], rate) && !is_of_ramp(channel, k, rate))
                return false;
        }
    }
    return true;
}

bool facet_animation_is_linear(const facet_animation *animation)
{
    for (uint32_t c = 0; c < animation->channel_count; c++) {
        const facet_channel *channel = &animation->channels[c];
        if (channel->key_count > 1 && channel->interpolation != FACET_INTERPOLATION_LINEAR)
            return false;
    }
    return true;
}

double facet_frames_of(double duration, double rate)
{
    double frames = duration * rate, nearest = nearbyint(frames);
    return fabs(frames - nearest) <= FACET_NEAR_FRAME ? nearest : ceil(frames);
}
