/* formats/gltf/to_scene/animations.c - animations to the scene. */
#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"
#include "base/table.h"
#include "base/text.h"
#include "formats/gltf/to_scene/to_scene.h"
#include "scene/scene.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* The current channel, for messages. */
typedef struct place {
    facet_gltf_file *file;
    facet_scene *scene;
    uint32_t animation, channel;
} place;

static facet_status fault(const place *at, const char *what, facet_error *error)
{
    return facet_fail(error, FACET_ERROR_MALFORMED, "GLTF-ANIMATION", FACET_NO_OFFSET,
                      "channel %" PRIu32 " of animation %" PRIu32 " %s", at->channel, at->animation,
                      what);
}

/* -- Targets ----------------------------------------------------------- */

/* Parse a core path of a channel. False for other paths. */
static bool core_path(const char *name, facet_channel_target *target)
{
    static const char *const names[] = {"translation", "rotation", "scale", "weights"};
    for (int i = 0; i < 4; i++) {
        if (strcmp(name, names[i]) == 0) {
            *target = (facet_channel_target)i;
            return true;
        }
    }
    return false;
}

/* Skip the text if it is next. */
static bool skip(const char **at, const char *text)
{
    size_t length = strlen(text);
    bool found = strncmp(*at, text, length) == 0;
    *at += found ? length : 0;
    return found;
}

/* Skip a number and the slash after it. */
static bool skip_number(const char **at, uint32_t *number)
{
    uint64_t value = 0;
    const char *begin = *at;
    for (; **at >= '0' && **at <= '9' && value < FACET_NONE; ++*at)
        value = value * 10 + (uint64_t)(**at - '0');
    *number = (uint32_t)value;
    return *at > begin && value < FACET_NONE && skip(at, "/");
}

static bool map_path(const char *at, facet_channel *channel)
{
    static const char *const names[] = {"extensions/KHR_texture_transform/offset",
                                        "extensions/KHR_texture_transform/rotation",
                                        "extensions/KHR_texture_transform/scale", "extras/texture"};
    int map = 0;
    while (map < FACET_MAP_COUNT &&
           !(facet_gltf_map_path((facet_map)map) && skip(&at, facet_gltf_map_path((facet_map)map))))
        map++;
    if (map == FACET_MAP_COUNT || !skip(&at, "/"))
        return false;
    channel->map = (facet_map)map;
    for (int i = 0; i < 4; i++) {
        if (strcmp(at, names[i]) == 0) {
            channel->target = (facet_channel_target)(FACET_TARGET_TEXTURE_OFFSET + i);
            return true;
        }
    }
    return false;
}

/* The scene property of a KHR_animation_pointer, if there is one. */
static bool pointer_target(const facet_gltf_document *document, const facet_scene *scene,
                           const char *at, facet_channel *channel)
{
    if (skip(&at, "/nodes/")) {
        channel->target = FACET_TARGET_VISIBILITY;
        return skip_number(&at, &channel->node) && channel->node < document->node_count &&
               (core_path(at, &channel->target) ||
                strcmp(at, "extensions/KHR_node_visibility/visible") == 0);
    }
    if (!skip(&at, "/materials/") || !skip_number(&at, &channel->material) ||
        channel->material >= scene->material_count)
        return false;
    channel->node = FACET_NONE;
    channel->target = FACET_TARGET_BASE_COLOR;
    if (strcmp(at, "pbrMetallicRoughness/baseColorFactor") == 0)
        return true;
    channel->target = FACET_TARGET_EMISSIVE;
    return strcmp(at, "emissiveFactor") == 0 ||
           (map_path(at, channel) && scene->materials[channel->material]->maps[channel->map]);
}

/* False for targets that only an extension knows, and for channels without a target. */
static bool target_of(const facet_gltf_document *document, const facet_scene *scene,
                      const facet_gltf_channel *from, facet_channel *channel)
{
    channel->node = from->node;
    bool known = strcmp(from->path, "pointer") == 0
                     ? pointer_target(document, scene, from->pointer, channel)
                     : from->node != FACET_NONE && core_path(from->path, &channel->target);
    /* Meshes of instances are on new nodes, which no channel names. */
    return known &&
           !(channel->target == FACET_TARGET_WEIGHTS && channel->node < document->node_count &&
             facet_gltf_is_instanced(&document->nodes[channel->node]));
}

/* -- Keys --------------------------------------------------------------- */

static bool interpolation_of(const char *name, facet_interpolation *interpolation)
{
    static const char *const names[] = {"LINEAR", "STEP", "CUBICSPLINE"};
    for (int i = 0; i < 3; i++) {
        if (strcmp(name, names[i]) == 0) {
            *interpolation = (facet_interpolation)i;
            return true;
        }
    }
    return false;
}

/* Convert textures of the file to images of the scene. */
static facet_status choose_images(const place *at, const facet_channel *channel, facet_error *error)
{
    const facet_gltf_document *document = &at->file->document;
    for (uint32_t i = 0; i < channel->key_count; i++) {
        float value = channel->values[i];
        if (!(value >= 0 && value < (float)document->texture_count) || value != floorf(value) ||
            document->textures[(uint32_t)value].image >= at->scene->image_count)
            return fault(at, "chooses a texture that does not exist", error);
        channel->values[i] = (float)document->textures[(uint32_t)value].image;
    }
    return FACET_OK;
}

static facet_status read_keys(const place *at, const facet_gltf_accessor *input,
                              const facet_gltf_accessor *output, facet_channel *channel,
                              facet_error *error)
{
    uint64_t values = (uint64_t)channel->key_count * channel->width *
                      (channel->interpolation == FACET_INTERPOLATION_CUBIC ? 3 : 1);
    TRY(facet_gltf_spend(at->file, values + channel->key_count, sizeof(float), error));
    channel->times = facet_scene_allocate(at->scene, channel->key_count, sizeof(float));
    channel->values = facet_scene_allocate(at->scene, (size_t)values, sizeof(float));
    if (!channel->times || !channel->values)
        return facet_fail_arena(at->scene->arena, error);
    facet_gltf_read_floats(at->file, input, 1, 0, channel->times);
    facet_gltf_read_floats(at->file, output, output->components, 0, channel->values);
    for (uint32_t i = 0; i < channel->key_count; i++) {
        if (!isfinite(channel->times[i]) || (i > 0 && channel->times[i] < channel->times[i - 1]))
            return fault(at, "has times that do not ascend", error);
    }
    return channel->target == FACET_TARGET_TEXTURE_IMAGE ? choose_images(at, channel, error)
                                                         : FACET_OK;
}

static facet_status read_channel(const place *at, const facet_gltf_animation *from,
                                 facet_channel *channel, facet_error *error)
{
    const facet_gltf_document *document = &at->file->document;
    const facet_gltf_channel *source = &from->channels[at->channel];
    if (source->sampler >= from->sampler_count ||
        (facet_channel_target_is_of_node(channel->target) && channel->node >= document->node_count))
        return fault(at, "names a sampler or node that does not exist", error);
    const facet_gltf_animation_sampler *sampler = &from->samplers[source->sampler];
    if (sampler->input >= document->accessor_count || sampler->output >= document->accessor_count)
        return fault(at, "names an accessor that does not exist", error);
    if (!interpolation_of(sampler->interpolation, &channel->interpolation))
        return fault(at, "has an interpolation other than LINEAR, STEP and CUBICSPLINE", error);
    const facet_gltf_accessor *input = &document->accessors[sampler->input];
    const facet_gltf_accessor *output = &document->accessors[sampler->output];
    bool weights = channel->target == FACET_TARGET_WEIGHTS;
    bool steps =
        channel->target == FACET_TARGET_VISIBILITY || channel->target == FACET_TARGET_TEXTURE_IMAGE;
    channel->key_count = (uint32_t)input->count;
    channel->width = facet_channel_width(at->scene, channel);
    /* Keys without bytes would let a few characters request any amount of memory. */
    if (input->type != FACET_GLTF_FLOAT || input->components != 1 || input->count == 0 ||
        (input->view == FACET_NONE && input->count > FACET_GLTF_MAX_ZEROS))
        return fault(at, "has times that are not an accessor of floats", error);
    if (output->components != (weights ? 1 : channel->width) || output->matrix ||
        (output->type != FACET_GLTF_FLOAT && !output->normalized && !source->pointer[0]) ||
        (steps && channel->interpolation != FACET_INTERPOLATION_STEP))
        return fault(at, "has values of the wrong type for what it moves", error);
    uint64_t expected = (uint64_t)input->count * (weights ? channel->width : 1) *
                        (channel->interpolation == FACET_INTERPOLATION_CUBIC ? 3 : 1);
    if (output->count != expected || channel->width == 0)
        return fault(at, "has another number of values than its times ask for", error);
    if (facet_channel_target_is_place(channel->target))
        facet_gltf_correct_place(at->file, at->animation, channel->node,
                                 at->scene->nodes[channel->node]);
    TRY(read_keys(at, input, output, channel, error));
    facet_gltf_correct_rotations(at->file, at->animation, channel);
    return FACET_OK;
}

/* -- Animations --------------------------------------------------------- */

/* If several channels have the same target, keep only the last, like players that apply them in
 * order. */
static facet_status drop_repeated(facet_gltf_file *file, facet_animation *animation, uint32_t index,
                                  facet_error *error)
{
    facet_names targets = facet_names_make(file->arena);
    uint32_t count = animation->channel_count, kept = count;
    facet_tally again = {0};
    for (uint32_t i = count; i-- > 0;) {
        const facet_channel *channel = &animation->channels[i];
        bool of_node = channel->node != FACET_NONE;
        const uint32_t target[] = {channel->target, channel->node, of_node ? 0 : channel->material,
                                   of_node ? 0 : channel->map};
        uint32_t known = targets.count;
        if (facet_names_put(&targets, (const char *)target, sizeof target) == FACET_NONE)
            return facet_fail_arena(file->arena, error);
        if (targets.count == known)
            again = (facet_tally){.first = i, .count = again.count + 1};
        else
            animation->channels[--kept] = *channel;
    }
    facet_names_free(&targets);
    animation->channel_count = count - kept;
    memmove(animation->channels, animation->channels + kept,
            animation->channel_count * sizeof *animation->channels);
    if (!file->is_checked)
        facet_report_add_tally(file->options ? file->options->report : NULL, "GLTF-ANIMATION",
                               FACET_SEVERITY_WARNING, FACET_NO_OFFSET, &again,
                               "channel %" PRIu64 " of animation %" PRIu32
                               " moves what a later channel moves, and is dropped",
                               again.first, index);
    return FACET_OK;
}

/* Read an animation. Channels whose path only an extension knows are dropped. */
static facet_status read_animation(facet_gltf_file *file, facet_scene *scene, uint32_t index,
                                   facet_error *error)
{
    const facet_gltf_animation *from = &file->document.animations[index];
    facet_animation *animation = NULL;
    facet_status status =
        facet_scene_add_animation(scene, from->name, from->channel_count, &animation, error);
    if (!status)
        status = facet_gltf_copy_text(scene, from->extras, &animation->extras, error);
    uint32_t used = 0, lost = 0;
    for (uint32_t i = 0; i < from->channel_count && !status; i++) {
        place at = {file, scene, index, i};
        facet_channel *channel = &animation->channels[used];
        if (!target_of(&file->document, scene, &from->channels[i], channel)) {
            lost++;
            continue;
        }
        status = read_channel(&at, from, channel, error);
        used++;
    }
    if (status)
        return status;
    animation->channel_count = used;
    if (lost > 0)
        facet_report_add(file->options ? file->options->report : NULL, "GLTF-ANIMATION",
                         FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "animation %" PRIu32 " loses %" PRIu32 " channel%s with an unknown target",
                         index, lost, facet_plural(lost, "", "s"));
    return drop_repeated(file, animation, index, error);
}

facet_status facet_gltf_animations_to_scene(facet_gltf_file *file, facet_scene *scene,
                                            facet_error *error)
{
    facet_status status = FACET_OK;
    if (file->skip & FACET_SKIP_ANIMATIONS)
        return FACET_OK;
    for (uint32_t i = 0; i < file->document.animation_count && !status; i++)
        status = read_animation(file, scene, i, error);
    return status;
}
