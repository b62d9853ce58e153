/* gx/sample.c - nearest and linear filters in fixed point, and choice of the mip level from the
 * bits of a float. */
#include "gx/sample.h"

#include <string.h>

void facet_gx_unit_set(const facet_gx_sampler *sampler, facet_gx_texture_unit *unit)
{
    unit->wrap_s = sampler->wrap_s;
    unit->wrap_t = sampler->wrap_t;
    unit->min_filter = sampler->min_filter;
    unit->mag_filter = sampler->mag_filter;
    unit->edge_lod = sampler->edge_lod != 0;
    unit->bias = (int8_t)(sampler->lod_bias * 32 / 100);
    unit->min_lod = (uint8_t)(sampler->min_lod * 2);
    unit->max_lod = (uint8_t)(sampler->max_lod * 2);
}

int32_t facet_gx_fixed(double coordinate, uint32_t size)
{
    double scaled = coordinate * size * 128;
    int64_t whole = scaled > -4.0e18 && scaled < 4.0e18 ? (int64_t)scaled : 0;
    return (int32_t)(((whole + 0x800000) & 0xFFFFFF) - 0x800000);
}

/* -- Levels ------------------------------------------------------------- */

float facet_gx_movement(bool edge_lod, float s_x, float t_x, float s_y, float t_y)
{
    float s = edge_lod ? (s_x > s_y ? s_x : s_y) : s_x + s_y;
    float t = edge_lod ? (t_x > t_y ? t_x : t_y) : t_x + t_y;
    return s > t ? s : t;
}

int facet_gx_lod(const facet_gx_texture_unit *unit, float movement, bool *smaller)
{
    uint32_t bits;
    movement = movement > 1e-20f ? movement < 1e20f ? movement : 1e20f : 1e-20f;
    memcpy(&bits, &movement, sizeof bits);
    /* The exponent, and four bits of the mantissa. */
    int lod = (int)(bits >> 19) - 127 * 16;
    lod += unit->bias >> 1;
    *smaller = lod > 0;
    return lod > unit->max_lod ? unit->max_lod : lod < unit->min_lod ? unit->min_lod : lod;
}

/* -- Texels ------------------------------------------------------------- */

static const uint8_t *texel_at(const facet_gx_level *level, uint32_t x, uint32_t y)
{
    return level->pixels + ((size_t)y * level->width + x) * 4;
}

static void sample_level(const facet_gx_texture_unit *unit, uint32_t number, const int32_t at[2],
                         bool linear, uint8_t out[4])
{
    const facet_gx_level *level = &unit->levels[number];
    int32_t u = at[0] >> number, v = at[1] >> number;
    if (!linear) {
        memcpy(out,
               texel_at(level, facet_gx_wrap(u >> 7, unit->wrap_s, level->width, unit->exact_wrap),
                        facet_gx_wrap(v >> 7, unit->wrap_t, level->height, unit->exact_wrap)),
               4);
        return;
    }
    u -= 64, v -= 64;
    uint32_t x0 = facet_gx_wrap(u >> 7, unit->wrap_s, level->width, unit->exact_wrap);
    uint32_t x1 = facet_gx_wrap((u >> 7) + 1, unit->wrap_s, level->width, unit->exact_wrap);
    uint32_t y0 = facet_gx_wrap(v >> 7, unit->wrap_t, level->height, unit->exact_wrap);
    uint32_t y1 = facet_gx_wrap((v >> 7) + 1, unit->wrap_t, level->height, unit->exact_wrap);
    uint32_t fx = (uint32_t)u & 127, fy = (uint32_t)v & 127;
    const uint8_t *a = texel_at(level, x0, y0), *b = texel_at(level, x1, y0);
    const uint8_t *c = texel_at(level, x0, y1), *d = texel_at(level, x1, y1);
    for (int i = 0; i < 4; i++)
        out[i] = (uint8_t)((a[i] * (128 - fx) * (128 - fy) + b[i] * fx * (128 - fy) +
                            c[i] * (128 - fx) * fy + d[i] * fx * fy) >>
                           14);
}

void facet_gx_sample(const facet_gx_texture_unit *unit, const int32_t at[2], int lod, bool smaller,
                     uint8_t out[4])
{
    /* With an even minification filter, read the nearest texel. A magnified texture can also use a
     * smaller level: the minimum that its sampler allows. */
    bool linear = smaller ? unit->min_filter & 1 : unit->mag_filter != 0;
    uint32_t last = unit->level_count - 1;
    if (unit->min_filter < 2) {
        sample_level(unit, 0, at, linear, out);
        return;
    }
    lod = lod < 0 ? 0 : lod;
    if (unit->min_filter < 4) {
        uint32_t level = (uint32_t)(lod + 8) >> 4;
        sample_level(unit, level < last ? level : last, at, linear, out);
        return;
    }
    uint32_t level = (uint32_t)lod >> 4, f = (uint32_t)lod & 15;
    sample_level(unit, level < last ? level : last, at, linear, out);
    if (f == 0 || level >= last)
        return;
    uint8_t next[4];
    sample_level(unit, level + 1, at, linear, next);
    for (int i = 0; i < 4; i++)
        out[i] = (uint8_t)((out[i] * (16 - f) + next[i] * f) >> 4);
}
