/* bench/bench_tangents.c - benchmark of tangents of a welded mesh, with one thread and with two.
 *
 * It compares with the minimum of any method: read each input once, and write one tangent per
 * vertex, to new memory and to warm memory.
 *
 *   bench_tangents [OBJ]
 *
 * The mesh is the first of the OBJ, triangulated and welded. The default is a wavy grid of a
 * million triangles (TRIANGLES in the environment), whose texture is cut along every 64th
 * column. */
#include "support/bench.h"

#include <facet/facet.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REPEATS 9
#define CHART 64 /* columns of cells per texture chart */

/* -- The mesh ----------------------------------------------------------- */

static void check(facet_status status, const facet_error *error)
{
    if (status) {
        fprintf(stderr, "bench_tangents: %s\n", error->message);
        exit(1);
    }
}

static void *take(size_t count, size_t size)
{
    void *memory = malloc(count * size);
    if (!memory)
        exit(1);
    return memory;
}

/* Column i of vertices has the x of grid column i - i / (CHART + 1): columns are doubled between
 * charts. */
static facet_scene *make_grid(uint32_t triangles)
{
    facet_error error;
    facet_scene *scene;
    facet_mesh *mesh;
    check(facet_scene_create(NULL, &scene, &error), &error);
    check(facet_scene_add_mesh(scene, &mesh, &error), &error);
    uint32_t cells = (uint32_t)sqrt(triangles / 2.0), columns = cells + 1 + (cells - 1) / CHART;
    uint32_t count = columns * (cells + 1);
    float *positions = take(count, 3 * sizeof *positions), *p = positions;
    float *normals = take(count, 3 * sizeof *normals), *n = normals;
    float *texcoords = take(count, 2 * sizeof *texcoords), *t = texcoords;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t column = i % columns, chart = column / (CHART + 1), row = i / columns;
        double x = (column - chart) / (double)cells, z = row / (double)cells;
        double dx = 2 * cos(40 * x) * cos(31 * z), dz = -1.55 * sin(40 * x) * sin(31 * z);
        double length = sqrt(dx * dx + dz * dz + 1);
        *p++ = (float)x, *p++ = (float)(0.05 * sin(40 * x) * cos(31 * z)), *p++ = (float)z;
        *n++ = (float)(-dx / length), *n++ = (float)(1 / length), *n++ = (float)(-dz / length);
        *t++ = (float)(column % (CHART + 1)) / CHART, *t++ = (float)z;
    }
    mesh->face_count = cells * cells * 2;
    mesh->corner_count = mesh->face_count * 3;
    uint32_t *corners = take(mesh->corner_count, sizeof *corners), *c = corners;
    for (uint32_t i = 0; i < cells * cells; i++) {
        uint32_t column = i % cells, a = i / cells * columns + column + column / CHART;
        *c++ = a, *c++ = a + columns, *c++ = a + 1;
        *c++ = a + 1, *c++ = a + columns, *c++ = a + columns + 1;
    }
    check(facet_mesh_add_stream_copy(mesh, FACET_POSITION, 0, NULL, FACET_FLOAT32, 3, count,
                                     positions, corners, NULL, &error),
          &error);
    check(facet_mesh_add_stream_copy(mesh, FACET_NORMAL, 0, NULL, FACET_FLOAT32, 3, count, normals,
                                     NULL, NULL, &error),
          &error);
    check(facet_mesh_add_stream_copy(mesh, FACET_TEXCOORD, 0, NULL, FACET_FLOAT32, 2, count,
                                     texcoords, NULL, NULL, &error),
          &error);
    free(positions);
    free(normals);
    free(texcoords);
    free(corners);
    return scene;
}

static facet_scene *read_obj(const char *path)
{
    facet_error error;
    facet_file *file;
    facet_scene *scene;
    check(facet_file_open(path, NULL, &file, &error), &error);
    facet_source source = facet_file_source(file);
    check(facet_load(&source, NULL, NULL, NULL, &scene, &error), &error);
    facet_file_close(file);
    check(facet_mesh_triangulate(scene->meshes[0], NULL, NULL, &error), &error);
    check(facet_mesh_index(scene->meshes[0], NULL, NULL, &error), &error);
    return scene;
}

/* -- The jobs ----------------------------------------------------------- */

static long add_tangents(void *user, unsigned threads)
{
    facet_scene *scene = user;
    facet_error error;
    facet_options options = {0};
    const facet_threads *pool;
    check(facet_threads_create(threads, &pool, &error), &error);
    options.threads = pool;
    bench_start();
    facet_status status = facet_mesh_tangents(scene->meshes[0], &options, NULL, &error);
    bench_stop();
    facet_threads_free(pool);
    return status ? -1 : 0;
}

static long with_one_thread(void *user)
{
    return add_tangents(user, 1);
}

static long with_two_threads(void *user)
{
    return add_tangents(user, 2);
}

static float sum_of(const float *numbers, size_t count)
{
    float sums[16] = {0};
    for (size_t i = 0; i + 16 <= count; i += 16) {
        for (int k = 0; k < 16; k++)
            sums[k] += numbers[i + k];
    }
    return sums[0] + sums[5] + sums[15];
}

static float pass_over(const facet_mesh *mesh, float *tangents)
{
    float sum = 0;
    uint32_t most = 0;
    const uint32_t *indices = mesh->streams[0].indices;
    for (uint32_t corner = 0; corner < mesh->corner_count; corner++)
        most = indices[corner] > most ? indices[corner] : most;
    for (size_t i = 0; i < mesh->stream_count; i++) {
        const facet_stream *stream = &mesh->streams[i];
        if (stream->component == FACET_FLOAT32)
            sum += sum_of(stream->data, (size_t)stream->count * stream->components);
    }
    for (size_t i = 0; i < (size_t)mesh->streams[0].count * 4; i++)
        tangents[i] = sum;
    return tangents[most] + sum;
}

static long reading_and_writing(void *user, bool is_warm)
{
    facet_mesh *mesh = ((const facet_scene *)user)->meshes[0];
    facet_error error;
    facet_stream *stream;
    check(facet_mesh_add_stream(mesh, FACET_CUSTOM, 0, "written", FACET_FLOAT32, 4,
                                mesh->streams[0].count, &stream, &error),
          &error);
    mesh->stream_count--; /* not an input; the process ends after this */
    float *tangents = stream->data, sum = is_warm ? pass_over(mesh, tangents) : 0;
    bench_start();
    sum += pass_over(mesh, tangents);
    bench_stop();
    return sum != 0;
}

static long to_fresh_memory(void *user)
{
    return reading_and_writing(user, false);
}

static long to_warm_memory(void *user)
{
    return reading_and_writing(user, true);
}

int main(int argc, char **argv)
{
    const char *number = getenv("TRIANGLES");
    bool has_obj = argc > 1 && strlen(argv[1]) > 4 && !strcmp(strchr(argv[1], 0) - 4, ".obj");
    facet_scene *scene =
        has_obj ? read_obj(argv[1]) : make_grid(number ? (uint32_t)atol(number) : 1000000);
    facet_scene *half = make_grid(scene->meshes[0]->face_count / 2);
    bench_job jobs[] = {
        {.name = "one thread", .run = with_one_thread, .user = scene},
        {.name = "two threads", .run = with_two_threads, .user = scene},
        {.name = "a half in each of two processes",
         .run = with_one_thread,
         .user = half,
         .copies = 2},
        {.name = "inputs read, fresh memory written", .run = to_fresh_memory, .user = scene},
        {.name = "inputs read, warm memory written", .run = to_warm_memory, .user = scene}};
    char title[96];
    snprintf(title, sizeof title, "tangents of %u triangles, %u vertices",
             (unsigned)scene->meshes[0]->face_count, (unsigned)scene->meshes[0]->streams[0].count);
    bench_compare(title, jobs, sizeof jobs / sizeof *jobs, REPEATS, 0);
    facet_scene_free(half);
    facet_scene_free(scene);
    return 0;
}
