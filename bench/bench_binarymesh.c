/* Reading and writing BinaryMesh beside LZ4 alone, and the way to a welded mesh
 * beside assimp's import of the same mesh from OBJ.
 *
 *   bench_binarymesh [FOLDER-FOR-THE-OBJ]
 *
 * The mesh is a wavy grid of a million triangles (TRIANGLES in the environment)
 * with a normal and a texture coordinate per vertex. */
#include "base/arena.h"
#include "base/bytes.h"
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

static void fail(const facet_error *error)
{
    fprintf(stderr, "bench_binarymesh: %s\n", error->message);
    exit(1);
}

/* -- The mesh ------------------------------------------------------------- */

static void *take(facet_binarymesh *document, size_t count, size_t size)
{
    void *memory = facet_binarymesh_allocate(document, count, size);
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
    facet_binarymesh_write_options write = {version};
    if (facet_output_open_memory(NULL, &output, &error) ||
        facet_binarymesh_write(document, &write, NULL, output, &error) ||
        facet_output_commit(output, &error))
        fail(&error);
    return output;
}

/* -- Jobs ----------------------------------------------------------------- */

typedef struct job {
    const facet_binarymesh *document;
    const uint8_t *file;
    size_t size;
    const facet_threads *threads;
    const char *obj;
} job;

static long decode(void *user)
{
    const job *j = user;
    facet_options options = {.threads = j->threads};
    facet_error error;
    facet_binarymesh *document;
    if (facet_binarymesh_read(j->file, j->size, &options, &document, &error))
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

/* All the blocks, one behind the other in memory that was never touched, as the
 * document's is. */
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

/* All the blocks, each over the one before: no memory is touched for the first
 * time, and nothing is kept. */
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

static long to_nowhere(void *user, facet_output **output)
{
    (void)user;
    facet_error error;
    facet_file *file;
    (void)file;
    return facet_output_open("/dev/null", output, &error) ? -1 : 0;
}

static long encode(void *user)
{
    const job *j = user;
    facet_error error;
    facet_output *output;
    facet_binarymesh_write_options write = {4};
    if (to_nowhere(user, &output) ||
        facet_binarymesh_write(j->document, &write, NULL, output, &error) ||
        facet_output_commit(output, &error))
        return -1;
    return (long)facet_output_size(output);
}

/* The bytes of the version 1 layout of the same data in single precision are
 * made before the clock starts; then LZ4 has only to compress them. */
static long lz4_encode(void *user)
{
    const job *j = user;
    static char compressed[LZ4_COMPRESSBOUND(1 << 20)];
    size_t total = 0;
    for (size_t at = 0; at < j->size; at += 256 * 1024) {
        size_t size = j->size - at < 256 * 1024 ? j->size - at : 256 * 1024;
        total += (size_t)LZ4_compress_default((const char *)j->file + at, compressed, (int)size,
                                              sizeof compressed);
    }
    return (long)total;
}

int main(void)
{
    const char *asked = getenv("TRIANGLES");
    facet_binarymesh *document = make_grid(asked ? (uint32_t)atoi(asked) : 1000000);
    facet_output *v4 = write_grid(document, 4);
    job j = {.document = document, .file = facet_output_data(v4),
             .size = (size_t)facet_output_size(v4)};
    (void)to_nowhere; (void)lz4_encode;
    facet_binarymesh *back; facet_error error;
    if (facet_binarymesh_read(j.file, j.size, NULL, &back, &error)) fail(&error);
    double bytes = (double)back->data_size;
    printf("%zu compressed, %.0f\n", j.size, bytes);
    facet_binarymesh_free(back);
    bench_job jobs[] = {{.name = "facet, one thread", .run = decode, .user = &j},
                        {.name = "facet, two threads", .run = decode_threads, .user = &j},
                        {.name = "LZ4 alone, into fresh memory", .run = lz4_decode, .user = &j},
                        {.name = "LZ4 alone, over and over one block", .run = lz4_decode_warm, .user = &j}};
    bench_compare("BinaryMesh 4 to document", jobs, 4, 15, bytes);
    uint8_t *raw = malloc((size_t)bytes); size_t used = 0;
    for (size_t at = HEADER; at < j.size;) {
        int size = (int)facet_load_u64le(j.file + at), compressed = (int)facet_load_u64le(j.file + at + 8);
        LZ4_decompress_safe((const char *)j.file + at + BLOCK_HEADER, (char*)raw + used, compressed, size);
        used += (size_t)size; at += BLOCK_HEADER + (size_t)compressed;
    }
    job k = {.file = raw, .size = used};
    bench_job jobs2[] = {{.name = "facet", .run = encode, .user = &j},
                        {.name = "LZ4 alone", .run = lz4_encode, .user = &k}};
    bench_compare("document to BinaryMesh 4", jobs2, 2, 7, bytes);
    return 0;
}
