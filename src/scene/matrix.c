/* scene/matrix.c - products, transforms, cofactors. */
#include "scene/matrix.h"

#include <math.h>
#include <string.h>

void facet_matrix_multiply(const float *a, const float *b, float *out)
{
    for (int column = 0; column < 4; column++) {
        for (int row = 0; row < 4; row++) {
            float sum = 0;
            for (int i = 0; i < 4; i++)
                sum += a[i * 4 + row] * b[column * 4 + i];
            out[column * 4 + row] = sum;
        }
    }
}

void facet_matrix_of_transform(const facet_transform *transform, float *out)
{
    const float *q = transform->rotation;
    float x = q[0], y = q[1], z = q[2], w = q[3];
    const float rotation[9] = {
        1 - 2 * (y * y + z * z), 2 * (x * y + z * w),     2 * (x * z - y * w),
        2 * (x * y - z * w),     1 - 2 * (x * x + z * z), 2 * (y * z + x * w),
        2 * (x * z + y * w),     2 * (y * z - x * w),     1 - 2 * (x * x + y * y),
    };
    for (int column = 0; column < 3; column++) {
        for (int row = 0; row < 3; row++)
            out[column * 4 + row] = rotation[column * 3 + row] * transform->scale[column];
        out[column * 4 + 3] = 0;
        out[12 + column] = transform->translation[column];
    }
    out[15] = 1;
}

void facet_matrix_of_node(const facet_node *node, float *out)
{
    if (node->has_matrix)
        memcpy(out, node->matrix, sizeof node->matrix);
    else
        facet_matrix_of_transform(&node->transform, out);
}

void facet_matrix_cofactors(const float *m, float *out)
{
    for (int column = 0; column < 3; column++) {
        const float *a = m + (column + 1) % 3 * 4, *b = m + (column + 2) % 3 * 4;
        out[column * 3 + 0] = a[1] * b[2] - a[2] * b[1];
        out[column * 3 + 1] = a[2] * b[0] - a[0] * b[2];
        out[column * 3 + 2] = a[0] * b[1] - a[1] * b[0];
    }
}

float facet_matrix_determinant(const float *m)
{
    float cofactors[9];
    facet_matrix_cofactors(m, cofactors);
    return m[0] * cofactors[0] + m[1] * cofactors[1] + m[2] * cofactors[2];
}

bool facet_matrix_invert(const float *m, float *out)
{
    float cofactors[9], determinant = facet_matrix_determinant(m);
    memset(out, 0, 16 * sizeof *out);
    out[0] = out[5] = out[10] = out[15] = 1;
    if (!isfinite(determinant) || determinant == 0)
        return false;
    facet_matrix_cofactors(m, cofactors);
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 3; column++)
            out[column * 4 + row] = cofactors[row * 3 + column] / determinant;
    }
    for (int row = 0; row < 3; row++)
        out[12 + row] = -(out[row] * m[12] + out[4 + row] * m[13] + out[8 + row] * m[14]);
    return true;
}
