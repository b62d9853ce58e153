/* mesh/hulls/cuts.c - the search for a plane that leaves little hull volume.
 *
 * The planes across one axis cut space into slabs. One pass over the points and the edges finds
 * the extreme points of each slab. The extreme points on one side of a plane are the best of its
 * slabs. So all planes of an axis cost one pass, and a hull of about fifty points for each side. */
#include "mesh/hulls/decompose.h"
#include "mesh/vector.h"

#include <string.h>

/* -- Extreme points ----------------------------------------------------- */

void facet_directions_spread(facet_directions *directions)
{
    /* A spiral of equal areas, turned so that no direction is on an axis. So the corners of
     * boxes are clearly the extreme points. */
    const double golden = 2.399963229728653; /* pi * (3 - sqrt(5)) */
    for (int i = 0; i < FACET_DIRECTIONS; i++) {
        double z = 1 - (2 * i + 1) / (double)FACET_DIRECTIONS;
        double r = sqrt(1 - z * z);
        directions->x[i] = (float)(r * cos(golden * i + 0.3));
        directions->y[i] = (float)(r * sin(golden * i + 0.3));
        directions->z[i] = (float)z;
    }
}

void facet_directions_fit(const facet_directions *directions, const double *extent,
                          facet_directions *fitted)
{
    double longest = fmax(extent[0], fmax(extent[1], extent[2]));
    float scale[3];
    for (int k = 0; k < 3; k++)
        scale[k] = (float)(longest > 0 ? longest / fmax(extent[k], longest / 64) : 1);
    for (int i = 0; i < FACET_DIRECTIONS; i++) {
        fitted->x[i] = directions->x[i] * scale[0];
        fitted->y[i] = directions->y[i] * scale[1];
        fitted->z[i] = directions->z[i] * scale[2];
    }
}

static void clear_extremes(facet_extremes *extremes)
{
    for (int i = 0; i < FACET_DIRECTIONS; i++)
        extremes->reach[i] = -INFINITY;
    for (int k = 0; k < 3; k++) {
        extremes->low[k] = INFINITY;
        extremes->high[k] = -INFINITY;
    }
}

static void widen(facet_extremes *extremes, const double *low, const double *high)
{
    for (int k = 0; k < 3; k++) {
        extremes->low[k] = low[k] < extremes->low[k] ? low[k] : extremes->low[k];
        extremes->high[k] = high[k] > extremes->high[k] ? high[k] : extremes->high[k];
    }
}

static void extend(facet_extremes *extremes, const facet_directions *directions,
                   const double *point)
{
    float reach[FACET_DIRECTIONS];
    float x = (float)point[0], y = (float)point[1], z = (float)point[2];
    int farther = 0;
    for (int i = 0; i < FACET_DIRECTIONS; i++) {
        reach[i] = directions->x[i] * x + directions->y[i] * y + directions->z[i] * z;
        farther |= reach[i] > extremes->reach[i];
    }
    widen(extremes, point, point);
    if (!farther)
        return;
    for (int i = 0; i < FACET_DIRECTIONS; i++) {
        if (reach[i] > extremes->reach[i]) {
            extremes->reach[i] = reach[i];
            memcpy(extremes->points[i], point, sizeof extremes->points[i]);
        }
    }
}

static void join(facet_extremes *into, const facet_extremes *other)
{
    widen(into, other->low, other->high);
    for (int i = 0; i < FACET_DIRECTIONS; i++) {
        if (other->reach[i] > into->reach[i]) {
            into->reach[i] = other->reach[i];
            memcpy(into->points[i], other->points[i], sizeof into->points[i]);
        }
    }
}

static double extremes_volume(const facet_convex *convex, const facet_extremes *extremes)
{
    double points[FACET_DIRECTIONS][3];
    uint32_t count = 0;
    for (int i = 0; i < FACET_DIRECTIONS; i++) {
        if (extremes->reach[i] == -INFINITY)
            continue;
        uint32_t same = 0;
        while (same < count && memcmp(points[same], extremes->points[i], sizeof points[0]) != 0)
            same++;
        if (same == count)
            memcpy(points[count++], extremes->points[i], sizeof points[0]);
    }
    return facet_convex_volume(convex, points[0], count);
}

/* -- Slabs -------------------------------------------------------------- */

typedef struct slabs {
    double normal[3];
    double offsets[FACET_SLABS - 1]; /* positions of the planes, ascending */
    int planes;
} slabs;

static uint8_t slab_of(const slabs *s, double height)
{
    uint8_t slab = 0;
    for (int i = 0; i < s->planes; i++)
        slab = (uint8_t)(slab + (height > s->offsets[i]));
    return slab;
}

/* The points where an edge passes from one slab to another belong to both. */
static void extend_by_edge(const slabs *s, const facet_directions *directions, const double *a,
                           const double *b, unsigned slab_a, unsigned slab_b,
                           facet_cut_scratch *scratch)
{
    double height_a = facet_dot(s->normal, a), height_b = facet_dot(s->normal, b);
    for (unsigned slab = slab_a; slab < slab_b; slab++) {
        double t = (s->offsets[slab] - height_a) / (height_b - height_a);
        double crossing[3];
        facet_between(a, b, t < 0 ? 0 : t > 1 ? 1 : t, crossing);
        extend(&scratch->slabs[slab], directions, crossing);
        extend(&scratch->slabs[slab + 1], directions, crossing);
    }
}

static void fill_slabs(const slabs *s, const facet_directions *directions,
                       const facet_part_geometry *part, facet_cut_scratch *scratch)
{
    for (int i = 0; i < FACET_SLABS; i++)
        clear_extremes(&scratch->slabs[i]);
    for (uint32_t i = 0; i < part->point_count; i++) {
        const double *point = part->points + 3 * (size_t)i;
        uint8_t slab = slab_of(s, facet_dot(s->normal, point));
        scratch->slab_of_point[i] = slab;
        extend(&scratch->slabs[slab], directions, point);
    }
    for (uint32_t p = 0; p < part->polygon_count; p++) {
        uint32_t first = part->offsets[p], last = part->offsets[p + 1] - 1;
        for (uint32_t c = first; c <= last; c++) {
            uint32_t a = part->corners[c], b = part->corners[c == last ? first : c + 1];
            unsigned slab_a = scratch->slab_of_point[a], slab_b = scratch->slab_of_point[b];
            const double *pa = part->points + 3 * (size_t)a, *pb = part->points + 3 * (size_t)b;
            if (slab_a < slab_b)
                extend_by_edge(s, directions, pa, pb, slab_a, slab_b, scratch);
            else if (slab_b < slab_a)
                extend_by_edge(s, directions, pb, pa, slab_b, slab_a, scratch);
        }
    }
}

/* -- Planes ------------------------------------------------------------- */

/* Often no single plane saves volume, but two or three of them do. For example, a ring must
 * first be cut into sectors. So the volume that remains to be saved counts more if the sides are
 * not compact, as measured by the diagonals of their boxes. */
#define COMPACTNESS 0.5
#define LEAST_EXCESS 0.02

/* A plane through a point of the mesh wins even if it is slightly worse. Extreme points miss the
 * slivers that a plane very near to the right one leaves. */
#define THROUGH_POINTS 0.99

static double diagonal(const facet_extremes *extremes)
{
    double extent[3];
    facet_subtract(extremes->high, extremes->low, extent);
    return sqrt(facet_dot(extent, extent));
}

static void try_planes(const facet_convex *convex, const facet_directions *directions,
                       const facet_part_geometry *part, double solid, const slabs *s, double favor,
                       facet_cut_scratch *scratch, facet_cut *best, double *whole)
{
    fill_slabs(s, directions, part, scratch);
    scratch->above[s->planes] = scratch->slabs[s->planes];
    for (int i = s->planes - 1; i >= 0; i--) {
        scratch->above[i] = scratch->slabs[i];
        join(&scratch->above[i], &scratch->above[i + 1]);
    }
    if (whole)
        *whole = extremes_volume(convex, &scratch->above[0]);
    double weight = COMPACTNESS / diagonal(&scratch->above[0]);
    facet_extremes below;
    clear_extremes(&below);
    for (int i = 0; i < s->planes; i++) {
        join(&below, &scratch->slabs[i]);
        double lower = extremes_volume(convex, &below);
        double upper = extremes_volume(convex, &scratch->above[i + 1]);
        if (!(lower + upper > 0))
            continue;
        double excess = fmax(1 - solid / (lower + upper), LEAST_EXCESS);
        double score =
            lower + upper +
            weight * excess * (lower * diagonal(&below) + upper * diagonal(&scratch->above[i + 1]));
        score *= favor;
        if (score < best->score) {
            memcpy(best->plane.normal, s->normal, sizeof best->plane.normal);
            best->plane.offset = s->offsets[i];
            best->volume = lower + upper;
            best->score = score;
        }
    }
}

/* -- Searching ---------------------------------------------------------- */

static void space_evenly(slabs *s, double low, double high)
{
    s->planes = FACET_SLABS - 1;
    for (int i = 0; i < s->planes; i++)
        s->offsets[i] = low + (high - low) * (i + 1) / FACET_SLABS;
}

void facet_cut_search(const facet_convex *convex, const facet_directions *directions,
                      const facet_part_geometry *part, double solid, const double *normal,
                      facet_cut_scratch *scratch, facet_cut *best, double *whole)
{
    double low = INFINITY, high = -INFINITY;
    slabs s;
    memcpy(s.normal, normal, sizeof s.normal);
    for (uint32_t i = 0; i < part->point_count; i++) {
        double height = facet_dot(normal, part->points + 3 * (size_t)i);
        low = height < low ? height : low;
        high = height > high ? height : high;
    }
    best->volume = best->score = INFINITY;
    best->step = (high - low) / FACET_SLABS;
    *whole = 0;
    if (high - low <= 8 * convex->flat)
        return;
    space_evenly(&s, low, high);
    try_planes(convex, directions, part, solid, &s, 1, scratch, best, whole);
}

/* Place planes through the points whose heights are within best->step of the plane; place no
 * planes if there are too many points. */
static void space_through_points(slabs *s, const facet_part_geometry *part, const facet_cut *best)
{
    const double same = best->step * 1e-6;
    s->planes = 0;
    for (uint32_t i = 0; i < part->point_count; i++) {
        double height = facet_dot(s->normal, part->points + 3 * (size_t)i);
        if (fabs(height - best->plane.offset) > best->step)
            continue;
        int at = 0;
        while (at < s->planes && s->offsets[at] < height - same)
            at++;
        if (at < s->planes && s->offsets[at] <= height + same)
            continue;
        if (s->planes == FACET_SLABS - 1) {
            s->planes = 0;
            return;
        }
        memmove(s->offsets + at + 1, s->offsets + at,
                (size_t)(s->planes - at) * sizeof *s->offsets);
        s->offsets[at] = height;
        s->planes++;
    }
}

void facet_cut_refine(const facet_convex *convex, const facet_directions *directions,
                      const facet_part_geometry *part, double solid, facet_cut_scratch *scratch,
                      facet_cut *best)
{
    slabs s;
    if (best->volume == INFINITY)
        return;
    memcpy(s.normal, best->plane.normal, sizeof s.normal);
    space_evenly(&s, best->plane.offset - best->step, best->plane.offset + best->step);
    try_planes(convex, directions, part, solid, &s, 1, scratch, best, NULL);
    best->step = best->step * 2 / FACET_SLABS;
    space_through_points(&s, part, best);
    if (s.planes > 0)
        try_planes(convex, directions, part, solid, &s, THROUGH_POINTS, scratch, best, NULL);
}
