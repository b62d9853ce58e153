/* facet/gx.h - textures of GX, the graphics processor of GameCube and Wii.
 *
 * A GX texture is split into blocks of 32 bytes (RGBA32: 64), stored row by row. The texels of a
 * block are also stored row by row. Sizes that are not a multiple of the block are padded. Mip
 * level i has max(1, width >> i) by max(1, height >> i) texels and directly follows level i - 1.
 * Texels decode to RGBA, with 8 bits each, top row first, bit for bit as on the hardware. Values of
 * 3, 4, 5 and 6 bits are widened by repetition. CMPR mixes its two colors 5:3 and 3:5, not 2:1 as
 * the DXT1 of a PC does. docs/reference/formats/gx-textures.md has the tables.
 *
 * All functions are safe on untrusted bytes, and use vector instructions if the processor has them.
 * Results do not depend on these, nor on the number of threads.
 *
 * Stability: experimental. */
#ifndef FACET_GX_H
#define FACET_GX_H

#include <facet/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

/* -- Formats ------------------------------------------------------------ */

/* Texel formats. The numbers are those in the files. */
typedef enum facet_gx_format {
    FACET_GX_I4 = 0,     /* 4-bit intensity, used for red, green, blue and alpha */
    FACET_GX_I8 = 1,     /* 8-bit intensity, used likewise */
    FACET_GX_IA4 = 2,    /* 4-bit alpha, 4-bit intensity */
    FACET_GX_IA8 = 3,    /* 8-bit alpha, 8-bit intensity */
    FACET_GX_RGB565 = 4, /* opaque */
    FACET_GX_RGB5A3 = 5, /* 5 bits per color and opaque, or 4 bits per color and 3 bits of alpha */
    FACET_GX_RGBA32 = 6, /* 8 bits per component */
    FACET_GX_C4 = 8,     /* 4-bit index into a palette */
    FACET_GX_C8 = 9,     /* 8-bit index into a palette */
    FACET_GX_C14X2 = 10, /* 14-bit index into a palette */
    FACET_GX_CMPR = 14   /* 4 bits per texel: blocks of two colors and their mixes; opaque, or
                            1-bit alpha */
} facet_gx_format;

/* Format of palette entries: 16 bits, big-endian, like the texel format of that name. */
typedef enum facet_gx_palette_format {
    FACET_GX_PALETTE_IA8 = 0,
    FACET_GX_PALETTE_RGB565 = 1,
    FACET_GX_PALETTE_RGB5A3 = 2
} facet_gx_palette_format;

/* Name of a format: "I4", "RGBA32", "C14X2", "CMPR" ...; NULL for an unknown number. */
FACET_EXPERIMENTAL_API const char *facet_gx_format_name(facet_gx_format format);
/* Name of a palette format: "IA8", "RGB565", "RGB5A3"; NULL for an unknown number. */
FACET_EXPERIMENTAL_API const char *facet_gx_palette_format_name(facet_gx_palette_format format);
/* Maximum palette entries of a format: 16, 256 or 16,384; 0 for a format without palette. */
FACET_EXPERIMENTAL_API uint32_t facet_gx_palette_limit(facet_gx_format format);

/* -- Textures ----------------------------------------------------------- */

typedef struct facet_gx_palette {
    facet_gx_palette_format format;
    const uint8_t *entries; /* count * 2 bytes, big-endian, at any alignment */
    uint32_t count;
} facet_gx_palette;

/* A texture in the form of a file. The caller owns the bytes. */
typedef struct facet_gx_texture {
    facet_gx_format format;
    uint32_t width, height; /* 1 to 65,535; the hardware supports up to 1,024 */
    uint32_t levels;        /* number of mip levels, at least 1 */
    const uint8_t *data;    /* the levels, largest first */
    size_t size;
    facet_gx_palette palette; /* for C4, C8 and C14X2; otherwise all zero */
} facet_gx_texture;

/* Compute the bytes of the first `levels` mip levels, which is also the offset of the next; 0
 * levels have 0 bytes. Errors: FACET_ERROR_MALFORMED with GX-FORMAT (unknown format), GX-SIZE (a
 * side is 0 or more than 65,535), GX-LEVELS (more levels than a full chain has). */
FACET_EXPERIMENTAL_API facet_status facet_gx_texture_size(facet_gx_format format, uint32_t width,
                                                          uint32_t height, uint32_t levels,
                                                          size_t *bytes, facet_error *error);

/* -- Decoding ----------------------------------------------------------- */

/* Decode one mip level into `rgba`: rows of level width * 4 bytes, `stride` bytes apart (at least
 * that). Indices beyond the palette become transparent black, with a warning GX-PALETTE-INDEX in
 * options->report. On failure nothing is written. Allocates nothing; linear in the texels. Errors:
 *  - those of facet_gx_texture_size;
 *  - FACET_ERROR_MALFORMED with GX-TRUNCATED (the bytes end before the level does) or GX-PALETTE
 *    (missing palette, or unknown palette format);
 *  - FACET_ERROR_ARGUMENT for a level that does not exist or a stride that is too small. */
FACET_EXPERIMENTAL_API facet_status facet_gx_decode(const facet_gx_texture *texture, uint32_t level,
                                                    const facet_options *options, uint8_t *rgba,
                                                    size_t stride, facet_error *error);

/* Decode level 0 into image->pixels and the other levels into image->smaller, allocated in `arena`.
 * There are 3 channels if every texel is opaque, otherwise 4. Sets width, height, channels,
 * is_float and smaller_count; the rest of *image is unchanged. */
FACET_EXPERIMENTAL_API facet_status facet_gx_decode_image(facet_arena *arena,
                                                          const facet_gx_texture *texture,
                                                          const facet_options *options,
                                                          facet_image *image, facet_error *error);

/* -- Formats by name ----------------------------------------------------- */

/* Get the format with a name, ignoring case. "RGBA8", "CI4", "CI8" and "CI14X2" are accepted as
 * well. Returns false, and does not change *format, if the name is unknown. */
FACET_EXPERIMENTAL_API bool facet_gx_format_named(const char *name, facet_gx_format *format);
FACET_EXPERIMENTAL_API bool facet_gx_palette_format_named(const char *name,
                                                          facet_gx_palette_format *format);

/* -- Encoding ----------------------------------------------------------- */

typedef enum facet_gx_quality {
    FACET_GX_NORMAL = 0, /* CMPR: principal axis, refined by least squares */
    FACET_GX_FAST,       /* CMPR: only principal axis */
    FACET_GX_BEST        /* CMPR: like NORMAL, with a search around the best end points */
} facet_gx_quality;

typedef struct facet_gx_encode_options {
    uint32_t struct_size; /* sizeof(facet_gx_encode_options), or 0: that of release 0.2 */
    facet_gx_quality quality;
    bool dither; /* distribute rounding errors over the neighbors (Floyd and Steinberg); CMPR and
                    formats with 8 bits per channel are never dithered */
} facet_gx_encode_options;

/* An image in memory. */
typedef struct facet_gx_pixels {
    const uint8_t *rgba; /* 8 bits per component, top row first */
    size_t stride;       /* bytes from one row to the next, at least width * 4 */
    uint32_t width, height;
} facet_gx_pixels;

/* Destination of one encoded mip level. */
typedef struct facet_gx_target {
    facet_gx_format format;
    const facet_gx_palette *palette; /* for C4, C8 and C14X2; otherwise ignored */
    uint8_t *data;
    size_t size; /* must be exactly facet_gx_texture_size of one level */
} facet_gx_target;

/* Encode one mip level. Every texel becomes the nearest value of the format. Output of
 * facet_gx_decode is encoded without change, also for CMPR. Padding repeats the last row and
 * column. I4, I8, IA4 and IA8 use the luminance; I4, I8 and RGB565 drop alpha; CMPR treats alpha
 * below 128 as transparent. `how` may be NULL. Errors: those of facet_gx_texture_size,
 * FACET_ERROR_ARGUMENT, FACET_ERROR_MEMORY. */
FACET_EXPERIMENTAL_API facet_status facet_gx_encode(const facet_gx_pixels *pixels,
                                                    const facet_gx_encode_options *how,
                                                    const facet_options *options,
                                                    const facet_gx_target *target,
                                                    facet_error *error);

/* Create a palette of at most `most` entries (1 to 16,384) for an image. If its colors, rounded to
 * `format`, are few enough, they are used. Otherwise the palette is found by median cut, and each
 * entry moves to the mean of its colors. `entries` has space for `most` * 2 bytes; *count is the
 * number of entries. Errors: FACET_ERROR_ARGUMENT, FACET_ERROR_MEMORY. */
FACET_EXPERIMENTAL_API facet_status facet_gx_make_palette(
    const facet_gx_pixels *pixels, facet_gx_palette_format format, uint32_t most,
    const facet_options *options, uint8_t *entries, uint32_t *count, facet_error *error);

/* All mip levels that the hardware can use. */
#define FACET_GX_ALL_LEVELS UINT32_MAX

typedef struct facet_gx_texture_options {
    uint32_t struct_size; /* sizeof(facet_gx_texture_options), or 0: that of release 0.2 */
    bool has_format;      /* false: chosen by content (docs/reference/formats/gx-textures.md) */
    facet_gx_format format;
    bool has_palette_format; /* false: RGB565 if every texel is opaque, IA8 if all are gray,
                                otherwise RGB5A3 */
    facet_gx_palette_format palette_format;
    uint32_t levels; /* 0: 1; FACET_GX_ALL_LEVELS: a full chain if both sides are powers of two,
                        otherwise 1; larger than a full chain: a full chain */
    bool linear;     /* texels are data such as normals, so mip levels are not filtered as colors */
    facet_gx_encode_options encode;
} facet_gx_texture_options;

/* Encode a decoded image (image->pixels) with its mip levels and palette, allocated in `arena`.
 * `how` may be NULL. Losses go to options->report as LOSS-PIXELS: the format has less alpha than
 * the image, a gray format gets colors, or floats become bytes. Errors: FACET_ERROR_LIMIT with
 * GX-SIZE if a side is longer than 1,024; FACET_ERROR_ARGUMENT without pixels; FACET_ERROR_MEMORY.
 */
FACET_EXPERIMENTAL_API facet_status facet_gx_encode_image(
    facet_arena *arena, const facet_image *image, const facet_gx_texture_options *how,
    const facet_options *options, facet_gx_texture *texture, facet_error *error);

#ifdef __cplusplus
}
#endif
#endif
