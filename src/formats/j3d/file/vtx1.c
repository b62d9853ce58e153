/* formats/j3d/file/vtx1.c - vertex arrays. */
#include "formats/j3d/file/display_list.h"
#include "formats/j3d/file/reader.h"
#include "formats/j3d/file/writer.h"

#include "base/error.h"

#include <inttypes.h>
#include <string.h>

#define HEAD 0x40
#define FORMAT 0x10
#define FIRST_OFFSET 0x0C /* offsets of the arrays, in sequence */

/* -- Strides ------------------------------------------------------------ */

/* Size in bytes of one component by its code. */
static uint32_t component_size(uint32_t component)
{
    static const uint8_t sizes[] = {1, 1, 2, 2, 4};
    return sizes[component];
}

static uint32_t color_size(uint32_t format)
{
    static const uint8_t sizes[] = {2, 3, 4, 2, 3, 4};
    return sizes[format];
}

uint32_t facet_j3d_element_size(const facet_j3d_vertex_format *format, uint32_t array)
{
    bool is_color = array == FACET_J3D_ARRAY_COLOR0 || array == FACET_J3D_ARRAY_COLOR0 + 1;
    if (is_color)
        return format->component <= FACET_J3D_RGBA8 && format->count_code <= 1
                   ? color_size(format->component)
                   : 0;
    if (format->component > FACET_J3D_F32)
        return 0;
    uint32_t size = component_size(format->component), code = format->count_code;
    if (array == FACET_J3D_ARRAY_POSITION)
        return code <= 1 ? (2 + code) * size : 0;
    if (array == FACET_J3D_ARRAY_NORMAL || array == FACET_J3D_ARRAY_NBT) {
        if (code > 2)
            return 0;
        /* Three indices refer to one vector each; a single index refers to all three. */
        bool three = code == 1 || (array == FACET_J3D_ARRAY_NBT && code == 0);
        return (three ? 9 : 3) * size;
    }
    return code <= 1 ? (1 + code) * size : 0;
}

/* -- Formats ------------------------------------------------------------ */

/* The array of a format line, or FACET_J3D_ARRAY_COUNT. */
static uint32_t array_of_attribute(uint32_t attribute)
{
    if (attribute == FACET_J3D_POSITION)
        return FACET_J3D_ARRAY_POSITION;
    if (attribute == FACET_J3D_NORMAL)
        return FACET_J3D_ARRAY_NORMAL;
    if (attribute == FACET_J3D_NBT)
        return FACET_J3D_ARRAY_NBT;
    if (attribute >= FACET_J3D_COLOR0 && attribute < FACET_J3D_TEXCOORD0 + 8)
        return attribute - FACET_J3D_COLOR0 + FACET_J3D_ARRAY_COLOR0;
    return FACET_J3D_ARRAY_COUNT;
}

static facet_status read_formats(facet_j3d_reader *reader)
{
    const facet_j3d_section *section = &reader->sections[FACET_J3D_VTX1];
    facet_j3d_vertices *vertices = &reader->document->vertices;
    uint32_t begin = facet_load_u32be(section->bytes + 0x08), count = 0;
    while (facet_range_fits(begin, count + 1u, FORMAT, section->size) &&
           facet_load_u32be(section->bytes + begin + count * FORMAT) != FACET_J3D_ATTRIBUTE_END)
        count++;
    if (!facet_range_fits(begin, count + 1u, FORMAT, section->size))
        return facet_j3d_fault(
            reader, FACET_J3D_VTX1, 0x08, "J3D-VTX1-FORMATS",
            "the list of vertex formats at 0x%" PRIX32 " has no end in the section", begin);
    TRY(facet_j3d_make(reader, count, sizeof *vertices->formats, &vertices->formats));
    vertices->format_count = count;
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t *at = section->bytes + begin + i * FORMAT;
        facet_j3d_vertex_format *format = &vertices->formats[i];
        format->attribute = facet_load_u32be(at);
        format->count_code = facet_load_u32be(at + 4);
        format->component = facet_load_u32be(at + 8);
        format->fraction_bits = at[0x0C];
        memcpy(format->reserved, at + 0x0D, sizeof format->reserved);
        uint32_t array = array_of_attribute(format->attribute);
        if (array == FACET_J3D_ARRAY_COUNT)
            facet_j3d_odd(reader, FACET_J3D_VTX1, begin + i * FORMAT, "J3D-VTX1-ATTRIBUTE",
                          "there is a format for attribute 0x%" PRIX32 ", which has no array",
                          format->attribute);
        else if (facet_j3d_element_size(format, array) == 0)
            return facet_j3d_fault(reader, FACET_J3D_VTX1, begin + i * FORMAT, "J3D-VTX1-COMPONENT",
                                   "attribute 0x%" PRIX32 " has the component count %" PRIu32
                                   " and type %" PRIu32 ", which are undefined",
                                   format->attribute, format->count_code, format->component);
        else if (!vertices->arrays[array].format)
            vertices->arrays[array].format = format;
    }
    return FACET_OK;
}

/* -- Arrays ------------------------------------------------------------- */

static uint32_t offset_of(const facet_j3d_section *section, uint32_t array)
{
    return facet_load_u32be(section->bytes + FIRST_OFFSET + 4 * array);
}

/* The end of an array: the offset of the next one, or the end of the section. */
static size_t end_of(const facet_j3d_section *section, uint32_t offset)
{
    size_t end = section->size;
    for (uint32_t i = 0; i < FACET_J3D_ARRAY_COUNT; i++) {
        uint32_t other = offset_of(section, i);
        if (other > offset && other < end)
            end = other;
    }
    return end;
}

facet_status facet_j3d_read_vtx1(facet_j3d_reader *reader)
{
    const facet_j3d_section *section = &reader->sections[FACET_J3D_VTX1];
    facet_j3d_array *arrays = reader->document->vertices.arrays;
    TRY(facet_j3d_need_head(reader, FACET_J3D_VTX1, HEAD, "J3D-VTX1-SIZE"));
    TRY(read_formats(reader));
    /* Normals and their NBT form share one format line. */
    if (!arrays[FACET_J3D_ARRAY_NBT].format)
        arrays[FACET_J3D_ARRAY_NBT].format = arrays[FACET_J3D_ARRAY_NORMAL].format;
    for (uint32_t i = 0; i < FACET_J3D_ARRAY_COUNT; i++) {
        uint32_t offset = offset_of(section, i), field = FIRST_OFFSET + 4 * i;
        if (offset == 0) {
            arrays[i].format = NULL;
            continue;
        }
        if (offset > section->size)
            return facet_j3d_fault(reader, FACET_J3D_VTX1, field, "J3D-VTX1-ARRAY",
                                   "vertex array %" PRIu32 " at 0x%" PRIX32
                                   " is outside the section of %zu bytes",
                                   i, offset, section->size);
        if (!arrays[i].format) {
            facet_j3d_odd(reader, FACET_J3D_VTX1, field, "J3D-VTX1-FORMAT-MISSING",
                          "vertex array %" PRIu32 " has no format; it is left out", i);
            continue;
        }
        arrays[i].bytes = section->bytes + offset;
        arrays[i].size = end_of(section, offset) - offset;
        arrays[i].stride = facet_j3d_element_size(arrays[i].format, i);
    }
    if (!arrays[FACET_J3D_ARRAY_POSITION].bytes)
        return facet_j3d_fault(reader, FACET_J3D_VTX1, FIRST_OFFSET, "J3D-VTX1-POSITION",
                               "the positions are missing");
    return FACET_OK;
}

void facet_j3d_size_arrays(facet_j3d_reader *reader, const uint32_t counts[FACET_J3D_ARRAY_COUNT])
{
    facet_j3d_array *arrays = reader->document->vertices.arrays;
    facet_j3d_array *positions = &arrays[FACET_J3D_ARRAY_POSITION];
    uint32_t stored = reader->document->hierarchy.vertex_count;
    for (uint32_t i = 0; i < FACET_J3D_ARRAY_COUNT; i++)
        arrays[i].count = counts[i];
    if (stored > positions->count && positions->bytes &&
        facet_range_fits(0, stored, positions->stride, positions->size))
        positions->count = stored;
}

/* -- Writing ------------------------------------------------------------ */

static void put_formats(facet_j3d_writer *writer)
{
    static const uint8_t end[] = {0, 0, 0, 0xFF, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF};
    const facet_j3d_vertices *vertices = &writer->document->vertices;
    facet_j3d_patch_to_position(writer, 0x08);
    for (uint32_t i = 0; i < vertices->format_count; i++) {
        const facet_j3d_vertex_format *format = &vertices->formats[i];
        facet_j3d_put_u32(writer, format->attribute);
        facet_j3d_put_u32(writer, format->count_code);
        facet_j3d_put_u32(writer, format->component);
        facet_j3d_put_u8(writer, format->fraction_bits);
        facet_j3d_put(writer, format->reserved, sizeof format->reserved);
    }
    facet_j3d_put(writer, end, sizeof end);
    facet_j3d_pad(writer, 32);
}

/* The format line that readers use for an array, or NULL. */
static const facet_j3d_vertex_format *format_of(const facet_j3d_vertices *vertices, uint32_t array)
{
    const facet_j3d_vertex_format *normals = NULL;
    for (uint32_t i = 0; i < vertices->format_count; i++) {
        const facet_j3d_vertex_format *format = &vertices->formats[i];
        if (array_of_attribute(format->attribute) == array)
            return format;
        if (!normals && format->attribute == FACET_J3D_NORMAL)
            normals = format;
    }
    return array == FACET_J3D_ARRAY_NBT ? normals : NULL;
}

/* Check the format of an array, because readers compute the stride from it. */
static facet_status expect_format(const facet_j3d_writer *writer, uint32_t index)
{
    const facet_j3d_array *array = &writer->document->vertices.arrays[index];
    const facet_j3d_vertex_format *format = format_of(&writer->document->vertices, index);
    if (!format)
        return facet_fail(writer->error, FACET_ERROR_ARGUMENT, "J3D-VTX1-FORMAT-MISSING",
                          FACET_NO_OFFSET, "vertex array %" PRIu32 " has no format", index);
    uint32_t stride = facet_j3d_element_size(format, index);
    if (stride > 0 && stride != array->stride)
        return facet_fail(writer->error, FACET_ERROR_ARGUMENT, "J3D-VTX1-ARRAY", FACET_NO_OFFSET,
                          "vertex array %" PRIu32 " has elements of %" PRIu32
                          " bytes; its format says %" PRIu32,
                          index, array->stride, stride);
    return FACET_OK;
}

facet_status facet_j3d_write_vtx1(facet_j3d_writer *writer)
{
    facet_j3d_put_zeros(writer, HEAD - 8);
    put_formats(writer);
    for (uint32_t i = 0; i < FACET_J3D_ARRAY_COUNT; i++) {
        const facet_j3d_array *array = &writer->document->vertices.arrays[i];
        if (!array->bytes)
            continue;
        TRY(expect_format(writer, i));
        facet_j3d_patch_to_position(writer, FIRST_OFFSET + 4 * i);
        facet_j3d_put(writer, array->bytes, array->size);
        facet_j3d_pad(writer, 32);
    }
    return FACET_OK;
}
