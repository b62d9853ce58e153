/* mesh/reduce/collapse.c - passes that collapse the cheapest edges that do not touch one
 * another.
 *
 * A pass is linear, and the number of passes is limited. Places with very many triangles around
 * them are not collapsed: testing these triangles once for each neighbor would be quadratic. */
#include "mesh/reduce/candidates.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/prefetch.h"

#include <math.h>
#include <string.h>

#define MAX_PASSES 200
#define MAX_TRIANGLES_AROUND 128
/* Cosine of the largest angle by which one collapse may turn a triangle. */
#define MAX_TURN 0.25

/* The other two corners of a triangle around a place. */
typedef struct opposite {
    uint32_t next, previous; /* places; in winding order, `next` follows the place */
} opposite;

/* Data of a place that collapsing edges needs, in one block of memory. */
typedef struct spot {
    float point[3];
    uint32_t start; /* its first entry in `around`; an additional spot marks the end */
    uint32_t moved; /* current place, after collapses */
    uint32_t mark;  /* last mark that a neighborhood test put on it */
} spot;

typedef struct collapser {
    facet_reducer *r;
    facet_reduce_candidates candidates;
    spot *spots; /* per place */
    opposite *around;
    uint32_t *moved_wedges;    /* per wedge */
    uint32_t questions;        /* number of marks used in this pass */
    uint8_t *touched;          /* per place: takes part in a collapse of this pass */
    uint8_t *used;             /* per vertex of the mesh */
    uint32_t *numbers;         /* per wedge and place */
    double worst;              /* largest accepted error of the surface */
    uint32_t at_first, wanted; /* triangles at first, and number to remove */
    double told;               /* last fraction reported */
} collapser;

/* Number of candidates that are processed between two calls of the progress callback. */
#define AT_ONCE 32768

static double fraction(const collapser *c)
{
    return FACET_REDUCE_MEASURED + (FACET_REDUCE_COLLAPSED - FACET_REDUCE_MEASURED) * c->told;
}

/* Report the removed share of the triangles to remove. Within a pass `gone` is an estimate; the
 * exact number is known after it. */
static facet_status tell(collapser *c, uint32_t gone, const facet_options *options,
                         facet_error *error)
{
    double all_gone = (double)c->at_first - c->r->triangle_count + gone;
    double share = c->wanted > 0 ? fmin(all_gone / c->wanted, 1) : 0;
    c->told = fmax(c->told, share);
    return facet_step(options, "reduce", fraction(c), error);
}

/* -- Neighborhoods ------------------------------------------------------ */

static void find_neighborhoods(collapser *c)
{
    const facet_reducer *r = c->r;
    size_t corners = (size_t)r->triangle_count * 3;
    for (uint32_t place = 0; place < r->place_count; place++) {
        const float *p = r->points[place];
        c->spots[place] = (spot){{p[0], p[1], p[2]}, 0, place, 0};
    }
    c->spots[r->place_count].start = 0;
    memset(c->touched, 0, r->place_count);
    c->questions = 0;
    for (size_t i = 0; i < corners; i++)
        c->spots[r->places[r->triangles[i]]].start++;
    for (uint32_t place = 0, sum = 0; place <= r->place_count; place++) {
        uint32_t count = c->spots[place].start;
        sum += count;
        c->spots[place].start = sum;
    }
    for (uint32_t triangle = r->triangle_count; triangle-- > 0;) {
        uint32_t p[3];
        for (size_t k = 0; k < 3; k++)
            p[k] = r->places[r->triangles[(size_t)triangle * 3 + k]];
        c->around[--c->spots[p[2]].start] = (opposite){p[0], p[1]};
        c->around[--c->spots[p[1]].start] = (opposite){p[2], p[0]};
        c->around[--c->spots[p[0]].start] = (opposite){p[1], p[2]};
    }
}

/* The current places of the corners opposite of a place. */
static opposite now(const collapser *c, uint32_t i)
{
    const opposite *o = &c->around[i];
    return (opposite){c->spots[o->next].moved, c->spots[o->previous].moved};
}

/* Compute the normal of the triangle of `place` and two other places. */
static void normal_of(const collapser *c, uint32_t place, opposite o, double normal[3])
{
    const float *p = c->spots[place].point, *q = c->spots[o.next].point;
    const float *s = c->spots[o.previous].point;
    double a[3], b[3];
    for (int k = 0; k < 3; k++) {
        a[k] = (double)q[k] - (double)p[k];
        b[k] = (double)s[k] - (double)p[k];
    }
    normal[0] = a[1] * b[2] - a[2] * b[1];
    normal[1] = a[2] * b[0] - a[0] * b[2];
    normal[2] = a[0] * b[1] - a[1] * b[0];
}

/* True if a triangle around `place` would flip when the place moves to `to`. Neither has moved. */
static bool turns(const collapser *c, uint32_t place, uint32_t to)
{
    for (uint32_t i = c->spots[place].start; i < c->spots[place + 1].start; i++) {
        opposite o = now(c, i);
        double before[3], after[3];
        if (o.next == o.previous || o.next == to || o.previous == to)
            continue;
        normal_of(c, place, o, before);
        normal_of(c, to, o, after);
        double along = 0, squares[2] = {0};
        for (int k = 0; k < 3; k++) {
            along += before[k] * after[k];
            squares[0] += before[k] * before[k];
            squares[1] += after[k] * after[k];
        }
        if (along <= MAX_TURN * sqrt(squares[0] * squares[1]))
            return true;
    }
    return false;
}

/* Nonzero if a place has the mark `there`; sets its mark to `here`. */
static uint32_t meets(collapser *c, uint32_t place, uint32_t there, uint32_t here)
{
    bool met = c->spots[place].mark == there;
    c->spots[place].mark = here;
    return met;
}

/* True if a collapse would make the surface touch itself. Only places across the triangles of
 * the edge may be neighbors of both its ends. */
static bool pinches(collapser *c, uint32_t place, uint32_t to)
{
    uint32_t common = 0, shared = 0, there = ++c->questions, here = ++c->questions;
    if (c->spots[to + 1].start - c->spots[to].start > MAX_TRIANGLES_AROUND)
        return false;
    for (uint32_t i = c->spots[to].start; i < c->spots[to + 1].start; i++) {
        opposite o = now(c, i);
        c->spots[o.next].mark = c->spots[o.previous].mark = there;
    }
    for (uint32_t i = c->spots[place].start; i < c->spots[place + 1].start; i++) {
        opposite o = now(c, i);
        if (o.next == o.previous)
            continue;
        shared += o.next == to || o.previous == to;
        common += meets(c, o.next, there, here) + meets(c, o.previous, there, here);
    }
    return common > shared;
}

/* -- A pass ------------------------------------------------------------- */

static void collapse(collapser *c, const facet_reduce_candidate *chosen)
{
    facet_reducer *r = c->r;
    uint32_t place = r->places[chosen->from], to = r->places[chosen->to];
    c->spots[place].moved = to;
    c->touched[place] = c->touched[to] = 1;
    c->moved_wedges[chosen->from] = chosen->to;
    facet_reduce_add_position(r, place, to);
    facet_reduce_add_wedge(r, chosen->from, chosen->to);
    if (r->kinds[place] == FACET_REDUCE_SEAM) {
        uint32_t other = r->siblings[chosen->from], target = facet_reduce_partner(r, other, to);
        c->moved_wedges[other] = target;
        facet_reduce_add_wedge(r, other, target);
    }
    c->worst = (double)chosen->surface > c->worst ? (double)chosen->surface : c->worst;
}

/* Number of triangles, or vertices, that a collapse removes. */
static uint32_t gain(const facet_reducer *r, const facet_reduce_candidate *chosen, bool of_vertices)
{
    uint32_t kind = r->kinds[r->places[chosen->from]];
    if (of_vertices)
        return kind == FACET_REDUCE_SEAM ? 2 : 1;
    return kind == FACET_REDUCE_BORDER ? 1 : 2;
}

static FACET_ALWAYS_INLINE void fetch(const void *address, size_t size)
{
    enum { LINE = 64 };
    for (size_t i = 0; i < size; i += LINE)
        facet_prefetch((const char *)address + i);
}

static FACET_ALWAYS_INLINE void fetch_neighbors(const collapser *c, uint32_t place)
{
    enum { MAX = 8 };
    uint32_t begin = c->spots[place].start, end = c->spots[place + 1].start;
    for (uint32_t i = begin; i < end && i < begin + MAX; i++)
        facet_prefetch(&c->spots[c->around[i].next]);
}

/* Sorted candidates, and the data that they refer to, are scattered in memory. Prefetch each
 * step of that path some candidates ahead. */
static FACET_ALWAYS_INLINE void fetch_ahead(const collapser *c, uint32_t at)
{
    enum { STEP = 16 };
    const facet_reducer *r = c->r;
    uint32_t left = c->candidates.count - at;
    if (left <= 4 * STEP)
        return;
    facet_prefetch(facet_reduce_ranked(&c->candidates, at + 4 * STEP));
    const facet_reduce_candidate *later = facet_reduce_ranked(&c->candidates, at + 3 * STEP);
    facet_prefetch(&r->places[later->from]);
    facet_prefetch(&r->places[later->to]);
    later = facet_reduce_ranked(&c->candidates, at + 2 * STEP);
    uint32_t ends[2] = {r->places[later->from], r->places[later->to]};
    for (int end = 0; end < 2; end++) {
        facet_prefetch(&c->touched[ends[end]]);
        facet_prefetch(&c->spots[ends[end]]);
        facet_prefetch(&c->spots[ends[end] + 1]);
    }
    later = facet_reduce_ranked(&c->candidates, at + STEP);
    facet_prefetch(&c->around[c->spots[r->places[later->from]].start]);
    facet_prefetch(&c->around[c->spots[r->places[later->to]].start]);
    later = facet_reduce_ranked(&c->candidates, at + STEP / 2);
    uint32_t place = r->places[later->from], to = r->places[later->to];
    if (c->touched[place] || c->touched[to])
        return;
    facet_prefetch(&r->kinds[place]);
    fetch_neighbors(c, place);
    fetch_neighbors(c, to);
    fetch(&r->surfaces[place], sizeof *r->surfaces);
    fetch(&r->surfaces[to], sizeof *r->surfaces);
    fetch(&r->behaviors[later->from], sizeof *r->behaviors);
    fetch(&r->behaviors[later->to], sizeof *r->behaviors);
    size_t attributes = r->attribute_count;
    fetch(&r->points[place], sizeof *r->points);
    fetch(&r->points[to], sizeof *r->points);
    fetch(r->attributes + later->from * attributes, attributes * sizeof *r->attributes);
    fetch(r->attributes + later->to * attributes, attributes * sizeof *r->attributes);
    fetch(r->gradients + later->from * attributes, attributes * sizeof *r->gradients);
    fetch(r->gradients + later->to * attributes, attributes * sizeof *r->gradients);
}

/* The least number of collapses that removes `goal` triangles, or vertices. */
static uint32_t enough_for(uint32_t goal, bool of_vertices)
{
    return of_vertices ? goal : goal / 2;
}

/* Collapse candidates in order, until about `goal` triangles, or vertices, are removed. *made
 * grows by the number of collapses. */
static facet_status collapse_cheapest(collapser *c, uint32_t goal, bool of_vertices,
                                      const facet_options *options, uint32_t *made,
                                      facet_error *error)
{
    facet_reducer *r = c->r;
    uint32_t gone = 0, enough = enough_for(goal, of_vertices);
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < c->candidates.count && gone < goal && !status; i++) {
        if (i % AT_ONCE == 0 && (status = tell(c, of_vertices ? 0 : gone, options, error)))
            break;
        fetch_ahead(c, i);
        const facet_reduce_candidate *chosen = facet_reduce_ranked(&c->candidates, i);
        uint32_t place = r->places[chosen->from], to = r->places[chosen->to];
        /* The next pass may have cheaper candidates. */
        if (enough < c->candidates.count && gone > goal / 6 &&
            facet_reduce_ranked_error(&c->candidates, i) >
                1.5F * facet_reduce_ranked_error(&c->candidates, enough))
            break;
        if (c->touched[place] || c->touched[to] ||
            c->spots[place + 1].start - c->spots[place].start > MAX_TRIANGLES_AROUND)
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

/* If an open edge was collapsed, link to the end of the next edge. */
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
}

/* Number of vertices of the mesh that triangles still use. */
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
    c->around = facet_arena_allocate(arena, corners, sizeof *c->around);
    c->spots = facet_arena_allocate(arena, (size_t)r->place_count + 1, sizeof *c->spots);
    c->moved_wedges = facet_arena_allocate(arena, r->wedge_count, sizeof *c->moved_wedges);
    c->touched = facet_arena_allocate(arena, r->place_count, sizeof *c->touched);
    c->used = facet_arena_allocate(arena, r->vertex_count, sizeof *c->used);
    c->numbers =
        facet_arena_allocate(arena, (size_t)r->wedge_count + r->place_count, sizeof *c->numbers);
    return facet_reduce_allocate_candidates(&c->candidates, r) && c->around && c->spots &&
           c->moved_wedges && c->touched && c->used && c->numbers;
}

facet_status facet_reduce_collapse(facet_reducer *r, uint32_t triangles, uint32_t vertices,
                                   double limit, const facet_options *options, double *worst,
                                   facet_error *error)
{
    collapser c = {.r = r, .candidates.limit = limit};
    facet_status status = FACET_OK;
    if (!allocate(&c))
        return facet_fail_arena(r->arena, error);
    for (uint32_t w = 0; w < r->wedge_count; w++)
        c.moved_wedges[w] = w;
    uint32_t compacted = c.at_first = r->triangle_count;
    c.wanted = c.at_first > triangles ? c.at_first - triangles : 0;
    for (int pass = 0; pass < MAX_PASSES && !status; pass++) {
        uint32_t used = vertices < UINT32_MAX ? count_vertices(&c) : 0, goal = 0;
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
            (status = facet_reduce_find(&c.candidates, fraction(&c), options, error)))
            break;
        facet_reduce_sort(&c.candidates, enough_for(goal, of_vertices));
        if ((status = tell(&c, 0, options, error)))
            break;
        status = collapse_cheapest(&c, goal, of_vertices, options, &made, error);
        if (made == 0 && c.candidates.all_sorted)
            break;
        c.candidates.all_sorted = made == 0;
        if (!status)
            status = tell(&c, 0, options, error);
        rewrite(&c);
        if (r->triangle_count < compacted / 2) {
            facet_reduce_compact(r, c.numbers);
            compacted = r->triangle_count;
        }
        if (!status)
            status = tell(&c, 0, options, error);
    }
    *worst = c.worst;
    return status;
}
