/* Clustering while reading: where vertices are placed, what is kept, and what limits hold. */
#include "base/arena.h"
#include "mesh/cluster/cluster.h"
#include "support/mesh.h"

#include <math.h>
#include <stdlib.h>

/* -- Surfaces ----------------------------------------------------------- */

/* A grid of n x n fields, given to the clusters as two triangles per field. Point (i, j) is
 * origin + i * right / n + j * up / n. */
static void add_grid(facet_clusters *c, uint32_t n, const float origin[3], const float right[3],
                     const float up[3], uint32_t material)
{
    float(*points)[3] = malloc((size_t)(n + 1) * (n + 1) * sizeof *points);
    assert_non_null(points);
    uint32_t first = c->vertex_count;
    for (uint32_t j = 0; j <= n; j++) {
        for (uint32_t i = 0; i <= n; i++) {
            for (int k = 0; k < 3; k++)
                points[j * (n + 1) + i][k] =
                    origin[k] + right[k] * (float)i / (float)n + up[k] * (float)j / (float)n;
        }
    }
    assert_int_equal(
        facet_clusters_add_vertices(c, (const float(*)[3])points, NULL, 3, (n + 1) * (n + 1)),
        FACET_OK);
    for (uint32_t j = 0; j < n; j++) {
        for (uint32_t i = 0; i < n; i++) {
            uint32_t a = first + j * (n + 1) + i, b = a + 1, d = a + n + 1, e = d + 1;
            const uint32_t one[3] = {a, b, e}, other[3] = {a, e, d};
            assert_int_equal(facet_clusters_add_triangle(c, one, material), FACET_OK);
            assert_int_equal(facet_clusters_add_triangle(c, other, material), FACET_OK);
        }
    }
    free(points);
}

typedef struct fixture {
    facet_arena *arena;
    facet_scene *scene;
    facet_clusters clusters;
    facet_error error;
} fixture;

static void begin(fixture *f, uint32_t limit)
{
    *f = (fixture){0};
    assert_int_equal(facet_arena_create(NULL, &f->arena, NULL), FACET_OK);
    f->scene = test_scene();
    f->clusters = facet_clusters_make(f->arena, limit, &f->error);
}

/* The mesh of the clusters; its scene must be valid. */
static const facet_mesh *finish(fixture *f)
{
    TEST_OK(facet_clusters_add_to_scene(&f->clusters, f->scene, NULL), &f->error);
    TEST_OK(facet_scene_check(f->scene, NULL, &f->error), &f->error);
    assert_int_equal(f->scene->mesh_count, 1);
    return f->scene->meshes[0];
}

static void end(fixture *f)
{
    facet_arena_free(f->arena);
    facet_scene_free(f->scene);
}

static const float zero[3] = {0, 0, 0}, x[3] = {1, 0, 0}, y[3] = {0, 1, 0}, z[3] = {0, 0, 1};

static double area_of(const facet_mesh *mesh)
{
    double area = 0;
    for (uint32_t i = 0; i < mesh->face_count; i++) {
        const float *p = test_element(&mesh->streams[0], i * 3),
                    *q = test_element(&mesh->streams[0], i * 3 + 1),
                    *r = test_element(&mesh->streams[0], i * 3 + 2);
        area += (((double)q[0] - p[0]) * ((double)r[1] - p[1]) -
                 ((double)q[1] - p[1]) * ((double)r[0] - p[0])) /
                2;
    }
    return area;
}

/* -- Places ------------------------------------------------------------- */

/* The border of a square is four lines. The sum of the open edges of a cell that has a part of one
 * line is that line, so its vertex is on it. Cells at the four corners have parts of two lines,
 * whose sum is a diagonal that cuts the corner: at most a cell in size. */
TEST(clustered_border_stays_on_its_line)
{
    fixture f;
    begin(&f, 1000);
    add_grid(&f.clusters, 200, zero, x, y, FACET_NONE);
    const facet_mesh *mesh = finish(&f);
    const float *points = mesh->streams[0].data;
    uint32_t on_line = 0;
    for (uint32_t i = 0; i < mesh->streams[0].count; i++) {
        const float *p = points + (size_t)i * 3;
        assert_float_equal(p[2], 0, 1e-6);
        on_line += fabsf(p[1]) < 1e-5F && p[0] > 0.1F && p[0] < 0.9F;
    }
    /* At least the cells along the line from 0.1 to 0.9. */
    assert_true(on_line >= (uint32_t)(0.8 / f.clusters.size) - 1);
    /* Four corners can lose at most half a cell each, and nothing is counted twice. */
    double lost = 1 - area_of(mesh);
    assert_true(lost > -1e-6 && lost < 4 * f.clusters.size * f.clusters.size);
    end(&f);
}

/* Three planes meet at a corner of a cube, two at an edge: the quadrics of a cell have their only
 * minimum there. */
TEST(clustered_cube_keeps_its_corners_and_edges)
{
    fixture f;
    begin(&f, 3000);
    add_grid(&f.clusters, 100, zero, y, x, FACET_NONE);
    add_grid(&f.clusters, 100, z, x, y, FACET_NONE);
    add_grid(&f.clusters, 100, zero, x, z, FACET_NONE);
    add_grid(&f.clusters, 100, y, z, x, FACET_NONE);
    add_grid(&f.clusters, 100, zero, z, y, FACET_NONE);
    add_grid(&f.clusters, 100, x, y, z, FACET_NONE);
    const facet_mesh *mesh = finish(&f);
    const float *points = mesh->streams[0].data;
    uint32_t corners = 0;
    for (uint32_t i = 0; i < mesh->streams[0].count; i++) {
        uint32_t at_end = 0;
        for (int k = 0; k < 3; k++) {
            float from_end = fminf(fabsf(points[i * 3 + k]), fabsf(1 - points[i * 3 + k]));
            at_end += from_end < 1e-5F;
        }
        assert_true(at_end >= 1);
        corners += at_end == 3;
    }
    assert_int_equal(corners, 8);
    end(&f);
}

/* -- What is kept ------------------------------------------------------- */

TEST(clustered_colors_are_means)
{
    fixture f;
    begin(&f, 64);
    /* Three pairs of points, far from one another; the points of a pair share a cell. */
    const float points[6][3] = {{0, 0, 0},       {0.01F, 0, 0}, {100, 0, 0},
                                {100, 0.01F, 0}, {0, 100, 0},   {0.01F, 100, 0}};
    const float colors[6][4] = {{1, 0, 0, 1}, {0, 0, 1, 1}, {0, 1, 0, 0.5F},
                                {0, 1, 0, 0}, {1, 1, 1, 1}, {0, 0, 0, 1}};
    const uint32_t triangles[2][3] = {{0, 2, 4}, {1, 3, 5}};
    TEST_OK(facet_clusters_add_vertices(&f.clusters, points, colors[0], 4, 6), &f.error);
    f.clusters.limit = 3; /* so that the pairs are joined */
    for (int i = 0; i < 2; i++)
        TEST_OK(facet_clusters_add_triangle(&f.clusters, triangles[i], FACET_NONE), &f.error);
    const facet_mesh *mesh = finish(&f);
    assert_int_equal(mesh->face_count, 1);
    const facet_stream *stream = facet_mesh_find(mesh, FACET_COLOR, 0);
    assert_non_null(stream);
    static const float means[3][4] = {{0.5F, 0, 0.5F, 1}, {0, 1, 0, 0.25F}, {0.5F, 0.5F, 0.5F, 1}};
    for (uint32_t corner = 0; corner < 3; corner++) {
        for (int k = 0; k < 4; k++)
            assert_float_equal(test_element(stream, corner)[k], means[corner][k], 1e-6);
    }
    end(&f);
}

TEST(clustered_vertices_before_the_first_color_are_white)
{
    fixture f;
    begin(&f, 64);
    const float points[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, color[3] = {0, 0, 0.5F};
    const uint32_t triangle[3] = {0, 1, 2};
    TEST_OK(facet_clusters_add_vertices(&f.clusters, points, NULL, 3, 2), &f.error);
    TEST_OK(facet_clusters_add_vertices(&f.clusters, points + 2, color, 3, 1), &f.error);
    TEST_OK(facet_clusters_add_triangle(&f.clusters, triangle, FACET_NONE), &f.error);
    const facet_stream *stream = facet_mesh_find(finish(&f), FACET_COLOR, 0);
    assert_non_null(stream);
    assert_int_equal(stream->components, 3);
    assert_float_equal(test_element(stream, 0)[0], 1, 0);
    assert_float_equal(test_element(stream, 1)[2], 1, 0);
    assert_float_equal(test_element(stream, 2)[0], 0, 0);
    assert_float_equal(test_element(stream, 2)[2], 0.5F, 0);
    end(&f);
}

TEST(clustered_triangles_keep_their_materials)
{
    fixture f;
    begin(&f, 500);
    const float far[3] = {2, 0, 0};
    add_grid(&f.clusters, 50, zero, x, y, FACET_NONE);
    add_grid(&f.clusters, 50, far, x, y, 7);
    facet_material *material = NULL;
    for (int i = 0; i < 8; i++)
        TEST_OK(facet_scene_add_material(f.scene, "m", &material, &f.error), &f.error);
    const facet_mesh *mesh = finish(&f);
    for (uint32_t i = 0; i < mesh->face_count; i++) {
        bool right = test_element(&mesh->streams[0], i * 3)[0] > 1.5F;
        assert_int_equal(mesh->face_materials[i], right ? 7 : FACET_NONE);
    }
    end(&f);
}

/* -- Limits ------------------------------------------------------------- */

/* Joining divides the cells of a surface by about four, so more than a tenth of the limit
 * remains. */
TEST(clusters_meet_their_limit)
{
    static const uint32_t limits[] = {64, 100, 1000, 5000};
    for (size_t i = 0; i < 4; i++) {
        fixture f;
        begin(&f, limits[i]);
        add_grid(&f.clusters, 150, zero, x, y, FACET_NONE);
        const facet_mesh *mesh = finish(&f);
        assert_true(mesh->streams[0].count <= limits[i]);
        assert_true(mesh->streams[0].count > limits[i] / 10);
        end(&f);
    }
}

/* 23,104 vertices are below the limit, and farther apart than a cell. */
TEST(a_mesh_below_the_limit_keeps_its_vertices)
{
    fixture f;
    begin(&f, 30000);
    add_grid(&f.clusters, 151, zero, x, y, FACET_NONE);
    const facet_mesh *mesh = finish(&f);
    assert_int_equal(mesh->streams[0].count, 152 * 152);
    assert_int_equal(mesh->face_count, 151 * 151 * 2);
    end(&f);
}

/* One triangle, a million times: the list of triangles stays short. */
TEST(repeated_triangles_take_no_memory)
{
    fixture f;
    begin(&f, 64);
    const float points[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    TEST_OK(facet_clusters_add_vertices(&f.clusters, points, NULL, 3, 3), &f.error);
    for (uint32_t i = 0; i < 1000000; i++) {
        const uint32_t triangle[3] = {i % 3, (i + 1) % 3, (i + 2) % 3};
        TEST_OK(facet_clusters_add_triangle(&f.clusters, triangle, FACET_NONE), &f.error);
    }
    assert_true(facet_arena_used(f.arena) < 1 << 20);
    const facet_mesh *mesh = finish(&f);
    assert_int_equal(mesh->face_count, 1);
    assert_int_equal(f.clusters.triangles_read, 1000000);
    end(&f);
}

/* Eight cells around the origin are never joined, and each triangle has another material. */
TEST(triangles_of_many_materials_end)
{
    fixture f;
    begin(&f, 64);
    const float points[3][3] = {{-1, -1, 0}, {1, -1, 0}, {0, 1, 0}}, origin[1][3] = {{0, 0, 0}};
    const uint32_t triangle[3] = {1, 2, 3};
    TEST_OK(facet_clusters_add_vertices(&f.clusters, origin, NULL, 3, 1), &f.error);
    TEST_OK(facet_clusters_add_vertices(&f.clusters, points, NULL, 3, 3), &f.error);
    for (uint32_t i = 0; i < 20000; i++)
        TEST_OK(facet_clusters_add_triangle(&f.clusters, triangle, i), &f.error);
    TEST_OK(facet_clusters_finish(&f.clusters), &f.error);
    assert_int_equal(f.clusters.triangle_count, 20000);
    end(&f);
}

/* Numbers from the smallest to the largest float: the grid grows with them. */
TEST(clusters_of_extreme_positions)
{
    fixture f;
    begin(&f, 64);
    const float small[3][3] = {{0, 0, 0}, {1e-45F, 0, 0}, {0, 1e-45F, 0}},
                large[3][3] = {{3e38F, 0, 0}, {-3e38F, 3e38F, 0}, {0, -3e38F, -3e38F}};
    const uint32_t triangles[2][3] = {{0, 1, 2}, {3, 4, 5}};
    TEST_OK(facet_clusters_add_vertices(&f.clusters, small, NULL, 3, 3), &f.error);
    TEST_OK(facet_clusters_add_triangle(&f.clusters, triangles[0], FACET_NONE), &f.error);
    TEST_OK(facet_clusters_add_vertices(&f.clusters, large, NULL, 3, 3), &f.error);
    TEST_OK(facet_clusters_add_triangle(&f.clusters, triangles[1], FACET_NONE), &f.error);
    const facet_mesh *mesh = finish(&f);
    assert_int_equal(mesh->face_count, 1);
    for (uint32_t corner = 0; corner < 3; corner++) {
        for (int k = 0; k < 3; k++)
            assert_float_equal(test_element(&mesh->streams[0], corner)[k] / 1e38F,
                               large[corner][k] / 1e38F, 1e-4);
    }
    end(&f);
}

TEST(clustered_positions_are_finite)
{
    static const float values[] = {NAN, INFINITY, -INFINITY};
    for (size_t i = 0; i < 3; i++) {
        fixture f;
        begin(&f, 64);
        const float points[2][3] = {{0, 0, 0}, {0, values[i], 0}};
        assert_int_equal(facet_clusters_add_vertices(&f.clusters, points, NULL, 3, 2),
                         FACET_ERROR_MALFORMED);
        assert_string_equal(f.error.rule, "SCENE-NONFINITE");
        end(&f);
    }
}
