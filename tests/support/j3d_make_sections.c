/* tests/support/j3d_make_sections.c - the file of a model of j3d_make.h, section by
 * section. Materials are in j3d_make_materials.c. */
#include "support/j3d_make_sections.h"

#include <stdlib.h>
#include <string.h>

/* -- Helpers ------------------------------------------------------------ */

size_t test_j3d_begin_section(test_bytes *file, const char *magic)
{
    size_t at = file->size;
    test_bytes_put(file, magic, 4);
    test_bytes_u32(file, 0);
    return at;
}

void test_j3d_end_section(test_bytes *file, size_t at)
{
    test_bytes_pad(file, at, 32);
    test_bytes_set32(file, at + 4, (uint32_t)(file->size - at));
}

void test_j3d_mark(test_bytes *file, size_t section, size_t field)
{
    test_bytes_set32(file, section + field, (uint32_t)(file->size - section));
}

void test_j3d_put_names(test_bytes *file, const char *const *names, uint32_t count)
{
    size_t offset = 4 + (size_t)count * 4;
    test_bytes_u16(file, count);
    test_bytes_u16(file, 0xFFFF);
    for (uint32_t i = 0; i < count; i++) {
        unsigned hash = 0;
        for (const char *c = names[i]; *c; c++)
            hash = (hash * 3 + (unsigned)(int)(signed char)*c) & 0xFFFF;
        test_bytes_u16(file, hash);
        test_bytes_u16(file, (unsigned)offset);
        offset += strlen(names[i]) + 1;
    }
    for (uint32_t i = 0; i < count; i++)
        test_bytes_put(file, names[i], strlen(names[i]) + 1);
}

void test_j3d_put_remap(test_bytes *file, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        test_bytes_u16(file, i);
}

/* -- INF1 --------------------------------------------------------------- */

static void put_node(test_bytes *file, unsigned type, unsigned index)
{
    test_bytes_u16(file, type);
    test_bytes_u16(file, index);
}

/* A joint, then its shapes as a chain, one level deeper, and its children at the end of the
 * chain. */
static void put_joint_node(const test_j3d *model, test_bytes *file, uint32_t joint)
{
    uint32_t depth = 0;
    put_node(file, 0x10, joint);
    for (uint32_t i = 0; i < model->shape_count; i++) {
        if (model->shapes[i].joint != joint)
            continue;
        put_node(file, 1, 0);
        put_node(file, 0x11, model->shapes[i].material);
        put_node(file, 1, 0);
        put_node(file, 0x12, i);
        depth += 2;
    }
    bool opened = false;
    for (uint32_t i = 0; i < model->joint_count; i++) {
        if (model->joints[i].parent != joint)
            continue;
        if (!opened)
            put_node(file, 1, 0);
        opened = true;
        put_joint_node(model, file, i);
    }
    for (uint32_t i = 0; i < depth + opened; i++)
        put_node(file, 2, 0);
}

static void put_inf1(const test_j3d *model, test_bytes *file)
{
    size_t at = test_j3d_begin_section(file, "INF1");
    uint32_t packets = 0;
    for (uint32_t i = 0; i < model->shape_count; i++)
        packets += model->shapes[i].packet_count;
    test_bytes_u16(file, model->flags);
    test_bytes_u16(file, 0xFFFF);
    test_bytes_u32(file, packets);
    test_bytes_u32(file, model->arrays[FACET_J3D_ARRAY_POSITION].count);
    test_bytes_u32(file, 0x18);
    test_bytes_put(file, model->nodes.data, model->nodes.size);
    for (uint32_t i = 0; model->nodes.size == 0 && i < model->joint_count; i++) {
        if (model->joints[i].parent == TEST_J3D_NONE)
            put_joint_node(model, file, i);
    }
    put_node(file, 0, 0);
    test_j3d_end_section(file, at);
}

/* -- VTX1 --------------------------------------------------------------- */

static void put_format(test_bytes *file, uint32_t attribute, const test_j3d_array *array)
{
    test_bytes_u32(file, attribute);
    test_bytes_u32(file, array->count_code);
    test_bytes_u32(file, array->component);
    test_bytes_u8(file, array->fraction);
    test_bytes_put(file, "\xFF\xFF\xFF", 3);
}

static void put_vtx1(const test_j3d *model, test_bytes *file)
{
    static const test_j3d_array end = {{0}, 1, 0, 0, 0, false};
    static const uint32_t attributes[FACET_J3D_ARRAY_COUNT] = {9,  10, 25, 11, 12, 13, 14,
                                                               15, 16, 17, 18, 19, 20};
    size_t at = test_j3d_begin_section(file, "VTX1");
    test_bytes_u32(file, 0x40);
    test_bytes_words(file, 0, 13);
    for (uint32_t i = 0; i < FACET_J3D_ARRAY_COUNT; i++) {
        if (model->arrays[i].present && i != FACET_J3D_ARRAY_NBT)
            put_format(file, attributes[i], &model->arrays[i]);
    }
    if (model->arrays[FACET_J3D_ARRAY_NBT].present)
        put_format(file, 25, &model->arrays[FACET_J3D_ARRAY_NBT]);
    put_format(file, 255, &end);
    for (uint32_t i = 0; i < FACET_J3D_ARRAY_COUNT; i++) {
        if (!model->arrays[i].present)
            continue;
        test_bytes_pad(file, at, 32);
        test_j3d_mark(file, at, 0x0C + (size_t)i * 4);
        test_bytes_put(file, model->arrays[i].bytes.data, model->arrays[i].bytes.size);
    }
    test_j3d_end_section(file, at);
}

/* -- EVP1, DRW1, JNT1 --------------------------------------------------- */

static void put_evp1(const test_j3d *model, test_bytes *file)
{
    size_t at = test_j3d_begin_section(file, "EVP1");
    test_bytes_u16(file, model->envelope_count);
    test_bytes_u16(file, 0xFFFF);
    test_bytes_words(file, 0, 4);
    if (model->envelope_count > 0) {
        test_j3d_mark(file, at, 0x0C);
        for (uint32_t i = 0; i < model->envelope_count; i++)
            test_bytes_u8(file, model->envelopes[i].count);
        test_j3d_mark(file, at, 0x10);
        for (uint32_t i = 0; i < model->envelope_count; i++) {
            for (uint32_t k = 0; k < model->envelopes[i].count; k++)
                test_bytes_u16(file, model->envelopes[i].joints[k]);
        }
        test_bytes_pad(file, at, 4);
        test_j3d_mark(file, at, 0x14);
        for (uint32_t i = 0; i < model->envelope_count; i++)
            test_bytes_floats(file, model->envelopes[i].weights, model->envelopes[i].count);
        test_j3d_mark(file, at, 0x18);
        for (uint32_t i = 0; i < model->joint_count; i++)
            test_bytes_floats(file, model->inverse_bind[i], 12);
    }
    test_j3d_end_section(file, at);
}

static void put_drw1(const test_j3d *model, test_bytes *file)
{
    size_t at = test_j3d_begin_section(file, "DRW1");
    uint32_t copies = model->single_envelopes ? 0 : model->envelope_count;
    test_bytes_u16(file, model->draw_count + copies);
    test_bytes_u16(file, 0xFFFF);
    test_bytes_u32(file, 0x14);
    test_bytes_u32(file, 0);
    for (uint32_t i = 0; i < model->draw_count; i++)
        test_bytes_u8(file, model->draws[i].is_envelope);
    for (uint32_t i = 0; i < copies; i++)
        test_bytes_u8(file, 1);
    test_bytes_pad(file, at, 2);
    test_j3d_mark(file, at, 0x10);
    for (uint32_t i = 0; i < model->draw_count; i++)
        test_bytes_u16(file, model->draws[i].index);
    test_j3d_put_remap(file, copies);
    test_j3d_end_section(file, at);
}

static void put_jnt1(const test_j3d *model, test_bytes *file)
{
    size_t at = test_j3d_begin_section(file, "JNT1");
    const char **names = test_must(calloc(model->joint_count + 1, sizeof *names));
    test_bytes_u16(file, model->joint_count);
    test_bytes_u16(file, 0xFFFF);
    test_bytes_words(file, 0x18, 3);
    for (uint32_t i = 0; i < model->joint_count; i++) {
        const test_j3d_joint *joint = &model->joints[i];
        names[i] = joint->name;
        test_bytes_u16(file, joint->kind);
        test_bytes_u8(file, joint->scale_compensate);
        test_bytes_u8(file, 0xFF);
        test_bytes_floats(file, joint->scale, 3);
        for (int k = 0; k < 3; k++)
            test_bytes_u16(file, (uint16_t)joint->rotation[k]);
        test_bytes_u16(file, 0xFFFF);
        test_bytes_floats(file, joint->translation, 3);
        test_bytes_f32(file, joint->radius);
        test_bytes_floats(file, joint->minimum, 3);
        test_bytes_floats(file, joint->maximum, 3);
    }
    test_j3d_mark(file, at, 0x10);
    test_j3d_put_remap(file, model->joint_count);
    test_bytes_pad(file, at, 4);
    test_j3d_mark(file, at, 0x14);
    test_j3d_put_names(file, names, model->joint_count);
    test_j3d_end_section(file, at);
    free(names);
}

/* -- SHP1 --------------------------------------------------------------- */

static bool same_parts(const test_j3d_shape *a, const test_j3d_shape *b)
{
    return a->part_count == b->part_count &&
           memcmp(a->parts, b->parts, a->part_count * sizeof *a->parts) == 0;
}

static void put_display_lists(const test_j3d *model, test_bytes *file, size_t at,
                              test_bytes *groups, test_bytes *lists)
{
    uint32_t first_matrix = 0;
    size_t begin = file->size;
    for (uint32_t i = 0; i < model->shape_count; i++) {
        for (uint32_t k = 0; k < model->shapes[i].packet_count; k++) {
            const test_j3d_packet *packet = &model->shapes[i].packets[k];
            size_t offset = file->size;
            test_bytes_u16(groups, packet->use_matrix);
            test_bytes_u16(groups, packet->matrix_count);
            test_bytes_u32(groups, first_matrix);
            first_matrix += packet->matrix_count;
            test_bytes_put(file, packet->commands.data, packet->commands.size);
            test_bytes_zeros(file, at, 32);
            test_bytes_u32(lists, (uint32_t)(file->size - offset));
            test_bytes_u32(lists, (uint32_t)(offset - begin));
        }
    }
}

static void put_shp1(const test_j3d *model, test_bytes *file)
{
    size_t at = test_j3d_begin_section(file, "SHP1");
    uint32_t packets = 0, *offsets = test_must(calloc(model->shape_count + 1, sizeof *offsets));
    test_bytes descriptors = {0}, groups = {0}, lists = {0};
    for (uint32_t i = 0; i < model->shape_count; i++) {
        const test_j3d_shape *shape = &model->shapes[i];
        uint32_t same = 0;
        while (same < i && !same_parts(&model->shapes[same], shape))
            same++;
        offsets[i] = same < i ? offsets[same] : (uint32_t)descriptors.size;
        for (uint32_t k = 0; same == i && k <= shape->part_count; k++) {
            test_bytes_u32(&descriptors, k < shape->part_count ? shape->parts[k].attribute : 0xFF);
            test_bytes_u32(&descriptors, k < shape->part_count ? shape->parts[k].input : 0);
        }
    }
    test_bytes_u16(file, model->shape_count);
    test_bytes_u16(file, 0xFFFF);
    test_bytes_words(file, 0, 8);
    test_j3d_mark(file, at, 0x0C);
    for (uint32_t i = 0; i < model->shape_count; i++) {
        const test_j3d_shape *shape = &model->shapes[i];
        test_bytes_u8(file, shape->type);
        test_bytes_u8(file, 0xFF);
        test_bytes_u16(file, shape->packet_count);
        test_bytes_u16(file, offsets[i]);
        test_bytes_u16(file, packets);
        test_bytes_u16(file, packets);
        test_bytes_u16(file, 0xFFFF);
        test_bytes_f32(file, shape->radius);
        test_bytes_floats(file, shape->minimum, 3);
        test_bytes_floats(file, shape->maximum, 3);
        packets += shape->packet_count;
    }
    test_j3d_mark(file, at, 0x10);
    test_j3d_put_remap(file, model->shape_count);
    test_bytes_pad(file, at, 4);
    test_bytes_pad(file, at, 32);
    test_j3d_mark(file, at, 0x18);
    test_bytes_put(file, descriptors.data, descriptors.size);
    test_j3d_mark(file, at, 0x1C);
    for (uint32_t i = 0; i < model->shape_count; i++) {
        for (uint32_t k = 0; k < model->shapes[i].packet_count; k++) {
            const test_j3d_packet *packet = &model->shapes[i].packets[k];
            for (uint32_t m = 0; m < packet->matrix_count; m++)
                test_bytes_u16(file, packet->matrices[m]);
        }
    }
    test_bytes_pad(file, at, 32);
    test_j3d_mark(file, at, 0x20);
    put_display_lists(model, file, at, &groups, &lists);
    test_j3d_mark(file, at, 0x24);
    test_bytes_put(file, groups.data, groups.size);
    test_j3d_mark(file, at, 0x28);
    test_bytes_put(file, lists.data, lists.size);
    test_j3d_end_section(file, at);
    test_bytes_free(&descriptors);
    test_bytes_free(&groups);
    test_bytes_free(&lists);
    free(offsets);
}

/* -- TEX1 --------------------------------------------------------------- */

static void put_texture_header(test_bytes *file, const facet_bti_header *h, uint32_t palette,
                               uint32_t image)
{
    test_bytes_u8(file, h->format);
    test_bytes_u8(file, h->transparency);
    test_bytes_u16(file, h->width);
    test_bytes_u16(file, h->height);
    test_bytes_u8(file, h->wrap_s);
    test_bytes_u8(file, h->wrap_t);
    test_bytes_u8(file, h->has_palette);
    test_bytes_u8(file, h->palette_format);
    test_bytes_u16(file, h->palette_count);
    test_bytes_u32(file, palette);
    test_bytes_u8(file, h->has_mipmaps);
    test_bytes_u8(file, h->edge_lod);
    test_bytes_u8(file, h->lod_bias_clamp);
    test_bytes_u8(file, h->max_anisotropy);
    test_bytes_u8(file, h->min_filter);
    test_bytes_u8(file, h->mag_filter);
    test_bytes_u8(file, (uint8_t)h->min_lod);
    test_bytes_u8(file, (uint8_t)h->max_lod);
    test_bytes_u8(file, h->level_count);
    test_bytes_u8(file, h->unused);
    test_bytes_u16(file, (uint16_t)h->lod_bias);
    test_bytes_u32(file, image);
}

static void put_tex1(const test_j3d *model, test_bytes *file)
{
    size_t at = test_j3d_begin_section(file, "TEX1");
    uint32_t count = model->texture_count;
    const char **names = test_must(calloc(count + 1, sizeof *names));
    test_bytes_u16(file, count);
    test_bytes_u16(file, 0xFFFF);
    test_bytes_words(file, 0, 2);
    test_bytes_pad(file, at, 32);
    if (count > 0)
        test_j3d_mark(file, at, 0x0C);
    size_t headers = file->size, data = headers + (size_t)count * 32, image = data;
    for (uint32_t i = 0; i < count; i++)
        image += (model->textures[i].palette.size + 31) / 32 * 32;
    for (uint32_t i = 0, palette = (uint32_t)data; i < count; i++) {
        const test_j3d_texture *texture = &model->textures[i];
        bool has_palette = texture->palette.size > 0;
        size_t header = headers + (size_t)i * 32;
        names[i] = texture->name;
        put_texture_header(file, &texture->header,
                           (uint32_t)((has_palette ? palette : data) - header),
                           (uint32_t)(image - header));
        palette += (uint32_t)((texture->palette.size + 31) / 32 * 32);
        image += (texture->image.size + 31) / 32 * 32;
    }
    for (uint32_t i = 0; i < count; i++) {
        test_bytes_put(file, model->textures[i].palette.data, model->textures[i].palette.size);
        test_bytes_zeros(file, at, 32);
    }
    for (uint32_t i = 0; i < count; i++) {
        test_bytes_put(file, model->textures[i].image.data, model->textures[i].image.size);
        test_bytes_zeros(file, at, 32);
    }
    test_j3d_mark(file, at, 0x10);
    test_j3d_put_names(file, names, count);
    test_j3d_end_section(file, at);
    free(names);
}

/* -- The file ----------------------------------------------------------- */

test_bytes test_j3d_write(const test_j3d *model, facet_j3d_kind kind)
{
    test_bytes file = {0};
    bool model_file = kind != FACET_J3D_BMT3, baked = kind == FACET_J3D_BDL4;
    test_bytes_put(&file, baked ? "J3D2bdl4" : model_file ? "J3D2bmd3" : "J3D2bmt3", 8);
    test_bytes_u32(&file, 0);
    test_bytes_u32(&file, baked ? 9 : model_file ? 8 : 2);
    if (model->signature[0]) {
        test_bytes_put(&file, model->signature, 16);
    } else {
        test_bytes_put(&file, "SVR3", 4);
        test_bytes_words(&file, 0xFFFFFFFF, 3);
    }
    if (model_file) {
        put_inf1(model, &file);
        put_vtx1(model, &file);
        put_evp1(model, &file);
        put_drw1(model, &file);
        put_jnt1(model, &file);
        put_shp1(model, &file);
    }
    test_j3d_put_mat3(model, &file);
    if (baked)
        test_j3d_put_mdl3(model, &file);
    put_tex1(model, &file);
    test_bytes_set32(&file, 8, (uint32_t)file.size);
    return file;
}
