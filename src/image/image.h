/* image/image.h - what the files of this folder share. */
#ifndef FACET_IMAGE_IMAGE_H
#define FACET_IMAGE_IMAGE_H

#include <facet/image.h>

/* Bytes of the image's pixels; its size has been checked when it was made. */
static inline size_t facet_image_bytes(const facet_image *image)
{
    return (size_t)image->width * image->height * image->channels *
           (image->is_float ? sizeof(float) : 1);
}

/* Set the shape and allocate the pixels; `encoded` is the size they come from,
 * for the limit, or 0 for none. */
facet_status facet_image_allocate(facet_arena *arena, facet_image *image, uint32_t width,
                                  uint32_t height, uint32_t channels, bool is_float, size_t encoded,
                                  facet_error *error);

/* facet_image_set_channels into an image of its own: `image` keeps its pixels. */
facet_status facet_image_with_channels(facet_arena *arena, const facet_image *image,
                                       uint32_t channels, facet_image *made, facet_error *error);
/* facet_image_resize in the same way. */
facet_status facet_image_with_size(facet_arena *arena, const facet_image *image, uint32_t width,
                                   uint32_t height, bool srgb, facet_image *made,
                                   facet_error *error);

/* Change the number of channels, 1 to 4: color to gray by Rec. 709 weights on
 * the stored values, gray to color by repetition, alpha added as opaque or
 * dropped. The pixels must be of `arena`, which takes them back. */
facet_status facet_image_set_channels(facet_arena *arena, facet_image *image, uint32_t channels,
                                      facet_error *error);

/* Levels of a full mip chain: 1 + floor(log2(max(width, height))). */
uint32_t facet_image_mip_count(uint32_t width, uint32_t height);

/* The next mip level: half as wide and high, rounded down, at least 1; *mip gets
 * pixels of its own and the names of `image`. */
facet_status facet_image_next_mip(facet_arena *arena, const facet_image *image, bool srgb,
                                  facet_image *mip, facet_error *error);

/* The pixels of an image of floats as bytes, by the sRGB curve but for alpha; those
 * outside 0 to 1 are clamped (finding LOSS-PIXELS). NULL without memory. */
uint8_t *facet_image_to_bytes(facet_arena *arena, const facet_image *image, facet_report *report);

/* Hand the images of a scene to an extractor: as they are encoded, pixels as PNG
 * or, of floats, Radiance HDR. Images that are files of their own are a note
 * EXTRACT-EXTERNAL. */
facet_status facet_extract_images(const facet_scene *scene, const facet_options *options,
                                  const facet_extractor *extractor, facet_error *error);

#endif
