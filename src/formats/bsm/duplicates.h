/* formats/bsm/duplicates.h - finding triangles, vertices and names that occur twice. */
#ifndef FACET_BSM_DUPLICATES_H
#define FACET_BSM_DUPLICATES_H

#include "base/table.h"
#include "formats/bsm/tables.h"

/* A search among items of which only hashes are known. */
typedef struct facet_bsm_search {
    const uint32_t *hashes;
    uint32_t count;
    uint64_t *kept; /* a bit for each item whose hash may occur twice */
    uint32_t kept_count;
    uint64_t *words, *more_words; /* of the sieves */
} facet_bsm_search;

/* What they are. */
typedef struct facet_bsm_items {
    /* False of an item that is to be left out, and of all that equal it. NULL: there is none. */
    bool (*counts)(const void *user, uint32_t item);
    facet_table_order order;
    const void *user;
} facet_bsm_items;

typedef struct facet_bsm_twice {
    uint64_t count;  /* items that equal one before them */
    uint32_t item;   /* the first of these */
    uint32_t equals; /* and what it equals */
} facet_bsm_twice;

/* Bytes of tables that a search takes. */
size_t facet_bsm_search_size(uint32_t count);
/* Three steps, in expected linear time: get the memory; sift, which a thread may do when the
 * hashes are there; compare what is left. */
facet_status facet_bsm_search_begin(facet_bsm_search *search, facet_bsm_tables *tables,
                                    const uint32_t *hashes, uint32_t count, facet_error *error);
void facet_bsm_search_sift(facet_bsm_search *search);
facet_status facet_bsm_search_end(const facet_bsm_search *search, facet_arena *arena,
                                  const facet_bsm_items *items, facet_bsm_twice *found,
                                  facet_error *error);

#endif
