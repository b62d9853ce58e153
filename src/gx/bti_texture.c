/* gx/bti_texture.c - conversion between texture headers and textures. */
#include "gx/bti_texture.h"
#include "gx/bti_settings.h"
#include "gx/texels.h"

#include "base/error.h"

#include <string.h>

enum {
    CLAMP = 0,
    REPEAT = 1,
    LINEAR = 1,
    FIRST_MIP_FILTER = 2,
    TRILINEAR = 5,
    OFFSET_OF_SIZE = 0x02,
    OFFSET_OF_PALETTE = 0x08,
    OFFSET_OF_IMAGE = 0x1C
};

/* -- Header to texture -------------------------------------------------- */

static facet_status take_palette(const facet_bti_header *header, const uint8_t *bytes, size_t size,
                                 facet_gx_palette *palette, facet_error *error)
{
    uint32_t limit = facet_gx_palette_limit((facet_gx_format)header->format);
    if (limit == 0)
        return FACET_OK;
    palette->format = (facet_gx_palette_format)header->palette_format;
    palette->entries = bytes;
    palette->count = header->palette_count < limit ? header->palette_count : limit;
    if (palette->count > size / 2)
        palette->count = (uint32_t)(size / 2);
    if (!facet_gx_palette_format_name(palette->format))
        return facet_fail(error, FACET_ERROR_MALFORMED, "BTI-PALETTE", OFFSET_OF_PALETTE,
                          "%u is not a palette format (valid: 0-2)", header->palette_format);
    if (!bytes || palette->count == 0)
        return facet_fail(error, FACET_ERROR_MALFORMED, "BTI-PALETTE", OFFSET_OF_PALETTE,
                          "a texture of format %s has no palette",
                          facet_gx_format_name((facet_gx_format)header->format));
    return FACET_OK;
}

facet_status facet_bti_texture(const facet_bti_header *header, const uint8_t *image,
                               size_t image_size, const uint8_t *palette, size_t palette_size,
                               facet_gx_texture *texture, facet_error *error)
{
    facet_gx_texture t;
    size_t bytes = 0;
    memset(&t, 0, sizeof t);
    t.format = (facet_gx_format)header->format;
    t.width = header->width;
    t.height = header->height;
    t.levels = 1;
    t.data = image;
    t.size = image_size;
    if (!facet_gx_format_name(t.format))
        return facet_fail(error, FACET_ERROR_MALFORMED, "BTI-FORMAT", 0,
                          "%u is not a texture format (valid: 0-6, 8-10, 14)", header->format);
    if (t.width == 0 || t.height == 0)
        return facet_fail(error, FACET_ERROR_MALFORMED, "BTI-SIZE", OFFSET_OF_SIZE,
                          "a texture of %u x %u texels", t.width, t.height);
    TRY(take_palette(header, palette, palette_size, &t.palette, error));
    TRY(facet_gx_texture_size(t.format, t.width, t.height, 1, &bytes, error));
    if (!image || bytes > image_size)
        return facet_fail(error, FACET_ERROR_MALFORMED, "BTI-IMAGE", OFFSET_OF_IMAGE,
                          "%u x %u texels of %s take %zu bytes, but there are %zu", t.width,
                          t.height, facet_gx_format_name(t.format), bytes,
                          image ? image_size : (size_t)0);
    uint32_t limit = facet_gx_level_limit(t.width, t.height);
    while (t.levels < header->level_count && t.levels < limit &&
           !facet_gx_texture_size(t.format, t.width, t.height, t.levels + 1, &bytes, NULL) &&
           bytes <= image_size)
        t.levels++;
    *texture = t;
    return FACET_OK;
}

/* -- Texture to header -------------------------------------------------- */

facet_status facet_bti_encoding(const facet_options *options, const char *name,
                                const facet_bti_header *known, facet_gx_texture_options *how,
                                facet_error *error)
{
    facet_gx_texture_options made = {0};
    const facet_bti_options *asked = options ? options->bti : NULL;
    facet_bti_wanted wanted;
    TRY(facet_bti_find_wanted(options, name, &wanted, error));
    if (known && facet_gx_format_name((facet_gx_format)known->format)) {
        made.has_format = true;
        made.format = (facet_gx_format)known->format;
        made.has_palette_format =
            facet_gx_palette_limit(made.format) > 0 &&
            facet_gx_palette_format_name((facet_gx_palette_format)known->palette_format);
        made.palette_format = (facet_gx_palette_format)known->palette_format;
        made.levels = known->level_count;
    }
    if (wanted.has_format) {
        made.has_palette_format &= made.format == wanted.format;
        made.has_format = true;
        made.format = wanted.format;
    } else if (wanted.is_automatic) {
        made.has_format = made.has_palette_format = false;
    }
    if (wanted.levels)
        made.levels = wanted.levels;
    made.encode.dither = asked && asked->dither;
    *how = made;
    return FACET_OK;
}

/* The transparency class that official files store for a format. */
static uint8_t transparency_of(const facet_gx_texture *texture)
{
    if (texture->format == FACET_GX_CMPR)
        return 1;
    bool opaque =
        texture->format == FACET_GX_RGB565 || (facet_gx_palette_limit(texture->format) > 0 &&
                                               texture->palette.format == FACET_GX_PALETTE_RGB565);
    return opaque ? 0 : 2;
}

/* Sides that are powers of two can repeat. */
static uint8_t default_wrap(uint32_t width, uint32_t height)
{
    return (width & (width - 1)) == 0 && (height & (height - 1)) == 0 ? REPEAT : CLAMP;
}

void facet_bti_header_for(const facet_gx_texture *texture, const facet_bti_header *known,
                          facet_bti_header *header)
{
    bool indexed = facet_gx_palette_limit(texture->format) > 0;
    facet_bti_header h = {0};
    if (known) {
        h = *known;
    } else {
        h.wrap_s = h.wrap_t = default_wrap(texture->width, texture->height);
        h.min_filter = h.mag_filter = LINEAR;
        h.level_count = 1;
    }
    if (!known || known->format != texture->format ||
        (indexed && known->palette_format != texture->palette.format))
        h.transparency = transparency_of(texture);
    h.format = (uint8_t)texture->format;
    h.width = (uint16_t)texture->width;
    h.height = (uint16_t)texture->height;
    h.has_palette = indexed;
    h.palette_format = indexed ? (uint8_t)texture->palette.format : 0;
    h.palette_count = indexed ? (uint16_t)texture->palette.count : 0;
    if ((h.level_count ? h.level_count : 1u) != texture->levels) {
        h.level_count = (uint8_t)texture->levels;
        h.has_mipmaps = texture->levels > 1;
        h.min_lod = 0;
        h.max_lod = (int8_t)((texture->levels - 1) * 8);
        if (texture->levels == 1 && h.min_filter >= FIRST_MIP_FILTER)
            h.min_filter = LINEAR;
        if (texture->levels > 1 && h.min_filter < FIRST_MIP_FILTER)
            h.min_filter = TRILINEAR;
    }
    h.palette_offset = h.image_offset = 0;
    *header = h;
}
