/* bench/bench_binarymesh.c - benchmark of BinaryMesh: read and write, compared with only LZ4; read
 * to a welded mesh, compared with assimp's import of the same mesh from OBJ.
 *
 *   bench_binarymesh [FOLDER-FOR-THE-OBJ]
 *
 * The mesh is a wavy grid of a million triangles (TRIANGLES in the environment) with a normal and a
 * texture coordinate per vertex. */
#include "base/allocator.h"
#include "base/arena.h"
#include "base/bytes.h"
#include "formats/binarymesh/binarymesh.h"
#include "support/bench.h"

#include <facet/facet.h>
#include <lz4.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef HAVE_ASSIMP
#include <assimp/cimport.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#endif

#define HEADER 12
#define BLOCK_HEADER 16
#define BLOCK ((size_t)256 * 1024)

static void fail(const facet_error *error)
{
    fprintf(stderr, "bench_binarymesh: %s\n", error->message);
    exit(1);
}

/* -- The mesh ------------------------------------------------------------- */

static void *take(facet_binarymesh *document, size_t count, size_t size)
{
    void *memory = facet_arena_allocate(document->arena, count, size);
    if (!memory)
        exit(1);
    return memory;
}

static void fill_vertices(facet_binarymesh_object *object, uint32_t side)
{
    float *position = object->positions, *normal = object->normals, *texcoord = object->texcoords;
    for (uint32_t row = 0; row < side; row++) {
        for (uint32_t column = 0; column < side; column++) {
            double u = column / (side - 1.0), v = row / (side - 1.0);
            double height = 0.05 * sin(40 * u) * cos(31 * v);
            double slope_u = 2 * cos(40 * u) * cos(31 * v);
            double slope_v = -1.55 * sin(40 * u) * sin(31 * v);
            double length = sqrt(slope_u * slope_u + slope_v * slope_v + 1);
            *position++ = (float)u, *position++ = (float)height, *position++ = (float)v;
            *normal++ = (float)(-slope_u / length), *normal++ = (float)(1 / length);
            *normal++ = (float)(-slope_v / length);
            *texcoord++ = (float)u, *texcoord++ = (float)v;
        }
    }
}

static void fill_faces(facet_binarymesh_object *object, uint32_t side)
{
    uint32_t *index = object->position_indices;
    for (uint32_t row = 0; row + 1 < side; row++) {
        for (uint32_t column = 0; column + 1 < side; column++) {
            uint32_t a = row * side + column, b = a + 1, c = a + side, d = c + 1;
            *index++ = a, *index++ = c, *index++ = b;
            *index++ = b, *index++ = c, *index++ = d;
        }
    }
}

static facet_binarymesh *make_grid(uint32_t triangles)
{
    facet_error error;
    facet_binarymesh *document;
    if (facet_binarymesh_create(false, NULL, &document, &error))
        fail(&error);
    uint32_t side = (uint32_t)sqrt(triangles / 2.0) + 1;
    facet_binarymesh_object *object = take(document, 1, sizeof *object);
    memset(object, 0, sizeof *object);
    object->name.text = "grid";
    object->name.length = 4;
    object->position_count = object->normal_count = object->texcoord_count = side * side;
    object->positions = take(document, side * side, 12);
    object->normals = take(document, side * side, 12);
    object->texcoords = take(document, side * side, 8);
    object->face_count = (side - 1) * (side - 1) * 2;
    object->corner_count = object->face_count * 3;
    object->position_indices = take(document, object->corner_count, 4);
    object->normal_indices = object->texcoord_indices = object->position_indices;
    fill_vertices(object, side);
    fill_faces(object, side);
    document->objects = object;
    document->object_count = 1;
    return document;
}

static facet_output *write_grid(const facet_binarymesh *document, uint32_t version)
{
    facet_error error;
    facet_output *output;
    facet_options write = {.format_version = version};
    if (facet_output_open_memory(NULL, &output, &error) ||
        facet_binarymesh_write(document, &write, output, &error) ||
        facet_output_commit(output, &error))
        fail(&error);
    return output;
}

#ifdef HAVE_ASSIMP
static void write_obj(const facet_binarymesh_object *object, const char *path)
{
    FILE *file = fopen(path, "w");
    if (!file)
        exit(1);
    const float *position = object->positions, *normal = object->normals;
    const float *texcoord = object->texcoords;
    for (uint32_t i = 0; i < object->position_count; i++, position += 3)
        fprintf(file, "v %.6f %.6f %.6f\n", position[0], position[1], position[2]);
    for (uint32_t i = 0; i < object->normal_count; i++, normal += 3)
        fprintf(file, "vn %.4f %.4f %.4f\n", normal[0], normal[1], normal[2]);
    for (uint32_t i = 0; i < object->texcoord_count; i++, texcoord += 2)
        fprintf(file, "vt %.6f %.6f\n", texcoord[0], texcoord[1]);
    for (uint32_t corner = 0; corner < object->corner_count; corner++) {
        uint32_t index = object->position_indices[corner] + 1;
        fprintf(file, "%s %u/%u/%u%s", corner % 3 ? "" : "f", index, index, index,
                corner % 3 == 2 ? "\n" : "");
    }
    fclose(file);
}
#endif

/* -- Jobs ----------------------------------------------------------------- */

typedef struct job {
    const facet_binarymesh *document;
    const uint8_t *file, *data; /* compressed and decompressed */
    size_t size, data_size;
    const facet_threads *threads;
    const char *obj;
} job;

static long decode(void *user)
{
    const job *j = user;
    facet_options options = {.threads = j->threads};
    facet_error error;
    facet_binarymesh *document;
    if (facet_binarymesh_read(&(facet_source){.data = j->file, .size = j->size}, &options,
                              &document, &error))
        return -1;
    return document->objects[0].corner_count;
}

static long decode_threads(void *user)
{
    job j = *(const job *)user;
    facet_error error;
    if (facet_threads_create(2, &j.threads, &error))
        return -1;
    bench_start();
    long result = decode(&j);
    bench_stop();
    return result;
}

/* Decompress all blocks, one after the other, into new memory like that of a document. */
static long lz4_decode(void *user)
{
    const job *j = user;
    uint64_t total = 0;
    for (size_t at = HEADER; at < j->size; at += BLOCK_HEADER + facet_load_u64le(j->file + at + 8))
        total += facet_load_u64le(j->file + at);
    const facet_allocator *allocator = facet_allocator_or_default(NULL);
    char *data = allocator->allocate(allocator->user, total);
    size_t used = 0;
    for (size_t at = HEADER; at < j->size;) {
        int size = (int)facet_load_u64le(j->file + at);
        int compressed = (int)facet_load_u64le(j->file + at + 8);
        if (LZ4_decompress_safe((const char *)j->file + at + BLOCK_HEADER, data + used, compressed,
                                size) != size)
            return -1;
        used += (size_t)size;
        at += BLOCK_HEADER + (size_t)compressed;
    }
    return data[used / 2] & 1;
}

/* Decompression of the first and the second half of the blocks, by two threads. */
typedef struct half {
    const job *j;
    char *data;
    int failed[2];
} half;

static void lz4_decode_half(void *user, size_t index)
{
    half *h = user;
    size_t used = 0, middle = h->j->data_size / 2;
    for (size_t at = HEADER; at < h->j->size;) {
        int size = (int)facet_load_u64le(h->j->file + at);
        int compressed = (int)facet_load_u64le(h->j->file + at + 8);
        if ((used >= middle) == (index == 1) &&
            LZ4_decompress_safe((const char *)h->j->file + at + BLOCK_HEADER, h->data + used,
                                compressed, size) != size)
            h->failed[index] = 1;
        used += (size_t)size;
        at += BLOCK_HEADER + (size_t)compressed;
    }
}

/* The gain of a second thread if there is only LZ4 and new memory. */
static long lz4_decode_threads(void *user)
{
    facet_error error;
    const facet_threads *threads;
    half h = {.j = user};
    if (facet_threads_create(2, &threads, &error))
        return -1;
    const facet_allocator *allocator = facet_allocator_or_default(NULL);
    bench_start();
    h.data = allocator->allocate(allocator->user, h.j->data_size);
    threads->run(threads->user, lz4_decode_half, &h, 2);
    bench_stop();
    return h.failed[0] || h.failed[1] ? -1 : h.data[h.j->data_size / 2] & 1;
}

/* Decompress all blocks into the same buffer: no new memory, no result. */
static long lz4_decode_warm(void *user)
{
    const job *j = user;
    static char data[1 << 20];
    for (size_t at = HEADER; at < j->size;) {
        int size = (int)facet_load_u64le(j->file + at);
        int compressed = (int)facet_load_u64le(j->file + at + 8);
        if (LZ4_decompress_safe((const char *)j->file + at + BLOCK_HEADER, data, compressed,
                                sizeof data) != size)
            return -1;
        at += BLOCK_HEADER + (size_t)compressed;
    }
    return data[100] & 1;
}

static long encode(void *user)
{
    const job *j = user;
    facet_error error;
    facet_output *output;
    facet_options write = {.format_version = 4};
    if (facet_output_open("/dev/null", &output, &error) ||
        facet_binarymesh_write(j->document, &write, output, &error) ||
        facet_output_commit(output, &error))
        return -1;
    return (long)facet_output_size(output);
}

/* Compress the decompressed data of the same file, in blocks of 256 KiB. */
static long lz4_encode(void *user)
{
    const job *j = user;
    static char compressed[LZ4_COMPRESSBOUND(BLOCK)];
    size_t total = 0;
    for (size_t at = 0; at < j->data_size; at += BLOCK) {
        size_t size = j->data_size - at < BLOCK ? j->data_size - at : BLOCK;
        total += (size_t)LZ4_compress_default((const char *)j->data + at, compressed, (int)size,
                                              sizeof compressed);
    }
    return (long)total;
}

static long to_welded_mesh(void *user)
{
    const job *j = user;
    facet_options options = {0};
    facet_error error;
    facet_scene *scene;
    if (facet_load(&(facet_source){.data = j->file, .size = j->size}, NULL, NULL, &options, &scene,
                   &error) ||
        facet_mesh_index(scene->meshes[0], &options, NULL, &error))
        return -1;
    return (long)scene->meshes[0]->streams[0].count;
}

#ifdef HAVE_ASSIMP
static long with_assimp(void *user)
{
    const job *j = user;
    const struct aiScene *scene =
        aiImportFile(j->obj, aiProcess_Triangulate | aiProcess_JoinIdenticalVertices);
    return scene ? (long)scene->mMeshes[0]->mNumVertices : -1;
}
#endif

/* -- The tables ------------------------------------------------------------ */

/* Store the decompressed data of the file in the job. */
static void keep_data(job *j)
{
    uint8_t *data = malloc(256 * j->size);
    for (size_t at = HEADER; at < j->size;) {
        int size = (int)facet_load_u64le(j->file + at);
        int compressed = (int)facet_load_u64le(j->file + at + 8);
        if (!data || LZ4_decompress_safe((const char *)j->file + at + BLOCK_HEADER,
                                         (char *)data + j->data_size, compressed, size) != size)
            exit(1);
        j->data_size += (size_t)size;
        at += BLOCK_HEADER + (size_t)compressed;
    }
    j->data = data;
}

/* Bytes allocated now, and the maximum so far. In the end, the first is the size of the
 * document. */
static size_t held, most_held;

static void *count_allocate(void *user, size_t size)
{
    (void)user;
    held += size;
    most_held = held > most_held ? held : most_held;
    return malloc(size);
}

static void count_release(void *user, void *pointer, size_t size)
{
    (void)user;
    held -= size;
    free(pointer);
}

static void print_memory(const job *j)
{
    static const facet_allocator allocator = {count_allocate, count_release, NULL};
    facet_options options = {.allocator = &allocator};
    facet_error error;
    facet_binarymesh *document;
    if (facet_binarymesh_read(&(facet_source){.data = j->file, .size = j->size}, &options,
                              &document, &error))
        fail(&error);
    printf("\nmemory of reading: %.1f MB, the document's %.1f MB and %.2f blocks\n",
           (double)most_held / 1e6, (double)held / 1e6, (double)(most_held - held) / BLOCK);
    facet_binarymesh_free(document);
}

static void print_ratio(const char *what, const bench_job *ours, const bench_job *theirs)
{
    printf("%s: %.2f of the speed of %s\n", what, theirs->median / ours->median, theirs->name);
}

int main(int count, char **words)
{
    const char *asked = getenv("TRIANGLES");
    uint32_t triangles = asked ? (uint32_t)strtoul(asked, NULL, 10) : 1000000;
    facet_binarymesh *document = make_grid(triangles);
    facet_output *v4 = write_grid(document, 4);
    job j = {
        .document = document, .file = facet_output_data(v4), .size = (size_t)facet_output_size(v4)};
    keep_data(&j);
    facet_binarymesh *half_document = make_grid(triangles / 2);
    facet_output *half_v4 = write_grid(half_document, 4);
    job smaller = {.file = facet_output_data(half_v4), .size = (size_t)facet_output_size(half_v4)};
    bench_job reads[] = {
        {.name = "facet, one thread", .run = decode, .user = &j},
        {.name = "facet, two threads", .run = decode_threads, .user = &j},
        {.name = "facet, a half in each of two processes",
         .run = decode,
         .user = &smaller,
         .copies = 2},
        {.name = "LZ4 alone, into fresh memory", .run = lz4_decode, .user = &j},
        {.name = "LZ4 alone, the same, two threads", .run = lz4_decode_threads, .user = &j},
        {.name = "LZ4 alone, over and over one block", .run = lz4_decode_warm, .user = &j},
    };
    bench_job writes[] = {
        {.name = "facet", .run = encode, .user = &j},
        {.name = "LZ4 alone", .run = lz4_encode, .user = &j},
    };
    bench_compare("BinaryMesh 4 to document", reads, sizeof reads / sizeof *reads, 15,
                  (double)j.data_size);
    print_ratio("binarymesh decode v4", &reads[0], &reads[3]);
    bench_compare("document to BinaryMesh 4", writes, 2, 9, (double)j.data_size);
    print_ratio("binarymesh encode v4", &writes[0], &writes[1]);
    print_memory(&j);
#ifdef HAVE_ASSIMP
    char path[4096];
    snprintf(path, sizeof path, "%s/bench_binarymesh.obj", count > 1 ? words[1] : ".");
    write_obj(&document->objects[0], path);
    j.obj = path;
    bench_job welds[] = {
        {.name = "facet, from BinaryMesh 4", .run = to_welded_mesh, .user = &j},
        {.name = "assimp, the same from OBJ", .run = with_assimp, .user = &j},
    };
    bench_compare("to a welded mesh", welds, 2, 3, 0);
    print_ratio("binarymesh to welded mesh", &welds[0], &welds[1]);
    remove(path);
#else
    (void)count;
    (void)words;
    (void)to_welded_mesh;
#endif
    facet_output_free(half_v4);
    facet_binarymesh_free(half_document);
    facet_output_free(v4);
    facet_binarymesh_free(document);
    return 0;
}
