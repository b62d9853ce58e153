/* fuzz/fuzz_ply_parallel.c - harness for the parallel reader of ASCII PLY. It expects the results
 * of one thread: document, findings, error. Blocks are small here; pieces run one after the other,
 * the last first. */
#define FACET_PLY_BLOCK ((size_t)256)
#include "formats/ply/pieces.c"

#include "threads.h"

static facet_output *write(const facet_ply *ply)
{
    facet_ply_options how = {.encoding = FACET_PLY_LITTLE_ENDIAN};
    facet_options options = {.ply = &how};
    facet_output *output = NULL;
    expect(!facet_output_open_memory(NULL, &output, NULL));
    facet_ply_write(ply, &options, output, NULL); /* if it fails, both outputs fail equally */
    return output;
}

static void expect_same(const void *a, const void *b)
{
    facet_output *one = write(a), *other = write(b);
    uint64_t size = facet_output_size(one);
    expect(facet_output_size(other) == size);
    expect(size == 0 ||
           memcmp(facet_output_data(one), facet_output_data(other), (size_t)size) == 0);
    facet_output_free(one);
    facet_output_free(other);
}

static facet_status read(const facet_source *source, const facet_options *options, void **made,
                         facet_error *error)
{
    facet_ply *ply = NULL;
    facet_status status = facet_ply_read(source, options, &ply, error);
    *made = ply;
    return status;
}

static void release(void *made)
{
    facet_ply_free(made);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const compared_reader reader = {read, expect_same, release};
    compare_readings(&reader, data, size);
    return 0;
}
