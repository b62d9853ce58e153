/* formats/assimp/file/restore_dae.c - names of nodes, meshes and materials, and exponents of
 * lights, in a COLLADA that assimp wrote. Numbers were added to the names, so that they are unique
 * (from_scene/unique_names.c). */
#include "formats/assimp/file/file.h"

#include <string.h>

typedef struct element {
    const char *mark;
    facet_assimp_bytes added; /* in the order of the file */
    uint32_t used;
} element;

static bool begins(const uint8_t *at, const uint8_t *end, const char *text)
{
    size_t length = strlen(text);
    return (size_t)(end - at) >= length && memcmp(at, text, length) == 0;
}

/* The end of the attribute "name" of a tag: its second quote. NULL without the attribute. */
static uint8_t *end_of_name(uint8_t *at, const uint8_t *end)
{
    static const char name[] = " name=\"";
    for (; at < end && *at != '>'; at++) {
        if (begins(at, end, name)) {
            at += sizeof name - 1;
            return memchr(at, '"', (size_t)(end - at));
        }
    }
    return NULL;
}

/* Bytes to remove before the end of a name, or 0. */
static uint8_t added_to(element *e, const uint8_t *end_of_name)
{
    uint8_t added = e->used < e->added.count ? e->added.each[e->used] : 0;
    e->used++;
    return end_of_name && added > 0 && end_of_name[-added] == '_' ? added : 0;
}

void facet_assimp_restore_names(const facet_assimp_added *added, uint8_t *data, size_t *size)
{
    element elements[] = {{"<effect id=", added->materials, 0},
                          {"<material id=", added->materials, 0},
                          {"<geometry id=", added->meshes, 0},
                          {"<node id=", added->nodes, 0}};
    uint8_t *end = data + *size, *at = data, *from = data, *to = data;
    while ((at = memchr(at, '<', (size_t)(end - at)))) {
        for (size_t i = 0; i < sizeof elements / sizeof *elements; i++) {
            if (!begins(at, end, elements[i].mark))
                continue;
            uint8_t *stop = end_of_name(at, end);
            uint8_t cut = added_to(&elements[i], stop);
            if (cut == 0)
                continue;
            size_t kept = (size_t)(stop - from) - cut;
            memmove(to, from, kept);
            to += kept;
            from = stop;
        }
        at++;
    }
    memmove(to, from, (size_t)(end - from));
    *size = (size_t)(to - data) + (size_t)(end - from);
}

/* -- Nodes without names ------------------------------------------------ */

/* Write a name as the value of an attribute; `to` can be NULL. Returns its size. */
static size_t escape(uint8_t *to, const struct aiString *name)
{
    static const char *const entities[] = {
        ['<'] = "&lt;", ['>'] = "&gt;", ['&'] = "&amp;", ['"'] = "&quot;", ['\''] = "&apos;"};
    size_t size = 0;
    for (uint32_t i = 0; i < name->length; i++) {
        uint8_t c = (uint8_t)name->data[i];
        const char *entity = c < sizeof entities / sizeof *entities ? entities[c] : NULL;
        size_t length = entity ? strlen(entity) : 1;
        if (to)
            memcpy(to + size, entity ? (const uint8_t *)entity : &c, length);
        size += length;
    }
    return size;
}

/* The end of the next empty name of a node, or NULL. */
static const uint8_t *next_empty_name(uint8_t *at, const uint8_t *end)
{
    while ((at = memchr(at, '<', (size_t)(end - at)))) {
        uint8_t *stop = begins(at, end, "<node id=") ? end_of_name(at, end) : NULL;
        if (stop && stop[-1] == '"')
            return stop;
        at++;
    }
    return NULL;
}

bool facet_assimp_set_names(facet_arena *arena, const facet_assimp_added *added, uint8_t **data,
                            size_t *size)
{
    uint8_t *from = *data, *end = from + *size;
    size_t space = *size;
    if (added->name_count == 0)
        return true;
    for (uint32_t i = 0; i < added->name_count; i++)
        space += escape(NULL, added->names[i]);
    uint8_t *made = facet_arena_allocate(arena, space, 1), *to = made;
    if (!made)
        return false;
    for (uint32_t i = 0; i < added->name_count; i++) {
        const uint8_t *stop = next_empty_name(from, end);
        if (!stop)
            break;
        memcpy(to, from, (size_t)(stop - from));
        to += stop - from;
        to += escape(to, added->names[i]);
        from += stop - from;
    }
    memcpy(to, from, (size_t)(end - from));
    *data = made;
    *size = (size_t)(to - made) + (size_t)(end - from);
    return true;
}

/* -- Lights ------------------------------------------------------------- */

/* assimp computes an exponent of a spot light from two angles. A light of a scene does not have
 * one: the exponent becomes 0, as without the element. */
void facet_assimp_clear_falloff(uint8_t *data, size_t size)
{
    static const char mark[] = "<falloff_exponent";
    uint8_t *end = data + size, *at = data;
    while ((at = memchr(at, '<', (size_t)(end - at)))) {
        uint8_t *open = begins(at, end, mark) ? memchr(at, '>', (size_t)(end - at)) : NULL;
        at++;
        if (!open || open + 1 == end)
            continue;
        at = open + 1;
        for (char digit = '0'; at < end && *at != '<'; digit = ' ')
            *at++ = (uint8_t)digit;
    }
}
