/* scene/carriers.h - skeletons without the nodes above them that only place them.
 *
 * Programs put what the axes and the unit of a file ask for into nodes above a
 * skeleton: Blender's armature in an FBX is turned by 90 degrees and a hundred
 * times as large as its bones say, the root of a COLLADA file turns Z up to Y
 * up. In a format whose skeletons are trees of joints alone these nodes would be
 * joints, and the numbers of all others off by one. */
#ifndef FACET_SCENE_CARRIERS_H
#define FACET_SCENE_CARRIERS_H

#include <facet/scene.h>

/* *folded is the scene as it looks now, with such nodes at the origin: what they
 * said is in the joints below them, whose scale is then what it is in the world.
 * A carrier is above a joint, and all above it are carriers or have no place; it
 * shows nothing, is no joint, nothing moves it, and its place is a rotation, a
 * translation and one positive scale along all axes. The node `unit`, if it is
 * such a scale and no more, stays as it is
 * (facet_units.top, or FACET_NONE).
 *
 * `is_joint` has a mark per node, `order` the nodes, parents first. *folded is the
 * scene itself where nothing is to be done; else a copy of what changes, in the
 * arena, which shares the rest with the scene: nothing is to be freed. Linear. */
facet_status facet_scene_fold_carriers(const facet_scene *scene, const bool *is_joint,
                                       const uint32_t *order, uint32_t unit, facet_arena *arena,
                                       const facet_scene **folded, facet_error *error);

#endif
