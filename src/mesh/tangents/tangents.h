/* mesh/tangents/tangents.h - the tangents pass for who knows more of a mesh. */
#ifndef FACET_MESH_TANGENTS_TANGENTS_H
#define FACET_MESH_TANGENTS_TANGENTS_H

#include <facet/mesh.h>

/* facet_mesh_tangents for an indexed mesh no two vertices of which are equal in position, normal
 * and texture coordinate, as facet_mesh_weld leaves one that has no other streams. */
facet_status facet_mesh_tangents_distinct(facet_mesh *mesh, const facet_options *options,
                                          bool *changed, facet_error *error);

#endif
