/* formats/j3d/scene/to_scene/gx.h - the state of the graphics chip as part of a scene's materials.
 */
#ifndef FACET_J3D_TO_SCENE_GX_H
#define FACET_J3D_TO_SCENE_GX_H

#include <facet/j3d.h>
#include <facet/scene.h>

/* Give material `out` the state that a material of the document has. `image_of` is the
 * scene's image of each of its textures. */
facet_status facet_j3d_give_gx(const facet_j3d_material *material,
                               const facet_j3d_textures *textures, const uint32_t *image_of,
                               facet_arena *arena, facet_material *out, facet_error *error);

/* A texture's sampler, as its header says. */
void facet_j3d_set_sampler(const facet_bti_header *header, facet_gx_sampler *sampler);

/* Give the materials of a scene that came through another format the state that their
 * extras tell of. Those that tell of none, or say what cannot be, are left without; the
 * latter with a warning LOSS-EXTRAS, unless options->j3d names a model to be like. Errors:
 * FACET_ERROR_MEMORY. */
facet_status facet_j3d_restore_gx(facet_scene *scene, const facet_options *options,
                                  facet_error *error);

#endif
