/* bench/bench_bsm.c - benchmark of BSM: view, verify and check, compared with memcpy and with the
 * minimal loops of support/loops.h.
 *
 *   bench_bsm
 *
 * The mesh is a wavy grid of a million triangles (TRIANGLES in the environment). It is read from an
 * OBJ in memory and prepared like in `facet convert`: with tangents, in an order for the GPU. */
#include "support/bench.h"
#include "support/loops.h"

#include <facet/facet.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REPEATS 5
#define ROUNDS 7

static void check(facet_status status, const facet_error *error)
{
    if (status) {
        fprintf(stderr, "bench_bsm: %s\n", error->message);
        exit(1);
    }
}

/* -- The file ----------------------------------------------------------- */

static char *write_obj(uint32_t triangles, size_t *size)
{
    uint32_t side = (uint32_t)sqrt(triangles / 2.0) + 1;
    char *text = malloc((size_t)side * side * 256 + 1000), *at = text;
    if (!text)
        exit(1);
    for (uint32_t i = 0; i < side * side; i++) {
        double x = i % side / (side - 1.0), z = i / side / (side - 1.0);
        double dx = 2 * cos(40 * x) * cos(31 * z), dz = -1.55 * sin(40 * x) * sin(31 * z);
        double length = sqrt(dx * dx + dz * dz + 1);
        at += sprintf(at, "v %.6f %.6f %.6f\nvt %.6f %.6f\nvn %.6f %.6f %.6f\n", x,
                      0.05 * sin(40 * x) * cos(31 * z), z, x, 1 - z, -dx / length, 1 / length,
                      -dz / length);
    }
    for (uint32_t i = 0; i < (side - 1) * (side - 1); i++) {
        uint32_t a = i / (side - 1) * side + i % (side - 1) + 1, b = a + 1, d = a + side;
        at += sprintf(at, "f %u/%u/%u %u/%u/%u %u/%u/%u\nf %u/%u/%u %u/%u/%u %u/%u/%u\n", a, a, a,
                      d, d, d, b, b, b, b, b, b, d, d, d, d + 1, d + 1, d + 1);
    }
    *size = (size_t)(at - text);
    return text;
}

static facet_output *make_bsm(uint32_t triangles)
{
    size_t size;
    char *text = write_obj(triangles, &size);
    const facet_format *format = facet_format_named("bsm");
    facet_source source = facet_source_from_memory(text, size, "mesh.obj");
    facet_scene *scene;
    facet_output *output;
    facet_error error;
    check(facet_load(&source, facet_format_named("obj"), NULL, NULL, &scene, &error), &error);
    check(facet_prepare(scene, format, NULL, NULL, NULL, &error), &error);
    check(facet_output_open_memory(NULL, &output, &error), &error);
    check(facet_save(scene, format, NULL, output, &error), &error);
    check(facet_output_commit(output, &error), &error);
    facet_scene_free(scene);
    free(text);
    return output;
}

/* -- What is measured --------------------------------------------------- */

typedef struct job {
    const uint8_t *data;
    size_t size;
    unsigned threads;
} job;

static long copy(void *user)
{
    const job *j = user;
    uint8_t *target = malloc(j->size);
    if (!target)
        return -1;
    memset(target, 1, j->size); /* touch all pages before the measurement */
    bench_start();
    for (int i = 0; i < REPEATS; i++) {
        memcpy(target, j->data, j->size);
        __asm__ volatile("" ::"r"(target) : "memory");
    }
    bench_stop();
    long result = target[j->size / 2];
    free(target);
    return result;
}

static long read_all(void *user)
{
    const job *j = user;
    long sum = 0;
    for (int i = -1; i < REPEATS; i++) {
        if (i == 0)
            bench_start();
        sum += bench_read_all(j->data, j->size);
    }
    bench_stop();
    return sum;
}

static facet_bsm_layout view(const job *j)
{
    facet_bsm_layout layout;
    facet_error error;
    check(facet_bsm_view(j->data, j->size, &layout, &error), &error);
    return layout;
}

/* Load the position and normal of each corner, and mark its vertex. This is half of the data that
 * the check needs for a triangle: texture coordinates and tangents are missing. */
static long load_and_mark(void *user)
{
    facet_bsm_layout layout = view(user);
    facet_error error;
    check(facet_bsm_verify(&layout, &error), &error);
    const uint32_t *indices = facet_bsm_indices(&layout, FACET_BSM_TRIANGLES);
    size_t count = (size_t)layout.count[FACET_BSM_TRIANGLES] * 3;
    const uint8_t *positions = layout.raw[FACET_BSM_POSITIONS];
    const uint8_t *normals = layout.raw[FACET_BSM_NORMALS];
    uint32_t *used = calloc(layout.count[FACET_BSM_POSITIONS], sizeof *used);
    long sum = 0;
    if (!used || !indices)
        return -1;
    for (int i = -1; i < REPEATS; i++) {
        if (i == 0)
            bench_start();
        sum += bench_load_corners(indices, count, positions, normals, 12);
        bench_mark_corners(indices, count, used);
    }
    bench_stop();
    free(used);
    return sum;
}

static long verify(void *user)
{
    facet_bsm_layout layout = view(user);
    facet_error error;
    bench_start();
    for (int i = 0; i < REPEATS; i++)
        check(facet_bsm_verify(&layout, &error), &error);
    bench_stop();
    return layout.verified;
}

static long full_check(void *user)
{
    const job *j = user;
    facet_options options = {0};
    facet_source source = facet_source_from_memory(j->data, j->size, "mesh.bsm");
    facet_error error;
    facet_report *report;
    long errors = 0;
    if (j->threads > 1)
        check(facet_threads_create(j->threads, &options.threads, &error), &error);
    for (int i = -1; i < REPEATS; i++) {
        if (i == 0)
            bench_start();
        check(facet_report_create(NULL, &report, &error), &error);
        check(facet_check(&source, facet_format_named("bsm"), &options, report, &error), &error);
        errors += (long)facet_report_severity_count(report, FACET_SEVERITY_ERROR);
        facet_report_free(report);
    }
    bench_stop();
    facet_threads_free(options.threads);
    return errors > 0 ? -1 : 0;
}

int main(void)
{
    const char *wanted = getenv("TRIANGLES");
    uint32_t triangles = wanted ? (uint32_t)strtoul(wanted, NULL, 10) : 1000000;
    facet_output *file = make_bsm(triangles), *half_file = make_bsm(triangles / 2);
    job one = {facet_output_data(file), (size_t)facet_output_size(file), 1}, two = one;
    two.threads = 2;
    job half = {facet_output_data(half_file), (size_t)facet_output_size(half_file), 1};
    bench_job jobs[] = {
        {.name = "memcpy", .run = copy, .user = &one},
        {.name = "reading all bytes", .run = read_all, .user = &one},
        {.name = "loading and marking what corners point to", .run = load_and_mark, .user = &one},
        {.name = "verify", .run = verify, .user = &one},
        {.name = "full check, one thread", .run = full_check, .user = &one},
        {.name = "full check, two threads", .run = full_check, .user = &two},
        {.name = "a half in each of two processes", .run = full_check, .user = &half, .copies = 2},
    };
    bench_compare("BSM beside memcpy, all in warm memory", jobs, sizeof jobs / sizeof *jobs, ROUNDS,
                  (double)one.size * REPEATS);
    facet_output_free(half_file);
    facet_output_free(file);
    return 0;
}
