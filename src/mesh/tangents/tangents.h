/* mesh/tangents/tangents.h - the tangents pass for callers that know their mesh is welded. */
#ifndef FACET_MESH_TANGENTS_TANGENTS_H
#define FACET_MESH_TANGENTS_TANGENTS_H

#include <facet/mesh.h>

/* Like facet_mesh_tangents, for an indexed mesh whose vertices are distinct. No two vertices may
 * be equal in position, normal and texture coordinate. facet_mesh_weld ensures this if the mesh
 * has no other streams. */
facet_status facet_mesh_tangents_distinct(facet_mesh *mesh, const facet_options *options,
                                          bool *changed, facet_error *error);

#endif
