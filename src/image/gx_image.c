/* image/gx_image.c - GX textures to and from the scene's images. */
#include "base/arena.h"
#include "base/error.h"
#include "image/gx_texels.h"
#include "image/image.h"

/* -- In ----------------------------------------------------------------- */

static bool is_opaque(const uint8_t *rgba, size_t count)
{
    uint8_t all = 255;
    for (size_t i = 0; i < count; i++)
        all &= rgba[i * 4 + 3];
    return all == 255;
}

facet_status facet_gx_decode_image(facet_arena *arena, const facet_gx_texture *texture,
                                   const facet_options *options, facet_image *image,
                                   facet_error *error)
{
    size_t bytes = 0;
    facet_status status =
        facet_gx_texture_size(texture->format, texture->width, texture->height, 1, &bytes, error);
    if (status)
        return status;
    if (bytes > texture->size) /* before memory is asked for */
        return facet_fail(error, FACET_ERROR_MALFORMED, "GX-TRUNCATED", FACET_NO_OFFSET,
                          "%u x %u texels of %s take %zu bytes, but there are %zu", texture->width,
                          texture->height, facet_gx_format_name(texture->format), bytes,
                          texture->size);
    facet_image made = *image;
    status =
        facet_image_allocate(arena, &made, texture->width, texture->height, 4, false, 0, error);
    if (status)
        return status;
    status = facet_gx_decode(texture, 0, options, made.pixels, (size_t)made.width * 4, error);
    if (!status && is_opaque(made.pixels, (size_t)made.width * made.height))
        status = facet_image_set_channels(arena, &made, 3, error);
    if (status)
        facet_arena_release(arena, made.pixels, facet_image_bytes(&made), 1);
    else
        *image = made;
    return status;
}
