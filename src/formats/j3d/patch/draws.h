/* formats/j3d/patch/draws.h - draw matrices that the original does not have. */
#ifndef FACET_J3D_LIKE_DRAWS_H
#define FACET_J3D_LIKE_DRAWS_H

#include "formats/j3d/patch/blends.h"

typedef struct facet_j3d_draws {
    facet_j3d_builder *builder;
    uint32_t *blend_of; /* of each draw matrix of the builder: the original's, or FACET_NONE */
    uint32_t *made_of;  /* the number that it gets as a new one, or FACET_NONE */
    uint32_t *made;     /* the builder's draw matrix of each new one */
    uint32_t made_count;
    uint32_t *number; /* by the numbers before: what each is in the end */
} facet_j3d_draws;

facet_status facet_j3d_draws_open(facet_j3d_builder *b, facet_j3d_draws *draws);
/* The number of a draw matrix of the builder: the original's, or from draw_count on
 * a new one's. */
uint32_t facet_j3d_draws_take(facet_j3d_draws *draws, uint32_t draw);
/* Put the new ones into the original, and fill in `number`: draw_count of the
 * original's, then those of the new ones. */
facet_status facet_j3d_draws_close(facet_j3d_draws *draws);
/* Give every joint an inverse bind matrix, as soon as there are envelopes. */
facet_status facet_j3d_like_add_binds(const facet_j3d_builder *b);

#endif
