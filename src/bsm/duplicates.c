/* bsm/duplicates.c - finding what occurs twice, by a table. */
#include "bsm/duplicates.h"

#include "base/arena.h"
#include "base/error.h"

/* Items between the look-up of a slot and its use, while it comes from memory. */
#define AHEAD 16

facet_status facet_bsm_find_twice(facet_arena *arena, const facet_bsm_items *items,
                                  facet_bsm_twice *found, facet_error *error)
{
    facet_bsm_twice twice = {0, 0, 0};
    facet_table table = facet_table_make(arena);
    uint32_t hashes[AHEAD];
    bool taken[AHEAD];
    bool fits = facet_table_reserve(&table, items->count, items->order, items->user);
    for (uint64_t i = 0; i < (uint64_t)items->count + AHEAD && fits; i++) {
        size_t at = i % AHEAD;
        if (i >= AHEAD && taken[at]) {
            uint32_t item = (uint32_t)(i - AHEAD);
            uint32_t first = facet_table_put(&table, hashes[at], item, items->order, items->user);
            fits = first != UINT32_MAX;
            if (first != item && twice.count++ == 0) {
                twice.item = item;
                twice.equals = first;
            }
        }
        taken[at] = i < items->count && items->hash(items->user, (uint32_t)i, &hashes[at]);
        if (taken[at])
            facet_table_prefetch(&table, hashes[at]);
    }
    facet_table_release(&table);
    if (!fits)
        return facet_fail_memory(error, (size_t)items->count * sizeof(uint64_t));
    *found = twice;
    return FACET_OK;
}
