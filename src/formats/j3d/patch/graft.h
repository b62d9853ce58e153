/* formats/j3d/patch/graft.h - display lists of shapes that are drawn anew, in the place of the
 * old ones. */
#ifndef FACET_J3D_LIKE_GRAFT_H
#define FACET_J3D_LIKE_GRAFT_H

#include "formats/j3d/patch/like.h"

/* A shape that is drawn anew: triangles over vertices, each with an element of every
 * array, and a draw matrix. */
typedef struct facet_j3d_redrawn_shape {
    bool is_made;   /* else it stays as it is */
    bool is_hidden; /* one vertex, three times */
    uint8_t type, texture_matrices;
    uint32_t arrays;
    uint16_t *indices[FACET_J3D_ARRAY_COUNT];
    uint32_t *draws; /* as facet_j3d_draws_take numbers them */
    uint32_t *triangles, triangle_count, vertex_count;
    uint32_t slot, joint; /* of new ones */
} facet_j3d_redrawn_shape;

typedef struct facet_j3d_redrawn {
    facet_j3d_builder *builder;
    facet_j3d_redrawn_shape *items; /* those of the original, then new ones */
    uint32_t count;
} facet_j3d_redrawn;

/* A shape of the original that shall not be seen. */
facet_status facet_j3d_redraw_nothing(facet_j3d_redrawn *redrawn, uint32_t shape);
/* Put the display lists of all into the original; `number` is what draw matrices are
 * in the end. */
facet_status facet_j3d_graft(facet_j3d_redrawn *redrawn, const uint32_t *number);

#endif
