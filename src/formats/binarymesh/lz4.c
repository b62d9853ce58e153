/* formats/binarymesh/lz4.c - LZ4 block decompression.
 *
 * A block is a list of sequences. The first byte of a sequence has the number of literals in its
 * upper four bits, and the length of a match less 4 in its lower four. Then follow the literals and
 * two bytes of distance; a distance of 0 is invalid. A count of 15 continues: bytes are added up to
 * and including the first that is not 255. The last sequence ends after its literals. A match does
 * not begin within the last 12 output bytes, and does not end within the last 5. */
#include "formats/binarymesh/lz4.h"

#include <string.h>

#define SHORTEST_MATCH 4
#define LAST_LITERALS 5
#define LAST_MATCH 12
/* Minimum number of bytes after literals that are not the last: a distance, and a last sequence. */
#define FEWEST_BEHIND (2 + 1 + LAST_LITERALS)

typedef struct stream {
    const uint8_t *at, *end;
    uint8_t *to;
    size_t made, space;
} stream;

/* Add the rest of a count of 15; false if the bytes end. */
static bool add_count(stream *s, size_t *count)
{
    uint8_t byte;
    do {
        if (s->at == s->end)
            return false;
        byte = *s->at++;
        *count += byte; /* at most 255 times the size of the input */
    } while (byte == 255);
    return true;
}

static bool copy_literals(stream *s, size_t count)
{
    if (count > s->space - s->made || count > (size_t)(s->end - s->at))
        return false;
    memcpy(s->to + s->made, s->at, count);
    s->made += count;
    s->at += count;
    return true;
}

static bool copy_match(stream *s, size_t count)
{
    size_t distance = (size_t)s->at[0] | (size_t)s->at[1] << 8;
    s->at += 2;
    if (count == 15 && !add_count(s, &count))
        return false;
    count += SHORTEST_MATCH;
    if (distance == 0 || distance > s->made || count > s->space - s->made ||
        s->space - s->made - count < LAST_LITERALS)
        return false;
    uint8_t *to = s->to + s->made;
    const uint8_t *from = to - distance;
    s->made += count;
    /* A match that overlaps its output repeats its first `distance` bytes. Each copy doubles the
     * bytes that can be copied next. */
    while (count > distance) {
        memcpy(to, from, distance);
        to += distance;
        count -= distance;
        distance *= 2;
    }
    memcpy(to, from, count);
    return true;
}

bool facet_lz4_decompress(const uint8_t *from, size_t from_size, uint8_t *to, size_t to_size)
{
    stream s = {from, from + from_size, to, 0, to_size};
    if (to_size == 0) /* a last sequence without literals */
        return from_size == 1 && *from == 0;
    while (s.at < s.end) {
        uint8_t byte = *s.at++;
        size_t literals = byte >> 4;
        if ((literals == 15 && !add_count(&s, &literals)) || !copy_literals(&s, literals))
            return false;
        if (s.space - s.made < LAST_MATCH || s.end - s.at < FEWEST_BEHIND)
            return s.at == s.end && s.made == s.space;
        if (!copy_match(&s, byte & 15))
            return false;
    }
    return false; /* the last sequence is missing */
}
