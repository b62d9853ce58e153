/* gx/matrix.h - matrix product for texture matrices, vertices and the renderer. */
#ifndef FACET_GX_MATRIX_H
#define FACET_GX_MATRIX_H

#include <string.h>

/* a = a * b with three rows each; the last row of b is 0 0 0 1. Terms are added from the left, so
 * that zeros have the same signs as in the runtime. */
static inline void facet_gx_multiply(float a[3][4], const float b[3][4])
{
    for (int row = 0; row < 3; row++) {
        float r[4];
        for (int column = 0; column < 4; column++)
            r[column] =
                a[row][0] * b[0][column] + a[row][1] * b[1][column] + a[row][2] * b[2][column];
        r[3] += a[row][3];
        memcpy(a[row], r, sizeof r);
    }
}

#endif
