/* archive/search.c - where copies come from. Positions with the same three bytes
 * are chained, the newest first; nothing is older than the window. */
#include "archive/search.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/size.h"

#include <string.h>

enum {
    HASH_BITS = 15,
    STEP = 1 << 20 /* bytes between two looks at the progress callback */
};

#define NO_POSITION UINT32_MAX

typedef struct search {
    const uint8_t *data;
    size_t size;
    size_t inserted;                      /* positions below are in the chains */
    uint32_t head[1 << HASH_BITS];        /* newest position of each hash, or NO_POSITION */
    uint32_t previous[FACET_COPY_WINDOW]; /* by position modulo the window: the one before it */
} search;

typedef struct match {
    uint32_t length; /* 0: none */
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
        s->previous[s->inserted % FACET_COPY_WINDOW] = *head;
        *head = (uint32_t)s->inserted;
    }
}

/* How many bytes are equal from a and b on, at most `most`. b is the later one,
 * and has `most` bytes. */
static uint32_t common_length(const uint8_t *a, const uint8_t *b, uint32_t most)
{
    uint32_t length = 0;
    for (; length + 8 <= most; length += 8) {
        uint64_t x, y;
        memcpy(&x, a + length, 8);
        memcpy(&y, b + length, 8);
        if (x != y)
            break;
    }
    while (length < most && a[length] == b[length])
        length++;
    return length;
}

static uint32_t most_at(const search *s, size_t position)
{
    size_t left = s->size - position;
    return left < FACET_COPY_MOST ? (uint32_t)left : FACET_COPY_MOST;
}

/* The first position of the window where `most` equal bytes begin, when those at
 * `position` are all equal: what the chains would find, without comparing each
 * position of a long run. */
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
            size_t start = i + 1 - run; /* a run that reaches `position` goes on there */
            *found = (match){most, (uint32_t)(position - start)};
            return true;
        }
    }
    return false;
}

/* The longest copy for a position; of equal ones the farthest. */
static match farthest_longest(search *s, size_t position)
{
    match best = {0, 0};
    uint32_t most = most_at(s, position);
    if (most < FACET_COPY_LEAST || first_in_run(s, position, most, &best))
        return best;
    insert_up_to(s, position);
    size_t oldest = position > FACET_COPY_WINDOW ? position - FACET_COPY_WINDOW : 0;
    const uint8_t *at = s->data + position;
    uint32_t wanted = FACET_COPY_LEAST;
    for (uint32_t each = s->head[hash_of(at)]; each != NO_POSITION && each >= oldest;
         each = s->previous[each % FACET_COPY_WINDOW]) {
        const uint8_t *candidate = s->data + each;
        if (candidate[wanted - 1] == at[wanted - 1]) {
            uint32_t length = common_length(candidate, at, most);
            if (length >= wanted) {
                best = (match){length, (uint32_t)(position - each)};
                wanted = length;
            }
        }
        if (each == oldest)
            break;
    }
    return best;
}

/* -- Official ----------------------------------------------------------- */

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
        match here = kept.length ? kept : farthest_longest(s, position);
        bool was_kept = kept.length > 0;
        kept.length = 0;
        if (!was_kept && here.length >= FACET_COPY_LEAST) {
            match ahead = farthest_longest(s, position + 1);
            if (ahead.length >= here.length + 2) {
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

/* -- Fast --------------------------------------------------------------- */

/* The newest position with the same bytes, and no other; only the beginnings of
 * items are remembered. */
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

/* -- Best --------------------------------------------------------------- */

enum { LITERAL_BITS = 9, SHORT_BITS = 17, LONG_BITS = 25 };

/* The cheapest way from each position to the end, from behind. What a copy
 * costs depends on its length alone, and a longest copy can be cut to any
 * shorter one. Bits are counted from the position that is 273 before on, modulo
 * 2^32: differences stay small. */
static facet_status search_best(search *s, facet_arena *arena, const facet_options *options,
                                const facet_item_sink *sink, facet_error *error)
{
    uint16_t *lengths = facet_arena_allocate(arena, s->size, sizeof *lengths);
    uint16_t *distances = facet_arena_allocate(arena, s->size, sizeof *distances);
    uint16_t *choices = facet_arena_allocate(arena, s->size, sizeof *choices);
    facet_status status = FACET_OK;
    if (!lengths || !distances || !choices)
        return facet_fail_memory(error, s->size * 6);
    for (size_t i = 0, next = 0; i < s->size && !status; i++) {
        match found = farthest_longest(s, i);
        lengths[i] = (uint16_t)found.length;
        distances[i] = (uint16_t)found.distance;
        status = look_around(s, i, options, &next, error);
    }
    uint64_t costs[512] = {0}; /* of the positions ahead, modulo 512 */
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

/* -- All ---------------------------------------------------------------- */

facet_status facet_search_items(const uint8_t *data, size_t size, facet_compression_effort effort,
                                const facet_options *options, const facet_item_sink *sink,
                                facet_error *error)
{
    facet_arena *arena = NULL;
    facet_status status = facet_arena_create(options, &arena, error);
    if (status)
        return status;
    search *s = facet_arena_allocate(arena, 1, sizeof *s);
    if (!s) {
        facet_arena_free(arena);
        return facet_fail_memory(error, sizeof *s);
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
