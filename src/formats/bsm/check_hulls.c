/* formats/bsm/check_hulls.c - rules for collision hulls and for the occluder. */
#include "base/arena.h"
#include "base/error.h"
#include "base/size.h"
#include "formats/bsm/check.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* -- The shape of a hull ------------------------------------------------ */

/* Limits of the close checks. Hulls can overlap, so a small file could require endless work. */
#define MAX_POINTS 256 /* of a hull, for the search of interior points */
/* Comparisons of points with planes, for all hulls together: a hull of 64 points needs about 5,000
 * for each point. */
#define MAX_STEPS(points) ((UINT64_C(1) << 20) + UINT64_C(32768) * (points))

static facet_bsm_vector hull_point(const facet_bsm_checker *checker, uint32_t point)
{
    return facet_bsm_load_vector(facet_bsm_record(checker, FACET_BSM_HULL_POINTS, point));
}

/* The point of a hull that is farthest from something, and its distance. */
typedef struct farthest {
    facet_bsm_vector point;
    double distance;
} farthest;

/* Distance of a point from a point, or from the line or plane through a point with a unit direction
 * or normal. */
static double from_point(facet_bsm_vector d, facet_bsm_vector unit)
{
    (void)unit;
    return sqrt(facet_bsm_dot(d, d));
}

static double from_line(facet_bsm_vector d, facet_bsm_vector unit)
{
    return from_point(facet_bsm_cross(d, unit), unit);
}

static double from_plane(facet_bsm_vector d, facet_bsm_vector unit)
{
    return fabs(facet_bsm_dot(d, unit));
}

static farthest find_farthest(const facet_bsm_checker *checker, facet_bsm_hull hull,
                              facet_bsm_vector origin, facet_bsm_vector unit,
                              double (*measure)(facet_bsm_vector d, facet_bsm_vector unit))
{
    farthest found = {origin, 0};
    for (uint32_t i = 0; i < hull.point_count; i++) {
        facet_bsm_vector p = hull_point(checker, hull.first_point + i);
        double distance = measure(facet_bsm_subtract(p, origin), unit);
        if (distance > found.distance) {
            found.distance = distance;
            found.point = p;
        }
    }
    return found;
}

static facet_bsm_vector unit_of(facet_bsm_vector v)
{
    double length = sqrt(facet_bsm_dot(v, v));
    facet_bsm_vector unit = {v.x / length, v.y / length, v.z / length};
    return unit;
}

/* True if the points have no volume: all are within a millionth of the hull's size of one plane. */
static bool is_flat(const facet_bsm_checker *checker, facet_bsm_hull hull)
{
    const facet_bsm_vector none = {0, 0, 0};
    facet_bsm_vector origin = hull_point(checker, hull.first_point);
    farthest end = find_farthest(checker, hull, origin, none, from_point);
    double tolerance = 1e-6 * end.distance;
    if (!(end.distance > 0))
        return true;
    facet_bsm_vector line = unit_of(facet_bsm_subtract(end.point, origin));
    farthest side = find_farthest(checker, hull, origin, line, from_line);
    if (!(side.distance > tolerance))
        return true;
    facet_bsm_vector plane = unit_of(facet_bsm_cross(line, facet_bsm_subtract(side.point, origin)));
    return !(find_farthest(checker, hull, origin, plane, from_plane).distance > tolerance);
}

/* -- Interior points ---------------------------------------------------- */

typedef struct hull_points {
    facet_bsm_vector at[MAX_POINTS];
    bool on_surface[MAX_POINTS];
    uint32_t count;
    double tolerance;
    uint64_t steps; /* remaining steps for all hulls; 0 ends the search */
} hull_points;

/* If all other points are on one side of the plane through three points, mark the points in the
 * plane. */
static void try_plane(hull_points *points, uint32_t i, uint32_t j, uint32_t k)
{
    facet_bsm_vector normal = facet_bsm_cross(facet_bsm_subtract(points->at[j], points->at[i]),
                                              facet_bsm_subtract(points->at[k], points->at[i]));
    double limit = points->tolerance * sqrt(facet_bsm_dot(normal, normal));
    bool above = false, below = false;
    uint64_t most = (uint64_t)points->count * 2;
    points->steps = points->steps > most ? points->steps - 2 : 0;
    if (!(limit > 0) || points->steps == 0)
        return;
    for (uint32_t p = 0; p < points->count && !(above && below); p++) {
        double along = facet_bsm_dot(normal, facet_bsm_subtract(points->at[p], points->at[i]));
        points->steps--;
        above = above || along > limit;
        below = below || along < -limit;
    }
    if (above && below)
        return;
    points->steps -= points->count;
    for (uint32_t p = 0; p < points->count; p++) {
        double along = facet_bsm_dot(normal, facet_bsm_subtract(points->at[p], points->at[i]));
        if (fabs(along) <= limit)
            points->on_surface[p] = true;
    }
}

/* Mark the points on the surface: those in a plane with two others that has all points on one side.
 * Cubic, but hulls have a few dozen points. */
static void find_surface(hull_points *points)
{
    for (uint32_t i = 0; i < points->count && points->steps > 0; i++) {
        for (uint32_t j = 0; j < points->count && !points->on_surface[i]; j++) {
            for (uint32_t k = j + 1;
                 k < points->count && !points->on_surface[i] && points->steps > 0; k++) {
                if (j != i && k != i)
                    try_plane(points, i, j, k);
            }
        }
    }
}

static void load_points(const facet_bsm_checker *checker, facet_bsm_hull hull, hull_points *points)
{
    double size = 0;
    memset(points, 0, sizeof *points);
    points->count = hull.point_count;
    for (uint32_t i = 0; i < hull.point_count; i++) {
        points->at[i] = hull_point(checker, hull.first_point + i);
        facet_bsm_vector d = facet_bsm_subtract(points->at[i], points->at[0]);
        size = fmax(size, sqrt(facet_bsm_dot(d, d)));
    }
    points->tolerance = 1e-5 * size;
}

static bool search_interior(const facet_bsm_checker *checker, facet_bsm_hull hull, uint64_t *steps,
                            facet_tally *interior)
{
    hull_points points;
    load_points(checker, hull, &points);
    points.steps = *steps;
    find_surface(&points);
    *steps = points.steps;
    for (uint32_t i = 0; i < points.count && points.steps > 0; i++) {
        if (!points.on_surface[i])
            facet_tally_hit(interior, hull.first_point + i);
    }
    return points.steps > 0;
}

/* -- Hulls -------------------------------------------------------------- */

typedef struct hull_tallies {
    facet_tally range, small, interior, skipped;
} hull_tallies;

static facet_bsm_hull load_hull(const facet_bsm_checker *checker, uint32_t index)
{
    const uint8_t *record = facet_bsm_record(checker, FACET_BSM_HULLS, index);
    facet_bsm_hull hull = {facet_load_u32le(record), facet_load_u32le(record + 4)};
    return hull;
}

static void check_shapes(const facet_bsm_checker *checker, hull_tallies *found)
{
    uint64_t budget = (uint64_t)checker->layout.count[FACET_BSM_HULL_POINTS] * 4 + 4096;
    uint64_t steps = MAX_STEPS((uint64_t)checker->layout.count[FACET_BSM_HULL_POINTS]);
    for (uint32_t i = 0; i < checker->layout.count[FACET_BSM_HULLS]; i++) {
        facet_bsm_hull hull = load_hull(checker, i);
        if (!facet_range_fits(hull.first_point, hull.point_count, 1,
                              (uint64_t)checker->stated[FACET_BSM_HULL_POINTS])) {
            facet_tally_hit(&found->range, i);
            continue;
        }
        if (hull.point_count < 4) {
            facet_tally_hit(&found->small, i);
            continue;
        }
        if (!checker->layout.raw[FACET_BSM_HULL_POINTS])
            continue;
        if (hull.point_count > budget) {
            facet_tally_hit(&found->skipped, i);
            continue;
        }
        budget -= hull.point_count;
        if (is_flat(checker, hull))
            facet_tally_hit(&found->small, i);
        else if (hull.point_count > MAX_POINTS ||
                 !search_interior(checker, hull, &steps, &found->interior))
            facet_tally_hit(&found->skipped, i);
    }
}

/* Find points in no hull: count starts and ends of hulls. */
static facet_status check_unused(facet_bsm_checker *checker, facet_error *error)
{
    uint32_t count = checker->layout.count[FACET_BSM_HULL_POINTS], inside = 0;
    size_t space = (size_t)count + 1;
    facet_tally unused = {0, 0};
    uint32_t *changes = facet_arena_allocate_zeroed(checker->arena, space, sizeof *changes);
    if (!changes)
        return facet_fail_arena(checker->arena, error);
    for (uint32_t i = 0; i < checker->layout.count[FACET_BSM_HULLS]; i++) {
        facet_bsm_hull hull = load_hull(checker, i);
        if (!facet_range_fits(hull.first_point, hull.point_count, 1, count))
            continue;
        changes[hull.first_point]++;
        changes[hull.first_point + hull.point_count]--;
    }
    for (uint32_t i = 0; i < count; i++) {
        inside += changes[i];
        if (inside == 0)
            facet_tally_hit(&unused, i);
    }
    facet_arena_release(checker->arena, changes, space, sizeof *changes);
    facet_report_add_tally(checker->report, "BSM-HULL-UNUSED", FACET_SEVERITY_NOTE,
                           facet_bsm_offset_of(checker, FACET_BSM_HULL_POINTS, unused.first),
                           &unused, "hull point %" PRIu64 " is in no hull", unused.first);
    return FACET_OK;
}

facet_status facet_bsm_check_hulls(facet_bsm_checker *checker, facet_error *error)
{
    const facet_bsm_array hulls = FACET_BSM_HULLS, points = FACET_BSM_HULL_POINTS;
    hull_tallies found;
    memset(&found, 0, sizeof found);
    if (checker->stated[points] >= 0)
        check_shapes(checker, &found);
    facet_report *report = checker->report;
    facet_report_add_tally(report, "BSM-HULL-RANGE", FACET_SEVERITY_ERROR,
                           facet_bsm_offset_of(checker, hulls, found.range.first), &found.range,
                           "hull %" PRIu64 " reaches beyond the hull points", found.range.first);
    facet_report_add_tally(report, "BSM-HULL-SMALL", FACET_SEVERITY_WARNING,
                           facet_bsm_offset_of(checker, hulls, found.small.first), &found.small,
                           "hull %" PRIu64 " has no volume", found.small.first);
    facet_report_add_tally(
        report, "BSM-HULL-INTERIOR", FACET_SEVERITY_NOTE,
        facet_bsm_offset_of(checker, points, found.interior.first), &found.interior,
        "hull point %" PRIu64 " is not on the surface of its hull", found.interior.first);
    facet_report_add_tally(report, "BSM-HULL-INTERIOR", FACET_SEVERITY_NOTE,
                           facet_bsm_offset_of(checker, hulls, found.skipped.first), &found.skipped,
                           "hull %" PRIu64 " was not searched for interior points: too many points",
                           found.skipped.first);
    /* Not reported if an array is missing. */
    if (checker->layout.count[hulls] != checker->stated[hulls] ||
        checker->layout.count[points] != checker->stated[points])
        return FACET_OK;
    return check_unused(checker, error);
}

/* -- Occluder ----------------------------------------------------------- */

static facet_tally find_outside(const facet_bsm_checker *checker)
{
    facet_tally outside = {0, 0};
    facet_bsm_box box = facet_bsm_tolerant_box(&checker->layout);
    for (int axis = 0; axis < 3; axis++) {
        if (checker->layout.minimum[axis] > checker->layout.maximum[axis])
            return outside; /* the box is missing */
    }
    for (uint32_t i = 0; i < checker->layout.count[FACET_BSM_OCCLUDER_POSITIONS]; i++) {
        const uint8_t *at = facet_bsm_record(checker, FACET_BSM_OCCLUDER_POSITIONS, i);
        if (facet_bsm_outside(&box, facet_bsm_load_vector(at)))
            facet_tally_hit(&outside, i);
    }
    return outside;
}

facet_status facet_bsm_check_occluder(facet_bsm_checker *checker, facet_error *error)
{
    const facet_bsm_array triangles = FACET_BSM_OCCLUDER_TRIANGLES;
    const facet_bsm_array positions = FACET_BSM_OCCLUDER_POSITIONS;
    facet_report *report = checker->report;
    facet_tally range = {0, 0}, degenerate = {0, 0}, outside = find_outside(checker);
    int64_t vertices = checker->stated[positions];
    if (vertices < 0)
        return FACET_OK;
    uint64_t *used = facet_bsm_marks_create(checker, checker->layout.count[positions], error);
    if (!used)
        return facet_fail_arena(checker->tables.arena, error);
    for (uint32_t i = 0; i < checker->layout.count[triangles]; i++) {
        const uint8_t *at = facet_bsm_record(checker, triangles, i);
        uint32_t a = facet_load_u32le(at), b = facet_load_u32le(at + 4);
        uint32_t c = facet_load_u32le(at + 8);
        if (a >= vertices || b >= vertices || c >= vertices) {
            facet_tally_hit(&range, i);
            continue;
        }
        if (a == b || b == c || c == a)
            facet_tally_hit(&degenerate, i);
        if (checker->layout.raw[positions]) {
            facet_bsm_mark(used, a);
            facet_bsm_mark(used, b);
            facet_bsm_mark(used, c);
        }
    }
    facet_tally unused = facet_bsm_marks_finish(checker, used, checker->layout.count[positions]);
    facet_report_add_tally(report, "BSM-OCC-INDEX-RANGE", FACET_SEVERITY_ERROR,
                           facet_bsm_offset_of(checker, triangles, range.first), &range,
                           "occluder triangle %" PRIu64 " has an index outside the %" PRId64
                           " occluder positions",
                           range.first, vertices);
    facet_report_add_tally(report, "BSM-OCC-DEGENERATE", FACET_SEVERITY_WARNING,
                           facet_bsm_offset_of(checker, triangles, degenerate.first), &degenerate,
                           "occluder triangle %" PRIu64 " has two equal indices", degenerate.first);
    if (checker->layout.count[triangles] == checker->stated[triangles])
        facet_report_add_tally(report, "BSM-OCC-UNUSED", FACET_SEVERITY_NOTE,
                               facet_bsm_offset_of(checker, positions, unused.first), &unused,
                               "occluder position %" PRIu64 " is in no triangle", unused.first);
    facet_report_add_tally(report, "BSM-OCC-OUTSIDE", FACET_SEVERITY_NOTE,
                           facet_bsm_offset_of(checker, positions, outside.first), &outside,
                           "occluder position %" PRIu64 " lies outside the bounding box",
                           outside.first);
    return FACET_OK;
}
