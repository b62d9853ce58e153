/* formats/j3d/check/vertices.c - VTX1: formats and offsets of vertex arrays. */
#include "formats/j3d/check/check.h"

#include "base/error.h"

#include <inttypes.h>
#include <string.h>

#define FIRST_OFFSET 0x0C

static uint32_t offset_of(const facet_j3d_checker *c, uint32_t array)
{
    return facet_load_u32be(c->sections[FACET_J3D_VTX1].bytes + FIRST_OFFSET + 4 * array);
}

/* -- Formats ------------------------------------------------------------ */

/* The array of an attribute, or FACET_J3D_ARRAY_COUNT. */
static uint32_t array_of(uint32_t attribute)
{
    if (attribute == FACET_J3D_POSITION || attribute == FACET_J3D_NORMAL)
        return attribute - FACET_J3D_POSITION;
    if (attribute == FACET_J3D_NBT)
        return FACET_J3D_ARRAY_NBT;
    if (attribute >= FACET_J3D_COLOR0 && attribute < FACET_J3D_TEXCOORD0 + 8)
        return attribute - FACET_J3D_COLOR0 + FACET_J3D_ARRAY_COLOR0;
    return FACET_J3D_ARRAY_COUNT;
}

static bool is_color(uint32_t array)
{
    return array == FACET_J3D_ARRAY_COLOR0 || array == FACET_J3D_ARRAY_COLOR0 + 1;
}

/* True for formats that games can draw, because their strides are fixed. */
static bool is_of_runtime(uint32_t array, uint32_t count_code, uint32_t component)
{
    if (is_color(array))
        return component == FACET_J3D_RGBA8 || component == FACET_J3D_RGBX8;
    bool is_wide = component >= FACET_J3D_U16 && component <= FACET_J3D_F32;
    if (array == FACET_J3D_ARRAY_NORMAL || array == FACET_J3D_ARRAY_NBT)
        return is_wide;
    return is_wide && count_code == 1;
}

static bool is_legal(uint32_t array, uint32_t count_code, uint32_t component)
{
    uint32_t codes = array == FACET_J3D_ARRAY_NORMAL || array == FACET_J3D_ARRAY_NBT ? 3 : 2;
    return count_code < codes && component <= (is_color(array) ? FACET_J3D_RGBA8 : FACET_J3D_F32);
}

static void look_at_format(facet_j3d_checker *c, const uint8_t *line)
{
    const facet_j3d_section_kind kind = FACET_J3D_VTX1;
    uint64_t at = facet_j3d_offset_of(c, kind, line);
    uint32_t attribute = facet_load_u32be(line), count_code = facet_load_u32be(line + 4);
    uint32_t component = facet_load_u32be(line + 8), array = array_of(attribute);
    if (array == FACET_J3D_ARRAY_COUNT) {
        facet_j3d_say(c, FACET_SEVERITY_WARNING, kind, at, "J3D-VTX1-ATTRIBUTE",
                      "there is a format for attribute 0x%" PRIX32 ", which has no array",
                      attribute);
        return;
    }
    bool has_array = offset_of(c, array) != 0 ||
                     (array == FACET_J3D_ARRAY_NORMAL && offset_of(c, FACET_J3D_ARRAY_NBT) != 0);
    if (!is_legal(array, count_code, component))
        facet_j3d_say(c, FACET_SEVERITY_ERROR, kind, at, "J3D-VTX1-COMPONENT",
                      "attribute 0x%" PRIX32 " has the component count %" PRIu32
                      " and type %" PRIu32 ", which are undefined",
                      attribute, count_code, component);
    else if (!is_of_runtime(array, count_code, component))
        facet_j3d_say(c, FACET_SEVERITY_WARNING, kind, at, "J3D-VTX1-RUNTIME",
                      "attribute 0x%" PRIX32 " has the component count %" PRIu32
                      " and type %" PRIu32 ", which games do not draw",
                      attribute, count_code, component);
    if (!has_array)
        facet_j3d_say(c, FACET_SEVERITY_WARNING, kind, at, "J3D-VTX1-ARRAY-MISSING",
                      "attribute 0x%" PRIX32 " has a format and no array", attribute);
}

/* The arrays that have a format, one bit each. */
static uint32_t look_at_formats(facet_j3d_checker *c)
{
    const facet_j3d_section *section = &c->sections[FACET_J3D_VTX1];
    uint32_t begin = facet_load_u32be(section->bytes + 0x08), count = 0, found = 0;
    for (;; count++) {
        if (!facet_range_fits(begin + (uint64_t)count * 16, 1, 16, section->size)) {
            facet_j3d_say(c, FACET_SEVERITY_ERROR, FACET_J3D_VTX1, 0x08, "J3D-VTX1-FORMATS",
                          "the list of vertex formats at 0x%" PRIX32 " has no end in the section",
                          begin);
            return UINT32_MAX;
        }
        const uint8_t *line = section->bytes + begin + (size_t)count * 16;
        uint32_t attribute = facet_load_u32be(line);
        if (attribute == FACET_J3D_ATTRIBUTE_END)
            break;
        look_at_format(c, line);
        if (array_of(attribute) < FACET_J3D_ARRAY_COUNT)
            found |= 1u << array_of(attribute);
    }
    facet_j3d_note_used(c, FACET_J3D_VTX1, begin, ((uint64_t)count + 1) * 16);
    return found;
}

/* -- Arrays ------------------------------------------------------------- */

/* Read the arrays into the scratch document with the reader's code. */
static bool read_arrays(facet_j3d_checker *c)
{
    facet_error error;
    facet_j3d_reader reader = {
        .data = c->data, .size = c->size, .error = &error, .arena = c->arena};
    reader.document = c->scratch;
    reader.sections[FACET_J3D_VTX1] = c->sections[FACET_J3D_VTX1];
    facet_status status = facet_j3d_read_vtx1(&reader);
    c->has_no_memory |= facet_lacks_memory(status);
    return status == FACET_OK;
}

void facet_j3d_check_vtx1(facet_j3d_checker *c)
{
    const facet_j3d_section_kind kind = FACET_J3D_VTX1;
    if (!facet_j3d_has_head(c, kind, 0x40, "J3D-VTX1-SIZE"))
        return;
    uint32_t formats = look_at_formats(c);
    if (offset_of(c, FACET_J3D_ARRAY_POSITION) == 0)
        facet_j3d_say(c, FACET_SEVERITY_ERROR, kind, FIRST_OFFSET, "J3D-VTX1-POSITION",
                      "the positions are missing");
    if (formats >> FACET_J3D_ARRAY_NORMAL & 1)
        formats |= 1u << FACET_J3D_ARRAY_NBT; /* both share one line */
    for (uint32_t i = 0; i < FACET_J3D_ARRAY_COUNT; i++) {
        uint32_t offset = offset_of(c, i);
        if (offset > c->sections[kind].size)
            facet_j3d_say(c, FACET_SEVERITY_ERROR, kind, FIRST_OFFSET + 4 * i, "J3D-VTX1-ARRAY",
                          "vertex array %" PRIu32 " at 0x%" PRIX32
                          " is outside the section of %zu bytes",
                          i, offset, c->sections[kind].size);
        else if (offset != 0 && !(formats >> i & 1))
            facet_j3d_say(c, FACET_SEVERITY_WARNING, kind, FIRST_OFFSET + 4 * i,
                          "J3D-VTX1-FORMAT-MISSING", "vertex array %" PRIu32 " has no format", i);
    }
    c->has_vertices = read_arrays(c);
    for (uint32_t i = 0; c->has_vertices && i < FACET_J3D_ARRAY_COUNT; i++) {
        const facet_j3d_array *array = &c->scratch->vertices.arrays[i];
        size_t fits = array->stride ? array->size / array->stride : 0;
        c->capacity[i] = fits > UINT32_MAX ? UINT32_MAX : (uint32_t)fits;
    }
}

/* Check the part of the arrays that display lists use. The rest is padding or unused elements. */
void facet_j3d_check_arrays(facet_j3d_checker *c)
{
    const facet_j3d_section_kind kind = FACET_J3D_VTX1;
    facet_tally floats = {0}, apart = {0};
    for (uint32_t i = 0; c->has_vertices && i < FACET_J3D_ARRAY_COUNT; i++) {
        const facet_j3d_array *array = &c->scratch->vertices.arrays[i];
        uint32_t count = c->used[i] < c->capacity[i] ? c->used[i] : c->capacity[i];
        if (!array->bytes)
            continue;
        if (c->shape_count == 0)
            count = c->capacity[i];
        size_t used = (size_t)count * array->stride;
        facet_j3d_note_used(c, kind, facet_j3d_offset_of(c, kind, array->bytes), used);
        facet_j3d_look_at_alignment(c, kind, facet_j3d_offset_of(c, kind, array->bytes), &apart);
        if (!is_color(i) && array->format->component == FACET_J3D_F32)
            facet_j3d_look_at_floats(c, kind, array->bytes, used / 4, &floats);
    }
    facet_j3d_say_alignment(c, FACET_SEVERITY_WARNING, kind, &apart, "a vertex array");
    facet_j3d_say_floats(c, kind, &floats, "vertex arrays");
}
