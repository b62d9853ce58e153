/* mesh/eigenvectors.h - eigenvectors of a symmetric matrix. */
#ifndef FACET_MESH_EIGENVECTORS_H
#define FACET_MESH_EIGENVECTORS_H

/* Compute the eigenvectors of a symmetric matrix as rows of `axes`, by Jacobi rotations. The matrix
 * becomes diagonal: m[i][i] is the eigenvalue of axes[i]. Its values should be about 1. */
void facet_eigenvectors(double m[3][3], double axes[3][3]);

#endif
