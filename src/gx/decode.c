/* gx/decode.c - GX textures to RGBA. Whole blocks are decoded in place; blocks that cross an edge
 * are decoded into a buffer first. */
#include "base/error.h"
#include "base/report.h"
#include "base/threads.h"
#include "gx/texels.h"

#include <string.h>

typedef struct decoding {
    const uint8_t *data;
    uint8_t *rgba;
    size_t stride;
    uint32_t width, height; /* of the level, in texels */
    facet_gx_block block;
    uint32_t across; /* blocks in a row */
    facet_gx_row_decoder *decode;
    const facet_gx_palette *palette;
    uint32_t table[256]; /* palette of C4 or C8; transparent black beyond its end */
} decoding;

/* -- C14X2 -------------------------------------------------------------- */

/* A palette with 14 bits is too large for a table on the stack. Decode each entry when it is
 * used. */
static void row_of_c14x2(const decoding *d, const uint8_t *blocks, size_t count, uint8_t *out,
                         size_t stride)
{
    for (size_t i = 0; i < count * 16; i++) {
        uint32_t index = facet_load_u16be(blocks + i * 2) & 0x3FFFu, texel = 0;
        if (index < d->palette->count)
            texel = facet_gx_decode_entry(
                d->palette->format, facet_load_u16be(d->palette->entries + (size_t)index * 2));
        facet_store_u32le(out + (i / 4 % 4) * stride + (i / 16 * 4 + i % 4) * 4, texel);
    }
}

/* -- Rows of blocks ----------------------------------------------------- */

static void decode_blocks(const decoding *d, const uint8_t *blocks, size_t count, uint8_t *out,
                          size_t stride)
{
    if (d->decode)
        d->decode(blocks, count, out, stride, d->table);
    else
        row_of_c14x2(d, blocks, count, out, stride);
}

/* Decode `width` x `height` texels of one block. */
static void decode_part(const decoding *d, const uint8_t *block, uint8_t *out, uint32_t width,
                        uint32_t height)
{
    uint8_t whole[8 * 8 * 4];
    size_t stride = (size_t)d->block.width * 4;
    decode_blocks(d, block, 1, whole, stride);
    for (uint32_t y = 0; y < height; y++)
        memcpy(out + y * d->stride, whole + y * stride, (size_t)width * 4);
}

static void decode_row(void *argument, size_t row)
{
    const decoding *d = (const decoding *)argument;
    const uint8_t *blocks = d->data + row * d->across * d->block.bytes;
    uint8_t *out = d->rgba + row * d->block.height * d->stride;
    uint32_t left = d->height - (uint32_t)row * d->block.height;
    uint32_t height = left < d->block.height ? left : d->block.height;
    uint32_t done = height == d->block.height ? d->width / d->block.width : 0;
    decode_blocks(d, blocks, done, out, d->stride);
    for (; done < d->across; done++) {
        uint32_t x = done * d->block.width, rest = d->width - x;
        decode_part(d, blocks + (size_t)done * d->block.bytes, out + (size_t)x * 4,
                    rest < d->block.width ? rest : d->block.width, height);
    }
}

/* -- Palettes ----------------------------------------------------------- */

static facet_status prepare_palette(decoding *d, facet_gx_format format, facet_error *error)
{
    uint32_t limit = facet_gx_palette_limit(format);
    if (limit == 0)
        return FACET_OK;
    if (!d->palette->entries || d->palette->count == 0)
        return facet_fail(error, FACET_ERROR_MALFORMED, "GX-PALETTE", FACET_NO_OFFSET,
                          "a texture of format %s without a palette", facet_gx_format_name(format));
    if (!facet_gx_palette_format_name(d->palette->format))
        return facet_fail(error, FACET_ERROR_MALFORMED, "GX-PALETTE", FACET_NO_OFFSET,
                          "%u is not a palette format (valid: 0-2)", (unsigned)d->palette->format);
    memset(d->table, 0, sizeof d->table);
    for (uint32_t i = 0; i < 256 && i < limit && i < d->palette->count; i++)
        d->table[i] = facet_gx_decode_entry(d->palette->format,
                                            facet_load_u16be(d->palette->entries + (size_t)i * 2));
    return FACET_OK;
}

/* -- Indices beyond the palette ----------------------------------------- */

static uint32_t index_at(const decoding *d, facet_gx_format format, uint32_t x, uint32_t y)
{
    size_t block = (size_t)(y / d->block.height) * d->across + x / d->block.width;
    uint32_t inside = y % d->block.height * d->block.width + x % d->block.width;
    const uint8_t *at = d->data + block * d->block.bytes;
    if (format == FACET_GX_C4)
        return at[inside / 2] >> (inside % 2 ? 0 : 4) & 15u;
    return format == FACET_GX_C8 ? at[inside] : facet_load_u16be(at + inside * 2) & 0x3FFFu;
}

/* Report the number of texels whose index is beyond the palette. Ignore the padding, which is not
 * visible. */
static void report_indices(const decoding *d, facet_gx_format format, uint32_t level,
                           facet_report *report)
{
    facet_tally beyond = {0};
    uint32_t first = 0;
    for (uint32_t y = 0; y < d->height; y++) {
        for (uint32_t x = 0; x < d->width; x++) {
            uint32_t index = index_at(d, format, x, y);
            if (index >= d->palette->count) {
                first = beyond.count ? first : index;
                facet_tally_hit(&beyond, (uint64_t)y * d->width + x);
            }
        }
    }
    facet_report_add_tally(
        report, "GX-PALETTE-INDEX", FACET_SEVERITY_WARNING, FACET_NO_OFFSET, &beyond,
        "texel %llu, %llu of mip level %u has index %u, but the palette has %u "
        "entries; it becomes transparent black",
        (unsigned long long)(beyond.first % d->width),
        (unsigned long long)(beyond.first / d->width), level, first, d->palette->count);
}

/* -- Rows in parallel --------------------------------------------------- */

/* With fewer texels than this, decoding is faster than starting a thread. */
#define LEAST_FOR_THREADS (128u * 128u)

static void decode_rows(decoding *d, facet_gx_format format, uint32_t level,
                        const facet_options *options)
{
    d->decode = facet_gx_vector_decoder(format, facet_gx_processor());
    if (!d->decode)
        d->decode = facet_gx_plain_decoder(format);
    size_t rows = (d->height + d->block.height - 1) / d->block.height;
    bool large = (uint64_t)d->width * d->height >= LEAST_FOR_THREADS;
    facet_run(large ? options : NULL, decode_row, d, rows);
    if (options && options->report && d->palette->count < facet_gx_palette_limit(format))
        report_indices(d, format, level, options->report);
}

/* -- Decoding ----------------------------------------------------------- */

/* Find the offset of a level, and check that all of its bytes are present. */
static facet_status find_level(const facet_gx_texture *texture, uint32_t level, decoding *d,
                               facet_error *error)
{
    size_t begin = 0, end = 0;
    if (level >= texture->levels)
        return facet_fail(error, FACET_ERROR_ARGUMENT, NULL, FACET_NO_OFFSET,
                          "mip level %u does not exist; the texture has %u", level,
                          texture->levels);
    TRY(facet_gx_texture_size(texture->format, texture->width, texture->height, level, &begin,
                              error));
    TRY(facet_gx_texture_size(texture->format, texture->width, texture->height, level + 1, &end,
                              error));
    if (!texture->data || end > texture->size)
        return facet_fail(
            error, FACET_ERROR_MALFORMED, "GX-TRUNCATED", FACET_NO_OFFSET,
            "mip level %u of %u x %u texels of %s ends at byte %zu, but there are %zu", level,
            texture->width, texture->height, facet_gx_format_name(texture->format), end,
            texture->data ? texture->size : 0);
    d->data = texture->data + begin;
    d->width = texture->width >> level ? texture->width >> level : 1;
    d->height = texture->height >> level ? texture->height >> level : 1;
    facet_gx_format_block(texture->format, &d->block);
    d->across = (d->width + d->block.width - 1) / d->block.width;
    return FACET_OK;
}

facet_status facet_gx_decode(const facet_gx_texture *texture, uint32_t level,
                             const facet_options *options, uint8_t *rgba, size_t stride,
                             facet_error *error)
{
    decoding d;
    TRY(find_level(texture, level, &d, error));
    if (!rgba || stride / 4 < d.width)
        return facet_fail(error, FACET_ERROR_ARGUMENT, NULL, FACET_NO_OFFSET,
                          "rows of %u texels do not fit into %zu bytes", d.width, stride);
    d.rgba = rgba;
    d.stride = stride;
    d.palette = &texture->palette;
    TRY(prepare_palette(&d, texture->format, error));
    decode_rows(&d, texture->format, level, options);
    return FACET_OK;
}
