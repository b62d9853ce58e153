/* scene/placement.c - application of a matrix to positions, normals and tangents. */
#include "scene/placement.h"

#include "scene/matrix.h"

#include <math.h>

static void direction(const float *m, int stride, const float *v, float *out)
{
    float moved[3], length = 0;
    for (int i = 0; i < 3; i++) {
        moved[i] = m[i] * v[0] + m[stride + i] * v[1] + m[2 * stride + i] * v[2];
        length += moved[i] * moved[i];
    }
    length = sqrtf(length);
    for (int i = 0; i < 3; i++)
        out[i] = length > 0 ? moved[i] / length : v[i];
}

facet_placement facet_placement_of(const float *matrix)
{
    facet_placement p;
    p.matrix = matrix;
    p.mirrored = facet_matrix_determinant(matrix) < 0;
    facet_matrix_cofactors(matrix, p.cofactors);
    for (int i = 0; p.mirrored && i < 9; i++)
        p.cofactors[i] = -p.cofactors[i];
    return p;
}

void facet_placement_apply(const facet_placement *p, facet_semantic semantic, float *value)
{
    if (semantic == FACET_POSITION) {
        facet_matrix_point(p->matrix, value, value);
    } else if (semantic == FACET_NORMAL) {
        direction(p->cofactors, 3, value, value);
    } else {
        direction(p->matrix, 4, value, value);
        value[3] = p->mirrored ? -value[3] : value[3];
    }
}
