/* tests/support/j3d_make.c - see j3d_make.h. */
#include "support/j3d_make.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- Bytes -------------------------------------------------------------- */

static void *must(void *memory)
{
    if (!memory)
        abort();
    return memory;
}

void test_bytes_free(test_bytes *bytes)
{
    free(bytes->data);
    memset(bytes, 0, sizeof *bytes);
}

void test_bytes_put(test_bytes *bytes, const void *data, size_t size)
{
    if (size == 0)
        return;
    if (bytes->size + size > bytes->room) {
        bytes->room = (bytes->size + size) * 2;
        bytes->data = must(realloc(bytes->data, bytes->room));
    }
    memcpy(bytes->data + bytes->size, data, size);
    bytes->size += size;
}

void test_bytes_u8(test_bytes *bytes, unsigned value)
{
    uint8_t b = (uint8_t)value;
    test_bytes_put(bytes, &b, 1);
}

void test_bytes_u16(test_bytes *bytes, unsigned value)
{
    uint8_t b[2] = {(uint8_t)(value >> 8), (uint8_t)value};
    test_bytes_put(bytes, b, 2);
}

void test_bytes_u32(test_bytes *bytes, uint32_t value)
{
    test_bytes_u16(bytes, value >> 16);
    test_bytes_u16(bytes, value & 0xFFFF);
}

void test_bytes_f32(test_bytes *bytes, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, 4);
    test_bytes_u32(bytes, bits);
}

void test_bytes_pad(test_bytes *bytes, size_t from, size_t alignment)
{
    static const char text[] = "This is padding data to alignme";
    size_t over = (bytes->size - from) % alignment;
    if (over)
        test_bytes_put(bytes, text, alignment - over);
}

void test_bytes_zeros(test_bytes *bytes, size_t from, size_t alignment)
{
    while ((bytes->size - from) % alignment)
        test_bytes_u8(bytes, 0);
}

void test_bytes_set16(test_bytes *bytes, size_t at, unsigned value)
{
    bytes->data[at] = (uint8_t)(value >> 8);
    bytes->data[at + 1] = (uint8_t)value;
}

void test_bytes_set32(test_bytes *bytes, size_t at, uint32_t value)
{
    test_bytes_set16(bytes, at, value >> 16);
    test_bytes_set16(bytes, at + 2, value & 0xFFFF);
}

size_t test_j3d_section(const test_bytes *file, const char *magic)
{
    for (size_t at = 32; at + 8 <= file->size;) {
        const uint8_t *b = file->data + at;
        size_t size = (size_t)b[4] << 24 | (size_t)b[5] << 16 | (size_t)b[6] << 8 | b[7];
        if (memcmp(b, magic, 4) == 0)
            return at;
        if (size < 8)
            break;
        at += size;
    }
    return SIZE_MAX;
}

static void put_words(test_bytes *bytes, uint32_t value, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        test_bytes_u32(bytes, value);
}

static void put_floats(test_bytes *bytes, const float *values, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        test_bytes_f32(bytes, values[i]);
}

/* -- A model ------------------------------------------------------------ */

/* Room for one more of `count` elements; the new one is cleared. */
#define APPEND(array, count) ((array) = grow((array), (count)++, sizeof *(array)))

static void *grow(void *array, uint32_t count, size_t size)
{
    if ((count & (count - 1)) == 0)
        array = must(realloc(array, (count ? count * (size_t)2 : 1) * size));
    memset((char *)array + count * size, 0, size);
    return array;
}

test_j3d *test_j3d_new(void)
{
    return must(calloc(1, sizeof(test_j3d)));
}

void test_j3d_free(test_j3d *model)
{
    for (uint32_t i = 0; i < FACET_J3D_ARRAY_COUNT; i++)
        test_bytes_free(&model->arrays[i].bytes);
    for (uint32_t i = 0; i < model->shape_count; i++) {
        for (uint32_t k = 0; k < model->shapes[i].packet_count; k++)
            test_bytes_free(&model->shapes[i].packets[k].commands);
        free(model->shapes[i].packets);
    }
    for (uint32_t i = 0; i < model->texture_count; i++) {
        test_bytes_free(&model->textures[i].palette);
        test_bytes_free(&model->textures[i].image);
    }
    test_bytes_free(&model->nodes);
    test_bytes_free(&model->packets);
    free(model->joints);
    free(model->envelopes);
    free(model->inverse_bind);
    free(model->draws);
    free(model->shapes);
    free(model->materials);
    free(model->textures);
    free(model);
}

uint32_t test_j3d_add_joint(test_j3d *model, const char *name, uint32_t parent)
{
    static const float identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    uint32_t index = model->joint_count;
    APPEND(model->joints, model->joint_count);
    test_j3d_joint *joint = &model->joints[index];
    snprintf(joint->name, sizeof joint->name, "%s", name);
    joint->parent = parent;
    joint->scale[0] = joint->scale[1] = joint->scale[2] = 1;
    uint32_t matrices = index;
    APPEND(model->inverse_bind, matrices);
    memcpy(model->inverse_bind[index], identity, sizeof identity);
    return index;
}

static void put_number(test_bytes *bytes, unsigned component, unsigned fraction, double value)
{
    long rounded = lround(ldexp(value, (int)fraction));
    switch (component) {
    case FACET_J3D_U8:
    case FACET_J3D_S8:
        test_bytes_u8(bytes, (unsigned)rounded);
        break;
    case FACET_J3D_U16:
    case FACET_J3D_S16:
        test_bytes_u16(bytes, (unsigned)rounded);
        break;
    default:
        test_bytes_f32(bytes, (float)value);
    }
}

static test_j3d_array *array_of(test_j3d *model, uint32_t array, unsigned count_code,
                                unsigned component, unsigned fraction)
{
    test_j3d_array *a = &model->arrays[array];
    a->present = true;
    a->count_code = count_code;
    a->component = component;
    a->fraction = fraction;
    return a;
}

uint32_t test_j3d_add_values(test_j3d *model, uint32_t array, unsigned count_code,
                             unsigned component, unsigned fraction, const double *values,
                             uint32_t count)
{
    test_j3d_array *a = array_of(model, array, count_code, component, fraction);
    uint32_t width = array == FACET_J3D_ARRAY_POSITION                    ? 2 + count_code
                     : array == FACET_J3D_ARRAY_NORMAL && count_code == 0 ? 3
                     : array == FACET_J3D_ARRAY_NORMAL && count_code == 2 ? 3
                     : array <= FACET_J3D_ARRAY_NBT                       ? 9
                                                                          : 1 + count_code;
    uint32_t first = a->count;
    for (uint32_t i = 0; i < count * width; i++)
        put_number(&a->bytes, component, fraction, values[i]);
    a->count += count;
    return first;
}

static void put_color(test_bytes *bytes, unsigned type, const uint8_t *c)
{
    switch (type) {
    case FACET_J3D_RGB565:
        test_bytes_u16(bytes, (c[0] >> 3) << 11 | (c[1] >> 2) << 5 | c[2] >> 3);
        break;
    case FACET_J3D_RGB8:
        test_bytes_put(bytes, c, 3);
        break;
    case FACET_J3D_RGBA4:
        test_bytes_u16(bytes, (c[0] >> 4) << 12 | (c[1] >> 4) << 8 | (c[2] >> 4) << 4 | c[3] >> 4);
        break;
    case FACET_J3D_RGBA6: {
        uint32_t v = (uint32_t)(c[0] >> 2) << 18 | (uint32_t)(c[1] >> 2) << 12 |
                     (uint32_t)(c[2] >> 2) << 6 | (uint32_t)(c[3] >> 2);
        test_bytes_u8(bytes, v >> 16);
        test_bytes_u16(bytes, v & 0xFFFF);
        break;
    }
    default:
        test_bytes_put(bytes, c, 4);
    }
}

uint32_t test_j3d_add_colors(test_j3d *model, uint32_t array, unsigned count_code, unsigned type,
                             const uint8_t *rgba, uint32_t count)
{
    test_j3d_array *a = array_of(model, array, count_code, type, 0);
    uint32_t first = a->count;
    for (uint32_t i = 0; i < count; i++) {
        size_t begin = a->bytes.size;
        put_color(&a->bytes, type, rgba + (size_t)i * 4);
        if (model->colors_in_cells)
            test_bytes_zeros(&a->bytes, begin, 4);
    }
    a->count += count;
    return first;
}

uint32_t test_j3d_add_envelope(test_j3d *model, const uint16_t *joints, const float *weights,
                               uint32_t count)
{
    APPEND(model->envelopes, model->envelope_count);
    test_j3d_envelope *envelope = &model->envelopes[model->envelope_count - 1];
    envelope->count = count;
    memcpy(envelope->joints, joints, count * sizeof *joints);
    memcpy(envelope->weights, weights, count * sizeof *weights);
    return model->envelope_count - 1;
}

uint32_t test_j3d_add_draw(test_j3d *model, unsigned is_envelope, unsigned index)
{
    APPEND(model->draws, model->draw_count);
    model->draws[model->draw_count - 1] = (test_j3d_draw_matrix){is_envelope, index};
    return model->draw_count - 1;
}

uint32_t test_j3d_add_shape(test_j3d *model, unsigned type, unsigned material, unsigned joint)
{
    APPEND(model->shapes, model->shape_count);
    test_j3d_shape *shape = &model->shapes[model->shape_count - 1];
    shape->type = type;
    shape->material = material;
    shape->joint = joint;
    return model->shape_count - 1;
}

void test_j3d_add_part(test_j3d *model, uint32_t shape, uint32_t attribute, uint32_t input)
{
    test_j3d_shape *s = &model->shapes[shape];
    s->parts[s->part_count++] = (facet_j3d_descriptor){attribute, input};
}

void test_j3d_add_packet(test_j3d *model, uint32_t shape, const uint16_t *matrices, uint32_t count)
{
    test_j3d_shape *s = &model->shapes[shape];
    APPEND(s->packets, s->packet_count);
    test_j3d_packet *packet = &s->packets[s->packet_count - 1];
    packet->matrix_count = count;
    packet->use_matrix = matrices[0];
    memcpy(packet->matrices, matrices, count * sizeof *matrices);
}

static uint32_t values_of(const test_j3d *model, uint32_t attribute)
{
    bool nbt3 =
        attribute == FACET_J3D_NORMAL && model->arrays[FACET_J3D_ARRAY_NORMAL].count_code == 2;
    return nbt3 ? 3 : 1;
}

uint32_t test_j3d_values_per_vertex(const test_j3d *model, uint32_t shape)
{
    uint32_t values = 0;
    for (uint32_t i = 0; i < model->shapes[shape].part_count; i++)
        values += values_of(model, model->shapes[shape].parts[i].attribute);
    return values;
}

void test_j3d_draw(test_j3d *model, uint32_t shape, unsigned opcode, const uint16_t *values,
                   uint32_t count)
{
    test_j3d_shape *s = &model->shapes[shape];
    test_bytes *commands = &s->packets[s->packet_count - 1].commands;
    test_bytes_u8(commands, opcode);
    test_bytes_u16(commands, count);
    for (uint32_t v = 0; v < count; v++) {
        for (uint32_t i = 0; i < s->part_count; i++) {
            for (uint32_t k = 0; k < values_of(model, s->parts[i].attribute); k++) {
                if (s->parts[i].input == FACET_J3D_INPUT_INDEX16)
                    test_bytes_u16(commands, *values++);
                else
                    test_bytes_u8(commands, *values++);
            }
        }
    }
}

uint32_t test_j3d_add_material(test_j3d *model, const facet_j3d_material *material)
{
    APPEND(model->materials, model->material_count);
    model->materials[model->material_count - 1] = *material;
    return model->material_count - 1;
}

uint32_t test_j3d_add_texture(test_j3d *model, const char *name, unsigned format, unsigned width,
                              unsigned height, const void *image, size_t size)
{
    APPEND(model->textures, model->texture_count);
    test_j3d_texture *texture = &model->textures[model->texture_count - 1];
    snprintf(texture->name, sizeof texture->name, "%s", name);
    texture->header.format = (uint8_t)format;
    texture->header.transparency = format == 4 ? 0 : format == 14 ? 1 : 2;
    texture->header.width = (uint16_t)width;
    texture->header.height = (uint16_t)height;
    texture->header.wrap_s = texture->header.wrap_t = 1;
    texture->header.min_filter = texture->header.mag_filter = 1;
    texture->header.level_count = 1;
    test_bytes_put(&texture->image, image, size);
    return model->texture_count - 1;
}

/* -- Sections ----------------------------------------------------------- */

static size_t begin_section(test_bytes *file, const char *magic)
{
    size_t at = file->size;
    test_bytes_put(file, magic, 4);
    test_bytes_u32(file, 0);
    return at;
}

static void end_section(test_bytes *file, size_t at)
{
    test_bytes_pad(file, at, 32);
    test_bytes_set32(file, at + 4, (uint32_t)(file->size - at));
}

/* Store, at an offset of the section's head, where the file has come to. */
static void mark(test_bytes *file, size_t section, size_t field)
{
    test_bytes_set32(file, section + field, (uint32_t)(file->size - section));
}

static void put_names(test_bytes *file, const char *const *names, uint32_t count)
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

static void put_remap(test_bytes *file, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        test_bytes_u16(file, i);
}

static void put_node(test_bytes *file, unsigned type, unsigned index)
{
    test_bytes_u16(file, type);
    test_bytes_u16(file, index);
}

/* A joint, one level deeper its shapes as a chain, at the end of that its children. */
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
    size_t at = begin_section(file, "INF1");
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
    end_section(file, at);
}

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
    size_t at = begin_section(file, "VTX1");
    test_bytes_u32(file, 0x40);
    put_words(file, 0, 13);
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
        mark(file, at, 0x0C + (size_t)i * 4);
        test_bytes_put(file, model->arrays[i].bytes.data, model->arrays[i].bytes.size);
    }
    end_section(file, at);
}

static void put_evp1(const test_j3d *model, test_bytes *file)
{
    size_t at = begin_section(file, "EVP1");
    test_bytes_u16(file, model->envelope_count);
    test_bytes_u16(file, 0xFFFF);
    put_words(file, 0, 4);
    if (model->envelope_count > 0) {
        mark(file, at, 0x0C);
        for (uint32_t i = 0; i < model->envelope_count; i++)
            test_bytes_u8(file, model->envelopes[i].count);
        mark(file, at, 0x10);
        for (uint32_t i = 0; i < model->envelope_count; i++) {
            for (uint32_t k = 0; k < model->envelopes[i].count; k++)
                test_bytes_u16(file, model->envelopes[i].joints[k]);
        }
        test_bytes_pad(file, at, 4);
        mark(file, at, 0x14);
        for (uint32_t i = 0; i < model->envelope_count; i++)
            put_floats(file, model->envelopes[i].weights, model->envelopes[i].count);
        mark(file, at, 0x18);
        for (uint32_t i = 0; i < model->joint_count; i++)
            put_floats(file, model->inverse_bind[i], 12);
    }
    end_section(file, at);
}

static void put_drw1(const test_j3d *model, test_bytes *file)
{
    size_t at = begin_section(file, "DRW1");
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
    mark(file, at, 0x10);
    for (uint32_t i = 0; i < model->draw_count; i++)
        test_bytes_u16(file, model->draws[i].index);
    put_remap(file, copies);
    end_section(file, at);
}

static void put_jnt1(const test_j3d *model, test_bytes *file)
{
    size_t at = begin_section(file, "JNT1");
    const char **names = must(calloc(model->joint_count + 1, sizeof *names));
    test_bytes_u16(file, model->joint_count);
    test_bytes_u16(file, 0xFFFF);
    put_words(file, 0x18, 3);
    for (uint32_t i = 0; i < model->joint_count; i++) {
        const test_j3d_joint *joint = &model->joints[i];
        names[i] = joint->name;
        test_bytes_u16(file, joint->kind);
        test_bytes_u8(file, joint->scale_compensate);
        test_bytes_u8(file, 0xFF);
        put_floats(file, joint->scale, 3);
        for (int k = 0; k < 3; k++)
            test_bytes_u16(file, (uint16_t)joint->rotation[k]);
        test_bytes_u16(file, 0xFFFF);
        put_floats(file, joint->translation, 3);
        test_bytes_f32(file, joint->radius);
        put_floats(file, joint->minimum, 3);
        put_floats(file, joint->maximum, 3);
    }
    mark(file, at, 0x10);
    put_remap(file, model->joint_count);
    test_bytes_pad(file, at, 4);
    mark(file, at, 0x14);
    put_names(file, names, model->joint_count);
    end_section(file, at);
    free(names);
}

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
    size_t at = begin_section(file, "SHP1");
    uint32_t packets = 0, *offsets = must(calloc(model->shape_count + 1, sizeof *offsets));
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
    put_words(file, 0, 8);
    mark(file, at, 0x0C);
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
        put_floats(file, shape->minimum, 3);
        put_floats(file, shape->maximum, 3);
        packets += shape->packet_count;
    }
    mark(file, at, 0x10);
    put_remap(file, model->shape_count);
    test_bytes_pad(file, at, 4);
    test_bytes_pad(file, at, 32);
    mark(file, at, 0x18);
    test_bytes_put(file, descriptors.data, descriptors.size);
    mark(file, at, 0x1C);
    for (uint32_t i = 0; i < model->shape_count; i++) {
        for (uint32_t k = 0; k < model->shapes[i].packet_count; k++) {
            const test_j3d_packet *packet = &model->shapes[i].packets[k];
            for (uint32_t m = 0; m < packet->matrix_count; m++)
                test_bytes_u16(file, packet->matrices[m]);
        }
    }
    test_bytes_pad(file, at, 32);
    mark(file, at, 0x20);
    put_display_lists(model, file, at, &groups, &lists);
    mark(file, at, 0x24);
    test_bytes_put(file, groups.data, groups.size);
    mark(file, at, 0x28);
    test_bytes_put(file, lists.data, lists.size);
    end_section(file, at);
    test_bytes_free(&descriptors);
    test_bytes_free(&groups);
    test_bytes_free(&lists);
    free(offsets);
}

/* -- Materials ---------------------------------------------------------- */

/* The arrays of MAT3, by number of their offset in the head: 0 is at 0x1C. */
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

/* The array to put a new element into; its index becomes *index. */
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

/* `count` indices: an element of `size` bytes each where the mask says so. */
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
                         uint32_t count, const facet_j3d_texture_matrix *values)
{
    for (uint32_t i = 0; i < count; i++) {
        unsigned index = 0xFFFF;
        const facet_j3d_texture_matrix *v = &values[i];
        if (given >> i & 1) {
            test_bytes *b = element(m, array, &index);
            test_bytes_u8(b, v->projection);
            test_bytes_u8(b, v->mode);
            test_bytes_u16(b, v->reserved);
            put_floats(b, v->center, 3);
            put_floats(b, v->scale, 2);
            test_bytes_u16(b, (uint16_t)v->rotation);
            test_bytes_u16(b, v->reserved2);
            put_floats(b, v->translation, 2);
            put_floats(b, v->effect, 16);
        }
        test_bytes_u16(entry, index);
    }
}

static void put_lights(material_arrays *m, test_bytes *entry, const facet_j3d_material *material)
{
    for (uint32_t i = 0; i < 8; i++) {
        unsigned index = 0xFFFF;
        const facet_j3d_light *v = &material->lights[i];
        if (material->given.lights >> i & 1) {
            test_bytes *b = element(m, LIGHTS, &index);
            put_floats(b, v->position, 3);
            put_floats(b, v->direction, 3);
            test_bytes_put(b, &v->color, 4);
            put_floats(b, v->cosine_attenuation, 3);
            put_floats(b, v->distance_attenuation, 3);
        }
        test_bytes_u16(entry, index);
    }
}

static void put_registers(material_arrays *m, test_bytes *entry, const facet_j3d_material *material)
{
    for (uint32_t i = 0; i < 4; i++) {
        unsigned index = 0xFFFF;
        const facet_j3d_rgba16 *v = &material->tev_registers[i];
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
    const facet_j3d_fog *v = &material->fog;
    if (material->given.fog) {
        test_bytes *b = element(m, FOGS, &index);
        test_bytes_u8(b, v->type);
        test_bytes_u8(b, v->range_adjust);
        test_bytes_u16(b, v->range_center);
        test_bytes_f32(b, v->start);
        test_bytes_f32(b, v->end);
        test_bytes_f32(b, v->near);
        test_bytes_f32(b, v->far);
        test_bytes_put(b, &v->color, 4);
        for (int i = 0; i < 10; i++)
            test_bytes_u16(b, v->range_table[i]);
    }
    test_bytes_u16(entry, index);
}

static void put_entry(material_arrays *m, test_bytes *entry, const facet_j3d_material *v)
{
    const facet_j3d_material_given *given = &v->given;
    unsigned index = 0xFFFF;
    test_bytes_u8(entry, v->mode);
    put_material_byte(m, entry, CULLS, given->cull_mode, v->cull_mode, true);
    put_material_byte(m, entry, CHANNEL_COUNTS, given->channel_count, v->channel_count, false);
    put_material_byte(m, entry, TEXGEN_COUNTS, given->texgen_count, v->texgen_count, false);
    put_material_byte(m, entry, STAGE_COUNTS, given->stage_count, v->stage_count, false);
    put_material_byte(m, entry, EARLY_DEPTHS, given->early_depth, v->early_depth, false);
    unsigned depth = 0xFF;
    if (given->depth)
        test_bytes_put(element(m, DEPTHS, &depth), &v->depth, 4);
    test_bytes_u8(entry, depth);
    put_material_byte(m, entry, DITHERS, given->dither, v->dither, false);
    put_elements(m, entry, MATERIAL_COLORS, given->material_colors, 2, v->material_colors, 4);
    put_elements(m, entry, CHANNELS, given->channels, 4, v->channels, 8);
    put_elements(m, entry, AMBIENTS, given->ambient_colors, 2, v->ambient_colors, 4);
    put_lights(m, entry, v);
    put_elements(m, entry, TEXGENS, given->texgens, 8, v->texgens, 4);
    put_elements(m, entry, POST_TEXGENS, given->post_texgens, 8, v->post_texgens, 4);
    put_matrices(m, entry, MATRICES, given->texture_matrices, 10, v->texture_matrices);
    put_matrices(m, entry, POST_MATRICES, given->post_matrices, 20, v->post_matrices);
    for (uint32_t i = 0; i < 8; i++) {
        unsigned number = 0xFFFF;
        if (given->textures >> i & 1)
            test_bytes_u16(element(m, NUMBERS, &number), v->textures[i]);
        test_bytes_u16(entry, number);
    }
    put_elements(m, entry, KONSTS, given->konst_colors, 4, v->konst_colors, 4);
    test_bytes_put(entry, v->konst_color_selections, 16);
    test_bytes_put(entry, v->konst_alpha_selections, 16);
    put_elements(m, entry, ORDERS, given->tev_orders, 16, v->tev_orders, 4);
    put_registers(m, entry, v);
    put_elements(m, entry, STAGES, given->tev_stages, 16, v->tev_stages, 20);
    put_elements(m, entry, SWAPS, given->swap_modes, 16, v->swap_modes, 4);
    put_elements(m, entry, SWAP_TABLES, given->swap_tables, 4, v->swap_tables, 4);
    for (int i = 0; i < 12; i++)
        test_bytes_u16(entry, v->unused[i]);
    put_fog(m, entry, v);
    put_elements(m, entry, ALPHAS, given->alpha_compare, 1, &v->alpha_compare, 8);
    put_elements(m, entry, BLENDS, given->blend, 1, &v->blend, 4);
    if (given->nbt_scale) {
        test_bytes *b = element(m, NBTS, &index);
        test_bytes_put(b, &v->nbt_scale, 4);
        put_floats(b, v->nbt_scale.scale, 3);
    }
    test_bytes_u16(entry, index);
}

static void put_indirect(test_bytes *file, const facet_j3d_indirect *v)
{
    test_bytes_u8(file, v->enabled);
    test_bytes_u8(file, v->stage_count);
    test_bytes_u16(file, v->reserved);
    test_bytes_put(file, v->orders, 16);
    for (int i = 0; i < 3; i++) {
        put_floats(file, v->matrices[i].rows[0], 6);
        test_bytes_u8(file, (uint8_t)v->matrices[i].exponent);
        test_bytes_put(file, v->matrices[i].reserved, 3);
    }
    test_bytes_put(file, v->scales, 16);
    test_bytes_put(file, v->stages, 16 * 12);
}

static void put_mat3(const test_j3d *model, test_bytes *file)
{
    size_t at = begin_section(file, "MAT3");
    material_arrays arrays;
    const char **names = must(calloc(model->material_count + 1, sizeof *names));
    memset(&arrays, 0, sizeof arrays);
    test_bytes_u16(file, model->material_count);
    test_bytes_u16(file, 0xFFFF);
    put_words(file, 0, 30);
    mark(file, at, 0x0C);
    for (uint32_t i = 0; i < model->material_count; i++) {
        names[i] = model->materials[i].name.bytes;
        put_entry(&arrays, file, &model->materials[i]);
    }
    mark(file, at, 0x10);
    put_remap(file, model->material_count);
    test_bytes_pad(file, at, 4);
    mark(file, at, 0x14);
    put_names(file, names, model->material_count);
    test_bytes_pad(file, at, 4);
    mark(file, at, 0x18);
    for (uint32_t i = 0; i < model->material_count; i++)
        put_indirect(file, &model->materials[i].indirect);
    for (int i = 0; i < MATERIAL_ARRAYS; i++) {
        test_bytes_pad(file, at, 4);
        bool kept = arrays.counts[i] > 0 || i == LIGHTS || i == TEXGEN_COUNTS;
        if (kept)
            mark(file, at, 0x1C + (size_t)i * 4);
        test_bytes_put(file, arrays.bytes[i].data, arrays.bytes[i].size);
        test_bytes_free(&arrays.bytes[i]);
    }
    end_section(file, at);
    free(names);
}

static void put_mdl3(const test_j3d *model, test_bytes *file)
{
    if (model->packets.size > 0) {
        test_bytes_put(file, model->packets.data, model->packets.size);
        return;
    }
    uint32_t count = model->material_count;
    size_t at = begin_section(file, "MDL3");
    const char **names = must(calloc(count + 1, sizeof *names));
    test_bytes_u16(file, count);
    test_bytes_u16(file, 0xFFFF);
    put_words(file, 0, 6);
    test_bytes_pad(file, at, 32);
    mark(file, at, 0x0C);
    size_t table = file->size;
    put_words(file, 0, count * 2);
    test_bytes_pad(file, at, 32);
    for (uint32_t i = 0; i < count; i++) {
        names[i] = model->materials[i].name.bytes;
        test_bytes_set32(file, table + i * 8, (uint32_t)(file->size - (table + i * 8)));
        test_bytes_set32(file, table + i * 8 + 4, 32);
        put_words(file, 0, 8);
    }
    mark(file, at, 0x10);
    for (uint32_t i = 0; i < count; i++) {
        put_words(file, 0, 3);
        put_words(file, 0xFFFFFFFF, 1);
    }
    mark(file, at, 0x14);
    for (uint32_t i = 0; i < count; i++) {
        test_bytes_u32(file, 0x3CF3CF00);
        test_bytes_u32(file, 0x00F3CF3C);
    }
    mark(file, at, 0x18);
    for (uint32_t i = 0; i < count; i++)
        test_bytes_u8(file, model->materials[i].mode);
    test_bytes_pad(file, at, 4);
    mark(file, at, 0x1C);
    put_remap(file, count);
    test_bytes_pad(file, at, 4);
    mark(file, at, 0x20);
    put_names(file, names, count);
    end_section(file, at);
    free(names);
}

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
    size_t at = begin_section(file, "TEX1");
    uint32_t count = model->texture_count;
    const char **names = must(calloc(count + 1, sizeof *names));
    test_bytes_u16(file, count);
    test_bytes_u16(file, 0xFFFF);
    put_words(file, 0, 2);
    test_bytes_pad(file, at, 32);
    if (count > 0)
        mark(file, at, 0x0C);
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
    mark(file, at, 0x10);
    put_names(file, names, count);
    end_section(file, at);
    free(names);
}

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
        put_words(&file, 0xFFFFFFFF, 3);
    }
    if (model_file) {
        put_inf1(model, &file);
        put_vtx1(model, &file);
        put_evp1(model, &file);
        put_drw1(model, &file);
        put_jnt1(model, &file);
        put_shp1(model, &file);
    }
    put_mat3(model, &file);
    if (baked)
        put_mdl3(model, &file);
    put_tex1(model, &file);
    test_bytes_set32(&file, 8, (uint32_t)file.size);
    return file;
}
