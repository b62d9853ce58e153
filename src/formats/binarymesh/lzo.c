/* formats/binarymesh/lzo.c - LZO1X decompression.
 *
 * A stream is a list of instructions: a byte with the kind and length in its upper bits, and the
 * bytes of the distance. It has neither a header nor a length. The end mark is a far match of
 * distance 0 (11 00 00).
 *
 * - 0000LLLL: after a match, L + 3 literals. L = 0: a long length.
 * - 0000DDss D: after 1 to 3 literals, 2 bytes. Distance up to 1,024.
 * - 0000DDss D: after more literals, 3 bytes. Distance 2,049 to 3,072.
 * - 0001DLLL DDDDDDss D: far, L + 2 bytes. Distance 16,384 to 49,151.
 * - 001LLLLL DDDDDDss D: L + 2 bytes. Distance up to 16,384. L = 0: a long length.
 * - LLLDDDss D: L + 1 bytes (L from 2). Distance up to 2,048.
 *
 * ss literals follow every match. A long length is a sum: 255 for each zero byte, the byte after
 * them, and the maximum of L. If the first byte of the stream is 18 or more, that byte less 17 is a
 * number of literals. */
#include "formats/binarymesh/lzo.h"

#include <string.h>

#define NEAR_DISTANCE 0x800
#define FAR_DISTANCE 0x4000

typedef struct stream {
    const uint8_t *at, *end;
    uint8_t *to;
    size_t made, space;
} stream;

/* Add the value of zero bytes and the byte after them; false if the bytes end. An end mark can have
 * any length, so the length is not compared with the space. */
static bool add_long_length(stream *s, size_t base, size_t *length)
{
    size_t sum = base;
    while (s->at < s->end && *s->at == 0) {
        sum += 255;
        s->at++;
        if (sum > SIZE_MAX - 2 * 255)
            return false;
    }
    if (s->at == s->end)
        return false;
    *length = sum + *s->at++;
    return true;
}

static bool copy_literals(stream *s, size_t length)
{
    if (length > s->space - s->made || length > (size_t)(s->end - s->at))
        return false;
    memcpy(s->to + s->made, s->at, length);
    s->made += length;
    s->at += length;
    return true;
}

static bool copy_match(stream *s, size_t distance, size_t length)
{
    if (distance > s->made || length > s->space - s->made)
        return false;
    uint8_t *to = s->to + s->made;
    const uint8_t *from = to - distance;
    s->made += length;
    if (distance >= length) {
        memcpy(to, from, length);
        return true;
    }
    /* A match that overlaps its output repeats its first `distance` bytes. Each copy doubles the
     * bytes that can be copied next. */
    while (length > distance) {
        memcpy(to, from, distance);
        to += distance;
        length -= distance;
        distance *= 2;
    }
    memcpy(to, from, length);
    return true;
}

/* Read a match instruction (byte from 16 on). The distance 0 is the end mark. */
static bool read_match(stream *s, size_t byte, size_t *distance, size_t *length, size_t *literals)
{
    if (byte >= 64) {
        if (s->at == s->end)
            return false;
        *length = (byte >> 5) + 1;
        *distance = ((size_t)*s->at++ << 3) + (byte >> 2 & 7) + 1;
        *literals = byte & 3;
        return true;
    }
    bool far_away = byte < 32;
    size_t most = far_away ? 7 : 31;
    *length = byte & most;
    if (*length == 0 && !add_long_length(s, most, length))
        return false;
    *length += 2;
    if (s->end - s->at < 2)
        return false;
    *distance = ((size_t)s->at[0] >> 2) + ((size_t)s->at[1] << 6);
    *literals = s->at[0] & 3;
    s->at += 2;
    if (!far_away)
        *distance += 1;
    else if (*distance > 0 || (byte & 8))
        *distance += FAR_DISTANCE + ((byte & 8) << 11);
    return true;
}

/* Read a short match: an instruction byte below 16, after `before` literals. */
static bool read_short_match(stream *s, size_t byte, bool after_few, size_t *distance,
                             size_t *length, size_t *literals)
{
    if (s->at == s->end)
        return false;
    *length = after_few ? 2 : 3;
    *distance = ((size_t)*s->at++ << 2) + (byte >> 2) + 1 + (after_few ? 0 : NEAR_DISTANCE);
    *literals = byte & 3;
    return true;
}

bool facet_lzo_decompress(const uint8_t *from, size_t from_size, uint8_t *to, size_t to_size)
{
    stream s = {from, from + from_size, to, 0, to_size};
    size_t literals = 0; /* number of literals directly before */
    if (from_size > 0 && *s.at > 17) {
        literals = (size_t)*s.at++ - 17;
        if (!copy_literals(&s, literals))
            return false;
    }
    while (s.at < s.end) {
        size_t byte = *s.at++, distance, length;
        bool valid;
        if (byte >= 16) {
            valid = read_match(&s, byte, &distance, &length, &literals);
            if (valid && distance == 0)
                return s.at == s.end && s.made == s.space;
        } else if (literals > 0) {
            valid = read_short_match(&s, byte, literals < 4, &distance, &length, &literals);
        } else {
            valid = byte > 0 || add_long_length(&s, 15, &byte);
            literals = byte + 3;
            if (!valid || !copy_literals(&s, literals))
                return false;
            continue;
        }
        if (!valid || !copy_match(&s, distance, length) || !copy_literals(&s, literals))
            return false;
    }
    return false; /* the end mark is missing */
}
