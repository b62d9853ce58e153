/* formats/bsm/duplicates.c - search for duplicates: a filter by hash, then a table of the remaining
 * items. */
#include "formats/bsm/duplicates.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/numbers.h"

#include <string.h>

/* Odd, so the products of different hashes differ. The product moves all bits to the upper ones. */
#define ANOTHER_ORDER UINT32_C(0x9E3779B1)

/* -- Filter ------------------------------------------------------------ */

/* A Bloom filter: words of bits, by hash. A hash with an unset bit was not added. */
typedef struct sieve {
    uint64_t *words;
    unsigned shift; /* shift of a hash times 2^32 */
} sieve;

/* Number of items per word, for hashes found once and twice: about 1 % are false positives. */
#define ONCE 4
#define TWICE 64

/* Logarithm of the number of words, so that a word has at most `share` of `count` hashes. */
static unsigned word_bits(uint32_t count, uint32_t share)
{
    unsigned bits = 1; /* at least 1, to avoid a shift by 64 */
    while ((uint64_t)share << bits < count)
        bits++;
    return bits;
}

static inline uint64_t *word_of(sieve s, uint32_t hash)
{
    return &s.words[(uint64_t)hash << 32 >> s.shift];
}

/* Two bits of a word. With four hashes per word, about 1 % of other hashes find both set. */
static inline uint64_t two_bits(uint32_t hash)
{
    return UINT64_C(1) << (hash & 63) | UINT64_C(1) << (hash >> 6 & 63);
}

/* Add a hash; if it was present, add it to `twice` also. True if it was present. */
static inline bool note(sieve once, sieve twice, uint32_t hash, uint32_t other)
{
    uint64_t *word = word_of(once, hash), bits = two_bits(hash), before = *word;
    *word = before | bits;
    if ((before & bits) != bits)
        return false;
    *word_of(twice, other) |= two_bits(other);
    return true;
}

static inline bool is_noted(sieve s, uint32_t hash)
{
    uint64_t bits = two_bits(hash);
    return (*word_of(s, hash) & bits) == bits;
}

static sieve clear_sieve(uint64_t *words, unsigned bits)
{
    sieve s = {words, 64 - bits};
    memset(words, 0, sizeof *words << bits);
    return s;
}

/* Keep all items whose hash may equal that of another item. */
static void sift_all(facet_bsm_search *search)
{
    const sieve once = clear_sieve(search->words, word_bits(search->count, ONCE));
    const sieve twice = clear_sieve(search->more_words, word_bits(search->count, TWICE));
    const uint32_t *hashes = search->hashes;
    bool any = false;
    for (uint32_t i = 0; i < search->count; i++)
        any |= note(once, twice, hashes[i], hashes[i] * ANOTHER_ORDER);
    for (uint32_t first = 0; any && first < search->count; first += 64) {
        uint32_t left = search->count - first, size = left < 64 ? left : 64;
        uint64_t kept = 0;
        for (uint32_t i = 0; i < size; i++) {
            bool noted = is_noted(twice, hashes[first + i] * ANOTHER_ORDER);
            kept |= (uint64_t)noted << i;
            search->kept_count += noted;
        }
        search->kept[first / 64] = kept;
    }
}

static uint32_t hash_of(const facet_bsm_search *search, uint32_t item)
{
    return search->hashes[item] * ANOTHER_ORDER;
}

/* Filter the kept items again; this removes nearly all of them. */
static void sift_kept(facet_bsm_search *search)
{
    unsigned most = word_bits(search->count, TWICE), bits = word_bits(search->kept_count, 1);
    bits = bits < most ? bits : most;
    const sieve once = clear_sieve(search->words, bits);
    const sieve twice = clear_sieve(search->more_words, bits);
    uint32_t words = (search->count - 1) / 64 + 1, count = 0;
    for (uint32_t word = 0; word < words; word++) {
        for (uint64_t left = search->kept[word]; left; left &= left - 1) {
            uint32_t hash = hash_of(search, word * 64 + (uint32_t)facet_lowest_bit(left));
            note(once, twice, hash, hash * ANOTHER_ORDER);
        }
    }
    for (uint32_t word = 0; word < words; word++) {
        for (uint64_t left = search->kept[word]; left; left &= left - 1) {
            uint32_t hash = hash_of(search, word * 64 + (uint32_t)facet_lowest_bit(left));
            if (is_noted(twice, hash * ANOTHER_ORDER))
                count++;
            else
                search->kept[word] &= ~(left & -left);
        }
    }
    search->kept_count = count;
}

void facet_bsm_search_sift(facet_bsm_search *search)
{
    sift_all(search);
    if (search->kept_count > 0)
        sift_kept(search);
}

/* -- Comparison -------------------------------------------------------- */

/* Add an item to a table. False if out of memory. */
static bool look_up(uint32_t item, uint32_t hash, const facet_bsm_items *items, facet_table *table,
                    facet_bsm_twice *twice)
{
    uint32_t first = facet_table_put(table, hash, item, items->order, items->user);
    if (first == UINT32_MAX)
        return false;
    if (first == item || (items->counts && !items->counts(items->user, item)))
        return true;
    if (twice->count++ == 0) {
        twice->item = item;
        twice->equals = first;
    }
    return true;
}

/* Add all kept items to a table. False if out of memory. */
static bool look_up_kept(const facet_bsm_search *search, const facet_bsm_items *items,
                         facet_table *table, facet_bsm_twice *twice)
{
    uint32_t left = search->kept_count;
    for (uint32_t word = 0; left > 0; word++) {
        for (uint64_t kept = search->kept[word]; kept; kept &= kept - 1, left--) {
            uint32_t item = word * 64 + (uint32_t)facet_lowest_bit(kept);
            if (!look_up(item, hash_of(search, item), items, table, twice))
                return false;
        }
    }
    return true;
}

size_t facet_bsm_search_size(uint32_t count)
{
    size_t words = ((size_t)1 << word_bits(count, ONCE)) + ((size_t)1 << word_bits(count, TWICE));
    return (words + count / 64 + 1) * sizeof(uint64_t);
}

facet_status facet_bsm_search_begin(facet_bsm_search *search, facet_bsm_tables *tables,
                                    const uint32_t *hashes, uint32_t count, facet_error *error)
{
    size_t words = (size_t)1 << word_bits(count, ONCE);
    size_t more_words = (size_t)1 << word_bits(count, TWICE);
    search->hashes = hashes;
    search->count = count;
    search->kept_count = 0;
    search->kept = facet_bsm_table(tables, (size_t)count / 64 + 1, sizeof *search->kept);
    search->words = facet_bsm_table(tables, words, sizeof *search->words);
    search->more_words = facet_bsm_table(tables, more_words, sizeof *search->more_words);
    if (!search->kept || !search->words || !search->more_words)
        return facet_fail_arena(tables->arena, error);
    return FACET_OK;
}

facet_status facet_bsm_search_end(const facet_bsm_search *search, facet_arena *arena,
                                  const facet_bsm_items *items, facet_bsm_twice *found,
                                  facet_error *error)
{
    facet_bsm_twice twice = {0, 0, 0};
    facet_table table = facet_table_make(arena);
    bool whole = look_up_kept(search, items, &table, &twice);
    facet_table_free(&table);
    if (!whole)
        return facet_fail_arena(arena, error);
    *found = twice;
    return FACET_OK;
}
