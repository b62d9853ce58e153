/* mesh/reduce/collapse.c - passes over the mesh, each of which collapses the cheapest
 * edges that do not touch one another.
 *
 * A pass is linear, and their number is bounded: places around which there are very
 * many triangles stay, since looking at them once for each neighbor is quadratic. */
#include "mesh/reduce/reduce.h"

#include "base/arena.h"
#include "base/error.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define MOST_PASSES 200
#define MOST_TRIANGLES_AROUND 128
/* The cosine by how much a triangle may turn at once. */
#define MOST_TURN 0.25

typedef struct candidate {
    uint32_t from, to; /* wedges */
    float error, surface;
} candidate;

typedef struct collapser {
    facet_reducer *r;
    candidate *candidates;
    uint32_t candidate_count;
    uint32_t *order, *spare; /* of candidates */
    uint32_t *starts;        /* per place: its first in `around`; one more at the end */
    uint32_t *around;        /* triangles */
    uint32_t *moved;         /* per place: where it is now */
    uint32_t *moved_wedges;  /* per wedge */
    uint32_t *marks;         /* per place: the question that last met it */
    uint32_t questions;
    uint8_t *touched; /* per place: has a part in a collapse of this pass */
    uint8_t *used;    /* per vertex of the mesh */
    double limit, worst;
    uint32_t at_first, wanted; /* triangles, and how many are to go */
    double told;               /* the last fraction */
} collapser;

/* Candidates that are looked at between two calls of the progress callback. */
#define AT_ONCE 32768

/* How much of what is to go is gone; what a pass takes away is known for sure when it is over. */
static facet_status tell(collapser *c, uint32_t gone, const facet_options *options,
                         facet_error *error)
{
    double all_gone = (double)c->at_first - c->r->triangle_count + gone;
    double share = c->wanted > 0 ? fmin(all_gone / c->wanted, 1) : 0;
    c->told = fmax(c->told, share);
    return facet_step(
        options, "reduce",
        FACET_REDUCE_MEASURED + (FACET_REDUCE_COLLAPSED - FACET_REDUCE_MEASURED) * c->told, error);
}

/* -- Candidates --------------------------------------------------------- */

/* Does the open edge of a wedge lead to another one, either way? */
static bool runs_along(const facet_reducer *r, uint32_t wedge, uint32_t to)
{
    return r->next[wedge] == to || r->previous[wedge] == to;
}

/* The wedge at `place` that the other one of a seam's wedges moves to. */
static uint32_t partner(const facet_reducer *r, uint32_t wedge, uint32_t place)
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
           partner(r, r->siblings[wedge], r->places[to]) != FACET_NONE;
}

static candidate rate(const facet_reducer *r, uint32_t wedge, uint32_t to)
{
    uint32_t place = r->places[wedge], place_there = r->places[to];
    double surface = facet_reduce_surface_error(r, place, place_there);
    double error = surface + facet_reduce_attribute_error(r, wedge, to);
    if (r->kinds[place] == FACET_REDUCE_SEAM) {
        uint32_t other = r->siblings[wedge];
        error += facet_reduce_attribute_error(r, other, partner(r, other, place_there));
    }
    return (candidate){wedge, to, (float)error, (float)surface};
}

/* The cheaper way to collapse an edge; false when there is none. */
static bool choose(const collapser *c, uint32_t a, uint32_t b, candidate *chosen)
{
    const facet_reducer *r = c->r;
    bool forth = can_move(r, a, b), back = can_move(r, b, a);
    if (!forth && !back)
        return false;
    candidate there = {0}, here = {0};
    if (forth)
        there = rate(r, a, b);
    if (back)
        here = rate(r, b, a);
    forth &= (double)there.surface <= c->limit;
    back &= (double)here.surface <= c->limit;
    *chosen = forth && (!back || there.error <= here.error) ? there : here;
    return forth || back;
}

static facet_status find_candidates(collapser *c, const facet_options *options, facet_error *error)
{
    const facet_reducer *r = c->r;
    facet_status status = FACET_OK;
    c->candidate_count = 0;
    for (size_t i = 0; i < (size_t)r->triangle_count * 3 && !status; i++) {
        if (i % AT_ONCE == 0)
            status = tell(c, 0, options, error);
        uint32_t a = r->triangles[i], b = r->triangles[i % 3 == 2 ? i - 2 : i + 1];
        uint32_t place_a = r->places[a], place_b = r->places[b];
        /* Most edges are met twice, from either side. */
        bool once = r->next[a] == b && (r->kinds[place_a] == FACET_REDUCE_BORDER ||
                                        r->kinds[place_b] == FACET_REDUCE_BORDER);
        if (place_a > place_b && !once)
            continue;
        if (choose(c, a, b, &c->candidates[c->candidate_count]))
            c->candidate_count++;
    }
    return status;
}

/* -- Order -------------------------------------------------------------- */

/* By error, equal ones as they come: errors are not negative, so their bits ascend as
 * they do. */
static void sort_candidates(collapser *c)
{
    enum { DIGITS = 2048, DIGIT_BITS = 11 };
    uint32_t counts[DIGITS];
    for (uint32_t i = 0; i < c->candidate_count; i++)
        c->order[i] = i;
    for (unsigned shift = 0; shift < 33; shift += DIGIT_BITS) {
        memset(counts, 0, sizeof counts);
        for (uint32_t i = 0; i < c->candidate_count; i++) {
            uint32_t bits;
            memcpy(&bits, &c->candidates[i].error, sizeof bits);
            counts[bits >> shift & (DIGITS - 1)]++;
        }
        for (uint32_t i = 0, sum = 0; i < DIGITS; i++) {
            uint32_t count = counts[i];
            counts[i] = sum;
            sum += count;
        }
        for (uint32_t i = 0; i < c->candidate_count; i++) {
            uint32_t bits;
            memcpy(&bits, &c->candidates[c->order[i]].error, sizeof bits);
            c->spare[counts[bits >> shift & (DIGITS - 1)]++] = c->order[i];
        }
        uint32_t *sorted = c->spare;
        c->spare = c->order;
        c->order = sorted;
    }
}

/* -- Neighborhoods ------------------------------------------------------ */

static void find_neighborhoods(collapser *c)
{
    const facet_reducer *r = c->r;
    if (c->questions > UINT32_MAX / 2) {
        memset(c->marks, 0, r->place_count * sizeof *c->marks);
        c->questions = 0;
    }
    size_t corners = (size_t)r->triangle_count * 3;
    memset(c->starts, 0, ((size_t)r->place_count + 1) * sizeof *c->starts);
    for (size_t i = 0; i < corners; i++)
        c->starts[r->places[r->triangles[i]]]++;
    for (uint32_t place = 0, sum = 0; place <= r->place_count; place++) {
        uint32_t count = c->starts[place];
        sum += count;
        c->starts[place] = sum;
    }
    for (size_t i = corners; i-- > 0;)
        c->around[--c->starts[r->places[r->triangles[i]]]] = (uint32_t)(i / 3);
}

/* Where the corners of a triangle are now. */
static void places_of(const collapser *c, uint32_t triangle, uint32_t places[3])
{
    for (size_t k = 0; k < 3; k++)
        places[k] = c->moved[c->r->places[c->r->triangles[(size_t)triangle * 3 + k]]];
}

static void normal_of(const facet_reducer *r, const uint32_t places[3], double normal[3])
{
    const float *p = r->points[places[0]], *q = r->points[places[1]], *s = r->points[places[2]];
    double a[3], b[3];
    for (int k = 0; k < 3; k++) {
        a[k] = (double)q[k] - (double)p[k];
        b[k] = (double)s[k] - (double)p[k];
    }
    normal[0] = a[1] * b[2] - a[2] * b[1];
    normal[1] = a[2] * b[0] - a[0] * b[2];
    normal[2] = a[0] * b[1] - a[1] * b[0];
}

/* Would a triangle around `place` turn over when it goes to `to`? */
static bool turns(const collapser *c, uint32_t place, uint32_t to)
{
    for (uint32_t i = c->starts[place]; i < c->starts[place + 1]; i++) {
        uint32_t places[3];
        double before[3], after[3];
        places_of(c, c->around[i], places);
        if (places[0] == places[1] || places[1] == places[2] || places[2] == places[0] ||
            places[0] == to || places[1] == to || places[2] == to)
            continue;
        normal_of(c->r, places, before);
        for (int k = 0; k < 3; k++)
            places[k] = places[k] == place ? to : places[k];
        normal_of(c->r, places, after);
        double along = 0, squares[2] = {0};
        for (int k = 0; k < 3; k++) {
            along += before[k] * after[k];
            squares[0] += before[k] * before[k];
            squares[1] += after[k] * after[k];
        }
        if (along <= MOST_TURN * sqrt(squares[0] * squares[1]))
            return true;
    }
    return false;
}

/* Places that neighbor both ends are those across the triangles of the edge, and no
 * others: else the surface would touch itself. */
static bool pinches(collapser *c, uint32_t place, uint32_t to)
{
    uint32_t common = 0, shared = 0, there = ++c->questions, here = ++c->questions;
    if (c->starts[to + 1] - c->starts[to] > MOST_TRIANGLES_AROUND)
        return false;
    for (uint32_t i = c->starts[to]; i < c->starts[to + 1]; i++) {
        uint32_t places[3];
        places_of(c, c->around[i], places);
        for (int k = 0; k < 3; k++)
            c->marks[places[k]] = there;
    }
    for (uint32_t i = c->starts[place]; i < c->starts[place + 1]; i++) {
        uint32_t places[3];
        places_of(c, c->around[i], places);
        if (places[0] == places[1] || places[1] == places[2] || places[2] == places[0])
            continue;
        shared += places[0] == to || places[1] == to || places[2] == to;
        for (int k = 0; k < 3; k++) {
            if (places[k] == place || places[k] == to || c->marks[places[k]] != there)
                continue;
            c->marks[places[k]] = here;
            common++;
        }
    }
    return common > shared;
}

/* -- A pass ------------------------------------------------------------- */

static void collapse(collapser *c, const candidate *chosen)
{
    facet_reducer *r = c->r;
    uint32_t place = r->places[chosen->from], to = r->places[chosen->to];
    c->moved[place] = to;
    c->touched[place] = c->touched[to] = 1;
    c->moved_wedges[chosen->from] = chosen->to;
    facet_reduce_add_place(r, place, to);
    facet_reduce_add_wedge(r, chosen->from, chosen->to);
    if (r->kinds[place] == FACET_REDUCE_SEAM) {
        uint32_t other = r->siblings[chosen->from], target = partner(r, other, to);
        c->moved_wedges[other] = target;
        facet_reduce_add_wedge(r, other, target);
    }
    c->worst = fmax(c->worst, (double)chosen->surface);
}

/* What a collapse takes away of triangles, or of vertices. */
static uint32_t gain(const facet_reducer *r, const candidate *chosen, bool of_vertices)
{
    uint32_t kind = r->kinds[r->places[chosen->from]];
    if (of_vertices)
        return kind == FACET_REDUCE_SEAM ? 2 : 1;
    return kind == FACET_REDUCE_BORDER ? 1 : 2;
}

/* Collapse candidates in order, until about `goal` triangles, or vertices, are gone;
 * *made is how many were. */
static facet_status collapse_cheapest(collapser *c, uint32_t goal, bool of_vertices,
                                      const facet_options *options, uint32_t *made,
                                      facet_error *error)
{
    facet_reducer *r = c->r;
    uint32_t gone = 0, enough = of_vertices ? goal : goal / 2;
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < c->candidate_count && gone < goal && !status; i++) {
        if (i % AT_ONCE == 0 && (status = tell(c, of_vertices ? 0 : gone, options, error)))
            break;
        const candidate *chosen = &c->candidates[c->order[i]];
        uint32_t place = r->places[chosen->from], to = r->places[chosen->to];
        /* The next pass may have cheaper ones. */
        if (enough < c->candidate_count && gone > goal / 6 &&
            chosen->error > 1.5F * c->candidates[c->order[enough]].error)
            break;
        if (c->touched[place] || c->touched[to] ||
            c->starts[place + 1] - c->starts[place] > MOST_TRIANGLES_AROUND)
            continue;
        if (turns(c, place, to) || pinches(c, place, to)) {
            enough++;
            continue;
        }
        gone += gain(r, chosen, of_vertices);
        collapse(c, chosen);
        ++*made;
    }
    return status;
}

/* An open edge that is collapsed leaves the one behind it. */
static void follow_edges(const collapser *c, uint32_t *ends)
{
    for (uint32_t w = 0; w < c->r->wedge_count; w++) {
        uint32_t end = ends[w];
        if (end == FACET_NONE || end == w)
            continue;
        uint32_t there = c->moved_wedges[end];
        ends[w] = there != w ? there : ends[end] != FACET_NONE ? c->moved_wedges[ends[end]] : w;
    }
}

static void rewrite(collapser *c)
{
    facet_reducer *r = c->r;
    uint32_t kept = 0;
    follow_edges(c, r->next);
    follow_edges(c, r->previous);
    for (uint32_t i = 0; i < r->triangle_count; i++) {
        uint32_t t[3], places[3];
        for (size_t k = 0; k < 3; k++) {
            t[k] = c->moved_wedges[r->triangles[(size_t)i * 3 + k]];
            places[k] = r->places[t[k]];
        }
        if (places[0] == places[1] || places[1] == places[2] || places[2] == places[0])
            continue;
        memcpy(r->triangles + (size_t)kept * 3, t, sizeof t);
        r->faces[kept++] = r->faces[i];
    }
    r->triangle_count = kept;
    for (uint32_t w = 0; w < r->wedge_count; w++)
        c->moved_wedges[w] = w;
    for (uint32_t place = 0; place < r->place_count; place++)
        c->moved[place] = place;
    memset(c->touched, 0, r->place_count);
}

/* Vertices of the mesh that triangles still use. */
static uint32_t count_vertices(const collapser *c)
{
    const facet_reducer *r = c->r;
    uint32_t count = 0;
    memset(c->used, 0, r->vertex_count);
    for (size_t i = 0; i < (size_t)r->triangle_count * 3; i++) {
        uint8_t *used = &c->used[r->vertices[r->triangles[i]]];
        count += *used == 0;
        *used = 1;
    }
    return count;
}

static bool allocate(collapser *c)
{
    facet_reducer *r = c->r;
    facet_arena *arena = r->arena;
    size_t corners = (size_t)r->triangle_count * 3;
    c->candidates = facet_arena_allocate(arena, corners, sizeof *c->candidates);
    c->order = facet_arena_allocate(arena, corners, sizeof *c->order);
    c->spare = facet_arena_allocate(arena, corners, sizeof *c->spare);
    c->around = facet_arena_allocate(arena, corners, sizeof *c->around);
    c->starts = facet_arena_allocate(arena, (size_t)r->place_count + 1, sizeof *c->starts);
    c->moved = facet_arena_allocate(arena, r->place_count, sizeof *c->moved);
    c->moved_wedges = facet_arena_allocate(arena, r->wedge_count, sizeof *c->moved_wedges);
    c->marks = facet_arena_allocate_zeroed(arena, r->place_count, sizeof *c->marks);
    c->touched = facet_arena_allocate_zeroed(arena, r->place_count, sizeof *c->touched);
    c->used = facet_arena_allocate(arena, r->vertex_count, sizeof *c->used);
    return c->candidates && c->order && c->spare && c->around && c->starts && c->moved &&
           c->moved_wedges && c->marks && c->touched && c->used;
}

facet_status facet_reduce_collapse(facet_reducer *r, uint32_t triangles, uint32_t vertices,
                                   double limit, const facet_options *options, double *worst,
                                   facet_error *error)
{
    collapser c = {.r = r, .limit = limit};
    facet_status status = FACET_OK;
    if (!allocate(&c))
        return facet_fail_memory(error, (size_t)r->triangle_count * 3 * sizeof *c.candidates);
    for (uint32_t w = 0; w < r->wedge_count; w++)
        c.moved_wedges[w] = w;
    for (uint32_t place = 0; place < r->place_count; place++)
        c.moved[place] = place;
    c.at_first = r->triangle_count;
    c.wanted = c.at_first > triangles ? c.at_first - triangles : 0;
    for (int pass = 0; pass < MOST_PASSES && !status; pass++) {
        uint32_t used = count_vertices(&c), goal = 0;
        bool of_vertices = r->triangle_count <= triangles;
        if (!of_vertices)
            goal = r->triangle_count - triangles;
        else if (used > vertices)
            goal = used - vertices;
        else
            break;
        uint32_t made = 0;
        find_neighborhoods(&c);
        if ((status = tell(&c, 0, options, error)) ||
            (status = find_candidates(&c, options, error)))
            break;
        sort_candidates(&c);
        if ((status = tell(&c, 0, options, error)))
            break;
        status = collapse_cheapest(&c, goal, of_vertices, options, &made, error);
        if (made == 0)
            break;
        if (!status)
            status = tell(&c, 0, options, error);
        rewrite(&c);
        if (!status)
            status = tell(&c, 0, options, error);
    }
    *worst = c.worst;
    return status;
}
