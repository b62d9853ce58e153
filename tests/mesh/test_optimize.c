/* The optimize pass: the same triangles in an order that GPU caches like. */
#include "support/mesh.h"

#include <facet/mesh.h>
#include <stdlib.h>

/* -- Grids -------------------------------------------------------------- */

/* n x n squares of two triangles, welded, with a bump in the middle. x and y are in the positions,
 * and in a texture coordinate that shares the index. One vertex is unused. */
static facet_mesh *make_grid(facet_scene *scene, uint32_t n, bool shuffled)
{
    uint32_t side = n + 1, count = side * side + 1, faces = n * n * 2;
    facet_mesh *mesh = test_mesh(scene, faces, NULL);
    float *positions = facet_scene_allocate(scene, count, 3 * sizeof(float));
    float *texcoords = facet_scene_allocate(scene, count, 2 * sizeof(float));
    uint32_t *indices = facet_scene_allocate(scene, (size_t)faces * 3, sizeof(uint32_t));
    if (!mesh || !positions || !texcoords || !indices)
        return NULL;
    for (uint32_t i = 0; i < count; i++) {
        float x = (float)(i % side), y = (float)(i / side), half = (float)n / 2;
        texcoords[i * 2] = positions[i * 3] = x;
        texcoords[i * 2 + 1] = positions[i * 3 + 1] = y;
        positions[i * 3 + 2] = -((x - half) * (x - half) + (y - half) * (y - half)) / half;
    }
    for (uint32_t i = 0; i < n * n; i++) {
        uint32_t a = i / n * side + i % n;
        uint32_t square[6] = {a, a + 1, a + side + 1, a, a + side + 1, a + side};
        memcpy(indices + (size_t)i * 6, square, sizeof square);
    }
    uint32_t seed = 17;
    for (uint32_t i = shuffled ? faces : 1; --i > 0;) {
        uint32_t j = test_random(&seed) % (i + 1), swap[3];
        memcpy(swap, indices + (size_t)i * 3, 12);
        memcpy(indices + (size_t)i * 3, indices + (size_t)j * 3, 12);
        memcpy(indices + (size_t)j * 3, swap, 12);
    }
    if (!test_stream(scene, mesh, FACET_POSITION, 3, count, positions, indices) ||
        !test_stream(scene, mesh, FACET_TEXCOORD, 2, count, texcoords, indices))
        return NULL;
    mesh->streams[1].indices = mesh->streams[0].indices;
    return mesh;
}

/* -- Measurements ------------------------------------------------------- */

/* Grid position of a corner's vertex, from its texture coordinate. */
static uint64_t place_of(const facet_mesh *mesh, uint32_t corner)
{
    const float *texcoord = test_element(&mesh->streams[1], corner);
    const float *position = test_element(&mesh->streams[0], corner);
    assert_true(texcoord[0] == position[0] && texcoord[1] == position[1]);
    return (uint64_t)texcoord[0] << 10 | (uint64_t)texcoord[1];
}

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* Sorted triangles of some faces. Each starts with its smallest corner, which keeps its winding.
 * The caller frees them. */
static uint64_t *triangles_of(const facet_mesh *mesh, uint32_t first, uint32_t count)
{
    uint64_t *keys = malloc((count + 1) * sizeof *keys);
    for (uint32_t face = 0; face < count; face++) {
        uint64_t p[3];
        for (uint32_t k = 0; k < 3; k++)
            p[k] = place_of(mesh, (first + face) * 3 + k);
        uint32_t least = p[0] < p[1] ? (p[0] < p[2] ? 0 : 2) : (p[1] < p[2] ? 1 : 2);
        keys[face] = p[least] << 40 | p[(least + 1) % 3] << 20 | p[(least + 2) % 3];
    }
    qsort(keys, count, sizeof *keys, compare);
    return keys;
}

/* Vertices fetched per triangle by a simulated FIFO cache of 16. */
static double cache_misses(const facet_mesh *mesh)
{
    uint32_t fifo[16], at = 0, misses = 0;
    memset(fifo, 0xFF, sizeof fifo);
    for (uint32_t i = 0; i < mesh->corner_count; i++) {
        uint32_t vertex = mesh->streams[0].indices[i], k = 0;
        while (k < 16 && fifo[k] != vertex)
            k++;
        if (k == 16) {
            fifo[at++ % 16] = vertex;
            misses++;
        }
    }
    return (double)misses / mesh->face_count;
}

static void check_first_use(const facet_mesh *mesh)
{
    uint32_t next = 0;
    for (uint32_t i = 0; i < mesh->corner_count; i++) {
        uint32_t vertex = mesh->streams[0].indices[i];
        assert_true(vertex <= next);
        next += vertex == next;
    }
    for (uint32_t i = 0; i < mesh->stream_count; i++)
        assert_int_equal(mesh->streams[i].count, next);
}

/* -- Tests -------------------------------------------------------------- */

/* Small grids, and grids larger than a block, with neighbors in order or shuffled. */
TEST(optimize_keeps_triangles_and_reduces_misses)
{
    for (uint32_t i = 0; i < 4; i++) {
        facet_scene *scene = test_scene();
        uint32_t n = i & 1 ? 200 : 40;
        facet_mesh *mesh = make_grid(scene, n, i & 2);
        uint64_t *before = triangles_of(mesh, 0, mesh->face_count);
        facet_error error;
        TEST_OK(facet_mesh_optimize(mesh, NULL, NULL, &error), &error);
        TEST_OK(facet_scene_check(scene, NULL, &error), &error);
        assert_true(facet_mesh_is_indexed(mesh));
        uint64_t *after = triangles_of(mesh, 0, mesh->face_count);
        assert_memory_equal(before, after, mesh->face_count * sizeof *before);
        check_first_use(mesh);
        assert_int_equal(mesh->streams[0].count, (n + 1) * (n + 1));
        /* A grid of more than 16 columns has one miss per triangle in rows, and three in random
         * order. The minimum is one half. */
        assert_true(cache_misses(mesh) < 0.75);
        free(before);
        free(after);
        facet_scene_free(scene);
    }
}

TEST(optimize_keeps_runs_of_parts_and_materials)
{
    enum { FACES = 40 * 40 * 2 };
    facet_scene *scene = test_scene();
    facet_mesh *mesh = make_grid(scene, 40, true);
    facet_part parts[3] = {{"a", "", 100, 700}, {"b", "", 800, 0}, {"c", "", 800, 1100}};
    mesh->parts = parts;
    mesh->part_count = 3;
    mesh->face_materials = facet_scene_allocate(scene, FACES, sizeof(uint32_t));
    for (uint32_t i = 0; i < FACES; i++)
        mesh->face_materials[i] = i < 1500 ? 7 : i < 3000 ? FACET_NONE : 2;
    /* Ends of runs: parts at 100, 800, 1900; materials at 1500, 3000. */
    static const uint32_t ends[7] = {0, 100, 800, 1500, 1900, 3000, FACES};
    uint64_t *before[6];
    for (int i = 0; i < 6; i++)
        before[i] = triangles_of(mesh, ends[i], ends[i + 1] - ends[i]);
    facet_error error;
    TEST_OK(facet_mesh_optimize(mesh, NULL, NULL, &error), &error);
    for (int i = 0; i < 6; i++) {
        uint32_t count = ends[i + 1] - ends[i];
        uint64_t *after = triangles_of(mesh, ends[i], count);
        assert_memory_equal(before[i], after, count * sizeof *after);
        free(before[i]);
        free(after);
    }
    facet_scene_free(scene);
}

TEST(optimize_gives_the_same_order_for_any_thread_count)
{
    const facet_threads *threads = NULL;
    facet_error error;
    TEST_OK(facet_threads_create(3, &threads, &error), &error);
    facet_options options = {.threads = threads};
    facet_scene *scene = test_scene();
    facet_mesh *one = make_grid(scene, 200, false), *three = make_grid(scene, 200, false);
    TEST_OK(facet_mesh_optimize(one, NULL, NULL, &error), &error);
    TEST_OK(facet_mesh_optimize(three, &options, NULL, &error), &error);
    assert_memory_equal(one->streams[0].indices, three->streams[0].indices,
                        one->corner_count * sizeof(uint32_t));
    facet_scene_free(scene);
    facet_threads_free(threads);
}

TEST(optimize_refuses_unwelded_meshes_and_drops_smoothing)
{
    static const uint32_t quad[1] = {4}, groups[2] = {1, 1};
    static const float positions[12] = {0};
    facet_scene *scene = test_scene();
    facet_mesh *mesh = test_mesh(scene, 1, quad);
    assert_true(test_stream(scene, mesh, FACET_POSITION, 3, 4, positions, NULL));
    assert_int_equal(facet_mesh_optimize(mesh, NULL, NULL, NULL), FACET_ERROR_ARGUMENT);
    mesh = test_mesh(scene, 1, NULL);
    assert_true(test_stream(scene, mesh, FACET_POSITION, 3, 3, positions, NULL));
    assert_true(test_stream(scene, mesh, FACET_NORMAL, 3, 3, positions, NULL));
    assert_int_equal(facet_mesh_optimize(mesh, NULL, NULL, NULL), FACET_ERROR_ARGUMENT);
    mesh = make_grid(scene, 1, false);
    mesh->face_smoothing = test_copy(scene, groups, 2);
    facet_report *report = NULL;
    assert_int_equal(facet_report_create(NULL, &report, NULL), FACET_OK);
    facet_options options = {.report = report};
    facet_error error;
    TEST_OK(facet_mesh_optimize(mesh, &options, NULL, &error), &error);
    assert_null(mesh->face_smoothing);
    assert_non_null(test_finding(report, "MESH-SMOOTHING-DROPPED"));
    mesh = test_mesh(scene, 0, NULL);
    TEST_OK(facet_mesh_optimize(mesh, NULL, NULL, &error), &error);
    facet_report_free(report);
    facet_scene_free(scene);
}

TEST(optimize_accepts_invalid_positions)
{
    facet_scene *scene = test_scene();
    facet_mesh *mesh = make_grid(scene, 20, true);
    static const uint32_t values[4] = {0x7F800000, 0xFFC00000, 0xFF7FFFFF, 1};
    for (uint32_t i = 0; i < mesh->streams[0].count * 3; i++)
        memcpy((float *)mesh->streams[0].data + i, &values[i % 4], 4);
    facet_error error;
    TEST_OK(facet_mesh_optimize(mesh, NULL, NULL, &error), &error);
    assert_int_equal(mesh->streams[0].count, 21 * 21);
    facet_scene_free(scene);
}

static facet_status attempt_optimize(const facet_allocator *allocator, void *user)
{
    (void)user;
    facet_options options = {.allocator = allocator};
    facet_scene *scene = NULL;
    facet_status status = facet_scene_create(&options, &scene, NULL);
    if (status)
        return status;
    status = FACET_ERROR_MEMORY;
    facet_mesh *mesh = make_grid(scene, 5, true);
    if (mesh) {
        uint64_t *before = triangles_of(mesh, 0, mesh->face_count);
        status = facet_mesh_optimize(mesh, &options, NULL, NULL);
        assert_int_equal(facet_scene_check(scene, NULL, NULL), FACET_OK);
        if (mesh->stream_count == 2) {
            uint64_t *after = triangles_of(mesh, 0, mesh->face_count);
            assert_memory_equal(before, after, mesh->face_count * sizeof *before);
            free(after);
        }
        free(before);
    }
    facet_scene_free(scene);
    return status;
}

TEST(optimize_leaves_a_valid_mesh_without_memory)
{
    test_every_allocation(attempt_optimize, NULL);
}
