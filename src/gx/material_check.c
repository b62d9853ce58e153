/* gx/material_check.c - whether the numbers of a material stand for something. */
#include "base/error.h"
#include "gx/enumerations.h"

#include <facet/gx_material.h>
#include <inttypes.h>
#include <math.h>
#include <stddef.h>

/* A byte that an enumeration names, in each of the elements that are in use. */
typedef struct number {
    size_t at, stride;
    const facet_gx_enumeration *enumeration;
} number;

#define ONE(member, names)                                        \
    {                                                             \
        offsetof(facet_gx_material, member), 0, &facet_gx_##names \
    }
#define EACH(array, member, names)                                                                \
    {                                                                                             \
        offsetof(facet_gx_material, array[0].member), sizeof(((facet_gx_material *)0)->array[0]), \
            &facet_gx_##names                                                                     \
    }

static const number of_whole[] = {
    ONE(alpha_compare.comparison0, comparisons),
    ONE(alpha_compare.operation, alpha_operations),
    ONE(alpha_compare.comparison1, comparisons),
    ONE(depth.comparison, comparisons),
    ONE(blend.type, blend_types),
    ONE(blend.source, source_factors),
    ONE(blend.destination, destination_factors),
    ONE(blend.logic, logic_operations),
    ONE(fog.type, fog_types),
};
static const number of_channels[] = {
    EACH(channels, material_source, color_sources),
    EACH(channels, diffuse_function, diffuse_functions),
    EACH(channels, attenuation_function, attenuation_functions),
    EACH(channels, ambient_source, color_sources),
};
static const number of_texgens[] = {
    EACH(texgens, type, texgen_types),
    EACH(texgens, source, texgen_sources),
    EACH(texgens, matrix, texgen_matrices),
};
static const number of_stages[] = {
    EACH(tev_orders, texcoord, texcoords),
    EACH(tev_orders, texmap, texmaps),
    EACH(tev_orders, channel, tev_channels),
    EACH(tev_stages, color.inputs[0], color_inputs),
    EACH(tev_stages, color.inputs[1], color_inputs),
    EACH(tev_stages, color.inputs[2], color_inputs),
    EACH(tev_stages, color.inputs[3], color_inputs),
    EACH(tev_stages, color.operation, tev_operations),
    EACH(tev_stages, color.bias, tev_biases),
    EACH(tev_stages, color.scale, tev_scales),
    EACH(tev_stages, color.destination, tev_registers),
    EACH(tev_stages, alpha.inputs[0], alpha_inputs),
    EACH(tev_stages, alpha.inputs[1], alpha_inputs),
    EACH(tev_stages, alpha.inputs[2], alpha_inputs),
    EACH(tev_stages, alpha.inputs[3], alpha_inputs),
    EACH(tev_stages, alpha.operation, tev_operations),
    EACH(tev_stages, alpha.bias, tev_biases),
    EACH(tev_stages, alpha.scale, tev_scales),
    EACH(tev_stages, alpha.destination, tev_registers),
    EACH(swap_modes, raster_table, swap_components), /* tables 0 to 3 */
    EACH(swap_modes, texture_table, swap_components),
};
static const number of_swap_tables[] = {
    EACH(swap_tables, r, swap_components),
    EACH(swap_tables, g, swap_components),
    EACH(swap_tables, b, swap_components),
    EACH(swap_tables, a, swap_components),
};
static const number of_indirect_orders[] = {
    EACH(indirect.orders, texcoord, texcoords),
    EACH(indirect.orders, texmap, texmaps),
    EACH(indirect.scales, s, indirect_scales),
    EACH(indirect.scales, t, indirect_scales),
};
static const number of_indirect_stages[] = {
    EACH(indirect.stages, format, indirect_formats),
    EACH(indirect.stages, bias, indirect_biases),
    EACH(indirect.stages, matrix, indirect_matrices),
    EACH(indirect.stages, wrap_s, indirect_wraps),
    EACH(indirect.stages, wrap_t, indirect_wraps),
    EACH(indirect.stages, bump_alpha, indirect_alphas),
};

static facet_status check_numbers(const facet_gx_material *material, const char *what,
                                  const number *numbers, size_t number_count, uint32_t elements,
                                  facet_error *error)
{
    for (size_t n = 0; n < number_count; n++) {
        for (uint32_t i = 0; i < elements; i++) {
            size_t at = numbers[n].at + i * numbers[n].stride;
            uint8_t value = ((const uint8_t *)material)[at];
            if (!facet_gx_enumeration_holds(numbers[n].enumeration, value))
                return facet_fail(error, FACET_ERROR_ARGUMENT, "GX-NUMBER", FACET_NO_OFFSET,
                                  "%u is no %s (%s %" PRIu32 ")", value,
                                  numbers[n].enumeration->title, what, i);
        }
    }
    return FACET_OK;
}
#define CHECK(what, numbers, elements) \
    check_numbers(material, what, numbers, sizeof(numbers) / sizeof((numbers)[0]), elements, error)

static facet_status check_count(const char *what, uint32_t count, uint32_t least, uint32_t most,
                                facet_error *error)
{
    if (count >= least && count <= most)
        return FACET_OK;
    return facet_fail(error, FACET_ERROR_ARGUMENT, "GX-COUNT", FACET_NO_OFFSET,
                      "%" PRIu32 " %s, of which there are %" PRIu32 " to %" PRIu32, count, what,
                      least, most);
}

/* 0xFF is the oldest files' way to say the register of the stage. */
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
                                  "%u is no %s (stage %" PRIu32 ")", selections[i],
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
    facet_status status = check_floats(what, matrix->center, 3, error);
    if (!status)
        status = check_floats(what, matrix->scale, 2, error);
    if (!status)
        status = check_floats(what, matrix->translation, 2, error);
    return status ? status : check_floats(what, matrix->effect, 16, error);
}

facet_status facet_gx_material_check(const facet_gx_material *material, facet_error *error)
{
    const facet_gx_indirect *indirect = &material->indirect;
    facet_status status = FACET_OK;
    if (material->cull_mode > 3)
        return facet_fail(error, FACET_ERROR_ARGUMENT, "GX-NUMBER", FACET_NO_OFFSET,
                          "%" PRIu32 " is no cull mode", material->cull_mode);
    if ((status = check_count("channels", material->channel_count, 0, 2, error)) ||
        (status = check_count("texgens", material->texgen_count, 0, 8, error)) ||
        (status = check_count("TEV stages", material->stage_count, 1, 16, error)) ||
        (status = check_count("indirect stages", indirect->stage_count, 0, 4, error)))
        return status;
    if ((status = CHECK("material", of_whole, 1)) ||
        (status = CHECK("channel", of_channels, 2u * material->channel_count)) ||
        (status = CHECK("texgen", of_texgens, material->texgen_count)) ||
        (status = CHECK("stage", of_stages, material->stage_count)) ||
        (status = CHECK("swap table", of_swap_tables, 4)) ||
        (status = check_konst(material, error)))
        return status;
    if (indirect->enabled &&
        ((status = CHECK("indirect stage", of_indirect_orders, indirect->stage_count)) ||
         (status = CHECK("stage", of_indirect_stages, material->stage_count))))
        return status;
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
