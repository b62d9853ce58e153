/* mesh/hulls/cells.c - the convex cells into which planes cut space, and the segments of their
 * edges inside a solid. */
#include "base/arena.h"
#include "base/error.h"
#include "mesh/hulls/decompose.h"
#include "mesh/vector.h"

#include <string.h>

/* -- Cells -------------------------------------------------------------- */

facet_status facet_cell_create(const facet_soup *soup, facet_arena *arena, facet_cell *cell,
                               facet_error *error)
{
    facet_plane *planes = facet_arena_allocate_zeroed(arena, 6, sizeof *planes);
    if (!planes)
        return facet_fail_arena(arena, error);
    /* The center of the soup is at zero, and its diagonal is at most 1. */
    for (int i = 0; i < 6; i++) {
        planes[i].normal[i % 3] = i < 3 ? 1 : -1;
        planes[i].offset = soup->diagonal;
    }
    cell->planes = planes;
    cell->plane_count = 6;
    return FACET_OK;
}

void facet_cell_free(facet_arena *arena, facet_cell *cell)
{
    facet_arena_release(arena, cell->planes, cell->plane_count, sizeof *cell->planes);
    memset(cell, 0, sizeof *cell);
}

facet_status facet_cell_cut(const facet_cell *whole, const facet_plane *plane, bool above,
                            facet_arena *arena, facet_cell *side, facet_error *error)
{
    uint32_t count = whole->plane_count + 1;
    facet_plane *planes = facet_arena_allocate(arena, count, sizeof *planes);
    if (!planes)
        return facet_fail_arena(arena, error);
    memcpy(planes, whole->planes, whole->plane_count * sizeof *planes);
    facet_plane *last = &planes[whole->plane_count];
    *last = *plane;
    if (above) {
        for (int k = 0; k < 3; k++)
            last->normal[k] = -last->normal[k];
        last->offset = -last->offset;
    }
    side->planes = planes;
    side->plane_count = count;
    return FACET_OK;
}

/* -- Edges -------------------------------------------------------------- */

/* Distance from an edge, in voxels, of the points that test for the inside. */
#define INTO_CELL 1e-3

typedef struct line {
    double point[3], direction[3]; /* unit length */
    double from, to;               /* range of the segment on the line */
} line;

/* Compute the line that two planes share; false if they are nearly parallel. */
static bool intersect(const facet_plane *a, const facet_plane *b, line *shared)
{
    double along[3], toward_a[3], toward_b[3];
    facet_cross(a->normal, b->normal, along);
    double squared = facet_dot(along, along);
    if (squared < 1e-8)
        return false;
    facet_cross(b->normal, along, toward_a);
    facet_cross(along, a->normal, toward_b);
    for (int k = 0; k < 3; k++) {
        shared->point[k] = (a->offset * toward_a[k] + b->offset * toward_b[k]) / squared;
        shared->direction[k] = along[k] / sqrt(squared);
    }
    shared->from = -INFINITY;
    shared->to = INFINITY;
    return true;
}

/* Clip the line to the segment inside the cell; false if no part of it is inside. */
static bool clip(const facet_cell *cell, uint32_t except, line *l)
{
    for (uint32_t i = 0; i < cell->plane_count; i++) {
        if (i == except)
            continue;
        const facet_plane *p = &cell->planes[i];
        double slope = facet_dot(p->normal, l->direction);
        double space = p->offset - facet_dot(p->normal, l->point);
        if (fabs(slope) < 1e-12) {
            if (space < 0)
                return false;
        } else if (slope > 0) {
            l->to = fmin(l->to, space / slope);
        } else {
            l->from = fmax(l->from, space / slope);
        }
    }
    return l->from < l->to;
}

static facet_status add_segment(facet_segments *list, const line *l, double from, double to,
                                facet_arena *arena, facet_error *error)
{
    if (list->count == list->capacity) {
        uint32_t capacity = list->capacity ? 2 * list->capacity : 32;
        double *grown =
            facet_arena_resize(arena, list->ends, list->capacity, capacity, 6 * sizeof *list->ends);
        if (!grown)
            return facet_fail_arena(arena, error);
        list->ends = grown;
        list->capacity = capacity;
    }
    double *ends = list->ends + 6 * (size_t)list->count++;
    for (int k = 0; k < 3; k++) {
        ends[k] = l->point[k] + from * l->direction[k];
        ends[3 + k] = l->point[k] + to * l->direction[k];
    }
    return FACET_OK;
}

/* Sample a segment at steps of half a voxel, and add each run of inner samples. `into` moves the
 * samples slightly into the cell, because planes often coincide with faces of the mesh. The ends
 * of a run need not be exact: where the segment crosses the surface, the cut triangles already
 * have the point. */
static facet_status add_inner_runs(facet_segments *list, const line *l, const double *into,
                                   const facet_voxels *voxels, facet_arena *arena,
                                   facet_error *error)
{
    double step = voxels->size / 2, first = 0, last = 0;
    uint32_t steps = (uint32_t)ceil((l->to - l->from) / step);
    bool inside = false;
    for (uint32_t i = 0; i <= steps; i++) {
        double t = i == steps ? l->to : l->from + step * i, point[3];
        /* The ends of the segment are on further planes: keep away from those also. */
        double u = fmin(fmax(t, l->from + INTO_CELL * voxels->size),
                        fmax(l->from, l->to - INTO_CELL * voxels->size));
        for (int k = 0; k < 3; k++)
            point[k] = l->point[k] + u * l->direction[k] + into[k] * INTO_CELL * voxels->size;
        bool now = facet_voxels_contain(voxels, point);
        first = now && !inside ? t : first;
        last = now ? t : last;
        if ((inside && !now) || (now && i == steps)) {
            TRY(add_segment(list, l, first, last, arena, error));
        }
        inside = now;
    }
    return FACET_OK;
}

facet_status facet_cell_edges(const facet_cell *cell, const facet_plane *plane, bool above,
                              const facet_voxels *voxels, facet_arena *arena,
                              facet_segments *segments, facet_error *error)
{
    for (uint32_t i = 0; i < cell->plane_count; i++) {
        line l;
        double into[3];
        if (!intersect(plane, &cell->planes[i], &l) || !clip(cell, i, &l))
            continue;
        for (int k = 0; k < 3; k++)
            into[k] = (above ? plane->normal[k] : -plane->normal[k]) - cell->planes[i].normal[k];
        TRY(add_inner_runs(segments, &l, into, voxels, arena, error));
    }
    return FACET_OK;
}

void facet_segments_free(facet_arena *arena, facet_segments *segments)
{
    facet_arena_release(arena, segments->ends, segments->capacity, 6 * sizeof *segments->ends);
    memset(segments, 0, sizeof *segments);
}
