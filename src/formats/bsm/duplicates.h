/* formats/bsm/duplicates.h - search for duplicate triangles, vertices and names. */
#ifndef FACET_BSM_DUPLICATES_H
#define FACET_BSM_DUPLICATES_H

#include "base/table.h"
#include "formats/bsm/tables.h"

/* A search among items by their hashes. */
typedef struct facet_bsm_search {
    const uint32_t *hashes;
    uint32_t count;
    uint64_t *kept; /* a bit per item: its hash may be a duplicate */
    uint32_t kept_count;
    uint64_t *words, *more_words; /* words of the two filters */
} facet_bsm_search;

/* The items. */
typedef struct facet_bsm_items {
    /* False for an item that is ignored, with all equal ones. NULL: all items count. */
    bool (*counts)(const void *user, uint32_t item);
    facet_table_order order;
    const void *user;
} facet_bsm_items;

typedef struct facet_bsm_twice {
    uint64_t count;  /* number of items that equal an earlier one */
    uint32_t item;   /* the first such item */
    uint32_t equals; /* the item that it equals */
} facet_bsm_twice;

/* Bytes of tables for a search. */
size_t facet_bsm_search_size(uint32_t count);
/* A search has three steps, in expected linear time. 1. Get the memory. 2. Filter by hash; a thread
 * can do this. 3. Compare the remaining items. */
facet_status facet_bsm_search_begin(facet_bsm_search *search, facet_bsm_tables *tables,
                                    const uint32_t *hashes, uint32_t count, facet_error *error);
void facet_bsm_search_sift(facet_bsm_search *search);
facet_status facet_bsm_search_end(const facet_bsm_search *search, facet_arena *arena,
                                  const facet_bsm_items *items, facet_bsm_twice *found,
                                  facet_error *error);

#endif
