/* formats/j3d/patch/shapes.h - replacement of the original's shapes by those of the scene. */
#ifndef FACET_J3D_PATCH_SHAPES_H
#define FACET_J3D_PATCH_SHAPES_H

#include "formats/j3d/patch/like.h"

/* Compare the plans with the shapes. Redraw those that differ, and draw new ones. */
facet_status facet_j3d_like_put_shapes(facet_j3d_builder *b);

#endif
