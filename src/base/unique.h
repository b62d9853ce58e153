/* base/unique.h - names that differ: a name that is taken gets the next free number. */
#ifndef FACET_BASE_UNIQUE_H
#define FACET_BASE_UNIQUE_H

#include "base/table.h"

/* Each number of a name is tried once, so n calls take linear time. */
typedef struct facet_unique {
    facet_names taken;
    uint32_t *next; /* per taken name: the number to try first */
    uint32_t capacity;
} facet_unique;

static inline facet_unique facet_unique_make(facet_arena *arena)
{
    facet_unique unique = {.taken = facet_names_make(arena)};
    return unique;
}
/* Take a name, which is copied. Its number in `taken`, or UINT32_MAX if out of memory. *fresh is
 * false if it was taken before. */
uint32_t facet_unique_take(facet_unique *unique, const char *name, bool *fresh);

/* A file name, "STEM.EXTENSION", that differs from earlier ones also where case is ignored. A
 * repeated stem gets a number, as in Blender: "eye.001.png". Allocated from the arena; NULL if out
 * of memory. `extension` has no dot. */
const char *facet_unique_file(facet_unique *unique, const char *stem, const char *extension);

#endif
