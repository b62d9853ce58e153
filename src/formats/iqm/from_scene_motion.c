/* formats/iqm/from_scene_motion.c - animations as frames: every joint in every frame, 16 bits per
 * animated channel, and the bounds of the vertices. */
#include "base/arena.h"
#include "base/error.h"
#include "base/json.h"
#include "formats/iqm/from_scene.h"
#include "scene/loop.h"
#include "scene/rate.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

typedef struct motion_writer {
    facet_iqm_scene_writer *w;
    facet_iqm_animation *animations;
    facet_iqm_pose *poses;
    uint32_t frame_count;
    float *values;    /* by frame, then joint, 10 channels each */
    double errors[3]; /* largest error of translation, rotation, scale */
} motion_writer;

/* -- Rate --------------------------------------------------------------- */

/* Tolerance for a key to be on a frame, in frames. */
#define OFF_FRAME 2e-3

static bool fits_rate(const facet_animation *animation, double rate)
{
    for (uint32_t c = 0; c < animation->channel_count; c++) {
        const facet_channel *channel = &animation->channels[c];
        for (uint32_t k = 0; k < channel->key_count; k++) {
            double at = (double)channel->times[k] * rate;
            if (fabs(at - floor(at + 0.5)) > OFF_FRAME)
                return false;
        }
    }
    return true;
}

/* Frame rate of an animation that was read from an IQM, or 0. */
static double read_rate(const facet_animation *animation)
{
    facet_json *extras = facet_json_read_text(animation->extras);
    const facet_json *values = facet_json_object_get(extras, "iqm");
    double rate = facet_json_number_value(facet_json_object_get(values, "rate"));
    facet_json_free(extras);
    return rate > 0 && rate < 1e6 ? rate : 0;
}

/* The first common frame rate that has a frame for every key. */
static double choose_rate(const motion_writer *m, const facet_animation *animation, double stated)
{
    static const double usual[] = {24, 25, 30, 50, 60, 120};
    const double otherwise = 30;
    facet_quoted quoted;
    double rate = stated > 0 && fits_rate(animation, stated) ? stated : 0;
    for (size_t i = 0; i < sizeof usual / sizeof *usual && rate == 0; i++)
        rate = fits_rate(animation, usual[i]) ? usual[i] : 0;
    if (rate == 0 || !facet_animation_is_linear(animation))
        facet_report_add(m->w->report, "IQM-SAMPLED", FACET_SEVERITY_NOTE, FACET_NO_OFFSET,
                         "animation '%s' is sampled %g times a second",
                         facet_quote(&quoted, animation->name, strlen(animation->name)),
                         rate > 0 ? rate : otherwise);
    return rate > 0 ? rate : otherwise;
}

/* -- Animations --------------------------------------------------------- */

/* Maximum bytes of frames: an animation of a day is an error. */
#define MAX_FRAME_BYTES 268435456.0

static facet_status plan_animations(motion_writer *m)
{
    facet_iqm_scene_writer *w = m->w;
    double frames = 0;
    for (uint32_t i = 0; i < w->scene->animation_count; i++) {
        const facet_animation *animation = w->scene->animations[i];
        facet_iqm_animation *to = &m->animations[i];
        double rate = choose_rate(m, animation, read_rate(animation));
        double count = ceil(facet_animation_duration(animation) * rate - OFF_FRAME) + 1;
        frames += fmax(count, 1);
        if (frames * w->skeleton.count * FACET_IQM_CHANNELS * 2 > MAX_FRAME_BYTES ||
            frames > UINT32_MAX / 2)
            return facet_fail(w->error, FACET_ERROR_LIMIT, "IQM-FRAMES-LIMIT", FACET_NO_OFFSET,
                              "%.0f frames of %" PRIu32 " joints need more than 256 MiB", frames,
                              w->skeleton.count);
        TRY(facet_iqm_intern(w, animation->name, &to->name));
        to->first_frame = m->frame_count;
        to->frame_count = (uint32_t)fmax(count, 1);
        to->rate = (float)rate;
        to->flags = facet_animation_loops(animation, false) ? FACET_IQM_LOOP : 0;
        m->frame_count += to->frame_count;
    }
    return FACET_OK;
}

/* -- Sampling ----------------------------------------------------------- */

static void put_transform(const facet_transform *from, float *to)
{
    memcpy(to, from->translation, sizeof from->translation);
    memcpy(to + 3, from->rotation, sizeof from->rotation);
    memcpy(to + 7, from->scale, sizeof from->scale);
}

static void sample_channel(const motion_writer *m, const facet_channel *channel,
                           const facet_iqm_animation *animation)
{
    static const uint32_t first[] = {0, 3, 7};
    uint32_t joint = m->w->skeleton.joint_of[channel->node];
    size_t stride = (size_t)m->w->skeleton.count * FACET_IQM_CHANNELS;
    float *to = m->values + animation->first_frame * stride + (size_t)joint * FACET_IQM_CHANNELS +
                first[channel->target];
    uint32_t key = 0;
    for (uint32_t f = 0; f < animation->frame_count; f++, to += stride)
        facet_channel_sample_next(channel, f / (double)animation->rate, &key, to);
}

/* Choose the signs of rotations, since q and -q are equal: the nearest to the previous frame. In
 * the first frame, w is not positive, like in other exporters. */
static void join_rotations(const motion_writer *m, const facet_iqm_animation *animation)
{
    size_t joints = m->w->skeleton.count, stride = joints * FACET_IQM_CHANNELS;
    for (uint32_t f = 0; f < animation->frame_count; f++) {
        for (size_t j = 0; j < joints; j++) {
            float *q =
                m->values + (animation->first_frame + f) * stride + j * FACET_IQM_CHANNELS + 3;
            double along = f == 0 ? -(double)q[3] : 0;
            for (int k = 0; k < 4 && f > 0; k++)
                along += (double)q[k] * (double)(q - stride)[k];
            for (int k = 0; k < 4 && along < 0; k++)
                q[k] = -q[k];
        }
    }
}

static facet_status sample_all(motion_writer *m)
{
    facet_iqm_scene_writer *w = m->w;
    size_t joints = w->skeleton.count;
    m->values = facet_arena_allocate(w->scratch, m->frame_count,
                                     joints * FACET_IQM_CHANNELS * sizeof *m->values);
    if (!m->values)
        return facet_fail_arena(w->scratch, w->error);
    for (size_t i = 0; i < (size_t)m->frame_count * joints; i++)
        put_transform(&w->skeleton.rest[i % joints], m->values + i * FACET_IQM_CHANNELS);
    for (uint32_t a = 0; a < w->scene->animation_count; a++) {
        const facet_animation *animation = w->scene->animations[a];
        TRY(facet_step(w->options, "frames", (double)a / w->scene->animation_count, w->error));
        for (uint32_t c = 0; c < animation->channel_count; c++)
            sample_channel(m, &animation->channels[c], &m->animations[a]);
        join_rotations(m, &m->animations[a]);
    }
    return FACET_OK;
}

/* -- Quantization ------------------------------------------------------- */

/* Find the range of each channel in all frames, in the order of memory. */
static void find_ranges(const motion_writer *m, float *least, float *most)
{
    size_t count = (size_t)m->w->skeleton.count * FACET_IQM_CHANNELS;
    const float *values = m->values;
    memcpy(least, values, count * sizeof *least);
    memcpy(most, values, count * sizeof *most);
    for (uint32_t f = 1; f < m->frame_count; f++) {
        values += count;
        for (size_t c = 0; c < count; c++) {
            least[c] = values[c] < least[c] ? values[c] : least[c];
            most[c] = values[c] > most[c] ? values[c] : most[c];
        }
    }
}

/* Set the poses to the ranges of their channels, so that the error is at most half the scale. */
static void set_poses(const motion_writer *m, const float *least, const float *most)
{
    for (uint32_t j = 0; j < m->w->skeleton.count; j++) {
        facet_iqm_pose *pose = &m->poses[j];
        pose->parent = m->w->document->joints[j].parent;
        for (int c = 0; c < FACET_IQM_CHANNELS; c++, least++, most++) {
            pose->offset[c] = *least;
            pose->scale[c] = (float)(((double)*most - (double)*least) / 65535);
            if (pose->scale[c] > 0)
                pose->mask |= UINT32_C(1) << c;
            else
                pose->scale[c] = 0;
        }
    }
}

static uint16_t quantize(motion_writer *m, const facet_iqm_pose *pose, int channel, float value)
{
    double offset = (double)pose->offset[channel], scale = (double)pose->scale[channel];
    double steps = ((double)value - offset) / scale + 0.5;
    /* At least 0, so that the conversion to an integer rounds down. */
    uint16_t number = steps > 65535 ? 65535 : steps > 0 ? (uint16_t)steps : 0;
    double error = fabs(offset + scale * number - (double)value);
    double *largest = &m->errors[channel < 3 ? 0 : channel < 7 ? 1 : 2];
    *largest = error > *largest ? error : *largest;
    return number;
}

static facet_status make_frames(motion_writer *m)
{
    facet_iqm_scene_writer *w = m->w;
    uint32_t joints = w->skeleton.count, channels = 0;
    size_t all = (size_t)joints * FACET_IQM_CHANNELS;
    float *ranges = facet_arena_allocate(w->scratch, all, 2 * sizeof *ranges);
    if (!ranges)
        return facet_fail_arena(w->scratch, w->error);
    find_ranges(m, ranges, ranges + all);
    set_poses(m, ranges, ranges + all);
    facet_arena_release(w->scratch, ranges, all, 2 * sizeof *ranges);
    for (uint32_t j = 0; j < joints; j++)
        channels += facet_iqm_channels_of(m->poses[j].mask);
    uint16_t *frames = facet_arena_allocate(w->arena, m->frame_count, channels * sizeof *frames);
    uint16_t *to = frames;
    const float *value = m->values;
    if (!frames)
        return facet_fail_arena(w->arena, w->error);
    for (uint32_t f = 0; f < m->frame_count; f++) {
        for (uint32_t j = 0; j < joints; j++) {
            for (int c = 0; c < FACET_IQM_CHANNELS; c++, value++) {
                if (m->poses[j].mask >> c & 1)
                    *to++ = quantize(m, &m->poses[j], c, *value);
            }
        }
    }
    if (m->errors[0] > 0 || m->errors[1] > 0 || m->errors[2] > 0)
        facet_report_add(w->report, "IQM-FRAMES-ROUNDED", FACET_SEVERITY_NOTE, FACET_NO_OFFSET,
                         "frames are stored in 65535ths of the range of each channel: the "
                         "largest error is %.3g of translations, %.3g of rotations and %.3g of "
                         "scales",
                         m->errors[0], m->errors[1], m->errors[2]);
    w->document->frames = channels > 0 ? frames : NULL;
    w->document->channel_count = channels;
    return FACET_OK;
}

/* -- All animations ---------------------------------------------------- */

facet_status facet_iqm_make_motion(facet_iqm_scene_writer *w)
{
    motion_writer m = {.w = w};
    uint32_t count = w->scene->animation_count, joints = w->skeleton.count;
    if (count == 0 || joints == 0)
        return FACET_OK;
    m.animations = facet_arena_allocate(w->arena, count, sizeof *m.animations);
    m.poses = facet_arena_allocate_zeroed(w->arena, joints, sizeof *m.poses);
    if (!m.animations || !m.poses)
        return facet_fail_arena(w->arena, w->error);
    TRY(plan_animations(&m));
    TRY(sample_all(&m));
    TRY(make_frames(&m));
    TRY(facet_iqm_make_bounds(w, m.values, m.frame_count));
    w->document->poses = m.poses;
    w->document->pose_count = joints;
    w->document->animations = m.animations;
    w->document->animation_count = count;
    w->document->frame_count = m.frame_count;
    return FACET_OK;
}
