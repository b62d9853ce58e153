/* formats/j3d/patch/packets.c - the registers of textures in packets.
 *
 * A material is baked twice, with the textures as they were and as they are: registers
 * that differ then are overwritten in the packet, whoever wrote it. */
#include "formats/j3d/patch/packets.h"

#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"
#include "formats/j3d/gpu/mdl3_bake.h"

#include <string.h>

enum { OPCODE_NOTHING = 0x00, OPCODE_CP = 0x08, OPCODE_XF = 0x10, OPCODE_BP = 0x61 };

/* The next register of the chip's back end that is written: where its four bytes are. */
static const uint8_t *next_register(const uint8_t *at, const uint8_t *end, const uint8_t **after)
{
    while (at < end) {
        size_t size = *at == OPCODE_NOTHING ? 1
                      : *at == OPCODE_CP    ? 6
                      : *at == OPCODE_BP    ? 5
                      : *at == OPCODE_XF && end - at >= 3
                          ? 5 + ((size_t)facet_load_u16be(at + 1) + 1) * 4
                          : SIZE_MAX;
        if (size > (size_t)(end - at))
            return NULL;
        if (*at == OPCODE_BP) {
            *after = at + size;
            return at + 1;
        }
        at += size;
    }
    return NULL;
}

/* Registers of textures, and of their sizes by which coordinates are scaled. */
static bool is_of_textures(uint8_t number)
{
    return (number >= 0x80 && number < 0xC0) || (number >= 0x30 && number < 0x40);
}

/* The last value of every register; without[n]: it is never written. */
static void load(const facet_j3d_packet *packet, uint32_t values[256])
{
    const uint8_t *at = packet->bytes, *end = at + packet->size, *found;
    memset(values, 0xFF, 256 * sizeof *values);
    while ((found = next_register(at, end, &at)) != NULL)
        values[*found] = facet_load_u32be(found) & 0xFFFFFF;
}

static facet_status patch(facet_j3d *document, facet_j3d_packet *packet, const uint32_t was[256],
                          const uint32_t is[256], facet_error *error)
{
    uint8_t *bytes = facet_arena_allocate(document->arena, packet->size, 1);
    if (!bytes)
        return facet_fail_arena(document->arena, error);
    memcpy(bytes, packet->bytes, packet->size);
    const uint8_t *at = bytes, *end = bytes + packet->size, *found;
    while ((found = next_register(at, end, &at)) != NULL) {
        uint8_t number = *found, *to = bytes + (found - bytes);
        if (is_of_textures(number) && was[number] != is[number] && is[number] != UINT32_MAX)
            facet_store_u32be(to, (uint32_t)number << 24 | is[number]);
    }
    packet->bytes = bytes;
    return FACET_OK;
}

facet_status facet_j3d_patch_packets(facet_j3d *document, const facet_j3d_textures *before,
                                     facet_error *error)
{
    uint8_t bytes[FACET_J3D_PACKET_CAPACITY];
    facet_j3d_packets *packets = &document->packets;
    facet_j3d_packet *items = facet_arena_allocate(document->arena, packets->count, sizeof *items);
    facet_j3d_material *material = facet_arena_allocate(document->arena, 1, sizeof *material);
    if (!items || !material)
        return facet_fail_arena(document->arena, error);
    memcpy(items, packets->items, packets->count * sizeof *items);
    packets->items = items;
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < packets->count && !status; i++) {
        facet_j3d_packet baked;
        uint32_t was[256], is[256];
        if (i >= document->materials.slot_count)
            break;
        TRY(facet_j3d_get_material(document, i, material, error));
        facet_j3d_bake_packet(material, before, false, bytes, &baked);
        load(&baked, was);
        facet_j3d_bake_packet(material, &document->textures, false, bytes, &baked);
        load(&baked, is);
        if (memcmp(was, is, sizeof was) != 0)
            status = patch(document, &items[i], was, is, error);
    }
    return status;
}
