/* gx/choose.h - what the texels of an image have in common. */
#ifndef FACET_GX_CHOOSE_H
#define FACET_GX_CHOOSE_H

#include <facet/gx.h>

/* What holds for every texel. */
enum {
    GX_GRAY = 1 << 0,          /* r = g = b */
    GX_ALPHA_IS_GRAY = 1 << 1, /* and a, too */
    GX_NIBBLES = 1 << 2,       /* gray and alpha are multiples of 17 */
    GX_ONE_BIT_ALPHA = 1 << 3, /* 0 or 255 */
    GX_ALL_OPAQUE = 1 << 4,    /* 255 */
    GX_IS_RGB5A3 = 1 << 5      /* held by RGB5A3 exactly */
};

typedef struct gx_content {
    unsigned holds;
    uint64_t graded; /* texels whose alpha is neither 0 nor 255 */
    uint64_t texels;
} gx_content;

gx_content gx_content_of(const uint8_t *rgba, size_t stride, uint32_t width, uint32_t height);
facet_gx_format gx_format_for(const gx_content *content);

#endif
