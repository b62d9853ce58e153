/* formats/j3d/patch/images.h - images of the scene and those of the original. */
#ifndef FACET_J3D_PATCH_IMAGES_H
#define FACET_J3D_PATCH_IMAGES_H

#include "formats/j3d/patch/like.h"

/* Set image_of, after materials are matched. */
facet_status facet_j3d_like_match_images(facet_j3d_builder *b);
/* Compare the pixels of an image with those of its image in the original. An image without bytes
 * is unknown, so it is not repainted. */
facet_status facet_j3d_like_compare_image(const facet_j3d_builder *b, uint32_t index,
                                          bool *repainted);

#endif
