/* mesh/polygon.h - cutting one polygon in the plane into triangles. */
#ifndef FACET_MESH_POLYGON_H
#define FACET_MESH_POLYGON_H

#include <facet/base.h>

/* Working memory for polygons of up to `capacity` corners. */
typedef struct facet_polygon_cutter facet_polygon_cutter;

/* NULL without memory. */
facet_polygon_cutter *facet_polygon_cutter_create(facet_arena *arena, uint32_t capacity);
void facet_polygon_cutter_free(facet_arena *arena, facet_polygon_cutter *cutter);

/* Space for the polygon's points, capacity * 2 finite floats; the caller fills
 * them in, counter-clockwise. */
float *facet_polygon_points(facet_polygon_cutter *cutter);

/* True when the triangles (0, i, i + 1) are a triangulation of the polygon
 * without overlap or empty triangle. Linear. */
bool facet_polygon_is_fan(const facet_polygon_cutter *cutter, uint32_t count);

/* Cut the polygon of `count` (at least 3) points into count - 2 triangles,
 * three corner numbers each, by clipping ears. A simple polygon is covered
 * exactly, without overlap, and without empty triangles; one that touches or
 * crosses itself gets its triangles too, and the answer is false when they may
 * overlap. Expected O(n log n); a bound on the work, linear in n, ends the
 * search for clean cuts in polygons made to defeat it. */
bool facet_polygon_cut(facet_polygon_cutter *cutter, uint32_t count, uint32_t *triangles);

#endif
