/* formats/j3d/patch/blends.h - blends of joints, however a file stores them: what moves the
 * vertices of a draw matrix. */
#ifndef FACET_J3D_LIKE_BLENDS_H
#define FACET_J3D_LIKE_BLENDS_H

#include "formats/j3d/patch/like.h"

/* Joints that a vertex keeps at most. */
#define FACET_J3D_LIKE_INFLUENCES 32

typedef struct facet_j3d_blend {
    uint32_t count;
    facet_j3d_influence list[FACET_J3D_LIKE_INFLUENCES]; /* by joint; weights sum up to 1 */
} facet_j3d_blend;

/* The blend of a draw matrix of any document. */
void facet_j3d_blend_of_draw(const facet_j3d *document, uint32_t draw, facet_j3d_blend *blend);
/* Number the blends of the original: like->blend_of_draw, draw_of_blend. */
facet_status facet_j3d_like_know_blends(facet_j3d_builder *b);
/* The original's blend that is the same but for rounding, or for the joints that a
 * program drops beyond four; FACET_NONE: it has none. */
uint32_t facet_j3d_like_find_blend(const facet_j3d_like *like, const facet_j3d_blend *blend);

#endif
