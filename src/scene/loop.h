/* scene/loop.h - detection of animations that repeat. */
#ifndef FACET_SCENE_LOOP_H
#define FACET_SCENE_LOOP_H

#include <facet/scene.h>

/* True if the extras of an animation, from any format, mark it as repeating. They are
 * {"iqm":{"loop":true}}, a "loop" of J3D (2 and 4 repeat), or {"loop":true}, a custom property in
 * Blender. Blender lacks booleans there, so numbers other than 0 are treated as true. `otherwise`
 * if the extras have no mark, or if out of memory. */
bool facet_animation_loops(const facet_animation *animation, bool otherwise);

#endif
