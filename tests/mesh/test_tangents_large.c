/* Tangents of meshes with many vertices: rows, rings, and their memory. */
#include "mesh/passes.h"
#include "mesh/tangents/tangents.h"
#include "scene/scene.h"
#include "support/jumble.h"
#include "support/tangents.h"

#include <stdlib.h>

/* -- Rows and rings ----------------------------------------------------- */

/* A grid of size * size quads, u mirrored in the middle. */
static facet_mesh *grid(facet_scene *scene, uint32_t size)
{
    uint32_t vertex_count = (size + 1) * (size + 1);
    float *values = malloc((size_t)vertex_count * 8 * sizeof *values);
    uint32_t *indices = malloc((size_t)size * size * 6 * sizeof *indices);
    assert_true(values && indices);
    float *normals = values + 3 * (size_t)vertex_count, *uv = normals + 3 * (size_t)vertex_count;
    for (uint32_t i = 0; i < vertex_count; i++) {
        float x = (float)(i % (size + 1)), y = (float)(i / (size + 1));
        const float position[3] = {x, y, 0};
        memcpy(values + 3 * i, position, sizeof position);
        memcpy(normals + 3 * i, up, sizeof up);
        uv[2 * i] = fabsf(x - (float)(size / 2));
        uv[2 * i + 1] = y;
    }
    for (uint32_t i = 0; i < size * size; i++) {
        uint32_t a = i / size * (size + 1) + i % size, b = a + size + 1;
        const uint32_t quad[6] = {a, a + 1, b + 1, a, b + 1, b};
        memcpy(indices + 6 * i, quad, sizeof quad);
    }
    facet_mesh *mesh = test_mesh(scene, size * size * 2, NULL);
    test_stream(scene, mesh, FACET_POSITION, 3, vertex_count, values, indices);
    test_stream(scene, mesh, FACET_NORMAL, 3, vertex_count, normals, indices);
    test_stream(scene, mesh, FACET_TEXCOORD, 2, vertex_count, uv, indices);
    free(values);
    free(indices);
    return mesh;
}

/* Reproducible bumps in positions, normals and texture coordinates. */
static void shake(facet_mesh *mesh)
{
    uint32_t state = 1;
    for (uint32_t i = 0; i < 3; i++) {
        const facet_stream *stream = &mesh->streams[i];
        float *values = stream->data;
        for (uint32_t k = 0; k < stream->count * stream->components; k++)
            values[k] += (float)(test_random(&state) % 1024) / 4096.0f;
    }
}

/* Corners around a vertex that form one row or ring are summed in one pass. A degenerate triangle
 * next to them forces the general method; it adds nothing to the sums. */
TEST(rings_and_rows_give_the_same_as_general_groups)
{
    enum { SIZE = 24, TRIANGLES = SIZE * SIZE * 2, VERTICES = (SIZE + 1) * (SIZE + 1) };
    facet_scene *scene = make_scene(NULL);
    facet_mesh *quick = grid(scene, SIZE);
    shake(quick);
    uint32_t indices[(TRIANGLES + VERTICES) * 3];
    memcpy(indices, quick->streams[0].indices, TRIANGLES * 3 * sizeof *indices);
    for (uint32_t vertex = 0; vertex < VERTICES; vertex++) {
        uint32_t *none = indices + (TRIANGLES + vertex) * 3;
        none[0] = none[1] = vertex;
        none[2] = (vertex + 1) % VERTICES;
    }
    facet_mesh *slow = test_mesh(scene, TRIANGLES + VERTICES, NULL);
    for (uint32_t i = 0; i < 3; i++)
        test_stream(scene, slow, quick->streams[i].semantic, quick->streams[i].components, VERTICES,
                    quick->streams[i].data, indices);
    for (uint32_t i = 1; i < 3; i++) {
        quick->streams[i].indices = quick->streams[0].indices;
        slow->streams[i].indices = slow->streams[0].indices;
    }
    compute(scene, quick);
    compute(scene, slow);
    const facet_stream *a = facet_mesh_find(quick, FACET_TANGENT, 0);
    const facet_stream *b = facet_mesh_find(slow, FACET_TANGENT, 0);
    for (uint32_t corner = 0; corner < TRIANGLES * 3; corner++)
        assert_memory_equal(test_element(a, corner), test_element(b, corner), 4 * sizeof(float));
    facet_scene_free(scene);
}

/* -- Distinct vertices -------------------------------------------------- */

/* A mesh whose equal vertices are already joined gets the same result without a search for them. */
TEST(distinct_vertices_give_the_same_tangents)
{
    for (uint32_t seed = 1; seed <= 4; seed++) {
        const facet_stream *tangents[2];
        facet_mesh *meshes[2];
        facet_scene *scenes[2];
        for (int i = 0; i < 2; i++) {
            facet_error error;
            scenes[i] = make_scene(NULL);
            meshes[i] = test_jumble(scenes[i], 40 * seed, 800, true, seed);
            assert_non_null(meshes[i]);
            TEST_OK(facet_mesh_weld(meshes[i], NULL, NULL, &error), &error);
            facet_status (*pass)(facet_mesh *, const facet_options *, bool *, facet_error *) =
                i == 0 ? facet_mesh_tangents : facet_mesh_tangents_distinct;
            TEST_OK(pass(meshes[i], NULL, NULL, &error), &error);
            tangents[i] = facet_mesh_find(meshes[i], FACET_TANGENT, 0);
        }
        assert_int_equal(tangents[0]->count, tangents[1]->count);
        for (uint32_t corner = 0; corner < meshes[0]->corner_count; corner++)
            assert_memory_equal(test_element(tangents[0], corner),
                                test_element(tangents[1], corner), 4 * sizeof(float));
        facet_scene_free(scenes[0]);
        facet_scene_free(scenes[1]);
    }
}

/* -- Memory ------------------------------------------------------------- */

typedef struct meter {
    size_t now, peak;
} meter;

static void *meter_allocate(void *user, size_t size)
{
    meter *m = user;
    m->now += size;
    m->peak = m->now > m->peak ? m->now : m->peak;
    return malloc(size);
}

static void meter_release(void *user, void *pointer, size_t size)
{
    meter *m = user;
    m->now -= size;
    free(pointer);
}

/* Three triangles around the origin (vertex 0), starting at the direction `from`, `step` radians
 * each. u increases in the direction `u`. A ring is closed. */
static void put_fan(float *positions, float *texcoords, uint32_t *indices, uint32_t fan,
                    double from, double step, double u, bool closed)
{
    uint32_t first = 1 + fan * 4;
    for (uint32_t i = 0; i < 4; i++) {
        double angle = from + step * i, along = angle - u;
        positions[3 * (first + i)] = (float)cos(angle);
        positions[3 * (first + i) + 1] = (float)sin(angle);
        texcoords[2 * (first + i)] = (float)cos(along);
        texcoords[2 * (first + i) + 1] = (float)sin(along);
    }
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t *triangle = indices + 9 * fan + 3 * i;
        triangle[0] = 0;
        triangle[1] = first + i;
        triangle[2] = closed && i == 2 ? first : first + i + 1;
    }
}

/* Two rings or rows that share only a vertex are two groups, even with similar directions: u turns
 * by 0 and by 0.5 radians. */
TEST(groups_that_share_only_a_vertex_stay_separate)
{
    for (int closed = 0; closed < 2; closed++) {
        facet_scene *scene = make_scene(NULL);
        float positions[27] = {0}, normals[27] = {0}, texcoords[18] = {0};
        uint32_t indices[18];
        double step = closed ? 2 * acos(-1) / 3 : acos(-1) / 3;
        put_fan(positions, texcoords, indices, 0, 0, step, 0, closed);
        put_fan(positions, texcoords, indices, 1, closed ? 0.3 : acos(-1), step, 0.5, closed);
        for (int i = 0; i < 9; i++)
            normals[3 * i + 2] = 1;
        facet_mesh *mesh = test_mesh(scene, 6, NULL);
        assert_non_null(mesh);
        assert_true(test_stream(scene, mesh, FACET_POSITION, 3, 9, positions, indices));
        assert_true(test_stream(scene, mesh, FACET_NORMAL, 3, 9, normals, indices));
        assert_true(test_stream(scene, mesh, FACET_TEXCOORD, 2, 9, texcoords, indices));
        facet_error error;
        TEST_OK(facet_mesh_tangents(mesh, NULL, NULL, &error), &error);
        for (uint32_t corner = 0; corner < 18; corner += 3) {
            const float *t = test_element(facet_mesh_find(mesh, FACET_TANGENT, 0), corner);
            double u = corner < 9 ? 0 : 0.5;
            assert_true(fabs(t[0] - cos(u)) < 1e-5 && fabs(t[1] - sin(u)) < 1e-5 && t[3] == 1);
        }
        facet_scene_free(scene);
    }
}

/* The pass uses at most 16 bytes per corner in addition to its result; 8 of them are directions of
 * triangles. With one index per stream it uses 24, for values and an index of the pass. */
TEST(tangents_use_at_most_24_bytes_per_corner)
{
    for (int separate = 0; separate < 2; separate++) {
        meter m = {0};
        facet_allocator allocator = {meter_allocate, meter_release, &m};
        facet_options options = {0};
        options.allocator = &allocator;
        facet_scene *scene = make_scene(&options);
        facet_mesh *mesh = grid(scene, 200);
        for (int i = 1; i < 3 && !separate; i++) {
            facet_stream_release_indices(mesh, &mesh->streams[i]);
            mesh->streams[i].indices = mesh->streams[0].indices;
        }
        m.peak = m.now;
        facet_error error;
        TEST_OK(facet_mesh_tangents(mesh, NULL, NULL, &error), &error);
        assert_int_equal(facet_mesh_find(mesh, FACET_TANGENT, 0)->count, 201 * 201 + 201);
        double spent = (double)(m.peak - m.now) / mesh->corner_count;
        print_message("%.1f bytes per corner\n", spent);
        assert_true(spent <= (separate ? 24 : 16));
        facet_scene_free(scene);
        assert_int_equal(m.now, 0);
    }
}
