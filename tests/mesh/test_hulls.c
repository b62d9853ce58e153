/* Convex hulls of points, and of meshes with known volumes. */
#include "base/arena.h"
#include "mesh/hulls/convex.h"
#include "mesh/hulls/decompose.h"
#include "mesh/soup.h"
#include "support/shapes.h"
#include "support/support.h"

#include <facet/mesh.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* -- Shapes ------------------------------------------------------------- */

/* An L of 3 x 3, one thick and one deep: volume 5. */
static void add_l(test_shape *s)
{
    static const double outline[6][2] = {{0, 0}, {3, 0}, {3, 1}, {1, 1}, {1, 3}, {0, 3}};
    static const uint32_t caps[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}};
    for (int i = 0; i < 12; i++)
        test_shape_point(s, outline[i % 6][0], outline[i % 6][1], i / 6);
    for (uint32_t i = 0; i < 6; i++) {
        uint32_t j = (i + 1) % 6;
        test_shape_triangle(s, i, j, 6 + j);
        test_shape_triangle(s, i, 6 + j, 6 + i);
    }
    for (int i = 0; i < 4; i++) {
        test_shape_triangle(s, caps[i][0], caps[i][2], caps[i][1]);
        test_shape_triangle(s, 6 + caps[i][0], 6 + caps[i][1], 6 + caps[i][2]);
    }
}

static void add_chair(test_shape *s)
{
    test_shape_box(s, 0, 0, 0, 0.1, 1, 0.1);
    test_shape_box(s, 0.9, 0, 0, 1, 1, 0.1);
    test_shape_box(s, 0, 0, 0.9, 0.1, 1, 1);
    test_shape_box(s, 0.9, 0, 0.9, 1, 1, 1);
    test_shape_box(s, 0, 1, 0, 1, 1.1, 1);
    test_shape_box(s, 0, 1.1, 0, 1, 2.2, 0.1);
}

/* -- Measurements ------------------------------------------------------- */

/* Height of a point above the highest of a hull's faces. It is at most 0 inside. */
static double height_above(const float *points, const facet_convex_hull *hull, const float *point)
{
    double highest = -INFINITY;
    for (uint32_t t = 0; t < hull->triangle_count; t++) {
        const uint32_t *corners = hull->triangles + 3 * (size_t)t;
        const float *a = points + 3 * (size_t)corners[0], *b = points + 3 * (size_t)corners[1],
                    *c = points + 3 * (size_t)corners[2];
        double u[3], v[3], n[3], height = 0;
        for (int k = 0; k < 3; k++) {
            u[k] = (double)b[k] - (double)a[k];
            v[k] = (double)c[k] - (double)a[k];
        }
        for (int k = 0; k < 3; k++)
            n[k] = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
        double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        if (length == 0)
            continue;
        for (int k = 0; k < 3; k++)
            height += n[k] / length * ((double)point[k] - (double)a[k]);
        highest = fmax(highest, height);
    }
    return highest;
}

/* Check the guarantees for every mesh: limits of corners and volume, and all used vertices are
 * inside. Returns the summed volume. */
static double check_hulls(const facet_scene *scene, const test_shape *s, uint32_t most_corners,
                          double *farthest)
{
    facet_error error;
    double volume = 0, tolerance = 0.01 * test_shape_diagonal(s);
    double *nearest = malloc(s->point_count * sizeof *nearest);
    assert_non_null(nearest);
    for (uint32_t i = 0; i < s->point_count; i++)
        nearest[i] = INFINITY;
    for (uint32_t h = 0; h < scene->hull_count; h++) {
        const facet_hull *hull = scene->hulls[h];
        facet_convex_hull *convex = NULL;
        TEST_OK(facet_convex_hull_compute(hull->points, hull->point_count, NULL, &convex, &error),
                &error);
        assert_int_equal(convex->corner_count, hull->point_count);
        assert_in_range(hull->point_count, 4, most_corners);
        assert_true(convex->volume > 0);
        volume += convex->volume;
        for (uint32_t i = 0; i < s->point_count; i++)
            nearest[i] = fmin(nearest[i], height_above(hull->points, convex, s->points[i]));
        facet_convex_hull_free(convex);
    }
    *farthest = 0;
    for (uint32_t t = 0; t < s->triangle_count; t++) {
        for (int c = 0; c < 3; c++)
            *farthest = fmax(*farthest, nearest[s->triangles[t][c]]);
    }
    free(nearest);
    if (*farthest > tolerance)
        fail_msg("a vertex is %g outside of all hulls, allowed is %g", *farthest, tolerance);
    return volume;
}

static double hulls_volume(const test_shape *s, uint32_t most, facet_hulls_summary *summary)
{
    facet_error error;
    facet_hulls_options hulls = {0};
    hulls.max_hulls = most;
    facet_scene *scene = test_shape_scene(s);
    double farthest;
    TEST_OK(facet_mesh_hulls(scene->meshes[0], &hulls, NULL, scene, summary, &error), &error);
    assert_int_equal(scene->hull_count, summary->hulls);
    assert_in_range(summary->hulls, 1, most);
    double volume = check_hulls(scene, s, 64, &farthest);
    assert_true(fabs(volume - summary->volume) <= 1e-5 * volume);
    assert_true(summary->distance <= 0.01);
    facet_scene_free(scene);
    return volume;
}

/* -- Hulls of points ---------------------------------------------------- */

TEST(hull_of_a_cube_has_8_corners)
{
    /* 5 x 5 x 5 points: 8 are corners, the others are on edges, on faces and inside. */
    float points[125][3];
    for (int i = 0; i < 125; i++) {
        points[i][0] = (float)(i % 5) / 4;
        points[i][1] = (float)(i / 5 % 5) / 4;
        points[i][2] = (float)(i / 25) / 4;
    }
    facet_error error;
    facet_convex_hull *hull = NULL;
    TEST_OK(facet_convex_hull_compute(points[0], 125, NULL, &hull, &error), &error);
    static const uint32_t corners[8] = {0, 4, 20, 24, 100, 104, 120, 124};
    assert_int_equal(hull->corner_count, 8);
    assert_memory_equal(hull->corners, corners, sizeof corners);
    assert_int_equal(hull->triangle_count, 12);
    assert_true(fabs(hull->volume - 1) < 1e-12);
    /* The triangles enclose the same volume and face outward. */
    double volume = 0;
    for (uint32_t t = 0; t < 12; t++) {
        const float *a = points[hull->triangles[3 * t]], *b = points[hull->triangles[3 * t + 1]],
                    *c = points[hull->triangles[3 * t + 2]];
        volume += (double)(a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
                           a[2] * (b[0] * c[1] - b[1] * c[0])) /
                  6;
    }
    assert_true(fabs(volume - 1) < 1e-6);
    facet_convex_hull_free(hull);
}

static void expect_no_hull(const float *points, uint32_t count, const char *rule)
{
    facet_error error;
    facet_convex_hull *hull = NULL;
    assert_int_equal(facet_convex_hull_compute(points, count, NULL, &hull, &error),
                     FACET_ERROR_ARGUMENT);
    assert_string_equal(error.rule, rule);
    assert_null(hull);
}

TEST(flat_points_have_no_hull)
{
    facet_error error;
    static const float same[5][3] = {{1, 2, 3}, {1, 2, 3}, {1, 2, 3}, {1, 2, 3}, {1, 2, 3}};
    static const float line[4][3] = {{0, 0, 0}, {1, 2, 3}, {2, 4, 6}, {3, 6, 9}};
    /* A plane that floats cannot represent exactly: z = x / 3 + y / 7, far from the origin. */
    float plane[50][3];
    for (int i = 0; i < 50; i++) {
        plane[i][0] = (float)(i * 37 % 50);
        plane[i][1] = (float)(i * 11 % 50);
        plane[i][2] = plane[i][0] / 3 + plane[i][1] / 7 + 1000;
    }
    expect_no_hull(same[0], 5, "HULLS-FLAT");
    expect_no_hull(same[0], 0, "HULLS-FLAT");
    expect_no_hull(line[0], 4, "HULLS-FLAT");
    expect_no_hull(plane[0], 50, "HULLS-FLAT");
    double volume = -1;
    TEST_OK(facet_convex_hull_volume(plane[0], 50, &volume, &error), &error);
    assert_true(volume == 0);
    plane[7][1] = NAN;
    expect_no_hull(plane[0], 50, "HULLS-FINITE");
    assert_int_equal(facet_convex_hull_volume(plane[0], 50, &volume, &error), FACET_ERROR_ARGUMENT);
}

TEST(hull_of_a_tetrahedron_has_its_volume)
{
    static const float points[4][3] = {{10, 0, 0}, {12, 0, 0}, {10, 3, 0}, {10, 0, 5}};
    facet_error error;
    double volume = 0;
    TEST_OK(facet_convex_hull_volume(points[0], 4, &volume, &error), &error);
    assert_true(fabs(volume - 2 * 3 * 5 / 6.0) < 1e-12);
}

/* -- Hulls of meshes ---------------------------------------------------- */

TEST(box_is_one_hull)
{
    test_shape *s = test_shape_new();
    facet_hulls_summary summary;
    test_shape_box(s, 10, -2, 5, 11, 0, 8);
    double volume = hulls_volume(s, 32, &summary);
    assert_int_equal(summary.hulls, 1);
    assert_true(fabs(volume - 1 * 2 * 3) < 1e-5);
    free(s);
}

TEST(two_boxes_get_two_hulls)
{
    test_shape *s = test_shape_new();
    facet_hulls_summary summary;
    test_shape_box(s, 0, 0, 0, 1, 1, 1);
    test_shape_box(s, 3, 0, 0, 4, 1, 1);
    double volume = hulls_volume(s, 32, &summary);
    assert_int_equal(summary.hulls, 2);
    assert_true(fabs(volume - 2) < 1e-5);
    /* With one hull, it must contain both boxes: 4 x 1 x 1. */
    volume = hulls_volume(s, 1, &summary);
    assert_int_equal(summary.hulls, 1);
    assert_true(fabs(volume - 4) < 1e-5);
    free(s);
}

TEST(hulls_of_an_l_are_close)
{
    test_shape *s = test_shape_new();
    facet_hulls_summary summary;
    add_l(s);
    double volume = hulls_volume(s, 2, &summary);
    assert_int_equal(summary.hulls, 2);
    assert_true(volume > 5 * 0.999 && volume < 5 * 1.02);
    volume = hulls_volume(s, 32, &summary);
    assert_true(volume > 5 * 0.999 && volume < 5 * 1.01);
    /* The convex hull fills the square except the triangle (3, 1), (1, 3), (3, 3). */
    volume = hulls_volume(s, 1, &summary);
    assert_true(fabs(volume - 7) < 1e-5);
    free(s);
}

TEST(hull_of_a_sphere_has_bounded_excess)
{
    test_shape *s = test_shape_new();
    facet_hulls_summary summary;
    test_shape_sphere(s, 40, 20);
    /* 64 corners cannot enclose a sphere tightly; the excess is bounded. */
    double volume = hulls_volume(s, 1, &summary), sphere = 4 * TEST_PI / 3;
    assert_true(volume > 0.85 * sphere && volume < 1.1 * sphere);
    free(s);
}

/* The goal: 32 hulls have a summed volume of at most 1.15 times the solid's. */
static void expect_close(const test_shape *s, double solid)
{
    facet_hulls_summary summary;
    double volume = hulls_volume(s, 32, &summary);
    if (volume < 0.97 * solid || volume > 1.15 * solid)
        fail_msg("%u hulls of volume %g, the solid has %g", summary.hulls, volume, solid);
}

TEST(hulls_of_a_torus_are_close)
{
    test_shape *s = test_shape_new();
    test_shape_torus(s, 1, 0.35, 48, 24);
    /* Circles are regular polygons here, so n / 2 * sin(2 pi / n) replaces pi. */
    double around = 48 * sin(2 * TEST_PI / 48), across = 24 / 2.0 * sin(2 * TEST_PI / 24);
    expect_close(s, around * across * 0.35 * 0.35);
    free(s);
}

TEST(hulls_of_a_cup_are_close)
{
    test_shape *s = test_shape_new();
    double profile[6][2] = {{0, 0}, {1, 0}, {1, 2}, {0.85, 2}, {0.85, 0.15}, {0, 0.15}};
    test_shape_turned(s, profile, 6, 48);
    double circle = 24 * sin(2 * TEST_PI / 48);
    expect_close(s, circle * (2 - 0.85 * 0.85 * 1.85));
    /* The same inside out. */
    for (uint32_t i = 0; i < s->triangle_count; i++) {
        uint32_t swapped = s->triangles[i][0];
        s->triangles[i][0] = s->triangles[i][1];
        s->triangles[i][1] = swapped;
    }
    expect_close(s, circle * (2 - 0.85 * 0.85 * 1.85));
    free(s);
}

TEST(hulls_of_a_chair_are_close)
{
    test_shape *s = test_shape_new();
    add_chair(s);
    expect_close(s, 4 * 0.01 + 0.1 + 0.11);
    /* The same, rotated away from the axes. */
    double c = cos(0.6), d = sin(0.6);
    for (uint32_t i = 0; i < s->point_count; i++) {
        float *p = s->points[i], x = p[0], y = p[1], z = p[2];
        p[0] = (float)(c * (double)x - d * (double)y);
        double up = d * (double)x + c * (double)y;
        p[1] = (float)(c * up - d * (double)z);
        p[2] = (float)(d * up + c * (double)z);
    }
    expect_close(s, 4 * 0.01 + 0.1 + 0.11);
    free(s);
}

/* Open surfaces enclose no volume but are covered by hulls, and so are crossing surfaces. */
TEST(open_and_crossing_surfaces_are_covered)
{
    test_shape *s = test_shape_new();
    facet_hulls_summary summary;
    test_shape_sphere(s, 32, 16);
    s->triangle_count /= 2;
    hulls_volume(s, 6, &summary);
    /* Three triangles at one edge, and a box that intersects them. */
    test_shape_triangle(s, 0, 1, 100);
    test_shape_triangle(s, 0, 1, 200);
    test_shape_triangle(s, 0, 1, 300);
    test_shape_box(s, -0.2, -0.3, -0.4, 0.5, 0.6, 0.7);
    hulls_volume(s, 6, &summary);
    free(s);
}

TEST(hulls_do_not_depend_on_scale)
{
    test_shape *s = test_shape_new();
    facet_hulls_summary summary;
    add_l(s);
    for (uint32_t i = 0; i < s->point_count; i++) {
        for (int k = 0; k < 3; k++)
            s->points[i][k] = ldexpf(s->points[i][k], -60);
    }
    double volume = hulls_volume(s, 2, &summary);
    assert_true(volume > ldexp(5 * 0.999, -180) && volume < ldexp(5 * 1.02, -180));
    for (uint32_t i = 0; i < s->point_count; i++) {
        for (int k = 0; k < 3; k++)
            s->points[i][k] = ldexpf(s->points[i][k], 100) + 0x1p44F;
    }
    volume = hulls_volume(s, 2, &summary);
    assert_true(volume > ldexp(5 * 0.999, 120) && volume < ldexp(5 * 1.02, 120));
    free(s);
}

TEST(hulls_contain_the_largest_floats)
{
    test_shape *s = test_shape_new();
    facet_hulls_summary summary;
    test_shape_sphere(s, 32, 16);
    for (uint32_t i = 0; i < s->point_count; i++) {
        for (int k = 0; k < 3; k++)
            s->points[i][k] *= 0x1.fp127F;
    }
    hulls_volume(s, 1, &summary);
    hulls_volume(s, 4, &summary);
    free(s);
}

/* -- Degenerate and wrong input ----------------------------------------- */

static void expect_plate(test_shape *s, const char *rule)
{
    facet_error error;
    facet_report *report = NULL;
    facet_options options = {0};
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    options.report = report;
    facet_scene *scene = test_shape_scene(s);
    facet_hulls_summary summary;
    double farthest;
    TEST_OK(facet_mesh_hulls(scene->meshes[0], NULL, &options, scene, &summary, &error), &error);
    assert_non_null(test_finding(report, rule));
    if (strcmp(rule, "HULLS-NONE") == 0) {
        assert_int_equal(scene->hull_count, 0);
        assert_int_equal(summary.hulls, 0);
    } else {
        assert_true(scene->hull_count > 0);
        check_hulls(scene, s, 64, &farthest);
    }
    facet_scene_free(scene);
    facet_report_free(report);
}

TEST(degenerate_meshes_get_plates_or_no_hull)
{
    test_shape *s = test_shape_new();
    expect_plate(s, "HULLS-NONE"); /* no triangle */
    for (int i = 0; i < 3; i++)
        test_shape_point(s, 4, 5, 6);
    test_shape_triangle(s, 0, 1, 2);
    expect_plate(s, "HULLS-NONE"); /* all points equal */
    test_shape_point(s, 5, 5, 6);
    test_shape_triangle(s, 0, 1, 3);
    expect_plate(s, "HULLS-FLAT"); /* a line */
    test_shape_point(s, 5, 7, 8);
    test_shape_triangle(s, 0, 3, 4);
    expect_plate(s, "HULLS-FLAT"); /* one triangle */
    test_shape_point(s, 4, 7, 8);
    test_shape_triangle(s, 0, 4, 5);
    expect_plate(s, "HULLS-FLAT"); /* a rectangle */
    free(s);
}

static void expect_refused(const test_shape *s, const facet_hulls_options *hulls, uint32_t corners,
                           const char *rule)
{
    facet_error error;
    facet_scene *scene = test_shape_scene(s);
    uint32_t offsets[2] = {0, corners};
    if (corners) {
        scene->meshes[0]->face_offsets = offsets;
        scene->meshes[0]->face_count = 1;
    }
    assert_int_equal(facet_mesh_hulls(scene->meshes[0], hulls, NULL, scene, NULL, &error),
                     FACET_ERROR_ARGUMENT);
    assert_string_equal(error.rule, rule);
    assert_int_equal(scene->hull_count, 0);
    facet_scene_free(scene);
}

TEST(hulls_refuse_invalid_input)
{
    test_shape *s = test_shape_new();
    test_shape_box(s, 0, 0, 0, 1, 1, 1);
    facet_hulls_options hulls = {0};
    hulls.max_hulls = 257;
    expect_refused(s, &hulls, 0, "HULLS-OPTIONS");
    hulls.max_hulls = 0;
    hulls.max_vertices = 7;
    expect_refused(s, &hulls, 0, "HULLS-OPTIONS");
    hulls.max_vertices = 0;
    hulls.resolution = 257;
    expect_refused(s, &hulls, 0, "HULLS-OPTIONS");
    expect_refused(s, NULL, 36, "HULLS-TRIANGLES");
    s->points[3][2] = INFINITY;
    expect_refused(s, NULL, 0, "HULLS-FINITE");
    s->points[3][2] = NAN;
    expect_refused(s, NULL, 0, "HULLS-FINITE");
    free(s);
}

/* facet_mesh_hulls asserts that the mesh is valid. These tests are for builds without
 * assertions. */
TEST(corners_without_a_position_are_refused)
{
    for (int whole = 0; whole < 2; whole++) {
        test_shape *s = test_shape_new();
        test_shape_box(s, 0, 0, 0, 1, 1, 1);
        facet_scene *scene = test_shape_scene(s);
        facet_mesh *mesh = scene->meshes[0];
        facet_soup soup;
        facet_error error;
        if (whole)
            mesh->stream_count = 0;
        else
            facet_mesh_find(mesh, FACET_POSITION, 0)->indices[5] = FACET_NONE;
        assert_int_equal(facet_soup_gather(mesh, scene->arena, &soup, &error),
                         FACET_ERROR_ARGUMENT);
        assert_string_equal(error.rule, "HULLS-POSITION");
        facet_scene_free(scene);
        free(s);
    }
}

/* A cut by a plane may add two corners to a triangle. A part claims 2^32 - 1 corners; only
 * the first are read. */
TEST(cut_parts_have_less_than_2_32_corners)
{
    double points[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    uint32_t corners[3] = {0, 1, 2}, offsets[2] = {0, 3};
    const facet_plane plane = {{1, 0, 0}, 0.5};
    const facet_segments none[2] = {{NULL, 0, 0}, {NULL, 0, 0}};
    facet_part_geometry whole = {points, 3, corners, 3, offsets, 1}, lower = {0}, upper = {0};
    facet_arena *arena = NULL;
    facet_error error;
    for (int large = 0; large < 2; large++) {
        TEST_OK(facet_arena_create(NULL, &arena, &error), &error);
        whole.corner_count = large ? UINT32_MAX : 3;
        facet_status status =
            facet_part_geometry_cut(&whole, &plane, none, arena, &lower, &upper, &error);
        assert_int_equal(status, large ? FACET_ERROR_LIMIT : FACET_OK);
        if (large)
            assert_string_equal(error.rule, "HULLS-SIZE");
        facet_arena_free(arena);
    }
}

/* -- Few corners -------------------------------------------------------- */

TEST(hulls_have_at_most_max_vertices)
{
    facet_error error;
    test_shape *s = test_shape_new();
    test_shape_torus(s, 1, 0.35, 32, 16);
    facet_scene *scene = test_shape_scene(s);
    facet_hulls_options hulls = {0};
    hulls.max_hulls = 12;
    hulls.max_vertices = 8;
    double farthest;
    TEST_OK(facet_mesh_hulls(scene->meshes[0], &hulls, NULL, scene, NULL, &error), &error);
    check_hulls(scene, s, 8, &farthest);
    facet_scene_free(scene);
    free(s);
}

/* -- Threads, canceling, memory ---------------------------------------- */

TEST(hulls_are_the_same_for_any_thread_count)
{
    facet_error error;
    test_shape *s = test_shape_new();
    test_shape_torus(s, 1, 0.35, 40, 20);
    add_chair(s);
    facet_scene *scenes[3];
    facet_hulls_options hulls = {0};
    hulls.max_hulls = 6;
    for (unsigned i = 0; i < 3; i++) {
        const facet_threads *threads = NULL;
        facet_options options = {0};
        TEST_OK(facet_threads_create(1 + 2 * i, &threads, &error), &error);
        options.threads = threads;
        scenes[i] = test_shape_scene(s);
        TEST_OK(facet_mesh_hulls(scenes[i]->meshes[0], &hulls, &options, scenes[i], NULL, &error),
                &error);
        facet_threads_free(threads);
    }
    for (int i = 1; i < 3; i++) {
        assert_int_equal(scenes[i]->hull_count, scenes[0]->hull_count);
        for (uint32_t h = 0; h < scenes[0]->hull_count; h++) {
            const facet_hull *a = scenes[0]->hulls[h], *b = scenes[i]->hulls[h];
            assert_int_equal(a->point_count, b->point_count);
            assert_memory_equal(a->points, b->points, a->point_count * 3 * sizeof *a->points);
        }
    }
    for (int i = 0; i < 3; i++)
        facet_scene_free(scenes[i]);
    free(s);
}

typedef struct patience {
    int calls, most;
    double fraction;
} patience;

static bool count_down(void *user, const char *step, double fraction)
{
    patience *p = user;
    assert_string_equal(step, "hulls");
    assert_true(fraction >= p->fraction && fraction <= 1);
    p->fraction = fraction;
    return ++p->calls <= p->most;
}

TEST(canceled_hulls_leave_the_scene_unchanged)
{
    facet_error error;
    test_shape *s = test_shape_new();
    add_l(s);
    patience p = {0, 1000000, 0};
    facet_options options = {0};
    options.progress = count_down;
    options.progress_user = &p;
    facet_scene *scene = test_shape_scene(s);
    TEST_OK(facet_mesh_hulls(scene->meshes[0], NULL, &options, scene, NULL, &error), &error);
    assert_true(p.fraction == 1);
    int calls = p.calls;
    uint32_t hulls = scene->hull_count;
    for (int most = 0; most < calls; most += 1 + calls / 5) {
        p.calls = 0;
        p.most = most;
        p.fraction = 0;
        assert_int_equal(facet_mesh_hulls(scene->meshes[0], NULL, &options, scene, NULL, &error),
                         FACET_ERROR_CANCELED);
        assert_int_equal(p.calls, most + 1);
        assert_int_equal(scene->hull_count, hulls);
    }
    facet_scene_free(scene);
    free(s);
}

static facet_status attempt_hulls(const facet_allocator *allocator, void *user)
{
    facet_error error;
    facet_options options = {0};
    facet_hulls_options hulls = {0};
    options.allocator = allocator;
    hulls.max_hulls = 2;
    hulls.resolution = 32;
    /* The test owns the mesh; only the pass's own allocations must fail. */
    facet_scene *source = user, *scene = NULL;
    facet_status status = facet_scene_create(&options, &scene, &error);
    if (status)
        return status;
    status = facet_mesh_hulls(source->meshes[0], &hulls, &options, scene, NULL, &error);
    facet_scene_free(scene);
    return status;
}

TEST(hulls_report_failed_allocations)
{
    test_shape *s = test_shape_new();
    test_shape_box(s, 0, 0, 0, 1, 1, 1);
    test_shape_box(s, 3, 0, 0, 4, 1, 1);
    facet_scene *source = test_shape_scene(s);
    test_every_allocation(attempt_hulls, source);
    facet_scene_free(source);
    free(s);
}
