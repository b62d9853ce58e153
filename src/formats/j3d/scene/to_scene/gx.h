/* formats/j3d/scene/to_scene/gx.h - the graphics chip's state in a scene's materials. */
#ifndef FACET_J3D_TO_SCENE_GX_H
#define FACET_J3D_TO_SCENE_GX_H

#include <facet/j3d.h>
#include <facet/scene.h>

/* Set the state of material `out` from a material of the document. `image_of` is the scene's image
 * of each texture. */
facet_status facet_j3d_set_gx(const facet_j3d_material *material,
                              const facet_j3d_textures *textures, const uint32_t *image_of,
                              facet_arena *arena, facet_material *out, facet_error *error);

/* Set a texture's sampler from its header. */
void facet_j3d_set_sampler(const facet_bti_header *header, facet_gx_sampler *sampler);

/* Restore the state of materials from the extras of a scene that another format stored. Materials
 * without or with invalid extras get none; invalid ones cause a warning LOSS-EXTRAS, unless
 * options->j3d names an original model. Errors: FACET_ERROR_MEMORY. */
facet_status facet_j3d_restore_gx(facet_scene *scene, const facet_options *options,
                                  facet_error *error);

#endif
