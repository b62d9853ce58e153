/* formats/j3d/scene/from_scene/names.c - search of the original's objects by name. */
#include "formats/j3d/scene/from_scene/names.h"

#include "base/arena.h"
#include "base/error.h"

#include <string.h>

enum { BLENDER_LENGTH = 63 };

const char **facet_j3d_name_texts(const facet_j3d_builder *b, const facet_j3d_names *names,
                                  uint32_t count)
{
    const char **texts = facet_j3d_builder_scratch(b, count, sizeof *texts);
    for (uint32_t i = 0; texts && i < count; i++) {
        const char *bytes = i < names->count ? names->items[i].bytes : "";
        size_t length = facet_j3d_name_text(bytes, NULL, 0);
        char *text = facet_j3d_builder_scratch(b, length + 1, 1);
        if (!text)
            return NULL;
        facet_j3d_name_text(bytes, text, length + 1);
        texts[i] = text;
    }
    return texts;
}

/* Insert names from last to first, so that each list begins with its first name. */
static bool put(facet_names *table, const char *text, size_t length, uint32_t i, uint32_t *first,
                uint32_t *next)
{
    uint32_t name = facet_names_put(table, text, length);
    if (name == UINT32_MAX)
        return false;
    next[i] = first[name];
    first[name] = i + 1;
    return true;
}

facet_status facet_j3d_index_names(const facet_j3d_builder *b, uint32_t count,
                                   const char *(*text)(const void *user, uint32_t i),
                                   const void *user, facet_j3d_name_index *names)
{
    memset(names, 0, sizeof *names);
    names->whole = facet_names_make(b->scratch);
    names->cut = facet_names_make(b->scratch);
    names->count = count;
    names->first = facet_j3d_builder_scratch(b, count, sizeof *names->first);
    names->next = facet_j3d_builder_scratch(b, count, sizeof *names->next);
    names->cut_first = facet_j3d_builder_scratch(b, count, sizeof *names->cut_first);
    names->cut_next = facet_j3d_builder_scratch(b, count, sizeof *names->cut_next);
    names->head = facet_j3d_builder_scratch(b, count, sizeof *names->head);
    names->number = facet_j3d_builder_scratch(b, count, sizeof *names->number);
    names->taken = facet_j3d_builder_scratch(b, count, sizeof *names->taken);
    if (!names->head || !names->first || !names->next || !names->cut_first || !names->cut_next ||
        !names->taken || !names->number)
        return facet_j3d_builder_no_memory(b);
    for (uint32_t i = count; i-- > 0;) {
        const char *name = text(user, i) ? text(user, i) : "";
        size_t length = strlen(name), most = length < BLENDER_LENGTH ? length : BLENDER_LENGTH;
        if (!put(&names->whole, name, length, i, names->first, names->next) ||
            !put(&names->cut, name, most, i, names->cut_first, names->cut_next))
            return facet_fail_arena(b->scratch, b->error);
        names->number[i] = facet_names_find(&names->whole, name, length);
        names->head[names->number[i]] = i;
    }
    return FACET_OK;
}

static uint32_t take(facet_j3d_name_index *names, uint32_t name, uint32_t *first,
                     const uint32_t *next)
{
    if (name == UINT32_MAX)
        return FACET_NONE;
    while (first[name] && names->taken[first[name] - 1])
        first[name] = next[first[name] - 1];
    if (!first[name])
        return FACET_NONE;
    names->taken[first[name] - 1] = true;
    return first[name] - 1;
}

uint32_t facet_j3d_assign_name(facet_j3d_name_index *names, const char *name)
{
    return take(names, facet_names_find(&names->whole, name, strlen(name)), names->first,
                names->next);
}

/* Find name n, a duplicate, to which Facet's writer appended "_n". */
static uint32_t take_numbered(facet_j3d_name_index *names, const char *name)
{
    const char *mark = strrchr(name, '_');
    uint64_t n = 0;
    for (const char *digit = mark ? mark + 1 : ""; *digit; digit++) {
        if (*digit < '0' || *digit > '9' || (n = n * 10 + (uint64_t)(*digit - '0')) >= names->count)
            return FACET_NONE;
    }
    if (n == 0 || names->taken[n])
        return FACET_NONE;
    uint32_t stem = facet_names_find(&names->whole, name, (size_t)(mark - name));
    if (stem != names->number[n] || names->head[stem] == n)
        return FACET_NONE;
    names->taken[n] = true;
    return (uint32_t)n;
}

uint32_t facet_j3d_assign_changed_name(facet_j3d_name_index *names, const char *name)
{
    size_t length = strlen(name), bare = facet_bare_length(name);
    uint32_t found = FACET_NONE;
    if (bare < length)
        found = take(names, facet_names_find(&names->whole, name, bare), names->first, names->next);
    if (found == FACET_NONE && length == BLENDER_LENGTH)
        found = take(names, facet_names_find(&names->cut, name, length), names->cut_first,
                     names->cut_next);
    return found == FACET_NONE ? take_numbered(names, name) : found;
}

uint32_t facet_j3d_find_name(facet_j3d_name_index *names, const char *name)
{
    size_t lengths[2] = {strlen(name), facet_bare_length(name)};
    for (int i = 0; i < 2; i++) {
        uint32_t found = facet_names_find(&names->whole, name, lengths[i]);
        if (found != UINT32_MAX)
            return names->head[found];
    }
    return FACET_NONE;
}
