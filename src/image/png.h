/* image/png.h - decoder and encoder of PNG. */
#ifndef FACET_IMAGE_PNG_H
#define FACET_IMAGE_PNG_H

#include <facet/image.h>

/* Decode a PNG: set the shape, and allocate and fill the pixels (png_read.c). */
facet_status facet_png_decode(facet_arena *arena, facet_image *image, const facet_options *options,
                              facet_error *error);

/* Fill the pixels of a PNG of 8 bits per sample without a palette, transparency chunk or
 * interlacing, whose chunks before the pixels are valid. The image has the channels of the file.
 * Temporary memory is from `arena`. False if libspng must decode it and report what is wrong: the
 * data is damaged, a build has no libdeflate, or it is out of memory (png_plain.c). */
bool facet_png_read_plain(facet_arena *arena, const facet_image *image);

/* Append a PNG with 8 bits per channel. Temporary memory is from `arena` (png.c). */
facet_status facet_png_encode(const facet_image *image, const uint8_t *pixels,
                              facet_png_effort effort, facet_arena *arena, facet_output *output,
                              facet_error *error);

#endif
