/* bench/bench_codecs.c - benchmark of decompression: Facet compared with the library of each codec,
 * which writes to warm memory, and with the codec's program, in user time.
 *
 *   bench_codecs FOLDER
 *
 * The file is a GLB of a character. A codec without its program or library is skipped. */
#include "support/bench.h"
#include "support/character.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_ZLIB
#include <zlib.h>
#endif
#ifdef HAVE_BZIP2
#include <bzlib.h>
#endif
#ifdef HAVE_LZMA
#include <lzma.h>
#endif
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif
#ifdef HAVE_LZ4
#include <lz4frame.h>
#endif

enum { ROUNDS = 7, TRIANGLES = 1000000 };

/* -- Facet -------------------------------------------------------------- */

/* A compressed file, and the function that decompresses it with the codec's library. */
typedef struct packed_file {
    const char *path;
    size_t size; /* decompressed size in bytes */
    int (*decode)(const uint8_t *from, size_t size, uint8_t *to, size_t capacity);
} packed_file;

static long decompress(void *user)
{
    const packed_file *packed = user;
    facet_input *input;
    facet_source source;
    facet_error error;
    bench_start();
    facet_status status = facet_input_open(packed->path, NULL, &input, &error);
    if (!status)
        status = facet_input_decompress(input, &source, &error);
    bench_stop();
    return status ? -1 : (long)(source.data[source.size / 2]);
}

/* -- The libraries: 0 if all was decoded ----------------------------------- */

#ifdef HAVE_ZLIB
static int decode_gzip(const uint8_t *from, size_t size, uint8_t *to, size_t capacity)
{
    z_stream stream = {.next_in = (Bytef *)(uintptr_t)from,
                       .avail_in = (uInt)size,
                       .next_out = to,
                       .avail_out = (uInt)capacity};
    int result = inflateInit2(&stream, 15 + 16);
    if (result == Z_OK)
        result = inflate(&stream, Z_FINISH);
    inflateEnd(&stream);
    return result != Z_STREAM_END;
}
#endif
#ifdef HAVE_BZIP2
static int decode_bzip2(const uint8_t *from, size_t size, uint8_t *to, size_t capacity)
{
    unsigned length = (unsigned)capacity;
    return BZ2_bzBuffToBuffDecompress((char *)to, &length, (char *)(uintptr_t)from, (unsigned)size,
                                      0, 0);
}
#endif
#ifdef HAVE_LZMA
static int decode_xz(const uint8_t *from, size_t size, uint8_t *to, size_t capacity)
{
    uint64_t limit = UINT64_MAX;
    size_t in = 0, out = 0;
    return lzma_stream_buffer_decode(&limit, 0, NULL, from, &in, size, to, &out, capacity);
}
#endif
#ifdef HAVE_ZSTD
static int decode_zstd(const uint8_t *from, size_t size, uint8_t *to, size_t capacity)
{
    return ZSTD_decompress(to, capacity, from, size) != capacity;
}
#endif
#ifdef HAVE_LZ4
static int decode_lz4(const uint8_t *from, size_t size, uint8_t *to, size_t capacity)
{
    LZ4F_dctx *context;
    size_t out = capacity, in = size;
    if (LZ4F_isError(LZ4F_createDecompressionContext(&context, LZ4F_VERSION)))
        return 1;
    size_t left = LZ4F_decompress(context, to, &out, from, &in, NULL);
    LZ4F_freeDecompressionContext(context);
    return left != 0 || out != capacity;
}
#endif

static long decode_by_library(void *user)
{
    const packed_file *packed = user;
    facet_file *file;
    facet_error error;
    uint8_t *to = malloc(packed->size);
    if (!to)
        return -1;
    memset(to, 1, packed->size); /* new pages would take longer than some codecs */
    bench_start();
    if (facet_file_open(packed->path, NULL, &file, &error) ||
        packed->decode(facet_file_source(file).data, facet_file_source(file).size, to,
                       packed->size))
        return -1;
    bench_stop();
    return to[packed->size / 2];
}

/* -- All ---------------------------------------------------------------- */

static void write_plain(const facet_output *bytes, const char *path)
{
    size_t size = (size_t)facet_output_size(bytes);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(facet_output_data(bytes), 1, size, file) != size || fclose(file))
        exit(1);
}

typedef struct codec {
    const char *program, *extension;
    int (*decode)(const uint8_t *from, size_t size, uint8_t *to, size_t capacity);
} codec;

static const codec codecs[] = {
#ifdef HAVE_ZLIB
    {"gzip", "gz", decode_gzip},
#endif
#ifdef HAVE_BZIP2
    {"bzip2", "bz2", decode_bzip2},
#endif
#ifdef HAVE_LZMA
    {"xz", "xz", decode_xz},
#endif
#ifdef HAVE_ZSTD
    {"zstd", "zst", decode_zstd},
#endif
#ifdef HAVE_LZ4
    {"lz4", "lz4", decode_lz4},
#endif
    {NULL, NULL, NULL}};

static void compare(const codec *c, const char *plain, size_t size)
{
    char path[4200], command[9000], title[64];
    snprintf(path, sizeof path, "%s.%s", plain, c->extension);
    snprintf(command, sizeof command, "%s -c '%s' >'%s' 2>/dev/null", c->program, plain, path);
    if (system(command) != 0)
        return;
    packed_file packed = {path, size, c->decode};
    const char *const unpack[] = {c->program, "-dc", path, NULL};
    snprintf(title, sizeof title, "%s, decompressed, user time", c->program);
    bench_job jobs[] = {
        {.name = "facet_input_decompress", .run = decompress, .user = &packed, .user_time = 1},
        {.name = "its library, warm memory",
         .run = decode_by_library,
         .user = &packed,
         .user_time = 1},
        {.name = "its program", .command = unpack, .user_time = 1}};
    bench_compare(title, jobs, 3, ROUNDS, (double)size);
    remove(path);
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 0;
    facet_scene *scene = bench_make_character(TRIANGLES);
    facet_output *glb = bench_save(scene, "glb");
    char plain[4096];
    size_t size = (size_t)facet_output_size(glb);
    snprintf(plain, sizeof plain, "%s/codecs.glb", argv[1]);
    write_plain(glb, plain);
    facet_output_free(glb);
    facet_scene_free(scene);
    for (const codec *c = codecs; c->program; c++)
        compare(c, plain, size);
    remove(plain);
    return 0;
}
