/* render/studio.h - light from all directions: a studio with six soft panels that moves with the
 * camera. Directions have unit length, in the camera's axes: right, up, toward the viewer.
 *
 * At an angle from its middle, a panel gives amplitude * exp(sharpness * (cosine - 1)). That is a
 * spherical Gaussian. Its reflection by a rough surface is close to another spherical Gaussian, so
 * nothing has to be filtered beforehand. The script tools/studio computes the numbers.
 * web/package/src/viewer/light.js has the same numbers. */
#ifndef FACET_RENDER_STUDIO_H
#define FACET_RENDER_STUDIO_H

#include <stdint.h>
#include <string.h>

enum { FACET_STUDIO_PANELS = 6 };

typedef struct facet_studio_panel {
    float x, y, z, sharpness, amplitude;
} facet_studio_panel;

static const facet_studio_panel facet_studio[FACET_STUDIO_PANELS] = {
    {0.0f, 0.97014f, 0.24254f, 9.0f, 1.1321f},
    {-0.62112f, 0.42076f, 0.66119f, 16.0f, 1.1321f},
    {0.92445f, 0.12058f, 0.36174f, 24.0f, 1.4151f},
    {-0.75569f, 0.2519f, -0.60455f, 16.0f, 1.0378f},
    {0.59702f, 0.39801f, -0.69653f, 18.0f, 1.0378f},
    {0.0f, -0.34894f, 0.93715f, 2.5f, 0.56605f}};

/* Light of the walls in the middle, and its increase toward the top. */
#define FACET_STUDIO_WALLS 0.15095f
#define FACET_STUDIO_CEILING 0.094342f

/* 2 to the power of x, for x at most 0, with an error of a few millionths. */
static inline float facet_power_of_two(float x)
{
    float least = x < -100 ? -100 : x;
    int n = (int)(least - 0.5f);
    float t = least - (float)n;
    uint32_t bits = (uint32_t)(n + 127) << 23;
    float whole;
    memcpy(&whole, &bits, sizeof whole);
    whole *= 1 + t * (0.69314718f +
                      t * (0.24022651f + t * (0.05550411f + t * (0.00961813f + t * 0.00133336f))));
    return x < -100 ? 0 : whole;
}

/* Light that a lobe about a direction reflects. The lobe is a Gaussian of this sharpness and of sum
 * 1. A mirror has infinite sharpness, and 0 is the mean of all directions. For Gaussians of
 * sharpness a and b, the result has sharpness a b / (a + b). Its integral stays the same. */
static inline float facet_studio_lobe(float x, float y, float z, float sharpness)
{
    float sum = FACET_STUDIO_WALLS + FACET_STUDIO_CEILING * y * sharpness / (sharpness + 1);
    for (int i = 0; i < FACET_STUDIO_PANELS; i++) {
        const facet_studio_panel *p = &facet_studio[i];
        float cosine = p->x * x + p->y * y + p->z * z;
        float both = 1 / (sharpness + p->sharpness);
        float narrow = sharpness * p->sharpness * both;
        float share = (sharpness + 0.5f) / (sharpness + p->sharpness + 0.5f);
        sum += p->amplitude * share * facet_power_of_two(1.44269504f * narrow * (cosine - 1));
    }
    return sum;
}

/* Sum over a hemisphere of directions, weighted by the cosine: a polynomial, fitted within 0.02. */
static inline float facet_studio_diffuse(float x, float y, float z)
{
    return 0.45464f - 0.00408f * x + 0.19342f * y + 0.14156f * z - 0.01553f * x * y -
           0.00054f * y * z - 0.00154f * x * z + 0.0015f * (x * x - y * y) +
           0.00716f * (3 * z * z - 1);
}

#endif
