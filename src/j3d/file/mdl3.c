/* j3d/file/mdl3.c - materials as GX register writes. */
#include "j3d/file/writer.h"

#include <inttypes.h>
#include <string.h>

#define HEAD 0x24
#define PACKET 8
#define INFO 0x10
#define INDICES 8

/* Packets may share their bytes, but a copy stays linear in the file. */
#define MOST_SHARED 16

/* -- Reading ------------------------------------------------------------ */

/* The offset of a packet counts from its own line of the table. */
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
    if (total > (uint64_t)reader->sections[FACET_J3D_MDL3].size * MOST_SHARED)
        return facet_j3d_fault(reader, FACET_J3D_MDL3, 0x0C, "J3D-MDL3-SHARED",
                               "packets share their bytes so much that all together are more than "
                               "%d times the section",
                               MOST_SHARED);
    packets->count = count;
    status = facet_j3d_read_remap(reader, FACET_J3D_MDL3, 0x1C, count, count, "J3D-MDL3-REMAP",
                                  &packets->remap);
    return status ? status : facet_j3d_read_names(reader, FACET_J3D_MDL3, 0x20, &packets->names);
}

/* -- Writing ------------------------------------------------------------ */

static void put_packets(facet_j3d_writer *writer, const facet_j3d_packets *packets)
{
    size_t table = facet_j3d_place(writer);
    facet_j3d_patch_here(writer, 0x0C);
    facet_j3d_put_zeros(writer, (size_t)packets->count * PACKET);
    facet_j3d_pad(writer, 32);
    for (uint32_t i = 0; i < packets->count; i++) {
        size_t line = table + (size_t)i * PACKET, begin = facet_j3d_place(writer);
        facet_j3d_patch(writer, line, (uint32_t)(begin - line));
        facet_j3d_put(writer, packets->items[i].bytes, packets->items[i].size);
        facet_j3d_pad_zeros(writer, 32);
        facet_j3d_patch(writer, line + 4, (uint32_t)(facet_j3d_place(writer) - begin));
    }
}

static void put_infos(facet_j3d_writer *writer, const facet_j3d_packets *packets)
{
    facet_j3d_patch_here(writer, 0x10);
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
    facet_j3d_patch_here(writer, 0x14);
    for (uint32_t i = 0; i < packets->count; i++) {
        facet_j3d_put_u32(writer, packets->items[i].matrix_indices[0]);
        facet_j3d_put_u32(writer, packets->items[i].matrix_indices[1]);
    }
    facet_j3d_patch_here(writer, 0x18);
    for (uint32_t i = 0; i < packets->count; i++)
        facet_j3d_put_u8(writer, packets->items[i].mode);
}

facet_status facet_j3d_write_mdl3(facet_j3d_writer *writer)
{
    const facet_j3d_packets *packets = &writer->document->packets;
    facet_status status = facet_j3d_fits_u16(writer, packets->count, "J3D-MDL3-TABLE", "packets");
    if (status)
        return status;
    facet_j3d_put_u16(writer, (uint16_t)packets->count);
    facet_j3d_put_u16(writer, 0xFFFF);
    facet_j3d_put_zeros(writer, HEAD - 0x0C);
    facet_j3d_pad(writer, 32);
    put_packets(writer, packets);
    put_infos(writer, packets);
    facet_j3d_pad(writer, 4);
    facet_j3d_patch_here(writer, 0x1C);
    facet_j3d_put_u16s(writer, packets->remap, packets->count);
    facet_j3d_pad(writer, 4);
    return facet_j3d_put_names(writer, &packets->names, 0x20);
}
