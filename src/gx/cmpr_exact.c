/* gx/cmpr_exact.c - lossless CMPR blocks: texels that were CMPR before, drawings with few colors,
 * single colors.
 *
 * A sub-block has at most four colors, on a line between two ends with 5, 6 and 5 bits. The
 * positions are 0, 3/8, 5/8 and 1, or 0, 1/2 and 1. Sort the colors by the channel in which they
 * differ most: their positions on the line have the same order. So only few assignments of
 * positions are possible, and each channel then solves for its two ends separately. */
#include "gx/texels.h"

/* Positions on the line. A transparent texel can also have the color of MIDDLE. */
enum { FIRST, NEAR_FIRST, NEAR_SECOND, SECOND, MIDDLE };

static const uint8_t place_index[] = {0, 2, 3, 1, 2}; /* index of a texel for each position */

typedef struct distinct {
    uint32_t colors[4]; /* opaque, sorted by the widest channel */
    uint32_t count;
    bool has_clear;
    uint32_t clear; /* the color of all transparent texels, with alpha 255 */
    bool one_clear; /* all transparent texels have the same color */
} distinct;

/* -- Distinct colors --------------------------------------------------- */

static bool find_colors(const uint32_t texels[16], distinct *d)
{
    d->count = 0;
    d->has_clear = d->one_clear = false;
    for (int i = 0; i < 16; i++) {
        uint32_t color = texels[i] | 0xFF000000u, k = 0;
        if (facet_gx_alpha(texels[i]) < FACET_GX_OPAQUE) {
            d->one_clear = d->has_clear ? d->one_clear && d->clear == color : true;
            d->has_clear = true;
            d->clear = color;
            continue;
        }
        while (k < d->count && d->colors[k] != color)
            k++;
        if (k == 4 || (k == d->count && d->count == 4))
            return false;
        if (k == d->count)
            d->colors[d->count++] = color;
    }
    return d->count + d->has_clear <= 4;
}

static uint32_t channel_of(uint32_t texel, uint32_t channel)
{
    return texel >> (channel * 8) & 255;
}

static void sort_colors(distinct *d)
{
    uint32_t widest = 0, most = 0;
    for (uint32_t c = 0; c < 3; c++) {
        uint32_t low = 255, high = 0;
        for (uint32_t i = 0; i < d->count; i++) {
            uint32_t v = channel_of(d->colors[i], c);
            low = v < low ? v : low;
            high = v > high ? v : high;
        }
        if (d->count > 0 && high - low > most) {
            most = high - low;
            widest = c;
        }
    }
    for (uint32_t i = 1; i < d->count; i++) {
        for (uint32_t k = i;
             k > 0 && channel_of(d->colors[k - 1], widest) > channel_of(d->colors[k], widest);
             k--) {
            uint32_t t = d->colors[k];
            d->colors[k] = d->colors[k - 1];
            d->colors[k - 1] = t;
        }
    }
}

/* -- One channel -------------------------------------------------------- */

static uint32_t widen(uint32_t v, uint32_t most)
{
    return most == 63 ? facet_gx_widen6(v) : facet_gx_widen5(v);
}

static uint32_t at_place(uint32_t a, uint32_t b, uint8_t place)
{
    switch (place) {
    case FIRST:
        return a;
    case NEAR_FIRST:
        return (5 * a + 3 * b) >> 3;
    case NEAR_SECOND:
        return (3 * a + 5 * b) >> 3;
    case SECOND:
        return b;
    default:
        return (a + b) >> 1;
    }
}

/* The value of the second end, within one step, if the first is `a` and the color at `place` has
 * the value `v`. */
static int32_t other_end(int32_t a, int32_t v, uint8_t place)
{
    if (place == NEAR_FIRST)
        return (8 * v + 4 - 5 * a) / 3;
    return place == NEAR_SECOND ? (8 * v + 4 - 3 * a) / 5 : 2 * v - a;
}

static bool all_match(const uint8_t *values, const uint8_t *places, uint32_t count, uint32_t a,
                      uint32_t b)
{
    for (uint32_t i = 0; i < count; i++) {
        if (at_place(a, b, places[i]) != values[i])
            return false;
    }
    return true;
}

/* Find ends from 0 to `most` that give every value at its position. For each first end, only one
 * second end is tried: the step nearest to the value that it needs. A test of all pairs of ends and
 * all positions showed that this is enough. */
static bool solve_channel(const uint8_t *values, const uint8_t *places, uint32_t count,
                          uint32_t most, uint32_t ends[2])
{
    for (uint32_t first = 0; first <= most; first++) {
        uint32_t a = widen(first, most), second = first;
        bool possible = true, second_known = false;
        for (uint32_t i = 0; i < count; i++) {
            if (places[i] == FIRST) {
                possible &= values[i] == a;
            } else if (places[i] == SECOND) {
                second = facet_gx_narrow(values[i], most);
                second_known = true;
            } else if (!second_known) {
                int32_t b = other_end((int32_t)a, values[i], places[i]);
                second = facet_gx_narrow((uint32_t)(b < 0 ? 0 : b > 255 ? 255 : b), most);
            }
        }
        if (possible && all_match(values, places, count, a, widen(second, most))) {
            ends[0] = first;
            ends[1] = second;
            return true;
        }
    }
    return false;
}

/* -- All channels ------------------------------------------------------- */

static bool solve(const uint32_t *colors, const uint8_t *places, uint32_t count, uint32_t *c0,
                  uint32_t *c1)
{
    static const uint32_t most[3] = {31, 63, 31}, shifts[3] = {11, 5, 0};
    uint32_t a = 0, b = 0;
    for (uint32_t c = 0; c < 3; c++) {
        uint8_t values[5];
        uint32_t ends[2];
        for (uint32_t i = 0; i < count; i++)
            values[i] = (uint8_t)channel_of(colors[i], c);
        if (!solve_channel(values, places, count, most[c], ends))
            return false;
        a |= ends[0] << shifts[c];
        b |= ends[1] << shifts[c];
    }
    *c0 = a;
    *c1 = b;
    return true;
}

static void put(const distinct *d, const uint32_t texels[16], const uint8_t *places, uint32_t c0,
                uint32_t c1, bool swap, uint8_t out[8])
{
    uint8_t indices[16];
    for (int i = 0; i < 16; i++) {
        uint32_t color = texels[i] | 0xFF000000u, k = 0;
        if (facet_gx_alpha(texels[i]) < FACET_GX_OPAQUE) {
            indices[i] = 3;
            continue;
        }
        while (d->colors[k] != color)
            k++;
        indices[i] = place_index[places[k]];
        /* Swapping the ends also swaps the two mixes, but not the middle. */
        if (swap && places[k] != MIDDLE)
            indices[i] ^= 1;
    }
    facet_gx_put_cmpr(swap ? c1 : c0, swap ? c0 : c1, indices, out);
}

/* Try one assignment of positions. Transparent texels use the color of the middle, which filters
 * can mix with neighbors. */
static bool try_places(const distinct *d, const uint32_t texels[16], const uint8_t *places,
                       bool four, bool with_clear, uint8_t out[8])
{
    uint32_t colors[5], count = d->count, c0, c1;
    uint8_t all[5];
    for (uint32_t i = 0; i < count; i++) {
        colors[i] = d->colors[i];
        all[i] = places[i];
    }
    if (with_clear) {
        colors[count] = d->clear;
        all[count++] = MIDDLE;
    }
    if (!solve(colors, all, count, &c0, &c1) || (four && c0 == c1))
        return false;
    put(d, texels, places, c0, c1, four ? c0 < c1 : c0 > c1, out);
    return true;
}

typedef struct way {
    uint8_t count, places[4];
} way;

static bool try_ways(const distinct *d, const uint32_t texels[16], bool four, bool with_clear,
                     uint8_t out[8])
{
    static const way of_four[] = {
        {4, {FIRST, NEAR_FIRST, NEAR_SECOND, SECOND}},
        {3, {FIRST, NEAR_FIRST, SECOND}},
        {3, {FIRST, NEAR_SECOND, SECOND}},
        {3, {FIRST, NEAR_FIRST, NEAR_SECOND}},
        {3, {NEAR_FIRST, NEAR_SECOND, SECOND}},
        {2, {FIRST, SECOND}},
        {2, {FIRST, NEAR_FIRST}},
        {2, {FIRST, NEAR_SECOND}},
        {2, {NEAR_FIRST, SECOND}},
        {2, {NEAR_SECOND, SECOND}},
        {2, {NEAR_FIRST, NEAR_SECOND}},
        {1, {NEAR_FIRST}},
    };
    static const way of_three[] = {
        {3, {FIRST, MIDDLE, SECOND}},
        {2, {FIRST, SECOND}},
        {2, {FIRST, MIDDLE}},
        {2, {MIDDLE, SECOND}},
        {1, {FIRST}},
        {1, {MIDDLE}},
        {0, {0}}, /* no opaque texel */
    };
    const way *ways = four ? of_four : of_three;
    size_t count = four ? sizeof of_four / sizeof *of_four : sizeof of_three / sizeof *of_three;
    for (size_t i = 0; i < count; i++) {
        if (ways[i].count == d->count &&
            try_places(d, texels, ways[i].places, four, with_clear, out))
            return true;
    }
    return false;
}

bool facet_gx_encode_cmpr_exactly(const uint32_t texels[16], uint8_t out[8])
{
    distinct d;
    if (!find_colors(texels, &d))
        return false;
    sort_colors(&d);
    if (d.has_clear)
        return (d.one_clear && try_ways(&d, texels, false, true, out)) ||
               (d.count > 0 && try_ways(&d, texels, false, false, out));
    return try_ways(&d, texels, true, false, out) || try_ways(&d, texels, false, false, out);
}
