/* formats/j3d/patch/bounds.h - bounds of shapes that are drawn anew, by the rule of the original.
 */
#ifndef FACET_J3D_LIKE_BOUNDS_H
#define FACET_J3D_LIKE_BOUNDS_H

#include "formats/j3d/patch/graft.h"

/* Shapes, and the joints that own them. `number` is what draw matrices are in the
 * end, `before` are the shapes as they were. */
facet_status facet_j3d_like_bounds(const facet_j3d_redrawn *redrawn, const uint32_t *number,
                                   const facet_j3d_shapes *before);

#endif
