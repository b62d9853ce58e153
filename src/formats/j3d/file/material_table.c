/* formats/j3d/file/material_table.c - replacement of a model's materials and textures by those of a
 * BMT, by name. It matches J3DModelData::setMaterialTable of the console's library. */
#include "formats/j3d/file/material_table.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"
#include "base/table.h"
#include "base/text.h"

#include <inttypes.h>
#include <string.h>

/* Index the names. The first of equal names counts. */
static facet_status know_names(const facet_j3d *model, facet_arena *scratch, facet_names *known,
                               uint32_t **first, facet_error *error)
{
    const facet_j3d_names *names = &model->materials.names;
    *known = facet_names_make(scratch);
    *first = facet_arena_allocate(scratch, names->count, sizeof **first);
    if (!*first)
        return facet_fail_arena(scratch, error);
    for (uint32_t i = 0; i < names->count && i < model->materials.slot_count; i++) {
        const char *bytes = names->items[i].bytes;
        uint32_t before = known->count, number = facet_names_put(known, bytes, strlen(bytes));
        if (number == UINT32_MAX)
            return facet_fail_arena(scratch, error);
        if (number == before)
            (*first)[number] = i;
    }
    return FACET_OK;
}

facet_status facet_j3d_replace_materials(facet_j3d *model, const facet_j3d *table,
                                         facet_arena *scratch, facet_j3d_material *materials,
                                         bool *is_replaced, facet_error *error)
{
    facet_names known;
    uint32_t *first, taken = 0;
    if (table->kind != FACET_J3D_BMT3)
        return facet_fail(error, FACET_ERROR_UNSUPPORTED, "J3D-KIND", FACET_NO_OFFSET,
                          "a model cannot be added to a model; only a BMT can");
    TRY(know_names(model, scratch, &known, &first, error));
    for (uint32_t i = 0; i < table->materials.names.count && i < table->materials.slot_count; i++) {
        const char *bytes = table->materials.names.items[i].bytes;
        uint32_t number = facet_names_find(&known, bytes, strlen(bytes));
        if (number == UINT32_MAX)
            continue;
        facet_j3d_material *to = &materials[first[number]];
        const facet_j3d_name name = to->name;
        TRY(facet_j3d_get_material(table, i, to, error));
        to->name = name;
        if (is_replaced)
            is_replaced[first[number]] = true;
        taken++;
    }
    if (taken == 0 && table->materials.slot_count > 0)
        return facet_fail(error, FACET_ERROR_ARGUMENT, "J3D-BMT-NAMES", FACET_NO_OFFSET,
                          "no material of the BMT has the name of one of the model");
    if (table->has_textures && table->textures.count > 0) {
        model->textures = table->textures;
        model->has_textures = true;
    }
    return FACET_OK;
}

static facet_status count_unknown(const facet_j3d *model, const facet_j3d *table,
                                  facet_arena *scratch, facet_tally *unknown, uint32_t *count,
                                  facet_error *error)
{
    facet_names known;
    uint32_t *first;
    TRY(know_names(model, scratch, &known, &first, error));
    *count = table->materials.names.count < table->materials.slot_count
                 ? table->materials.names.count
                 : table->materials.slot_count;
    for (uint32_t i = 0; i < *count; i++) {
        const char *bytes = table->materials.names.items[i].bytes;
        if (facet_names_find(&known, bytes, strlen(bytes)) == UINT32_MAX)
            facet_tally_hit(unknown, i);
    }
    facet_names_free(&known);
    return FACET_OK;
}

facet_status facet_j3d_check_table(const facet_j3d *model, const facet_j3d *table,
                                   facet_report *report, facet_error *error)
{
    facet_arena *scratch = NULL;
    facet_tally unknown = {0};
    uint32_t count = 0;
    char name[100] = "";
    facet_quoted quoted;
    TRY(facet_arena_create(NULL, &scratch, error));
    facet_status status = count_unknown(model, table, scratch, &unknown, &count, error);
    facet_arena_free(scratch);
    if (status || unknown.count == 0)
        return status;
    facet_j3d_name_text(table->materials.names.items[unknown.first].bytes, name, sizeof name);
    facet_report_add_tally(report, "J3D-BMT-NAMES",
                           unknown.count == count ? FACET_SEVERITY_ERROR : FACET_SEVERITY_WARNING,
                           FACET_NO_OFFSET, &unknown,
                           "material %" PRIu64
                           " '%s' of the BMT has no effect: the model has none of this "
                           "name",
                           unknown.first, facet_quote(&quoted, name, strlen(name)));
    return FACET_OK;
}

facet_status facet_j3d_apply_table(facet_j3d *model, const facet_j3d *table, facet_error *error)
{
    uint32_t count = model->materials.slot_count;
    facet_j3d_material *materials = facet_arena_allocate(model->arena, count, sizeof *materials);
    if (!materials)
        return facet_fail_arena(model->arena, error);
    for (uint32_t i = 0; i < count; i++)
        TRY(facet_j3d_get_material(model, i, &materials[i], error));
    TRY(facet_j3d_replace_materials(model, table, model->arena, materials, NULL, error));
    model->has_packets = false;
    return facet_j3d_set_materials(model, materials, count, error);
}
