/* scene/matrix.h - 4x4 column-major matrices, as far as scenes need them. */
#ifndef FACET_SCENE_MATRIX_H
#define FACET_SCENE_MATRIX_H

#include <facet/scene.h>

/* out = a * b; out must be neither a nor b. */
void facet_matrix_multiply(const float *a, const float *b, float *out);
void facet_matrix_of_transform(const facet_transform *transform, float *out);
/* Matrix of a node, from its transform or matrix. */
void facet_matrix_of_node(const facet_node *node, float *out);
/* Determinant of the upper left 3x3 matrix. */
float facet_matrix_determinant(const float *m);
/* Cofactors of the upper left 3x3 matrix: its inverse transpose times its determinant. They exist
 * for every matrix. Column-major, 9 floats. */
void facet_matrix_cofactors(const float *m, float *out);

/* Inverse of an affine matrix. If it is singular, returns false and the identity. */
bool facet_matrix_invert(const float *m, float *out);

static inline void facet_matrix_point(const float *m, const float *p, float *out)
{
    float x = p[0], y = p[1], z = p[2];
    for (int i = 0; i < 3; i++)
        out[i] = m[i] * x + m[4 + i] * y + m[8 + i] * z + m[12 + i];
}

#endif
