/* gx/bti.c - the 32 bytes before a GX texture. */
#include "base/bytes.h"

#include <facet/gx_bti.h>

void facet_bti_header_load(const uint8_t bytes[FACET_BTI_HEADER_SIZE], facet_bti_header *header)
{
    header->format = bytes[0x00];
    header->transparency = bytes[0x01];
    header->width = facet_load_u16be(bytes + 0x02);
    header->height = facet_load_u16be(bytes + 0x04);
    header->wrap_s = bytes[0x06];
    header->wrap_t = bytes[0x07];
    header->has_palette = bytes[0x08];
    header->palette_format = bytes[0x09];
    header->palette_count = facet_load_u16be(bytes + 0x0A);
    header->palette_offset = facet_load_u32be(bytes + 0x0C);
    header->has_mipmaps = bytes[0x10];
    header->edge_lod = bytes[0x11];
    header->lod_bias_clamp = bytes[0x12];
    header->max_anisotropy = bytes[0x13];
    header->min_filter = bytes[0x14];
    header->mag_filter = bytes[0x15];
    header->min_lod = (int8_t)bytes[0x16];
    header->max_lod = (int8_t)bytes[0x17];
    header->level_count = bytes[0x18];
    header->unused = bytes[0x19];
    header->lod_bias = (int16_t)facet_load_u16be(bytes + 0x1A);
    header->image_offset = facet_load_u32be(bytes + 0x1C);
}

void facet_bti_header_store(const facet_bti_header *header, uint8_t bytes[FACET_BTI_HEADER_SIZE])
{
    bytes[0x00] = header->format;
    bytes[0x01] = header->transparency;
    facet_store_u16be(bytes + 0x02, header->width);
    facet_store_u16be(bytes + 0x04, header->height);
    bytes[0x06] = header->wrap_s;
    bytes[0x07] = header->wrap_t;
    bytes[0x08] = header->has_palette;
    bytes[0x09] = header->palette_format;
    facet_store_u16be(bytes + 0x0A, header->palette_count);
    facet_store_u32be(bytes + 0x0C, header->palette_offset);
    bytes[0x10] = header->has_mipmaps;
    bytes[0x11] = header->edge_lod;
    bytes[0x12] = header->lod_bias_clamp;
    bytes[0x13] = header->max_anisotropy;
    bytes[0x14] = header->min_filter;
    bytes[0x15] = header->mag_filter;
    bytes[0x16] = (uint8_t)header->min_lod;
    bytes[0x17] = (uint8_t)header->max_lod;
    bytes[0x18] = header->level_count;
    bytes[0x19] = header->unused;
    facet_store_u16be(bytes + 0x1A, (uint16_t)header->lod_bias);
    facet_store_u32be(bytes + 0x1C, header->image_offset);
}
