/* mesh/soup.h - the triangles of a mesh and the points that they use, in normalized size.
 *
 * Points are moved to the middle of their box and scaled by a power of two to a diagonal of 0.5
 * to 1. So sizes can be compared with constants. The conversion back is exact, except for points
 * whose coordinates differ by a factor of more than 2^29. */
#ifndef FACET_MESH_SOUP_H
#define FACET_MESH_SOUP_H

#include <facet/scene.h>
#include <float.h>
#include <math.h>

typedef struct facet_soup {
    double *points; /* x, y, z */
    uint32_t point_count;
    uint32_t *triangles; /* three point indices per triangle */
    uint32_t triangle_count;
    double center[3];  /* center of the box, in units of the mesh */
    double scale;      /* point = (position - center) * scale */
    double diagonal;   /* diagonal of the box of `points`; 0 if they coincide or `points` is
                          empty */
    double resolution; /* least distance that floats resolve, in units of `points` */
} facet_soup;

/* Gather a mesh of triangles with finite positions; other meshes are FACET_ERROR_ARGUMENT, and
 * infinite positions break rule HULLS-FINITE. Points with equal coordinates become one. Arrays
 * come from `arena`. */
facet_status facet_soup_gather(const facet_mesh *mesh, facet_arena *arena, facet_soup *soup,
                               facet_error *error);

/* Convert a point to a position, which is finite for every point. */
static inline void facet_soup_position(const facet_soup *soup, const double *point, float *position)
{
    for (int k = 0; k < 3; k++)
        position[k] = (float)fmin(fmax(point[k] / soup->scale + soup->center[k], -(double)FLT_MAX),
                                  (double)FLT_MAX);
}

#endif
