/* formats/j3d/patch/packets.c - texture registers in packets.
 *
 * A material is baked twice, with the old and with the new textures. Registers that differ are
 * overwritten in the packet, independent of its exporter. Different loads of palettes are removed
 * and inserted. */
#include "formats/j3d/patch/packets.h"

#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/size.h"
#include "formats/j3d/file/mdl3.h"
#include "formats/j3d/gpu/mdl3_bake.h"

#include <string.h>

enum { OPCODE_NOTHING = 0x00, OPCODE_CP = 0x08, OPCODE_XF = 0x10, OPCODE_BP = 0x61 };

/* Size in bytes of the command at `at`; 0 if it is invalid. */
static size_t command_size(const uint8_t *at, const uint8_t *end)
{
    size_t size = *at == OPCODE_NOTHING ? 1
                  : *at == OPCODE_CP    ? 6
                  : *at == OPCODE_BP    ? 5
                  : *at == OPCODE_XF && end - at >= 3
                      ? 5 + ((size_t)facet_load_u16be(at + 1) + 1) * 4
                      : 0;
    return size <= (size_t)(end - at) ? size : 0;
}

/* The four bytes of the next write to a BP register. */
static const uint8_t *next_register(const uint8_t *at, const uint8_t *end, const uint8_t **after)
{
    while (at < end) {
        size_t size = command_size(at, end);
        if (size == 0)
            return NULL;
        if (*at == OPCODE_BP) {
            *after = at + size;
            return at + 1;
        }
        at += size;
    }
    return NULL;
}

/* True for registers of textures, and of the sizes that scale coordinates. */
static bool is_of_textures(uint8_t number)
{
    return (number >= 0x80 && number < 0xC0) || (number >= 0x30 && number < 0x40);
}

/* Get the last value of every register; without[n] is true if register n is never written. */
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

/* -- Palettes ----------------------------------------------------------- */

enum { MAPS = 8, LOAD_SIZE = 7 * 5 };

/* The commands that load the palette of each map. */
typedef struct palette_loads {
    const uint8_t *of[MAPS]; /* NULL: none */
} palette_loads;

/* The map of a register, if its first four maps begin at `first`; else MAPS. */
static uint32_t map_of(uint8_t number, uint8_t first)
{
    uint32_t map = (number & 0xDFu) - first;
    return map < 4 ? map + (number & 0x20 ? 4 : 0) : MAPS;
}

/* The map whose palette the commands at `at` load; MAPS for other commands. */
static uint32_t loaded_map(const uint8_t *at, const uint8_t *end)
{
    static const uint8_t numbers[6] = {0xFE, 0x0F, 0x64, 0x65, 0xFE, 0x0F};
    if (end - at < LOAD_SIZE)
        return MAPS;
    for (int i = 0; i < 7; i++) {
        if (at[i * 5] != OPCODE_BP || (i < 6 && at[i * 5 + 1] != numbers[i]))
            return MAPS;
    }
    return map_of(at[LOAD_SIZE - 4], 0x98);
}

static palette_loads find_loads(const facet_j3d_packet *packet)
{
    palette_loads found = {{NULL}};
    const uint8_t *at = packet->bytes, *end = at + packet->size;
    for (size_t size; at < end && (size = command_size(at, end)) > 0; at += size) {
        uint32_t map = loaded_map(at, end);
        if (map < MAPS)
            found.of[map] = at;
    }
    return found;
}

static bool is_same_load(const uint8_t *a, const uint8_t *b)
{
    return a && b ? memcmp(a, b, LOAD_SIZE) == 0 : a == b;
}

/* A copy of a packet with other loads. */
typedef struct copy {
    uint8_t *bytes;
    size_t size, content; /* content is the size without padding */
} copy;

static void put(copy *to, const uint8_t *bytes, size_t size)
{
    memcpy(to->bytes + to->size, bytes, size);
    to->size += size;
    if (*bytes != OPCODE_NOTHING)
        to->content = to->size;
}

/* Update parts of a packet: those that begin at up to `from` begin at `to` in the copy. */
static void move_parts(const facet_j3d_packet *packet, size_t from, size_t to,
                       facet_j3d_packet *made)
{
    const uint16_t *old[] = {&packet->channel_colors,
                             &packet->channel_control,
                             &packet->texgens,
                             &packet->textures,
                             &packet->tev,
                             &packet->pixel_engine};
    uint16_t *new[] = {
        &made->channel_colors, &made->channel_control, &made->texgens, &made->textures, &made->tev,
        &made->pixel_engine};
    for (size_t i = 0; i < sizeof new / sizeof *new; i++) {
        if (*new[i] == UINT16_MAX &&*old[i] <= from)
            *new[i] = (uint16_t)to;
    }
}

/* Remove the loads of `was`, and insert those of `is` after the mode of their map. False if the
 * packet has no mode, or invalid commands. */
static bool change_loads(const facet_j3d_packet *packet, const palette_loads *was,
                         const palette_loads *is, copy *to, facet_j3d_packet *made)
{
    const uint8_t *at = packet->bytes, *end = at + packet->size;
    bool done[MAPS];
    for (uint32_t map = 0; map < MAPS; map++)
        done[map] = is_same_load(was->of[map], is->of[map]) || !is->of[map];
    while (at < end) {
        size_t size = command_size(at, end);
        uint32_t map = loaded_map(at, end);
        if (size == 0)
            return false;
        move_parts(packet, (size_t)(at - packet->bytes), to->size, made);
        if (map < MAPS && !is_same_load(was->of[map], is->of[map])) {
            at += LOAD_SIZE;
            continue;
        }
        put(to, at, size);
        map = *at == OPCODE_BP ? map_of(at[1], 0x84) : MAPS;
        if (map < MAPS && !done[map]) {
            put(to, is->of[map], LOAD_SIZE);
            done[map] = true;
        }
        at += size;
    }
    move_parts(packet, UINT16_MAX, to->size, made);
    return !memchr(done, false, sizeof done);
}

/* Update the palette loads of a packet. *fits is true if it could be changed. */
static facet_status fit_loads(facet_j3d *document, facet_j3d_packet *packet,
                              const facet_j3d_packet *before, const facet_j3d_packet *after,
                              bool *fits, facet_error *error)
{
    const palette_loads was = find_loads(before), is = find_loads(after);
    bool same = true;
    for (uint32_t map = 0; map < MAPS; map++)
        same &= is_same_load(was.of[map], is.of[map]);
    *fits = true;
    if (same)
        return FACET_OK;
    size_t space = (size_t)packet->size + MAPS * LOAD_SIZE + 32;
    copy to = {.bytes = facet_arena_allocate_zeroed(document->arena, space, 1)};
    facet_j3d_packet made = *packet;
    if (!to.bytes)
        return facet_fail_arena(document->arena, error);
    made.channel_colors = made.channel_control = made.texgens = UINT16_MAX;
    made.textures = made.tev = made.pixel_engine = UINT16_MAX;
    *fits = change_loads(packet, &was, &is, &to, &made);
    if (!*fits)
        return FACET_OK;
    made.size = (uint32_t)facet_align_up(to.content, 32);
    memset(to.bytes + to.content, 0, made.size - to.content);
    made.bytes = to.bytes;
    *packet = made;
    return FACET_OK;
}

/* -- All packets -------------------------------------------------------- */

/* Bake a packet again if its form is unknown. */
static facet_status bake_anew(facet_j3d *document, const facet_j3d_material *material,
                              facet_j3d_packet *packet, facet_error *error)
{
    uint8_t bytes[FACET_J3D_PACKET_CAPACITY];
    facet_j3d_packet baked;
    facet_j3d_bake_packet(material, &document->textures, facet_j3d_has_narrow_mask(document), bytes,
                          &baked);
    uint8_t *kept = facet_arena_allocate(document->arena, baked.size, 1);
    if (!kept)
        return facet_fail_arena(document->arena, error);
    memcpy(kept, bytes, baked.size);
    *packet = baked;
    packet->bytes = kept;
    return FACET_OK;
}

/* Update the packet of material materials[1], which was materials[0]. */
static facet_status change(facet_j3d *document, const facet_j3d_material materials[2],
                           const facet_j3d_textures *before, facet_j3d_packet *packet,
                           facet_error *error)
{
    uint8_t old[FACET_J3D_PACKET_CAPACITY], new[FACET_J3D_PACKET_CAPACITY];
    facet_j3d_packet without, with;
    uint32_t was[256], is[256];
    bool fits;
    facet_j3d_bake_packet(&materials[0], before, false, old, &without);
    facet_j3d_bake_packet(&materials[1], &document->textures, false, new, &with);
    if (without.size == with.size && memcmp(old, new, with.size) == 0)
        return FACET_OK;
    TRY(fit_loads(document, packet, &without, &with, &fits, error));
    if (!fits)
        return bake_anew(document, &materials[1], packet, error);
    load(&without, was);
    load(&with, is);
    return patch(document, packet, was, is, error);
}

facet_status facet_j3d_patch_packets(facet_j3d *document, const facet_j3d *before,
                                     facet_error *error)
{
    facet_j3d_packets *packets = &document->packets;
    facet_j3d_packet *items = facet_arena_allocate(document->arena, packets->count, sizeof *items);
    facet_j3d_material *materials = facet_arena_allocate(document->arena, 2, sizeof *materials);
    if (!items || !materials)
        return facet_fail_arena(document->arena, error);
    memcpy(items, packets->items, packets->count * sizeof *items);
    packets->items = items;
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < packets->count && !status; i++) {
        if (i >= document->materials.slot_count || i >= before->materials.slot_count)
            break;
        TRY(facet_j3d_get_material(before, i, &materials[0], error));
        TRY(facet_j3d_get_material(document, i, &materials[1], error));
        status = change(document, materials, &before->textures, &items[i], error);
    }
    return status;
}
