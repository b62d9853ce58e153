/* Run library calls at memory limits near the memory that each needs. Status, rule and result are
 * the same for 1, 2 and 8 threads. A binary search finds how much a call needs. (The size of the
 * first block beyond the limit depends on the threads.) */
#include "support/mesh.h"

#include <facet/facet.h>
#include <stdio.h>
#include <stdlib.h>

/* -- Input -------------------------------------------------------------- */

#define SIDE 48

/* A wavy grid of 4,608 triangles with texture coordinates, large enough for several threads. */
static facet_scene *make_grid(const facet_options *options, facet_error *error)
{
    enum { COUNT = (SIDE + 1) * (SIDE + 1) };
    facet_scene *scene = NULL;
    facet_mesh *mesh = NULL;
    float *points = malloc(sizeof *points * COUNT * 5), *uv = points ? points + COUNT * 3 : NULL;
    uint32_t *corners = malloc(sizeof *corners * SIDE * SIDE * 6), used = 0;
    assert_true(points && corners);
    for (uint32_t i = 0; i < COUNT; i++) {
        uint32_t x = i % (SIDE + 1), y = i / (SIDE + 1);
        points[i * 3] = (float)x;
        points[i * 3 + 1] = (float)y;
        points[i * 3 + 2] = (float)((x * 7 + y * 13) % 5);
        uv[i * 2] = (float)x / SIDE;
        uv[i * 2 + 1] = (float)y / SIDE;
    }
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        uint32_t a = i / SIDE * (SIDE + 1) + i % SIDE;
        const uint32_t two[6] = {a, a + 1, a + SIDE + 2, a, a + SIDE + 2, a + SIDE + 1};
        memcpy(corners + used, two, sizeof two);
        used += 6;
    }
    facet_status status = facet_scene_create(options, &scene, error);
    if (!status)
        status = facet_scene_add_mesh(scene, &mesh, error);
    if (!status) {
        mesh->face_count = SIDE * SIDE * 2;
        mesh->corner_count = used;
        status = facet_mesh_add_stream_copy(mesh, FACET_POSITION, 0, NULL, FACET_FLOAT32, 3, COUNT,
                                            points, corners, NULL, error);
    }
    if (!status)
        status = facet_mesh_add_stream_copy(mesh, FACET_TEXCOORD, 0, NULL, FACET_FLOAT32, 2, COUNT,
                                            uv, NULL, NULL, error);
    free(points);
    free(corners);
    if (status) {
        facet_scene_free(scene);
        return NULL;
    }
    return scene;
}

/* The grid as a file of each format, and as a scene that is ready to be drawn. */
typedef struct inputs {
    facet_output *files[4];
    facet_scene *ready;
} inputs;

static const char *const formats[4] = {"glb", "obj", "bsm", "ply"};

static inputs make_inputs(void)
{
    inputs in = {{NULL}, NULL};
    facet_error error;
    for (size_t i = 0; i < 4; i++) {
        const facet_format *format = facet_format_named(formats[i]);
        facet_scene *scene = make_grid(NULL, &error);
        TEST_OK(facet_prepare(scene, format, NULL, NULL, NULL, &error), &error);
        TEST_OK(facet_output_open_memory(NULL, &in.files[i], &error), &error);
        TEST_OK(facet_save(scene, format, NULL, in.files[i], &error), &error);
        TEST_OK(facet_output_commit(in.files[i], &error), &error);
        facet_scene_free(scene);
    }
    in.ready = make_grid(NULL, &error);
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
    facet_scene *scene = NULL;
    facet_output *output = NULL;
    facet_error own;
    const facet_format *format = facet_format_named(formats[number]);
    TEST_OK(facet_scene_copy(in->ready, NULL, &scene, &own), &own);
    TEST_OK(facet_prepare(scene, format, NULL, NULL, NULL, &own), &own);
    TEST_OK(facet_output_open_memory(NULL, &output, &own), &own);
    facet_status status = facet_save(scene, format, options, output, error);
    if (!status)
        status = facet_output_commit(output, error);
    if (!status)
        *made = hash(1, facet_output_data(output), (size_t)facet_output_size(output));
    facet_output_free(output);
    facet_scene_free(scene);
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
    facet_scene *scene = make_grid(options, error);
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

/* The lowest limit at which a call succeeds, to a fiftieth. */
static uint64_t need_of(call *what, const inputs *in, size_t number)
{
    uint64_t refused = 1, enough = 64 << 20;
    assert_int_equal(run(what, in, number, NULL, enough).status, FACET_OK);
    assert_int_equal(run(what, in, number, NULL, refused).status, FACET_ERROR_MEMORY_LIMIT);
    while (enough - refused > enough / 50) {
        uint64_t middle = refused + (enough - refused) / 2;
        if (run(what, in, number, NULL, middle).status)
            refused = middle;
        else
            enough = middle;
    }
    return enough;
}

static void sweep(const char *name, call *what, size_t count)
{
    static const unsigned counts[2] = {2, 8};
    static const double shares[] = {0.2, 0.5, 0.8, 0.95, 1, 1.05, 1.5};
    inputs in = make_inputs();
    for (size_t number = 0; number < count; number++) {
        double need = (double)need_of(what, &in, number);
        for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
            uint64_t limit = (uint64_t)(need * shares[i]);
            outcome one = run(what, &in, number, NULL, limit);
            for (int k = 0; k < 2; k++) {
                const facet_threads *threads = NULL;
                assert_int_equal(facet_threads_create(counts[k], &threads, NULL), FACET_OK);
                outcome other = run(what, &in, number, threads, limit);
                facet_threads_free(threads);
                if (other.status != one.status || other.made != one.made ||
                    strcmp(other.rule, one.rule) != 0)
                    fail_msg("%s %zu, limit %llu of %.0f: %d '%s', with %u threads %d '%s'", name,
                             number, (unsigned long long)limit, need, (int)one.status, one.said,
                             counts[k], (int)other.status, other.said);
            }
        }
    }
    for (size_t i = 0; i < 4; i++)
        facet_output_free(in.files[i]);
    facet_scene_free(in.ready);
}

TEST(loading_is_the_same_at_any_limit_with_any_threads)
{
    sweep("load", load, 4);
}

TEST(checking_is_the_same_at_any_limit_with_any_threads)
{
    sweep("check", check, 2);
}

TEST(saving_is_the_same_at_any_limit_with_any_threads)
{
    sweep("save", save, 4);
}

TEST(passes_are_the_same_at_any_limit_with_any_threads)
{
    sweep("change", change, 3);
}

TEST(comparing_is_the_same_at_any_limit_with_any_threads)
{
    sweep("compare", compare, 3);
}

TEST(drawing_is_the_same_at_any_limit_with_any_threads)
{
    sweep("draw", draw, 2);
}
