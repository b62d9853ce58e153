/* mesh/soup.h - the triangles of a mesh and the points that they use, moved to
 * the middle of their box and scaled by a power of two to a diagonal of 0.5 to 1:
 * sizes can then be compared with constants, and the way back is exact but for
 * points whose coordinates differ by more than 2^29. */
#ifndef FACET_MESH_SOUP_H
#define FACET_MESH_SOUP_H

#include <facet/scene.h>
#include <float.h>
#include <math.h>

typedef struct facet_soup {
    double *points; /* x, y, z */
    uint32_t point_count;
    uint32_t *triangles; /* three indices of points each */
    uint32_t triangle_count;
    double center[3];  /* of the box, before */
    double scale;      /* point = (position - center) * scale */
    double diagonal;   /* of the box of `points`; 0 when they coincide or there are none */
    double resolution; /* what floats cannot tell apart, in units of `points` */
} facet_soup;

/* From triangles and finite positions; FACET_ERROR_ARGUMENT otherwise, with
 * rule HULLS-FINITE for the latter. Points with equal coordinates are one.
 * Arrays come from `arena`. */
facet_status facet_soup_gather(const facet_mesh *mesh, facet_arena *arena, facet_soup *soup,
                               facet_error *error);

/* A point as a position; finite, whatever the point. */
static inline void facet_soup_position(const facet_soup *soup, const double *point, float *position)
{
    for (int k = 0; k < 3; k++)
        position[k] = (float)fmin(fmax(point[k] / soup->scale + soup->center[k], -(double)FLT_MAX),
                                  (double)FLT_MAX);
}

#endif
