/* gx/choose.h - properties that all texels of an image share. */
#ifndef FACET_GX_CHOOSE_H
#define FACET_GX_CHOOSE_H

#include <facet/gx.h>

/* Properties of every texel. */
enum {
    FACET_GX_GRAY = 1 << 0,          /* r = g = b */
    FACET_GX_ALPHA_IS_GRAY = 1 << 1, /* r = g = b = a */
    FACET_GX_NIBBLES = 1 << 2,       /* gray and alpha are multiples of 17 */
    FACET_GX_ONE_BIT_ALPHA = 1 << 3, /* alpha is 0 or 255 */
    FACET_GX_ALL_OPAQUE = 1 << 4,    /* alpha is 255 */
    FACET_GX_IS_RGB5A3 = 1 << 5      /* RGB5A3 stores it exactly */
};

typedef struct facet_gx_content {
    unsigned holds;
    uint64_t graded; /* number of texels with alpha from 1 to 254 */
    uint64_t texels;
} facet_gx_content;

facet_gx_content facet_gx_content_of(const facet_gx_pixels *pixels);
/* The format for an image with this content: the first one whose condition holds.
 * - I4: every texel has r = g = b = a, and I4 stores them exactly.
 * - I8: every texel has r = g = b = a.
 * - IA4: every texel is gray, and IA4 stores them exactly.
 * - IA8: every texel is gray.
 * - CMPR: every alpha is 0 or 255.
 * - RGB5A3: it stores all texels exactly, or at most a quarter has alpha from 1 to 254.
 * - RGBA32: always. */
facet_gx_format facet_gx_format_for(const facet_gx_content *content);

#endif
