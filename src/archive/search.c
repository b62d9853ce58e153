/* archive/search.c - search for copies. Positions with the same three bytes are chained, newest
 * first, within the window. A copy of n bytes has n - 2 such triples, and its source has the same
 * ones. So the search follows the chain of the rarest triple. */
#include "archive/search.h"

#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"

#include <string.h>

enum {
    HASH_BITS = 15,
    RING = 2 * FACET_COPY_WINDOW, /* the window, and the bytes ahead */
    STEP = 1 << 20                /* bytes between calls of the progress callback */
};

#define NO_POSITION UINT32_MAX

typedef struct search {
    const uint8_t *data;
    size_t size;
    size_t inserted;               /* positions below are in the chains */
    uint32_t head[1 << HASH_BITS]; /* newest position of each hash, or NO_POSITION */
    uint32_t previous[RING];       /* by position modulo RING: the previous one in its chain */
} search;

typedef struct match {
    uint32_t length; /* 0: no match */
    uint32_t distance;
} match;

/* -- Chains ------------------------------------------------------------- */

static uint32_t hash_of(const uint8_t *at)
{
    uint32_t three = (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16;
    return three * 0x9E3779B1u >> (32 - HASH_BITS);
}

static void insert_up_to(search *s, size_t position)
{
    size_t last = s->size < FACET_COPY_LEAST ? 0 : s->size - FACET_COPY_LEAST + 1;
    size_t end = position < last ? position : last;
    for (; s->inserted < end; s->inserted++) {
        uint32_t *head = &s->head[hash_of(s->data + s->inserted)];
        s->previous[s->inserted % RING] = *head;
        *head = (uint32_t)s->inserted;
    }
}

/* Number of bytes in memory that are 0 before the first other byte. The argument must not be 0. */
static uint32_t equal_bytes(uint64_t difference)
{
#if defined(__GNUC__) && !FACET_HOST_IS_BIG_ENDIAN
    return (uint32_t)__builtin_ctzll(difference) / 8;
#else
    uint8_t bytes[8];
    uint32_t count = 0;
    memcpy(bytes, &difference, 8);
    while (bytes[count] == 0)
        count++;
    return count;
#endif
}

/* Number of equal bytes from a and b on, at most `most`. b is the later one, and has at least
 * `most` bytes. */
static uint32_t common_length(const uint8_t *a, const uint8_t *b, uint32_t most)
{
    uint32_t length = 0;
    for (; length + 8 <= most; length += 8) {
        uint64_t x, y;
        memcpy(&x, a + length, 8);
        memcpy(&y, b + length, 8);
        if (x != y)
            return length + equal_bytes(x ^ y);
    }
    while (length < most && a[length] == b[length])
        length++;
    return length;
}

static uint32_t most_at(const search *s, size_t position)
{
    size_t left = s->size - position;
    return left < FACET_COPY_MAX ? (uint32_t)left : FACET_COPY_MAX;
}

/* Find the first position of the window with `most` equal bytes, if those at `position` are all
 * equal. The result is that of the chains, without comparing each position of a long run. */
static bool first_in_run(const search *s, size_t position, uint32_t most, match *found)
{
    const uint8_t *data = s->data, *at = data + position;
    if (common_length(at, at + 1, most - 1) < most - 1)
        return false;
    size_t first = position > FACET_COPY_WINDOW ? position - FACET_COPY_WINDOW : 0;
    uint32_t run = 0;
    for (size_t i = first; i < position; i++) {
        run = data[i] == *at ? run + 1 : 0;
        if (run == most || (run > 0 && i + 1 == position)) {
            size_t start = i + 1 - run; /* a run that reaches `position` continues there */
            *found = (match){most, (uint32_t)(position - start)};
            return true;
        }
    }
    return false;
}

/* The triple in a copy of `wanted` bytes for `position` whose first chain step is longest, as an
 * offset in the copy. UINT32_MAX if the window lacks a triple of the copy. */
static uint32_t rarest(const search *s, size_t position, uint32_t wanted)
{
    uint32_t best = 0;
    size_t best_gap = 0;
    for (uint32_t i = 0; i + FACET_COPY_LEAST <= wanted; i++) {
        uint32_t before = s->previous[(position + i) % RING];
        size_t gap = before == NO_POSITION ? SIZE_MAX : position + i - before;
        if (gap > FACET_COPY_WINDOW)
            return UINT32_MAX;
        if (gap > best_gap) {
            best_gap = gap;
            best = i;
        }
    }
    return best;
}

/* Find the longest copy of at least `wanted` bytes for a position: the nearest, or among equal ones
 * the farthest. */
static match longest(search *s, size_t position, uint32_t wanted, bool farthest)
{
    match best = {0, 0};
    uint32_t most = most_at(s, position);
    if (most < wanted)
        return best;
    insert_up_to(s, position + most);
    const uint8_t *at = s->data + position;
    size_t oldest = position > FACET_COPY_WINDOW ? position - FACET_COPY_WINDOW : 0;
    uint32_t three = rarest(s, position, wanted);
    if (three == UINT32_MAX)
        return best;
    uint32_t each = s->previous[(position + three) % RING];
    while (each != NO_POSITION && each >= oldest + three) {
        size_t from = each - three;
        const uint8_t *candidate = s->data + from;
        uint32_t length =
            candidate[wanted - 1] == at[wanted - 1] ? common_length(candidate, at, most) : 0;
        if (length >= wanted)
            best = (match){length, (uint32_t)(position - from)};
        if (length >= wanted && (length > wanted || !farthest)) {
            wanted = farthest ? length : length + 1;
            if (wanted > most)
                return best;
            three = rarest(s, position, wanted);
            if (three == UINT32_MAX)
                return best;
            /* Nearer positions were tested. A triple that is also in this copy is in the chain at
             * the copy's source. */
            each = (uint32_t)(three + FACET_COPY_LEAST <= length ? from : position) + three;
            do
                each = s->previous[each % RING];
            while (each != NO_POSITION && each >= from + three);
        } else {
            each = s->previous[each % RING];
        }
    }
    return best;
}

/* Find the longest copy of at least `wanted` bytes; among equal ones the farthest. */
static match farthest_longest(search *s, size_t position, uint32_t wanted)
{
    match best = {0, 0};
    uint32_t most = most_at(s, position);
    if (most < wanted || first_in_run(s, position, most, &best))
        return best;
    return longest(s, position, wanted, true);
}

/* -- Official effort ---------------------------------------------------- */

static facet_status look_around(search *s, size_t position, const facet_options *options,
                                size_t *next, facet_error *error)
{
    if (position < *next)
        return FACET_OK;
    *next = position + STEP;
    return facet_step(options, "compress", (double)position / (double)s->size, error);
}

static facet_status search_official(search *s, const facet_options *options,
                                    const facet_item_sink *sink, facet_error *error)
{
    match kept = {0, 0};
    facet_status status = FACET_OK;
    for (size_t position = 0, next = 0; position < s->size && !status;) {
        match here = kept.length ? kept : farthest_longest(s, position, FACET_COPY_LEAST);
        bool was_kept = kept.length > 0;
        kept.length = 0;
        if (!was_kept && here.length >= FACET_COPY_LEAST) {
            match ahead = farthest_longest(s, position + 1, here.length + 2);
            if (ahead.length > 0) {
                sink->put(sink->user, position++, 1, 0);
                kept = ahead;
                continue;
            }
        }
        if (here.length >= FACET_COPY_LEAST) {
            sink->put(sink->user, position, here.length, here.distance);
            position += here.length;
        } else {
            sink->put(sink->user, position++, 1, 0);
        }
        status = look_around(s, position, options, &next, error);
    }
    return status;
}

/* -- Fast effort -------------------------------------------------------- */

/* Test only the newest position with the same bytes. Only the starts of items are stored. */
static facet_status search_fast(search *s, const facet_options *options,
                                const facet_item_sink *sink, facet_error *error)
{
    const uint8_t *data = s->data;
    size_t last = s->size < FACET_COPY_LEAST ? 0 : s->size - FACET_COPY_LEAST + 1;
    facet_status status = FACET_OK;
    size_t position = 0;
    for (size_t next = 0; position < last && !status;) {
        uint32_t *head = &s->head[hash_of(data + position)];
        size_t candidate = *head;
        *head = (uint32_t)position;
        uint32_t length = 0;
        if (candidate != NO_POSITION && position - candidate <= FACET_COPY_WINDOW)
            length = common_length(data + candidate, data + position, most_at(s, position));
        if (length >= FACET_COPY_LEAST) {
            sink->put(sink->user, position, length, (uint32_t)(position - candidate));
            position += length;
        } else {
            sink->put(sink->user, position++, 1, 0);
        }
        status = look_around(s, position, options, &next, error);
    }
    for (; position < s->size && !status; position++)
        sink->put(sink->user, position, 1, 0);
    return status;
}

/* -- Best effort -------------------------------------------------------- */

enum { LITERAL_BITS = 9, SHORT_BITS = 17, LONG_BITS = 25 };

/* Find the cheapest items from each position to the end, backward. The cost of a copy depends only
 * on its length, and a longest copy can be shortened to any length. Costs count bits from the
 * position 273 earlier, modulo 2^32, so that differences stay small. */
static facet_status search_best(search *s, facet_arena *arena, const facet_options *options,
                                const facet_item_sink *sink, facet_error *error)
{
    uint16_t *lengths = facet_arena_allocate(arena, s->size, sizeof *lengths);
    uint16_t *distances = facet_arena_allocate(arena, s->size, sizeof *distances);
    uint16_t *choices = facet_arena_allocate(arena, s->size, sizeof *choices);
    facet_status status = FACET_OK;
    if (!lengths || !distances || !choices)
        return facet_fail_arena(arena, error);
    match found = {0, 0};
    for (size_t i = 0, next = 0; i < s->size && !status; i++) {
        /* The previous position's copy without its first byte is a copy. */
        found.length -= found.length > 0;
        uint32_t wanted = found.length < FACET_COPY_LEAST ? FACET_COPY_LEAST : found.length + 1;
        match longer = longest(s, i, wanted, false);
        if (longer.length > 0 || found.length < FACET_COPY_LEAST)
            found = longer;
        lengths[i] = (uint16_t)found.length;
        distances[i] = (uint16_t)found.distance;
        status = look_around(s, i, options, &next, error);
    }
    uint64_t costs[512] = {0}; /* costs of the positions ahead, modulo 512 */
    for (size_t i = s->size; i-- > 0 && !status;) {
        uint64_t least = LITERAL_BITS + costs[(i + 1) % 512];
        uint32_t choice = 1;
        for (uint32_t length = FACET_COPY_LEAST; length <= lengths[i]; length++) {
            uint64_t cost =
                (length <= FACET_COPY_SHORT ? SHORT_BITS : LONG_BITS) + costs[(i + length) % 512];
            if (cost < least) {
                least = cost;
                choice = length;
            }
        }
        costs[i % 512] = least;
        choices[i] = (uint16_t)choice;
    }
    for (size_t i = 0; i < s->size && !status; i += choices[i])
        sink->put(sink->user, i, choices[i], choices[i] > 1 ? distances[i] : 0);
    return status;
}

/* -- All efforts -------------------------------------------------------- */

facet_status facet_search_items(const uint8_t *data, size_t size, facet_compression_effort effort,
                                const facet_options *options, const facet_item_sink *sink,
                                facet_error *error)
{
    facet_arena *arena = NULL;
    TRY(facet_arena_create(options, &arena, error));
    facet_status status = FACET_OK;
    search *s = facet_arena_allocate(arena, 1, sizeof *s);
    if (!s) {
        return facet_arena_abandon(arena, error);
    }
    s->data = data;
    s->size = size;
    s->inserted = 0;
    memset(s->head, 0xFF, sizeof s->head);
    if (effort == FACET_COMPRESSION_BEST)
        status = search_best(s, arena, options, sink, error);
    else if (effort == FACET_COMPRESSION_FAST)
        status = search_fast(s, options, sink, error);
    else
        status = search_official(s, options, sink, error);
    facet_arena_free(arena);
    return status;
}
