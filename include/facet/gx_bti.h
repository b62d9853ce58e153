/* facet/gx_bti.h - the header of a GX texture, as it stands in a .bti file
 * (facet/bti.h) and in the TEX1 section of a J3D model: 32 bytes, big-endian.
 *
 * Stability: experimental. */
#ifndef FACET_GX_BTI_H
#define FACET_GX_BTI_H

#include <facet/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How images become GX textures, in BTI files and in J3D models
 * (facet_options.bti). All zero: the defaults. */
typedef struct facet_bti_options {
    uint32_t struct_size;     /* sizeof(facet_bti_options), or 0: that of release 0.2 */
    const char *format;       /* GX format by name, "CMPR"; "auto": by content; NULL: what it
                                 was before, or auto (docs/reference/formats/gx-textures.md) */
    uint32_t levels;          /* mip levels; 0: as many as it had before, or 1; UINT32_MAX: all */
    bool dither;              /* spread the error of rounding over the neighbors */
    const facet_source *like; /* for images that were no texture before: a BTI whose format,
                                 levels, palette and sampler they get; NULL: none */
} facet_bti_options;

#define FACET_BTI_HEADER_SIZE 32

/* The header field by field, as stored: nothing is checked or repaired, so that
 * what was read can be written again bit for bit. Offsets count from the header
 * itself. */
typedef struct facet_bti_header {
    uint8_t format;       /* texel format: 0 I4 ... 14 CMPR */
    uint8_t transparency; /* class by format: 0 RGB565, 1 CMPR, 2 others; older exporters write 0,
                             some leave 0xCC */
    uint16_t width, height;
    uint8_t wrap_s, wrap_t; /* 0 clamp, 1 repeat, 2 mirror */
    uint8_t has_palette;
    uint8_t palette_format; /* 0 IA8, 1 RGB565, 2 RGB5A3 */
    uint16_t palette_count;
    uint32_t palette_offset;
    uint8_t has_mipmaps;
    uint8_t edge_lod;
    uint8_t lod_bias_clamp;
    uint8_t max_anisotropy;  /* 0 once, 1 twice, 2 four times */
    uint8_t min_filter;      /* 0 nearest, 1 linear, 2 to 5 with mipmaps */
    uint8_t mag_filter;      /* 0 nearest, 1 linear */
    int8_t min_lod, max_lod; /* in eighths of a level */
    uint8_t level_count;     /* 0 counts as 1 */
    uint8_t unused;          /* at 0x19; garbage in many files */
    int16_t lod_bias;        /* in hundredths of a level */
    uint32_t image_offset;
} facet_bti_header;

/* Between 32 bytes and the struct, both ways exact. */
FACET_EXPERIMENTAL_API void facet_bti_header_load(const uint8_t bytes[FACET_BTI_HEADER_SIZE],
                                                  facet_bti_header *header);
FACET_EXPERIMENTAL_API void facet_bti_header_store(const facet_bti_header *header,
                                                   uint8_t bytes[FACET_BTI_HEADER_SIZE]);

#ifdef __cplusplus
}
#endif
#endif
