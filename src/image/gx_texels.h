/* image/gx_texels.h - single texels of GX, and what the files of the codec
 * share. A texel is r | g << 8 | b << 16 | a << 24, whatever the host's order. */
#ifndef FACET_IMAGE_GX_TEXELS_H
#define FACET_IMAGE_GX_TEXELS_H

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

/* The four colours of a CMPR sub-block. */
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
