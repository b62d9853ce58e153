/* Work split into parts: results and messages are the same for any number of threads. */
#include "base/threads.h"
#include "scene/scene.h"
#include "support/mesh.h"
#include "support/text.h"

#include <facet/bsm.h>
#include <facet/convert.h>
#include <facet/mesh.h>
#include <math.h>
#include <stdatomic.h>

/* -- The parts ---------------------------------------------------------- */

typedef struct cover {
    size_t first[FACET_MAX_PARTS], end[FACET_MAX_PARTS];
    atomic_size_t calls;
} cover;

static void note_part(void *argument, size_t part, size_t first, size_t end)
{
    cover *c = argument;
    assert_true(part < FACET_MAX_PARTS);
    c->first[part] = first;
    c->end[part] = end;
    atomic_fetch_add(&c->calls, 1);
}

TEST(parts_cover_the_range)
{
    static const size_t counts[] = {0, 1, 2, 63, 64, 65, 127, 128, 6399, 6400, 6401, 1000003};
    static const size_t leasts[] = {1, 2, 100, 40000};
    for (unsigned threads = 1; threads <= 3; threads++) {
        facet_options options = {0};
        facet_error error;
        TEST_OK(facet_threads_create(threads, &options.threads, &error), &error);
        for (size_t i = 0; i < sizeof counts / sizeof *counts * 4; i++) {
            size_t count = counts[i / 4], least = leasts[i % 4], next = 0;
            cover c;
            atomic_init(&c.calls, 0);
            size_t parts = facet_run_parts(&options, note_part, &c, count, least);
            assert_int_equal(atomic_load(&c.calls), parts);
            for (size_t part = 0; part < parts; part++) {
                assert_int_equal(c.first[part], next);
                next = c.end[part];
                assert_true(next > c.first[part]);
                assert_true(part + 1 == parts || next - c.first[part] >= least);
            }
            assert_int_equal(next, count);
        }
        facet_threads_free(options.threads);
    }
}

/* -- Runs of one material ----------------------------------------------- */

TEST(ends_of_material_runs_are_found)
{
    enum { FACES = 4000 };
    uint32_t materials[FACES], seed = 5;
    facet_mesh mesh = {.face_count = FACES};
    assert_int_equal(facet_mesh_end_of_material(&mesh, 7), FACES); /* without materials */
    mesh.face_materials = materials;
    for (uint32_t round = 1; round < 60; round++) {
        for (uint32_t face = 0, left = 0, material = 0; face < FACES; face++, left--) {
            if (left == 0) {
                left = 1 + test_random(&seed) % round;
                material = test_random(&seed) % 3 == 0 ? FACET_NONE : test_random(&seed) % 4;
            }
            materials[face] = material;
        }
        for (uint32_t face = 0; face < FACES; face++) {
            uint32_t end = face;
            while (end < FACES && materials[end] == materials[face])
                end++;
            assert_int_equal(facet_mesh_end_of_material(&mesh, face), end);
        }
    }
}

/* -- From an OBJ to a BSM ----------------------------------------------- */

enum { SIDE = 420 };

/* A grid with some repeated rows, normals of length 0 and of other lengths, degenerate triangles,
 * and runs of materials of all lengths. */
static text make_obj(void)
{
    text t = {0};
    uint32_t seed = 3, left = 0;
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        uint32_t row = i / SIDE - (i / SIDE % 10 == 9), column = i % SIDE;
        double length = i % 977 == 0 ? 0 : i % 1009 == 0 ? 2 : 1;
        put(&t, "v %u %u %.4f\nvt %.4f %.4f\n", column, row, sin(column * 0.1) + cos(row * 0.2),
            column / 50.0, row / 50.0);
        put(&t, "vn 0 %.1f %.1f\n", 0.6 * length, 0.8 * length);
    }
    for (uint32_t i = 0; i + SIDE + 1 < SIDE * SIDE; i++) {
        uint32_t a = i + 1, b = i + 2, c = i + SIDE + 2;
        if (left-- == 0) {
            left = test_random(&seed) % 3000;
            put(&t, "usemtl m%u\n", test_random(&seed) % 5);
        }
        if (i % 50021 == 70)
            c = b;
        put(&t, "f %u/%u/%u %u/%u/%u %u/%u/%u\n", a, a, a, b, b, b, c, c, c);
    }
    return t;
}

typedef struct compiled {
    facet_output *output;
    facet_report *report;
} compiled;

static compiled compile(const text *obj, unsigned threads)
{
    compiled made = {0};
    facet_error error;
    facet_scene *scene = NULL;
    facet_options options = {0};
    const facet_format *bsm = facet_format_named("bsm");
    facet_source source = facet_source_from_memory(obj->at, obj->size, "a.obj");
    TEST_OK(facet_report_create(NULL, &made.report, &error), &error);
    TEST_OK(facet_threads_create(threads, &options.threads, &error), &error);
    options.report = made.report;
    TEST_OK(facet_load(&source, NULL, NULL, &options, &scene, &error), &error);
    TEST_OK(facet_prepare(scene, bsm, NULL, &options, NULL, &error), &error);
    TEST_OK(facet_output_open_memory(NULL, &made.output, &error), &error);
    TEST_OK(facet_save(scene, bsm, &options, made.output, &error), &error);
    facet_scene_free(scene);
    facet_threads_free(options.threads);
    return made;
}

static void free_compiled(compiled *made)
{
    facet_output_free(made->output);
    facet_report_free(made->report);
}

TEST(compiled_bsm_is_the_same_for_any_thread_count)
{
    text obj = make_obj();
    compiled one = compile(&obj, 1);
    /* 977 and 1009 are primes. Among 176,400 vertices are 181 multiples of the first, including 0,
     * and 174 of the second without 0. */
    const facet_finding *zero = test_finding(one.report, "MESH-NORMAL-ZERO");
    const facet_finding *scaled = test_finding(one.report, "MESH-NORMAL-LENGTH");
    assert_true(zero && scaled && test_finding(one.report, "BSM-TRI-DEGENERATE"));
    assert_int_equal(zero->count, 181);
    assert_int_equal(scaled->count, 174);
    for (unsigned threads = 2; threads <= 5; threads += 3) {
        compiled other = compile(&obj, threads);
        uint64_t size = facet_output_size(one.output);
        assert_int_equal(facet_output_size(other.output), size);
        assert_memory_equal(facet_output_data(one.output), facet_output_data(other.output),
                            (size_t)size);
        assert_int_equal(facet_report_count(one.report), facet_report_count(other.report));
        for (size_t i = 0; i < facet_report_count(one.report); i++)
            assert_string_equal(facet_report_get(one.report, i)->message,
                                facet_report_get(other.report, i)->message);
        free_compiled(&other);
    }
    free_compiled(&one);
    free(obj.at);
}

/* -- A document with errors ---------------------------------------------- */

enum { VERTICES = 200000, TRIANGLES = 150000 };

static void expect_refusal(const facet_bsm *document, const char *rule, const char *message)
{
    for (unsigned threads = 1; threads <= 3; threads += 2) {
        facet_options options = {0};
        facet_output *output = NULL;
        facet_error error;
        TEST_OK(facet_threads_create(threads, &options.threads, &error), &error);
        TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
        assert_int_equal(facet_bsm_write(document, &options, output, &error), FACET_ERROR_ARGUMENT);
        assert_string_equal(error.rule, rule);
        assert_non_null(strstr(error.message, message));
        facet_output_free(output);
        facet_threads_free(options.threads);
    }
}

TEST(reported_error_is_the_same_for_any_thread_count)
{
    float *values = calloc((size_t)VERTICES * 4, sizeof *values);
    float *normals = calloc((size_t)VERTICES * 3, sizeof *normals);
    uint32_t *triangles = calloc((size_t)TRIANGLES * 3, sizeof *triangles);
    assert_true(values && normals && triangles);
    facet_bsm document = {.vertex_count = VERTICES,
                          .triangle_count = TRIANGLES,
                          .positions = values,
                          .normals = normals,
                          .tangents = values,
                          .triangles = triangles};
    triangles[3 * 140000 + 1] = VERTICES + 7; /* the largest index is reported */
    triangles[3 * 20 + 1] = VERTICES + 3;
    expect_refusal(&document, "BSM-TRI-INDEX-RANGE", "is 200007, there are 200000");
    normals[3 * 199999] = INFINITY;
    expect_refusal(&document, "BSM-FLOAT-NONFINITE", "number 0 of element 199999");
    normals[3 * 123456 + 2] = NAN;
    expect_refusal(&document, "BSM-FLOAT-NONFINITE", "number 2 of element 123456");
    free(triangles);
    free(normals);
    free(values);
}

/* -- Bounds -------------------------------------------------------------- */

TEST(bounds_are_the_same_for_any_thread_count)
{
    enum { COUNT = 300001 };
    float(*points)[5] = calloc(COUNT, sizeof *points);
    assert_non_null(points);
    uint32_t seed = 11;
    for (uint32_t round = 0; round < 3; round++) {
        for (uint32_t i = 0; i < COUNT; i++) {
            for (int k = 0; k < 3; k++)
                points[i][k] = (float)(test_random(&seed) % 2001) / 1000 - 1;
            double length = sqrt(points[i][0] * points[i][0] + points[i][1] * points[i][1] +
                                 points[i][2] * points[i][2]);
            for (int k = 0; k < 3 && round == 1 && length > 0; k++) /* nearly all on a sphere */
                points[i][k] = (float)(points[i][k] / length);
        }
        facet_options options = {0};
        facet_bounds one, other;
        facet_error error;
        memset(&one, 0, sizeof one);
        memset(&other, 0, sizeof other);
        TEST_OK(facet_threads_create(3, &options.threads, &error), &error);
        TEST_OK(facet_bounds_compute(*points, COUNT, 20, NULL, &one, &error), &error);
        TEST_OK(facet_bounds_compute(*points, COUNT, 20, &options, &other, &error), &error);
        assert_memory_equal(&one, &other, sizeof one);
        for (uint32_t i = 0; i < COUNT; i++) { /* the sphere contains every point */
            double squared = 0;
            for (int k = 0; k < 3; k++) {
                double d = (double)points[i][k] - (double)one.center[k];
                squared += d * d;
                assert_true(points[i][k] >= one.minimum[k] && points[i][k] <= one.maximum[k]);
            }
            assert_true(squared <= (double)one.radius * (double)one.radius);
        }
        points[COUNT - 1][1] = NAN;
        assert_int_equal(facet_bounds_compute(*points, COUNT, 20, &options, &other, &error),
                         FACET_ERROR_ARGUMENT);
        facet_threads_free(options.threads);
    }
    free(points);
}
