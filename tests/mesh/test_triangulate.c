/* The triangulate pass. Independent checks of a triangulation: n - 2 triangles, none flipped, whose
 * areas add up to the polygon's. Each edge of the polygon occurs once and each diagonal twice. */
#include "support/mesh.h"

#include <facet/mesh.h>
#include <math.h>
#include <stdlib.h>

#define PI 3.14159265358979323846

/* -- Measurements ------------------------------------------------------- */

/* Twice the signed area of triangle a, b, c. Exact for small integers. */
static double area(const float *a, const float *b, const float *c)
{
    return ((double)b[0] - a[0]) * ((double)c[1] - a[1]) -
           ((double)b[1] - a[1]) * ((double)c[0] - a[0]);
}

/* Twice the area of a polygon in the plane z = 0. */
static double polygon_area(const float *points, uint32_t count)
{
    double sum = 0;
    for (uint32_t i = 1; i + 1 < count; i++)
        sum += area(points, points + (size_t)i * 3, points + (size_t)(i + 1) * 3);
    return sum;
}

static int compare_edges(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static bool has_edge(const uint64_t *edges, size_t count, uint32_t from, uint32_t to)
{
    uint64_t key = (uint64_t)from << 32 | to;
    return bsearch(&key, edges, count, sizeof key, compare_edges) != NULL;
}

/* Check that every edge of a triangle is an edge of the polygon or has another triangle on its
 * other side, and that every edge of the polygon occurs. */
static void check_edges(const uint32_t *indices, uint32_t count)
{
    size_t edge_count = (size_t)(count - 2) * 3;
    uint64_t *edges = malloc(edge_count * sizeof *edges);
    for (size_t i = 0; i < edge_count; i++)
        edges[i] = (uint64_t)indices[i] << 32 | indices[i % 3 == 2 ? i - 2 : i + 1];
    qsort(edges, edge_count, sizeof *edges, compare_edges);
    for (uint32_t i = 0; i < count; i++)
        assert_true(has_edge(edges, edge_count, i, i + 1 == count ? 0 : i + 1));
    for (size_t i = 0; i < edge_count; i++) {
        uint32_t from = (uint32_t)(edges[i] >> 32), to = (uint32_t)edges[i];
        assert_true(i == 0 || edges[i] != edges[i - 1]);
        assert_true(to == (from + 1 == count ? 0 : from + 1) ||
                    has_edge(edges, edge_count, to, from));
    }
    free(edges);
}

/* Triangulate one polygon. The caller frees the indices of its triangles. */
static uint32_t *triangulate(const float *points, uint32_t count)
{
    facet_scene *scene = test_scene();
    facet_mesh *mesh = test_mesh(scene, 1, &count);
    assert_true(test_stream(scene, mesh, FACET_POSITION, 3, count, points, NULL));
    facet_error error;
    TEST_OK(facet_mesh_triangulate(mesh, NULL, NULL, &error), &error);
    TEST_WHOLE(scene);
    assert_null(mesh->face_offsets);
    assert_int_equal(mesh->face_count, count - 2);
    size_t bytes = (size_t)(count - 2) * 3 * sizeof(uint32_t);
    uint32_t *indices = malloc(bytes);
    memcpy(indices, mesh->streams[0].indices, bytes);
    facet_scene_free(scene);
    return indices;
}

/* Check a simple polygon. `tolerance` is relative to the area: 0 for integers, whose sums are
 * exact. */
static void check_simple_polygon(const float *points, uint32_t count, double tolerance)
{
    uint32_t *indices = triangulate(points, count);
    double whole = polygon_area(points, count), sum = 0;
    assert_true(whole > 0);
    for (uint32_t i = 0; i < count - 2; i++) {
        double one =
            area(points + (size_t)indices[i * 3] * 3, points + (size_t)indices[i * 3 + 1] * 3,
                 points + (size_t)indices[i * 3 + 2] * 3);
        assert_true(one > 0);
        sum += one;
    }
    assert_true(fabs(sum - whole) <= tolerance * whole);
    check_edges(indices, count);
    free(indices);
}

/* -- Shapes ------------------------------------------------------------- */

static void set(float *points, uint32_t i, double x, double y)
{
    points[(size_t)i * 3] = (float)x;
    points[(size_t)i * 3 + 1] = (float)y;
    points[(size_t)i * 3 + 2] = 0;
}

/* Points around a center at random distances. */
static void make_star(float *points, uint32_t count, uint32_t seed)
{
    for (uint32_t i = 0; i < count; i++) {
        double angle = 2 * PI * i / count, radius = 100 + 900 * test_random_float(&seed);
        set(points, i, radius * cos(angle), radius * sin(angle));
    }
}

/* Teeth on a bar: above points 0 to count / 2, the outline returns as a zigzag. */
static void make_comb(float *points, uint32_t count)
{
    uint32_t teeth = count - 2;
    set(points, 0, 0, 0);
    set(points, 1, teeth, 0);
    for (uint32_t i = 0; i < teeth; i++)
        set(points, i + 2, teeth - i - 0.5, i % 2 ? 1 : 1000);
}

/* A band wound `turns` times: outward along its outer edge, inward along the inner. */
static void make_spiral(float *points, uint32_t count, double turns)
{
    uint32_t half = count / 2;
    for (uint32_t i = 0; i < count; i++) {
        double along = i < half ? i : count - 1 - i;
        double angle = 2 * PI * turns * along / half;
        double radius = 1 + angle / (2 * PI) - (i < half ? 0 : 0.5);
        set(points, i, radius * cos(angle), radius * sin(angle));
    }
}

/* A staircase of unit steps with collinear points on its straight sides. Twice its area is steps *
 * (steps + 1), because the area is the sum of 1..steps. */
static uint32_t make_staircase(float *points, uint32_t steps)
{
    uint32_t n = 0;
    for (uint32_t x = 0; x < steps; x++)
        set(points, n++, x, 0);
    for (uint32_t y = 0; y < steps; y++) {
        set(points, n++, steps - y, y);
        set(points, n++, steps - y, y + 1);
    }
    for (uint32_t y = steps; y > 0; y--)
        set(points, n++, 0, y);
    return n;
}

/* -- Polygons ----------------------------------------------------------- */

TEST(convex_polygon_is_a_fan)
{
    float points[21];
    for (uint32_t i = 0; i < 7; i++)
        set(points, i, cos(2 * PI * i / 7), sin(2 * PI * i / 7));
    static const uint32_t fan[15] = {0, 1, 2, 0, 2, 3, 0, 3, 4, 0, 4, 5, 0, 5, 6};
    uint32_t *indices = triangulate(points, 7);
    assert_memory_equal(indices, fan, sizeof fan);
    free(indices);
    check_simple_polygon(points, 7, 1e-6);
}

TEST(quads_take_the_inner_diagonal)
{
    /* A square, an arrowhead with its notch at each corner in turn, and a triangle with a fourth
     * point on each side in turn. */
    static const float square[12] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};
    static const float arrow[12] = {0, 0, 0, 2, 2, 0, 0, 1, 0, -2, 2, 0};
    static const float flat[12] = {0, 0, 0, 1, 0, 0, 2, 0, 0, 1, 2, 0};
    const float *shapes[3] = {square, arrow, flat};
    for (int shape = 0; shape < 3; shape++) {
        for (uint32_t shift = 0; shift < 4; shift++) {
            float points[12];
            for (uint32_t i = 0; i < 4; i++)
                memcpy(points + i * 3, shapes[shape] + (i + shift) % 4 * 3, 12);
            check_simple_polygon(points, 4, 0);
        }
    }
    static const uint32_t first_diagonal[6] = {0, 1, 2, 0, 2, 3};
    uint32_t *indices = triangulate(square, 4);
    assert_memory_equal(indices, first_diagonal, sizeof first_diagonal);
    free(indices);
}

TEST(simple_polygons_are_covered)
{
    static float points[3 * 2000];
    for (uint32_t count = 5; count < 2000; count += count / 2) {
        make_star(points, count, count);
        check_simple_polygon(points, count, 1e-6);
        make_comb(points, count);
        check_simple_polygon(points, count, 0);
    }
    for (uint32_t turns = 1; turns < 20; turns *= 3) {
        make_spiral(points, 2000, turns);
        check_simple_polygon(points, 2000, 1e-6);
    }
}

TEST(collinear_points_are_cut_correctly)
{
    static float points[3 * 400];
    for (uint32_t steps = 2; steps <= 100; steps *= 2) {
        uint32_t count = make_staircase(points, steps);
        assert_true(polygon_area(points, count) == steps * (steps + 1.0));
        check_simple_polygon(points, count, 0);
    }
}

/* Small random polygons on a 6 x 6 grid, so that points often coincide, touch edges or are
 * collinear. Polygons that are simple by brute force must be cut correctly, the others into n - 2
 * triangles. */
static bool segments_meet(const float *a, const float *b, const float *c, const float *d)
{
    double abc = area(a, b, c), abd = area(a, b, d), cda = area(c, d, a), cdb = area(c, d, b);
    if (abc == 0 && abd == 0 && cda == 0 && cdb == 0) {
        for (int k = 0; k < 2; k++) {
            if (fmaxf(a[k], b[k]) < fminf(c[k], d[k]) || fmaxf(c[k], d[k]) < fminf(a[k], b[k]))
                return false;
        }
        return true;
    }
    return abc * abd <= 0 && cda * cdb <= 0;
}

static bool is_simple(const float *points, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const float *a = points + i * 3, *b = points + (i + 1) % count * 3;
        const float *c = points + (i + 2) % count * 3;
        if (memcmp(a, b, 12) == 0)
            return false;
        double back = ((double)b[0] - a[0]) * ((double)c[0] - b[0]) +
                      ((double)b[1] - a[1]) * ((double)c[1] - b[1]);
        if (area(a, b, c) == 0 && back < 0)
            return false;
        for (uint32_t j = i + 2; j < count; j++) {
            if ((j + 1) % count != i &&
                segments_meet(a, b, points + j * 3, points + (j + 1) % count * 3))
                return false;
        }
    }
    return polygon_area(points, count) != 0;
}

TEST(random_simple_polygons_are_covered)
{
    uint32_t seed = 12345, simple = 0;
    for (int round = 0; round < 20000; round++) {
        float points[3 * 10], turned[3 * 10];
        uint32_t count = 4 + test_random(&seed) % 7;
        for (uint32_t i = 0; i < count; i++) {
            uint32_t number = test_random(&seed);
            set(points, i, number % 6, number / 6 % 6);
        }
        if (!is_simple(points, count)) {
            free(triangulate(points, count));
            continue;
        }
        for (uint32_t i = 0; i < count; i++)
            memcpy(turned + i * 3, points + (count - 1 - i) * 3, 12);
        bool left = polygon_area(points, count) > 0;
        check_simple_polygon(left ? points : turned, count, 0);
        simple++;
    }
    assert_true(simple > 1000);
}

/* Collinear points whose sizes differ too much for double precision: k times (p, q), for small k
 * and for powers of two. Every triangle must contain the last point, because one without it is
 * empty. */
TEST(nearly_collinear_points_give_no_empty_triangle)
{
    uint32_t seed = 5;
    for (int round = 0; round < 2000; round++) {
        double p = 1 + test_random(&seed) % 1000, q = 1 + test_random(&seed) % 1000;
        double far = ldexp(1, 20 + (int)(test_random(&seed) % 60));
        double line[5] = {1 + test_random(&seed) % 9, 10 + test_random(&seed) % 90,
                          100 + test_random(&seed) % 900, 1000 + test_random(&seed) % 9000, far};
        float points[18];
        uint32_t shift = test_random(&seed) % 6;
        for (uint32_t i = 0; i < 5; i++)
            set(points, (i + shift) % 6, p * line[i], q * line[i]);
        set(points, (5 + shift) % 6, -p, q * far);
        uint32_t *indices = triangulate(points, 6), last = (5 + shift) % 6;
        for (uint32_t i = 0; i < 12; i += 3)
            assert_true(indices[i] == last || indices[i + 1] == last || indices[i + 2] == last);
        free(indices);
    }
}

/* A square of side 6 with a square hole of side 2, joined by a bridge in both directions: 10
 * corners, area 36 - 4 = 32. The outline starts at each corner in turn. */
TEST(hole_with_a_bridge_is_kept)
{
    static const float outline[30] = {0, 0, 0, 6, 0, 0, 6, 6, 0, 0, 6, 0, 0, 0, 0,
                                      2, 2, 0, 2, 4, 0, 4, 4, 0, 4, 2, 0, 2, 2, 0};
    assert_true(polygon_area(outline, 10) == 64);
    for (uint32_t shift = 0; shift < 10; shift++) {
        float points[30];
        for (uint32_t i = 0; i < 10; i++)
            memcpy(points + i * 3, outline + (i + shift) % 10 * 3, 12);
        uint32_t *indices = triangulate(points, 10);
        double sum = 0;
        for (uint32_t i = 0; i < 8; i++)
            sum += fabs(area(points + indices[i * 3] * 3, points + indices[i * 3 + 1] * 3,
                             points + indices[i * 3 + 2] * 3));
        assert_true(sum == 64);
        free(indices);
    }
}

/* A box of 2 m + 1 by 3 with m square holes of side 1 in a row. A bridge leads from the corner 0 0
 * to the first hole. The outline follows three sides of each hole to the next, then returns along
 * the fourth sides. All holes touch the line y = 1. Twice the area is 2 * (3 * (2 m + 1) - m) = 10
 * m + 6. */
static uint32_t make_holes(float *points, uint32_t holes)
{
    uint32_t n = 0, width = 2 * holes + 1;
    set(points, n++, 0, 0);
    set(points, n++, width, 0);
    set(points, n++, width, 3);
    set(points, n++, 0, 3);
    set(points, n++, 0, 0);
    for (uint32_t x = 1; x < width; x += 2) {
        set(points, n++, x, 1);
        set(points, n++, x, 2);
        set(points, n++, x + 1, 2);
        set(points, n++, x + 1, 1);
    }
    for (uint32_t x = width - 2; x < width; x -= 2) {
        if (x < width - 2)
            set(points, n++, x + 1, 1);
        set(points, n++, x, 1);
    }
    return n;
}

TEST(many_holes_are_kept)
{
    for (uint32_t holes = 1; holes <= 20; holes++) {
        float outline[3 * 130], points[3 * 130];
        uint32_t count = make_holes(outline, holes);
        assert_true(polygon_area(outline, count) == 10 * holes + 6);
        for (uint32_t shift = 0; shift < count; shift++) {
            for (uint32_t i = 0; i < count; i++)
                memcpy(points + (size_t)i * 3, outline + (size_t)((i + shift) % count) * 3, 12);
            uint32_t *indices = triangulate(points, count);
            double sum = 0;
            for (uint32_t i = 0; i < count - 2; i++) {
                double one = area(points + (size_t)indices[i * 3] * 3,
                                  points + (size_t)indices[i * 3 + 1] * 3,
                                  points + (size_t)indices[i * 3 + 2] * 3);
                assert_true(one > 0);
                sum += one;
            }
            assert_true(sum == 10 * holes + 6);
            free(indices);
        }
    }
}

/* The same comb in planes of every direction. Seen along the normal it turns the same way, so the
 * triangles have the polygon's normal. */
TEST(triangles_have_the_normal_of_the_polygon)
{
    uint32_t seed = 99;
    for (int round = 0; round < 200; round++) {
        float flat[3 * 16], points[3 * 16];
        double u[3], v[3], n[3], length = 0;
        make_comb(flat, 16);
        for (int k = 0; k < 3; k++)
            u[k] = test_random_float(&seed) - 0.5;
        for (int k = 0; k < 3; k++)
            v[k] = test_random_float(&seed) - 0.5;
        for (int k = 0; k < 3; k++) {
            n[k] = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
            length += n[k] * n[k];
        }
        if (length < 0.05)
            continue; /* u and v are nearly parallel: rounding would fold the comb */
        for (int i = 0; i < 16 * 3; i++)
            points[i] = (float)(u[i % 3] * flat[i / 3 * 3] + v[i % 3] * flat[i / 3 * 3 + 1]);
        uint32_t *indices = triangulate(points, 16);
        double sum = 0;
        for (uint32_t i = 0; i < 14; i++) {
            const float *p[3];
            for (int k = 0; k < 3; k++)
                p[k] = points + indices[i * 3 + (uint32_t)k] * 3;
            double cross = 0;
            for (int k = 0; k < 3; k++) {
                int x = (k + 1) % 3, y = (k + 2) % 3;
                cross += n[k] * (((double)p[1][x] - p[0][x]) * ((double)p[2][y] - p[0][y]) -
                                 ((double)p[1][y] - p[0][y]) * ((double)p[2][x] - p[0][x]));
            }
            /* The feet of the teeth are collinear except for rounding. */
            assert_true(cross > -1e-6 * length * polygon_area(flat, 16));
            sum += cross;
        }
        assert_true(fabs(sum - length * polygon_area(flat, 16)) < 1e-4 * sum);
        free(indices);
    }
}

/* -- Invalid polygons --------------------------------------------------- */

TEST(broken_polygons_get_their_triangles)
{
    uint32_t seed = 4;
    static const float values[6] = {0, 1, -1, 3e38f, INFINITY, NAN};
    for (int round = 0; round < 3000; round++) {
        float points[3 * 40];
        uint32_t count = 4 + test_random(&seed) % 37;
        for (uint32_t i = 0; i < count * 3; i++)
            points[i] = values[test_random(&seed) % (round % 2 ? 6 : 4)];
        free(triangulate(points, count));
    }
}

/* 65,535 corners, in shapes that each defeat one optimization. */
TEST(polygons_of_65535_corners_are_covered)
{
    enum { COUNT = 65535 };
    static float points[3 * COUNT];
    make_star(points, COUNT, 1);
    check_simple_polygon(points, COUNT, 1e-6);
    make_comb(points, COUNT);
    check_simple_polygon(points, COUNT, 1e-6);
    make_spiral(points, COUNT - 1, 50);
    check_simple_polygon(points, COUNT - 1, 1e-6);
    uint32_t seed = 7;
    for (uint32_t i = 0; i < COUNT; i++)
        set(points, i, test_random_float(&seed), test_random_float(&seed));
    free(triangulate(points, COUNT));
}

TEST(crossing_is_reported)
{
    /* A comb, which is simple; a five-pointed star with crossing edges; and an outline that turns
     * around its first corner nearly twice. */
    float star[15], comb[24], twice[51];
    for (uint32_t i = 0; i < 5; i++)
        set(star, i, cos(4 * PI * i / 5), sin(4 * PI * i / 5));
    make_comb(comb, 8);
    set(twice, 0, 0, 0);
    for (uint32_t i = 1; i < 17; i++)
        set(twice, i, cos(4 * PI * i / 17), sin(4 * PI * i / 17));
    const float *shapes[3] = {comb, star, twice};
    const uint32_t counts[3] = {8, 5, 17};
    for (size_t i = 0; i < 3; i++) {
        facet_scene *scene = test_scene();
        facet_mesh *mesh = test_mesh(scene, 1, &counts[i]);
        assert_true(test_stream(scene, mesh, FACET_POSITION, 3, counts[i], shapes[i], NULL));
        facet_report *report = NULL;
        assert_int_equal(facet_report_create(NULL, &report, NULL), FACET_OK);
        facet_options options = {.report = report};
        facet_error error;
        TEST_OK(facet_mesh_triangulate(mesh, &options, NULL, &error), &error);
        assert_int_equal(facet_report_count(report), i > 0);
        assert_true((test_finding(report, "MESH-FACE-CROSSING") != NULL) == (i > 0));
        facet_report_free(report);
        facet_scene_free(scene);
    }
}

/* -- Meshes ------------------------------------------------------------- */

TEST(triangulate_keeps_materials_parts_and_streams)
{
    /* A triangle, a line, a quad, a point, a pentagon: 1 + 0 + 2 + 0 + 3 triangles. */
    static const uint32_t sizes[5] = {3, 2, 4, 1, 5};
    static const uint32_t materials[5] = {7, 6, 5, 4, FACET_NONE}, smoothing[5] = {1, 2, 3, 4, 5};
    float points[45], texcoords[30];
    uint32_t backwards[15];
    for (uint32_t i = 0; i < 15; i++) {
        set(points, i, cos(i), sin(i));
        texcoords[i * 2] = texcoords[i * 2 + 1] = (float)i;
        backwards[i] = 14 - i;
    }
    facet_scene *scene = test_scene();
    facet_mesh *mesh = test_mesh(scene, 5, sizes);
    assert_true(test_stream(scene, mesh, FACET_POSITION, 3, 15, points, NULL));
    assert_true(test_stream(scene, mesh, FACET_TEXCOORD, 2, 15, texcoords, backwards));
    mesh->face_materials = test_copy(scene, materials, 5);
    mesh->face_smoothing = test_copy(scene, smoothing, 5);
    facet_part parts[3] = {{"a", "", 0, 2}, {"b", "", 2, 2}, {"c", "", 4, 1}};
    mesh->parts = parts;
    mesh->part_count = 3;
    facet_report *report = NULL;
    assert_int_equal(facet_report_create(NULL, &report, NULL), FACET_OK);
    facet_options options = {.report = report};
    facet_error error;
    TEST_OK(facet_mesh_triangulate(mesh, &options, NULL, &error), &error);
    static const uint32_t expected[18] = {0,  1,  2,  5,  6,  7,  5,  7,  8,
                                          10, 11, 12, 10, 12, 13, 10, 13, 14};
    static const uint32_t new_materials[6] = {7, 5, 5, FACET_NONE, FACET_NONE, FACET_NONE};
    static const uint32_t new_smoothing[6] = {1, 3, 3, 5, 5, 5};
    assert_int_equal(mesh->face_count, 6);
    assert_int_equal(mesh->corner_count, 18);
    assert_memory_equal(mesh->streams[0].indices, expected, sizeof expected);
    for (uint32_t i = 0; i < 18; i++)
        assert_int_equal(mesh->streams[1].indices[i], 14 - expected[i]);
    assert_memory_equal(mesh->face_materials, new_materials, sizeof new_materials);
    assert_memory_equal(mesh->face_smoothing, new_smoothing, sizeof new_smoothing);
    assert_int_equal(parts[0].face_count, 1);
    assert_int_equal(parts[1].first_face, 1);
    assert_int_equal(parts[1].face_count, 2);
    assert_int_equal(parts[2].first_face, 3);
    assert_int_equal(parts[2].face_count, 3);
    const facet_finding *finding = test_finding(report, "MESH-FACE-SMALL");
    assert_non_null(finding);
    assert_int_equal(finding->count, 2);
    facet_report_free(report);
    facet_scene_free(scene);
}

TEST(triangles_stay_in_place)
{
    static const uint32_t sizes[2] = {3, 3}, none[2] = {0, 0};
    static const float points[18] = {0};
    facet_scene *scene = test_scene();
    facet_mesh *mesh = test_mesh(scene, 2, sizes);
    assert_true(test_stream(scene, mesh, FACET_POSITION, 3, 6, points, NULL));
    uint32_t *indices = mesh->streams[0].indices;
    facet_error error;
    TEST_OK(facet_mesh_triangulate(mesh, NULL, NULL, &error), &error);
    assert_null(mesh->face_offsets);
    assert_ptr_equal(mesh->streams[0].indices, indices);
    mesh = test_mesh(scene, 2, none);
    TEST_OK(facet_mesh_triangulate(mesh, NULL, NULL, &error), &error);
    assert_int_equal(mesh->face_count, 0);
    facet_scene_free(scene);
}

static facet_status attempt_triangulate(const facet_allocator *allocator, void *user)
{
    (void)user;
    static const uint32_t sizes[3] = {40, 4, 60}, values[3] = {1, 2, 3};
    float points[3 * 104];
    make_star(points, 40, 1);
    make_star(points + 3 * 40, 64, 2);
    facet_options options = {.allocator = allocator};
    facet_scene *scene = NULL;
    facet_status status = facet_scene_create(&options, &scene, NULL);
    if (status)
        return status;
    status = FACET_ERROR_MEMORY;
    facet_mesh *mesh = test_mesh(scene, 3, sizes);
    if (mesh && test_stream(scene, mesh, FACET_POSITION, 3, 104, points, NULL) &&
        test_stream(scene, mesh, FACET_NORMAL, 3, 104, points, NULL) &&
        test_stream(scene, mesh, FACET_TEXCOORD, 2, 104, points, NULL) &&
        (mesh->face_smoothing = test_copy(scene, values, 3))) {
        status = facet_mesh_triangulate(mesh, &options, NULL, NULL);
        assert_int_equal(facet_scene_check(scene, NULL, NULL), FACET_OK);
    }
    facet_scene_free(scene);
    return status;
}

TEST(triangulate_leaves_the_mesh_unchanged_without_memory)
{
    test_every_allocation(attempt_triangulate, NULL);
}
