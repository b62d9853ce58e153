/* formats/j3d/gpu/matrix.c - products, inverses and distances of the matrices of joints. */
#include "formats/j3d/gpu/matrix.h"

#include <math.h>
#include <string.h>

static const facet_j3d_matrix identity = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};

void facet_j3d_matrix_identity(double out[12])
{
    memcpy(out, identity, sizeof identity);
}

/* -- Products and inverses ---------------------------------------------- */

void facet_j3d_matrix_multiply(const double a[12], const double b[12], double out[12])
{
    for (int row = 0; row < 3; row++) {
        const double *r = a + row * 4;
        for (int column = 0; column < 4; column++)
            out[row * 4 + column] = r[0] * b[column] + r[1] * b[4 + column] + r[2] * b[8 + column] +
                                    (column == 3 ? r[3] : 0);
    }
}

void facet_j3d_matrix_cofactors(const double m[12], double out[9])
{
    for (int row = 0; row < 3; row++) {
        const double *a = m + (row + 1) % 3 * 4, *b = m + (row + 2) % 3 * 4;
        out[row * 3 + 0] = a[1] * b[2] - a[2] * b[1];
        out[row * 3 + 1] = a[2] * b[0] - a[0] * b[2];
        out[row * 3 + 2] = a[0] * b[1] - a[1] * b[0];
    }
}

double facet_j3d_matrix_determinant(const double m[12])
{
    double c[9];
    facet_j3d_matrix_cofactors(m, c);
    return m[0] * c[0] + m[1] * c[1] + m[2] * c[2];
}

bool facet_j3d_matrix_invert(const double m[12], double out[12])
{
    double c[9], made[12];
    facet_j3d_matrix_cofactors(m, c);
    double determinant = m[0] * c[0] + m[1] * c[1] + m[2] * c[2];
    /* A determinant this small relative to the rows is a zero plus rounding errors of the file's
     * floats. */
    double size = 1;
    for (int row = 0; row < 3; row++)
        size *= fabs(m[row * 4]) + fabs(m[row * 4 + 1]) + fabs(m[row * 4 + 2]);
    if (!(fabs(determinant) > size * 1e-9) || !isfinite(determinant))
        return false;
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 3; column++)
            made[row * 4 + column] = c[column * 3 + row] / determinant;
        made[row * 4 + 3] =
            -(made[row * 4] * m[3] + made[row * 4 + 1] * m[7] + made[row * 4 + 2] * m[11]);
    }
    /* The result must fit into floats. */
    for (int i = 0; i < 12; i++) {
        if (!isfinite((float)made[i]))
            return false;
    }
    memcpy(out, made, sizeof made);
    return true;
}

/* -- Distances ---------------------------------------------------------- */

double facet_j3d_matrix_distance(const double a[12], const double b[12], double size)
{
    double most = 0, scale = 1e-30, translation = fmax(size, 1e-30);
    for (int i = 0; i < 12; i++) {
        if (i % 4 != 3)
            scale = fmax(scale, fabs(b[i]));
    }
    for (int i = 0; i < 12; i++) {
        double distance = fabs(a[i] - b[i]) / (i % 4 == 3 ? translation : scale);
        if (distance > most)
            most = distance;
    }
    return most;
}

double facet_j3d_matrix_distance_from_identity(const double m[12], double size)
{
    return facet_j3d_matrix_distance(m, identity, size);
}

double facet_j3d_matrix_translation_size(const double m[12])
{
    return fmax(fabs(m[3]), fmax(fabs(m[7]), fabs(m[11])));
}
