/* formats/bsm/tables.h - the tables of a check, in one piece of memory: a large one has huge pages,
 * while each page of a table of a megabyte by itself costs as much as a thousand triangles. */
#ifndef FACET_BSM_TABLES_H
#define FACET_BSM_TABLES_H

#include <facet/base.h>

typedef struct facet_bsm_tables {
    facet_arena *arena;
    uint8_t *next, *end; /* what is left of the piece */
} facet_bsm_tables;

/* Take a piece for tables of `size` bytes in all. Without one, tables come from the arena. */
void facet_bsm_tables_reserve(facet_bsm_tables *tables, facet_arena *arena, size_t size);
/* count * size bytes, cleared or not, which live as long as the arena; NULL without memory. */
void *facet_bsm_table(facet_bsm_tables *tables, size_t count, size_t size);
void *facet_bsm_cleared_table(facet_bsm_tables *tables, size_t count, size_t size);

#endif
