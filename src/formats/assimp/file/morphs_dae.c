/* formats/assimp/file/morphs_dae.c - removal of morph controllers from the text of a COLLADA. */
#include "formats/assimp/file/morphs_dae.h"

#include "base/table.h"

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

static bool refer(const facet_dae_controllers *all, facet_names *ids,
                  const facet_dae_reference *reference, facet_dae_edits *edits)
{
    static const facet_xml_part geometry = {(const uint8_t *)"instance_geometry", 17};
    uint32_t number =
        facet_names_find(ids, (const char *)reference->target.at, reference->target.size);
    if (reference->target.size == 0 || number == UINT32_MAX || !all->items[number].is_morph)
        return true;
    bool added = facet_dae_add_edit(edits, reference->target, mesh_of(all, ids, number));
    for (int i = 0; i < 2 && added; i++) {
        if (reference->names[i].size > 0)
            added = facet_dae_add_edit(edits, reference->names[i], geometry);
    }
    return added;
}

facet_status facet_dae_remove_morphs(const facet_dae_controllers *controllers,
                                     facet_dae_edits *edits, facet_error *error)
{
    const facet_dae_controllers *all = controllers;
    facet_names ids = facet_names_make(all->arena);
    for (uint32_t i = 0; i < all->count; i++) {
        const facet_dae_controller *c = &all->items[i];
        uint32_t number = facet_names_put(&ids, (const char *)c->id.at, c->id.size);
        if (number == UINT32_MAX)
            return facet_fail_arena(all->arena, error);
        if (number != i)
            return facet_fail(error, FACET_ERROR_MALFORMED, "ASSIMP", FACET_NO_OFFSET,
                              "two controllers have the id '%.*s'",
                              c->id.size < 60 ? (int)c->id.size : 60, (const char *)c->id.at);
        if (c->is_morph &&
            !facet_dae_add_edit(edits, c->element, (facet_xml_part){c->element.at, 0}))
            return facet_fail_arena(all->arena, error);
    }
    for (uint32_t i = 0; i < all->reference_count; i++) {
        if (!refer(all, &ids, &all->references[i], edits))
            return facet_fail_arena(all->arena, error);
    }
    return FACET_OK;
}
