/* formats/j3d/file/mdl3.c - materials as GX register writes. */
#include "formats/j3d/file/mdl3.h"

#include "formats/j3d/file/reader.h"
#include "formats/j3d/file/writer.h"

#include <facet/gx.h>
#include <inttypes.h>
#include <string.h>

#define HEAD 0x24
#define PACKET 8
#define INFO 0x10
#define INDICES 8

/* Packets can share bytes, but a copy of all of them stays linear in the file size. */
#define MAX_SHARED 16

/* -- Reading ------------------------------------------------------------ */

/* Read one packet. Its offset counts from its own line of the table. */
static facet_status read_packet(const facet_j3d_reader *reader, const uint8_t *line,
                                facet_j3d_packet *packet)
{
    const facet_j3d_section *section = &reader->sections[FACET_J3D_MDL3];
    uint64_t at = (uint64_t)(line - section->bytes);
    uint64_t begin = at + facet_load_u32be(line);
    packet->size = facet_load_u32be(line + 4);
    if (!facet_range_fits(begin, packet->size, 1, section->size))
        return facet_j3d_fault(reader, FACET_J3D_MDL3, at, "J3D-MDL3-PACKET",
                               "a packet of %" PRIu32 " bytes at 0x%" PRIX64
                               " runs over the end of the section",
                               packet->size, begin);
    packet->bytes = section->bytes + begin;
    return FACET_OK;
}

static void load_info(const uint8_t *at, facet_j3d_packet *packet)
{
    packet->channel_colors = facet_load_u16be(at);
    packet->channel_control = facet_load_u16be(at + 2);
    packet->texgens = facet_load_u16be(at + 4);
    packet->textures = facet_load_u16be(at + 6);
    packet->tev = facet_load_u16be(at + 8);
    packet->pixel_engine = facet_load_u16be(at + 10);
    memcpy(packet->reserved, at + 12, sizeof packet->reserved);
}

/* True if the name table has only the count, with padding after it, as SuperBMD writes it. */
static bool has_bare_names(const facet_j3d_reader *reader)
{
    const facet_j3d_section *section = &reader->sections[FACET_J3D_MDL3];
    uint32_t table = facet_load_u32be(section->bytes + 0x20);
    bool bare = table != 0 && table + 4 <= section->size && section->size - table <= 32 &&
                facet_load_u16be(section->bytes + table) == 0 &&
                facet_load_u16be(section->bytes + table + 2) != 0xFFFF;
    if (bare)
        facet_j3d_learn_padding(reader, FACET_J3D_MDL3, table + 2);
    return bare;
}

facet_status facet_j3d_read_mdl3(facet_j3d_reader *reader)
{
    const uint8_t *bytes = reader->sections[FACET_J3D_MDL3].bytes;
    facet_j3d_packets *packets = &reader->document->packets;
    facet_status status = facet_j3d_need_head(reader, FACET_J3D_MDL3, HEAD, "J3D-MDL3-SIZE");
    if (status)
        return status;
    uint16_t count = facet_load_u16be(bytes + 0x08);
    const uint8_t *lines, *infos, *indices, *modes;
    status = facet_j3d_find_table(reader, FACET_J3D_MDL3, 0x0C, count, PACKET, "J3D-MDL3-TABLE",
                                  "packets", &lines);
    if (!status)
        status = facet_j3d_find_table(reader, FACET_J3D_MDL3, 0x10, count, INFO, "J3D-MDL3-TABLE",
                                      "packet infos", &infos);
    if (!status)
        status = facet_j3d_find_table(reader, FACET_J3D_MDL3, 0x14, count, INDICES,
                                      "J3D-MDL3-TABLE", "matrix indices", &indices);
    if (!status)
        status = facet_j3d_find_table(reader, FACET_J3D_MDL3, 0x18, count, 1, "J3D-MDL3-TABLE",
                                      "material modes", &modes);
    if (!status)
        status = facet_j3d_make(reader, count, sizeof *packets->items, &packets->items);
    uint64_t total = 0;
    for (uint32_t i = 0; !status && i < count; i++) {
        facet_j3d_packet *packet = &packets->items[i];
        status = read_packet(reader, lines + (size_t)i * PACKET, packet);
        load_info(infos + (size_t)i * INFO, packet);
        packet->matrix_indices[0] = facet_load_u32be(indices + (size_t)i * INDICES);
        packet->matrix_indices[1] = facet_load_u32be(indices + (size_t)i * INDICES + 4);
        packet->mode = modes[i];
        total += packet->size;
    }
    if (status)
        return status;
    if (total > (uint64_t)reader->sections[FACET_J3D_MDL3].size * MAX_SHARED)
        return facet_j3d_fault(reader, FACET_J3D_MDL3, 0x0C, "J3D-MDL3-SHARED",
                               "packets share their bytes; expanded they are more than "
                               "%d times the section",
                               MAX_SHARED);
    packets->count = count;
    status = facet_j3d_read_remap(reader, FACET_J3D_MDL3, 0x1C, count, count, "J3D-MDL3-REMAP",
                                  &packets->remap);
    if (!status)
        status = facet_j3d_read_names(reader, FACET_J3D_MDL3, 0x20, &packets->names);
    if (!status)
        reader->document->layout.bare_packet_names = has_bare_names(reader);
    return status;
}

/* -- Writing ------------------------------------------------------------ */

static void put_packets(facet_j3d_writer *writer, const facet_j3d_packets *packets)
{
    size_t table = facet_j3d_writer_position(writer);
    facet_j3d_patch_to_position(writer, 0x0C);
    facet_j3d_put_zeros(writer, (size_t)packets->count * PACKET);
    facet_j3d_pad(writer, 32);
    for (uint32_t i = 0; i < packets->count; i++) {
        size_t line = table + (size_t)i * PACKET, begin = facet_j3d_writer_position(writer);
        facet_j3d_patch(writer, line, (uint32_t)(begin - line));
        facet_j3d_put(writer, packets->items[i].bytes, packets->items[i].size);
        facet_j3d_pad_zeros(writer, 32);
        facet_j3d_patch(writer, line + 4, (uint32_t)(facet_j3d_writer_position(writer) - begin));
    }
}

static void put_infos(facet_j3d_writer *writer, const facet_j3d_packets *packets)
{
    facet_j3d_patch_to_position(writer, 0x10);
    for (uint32_t i = 0; i < packets->count; i++) {
        const facet_j3d_packet *packet = &packets->items[i];
        facet_j3d_put_u16(writer, packet->channel_colors);
        facet_j3d_put_u16(writer, packet->channel_control);
        facet_j3d_put_u16(writer, packet->texgens);
        facet_j3d_put_u16(writer, packet->textures);
        facet_j3d_put_u16(writer, packet->tev);
        facet_j3d_put_u16(writer, packet->pixel_engine);
        facet_j3d_put(writer, packet->reserved, sizeof packet->reserved);
    }
    facet_j3d_patch_to_position(writer, 0x14);
    for (uint32_t i = 0; i < packets->count; i++) {
        facet_j3d_put_u32(writer, packets->items[i].matrix_indices[0]);
        facet_j3d_put_u32(writer, packets->items[i].matrix_indices[1]);
    }
    facet_j3d_patch_to_position(writer, 0x18);
    for (uint32_t i = 0; i < packets->count; i++)
        facet_j3d_put_u8(writer, packets->items[i].mode);
}

facet_status facet_j3d_write_mdl3(facet_j3d_writer *writer)
{
    const facet_j3d_packets *packets = &writer->document->packets;
    TRY(facet_j3d_fits_u16(writer, packets->count, "J3D-MDL3-TABLE", "packets"));
    facet_j3d_put_u16(writer, (uint16_t)packets->count);
    facet_j3d_put_u16(writer, 0xFFFF);
    facet_j3d_put_zeros(writer, HEAD - 0x0C);
    facet_j3d_pad(writer, 32);
    put_packets(writer, packets);
    put_infos(writer, packets);
    facet_j3d_pad(writer, 4);
    facet_j3d_patch_to_position(writer, 0x1C);
    facet_j3d_put_u16s(writer, packets->remap, packets->count);
    facet_j3d_pad(writer, 4);
    if (packets->names.count == 0 && writer->document->layout.bare_packet_names) {
        facet_j3d_patch_to_position(writer, 0x20);
        facet_j3d_put_u16(writer, 0);
        return FACET_OK;
    }
    return facet_j3d_put_names(writer, &packets->names, 0x20);
}

/* -- Register writes ---------------------------------------------------- */

facet_j3d_load_list facet_j3d_loads_of(const uint8_t *bytes, uint32_t size)
{
    facet_j3d_load_list list = {bytes, size, 0};
    return list;
}

bool facet_j3d_next_load(facet_j3d_load_list *list, facet_j3d_load *load)
{
    while (list->position < list->size && list->bytes[list->position] == 0)
        list->position++;
    uint32_t left = list->size - list->position, length;
    if (left == 0)
        return false;
    const uint8_t *at = list->bytes + list->position;
    memset(load, 0, sizeof *load);
    load->offset = list->position;
    load->count = 1;
    if (at[0] == 0x61 && left >= 5) {
        load->space = FACET_J3D_SPACE_BP;
        load->address = at[1];
        load->value = facet_load_u32be(at + 1) & 0xFFFFFF;
        length = 5;
    } else if (at[0] == 0x08 && left >= 6) {
        load->space = FACET_J3D_SPACE_CP;
        load->address = at[1];
        load->value = facet_load_u32be(at + 2);
        length = 6;
    } else if (at[0] == 0x10 && left >= 9) {
        load->space = FACET_J3D_SPACE_XF;
        load->count = facet_load_u16be(at + 1) + 1u;
        load->address = facet_load_u16be(at + 3);
        if (load->count > (left - 5) / 4)
            return false;
        load->words = at + 5;
        load->value = facet_load_u32be(at + 5);
        length = 5 + load->count * 4;
    } else {
        return false;
    }
    list->position += length;
    return true;
}

/* -- Generations -------------------------------------------------------- */

/* The mask before the blend register; 0 if the packet has none. */
static uint32_t mask_of_packet(const facet_j3d_packet *packet)
{
    facet_j3d_load_list list = facet_j3d_loads_of(packet->bytes, packet->size);
    facet_j3d_load load;
    uint32_t mask = 0;
    while (facet_j3d_next_load(&list, &load)) {
        if (load.space == FACET_J3D_SPACE_BP && load.address == 0x41)
            return mask;
        mask = load.space == FACET_J3D_SPACE_BP && load.address == 0xFE ? load.value : 0;
    }
    return 0;
}

bool facet_j3d_has_narrow_mask(const facet_j3d *document)
{
    for (uint32_t i = 0; i < document->packets.count; i++) {
        uint32_t mask = mask_of_packet(&document->packets.items[i]);
        if (mask != 0)
            return mask == 0x001FE7;
    }
    /* Exporters of generation A write transparency class 0. Later ones write 0 only for RGB565, of
     * texels or of a palette. */
    for (uint32_t i = 0; i < document->textures.count; i++) {
        const facet_bti_header *header = &document->textures.items[i].header;
        bool indexed = facet_gx_palette_limit((facet_gx_format)header->format) > 0;
        bool opaque = indexed ? header->palette_format == FACET_GX_PALETTE_RGB565
                              : header->format == FACET_GX_RGB565;
        if (!opaque && header->transparency <= 2)
            return header->transparency == 0;
    }
    return document->layout.narrow_blend_mask;
}
