/* bench/bench_j3d.c - benchmark of reading J3D.
 *
 * - Read document and geometry of a model, compared with memcpy of its file and with only
 *   reading the file and writing the memory of the result.
 * - Corners decoded per second.
 * - The whole process for a model of 5 MB. This part needs both arguments.
 *
 *   bench_j3d [FOLDER FACET]
 *
 * The tests' writer generates the models: sheets in strips, with normals, colors and 16-bit texture
 * coordinates. Textures are 60% of the file, as in games. */
#include "formats/j3d/gpu/geometry.h"
#include "support/bench.h"
#include "support/j3d_make.h"

#include "base/arena.h"
#include "base/bytes.h"
#include <facet/facet.h>
#include <libdeflate.h>
#include <stdio.h>
#include <stdlib.h>

#define ROUNDS 7
#define REPEATS 10

typedef struct subject {
    test_bytes file;
    uint8_t *copy;
    uint64_t corners; /* decoded in one repetition */
    size_t result;    /* bytes of those corners and their vertices */
} subject;

static void check(facet_status status, const facet_error *error)
{
    if (status) {
        fprintf(stderr, "bench_j3d: %s\n", error->message);
        exit(1);
    }
}

/* -- Jobs --------------------------------------------------------------- */

/* Read the file once before the measurement. The job's process shares the memory of its parent, but
 * its first access is slow. */
static long look_at(const subject *s)
{
    long sum = 0;
    for (size_t i = 0; i < s->file.size; i += 64)
        sum += s->file.data[i];
    return sum;
}

static long run_copy(void *user)
{
    subject *s = user;
    memcpy(s->copy, s->file.data, s->file.size);
    long sum = s->copy[0];
    bench_start();
    for (int i = 0; i < REPEATS; i++) {
        memcpy(s->copy, s->file.data, s->file.size);
        sum += s->copy[s->file.size / 2];
    }
    bench_stop();
    return sum;
}

static facet_j3d *read_document(const subject *s)
{
    facet_j3d *document;
    facet_error error;
    facet_source source = facet_source_from_memory(s->file.data, s->file.size, NULL);
    check(facet_j3d_read(&source, NULL, &document, &error), &error);
    return document;
}

static long run_read(void *user)
{
    long sum = look_at(user);
    bench_start();
    for (int i = 0; i < REPEATS; i++) {
        facet_j3d *document = read_document(user);
        sum += document->shapes.count;
        facet_j3d_free(document);
    }
    bench_stop();
    return sum;
}

static void *take(facet_arena *arena, size_t count, size_t size)
{
    void *memory = facet_arena_allocate(arena, count, size);
    if (!memory)
        exit(1);
    return memory;
}

/* Copy a shape's triangles and streams, as a scene would store them. */
static void keep(const facet_j3d_geometry *g, facet_arena *arena)
{
    size_t corners = (size_t)g->triangle_count * 3, vertices = g->vertex_count;
    memcpy(take(arena, corners, 4), g->corners, corners * 4);
    facet_j3d_geometry_positions(g, take(arena, vertices, 12));
    facet_j3d_geometry_normals(g, take(arena, vertices, 12));
    facet_j3d_geometry_colors(g, 0, take(arena, vertices, 4));
    facet_j3d_geometry_texcoords(g, 0, NULL, take(arena, vertices, 8));
}

static size_t bytes_of(const facet_j3d_geometry *g)
{
    return (size_t)g->triangle_count * 12 + (size_t)g->vertex_count * 36;
}

/* Decode all shapes. Returns the number of corners; *result is the size of the stored data. */
static uint64_t decode(const facet_j3d *document, size_t *result)
{
    facet_j3d_decoder decoder = {0};
    facet_arena *arena;
    facet_error error;
    uint64_t corners = 0;
    check(facet_arena_create(NULL, &arena, &error), &error);
    *result = 0;
    decoder.document = document;
    decoder.arena = arena; /* scratch and result share fresh pages */
    for (uint32_t i = 0; i < document->shapes.count; i++) {
        facet_j3d_geometry geometry;
        check(facet_j3d_decode_shape(&decoder, i, &geometry, &error), &error);
        keep(&geometry, arena);
        *result += bytes_of(&geometry);
        corners += (uint64_t)geometry.triangle_count * 3;
    }
    facet_j3d_decoder_free(&decoder);
    facet_arena_free(arena);
    return corners;
}

static long run_all(void *user)
{
    long sum = look_at(user);
    size_t result;
    bench_start();
    for (int i = 0; i < REPEATS; i++) {
        facet_j3d *document = read_document(user);
        sum += (long)decode(document, &result);
        facet_j3d_free(document);
    }
    bench_stop();
    return sum;
}

/* The library's function for this. It also returns the matrix of each vertex, and checks the
 * document. */
static long run_meshes(void *user)
{
    long sum = look_at(user);
    facet_error error;
    bench_start();
    for (int i = 0; i < REPEATS; i++) {
        facet_j3d *document = read_document(user);
        facet_j3d_meshes *meshes;
        check(facet_j3d_decode(document, NULL, &meshes, &error), &error);
        sum += (long)meshes->count;
        facet_j3d_meshes_free(meshes);
        facet_j3d_free(document);
    }
    bench_stop();
    return sum;
}

static long run_geometry(void *user)
{
    facet_j3d *document = read_document(user);
    long sum = 0;
    size_t result;
    bench_start();
    for (int i = 0; i < REPEATS; i++)
        sum += (long)decode(document, &result);
    bench_stop();
    facet_j3d_free(document);
    return sum;
}

/* The minimum of any decoder: read the bytes of the file once, and write new memory of the size of
 * the result once. */
static long run_limit(void *user)
{
    enum { PIECE = 200000 }; /* about the size of a stream of a shape */
    const subject *s = user;
    long sum = look_at(user);
    bench_start();
    for (int i = 0; i < REPEATS; i++) {
        facet_arena *arena;
        facet_error error;
        uint64_t word;
        check(facet_arena_create(NULL, &arena, &error), &error);
        for (size_t at = 0; at + sizeof word <= s->file.size; at += sizeof word) {
            memcpy(&word, s->file.data + at, sizeof word);
            sum += (long)(word & 0xFF);
        }
        for (size_t done = 0; done < s->result; done += PIECE)
            memset(take(arena, PIECE, 1), i, PIECE);
        facet_arena_free(arena);
    }
    bench_stop();
    return sum;
}

/* -- Models ------------------------------------------------------------- */

static subject make(uint32_t triangles, bool skinned, size_t texture_bytes)
{
    subject s;
    test_j3d *model = test_j3d_sheets(triangles, skinned, texture_bytes);
    s.file = test_j3d_write(model, FACET_J3D_BMD3);
    test_j3d_free(model);
    s.copy = malloc(s.file.size);
    if (!s.copy)
        exit(1);
    memset(s.copy, 1, s.file.size);
    facet_j3d *document = read_document(&s);
    s.corners = decode(document, &s.result);
    facet_j3d_free(document);
    return s;
}

static void measure(const char *what, subject *s)
{
    bench_job jobs[] = {{.name = "document and geometry", .run = run_all, .user = s},
                        {.name = "facet_j3d_read, facet_j3d_decode", .run = run_meshes, .user = s},
                        {.name = "document alone", .run = run_read, .user = s},
                        {.name = "memcpy of the file", .run = run_copy, .user = s},
                        {.name = "file read, result's memory filled", .run = run_limit, .user = s}};
    bench_job geometry = {.name = "geometry alone", .run = run_geometry, .user = s};
    char title[160];
    snprintf(title, sizeof title, "Reading %s of %.1f MB, %.0f,000 triangles, %d times", what,
             (double)s->file.size / 1e6, (double)s->corners / 3000, REPEATS);
    bench_compare(title, jobs, 5, ROUNDS, (double)s->file.size * REPEATS);
    snprintf(title, sizeof title, "The geometry of that");
    bench_compare(title, &geometry, 1, ROUNDS, (double)s->file.size * REPEATS);
    printf("  %.0f million corners a second\n",
           (double)s->corners * REPEATS / geometry.median / 1e6);
}

/* -- The cost of PNG ---------------------------------------------------- */

#define MAX_PICTURES 64
#define PNG_LEVEL 5 /* the level of libdeflate that Facet uses */

/* The input of libdeflate for the PNG images of a file: filtered rows. */
typedef struct pictures {
    uint8_t *rows[MAX_PICTURES];
    size_t sizes[MAX_PICTURES], count;
} pictures;

static void collect_rows(const facet_image *image, pictures *all)
{
    size_t size = ((size_t)image->width * image->channels + 1) * image->height, used = 0;
    uint8_t *packed = malloc(image->size), *rows = malloc(size);
    if (!packed || !rows || all->count == MAX_PICTURES)
        exit(1);
    for (size_t at = 8; at + 12 <= image->size; at += 12 + facet_load_u32be(image->data + at)) {
        if (memcmp(image->data + at + 4, "IDAT", 4) != 0)
            continue;
        memcpy(packed + used, image->data + at + 8, facet_load_u32be(image->data + at));
        used += facet_load_u32be(image->data + at);
    }
    struct libdeflate_decompressor *inflate = libdeflate_alloc_decompressor();
    if (libdeflate_zlib_decompress(inflate, packed, used, rows, size, NULL))
        exit(1);
    libdeflate_free_decompressor(inflate);
    free(packed);
    all->rows[all->count] = rows;
    all->sizes[all->count++] = size;
}

static void collect_pictures(const char *path, pictures *all)
{
    facet_file *file;
    facet_scene *scene;
    facet_error error;
    check(facet_file_open(path, NULL, &file, &error), &error);
    facet_source source = facet_file_source(file);
    check(facet_load(&source, NULL, NULL, NULL, &scene, &error), &error);
    for (uint32_t i = 0; i < scene->image_count; i++) {
        facet_image *image = scene->images[i];
        check(facet_image_decode(scene->arena, image, NULL, &error), &error); /* sets its size */
        collect_rows(image, all);
    }
    facet_scene_free(scene);
    facet_file_close(file);
}

/* Compress every second picture: two processes do as much as Facet does for all. */
static long deflate_half(void *user)
{
    const pictures *all = user;
    long bytes = 0;
    struct libdeflate_compressor *deflate = libdeflate_alloc_compressor(PNG_LEVEL);
    for (size_t i = 0; i < all->count; i += 2) {
        size_t space = libdeflate_zlib_compress_bound(deflate, all->sizes[i]);
        void *to = malloc(space);
        bytes += (long)libdeflate_zlib_compress(deflate, all->rows[i], all->sizes[i], to, space);
        free(to);
    }
    libdeflate_free_compressor(deflate);
    return bytes;
}

static void measure_process(const char *folder, const char *program)
{
    static char model[4096], result[4096];
    subject s = make(80000, true, 3000000);
    snprintf(model, sizeof model, "%s/model.bmd", folder);
    snprintf(result, sizeof result, "%s/model.glb", folder);
    FILE *file = fopen(model, "wb");
    if (!file || fwrite(s.file.data, 1, s.file.size, file) != s.file.size || fclose(file) != 0) {
        fprintf(stderr, "bench_j3d: cannot write '%s'\n", model);
        exit(1);
    }
    const char *const info[] = {program, "info", model, NULL};
    const char *const check_file[] = {program, "check", model, NULL};
    const char *const convert[] = {program, "convert", model, result, NULL};
    bench_job jobs[] = {{.name = "facet info", .command = info},
                        {.name = "facet check", .command = check_file},
                        {.name = "facet convert to GLB", .command = convert}};
    char title[100];
    snprintf(title, sizeof title, "Whole processes, a model of %.1f MB", (double)s.file.size / 1e6);
    bench_compare(title, jobs, 3, ROUNDS, 0);
    static pictures all;
    collect_pictures(result, &all);
    bench_job deflate = {.name = "libdeflate alone, a half in each of two processes",
                         .run = deflate_half,
                         .user = &all,
                         .copies = 2};
    bench_compare("What is compressed in that", &deflate, 1, ROUNDS, 0);
    for (size_t i = 0; i < all.count; i++)
        free(all.rows[i]);
    test_bytes_free(&s.file);
    free(s.copy);
}

int main(int argc, char **argv)
{
    subject s = make(80000, true, 3000000);
    measure("a skinned model", &s);
    test_bytes_free(&s.file);
    free(s.copy);
    s = make(300000, false, 0);
    measure("a model without textures", &s);
    test_bytes_free(&s.file);
    free(s.copy);
    if (argc > 2)
        measure_process(argv[1], argv[2]);
    return 0;
}
