/* formats/j3d/patch/tree.h - new joints and shapes in the original's hierarchy. */
#ifndef FACET_J3D_PATCH_TREE_H
#define FACET_J3D_PATCH_TREE_H

#include "formats/j3d/patch/like.h"

/* Add the joints from joint_count on, each below its parent, after the existing nodes. */
facet_status facet_j3d_like_add_joints(facet_j3d_builder *b);
/* Add the shapes from shape_count on, below the joints that own them. */
facet_status facet_j3d_like_add_shapes(facet_j3d_builder *b);

#endif
