/* mesh/reduce/candidates.c - the edges that a pass may collapse, sorted by their cost. */
#include "mesh/reduce/candidates.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/threads.h"
#include "mesh/reduce/costs.h"

#include <string.h>

/* Number of triangles per task. */
#define TRIANGLES_PER_TASK 8192

/* Parameters of the radix sort, lowest digit first. */
enum { DIGIT_BITS = 11, ROUNDS = 3 };

bool facet_reduce_allocate_candidates(facet_reduce_candidates *c, const facet_reducer *r)
{
    size_t corners = (size_t)r->triangle_count * 3;
    size_t tasks = (size_t)r->triangle_count / TRIANGLES_PER_TASK + 1;
    c->r = r;
    c->items = facet_arena_allocate(r->arena, corners, sizeof *c->items);
    c->found = facet_arena_allocate(r->arena, tasks, sizeof *c->found);
    c->first = facet_arena_allocate(r->arena, tasks, sizeof *c->first);
    c->order = facet_arena_allocate(r->arena, corners, sizeof *c->order);
    c->spare = facet_arena_allocate(r->arena, corners, sizeof *c->spare);
    c->counts = facet_arena_allocate(r->arena, ROUNDS, sizeof *c->counts);
    return c->items && c->found && c->first && c->order && c->spare && c->counts;
}

/* -- Costs -------------------------------------------------------------- */

/* True if the open edge of a wedge leads to another wedge, in either direction. */
static bool runs_along(const facet_reducer *r, uint32_t wedge, uint32_t to)
{
    return r->next[wedge] == to || r->previous[wedge] == to;
}

uint32_t facet_reduce_partner(const facet_reducer *r, uint32_t wedge, uint32_t place)
{
    if (r->next[wedge] != FACET_NONE && r->places[r->next[wedge]] == place)
        return r->next[wedge];
    if (r->previous[wedge] != FACET_NONE && r->places[r->previous[wedge]] == place)
        return r->previous[wedge];
    return FACET_NONE;
}

static bool can_move(const facet_reducer *r, uint32_t wedge, uint32_t to)
{
    uint32_t kind = r->kinds[r->places[wedge]], kind_there = r->kinds[r->places[to]];
    if (kind == FACET_REDUCE_INSIDE)
        return true;
    if (kind == FACET_REDUCE_LOCKED || !runs_along(r, wedge, to))
        return false;
    if (kind == FACET_REDUCE_BORDER)
        return kind_there == FACET_REDUCE_BORDER || kind_there == FACET_REDUCE_LOCKED;
    return (kind_there == FACET_REDUCE_SEAM || kind_there == FACET_REDUCE_LOCKED) &&
           facet_reduce_partner(r, r->siblings[wedge], r->places[to]) != FACET_NONE;
}

static FACET_ALWAYS_INLINE facet_reduce_candidate rate(const facet_reducer *r, uint32_t wedge,
                                                       uint32_t to, const facet_reduce_way *way)
{
    uint32_t place = r->places[wedge], place_there = r->places[to];
    float surface = facet_reduce_surface_error(r, place, way);
    float error = surface + facet_reduce_attribute_error(r, wedge, to, way);
    if (r->kinds[place] == FACET_REDUCE_SEAM) {
        uint32_t other = r->siblings[wedge];
        error += facet_reduce_attribute_error(r, other, facet_reduce_partner(r, other, place_there),
                                              way);
    }
    return (facet_reduce_candidate){wedge, to, error, surface};
}

/* Choose the cheaper direction to collapse an edge; false if neither is possible. */
static bool choose(const facet_reduce_candidates *c, uint32_t a, uint32_t b,
                   facet_reduce_candidate *chosen)
{
    const facet_reducer *r = c->r;
    bool forth = can_move(r, a, b), back = can_move(r, b, a);
    if (!forth && !back)
        return false;
    facet_reduce_candidate there = {0}, here = {0};
    facet_reduce_way way = facet_reduce_way_between(r, r->places[a], r->places[b]);
    if (forth)
        there = rate(r, a, b, &way);
    way = facet_reduce_way_back(way);
    if (back)
        here = rate(r, b, a, &way);
    forth &= (double)there.surface <= c->limit;
    back &= (double)here.surface <= c->limit;
    *chosen = forth && (!back || there.error <= here.error) ? there : here;
    return forth || back;
}

/* Most edges occur twice, once from each side. True for the occurrence that is used. */
static bool counts(const facet_reducer *r, uint32_t a, uint32_t b)
{
    uint32_t place_a = r->places[a], place_b = r->places[b];
    return place_a < place_b || (r->next[a] == b && (r->kinds[place_a] == FACET_REDUCE_BORDER ||
                                                     r->kinds[place_b] == FACET_REDUCE_BORDER));
}

/* End of the corners of a task's triangles. */
static size_t end_of(const facet_reduce_candidates *c, size_t task)
{
    size_t end = (task + 1) * TRIANGLES_PER_TASK, count = c->r->triangle_count;
    return 3 * (end < count ? end : count);
}

static void count_some(void *argument, size_t task)
{
    facet_reduce_candidates *c = argument;
    const facet_reducer *r = c->r;
    uint32_t count = 0;
    for (size_t i = task * TRIANGLES_PER_TASK * 3; i < end_of(c, task); i++)
        count += counts(r, r->triangles[i], r->triangles[i % 3 == 2 ? i - 2 : i + 1]);
    c->found[task] = count;
}

static void find_some(void *argument, size_t task)
{
    facet_reduce_candidates *c = argument;
    const facet_reducer *r = c->r;
    facet_reduce_candidate *begin = c->items + c->first[task], *to = begin;
    for (size_t i = task * TRIANGLES_PER_TASK * 3; i < end_of(c, task); i++) {
        uint32_t a = r->triangles[i], b = r->triangles[i % 3 == 2 ? i - 2 : i + 1];
        if (counts(r, a, b))
            to += choose(c, a, b, to);
    }
    c->found[task] = (uint32_t)(to - begin);
}

facet_status facet_reduce_find(facet_reduce_candidates *c, double done,
                               const facet_options *options, facet_error *error)
{
    size_t tasks = ((size_t)c->r->triangle_count + TRIANGLES_PER_TASK - 1) / TRIANGLES_PER_TASK;
    const double range[2] = {done, done};
    facet_run(options, count_some, c, tasks);
    for (size_t task = 0, sum = 0; task < tasks; task++) {
        c->first[task] = sum;
        sum += c->found[task];
    }
    facet_status status = facet_run_steps(options, find_some, c, tasks, "reduce", range, error);
    c->count = 0;
    for (size_t task = 0; task < tasks && !status; task++) {
        memmove(c->items + c->count, c->items + c->first[task], c->found[task] * sizeof *c->items);
        c->count += c->found[task];
    }
    return status;
}

/* -- Order -------------------------------------------------------------- */

/* The bits of an error, which is not negative: they are ordered like the errors. */
static uint32_t bits_of(float error)
{
    uint32_t bits;
    memcpy(&bits, &error, sizeof bits);
    return bits;
}

/* The highest digit of a candidate that a pass may use: it ends at 1.5 times the error of the
 * candidate at `enough`, or later if many are refused. Four digits are a factor of 2. */
static uint32_t last_digit(const facet_reduce_candidates *c, uint32_t enough)
{
    enum { MORE = 4 };
    uint32_t *counts = c->counts[ROUNDS - 1], digit = 0, below = 0;
    memset(counts, 0, sizeof *c->counts);
    for (uint32_t i = 0; i < c->count; i++)
        counts[bits_of(c->items[i].error) >> (ROUNDS - 1) * DIGIT_BITS]++;
    while (digit < FACET_REDUCE_DIGITS - 1 && (below += counts[digit]) <= enough)
        digit++;
    return digit + MORE;
}

void facet_reduce_sort(facet_reduce_candidates *c, uint32_t enough)
{
    uint32_t(*counts)[FACET_REDUCE_DIGITS] = c->counts, kept = 0;
    uint32_t last = c->all_sorted ? FACET_REDUCE_DIGITS : last_digit(c, enough);
    memset(counts, 0, ROUNDS * sizeof *counts);
    for (uint32_t i = 0; i < c->count; i++) {
        uint32_t bits = bits_of(c->items[i].error);
        if (bits >> (ROUNDS - 1) * DIGIT_BITS > last)
            continue;
        c->order[kept++] = (facet_reduce_rank)bits << 32 | i;
        for (unsigned round = 0; round < ROUNDS; round++)
            counts[round][bits >> round * DIGIT_BITS & (FACET_REDUCE_DIGITS - 1)]++;
    }
    c->all_sorted = kept == c->count;
    c->count = kept;
    for (unsigned round = 0; round < ROUNDS; round++) {
        unsigned shift = 32 + round * DIGIT_BITS;
        for (uint32_t i = 0, sum = 0; i < FACET_REDUCE_DIGITS; i++) {
            uint32_t count = counts[round][i];
            counts[round][i] = sum;
            sum += count;
        }
        for (uint32_t i = 0; i < c->count; i++)
            c->spare[counts[round][c->order[i] >> shift & (FACET_REDUCE_DIGITS - 1)]++] =
                c->order[i];
        facet_reduce_rank *sorted = c->spare;
        c->spare = c->order;
        c->order = sorted;
    }
}
