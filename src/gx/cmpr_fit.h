/* gx/cmpr_fit.h - fit of several CMPR blocks in parallel. */
#ifndef FACET_GX_CMPR_FIT_H
#define FACET_GX_CMPR_FIT_H

#include "gx/texels.h"

/* Packed end points in the order of the file, and indices. */
typedef struct facet_gx_cmpr_answers {
    uint32_t ends[2][FACET_GX_CMPR_LANES];
    uint8_t indices[16][FACET_GX_CMPR_LANES];
} facet_gx_cmpr_answers;

/* Fit the blocks. Each must have at least one visible texel. */
void facet_gx_fit_cmpr(uint32_t texels[16][FACET_GX_CMPR_LANES], facet_gx_quality quality,
                       facet_gx_cmpr_answers *answers);

#endif
