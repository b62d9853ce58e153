/* formats/j3d/patch/bounds.h - bounds of redrawn shapes, by the rule of the original. */
#ifndef FACET_J3D_PATCH_BOUNDS_H
#define FACET_J3D_PATCH_BOUNDS_H

#include "formats/j3d/patch/display_lists.h"

/* Set the bounds of shapes, and of the joints that own them. `number` has the final numbers of draw
 * matrices, `before` the original shapes. */
facet_status facet_j3d_like_bounds(const facet_j3d_redrawn *redrawn, const uint32_t *number,
                                   const facet_j3d_shapes *before);

#endif
