/* formats/j3d/file/material.c - materials with their values, from the section's indices and
 * back. */
#include "base/arena.h"
#include "base/error.h"
#include "base/size.h"
#include "base/table.h"
#include "formats/j3d/file/mat3_tables.h"

#include <facet/j3d.h>
#include <inttypes.h>
#include <string.h>

/* -- Layout ------------------------------------------------------------- */

/* Values are compared and copied as bytes, so they must not have padding. mat3_tables.c asserts
 * this for the other structs. */
_Static_assert(sizeof(facet_j3d_material_entry) == 0x14C, "an entry has no padding");

static uint16_t load_index(const facet_j3d_material_entry *entry, const facet_j3d_entry_field *f,
                           unsigned slot)
{
    const uint8_t *at = (const uint8_t *)entry + f->member + (size_t)slot * f->width;
    if (f->width == 1)
        return *at == 0xFF ? FACET_J3D_NONE : *at;
    uint16_t index;
    memcpy(&index, at, sizeof index);
    return index;
}

static void store_index(facet_j3d_material_entry *entry, const facet_j3d_entry_field *f,
                        unsigned slot, uint16_t index)
{
    uint8_t *at = (uint8_t *)entry + f->member + (size_t)slot * f->width;
    if (f->width == 1)
        *at = (uint8_t)index;
    else
        memcpy(at, &index, sizeof index);
}

static uint32_t load_given(const facet_j3d_material *material, const facet_j3d_value_kind *f)
{
    const uint8_t *at = (const uint8_t *)material + f->given;
    uint16_t two;
    uint32_t four;
    switch (f->given_size) {
    case 1:
        return *at;
    case 2:
        memcpy(&two, at, sizeof two);
        return two;
    default:
        memcpy(&four, at, sizeof four);
        return four;
    }
}

static void store_given(facet_j3d_material *material, const facet_j3d_value_kind *f, uint32_t mask)
{
    uint8_t *at = (uint8_t *)material + f->given;
    uint16_t two = (uint16_t)mask;
    if (f->given_size == 1)
        *at = (uint8_t)mask;
    else if (f->given_size == 2)
        memcpy(at, &two, sizeof two);
    else
        memcpy(at, &mask, sizeof mask);
}

/* -- Defaults ----------------------------------------------------------- */

void facet_j3d_material_init(facet_j3d_material *material)
{
    memset(material, 0, sizeof *material);
    material->name.bytes = "";
    material->mode = 1;
    facet_gx_material_init(&material->gx);
    memset(material->unused, 0xFF, sizeof material->unused);
}

/* -- From indices to values --------------------------------------------- */

facet_status facet_j3d_get_material(const facet_j3d *document, uint32_t slot,
                                    facet_j3d_material *material, facet_error *error)
{
    const facet_j3d_materials *materials = &document->materials;
    if (slot >= materials->slot_count || materials->remap[slot] >= materials->entry_count)
        return facet_fail(error, FACET_ERROR_ARGUMENT, NULL, FACET_NO_OFFSET,
                          "material %" PRIu32 " does not exist: the document has %" PRIu32, slot,
                          materials->slot_count);
    const facet_j3d_material_entry *entry = &materials->entries[materials->remap[slot]];
    facet_j3d_material_init(material);
    if (slot < materials->names.count)
        material->name = materials->names.items[slot];
    material->mode = entry->mode;
    for (facet_j3d_value v = 0; v < FACET_J3D_VALUE_COUNT; v++) {
        const facet_j3d_value_kind *kind = &facet_j3d_value_kinds[v];
        const facet_j3d_entry_field *f = facet_j3d_entry_field_of(v);
        const uint8_t *items = facet_j3d_value_items(materials, v);
        uint32_t count = facet_j3d_value_count(materials, v), mask = 0;
        for (unsigned s = 0; s < f->count; s++) {
            /* Ignore an index into a missing array. */
            uint16_t index = load_index(entry, f, s);
            if (index == FACET_J3D_NONE || index >= count)
                continue;
            memcpy((uint8_t *)material + kind->value + s * kind->size, items + index * kind->size,
                   kind->size);
            mask |= UINT32_C(1) << s;
        }
        store_given(material, kind, mask);
    }
    memcpy(material->gx.konst_color_selections, entry->konst_color_selections,
           sizeof entry->konst_color_selections);
    memcpy(material->gx.konst_alpha_selections, entry->konst_alpha_selections,
           sizeof entry->konst_alpha_selections);
    memcpy(material->unused, entry->unused, sizeof entry->unused);
    if (slot < materials->indirect_count) {
        material->gx.indirect = materials->indirects[slot];
        material->given.indirect = true;
    }
    return FACET_OK;
}

/* -- From values to indices --------------------------------------------- */

/* A TEV stage and its swap mode. Exporters treat them as one value: both arrays have the same
 * length, and a stage has the same index in both. */
typedef struct stage_pair {
    facet_gx_tev_stage stage;
    facet_gx_swap_mode swap_mode;
} stage_pair;

typedef struct builder {
    facet_records pools[FACET_J3D_VALUE_COUNT]; /* the distinct values of each array */
    facet_records pairs, entries;
    uint16_t *remap;
} builder;

static facet_status store_checked(facet_j3d_material_entry *entry, const facet_j3d_entry_field *f,
                                  unsigned slot, uint32_t index, facet_error *error)
{
    uint32_t limit = f->width == 1 ? 0xFF : 0xFFFF;
    if (index >= limit)
        return facet_fail(error, FACET_ERROR_LIMIT, "J3D-MAT3-LIMIT", FACET_NO_OFFSET,
                          "the materials have more than %" PRIu32
                          " different values of the kind %s, the most that an index can address",
                          limit, f->name);
    store_index(entry, f, slot, (uint16_t)index);
    return FACET_OK;
}

/* Add the default texgen. Exporters count a material's unused texgens as texgens, so the default
 * one is in the array, but no entry refers to it. */
static facet_status put_default_texgen(facet_records *texgens, facet_error *error)
{
    static const facet_gx_texgen standard = {1, 4, 60, 0xFF};
    return facet_records_put(texgens, &standard) == UINT32_MAX
               ? facet_fail_arena(texgens->table.arena, error)
               : FACET_OK;
}

static bool is_paired(facet_j3d_value value)
{
    return value == FACET_J3D_TEV_STAGES || value == FACET_J3D_SWAP_MODES;
}

static facet_status put_value(builder *b, facet_j3d_value v, const facet_j3d_material *material,
                              facet_j3d_material_entry *entry, facet_error *error)
{
    const facet_j3d_value_kind *kind = &facet_j3d_value_kinds[v];
    const facet_j3d_entry_field *f = facet_j3d_entry_field_of(v);
    uint32_t mask = load_given(material, kind);
    facet_status status = FACET_OK;
    for (unsigned s = 0; s < f->count && !status; s++) {
        if (!(mask & UINT32_C(1) << s)) {
            store_index(entry, f, s, FACET_J3D_NONE);
            if (v == FACET_J3D_TEXGENS)
                status = put_default_texgen(&b->pools[v], error);
            continue;
        }
        stage_pair pair;
        const void *value = (const uint8_t *)material + kind->value + s * kind->size;
        if (is_paired(v)) {
            pair.stage = material->gx.tev_stages[s];
            pair.swap_mode = material->gx.swap_modes[s];
            value = &pair;
        }
        uint32_t index = facet_records_put(is_paired(v) ? &b->pairs : &b->pools[v], value);
        if (index == UINT32_MAX)
            return facet_fail_arena(b->entries.table.arena, error);
        status = store_checked(entry, f, s, index, error);
    }
    return status;
}

static facet_status put_material(builder *b, uint32_t slot, const facet_j3d_material *material,
                                 facet_error *error)
{
    facet_j3d_material_entry entry;
    facet_status status = FACET_OK;
    memset(&entry, 0xFF, sizeof entry);
    entry.mode = material->mode;
    for (facet_j3d_value v = 0; v < FACET_J3D_VALUE_COUNT && !status; v++)
        status = put_value(b, v, material, &entry, error);
    if (status)
        return status;
    memcpy(entry.konst_color_selections, material->gx.konst_color_selections,
           sizeof entry.konst_color_selections);
    memcpy(entry.konst_alpha_selections, material->gx.konst_alpha_selections,
           sizeof entry.konst_alpha_selections);
    memcpy(entry.unused, material->unused, sizeof entry.unused);
    uint32_t index = facet_records_put(&b->entries, &entry);
    if (index == UINT32_MAX)
        return facet_fail_arena(b->entries.table.arena, error);
    b->remap[slot] = (uint16_t)index;
    return FACET_OK;
}

/* Add the values that come first in every file, used or not. */
static bool put_prefixes(builder *b)
{
    static const uint32_t cull_modes[] = {2, 1, 0};
    static const uint8_t flags[] = {0, 1};
    bool ok = true;
    for (size_t k = 0; k < 3; k++)
        ok &= facet_records_put(&b->pools[FACET_J3D_CULL_MODES], &cull_modes[k]) != UINT32_MAX;
    for (size_t k = 0; k < 2; k++) {
        ok &= facet_records_put(&b->pools[FACET_J3D_EARLY_DEPTHS], &flags[k]) != UINT32_MAX;
        ok &= facet_records_put(&b->pools[FACET_J3D_DITHERS], &flags[k]) != UINT32_MAX;
    }
    return ok;
}

/* -- The section -------------------------------------------------------- */

/* A copy in the document's arena. NULL only if out of memory. */
static void *copy_out(facet_arena *arena, const void *items, uint32_t count, size_t size)
{
    uint8_t *copy = facet_arena_allocate(arena, count, size);
    if (copy && count)
        memcpy(copy, items, count * size);
    return copy;
}

static bool copy_arrays(facet_arena *arena, const builder *b, facet_j3d_materials *materials)
{
    for (facet_j3d_value v = 0; v < FACET_J3D_VALUE_COUNT; v++) {
        const facet_j3d_value_kind *kind = &facet_j3d_value_kinds[v];
        size_t part = v == FACET_J3D_SWAP_MODES ? offsetof(stage_pair, swap_mode) : 0;
        uint32_t count = is_paired(v) ? b->pairs.count : b->pools[v].count;
        uint8_t *items = is_paired(v) ? facet_arena_allocate(arena, count, kind->size)
                                      : copy_out(arena, b->pools[v].items, count, kind->size);
        if (!items)
            return false;
        for (uint32_t k = 0; k < count && is_paired(v); k++)
            memcpy(items + k * kind->size, b->pairs.items + k * sizeof(stage_pair) + part,
                   kind->size);
        memcpy((uint8_t *)materials + kind->items, &items, sizeof items);
        memcpy((uint8_t *)materials + kind->count, &count, sizeof count);
    }
    materials->entries =
        copy_out(arena, b->entries.items, b->entries.count, sizeof(facet_j3d_material_entry));
    materials->entry_count = b->entries.count;
    return materials->entries != NULL;
}

/* Copy the data stored per slot: names and indirect records. Slots do not share them. */
static bool copy_slots(facet_arena *arena, const builder *b, const facet_j3d_material *from,
                       uint32_t count, facet_j3d_materials *materials)
{
    bool any_indirect = false;
    materials->remap = copy_out(arena, b->remap, count, sizeof *b->remap);
    materials->slot_count = count;
    materials->names.items = facet_arena_allocate(arena, count, sizeof *materials->names.items);
    materials->names.count = count;
    if (!materials->remap || !materials->names.items)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        const char *bytes = from[i].name.bytes ? from[i].name.bytes : "";
        materials->names.items[i].bytes = facet_arena_string(arena, bytes, strlen(bytes));
        materials->names.items[i].hash = from[i].name.hash;
        if (!materials->names.items[i].bytes)
            return false;
        any_indirect |= from[i].given.indirect;
    }
    if (!any_indirect)
        return true;
    facet_gx_material standard;
    facet_gx_material_init(&standard);
    materials->indirects = facet_arena_allocate(arena, count, sizeof *materials->indirects);
    materials->indirect_count = count;
    for (uint32_t i = 0; i < count && materials->indirects; i++) {
        if (from[i].given.indirect)
            materials->indirects[i] = from[i].gx.indirect;
        else
            materials->indirects[i] = standard.indirect;
    }
    return materials->indirects != NULL;
}

static facet_status build(facet_arena *scratch, facet_arena *arena, const facet_j3d_material *from,
                          uint32_t count, facet_j3d_materials *materials, facet_error *error)
{
    builder b = {.pairs = facet_records_make(scratch, sizeof(stage_pair)),
                 .entries = facet_records_make(scratch, sizeof(facet_j3d_material_entry))};
    for (facet_j3d_value v = 0; v < FACET_J3D_VALUE_COUNT; v++)
        b.pools[v] = facet_records_make(scratch, facet_j3d_value_kinds[v].size);
    b.remap = facet_arena_allocate(scratch, count, sizeof *b.remap);
    if (!b.remap || !put_prefixes(&b))
        return facet_fail_arena(scratch, error);
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < count && !status; i++)
        status = put_material(&b, i, &from[i], error);
    if (status)
        return status;
    if (!copy_arrays(arena, &b, materials) || !copy_slots(arena, &b, from, count, materials))
        return facet_fail_arena(scratch, error);
    return FACET_OK;
}

facet_status facet_j3d_set_materials(facet_j3d *document, const facet_j3d_material *materials,
                                     uint32_t count, facet_error *error)
{
    if (!document->arena)
        return facet_fail(error, FACET_ERROR_ARGUMENT, NULL, FACET_NO_OFFSET,
                          "the document has no arena to keep materials in");
    if (count >= FACET_J3D_NONE)
        return facet_fail(error, FACET_ERROR_LIMIT, "J3D-MAT3-LIMIT", FACET_NO_OFFSET,
                          "there are %" PRIu32 " materials, but a file holds at most 65534", count);
    facet_options scratch_options = {.allocator = facet_arena_allocator(document->arena)};
    facet_arena *scratch;
    facet_j3d_materials built = {0};
    TRY(facet_arena_create(&scratch_options, &scratch, error));
    facet_status status = build(scratch, document->arena, materials, count, &built, error);
    facet_arena_free(scratch);
    if (!status) {
        document->materials = built;
        document->layout.short_lights = NULL;
        document->layout.short_light_size = 0;
        document->has_materials = true;
    }
    return status;
}
