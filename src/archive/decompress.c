/* archive/decompress.c - decoders of Yaz0 and Yay0, without allocation. */
#include "archive/decompress.h"

#include "base/bytes.h"
#include "base/error.h"

#include <inttypes.h>
#include <string.h>

enum {
    HEADER_SIZE = 16,
    /* The highest compression: eight copies of 273 bytes from 25 bytes. */
    GROUP_OUT = 8 * 273,
    GROUP_IN = 25,
    SLACK = 16 /* bytes that a copy may write beyond the end; see copy_far */
};

facet_compression facet_get_compression(const uint8_t *data, size_t size)
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
    facet_compression compression = facet_get_compression(data, size);
    if (compression == FACET_COMPRESSION_NONE)
        return facet_fail(error, FACET_ERROR_UNSUPPORTED, "FORMAT-UNKNOWN", 0,
                          "the stream begins with neither Yaz0 nor Yay0");
    if (size < HEADER_SIZE)
        return facet_fail(error, FACET_ERROR_MALFORMED, "AR01", 0,
                          "a %s stream needs a header of 16 bytes, found %zu", name_of(compression),
                          size);
    uint32_t announced = facet_load_u32be(data + 4);
    if (announced == 0)
        return facet_fail(error, FACET_ERROR_MALFORMED, "AR01", 4, "the %s stream is empty",
                          name_of(compression));
    if (announced / GROUP_OUT > (size - HEADER_SIZE) / GROUP_IN + 1)
        return facet_fail(error, FACET_ERROR_MALFORMED, "AR02", 4,
                          "%zu bytes of %s cannot decompress to %" PRIu32 " bytes", size,
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
                          "a copy begins %zu bytes back, but only %zu are written", distance,
                          written);
    return facet_fail(error, FACET_ERROR_MALFORMED, "AR04", at,
                      "a copy has %" PRIu32 " bytes, but only %zu are left to write", length,
                      wanted - written);
}

/* Copy within the output; the ranges can overlap. */
static void copy_back(uint8_t *to, size_t distance, uint32_t length)
{
    const uint8_t *from = to - distance;
    for (uint32_t i = 0; i < length; i++)
        to[i] = from[i];
}

/* The same in steps of 8 and 16 bytes, which can write up to SLACK bytes beyond the end. */
static void copy_far(uint8_t *to, size_t distance, uint32_t length)
{
    const uint8_t *from = to - distance;
    if (distance >= SLACK) {
        memcpy(to, from, SLACK);
        for (uint32_t done = SLACK; done < length; done += SLACK)
            memcpy(to + done, from + done, SLACK);
    } else if (distance >= SLACK / 2) {
        for (uint32_t done = 0; done < length; done += SLACK / 2)
            memcpy(to + done, from + done, SLACK / 2);
    } else if (distance == 1) {
        uint8_t run[SLACK];
        memset(run, *from, SLACK);
        for (uint32_t done = 0; done < length; done += SLACK)
            memcpy(to + done, run, SLACK);
    } else {
        copy_back(to, distance, length);
    }
}

/* Number of leading 1 bits; at least one bit must be 0. */
static uint32_t count_ones(uint32_t flags)
{
#if defined(__GNUC__)
    return (uint32_t)__builtin_clz(~flags);
#else
    uint32_t count = 0;
    for (; flags & 0x80000000u; flags <<= 1)
        count++;
    return count;
#endif
}

/* Decode whole groups, while neither input nor output can end inside one. All bytes up to the next
 * copy are read together. At an invalid copy, stop at its group; the caller continues there. */
static void decode_groups(const uint8_t *data, size_t size, uint8_t *out, size_t wanted,
                          size_t *taken, size_t *made)
{
    size_t at = *taken, written = *made;
    while (size - at >= GROUP_IN + 8 && wanted - written >= GROUP_OUT + SLACK) {
        size_t group = at, before = written;
        uint32_t flags = (uint32_t)data[at++] << 24, left = 8;
        while (left > 0) {
            uint32_t ones = count_ones(flags);
            memcpy(out + written, data + at, 8);
            at += ones;
            written += ones;
            left -= ones;
            if (left == 0)
                break;
            uint32_t head = (uint32_t)data[at] << 8 | data[at + 1], length = head >> 12;
            size_t distance = (head & 0xFFF) + 1;
            at += 2;
            if (length == 0)
                length = data[at++] + 0x10u;
            length += 2;
            if (distance > written) {
                *taken = group;
                *made = before;
                return;
            }
            copy_far(out + written, distance, length);
            written += length;
            flags <<= ones + 1;
            left--;
        }
    }
    *taken = at;
    *made = written;
}

static facet_status decode_yaz0(const uint8_t *data, size_t size, uint8_t *out, size_t wanted,
                                size_t *end, facet_error *error)
{
    size_t at = HEADER_SIZE, written = 0;
    decode_groups(data, size, out, wanted, &at, &written);
    while (written < wanted) {
        if (at == size)
            return ends_early(at, written, wanted, error);
        uint32_t flags = data[at++];
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
            copy_back(out + written, distance, length);
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
        return facet_fail(
            error, FACET_ERROR_MALFORMED, "AR08", 8,
            "links at %zu or bytes at %zu are not between the header and the end at %zu", link,
            chunk, size);
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
            if (wanted - written >= length + (size_t)SLACK)
                copy_far(out + written, distance, length);
            else
                copy_back(out + written, distance, length);
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
    TRY(facet_decompressed_size(data, size, &wanted, error));
    if (wanted != decompressed)
        return facet_fail(error, FACET_ERROR_ARGUMENT, NULL, FACET_NO_OFFSET,
                          "the buffer holds %zu bytes, but the stream has %zu", decompressed,
                          wanted);
    return facet_get_compression(data, size) == FACET_COMPRESSION_YAZ0
               ? decode_yaz0(data, size, out, wanted, end, error)
               : decode_yay0(data, size, out, wanted, end, error);
}

facet_status facet_decompress(const uint8_t *data, size_t size, uint8_t *out, size_t decompressed,
                              facet_error *error)
{
    size_t end;
    return facet_decompress_to_end(data, size, out, decompressed, &end, error);
}
