/* formats/bsm/tables.c - memory for the tables of a check. */
#include "formats/bsm/tables.h"

#include "base/arena.h"
#include "base/size.h"

#include <string.h>

/* Tables do not share a cache line, because threads may write to them at the same time. */
#define LINE ((size_t)64)
#define HUGE_PAGE ((size_t)2 << 20)

void facet_bsm_tables_reserve(facet_bsm_tables *tables, facet_arena *arena, size_t size)
{
    tables->arena = arena;
    tables->next = tables->end = NULL;
#ifndef FACET_ARENA_EXACT
    /* Round up to huge pages; the unused end of the last is never touched. */
    size_t whole = size > HUGE_PAGE / 4 ? facet_align_up(size, HUGE_PAGE) : size;
    tables->next = facet_arena_allocate(arena, whole, 1);
    if (tables->next)
        tables->end = tables->next + whole;
#else
    (void)size;
#endif
}

void *facet_bsm_table(facet_bsm_tables *tables, size_t count, size_t size)
{
    size_t left = (size_t)(tables->end - tables->next);
    if (left < LINE || count > (left - LINE) / size)
        return facet_arena_allocate(tables->arena, count, size);
    uint8_t *table = tables->next + (LINE - (uintptr_t)tables->next % LINE) % LINE;
    tables->next = table + count * size;
    return table;
}

void *facet_bsm_cleared_table(facet_bsm_tables *tables, size_t count, size_t size)
{
    void *table = facet_bsm_table(tables, count, size);
    if (table)
        memset(table, 0, count * size);
    return table;
}
