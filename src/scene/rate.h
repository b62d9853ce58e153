/* scene/rate.h - frame rates of keys. */
#ifndef FACET_SCENE_RATE_H
#define FACET_SCENE_RATE_H

#include <facet/scene.h>

/* Distance of a key from its frame, in frames: keys are floats. */
#define FACET_NEAR_FRAME 0.02

/* Duration in seconds of a step that a format without steps stores as a ramp. */
#define FACET_RAMP 1e-3

/* True if all keys of an animation are on frames of this rate, except those next to such a key by
 * at most a ramp. */
bool facet_animation_is_on_frames(const facet_animation *animation, double rate);

/* True if all channels are linear between their keys. */
bool facet_animation_is_linear(const facet_animation *animation);

/* Number of frames of a duration. A partial frame at the end counts as one, so that the last pose
 * is kept. */
double facet_frames_of(double duration, double rate);

#endif
