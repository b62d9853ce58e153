/* archive/compress.c - encoders of Yaz0 and Yay0: the streams of items. */
#include "archive/search.h"
#include "base/bytes.h"
#include "base/error.h"

#include <inttypes.h>

enum { HEADER_SIZE = 16 };

/* -- Encoding Yaz0 ------------------------------------------------------ */

/* A flag byte and its items. */
typedef struct group_writer {
    const uint8_t *data;
    facet_output *output;
    uint8_t bytes[1 + 8 * 3];
    uint32_t used, items;
} group_writer;

static void put_yaz0(void *user, size_t position, uint32_t length, uint32_t distance)
{
    group_writer *w = user;
    if (w->items == 8) {
        facet_output_write(w->output, w->bytes, w->used);
        w->items = 0;
        w->used = 1;
        w->bytes[0] = 0;
    }
    uint8_t *to = w->bytes + w->used;
    uint32_t back = distance - 1;
    if (length == 1) {
        w->bytes[0] |= (uint8_t)(0x80 >> w->items);
        to[0] = w->data[position];
        w->used += 1;
    } else if (length <= FACET_COPY_SHORT) {
        to[0] = (uint8_t)((length - 2) << 4 | back >> 8);
        to[1] = (uint8_t)back;
        w->used += 2;
    } else {
        to[0] = (uint8_t)(back >> 8);
        to[1] = (uint8_t)back;
        to[2] = (uint8_t)(length - 18);
        w->used += 3;
    }
    w->items++;
}

static facet_status encode_yaz0(const uint8_t *data, size_t size, facet_compression_effort effort,
                                const facet_options *options, facet_output *output,
                                facet_error *error)
{
    static const uint8_t rest[8] = {0};
    uint8_t head[8] = {'Y', 'a', 'z', '0'};
    group_writer w = {.data = data, .output = output, .used = 1};
    facet_item_sink sink = {put_yaz0, &w};
    facet_store_u32be(head + 4, (uint32_t)size);
    facet_output_write(output, head, sizeof head);
    facet_output_write(output, rest, sizeof rest);
    TRY(facet_search_items(data, size, effort, options, &sink, error));
    facet_output_write(output, w.bytes, w.used);
    /* The official encoder opens the next group when the last one is full. */
    if (w.items == 8 && effort == FACET_COMPRESSION_OFFICIAL)
        facet_output_write(output, rest, 1);
    return FACET_OK;
}

/* -- Encoding Yay0 ------------------------------------------------------ */

/* Three streams written in parallel. */
typedef struct stream_writer {
    const uint8_t *data;
    facet_output *flags, *links, *chunks; /* in memory */
    uint32_t word, items;
} stream_writer;

static void put_word(facet_output *output, uint32_t word)
{
    uint8_t bytes[4];
    facet_store_u32be(bytes, word);
    facet_output_write(output, bytes, sizeof bytes);
}

static void put_yay0(void *user, size_t position, uint32_t length, uint32_t distance)
{
    stream_writer *w = user;
    if (length == 1) {
        w->word |= 0x80000000u >> w->items;
        facet_output_write(w->chunks, w->data + position, 1);
    } else {
        uint32_t nibble = length <= FACET_COPY_SHORT ? length - 2 : 0;
        uint8_t link[2] = {(uint8_t)(nibble << 4 | (distance - 1) >> 8), (uint8_t)(distance - 1)};
        uint8_t more = (uint8_t)(length - 18);
        facet_output_write(w->links, link, sizeof link);
        if (nibble == 0)
            facet_output_write(w->chunks, &more, 1);
    }
    if (++w->items == 32) {
        put_word(w->flags, w->word);
        w->word = w->items = 0;
    }
}

static facet_status put_streams(const stream_writer *w, size_t size, facet_output *output,
                                facet_error *error)
{
    facet_output *streams[3] = {w->flags, w->links, w->chunks};
    uint64_t offsets[4] = {HEADER_SIZE};
    for (int i = 0; i < 3; i++) {
        TRY(facet_output_commit(streams[i], error));
        offsets[i + 1] = offsets[i] + facet_output_size(streams[i]);
    }
    if (offsets[3] > UINT32_MAX)
        return facet_fail(
            error, FACET_ERROR_LIMIT, NULL, FACET_NO_OFFSET,
            "a Yay0 stream would have %" PRIu64 " bytes, but its offsets have 32 bits", offsets[3]);
    facet_output_write(output, "Yay0", 4);
    put_word(output, (uint32_t)size);
    put_word(output, (uint32_t)offsets[1]);
    put_word(output, (uint32_t)offsets[2]);
    for (int i = 0; i < 3; i++)
        facet_output_write(output, facet_output_data(streams[i]),
                           (size_t)facet_output_size(streams[i]));
    return FACET_OK;
}

static facet_status encode_yay0(const uint8_t *data, size_t size, facet_compression_effort effort,
                                const facet_options *options, facet_output *output,
                                facet_error *error)
{
    const facet_allocator *allocator = options ? options->allocator : NULL;
    stream_writer w = {.data = data};
    facet_item_sink sink = {put_yay0, &w};
    facet_status status = facet_output_open_memory(allocator, &w.flags, error);
    if (!status)
        status = facet_output_open_memory(allocator, &w.links, error);
    if (!status)
        status = facet_output_open_memory(allocator, &w.chunks, error);
    if (!status)
        status = facet_search_items(data, size, effort, options, &sink, error);
    if (!status && w.items > 0)
        put_word(w.flags, w.word);
    if (!status)
        status = put_streams(&w, size, output, error);
    facet_output_free(w.flags);
    facet_output_free(w.links);
    facet_output_free(w.chunks);
    return status;
}

/* -- Both formats ------------------------------------------------------- */

facet_status facet_compress(const uint8_t *data, size_t size, facet_compression compression,
                            facet_compression_effort effort, size_t alignment,
                            const facet_options *options, facet_output *output, facet_error *error)
{
    static const uint8_t zeros[64] = {0};
    uint64_t start = facet_output_size(output);
    if (size == 0)
        return facet_fail(error, FACET_ERROR_ARGUMENT, "AR01", FACET_NO_OFFSET,
                          "the input is empty; a compressed stream holds at least one byte");
    if (size > UINT32_MAX)
        return facet_fail(error, FACET_ERROR_LIMIT, NULL, FACET_NO_OFFSET,
                          "%zu bytes are more than the 32 bits of the header can express", size);
    TRY(compression == FACET_COMPRESSION_YAZ0
            ? encode_yaz0(data, size, effort, options, output, error)
        : compression == FACET_COMPRESSION_YAY0
            ? encode_yay0(data, size, effort, options, output, error)
            : facet_fail(error, FACET_ERROR_ARGUMENT, NULL, FACET_NO_OFFSET,
                         "unknown compression, expected Yaz0 or Yay0"));
    uint64_t over = alignment > 1 ? (facet_output_size(output) - start) % alignment : 0;
    for (uint64_t left = over ? alignment - over : 0; left > 0;) {
        size_t now = left < sizeof zeros ? (size_t)left : sizeof zeros;
        facet_output_write(output, zeros, now);
        left -= now;
    }
    return FACET_OK;
}
