/* mesh/occluder.c - a coarse mesh that stays inside the surface that it occludes for.
 *
 * Samples on each coarse triangle test whether they are outside of the fine surface, and find
 * its nearest point. From these points, each triangle computes moves for its corners that bring
 * its samples inside. A corner moves by the mean of the moves of its triangles. This repeats
 * until no sample is outside. */
#include <facet/mesh.h>

#include "base/arena.h"
#include "base/budget.h"
#include "base/error.h"
#include "base/report.h"
#include "base/threads.h"
#include "mesh/occluder.h"
#include "mesh/simplify.h"
#include "mesh/surface_tree.h"
#include "mesh/vector.h"
#include "scene/scene.h"

#include <string.h>

#define DEFAULT_TOLERANCE 0.001F

/* Samples form rows along the longest edge of a triangle. */
#define SPACING 0.01 /* share of the diagonal */
#define MAX_STEPS 24
#define FEWEST_STEPS 3

/* Pulling in: most rounds, and the target depth as a share of the tolerance. */
#define ROUNDS 60
#define AIM 0.5

/* Limits of visited nodes in the tree over the fine surface, per unit of the growth limit (16). On
 * surfaces, the samples of one triangle were seen to need up to 33,000 visits, and pulling in 260
 * per triangle of the mesh. Randomly placed triangles need far more, and the time would become
 * quadratic. A triangle beyond the first limit is given up. Pulling in stops at the second, and
 * beyond it the final measure gives up the other triangles. */
#define VISITS_OF_TRIANGLE ((uint64_t)4096)
#define VISITS(triangles) (((uint64_t)1 << 21) + (uint64_t)256 * (triangles))

/* -- State -------------------------------------------------------------- */

/* Results of the samples of one triangle. */
typedef struct verdict {
    double area;
    uint32_t samples, outside;
    uint64_t visits;   /* nodes of the tree that its samples visited */
    bool given_up;     /* permanent: the triangle counts as outside, and moves no corner */
    double depth;      /* distance of the farthest sample outside */
    double move[3][3]; /* weighted moves of its corners */
    double weight[3];
    facet_surface_hints hints; /* for its next samples */
} verdict;

/* The mesh that an occluder represents. */
typedef struct fine_mesh {
    facet_soup soup;
    facet_surface_tree tree;
    bool closed; /* true if the surface is closed, so that it has an inside */
} fine_mesh;

typedef struct fit_work {
    const fine_mesh *fine;
    const double *points; /* points of the occluder, in the soup's units */
    const uint32_t *triangles;
    double spacing, allowed; /* in the soup's units */
    uint32_t first;          /* triangle that is judged first */
    bool can_stop;           /* beyond the limit, the verdicts of the other triangles stay */
    uint64_t visits, max_visits, max_visits_of_triangle;
    verdict *verdicts;    /* one per triangle */
    const uint8_t *moved; /* per point: moved since the last verdicts; NULL: judge all
                             triangles */
} fit_work;

/* -- Samples ------------------------------------------------------------ */

/* Distance of a sample from the surface; 0 if it is inside or on the surface. The hints
 * are those of the samples before. */
static double distance_outside(const fit_work *w, const double *sample, facet_surface_hints *hints,
                               double *nearest, uint64_t *visits)
{
    const facet_surface_tree *tree = &w->fine->tree;
    if (facet_surface_hints_suffice(tree, hints, sample, w->allowed))
        return 0;
    /* The winding number of a deep sample takes less than its distance. */
    if (w->fine->closed && facet_surface_winding(tree, sample, visits) != 0)
        return 0;
    double distance = facet_surface_distance(tree, sample, w->allowed, hints, nearest, visits);
    return distance <= w->allowed ? 0 : distance;
}

static void take_sample(const fit_work *w, const double *const corners[3], const double *share,
                        facet_surface_hints *hints, verdict *v)
{
    double sample[3], nearest[3];
    for (int k = 0; k < 3; k++)
        sample[k] = share[0] * corners[0][k] + share[1] * corners[1][k] + share[2] * corners[2][k];
    double distance = distance_outside(w, sample, hints, nearest, &v->visits);
    v->samples++;
    if (distance == 0)
        return;
    v->outside++;
    v->depth = fmax(v->depth, distance);
    /* Moving corner c by share[c] * step / (sum of squares) moves the sample by step. */
    double squares = facet_dot(share, share);
    for (int c = 0; c < 3; c++) {
        double weight = share[c] * distance;
        v->weight[c] += weight;
        for (int k = 0; k < 3; k++)
            v->move[c][k] += weight * share[c] / squares * (nearest[k] - sample[k]);
    }
}

/* Number of steps along a length. */
static int steps_of(const fit_work *w, double length)
{
    int steps = (int)fmin(ceil(length / w->spacing), MAX_STEPS);
    return steps < FEWEST_STEPS ? FEWEST_STEPS : steps;
}

/* Sample a triangle in rows from its longest edge, between corners `first` and first + 1, to the
 * opposite corner. A needle has few rows. */
static void take_samples(const fit_work *w, const double *const corners[3], int first,
                         double longest, facet_surface_hints *hints, verdict *v)
{
    int rows = steps_of(w, longest > 0 ? 2 * v->area / longest : 0), along = steps_of(w, longest);
    for (int i = 0; i <= rows && !v->given_up; i++) {
        double height = i / (double)rows, share[3];
        int steps = (int)ceil(along * (1 - height));
        for (int j = 0; j <= steps && !v->given_up; j++) {
            double part = steps > 0 ? j / (double)steps : 0;
            share[first] = (1 - height) * (1 - part);
            share[(first + 1) % 3] = (1 - height) * part;
            share[(first + 2) % 3] = height;
            take_sample(w, corners, share, hints, v);
            v->given_up = w->visits > w->max_visits || v->visits > w->max_visits_of_triangle;
        }
    }
}

static void judge_triangle(void *argument, size_t task)
{
    const fit_work *w = argument;
    size_t index = w->first + task;
    verdict *v = &w->verdicts[index];
    const double *corners[3];
    double longest = 0, ab[3], ac[3], normal[3];
    const uint32_t *t = w->triangles + 3 * index;
    int first = 0;
    v->visits = 0;
    if (v->given_up || (w->moved && !w->moved[t[0]] && !w->moved[t[1]] && !w->moved[t[2]]))
        return;
    facet_surface_hints hints = v->hints;
    memset(v, 0, sizeof *v);
    for (int c = 0; c < 3; c++)
        corners[c] = w->points + 3 * (size_t)t[c];
    for (int c = 0; c < 3; c++) {
        double edge[3];
        facet_subtract(corners[(c + 1) % 3], corners[c], edge);
        double length = sqrt(facet_dot(edge, edge));
        first = length > longest ? c : first;
        longest = fmax(longest, length);
    }
    facet_subtract(corners[1], corners[0], ab);
    facet_subtract(corners[2], corners[0], ac);
    facet_cross(ab, ac, normal);
    v->area = sqrt(facet_dot(normal, normal)) / 2;
    take_samples(w, corners, first, longest, &hints, v);
    v->hints = hints;
    if (v->given_up) {
        memset(v->weight, 0, sizeof v->weight);
        memset(v->move, 0, sizeof v->move);
        v->outside = v->samples;
    }
}

static facet_occluder_fit sum_up(const fit_work *w, uint32_t triangle_count, double diagonal)
{
    facet_occluder_fit fit = {triangle_count, 0, 0};
    double area = 0, outside = 0;
    for (uint32_t i = 0; i < triangle_count; i++) {
        const verdict *v = &w->verdicts[i];
        area += v->area;
        outside += v->area * v->outside / v->samples;
        fit.depth = fmax(fit.depth, v->depth / diagonal);
    }
    /* Triangles without area hide nothing. */
    fit.outside = area > 0 ? outside / area : 0;
    return fit;
}

/* -- Measuring ---------------------------------------------------------- */

static double tolerance_of(float tolerance, const facet_soup *soup)
{
    return (double)(tolerance > 0 ? tolerance : DEFAULT_TOLERANCE) * soup->diagonal;
}

static facet_status take_fine(const facet_mesh *mesh, const facet_options *options,
                              facet_arena *arena, fine_mesh *fine, facet_error *error)
{
    TRY(facet_soup_gather(mesh, arena, &fine->soup, error));
    facet_soup *soup = &fine->soup;
    facet_soup_drop_degenerate(soup);
    if (soup->triangle_count == 0)
        return FACET_OK;
    const double building[2] = {0, 0.03}, closing[2] = {0.03, 0.04};
    facet_status status =
        facet_surface_tree_build(soup->points, soup->triangles, soup->triangle_count, options,
                                 "occluder", building, arena, &fine->tree, error);
    return status ? status
                  : facet_surface_is_closed(&fine->tree, options, "occluder", closing, arena,
                                            &fine->closed, error);
}

/* Prepare to judge triangles over `points`, which are in the soup's units. */
static facet_status start_fit(const fine_mesh *fine, const double *points,
                              const uint32_t *triangles, uint32_t triangle_count, double allowed,
                              const facet_options *options, facet_arena *arena, fit_work *w,
                              facet_error *error)
{
    memset(w, 0, sizeof *w);
    w->max_visits = facet_budget_of(options, VISITS(triangle_count), 0).most;
    w->max_visits_of_triangle = facet_budget_of(options, VISITS_OF_TRIANGLE, 0).most;
    w->fine = fine;
    w->points = points;
    w->triangles = triangles;
    w->spacing = SPACING * fine->soup.diagonal;
    w->allowed = allowed;
    w->verdicts = facet_arena_allocate_zeroed(arena, triangle_count, sizeof *w->verdicts);
    return w->verdicts ? FACET_OK : facet_fail_arena(arena, error);
}

/* Triangles that are judged between two checks of the limit of visits. */
#define AT_ONCE 256

static uint32_t block_of(uint32_t triangle_count)
{
    return triangle_count / 64 > AT_ONCE ? triangle_count / 64 : AT_ONCE;
}

/* Judge all triangles, and report progress at `fraction`. The work is checked after blocks of
 * triangles, so that the result does not depend on the number of threads. */
static facet_status judge(fit_work *w, uint32_t triangle_count, double fraction,
                          const facet_options *options, facet_error *error)
{
    const double range[2] = {fraction, fraction};
    const uint32_t block = block_of(triangle_count);
    for (uint32_t first = 0, count; first < triangle_count; first += count) {
        if (w->can_stop && w->visits > w->max_visits)
            break;
        count = triangle_count - first < block ? triangle_count - first : block;
        w->first = first;
        TRY(facet_run_steps(options, judge_triangle, w, count, "occluder", range, error));
        for (uint32_t t = first; t < first + count; t++)
            w->visits += w->verdicts[t].visits;
    }
    return FACET_OK;
}

static void report_limit(const fit_work *w, uint32_t triangle_count, const facet_options *options)
{
    facet_tally given_up = {0};
    for (uint32_t t = 0; t < triangle_count; t++) {
        if (w->verdicts[t].given_up)
            facet_tally_hit(&given_up, t);
    }
    facet_report_add_tally(options ? options->report : NULL, "OCCLUDER-LIMIT",
                           FACET_SEVERITY_WARNING, FACET_NO_OFFSET, &given_up,
                           "measuring triangle %u of the occluder takes too many steps: it counts "
                           "as outside",
                           (unsigned)given_up.first);
}

/* Convert the occluder's points to the units of the mesh's soup. */
static void bring_over(const facet_soup *from, const facet_soup *to)
{
    for (size_t i = 0; i < 3 * (size_t)from->point_count; i++)
        from->points[i] =
            (from->points[i] / from->scale + from->center[i % 3] - to->center[i % 3]) * to->scale;
}

static facet_status measure(const facet_mesh *mesh, const facet_mesh *occluder, float tolerance,
                            const facet_options *options, facet_arena *arena,
                            facet_occluder_fit *fit, facet_error *error)
{
    fine_mesh fine;
    memset(&fine, 0, sizeof fine);
    facet_soup coarse;
    fit_work w;
    facet_status status;
    if ((status = take_fine(mesh, options, arena, &fine, error)) ||
        (status = facet_soup_gather(occluder, arena, &coarse, error)) ||
        (status = facet_step(options, "occluder", 0, error)))
        return status;
    facet_occluder_fit none = {coarse.triangle_count, coarse.triangle_count > 0 ? 1 : 0, 0};
    *fit = none;
    if (fine.soup.triangle_count == 0 || coarse.triangle_count == 0)
        return FACET_OK;
    bring_over(&coarse, &fine.soup);
    TRY(start_fit(&fine, coarse.points, coarse.triangles, coarse.triangle_count,
                  tolerance_of(tolerance, &fine.soup), options, arena, &w, error));
    TRY(judge(&w, coarse.triangle_count, 0, options, error));
    report_limit(&w, coarse.triangle_count, options);
    *fit = sum_up(&w, coarse.triangle_count, fine.soup.diagonal);
    return facet_step(options, "occluder", 1, error);
}

facet_status facet_occluder_measure(const facet_mesh *mesh, const facet_mesh *occluder,
                                    float tolerance, const facet_options *options,
                                    facet_occluder_fit *fit, facet_error *error)
{
    facet_arena *arena = NULL;
    facet_occluder_fit made;
    TRY(facet_arena_create(options, &arena, error));
    facet_status status = measure(mesh, occluder, tolerance, options, arena, &made, error);
    facet_arena_free(arena);
    if (!status)
        *fit = made;
    return status;
}

/* -- Pulling in --------------------------------------------------------- */

typedef struct pull {
    fine_mesh fine;
    double *points; /* the points of the occluder's soup, moved */
    uint32_t *triangles;
    uint32_t triangle_count;
    double *moves;  /* per point: x, y, z, weight */
    uint8_t *moved; /* per point */
} pull;

/* Move the corners as their triangles require; false if nothing moves. */
static bool move_corners(pull *p, const fit_work *w)
{
    bool moved = false;
    memset(p->moves, 0, (size_t)p->fine.soup.point_count * 4 * sizeof *p->moves);
    for (uint32_t t = 0; t < p->triangle_count; t++) {
        const verdict *v = &w->verdicts[t];
        for (int c = 0; c < 3 && v->outside > 0; c++) {
            double *move = p->moves + 4 * (size_t)p->triangles[3 * (size_t)t + c];
            for (int k = 0; k < 3; k++)
                move[k] += v->move[c][k];
            move[3] += v->weight[c];
        }
    }
    for (uint32_t i = 0; i < p->fine.soup.point_count; i++) {
        const double *move = p->moves + 4 * (size_t)i;
        p->moved[i] = move[3] > 0;
        moved |= p->moved[i];
        for (int k = 0; k < 3 && p->moved[i]; k++)
            p->points[3 * (size_t)i + k] += move[k] / move[3];
    }
    return moved;
}

/* Drop triangles that are outside, and those without area. Keep the hints of the other
 * verdicts. */
static void drop_outside(pull *p, const fit_work *w, facet_tally *dropped)
{
    uint32_t kept = 0;
    for (uint32_t t = 0; t < p->triangle_count; t++) {
        verdict before = w->verdicts[t];
        if (before.outside > 0) {
            facet_tally_hit(dropped, t);
            continue;
        }
        if (before.area <= 0)
            continue;
        memset(&w->verdicts[kept], 0, sizeof before);
        w->verdicts[kept].hints = before.hints;
        memmove(p->triangles + 3 * (size_t)kept++, p->triangles + 3 * (size_t)t,
                3 * sizeof *p->triangles);
    }
    p->triangle_count = kept;
}

static void round_points(pull *p)
{
    for (uint32_t i = 0; i < p->fine.soup.point_count; i++) {
        float position[3];
        facet_soup_position(&p->fine.soup, p->points + 3 * (size_t)i, position);
        for (int k = 0; k < 3; k++)
            p->points[3 * (size_t)i + k] =
                ((double)position[k] - p->fine.soup.center[k]) * p->fine.soup.scale;
    }
}

/* The occluder's points are those of the mesh. Begin with a triangle of the mesh at each corner:
 * the samples of a triangle that was not simplified are on it. */
static facet_status hint_corners(const pull *p, verdict *verdicts, facet_arena *arena,
                                 facet_error *error)
{
    const facet_soup *soup = &p->fine.soup;
    uint32_t *triangle_of = facet_arena_allocate(arena, soup->point_count, sizeof *triangle_of);
    if (!triangle_of)
        return facet_fail_arena(arena, error);
    for (size_t i = 0; i < 3 * (size_t)soup->triangle_count; i++)
        triangle_of[soup->triangles[i]] = (uint32_t)(i / 3);
    for (size_t i = 0; i < 3 * (size_t)p->triangle_count; i++)
        facet_surface_hint(&verdicts[i / 3].hints, triangle_of[p->triangles[i]]);
    facet_arena_release(arena, triangle_of, soup->point_count, sizeof *triangle_of);
    return FACET_OK;
}

static facet_status pull_in(pull *p, double tolerance, const facet_options *options,
                            facet_arena *arena, facet_occluder_fit *fit, facet_error *error)
{
    size_t points = p->fine.soup.point_count;
    p->points = facet_arena_allocate(arena, points, 3 * sizeof *p->points);
    p->moves = facet_arena_allocate(arena, points, 4 * sizeof *p->moves);
    p->moved = facet_arena_allocate(arena, points, 1);
    if (!p->points || !p->moves || !p->moved)
        return facet_fail_arena(arena, error);
    fit_work w;
    TRY(start_fit(&p->fine, p->points, p->triangles, p->triangle_count, AIM * tolerance, options,
                  arena, &w, error));
    memcpy(p->points, p->fine.soup.points, points * 3 * sizeof *p->points);
    TRY(hint_corners(p, w.verdicts, arena, error));
    bool moved = true;
    w.can_stop = true;
    for (int round = 0; round < ROUNDS && moved && w.visits <= w.max_visits; round++) {
        TRY(judge(&w, p->triangle_count, 0.2 + 0.7 * round / ROUNDS, options, error));
        moved = move_corners(p, &w);
        w.moved = p->moved;
    }
    round_points(p);
    w.moved = NULL;
    w.allowed = tolerance;
    w.can_stop = false;
    w.visits = 0;
    TRY(judge(&w, p->triangle_count, 0.9, options, error));
    report_limit(&w, p->triangle_count, options);
    facet_tally dropped = {0};
    drop_outside(p, &w, &dropped);
    w.visits = 0;
    facet_report_add_tally(options ? options->report : NULL, "OCCLUDER-CUT", FACET_SEVERITY_NOTE,
                           FACET_NO_OFFSET, &dropped,
                           "triangle %u of the occluder would stick out and was dropped",
                           (unsigned)dropped.first);
    facet_status status = judge(&w, p->triangle_count, 0.95, options, error);
    *fit = sum_up(&w, p->triangle_count, p->fine.soup.diagonal);
    return status;
}

/* -- The pass ----------------------------------------------------------- */

static facet_status make_occluder(const facet_mesh *mesh, const facet_occluder_options *occluder,
                                  const facet_options *options, facet_arena *arena,
                                  facet_scene *scene, facet_occluder_fit *fit, facet_error *error)
{
    pull p;
    memset(&p, 0, sizeof p);
    facet_status status;
    if ((status = take_fine(mesh, options, arena, &p.fine, error)) ||
        (status = facet_step(options, "occluder", 0.04, error)) ||
        (status = facet_soup_simplify(&p.fine.soup, occluder->simplify, options, arena,
                                      &p.triangles, &p.triangle_count, error)))
        return status;
    if (p.triangle_count > 0)
        status = pull_in(&p, tolerance_of(occluder->tolerance, &p.fine.soup), options, arena, fit,
                         error);
    if (status || (status = facet_step(options, "occluder", 1, error)))
        return status;
    if (p.triangle_count == 0) {
        facet_report_add(options ? options->report : NULL, "OCCLUDER-NONE", FACET_SEVERITY_WARNING,
                         FACET_NO_OFFSET, "no triangle is left for an occluder");
        scene->occluder = NULL;
        return FACET_OK;
    }
    facet_mesh *made, *before = scene->occluder;
    if ((status = facet_scene_add_occluder(scene, &made, error)) ||
        (status = facet_soup_fill_mesh(&p.fine.soup, p.points, p.triangles, p.triangle_count, arena,
                                       made, error)))
        scene->occluder = before;
    return status;
}

facet_status facet_mesh_occluder(const facet_mesh *mesh, const facet_occluder_options *occluder,
                                 const facet_options *options, facet_scene *scene,
                                 facet_occluder_fit *fit, facet_error *error)
{
    FACET_EXPECT_MESH(mesh);
    static const facet_occluder_options none = {0};
    facet_arena *arena = NULL;
    facet_occluder_fit made = {0};
    occluder = occluder ? occluder : &none;
    facet_status status = facet_check_struct_size(occluder->struct_size, sizeof *occluder,
                                                  "facet_occluder_options", error);
    if (!status)
        status = facet_arena_create(options, &arena, error);
    if (status)
        return status;
    status = make_occluder(mesh, occluder, options, arena, scene, &made, error);
    facet_arena_free(arena);
    if (!status && fit)
        *fit = made;
    return status;
}
