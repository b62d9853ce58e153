/* formats/gltf/from_scene/materials.c - images, textures and materials of a scene. */
#include "base/arena.h"
#include "base/error.h"
#include "base/json.h"
#include "base/output.h"
#include "base/report.h"
#include "base/text.h"
#include "formats/gltf/from_scene/writer.h"
#include "gx/json/file_state.h"
#include "scene/axes.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* -- Images ------------------------------------------------------------- */

static void put_image_bytes(facet_gltf_writer *w, facet_json *object, const facet_image *image)
{
    facet_gltf_piece *piece = facet_gltf_add_piece(w, FACET_GLTF_PIECE_BYTES, image->size);
    if (!piece)
        return;
    piece->bytes = image->data;
    facet_gltf_put(
        w, object, "bufferView",
        facet_json_integer_in(w->arena, facet_gltf_add_view(w, piece->offset, piece->size, 0, 0)));
    facet_gltf_put(w, object, "mimeType", facet_json_string_in(w->arena, image->media_type));
}

/* The number of an image with this URI. FACET_NONE if it is new; the URI then belongs to image
 * `index`. */
static uint32_t image_of_uri(facet_gltf_writer *w, const char *uri, uint32_t index)
{
    uint32_t known = w->uris.count;
    uint32_t number = facet_names_put(&w->uris, uri, strlen(uri));
    if (number < known)
        return w->uri_images[number];
    if (number != UINT32_MAX && FACET_GROW(w->arena, w->uri_images, number, w->uri_capacity))
        w->uri_images[number] = index;
    else
        w->failed = true;
    return FACET_NONE;
}

/* Name of an image, or of its file without folder. Image file name extensions are removed. */
static const char *plain_name(const facet_image *image, size_t *length)
{
    static const char *const kinds[] = {".png",  ".jpg",  ".jpeg", ".bmp", ".tga",
                                        ".webp", ".avif", ".ktx2", ".dds"};
    const char *name = *image->name ? image->name : image->path ? image->path : "";
    for (const char *at = name; *at; at++)
        name = *at == '/' || *at == '\\' ? at + 1 : name;
    const char *dot = strrchr(name, '.');
    *length = strlen(name);
    for (size_t i = 0; dot && dot > name && i < sizeof kinds / sizeof *kinds; i++) {
        if (strcasecmp(dot, kinds[i]) == 0)
            *length = (size_t)(dot - name);
    }
    return name;
}

/* File name of an image, in portable characters. NULL if out of memory. */
static const char *file_of(facet_gltf_writer *w, const facet_image *image)
{
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-. ";
    const facet_gltf_picture *picture = facet_gltf_picture_of(image->media_type, NULL);
    const char *kind = picture                                        ? picture->ending + 1
                       : strcmp(image->media_type, "image/jpeg") == 0 ? "jpg"
                                                                      : "png";
    char made[64];
    size_t length;
    const char *name = plain_name(image, &length);
    if (length == 0) {
        name = "image";
        length = strlen(name);
    }
    length = length < sizeof made ? length : sizeof made - 1;
    for (size_t i = 0; i < length; i++)
        made[i] = memchr(letters, name[i], sizeof letters - 1) ? name[i] : '_';
    made[length] = '\0';
    made[0] = made[0] == '.' ? '_' : made[0];
    return facet_unique_file(&w->beside_names, made, kind);
}

/* Write an image next to the output. *written is false if the output has no folder. */
static facet_status write_beside(facet_gltf_writer *w, facet_json *object, const facet_image *image,
                                 bool *written, facet_error *error)
{
    facet_output *beside;
    const char *name = file_of(w, image);
    *written = false;
    if (!name)
        return facet_fail_arena(w->arena, error);
    facet_status status = facet_output_open_beside(w->beside, name, &beside, error);
    if (status == FACET_ERROR_UNSUPPORTED) {
        w->beside = NULL;
        return FACET_OK;
    }
    if (status)
        return status;
    facet_output_write(beside, image->data, image->size);
    facet_gltf_put_uri(w, object, "uri", facet_output_name(beside));
    *written = true;
    return FACET_OK;
}

/* True for each image that a texture or an animation shows; NULL if out of memory. */
static bool *find_shown(facet_gltf_writer *w)
{
    const facet_scene *scene = w->scene;
    bool *shown = facet_arena_allocate_zeroed(w->arena, scene->image_count, sizeof *shown);
    for (uint32_t m = 0; shown && m < scene->material_count; m++) {
        for (int map = 0; map < FACET_MAP_COUNT; map++) {
            const facet_texture *texture = scene->materials[m]->maps[map];
            if (texture && texture->has_image && facet_gltf_map_path((facet_map)map))
                shown[texture->image] = true;
        }
    }
    for (uint32_t a = 0; shown && a < scene->animation_count; a++) {
        for (uint32_t c = 0; c < scene->animations[a]->channel_count; c++) {
            const facet_channel *channel = &scene->animations[a]->channels[c];
            for (uint32_t k = 0;
                 channel->target == FACET_TARGET_TEXTURE_IMAGE && k < channel->key_count; k++)
                shown[(uint32_t)channel->values[k]] = true;
        }
    }
    return shown;
}

static void report_dropped(const facet_gltf_writer *w, const facet_image *image, const char *why)
{
    const char *name = *image->name ? image->name : image->path ? image->path : "";
    facet_quoted quoted;
    facet_report_add(facet_gltf_writer_report(w), "LOSS-IMAGES", FACET_SEVERITY_WARNING,
                     FACET_NO_OFFSET, "image '%s' is dropped: %s",
                     facet_quote(&quoted, name, strlen(name)), why);
}

/* Write an image. Its bytes go into the buffer, so that one file contains everything, or into a
 * separate file on request. An image without bytes is written as a path. */
static facet_status write_image(facet_gltf_writer *w, const facet_image *image, bool is_shown,
                                bool *written, facet_error *error)
{
    const facet_gltf_picture *picture = facet_gltf_picture_of(image->media_type, image->path);
    bool embeddable = image->size > 0 && (strcmp(image->media_type, "image/png") == 0 ||
                                          strcmp(image->media_type, "image/jpeg") == 0 ||
                                          facet_gltf_picture_of(image->media_type, NULL));
    bool named = image->path && *image->path, is_beside = false;
    facet_status status = FACET_OK;
    *written = (embeddable || named) && (!picture || is_shown);
    if (!embeddable && !named)
        report_dropped(w, image, "it has no file name, and no extension of glTF holds its format");
    else if (!*written)
        report_dropped(w, image, "only a texture may name an image of its format, and none does");
    if (!*written)
        return FACET_OK;
    facet_json *object = facet_json_object_in(w->arena);
    facet_gltf_put_text(w, object, "name", image->name);
    if (embeddable && w->beside)
        status = write_beside(w, object, image, &is_beside, error);
    if (embeddable && !is_beside && !status)
        put_image_bytes(w, object, image);
    else if (!embeddable)
        facet_gltf_put_uri(w, object, "uri", image->path);
    const char *uri = facet_json_string_value(facet_json_object_get(object, "uri"));
    if (uri)
        image_of_uri(w, uri, (uint32_t)facet_json_array_size(w->images));
    if (image->gx_file && !image->extras && !image->gx_file->extras)
        facet_gltf_put(w, object, "extras",
                       facet_gltf_adopt(w, facet_gx_file_image_json(image->gx_file)));
    facet_gltf_put_extras(w, object, image->extras);
    facet_gltf_append(w, w->images, object);
    return status;
}

facet_status facet_gltf_images_from_scene(facet_gltf_writer *w, facet_error *error)
{
    uint32_t count = w->scene->image_count;
    facet_status status = FACET_OK;
    w->known_samplers = w->known_textures = w->uris = facet_names_make(w->arena);
    w->beside_names = facet_unique_make(w->arena);
    w->image_index = facet_arena_allocate(w->arena, count, sizeof *w->image_index);
    const bool *shown = find_shown(w);
    for (uint32_t i = 0; w->image_index && shown && i < count && !status; i++) {
        bool written = false;
        status = write_image(w, w->scene->images[i], shown[i], &written, error);
        w->image_index[i] = written ? (uint32_t)facet_json_array_size(w->images) - 1 : FACET_NONE;
    }
    w->failed |= !w->image_index || !shown;
    return status;
}

/* The image for a texture that only has a path; one per path. */
static uint32_t image_of_path(facet_gltf_writer *w, const char *path)
{
    facet_json *object = facet_json_object_in(w->arena);
    facet_gltf_put_uri(w, object, "uri", path);
    const char *uri = facet_json_string_value(facet_json_object_get(object, "uri"));
    uint32_t index = (uint32_t)facet_json_array_size(w->images);
    uint32_t known = uri ? image_of_uri(w, uri, index) : FACET_NONE;
    if (known != FACET_NONE)
        return known;
    facet_gltf_append(w, w->images, object);
    return index;
}

/* -- Textures ----------------------------------------------------------- */

/* Index of a value in an array, which is appended if it is new. `known` has the text of all values;
 * only this function adds to the array. */
static uint32_t intern(facet_gltf_writer *w, facet_json *array, facet_names *known,
                       facet_json *value)
{
    const char *text = facet_json_print_in(w->arena, value, &(facet_json_style){.sorted = true});
    uint32_t count = known->count;
    uint32_t number = text ? facet_names_put(known, text, strlen(text)) : FACET_NONE;
    w->failed |= number == FACET_NONE;
    if (number >= count)
        facet_gltf_append(w, array, value);
    return number;
}

static bool has_sampler(const facet_texture *texture)
{
    return texture->wrap_u || texture->wrap_v || texture->minify || texture->magnify;
}

static uint32_t sampler_of(facet_gltf_writer *w, const facet_texture *texture)
{
    static const int wraps[] = {10497, 33071, 33648};
    static const int filters[] = {0, 9728, 9729, 9984, 9985, 9986, 9987};
    facet_json *sampler = facet_json_object_in(w->arena);
    if (texture->magnify == FACET_FILTER_NEAREST || texture->magnify == FACET_FILTER_LINEAR)
        facet_gltf_put(w, sampler, "magFilter",
                       facet_json_integer_in(w->arena, filters[texture->magnify]));
    if (texture->minify)
        facet_gltf_put(w, sampler, "minFilter",
                       facet_json_integer_in(w->arena, filters[texture->minify]));
    if (texture->wrap_u)
        facet_gltf_put(w, sampler, "wrapS",
                       facet_json_integer_in(w->arena, wraps[texture->wrap_u]));
    if (texture->wrap_v)
        facet_gltf_put(w, sampler, "wrapT",
                       facet_json_integer_in(w->arena, wraps[texture->wrap_v]));
    return intern(w, w->samplers, &w->known_samplers, sampler);
}

static void put_transform(facet_gltf_writer *w, facet_json *info, const facet_texture *texture)
{
    static const facet_texture identity = {.scale = {1, 1}};
    facet_texture t = texture->has_transform ? *texture : identity;
    facet_json *transform = facet_json_object_in(w->arena),
               *extensions = facet_json_object_in(w->arena);
    if (facet_axes_flips_v(&w->scene->axes, true))
        facet_axes_flip_transform(t.offset, &t.rotation, t.scale);
    if (t.offset[0] != 0 || t.offset[1] != 0)
        facet_gltf_put(w, transform, "offset", facet_gltf_floats(w, t.offset, 2));
    if (t.rotation != 0)
        facet_gltf_put(w, transform, "rotation", facet_gltf_number(w, (double)t.rotation));
    if (t.scale[0] != 1 || t.scale[1] != 1)
        facet_gltf_put(w, transform, "scale", facet_gltf_floats(w, t.scale, 2));
    facet_gltf_put(w, extensions, "KHR_texture_transform", transform);
    facet_gltf_put(w, info, "extensions", extensions);
    w->uses_transform = true;
}

/* Add a texture for an image of the file. `picture` is NULL for PNG and JPEG. */
static uint32_t add_texture(facet_gltf_writer *w, const facet_texture *texture, uint32_t image,
                            const facet_gltf_picture *picture)
{
    facet_json *object = facet_json_object_in(w->arena), *source = object;
    if (has_sampler(texture))
        facet_gltf_put(w, object, "sampler",
                       facet_json_integer_in(w->arena, sampler_of(w, texture)));
    if (picture) {
        source = facet_json_object_in(w->arena);
        facet_gltf_put(w, facet_gltf_extensions_of(w, object), picture->extension, source);
        w->uses_pictures[picture - facet_gltf_pictures] = true;
    }
    facet_gltf_put(w, source, "source", facet_json_integer_in(w->arena, image));
    return intern(w, w->textures, &w->known_textures, object);
}

uint32_t facet_gltf_texture_of(facet_gltf_writer *w, const facet_texture *texture, uint32_t image)
{
    const facet_image *from = w->scene->images[image];
    if (w->image_index[image] == FACET_NONE)
        return FACET_NONE;
    return add_texture(w, texture, w->image_index[image],
                       facet_gltf_picture_of(from->media_type, from->path));
}

/* The texture of a material's map, or FACET_NONE if it cannot be written. */
static uint32_t texture_number(facet_gltf_writer *w, const facet_texture *texture)
{
    if (!texture || (!texture->has_image && !*texture->path))
        return FACET_NONE;
    if (texture->has_image)
        return facet_gltf_texture_of(w, texture, texture->image);
    return add_texture(w, texture, image_of_path(w, texture->path),
                       facet_gltf_picture_of("", texture->path));
}

/* A textureInfo, or NULL if the material has no such map or it cannot be written. glTF cannot
 * animate the index of a textureInfo. If an animation selects textures, it points to a number in
 * the extras instead. */
static facet_json *texture_info(facet_gltf_writer *w, const facet_material *material, facet_map map)
{
    const facet_texture *texture = material->maps[map];
    uint32_t number = texture_number(w, texture);
    if (number == FACET_NONE)
        return NULL;
    facet_json *info = facet_json_object_in(w->arena);
    facet_gltf_put(w, info, "index", facet_json_integer_in(w->arena, number));
    if (texture->uv_set > 0)
        facet_gltf_put(w, info, "texCoord", facet_json_integer_in(w->arena, texture->uv_set));
    if (texture->has_transform || w->animated.transforms[w->material] >> map & 1)
        put_transform(w, info, texture);
    if (w->animated.images[w->material] >> map & 1) {
        facet_json *extras = facet_json_object_in(w->arena);
        facet_gltf_put(w, extras, "texture", facet_json_integer_in(w->arena, number));
        facet_gltf_put(w, info, "extras", extras);
    }
    return info;
}

static void put_map(facet_gltf_writer *w, facet_json *object, const char *key, facet_json *info,
                    const char *factor, float value)
{
    if (!info)
        return;
    if (factor && value != 1)
        facet_gltf_put(w, info, factor, facet_gltf_number(w, (double)value));
    facet_gltf_put(w, object, key, info);
}

/* -- Materials ---------------------------------------------------------- */

static float clamp(float value)
{
    if (!(value > 0))
        return 0;
    return value < 1 ? value : 1;
}

static bool same(const float *values, const float *others, int count)
{
    for (int i = 0; i < count; i++) {
        if (values[i] != others[i])
            return false;
    }
    return true;
}

static void put_pbr(facet_gltf_writer *w, facet_json *object, const facet_material *m)
{
    static const float white[4] = {1, 1, 1, 1};
    facet_json *pbr = facet_json_object_in(w->arena);
    float color[4];
    for (int i = 0; i < 4; i++)
        color[i] = clamp(m->base_color[i]);
    if (!same(color, white, 4))
        facet_gltf_put(w, pbr, "baseColorFactor", facet_gltf_floats(w, color, 4));
    put_map(w, pbr, "baseColorTexture", texture_info(w, m, FACET_MAP_DIFFUSE), NULL, 1);
    if (clamp(m->metallic) != 1)
        facet_gltf_put(w, pbr, "metallicFactor", facet_gltf_number(w, (double)clamp(m->metallic)));
    if (clamp(m->roughness) != 1)
        facet_gltf_put(w, pbr, "roughnessFactor",
                       facet_gltf_number(w, (double)clamp(m->roughness)));
    put_map(w, pbr, "metallicRoughnessTexture", texture_info(w, m, FACET_MAP_METALLIC_ROUGHNESS),
            NULL, 1);
    if (facet_json_object_size(pbr) > 0 || w->animated.colors[w->material])
        facet_gltf_put(w, object, "pbrMetallicRoughness", pbr);
}

float facet_gltf_emissive_divisor(const facet_material *material)
{
    float most = 1;
    for (int i = 0; i < 3; i++)
        most = material->emissive[i] > most ? material->emissive[i] : most;
    return most;
}

static void put_emissive(facet_gltf_writer *w, facet_json *object, facet_json *extensions,
                         const facet_material *m)
{
    static const float black[3] = {0, 0, 0};
    float color[3], most = facet_gltf_emissive_divisor(m), strength = m->emissive_strength;
    for (int i = 0; i < 3; i++)
        color[i] = clamp(m->emissive[i] / most);
    strength *= most;
    if (!same(color, black, 3))
        facet_gltf_put(w, object, "emissiveFactor", facet_gltf_floats(w, color, 3));
    put_map(w, object, "emissiveTexture", texture_info(w, m, FACET_MAP_EMISSIVE), NULL, 1);
    if (strength != 1 && strength >= 0) {
        facet_json *extension = facet_json_object_in(w->arena);
        facet_gltf_put(w, extension, "emissiveStrength", facet_gltf_number(w, (double)strength));
        facet_gltf_put(w, extensions, "KHR_materials_emissive_strength", extension);
        w->uses_strength = true;
    }
}

/* Write values that are not defaults, and maps. A value in range is written as it is. */
static void put_extension_value(facet_gltf_writer *w, facet_json *object,
                                const facet_material_extension_value *value,
                                const facet_material *m)
{
    const float *given = facet_material_extension_const_floats(value, m);
    float floats[4];
    bool differs = false;
    for (uint32_t i = 0; i < value->count; i++) {
        floats[i] = given[i] >= value->least ? given[i] : value->least;
        floats[i] = floats[i] <= value->most ? floats[i] : value->most;
        /* JSON has no infinity. An infinite attenuation distance is the default. */
        floats[i] = isfinite(floats[i]) ? floats[i] : value->otherwise;
        differs |= floats[i] != value->otherwise;
    }
    /* Below 1, only 0 has a meaning. */
    if (value->offset == offsetof(facet_material, ior) && given[0] < 1 && given[0] != 0)
        floats[0] = 1;
    if (differs)
        facet_gltf_put(w, object, value->key,
                       value->count == 1 ? facet_gltf_number(w, (double)floats[0])
                                         : facet_gltf_floats(w, floats, value->count));
}

static void put_extensions(facet_gltf_writer *w, facet_json *extensions, const facet_material *m)
{
    for (size_t i = 0; i < FACET_MATERIAL_EXTENSION_COUNT; i++) {
        const facet_material_extension *extension = &facet_material_extensions[i];
        facet_json *object = facet_json_object_in(w->arena);
        for (const facet_material_extension_value *value = extension->values; value->key; value++)
            put_extension_value(w, object, value, m);
        for (const facet_material_extension_map *map = extension->maps; map->key; map++)
            put_map(w, object, map->key, texture_info(w, m, map->map),
                    map->map == FACET_MAP_CLEARCOAT_NORMAL ? "scale" : NULL,
                    facet_material_strength(m, map->map));
        if (facet_json_object_size(object) > 0) {
            facet_gltf_put(w, extensions, extension->key, object);
            w->uses_extension[i] = true;
        }
    }
}

static facet_json *material_json(facet_gltf_writer *w, const facet_material *m)
{
    facet_json *object = facet_json_object_in(w->arena),
               *extensions = facet_json_object_in(w->arena);
    facet_gltf_put_text(w, object, "name", m->name);
    put_pbr(w, object, m);
    put_map(w, object, "normalTexture", texture_info(w, m, FACET_MAP_NORMAL), "scale",
            facet_material_strength(m, FACET_MAP_NORMAL));
    put_map(w, object, "occlusionTexture", texture_info(w, m, FACET_MAP_OCCLUSION), "strength",
            clamp(facet_material_strength(m, FACET_MAP_OCCLUSION)));
    put_emissive(w, object, extensions, m);
    put_extensions(w, extensions, m);
    if (m->alpha_mode == FACET_ALPHA_BLEND)
        facet_gltf_put(w, object, "alphaMode", facet_json_string_in(w->arena, "BLEND"));
    if (m->alpha_mode == FACET_ALPHA_MASK) {
        facet_gltf_put(w, object, "alphaMode", facet_json_string_in(w->arena, "MASK"));
        if (m->alpha_cutoff != 0.5F)
            facet_gltf_put(w, object, "alphaCutoff", facet_gltf_number(w, (double)m->alpha_cutoff));
    }
    if (m->double_sided)
        facet_gltf_put(w, object, "doubleSided", facet_json_boolean(true));
    if (m->unlit) {
        facet_gltf_put(w, extensions, "KHR_materials_unlit", facet_json_object_in(w->arena));
        w->uses_unlit = true;
    }
    if (facet_json_object_size(extensions) > 0)
        facet_gltf_put(w, object, "extensions", extensions);
    facet_gltf_put_kept(w, object, m->extensions);
    if (m->gx_file && !m->extras && !m->gx_file->extras)
        facet_gltf_put(w, object, "extras",
                       facet_gltf_adopt(w, facet_gx_file_material_json(m->gx_file)));
    facet_gltf_put_extras(w, object, m->extras);
    return object;
}

/* True if classic values determine the sheen or anisotropy, which glTF computes in another way. */
static bool approximates_classic(const facet_material *m)
{
    const facet_classic *c = m->classic;
    bool sheen = c && (c->stated & FACET_CLASSIC_SHEEN) && c->sheen != 0;
    bool anisotropy = c && (c->stated & FACET_CLASSIC_ANISOTROPY) && c->anisotropy != 0;
    return (sheen && m->sheen_color[0] == c->sheen) ||
           (anisotropy && m->anisotropy == c->anisotropy);
}

/* Warn of values that glTF has no property for. */
static void report_losses(const facet_gltf_writer *w, const facet_material *m)
{
    static const facet_map lost[] = {
        FACET_MAP_AMBIENT,   FACET_MAP_SPECULAR, FACET_MAP_SHININESS,    FACET_MAP_OPACITY,
        FACET_MAP_BUMP,      FACET_MAP_DECAL,    FACET_MAP_DISPLACEMENT, FACET_MAP_REFLECTION,
        FACET_MAP_ROUGHNESS, FACET_MAP_METALLIC, FACET_MAP_SHEEN};
    facet_quoted quoted;
    uint32_t maps = 0;
    for (size_t i = 0; i < sizeof lost / sizeof *lost; i++)
        maps += m->maps[lost[i]] != NULL;
    if (maps > 0)
        facet_report_add(facet_gltf_writer_report(w), "LOSS-MATERIALS", FACET_SEVERITY_WARNING,
                         FACET_NO_OFFSET, "material '%s' has %u map%s that glTF cannot hold",
                         facet_quote(&quoted, m->name, strlen(m->name)), maps,
                         facet_plural(maps, "", "s"));
    if (approximates_classic(m))
        facet_report_add(facet_gltf_writer_report(w), "LOSS-LOOKS", FACET_SEVERITY_WARNING,
                         FACET_NO_OFFSET,
                         "the sheen or anisotropy of material '%s' is that of an MTL: glTF "
                         "approximates it",
                         facet_quote(&quoted, m->name, strlen(m->name)));
}

void facet_gltf_materials_from_scene(facet_gltf_writer *w)
{
    uint32_t count = w->scene->material_count;
    w->bare = facet_arena_allocate(w->arena, count, sizeof *w->bare);
    w->failed |= !w->bare;
    for (uint32_t i = 0; i < count && !w->failed; i++) {
        const facet_material *material = w->scene->materials[i];
        report_losses(w, material);
        w->material = i;
        facet_gltf_append(w, w->materials, material_json(w, material));
        w->bare[i] = FACET_NONE;
    }
}

uint32_t facet_gltf_material_for(facet_gltf_writer *w, uint32_t material, uint32_t texcoord_sets)
{
    facet_material copy = *w->scene->materials[material];
    bool lacking = false;
    for (int map = 0; map < FACET_MAP_COUNT; map++) {
        lacking |= facet_gltf_map_path((facet_map)map) && copy.maps[map] &&
                   copy.maps[map]->uv_set >= texcoord_sets;
        copy.maps[map] = NULL;
    }
    if (!lacking)
        return material;
    if (w->bare[material] == FACET_NONE) {
        facet_quoted quoted;
        facet_report_add(facet_gltf_writer_report(w), "LOSS-TEXTURES", FACET_SEVERITY_WARNING,
                         FACET_NO_OFFSET,
                         "the maps of material '%s' are dropped where a mesh lacks the texture "
                         "coordinates for them",
                         facet_quote(&quoted, copy.name, strlen(copy.name)));
        w->material = material;
        facet_gltf_append(w, w->materials, material_json(w, &copy));
        w->bare[material] = (uint32_t)facet_json_array_size(w->materials) - 1;
    }
    return w->bare[material];
}
