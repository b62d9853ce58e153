/* formats/j3d/scene/from_scene/look.h - comparison of two appearances of a material. */
#ifndef FACET_J3D_FROM_SCENE_LOOK_H
#define FACET_J3D_FROM_SCENE_LOOK_H

#include "formats/j3d/scene/from_scene/builder.h"

typedef enum facet_j3d_same_image {
    FACET_J3D_IMAGE_OTHER,
    FACET_J3D_IMAGE_SAME,
    FACET_J3D_IMAGE_UNKNOWN /* nothing is known about it: the map is equal */
} facet_j3d_same_image;

/* The builder, and a function that compares the images of two textures. */
typedef struct facet_j3d_looks {
    const facet_j3d_builder *builder;
    facet_j3d_same_image (*same_image)(const struct facet_j3d_looks *looks,
                                       const facet_texture *known, const facet_texture *now);
} facet_j3d_looks;

/* True if a material of the scene looks like `known`, within the changes that other programs make.
 * Texture transforms of `known` are for v from the top. */
bool facet_j3d_same_look(const facet_j3d_looks *looks, const facet_material *known,
                         const facet_material *now);

#endif
