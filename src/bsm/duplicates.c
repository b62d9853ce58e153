/* bsm/duplicates.c - finding what occurs twice, by a table of what may. */
#include "bsm/duplicates.h"

#include "base/arena.h"
#include "base/error.h"

#include <string.h>

/* Odd, so that hashes that differ still do, with all their bits in the upper ones. */
#define ANOTHER_ORDER UINT32_C(0x9E3779B1)

/* -- Sifting ------------------------------------------------------------ */

/* Words of bits by hash. What has a bit that is not set was not noted. */
typedef struct sieve {
    uint64_t *words;
    unsigned shift; /* of a hash times 2^32 */
} sieve;

/* So many words that each has `share` of `count` hashes at most, as a power of two. */
static unsigned word_bits(uint32_t count, uint32_t share)
{
    unsigned bits = 1; /* so that no shift is by all of 64 */
    while ((uint64_t)share << bits < count)
        bits++;
    return bits;
}

static inline uint64_t *word_of(sieve s, uint32_t hash)
{
    return &s.words[(uint64_t)hash << 32 >> s.shift];
}

/* Two bits of a word that has four hashes, of which one in a hundred finds both set. */
static inline uint64_t two_bits(uint32_t hash)
{
    return UINT64_C(1) << (hash & 63) | UINT64_C(1) << (hash >> 6 & 63);
}

/* Keep the items whose hash may be that of one before them. */
static void keep_later(facet_bsm_search *search, sieve s)
{
    uint32_t *kept = search->kept, count = 0;
    for (uint32_t i = 0; i < search->count; i++) {
        uint64_t *word = word_of(s, search->hashes[i]), bits = two_bits(search->hashes[i]);
        uint64_t before = *word;
        *word = before | bits;
        kept[count] = i;
        count += (before & bits) == bits;
    }
    search->kept_count = count;
}

/* Keep, instead, all items whose hash may be that of one that was kept. */
static void keep_equals(facet_bsm_search *search, sieve s)
{
    uint32_t *kept = search->kept, count = 0;
    for (uint32_t i = 0; i < search->kept_count; i++) {
        uint32_t hash = search->hashes[kept[i]] * ANOTHER_ORDER;
        *word_of(s, hash) |= UINT64_C(1) << (hash & 63);
    }
    for (uint32_t i = 0; i < search->count; i++) {
        uint32_t hash = search->hashes[i] * ANOTHER_ORDER;
        kept[count] = i;
        count += (uint32_t)(*word_of(s, hash) >> (hash & 63) & 1);
    }
    search->kept_count = count;
}

void facet_bsm_search_sift(facet_bsm_search *search)
{
    sieve all = {search->words, 64 - word_bits(search->count, 4)};
    keep_later(search, all);
    if (search->kept_count == 0)
        return;
    unsigned bits = word_bits(search->kept_count, 1), most = word_bits(search->count, 4);
    sieve few = {search->words, 64 - (bits < most ? bits : most)};
    memset(few.words, 0, sizeof *few.words << (64 - few.shift));
    keep_equals(search, few);
}

/* -- Comparing ---------------------------------------------------------- */

/* Put what was kept in a table. False without memory. */
static bool look_up(const facet_bsm_search *search, const facet_bsm_items *items,
                    facet_table *table, facet_bsm_twice *twice)
{
    for (uint32_t i = 0; i < search->kept_count; i++) {
        uint32_t item = search->kept[i], hash = search->hashes[item] * ANOTHER_ORDER;
        uint32_t first = facet_table_put(table, hash, item, items->order, items->user);
        if (first == UINT32_MAX)
            return false;
        if (first == item || (items->counts && !items->counts(items->user, item)))
            continue;
        if (twice->count++ == 0) {
            twice->item = item;
            twice->equals = first;
        }
    }
    return true;
}

facet_status facet_bsm_search_begin(facet_bsm_search *search, facet_arena *arena,
                                    const uint32_t *hashes, uint32_t count, facet_error *error)
{
    search->hashes = hashes;
    search->count = count;
    search->kept_count = 0;
    search->word_count = (size_t)1 << word_bits(count, 4);
    search->kept = facet_arena_allocate(arena, count, sizeof *search->kept);
    search->words = facet_arena_allocate_zeroed(arena, search->word_count, sizeof *search->words);
    if (!search->kept || !search->words)
        return facet_fail_memory(error, count * sizeof *search->kept);
    return FACET_OK;
}

facet_status facet_bsm_search_end(facet_bsm_search *search, facet_arena *arena,
                                  const facet_bsm_items *items, facet_bsm_twice *found,
                                  facet_error *error)
{
    facet_bsm_twice twice = {0, 0, 0};
    facet_table table = facet_table_make(arena);
    bool whole = look_up(search, items, &table, &twice);
    facet_table_release(&table);
    facet_arena_release(arena, search->words, search->word_count, sizeof *search->words);
    facet_arena_release(arena, search->kept, search->count, sizeof *search->kept);
    if (!whole)
        return facet_fail_memory(error, search->kept_count * sizeof(uint64_t));
    *found = twice;
    return FACET_OK;
}
