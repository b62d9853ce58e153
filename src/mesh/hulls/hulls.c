/* mesh/hulls/hulls.c - convex hulls for collision: of points, and of a mesh. */
#include <facet/mesh.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"
#include "base/threads.h"
#include "mesh/hulls/convex.h"
#include "mesh/hulls/decompose.h"
#include "mesh/hulls/voxels.h"
#include "mesh/soup.h"
#include "mesh/vector.h"
#include "scene/scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_HULLS 16
#define MAX_HULLS 256
#define DEFAULT_VERTICES 64
#define FEWEST_VERTICES 8
#define MAX_VERTICES 65536
#define DEFAULT_RESOLUTION 64
#define FEWEST_RESOLUTION 8
#define MAX_RESOLUTION 256
#define DEFAULT_TOLERANCE 0.0005F

/* Shares of the diagonal. */
#define AIM_DISTANCE 0.009   /* facet/mesh.h promises 0.01 */
#define PLATE_THICKNESS 1e-3 /* thickness of a flat hull in the output */
#define FLAT_THICKNESS 1e-5

/* Growth of a hull that is too small, per step, and the most steps. */
#define GROWTH 0.01
#define MAX_GROWTHS 1000

/* -- Hulls of points ---------------------------------------------------- */

/* Convert points to doubles in `arena`, and set the thickness of flat points. */
static facet_status take_points(const float *points, uint32_t count, facet_arena *arena,
                                double **taken, double *flat, facet_error *error)
{
    double *made = facet_arena_allocate(arena, count, 3 * sizeof *made);
    if (!made)
        return facet_fail_arena(arena, error);
    double largest[3] = {0, 0, 0};
    for (size_t i = 0; i < 3 * (size_t)count; i++) {
        if (!isfinite(points[i]))
            return facet_fail(error, FACET_ERROR_ARGUMENT, "HULLS-FINITE", FACET_NO_OFFSET,
                              "point %zu is not finite: its coordinate %d is %g", i / 3,
                              (int)(i % 3), (double)points[i]);
        made[i] = points[i];
        largest[i % 3] = fmax(largest[i % 3], fabs(made[i]));
    }
    *taken = made;
    *flat = 3 * ldexp(largest[0] + largest[1] + largest[2], -24);
    return FACET_OK;
}

static facet_status compute_hull(const float *points, uint32_t count, facet_convex_hull *hull,
                                 facet_convex *convex, facet_error *error)
{
    facet_convex_job job = {0};
    double *taken = NULL;
    TRY(take_points(points, count, hull->arena, &taken, &convex->flat, error));
    hull->corners = facet_arena_allocate(hull->arena, count, sizeof *hull->corners);
    hull->triangles = facet_arena_allocate(hull->arena, count, 6 * sizeof *hull->triangles);
    if (!hull->corners || !hull->triangles)
        return facet_fail_arena(hull->arena, error);
    job.points = taken;
    job.count = count;
    job.corners = hull->corners;
    job.triangles = hull->triangles;
    facet_convex_solve(convex, &job);
    if (job.failed)
        return facet_fail_arena(hull->arena, error);
    if (job.is_flat)
        return facet_fail(error, FACET_ERROR_ARGUMENT, "HULLS-FLAT", FACET_NO_OFFSET,
                          "the %u points are in one plane and have no hull with volume", count);
    hull->corner_count = job.corner_count;
    hull->triangle_count = job.triangle_count;
    hull->volume = job.volume;
    facet_arena_release(hull->arena, taken, count, 3 * sizeof *taken);
    return FACET_OK;
}

facet_status facet_convex_hull_compute(const float *points, uint32_t count,
                                       const facet_options *options, facet_convex_hull **hull,
                                       facet_error *error)
{
    facet_arena *arena = NULL;
    TRY(facet_arena_create(options, &arena, error));
    facet_status status = FACET_OK;
    facet_convex convex = {0};
    facet_convex_hull *made = facet_arena_allocate_zeroed(arena, 1, sizeof *made);
    if (!made)
        status = facet_fail_arena(arena, error);
    else
        status = facet_convex_open(&convex, error);
    if (!status) {
        made->arena = arena;
        status = compute_hull(points, count, made, &convex, error);
    }
    facet_convex_close(&convex);
    if (status)
        facet_arena_free(arena);
    else
        *hull = made;
    return status;
}

void facet_convex_hull_free(facet_convex_hull *hull)
{
    if (hull)
        facet_arena_free(hull->arena);
}

facet_status facet_convex_hull_volume(const float *points, uint32_t count, double *volume,
                                      facet_error *error)
{
    facet_convex_hull *hull = NULL;
    facet_error own;
    facet_status status = facet_convex_hull_compute(points, count, NULL, &hull, &own);
    if (status == FACET_ERROR_ARGUMENT && strcmp(own.rule, "HULLS-FLAT") == 0) {
        *volume = 0;
        return FACET_OK;
    }
    if (status) {
        if (error)
            *error = own;
        return status;
    }
    *volume = hull->volume;
    facet_convex_hull_free(hull);
    return FACET_OK;
}

/* -- State -------------------------------------------------------------- */

typedef struct maker {
    const facet_options *options;
    uint32_t max_hulls, max_vertices, resolution;
    double tolerance;
    facet_arena *arena; /* for all working memory */
    facet_convex convex;
    atomic_bool lacks_memory; /* of facet_convex, for any task */
    facet_soup soup;
    facet_cluster *clusters;
    uint32_t cluster_count;
    struct finished *finished; /* one entry per cluster */
} maker;

/* -- Finishing a hull --------------------------------------------------- */

typedef struct finished {
    uint32_t *corners; /* space for every point of the cluster */
    double *kept;      /* corners that are kept, at most max_vertices */
    uint32_t kept_count;
    double volume;   /* in units of the soup */
    double distance; /* distance of the farthest point of the cluster that is outside */
    bool failed;
} finished;

/* Thicken a flat cluster to a plate. Every point moves both ways along each direction that the
 * points do not span. */
static facet_status thicken(maker *m, facet_cluster *flat, const facet_span *span,
                            facet_error *error)
{
    int missing = 3 - span->dimensions;
    uint64_t count = (uint64_t)flat->point_count << missing;
    double *points = count > INT32_MAX
                         ? NULL
                         : facet_arena_allocate(m->arena, (size_t)count, 3 * sizeof *points);
    if (!points)
        return facet_fail_arena(m->arena, error);
    double half = fmax(PLATE_THICKNESS / 2 * m->soup.diagonal, 8 * m->soup.resolution);
    for (uint32_t i = 0; i < count; i++) {
        double *to = points + 3 * (size_t)i;
        memcpy(to, flat->points + 3 * (size_t)(i >> missing), 3 * sizeof *to);
        for (int d = 0; d < missing; d++) {
            double step = (i >> d & 1) ? half : -half;
            for (int k = 0; k < 3; k++)
                to[k] += step * span->directions[2 - d][k];
        }
    }
    flat->points = points;
    flat->point_count = (uint32_t)count;
    return FACET_OK;
}

static facet_status thicken_flat(maker *m, facet_error *error)
{
    facet_tally flat = {0};
    double thin = fmax(FLAT_THICKNESS * m->soup.diagonal, 8 * m->soup.resolution);
    for (uint32_t i = 0; i < m->cluster_count; i++) {
        facet_span span;
        facet_span_of(m->clusters[i].points, m->clusters[i].point_count, thin, &span);
        if (span.dimensions == 3)
            continue;
        facet_tally_hit(&flat, i);
        TRY(thicken(m, &m->clusters[i], &span, error));
    }
    facet_report_add_tally(m->options ? m->options->report : NULL, "HULLS-FLAT",
                           FACET_SEVERITY_NOTE, FACET_NO_OFFSET, &flat,
                           "hull %u is flat and was made a plate of a thousandth of the diagonal",
                           (unsigned)flat.first);
    return FACET_OK;
}

/* Move points away from their center. */
static void grow(double *points, uint32_t count)
{
    double middle[3] = {0, 0, 0};
    for (size_t i = 0; i < 3 * (size_t)count; i++)
        middle[i % 3] += points[i] / count;
    for (size_t i = 0; i < 3 * (size_t)count; i++)
        points[i] += GROWTH * (points[i] - middle[i % 3]);
}

/* Round points to their final positions as floats. */
static void round_points(const facet_soup *soup, double *points, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        double *point = points + 3 * (size_t)i;
        float position[3];
        facet_soup_position(soup, point, position);
        for (int k = 0; k < 3; k++)
            point[k] = ((double)position[k] - soup->center[k]) * soup->scale;
    }
}

/* Move the points listed in `chosen` (ascending) to the front of `to`. */
static void choose_points(const double *from, const uint32_t *chosen, uint32_t count, double *to)
{
    for (uint32_t i = 0; i < count; i++)
        memmove(to + 3 * (size_t)i, from + 3 * (size_t)chosen[i], 3 * sizeof *to);
}

/* Move the corners of a cluster's hull to the front of its points, and keep at most max_vertices
 * of them. If points remain too far outside, the corners are moved outwards until they are not. */
static void finish_hull(void *argument, size_t index)
{
    maker *m = argument;
    finished *f = &m->finished[index];
    facet_cluster *cluster = &m->clusters[index];
    facet_convex_job job = {0};
    job.points = cluster->points;
    job.count = cluster->point_count;
    job.corners = f->corners;
    facet_convex_solve(&m->convex, &job);
    f->failed = true;
    if (job.failed || job.is_flat)
        return;
    uint32_t all = job.count = job.corner_count;
    choose_points(cluster->points, f->corners, all, cluster->points);
    f->kept_count = all;
    if (all > m->max_vertices) {
        job.limit = m->max_vertices;
        facet_convex_solve(&m->convex, &job);
        if (job.failed || job.is_flat)
            return;
        choose_points(cluster->points, f->corners, job.corner_count, f->kept);
        f->kept_count = job.corner_count;
    } else {
        memcpy(f->kept, cluster->points, (size_t)all * 3 * sizeof *f->kept);
    }
    job.points = f->kept;
    job.limit = 0;
    job.others = cluster->points;
    job.other_count = all;
    for (int times = 0; f->failed && times < MAX_GROWTHS; times++) {
        round_points(&m->soup, f->kept, f->kept_count);
        job.count = f->kept_count;
        facet_convex_solve(&m->convex, &job);
        if (job.failed || job.is_flat)
            return;
        choose_points(f->kept, f->corners, job.corner_count, f->kept);
        f->kept_count = job.corner_count;
        f->failed = job.distance > AIM_DISTANCE * m->soup.diagonal;
        if (f->failed)
            grow(f->kept, f->kept_count);
    }
    f->volume = job.volume;
    f->distance = job.distance;
}

static facet_status finish_hulls(maker *m, facet_error *error)
{
    m->finished = facet_arena_allocate_zeroed(m->arena, m->cluster_count, sizeof *m->finished);
    if (!m->finished)
        return facet_fail_arena(m->arena, error);
    for (uint32_t i = 0; i < m->cluster_count; i++) {
        finished *f = &m->finished[i];
        uint32_t count = m->clusters[i].point_count;
        f->corners = facet_arena_allocate(m->arena, count, sizeof *f->corners);
        f->kept = facet_arena_allocate(m->arena, count < m->max_vertices ? count : m->max_vertices,
                                       3 * sizeof *f->kept);
        if (!f->corners || !f->kept)
            return facet_fail_arena(m->arena, error);
    }
    const double range[2] = {FACET_DECOMPOSED, 1};
    facet_status status =
        facet_run_steps(m->options, finish_hull, m, m->cluster_count, "hulls", range, error);
    if (status)
        return status;
    for (uint32_t i = 0; i < m->cluster_count; i++) {
        if (m->finished[i].failed)
            return facet_fail(error, FACET_ERROR_MEMORY, "HULLS-QHULL", FACET_NO_OFFSET,
                              "no hull of few corners was found for %u points",
                              m->clusters[i].point_count);
    }
    return FACET_OK;
}

/* -- To the scene ------------------------------------------------------- */

static int compare_positions(const void *a, const void *b)
{
    const float *x = a, *y = b;
    for (int k = 0; k < 3; k++) {
        if (x[k] != y[k])
            return x[k] < y[k] ? -1 : 1;
    }
    return 0;
}

static facet_status give_hulls(const maker *m, facet_scene *scene, facet_hulls_summary *summary,
                               facet_error *error)
{
    const uint32_t before = scene->hull_count;
    memset(summary, 0, sizeof *summary);
    for (uint32_t i = 0; i < m->cluster_count; i++) {
        const finished *f = &m->finished[i];
        facet_hull *hull;
        facet_status status = facet_scene_add_hull(scene, "", f->kept_count, &hull, error);
        if (status) {
            scene->hull_count = before;
            return status;
        }
        for (uint32_t p = 0; p < f->kept_count; p++)
            facet_soup_position(&m->soup, f->kept + 3 * (size_t)p, hull->points + 3 * (size_t)p);
        qsort(hull->points, f->kept_count, 3 * sizeof *hull->points, compare_positions);
        summary->volume += f->volume / (m->soup.scale * m->soup.scale * m->soup.scale);
        summary->distance = fmax(summary->distance, f->distance / m->soup.diagonal);
    }
    summary->hulls = m->cluster_count;
    return FACET_OK;
}

/* -- The pass ----------------------------------------------------------- */

static facet_status take_options(maker *m, const facet_hulls_options *hulls, facet_error *error)
{
    static const facet_hulls_options none = {0};
    hulls = hulls ? hulls : &none;
    facet_status status =
        facet_check_struct_size(hulls->struct_size, sizeof *hulls, "facet_hulls_options", error);
    if (status)
        return status;
    m->max_hulls = hulls->max_hulls ? hulls->max_hulls : DEFAULT_HULLS;
    m->max_vertices = hulls->max_vertices ? hulls->max_vertices : DEFAULT_VERTICES;
    m->resolution = hulls->resolution ? hulls->resolution : DEFAULT_RESOLUTION;
    m->tolerance = (double)(hulls->tolerance > 0 ? hulls->tolerance : DEFAULT_TOLERANCE);
    if (m->max_hulls > MAX_HULLS)
        return facet_fail(error, FACET_ERROR_ARGUMENT, "HULLS-OPTIONS", FACET_NO_OFFSET,
                          "max_hulls is %u, expected at most %d", m->max_hulls, MAX_HULLS);
    if (m->max_vertices < FEWEST_VERTICES || m->max_vertices > MAX_VERTICES)
        return facet_fail(error, FACET_ERROR_ARGUMENT, "HULLS-OPTIONS", FACET_NO_OFFSET,
                          "max_vertices is %u, expected %d to %d", m->max_vertices, FEWEST_VERTICES,
                          MAX_VERTICES);
    if (m->resolution < FEWEST_RESOLUTION || m->resolution > MAX_RESOLUTION)
        return facet_fail(error, FACET_ERROR_ARGUMENT, "HULLS-OPTIONS", FACET_NO_OFFSET,
                          "resolution is %u, expected %d to %d", m->resolution, FEWEST_RESOLUTION,
                          MAX_RESOLUTION);
    return FACET_OK;
}

static facet_status find_clusters(maker *m, facet_error *error)
{
    if (m->max_hulls == 1) {
        m->clusters = facet_arena_allocate(m->arena, 1, sizeof *m->clusters);
        if (!m->clusters)
            return facet_fail_arena(m->arena, error);
        m->clusters[0].points = m->soup.points;
        m->clusters[0].point_count = m->soup.point_count;
        m->cluster_count = 1;
        return FACET_OK;
    }
    facet_decompose_options decompose = {m->max_hulls, m->resolution, m->tolerance};
    return facet_decompose(&m->soup, &m->convex, &decompose, m->options, m->arena, &m->clusters,
                           &m->cluster_count, error);
}

static facet_status make_hulls(maker *m, const facet_mesh *mesh, facet_scene *scene,
                               facet_hulls_summary *summary, facet_error *error)
{
    TRY(facet_soup_gather(mesh, m->arena, &m->soup, error));
    facet_status status = FACET_OK;
    if (m->soup.point_count < 2) {
        facet_report_add(m->options ? m->options->report : NULL, "HULLS-NONE",
                         FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "the mesh has no extent and gets no hulls");
        return FACET_OK;
    }
    m->convex.flat = m->soup.resolution;
    m->convex.lacks_memory = &m->lacks_memory;
    if ((status = facet_step(m->options, "hulls", 0, error)) ||
        (status = find_clusters(m, error)) || (status = thicken_flat(m, error)) ||
        (status = finish_hulls(m, error)) || (status = facet_step(m->options, "hulls", 1, error)))
        return status;
    if (atomic_load(&m->lacks_memory)) /* without memory, the hulls would be different */
        return facet_fail_memory(error, 0);
    return give_hulls(m, scene, summary, error);
}

facet_status facet_mesh_hulls(const facet_mesh *mesh, const facet_hulls_options *hulls,
                              const facet_options *options, facet_scene *scene,
                              facet_hulls_summary *summary, facet_error *error)
{
    FACET_EXPECT_MESH(mesh);
    maker m;
    facet_hulls_summary made = {0};
    memset(&m, 0, sizeof m);
    m.options = options;
    facet_status status = take_options(&m, hulls, error);
    if (status || (status = facet_arena_create(options, &m.arena, error)))
        return status;
    status = facet_convex_open(&m.convex, error);
    if (!status)
        status = make_hulls(&m, mesh, scene, &made, error);
    facet_convex_close(&m.convex);
    facet_arena_free(m.arena);
    if (!status && summary)
        *summary = made;
    return status;
}
