/* formats/assimp/file/fbx_curve.c - one animation curve of an FBX with more keys.
 *
 * The format has no public specification. Flags, attributes and the slopes of automatic tangents
 * were found by ufbx (https://github.com/ufbx/ufbx) and checked there against Maya and
 * MotionBuilder. */
#include "formats/assimp/file/cubic.h"
#include "formats/assimp/file/fbx_curves.h"

#include "base/vec.h"

#include <math.h>
#include <string.h>

/* Further flags of keys. */
enum {
    TCB = 0x200,  /* tension, continuity, bias */
    USER = 0x400, /* slopes as they are stored; otherwise they are computed */
    CLAMPED = 0x1000,
    EVEN = 0x2000, /* independent of the times of keys */
    LIMITED = 0x4000,
    WEIGHTED_RIGHT = 0x1000000,
    WEIGHTED_LEFT = 0x2000000 /* of the next key */
};

/* -- Slopes ------------------------------------------------------------- */

static double seconds(double ticks)
{
    return ticks / FACET_FBX_TICKS;
}

/* Slope from key i to the next, per second. */
static double chord(const facet_fbx_keys *k, size_t i)
{
    return (k->values[i + 1] - k->values[i]) / seconds(k->times[i + 1] - k->times[i]);
}

/* Weights of the tangents after key i and before the next, as shares of the span. They are decimal
 * numbers of four digits, two in the bits of one float. */
static void weights_of(const facet_fbx_keys *k, size_t i, double *right, double *left)
{
    uint32_t packed;
    memcpy(&packed, &k->attributes[i][2], sizeof packed);
    *right = *left = 1.0 / 3;
    if (k->flags[i] & WEIGHTED_RIGHT)
        *right = fmin((packed & 0xFFFF) * 0.0001, 1);
    if (k->flags[i] & WEIGHTED_LEFT)
        *left = fmin((packed >> 16) * 0.0001, 1);
}

/* Bias beyond 500 percent adds a slope. */
static double excess(double bias, double direction)
{
    double more = fabs(bias) / 100 - 5;
    return more > 0 ? more * more * 40 * (direction > 0 ? 1 : -1) : 0;
}

/* Limit a slope so that the curve stays between the values of the keys. */
static double limit(const facet_fbx_keys *k, size_t i, double slope)
{
    double right, left, none, sign = slope >= 0 ? 1 : -1;
    weights_of(k, i, &right, &none);
    weights_of(k, i - 1, &none, &left);
    double most = sign * chord(k, i - 1) / fmax(left, 1e-9);
    most = fmin(most, sign * chord(k, i) / fmax(right, 1e-9));
    return sign * fmin(sign * slope, most > 0 ? most : 0);
}

/* Automatic slope at key i; `bias` is in percent toward the next key. */
static double automatic(const facet_fbx_keys *k, size_t i, double bias)
{
    const double near = 1e-3; /* keys of one value are flat */
    bool first = i == 0, last = i + 1 == k->count, even = k->flags[i] & EVEN;
    const double *v = k->values;
    if (first && last)
        return 0;
    if (first || last) {
        double slope = chord(k, first ? i : i - 1);
        double step = first ? v[1] - v[0] : v[i] - v[i - 1];
        if ((k->flags[i] & LIMITED) || ((k->flags[i] & CLAMPED) && fabs(step) <= near))
            return 0;
        return even ? slope : slope + excess(bias, bias);
    }
    if ((k->flags[i] & CLAMPED) && fmin(fabs(v[i - 1] - v[i]), fabs(v[i + 1] - v[i])) <= near)
        return 0;
    double before = seconds(k->times[i] - k->times[i - 1]);
    double both = seconds(k->times[i + 1] - k->times[i - 1]);
    double slope = (v[i + 1] - v[i - 1]) / both;
    if (!even) {
        double share_before = before / both, left = chord(k, i - 1), right = chord(k, i);
        slope = slope / 2 + (left * (1 - share_before) + right * share_before) / 2;
        double target = bias > 0 ? right : left, share = fabs(bias) / 100;
        double more = target - slope;
        slope =
            slope * (1 - share) + target * share + excess(bias, fabs(more) > 1e-5 ? more : bias);
    }
    return k->flags[i] & LIMITED ? limit(k, i, slope) : slope;
}

/* Slopes of tension, continuity and bias (D. Kochanek and R. Bartels, 1984). */
static double tcb(const facet_fbx_keys *k, size_t i, bool right)
{
    double t = (double)k->attributes[i][0], c = (double)k->attributes[i][1],
           b = (double)k->attributes[i][2];
    bool first = i == 0, last = i + 1 == k->count;
    double before = first ? 0 : chord(k, i - 1), after = last ? 0 : chord(k, i);
    double half = first || last ? 1 : 0.5;
    c = right ? c : -c;
    return half * (1 - t) * ((1 + b) * (1 + c) * before + (1 - b) * (1 - c) * after);
}

/* Slope at a key, after it or before it. */
static double slope_at(const facet_fbx_keys *k, size_t i, bool right)
{
    uint32_t flags = k->flags[i];
    double stored = right   ? (double)k->attributes[i][0]
                    : i > 0 ? (double)k->attributes[i - 1][1]
                            : 0;
    double other =
        right ? i > 0 ? (double)k->attributes[i - 1][1] : 0 : (double)k->attributes[i][0];
    if (!right && k->flags[i - 1] & TCB)
        stored = 0; /* it has other attributes */
    if (!(flags & FACET_FBX_CUBIC) || flags & FACET_FBX_CONSTANT)
        return stored;
    if (flags & TCB)
        return tcb(k, i, right);
    if (flags & USER)
        return stored;
    /* Automatic tangents store their bias instead of a slope; equal sides share one. */
    if (!right && fabs(stored + other) <= 1e-4)
        stored = -other;
    return automatic(k, i, right ? stored : -stored);
}

double facet_fbx_end_slope(const facet_fbx_keys *k, bool last)
{
    size_t i = last ? k->count - 1 : 0;
    if (k->count == 1)
        return k->flags[0] & FACET_FBX_CUBIC ? slope_at(k, 0, true) : 0;
    uint32_t flags = k->flags[last ? i - 1 : i];
    if (flags & FACET_FBX_CONSTANT)
        return 0;
    return flags & FACET_FBX_CUBIC ? slope_at(k, i, !last) : chord(k, last ? i - 1 : i);
}

/* -- Parts -------------------------------------------------------------- */

/* The curve from a key to the next: times are shares of the span. */
static facet_cubic part_of(const facet_fbx_keys *k, size_t i)
{
    double span = seconds(k->times[i + 1] - k->times[i]), right, left;
    facet_cubic p = {{0, 0, 0, 1}, {k->values[i], 0, 0, k->values[i + 1]}};
    weights_of(k, i, &right, &left);
    if (k->flags[i] & TCB)
        right = left = 1.0 / 3;
    p.times[1] = right;
    p.times[2] = 1 - left;
    p.values[1] = p.values[0] + slope_at(k, i, true) * right * span;
    p.values[2] = p.values[3] - slope_at(k, i + 1, false) * left * span;
    return p;
}

double facet_fbx_value_at(const facet_fbx_keys *k, size_t i, double time)
{
    if (i + 1 == k->count || time <= k->times[i])
        return k->values[i];
    if (k->flags[i] & FACET_FBX_CONSTANT)
        return k->values[k->flags[i] & FACET_FBX_NEXT ? i + 1 : i];
    double share = (time - k->times[i]) / (k->times[i + 1] - k->times[i]);
    return k->values[i] * (1 - share) + k->values[i + 1] * share;
}

/* -- All keys ----------------------------------------------------------- */

/* Between two keys, angles that change by a and b leave the shortest turn by about a b / 8. Their
 * product is at most this, in radians: 0.9 degrees; in pieces 0.15 degrees. One angle alone
 * follows the shortest turn up to half of a circle. */
static const double most_bend = 0.12, piece_bend = 0.02, most_turn = 2.6,
                    radian = 0.017453292519943295;
/* Steps become ramps of a millisecond. */
static const double ramp = FACET_FBX_TICKS / 1000;

/* Value at a time, with straight lines between keys. */
static double value_near(const facet_fbx_keys *k, double time)
{
    size_t low = 0, high = k->count - 1;
    while (low < high) { /* the last key that is not later */
        size_t middle = high - (high - low) / 2;
        if (k->times[middle] <= time)
            low = middle;
        else
            high = middle - 1;
    }
    if (low + 1 == k->count || time <= k->times[low])
        return k->values[low];
    double share = (time - k->times[low]) / (k->times[low + 1] - k->times[low]);
    return k->values[low] + share * (k->values[low + 1] - k->values[low]);
}

/* Pieces of a straight line of an angle. */
static size_t pieces_of_turn(const facet_fbx_keys *k, size_t i, const facet_fbx_keys *const *others,
                             size_t other_count)
{
    double turn = fabs(k->values[i + 1] - k->values[i]) * radian, bend = 0;
    if (!k->is_angle || k->times[i + 1] - k->times[i] <= FACET_FBX_TICKS / 60)
        return 1;
    for (size_t j = 0; j < other_count; j++) {
        double change = value_near(others[j], k->times[i + 1]) - value_near(others[j], k->times[i]);
        bend += fabs(change) * radian * turn;
    }
    size_t pieces = bend > most_bend ? facet_cubic_power_above(sqrt(bend / piece_bend)) : 1;
    size_t parts = facet_cubic_power_above(turn / most_turn);
    return pieces > parts ? pieces : parts;
}

/* The curve and the other angles of its rotation. */
typedef struct context {
    const facet_fbx_keys *keys, *const *others;
    size_t other_count;
    double tolerance;
} context;

static size_t count_pieces(const context *c, size_t i, bool *curved)
{
    const facet_fbx_keys *k = c->keys;
    size_t pieces = pieces_of_turn(k, i, c->others, c->other_count);
    *curved = k->flags[i] & FACET_FBX_CUBIC && !(k->flags[i] & FACET_FBX_CONSTANT);
    if (!*curved)
        return pieces;
    facet_cubic p = part_of(k, i);
    size_t wanted = facet_cubic_pieces(&p, c->tolerance);
    return wanted > pieces ? wanted : pieces;
}

static bool is_step(const facet_fbx_keys *k, size_t i)
{
    return k->flags[i] & FACET_FBX_CONSTANT && k->values[i] != k->values[i + 1] &&
           k->times[i + 1] - k->times[i] > ramp;
}

/* Largest deviation that stays: a fraction of a degree, or of the range of the values. */
static double tolerance_of(const facet_fbx_keys *k)
{
    double low = k->values[0], high = k->values[0];
    for (size_t i = 1; i < k->count; i++) {
        low = fmin(low, k->values[i]);
        high = fmax(high, k->values[i]);
    }
    return k->is_angle ? 0.05
                       : fmax((high - low) * 5e-4, fmax(fabs(high), fabs(low)) * 1e-6 + 1e-9);
}

static void add(facet_fbx_keys *to, double time, double value, uint32_t flags)
{
    if (to->count > 0 && time <= to->times[to->count - 1])
        return;
    to->times[to->count] = time;
    to->values[to->count] = value;
    to->flags[to->count] = flags;
    to->count++;
}

/* Add the keys after key i, before the next. */
static void add_part(const facet_fbx_keys *k, size_t i, size_t pieces, bool curved, bool ramps,
                     facet_fbx_keys *to)
{
    double begin = k->times[i], span = k->times[i + 1] - begin;
    if (is_step(k, i) && ramps) {
        bool next = k->flags[i] & FACET_FBX_NEXT;
        add(to, next ? begin + ramp : begin + span - ramp, k->values[next ? i + 1 : i], 0);
        return;
    }
    facet_cubic p = {{0, 1.0 / 3, 2.0 / 3, 1}, {0, 0, 0, 0}};
    if (curved)
        p = part_of(k, i);
    for (size_t j = 1; j < pieces; j++) {
        double t = (double)j / (double)pieces;
        double straight = k->values[i] + t * (k->values[i + 1] - k->values[i]);
        add(to, rint(begin + span * (curved ? facet_cubic_point(p.times, t) : t)),
            curved ? facet_cubic_point(p.values, t) : straight, 0);
    }
}

bool facet_fbx_resample(const facet_fbx *fbx, facet_fbx_keys *k,
                        const facet_fbx_keys *const *others, size_t other_count, bool ramps,
                        bool *failed)
{
    const context c = {k, others, other_count, tolerance_of(k)};
    const uint32_t kept = FACET_FBX_CONSTANT | FACET_FBX_NEXT;
    size_t count = 1;
    bool curved, changed = false;
    *failed = false;
    for (size_t i = 0; i + 1 < k->count; i++) {
        bool step = is_step(k, i);
        size_t pieces = step ? (size_t)1 + ramps : count_pieces(&c, i, &curved);
        k->has_steps |= step;
        changed |= pieces > 1;
        count += pieces;
    }
    if (!changed)
        return false;
    facet_fbx_keys to = *k;
    to.count = 0;
    *failed = !fbx->key_budget ||
              facet_budget_spend(fbx->key_budget, (uint64_t)count * 16, "keys", NULL) != FACET_OK;
    if (*failed)
        return false;
    to.times = facet_arena_allocate(fbx->arena, count, sizeof *to.times);
    to.values = facet_arena_allocate(fbx->arena, count, sizeof *to.values);
    to.flags = facet_arena_allocate(fbx->arena, count, sizeof *to.flags);
    *failed = !to.times || !to.values || !to.flags;
    for (size_t i = 0; i < k->count && !*failed; i++) {
        bool step = i + 1 < k->count && is_step(k, i);
        uint32_t flags =
            k->flags[i] & FACET_FBX_CONSTANT && !(step && ramps) ? k->flags[i] & kept : 0;
        size_t pieces = i + 1 < k->count && !step ? count_pieces(&c, i, &curved) : 1;
        add(&to, k->times[i], k->values[i], flags);
        if (i + 1 < k->count)
            add_part(k, i, pieces, !step && curved, ramps, &to);
    }
    if (!*failed)
        *k = to;
    return !*failed;
}
