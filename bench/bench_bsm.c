/* BSM: what a view, verifying and a full check cost beside memcpy, and beside loops that do
 * nothing but what no check can leave out.
 *
 *   bench_bsm
 *
 * The mesh is a wavy grid of a million triangles (TRIANGLES in the environment), read from an OBJ
 * in memory and prepared as `facet convert` does: with tangents, in an order for the GPU. */
#include "support/bench.h"

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
    memset(target, 1, j->size); /* no fresh pages in what is measured */
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
    uint64_t sum = 0, word;
    bench_start();
    for (int i = 0; i < REPEATS; i++) {
        for (size_t at = 0; at + 8 <= j->size; at += 8) {
            memcpy(&word, j->data + at, 8);
            sum += word;
        }
        __asm__ volatile("" : "+r"(sum)::"memory");
    }
    bench_stop();
    return (long)(sum & 0xFF);
}

static facet_bsm_layout view(const job *j)
{
    facet_bsm_layout layout;
    facet_error error;
    check(facet_bsm_view(j->data, j->size, &layout, &error), &error);
    return layout;
}

/* Position, normal and texture coordinates of every corner. */
static long load_corners(void *user)
{
    facet_bsm_layout layout = view(user);
    facet_error error;
    check(facet_bsm_verify(&layout, &error), &error);
    const uint32_t *indices = facet_bsm_indices(&layout, FACET_BSM_TRIANGLES);
    const uint8_t *positions = layout.raw[FACET_BSM_POSITIONS];
    const uint8_t *normals = layout.raw[FACET_BSM_NORMALS];
    const uint8_t *texcoords = layout.raw[FACET_BSM_TEXCOORDS];
    size_t count = (size_t)layout.count[FACET_BSM_TRIANGLES] * 3;
    uint64_t sums[5] = {0}, words[5];
    bench_start();
    for (int i = 0; indices && i < REPEATS; i++) {
        for (size_t k = 0; k < count; k++) {
            size_t vertex = indices[k];
            memcpy(words, positions + vertex * 12 - 4, 16);
            memcpy(words + 2, normals + vertex * 12 - 4, 16);
            memcpy(words + 4, texcoords + vertex * 8, 8);
            for (int n = 0; n < 5; n++)
                sums[n] ^= words[n];
        }
        __asm__ volatile("" ::"r"(sums) : "memory");
    }
    bench_stop();
    return (long)((sums[0] ^ sums[1] ^ sums[2] ^ sums[3] ^ sums[4]) & 0xFF);
}

/* A mark for each corner's vertex. */
static long mark_corners(void *user)
{
    facet_bsm_layout layout = view(user);
    facet_error error;
    check(facet_bsm_verify(&layout, &error), &error);
    const uint32_t *indices = facet_bsm_indices(&layout, FACET_BSM_TRIANGLES);
    size_t count = (size_t)layout.count[FACET_BSM_TRIANGLES] * 3;
    uint32_t *used = calloc(layout.count[FACET_BSM_POSITIONS], sizeof *used);
    if (!used)
        return -1;
    bench_start();
    for (int i = 0; indices && i < REPEATS; i++) {
        for (size_t k = 0; k < count; k++)
            used[indices[k]] = 1;
        __asm__ volatile("" ::"r"(used) : "memory");
    }
    bench_stop();
    long result = (long)used[0];
    free(used);
    return result;
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
        errors += (long)facet_report_count_of(report, FACET_SEVERITY_ERROR);
        facet_report_free(report);
    }
    bench_stop();
    facet_threads_free(options.threads);
    return errors > 0 ? -1 : 0;
}

int main(void)
{
    const char *wanted = getenv("TRIANGLES");
    facet_output *file = make_bsm(wanted ? (uint32_t)strtoul(wanted, NULL, 10) : 1000000);
    job one = {facet_output_data(file), (size_t)facet_output_size(file), 1}, two = one;
    two.threads = 2;
    bench_job jobs[] = {
        {"memcpy", copy, &one, NULL, 0, 0, 0},
        {"reading all bytes", read_all, &one, NULL, 0, 0, 0},
        {"loading what every triangle points to", load_corners, &one, NULL, 0, 0, 0},
        {"marking what every triangle points to", mark_corners, &one, NULL, 0, 0, 0},
        {"verify", verify, &one, NULL, 0, 0, 0},
        {"full check, one thread", full_check, &one, NULL, 0, 0, 0},
        {"full check, two threads", full_check, &two, NULL, 0, 0, 0},
    };
    bench_compare("BSM beside memcpy, all in warm memory", jobs, sizeof jobs / sizeof *jobs, ROUNDS,
                  (double)one.size * REPEATS);
    facet_output_free(file);
    return 0;
}
