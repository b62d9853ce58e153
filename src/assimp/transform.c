/* assimp/transform.c - assimp's matrices, which stand row by row, and ours. */
#include "assimp/assimp.h"
#include "scene/matrix.h"

#include <math.h>
#include <string.h>

void assimp_get_matrix(const struct aiMatrix4x4 *from, float *to)
{
    float rows[16];
    memcpy(rows, &from->a1, sizeof rows);
    for (int i = 0; i < 16; i++)
        to[i] = rows[i % 4 * 4 + i / 4];
}

void assimp_set_matrix(struct aiMatrix4x4 *to, const float *from)
{
    float rows[16];
    for (int i = 0; i < 16; i++)
        rows[i] = from[i % 4 * 4 + i / 4];
    memcpy(&to->a1, rows, sizeof rows);
}

/* The unit quaternion of three axes that stand upright on each other. */
static void quaternion_of(const float axes[3][3], float *q)
{
    float m00 = axes[0][0], m11 = axes[1][1], m22 = axes[2][2], trace = m00 + m11 + m22;
    if (trace > 0) {
        float s = sqrtf(trace + 1) * 2;
        q[3] = s / 4;
        q[0] = (axes[1][2] - axes[2][1]) / s;
        q[1] = (axes[2][0] - axes[0][2]) / s;
        q[2] = (axes[0][1] - axes[1][0]) / s;
        return;
    }
    int i = m00 > m11 ? (m00 > m22 ? 0 : 2) : (m11 > m22 ? 1 : 2), j = (i + 1) % 3, k = (i + 2) % 3;
    float s = sqrtf(1 + axes[i][i] - axes[j][j] - axes[k][k]) * 2;
    q[i] = s / 4;
    q[3] = (axes[j][k] - axes[k][j]) / s;
    q[j] = (axes[i][j] + axes[j][i]) / s;
    q[k] = (axes[i][k] + axes[k][i]) / s;
}

bool assimp_decompose(const float *m, facet_transform *transform)
{
    float axes[3][3];
    bool whole = true;
    /* Which axis a mirror turns is free: the one that leaves least to rotate. */
    int mirrored = facet_matrix_determinant(m) < 0 ? 0 : -1;
    for (int i = 1; i < 3 && mirrored >= 0; i++)
        mirrored = m[i * 5] < m[mirrored * 5] ? i : mirrored;
    for (int i = 0; i < 3; i++) {
        const float *column = m + i * 4;
        float length = sqrtf(column[0] * column[0] + column[1] * column[1] + column[2] * column[2]);
        transform->translation[i] = m[12 + i];
        whole &= isfinite(length) && length > 0;
        if (i == mirrored)
            length = -length;
        transform->scale[i] = length;
        for (int k = 0; k < 3; k++)
            axes[i][k] = column[k] / length;
    }
    static const float none[4] = {0, 0, 0, 1};
    if (whole)
        quaternion_of((const float(*)[3])axes, transform->rotation);
    else /* an axis without length may point anywhere */
        memcpy(transform->rotation, none, sizeof none);
    float norm = 0, again[16];
    whole = true;
    for (int i = 0; i < 4; i++)
        norm += transform->rotation[i] * transform->rotation[i];
    for (int i = 0; i < 4; i++)
        transform->rotation[i] /= sqrtf(norm);
    facet_matrix_of_transform(transform, again);
    for (int i = 0; i < 16; i++)
        whole &= fabsf(again[i] - m[i]) <= 2e-6F * (i < 12 ? fabsf(transform->scale[i / 4]) : 1);
    return whole && isfinite(norm);
}
