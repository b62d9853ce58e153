/* formats/j3d/scene/to_scene/animation.h - animations to a scene: channels, and files that it
 * carries. */
#ifndef FACET_J3D_TO_SCENE_ANIMATION_H
#define FACET_J3D_TO_SCENE_ANIMATION_H

#include "base/report.h"

#include <facet/gx_material.h>
#include <facet/j3d_animation.h>
#include <facet/scene.h>

/* The bytes of the file, in `arena`, and its kind; false without memory. */
bool facet_j3d_animation_pack_file(const facet_j3d_animation *document,
                                   const facet_options *options, facet_arena *arena,
                                   facet_gx_file_animation *file);
/* Let the scene carry the file, with a warning LOSS-ANIMATIONS. Errors: FACET_ERROR_MEMORY. */
facet_status facet_j3d_animation_carry(const facet_j3d_animation *document,
                                       const facet_options *options, facet_scene *scene,
                                       facet_error *error);

/* -- Materials and shapes (animation_material.c) ------------------------ */

/* Kinds that move what a scene has channels for, but no joints. */
bool facet_j3d_animation_has_channels(facet_j3d_animation_kind kind);
/* Add an animation to the scene of a model, `rate` frames a second. *animation is NULL when
 * there is nothing that the scene can show. `lost` gets the entries that are no channel.
 * Errors: FACET_ERROR_LIMIT, FACET_ERROR_MEMORY. */
facet_status facet_j3d_animation_drive(const facet_j3d_animation *document, const facet_j3d *model,
                                       double rate, const facet_options *options,
                                       facet_scene *scene, facet_animation **animation,
                                       facet_tally *lost, facet_error *error);

/* What an entry makes of a material's state at a frame. */
void facet_j3d_animation_apply(const facet_j3d_animation *document, uint32_t set, uint32_t entry,
                               double frame, facet_gx_material *gx);
/* Where an entry of a btk puts a texture: offset, rotation and scale as a scene has them, and
 * the 2x3 matrix itself; false when they cannot say it. */
bool facet_j3d_texture_place(const facet_j3d_animation *document, uint32_t entry, double frame,
                             float place[5], double matrix[6]);
/* The number of the shape that a node "shape3_skin" shows. */
bool facet_j3d_shape_of_name(const char *name, uint32_t *shape);

#endif
