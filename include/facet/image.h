/* facet/image.h - images: decoded, encoded, resized. PNG by libspng and libdeflate, JPEG by
 * libjpeg-turbo, WebP (read only) by libwebp, TGA, BMP, PSD and Radiance HDR by stb_image. Pixels
 * are 8-bit with 1 to 4 channels, or float (from HDR), top row first. Each of these formats is also
 * in the format table: its scene is one image.
 *
 * Stability: stable, except facet_image_media_type, facet_image_encode, facet_image_resize and
 * facet_image_nearest_power_of_two. */
#ifndef FACET_IMAGE_H
#define FACET_IMAGE_H

#include <facet/format.h>
#include <facet/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Media type of encoded bytes, detected from the first bytes; "" if unknown:
 *  - decoded: "image/png", "image/jpeg", "image/bmp", "image/vnd.adobe.photoshop",
 *    "image/vnd.radiance", "image/webp";
 *  - only detected: "image/avif", "image/ktx2", "image/vnd-ms.dds";
 *  - "image/x-tga", which has no magic number: detected if the header is plausible. */
FACET_EXPERIMENTAL_API const char *facet_image_media_type(const uint8_t *data, size_t size);

/* Decode image->data into image->pixels, allocated in `arena` (that of the image's scene). Does
 * nothing if the image has pixels. 16-bit samples become 8-bit (finding IMAGE-DEPTH), palettes RGB
 * or RGBA, CMYK RGB. Errors:
 *  - FACET_ERROR_MALFORMED (IMAGE-*);
 *  - FACET_ERROR_UNSUPPORTED for unknown bytes (IMAGE-UNKNOWN) and known ones that this build
 *    cannot decode (IMAGE-UNSUPPORTED);
 *  - FACET_ERROR_LIMIT (IMAGE-RATIO) if the pixels would need more than 2,048 times the encoded
 *    size, which no normal image does. facet_options.growth_limit raises this: 128 times per unit.
 */
FACET_API facet_status facet_image_decode(facet_arena *arena, facet_image *image,
                                          const facet_options *options, facet_error *error);

/* Compression effort for PNG files, which are always lossless. */
typedef enum facet_png_effort {
    FACET_PNG_DEFAULT = 0,
    FACET_PNG_FAST,  /* half the time, a few percent larger */
    FACET_PNG_SMALL, /* ten times slower, a few percent smaller */
    FACET_PNG_STORED /* no compression, for files that are unpacked at once */
} facet_png_effort;

/* Options for writing images. All zero: the defaults. */
typedef struct facet_image_options {
    uint32_t struct_size; /* sizeof(facet_image_options), or 0: that of release 0.3 */
    facet_png_effort png;
} facet_image_options;

/* Write pixels as a file of this media type:
 *  - "image/png" (8-bit);
 *  - "image/jpeg" (quality 1 to 100, 0: 92); alpha is dropped with a finding LOSS-PIXELS;
 *  - "image/vnd.radiance" (float; bytes are divided by 255).
 *
 * Floats become bytes by clamping and the sRGB curve (finding LOSS-PIXELS). Errors:
 * FACET_ERROR_ARGUMENT without pixels, FACET_ERROR_UNSUPPORTED. */
FACET_EXPERIMENTAL_API facet_status facet_image_encode(const facet_image *image,
                                                       const char *media_type, int quality,
                                                       const facet_options *options,
                                                       facet_output *output, facet_error *error);

/* Resample to width x height (each 1 to 16,384). srgb: filter in linear light, which is right for
 * colors; false for data such as normals. The pixels must be from `arena`, which frees them. */
FACET_EXPERIMENTAL_API facet_status facet_image_resize(facet_arena *arena, facet_image *image,
                                                       uint32_t width, uint32_t height, bool srgb,
                                                       facet_error *error);

/* The power of two nearest to `size`, at least 1; the larger one if two are equally near. */
FACET_EXPERIMENTAL_API uint32_t facet_image_nearest_power_of_two(uint32_t size);

#ifdef __cplusplus
}
#endif
#endif
