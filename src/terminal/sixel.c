/* terminal/sixel.c - a picture as sixels: columns of six pixels of one color, a band of six
 * rows at a time (DEC's VT330/VT340 programmer reference, chapter 14). */
#include "terminal/terminal.h"

#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/text_output.h"

#include <facet/gx.h>
#include <stdio.h>
#include <string.h>

enum {
    COLORS = 255,
    NONE = 255, /* index of a transparent pixel */
    BAND = 6,
};

typedef struct indexed {
    uint32_t width, height, count; /* count of colors */
    uint8_t *indices;              /* width * height */
    uint8_t *palette;              /* RGB565, big-endian */
} indexed;

/* -- 255 colors --------------------------------------------------------- */

/* Create a GX texture of 256 colors: its palette is chosen by median cut, and its texels are
 * dithered. They are stored in blocks of 8 x 4. */
static facet_status make_indices(facet_arena *arena, const facet_gx_pixels *pixels,
                                 const facet_options *options, indexed *to, facet_error *error)
{
    size_t size;
    facet_gx_encode_options how = {.struct_size = sizeof how, .dither = true};
    TRY(facet_gx_make_palette(pixels, FACET_GX_PALETTE_RGB565, COLORS, options, to->palette,
                              &to->count, error));
    facet_gx_palette palette = {FACET_GX_PALETTE_RGB565, to->palette, to->count};
    TRY(facet_gx_texture_size(FACET_GX_C8, to->width, to->height, 1, &size, error));
    uint8_t *blocks = facet_arena_allocate(arena, size, 1);
    if (!blocks)
        return facet_fail_arena(arena, error);
    facet_gx_target target = {FACET_GX_C8, &palette, blocks, size};
    TRY(facet_gx_encode(pixels, &how, options, &target, error));
    size_t across = (to->width + 7) / 8;
    for (size_t y = 0; y < to->height; y++) {
        for (size_t x = 0; x < to->width; x++)
            to->indices[y * to->width + x] =
                blocks[(y / 4 * across + x / 8) * 32 + y % 4 * 8 + x % 8];
    }
    return FACET_OK;
}

static facet_status reduce_colors(facet_arena *arena, const facet_terminal *terminal,
                                  const facet_image *image, const facet_options *options,
                                  indexed *to, facet_error *error)
{
    size_t count = (size_t)image->width * image->height;
    const uint8_t *from = image->pixels;
    uint8_t *rgba = facet_arena_allocate_zeroed(arena, count, 4);
    to->width = image->width;
    to->height = image->height;
    to->indices = facet_arena_allocate(arena, count, 1);
    to->palette = facet_arena_allocate(arena, COLORS, 2);
    if (!rgba || !to->indices || !to->palette)
        return facet_fail_arena(arena, error);
    for (size_t i = 0; i < count; i++)
        rgba[i * 4 + 3] = facet_terminal_blend(terminal, from + i * 4, rgba + i * 4) ? 255 : 0;
    facet_gx_pixels pixels = {rgba, (size_t)image->width * 4, image->width, image->height};
    TRY(make_indices(arena, &pixels, options, to, error));
    for (size_t i = 0; i < count; i++) {
        if (rgba[i * 4 + 3] == 0)
            to->indices[i] = NONE;
    }
    return FACET_OK;
}

/* -- Sixels ------------------------------------------------------------- */

/* Color registers use percent. */
static void put_palette(facet_text_output *out, const indexed *picture)
{
    for (uint32_t i = 0; i < picture->count; i++) {
        char text[40];
        uint32_t color = facet_load_u16be(picture->palette + (size_t)i * 2);
        snprintf(text, sizeof text, "#%u;2;%u;%u;%u", i, ((color >> 11) * 100 + 15) / 31,
                 ((color >> 5 & 63) * 100 + 31) / 63, ((color & 31) * 100 + 15) / 31);
        facet_put_text(out, text);
    }
}

static void put_run(facet_text_output *out, uint8_t bits, uint32_t count)
{
    char text[24];
    char sixel = (char)('?' + bits);
    if (count > 3) {
        snprintf(text, sizeof text, "!%u%c", count, sixel);
    } else {
        memset(text, sixel, count);
        text[count] = '\0';
    }
    facet_put_text(out, text);
}

/* Write the columns of one color, and clear them. */
static void put_columns(facet_text_output *out, uint8_t *columns, uint32_t width)
{
    for (uint32_t x = 0; x < width;) {
        uint32_t end = x;
        uint8_t bits = columns[x];
        while (end < width && columns[end] == bits)
            end++;
        if (bits || end < width) /* empty columns at the end are not written */
            put_run(out, bits, end - x);
        x = end;
    }
    memset(columns, 0, width);
}

/* `columns` are `width` zeros for each color. */
static void put_band(facet_text_output *out, const indexed *picture, uint32_t top, uint8_t *columns)
{
    bool used[COLORS] = {false}, any = false;
    size_t width = picture->width;
    for (uint32_t y = top; y < picture->height && y < top + BAND; y++) {
        for (size_t x = 0; x < width; x++) {
            uint8_t index = picture->indices[y * width + x];
            if (index == NONE)
                continue;
            used[index] = true;
            columns[index * width + x] |= (uint8_t)(1u << (y - top));
        }
    }
    for (uint32_t i = 0; i < picture->count; i++) {
        char text[16];
        if (!used[i])
            continue;
        snprintf(text, sizeof text, "%s#%u", any ? "$" : "", i);
        facet_put_text(out, text);
        put_columns(out, columns + i * width, picture->width);
        any = true;
    }
}

facet_status facet_terminal_put_sixels(const facet_terminal *terminal, const facet_image *image,
                                       const facet_options *options, facet_output *output,
                                       facet_error *error)
{
    facet_arena *arena = NULL;
    indexed picture = {0};
    uint8_t *columns = NULL;
    facet_status status = facet_arena_create(options, &arena, error);
    if (!status)
        status = reduce_colors(arena, terminal, image, options, &picture, error);
    if (!status)
        columns = facet_arena_allocate_zeroed(arena, picture.count, picture.width);
    if (!status && !columns)
        status = facet_fail_arena(arena, error);
    if (!status) {
        char head[64];
        facet_text_output out = {.output = output};
        /* 1: pixels that are not written stay unchanged; then the pixel aspect ratio and the
         * size */
        snprintf(head, sizeof head, "\033P0;1;0q\"1;1;%u;%u", picture.width, picture.height);
        facet_put_text(&out, head);
        put_palette(&out, &picture);
        for (uint32_t y = 0; y < picture.height; y += BAND) {
            put_band(&out, &picture, y, columns);
            facet_put_text(&out, y + BAND < picture.height ? "-" : "\033\\");
        }
        facet_put_flush(&out);
    }
    facet_arena_free(arena);
    return status;
}
