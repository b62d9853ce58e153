/* gx/encode.c - RGBA to GX blocks, a row of blocks at a time. */
#include "base/arena.h"
#include "base/error.h"
#include "base/threads.h"
#include "gx/texels.h"

#include <string.h>

/* With fewer texels than this, encoding is faster than starting a thread. */
#define LEAST_FOR_THREADS (64u * 64u)

typedef struct encoding {
    facet_gx_pixels pixels;
    facet_gx_format format;
    facet_gx_block block;
    facet_gx_quality quality;
    facet_gx_finder finder; /* for formats with a palette */
    uint8_t *data;
} encoding;

/* -- Blocks ------------------------------------------------------------- */

static void put_nibbles(const uint32_t *values, uint32_t count, uint8_t *out)
{
    for (uint32_t i = 0; i < count; i += 2)
        out[i / 2] = (uint8_t)(values[i] << 4 | values[i + 1]);
}

static void put_words(const uint32_t *values, uint32_t count, uint8_t *out)
{
    for (uint32_t i = 0; i < count; i++)
        facet_store_u16be(out + i * 2, (uint16_t)values[i]);
}

/* The stored number of a texel, with as many bits as the format has. */
static uint32_t encode_texel(facet_gx_format format, uint32_t texel)
{
    switch (format) {
    case FACET_GX_I4:
        return facet_gx_narrow(facet_gx_luminance(texel), 15);
    case FACET_GX_I8:
        return facet_gx_luminance(texel);
    case FACET_GX_IA4:
        return facet_gx_narrow(facet_gx_alpha(texel), 15) << 4 |
               facet_gx_narrow(facet_gx_luminance(texel), 15);
    case FACET_GX_IA8:
        return facet_gx_encode_ia8(texel);
    case FACET_GX_RGB565:
        return facet_gx_encode_rgb565(texel);
    default:
        return facet_gx_encode_rgb5a3(texel);
    }
}

static void put_rgba32(const uint32_t *texels, uint8_t *out)
{
    for (uint32_t i = 0; i < 16; i++) {
        out[i * 2] = (uint8_t)facet_gx_alpha(texels[i]);
        out[i * 2 + 1] = (uint8_t)facet_gx_red(texels[i]);
        out[32 + i * 2] = (uint8_t)facet_gx_green(texels[i]);
        out[33 + i * 2] = (uint8_t)facet_gx_blue(texels[i]);
    }
}

static void put_cmpr(facet_gx_cmpr *cmpr, const uint32_t *texels, uint8_t *out)
{
    for (uint32_t part = 0; part < 4; part++, out += 8) {
        uint32_t own[16];
        for (uint32_t y = 0; y < 4; y++)
            memcpy(own + y * 4, texels + (part / 2 * 4 + y) * 8 + part % 2 * 4, 4 * sizeof *own);
        facet_gx_cmpr_add(cmpr, own, out);
    }
}

/* State that one block of a row passes to the next: the finder's position of the last texel, and
 * sub-blocks that wait for the fit. */
typedef struct row_state {
    uint32_t guess;
    facet_gx_cmpr cmpr;
} row_state;

static void encode_block(const encoding *e, const uint32_t *texels, row_state *state, uint8_t *out)
{
    uint32_t values[64], count = e->block.width * e->block.height;
    if (e->format == FACET_GX_CMPR) {
        put_cmpr(&state->cmpr, texels, out);
        return;
    }
    if (e->format == FACET_GX_RGBA32) {
        put_rgba32(texels, out);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (e->finder.count > 0) {
            state->guess = facet_gx_find(&e->finder, texels[i], state->guess);
            values[i] = e->finder.indices[state->guess];
        } else {
            values[i] = encode_texel(e->format, texels[i]);
        }
    }
    if (count == 64)
        put_nibbles(values, count, out);
    else if (count == 16)
        put_words(values, count, out);
    else
        for (uint32_t i = 0; i < count; i++)
            out[i] = (uint8_t)values[i];
}

/* Read the texels of a block. Beyond an edge, repeat the last texel. */
static void take_block(const encoding *e, uint32_t x, uint32_t y, uint32_t *texels)
{
    for (uint32_t j = 0; j < e->block.height; j++) {
        uint32_t row = y + j < e->pixels.height ? y + j : e->pixels.height - 1;
        const uint8_t *from = e->pixels.rgba + row * e->pixels.stride;
        for (uint32_t i = 0; i < e->block.width; i++) {
            uint32_t column = x + i < e->pixels.width ? x + i : e->pixels.width - 1;
            *texels++ = facet_load_u32le(from + (size_t)column * 4);
        }
    }
}

static void encode_row(void *argument, size_t row)
{
    const encoding *e = argument;
    uint32_t across = (e->pixels.width + e->block.width - 1) / e->block.width;
    row_state state;
    state.guess = state.cmpr.count = 0;
    state.cmpr.quality = e->quality;
    uint8_t *out = e->data + row * across * e->block.bytes;
    for (uint32_t i = 0; i < across; i++, out += e->block.bytes) {
        uint32_t texels[64];
        take_block(e, i * e->block.width, (uint32_t)row * e->block.height, texels);
        encode_block(e, texels, &state, out);
    }
    facet_gx_cmpr_finish(&state.cmpr);
}

/* -- Dithering ---------------------------------------------------------- */

/* The texel after encoding and decoding. */
static uint32_t rounded(const encoding *e, uint32_t texel, uint32_t *guess)
{
    uint32_t v;
    switch (e->format) {
    case FACET_GX_I4:
        return facet_gx_widen4(encode_texel(e->format, texel)) * 0x010101u | 0xFF000000u;
    case FACET_GX_IA4:
        v = encode_texel(e->format, texel);
        return facet_gx_widen4(v & 15) * 0x010101u | facet_gx_widen4(v >> 4) << 24;
    case FACET_GX_RGB565:
        return facet_gx_decode_rgb565(facet_gx_encode_rgb565(texel));
    case FACET_GX_RGB5A3:
        return facet_gx_decode_rgb5a3(facet_gx_encode_rgb5a3(texel));
    default:
        *guess = facet_gx_find(&e->finder, texel, *guess);
        return e->finder.texels[*guess];
    }
}

static bool can_dither(facet_gx_format format)
{
    return format == FACET_GX_I4 || format == FACET_GX_IA4 || format == FACET_GX_RGB565 ||
           format == FACET_GX_RGB5A3 || facet_gx_palette_limit(format) > 0;
}

static uint32_t with_error(uint32_t texel, const int32_t error[4])
{
    uint32_t result = 0;
    for (uint32_t c = 0; c < 4; c++) {
        /* Divide by 16 and round down, also for negative numbers. */
        int32_t v = (int32_t)(texel >> (c * 8) & 255) + (error[c] + 8 + 16 * 4096) / 16 - 4096;
        result |= (uint32_t)(v < 0 ? 0 : v > 255 ? 255 : v) << (c * 8);
    }
    return result;
}

/* Floyd-Steinberg: spread 7/16 of the error to the right, and 3, 5 and 1 of 16 to the row below.
 * Skip transparent texels. Spread alpha only if it is graded. */
static void dither_row(const encoding *e, const uint8_t *from, uint8_t *to, int32_t (*here)[4],
                       int32_t (*below)[4])
{
    uint32_t guess = 0;
    memset(below, 0, ((size_t)e->pixels.width + 2) * sizeof *below);
    for (uint32_t x = 0; x < e->pixels.width; x++) {
        uint32_t texel = facet_load_u32le(from + (size_t)x * 4);
        uint32_t alpha = facet_gx_alpha(texel);
        uint32_t wanted = alpha ? with_error(texel, here[x + 1]) : texel;
        if (alpha == 255)
            wanted |= 0xFF000000u;
        uint32_t got = rounded(e, wanted, &guess);
        facet_store_u32le(to + (size_t)x * 4, got);
        for (uint32_t c = 0; c < 4 && alpha > 0; c++) {
            if (c == 3 && alpha == 255)
                break;
            int32_t miss = (int32_t)(wanted >> (c * 8) & 255) - (int32_t)(got >> (c * 8) & 255);
            here[x + 2][c] += miss * 7;
            below[x][c] += miss * 3;
            below[x + 1][c] += miss * 5;
            below[x + 2][c] += miss;
        }
    }
}

/* Make a dithered copy of the image. */
static facet_status dither(encoding *e, facet_arena *scratch, facet_error *error)
{
    size_t stride = (size_t)e->pixels.width * 4, errors = ((size_t)e->pixels.width + 2) * 2;
    uint8_t *copy = facet_arena_allocate(scratch, e->pixels.height, stride);
    int32_t(*rows)[4] = facet_arena_allocate_zeroed(scratch, errors, sizeof *rows);
    if (!copy || !rows)
        return facet_fail_arena(scratch, error);
    for (uint32_t y = 0; y < e->pixels.height; y++)
        dither_row(e, e->pixels.rgba + y * e->pixels.stride, copy + y * stride,
                   rows + y % 2 * ((size_t)e->pixels.width + 2),
                   rows + (y + 1) % 2 * ((size_t)e->pixels.width + 2));
    e->pixels.rgba = copy;
    e->pixels.stride = stride;
    return FACET_OK;
}

/* -- Encoding ----------------------------------------------------------- */

static facet_status check_call(const facet_gx_pixels *pixels, const facet_gx_target *target,
                               facet_error *error)
{
    const facet_gx_palette *palette = target->palette;
    const char *format = facet_gx_format_name(target->format);
    size_t expected = 0;
    TRY(facet_gx_texture_size(target->format, pixels->width, pixels->height, 1, &expected, error));
    uint32_t limit = facet_gx_palette_limit(target->format);
    bool palette_fits =
        limit == 0 || (palette && palette->entries && palette->count > 0 &&
                       palette->count <= limit && facet_gx_palette_format_name(palette->format));
    if (!pixels->rgba || !target->data || pixels->stride / 4 < pixels->width ||
        target->size != expected)
        return facet_fail(error, FACET_ERROR_ARGUMENT, NULL, FACET_NO_OFFSET,
                          "%u x %u texels of %s take %zu bytes, not %zu, and rows of at least %zu",
                          pixels->width, pixels->height, format, expected, target->size,
                          (size_t)pixels->width * 4);
    if (!palette_fits)
        return facet_fail(error, FACET_ERROR_ARGUMENT, NULL, FACET_NO_OFFSET,
                          "%s needs a palette of 1 to %u entries", format, limit);
    return FACET_OK;
}

facet_status facet_gx_encode(const facet_gx_pixels *pixels, const facet_gx_encode_options *how,
                             const facet_options *options, const facet_gx_target *target,
                             facet_error *error)
{
    facet_status status = FACET_CHECK_STRUCT(how, facet_gx_encode_options, error);
    if (!status)
        status = check_call(pixels, target, error);
    if (status)
        return status;
    encoding e = {.pixels = *pixels, .format = target->format, .data = target->data};
    facet_gx_format_block(e.format, &e.block);
    if (how)
        e.quality = how->quality;
    bool indexed = facet_gx_palette_limit(e.format) > 0;
    bool dithered = how && how->dither && can_dither(e.format);
    facet_arena *scratch = NULL;
    if (dithered || indexed)
        status = facet_arena_create(options, &scratch, error);
    if (!status && indexed)
        status = facet_gx_finder_make(scratch, target->palette, &e.finder, error);
    if (!status && dithered)
        status = dither(&e, scratch, error);
    if (!status) {
        size_t rows = (pixels->height + e.block.height - 1) / e.block.height;
        bool large = (uint64_t)pixels->width * pixels->height >= LEAST_FOR_THREADS;
        facet_run(large ? options : NULL, encode_row, &e, rows);
    }
    facet_arena_free(scratch);
    return status;
}
