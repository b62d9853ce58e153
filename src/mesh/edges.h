/* mesh/edges.h - the edges of triangles, to be found by their ends. */
#ifndef FACET_MESH_EDGES_H
#define FACET_MESH_EDGES_H

#include "base/error.h"

/* Each triangle's three edges, by direction: those that begin at point p end at the points
 * ends[starts[p]] up to ends[starts[p + 1]], which ascend; one that is there twice stands
 * twice. */
typedef struct facet_edges {
    uint32_t *starts; /* point_count + 1 */
    uint32_t *ends;   /* three per triangle */
    uint32_t point_count, triangle_count;
} facet_edges;

/* Of triangles with three points each, below point_count. O(n), by counting. Memory comes
 * from `arena`. FACET_ERROR_LIMIT beyond 2^32 - 1 edges. */
facet_status facet_edges_sort(const uint32_t *triangles, uint32_t triangle_count,
                              uint32_t point_count, const facet_stretch *progress,
                              facet_arena *arena, facet_edges *edges, facet_error *error);
void facet_edges_free(facet_arena *arena, facet_edges *edges);

/* How often the edge is there. */
uint32_t facet_edges_count(const facet_edges *edges, uint32_t from, uint32_t to);

#endif
