/* obj/names.h - a table of names, each with a number: materials and parts are
 * met by name again and again. */
#ifndef FACET_OBJ_NAMES_H
#define FACET_OBJ_NAMES_H

#include <facet/base.h>

/* Zero-initialize, with the arena that the table comes from. */
typedef struct facet_names {
    facet_arena *arena;
    struct facet_name *slots; /* open addressing, a power of two of them */
    uint32_t capacity, count;
} facet_names;

/* One name; `text` is not copied. */
typedef struct facet_name {
    const char *text; /* NULL: the slot is free */
    uint32_t hash;
    uint32_t value;
} facet_name;

/* The entry of `text`, or NULL. */
facet_name *facet_names_find(const facet_names *names, const char *text);
/* Add `text`, which is not there yet and outlives the table; false without memory. */
bool facet_names_add(facet_names *names, const char *text, uint32_t value);

#endif
