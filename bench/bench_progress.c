/* bench/bench_progress.c - the longest time between two calls of the progress callback.
 *
 * For each job, on one thread, it prints the longest processor time between two calls, and each one
 * over 50 ms. Begin and end of the job count as calls. The mesh is FOLDER/mesh.obj, which bench/run
 * generates.
 *
 *   bench_progress FOLDER FACET-PROGRAM */
#include <facet/facet.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* -- The callback ------------------------------------------------------- */

#define MAX_MS 50

typedef struct silence {
    double last, longest;
    unsigned calls;
    char said[48];        /* the last call */
    char places[20 * 96]; /* lines about gaps over MAX_MS */
} silence;

static bool hear(void *user, const char *step, double fraction)
{
    silence *s = user;
    double at = now();
    char saying[48];
    snprintf(saying, sizeof saying, "%s %.3f", step, fraction);
    double passed = at - s->last;
    size_t used = strlen(s->places);
    s->calls++;
    s->longest = passed > s->longest ? passed : s->longest;
    if (passed > MAX_MS)
        snprintf(s->places + used, sizeof s->places - used, "    %.0f ms from %s to %s\n", passed,
                 s->said, saying);
    memcpy(s->said, saying, sizeof saying);
    s->last = now();
    return true;
}

/* -- Jobs --------------------------------------------------------------- */

typedef struct bench {
    const char *folder;
    const facet_scene *scene; /* as read from the OBJ */
    facet_options options;
    silence silence;
    double begin;
} bench;

static void begin(bench *b)
{
    memset(&b->silence, 0, sizeof b->silence);
    snprintf(b->silence.said, sizeof b->silence.said, "begin");
    b->begin = b->silence.last = now();
}

static void end(bench *b, const char *job, facet_status status, const facet_error *error)
{
    double total = now() - b->begin;
    unsigned calls = b->silence.calls;
    hear(&b->silence, "end", 1);
    printf("%-22s %6.0f ms, %5u calls, longest silence %6.1f ms%s%s\n%s", job, total, calls,
           b->silence.longest, status ? ": " : "", status ? error->message : "", b->silence.places);
    fflush(stdout);
}

static facet_scene *copy_of(const facet_scene *scene)
{
    facet_scene *copy = NULL;
    if (facet_scene_copy(scene, NULL, &copy, NULL))
        exit(1);
    return copy;
}

/* Prepare, write, read and check the scene in a format. */
static void through_format(bench *b, const char *name, const char *file)
{
    char path[512], job[64];
    facet_error error = {0};
    facet_output *output = NULL;
    const facet_format *format = facet_format_named(name);
    facet_scene *scene = copy_of(b->scene);
    snprintf(path, sizeof path, "%s/progress.%s", b->folder, file);
    begin(b);
    facet_status status = facet_prepare(scene, format, NULL, &b->options, NULL, &error);
    snprintf(job, sizeof job, "prepare for %s", name);
    end(b, job, status, &error);
    if (!status)
        status = facet_output_open(path, &output, &error);
    begin(b);
    if (!status)
        status = facet_save(scene, format, &b->options, output, &error);
    if (!status)
        status = facet_output_commit(output, &error);
    snprintf(job, sizeof job, "write %s", name);
    end(b, job, status, &error);
    facet_output_free(output);
    facet_scene_free(scene);

    facet_file *opened = NULL;
    if (status || facet_file_open(path, NULL, &opened, &error))
        return;
    facet_source source = facet_file_source(opened);
    facet_scene *read = NULL;
    begin(b);
    status = facet_load(&source, format, NULL, &b->options, &read, &error);
    snprintf(job, sizeof job, "read %s", name);
    end(b, job, status, &error);
    facet_scene_free(read);
    facet_report *report = NULL;
    if (facet_report_create(NULL, &report, NULL))
        return;
    begin(b);
    status = facet_check(&source, format, &b->options, report, &error);
    snprintf(job, sizeof job, "check %s", name);
    end(b, job, status, &error);
    facet_report_free(report);
    facet_file_close(opened);
    remove(path);
}

static void compare(bench *b, facet_scene *scene)
{
    facet_error error = {0};
    facet_report *report = NULL;
    facet_scene *other = copy_of(scene);
    if (facet_report_create(NULL, &report, NULL))
        exit(1);
    begin(b);
    end(b, "compare", facet_compare_scenes(scene, other, NULL, &b->options, report, NULL, &error),
        &error);
    facet_report_free(report);
    facet_scene_free(other);
}

static void reduce(bench *b, const facet_scene *scene)
{
    facet_error error = {0};
    const facet_reduce_options tenth = {.ratio = 0.1F};
    facet_scene *copy = copy_of(scene);
    begin(b);
    end(b, "reduce", facet_mesh_reduce(copy->meshes[0], &tenth, &b->options, NULL, NULL, &error),
        &error);
    facet_scene_free(copy);
}

static void make_collision(bench *b, facet_scene *scene)
{
    facet_error error = {0};
    begin(b);
    end(b, "hulls", facet_mesh_hulls(scene->meshes[0], NULL, &b->options, scene, NULL, &error),
        &error);
    begin(b);
    end(b, "occluder",
        facet_mesh_occluder(scene->meshes[0], NULL, &b->options, scene, NULL, &error), &error);
}

int main(int count, char **words)
{
    if (count < 3) {
        fprintf(stderr, "usage: bench_progress FOLDER FACET-PROGRAM\n");
        return 2;
    }
    static const char *const formats[][2] = {{"bsm", "bsm"},   {"binarymesh", "binarymesh"},
                                             {"bga", "bga"},   {"obj", "obj"},
                                             {"gltf", "gltf"}, {"glb", "glb"},
                                             {"ply", "ply"},   {"stl", "stl"},
                                             {"bpx", "bpx"},   {"bmd", "bmd"},
                                             {"fbx", "fbx"}};
    char path[512];
    facet_error error = {0};
    facet_file *file = NULL;
    facet_scene *scene = NULL;
    bench b = {.folder = words[1]};
    b.options = (facet_options){.progress = hear, .progress_user = &b.silence};
    snprintf(path, sizeof path, "%s/mesh.obj", words[1]);
    if (facet_file_open(path, NULL, &file, &error)) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    facet_source source = facet_file_source(file);
    begin(&b);
    facet_status status = facet_load(&source, NULL, NULL, &b.options, &scene, &error);
    end(&b, "read obj", status, &error);
    if (status)
        return 1;
    b.scene = scene;
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        through_format(&b, formats[i][0], formats[i][1]);
    facet_prepare(scene, facet_format_named("bsm"), NULL, NULL, NULL, &error);
    compare(&b, scene);
    reduce(&b, scene);
    make_collision(&b, scene);
    facet_scene_free(scene);
    facet_file_close(file);
    return 0;
}
