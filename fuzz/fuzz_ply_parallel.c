/* ASCII PLY on several threads: what is read of any bytes, and what is said of them, is the
 * same as on one. Blocks are small here; pieces run one after the other, the last one first. */
#define FACET_PLY_BLOCK ((size_t)256)
#include "ply/pieces.c"

#include "threads.h"

typedef struct reading {
    facet_output *output; /* what was read, in binary; empty where it was refused */
    facet_report *report;
    facet_status status;
    facet_error error;
} reading;

static void read_by(const facet_source *source, unsigned threads, reading *r)
{
    const facet_threads pool = threads_backwards(threads);
    facet_ply_options how = {FACET_PLY_LITTLE_ENDIAN};
    facet_options options = {.threads = &pool, .ply = &how};
    facet_ply *ply = NULL;
    *r = (reading){.status = FACET_OK};
    expect(!facet_report_create(NULL, &r->report, NULL));
    expect(!facet_output_open_memory(NULL, &r->output, NULL));
    options.report = r->report;
    r->status = facet_ply_read(source, &options, &ply, &r->error);
    if (r->status == FACET_OK)
        facet_ply_write(ply, &options, r->output, NULL);
    facet_ply_free(ply);
}

static void expect_same(const reading *a, const reading *b)
{
    uint64_t size = facet_output_size(a->output);
    expect(a->status == b->status);
    expect_same_findings(a->report, b->report);
    if (a->status != FACET_OK)
        expect_same_errors(&a->error, &b->error);
    expect(facet_output_size(b->output) == size);
    expect(size == 0 ||
           memcmp(facet_output_data(a->output), facet_output_data(b->output), (size_t)size) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    facet_source source = facet_source_from_memory(data, size, NULL);
    reading one, several;
    read_by(&source, 1, &one);
    read_by(&source, 2 + (unsigned)(size % 4), &several);
    expect_same(&one, &several);
    facet_output_free(one.output);
    facet_output_free(several.output);
    facet_report_free(one.report);
    facet_report_free(several.report);
    return 0;
}
