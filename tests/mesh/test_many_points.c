/* Hulls of many points: shapes with known corners and volumes, and qhull's results. */
#include "mesh/hulls/convex.h"
#include "mesh/hulls/many_points.h"
#include "mesh/vector.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_POINTS 4096

/* Points, and space for the results. */
typedef struct points {
    double at[MAX_POINTS][3];
    uint32_t corners[MAX_POINTS], triangles[6 * MAX_POINTS];
    facet_convex_job job;
} points;

static points *begin_points(void)
{
    points *p = calloc(1, sizeof *p);
    assert_non_null(p);
    p->job.points = p->at[0];
    p->job.corners = p->corners;
    p->job.triangles = p->triangles;
    return p;
}

static void add_point(points *p, double x, double y, double z)
{
    const double point[3] = {x, y, z};
    assert_true(p->job.count < MAX_POINTS);
    memcpy(p->at[p->job.count++], point, sizeof point);
}

/* Points that are spread evenly over a sphere of radius 1. */
static void add_sphere(points *p, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        double height = 1 - (2 * i + 1.0) / count, turn = i * 2.399963;
        double radius = sqrt(1 - height * height);
        add_point(p, radius * cos(turn), radius * sin(turn), height);
    }
}

/* Reproducible pseudorandom number from -1 to 1. */
static double next_number(uint32_t *state)
{
    *state = *state * 1664525U + 1013904223U;
    return (double)(*state >> 8) / (1 << 23) - 1;
}

/* Height of a point above a triangle's plane. */
static double height_above(const points *p, uint32_t triangle, const double *point)
{
    const uint32_t *t = p->triangles + 3 * (size_t)triangle;
    double u[3], v[3], normal[3], to[3];
    facet_subtract(p->at[t[1]], p->at[t[0]], u);
    facet_subtract(p->at[t[2]], p->at[t[0]], v);
    facet_cross(u, v, normal);
    facet_normalize(normal);
    facet_subtract(point, p->at[t[0]], to);
    return facet_dot(normal, to);
}

/* Compute a hull, and check that its surface is closed and that no point is outside. A closed
 * surface of triangles with n corners has 2 n - 4 triangles (Euler). */
static void solve(points *p, uint32_t corners, double volume, double tolerance)
{
    facet_many_points_solve(&p->job);
    assert_false(p->job.failed || p->job.is_flat);
    assert_int_equal(p->job.corner_count, corners);
    assert_int_equal(p->job.triangle_count, 2 * corners - 4);
    if (fabs(p->job.volume - volume) > tolerance)
        fail_msg("volume %.17g, expected %.17g", p->job.volume, volume);
    for (uint32_t t = 0; t < p->job.triangle_count; t++) {
        for (uint32_t i = 0; i < p->job.count; i += 1 + p->job.count / 97)
            assert_true(height_above(p, t, p->at[i]) < 1e-9);
    }
}

/* The base is in one plane: with qhull, the time is quadratic in its corners. */
TEST(every_point_of_a_cone_is_a_corner)
{
    points *p = begin_points();
    const uint32_t count = 3000;
    add_point(p, 0, 0, 3);
    for (uint32_t i = 0; i < count; i++)
        add_point(p, cos(2 * FACET_PI * i / count), sin(2 * FACET_PI * i / count), 0);
    /* A regular polygon of n corners has the area n / 2 * sin(2 pi / n), and the cone a third of
     * that times its height of 3. */
    solve(p, count + 1, count / 2.0 * sin(2 * FACET_PI / count), 1e-9);
    free(p);
}

TEST(points_on_faces_and_edges_are_no_corners)
{
    points *p = begin_points();
    for (int i = 0; i < 4096; i++)
        add_point(p, i % 16, i / 16 % 16, i / 256); /* NOLINT: integers */
    solve(p, 8, 15 * 15 * 15, 1e-9);
    static const uint32_t expected[8] = {0, 15, 240, 255, 3840, 3855, 4080, 4095};
    assert_memory_equal(p->corners, expected, sizeof expected);
    free(p);
}

TEST(every_point_of_a_sphere_is_a_corner)
{
    points *p = begin_points();
    add_sphere(p, 2000);
    facet_many_points_solve(&p->job);
    solve(p, 2000, p->job.volume, 0);
    /* The sphere has 4.18879; a polyhedron of n triangles inscribed into it less than 1 % less. */
    assert_true(p->job.volume < 4.18879 && p->job.volume > 4.147);
    free(p);
}

TEST(duplicates_are_no_corners)
{
    points *p = begin_points();
    for (uint32_t i = 0; i < 2048; i++)
        add_point(p, i & 1, i >> 1 & 1, i >> 2 & 1);
    solve(p, 8, 1, 1e-12);
    free(p);
}

TEST(points_in_a_plane_or_line_are_flat)
{
    for (int shape = 0; shape < 4; shape++) {
        points *p = begin_points();
        for (uint32_t i = 0; i < 1000; i++) {
            double x = shape > 0 ? i : 7, y = shape > 1 ? i * i % 31 : 2 * x;
            add_point(p, x, y, shape > 2 ? x + y : 3 * x);
        }
        facet_many_points_solve(&p->job);
        assert_false(p->job.failed);
        assert_true(p->job.is_flat);
        free(p);
    }
}

/* Half of a millionth of the size is far above the rounding, and below the precision of floats. */
TEST(thin_slabs_have_a_volume)
{
    points *p = begin_points();
    for (uint32_t i = 0; i < 1000; i++)
        add_point(p, i % 10, i / 10 % 10, i / 100 * 5e-8); /* NOLINT: integers */
    solve(p, 8, 9 * 9 * 9 * 5e-8, 1e-9);
    free(p);
}

/* Corners and volumes are those of qhull, which computes hulls of few points. */
TEST(few_points_have_the_hull_of_qhull)
{
    facet_convex convex = {0};
    facet_error error;
    TEST_OK(facet_convex_open(&convex, &error), &error);
    uint32_t chance = 7;
    for (int round = 0; round < 300; round++) {
        points *p = begin_points();
        uint32_t expected[200];
        for (int i = 0; i < 4 + round % 197; i++) {
            double x[3], length = 0;
            for (int k = 0; k < 3; k++) {
                /* Coarse points are often in one plane, or equal. */
                x[k] = next_number(&chance);
                x[k] = round % 3 == 0 ? floor(x[k] * 4) : x[k];
                length += x[k] * x[k];
            }
            length = round % 3 == 1 ? sqrt(length) : 1;
            add_point(p, x[0] / length, x[1] / length, x[2] / length);
        }
        facet_convex_solve(&convex, &p->job);
        assert_false(p->job.failed);
        if (p->job.is_flat) {
            free(p);
            continue;
        }
        uint32_t count = p->job.corner_count;
        double volume = p->job.volume;
        for (uint32_t i = 0; i < count; i++)
            expected[i] = p->corners[i];
        solve(p, count, volume, 1e-9);
        for (uint32_t i = 0; i < count; i++) { /* of equal points, either may be the corner */
            for (int k = 0; k < 3 && round % 3 != 0; k++)
                assert_int_equal(expected[i], p->corners[i]);
        }
        free(p);
    }
    facet_convex_close(&convex);
}

/* The distance is the least one from any triangle, for points outside. */
TEST(the_farthest_point_is_measured)
{
    points *p = begin_points();
    double others[60][3], farthest = 0;
    uint32_t chance = 3;
    add_sphere(p, 500);
    for (int i = 0; i < 60; i++) {
        for (int k = 0; k < 3; k++)
            others[i][k] = next_number(&chance) * 1.1;
    }
    p->job.others = others[0];
    p->job.other_count = 60;
    facet_many_points_solve(&p->job);
    assert_false(p->job.failed);
    for (int i = 0; i < 60; i++) {
        double least = INFINITY, nearest[3];
        bool outside = false;
        for (uint32_t t = 0; t < p->job.triangle_count; t++) {
            const uint32_t *c = p->triangles + 3 * (size_t)t;
            outside |= height_above(p, t, others[i]) > 0;
            least = fmin(least, facet_triangle_distance(others[i], p->at[c[0]], p->at[c[1]],
                                                        p->at[c[2]], nearest));
        }
        farthest = outside ? fmax(farthest, sqrt(least)) : farthest;
    }
    assert_true(farthest > 0.3);
    assert_true(fabs(p->job.distance - farthest) < 1e-12);
    free(p);
}

/* With a limit, the hull has as many corners, and those farthest outside: the eight of a cube
 * around a sphere come first. */
TEST(a_limit_keeps_the_farthest_corners)
{
    points *p = begin_points();
    add_sphere(p, 2000);
    for (uint32_t i = 0; i < 8; i++)
        add_point(p, i & 1 ? 0.7 : -0.7, i & 2 ? 0.7 : -0.7, i & 4 ? 0.7 : -0.7);
    p->job.limit = 300;
    facet_many_points_solve(&p->job);
    assert_false(p->job.failed);
    assert_true(p->job.corner_count > 150 && p->job.corner_count <= 300);
    for (uint32_t i = 0; i < 8; i++)
        assert_int_equal(p->corners[p->job.corner_count - 8 + i], 2000 + i);
    free(p);
}
