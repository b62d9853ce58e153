/* Reduced meshes: borders, seams, materials and vertex values stay, and the number of triangles is
 * limited. */
#include "support/mesh.h"
#include "support/shapes.h"

#include <facet/convert.h>
#include <facet/mesh.h>
#include <math.h>
#include <stdlib.h>

/* -- Measurements ------------------------------------------------------- */

static const float *corner_of(const facet_mesh *mesh, uint32_t corner)
{
    return (const float *)mesh->streams[0].data + 3 * (size_t)mesh->streams[0].indices[corner];
}

/* Twice the area of a face, as a vector. */
static void area_of(const facet_mesh *mesh, uint32_t face, double area[3])
{
    const float *p = corner_of(mesh, face * 3), *q = corner_of(mesh, face * 3 + 1),
                *r = corner_of(mesh, face * 3 + 2);
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        area[k] = ((double)q[i] - (double)p[i]) * ((double)r[j] - (double)p[j]) -
                  ((double)q[j] - (double)p[j]) * ((double)r[i] - (double)p[i]);
    }
}

static int compare_edges(const void *a, const void *b)
{
    return memcmp(a, b, 6 * sizeof(float));
}

/* Number of edges, by the values of their positions, that have a triangle on only one side. */
static uint32_t open_edges(const facet_mesh *mesh)
{
    float(*edges)[6] = malloc((size_t)mesh->corner_count * sizeof *edges + 1);
    uint32_t open = 0;
    assert_non_null(edges);
    for (uint32_t c = 0; c < mesh->corner_count; c++) {
        const float *p = corner_of(mesh, c), *q = corner_of(mesh, c % 3 == 2 ? c - 2 : c + 1);
        bool swap = memcmp(p, q, 3 * sizeof *p) > 0;
        memcpy(edges[c], swap ? q : p, 3 * sizeof *p);
        memcpy(edges[c] + 3, swap ? p : q, 3 * sizeof *p);
    }
    qsort(edges, mesh->corner_count, sizeof *edges, compare_edges);
    for (uint32_t i = 0, end; i < mesh->corner_count; i = end) {
        for (end = i + 1; end < mesh->corner_count && compare_edges(edges[i], edges[end]) == 0;)
            end++;
        open += end - i != 2;
    }
    free(edges);
    return open;
}

/* -- Test meshes -------------------------------------------------------- */

/* A square of side 1 in the plane z = 0, of n x n fields. The left half has another material and is
 * another part. Texture coordinates equal positions. */
static facet_mesh *make_square(facet_scene *scene, uint32_t n)
{
    facet_mesh *mesh = test_mesh(scene, n * n * 2, NULL);
    uint32_t count = (n + 1) * (n + 1);
    float *positions = malloc(count * 3 * sizeof *positions);
    float *texcoords = malloc(count * 2 * sizeof *texcoords);
    uint32_t *indices = malloc((size_t)n * n * 6 * sizeof *indices);
    assert_true(mesh && positions && texcoords && indices);
    for (uint32_t i = 0; i < count; i++) {
        float x = (float)(i % (n + 1)) / (float)n, y = (float)(i / (n + 1)) / (float)n;
        memcpy(positions + (size_t)i * 3, (float[3]){x, y, 0}, 3 * sizeof x);
        memcpy(texcoords + (size_t)i * 2, (float[2]){x, y}, 2 * sizeof x);
    }
    mesh->face_materials = facet_scene_allocate(scene, (size_t)n * n * 2, sizeof(uint32_t));
    assert_non_null(mesh->face_materials);
    uint32_t used = 0;
    for (uint32_t half = 0; half < 2; half++) { /* part by part */
        for (uint32_t field = 0; field < n * n; field++) {
            uint32_t column = field % n, corner = field / n * (n + 1) + column;
            if ((column < n / 2) != (half == 0))
                continue;
            uint32_t square[6] = {corner, corner + 1,     corner + n + 2,
                                  corner, corner + n + 2, corner + n + 1};
            memcpy(indices + (size_t)used * 3, square, sizeof square);
            mesh->face_materials[used] = mesh->face_materials[used + 1] = half;
            used += 2;
        }
    }
    mesh->parts = facet_scene_allocate(scene, 2, sizeof *mesh->parts);
    assert_non_null(mesh->parts);
    mesh->parts[0] = (facet_part){"left", "", 0, used / 2};
    mesh->parts[1] = (facet_part){"right", "", used / 2, used / 2};
    mesh->part_count = 2;
    assert_true(test_stream(scene, mesh, FACET_POSITION, 3, count, positions, indices));
    assert_true(test_stream(scene, mesh, FACET_TEXCOORD, 2, count, texcoords, indices));
    mesh->streams[1].indices = mesh->streams[0].indices;
    facet_material *material = NULL;
    for (int i = 0; i < 2; i++)
        assert_int_equal(facet_scene_add_material(scene, "m", &material, NULL), FACET_OK);
    free(positions);
    free(texcoords);
    free(indices);
    return mesh;
}

/* A torus whose texture wraps around in both directions: one seam each way. */
static facet_mesh *make_torus(facet_scene *scene, uint32_t segments, uint32_t sides)
{
    uint32_t count = (segments + 1) * (sides + 1);
    facet_mesh *mesh = test_mesh(scene, segments * sides * 2, NULL);
    float *values = malloc(count * 8 * sizeof *values);
    uint32_t *indices = malloc((size_t)segments * sides * 6 * sizeof *indices), used = 0;
    assert_true(mesh && values && indices);
    float *positions = values, *normals = values + count * 3, *texcoords = values + count * 6;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t s = i % (segments + 1), t = i / (segments + 1);
        double a = 2 * TEST_PI * (s % segments) / segments, b = 2 * TEST_PI * (t % sides) / sides;
        double n[3] = {cos(a) * cos(b), sin(b), sin(a) * cos(b)};
        double p[3] = {cos(a) * (2 + cos(b)), sin(b), sin(a) * (2 + cos(b))};
        for (size_t k = 0; k < 3; k++) {
            positions[i * 3 + k] = (float)p[k];
            normals[i * 3 + k] = (float)n[k];
        }
        texcoords[i * 2] = (float)s / (float)segments;
        texcoords[i * 2 + 1] = (float)t / (float)sides;
    }
    for (uint32_t t = 0; t < sides; t++) {
        for (uint32_t s = 0; s < segments; s++) {
            uint32_t i = t * (segments + 1) + s, up = i + segments + 1;
            uint32_t field[6] = {i, up, up + 1, i, up + 1, i + 1};
            memcpy(indices + used, field, sizeof field);
            used += 6;
        }
    }
    assert_true(test_stream(scene, mesh, FACET_POSITION, 3, count, positions, indices));
    assert_true(test_stream(scene, mesh, FACET_NORMAL, 3, count, normals, indices));
    assert_true(test_stream(scene, mesh, FACET_TEXCOORD, 2, count, texcoords, indices));
    mesh->streams[1].indices = mesh->streams[2].indices = mesh->streams[0].indices;
    free(values);
    free(indices);
    return mesh;
}

/* -- Tests -------------------------------------------------------------- */

/* A plane may lose all vertices except the corners of its two halves. The area stays, no triangle
 * flips, and each material keeps its half. */
TEST(reduced_plane_keeps_area_and_materials)
{
    facet_scene *scene = test_scene();
    facet_mesh *mesh = make_square(scene, 32);
    const facet_reduce_options how = {.max_triangles = 4};
    facet_reduce_summary summary;
    facet_error error;
    bool changed = false;
    TEST_OK(facet_mesh_reduce(mesh, &how, NULL, &changed, &summary, &error), &error);
    assert_true(changed);
    assert_in_range(mesh->face_count, 4, 12);
    assert_int_equal(summary.triangles, mesh->face_count);
    assert_int_equal(summary.vertices, mesh->streams[0].count);
    assert_true(summary.error < 1e-6);
    double areas[2] = {0};
    for (uint32_t face = 0; face < mesh->face_count; face++) {
        double area[3];
        area_of(mesh, face, area);
        assert_true(area[2] > 0);
        areas[mesh->face_materials[face]] += area[2] / 2;
        assert_int_equal(mesh->face_materials[face], face >= mesh->parts[1].first_face);
    }
    assert_true(fabs(areas[0] - 0.5) < 1e-6 && fabs(areas[1] - 0.5) < 1e-6);
    assert_int_equal(mesh->parts[0].first_face, 0);
    assert_int_equal(mesh->parts[0].face_count, mesh->parts[1].first_face);
    assert_int_equal(mesh->parts[1].first_face + mesh->parts[1].face_count, mesh->face_count);
    TEST_WHOLE(scene);
    facet_scene_free(scene);
}

/* Seams stay closed, and every vertex is one of the input, with all its attributes. */
TEST(reduced_torus_keeps_seams_closed)
{
    facet_scene *scene = test_scene(), *whole = test_scene();
    facet_mesh *mesh = make_torus(scene, 64, 32), *before = make_torus(whole, 64, 32);
    const facet_reduce_options how = {.ratio = 0.1F};
    facet_reduce_summary summary;
    facet_error error;
    assert_int_equal(open_edges(mesh), 0);
    TEST_OK(facet_mesh_reduce(mesh, &how, NULL, NULL, &summary, &error), &error);
    assert_in_range(mesh->face_count, 300, 410); /* of 4,096 */
    assert_int_equal(open_edges(mesh), 0);
    for (uint32_t v = 0; v < mesh->streams[0].count; v++) {
        bool found = false;
        for (uint32_t o = 0; o < before->streams[0].count && !found; o++) {
            found = true;
            for (uint32_t s = 0; s < 3 && found; s++) {
                size_t size = mesh->streams[s].components * sizeof(float);
                found = memcmp((const uint8_t *)mesh->streams[s].data + v * size,
                               (const uint8_t *)before->streams[s].data + o * size, size) == 0;
            }
        }
        assert_true(found);
    }
    /* The middle of each triangle is near the torus; the reported error is an estimate of this
     * distance. */
    double farthest = 0;
    for (uint32_t face = 0; face < mesh->face_count; face++) {
        double middle[3] = {0};
        for (uint32_t c = 0; c < 3; c++) {
            for (int k = 0; k < 3; k++)
                middle[k] += (double)corner_of(mesh, face * 3 + c)[k] / 3;
        }
        double off = hypot(hypot(middle[0], middle[2]) - 2, middle[1]) - 1;
        farthest = fmax(farthest, fabs(off));
    }
    assert_true(farthest < 0.15);
    assert_true(summary.error > farthest / 10 && summary.error < farthest * 2);
    TEST_WHOLE(scene);
    facet_scene_free(scene);
    facet_scene_free(whole);
}

/* Each thread processes 8,192 triangles at a time. The result is the same for any number of
 * threads. */
TEST(reduce_gives_the_same_mesh_for_any_thread_count)
{
    facet_scene *scenes[2] = {test_scene(), test_scene()};
    facet_mesh *meshes[2];
    const facet_reduce_options how = {.ratio = 0.2F};
    facet_error error;
    for (unsigned i = 0; i < 2; i++) {
        const facet_threads *threads = NULL;
        meshes[i] = make_torus(scenes[i], 192, 96);
        assert_int_equal(meshes[i]->face_count, 36864);
        TEST_OK(facet_threads_create(1 + 2 * i, &threads, &error), &error);
        const facet_options options = {.threads = threads};
        TEST_OK(facet_mesh_reduce(meshes[i], &how, &options, NULL, NULL, &error), &error);
        facet_threads_free(threads);
    }
    assert_in_range(meshes[0]->face_count, 7000, 7374); /* a fifth, and no more */
    assert_int_equal(meshes[1]->face_count, meshes[0]->face_count);
    assert_memory_equal(meshes[1]->streams[0].indices, meshes[0]->streams[0].indices,
                        meshes[0]->corner_count * sizeof(uint32_t));
    assert_int_equal(meshes[1]->streams[0].count, meshes[0]->streams[0].count);
    assert_memory_equal(meshes[1]->streams[0].data, meshes[0]->streams[0].data,
                        meshes[0]->streams[0].count * 3 * sizeof(float));
    for (int i = 0; i < 2; i++)
        facet_scene_free(scenes[i]);
}

/* The limit of vertices holds; a maximum error stops the reduction earlier. */
TEST(reduce_keeps_limits_of_vertices_and_error)
{
    facet_scene *scene = test_scene(), *other = test_scene();
    facet_mesh *mesh = make_torus(scene, 64, 32), *careful = make_torus(other, 64, 32);
    facet_reduce_options how = {.max_vertices = 300};
    facet_reduce_summary summary;
    facet_error error;
    TEST_OK(facet_mesh_reduce(mesh, &how, NULL, NULL, &summary, &error), &error);
    assert_in_range(mesh->streams[0].count, 200, 300);
    how.max_error = 0.001F; /* the diagonal of the box is 2 sqrt(19) */
    TEST_OK(facet_mesh_reduce(careful, &how, NULL, NULL, &summary, &error), &error);
    assert_true(careful->streams[0].count > 300 && careful->face_count < 4096);
    assert_true(summary.error <= 0.001 * 2 * sqrt(19) * 1.0001);
    bool changed = true;
    how = (facet_reduce_options){.ratio = 1};
    TEST_OK(facet_mesh_reduce(mesh, &how, NULL, &changed, NULL, &error), &error);
    assert_false(changed);
    facet_scene_free(scene);
    facet_scene_free(other);
}

/* A connected surface stays connected: a closed sphere has two triangles at every edge, and corners
 * - edges + triangles is 2. */
TEST(reduced_sphere_stays_closed)
{
    test_shape *s = test_shape_new();
    test_shape_sphere(s, 64, 32);
    facet_scene *scene = test_shape_scene(s);
    facet_mesh *mesh = scene->meshes[0];
    const facet_reduce_options how = {.max_triangles = 100};
    facet_error error;
    TEST_OK(facet_mesh_index(mesh, NULL, NULL, &error), &error);
    TEST_OK(facet_mesh_weld(mesh, NULL, NULL, &error), &error);
    TEST_OK(facet_mesh_reduce(mesh, &how, NULL, NULL, NULL, &error), &error);
    assert_in_range(mesh->face_count, 90, 100);
    assert_int_equal(open_edges(mesh), 0);
    assert_int_equal(mesh->streams[0].count, 2 + mesh->face_count / 2);
    facet_scene_free(scene);
    free(s);
}

/* The option limits the sum over all meshes of the scene. */
TEST(triangle_limit_is_shared_by_all_meshes)
{
    facet_scene *scene = test_scene();
    make_torus(scene, 64, 32);
    make_torus(scene, 32, 32);
    const facet_reduce_options how = {.max_triangles = 1536}; /* a quarter of 6,144 */
    facet_reduce_summary summary;
    facet_prepare_options prepare = {.reduce = &how, .reduced = &summary};
    facet_passes passes;
    facet_error error;
    TEST_OK(facet_prepare(scene, facet_format_named("glb"), &prepare, NULL, &passes, &error),
            &error);
    assert_in_range(scene->meshes[0]->face_count, 960, 1024);
    assert_in_range(scene->meshes[1]->face_count, 480, 512);
    assert_int_equal(summary.triangles,
                     scene->meshes[0]->face_count + scene->meshes[1]->face_count);
    assert_string_equal(passes.names[passes.count - 1], "reduce");
    facet_scene_free(scene);
}

/* Levels of detail are invisible nodes, each with half the triangles of the one before. */
TEST(levels_of_detail_have_half_the_triangles)
{
    facet_scene *scene = test_scene();
    make_torus(scene, 64, 32);
    facet_error error;
    assert_int_equal(facet_scene_make_lods(scene, FACET_MAX_LODS + 1, 0, NULL, &error),
                     FACET_ERROR_ARGUMENT);
    TEST_OK(facet_scene_make_lods(scene, 3, 0, NULL, &error), &error);
    assert_int_equal(scene->mesh_count, 4);
    assert_int_equal(scene->node_count, 4);
    assert_int_equal(scene->root_count, 1);
    assert_int_equal(scene->nodes[0]->lod_count, 3);
    for (uint32_t level = 1; level <= 3; level++) {
        uint32_t node = scene->nodes[0]->lods[level - 1];
        assert_int_equal(scene->nodes[node]->mesh, level);
        assert_in_range(scene->meshes[level]->face_count, (4096u >> level) - 64, 4096u >> level);
    }
    assert_int_equal(scene->meshes[0]->face_count, 4096);
    TEST_WHOLE(scene);
    facet_scene_free(scene);
}

TEST(reduce_refuses_invalid_input)
{
    facet_scene *scene = test_scene();
    facet_mesh *mesh = make_square(scene, 2);
    facet_reduce_options how = {.ratio = 2};
    facet_error error;
    assert_int_equal(facet_mesh_reduce(mesh, &how, NULL, NULL, NULL, &error), FACET_ERROR_ARGUMENT);
    how.ratio = 0.5F;
    ((float *)mesh->streams[0].data)[4] = INFINITY;
    assert_int_equal(facet_mesh_reduce(mesh, &how, NULL, NULL, NULL, &error), FACET_ERROR_ARGUMENT);
    assert_string_equal(error.rule, "REDUCE-FINITE");
    facet_scene_free(scene);
}

/* Degenerate meshes: all triangles at one edge, all at one point, and one triangle many times. */
TEST(reduce_accepts_degenerate_meshes)
{
    enum { COUNT = 50 };
    for (int kind = 0; kind < 3; kind++) {
        facet_scene *scene = test_scene();
        facet_mesh *mesh = test_mesh(scene, COUNT, NULL);
        float positions[(COUNT + 2) * 3] = {0};
        uint32_t indices[COUNT * 3];
        for (uint32_t i = 0; i < COUNT + 2 && kind != 1; i++) {
            positions[i * 3] = (float)cos(i);
            positions[i * 3 + 1] = (float)sin(i);
            positions[i * 3 + 2] = (float)(i % 7);
        }
        for (uint32_t i = 0; i < COUNT; i++) {
            uint32_t third = kind == 2 ? 2 : i + 2;
            memcpy(indices + (size_t)i * 3, (uint32_t[3]){0, 1, third}, 3 * sizeof *indices);
        }
        assert_true(test_stream(scene, mesh, FACET_POSITION, 3, COUNT + 2, positions, indices));
        const facet_reduce_options how = {.max_triangles = 1};
        facet_error error;
        TEST_OK(facet_mesh_reduce(mesh, &how, NULL, NULL, NULL, &error), &error);
        TEST_WHOLE(scene);
        facet_scene_free(scene);
    }
}

/* -- Memory ------------------------------------------------------------- */

static facet_status reduce_with(const facet_allocator *allocator, void *user)
{
    (void)user;
    facet_options options = {.allocator = allocator};
    facet_scene *scene = test_scene();
    facet_mesh *mesh = make_square(scene, 4);
    const facet_reduce_options how = {.ratio = 0.2F};
    facet_status status = facet_mesh_reduce(mesh, &how, &options, NULL, NULL, NULL);
    TEST_WHOLE(scene);
    facet_scene_free(scene);
    return status;
}

TEST(reduce_reports_failed_allocations)
{
    test_every_allocation(reduce_with, NULL);
}
