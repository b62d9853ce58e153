/* formats/gltf/file/parse_animations.c - animations: channels and their samplers. */
#include "formats/gltf/file/parse.h"

static void parse_channels(facet_gltf_parser *p, const facet_json *from,
                           facet_gltf_animation *animation)
{
    const facet_json *list = facet_gltf_objects(p, from, "channels");
    animation->channels =
        facet_gltf_make(p, facet_json_array_size(list), sizeof *animation->channels);
    animation->channel_count = animation->channels ? (uint32_t)facet_json_array_size(list) : 0;
    for (uint32_t i = 0; i < animation->channel_count; i++) {
        const facet_json *each = facet_json_array_get(list, i);
        const facet_json *target = facet_json_object_get(each, "target");
        facet_gltf_channel *channel = &animation->channels[i];
        channel->sampler = facet_gltf_index(each, "sampler");
        channel->node = facet_gltf_index(target, "node");
        channel->path = facet_gltf_text(p, target, "path", "");
        channel->pointer = facet_gltf_text(p, facet_gltf_extension(target, "KHR_animation_pointer"),
                                           "pointer", "");
    }
}

static void parse_samplers(facet_gltf_parser *p, const facet_json *from, size_t index,
                           facet_gltf_animation *animation)
{
    const facet_json *list = facet_json_object_get(from, "samplers");
    animation->samplers =
        facet_gltf_make(p, facet_json_array_size(list), sizeof *animation->samplers);
    animation->sampler_count = animation->samplers ? (uint32_t)facet_json_array_size(list) : 0;
    for (uint32_t i = 0; i < animation->sampler_count; i++) {
        const facet_json *each = facet_json_array_get(list, i);
        facet_gltf_animation_sampler *sampler = &animation->samplers[i];
        sampler->input = facet_gltf_index(each, "input");
        sampler->output = facet_gltf_index(each, "output");
        sampler->interpolation = facet_gltf_text(p, each, "interpolation", "LINEAR");
        if (sampler->input == FACET_NONE || sampler->output == FACET_NONE)
            facet_gltf_property_fault(
                p, "/animations/%zu/samplers/%u lacks its input or its output", index, i);
    }
}

void facet_gltf_parse_animations(facet_gltf_parser *p)
{
    facet_gltf_document *document = p->document;
    const facet_json *list;
    document->animations = facet_gltf_entries(p, "animations", sizeof *document->animations, &list,
                                              &document->animation_count);
    for (uint32_t i = 0; i < document->animation_count && !p->status; i++) {
        const facet_json *from = facet_json_array_get(list, i);
        facet_gltf_animation *animation = &document->animations[i];
        animation->name = facet_gltf_text(p, from, "name", "");
        animation->extras = facet_gltf_extras(p, from);
        parse_channels(p, from, animation);
        parse_samplers(p, from, i, animation);
    }
}
