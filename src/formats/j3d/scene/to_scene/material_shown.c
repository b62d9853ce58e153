/* formats/j3d/scene/to_scene/material_shown.c - a scene's view of a material whose state an
 * animation changes. It runs the same steps as for the rest state, but computes no image. */
#include "formats/j3d/scene/to_scene/material_shown.h"

#include "base/arena.h"
#include "base/error.h"
#include "formats/j3d/scene/to_scene/texture.h"

#include <math.h>
#include <string.h>

facet_status facet_j3d_viewer_make(const facet_j3d *model, facet_scene *scene, facet_arena *scratch,
                                   facet_j3d_viewer *viewer, bool *usable, facet_error *error)
{
    uint32_t count = model->textures.count;
    memset(viewer, 0, sizeof *viewer);
    j3d_painter *p = &viewer->painter;
    p->document = model;
    p->scene = scene;
    p->error = error;
    p->scratch = scratch;
    p->averages = facet_arena_allocate_zeroed(scratch, count, sizeof *p->averages);
    if (!p->averages || !facet_j3d_images_of_textures(model, scratch, &p->image_of))
        return facet_fail_arena(scratch, error);
    *usable = scene->material_count >= model->materials.slot_count;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t image = p->image_of[i];
        *usable &= image < scene->image_count && scene->images[image]->pixels &&
                   !scene->images[image]->is_float;
    }
    return FACET_OK;
}

facet_status facet_j3d_view_material(facet_j3d_viewer *viewer, uint32_t slot,
                                     const facet_gx_material *gx, facet_j3d_shown *shown,
                                     facet_error *error)
{
    j3d_painter *p = &viewer->painter;
    facet_material out = {.name = ""};
    facet_gx_tev_formula formulas[4];
    memset(shown, 0, sizeof *shown);
    j3d_material_work w = {
        .slot = slot, .gx = *gx, .base = -1, .wants = &shown->wants, .out = &out};
    p->error = error;
    TRY(facet_j3d_convert_material(p, &w, formulas));
    bool textured = false;
    shown->alpha_mode = out.alpha_mode;
    shown->alpha_cutoff = out.alpha_cutoff;
    shown->is_plain = facet_j3d_plain_color(p, &w, formulas, shown->color, &textured);
    shown->base = -1;
    if (shown->is_plain ? !textured : w.base < 0)
        return FACET_OK;
    const j3d_sampled *base = &w.textures[w.base];
    shown->base = base->texture;
    shown->texcoord = base->map.texcoord;
    for (int i = 0; i < 2; i++) {
        shown->rows[i][0] = base->map.rows[i][0];
        shown->rows[i][1] = base->map.rows[i][1];
        shown->rows[i][2] = base->map.rows[i][2] + base->map.rows[i][3];
    }
    for (uint32_t i = 0; i < 16; i++) {
        int texture = w.leaves[i].texture;
        if (texture >= 0 && facet_j3d_same_mapping(&w.textures[texture].map, &base->map))
            shown->sharing |= 1U << i;
    }
    return FACET_OK;
}

static bool near(const float *a, const float *b, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (fabsf(a[i] - b[i]) > 1e-5f * (1 + fabsf(a[i])))
            return false;
    }
    return true;
}

bool facet_j3d_shown_alike(const facet_j3d_shown *a, const facet_j3d_shown *b, bool same_place,
                           bool same_texture)
{
    const facet_j3d_vertex_wants *x = &a->wants, *y = &b->wants;
    bool same_vertices =
        x->color == y->color && x->alpha == y->alpha && x->maps_color == y->maps_color &&
        (!x->maps_color ||
         (near(x->color_offset, y->color_offset, 3) && near(x->color_scale, y->color_scale, 3)));
    return same_vertices && a->is_plain == b->is_plain && (a->base < 0) == (b->base < 0) &&
           a->sharing == b->sharing && a->texcoord == b->texcoord &&
           (!same_texture || a->base == b->base) &&
           (!same_place || near(a->rows[0], b->rows[0], 6));
}

bool facet_j3d_shown_same_color(const facet_j3d_shown *a, const facet_j3d_shown *b)
{
    return near(a->color, b->color, 4);
}
