/* gx/equal_image.h - comparison of an image with a texture. If they are equal, keep the texture:
 * encoding it again would only lose quality. */
#ifndef FACET_GX_EQUAL_IMAGE_H
#define FACET_GX_EQUAL_IMAGE_H

#include <facet/gx.h>
#include <facet/image.h>

/* Texel i of an image of bytes, as red, green, blue and alpha. */
void facet_gx_texel_of(const facet_image *image, size_t i, uint8_t out[4]);

/* True if an image has exactly the pixels of a mip level of a texture. */
bool facet_gx_texture_equals(facet_arena *scratch, const facet_gx_texture *texture, uint32_t level,
                             const facet_image *image);

#endif
