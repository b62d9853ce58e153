/* scene/rate.h - frame rates of keys. */
#ifndef FACET_SCENE_RATE_H
#define FACET_SCENE_RATE_H

#include <facet/scene.h>

/* Distance of a key from its frame, in frames: keys are floats. */
#define FACET_NEAR_FRAME 0.02

/* True if all keys of an animation are on frames of this rate. */
bool facet_animation_is_on_frames(const facet_animation *animation, double rate);

#endif
