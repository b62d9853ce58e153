/* formats/gltf/to_scene/materials.c - images, textures and materials to the scene. */
#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"
#include "formats/gltf/to_scene/to_scene.h"
#include "scene/material_extensions.h"

#include <facet/image.h>
#include <inttypes.h>
#include <string.h>

/* -- Images ------------------------------------------------------------- */

/* The media type of image bytes. The file's type wins, unless the bytes are of an extension's
 * format, which is never an accident. */
static const char *media_type_of(const uint8_t *data, size_t size, const char *given)
{
    const char *found = facet_image_media_type(data, size);
    bool is_own = strcmp(found, "image/png") == 0 || strcmp(found, "image/jpeg") == 0;
    if (*found && facet_gltf_picture_of(found, NULL))
        return found;
    return !*given && is_own ? found : given;
}

static facet_status keep_bytes(facet_scene *scene, facet_image *image, const uint8_t *data,
                               size_t size, const char *media_type, facet_error *error)
{
    uint8_t *copy = facet_scene_allocate(scene, size, 1);
    if (!copy)
        return facet_fail_arena(scene->arena, error);
    if (size > 0)
        memcpy(copy, data, size);
    image->data = copy;
    image->size = size;
    return facet_gltf_copy_text(scene, media_type_of(data, size, media_type), &image->media_type,
                                error);
}

/* Read an image with a URI. If the file is missing, only its name is kept: the scene stays
 * valid. */
static facet_status read_named_image(facet_gltf_file *file, facet_scene *scene,
                                     const facet_gltf_image *from, facet_image *image,
                                     facet_error *error)
{
    const uint8_t *data = NULL;
    size_t size = 0;
    facet_source opened = {0};
    facet_error reason = {0};
    if (!facet_gltf_is_data_uri(from->uri)) {
        image->path = facet_gltf_decode_uri(scene->arena, from->uri);
        if (!image->path)
            return facet_fail_arena(scene->arena, error);
    }
    if (file->skip & FACET_SKIP_IMAGES)
        return FACET_OK;
    facet_status status =
        facet_gltf_load_uri(file, from->uri, file->arena, &data, &size, &opened, &reason);
    if (status == FACET_ERROR_IO || status == FACET_ERROR_UNSUPPORTED) {
        facet_report_add(file->options ? file->options->report : NULL, "GLTF-IMAGE",
                         FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "only the name of an image is kept: %s", reason.message);
        return FACET_OK;
    }
    if (status) {
        if (error)
            *error = reason;
        return status;
    }
    status = keep_bytes(scene, image, data, size, from->media_type, error);
    facet_source_close(&opened);
    return status;
}

static bool needs_extension(const facet_gltf_file *file, const facet_scene *scene, uint32_t index)
{
    const facet_image *image = scene->images[index];
    const char *type =
        *image->media_type ? image->media_type : file->document.images[index].media_type;
    return facet_gltf_picture_of(type, image->path) != NULL;
}

/* Choose the image of each texture: the core image if it has one, since every reader decodes it;
 * else that of an extension. */
static void choose_images(facet_gltf_file *file, const facet_scene *scene)
{
    const facet_gltf_document *document = &file->document;
    for (uint32_t i = 0; i < document->texture_count; i++) {
        facet_gltf_texture *texture = &document->textures[i];
        bool is_own =
            texture->image != FACET_NONE && (texture->image >= document->image_count ||
                                             !needs_extension(file, scene, texture->image));
        for (size_t k = 0; k < FACET_GLTF_PICTURES && !is_own; k++) {
            if (texture->pictures[k] == FACET_NONE)
                continue;
            texture->image = texture->pictures[k];
            is_own = true;
        }
    }
}

facet_status facet_gltf_images_to_scene(facet_gltf_file *file, facet_scene *scene,
                                        facet_error *error)
{
    const facet_gltf_document *document = &file->document;
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < document->image_count && !status; i++) {
        const facet_gltf_image *from = &document->images[i];
        facet_image *image = NULL;
        status = facet_scene_add_image(scene, from->name, &image, error);
        if (!status)
            status = facet_gltf_copy_text(scene, from->extras, &image->extras, error);
        if (status)
            return status;
        if (from->uri) {
            status = read_named_image(file, scene, from, image, error);
        } else if (from->view >= document->view_count) {
            status = facet_fail(error, FACET_ERROR_MALFORMED, "GLTF-IMAGE", FACET_NO_OFFSET,
                                "image %" PRIu32 " names buffer view %" PRIu32 " of %" PRIu32, i,
                                from->view, document->view_count);
        } else if (!(file->skip & FACET_SKIP_IMAGES)) {
            const facet_gltf_view *view = &document->views[from->view];
            status = facet_gltf_spend(file, view->length, 1, error);
            if (!status)
                status = keep_bytes(scene, image, view->data, (size_t)view->length,
                                    from->media_type, error);
        }
    }
    if (!status)
        choose_images(file, scene);
    return status;
}

/* -- Textures ----------------------------------------------------------- */

static facet_wrap wrap_of(uint32_t number)
{
    return number == 33071   ? FACET_WRAP_CLAMP
           : number == 33648 ? FACET_WRAP_MIRROR
                             : FACET_WRAP_REPEAT;
}

static facet_filter filter_of(uint32_t number)
{
    switch (number) {
    case 9728:
        return FACET_FILTER_NEAREST;
    case 9729:
        return FACET_FILTER_LINEAR;
    case 9984:
        return FACET_FILTER_NEAREST_MIPMAP_NEAREST;
    case 9985:
        return FACET_FILTER_LINEAR_MIPMAP_NEAREST;
    case 9986:
        return FACET_FILTER_NEAREST_MIPMAP_LINEAR;
    case 9987:
        return FACET_FILTER_LINEAR_MIPMAP_LINEAR;
    default:
        return FACET_FILTER_DEFAULT;
    }
}

static facet_status bad_reference(uint32_t material, const char *what, uint32_t number,
                                  uint32_t count, facet_error *error)
{
    return facet_fail(error, FACET_ERROR_MALFORMED, "GLTF-MATERIAL", FACET_NO_OFFSET,
                      "material %" PRIu32 " uses %s %" PRIu32 " of %" PRIu32, material, what,
                      number, count);
}

/* Materials have the same numbers in the scene and the file. */
static facet_status read_texture(const facet_gltf_file *file, facet_scene *scene, uint32_t material,
                                 const facet_gltf_texture_use *use, facet_map map,
                                 facet_error *error)
{
    const facet_gltf_document *document = &file->document;
    if (use->texture == FACET_NONE)
        return FACET_OK;
    if (use->texture >= document->texture_count)
        return bad_reference(material, "texture", use->texture, document->texture_count, error);
    const facet_gltf_texture *from = &document->textures[use->texture];
    if (from->sampler != FACET_NONE && from->sampler >= document->sampler_count)
        return bad_reference(material, "sampler", from->sampler, document->sampler_count, error);
    if (from->is_empty)
        facet_report_add(file->options ? file->options->report : NULL, "GLTF-TEXTURE",
                         FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "material %" PRIu32 " uses texture %" PRIu32
                         ", which has no image: it is left out",
                         material, use->texture);
    if (from->image == FACET_NONE)
        return FACET_OK; /* the texture of an unsupported extension; a warning has named it */
    if (from->image >= document->image_count)
        return bad_reference(material, "image", from->image, document->image_count, error);
    const facet_image *image = scene->images[from->image];
    facet_texture *texture = NULL;
    TRY(facet_scene_add_map(scene, scene->materials[material], map, &texture, error));
    texture->path = image->path ? image->path : "";
    texture->has_image = true;
    texture->image = from->image;
    texture->uv_set = use->uv_set;
    texture->strength = use->strength;
    texture->has_transform = use->has_transform;
    memcpy(texture->offset, use->offset, sizeof use->offset);
    memcpy(texture->scale, use->scale, sizeof use->scale);
    texture->rotation = use->rotation;
    if (from->sampler != FACET_NONE) {
        const facet_gltf_sampler *sampler = &document->samplers[from->sampler];
        texture->wrap_u = wrap_of(sampler->wrap_s);
        texture->wrap_v = wrap_of(sampler->wrap_t);
        texture->minify = filter_of(sampler->minify);
        texture->magnify = filter_of(sampler->magnify);
    }
    return FACET_OK;
}

/* -- Materials ---------------------------------------------------------- */

/* Read a texture of a material extension. A missing one only changes the appearance: it is
 * ignored. */
static facet_status read_look_texture(const facet_gltf_file *file, facet_scene *scene,
                                      uint32_t index, const char *extension,
                                      const facet_gltf_texture_use *use, facet_map map,
                                      facet_error *error)
{
    facet_error wrong;
    facet_status status = read_texture(file, scene, index, use, map, &wrong);
    if (status == FACET_ERROR_MALFORMED)
        facet_report_add(file->options ? file->options->report : NULL, "GLTF-MATERIAL",
                         FACET_SEVERITY_WARNING, FACET_NO_OFFSET, "%s in %s: it is left out",
                         wrong.message, extension);
    else if (status && error)
        *error = wrong;
    return status == FACET_ERROR_MALFORMED ? FACET_OK : status;
}

static facet_status read_maps(const facet_gltf_file *file, facet_scene *scene, uint32_t index,
                              facet_error *error)
{
    const facet_gltf_material *from = &file->document.materials[index];
    const struct {
        const facet_gltf_texture_use *use;
        facet_map map;
    } maps[] = {{&from->metallic_roughness, FACET_MAP_METALLIC_ROUGHNESS},
                {&from->normal, FACET_MAP_NORMAL},
                {&from->occlusion, FACET_MAP_OCCLUSION},
                {&from->emissive_map, FACET_MAP_EMISSIVE}};
    bool is_glossy = from->glossiness == FACET_GLTF_GLOSSINESS_READ ||
                     from->glossiness == FACET_GLTF_GLOSSINESS_TEXTURED;
    facet_status status =
        is_glossy ? read_look_texture(file, scene, index, facet_gltf_glossiness.key, &from->base,
                                      FACET_MAP_DIFFUSE, error)
                  : read_texture(file, scene, index, &from->base, FACET_MAP_DIFFUSE, error);
    for (size_t i = 0; i < sizeof maps / sizeof *maps && !status; i++)
        status = read_texture(file, scene, index, maps[i].use, maps[i].map, error);
    return status;
}

static facet_status read_looks(const facet_gltf_file *file, facet_scene *scene, uint32_t index,
                               facet_error *error)
{
    facet_material *material = scene->materials[index];
    const facet_gltf_looks *looks = file->document.materials[index].looks;
    for (size_t i = 0; looks && i < FACET_MATERIAL_EXTENSION_COUNT; i++) {
        for (const facet_material_extension_value *value = facet_material_extensions[i].values;
             value->key; value++)
            memcpy(facet_material_extension_floats(value, material),
                   facet_material_extension_const_floats(value, &looks->values),
                   value->count * sizeof(float));
        for (const facet_material_extension_map *map = facet_material_extensions[i].maps; map->key;
             map++)
            TRY(read_look_texture(file, scene, index, facet_material_extensions[i].key,
                                  &looks->uses[map->map], map->map, error));
    }
    return FACET_OK;
}

static facet_status read_alpha(const facet_gltf_material *from, uint32_t index,
                               facet_material *material, facet_error *error)
{
    facet_quoted quoted;
    material->alpha_cutoff = from->alpha_cutoff;
    if (strcmp(from->alpha_mode, "OPAQUE") == 0)
        material->alpha_mode = FACET_ALPHA_OPAQUE;
    else if (strcmp(from->alpha_mode, "MASK") == 0)
        material->alpha_mode = FACET_ALPHA_MASK;
    else if (strcmp(from->alpha_mode, "BLEND") == 0)
        material->alpha_mode = FACET_ALPHA_BLEND;
    else
        return facet_fail(error, FACET_ERROR_MALFORMED, "GLTF-MATERIAL", FACET_NO_OFFSET,
                          "material %" PRIu32 " has alphaMode '%s', expected OPAQUE, MASK or BLEND",
                          index, facet_quote(&quoted, from->alpha_mode, strlen(from->alpha_mode)));
    return FACET_OK;
}

static void report_glossiness(const facet_gltf_file *file)
{
    static const char *const meanings[] = {
        [FACET_GLTF_GLOSSINESS_READ] =
            "converted to metallic-roughness: the specular color is approximated where "
            "KHR_materials_ior and KHR_materials_specular are not known",
        [FACET_GLTF_GLOSSINESS_TEXTURED] =
            "converted to metallic-roughness: the glossiness in the alpha of its texture is "
            "dropped, half of the factor is used",
        [FACET_GLTF_GLOSSINESS_DROPPED] =
            "dropped: the file has metallic-roughness values for the same material"};
    const facet_gltf_document *document = &file->document;
    uint32_t counts[sizeof meanings / sizeof *meanings] = {0};
    for (uint32_t i = 0; i < document->material_count; i++)
        counts[document->materials[i].glossiness]++;
    for (size_t i = 1; i < sizeof counts / sizeof *counts; i++) {
        if (counts[i] > 0)
            facet_report_add(file->options ? file->options->report : NULL, "GLTF-GLOSSINESS",
                             FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                             "%s of %" PRIu32 " materials is %s", facet_gltf_glossiness.key,
                             counts[i], meanings[i]);
    }
}

facet_status facet_gltf_materials_to_scene(facet_gltf_file *file, facet_scene *scene,
                                           facet_error *error)
{
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < file->document.material_count && !status; i++) {
        const facet_gltf_material *from = &file->document.materials[i];
        facet_material *material = NULL;
        status = facet_scene_add_material(scene, from->name, &material, error);
        if (!status)
            status = facet_gltf_copy_text(scene, from->extras, &material->extras, error);
        if (!status)
            status = facet_gltf_copy_text(scene, from->extensions, &material->extensions, error);
        if (!status)
            status = read_alpha(from, i, material, error);
        if (!status)
            status = read_looks(file, scene, i, error);
        if (!status)
            status = read_maps(file, scene, i, error);
        if (status)
            return status;
        memcpy(material->base_color, from->base_color, sizeof from->base_color);
        memcpy(material->emissive, from->emissive, sizeof from->emissive);
        material->metallic = from->metallic;
        material->roughness = from->roughness;
        material->emissive_strength = from->emissive_strength;
        material->double_sided = from->double_sided;
        material->unlit = from->unlit;
    }
    report_glossiness(file);
    facet_gltf_report_samplers(file);
    return status;
}
