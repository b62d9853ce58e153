/* mesh/polygon.h - triangulation of one polygon in the plane. */
#ifndef FACET_MESH_POLYGON_H
#define FACET_MESH_POLYGON_H

#include <facet/base.h>

/* Working memory for polygons of up to `capacity` corners. */
typedef struct facet_polygon_cutter facet_polygon_cutter;

/* Create a cutter; NULL if out of memory. */
facet_polygon_cutter *facet_polygon_cutter_create(facet_arena *arena, uint32_t capacity);
void facet_polygon_cutter_free(facet_arena *arena, facet_polygon_cutter *cutter);

/* Space for the points of the polygon: capacity * 2 finite floats. The caller fills it,
 * counter-clockwise. */
float *facet_polygon_points(facet_polygon_cutter *cutter);

/* True if the triangles (0, i, i + 1) triangulate the polygon without overlap and without empty
 * triangles. Linear. */
bool facet_polygon_is_fan(const facet_polygon_cutter *cutter, uint32_t count);

/* Cut the polygon of `count` (at least 3) points into count - 2 triangles, three corner numbers
 * each, by clipping ears. A simple polygon is covered exactly, without overlap or empty
 * triangles. A polygon that touches or crosses itself also gets its triangles; the result is
 * false if they may overlap. Expected O(n log n). For polygons built to be slow, a limit that is
 * linear in n ends the search for clean cuts. */
bool facet_polygon_cut(facet_polygon_cutter *cutter, uint32_t count, uint32_t *triangles);

#endif
