/* base/floats.h - four floats that are computed at once. Each result is the same as for a single
 * float. */
#ifndef FACET_BASE_FLOATS_H
#define FACET_BASE_FLOATS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { FACET_FLOATS = 4 };

#if defined(__GNUC__)
#ifdef __SSE2__
#include <emmintrin.h>
#endif

typedef float facet_floats __attribute__((vector_size(16)));
typedef int32_t facet_floats_bits __attribute__((vector_size(16)));

static inline facet_floats facet_floats_all(float value)
{
    return (facet_floats){value, value, value, value};
}

static inline facet_floats facet_floats_of(float a, float b, float c, float d)
{
    return (facet_floats){a, b, c, d};
}

static inline float facet_floats_lane(facet_floats a, int lane)
{
    return a[lane];
}

/* The same lanes, except the last one. */
static inline facet_floats facet_floats_with_last(facet_floats a, float last)
{
    return (facet_floats){a[0], a[1], a[2], last};
}

/* Sum of the lanes: first neighbors, then the two sums. */
static inline float facet_floats_sum(facet_floats a)
{
    return (a[0] + a[1]) + (a[2] + a[3]);
}

static inline facet_floats facet_floats_add(facet_floats a, facet_floats b)
{
    return a + b;
}

static inline facet_floats facet_floats_subtract(facet_floats a, facet_floats b)
{
    return a - b;
}

static inline facet_floats facet_floats_multiply(facet_floats a, facet_floats b)
{
    return a * b;
}

static inline facet_floats facet_floats_divide(facet_floats a, facet_floats b)
{
    return a / b;
}

static inline facet_floats facet_floats_magnitude(facet_floats a)
{
    return (facet_floats)((facet_floats_bits)a & INT32_MAX);
}

/* Maximum of each lane; if one value is NaN, the lane of b. */
static inline facet_floats facet_floats_larger(facet_floats a, facet_floats b)
{
#ifdef __SSE2__
    return (facet_floats)_mm_max_ps((__m128)a, (__m128)b); /* one instruction instead of four */
#else
    facet_floats_bits larger = a > b;
    return (facet_floats)((larger & (facet_floats_bits)a) | (~larger & (facet_floats_bits)b));
#endif
}

/* Minimum of each lane; if one value is NaN, the lane of b. */
static inline facet_floats facet_floats_smaller(facet_floats a, facet_floats b)
{
#ifdef __SSE2__
    return (facet_floats)_mm_min_ps((__m128)a, (__m128)b);
#else
    facet_floats_bits smaller = a < b;
    return (facet_floats)((smaller & (facet_floats_bits)a) | (~smaller & (facet_floats_bits)b));
#endif
}

/* True if a lane of a is larger than that of b. */
static inline bool facet_floats_any_larger(facet_floats a, facet_floats b)
{
    facet_floats_bits larger = a > b;
    uint64_t halves[2];
    memcpy(halves, &larger, sizeof larger);
    return (halves[0] | halves[1]) != 0;
}
#else
#include <math.h>

typedef struct facet_floats {
    float lane[FACET_FLOATS];
} facet_floats;

#define FACET_EACH_LANE(result, value)     \
    facet_floats result;                   \
    for (int i = 0; i < FACET_FLOATS; i++) \
        result.lane[i] = (value);          \
    return result

static inline facet_floats facet_floats_all(float value)
{
    FACET_EACH_LANE(all, value);
}

static inline facet_floats facet_floats_of(float a, float b, float c, float d)
{
    return (facet_floats){{a, b, c, d}};
}

static inline float facet_floats_lane(facet_floats a, int lane)
{
    return a.lane[lane];
}

static inline facet_floats facet_floats_with_last(facet_floats a, float last)
{
    a.lane[FACET_FLOATS - 1] = last;
    return a;
}

static inline float facet_floats_sum(facet_floats a)
{
    return (a.lane[0] + a.lane[1]) + (a.lane[2] + a.lane[3]);
}

static inline facet_floats facet_floats_add(facet_floats a, facet_floats b)
{
    FACET_EACH_LANE(sum, a.lane[i] + b.lane[i]);
}

static inline facet_floats facet_floats_subtract(facet_floats a, facet_floats b)
{
    FACET_EACH_LANE(difference, a.lane[i] - b.lane[i]);
}

static inline facet_floats facet_floats_multiply(facet_floats a, facet_floats b)
{
    FACET_EACH_LANE(product, a.lane[i] * b.lane[i]);
}

static inline facet_floats facet_floats_divide(facet_floats a, facet_floats b)
{
    FACET_EACH_LANE(quotient, a.lane[i] / b.lane[i]);
}

static inline facet_floats facet_floats_magnitude(facet_floats a)
{
    FACET_EACH_LANE(magnitude, fabsf(a.lane[i]));
}

static inline facet_floats facet_floats_larger(facet_floats a, facet_floats b)
{
    FACET_EACH_LANE(larger, a.lane[i] > b.lane[i] ? a.lane[i] : b.lane[i]);
}

static inline facet_floats facet_floats_smaller(facet_floats a, facet_floats b)
{
    FACET_EACH_LANE(smaller, a.lane[i] < b.lane[i] ? a.lane[i] : b.lane[i]);
}

static inline bool facet_floats_any_larger(facet_floats a, facet_floats b)
{
    bool larger = false;
    for (int i = 0; i < FACET_FLOATS; i++)
        larger |= a.lane[i] > b.lane[i];
    return larger;
}
#endif

static inline facet_floats facet_floats_load(const float *from)
{
    facet_floats loaded;
    memcpy(&loaded, from, sizeof loaded);
    return loaded;
}

static inline void facet_floats_store(float *to, facet_floats from)
{
    memcpy(to, &from, sizeof from);
}

/* a + b * c */
static inline facet_floats facet_floats_add_product(facet_floats a, facet_floats b, facet_floats c)
{
    return facet_floats_add(a, facet_floats_multiply(b, c));
}

#endif
