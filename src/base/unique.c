/* base/unique.c - see unique.h. */
#include "base/unique.h"

#include "base/arena.h"

#include <inttypes.h>
#include <string.h>

uint32_t facet_unique_take(facet_unique *unique, const char *name, bool *fresh)
{
    uint32_t known = unique->taken.count;
    uint32_t number = facet_names_put_copy(&unique->taken, name, strlen(name));
    *fresh = number == known;
    if (number == known) {
        if (!FACET_GROW(unique->taken.table.arena, unique->next, number, unique->capacity))
            return UINT32_MAX;
        unique->next[number] = 1;
    }
    return number;
}

const char *facet_unique_file(facet_unique *unique, const char *stem, const char *extension)
{
    facet_arena *arena = unique->taken.table.arena;
    bool fresh;
    char *key = facet_arena_string(arena, stem, strlen(stem));
    for (char *at = key; at && *at; at++)
        *at = *at >= 'A' && *at <= 'Z' ? (char)(*at - 'A' + 'a') : *at;
    uint32_t number = key ? facet_unique_take(unique, key, &fresh) : UINT32_MAX;
    if (number == UINT32_MAX)
        return NULL;
    if (fresh)
        return facet_arena_format(arena, "%s.%s", stem, extension);
    for (;;) {
        uint32_t again = unique->next[number]++;
        const char *made = facet_arena_format(arena, "%s.%03" PRIu32, key, again);
        if (!made || facet_unique_take(unique, made, &fresh) == UINT32_MAX)
            return NULL;
        if (fresh)
            return facet_arena_format(arena, "%s.%03" PRIu32 ".%s", stem, again, extension);
    }
}
