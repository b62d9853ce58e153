/* Volumes of convex hulls of a few points, compared with qhull and with known results. */
#include "mesh/hulls/convex.h"
#include "mesh/hulls/volume.h"
#include "support/support.h"

#include <math.h>

/* Reproducible pseudorandom number from -1 to 1. */
static double next_number(uint32_t *state)
{
    *state = *state * 1664525U + 1013904223U;
    return (double)(*state >> 8) / (1 << 23) - 1;
}

static double volume_of(const double *points, uint32_t count)
{
    double volume = -1;
    assert_true(facet_few_points_volume(points, count, &volume));
    return volume;
}

/* A cube of side 2 has 8 corners. More points on its edges, on its faces and inside change nothing.
 * All are 3 x 3 x 3 points. */
TEST(inner_points_do_not_change_the_volume)
{
    double points[27][3];
    for (int i = 0; i < 27; i++) {
        /* 27 and 10 have no common divisor: the middle point comes early in this order. */
        int at = i * 10 % 27;
        points[i][0] = at % 3 + 5;
        points[i][1] = at / 3 % 3 - 7;
        points[i][2] = at / 9;
    }
    assert_true(fabs(volume_of(points[0], 27) - 8) < 1e-12);
}

TEST(flat_points_have_no_volume)
{
    static const double same[4][3] = {{1, 2, 3}, {1, 2, 3}, {1, 2, 3}, {1, 2, 3}};
    static const double line[5][3] = {{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {3, 3, 3}, {4, 4, 4}};
    static const double plane[5][3] = {{0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}, {0.5, 3, 1}};
    assert_true(volume_of(same[0], 4) == 0);
    assert_true(volume_of(line[0], 5) == 0);
    assert_true(volume_of(plane[0], 5) == 0);
    assert_true(volume_of(plane[0], 3) == 0);
}

TEST(volumes_match_qhull)
{
    double points[FACET_FEW_POINTS + 1][3];
    uint32_t chance = 1;
    facet_convex convex;
    facet_error error;
    TEST_OK(facet_convex_open(&convex, &error), &error);
    convex.flat = 0;
    for (int round = 0; round < 2000; round++) {
        uint32_t count = 4 + (uint32_t)round % (FACET_FEW_POINTS - 3);
        bool round_ones = round % 3 == 0, coarse = round % 3 == 1;
        for (uint32_t i = 0; i < count; i++) {
            double length = 0;
            for (int k = 0; k < 3; k++) {
                double x = next_number(&chance);
                /* Coarse points are often coplanar. */
                points[i][k] = coarse ? floor(x * 3) : x;
                length += x * x;
            }
            for (int k = 0; round_ones && k < 3; k++)
                points[i][k] /= sqrt(length);
        }
        facet_convex_job job = {.points = points[0], .count = count};
        facet_convex_solve(&convex, &job);
        assert_false(job.failed);
        double volume = volume_of(points[0], count);
        if (fabs(volume - job.volume) > 1e-9)
            fail_msg("round %d, %u points: %.17g, qhull says %.17g", round, count, volume,
                     job.volume);
    }
    facet_convex_close(&convex);
    assert_false(facet_few_points_volume(points[0], FACET_FEW_POINTS + 1, &convex.flat));
}
