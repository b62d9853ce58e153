/* formats/j3d/scene/to_scene/animation.h - animations to a scene: as channels, and as embedded
 * files. */
#ifndef FACET_J3D_TO_SCENE_ANIMATION_H
#define FACET_J3D_TO_SCENE_ANIMATION_H

#include "base/report.h"

#include <facet/gx_material.h>
#include <facet/j3d_animation.h>
#include <facet/scene.h>

/* Pack the bytes of the file, in `arena`, and its kind. False if out of memory. */
bool facet_j3d_animation_pack_file(const facet_j3d_animation *document,
                                   const facet_options *options, facet_arena *arena,
                                   facet_gx_file_animation *file);
/* Store the file with its animation, which lasts as long also if nothing moves. False if out of
 * memory. */
bool facet_j3d_animation_finish(const facet_j3d_animation *document, double rate,
                                facet_arena *arena, facet_animation *animation);
/* Embed the file in the scene, with a warning LOSS-ANIMATIONS. Errors: FACET_ERROR_MEMORY. */
facet_status facet_j3d_animation_carry(const facet_j3d_animation *document,
                                       const facet_options *options, facet_scene *scene,
                                       facet_error *error);

/* -- Materials and shapes (animation_material.c) ------------------------ */

/* True for kinds that animate materials or shapes and have channels in a scene. */
bool facet_j3d_animation_has_channels(facet_j3d_animation_kind kind);
/* Add an animation to the scene of a model, at `rate` frames per second. *animation is NULL if the
 * scene can show nothing of it. `lost` gets the entries without a channel. Errors:
 * FACET_ERROR_LIMIT, FACET_ERROR_MEMORY. */
facet_status facet_j3d_animation_drive(const facet_j3d_animation *document, const facet_j3d *model,
                                       double rate, const facet_options *options,
                                       facet_scene *scene, facet_animation **animation,
                                       facet_tally *lost, facet_error *error);

/* Apply an entry to a material's state at a frame. */
void facet_j3d_animation_apply(const facet_j3d_animation *document, uint32_t set, uint32_t entry,
                               double frame, facet_gx_material *gx);
/* Get the transform of a texture from an entry of a BTK: offset, rotation and scale of a scene, and
 * the 2x3 matrix. False if these cannot express the matrix. */
bool facet_j3d_texture_transform(const facet_j3d_animation *document, uint32_t entry, double frame,
                                 float place[5], double matrix[6]);
/* Get the number of the shape from a node name like "shape3_skin". */
bool facet_j3d_shape_of_name(const char *name, uint32_t *shape);

#endif
