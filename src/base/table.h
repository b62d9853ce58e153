/* base/table.h - hash tables that give equal values the same number.
 *
 * The items of a table are numbers that represent values of the caller; a callback compares two of
 * them. Slots are probed linearly. An item that finds no free slot within a bounded number of
 * probes goes to an overflow of sorted runs. Even if all hashes are equal, n calls take at most
 * about n * (128 + log2(n)^2) steps. Results depend only on the order of the calls, never on the
 * hashes. */
#ifndef FACET_BASE_TABLE_H
#define FACET_BASE_TABLE_H

#include "base/prefetch.h"

#include <facet/base.h>

/* -- Hashes ------------------------------------------------------------- */

/* Mix a word into a hash. The initial hash is 0; facet_hash_end returns the result. */
static inline uint64_t facet_hash_word(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ hash >> 32;
}
static inline uint32_t facet_hash_end(uint64_t hash)
{
    return (uint32_t)(hash * UINT64_C(0xD6E8FEB86659FD93) >> 32);
}
/* Hash of a run of bytes. */
uint32_t facet_hash_bytes(const void *bytes, size_t size);

/* -- Tables ------------------------------------------------------------- */

/* Compare items a and b by value, in any total order: less than 0, 0 or more than 0. */
typedef int (*facet_table_order)(const void *user, uint32_t a, uint32_t b);

/* All calls for one table must use the same order and user. */
typedef struct facet_table {
    facet_arena *arena;
    uint64_t *slots;    /* hash << 32 | item + 1; 0: free */
    size_t slot_count;  /* a power of two; twice the items, up to 2^32 */
    size_t count;       /* number of items */
    uint64_t *overflow; /* entries like slots; one sorted run for each bit of overflow_count */
    size_t overflow_count, overflow_capacity;
    uint64_t steps; /* probes and comparisons so far */
} facet_table;

#define FACET_TABLE_MAX_PROBES 128

static inline facet_table facet_table_make(facet_arena *arena)
{
    facet_table table = {0};
    table.arena = arena;
    return table;
}
/* Make space for `count` items in total; false if out of memory. Tables also grow automatically,
 * which takes time. */
bool facet_table_reserve(facet_table *table, size_t count, facet_table_order order,
                         const void *user);
/* Free the memory of a table; it is empty afterwards. */
void facet_table_free(facet_table *table);
/* Continue facet_table_find_or_add; only that calls it. */
uint32_t facet_table_probe(facet_table *table, uint64_t entry, bool add, facet_table_order order,
                           const void *user);

/* Inline, so that the compiler can also inline `order`. */
static inline uint32_t facet_table_find_or_add(facet_table *table, uint32_t hash, uint32_t item,
                                               bool add, facet_table_order order, const void *user)
{
    const uint64_t entry = (uint64_t)hash << 32 | (item + 1);
    const size_t last = table->slot_count - 1;
    for (size_t probe = 0; probe < FACET_TABLE_MAX_PROBES; probe++) {
        uint64_t *slot = &table->slots[(hash + probe) & last];
        if (*slot == 0) {
            if (add) {
                *slot = entry;
                table->count++;
            }
            table->steps += probe + 1;
            return add ? item : UINT32_MAX;
        }
        if ((*slot ^ entry) >> 32 == 0 && order(user, (uint32_t)*slot - 1, item) == 0) {
            table->steps += probe + 1;
            return (uint32_t)*slot - 1;
        }
    }
    table->steps += FACET_TABLE_MAX_PROBES;
    return facet_table_probe(table, entry, add, order, user);
}

/* Find or add an item. Returns the earlier item that equals it, or `item` itself if it is new;
 * UINT32_MAX if out of memory. Items are below UINT32_MAX. */
static inline uint32_t facet_table_put(facet_table *table, uint32_t hash, uint32_t item,
                                       facet_table_order order, const void *user)
{
    if (table->count >= table->slot_count / 2 &&
        !facet_table_reserve(table, table->count + 1, order, user))
        return UINT32_MAX;
    return facet_table_find_or_add(table, hash, item, true, order, user);
}

/* Item of the table that equals `item`, which need not be in the table; UINT32_MAX if none does. */
static inline uint32_t facet_table_find(facet_table *table, uint32_t hash, uint32_t item,
                                        facet_table_order order, const void *user)
{
    return table->count > 0 ? facet_table_find_or_add(table, hash, item, false, order, user)
                            : UINT32_MAX;
}

/* Load the slot of a hash into the cache, for use a little later. */
static FACET_ALWAYS_INLINE void facet_table_prefetch(const facet_table *table, uint32_t hash)
{
    if (table->slot_count > 0)
        facet_prefetch(&table->slots[hash & (table->slot_count - 1)]);
}

/* -- Records ------------------------------------------------------------ */

/* Records of equal size, each stored once, numbered in the order of addition. */
typedef struct facet_records {
    facet_table table;
    size_t size;
    uint8_t *items; /* allocated from the table's arena */
    uint32_t count, capacity;
    const void *candidate; /* the searched record, which has the number `count` */
} facet_records;

static inline facet_records facet_records_make(facet_arena *arena, size_t size)
{
    facet_records records = {.table = {.arena = arena}, .size = size};
    return records;
}
/* Make space for `count` records in total; false if out of memory. */
bool facet_records_reserve(facet_records *records, uint32_t count);
/* Number of a record, which is copied if it is new; UINT32_MAX if out of memory. */
uint32_t facet_records_put(facet_records *records, const void *record);
/* The number of a record, or UINT32_MAX. Several threads can search one set. */
uint32_t facet_records_find(const facet_records *records, const void *record);
/* Free the memory; the set is empty afterwards. */
void facet_records_free(facet_records *records);

/* -- Names -------------------------------------------------------------- */

/* Byte strings, each stored once, numbered in the order of addition. */
typedef struct facet_name {
    const char *text; /* owned by the caller, not copied */
    size_t length;
} facet_name;
typedef struct facet_names {
    facet_table table;
    facet_name *items; /* allocated from the table's arena */
    uint32_t count, capacity;
    facet_name candidate; /* the searched name, which has the number `count` */
} facet_names;

static inline facet_names facet_names_make(facet_arena *arena)
{
    facet_names names = {.table = {.arena = arena}};
    return names;
}
/* Number of a name, added if it is new; UINT32_MAX if out of memory. */
uint32_t facet_names_put(facet_names *names, const char *text, size_t length);
/* Like facet_names_put, with a copy of a new name in the table's arena. */
uint32_t facet_names_put_copy(facet_names *names, const char *text, size_t length);
/* The number of a name, or UINT32_MAX. Several threads can search one set. */
uint32_t facet_names_find(const facet_names *names, const char *text, size_t length);
/* Free the memory; the set is empty afterwards. */
void facet_names_free(facet_names *names);

#endif
