/* bsm/duplicates.h - finding triangles, vertices and names that occur twice. */
#ifndef FACET_BSM_DUPLICATES_H
#define FACET_BSM_DUPLICATES_H

#include "base/table.h"

typedef struct facet_bsm_items {
    uint32_t count;
    /* The hashes of `count` items from `first` on; asked for by several threads. */
    void (*hash)(const void *user, uint32_t first, uint32_t count, uint32_t *hashes);
    /* False of an item that is to be left out. NULL: there is none. */
    bool (*counts)(const void *user, uint32_t item);
    facet_table_order order;
    const void *user;
} facet_bsm_items;

typedef struct facet_bsm_twice {
    uint64_t count;  /* items that equal one before them */
    uint32_t item;   /* the first of these */
    uint32_t equals; /* and what it equals */
} facet_bsm_twice;

/* Find the items that occur twice; expected linear time. */
facet_status facet_bsm_find_twice(const facet_options *options, facet_arena *arena,
                                  const facet_bsm_items *items, facet_bsm_twice *found,
                                  facet_error *error);

#endif
