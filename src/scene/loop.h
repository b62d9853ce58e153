/* scene/loop.h - whether an animation plays again and again. */
#ifndef FACET_SCENE_LOOP_H
#define FACET_SCENE_LOOP_H

#include <facet/scene.h>

/* What the extras of an animation say, of whatever format they are: {"iqm":{"loop":true}}, a "loop"
 * of J3D (2 and 4 repeat), or {"loop":true}, which is a custom property in Blender. Numbers other
 * than 0 count as true: Blender has no booleans there. `otherwise` when nothing is said, and out of
 * memory. */
bool facet_animation_loops(const facet_animation *animation, bool otherwise);

#endif
