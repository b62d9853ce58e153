/* formats/j3d/patch/draws.h - draw matrices that the original lacks. */
#ifndef FACET_J3D_PATCH_DRAWS_H
#define FACET_J3D_PATCH_DRAWS_H

#include "formats/j3d/patch/blends.h"

typedef struct facet_j3d_draws {
    facet_j3d_builder *builder;
    uint32_t *blend_of; /* per draw matrix of the builder: the original's, or FACET_NONE */
    uint32_t *made_of;  /* its number as a new one, or FACET_NONE */
    uint32_t *made;     /* draw matrix of the builder for each new one */
    uint32_t made_count;
    uint32_t *number; /* final number for each old number */
} facet_j3d_draws;

facet_status facet_j3d_draws_open(facet_j3d_builder *b, facet_j3d_draws *draws);
/* Get the number of a draw matrix of the builder: the original's, or a new one from draw_count
 * on. */
uint32_t facet_j3d_draws_add(facet_j3d_draws *draws, uint32_t draw);
/* Insert the new ones into the original, and fill in `number`: first draw_count of the original's,
 * then the new ones. */
facet_status facet_j3d_draws_close(facet_j3d_draws *draws);
/* Give every joint an inverse bind matrix, which envelopes require. */
facet_status facet_j3d_like_add_binds(const facet_j3d_builder *b);

#endif
