/* BPX: what opening, the checksum and inflating cost beside libdeflate alone.
 *
 * The file is a model with two vertex arrays of a wavy surface, one compressed and
 * one plain, and frames. */
#include "support/bench.h"

#include <facet/facet.h>
#include <libdeflate.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define VERTICES 600000
#define VERTEX_SIZE 32
#define OPENINGS 1000
#define ROUNDS 7

typedef struct material {
    const uint8_t *data;
    size_t size;
    facet_bpx_section section; /* the compressed one */
    size_t contents;
} material;

static uint8_t *make_vertices(size_t *size)
{
    *size = 8 + (size_t)VERTICES * VERTEX_SIZE;
    uint8_t *bytes = calloc(*size, 1);
    uint32_t count = VERTICES;
    if (!bytes)
        exit(1);
    memcpy(bytes + 4, &count, 4);
    for (uint32_t i = 0; i < VERTICES; i++) {
        float x = (float)(i % 775) / 775, z = (float)(i / 775) / 775;
        float v[8] = {x, z, 0.05F * sinf(40 * x) * cosf(31 * z), 0, 0, 1, x, z};
        memcpy(bytes + 8 + (size_t)i * VERTEX_SIZE, v, sizeof v);
    }
    return bytes;
}

static long run_open(void *user)
{
    const material *m = user;
    facet_bpx bpx;
    long sum = 0;
    for (int i = 0; i < OPENINGS; i++)
        sum += facet_bpx_view(m->data, m->size, &bpx, NULL) ? -1 : (long)bpx.section_count;
    return sum;
}

static long run_verify(void *user)
{
    const material *m = user;
    facet_bpx bpx;
    facet_bpx_view(m->data, m->size, &bpx, NULL);
    return facet_bpx_verify(&bpx) == FACET_BPX_SUM_RIGHT ? 0 : -1;
}

static long run_crc(void *user)
{
    const material *m = user;
    return (long)(libdeflate_crc32(0, m->data, m->size) & 0x7FFF);
}

static long run_read(void *user)
{
    const material *m = user;
    facet_bpx_document *document;
    if (facet_bpx_read(m->data, m->size, NULL, &document, NULL))
        return -1;
    facet_bpx_document_free(document);
    return 0;
}

static long run_inflate(void *user)
{
    const material *m = user;
    struct libdeflate_decompressor *d = libdeflate_alloc_decompressor();
    uint8_t *bytes = malloc(m->contents);
    size_t size = 0;
    int failed = libdeflate_zlib_decompress(d, m->section.stored, m->section.available, bytes,
                                            m->contents, &size);
    free(bytes);
    libdeflate_free_decompressor(d);
    return failed ? -1 : (long)(size & 0x7FFF);
}

int main(void)
{
    static const uint8_t format[] = {32, 0, 3, 0, 0x31, 0x31, 0x21}, extension[5] = {0};
    size_t size;
    facet_output *output;
    facet_bpx bpx;
    uint8_t *vertices = make_vertices(&size);
    facet_bpx_part parts[] = {
        {0, true, format, sizeof format}, {1, false, vertices, size}, {1, true, vertices, size}};
    if (facet_output_open_memory(NULL, &output, NULL) ||
        facet_bpx_write('M', extension, parts, 3, NULL, output, NULL) ||
        facet_output_commit(output, NULL))
        return 1;
    material m = {facet_output_data(output), (size_t)facet_output_size(output), {0}, size};
    if (facet_bpx_view(m.data, m.size, &bpx, NULL))
        return 1;
    m.section = facet_bpx_section_at(&bpx, 1);
    bench_job open = {.name = "1,000 views", .run = run_open, .user = &m};
    bench_job sums[] = {{.name = "facet_bpx_verify", .run = run_verify, .user = &m},
                        {.name = "libdeflate_crc32", .run = run_crc, .user = &m}};
    bench_job inflating[] = {{.name = "facet_bpx_read", .run = run_read, .user = &m},
                             {.name = "libdeflate alone", .run = run_inflate, .user = &m}};
    bench_compare("Opening a BPX file", &open, 1, ROUNDS, 0);
    bench_compare("Its checksum", sums, 2, ROUNDS, (double)m.size);
    bench_compare("Inflating a vertex array", inflating, 2, ROUNDS, (double)size);
    facet_output_free(output);
    free(vertices);
    return 0;
}
