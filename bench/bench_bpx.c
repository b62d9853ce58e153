/* bench/bench_bpx.c - benchmark of BPX: open, verify the checksum and decompress, compared with
 * only libdeflate. Both write to new pages, then to pages that were touched before.
 *
 * The file is a model with a vertex array of a wavy surface, compressed in pieces, then
 * uncompressed. */
#include "support/bench.h"

#include <facet/facet.h>
#include <libdeflate.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define VERTICES 600000
#define VERTEX_SIZE 32
#define PIECES 8 /* compressed arrays of VERTICES / PIECES vertices each */
#define OPENINGS 10000
#define ROUNDS 9

typedef struct material {
    const uint8_t *data;
    size_t size;
    size_t contents; /* bytes of one piece */
    unsigned threads;
    bool warm;
} material;

static void put_u32(uint8_t *to, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        to[i] = (uint8_t)(value >> 8 * i);
}

static uint8_t *make_vertices(uint32_t count, size_t *size)
{
    *size = 8 + (size_t)count * VERTEX_SIZE;
    uint8_t *bytes = calloc(*size, 1);
    if (!bytes)
        exit(1);
    put_u32(bytes + 4, count);
    for (uint32_t i = 0; i < count; i++) {
        float x = (float)(i % 775) / 775, z = (float)(i / 775) / 775;
        float v[8] = {x, z, 0.05F * sinf(40 * x) * cosf(31 * z), 0, 0, 1, x, z};
        memcpy(bytes + 8 + (size_t)i * VERTEX_SIZE, v, sizeof v);
    }
    return bytes;
}

/* -- Opening ------------------------------------------------------------ */

static long run_open(void *user)
{
    const material *m = user;
    facet_bpx_layout bpx;
    long sum = 0;
    for (int i = 0; i < OPENINGS; i++)
        sum += facet_bpx_view(m->data, m->size, &bpx, NULL) ? -1 : (long)bpx.section_count;
    return sum;
}

/* -- Checksum ----------------------------------------------------------- */

static long run_verify(void *user)
{
    const material *m = user;
    facet_bpx_layout bpx;
    facet_bpx_view(m->data, m->size, &bpx, NULL);
    return facet_bpx_verify(&bpx, NULL) ? -1 : 0;
}

static long run_crc(void *user)
{
    const material *m = user;
    return (long)(libdeflate_crc32(0, m->data, m->size) & 0x7FFF);
}

/* -- Inflating ---------------------------------------------------------- */

/* Memory that was touched before the measurement. Blocks are cut from it in order, and never
 * freed. */
typedef struct pool {
    uint8_t *memory;
    size_t used, size;
} pool;

static void *take(void *user, size_t size)
{
    pool *p = user;
    size_t at = (p->used + 63) & ~(size_t)63;
    if (size > p->size - at)
        return NULL;
    p->used = at + size;
    return p->memory + at;
}

static void give_back(void *user, void *block, size_t size)
{
    (void)user, (void)block, (void)size;
}

static uint8_t *touched(size_t size)
{
    uint8_t *memory = malloc(size);
    if (!memory)
        exit(1);
    memset(memory, 1, size);
    return memory;
}

static long run_read(void *user)
{
    const material *m = user;
    facet_options options = {0};
    facet_bpx *document;
    pool p = {NULL, 0, 2 * m->contents * PIECES + (1 << 20)};
    facet_allocator allocator = {take, give_back, &p};
    if (m->warm) {
        p.memory = touched(p.size);
        options.allocator = &allocator;
    }
    if (m->threads > 1 && facet_threads_create(m->threads, &options.threads, NULL))
        return -1;
    bench_start();
    facet_status status = facet_bpx_read(&(facet_source){.data = m->data, .size = m->size},
                                         &options, &document, NULL);
    bench_stop();
    return status ? -1 : 0;
}

static long run_inflate(void *user)
{
    const material *m = user;
    struct libdeflate_decompressor *d = libdeflate_alloc_decompressor();
    uint8_t *bytes[PIECES], *memory = m->warm ? touched(m->contents * PIECES) : NULL;
    facet_bpx_layout bpx;
    int failed = facet_bpx_view(m->data, m->size, &bpx, NULL) != FACET_OK;
    bench_start();
    for (uint32_t i = 0; i < PIECES && !failed; i++) {
        facet_bpx_section s = facet_bpx_section_at(&bpx, i + 1);
        bytes[i] = m->warm ? memory + i * m->contents : malloc(m->contents);
        failed = libdeflate_zlib_decompress(d, s.stored, s.available, bytes[i], m->contents, NULL);
    }
    bench_stop();
    libdeflate_free_decompressor(d);
    return failed ? -1 : 0;
}

/* -- The whole ---------------------------------------------------------- */

static material write_file(facet_bpx_contents *sections, uint32_t count)
{
    facet_output *output;
    const facet_bpx made = {.type = 'M', .section_count = count, .sections = sections};
    if (facet_output_open_memory(NULL, &output, NULL) ||
        facet_bpx_write(&made, NULL, output, NULL) || facet_output_commit(output, NULL))
        exit(1);
    material m = {facet_output_data(output), (size_t)facet_output_size(output), 0, 1, false};
    return m;
}

int main(void)
{
    static const uint8_t format[] = {32, 0, 3, 0, 0x31, 0x31, 0x21};
    size_t size, piece;
    uint8_t *vertices = make_vertices(VERTICES, &size);
    uint8_t *few = make_vertices(VERTICES / PIECES, &piece);
    facet_bpx_contents parts[PIECES + 2] = {{.plain = true, .data = format, .size = sizeof format}};
    for (size_t i = 1; i <= PIECES; i++)
        parts[i] = (facet_bpx_contents){.type = 1, .data = few, .size = piece};
    parts[PIECES + 1] =
        (facet_bpx_contents){.type = 1, .plain = true, .data = vertices, .size = size};
    material m = write_file(parts, PIECES + 2), small = write_file(parts, 1);
    m.contents = piece;
    material warm = m, both = m, warm_both = m;
    warm.warm = warm_both.warm = true;
    both.threads = warm_both.threads = 2;

    bench_job open[] = {{.name = "10,000 views of 25 MB, 10 sections", .run = run_open, .user = &m},
                        {.name = "10,000 views of 47 bytes", .run = run_open, .user = &small}};
    bench_job sums[] = {{.name = "facet_bpx_verify", .run = run_verify, .user = &m},
                        {.name = "libdeflate_crc32", .run = run_crc, .user = &m}};
    bench_job fresh[] = {{.name = "facet_bpx_read", .run = run_read, .user = &m},
                         {.name = "facet_bpx_read, two threads", .run = run_read, .user = &both},
                         {.name = "libdeflate alone", .run = run_inflate, .user = &m}};
    bench_job hot[] = {{.name = "facet_bpx_read", .run = run_read, .user = &warm},
                       {.name = "facet_bpx_read, two threads", .run = run_read, .user = &warm_both},
                       {.name = "libdeflate alone", .run = run_inflate, .user = &warm}};
    bench_compare("Opening a BPX file", open, 2, ROUNDS, 0);
    bench_compare("Its checksum", sums, 2, ROUNDS, (double)m.size);
    bench_compare("Inflating 8 vertex arrays into fresh memory", fresh, 3, ROUNDS,
                  (double)(piece * PIECES));
    bench_compare("Inflating 8 vertex arrays into warm memory", hot, 3, ROUNDS,
                  (double)(piece * PIECES));
    free(few);
    free(vertices);
    return 0;
}
