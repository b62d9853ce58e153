/* mesh/occluder.h - the measure of how well an occluder fits its mesh. */
#ifndef FACET_MESH_OCCLUDER_H
#define FACET_MESH_OCCLUDER_H

#include <facet/mesh.h>

/* Measure an occluder (any triangle mesh) against a triangle mesh. The samples are at most a
 * hundredth of the diagonal apart.
 *
 * A sample is outside if it is not inside the mesh, and farther than `tolerance` from its
 * surface. `tolerance` is a share of the diagonal; 0: 0.001. The inside of a closed surface is
 * where the winding number is not 0. A surface with open edges has no inside.
 *
 * A triangle counts as outside if its samples visit more than 65,536 nodes, as among randomly
 * placed triangles, or if all triangles visit too many: OCCLUDER-LIMIT. So the time stays nearly
 * linear. facet_options.growth_limit raises the limits. */
facet_status facet_occluder_measure(const facet_mesh *mesh, const facet_mesh *occluder,
                                    float tolerance, const facet_options *options,
                                    facet_occluder_fit *fit, facet_error *error);

#endif
