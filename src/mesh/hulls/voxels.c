/* mesh/hulls/voxels.c - marking the voxels on a surface and inside of it. */
#include "mesh/hulls/voxels.h"

#include "base/arena.h"
#include "base/error.h"

#include <math.h>
#include <string.h>

/* -- The grid ----------------------------------------------------------- */

static size_t cell_count(const facet_voxels *voxels)
{
    return (size_t)voxels->count[0] * voxels->count[1] * voxels->count[2];
}

static void lay_grid(const double *points, uint32_t point_count, uint32_t resolution,
                     facet_voxels *voxels)
{
    double low[3], high[3], longest = 0;
    for (int k = 0; k < 3; k++) {
        low[k] = high[k] = points[k];
        for (uint32_t i = 1; i < point_count; i++) {
            double x = points[3 * (size_t)i + k];
            low[k] = x < low[k] ? x : low[k];
            high[k] = x > high[k] ? x : high[k];
        }
        longest = high[k] - low[k] > longest ? high[k] - low[k] : longest;
    }
    voxels->size = longest / resolution;
    for (int k = 0; k < 3; k++) {
        /* On each axis the points fill a whole number of voxels, and are centered in them. */
        double inner = ceil((high[k] - low[k]) / voxels->size * (1 - 1e-9));
        inner = inner < 1 ? 1 : inner;
        voxels->count[k] = (uint32_t)inner + 2;
        voxels->origin[k] = (low[k] + high[k]) / 2 - voxels->size * (double)voxels->count[k] / 2;
    }
}

/* -- The surface -------------------------------------------------------- */

/* A triangle cut by two pairs of parallel planes has at most seven corners. */
typedef struct polygon {
    uint32_t count;
    double points[8][3];
} polygon;

/* Keep the side of the plane x[axis] = offset on which sign * x is larger. */
static void cut_polygon(const polygon *from, int axis, double offset, double sign, polygon *to)
{
    polygon kept;
    kept.count = 0;
    for (uint32_t i = 0; i < from->count; i++) {
        const double *a = from->points[i], *b = from->points[(i + 1) % from->count];
        double da = sign * (a[axis] - offset), db = sign * (b[axis] - offset);
        if (da >= 0 && kept.count < 8)
            memcpy(kept.points[kept.count++], a, sizeof kept.points[0]);
        if (((da > 0 && db < 0) || (da < 0 && db > 0)) && kept.count < 8) {
            double *p = kept.points[kept.count++];
            for (int k = 0; k < 3; k++)
                p[k] = a[k] + (b[k] - a[k]) * (da / (da - db));
            p[axis] = offset;
        }
    }
    *to = kept;
}

/* First and last layer along an axis that a polygon touches. Layers that it barely reaches are
 * included, so that rounding opens no gap. */
static void layers_of(const facet_voxels *voxels, const polygon *p, int axis, uint32_t *first,
                      uint32_t *last)
{
    double low = INFINITY, high = -INFINITY;
    for (uint32_t i = 0; i < p->count; i++) {
        low = p->points[i][axis] < low ? p->points[i][axis] : low;
        high = p->points[i][axis] > high ? p->points[i][axis] : high;
    }
    double from = floor((low - voxels->origin[axis]) / voxels->size - 1e-9);
    double to = floor((high - voxels->origin[axis]) / voxels->size + 1e-9);
    double most = voxels->count[axis] - 2; /* the outermost layers remain outside */
    *first = (uint32_t)(from < 1 ? 1 : from > most ? most : from);
    *last = (uint32_t)(to < 1 ? 1 : to > most ? most : to);
}

static void layer_of(const facet_voxels *voxels, const polygon *p, int axis, uint32_t layer,
                     polygon *slice)
{
    double low = voxels->origin[axis] + voxels->size * layer, space = voxels->size * 1e-9;
    cut_polygon(p, axis, low - space, 1, slice);
    cut_polygon(slice, axis, low + voxels->size + space, -1, slice);
}

static void mark_triangle(facet_voxels *voxels, const polygon *triangle)
{
    uint32_t z0, z1, y0, y1, x0, x1;
    layers_of(voxels, triangle, 2, &z0, &z1);
    for (uint32_t z = z0; z <= z1; z++) {
        polygon slab, rod;
        layer_of(voxels, triangle, 2, z, &slab);
        if (slab.count == 0)
            continue;
        layers_of(voxels, &slab, 1, &y0, &y1);
        for (uint32_t y = y0; y <= y1; y++) {
            layer_of(voxels, &slab, 1, y, &rod);
            if (rod.count == 0)
                continue;
            layers_of(voxels, &rod, 0, &x0, &x1);
            size_t row = ((size_t)z * voxels->count[1] + y) * voxels->count[0];
            memset(voxels->cells + row + x0, FACET_VOXEL_SURFACE, x1 - x0 + 1);
        }
    }
}

/* -- The outside -------------------------------------------------------- */

/* Flood from cell 0 over shared faces until the surface stops it. */
static void flood(facet_voxels *voxels, uint32_t *stack)
{
    const size_t row = voxels->count[0], layer = row * voxels->count[1], all = cell_count(voxels);
    size_t depth = 0;
    stack[depth++] = 0;
    voxels->cells[0] = FACET_VOXEL_OUTSIDE;
    while (depth > 0) {
        size_t cell = stack[--depth];
        size_t x = cell % row, y = cell / row % voxels->count[1];
        /* Six neighbors; at the border, the cell itself replaces a missing one and is already
         * done. */
        const size_t around[6] = {
            x > 0 ? cell - 1 : cell,
            x + 1 < row ? cell + 1 : cell,
            y > 0 ? cell - row : cell,
            y + 1 < voxels->count[1] ? cell + row : cell,
            cell >= layer ? cell - layer : cell,
            cell + layer < all ? cell + layer : cell,
        };
        for (int i = 0; i < 6; i++) {
            if (voxels->cells[around[i]] == FACET_VOXEL_INSIDE) {
                voxels->cells[around[i]] = FACET_VOXEL_OUTSIDE;
                stack[depth++] = (uint32_t)around[i];
            }
        }
    }
}

/* Number of triangles that are marked between two calls of the progress callback. */
#define AT_ONCE 65536

facet_status facet_voxels_fill(const double *points, uint32_t point_count,
                               const uint32_t *triangles, uint32_t triangle_count,
                               uint32_t resolution, const facet_options *options,
                               facet_arena *arena, facet_voxels *voxels, facet_error *error)
{
    facet_voxels made;
    lay_grid(points, point_count, resolution, &made);
    size_t count = cell_count(&made);
    made.cells = facet_arena_allocate_zeroed(arena, count, 1);
    uint32_t *stack = facet_arena_allocate(arena, count, sizeof *stack);
    if (!made.cells || !stack)
        return facet_fail_arena(arena, error);
    const double marking[2] = {0, 0.02}, building[2] = {0.03, 0.06};
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < triangle_count && !status; i++) {
        polygon triangle;
        triangle.count = 3;
        if (i % AT_ONCE == 0)
            status = facet_step_within(options, "hulls", marking, i, triangle_count, error);
        for (int c = 0; c < 3; c++)
            memcpy(triangle.points[c], points + 3 * (size_t)triangles[3 * (size_t)i + c],
                   sizeof triangle.points[c]);
        mark_triangle(&made, &triangle);
    }
    if (!status)
        status = facet_step(options, "hulls", 0.02, error);
    if (!status)
        flood(&made, stack);
    facet_arena_release(arena, stack, count, sizeof *stack);
    if (!status)
        status = facet_surface_tree_build(points, triangles, triangle_count, options, "hulls",
                                          building, arena, &made.surface, error);
    if (!status)
        *voxels = made;
    return status;
}

void facet_voxels_free(facet_arena *arena, facet_voxels *voxels)
{
    facet_surface_tree_free(arena, &voxels->surface);
    facet_arena_release(arena, voxels->cells, cell_count(voxels), 1);
    voxels->cells = NULL;
}

/* -- Asking -------------------------------------------------------------- */

bool facet_voxels_contain(const facet_voxels *voxels, const double *point)
{
    size_t at[3];
    uint64_t visits = 0;
    for (int k = 0; k < 3; k++) {
        double x = floor((point[k] - voxels->origin[k]) / voxels->size);
        if (!(x >= 0 && x < voxels->count[k]))
            return false;
        at[k] = (size_t)x;
    }
    switch (voxels->cells[(at[2] * voxels->count[1] + at[1]) * voxels->count[0] + at[0]]) {
    case FACET_VOXEL_INSIDE:
        return true;
    case FACET_VOXEL_SURFACE:
        return facet_surface_winding(&voxels->surface, point, &visits) != 0;
    default:
        return false;
    }
}

facet_status facet_voxels_inside(const facet_voxels *voxels, facet_arena *arena, float **centers,
                                 uint32_t *count, facet_error *error)
{
    const size_t row = voxels->count[0], layer = row * voxels->count[1], all = cell_count(voxels);
    uint32_t inside = 0, filled = 0;
    for (size_t i = 0; i < all; i++)
        inside += voxels->cells[i] == FACET_VOXEL_INSIDE;
    float *made = facet_arena_allocate(arena, inside, 3 * sizeof *made);
    if (!made)
        return facet_fail_arena(arena, error);
    for (size_t i = 0; i < all; i++) {
        if (voxels->cells[i] != FACET_VOXEL_INSIDE)
            continue;
        const size_t at[3] = {i % row, i / row % voxels->count[1], i / layer};
        for (int k = 0; k < 3; k++)
            made[3 * (size_t)filled + k] =
                (float)(voxels->origin[k] + voxels->size * ((double)at[k] + 0.5));
        filled++;
    }
    *centers = made;
    *count = inside;
    return FACET_OK;
}
