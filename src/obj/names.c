/* obj/names.c - the table of names. */
#include "obj/names.h"

#include "base/arena.h"

#include <string.h>

/* FNV-1a. */
static uint32_t hash_of(const char *text)
{
    uint32_t hash = 2166136261u;
    for (; *text; text++)
        hash = (hash ^ (uint8_t)*text) * 16777619u;
    return hash;
}

facet_name *facet_names_find(const facet_names *names, const char *text)
{
    uint32_t hash = hash_of(text), mask = names->capacity - 1;
    for (uint32_t i = hash; names->capacity > 0; i++) {
        facet_name *slot = &names->slots[i & mask];
        if (!slot->text)
            break;
        if (slot->hash == hash && strcmp(slot->text, text) == 0)
            return slot;
    }
    return NULL;
}

static void put(facet_name *slots, uint32_t capacity, facet_name name)
{
    uint32_t i = name.hash;
    while (slots[i & (capacity - 1)].text)
        i++;
    slots[i & (capacity - 1)] = name;
}

bool facet_names_add(facet_names *names, const char *text, uint32_t value)
{
    if (names->count >= names->capacity / 2) {
        if (names->capacity > UINT32_MAX / 4)
            return false;
        uint32_t capacity = names->capacity ? names->capacity * 2 : 16;
        facet_name *slots = facet_arena_allocate_zeroed(names->arena, capacity, sizeof *slots);
        if (!slots)
            return false;
        for (uint32_t i = 0; i < names->capacity; i++) {
            if (names->slots[i].text)
                put(slots, capacity, names->slots[i]);
        }
        facet_arena_release(names->arena, names->slots, names->capacity, sizeof *slots);
        names->slots = slots;
        names->capacity = capacity;
    }
    facet_name name = {text, hash_of(text), value};
    put(names->slots, names->capacity, name);
    names->count++;
    return true;
}
