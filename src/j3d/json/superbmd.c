/* j3d/json/superbmd.c - the keys of SuperBMD's materials.json and
 * tex_headers.json, as RenolY2's version writes them, and Sage of Mirrors' where
 * it differs. Its names of values stand in enumerations.c. */
#include "j3d/json/fields.h"

/* clang-format off */

/* -- Parts of materials ------------------------------------------------- */

static const j3d_json_field depth_fields[] = {
    FLAG(facet_gx_depth, "Enable", test),
    NAME(facet_gx_depth, "Function", comparison, comparisons),
    FLAG(facet_gx_depth, "UpdateEnable", write),
};
static const j3d_json_field channel_fields[] = {
    FLAG(facet_gx_channel, "Enable", lighting),
    NAME(facet_gx_channel, "MaterialSrcColor", material_source, color_sources),
    NAME(facet_gx_channel, "LitMask", light_mask, light_masks),
    NAME(facet_gx_channel, "DiffuseFunction", diffuse_function, diffuse_functions),
    NAME(facet_gx_channel, "AttenuationFunction", attenuation_function, attenuation_functions),
    NAME(facet_gx_channel, "AmbientSrcColor", ambient_source, color_sources),
};
static const j3d_json_field texgen_fields[] = {
    NAME(facet_gx_texgen, "Type", type, texgen_types),
    NAME(facet_gx_texgen, "Source", source, texgen_sources),
    NAME(facet_gx_texgen, "TexMatrixSource", matrix, texgen_matrices),
};
static const j3d_json_field matrix_fields[] = {
    NAME(facet_gx_texture_matrix, "Projection", projection, projections),
    UNSIGNED(facet_gx_texture_matrix, "Type", mode),
    FLOATS(facet_gx_texture_matrix, "EffectTranslation", center, 3),
    FLOATS(facet_gx_texture_matrix, "Scale", scale, 2),
    SCALED(facet_gx_texture_matrix, "Rotation", rotation, 32768.0 / 180, true),
    FLOATS(facet_gx_texture_matrix, "Translation", translation, 2),
    ROWS(facet_gx_texture_matrix, "ProjectionMatrix", effect, 4, 4),
};
static const j3d_json_field order_fields[] = {
    NAME(facet_gx_tev_order, "TexCoord", texcoord, texcoords),
    NAME(facet_gx_tev_order, "TexMap", texmap, texmaps),
    NAME(facet_gx_tev_order, "ChannelId", channel, tev_channels),
};
static const j3d_json_field stage_fields[] = {
    NAME(facet_gx_tev_stage, "ColorInA", color.inputs[0], color_inputs),
    NAME(facet_gx_tev_stage, "ColorInB", color.inputs[1], color_inputs),
    NAME(facet_gx_tev_stage, "ColorInC", color.inputs[2], color_inputs),
    NAME(facet_gx_tev_stage, "ColorInD", color.inputs[3], color_inputs),
    NAME(facet_gx_tev_stage, "ColorOp", color.operation, tev_operations),
    NAME(facet_gx_tev_stage, "ColorBias", color.bias, tev_biases),
    NAME(facet_gx_tev_stage, "ColorScale", color.scale, tev_scales),
    FLAG(facet_gx_tev_stage, "ColorClamp", color.clamp),
    NAME(facet_gx_tev_stage, "ColorRegId", color.destination, tev_registers_names),
    NAME(facet_gx_tev_stage, "AlphaInA", alpha.inputs[0], alpha_inputs),
    NAME(facet_gx_tev_stage, "AlphaInB", alpha.inputs[1], alpha_inputs),
    NAME(facet_gx_tev_stage, "AlphaInC", alpha.inputs[2], alpha_inputs),
    NAME(facet_gx_tev_stage, "AlphaInD", alpha.inputs[3], alpha_inputs),
    NAME(facet_gx_tev_stage, "AlphaOp", alpha.operation, tev_operations),
    NAME(facet_gx_tev_stage, "AlphaBias", alpha.bias, tev_biases),
    NAME(facet_gx_tev_stage, "AlphaScale", alpha.scale, tev_scales),
    FLAG(facet_gx_tev_stage, "AlphaClamp", alpha.clamp),
    NAME(facet_gx_tev_stage, "AlphaRegId", alpha.destination, tev_registers_names),
};
static const j3d_json_field swap_mode_fields[] = {
    UNSIGNED(facet_gx_swap_mode, "RasSel", raster_table),
    UNSIGNED(facet_gx_swap_mode, "TexSel", texture_table),
};
static const j3d_json_field swap_table_fields[] = {
    UNSIGNED(facet_gx_swap_table, "R", r),
    UNSIGNED(facet_gx_swap_table, "G", g),
    UNSIGNED(facet_gx_swap_table, "B", b),
    UNSIGNED(facet_gx_swap_table, "A", a),
};
static const j3d_json_field fog_fields[] = {
    UNSIGNED(facet_gx_fog, "Type", type),
    FLAG(facet_gx_fog, "Enable", range_adjust),
    UNSIGNED(facet_gx_fog, "Center", range_center),
    FLOAT(facet_gx_fog, "StartZ", start),
    FLOAT(facet_gx_fog, "EndZ", end),
    FLOAT(facet_gx_fog, "NearZ", near_z),
    FLOAT(facet_gx_fog, "FarZ", far_z),
    {FIELD(facet_gx_fog, "Color", SCALED, color, 4), .inner = 4, .letters = true, .scale = 255},
    SCALEDS(facet_gx_fog, "RangeAdjustmentTable", range_table, 10, 256, false),
};
static const j3d_json_field alpha_compare_fields[] = {
    NAME(facet_gx_alpha_compare, "Comp0", comparison0, comparisons),
    UNSIGNED(facet_gx_alpha_compare, "Reference0", reference0),
    NAME(facet_gx_alpha_compare, "Operation", operation, alpha_operations),
    NAME(facet_gx_alpha_compare, "Comp1", comparison1, comparisons),
    UNSIGNED(facet_gx_alpha_compare, "Reference1", reference1),
};
static const j3d_json_field blend_fields[] = {
    NAME(facet_gx_blend, "Type", type, blend_types),
    NAME(facet_gx_blend, "SourceFact", source, source_factors),
    NAME(facet_gx_blend, "DestinationFact", destination, destination_factors),
    NAME(facet_gx_blend, "Operation", logic, logic_operations),
};
static const j3d_json_field nbt_scale_fields[] = {
    UNSIGNED(facet_gx_nbt_scale, "Unknown1", enabled),
    FLOATS(facet_gx_nbt_scale, "Scale", scale, 3),
};
static TABLE(depth, depth_fields);
static TABLE(channel, channel_fields);
static TABLE(texgen, texgen_fields);
static TABLE(texture_matrix, matrix_fields);
static TABLE(tev_order, order_fields);
static TABLE(tev_stage, stage_fields);
static TABLE(swap_mode, swap_mode_fields);
static TABLE(swap_table, swap_table_fields);
static TABLE(fog, fog_fields);
static TABLE(alpha_compare, alpha_compare_fields);
static TABLE(blend, blend_fields);
static TABLE(nbt_scale, nbt_scale_fields);

/* -- Indirect textures -------------------------------------------------- */

static const j3d_json_field indirect_order_fields[] = {
    NAME(facet_gx_indirect_order, "TexCoord", texcoord, texcoords),
    NAME(facet_gx_indirect_order, "TexMap", texmap, texmaps),
};
/* It keeps the exponent as an unsigned byte. */
static const j3d_json_field indirect_matrix_fields[] = {
    ROWS(facet_gx_indirect_matrix, "Matrix", rows, 2, 3),
    UNSIGNED(facet_gx_indirect_matrix, "Exponent", exponent),
};
static const j3d_json_field indirect_scale_fields[] = {
    NAME(facet_gx_indirect_scale, "ScaleS", s, indirect_scales),
    NAME(facet_gx_indirect_scale, "ScaleT", t, indirect_scales),
};
static const j3d_json_field indirect_stage_fields[] = {
    NAME(facet_gx_indirect_stage, "TevStage", stage, tev_stages_names),
    NAME(facet_gx_indirect_stage, "IndTexFormat", format, indirect_formats),
    NAME(facet_gx_indirect_stage, "IndTexBiasSel", bias, indirect_biases),
    NAME(facet_gx_indirect_stage, "IndTexMtxId", matrix, indirect_matrices),
    NAME(facet_gx_indirect_stage, "IndTexWrapS", wrap_s, indirect_wraps),
    NAME(facet_gx_indirect_stage, "IndTexWrapT", wrap_t, indirect_wraps),
    FLAG(facet_gx_indirect_stage, "AddPrev", add_previous),
    FLAG(facet_gx_indirect_stage, "UtcLod", unmodified_lod),
    NAME(facet_gx_indirect_stage, "AlphaSel", bump_alpha, indirect_alphas),
};
static TABLE(indirect_order, indirect_order_fields);
static TABLE(indirect_matrix, indirect_matrix_fields);
static TABLE(indirect_scale, indirect_scale_fields);
static TABLE(indirect_stage, indirect_stage_fields);
static const j3d_json_field indirect_fields[] = {
    FLAG(facet_gx_indirect, "HasLookup", enabled),
    UNSIGNED(facet_gx_indirect, "IndTexStageNum", stage_count),
    RECORDS(facet_gx_indirect, "TevOrders", orders, 4, indirect_order),
    RECORDS(facet_gx_indirect, "Matrices", matrices, 3, indirect_matrix),
    RECORDS(facet_gx_indirect, "Scales", scales, 4, indirect_scale),
    RECORDS(facet_gx_indirect, "TevStages", stages, 16, indirect_stage),
};
static TABLE(indirect, indirect_fields);

/* -- Materials ---------------------------------------------------------- */

/* Counts are not written: the reader counts. What it calls lights' colors are
 * records of 52 bytes in truth; they cannot be taken over. */
#define SELECTIONS(name, member, table) \
    {FIELD(facet_j3d_material, name, NAME, gx.member, 16), .outer = 16, .stride = 1, \
     .names = &facet_gx_##table}
static const j3d_json_field material_fields[] = {
    UNSIGNED(facet_j3d_material, "Flag", mode),
    MAYBE_NAME("CullMode", cull_mode, cull_modes),
    MAYBE("ZCompLoc", FLAG, early_depth),
    MAYBE("Dither", FLAG, dither),
    {FIELD(facet_j3d_material, "TextureNames", TEXTURE, gx.textures, 8), LIST(8, textures)},
    MAYBE_RECORD("IndTexEntry", indirect, indirect),
    MAYBE_LETTERS("MaterialColors", material_colors, 2, false),
    MAYBE_RECORDS("ChannelControls", channels, 4, channel),
    MAYBE_LETTERS("AmbientColors", ambient_colors, 2, false),
    {.key = "LightingColors", .kind = J3D_JSON_IGNORED},
    MAYBE_RECORDS("TexCoord1Gens", texgens, 8, texgen),
    MAYBE_RECORDS("PostTexCoordGens", post_texgens, 8, texgen),
    MAYBE_RECORDS("TexMatrix1", texture_matrices, 10, texture_matrix),
    MAYBE_RECORDS("PostTexMatrix", post_matrices, 20, texture_matrix),
    MAYBE_RECORDS("TevOrders", tev_orders, 16, tev_order),
    SELECTIONS("ColorSels", konst_color_selections, konst_colors_names),
    SELECTIONS("AlphaSels", konst_alpha_selections, konst_alphas_names),
    MAYBE_LETTERS("TevColors", tev_registers, 4, true),
    MAYBE_LETTERS("KonstColors", konst_colors, 4, false),
    MAYBE_RECORDS("TevStages", tev_stages, 16, tev_stage),
    MAYBE_RECORDS("SwapModes", swap_modes, 16, swap_mode),
    MAYBE_RECORDS("SwapTables", swap_tables, 4, swap_table),
    MAYBE_RECORD("FogInfo", fog, fog),
    MAYBE_RECORD("AlphCompare", alpha_compare, alpha_compare),
    MAYBE_RECORD("BMode", blend, blend),
    MAYBE_RECORD("ZMode", depth, depth),
    MAYBE_RECORD("NBTScale", nbt_scale, nbt_scale),
};
TABLE(facet_j3d_superbmd_material, material_fields);

/* -- Textures ----------------------------------------------------------- */

#define TEXTURE_HEAD                                                          \
    NAME(facet_bti_header, "Format", format, texture_formats),                \
    UNSIGNED(facet_bti_header, "AlphaSetting", transparency),                 \
    NAME(facet_bti_header, "WrapS", wrap_s, wraps),                           \
    NAME(facet_bti_header, "WrapT", wrap_t, wraps),                           \
    NAME(facet_bti_header, "PaletteFormat", palette_format, palette_formats), \
    NAME(facet_bti_header, "MinFilter", min_filter, filters),                 \
    NAME(facet_bti_header, "MagFilter", mag_filter, filters)

static const j3d_json_field texture_fields[] = {
    TEXTURE_HEAD,
    FLAG(facet_bti_header, "MipMap", has_mipmaps),
    FLAG(facet_bti_header, "EdgeLOD", edge_lod),
    FLAG(facet_bti_header, "BiasClamp", lod_bias_clamp),
    UNSIGNED(facet_bti_header, "MaxAniso", max_anisotropy),
    SCALED(facet_bti_header, "MinLOD", min_lod, 8, true),
    SCALED(facet_bti_header, "MaxLOD", max_lod, 8, true),
    SCALED(facet_bti_header, "LodBias", lod_bias, 100, true),
};
TABLE(facet_j3d_superbmd_texture, texture_fields);

/* The older one holds the numbers of the file. */
static const j3d_json_field texture_of_sage_fields[] = {
    TEXTURE_HEAD,
    {.key = "EmbeddedPaletteOffset", .kind = J3D_JSON_IGNORED, .quiet = true},
    SIGNED(facet_bti_header, "MinLOD", min_lod),
    SIGNED(facet_bti_header, "MagLOD", max_lod),
    SIGNED(facet_bti_header, "LodBias", lod_bias),
};
TABLE(facet_j3d_superbmd_texture_of_sage, texture_of_sage_fields);
/* clang-format on */
