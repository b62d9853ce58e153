/* base/vec.h - vectors of three numbers, angles, and pi. Operations have a fixed order, so that a
 * result has the same bits in every file that computes it. */
#ifndef FACET_BASE_VEC_H
#define FACET_BASE_VEC_H

#include <float.h>
#include <math.h>
#include <stdbool.h>

#define FACET_PI 3.14159265358979323846

static inline double facet_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline float facet_dot_f(const float a[3], const float b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* The result must not be the array a or b. */
static inline void facet_cross(const double a[3], const double b[3], double cross[3])
{
    cross[0] = a[1] * b[2] - a[2] * b[1];
    cross[1] = a[2] * b[0] - a[0] * b[2];
    cross[2] = a[0] * b[1] - a[1] * b[0];
}

static inline void facet_cross_f(const float a[3], const float b[3], float cross[3])
{
    cross[0] = a[1] * b[2] - a[2] * b[1];
    cross[1] = a[2] * b[0] - a[0] * b[2];
    cross[2] = a[0] * b[1] - a[1] * b[0];
}

static inline void facet_subtract(const double a[3], const double b[3], double difference[3])
{
    difference[0] = a[0] - b[0];
    difference[1] = a[1] - b[1];
    difference[2] = a[2] - b[2];
}

static inline void facet_edge(const float *from, const float *to, double edge[3])
{
    for (int i = 0; i < 3; i++)
        edge[i] = (double)to[i] - from[i];
}

/* a + t * (b - a). */
static inline void facet_between(const double a[3], const double b[3], double t, double between[3])
{
    for (int i = 0; i < 3; i++)
        between[i] = a[i] + t * (b[i] - a[i]);
}

/* Scale a vector to unit length; a zero vector is unchanged. */
static inline void facet_normalize(double a[3])
{
    double length = sqrt(facet_dot(a, a));
    for (int i = 0; i < 3 && length > 0; i++)
        a[i] /= length;
}

/* Like facet_normalize, but a vector that is too short to have a direction is unchanged, and the
 * result is false. */
static inline bool facet_make_unit(double a[3])
{
    double length = sqrt(facet_dot(a, a));
    if (!(length > 1e-30))
        return false;
    for (int i = 0; i < 3; i++)
        a[i] /= length;
    return true;
}

/* Angle, from 0 to pi, with sine and cosine in this proportion, with an error of 1e-9, which is
 * enough for a weight. 0 if both are 0 or one is not finite. The result is the same on all
 * machines; atan2 of C libraries differs in the last bits. */
static inline double facet_angle(double sine, double cosine)
{
    const double quarter = 0.78539816339744831, half = 1.5707963267948966; /* fractions of pi */
    double width = fabs(cosine), least = sine < width ? sine : width;
    double most = sine < width ? width : sine;
    if (!(most > 0) || most > DBL_MAX)
        return 0;
    /* Up to tan(pi / 8), where Gregory's series converges fast: atan t = t - t^3 / 3 + ... */
    double t = least / most, begin = 0;
    if (t > 0.41421356237309503) {
        begin = quarter;
        t = (t - 1) / (t + 1);
    }
    double square = t * t, sum = 0;
    for (int odd = 21; odd > 0; odd -= 2)
        sum = 1.0 / odd - square * sum;
    double angle = begin + t * sum;
    angle = sine > width ? half - angle : angle;
    return cosine < 0 ? 2 * half - angle : angle;
}

#endif
