/* formats/j3d/scene/to_scene/material_textures.c - selection of the one texture that a scene's
 * material can show, and colors that replace the others. */
#include "formats/j3d/scene/to_scene/material_work.h"

#include <string.h>

/* -- Textures that a scene's material cannot have ----------------------- */

static void average(const facet_image *image, uint8_t out[4])
{
    uint64_t sums[4] = {0}, count = (uint64_t)image->width * image->height;
    const uint8_t *pixel = image->pixels;
    for (uint64_t i = 0; i < count; i++, pixel += image->channels) {
        for (uint32_t c = 0; c < image->channels; c++)
            sums[c] += pixel[c];
    }
    out[3] = 255;
    for (uint32_t c = 0; c < image->channels; c++)
        out[c] = (uint8_t)(sums[c] / count);
}

/* True if a part of the color does not depend on the texture. */
static bool is_addition(const facet_gx_tev_formula formulas[4], uint32_t texture)
{
    for (unsigned c = 0; c < 3; c++) {
        if (formulas[c].complex)
            return false;
        for (uint32_t i = 0; i < formulas[c].count; i++) {
            bool without = true;
            for (unsigned k = 0; k < formulas[c].terms[i].count; k++)
                without &= formulas[c].terms[i].variables[k] / 4 != texture;
            if (without)
                return true;
        }
    }
    return false;
}

/* Get the middle of the lit half of a ramp. The light's red is the coordinate s: the right half is
 * lit, and its middle is the color of most of a lit side. Green, in t, is a second light, which is
 * off. A stage that uses only the ramp's green is also off. */
static void lit_middle(const j3d_material_work *w, uint32_t stage, const facet_image *image,
                       uint8_t out[4])
{
    const facet_gx_swap_table *swap = &w->gx.swap_tables[w->gx.swap_modes[stage].texture_table & 3];
    const uint8_t *pixels = image->pixels;
    size_t column = (size_t)image->width * 3 / 4;
    memset(out, 0, 4);
    if (swap->r == 1 && swap->g == 1 && swap->b == 1)
        return;
    out[3] = 255;
    memcpy(out, pixels + column * image->channels, image->channels);
}

static bool shows_color(const facet_gx_tev_formula formulas[4], uint32_t texture)
{
    return ((formulas[0].textures | formulas[1].textures | formulas[2].textures) >> texture & 1) !=
           0;
}

/* Let viewers show reflections: metal if the reflection is the color, a polished surface if it is
 * added. */
static void hint_at_reflection(const j3d_material_work *w, bool is_added)
{
    facet_material *out = w->out;
    if (!is_added)
        out->metallic = 1;
    out->roughness = out->metallic > 0 ? 0.25f : 0.4f;
}

/* Replace a texture by one color: black where it is added, as reflections are; the lit middle of a
 * ramp that follows the light; else its average. */
static void replace_texture(const j3d_painter *p, j3d_material_work *w,
                            const facet_gx_tev_formula formulas[4], uint32_t texture)
{
    uint8_t texel[4] = {0, 0, 0, 0};
    const j3d_sampled *s = &w->textures[texture];
    const facet_image *image = facet_j3d_sampled_image(p, s);
    if (!s->map.from_light && (s->map.is_uv || !is_addition(formulas, texture))) {
        struct j3d_average *mean = &p->averages[s->texture];
        if (!mean->is_known)
            average(image, mean->color);
        mean->is_known = true;
        memcpy(texel, mean->color, sizeof texel);
    }
    for (uint32_t i = 0; i < 16; i++) {
        if (w->leaves[i].texture != (int)texture)
            continue;
        if (s->map.from_light)
            lit_middle(w, i, image, texel);
        w->leaves[i].texture = -1;
        memcpy(w->leaves[i].texel, texel, 4);
    }
    if (s->map.from_light) {
        w->doubts |= J3D_DOUBT_RAMP;
        return;
    }
    w->doubts |= s->map.is_uv ? J3D_DOUBT_COORDINATES : J3D_DOUBT_REFLECTION;
    if (s->map.mirrors && shows_color(formulas, texture))
        hint_at_reflection(w, is_addition(formulas, texture));
}

static bool is_lit(const facet_gx_material *gx, const facet_gx_tev_formula formulas[4])
{
    uint32_t rasters = formulas[0].rasters | formulas[1].rasters | formulas[2].rasters;
    return ((rasters & 1) && gx->channels[0].lighting) ||
           ((rasters & 2) && gx->channels[2].lighting);
}

void facet_j3d_convert_reflections(const j3d_painter *p, j3d_material_work *w)
{
    facet_gx_tev_formula f[4];
    facet_gx_tev_analyze(&w->gx, w->leaves, f);
    w->out->unlit = !is_lit(&w->gx, f);
    uint32_t used = f[0].textures | f[1].textures | f[2].textures | f[3].textures;
    for (uint32_t i = 0; i < w->texture_count; i++) {
        if (!(used >> i & 1) || w->textures[i].map.is_uv)
            continue;
        w->out->unlit &= !(w->textures[i].map.from_light && w->gx.channels[0].lighting);
        replace_texture(p, w, f, i);
    }
    w->out->unlit &= w->out->roughness >= 1; /* a reflecting material must react to its
                                                surroundings */
}

/* -- The shown texture -------------------------------------------------- */

void facet_j3d_convert_textures(const j3d_painter *p, j3d_material_work *w, bool with_alpha,
                                facet_gx_tev_formula formulas[4])
{
    facet_gx_tev_analyze(&w->gx, w->leaves, formulas);
    uint32_t rgb = formulas[0].textures | formulas[1].textures | formulas[2].textures;
    uint32_t used = rgb | (with_alpha ? formulas[3].textures : 0);
    w->base = -1;
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < w->texture_count && w->base < 0; i++) {
            if ((pass == 0 ? rgb : used) >> i & 1 && w->textures[i].map.is_uv)
                w->base = (int)i;
        }
    }
    bool replaced = false;
    for (uint32_t i = 0; i < w->texture_count; i++) {
        const j3d_mapping *map = &w->textures[i].map;
        if (!(used >> i & 1) ||
            (w->base >= 0 && facet_j3d_same_mapping(map, &w->textures[w->base].map)))
            continue;
        replace_texture(p, w, formulas, i);
        replaced = true;
    }
    if (replaced)
        facet_gx_tev_analyze(&w->gx, w->leaves, formulas);
}
