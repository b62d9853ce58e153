/* formats/j3d/fifo/shapes.c - vertex formats, matrices, and unchanged display lists. */
#include "formats/j3d/fifo/frame.h"
#include "formats/j3d/file/display_list.h"

#include <math.h>
#include <string.h>

bool facet_j3d_shape_is_skinned(const facet_j3d *document, const facet_j3d_shape *shape)
{
    const facet_j3d_shapes *shapes = &document->shapes;
    for (uint32_t p = 0; p < shape->packet_count; p++) {
        const facet_j3d_matrix_group *group = &shapes->groups[shape->first_group + p];
        for (uint32_t i = 0; i < group->count; i++) {
            uint16_t draw = shapes->matrix_table[group->first + i];
            if (draw < document->draw_matrices.count &&
                document->draw_matrices.items[draw].is_envelope)
                return true;
        }
    }
    return false;
}

/* -- Formats ------------------------------------------------------------ */

/* The format of an array in the chip's form; a default if the array is missing. */
typedef struct vertex_format {
    uint32_t count, component, fraction;
} vertex_format;

static vertex_format format_of(const facet_j3d *document, uint32_t array, uint32_t count,
                               uint32_t component)
{
    const facet_j3d_vertex_format *format = document->vertices.arrays[array].format;
    vertex_format missing = {count, component, 0};
    if (!format)
        return missing;
    return (vertex_format){format->count_code, format->component & 7, format->fraction_bits & 31};
}

static uint32_t array_of(uint32_t attribute)
{
    if (attribute == FACET_J3D_NBT)
        return FACET_J3D_ARRAY_NBT;
    return attribute <= FACET_J3D_NORMAL ? attribute - FACET_J3D_POSITION
                                         : attribute - FACET_J3D_COLOR0 + FACET_J3D_ARRAY_COLOR0;
}

/* The chip's number of an array: one number for normals of both kinds. */
static uint32_t chip_array(uint32_t attribute)
{
    return attribute == FACET_J3D_NBT ? 1 : attribute - FACET_J3D_POSITION;
}

/* Write the attributes of a vertex in two words, and for the transform unit the number of each
 * kind. */
static void put_descriptor(facet_j3d_stream *s, const facet_j3d_descriptor *d, bool has_nbt)
{
    uint32_t low = 0, high = 0, colors = 0, texcoords = 0, normals = 0;
    for (; d->attribute != FACET_J3D_ATTRIBUTE_END; d++) {
        if (d->input == FACET_J3D_INPUT_NONE)
            continue;
        if (d->attribute < FACET_J3D_POSITION)
            low |= 1u << d->attribute;
        else if (d->attribute == FACET_J3D_NBT)
            low |= d->input << 11;
        else if (d->attribute < FACET_J3D_TEXCOORD0)
            low |= d->input << (9 + 2 * (d->attribute - FACET_J3D_POSITION));
        else
            high |= d->input << (2 * (d->attribute - FACET_J3D_TEXCOORD0));
        colors += d->attribute == FACET_J3D_COLOR0 || d->attribute == FACET_J3D_COLOR1;
        texcoords += d->attribute >= FACET_J3D_TEXCOORD0 && d->attribute < FACET_J3D_NBT;
        if (d->attribute == FACET_J3D_NORMAL || d->attribute == FACET_J3D_NBT)
            normals = has_nbt ? 2 : 1;
    }
    facet_j3d_stream_cp(s, 0x50, low);
    facet_j3d_stream_cp(s, 0x60, high);
    facet_j3d_stream_xf_word(s, 0x1008, colors | normals << 2 | texcoords << 4);
}

/* Write three words with the formats of all attributes. */
static void put_formats(facet_j3d_stream *s, const facet_j3d *document, uint32_t normal_array,
                        bool *has_nbt)
{
    vertex_format p = format_of(document, FACET_J3D_ARRAY_POSITION, 1, FACET_J3D_F32);
    vertex_format n = format_of(document, normal_array, 0, FACET_J3D_F32);
    vertex_format c[2], t[8];
    for (uint32_t i = 0; i < 2; i++)
        c[i] = format_of(document, FACET_J3D_ARRAY_COLOR0 + i, 1, FACET_J3D_RGBA8);
    for (uint32_t i = 0; i < 8; i++)
        t[i] = format_of(document, FACET_J3D_ARRAY_TEXCOORD0 + i, 1, FACET_J3D_F32);
    *has_nbt = n.count > 0;
    facet_j3d_stream_cp(s, 0x70,
                        (p.count & 1) | p.component << 1 | p.fraction << 4 |
                            (uint32_t)(n.count > 0) << 9 | n.component << 10 |
                            (c[0].count & 1) << 13 | c[0].component << 14 | (c[1].count & 1) << 17 |
                            c[1].component << 18 | (t[0].count & 1) << 21 | t[0].component << 22 |
                            t[0].fraction << 25 | 1u << 30 | (uint32_t)(n.count == 2) << 31);
    facet_j3d_stream_cp(s, 0x80,
                        (t[1].count & 1) | t[1].component << 1 | t[1].fraction << 4 |
                            (t[2].count & 1) << 9 | t[2].component << 10 | t[2].fraction << 13 |
                            (t[3].count & 1) << 18 | t[3].component << 19 | t[3].fraction << 22 |
                            (t[4].count & 1) << 27 | t[4].component << 28 | 1u << 31);
    facet_j3d_stream_cp(s, 0x90,
                        t[4].fraction | (t[5].count & 1) << 5 | t[5].component << 6 |
                            t[5].fraction << 9 | (t[6].count & 1) << 14 | t[6].component << 15 |
                            t[6].fraction << 18 | (t[7].count & 1) << 23 | t[7].component << 24 |
                            t[7].fraction << 27);
}

static void put_arrays(facet_j3d_stream *s, const facet_j3d *document,
                       const facet_j3d_descriptor *d, const facet_j3d_addresses *addresses)
{
    for (; d->attribute != FACET_J3D_ATTRIBUTE_END; d++) {
        if (d->attribute < FACET_J3D_POSITION || d->input == FACET_J3D_INPUT_NONE)
            continue;
        uint32_t array = array_of(d->attribute), number = chip_array(d->attribute);
        facet_j3d_stream_cp(s, 0xA0 + number, addresses->arrays[array]);
        facet_j3d_stream_cp(s, 0xB0 + number, document->vertices.arrays[array].stride);
    }
}

/* -- Matrices ----------------------------------------------------------- */

static double column_length(const double m[12], int column)
{
    return sqrt(m[column] * m[column] + m[4 + column] * m[4 + column] +
                m[8 + column] * m[8 + column]);
}

/* Turn a matrix toward the camera: only the lengths of the axes remain, and for the second kind the
 * y axis. */
static void face(double m[12], uint8_t type)
{
    double lengths[3] = {column_length(m, 0), column_length(m, 1), column_length(m, 2)};
    double y[3] = {m[1], m[5], m[9]};
    double depth = sqrt(y[1] * y[1] + y[2] * y[2]);
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 3; column++)
            m[row * 4 + column] = row == column ? lengths[row] : 0;
    }
    if (type != FACET_J3D_SHAPE_Y_BILLBOARD || !(depth > 0))
        return;
    for (int row = 0; row < 3; row++)
        m[row * 4 + 1] = y[row];
    m[2] = 0;
    m[6] = -y[2] / depth * lengths[2];
    m[10] = y[1] / depth * lengths[2];
}

static void put_matrix(facet_j3d_stream *s, uint32_t place, const double m[12])
{
    double cofactors[9], determinant = facet_j3d_matrix_determinant(m);
    float rows[12], normals[9];
    facet_j3d_matrix_cofactors(m, cofactors);
    bool has_inverse = fabs(determinant) > 1e-30;
    for (int i = 0; i < 12; i++)
        rows[i] = (float)m[i];
    for (int i = 0; i < 9; i++)
        normals[i] = (float)(has_inverse ? cofactors[i] / determinant : m[i / 3 * 4 + i % 3]);
    facet_j3d_stream_xf_floats(s, 12 * place, rows, 12);
    facet_j3d_stream_xf_floats(s, 0x400 + 9 * place, normals, 9);
}

/* True for a list of zeros, which draws nothing. */
static bool is_empty(const facet_j3d_display_list *list)
{
    for (uint32_t i = 0; i < list->size; i++) {
        if (list->bytes[i] != 0)
            return false;
    }
    return true;
}

/* Write the matrices that differ from those of the packet before. */
static void put_slots(facet_j3d_stream *s, const facet_j3d *document,
                      const facet_j3d_skeleton *skeleton, const facet_j3d_shape *shape,
                      const facet_j3d_view *view, const uint16_t slots[FACET_J3D_SLOTS],
                      uint16_t loaded[FACET_J3D_SLOTS])
{
    for (uint32_t i = 0; i < FACET_J3D_SLOTS; i++) {
        double matrix[12];
        if (slots[i] == loaded[i] || slots[i] >= document->draw_matrices.count)
            continue;
        facet_j3d_matrix_multiply(
            view->matrix, facet_j3d_skeleton_draw_matrix(document, skeleton, slots[i]), matrix);
        if (shape->type == FACET_J3D_SHAPE_BILLBOARD || shape->type == FACET_J3D_SHAPE_Y_BILLBOARD)
            face(matrix, shape->type);
        put_matrix(s, i, matrix);
        loaded[i] = slots[i];
    }
}

void facet_j3d_put_shape(facet_j3d_stream *stream, const facet_j3d *document,
                         const facet_j3d_skeleton *skeleton, const facet_j3d_shape *shape,
                         const facet_j3d_addresses *addresses, const facet_j3d_view *view)
{
    const facet_j3d_shapes *shapes = &document->shapes;
    const facet_j3d_descriptor *descriptors = shapes->descriptors + shape->first_descriptor;
    uint32_t normals = FACET_J3D_ARRAY_NORMAL;
    bool has_nbt;
    for (const facet_j3d_descriptor *d = descriptors; d->attribute != FACET_J3D_ATTRIBUTE_END; d++)
        normals = d->attribute == FACET_J3D_NBT ? FACET_J3D_ARRAY_NBT : normals;
    put_formats(stream, document, normals, &has_nbt);
    put_descriptor(stream, descriptors, has_nbt);
    put_arrays(stream, document, descriptors, addresses);
    uint16_t slots[FACET_J3D_SLOTS], loaded[FACET_J3D_SLOTS];
    memset(slots, 0xFF, sizeof slots); /* FACET_J3D_NONE */
    memset(loaded, 0xFF, sizeof loaded);
    for (uint32_t p = 0; p < shape->packet_count; p++) {
        const facet_j3d_display_list *list = &shapes->display_lists[shape->first_display_list + p];
        facet_j3d_load_slots(document, shape, p, slots);
        if (is_empty(list))
            continue;
        put_slots(stream, document, skeleton, shape, view, slots, loaded);
        facet_j3d_stream_raw(stream, list->bytes, list->size);
    }
}
