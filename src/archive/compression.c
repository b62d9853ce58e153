/* archive/compression.c - Yaz0 and Yay0: the streams that items are stored in. */
#include "archive/archive.h"
#include "archive/search.h"
#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/size.h"

#include <inttypes.h>
#include <string.h>

enum {
    HEADER_SIZE = 16,
    /* The densest there is: eight copies of 273 bytes from 25 bytes. */
    GROUP_OUT = 8 * FACET_COPY_MOST,
    GROUP_IN = 25
};

facet_compression facet_compression_of(const uint8_t *data, size_t size)
{
    if (size < 4 || data[0] != 'Y' || data[1] != 'a' || data[3] != '0')
        return FACET_COMPRESSION_NONE;
    return data[2] == 'z'   ? FACET_COMPRESSION_YAZ0
           : data[2] == 'y' ? FACET_COMPRESSION_YAY0
                            : FACET_COMPRESSION_NONE;
}

static const char *name_of(facet_compression compression)
{
    return compression == FACET_COMPRESSION_YAZ0 ? "Yaz0" : "Yay0";
}

/* -- Headers ------------------------------------------------------------ */

facet_status facet_decompressed_size(const uint8_t *data, size_t size, size_t *decompressed,
                                     facet_error *error)
{
    facet_compression compression = facet_compression_of(data, size);
    if (compression == FACET_COMPRESSION_NONE)
        return facet_fail(error, FACET_ERROR_UNSUPPORTED, "FORMAT-UNKNOWN", 0,
                          "neither Yaz0 nor Yay0 begins like this");
    if (size < HEADER_SIZE)
        return facet_fail(error, FACET_ERROR_MALFORMED, "AR01", 0,
                          "the header of a %s stream has 16 bytes, and there are %zu",
                          name_of(compression), size);
    uint32_t announced = facet_load_u32be(data + 4);
    if (announced == 0)
        return facet_fail(error, FACET_ERROR_MALFORMED, "AR01", 4, "a %s stream of no bytes",
                          name_of(compression));
    if (announced / GROUP_OUT > (size - HEADER_SIZE) / GROUP_IN + 1)
        return facet_fail(error, FACET_ERROR_MALFORMED, "AR02", 4,
                          "%zu bytes of %s cannot become %" PRIu32 " bytes", size,
                          name_of(compression), announced);
    *decompressed = announced;
    return FACET_OK;
}

/* -- Decoding ----------------------------------------------------------- */

static facet_status ends_early(size_t at, size_t written, size_t wanted, facet_error *error)
{
    return facet_fail(error, FACET_ERROR_MALFORMED, "AR02", at,
                      "the stream ends after %zu of %zu bytes", written, wanted);
}

static facet_status bad_copy(size_t at, size_t distance, uint32_t length, size_t written,
                             size_t wanted, facet_error *error)
{
    if (distance > written)
        return facet_fail(error, FACET_ERROR_MALFORMED, "AR03", at,
                          "a copy from %zu bytes before, and only %zu are written", distance,
                          written);
    return facet_fail(error, FACET_ERROR_MALFORMED, "AR04", at,
                      "a copy of %" PRIu32 " bytes, and only %zu are left to write", length,
                      wanted - written);
}

/* Copies of 16 bytes at once may write up to this many bytes too far. */
enum { SLACK = 16 };

/* Copy within the output, which may overlap itself. `left` bytes may be written. */
static void copy_back(uint8_t *to, size_t distance, uint32_t length, size_t left)
{
    const uint8_t *from = to - distance;
    if (distance >= SLACK && left >= length + (size_t)SLACK) {
        for (uint32_t done = 0; done < length; done += SLACK)
            memcpy(to + done, from + done, SLACK);
    } else if (distance == 1) {
        memset(to, *from, length);
    } else {
        for (uint32_t i = 0; i < length; i++)
            to[i] = from[i];
    }
}

static facet_status decode_yaz0(const uint8_t *data, size_t size, uint8_t *out, size_t wanted,
                                size_t *end, facet_error *error)
{
    size_t at = HEADER_SIZE, written = 0;
    while (written < wanted) {
        if (at == size)
            return ends_early(at, written, wanted, error);
        uint32_t flags = data[at++];
        if (flags == 0xFF && size - at >= 8 && wanted - written >= 8) {
            memcpy(out + written, data + at, 8);
            at += 8;
            written += 8;
            continue;
        }
        for (int i = 0; i < 8 && written < wanted; i++, flags <<= 1) {
            if (flags & 0x80) {
                if (at == size)
                    return ends_early(at, written, wanted, error);
                out[written++] = data[at++];
                continue;
            }
            if (size - at < 2)
                return ends_early(at, written, wanted, error);
            uint32_t head = (uint32_t)data[at] << 8 | data[at + 1], length = head >> 12;
            size_t distance = (head & 0xFFF) + 1, bytes = 2;
            if (length == 0) {
                if (size - at < 3)
                    return ends_early(at, written, wanted, error);
                length = data[at + 2] + 0x10u;
                bytes = 3;
            }
            length += 2;
            if (distance > written || length > wanted - written)
                return bad_copy(at, distance, length, written, wanted, error);
            copy_back(out + written, distance, length, wanted - written);
            at += bytes;
            written += length;
        }
    }
    *end = at;
    return FACET_OK;
}

static facet_status decode_yay0(const uint8_t *data, size_t size, uint8_t *out, size_t wanted,
                                size_t *end, facet_error *error)
{
    size_t flags_at = HEADER_SIZE, written = 0;
    size_t link = facet_load_u32be(data + 8), chunk = facet_load_u32be(data + 12);
    if (link < HEADER_SIZE || link > size || chunk < HEADER_SIZE || chunk > size)
        return facet_fail(error, FACET_ERROR_MALFORMED, "AR08", 8,
                          "links at %zu and bytes at %zu do not lie behind the header in %zu bytes",
                          link, chunk, size);
    while (written < wanted) {
        if (size - flags_at < 4)
            return ends_early(flags_at, written, wanted, error);
        uint32_t flags = facet_load_u32be(data + flags_at);
        flags_at += 4;
        for (int i = 0; i < 32 && written < wanted; i++, flags <<= 1) {
            if (flags & 0x80000000u) {
                if (chunk == size)
                    return ends_early(chunk, written, wanted, error);
                out[written++] = data[chunk++];
                continue;
            }
            if (size - link < 2)
                return ends_early(link, written, wanted, error);
            uint32_t head = facet_load_u16be(data + link), length = head >> 12;
            size_t distance = (head & 0xFFF) + 1;
            if (length == 0) {
                if (chunk == size)
                    return ends_early(chunk, written, wanted, error);
                length = data[chunk++] + 0x10u;
            }
            length += 2;
            if (distance > written || length > wanted - written)
                return bad_copy(link, distance, length, written, wanted, error);
            copy_back(out + written, distance, length, wanted - written);
            link += 2;
            written += length;
        }
    }
    *end = chunk > link ? chunk : link;
    *end = *end > flags_at ? *end : flags_at;
    return FACET_OK;
}

facet_status facet_decompress_to_end(const uint8_t *data, size_t size, uint8_t *out,
                                     size_t decompressed, size_t *end, facet_error *error)
{
    size_t wanted;
    facet_status status = facet_decompressed_size(data, size, &wanted, error);
    if (status)
        return status;
    if (wanted != decompressed)
        return facet_fail(error, FACET_ERROR_ARGUMENT, NULL, FACET_NO_OFFSET,
                          "there is space for %zu bytes, and the stream has %zu", decompressed,
                          wanted);
    return facet_compression_of(data, size) == FACET_COMPRESSION_YAZ0
               ? decode_yaz0(data, size, out, wanted, end, error)
               : decode_yay0(data, size, out, wanted, end, error);
}

facet_status facet_decompress(const uint8_t *data, size_t size, uint8_t *out, size_t decompressed,
                              facet_error *error)
{
    size_t end;
    return facet_decompress_to_end(data, size, out, decompressed, &end, error);
}

facet_status facet_decompress_into(facet_arena *arena, const uint8_t **data, size_t *size,
                                   facet_error *error)
{
    size_t plain;
    if (facet_compression_of(*data, *size) == FACET_COMPRESSION_NONE)
        return FACET_OK;
    facet_status status = facet_decompressed_size(*data, *size, &plain, error);
    if (status)
        return status;
    uint8_t *out = facet_arena_allocate(arena, plain, 1);
    if (!out)
        return facet_fail_memory(error, plain);
    status = facet_decompress(*data, *size, out, plain, error);
    *data = out;
    *size = plain;
    return status;
}

/* -- Encoding Yaz0 ------------------------------------------------------ */

/* A flag byte and the items that it tells of. */
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
    facet_status status = facet_search_items(data, size, effort, options, &sink, error);
    if (status)
        return status;
    facet_output_write(output, w.bytes, w.used);
    /* The official encoder has opened the next group when the last one is full. */
    if (w.items == 8 && effort == FACET_COMPRESSION_OFFICIAL)
        facet_output_write(output, rest, 1);
    return FACET_OK;
}

/* -- Encoding Yay0 ------------------------------------------------------ */

/* Three streams that grow side by side. */
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
        facet_status status = facet_output_commit(streams[i], error);
        if (status)
            return status;
        offsets[i + 1] = offsets[i] + facet_output_size(streams[i]);
    }
    if (offsets[3] > UINT32_MAX)
        return facet_fail(error, FACET_ERROR_LIMIT, NULL, FACET_NO_OFFSET,
                          "a Yay0 stream of %" PRIu64 " bytes: its offsets have 32 bits",
                          offsets[3]);
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

/* -- Both --------------------------------------------------------------- */

facet_status facet_compress(const uint8_t *data, size_t size, facet_compression compression,
                            facet_compression_effort effort, size_t alignment,
                            const facet_options *options, facet_output *output, facet_error *error)
{
    static const uint8_t zeros[64] = {0};
    uint64_t start = facet_output_size(output);
    if (size == 0)
        return facet_fail(error, FACET_ERROR_ARGUMENT, "AR01", FACET_NO_OFFSET,
                          "no bytes cannot be compressed: the console decodes at least one");
    if (size > UINT32_MAX)
        return facet_fail(error, FACET_ERROR_LIMIT, NULL, FACET_NO_OFFSET,
                          "%zu bytes are more than the 32 bits of the header tell", size);
    facet_status status = compression == FACET_COMPRESSION_YAZ0
                              ? encode_yaz0(data, size, effort, options, output, error)
                          : compression == FACET_COMPRESSION_YAY0
                              ? encode_yay0(data, size, effort, options, output, error)
                              : facet_fail(error, FACET_ERROR_ARGUMENT, NULL, FACET_NO_OFFSET,
                                           "neither Yaz0 nor Yay0 is asked for");
    if (status)
        return status;
    uint64_t over = alignment > 1 ? (facet_output_size(output) - start) % alignment : 0;
    for (uint64_t left = over ? alignment - over : 0; left > 0;) {
        size_t now = left < sizeof zeros ? (size_t)left : sizeof zeros;
        facet_output_write(output, zeros, now);
        left -= now;
    }
    return FACET_OK;
}
