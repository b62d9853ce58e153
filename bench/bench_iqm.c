/* bench/bench_iqm.c - benchmark of IQM.
 *
 * - View, verify and check, compared with reading all bytes.
 * - Facet's import, compared with assimp's.
 * - Convert from and to GLB, compared with a copy from GLB to GLB.
 *
 *   bench_iqm FOLDER [FACET-PROGRAM]
 *
 * The character has 100,000 triangles (TRIANGLES / 10), 60 joints and 20 clips. The checks use one
 * of a million triangles, so that vertices take most of the time. */
#include "support/bench.h"
#include "support/character.h"
#include "support/loops.h"

#include <stdio.h>
#include <stdlib.h>

#ifdef HAVE_ASSIMP
#include <assimp/cimport.h>
#include <assimp/scene.h>
#endif

enum { ROUNDS = 7, REPEATS = 5, VIEWS = 100000 };

static void stop_at(facet_status status, const facet_error *error)
{
    if (status == FACET_OK)
        return;
    fprintf(stderr, "bench_iqm: %s\n", error->message);
    exit(1);
}

typedef struct job {
    const uint8_t *data;
    size_t size;
} job;

static facet_source source_of(const job *j, const char *name)
{
    return facet_source_from_memory(j->data, j->size, name);
}

/* -- A file in memory --------------------------------------------------- */

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

static long verify(void *user)
{
    const job *j = user;
    facet_iqm_layout layout;
    facet_error error;
    stop_at(facet_iqm_view(j->data, j->size, &layout, &error), &error);
    for (int i = -1; i < REPEATS; i++) {
        if (i == 0)
            bench_start();
        stop_at(facet_iqm_verify(&layout, &error), &error);
    }
    bench_stop();
    return layout.verified;
}

static long full_check(void *user)
{
    facet_source source = source_of(user, "character.iqm");
    facet_report *report;
    facet_error error;
    size_t errors = 0;
    for (int i = -1; i < REPEATS; i++) {
        if (i == 0)
            bench_start();
        stop_at(facet_report_create(NULL, &report, &error), &error);
        stop_at(facet_check(&source, facet_format_named("iqm"), NULL, report, &error), &error);
        errors += facet_report_severity_count(report, FACET_SEVERITY_ERROR);
        facet_report_free(report);
    }
    bench_stop();
    return errors > 0 ? -1 : 0;
}

static void print_view(const char *name, const job *j)
{
    facet_iqm_layout layout;
    facet_error error;
    double begin = bench_now();
    for (int i = 0; i < VIEWS; i++)
        stop_at(facet_iqm_view(j->data, j->size, &layout, &error), &error);
    printf("  %-44s %10.3f us\n", name, (bench_now() - begin) / VIEWS * 1e6);
}

/* -- To a scene --------------------------------------------------------- */

static long load(void *user)
{
    facet_source source = source_of(user, "character.iqm");
    facet_scene *scene;
    facet_error error;
    bench_start();
    stop_at(facet_load(&source, facet_format_named("iqm"), NULL, NULL, &scene, &error), &error);
    bench_stop();
    return (long)scene->mesh_count;
}

#ifdef HAVE_ASSIMP
static long load_by_assimp(void *user)
{
    const job *j = user;
    bench_start();
    const struct aiScene *scene =
        aiImportFileFromMemory((const char *)j->data, (unsigned)j->size, 0, "iqm");
    bench_stop();
    return scene ? (long)scene->mNumMeshes : -1;
}
#endif

/* -- Files -------------------------------------------------------------- */

static void write_file(const facet_output *bytes, const char *path)
{
    FILE *file = fopen(path, "wb");
    if (!file ||
        fwrite(facet_output_data(bytes), 1, (size_t)facet_output_size(bytes), file) !=
            facet_output_size(bytes) ||
        fclose(file))
        exit(1);
}

static void compare_conversions(const char *folder, const char *program, const facet_output *glb)
{
    char in[4096], iqm[4096], copy[4096];
    snprintf(in, sizeof in, "%s/character.glb", folder);
    snprintf(iqm, sizeof iqm, "%s/character.iqm", folder);
    snprintf(copy, sizeof copy, "%s/copy.glb", folder);
    write_file(glb, in);
    const char *const to_iqm[] = {program, "convert", in, iqm, NULL};
    const char *const to_glb[] = {program, "convert", in, copy, NULL};
    const char *const back[] = {program, "convert", iqm, copy, NULL};
    bench_job jobs[] = {{.name = "facet convert GLB to GLB", .command = to_glb, .user_time = 1},
                        {.name = "facet convert GLB to IQM", .command = to_iqm, .user_time = 1},
                        {.name = "facet convert IQM to GLB", .command = back, .user_time = 1}};
    bench_compare("a character of 20 clips to a file, user time", jobs, 3, ROUNDS,
                  (double)facet_output_size(glb));
}

int main(int argc, char **argv)
{
    const char *wanted = getenv("TRIANGLES");
    uint32_t triangles = wanted ? (uint32_t)strtoul(wanted, NULL, 10) / 10 : 100000;
    facet_scene *scene = bench_make_character(triangles);
    facet_output *glb = bench_save(scene, "glb"), *iqm = bench_save(scene, "iqm");
    facet_scene_free(scene);
    scene = bench_make_character(triangles * 10);
    facet_output *large = bench_save(scene, "iqm");
    facet_scene_free(scene);
    job small_job = {facet_output_data(iqm), (size_t)facet_output_size(iqm)};
    job large_job = {facet_output_data(large), (size_t)facet_output_size(large)};

    printf("\na view of an IQM\n");
    print_view("100,000 triangles", &small_job);
    print_view("1,000,000 triangles", &large_job);
    bench_job checks[] = {
        {.name = "reading all bytes", .run = read_all, .user = &large_job, .user_time = 1},
        {.name = "verify", .run = verify, .user = &large_job, .user_time = 1},
        {.name = "full check", .run = full_check, .user = &large_job, .user_time = 1}};
    bench_compare("IQM beside reading its bytes, in warm memory, user time", checks, 3, ROUNDS,
                  (double)large_job.size * REPEATS);
    bench_job loads[] = {
        {.name = "facet_load", .run = load, .user = &small_job},
#ifdef HAVE_ASSIMP
        {.name = "assimp", .run = load_by_assimp, .user = &small_job},
#endif
    };
    bench_compare("IQM to a scene", loads, sizeof loads / sizeof *loads, ROUNDS,
                  (double)small_job.size);
    if (argc > 2)
        compare_conversions(argv[1], argv[2], glb);
    facet_output_free(large);
    facet_output_free(iqm);
    facet_output_free(glb);
    return 0;
}
