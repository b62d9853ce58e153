/* gx/json/tables.c - JSON keys of the chip's records. docs/reference/formats/j3d-materials.md
 * describes them. */
#include "gx/json/tables.h"

#include "gx/json/fields.h"

#include <facet/gx_bti.h>
#include <facet/gx_material.h>

/* -- Parts of materials ------------------------------------------------- */

static const facet_gx_json_field depth_fields[] = {
    {"test", FLAG, AT(facet_gx_depth, test)},
    {"comparison", NAME, AT(facet_gx_depth, comparison), .names = &facet_gx_comparisons},
    {"write", FLAG, AT(facet_gx_depth, write)},
    {"reserved", UNSIGNED, AT(facet_gx_depth, reserved), .quiet = true},
};
static const facet_gx_json_field channel_fields[] = {
    {"lighting", FLAG, AT(facet_gx_channel, lighting)},
    {"materialSource", NAME, AT(facet_gx_channel, material_source),
     .names = &facet_gx_color_sources},
    {"lightMask", UNSIGNED, AT(facet_gx_channel, light_mask)},
    {"diffuse", NAME, AT(facet_gx_channel, diffuse_function), .names = &facet_gx_diffuse_functions},
    {"attenuation", NAME, AT(facet_gx_channel, attenuation_function),
     .names = &facet_gx_attenuation_functions},
    {"ambientSource", NAME, AT(facet_gx_channel, ambient_source), .names = &facet_gx_color_sources},
    {"reserved", UNSIGNED, AT(facet_gx_channel, reserved), .inner = 2, .quiet = true},
};
static const facet_gx_json_field light_fields[] = {
    {"position", FLOAT, AT(facet_gx_light, position), .inner = 3},
    {"direction", FLOAT, AT(facet_gx_light, direction), .inner = 3},
    {"color", UNSIGNED, AT(facet_gx_light, color), .inner = 4},
    {"cosineAttenuation", FLOAT, AT(facet_gx_light, cosine_attenuation), .inner = 3},
    {"distanceAttenuation", FLOAT, AT(facet_gx_light, distance_attenuation), .inner = 3},
};
static const facet_gx_json_field texgen_fields[] = {
    {"type", NAME, AT(facet_gx_texgen, type), .names = &facet_gx_texgen_types},
    {"source", NAME, AT(facet_gx_texgen, source), .names = &facet_gx_texgen_sources},
    {"matrix", NAME, AT(facet_gx_texgen, matrix), .names = &facet_gx_texgen_matrices},
    {"reserved", UNSIGNED, AT(facet_gx_texgen, reserved), .quiet = true},
};
static const facet_gx_json_field matrix_fields[] = {
    {"projection", NAME, AT(facet_gx_texture_matrix, projection), .names = &facet_gx_projections},
    {"mode", NAME, AT(facet_gx_texture_matrix, mode), .names = &facet_gx_matrix_modes},
    {"reserved", UNSIGNED, AT(facet_gx_texture_matrix, reserved), .quiet = true},
    {"center", FLOAT, AT(facet_gx_texture_matrix, center), .inner = 3},
    {"scale", FLOAT, AT(facet_gx_texture_matrix, scale), .inner = 2},
    {"rotation", SCALED_SIGNED, AT(facet_gx_texture_matrix, rotation), .scale = 32768.0 / 180},
    {"reserved2", UNSIGNED, AT(facet_gx_texture_matrix, reserved2), .quiet = true},
    {"translation", FLOAT, AT(facet_gx_texture_matrix, translation), .inner = 2},
    {"effect", FLOAT, AT(facet_gx_texture_matrix, effect), .outer = 4, .inner = 4},
};
static const facet_gx_json_field order_fields[] = {
    {"texcoord", NAME, AT(facet_gx_tev_order, texcoord), .names = &facet_gx_texcoords},
    {"texmap", NAME, AT(facet_gx_tev_order, texmap), .names = &facet_gx_texmaps},
    {"channel", NAME, AT(facet_gx_tev_order, channel), .names = &facet_gx_tev_channels},
    {"reserved", UNSIGNED, AT(facet_gx_tev_order, reserved), .quiet = true},
};
static const facet_gx_json_field color_combiner_fields[] = {
    {"inputs", NAME, AT(facet_gx_tev_combiner, inputs), .inner = 4,
     .names = &facet_gx_color_inputs},
    {"operation", NAME, AT(facet_gx_tev_combiner, operation), .names = &facet_gx_tev_operations},
    {"bias", NAME, AT(facet_gx_tev_combiner, bias), .names = &facet_gx_tev_biases},
    {"scale", NAME, AT(facet_gx_tev_combiner, scale), .names = &facet_gx_tev_scales},
    {"clamp", FLAG, AT(facet_gx_tev_combiner, clamp)},
    {"destination", NAME, AT(facet_gx_tev_combiner, destination), .names = &facet_gx_tev_registers},
};
static const facet_gx_json_field alpha_combiner_fields[] = {
    {"inputs", NAME, AT(facet_gx_tev_combiner, inputs), .inner = 4,
     .names = &facet_gx_alpha_inputs},
    {"operation", NAME, AT(facet_gx_tev_combiner, operation), .names = &facet_gx_tev_operations},
    {"bias", NAME, AT(facet_gx_tev_combiner, bias), .names = &facet_gx_tev_biases},
    {"scale", NAME, AT(facet_gx_tev_combiner, scale), .names = &facet_gx_tev_scales},
    {"clamp", FLAG, AT(facet_gx_tev_combiner, clamp)},
    {"destination", NAME, AT(facet_gx_tev_combiner, destination), .names = &facet_gx_tev_registers},
};
static const facet_gx_json_record color_combiner = FACET_GX_JSON_TABLE(color_combiner_fields);
static const facet_gx_json_record alpha_combiner = FACET_GX_JSON_TABLE(alpha_combiner_fields);
static const facet_gx_json_field stage_fields[] = {
    {"reserved", UNSIGNED, AT(facet_gx_tev_stage, reserved), .quiet = true},
    {"color", RECORD, AT(facet_gx_tev_stage, color), .record = &color_combiner},
    {"alpha", RECORD, AT(facet_gx_tev_stage, alpha), .record = &alpha_combiner},
    {"reserved2", UNSIGNED, AT(facet_gx_tev_stage, reserved2), .quiet = true},
};
static const facet_gx_json_field swap_mode_fields[] = {
    {"rasterTable", UNSIGNED, AT(facet_gx_swap_mode, raster_table),
     .names = &facet_gx_swap_components}, /* tables 0 to 3 */
    {"textureTable", UNSIGNED, AT(facet_gx_swap_mode, texture_table),
     .names = &facet_gx_swap_components},
    {"reserved", UNSIGNED, AT(facet_gx_swap_mode, reserved), .inner = 2, .quiet = true},
};
static const facet_gx_json_field fog_fields[] = {
    {"type", NAME, AT(facet_gx_fog, type), .names = &facet_gx_fog_types},
    {"rangeAdjust", FLAG, AT(facet_gx_fog, range_adjust)},
    {"rangeCenter", UNSIGNED, AT(facet_gx_fog, range_center)},
    {"start", FLOAT, AT(facet_gx_fog, start)},
    {"end", FLOAT, AT(facet_gx_fog, end)},
    {"near", FLOAT, AT(facet_gx_fog, near_z)},
    {"far", FLOAT, AT(facet_gx_fog, far_z)},
    {"color", UNSIGNED, AT(facet_gx_fog, color), .inner = 4},
    {"rangeTable", SCALED_UNSIGNED, AT(facet_gx_fog, range_table), .inner = 10, .scale = 256},
};
static const facet_gx_json_field alpha_compare_fields[] = {
    {"comparison0", NAME, AT(facet_gx_alpha_compare, comparison0), .names = &facet_gx_comparisons},
    {"reference0", UNSIGNED, AT(facet_gx_alpha_compare, reference0)},
    {"operation", NAME, AT(facet_gx_alpha_compare, operation), .names = &facet_gx_alpha_operations},
    {"comparison1", NAME, AT(facet_gx_alpha_compare, comparison1), .names = &facet_gx_comparisons},
    {"reference1", UNSIGNED, AT(facet_gx_alpha_compare, reference1)},
    {"reserved", UNSIGNED, AT(facet_gx_alpha_compare, reserved), .inner = 3, .quiet = true},
};
static const facet_gx_json_field blend_fields[] = {
    {"type", NAME, AT(facet_gx_blend, type), .names = &facet_gx_blend_types},
    {"source", NAME, AT(facet_gx_blend, source), .names = &facet_gx_source_factors},
    {"destination", NAME, AT(facet_gx_blend, destination), .names = &facet_gx_destination_factors},
    {"logic", NAME, AT(facet_gx_blend, logic), .names = &facet_gx_logic_operations},
};
static const facet_gx_json_field nbt_scale_fields[] = {
    {"enabled", FLAG, AT(facet_gx_nbt_scale, enabled)},
    {"reserved", UNSIGNED, AT(facet_gx_nbt_scale, reserved), .inner = 3, .quiet = true},
    {"scale", FLOAT, AT(facet_gx_nbt_scale, scale), .inner = 3},
};
const facet_gx_json_record facet_gx_json_depth = FACET_GX_JSON_TABLE(depth_fields);
const facet_gx_json_record facet_gx_json_channel = FACET_GX_JSON_TABLE(channel_fields);
const facet_gx_json_record facet_gx_json_light = FACET_GX_JSON_TABLE(light_fields);
const facet_gx_json_record facet_gx_json_texgen = FACET_GX_JSON_TABLE(texgen_fields);
const facet_gx_json_record facet_gx_json_texture_matrix = FACET_GX_JSON_TABLE(matrix_fields);
const facet_gx_json_record facet_gx_json_tev_order = FACET_GX_JSON_TABLE(order_fields);
const facet_gx_json_record facet_gx_json_tev_stage = FACET_GX_JSON_TABLE(stage_fields);
const facet_gx_json_record facet_gx_json_swap_mode = FACET_GX_JSON_TABLE(swap_mode_fields);
const facet_gx_json_record facet_gx_json_fog = FACET_GX_JSON_TABLE(fog_fields);
const facet_gx_json_record facet_gx_json_alpha_compare = FACET_GX_JSON_TABLE(alpha_compare_fields);
const facet_gx_json_record facet_gx_json_blend = FACET_GX_JSON_TABLE(blend_fields);
const facet_gx_json_record facet_gx_json_nbt_scale = FACET_GX_JSON_TABLE(nbt_scale_fields);

/* -- Indirect textures -------------------------------------------------- */

static const facet_gx_json_field indirect_order_fields[] = {
    {"texcoord", NAME, AT(facet_gx_indirect_order, texcoord), .names = &facet_gx_texcoords},
    {"texmap", NAME, AT(facet_gx_indirect_order, texmap), .names = &facet_gx_texmaps},
    {"reserved", UNSIGNED, AT(facet_gx_indirect_order, reserved), .inner = 2, .quiet = true},
};
static const facet_gx_json_field indirect_matrix_fields[] = {
    {"rows", FLOAT, AT(facet_gx_indirect_matrix, rows), .outer = 2, .inner = 3},
    {"exponent", SIGNED, AT(facet_gx_indirect_matrix, exponent)},
    {"reserved", UNSIGNED, AT(facet_gx_indirect_matrix, reserved), .inner = 3, .quiet = true},
};
static const facet_gx_json_field indirect_scale_fields[] = {
    {"s", NAME, AT(facet_gx_indirect_scale, s), .names = &facet_gx_indirect_scales},
    {"t", NAME, AT(facet_gx_indirect_scale, t), .names = &facet_gx_indirect_scales},
    {"reserved", UNSIGNED, AT(facet_gx_indirect_scale, reserved), .inner = 2, .quiet = true},
};
static const facet_gx_json_field indirect_stage_fields[] = {
    {"stage", UNSIGNED, AT(facet_gx_indirect_stage, stage)},
    {"format", NAME, AT(facet_gx_indirect_stage, format), .names = &facet_gx_indirect_formats},
    {"bias", NAME, AT(facet_gx_indirect_stage, bias), .names = &facet_gx_indirect_biases},
    {"matrix", NAME, AT(facet_gx_indirect_stage, matrix), .names = &facet_gx_indirect_matrices},
    {"wrapS", NAME, AT(facet_gx_indirect_stage, wrap_s), .names = &facet_gx_indirect_wraps},
    {"wrapT", NAME, AT(facet_gx_indirect_stage, wrap_t), .names = &facet_gx_indirect_wraps},
    {"addPrevious", FLAG, AT(facet_gx_indirect_stage, add_previous)},
    {"unmodifiedLod", FLAG, AT(facet_gx_indirect_stage, unmodified_lod)},
    {"bumpAlpha", NAME, AT(facet_gx_indirect_stage, bump_alpha),
     .names = &facet_gx_indirect_alphas},
    {"reserved", UNSIGNED, AT(facet_gx_indirect_stage, reserved), .inner = 3, .quiet = true},
};
const facet_gx_json_record facet_gx_json_indirect_order =
    FACET_GX_JSON_TABLE(indirect_order_fields);
static const facet_gx_json_record indirect_matrix = FACET_GX_JSON_TABLE(indirect_matrix_fields);
const facet_gx_json_record facet_gx_json_indirect_scale =
    FACET_GX_JSON_TABLE(indirect_scale_fields);
const facet_gx_json_record facet_gx_json_indirect_stage =
    FACET_GX_JSON_TABLE(indirect_stage_fields);

/* Lists end at the last value that is not a default. */
static const facet_gx_json_field indirect_fields[] = {
    {"enabled", FLAG, AT(facet_gx_indirect, enabled)},
    {"stageCount", UNSIGNED, AT(facet_gx_indirect, stage_count)},
    {"reserved", UNSIGNED, AT(facet_gx_indirect, reserved), .quiet = true},
    {"orders", RECORD, AT(facet_gx_indirect, orders), .outer = 4, .trim = true,
     .record = &facet_gx_json_indirect_order},
    {"matrices", RECORD, AT(facet_gx_indirect, matrices), .outer = 3, .trim = true,
     .record = &indirect_matrix},
    {"scales", RECORD, AT(facet_gx_indirect, scales), .outer = 4, .trim = true,
     .record = &facet_gx_json_indirect_scale},
    {"stages", RECORD, AT(facet_gx_indirect, stages), .outer = 16, .trim = true,
     .record = &facet_gx_json_indirect_stage},
};
const facet_gx_json_record facet_gx_json_indirect = FACET_GX_JSON_TABLE(indirect_fields);

/* -- Textures ----------------------------------------------------------- */

static const facet_gx_json_field texture_fields[] = {
    {"format", NAME, AT(facet_bti_header, format), .names = &facet_gx_texture_formats},
    {"transparency", UNSIGNED, AT(facet_bti_header, transparency)},
    {"width", UNSIGNED, AT(facet_bti_header, width)},
    {"height", UNSIGNED, AT(facet_bti_header, height)},
    {"wrapS", NAME, AT(facet_bti_header, wrap_s), .names = &facet_gx_wraps},
    {"wrapT", NAME, AT(facet_bti_header, wrap_t), .names = &facet_gx_wraps},
    {"hasPalette", FLAG, AT(facet_bti_header, has_palette)},
    {"paletteFormat", NAME, AT(facet_bti_header, palette_format),
     .names = &facet_gx_palette_formats},
    {"paletteCount", UNSIGNED, AT(facet_bti_header, palette_count)},
    {"hasMipmaps", FLAG, AT(facet_bti_header, has_mipmaps)},
    {"edgeLod", FLAG, AT(facet_bti_header, edge_lod)},
    {"lodBiasClamp", FLAG, AT(facet_bti_header, lod_bias_clamp)},
    {"maxAnisotropy", NAME, AT(facet_bti_header, max_anisotropy), .names = &facet_gx_anisotropies},
    {"minFilter", NAME, AT(facet_bti_header, min_filter), .names = &facet_gx_filters},
    {"magFilter", NAME, AT(facet_bti_header, mag_filter), .names = &facet_gx_filters},
    {"minLod", SCALED_SIGNED, AT(facet_bti_header, min_lod), .scale = 8},
    {"maxLod", SCALED_SIGNED, AT(facet_bti_header, max_lod), .scale = 8},
    {"levelCount", UNSIGNED, AT(facet_bti_header, level_count)},
    {"lodBias", SCALED_SIGNED, AT(facet_bti_header, lod_bias), .scale = 100},
    {"unused", UNSIGNED, AT(facet_bti_header, unused), .quiet = true},
};
const facet_gx_json_record facet_gx_json_header = FACET_GX_JSON_TABLE(texture_fields);
