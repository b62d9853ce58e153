/* scene/rate.c - frame rates of keys. */
#include "scene/rate.h"

#include <math.h>

bool facet_animation_is_on_frames(const facet_animation *animation, double rate)
{
    for (uint32_t i = 0; i < animation->channel_count; i++) {
        const facet_channel *channel = &animation->channels[i];
        for (uint32_t k = 0; k < channel->key_count; k++) {
            double frame = (double)channel->times[k] * rate;
            if (!(fabs(frame - nearbyint(frame)) <= FACET_NEAR_FRAME))
                return false;
        }
    }
    return true;
}

double facet_frames_of(double duration, double rate)
{
    double frames = duration * rate, nearest = nearbyint(frames);
    return fabs(frames - nearest) <= FACET_NEAR_FRAME ? nearest : ceil(frames);
}
