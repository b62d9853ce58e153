/* gx/image.c - conversion between GX textures and the images of a scene. */
#include "image/image.h"
#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"
#include "gx/choose.h"
#include "gx/texels.h"
#include "scene/scene.h"

#include <stdlib.h>

/* -- Texture to image --------------------------------------------------- */

static bool is_opaque(const uint8_t *rgba, size_t count)
{
    uint8_t all = 255;
    for (size_t i = 0; i < count; i++)
        all &= rgba[i * 4 + 3];
    return all == 255;
}

/* Decode the levels after the first, as far as they are present. */
static facet_status decode_smaller(facet_arena *arena, const facet_gx_texture *texture,
                                   const facet_options *options, facet_image *image,
                                   facet_error *error)
{
    uint32_t count = texture->levels;
    size_t begin, end = 0;
    image->smaller = NULL;
    image->smaller_count = 0;
    while (count > 1 && (facet_gx_texture_size(texture->format, texture->width, texture->height,
                                               count, &end, NULL) ||
                         end > texture->size))
        count--;
    if (count < 2)
        return FACET_OK;
    facet_image_size_of_smaller(image->width, image->height, count - 1, &begin);
    uint8_t *to = facet_arena_allocate(arena, begin, 1);
    if (!to)
        return facet_fail_arena(arena, error);
    image->smaller = to;
    image->smaller_count = count - 1;
    for (uint32_t level = 1; level < count; level++) {
        facet_image_size_of_smaller(image->width, image->height, level - 1, &begin);
        size_t width = image->width >> level ? image->width >> level : 1;
        TRY(facet_gx_decode(texture, level, options, to + begin, width * 4, error));
    }
    return FACET_OK;
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
    if (bytes > texture->size) /* checked before memory is allocated */
        return facet_fail(error, FACET_ERROR_MALFORMED, "GX-TRUNCATED", FACET_NO_OFFSET,
                          "%u x %u texels of %s take %zu bytes, but there are %zu", texture->width,
                          texture->height, facet_gx_format_name(texture->format), bytes,
                          texture->size);
    facet_image made = *image;
    status = facet_image_allocate(arena, &made, texture->width, texture->height, 4, false, 0, NULL,
                                  error);
    if (status)
        return status;
    status = facet_gx_decode(texture, 0, options, made.pixels, (size_t)made.width * 4, error);
    if (!status)
        status = decode_smaller(arena, texture, options, &made, error);
    if (!status && is_opaque(made.pixels, (size_t)made.width * made.height))
        status = facet_image_set_channels(arena, &made, 3, error);
    if (status)
        facet_arena_release(arena, made.pixels, facet_image_bytes(&made), 1);
    else
        *image = made;
    return status;
}

/* -- Image to texture --------------------------------------------------- */

typedef struct maker {
    facet_arena *arena;   /* for the texture */
    facet_arena *scratch; /* for temporary data */
    const facet_gx_texture_options *how;
    const facet_options *options;
    facet_image image; /* four channels, 8 bits each */
    facet_gx_content content;
    facet_gx_texture texture;
    uint8_t *data, *entries;      /* bytes of the texture, to be filled in */
    uint8_t color_off, alpha_off; /* largest differences of level 0 */
} maker;

static facet_status take_image(maker *m, const facet_image *image, facet_error *error)
{
    if (!image->pixels)
        return facet_fail(error, FACET_ERROR_ARGUMENT, NULL, FACET_NO_OFFSET,
                          "image '%s' has no pixels", image->name ? image->name : "");
    if (image->width > FACET_GX_HARDWARE_SIDE || image->height > FACET_GX_HARDWARE_SIDE)
        return facet_fail(error, FACET_ERROR_LIMIT, "GX-SIZE", FACET_NO_OFFSET,
                          "image '%s' is %u x %u pixels, but a texture of GX has %u x %u at most",
                          image->name ? image->name : "", image->width, image->height,
                          FACET_GX_HARDWARE_SIDE, FACET_GX_HARDWARE_SIDE);
    m->image = *image;
    if (image->is_float) {
        m->image.pixels =
            facet_image_to_bytes(m->scratch, image, m->options ? m->options->report : NULL);
        m->image.is_float = false;
        if (!m->image.pixels)
            return facet_fail_arena(m->scratch, error);
    }
    if (m->image.channels == 4)
        return FACET_OK;
    facet_image four;
    facet_status status = facet_image_with_channels(m->scratch, &m->image, 4, &four, error);
    if (!status)
        m->image = four;
    return status;
}

static bool is_power_of_two(uint32_t v)
{
    return (v & (v - 1)) == 0;
}

/* The pixels of an image with four channels of 8 bits. */
static facet_gx_pixels pixels_of(const facet_image *image)
{
    facet_gx_pixels pixels = {image->pixels, (size_t)image->width * 4, image->width, image->height};
    return pixels;
}

static void choose(maker *m)
{
    const facet_gx_texture_options *how = m->how;
    facet_gx_texture *t = &m->texture;
    uint32_t limit = facet_gx_level_limit(m->image.width, m->image.height);
    bool usable = is_power_of_two(m->image.width) && is_power_of_two(m->image.height);
    facet_gx_pixels pixels = pixels_of(&m->image);
    m->content = facet_gx_content_of(&pixels);
    t->width = m->image.width;
    t->height = m->image.height;
    t->format = how->has_format ? how->format : facet_gx_format_for(&m->content);
    t->levels = how->levels < limit ? how->levels : limit;
    if (how->levels == 0 || (how->levels == FACET_GX_ALL_LEVELS && !usable))
        t->levels = 1;
    if (facet_gx_palette_limit(t->format) == 0)
        return;
    t->palette.format = how->has_palette_format                  ? how->palette_format
                        : m->content.holds & FACET_GX_ALL_OPAQUE ? FACET_GX_PALETTE_RGB565
                        : m->content.holds & FACET_GX_GRAY       ? FACET_GX_PALETTE_IA8
                                                                 : FACET_GX_PALETTE_RGB5A3;
}

/* Measure the largest difference between the stored channels of level 0 and the image. Ignore the
 * color of invisible texels. */
static facet_status measure_rounding(maker *m, facet_error *error)
{
    facet_gx_texture *t = &m->texture;
    if (!m->options || !m->options->report)
        return FACET_OK;
    facet_gx_pixels pixels = pixels_of(&m->image);
    size_t stride = (size_t)t->width * 4;
    uint8_t *stored = facet_arena_allocate(m->scratch, t->height, stride);
    if (!stored)
        return facet_fail_arena(m->scratch, error);
    TRY(facet_gx_decode(t, 0, NULL, stored, stride, error));
    for (uint32_t y = 0; y < t->height; y++) {
        const uint8_t *row = pixels.rgba + y * pixels.stride;
        for (size_t x = 0; x < stride; x++) {
            const uint8_t *other = stored + y * stride;
            uint8_t off = (uint8_t)abs(row[x] - other[x]);
            uint8_t *most = x % 4 == 3 ? &m->alpha_off : &m->color_off;
            bool seen = x % 4 == 3 || (row[x | 3] && other[x | 3]);
            if (seen && off > *most)
                *most = off;
        }
    }
    facet_arena_release(m->scratch, stored, t->height, stride);
    return FACET_OK;
}

static void report_rounding(const maker *m, bool color, bool alpha)
{
    uint8_t off = color ? m->color_off : 0;
    if (alpha && m->alpha_off > off)
        off = m->alpha_off;
    if (off)
        facet_report_add(m->options->report, "GX-ROUNDED", FACET_SEVERITY_NOTE, FACET_NO_OFFSET,
                         "the channels of image '%s' are off by %u of 255 at most: it is stored "
                         "as %s",
                         m->image.name ? m->image.name : "", off,
                         facet_gx_format_name(m->texture.format));
}

/* Report the data that the chosen format cannot store. */
static void report_losses(const maker *m)
{
    facet_report *report = m->options ? m->options->report : NULL;
    const facet_gx_texture *t = &m->texture;
    unsigned holds = m->content.holds;
    const char *name = m->image.name ? m->image.name : "";
    bool indexed = facet_gx_palette_limit(t->format) > 0;
    bool intensity = t->format == FACET_GX_I4 || t->format == FACET_GX_I8;
    bool gray = intensity || t->format == FACET_GX_IA4 || t->format == FACET_GX_IA8 ||
                (indexed && t->palette.format == FACET_GX_PALETTE_IA8);
    bool no_alpha =
        t->format == FACET_GX_RGB565 || (indexed && t->palette.format == FACET_GX_PALETTE_RGB565);
    const char *format = facet_gx_format_name(t->format);
    bool color_lost = gray && !(holds & FACET_GX_GRAY), alpha_lost = true;
    if (color_lost)
        facet_report_add(report, "LOSS-PIXELS", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "the colors of image '%s' become gray: %s holds only gray", name, format);
    if (intensity && !(holds & FACET_GX_ALPHA_IS_GRAY))
        facet_report_add(report, "LOSS-PIXELS",
                         holds & FACET_GX_ALL_OPAQUE ? FACET_SEVERITY_NOTE : FACET_SEVERITY_WARNING,
                         FACET_NO_OFFSET,
                         "the alpha of image '%s' becomes its intensity, as %s has it", name,
                         format);
    else if (no_alpha && !(holds & FACET_GX_ALL_OPAQUE))
        facet_report_add(report, "LOSS-PIXELS", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "the alpha of image '%s' is dropped: %s has none", name, format);
    else if (t->format == FACET_GX_CMPR && !(holds & FACET_GX_ONE_BIT_ALPHA))
        facet_report_add(report, "LOSS-PIXELS", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "the alpha of image '%s' becomes 0 or 255: CMPR has one bit of it", name);
    else
        alpha_lost = false;
    report_rounding(m, !color_lost, !alpha_lost);
    if (t->levels > 1 && !(is_power_of_two(t->width) && is_power_of_two(t->height)))
        facet_report_add(report, "GX-LEVELS", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "image '%s' of %u x %u pixels gets %u mip levels, but the hardware needs "
                         "powers of two for that",
                         name, t->width, t->height, t->levels);
}

static facet_status make_palette(maker *m, facet_error *error)
{
    facet_gx_texture *t = &m->texture;
    uint32_t limit = facet_gx_palette_limit(t->format);
    if (limit == 0)
        return FACET_OK;
    /* An image cannot have more colors than texels. */
    uint64_t texels = (uint64_t)t->width * t->height;
    uint32_t space = limit < texels ? limit : (uint32_t)texels;
    m->entries = facet_arena_allocate(m->arena, space, 2);
    if (!m->entries)
        return facet_fail_arena(m->arena, error);
    t->palette.entries = m->entries;
    facet_gx_pixels pixels = pixels_of(&m->image);
    return facet_gx_make_palette(&pixels, t->palette.format, space, m->options, m->entries,
                                 &t->palette.count, error);
}

static facet_status encode_levels(maker *m, facet_error *error)
{
    facet_gx_texture *t = &m->texture;
    facet_status status =
        facet_gx_texture_size(t->format, t->width, t->height, t->levels, &t->size, error);
    if (status)
        return status;
    m->data = facet_arena_allocate(m->arena, t->size, 1);
    if (!m->data)
        return facet_fail_arena(m->arena, error);
    t->data = m->data;
    for (uint32_t level = 0; level < t->levels && !status; level++) {
        size_t begin = 0, end = 0;
        facet_image smaller;
        if (level > 0)
            status = facet_image_next_mip(m->scratch, &m->image, !m->how->linear, &smaller, error);
        if (status)
            break;
        if (level > 0)
            m->image = smaller;
        facet_gx_texture_size(t->format, t->width, t->height, level, &begin, NULL);
        facet_gx_texture_size(t->format, t->width, t->height, level + 1, &end, NULL);
        facet_gx_pixels pixels = pixels_of(&m->image);
        facet_gx_target target = {t->format, &t->palette, m->data + begin, end - begin};
        status = facet_gx_encode(&pixels, &m->how->encode, m->options, &target, error);
        if (!status && level == 0)
            status = measure_rounding(m, error);
    }
    return status;
}

facet_status facet_gx_encode_image(facet_arena *arena, const facet_image *image,
                                   const facet_gx_texture_options *how,
                                   const facet_options *options, facet_gx_texture *texture,
                                   facet_error *error)
{
    static const facet_gx_texture_options defaults;
    maker m = {.arena = arena, .how = how ? how : &defaults, .options = options};
    facet_status status = FACET_CHECK_STRUCT(how, facet_gx_texture_options, error);
    if (!status)
        status = facet_arena_create(options, &m.scratch, error);
    if (status)
        return status;
    status = take_image(&m, image, error);
    if (!status) {
        choose(&m);
        status = make_palette(&m, error);
    }
    if (!status)
        status = encode_levels(&m, error);
    if (!status) {
        report_losses(&m);
        *texture = m.texture;
    }
    facet_arena_free(m.scratch);
    return status;
}
