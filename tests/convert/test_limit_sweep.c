/* Run library calls at memory limits near the memory that each needs. Status, rule and result are
 * the same for 1, 2 and 8 threads, which each call uses. A binary search finds how much a call
 * needs. (The size of the first block beyond the limit depends on the threads.) */
#include "support/mesh.h"

#include <facet/facet.h>
#include <stdio.h>
#include <stdlib.h>

/* -- Input -------------------------------------------------------------- */

/* Squares on a side, enough for several threads. Files have 51,200 triangles: readers and writers
 * give 32,768 to a thread. Passes get 10,368: tangents have 4,096 vertices a thread, and a
 * reduction 8,192 triangles. Distances of 1,024 points are a task. Those of hulls are cuts. */
enum { SIDE_OF_FILES = 160, SIDE_OF_PASSES = 72, SIDE = 48, SIDE_OF_HULLS = 16 };

/* A wavy grid of side * side squares with texture coordinates. */
static facet_scene *make_grid(uint32_t side, const facet_options *options, facet_error *error)
{
    uint32_t count = (side + 1) * (side + 1);
    facet_scene *scene = NULL;
    facet_mesh *mesh = NULL;
    float *points = malloc(sizeof *points * count * 5), *uv = points ? points + count * 3 : NULL;
    uint32_t *corners = malloc(sizeof *corners * side * side * 6), used = 0;
    assert_true(points && corners);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t x = i % (side + 1), y = i / (side + 1);
        points[i * 3] = (float)x;
        points[i * 3 + 1] = (float)y;
        points[i * 3 + 2] = (float)((x * 7 + y * 13) % 5);
        uv[i * 2] = (float)x / (float)side;
        uv[i * 2 + 1] = (float)y / (float)side;
    }
    for (uint32_t i = 0; i < side * side; i++) {
        uint32_t a = i / side * (side + 1) + i % side;
        const uint32_t two[6] = {a, a + 1, a + side + 2, a, a + side + 2, a + side + 1};
        memcpy(corners + used, two, sizeof two);
        used += 6;
    }
    facet_status status = facet_scene_create(options, &scene, error);
    if (!status)
        status = facet_scene_add_mesh(scene, &mesh, error);
    if (!status) {
        mesh->face_count = side * side * 2;
        mesh->corner_count = used;
        status = facet_mesh_add_stream_copy(mesh, FACET_POSITION, 0, NULL, FACET_FLOAT32, 3, count,
                                            points, corners, NULL, error);
    }
    if (!status)
        status = facet_mesh_add_stream_copy(mesh, FACET_TEXCOORD, 0, NULL, FACET_FLOAT32, 2, count,
                                            uv, NULL, NULL, error);
    free(points);
    free(corners);
    if (status) {
        facet_scene_free(scene);
        return NULL;
    }
    return scene;
}

/* The grid as a file of each format, as the scene of the first one, and as a scene that is ready to
 * be drawn. */
typedef struct inputs {
    facet_output *files[4];
    facet_scene *first, *ready;
} inputs;

static const char *const formats[4] = {"bsm", "ply", "glb", "obj"};

static inputs make_inputs(uint32_t side)
{
    inputs in = {{NULL}, NULL, NULL};
    const facet_ply_options ascii = {.encoding = FACET_PLY_ASCII}; /* binary needs no threads */
    const facet_options text = {.ply = &ascii};
    facet_error error;
    for (size_t i = 0; i < 4; i++) {
        const facet_format *format = facet_format_named(formats[i]);
        facet_scene *scene = make_grid(side, NULL, &error);
        TEST_OK(facet_prepare(scene, format, NULL, NULL, NULL, &error), &error);
        TEST_OK(facet_output_open_memory(NULL, &in.files[i], &error), &error);
        TEST_OK(facet_save(scene, format, &text, in.files[i], &error), &error);
        TEST_OK(facet_output_commit(in.files[i], &error), &error);
        if (i == 0)
            in.first = scene;
        else
            facet_scene_free(scene);
    }
    in.ready = make_grid(side, NULL, &error);
    TEST_OK(facet_prepare(in.ready, NULL, NULL, NULL, NULL, &error), &error);
    return in;
}

static facet_source file_of(const inputs *in, size_t i)
{
    return facet_source_from_memory(facet_output_data(in->files[i]),
                                    (size_t)facet_output_size(in->files[i]), formats[i]);
}

/* -- Calls -------------------------------------------------------------- */

/* FNV-1a hash of a call's result. */
static uint64_t hash(uint64_t so_far, const void *data, size_t size)
{
    const uint8_t *bytes = data;
    for (size_t i = 0; i < size; i++)
        so_far = (so_far ^ bytes[i]) * 0x100000001B3;
    return so_far;
}

static uint64_t hash_scene(const facet_scene *scene)
{
    uint64_t made = 1;
    for (uint32_t m = 0; m < scene->mesh_count; m++) {
        const facet_mesh *mesh = scene->meshes[m];
        for (uint32_t s = 0; s < mesh->stream_count; s++) {
            const facet_stream *stream = &mesh->streams[s];
            made = hash(made, stream->indices, mesh->corner_count * sizeof *stream->indices);
            if (stream->component == FACET_FLOAT32)
                made = hash(made, stream->data,
                            (size_t)stream->count * stream->components * sizeof(float));
        }
    }
    for (uint32_t h = 0; h < scene->hull_count; h++)
        made = hash(made, scene->hulls[h]->points, scene->hulls[h]->point_count * 12);
    return made;
}

typedef facet_status call(const inputs *in, size_t number, const facet_options *options,
                          uint64_t *made, facet_error *error);

static facet_status load(const inputs *in, size_t number, const facet_options *options,
                         uint64_t *made, facet_error *error)
{
    facet_source source = file_of(in, number);
    facet_scene *scene = NULL;
    facet_status status = facet_load(&source, NULL, NULL, options, &scene, error);
    if (!status)
        *made = hash_scene(scene);
    facet_scene_free(scene);
    return status;
}

static facet_status check(const inputs *in, size_t number, const facet_options *options,
                          uint64_t *made, facet_error *error)
{
    facet_source source = file_of(in, number);
    facet_report *report = NULL;
    TEST_OK(facet_report_create(NULL, &report, error), error);
    facet_status status = facet_check(&source, NULL, options, report, error);
    *made = facet_report_count(report);
    facet_report_free(report);
    return status;
}

static facet_status save(const inputs *in, size_t number, const facet_options *options,
                         uint64_t *made, facet_error *error)
{
    facet_output *output = NULL;
    facet_error own;
    TEST_OK(facet_output_open_memory(NULL, &output, &own), &own);
    facet_status status =
        facet_save(in->first, facet_format_named(formats[number]), options, output, error);
    if (!status)
        status = facet_output_commit(output, error);
    if (!status)
        *made = hash(1, facet_output_data(output), (size_t)facet_output_size(output));
    facet_output_free(output);
    return status;
}

/* Run the passes that change a scene. The scene has the limit. */
static facet_status change(const inputs *in, size_t number, const facet_options *options,
                           uint64_t *made, facet_error *error)
{
    (void)in;
    facet_reduce_options reduce = {.ratio = 0.5F};
    facet_prepare_options how = {.extra = FACET_NEED_TANGENTS,
                                 .reduce = number == 1 ? &reduce : NULL};
    facet_scene *scene = make_grid(number == 2 ? SIDE_OF_HULLS : SIDE_OF_PASSES, options, error);
    if (!scene)
        return error->status;
    facet_status status = facet_prepare(scene, NULL, &how, options, NULL, error);
    const facet_hulls_options few = {.max_hulls = 2, .resolution = 8};
    if (!status && number == 2)
        status = facet_mesh_hulls(scene->meshes[0], &few, options, scene, NULL, error);
    if (!status)
        *made = hash_scene(scene);
    facet_scene_free(scene);
    return status;
}

static facet_status compare(const inputs *in, size_t number, const facet_options *options,
                            uint64_t *made, facet_error *error)
{
    facet_source a = file_of(in, 0), b = file_of(in, number + 1);
    const facet_compare_options how = {.samples = 100};
    facet_comparison comparison = {0};
    facet_report *report = NULL;
    TEST_OK(facet_report_create(NULL, &report, error), error);
    facet_status status =
        facet_compare(&a, NULL, &b, NULL, &how, options, report, &comparison, error);
    *made = facet_report_count(report);
    facet_report_free(report);
    return status;
}

static facet_status draw(const inputs *in, size_t number, const facet_options *options,
                         uint64_t *made, facet_error *error)
{
    const facet_render_options how = {
        .width = 96, .height = 64, .modes = number == 1 ? FACET_RENDER_WIREFRAME : 0};
    facet_renderer *renderer = NULL;
    facet_picture picture = {0};
    facet_status status = facet_renderer_create(in->ready, options, &renderer, error);
    if (!status)
        status = facet_renderer_draw(renderer, &how, options, &picture, error);
    if (!status)
        *made = hash(1, picture.image.pixels, (size_t)96 * 64 * 4);
    facet_picture_free(&picture);
    facet_renderer_free(renderer);
    return status;
}

/* -- Limits ------------------------------------------------------------- */

typedef struct outcome {
    facet_status status;
    uint64_t made;
    char rule[32], said[400];
} outcome;

static outcome run(call *what, const inputs *in, size_t number, const facet_threads *threads,
                   uint64_t limit)
{
    outcome o = {0};
    facet_error error = {.message = ""};
    facet_options options = {.threads = threads, .memory_limit = limit};
    uint64_t made = 0;
    o.status = what(in, number, &options, &made, &error);
    o.made = o.status ? 0 : made;
    if (o.status) {
        memcpy(o.rule, error.rule, sizeof o.rule);
        memcpy(o.said, error.message, sizeof o.said);
    }
    return o;
}

/* The lowest limit at which a call succeeds, to a thirtieth. */
static uint64_t need_of(call *what, const inputs *in, size_t number)
{
    uint64_t refused = 1, enough = 64 << 20;
    assert_int_equal(run(what, in, number, NULL, enough).status, FACET_OK);
    assert_int_equal(run(what, in, number, NULL, refused).status, FACET_ERROR_MEMORY_LIMIT);
    while (enough - refused > enough / 30) {
        uint64_t middle = refused + (enough - refused) / 2;
        if (run(what, in, number, NULL, middle).status)
            refused = middle;
        else
            enough = middle;
    }
    return enough;
}

/* Threads that count their jobs. */
typedef struct counted {
    facet_threads threads;
    const facet_threads *pool;
    size_t jobs;
} counted;

static void run_job(void *user, void (*task)(void *argument, size_t index), void *argument,
                    size_t count)
{
    counted *c = user;
    c->jobs++;
    c->pool->run(c->pool->user, task, argument, count);
}

static outcome run_with(call *what, const inputs *in, size_t number, unsigned count, uint64_t limit,
                        size_t *jobs)
{
    counted c = {{.count = count, .run = run_job, .user = &c}, NULL, 0};
    assert_int_equal(facet_threads_create(count, &c.pool, NULL), FACET_OK);
    outcome o = run(what, in, number, &c.threads, limit);
    facet_threads_free(c.pool);
    *jobs += c.jobs;
    return o;
}

static void sweep(const char *name, call *what, size_t count, uint32_t side)
{
    static const unsigned counts[2] = {2, 8};
    /* Near the limit, passes use one thread to save memory; far above it, all. */
    static const double shares[] = {0.3, 0.7, 0.93, 1, 1.07, 4};
    inputs in = make_inputs(side);
    for (size_t number = 0; number < count; number++) {
        double need = (double)need_of(what, &in, number);
        size_t jobs = 0;
        for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
            uint64_t limit = (uint64_t)(need * shares[i]);
            outcome one = run(what, &in, number, NULL, limit);
            for (int k = 0; k < 2; k++) {
                outcome other = run_with(what, &in, number, counts[k], limit, &jobs);
                if (other.status != one.status || other.made != one.made ||
                    strcmp(other.rule, one.rule) != 0)
                    fail_msg("%s %zu, limit %llu of %.0f: %d '%s', with %u threads %d '%s'", name,
                             number, (unsigned long long)limit, need, (int)one.status, one.said,
                             counts[k], (int)other.status, other.said);
            }
        }
        if (jobs == 0)
            fail_msg("%s %zu: the input is too small for several threads", name, number);
    }
    for (size_t i = 0; i < 4; i++)
        facet_output_free(in.files[i]);
    facet_scene_free(in.first);
    facet_scene_free(in.ready);
}

TEST(loading_is_the_same_at_any_limit_with_any_threads)
{
    sweep("load", load, 2, SIDE_OF_FILES);
}

TEST(checking_is_the_same_at_any_limit_with_any_threads)
{
    sweep("check", check, 1, SIDE_OF_FILES);
}

TEST(saving_is_the_same_at_any_limit_with_any_threads)
{
    sweep("save", save, 1, SIDE_OF_FILES);
}

TEST(passes_are_the_same_at_any_limit_with_any_threads)
{
    sweep("change", change, 3, SIDE);
}

TEST(comparing_is_the_same_at_any_limit_with_any_threads)
{
    sweep("compare", compare, 3, SIDE);
}

TEST(drawing_is_the_same_at_any_limit_with_any_threads)
{
    sweep("draw", draw, 2, SIDE);
}
