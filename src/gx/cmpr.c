/* gx/cmpr.c - CMPR blocks: the two colors are the ends of the texels along
 * their principal axis, moved by least squares to where the mixes of the hardware
 * (5:3 and 3:5, or the middle) miss the texels least. */
#include "base/processor.h"
#include "gx/texels.h"

#include <math.h>
#include <string.h>

/* The texels of a sub-block that are seen, by channel. The loops over them run to
 * 16, which compilers unroll and vectorize; what is beyond `count` weighs nothing. */
typedef struct seen {
    int32_t channels[3][16];
    int32_t weights[16]; /* 1, or 0 from `count` on */
    uint32_t count;
    bool three; /* some are transparent: three colors are left */
} seen;

/* An answer: packed end points, the index of each seen texel, the sum of squares. */
typedef struct fit {
    uint32_t c0, c1;
    uint8_t indices[16];
    uint32_t error;
} fit;

/* -- Judging ------------------------------------------------------------ */

#if defined(__GNUC__)
typedef int32_t lanes __attribute__((vector_size(32))); /* of eight texels */
#define LANES 8
#else
typedef int32_t lanes; /* of one */
#define LANES 1
#endif

/* Four times the square of each texel's distance to its nearest color, and which color that
 * is: of several the first. */
static FACET_ALWAYS_INLINE void judge_colors(const seen *s, const uint32_t colors[4],
                                             uint32_t count, int32_t nearest[16])
{
    for (int i = 0; i < 16; i += LANES) {
        lanes red, green, blue, best = {0};
        memcpy(&red, &s->channels[0][i], sizeof red);
        memcpy(&green, &s->channels[1][i], sizeof green);
        memcpy(&blue, &s->channels[2][i], sizeof blue);
        for (uint32_t k = 0; k < count; k++) {
            lanes dr = red - (int32_t)facet_gx_red(colors[k]);
            lanes dg = green - (int32_t)facet_gx_green(colors[k]);
            lanes db = blue - (int32_t)facet_gx_blue(colors[k]);
            lanes distance = (dr * dr + dg * dg + db * db) * 4 + (int32_t)k;
            lanes less = distance - best; /* the smaller of both, without a branch */
            best += k == 0 ? less : less & (less >> 31);
        }
        memcpy(&nearest[i], &best, sizeof best);
    }
}

static void judge_plain(const seen *s, const uint32_t colors[4], uint32_t count,
                        int32_t nearest[16])
{
    judge_colors(s, colors, count, nearest);
}

static FACET_WIDE void judge_wide(const seen *s, const uint32_t colors[4], uint32_t count,
                                  int32_t nearest[16])
{
    judge_colors(s, colors, count, nearest);
}

/* Give every texel its nearest color of the end points, which stand in the order
 * that the number of colors asks for. */
static void judge(const seen *s, fit *f)
{
    if ((f->c0 < f->c1) != s->three && f->c0 != f->c1) {
        uint32_t t = f->c0;
        f->c0 = f->c1;
        f->c1 = t;
    }
    uint32_t colors[4], count = 4 - (f->c0 <= f->c1);
    int32_t nearest[16], error = 0;
    facet_gx_cmpr_colors(f->c0, f->c1, colors);
    if (facet_is_wide())
        judge_wide(s, colors, count, nearest);
    else
        judge_plain(s, colors, count, nearest);
    for (int i = 0; i < 16; i++) {
        f->indices[i] = (uint8_t)(nearest[i] & 3);
        error += (nearest[i] >> 2) * s->weights[i];
    }
    f->error = (uint32_t)error;
}

/* -- The first guess ---------------------------------------------------- */

static uint32_t nearest_565(const float color[3])
{
    uint32_t v[3];
    for (int c = 0; c < 3; c++)
        v[c] = color[c] <= 0 ? 0 : color[c] >= 255 ? 255 : (uint32_t)(color[c] + 0.5f);
    return facet_gx_encode_rgb565(facet_gx_texel(v[0], v[1], v[2], 255));
}

/* Upper triangle of the covariance: rr rg rb gg gb bb. */
static void covariance(const seen *s, const float mean[3], float m[6])
{
    float d[3][16];
    for (int c = 0; c < 3; c++) {
        for (int i = 0; i < 16; i++)
            d[c][i] = ((float)s->channels[c][i] - mean[c]) * (float)s->weights[i];
    }
    memset(m, 0, 6 * sizeof *m);
    for (int i = 0; i < 16; i++) {
        m[0] += d[0][i] * d[0][i];
        m[1] += d[0][i] * d[1][i];
        m[2] += d[0][i] * d[2][i];
        m[3] += d[1][i] * d[1][i];
        m[4] += d[1][i] * d[2][i];
        m[5] += d[2][i] * d[2][i];
    }
}

/* The direction in which the texels differ most, of any length: powers of the
 * covariance, from its largest column on. */
static void principal_axis(const float m[6], float axis[3])
{
    const float columns[3][3] = {{m[0], m[1], m[2]}, {m[1], m[3], m[4]}, {m[2], m[4], m[5]}};
    int largest = m[0] >= m[3] ? (m[0] >= m[5] ? 0 : 2) : (m[3] >= m[5] ? 1 : 2);
    memcpy(axis, columns[largest], 3 * sizeof *axis);
    for (int round = 0; round < 6; round++) {
        float next[3], most = 0;
        for (int c = 0; c < 3; c++) {
            next[c] = columns[c][0] * axis[0] + columns[c][1] * axis[1] + columns[c][2] * axis[2];
            most = fabsf(next[c]) > most ? fabsf(next[c]) : most;
        }
        if (most < 1e-6f)
            return;
        for (int c = 0; c < 3; c++)
            axis[c] = next[c] / most;
    }
}

/* The texels at both ends of the axis. */
static void first_guess(const seen *s, fit *f)
{
    float mean[3], m[6], axis[3], along[16], low = INFINITY, high = -INFINITY;
    for (int c = 0; c < 3; c++) {
        int32_t sum = 0;
        for (int i = 0; i < 16; i++)
            sum += s->channels[c][i] * s->weights[i];
        mean[c] = (float)sum / (float)s->count;
    }
    covariance(s, mean, m);
    principal_axis(m, axis);
    float length = axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2];
    for (uint32_t i = 0; i < s->count; i++) {
        along[i] = ((float)s->channels[0][i] - mean[0]) * axis[0] +
                   ((float)s->channels[1][i] - mean[1]) * axis[1] +
                   ((float)s->channels[2][i] - mean[2]) * axis[2];
        low = along[i] < low ? along[i] : low;
        high = along[i] > high ? along[i] : high;
    }
    float a[3], b[3];
    for (int c = 0; c < 3; c++) {
        float step = length > 0 ? axis[c] / length : 0;
        a[c] = mean[c] + step * high;
        b[c] = mean[c] + step * low;
    }
    f->c0 = nearest_565(a);
    f->c1 = nearest_565(b);
}

/* -- Least squares ------------------------------------------------------ */

/* The end points that suit the indices of `f` best; false when the texels do not
 * tell, being all at one place. */
static bool solve_ends(const seen *s, const fit *f, fit *better)
{
    /* Eighths of the first end point, by index. */
    static const int32_t four[4] = {8, 0, 5, 3}, three[4] = {8, 0, 4, 4};
    const int32_t *parts = f->c0 > f->c1 ? four : three;
    int32_t aa = 0, ab = 0, bb = 0, ax[3] = {0}, bx[3] = {0};
    for (uint32_t i = 0; i < s->count; i++) {
        int32_t a = parts[f->indices[i]], b = 8 - a;
        aa += a * a;
        ab += a * b;
        bb += b * b;
        for (int c = 0; c < 3; c++) {
            ax[c] += a * s->channels[c][i];
            bx[c] += b * s->channels[c][i];
        }
    }
    int32_t determinant = aa * bb - ab * ab;
    if (determinant == 0)
        return false;
    float first[3], second[3], factor = 8.0f / (float)determinant;
    for (int c = 0; c < 3; c++) {
        first[c] = (float)(ax[c] * bb - bx[c] * ab) * factor;
        second[c] = (float)(bx[c] * aa - ax[c] * ab) * factor;
    }
    better->c0 = nearest_565(first);
    better->c1 = nearest_565(second);
    return true;
}

static void refine(const seen *s, fit *f, int rounds)
{
    for (; rounds > 0 && f->error > 0; rounds--) {
        fit better;
        if (!solve_ends(s, f, &better))
            return;
        judge(s, &better);
        if (better.error >= f->error)
            return;
        *f = better;
    }
}

/* -- Searching ---------------------------------------------------------- */

/* Each end point a step up or down in each channel, as long as that helps. */
static void search(const seen *s, fit *f)
{
    static const uint32_t shifts[3] = {11, 5, 0}, most[3] = {31, 63, 31};
    bool moved = true;
    for (int round = 0; moved && round < 8; round++) {
        moved = false;
        for (int step = 0; step < 12; step++) {
            int c = step % 3;
            uint32_t end = step < 6 ? f->c0 : f->c1;
            uint32_t value = end >> shifts[c] & most[c];
            bool up = step / 3 % 2;
            if (up ? value == most[c] : value == 0)
                continue;
            uint32_t changed = up ? end + (1u << shifts[c]) : end - (1u << shifts[c]);
            fit better = *f;
            *(step < 6 ? &better.c0 : &better.c1) = changed;
            judge(s, &better);
            if (better.error < f->error) {
                *f = better;
                moved = true;
            }
        }
    }
}

/* -- One color --------------------------------------------------------- */

/* All texels the same, and it is none of the colors that CMPR has: end points
 * whose mix is nearest, channel by channel. */
static void fit_one(const seen *s, fit *f)
{
    static const uint32_t most[3] = {31, 63, 31}, shifts[3] = {11, 5, 0};
    uint32_t ends[2] = {0, 0};
    for (int c = 0; c < 3; c++) {
        uint32_t v = (uint32_t)s->channels[c][0], middle = facet_gx_narrow(v, most[c]);
        uint32_t nearest = UINT32_MAX, best[2] = {middle, middle};
        uint32_t from = middle > 2 ? middle - 2 : 0;
        uint32_t to = middle + 2 < most[c] ? middle + 2 : most[c];
        for (uint32_t a = from; a <= to; a++) {
            for (uint32_t b = from; b <= to; b++) {
                uint32_t wide_a = c == 1 ? facet_gx_widen6(a) : facet_gx_widen5(a);
                uint32_t wide_b = c == 1 ? facet_gx_widen6(b) : facet_gx_widen5(b);
                uint32_t mix = s->three ? (wide_a + wide_b) >> 1 : (5 * wide_a + 3 * wide_b) >> 3;
                uint32_t miss = mix > v ? mix - v : v - mix;
                if (miss < nearest) {
                    nearest = miss;
                    best[0] = a;
                    best[1] = b;
                }
            }
        }
        ends[0] |= best[0] << shifts[c];
        ends[1] |= best[1] << shifts[c];
    }
    f->c0 = ends[0];
    f->c1 = ends[1];
    judge(s, f);
}

/* -- Encoding ----------------------------------------------------------- */

static void take_seen(const uint32_t texels[16], seen *s)
{
    s->count = 0;
    for (int i = 0; i < 16; i++) {
        if (facet_gx_alpha(texels[i]) < FACET_GX_OPAQUE)
            continue;
        s->channels[0][s->count] = (int32_t)facet_gx_red(texels[i]);
        s->channels[1][s->count] = (int32_t)facet_gx_green(texels[i]);
        s->channels[2][s->count] = (int32_t)facet_gx_blue(texels[i]);
        s->weights[s->count++] = 1;
    }
    s->three = s->count < 16;
    for (uint32_t i = s->count; i < 16; i++) {
        for (int c = 0; c < 3; c++)
            s->channels[c][i] = s->count ? s->channels[c][0] : 0;
        s->weights[i] = 0;
    }
}

/* Nothing is seen: the mean of what filtering may bring to light. */
static void put_clear(const uint32_t texels[16], uint8_t out[8])
{
    static const uint8_t indices[16] = {3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3};
    uint32_t r = 8, g = 8, b = 8;
    for (int i = 0; i < 16; i++) {
        r += facet_gx_red(texels[i]);
        g += facet_gx_green(texels[i]);
        b += facet_gx_blue(texels[i]);
    }
    uint32_t mean = facet_gx_encode_rgb565(facet_gx_texel(r / 16, g / 16, b / 16, 255));
    facet_gx_put_cmpr(mean, mean, indices, out);
}

static bool is_one_color(const seen *s)
{
    int32_t different = 0;
    for (int c = 0; c < 3; c++) {
        for (int i = 1; i < 16; i++)
            different |= s->channels[c][i] ^ s->channels[c][0];
    }
    return different == 0;
}

static void fit_many(const seen *s, facet_gx_quality quality, fit *f)
{
    first_guess(s, f);
    judge(s, f);
    if (quality != FACET_GX_FAST)
        refine(s, f, 4);
    if (quality == FACET_GX_BEST)
        search(s, f);
}

void facet_gx_encode_cmpr(const uint32_t texels[16], facet_gx_quality quality, uint8_t out[8])
{
    if (facet_gx_encode_cmpr_exactly(texels, out))
        return;
    seen s;
    fit f;
    take_seen(texels, &s);
    if (s.count == 0) {
        put_clear(texels, out);
        return;
    }
    if (is_one_color(&s)) {
        fit_one(&s, &f);
    } else {
        fit_many(&s, quality, &f);
        if (!s.three && quality == FACET_GX_BEST) {
            fit of_three;
            s.three = true;
            fit_many(&s, quality, &of_three);
            if (of_three.error < f.error)
                f = of_three;
        }
    }
    uint8_t indices[16];
    for (uint32_t i = 0, next = 0; i < 16; i++)
        indices[i] = facet_gx_alpha(texels[i]) < FACET_GX_OPAQUE ? 3 : f.indices[next++];
    facet_gx_put_cmpr(f.c0, f.c1, indices, out);
}
