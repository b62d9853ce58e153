/* formats/j3d/scene/to_scene/material_means.c - the mean vertex colors of the shapes of each
 * material. */
#include "formats/j3d/scene/to_scene/material_work.h"

#include "base/arena.h"
#include "base/error.h"
#include "formats/j3d/gpu/geometry.h"

#include <string.h>

/* Sums over the corners of triangles. */
typedef struct sums {
    uint64_t corners;
    uint64_t components[4];
    uint8_t least_alpha;
} sums;

/* Add a shape. A vertex counts once for each triangle that uses it. */
static facet_status add_shape(const j3d_painter *p, const facet_j3d_geometry *g, sums of[2])
{
    size_t corners = (size_t)g->triangle_count * 3, bytes = (size_t)g->vertex_count * 4;
    if (corners == 0)
        return FACET_OK;
    uint8_t *colors = facet_arena_allocate(p->scratch, bytes, 1);
    if (!colors)
        return facet_fail_arena(p->scratch, p->error);
    for (uint32_t which = 0; which < 2; which++) {
        if (!facet_j3d_geometry_has(g, FACET_J3D_COLOR0 + which))
            continue;
        facet_j3d_geometry_colors(g, which, colors);
        for (size_t i = 0; i < corners; i++) {
            uint8_t alpha = colors[(size_t)g->corners[i] * 4 + 3];
            if ((of[which].corners == 0 && i == 0) || alpha < of[which].least_alpha)
                of[which].least_alpha = alpha;
            for (int c = 0; c < 4; c++)
                of[which].components[c] += colors[(size_t)g->corners[i] * 4 + (size_t)c];
        }
        of[which].corners += corners;
    }
    facet_arena_release(p->scratch, colors, bytes, 1);
    return FACET_OK;
}

static facet_status add_shapes(const j3d_painter *p, sums (*all)[2])
{
    facet_j3d_decoder decoder = {.document = p->document, .arena = p->scratch};
    facet_j3d_geometry geometry;
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < p->document->shapes.count && !status; i++) {
        uint32_t slot = p->document->shapes.items[i].material;
        if (slot >= p->document->materials.slot_count)
            continue;
        status = facet_j3d_decode_shape(&decoder, i, &geometry, p->error);
        if (!status)
            status = add_shape(p, &geometry, all[slot]);
    }
    facet_j3d_decoder_free(&decoder);
    return status;
}

facet_status facet_j3d_find_mean_colors(j3d_painter *p)
{
    uint32_t slots = p->document->materials.slot_count;
    if (p->mean_colors)
        return FACET_OK;
    p->mean_colors = facet_arena_allocate(p->scratch, slots, sizeof *p->mean_colors);
    sums(*all)[2] = facet_arena_allocate_zeroed(p->scratch, slots, sizeof *all);
    p->least_alpha = facet_arena_allocate(p->scratch, slots, 1);
    if (!p->mean_colors || !p->least_alpha || !all)
        return facet_fail_arena(p->scratch, p->error);
    memset(p->mean_colors, 0xFF, slots * sizeof *p->mean_colors);
    facet_status status = add_shapes(p, all);
    for (uint32_t slot = 0; slot < slots && !status; slot++) {
        p->least_alpha[slot] = all[slot][0].least_alpha;
        for (int which = 0; which < 2; which++) {
            const sums *s = &all[slot][which];
            for (int c = 0; c < 4 && s->corners > 0; c++)
                p->mean_colors[slot][which][c] =
                    (uint8_t)((s->components[c] + s->corners / 2) / s->corners);
        }
    }
    facet_arena_release(p->scratch, all, slots, sizeof *all);
    return status;
}
