/* mesh/tangents/arithmetic.c - the loops that run in vector registers: selections between
 * values, without branches.
 *
 * Each loop is compiled twice where AVX2 can be chosen at run time. No operation is fused or
 * reordered, so both versions give the same bits. */
#include "base/numbers.h"
#include "base/processor.h"
#include "mesh/tangents/space.h"

#include <float.h>
#include <math.h>

/* -- Fans --------------------------------------------------------------- */

/* Project a vector into the plane of a normal and make it unit length, unless it vanishes:
 * v - (n.v) n. */
static FACET_ALWAYS_INLINE void flatten_one(float nx, float ny, float nz, float *x, float *y,
                                            float *z)
{
    float along = nx * *x + ny * *y + nz * *z;
    float px = *x - along * nx, py = *y - along * ny, pz = *z - along * nz;
    float square = px * px + py * py + pz * pz;
    float size = fabsf(px) + fabsf(py) + fabsf(pz);
    float scale = 1.0f / sqrtf(square + (size > FLT_MIN ? 0.0f : 1.0f));
    *x = scale * px;
    *y = scale * py;
    *z = scale * pz;
}

static FACET_ALWAYS_INLINE void flatten(size_t count, const float *restrict nx,
                                        const float *restrict ny, const float *restrict nz,
                                        float *restrict x, float *restrict y, float *restrict z)
{
    for (size_t i = 0; i < count; i++)
        flatten_one(nx[i], ny[i], nz[i], &x[i], &y[i], &z[i]);
}

/* Angle between two unit vectors with the given cosine. acos by M. Abramowitz and I. A. Stegun,
 * "Handbook of Mathematical Functions", 1964, 4.4.46: error below 2e-8 before rounding. */
static FACET_ALWAYS_INLINE float angle_of(float cosine)
{
    float c = fabsf(cosine);
    float p = -0.0012624911f;
    p = p * c + 0.0066700901f;
    p = p * c - 0.0170881256f;
    p = p * c + 0.0308918810f;
    p = p * c - 0.0501743046f;
    p = p * c + 0.0889789874f;
    p = p * c - 0.2145988016f;
    p = p * c + 1.5707963050f;
    float rest = 1.0f - c; /* negative by rounding */
    p = p * sqrtf(rest > 0 ? rest : 0);
    float sign = copysignf(1.0f, cosine);
    return (1.0f - sign) * 1.57079633f + sign * p;
}

static FACET_ALWAYS_INLINE void measure_angles(const facet_fan *fan)
{
    const float *restrict ax = fan->to_next[0], *restrict ay = fan->to_next[1];
    const float *restrict az = fan->to_next[2], *restrict bx = fan->to_previous[0];
    const float *restrict by = fan->to_previous[1], *restrict bz = fan->to_previous[2];
    float *restrict angle = fan->angle;
    for (uint32_t i = 0; i < fan->count; i++)
        angle[i] = angle_of(bx[i] * ax[i] + by[i] * ay[i] + bz[i] * az[i]);
}

static FACET_ALWAYS_INLINE void flatten_range(const facet_fan *fan, float *const v[3],
                                              uint32_t begin, uint32_t count)
{
    flatten(count, fan->normal[0] + begin, fan->normal[1] + begin, fan->normal[2] + begin,
            v[0] + begin, v[1] + begin, v[2] + begin);
}

void facet_fan_flatten(const facet_fan *fan, float *const v[3], uint32_t begin, uint32_t count)
{
    flatten_range(fan, v, begin, count);
}

/* Convert rows to one array for each of their first three numbers. Writes up to three entries
 * beyond the last. */
static FACET_ALWAYS_INLINE void spread_rows(float (*const rows)[4], uint32_t count,
                                            float *const v[3])
{
    for (uint32_t i = 0; i < count; i += 4) {
#if defined(FACET_NUMBERS_SSE2)
        __m128 a = _mm_loadu_ps(rows[i]), b = _mm_loadu_ps(rows[i + 1]);
        __m128 c = _mm_loadu_ps(rows[i + 2]), d = _mm_loadu_ps(rows[i + 3]);
        _MM_TRANSPOSE4_PS(a, b, c, d);
        _mm_storeu_ps(v[0] + i, a);
        _mm_storeu_ps(v[1] + i, b);
        _mm_storeu_ps(v[2] + i, c);
#else
        for (uint32_t k = i; k < i + 4; k++) {
            for (int axis = 0; axis < 3; axis++)
                v[axis][k] = rows[k][axis];
        }
#endif
    }
}

static FACET_ALWAYS_INLINE void measure(const facet_fan *fan)
{
    spread_rows(fan->rows[FACET_FAN_NORMAL], fan->count, fan->normal);
    spread_rows(fan->rows[FACET_FAN_S], fan->count, fan->s);
    spread_rows(fan->rows[FACET_FAN_TO_NEXT], fan->count, fan->to_next);
    spread_rows(fan->rows[FACET_FAN_TO_PREVIOUS], fan->count, fan->to_previous);
    flatten_range(fan, fan->s, 0, fan->count);
    flatten_range(fan, fan->to_next, 0, fan->count);
    flatten_range(fan, fan->to_previous, 0, fan->count);
    measure_angles(fan);
}

/* -- Triangles ---------------------------------------------------------- */

/* MikkTSpace, equations 18 and 19. All in single precision, and in the order of operations of
 * MikkTSpace. So the same vectors count as zero, and cancellation has the same effect. */
static FACET_ALWAYS_INLINE void derive(facet_tangent_block *b, uint32_t count)
{
    float *restrict sx = b->s[0], *restrict sy = b->s[1], *restrict sz = b->s[2];
    float *restrict tx = b->t[0], *restrict ty = b->t[1], *restrict tz = b->t[2];
    for (uint32_t i = 0; i < count; i++) {
        float u21 = b->u21[i], v21 = b->v21[i], u31 = b->u31[i], v31 = b->v31[i];
        float ax = v31 * sx[i] - v21 * tx[i], bx = -u31 * sx[i] + u21 * tx[i];
        float ay = v31 * sy[i] - v21 * ty[i], by = -u31 * sy[i] + u21 * ty[i];
        float az = v31 * sz[i] - v21 * tz[i], bz = -u31 * sz[i] + u21 * tz[i];
        float area = u21 * v31 - v21 * u31; /* signed, twice the area */
        float sign = area > 0 ? 1.0f : -1.0f;
        float s_length = sqrtf(ax * ax + ay * ay + az * az);
        float t_length = sqrtf(bx * bx + by * by + bz * bz);
        /* Vectors without length become zero. */
        float s_scale = sign / (s_length + (s_length > FLT_MIN ? 0.0f : INFINITY));
        float t_scale = sign / (t_length + (t_length > FLT_MIN ? 0.0f : INFINITY));
        float extent = fabsf(area);
        uint32_t any = (extent > FLT_MIN ? 0U : 1U) | (s_length / extent > FLT_MIN ? 0U : 1U) |
                       (t_length / extent > FLT_MIN ? 0U : 1U);
        b->kind[i] = (area > 0 ? TRIANGLE_POSITIVE : 0U) | (any ? TRIANGLE_ANY : 0U);
        sx[i] = s_scale * ax;
        sy[i] = s_scale * ay;
        sz[i] = s_scale * az;
        tx[i] = t_scale * bx;
        ty[i] = t_scale * by;
        tz[i] = t_scale * bz;
    }
}

/* Limits within which the angle of a corner is reliable for sums.c. The first is its least sine.
 * The second is the largest square by which its edges leave the plane of the normal. */
#define LEAST_SINE 0.01f
#define LARGEST_LIFT 1e-3f

/* Weigh one corner of each triangle, with the same operations as for fans. */
static FACET_ALWAYS_INLINE void weigh_corner(facet_tangent_block *b, uint32_t count, int at,
                                             int next, int previous)
{
    for (uint32_t i = 0; i < count; i++) {
        float nx = b->normal[at][0][i], ny = b->normal[at][1][i], nz = b->normal[at][2][i];
        float px = b->position[at][0][i], py = b->position[at][1][i], pz = b->position[at][2][i];
        float ax = b->position[next][0][i] - px, ay = b->position[next][1][i] - py;
        float az = b->position[next][2][i] - pz, bx = b->position[previous][0][i] - px;
        float by = b->position[previous][1][i] - py, bz = b->position[previous][2][i] - pz;
        float sx = b->s[0][i], sy = b->s[1][i], sz = b->s[2][i];
        flatten_one(nx, ny, nz, &sx, &sy, &sz);
        flatten_one(nx, ny, nz, &ax, &ay, &az);
        flatten_one(nx, ny, nz, &bx, &by, &bz);
        float angle = angle_of(bx * ax + by * ay + bz * az);
        float sine = nx * (ay * bz - az * by) + ny * (az * bx - ax * bz) + nz * (ax * by - ay * bx);
        float lift_a = nx * ax + ny * ay + nz * az, lift_b = nx * bx + ny * by + nz * bz;
        float lift = lift_a * lift_a + lift_b * lift_b;
        float excess = sine > LEAST_SINE ? FACET_TANGENT_WIDEST - angle : 2 * FACET_TANGENT_WIDEST;
        excess = lift < LARGEST_LIFT ? excess : 2 * FACET_TANGENT_WIDEST;
        uint32_t passive = b->kind[i] & (TRIANGLE_ANY | TRIANGLE_DEGENERATE);
        b->weighed[at][0][i] = angle * sx;
        b->weighed[at][1][i] = angle * sy;
        b->weighed[at][2][i] = angle * sz;
        b->weighed[at][3][i] = angle;
        b->excess[at][i] = passive ? 2 * FACET_TANGENT_WIDEST : excess;
    }
}

static FACET_ALWAYS_INLINE void weigh(facet_tangent_block *b, uint32_t count)
{
    weigh_corner(b, count, 0, 1, 2);
    weigh_corner(b, count, 1, 2, 0);
    weigh_corner(b, count, 2, 0, 1);
    for (uint32_t i = 0; i < count; i++)
        b->sign[i] = b->kind[i] & TRIANGLE_POSITIVE ? 1.0f : -1.0f;
}

/* -- Twins -------------------------------------------------------------- */

static FACET_WIDE void measure_wide(const facet_fan *fan)
{
    measure(fan);
}

static FACET_WIDE void derive_wide(facet_tangent_block *b, uint32_t count)
{
    derive(b, count);
}

static FACET_WIDE void weigh_wide(facet_tangent_block *b, uint32_t count)
{
    weigh(b, count);
}

void facet_fan_measure(facet_fan *fan)
{
    if (facet_is_wide())
        measure_wide(fan);
    else
        measure(fan);
}

void facet_tangent_derive(facet_tangent_block *b, uint32_t count)
{
    if (facet_is_wide())
        derive_wide(b, count);
    else
        derive(b, count);
}

void facet_tangent_weigh(facet_tangent_block *b, uint32_t count)
{
    if (facet_is_wide())
        weigh_wide(b, count);
    else
        weigh(b, count);
}
