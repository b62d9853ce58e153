/* formats/bsm/check_bounds.c - the rules for the header's box and sphere. */
#include "formats/bsm/check.h"

#include <inttypes.h>
#include <math.h>

static facet_bsm_vector position(const facet_bsm_checker *checker, uint32_t vertex)
{
    return facet_bsm_load_vector(facet_bsm_record(checker, FACET_BSM_POSITIONS, vertex));
}

/* A range of vertices. */
typedef struct part {
    uint32_t begin, end;
    const facet_bsm_block *block; /* result of the survey, or NULL */
} part;

/* Advance to the next part; the first call needs an all-zero part. False at the end. */
static bool next_part(const facet_bsm_checker *checker, part *p)
{
    const facet_bsm_survey *survey = &checker->survey;
    uint32_t count = checker->layout.count[FACET_BSM_POSITIONS], i = p->end / FACET_BSM_BLOCK;
    p->begin = p->end;
    p->end = count;
    p->block = NULL;
    if (p->begin == count || !survey->blocks)
        return p->begin < count;
    if (i + 1 < survey->block_count)
        p->end = p->begin + FACET_BSM_BLOCK;
    if (!(survey->blocks[i].doubts & FACET_BSM_DOUBT_NUMBERS))
        p->block = &survey->blocks[i];
    return true;
}

/* The largest distance of a position from `center`. */
static double reach_from(const facet_bsm_checker *checker, facet_bsm_vector center)
{
    double farthest = 0;
    for (uint32_t i = 0; i < checker->layout.count[FACET_BSM_POSITIONS]; i++) {
        facet_bsm_vector d = facet_bsm_subtract(position(checker, i), center);
        double squared = facet_bsm_dot(d, d);
        farthest = squared > farthest ? squared : farthest;
    }
    return sqrt(farthest);
}

/* -- Box ---------------------------------------------------------------- */

facet_bsm_box facet_bsm_tolerant_box(const facet_bsm_layout *layout)
{
    facet_bsm_vector size = {(double)layout->maximum[0] - (double)layout->minimum[0],
                             (double)layout->maximum[1] - (double)layout->minimum[1],
                             (double)layout->maximum[2] - (double)layout->minimum[2]};
    double tolerance = 1e-5 * sqrt(facet_bsm_dot(size, size));
    facet_bsm_box box;
    for (int axis = 0; axis < 3; axis++) {
        box.minimum[axis] = (double)layout->minimum[axis] - tolerance;
        box.maximum[axis] = (double)layout->maximum[axis] + tolerance;
    }
    return box;
}

static bool check_box_order(facet_bsm_checker *checker)
{
    const facet_bsm_layout *layout = &checker->layout;
    bool ordered = true;
    for (int axis = 0; axis < 3; axis++) {
        if (layout->minimum[axis] > layout->maximum[axis]) {
            ordered = false;
            facet_report_add(checker->report, "BSM-BOX-ORDER", FACET_SEVERITY_ERROR,
                             FACET_BSM_AT_BOX + 4 * (uint64_t)axis,
                             "the bounding box ends at %c = %g before it begins, at %g",
                             "xyz"[axis], (double)layout -> maximum[axis],
                             (double)layout -> minimum[axis]);
        }
    }
    return ordered;
}

static void check_box_loose(facet_bsm_checker *checker, const facet_bsm_box *exact)
{
    const facet_bsm_layout *layout = &checker->layout;
    double squared = 0, slack = 0;
    for (int axis = 0; axis < 3; axis++) {
        double side = exact->maximum[axis] - exact->minimum[axis];
        double below = exact->minimum[axis] - (double)layout->minimum[axis];
        double above = (double)layout->maximum[axis] - exact->maximum[axis];
        squared += side * side;
        slack = fmax(slack, fmax(below, above));
    }
    if (slack > 1e-3 * sqrt(squared))
        facet_report_add(checker->report, "BSM-BOX-LOOSE", FACET_SEVERITY_NOTE, FACET_BSM_AT_BOX,
                         "the bounding box reaches %g beyond the positions", slack);
}

static bool lies_inside(const facet_bsm_block *block, const facet_bsm_box *box)
{
    bool inside = true;
    for (int axis = 0; axis < 3; axis++)
        inside = inside && (double)block->low[axis] >= box->minimum[axis] &&
                 (double)block->high[axis] <= box->maximum[axis];
    return inside;
}

static void widen(facet_bsm_box *box, int axis, double low, double high)
{
    box->minimum[axis] = low < box->minimum[axis] ? low : box->minimum[axis];
    box->maximum[axis] = high > box->maximum[axis] ? high : box->maximum[axis];
}

static void check_box(facet_bsm_checker *checker)
{
    if (!check_box_order(checker) || checker->layout.count[FACET_BSM_POSITIONS] == 0)
        return;
    facet_bsm_box box = facet_bsm_tolerant_box(&checker->layout);
    facet_bsm_vector start = position(checker, 0);
    facet_bsm_box exact = {{start.x, start.y, start.z}, {start.x, start.y, start.z}};
    facet_tally outside = {0, 0};
    part next = {0};
    while (next_part(checker, &next)) {
        if (next.block && lies_inside(next.block, &box)) {
            for (int axis = 0; axis < 3; axis++)
                widen(&exact, axis, (double)next.block->low[axis], (double)next.block->high[axis]);
            continue;
        }
        for (uint32_t i = next.begin; i < next.end; i++) {
            facet_bsm_vector p = position(checker, i);
            widen(&exact, 0, p.x, p.x);
            widen(&exact, 1, p.y, p.y);
            widen(&exact, 2, p.z, p.z);
            if (facet_bsm_outside(&box, p))
                facet_tally_hit(&outside, i);
        }
    }
    facet_report_add_tally(checker->report, "BSM-BOX-CONTAIN", FACET_SEVERITY_WARNING,
                           facet_bsm_offset_of(checker, FACET_BSM_POSITIONS, outside.first),
                           &outside, "position %" PRIu64 " lies outside the bounding box",
                           outside.first);
    check_box_loose(checker, &exact);
}

/* -- Sphere ------------------------------------------------------------- */

/* Thirteen directions, evenly spread. The points farthest along them are few, and their smallest
 * sphere is close to that of all points (T. Larsson, "Fast and tight fitting bounding spheres",
 * 2008). */
#define DIRECTIONS 13
static const double directions[DIRECTIONS][3] = {
    {1, 0, 0}, {0, 1, 0},  {0, 0, 1}, {1, 1, 0},  {1, -1, 0}, {1, 0, 1},  {1, 0, -1},
    {0, 1, 1}, {0, 1, -1}, {1, 1, 1}, {1, 1, -1}, {1, -1, 1}, {1, -1, -1}};

static void find_extremes(const facet_bsm_checker *checker,
                          facet_bsm_vector extremes[2 * DIRECTIONS])
{
    double low[DIRECTIONS], high[DIRECTIONS];
    for (int d = 0; d < DIRECTIONS; d++) {
        low[d] = INFINITY;
        high[d] = -INFINITY;
        extremes[2 * d] = extremes[2 * d + 1] = position(checker, 0);
    }
    for (uint32_t i = 0; i < checker->layout.count[FACET_BSM_POSITIONS]; i++) {
        facet_bsm_vector p = position(checker, i);
        for (int d = 0; d < DIRECTIONS; d++) {
            double along = p.x * directions[d][0] + p.y * directions[d][1] + p.z * directions[d][2];
            if (along < low[d]) {
                low[d] = along;
                extremes[2 * d] = p;
            }
            if (along > high[d]) {
                high[d] = along;
                extremes[2 * d + 1] = p;
            }
        }
    }
}

/* Center of the smallest sphere around a few points: step toward the farthest one, with decreasing
 * steps (M. Badoiu, K. Clarkson, "Smaller core-sets for balls", 2003). After a thousand steps, the
 * error is about a thousandth. */
static facet_bsm_vector center_of(const facet_bsm_vector *points, size_t count)
{
    facet_bsm_vector center = points[0];
    for (int step = 1; step <= 1000; step++) {
        double farthest = -1;
        facet_bsm_vector towards = {0, 0, 0};
        for (size_t i = 0; i < count; i++) {
            facet_bsm_vector d = facet_bsm_subtract(points[i], center);
            double squared = facet_bsm_dot(d, d);
            if (squared > farthest) {
                farthest = squared;
                towards = d;
            }
        }
        center.x += towards.x / (step + 1);
        center.y += towards.y / (step + 1);
        center.z += towards.z / (step + 1);
    }
    return center;
}

/* Upper bound of the squared distance of a block's positions from a point. */
static double reach_of(const facet_bsm_block *block, facet_bsm_vector from)
{
    const double at[3] = {from.x, from.y, from.z};
    double side[3];
    for (int axis = 0; axis < 3; axis++)
        side[axis] =
            fmax(at[axis] - (double)block->low[axis], (double)block->high[axis] - at[axis]);
    return side[0] * side[0] + side[1] * side[1] + side[2] * side[2];
}

typedef struct farthest {
    facet_bsm_vector position;
    double squared;
} farthest;

static void look_for_farther(const facet_bsm_checker *checker, const part *p, facet_bsm_vector from,
                             farthest *found)
{
    if (p->block && !(reach_of(p->block, from) > found->squared))
        return;
    for (uint32_t i = p->begin; i < p->end; i++) {
        facet_bsm_vector d = facet_bsm_subtract(position(checker, i), from);
        double squared = facet_bsm_dot(d, d);
        if (squared > found->squared) {
            found->squared = squared;
            found->position = position(checker, i);
        }
    }
}

/* The position farthest from `from`. Blocks where it can be are searched first. */
static facet_bsm_vector far_from(const facet_bsm_checker *checker, facet_bsm_vector from)
{
    farthest found = {position(checker, 0), -1};
    part next = {0}, promising = {0};
    while (next_part(checker, &next)) {
        if (next.block &&
            (!promising.block || reach_of(next.block, from) > reach_of(promising.block, from)))
            promising = next;
    }
    look_for_farther(checker, &promising, from, &found);
    next = (part){0};
    while (next_part(checker, &next))
        look_for_farther(checker, &next, from, &found);
    return found.position;
}

static void check_sphere_loose(facet_bsm_checker *checker, facet_bsm_vector center)
{
    facet_bsm_vector extremes[2 * DIRECTIONS];
    /* A sphere around two positions has at least half their distance as radius. This nearly always
     * decides. */
    facet_bsm_vector one = far_from(checker, center), other = far_from(checker, one);
    facet_bsm_vector apart = facet_bsm_subtract(one, other);
    if ((double)checker->layout.radius < 1.199 * 0.5 * sqrt(facet_bsm_dot(apart, apart)))
        return;
    find_extremes(checker, extremes);
    double smallest = reach_from(checker, center_of(extremes, 2 * DIRECTIONS));
    if ((double)checker->layout.radius > 1.2 * smallest)
        facet_report_add(checker->report, "BSM-SPHERE-LOOSE", FACET_SEVERITY_NOTE,
                         FACET_BSM_AT_SPHERE + 12,
                         "the bounding sphere's radius is %g, one of %g suffices",
                         (double)checker->layout.radius, smallest);
}

static void check_sphere(facet_bsm_checker *checker)
{
    const facet_bsm_layout *layout = &checker->layout;
    const uint64_t at = FACET_BSM_AT_SPHERE + 12;
    double radius = (double)layout->radius;
    if (radius < 0)
        facet_report_add(checker->report, "BSM-SPHERE-RADIUS", FACET_SEVERITY_ERROR, at,
                         "the bounding sphere's radius is %g, expected 0 or more", radius);
    if (radius < 0 || layout->count[FACET_BSM_POSITIONS] == 0)
        return;
    if (radius == 0)
        facet_report_add(checker->report, "BSM-SPHERE-ZERO", FACET_SEVERITY_WARNING, at,
                         "the bounding sphere's radius is 0, but there are positions");
    facet_bsm_vector center = facet_bsm_load_vector(layout->data + FACET_BSM_AT_SPHERE);
    double limit = radius + 1e-4 * (radius > 1 ? radius : 1), squared_limit = limit * limit;
    facet_tally outside = {0, 0};
    part next = {0};
    while (next_part(checker, &next)) {
        if (next.block &&
            (double)next.block->farthest * (1 + FACET_BSM_FARTHEST_ERROR) <= squared_limit)
            continue;
        for (uint32_t i = next.begin; i < next.end; i++) {
            facet_bsm_vector d = facet_bsm_subtract(position(checker, i), center);
            if (facet_bsm_dot(d, d) > squared_limit)
                facet_tally_hit(&outside, i);
        }
    }
    facet_report_add_tally(checker->report, "BSM-SPHERE-CONTAIN", FACET_SEVERITY_WARNING,
                           facet_bsm_offset_of(checker, FACET_BSM_POSITIONS, outside.first),
                           &outside, "position %" PRIu64 " lies outside the bounding sphere",
                           outside.first);
    check_sphere_loose(checker, center);
}

void facet_bsm_check_bounds(facet_bsm_checker *checker)
{
    check_box(checker);
    check_sphere(checker);
}
