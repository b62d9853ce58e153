/* scene/placement.h - application of a matrix to positions, normals and tangents. */
#ifndef FACET_SCENE_PLACEMENT_H
#define FACET_SCENE_PLACEMENT_H

#include <facet/scene.h>

/* A matrix, with derived data for directions. Normals are multiplied by the cofactors, which are
 * the inverse transpose times the determinant. The sign of the determinant is removed, so that the
 * normals of a mirrored mesh match its reversed winding. */
typedef struct facet_placement {
    const float *matrix;
    float cofactors[9];
    bool mirrored;
} facet_placement;

facet_placement facet_placement_of(const float *matrix);
/* Transform one element in place. */
void facet_placement_apply(const facet_placement *placement, facet_semantic semantic, float *value);

#endif
