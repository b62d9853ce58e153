/* j3d/json/tables.c - what the fields of materials, textures, joints and shapes
 * are called in our JSON. docs/j3d-materials.md describes it. */
#include "j3d/json/fields.h"

/* clang-format off */

/* -- Parts of materials ------------------------------------------------- */

static const j3d_json_field depth_fields[] = {
    FLAG(facet_gx_depth, "test", test),
    NAME(facet_gx_depth, "comparison", comparison, comparisons),
    FLAG(facet_gx_depth, "write", write),
    RESERVED(facet_gx_depth, "reserved", reserved),
};
static const j3d_json_field channel_fields[] = {
    FLAG(facet_gx_channel, "lighting", lighting),
    NAME(facet_gx_channel, "materialSource", material_source, color_sources),
    UNSIGNED(facet_gx_channel, "lightMask", light_mask),
    NAME(facet_gx_channel, "diffuse", diffuse_function, diffuse_functions),
    NAME(facet_gx_channel, "attenuation", attenuation_function, attenuation_functions),
    NAME(facet_gx_channel, "ambientSource", ambient_source, color_sources),
    RESERVEDS(facet_gx_channel, "reserved", reserved, 2),
};
static const j3d_json_field light_fields[] = {
    FLOATS(facet_gx_light, "position", position, 3),
    FLOATS(facet_gx_light, "direction", direction, 3),
    UNSIGNEDS(facet_gx_light, "color", color, 4),
    FLOATS(facet_gx_light, "cosineAttenuation", cosine_attenuation, 3),
    FLOATS(facet_gx_light, "distanceAttenuation", distance_attenuation, 3),
};
static const j3d_json_field texgen_fields[] = {
    NAME(facet_gx_texgen, "type", type, texgen_types),
    NAME(facet_gx_texgen, "source", source, texgen_sources),
    NAME(facet_gx_texgen, "matrix", matrix, texgen_matrices),
    RESERVED(facet_gx_texgen, "reserved", reserved),
};
static const j3d_json_field matrix_fields[] = {
    NAME(facet_gx_texture_matrix, "projection", projection, projections),
    NAME(facet_gx_texture_matrix, "mode", mode, matrix_modes),
    RESERVED(facet_gx_texture_matrix, "reserved", reserved),
    FLOATS(facet_gx_texture_matrix, "center", center, 3),
    FLOATS(facet_gx_texture_matrix, "scale", scale, 2),
    SCALED(facet_gx_texture_matrix, "rotation", rotation, 32768.0 / 180, true),
    RESERVED(facet_gx_texture_matrix, "reserved2", reserved2),
    FLOATS(facet_gx_texture_matrix, "translation", translation, 2),
    ROWS(facet_gx_texture_matrix, "effect", effect, 4, 4),
};
static const j3d_json_field order_fields[] = {
    NAME(facet_gx_tev_order, "texcoord", texcoord, texcoords),
    NAME(facet_gx_tev_order, "texmap", texmap, texmaps),
    NAME(facet_gx_tev_order, "channel", channel, tev_channels),
    RESERVED(facet_gx_tev_order, "reserved", reserved),
};
static const j3d_json_field color_combiner_fields[] = {
    NAMES(facet_gx_tev_combiner, "inputs", inputs, 4, color_inputs),
    NAME(facet_gx_tev_combiner, "operation", operation, tev_operations),
    NAME(facet_gx_tev_combiner, "bias", bias, tev_biases),
    NAME(facet_gx_tev_combiner, "scale", scale, tev_scales),
    FLAG(facet_gx_tev_combiner, "clamp", clamp),
    NAME(facet_gx_tev_combiner, "destination", destination, tev_registers_names),
};
static const j3d_json_field alpha_combiner_fields[] = {
    NAMES(facet_gx_tev_combiner, "inputs", inputs, 4, alpha_inputs),
    NAME(facet_gx_tev_combiner, "operation", operation, tev_operations),
    NAME(facet_gx_tev_combiner, "bias", bias, tev_biases),
    NAME(facet_gx_tev_combiner, "scale", scale, tev_scales),
    FLAG(facet_gx_tev_combiner, "clamp", clamp),
    NAME(facet_gx_tev_combiner, "destination", destination, tev_registers_names),
};
static TABLE(color_combiner, color_combiner_fields);
static TABLE(alpha_combiner, alpha_combiner_fields);
static const j3d_json_field stage_fields[] = {
    RESERVED(facet_gx_tev_stage, "reserved", reserved),
    RECORD(facet_gx_tev_stage, "color", color, color_combiner),
    RECORD(facet_gx_tev_stage, "alpha", alpha, alpha_combiner),
    RESERVED(facet_gx_tev_stage, "reserved2", reserved2),
};
static const j3d_json_field swap_mode_fields[] = {
    UNSIGNED(facet_gx_swap_mode, "rasterTable", raster_table),
    UNSIGNED(facet_gx_swap_mode, "textureTable", texture_table),
    RESERVEDS(facet_gx_swap_mode, "reserved", reserved, 2),
};
static const j3d_json_field fog_fields[] = {
    NAME(facet_gx_fog, "type", type, fog_types),
    FLAG(facet_gx_fog, "rangeAdjust", range_adjust),
    UNSIGNED(facet_gx_fog, "rangeCenter", range_center),
    FLOAT(facet_gx_fog, "start", start),
    FLOAT(facet_gx_fog, "end", end),
    FLOAT(facet_gx_fog, "near", near_z),
    FLOAT(facet_gx_fog, "far", far_z),
    UNSIGNEDS(facet_gx_fog, "color", color, 4),
    SCALEDS(facet_gx_fog, "rangeTable", range_table, 10, 256, false),
};
static const j3d_json_field alpha_compare_fields[] = {
    NAME(facet_gx_alpha_compare, "comparison0", comparison0, comparisons),
    UNSIGNED(facet_gx_alpha_compare, "reference0", reference0),
    NAME(facet_gx_alpha_compare, "operation", operation, alpha_operations),
    NAME(facet_gx_alpha_compare, "comparison1", comparison1, comparisons),
    UNSIGNED(facet_gx_alpha_compare, "reference1", reference1),
    RESERVEDS(facet_gx_alpha_compare, "reserved", reserved, 3),
};
static const j3d_json_field blend_fields[] = {
    NAME(facet_gx_blend, "type", type, blend_types),
    NAME(facet_gx_blend, "source", source, source_factors),
    NAME(facet_gx_blend, "destination", destination, destination_factors),
    NAME(facet_gx_blend, "logic", logic, logic_operations),
};
static const j3d_json_field nbt_scale_fields[] = {
    FLAG(facet_gx_nbt_scale, "enabled", enabled),
    RESERVEDS(facet_gx_nbt_scale, "reserved", reserved, 3),
    FLOATS(facet_gx_nbt_scale, "scale", scale, 3),
};
static TABLE(depth, depth_fields);
static TABLE(channel, channel_fields);
static TABLE(light, light_fields);
static TABLE(texgen, texgen_fields);
static TABLE(texture_matrix, matrix_fields);
static TABLE(tev_order, order_fields);
static TABLE(tev_stage, stage_fields);
static TABLE(swap_mode, swap_mode_fields);
static TABLE(fog, fog_fields);
static TABLE(alpha_compare, alpha_compare_fields);
static TABLE(blend, blend_fields);
static TABLE(nbt_scale, nbt_scale_fields);

/* -- Indirect textures -------------------------------------------------- */

static const j3d_json_field indirect_order_fields[] = {
    NAME(facet_gx_indirect_order, "texcoord", texcoord, texcoords),
    NAME(facet_gx_indirect_order, "texmap", texmap, texmaps),
    RESERVEDS(facet_gx_indirect_order, "reserved", reserved, 2),
};
static const j3d_json_field indirect_matrix_fields[] = {
    ROWS(facet_gx_indirect_matrix, "rows", rows, 2, 3),
    SIGNED(facet_gx_indirect_matrix, "exponent", exponent),
    RESERVEDS(facet_gx_indirect_matrix, "reserved", reserved, 3),
};
static const j3d_json_field indirect_scale_fields[] = {
    NAME(facet_gx_indirect_scale, "s", s, indirect_scales),
    NAME(facet_gx_indirect_scale, "t", t, indirect_scales),
    RESERVEDS(facet_gx_indirect_scale, "reserved", reserved, 2),
};
static const j3d_json_field indirect_stage_fields[] = {
    UNSIGNED(facet_gx_indirect_stage, "stage", stage),
    NAME(facet_gx_indirect_stage, "format", format, indirect_formats),
    NAME(facet_gx_indirect_stage, "bias", bias, indirect_biases),
    NAME(facet_gx_indirect_stage, "matrix", matrix, indirect_matrices),
    NAME(facet_gx_indirect_stage, "wrapS", wrap_s, indirect_wraps),
    NAME(facet_gx_indirect_stage, "wrapT", wrap_t, indirect_wraps),
    FLAG(facet_gx_indirect_stage, "addPrevious", add_previous),
    FLAG(facet_gx_indirect_stage, "unmodifiedLod", unmodified_lod),
    NAME(facet_gx_indirect_stage, "bumpAlpha", bump_alpha, indirect_alphas),
    RESERVEDS(facet_gx_indirect_stage, "reserved", reserved, 3),
};
static TABLE(indirect_order, indirect_order_fields);
static TABLE(indirect_matrix, indirect_matrix_fields);
static TABLE(indirect_scale, indirect_scale_fields);
static TABLE(indirect_stage, indirect_stage_fields);

/* Lists of an indirect record end where the rest says nothing. */
#define TRIMMED(name, member, n, table) \
    {FIELD(facet_gx_indirect, name, RECORD, member, n), .outer = n, \
     .stride = MEMBER_SIZE(facet_gx_indirect, member) / (n), .record = &table, .trim = true}
static const j3d_json_field indirect_fields[] = {
    FLAG(facet_gx_indirect, "enabled", enabled),
    UNSIGNED(facet_gx_indirect, "stageCount", stage_count),
    RESERVED(facet_gx_indirect, "reserved", reserved),
    TRIMMED("orders", orders, 4, indirect_order),
    TRIMMED("matrices", matrices, 3, indirect_matrix),
    TRIMMED("scales", scales, 4, indirect_scale),
    TRIMMED("stages", stages, 16, indirect_stage),
};
static TABLE(indirect, indirect_fields);

/* -- Materials ---------------------------------------------------------- */

#define SELECTIONS(name, member, table) \
    {FIELD(facet_j3d_material, name, NAME, gx.member, 16), .outer = 16, .stride = 1, .trim = true, \
     .names = &facet_gx_##table}
static const j3d_json_field material_fields[] = {
    NAME(facet_j3d_material, "mode", mode, material_modes),
    MAYBE_NAME("cullMode", cull_mode, cull_modes),
    MAYBE("channelCount", UNSIGNED, channel_count),
    MAYBE("texgenCount", UNSIGNED, texgen_count),
    MAYBE("stageCount", UNSIGNED, stage_count),
    MAYBE("earlyDepth", FLAG, early_depth),
    MAYBE_RECORD("depth", depth, depth),
    MAYBE("dither", FLAG, dither),
    MAYBE_RECORD("alphaCompare", alpha_compare, alpha_compare),
    MAYBE_RECORD("blend", blend, blend),
    MAYBE_COLORS("materialColors", UNSIGNED, material_colors, 2),
    MAYBE_COLORS("ambientColors", UNSIGNED, ambient_colors, 2),
    MAYBE_RECORDS("channels", channels, 4, channel),
    MAYBE_RECORDS("lights", lights, 8, light),
    {FIELD(facet_j3d_material, "textures", TEXTURE, gx.textures, 8), LIST(8, textures)},
    MAYBE_RECORDS("texgens", texgens, 8, texgen),
    MAYBE_RECORDS("postTexgens", post_texgens, 8, texgen),
    MAYBE_RECORDS("textureMatrices", texture_matrices, 10, texture_matrix),
    MAYBE_RECORDS("postMatrices", post_matrices, 20, texture_matrix),
    MAYBE_COLORS("konstColors", UNSIGNED, konst_colors, 4),
    MAYBE_COLORS("tevRegisters", SIGNED, tev_registers, 4),
    MAYBE_RECORDS("tevOrders", tev_orders, 16, tev_order),
    MAYBE_RECORDS("tevStages", tev_stages, 16, tev_stage),
    SELECTIONS("konstColorSelections", konst_color_selections, konst_colors_names),
    SELECTIONS("konstAlphaSelections", konst_alpha_selections, konst_alphas_names),
    MAYBE_RECORDS("swapModes", swap_modes, 16, swap_mode),
    {FIELD(facet_j3d_material, "swapTables", NAME, gx.swap_tables, 16), .inner = 4,
     LIST(4, swap_tables), .names = &facet_gx_components_rgba},
    MAYBE_RECORD("indirect", indirect, indirect),
    MAYBE_RECORD("fog", fog, fog),
    MAYBE_RECORD("nbtScale", nbt_scale, nbt_scale),
    RESERVEDS(facet_j3d_material, "unused", unused, 12),
};
TABLE(facet_j3d_json_material, material_fields);

/* -- Textures ----------------------------------------------------------- */

static const j3d_json_field texture_fields[] = {
    NAME(facet_bti_header, "format", format, texture_formats),
    UNSIGNED(facet_bti_header, "transparency", transparency),
    UNSIGNED(facet_bti_header, "width", width),
    UNSIGNED(facet_bti_header, "height", height),
    NAME(facet_bti_header, "wrapS", wrap_s, wraps),
    NAME(facet_bti_header, "wrapT", wrap_t, wraps),
    FLAG(facet_bti_header, "hasPalette", has_palette),
    NAME(facet_bti_header, "paletteFormat", palette_format, palette_formats),
    UNSIGNED(facet_bti_header, "paletteCount", palette_count),
    FLAG(facet_bti_header, "hasMipmaps", has_mipmaps),
    FLAG(facet_bti_header, "edgeLod", edge_lod),
    FLAG(facet_bti_header, "lodBiasClamp", lod_bias_clamp),
    NAME(facet_bti_header, "maxAnisotropy", max_anisotropy, anisotropies),
    NAME(facet_bti_header, "minFilter", min_filter, filters),
    NAME(facet_bti_header, "magFilter", mag_filter, filters),
    SCALED(facet_bti_header, "minLod", min_lod, 8, true),
    SCALED(facet_bti_header, "maxLod", max_lod, 8, true),
    UNSIGNED(facet_bti_header, "levelCount", level_count),
    SCALED(facet_bti_header, "lodBias", lod_bias, 100, true),
    RESERVED(facet_bti_header, "unused", unused),
};
TABLE(facet_j3d_json_texture, texture_fields);

/* -- Joints and shapes -------------------------------------------------- */

static const j3d_json_field joint_fields[] = {
    NAME(facet_j3d_joint, "kind", kind, joint_kinds),
    FLAG(facet_j3d_joint, "scaleCompensate", scale_compensate),
    RESERVED(facet_j3d_joint, "unknown", unknown),
    FLOATS(facet_j3d_joint, "scale", scale, 3),
    SIGNEDS(facet_j3d_joint, "rotation", rotation, 3),
    RESERVED(facet_j3d_joint, "unknown2", unknown2),
    FLOATS(facet_j3d_joint, "translation", translation, 3),
    FLOAT(facet_j3d_joint, "radius", radius),
    FLOATS(facet_j3d_joint, "minimum", minimum, 3),
    FLOATS(facet_j3d_joint, "maximum", maximum, 3),
};
TABLE(facet_j3d_json_joint, joint_fields);

static const j3d_json_field shape_fields[] = {
    NAME(facet_j3d_shape, "type", type, shape_types),
    RESERVED(facet_j3d_shape, "unknown", unknown),
    RESERVED(facet_j3d_shape, "unknown2", unknown2),
    FLOAT(facet_j3d_shape, "radius", radius),
    FLOATS(facet_j3d_shape, "minimum", minimum, 3),
    FLOATS(facet_j3d_shape, "maximum", maximum, 3),
};
TABLE(facet_j3d_json_shape, shape_fields);
/* clang-format on */
