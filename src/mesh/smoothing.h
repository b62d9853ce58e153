/* mesh/smoothing.h - normals by smoothing rules that a scene cannot hold, for readers. */
#ifndef FACET_MESH_SMOOTHING_H
#define FACET_MESH_SMOOTHING_H

#include <facet/mesh.h>

/* Add normals to a mesh without normals, like facet_mesh_normals. hard_edges[i] is true if the edge
 * from corner i to the next one is hard for both faces. If hard_edges is NULL, mesh->face_smoothing
 * has masks. An edge is smooth then if its faces have a common bit. Positions of equal value stay
 * separate vertices. */
facet_status facet_mesh_smooth(facet_mesh *mesh, const bool *hard_edges,
                               const facet_options *options, facet_error *error);

#endif
