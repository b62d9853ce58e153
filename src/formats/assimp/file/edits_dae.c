/* formats/assimp/file/edits_dae.c - changes to the text of a COLLADA. */
#include "formats/assimp/file/edits_dae.h"

#include <stdlib.h>
#include <string.h>

bool facet_dae_add_edit(facet_dae_edits *edits, facet_xml_part old, facet_xml_part new)
{
    if (!FACET_GROW(edits->arena, edits->items, edits->count, edits->capacity))
        return false;
    edits->items[edits->count] = (facet_dae_edit){old, new, edits->count};
    edits->count++;
    return true;
}

void facet_dae_move_edits(facet_dae_edits *edits, const uint8_t *from, const uint8_t *to)
{
    for (uint32_t i = 0; i < edits->count && from != to; i++)
        edits->items[i].old.at = to + (edits->items[i].old.at - from);
}

static int by_place(const void *a, const void *b)
{
    const facet_dae_edit *l = a, *r = b;
    if (l->old.at != r->old.at)
        return l->old.at < r->old.at ? -1 : 1;
    return l->number < r->number ? -1 : l->number > r->number;
}

facet_status facet_dae_apply(facet_dae_edits *edits, const uint8_t **data, size_t *size,
                             facet_error *error)
{
    const uint8_t *from = *data, *end = from + *size;
    size_t space = *size;
    if (edits->count == 0)
        return FACET_OK;
    qsort(edits->items, edits->count, sizeof *edits->items, by_place);
    for (uint32_t i = 0; i < edits->count; i++)
        space += edits->items[i].new.size;
    uint8_t *made = facet_arena_allocate(edits->arena, space, 1), *to = made;
    if (!made)
        return facet_fail_arena(edits->arena, error);
    for (uint32_t i = 0; i < edits->count; i++) {
        const facet_dae_edit *e = &edits->items[i];
        if (e->old.at < from)
            continue;
        memcpy(to, from, (size_t)(e->old.at - from));
        to += e->old.at - from;
        if (e->new.size > 0)
            memcpy(to, e->new.at, e->new.size);
        to += e->new.size;
        from = e->old.at + e->old.size;
    }
    memcpy(to, from, (size_t)(end - from));
    to += end - from;
    *data = made;
    *size = (size_t)(to - made);
    return FACET_OK;
}
