/* formats/j3d/scene/to_scene/bake.h - one image from a material's texture environment and its
 * textures. */
#ifndef FACET_J3D_TO_SCENE_BAKE_H
#define FACET_J3D_TO_SCENE_BAKE_H

#include "gx/tev.h"

#include <facet/scene.h>

/* The input of each stage: an image on the texture coordinates of the base color, or a color. */
typedef struct facet_j3d_bake_stage {
    const facet_image *image; /* decoded; NULL: use `texel` */
    uint8_t texel[4];
    uint8_t raster[4];
} facet_j3d_bake_stage;

/* Get the size of the result: the largest width and the largest height of the images. */
void facet_j3d_bake_size(const facet_j3d_bake_stage stages[16], uint32_t *width, uint32_t *height);

/* Compute the texels into `image`, in `arena`: 4 channels, or 3 if `opaque`. At least one stage
 * must have an image. Images of other sizes are sampled at the nearest texel. */
facet_status facet_j3d_bake(const facet_gx_material *material,
                            const facet_j3d_bake_stage stages[16], bool opaque, facet_arena *arena,
                            facet_image *image, facet_error *error);

#endif
