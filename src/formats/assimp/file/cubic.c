/* formats/assimp/file/cubic.c - cubic curves between two keys of an animation. */
#include "formats/assimp/file/cubic.h"

#include <math.h>

double facet_cubic_point(const double points[4], double t)
{
    double u = 1 - t;
    return u * u * u * points[0] + 3 * u * t * (u * points[1] + t * points[2]) +
           t * t * t * points[3];
}

size_t facet_cubic_power_above(double count)
{
    size_t power = 1;
    while (power < FACET_CUBIC_MAX_PIECES && (double)power < count)
        power *= 2;
    return power;
}

/* A chord deviates by an eighth of the largest second derivative, which is 6 times the largest
 * second difference. */
size_t facet_cubic_pieces(const facet_cubic *curve, double tolerance)
{
    const double *times = curve->times, *values = curve->values;
    double bend[2] = {0, 0}, steepest = 0;
    for (int i = 0; i < 2; i++) {
        bend[0] = fmax(bend[0], fabs(times[i] - 2 * times[i + 1] + times[i + 2]));
        bend[1] = fmax(bend[1], fabs(values[i] - 2 * values[i + 1] + values[i + 2]));
    }
    for (int i = 0; i < 3; i++)
        steepest = fmax(steepest, 3 * fabs(values[i + 1] - values[i]));
    return facet_cubic_power_above(sqrt(6.0 / 8 * (bend[1] + bend[0] * steepest) / tolerance));
}
