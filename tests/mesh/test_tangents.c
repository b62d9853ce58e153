/* The tangents and split passes, with known results. test_mikktspace.c compares with MikkTSpace. */
#include "mesh/passes.h"
#include "mesh/tangents/tangents.h"
#include "scene/scene.h"
#include "support/jumble.h"
#include "support/tangents.h"

#include <facet/mesh.h>
#include <math.h>
#include <stdlib.h>

/* -- Meshes ------------------------------------------------------------- */

static void expect_tangent(const facet_mesh *mesh, uint32_t corner, float x, float y, float z,
                           float w)
{
    const float *t = test_element(facet_mesh_find(mesh, FACET_TANGENT, 0), corner);
    if (!(fabsf(t[0] - x) < 1e-5f && fabsf(t[1] - y) < 1e-5f && fabsf(t[2] - z) < 1e-5f &&
          t[3] == w))
        fail_msg("corner %u has %g %g %g %g, not %g %g %g %g", corner, (double)t[0], (double)t[1],
                 (double)t[2], (double)t[3], (double)x, (double)y, (double)z, (double)w);
}

/* Check that every tangent is a finite unit vector with w = 1 or -1, and orthogonal to a normal
 * that is a unit vector. */
static void expect_sound(const facet_mesh *mesh)
{
    const facet_stream *tangents = facet_mesh_find(mesh, FACET_TANGENT, 0);
    const facet_stream *normals = facet_mesh_find(mesh, FACET_NORMAL, 0);
    for (uint32_t i = 0; i < tangents->count; i++) {
        const float *t = (const float *)tangents->data + 4 * (size_t)i;
        float square = t[0] * t[0] + t[1] * t[1] + t[2] * t[2];
        assert_true(fabsf(square - 1) < 1e-3f);
        assert_true(t[3] == 1 || t[3] == -1);
    }
    for (uint32_t corner = 0; corner < mesh->corner_count; corner++) {
        if (normals->indices[corner] == FACET_NONE)
            continue;
        const float *t = test_element(tangents, corner), *n = test_element(normals, corner);
        float square = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
        if (fabsf(square - 1) < 1e-3f)
            assert_true(fabsf(t[0] * n[0] + t[1] * n[1] + t[2] * n[2]) < 1e-2f);
    }
}

/* -- Known results ------------------------------------------------------ */

static const uint32_t quad_indices[6] = {0, 1, 2, 0, 2, 3};

/* u along x, v along y: T = +x. N x T = z x x = +y is the direction in which v increases: w = 1. */
TEST(tangent_is_the_direction_of_u)
{
    static const float quad[4][4] = {{0, 0, 0, 0}, {1, 0, 1, 0}, {1, 1, 1, 1}, {0, 1, 0, 1}};
    facet_scene *scene = make_scene(NULL);
    facet_mesh *mesh = plane(scene, 4, quad, 2, quad_indices);
    compute(scene, mesh);
    for (uint32_t corner = 0; corner < 6; corner++)
        expect_tangent(mesh, corner, 1, 0, 0, 1);
    /* All corners of a vertex agree: the mesh stays welded, with four tangents. */
    assert_true(facet_mesh_is_indexed(mesh));
    assert_int_equal(facet_mesh_find(mesh, FACET_TANGENT, 0)->count, 4);
    facet_scene_free(scene);
}

/* v down: N x T = +y is the direction in which v decreases: w = -1. */
TEST(tangent_sign_is_minus_1_if_v_is_down)
{
    static const float quad[4][4] = {{0, 0, 0, 1}, {1, 0, 1, 1}, {1, 1, 1, 0}, {0, 1, 0, 0}};
    facet_scene *scene = make_scene(NULL);
    facet_mesh *mesh = plane(scene, 4, quad, 2, quad_indices);
    compute(scene, mesh);
    for (uint32_t corner = 0; corner < 6; corner++)
        expect_tangent(mesh, corner, 1, 0, 0, -1);
    facet_scene_free(scene);
}

static const uint32_t mirrored_indices[12] = {0, 1, 2, 0, 2, 3, 1, 4, 5, 1, 5, 2};

TEST(mirrored_quads_split)
{
    facet_scene *scene = make_scene(NULL);
    facet_mesh *mesh = plane(scene, 6, mirrored, 4, mirrored_indices);
    compute(scene, mesh);
    for (uint32_t corner = 0; corner < 12; corner++)
        expect_tangent(mesh, corner, corner < 6 ? -1.0f : 1.0f, 0, 0, corner < 6 ? -1.0f : 1.0f);
    assert_int_equal(facet_mesh_find(mesh, FACET_TANGENT, 0)->count, 8);
    assert_false(facet_mesh_is_indexed(mesh));

    facet_error error;
    TEST_OK(facet_mesh_split(mesh, NULL, NULL, &error), &error);
    TEST_OK(facet_scene_check(scene, NULL, &error), &error);
    assert_true(facet_mesh_is_indexed(mesh));
    /* The left quad comes first and keeps vertices 1 and 2. The right one gets the copies 6 and 7,
     * in the order of its corners 1 4 5 1 5 2. */
    static const uint32_t expected[12] = {0, 1, 2, 0, 2, 3, 6, 4, 5, 6, 5, 7};
    assert_memory_equal(mesh->streams[0].indices, expected, sizeof expected);
    for (uint32_t i = 0; i < mesh->stream_count; i++)
        assert_int_equal(mesh->streams[i].count, 8);
    for (uint32_t corner = 0; corner < 12; corner++) {
        const float *p = test_element(facet_mesh_find(mesh, FACET_POSITION, 0), corner);
        const float *uv = test_element(facet_mesh_find(mesh, FACET_TEXCOORD, 0), corner);
        assert_memory_equal(p, mirrored[mirrored_indices[corner]], 2 * sizeof(float));
        assert_memory_equal(uv, mirrored[mirrored_indices[corner]] + 2, 2 * sizeof(float));
        expect_tangent(mesh, corner, corner < 6 ? -1.0f : 1.0f, 0, 0, corner < 6 ? -1.0f : 1.0f);
    }
    facet_scene_free(scene);
}

/* Two triangles with the common edge x = 0. In the right one u = x, v = y: v is constant along (1,
 * 0). In the left one u = x, v = y + x: v is constant along (1, -1) / sqrt 2. At (0, 0) the right
 * one has an angle of 90 degrees and the left one of 45; at (0, 1) vice versa. */
static const float sheared[4][4] = {{0, 0, 0, 0}, {1, 0, 1, 0}, {0, 1, 0, 1}, {-1, 1, -1, 0}};
static const uint32_t sheared_indices[6] = {0, 1, 2, 0, 2, 3};

static void expect_sheared(const facet_mesh *mesh)
{
    const double half = sqrt(0.5), angle = 1.5707963267948966;
    double at_0[2] = {angle + angle / 2 * half, -angle / 2 * half};
    double at_2[2] = {angle / 2 + angle * half, -angle * half};
    double length_0 = hypot(at_0[0], at_0[1]), length_2 = hypot(at_2[0], at_2[1]);
    for (uint32_t corner = 0; corner < 6; corner++) {
        uint32_t vertex = sheared_indices[corner];
        if (vertex == 0)
            expect_tangent(mesh, corner, (float)(at_0[0] / length_0), (float)(at_0[1] / length_0),
                           0, 1);
        else if (vertex == 2)
            expect_tangent(mesh, corner, (float)(at_2[0] / length_2), (float)(at_2[1] / length_2),
                           0, 1);
        else
            expect_tangent(mesh, corner, vertex == 1 ? 1 : (float)half,
                           vertex == 1 ? 0 : (float)-half, 0, 1);
    }
}

TEST(tangents_are_weighted_by_angle)
{
    facet_scene *scene = make_scene(NULL);
    facet_mesh *mesh = plane(scene, 4, sheared, 2, sheared_indices);
    compute(scene, mesh);
    expect_sheared(mesh);
    assert_true(facet_mesh_is_indexed(mesh));
    facet_scene_free(scene);
}

/* The same with one vertex per corner: equal values weld for any index. Vertices 0 and 3 of the six
 * are equal and have one tangent each. One zero of the second is negative. */
TEST(equal_vertices_weld)
{
    static const uint32_t own[6] = {0, 1, 2, 3, 4, 5};
    float apart[6][4];
    for (int i = 0; i < 6; i++)
        memcpy(apart[i], sheared[sheared_indices[i]], sizeof apart[i]);
    apart[3][0] = -0.0f;
    facet_scene *scene = make_scene(NULL);
    facet_mesh *mesh = plane(scene, 6, (const float(*)[4])apart, 2, own);
    compute(scene, mesh);
    expect_sheared(mesh);
    assert_true(facet_mesh_is_indexed(mesh));
    assert_int_equal(facet_mesh_find(mesh, FACET_TANGENT, 0)->count, 6);
    facet_scene_free(scene);
}

/* The same with one index per stream: one normal for all corners. */
TEST(tangents_accept_one_index_per_stream)
{
    static const uint32_t zero[6] = {0};
    float positions[4][3] = {0}, texcoords[4][3] = {0};
    for (int i = 0; i < 4; i++) {
        memcpy(positions[i], sheared[i], 2 * sizeof(float));
        memcpy(texcoords[i], sheared[i] + 2, 2 * sizeof(float));
        texcoords[i][2] = 7; /* the third coordinate is ignored */
    }
    facet_scene *scene = make_scene(NULL);
    facet_mesh *mesh = test_mesh(scene, 2, NULL);
    test_stream(scene, mesh, FACET_POSITION, 3, 4, positions[0], sheared_indices);
    test_stream(scene, mesh, FACET_NORMAL, 3, 1, up, zero);
    test_stream(scene, mesh, FACET_TEXCOORD, 3, 4, texcoords[0], sheared_indices);
    compute(scene, mesh);
    expect_sheared(mesh);
    assert_int_equal(facet_mesh_find(mesh, FACET_TANGENT, 0)->count, 4);
    facet_scene_free(scene);
}

/* The tangent is orthogonal to the normal of any length: +x minus its part along (0.6, 0, 0.8) is
 * (0.64, 0, -0.48), of length 0.8. */
TEST(tangent_is_orthogonal)
{
    static const float quad[4][4] = {{0, 0, 0, 0}, {1, 0, 1, 0}, {1, 1, 1, 1}, {0, 1, 0, 1}};
    for (int length = 1; length <= 3; length++) {
        facet_scene *scene = make_scene(NULL);
        facet_mesh *mesh = plane(scene, 4, quad, 2, quad_indices);
        float *normals = mesh->streams[1].data;
        for (int i = 0; i < 4; i++) {
            normals[3 * i] = 0.6f * (float)length;
            normals[3 * i + 2] = 0.8f * (float)length;
        }
        compute(scene, mesh);
        for (uint32_t corner = 0; corner < 6; corner++)
            expect_tangent(mesh, corner, 0.8f, 0, -0.6f, 1);
        facet_scene_free(scene);
    }
}

/* -- Triangles with degenerate texture space ---------------------------- */

/* A strip of three triangles: the first is plain; the second has all texture coordinates on a line;
 * the third is mirrored. The second joins the group that reaches it first, takes its orientation,
 * and stays out of the other group. */
static const float strip[5][4] = {
    {0, 0, 0, 0}, {1, 0, 1, 0}, {0.5f, 1, 0.5f, 1}, {1.5f, 1, 0, 2}, {1, 2, 1, 1}};

TEST(zero_area_triangle_takes_the_first_orientation)
{
    for (int order = 0; order < 2; order++) {
        static const uint32_t plain[3] = {0, 1, 2}, flat[3] = {1, 3, 2}, mirror[3] = {2, 3, 4};
        uint32_t indices[9];
        memcpy(indices, order ? mirror : plain, sizeof plain);
        memcpy(indices + 3, flat, sizeof flat);
        memcpy(indices + 6, order ? plain : mirror, sizeof plain);
        facet_scene *scene = make_scene(NULL);
        facet_mesh *mesh = plane(scene, 5, strip, 3, indices);
        compute(scene, mesh);
        uint32_t of_plain = order ? 6 : 0, of_mirror = order ? 0 : 6;
        /* u = x, v = y. */
        for (uint32_t i = 0; i < 3; i++)
            expect_tangent(mesh, of_plain + i, 1, 0, 0, 1);
        /* The positions (0.5, 1) (1.5, 1) (1, 2) have uv (0.5, 1) (0, 2) (1, 1).
         * The edges are (1, 0) and (0.5, 1) in space, and (-0.5, 1) and (0.5, 0) in texture space.
         * The area is -0.5: mirrored. s = -(0 (1, 0) - 1 (0.5, 1)) = (0.5, 1). */
        const float s = 1 / sqrtf(5);
        for (uint32_t i = 0; i < 3; i++)
            expect_tangent(mesh, of_mirror + i, s, 2 * s, 0, -1);
        /* The flat triangle's corners are vertices 1, 3, 2. It shares 1 and 2 with the plain one, 3
         * and 2 with the mirrored one. A corner without a group gets MikkTSpace's default, +x with
         * w = -1. */
        if (order == 0) {
            expect_tangent(mesh, 3, 1, 0, 0, 1);
            expect_tangent(mesh, 4, 1, 0, 0, -1);
            expect_tangent(mesh, 5, 1, 0, 0, 1);
        } else {
            expect_tangent(mesh, 3, 1, 0, 0, -1);
            expect_tangent(mesh, 4, s, 2 * s, 0, -1);
            expect_tangent(mesh, 5, s, 2 * s, 0, -1);
        }
        facet_scene_free(scene);
    }
}

/* A triangle with two corners at one position copies, at each of its vertices, the tangent of the
 * first other triangle. Without one, it gets the default. */
TEST(degenerate_triangle_copies_a_tangent)
{
    static const float points[6][4] = {{0, 0, 0, 0}, {1, 0, 1, 0},         {0, 1, 0, 1},
                                       {5, 5, 0, 0}, {0, 1, 0.25f, 0.75f}, {1, 1, 1, 1}};
    /* Vertices 2 and 4 have one position and different texture coordinates. */
    static const uint32_t indices[9] = {2, 4, 3, 0, 1, 2, 1, 1, 5};
    facet_scene *scene = make_scene(NULL);
    facet_mesh *mesh = plane(scene, 6, points, 3, indices);
    compute(scene, mesh);
    static const float w[9] = {1, -1, -1, 1, 1, 1, 1, 1, -1};
    for (uint32_t corner = 0; corner < 9; corner++)
        expect_tangent(mesh, corner, 1, 0, 0, w[corner]);
    facet_scene_free(scene);
}

/* +x is parallel to these normals, so the default is another vector. */
TEST(default_tangent_is_orthogonal)
{
    static const float points[3][4] = {{0, 0, 0, 0}, {1, 0, 0, 0}, {0, 1, 0, 0}};
    facet_scene *scene = make_scene(NULL);
    facet_mesh *mesh = plane(scene, 3, points, 1, quad_indices);
    static const float normals[9] = {1, 0, 0, -1, 0, 0, 0.6f, 0.8f, 0};
    memcpy(mesh->streams[1].data, normals, sizeof normals);
    compute(scene, mesh);
    expect_sound(mesh);
    facet_scene_free(scene);
}

TEST(unused_vertices_get_no_tangent)
{
    static const float quad[6][4] = {{9, 9, 9, 9}, {0, 0, 0, 0}, {1, 0, 1, 0},
                                     {1, 1, 1, 1}, {0, 1, 0, 1}, {9, 9, 9, 9}};
    static const uint32_t indices[6] = {1, 2, 3, 1, 3, 4};
    facet_scene *scene = make_scene(NULL);
    facet_mesh *mesh = plane(scene, 6, quad, 2, indices);
    compute(scene, mesh);
    assert_int_equal(facet_mesh_find(mesh, FACET_TANGENT, 0)->count, 6);
    expect_sound(mesh);
    facet_scene_free(scene);
}

TEST(tangents_without_texcoords_are_orthogonal)
{
    static const float normals[4][3] = {{1, 0, 0}, {0, -1, 0}, {0.6f, 0, 0.8f}, {0, 0, 0}};
    facet_scene *scene = make_scene(NULL);
    facet_mesh *mesh = test_mesh(scene, 2, NULL);
    test_stream(scene, mesh, FACET_POSITION, 3, 4, normals[0], quad_indices);
    test_stream(scene, mesh, FACET_NORMAL, 3, 4, normals[0], quad_indices);
    facet_error error;
    facet_options options = {0};
    TEST_OK(facet_report_create(NULL, &options.report, &error), &error);
    TEST_OK(facet_mesh_tangents(mesh, &options, NULL, &error), &error);
    TEST_OK(facet_scene_check(scene, NULL, &error), &error);
    expect_sound(mesh);
    assert_ptr_equal(facet_mesh_find(mesh, FACET_TANGENT, 0)->indices, mesh->streams[1].indices);
    const facet_finding *finding = test_finding(options.report, "MESH-TANGENT-NO-UV");
    assert_non_null(finding);
    assert_int_equal(finding->severity, FACET_SEVERITY_NOTE);
    facet_report_free(options.report);
    facet_scene_free(scene);
}

/* -- Many corners at one vertex ----------------------------------------- */

/* A disc of `count` triangles around vertex 0, in a shuffled order. u and v are x and y, or |x| and
 * y. */
static facet_mesh *disc(facet_scene *scene, uint32_t count, bool mirror)
{
    float *values = calloc((size_t)count + 1, 8 * sizeof(float));
    uint32_t *indices = malloc((size_t)count * 3 * sizeof *indices);
    assert_true(values && indices);
    float *normals = values + 3 * ((size_t)count + 1), *uv = normals + 3 * ((size_t)count + 1);
    uint32_t state = 5;
    for (uint32_t i = 0; i <= count; i++) {
        double angle = 6.283185307179586 * i / count + 1.5707963267948966;
        values[3 * i] = i ? (float)cos(angle) : 0;
        values[3 * i + 1] = i ? (float)sin(angle) : 0;
        normals[3 * i + 2] = 1;
        uv[2 * i] = mirror ? fabsf(values[3 * i]) : values[3 * i];
        uv[2 * i + 1] = values[3 * i + 1];
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t other = test_random(&state) % (i + 1);
        memmove(indices + 3 * i, indices + 3 * other, 3 * sizeof *indices);
        indices[3 * other] = 0;
        indices[3 * other + 1] = i + 1;
        indices[3 * other + 2] = (i + 1) % count + 1;
    }
    facet_mesh *mesh = test_mesh(scene, count, NULL);
    test_stream(scene, mesh, FACET_POSITION, 3, count + 1, values, indices);
    test_stream(scene, mesh, FACET_NORMAL, 3, count + 1, normals, indices);
    test_stream(scene, mesh, FACET_TEXCOORD, 2, count + 1, uv, indices);
    TEST_OK(facet_mesh_index(mesh, NULL, NULL, NULL), &(facet_error){0});
    free(values);
    free(indices);
    return mesh;
}

TEST(large_discs_split_only_at_the_mirror)
{
    static const uint32_t counts[] = {4, 32, 34, 256, 258, 3000};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        facet_scene *scene = make_scene(NULL);
        facet_mesh *mesh = disc(scene, counts[i], false);
        compute(scene, mesh);
        assert_true(facet_mesh_is_indexed(mesh));
        for (uint32_t corner = 0; corner < mesh->corner_count; corner++)
            expect_tangent(mesh, corner, 1, 0, 0, 1);
        facet_scene_free(scene);

        /* Mirrored at x = 0, the line of the center and two more vertices. */
        scene = make_scene(NULL);
        mesh = disc(scene, counts[i], true);
        compute(scene, mesh);
        assert_int_equal(facet_mesh_find(mesh, FACET_TANGENT, 0)->count, counts[i] + 1 + 3);
        const facet_stream *positions = facet_mesh_find(mesh, FACET_POSITION, 0);
        for (uint32_t face = 0; face < mesh->face_count; face++) {
            float x = 0;
            for (uint32_t k = 0; k < 3; k++)
                x += test_element(positions, 3 * face + k)[0];
            for (uint32_t k = 0; k < 3; k++)
                expect_tangent(mesh, 3 * face + k, x < 0 ? -1.0f : 1.0f, 0, 0,
                               x < 0 ? -1.0f : 1.0f);
        }
        facet_scene_free(scene);
    }
}

/* -- Arguments ---------------------------------------------------------- */

TEST(tangents_need_normals_and_triangles)
{
    static const uint32_t four[1] = {4};
    facet_error error;
    facet_scene *scene = make_scene(NULL);
    facet_mesh *mesh = test_mesh(scene, 1, NULL);
    test_stream(scene, mesh, FACET_POSITION, 3, 4, mirrored[0], quad_indices);
    assert_int_equal(facet_mesh_tangents(mesh, NULL, NULL, &error), FACET_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "no normals"));
    mesh = test_mesh(scene, 1, four);
    test_stream(scene, mesh, FACET_POSITION, 3, 4, mirrored[0], quad_indices);
    test_stream(scene, mesh, FACET_NORMAL, 3, 4, mirrored[0], quad_indices);
    TEST_REFUSED(facet_mesh_tangents(mesh, NULL, NULL, &error), FACET_ERROR_ARGUMENT,
                 "MESH-TANGENT", &error);
    assert_int_equal(mesh->stream_count, 2);
    facet_scene_free(scene);
}

/* Existing tangents do not change, and nothing is allocated. */
TEST(existing_tangents_are_kept)
{
    test_allocator allocator;
    test_allocator_init(&allocator, 0);
    facet_options options = {0};
    options.allocator = &allocator.allocator;
    facet_scene *scene = make_scene(&options);
    facet_mesh *mesh = plane(scene, 6, mirrored, 4, mirrored_indices);
    static const float odd[4] = {0, 1, 0, -1};
    static const uint32_t zero[12] = {0};
    test_stream(scene, mesh, FACET_TANGENT, 4, 1, odd, zero);
    size_t before = allocator.allocations;
    compute(scene, mesh);
    for (uint32_t corner = 0; corner < 12; corner++)
        expect_tangent(mesh, corner, 0, 1, 0, -1);
    assert_int_equal(allocator.allocations, before);
    facet_scene_free(scene);
    assert_int_equal(allocator.live, 0);
}

/* A mesh without triangles. */
TEST(mesh_without_triangles_is_accepted)
{
    facet_scene *scene = make_scene(NULL);
    facet_mesh *mesh = plane(scene, 0, mirrored, 0, mirrored_indices);
    compute(scene, mesh);
    assert_int_equal(facet_mesh_find(mesh, FACET_TANGENT, 0)->count, 0);
    facet_scene_free(scene);
}

/* -- Split -------------------------------------------------------------- */

TEST(split_of_agreeing_tangents_allocates_nothing)
{
    test_allocator allocator;
    test_allocator_init(&allocator, 0);
    facet_options options = {0};
    options.allocator = &allocator.allocator;
    facet_error error;
    facet_scene *scene = make_scene(&options);
    facet_mesh *mesh = plane(scene, 4, sheared, 2, sheared_indices);
    TEST_OK(facet_mesh_split(mesh, NULL, NULL, &error), &error); /* no tangents */
    compute(scene, mesh);
    size_t before = allocator.allocations;
    TEST_OK(facet_mesh_split(mesh, NULL, NULL, &error), &error);
    assert_int_equal(allocator.allocations, before);
    facet_scene_free(scene);
}

TEST(split_needs_a_welded_mesh)
{
    static const float tangents[4] = {1, 0, 0, 1};
    static const uint32_t zero[6] = {0};
    facet_scene *scene = make_scene(NULL);
    facet_mesh *mesh = test_mesh(scene, 2, NULL);
    test_stream(scene, mesh, FACET_POSITION, 3, 4, mirrored[0], quad_indices);
    test_stream(scene, mesh, FACET_NORMAL, 3, 1, up, zero);
    test_stream(scene, mesh, FACET_TANGENT, 4, 1, tangents, zero);
    facet_error error;
    assert_int_equal(facet_mesh_split(mesh, NULL, NULL, &error), FACET_ERROR_ARGUMENT);
    facet_scene_free(scene);
}

/* Tangents of another source: shared by several vertices, or missing. Vertex 0 has tangents 0 and
 * 1, vertex 2 none and 1, vertices 1 and 3 tangents 1 and none. */
TEST(split_copies_vertices_with_several_tangents)
{
    static const float tangents[2][4] = {{1, 0, 0, 1}, {0, 1, 0, -1}};
    static const uint32_t indices[6] = {0, 1, FACET_NONE, 1, 1, FACET_NONE};
    facet_scene *scene = make_scene(NULL);
    facet_mesh *mesh = plane(scene, 4, sheared, 2, sheared_indices);
    test_stream(scene, mesh, FACET_TANGENT, 4, 2, tangents[0], indices);
    facet_error error;
    TEST_OK(facet_mesh_split(mesh, NULL, NULL, &error), &error);
    TEST_OK(facet_scene_check(scene, NULL, &error), &error);
    assert_true(facet_mesh_is_indexed(mesh));
    /* Vertex 2 keeps tangent 1 of its second triangle. The copies are vertex 2 without a tangent,
     * then vertex 0 with tangent 1. */
    static const uint32_t expected[6] = {0, 1, 4, 5, 2, 3};
    assert_memory_equal(mesh->streams[0].indices, expected, sizeof expected);
    static const uint32_t elements[6] = {0, 1, 0, 1, 1, 0}; /* +x for the missing one */
    for (uint32_t corner = 0; corner < 6; corner++) {
        const float *t = tangents[elements[corner]];
        expect_tangent(mesh, corner, t[0], t[1], t[2], t[3]);
        assert_memory_equal(test_element(&mesh->streams[0], corner),
                            sheared[sheared_indices[corner]], 2 * sizeof(float));
    }
    facet_scene_free(scene);
}

/* -- Random meshes ------------------------------------------------------ */

TEST(tangents_are_the_same_for_any_thread_count)
{
    facet_error error;
    facet_options options = {0};
    facet_scene *alone = make_scene(NULL), *many = make_scene(NULL);
    facet_mesh *a = test_jumble(alone, 9000, 30000, true, 1),
               *b = test_jumble(many, 9000, 30000, true, 1);
    TEST_OK(facet_threads_create(3, &options.threads, &error), &error);
    TEST_OK(facet_mesh_tangents(a, NULL, NULL, &error), &error);
    TEST_OK(facet_mesh_tangents(b, &options, NULL, &error), &error);
    expect_sound(a);
    const facet_stream *x = facet_mesh_find(a, FACET_TANGENT, 0);
    const facet_stream *y = facet_mesh_find(b, FACET_TANGENT, 0);
    assert_true(x->count > 9000);
    assert_int_equal(x->count, y->count);
    assert_memory_equal(x->data, y->data, (size_t)x->count * 4 * sizeof(float));
    assert_memory_equal(x->indices, y->indices, a->corner_count * sizeof(uint32_t));
    facet_threads_free(options.threads);
    facet_scene_free(alone);
    facet_scene_free(many);
}

/* For any floats, tangents are finite unit vectors. */
TEST(tangents_of_any_floats_are_unit_vectors)
{
    for (uint32_t vertex_count = 3; vertex_count < 3000; vertex_count *= 3) {
        facet_scene *scene = make_scene(NULL);
        facet_mesh *mesh = test_jumble(scene, vertex_count, 3000, false, vertex_count);
        facet_error error;
        TEST_OK(facet_mesh_tangents(mesh, NULL, NULL, &error), &error);
        TEST_WHOLE(scene);
        const facet_stream *tangents = facet_mesh_find(mesh, FACET_TANGENT, 0);
        for (uint32_t i = 0; i < tangents->count; i++) {
            const float *t = (const float *)tangents->data + 4 * (size_t)i;
            assert_true(fabsf(t[0] * t[0] + t[1] * t[1] + t[2] * t[2] - 1) < 1e-3f);
            assert_true(t[3] == 1 || t[3] == -1);
        }
        facet_scene_free(scene);
    }
}

static facet_status attempt_passes(const facet_allocator *allocator, void *user)
{
    facet_options options = {0};
    options.allocator = allocator;
    facet_scene *scene = make_scene(&options);
    facet_mesh *mesh = scene ? test_jumble(scene, 60, 1200, true, 1) : NULL;
    facet_status status = FACET_ERROR_MEMORY;
    if (mesh && user) /* one index per stream */
        mesh->streams[1].indices = facet_scene_allocate(scene, mesh->corner_count, 4);
    if (mesh && user && mesh->streams[1].indices)
        memcpy(mesh->streams[1].indices, mesh->streams[0].indices, mesh->corner_count * 4ul);
    if (mesh && mesh->streams[1].indices)
        status = facet_mesh_tangents(mesh, NULL, NULL, NULL);
    if (!status && !user)
        status = facet_mesh_split(mesh, NULL, NULL, NULL);
    if (mesh && mesh->streams[1].indices)
        assert_int_equal(facet_scene_check(scene, NULL, NULL), FACET_OK);
    facet_scene_free(scene);
    return status;
}

TEST(tangents_report_failed_allocations)
{
    test_every_allocation(attempt_passes, NULL);
    test_every_allocation(attempt_passes, "an index per stream");
}
