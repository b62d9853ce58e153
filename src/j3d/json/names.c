/* j3d/json/names.c - what materials and textures are called in JSON. Names may
 * come twice in a file: "body" is the first, "body:1" the second. */
#include "base/arena.h"
#include "base/bytes.h"
#include "j3d/json/record.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Longer names are cut; such do not occur. */
enum { NAME_CAPACITY = 512 };

/* -- Occurrences -------------------------------------------------------- */

static uint32_t hash_name(const char *bytes)
{
    uint32_t hash = 2166136261u;
    for (; *bytes; bytes++)
        hash = (hash ^ (uint8_t)*bytes) * 16777619u;
    return hash ^ hash >> 15;
}

const uint32_t *facet_j3d_json_occurrences(const facet_j3d_names *names, facet_arena *arena)
{
    size_t space = 16;
    while (space < (size_t)names->count * 2)
        space *= 2;
    uint32_t *occurrences = facet_arena_allocate(arena, names->count, sizeof *occurrences);
    uint32_t *last = facet_arena_allocate_zeroed(arena, space, sizeof *last); /* index + 1 */
    for (uint32_t i = 0; occurrences && last && i < names->count; i++) {
        const char *bytes = names->items[i].bytes;
        size_t at = hash_name(bytes) & (space - 1);
        while (last[at] && strcmp(names->items[last[at] - 1].bytes, bytes) != 0)
            at = (at + 1) & (space - 1);
        occurrences[i] = last[at] ? occurrences[last[at] - 1] + 1 : 0;
        last[at] = i + 1;
    }
    facet_arena_release(arena, last, space, sizeof *last);
    return last ? occurrences : NULL;
}

/* -- Both ways ---------------------------------------------------------- */

json_t *facet_j3d_json_name(const facet_j3d_names *names, const uint32_t *occurrences,
                            uint32_t index)
{
    char text[NAME_CAPACITY], numbered[NAME_CAPACITY + 16];
    if (!names || index >= names->count)
        return json_integer(index);
    facet_j3d_name_text(names->items[index].bytes, text, sizeof text);
    if (!occurrences || occurrences[index] == 0)
        return json_string(text);
    snprintf(numbered, sizeof numbered, "%s:%" PRIu32, text, occurrences[index]);
    return json_string(numbered);
}

static uint32_t find_named(const facet_j3d_names *names, const char *name, size_t length,
                           uint32_t occurrence)
{
    char text[NAME_CAPACITY];
    for (uint32_t i = 0; i < names->count; i++) {
        facet_j3d_name_text(names->items[i].bytes, text, sizeof text);
        if (strlen(text) == length && memcmp(text, name, length) == 0 && occurrence-- == 0)
            return i;
    }
    return UINT32_MAX;
}

uint32_t facet_j3d_json_find(const facet_j3d_names *names, const char *name)
{
    uint32_t found = find_named(names, name, strlen(name), 0);
    const char *colon = strrchr(name, ':');
    if (found != UINT32_MAX || !colon || !colon[1] || strlen(colon + 1) > 5 ||
        strspn(colon + 1, "0123456789") != strlen(colon + 1))
        return found;
    return find_named(names, name, (size_t)(colon - name), (uint32_t)strtoul(colon + 1, NULL, 10));
}

void facet_j3d_json_list_names(const facet_j3d_names *names, char *text, size_t size)
{
    char name[NAME_CAPACITY];
    size_t used = 0;
    *text = '\0';
    for (uint32_t i = 0; names && i < names->count && used < size; i++) {
        facet_j3d_name_text(names->items[i].bytes, name, sizeof name);
        used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", name);
    }
}
