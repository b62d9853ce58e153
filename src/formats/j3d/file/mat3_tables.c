/* formats/j3d/file/mat3_tables.c - the value arrays and entry fields of MAT3 and MAT2. */
#include "formats/j3d/file/mat3_tables.h"

#include "base/record.h"

#include <stddef.h>

/* -- Records ------------------------------------------------------------ */

#define INDIRECT_LAYOUT "b2h1b16w6b4w6b4w6b4b16b192"

_Static_assert(sizeof(facet_gx_rgba8) == 4 && sizeof(facet_gx_channel) == 8 &&
                   sizeof(facet_gx_light) == 0x34 && sizeof(facet_gx_texgen) == 4 &&
                   sizeof(facet_gx_texture_matrix) == 0x64 && sizeof(facet_gx_tev_order) == 4 &&
                   sizeof(facet_gx_rgba16) == 8 && sizeof(facet_gx_tev_stage) == 20 &&
                   sizeof(facet_gx_swap_mode) == 4 && sizeof(facet_gx_swap_table) == 4 &&
                   sizeof(facet_gx_fog) == 0x2C && sizeof(facet_gx_alpha_compare) == 8 &&
                   sizeof(facet_gx_blend) == 4 && sizeof(facet_gx_depth) == 4 &&
                   sizeof(facet_gx_nbt_scale) == 0x10 &&
                   sizeof(facet_gx_indirect) == FACET_J3D_INDIRECT_SIZE,
               "the file's records are the structs, but for the order of bytes");

void facet_j3d_load_indirect(const uint8_t *bytes, facet_gx_indirect *indirect)
{
    facet_record_move(INDIRECT_LAYOUT, bytes, indirect);
}

void facet_j3d_store_indirect(const facet_gx_indirect *indirect, uint8_t *bytes)
{
    facet_record_move(INDIRECT_LAYOUT, indirect, bytes);
}

/* -- Tables ------------------------------------------------------------- */

#define VALUE(name, at3, at2, layout, items, counts, member)                                     \
    {                                                                                            \
        name, at3, at2, sizeof(*((facet_j3d_materials *)0)->items), layout,                      \
            offsetof(facet_j3d_materials, items), offsetof(facet_j3d_materials, counts),         \
            offsetof(facet_j3d_material, gx.member), offsetof(facet_j3d_material, given.member), \
            sizeof(((facet_j3d_material *)0)->given.member)                                      \
    }

const facet_j3d_value_kind facet_j3d_value_kinds[FACET_J3D_VALUE_COUNT] = {
    VALUE("cull modes", 0x1C, 0x18, "w1", cull_modes, cull_mode_count, cull_mode),
    VALUE("material colors", 0x20, 0x1C, "b4", material_colors, material_color_count,
          material_colors),
    VALUE("channel counts", 0x24, 0x20, "b1", channel_counts, channel_count_count, channel_count),
    VALUE("channels", 0x28, 0x24, "b8", channels, channel_count, channels),
    VALUE("ambient colors", 0x2C, 0, "b4", ambient_colors, ambient_color_count, ambient_colors),
    VALUE("lights", 0x30, 0, "w6b4w6", lights, light_count, lights),
    VALUE("texgen counts", 0x34, 0x28, "b1", texgen_counts, texgen_count_count, texgen_count),
    VALUE("texgens", 0x38, 0x2C, "b4", texgens, texgen_count, texgens),
    VALUE("post texgens", 0x3C, 0x30, "b4", post_texgens, post_texgen_count, post_texgens),
    VALUE("texture matrices", 0x40, 0x34, "b2h1w5h2w18", texture_matrices, texture_matrix_count,
          texture_matrices),
    VALUE("post texture matrices", 0x44, 0x38, "b2h1w5h2w18", post_matrices, post_matrix_count,
          post_matrices),
    VALUE("texture numbers", 0x48, 0x3C, "h1", texture_numbers, texture_number_count, textures),
    VALUE("TEV orders", 0x4C, 0x40, "b4", tev_orders, tev_order_count, tev_orders),
    VALUE("TEV registers", 0x50, 0x44, "h4", tev_registers, tev_register_count, tev_registers),
    VALUE("konst colors", 0x54, 0x48, "b4", konst_colors, konst_color_count, konst_colors),
    VALUE("TEV stage counts", 0x58, 0x4C, "b1", stage_counts, stage_count_count, stage_count),
    VALUE("TEV stages", 0x5C, 0x50, "b20", tev_stages, tev_stage_count, tev_stages),
    VALUE("TEV swap modes", 0x60, 0x54, "b4", swap_modes, swap_mode_count, swap_modes),
    VALUE("TEV swap tables", 0x64, 0x58, "b4", swap_tables, swap_table_count, swap_tables),
    VALUE("fogs", 0x68, 0x5C, "b2h1w4b4h10", fogs, fog_count, fog),
    VALUE("alpha compares", 0x6C, 0x60, "b8", alpha_compares, alpha_compare_count, alpha_compare),
    VALUE("blend modes", 0x70, 0x64, "b4", blends, blend_count, blend),
    VALUE("depth modes", 0x74, 0x68, "b4", depths, depth_count, depth),
    VALUE("early depth flags", 0x78, 0x6C, "b1", early_depths, early_depth_count, early_depth),
    VALUE("dither flags", 0x7C, 0x70, "b1", dithers, dither_count, dither),
    VALUE("NBT scales", 0x80, 0x74, "b4w3", nbt_scales, nbt_scale_count, nbt_scale),
};

uint32_t facet_j3d_value_count(const facet_j3d_materials *materials, facet_j3d_value value)
{
    return *(const uint32_t *)((const char *)materials + facet_j3d_value_kinds[value].count);
}

void *facet_j3d_value_items(const facet_j3d_materials *materials, facet_j3d_value value)
{
    return *(void *const *)((const char *)materials + facet_j3d_value_kinds[value].items);
}

#define FIELD(name, at3, at2, count, width, value, member)                              \
    {                                                                                   \
        name, at3, at2, count, width, value, offsetof(facet_j3d_material_entry, member) \
    }

const facet_j3d_entry_field facet_j3d_entry_fields[FACET_J3D_ENTRY_FIELDS] = {
    FIELD("mode", 0x00, 0x00, 1, 1, FACET_J3D_NO_VALUE, mode),
    FIELD("cull mode", 0x01, 0x01, 1, 1, FACET_J3D_CULL_MODES, cull_mode),
    FIELD("channel count", 0x02, 0x02, 1, 1, FACET_J3D_CHANNEL_COUNTS, channel_count),
    FIELD("texgen count", 0x03, 0x03, 1, 1, FACET_J3D_TEXGEN_COUNTS, texgen_count),
    FIELD("TEV stage count", 0x04, 0x04, 1, 1, FACET_J3D_STAGE_COUNTS, stage_count),
    FIELD("early depth flag", 0x05, 0x05, 1, 1, FACET_J3D_EARLY_DEPTHS, early_depth),
    FIELD("depth mode", 0x06, 0x06, 1, 1, FACET_J3D_DEPTHS, depth),
    FIELD("dither flag", 0x07, 0x07, 1, 1, FACET_J3D_DITHERS, dither),
    FIELD("material color", 0x08, 0x08, 2, 2, FACET_J3D_MATERIAL_COLORS, material_colors),
    FIELD("channel", 0x0C, 0x0C, 4, 2, FACET_J3D_CHANNELS, channels),
    FIELD("ambient color", 0x14, FACET_J3D_NOT_IN_MAT2, 2, 2, FACET_J3D_AMBIENT_COLORS,
          ambient_colors),
    FIELD("light", 0x18, FACET_J3D_NOT_IN_MAT2, 8, 2, FACET_J3D_LIGHTS, lights),
    FIELD("texgen", 0x28, 0x14, 8, 2, FACET_J3D_TEXGENS, texgens),
    FIELD("post texgen", 0x38, 0x24, 8, 2, FACET_J3D_POST_TEXGENS, post_texgens),
    FIELD("texture matrix", 0x48, 0x34, 10, 2, FACET_J3D_TEXTURE_MATRICES, texture_matrices),
    FIELD("post texture matrix", 0x5C, 0x48, 20, 2, FACET_J3D_POST_MATRICES, post_matrices),
    FIELD("texture", 0x84, 0x70, 8, 2, FACET_J3D_TEXTURE_NUMBERS, textures),
    FIELD("konst color", 0x94, 0x80, 4, 2, FACET_J3D_KONST_COLORS, konst_colors),
    FIELD("konst color selection", 0x9C, 0x88, 16, 1, FACET_J3D_NO_VALUE, konst_color_selections),
    FIELD("konst alpha selection", 0xAC, 0x98, 16, 1, FACET_J3D_NO_VALUE, konst_alpha_selections),
    FIELD("TEV order", 0xBC, 0xA8, 16, 2, FACET_J3D_TEV_ORDERS, tev_orders),
    FIELD("TEV register", 0xDC, 0xC8, 4, 2, FACET_J3D_TEV_REGISTERS, tev_registers),
    FIELD("TEV stage", 0xE4, 0xD0, 16, 2, FACET_J3D_TEV_STAGES, tev_stages),
    FIELD("TEV swap mode", 0x104, 0xF0, 16, 2, FACET_J3D_SWAP_MODES, swap_modes),
    FIELD("TEV swap table", 0x124, 0x110, 4, 2, FACET_J3D_SWAP_TABLES, swap_tables),
    FIELD("unused", 0x12C, 0x118, 12, 2, FACET_J3D_NO_VALUE, unused),
    FIELD("fog", 0x144, 0x130, 1, 2, FACET_J3D_FOGS, fog),
    FIELD("alpha compare", 0x146, 0x132, 1, 2, FACET_J3D_ALPHA_COMPARES, alpha_compare),
    FIELD("blend mode", 0x148, 0x134, 1, 2, FACET_J3D_BLENDS, blend),
    FIELD("NBT scale", 0x14A, 0x136, 1, 2, FACET_J3D_NBT_SCALES, nbt_scale),
};

const facet_j3d_entry_field *facet_j3d_entry_field_of(facet_j3d_value value)
{
    const facet_j3d_entry_field *field = facet_j3d_entry_fields;
    while (field->value != value)
        field++;
    return field;
}

uint32_t facet_j3d_entry_index(const facet_j3d_materials *materials,
                               const facet_j3d_material_entry *entry,
                               const facet_j3d_entry_field *field, uint32_t i)
{
    const char *member = (const char *)entry + field->member;
    uint32_t index =
        field->width == 1 ? ((const uint8_t *)member)[i] : ((const uint16_t *)member)[i];
    bool absent = index == (field->width == 1 ? 0xFFu : 0xFFFFu);
    return absent || facet_j3d_value_count(materials, (facet_j3d_value)field->value) == 0
               ? FACET_J3D_NONE
               : index;
}

static uint32_t value_or(uint8_t index, const uint8_t *values, uint32_t count, uint32_t otherwise)
{
    return index < count ? values[index] : otherwise;
}

facet_j3d_entry_counts facet_j3d_count_entry(const facet_j3d_materials *materials,
                                             const facet_j3d_material_entry *entry)
{
    facet_j3d_entry_counts counts = {
        value_or(entry->texgen_count, materials->texgen_counts, materials->texgen_count_count, 0),
        value_or(entry->stage_count, materials->stage_counts, materials->stage_count_count, 1),
        value_or(entry->channel_count, materials->channel_counts, materials->channel_count_count,
                 0)};
    return counts;
}

uint32_t facet_j3d_used_indices(const facet_j3d_entry_field *field, facet_j3d_entry_counts counts)
{
    uint32_t used = field->count;
    if (field->value == FACET_J3D_TEXGENS)
        used = counts.texgens;
    else if (field->value == FACET_J3D_TEV_ORDERS || field->value == FACET_J3D_TEV_STAGES ||
             field->value == FACET_J3D_SWAP_MODES)
        used = counts.stages;
    return used < field->count ? used : field->count;
}

bool facet_j3d_find_stray_index(const facet_j3d_materials *materials,
                                const facet_j3d_material_entry *entry, facet_j3d_stray_index *stray)
{
    facet_j3d_entry_counts counts = facet_j3d_count_entry(materials, entry);
    for (uint32_t f = 0; f < FACET_J3D_ENTRY_FIELDS; f++) {
        const facet_j3d_entry_field *field = &facet_j3d_entry_fields[f];
        if (field->value == FACET_J3D_NO_VALUE)
            continue;
        stray->field = field;
        stray->count = facet_j3d_value_count(materials, (facet_j3d_value)field->value);
        for (stray->i = 0; stray->i < facet_j3d_used_indices(field, counts); stray->i++) {
            stray->index = facet_j3d_entry_index(materials, entry, field, stray->i);
            if (stray->index != FACET_J3D_NONE && stray->index >= stray->count)
                return true;
        }
    }
    return false;
}
