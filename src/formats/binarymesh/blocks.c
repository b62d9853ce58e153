/* formats/binarymesh/blocks.c - the data of a file as a stream of bytes: sub-blocks, each
 * compressed, or uncompressed in version 1. */
#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"
#include "formats/binarymesh/binarymesh.h"

#include <inttypes.h>
#ifdef FACET_HAVE_LZ4
#include <lz4.h>
#endif

/* Maximum size of a block: other readers use signed 32-bit sizes. */
#define BLOCK_LIMIT UINT64_C(0x7FFFFFFF)
/* Maximum ratio of LZ4 and LZO: a length byte gives at most 255 bytes. */
#define RATIO_LIMIT 255
#define RATIO_SLACK 64

/* -- List of blocks ---------------------------------------------------- */

static facet_status check_header(const uint8_t *file, size_t size, uint32_t *version,
                                 facet_error *error)
{
    if (size < FACET_BINARYMESH_HEADER_SIZE)
        return facet_fail(error, FACET_ERROR_MALFORMED, "BM-SIZE-HEADER", size,
                          "the file is %zu bytes long, its header takes 12", size);
    if (memcmp(file, FACET_BINARYMESH_SIGNATURE, FACET_BINARYMESH_SIGNATURE_SIZE) != 0)
        return facet_fail(error, FACET_ERROR_MALFORMED, "BM-SIGNATURE", 0,
                          "the file does not begin with " FACET_BINARYMESH_SIGNATURE);
    *version = facet_load_u16le(file + FACET_BINARYMESH_SIGNATURE_SIZE);
    if (*version >= 1 && *version <= 4)
        return FACET_OK;
    if ((*version & 0xFF) == 0 && *version >> 8 >= 1 && *version >> 8 <= 4)
        return facet_fail(error, FACET_ERROR_MALFORMED, "BM-VERSION-SWAPPED",
                          FACET_BINARYMESH_SIGNATURE_SIZE,
                          "the version is %" PRIu32 " in swapped byte order: the file was written "
                          "on a big-endian machine, the format is little-endian",
                          *version >> 8);
    return facet_fail(error, FACET_ERROR_MALFORMED, "BM-VERSION-UNKNOWN",
                      FACET_BINARYMESH_SIGNATURE_SIZE,
                      "the version is %" PRIu32 ", known ones are 1 to 4", *version);
}

/* Read the header of the block at `offset`, `left` bytes before the end of the file. */
static facet_status read_block(const uint8_t *at, uint64_t left, uint64_t offset,
                               facet_binarymesh_block *block, facet_error *error)
{
    if (left < FACET_BINARYMESH_BLOCK_HEADER)
        return facet_fail(error, FACET_ERROR_MALFORMED, "BM-BLOCK-TRUNCATED", offset,
                          "%" PRIu64 " bytes are left, the header of a sub-block takes 16", left);
    uint64_t size = facet_load_u64le(at), compressed_size = facet_load_u64le(at + 8);
    if (size > BLOCK_LIMIT || compressed_size > BLOCK_LIMIT)
        return facet_fail(error, FACET_ERROR_MALFORMED, "BM-BLOCK-LIMIT", offset,
                          "a sub-block of %" PRIu64 " bytes, %" PRIu64
                          " compressed; no reader takes more than 2,147,483,647",
                          size, compressed_size);
    if (compressed_size > left - FACET_BINARYMESH_BLOCK_HEADER)
        return facet_fail(error, FACET_ERROR_MALFORMED, "BM-BLOCK-TRUNCATED", offset,
                          "a sub-block of %" PRIu64 " compressed bytes, %" PRIu64 " are left",
                          compressed_size, left - FACET_BINARYMESH_BLOCK_HEADER);
    if (size > RATIO_LIMIT * compressed_size + RATIO_SLACK)
        return facet_fail(error, FACET_ERROR_MALFORMED, "BM-BLOCK-RATIO", offset,
                          "a sub-block claims %" PRIu64 " bytes out of %" PRIu64
                          " compressed ones; at most 255 times as many are possible",
                          size, compressed_size);
    block->offset = offset;
    block->size = (uint32_t)size;
    block->compressed_size = (uint32_t)compressed_size;
    return FACET_OK;
}

/* Iterate over the blocks: count them, and fill `blocks` unless it is NULL. */
static facet_status walk_blocks(const uint8_t *file, size_t size, facet_binarymesh_block *blocks,
                                facet_binarymesh *document, facet_error *error)
{
    document->block_count = 0;
    document->data_size = 0;
    for (size_t offset = FACET_BINARYMESH_HEADER_SIZE; offset < size;) {
        facet_binarymesh_block block;
        TRY(read_block(file + offset, size - offset, offset, &block, error));
        block.start = document->data_size;
        if (blocks)
            blocks[document->block_count] = block;
        document->block_count++;
        document->data_size += block.size;
        offset += FACET_BINARYMESH_BLOCK_HEADER + (size_t)block.compressed_size;
    }
    return FACET_OK;
}

facet_status facet_binarymesh_scan(const uint8_t *file, size_t size, facet_binarymesh *document,
                                   facet_error *error)
{
    TRY(check_header(file, size, &document->version, error));
    document->double_precision = document->version < 4;
    if (document->version == 1) {
        document->data_size = size - FACET_BINARYMESH_HEADER_SIZE;
        return FACET_OK;
    }
    TRY(walk_blocks(file, size, NULL, document, error));
    document->blocks =
        facet_arena_allocate(document->arena, document->block_count, sizeof *document->blocks);
    if (!document->blocks)
        return facet_fail_arena(document->arena, error);
    return walk_blocks(file, size, document->blocks, document, error);
}

/* -- Decompression ----------------------------------------------------- */

static facet_status tell_progress(const facet_binarymesh_input *input, facet_error *error)
{
    return facet_step(input->options, "read",
                      (double)input->next_block / (double)input->document->block_count, error);
}

static facet_status fail_block(const facet_binarymesh_input *input, size_t index,
                               facet_error *error)
{
    const facet_binarymesh_block *block = &input->document->blocks[index];
    bool lzo = input->document->version == 2;
    return facet_fail(error, FACET_ERROR_MALFORMED, lzo ? "BM-BLOCK-LZO" : "BM-BLOCK-LZ4",
                      block->offset,
                      "sub-block %zu is damaged: its %" PRIu32
                      " bytes are not %s data that unpacks to %" PRIu32 " bytes",
                      index, block->compressed_size, lzo ? "LZO" : "LZ4", block->size);
}

/* Decompress up to `count` next blocks. A damaged block is an error only if it is the first. */
static facet_status decompress_blocks(facet_binarymesh_input *input, size_t count, uint8_t *to,
                                      size_t *bytes, facet_error *error)
{
    facet_status status = tell_progress(input, error);
    *bytes = 0;
    for (; count > 0 && !status; count--, input->next_block++) {
        uint32_t size = input->document->blocks[input->next_block].size;
        if (!facet_binarymesh_decompress(input, input->next_block, to + *bytes))
            return *bytes > 0 ? FACET_OK : fail_block(input, input->next_block, error);
        *bytes += size;
        input->behind -= size;
    }
    return status;
}

/* Number of next blocks that fit into `space` bytes, and their size. At most one if fields across
 * blocks are counted. */
static size_t blocks_within(const facet_binarymesh_input *input, uint64_t space, size_t *bytes)
{
    const facet_binarymesh *document = input->document;
    size_t count = 0, most = input->straddles ? 1 : SIZE_MAX;
    *bytes = 0;
    for (size_t at = input->next_block; at < document->block_count && count < most; at++, count++) {
        if (document->blocks[at].size > space - *bytes)
            break;
        *bytes += document->blocks[at].size;
    }
    return count;
}

/* -- Input ------------------------------------------------------------- */

void facet_binarymesh_input_open(facet_binarymesh_input *input, const uint8_t *file, size_t size,
                                 const facet_binarymesh *document, const facet_options *options)
{
    memset(input, 0, sizeof *input);
    input->file = file;
    input->document = document;
    input->options = options;
    if (document->version == 1) {
        input->at = file + FACET_BINARYMESH_HEADER_SIZE;
        input->end = file + size;
    } else {
        input->behind = document->data_size;
        for (size_t i = 0; i < document->block_count; i++) {
            uint32_t block_size = document->blocks[i].size;
            input->largest = block_size > input->largest ? block_size : input->largest;
        }
    }
}

void facet_binarymesh_input_close(facet_binarymesh_input *input)
{
    facet_arena_release(input->document->arena, input->scratch, input->largest, 1);
    input->scratch = NULL;
}

uint64_t facet_binarymesh_input_offset(const facet_binarymesh_input *input)
{
    const facet_binarymesh *document = input->document;
    if (document->version == 1)
        return (uint64_t)(input->at - input->file);
    uint64_t position = document->data_size - facet_binarymesh_input_left(input);
    size_t at = input->next_block;
    while (at > 0 && (at == document->block_count || document->blocks[at].start > position))
        at--;
    while (at + 1 < document->block_count && document->blocks[at + 1].start <= position)
        at++;
    return document->block_count > 0 ? document->blocks[at].offset : FACET_BINARYMESH_HEADER_SIZE;
}

/* Get the next block from the other threads. */
static facet_status take_ahead(facet_binarymesh_input *input, facet_error *error)
{
    TRY(tell_progress(input, error));
    size_t index = input->next_block++;
    uint32_t size = input->document->blocks[index].size;
    input->at = facet_binarymesh_ahead_take(input->ahead, index);
    input->end = input->at ? input->at + size : NULL;
    input->behind -= size;
    return input->at ? FACET_OK : fail_block(input, index, error);
}

/* Get more bytes, if no current bytes are left. */
static facet_status refill(facet_binarymesh_input *input, facet_error *error)
{
    if (input->ahead)
        return take_ahead(input, error);
    if (!input->scratch)
        input->scratch = (uint8_t *)facet_arena_allocate(input->document->arena, input->largest, 1);
    if (!input->scratch)
        return facet_fail_arena(input->document->arena, error);
    size_t bytes, count = blocks_within(input, input->largest, &bytes);
    facet_status status = decompress_blocks(input, count, input->scratch, &bytes, error);
    input->at = input->scratch;
    input->end = input->scratch + bytes;
    return status;
}

facet_status facet_binarymesh_input_copy(facet_binarymesh_input *input, void *to, size_t size,
                                         size_t unit, facet_error *error)
{
    uint8_t *out = (uint8_t *)to;
    facet_status status = FACET_OK;
    for (size_t done = 0; done < size && !status;) {
        size_t have = (size_t)(input->end - input->at);
        if (have > 0) {
            if (have > size - done)
                have = size - done;
            memcpy(out + done, input->at, have);
            input->at += have;
        } else {
            /* Decompress whole blocks directly to their destination. */
            size_t count = input->ahead ? 0 : blocks_within(input, size - done, &have);
            status = have > 0 ? decompress_blocks(input, count, out + done, &have, error)
                              : refill(input, error);
        }
        if (input->straddles && have > 0 && (done + have) % unit != 0)
            facet_tally_hit(input->straddles, facet_binarymesh_input_offset(input));
        done += have;
    }
    return status;
}

facet_status facet_binarymesh_input_field(facet_binarymesh_input *input, size_t size,
                                          const uint8_t **at, facet_error *error)
{
    uint64_t left = facet_binarymesh_input_left(input);
    if (size > left)
        return facet_fail(
            error, FACET_ERROR_MALFORMED, "BM-DATA-TRUNCATED", facet_binarymesh_input_offset(input),
            "the data ends inside an object: %" PRIu64 " bytes are left for a field of %zu", left,
            size);
    TRY(input->at == input->end ? refill(input, error) : FACET_OK);
    if (size <= (size_t)(input->end - input->at)) {
        *at = input->at;
        input->at += size;
        return FACET_OK;
    }
    *at = input->joined;
    return facet_binarymesh_input_copy(input, input->joined, size, size, error);
}

facet_status facet_binarymesh_input_u16(facet_binarymesh_input *input, uint32_t *value,
                                        facet_error *error)
{
    const uint8_t *at = NULL;
    facet_status status = facet_binarymesh_input_field(input, 2, &at, error);
    if (!status)
        *value = facet_load_u16le(at);
    return status;
}

facet_status facet_binarymesh_input_count(facet_binarymesh_input *input, const char *things,
                                          size_t size, uint32_t *count, facet_error *error)
{
    const uint8_t *at = NULL;
    TRY(facet_binarymesh_input_field(input, 4, &at, error));
    *count = facet_load_u32le(at);
    uint64_t left = facet_binarymesh_input_left(input);
    if (*count <= left / size)
        return FACET_OK;
    return facet_fail(error, FACET_ERROR_MALFORMED, "BM-COUNT-IMPLAUSIBLE",
                      facet_binarymesh_input_offset(input),
                      "%" PRIu32 " %s are declared, %" PRIu64 " bytes of data are left for them",
                      *count, things, left);
}

/* -- Output ------------------------------------------------------------ */

#define LONGEST_FIELD ((size_t)65535)
#define BUFFER_SIZE (FACET_BINARYMESH_BLOCK_SIZE + LONGEST_FIELD)
#ifdef FACET_HAVE_LZ4
#define COMPRESSED_SIZE ((size_t)LZ4_COMPRESSBOUND(BUFFER_SIZE))
#else
#define COMPRESSED_SIZE 0
#define LZ4_compress_default(from, to, size, space) 0
#endif

facet_status facet_binarymesh_sink_open(facet_binarymesh_sink *sink, uint32_t version,
                                        facet_output *output, const facet_options *options,
                                        facet_error *error)
{
    memset(sink, 0, sizeof *sink);
#ifndef FACET_HAVE_LZ4
    if (version != 1)
        return facet_fail_absent(error, "BinaryMesh 2 to 4 need", "LZ4", "FACET_LZ4");
#endif
    TRY(facet_arena_create(options, &sink->arena, error));
    sink->output = output;
    sink->options = options;
    sink->version = version;
    sink->buffer = facet_arena_allocate(sink->arena, BUFFER_SIZE, 1);
    sink->compressed = facet_arena_allocate(sink->arena, COMPRESSED_SIZE, 1);
    if (sink->buffer && sink->compressed)
        return FACET_OK;
    facet_status status = facet_fail_arena(sink->arena, error);
    facet_binarymesh_sink_close(sink);
    return status;
}

facet_status facet_binarymesh_sink_flush(facet_binarymesh_sink *sink, facet_error *error)
{
    if (sink->used == 0)
        return FACET_OK;
    static const double whole[2] = {0, 1};
    const uint8_t *bytes = sink->buffer;
    size_t size = sink->used;
    TRY(facet_step_within(sink->options, "write", whole,
                          sink->written < sink->expected ? sink->written : sink->expected,
                          sink->expected, error));
    sink->used = 0;
    sink->written += size;
    if (sink->version != 1) {
        uint8_t header[FACET_BINARYMESH_BLOCK_HEADER];
        int compressed = LZ4_compress_default((const char *)bytes, (char *)sink->compressed,
                                              (int)size, (int)COMPRESSED_SIZE);
        if (compressed <= 0) /* impossible: the buffer has the size that LZ4 requires */
            return facet_fail(error, FACET_ERROR_LIMIT, NULL, FACET_NO_OFFSET,
                              "LZ4 did not compress a block of %zu bytes", size);
        facet_store_u64le(header, size);
        facet_store_u64le(header + 8, (uint64_t)compressed);
        facet_output_write(sink->output, header, sizeof header);
        bytes = sink->compressed;
        size = (size_t)compressed;
    }
    facet_output_write(sink->output, bytes, size);
    return FACET_OK;
}

facet_status facet_binarymesh_sink_add(facet_binarymesh_sink *sink, size_t size, facet_error *error)
{
    sink->used += size;
    return sink->used >= FACET_BINARYMESH_BLOCK_SIZE ? facet_binarymesh_sink_flush(sink, error)
                                                     : FACET_OK;
}

void facet_binarymesh_sink_close(facet_binarymesh_sink *sink)
{
    facet_arena_free(sink->arena);
    sink->arena = NULL;
}
