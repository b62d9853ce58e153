/* mesh/hulls/many_points.h - the convex hull of many points, in expected O(n log n) for any shape.
 *
 * qhull merges the triangles of a plane part of a hull. That is quadratic in its corners, so the
 * base of a cone with 65,536 corners takes minutes. */
#ifndef FACET_MESH_HULLS_MANY_POINTS_H
#define FACET_MESH_HULLS_MANY_POINTS_H

#include "mesh/hulls/convex.h"

/* Like facet_convex_solve. Coordinates are rounded to 2^-36 of the largest one, or more precisely;
 * the volume and the distance are those of the points before rounding. Points without volume after
 * rounding are flat. If `failed`, memory ran out. */
void facet_many_points_solve(facet_convex_job *job);

#endif
