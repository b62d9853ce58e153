/* formats/j3d/gpu/matrix.h - matrices of joints: row-major 3x4 doubles for column
 * vectors; the implied last row is 0 0 0 1. */
#ifndef FACET_J3D_GPU_MATRIX_H
#define FACET_J3D_GPU_MATRIX_H

#include <stdbool.h>

typedef double facet_j3d_matrix[12];

void facet_j3d_matrix_identity(double out[12]);
/* out = a * b; `out` must differ from both. */
void facet_j3d_matrix_multiply(const double a[12], const double b[12], double out[12]);
/* Invert a matrix. False, with `out` unchanged, if it has no inverse or is not finite. */
bool facet_j3d_matrix_invert(const double m[12], double out[12]);
/* The cofactors of the 3x3 part, row-major: its inverse transpose times its determinant. They
 * transform normals, also for a matrix without inverse. */
void facet_j3d_matrix_cofactors(const double m[12], double out[9]);
double facet_j3d_matrix_determinant(const double m[12]);

/* The distance of matrix `a` from `b`: the larger of two differences. One is that of the 3x3 parts,
 * relative to b's largest element. The other is that of the translations, in units of `size`. */
double facet_j3d_matrix_distance(const double a[12], const double b[12], double size);
/* The same distance from the identity. */
double facet_j3d_matrix_distance_from_identity(const double m[12], double size);
/* The largest magnitude in the translation. */
double facet_j3d_matrix_translation_size(const double m[12]);

static inline void facet_j3d_matrix_point(const double m[12], const float p[3], float out[3])
{
    double x = (double)p[0], y = (double)p[1], z = (double)p[2];
    for (int i = 0; i < 3; i++)
        out[i] = (float)(m[i * 4] * x + m[i * 4 + 1] * y + m[i * 4 + 2] * z + m[i * 4 + 3]);
}

#endif
