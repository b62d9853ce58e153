/* formats/j3d/scene/from_channels/rate.c - detection of the frame rate and first frame of another
 * program's keys.
 *
 * Blender's default is 24 frames per second, starting at frame 1. Games use 30, starting at frame
 * 0. */
#include "formats/j3d/scene/from_channels/rate.h"

#include "base/error.h"
#include "base/report.h"
#include "scene/rate.h"

#include <math.h>
#include <string.h>

/* The rate of the keys: the file's, or else the first rate at which all keys are on frames; 0:
 * none. */
static double rate_of_keys(const facet_animation *animation, double rate)
{
    static const double rates[] = {24, 25, 60, 50, 15, 12, 48, 120};
    if (facet_animation_is_on_frames(animation, rate))
        return rate;
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        if (facet_animation_is_on_frames(animation, rates[i]))
            return rates[i];
    }
    return 0;
}

/* The common start time of all channels; 0 if they differ. */
static double begin_of(const facet_animation *animation)
{
    double begin = 0;
    for (uint32_t i = 0; i < animation->channel_count; i++) {
        const facet_channel *channel = &animation->channels[i];
        double first = (double)channel->times[0];
        if (channel->key_count < 2)
            continue;
        if (begin > 0 && first != begin)
            return 0;
        begin = first;
        if (!(begin > 0))
            return 0;
    }
    return begin;
}

double facet_j3d_look_at_rate(const facet_animation *animation, double rate, bool is_asked,
                              facet_report *report)
{
    double keys = rate_of_keys(animation, rate), begin = begin_of(animation);
    const char *name = animation->name ? animation->name : "";
    facet_quoted quoted;
    facet_quote(&quoted, name, strlen(name));
    if (keys > 0 && keys != rate && !is_asked)
        facet_report_add(report, "J3D-FRAME-RATE", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "the keys of animation '%s' are at %g frames a second, and the file gets "
                         "%g: --fps %g keeps its frames",
                         quoted.text, keys, rate, keys);
    if (keys == 0 || fabs(begin * keys - 1) > FACET_NEAR_FRAME)
        return 0;
    facet_report_add(report, "J3D-FIRST-FRAME", FACET_SEVERITY_NOTE, FACET_NO_OFFSET,
                     "the keys of animation '%s' begin at frame 1, which becomes frame 0",
                     quoted.text);
    return begin;
}
