/* formats/j3d/patch/blends.h - blends of joints: the weighted joints that move the vertices of a
 * draw matrix, independent of their storage. */
#ifndef FACET_J3D_PATCH_BLENDS_H
#define FACET_J3D_PATCH_BLENDS_H

#include "formats/j3d/patch/like.h"

/* Maximum number of joints of a vertex. */
#define FACET_J3D_LIKE_INFLUENCES 32

typedef struct facet_j3d_blend {
    uint32_t count;
    facet_j3d_influence list[FACET_J3D_LIKE_INFLUENCES]; /* sorted by joint; the sum of the weights
                                                            is 1 */
} facet_j3d_blend;

/* Get the blend of a draw matrix of any document. */
void facet_j3d_blend_of_draw(const facet_j3d *document, uint32_t draw, facet_j3d_blend *blend);
/* Number the blends of the original: set like->blend_of_draw and draw_of_blend. */
facet_status facet_j3d_like_decode_blends(facet_j3d_builder *b);
/* Find the original's blend that is equal except for rounding, or for joints beyond four, which
 * some programs drop. FACET_NONE if it has none. */
uint32_t facet_j3d_like_find_blend(const facet_j3d_like *like, const facet_j3d_blend *blend);

#endif
