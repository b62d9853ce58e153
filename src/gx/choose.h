/* gx/choose.h - what the texels of an image have in common. */
#ifndef FACET_GX_CHOOSE_H
#define FACET_GX_CHOOSE_H

#include <facet/gx.h>

/* What holds for every texel. */
enum {
    FACET_GX_GRAY = 1 << 0,          /* r = g = b */
    FACET_GX_ALPHA_IS_GRAY = 1 << 1, /* and a, too */
    FACET_GX_NIBBLES = 1 << 2,       /* gray and alpha are multiples of 17 */
    FACET_GX_ONE_BIT_ALPHA = 1 << 3, /* 0 or 255 */
    FACET_GX_ALL_OPAQUE = 1 << 4,    /* 255 */
    FACET_GX_IS_RGB5A3 = 1 << 5      /* held by RGB5A3 exactly */
};

typedef struct facet_gx_content {
    unsigned holds;
    uint64_t graded; /* texels whose alpha is neither 0 nor 255 */
    uint64_t texels;
} facet_gx_content;

facet_gx_content facet_gx_content_of(const facet_gx_pixels *pixels);
/* The format that suits an image, by its content, the first of:
 *   I4      every texel has r = g = b = a, and I4 holds them exactly
 *   I8      every texel has r = g = b = a
 *   IA4     every texel is gray, and IA4 holds them exactly
 *   IA8     every texel is gray
 *   CMPR    every alpha is 0 or 255
 *   RGB5A3  it holds all texels exactly, or at most a quarter of them is neither
 *           transparent nor opaque
 *   RGBA32  everything else */
facet_gx_format facet_gx_format_for(const facet_gx_content *content);

#endif
