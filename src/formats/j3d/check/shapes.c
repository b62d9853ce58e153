/* formats/j3d/check/shapes.c - SHP1: shapes, matrix groups, and every command and index
 * of the display lists. */
#include "formats/j3d/check/check.h"
#include "formats/j3d/file/display_list.h"

#include <inttypes.h>
#include <string.h>

#define SHAPE_SIZE 0x28

typedef struct shapes {
    const uint8_t *entries;
    uint32_t count;
    uint64_t work; /* bytes of display lists that can still be read */
    bool is_shared_too_much;
    facet_tally types, floats, use_matrix, single, slots, list_sizes, no_matrix_index;
    facet_tally groups, group_counts, tables, draws, lists, lists_apart;
    facet_tally opcodes, formats, cut, tails, counts, texture_matrices, matrices;
    facet_tally indices[FACET_J3D_ARRAY_COUNT];
} shapes;

/* State of a packet being checked. */
typedef struct packet {
    const uint8_t *bytes;
    uint32_t size;
    uint32_t loaded; /* slots that hold a matrix, one bit each */
} packet;

/* -- Vertices ----------------------------------------------------------- */

static void look_at_part(facet_j3d_checker *c, shapes *s, const facet_j3d_part *part,
                         const uint8_t *at, const packet *p)
{
    uint64_t place = facet_j3d_offset_of(c, FACET_J3D_SHP1, at);
    if (part->array != FACET_J3D_NO_ARRAY) {
        for (uint32_t i = 0; i < part->indices; i++) {
            uint32_t index = part->width == 1 ? at[i] : facet_load_u16be(at + 2 * (size_t)i);
            if (index >= c->used[part->array])
                c->used[part->array] = index + 1;
            if (c->has_vertices && index >= c->capacity[part->array])
                facet_tally_hit(&s->indices[part->array], place);
        }
    } else if (part->attribute == FACET_J3D_POSITION_MATRIX) {
        if (*at % 3 != 0 || *at >= 3 * FACET_J3D_SLOTS || !(p->loaded >> *at / 3 & 1))
            facet_tally_hit(&s->matrices, place);
    } else if (*at != 60 && (*at < 30 || *at > 57 || *at % 3 != 0)) {
        facet_tally_hit(&s->texture_matrices, place);
    }
}

/* True if a primitive can have this number of vertices: a minimum or a multiple. */
static bool is_count_of(uint8_t opcode, uint32_t count)
{
    switch (opcode) {
    case FACET_J3D_DRAW_QUADS:
    case FACET_J3D_DRAW_QUADS2:
        return count % 4 == 0;
    case FACET_J3D_DRAW_TRIANGLES:
        return count % 3 == 0;
    case FACET_J3D_DRAW_STRIP:
    case FACET_J3D_DRAW_FAN:
        return count >= 3;
    case FACET_J3D_DRAW_LINES:
        return count % 2 == 0;
    case FACET_J3D_DRAW_LINE_STRIP:
        return count >= 2;
    default:
        return count >= 1;
    }
}

static void look_at_end(facet_j3d_checker *c, shapes *s, const facet_j3d_commands *commands,
                        facet_j3d_step step)
{
    uint64_t at = facet_j3d_offset_of(c, FACET_J3D_SHP1, commands->at);
    if (step == FACET_J3D_STEP_SHORT)
        facet_tally_hit(&s->cut, at);
    else if (step == FACET_J3D_STEP_OPCODE && commands->end - commands->at < 32)
        facet_tally_hit(&s->tails, at);
    else if (step == FACET_J3D_STEP_OPCODE)
        facet_tally_hit(&s->opcodes, at);
}

static void walk_list(facet_j3d_checker *c, shapes *s, const facet_j3d_vertex_layout *layout,
                      const packet *p)
{
    facet_j3d_commands commands = {p->bytes, p->bytes + p->size, layout->size};
    facet_j3d_primitive primitive;
    facet_j3d_step step;
    while ((step = facet_j3d_next(&commands, &primitive)) == FACET_J3D_STEP_DRAW) {
        uint64_t at = facet_j3d_offset_of(c, FACET_J3D_SHP1, primitive.vertices) - 3;
        if (primitive.vertices[-3] % 8 != 0)
            facet_tally_hit(&s->formats, at);
        if (!is_count_of(primitive.opcode, primitive.count))
            facet_tally_hit(&s->counts, at);
        if (!layout->has_position_matrix && !(p->loaded & 1) && primitive.count > 0)
            facet_tally_hit(&s->matrices, at);
        for (uint32_t v = 0; v < primitive.count; v++) {
            const uint8_t *vertex = primitive.vertices + (size_t)v * layout->size;
            for (uint32_t i = 0; i < layout->part_count; i++)
                look_at_part(c, s, &layout->parts[i], vertex + layout->parts[i].offset, p);
        }
    }
    look_at_end(c, s, &commands, step);
}

/* -- Packets ------------------------------------------------------------ */

/* Check the matrices of a packet; `loaded` comes from earlier packets. */
static bool look_at_group(facet_j3d_checker *c, shapes *s, uint8_t type, uint32_t index,
                          bool is_first, packet *p)
{
    const facet_j3d_section_kind kind = FACET_J3D_SHP1;
    const facet_j3d_section *section = &c->sections[kind];
    uint32_t groups = facet_load_u32be(section->bytes + 0x24);
    uint32_t matrices = facet_load_u32be(section->bytes + 0x1C);
    uint64_t at = groups + (uint64_t)index * 8;
    if (groups == 0 || !facet_range_fits(at, 1, 8, section->size)) {
        facet_tally_hit(&s->groups, 0x24);
        return false;
    }
    const uint8_t *group = section->bytes + at;
    uint32_t count = facet_load_u16be(group + 2);
    uint64_t table = matrices + (uint64_t)facet_load_u32be(group + 4) * 2;
    facet_j3d_note_used(c, kind, at, 8);
    if (count == 0 || count > FACET_J3D_SLOTS) {
        facet_tally_hit(&s->group_counts, at + 2);
        return false;
    }
    if (matrices == 0 || !facet_range_fits(table, count, 2, section->size)) {
        facet_tally_hit(&s->tables, matrices == 0 ? 0x1C : at + 4);
        return false;
    }
    facet_j3d_note_used(c, kind, table, (uint64_t)count * 2);
    for (uint32_t i = 0; i < count; i++) {
        uint16_t matrix = facet_load_u16be(section->bytes + table + 2 * i);
        if (matrix == FACET_J3D_NONE && is_first)
            facet_tally_hit(&s->slots, table + 2 * i);
        else if (matrix != FACET_J3D_NONE && c->draw_count > 0 && matrix >= c->draw_count)
            facet_tally_hit(&s->draws, table + 2 * i);
        if (matrix != FACET_J3D_NONE)
            p->loaded |= 1u << i;
    }
    if (type != FACET_J3D_SHAPE_MULTI) {
        if (count != 1)
            facet_tally_hit(&s->single, at + 2);
        uint16_t matrix = facet_load_u16be(group);
        if (matrix != facet_load_u16be(section->bytes + table))
            facet_tally_hit(&s->use_matrix, at);
        /* The reader's second choice. */
        bool is_chosen = !(p->loaded & 1) && matrix != FACET_J3D_NONE;
        if (is_chosen && c->draw_count > 0 && matrix >= c->draw_count)
            facet_tally_hit(&s->draws, at);
        p->loaded |= is_chosen;
    }
    return true;
}

static bool find_list(facet_j3d_checker *c, shapes *s, uint32_t index, packet *p)
{
    const facet_j3d_section_kind kind = FACET_J3D_SHP1;
    const facet_j3d_section *section = &c->sections[kind];
    uint32_t lists = facet_load_u32be(section->bytes + 0x28);
    uint64_t at = lists + (uint64_t)index * 8;
    if (lists == 0 || !facet_range_fits(at, 1, 8, section->size)) {
        facet_tally_hit(&s->lists, 0x28);
        return false;
    }
    uint32_t size = facet_load_u32be(section->bytes + at);
    uint64_t begin = (uint64_t)facet_load_u32be(section->bytes + 0x20) +
                     facet_load_u32be(section->bytes + at + 4);
    facet_j3d_note_used(c, kind, at, 8);
    if (!facet_range_fits(begin, size, 1, section->size)) {
        facet_tally_hit(&s->lists, at);
        return false;
    }
    if (size % 32 != 0)
        facet_tally_hit(&s->list_sizes, at);
    if (size > 0)
        facet_j3d_look_at_alignment(c, kind, begin, &s->lists_apart);
    facet_j3d_note_used(c, kind, begin, size);
    p->bytes = section->bytes + begin;
    p->size = size;
    return true;
}

/* -- Shapes ------------------------------------------------------------- */

/* Find the layout of a shape's vertices by the reader's rules. */
static bool find_layout(facet_j3d_checker *c, const uint8_t *entry, facet_j3d_vertex_layout *layout)
{
    const facet_j3d_section_kind kind = FACET_J3D_SHP1;
    const facet_j3d_section *section = &c->sections[kind];
    facet_j3d_descriptor descriptors[32];
    facet_j3d_shape shape = {.first_descriptor = 0};
    uint32_t offset = facet_load_u16be(entry + 4);
    uint64_t begin = (uint64_t)facet_load_u32be(section->bytes + 0x18) + offset;
    uint64_t field = facet_j3d_offset_of(c, kind, entry) + 4;
    uint32_t count = 0;
    facet_error error;
    if (offset % 8 != 0) {
        facet_j3d_say(c, FACET_SEVERITY_ERROR, kind, field, "J3D-SHP1-DESCRIPTOR",
                      "the attributes of a shape begin at byte %" PRIu32
                      " of their table, expected a multiple of 8",
                      offset);
        return false;
    }
    for (bool ends = false; !ends && count < 32; count++) {
        uint64_t at = begin + (uint64_t)count * 8;
        if (!facet_range_fits(at, 1, 8, section->size))
            break;
        descriptors[count].attribute = facet_load_u32be(section->bytes + at);
        descriptors[count].input = facet_load_u32be(section->bytes + at + 4);
        ends = descriptors[count].attribute == FACET_J3D_ATTRIBUTE_END;
    }
    if (begin + (uint64_t)count * 8 <= section->size)
        facet_j3d_note_used(c, kind, begin, (uint64_t)count * 8);
    c->scratch->shapes.descriptors = descriptors;
    c->scratch->shapes.descriptor_count = count;
    facet_status status = facet_j3d_vertex_layout_make(c->scratch, &shape, begin, layout, &error);
    c->scratch->shapes.descriptors = NULL;
    c->scratch->shapes.descriptor_count = 0;
    if (status)
        facet_j3d_say(c, FACET_SEVERITY_ERROR, kind, count > 0 ? begin : field,
                      "J3D-SHP1-DESCRIPTOR", "%s", error.message);
    else if (!layout->is_sorted)
        facet_j3d_say(c, FACET_SEVERITY_WARNING, kind, begin, "J3D-SHP1-DESCRIPTOR-ORDER",
                      "the attributes of a shape are not in ascending order");
    return status == FACET_OK;
}

static void look_for_arrays(facet_j3d_checker *c, const facet_j3d_vertex_layout *layout,
                            uint64_t at)
{
    for (uint32_t i = 0; c->has_vertices && i < layout->part_count; i++) {
        uint8_t array = layout->parts[i].array;
        if (array != FACET_J3D_NO_ARRAY && !c->scratch->vertices.arrays[array].bytes)
            facet_j3d_say(c, FACET_SEVERITY_ERROR, FACET_J3D_SHP1, at, "J3D-DL-ARRAY",
                          "vertices have attribute 0x%02X, which has no array",
                          (unsigned)layout->parts[i].attribute);
    }
}

static void look_at_shape(facet_j3d_checker *c, shapes *s, uint32_t index)
{
    const facet_j3d_section_kind kind = FACET_J3D_SHP1;
    const uint8_t *entry = s->entries + (size_t)index * SHAPE_SIZE;
    uint64_t place = facet_j3d_offset_of(c, kind, entry);
    uint32_t packets = facet_load_u16be(entry + 2);
    facet_j3d_vertex_layout layout;
    packet p = {NULL, 0, 0};
    c->packet_total += packets;
    if (entry[0] > FACET_J3D_SHAPE_MULTI)
        facet_tally_hit(&s->types, place);
    facet_j3d_look_at_floats(c, kind, entry + 0x0C, 7, &s->floats);
    if (!find_layout(c, entry, &layout))
        return;
    look_for_arrays(c, &layout, place + 4);
    if (entry[0] == FACET_J3D_SHAPE_MULTI && !layout.has_position_matrix)
        facet_tally_hit(&s->no_matrix_index, place);
    for (uint32_t k = 0; k < packets; k++) {
        bool has_group = look_at_group(c, s, entry[0], facet_load_u16be(entry + 6) + k, k == 0, &p);
        bool has_list = find_list(c, s, facet_load_u16be(entry + 8) + k, &p);
        uint64_t cost = (uint64_t)(has_list ? p.size : 0) + 16;
        if (cost > s->work) {
            s->is_shared_too_much = true;
            if (has_list)
                facet_j3d_say(c, FACET_SEVERITY_ERROR, kind, 0x28, "J3D-SHP1-SHARED",
                              "display lists share their bytes; expanded they are more than %d "
                              "times the section",
                              FACET_J3D_MAX_DRAWN);
            return;
        }
        s->work -= cost;
        if (!has_group)
            p.loaded = (1u << FACET_J3D_SLOTS) - 1; /* already reported */
        if (has_list)
            walk_list(c, s, &layout, &p);
    }
}

static void say_packets(facet_j3d_checker *c, const shapes *s)
{
    const facet_j3d_section_kind kind = FACET_J3D_SHP1;
    facet_j3d_say_tally(c, FACET_SEVERITY_ERROR, kind, &s->types, "J3D-SHP1-TYPE",
                        "a shape is of an unknown type, expected 0 to 3");
    facet_j3d_say_tally(c, FACET_SEVERITY_ERROR, kind, &s->groups, "J3D-SHP1-GROUP",
                        "the matrix group of a packet is outside the section");
    facet_j3d_say_tally(c, FACET_SEVERITY_ERROR, kind, &s->group_counts, "J3D-SHP1-GROUP",
                        "the number of a packet's matrices is not 1 to %d", FACET_J3D_SLOTS);
    facet_j3d_say_tally(c, FACET_SEVERITY_ERROR, kind, &s->tables, "J3D-SHP1-MATRIX-TABLE",
                        "the matrices of a packet are outside the section");
    facet_j3d_say_tally(c, FACET_SEVERITY_ERROR, kind, &s->draws, "J3D-SHP1-MATRIX",
                        "a packet has a draw matrix beyond the %" PRIu32 " of the model",
                        c->draw_count);
    facet_j3d_say_tally(c, FACET_SEVERITY_WARNING, kind, &s->no_matrix_index,
                        "J3D-SHP1-MATRIX-INDEX",
                        "the vertices of a multi-matrix shape do not name their matrix");
    facet_j3d_say_tally(c, FACET_SEVERITY_ERROR, kind, &s->single, "J3D-SHP1-SINGLE",
                        "a single-matrix shape has several matrices");
    facet_j3d_say_tally(c, FACET_SEVERITY_WARNING, kind, &s->use_matrix, "J3D-SHP1-USE-MATRIX",
                        "the matrix of a single-matrix shape is not the one in its table");
    facet_j3d_say_tally(c, FACET_SEVERITY_ERROR, kind, &s->slots, "J3D-SHP1-SLOT",
                        "the first packet of a shape keeps a matrix that nothing has loaded");
    facet_j3d_say_floats(c, kind, &s->floats, "shapes");
}

static void say_lists(facet_j3d_checker *c, const shapes *s)
{
    const facet_j3d_section_kind kind = FACET_J3D_SHP1;
    facet_j3d_say_tally(c, FACET_SEVERITY_ERROR, kind, &s->lists, "J3D-SHP1-LIST",
                        "a display list is outside the section");
    facet_j3d_say_alignment(c, FACET_SEVERITY_ERROR, kind, &s->lists_apart, "a display list");
    facet_j3d_say_tally(c, FACET_SEVERITY_ERROR, kind, &s->opcodes, "J3D-DL-OPCODE",
                        "a display list has a command that does not draw");
    facet_j3d_say_tally(c, FACET_SEVERITY_ERROR, kind, &s->formats, "J3D-DL-FORMAT",
                        "a primitive names another vertex format than 0, the only one that games "
                        "set");
    facet_j3d_say_tally(c, FACET_SEVERITY_ERROR, kind, &s->cut, "J3D-DL-VERTICES",
                        "the vertices of a primitive run over the end of the display list");
    facet_j3d_say_tally(c, FACET_SEVERITY_WARNING, kind, &s->list_sizes, "J3D-DL-SIZE",
                        "the size of a display list is not a multiple of 32 bytes");
    facet_j3d_say_tally(c, FACET_SEVERITY_WARNING, kind, &s->tails, "J3D-DL-TAIL",
                        "a display list ends with other bytes than zeros");
    facet_j3d_say_tally(c, FACET_SEVERITY_WARNING, kind, &s->counts, "J3D-DL-COUNT",
                        "a primitive has a number of vertices that leaves some over");
    facet_j3d_say_tally(c, FACET_SEVERITY_ERROR, kind, &s->matrices, "J3D-DL-MATRIX",
                        "a vertex has a matrix index that is not 3 times a slot that is loaded, or "
                        "none where slot 0 is not loaded");
    facet_j3d_say_tally(c, FACET_SEVERITY_WARNING, kind, &s->texture_matrices,
                        "J3D-DL-TEXTURE-MATRIX",
                        "a texture matrix index is not 30, 33, ... 57 or 60");
    for (uint32_t i = 0; i < FACET_J3D_ARRAY_COUNT; i++)
        facet_j3d_say_tally(c, FACET_SEVERITY_ERROR, kind, &s->indices[i], "J3D-DL-INDEX",
                            "a vertex points beyond the %" PRIu32 " elements of vertex array "
                            "%" PRIu32,
                            c->capacity[i], i);
}

void facet_j3d_check_shp1(facet_j3d_checker *c)
{
    const facet_j3d_section_kind kind = FACET_J3D_SHP1;
    shapes s = {0};
    if (!facet_j3d_has_head(c, kind, 0x2C, "J3D-SHP1-SIZE"))
        return;
    s.count = facet_load_u16be(c->sections[kind].bytes + 0x08);
    s.entries =
        facet_j3d_check_records(c, kind, 0x0C, s.count, SHAPE_SIZE, "J3D-SHP1-ENTRIES", "shapes");
    facet_j3d_look_at_remap(c, kind, 0x10, s.count, s.count, true, "J3D-SHP1-REMAP");
    if (!s.entries)
        return;
    c->shape_count = s.count;
    s.work = (uint64_t)c->sections[kind].size * FACET_J3D_MAX_DRAWN;
    bool has_lists = facet_load_u32be(c->sections[kind].bytes + 0x18) != 0;
    if (!has_lists)
        facet_j3d_say(c, FACET_SEVERITY_ERROR, kind, 0x18, "J3D-SHP1-DESCRIPTOR",
                      "the attributes are missing, and %" PRIu32 " shapes need them", s.count);
    for (uint32_t i = 0; i < s.count && has_lists && !s.is_shared_too_much; i++)
        look_at_shape(c, &s, i);
    say_packets(c, &s);
    say_lists(c, &s);
}
