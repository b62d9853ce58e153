/* formats/gltf/file/parse_materials.c - materials, textures, images and samplers. */
#include "formats/gltf/file/parse.h"
#include "scene/material.h"
#include "scene/material_extensions.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Read a pair of numbers; missing ones keep their value. */
static void parse_pair(const facet_json *list, float values[2])
{
    for (size_t i = 0; i < 2; i++) {
        const facet_json *each = facet_json_array_get(list, i);
        if (facet_json_is_number(each))
            values[i] = (float)facet_json_number_value(each);
    }
}

static facet_gltf_texture_use parse_use(const facet_json *around, const char *key)
{
    const facet_json *from = facet_json_object_get(around, key);
    facet_gltf_texture_use use = {
        .texture = facet_gltf_index(from, "index"), .strength = 1, .scale = {1, 1}};
    if (use.texture == FACET_NONE)
        return use;
    use.uv_set = (uint32_t)facet_gltf_size(from, "texCoord", 0);
    const facet_json *transform = facet_gltf_extension(from, "KHR_texture_transform");
    if (!transform)
        return use;
    use.has_transform = true;
    parse_pair(facet_json_object_get(transform, "offset"), use.offset);
    parse_pair(facet_json_object_get(transform, "scale"), use.scale);
    use.rotation = facet_gltf_real(transform, "rotation", 0);
    if (facet_gltf_index(transform, "texCoord") != FACET_NONE)
        use.uv_set = facet_gltf_index(transform, "texCoord");
    return use;
}

static bool is_float(const facet_json *value)
{
    return facet_json_is_number(value) && fabs(facet_json_number_value(value)) <= (double)FLT_MAX;
}

/* Read a value. Invalid values are ignored, because they only change the appearance. So are numbers
 * beyond float, which programs write for an unlimited distance. */
static void parse_extension_value(const facet_json *from,
                                  const facet_material_extension_value *value,
                                  facet_material *material)
{
    const facet_json *given = facet_json_object_get(from, value->key);
    float *floats = facet_material_extension_floats(value, material);
    bool fits = value->count == 1 ? is_float(given) : facet_json_array_size(given) == value->count;
    for (uint32_t i = 0; fits && value->count > 1 && i < value->count; i++)
        fits = is_float(facet_json_array_get(given, i));
    for (uint32_t i = 0; fits && i < value->count; i++) {
        const facet_json *each = value->count == 1 ? given : facet_json_array_get(given, i);
        floats[i] = (float)facet_json_number_value(each);
    }
}

/* Creates *looks if it is NULL; it stays NULL if out of memory. */
static void parse_extension(facet_gltf_parser *p, const facet_json *said,
                            const facet_material_extension *extension, facet_gltf_looks **looks)
{
    if (!*looks) {
        *looks = facet_gltf_make(p, 1, sizeof **looks);
        if (!*looks)
            return;
        facet_material_init(&(*looks)->values);
        for (int map = 0; map < FACET_MAP_COUNT; map++)
            (*looks)->uses[map].texture = FACET_NONE;
    }
    for (const facet_material_extension_value *value = extension->values; value->key; value++)
        parse_extension_value(said, value, &(*looks)->values);
    for (const facet_material_extension_map *map = extension->maps; map->key; map++) {
        const facet_json *info = facet_json_object_get(said, map->key);
        const facet_json *scale = facet_json_object_get(info, "scale");
        facet_gltf_texture_use *use = &(*looks)->uses[map->map];
        *use = parse_use(said, map->key);
        if (is_float(scale))
            use->strength = (float)facet_json_number_value(scale);
    }
}

static facet_gltf_looks *parse_material_extensions(facet_gltf_parser *p, const facet_json *from)
{
    facet_gltf_looks *looks = NULL;
    for (size_t i = 0; i < FACET_MATERIAL_EXTENSION_COUNT; i++) {
        const facet_json *said = facet_gltf_extension(from, facet_material_extensions[i].key);
        if (said)
            parse_extension(p, said, &facet_material_extensions[i], &looks);
    }
    return looks;
}

/* -- Specular-glossiness ------------------------------------------------ */

/* True if the metallic-roughness values, a fallback for readers without the extension, have the
 * color. Some programs write only defaults there. */
static bool has_fallback(const facet_json *metal, const facet_json *glossy)
{
    if (facet_json_object_get(metal, "baseColorTexture"))
        return true;
    return facet_json_object_get(metal, "baseColorFactor") &&
           !facet_json_object_get(glossy, "diffuseTexture");
}

/* Convert specular-glossiness values. With ior 0, specular_color is the reflection seen from the
 * front, like the extension's specular color (KHR_materials_ior). The glossiness in a texture's
 * alpha is unknown here; its mean is assumed to be 0.5. */
static void parse_glossiness(facet_gltf_parser *p, const facet_json *from,
                             facet_gltf_material *material)
{
    const facet_json *metal = facet_json_object_get(from, "pbrMetallicRoughness");
    const facet_json *said = facet_gltf_extension(from, facet_gltf_glossiness.key);
    facet_gltf_looks *looks = material->looks;
    if (!said)
        return;
    material->glossiness = FACET_GLTF_GLOSSINESS_DROPPED;
    if (has_fallback(metal, said))
        return;
    parse_extension(p, said, &facet_gltf_glossiness, &looks);
    if (!looks)
        return;
    bool is_textured = looks->uses[FACET_MAP_SPECULAR_COLOR].texture != FACET_NONE;
    float glossiness = looks->values.roughness * (is_textured ? 0.5F : 1);
    material->glossiness =
        is_textured ? FACET_GLTF_GLOSSINESS_TEXTURED : FACET_GLTF_GLOSSINESS_READ;
    material->looks = looks;
    looks->values.ior = 0;
    memcpy(material->base_color, looks->values.base_color, sizeof material->base_color);
    material->metallic = 0;
    material->roughness = 1 - fminf(fmaxf(glossiness, 0), 1);
    material->base = looks->uses[FACET_MAP_DIFFUSE];
    material->metallic_roughness.texture = FACET_NONE;
}

/* -- Materials ---------------------------------------------------------- */

static void parse_material(facet_gltf_parser *p, const facet_json *from, size_t index,
                           facet_gltf_material *material)
{
    const facet_json *metal = facet_json_object_get(from, "pbrMetallicRoughness");
    const facet_json *normal = facet_json_object_get(from, "normalTexture");
    const facet_json *occlusion = facet_json_object_get(from, "occlusionTexture");
    const facet_json *strength = facet_gltf_extension(from, "KHR_materials_emissive_strength");
    material->name = facet_gltf_text(p, from, "name", "");
    material->extras = facet_gltf_extras(p, from);
    material->extensions = facet_gltf_kept_extensions(p, from);
    material->looks = parse_material_extensions(p, from);
    for (size_t i = 0; i < 4; i++)
        material->base_color[i] = 1;
    facet_gltf_fixed(p, metal, "baseColorFactor", 4, material->base_color, "materials", index);
    facet_gltf_fixed(p, from, "emissiveFactor", 3, material->emissive, "materials", index);
    material->metallic = facet_gltf_real(metal, "metallicFactor", 1);
    material->roughness = facet_gltf_real(metal, "roughnessFactor", 1);
    material->alpha_cutoff = facet_gltf_real(from, "alphaCutoff", 0.5f);
    material->alpha_mode = facet_gltf_text(p, from, "alphaMode", "OPAQUE");
    material->double_sided = facet_gltf_flag(from, "doubleSided");
    material->unlit = facet_gltf_extension(from, "KHR_materials_unlit") != NULL;
    material->emissive_strength = facet_gltf_real(strength, "emissiveStrength", 1);
    material->base = parse_use(metal, "baseColorTexture");
    material->metallic_roughness = parse_use(metal, "metallicRoughnessTexture");
    material->normal = parse_use(from, "normalTexture");
    material->normal.strength = facet_gltf_real(normal, "scale", 1);
    material->occlusion = parse_use(from, "occlusionTexture");
    material->occlusion.strength = facet_gltf_real(occlusion, "strength", 1);
    material->emissive_map = parse_use(from, "emissiveTexture");
    parse_glossiness(p, from, material);
}

static void parse_image(facet_gltf_parser *p, const facet_json *from, size_t index,
                        facet_gltf_image *image)
{
    image->name = facet_gltf_text(p, from, "name", "");
    image->extras = facet_gltf_extras(p, from);
    image->media_type = facet_gltf_text(p, from, "mimeType", "");
    image->view = facet_gltf_index(from, "bufferView");
    image->uri = facet_gltf_uri(p, from);
    if ((image->uri != NULL) == (image->view != FACET_NONE))
        facet_gltf_property_fault(p, "/images/%zu must have either a uri or a bufferView", index);
}

static void parse_texture(const facet_json *from, facet_gltf_texture *texture)
{
    texture->image = facet_gltf_index(from, "source");
    texture->sampler = facet_gltf_index(from, "sampler");
    texture->is_empty = texture->image == FACET_NONE && !facet_json_object_get(from, "extensions");
    for (size_t i = 0; i < FACET_GLTF_PICTURES; i++)
        texture->pictures[i] = facet_gltf_index(
            facet_gltf_extension(from, facet_gltf_pictures[i].extension), "source");
}

static void parse_sampler(const facet_json *from, facet_gltf_sampler *sampler)
{
    const uint32_t repeat = 10497;
    sampler->minify = (uint32_t)facet_gltf_size(from, "minFilter", 0);
    sampler->magnify = (uint32_t)facet_gltf_size(from, "magFilter", 0);
    sampler->wrap_s = (uint32_t)facet_gltf_size(from, "wrapS", repeat);
    sampler->wrap_t = (uint32_t)facet_gltf_size(from, "wrapT", repeat);
}

static void parse_variants(facet_gltf_parser *p)
{
    facet_gltf_document *document = p->document;
    const facet_json *list =
        facet_json_object_get(facet_gltf_extension(p->root, "KHR_materials_variants"), "variants");
    size_t count = facet_json_array_size(list);
    document->variants = facet_gltf_make(p, count, sizeof *document->variants);
    document->variant_count = document->variants ? (uint32_t)count : 0;
    for (uint32_t i = 0; i < document->variant_count; i++)
        document->variants[i] = facet_gltf_text(p, facet_json_array_get(list, i), "name", "");
}

void facet_gltf_parse_materials(facet_gltf_parser *p)
{
    facet_gltf_document *document = p->document;
    const facet_json *list;
    document->images =
        facet_gltf_entries(p, "images", sizeof *document->images, &list, &document->image_count);
    for (uint32_t i = 0; i < document->image_count; i++)
        parse_image(p, facet_json_array_get(list, i), i, &document->images[i]);
    document->materials = facet_gltf_entries(p, "materials", sizeof *document->materials, &list,
                                             &document->material_count);
    for (uint32_t i = 0; i < document->material_count; i++)
        parse_material(p, facet_json_array_get(list, i), i, &document->materials[i]);
    parse_variants(p);
    document->textures = facet_gltf_entries(p, "textures", sizeof *document->textures, &list,
                                            &document->texture_count);
    for (uint32_t i = 0; i < document->texture_count; i++)
        parse_texture(facet_json_array_get(list, i), &document->textures[i]);
    document->samplers = facet_gltf_entries(p, "samplers", sizeof *document->samplers, &list,
                                            &document->sampler_count);
    for (uint32_t i = 0; i < document->sampler_count; i++)
        parse_sampler(facet_json_array_get(list, i), &document->samplers[i]);
}
