/* formats/assimp/file/cubic.h - cubic curves between two keys of an animation. */
#ifndef FACET_ASSIMP_FILE_CUBIC_H
#define FACET_ASSIMP_FILE_CUBIC_H

#include <stddef.h>

/* Maximum number of pieces of a curve. */
#define FACET_CUBIC_MAX_PIECES 256

/* The control points of a Bezier curve. Times are from 0 to 1, in which the curve is a function. */
typedef struct facet_cubic {
    double times[4], values[4];
} facet_cubic;

/* A power of two of at least `count`, up to the maximum. */
size_t facet_cubic_power_above(double count);

/* Number of pieces whose chords are within `tolerance` of the curve: a power of two, so that curves
 * of one rotation share their times. */
size_t facet_cubic_pieces(const facet_cubic *curve, double tolerance);

/* A coordinate of the curve: `points` are its times or values, `t` is from 0 to 1. */
double facet_cubic_point(const double points[4], double t);

#endif
