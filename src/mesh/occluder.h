/* mesh/occluder.h - how well an occluder fits its mesh. */
#ifndef FACET_MESH_OCCLUDER_H
#define FACET_MESH_OCCLUDER_H

#include <facet/mesh.h>

/* Measure an occluder (any triangle mesh) against a triangle mesh: by samples,
 * a hundredth of the diagonal apart or closer. A sample sticks out when it is
 * farther than `tolerance` (a share of the diagonal; 0: 0.001) from the mesh's
 * surface, and not inside. Inside of a closed surface is where it winds around;
 * where edges are open nothing is inside. A triangle whose samples need more than
 * 65,536 looks at the mesh's parts, as among triangles that lie about at random,
 * counts as outside: the time stays next to linear. */
facet_status facet_occluder_measure(const facet_mesh *mesh, const facet_mesh *occluder,
                                              float tolerance, const facet_options *options,
                                              facet_occluder_fit *fit, facet_error *error);

#endif
