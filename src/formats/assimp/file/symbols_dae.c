/* formats/assimp/file/symbols_dae.c - symbols of materials in a COLLADA that are also ids. */
#include "formats/assimp/file/symbols_dae.h"

#include "base/table.h"
#include "formats/assimp/file/edits_dae.h"
#include "formats/assimp/file/file.h"

#include <string.h>

typedef struct renamer {
    facet_arena *arena;
    facet_names materials, symbols; /* ids; symbols with another target */
    facet_xml_part *uses;           /* attributes with a symbol */
    uint32_t use_count, use_capacity;
} renamer;

static bool is_primitive(facet_xml_part name)
{
    static const char *const names[] = {"triangles", "polylist",   "polygons", "tristrips",
                                        "trifans",   "linestrips", "lines"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (facet_xml_is(name, names[i]))
            return true;
    }
    return false;
}

static bool put(facet_names *names, facet_xml_part text)
{
    return text.size == 0 || facet_names_put(names, (const char *)text.at, text.size) != UINT32_MAX;
}

static bool has(const facet_names *names, facet_xml_part text)
{
    return facet_names_find(names, (const char *)text.at, text.size) != UINT32_MAX;
}

static bool note_use(renamer *r, facet_xml_part symbol)
{
    if (symbol.size == 0)
        return true;
    if (!FACET_GROW(r->arena, r->uses, r->use_count, r->use_capacity))
        return false;
    r->uses[r->use_count++] = symbol;
    return true;
}

static bool note_tag(void *user, const facet_xml_tag *t)
{
    renamer *r = user;
    if (t->closes)
        return true;
    if (facet_xml_is(t->name, "material"))
        return put(&r->materials, facet_xml_attribute(t->tag, "id"));
    if (is_primitive(t->name))
        return note_use(r, facet_xml_attribute(t->tag, "material"));
    if (!facet_xml_is(t->name, "instance_material"))
        return true;
    facet_xml_part symbol = facet_xml_attribute(t->tag, "symbol"),
                   target = facet_xml_attribute(t->tag, "target");
    bool is_own =
        target.size == symbol.size + 1 && memcmp(target.at + 1, symbol.at, symbol.size) == 0;
    return note_use(r, symbol) && (is_own || put(&r->symbols, symbol));
}

facet_status facet_dae_rename_symbols(const uint8_t **data, size_t *size, facet_arena *scratch,
                                      facet_error *error)
{
    renamer r = {.arena = scratch,
                 .materials = facet_names_make(scratch),
                 .symbols = facet_names_make(scratch)};
    static const char end[] = FACET_ASSIMP_NUMBERED;
    facet_dae_edits edits = {.arena = scratch};
    if (!facet_xml_each_tag(*data, *size, note_tag, &r))
        return facet_fail_arena(scratch, error);
    for (uint32_t i = 0; i < r.use_count; i++) {
        const facet_xml_part use = r.uses[i];
        if (has(&r.symbols, use) && has(&r.materials, use) &&
            !facet_dae_add_edit(&edits, (facet_xml_part){use.at + use.size, 0},
                                (facet_xml_part){(const uint8_t *)end, sizeof end - 1}))
            return facet_fail_arena(scratch, error);
    }
    return facet_dae_apply(&edits, data, size, error);
}
