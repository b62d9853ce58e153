/* image/png.h - the encoder of PNG. */
#ifndef FACET_IMAGE_PNG_H
#define FACET_IMAGE_PNG_H

#include <facet/image.h>

/* Append a PNG of 8 bits per channel; working memory comes from `arena`. */
facet_status facet_png_encode(const facet_image *image, const uint8_t *pixels,
                              facet_png_effort effort, facet_arena *arena, facet_output *output,
                              facet_error *error);

#endif
