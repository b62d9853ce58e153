/* j3d/to_scene/animation.h - animations that a scene has no channels for. */
#ifndef FACET_J3D_TO_SCENE_ANIMATION_H
#define FACET_J3D_TO_SCENE_ANIMATION_H

#include <facet/j3d_animation.h>
#include <facet/scene.h>

/* Put the file into the scene's extras, with a warning LOSS-ANIMATIONS. Errors:
 * FACET_ERROR_MEMORY. */
facet_status facet_j3d_animation_carry(const facet_j3d_animation *document,
                                       const facet_options *options, facet_scene *scene,
                                       facet_error *error);

#endif
