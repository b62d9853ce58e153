/* base/repeats.h - which of many hashes may have come twice, without a table of them.
 *
 * Each hash has one of some eight places per item, in the order of the hashes. A place that a
 * second hash comes to is marked, and only the items of marked places, an eighth of those that
 * differ, have to be compared. The places fit a processor's cache where a table would not;
 * hashes that come nearly in order lead to places that are in it. */
#ifndef FACET_BASE_REPEATS_H
#define FACET_BASE_REPEATS_H

#include "base/arena.h"

typedef struct facet_repeats {
    uint64_t *words; /* 32 places each: who came in the low half, who came again in the high */
    size_t count;    /* of words, a power of two */
    unsigned shift;  /* of a hash times 2^32, so that one below 32 is no case of its own */
} facet_repeats;

/* For `count` hashes; false without memory. */
static inline bool facet_repeats_make(facet_repeats *repeats, facet_arena *arena, uint32_t count)
{
    unsigned bits = 1;
    while (((uint64_t)1 << bits) * 4 < count)
        bits++;
    repeats->count = (size_t)1 << bits;
    repeats->shift = 64 - bits - 5;
    repeats->words = facet_arena_allocate_zeroed(arena, repeats->count, sizeof *repeats->words);
    return repeats->words != NULL;
}

static inline void facet_repeats_free(facet_repeats *repeats, facet_arena *arena)
{
    facet_arena_release(arena, repeats->words, repeats->count, sizeof *repeats->words);
    repeats->words = NULL;
}

static inline uint64_t facet_repeats_place(const facet_repeats *repeats, uint32_t hash)
{
    return (uint64_t)hash << 32 >> repeats->shift;
}

static inline void facet_repeats_note(facet_repeats *repeats, uint32_t hash)
{
    uint64_t place = facet_repeats_place(repeats, hash), bit = (uint64_t)1 << (place & 31);
    uint64_t *word = &repeats->words[place >> 5];
    *word |= bit | (*word & bit) << 32;
}

/* True of all hashes that came twice, and of few others. */
static inline bool facet_repeats_has(const facet_repeats *repeats, uint32_t hash)
{
    uint64_t place = facet_repeats_place(repeats, hash);
    return repeats->words[place >> 5] >> (32 + (place & 31)) & 1;
}

#endif
