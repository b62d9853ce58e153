/* gx/choose.c - choice of a GX format for an image. */
#include "gx/choose.h"

#include "gx/texels.h"

/* The properties of one texel, as bits of facet_gx_content. */
static unsigned content_of(uint32_t texel)
{
    uint32_t r = facet_gx_red(texel), g = facet_gx_green(texel), b = facet_gx_blue(texel),
             a = facet_gx_alpha(texel);
    unsigned content = 0;
    if (r == g && g == b)
        content |= FACET_GX_GRAY | (r == a ? FACET_GX_ALPHA_IS_GRAY : 0) |
                   (r % 17 == 0 && a % 17 == 0 ? FACET_GX_NIBBLES : 0);
    if (a == 0 || a == 255)
        content |= FACET_GX_ONE_BIT_ALPHA | (a == 255 ? FACET_GX_ALL_OPAQUE : 0);
    if (facet_gx_decode_rgb5a3(facet_gx_encode_rgb5a3(texel)) == texel)
        content |= FACET_GX_IS_RGB5A3;
    return content;
}

facet_gx_content facet_gx_content_of(const facet_gx_pixels *pixels)
{
    facet_gx_content content = {~0u, 0, (uint64_t)pixels->width * pixels->height};
    uint32_t last = 0;
    unsigned last_holds = content_of(0);
    for (uint32_t y = 0; y < pixels->height; y++) {
        for (uint32_t x = 0; x < pixels->width; x++) {
            uint32_t texel = facet_load_u32le(pixels->rgba + y * pixels->stride + (size_t)x * 4);
            if (texel != last) {
                last = texel;
                last_holds = content_of(texel);
            }
            content.holds &= last_holds;
            content.graded += !(last_holds & FACET_GX_ONE_BIT_ALPHA);
        }
    }
    return content;
}

facet_gx_format facet_gx_format_for(const facet_gx_content *content)
{
    unsigned holds = content->holds;
    if (holds & FACET_GX_GRAY) {
        if (holds & FACET_GX_ALPHA_IS_GRAY)
            return holds & FACET_GX_NIBBLES ? FACET_GX_I4 : FACET_GX_I8;
        return holds & FACET_GX_NIBBLES ? FACET_GX_IA4 : FACET_GX_IA8;
    }
    if (holds & FACET_GX_ONE_BIT_ALPHA)
        return FACET_GX_CMPR;
    return holds & FACET_GX_IS_RGB5A3 || content->graded <= content->texels / 4 ? FACET_GX_RGB5A3
                                                                                : FACET_GX_RGBA32;
}
