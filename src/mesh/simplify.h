/* mesh/simplify.h - simplification of a soup, for the passes that go on with it. */
#ifndef FACET_MESH_SIMPLIFY_H
#define FACET_MESH_SIMPLIFY_H

#include "mesh/soup.h"

#include <facet/mesh.h>

/* Fill `simplified`, an empty mesh, with positions and triangles that look like
 * those of a triangle mesh from afar. Corners that share a position share a
 * vertex; each vertex is one of the mesh's. Topology stays: the ratio may be
 * missed, and a note SIMPLIFY-RATIO says so when it is by more than half.
 * What facet_mesh_hulls refuses is refused here too. simplify may be NULL.
 * Algorithm: quadric error edge collapse (M. Garland, P. Heckbert, 1997), by
 * meshoptimizer, which takes its working memory from operator new, and tells no
 * progress: 650 ms of silence for a million triangles. */
facet_status facet_mesh_simplify(const facet_mesh *mesh,
                                           const facet_simplify_options *simplify,
                                           const facet_options *options, facet_mesh *simplified,
                                           facet_error *error);

/* Drop triangles that have two equal corners. */
void facet_soup_drop_degenerate(facet_soup *soup);

/* Triangles over the soup's points, from `arena`; options as in facet_mesh_simplify. */
facet_status facet_soup_simplify(const facet_soup *soup, const facet_simplify_options *simplify,
                                 const facet_options *options, facet_arena *arena,
                                 uint32_t **triangles, uint32_t *triangle_count,
                                 facet_error *error);

/* Fill an empty mesh with triangles over the soup's points; those that no
 * triangle uses are left out. */
facet_status facet_soup_give(const facet_soup *soup, const double *points,
                             const uint32_t *triangles, uint32_t triangle_count, facet_arena *arena,
                             facet_mesh *mesh, facet_error *error);

#endif
