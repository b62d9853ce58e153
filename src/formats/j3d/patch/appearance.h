/* formats/j3d/patch/appearance.h - objects of the scene whose appearance differs from the original.
 */
#ifndef FACET_J3D_PATCH_APPEARANCE_H
#define FACET_J3D_PATCH_APPEARANCE_H

#include "formats/j3d/patch/like.h"

/* Set is_repainted of images and is_edited of materials. */
facet_status facet_j3d_like_find_edits(facet_j3d_builder *b);

#endif
