/* formats/j3d/file/display_list.c - the layout of vertices, the loaded matrices, and one scan over
 * all commands for the reader. */
#include "formats/j3d/file/display_list.h"

#include "base/error.h"

#include <inttypes.h>
#include <string.h>

/* -- Vertices ----------------------------------------------------------- */

/* The bit of an attribute, to find duplicates. Both kinds of normals count as one attribute. */
static uint32_t place_of(uint32_t attribute)
{
    return attribute == FACET_J3D_NBT ? (uint32_t)FACET_J3D_NORMAL : attribute;
}

/* True if a matrix index is one byte, and any other attribute an index of one or two bytes. */
static bool is_legal(const facet_j3d_descriptor *descriptor)
{
    uint32_t attribute = descriptor->attribute, input = descriptor->input;
    if (attribute > FACET_J3D_TEXCOORD0 + 7 && attribute != FACET_J3D_NBT)
        return false;
    if (input == FACET_J3D_INPUT_NONE)
        return true;
    if (attribute < FACET_J3D_POSITION)
        return input == FACET_J3D_INPUT_DIRECT;
    return input == FACET_J3D_INPUT_INDEX8 || input == FACET_J3D_INPUT_INDEX16;
}

static uint8_t array_of(const facet_j3d *document, uint32_t attribute)
{
    const facet_j3d_array *arrays = document->vertices.arrays;
    if (attribute < FACET_J3D_POSITION)
        return FACET_J3D_NO_ARRAY;
    if (attribute == FACET_J3D_POSITION)
        return FACET_J3D_ARRAY_POSITION;
    if (attribute == FACET_J3D_NBT)
        return arrays[FACET_J3D_ARRAY_NBT].bytes ? FACET_J3D_ARRAY_NBT : FACET_J3D_ARRAY_NORMAL;
    if (attribute == FACET_J3D_NORMAL)
        return !arrays[FACET_J3D_ARRAY_NORMAL].bytes && arrays[FACET_J3D_ARRAY_NBT].bytes
                   ? FACET_J3D_ARRAY_NBT
                   : FACET_J3D_ARRAY_NORMAL;
    return (uint8_t)(attribute - FACET_J3D_COLOR0 + FACET_J3D_ARRAY_COLOR0);
}

static facet_j3d_part part_of(const facet_j3d *document, const facet_j3d_descriptor *descriptor)
{
    facet_j3d_part part = {(uint8_t)descriptor->attribute, FACET_J3D_NO_ARRAY, 0, 1, 1};
    part.array = array_of(document, descriptor->attribute);
    if (descriptor->input == FACET_J3D_INPUT_INDEX16)
        part.width = 2;
    if (part.array == FACET_J3D_ARRAY_NORMAL || part.array == FACET_J3D_ARRAY_NBT) {
        const facet_j3d_vertex_format *format = document->vertices.arrays[part.array].format;
        if (format && format->count_code == 2)
            part.indices = 3;
    }
    return part;
}

/* Append a part in the order of the list. Matrix indices go first, in the order of their
 * attributes. */
static void add_part(facet_j3d_vertex_layout *layout, facet_j3d_part part)
{
    uint32_t at = layout->part_count++;
    for (; at > 0 && part.array == FACET_J3D_NO_ARRAY &&
           layout->parts[at - 1].attribute > part.attribute;
         at--)
        layout->parts[at] = layout->parts[at - 1];
    layout->parts[at] = part;
}

static void place_parts(facet_j3d_vertex_layout *layout)
{
    uint32_t size = 0;
    layout->is_plain = true;
    for (uint32_t i = 0; i < layout->part_count; i++) {
        facet_j3d_part *part = &layout->parts[i];
        part->offset = (uint8_t)size;
        size += (uint32_t)part->width * part->indices;
        if (part->array == FACET_J3D_NO_ARRAY)
            layout->direct_count++;
        else if (part->width != 2 || part->indices != 1)
            layout->is_plain = false;
    }
    layout->size = size;
    layout->has_position_matrix = layout->parts[0].attribute == FACET_J3D_POSITION_MATRIX;
}

facet_status facet_j3d_vertex_layout_make(const facet_j3d *document, const facet_j3d_shape *shape,
                                          uint64_t offset, facet_j3d_vertex_layout *layout,
                                          facet_error *error)
{
    const facet_j3d_shapes *shapes = &document->shapes;
    uint32_t seen = 0;
    memset(layout, 0, sizeof *layout);
    layout->is_sorted = true;
    for (uint32_t i = shape->first_descriptor;; i++) {
        if (i >= shapes->descriptor_count)
            return facet_fail(error, FACET_ERROR_MALFORMED, "J3D-SHP1-DESCRIPTOR", offset,
                              "a list of attributes has no end");
        const facet_j3d_descriptor *descriptor = &shapes->descriptors[i];
        if (descriptor->attribute == FACET_J3D_ATTRIBUTE_END)
            break;
        if (!is_legal(descriptor))
            return facet_fail(error, FACET_ERROR_MALFORMED, "J3D-SHP1-DESCRIPTOR", offset,
                              "attribute 0x%" PRIX32 " with input type %" PRIu32
                              " cannot be in a vertex",
                              descriptor->attribute, descriptor->input);
        uint32_t bit = 1u << place_of(descriptor->attribute);
        if (seen & bit)
            return facet_fail(error, FACET_ERROR_MALFORMED, "J3D-SHP1-DESCRIPTOR", offset,
                              "attribute 0x%" PRIX32 " is in the vertex twice",
                              descriptor->attribute);
        layout->is_sorted &= seen < bit;
        seen |= bit;
        if (descriptor->input != FACET_J3D_INPUT_NONE)
            add_part(layout, part_of(document, descriptor));
    }
    if (layout->part_count == 0)
        return facet_fail(error, FACET_ERROR_MALFORMED, "J3D-SHP1-DESCRIPTOR", offset,
                          "the vertices of a shape have no attributes");
    place_parts(layout);
    return FACET_OK;
}

/* -- Matrix slots ------------------------------------------------------- */

void facet_j3d_load_slots(const facet_j3d *document, const facet_j3d_shape *shape, uint32_t packet,
                          uint16_t slots[FACET_J3D_SLOTS])
{
    const facet_j3d_shapes *shapes = &document->shapes;
    const facet_j3d_matrix_group *group = &shapes->groups[shape->first_group + packet];
    for (uint32_t i = 0; i < group->count && i < FACET_J3D_SLOTS; i++) {
        uint16_t matrix = shapes->matrix_table[group->first + i];
        if (matrix != FACET_J3D_NONE)
            slots[i] = matrix;
    }
    /* Some exporters leave use_matrix 0, so it is the second choice. */
    if (shape->type != FACET_J3D_SHAPE_MULTI && slots[0] == FACET_J3D_NONE)
        slots[0] = group->use_matrix;
}

/* -- Scan --------------------------------------------------------------- */

/* Collect the position matrix indices that occur, as bits. False if one is above 63. */
static bool matrix_indices(const uint8_t *vertices, size_t count, size_t stride, uint64_t *used)
{
    uint64_t seen = 0;
    uint8_t all = 0;
    for (size_t i = 0; i < count; i++) {
        uint8_t index = vertices[i * stride];
        seen |= (uint64_t)1 << (index & 63);
        all |= index;
    }
    *used |= seen;
    return all < 64;
}

/* The highest of each of `n` 16-bit indices. Callers pass constants, so that the values stay in
 * registers. */
static inline void highest_16(const uint8_t *at, size_t count, size_t stride, uint32_t n,
                              uint32_t *highest)
{
    for (size_t i = 0; i < count; i++, at += stride) {
        for (uint32_t k = 0; k < n; k++) {
            uint32_t index = facet_load_u16be(at + 2 * k);
            if (index > highest[k]) /* not ?: because gcc 12 then computes a wrong maximum on
                                       arm64 */
                highest[k] = index;
        }
    }
}

/* Number of vertices per iteration, so that compilers vectorize the loop over their indices. */
#define TOGETHER 8
#define MAX_PACKED 5 /* maximum number of indices of one vertex */

/* The same for vertices that consist only of such indices. */
static inline void highest_packed(const uint8_t *at, size_t count, uint32_t n, uint32_t *highest)
{
    uint16_t most[TOGETHER * MAX_PACKED] = {0};
    size_t i = 0;
    for (; i + TOGETHER <= count; i += TOGETHER, at += TOGETHER * 2 * (size_t)n) {
        for (uint32_t k = 0; k < TOGETHER * n; k++) {
            uint16_t index;
            memcpy(&index, at + 2 * k, sizeof index);
#if !FACET_HOST_IS_BIG_ENDIAN
            index = (uint16_t)(index >> 8 | index << 8);
#endif
            uint16_t larger = index > most[k] ? 0xFFFF : 0;
            most[k] = (uint16_t)(most[k] + ((index - most[k]) & larger));
        }
    }
    for (uint32_t k = 0; k < TOGETHER * n; k++) {
        if (most[k] > highest[k % n])
            highest[k % n] = most[k];
    }
    highest_16(at, count - i, 2 * (size_t)n, n, highest);
}

#define PLAIN(n)                                                                               \
    case n: {                                                                                  \
        uint32_t kept[n];                                                                      \
        memcpy(kept, highest, sizeof kept);                                                    \
        if (direct == 0)                                                                       \
            highest_packed(primitive->vertices, primitive->count, n, kept);                    \
        else if (direct == 1)                                                                  \
            highest_16(primitive->vertices + 1, primitive->count, 2 * n + 1, n, kept);         \
        else                                                                                   \
            highest_16(primitive->vertices + direct, primitive->count, layout->size, n, kept); \
        memcpy(highest, kept, sizeof kept);                                                    \
        return;                                                                                \
    }

/* Scan common vertices: matrix bytes, then only 16-bit indices. */
static void highest_plain(const facet_j3d_vertex_layout *layout,
                          const facet_j3d_primitive *primitive, uint32_t *highest)
{
    uint32_t direct = layout->direct_count;
    switch (layout->part_count - direct) {
        PLAIN(1)
        PLAIN(2)
        PLAIN(3)
        PLAIN(4)
        PLAIN(5)
    default:
        highest_16(primitive->vertices + direct, primitive->count, layout->size,
                   layout->part_count - direct, highest);
    }
}

/* Scan any vertices, part by part. */
static void highest_mixed(const facet_j3d_vertex_layout *layout,
                          const facet_j3d_primitive *primitive, uint32_t *highest)
{
    for (uint32_t p = layout->direct_count; p < layout->part_count; p++) {
        const facet_j3d_part *part = &layout->parts[p];
        uint32_t most = highest[p - layout->direct_count];
        for (uint32_t k = 0; k < part->indices; k++) {
            const uint8_t *at = primitive->vertices + part->offset + k * part->width;
            for (size_t i = 0; i < primitive->count; i++, at += layout->size) {
                uint32_t index = part->width == 2 ? facet_load_u16be(at) : *at;
                most = index > most ? index : most;
            }
        }
        highest[p - layout->direct_count] = most;
    }
}

/* The allowed position matrix indices, one bit each. */
static uint64_t allowed_indices(uint32_t loaded)
{
    uint64_t allowed = 0;
    for (uint32_t slot = 0; slot < FACET_J3D_SLOTS; slot++)
        allowed |= (uint64_t)(loaded >> slot & 1) << (3 * slot);
    return allowed;
}

static facet_status refuse_matrix(const facet_j3d_vertex_layout *layout,
                                  const facet_j3d_primitive *primitive, uint64_t allowed,
                                  uint64_t offset, facet_error *error)
{
    uint32_t i = 0, index = 0;
    for (; i < primitive->count; i++) {
        index = primitive->vertices[(size_t)i * layout->size];
        if (index > 63 || !(allowed >> index & 1))
            break;
    }
    uint64_t at = layout->has_position_matrix ? 3 + (uint64_t)i * layout->size : 0;
    return facet_fail(error, FACET_ERROR_MALFORMED, "J3D-DL-MATRIX", offset + at,
                      "vertex %" PRIu32 " of a primitive has the matrix index %" PRIu32
                      ", expected three times the number of a loaded slot",
                      i, index);
}

static facet_status refuse_command(facet_j3d_step step, const facet_j3d_commands *commands,
                                   uint64_t offset, facet_error *error)
{
    if (step == FACET_J3D_STEP_OPCODE)
        return facet_fail(error, FACET_ERROR_MALFORMED, "J3D-DL-OPCODE", offset,
                          "0x%02X is not a drawing command", *commands->at);
    return facet_fail(error, FACET_ERROR_MALFORMED, "J3D-DL-VERTICES", offset,
                      "the vertices of a command 0x%02X run over the end of the display list",
                      *commands->at);
}

facet_status facet_j3d_scan(const facet_j3d_vertex_layout *layout,
                            const facet_j3d_display_list *list, uint32_t loaded, uint64_t offset,
                            uint32_t counts[FACET_J3D_ARRAY_COUNT], facet_error *error)
{
    facet_j3d_commands commands = facet_j3d_commands_of(list, layout);
    facet_j3d_primitive primitive;
    uint64_t allowed = allowed_indices(loaded);
    uint32_t highest[FACET_J3D_PARTS_MAX] = {0};
    bool has_vertices = false;
    for (;;) {
        facet_j3d_step step = facet_j3d_next(&commands, &primitive);
        if (step == FACET_J3D_STEP_END)
            break;
        if (step == FACET_J3D_STEP_OPCODE && list->size % 32 == 0 &&
            commands.end - commands.at < 32)
            break; /* padding other than zeros */
        uint64_t at = offset + (uint64_t)(commands.at - list->bytes);
        if (step != FACET_J3D_STEP_DRAW)
            return refuse_command(step, &commands, at, error);
        if (primitive.count == 0)
            continue;
        has_vertices = true;
        uint64_t used = 1; /* without matrix indices: slot 0 */
        bool small = true;
        if (layout->has_position_matrix) {
            used = 0;
            small = matrix_indices(primitive.vertices, primitive.count, layout->size, &used);
        }
        if (!small || (used & ~allowed) != 0)
            return refuse_matrix(layout, &primitive, allowed,
                                 offset + (uint64_t)(primitive.vertices - 3 - list->bytes), error);
        if (layout->is_plain)
            highest_plain(layout, &primitive, highest);
        else
            highest_mixed(layout, &primitive, highest);
    }
    for (uint32_t p = layout->direct_count; has_vertices && p < layout->part_count; p++) {
        uint32_t *count = &counts[layout->parts[p].array];
        if (highest[p - layout->direct_count] >= *count)
            *count = highest[p - layout->direct_count] + 1;
    }
    return FACET_OK;
}

facet_status facet_j3d_count_drawn(const facet_j3d *document, uint32_t used[FACET_J3D_ARRAY_COUNT],
                                   uint32_t *packets, facet_error *error)
{
    const facet_j3d_shapes *shapes = &document->shapes;
    memset(used, 0, FACET_J3D_ARRAY_COUNT * sizeof *used);
    *packets = 0;
    for (uint32_t i = 0; i < shapes->count; i++) {
        const facet_j3d_shape *shape = &shapes->items[i];
        facet_j3d_vertex_layout layout;
        TRY(facet_j3d_vertex_layout_make(document, shape, FACET_NO_OFFSET, &layout, error));
        for (uint32_t k = 0; k < shape->packet_count; k++)
            TRY(facet_j3d_scan(&layout, &shapes->display_lists[shape->first_display_list + k],
                               UINT32_MAX, FACET_NO_OFFSET, used, error));
        *packets += shape->packet_count;
    }
    return FACET_OK;
}
