/* formats/j3d/patch/shapes.h - shapes of the scene in the place of the original's. */
#ifndef FACET_J3D_LIKE_SHAPES_H
#define FACET_J3D_LIKE_SHAPES_H

#include "formats/j3d/patch/like.h"

/* Compare the plans with the shapes; those that differ, and new ones, are drawn anew. */
facet_status facet_j3d_like_put_shapes(facet_j3d_builder *b);

#endif
