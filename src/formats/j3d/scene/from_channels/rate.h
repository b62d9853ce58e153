/* formats/j3d/scene/from_channels/rate.h - which frames the keys of another program are on. */
#ifndef FACET_J3D_FROM_CHANNELS_RATE_H
#define FACET_J3D_FROM_CHANNELS_RATE_H

#include <facet/scene.h>

/* Warn when the keys of an animation are at other frames than the file will have, `rate` a
 * second, unless the user has asked for that. Returns the time, in seconds, that becomes frame
 * 0: that of frame 1 when everything begins there, else 0. */
double facet_j3d_look_at_rate(const facet_animation *animation, double rate, bool is_asked,
                              facet_report *report);

#endif
