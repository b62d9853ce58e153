/* mesh/simplify.h - simplification of a soup, for the passes that go on with it. */
#ifndef FACET_MESH_SIMPLIFY_H
#define FACET_MESH_SIMPLIFY_H

#include "mesh/soup.h"

#include <facet/mesh.h>

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
