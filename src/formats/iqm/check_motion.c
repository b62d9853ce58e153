/* formats/iqm/check_motion.c - the rules of joints, poses, animations, frames and bounds. */
#include "base/arena.h"
#include "base/error.h"
#include "base/table.h"
#include "formats/iqm/check.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* -- Joints ------------------------------------------------------------- */

static bool all_finite(const float *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(values[i]))
            return false;
    }
    return true;
}

static double length(const float q[4])
{
    double sum = 0;
    for (int i = 0; i < 4; i++)
        sum += (double)q[i] * (double)q[i];
    return sqrt(sum);
}

static int compare_names(const void *user, uint32_t a, uint32_t b)
{
    const char *const *names = user;
    return strcmp(names[a], names[b]);
}

static facet_status check_joints(facet_iqm_checker *c)
{
    uint32_t count = c->layout.count[FACET_IQM_JOINTS];
    const char **names = facet_arena_allocate(c->arena, count, sizeof *names);
    facet_table table = facet_table_make(c->arena);
    facet_tally rotations = {0, 0}, numbers = {0, 0}, twice = {0, 0};
    if (!names)
        return facet_fail_arena(c->arena, c->error);
    for (uint32_t i = 0; i < count; i++) {
        facet_iqm_joint joint;
        facet_iqm_load_joint(&c->layout, i, &joint);
        if (!all_finite(joint.translation, 3) || !all_finite(joint.rotation, 4) ||
            !all_finite(joint.scale, 3))
            facet_tally_hit(&numbers, i);
        else if (fabs(length(joint.rotation) - 1) > 1e-3)
            facet_tally_hit(&rotations, i);
        const char *name = facet_iqm_text(&c->layout, joint.name);
        names[i] = name ? name : "";
        if (!*names[i])
            continue;
        uint32_t first = facet_table_put(&table, facet_hash_bytes(names[i], strlen(names[i])), i,
                                         compare_names, names);
        if (first != i && first != FACET_NONE)
            facet_tally_hit(&twice, i);
    }
    facet_table_free(&table);
    TRY(facet_arena_status(c->arena, c->error));
    uint64_t at = c->layout.offset[FACET_IQM_JOINTS];
    facet_report_add_tally(c->report, "IQM-FLOAT-NONFINITE", FACET_SEVERITY_ERROR, at, &numbers,
                           "a number of joint %" PRIu64 " is infinite or NaN", numbers.first);
    facet_report_add_tally(c->report, "IQM-ROTATION-LENGTH", FACET_SEVERITY_WARNING, at, &rotations,
                           "the rotation of joint %" PRIu64 " does not have length 1",
                           rotations.first);
    facet_report_add_tally(c->report, "IQM-JOINT-NAME", FACET_SEVERITY_NOTE, at, &twice,
                           "joint %" PRIu64 " has the name of a joint before it", twice.first);
    return FACET_OK;
}

/* -- Poses -------------------------------------------------------------- */

static void check_poses(facet_iqm_checker *c)
{
    uint32_t count = c->layout.count[FACET_IQM_POSES], joints = c->layout.count[FACET_IQM_JOINTS];
    uint64_t at = c->layout.offset[FACET_IQM_POSES], channels = 0;
    facet_tally parents = {0, 0}, numbers = {0, 0}, masks = {0, 0};
    for (uint32_t i = 0; i < count; i++) {
        facet_iqm_pose pose;
        facet_iqm_load_pose(&c->layout, i, &pose);
        channels += facet_iqm_channels_of(pose.mask);
        if (pose.mask >> FACET_IQM_CHANNELS)
            facet_tally_hit(&masks, i);
        if (!all_finite(pose.offset, FACET_IQM_CHANNELS) ||
            !all_finite(pose.scale, FACET_IQM_CHANNELS))
            facet_tally_hit(&numbers, i);
        facet_iqm_joint joint;
        if (i >= joints)
            continue;
        facet_iqm_load_joint(&c->layout, i, &joint);
        if (joint.parent != pose.parent && (joint.parent >= 0 || pose.parent >= 0))
            facet_tally_hit(&parents, i);
    }
    facet_report_add_tally(c->report, "IQM-FLOAT-NONFINITE", FACET_SEVERITY_ERROR, at, &numbers,
                           "a number of pose %" PRIu64 " is infinite or NaN", numbers.first);
    facet_report_add_tally(c->report, "IQM-POSE-CHANNELS", FACET_SEVERITY_WARNING, at, &masks,
                           "the mask of pose %" PRIu64 " has bits above 0x3FF, the %d channels",
                           masks.first, FACET_IQM_CHANNELS);
    facet_report_add_tally(c->report, "IQM-POSE-PARENT", FACET_SEVERITY_WARNING, at, &parents,
                           "pose %" PRIu64 " has another parent than its joint", parents.first);
    if (count > 0 && joints > 0 && count != joints)
        facet_report_add(c->report, "IQM-POSE-COUNT", FACET_SEVERITY_WARNING,
                         facet_iqm_section_infos[FACET_IQM_POSES].count_at,
                         "the file has %" PRIu32 " poses, expected as many as its %" PRIu32
                         " joints",
                         count, joints);
    if (c->whole[FACET_IQM_PART_POSES] && c->layout.count[FACET_IQM_FRAMES] > 0 &&
        channels < c->layout.channel_count)
        facet_report_add(c->report, "IQM-POSE-CHANNELS", FACET_SEVERITY_WARNING,
                         FACET_IQM_AT_CHANNELS,
                         "a frame has %" PRIu32 " numbers, and the masks of the poses use %" PRIu64,
                         c->layout.channel_count, channels);
}

/* -- Animations --------------------------------------------------------- */

typedef struct frame_range {
    uint32_t first, count;
} frame_range;

static int by_first(const void *a, const void *b)
{
    const frame_range *l = a, *r = b;
    return l->first < r->first ? -1 : l->first > r->first;
}

facet_status facet_iqm_find_loose_frames(const facet_iqm_layout *layout, facet_arena *arena,
                                         facet_tally *loose, facet_error *error)
{
    uint32_t count = layout->count[FACET_IQM_ANIMATIONS], reached = 0;
    uint32_t frames = layout->count[FACET_IQM_FRAMES];
    frame_range *ranges = facet_arena_allocate(arena, (size_t)count + 1, sizeof *ranges);
    if (!ranges)
        return facet_fail_arena(arena, error);
    for (uint32_t i = 0; i < count; i++) {
        facet_iqm_animation animation;
        facet_iqm_load_animation(layout, i, &animation);
        ranges[i] = (frame_range){animation.first_frame, animation.frame_count};
    }
    ranges[count] = (frame_range){frames, 0}; /* the end of the file */
    qsort(ranges, (size_t)count + 1, sizeof *ranges, by_first);
    for (uint32_t i = 0; i <= count; i++) {
        if (ranges[i].first > reached)
            facet_tally_add(loose, &(facet_tally){ranges[i].first - reached, reached});
        if (ranges[i].first + ranges[i].count > reached)
            reached = ranges[i].first + ranges[i].count;
    }
    return FACET_OK;
}

static facet_status check_animations(facet_iqm_checker *c)
{
    uint32_t count = c->layout.count[FACET_IQM_ANIMATIONS];
    facet_tally rates = {0, 0}, empty = {0, 0}, loose = {0, 0};
    for (uint32_t i = 0; i < count; i++) {
        facet_iqm_animation animation;
        facet_iqm_load_animation(&c->layout, i, &animation);
        if (!(animation.rate > 0) || !isfinite(animation.rate))
            facet_tally_hit(&rates, i);
        if (animation.frame_count == 0)
            facet_tally_hit(&empty, i);
    }
    TRY(facet_iqm_find_loose_frames(&c->layout, c->arena, &loose, c->error));
    uint64_t at = c->layout.offset[FACET_IQM_ANIMATIONS];
    facet_report_add_tally(c->report, "IQM-ANIMATION-RATE", FACET_SEVERITY_WARNING, at, &rates,
                           "animation %" PRIu64 " has no frame rate above 0", rates.first);
    facet_report_add_tally(c->report, "IQM-ANIMATION-EMPTY", FACET_SEVERITY_WARNING, at, &empty,
                           "animation %" PRIu64 " has no frames", empty.first);
    facet_report_add_tally(c->report, "IQM-FRAME-UNUSED", FACET_SEVERITY_NOTE,
                           c->layout.offset[FACET_IQM_FRAMES], &loose,
                           "frame %" PRIu64 " is in no animation", loose.first);
    return FACET_OK;
}

static void check_bounds(facet_iqm_checker *c)
{
    facet_tally bad = {0, 0};
    for (uint32_t i = 0; i < c->layout.count[FACET_IQM_BOUNDS]; i++) {
        facet_iqm_bounds b;
        facet_iqm_load_bounds(&c->layout, i, &b);
        bool whole = b.xy_radius >= 0 && b.radius >= 0 && isfinite(b.radius);
        for (int axis = 0; axis < 3; axis++)
            whole = whole && b.minimum[axis] <= b.maximum[axis] && isfinite(b.minimum[axis]) &&
                    isfinite(b.maximum[axis]);
        if (!whole)
            facet_tally_hit(&bad, i);
    }
    facet_report_add_tally(c->report, "IQM-BOUNDS", FACET_SEVERITY_WARNING,
                           c->layout.offset[FACET_IQM_BOUNDS], &bad,
                           "the bounds of frame %" PRIu64
                           " are not finite, have a negative radius, or end before they begin",
                           bad.first);
}

facet_status facet_iqm_check_motion(facet_iqm_checker *c)
{
    TRY(check_joints(c));
    check_poses(c);
    if (c->whole[FACET_IQM_PART_ANIMATIONS])
        TRY(check_animations(c));
    check_bounds(c);
    return FACET_OK;
}
