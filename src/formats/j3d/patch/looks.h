/* formats/j3d/patch/looks.h - what of the scene looks otherwise than the original does. */
#ifndef FACET_J3D_LIKE_LOOKS_H
#define FACET_J3D_LIKE_LOOKS_H

#include "formats/j3d/patch/like.h"

/* is_repainted of images and is_edited of materials. */
facet_status facet_j3d_like_find_edits(facet_j3d_builder *b);

#endif
