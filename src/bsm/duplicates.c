/* bsm/duplicates.c - finding what occurs twice, by a table of what may. */
#include "bsm/duplicates.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/repeats.h"

/* Hash all items; those that are left out come once at most. */
static void hash_all(const facet_bsm_items *items, uint32_t *hashes, facet_repeats *repeats)
{
    for (uint32_t i = 0; i < items->count; i++) {
        hashes[i] = 0;
        if (items->hash(items->user, i, &hashes[i]))
            facet_repeats_note(repeats, hashes[i]);
    }
}

/* Items whose hash came twice, in a table. False without memory. */
static bool look_up(const facet_bsm_items *items, const uint32_t *hashes,
                    const facet_repeats *repeats, facet_table *table, facet_bsm_twice *twice)
{
    for (uint32_t i = 0; i < items->count; i++) {
        uint32_t hash;
        if (!facet_repeats_has(repeats, hashes[i]) || !items->hash(items->user, i, &hash))
            continue;
        uint32_t first = facet_table_put(table, hash, i, items->order, items->user);
        if (first == UINT32_MAX)
            return false;
        if (first != i && twice->count++ == 0) {
            twice->item = i;
            twice->equals = first;
        }
    }
    return true;
}

facet_status facet_bsm_find_twice(facet_arena *arena, const facet_bsm_items *items,
                                  facet_bsm_twice *found, facet_error *error)
{
    facet_bsm_twice twice = {0, 0, 0};
    facet_table table = facet_table_make(arena);
    facet_repeats repeats = {0};
    uint32_t *hashes = facet_arena_allocate(arena, items->count, sizeof *hashes);
    bool whole = hashes && facet_repeats_make(&repeats, arena, items->count);
    if (whole) {
        hash_all(items, hashes, &repeats);
        whole = look_up(items, hashes, &repeats, &table, &twice);
    }
    facet_table_release(&table);
    facet_repeats_release(&repeats, arena);
    facet_arena_release(arena, hashes, items->count, sizeof *hashes);
    if (!whole)
        return facet_fail_memory(error, (size_t)items->count * sizeof(uint64_t));
    *found = twice;
    return FACET_OK;
}
