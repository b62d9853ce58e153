/* gx/cmpr_fit.c - fit of eight CMPR blocks in parallel. The first guess of a block's two colors is
 * the ends of its texels along their principal axis. Least squares then move the ends until the
 * mixes of the hardware (5:3 and 3:5, or the middle) are nearest.
 *
 * Each block uses one lane, and no lane reads another. So compilers vectorize the loops over lanes,
 * and a result depends neither on vectorization nor on other lanes. A finished lane is still
 * computed, but its result is dropped. */
#include "gx/cmpr_fit.h"

#include "base/processor.h"

#include <math.h>
#include <string.h>

#define LANES FACET_GX_CMPR_LANES

/* Define a step twice: for all processors, and for those with wide vectors. */
#define TWINS(step, parameters, arguments)        \
    static void step##_plain parameters           \
    {                                             \
        step##_lanes arguments;                   \
    }                                             \
    static FACET_WIDE void step##_wide parameters \
    {                                             \
        step##_lanes arguments;                   \
    }                                             \
    static void step parameters                   \
    {                                             \
        if (facet_is_wide())                      \
            step##_wide arguments;                \
        else                                      \
            step##_plain arguments;               \
    }

/* A loop over the lanes. If the compiler unrolls it early, it does not vectorize it. */
#define EACH_LANE(l) _Pragma("GCC unroll 1") for (int l = 0; l < LANES; l++)

/* The visible texels of the blocks. Floats hold integers exactly here: all sums and products stay
 * below 2^24. */
typedef struct seen {
    float channels[3][16][LANES];
    float weights[16][LANES]; /* 1 if visible, else 0 */
    int32_t masks[16][LANES]; /* -1 if visible, else 0 */
    int32_t three[LANES];     /* -1 if some texels are transparent, so only three colors are left */
    float counts[LANES], sums[3][LANES];
    int32_t squares[LANES]; /* sum over all channels of all texels */
} seen;

/* A candidate: packed end points, the index of each texel, and the sum of squared errors. */
typedef struct fit {
    int32_t ends[2][LANES];
    int32_t indices[16][LANES];
    int32_t error[LANES];
} fit;

/* -- Visible texels ----------------------------------------------------- */

/* Read the visible texels. A transparent texel has weight 0 and copies a visible one, so that it
 * never becomes an extreme. */
static FACET_ALWAYS_INLINE void take_seen_lanes(uint32_t texels[16][LANES], seen *restrict s)
{
    int32_t last[LANES] = {0}; /* last visible texel seen, from the end on; finally the first of the
                                  block */
    _Static_assert(FACET_GX_OPAQUE == 128, "the highest bit of a texel says that it is seen");
    memset(s->counts, 0, sizeof s->counts);
    memset(s->sums, 0, sizeof s->sums);
    memset(s->squares, 0, sizeof s->squares);
    for (int i = 15; i >= 0; i--) {
        EACH_LANE (l) {
            int32_t mask = (int32_t)texels[i][l] >> 31;
            last[l] = ((int32_t)texels[i][l] & mask) | (last[l] & ~mask);
        }
    }
    for (int i = 0; i < 16; i++) {
        EACH_LANE (l) {
            int32_t mask = (int32_t)texels[i][l] >> 31;
            int32_t texel = ((int32_t)texels[i][l] & mask) | (last[l] & ~mask);
            int32_t r = texel & 255, g = texel >> 8 & 255, b = texel >> 16 & 255;
            float weight = (float)(mask & 1);
            s->channels[0][i][l] = (float)r;
            s->channels[1][i][l] = (float)g;
            s->channels[2][i][l] = (float)b;
            s->masks[i][l] = mask;
            s->weights[i][l] = weight;
            s->counts[l] += weight;
            s->sums[0][l] += (float)(r & mask);
            s->sums[1][l] += (float)(g & mask);
            s->sums[2][l] += (float)(b & mask);
            s->squares[l] += (r * r + g * g + b * b) & mask;
        }
    }
    EACH_LANE (l) {
        s->three[l] = s->counts[l] < 16 ? -1 : 0;
    }
}

TWINS(take_seen, (uint32_t texels[16][LANES], seen *restrict s), (texels, s))

/* -- Errors of a candidate ---------------------------------------------- */

static FACET_ALWAYS_INLINE int32_t widen(int32_t ends, int c)
{
    int32_t v = c == 0 ? ends >> 11 : c == 1 ? ends >> 5 & 63 : ends & 31;
    return c == 1 ? v << 2 | v >> 4 : v << 3 | v >> 2;
}

/* Four times the squared distance of a texel to color i, without the square of the texel:
 * factors[i] times the channels, plus offsets[i]. The lowest two bits hold i. */
typedef struct palette {
    float factors[4][3][LANES];
    float offsets[4][LANES];
} palette;

/* Compute the palette. Swap the end points if the number of colors requires the other order. */
static FACET_ALWAYS_INLINE void make_palette(const seen *restrict s, fit *restrict f, palette *p)
{
    EACH_LANE (l) {
        int32_t c0 = f->ends[0][l], c1 = f->ends[1][l];
        int32_t less = c0 < c1 ? -1 : 0, differ = c0 != c1 ? -1 : 0;
        int32_t swap = (c0 ^ c1) & (less ^ s->three[l]) & differ;
        c0 ^= swap;
        c1 ^= swap;
        f->ends[0][l] = c0;
        f->ends[1][l] = c1;
        int32_t four = c0 > c1 ? -1 : 0;
        int32_t squares[4] = {0};
        for (int c = 0; c < 3; c++) {
            int32_t a = widen(c0, c), b = widen(c1, c);
            int32_t near_first = ((5 * a + 3 * b) >> 3 & four) | ((a + b) >> 1 & ~four);
            int32_t near_second = (3 * a + 5 * b) >> 3;
            p->factors[0][c][l] = (float)(-8 * a);
            p->factors[1][c][l] = (float)(-8 * b);
            p->factors[2][c][l] = (float)(-8 * near_first);
            p->factors[3][c][l] = (float)(-8 * near_second);
            squares[0] += a * a;
            squares[1] += b * b;
            squares[2] += near_first * near_first;
            squares[3] += near_second * near_second;
        }
        p->offsets[0][l] = (float)(4 * squares[0]);
        p->offsets[1][l] = (float)(4 * squares[1] + 1);
        p->offsets[2][l] = (float)(4 * squares[2] + 2);
        /* Without a fourth color, this offset is larger than any distance. */
        p->offsets[3][l] = (float)(((4 * squares[3] + 3) & four) | (1 << 23 & ~four));
    }
}

/* Give every texel the nearest color of the end points, the first one if several are equally
 * near. */
static FACET_ALWAYS_INLINE void judge_lanes(const seen *restrict s, fit *restrict f)
{
    palette p;
    make_palette(s, f, &p);
    memcpy(f->error, s->squares, sizeof f->error);
    for (int i = 0; i < 16; i++) {
        EACH_LANE (l) {
            float r = s->channels[0][i][l], g = s->channels[1][i][l], b = s->channels[2][i][l];
            float d0 = r * p.factors[0][0][l] + g * p.factors[0][1][l] + b * p.factors[0][2][l] +
                       p.offsets[0][l];
            float d1 = r * p.factors[1][0][l] + g * p.factors[1][1][l] + b * p.factors[1][2][l] +
                       p.offsets[1][l];
            float d2 = r * p.factors[2][0][l] + g * p.factors[2][1][l] + b * p.factors[2][2][l] +
                       p.offsets[2][l];
            float d3 = r * p.factors[3][0][l] + g * p.factors[3][1][l] + b * p.factors[3][2][l] +
                       p.offsets[3][l];
            float best = d0 < d1 ? d0 : d1;
            float other = d2 < d3 ? d2 : d3;
            int32_t nearest = (int32_t)(best < other ? best : other);
            f->indices[i][l] = nearest & 3;
            f->error[l] += nearest >> 2 & s->masks[i][l];
        }
    }
}

TWINS(judge, (const seen *restrict s, fit *restrict f), (s, f))

/* -- The first guess ---------------------------------------------------- */

static FACET_ALWAYS_INLINE int32_t narrow(float v, int32_t most)
{
    v = v < 0.0f ? 0.0f : v;
    v = v > 255.0f ? 255.0f : v;
    int32_t sum = (int32_t)(v + 0.5f) * most + 127;
    return (sum + 1 + (sum >> 8)) >> 8; /* division by 255, exact below 65,535 */
}

static FACET_ALWAYS_INLINE int32_t nearest_565(float r, float g, float b)
{
    return narrow(r, 31) << 11 | narrow(g, 63) << 5 | narrow(b, 31);
}

/* Upper triangle of the covariance: rr rg rb gg gb bb. */
static FACET_ALWAYS_INLINE void covariance(const seen *s, float mean[3][LANES], float m[6][LANES])
{
    memset(m, 0, 6 * sizeof *m);
    for (int i = 0; i < 16; i++) {
        EACH_LANE (l) {
            float r = (s->channels[0][i][l] - mean[0][l]) * s->weights[i][l];
            float g = (s->channels[1][i][l] - mean[1][l]) * s->weights[i][l];
            float b = (s->channels[2][i][l] - mean[2][l]) * s->weights[i][l];
            m[0][l] += r * r;
            m[1][l] += r * g;
            m[2][l] += r * b;
            m[3][l] += g * g;
            m[4][l] += g * b;
            m[5][l] += b * b;
        }
    }
}

/* The direction of largest variance, of any length. Powers of the covariance are applied to its
 * largest column. */
static FACET_ALWAYS_INLINE void principal_axis(float m[6][LANES], float axis[3][LANES])
{
    EACH_LANE (l) {
        bool red = m[0][l] >= m[3][l] && m[0][l] >= m[5][l];
        bool green = m[0][l] < m[3][l] && m[3][l] >= m[5][l];
        axis[0][l] = red ? m[0][l] : green ? m[1][l] : m[2][l];
        axis[1][l] = red ? m[1][l] : green ? m[3][l] : m[4][l];
        axis[2][l] = red ? m[2][l] : green ? m[4][l] : m[5][l];
    }
    for (int round = 0; round < 6; round++) {
        EACH_LANE (l) {
            float x = axis[0][l], y = axis[1][l], z = axis[2][l];
            float nx = m[0][l] * x + m[1][l] * y + m[2][l] * z;
            float ny = m[1][l] * x + m[3][l] * y + m[4][l] * z;
            float nz = m[2][l] * x + m[4][l] * y + m[5][l] * z;
            float most = fabsf(nx) > fabsf(ny) ? fabsf(nx) : fabsf(ny);
            most = fabsf(nz) > most ? fabsf(nz) : most;
            bool tiny = most < 1e-6f;
            float by = tiny ? 1.0f : most;
            axis[0][l] = tiny ? x : nx / by;
            axis[1][l] = tiny ? y : ny / by;
            axis[2][l] = tiny ? z : nz / by;
        }
    }
}

/* Set the end points to the two extreme texels along the axis. */
static FACET_ALWAYS_INLINE void first_guess_lanes(const seen *restrict s, fit *restrict f)
{
    float mean[3][LANES], m[6][LANES], axis[3][LANES], low[LANES], high[LANES];
    for (int c = 0; c < 3; c++) {
        EACH_LANE (l) {
            mean[c][l] = s->sums[c][l] / s->counts[l];
        }
    }
    covariance(s, mean, m);
    principal_axis(m, axis);
    EACH_LANE (l) {
        low[l] = INFINITY;
        high[l] = -INFINITY;
    }
    for (int i = 0; i < 16; i++) {
        EACH_LANE (l) {
            float along = (s->channels[0][i][l] - mean[0][l]) * axis[0][l] +
                          (s->channels[1][i][l] - mean[1][l]) * axis[1][l] +
                          (s->channels[2][i][l] - mean[2][l]) * axis[2][l];
            low[l] = along < low[l] ? along : low[l];
            high[l] = along > high[l] ? along : high[l];
        }
    }
    EACH_LANE (l) {
        float x = axis[0][l], y = axis[1][l], z = axis[2][l];
        float length = x * x + y * y + z * z;
        float by = length > 0 ? length : 1.0f;
        x = length > 0 ? x / by : 0;
        y = length > 0 ? y / by : 0;
        z = length > 0 ? z / by : 0;
        f->ends[0][l] = nearest_565(mean[0][l] + x * high[l], mean[1][l] + y * high[l],
                                    mean[2][l] + z * high[l]);
        f->ends[1][l] =
            nearest_565(mean[0][l] + x * low[l], mean[1][l] + y * low[l], mean[2][l] + z * low[l]);
    }
}

TWINS(first_guess, (const seen *restrict s, fit *restrict f), (s, f))

/* -- Least squares ------------------------------------------------------ */

/* Find the best end points for the indices of `f`. A lane is solved unless all of its texels have
 * the same position. */
static FACET_ALWAYS_INLINE void solve_ends_lanes(const seen *restrict s, const fit *restrict f,
                                                 fit *restrict better, int32_t solved[LANES])
{
    /* Per texel, the weight of the first end point in eighths: sum, sum of squares, and products
     * with the channels. The second end point has the rest of the eight eighths. */
    float a1[LANES] = {0}, a2[LANES] = {0}, ax[3][LANES] = {{0}};
    int32_t near_first[LANES];
    EACH_LANE (l) {
        near_first[l] = f->ends[0][l] > f->ends[1][l] ? 5 : 4;
    }
    for (int i = 0; i < 16; i++) {
        EACH_LANE (l) {
            int32_t index = f->indices[i][l];
            int32_t eighths =
                (index == 0 ? 8 : 0) | (index == 2 ? near_first[l] : 0) | (index == 3 ? 3 : 0);
            float part = (float)eighths * s->weights[i][l];
            a1[l] += part;
            a2[l] += part * part;
            ax[0][l] += part * s->channels[0][i][l];
            ax[1][l] += part * s->channels[1][i][l];
            ax[2][l] += part * s->channels[2][i][l];
        }
    }
    EACH_LANE (l) {
        int32_t aa = (int32_t)a2[l], ab = 8 * (int32_t)a1[l] - aa;
        int32_t bb = 64 * (int32_t)s->counts[l] - 16 * (int32_t)a1[l] + aa;
        int32_t determinant = aa * bb - ab * ab;
        solved[l] &= determinant != 0 ? -1 : 0;
        float factor = 8.0f / (float)(determinant != 0 ? determinant : 1);
        float first[3], second[3];
        for (int c = 0; c < 3; c++) {
            int32_t x = (int32_t)ax[c][l], y = 8 * (int32_t)s->sums[c][l] - x;
            first[c] = (float)(x * bb - y * ab) * factor;
            second[c] = (float)(y * aa - x * ab) * factor;
        }
        better->ends[0][l] = nearest_565(first[0], first[1], first[2]);
        better->ends[1][l] = nearest_565(second[0], second[1], second[2]);
    }
}

TWINS(solve_ends,
      (const seen *restrict s, const fit *restrict f, fit *restrict better, int32_t solved[LANES]),
      (s, f, better, solved))

/* Copy the lanes of `better` that have a smaller error and a set `asked`. Set `asked` to the lanes
 * copied. */
static bool take_better(fit *restrict f, const fit *restrict better, int32_t asked[restrict LANES])
{
    int32_t any = 0;
    EACH_LANE (l) {
        int32_t take = asked[l] & (better->error[l] < f->error[l] ? -1 : 0);
        f->error[l] ^= (f->error[l] ^ better->error[l]) & take;
        f->ends[0][l] ^= (f->ends[0][l] ^ better->ends[0][l]) & take;
        f->ends[1][l] ^= (f->ends[1][l] ^ better->ends[1][l]) & take;
        asked[l] = take;
        any |= take;
    }
    for (int i = 0; i < 16; i++) {
        EACH_LANE (l) {
            f->indices[i][l] ^= (f->indices[i][l] ^ better->indices[i][l]) & asked[l];
        }
    }
    return any != 0;
}

static void refine(const seen *s, fit *f)
{
    int32_t going[LANES];
    memset(going, -1, sizeof going);
    for (int round = 0; round < 4; round++) {
        fit better;
        solve_ends(s, f, &better, going);
        judge(s, &better);
        if (!take_better(f, &better, going))
            return;
    }
}

/* -- Search ------------------------------------------------------------- */

/* Move one end point a step up or down in one channel. A lane of `asked` takes part if the step is
 * within range. */
static FACET_ALWAYS_INLINE void step_end(const int32_t ends[restrict LANES], int32_t step,
                                         int32_t mask, int32_t limit,
                                         int32_t stepped[restrict LANES],
                                         int32_t asked[restrict LANES])
{
    EACH_LANE (l) {
        asked[l] &= (ends[l] & mask) != limit ? -1 : 0;
        stepped[l] = ends[l] + (step & asked[l]);
    }
}

/* Move each end point by single steps in each channel, while the error decreases. */
static void search(const seen *s, fit *f)
{
    static const int32_t steps[3] = {1 << 11, 1 << 5, 1}, masks[3] = {31 << 11, 63 << 5, 31};
    int32_t moving[LANES];
    bool moved = true;
    memset(moving, -1, sizeof moving);
    for (int round = 0; moved && round < 8; round++) {
        int32_t helped[LANES] = {0};
        moved = false;
        for (int step = 0; step < 12; step++) {
            int c = step % 3, end = step / 6;
            bool up = step / 3 % 2;
            int32_t asked[LANES];
            fit better;
            memcpy(asked, moving, sizeof asked);
            memcpy(better.ends, f->ends, sizeof better.ends);
            step_end(f->ends[end], up ? steps[c] : -steps[c], masks[c], up ? masks[c] : 0,
                     better.ends[end], asked);
            judge(s, &better);
            moved |= take_better(f, &better, asked);
            EACH_LANE (l) {
                helped[l] |= asked[l];
            }
        }
        memcpy(moving, helped, sizeof moving);
    }
}

/* -- Fit ---------------------------------------------------------------- */

static void fit_lanes(const seen *s, facet_gx_quality quality, fit *f)
{
    first_guess(s, f);
    judge(s, f);
    if (quality != FACET_GX_FAST)
        refine(s, f);
    if (quality == FACET_GX_BEST)
        search(s, f);
}

void facet_gx_fit_cmpr(uint32_t texels[16][LANES], facet_gx_quality quality,
                       facet_gx_cmpr_answers *answers)
{
    seen s;
    fit f;
    take_seen(texels, &s);
    fit_lanes(&s, quality, &f);
    if (quality == FACET_GX_BEST) {
        fit of_three;
        int32_t opaque[LANES];
        EACH_LANE (l) {
            opaque[l] = ~s.three[l];
            s.three[l] = -1;
        }
        fit_lanes(&s, quality, &of_three);
        take_better(&f, &of_three, opaque);
    }
    for (int i = 0; i < 16; i++) {
        EACH_LANE (l) {
            answers->indices[i][l] = (uint8_t)((f.indices[i][l] | ~s.masks[i][l]) & 3);
        }
    }
    memcpy(answers->ends, f.ends, sizeof f.ends);
}
