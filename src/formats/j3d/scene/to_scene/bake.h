/* formats/j3d/scene/to_scene/bake.h - what a material's texture environment makes of its textures,
 * as one image. */
#ifndef FACET_J3D_TO_SCENE_BAKE_H
#define FACET_J3D_TO_SCENE_BAKE_H

#include "gx/tev.h"

#include <facet/scene.h>

/* What comes into each stage: an image that lies over the base color's texture
 * coordinates, or a color. */
typedef struct facet_j3d_bake_stage {
    const facet_image *image; /* decoded; NULL: `texel` */
    uint8_t texel[4];
    uint8_t raster[4];
} facet_j3d_bake_stage;

/* Size of the result: that of the largest image of any stage, by each side. */
void facet_j3d_bake_size(const facet_j3d_bake_stage stages[16], uint32_t *width, uint32_t *height);

/* Compute the texels into `image`, in `arena`: 4 channels, or 3 when `opaque`. At least one stage
 * has an image. Images of other sizes are sampled at the nearest texel. */
facet_status facet_j3d_bake(const facet_gx_material *material,
                            const facet_j3d_bake_stage stages[16], bool opaque, facet_arena *arena,
                            facet_image *image, facet_error *error);

#endif
