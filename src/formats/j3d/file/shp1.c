/* formats/j3d/file/shp1.c - shapes: attributes, matrix groups, display lists. */
#include "formats/j3d/file/display_list.h"
#include "formats/j3d/file/reader.h"
#include "formats/j3d/file/writer.h"

#include "base/error.h"
#include "base/record.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#define HEAD 0x2C
#define SHAPE 0x28
#define DESCRIPTOR 8
#define GROUP 8
#define LIST 8
#define LAYOUT "b2h5w7"

_Static_assert(offsetof(facet_j3d_shape, material) == SHAPE,
               "the file's record is the struct, but for the order of bytes");

static facet_status refuse_sharing(const facet_j3d_reader *reader)
{
    return facet_j3d_fault(
        reader, FACET_J3D_SHP1, 0x28, "J3D-SHP1-SHARED",
        "display lists share their bytes; expanded they are more than %d times the section",
        FACET_J3D_MAX_DRAWN);
}

/* -- Shapes ------------------------------------------------------------- */

static facet_status read_shape(const facet_j3d_reader *reader, const uint8_t *at,
                               facet_j3d_shape *shape)
{
    uint64_t offset = (uint64_t)(at - reader->sections[FACET_J3D_SHP1].bytes);
    facet_record_move(LAYOUT, at, shape);
    uint16_t descriptors = shape->first_descriptor; /* in bytes */
    shape->first_descriptor = descriptors / DESCRIPTOR;
    shape->material = shape->joint = FACET_J3D_NONE;
    if (shape->type > FACET_J3D_SHAPE_MULTI)
        return facet_j3d_fault(reader, FACET_J3D_SHP1, offset, "J3D-SHP1-TYPE",
                               "%u is not a type of shape", (unsigned)shape->type);
    if (descriptors % DESCRIPTOR != 0)
        return facet_j3d_fault(
            reader, FACET_J3D_SHP1, offset + 4, "J3D-SHP1-DESCRIPTOR",
            "the attributes of a shape begin at byte %u of their table, expected a multiple of 8",
            (unsigned)descriptors);
    return FACET_OK;
}

static facet_status read_shapes(facet_j3d_reader *reader)
{
    facet_j3d_shapes *shapes = &reader->document->shapes;
    uint16_t count = facet_load_u16be(reader->sections[FACET_J3D_SHP1].bytes + 0x08);
    const uint8_t *table;
    facet_status status = facet_j3d_find_table(reader, FACET_J3D_SHP1, 0x0C, count, SHAPE,
                                               "J3D-SHP1-ENTRIES", "shapes", &table);
    if (!status)
        status = facet_j3d_make(reader, count, sizeof *shapes->items, &shapes->items);
    for (uint32_t i = 0; !status && i < count; i++)
        status = read_shape(reader, table + (size_t)i * SHAPE, &shapes->items[i]);
    if (status)
        return status;
    shapes->count = count;
    return facet_j3d_read_remap(reader, FACET_J3D_SHP1, 0x10, count, count, "J3D-SHP1-REMAP",
                                &shapes->remap);
}

/* -- Tables ------------------------------------------------------------- */

/* The lengths of tables are not stored. Each is as long as its users require. */

/* Limit of a vertex's attribute list: each of 22 attributes occurs at most once. */
#define LONGEST_LIST 32

/* Set *end to the end of a shape's attribute list, after its END. */
static facet_status find_list_end(const facet_j3d_reader *reader, uint32_t shape, uint32_t *end)
{
    const facet_j3d_section *section = &reader->sections[FACET_J3D_SHP1];
    uint32_t first = reader->document->shapes.items[shape].first_descriptor;
    uint64_t begin = facet_load_u32be(section->bytes + 0x18) + (uint64_t)first * DESCRIPTOR;
    uint32_t count = 0;
    while (count < LONGEST_LIST && facet_range_fits(begin, count + 1, DESCRIPTOR, section->size)) {
        uint32_t attribute = facet_load_u32be(section->bytes + begin + count++ * DESCRIPTOR);
        if (attribute == FACET_J3D_ATTRIBUTE_END) {
            *end = first + count;
            return FACET_OK;
        }
    }
    return facet_j3d_fault(
        reader, FACET_J3D_SHP1,
        count > 0 ? begin : facet_load_u32be(section->bytes + 0x0C) + (uint64_t)shape * SHAPE + 4,
        "J3D-SHP1-DESCRIPTOR", "the list of attributes of shape %" PRIu32 " has no end", shape);
}

/* Read the descriptors up to the end of the last list. */
static facet_status read_descriptors(facet_j3d_reader *reader)
{
    const facet_j3d_section *section = &reader->sections[FACET_J3D_SHP1];
    facet_j3d_shapes *shapes = &reader->document->shapes;
    uint32_t count = 0, begin = facet_load_u32be(section->bytes + 0x18);
    facet_status status = FACET_OK;
    if (shapes->count > 0 && begin == 0)
        return facet_j3d_fault(reader, FACET_J3D_SHP1, 0x18, "J3D-SHP1-DESCRIPTOR",
                               "the attributes are missing, and %" PRIu32 " shapes need them",
                               shapes->count);
    for (uint32_t i = 0; i < shapes->count && !status; i++) {
        uint32_t end = 0;
        status = find_list_end(reader, i, &end);
        count = end > count ? end : count;
    }
    if (!status)
        status = facet_j3d_make(reader, count, sizeof *shapes->descriptors, &shapes->descriptors);
    if (status)
        return status;
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t *at = section->bytes + begin + (size_t)i * DESCRIPTOR;
        shapes->descriptors[i].attribute = facet_load_u32be(at);
        shapes->descriptors[i].input = facet_load_u32be(at + 4);
    }
    shapes->descriptor_count = count;
    return FACET_OK;
}

static facet_status read_groups(facet_j3d_reader *reader)
{
    facet_j3d_shapes *shapes = &reader->document->shapes;
    uint32_t count = 0;
    const uint8_t *table;
    for (uint32_t i = 0; i < shapes->count; i++) {
        uint32_t end = (uint32_t)shapes->items[i].first_group + shapes->items[i].packet_count;
        if (shapes->items[i].packet_count > 0 && end > count)
            count = end;
    }
    TRY(facet_j3d_find_table(reader, FACET_J3D_SHP1, 0x24, count, GROUP, "J3D-SHP1-GROUP",
                             "matrix groups", &table));
    TRY(facet_j3d_make(reader, count, sizeof *shapes->groups, &shapes->groups));
    for (uint32_t i = 0; i < count; i++) {
        facet_j3d_matrix_group *group = &shapes->groups[i];
        group->use_matrix = facet_load_u16be(table + (size_t)i * GROUP);
        group->count = facet_load_u16be(table + (size_t)i * GROUP + 2);
        group->first = facet_load_u32be(table + (size_t)i * GROUP + 4);
        if (group->count > FACET_J3D_SLOTS)
            return facet_j3d_fault(reader, FACET_J3D_SHP1,
                                   (uint64_t)(table - reader->sections[FACET_J3D_SHP1].bytes) +
                                       (uint64_t)i * GROUP + 2,
                                   "J3D-SHP1-GROUP",
                                   "matrix group %" PRIu32 " has %u matrices; there are %d slots",
                                   i, (unsigned)group->count, FACET_J3D_SLOTS);
    }
    shapes->group_count = count;
    return FACET_OK;
}

static facet_status read_matrix_table(facet_j3d_reader *reader)
{
    const facet_j3d_section *section = &reader->sections[FACET_J3D_SHP1];
    facet_j3d_shapes *shapes = &reader->document->shapes;
    uint32_t groups = facet_load_u32be(section->bytes + 0x24);
    uint32_t begin = facet_load_u32be(section->bytes + 0x1C);
    uint64_t count = 0;
    const uint8_t *table;
    for (uint32_t i = 0; i < shapes->group_count; i++) {
        uint64_t end = (uint64_t)shapes->groups[i].first + shapes->groups[i].count;
        if (begin > 0 && !facet_range_fits(begin, end, 2, section->size))
            return facet_j3d_fault(reader, FACET_J3D_SHP1, groups + (uint64_t)i * GROUP + 4,
                                   "J3D-SHP1-MATRIX-TABLE",
                                   "the %u matrices of group %" PRIu32 " from number %" PRIu32
                                   " on run over the end of the section",
                                   (unsigned)shapes->groups[i].count, i, shapes->groups[i].first);
        if (end > count)
            count = end;
    }
    TRY(facet_j3d_find_table(reader, FACET_J3D_SHP1, 0x1C, count, 2, "J3D-SHP1-MATRIX-TABLE",
                             "matrices", &table));
    TRY(facet_j3d_make(reader, (size_t)count, sizeof *shapes->matrix_table, &shapes->matrix_table));
    for (size_t i = 0; i < count; i++) {
        shapes->matrix_table[i] = facet_load_u16be(table + i * 2);
        if (shapes->matrix_table[i] != FACET_J3D_NONE &&
            shapes->matrix_table[i] >= reader->document->draw_matrices.count)
            return facet_j3d_fault(
                reader, FACET_J3D_SHP1,
                (uint64_t)(table - reader->sections[FACET_J3D_SHP1].bytes) + i * 2,
                "J3D-SHP1-MATRIX", "draw matrix %u does not exist, the model has %" PRIu32,
                (unsigned)shapes->matrix_table[i], reader->document->draw_matrices.count);
    }
    shapes->matrix_table_count = (uint32_t)count;
    return FACET_OK;
}

static facet_status read_display_lists(facet_j3d_reader *reader)
{
    const facet_j3d_section *section = &reader->sections[FACET_J3D_SHP1];
    facet_j3d_shapes *shapes = &reader->document->shapes;
    uint32_t count = 0, data = facet_load_u32be(section->bytes + 0x20);
    const uint8_t *table;
    for (uint32_t i = 0; i < shapes->count; i++) {
        uint32_t end =
            (uint32_t)shapes->items[i].first_display_list + shapes->items[i].packet_count;
        if (shapes->items[i].packet_count > 0 && end > count)
            count = end;
    }
    TRY(facet_j3d_find_table(reader, FACET_J3D_SHP1, 0x28, count, LIST, "J3D-SHP1-LIST",
                             "display lists", &table));
    TRY(facet_j3d_make(reader, count, sizeof *shapes->display_lists, &shapes->display_lists));
    uint64_t total = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t size = facet_load_u32be(table + (size_t)i * LIST);
        uint64_t at = (uint64_t)data + facet_load_u32be(table + (size_t)i * LIST + 4);
        if (!facet_range_fits(at, size, 1, section->size))
            return facet_j3d_fault(reader, FACET_J3D_SHP1,
                                   (uint64_t)(table - section->bytes) + (uint64_t)i * LIST,
                                   "J3D-SHP1-LIST",
                                   "display list %" PRIu32 " of %" PRIu32 " bytes at 0x%" PRIX64
                                   " runs over the end of the section",
                                   i, size, at);
        shapes->display_lists[i].bytes = section->bytes + at;
        shapes->display_lists[i].size = size;
        total += size;
    }
    shapes->display_list_count = count;
    return total > (uint64_t)section->size * FACET_J3D_MAX_DRAWN ? refuse_sharing(reader)
                                                                 : FACET_OK;
}

/* -- Packets ------------------------------------------------------------ */

/* The slots that hold a matrix while the packet is drawn, one bit each. */
static facet_status loaded_slots(const facet_j3d_reader *reader, const facet_j3d_shape *shape,
                                 uint32_t packet, uint16_t slots[FACET_J3D_SLOTS], uint32_t *loaded)
{
    const facet_j3d *document = reader->document;
    uint64_t at = facet_load_u32be(reader->sections[FACET_J3D_SHP1].bytes + 0x24) +
                  (uint64_t)(shape->first_group + packet) * GROUP;
    facet_j3d_load_slots(document, shape, packet, slots);
    *loaded = 0;
    for (uint32_t i = 0; i < FACET_J3D_SLOTS; i++) {
        if (slots[i] == FACET_J3D_NONE)
            continue;
        if (slots[i] >= document->draw_matrices.count)
            return facet_j3d_fault(reader, FACET_J3D_SHP1, at, "J3D-SHP1-MATRIX",
                                   "draw matrix %u does not exist, the model has %" PRIu32,
                                   (unsigned)slots[i], document->draw_matrices.count);
        *loaded |= 1u << i;
    }
    return FACET_OK;
}

static facet_status scan_shape(const facet_j3d_reader *reader, const facet_j3d_shape *shape,
                               uint64_t *left, uint32_t counts[FACET_J3D_ARRAY_COUNT])
{
    const facet_j3d_section *section = &reader->sections[FACET_J3D_SHP1];
    const facet_j3d_shapes *shapes = &reader->document->shapes;
    facet_j3d_vertex_layout layout;
    uint16_t slots[FACET_J3D_SLOTS];
    uint64_t descriptors =
        facet_load_u32be(section->bytes + 0x18) + (uint64_t)shape->first_descriptor * DESCRIPTOR;
    memset(slots, 0xFF, sizeof slots);
    facet_status status = facet_j3d_vertex_layout_make(
        reader->document, shape, section->offset + descriptors, &layout, reader->error);
    if (!status && !layout.is_sorted)
        facet_j3d_odd(reader, FACET_J3D_SHP1, descriptors, "J3D-SHP1-DESCRIPTOR-ORDER",
                      "the attributes of a shape are not in ascending order; its vertices are read "
                      "in the order of the list");
    for (uint32_t k = 0; !status && k < shape->packet_count; k++) {
        const facet_j3d_display_list *list = &shapes->display_lists[shape->first_display_list + k];
        uint64_t at = (uint64_t)(list->bytes - section->bytes);
        uint32_t loaded = 0;
        uint64_t cost = (uint64_t)list->size + GROUP + LIST;
        if (cost > *left)
            return refuse_sharing(reader);
        *left -= cost;
        status = loaded_slots(reader, shape, k, slots, &loaded);
        if (!status)
            status =
                facet_j3d_scan(&layout, list, loaded, section->offset + at, counts, reader->error);
    }
    return status;
}

/* The first index of a list into `array` that is at or above `limit`. */
static const uint8_t *find_beyond(const facet_j3d_vertex_layout *layout,
                                  const facet_j3d_display_list *list, uint32_t array, size_t limit)
{
    facet_j3d_commands commands = facet_j3d_commands_of(list, layout);
    facet_j3d_primitive primitive;
    while (facet_j3d_next(&commands, &primitive) == FACET_J3D_STEP_DRAW) {
        for (uint32_t v = 0; v < primitive.count; v++) {
            for (uint32_t p = 0; p < layout->part_count; p++) {
                const facet_j3d_part *part = &layout->parts[p];
                const uint8_t *at = primitive.vertices + (size_t)v * layout->size + part->offset;
                for (uint32_t i = 0; i < part->indices && part->array == array; i++) {
                    uint32_t index = part->width == 1 ? at[i] : facet_load_u16be(at + 2 * i);
                    if (index >= limit)
                        return at;
                }
            }
        }
    }
    return NULL;
}

/* Fail with the position of an index beyond the end of an array. */
static facet_status refuse_index(const facet_j3d_reader *reader, uint32_t array)
{
    const facet_j3d_section *section = &reader->sections[FACET_J3D_SHP1];
    const facet_j3d *document = reader->document;
    const facet_j3d_array *a = &document->vertices.arrays[array];
    size_t limit = a->bytes ? a->size / a->stride : 0;
    for (uint32_t i = 0; i < document->shapes.count; i++) {
        const facet_j3d_shape *shape = &document->shapes.items[i];
        facet_j3d_vertex_layout layout;
        facet_j3d_vertex_layout_make(document, shape, 0, &layout, NULL);
        for (uint32_t k = 0; k < shape->packet_count; k++) {
            const facet_j3d_display_list *list =
                &document->shapes.display_lists[shape->first_display_list + k];
            const uint8_t *at = find_beyond(&layout, list, array, limit);
            if (at && !a->bytes)
                return facet_j3d_fault(reader, FACET_J3D_SHP1,
                                       facet_load_u32be(section->bytes + 0x0C) +
                                           (uint64_t)i * SHAPE + 4,
                                       "J3D-DL-ARRAY",
                                       "the vertices of shape %" PRIu32
                                       " point into vertex array %" PRIu32 ", which does not exist",
                                       i, array);
            if (at)
                return facet_j3d_fault(reader, FACET_J3D_SHP1, (uint64_t)(at - section->bytes),
                                       "J3D-DL-INDEX",
                                       "a vertex of shape %" PRIu32
                                       " points beyond the %zu elements of vertex array %" PRIu32,
                                       i, limit, array);
        }
    }
    return facet_j3d_fault(reader, FACET_J3D_SHP1, 0, "J3D-DL-INDEX",
                           "display lists point beyond vertex array %" PRIu32, array);
}

static facet_status expect_indices(const facet_j3d_reader *reader,
                                   const uint32_t counts[FACET_J3D_ARRAY_COUNT])
{
    const facet_j3d_array *arrays = reader->document->vertices.arrays;
    for (uint32_t i = 0; i < FACET_J3D_ARRAY_COUNT; i++) {
        if (counts[i] > 0 && (!arrays[i].bytes || counts[i] > arrays[i].size / arrays[i].stride))
            return refuse_index(reader, i);
    }
    return FACET_OK;
}

/* Find the exporter's generation from the padding after the remap table. It is visible if the
 * number of shapes is odd: one run to 32 bytes, or one to 4 and another. */
static void find_generation(facet_j3d_reader *reader)
{
    const facet_j3d_section *section = &reader->sections[FACET_J3D_SHP1];
    const facet_j3d_shapes *shapes = &reader->document->shapes;
    size_t end = facet_load_u32be(section->bytes + 0x10) + (size_t)shapes->count * 2;
    if (end % 4 == 2 && end + 6 <= section->size)
        reader->document->layout.generation_a =
            facet_j3d_is_padding(&reader->document->layout, section->bytes + end, 6);
}

facet_status facet_j3d_read_shp1(facet_j3d_reader *reader)
{
    facet_j3d_shapes *shapes = &reader->document->shapes;
    uint32_t counts[FACET_J3D_ARRAY_COUNT] = {0};
    facet_status status = facet_j3d_need_head(reader, FACET_J3D_SHP1, HEAD, "J3D-SHP1-SIZE");
    if (!status)
        status = read_shapes(reader);
    if (!status)
        status = read_descriptors(reader);
    if (!status)
        status = read_groups(reader);
    if (!status)
        status = read_matrix_table(reader);
    if (!status)
        status = read_display_lists(reader);
    uint64_t left = (uint64_t)reader->sections[FACET_J3D_SHP1].size * FACET_J3D_MAX_DRAWN;
    for (uint32_t i = 0; !status && i < shapes->count; i++)
        status = scan_shape(reader, &shapes->items[i], &left, counts);
    if (!status)
        status = expect_indices(reader, counts);
    if (status)
        return status;
    find_generation(reader);
    facet_j3d_size_arrays(reader, counts);
    return FACET_OK;
}

/* -- Writing ------------------------------------------------------------ */

static void put_shape(facet_j3d_writer *writer, const facet_j3d_shape *shape)
{
    facet_j3d_shape stored = *shape;
    uint8_t *at = facet_j3d_extend(writer, SHAPE);
    stored.first_descriptor = (uint16_t)(shape->first_descriptor * DESCRIPTOR);
    if (at)
        facet_record_move(LAYOUT, &stored, at);
}

static facet_status put_shapes(facet_j3d_writer *writer)
{
    const facet_j3d_shapes *shapes = &writer->document->shapes;
    facet_j3d_patch_to_position(writer, 0x0C);
    for (uint32_t i = 0; i < shapes->count; i++) {
        if (shapes->items[i].first_descriptor > UINT16_MAX / DESCRIPTOR)
            return facet_fail(
                writer->error, FACET_ERROR_LIMIT, "J3D-SHP1-DESCRIPTOR", FACET_NO_OFFSET,
                "the attributes of shape %" PRIu32 " are number %u of all; the format holds 8,191",
                i, (unsigned)shapes->items[i].first_descriptor);
        put_shape(writer, &shapes->items[i]);
    }
    facet_j3d_patch_to_position(writer, 0x10);
    facet_j3d_put_u16s(writer, shapes->remap, shapes->count);
    if (!writer->document->layout.generation_a)
        facet_j3d_pad(writer, 4);
    facet_j3d_pad(writer, 32);
    return FACET_OK;
}

static void put_tables(facet_j3d_writer *writer)
{
    const facet_j3d_shapes *shapes = &writer->document->shapes;
    facet_j3d_patch_to_position(writer, 0x18);
    for (uint32_t i = 0; i < shapes->descriptor_count; i++) {
        facet_j3d_put_u32(writer, shapes->descriptors[i].attribute);
        facet_j3d_put_u32(writer, shapes->descriptors[i].input);
    }
    facet_j3d_patch_to_position(writer, 0x1C);
    facet_j3d_put_u16s(writer, shapes->matrix_table, shapes->matrix_table_count);
    facet_j3d_pad(writer, 32);
}

facet_status facet_j3d_write_shp1(facet_j3d_writer *writer)
{
    const facet_j3d_shapes *shapes = &writer->document->shapes;
    TRY(facet_j3d_fits_u16(writer, shapes->count, "J3D-SHP1-ENTRIES", "shapes"));
    facet_j3d_put_u16(writer, (uint16_t)shapes->count);
    facet_j3d_put_u16(writer, 0xFFFF);
    facet_j3d_put_zeros(writer, HEAD - 0x0C);
    facet_j3d_free_offset(writer, 0x14, 0); /* names, which nothing reads */
    facet_j3d_free_offset(writer, 0x1C, shapes->matrix_table_count);
    TRY(put_shapes(writer));
    put_tables(writer);
    facet_j3d_patch_to_position(writer, 0x20);
    for (uint32_t i = 0; i < shapes->display_list_count; i++) {
        facet_j3d_put(writer, shapes->display_lists[i].bytes, shapes->display_lists[i].size);
        facet_j3d_pad_zeros(writer, 32);
    }
    facet_j3d_patch_to_position(writer, 0x24);
    for (uint32_t i = 0; i < shapes->group_count; i++) {
        facet_j3d_put_u16(writer, shapes->groups[i].use_matrix);
        facet_j3d_put_u16(writer, shapes->groups[i].count);
        facet_j3d_put_u32(writer, shapes->groups[i].first);
    }
    facet_j3d_patch_to_position(writer, 0x28);
    uint32_t offset = 0;
    for (uint32_t i = 0; i < shapes->display_list_count; i++) {
        uint32_t size = (uint32_t)facet_align_up(shapes->display_lists[i].size, 32);
        facet_j3d_put_u32(writer, size);
        facet_j3d_put_u32(writer, offset);
        offset += size;
    }
    return FACET_OK;
}
