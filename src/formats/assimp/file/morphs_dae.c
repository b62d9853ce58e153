/* formats/assimp/file/morphs_dae.c - removal of morph controllers from the text of a COLLADA. */
#include "formats/assimp/file/morphs_dae.h"

#include "base/table.h"

#include <stdlib.h>
#include <string.h>

/* -- Edits -------------------------------------------------------------- */

/* A part of the text, and what replaces it. */
typedef struct edit {
    facet_xml_part old, new;
} edit;

typedef struct edits {
    edit *items;
    size_t count;
} edits;

static void add(edits *list, facet_xml_part old, facet_xml_part new)
{
    list->items[list->count++] = (edit){old, new};
}

static int by_place(const void *a, const void *b)
{
    const edit *l = a, *r = b;
    return l->old.at < r->old.at ? -1 : l->old.at > r->old.at;
}

/* Copy the text with its edits. Edits inside a removed part are left out. */
static facet_status apply(edits *list, facet_arena *arena, const uint8_t **data, size_t *size,
                          facet_error *error)
{
    const uint8_t *from = *data, *end = from + *size;
    size_t space = *size;
    qsort(list->items, list->count, sizeof *list->items, by_place);
    for (size_t i = 0; i < list->count; i++)
        space += list->items[i].new.size;
    uint8_t *made = facet_arena_allocate(arena, space, 1), *to = made;
    if (!made)
        return facet_fail_arena(arena, error);
    for (size_t i = 0; i < list->count; i++) {
        const edit *e = &list->items[i];
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

/* -- References --------------------------------------------------------- */

/* The mesh of a morph: that of another morph, if it changes one. */
static facet_xml_part mesh_of(const facet_dae_controllers *all, facet_names *ids, uint32_t number)
{
    facet_xml_part source = all->items[number].source;
    for (int steps = 0; steps < 16; steps++) {
        number = facet_names_find(ids, (const char *)source.at, source.size);
        if (number == UINT32_MAX || !all->items[number].is_morph)
            break;
        source = all->items[number].source;
    }
    return source;
}

static void refer(const facet_dae_controllers *all, facet_names *ids,
                  const facet_dae_reference *reference, edits *list)
{
    static const facet_xml_part geometry = {(const uint8_t *)"instance_geometry", 17};
    uint32_t number =
        facet_names_find(ids, (const char *)reference->target.at, reference->target.size);
    if (reference->target.size == 0 || number == UINT32_MAX || !all->items[number].is_morph)
        return;
    add(list, reference->target, mesh_of(all, ids, number));
    for (int i = 0; i < 2; i++) {
        if (reference->names[i].size > 0)
            add(list, reference->names[i], geometry);
    }
}

facet_status facet_dae_remove_morphs(const facet_dae_controllers *controllers, const uint8_t **data,
                                     size_t *size, facet_error *error)
{
    const facet_dae_controllers *all = controllers;
    facet_names ids = facet_names_make(all->arena);
    edits list = {0};
    size_t most = (size_t)all->count + (size_t)all->reference_count * 3;
    list.items = facet_arena_allocate(all->arena, most, sizeof *list.items);
    if (!list.items)
        return facet_fail_arena(all->arena, error);
    for (uint32_t i = 0; i < all->count; i++) {
        const facet_dae_controller *c = &all->items[i];
        uint32_t number = facet_names_put(&ids, (const char *)c->id.at, c->id.size);
        if (number == UINT32_MAX)
            return facet_fail_arena(all->arena, error);
        if (number != i)
            return facet_fail(error, FACET_ERROR_MALFORMED, "ASSIMP", FACET_NO_OFFSET,
                              "two controllers have the id '%.*s'",
                              c->id.size < 60 ? (int)c->id.size : 60, (const char *)c->id.at);
        if (c->is_morph)
            add(&list, c->element, (facet_xml_part){c->element.at, 0});
    }
    for (uint32_t i = 0; i < all->reference_count; i++)
        refer(all, &ids, &all->references[i], &list);
    return apply(&list, all->arena, data, size, error);
}
