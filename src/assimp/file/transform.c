/* assimp/file/transform.c - assimp's matrices, which stand row by row, and ours. */
#include "scene/transform.h"
#include "assimp/file/file.h"
#include "scene/matrix.h"

#include <math.h>
#include <string.h>

void facet_assimp_get_matrix(const struct aiMatrix4x4 *from, float *to)
{
    float rows[16];
    memcpy(rows, &from->a1, sizeof rows);
    for (int i = 0; i < 16; i++)
        to[i] = rows[i % 4 * 4 + i / 4];
}

void facet_assimp_set_matrix(struct aiMatrix4x4 *to, const float *from)
{
    float rows[16];
    for (int i = 0; i < 16; i++)
        rows[i] = from[i % 4 * 4 + i / 4];
    memcpy(&to->a1, rows, sizeof rows);
}

bool facet_assimp_decompose(const float *m, facet_transform *transform)
{
    float again[16];
    facet_transform_of_matrix(m, FACET_MIRROR_LEAST, transform);
    facet_matrix_of_transform(transform, again);
    bool whole = true;
    for (int i = 0; i < 16; i++)
        whole &= fabsf(again[i] - m[i]) <= 2e-6F * (i < 12 ? fabsf(transform->scale[i / 4]) : 1);
    return whole;
}
