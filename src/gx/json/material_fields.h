/* gx/json/material_fields.h - keys of a material in JSON, for two structs: facet_j3d_material and
 * facet_gx_file_material. Both have the members gx, given, mode and unused.
 * docs/reference/formats/j3d-materials.md describes the keys. */
#ifndef FACET_GX_JSON_MATERIAL_FIELDS_H
#define FACET_GX_JSON_MATERIAL_FIELDS_H

#include "gx/enumerations.h"
#include "gx/json/fields.h"
#include "gx/json/tables.h"

/* A member of facet_gx_material that a file can omit. */
#define GIVEN(type, member)                                     \
    AT(type, gx.member), .given = offsetof(type, given.member), \
                         .given_bytes = sizeof(((type *)0)->given.member)

#define FACET_GX_FILE_MATERIAL_FIELDS(type)                                                        \
    {"mode", NAME, AT(type, mode), .names = &facet_gx_material_modes},                             \
        {"cullMode", NAME, GIVEN(type, cull_mode), .names = &facet_gx_cull_modes},                 \
        {"channelCount", UNSIGNED, GIVEN(type, channel_count)},                                    \
        {"texgenCount", UNSIGNED, GIVEN(type, texgen_count)},                                      \
        {"stageCount", UNSIGNED, GIVEN(type, stage_count)},                                        \
        {"earlyDepth", FLAG, GIVEN(type, early_depth)},                                            \
        {"depth", RECORD, GIVEN(type, depth), .record = &facet_gx_json_depth},                     \
        {"dither", FLAG, GIVEN(type, dither)},                                                     \
        {"alphaCompare", RECORD, GIVEN(type, alpha_compare),                                       \
         .record = &facet_gx_json_alpha_compare},                                                  \
        {"blend", RECORD, GIVEN(type, blend), .record = &facet_gx_json_blend},                     \
        {"materialColors", UNSIGNED, GIVEN(type, material_colors), .outer = 2, .inner = 4},        \
        {"ambientColors", UNSIGNED, GIVEN(type, ambient_colors), .outer = 2, .inner = 4},          \
        {"channels", RECORD, GIVEN(type, channels), .outer = 4, .record = &facet_gx_json_channel}, \
        {"lights", RECORD, GIVEN(type, lights), .outer = 8, .record = &facet_gx_json_light},       \
        {"textures", TEXTURE, GIVEN(type, textures), .outer = 8},                                  \
        {"texgens", RECORD, GIVEN(type, texgens), .outer = 8, .record = &facet_gx_json_texgen},    \
        {"postTexgens", RECORD, GIVEN(type, post_texgens), .outer = 8,                             \
         .record = &facet_gx_json_texgen},                                                         \
        {"textureMatrices", RECORD, GIVEN(type, texture_matrices), .outer = 10,                    \
         .record = &facet_gx_json_texture_matrix},                                                 \
        {"postMatrices", RECORD, GIVEN(type, post_matrices), .outer = 20,                          \
         .record = &facet_gx_json_texture_matrix},                                                 \
        {"konstColors", UNSIGNED, GIVEN(type, konst_colors), .outer = 4, .inner = 4},              \
        {"tevRegisters", SIGNED, GIVEN(type, tev_registers), .outer = 4, .inner = 4},              \
        {"tevOrders", RECORD, GIVEN(type, tev_orders), .outer = 16,                                \
         .record = &facet_gx_json_tev_order},                                                      \
        {"tevStages", RECORD, GIVEN(type, tev_stages), .outer = 16,                                \
         .record = &facet_gx_json_tev_stage},                                                      \
        {"konstColorSelections",                                                                   \
         NAME,                                                                                     \
         AT(type, gx.konst_color_selections),                                                      \
         .outer = 16,                                                                              \
         .trim = true,                                                                             \
         .names = &facet_gx_konst_colors},                                                         \
        {"konstAlphaSelections",                                                                   \
         NAME,                                                                                     \
         AT(type, gx.konst_alpha_selections),                                                      \
         .outer = 16,                                                                              \
         .trim = true,                                                                             \
         .names = &facet_gx_konst_alphas},                                                         \
        {"swapModes", RECORD, GIVEN(type, swap_modes), .outer = 16,                                \
         .record = &facet_gx_json_swap_mode},                                                      \
        {"swapTables", NAME,       GIVEN(type, swap_tables),                                       \
         .outer = 4,   .inner = 4, .names = &facet_gx_swap_components},                            \
        {"indirect", RECORD, GIVEN(type, indirect), .record = &facet_gx_json_indirect},            \
        {"fog", RECORD, GIVEN(type, fog), .record = &facet_gx_json_fog},                           \
        {"nbtScale", RECORD, GIVEN(type, nbt_scale), .record = &facet_gx_json_nbt_scale},          \
        {"unused", UNSIGNED, AT(type, unused), .inner = 12, .quiet = true},

#endif
