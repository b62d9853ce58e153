/* bench/bench_bga.c - benchmark of BGA.
 *
 * - View, check and change the byte order, compared with memcpy and with the minimal loops of
 *   support/loops.h.
 * - The table of the format's own benchmark: the same mesh as BGA, OBJ, JSON, glTF and GLB,
 *   loaded by Facet and by JavaScript loaders in Node.
 *
 *   bench_bga [FOLDER]
 *
 * The mesh is a wavy grid of a million triangles (TRIANGLES in the environment), with a normal per
 * vertex. FACET_NPM is the folder that contains node_modules. */
#include "formats/bga/bga.h"
#include "support/bench.h"
#include "support/loops.h"

#include <facet/facet.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define REPEATS 5
#define VIEWS 20000

/* -- The mesh ----------------------------------------------------------- */

typedef struct grid {
    uint32_t side, vertex_count, triangle_count;
    float *vertices; /* position and normal, 3 floats each */
    uint32_t *cells;
} grid;

static void *take(size_t count, size_t size)
{
    void *memory = malloc(count * size);
    if (!memory)
        exit(1);
    return memory;
}

static grid make_grid(uint32_t triangles)
{
    grid g = {(uint32_t)sqrt(triangles / 2.0) + 1, 0, 0, NULL, NULL};
    g.vertex_count = g.side * g.side;
    g.triangle_count = (g.side - 1) * (g.side - 1) * 2;
    float *v = g.vertices = take(g.vertex_count, 6 * sizeof *v);
    uint32_t *c = g.cells = take(g.triangle_count, 3 * sizeof *c);
    for (uint32_t i = 0; i < g.vertex_count; i++) {
        double x = i % g.side / (g.side - 1.0), z = i / g.side / (g.side - 1.0);
        double dx = 2 * cos(40 * x) * cos(31 * z), dz = -1.55 * sin(40 * x) * sin(31 * z);
        double length = sqrt(dx * dx + dz * dz + 1);
        *v++ = (float)x, *v++ = (float)(0.05 * sin(40 * x) * cos(31 * z)), *v++ = (float)z;
        *v++ = (float)(-dx / length), *v++ = (float)(1 / length), *v++ = (float)(-dz / length);
    }
    for (uint32_t i = 0; i < g.triangle_count / 2; i++) {
        uint32_t a = i / (g.side - 1) * g.side + i % (g.side - 1), b = a + 1, d = a + g.side;
        *c++ = a, *c++ = d, *c++ = b;
        *c++ = b, *c++ = d, *c++ = d + 1;
    }
    return g;
}

/* -- The files ---------------------------------------------------------- */

static void check(facet_status status, const facet_error *error)
{
    if (status) {
        fprintf(stderr, "bench_bga: %s\n", error->message);
        exit(1);
    }
}

static facet_output *write_bga(const grid *g, bool big_endian)
{
    static facet_bga bga;
    facet_options options = {0};
    facet_output *output;
    facet_error error;
    facet_bga_options how = {.big_endian = big_endian};
    options.bga = &how;
    facet_bga_begin(&bga);
    check(facet_bga_add_buffer(&bga, "vertex", g->vertex_count, &error), &error);
    check(facet_bga_add_attribute(&bga, "position", FACET_BGA_VEC3, 1, g->vertices, 24, &error),
          &error);
    check(facet_bga_add_attribute(&bga, "normal", FACET_BGA_VEC3, 1, g->vertices + 3, 24, &error),
          &error);
    check(facet_bga_add_buffer(&bga, "triangle", g->triangle_count, &error), &error);
    check(facet_bga_add_attribute(&bga, "cell", FACET_BGA_UINT32, 3, g->cells, 0, &error), &error);
    check(facet_output_open_memory(NULL, &output, &error), &error);
    check(facet_bga_write(&bga, &options, output, &error), &error);
    check(facet_output_commit(output, &error), &error);
    return output;
}

static FILE *create(const char *folder, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    if (!file) {
        fprintf(stderr, "bench_bga: cannot write '%s'\n", path);
        exit(1);
    }
    return file;
}

static void write_obj(const grid *g, FILE *file)
{
    for (uint32_t i = 0; i < g->vertex_count; i++) {
        const float *v = g->vertices + i * 6;
        fprintf(file, "v %.9g %.9g %.9g\nvn %.9g %.9g %.9g\n", (double)v[0], (double)v[1],
                (double)v[2], (double)v[3], (double)v[4], (double)v[5]);
    }
    for (uint32_t i = 0; i < g->triangle_count; i++) {
        const uint32_t *c = g->cells + i * 3;
        fprintf(file, "f %u//%u %u//%u %u//%u\n", c[0] + 1, c[0] + 1, c[1] + 1, c[1] + 1, c[2] + 1,
                c[2] + 1);
    }
    fclose(file);
}

static void write_json(const grid *g, FILE *file)
{
    fprintf(file, "{\"positions\":[");
    for (uint32_t i = 0; i < g->vertex_count; i++) {
        const float *v = g->vertices + i * 6;
        fprintf(file, "%s[%.9g,%.9g,%.9g]", i ? "," : "", (double)v[0], (double)v[1], (double)v[2]);
    }
    fprintf(file, "],\"normals\":[");
    for (uint32_t i = 0; i < g->vertex_count; i++) {
        const float *v = g->vertices + i * 6;
        fprintf(file, "%s[%.9g,%.9g,%.9g]", i ? "," : "", (double)v[3], (double)v[4], (double)v[5]);
    }
    fprintf(file, "],\"cells\":[");
    for (uint32_t i = 0; i < g->triangle_count; i++)
        fprintf(file, "%s[%u,%u,%u]", i ? "," : "", g->cells[i * 3], g->cells[i * 3 + 1],
                g->cells[i * 3 + 2]);
    fprintf(file, "]}\n");
    fclose(file);
}

/* Write the JSON of a glTF whose only buffer has the vertices and cells; `uri` is its property or
 * "". */
static size_t gltf_json(const grid *g, const char *uri, char *text, size_t space)
{
    size_t vertices = g->vertex_count * (size_t)24, cells = g->triangle_count * (size_t)12;
    return (size_t)snprintf(
        text, space,
        "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],"
        "\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,"
        "\"NORMAL\":1},\"indices\":2}]}],\"accessors\":["
        "{\"bufferView\":0,\"componentType\":5126,\"count\":%u,\"type\":\"VEC3\","
        "\"min\":[0,-0.05,0],\"max\":[1,0.05,1]},"
        "{\"bufferView\":0,\"byteOffset\":12,\"componentType\":5126,\"count\":%u,"
        "\"type\":\"VEC3\"},"
        "{\"bufferView\":1,\"componentType\":5125,\"count\":%u,\"type\":\"SCALAR\"}],"
        "\"bufferViews\":[{\"buffer\":0,\"byteLength\":%zu,\"byteStride\":24,\"target\":34962},"
        "{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu,\"target\":34963}],"
        "\"buffers\":[{%s\"byteLength\":%zu}]}",
        g->vertex_count, g->vertex_count, g->triangle_count * 3, vertices, vertices, cells, uri,
        vertices + cells);
}

static void write_word(FILE *file, size_t word)
{
    uint8_t bytes[4] = {(uint8_t)word, (uint8_t)(word >> 8), (uint8_t)(word >> 16),
                        (uint8_t)(word >> 24)};
    fwrite(bytes, 1, 4, file);
}

static void write_buffer(const grid *g, FILE *file)
{
    fwrite(g->vertices, 24, g->vertex_count, file);
    fwrite(g->cells, 12, g->triangle_count, file);
}

static void write_gltf(const grid *g, const char *folder)
{
    char json[2000];
    size_t bytes = g->vertex_count * (size_t)24 + g->triangle_count * (size_t)12;
    FILE *file = create(folder, "mesh.gltf");
    gltf_json(g, "\"uri\":\"mesh.bin\",", json, sizeof json);
    fputs(json, file);
    fclose(file);
    file = create(folder, "mesh.bin");
    write_buffer(g, file);
    fclose(file);

    size_t length = gltf_json(g, "", json, sizeof json), padded = (length + 3) / 4 * 4;
    file = create(folder, "mesh.glb");
    fwrite("glTF", 1, 4, file);
    write_word(file, 2);
    write_word(file, 12 + 8 + padded + 8 + bytes);
    write_word(file, padded);
    fwrite("JSON", 1, 4, file);
    fprintf(file, "%s%*s", json, (int)(padded - length), "");
    write_word(file, bytes);
    fwrite("BIN\0", 1, 4, file);
    write_buffer(g, file);
    fclose(file);
}

/* -- Compared with memcpy ----------------------------------------------- */

typedef struct block {
    const uint8_t *data;
    size_t size;
    uint8_t *target;
    unsigned threads;
} block;

static long copy(void *user)
{
    block *b = user;
    memset(b->target, 1, b->size); /* touch all pages before the measurement */
    bench_start();
    for (int i = 0; i < REPEATS; i++) {
        memcpy(b->target, b->data, b->size);
        __asm__ volatile("" ::"r"(b->target) : "memory");
    }
    bench_stop();
    return b->target[b->size / 2];
}

static long swap(const block *b, size_t size)
{
    memset(b->target, 1, b->size);
    bench_start();
    for (int i = 0; i < REPEATS; i++)
        facet_bga_swap(b->target, b->data, b->size / size, size);
    bench_stop();
    return b->target[b->size / 2];
}

static long swap_2(void *user)
{
    return swap(user, 2);
}

static long swap_4(void *user)
{
    return swap(user, 4);
}

static long read_all(void *user)
{
    const block *b = user;
    long sum = 0;
    for (int i = -1; i < REPEATS; i++) {
        if (i == 0)
            bench_start();
        sum += bench_read_all(b->data, b->size);
    }
    bench_stop();
    return sum;
}

/* Load the position and normal of each corner, and mark its vertex. */
static long load_and_mark(void *user)
{
    const block *b = user;
    static facet_bga bga;
    facet_error error;
    check(facet_bga_view(b->data, b->size, NULL, &bga, &error), &error);
    const facet_bga_attribute *position = facet_bga_find(&bga, "vertex", "position");
    const facet_bga_attribute *normal = facet_bga_find(&bga, "vertex", "normal");
    const facet_bga_attribute *cell = facet_bga_find(&bga, "triangle", "cell");
    const uint32_t *indices = (const uint32_t *)(const void *)cell->data;
    uint32_t *used = take((size_t)position->count, sizeof *used);
    memset(used, 0, (size_t)position->count * sizeof *used);
    size_t count = (size_t)cell->count * 3;
    long sum = 0;
    for (int i = -1; i < REPEATS; i++) {
        if (i == 0)
            bench_start();
        sum += bench_load_corners(indices, count, position->data, normal->data, 24);
        bench_mark_corners(indices, count, used);
    }
    bench_stop();
    free(used);
    return sum;
}

static long full_check(void *user)
{
    block *b = user;
    facet_source source = {0};
    facet_error error;
    facet_report *report;
    source.data = b->data;
    source.size = b->size;
    facet_options options = {0};
    if (b->threads > 1)
        check(facet_threads_create(b->threads, &options.threads, &error), &error);
    long errors = 0;
    for (int i = -1; i < REPEATS; i++) {
        if (i == 0)
            bench_start();
        check(facet_report_create(NULL, &report, &error), &error);
        check(facet_check(&source, facet_format_named("bga"), &options, report, &error), &error);
        errors += (long)facet_report_severity_count(report, FACET_SEVERITY_ERROR);
        facet_report_free(report);
    }
    bench_stop();
    facet_threads_free(options.threads);
    return errors;
}

static void time_view(const block *b)
{
    static facet_bga bga;
    double best = 1e9;
    for (int round = 0; round < 5; round++) {
        double start = bench_now();
        for (int i = 0; i < VIEWS; i++)
            check(facet_bga_view(b->data, b->size, NULL, &bga, NULL), NULL);
        double each = (bench_now() - start) / VIEWS;
        best = each < best ? each : best;
    }
    printf("\nview of %.1f MB: %.2f microseconds\n", (double)b->size / 1e6, best * 1e6);
}

/* -- Loading ------------------------------------------------------------ */

static long load(void *user)
{
    facet_file *file;
    facet_scene *scene;
    facet_error error;
    if (facet_file_open(user, NULL, &file, &error))
        return -1;
    facet_source source = facet_file_source(file);
    if (facet_load(&source, NULL, NULL, NULL, &scene, &error))
        return -1;
    long faces = scene->meshes[0]->face_count;
    facet_scene_free(scene);
    facet_file_close(file);
    return faces;
}

static long view_file(void *user)
{
    static facet_bga bga;
    facet_file *file;
    facet_error error;
    check(facet_file_open(user, NULL, &file, &error), &error);
    check(facet_bga_view(facet_file_source(file).data, facet_file_source(file).size, NULL, &bga,
                         &error),
          &error);
    long count = (long)bga.buffers[0].count;
    facet_file_close(file);
    return count;
}

static void compare_loading(const char *folder)
{
    static const char *const names[] = {"mesh.bga", "mesh.bga", "mesh.obj", "mesh.gltf",
                                        "mesh.glb"};
    static const char *const titles[] = {"view mesh.bga", "load mesh.bga", "load mesh.obj",
                                         "load mesh.gltf", "load mesh.glb"};
    char paths[5][4096];
    bench_job jobs[5];
    size_t count = 0;
    memset(jobs, 0, sizeof jobs);
    for (size_t i = 0; i < 5; i++) {
        const char *dot = strrchr(names[i], '.');
        const facet_format *format = facet_format_named(dot + 1);
        if (!format)
            format = facet_format_from_path(names[i]);
        if (!format || !facet_format_can_read(format))
            continue;
        snprintf(paths[i], sizeof paths[i], "%s/%s", folder, names[i]);
        jobs[count].name = titles[i];
        jobs[count].run = i == 0 ? view_file : load;
        jobs[count++].user = paths[i];
    }
    bench_compare("The same mesh in five formats, loaded by Facet", jobs, count, 5, 0);
}

static void run_node(const char *folder)
{
    char command[9000];
    const char *npm = getenv("FACET_NPM");
    if (!npm || system("node --version >/dev/null 2>&1") != 0) {
        printf("\nnode or FACET_NPM is missing: no JavaScript loaders\n");
        return;
    }
    snprintf(command, sizeof command,
             "node --max-old-space-size=4096 '%s/bga_loaders.mjs' '%s' '%s'", FACET_BENCH_SOURCE,
             npm, folder);
    fflush(stdout);
    if (system(command) != 0)
        printf("the JavaScript loaders failed\n");
}

int main(int count, char **arguments)
{
    const char *folder = count > 1 ? arguments[1] : "/tmp";
    const char *wanted = getenv("TRIANGLES");
    grid g = make_grid(wanted ? (uint32_t)strtoul(wanted, NULL, 10) : 1000000);
    facet_output *little = write_bga(&g, false), *big = write_bga(&g, true);
    block host = {facet_output_data(little), (size_t)facet_output_size(little), NULL, 1};
    block foreign = {facet_output_data(big), (size_t)facet_output_size(big), NULL, 1};
    host.target = foreign.target = take(host.size, 1);
    block host_by_two = host, foreign_by_two = foreign;
    host_by_two.threads = foreign_by_two.threads = 2;
    bench_job jobs[] = {
        {.name = "memcpy", .run = copy, .user = &host},
        {.name = "swap values of 4 bytes", .run = swap_4, .user = &host},
        {.name = "swap values of 2 bytes", .run = swap_2, .user = &host},
        {.name = "reading all bytes", .run = read_all, .user = &host},
        {.name = "loading and marking what corners point to", .run = load_and_mark, .user = &host},
        {.name = "check, host's byte order", .run = full_check, .user = &host},
        {.name = "check, other byte order", .run = full_check, .user = &foreign},
        {.name = "check, host's, two threads", .run = full_check, .user = &host_by_two},
        {.name = "check, other, two threads", .run = full_check, .user = &foreign_by_two},
    };
    bench_compare("BGA beside memcpy, all in warm memory", jobs, sizeof jobs / sizeof *jobs, 7,
                  (double)host.size * REPEATS);
    time_view(&host);

    FILE *file = create(folder, "mesh.bga");
    fwrite(host.data, 1, host.size, file);
    fclose(file);
    facet_output_free(little);
    facet_output_free(big);
    free(host.target);
    write_obj(&g, create(folder, "mesh.obj"));
    write_json(&g, create(folder, "mesh.json"));
    write_gltf(&g, folder);
    free(g.vertices);
    free(g.cells);
    compare_loading(folder);
    run_node(folder);
    return 0;
}
