/* mesh/tangents/fan.c - the corners around a vertex: neighbors, groups, and the tangents of the
 * groups. */
#include "base/numbers.h"
#include "mesh/tangents/space.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* -- Space --------------------------------------------------------------- */

void facet_fan_init(facet_fan *fan, void *memory, uint32_t capacity)
{
    size_t space = FACET_FAN_CAPACITY(capacity);
    float *at = memory;
    fan->count = 0;
    for (int i = 0; i < FACET_FAN_ROWS; i++, at += 4 * space)
        fan->rows[i] = (void *)at;
    float **vectors[] = {fan->normal,      fan->s,     fan->t,  fan->to_next,
                         fan->to_previous, fan->turns, fan->sum};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        for (int k = 0; k < 3; k++, at += space)
            vectors[i][k] = at;
    }
    fan->angle = at;
    uint32_t *integers = (void *)(at + space);
    uint32_t **indices[] = {&fan->corner, &fan->flags,   &fan->next,     &fan->previous, &fan->left,
                            &fan->right,  &fan->group,   &fan->follower, &fan->head,     &fan->tail,
                            &fan->size,   &fan->suspect, &fan->result,   &fan->place};
    for (size_t i = 0; i < sizeof indices / sizeof *indices; i++, integers += space)
        *indices[i] = integers;
    fan->keys = (void *)integers;
    fan->results = (void *)(fan->keys + 2 * space);
    fan->extras = (void *)(fan->results + space);
}

/* Store an edge as a row. */
static void put_edge(float row[4], const float *from, const float *to)
{
    for (int k = 0; k < 3; k++)
        row[k] = to[k] - from[k];
}

void facet_fan_add(facet_fan *fan, const facet_tangent_mesh *mesh, uint32_t id)
{
    static const uint8_t after[3] = {1, 2, 0}, before[3] = {2, 0, 1};
    const float *here = mesh->positions + (size_t)id * 3;
    float normal[4] = {0}, turns[3] = {0, 0, 0};
    memcpy(normal, mesh->normals + (size_t)id * 3, 3 * sizeof *normal);
    uint32_t begin = facet_tangent_begin(mesh, id), count = mesh->ends[id] - begin;
    const uint32_t *corners = mesh->corners + begin;
    facet_fan to = *fan; /* a copy, so that the writes below cannot change its pointers */
    for (uint32_t k = 0, i = fan->count; k < count; k++, i++) {
        uint32_t place = corners[k] / 3, which = corners[k] % 3, triangle = mesh->unsettled[place];
        const facet_tangent_directions *d = &mesh->directions[place];
        const uint32_t *ids = mesh->ids + (size_t)triangle * 3;
        uint32_t next = ids[after[which]], previous = ids[before[which]];
        to.corner[i] = triangle * 3 + which;
        to.place[i] = place;
        to.flags[i] = mesh->flags[triangle];
        to.next[i] = next;
        to.previous[i] = previous;
        memcpy(to.rows[FACET_FAN_NORMAL][i], normal, sizeof normal);
        memcpy(to.rows[FACET_FAN_S][i], d, sizeof normal); /* also copies the first number of t,
                                                              which is not used */
        put_edge(to.rows[FACET_FAN_TO_NEXT][i], here, mesh->positions + (size_t)next * 3);
        put_edge(to.rows[FACET_FAN_TO_PREVIOUS][i], here, mesh->positions + (size_t)previous * 3);
        for (int axis = 0; axis < 3; axis++)
            turns[axis] += d->t[axis];
    }
    for (int axis = 0; axis < 3; axis++)
        fan->turns[axis][fan->count] = turns[axis];
    fan->count += count;
}

/* -- Neighbors --------------------------------------------------------- */

/* Two corners are neighbors if the next vertex of one is the previous vertex of the other. If
 * more than two triangles share an edge, each in turn takes the first later one that has the
 * other direction and is still free. */

static void join(facet_fan *fan, uint32_t begin, uint32_t a, uint32_t b)
{
    fan->left[begin + a] = b;
    fan->right[begin + b] = a;
}

/* Link few corners: compare each with those before it. */
static void link_few(facet_fan *fan, uint32_t begin, uint32_t count)
{
    const uint32_t *next = fan->next + begin, *previous = fan->previous + begin;
    const uint32_t *flags = fan->flags + begin;
    uint32_t *left = fan->left + begin, *right = fan->right + begin;
    for (uint32_t i = 0; i < count; i++) {
        left[i] = right[i] = FACET_NONE;
        if (flags[i] & TRIANGLE_DEGENERATE)
            continue;
        for (uint32_t k = 0; k < i; k++) {
            if (flags[k] & TRIANGLE_DEGENERATE)
                continue;
            if (previous[k] == next[i] && right[k] == FACET_NONE && left[i] == FACET_NONE)
                join(fan, begin, i, k);
            if (next[k] == previous[i] && left[k] == FACET_NONE && right[i] == FACET_NONE)
                join(fan, begin, k, i);
        }
    }
}

/* Heap sort: no input makes it slow. */
static void sink(uint64_t *keys, size_t at, size_t count)
{
    uint64_t key = keys[at];
    for (size_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && keys[child + 1] > keys[child])
            child++;
        if (keys[child] <= key)
            break;
        keys[at] = keys[child];
    }
    keys[at] = key;
}

static void sort_keys(uint64_t *keys, size_t count)
{
    for (size_t i = count / 2; i-- > 0;)
        sink(keys, i, count);
    for (size_t end = count; end-- > 1;) {
        uint64_t largest = keys[0];
        keys[0] = keys[end];
        keys[end] = largest;
        sink(keys, 0, end);
    }
}

/* Link many corners: sort the edges by their other vertex. The free edges at one such vertex
 * form a queue, and all have the same direction. */
static void link_many(facet_fan *fan, uint32_t begin, uint32_t count)
{
    uint64_t *keys = fan->keys;
    size_t key_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        fan->left[begin + i] = fan->right[begin + i] = FACET_NONE;
        if (fan->flags[begin + i] & TRIANGLE_DEGENERATE)
            continue;
        keys[key_count++] = (uint64_t)fan->next[begin + i] << 32 | (uint64_t)i << 1;
        keys[key_count++] = (uint64_t)fan->previous[begin + i] << 32 | (uint64_t)i << 1 | 1;
    }
    sort_keys(keys, key_count);
    size_t waiting = 0; /* the first free edge, if it is before edge i */
    for (size_t i = 0; i < key_count; i++) {
        if (keys[waiting] >> 32 != keys[i] >> 32)
            waiting = i;
        if (waiting == i || (keys[waiting] & 1) == (keys[i] & 1))
            continue;
        uint32_t a = (uint32_t)keys[waiting] >> 1, b = (uint32_t)keys[i] >> 1;
        if (keys[waiting] & 1)
            join(fan, begin, b, a);
        else
            join(fan, begin, a, b);
        uint64_t direction = keys[waiting++] & 1;
        while (waiting <= i && (keys[waiting] & 1) != direction)
            waiting++;
    }
}

void facet_fan_link(facet_fan *fan, uint32_t begin, uint32_t count)
{
    if (count <= 32)
        link_few(fan, begin, count);
    else
        link_many(fan, begin, count);
}

/* -- Groups ------------------------------------------------------------- */

/* Triangles of these kinds start no group. */
#define PASSIVE (TRIANGLE_ANY | TRIANGLE_DEGENERATE)

/* Add to `group` the corners on one side of `i`, up to the first with another orientation. */
static void spread(facet_fan *fan, uint32_t begin, const uint32_t *side, uint32_t i, uint32_t group)
{
    uint32_t orientation = fan->flags[begin + i] & TRIANGLE_POSITIVE;
    while ((i = side[begin + i]) != FACET_NONE && fan->group[begin + i] == FACET_NONE &&
           (fan->flags[begin + i] & TRIANGLE_POSITIVE) == orientation)
        fan->group[begin + i] = group;
}

/* Find the groups, and return the number of them. Corners without a group have FACET_NONE. */
static uint32_t find_groups(facet_fan *fan, uint32_t begin, uint32_t count)
{
    uint32_t groups = 0;
    for (uint32_t i = 0; i < count; i++)
        fan->group[begin + i] = FACET_NONE;
    for (uint32_t i = 0; i < count; i++) {
        if (fan->group[begin + i] != FACET_NONE || (fan->flags[begin + i] & PASSIVE))
            continue;
        fan->group[begin + i] = groups;
        spread(fan, begin, fan->left, i, groups);
        spread(fan, begin, fan->right, i, groups);
        groups++;
    }
    return groups;
}

static float dot_of(float *const v[3], uint32_t a, uint32_t b)
{
    return v[0][a] * v[0][b] + v[1][a] * v[1][b] + v[2][a] * v[2][b];
}

/* Sum up each group, link its corners in a list, and find out whether it may need cutting. If
 * all its directions are within a right angle of the first one, no two are opposite. */
static void sum_groups(facet_fan *fan, uint32_t begin, uint32_t count, uint32_t groups)
{
    for (uint32_t group = 0; group < groups; group++) {
        fan->size[group] = fan->suspect[group] = 0;
        fan->sum[0][group] = fan->sum[1][group] = fan->sum[2][group] = 0;
    }
    for (uint32_t i = begin; i < begin + count; i++) {
        uint32_t group = fan->group[i];
        if (group == FACET_NONE)
            continue;
        if (fan->size[group]++ == 0)
            fan->head[group] = i;
        else
            fan->follower[fan->tail[group]] = i;
        fan->tail[group] = i;
        fan->follower[i] = FACET_NONE;
        if (fan->flags[i] & TRIANGLE_ANY)
            continue;
        uint32_t first = fan->head[group];
        if (!(dot_of(fan->s, first, i) > 0.01f && dot_of(fan->t, first, i) > 0.01f))
            fan->suspect[group] = 1;
        for (int k = 0; k < 3; k++)
            fan->sum[k][group] += fan->angle[i] * fan->s[k][i];
    }
}

/* -- Results ------------------------------------------------------------ */

void facet_tangent_fallback(const float normal[3], float tangent[3])
{
    double n[3] = {normal[0], normal[1], normal[2]};
    double square = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
    double along[3] = {1, 0, 0};
    if (square > 0 && isfinite(square)) {
        int axis = n[0] * n[0] > 0.9 * square;
        along[0] = axis == 0;
        along[1] = axis == 1;
        for (int k = 0, a = axis; k < 3; k++)
            along[k] -= n[k] * n[a] / square;
    }
    double length = sqrt(along[0] * along[0] + along[1] * along[1] + along[2] * along[2]);
    for (int k = 0; k < 3; k++)
        tangent[k] = (float)(along[k] / length);
}

/* Number of earlier results that are searched for an equal one. A vertex with more results may
 * get a few redundant elements, which does no harm. */
#define RESULTS_SEARCHED 64

static uint32_t add_result(facet_fan *fan, const float tangent[4])
{
    uint32_t count = fan->result_count;
    uint32_t first = count > RESULTS_SEARCHED ? count - RESULTS_SEARCHED : 0;
    for (uint32_t i = first; i < count; i++) {
        const float *known = fan->results[i];
        if (known[0] == tangent[0] && known[1] == tangent[1] && known[2] == tangent[2] &&
            known[3] == tangent[3])
            return i;
    }
    memcpy(fan->results[count], tangent, sizeof fan->results[count]);
    return fan->result_count++;
}

static uint32_t add_fallback(facet_fan *fan, uint32_t i, float sign)
{
    float normal[3] = {fan->normal[0][i], fan->normal[1][i], fan->normal[2][i]};
    float tangent[4] = {0, 0, 0, sign};
    facet_tangent_fallback(normal, tangent);
    return add_result(fan, tangent);
}

/* False if the vector is zero or has NaN. */
static bool make_unit(float v[3])
{
    float inverse = 1.0f / sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]), square = 0;
    for (int k = 0; k < 3; k++) {
        v[k] = inverse * v[k];
        square += v[k] * v[k];
    }
    return fabsf(square - 1.0f) < 1e-3f;
}

/* Square of the cosine above which a tangent is not orthogonal to the normal. A sum of vectors
 * in the plane of the normal leaves it if only rounding remains, or if the normal is not a unit
 * vector. */
#define LEANING 2.5e-5f

bool facet_tangent_finish(const float sum[3], const float normal[3], float tangent[3])
{
    memcpy(tangent, sum, 3 * sizeof *tangent);
    bool is_unit = make_unit(tangent);
    float along = 0, square = 0;
    for (int k = 0; k < 3; k++) {
        along += normal[k] * tangent[k];
        square += normal[k] * normal[k];
    }
    if (is_unit && along * along > LEANING * square) {
        for (int k = 0; k < 3; k++)
            tangent[k] -= along / square * normal[k];
        is_unit = make_unit(tangent);
    }
    return is_unit;
}

/* Add the result of corner i from the sum of its group. */
static uint32_t finish(facet_fan *fan, uint32_t i, const float sum[3])
{
    float normal[3] = {fan->normal[0][i], fan->normal[1][i], fan->normal[2][i]};
    float tangent[4] = {0, 0, 0, fan->flags[i] & TRIANGLE_POSITIVE ? 1.0f : -1.0f};
    return facet_tangent_finish(sum, normal, tangent) ? add_result(fan, tangent)
                                                      : add_fallback(fan, i, tangent[3]);
}

/* MikkTSpace cuts groups at an angular threshold of 180 degrees. Each corner sums up its group,
 * except the corners whose direction is exactly or nearly opposite to its direction. That is
 * quadratic, so larger groups are not cut. */
#define LARGEST_CUT 1024

static void cut_group(facet_fan *fan, uint32_t group)
{
    for (uint32_t i = fan->head[group]; i != FACET_NONE; i = fan->follower[i]) {
        float sum[3] = {0, 0, 0};
        bool takes_all = (fan->flags[i] & TRIANGLE_ANY) != 0;
        for (uint32_t k = fan->head[group]; k != FACET_NONE; k = fan->follower[k]) {
            if (fan->flags[k] & TRIANGLE_ANY)
                continue;
            if (!takes_all && i != k &&
                !(dot_of(fan->s, i, k) > -1.0f && dot_of(fan->t, i, k) > -1.0f))
                continue;
            for (int axis = 0; axis < 3; axis++)
                sum[axis] += fan->angle[k] * fan->s[axis][k];
        }
        fan->result[i] = finish(fan, i, sum);
    }
}

/* Resolve the corners without a group. Those without texture space get MikkTSpace's default, +x
 * projected into the plane of the normal. Corners of degenerate triangles copy the first corner
 * here whose triangle is not degenerate. */
static void resolve_rest(facet_fan *fan, uint32_t begin, uint32_t count)
{
    uint32_t end = begin + count, good = begin, rest = FACET_NONE;
    while (good < end && (fan->flags[good] & TRIANGLE_DEGENERATE))
        good++;
    for (uint32_t i = begin; i < end; i++) {
        if (fan->group[i] != FACET_NONE)
            continue;
        if (rest == FACET_NONE)
            rest = add_fallback(fan, i, -1.0f);
        fan->result[i] = rest;
    }
    for (uint32_t i = begin; good < end && i < end; i++) {
        if (fan->flags[i] & TRIANGLE_DEGENERATE)
            fan->result[i] = fan->result[good];
    }
}

/* -- One group ---------------------------------------------------------- */

/* Most corners of a simple vertex. Nearly all vertices are simple: their few corners are of one
 * kind, and form one row or ring. */
#define RING 8

/* A bit for each of eight numbers: set if it equals `number`. */
static inline uint32_t find_equal(const uint32_t numbers[RING], uint32_t number)
{
#if defined(FACET_NUMBERS_SSE2)
    const __m128i *four = (const __m128i *)(const void *)numbers;
    __m128i each = _mm_set1_epi32((int)number);
    __m128i low = _mm_cmpeq_epi32(_mm_loadu_si128(four), each);
    __m128i high = _mm_cmpeq_epi32(_mm_loadu_si128(four + 1), each);
    return (uint32_t)_mm_movemask_ps(_mm_castsi128_ps(low)) |
           (uint32_t)_mm_movemask_ps(_mm_castsi128_ps(high)) << 4;
#else
    uint32_t equal = 0;
    for (uint32_t k = 0; k < RING; k++)
        equal |= (uint32_t)(numbers[k] == number) << k;
    return equal;
#endif
}

static bool is_ring(const facet_fan *fan, uint32_t begin, uint32_t count)
{
    const uint32_t *flags = fan->flags + begin, *next = fan->next + begin;
    const uint32_t *previous = fan->previous + begin; /* other arrays follow it in memory */
    if (count > RING || (flags[0] & PASSIVE))
        return false;
    uint32_t after[RING], reached = 0, all = (1U << count) - 1, wrong = 0;
    for (uint32_t i = 0; i < count; i++) {
        after[i] = find_equal(previous, next[i]) & all; /* corners beyond the edge to the next
                                                           vertex */
        wrong |= (flags[i] ^ flags[0]) | (after[i] & (after[i] - 1)) | (reached & after[i]);
        reached |= after[i];
    }
    if (wrong)
        return false;
    /* Start where the row begins; in a ring, anywhere. */
    size_t at = reached == all ? 0 : facet_lowest_bit(~reached);
    uint32_t seen = 1U << at;
    for (uint32_t i = 1; i < count && after[at]; i++) {
        at = facet_lowest_bit(after[at]);
        seen |= 1U << at;
    }
    return seen == all;
}

/* True if the sum is too long for two opposite directions. Directions have at most unit length,
 * so two opposite ones sum to at most 1. */
bool facet_tangent_turns_agree(const float n[3], const float t[3], uint32_t count)
{
    float along = 0, square = 0, length = 0, least = (float)count - 0.99f;
    for (int k = 0; k < 3; k++) {
        along += n[k] * t[k];
        square += n[k] * n[k];
    }
    for (int k = 0; k < 3; k++)
        length += (t[k] - along * n[k]) * (t[k] - along * n[k]);
    return square < 1.9f && length > least * least;
}

/* Resolve a ring whose directions are all similar; false if they are not. */
static bool resolve_ring(facet_fan *fan, uint32_t begin, uint32_t count)
{
    float sum[3] = {0, 0, 0}, normal[3], turns[3];
    for (int k = 0; k < 3; k++) {
        normal[k] = fan->normal[k][begin];
        turns[k] = fan->turns[k][begin];
    }
    if (!facet_tangent_turns_agree(normal, turns, count))
        return false;
    for (uint32_t i = begin; i < begin + count; i++) {
        if (!(dot_of(fan->s, begin, i) > 0.01f))
            return false;
        for (int k = 0; k < 3; k++)
            sum[k] += fan->angle[i] * fan->s[k][i];
    }
    uint32_t result = finish(fan, begin, sum);
    for (uint32_t i = begin; i < begin + count; i++)
        fan->result[i] = result;
    return true;
}

/* -- All ---------------------------------------------------------------- */

/* Compute the directions of t in the plane of the normal, which few corners need. */
static void measure_t(facet_fan *fan, const facet_tangent_mesh *mesh, uint32_t begin,
                      uint32_t count)
{
    for (uint32_t i = begin; i < begin + count; i++) {
        for (int k = 0; k < 3; k++)
            fan->t[k][i] = mesh->directions[fan->place[i]].t[k];
    }
    facet_fan_flatten(fan, fan->t, begin, count);
}

void facet_fan_resolve(facet_fan *fan, const facet_tangent_mesh *mesh, uint32_t begin,
                       uint32_t count)
{
    fan->result_count = 0;
    if (is_ring(fan, begin, count) && resolve_ring(fan, begin, count))
        return;
    measure_t(fan, mesh, begin, count);
    facet_fan_link(fan, begin, count);
    uint32_t groups = find_groups(fan, begin, count);
    sum_groups(fan, begin, count, groups);
    for (uint32_t group = 0; group < groups; group++) {
        if (fan->suspect[group] && fan->size[group] <= LARGEST_CUT) {
            cut_group(fan, group);
            continue;
        }
        float sum[3] = {fan->sum[0][group], fan->sum[1][group], fan->sum[2][group]};
        uint32_t result = finish(fan, fan->head[group], sum);
        for (uint32_t i = fan->head[group]; i != FACET_NONE; i = fan->follower[i])
            fan->result[i] = result;
    }
    resolve_rest(fan, begin, count);
}
