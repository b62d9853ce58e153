/* mesh/hulls/convex.h - exact convex hulls of points in double precision.
 *
 * Worker tasks can also call these functions: their memory comes from malloc, and never from the
 * caller's arena. */
#ifndef FACET_MESH_HULLS_CONVEX_H
#define FACET_MESH_HULLS_CONVEX_H

#include "base/atomic.h"

#include <facet/base.h>

#include <stdio.h>

/* Sink for the messages of qhull, and the thickness below which points are flat. Shared by many
 * threads. */
typedef struct facet_convex {
    FILE *sink;
    double flat; /* points are flat if a slab of this thickness contains them */
    /* Set if memory runs out, which makes volumes 0. May be NULL. */
    atomic_bool *lacks_memory;
} facet_convex;

/* Open the sink. The caller sets `flat`. */
facet_status facet_convex_open(facet_convex *convex, facet_error *error);
void facet_convex_close(facet_convex *convex);

/* Volume of the hull of `count` points (x, y, z); 0 if they are flat. */
double facet_convex_volume(const facet_convex *convex, const double *points, uint32_t count);

/* Input and results of facet_convex_solve. */
typedef struct facet_convex_job {
    const double *points;
    uint32_t count;
    uint32_t limit;       /* most corners, at least 5; 0: no limit. The corners farthest outside are
                             kept */
    uint32_t *corners;    /* out: indices of the corners, ascending; space for `count`; NULL: not
                             wanted */
    uint32_t *triangles;  /* out: the surface, outward winding, at most 2 * count - 4 triangles;
                             NULL: not wanted */
    const double *others; /* points whose distance from the hull is computed; may be NULL */
    uint32_t other_count;

    bool failed; /* out of memory, or qhull failed */
    bool is_flat;
    uint32_t corner_count;
    uint32_t triangle_count;
    double volume;
    double distance; /* distance of the farthest of `others` from the hull; 0 if all are inside */
} facet_convex_job;

void facet_convex_solve(const facet_convex *convex, facet_convex_job *job);

/* The frame of flat points: the number of dimensions that they span (0 to 3), and three
 * orthonormal directions. The spanned directions come first. */
typedef struct facet_span {
    int dimensions;
    double directions[3][3];
} facet_span;
void facet_span_of(const double *points, uint32_t count, double flat, facet_span *span);

/* The convex hull of points; free with facet_convex_hull_free. */
typedef struct facet_convex_hull {
    facet_arena *arena;
    uint32_t corner_count; /* at least 4 */
    uint32_t *corners;     /* indices of the points that are corners, ascending */
    uint32_t triangle_count;
    uint32_t *triangles; /* the surface: three point indices each, counter-clockwise from outside;
                            only corners are used */
    double volume;
} facet_convex_hull;

/* Compute the exact convex hull of `count` points of three floats. Points on a face or an edge
 * of the hull do not become corners.
 *
 * FACET_ERROR_ARGUMENT with rule HULLS-FINITE for points that are not finite.
 * FACET_ERROR_ARGUMENT with rule HULLS-FLAT for fewer than four points, or points in one plane
 * within the precision of floats. These fit in a slab thinner than 3 * 2^-24 times the sum of
 * the largest coordinates.
 *
 * Expected O(n log n). Algorithms: Quickhull (C. Barber, D. Dobkin, H. Huhdanpaa, 1996) by qhull,
 * and many_points.h. Working memory comes from malloc. */
facet_status facet_convex_hull_compute(const float *points, uint32_t count,
                                       const facet_options *options, facet_convex_hull **hull,
                                       facet_error *error);
/* Free a hull; `hull` may be NULL. */
void facet_convex_hull_free(facet_convex_hull *hull);

/* Volume of the convex hull of `count` points, 0 if they are flat. FACET_ERROR_ARGUMENT with
 * rule HULLS-FINITE for points that are not finite. */
facet_status facet_convex_hull_volume(const float *points, uint32_t count, double *volume,
                                      facet_error *error);

#endif
