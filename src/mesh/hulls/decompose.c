/* mesh/hulls/decompose.c - the decomposition: cutting down into parts, then merging them up into
 * clusters.
 *
 * Parts are cut where that saves volume, into more parts than are wanted. Then the parts whose
 * merging costs least are merged. This also undoes cuts that gained nothing. Pieces that a bad
 * plane separated merge again along a better seam. */
#include "mesh/hulls/decompose.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/threads.h"
#include "mesh/eigenvectors.h"
#include "mesh/vector.h"

#include <string.h>

/* Number of parts cut per wanted hull, and its limits. */
#define PARTS_PER_HULL 4
#define FEWEST_PARTS 32
#define MAX_PARTS 512

/* Most corners of the hull that represents a cluster while pairs are compared. */
#define PROXY_LIMIT 64

/* -- State -------------------------------------------------------------- */

/* Number of axes tried for each part, and number of those that are refined. */
#define AXES 6
#define REFINED 2

typedef struct part {
    facet_part_geometry geometry;
    facet_cell cell;
    float *inside; /* centers of the inner voxels in the cell: a range of one shared array */
    uint32_t inside_count;
    facet_directions directions;
    double volume; /* volume of the hull of its extreme points */
    double solid;  /* estimated volume of its content */
    facet_cut cut; /* the best cut; volume is INFINITY if no plane cuts the part */
} part;

/* The search for a plane across one axis of one part. */
typedef struct search {
    const part *part;
    double normal[3];
    facet_cut best;
    double whole;
    facet_cut_scratch *scratch;
} search;

typedef struct cluster {
    facet_cluster all; /* all corners of the merged hulls */
    double *proxy;     /* at most PROXY_LIMIT corners of its hull */
    uint32_t proxy_count;
    double volume; /* volume of the hull of the proxy */
    double low[3], high[3];
    bool gone; /* true after merging into another cluster */

    /* Family, while cuts are undone: the clusters cut out of the same part. */
    uint32_t next; /* next cluster of the family, or UINT32_MAX */
    uint32_t relatives;
    double family_volume;
} cluster;

/* A cut of a part: the lower side kept its index, the upper side got a new one. */
typedef struct record {
    uint32_t lower, upper;
} record;

typedef struct work {
    const facet_convex *convex;
    const facet_decompose_options *decompose;
    const facet_options *options;
    facet_arena *arena;
    facet_voxels voxels;
    double surface_weight;       /* volume per area between the surface and the inner voxels */
    facet_directions directions; /* evenly spread */
    part *parts;
    uint32_t part_count;
    record *records; /* part_count - 1 entries */
    search searches[2 * AXES];
    search *refined[2 * REFINED];
    facet_cut_scratch *scratch; /* one per search */
    cluster *clusters;
    double *costs; /* [i * part_count + j], i < j: volume that merging i and j adds */
    struct pair *pairs;
} work;

/* -- Axes --------------------------------------------------------------- */

/* Compute the area-weighted covariance of the polygons' triangles, and their area. */
static void moments(const facet_part_geometry *g, double covariance[3][3], double *area)
{
    double mean[3] = {0, 0, 0}, second[3][3] = {{0}};
    *area = 0;
    for (uint32_t p = 0; p < g->polygon_count; p++) {
        const uint32_t *corners = g->corners + g->offsets[p];
        uint32_t count = g->offsets[p + 1] - g->offsets[p];
        const double *a = g->points + 3 * (size_t)corners[0];
        for (uint32_t i = 2; i < count; i++) {
            const double *b = g->points + 3 * (size_t)corners[i - 1];
            const double *c = g->points + 3 * (size_t)corners[i];
            double ab[3], ac[3], normal[3], middle[3];
            facet_subtract(b, a, ab);
            facet_subtract(c, a, ac);
            facet_cross(ab, ac, normal);
            double weight = sqrt(facet_dot(normal, normal)) / 2;
            *area += weight;
            for (int k = 0; k < 3; k++) {
                middle[k] = (a[k] + b[k] + c[k]) / 3;
                mean[k] += weight * middle[k];
            }
            for (int k = 0; k < 9; k++)
                second[k / 3][k % 3] += weight * middle[k / 3] * middle[k % 3];
        }
    }
    double over = *area > 0 ? 1 / *area : 0;
    for (int k = 0; k < 9; k++)
        covariance[k / 3][k % 3] =
            second[k / 3][k % 3] * over - mean[k / 3] * over * (mean[k % 3] * over);
}

/* -- Down: cutting ------------------------------------------------------ */

static void run_search(void *argument, size_t index)
{
    work *w = argument;
    search *s = &w->searches[index];
    facet_cut_search(w->convex, &s->part->directions, &s->part->geometry, s->part->solid, s->normal,
                     s->scratch, &s->best, &s->whole);
}

static void run_refine(void *argument, size_t index)
{
    work *w = argument;
    search *s = w->refined[index];
    facet_cut_refine(w->convex, &s->part->directions, &s->part->geometry, s->part->solid,
                     s->scratch, &s->best);
}

static void fit_directions(const work *w, part *p)
{
    double extent[3];
    for (int k = 0; k < 3; k++) {
        double low = INFINITY, high = -INFINITY;
        for (uint32_t i = 0; i < p->geometry.point_count; i++) {
            double x = p->geometry.points[3 * (size_t)i + k];
            low = x < low ? x : low;
            high = x > high ? x : high;
        }
        extent[k] = high - low;
    }
    facet_directions_fit(&w->directions, extent, &p->directions);
}

/* Prepare the searches for one part: across x, y, z and its principal axes. */
static void prepare_searches(work *w, part *p, search *searches)
{
    double covariance[3][3], area, axes[3][3];
    moments(&p->geometry, covariance, &area);
    p->solid = p->inside_count * pow(w->voxels.size, 3) + area * w->surface_weight;
    facet_eigenvectors(covariance, axes);
    fit_directions(w, p);
    for (int a = 0; a < AXES; a++) {
        searches[a].part = p;
        memset(searches[a].normal, 0, sizeof searches[a].normal);
        if (a < 3)
            searches[a].normal[a] = 1;
        else
            memcpy(searches[a].normal, axes[a - 3], sizeof axes[0]);
    }
}

/* Rank the searches of one part by score, best first. */
static void rank_searches(search *const *from, search **ranked)
{
    for (int a = 0; a < AXES; a++) {
        int at = a;
        for (; at > 0 && from[a]->best.score < ranked[at - 1]->best.score; at--)
            ranked[at] = ranked[at - 1];
        ranked[at] = from[a];
    }
}

static void take_best(part *p, search *const *refined)
{
    p->cut = refined[0]->best;
    for (int a = 1; a < REFINED; a++) {
        if (refined[a]->best.score < p->cut.score)
            p->cut = refined[a]->best;
    }
}

/* Find the best cuts of the `count` (1 or 2) parts `first` and `second`. */
static facet_status search_cuts(work *w, uint32_t first, uint32_t second, int count,
                                double fraction, facet_error *error)
{
    const double range[2] = {fraction, fraction};
    part *parts[2] = {&w->parts[first], &w->parts[second]};
    for (int i = 0; i < count; i++)
        prepare_searches(w, parts[i], w->searches + i * AXES);
    for (int i = 0; i < count * AXES; i++) {
        w->searches[i].scratch = &w->scratch[i];
        uint32_t points = w->searches[i].part->geometry.point_count;
        w->scratch[i].slab_of_point = facet_arena_allocate(w->arena, points, 1);
        if (!w->scratch[i].slab_of_point)
            return facet_fail_arena(w->arena, error);
    }
    facet_status status =
        facet_run_steps(w->options, run_search, w, (size_t)(count * AXES), "hulls", range, error);
    if (status)
        return status;
    for (int i = 0; i < count; i++) {
        search *all[AXES], *ranked[AXES];
        parts[i]->volume = 0;
        for (int a = 0; a < AXES; a++) {
            all[a] = &w->searches[i * AXES + a];
            parts[i]->volume = fmax(parts[i]->volume, all[a]->whole);
        }
        rank_searches(all, ranked);
        memcpy(w->refined + i * REFINED, ranked, REFINED * sizeof *ranked);
    }
    status = facet_run_steps(w->options, run_refine, w, (size_t)(count * REFINED), "hulls", range,
                             error);
    for (int i = count * AXES - 1; i >= 0; i--)
        facet_arena_release(w->arena, w->scratch[i].slab_of_point,
                            w->searches[i].part->geometry.point_count, 1);
    for (int i = 0; i < count; i++)
        take_best(parts[i], w->refined + i * REFINED);
    return status;
}

/* Volume that cutting a part may gain. This is the gain of its best plane, or a quarter of the
 * excess volume if that is more: one plane may save little before further cuts. */
static double promise(const part *p)
{
    if (p->cut.volume == INFINITY)
        return 0;
    double gain = p->volume - p->cut.volume, excess = (p->volume - p->solid) / 4;
    return gain > excess ? gain : excess;
}

/* Sort the inner voxels of a part by side; returns the number below the plane. */
static uint32_t split_inside(const part *p, const facet_plane *plane)
{
    uint32_t below = 0;
    for (uint32_t i = 0; i < p->inside_count; i++) {
        float *center = p->inside + 3 * (size_t)i;
        double point[3] = {center[0], center[1], center[2]};
        if (facet_dot(plane->normal, point) > plane->offset)
            continue;
        float swapped[3];
        float *to = p->inside + 3 * (size_t)below++;
        memcpy(swapped, to, sizeof swapped);
        memcpy(to, center, sizeof swapped);
        memcpy(center, swapped, sizeof swapped);
    }
    return below;
}

/* Cut a part along its best plane; the upper side becomes the last part. A plane with an empty
 * side is discarded. */
static facet_status cut_part(work *w, part *p, double fraction, facet_error *error)
{
    const facet_plane plane = p->cut.plane;
    part lower = *p, upper = *p;
    facet_segments segments[2] = {{0}};
    facet_status status;
    if ((status = facet_cell_edges(&p->cell, &plane, false, &w->voxels, w->arena, &segments[0],
                                   error)) ||
        (status =
             facet_cell_edges(&p->cell, &plane, true, &w->voxels, w->arena, &segments[1], error)) ||
        (status = facet_step(w->options, "hulls", fraction, error)) ||
        (status = facet_part_geometry_cut(&p->geometry, &plane, segments, w->arena, &lower.geometry,
                                          &upper.geometry, error)) ||
        (status = facet_step(w->options, "hulls", fraction, error)) ||
        (status = facet_cell_cut(&p->cell, &plane, false, w->arena, &lower.cell, error)) ||
        (status = facet_cell_cut(&p->cell, &plane, true, w->arena, &upper.cell, error)))
        return status;
    if (lower.geometry.polygon_count == 0 || upper.geometry.polygon_count == 0) {
        /* Everything on one side is in the plane, so the plane cuts nothing. */
        facet_part_geometry_free(w->arena, &upper.geometry);
        facet_part_geometry_free(w->arena, &lower.geometry);
        p->cut.volume = INFINITY;
        return FACET_OK;
    }
    lower.inside_count = split_inside(p, &plane);
    upper.inside = p->inside + 3 * (size_t)lower.inside_count;
    upper.inside_count = p->inside_count - lower.inside_count;
    facet_segments_free(w->arena, &segments[1]);
    facet_segments_free(w->arena, &segments[0]);
    facet_part_geometry_free(w->arena, &p->geometry);
    facet_cell_free(w->arena, &p->cell);
    *p = lower;
    w->parts[w->part_count] = upper;
    w->records[w->part_count - 1].lower = (uint32_t)(p - w->parts);
    w->records[w->part_count - 1].upper = w->part_count;
    w->part_count++;
    return FACET_OK;
}

/* Fractions of the work that are done at each stage, for progress. */
#define CUT_BEGIN 0.1
#define CUT_END 0.6
#define ENCLOSED 0.65
#define REJOINED 0.7
#define COSTED 0.75

static facet_status cut_parts(work *w, uint32_t wanted, facet_error *error)
{
    facet_status status = search_cuts(w, 0, 0, 1, CUT_BEGIN, error);
    const double volume = w->parts[0].volume, enough = volume * 1e-5;
    if (!status && volume - w->parts[0].solid <= volume * w->decompose->tolerance)
        return FACET_OK; /* the solid is already convex enough */
    while (!status && w->part_count < wanted) {
        uint32_t best = 0;
        for (uint32_t i = 1; i < w->part_count; i++)
            best = promise(&w->parts[i]) > promise(&w->parts[best]) ? i : best;
        if (promise(&w->parts[best]) <= enough)
            return FACET_OK;
        double fraction = CUT_BEGIN + (CUT_END - CUT_BEGIN) * w->part_count / wanted;
        if ((status = facet_step(w->options, "hulls", fraction, error)) ||
            (status = cut_part(w, &w->parts[best], fraction, error)))
            return status;
        if (w->parts[best].cut.volume != INFINITY)
            status = search_cuts(w, best, w->part_count - 1, 2, fraction, error);
    }
    return status;
}

/* -- Between: hulls of parts -------------------------------------------- */

/* Replace the points of `proxy` by the corners of their hull; it needs space for all points.
 * Flat points stay unchanged, as far as there is space. */
static bool reduce_proxy(const facet_convex *convex, const double *points, uint32_t count,
                         uint32_t *corners, double *proxy, uint32_t *proxy_count, double *volume)
{
    facet_convex_job job = {0};
    job.points = points;
    job.count = count;
    job.limit = PROXY_LIMIT;
    job.corners = corners;
    facet_convex_solve(convex, &job);
    if (job.failed)
        return false;
    *volume = job.volume;
    uint32_t kept = job.is_flat ? (count < PROXY_LIMIT ? count : PROXY_LIMIT) : job.corner_count;
    for (uint32_t i = 0; i < kept; i++) {
        size_t from = job.is_flat ? (size_t)((uint64_t)i * count / kept) : corners[i];
        memcpy(proxy + 3 * (size_t)i, points + 3 * from, 3 * sizeof *proxy);
    }
    *proxy_count = kept;
    return true;
}

/* Compute the hull of a part. Its corners move to the front of its points, and `all` becomes
 * their owner. Only memory of the geometry is used. */
static void enclose_part(void *argument, size_t index)
{
    work *w = argument;
    facet_part_geometry *g = &w->parts[index].geometry;
    cluster *c = &w->clusters[index];
    facet_convex_job job = {0};
    job.points = g->points;
    job.count = g->point_count;
    job.corners = (uint32_t *)(void *)c->all.points;
    facet_convex_solve(w->convex, &job);
    if (job.failed) {
        c->all.point_count = UINT32_MAX;
        return;
    }
    uint32_t kept = job.is_flat ? g->point_count : job.corner_count;
    for (uint32_t i = 0; i < kept && !job.is_flat; i++)
        memmove(g->points + 3 * (size_t)i, g->points + 3 * (size_t)job.corners[i],
                3 * sizeof *g->points);
    c->all.point_count = kept;
    if (!reduce_proxy(w->convex, g->points, kept, (uint32_t *)(void *)c->all.points, c->proxy,
                      &c->proxy_count, &c->volume))
        c->all.point_count = UINT32_MAX;
}

static void box_of(cluster *c)
{
    for (int k = 0; k < 3; k++) {
        c->low[k] = INFINITY;
        c->high[k] = -INFINITY;
        for (uint32_t i = 0; i < c->all.point_count; i++) {
            double x = c->all.points[3 * (size_t)i + k];
            c->low[k] = x < c->low[k] ? x : c->low[k];
            c->high[k] = x > c->high[k] ? x : c->high[k];
        }
    }
}

static facet_status enclose_parts(work *w, facet_error *error)
{
    w->clusters = facet_arena_allocate_zeroed(w->arena, w->part_count, sizeof *w->clusters);
    if (!w->clusters)
        return facet_fail_arena(w->arena, error);
    for (uint32_t i = 0; i < w->part_count; i++) {
        cluster *c = &w->clusters[i];
        uint32_t count = w->parts[i].geometry.point_count;
        c->all.points = facet_arena_allocate(w->arena, count, 3 * sizeof *c->all.points);
        c->proxy = facet_arena_allocate(w->arena, PROXY_LIMIT, 3 * sizeof *c->proxy);
        if (!c->all.points || !c->proxy)
            return facet_fail_arena(w->arena, error);
    }
    const double range[2] = {CUT_END, ENCLOSED};
    facet_status status =
        facet_run_steps(w->options, enclose_part, w, w->part_count, "hulls", range, error);
    if (status)
        return status;
    for (uint32_t i = 0; i < w->part_count; i++) {
        cluster *c = &w->clusters[i];
        facet_part_geometry *g = &w->parts[i].geometry;
        if (c->all.point_count == UINT32_MAX)
            return facet_fail_arena(w->arena, error);
        memcpy(c->all.points, g->points, (size_t)c->all.point_count * 3 * sizeof *g->points);
        c->all.points = facet_arena_resize(w->arena, c->all.points, g->point_count,
                                           c->all.point_count, 3 * sizeof *g->points);
        if (!c->all.points)
            return facet_fail_arena(w->arena, error);
        box_of(c);
        facet_part_geometry_free(w->arena, g);
    }
    return FACET_OK;
}

/* -- Up: pairs ---------------------------------------------------------- */

typedef struct pair {
    uint32_t a, b;
    double cost;
} pair;

/* The points of two proxies. */
typedef struct joined {
    double points[2 * PROXY_LIMIT][3];
    uint32_t count;
} joined;

static void join_proxies(const cluster *a, const cluster *b, joined *both)
{
    memcpy(both->points, a->proxy, a->proxy_count * sizeof both->points[0]);
    memcpy(both->points + a->proxy_count, b->proxy, b->proxy_count * sizeof both->points[0]);
    both->count = a->proxy_count + b->proxy_count;
}

static void run_pair(void *argument, size_t index)
{
    work *w = argument;
    pair *p = &w->pairs[index];
    const cluster *a = &w->clusters[p->a], *b = &w->clusters[p->b];
    joined both;
    join_proxies(a, b, &both);
    p->cost = facet_convex_volume(w->convex, both.points[0], both.count) - a->volume - b->volume;
}

static bool boxes_touch(const cluster *a, const cluster *b, double margin)
{
    for (int k = 0; k < 3; k++) {
        if (a->low[k] > b->high[k] + margin || b->low[k] > a->high[k] + margin)
            return false;
    }
    return true;
}

static double *cost_of(const work *w, uint32_t a, uint32_t b)
{
    return &w->costs[(size_t)(a < b ? a : b) * w->part_count + (a < b ? b : a)];
}

/* Compute the costs of the pairs of clusters that touch, or of all pairs if `apart`. `with`
 * restricts this to pairs with one cluster; FACET_NONE: no restriction. */
static facet_status cost_pairs(work *w, uint32_t with, bool apart, const double range[2],
                               facet_error *error)
{
    size_t count = 0;
    for (uint32_t i = 0; i < w->part_count; i++) {
        for (uint32_t j = i + 1; j < w->part_count; j++) {
            if (w->clusters[i].gone || w->clusters[j].gone ||
                (with != UINT32_MAX && with != i && with != j))
                continue;
            *cost_of(w, i, j) = INFINITY;
            if (apart || boxes_touch(&w->clusters[i], &w->clusters[j], 16 * w->convex->flat)) {
                w->pairs[count].a = i;
                w->pairs[count++].b = j;
            }
        }
    }
    facet_status status = facet_run_steps(w->options, run_pair, w, count, "hulls", range, error);
    for (size_t i = 0; i < count && !status; i++)
        *cost_of(w, w->pairs[i].a, w->pairs[i].b) = w->pairs[i].cost;
    return status;
}

static double cheapest_pair(const work *w, uint32_t *a, uint32_t *b)
{
    double best = INFINITY;
    for (uint32_t i = 0; i < w->part_count; i++) {
        for (uint32_t j = i + 1; j < w->part_count && !w->clusters[i].gone; j++) {
            if (!w->clusters[j].gone && *cost_of(w, i, j) < best) {
                best = *cost_of(w, i, j);
                *a = i;
                *b = j;
            }
        }
    }
    return best;
}

static facet_status merge_pair(work *w, uint32_t a, uint32_t b, facet_error *error)
{
    cluster *into = &w->clusters[a], *from = &w->clusters[b];
    joined both;
    uint32_t corners[2 * PROXY_LIMIT];
    join_proxies(into, from, &both);
    if (!reduce_proxy(w->convex, both.points[0], both.count, corners, into->proxy,
                      &into->proxy_count, &into->volume))
        return facet_fail_memory(error, sizeof both);
    size_t total = (size_t)into->all.point_count + from->all.point_count;
    double *points = total > UINT32_MAX
                         ? NULL
                         : facet_arena_resize(w->arena, into->all.points, into->all.point_count,
                                              total, 3 * sizeof *points);
    if (!points)
        return facet_fail_arena(w->arena, error);
    memcpy(points + 3 * (size_t)into->all.point_count, from->all.points,
           (size_t)from->all.point_count * 3 * sizeof *points);
    facet_arena_release(w->arena, from->all.points, from->all.point_count, 3 * sizeof *points);
    into->all.points = points;
    into->all.point_count = (uint32_t)total;
    from->gone = true;
    for (int k = 0; k < 3; k++) {
        into->low[k] = from->low[k] < into->low[k] ? from->low[k] : into->low[k];
        into->high[k] = from->high[k] > into->high[k] ? from->high[k] : into->high[k];
    }
    return FACET_OK;
}

/* -- Up: undoing cuts --------------------------------------------------- */

/* Volume of the hull of all clusters of a family, by their proxies. */
static facet_status family_hull(work *w, uint32_t first, double *volume, facet_error *error)
{
    size_t space = (size_t)w->clusters[first].relatives * PROXY_LIMIT;
    double *points = facet_arena_allocate(w->arena, space, 3 * sizeof *points);
    if (!points)
        return facet_fail_arena(w->arena, error);
    uint32_t count = 0;
    for (uint32_t i = first; i != UINT32_MAX; i = w->clusters[i].next) {
        memcpy(points + 3 * (size_t)count, w->clusters[i].proxy,
               w->clusters[i].proxy_count * 3 * sizeof *points);
        count += w->clusters[i].proxy_count;
    }
    *volume = facet_convex_volume(w->convex, points, count);
    facet_arena_release(w->arena, points, space, 3 * sizeof *points);
    return FACET_OK;
}

/* Join both sides of a cut into one family. Merge the family into one cluster if that costs at
 * most `tolerance` for each hull saved. */
static facet_status rejoin(work *w, const record *r, double tolerance, uint32_t *left,
                           facet_error *error)
{
    cluster *first = &w->clusters[r->lower], *second = &w->clusters[r->upper];
    uint32_t *last = &first->next;
    while (*last != UINT32_MAX)
        last = &w->clusters[*last].next;
    *last = r->upper;
    first->relatives += second->relatives;
    first->family_volume += second->family_volume;
    double volume = 0;
    facet_status status = family_hull(w, r->lower, &volume, error);
    if (status || volume - first->family_volume > tolerance * (first->relatives - 1))
        return status;
    for (uint32_t i = first->next; i != UINT32_MAX; i = w->clusters[i].next) {
        if ((status = merge_pair(w, r->lower, i, error)))
            return status;
        --*left;
    }
    first->next = UINT32_MAX;
    first->relatives = 1;
    first->family_volume = first->volume;
    return FACET_OK;
}

/* Undo cuts that did not pay, from the last to the first. */
static facet_status undo_cuts(work *w, double tolerance, uint32_t *left, facet_error *error)
{
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < w->part_count; i++) {
        w->clusters[i].next = UINT32_MAX;
        w->clusters[i].relatives = 1;
        w->clusters[i].family_volume = w->clusters[i].volume;
    }
    const double range[2] = {ENCLOSED, REJOINED};
    for (uint32_t i = w->part_count - 1; i > 0 && !status; i--) {
        status = facet_step_within(w->options, "hulls", range, w->part_count - 1 - i, w->part_count,
                                   error);
        if (!status)
            status = rejoin(w, &w->records[i - 1], tolerance, left, error);
    }
    return status;
}

/* -- Up: merging pairs -------------------------------------------------- */

static facet_status merge_clusters(work *w, facet_error *error)
{
    double tolerance = 0;
    for (uint32_t i = 0; i < w->part_count; i++)
        tolerance += w->clusters[i].volume * w->decompose->tolerance;

    size_t pairs = (size_t)w->part_count * w->part_count;
    w->costs = facet_arena_allocate(w->arena, pairs, sizeof *w->costs);
    w->pairs = facet_arena_allocate(w->arena, pairs, sizeof *w->pairs);
    if (!w->costs || !w->pairs)
        return facet_fail_arena(w->arena, error);
    uint32_t left = w->part_count;
    TRY(undo_cuts(w, tolerance, &left, error));
    const double costing[2] = {REJOINED, COSTED};
    facet_status status = cost_pairs(w, UINT32_MAX, false, costing, error);
    bool apart = false;
    while (left > 1 && !status) {
        double fraction = COSTED + (FACET_DECOMPOSED - COSTED) * (1 - left / (double)w->part_count);
        const double here[2] = {fraction, fraction};
        uint32_t a = 0, b = 0;
        double cost = cheapest_pair(w, &a, &b);
        if (left <= w->decompose->most && cost > tolerance)
            break;
        if (cost == INFINITY) {
            /* Only separate bodies are left, but more than wanted. */
            apart = true;
            status = cost_pairs(w, UINT32_MAX, apart, here, error);
            continue;
        }
        status = facet_step(w->options, "hulls", fraction, error);
        if (status || (status = merge_pair(w, a, b, error)))
            return status;
        left--;
        status = cost_pairs(w, a, apart, here, error);
    }
    return status;
}

/* -- The whole way ------------------------------------------------------ */

static facet_status give_clusters(work *w, facet_cluster **clusters, uint32_t *cluster_count,
                                  facet_error *error)
{
    facet_cluster *given = facet_arena_allocate(w->arena, w->part_count, sizeof *given);
    if (!given)
        return facet_fail_arena(w->arena, error);
    uint32_t count = 0;
    for (uint32_t i = 0; i < w->part_count; i++) {
        if (!w->clusters[i].gone)
            given[count++] = w->clusters[i].all;
    }
    *clusters = given;
    *cluster_count = count;
    return FACET_OK;
}

/* Estimate the volume that a surface encloses beyond its inner voxels, per area. The estimate is
 * also used for open surfaces. *inside_out becomes true if the triangles face inwards. */
static double surface_weight(const facet_soup *soup, const facet_voxels *voxels,
                             uint32_t inside_count, bool *inside_out)
{
    double area = 0, volume = 0;
    for (uint32_t t = 0; t < soup->triangle_count; t++) {
        const double *corners[3];
        double ab[3], ac[3], normal[3];
        for (int i = 0; i < 3; i++)
            corners[i] = soup->points + 3 * (size_t)soup->triangles[3 * (size_t)t + i];
        facet_subtract(corners[1], corners[0], ab);
        facet_subtract(corners[2], corners[0], ac);
        facet_cross(ab, ac, normal);
        area += sqrt(facet_dot(normal, normal)) / 2;
        volume += facet_dot(normal, corners[0]) / 6;
    }
    *inside_out = volume < 0;
    if (inside_count == 0 || area == 0)
        return 0;
    double rest = (fabs(volume) - inside_count * pow(voxels->size, 3)) / area;
    return fmin(fmax(rest, 0), voxels->size);
}

static facet_status make_first_part(work *w, const facet_soup *soup, facet_error *error)
{
    part *first = &w->parts[0];
    facet_status status;
    if ((status = facet_voxels_fill(soup->points, soup->point_count, soup->triangles,
                                    soup->triangle_count, w->decompose->resolution, w->options,
                                    w->arena, &w->voxels, error)) ||
        (status = facet_voxels_inside(&w->voxels, w->arena, &first->inside, &first->inside_count,
                                      error)) ||
        (status = facet_step(w->options, "hulls", 0.06, error)) ||
        (status = facet_part_geometry_convert(soup, w->arena, &first->geometry, error)) ||
        (status = facet_step(w->options, "hulls", 0.08, error)) ||
        (status = facet_cell_create(soup, w->arena, &first->cell, error)))
        return status;
    bool inside_out;
    w->surface_weight = surface_weight(soup, &w->voxels, first->inside_count, &inside_out);
    for (uint32_t i = 0; i + 2 < first->geometry.corner_count && inside_out; i += 3) {
        uint32_t swapped = first->geometry.corners[i];
        first->geometry.corners[i] = first->geometry.corners[i + 1];
        first->geometry.corners[i + 1] = swapped;
    }
    w->part_count = 1;
    return FACET_OK;
}

facet_status facet_decompose(const facet_soup *soup, const facet_convex *convex,
                             const facet_decompose_options *decompose, const facet_options *options,
                             facet_arena *arena, facet_cluster **clusters, uint32_t *cluster_count,
                             facet_error *error)
{
    work w;
    memset(&w, 0, sizeof w);
    w.convex = convex;
    w.decompose = decompose;
    w.options = options;
    w.arena = arena;
    facet_directions_spread(&w.directions);
    uint32_t wanted =
        decompose->most > MAX_PARTS / PARTS_PER_HULL ? MAX_PARTS : decompose->most * PARTS_PER_HULL;
    wanted = wanted < FEWEST_PARTS ? FEWEST_PARTS : wanted;
    w.parts = facet_arena_allocate_zeroed(arena, wanted, sizeof *w.parts);
    w.records = facet_arena_allocate(arena, wanted, sizeof *w.records);
    w.scratch = facet_arena_allocate(arena, 2 * AXES, sizeof *w.scratch);
    if (!w.parts || !w.records || !w.scratch)
        return facet_fail_arena(arena, error);
    facet_status status;
    if ((status = make_first_part(&w, soup, error)) || (status = cut_parts(&w, wanted, error)))
        return status;
    facet_voxels_free(arena, &w.voxels);
    if ((status = enclose_parts(&w, error)) || (status = merge_clusters(&w, error)))
        return status;
    return give_clusters(&w, clusters, cluster_count, error);
}
