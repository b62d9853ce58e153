/* mesh/passes.h - the passes that only facet_prepare runs. The contract of a pass is that of
 * facet/mesh.h. */
#ifndef FACET_MESH_PASSES_H
#define FACET_MESH_PASSES_H

#include <facet/mesh.h>

/* Make one position of those that lie within `distance` of one another, which is a
 * share of the diagonal of the mesh's box, 0 to 0.1 (FACET_ERROR_ARGUMENT beyond): in
 * their order, each goes to the nearest before it that stayed, and stays where none is
 * near enough. A note MESH-MERGED says how many went. Afterwards positions have an
 * index of their own; triangles may have lost their area. The result depends on the
 * order of the positions alone. Expected linear. */
facet_status facet_mesh_weld_distance(facet_mesh *mesh, float distance,
                                      const facet_options *options, bool *changed,
                                      facet_error *error);

/* Give the corners of every triangle that faces away from the sum of its three
 * normals the triangle's own normal, and report them (MESH-FACING): smoothing
 * over a thin edge, or a slip of the author's, lights them from behind. The mesh
 * is triangles and has normals. When there is such a triangle, the normals have
 * an index of their own afterwards. Linear. */
facet_status facet_mesh_facing(facet_mesh *mesh, const facet_options *options, bool *changed,
                               facet_error *error);

/* Make a mesh that is indexed but for its tangents GPU-ready: corners that share
 * a vertex and differ in tangent index get vertices of their own. The first
 * tangent keeps the vertex; copies go to the end, in corner order. */
facet_status facet_mesh_split(facet_mesh *mesh, const facet_options *options, bool *changed,
                              facet_error *error);

/* Order the faces by material, stably; materials by first appearance, faces
 * without one as if it were a material of its own. Parts that are torn apart
 * by it are dropped with a note MESH-PARTS-DROPPED. Linear. */
facet_status facet_mesh_sort(facet_mesh *mesh, const facet_options *options, bool *changed,
                             facet_error *error);

#endif
