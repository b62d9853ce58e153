/* gx/sample.h - texture lookups as the chip does them: wrap, filter, mip level. */
#ifndef FACET_GX_SAMPLE_H
#define FACET_GX_SAMPLE_H

#include <facet/gx_material.h>

enum { FACET_GX_LEVELS = 11 };

typedef struct facet_gx_level {
    const uint8_t *pixels; /* RGBA, top row first */
    uint32_t width, height;
} facet_gx_level;

/* A texture with its sampler state. */
typedef struct facet_gx_texture_unit {
    facet_gx_level levels[FACET_GX_LEVELS];
    uint32_t level_count; /* at least 1 */
    uint8_t wrap_s, wrap_t, min_filter, mag_filter;
    bool edge_lod;
    bool exact_wrap;          /* sizes that are not powers of two wrap by bit masks, as on the
                                 chip */
    int16_t bias;             /* in 32nds of a level */
    int16_t min_lod, max_lod; /* in 16ths of a level */
} facet_gx_texture_unit;

/* Set the registers from a sampler. The caller sets the levels. */
void facet_gx_unit_set(const facet_gx_sampler *sampler, facet_gx_texture_unit *unit);

/* Convert a coordinate in texture widths to 128ths of a texel, in signed 24 bits. */
int32_t facet_gx_fixed(double coordinate, uint32_t size);

/* The distance in texels that coordinates move between pixels. The deltas are absolute. */
float facet_gx_movement(bool edge_lod, float s_x, float t_x, float s_y, float t_y);
/* The level for such a movement, in 16ths. *smaller is true if the texture is minified. */
int facet_gx_lod(const facet_gx_texture_unit *unit, float movement, bool *smaller);

/* Wrap the number of a texel to 0 to size - 1. */
static inline uint32_t facet_gx_wrap(int32_t texel, uint8_t wrap, uint32_t size, bool exact)
{
    int32_t n = (int32_t)size;
    if (wrap != 1 && wrap != 2)
        return texel < 0 ? 0 : texel >= n ? size - 1 : (uint32_t)texel;
    if (exact || (size & (size - 1)) == 0) {
        if (wrap == 2 && (texel & n))
            texel = ~texel;
        return (uint32_t)texel & (size - 1);
    }
    int32_t period = wrap == 2 ? 2 * n : n, at = texel % period;
    at += at < 0 ? period : 0;
    return (uint32_t)(at < n ? at : period - 1 - at);
}

void facet_gx_sample(const facet_gx_texture_unit *unit, const int32_t at[2], int lod, bool smaller,
                     uint8_t out[4]);

#endif
