/* The normals pass. */
#include "support/mesh.h"

#include <facet/mesh.h>
#include <math.h>

static const float *normal_of(const facet_mesh *mesh, uint32_t corner)
{
    return test_element(facet_mesh_find(mesh, FACET_NORMAL, 0), corner);
}

static void assert_normal(const facet_mesh *mesh, uint32_t corner, double x, double y, double z)
{
    const float *normal = normal_of(mesh, corner);
    double expected[3] = {x, y, z};
    for (int k = 0; k < 3; k++)
        assert_true(fabs(normal[k] - expected[k]) < 1e-6);
}

static void run(facet_mesh *mesh, const facet_normals_options *normals)
{
    facet_error error;
    TEST_OK(facet_mesh_normals(mesh, normals, NULL, NULL, &error), &error);
    const facet_stream *stream = facet_mesh_find(mesh, FACET_NORMAL, 0);
    assert_non_null(stream);
    for (uint32_t corner = 0; corner < mesh->corner_count; corner++) {
        assert_true(stream->indices[corner] < stream->count);
        const float *n = normal_of(mesh, corner);
        double squared = (double)n[0] * n[0] + (double)n[1] * n[1] + (double)n[2] * n[2];
        assert_true(fabs(squared - 1) < 2e-3);
    }
}

/* -- The cube ----------------------------------------------------------- */

/* The corners of the cube are the bits of 0 to 7, from -1 to 1. */
static const uint32_t cube_quads[24] = {0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4,
                                        2, 6, 7, 3, 0, 4, 6, 2, 1, 3, 7, 5};

static void cube_corner(uint32_t number, float point[3])
{
    for (uint32_t k = 0; k < 3; k++)
        point[k] = number >> k & 1 ? 1 : -1;
}

/* The cube of quads or triangles, with positions that corners share or not. */
static facet_mesh *make_cube(facet_scene *scene, bool triangles, bool shared)
{
    static const uint32_t four[6] = {4, 4, 4, 4, 4, 4}, cut[6] = {0, 1, 2, 0, 2, 3};
    uint32_t count = triangles ? 36 : 24, indices[36];
    float positions[36 * 3];
    for (uint32_t i = 0; i < count; i++) {
        indices[i] = cube_quads[triangles ? i / 6 * 4 + cut[i % 6] : i];
        cube_corner(shared ? i % 8 : indices[i], positions + (size_t)i * 3);
    }
    facet_mesh *mesh = test_mesh(scene, triangles ? 12 : 6, triangles ? NULL : four);
    assert_true(test_stream(scene, mesh, FACET_POSITION, 3, shared ? 8 : count, positions,
                            shared ? indices : NULL));
    return mesh;
}

/* If all edges are smooth, each corner of the cube has three right angles, one per side, for any
 * triangulation. The sum points along the diagonal. */
TEST(smooth_cube_has_diagonal_normals)
{
    facet_normals_options right_angle = {.crease_degrees = 90}, all = {.crease_degrees = 180};
    for (int i = 0; i < 8; i++) {
        facet_scene *scene = test_scene();
        facet_mesh *mesh = make_cube(scene, i & 1, i & 2);
        /* An angle of 90 degrees is not above the limit of 90. */
        run(mesh, i & 4 ? &right_angle : &all);
        assert_int_equal(mesh->streams[1].count, 8);
        for (uint32_t corner = 0; corner < mesh->corner_count; corner++) {
            const float *p = test_element(&mesh->streams[0], corner);
            assert_normal(mesh, corner, p[0] / sqrt(3), p[1] / sqrt(3), p[2] / sqrt(3));
        }
        facet_scene_free(scene);
    }
}

/* Check that each face of the cube has the known normal of its side. */
static void assert_cube_is_flat(const facet_mesh *mesh)
{
    static const float faces[6][3] = {{0, 0, -1}, {0, 0, 1},  {0, -1, 0},
                                      {0, 1, 0},  {-1, 0, 0}, {1, 0, 0}};
    uint32_t corners = mesh->corner_count / 6;
    for (uint32_t corner = 0; corner < mesh->corner_count; corner++) {
        const float *n = faces[corner / corners];
        assert_normal(mesh, corner, n[0], n[1], n[2]);
    }
}

TEST(flat_cube_has_normals_of_its_sides)
{
    facet_normals_options flat = {.flat = true}, crease = {.crease_degrees = 89};
    static const uint32_t off[12] = {0}, groups[12] = {1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6};
    for (int i = 0; i < 8; i++) {
        facet_scene *scene = test_scene();
        facet_mesh *mesh = make_cube(scene, true, i & 1);
        if (i >> 1 == 2)
            mesh->face_smoothing = test_copy(scene, off, 12);
        if (i >> 1 == 3)
            mesh->face_smoothing = test_copy(scene, groups, 12);
        run(mesh, i >> 1 == 0 ? &flat : i >> 1 == 1 ? &crease : NULL);
        assert_cube_is_flat(mesh);
        /* Flat shading, and faces without a group, have one normal per triangle. Otherwise there
         * are 4 per side. */
        static const uint32_t counts[4] = {12, 24, 12, 24};
        assert_int_equal(mesh->streams[1].count, counts[i >> 1]);
        facet_scene_free(scene);
    }
}

/* Faces of a prism with `sides` sides meet at 360 / sides degrees. 9 sides meet at 40, which is
 * smooth; 8 sides at 45. */
TEST(edges_above_40_degrees_are_hard)
{
    for (uint32_t sides = 8; sides <= 9; sides++) {
        float positions[18][3];
        uint32_t corners[36], sizes[9];
        for (uint32_t i = 0; i < sides; i++) {
            double angle = 2 * 3.14159265358979323846 * i / sides;
            for (uint32_t k = 0; k < 2; k++) {
                positions[i * 2 + k][0] = (float)cos(angle);
                positions[i * 2 + k][1] = (float)sin(angle);
                positions[i * 2 + k][2] = (float)k;
            }
            const uint32_t next = (i + 1) % sides * 2;
            const uint32_t quad[4] = {i * 2, next, next + 1, i * 2 + 1};
            memcpy(corners + (size_t)i * 4, quad, sizeof quad);
            sizes[i] = 4;
        }
        facet_scene *scene = test_scene();
        facet_mesh *mesh = test_mesh(scene, sides, sizes);
        assert_true(test_stream(scene, mesh, FACET_POSITION, 3, sides * 2, positions[0], corners));
        run(mesh, NULL);
        for (uint32_t corner = 0; corner < sides * 4; corner++) {
            const float *p = test_element(&mesh->streams[0], corner);
            double middle = (corner / 4 + 0.5) * 2 * 3.14159265358979323846 / sides;
            if (sides == 9)
                assert_normal(mesh, corner, p[0], p[1], 0);
            else
                assert_normal(mesh, corner, cos(middle), sin(middle), 0);
        }
        facet_scene_free(scene);
    }
}

/* Faces without a smoothing group are flat, except with an angle: 90 degrees smooth a cube. */
TEST(faces_without_a_group_are_flat)
{
    static const uint32_t off[6] = {0};
    facet_scene *scene = test_scene();
    facet_mesh *mesh = make_cube(scene, false, true);
    mesh->face_smoothing = test_copy(scene, off, 6);
    facet_normals_options smooth = {.crease_degrees = 90, .replace = true};
    run(mesh, NULL);
    assert_cube_is_flat(mesh);
    run(mesh, &smooth);
    const float *p = test_element(&mesh->streams[0], 0);
    assert_normal(mesh, 0, p[0] / sqrt(3), p[1] / sqrt(3), p[2] / sqrt(3));
    facet_scene_free(scene);
}

/* Sides 0 and 2 of the cube, z = -1 and y = -1, are one group; each other side is separate. Their
 * common edge goes from corner 0 to corner 1. */
TEST(edges_in_a_smoothing_group_are_smooth)
{
    static const uint32_t groups[6] = {7, 1, 7, 2, 3, 4};
    facet_scene *scene = test_scene();
    facet_mesh *mesh = make_cube(scene, false, true);
    mesh->face_smoothing = test_copy(scene, groups, 6);
    run(mesh, NULL);
    double half = sqrt(0.5);
    for (uint32_t corner = 0; corner < 24; corner++) {
        uint32_t at = cube_quads[corner], side = corner / 4;
        if ((side == 0 || side == 2) && at < 2)
            assert_normal(mesh, corner, 0, -half, -half);
        else if (side == 0)
            assert_normal(mesh, corner, 0, 0, -1);
        else if (side == 2)
            assert_normal(mesh, corner, 0, -1, 0);
    }
    facet_scene_free(scene);
}

/* -- Existing normals --------------------------------------------------- */

TEST(normals_are_kept)
{
    /* Element 0 is a unit vector except for rounding, 1 is long, 2 is zero. */
    static const float given[9] = {0.6f, 0.8002f, 0, 0, 0, 5, 0, 0, 0};
    uint32_t indices[24];
    for (uint32_t i = 0; i < 24; i++)
        indices[i] = i < 8 ? i % 3 : FACET_NONE;
    facet_scene *scene = test_scene();
    facet_mesh *mesh = make_cube(scene, false, true);
    assert_true(test_stream(scene, mesh, FACET_NORMAL, 3, 3, given, indices));
    facet_report *report = NULL;
    assert_int_equal(facet_report_create(NULL, &report, NULL), FACET_OK);
    facet_options options = {.report = report};
    facet_error error;
    facet_normals_options smooth = {.crease_degrees = 180};
    TEST_OK(facet_mesh_normals(mesh, &smooth, &options, NULL, &error), &error);
    for (uint32_t corner = 0; corner < 24; corner++) {
        const float *p = test_element(&mesh->streams[0], corner);
        if (indices[corner] == 0)
            assert_memory_equal(normal_of(mesh, corner), given, 12);
        else if (indices[corner] == 1)
            assert_normal(mesh, corner, 0, 0, 1);
        else
            assert_normal(mesh, corner, p[0] / sqrt(3), p[1] / sqrt(3), p[2] / sqrt(3));
    }
    assert_non_null(test_finding(report, "MESH-NORMAL-ZERO"));
    assert_non_null(test_finding(report, "MESH-NORMAL-LENGTH"));

    facet_normals_options replace = {.replace = true, .flat = true};
    run(mesh, &replace);
    assert_cube_is_flat(mesh);
    const float *data = mesh->streams[1].data;
    run(mesh, NULL); /* nothing is missing */
    assert_ptr_equal(mesh->streams[1].data, data);
    facet_report_free(report);
    facet_scene_free(scene);
}

TEST(invalid_crease_angle_is_refused)
{
    facet_scene *scene = test_scene();
    facet_mesh *mesh = make_cube(scene, false, true);
    facet_normals_options normals = {.crease_degrees = -1};
    assert_int_equal(facet_mesh_normals(mesh, &normals, NULL, NULL, NULL), FACET_ERROR_ARGUMENT);
    normals.crease_degrees = NAN;
    assert_int_equal(facet_mesh_normals(mesh, &normals, NULL, NULL, NULL), FACET_ERROR_ARGUMENT);
    assert_int_equal(mesh->stream_count, 1);
    facet_scene_free(scene);
}

/* -- Edges that do not smooth ------------------------------------------- */

static facet_mesh *make_triangles(facet_scene *scene, uint32_t count, const float *positions,
                                  uint32_t position_count, const uint32_t *indices)
{
    facet_mesh *mesh = test_mesh(scene, count, NULL);
    assert_true(test_stream(scene, mesh, FACET_POSITION, 3, position_count, positions, indices));
    return mesh;
}

TEST(separate_fans_do_not_smooth)
{
    /* Around the z axis: x, y, -x, -y and up. The origin is first. */
    static const float positions[18] = {0, 0, 0, 1, 0, 0, 0, 1, 0, -1, 0, 0, 0, -1, 0, 0, 0, 1};
    /* Two triangles that share only a point: normals z and x. */
    static const uint32_t bow_tie[6] = {0, 1, 2, 0, 4, 5};
    /* Three triangles at the edge from the origin up. */
    static const uint32_t three[9] = {0, 1, 5, 0, 2, 5, 0, 5, 3};
    /* Two triangles at the same edge, one of them reversed: normals -y and +x. */
    static const uint32_t turned[6] = {0, 1, 5, 0, 2, 5};
    facet_scene *scene = test_scene();
    facet_mesh *mesh = make_triangles(scene, 2, positions, 6, bow_tie);
    run(mesh, NULL);
    assert_normal(mesh, 0, 0, 0, 1);
    assert_normal(mesh, 3, -1, 0, 0);
    mesh = make_triangles(scene, 3, positions, 6, three);
    run(mesh, NULL);
    assert_normal(mesh, 0, 0, -1, 0);
    assert_normal(mesh, 3, 1, 0, 0);
    assert_normal(mesh, 6, 0, -1, 0);
    mesh = make_triangles(scene, 2, positions, 6, turned);
    run(mesh, NULL);
    assert_normal(mesh, 0, 0, -1, 0);
    assert_normal(mesh, 3, 1, 0, 0);
    facet_scene_free(scene);
}

TEST(faces_without_area_do_not_smooth)
{
    static const float positions[15] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 2, 0, 0, 3, 0, 0};
    /* A valid face in z, one without area at the edge 0-1, and one of a single point. */
    static const uint32_t indices[9] = {0, 1, 2, 1, 0, 3, 4, 4, 4};
    facet_scene *scene = test_scene();
    facet_mesh *mesh = make_triangles(scene, 3, positions, 5, indices);
    run(mesh, NULL);
    for (uint32_t corner = 0; corner < 9; corner++)
        assert_normal(mesh, corner, 0, 0, 1);
    /* Two faces back to back cancel each other at every shared corner. */
    static const uint32_t plate[6] = {0, 1, 2, 0, 2, 1};
    mesh = make_triangles(scene, 2, positions, 5, plate);
    run(mesh, NULL);
    assert_true(fabs(fabs(normal_of(mesh, 0)[2]) - 1) < 1e-6);
    facet_normals_options flat = {.flat = true};
    mesh = make_triangles(scene, 3, positions, 5, indices);
    run(mesh, &flat);
    assert_normal(mesh, 3, 0, 0, 1);
    facet_scene_free(scene);
}

TEST(normals_of_invalid_positions_are_valid)
{
    static const float values[8] = {0, 1, -1, 3e38f, -3e38f, 1e-45f, INFINITY, NAN};
    uint32_t seed = 3;
    for (int round = 0; round < 500; round++) {
        float positions[3 * 12];
        uint32_t indices[3 * 20];
        for (int i = 0; i < 36; i++)
            positions[i] = values[test_random(&seed) % 8];
        for (int i = 0; i < 60; i++)
            indices[i] = test_random(&seed) % 12;
        facet_scene *scene = test_scene();
        facet_mesh *mesh = make_triangles(scene, 20, positions, 12, indices);
        facet_normals_options normals = {.crease_degrees = (float)(round % 3 * 60)};
        run(mesh, &normals);
        facet_scene_free(scene);
    }
}

/* -- Compared with brute force ------------------------------------------ */

#define FACES 30
#define POINTS 12

/* The far end of the edge that leaves corner i (step 1) or ends there (2). */
static uint32_t far_end(const uint32_t *indices, uint32_t i, uint32_t step)
{
    return indices[i / 3 * 3 + (i + step) % 3];
}

/* True if the corners i and j, at one point, share an edge that has no third face. */
static bool meet(const uint32_t *indices, uint32_t i, uint32_t j)
{
    uint32_t at = indices[i], other = far_end(indices, i, 1);
    if (indices[j] != at || far_end(indices, j, 2) != other || other == at)
        return false;
    uint32_t uses = 0;
    for (uint32_t k = 0; k < FACES * 3; k++) {
        uint32_t a = indices[k], b = far_end(indices, k, 1);
        uses += (a == at && b == other) || (a == other && b == at);
    }
    return uses == 2;
}

static void expected_normal(const float *positions, const uint32_t *indices, const uint32_t *groups,
                            uint32_t corner, double normal[3])
{
    bool in_fan[FACES * 3] = {false};
    in_fan[corner] = true;
    for (bool grown = true; grown;) {
        grown = false;
        for (uint32_t i = 0; i < FACES * 3; i++) {
            for (uint32_t j = 0; j < FACES * 3; j++) {
                if (in_fan[i] != in_fan[j] && meet(indices, i, j) &&
                    (i / 3 == j / 3 || (groups[i / 3] && groups[i / 3] == groups[j / 3])))
                    grown = in_fan[i] = in_fan[j] = true;
            }
        }
    }
    normal[0] = normal[1] = normal[2] = 0;
    for (uint32_t i = 0; i < FACES * 3; i++) {
        if (!in_fan[i])
            continue;
        double a[3], b[3], lengths = 0, n[3], squared = 0;
        for (int k = 0; k < 3; k++) {
            a[k] =
                (double)positions[far_end(indices, i, 1) * 3 + k] - positions[indices[i] * 3 + k];
            b[k] =
                (double)positions[far_end(indices, i, 2) * 3 + k] - positions[indices[i] * 3 + k];
        }
        lengths = sqrt((a[0] * a[0] + a[1] * a[1] + a[2] * a[2]) *
                       (b[0] * b[0] + b[1] * b[1] + b[2] * b[2]));
        for (int k = 0; k < 3; k++) {
            n[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
            squared += n[k] * n[k];
        }
        if (squared == 0)
            continue;
        double angle = acos((a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) / lengths);
        for (int k = 0; k < 3; k++)
            normal[k] += angle * n[k] / sqrt(squared);
    }
}

TEST(normals_of_random_soups_match_brute_force)
{
    uint32_t seed = 77;
    for (int round = 0; round < 60; round++) {
        float positions[POINTS * 3];
        uint32_t indices[FACES * 3], groups[FACES];
        for (int i = 0; i < POINTS * 3; i++)
            positions[i] = test_random_float(&seed);
        /* Faces of vertices with near indices, so that many edges have two faces. */
        for (uint32_t i = 0; i < FACES * 3; i++)
            indices[i] = (i / 3 / 3 + test_random(&seed) % 4) % POINTS;
        for (int i = 0; i < FACES; i++)
            groups[i] = test_random(&seed) % 4 == 0 ? test_random(&seed) % 3 : 1;
        facet_scene *scene = test_scene();
        facet_mesh *mesh = make_triangles(scene, FACES, positions, POINTS, indices);
        mesh->face_smoothing = test_copy(scene, groups, FACES);
        run(mesh, NULL);
        for (uint32_t corner = 0; corner < FACES * 3; corner++) {
            double n[3], length = 0;
            expected_normal(positions, indices, groups, corner, n);
            length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
            const float *found = normal_of(mesh, corner);
            for (int k = 0; k < 3 && length > 1e-2; k++)
                assert_true(fabs(found[k] - n[k] / length) < 1e-4);
        }
        facet_scene_free(scene);
    }
}

/* One vertex with 100,000 triangles around it, and the same without common edges. */
TEST(large_fan_takes_linear_time)
{
    enum { COUNT = 100000 };
    facet_scene *scene = test_scene();
    float *positions = facet_scene_allocate(scene, COUNT + 1, 3 * sizeof(float));
    uint32_t *indices = facet_scene_allocate(scene, COUNT * 3, sizeof(uint32_t));
    positions[COUNT * 3] = positions[COUNT * 3 + 1] = 0;
    positions[COUNT * 3 + 2] = 1;
    for (uint32_t i = 0; i < COUNT; i++) {
        double angle = 6.283185307179586 * i / COUNT;
        positions[i * 3] = (float)cos(angle);
        positions[i * 3 + 1] = (float)sin(angle);
        positions[i * 3 + 2] = 0;
        indices[i * 3] = COUNT;
        indices[i * 3 + 1] = i;
        indices[i * 3 + 2] = (i + 1) % COUNT;
    }
    facet_mesh *mesh = make_triangles(scene, COUNT, positions, COUNT + 1, indices);
    run(mesh, NULL);
    const float *tip = normal_of(mesh, 0);
    assert_true(fabs(tip[0]) < 1e-4 && fabs(tip[1]) < 1e-4 && tip[2] > 0.999f);
    facet_scene_free(scene);
}

static facet_status attempt_normals(const facet_allocator *allocator, void *user)
{
    facet_options options = {.allocator = allocator};
    facet_scene *scene = NULL;
    facet_status status = facet_scene_create(&options, &scene, NULL);
    if (status)
        return status;
    status = FACET_ERROR_MEMORY;
    float positions[24];
    static const uint32_t four[6] = {4, 4, 4, 4, 4, 4};
    for (uint32_t i = 0; i < 8; i++)
        cube_corner(i, positions + (size_t)i * 3);
    facet_mesh *mesh = test_mesh(scene, 6, four);
    if (mesh && test_stream(scene, mesh, FACET_POSITION, 3, 8, positions, cube_quads)) {
        status = facet_mesh_normals(mesh, user, &options, NULL, NULL);
        assert_int_equal(facet_scene_check(scene, NULL, NULL), FACET_OK);
        assert_int_equal(mesh->stream_count, status ? 1 : 2);
    }
    facet_scene_free(scene);
    return status;
}

TEST(normals_leave_the_mesh_unchanged_without_memory)
{
    facet_normals_options flat = {.flat = true}, crease = {.crease_degrees = 10};
    test_every_allocation(attempt_normals, NULL);
    test_every_allocation(attempt_normals, &flat);
    test_every_allocation(attempt_normals, &crease);
}
