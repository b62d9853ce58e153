/* Bounding box and smallest enclosing sphere. */
#include "support/mesh.h"

#include <facet/mesh.h>
#include <float.h>
#include <math.h>

static facet_bounds bounds_of(const float *points, size_t count)
{
    facet_bounds bounds;
    facet_error error;
    TEST_OK(facet_bounds_compute(points, count, 0, NULL, &bounds, &error), &error);
    for (size_t i = 0; i < count; i++) {
        double squared = 0;
        for (int k = 0; k < 3; k++) {
            double d = (double)points[i * 3 + k] - bounds.center[k];
            squared += d * d;
            assert_true(points[i * 3 + k] >= bounds.minimum[k]);
            assert_true(points[i * 3 + k] <= bounds.maximum[k]);
        }
        assert_true(squared <= (double)bounds.radius * bounds.radius);
    }
    return bounds;
}

/* The smallest float not below `value`. */
static float up(double value)
{
    float rounded = (float)value;
    return rounded < value ? nextafterf(rounded, INFINITY) : rounded;
}

static void assert_sphere(const facet_bounds *bounds, double x, double y, double z, double radius)
{
    assert_true(bounds->center[0] == (float)x && bounds->center[1] == (float)y &&
                bounds->center[2] == (float)z);
    assert_true(bounds->radius == up(radius));
}

/* -- Known results ------------------------------------------------------ */

TEST(known_sets_get_their_smallest_sphere)
{
    float cube[24];
    for (int i = 0; i < 24; i++)
        cube[i] = i / 3 >> i % 3 & 1 ? 1 : -1;
    facet_bounds bounds = bounds_of(cube, 8); /* half the diagonal: sqrt(3) */
    assert_sphere(&bounds, 0, 0, 0, sqrt(3));
    for (int k = 0; k < 3; k++)
        assert_true(bounds.minimum[k] == -1 && bounds.maximum[k] == 1);

    /* Every second corner of the cube: a regular tetrahedron, same sphere. */
    static const float tetrahedron[12] = {1, 1, 1, -1, -1, 1, -1, 1, -1, 1, -1, -1};
    bounds = bounds_of(tetrahedron, 4);
    assert_sphere(&bounds, 0, 0, 0, sqrt(3));

    /* Right-angled: the hypotenuse, from (0,4) to (3,0), is the diameter. */
    static const float right[9] = {0, 0, 7, 3, 0, 7, 0, 4, 7};
    bounds = bounds_of(right, 3);
    assert_sphere(&bounds, 1.5, 2, 7, 2.5);

    /* Obtuse: the third point is inside the sphere over the longest side. */
    static const float obtuse[9] = {0, 0, 0, 10, 0, 0, 5, 1, 0};
    bounds = bounds_of(obtuse, 3);
    assert_sphere(&bounds, 5, 0, 0, 5);

    /* Acute: the circle through (-3,0), (3,0), (0,9): center (0,4), radius 5. */
    static const float acute[9] = {-3, 0, 0, 3, 0, 0, 0, 9, 0};
    bounds = bounds_of(acute, 3);
    assert_sphere(&bounds, 0, 4, 0, 5);
}

TEST(degenerate_sets_get_their_smallest_sphere)
{
    facet_bounds bounds = bounds_of(NULL, 0), zero = {0};
    assert_memory_equal(&bounds, &zero, sizeof zero);
    static const float equal[12] = {2, 3, 4, 2, 3, 4, 2, 3, 4, 2, 3, 4};
    bounds = bounds_of(equal, 1);
    assert_sphere(&bounds, 2, 3, 4, 0);
    bounds = bounds_of(equal, 4);
    assert_sphere(&bounds, 2, 3, 4, 0);
    float line[3 * 101], square[3 * 121];
    for (int i = 0; i <= 100; i++)
        line[i * 3] = (float)(i * 2), line[i * 3 + 1] = (float)(i * -1), line[i * 3 + 2] = 5;
    bounds = bounds_of(line, 101);
    assert_sphere(&bounds, 100, -50, 5, sqrt(12500));
    for (int i = 0; i < 121; i++)
        square[i * 3] = (float)(i % 11), square[i * 3 + 1] = 1, square[i * 3 + 2] = (float)(i / 11);
    bounds = bounds_of(square, 121);
    assert_sphere(&bounds, 5, 1, 5, sqrt(50));
}

/* Many points on one sphere, to float precision. */
TEST(cospherical_points_get_their_sphere)
{
    enum { COUNT = 3000 };
    static float points[COUNT * 3];
    uint32_t seed = 8;
    for (int i = 0; i < COUNT; i++) {
        double v[3], length = 0;
        for (int k = 0; k < 3; k++) {
            v[k] = test_random_float(&seed) - 0.5;
            length += v[k] * v[k];
        }
        for (int k = 0; k < 3; k++)
            points[i * 3 + k] = (float)(100 + 3 * v[k] / sqrt(length));
    }
    facet_bounds bounds = bounds_of(points, COUNT);
    for (int k = 0; k < 3; k++)
        assert_true(fabs(bounds.center[k] - 100) < 2e-5);
    assert_true(bounds.radius > 3 - 1e-5 && bounds.radius < 3 + 2e-5);
}

TEST(stride_skips_bytes_between_points)
{
    /* Points at bytes 0, 20, 40 of records of 20 bytes. */
    static const float records[15] = {1, 0, 0, 99, 99, -1, 0, 0, 99, 99, 0, 1, 0, 99, 99};
    facet_bounds bounds;
    facet_error error;
    TEST_OK(facet_bounds_compute(records, 3, 20, NULL, &bounds, &error), &error);
    assert_sphere(&bounds, 0, 0, 0, 1);
    assert_true(bounds.maximum[0] == 1 && bounds.maximum[1] == 1);
}

TEST(bounds_refuse_invalid_positions)
{
    static const float bad[2] = {NAN, INFINITY};
    for (int i = 0; i < 18; i++) {
        float points[9] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
        points[i % 9] = bad[i / 9];
        facet_bounds bounds;
        facet_error error;
        TEST_REFUSED(facet_bounds_compute(points, 3, 0, NULL, &bounds, &error),
                     FACET_ERROR_ARGUMENT, "MESH-POSITION-FINITE", &error);
    }
    static const float wide[6] = {FLT_MAX, FLT_MAX, FLT_MAX, -FLT_MAX, -FLT_MAX, -FLT_MAX};
    facet_bounds bounds;
    facet_error error;
    TEST_REFUSED(facet_bounds_compute(wide, 2, 0, NULL, &bounds, &error), FACET_ERROR_LIMIT,
                 "MESH-POSITION-RANGE", &error);
    static const float tiny[6] = {1e-45f, 0, 0, -1e-45f, 0, 0};
    bounds = bounds_of(tiny, 2);
    assert_sphere(&bounds, 0, 0, 0, 1e-45f);
}

/* -- Compared with brute force ------------------------------------------ */

/* Solve a[i] . x = b[i] by Gaussian elimination with pivoting, for n unknowns. */
static bool solve(long double a[3][4], int n, long double *x)
{
    for (int i = 0; i < n; i++) {
        int pivot = i;
        for (int j = i + 1; j < n; j++)
            pivot = fabsl(a[j][i]) > fabsl(a[pivot][i]) ? j : pivot;
        if (fabsl(a[pivot][i]) < 1e-15L)
            return false;
        for (int k = 0; k <= 3; k++) {
            long double swap = a[i][k];
            a[i][k] = a[pivot][k];
            a[pivot][k] = swap;
        }
        for (int j = 0; j < n; j++) {
            long double factor = j == i ? 0 : a[j][i] / a[i][i];
            for (int k = 0; k <= 3; k++)
                a[j][k] -= factor * a[i][k];
        }
    }
    for (int i = 0; i < n; i++)
        x[i] = a[i][3] / a[i][i];
    return true;
}

/* Center of the smallest sphere through the chosen points. With the edges e_i from the first of
 * them: 2 e_i . sum(x_j e_j) = e_i . e_i. */
static bool center_through(const float *points, const int *chosen, int count, long double *center)
{
    long double a[3][4] = {{0}}, x[3] = {0}, edges[3][3];
    const float *first = points + chosen[0] * 3;
    for (int i = 1; i < count; i++) {
        for (int k = 0; k < 3; k++)
            edges[i - 1][k] = (long double)points[chosen[i] * 3 + k] - first[k];
    }
    for (int i = 0; i < count - 1; i++) {
        for (int k = 0; k < 3; k++) {
            for (int j = 0; j < count - 1; j++)
                a[i][j] += 2 * edges[i][k] * edges[j][k];
            a[i][3] += edges[i][k] * edges[i][k];
        }
    }
    if (!solve(a, count - 1, x))
        return false;
    for (int k = 0; k < 3; k++) {
        center[k] = first[k];
        for (int i = 0; i < count - 1; i++)
            center[k] += x[i] * edges[i][k];
    }
    return true;
}

/* Squared radii of all spheres through 2, 3 or 4 of the points; return the root of the smallest
 * that contains all points. */
static long double brute_force_radius(const float *points, int count)
{
    long double best = INFINITY;
    for (int set = 0; set < 1 << count; set++) {
        int chosen[4], size = 0;
        for (int i = 0; i < count && size <= 4; i++) {
            if (!(set >> i & 1))
                continue;
            if (size < 4)
                chosen[size] = i;
            size++;
        }
        long double center[3], most = 0;
        if (size < 2 || size > 4 || !center_through(points, chosen, size, center))
            continue;
        for (int i = 0; i < count; i++) {
            long double squared = 0;
            for (int k = 0; k < 3; k++)
                squared += (points[i * 3 + k] - center[k]) * (points[i * 3 + k] - center[k]);
            most = squared > most ? squared : most;
        }
        /* If the sphere does not contain a point, enlarge it. Such a sphere is never smaller than
         * the best. */
        best = most < best ? most : best;
    }
    return sqrtl(best);
}

TEST(spheres_of_random_sets_match_brute_force)
{
    uint32_t seed = 31;
    for (int round = 0; round < 4000; round++) {
        float points[3 * 9];
        int count = 2 + (int)(test_random(&seed) % 8), shape = round % 4;
        for (int i = 0; i < count * 3; i++) {
            points[i] = test_random_float(&seed) * 2 - 1;
            if (shape == 1) /* on a grid: cospherical, coplanar and equal points */
                points[i] = roundf(points[i] * 2);
            if (shape == 2 && i % 3 == 2)
                points[i] = 0.25f;
            if (shape == 3) /* a long, thin cloud far from the origin */
                points[i] = points[i] * (i % 3 ? 0.01f : 100) + 1000;
        }
        bool all_equal = true;
        for (int i = 3; i < count * 3; i++)
            all_equal = all_equal && points[i] == points[i - 3];
        if (all_equal)
            continue;
        facet_bounds bounds = bounds_of(points, (size_t)count);
        double expected = (double)brute_force_radius(points, count);
        /* The center is rounded to float: an error of at most 2^-24 of its size per axis. */
        double rounding = 0;
        for (int k = 0; k < 3; k++)
            rounding += ldexp(fabs(bounds.center[k]), -24);
        assert_true(bounds.radius >= expected * (1 - 1e-12));
        assert_true(bounds.radius <= expected * (1 + 1.3e-7) + rounding);
    }
}
