/* base/repeats.h - a filter for hashes that may occur twice, without a table of them.
 *
 * There are about eight slots per item. A hash selects its slot in the order of hashes. If a second
 * hash selects the same slot, the slot is marked. Only items of marked slots, an eighth of the
 * distinct ones, must then be compared. The slots fit into a processor's cache, where a table would
 * not; hashes in nearly ascending order select slots that are already in the cache. */
#ifndef FACET_BASE_REPEATS_H
#define FACET_BASE_REPEATS_H

#include "base/arena.h"

typedef struct facet_repeats {
    uint64_t *words; /* 32 slots each: low half: used once, high half: used again */
    size_t count;    /* number of words, a power of two */
    unsigned shift;  /* shift of a hash times 2^32, so that a hash below 32 is not a special case */
} facet_repeats;

/* Allocate for `count` hashes; false if out of memory. */
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

static inline uint64_t facet_repeats_slot(const facet_repeats *repeats, uint32_t hash)
{
    return (uint64_t)hash << 32 >> repeats->shift;
}

static inline void facet_repeats_note(facet_repeats *repeats, uint32_t hash)
{
    uint64_t place = facet_repeats_slot(repeats, hash), bit = (uint64_t)1 << (place & 31);
    uint64_t *word = &repeats->words[place >> 5];
    *word |= bit | (*word & bit) << 32;
}

/* True for all hashes that occur twice, and for few others. */
static inline bool facet_repeats_has(const facet_repeats *repeats, uint32_t hash)
{
    uint64_t place = facet_repeats_slot(repeats, hash);
    return repeats->words[place >> 5] >> (32 + (place & 31)) & 1;
}

#endif
