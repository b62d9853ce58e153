/* Simplified meshes, and occluders that must stay inside their mesh. */
#include "mesh/occluder.h"
#include "mesh/simplify.h"
#include "support/shapes.h"
#include "support/support.h"

#include <facet/mesh.h>
#include <math.h>
#include <stdlib.h>

static const float *corner_of(const facet_mesh *mesh, uint32_t corner)
{
    return (const float *)mesh->streams[0].data + 3 * (size_t)mesh->streams[0].indices[corner];
}

/* Six times the volume that a mesh encloses. */
static double six_volumes(const facet_mesh *mesh)
{
    double volume = 0;
    for (uint32_t c = 0; c < mesh->corner_count; c += 3) {
        const float *p = corner_of(mesh, c), *q = corner_of(mesh, c + 1),
                    *r = corner_of(mesh, c + 2);
        for (int k = 0; k < 3; k++)
            volume += (double)p[k] * ((double)q[(k + 1) % 3] * (double)r[(k + 2) % 3] -
                                      (double)q[(k + 2) % 3] * (double)r[(k + 1) % 3]);
    }
    return volume;
}

/* Distance outside of a torus around y; negative inside. */
static double outside_torus(const double *p, double ring, double tube)
{
    return hypot(hypot(p[0], p[2]) - ring, p[1]) - tube;
}

/* The largest distance outside of a torus, over a grid of points on an occluder. */
static double farthest_outside(const facet_mesh *occluder, double ring, double tube)
{
    double farthest = -INFINITY;
    for (uint32_t c = 0; c < occluder->corner_count; c += 3) {
        for (int i = 0; i <= 10; i++) {
            for (int j = 0; i + j <= 10; j++) {
                double point[3];
                for (int k = 0; k < 3; k++)
                    point[k] = (i * (double)corner_of(occluder, c)[k] +
                                j * (double)corner_of(occluder, c + 1)[k] +
                                (10 - i - j) * (double)corner_of(occluder, c + 2)[k]) /
                               10;
                farthest = fmax(farthest, outside_torus(point, ring, tube));
            }
        }
    }
    return farthest;
}

/* -- Simplify ----------------------------------------------------------- */

TEST(simplified_sphere_keeps_points_of_the_sphere)
{
    facet_error error;
    test_shape *s = test_shape_new();
    test_shape_sphere(s, 64, 32);
    facet_scene *scene = test_shape_scene(s);
    facet_mesh *simplified = NULL;
    facet_simplify_options options = {0};
    options.ratio = 0.1F;
    TEST_OK(facet_scene_add_mesh(scene, &simplified, &error), &error);
    TEST_OK(facet_mesh_simplify(scene->meshes[0], &options, NULL, simplified, &error), &error);
    TEST_OK(facet_scene_check(scene, NULL, &error), &error);
    assert_true(simplified->face_count <= 1.5 * 0.1 * s->triangle_count);
    assert_true(simplified->face_count >= 0.05 * s->triangle_count);
    /* Corners are points of the sphere. The chords lose a little volume. */
    for (uint32_t c = 0; c < simplified->corner_count; c++) {
        const float *p = corner_of(simplified, c);
        double radius = sqrt((double)(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]));
        assert_true(fabs(radius - 1) < 1e-5);
    }
    double volume = six_volumes(simplified) / 6, sphere = 4 * TEST_PI / 3;
    assert_true(volume < sphere && volume > 0.9 * sphere);
    facet_scene_free(scene);
    free(s);
}

TEST(simplify_obeys_ratio_and_error)
{
    facet_error error;
    facet_report *report = NULL;
    facet_options options = {0};
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    options.report = report;
    /* A ratio of 1 keeps everything. 40 boxes cannot become 10 triangles with a maximum error of
     * 0. */
    test_shape *s = test_shape_new();
    for (int i = 0; i < 40; i++)
        test_shape_box(s, 3 * i, 0, 0, 3 * i + 1, 1, 1);
    facet_scene *scene = test_shape_scene(s);
    facet_mesh *all = NULL, *few = NULL;
    facet_simplify_options simplify = {.ratio = 1};
    TEST_OK(facet_scene_add_mesh(scene, &all, &error), &error);
    TEST_OK(facet_scene_add_mesh(scene, &few, &error), &error);
    TEST_OK(facet_mesh_simplify(scene->meshes[0], &simplify, &options, all, &error), &error);
    assert_int_equal(all->face_count, s->triangle_count);
    assert_null(test_finding(report, "SIMPLIFY-RATIO"));
    simplify.ratio = 0.02F;
    simplify.max_error = 1e-6F;
    TEST_OK(facet_mesh_simplify(scene->meshes[0], &simplify, &options, few, &error), &error);
    assert_int_equal(few->face_count, s->triangle_count);
    assert_non_null(test_finding(report, "SIMPLIFY-RATIO"));
    facet_scene_free(scene);
    facet_report_free(report);
    free(s);
}

/* Nothing can be removed from two triangles, for any ratio. */
TEST(simplify_keeps_two_triangles)
{
    facet_error error;
    test_shape *s = test_shape_new();
    test_shape_box(s, 0, 0, 0, 1, 1, 1);
    s->triangle_count = 2;
    facet_scene *scene = test_shape_scene(s);
    facet_mesh *simplified = NULL;
    facet_simplify_options simplify = {.ratio = 0.05F};
    TEST_OK(facet_scene_add_mesh(scene, &simplified, &error), &error);
    TEST_OK(facet_mesh_simplify(scene->meshes[0], &simplify, NULL, simplified, &error), &error);
    assert_int_equal(simplified->face_count, 2);
    facet_scene_free(scene);
    free(s);
}

/* -- Measurements ------------------------------------------------------- */

static facet_occluder_fit fit_of(const test_shape *mesh, const test_shape *occluder)
{
    facet_error error;
    facet_occluder_fit fit;
    facet_scene *fine = test_shape_scene(mesh), *coarse = test_shape_scene(occluder);
    TEST_OK(facet_occluder_measure(fine->meshes[0], coarse->meshes[0], 0, NULL, &fit, &error),
            &error);
    assert_int_equal(fit.triangles, occluder->triangle_count);
    facet_scene_free(fine);
    facet_scene_free(coarse);
    return fit;
}

TEST(occluder_fit_of_boxes_is_known)
{
    test_shape *mesh = test_shape_new(), *inner = test_shape_new(), *outer = test_shape_new(),
               *half = test_shape_new();
    test_shape_box(mesh, 0, 0, 0, 1, 1, 1);
    test_shape_box(inner, 0.2, 0.2, 0.2, 0.8, 0.8, 0.8);
    test_shape_box(outer, -0.5, -0.5, -0.5, 1.5, 1.5, 1.5);
    double diagonal = sqrt(3);

    facet_occluder_fit fit = fit_of(mesh, inner);
    assert_true(fit.outside == 0 && fit.depth == 0);
    fit = fit_of(mesh, mesh);
    assert_true(fit.outside == 0 && fit.depth == 0);
    /* The corner (1.5, 1.5, 1.5) is 0.5 * sqrt(3) away. */
    fit = fit_of(mesh, outer);
    assert_true(fit.outside == 1);
    assert_true(fabs(fit.depth - 0.5 * sqrt(3) / diagonal) < 1e-6);
    /* A square in the middle, from x = -1 to 1: half of it is outside, up to the tolerance. */
    for (int i = 0; i < 4; i++)
        test_shape_point(half, i & 1 ? 1 : -1, i & 2 ? 0.9 : 0.1, 0.5);
    test_shape_triangle(half, 0, 1, 3);
    test_shape_triangle(half, 0, 3, 2);
    fit = fit_of(mesh, half);
    assert_true(fit.outside > 0.45 && fit.outside < 0.55);
    assert_true(fabs(fit.depth - 1 / diagonal) < 1e-6);
    /* A box without its lid has no inside. The middle of the inner box's side at the opening is 0.5
     * from the nearest walls. */
    mesh->triangle_count -= 2;
    fit = fit_of(mesh, inner);
    assert_true(fit.outside == 1);
    assert_true(fabs(fit.depth - 0.5 / diagonal) < 0.01);
    free(mesh);
    free(inner);
    free(outer);
    free(half);
}

/* -- Occluders ---------------------------------------------------------- */

TEST(occluder_of_a_torus_is_inside)
{
    facet_error error;
    test_shape *s = test_shape_new();
    test_shape_torus(s, 1, 0.35, 96, 48);
    double tolerance = 0.001 * test_shape_diagonal(s);
    facet_scene *scene = test_shape_scene(s);
    facet_mesh *simplified = NULL;
    const facet_simplify_options simplify = {.ratio = 0.03F};
    facet_occluder_options occluder = {.simplify = &simplify};
    facet_occluder_fit before, after, again;
    TEST_OK(facet_scene_add_mesh(scene, &simplified, &error), &error);
    TEST_OK(facet_mesh_simplify(scene->meshes[0], &simplify, NULL, simplified, &error), &error);
    TEST_OK(facet_occluder_measure(scene->meshes[0], simplified, 0, NULL, &before, &error), &error);
    TEST_OK(facet_mesh_occluder(scene->meshes[0], &occluder, NULL, scene, &after, &error), &error);
    assert_non_null(scene->occluder);
    TEST_OK(facet_scene_check(scene, NULL, &error), &error);
    TEST_OK(facet_occluder_measure(scene->meshes[0], scene->occluder, 0, NULL, &again, &error),
            &error);
    /* Without correction, chords span the hollow side. */
    assert_true(before.outside > 0.01);
    assert_true(farthest_outside(simplified, 1, 0.35) > 2 * tolerance);
    /* The occluder is inside, by its own measurement and by the equation of the torus. Samples are
     * a hundredth of the diagonal apart; between them the distance is less than twice that. */
    assert_true(after.outside == 0 && again.outside == 0);
    assert_true(farthest_outside(scene->occluder, 1, 0.35) < 2 * tolerance);
    /* It is still closed and contains most of the torus. */
    double volume = six_volumes(scene->occluder) / 6, torus = 2 * pow(TEST_PI * 0.35, 2);
    assert_int_equal(scene->occluder->face_count, simplified->face_count);
    assert_true(volume > 0.8 * torus && volume < torus);
    facet_scene_free(scene);
    free(s);
}

/* An open surface has no inside: its occluder stays on the surface. */
TEST(occluder_of_an_open_surface_is_on_it)
{
    facet_error error;
    test_shape *s = test_shape_new();
    test_shape_sphere(s, 64, 32);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < s->triangle_count; i++) {
        const uint32_t *t = s->triangles[i];
        if (s->points[t[0]][1] < 0 && s->points[t[1]][1] < 0 && s->points[t[2]][1] < 0)
            memmove(s->triangles[kept++], t, sizeof s->triangles[0]);
    }
    s->triangle_count = kept;
    facet_scene *scene = test_shape_scene(s);
    const facet_simplify_options simplify = {.ratio = 0.2F};
    facet_occluder_options occluder = {.simplify = &simplify, .tolerance = 0.005F};
    facet_occluder_fit fit;
    TEST_OK(facet_mesh_occluder(scene->meshes[0], &occluder, NULL, scene, &fit, &error), &error);
    assert_non_null(scene->occluder);
    assert_true(fit.outside == 0);
    double allowed = 2 * 0.005 * sqrt(12);
    for (uint32_t c = 0; c < scene->occluder->corner_count; c++) {
        const float *p = corner_of(scene->occluder, c);
        double radius = sqrt((double)(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]));
        assert_true(fabs(radius - 1) < allowed);
    }
    facet_scene_free(scene);
    free(s);
}

/* A sphere with many holes. A triangle that spans a hole cannot be an occluder; the remaining ones
 * can. */
TEST(triangles_that_cannot_be_pulled_in_are_dropped)
{
    facet_error error;
    facet_report *report = NULL;
    facet_options options = {0};
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    options.report = report;
    test_shape *s = test_shape_new();
    test_shape_sphere(s, 32, 16);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < s->triangle_count; i++) {
        if (i * 7 % 11 < 6)
            memmove(s->triangles[kept++], s->triangles[i], sizeof s->triangles[0]);
    }
    s->triangle_count = kept;
    facet_scene *scene = test_shape_scene(s);
    const facet_simplify_options simplify = {.ratio = 0.1F};
    facet_occluder_options occluder = {.simplify = &simplify, .tolerance = 0.0001F};
    facet_occluder_fit fit;
    TEST_OK(facet_mesh_occluder(scene->meshes[0], &occluder, &options, scene, &fit, &error),
            &error);
    assert_true(test_finding(report, "OCCLUDER-CUT")->count > 0);
    assert_true(fit.triangles > 0 && fit.outside == 0);
    facet_scene_free(scene);
    facet_report_free(report);
    free(s);
}

TEST(mesh_without_area_has_no_occluder)
{
    facet_error error;
    facet_report *report = NULL;
    facet_options options = {0};
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    options.report = report;
    test_shape *s = test_shape_new();
    test_shape_point(s, 1, 2, 3);
    test_shape_triangle(s, 0, 0, 0);
    facet_scene *scene = test_shape_scene(s);
    facet_occluder_fit fit;
    TEST_OK(facet_mesh_occluder(scene->meshes[0], NULL, &options, scene, &fit, &error), &error);
    assert_null(scene->occluder);
    assert_int_equal(fit.triangles, 0);
    assert_non_null(test_finding(report, "OCCLUDER-NONE"));
    facet_scene_free(scene);
    facet_report_free(report);
    free(s);
}

TEST(occluder_refuses_invalid_positions)
{
    facet_error error;
    test_shape *s = test_shape_new();
    test_shape_box(s, 0, 0, 0, 1, 1, 1);
    s->points[2][0] = NAN;
    facet_scene *scene = test_shape_scene(s);
    facet_mesh *mesh = scene->meshes[0];
    facet_occluder_fit fit;
    assert_int_equal(facet_mesh_occluder(mesh, NULL, NULL, scene, NULL, &error),
                     FACET_ERROR_ARGUMENT);
    assert_string_equal(error.rule, "HULLS-FINITE");
    assert_null(scene->occluder);
    assert_int_equal(facet_occluder_measure(mesh, mesh, 0, NULL, &fit, &error),
                     FACET_ERROR_ARGUMENT);
    facet_scene_free(scene);
    free(s);
}

/* -- Threads, canceling, memory ---------------------------------------- */

TEST(occluders_are_the_same_for_any_thread_count)
{
    facet_error error;
    test_shape *s = test_shape_new();
    test_shape_torus(s, 1, 0.35, 48, 24);
    facet_scene *scenes[3];
    for (unsigned i = 0; i < 3; i++) {
        const facet_threads *threads = NULL;
        facet_options options = {0};
        TEST_OK(facet_threads_create(1 + 2 * i, &threads, &error), &error);
        options.threads = threads;
        scenes[i] = test_shape_scene(s);
        TEST_OK(facet_mesh_occluder(scenes[i]->meshes[0], NULL, &options, scenes[i], NULL, &error),
                &error);
        facet_threads_free(threads);
        assert_non_null(scenes[i]->occluder);
        const facet_mesh *a = scenes[0]->occluder, *b = scenes[i]->occluder;
        assert_int_equal(a->corner_count, b->corner_count);
        for (uint32_t c = 0; c < a->corner_count; c++)
            assert_memory_equal(corner_of(a, c), corner_of(b, c), 3 * sizeof(float));
    }
    for (int i = 0; i < 3; i++)
        facet_scene_free(scenes[i]);
    free(s);
}

static bool stop_at_once(void *user, const char *step, double fraction)
{
    (void)step;
    (void)fraction;
    return --*(int *)user >= 0;
}

TEST(canceled_occluder_is_not_stored)
{
    facet_error error;
    test_shape *s = test_shape_new();
    test_shape_torus(s, 1, 0.35, 48, 24);
    facet_scene *scene = test_shape_scene(s);
    for (int calls = 0; calls < 3; calls++) {
        int left = calls;
        facet_options options = {0};
        options.progress = stop_at_once;
        options.progress_user = &left;
        assert_int_equal(facet_mesh_occluder(scene->meshes[0], NULL, &options, scene, NULL, &error),
                         FACET_ERROR_CANCELED);
        assert_null(scene->occluder);
    }
    facet_scene_free(scene);
    free(s);
}

static facet_status attempt_occluder(const facet_allocator *allocator, void *user)
{
    facet_error error;
    facet_options options = {0};
    options.allocator = allocator;
    facet_scene *source = user, *scene = NULL;
    facet_status status = facet_scene_create(&options, &scene, &error);
    if (status)
        return status;
    status = facet_mesh_occluder(source->meshes[0], NULL, &options, scene, NULL, &error);
    facet_scene_free(scene);
    return status;
}

TEST(occluder_reports_failed_allocations)
{
    test_shape *s = test_shape_new();
    test_shape_sphere(s, 12, 6);
    facet_scene *source = test_shape_scene(s);
    test_every_allocation(attempt_occluder, source);
    facet_scene_free(source);
    free(s);
}
