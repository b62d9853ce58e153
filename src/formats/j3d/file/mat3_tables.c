/* formats/j3d/file/mat3_tables.c - the value arrays and entry fields of MAT3 and MAT2. */
#include "formats/j3d/file/mat3_tables.h"

#include "base/bytes.h"

#include <stddef.h>

/* -- Structs of bytes alone --------------------------------------------- */

_Static_assert(sizeof(facet_gx_rgba8) == 4 && sizeof(facet_gx_channel) == 8 &&
                   sizeof(facet_gx_texgen) == 4 && sizeof(facet_gx_tev_order) == 4 &&
                   sizeof(facet_gx_tev_stage) == 20 && sizeof(facet_gx_swap_mode) == 4 &&
                   sizeof(facet_gx_swap_table) == 4 && sizeof(facet_gx_alpha_compare) == 8 &&
                   sizeof(facet_gx_blend) == 4 && sizeof(facet_gx_depth) == 4,
               "the file's bytes are the struct's");

#define BYTES(n)                                            \
    static void load_##n(const uint8_t *bytes, void *made)  \
    {                                                       \
        memcpy(made, bytes, n);                             \
    }                                                       \
    static void store_##n(const void *from, uint8_t *bytes) \
    {                                                       \
        memcpy(bytes, from, n);                             \
    }
BYTES(1)
BYTES(4)
BYTES(8)
BYTES(20)

/* -- Numbers ------------------------------------------------------------ */

static void load_u16(const uint8_t *bytes, void *made)
{
    *(uint16_t *)made = facet_load_u16be(bytes);
}
static void store_u16(const void *from, uint8_t *bytes)
{
    facet_store_u16be(bytes, *(const uint16_t *)from);
}
static void load_u32(const uint8_t *bytes, void *made)
{
    *(uint32_t *)made = facet_load_u32be(bytes);
}
static void store_u32(const void *from, uint8_t *bytes)
{
    facet_store_u32be(bytes, *(const uint32_t *)from);
}

static void load_floats(const uint8_t *bytes, float *made, size_t count)
{
    for (size_t i = 0; i < count; i++)
        made[i] = facet_load_f32be(bytes + 4 * i);
}
static void store_floats(const float *from, uint8_t *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        facet_store_f32be(bytes + 4 * i, from[i]);
}

static void load_register(const uint8_t *bytes, void *made)
{
    facet_gx_rgba16 *color = (facet_gx_rgba16 *)made;
    color->r = (int16_t)facet_load_u16be(bytes);
    color->g = (int16_t)facet_load_u16be(bytes + 2);
    color->b = (int16_t)facet_load_u16be(bytes + 4);
    color->a = (int16_t)facet_load_u16be(bytes + 6);
}
static void store_register(const void *from, uint8_t *bytes)
{
    const facet_gx_rgba16 *color = (const facet_gx_rgba16 *)from;
    facet_store_u16be(bytes, (uint16_t)color->r);
    facet_store_u16be(bytes + 2, (uint16_t)color->g);
    facet_store_u16be(bytes + 4, (uint16_t)color->b);
    facet_store_u16be(bytes + 6, (uint16_t)color->a);
}

/* -- Records ------------------------------------------------------------ */

static void load_light(const uint8_t *bytes, void *made)
{
    facet_gx_light *light = (facet_gx_light *)made;
    load_floats(bytes, light->position, 3);
    load_floats(bytes + 0x0C, light->direction, 3);
    memcpy(&light->color, bytes + 0x18, 4);
    load_floats(bytes + 0x1C, light->cosine_attenuation, 3);
    load_floats(bytes + 0x28, light->distance_attenuation, 3);
}
static void store_light(const void *from, uint8_t *bytes)
{
    const facet_gx_light *light = (const facet_gx_light *)from;
    store_floats(light->position, bytes, 3);
    store_floats(light->direction, bytes + 0x0C, 3);
    memcpy(bytes + 0x18, &light->color, 4);
    store_floats(light->cosine_attenuation, bytes + 0x1C, 3);
    store_floats(light->distance_attenuation, bytes + 0x28, 3);
}

static void load_matrix(const uint8_t *bytes, void *made)
{
    facet_gx_texture_matrix *matrix = (facet_gx_texture_matrix *)made;
    matrix->projection = bytes[0];
    matrix->mode = bytes[1];
    matrix->reserved = facet_load_u16be(bytes + 2);
    load_floats(bytes + 0x04, matrix->center, 3);
    load_floats(bytes + 0x10, matrix->scale, 2);
    matrix->rotation = (int16_t)facet_load_u16be(bytes + 0x18);
    matrix->reserved2 = facet_load_u16be(bytes + 0x1A);
    load_floats(bytes + 0x1C, matrix->translation, 2);
    load_floats(bytes + 0x24, matrix->effect, 16);
}
static void store_matrix(const void *from, uint8_t *bytes)
{
    const facet_gx_texture_matrix *matrix = (const facet_gx_texture_matrix *)from;
    bytes[0] = matrix->projection;
    bytes[1] = matrix->mode;
    facet_store_u16be(bytes + 2, matrix->reserved);
    store_floats(matrix->center, bytes + 0x04, 3);
    store_floats(matrix->scale, bytes + 0x10, 2);
    facet_store_u16be(bytes + 0x18, (uint16_t)matrix->rotation);
    facet_store_u16be(bytes + 0x1A, matrix->reserved2);
    store_floats(matrix->translation, bytes + 0x1C, 2);
    store_floats(matrix->effect, bytes + 0x24, 16);
}

static void load_fog(const uint8_t *bytes, void *made)
{
    facet_gx_fog *fog = (facet_gx_fog *)made;
    fog->type = bytes[0];
    fog->range_adjust = bytes[1];
    fog->range_center = facet_load_u16be(bytes + 2);
    fog->start = facet_load_f32be(bytes + 0x04);
    fog->end = facet_load_f32be(bytes + 0x08);
    fog->near_z = facet_load_f32be(bytes + 0x0C);
    fog->far_z = facet_load_f32be(bytes + 0x10);
    memcpy(&fog->color, bytes + 0x14, 4);
    for (size_t i = 0; i < 10; i++)
        fog->range_table[i] = facet_load_u16be(bytes + 0x18 + 2 * i);
}
static void store_fog(const void *from, uint8_t *bytes)
{
    const facet_gx_fog *fog = (const facet_gx_fog *)from;
    bytes[0] = fog->type;
    bytes[1] = fog->range_adjust;
    facet_store_u16be(bytes + 2, fog->range_center);
    facet_store_f32be(bytes + 0x04, fog->start);
    facet_store_f32be(bytes + 0x08, fog->end);
    facet_store_f32be(bytes + 0x0C, fog->near_z);
    facet_store_f32be(bytes + 0x10, fog->far_z);
    memcpy(bytes + 0x14, &fog->color, 4);
    for (size_t i = 0; i < 10; i++)
        facet_store_u16be(bytes + 0x18 + 2 * i, fog->range_table[i]);
}

static void load_nbt_scale(const uint8_t *bytes, void *made)
{
    facet_gx_nbt_scale *scale = (facet_gx_nbt_scale *)made;
    memcpy(scale, bytes, 4);
    load_floats(bytes + 4, scale->scale, 3);
}
static void store_nbt_scale(const void *from, uint8_t *bytes)
{
    const facet_gx_nbt_scale *scale = (const facet_gx_nbt_scale *)from;
    memcpy(bytes, scale, 4);
    store_floats(scale->scale, bytes + 4, 3);
}

void facet_j3d_load_indirect(const uint8_t *bytes, facet_gx_indirect *indirect)
{
    indirect->enabled = bytes[0];
    indirect->stage_count = bytes[1];
    indirect->reserved = facet_load_u16be(bytes + 2);
    memcpy(indirect->orders, bytes + 0x04, sizeof indirect->orders);
    for (size_t i = 0; i < 3; i++) {
        const uint8_t *at = bytes + 0x14 + i * 0x1C;
        load_floats(at, indirect->matrices[i].rows[0], 3);
        load_floats(at + 0x0C, indirect->matrices[i].rows[1], 3);
        indirect->matrices[i].exponent = (int8_t)at[0x18];
        memcpy(indirect->matrices[i].reserved, at + 0x19, 3);
    }
    memcpy(indirect->scales, bytes + 0x68, sizeof indirect->scales);
    memcpy(indirect->stages, bytes + 0x78, sizeof indirect->stages);
}

void facet_j3d_store_indirect(const facet_gx_indirect *indirect, uint8_t *bytes)
{
    _Static_assert(sizeof indirect->orders == 0x10 && sizeof indirect->scales == 0x10 &&
                       sizeof indirect->stages == 0xC0,
                   "the file's bytes are the struct's");
    bytes[0] = indirect->enabled;
    bytes[1] = indirect->stage_count;
    facet_store_u16be(bytes + 2, indirect->reserved);
    memcpy(bytes + 0x04, indirect->orders, sizeof indirect->orders);
    for (size_t i = 0; i < 3; i++) {
        uint8_t *at = bytes + 0x14 + i * 0x1C;
        store_floats(indirect->matrices[i].rows[0], at, 3);
        store_floats(indirect->matrices[i].rows[1], at + 0x0C, 3);
        at[0x18] = (uint8_t)indirect->matrices[i].exponent;
        memcpy(at + 0x19, indirect->matrices[i].reserved, 3);
    }
    memcpy(bytes + 0x68, indirect->scales, sizeof indirect->scales);
    memcpy(bytes + 0x78, indirect->stages, sizeof indirect->stages);
}

/* -- Tables ------------------------------------------------------------- */

#define VALUE(name, at3, at2, file_size, items, counts, how)                             \
    {                                                                                    \
        name, at3, at2, file_size, sizeof(*((facet_j3d_materials *)0)->items),           \
            offsetof(facet_j3d_materials, items), offsetof(facet_j3d_materials, counts), \
            load_##how, store_##how                                                      \
    }

const facet_j3d_value_kind facet_j3d_value_kinds[FACET_J3D_VALUE_COUNT] = {
    VALUE("cull modes", 0x1C, 0x18, 4, cull_modes, cull_mode_count, u32),
    VALUE("material colors", 0x20, 0x1C, 4, material_colors, material_color_count, 4),
    VALUE("channel counts", 0x24, 0x20, 1, channel_counts, channel_count_count, 1),
    VALUE("channels", 0x28, 0x24, 8, channels, channel_count, 8),
    VALUE("ambient colors", 0x2C, 0, 4, ambient_colors, ambient_color_count, 4),
    VALUE("lights", 0x30, 0, 0x34, lights, light_count, light),
    VALUE("texgen counts", 0x34, 0x28, 1, texgen_counts, texgen_count_count, 1),
    VALUE("texgens", 0x38, 0x2C, 4, texgens, texgen_count, 4),
    VALUE("post texgens", 0x3C, 0x30, 4, post_texgens, post_texgen_count, 4),
    VALUE("texture matrices", 0x40, 0x34, 0x64, texture_matrices, texture_matrix_count, matrix),
    VALUE("post texture matrices", 0x44, 0x38, 0x64, post_matrices, post_matrix_count, matrix),
    VALUE("texture numbers", 0x48, 0x3C, 2, texture_numbers, texture_number_count, u16),
    VALUE("TEV orders", 0x4C, 0x40, 4, tev_orders, tev_order_count, 4),
    VALUE("TEV registers", 0x50, 0x44, 8, tev_registers, tev_register_count, register),
    VALUE("konst colors", 0x54, 0x48, 4, konst_colors, konst_color_count, 4),
    VALUE("TEV stage counts", 0x58, 0x4C, 1, stage_counts, stage_count_count, 1),
    VALUE("TEV stages", 0x5C, 0x50, 20, tev_stages, tev_stage_count, 20),
    VALUE("TEV swap modes", 0x60, 0x54, 4, swap_modes, swap_mode_count, 4),
    VALUE("TEV swap tables", 0x64, 0x58, 4, swap_tables, swap_table_count, 4),
    VALUE("fogs", 0x68, 0x5C, 0x2C, fogs, fog_count, fog),
    VALUE("alpha compares", 0x6C, 0x60, 8, alpha_compares, alpha_compare_count, 8),
    VALUE("blend modes", 0x70, 0x64, 4, blends, blend_count, 4),
    VALUE("depth modes", 0x74, 0x68, 4, depths, depth_count, 4),
    VALUE("early depth flags", 0x78, 0x6C, 1, early_depths, early_depth_count, 1),
    VALUE("dither flags", 0x7C, 0x70, 1, dithers, dither_count, 1),
    VALUE("NBT scales", 0x80, 0x74, 0x10, nbt_scales, nbt_scale_count, nbt_scale),
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
