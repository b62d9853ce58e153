/* scene/axes.c - conversion of axes as a matrix and as transforms. */
#include "scene/axes.h"

#include <math.h>
#include <string.h>

void facet_axes_matrix(const facet_axes *axes, float m[16])
{
    memset(m, 0, 16 * sizeof *m);
    for (int column = 0; column < 3; column++) {
        m[column * 5] = 1;
        facet_axes_turn(axes, m + (size_t)column * 4);
    }
    m[15] = 1;
}

bool facet_axes_transform(const facet_axes *axes, facet_transform *transform)
{
    static const float half = 0.70710678F; /* sine and cosine of half a quarter turn */
    static const facet_transform identity = {{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
    *transform = identity;
    for (int i = 0; i < 3; i++)
        transform->scale[i] = (float)facet_axes_unit(axes);
    if (axes->up == FACET_AXIS_Z) { /* around x: z becomes y */
        transform->rotation[0] = -half;
        transform->rotation[3] = half;
    } else if (axes->up == FACET_AXIS_X) { /* around z: x becomes y */
        transform->rotation[2] = half;
        transform->rotation[3] = half;
    }
    if (axes->left_handed) /* scale is applied first: the axis that becomes z */
        transform->scale[axes->up == FACET_AXIS_Z ? 1 : 2] *= -1;
    return memcmp(transform, &identity, sizeof identity) != 0;
}

/* T becomes F T F with F(u, v) = (u, 1 - v), which reverses the rotation. */
void facet_axes_flip_transform(float offset[2], float *rotation, const float scale[2])
{
    float c = (float)cos((double)*rotation), s = (float)sin((double)*rotation);
    offset[0] += s * scale[1];
    offset[1] = 1 - c * scale[1] - offset[1];
    *rotation = -*rotation;
}
