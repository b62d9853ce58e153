/* image/png.h - encoder of PNG. */
#ifndef FACET_IMAGE_PNG_H
#define FACET_IMAGE_PNG_H

#include <facet/image.h>

/* Append a PNG with 8 bits per channel. Temporary memory is from `arena`. */
facet_status facet_png_encode(const facet_image *image, const uint8_t *pixels,
                              facet_png_effort effort, facet_arena *arena, facet_output *output,
                              facet_error *error);

#endif
