/* gltf/from_scene/animations.c - animations; equal times are written once. */
#include "base/arena.h"
#include "base/report.h"
#include "gltf/from_scene/writer.h"

#include <math.h>
#include <string.h>

/* Times that were written, to be used again. */
typedef struct written_times {
    const float *times;
    uint32_t count;
    uint32_t accessor;
} written_times;

/* How many are searched. Channels of one node stand together, and share their
 * times. */
#define TIMES_KEPT 16

typedef struct animation_writer {
    facet_gltf_writer *w;
    uint32_t number;
    written_times kept[TIMES_KEPT];
    uint32_t kept_count; /* ever; the newest is at kept_count % TIMES_KEPT */
} animation_writer;

static uint32_t accessor_of_times(animation_writer *a, const float *times, uint32_t count)
{
    for (uint32_t i = 0; i < a->kept_count && i < TIMES_KEPT; i++) {
        if (a->kept[i].count == count &&
            memcmp(a->kept[i].times, times, count * sizeof *times) == 0)
            return a->kept[i].accessor;
    }
    uint32_t index = FACET_NONE;
    facet_json *accessor =
        facet_gltf_add_floats(a->w, times, count, 1, "SCALAR", FACET_GLTF_USE_KEYS, &index);
    if (!accessor)
        return index;
    facet_gltf_put(a->w, accessor, "min", facet_gltf_floats(a->w, &times[0], 1));
    facet_gltf_put(a->w, accessor, "max", facet_gltf_floats(a->w, &times[count - 1], 1));
    written_times kept = {times, count, index};
    a->kept[a->kept_count++ % TIMES_KEPT] = kept;
    return index;
}

/* -- Keys as glTF wants them -------------------------------------------- */

/* glTF allows no key before zero and no two at the same time; of those the last
 * is kept. */
static bool is_kept(const facet_channel *channel, uint32_t key)
{
    bool repeated = key + 1 < channel->key_count && channel->times[key] >= channel->times[key + 1];
    return !repeated && channel->times[key] >= 0;
}

/* A quaternion of unit length, within the tolerance of validators, stays as it
 * is. */
static void make_unit(float *q)
{
    double length = 0;
    for (int i = 0; i < 4; i++)
        length += (double)q[i] * (double)q[i];
    if (!(length > 0)) {
        q[3] = 1;
        return;
    }
    for (int i = 0; fabs(length - 1) > 5e-3 && i < 4; i++)
        q[i] = (float)(q[i] / sqrt(length));
}

/* A copy without the keys that cannot be written, rotations of unit length,
 * and cubics of a single key as steps. False without memory. */
static bool tidy(facet_gltf_writer *w, const facet_channel *from, facet_channel *to)
{
    size_t per_key =
        (size_t)from->width * (from->interpolation == FACET_INTERPOLATION_CUBIC ? 3 : 1);
    *to = *from;
    to->times = facet_arena_allocate(w->arena, from->key_count, sizeof *to->times);
    to->values = facet_arena_allocate(w->arena, from->key_count, per_key * sizeof *to->values);
    if (!to->times || !to->values) {
        w->failed = true;
        return false;
    }
    to->key_count = 0;
    for (uint32_t key = 0; key < from->key_count; key++) {
        if (!is_kept(from, key))
            continue;
        to->times[to->key_count] = from->times[key];
        memcpy(to->values + to->key_count * per_key, from->values + key * per_key,
               per_key * sizeof *to->values);
        to->key_count++;
    }
    if (from->interpolation == FACET_INTERPOLATION_CUBIC && to->key_count == 1) {
        to->interpolation = FACET_INTERPOLATION_STEP;
        memmove(to->values, to->values + from->width, from->width * sizeof *to->values);
        per_key = from->width;
    }
    size_t middle = to->interpolation == FACET_INTERPOLATION_CUBIC ? 4 : 0;
    for (uint32_t key = 0; from->path == FACET_PATH_ROTATION && key < to->key_count; key++)
        make_unit(to->values + key * per_key + middle);
    return true;
}

/* -- Channels ----------------------------------------------------------- */

static void write_channel(animation_writer *a, const facet_channel *from, uint32_t node,
                          facet_json *channels, facet_json *samplers)
{
    static const char *const paths[] = {"translation", "rotation", "scale", "weights"};
    static const char *const shapes[] = {"VEC3", "VEC4", "VEC3", "SCALAR"};
    static const char *const ways[] = {"LINEAR", "STEP", "CUBICSPLINE"};
    facet_gltf_writer *w = a->w;
    facet_channel channel;
    if (!tidy(w, from, &channel))
        return;
    if (channel.key_count < from->key_count)
        facet_report_add(facet_gltf_writer_report(w), "LOSS-KEYS", FACET_SEVERITY_WARNING,
                         FACET_NO_OFFSET,
                         "%u keys of animation %u are dropped: they lie before zero, or at the "
                         "time of the next",
                         from->key_count - channel.key_count, a->number);
    if (channel.key_count == 0)
        return;
    facet_json *sampler = facet_json_object(), *target = facet_json_object(),
               *object = facet_json_object();
    uint32_t output = FACET_NONE;
    uint64_t values =
        (uint64_t)channel.key_count * (channel.interpolation == FACET_INTERPOLATION_CUBIC ? 3 : 1);
    bool weights = channel.path == FACET_PATH_WEIGHTS;
    facet_gltf_put(w, sampler, "input",
                   facet_json_integer(accessor_of_times(a, channel.times, channel.key_count)));
    if (channel.interpolation != FACET_INTERPOLATION_LINEAR)
        facet_gltf_put(w, sampler, "interpolation", facet_json_string(ways[channel.interpolation]));
    facet_gltf_add_floats(w, channel.values, weights ? values * channel.width : values,
                          weights ? 1 : channel.width, shapes[channel.path], FACET_GLTF_USE_KEYS,
                          &output);
    facet_gltf_put(w, sampler, "output", facet_json_integer(output));
    facet_gltf_append(w, samplers, sampler);
    facet_gltf_put(w, target, "node", facet_json_integer(node));
    facet_gltf_put(w, target, "path", facet_json_string(paths[channel.path]));
    facet_gltf_put(w, object, "sampler",
                   facet_json_integer((int64_t)facet_json_array_size(samplers) - 1));
    facet_gltf_put(w, object, "target", target);
    facet_gltf_append(w, channels, object);
}

/* Morph weights move the node that carries the mesh in the file. */
static void write_channels(animation_writer *a, const facet_channel *channel, facet_json *channels,
                           facet_json *samplers)
{
    facet_gltf_writer *w = a->w;
    if (channel->path != FACET_PATH_WEIGHTS) {
        write_channel(a, channel, channel->node, channels, samplers);
        return;
    }
    const facet_gltf_carriers *carriers = &w->carriers[channel->node];
    for (uint32_t i = 0; i < carriers->count; i++)
        write_channel(a, channel, carriers->first + i, channels, samplers);
}

void facet_gltf_animations_from_scene(facet_gltf_writer *w)
{
    facet_json *animations = facet_json_array();
    for (uint32_t i = 0; i < w->scene->animation_count && !w->failed; i++) {
        const facet_animation *animation = &w->scene->animations[i];
        animation_writer a = {w, i, {{0}}, 0};
        facet_json *object = facet_json_object(), *channels = facet_json_array(),
                   *samplers = facet_json_array();
        for (uint32_t c = 0; c < animation->channel_count && !w->failed; c++)
            write_channels(&a, &animation->channels[c], channels, samplers);
        if (facet_json_array_size(channels) == 0) {
            facet_report_add(facet_gltf_writer_report(w), "LOSS-ANIMATIONS", FACET_SEVERITY_WARNING,
                             FACET_NO_OFFSET, "animation %u moves nothing, and is dropped", i);
            facet_json_release(channels);
            facet_json_release(samplers);
            facet_json_release(object);
            continue;
        }
        facet_gltf_put_text(w, object, "name", animation->name);
        facet_gltf_put(w, object, "channels", channels);
        facet_gltf_put(w, object, "samplers", samplers);
        facet_gltf_put_extras(w, object, animation->extras);
        facet_gltf_append(w, animations, object);
    }
    facet_gltf_put_array(w, "animations", animations);
}
