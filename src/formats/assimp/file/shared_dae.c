/* formats/assimp/file/shared_dae.c - parameters of a COLLADA's effects that all profiles share. */
#include "formats/assimp/file/shared_dae.h"

#include "formats/assimp/file/edits_dae.h"

#include <string.h>

/* The current effect. */
typedef struct effect {
    bool is_open, in_profile;
    facet_xml_part params; /* from its first to its last <newparam>; size 0: none */
} effect;

typedef struct copier {
    effect effect;
    facet_dae_edits edits;
} copier;

static bool begins_with(facet_xml_part name, const char *start)
{
    return name.size >= strlen(start) && memcmp(name.at, start, strlen(start)) == 0;
}

/* Insert a copy of the parameters. Line ends become blanks. */
static bool copy_params(facet_dae_edits *edits, facet_xml_part params, const uint8_t *at)
{
    uint8_t *copy = facet_arena_allocate(edits->arena, params.size, 1);
    if (!copy)
        return false;
    for (size_t i = 0; i < params.size; i++)
        copy[i] = params.at[i] == '\n' || params.at[i] == '\r' ? ' ' : params.at[i];
    return facet_dae_add_edit(edits, (facet_xml_part){at, 0}, (facet_xml_part){copy, params.size});
}

static bool note_tag(void *user, const facet_xml_tag *t)
{
    copier *c = user;
    effect *e = &c->effect;
    if (facet_xml_is(t->name, "effect")) {
        *e = (effect){.is_open = !t->closes && !t->is_empty};
    } else if (!e->is_open) {
        return true;
    } else if (begins_with(t->name, "profile_")) {
        e->in_profile = !t->closes && !t->is_empty;
        if (e->in_profile && e->params.size > 0 && facet_xml_is(t->name, "profile_COMMON")) {
            const facet_xml_part params = e->params;
            e->params.size = 0;
            return copy_params(&c->edits, params, t->end);
        }
    } else if (!e->in_profile && facet_xml_is(t->name, "newparam")) {
        if (!e->params.at)
            e->params.at = t->begin;
        else if (t->closes)
            e->params.size = (size_t)(t->end - e->params.at);
    }
    return true;
}

facet_status facet_dae_copy_params(const uint8_t **data, size_t *size, facet_arena *scratch,
                                   facet_error *error)
{
    copier c = {.edits.arena = scratch};
    if (!facet_xml_each_tag(*data, *size, note_tag, &c))
        return facet_fail_arena(scratch, error);
    return facet_dae_apply(&c.edits, data, size, error);
}
