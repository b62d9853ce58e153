/* scene/axis_nodes.h - removal of nodes above skeletons that only convert axes and units.
 *
 * Programs store the axes and the unit of a file in nodes above a skeleton. In an FBX from Blender,
 * the armature is rotated by 90 degrees and scaled by a hundred. The root of a COLLADA file rotates
 * Z up to Y up. In a format whose skeletons are trees of joints, these nodes would become joints
 * and shift the indices of all others by one. */
#ifndef FACET_SCENE_AXIS_NODES_H
#define FACET_SCENE_AXIS_NODES_H

#include <facet/scene.h>

/* Create *folded, the same scene with axis nodes at the origin. The transforms of axis nodes move
 * into the joints below them, whose scale is then that in the world.
 *
 * An axis node is above a joint, and all nodes above it are axis nodes or have no transform. It
 * shows nothing, is not a joint, and is not animated. Its transform is a rotation, a translation
 * and one positive scale along all axes. The axis node `unit` (facet_units.top, or FACET_NONE)
 * keeps its scale and loses the rest. `is_joint` has one mark per node; `order` has the nodes,
 * parents first.
 *
 * If there is nothing to do, *folded is the scene itself. Otherwise it is a copy of the changed
 * parts in the arena, which shares the rest with the scene. Nothing needs to be freed. Linear. */
facet_status facet_scene_fold_axis_nodes(const facet_scene *scene, const bool *is_joint,
                                         const uint32_t *order, uint32_t unit, facet_arena *arena,
                                         const facet_scene **folded, facet_error *error);

#endif
