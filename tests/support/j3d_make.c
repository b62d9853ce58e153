/* tests/support/j3d_make.c - the bytes of j3d_make.h, and the description of a model. */
#include "support/j3d_make.h"

#include "support/j3d_make_sections.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- Bytes -------------------------------------------------------------- */

void *test_must(void *memory)
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
    if (bytes->size + size > bytes->space) {
        bytes->space = (bytes->size + size) * 2;
        bytes->data = test_must(realloc(bytes->data, bytes->space));
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

void test_bytes_words(test_bytes *bytes, uint32_t value, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        test_bytes_u32(bytes, value);
}

void test_bytes_floats(test_bytes *bytes, const float *values, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        test_bytes_f32(bytes, values[i]);
}

/* -- A model ------------------------------------------------------------ */

/* Space for one more of `count` elements. The new one is zeroed. */
#define APPEND(array, count) ((array) = grow((array), (count)++, sizeof *(array)))

static void *grow(void *array, uint32_t count, size_t size)
{
    if ((count & (count - 1)) == 0)
        array = test_must(realloc(array, (count ? count * (size_t)2 : 1) * size));
    memset((char *)array + count * size, 0, size);
    return array;
}

test_j3d *test_j3d_new(void)
{
    return test_must(calloc(1, sizeof(test_j3d)));
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
