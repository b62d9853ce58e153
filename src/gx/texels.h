/* gx/texels.h - single texels of GX, and what the files of the codec
 * share. A texel is r | g << 8 | b << 16 | a << 24, whatever the host's order. */
#ifndef FACET_GX_TEXELS_H
#define FACET_GX_TEXELS_H

#include "base/bytes.h"

#include <facet/gx.h>

/* Longer sides than this are refused: a header has 16 bits for them. */
#define GX_LONGEST_SIDE 65535u
/* The longest that the hardware takes. */
#define GX_HARDWARE_SIDE 1024u

/* -- Widening ----------------------------------------------------------- */

static inline uint32_t gx_widen3(uint32_t v)
{
    return v << 5 | v << 2 | v >> 1;
}
static inline uint32_t gx_widen4(uint32_t v)
{
    return v << 4 | v;
}
static inline uint32_t gx_widen5(uint32_t v)
{
    return v << 3 | v >> 2;
}
static inline uint32_t gx_widen6(uint32_t v)
{
    return v << 2 | v >> 4;
}

/* -- Texels ------------------------------------------------------------- */

static inline uint32_t gx_texel(uint32_t r, uint32_t g, uint32_t b, uint32_t a)
{
    return r | g << 8 | b << 16 | a << 24;
}
static inline uint32_t gx_red(uint32_t texel)
{
    return texel & 255;
}
static inline uint32_t gx_green(uint32_t texel)
{
    return texel >> 8 & 255;
}
static inline uint32_t gx_blue(uint32_t texel)
{
    return texel >> 16 & 255;
}
static inline uint32_t gx_alpha(uint32_t texel)
{
    return texel >> 24;
}

/* 0xAAII */
static inline uint32_t gx_decode_ia8(uint32_t v)
{
    return (v & 255) * 0x010101u | v >> 8 << 24;
}
static inline uint32_t gx_decode_rgb565(uint32_t v)
{
    return gx_texel(gx_widen5(v >> 11), gx_widen6(v >> 5 & 63), gx_widen5(v & 31), 255);
}
static inline uint32_t gx_decode_rgb5a3(uint32_t v)
{
    if (v & 0x8000)
        return gx_texel(gx_widen5(v >> 10 & 31), gx_widen5(v >> 5 & 31), gx_widen5(v & 31), 255);
    return gx_texel(gx_widen4(v >> 8 & 15), gx_widen4(v >> 4 & 15), gx_widen4(v & 15),
                    gx_widen3(v >> 12));
}
/* An entry of a palette, whose format is a known one. */
static inline uint32_t gx_decode_entry(facet_gx_palette_format format, uint32_t v)
{
    if (format == FACET_GX_PALETTE_IA8)
        return gx_decode_ia8(v);
    return format == FACET_GX_PALETTE_RGB565 ? gx_decode_rgb565(v) : gx_decode_rgb5a3(v);
}

/* The four colors of a CMPR sub-block. */
static inline void gx_cmpr_colors(uint32_t c0, uint32_t c1, uint32_t colors[4])
{
    uint32_t a = gx_decode_rgb565(c0), b = gx_decode_rgb565(c1);
    colors[0] = a;
    colors[1] = b;
    if (c0 > c1) {
        colors[2] =
            gx_texel((5 * gx_red(a) + 3 * gx_red(b)) >> 3, (5 * gx_green(a) + 3 * gx_green(b)) >> 3,
                     (5 * gx_blue(a) + 3 * gx_blue(b)) >> 3, 255);
        colors[3] =
            gx_texel((3 * gx_red(a) + 5 * gx_red(b)) >> 3, (3 * gx_green(a) + 5 * gx_green(b)) >> 3,
                     (3 * gx_blue(a) + 5 * gx_blue(b)) >> 3, 255);
    } else {
        uint32_t middle = gx_texel((gx_red(a) + gx_red(b)) >> 1, (gx_green(a) + gx_green(b)) >> 1,
                                   (gx_blue(a) + gx_blue(b)) >> 1, 0);
        colors[2] = middle | 255u << 24;
        colors[3] = middle;
    }
}

/* -- Rounding ----------------------------------------------------------- */

/* The number of so many bits which widens to the value nearest to v. */
static inline uint32_t gx_narrow(uint32_t v, uint32_t most)
{
    return (v * most + 127) / 255;
}

/* Rec. 709 in 256ths; gray stays what it is. */
static inline uint32_t gx_luminance(uint32_t texel)
{
    return (54 * gx_red(texel) + 183 * gx_green(texel) + 19 * gx_blue(texel) + 128) >> 8;
}

static inline uint32_t gx_encode_ia8(uint32_t texel)
{
    return gx_alpha(texel) << 8 | gx_luminance(texel);
}
static inline uint32_t gx_encode_rgb565(uint32_t texel)
{
    return gx_narrow(gx_red(texel), 31) << 11 | gx_narrow(gx_green(texel), 63) << 5 |
           gx_narrow(gx_blue(texel), 31);
}

/* The square of the distance, alpha included. */
static inline uint32_t gx_distance(uint32_t a, uint32_t b)
{
    int32_t r = (int32_t)gx_red(a) - (int32_t)gx_red(b);
    int32_t g = (int32_t)gx_green(a) - (int32_t)gx_green(b);
    int32_t u = (int32_t)gx_blue(a) - (int32_t)gx_blue(b);
    int32_t t = (int32_t)gx_alpha(a) - (int32_t)gx_alpha(b);
    return (uint32_t)(r * r + g * g + u * u + t * t);
}

/* The opaque form, or that with alpha when it is nearer. */
static inline uint32_t gx_encode_rgb5a3(uint32_t texel)
{
    uint32_t opaque = 0x8000 | gx_narrow(gx_red(texel), 31) << 10 |
                      gx_narrow(gx_green(texel), 31) << 5 | gx_narrow(gx_blue(texel), 31);
    uint32_t graded = gx_narrow(gx_alpha(texel), 7) << 12 | gx_narrow(gx_red(texel), 15) << 8 |
                      gx_narrow(gx_green(texel), 15) << 4 | gx_narrow(gx_blue(texel), 15);
    return gx_distance(gx_decode_rgb5a3(graded), texel) <
                   gx_distance(gx_decode_rgb5a3(opaque), texel)
               ? graded
               : opaque;
}

static inline uint32_t gx_encode_entry(facet_gx_palette_format format, uint32_t texel)
{
    if (format == FACET_GX_PALETTE_IA8)
        return gx_encode_ia8(texel);
    return format == FACET_GX_PALETTE_RGB565 ? gx_encode_rgb565(texel) : gx_encode_rgb5a3(texel);
}

/* -- CMPR (gx_cmpr.c, gx_cmpr_exact.c) ---------------------------------- */

/* Four by four texels as one sub-block. */
void gx_encode_cmpr(const uint32_t texels[16], facet_gx_quality quality, uint8_t out[8]);
/* The same without any error in what is seen (alpha below 128 is not); false,
 * and nothing written, when CMPR cannot hold the texels so. */
bool gx_encode_cmpr_exactly(const uint32_t texels[16], uint8_t out[8]);
/* Write the end points and the index of each texel. */
void gx_put_cmpr(uint32_t c0, uint32_t c1, const uint8_t indices[16], uint8_t out[8]);

/* Texels with less alpha than this are transparent where there is one bit of it. */
#define GX_OPAQUE 128u

/* -- Palettes (gx_palette.c) -------------------------------------------- */

/* Finds the nearest entry of a palette. */
typedef struct gx_finder {
    uint32_t count;
    uint32_t *texels;  /* the entries, sorted by the sum of their channels */
    uint16_t *sums;    /* that sum */
    uint16_t *indices; /* their places in the palette */
} gx_finder;
facet_status gx_finder_make(facet_arena *arena, const facet_gx_palette *palette, gx_finder *finder,
                            facet_error *error);
void gx_finder_release(facet_arena *arena, gx_finder *finder);
/* Place in the finder's arrays of the entry nearest to a texel; `guess`, another
 * place, makes it faster when it is near. */
uint32_t gx_find(const gx_finder *finder, uint32_t texel, uint32_t guess);

/* -- Rows of blocks ----------------------------------------------------- */

/* Decodes `count` whole blocks that stand side by side. `table` has a texel for
 * every index of C4 and C8. */
typedef void gx_row_decoder(const uint8_t *blocks, size_t count, uint8_t *out, size_t stride,
                            const uint32_t *table);

/* What the processor can do, and the decoders that use it. NULL when there is no
 * such decoder: the plain ones know every format but C14X2. */
typedef enum gx_level { GX_PLAIN, GX_SSSE3, GX_AVX2 } gx_level;
gx_level gx_processor(void);
gx_row_decoder *gx_plain_decoder(facet_gx_format format);
gx_row_decoder *gx_vector_decoder(facet_gx_format format, gx_level level);

#endif
