/* mesh/hulls/many_points.c - the convex hull of many points.
 *
 * Points are added in random order (K. Clarkson, P. Shor, "Applications of random sampling in
 * computational geometry, II", 1989). Each face has a list of the points that see it. A new face
 * connects an edge of the horizon with the new point. The points that see it are among those of the
 * two faces that meet at this edge.
 *
 * Visibility is exact: coordinates are integers of 36 bits. A point in the plane of a face does not
 * see it. So the surface always stays closed and convex, also if many points are in one plane. */
#include "mesh/hulls/many_points.h"

#include "base/arena.h"
#include "mesh/surface_tree.h"
#include "mesh/vector.h"

#include <stdlib.h>
#include <string.h>

#define BITS 35            /* of a coordinate without its sign */
#define CERTAIN 0x1p60     /* a determinant beyond this has the sign of its approximation */
#define NO_FACE UINT32_MAX /* no face */

typedef struct face {
    uint32_t corners[3];   /* counter-clockwise from outside */
    uint32_t neighbors[3]; /* entry k is across the edge that begins at corner k */
    uint32_t *points;      /* all points that see the face */
    uint32_t count;
    bool is_live, is_visible;
    uint64_t number;   /* of all faces ever made */
    uint64_t exact[3]; /* the normal modulo 2^64 */
    double normal[3];
} face;

typedef struct horizon_edge {
    uint32_t from, to, inner, outer;
} horizon_edge;

/* The farthest point that sees a face. */
typedef struct candidate {
    double height;
    uint32_t face, point;
    uint64_t number;
} candidate;

typedef struct hull {
    facet_convex_job *job;
    int64_t (*at)[3]; /* rounded points, then the rounded others */
    uint32_t *order;  /* points to add; the first four make the first tetrahedron */
    uint32_t order_count;
    uint32_t *owner;  /* a face that the point sees, or any */
    uint64_t *tested; /* number of the last face that the point was compared with */
    uint32_t *starts; /* new face whose edge of the horizon begins at a point */
    face *faces;
    uint32_t face_count, face_space;
    uint32_t free_face; /* the first of a list linked by neighbors[0] */
    uint64_t made;
    uint32_t *visible;
    uint32_t visible_count, visible_space;
    horizon_edge *edges;
    uint32_t edge_count, edge_space;
    uint32_t *chosen; /* space for the list of a new face */
    candidate *heap;
    uint32_t heap_count, heap_space;
    uint32_t corner_count;
} hull;

/* Make space for one more item. False if out of memory. */
static bool grow(void *items, uint32_t count, uint32_t *space, size_t size)
{
    void *old, *made;
    memcpy(&old, items, sizeof old);
    if (count < *space)
        return true;
    uint32_t more = *space < 64 ? 64 : *space + *space / 2;
    if (more <= *space || more > SIZE_MAX / size || !(made = realloc(old, more * size)))
        return false;
    memcpy(items, &made, sizeof made);
    *space = more;
    return true;
}

/* -- Exact visibility --------------------------------------------------- */

static void set_normal(const hull *h, face *f)
{
    const int64_t *a = h->at[f->corners[0]];
    int64_t u[3], v[3];
    for (int k = 0; k < 3; k++) {
        u[k] = h->at[f->corners[1]][k] - a[k];
        v[k] = h->at[f->corners[2]][k] - a[k];
    }
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        f->normal[k] = (double)u[i] * (double)v[j] - (double)u[j] * (double)v[i];
        f->exact[k] = (uint64_t)u[i] * (uint64_t)v[j] - (uint64_t)u[j] * (uint64_t)v[i];
    }
}

/* Sign of the volume between a face and a point. Differences have at most 36 bits, so components of
 * the normal have errors below 2^20, and the sum below 2^60. A sum within that error of 0 is below
 * 2^62, and the sum modulo 2^64 is exact. */
static int side_of(const hull *h, const face *f, uint32_t point, double *height)
{
    const int64_t *a = h->at[f->corners[0]], *p = h->at[point];
    uint64_t exact = 0;
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        sum += f->normal[k] * (double)(p[k] - a[k]);
        exact += f->exact[k] * (uint64_t)(p[k] - a[k]);
    }
    *height = sum;
    if (sum > CERTAIN || sum < -CERTAIN)
        return sum > 0 ? 1 : -1;
    return exact == 0 ? 0 : exact >> 63 ? -1 : 1;
}

static bool sees(const hull *h, const face *f, uint32_t point)
{
    double height;
    return side_of(h, f, point, &height) > 0;
}

/* -- Faces -------------------------------------------------------------- */

static uint32_t add_face(hull *h, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t at = h->free_face;
    if (at != NO_FACE) {
        h->free_face = h->faces[at].neighbors[0];
    } else {
        if (!grow(&h->faces, h->face_count, &h->face_space, sizeof *h->faces))
            return NO_FACE;
        at = h->face_count++;
    }
    face *f = &h->faces[at];
    memset(f, 0, sizeof *f);
    f->corners[0] = a;
    f->corners[1] = b;
    f->corners[2] = c;
    f->is_live = true;
    f->number = ++h->made;
    set_normal(h, f);
    return at;
}

static void remove_face(hull *h, uint32_t at)
{
    face *f = &h->faces[at];
    free(f->points);
    f->points = NULL;
    f->count = 0;
    f->is_live = f->is_visible = false;
    f->neighbors[0] = h->free_face;
    h->free_face = at;
}

/* Position of the edge of a face that begins at a corner. */
static int edge_from(const face *f, uint32_t corner)
{
    return f->corners[0] == corner ? 0 : f->corners[1] == corner ? 1 : 2;
}

/* -- Points that see a face --------------------------------------------- */

static uint32_t choose(hull *h, uint32_t at, const uint32_t *points, uint32_t count,
                       uint32_t chosen, candidate *farthest)
{
    const face *f = &h->faces[at];
    for (uint32_t i = 0; i < count; i++) {
        uint32_t point = points[i];
        double height;
        if (h->tested[point] == f->number)
            continue;
        h->tested[point] = f->number;
        if (side_of(h, f, point, &height) <= 0)
            continue;
        h->chosen[chosen++] = point;
        h->owner[point] = at;
        if (point < h->job->count && height > farthest->height) {
            farthest->height = height;
            farthest->point = point;
        }
    }
    return chosen;
}

static bool is_lower(const candidate *a, const candidate *b)
{
    return a->height < b->height || (a->height == b->height && a->number > b->number);
}

static bool push_candidate(hull *h, candidate c)
{
    if (!grow(&h->heap, h->heap_count, &h->heap_space, sizeof *h->heap))
        return false;
    uint32_t at = h->heap_count++;
    for (; at > 0 && is_lower(&h->heap[(at - 1) / 2], &c); at = (at - 1) / 2)
        h->heap[at] = h->heap[(at - 1) / 2];
    h->heap[at] = c;
    return true;
}

static candidate pop_candidate(hull *h)
{
    const candidate top = h->heap[0], last = h->heap[--h->heap_count];
    uint32_t at = 0;
    for (uint32_t child; (child = 2 * at + 1) < h->heap_count; at = child) {
        if (child + 1 < h->heap_count && is_lower(&h->heap[child], &h->heap[child + 1]))
            child++;
        if (!is_lower(&last, &h->heap[child]))
            break;
        h->heap[at] = h->heap[child];
    }
    h->heap[at] = last;
    return top;
}

/* Store the first `count` chosen points as those that see a face. */
static bool store_points(hull *h, uint32_t at, uint32_t count, candidate farthest)
{
    face *f = &h->faces[at];
    if (count == 0)
        return true;
    f->points = malloc(count * sizeof *f->points);
    if (!f->points)
        return false;
    memcpy(f->points, h->chosen, count * sizeof *f->points);
    f->count = count;
    if (h->job->limit == 0 || !(farthest.height > 0))
        return true;
    farthest.height /= sqrt(facet_dot(f->normal, f->normal));
    farthest.face = at;
    farthest.number = f->number;
    return push_candidate(h, farthest);
}

/* -- Adding a point ----------------------------------------------------- */

/* Collect the faces that a point sees, and the edges around them. */
static bool find_visible(hull *h, uint32_t point, uint32_t first)
{
    h->visible_count = h->edge_count = 0;
    if (!grow(&h->visible, 0, &h->visible_space, sizeof *h->visible))
        return false;
    h->visible[h->visible_count++] = first;
    h->faces[first].is_visible = true;
    for (uint32_t i = 0; i < h->visible_count; i++) {
        const face *f = &h->faces[h->visible[i]];
        for (int k = 0; k < 3; k++) {
            face *next = &h->faces[f->neighbors[k]];
            if (next->is_visible)
                continue;
            if (sees(h, next, point)) {
                if (!grow(&h->visible, h->visible_count, &h->visible_space, sizeof *h->visible))
                    return false;
                next->is_visible = true;
                h->visible[h->visible_count++] = f->neighbors[k];
                continue;
            }
            if (!grow(&h->edges, h->edge_count, &h->edge_space, sizeof *h->edges))
                return false;
            h->edges[h->edge_count++] = (horizon_edge){f->corners[k], f->corners[(k + 1) % 3],
                                                       h->visible[i], f->neighbors[k]};
        }
    }
    return true;
}

static bool connect_face(hull *h, const horizon_edge *edge, uint32_t point)
{
    uint32_t at = add_face(h, edge->from, edge->to, point);
    if (at == NO_FACE)
        return false;
    h->faces[at].neighbors[0] = edge->outer;
    h->starts[edge->from] = at;
    face *outer = &h->faces[edge->outer];
    outer->neighbors[edge_from(outer, edge->to)] = at;
    candidate farthest = {0};
    const face *inner = &h->faces[edge->inner];
    uint32_t count = choose(h, at, inner->points, inner->count, 0, &farthest);
    count = choose(h, at, outer->points, outer->count, count, &farthest);
    return store_points(h, at, count, farthest);
}

static bool add_point(hull *h, uint32_t point)
{
    uint32_t first = h->owner[point];
    if (!h->faces[first].is_live || !sees(h, &h->faces[first], point))
        return true; /* inside, or on the surface */
    if (!find_visible(h, point, first))
        return false;
    for (uint32_t i = 0; i < h->edge_count; i++) {
        if (!connect_face(h, &h->edges[i], point))
            return false;
    }
    for (uint32_t i = 0; i < h->edge_count; i++) {
        uint32_t at = h->starts[h->edges[i].from], next = h->starts[h->edges[i].to];
        h->faces[at].neighbors[1] = next;
        h->faces[next].neighbors[2] = at;
    }
    for (uint32_t i = 0; i < h->visible_count; i++)
        remove_face(h, h->visible[i]);
    h->corner_count++;
    return true;
}

/* -- The first tetrahedron ---------------------------------------------- */

/* The point of the order that is farthest from the first `count` known ones: from the point, the
 * line or the plane through them. */
static uint32_t farthest_from(const hull *h, const uint32_t *known, int count)
{
    double best = -1, edges[2][3] = {{0}}, normal[3];
    uint32_t found = 0;
    for (int i = 1; i < count; i++) {
        for (int k = 0; k < 3; k++)
            edges[i - 1][k] = (double)(h->at[known[i]][k] - h->at[known[0]][k]);
    }
    facet_cross(edges[0], edges[1], normal);
    for (uint32_t i = 0; i < h->order_count; i++) {
        double from[3], across[3];
        for (int k = 0; k < 3; k++)
            from[k] = (double)(h->at[h->order[i]][k] - h->at[known[0]][k]);
        facet_cross(edges[0], from, across);
        double far = count == 1   ? facet_dot(from, from)
                     : count == 2 ? facet_dot(across, across)
                                  : fabs(facet_dot(normal, from));
        if (far > best) {
            best = far;
            found = h->order[i];
        }
    }
    return found;
}

/* False if out of memory. *is_flat: all points are in one plane. */
static bool begin(hull *h, bool *is_flat)
{
    uint32_t four[4], faces[4], total = h->job->count + h->job->other_count;
    four[0] = h->order[0];
    for (int i = 1; i < 4; i++)
        four[i] = farthest_from(h, four, i);
    static const uint8_t corners[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
    face first = {.corners = {four[0], four[1], four[2]}};
    double height;
    set_normal(h, &first);
    int side = side_of(h, &first, four[3], &height);
    *is_flat = side == 0;
    if (*is_flat)
        return true;
    if (side > 0) {
        uint32_t swapped = four[1];
        four[1] = four[2];
        four[2] = swapped;
    }
    for (int i = 0; i < 4; i++) {
        faces[i] = add_face(h, four[corners[i][0]], four[corners[i][1]], four[corners[i][2]]);
        if (faces[i] == NO_FACE)
            return false;
    }
    for (int i = 0; i < 12; i++) {
        face *f = &h->faces[faces[i / 3]];
        for (int other = 0; other < 4; other++) {
            const face *g = &h->faces[faces[other]];
            int k = edge_from(g, f->corners[(i % 3 + 1) % 3]);
            if (g->corners[k] == f->corners[(i % 3 + 1) % 3] &&
                g->corners[(k + 1) % 3] == f->corners[i % 3])
                f->neighbors[i % 3] = faces[other];
        }
    }
    for (int i = 0; i < 4; i++) {
        candidate farthest = {0};
        uint32_t count = choose(h, faces[i], h->order, h->order_count, 0, &farthest);
        for (uint32_t other = h->job->count; other < total; other++)
            count = choose(h, faces[i], &other, 1, count, &farthest);
        if (!store_points(h, faces[i], count, farthest))
            return false;
    }
    h->corner_count = 4;
    return true;
}

/* -- The whole hull ----------------------------------------------------- */

/* The next number of a sequence that looks random (SplitMix64). */
static uint64_t next_random(uint64_t *state)
{
    uint64_t x = *state += UINT64_C(0x9E3779B97F4A7C15);
    x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
    return x ^ x >> 31;
}

/* Shuffle the points. All coordinates are the seed, so that nobody can prepare a slow order. */
static void shuffle(hull *h)
{
    uint64_t state = h->order_count;
    for (uint32_t i = 0; i < h->order_count; i++) {
        for (int k = 0; k < 3; k++) {
            state ^= (uint64_t)h->at[h->order[i]][k];
            state = next_random(&state);
        }
    }
    for (uint32_t i = h->order_count; i > 1; i--) {
        uint32_t j = (uint32_t)(next_random(&state) % i), swapped = h->order[i - 1];
        h->order[i - 1] = h->order[j];
        h->order[j] = swapped;
    }
}

static void clear(hull *h)
{
    for (uint32_t i = 0; i < h->face_count; i++)
        free(h->faces[i].points);
    h->face_count = h->heap_count = 0;
    h->free_face = NO_FACE;
}

/* Add the points of the order, or those farthest outside up to the limit. */
static bool run(hull *h, bool *is_flat)
{
    const size_t total = (size_t)h->job->count + h->job->other_count;
    clear(h);
    memset(h->owner, 0, total * sizeof *h->owner);
    memset(h->tested, 0, total * sizeof *h->tested);
    h->made = 0;
    shuffle(h);
    if (!begin(h, is_flat))
        return false;
    if (*is_flat)
        return true;
    if (h->job->limit == 0) {
        for (uint32_t i = 0; i < h->order_count; i++) {
            if (!add_point(h, h->order[i]))
                return false;
        }
        return true;
    }
    while (h->heap_count > 0 && h->corner_count < h->job->limit) {
        candidate next = pop_candidate(h);
        const face *f = &h->faces[next.face];
        if (f->is_live && f->number == next.number && !add_point(h, next.point))
            return false;
    }
    return true;
}

/* Leave only the points in the order that are ends of three edges between planes, ascending, and
 * return true if others were corners of faces. Those are on a face or an edge of the hull. */
static bool leave_corners(hull *h)
{
    uint32_t *sharp = h->chosen, used = 0, kept = 0;
    memset(sharp, 0, h->job->count * sizeof *sharp);
    memset(h->starts, 0, h->job->count * sizeof *h->starts); /* 1: corner of a face */
    for (uint32_t i = 0; i < h->face_count; i++) {
        const face *f = &h->faces[i];
        for (int k = 0; k < 3 && f->is_live; k++) {
            const face *next = &h->faces[f->neighbors[k]];
            uint32_t across = next->corners[(edge_from(next, f->corners[k]) + 1) % 3];
            double height;
            used += h->starts[f->corners[k]] == 0;
            h->starts[f->corners[k]] = 1;
            sharp[f->corners[k]] += side_of(h, f, across, &height) != 0;
        }
    }
    for (uint32_t i = 0; i < h->job->count; i++) {
        if (sharp[i] >= 3)
            h->order[kept++] = i;
    }
    h->order_count = kept;
    return kept < used;
}

/* -- Results ------------------------------------------------------------ */

static double volume_of(const hull *h, const uint32_t *triangles, uint32_t count)
{
    const double *points = h->job->points, *origin = points + 3 * (size_t)h->order[0];
    double sum = 0;
    for (uint32_t t = 0; t < count; t++) {
        double to[3][3], normal[3];
        for (int i = 0; i < 3; i++)
            facet_subtract(points + 3 * (size_t)triangles[3 * (size_t)t + i], origin, to[i]);
        facet_cross(to[0], to[1], normal);
        sum += facet_dot(normal, to[2]);
    }
    return sum / 6;
}

/* Distance of the farthest of the others that see a face. */
static bool measure_others(hull *h, const uint32_t *triangles, uint32_t count)
{
    static const double range[2] = {0, 0};
    facet_convex_job *job = h->job;
    facet_arena *arena = NULL;
    facet_surface_tree tree;
    facet_surface_hints hints = {.count = 0};
    uint64_t visits = 0;
    for (uint32_t i = 0; i < job->other_count; i++) {
        uint32_t owner = h->owner[job->count + i];
        if (!h->faces[owner].is_live || !sees(h, &h->faces[owner], job->count + i))
            continue;
        if (!arena && (facet_arena_create(NULL, &arena, NULL) ||
                       facet_surface_tree_build(job->points, triangles, count, NULL, "hulls", range,
                                                arena, &tree, NULL))) {
            facet_arena_free(arena);
            return false;
        }
        double nearest[3];
        double distance =
            facet_surface_distance(&tree, job->others + 3 * (size_t)i, 0, &hints, nearest, &visits);
        job->distance = distance > job->distance ? distance : job->distance;
    }
    facet_arena_free(arena);
    return true;
}

static bool give_results(hull *h)
{
    facet_convex_job *job = h->job;
    uint32_t count = 0, *own = NULL, *triangles = job->triangles;
    if (!triangles && !(triangles = own = malloc((size_t)h->face_count * 3 * sizeof *own)))
        return false;
    for (uint32_t i = 0; i < h->face_count; i++) {
        if (h->faces[i].is_live)
            memcpy(triangles + 3 * (size_t)count++, h->faces[i].corners, 3 * sizeof *triangles);
    }
    job->volume = volume_of(h, triangles, count);
    bool measured = measure_others(h, triangles, count);
    if (job->triangles)
        job->triangle_count = count;
    free(own);
    return measured;
}

/* -- Rounding ----------------------------------------------------------- */

/* Largest coordinate, not finite if one is not. */
static double largest_of(const double *points, uint32_t count)
{
    double largest = 0;
    for (size_t i = 0; i < 3 * (size_t)count; i++)
        largest = fabs(points[i]) <= largest ? largest : fabs(points[i]);
    return largest;
}

static void round_points(const double *points, uint32_t count, int exponent, int64_t (*rounded)[3])
{
    for (size_t i = 0; i < 3 * (size_t)count; i++)
        rounded[i / 3][i % 3] = (int64_t)floor(ldexp(points[i], BITS - exponent) + 0.5);
}

static bool solve(hull *h)
{
    facet_convex_job *job = h->job;
    const size_t total = (size_t)job->count + job->other_count;
    const double largest =
        fmax(largest_of(job->points, job->count), largest_of(job->others, job->other_count));
    int exponent;
    job->is_flat = !(largest < INFINITY);
    if (job->is_flat)
        return true;
    frexp(largest, &exponent);
    if (total > UINT32_MAX / 2 || !(h->at = malloc(total * sizeof *h->at)) ||
        !(h->order = malloc(job->count * sizeof *h->order)) ||
        !(h->owner = malloc(total * sizeof *h->owner)) ||
        !(h->tested = malloc(total * sizeof *h->tested)) ||
        !(h->starts = malloc(job->count * sizeof *h->starts)) ||
        !(h->chosen = malloc(total * sizeof *h->chosen)))
        return false;
    round_points(job->points, job->count, exponent, h->at);
    round_points(job->others, job->other_count, exponent, h->at + job->count);
    for (uint32_t i = 0; i < job->count; i++)
        h->order[i] = i;
    h->order_count = job->count;
    if (!run(h, &job->is_flat))
        return false;
    if (job->is_flat)
        return true;
    if (leave_corners(h)) { /* repeat it with the corners */
        if (!run(h, &job->is_flat))
            return false;
        leave_corners(h);
    }
    for (uint32_t i = 0; i < h->order_count && job->corners; i++)
        job->corners[i] = h->order[i];
    job->corner_count = job->corners ? h->order_count : 0;
    return give_results(h);
}

void facet_many_points_solve(facet_convex_job *job)
{
    hull h = {.job = job, .free_face = NO_FACE};
    job->failed = !solve(&h);
    clear(&h);
    free(h.faces);
    free(h.heap);
    free(h.edges);
    free(h.visible);
    free(h.chosen);
    free(h.starts);
    free(h.tested);
    free(h.owner);
    free(h.order);
    free(h.at);
}
