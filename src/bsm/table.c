/* bsm/table.c - open addressing with linear probing. */
#include "bsm/table.h"

#include "base/arena.h"
#include "base/error.h"

/* Honest tables, at most half full, have runs of a few dozen slots. */
#define MOST_PROBES 512

facet_status facet_bsm_table_create(facet_arena *arena, uint32_t count, facet_bsm_equal equal,
                                    const void *user, facet_bsm_table *table, facet_error *error)
{
    size_t size = 16;
    while (size / 2 < count)
        size *= 2;
    uint32_t *slots = facet_arena_allocate_zeroed(arena, size, sizeof *slots);
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

uint32_t facet_bsm_table_put(facet_bsm_table *table, uint64_t hash, uint32_t item)
{
    size_t slot = (size_t)hash & (table->size - 1);
    for (int probe = 0; probe < MOST_PROBES; probe++) {
        uint32_t found = table->slots[slot];
        if (found == 0) {
            table->slots[slot] = item + 1;
            return item;
        }
        if (table->equal(table->user, found - 1, item))
            return found - 1;
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
