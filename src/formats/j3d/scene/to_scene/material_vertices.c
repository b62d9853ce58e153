/* formats/j3d/scene/to_scene/material_vertices.c - the role of vertex colors in a material: a
 * factor of color or alpha, directly or after a linear function. */
#include "formats/j3d/scene/to_scene/material_work.h"

#include <math.h>
#include <string.h>

/* True if a raster color is a vertex color, else it is the register's. Color and alpha can differ
 * in this, but a stage has one leaf. */
static bool from_vertices(const facet_gx_material *gx, int raster, bool alpha)
{
    return gx->channels[raster * 2 + alpha].material_source == 1;
}

/* Split a formula into (offset + R) * rest, where R is component c of vertex color 0. False if it
 * has another form. */
static bool split_factor(const facet_gx_tev_formula *f, unsigned component, float *offset)
{
    facet_gx_tev_term with[FACET_GX_TEV_TERMS]; /* R's terms, without R */
    uint32_t with_count = 0, matched = 0;
    *offset = 0;
    if (f->complex || f->rasters != 1)
        return false;
    for (uint32_t i = 0; i < f->count; i++) {
        facet_gx_tev_term t = f->terms[i];
        if (t.count == 0 || t.variables[t.count - 1] < FACET_GX_TEV_RASTER)
            continue;
        if (t.variables[--t.count] != FACET_GX_TEV_RASTER + component ||
            (t.count && t.variables[t.count - 1] >= FACET_GX_TEV_RASTER))
            return false;
        with[with_count++] = t;
    }
    for (uint32_t i = 0; i < f->count; i++) {
        const facet_gx_tev_term *t = &f->terms[i];
        if (t->count && t->variables[t->count - 1] >= FACET_GX_TEV_RASTER)
            continue;
        uint32_t k = 0;
        while (k < with_count && (with[k].count != t->count ||
                                  memcmp(with[k].variables, t->variables, t->count) != 0))
            k++;
        if (k == with_count)
            return false;
        float ratio = t->factor / with[k].factor;
        if (matched++ > 0 && fabsf(ratio - *offset) > 1e-3f * (1 + fabsf(ratio)))
            return false;
        *offset = ratio;
    }
    return matched == 0 || matched == with_count;
}

/* Find whether vertex color 0 is a factor of all three color components, directly or after a linear
 * function. `seen` gets the value at which that function is 1, so that the rest can be evaluated:
 * white, or, if smaller, black. */
static bool find_vertex_color(const facet_j3d *document, const facet_gx_tev_formula f[4],
                              facet_j3d_vertex_wants *wants, uint8_t seen[3])
{
    bool has_colors = document->vertices.arrays[FACET_J3D_ARRAY_COLOR0].bytes != NULL;
    uint32_t rasters = f[0].rasters | f[1].rasters | f[2].rasters;
    bool maps = false;
    for (unsigned c = 0; c < 3; c++) {
        float offset = 0;
        seen[c] = 255;
        wants->color_offset[c] = 0;
        wants->color_scale[c] = 1;
        if (!f[c].complex && f[c].count == 0)
            continue;
        if (f[c].rasters == 0) {
            maps = true;
            wants->color_offset[c] = 1;
            wants->color_scale[c] = 0;
            continue;
        }
        if (!split_factor(&f[c], c, &offset))
            return false;
        if (offset == 0)
            continue;
        maps = true;
        bool white = fabsf(offset + 1) >= fabsf(offset);
        float most = white ? offset + 1 : offset;
        seen[c] = white ? 255 : 0;
        wants->color_offset[c] = offset / most;
        wants->color_scale[c] = 1 / most;
    }
    wants->maps_color = maps;
    return rasters == 1 && (!maps || has_colors);
}

/* The same if alpha affects the color, as a light's or the vertices' alpha: assume that it is 1. */
static bool find_without_alpha(const facet_j3d *document, j3d_material_work *w, uint8_t seen[3])
{
    facet_gx_tev_formula f[4];
    facet_gx_tev_leaf leaves[16];
    memcpy(leaves, w->leaves, sizeof leaves);
    for (uint32_t i = 0; i < 16; i++) {
        leaves[i].alpha_is_known = true;
        if (leaves[i].raster >= 0 && from_vertices(&w->gx, leaves[i].raster, true))
            leaves[i].color[3] = 255;
    }
    facet_gx_tev_analyze(&w->gx, leaves, f);
    if (!find_vertex_color(document, f, w->wants, seen))
        return false;
    w->doubts |= w->gx.channels[1].lighting ? 0 : J3D_DOUBT_VERTICES;
    return true;
}

/* True if the formula is a multiple of the alpha of vertex color 0. */
static bool has_alpha_factor(const facet_gx_tev_formula *f)
{
    float offset;
    return f->count > 0 && split_factor(f, 3, &offset) && offset == 0;
}

/* True if vertex colors affect color or alpha, but not as a factor that a scene can store. */
static bool needs_means(const j3d_material_work *w, const facet_gx_tev_formula f[4])
{
    bool needs = false;
    unsigned components = w->out->alpha_mode == FACET_ALPHA_OPAQUE ? 3 : 4;
    for (unsigned c = 0; c < components; c++) {
        bool taken = c < 3 ? w->wants->color : w->wants->alpha;
        for (int v = 0; v < 2 && !taken; v++)
            needs |= (f[c].rasters >> v & 1) &&
                     (from_vertices(&w->gx, v, false) || from_vertices(&w->gx, v, true));
    }
    return needs;
}

/* Replace raster colors by numbers. Those from vertices become `seen`, with alpha 1. */
static void replace_rasters(const j3d_painter *p, j3d_material_work *w, const uint8_t seen[3])
{
    for (uint32_t i = 0; i < 16; i++) {
        facet_gx_tev_leaf *leaf = &w->leaves[i];
        if (leaf->raster < 0)
            continue;
        const uint8_t *mean = p->mean_colors ? p->mean_colors[w->slot][leaf->raster] : NULL;
        if (from_vertices(&w->gx, leaf->raster, false))
            memcpy(leaf->color, w->wants->color || !mean ? seen : mean, 3);
        /* Colors are reported for an alpha of 1. */
        if (from_vertices(&w->gx, leaf->raster, true))
            leaf->color[3] = w->wants->color || w->wants->alpha || !mean ? 0xFF : mean[3];
        leaf->raster = -1;
    }
}

facet_status facet_j3d_convert_rasters(j3d_painter *p, j3d_material_work *w)
{
    facet_gx_tev_formula f[4];
    uint8_t seen[3] = {255, 255, 255};
    facet_gx_tev_analyze(&w->gx, w->leaves, f);
    w->wants->color =
        from_vertices(&w->gx, 0, false) && (find_vertex_color(p->document, f, w->wants, seen) ||
                                            find_without_alpha(p->document, w, seen));
    w->wants->maps_color &= w->wants->color;
    if (!w->wants->color)
        memset(seen, 0xFF, sizeof seen);
    bool with_alpha = w->out->alpha_mode != FACET_ALPHA_OPAQUE;
    w->wants->alpha = with_alpha && from_vertices(&w->gx, 0, true) && has_alpha_factor(&f[3]);
    for (unsigned c = 0; c < (with_alpha ? 4u : 3u); c++) {
        bool taken = c < 3 ? w->wants->color : w->wants->alpha;
        for (int v = 0; v < 2 && !taken; v++)
            if ((f[c].rasters >> v & 1) && from_vertices(&w->gx, v, c == 3))
                w->doubts |= J3D_DOUBT_VERTICES;
    }
    facet_status status = needs_means(w, f) ? facet_j3d_find_mean_colors(p) : FACET_OK;
    if (!status)
        replace_rasters(p, w, seen);
    return status;
}
