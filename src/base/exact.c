/* base/exact.c - powers of two, logarithms, sines and cosines by their series. */
#include "base/exact.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* 2^n for an integer n from -1000 to 1000, built from its bits. */
static double whole_power(int n)
{
    uint64_t bits = (uint64_t)(n + 1023) << 52;
    double power;
    memcpy(&power, &bits, sizeof power);
    return power;
}

double facet_exact_exp2(double x)
{
    const double ln2 = 0.69314718055994530942;
    if (!(x > -1000))
        return 0;
    if (x > 1000)
        return HUGE_VAL;
    int n = (int)(x + (x < 0 ? -0.5 : 0.5));
    double t = (x - n) * ln2, sum = 1; /* |t| is at most 0.35 */
    for (int i = 10; i >= 1; i--)
        sum = 1 + sum * t / i;
    return sum * whole_power(n);
}

double facet_exact_log2(double x)
{
    int n;
    double mantissa = frexp(x, &n); /* exact: 0.5 to 1 */
    if (mantissa < 0.70710678118654752440) {
        mantissa *= 2;
        n--;
    }
    double s = (mantissa - 1) / (mantissa + 1), square = s * s, sum = 0; /* |s| is at most 0.172 */
    for (int i = 19; i >= 1; i -= 2)
        sum = sum * square + 1.0 / i;
    return n + 2 * s * sum * 1.44269504088896340736;
}

void facet_exact_sine_cosine(double degrees, double *sine, double *cosine)
{
    const double radian = 0.017453292519943295769;
    double quarters = floor(degrees / 90 + 0.5);
    double x = (degrees - quarters * 90) * radian, square = x * x, s = 1, c = 1;
    for (int i = 9; i >= 1; i--) {
        s = 1 - s * square / (2 * i * (2 * i + 1));
        c = 1 - c * square / (2 * i * (2 * i - 1));
    }
    s *= x;
    switch ((int)(quarters - floor(quarters / 4) * 4)) {
    case 0:
        *sine = s, *cosine = c;
        break;
    case 1:
        *sine = c, *cosine = -s;
        break;
    case 2:
        *sine = -s, *cosine = -c;
        break;
    default:
        *sine = -c, *cosine = s;
        break;
    }
}
