/* formats/bsm/tables.h - the tables of a check, in one block of memory. A large block uses huge
 * pages. With small pages, each page of a separate table costs as much as a thousand triangles. */
#ifndef FACET_BSM_TABLES_H
#define FACET_BSM_TABLES_H

#include <facet/base.h>

typedef struct facet_bsm_tables {
    facet_arena *arena;
    uint8_t *next, *end; /* unused rest of the block */
} facet_bsm_tables;

/* Allocate a block for tables of `size` bytes in total. Without a block, tables come from the
 * arena. */
void facet_bsm_tables_reserve(facet_bsm_tables *tables, facet_arena *arena, size_t size);
/* count * size bytes, zeroed or not, owned by the arena; NULL if out of memory. */
void *facet_bsm_table(facet_bsm_tables *tables, size_t count, size_t size);
void *facet_bsm_cleared_table(facet_bsm_tables *tables, size_t count, size_t size);

#endif
