/* facet/gx.h - textures of GX, the graphics processor of GameCube and Wii.
 *
 * A GX texture is cut into blocks of 32 bytes (RGBA32: 64), which stand row by
 * row; the texels of a block do, too. Sizes that are no multiple of the block
 * are padded. Mip level i is max(1, width >> i) by max(1, height >> i) texels
 * and follows level i - 1 at once. Texels decode to RGBA, 8 bits each, top row
 * first, bit for bit as the hardware does: 3, 4, 5 and 6 bits widen by
 * repetition, and CMPR mixes its two colors 5:3 and 3:5, not 2:1 as a PC's
 * DXT1 does. docs/reference/formats/gx-textures.md has the tables.
 *
 * Everything here is safe on hostile bytes, and uses vector instructions where
 * the processor has them; results do not depend on them, nor on threads.
 *
 * Stability: experimental. */
#ifndef FACET_GX_H
#define FACET_GX_H

#include <facet/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

/* -- Formats ------------------------------------------------------------ */

/* The numbers are those of the files. */
typedef enum facet_gx_format {
    FACET_GX_I4 = 0,     /* 4-bit intensity, which is red, green, blue and alpha */
    FACET_GX_I8 = 1,     /* the same in 8 bits */
    FACET_GX_IA4 = 2,    /* 4-bit alpha, 4-bit intensity */
    FACET_GX_IA8 = 3,    /* 8-bit alpha, 8-bit intensity */
    FACET_GX_RGB565 = 4, /* opaque */
    FACET_GX_RGB5A3 = 5, /* 5 bits a color and opaque, or 4 bits a color and 3 of alpha */
    FACET_GX_RGBA32 = 6, /* 8 bits each */
    FACET_GX_C4 = 8,     /* 4-bit index into a palette */
    FACET_GX_C8 = 9,     /* 8-bit index */
    FACET_GX_C14X2 = 10, /* 14-bit index */
    FACET_GX_CMPR = 14 /* 4 bits a texel: blocks of two colors and mixes; opaque, or 1-bit alpha */
} facet_gx_format;

/* What the entries of a palette are: 16 bits, big-endian, as the format so called. */
typedef enum facet_gx_palette_format {
    FACET_GX_PALETTE_IA8 = 0,
    FACET_GX_PALETTE_RGB565 = 1,
    FACET_GX_PALETTE_RGB5A3 = 2
} facet_gx_palette_format;

/* "I4", "RGBA32", "C14X2", "CMPR" ...; NULL for a number that is no format. */
FACET_EXPERIMENTAL_API const char *facet_gx_format_name(facet_gx_format format);
/* "IA8", "RGB565", "RGB5A3"; NULL for a number that is no palette format. */
FACET_EXPERIMENTAL_API const char *facet_gx_palette_format_name(facet_gx_palette_format format);
/* Entries that a palette of the format may have: 16, 256 or 16,384; 0 for a
 * format without palette. */
FACET_EXPERIMENTAL_API uint32_t facet_gx_palette_limit(facet_gx_format format);

/* -- Textures ----------------------------------------------------------- */

typedef struct facet_gx_palette {
    facet_gx_palette_format format;
    const uint8_t *entries; /* count * 2 bytes, big-endian, at any address */
    uint32_t count;
} facet_gx_palette;

/* A texture as it lies in a file. Whoever fills it in owns the bytes. */
typedef struct facet_gx_texture {
    facet_gx_format format;
    uint32_t width, height; /* 1 to 65,535; the hardware takes up to 1,024 */
    uint32_t levels;        /* mip levels, at least 1 */
    const uint8_t *data;    /* the levels, largest first */
    size_t size;
    facet_gx_palette palette; /* of C4, C8 and C14X2; all zero otherwise */
} facet_gx_texture;

/* Bytes of the first `levels` mip levels, which is also the offset of the next;
 * 0 levels are 0 bytes. Errors: FACET_ERROR_MALFORMED with GX-FORMAT (no such
 * format), GX-SIZE (a side is 0 or more than 65,535), GX-LEVELS (more levels
 * than a full chain has). */
FACET_EXPERIMENTAL_API facet_status facet_gx_texture_size(facet_gx_format format, uint32_t width,
                                                          uint32_t height, uint32_t levels,
                                                          size_t *bytes, facet_error *error);

/* -- Decoding ----------------------------------------------------------- */

/* Decode one mip level into `rgba`: rows of level width * 4 bytes, `stride`
 * bytes apart (at least that). Indices beyond the palette become transparent
 * black, with a warning GX-PALETTE-INDEX in options->report.
 * Errors: those of facet_gx_texture_size; FACET_ERROR_MALFORMED with
 * GX-TRUNCATED (the bytes end before the level does) or GX-PALETTE (no palette,
 * or no such palette format); FACET_ERROR_ARGUMENT for a level that is not
 * there or a stride that is too short. Nothing is written when it fails. It
 * allocates nothing; linear in the texels. */
FACET_EXPERIMENTAL_API facet_status facet_gx_decode(const facet_gx_texture *texture, uint32_t level,
                                                    const facet_options *options, uint8_t *rgba,
                                                    size_t stride, facet_error *error);

/* Decode level 0 into image->pixels, in `arena`: 3 channels when every texel is
 * opaque, else 4; and the other levels into image->smaller. Sets width, height, channels,
 * is_float, smaller_count; the rest of *image stays. */
FACET_EXPERIMENTAL_API facet_status facet_gx_decode_image(facet_arena *arena,
                                                          const facet_gx_texture *texture,
                                                          const facet_options *options,
                                                          facet_image *image, facet_error *error);

/* -- Numbers of names --------------------------------------------------- */

/* The format of a name, whatever its case; "RGBA8", "CI4", "CI8" and "CI14X2" are
 * understood, too. False, and *format untouched, when there is none. */
FACET_EXPERIMENTAL_API bool facet_gx_format_named(const char *name, facet_gx_format *format);
FACET_EXPERIMENTAL_API bool facet_gx_palette_format_named(const char *name,
                                                          facet_gx_palette_format *format);

/* -- Encoding ----------------------------------------------------------- */

typedef enum facet_gx_quality {
    FACET_GX_NORMAL = 0, /* CMPR: principal axis, refined by least squares */
    FACET_GX_FAST,       /* CMPR: principal axis alone */
    FACET_GX_BEST        /* CMPR: and a search around the best end points */
} facet_gx_quality;

typedef struct facet_gx_encode_options {
    uint32_t struct_size; /* sizeof(facet_gx_encode_options), or 0: that of release 0.2 */
    facet_gx_quality quality;
    bool dither; /* spread the error of rounding over the neighbors (Floyd and Steinberg); CMPR
                    and formats of 8 bits a channel are never dithered */
} facet_gx_encode_options;

/* An image in memory. */
typedef struct facet_gx_pixels {
    const uint8_t *rgba; /* 8 bits each, top row first */
    size_t stride;       /* bytes from a row to the next, at least width * 4 */
    uint32_t width, height;
} facet_gx_pixels;

/* What one mip level is encoded into. */
typedef struct facet_gx_target {
    facet_gx_format format;
    const facet_gx_palette *palette; /* of C4, C8 and C14X2; not looked at otherwise */
    uint8_t *data;
    size_t size; /* what facet_gx_texture_size says of one level, not less nor more */
} facet_gx_target;

/* Encode one mip level. Every texel becomes the nearest that the format holds:
 * exact where it can be, and what facet_gx_decode gave comes out the same again,
 * in CMPR, too. Padding repeats the last row and column. I4, I8, IA4 and IA8 take
 * the luminance; I4, I8 and RGB565 drop alpha; CMPR takes alpha below 128 as
 * transparent. `how` may be NULL.
 * Errors: those of facet_gx_texture_size, FACET_ERROR_ARGUMENT, FACET_ERROR_MEMORY. */
FACET_EXPERIMENTAL_API facet_status facet_gx_encode(const facet_gx_pixels *pixels,
                                                    const facet_gx_encode_options *how,
                                                    const facet_options *options,
                                                    const facet_gx_target *target,
                                                    facet_error *error);

/* Make a palette of at most `most` entries (1 to 16,384) for an image: its own
 * colors when there are few enough once they are rounded to `format`, else by
 * median cut, moved to the means of what they stand for. `entries` has space for
 * `most` * 2 bytes; *count is how many were made.
 * Errors: FACET_ERROR_ARGUMENT, FACET_ERROR_MEMORY. */
FACET_EXPERIMENTAL_API facet_status facet_gx_make_palette(
    const facet_gx_pixels *pixels, facet_gx_palette_format format, uint32_t most,
    const facet_options *options, uint8_t *entries, uint32_t *count, facet_error *error);

/* As many mip levels as the hardware can use. */
#define FACET_GX_ALL_LEVELS UINT32_MAX

typedef struct facet_gx_texture_options {
    uint32_t struct_size; /* sizeof(facet_gx_texture_options), or 0: that of release 0.2 */
    bool has_format;      /* false: chosen by content (docs/reference/formats/gx-textures.md) */
    facet_gx_format format;
    bool has_palette_format; /* false: RGB565 when every texel is opaque, IA8 when all are gray,
                                else RGB5A3 */
    facet_gx_palette_format palette_format;
    uint32_t levels; /* 0: 1; FACET_GX_ALL_LEVELS: a full chain where both sides are powers of two,
                        else 1; more than a full chain has: a full chain */
    bool linear;     /* texels are data such as normals: mip levels are not filtered as colors */
    facet_gx_encode_options encode;
} facet_gx_texture_options;

/* Encode a decoded image (image->pixels) with its mip levels and palette, in
 * `arena`. `how` may be NULL. Losses go to options->report, LOSS-PIXELS when
 * the format holds less of alpha than the image has, LOSS-PIXELS when a gray
 * format gets colors, LOSS-PIXELS when floats become bytes.
 * Errors: FACET_ERROR_LIMIT with GX-SIZE when a side is longer than 1,024;
 * FACET_ERROR_ARGUMENT without pixels; FACET_ERROR_MEMORY. */
FACET_EXPERIMENTAL_API facet_status facet_gx_encode_image(
    facet_arena *arena, const facet_image *image, const facet_gx_texture_options *how,
    const facet_options *options, facet_gx_texture *texture, facet_error *error);

#ifdef __cplusplus
}
#endif
#endif
