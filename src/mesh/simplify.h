/* mesh/simplify.h - simplification of a soup, for passes that continue with the result. */
#ifndef FACET_MESH_SIMPLIFY_H
#define FACET_MESH_SIMPLIFY_H

#include "mesh/soup.h"

#include <facet/mesh.h>

/* Fill `simplified`, an empty mesh, with fewer positions and triangles that look like the given
 * triangle mesh from a distance. Corners that share a position share a vertex; each vertex is
 * one of the mesh's. The topology is preserved, so the ratio may be missed. A note
 * SIMPLIFY-RATIO reports this if it is missed by more than half. Rejects the same meshes as
 * facet_mesh_hulls. `simplify` may be NULL.
 *
 * Algorithm: quadric error edge collapse (M. Garland, P. Heckbert, 1997), by meshoptimizer. It
 * takes its working memory from operator new. It does not report progress: 650 ms without a
 * report for a million triangles. */
facet_status facet_mesh_simplify(const facet_mesh *mesh, const facet_simplify_options *simplify,
                                 const facet_options *options, facet_mesh *simplified,
                                 facet_error *error);

/* Drop triangles that have two equal corners. */
void facet_soup_drop_degenerate(facet_soup *soup);

/* Triangles over the soup's points, from `arena`; options as in facet_mesh_simplify. */
facet_status facet_soup_simplify(const facet_soup *soup, const facet_simplify_options *simplify,
                                 const facet_options *options, facet_arena *arena,
                                 uint32_t **triangles, uint32_t *triangle_count,
                                 facet_error *error);

/* Fill an empty mesh with triangles over the soup's points; omit points that no triangle uses. */
facet_status facet_soup_fill_mesh(const facet_soup *soup, const double *points,
                                  const uint32_t *triangles, uint32_t triangle_count,
                                  facet_arena *arena, facet_mesh *mesh, facet_error *error);

#endif
