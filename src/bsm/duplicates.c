/* bsm/duplicates.c - finding what occurs twice, by a table of what may. */
#include "bsm/duplicates.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/repeats.h"
#include "base/threads.h"

/* Odd, so that hashes that differ still do, with all their bits in the upper ones. */
#define ANOTHER_ORDER UINT32_C(0x9E3779B1)

/* Items that a thread hashes at once. */
#define PIECE 32768

typedef struct hashing {
    const facet_bsm_items *items;
    uint32_t *hashes;
} hashing;

static void hash_piece(void *argument, size_t piece)
{
    const hashing *h = argument;
    uint32_t begin = (uint32_t)piece * PIECE, left = h->items->count - begin;
    h->items->hash(h->items->user, begin, left < PIECE ? left : PIECE, h->hashes + begin);
}

/* Note all hashes, and keep the items whose hash may have come twice. Returns how many. */
static uint32_t sift_all(const uint32_t *hashes, uint32_t count, facet_repeats *repeats,
                         uint32_t *kept)
{
    uint32_t kept_count = 0;
    for (uint32_t i = 0; i < count; i++)
        facet_repeats_note(repeats, hashes[i]);
    for (uint32_t i = 0; i < count; i++) {
        kept[kept_count] = i;
        kept_count += facet_repeats_has(repeats, hashes[i]);
    }
    return kept_count;
}

/* The same once more with those that were kept, in other places. */
static uint32_t sift_kept(const uint32_t *hashes, uint32_t count, facet_repeats *repeats,
                          uint32_t *kept)
{
    uint32_t kept_count = 0;
    for (uint32_t i = 0; i < count; i++)
        facet_repeats_note(repeats, hashes[kept[i]] * ANOTHER_ORDER);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t item = kept[i];
        kept[kept_count] = item;
        kept_count += facet_repeats_has(repeats, hashes[item] * ANOTHER_ORDER);
    }
    return kept_count;
}

/* Put what was kept, in order, in a table. False without memory. */
static bool look_up(const facet_bsm_items *items, const uint32_t *hashes, const uint32_t *kept,
                    uint32_t count, facet_table *table, facet_bsm_twice *twice)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t item = kept[i];
        if (items->counts && !items->counts(items->user, item))
            continue;
        uint32_t hash = hashes[item] * ANOTHER_ORDER;
        uint32_t first = facet_table_put(table, hash, item, items->order, items->user);
        if (first == UINT32_MAX)
            return false;
        if (first != item && twice->count++ == 0) {
            twice->item = item;
            twice->equals = first;
        }
    }
    return true;
}

static bool find(facet_arena *arena, const facet_bsm_items *items, const uint32_t *hashes,
                 uint32_t *kept, facet_bsm_twice *twice)
{
    facet_repeats repeats = {0}, others = {0};
    facet_table table = facet_table_make(arena);
    bool whole = facet_repeats_make(&repeats, arena, items->count);
    if (whole) {
        uint32_t count = sift_all(hashes, items->count, &repeats, kept);
        whole = facet_repeats_make(&others, arena, count);
        if (whole)
            count = sift_kept(hashes, count, &others, kept);
        whole = whole && look_up(items, hashes, kept, count, &table, twice);
    }
    facet_table_release(&table);
    facet_repeats_release(&others, arena);
    facet_repeats_release(&repeats, arena);
    return whole;
}

facet_status facet_bsm_find_twice(const facet_options *options, facet_arena *arena,
                                  const facet_bsm_items *items, facet_bsm_twice *found,
                                  facet_error *error)
{
    facet_bsm_twice twice = {0, 0, 0};
    uint32_t *hashes = facet_arena_allocate(arena, items->count, sizeof *hashes);
    uint32_t *kept = facet_arena_allocate(arena, items->count, sizeof *kept);
    hashing h = {items, hashes};
    bool whole = hashes && kept;
    if (whole) {
        facet_run(options, hash_piece, &h, ((size_t)items->count + PIECE - 1) / PIECE);
        whole = find(arena, items, hashes, kept, &twice);
    }
    facet_arena_release(arena, kept, items->count, sizeof *kept);
    facet_arena_release(arena, hashes, items->count, sizeof *hashes);
    if (!whole)
        return facet_fail_memory(error, (size_t)items->count * sizeof(uint64_t));
    *found = twice;
    return FACET_OK;
}
