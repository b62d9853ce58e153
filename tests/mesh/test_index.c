/* The index pass: one index for all streams. */
#include "mesh/passes.h"
#include "support/mesh.h"

#include <facet/mesh.h>
#include <facet/pose.h>

/* -- Known results ------------------------------------------------------ */

/* A cube of 12 triangles, 8 positions and 6 normals: each corner of the cube has three normals, so
 * 24 vertices. */
TEST(cube_has_24_vertices)
{
    static const uint32_t quads[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                         {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    static const uint32_t cut[6] = {0, 1, 2, 0, 2, 3};
    float positions[24], normals[18];
    uint32_t position_indices[36], normal_indices[36];
    for (int i = 0; i < 24; i++)
        positions[i] = (float)(i / 3 >> i % 3 & 1);
    for (int i = 0; i < 18; i++)
        normals[i] = (float)i;
    for (uint32_t i = 0; i < 36; i++) {
        position_indices[i] = quads[i / 6][cut[i % 6]];
        normal_indices[i] = i / 6;
    }
    facet_scene *scene = test_scene();
    facet_mesh *mesh = test_mesh(scene, 12, NULL);
    assert_true(test_stream(scene, mesh, FACET_POSITION, 3, 8, positions, position_indices));
    assert_true(test_stream(scene, mesh, FACET_NORMAL, 3, 6, normals, normal_indices));
    facet_error error;
    TEST_OK(facet_mesh_index(mesh, NULL, NULL, &error), &error);
    assert_true(facet_mesh_is_indexed(mesh));
    TEST_OK(facet_scene_check(scene, NULL, &error), &error);
    assert_int_equal(mesh->streams[0].count, 24);
    assert_int_equal(mesh->streams[1].count, 24);
    /* Vertices are numbered by first use: the first quad's corners are 0 1 2 0 2 3. */
    for (uint32_t i = 0; i < 36; i++)
        assert_int_equal(mesh->streams[0].indices[i], i / 6 * 4 + cut[i % 6]);
    facet_scene_free(scene);
}

TEST(welded_mesh_is_left_alone)
{
    static const float positions[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0};
    static const uint32_t indices[6] = {3, 0, 1, 0, 3, 2};
    facet_scene *scene = test_scene();
    facet_mesh *mesh = test_mesh(scene, 2, NULL);
    assert_true(test_stream(scene, mesh, FACET_POSITION, 3, 4, positions, indices));
    void *data = mesh->streams[0].data;
    facet_error error;
    TEST_OK(facet_mesh_index(mesh, NULL, NULL, &error), &error);
    assert_ptr_equal(mesh->streams[0].data, data);
    assert_memory_equal(mesh->streams[0].indices, indices, sizeof indices);
    facet_scene_free(scene);
}

/* No corner uses elements 0 and 3 of 6. The pass drops them, also from a welded mesh. */
TEST(unused_elements_are_dropped)
{
    static const float positions[18] = {9, 9, 9, 1, 0, 0, 2, 0, 0, 9, 9, 9, 4, 0, 0, 5, 0, 0};
    static const uint32_t indices[6] = {5, 4, 2, 4, 5, 1}, expected[6] = {0, 1, 2, 1, 0, 3};
    for (int streams = 1; streams <= 2; streams++) {
        facet_scene *scene = test_scene();
        facet_mesh *mesh = test_mesh(scene, 2, NULL);
        assert_true(test_stream(scene, mesh, FACET_POSITION, 3, 6, positions, indices));
        if (streams == 2) {
            assert_true(test_stream(scene, mesh, FACET_NORMAL, 3, 6, positions, indices));
            mesh->streams[1].indices[0] = 1;
        }
        facet_error error;
        TEST_OK(facet_mesh_index(mesh, NULL, NULL, &error), &error);
        assert_int_equal(mesh->streams[0].count, 3 + streams);
        if (streams == 1)
            assert_memory_equal(mesh->streams[0].indices, expected, sizeof expected);
        for (uint32_t corner = 0; corner < 6; corner++)
            assert_true(test_element(&mesh->streams[0], corner)[0] == (float)indices[corner]);
        facet_scene_free(scene);
    }
}

TEST(holes_are_filled_and_reported)
{
    static const float positions[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0}, element[4] = {7, 7, 7, 7};
    static const uint32_t indices[3] = {0, FACET_NONE, FACET_NONE};
    facet_scene *scene = test_scene();
    facet_mesh *mesh = test_mesh(scene, 1, NULL);
    assert_true(test_stream(scene, mesh, FACET_POSITION, 3, 3, positions, NULL));
    assert_true(test_stream(scene, mesh, FACET_TEXCOORD, 2, 1, element, indices));
    assert_true(test_stream(scene, mesh, FACET_COLOR, 4, 1, element, indices));
    facet_report *report = NULL;
    assert_int_equal(facet_report_create(NULL, &report, NULL), FACET_OK);
    facet_options options = {.report = report};
    facet_error error;
    TEST_OK(facet_mesh_index(mesh, &options, NULL, &error), &error);
    static const float texcoords[6] = {7, 7}, colors[12] = {7, 7, 7, 7, 1, 1, 1, 1, 1, 1, 1, 1};
    assert_int_equal(mesh->streams[1].count, 3);
    assert_memory_equal(mesh->streams[1].data, texcoords, sizeof texcoords);
    assert_memory_equal(mesh->streams[2].data, colors, sizeof colors);
    assert_int_equal(facet_report_count(report), 2);
    const facet_finding *finding = test_finding(report, "MESH-STREAM-HOLES");
    assert_non_null(finding);
    assert_int_equal(finding->count, 2);
    assert_non_null(strstr(finding->message, "texcoord 0"));
    facet_report_free(report);
    facet_scene_free(scene);
}

/* One triangle of the positions 4 2 3 of 6, with other indices for normals, and lines 2-4, 3-1 and
 * 4-3. Position 1 has no corner, so it becomes a vertex after the corners' vertices. So does 5, a
 * point; 4 is also a point. No face uses the vertices without a normal, so they are not
 * reported. */
TEST(lines_follow_their_positions)
{
    static const float positions[18] = {[3] = 1, [15] = 5}, normal[3] = {0, 0, 1};
    static const uint32_t corners[3] = {4, 2, 3}, zeros[3] = {0, 0, 0};
    static const uint32_t lines[6] = {2, 4, 3, 1, 4, 3}, welded[6] = {1, 0, 2, 3, 0, 2};
    static const uint32_t points[2] = {5, 4}, vertices[2] = {4, 0};
    facet_scene *scene = test_scene();
    facet_mesh *mesh = test_mesh(scene, 1, NULL);
    assert_true(test_stream(scene, mesh, FACET_POSITION, 3, 6, positions, corners));
    assert_true(test_stream(scene, mesh, FACET_NORMAL, 3, 1, normal, zeros));
    mesh->lines = test_copy(scene, lines, 6);
    mesh->line_count = 3;
    mesh->points = test_copy(scene, points, 2);
    mesh->point_count = 2;
    facet_options options = {0};
    facet_error error;
    TEST_OK(facet_report_create(NULL, &options.report, &error), &error);
    TEST_OK(facet_mesh_index(mesh, &options, NULL, &error), &error);
    TEST_OK(facet_scene_check(scene, NULL, &error), &error);
    assert_true(facet_mesh_is_indexed(mesh));
    assert_int_equal(mesh->streams[0].count, 5);
    assert_int_equal(mesh->line_count, 3);
    assert_memory_equal(mesh->lines, welded, sizeof welded);
    assert_memory_equal(mesh->points, vertices, sizeof vertices);
    assert_memory_equal((const float *)mesh->streams[0].data + 9, positions + 3, 12);
    assert_memory_equal((const float *)mesh->streams[0].data + 12, positions + 15, 12);
    static const float none[3] = {0};
    assert_memory_equal((const float *)mesh->streams[1].data + 12, none, 12);
    assert_int_equal(facet_report_count(options.report), 0);
    facet_report_free(options.report);
    facet_scene_free(scene);
}

/* In a mesh with one index, the ends of lines are in use: position 5 stays as the last vertex; 0
 * and 1 are dropped. */
TEST(lines_keep_their_ends)
{
    static const float positions[18] = {0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0, 4, 0, 0, 5, 0, 0};
    static const uint32_t corners[3] = {4, 2, 3}, lines[2] = {5, 2}, renumbered[2] = {3, 1};
    facet_scene *scene = test_scene();
    facet_mesh *mesh = test_mesh(scene, 1, NULL);
    assert_true(test_stream(scene, mesh, FACET_POSITION, 3, 6, positions, corners));
    mesh->lines = test_copy(scene, lines, 2);
    mesh->line_count = 1;
    facet_error error;
    TEST_OK(facet_mesh_index(mesh, NULL, NULL, &error), &error);
    TEST_OK(facet_scene_check(scene, NULL, &error), &error);
    assert_int_equal(mesh->streams[0].count, 4);
    assert_memory_equal(mesh->lines, renumbered, sizeof renumbered);
    assert_true(((float *)mesh->streams[0].data)[9] == 5.0f);
    facet_scene_free(scene);
}

/* -- Streams of different counts that share an index array --------------- */

/* A triangle of the positions 0, 2 and 3 of 5, numbered by first use 3, 0, 2. No face uses the
 * lines from 0 to 2 and from 0 to 4. The normals have the same indices and end with the last that a
 * corner uses. */
static facet_mesh *make_uneven(facet_scene *scene)
{
    static const float positions[15] = {0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0, 4, 0, 0};
    static const float normals[12] = {1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1};
    static const uint32_t corners[3] = {3, 0, 2}, lines[4] = {0, 2, 0, 4};
    facet_mesh *mesh = test_mesh(scene, 1, NULL);
    assert_true(test_stream(scene, mesh, FACET_POSITION, 3, 5, positions, corners));
    facet_error error;
    TEST_OK(facet_mesh_add_stream_copy(mesh, FACET_NORMAL, 0, NULL, FACET_FLOAT32, 3, 4, normals,
                                       NULL, NULL, &error),
            &error);
    assert_ptr_equal(mesh->streams[1].indices, mesh->streams[0].indices);
    mesh->lines = test_copy(scene, lines, 4);
    mesh->line_count = 2;
    TEST_OK(facet_scene_check(scene, NULL, &error), &error);
    return mesh;
}

/* Check position and normal of each corner of make_uneven, from corner `first_corner` on. The mesh
 * keeps 3 of 5 vertices. */
static void assert_uneven(const facet_mesh *mesh, uint32_t first_corner)
{
    static const float xs[3] = {3, 0, 2};
    static const float normals[3][3] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
    for (uint32_t i = 0; i < 3; i++) {
        assert_true(test_element(&mesh->streams[0], first_corner + i)[0] == xs[i]);
        assert_memory_equal(test_element(&mesh->streams[1], first_corner + i), normals[i],
                            sizeof normals[i]);
    }
}

TEST(index_drops_surplus_elements_of_a_stream)
{
    static const uint32_t corners[3] = {0, 1, 2};
    facet_scene *scene = test_scene();
    facet_mesh *mesh = make_uneven(scene);
    assert_false(facet_mesh_is_indexed(mesh));
    facet_options options = {0};
    facet_error error;
    TEST_OK(facet_report_create(NULL, &options.report, &error), &error);
    bool changed = false;
    TEST_OK(facet_mesh_index(mesh, &options, &changed, &error), &error);
    TEST_OK(facet_scene_check(scene, NULL, &error), &error);
    assert_true(changed && facet_mesh_is_indexed(mesh));
    assert_int_equal(mesh->streams[0].count, 4);
    assert_int_equal(mesh->streams[1].count, 4);
    assert_memory_equal(mesh->streams[0].indices, corners, sizeof corners);
    assert_uneven(mesh, 0);
    /* The line to position 4 ends at a vertex without a normal. */
    assert_int_equal(mesh->line_count, 2);
    facet_report_free(options.report);
    facet_scene_free(scene);
}

/* The passes for welded meshes refuse it. So does split, because it would copy a line's end. */
TEST(uneven_streams_are_not_welded)
{
    facet_scene *scene = test_scene();
    facet_mesh *mesh = make_uneven(scene);
    facet_error error;
    assert_int_equal(facet_mesh_optimize(mesh, NULL, NULL, &error), FACET_ERROR_ARGUMENT);
    assert_int_equal(facet_mesh_weld(mesh, NULL, NULL, &error), FACET_ERROR_ARGUMENT);
    static const float tangents[12] = {1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 1};
    assert_true(test_stream(scene, mesh, FACET_TANGENT, 4, 3, tangents, NULL));
    assert_int_equal(facet_mesh_split(mesh, NULL, NULL, &error), FACET_ERROR_ARGUMENT);
    TEST_OK(facet_scene_check(scene, NULL, &error), &error);
    facet_scene_free(scene);
}

TEST(merge_of_uneven_meshes_keeps_normals)
{
    facet_scene *scene = test_scene();
    make_uneven(scene);
    make_uneven(scene);
    facet_error error;
    facet_flatten_options how = {.merge = true};
    TEST_OK(facet_scene_flatten(scene, &how, NULL, &error), &error);
    TEST_OK(facet_scene_check(scene, NULL, &error), &error);
    assert_int_equal(scene->mesh_count, 1);
    assert_uneven(scene->meshes[0], 0);
    assert_uneven(scene->meshes[0], 3);
    facet_scene_free(scene);
}

TEST(index_accepts_empty_meshes)
{
    facet_scene *scene = test_scene();
    facet_mesh *mesh = test_mesh(scene, 0, NULL);
    facet_error error;
    TEST_OK(facet_mesh_index(mesh, NULL, NULL, &error), &error);
    static const float positions[6] = {0};
    assert_true(test_stream(scene, mesh, FACET_POSITION, 3, 2, positions, NULL));
    assert_true(test_stream(scene, mesh, FACET_TEXCOORD, 2, 0, positions, NULL));
    TEST_OK(facet_mesh_index(mesh, NULL, NULL, &error), &error);
    assert_int_equal(mesh->streams[0].count, 0);
    assert_true(facet_mesh_is_indexed(mesh));
    facet_scene_free(scene);
}

/* -- Compared with brute force ------------------------------------------ */

#define MAX_CORNERS 4500
#define MAX_LANES 10

typedef struct sample {
    uint32_t corner_count, lane_count;
    uint32_t counts[MAX_LANES];
    uint32_t indices[MAX_LANES][MAX_CORNERS];
} sample;

static void fill_sample(sample *s, uint32_t triangles, uint32_t lanes, uint32_t positions,
                        uint32_t elements, bool holes, uint32_t seed)
{
    s->corner_count = triangles * 3;
    s->lane_count = lanes;
    for (uint32_t lane = 0; lane < lanes; lane++) {
        s->counts[lane] = lane == 0 ? positions : elements;
        for (uint32_t i = 0; i < s->corner_count; i++) {
            s->indices[lane][i] = test_random(&seed) % s->counts[lane];
            if (holes && lane > 0 && test_random(&seed) % 8 == 0)
                s->indices[lane][i] = FACET_NONE;
        }
    }
}

/* Streams whose element i is the number i + 1, so that a hole is a 0. */
static facet_mesh *mesh_of_sample(facet_scene *scene, const sample *s)
{
    facet_mesh *mesh = test_mesh(scene, s->corner_count / 3, NULL);
    for (uint32_t lane = 0; mesh && lane < s->lane_count; lane++) {
        static float numbers[3 * MAX_CORNERS];
        uint32_t components = lane == 0 ? 3 : 2;
        for (uint32_t i = 0; i < s->counts[lane] * components; i++)
            numbers[i] = (float)(i / components + 1);
        if (!test_stream(scene, mesh, lane == 0 ? FACET_POSITION : FACET_TEXCOORD, components,
                         s->counts[lane], numbers, s->indices[lane]))
            return NULL;
        mesh->streams[lane].set = lane;
    }
    return mesh;
}

static bool same_tuple(const sample *s, uint32_t a, uint32_t b)
{
    for (uint32_t lane = 0; lane < s->lane_count; lane++) {
        if (s->indices[lane][a] != s->indices[lane][b])
            return false;
    }
    return true;
}

/* Number the tuples by first use, with a linear search for each. */
static uint32_t expected_vertices(const sample *s, uint32_t *expected)
{
    static uint32_t first_corner[MAX_CORNERS];
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->corner_count; i++) {
        uint32_t vertex = 0;
        while (vertex < count && !same_tuple(s, first_corner[vertex], i))
            vertex++;
        if (vertex == count)
            first_corner[count++] = i;
        expected[i] = vertex;
    }
    return count;
}

static void check_sample(const sample *s)
{
    static uint32_t expected[MAX_CORNERS];
    uint32_t count = expected_vertices(s, expected);
    facet_scene *scene = test_scene();
    facet_mesh *mesh = mesh_of_sample(scene, s);
    assert_non_null(mesh);
    facet_error error;
    TEST_OK(facet_mesh_index(mesh, NULL, NULL, &error), &error);
    assert_true(facet_mesh_is_indexed(mesh));
    assert_memory_equal(mesh->streams[0].indices, expected, s->corner_count * sizeof *expected);
    for (uint32_t lane = 0; lane < s->lane_count; lane++) {
        const facet_stream *stream = &mesh->streams[lane];
        assert_int_equal(stream->count, count);
        for (uint32_t i = 0; i < s->corner_count; i++) {
            uint32_t index = s->indices[lane][i];
            float value = index == FACET_NONE ? 0 : (float)(index + 1);
            for (uint32_t c = 0; c < stream->components; c++)
                assert_true(test_element(stream, i)[c] == value);
        }
    }
    facet_scene_free(scene);
}

TEST(indices_of_random_tuples_match_brute_force)
{
    static sample s;
    for (uint32_t lanes = 2; lanes <= MAX_LANES; lanes++) {
        fill_sample(&s, 150, lanes, 60, 2, false, lanes);
        check_sample(&s);
        fill_sample(&s, 150, lanes, 20, 60, true, lanes + 100);
        check_sample(&s);
    }
}

/* One position with thousands of tuples must not take quadratic time: a hash table, which must
 * grow, replaces the chain. */
TEST(many_tuples_at_one_position_take_linear_time)
{
    static sample s;
    fill_sample(&s, MAX_CORNERS / 3, 3, 1, 60, true, 5);
    check_sample(&s);
    fill_sample(&s, MAX_CORNERS / 3, 2, 1, 1000, false, 6);
    check_sample(&s);
}

TEST(many_texcoords_at_one_position_take_linear_time)
{
    enum { TRIANGLES = 200000 };
    facet_scene *scene = test_scene();
    facet_mesh *mesh = test_mesh(scene, TRIANGLES, NULL);
    float *texcoords = facet_scene_allocate(scene, TRIANGLES * 3, 2 * sizeof(float));
    uint32_t *zeros = facet_scene_allocate(scene, TRIANGLES * 3, sizeof(uint32_t));
    memset(texcoords, 0, TRIANGLES * 3 * 2 * sizeof(float));
    memset(zeros, 0, TRIANGLES * 3 * sizeof(uint32_t));
    assert_true(test_stream(scene, mesh, FACET_POSITION, 3, 1, texcoords, zeros));
    assert_true(test_stream(scene, mesh, FACET_TEXCOORD, 2, TRIANGLES * 3, texcoords, NULL));
    facet_error error;
    TEST_OK(facet_mesh_index(mesh, NULL, NULL, &error), &error);
    assert_int_equal(mesh->streams[0].count, TRIANGLES * 3);
    facet_scene_free(scene);
}

/* -- Out of memory ------------------------------------------------------ */

/* Weld with a failing allocator. The mesh stays valid, and while it has all its streams, each
 * corner keeps its elements. */
static facet_status attempt_weld(const facet_allocator *allocator, void *user)
{
    const sample *s = user;
    facet_options options = {.allocator = allocator};
    facet_scene *scene = NULL;
    facet_status status = facet_scene_create(&options, &scene, NULL);
    if (status)
        return status;
    facet_mesh *mesh = mesh_of_sample(scene, s);
    status = FACET_ERROR_MEMORY;
    if (mesh) {
        status = facet_mesh_index(mesh, &options, NULL, NULL);
        assert_int_equal(facet_scene_check(scene, NULL, NULL), FACET_OK);
        for (uint32_t k = 0; k < mesh->stream_count; k++) {
            const facet_stream *stream = &mesh->streams[k];
            for (uint32_t i = 0; i < s->corner_count; i++) {
                float value = (float)(s->indices[stream->set][i] + 1);
                assert_true(test_element(stream, i)[0] == value);
            }
        }
    }
    facet_scene_free(scene);
    return status;
}

TEST(index_leaves_a_valid_mesh_without_memory)
{
    static sample s;
    fill_sample(&s, 100, 4, 50, 5, false, 1);
    test_every_allocation(attempt_weld, &s);
    fill_sample(&s, 300, 3, 1, 30, false, 2); /* ends in the table */
    test_every_allocation(attempt_weld, &s);
    fill_sample(&s, 20, 1, 400, 1, false, 3); /* only renumbers */
    test_every_allocation(attempt_weld, &s);
}
