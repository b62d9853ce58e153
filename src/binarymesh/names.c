/* binarymesh/names.c - telling names apart, in constant time however many. */
#include "base/arena.h"
#include "binarymesh/binarymesh.h"

#include <string.h>

/* FNV-1a. */
static uint32_t hash(facet_binarymesh_text name)
{
    uint32_t value = 2166136261u;
    for (uint32_t i = 0; i < name.length; i++)
        value = (value ^ (uint8_t)name.text[i]) * 16777619u;
    return value ^ value >> 15;
}

static bool equal(facet_binarymesh_text a, facet_binarymesh_text b)
{
    return a.length == b.length && memcmp(a.text, b.text, a.length) == 0;
}

/* The place of a name in the table: where it is, or where it is to go. */
static uint32_t *place(const facet_binarymesh_names *names, facet_binarymesh_text name)
{
    uint32_t mask = names->capacity - 1, at = hash(name) & mask;
    while (names->table[at] != 0 && !equal(names->texts[names->table[at] - 1], name))
        at = (at + 1) & mask;
    return &names->table[at];
}

static bool grow(facet_binarymesh_names *names)
{
    uint32_t old = names->capacity, capacity = old ? old * 2 : 64;
    if (capacity > UINT32_MAX / 2)
        return false;
    uint32_t *table = facet_arena_allocate_zeroed(names->arena, capacity, sizeof *table);
    facet_binarymesh_text *texts =
        facet_arena_resize(names->arena, names->texts, old / 2, capacity / 2, sizeof *texts);
    if (texts)
        names->texts = texts;
    if (!table || !texts)
        return false;
    facet_arena_release(names->arena, names->table, old, sizeof *table);
    names->table = table;
    names->capacity = capacity;
    for (uint32_t i = 0; i < names->count; i++)
        *place(names, names->texts[i]) = i + 1;
    return true;
}

bool facet_binarymesh_names_add(facet_binarymesh_names *names, facet_binarymesh_text name,
                                uint32_t *number)
{
    if (names->count == names->capacity / 2 && !grow(names))
        return false;
    uint32_t *entry = place(names, name);
    if (*entry == 0) {
        names->texts[names->count++] = name;
        *entry = names->count;
    }
    *number = *entry - 1;
    return true;
}
