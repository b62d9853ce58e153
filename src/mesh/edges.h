/* mesh/edges.h - the edges of triangles, searchable by their ends. */
#ifndef FACET_MESH_EDGES_H
#define FACET_MESH_EDGES_H

#include "base/error.h"

/* The three edges of each triangle, with direction. The edges that start at point p end at the
 * points ends[starts[p]] up to ends[starts[p + 1]], in ascending order. An edge that occurs
 * twice is listed twice. */
typedef struct facet_edges {
    uint32_t *starts; /* point_count + 1 entries */
    uint32_t *ends;   /* three entries per triangle */
    uint32_t point_count, triangle_count;
} facet_edges;

/* Sort the edges of triangles of three points each, below point_count. O(n), by counting. Memory
 * comes from `arena`. FACET_ERROR_LIMIT if there are more than 2^32 - 1 edges. */
facet_status facet_edges_sort(const uint32_t *triangles, uint32_t triangle_count,
                              uint32_t point_count, const facet_stretch *progress,
                              facet_arena *arena, facet_edges *edges, facet_error *error);
void facet_edges_free(facet_arena *arena, facet_edges *edges);

/* Number of times that the edge occurs. */
uint32_t facet_edges_count(const facet_edges *edges, uint32_t from, uint32_t to);

#endif
