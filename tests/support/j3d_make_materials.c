/* tests/support/j3d_make_materials.c - the sections MAT3 and MDL3 of j3d_make.h. */
#include "support/j3d_make_sections.h"

#include <stdlib.h>
#include <string.h>

/* -- MAT3 --------------------------------------------------------------- */

/* The arrays of MAT3, by the number of their offset in the header: 0 is at 0x1C. */
enum {
    CULLS,
    MATERIAL_COLORS,
    CHANNEL_COUNTS,
    CHANNELS,
    AMBIENTS,
    LIGHTS,
    TEXGEN_COUNTS,
    TEXGENS,
    POST_TEXGENS,
    MATRICES,
    POST_MATRICES,
    NUMBERS,
    ORDERS,
    REGISTERS,
    KONSTS,
    STAGE_COUNTS,
    STAGES,
    SWAPS,
    SWAP_TABLES,
    FOGS,
    ALPHAS,
    BLENDS,
    DEPTHS,
    EARLY_DEPTHS,
    DITHERS,
    NBTS,
    MATERIAL_ARRAYS
};

typedef struct material_arrays {
    test_bytes bytes[MATERIAL_ARRAYS];
    unsigned counts[MATERIAL_ARRAYS];
} material_arrays;

/* The array for a new element. *index becomes the index of the element. */
static test_bytes *element(material_arrays *m, int array, unsigned *index)
{
    *index = m->counts[array]++;
    return &m->bytes[array];
}

static void put_material_byte(material_arrays *m, test_bytes *entry, int array, bool given,
                              uint32_t value, bool wide)
{
    unsigned index = 0xFF;
    if (given) {
        test_bytes *bytes = element(m, array, &index);
        if (wide)
            test_bytes_u32(bytes, value);
        else
            test_bytes_u8(bytes, value);
    }
    test_bytes_u8(entry, index);
}

/* `count` indices: an element of `size` bytes for each bit of the mask that is set. */
static void put_elements(material_arrays *m, test_bytes *entry, int array, uint32_t given,
                         uint32_t count, const void *values, size_t size)
{
    for (uint32_t i = 0; i < count; i++) {
        unsigned index = 0xFFFF;
        if (given >> i & 1)
            test_bytes_put(element(m, array, &index), (const char *)values + i * size, size);
        test_bytes_u16(entry, index);
    }
}

static void put_matrices(material_arrays *m, test_bytes *entry, int array, uint32_t given,
                         uint32_t count, const facet_gx_texture_matrix *values)
{
    for (uint32_t i = 0; i < count; i++) {
        unsigned index = 0xFFFF;
        const facet_gx_texture_matrix *v = &values[i];
        if (given >> i & 1) {
            test_bytes *b = element(m, array, &index);
            test_bytes_u8(b, v->projection);
            test_bytes_u8(b, v->mode);
            test_bytes_u16(b, v->reserved);
            test_bytes_floats(b, v->center, 3);
            test_bytes_floats(b, v->scale, 2);
            test_bytes_u16(b, (uint16_t)v->rotation);
            test_bytes_u16(b, v->reserved2);
            test_bytes_floats(b, v->translation, 2);
            test_bytes_floats(b, v->effect, 16);
        }
        test_bytes_u16(entry, index);
    }
}

static void put_lights(material_arrays *m, test_bytes *entry, const facet_j3d_material *material)
{
    for (uint32_t i = 0; i < 8; i++) {
        unsigned index = 0xFFFF;
        const facet_gx_light *v = &material->gx.lights[i];
        if (material->given.lights >> i & 1) {
            test_bytes *b = element(m, LIGHTS, &index);
            test_bytes_floats(b, v->position, 3);
            test_bytes_floats(b, v->direction, 3);
            test_bytes_put(b, &v->color, 4);
            test_bytes_floats(b, v->cosine_attenuation, 3);
            test_bytes_floats(b, v->distance_attenuation, 3);
        }
        test_bytes_u16(entry, index);
    }
}

static void put_registers(material_arrays *m, test_bytes *entry, const facet_j3d_material *material)
{
    for (uint32_t i = 0; i < 4; i++) {
        unsigned index = 0xFFFF;
        const facet_gx_rgba16 *v = &material->gx.tev_registers[i];
        if (material->given.tev_registers >> i & 1) {
            test_bytes *b = element(m, REGISTERS, &index);
            test_bytes_u16(b, (uint16_t)v->r);
            test_bytes_u16(b, (uint16_t)v->g);
            test_bytes_u16(b, (uint16_t)v->b);
            test_bytes_u16(b, (uint16_t)v->a);
        }
        test_bytes_u16(entry, index);
    }
}

static void put_fog(material_arrays *m, test_bytes *entry, const facet_j3d_material *material)
{
    unsigned index = 0xFFFF;
    const facet_gx_fog *v = &material->gx.fog;
    if (material->given.fog) {
        test_bytes *b = element(m, FOGS, &index);
        test_bytes_u8(b, v->type);
        test_bytes_u8(b, v->range_adjust);
        test_bytes_u16(b, v->range_center);
        test_bytes_f32(b, v->start);
        test_bytes_f32(b, v->end);
        test_bytes_f32(b, v->near_z);
        test_bytes_f32(b, v->far_z);
        test_bytes_put(b, &v->color, 4);
        for (int i = 0; i < 10; i++)
            test_bytes_u16(b, v->range_table[i]);
    }
    test_bytes_u16(entry, index);
}

static void put_entry(material_arrays *m, test_bytes *entry, const facet_j3d_material *v)
{
    const facet_gx_given *given = &v->given;
    unsigned index = 0xFFFF;
    test_bytes_u8(entry, v->mode);
    put_material_byte(m, entry, CULLS, given->cull_mode, v->gx.cull_mode, true);
    put_material_byte(m, entry, CHANNEL_COUNTS, given->channel_count, v->gx.channel_count, false);
    put_material_byte(m, entry, TEXGEN_COUNTS, given->texgen_count, v->gx.texgen_count, false);
    put_material_byte(m, entry, STAGE_COUNTS, given->stage_count, v->gx.stage_count, false);
    put_material_byte(m, entry, EARLY_DEPTHS, given->early_depth, v->gx.early_depth, false);
    unsigned depth = 0xFF;
    if (given->depth)
        test_bytes_put(element(m, DEPTHS, &depth), &v->gx.depth, 4);
    test_bytes_u8(entry, depth);
    put_material_byte(m, entry, DITHERS, given->dither, v->gx.dither, false);
    put_elements(m, entry, MATERIAL_COLORS, given->material_colors, 2, v->gx.material_colors, 4);
    put_elements(m, entry, CHANNELS, given->channels, 4, v->gx.channels, 8);
    put_elements(m, entry, AMBIENTS, given->ambient_colors, 2, v->gx.ambient_colors, 4);
    put_lights(m, entry, v);
    put_elements(m, entry, TEXGENS, given->texgens, 8, v->gx.texgens, 4);
    put_elements(m, entry, POST_TEXGENS, given->post_texgens, 8, v->gx.post_texgens, 4);
    put_matrices(m, entry, MATRICES, given->texture_matrices, 10, v->gx.texture_matrices);
    put_matrices(m, entry, POST_MATRICES, given->post_matrices, 20, v->gx.post_matrices);
    for (uint32_t i = 0; i < 8; i++) {
        unsigned number = 0xFFFF;
        if (given->textures >> i & 1)
            test_bytes_u16(element(m, NUMBERS, &number), v->gx.textures[i]);
        test_bytes_u16(entry, number);
    }
    put_elements(m, entry, KONSTS, given->konst_colors, 4, v->gx.konst_colors, 4);
    test_bytes_put(entry, v->gx.konst_color_selections, 16);
    test_bytes_put(entry, v->gx.konst_alpha_selections, 16);
    put_elements(m, entry, ORDERS, given->tev_orders, 16, v->gx.tev_orders, 4);
    put_registers(m, entry, v);
    put_elements(m, entry, STAGES, given->tev_stages, 16, v->gx.tev_stages, 20);
    put_elements(m, entry, SWAPS, given->swap_modes, 16, v->gx.swap_modes, 4);
    put_elements(m, entry, SWAP_TABLES, given->swap_tables, 4, v->gx.swap_tables, 4);
    for (int i = 0; i < 12; i++)
        test_bytes_u16(entry, v->unused[i]);
    put_fog(m, entry, v);
    put_elements(m, entry, ALPHAS, given->alpha_compare, 1, &v->gx.alpha_compare, 8);
    put_elements(m, entry, BLENDS, given->blend, 1, &v->gx.blend, 4);
    if (given->nbt_scale) {
        test_bytes *b = element(m, NBTS, &index);
        test_bytes_put(b, &v->gx.nbt_scale, 4);
        test_bytes_floats(b, v->gx.nbt_scale.scale, 3);
    }
    test_bytes_u16(entry, index);
}

static void put_indirect(test_bytes *file, const facet_gx_indirect *v)
{
    test_bytes_u8(file, v->enabled);
    test_bytes_u8(file, v->stage_count);
    test_bytes_u16(file, v->reserved);
    test_bytes_put(file, v->orders, 16);
    for (int i = 0; i < 3; i++) {
        test_bytes_floats(file, v->matrices[i].rows[0], 6);
        test_bytes_u8(file, (uint8_t)v->matrices[i].exponent);
        test_bytes_put(file, v->matrices[i].reserved, 3);
    }
    test_bytes_put(file, v->scales, 16);
    test_bytes_put(file, v->stages, 16 * 12);
}

void test_j3d_put_mat3(const test_j3d *model, test_bytes *file)
{
    size_t at = test_j3d_begin_section(file, "MAT3");
    material_arrays arrays;
    const char **names = test_must(calloc(model->material_count + 1, sizeof *names));
    memset(&arrays, 0, sizeof arrays);
    test_bytes_u16(file, model->material_count);
    test_bytes_u16(file, 0xFFFF);
    test_bytes_words(file, 0, 30);
    test_j3d_mark(file, at, 0x0C);
    for (uint32_t i = 0; i < model->material_count; i++) {
        names[i] = model->materials[i].name.bytes;
        put_entry(&arrays, file, &model->materials[i]);
    }
    test_j3d_mark(file, at, 0x10);
    test_j3d_put_remap(file, model->material_count);
    test_bytes_pad(file, at, 4);
    test_j3d_mark(file, at, 0x14);
    test_j3d_put_names(file, names, model->material_count);
    test_bytes_pad(file, at, 4);
    test_j3d_mark(file, at, 0x18);
    for (uint32_t i = 0; i < model->material_count; i++)
        put_indirect(file, &model->materials[i].gx.indirect);
    for (int i = 0; i < MATERIAL_ARRAYS; i++) {
        test_bytes_pad(file, at, 4);
        bool kept = arrays.counts[i] > 0 || i == LIGHTS || i == TEXGEN_COUNTS;
        if (kept)
            test_j3d_mark(file, at, 0x1C + (size_t)i * 4);
        test_bytes_put(file, arrays.bytes[i].data, arrays.bytes[i].size);
        test_bytes_free(&arrays.bytes[i]);
    }
    test_j3d_end_section(file, at);
    free(names);
}

/* -- MDL3 --------------------------------------------------------------- */

void test_j3d_put_mdl3(const test_j3d *model, test_bytes *file)
{
    if (model->packets.size > 0) {
        test_bytes_put(file, model->packets.data, model->packets.size);
        return;
    }
    uint32_t count = model->material_count;
    size_t at = test_j3d_begin_section(file, "MDL3");
    const char **names = test_must(calloc(count + 1, sizeof *names));
    test_bytes_u16(file, count);
    test_bytes_u16(file, 0xFFFF);
    test_bytes_words(file, 0, 6);
    test_bytes_pad(file, at, 32);
    test_j3d_mark(file, at, 0x0C);
    size_t table = file->size;
    test_bytes_words(file, 0, count * 2);
    test_bytes_pad(file, at, 32);
    for (uint32_t i = 0; i < count; i++) {
        names[i] = model->materials[i].name.bytes;
        test_bytes_set32(file, table + i * 8, (uint32_t)(file->size - (table + i * 8)));
        test_bytes_set32(file, table + i * 8 + 4, 32);
        test_bytes_words(file, 0, 8);
    }
    test_j3d_mark(file, at, 0x10);
    for (uint32_t i = 0; i < count; i++) {
        test_bytes_words(file, 0, 3);
        test_bytes_words(file, 0xFFFFFFFF, 1);
    }
    test_j3d_mark(file, at, 0x14);
    for (uint32_t i = 0; i < count; i++) {
        test_bytes_u32(file, 0x3CF3CF00);
        test_bytes_u32(file, 0x00F3CF3C);
    }
    test_j3d_mark(file, at, 0x18);
    for (uint32_t i = 0; i < count; i++)
        test_bytes_u8(file, model->materials[i].mode);
    test_bytes_pad(file, at, 4);
    test_j3d_mark(file, at, 0x1C);
    test_j3d_put_remap(file, count);
    test_bytes_pad(file, at, 4);
    test_j3d_mark(file, at, 0x20);
    test_j3d_put_names(file, names, count);
    test_j3d_end_section(file, at);
    free(names);
}
