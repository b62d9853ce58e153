/* gx/choose.c - which GX format suits an image. */
#include "gx/choose.h"

#include "gx/texels.h"

/* What a texel shows of the image's content: bits that hold for all so far. */
static unsigned content_of(uint32_t texel)
{
    uint32_t r = gx_red(texel), g = gx_green(texel), b = gx_blue(texel), a = gx_alpha(texel);
    unsigned content = 0;
    if (r == g && g == b)
        content |= GX_GRAY | (r == a ? GX_ALPHA_IS_GRAY : 0) |
                   (r % 17 == 0 && a % 17 == 0 ? GX_NIBBLES : 0);
    if (a == 0 || a == 255)
        content |= GX_ONE_BIT_ALPHA | (a == 255 ? GX_ALL_OPAQUE : 0);
    if (gx_decode_rgb5a3(gx_encode_rgb5a3(texel)) == texel)
        content |= GX_IS_RGB5A3;
    return content;
}

gx_content gx_content_of(const uint8_t *rgba, size_t stride, uint32_t width, uint32_t height)
{
    gx_content content = {~0u, 0, (uint64_t)width * height};
    uint32_t last = 0;
    unsigned last_holds = content_of(0);
    for (uint32_t y = 0; y < height; y++) {
        for (uint32_t x = 0; x < width; x++) {
            uint32_t texel = facet_load_u32le(rgba + y * stride + (size_t)x * 4);
            if (texel != last) {
                last = texel;
                last_holds = content_of(texel);
            }
            content.holds &= last_holds;
            content.graded += !(last_holds & GX_ONE_BIT_ALPHA);
        }
    }
    return content;
}

facet_gx_format gx_format_for(const gx_content *content)
{
    unsigned holds = content->holds;
    if (holds & GX_GRAY) {
        if (holds & GX_ALPHA_IS_GRAY)
            return holds & GX_NIBBLES ? FACET_GX_I4 : FACET_GX_I8;
        return holds & GX_NIBBLES ? FACET_GX_IA4 : FACET_GX_IA8;
    }
    if (holds & GX_ONE_BIT_ALPHA)
        return FACET_GX_CMPR;
    return holds & GX_IS_RGB5A3 || content->graded <= content->texels / 4 ? FACET_GX_RGB5A3
                                                                          : FACET_GX_RGBA32;
}

facet_gx_format facet_gx_choose_format(const uint8_t *rgba, size_t stride, uint32_t width,
                                       uint32_t height)
{
    gx_content content = gx_content_of(rgba, stride, width, height);
    return gx_format_for(&content);
}
