/* formats/j3d/animation/fit.c - fit of keys to values at every frame. */
#include "formats/j3d/animation/fit.h"

#include <math.h>
#include <string.h>

typedef struct fitter {
    const double *samples;
    uint32_t count;
    double tolerance;
    bool whole;
} fitter;

/* A cubic between two samples. */
typedef struct piece {
    uint32_t begin, end;
    double out, in; /* tangents at the start and end */
} piece;

static double stored(const fitter *f, double value)
{
    return f->whole ? nearbyint(value) : (double)(float)value;
}

/* Round a tangent to the format. A faster change takes one frame, with no sample inside. */
static double stored_tangent(const fitter *f, double value)
{
    return f->whole ? fmin(fmax(nearbyint(value), INT16_MIN), INT16_MAX) : (double)(float)value;
}

/* -- One piece ---------------------------------------------------------- */

/* Weights of the four numbers of a cubic at a position from 0 to 1. */
typedef struct weights {
    double v0, m0, v1, m1;
} weights;

static weights weights_at(double s, double d)
{
    double s2 = s * s, s3 = s2 * s;
    weights w = {2 * s3 - 3 * s2 + 1, (s3 - 2 * s2 + s) * d, 3 * s2 - 2 * s3, (s3 - s2) * d};
    return w;
}

/* Solve for the tangents with least squares. A small weight on the slope of the chord decides if
 * there is only one sample between the ends. */
static void solve(const fitter *f, piece *p)
{
    const double d = p->end - p->begin, v0 = stored(f, f->samples[p->begin]);
    const double v1 = stored(f, f->samples[p->end]), chord = (v1 - v0) / d;
    double a = 1e-6 * d * d, b = 0, c = a, x = 0, y = 0;
    for (uint32_t i = p->begin + 1; i < p->end; i++) {
        weights w = weights_at((i - p->begin) / d, d);
        double rest = f->samples[i] - w.v0 * v0 - w.v1 * v1 - (w.m0 + w.m1) * chord;
        a += w.m0 * w.m0;
        b += w.m0 * w.m1;
        c += w.m1 * w.m1;
        x += w.m0 * rest;
        y += w.m1 * rest;
    }
    double determinant = a * c - b * b;
    p->out = stored_tangent(f, chord + (x * c - y * b) / determinant);
    p->in = stored_tangent(f, chord + (y * a - x * b) / determinant);
}

static double value_at(const piece *p, double v0, double v1, double frame)
{
    const double d = p->end - p->begin;
    weights w = weights_at((frame - p->begin) / d, d);
    return w.v0 * v0 + w.m0 * p->out + w.v1 * v1 + w.m1 * p->in;
}

/* The curvature of the motion at a sample. */
static double bend_at(const fitter *f, uint32_t i)
{
    if (i == 0 || i + 1 == f->count)
        return HUGE_VAL; /* unknown */
    return fabs(f->samples[i - 1] - 2 * f->samples[i] + f->samples[i + 1]);
}

/* True if a cubic overshoots between two frames, which games also show. It can exceed both values
 * by the tolerance, plus the bend of the motion at both ends. After a jump, a cubic would
 * overshoot. */
static bool swings(const fitter *f, const piece *p, double v0, double v1, uint32_t i)
{
    double value = value_at(p, v0, v1, i + 0.5);
    double slack = f->tolerance + fmin(bend_at(f, i), bend_at(f, i + 1)) / 4;
    return value < fmin(f->samples[i], f->samples[i + 1]) - slack ||
           value > fmax(f->samples[i], f->samples[i + 1]) + slack;
}

static bool is_near(const fitter *f, const piece *p)
{
    const double v0 = stored(f, f->samples[p->begin]), v1 = stored(f, f->samples[p->end]);
    if (p->end - p->begin < 2)
        return true;
    for (uint32_t i = p->begin; i < p->end; i++) {
        bool is_off =
            i > p->begin && !(fabs(value_at(p, v0, v1, i) - f->samples[i]) <= f->tolerance);
        if (is_off || swings(f, p, v0, v1, i))
            return false;
    }
    return true;
}

static bool reaches(const fitter *f, uint32_t begin, uint32_t end, piece *p)
{
    piece tried = {.begin = begin, .end = end};
    solve(f, &tried);
    if (!is_near(f, &tried))
        return false;
    *p = tried;
    return true;
}

/* Find the longest piece from `begin` by doubling and bisection. */
static piece longest(const fitter *f, uint32_t begin, uint32_t last)
{
    piece p = {0};
    uint32_t good = begin + 1, bad = last + 1;
    reaches(f, begin, good, &p); /* no sample between */
    for (uint32_t length = 2; good < last; length *= 2) {
        uint32_t end = last - begin < length ? last : begin + length;
        if (!reaches(f, begin, end, &p)) {
            bad = end;
            break;
        }
        good = end;
    }
    while (bad - good > 1) {
        uint32_t middle = good + (bad - good) / 2;
        if (reaches(f, begin, middle, &p))
            good = middle;
        else
            bad = middle;
    }
    return p;
}

/* -- All pieces --------------------------------------------------------- */

static bool is_constant(const fitter *f, uint32_t count, double *value)
{
    *value = stored(f, f->samples[0]);
    for (uint32_t i = 0; i < count; i++) {
        if (!(fabs(f->samples[i] - *value) <= f->tolerance))
            return false;
    }
    return true;
}

/* Reduce keys of four numbers to three if both tangents of each key are equal. */
static bool join_tangents(const fitter *f, double *elements, uint32_t count)
{
    for (uint32_t k = 0; k + 1 < count; k++) {
        const double *a = elements + (size_t)k * 4, *b = a + 4;
        piece p = {.begin = (uint32_t)a[0], .end = (uint32_t)b[0]};
        p.out = stored(f, (a[2] + a[3]) / 2);
        p.in = stored(f, (b[2] + b[3]) / 2);
        if (!is_near(f, &p))
            return false;
    }
    for (uint32_t k = 0; k < count; k++) {
        double *to = elements + (size_t)k * 3, key[4];
        memcpy(key, elements + (size_t)k * 4, sizeof key);
        to[0] = key[0];
        to[1] = key[1];
        to[2] = stored(f, (key[2] + key[3]) / 2);
    }
    return true;
}

uint32_t facet_j3d_fit_keys(const double *samples, uint32_t count, double tolerance, bool whole,
                            double *elements, uint16_t *type)
{
    double least = whole ? 0.5 : 0;
    fitter f = {samples, count, tolerance > least ? tolerance : least, whole};
    uint32_t keys = 0;
    *type = 0;
    if (is_constant(&f, count, &elements[0]))
        return 1;
    for (uint32_t at = 0; at + 1 < count;) {
        piece p = longest(&f, at, count - 1);
        double *key = elements + (size_t)keys * 4;
        key[0] = at;
        key[1] = stored(&f, samples[at]);
        key[3] = p.out;
        if (keys == 0)
            key[2] = p.out;
        key[4] = p.end;
        key[5] = stored(&f, samples[p.end]);
        key[6] = key[7] = p.in;
        keys++;
        at = p.end;
    }
    keys++;
    *type = !join_tangents(&f, elements, keys);
    return keys;
}
