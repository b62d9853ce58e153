/* Vertices with equal values become one, and near positions merge. Small meshes with literal
 * results, and compiled files without equal vertices. */
#include "mesh/passes.h"
#include "scene/scene.h"
#include "support/mesh.h"
#include "support/models.h"

#include <math.h>

/* -- Join --------------------------------------------------------------- */

/* Six vertices of two triangles: 3 equals 1, 5 equals 0 except for the sign of a zero, and 4
 * differs from 2 only in its normal. */
static facet_mesh *make_pair(facet_scene *scene)
{
    static const float positions[18] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 1, 0, 0, -0.0F, 0};
    static const float normals[18] = {0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 0, 1};
    facet_mesh *mesh = test_mesh(scene, 2, NULL);
    if (!mesh || !test_stream(scene, mesh, FACET_POSITION, 3, 6, positions, NULL) ||
        !test_stream(scene, mesh, FACET_NORMAL, 3, 6, normals, NULL))
        return NULL;
    mesh->streams[1].indices = mesh->streams[0].indices;
    return mesh;
}

TEST(equal_values_become_one_vertex)
{
    static const uint32_t expected[6] = {0, 1, 2, 1, 3, 0};
    facet_scene *scene = test_scene();
    facet_mesh *mesh = make_pair(scene);
    uint32_t lines[2] = {5, 4};
    mesh->lines = lines;
    mesh->line_count = 1;
    bool changed = false;
    facet_error error;
    TEST_OK(facet_mesh_weld(mesh, NULL, &changed, &error), &error);
    assert_true(changed);
    assert_int_equal(mesh->streams[0].count, 4);
    assert_int_equal(mesh->streams[1].count, 4);
    assert_memory_equal(mesh->streams[0].indices, expected, sizeof expected);
    assert_true(((const float *)mesh->streams[1].data)[10] == 1);
    assert_int_equal(lines[0], 0);
    assert_int_equal(lines[1], 3);
    TEST_OK(facet_mesh_weld(mesh, NULL, &changed, &error), &error);
    assert_false(changed); /* nothing left to change */
    mesh->lines = NULL;
    mesh->line_count = 0;
    TEST_WHOLE(scene);
    facet_scene_free(scene);
}

/* Every component type is compared, and only floats have two zeros. */
TEST(every_component_type_is_compared)
{
    static const float positions[9] = {0};
    for (int component = 0; component <= FACET_UINT32; component++) {
        facet_scene *scene = test_scene();
        facet_mesh *mesh = test_mesh(scene, 1, NULL);
        facet_stream *stream = NULL;
        facet_error error;
        assert_true(mesh && test_stream(scene, mesh, FACET_POSITION, 3, 3, positions, NULL));
        TEST_OK(facet_mesh_add_stream(mesh, FACET_CUSTOM, 0, "c", (facet_component)component, 1, 3,
                                      &stream, &error),
                &error);
        stream->indices = mesh->streams[0].indices;
        size_t size = facet_component_size((facet_component)component);
        memset(stream->data, 0, 3 * size);
        uint8_t *top = (uint8_t *)stream->data + size * 2 - 1; /* highest byte of component 1 */
        *top = 0x80;                                           /* -0, or another number */
        TEST_OK(facet_mesh_weld(mesh, NULL, NULL, &error), &error);
        bool is_float = component == FACET_FLOAT32 || component == FACET_FLOAT64;
        assert_int_equal(mesh->streams[0].count, is_float ? 1 : 2);
        facet_scene_free(scene);
    }
}

TEST(weld_refuses_unindexed_meshes)
{
    static const float positions[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0}, normal[3] = {0, 0, 1};
    static const uint32_t same[3] = {0, 0, 0};
    facet_error error;
    facet_scene *scene = test_scene();
    facet_mesh *mesh = test_mesh(scene, 1, NULL);
    assert_true(mesh && test_stream(scene, mesh, FACET_POSITION, 3, 3, positions, NULL) &&
                test_stream(scene, mesh, FACET_NORMAL, 3, 1, normal, same));
    assert_int_equal(facet_mesh_weld(mesh, NULL, NULL, &error), FACET_ERROR_ARGUMENT);
    assert_int_equal(facet_mesh_weld_distance(mesh, 0.2F, NULL, NULL, &error),
                     FACET_ERROR_ARGUMENT);
    assert_int_equal(facet_mesh_weld_distance(mesh, NAN, NULL, NULL, &error), FACET_ERROR_ARGUMENT);
    facet_scene_free(scene);
}

/* -- Merge -------------------------------------------------------------- */

/* Points on a line from 0 to 10, which is the diagonal. Within 0.01 of it, 0.1: 0.09 goes to 0,
 * 0.11 stays, 0.18 goes to 0.11, and 10.05 to 10. */
TEST(near_positions_are_merged)
{
    static const float positions[18] = {0,     0, 0, 0.09F, 0, 0, 0.11F, 0, 0,
                                        0.18F, 0, 0, 9.95F, 0, 0, 10,    0, 0};
    static const uint32_t expected[6] = {0, 0, 1, 1, 2, 2};
    facet_error error;
    facet_scene *scene = test_scene();
    facet_mesh *mesh = test_mesh(scene, 2, NULL);
    bool changed = false;
    assert_true(mesh && test_stream(scene, mesh, FACET_POSITION, 3, 6, positions, NULL));
    TEST_OK(facet_mesh_weld_distance(mesh, 0, NULL, &changed, &error), &error);
    assert_false(changed);
    TEST_OK(facet_mesh_weld_distance(mesh, 0.01F, NULL, &changed, &error), &error);
    assert_true(changed);
    assert_int_equal(mesh->streams[0].count, 3);
    assert_memory_equal(mesh->streams[0].indices, expected, sizeof expected);
    TEST_OK(facet_mesh_weld_distance(mesh, 0.001F, NULL, &changed, &error), &error);
    assert_false(changed);
    TEST_WHOLE(scene);
    facet_scene_free(scene);
}

/* Compare with the definition, point by point, for a cloud of 500 points. */
TEST(merged_cloud_matches_the_definition)
{
    enum { COUNT = 501 };
    float points[COUNT * 3];
    uint32_t random = 1, kept[COUNT], kept_count = 0, expected[COUNT];
    for (size_t i = 0; i < COUNT * 3; i++) {
        random = random * 1664525 + 1013904223;
        points[i] = (float)(random >> 8) / 16777216;
    }
    facet_scene *scene = test_scene();
    facet_mesh *mesh = test_mesh(scene, COUNT / 3, NULL);
    assert_true(mesh && test_stream(scene, mesh, FACET_POSITION, 3, COUNT, points, NULL));
    double low[3] = {1, 1, 1}, high[3] = {0, 0, 0}, sum = 0;
    for (size_t i = 0; i < COUNT * 3; i++) {
        low[i % 3] = fmin(low[i % 3], (double)points[i]);
        high[i % 3] = fmax(high[i % 3], (double)points[i]);
    }
    for (int k = 0; k < 3; k++)
        sum += (high[k] - low[k]) * (high[k] - low[k]);
    double distance = (double)0.05F * sqrt(sum);
    for (uint32_t i = 0; i < COUNT; i++) {
        double least = distance;
        uint32_t nearest = FACET_NONE;
        for (uint32_t k = 0; k < kept_count; k++) {
            double d = 0;
            for (size_t axis = 0; axis < 3; axis++) {
                double far = (double)points[(size_t)kept[k] * 3 + axis] -
                             (double)points[(size_t)i * 3 + axis];
                d += far * far;
            }
            if (sqrt(d) < least || (nearest == FACET_NONE && sqrt(d) <= least)) {
                least = sqrt(d);
                nearest = k;
            }
        }
        expected[i] = nearest == FACET_NONE ? kept_count : nearest;
        if (nearest == FACET_NONE)
            kept[kept_count++] = i;
    }
    facet_error error;
    TEST_OK(facet_mesh_weld_distance(mesh, 0.05F, NULL, NULL, &error), &error);
    assert_true(kept_count > 20 && kept_count < COUNT);
    assert_int_equal(mesh->streams[0].count, kept_count);
    assert_memory_equal(mesh->streams[0].indices, expected, sizeof expected);
    facet_scene_free(scene);
}

/* -- Compiled files ----------------------------------------------------- */

/* Check that no two vertices of a mesh are equal, with another method of comparison. */
static void expect_distinct(const facet_mesh *mesh, const char *name)
{
    size_t size = 0, at = 0;
    uint32_t count = mesh->streams[0].count;
    for (uint32_t i = 0; i < mesh->stream_count; i++)
        size += facet_component_size(mesh->streams[i].component) * mesh->streams[i].components;
    uint8_t *vertices = malloc(size * count + 1);
    assert_non_null(vertices);
    for (uint32_t i = 0; i < mesh->stream_count; i++) {
        const facet_stream *stream = &mesh->streams[i];
        size_t one = facet_component_size(stream->component) * stream->components;
        for (uint32_t vertex = 0; vertex < count; vertex++) {
            uint8_t *to = vertices + vertex * size + at;
            memcpy(to, (const uint8_t *)stream->data + vertex * one, one);
            for (size_t k = 0; stream->component == FACET_FLOAT32 && k < one; k += 4) {
                float value;
                memcpy(&value, to + k, 4);
                value += 0.0F; /* -0 becomes 0 */
                memcpy(to + k, &value, 4);
            }
        }
        at += one;
    }
    size_t *order = malloc(count * sizeof *order);
    assert_non_null(order);
    /* A separate method: insert into a hash of 2^16 chains. */
    size_t *heads = calloc(65536, sizeof *heads);
    assert_non_null(heads);
    for (uint32_t vertex = 0; vertex < count; vertex++) {
        const uint8_t *bytes = vertices + vertex * size;
        uint32_t hash = 2166136261u;
        for (size_t k = 0; k < size; k++)
            hash = (hash ^ bytes[k]) * 16777619u;
        for (size_t other = heads[hash & 65535]; other > 0; other = order[other - 1]) {
            if (memcmp(vertices + (other - 1) * size, bytes, size) == 0)
                fail_msg("%s: vertex %u equals vertex %zu", name, (unsigned)vertex, other - 1);
        }
        order[vertex] = heads[hash & 65535];
        heads[hash & 65535] = vertex + 1;
    }
    free(heads);
    free(order);
    free(vertices);
}

TEST(compiled_files_have_no_equal_vertices)
{
    static const char *const files[] = {"obj/spider.obj",
                                        "obj/quadknot.obj",
                                        "obj/spot_control_mesh.obj",
                                        "stl/3DSMaxExport.STL",
                                        "stl/Spider_ascii.stl",
                                        "stl/multibody.stl",
                                        "stl/20mm-xyz-cube.stl",
                                        "ply/cycloidal.ply",
                                        "ply/fuze.ply",
                                        "ply/platonic_shelf_ascii.ply"};
    static const char *const formats[] = {"bsm", "bga", "glb", "bmd"};
    TEST_NEEDS_CORPUS();
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        for (size_t k = 0; k < sizeof formats / sizeof *formats; k++) {
            facet_scene *scene = load_file(test_corpus(files[i]), NULL);
            facet_error error;
            TEST_OK(facet_prepare(scene, facet_format_named(formats[k]), NULL, NULL, NULL, &error),
                    &error);
            for (uint32_t m = 0; m < scene->mesh_count; m++)
                expect_distinct(scene->meshes[m], files[i]);
            facet_scene_free(scene);
        }
    }
}

/* A soup is welded, so that a crease angle applies to its edges. A cube of 12 triangles has 8
 * vertices when smooth, and 24 with hard edges at 90 degrees. */
TEST(welded_soup_has_crease_angles)
{
    float points[36 * 3];
    size_t count = 0;
    for (int axis = 0; axis < 3; axis++) {
        for (int side = 0; side < 2; side++) {
            static const int square[6][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 0}, {1, 1}, {0, 1}};
            for (int k = 0; k < 6; k++) {
                int corner = side ? k : k - k % 3 + (3 - k % 3) % 3; /* outward */
                float *p = &points[count++ * 3];
                p[axis] = (float)side;
                p[(axis + 1) % 3] = (float)square[corner][0];
                p[(axis + 2) % 3] = (float)square[corner][1];
            }
        }
    }
    for (int crease = 0; crease < 2; crease++) {
        facet_scene *scene = test_scene();
        facet_mesh *mesh = test_mesh(scene, 12, NULL);
        assert_true(mesh && test_stream(scene, mesh, FACET_POSITION, 3, 36, points, NULL));
        facet_normals_options normals = {.crease_degrees = crease ? 45 : 180};
        facet_prepare_options prepare = {.normals = &normals, .extra = FACET_NEED_NORMALS};
        facet_error error;
        TEST_OK(facet_prepare(scene, facet_format_named("bga"), &prepare, NULL, NULL, &error),
                &error);
        assert_int_equal(mesh->streams[0].count, crease ? 24 : 8);
        facet_scene_free(scene);
    }
    facet_scene *scene = test_scene();
    facet_mesh *mesh = test_mesh(scene, 12, NULL);
    assert_true(mesh && test_stream(scene, mesh, FACET_POSITION, 3, 36, points, NULL));
    facet_prepare_options prepare = {.keep_vertices = true};
    facet_error error;
    TEST_OK(facet_prepare(scene, facet_format_named("bga"), &prepare, NULL, NULL, &error), &error);
    assert_int_equal(mesh->streams[0].count, 36);
    facet_scene_free(scene);
}

/* -- Memory ------------------------------------------------------------- */

static facet_status join_with(const facet_allocator *allocator, void *user)
{
    facet_options options = {.allocator = allocator};
    facet_scene *scene = NULL;
    facet_status status = facet_scene_create(&options, &scene, NULL);
    facet_mesh *mesh = status ? NULL : make_pair(scene);
    if (!status && !mesh)
        status = FACET_ERROR_MEMORY;
    if (!status)
        status = user ? facet_mesh_weld_distance(mesh, 0.1F, &options, NULL, NULL)
                      : facet_mesh_weld(mesh, &options, NULL, NULL);
    if (mesh)
        TEST_WHOLE(scene);
    facet_scene_free(scene);
    return status;
}

TEST(weld_reports_failed_allocations)
{
    test_every_allocation(join_with, NULL);
    test_every_allocation(join_with, (void *)(uintptr_t) "merge");
}
