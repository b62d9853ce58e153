/* facet/gx_bti.h - the header of a GX texture in a .bti file (facet/bti.h) and in the TEX1 section
 * of a J3D model: 32 bytes, big-endian.
 *
 * Stability: experimental. */
#ifndef FACET_GX_BTI_H
#define FACET_GX_BTI_H

#include <facet/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Options to convert images to GX textures, in BTI files and in J3D models (facet_options.bti). All
 * zero: the defaults. */
typedef struct facet_bti_options {
    uint32_t struct_size;     /* sizeof(facet_bti_options), or 0: that of release 0.2 */
    const char *format;       /* name of a GX format such as "CMPR", or "auto": chosen by
                                 content; NULL: as before, or auto
                                 (docs/reference/formats/gx-textures.md) */
    uint32_t levels;          /* number of mip levels; 0: as before, or 1; UINT32_MAX: all */
    bool dither;              /* distribute rounding errors over the neighbors */
    const facet_source *like; /* a BTI with the format, levels, palette and sampler for images
                                 that were not GX textures before; NULL: none */
    const char *wrap;         /* CLAMP, REPEAT or MIRROR, in both directions; NULL: as before */
    const char *filter;       /* minification filter: NEAR, LINEAR, NEAR_MIP_NEAR, LIN_MIP_NEAR,
                                 NEAR_MIP_LIN or LIN_MIP_LIN; its first word is the magnification
                                 filter; NULL: as before */
    /* Settings of textures by name, for example "eye*:wrap=CLAMP,filter=NEAR". In the pattern, *
     * matches any text and ? any byte. Keys: format (a GX format), mips (1 to 11, or auto: all),
     * wrap, wrapS, wrapT and filter. A later setting overrides an earlier one, and every setting
     * overrides the members above. */
    const char *const *settings;
    uint32_t setting_count;
} facet_bti_options;

#define FACET_BTI_HEADER_SIZE 32

/* The header with its fields as stored. Nothing is checked or repaired, so that it can be written
 * again bit for bit. Offsets count from the header itself. */
typedef struct facet_bti_header {
    uint8_t format;       /* texel format: 0 I4 ... 14 CMPR */
    uint8_t transparency; /* class of the format: 0 RGB565, 1 CMPR, 2 others; older exporters
                             write 0, some leave 0xCC */
    uint16_t width, height;
    uint8_t wrap_s, wrap_t; /* 0 clamp, 1 repeat, 2 mirror */
    uint8_t has_palette;
    uint8_t palette_format; /* 0 IA8, 1 RGB565, 2 RGB5A3 */
    uint16_t palette_count;
    uint32_t palette_offset;
    uint8_t has_mipmaps;
    uint8_t edge_lod;
    uint8_t lod_bias_clamp;
    uint8_t max_anisotropy;  /* 0: 1x, 1: 2x, 2: 4x */
    uint8_t min_filter;      /* 0 nearest, 1 linear, 2 to 5 with mip levels */
    uint8_t mag_filter;      /* 0 nearest, 1 linear */
    int8_t min_lod, max_lod; /* in eighths of a level */
    uint8_t level_count;     /* 0 is treated as 1 */
    uint8_t unused;          /* at 0x19; undefined content in many files */
    int16_t lod_bias;        /* in hundredths of a level */
    uint32_t image_offset;
} facet_bti_header;

/* Convert between 32 bytes and the struct, without loss in both directions. */
FACET_EXPERIMENTAL_API void facet_bti_header_load(const uint8_t bytes[FACET_BTI_HEADER_SIZE],
                                                  facet_bti_header *header);
FACET_EXPERIMENTAL_API void facet_bti_header_store(const facet_bti_header *header,
                                                   uint8_t bytes[FACET_BTI_HEADER_SIZE]);

#ifdef __cplusplus
}
#endif
#endif
