/* bsm/table.c - open addressing with linear probing. */
#include "bsm/table.h"

#include "base/arena.h"
#include "base/error.h"

/* Honest tables, at most half full, have runs of a few dozen slots. */
#define MOST_PROBES 512
/* Items between the look-up of a slot and its use, while it comes from memory. */
#define AHEAD 16

facet_status facet_bsm_table_create(facet_arena *arena, uint32_t count, facet_bsm_equal equal,
                                    const void *user, facet_bsm_table *table, facet_error *error)
{
    size_t size = 16;
    while (size / 2 < count)
        size *= 2;
    uint64_t *slots = facet_arena_allocate_zeroed(arena, size, sizeof *slots);
    if (!slots)
        return facet_fail_memory(error, size * sizeof *slots);
    table->slots = slots;
    table->size = size;
    table->equal = equal;
    table->user = user;
    return FACET_OK;
}

void facet_bsm_table_release(facet_arena *arena, facet_bsm_table *table)
{
    facet_arena_release(arena, table->slots, table->size, sizeof *table->slots);
    table->slots = NULL;
}

static size_t slot_of(const facet_bsm_table *table, uint64_t hash)
{
    return (size_t)hash & (table->size - 1);
}

uint32_t facet_bsm_table_put(facet_bsm_table *table, uint64_t hash, uint32_t item)
{
    size_t slot = slot_of(table, hash);
    uint64_t tag = hash >> 32 << 32;
    for (int probe = 0; probe < MOST_PROBES; probe++) {
        uint64_t found = table->slots[slot];
        if (found == 0) {
            table->slots[slot] = tag | (item + 1);
            return item;
        }
        uint32_t other = (uint32_t)found - 1;
        if ((found ^ tag) >> 32 == 0 && table->equal(table->user, other, item))
            return other;
        slot = (slot + 1) & (table->size - 1);
    }
    return item;
}

uint64_t facet_bsm_hash_bytes(const char *bytes, size_t count)
{
    uint64_t hash = count;
    for (size_t i = 0; i < count; i++)
        hash = facet_bsm_hash(hash, (unsigned char)bytes[i]);
    return hash;
}

/* -- Items that occur twice --------------------------------------------- */

static void fetch_ahead(const facet_bsm_table *table, uint64_t hash)
{
#ifdef __GNUC__
    __builtin_prefetch(&table->slots[slot_of(table, hash)], 1);
#else
    (void)table;
    (void)hash;
#endif
}

facet_status facet_bsm_find_twice(facet_arena *arena, const facet_bsm_items *items,
                                  facet_bsm_twice *found, facet_error *error)
{
    facet_bsm_twice twice = {0, 0, 0};
    facet_bsm_table table = {0};
    uint64_t hashes[AHEAD];
    bool taken[AHEAD];
    facet_status status =
        facet_bsm_table_create(arena, items->count, items->equal, items->user, &table, error);
    if (status)
        return status;
    for (uint64_t i = 0; i < (uint64_t)items->count + AHEAD; i++) {
        size_t at = i % AHEAD;
        if (i >= AHEAD && taken[at]) {
            uint32_t item = (uint32_t)(i - AHEAD);
            uint32_t first = facet_bsm_table_put(&table, hashes[at], item);
            if (first != item && twice.count++ == 0) {
                twice.item = item;
                twice.equals = first;
            }
        }
        taken[at] = i < items->count && items->hash(items->user, (uint32_t)i, &hashes[at]);
        if (taken[at])
            fetch_ahead(&table, hashes[at]);
    }
    facet_bsm_table_release(arena, &table);
    *found = twice;
    return FACET_OK;
}
