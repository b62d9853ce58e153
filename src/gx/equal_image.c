/* gx/equal_image.c - comparison of an image with a texture. */
#include "gx/equal_image.h"

#include "base/arena.h"

#include <string.h>

void facet_gx_texel_of(const facet_image *image, size_t i, uint8_t out[4])
{
    const uint8_t *at = (const uint8_t *)image->pixels + i * image->channels;
    bool gray = image->channels < 3;
    for (int c = 0; c < 3; c++)
        out[c] = at[gray ? 0 : c];
    out[3] = image->channels == 2 ? at[1] : image->channels == 4 ? at[3] : 255;
}

bool facet_gx_texture_equals(facet_arena *scratch, const facet_gx_texture *texture, uint32_t level,
                             const facet_image *image)
{
    facet_error why;
    if (level >= texture->levels || image->is_float || !image->pixels)
        return false;
    uint32_t width = texture->width >> level, height = texture->height >> level;
    width = width ? width : 1;
    height = height ? height : 1;
    if (image->width != width || image->height != height)
        return false;
    size_t count = (size_t)width * height;
    uint8_t *known = facet_arena_allocate(scratch, count, 4), texel[4];
    bool same = known && !facet_gx_decode(texture, level, NULL, known, (size_t)width * 4, &why);
    for (size_t i = 0; i < count && same; i++) {
        facet_gx_texel_of(image, i, texel);
        same = memcmp(known + i * 4, texel, 4) == 0;
    }
    facet_arena_release(scratch, known, count, 4);
    return same;
}
