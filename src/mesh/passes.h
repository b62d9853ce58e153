/* mesh/passes.h - the passes that only facet_prepare runs. Their contract is in facet/mesh.h. */
#ifndef FACET_MESH_PASSES_H
#define FACET_MESH_PASSES_H

#include <facet/mesh.h>

/* Merge positions that are within `distance` of each other. `distance` is a share of the
 * diagonal of the mesh's box, 0 to 0.1; FACET_ERROR_ARGUMENT beyond. In their order, each
 * position joins the nearest earlier one that stayed, or stays if none is near enough. A note
 * MESH-MERGED gives the number of merged positions. Afterwards positions have a separate index,
 * and some triangles may have no area. The result depends only on the order of the positions.
 * Expected linear. */
facet_status facet_mesh_weld_distance(facet_mesh *mesh, float distance,
                                      const facet_options *options, bool *changed,
                                      facet_error *error);

/* Replace the normals of triangles that face away from the sum of their three normals by the
 * triangle's normal. Report them (MESH-FACING). Smoothing over a thin edge, or an author's
 * mistake, makes renderers light such triangles from behind. The mesh must be triangles and have
 * normals. If such a triangle exists, the normals have a separate index afterwards. Linear. */
facet_status facet_mesh_facing(facet_mesh *mesh, const facet_options *options, bool *changed,
                               facet_error *error);

/* Split vertices of a mesh that is indexed except for its tangents, to make it GPU-ready.
 * Corners that share a vertex but differ in tangent index get separate vertices. The first
 * tangent keeps the vertex; copies are appended, in corner order. */
facet_status facet_mesh_split(facet_mesh *mesh, const facet_options *options, bool *changed,
                              facet_error *error);

/* Order the faces by material, stably, with materials by first appearance. Faces without a
 * material count as one more material. Parts whose faces get separated are dropped with a note
 * MESH-PARTS-DROPPED. Linear. */
facet_status facet_mesh_sort(facet_mesh *mesh, const facet_options *options, bool *changed,
                             facet_error *error);

/* Like facet_mesh_optimize, but in the order that compresses best: triangles in strips, not ordered
 * for overdraw. */
facet_status facet_mesh_optimize_size(facet_mesh *mesh, const facet_options *options, bool *changed,
                                      facet_error *error);

#endif
