/* mesh/hulls/convex.h - exact convex hulls of points in double precision, by qhull.
 *
 * The functions here are for worker tasks too: they take memory from qhull's
 * own malloc and never from an arena. */
#ifndef FACET_MESH_HULLS_CONVEX_H
#define FACET_MESH_HULLS_CONVEX_H

#include <facet/base.h>

#include <stdatomic.h>
#include <stdio.h>

/* Where qhull's messages go, and how thin is flat. Shared by many threads. */
typedef struct facet_convex {
    FILE *sink;
    double flat; /* points that a slab of this thickness holds are flat */
    /* Set when qhull has no memory, which makes volumes 0; or NULL. */
    atomic_bool *lacks_memory;
} facet_convex;

/* Open the sink. `flat` is set by the caller. */
facet_status facet_convex_open(facet_convex *convex, facet_error *error);
void facet_convex_close(facet_convex *convex);

/* Volume of the hull of `count` points (x, y, z); 0 when they are flat. */
double facet_convex_volume(const facet_convex *convex, const double *points, uint32_t count);

/* What facet_convex_solve is to find. */
typedef struct facet_convex_job {
    const double *points;
    uint32_t count;
    uint32_t limit;       /* most corners, at least 5; 0: all. Those that stand out farthest stay */
    uint32_t *corners;    /* out: indices of the corners, ascending; space for `count`, or NULL */
    uint32_t *triangles;  /* out: the surface, outward winding, at most 2 * count - 4; or NULL */
    const double *others; /* points whose distance from the hull is wanted; NULL: none */
    uint32_t other_count;

    bool failed; /* qhull ran out of memory or gave up */
    bool is_flat;
    uint32_t corner_count;
    uint32_t triangle_count;
    double volume;
    double distance; /* of the farthest of `others` from the hull; 0 when all are inside */
} facet_convex_job;

void facet_convex_solve(const facet_convex *convex, facet_convex_job *job);

/* The frame of flat points: how many dimensions they span (0 to 3), up to
 * three orthonormal directions, those that they span first. */
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
    uint32_t *triangles; /* the surface: three indices of points each, counter-clockwise from
                            outside; only corners occur */
    double volume;
} facet_convex_hull;

/* The exact convex hull of `count` points of three floats: what lies on a face
 * or an edge of the hull is no corner. Points that are not finite are
 * FACET_ERROR_ARGUMENT with rule HULLS-FINITE, fewer than four or points that
 * lie in one plane as far as floats can tell (the slab that holds them is
 * thinner than 3 * 2^-24 times the sum of the largest coordinates)
 * FACET_ERROR_ARGUMENT with rule HULLS-FLAT. Expected O(n log n).
 * Algorithm: Quickhull (C. Barber, D. Dobkin, H. Huhdanpaa, 1996), by qhull,
 * which takes its working memory from malloc. */
facet_status facet_convex_hull_compute(const float *points, uint32_t count,
                                       const facet_options *options, facet_convex_hull **hull,
                                       facet_error *error);
/* NULL is fine. */
void facet_convex_hull_free(facet_convex_hull *hull);

/* Volume of the convex hull of `count` points, 0 when they are flat. Points
 * that are not finite are FACET_ERROR_ARGUMENT with rule HULLS-FINITE. */
facet_status facet_convex_hull_volume(const float *points, uint32_t count, double *volume,
                                      facet_error *error);

#endif
