/* gx/texels.h - single texels of GX, and declarations that the codec's files share. A texel is r |
 * g << 8 | b << 16 | a << 24 on any host. */
#ifndef FACET_GX_TEXELS_H
#define FACET_GX_TEXELS_H

#include "base/bytes.h"

#include <facet/gx.h>

/* Longer sides are an error: a header has 16 bits for a side. */
#define FACET_GX_LONGEST_SIDE 65535u
/* The longest side that the hardware accepts. */
#define FACET_GX_HARDWARE_SIDE 1024u

/* -- Formats ------------------------------------------------------------ */

/* The block shape of a format, in texels and bytes. False for an unknown format. */
typedef struct facet_gx_block {
    uint32_t width, height, bytes;
} facet_gx_block;
bool facet_gx_format_block(facet_gx_format format, facet_gx_block *block);

/* Number of mip levels of a full chain: 1 + floor(log2(max(width, height))). */
uint32_t facet_gx_level_limit(uint32_t width, uint32_t height);

/* -- Widening ----------------------------------------------------------- */

static inline uint32_t facet_gx_widen3(uint32_t v)
{
    return v << 5 | v << 2 | v >> 1;
}
static inline uint32_t facet_gx_widen4(uint32_t v)
{
    return v << 4 | v;
}
static inline uint32_t facet_gx_widen5(uint32_t v)
{
    return v << 3 | v >> 2;
}
static inline uint32_t facet_gx_widen6(uint32_t v)
{
    return v << 2 | v >> 4;
}

/* -- Texels ------------------------------------------------------------- */

static inline uint32_t facet_gx_texel(uint32_t r, uint32_t g, uint32_t b, uint32_t a)
{
    return r | g << 8 | b << 16 | a << 24;
}
static inline uint32_t facet_gx_red(uint32_t texel)
{
    return texel & 255;
}
static inline uint32_t facet_gx_green(uint32_t texel)
{
    return texel >> 8 & 255;
}
static inline uint32_t facet_gx_blue(uint32_t texel)
{
    return texel >> 16 & 255;
}
static inline uint32_t facet_gx_alpha(uint32_t texel)
{
    return texel >> 24;
}

/* bits 0xAAII */
static inline uint32_t facet_gx_decode_ia8(uint32_t v)
{
    return (v & 255) * 0x010101u | v >> 8 << 24;
}
static inline uint32_t facet_gx_decode_rgb565(uint32_t v)
{
    return facet_gx_texel(facet_gx_widen5(v >> 11), facet_gx_widen6(v >> 5 & 63),
                          facet_gx_widen5(v & 31), 255);
}
static inline uint32_t facet_gx_decode_rgb5a3(uint32_t v)
{
    if (v & 0x8000)
        return facet_gx_texel(facet_gx_widen5(v >> 10 & 31), facet_gx_widen5(v >> 5 & 31),
                              facet_gx_widen5(v & 31), 255);
    return facet_gx_texel(facet_gx_widen4(v >> 8 & 15), facet_gx_widen4(v >> 4 & 15),
                          facet_gx_widen4(v & 15), facet_gx_widen3(v >> 12));
}
/* Decode a palette entry. The format must be valid. */
static inline uint32_t facet_gx_decode_entry(facet_gx_palette_format format, uint32_t v)
{
    if (format == FACET_GX_PALETTE_IA8)
        return facet_gx_decode_ia8(v);
    return format == FACET_GX_PALETTE_RGB565 ? facet_gx_decode_rgb565(v)
                                             : facet_gx_decode_rgb5a3(v);
}

/* The four colors of a CMPR sub-block. */
static inline void facet_gx_cmpr_colors(uint32_t c0, uint32_t c1, uint32_t colors[4])
{
    uint32_t a = facet_gx_decode_rgb565(c0), b = facet_gx_decode_rgb565(c1);
    colors[0] = a;
    colors[1] = b;
    if (c0 > c1) {
        colors[2] = facet_gx_texel((5 * facet_gx_red(a) + 3 * facet_gx_red(b)) >> 3,
                                   (5 * facet_gx_green(a) + 3 * facet_gx_green(b)) >> 3,
                                   (5 * facet_gx_blue(a) + 3 * facet_gx_blue(b)) >> 3, 255);
        colors[3] = facet_gx_texel((3 * facet_gx_red(a) + 5 * facet_gx_red(b)) >> 3,
                                   (3 * facet_gx_green(a) + 5 * facet_gx_green(b)) >> 3,
                                   (3 * facet_gx_blue(a) + 5 * facet_gx_blue(b)) >> 3, 255);
    } else {
        uint32_t middle = facet_gx_texel((facet_gx_red(a) + facet_gx_red(b)) >> 1,
                                         (facet_gx_green(a) + facet_gx_green(b)) >> 1,
                                         (facet_gx_blue(a) + facet_gx_blue(b)) >> 1, 0);
        colors[2] = middle | 255u << 24;
        colors[3] = middle;
    }
}

/* -- Rounding ----------------------------------------------------------- */

/* Reduce v to 0 to `most`; the result widens to the value nearest to v. */
static inline uint32_t facet_gx_narrow(uint32_t v, uint32_t most)
{
    return (v * most + 127) / 255;
}

/* Rec. 709 weights in 256ths. Gray keeps its value. */
static inline uint32_t facet_gx_luminance(uint32_t texel)
{
    return (54 * facet_gx_red(texel) + 183 * facet_gx_green(texel) + 19 * facet_gx_blue(texel) +
            128) >>
           8;
}

static inline uint32_t facet_gx_encode_ia8(uint32_t texel)
{
    return facet_gx_alpha(texel) << 8 | facet_gx_luminance(texel);
}
static inline uint32_t facet_gx_encode_rgb565(uint32_t texel)
{
    return facet_gx_narrow(facet_gx_red(texel), 31) << 11 |
           facet_gx_narrow(facet_gx_green(texel), 63) << 5 |
           facet_gx_narrow(facet_gx_blue(texel), 31);
}

/* The squared distance in four channels. */
static inline uint32_t facet_gx_distance(uint32_t a, uint32_t b)
{
    int32_t r = (int32_t)facet_gx_red(a) - (int32_t)facet_gx_red(b);
    int32_t g = (int32_t)facet_gx_green(a) - (int32_t)facet_gx_green(b);
    int32_t u = (int32_t)facet_gx_blue(a) - (int32_t)facet_gx_blue(b);
    int32_t t = (int32_t)facet_gx_alpha(a) - (int32_t)facet_gx_alpha(b);
    return (uint32_t)(r * r + g * g + u * u + t * t);
}

/* The opaque form, or the form with alpha if it is nearer. */
static inline uint32_t facet_gx_encode_rgb5a3(uint32_t texel)
{
    uint32_t opaque = 0x8000 | facet_gx_narrow(facet_gx_red(texel), 31) << 10 |
                      facet_gx_narrow(facet_gx_green(texel), 31) << 5 |
                      facet_gx_narrow(facet_gx_blue(texel), 31);
    uint32_t graded = facet_gx_narrow(facet_gx_alpha(texel), 7) << 12 |
                      facet_gx_narrow(facet_gx_red(texel), 15) << 8 |
                      facet_gx_narrow(facet_gx_green(texel), 15) << 4 |
                      facet_gx_narrow(facet_gx_blue(texel), 15);
    return facet_gx_distance(facet_gx_decode_rgb5a3(graded), texel) <
                   facet_gx_distance(facet_gx_decode_rgb5a3(opaque), texel)
               ? graded
               : opaque;
}

static inline uint32_t facet_gx_encode_entry(facet_gx_palette_format format, uint32_t texel)
{
    if (format == FACET_GX_PALETTE_IA8)
        return facet_gx_encode_ia8(texel);
    return format == FACET_GX_PALETTE_RGB565 ? facet_gx_encode_rgb565(texel)
                                             : facet_gx_encode_rgb5a3(texel);
}

/* -- CMPR (cmpr.c, cmpr_fit.c, cmpr_exact.c) ---------------------------- */

/* Number of sub-blocks that are fitted in parallel. */
#define FACET_GX_CMPR_LANES 8

/* An encoder of sub-blocks. It stores those that wait for a fit. */
typedef struct facet_gx_cmpr {
    facet_gx_quality quality;
    uint32_t count;
    uint8_t *outs[FACET_GX_CMPR_LANES];
    uint32_t texels[16][FACET_GX_CMPR_LANES];
} facet_gx_cmpr;

/* Encode 4x4 texels as one sub-block of 8 bytes. It is written to `out` now or later; `out` must
 * stay valid. */
void facet_gx_cmpr_add(facet_gx_cmpr *c, const uint32_t texels[16], uint8_t *out);
/* Write all waiting sub-blocks. */
void facet_gx_cmpr_finish(facet_gx_cmpr *c);
/* Encode texels without loss. Texels with alpha below 128 count as invisible. False, with nothing
 * written, if CMPR cannot store the texels exactly. */
bool facet_gx_encode_cmpr_exactly(const uint32_t texels[16], uint8_t out[8]);
/* Write the end points and the index of each texel. */
static inline void facet_gx_put_cmpr(uint32_t c0, uint32_t c1, const uint8_t indices[16],
                                     uint8_t out[8])
{
    facet_store_u16be(out, (uint16_t)c0);
    facet_store_u16be(out + 2, (uint16_t)c1);
    for (int y = 0; y < 4; y++) {
        const uint8_t *row = indices + y * 4;
        out[4 + y] = (uint8_t)(row[0] << 6 | row[1] << 4 | row[2] << 2 | row[3]);
    }
}

/* In formats with 1-bit alpha, texels with less alpha are transparent. */
#define FACET_GX_OPAQUE 128u

/* -- Palettes (palette.c) ----------------------------------------------- */

/* Searches the nearest entry of a palette. */
typedef struct facet_gx_finder {
    uint32_t count;
    uint32_t *texels;  /* the entries, sorted by `sums` */
    uint16_t *sums;    /* sum of the channels of each entry */
    uint16_t *indices; /* index of each entry in the palette */
} facet_gx_finder;
facet_status facet_gx_finder_make(facet_arena *arena, const facet_gx_palette *palette,
                                  facet_gx_finder *finder, facet_error *error);
void facet_gx_finder_free(facet_arena *arena, facet_gx_finder *finder);
/* Position of the nearest entry in the finder's arrays. `guess` is a start position; a near one
 * makes the search faster. */
uint32_t facet_gx_find(const facet_gx_finder *finder, uint32_t texel, uint32_t guess);

/* -- Rows of blocks ----------------------------------------------------- */

/* Decode `count` whole blocks that are next to each other. `table` has a texel for every index of
 * C4 and C8. */
typedef void facet_gx_row_decoder(const uint8_t *blocks, size_t count, uint8_t *out, size_t stride,
                                  const uint32_t *table);

/* Instruction sets, and the decoders that use them; NULL if the format has no such decoder. The
 * plain decoders support all formats except C14X2. */
typedef enum facet_gx_instructions {
    FACET_GX_PLAIN,
    FACET_GX_SSSE3,
    FACET_GX_AVX2,
    FACET_GX_AVX512 /* with 16-bit operations */
} facet_gx_instructions;
facet_gx_instructions facet_gx_processor(void);
facet_gx_row_decoder *facet_gx_plain_decoder(facet_gx_format format);
facet_gx_row_decoder *facet_gx_vector_decoder(facet_gx_format format, facet_gx_instructions level);

#endif
