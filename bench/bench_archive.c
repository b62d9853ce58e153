/* bench/bench_archive.c - benchmark of archives.
 *
 * - Decode Yaz0, compared with memcpy and with a simple loop over the same stream.
 * - Encode with the three efforts, compared with libdeflate, which searches a larger window.
 * - List the members of archives of two sizes.
 *
 * FACET_ARCHIVE is the file to use. The default is generated data: vertices, strips, texels and
 * zeros, a quarter each. */
#include "support/bench.h"

#include <facet/facet.h>
#include <libdeflate.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 5, MADE = 4 << 20 };

static uint8_t *plain, *packed, *out;
static size_t plain_size, packed_size;

static void *take(size_t size)
{
    void *memory = malloc(size);
    if (!memory)
        exit(1);
    return memory;
}

/* -- The data ----------------------------------------------------------- */

/* Generate random-walk vertices, vertex numbers of strips, texels of few colors, and zeros. */
static void make(void)
{
    uint32_t random = 1;
    plain = take(MADE);
    plain_size = MADE;
    for (size_t i = 0; i < MADE; i++) {
        size_t at = i % (MADE / 4);
        random = random * 1664525u + 1013904223u;
        plain[i] = i < MADE / 4       ? (uint8_t)(at % 2 ? random >> 24 : at / 600)
                   : i < MADE / 2     ? (uint8_t)(at % 2 ? at / 3 + (random >> 30) : at / 700)
                   : i < MADE / 4 * 3 ? (uint8_t)(random >> 28 ? at / 8 * 37 : random >> 20)
                                      : 0;
    }
}

static void load(const char *path)
{
    facet_input *input;
    facet_source source;
    facet_error error;
    if (facet_input_open(path, NULL, &input, &error) ||
        facet_input_decompress(input, &source, &error)) {
        fprintf(stderr, "%s: %s\n", path, error.message);
        exit(1);
    }
    plain = take(source.size);
    plain_size = source.size;
    memcpy(plain, source.data, source.size);
    facet_input_close(input);
}

/* -- Decoding ----------------------------------------------------------- */

enum { TIMES = 20 };

static long decode(void *user)
{
    (void)user;
    memset(out, 1, plain_size);
    bench_start();
    long failed = 0;
    for (int i = 0; i < TIMES; i++)
        failed |= facet_decompress(packed, packed_size, out, plain_size, NULL);
    bench_stop();
    return failed ? -1 : out[plain_size / 2];
}

static long copy(void *user)
{
    (void)user;
    memset(out, 1, plain_size);
    bench_start();
    for (int i = 0; i < TIMES; i++) {
        plain[0] = (uint8_t)i;
        memcpy(out, plain, plain_size);
    }
    bench_stop();
    return out[plain_size / 2];
}

/* A typical decoder of this format: one byte at a time, without checks. */
static long decode_plainly(void *user)
{
    (void)user;
    memset(out, 1, plain_size);
    bench_start();
    for (int i = 0; i < TIMES; i++) {
        const uint8_t *from = packed + 16;
        uint8_t *to = out, *end = out + plain_size;
        while (to < end) {
            unsigned flags = *from++;
            for (int bit = 0; bit < 8 && to < end; bit++, flags <<= 1) {
                if (flags & 0x80) {
                    *to++ = *from++;
                    continue;
                }
                unsigned distance = ((from[0] & 15u) << 8 | from[1]) + 1, length = from[0] >> 4;
                from += 2;
                length = length ? length + 2 : *from++ + 18u;
                for (; length > 0; length--, to++)
                    *to = *(to - distance);
            }
        }
    }
    bench_stop();
    return out[plain_size / 2];
}

/* -- Encoding ----------------------------------------------------------- */

static size_t encoded_size(facet_compression_effort effort)
{
    facet_output *output;
    if (facet_output_open_memory(NULL, &output, NULL) ||
        facet_compress(plain, plain_size, FACET_COMPRESSION_YAZ0, effort, 1, NULL, output, NULL))
        exit(1);
    size_t size = (size_t)facet_output_size(output);
    facet_output_free(output);
    return size;
}

static long encode(void *user)
{
    return (long)encoded_size(*(const facet_compression_effort *)user);
}

static size_t deflated_size(int level)
{
    struct libdeflate_compressor *compressor = libdeflate_alloc_compressor(level);
    size_t space = libdeflate_deflate_compress_bound(compressor, plain_size);
    uint8_t *to = take(space);
    size_t size = libdeflate_deflate_compress(compressor, plain, plain_size, to, space);
    libdeflate_free_compressor(compressor);
    free(to);
    return size;
}

static long deflate(void *user)
{
    return (long)deflated_size(*(const int *)user);
}

static void pack(void)
{
    facet_output *output;
    facet_error error;
    if (facet_output_open_memory(NULL, &output, &error) ||
        facet_compress(plain, plain_size, FACET_COMPRESSION_YAZ0, FACET_COMPRESSION_OFFICIAL, 32,
                       NULL, output, &error) ||
        facet_output_commit(output, &error))
        exit(1);
    packed_size = (size_t)facet_output_size(output);
    packed = take(packed_size);
    memcpy(packed, facet_output_data(output), packed_size);
    facet_output_free(output);
}

/* -- Listing ------------------------------------------------------------ */

/* Microseconds to read the tables of an archive of 200 files of `size` bytes. */
static double time_of_list(size_t size)
{
    facet_archive *archive;
    facet_output *output;
    facet_error error;
    char name[32];
    uint8_t *data = calloc(size, 1);
    if (!data || facet_archive_create(FACET_ARCHIVE_RARC, "root", NULL, &archive, &error))
        exit(1);
    for (int i = 0; i < 200; i++) {
        snprintf(name, sizeof name, "file%d.bdl", i);
        facet_archive_append(archive, FACET_NONE, name, data + i, size - 200, NULL, &error);
    }
    if (facet_output_open_memory(NULL, &output, &error) ||
        facet_archive_write(archive, NULL, output, &error) || facet_output_commit(output, &error))
        exit(1);
    facet_archive_free(archive);
    facet_source source = facet_source_from_memory(facet_output_data(output),
                                                   (size_t)facet_output_size(output), "a.arc");
    double best = 1;
    for (int i = 0; i < 100; i++) {
        double begin = bench_now();
        if (facet_archive_read(&source, NULL, &archive, &error))
            exit(1);
        double seconds = bench_now() - begin;
        best = seconds < best ? seconds : best;
        facet_archive_free(archive);
    }
    printf("  %-44s %10.2f us\n",
           size > 10000 ? "200 files of 100,000 bytes" : "200 files of 1,000 bytes", best * 1e6);
    facet_output_free(output);
    free(data);
    return best;
}

int main(void)
{
    static facet_compression_effort official = FACET_COMPRESSION_OFFICIAL,
                                    fast = FACET_COMPRESSION_FAST, best = FACET_COMPRESSION_BEST;
    static int quick = 1, usual = 6, thorough = 12;
    if (getenv("FACET_ARCHIVE"))
        load(getenv("FACET_ARCHIVE"));
    else
        make();
    pack();
    out = take(plain_size);
    bench_job decoders[] = {{.name = "facet_decompress", .run = decode},
                            {.name = "a byte at a time, unchecked", .run = decode_plainly},
                            {.name = "memcpy", .run = copy}};
    bench_compare("Yaz0, decoded", decoders, 3, ROUNDS, (double)plain_size * TIMES);
    bench_job encoders[] = {{.name = "official", .run = encode, .user = &official},
                            {.name = "fast", .run = encode, .user = &fast},
                            {.name = "best", .run = encode, .user = &best},
                            {.name = "libdeflate, level 1", .run = deflate, .user = &quick},
                            {.name = "libdeflate, level 6", .run = deflate, .user = &usual},
                            {.name = "libdeflate, level 12", .run = deflate, .user = &thorough}};
    bench_compare("Yaz0, encoded", encoders, 6, ROUNDS, (double)plain_size);
    printf("  of %zu bytes: official %zu, fast %zu, best %zu; libdeflate %zu, %zu, %zu\n",
           plain_size, encoded_size(official), encoded_size(fast), encoded_size(best),
           deflated_size(quick), deflated_size(usual), deflated_size(thorough));
    printf("\nmembers of an archive listed\n");
    time_of_list(1000);
    time_of_list(100000);
    return 0;
}
