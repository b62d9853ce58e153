/* bsm/table.h - a set of items known by number: to find triangles, vertices
 * and names that occur twice. */
#ifndef FACET_BSM_TABLE_H
#define FACET_BSM_TABLE_H

#include <facet/base.h>

/* True when items a and b are the same. */
typedef bool (*facet_bsm_equal)(const void *user, uint32_t a, uint32_t b);

typedef struct facet_bsm_table {
    uint64_t *slots; /* upper half of the hash, item + 1; 0 when free */
    size_t size;     /* a power of two, at least twice the items */
    facet_bsm_equal equal;
    const void *user;
} facet_bsm_table;

/* A set with space for `count` items. */
facet_status facet_bsm_table_create(facet_arena *arena, uint32_t count, facet_bsm_equal equal,
                                    const void *user, facet_bsm_table *table, facet_error *error);
void facet_bsm_table_release(facet_arena *arena, facet_bsm_table *table);
/* The first item put in that equals `item`: `item` itself when it is new. Takes
 * bounded time: should a great many different items share a hash, which only
 * malice achieves, some count as new that are not. */
uint32_t facet_bsm_table_put(facet_bsm_table *table, uint64_t hash, uint32_t item);

/* Mix a word into a hash. */
static inline uint64_t facet_bsm_hash(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ hash >> 32;
}
/* The hash of a string of bytes. */
uint64_t facet_bsm_hash_bytes(const char *bytes, size_t count);

/* -- Items that occur twice --------------------------------------------- */

typedef struct facet_bsm_items {
    uint32_t count;
    /* The hash of an item; false when the item is to be left out. */
    bool (*hash)(const void *user, uint32_t item, uint64_t *hash);
    facet_bsm_equal equal;
    const void *user;
} facet_bsm_items;

typedef struct facet_bsm_twice {
    uint64_t count;  /* items that equal one before them */
    uint32_t item;   /* the first of these */
    uint32_t equals; /* and what it equals */
} facet_bsm_twice;

/* Find the items that occur twice; linear. */
facet_status facet_bsm_find_twice(facet_arena *arena, const facet_bsm_items *items,
                                  facet_bsm_twice *found, facet_error *error);

#endif
