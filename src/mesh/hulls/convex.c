/* mesh/hulls/convex.c - convex hulls by qhull or, of many points, by many_points.h, and a test for
 * points that are too flat for them. */
#include "mesh/hulls/convex.h"

#include "base/error.h"
#include "mesh/hulls/many_points.h"
#include "mesh/hulls/volume.h"
#include "mesh/vector.h"

#include <errno.h>
#include <string.h>
#ifdef FACET_HAVE_QHULL
#include "base/module.h"
#include "mesh/hulls/qhull_calls.h"

static facet_module module = {"qhull", "collision hulls", NULL};

#ifdef FACET_MODULES
static const facet_qhull_calls *qhull_table(void)
{
    return facet_module_table(&module);
}
#endif
#endif

/* -- The sink ----------------------------------------------------------- */

/* qhull always writes messages. They go to a sink, because its errors are also returned as
 * codes. */
facet_status facet_convex_open(facet_convex *convex, facet_error *error)
{
#ifdef _WIN32
    const char *nowhere = "NUL";
#else
    const char *nowhere = "/dev/null";
#endif
    convex->flat = 0;
    convex->lacks_memory = NULL;
#ifndef FACET_HAVE_QHULL
    return facet_fail_absent(error, "collision hulls need", "qhull", "FACET_QHULL");
#else
    TRY(facet_module_open(&module, error));
#endif
    convex->sink = fopen(nowhere, "w");
    return convex->sink ? FACET_OK : facet_fail_system(error, errno, "open", nowhere);
}

void facet_convex_close(facet_convex *convex)
{
    if (convex->sink)
        fclose(convex->sink);
    convex->sink = NULL;
}

/* -- Span --------------------------------------------------------------- */

/* Find the point farthest from the origin after the directions of `span` are removed; `rest` is
 * what remains of it. Returns its distance. */
static double farthest_beyond(const double *points, uint32_t count, const double *origin,
                              const facet_span *span, double *rest)
{
    double best = 0;
    rest[0] = rest[1] = rest[2] = 0;
    for (uint32_t i = 0; i < count; i++) {
        double to[3];
        facet_subtract(points + 3 * (size_t)i, origin, to);
        for (int d = 0; d < span->dimensions; d++) {
            double along = facet_dot(to, span->directions[d]);
            for (int k = 0; k < 3; k++)
                to[k] -= along * span->directions[d][k];
        }
        double distance = facet_dot(to, to);
        if (distance > best) {
            best = distance;
            memcpy(rest, to, sizeof to);
        }
    }
    return sqrt(best);
}

/* Fill in the directions that the points do not span. */
static void complete_directions(facet_span *span)
{
    double(*d)[3] = span->directions;
    if (span->dimensions == 0) {
        memset(d, 0, sizeof span->directions);
        d[0][0] = d[1][1] = d[2][2] = 1;
        return;
    }
    if (span->dimensions == 1) {
        /* Start with the axis along which the line runs least. */
        double axis[3] = {0, 0, 0};
        int least = 0;
        for (int k = 1; k < 3; k++)
            least = fabs(d[0][k]) < fabs(d[0][least]) ? k : least;
        axis[least] = 1;
        facet_cross(d[0], axis, d[1]);
        facet_normalize(d[1]);
    }
    facet_cross(d[0], d[1], d[2]);
    facet_normalize(d[2]);
}

void facet_span_of(const double *points, uint32_t count, double flat, facet_span *span)
{
    memset(span, 0, sizeof *span);
    while (count > 0 && span->dimensions < 3) {
        double rest[3];
        if (farthest_beyond(points, count, points, span, rest) <= flat)
            break;
        facet_normalize(rest);
        memcpy(span->directions[span->dimensions++], rest, sizeof rest);
    }
    if (span->dimensions < 3)
        complete_directions(span);
}

#ifdef FACET_HAVE_QHULL
/* qhull computes hulls of at most this number of points or corners. */
#define MAX_QHULL 256

/* -- Hulls -------------------------------------------------------------- */

static void finish(qhT *qh)
{
    int blocks, bytes;
    qh_freeqhull(qh, !qh_ALL);
    qh_memfreeshort(qh, &blocks, &bytes);
}

/* False if qhull cannot compute a hull; then there is nothing to finish. */
static bool run(qhT *qh, const facet_convex *convex, const double *points, uint32_t count,
                const char *flags)
{
    /* If rounding makes qhull fail, retry with slightly moved points (QJ). */
    static const char *const attempts[] = {"", " QJ"};
    for (int i = 0; i < 2; i++) {
        char command[80];
        snprintf(command, sizeof command, "qhull Pp %s%s", flags, attempts[i]);
        qh_zero(qh, convex->sink);
        /* qhull declares its points writable, but does not change them. */
        int code = qh_new_qhull(qh, 3, (int)count, (coordT *)(uintptr_t)points, False, command,
                                NULL, convex->sink);
        if (code == qh_ERRnone)
            return true;
        finish(qh);
        if (code == qh_ERRmem) {
            if (convex->lacks_memory)
                atomic_store(convex->lacks_memory, true);
            return false;
        }
    }
    return false;
}

static bool is_flat(const facet_convex *convex, const double *points, uint32_t count)
{
    if (count < 4 || count > INT32_MAX)
        return true;
    facet_span span;
    facet_span_of(points, count, convex->flat, &span);
    return span.dimensions < 3;
}

static void solve_many(const facet_convex *convex, facet_convex_job *job)
{
    facet_many_points_solve(job);
    if (job->failed && convex->lacks_memory)
        atomic_store(convex->lacks_memory, true);
}

double facet_convex_volume(const facet_convex *convex, const double *points, uint32_t count)
{
    double volume;
    if (is_flat(convex, points, count))
        return 0;
    if (facet_few_points_volume(points, count, &volume))
        return volume;
    if (count > MAX_QHULL) {
        facet_convex_job job = {.points = points, .count = count};
        solve_many(convex, &job);
        return job.volume;
    }
    qhT qh;
    if (!run(&qh, convex, points, count, "FA"))
        return 0;
    volume = qh.totvol;
    finish(&qh);
    return volume;
}

/* Collect the hull's vertices in `corners`, ascending. The array has space for every point, so
 * it also serves as the set of marks while sorting. */
static void collect_corners(qhT *qh, facet_convex_job *job)
{
    vertexT *vertex;
    memset(job->corners, 0, job->count * sizeof *job->corners);
    FORALLvertices
    {
        job->corners[qh_pointid(qh, vertex->point)] = 1;
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < job->count; i++) {
        if (job->corners[i])
            job->corners[count++] = i;
    }
    job->corner_count = count;
}

/* The three points of a simplicial facet, counter-clockwise from outside. */
static void triangle_of(qhT *qh, facetT *facet, uint32_t *triangle)
{
    vertexT *vertex, **vertexp;
    int n = 0;
    FOREACHvertex_(facet->vertices)
    {
        if (n < 3)
            triangle[n++] = (uint32_t)qh_pointid(qh, vertex->point);
    }
    if (facet->toporient != qh_ORIENTclock) {
        uint32_t swapped = triangle[1];
        triangle[1] = triangle[2];
        triangle[2] = swapped;
    }
}

static double distance_of(qhT *qh, const facet_convex_job *job, const double *other)
{
    facetT *facet;
    double nearest_squared = INFINITY;
    bool outside = false;
    FORALLfacets
    {
        if (facet->normal && facet_dot(facet->normal, other) + facet->offset > 0) {
            outside = true;
            break;
        }
    }
    if (!outside)
        return 0;
    FORALLfacets
    {
        uint32_t t[3];
        double nearest[3];
        triangle_of(qh, facet, t);
        double squared = facet_triangle_distance(other, job->points + 3 * (size_t)t[0],
                                                 job->points + 3 * (size_t)t[1],
                                                 job->points + 3 * (size_t)t[2], nearest);
        nearest_squared = squared < nearest_squared ? squared : nearest_squared;
    }
    return sqrt(nearest_squared);
}

static void collect_triangles(qhT *qh, facet_convex_job *job)
{
    facetT *facet;
    uint32_t count = 0;
    FORALLfacets
    {
        triangle_of(qh, facet, job->triangles + 3 * (size_t)count);
        count++;
    }
    job->triangle_count = count;
}

void facet_convex_solve(const facet_convex *convex, facet_convex_job *job)
{
    job->failed = false;
    job->corner_count = job->triangle_count = 0;
    job->volume = job->distance = 0;
    job->is_flat = is_flat(convex, job->points, job->count);
    if (job->is_flat)
        return;
    if (job->count > MAX_QHULL && (job->limit == 0 || job->limit > MAX_QHULL)) {
        solve_many(convex, job);
        return;
    }
    qhT qh;
    char flags[32] = "FA Qt";
    /* Q9 always adds the point that is farthest outside; TA limits the points added after the
     * first tetrahedron. */
    if (job->limit > 4 && job->limit < job->count)
        snprintf(flags, sizeof flags, "FA Qt Q9 TA%u", job->limit - 4);
    job->failed = !run(&qh, convex, job->points, job->count, flags);
    if (job->failed)
        return;
    job->volume = qh.totvol;
    if (job->corners)
        collect_corners(&qh, job);
    if (job->triangles)
        collect_triangles(&qh, job);
    for (uint32_t i = 0; i < job->other_count; i++) {
        double distance = distance_of(&qh, job, job->others + 3 * (size_t)i);
        job->distance = distance > job->distance ? distance : job->distance;
    }
    finish(&qh);
}
#else
/* Never called, because facet_convex_open fails in this build. */
double facet_convex_volume(const facet_convex *convex, const double *points, uint32_t count)
{
    (void)convex, (void)points, (void)count;
    return 0;
}

void facet_convex_solve(const facet_convex *convex, facet_convex_job *job)
{
    (void)convex;
    job->failed = true;
}
#endif
