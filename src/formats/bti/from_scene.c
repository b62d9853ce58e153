/* formats/bti/from_scene.c - an image of a scene to a texture. */
#include <facet/bti.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"
#include "base/size.h"
#include "gx/bti_settings.h"
#include "gx/bti_texture.h"
#include "gx/equal_image.h"
#include "gx/json/file_state.h"
#include "scene/scene.h"

#include <facet/image.h>
#include <string.h>

/* Size of a palette: the hardware's loader reads 16 or 256 entries. */
static size_t palette_capacity(uint32_t count)
{
    if (count == 0)
        return 0;
    return count <= 16 ? 32 : count <= 256 ? 512 : facet_align_up((size_t)count * 2, 32);
}

/* Fill in header, palette and texels. `before` is the earlier header of the texture, or NULL. */
static facet_status fill(facet_bti *document, const facet_gx_texture *texture,
                         const facet_bti_header *before, facet_error *error)
{
    size_t space = palette_capacity(texture->palette.count);
    uint8_t *data = facet_arena_allocate_zeroed(document->arena, space + texture->size, 1);
    if (!data)
        return facet_fail_arena(document->arena, error);
    if (space > 0)
        memcpy(data, texture->palette.entries, (size_t)texture->palette.count * 2);
    memcpy(data + space, texture->data, texture->size);
    facet_bti_header_for(texture, before, &document->header);
    document->header.palette_offset = FACET_BTI_HEADER_SIZE;
    document->header.image_offset = (uint32_t)(FACET_BTI_HEADER_SIZE + space);
    document->data = data;
    document->size = space + texture->size;
    return FACET_OK;
}

/* Read the texture for --like; NULL without one. */
static facet_status read_like(const facet_options *options, facet_bti **like, facet_error *error)
{
    *like = NULL;
    if (!options || !options->bti || !options->bti->like)
        return FACET_OK;
    TRY(facet_bti_read(options->bti->like, NULL, like, error));
    const facet_bti_header *header = &(*like)->header;
    facet_report_add(options->report, "BTI-KEPT", FACET_SEVERITY_NOTE, FACET_NO_OFFSET,
                     "the replaced file supplies the sampler, and format %s and %u levels unless "
                     "options change them",
                     facet_gx_format_name((facet_gx_format)header->format),
                     header->level_count ? header->level_count : 1u);
    return FACET_OK;
}

/* Get the header of the texture that the image came from; NULL if none. */
static facet_status header_before(const facet_image *image, facet_arena *scratch,
                                  const facet_bti_header **header, facet_error *error)
{
    const facet_gx_file_image *file = image->gx_file;
    facet_gx_file_image *read = NULL;
    if (!file || file->extras != image->extras) {
        facet_json *extras = facet_json_read_text(image->extras);
        facet_status status =
            facet_gx_file_image_read(image->extras, extras, scratch, &read, error);
        facet_json_free(extras);
        if (status)
            return status;
        file = read;
    }
    if (file && file->wrong_textures)
        return facet_fail(error, FACET_ERROR_MALFORMED, "J3D-JSON", FACET_NO_OFFSET, "%s",
                          file->wrong_textures);
    if (file && file->texture_count > 0)
        *header = &file->textures[0].header;
    return FACET_OK;
}

/* Keep the texels of the replaced texture. Encoding them again would lose quality, and mip levels
 * that another program computed. */
static facet_status keep(const facet_bti *like, facet_bti *document, facet_error *error)
{
    uint8_t *data = facet_arena_allocate(document->arena, like->size, 1);
    if (!data)
        return facet_fail_arena(document->arena, error);
    memcpy(data, like->data, like->size);
    document->header = like->header;
    document->data = data;
    document->size = like->size;
    return FACET_OK;
}

/* True if the replaced texture shows the image, in the wanted format and levels. */
static bool is_unchanged(const facet_bti *like, const facet_gx_texture_options *how,
                         const facet_image *image, facet_arena *scratch)
{
    facet_gx_texture texture;
    facet_error why;
    uint32_t levels = like->header.level_count ? like->header.level_count : 1u;
    return !facet_bti_get_texture(like, &texture, &why) && how->has_format &&
           how->format == texture.format && (how->levels ? how->levels : 1) == levels &&
           !how->encode.dither && facet_gx_texture_equals(scratch, &texture, 0, image);
}

/* `before` is the earlier header of the texture, `like` the replaced texture; NULL if none. */
static facet_status encode_over(const facet_image *source, const facet_bti_header *before,
                                const facet_bti *like, facet_arena *scratch,
                                const facet_options *options, facet_bti *document,
                                facet_error *error)
{
    facet_image image = *source; /* pixels decoded here are freed with the copy */
    facet_gx_texture_options how;
    facet_gx_texture texture;
    facet_bti_wanted wanted;
    const char *name = facet_arena_stem(scratch, source->name);
    if (!name)
        return facet_fail_arena(scratch, error);
    TRY(facet_bti_find_wanted(options, name, &wanted, error));
    TRY(facet_image_decode(scratch, &image, options, error));
    TRY(facet_bti_encoding(options, name, before, &how, error));
    if (like && is_unchanged(like, &how, &image, scratch)) {
        TRY(keep(like, document, error));
    } else {
        TRY(facet_gx_encode_image(scratch, &image, &how, options, &texture, error));
        TRY(fill(document, &texture, before, error));
    }
    facet_bti_set_sampler(&wanted, &document->header);
    facet_bti_report_sides(&document->header, name, "BTI-SIZE", options);
    facet_bti_report_unused(options, &name, 1);
    return FACET_OK;
}

static facet_status encode(const facet_image *source, facet_arena *scratch,
                           const facet_options *options, facet_bti *document, facet_error *error)
{
    const facet_bti_header *before = NULL;
    facet_bti *like = NULL;
    TRY(header_before(source, scratch, &before, error));
    if (!before)
        TRY(read_like(options, &like, error));
    if (like)
        before = &like->header;
    facet_status status = encode_over(source, before, like, scratch, options, document, error);
    facet_bti_free(like);
    if (status)
        return status;
    const char *name = source->name ? source->name : "";
    document->name = facet_arena_string(document->arena, name, strlen(name));
    return document->name ? FACET_OK : facet_fail_arena(document->arena, error);
}

static facet_status make(const facet_image *image, const facet_options *options,
                         facet_bti **document, facet_error *error)
{
    facet_arena *arena = NULL, *scratch = NULL;
    TRY(facet_arena_create(options, &arena, error));
    facet_bti *made = facet_arena_allocate_zeroed(arena, 1, sizeof *made);
    facet_status status =
        made ? facet_arena_create(options, &scratch, error) : facet_fail_arena(arena, error);
    if (!status) {
        made->arena = arena;
        status = encode(image, scratch, options, made, error);
    }
    facet_arena_free(scratch);
    if (status)
        facet_arena_free(arena);
    else
        *document = made;
    return status;
}

facet_status facet_bti_from_scene(const facet_scene *scene, const facet_options *options,
                                  facet_bti **document, facet_error *error)
{
    TRY(facet_scene_check_image(scene, "a texture file", error));
    return make(scene->images[0], options, document, error);
}
