/* formats/j3d/json/tables.c - what the fields of materials, joints and shapes are called in
 * our JSON. docs/j3d-materials.md describes it. */
#include "formats/j3d/json/tables.h"

#include "formats/j3d/file/enumerations.h"
#include "formats/j3d/json/fields.h"
#include "gx/json/tables.h"

/* -- Materials ---------------------------------------------------------- */

static const facet_gx_json_field material_fields[] = {
    {"mode", NAME, AT(facet_j3d_material, mode), .names = &facet_j3d_material_modes},
    {"cullMode", NAME, MAYBE(cull_mode), .names = &facet_gx_cull_modes},
    {"channelCount", UNSIGNED, MAYBE(channel_count)},
    {"texgenCount", UNSIGNED, MAYBE(texgen_count)},
    {"stageCount", UNSIGNED, MAYBE(stage_count)},
    {"earlyDepth", FLAG, MAYBE(early_depth)},
    {"depth", RECORD, MAYBE(depth), .record = &facet_gx_json_depth},
    {"dither", FLAG, MAYBE(dither)},
    {"alphaCompare", RECORD, MAYBE(alpha_compare), .record = &facet_gx_json_alpha_compare},
    {"blend", RECORD, MAYBE(blend), .record = &facet_gx_json_blend},
    {"materialColors", UNSIGNED, MAYBE(material_colors), .outer = 2, .inner = 4},
    {"ambientColors", UNSIGNED, MAYBE(ambient_colors), .outer = 2, .inner = 4},
    {"channels", RECORD, MAYBE(channels), .outer = 4, .record = &facet_gx_json_channel},
    {"lights", RECORD, MAYBE(lights), .outer = 8, .record = &facet_gx_json_light},
    {"textures", TEXTURE, MAYBE(textures), .outer = 8},
    {"texgens", RECORD, MAYBE(texgens), .outer = 8, .record = &facet_gx_json_texgen},
    {"postTexgens", RECORD, MAYBE(post_texgens), .outer = 8, .record = &facet_gx_json_texgen},
    {"textureMatrices", RECORD, MAYBE(texture_matrices), .outer = 10,
     .record = &facet_gx_json_texture_matrix},
    {"postMatrices", RECORD, MAYBE(post_matrices), .outer = 20,
     .record = &facet_gx_json_texture_matrix},
    {"konstColors", UNSIGNED, MAYBE(konst_colors), .outer = 4, .inner = 4},
    {"tevRegisters", SIGNED, MAYBE(tev_registers), .outer = 4, .inner = 4},
    {"tevOrders", RECORD, MAYBE(tev_orders), .outer = 16, .record = &facet_gx_json_tev_order},
    {"tevStages", RECORD, MAYBE(tev_stages), .outer = 16, .record = &facet_gx_json_tev_stage},
    {"konstColorSelections", NAME, AT(facet_j3d_material, gx.konst_color_selections), .outer = 16,
     .trim = true, .names = &facet_gx_konst_colors},
    {"konstAlphaSelections", NAME, AT(facet_j3d_material, gx.konst_alpha_selections), .outer = 16,
     .trim = true, .names = &facet_gx_konst_alphas},
    {"swapModes", RECORD, MAYBE(swap_modes), .outer = 16, .record = &facet_gx_json_swap_mode},
    {"swapTables", NAME, MAYBE(swap_tables), .outer = 4, .inner = 4,
     .names = &facet_gx_swap_components},
    {"indirect", RECORD, MAYBE(indirect), .record = &facet_gx_json_indirect},
    {"fog", RECORD, MAYBE(fog), .record = &facet_gx_json_fog},
    {"nbtScale", RECORD, MAYBE(nbt_scale), .record = &facet_gx_json_nbt_scale},
    {"unused", UNSIGNED, AT(facet_j3d_material, unused), .inner = 12, .quiet = true},
};
const facet_gx_json_record facet_j3d_json_material = FACET_GX_JSON_TABLE(material_fields);

/* -- Joints and shapes -------------------------------------------------- */

static const facet_gx_json_field joint_fields[] = {
    {"kind", NAME, AT(facet_j3d_joint, kind), .names = &facet_j3d_joint_kinds},
    {"scaleCompensate", FLAG, AT(facet_j3d_joint, scale_compensate)},
    {"unknown", UNSIGNED, AT(facet_j3d_joint, unknown), .quiet = true},
    {"scale", FLOAT, AT(facet_j3d_joint, scale), .inner = 3},
    {"rotation", SIGNED, AT(facet_j3d_joint, rotation), .inner = 3},
    {"unknown2", UNSIGNED, AT(facet_j3d_joint, unknown2), .quiet = true},
    {"translation", FLOAT, AT(facet_j3d_joint, translation), .inner = 3},
    {"radius", FLOAT, AT(facet_j3d_joint, radius)},
    {"minimum", FLOAT, AT(facet_j3d_joint, minimum), .inner = 3},
    {"maximum", FLOAT, AT(facet_j3d_joint, maximum), .inner = 3},
};
const facet_gx_json_record facet_j3d_json_joint = FACET_GX_JSON_TABLE(joint_fields);

static const facet_gx_json_field shape_fields[] = {
    {"type", NAME, AT(facet_j3d_shape, type), .names = &facet_j3d_shape_types},
    {"unknown", UNSIGNED, AT(facet_j3d_shape, unknown), .quiet = true},
    {"unknown2", UNSIGNED, AT(facet_j3d_shape, unknown2), .quiet = true},
    {"radius", FLOAT, AT(facet_j3d_shape, radius)},
    {"minimum", FLOAT, AT(facet_j3d_shape, minimum), .inner = 3},
    {"maximum", FLOAT, AT(facet_j3d_shape, maximum), .inner = 3},
};
const facet_gx_json_record facet_j3d_json_shape = FACET_GX_JSON_TABLE(shape_fields);
