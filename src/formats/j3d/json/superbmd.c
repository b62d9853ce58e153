/* formats/j3d/json/superbmd.c - keys of SuperBMD's materials.json and tex_headers.json. They are
 * those of RenolY2's version, and of Sage of Mirrors' where it differs. Names of values are in
 * gx/enumerations.c. */
#include "formats/j3d/json/tables.h"

#include "formats/j3d/json/fields.h"
#include <facet/gx_bti.h>

/* -- Parts of materials ------------------------------------------------- */

static const facet_gx_json_field depth_fields[] = {
    {"Enable", FLAG, AT(facet_gx_depth, test)},
    {"Function", NAME, AT(facet_gx_depth, comparison), .names = &facet_gx_comparisons},
    {"UpdateEnable", FLAG, AT(facet_gx_depth, write)},
};
static const facet_gx_json_field channel_fields[] = {
    {"Enable", FLAG, AT(facet_gx_channel, lighting)},
    {"MaterialSrcColor", NAME, AT(facet_gx_channel, material_source),
     .names = &facet_gx_color_sources},
    {"LitMask", NAME, AT(facet_gx_channel, light_mask), .names = &facet_gx_light_masks},
    {"DiffuseFunction", NAME, AT(facet_gx_channel, diffuse_function),
     .names = &facet_gx_diffuse_functions},
    {"AttenuationFunction", NAME, AT(facet_gx_channel, attenuation_function),
     .names = &facet_gx_attenuation_functions},
    {"AmbientSrcColor", NAME, AT(facet_gx_channel, ambient_source),
     .names = &facet_gx_color_sources},
};
static const facet_gx_json_field texgen_fields[] = {
    {"Type", NAME, AT(facet_gx_texgen, type), .names = &facet_gx_texgen_types},
    {"Source", NAME, AT(facet_gx_texgen, source), .names = &facet_gx_texgen_sources},
    {"TexMatrixSource", NAME, AT(facet_gx_texgen, matrix), .names = &facet_gx_texgen_matrices},
};
static const facet_gx_json_field matrix_fields[] = {
    {"Projection", NAME, AT(facet_gx_texture_matrix, projection), .names = &facet_gx_projections},
    {"Type", UNSIGNED, AT(facet_gx_texture_matrix, mode)},
    {"EffectTranslation", FLOAT, AT(facet_gx_texture_matrix, center), .inner = 3},
    {"Scale", FLOAT, AT(facet_gx_texture_matrix, scale), .inner = 2},
    {"Rotation", SCALED_SIGNED, AT(facet_gx_texture_matrix, rotation), .scale = 32768.0 / 180},
    {"Translation", FLOAT, AT(facet_gx_texture_matrix, translation), .inner = 2},
    {"ProjectionMatrix", FLOAT, AT(facet_gx_texture_matrix, effect), .outer = 4, .inner = 4},
};
static const facet_gx_json_field order_fields[] = {
    {"TexCoord", NAME, AT(facet_gx_tev_order, texcoord), .names = &facet_gx_texcoords},
    {"TexMap", NAME, AT(facet_gx_tev_order, texmap), .names = &facet_gx_texmaps},
    {"ChannelId", NAME, AT(facet_gx_tev_order, channel), .names = &facet_gx_tev_channels},
};
static const facet_gx_json_field stage_fields[] = {
    {"ColorInA", NAME, AT(facet_gx_tev_stage, color.inputs[0]), .names = &facet_gx_color_inputs},
    {"ColorInB", NAME, AT(facet_gx_tev_stage, color.inputs[1]), .names = &facet_gx_color_inputs},
    {"ColorInC", NAME, AT(facet_gx_tev_stage, color.inputs[2]), .names = &facet_gx_color_inputs},
    {"ColorInD", NAME, AT(facet_gx_tev_stage, color.inputs[3]), .names = &facet_gx_color_inputs},
    {"ColorOp", NAME, AT(facet_gx_tev_stage, color.operation), .names = &facet_gx_tev_operations},
    {"ColorBias", NAME, AT(facet_gx_tev_stage, color.bias), .names = &facet_gx_tev_biases},
    {"ColorScale", NAME, AT(facet_gx_tev_stage, color.scale), .names = &facet_gx_tev_scales},
    {"ColorClamp", FLAG, AT(facet_gx_tev_stage, color.clamp)},
    {"ColorRegId", NAME, AT(facet_gx_tev_stage, color.destination),
     .names = &facet_gx_tev_registers},
    {"AlphaInA", NAME, AT(facet_gx_tev_stage, alpha.inputs[0]), .names = &facet_gx_alpha_inputs},
    {"AlphaInB", NAME, AT(facet_gx_tev_stage, alpha.inputs[1]), .names = &facet_gx_alpha_inputs},
    {"AlphaInC", NAME, AT(facet_gx_tev_stage, alpha.inputs[2]), .names = &facet_gx_alpha_inputs},
    {"AlphaInD", NAME, AT(facet_gx_tev_stage, alpha.inputs[3]), .names = &facet_gx_alpha_inputs},
    {"AlphaOp", NAME, AT(facet_gx_tev_stage, alpha.operation), .names = &facet_gx_tev_operations},
    {"AlphaBias", NAME, AT(facet_gx_tev_stage, alpha.bias), .names = &facet_gx_tev_biases},
    {"AlphaScale", NAME, AT(facet_gx_tev_stage, alpha.scale), .names = &facet_gx_tev_scales},
    {"AlphaClamp", FLAG, AT(facet_gx_tev_stage, alpha.clamp)},
    {"AlphaRegId", NAME, AT(facet_gx_tev_stage, alpha.destination),
     .names = &facet_gx_tev_registers},
};
static const facet_gx_json_field swap_mode_fields[] = {
    {"RasSel", UNSIGNED, AT(facet_gx_swap_mode, raster_table)},
    {"TexSel", UNSIGNED, AT(facet_gx_swap_mode, texture_table)},
};
static const facet_gx_json_field swap_table_fields[] = {
    {"R", UNSIGNED, AT(facet_gx_swap_table, r)},
    {"G", UNSIGNED, AT(facet_gx_swap_table, g)},
    {"B", UNSIGNED, AT(facet_gx_swap_table, b)},
    {"A", UNSIGNED, AT(facet_gx_swap_table, a)},
};
static const facet_gx_json_field fog_fields[] = {
    {"Type", UNSIGNED, AT(facet_gx_fog, type)},
    {"Enable", FLAG, AT(facet_gx_fog, range_adjust)},
    {"Center", UNSIGNED, AT(facet_gx_fog, range_center)},
    {"StartZ", FLOAT, AT(facet_gx_fog, start)},
    {"EndZ", FLOAT, AT(facet_gx_fog, end)},
    {"NearZ", FLOAT, AT(facet_gx_fog, near_z)},
    {"FarZ", FLOAT, AT(facet_gx_fog, far_z)},
    {"Color", SCALED_UNSIGNED, AT(facet_gx_fog, color), .inner = 4, .letters = true, .scale = 255},
    {"RangeAdjustmentTable", SCALED_UNSIGNED, AT(facet_gx_fog, range_table), .inner = 10,
     .scale = 256},
};
static const facet_gx_json_field alpha_compare_fields[] = {
    {"Comp0", NAME, AT(facet_gx_alpha_compare, comparison0), .names = &facet_gx_comparisons},
    {"Reference0", UNSIGNED, AT(facet_gx_alpha_compare, reference0)},
    {"Operation", NAME, AT(facet_gx_alpha_compare, operation), .names = &facet_gx_alpha_operations},
    {"Comp1", NAME, AT(facet_gx_alpha_compare, comparison1), .names = &facet_gx_comparisons},
    {"Reference1", UNSIGNED, AT(facet_gx_alpha_compare, reference1)},
};
static const facet_gx_json_field blend_fields[] = {
    {"Type", NAME, AT(facet_gx_blend, type), .names = &facet_gx_blend_types},
    {"SourceFact", NAME, AT(facet_gx_blend, source), .names = &facet_gx_source_factors},
    {"DestinationFact", NAME, AT(facet_gx_blend, destination),
     .names = &facet_gx_destination_factors},
    {"Operation", NAME, AT(facet_gx_blend, logic), .names = &facet_gx_logic_operations},
};
static const facet_gx_json_field nbt_scale_fields[] = {
    {"Unknown1", UNSIGNED, AT(facet_gx_nbt_scale, enabled)},
    {"Scale", FLOAT, AT(facet_gx_nbt_scale, scale), .inner = 3},
};
static const facet_gx_json_record depth = FACET_GX_JSON_TABLE(depth_fields);
static const facet_gx_json_record channel = FACET_GX_JSON_TABLE(channel_fields);
static const facet_gx_json_record texgen = FACET_GX_JSON_TABLE(texgen_fields);
static const facet_gx_json_record texture_matrix = FACET_GX_JSON_TABLE(matrix_fields);
static const facet_gx_json_record tev_order = FACET_GX_JSON_TABLE(order_fields);
static const facet_gx_json_record tev_stage = FACET_GX_JSON_TABLE(stage_fields);
static const facet_gx_json_record swap_mode = FACET_GX_JSON_TABLE(swap_mode_fields);
static const facet_gx_json_record swap_table = FACET_GX_JSON_TABLE(swap_table_fields);
static const facet_gx_json_record fog = FACET_GX_JSON_TABLE(fog_fields);
static const facet_gx_json_record alpha_compare = FACET_GX_JSON_TABLE(alpha_compare_fields);
static const facet_gx_json_record blend = FACET_GX_JSON_TABLE(blend_fields);
static const facet_gx_json_record nbt_scale = FACET_GX_JSON_TABLE(nbt_scale_fields);

/* -- Indirect textures -------------------------------------------------- */

static const facet_gx_json_field indirect_order_fields[] = {
    {"TexCoord", NAME, AT(facet_gx_indirect_order, texcoord), .names = &facet_gx_texcoords},
    {"TexMap", NAME, AT(facet_gx_indirect_order, texmap), .names = &facet_gx_texmaps},
};
/* SuperBMD stores the exponent as an unsigned byte. */
static const facet_gx_json_field indirect_matrix_fields[] = {
    {"Matrix", FLOAT, AT(facet_gx_indirect_matrix, rows), .outer = 2, .inner = 3},
    {"Exponent", UNSIGNED, AT(facet_gx_indirect_matrix, exponent)},
};
static const facet_gx_json_field indirect_scale_fields[] = {
    {"ScaleS", NAME, AT(facet_gx_indirect_scale, s), .names = &facet_gx_indirect_scales},
    {"ScaleT", NAME, AT(facet_gx_indirect_scale, t), .names = &facet_gx_indirect_scales},
};
static const facet_gx_json_field indirect_stage_fields[] = {
    {"TevStage", NAME, AT(facet_gx_indirect_stage, stage), .names = &facet_gx_tev_stages},
    {"IndTexFormat", NAME, AT(facet_gx_indirect_stage, format),
     .names = &facet_gx_indirect_formats},
    {"IndTexBiasSel", NAME, AT(facet_gx_indirect_stage, bias), .names = &facet_gx_indirect_biases},
    {"IndTexMtxId", NAME, AT(facet_gx_indirect_stage, matrix),
     .names = &facet_gx_indirect_matrices},
    {"IndTexWrapS", NAME, AT(facet_gx_indirect_stage, wrap_s), .names = &facet_gx_indirect_wraps},
    {"IndTexWrapT", NAME, AT(facet_gx_indirect_stage, wrap_t), .names = &facet_gx_indirect_wraps},
    {"AddPrev", FLAG, AT(facet_gx_indirect_stage, add_previous)},
    {"UtcLod", FLAG, AT(facet_gx_indirect_stage, unmodified_lod)},
    {"AlphaSel", NAME, AT(facet_gx_indirect_stage, bump_alpha), .names = &facet_gx_indirect_alphas},
};
static const facet_gx_json_record indirect_order = FACET_GX_JSON_TABLE(indirect_order_fields);
static const facet_gx_json_record indirect_matrix = FACET_GX_JSON_TABLE(indirect_matrix_fields);
static const facet_gx_json_record indirect_scale = FACET_GX_JSON_TABLE(indirect_scale_fields);
static const facet_gx_json_record indirect_stage = FACET_GX_JSON_TABLE(indirect_stage_fields);
static const facet_gx_json_field indirect_fields[] = {
    {"HasLookup", FLAG, AT(facet_gx_indirect, enabled)},
    {"IndTexStageNum", UNSIGNED, AT(facet_gx_indirect, stage_count)},
    {"TevOrders", RECORD, AT(facet_gx_indirect, orders), .outer = 4, .record = &indirect_order},
    {"Matrices", RECORD, AT(facet_gx_indirect, matrices), .outer = 3, .record = &indirect_matrix},
    {"Scales", RECORD, AT(facet_gx_indirect, scales), .outer = 4, .record = &indirect_scale},
    {"TevStages", RECORD, AT(facet_gx_indirect, stages), .outer = 16, .record = &indirect_stage},
};
static const facet_gx_json_record indirect = FACET_GX_JSON_TABLE(indirect_fields);

/* -- Materials ---------------------------------------------------------- */

/* Counts are not stored: the reader counts. SuperBMD's light colors are really records of 52 bytes,
 * and cannot be used. */
static const facet_gx_json_field material_fields[] = {
    {"Flag", UNSIGNED, AT(facet_j3d_material, mode)},
    {"CullMode", NAME, MAYBE(cull_mode), .names = &facet_gx_cull_modes},
    {"ZCompLoc", FLAG, MAYBE(early_depth)},
    {"Dither", FLAG, MAYBE(dither)},
    {"TextureNames", TEXTURE, MAYBE(textures), .outer = 8},
    {"IndTexEntry", RECORD, MAYBE(indirect), .record = &indirect},
    {"MaterialColors", SCALED_UNSIGNED, MAYBE(material_colors), .outer = 2, .inner = 4,
     .letters = true, .scale = 255},
    {"ChannelControls", RECORD, MAYBE(channels), .outer = 4, .record = &channel},
    {"AmbientColors", SCALED_UNSIGNED, MAYBE(ambient_colors), .outer = 2, .inner = 4,
     .letters = true, .scale = 255},
    {.key = "LightingColors", .kind = FACET_GX_JSON_IGNORED},
    {"TexCoord1Gens", RECORD, MAYBE(texgens), .outer = 8, .record = &texgen},
    {"PostTexCoordGens", RECORD, MAYBE(post_texgens), .outer = 8, .record = &texgen},
    {"TexMatrix1", RECORD, MAYBE(texture_matrices), .outer = 10, .record = &texture_matrix},
    {"PostTexMatrix", RECORD, MAYBE(post_matrices), .outer = 20, .record = &texture_matrix},
    {"TevOrders", RECORD, MAYBE(tev_orders), .outer = 16, .record = &tev_order},
    {"ColorSels", NAME, AT(facet_j3d_material, gx.konst_color_selections), .outer = 16,
     .names = &facet_gx_konst_colors},
    {"AlphaSels", NAME, AT(facet_j3d_material, gx.konst_alpha_selections), .outer = 16,
     .names = &facet_gx_konst_alphas},
    {"TevColors", SCALED_SIGNED, MAYBE(tev_registers), .outer = 4, .inner = 4, .letters = true,
     .scale = 255},
    {"KonstColors", SCALED_UNSIGNED, MAYBE(konst_colors), .outer = 4, .inner = 4, .letters = true,
     .scale = 255},
    {"TevStages", RECORD, MAYBE(tev_stages), .outer = 16, .record = &tev_stage},
    {"SwapModes", RECORD, MAYBE(swap_modes), .outer = 16, .record = &swap_mode},
    {"SwapTables", RECORD, MAYBE(swap_tables), .outer = 4, .record = &swap_table},
    {"FogInfo", RECORD, MAYBE(fog), .record = &fog},
    {"AlphCompare", RECORD, MAYBE(alpha_compare), .record = &alpha_compare},
    {"BMode", RECORD, MAYBE(blend), .record = &blend},
    {"ZMode", RECORD, MAYBE(depth), .record = &depth},
    {"NBTScale", RECORD, MAYBE(nbt_scale), .record = &nbt_scale},
};
const facet_gx_json_record facet_j3d_superbmd_material = FACET_GX_JSON_TABLE(material_fields);

/* -- Textures ----------------------------------------------------------- */

static const facet_gx_json_field texture_fields[] = {
    {"Format", NAME, AT(facet_bti_header, format), .names = &facet_gx_texture_formats},
    {"AlphaSetting", UNSIGNED, AT(facet_bti_header, transparency)},
    {"WrapS", NAME, AT(facet_bti_header, wrap_s), .names = &facet_gx_wraps},
    {"WrapT", NAME, AT(facet_bti_header, wrap_t), .names = &facet_gx_wraps},
    {"PaletteFormat", NAME, AT(facet_bti_header, palette_format),
     .names = &facet_gx_palette_formats},
    {"MinFilter", NAME, AT(facet_bti_header, min_filter), .names = &facet_gx_filters},
    {"MagFilter", NAME, AT(facet_bti_header, mag_filter), .names = &facet_gx_filters},
    {"MipMap", FLAG, AT(facet_bti_header, has_mipmaps)},
    {"EdgeLOD", FLAG, AT(facet_bti_header, edge_lod)},
    {"BiasClamp", FLAG, AT(facet_bti_header, lod_bias_clamp)},
    {"MaxAniso", UNSIGNED, AT(facet_bti_header, max_anisotropy)},
    {"MinLOD", SCALED_SIGNED, AT(facet_bti_header, min_lod), .scale = 8},
    {"MaxLOD", SCALED_SIGNED, AT(facet_bti_header, max_lod), .scale = 8},
    {"LodBias", SCALED_SIGNED, AT(facet_bti_header, lod_bias), .scale = 100},
};
const facet_gx_json_record facet_j3d_superbmd_texture = FACET_GX_JSON_TABLE(texture_fields);

/* The older version stores the file's numbers. */
static const facet_gx_json_field texture_of_sage_fields[] = {
    {"Format", NAME, AT(facet_bti_header, format), .names = &facet_gx_texture_formats},
    {"AlphaSetting", UNSIGNED, AT(facet_bti_header, transparency)},
    {"WrapS", NAME, AT(facet_bti_header, wrap_s), .names = &facet_gx_wraps},
    {"WrapT", NAME, AT(facet_bti_header, wrap_t), .names = &facet_gx_wraps},
    {"PaletteFormat", NAME, AT(facet_bti_header, palette_format),
     .names = &facet_gx_palette_formats},
    {"MinFilter", NAME, AT(facet_bti_header, min_filter), .names = &facet_gx_filters},
    {"MagFilter", NAME, AT(facet_bti_header, mag_filter), .names = &facet_gx_filters},
    {.key = "EmbeddedPaletteOffset", .kind = FACET_GX_JSON_IGNORED, .quiet = true},
    {"MinLOD", SIGNED, AT(facet_bti_header, min_lod)},
    {"MagLOD", SIGNED, AT(facet_bti_header, max_lod)},
    {"LodBias", SIGNED, AT(facet_bti_header, lod_bias)},
};
const facet_gx_json_record facet_j3d_superbmd_texture_of_sage =
    FACET_GX_JSON_TABLE(texture_of_sage_fields);
