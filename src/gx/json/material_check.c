/* gx/json/material_check.c - check that numbers of a material are valid. The tables give the
 * enumeration of a number. */
#include "base/error.h"
#include "gx/json/fields.h"
#include "gx/json/tables.h"

#include <facet/gx_material.h>
#include <inttypes.h>
#include <math.h>

static const facet_gx_json_field swap_table_fields[] = {
    {"r", NAME, AT(facet_gx_swap_table, r), .names = &facet_gx_swap_components},
    {"g", NAME, AT(facet_gx_swap_table, g), .names = &facet_gx_swap_components},
    {"b", NAME, AT(facet_gx_swap_table, b), .names = &facet_gx_swap_components},
    {"a", NAME, AT(facet_gx_swap_table, a), .names = &facet_gx_swap_components},
};
static const facet_gx_json_record swap_table = FACET_GX_JSON_TABLE(swap_table_fields);

/* Check the first `count` records of an array; each has `stride` bytes. */
static facet_status check_records(const char *what, const facet_gx_json_record *record,
                                  const void *array, size_t stride, uint32_t count,
                                  facet_error *error)
{
    for (size_t n = 0; n < record->count; n++) {
        const facet_gx_json_field *f = &record->fields[n];
        const uint8_t *at = (const uint8_t *)array + f->offset;
        if (f->record)
            TRY(check_records(what, f->record, at, stride, count, error));
        for (unsigned k = 0; f->names && k < f->bytes; k++) {
            for (uint32_t i = 0; i < count; i++) {
                uint8_t value = at[k + i * stride];
                if (!facet_gx_enumeration_holds(f->names, value))
                    return facet_fail(error, FACET_ERROR_ARGUMENT, "GX-NUMBER", FACET_NO_OFFSET,
                                      "%u is not a valid %s (%s %" PRIu32 ")", value,
                                      f->names->title, what, i);
            }
        }
    }
    return FACET_OK;
}
#define CHECK(what, record, array, count) \
    check_records(what, &record, array, sizeof *(array), count, error)

static facet_status check_count(const char *what, uint32_t count, uint32_t least, uint32_t most,
                                facet_error *error)
{
    if (count >= least && count <= most)
        return FACET_OK;
    return facet_fail(error, FACET_ERROR_ARGUMENT, "GX-COUNT", FACET_NO_OFFSET,
                      "%" PRIu32 " %s, of which there are %" PRIu32 " to %" PRIu32, count, what,
                      least, most);
}

/* In the oldest files, 0xFF stands for the stage's register. */
static facet_status check_konst(const facet_gx_material *material, facet_error *error)
{
    static const struct {
        size_t at;
        const facet_gx_enumeration *enumeration;
    } arrays[] = {
        {offsetof(facet_gx_material, konst_color_selections), &facet_gx_konst_colors},
        {offsetof(facet_gx_material, konst_alpha_selections), &facet_gx_konst_alphas},
    };
    for (size_t a = 0; a < 2; a++) {
        const uint8_t *selections = (const uint8_t *)material + arrays[a].at;
        for (uint32_t i = 0; i < material->stage_count; i++) {
            if (selections[i] != 0xFF &&
                !facet_gx_enumeration_holds(arrays[a].enumeration, selections[i]))
                return facet_fail(error, FACET_ERROR_ARGUMENT, "GX-NUMBER", FACET_NO_OFFSET,
                                  "%u is not a valid %s (stage %" PRIu32 ")", selections[i],
                                  arrays[a].enumeration->title, i);
        }
    }
    return FACET_OK;
}

static facet_status check_floats(const char *what, const float *floats, size_t count,
                                 facet_error *error)
{
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(floats[i]))
            return facet_fail(error, FACET_ERROR_ARGUMENT, "GX-FLOAT", FACET_NO_OFFSET,
                              "%s has a number that is not finite", what);
    }
    return FACET_OK;
}

static facet_status check_texture_matrix(const facet_gx_texture_matrix *matrix, facet_error *error)
{
    static const char what[] = "a texture matrix";
    TRY(check_floats(what, matrix->center, 3, error));
    TRY(check_floats(what, matrix->scale, 2, error));
    TRY(check_floats(what, matrix->translation, 2, error));
    return check_floats(what, matrix->effect, 16, error);
}

facet_status facet_gx_material_check(const facet_gx_material *material, facet_error *error)
{
    const facet_gx_indirect *indirect = &material->indirect;
    facet_status status = FACET_OK;
    if (material->cull_mode > 3)
        return facet_fail(error, FACET_ERROR_ARGUMENT, "GX-NUMBER", FACET_NO_OFFSET,
                          "%" PRIu32 " is not a cull mode", material->cull_mode);
    TRY(check_count("channels", material->channel_count, 0, 2, error));
    TRY(check_count("texgens", material->texgen_count, 0, 8, error));
    TRY(check_count("TEV stages", material->stage_count, 1, 16, error));
    TRY(check_count("indirect stages", indirect->stage_count, 0, 4, error));
    TRY(CHECK("material", facet_gx_json_alpha_compare, &material->alpha_compare, 1));
    TRY(CHECK("material", facet_gx_json_depth, &material->depth, 1));
    TRY(CHECK("material", facet_gx_json_blend, &material->blend, 1));
    TRY(CHECK("material", facet_gx_json_fog, &material->fog, 1));
    TRY(CHECK("channel", facet_gx_json_channel, material->channels, 2u * material->channel_count));
    TRY(CHECK("texgen", facet_gx_json_texgen, material->texgens, material->texgen_count));
    TRY(CHECK("stage", facet_gx_json_tev_order, material->tev_orders, material->stage_count));
    TRY(CHECK("stage", facet_gx_json_tev_stage, material->tev_stages, material->stage_count));
    TRY(CHECK("stage", facet_gx_json_swap_mode, material->swap_modes, material->stage_count));
    TRY(CHECK("swap table", swap_table, material->swap_tables, 4));
    TRY(check_konst(material, error));
    if (indirect->enabled) {
        uint32_t count = indirect->stage_count;
        TRY(CHECK("indirect stage", facet_gx_json_indirect_order, indirect->orders, count));
        TRY(CHECK("indirect stage", facet_gx_json_indirect_scale, indirect->scales, count));
        TRY(CHECK("stage", facet_gx_json_indirect_stage, indirect->stages, material->stage_count));
    }
    for (uint32_t i = 0; i < material->texgen_count && !status; i++) {
        uint32_t slot = (material->texgens[i].matrix - 30u) / 3;
        if (material->texgens[i].matrix >= 30 && slot < 10)
            status = check_texture_matrix(&material->texture_matrices[slot], error);
    }
    for (int i = 0; i < 3 && indirect->enabled && !status; i++)
        status = check_floats("an indirect matrix", indirect->matrices[i].rows[0], 6, error);
    if (!status && material->fog.type != 0)
        status = check_floats("the fog", &material->fog.start, 4, error);
    return status;
}
