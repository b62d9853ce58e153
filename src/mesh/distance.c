/* mesh/distance.c - the distance of one surface from another.
 *
 * The distance found at a point is a lower bound of the greatest distance. The upper bound: the
 * distance from one triangle is convex, so over a piece it is greatest at a corner. The distance
 * from the nearest triangle is at most the distance from any one triangle. A triangle whose two
 * bounds are not close is cut in four. The least certain triangle is cut first, as often as the
 * size of the surfaces allows (after M. Guthe, P. Borodin, R. Klein: Fast and accurate Hausdorff
 * distance calculation between meshes, 2005). */
#include "mesh/distance.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/threads.h"
#include "mesh/vector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* -- Samples ------------------------------------------------------------ */

static double area_of(const facet_surface *surface, uint32_t triangle)
{
    const uint32_t *t = surface->triangles + 3 * (size_t)triangle;
    double edge[2][3], normal[3];
    for (int e = 0; e < 2; e++)
        facet_subtract(surface->points + 3 * (size_t)t[e + 1], surface->points + 3 * (size_t)t[0],
                       edge[e]);
    facet_cross(edge[0], edge[1], normal);
    return sqrt(facet_dot(normal, normal)) / 2;
}

/* Number of triangles that get their samples between two calls of the progress callback. */
#define AT_ONCE 65536

facet_status facet_surface_sample(const facet_surface *surface, uint32_t count,
                                  const facet_options *options, const double range[2],
                                  facet_arena *arena, facet_surface_samples *samples,
                                  facet_error *error)
{
    facet_surface_location *places = facet_arena_allocate(arena, count, sizeof *places);
    if (!places)
        return facet_fail_arena(arena, error);
    double whole = 0, passed = 0;
    for (uint32_t t = 0; t < surface->triangle_count; t++)
        whole += area_of(surface, t);
    uint32_t made = 0;
    for (uint32_t t = 0; t < surface->triangle_count && made < count; t++) {
        facet_status status = t % AT_ONCE == 0 ? facet_step_within(options, "compare", range, t,
                                                                   surface->triangle_count, error)
                                               : FACET_OK;
        if (status)
            return status;
        /* If no triangle has area, all triangles have equal weight. */
        passed += whole > 0 ? area_of(surface, t) : 1;
        double share = passed / (whole > 0 ? whole : surface->triangle_count);
        if (t + 1 == surface->triangle_count)
            share = 1;
        for (; made < count && (made + 0.5) / count < share; made++) {
            /* The additive recurrence of the plastic number fills the unit square evenly. The
             * upper half of the square is folded onto the triangle. */
            double u = fmod(0.5 + 0.7548776662466927 * made, 1);
            double v = fmod(0.5 + 0.5698402909980532 * made, 1);
            if (u + v > 1) {
                u = 1 - u;
                v = 1 - v;
            }
            places[made] = (facet_surface_location){t, {1 - u - v, u, v}};
        }
    }
    *samples = (facet_surface_samples){places, made};
    return FACET_OK;
}

/* -- Pieces of triangles ------------------------------------------------- */

enum { CANDIDATES = 4 };

/* A corner of a piece, its distance from the other surface, and the nearest triangles there. */
typedef struct station {
    double point[3];
    double distance;
    bool exact;
    int count;
    uint32_t nearest[CANDIDATES];
} station;

typedef struct piece {
    double corners[3][3];
    double bound; /* upper bound of the distance of its points */
} piece;

typedef struct measure {
    const facet_surface *from, *to;
    const facet_surface_samples *samples;
    double *found;   /* distance at each sample */
    uint8_t *exact;  /* per sample: 0 if the search gave up early */
    station *points; /* per point of `from`; count is -1 if no triangle uses it */
    double slack;    /* triangles at most this much farther than the nearest are also tried */
    double *bounds;  /* per triangle: upper bound of the distance */
    facet_surface_effort *effort;
} measure;

static station visit(const measure *m, const double point[3], uint64_t *left)
{
    facet_surface_hit hits[CANDIDATES];
    station s = {0};
    memcpy(s.point, point, sizeof s.point);
    s.count = facet_surface_near(&m->to->tree, point, m->slack, hits, CANDIDATES, m->effort, left,
                                 &s.exact);
    s.distance = hits[0].distance;
    for (int i = 0; i < s.count; i++)
        s.nearest[i] = hits[i].triangle;
    return s;
}

/* The greatest distance of the corners of a piece from a triangle; stops once it reaches
 * `least`. */
static double farthest(const measure *m, double corners[3][3], uint32_t triangle, double least)
{
    const uint32_t *t = m->to->triangles + 3 * (size_t)triangle;
    const double *p = m->to->points;
    double most = 0, nearest[3];
    for (int c = 0; c < 3 && most < least; c++)
        most = fmax(most, sqrt(facet_triangle_distance(corners[c], p + 3 * (size_t)t[0],
                                                       p + 3 * (size_t)t[1], p + 3 * (size_t)t[2],
                                                       nearest)));
    return most;
}

/* Upper bound of the distance of a piece from the other surface. It tries the triangles that are
 * nearest to the corners and to the middle of the piece. *found grows to the distance at the
 * middle if that is greater. */
static double bound_piece(const measure *m, double corners[3][3], const station *const stations[3],
                          double *found, uint64_t *left)
{
    double middle[3], least = INFINITY;
    for (int k = 0; k < 3; k++)
        middle[k] = (corners[0][k] + corners[1][k] + corners[2][k]) / 3;
    station center = visit(m, middle, left);
    if (center.exact)
        *found = fmax(*found, center.distance);
    const station *all[4] = {&center, stations[0], stations[1], stations[2]};
    for (int s = 0; s < 4; s++) {
        for (int i = 0; i < all[s]->count; i++)
            least = fmin(least, farthest(m, corners, all[s]->nearest[i], least));
    }
    return least;
}

/* -- All points and triangles -------------------------------------------- */

enum { BLOCK = 1024 };

static void visit_points(void *argument, size_t block)
{
    const measure *m = argument;
    size_t end = (block + 1) * BLOCK;
    uint64_t left = BLOCK * m->effort->visits;
    for (size_t i = block * BLOCK; i < end && i < m->from->point_count; i++) {
        if (m->points[i].count == 0) /* marked: a triangle uses it */
            m->points[i] = visit(m, m->from->points + 3 * i, &left);
    }
}

static void visit_samples(void *argument, size_t block)
{
    const measure *m = argument;
    size_t end = (block + 1) * BLOCK;
    uint64_t left = BLOCK * m->effort->visits;
    for (size_t i = block * BLOCK; i < end && i < m->samples->count; i++) {
        double point[3];
        facet_surface_hit hit;
        bool exact;
        facet_surface_point(m->from, &m->samples->places[i], point);
        facet_surface_near(&m->to->tree, point, 0, &hit, 1, m->effort, &left, &exact);
        m->found[i] = hit.distance;
        m->exact[i] = exact;
    }
}

static void bound_triangles(void *argument, size_t block)
{
    const measure *m = argument;
    size_t end = (block + 1) * BLOCK;
    uint64_t left = BLOCK * m->effort->visits;
    for (size_t i = block * BLOCK; i < end && i < m->from->triangle_count; i++) {
        const uint32_t *t = m->from->triangles + 3 * i;
        const station *stations[3] = {&m->points[t[0]], &m->points[t[1]], &m->points[t[2]]};
        double corners[3][3], found = 0;
        for (int c = 0; c < 3; c++)
            memcpy(corners[c], stations[c]->point, sizeof corners[c]);
        m->bounds[i] = bound_piece(m, corners, stations, &found, &left);
    }
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static void sum_up(const measure *m, facet_distance *distance)
{
    uint32_t count = m->samples->count;
    double sum = 0, squares = 0;
    bool all_exact = true;
    for (uint32_t i = 0; i < count; i++) {
        sum += m->found[i];
        squares += m->found[i] * m->found[i];
        all_exact = all_exact && m->exact[i];
        if (m->exact[i])
            distance->greatest = fmax(distance->greatest, m->found[i]);
    }
    for (uint32_t i = 0; i < m->from->point_count; i++) {
        if (m->points[i].count > 0 && m->points[i].exact)
            distance->greatest = fmax(distance->greatest, m->points[i].distance);
    }
    qsort(m->found, count, sizeof *m->found, compare_doubles);
    distance->samples = count;
    distance->mean = sum / count;
    distance->rms = sqrt(squares / count);
    distance->median = m->found[count / 2];
    distance->percentile90 = m->found[(size_t)(0.9 * count)];
    distance->percentile99 = m->found[(size_t)(0.99 * count)];
    if (all_exact) { /* rounding can put the mean of equal distances above the greatest */
        distance->mean = fmin(distance->mean, distance->greatest);
        distance->rms = fmin(distance->rms, distance->greatest);
    }
}

/* -- The bound from above ------------------------------------------------ */

/* A heap of pieces. The first has the greatest bound; of equal ones, the earliest. */
typedef struct heap {
    piece *items;
    uint32_t count, capacity;
} heap;

static void push(heap *h, const piece *p)
{
    uint32_t i = h->count++;
    for (; i > 0 && h->items[(i - 1) / 2].bound < p->bound; i = (i - 1) / 2)
        h->items[i] = h->items[(i - 1) / 2];
    h->items[i] = *p;
}

static piece pop(heap *h)
{
    piece top = h->items[0], last = h->items[--h->count];
    uint32_t i = 0;
    for (;;) {
        uint32_t child = 2 * i + 1;
        if (child >= h->count)
            break;
        if (child + 1 < h->count && h->items[child + 1].bound > h->items[child].bound)
            child++;
        if (h->items[child].bound <= last.bound)
            break;
        h->items[i] = h->items[child];
        i = child;
    }
    if (h->count > 0)
        h->items[i] = last;
    return top;
}

static void middle_of(const double a[3], const double b[3], double middle[3])
{
    for (int k = 0; k < 3; k++)
        middle[k] = (a[k] + b[k]) / 2;
}

/* Cut a piece in four. The bound of a new piece is at most that of the whole piece. */
static void cut(const measure *m, heap *h, const piece *whole, double *found)
{
    static const uint8_t parts[4][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}, {3, 4, 5}};
    station stations[6];
    uint64_t left = 10 * m->effort->visits; /* three corners, seven middles */
    for (int c = 0; c < 3; c++) {
        double middle[3];
        stations[c] = visit(m, whole->corners[c], &left);
        middle_of(whole->corners[c], whole->corners[(c + 1) % 3], middle);
        stations[3 + c] = visit(m, middle, &left);
        if (stations[3 + c].exact)
            *found = fmax(*found, stations[3 + c].distance);
    }
    for (int p = 0; p < 4; p++) {
        piece part;
        const station *corners[3];
        for (int c = 0; c < 3; c++) {
            corners[c] = &stations[parts[p][c]];
            memcpy(part.corners[c], corners[c]->point, sizeof part.corners[c]);
        }
        part.bound = fmin(whole->bound, bound_piece(m, part.corners, corners, found, &left));
        push(h, &part);
    }
}

/* Cut the least certain pieces. Stop when the bound is within `precision`, or a thousandth, of
 * the distance that was found, or when the work would exceed the limit for these surfaces. */
static facet_status refine(const measure *m, double precision, const facet_options *options,
                           const double range[2], facet_arena *arena, facet_distance *distance,
                           facet_error *error)
{
    uint32_t triangles = m->from->triangle_count, cuts = 2000 + triangles / 4, uncertain = 0;
    facet_status status = FACET_OK;
    double found = distance->greatest;
    for (uint32_t i = 0; i < triangles; i++)
        uncertain += m->bounds[i] > found;
    heap h = {.capacity = uncertain + 3 * cuts + 4};
    h.items = facet_arena_allocate(arena, h.capacity, sizeof *h.items);
    if (!h.items)
        return facet_fail_arena(arena, error);
    for (uint32_t i = 0; i < triangles; i++) {
        piece p = {.bound = m->bounds[i]};
        if (p.bound <= found)
            continue;
        for (int c = 0; c < 3; c++)
            memcpy(p.corners[c],
                   m->from->points + 3 * (size_t)m->from->triangles[3 * (size_t)i + c],
                   sizeof p.corners[c]);
        push(&h, &p);
    }
    for (uint32_t i = 0; i < cuts && h.count > 0 && !status; i++) {
        if (h.items[0].bound <= found + fmax(precision, found / 1000))
            break;
        piece top = pop(&h);
        cut(m, &h, &top, &found);
        if (i % BLOCK == 0)
            status =
                facet_step(options, "compare", range[0] + (range[1] - range[0]) * i / cuts, error);
    }
    distance->greatest = found;
    distance->greatest_bound = h.count > 0 ? fmax(found, h.items[0].bound) : found;
    facet_arena_release(arena, h.items, h.capacity, sizeof *h.items);
    return status;
}

facet_status facet_surface_measure(const facet_surface *from, const facet_surface *to,
                                   const facet_surface_samples *samples, double precision,
                                   facet_surface_effort *effort, const facet_options *options,
                                   const double range[2], facet_arena *arena,
                                   facet_distance *distance, facet_error *error)
{
    double a = range[0], part = (range[1] - range[0]) / 8;
    const double points[2] = {a, a + part}, middle[2] = {a + part, a + 5 * part},
                 bounds[2] = {a + 5 * part, a + 6 * part}, cuts[2] = {a + 6 * part, range[1]};
    measure m = {.from = from, .to = to, .samples = samples, .slack = precision, .effort = effort};
    facet_distance made = {0};
    m.found = facet_arena_allocate(arena, samples->count, sizeof *m.found);
    m.exact = facet_arena_allocate(arena, samples->count, sizeof *m.exact);
    m.points = facet_arena_allocate_zeroed(arena, from->point_count, sizeof *m.points);
    m.bounds = facet_arena_allocate(arena, from->triangle_count, sizeof *m.bounds);
    if (!m.found || !m.exact || !m.points || !m.bounds)
        return facet_fail_arena(arena, error);
    /* Points that no triangle uses do not belong to the surface. */
    for (uint32_t i = 0; i < from->point_count; i++)
        m.points[i].count = -1;
    for (size_t i = 0; i < 3 * (size_t)from->triangle_count; i++)
        m.points[from->triangles[i]].count = 0;
    facet_status status =
        facet_run_steps(options, visit_points, &m, ((size_t)from->point_count + BLOCK - 1) / BLOCK,
                        "compare", points, error);
    if (!status)
        status =
            facet_run_steps(options, visit_samples, &m,
                            ((size_t)samples->count + BLOCK - 1) / BLOCK, "compare", middle, error);
    if (!status)
        status = facet_run_steps(options, bound_triangles, &m,
                                 ((size_t)from->triangle_count + BLOCK - 1) / BLOCK, "compare",
                                 bounds, error);
    if (!status) {
        sum_up(&m, &made);
        status = refine(&m, precision, options, cuts, arena, &made, error);
    }
    facet_arena_release(arena, m.bounds, from->triangle_count, sizeof *m.bounds);
    facet_arena_release(arena, m.points, from->point_count, sizeof *m.points);
    facet_arena_release(arena, m.exact, samples->count, sizeof *m.exact);
    facet_arena_release(arena, m.found, samples->count, sizeof *m.found);
    if (!status)
        *distance = made;
    return status;
}
