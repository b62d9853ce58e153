/* scene/placement.h - a matrix applied to positions, normals and tangents. */
#ifndef FACET_SCENE_PLACEMENT_H
#define FACET_SCENE_PLACEMENT_H

#include <facet/scene.h>

/* A matrix, and what it does to directions. Normals go by the cofactors, which
 * are the inverse transpose times the determinant: its sign is taken back, so
 * that they stay on the side that the turned winding faces. */
typedef struct facet_placement {
    const float *matrix;
    float cofactors[9];
    bool mirrored;
} facet_placement;

facet_placement facet_placement_of(const float *matrix);
/* One element, in place. */
void facet_place_element(const facet_placement *placement, facet_semantic semantic, float *value);

#endif
