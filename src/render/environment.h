/* render/environment.h - light of the studio on surfaces. Inline, so that loops over samples are
 * vectorized. */
#ifndef FACET_RENDER_ENVIRONMENT_H
#define FACET_RENDER_ENVIRONMENT_H

#include "render/studio.h"

/* Light on a diffuse surface with this normal. */
static inline float facet_environment_diffuse(float x, float y, float z)
{
    return facet_studio_diffuse(x, y, z);
}

/* Set *a and *b: a surface of roughness r reflects f0 * *a + *b of the light from the mirrored
 * direction. A fit of the sum of reflections over all directions (Karis). */
static inline void facet_environment_share(float r, float nv, float *a, float *b)
{
    float rx = 1 - r, ry = 0.0425f - 0.0275f * r, rz = 1.04f - 0.572f * r;
    float rw = 0.022f * r - 0.04f;
    float square = rx * rx, exponent = facet_power_of_two(-9.28f * nv);
    float t = (square < exponent ? square : exponent) * rx + ry;
    *a = -1.04f * t + rz;
    *b = 1.04f * t + rw;
}

/* Light from the mirrored direction. */
static inline float facet_environment_reflected(float x, float y, float z, float r, float nv)
{
    float alpha = r * r, spread = 2 * alpha * alpha * nv;
    return facet_studio_lobe(x, y, z, 1 / (spread > 1e-9f ? spread : 1e-9f)); /* no division by 0
                                                                               * for mirrors */
}

#endif
