/* formats/j3d/json/names.c - names of materials and textures in JSON. A file can repeat a name:
 * "body" is the first, "body:1" the second. */
#include "base/arena.h"
#include "base/bytes.h"
#include "base/table.h"
#include "formats/j3d/json/tables.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Longer names are cut; none are known. */
enum { NAME_CAPACITY = 512 };

/* -- Occurrences -------------------------------------------------------- */

const uint32_t *facet_j3d_json_occurrences(const facet_j3d_names *names, facet_arena *arena)
{
    facet_names different = facet_names_make(arena);
    uint32_t *occurrences = facet_arena_allocate(arena, names->count, sizeof *occurrences);
    uint32_t *counts = facet_arena_allocate_zeroed(arena, names->count, sizeof *counts);
    bool fits = occurrences && counts;
    for (uint32_t i = 0; fits && i < names->count; i++) {
        const char *bytes = names->items[i].bytes;
        uint32_t name = facet_names_put(&different, bytes, strlen(bytes));
        fits = name != UINT32_MAX;
        if (fits)
            occurrences[i] = counts[name]++;
    }
    facet_names_free(&different);
    facet_arena_release(arena, counts, names->count, sizeof *counts);
    return fits ? occurrences : NULL;
}

/* -- Both directions ---------------------------------------------------- */

/* The name, for example "tex", or "tex:2" for the third one of that name. */
static void name_of(const facet_j3d_names *names, const uint32_t *occurrences, uint32_t index,
                    char numbered[NAME_CAPACITY + 16])
{
    char text[NAME_CAPACITY];
    facet_j3d_name_text(names->items[index].bytes, text, sizeof text);
    if (!occurrences || occurrences[index] == 0)
        snprintf(numbered, NAME_CAPACITY + 16, "%s", text);
    else
        snprintf(numbered, NAME_CAPACITY + 16, "%s:%" PRIu32, text, occurrences[index]);
}

facet_json *facet_j3d_json_name(const facet_j3d_names *names, const uint32_t *occurrences,
                                uint32_t index)
{
    char text[NAME_CAPACITY + 16];
    if (!names || index >= names->count)
        return facet_json_integer(index);
    name_of(names, occurrences, index, text);
    return facet_json_string(text);
}

bool facet_j3d_file_texture(const facet_j3d_textures *textures, const uint32_t *occurrences,
                            uint32_t index, facet_arena *arena, facet_gx_file_texture *out)
{
    char text[NAME_CAPACITY + 16];
    *out = (facet_gx_file_texture){.index = index, .has_header = index < textures->count};
    if (out->has_header)
        out->header = textures->items[index].header;
    out->header.image_offset = out->header.palette_offset = 0;
    if (index >= textures->names.count)
        return true;
    name_of(&textures->names, occurrences, index, text);
    out->name = facet_arena_string(arena, text, strlen(text));
    return out->name != NULL;
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

/* -- Textures as fields of a record ------------------------------------- */

static facet_json *texture_name(const void *user, uint32_t index)
{
    const facet_j3d_json_textures *t = user;
    return facet_j3d_json_name(t->names, t->occurrences, index);
}

static uint32_t find_texture(const void *user, const char *name)
{
    const facet_j3d_json_textures *t = user;
    return facet_j3d_json_find(t->names, name);
}

static void list_textures(const void *user, char *text, size_t size)
{
    const facet_j3d_json_textures *t = user;
    facet_j3d_json_list_names(t->names, text, size);
}

facet_gx_json_names facet_j3d_json_texture_names(const facet_j3d_json_textures *textures)
{
    facet_gx_json_names names = {.user = textures,
                                 .count = textures->names ? textures->names->count : 0,
                                 .name = texture_name,
                                 .find = find_texture,
                                 .list = list_textures};
    return names;
}
