/* formats/j3d/scene/from_channels/rate.h - detection of the frame rate and first frame of another
 * program's keys. */
#ifndef FACET_J3D_FROM_CHANNELS_RATE_H
#define FACET_J3D_FROM_CHANNELS_RATE_H

#include <facet/scene.h>

/* Warn if the keys of an animation are not on frames of the file, at `rate` per second. If the user
 * requested that rate, do not warn. Returns the time in seconds that becomes frame 0. This is the
 * time of frame 1 if all channels start there, else 0. */
double facet_j3d_look_at_rate(const facet_animation *animation, double rate, bool is_asked,
                              facet_report *report);

#endif
