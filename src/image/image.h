/* image/image.h - shared declarations of this folder. */
#ifndef FACET_IMAGE_IMAGE_H
#define FACET_IMAGE_IMAGE_H

#include <facet/image.h>

/* Size of the image's pixels in bytes. It was checked when the image was created. */
static inline size_t facet_image_bytes(const facet_image *image)
{
    return (size_t)image->width * image->height * image->channels *
           (image->is_float ? sizeof(float) : 1);
}

/* Set the shape and allocate the pixels. `encoded` is the size of the encoded data, used for the
 * limit; 0: no limit. */
facet_status facet_image_allocate(facet_arena *arena, facet_image *image, uint32_t width,
                                  uint32_t height, uint32_t channels, bool is_float, size_t encoded,
                                  const facet_options *options, facet_error *error);

/* True for a PNG with 16 bits per sample, which facet_image_decode rounds to 8. */
bool facet_image_is_deep(const facet_image *image);
/* Decode such a PNG to floats from 0 to 1 of four channels, into a new image. Errors as for
 * facet_image_decode. */
facet_status facet_image_decode_deep(facet_arena *arena, const facet_image *image,
                                     facet_image *deep, facet_error *error);

/* The same as facet_image_set_channels, but into a new image; `image` keeps its pixels. */
facet_status facet_image_with_channels(facet_arena *arena, const facet_image *image,
                                       uint32_t channels, facet_image *made, facet_error *error);
/* The same as facet_image_resize, but into a new image. */
facet_status facet_image_with_size(facet_arena *arena, const facet_image *image, uint32_t width,
                                   uint32_t height, bool srgb, facet_image *made,
                                   facet_error *error);

/* Change the number of channels, 1 to 4. Color becomes gray by Rec. 709 weights on the stored
 * values, and gray becomes color by repetition. Alpha is added as opaque, or dropped. `arena` must
 * own the pixels, and frees them. */
facet_status facet_image_set_channels(facet_arena *arena, facet_image *image, uint32_t channels,
                                      facet_error *error);

/* Number of levels of a full mip chain: 1 + floor(log2(max(width, height))). */
uint32_t facet_image_mip_count(uint32_t width, uint32_t height);

/* Make the next mip level: half the width and height, rounded down, at least 1. *mip gets new
 * pixels, and the names of `image`. */
facet_status facet_image_next_mip(facet_arena *arena, const facet_image *image, bool srgb,
                                  facet_image *mip, facet_error *error);

/* The pixels of a float image as bytes, by the sRGB curve except for alpha. Values outside 0 to 1
 * are clamped (finding LOSS-PIXELS). NULL if out of memory. */
uint8_t *facet_image_to_bytes(facet_arena *arena, const facet_image *image, facet_report *report);

/* Pass the images of a scene to an extractor: encoded ones unchanged, pixels as PNG, float pixels
 * as Radiance HDR. External image files cause a note EXTRACT-EXTERNAL. */
facet_status facet_extract_images(const facet_scene *scene, const facet_options *options,
                                  const facet_extractor *extractor, facet_error *error);

#endif
