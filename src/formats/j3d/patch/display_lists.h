/* formats/j3d/patch/display_lists.h - replacement of display lists by those of redrawn shapes. */
#ifndef FACET_J3D_PATCH_DISPLAY_LISTS_H
#define FACET_J3D_PATCH_DISPLAY_LISTS_H

#include "formats/j3d/patch/like.h"

/* A redrawn shape: triangles, and vertices with an element of every array and a draw matrix. */
typedef struct facet_j3d_redrawn_shape {
    bool is_made;   /* false: the shape is unchanged */
    bool is_hidden; /* it draws one vertex three times */
    uint8_t type, texture_matrices;
    uint32_t arrays;
    uint16_t *indices[FACET_J3D_ARRAY_COUNT];
    uint32_t *draws; /* numbers of facet_j3d_draws_add */
    uint32_t *triangles, triangle_count, vertex_count;
    uint32_t slot, joint; /* for new shapes */
} facet_j3d_redrawn_shape;

typedef struct facet_j3d_redrawn {
    facet_j3d_builder *builder;
    facet_j3d_redrawn_shape *items; /* those of the original, then new ones */
    uint32_t count;
} facet_j3d_redrawn;

/* Hide a shape of the original. */
facet_status facet_j3d_redraw_nothing(facet_j3d_redrawn *redrawn, uint32_t shape);
/* Store all display lists in the original. `number` has the final numbers of draw matrices. */
facet_status facet_j3d_graft(facet_j3d_redrawn *redrawn, const uint32_t *number);

#endif
