/* formats/iqm/to_scene_motion.c - joints as nodes and a skin; frames as keys of animations. */
#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/json.h"
#include "formats/iqm/scene.h"
#include "scene/matrix.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* -- Frames ------------------------------------------------------------- */

/* Decode the channels of a joint in a frame. `numbers` are those of the frame, starting at the
 * joint. */
static void decode(const facet_iqm_layout *layout, const facet_iqm_pose *pose,
                   const uint8_t *numbers, float channels[FACET_IQM_CHANNELS])
{
    for (int i = 0; i < FACET_IQM_CHANNELS; i++) {
        channels[i] = pose->offset[i];
        if (pose->mask >> i & 1) {
            channels[i] += pose->scale[i] * (float)facet_load_u16le(numbers);
            numbers += 2;
        }
    }
    if (layout->version == 1)
        channels[6] = facet_iqm_rotation_w(channels + 3);
}

/* Normalize a rotation, with w >= 0: exporters of IQM write the negative. A rotation of length 0
 * becomes the identity. */
static void normalize_rotation(float q[4])
{
    double length = sqrt((double)q[0] * (double)q[0] + (double)q[1] * (double)q[1] +
                         (double)q[2] * (double)q[2] + (double)q[3] * (double)q[3]);
    if (q[3] < 0)
        length = -length;
    for (int k = 0; k < 4; k++)
        q[k] = length != 0 && isfinite(length) ? (float)((double)q[k] / length) : (float)(k == 3);
}

static void take_transform(const float channels[FACET_IQM_CHANNELS], facet_transform *transform)
{
    memcpy(transform->translation, channels, sizeof transform->translation);
    memcpy(transform->rotation, channels + 3, sizeof transform->rotation);
    memcpy(transform->scale, channels + 7, sizeof transform->scale);
    normalize_rotation(transform->rotation);
}

/* -- Joints ------------------------------------------------------------- */

static facet_status add_joint(const facet_iqm_scene_reader *r, uint32_t name, int32_t parent,
                              const facet_transform *transform)
{
    facet_node *node;
    const char *text = "";
    if (name != FACET_NONE)
        TRY(facet_iqm_add_name(r, name, &text));
    TRY(facet_scene_add_node(r->scene, text, &node, r->error));
    node->parent = parent < 0 ? FACET_NONE : (uint32_t)parent;
    node->transform = *transform;
    return FACET_OK;
}

/* Without joints, in a file with only animations, use the poses as skeleton, at rest in the first
 * frame. */
static facet_status add_poses(facet_iqm_scene_reader *r)
{
    const facet_iqm_layout *layout = r->layout;
    const uint8_t *numbers = layout->raw[FACET_IQM_FRAMES];
    for (uint32_t i = 0; i < layout->count[FACET_IQM_POSES]; i++) {
        facet_iqm_pose pose;
        float channels[FACET_IQM_CHANNELS];
        facet_transform transform;
        facet_iqm_load_pose(layout, i, &pose);
        uint32_t moving = facet_iqm_channels_of(pose.mask);
        if (!numbers)
            pose.mask = 0;
        decode(layout, &pose, numbers, channels);
        take_transform(channels, &transform);
        TRY(add_joint(r, FACET_NONE, pose.parent, &transform));
        numbers = numbers ? numbers + (size_t)moving * 2 : NULL;
    }
    r->joint_count = layout->count[FACET_IQM_POSES];
    return FACET_OK;
}

/* Add a skin that binds the base pose. */
static facet_status add_skin(const facet_iqm_scene_reader *r)
{
    facet_skin *skin;
    facet_tally flat = {0, 0};
    TRY(facet_scene_add_skin(r->scene, "", r->joint_count, &skin, r->error));
    float *global = facet_arena_allocate(r->scratch, r->joint_count, 16 * sizeof *global);
    if (!global)
        return facet_fail_arena(r->scratch, r->error);
    for (uint32_t i = 0; i < r->joint_count; i++) {
        const facet_node *node = r->scene->nodes[i];
        float local[16];
        facet_matrix_of_transform(&node->transform, local);
        if (node->parent == FACET_NONE)
            memcpy(global + (size_t)i * 16, local, sizeof local);
        else
            facet_matrix_multiply(global + (size_t)node->parent * 16, local,
                                  global + (size_t)i * 16);
        skin->joints[i] = i;
        if (!facet_matrix_invert(global + (size_t)i * 16, skin->inverse_bind + (size_t)i * 16))
            facet_tally_hit(&flat, i);
    }
    facet_report_add_tally(r->report, "IQM-BASE-POSE", FACET_SEVERITY_WARNING,
                           r->layout->offset[FACET_IQM_JOINTS], &flat,
                           "the base pose of joint %" PRIu64
                           " has no inverse: vertices that follow it are bound at the origin",
                           flat.first);
    return FACET_OK;
}

facet_status facet_iqm_add_joints(facet_iqm_scene_reader *r)
{
    uint32_t count = r->layout->count[FACET_IQM_JOINTS];
    if (count > UINT16_MAX)
        return facet_fail(r->error, FACET_ERROR_LIMIT, NULL, r->layout->offset[FACET_IQM_JOINTS],
                          "the file has %" PRIu32 " joints, and a scene binds at most 65535",
                          count);
    for (uint32_t i = 0; i < count; i++) {
        facet_iqm_joint joint;
        facet_transform transform;
        facet_iqm_load_joint(r->layout, i, &joint);
        memcpy(transform.translation, joint.translation, sizeof transform.translation);
        memcpy(transform.rotation, joint.rotation, sizeof transform.rotation);
        memcpy(transform.scale, joint.scale, sizeof transform.scale);
        normalize_rotation(transform.rotation);
        TRY(add_joint(r, joint.name, joint.parent, &transform));
    }
    r->joint_count = count;
    if (count == 0)
        return add_poses(r);
    return add_skin(r);
}

/* -- Channels ----------------------------------------------------------- */

static const facet_channel_target targets[3] = {FACET_TARGET_TRANSLATION, FACET_TARGET_ROTATION,
                                                FACET_TARGET_SCALE};
static const uint32_t widths[3] = {3, 4, 3};
static const uint32_t masks[3] = {0x7, 0x78, 0x380};

/* The current animation. */
typedef struct motion_reader {
    facet_iqm_scene_reader *r;
    uint32_t pose_count; /* number of poses that have a node */
    uint32_t *before;    /* per pose: number of values of a frame before its own */
    facet_channel *made; /* at most three per pose */
    uint32_t made_count;
    float *keys[3]; /* of one pose */
    uint32_t first_frame, frame_count;
    float *times;   /* per frame; shared by the channels */
    uint64_t total; /* total over all animations */
} motion_reader;

static const float *rest_of(const facet_node *node, int part)
{
    return part == 0   ? node->transform.translation
           : part == 1 ? node->transform.rotation
                       : node->transform.scale;
}

/* True if the value is that at rest; q and -q are equal rotations. */
static bool is_at_rest(const float *value, const float *rest, int part)
{
    bool same = true, opposite = part == 1;
    for (uint32_t k = 0; k < widths[part]; k++) {
        same = same && value[k] == rest[k];
        opposite = opposite && value[k] == -rest[k];
    }
    return same || opposite;
}

/* Decode the keys of a pose in all necessary frames. */
static uint32_t decode_keys(const motion_reader *m, uint32_t index, const facet_iqm_pose *pose)
{
    const facet_iqm_layout *layout = m->r->layout;
    const uint8_t *frames = layout->raw[FACET_IQM_FRAMES];
    size_t stride = (size_t)layout->channel_count * 2;
    facet_iqm_pose own = *pose;
    uint32_t count = frames && pose->mask ? m->frame_count : 1;
    if (!frames)
        own.mask = 0;
    for (uint32_t f = 0; f < count; f++) {
        float channels[FACET_IQM_CHANNELS];
        facet_transform transform;
        const uint8_t *numbers =
            frames ? frames + (m->first_frame + f) * stride + (size_t)m->before[index] * 2 : NULL;
        decode(layout, &own, numbers, channels);
        take_transform(channels, &transform);
        memcpy(m->keys[0] + (size_t)f * 3, transform.translation, sizeof transform.translation);
        memcpy(m->keys[1] + (size_t)f * 4, transform.rotation, sizeof transform.rotation);
        memcpy(m->keys[2] + (size_t)f * 3, transform.scale, sizeof transform.scale);
    }
    return count;
}

static facet_status add_channel(motion_reader *m, uint32_t node, int part, uint32_t key_count,
                                float *times, const float *keys)
{
    facet_scene *scene = m->r->scene;
    size_t width = widths[part];
    float *values = facet_scene_allocate(scene, key_count, width * sizeof *values);
    if (!values)
        return facet_fail_arena(scene->arena, m->r->error);
    memcpy(values, keys, key_count * width * sizeof *values);
    m->made[m->made_count++] = (facet_channel){.node = node,
                                               .target = targets[part],
                                               .width = widths[part],
                                               .key_count = key_count,
                                               .times = times,
                                               .values = values};
    return FACET_OK;
}

/* Add the channels of a pose. A constant part gets one key, or none if it is the node's value at
 * rest. In a file without joints, the first animation has all poses: no skin identifies the joints,
 * and a missing one would change the numbers of the others. */
static facet_status add_pose(motion_reader *m, uint32_t index)
{
    facet_iqm_pose pose;
    bool is_named = m->total > 0 || m->r->scene->skin_count > 0;
    uint32_t before = m->made_count;
    facet_iqm_load_pose(m->r->layout, index, &pose);
    uint32_t count = decode_keys(m, index, &pose);
    for (int part = 0; part < 3; part++) {
        const float *keys = m->keys[part];
        size_t size = widths[part] * sizeof *keys;
        uint32_t moved = 1;
        while (moved < count && memcmp(keys, keys + (size_t)moved * widths[part], size) == 0)
            moved++;
        bool still = !(pose.mask & masks[part]) || moved == count;
        if (still && is_at_rest(keys, rest_of(m->r->scene->nodes[index], part), part))
            continue;
        TRY(add_channel(m, index, part, still ? 1 : count, m->times, keys));
    }
    if (m->made_count == before && !is_named)
        TRY(add_channel(m, index, 0, 1, m->times, m->keys[0]));
    return FACET_OK;
}

/* Keep the duration of an animation without motion. */
static facet_status keep_duration(motion_reader *m, float last)
{
    float *times, keys[6];
    for (uint32_t i = 0; i < m->made_count; i++) {
        if (m->made[i].key_count > 1)
            return FACET_OK;
    }
    if (!(last > 0) || m->pose_count == 0)
        return FACET_OK;
    uint32_t at = 0;
    while (at < m->made_count &&
           !(m->made[at].node == 0 && m->made[at].target == FACET_TARGET_TRANSLATION))
        at++;
    const float *value =
        at < m->made_count ? m->made[at].values : m->r->scene->nodes[0]->transform.translation;
    memcpy(keys, value, 3 * sizeof *keys);
    memcpy(keys + 3, value, 3 * sizeof *keys);
    times = facet_scene_allocate(m->r->scene, 2, sizeof *times);
    if (!times)
        return facet_fail_arena(m->r->scene->arena, m->r->error);
    times[0] = 0;
    times[1] = last;
    if (at < m->made_count)
        m->made[at] = m->made[--m->made_count];
    return add_channel(m, 0, 0, 2, times, keys);
}

/* -- Animations --------------------------------------------------------- */

static double rate_of(const facet_iqm_animation *animation)
{
    return animation->rate > 0 && isfinite(animation->rate) ? (double)animation->rate
                                                            : FACET_IQM_DEFAULT_RATE;
}

/* {"iqm":{"rate":24,"loop":true}} */
static facet_status add_extras(const motion_reader *m, const facet_iqm_animation *animation,
                               facet_animation *made)
{
    facet_json *values = facet_json_object(), *extras = facet_json_object();
    facet_json_set(values, "rate", facet_json_real(rate_of(animation)));
    facet_json_set(values, "loop", facet_json_boolean(animation->flags & FACET_IQM_LOOP));
    facet_json_set(extras, "iqm", values);
    char *text = facet_json_print(extras, NULL);
    if (text)
        made->extras = facet_arena_string(m->r->scene->arena, text, strlen(text));
    free(text);
    facet_json_free(extras);
    return made->extras ? FACET_OK : facet_fail_memory(m->r->error, 64);
}

static facet_status add_times(motion_reader *m, double rate)
{
    /* Without frame data, a channel has at most one key. */
    uint32_t count = m->r->layout->raw[FACET_IQM_FRAMES] ? m->frame_count : 1;
    m->times = facet_scene_allocate(m->r->scene, count, sizeof *m->times);
    if (!m->times)
        return facet_fail_arena(m->r->scene->arena, m->r->error);
    for (uint32_t f = 0; f < count; f++)
        m->times[f] = (float)(f / rate);
    return FACET_OK;
}

static facet_status add_animation(motion_reader *m, uint32_t index)
{
    facet_iqm_animation animation;
    facet_animation *made;
    const char *name;
    facet_iqm_scene_reader *r = m->r;
    facet_iqm_load_animation(r->layout, index, &animation);
    double rate = rate_of(&animation);
    m->first_frame = animation.first_frame;
    m->frame_count = animation.frame_count;
    m->made_count = 0;
    if (animation.frame_count > 0) {
        TRY(add_times(m, rate));
        for (uint32_t i = 0; i < m->pose_count; i++)
            TRY(add_pose(m, i));
        TRY(keep_duration(m, (float)((animation.frame_count - 1) / rate)));
    }
    m->total += m->made_count;
    if (m->total > r->layout->size)
        return facet_fail(r->error, FACET_ERROR_LIMIT, "IQM-FRAME-SHARED",
                          r->layout->offset[FACET_IQM_ANIMATIONS],
                          "animations set joints so often that they exceed the file's %" PRIu64
                          " bytes",
                          (uint64_t)r->layout->size);
    TRY(facet_iqm_add_name(r, animation.name, &name));
    TRY(facet_scene_add_animation(r->scene, name, m->made_count, &made, r->error));
    if (m->made_count > 0)
        memcpy(made->channels, m->made, m->made_count * sizeof *m->made);
    return add_extras(m, &animation, made);
}

/* Limit of copies of shared frames. */
#define MAX_SHARES 4

static facet_status count_frames(const facet_iqm_scene_reader *r, uint32_t *longest)
{
    uint64_t total = 0, frames = r->layout->count[FACET_IQM_FRAMES];
    facet_tally rates = {0, 0};
    *longest = 1;
    for (uint32_t i = 0; i < r->layout->count[FACET_IQM_ANIMATIONS]; i++) {
        facet_iqm_animation animation;
        facet_iqm_load_animation(r->layout, i, &animation);
        total += animation.frame_count;
        *longest = animation.frame_count > *longest ? animation.frame_count : *longest;
        if (rate_of(&animation) != (double)animation.rate)
            facet_tally_hit(&rates, i);
    }
    facet_report_add_tally(r->report, "IQM-ANIMATION-RATE", FACET_SEVERITY_WARNING,
                           r->layout->offset[FACET_IQM_ANIMATIONS], &rates,
                           "animation %" PRIu64
                           " has no frame rate above 0: it gets %d frames per second",
                           rates.first, FACET_IQM_DEFAULT_RATE);
    if (total > frames * MAX_SHARES)
        return facet_fail(r->error, FACET_ERROR_LIMIT, "IQM-FRAME-SHARED",
                          r->layout->offset[FACET_IQM_ANIMATIONS],
                          "animations have %" PRIu64 " frames, more than %d times the %" PRIu64
                          " of the file",
                          total, MAX_SHARES, frames);
    if (!r->layout->raw[FACET_IQM_FRAMES])
        *longest = 1;
    return FACET_OK;
}

static facet_status prepare(motion_reader *m, uint32_t longest)
{
    const facet_iqm_scene_reader *r = m->r;
    uint32_t numbers = 0;
    m->pose_count = r->layout->count[FACET_IQM_POSES];
    if (m->pose_count != r->joint_count)
        facet_report_add(r->report, "IQM-POSE-COUNT", FACET_SEVERITY_WARNING,
                         facet_iqm_section_infos[FACET_IQM_POSES].count_at,
                         "the file has %" PRIu32 " poses, expected as many as its %" PRIu32
                         " joints",
                         m->pose_count, r->joint_count);
    if (m->pose_count > r->joint_count)
        m->pose_count = r->joint_count;
    m->before = facet_arena_allocate(r->scratch, m->pose_count, sizeof *m->before);
    m->made = facet_arena_allocate(r->scratch, m->pose_count + (size_t)1, 3 * sizeof *m->made);
    for (int part = 0; part < 3; part++)
        m->keys[part] =
            facet_arena_allocate(r->scratch, longest, widths[part] * sizeof *m->keys[part]);
    TRY(facet_arena_status(r->scratch, r->error));
    for (uint32_t i = 0; i < m->pose_count; i++) {
        facet_iqm_pose pose;
        facet_iqm_load_pose(r->layout, i, &pose);
        m->before[i] = numbers;
        numbers += facet_iqm_channels_of(pose.mask);
    }
    return FACET_OK;
}

/* Report frames that no animation plays: a scene has no place for them. */
static facet_status report_loose_frames(const facet_iqm_scene_reader *r)
{
    facet_tally loose = {0, 0};
    if (!r->layout->raw[FACET_IQM_FRAMES])
        return FACET_OK;
    TRY(facet_iqm_find_loose_frames(r->layout, r->scratch, &loose, r->error));
    facet_report_add_tally(r->report, "LOSS-UNREAD", FACET_SEVERITY_WARNING,
                           r->layout->offset[FACET_IQM_FRAMES], &loose,
                           "frame %" PRIu64 " is in no animation and is left out", loose.first);
    return FACET_OK;
}

facet_status facet_iqm_add_animations(facet_iqm_scene_reader *r)
{
    motion_reader m = {.r = r};
    uint32_t count = r->layout->count[FACET_IQM_ANIMATIONS], longest;
    TRY(report_loose_frames(r));
    if (count == 0)
        return FACET_OK;
    TRY(count_frames(r, &longest));
    TRY(prepare(&m, longest));
    for (uint32_t i = 0; i < count; i++) {
        TRY(facet_step(r->options, "read animations", (double)i / count, r->error));
        TRY(add_animation(&m, i));
    }
    return FACET_OK;
}
