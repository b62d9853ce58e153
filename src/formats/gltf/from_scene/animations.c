/* formats/gltf/from_scene/animations.c - animations; equal times are written once. Channels of node
 * transforms and morph weights are core glTF; all others use KHR_animation_pointer. */
#include "base/arena.h"
#include "base/json.h"
#include "base/report.h"
#include "base/text.h"
#include "formats/gltf/from_scene/writer.h"
#include "scene/axes.h"
#include "scene/scene.h"

#include <facet/pose.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- Targets ----------------------------------------------------------- */

static void mark(facet_gltf_animated *animated, const facet_channel *channel)
{
    uint32_t bit = 1U << channel->map;
    if (facet_channel_target_is_place(channel->target))
        animated->places[channel->node] = true;
    else if (channel->target == FACET_TARGET_VISIBILITY)
        animated->visibility[channel->node] = true;
    else if (channel->target == FACET_TARGET_BASE_COLOR)
        animated->colors[channel->material] = true;
    else if (channel->target == FACET_TARGET_TEXTURE_IMAGE)
        animated->images[channel->material] |= bit;
    else if (channel->target >= FACET_TARGET_TEXTURE_OFFSET)
        animated->transforms[channel->material] |= bit;
}

void facet_gltf_find_animated(facet_gltf_writer *w)
{
    const facet_scene *scene = w->scene;
    facet_gltf_animated *a = &w->animated;
    a->places = facet_arena_allocate_zeroed(w->arena, scene->node_count, sizeof *a->places);
    a->visibility = facet_arena_allocate_zeroed(w->arena, scene->node_count, sizeof *a->visibility);
    a->colors = facet_arena_allocate_zeroed(w->arena, scene->material_count, sizeof *a->colors);
    a->transforms =
        facet_arena_allocate_zeroed(w->arena, scene->material_count, sizeof *a->transforms);
    a->images = facet_arena_allocate_zeroed(w->arena, scene->material_count, sizeof *a->images);
    w->failed |= !a->places || !a->visibility || !a->colors || !a->transforms || !a->images;
    for (uint32_t i = 0; i < scene->animation_count && !w->failed; i++) {
        for (uint32_t c = 0; c < scene->animations[i]->channel_count; c++)
            mark(a, &scene->animations[i]->channels[c]);
    }
}

/* -- Times -------------------------------------------------------------- */

/* Times already written, for reuse. */
typedef struct written_times {
    const float *times;
    uint32_t count;
    uint32_t accessor;
} written_times;

/* Number of recent times that are searched. The channels of one node are adjacent, and share their
 * times. */
#define TIMES_KEPT 16

typedef struct animation_writer {
    facet_gltf_writer *w;
    uint32_t number;
    written_times kept[TIMES_KEPT];
    uint32_t kept_count; /* number of all times so far; the newest is at kept_count % TIMES_KEPT */
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

/* -- Valid keys -------------------------------------------------------- */

/* True if a key is written. glTF forbids keys before zero and equal times; of equal times, the last
 * key is kept. */
static bool is_kept(const facet_channel *channel, uint32_t key)
{
    bool repeated = key + 1 < channel->key_count && channel->times[key] >= channel->times[key + 1];
    return !repeated && channel->times[key] >= 0;
}

/* Normalize a quaternion, unless its length is 1 within the tolerance of validators. */
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

/* Copy a channel: without keys that cannot be written, with rotations of unit length, and with a
 * cubic of one key as steps. False if out of memory. */
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
    for (uint32_t key = 0; from->target == FACET_TARGET_ROTATION && key < to->key_count; key++)
        make_unit(to->values + key * per_key + middle);
    return true;
}

/* -- Channels ----------------------------------------------------------- */

/* The accessor type of a channel's values. */
static const char *shape_of(const facet_channel *channel)
{
    static const char *const shapes[] = {"SCALAR", "SCALAR", "VEC2", "VEC3", "VEC4"};
    return shapes[channel->target == FACET_TARGET_WEIGHTS ? 0 : channel->width];
}

/* An accessor for booleans, which are stored as bytes. */
static uint32_t accessor_of_booleans(facet_gltf_writer *w, const facet_channel *channel)
{
    uint8_t *bytes = facet_arena_allocate(w->arena, channel->key_count, 1);
    facet_gltf_piece *piece =
        bytes ? facet_gltf_add_piece(w, FACET_GLTF_PIECE_BYTES, channel->key_count) : NULL;
    uint64_t offset;
    uint32_t index = FACET_NONE;
    if (!piece) {
        w->failed = true;
        return index;
    }
    for (uint32_t i = 0; i < channel->key_count; i++)
        bytes[i] = channel->values[i] != 0;
    piece->bytes = bytes;
    uint32_t view = facet_gltf_share_view(w, piece, FACET_GLTF_USE_KEYS, &offset);
    facet_gltf_add_accessor(w, view, offset, FACET_GLTF_UINT8, channel->key_count, "SCALAR",
                            &index);
    return index;
}

static uint32_t accessor_of_values(facet_gltf_writer *w, const facet_channel *channel)
{
    uint32_t output = FACET_NONE;
    uint64_t count = (uint64_t)channel->key_count *
                     (channel->interpolation == FACET_INTERPOLATION_CUBIC ? 3 : 1);
    bool weights = channel->target == FACET_TARGET_WEIGHTS;
    if (channel->target == FACET_TARGET_VISIBILITY)
        return accessor_of_booleans(w, channel);
    facet_gltf_add_floats(w, channel->values, weights ? count * channel->width : count,
                          weights ? 1 : channel->width, shape_of(channel), FACET_GLTF_USE_KEYS,
                          &output);
    return output;
}

/* The target of a channel: a node, or the object of a JSON pointer. */
static facet_json *target_of(facet_gltf_writer *w, facet_channel_target path, uint32_t node,
                             const char *pointer)
{
    static const char *const paths[] = {"translation", "rotation", "scale", "weights"};
    facet_json *target = facet_json_object_in(w->arena);
    if (!pointer) {
        facet_gltf_put(w, target, "node", facet_json_integer_in(w->arena, node));
        facet_gltf_put(w, target, "path", facet_json_string_in(w->arena, paths[path]));
        return target;
    }
    facet_json *extension = facet_json_object_in(w->arena),
               *extensions = facet_json_object_in(w->arena);
    facet_gltf_put(w, extension, "pointer", facet_json_string_in(w->arena, pointer));
    facet_gltf_put(w, extensions, "KHR_animation_pointer", extension);
    facet_gltf_put(w, target, "path", facet_json_string_in(w->arena, "pointer"));
    facet_gltf_put(w, target, "extensions", extensions);
    w->uses_pointer = true;
    return target;
}

/* The parts of an animation being written. */
typedef struct parts {
    facet_json *channels, *samplers;
    facet_tally lost;    /* channels without a property in glTF */
    facet_tally choices; /* channels that only extras can hold */
} parts;

static void write_channel(animation_writer *a, const facet_channel *from, uint32_t node,
                          const char *pointer, parts *to)
{
    static const char *const ways[] = {"LINEAR", "STEP", "CUBICSPLINE"};
    facet_gltf_writer *w = a->w;
    facet_channel channel;
    if (!tidy(w, from, &channel))
        return;
    if (channel.key_count < from->key_count)
        facet_report_add(facet_gltf_writer_report(w), "LOSS-ANIMATIONS", FACET_SEVERITY_WARNING,
                         FACET_NO_OFFSET,
                         "animation %u loses %u key%s before zero, or at the time of the next key",
                         a->number, from->key_count - channel.key_count,
                         facet_plural(from->key_count - channel.key_count, "", "s"));
    if (channel.key_count == 0)
        return;
    facet_json *sampler = facet_json_object_in(w->arena), *object = facet_json_object_in(w->arena);
    facet_gltf_put(
        w, sampler, "input",
        facet_json_integer_in(w->arena, accessor_of_times(a, channel.times, channel.key_count)));
    if (channel.interpolation != FACET_INTERPOLATION_LINEAR)
        facet_gltf_put(w, sampler, "interpolation",
                       facet_json_string_in(w->arena, ways[channel.interpolation]));
    facet_gltf_put(w, sampler, "output",
                   facet_json_integer_in(w->arena, accessor_of_values(w, &channel)));
    facet_gltf_append(w, to->samplers, sampler);
    facet_gltf_put(
        w, object, "sampler",
        facet_json_integer_in(w->arena, (int64_t)facet_json_array_size(to->samplers) - 1));
    facet_gltf_put(w, object, "target", target_of(w, channel.target, node, pointer));
    facet_gltf_append(w, to->channels, object);
}

/* -- Nodes -------------------------------------------------------------- */

static void hide_node(animation_writer *a, const facet_channel *channel, uint32_t node, parts *to)
{
    char pointer[80];
    snprintf(pointer, sizeof pointer, "/nodes/%u/extensions/KHR_node_visibility/visible", node);
    write_channel(a, channel, node, pointer, to);
}

/* Write a channel of a node. Morph weights go to the node that carries the mesh in the file.
 * Skinned meshes at the root are hidden there. */
static void write_node_channel(animation_writer *a, const facet_channel *channel, parts *to)
{
    facet_gltf_writer *w = a->w;
    const facet_gltf_carriers *carriers = &w->carriers[channel->node];
    if (facet_channel_target_is_place(channel->target)) {
        write_channel(a, channel, channel->node, NULL, to);
    } else if (channel->target == FACET_TARGET_WEIGHTS) {
        for (uint32_t i = 0; i < carriers->count; i++)
            write_channel(a, channel, carriers->first + i, NULL, to);
    } else {
        hide_node(a, channel, channel->node, to);
        for (uint32_t i = 0; i < carriers->count && carriers->first != channel->node; i++) {
            facet_json *extensions = facet_json_object_get(
                facet_json_array_get(w->nodes, carriers->first + i), "extensions");
            if (facet_json_object_get(extensions, "KHR_node_visibility"))
                hide_node(a, channel, carriers->first + i, to);
        }
    }
}

/* -- Materials ---------------------------------------------------------- */

/* Copy the values of a channel, so that they can be changed. False if out of memory. */
static bool copy_values(facet_gltf_writer *w, facet_channel *channel)
{
    size_t count = (size_t)channel->key_count * channel->width *
                   (channel->interpolation == FACET_INTERPOLATION_CUBIC ? 3 : 1);
    float *values = facet_arena_allocate(w->arena, count, sizeof *values);
    if (!values) {
        w->failed = true;
        return false;
    }
    memcpy(values, channel->values, count * sizeof *values);
    channel->values = values;
    return true;
}

/* Write a color channel. glTF limits colors to 0..1; tangents are not limited. */
static void write_color(animation_writer *a, const facet_channel *from, parts *to)
{
    facet_gltf_writer *w = a->w;
    facet_channel channel = *from;
    bool cubic = from->interpolation == FACET_INTERPOLATION_CUBIC;
    bool base = from->target == FACET_TARGET_BASE_COLOR;
    float divisor = base ? 1 : facet_gltf_emissive_divisor(w->scene->materials[from->material]);
    if (!copy_values(w, &channel))
        return;
    for (size_t i = 0; i < (size_t)channel.key_count * channel.width * (cubic ? 3 : 1); i++) {
        float *value = &channel.values[i];
        *value /= divisor;
        if (!cubic || i / channel.width % 3 == 1)
            *value = *value > 1 ? 1 : *value > 0 ? *value : 0;
    }
    const uint32_t both[2] = {from->material, w->bare[from->material]};
    for (int i = 0; i < 2 && both[i] != FACET_NONE; i++) {
        char pointer[80];
        snprintf(pointer, sizeof pointer, "/materials/%u/%s", both[i],
                 base ? "pbrMetallicRoughness/baseColorFactor" : "emissiveFactor");
        write_channel(a, &channel, 0, pointer, to);
    }
}

/* Replace the scene's images by textures of the file. Images that cannot be written keep the
 * previous texture. */
static bool choose_textures(facet_gltf_writer *w, facet_channel *channel)
{
    const facet_texture *texture = w->scene->materials[channel->material]->maps[channel->map];
    uint32_t kept = 0;
    float *times = facet_arena_allocate(w->arena, channel->key_count, sizeof *times);
    if (!times || !copy_values(w, channel)) {
        w->failed = true;
        return false;
    }
    for (uint32_t i = 0; i < channel->key_count; i++) {
        uint32_t number = facet_gltf_texture_of(w, texture, (uint32_t)channel->values[i]);
        if (number == FACET_NONE)
            continue;
        times[kept] = channel->times[i];
        channel->values[kept++] = (float)number;
    }
    bool all = kept == channel->key_count;
    channel->times = times;
    channel->key_count = kept;
    return all;
}

static int compare_times(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* -- Texture transforms ------------------------------------------------- */

/* The animated channels of a map's transform: offset, rotation and scale. */
typedef struct transform_channels {
    const facet_channel *all[3];
    uint32_t material;
    facet_map map;
} transform_channels;

/* Flip v of the offset, which then depends on rotation and scale: the result has a key where any of
 * the three has one. False if out of memory. */
static bool turn_offset(facet_gltf_writer *w, const transform_channels *from,
                        facet_channel *channel)
{
    const facet_texture *rest = w->scene->materials[from->material]->maps[from->map];
    static const facet_texture identity = {.scale = {1, 1}};
    size_t count = 0;
    for (int i = 0; i < 3; i++)
        count += from->all[i] ? from->all[i]->key_count : 0;
    *channel =
        (facet_channel){.node = FACET_NONE, .target = FACET_TARGET_TEXTURE_OFFSET, .width = 2};
    channel->times = facet_arena_allocate(w->arena, count, sizeof *channel->times);
    channel->values = facet_arena_allocate(w->arena, count, 2 * sizeof *channel->values);
    if (!channel->times || !channel->values) {
        w->failed = true;
        return false;
    }
    for (int i = 0; i < 3; i++) {
        for (uint32_t k = 0; from->all[i] && k < from->all[i]->key_count; k++)
            channel->times[channel->key_count++] = from->all[i]->times[k];
    }
    qsort(channel->times, channel->key_count, sizeof *channel->times, compare_times);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < channel->key_count; i++) {
        facet_texture t = rest->has_transform ? *rest : identity;
        float *const values[3] = {t.offset, &t.rotation, t.scale};
        if (i > 0 && channel->times[i] == channel->times[kept - 1])
            continue;
        for (int k = 0; k < 3; k++) {
            if (from->all[k])
                facet_channel_sample(from->all[k], (double)channel->times[i], values[k]);
        }
        facet_axes_flip_transform(t.offset, &t.rotation, t.scale);
        memcpy(channel->values + (size_t)kept * 2, t.offset, sizeof t.offset);
        channel->times[kept++] = channel->times[i];
    }
    channel->key_count = kept;
    return true;
}

static void write_transform(animation_writer *a, const transform_channels *from, parts *to)
{
    static const char *const names[] = {"offset", "rotation", "scale"};
    facet_gltf_writer *w = a->w;
    bool flips = facet_axes_flips_v(&w->scene->axes, true);
    for (int i = 0; i < 3; i++) {
        char pointer[160];
        facet_channel channel;
        if (flips && i == 0) {
            if (!turn_offset(w, from, &channel))
                return;
        } else if (from->all[i]) {
            channel = *from->all[i];
        } else {
            continue;
        }
        if (flips && i == 1 && copy_values(w, &channel)) {
            uint32_t factor = channel.interpolation == FACET_INTERPOLATION_CUBIC ? 3 : 1;
            for (size_t k = 0; k < (size_t)channel.key_count * factor; k++)
                channel.values[k] = -channel.values[k];
        }
        snprintf(pointer, sizeof pointer, "/materials/%u/%s/extensions/KHR_texture_transform/%s",
                 from->material, facet_gltf_map_path(from->map), names[i]);
        write_channel(a, &channel, 0, pointer, to);
    }
}

static int compare_targets(const void *a, const void *b)
{
    const facet_channel *x = *(const facet_channel *const *)a;
    const facet_channel *y = *(const facet_channel *const *)b;
    if (x->material != y->material)
        return x->material < y->material ? -1 : 1;
    return x->map != y->map ? (x->map < y->map ? -1 : 1) : (x > y) - (x < y);
}

/* True if the map is written, so that a pointer to it is valid. */
static bool has_texture_info(const facet_gltf_writer *w, const facet_channel *channel)
{
    const char *name = facet_gltf_map_path(channel->map);
    const facet_json *at = facet_json_array_get(w->materials, channel->material);
    const char *slash = name ? strchr(name, '/') : NULL;
    if (slash)
        at = facet_json_object_get(at, "pbrMetallicRoughness");
    return name && facet_json_object_get(at, slash ? slash + 1 : name);
}

/* Write the channels of one map together. */
static void write_transforms(animation_writer *a, const facet_animation *animation, parts *to)
{
    facet_gltf_writer *w = a->w;
    const facet_channel **list =
        facet_arena_allocate(w->arena, animation->channel_count, sizeof *list);
    uint32_t count = 0;
    w->failed |= !list;
    for (uint32_t i = 0; i < animation->channel_count && list; i++) {
        const facet_channel *channel = &animation->channels[i];
        if (channel->target < FACET_TARGET_TEXTURE_OFFSET ||
            channel->target > FACET_TARGET_TEXTURE_SCALE)
            continue;
        if (has_texture_info(w, channel))
            list[count++] = channel;
        else
            facet_tally_hit(&to->lost, channel->material);
    }
    if (count > 0)
        qsort(list, count, sizeof *list, compare_targets);
    for (uint32_t i = 0; i < count && !w->failed;) {
        transform_channels one = {{0}, list[i]->material, list[i]->map};
        for (; i < count && list[i]->material == one.material && list[i]->map == one.map; i++)
            one.all[list[i]->target - FACET_TARGET_TEXTURE_OFFSET] = list[i];
        write_transform(a, &one, to);
    }
}

static void write_choice(animation_writer *a, const facet_channel *channel, parts *to)
{
    facet_gltf_writer *w = a->w;
    facet_channel chosen = *channel;
    char pointer[160];
    if (!has_texture_info(w, channel)) {
        facet_tally_hit(&to->lost, channel->material);
        return;
    }
    if (!choose_textures(w, &chosen))
        facet_tally_hit(&to->lost, channel->material);
    snprintf(pointer, sizeof pointer, "/materials/%u/%s/extras/texture", channel->material,
             facet_gltf_map_path(channel->map));
    if (chosen.key_count == 0)
        return;
    facet_tally_hit(&to->choices, channel->material);
    write_channel(a, &chosen, 0, pointer, to);
}

/* -- Animations --------------------------------------------------------- */

void facet_gltf_animations_from_scene(facet_gltf_writer *w)
{
    facet_json *animations = facet_json_array_in(w->arena);
    for (uint32_t i = 0; i < w->scene->animation_count && !w->failed; i++) {
        const facet_animation *animation = w->scene->animations[i];
        animation_writer a = {w, i, {{0}}, 0};
        facet_json *object = facet_json_object_in(w->arena);
        parts to = {facet_json_array_in(w->arena), facet_json_array_in(w->arena), {0}, {0}};
        for (uint32_t c = 0; c < animation->channel_count && !w->failed; c++) {
            const facet_channel *channel = &animation->channels[c];
            if (facet_channel_target_is_of_node(channel->target))
                write_node_channel(&a, channel, &to);
            else if (channel->target < FACET_TARGET_TEXTURE_OFFSET)
                write_color(&a, channel, &to);
            else if (channel->target == FACET_TARGET_TEXTURE_IMAGE)
                write_choice(&a, channel, &to);
        }
        write_transforms(&a, animation, &to);
        facet_report_add_tally(facet_gltf_writer_report(w), "LOSS-ANIMATIONS",
                               FACET_SEVERITY_WARNING, FACET_NO_OFFSET, &to.lost,
                               "animation %u moves a map of material %" PRIu64
                               ", or shows an image there, that is not in the file",
                               i, to.lost.first);
        facet_report_add_tally(facet_gltf_writer_report(w), "LOSS-ANIMATIONS", FACET_SEVERITY_NOTE,
                               FACET_NO_OFFSET, &to.choices,
                               "animation %u changes the texture of material %" PRIu64
                               ": glTF has only extras for that, which other programs do not show",
                               i, to.choices.first);
        if (facet_json_array_size(to.channels) == 0) {
            facet_report_add(facet_gltf_writer_report(w), "LOSS-ANIMATIONS", FACET_SEVERITY_WARNING,
                             FACET_NO_OFFSET, "animation %u moves nothing, and is dropped", i);
            continue;
        }
        facet_gltf_put_text(w, object, "name", animation->name);
        facet_gltf_put(w, object, "channels", to.channels);
        facet_gltf_put(w, object, "samplers", to.samplers);
        facet_gltf_put_file_extras(w, object, animation->extras, animation->gx_file);
        facet_gltf_append(w, animations, object);
    }
    facet_gltf_put_array(w, "animations", animations);
}
