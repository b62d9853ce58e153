/* formats/j3d/scene/to_scene/animation.c - a BCK or BCA to an animation of the nodes of its
 * model's joints.
 *
 * Translation and scale are cubics in the file and in the scene, so their keys are copied. If x,
 * y and z have keys at different times, cubics are cut in two, without changing them. Angles
 * form a rotation that is not a cubic between two keys; it is sampled as densely as necessary.
 * Joints whose matrix is not a plain product (compensated scale, Softimage's) are sampled at
 * every frame. */
#include "formats/j3d/animation/animation.h"
#include "formats/j3d/scene/to_scene/animation.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"
#include "base/vec.h"
#include "formats/j3d/scene/to_scene/to_scene.h"

#include <facet/scene.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Distance between the two keys of a step, in frames. */
#define STEP 1e-3
/* Radians: half of the documented limit of 0.01 degrees. */
#define ROTATION_ERROR (0.005 * FACET_PI / 180)
/* A cubic this near to a straight line is treated as straight: the error of floats. */
#define STRAIGHT 1e-6
#define FINEST 16 /* maximum number of samples per frame */

typedef struct adding {
    const facet_j3d_animation *document;
    const facet_j3d *model;
    facet_scene *scene;
    facet_arena *scratch;
    double rate; /* frames per second */
    uint32_t joint_count;
    bool *plain; /* per joint: its matrix depends only on its own tracks */
    facet_animation *animation;
    double *times; /* of the collected keys */
    uint32_t time_count, time_capacity;
    facet_error *error;
} adding;

static facet_status no_memory(const adding *a)
{
    return facet_fail_arenas(a->scratch, a->scene->arena, a->error);
}

static float to_float(double value)
{
    return (float)(value > FLT_MAX ? FLT_MAX : value < -FLT_MAX ? -FLT_MAX : value);
}

static double last_frame(const adding *a)
{
    return a->document->frames > 0 ? a->document->frames : 1;
}

/* -- Times -------------------------------------------------------------- */

static bool add_time(adding *a, double time)
{
    if (!FACET_GROW(a->scratch, a->times, a->time_count, a->time_capacity))
        return false;
    a->times[a->time_count++] = time;
    return true;
}

static int compare_times(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Collect the key times of three tracks from 0 to the last frame, both included: distinct and
 * ascending. */
static bool collect_times(adding *a, const uint32_t tracks[3])
{
    const facet_j3d_animation_set *set = &a->document->sets[0];
    bool keyed = facet_j3d_animation_has_keys(a->document->kind), ok = true;
    a->time_count = 0;
    ok = add_time(a, 0) && add_time(a, last_frame(a));
    for (int i = 0; i < 3; i++) {
        const facet_j3d_track *track = &set->tracks[tracks[i]];
        const facet_j3d_elements *elements = &set->elements[tracks[i] % 3];
        uint32_t step = keyed ? facet_j3d_key_size(track) : 1;
        for (uint32_t k = 0; k < track->count && track->count > 1 && ok; k++) {
            uint32_t at = track->first + k * step;
            double time = !keyed            ? k
                          : elements->reals ? (double)elements->reals[at]
                                            : elements->integers[at];
            if (time > 0 && time < last_frame(a))
                ok = add_time(a, time);
        }
    }
    if (a->time_count > 0) /* none if out of memory */
        qsort(a->times, a->time_count, sizeof *a->times, compare_times);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < a->time_count; i++) {
        if (i == 0 || a->times[i] > a->times[kept - 1])
            a->times[kept++] = a->times[i];
    }
    a->time_count = kept;
    return ok;
}

/* Evaluate three tracks just before a frame, or from it on: values, and slopes per frame. */
static void evaluate(const adding *a, const uint32_t tracks[3], double frame, bool before,
                     double value[3], double slope[3])
{
    bool keyed = facet_j3d_animation_has_keys(a->document->kind);
    for (int i = 0; i < 3; i++) {
        if (!keyed) { /* linear between frames */
            double whole = floor(frame), part = frame - whole;
            double here = facet_j3d_animation_curve(a->document, 0, tracks[i], whole, NULL);
            double next = facet_j3d_animation_curve(a->document, 0, tracks[i], whole + 1, NULL);
            if (tracks[i] % 3 == 1) /* angles use the shorter arc */
                next = here + remainder(next - here, 0x10000);
            value[i] = here + (next - here) * part;
            slope[i] = next - here;
        } else if (before) {
            value[i] =
                facet_j3d_animation_curve_before(a->document, 0, tracks[i], frame, &slope[i]);
        } else {
            value[i] = facet_j3d_animation_curve(a->document, 0, tracks[i], frame, &slope[i]);
        }
    }
}

/* -- Channels ----------------------------------------------------------- */

static facet_channel *begin_channel(adding *a, uint32_t joint, facet_channel_target target,
                                    facet_interpolation interpolation, uint32_t keys)
{
    facet_channel *channel = &a->animation->channels[a->animation->channel_count];
    uint32_t width = target == FACET_TARGET_ROTATION ? 4 : 3;
    uint32_t factor = interpolation == FACET_INTERPOLATION_CUBIC ? 3 : 1;
    *channel = (facet_channel){
        .node = joint, .target = target, .interpolation = interpolation, .width = width};
    channel->times = facet_scene_allocate(a->scene, keys, sizeof *channel->times);
    channel->values =
        facet_scene_allocate(a->scene, (size_t)keys * width * factor, sizeof *channel->values);
    if (!channel->times || !channel->values)
        return NULL;
    a->animation->channel_count++;
    return channel;
}

static bool is_moving(const adding *a, const uint32_t tracks[3])
{
    for (int i = 0; i < 3; i++) {
        if (a->document->sets[0].tracks[tracks[i]].count > 1)
            return true;
    }
    return false;
}

/* Add one key if a constant differs from the rest pose. */
static facet_status add_constant(adding *a, uint32_t joint, facet_channel_target target,
                                 const float *value, const float *rest)
{
    size_t width = target == FACET_TARGET_ROTATION ? 4 : 3;
    if (memcmp(value, rest, width * sizeof *value) == 0)
        return FACET_OK;
    facet_channel *channel = begin_channel(a, joint, target, FACET_INTERPOLATION_STEP, 1);
    if (!channel)
        return no_memory(a);
    channel->key_count = 1;
    channel->times[0] = 0;
    memcpy(channel->values, value, width * sizeof *value);
    return FACET_OK;
}

/* -- Translation and scale ---------------------------------------------- */

static void put_cubic(const adding *a, facet_channel *channel, double frame, const double *in,
                      const double *value, const double *out)
{
    float *to = channel->values + (size_t)channel->key_count * 9;
    channel->times[channel->key_count++] = (float)(frame / a->rate);
    for (int i = 0; i < 3; i++) {
        to[i] = in ? to_float(in[i] * a->rate) : 0;
        to[3 + i] = to_float(value[i]);
        to[6 + i] = out ? to_float(out[i] * a->rate) : 0;
    }
}

/* True if all pieces are straight lines, each from the end of the previous one. */
static bool has_straight_pieces(const adding *a, const uint32_t tracks[3])
{
    double first[3], last[3], leaving[3], arriving[3], before[3] = {0, 0, 0};
    for (uint32_t i = 0; i + 1 < a->time_count; i++) {
        double length = a->times[i + 1] - a->times[i];
        evaluate(a, tracks, a->times[i], false, first, leaving);
        evaluate(a, tracks, a->times[i + 1], true, last, arriving);
        for (int k = 0; k < 3; k++) {
            double rise = last[k] - first[k];
            double off = fabs(leaving[k] * length - rise) + fabs(arriving[k] * length - rise);
            off += i > 0 ? fabs(first[k] - before[k]) : 0;
            if (off > STRAIGHT * (1 + fabs(first[k])))
                return false;
        }
        memcpy(before, last, sizeof before);
    }
    return true;
}

/* Cut cubics at every frame, without changing them. Blender's importer ignores tangents, makes
 * curves flat at both ends, and overshoots between pieces of different lengths. */
static bool cut_cubics(adding *a)
{
    uint32_t count = a->time_count;
    for (uint32_t i = 0; i + 1 < count; i++) {
        for (double f = floor(a->times[i]) + 1; f < a->times[i + 1]; f++) {
            if (!add_time(a, f))
                return false;
        }
    }
    qsort(a->times, a->time_count, sizeof *a->times, compare_times);
    return true;
}

/* Add straight lines between the values at the times. */
static facet_status add_line(adding *a, uint32_t joint, facet_channel_target target,
                             const uint32_t tracks[3])
{
    double value[3], slope[3];
    facet_channel *channel =
        begin_channel(a, joint, target, FACET_INTERPOLATION_LINEAR, a->time_count);
    if (!channel)
        return no_memory(a);
    for (uint32_t i = 0; i < a->time_count; i++) {
        evaluate(a, tracks, a->times[i], false, value, slope);
        channel->times[i] = (float)(a->times[i] / a->rate);
        for (int k = 0; k < 3; k++)
            channel->values[(size_t)i * 3 + k] = to_float(value[k]);
    }
    channel->key_count = a->time_count;
    return FACET_OK;
}

static facet_status add_vector(adding *a, uint32_t joint, facet_channel_target target,
                               const uint32_t tracks[3], const float rest[3])
{
    double value[3], slope[3], earlier[3], in[3];
    if (!is_moving(a, tracks)) {
        float constant[3];
        evaluate(a, tracks, 0, false, value, slope);
        for (int i = 0; i < 3; i++)
            constant[i] = to_float(value[i]);
        return add_constant(a, joint, target, constant, rest);
    }
    if (!collect_times(a, tracks))
        return no_memory(a);
    if (!facet_j3d_animation_has_keys(a->document->kind) || has_straight_pieces(a, tracks))
        return add_line(a, joint, target, tracks);
    if (!cut_cubics(a))
        return no_memory(a);
    facet_channel *channel =
        begin_channel(a, joint, target, FACET_INTERPOLATION_CUBIC, a->time_count * 2);
    if (!channel)
        return no_memory(a);
    for (uint32_t i = 0; i < a->time_count; i++) {
        double frame = a->times[i];
        bool last = i + 1 == a->time_count, steps = false;
        evaluate(a, tracks, frame, false, value, slope);
        evaluate(a, tracks, frame, true, earlier, in);
        for (int k = 0; k < 3; k++)
            steps |= fabs(earlier[k] - value[k]) > 1e-6 * (1 + fabs(value[k]));
        if (last) {
            put_cubic(a, channel, frame, in, earlier, NULL);
        } else if (i > 0 && steps) {
            put_cubic(a, channel, frame - STEP, in, earlier, NULL);
            put_cubic(a, channel, frame, NULL, value, slope);
        } else {
            put_cubic(a, channel, frame, i > 0 ? in : NULL, value, slope);
        }
    }
    return FACET_OK;
}

/* -- Rotation ----------------------------------------------------------- */

static void rotation_at(const adding *a, const uint32_t tracks[3], double frame, bool before,
                        float q[4])
{
    double value[3], slope[3];
    int shift = a->document->kind != FACET_J3D_BCK ? 0
                : a->document->rotation_shift > 15 ? 0
                                                   : a->document->rotation_shift;
    evaluate(a, tracks, frame, before, value, slope);
    for (int i = 0; i < 3; i++)
        value[i] = ldexp(value[i], shift) * (FACET_PI / 32767);
    facet_j3d_quaternion_of_angles(value, q);
}

static double angle_between(const float *p, const float *q)
{
    double dot = 0, difference = 0;
    for (int i = 0; i < 4; i++)
        dot += (double)p[i] * (double)q[i];
    for (int i = 0; i < 4; i++) {
        double d = (double)p[i] - (dot < 0 ? -1 : 1) * (double)q[i];
        difference += d * d;
    }
    return 4 * asin(fmin(sqrt(difference) / 2, 1));
}

/* Interpolate between two rotations like a linear channel. */
static void between(const float *p, const float *q, double part, float *out)
{
    double dot = 0, length = 0, mixed[4];
    for (int i = 0; i < 4; i++)
        dot += (double)p[i] * (double)q[i];
    double sign = dot < 0 ? -1 : 1, angle = acos(fmin(fabs(dot), 1)), from = 1 - part, to = part;
    if (angle > 1e-4) {
        from = sin((1 - part) * angle) / sin(angle);
        to = sin(part * angle) / sin(angle);
    }
    for (int i = 0; i < 4; i++) {
        mixed[i] = from * (double)p[i] + sign * to * (double)q[i];
        length += mixed[i] * mixed[i];
    }
    for (int i = 0; i < 4; i++)
        out[i] = (float)(mixed[i] / sqrt(length));
}

/* True if linear interpolation between two frames is precise enough. */
static bool is_straight(const adding *a, const uint32_t tracks[3], double begin, double end,
                        const float *p, const float *q)
{
    if (angle_between(p, q) > 2) /* the shorter arc can be the wrong one */
        return false;
    for (int i = 1; i < 8; i++) {
        float here[4], line[4];
        rotation_at(a, tracks, begin + (end - begin) * i / 8, false, here);
        between(p, q, i / 8.0, line);
        if (angle_between(here, line) > ROTATION_ERROR)
            return false;
    }
    return true;
}

/* Collect the times of the keys, and as many times between them as necessary. */
static bool refine_times(adding *a, const uint32_t tracks[3])
{
    uint32_t count = a->time_count;
    for (uint32_t i = 0; i + 1 < count; i++) {
        double begin = a->times[i], end = a->times[i + 1];
        while (begin < end) {
            double next = end;
            float p[4], q[4];
            rotation_at(a, tracks, begin, false, p);
            for (;;) {
                rotation_at(a, tracks, next, true, q);
                if (next - begin <= 1.0 / FINEST || is_straight(a, tracks, begin, next, p, q))
                    break;
                next = begin + (next - begin) / 2;
            }
            if (next < end && !add_time(a, next))
                return false;
            begin = next;
        }
    }
    qsort(a->times, a->time_count, sizeof *a->times, compare_times);
    return true;
}

static void put_rotation(const adding *a, facet_channel *channel, double frame, const float q[4])
{
    float *to = channel->values + (size_t)channel->key_count * 4, dot = 0;
    for (int i = 0; i < 4 && channel->key_count > 0; i++)
        dot += to[i - 4] * q[i];
    for (int i = 0; i < 4; i++)
        to[i] = dot < 0 ? -q[i] : q[i];
    channel->times[channel->key_count++] = (float)(frame / a->rate);
}

static facet_status add_rotation(adding *a, uint32_t joint, const uint32_t tracks[3],
                                 const float rest[4])
{
    float q[4], earlier[4];
    rotation_at(a, tracks, 0, false, q);
    if (!is_moving(a, tracks))
        return angle_between(q, rest) < 1e-6
                   ? FACET_OK
                   : add_constant(a, joint, FACET_TARGET_ROTATION, q, rest);
    if (!collect_times(a, tracks) || !refine_times(a, tracks))
        return no_memory(a);
    facet_channel *channel = begin_channel(a, joint, FACET_TARGET_ROTATION,
                                           FACET_INTERPOLATION_LINEAR, a->time_count * 2);
    if (!channel)
        return no_memory(a);
    for (uint32_t i = 0; i < a->time_count; i++) {
        bool last = i + 1 == a->time_count;
        rotation_at(a, tracks, a->times[i], last, q);
        rotation_at(a, tracks, a->times[i], true, earlier);
        if (i > 0 && !last && angle_between(q, earlier) > 1e-5)
            put_rotation(a, channel, a->times[i] - STEP, earlier);
        put_rotation(a, channel, a->times[i], q);
    }
    return FACET_OK;
}

/* -- Joints by their own tracks ----------------------------------------- */

/* Get the scale of a joint. False if it changes over time. */
static bool scale_of(const adding *a, uint32_t joint, float scale[3])
{
    const facet_j3d_animation_set *set = &a->document->sets[0];
    bool constant = true;
    for (uint32_t axis = 0; axis < 3; axis++) {
        uint32_t track = joint * 9 + axis * 3;
        constant &= set->tracks[track].count <= 1;
        scale[axis] = to_float(facet_j3d_animation_curve(a->document, 0, track, 0, NULL));
    }
    return constant;
}

static bool is_one(const float scale[3])
{
    return scale[0] == 1 && scale[1] == 1 && scale[2] == 1;
}

/* The product of the scales of a joint and its ancestors. */
typedef struct inherited {
    bool constant, own_is_one;
    float all[3];
} inherited;

static inherited inherit(const adding *a, const inherited *above, uint32_t joint)
{
    inherited here;
    float own[3];
    here.constant = scale_of(a, joint, own);
    here.own_is_one = here.constant && is_one(own);
    here.constant &= above->constant;
    for (int i = 0; i < 3; i++)
        here.all[i] = above->all[i] * own[i];
    return here;
}

/* Find joints whose matrix is their parent's times their own scale, rotation and translation. Basic
 * scaling skips a scale that undoes inherited scales. So a joint with such a scale qualifies only
 * if that holds all the time. */
static facet_status find_plain(adding *a, const facet_j3d_skeleton *skeleton)
{
    static const inherited none = {true, true, {1, 1, 1}};
    inherited *all = facet_arena_allocate(a->scratch, a->joint_count, sizeof *all);
    a->plain = facet_arena_allocate(a->scratch, a->joint_count, sizeof *a->plain);
    if (!all || !a->plain)
        return no_memory(a);
    for (uint32_t i = 0; i < a->joint_count; i++) {
        uint32_t joint = skeleton->order[i];
        const facet_j3d_joint *of = &a->model->joints.items[joint];
        const inherited *above = of->parent == FACET_J3D_NONE ? &none : &all[of->parent];
        all[joint] = inherit(a, above, joint);
        switch (a->model->hierarchy.flags & 15) {
        case FACET_J3D_SCALING_MAYA:
            a->plain[joint] = of->scale_compensate != 1 || above->own_is_one;
            break;
        case FACET_J3D_SCALING_SOFTIMAGE:
            a->plain[joint] = above->constant && is_one(above->all);
            break;
        default:
            a->plain[joint] =
                all[joint].own_is_one || !all[joint].constant || !is_one(all[joint].all);
        }
    }
    return FACET_OK;
}

static facet_status add_plain(adding *a, uint32_t joint)
{
    const facet_node *node = a->scene->nodes[joint];
    uint32_t first = joint * 9;
    const uint32_t scales[3] = {first, first + 3, first + 6};
    const uint32_t angles[3] = {first + 1, first + 4, first + 7};
    const uint32_t places[3] = {first + 2, first + 5, first + 8};
    facet_status status =
        add_vector(a, joint, FACET_TARGET_TRANSLATION, places, node->transform.translation);
    if (!status)
        status = add_rotation(a, joint, angles, node->transform.rotation);
    return status ? status
                  : add_vector(a, joint, FACET_TARGET_SCALE, scales, node->transform.scale);
}

/* -- Joints by their matrices ------------------------------------------- */

/* Compute the model's skeleton at a frame, in a separate arena. */
static facet_status pose_model(const adding *a, uint32_t frame, facet_j3d_joint *joints,
                               facet_j3d_joint_pose *poses, facet_arena *arena,
                               facet_j3d_skeleton *skeleton)
{
    facet_j3d posed = *a->model;
    facet_j3d_moment moment = {.frame = frame};
    facet_j3d_animation_joints(a->document, &moment, poses);
    for (uint32_t j = 0; j < a->joint_count; j++) {
        memcpy(joints[j].scale, poses[j].scale, sizeof joints[j].scale);
        memcpy(joints[j].rotation, poses[j].rotation, sizeof joints[j].rotation);
        memcpy(joints[j].translation, poses[j].translation, sizeof joints[j].translation);
    }
    posed.joints.items = joints;
    posed.envelopes.count = 0;
    return facet_j3d_skeleton_create(&posed, arena, skeleton, a->error);
}

/* Get a joint's transform relative to its parent. False if the parent is flat or the transform has
 * shear. */
static bool place_of(const adding *a, const facet_j3d_skeleton *skeleton, uint32_t joint,
                     facet_transform *transform)
{
    uint16_t parent = a->model->joints.items[joint].parent;
    facet_j3d_matrix above, local;
    if (parent == FACET_J3D_NONE)
        return facet_j3d_decompose_matrix(skeleton->globals[joint], transform);
    if (!facet_j3d_matrix_invert(skeleton->globals[parent], above))
        return false;
    facet_j3d_matrix_multiply(above, skeleton->globals[joint], local);
    return facet_j3d_decompose_matrix(local, transform);
}

typedef struct sampled {
    facet_channel *channels[3]; /* translation, rotation, scale */
} sampled;

static facet_status begin_sampled(adding *a, sampled *joints, uint32_t frames)
{
    static const facet_channel_target paths[3] = {FACET_TARGET_TRANSLATION, FACET_TARGET_ROTATION,
                                                  FACET_TARGET_SCALE};
    for (uint32_t j = 0; j < a->joint_count; j++) {
        for (int i = 0; i < 3 && !a->plain[j]; i++) {
            joints[j].channels[i] =
                begin_channel(a, j, paths[i], FACET_INTERPOLATION_LINEAR, frames);
            if (!joints[j].channels[i])
                return no_memory(a);
        }
    }
    return FACET_OK;
}

static void put_sample(const adding *a, sampled *joint, uint32_t frame,
                       const facet_transform *transform)
{
    facet_channel *place = joint->channels[0], *scale = joint->channels[2];
    memcpy(place->values + (size_t)frame * 3, transform->translation, sizeof(float[3]));
    memcpy(scale->values + (size_t)frame * 3, transform->scale, sizeof(float[3]));
    place->times[frame] = scale->times[frame] = (float)(frame / a->rate);
    place->key_count = scale->key_count = frame + 1;
    put_rotation(a, joint->channels[1], frame, transform->rotation);
}

static facet_status sample_frame(const adding *a, uint32_t frame, facet_j3d_joint *items,
                                 facet_j3d_joint_pose *poses, sampled *joints, facet_tally *lost)
{
    facet_arena *arena = NULL;
    facet_j3d_skeleton skeleton;
    facet_options none = {0};
    facet_status status = facet_arena_create(&none, &arena, a->error);
    if (!status)
        status = pose_model(a, frame, items, poses, arena, &skeleton);
    for (uint32_t j = 0; j < a->joint_count && !status; j++) {
        facet_transform transform = a->scene->nodes[j]->transform;
        if (a->plain[j])
            continue;
        if (!place_of(a, &skeleton, j, &transform))
            facet_tally_hit(lost, j);
        put_sample(a, &joints[j], frame, &transform);
    }
    facet_arena_free(arena);
    return status;
}

static facet_status add_sampled(adding *a, const facet_options *options)
{
    uint32_t frames = (uint32_t)last_frame(a) + 1, count = a->model->joints.count;
    facet_j3d_joint *items = facet_arena_allocate(a->scratch, count, sizeof *items);
    facet_j3d_joint_pose *poses =
        facet_arena_allocate(a->scratch, a->document->sets[0].count, sizeof *poses);
    sampled *joints = facet_arena_allocate_zeroed(a->scratch, count, sizeof *joints);
    facet_tally lost = {0};
    if (!items || !poses || !joints)
        return no_memory(a);
    memcpy(items, a->model->joints.items, count * sizeof *items);
    facet_status status = begin_sampled(a, joints, frames);
    for (uint32_t frame = 0; frame < frames && !status; frame++)
        status = sample_frame(a, frame, items, poses, joints, &lost);
    facet_report_add_tally(options ? options->report : NULL, "LOSS-NODES", FACET_SEVERITY_WARNING,
                           FACET_NO_OFFSET, &lost,
                           "joint %" PRIu64
                           " is sheared by the scale of its parents, which a node cannot express",
                           lost.first);
    return status;
}

/* -- The animation ------------------------------------------------------ */

static facet_status add_joints(adding *a, const facet_options *options)
{
    facet_j3d_skeleton skeleton;
    bool all = true;
    facet_status status = facet_j3d_skeleton_create(a->model, a->scratch, &skeleton, a->error);
    if (!status)
        status = find_plain(a, &skeleton);
    for (uint32_t j = 0; j < a->joint_count && !status; j++) {
        a->scene->nodes[j]->has_matrix = false; /* only its components can be animated */
        all &= a->plain[j];
        if (a->plain[j])
            status = add_plain(a, j);
    }
    return status || all ? status : add_sampled(a, options);
}

/* Add animations of materials and shapes. The extras also store the parts that the scene cannot
 * show. */
static facet_status add_driven(adding *a, const facet_options *options)
{
    facet_tally lost = {0};
    facet_quoted quoted;
    const char *name = a->document->name ? a->document->name : "";
    TRY(facet_j3d_animation_drive(a->document, a->model, a->rate, options, a->scene, &a->animation,
                                  &lost, a->error));
    if (!a->animation)
        return facet_j3d_animation_carry(a->document, options, a->scene, a->error);
    if (!facet_j3d_animation_finish(a->document, a->rate, a->scene->arena, a->animation))
        return no_memory(a);
    facet_report_add_tally(options ? options->report : NULL, "LOSS-ANIMATIONS",
                           FACET_SEVERITY_WARNING, FACET_NO_OFFSET, &lost,
                           "entry %" PRIu64 " of the %s '%s' moves %s: it is kept only in the "
                           "extras",
                           lost.first, facet_j3d_animation_kind_name(a->document->kind),
                           facet_quote(&quoted, name, strlen(name)),
                           a->document->kind == FACET_J3D_BVA
                               ? "a shape that the model does not have"
                               : "a value that a scene's material does not have");
    return FACET_OK;
}

static void report_frames(const facet_j3d_animation *document, const facet_options *options)
{
    const char *name = document->name ? document->name : "";
    facet_quoted quoted;
    if (document->frames < 1)
        facet_report_add(options ? options->report : NULL, "JA13", FACET_SEVERITY_WARNING,
                         FACET_NO_OFFSET, "the %s '%s' has %d frames: it is read as if it had 1",
                         facet_j3d_animation_kind_name(document->kind),
                         facet_quote(&quoted, name, strlen(name)), document->frames);
}

facet_status facet_j3d_animation_to_scene(const facet_j3d_animation *document,
                                          const facet_j3d *model, const facet_options *options,
                                          facet_scene *scene, facet_error *error)
{
    adding a = {.document = document, .model = model, .scene = scene, .error = error};
    facet_status status =
        FACET_CHECK_STRUCT(options ? options->j3d : NULL, facet_j3d_options, error);
    if (status)
        return status;
    report_frames(document, options);
    double given = options && options->j3d ? options->j3d->rate : 0;
    a.rate = given > 0 ? given : 30;
    a.joint_count = model->joints.count;
    if (facet_j3d_animation_has_channels(document->kind))
        return add_driven(&a, options);
    if (document->kind != FACET_J3D_BCK && document->kind != FACET_J3D_BCA)
        return facet_j3d_animation_carry(document, options, scene, error);
    if (document->sets[0].count < a.joint_count || scene->node_count < a.joint_count)
        return facet_fail(error, FACET_ERROR_UNSUPPORTED, "JA40", FACET_NO_OFFSET,
                          "the animation has %" PRIu32 " joints, and the model has %" PRIu32,
                          document->sets[0].count, a.joint_count);
    status = facet_j3d_animation_check_sharing(document, error);
    if (!status)
        status = facet_arena_create(options, &a.scratch, error);
    if (!status)
        status = facet_scene_add_animation(scene, document->name ? document->name : "",
                                           a.joint_count * 3, &a.animation, error);
    if (!status) {
        a.animation->channel_count = 0;
        status = add_joints(&a, options);
        if (!status && !facet_j3d_animation_finish(document, a.rate, scene->arena, a.animation))
            status = no_memory(&a);
    }
    facet_arena_free(a.scratch);
    return status;
}
