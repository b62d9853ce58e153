/* formats/j3d/fifo/materials.c - packets of baked materials with addresses, and other state that a
 * game sets: texture matrices and lights. */
#include "base/bytes.h"
#include "formats/j3d/fifo/frame.h"
#include "formats/j3d/file/mdl3.h"
#include "formats/j3d/gpu/mdl3_bake.h"
#include "gx/default_lights.h"
#include "gx/vertex.h"

#include <string.h>

/* -- Packets ------------------------------------------------------------ */

static bool is_image_register(uint32_t address)
{
    return (address >= 0x94 && address <= 0x97) || (address >= 0xB4 && address <= 0xB7);
}

/* Write a packet with addresses in units of 32 bytes, which a game's loader fills in. Fog is off,
 * as in Facet's pictures: it depends on the planes of a game. */
static void put_packet(facet_j3d_stream *s, const facet_j3d *document,
                       const facet_j3d_packet *packet, const facet_j3d_addresses *addresses)
{
    enum { PALETTE = 0x64, FOG = 0xF1 };
    uint32_t texture = FACET_J3D_NO_TEXELS;
    facet_j3d_load_list list = facet_j3d_loads_of(packet->bytes, packet->size);
    facet_j3d_load load;
    size_t begin = s->size;
    facet_j3d_stream_raw(s, packet->bytes, packet->size);
    if (s->size - begin != packet->size) /* out of memory, which the arena records */
        return;
    uint8_t *copy = s->bytes + begin;
    while (facet_j3d_next_load(&list, &load)) {
        uint32_t value;
        if (load.space != FACET_J3D_SPACE_BP)
            continue;
        if (is_image_register(load.address)) {
            texture = load.value;
            value = texture < document->textures.count ? addresses->images[texture] >> 5 : 0;
        } else if (load.address == PALETTE) {
            value = texture < document->textures.count ? addresses->palettes[texture] >> 5 : 0;
        } else if (load.address == FOG) {
            value = 0;
        } else {
            continue;
        }
        facet_store_u32be(copy + load.offset + 1, load.address << 24 | value);
    }
    s->size = begin + list.position; /* an invalid command would stop the chip */
}

/* -- Texture matrices --------------------------------------------------- */

static void to_floats(const double from[12], float to[3][4])
{
    for (int i = 0; i < 12; i++)
        to[i / 4][i % 4] = (float)from[i];
}

/* Write all matrices that the material uses. Those of modes 0 and 4 depend on no other data.
 * They are in the packet, computed from a table of sines; the runtime computes those that it
 * animates. */
static void put_texture_matrices(facet_j3d_stream *s, const facet_gx_material *gx, bool is_exact,
                                 const facet_j3d_view *view, const double world[12])
{
    enum { FIRST = 30, IDENTITY = 60 };
    float place[3][4], camera[3][4], rows[3][4];
    to_floats(world, place);
    to_floats(view->matrix, camera);
    for (uint32_t i = 0; i < gx->texgen_count && i < 8; i++) {
        uint8_t matrix = gx->texgens[i].matrix, mode;
        if (gx->texgens[i].type > 1 || matrix < FIRST || matrix >= IDENTITY)
            continue;
        mode = gx->texture_matrices[(matrix - FIRST) / 3].mode & 0x3F;
        if (!is_exact && (mode == 0 || mode == 4))
            continue;
        facet_gx_texture_rows(gx, matrix, (const float(*)[4])place, (const float(*)[4])camera,
                              rows);
        facet_j3d_stream_xf_floats(s, 4u * matrix, rows[0], 12);
    }
}

/* -- Lights ------------------------------------------------------------- */

bool facet_j3d_has_ramps(const facet_j3d_posed *posed)
{
    const facet_j3d *document = &posed->document;
    for (uint32_t i = 0; i < document->materials.slot_count; i++) {
        const facet_gx_material *gx = &posed->materials[i].gx;
        if (facet_gx_uses_ramps(gx))
            return true;
        for (uint32_t k = 0; k < 8; k++) {
            if (gx->textures[k] < document->textures.names.count &&
                facet_gx_is_ramp(document->textures.names.items[gx->textures[k]].bytes))
                return true;
        }
    }
    return false;
}

static void put_lights(facet_j3d_stream *s, const facet_gx_material *gx, bool has_ramps)
{
    facet_gx_light lights[8];
    float toward[3], half[3];
    facet_gx_default_light_direction(NULL, toward, half);
    facet_gx_default_light_colors(gx, has_ramps, lights);
    facet_gx_place_default_lights(toward, half, lights);
    for (uint32_t i = 0; i < 8; i++) {
        const facet_gx_rgba8 *c = &lights[i].color;
        float values[12];
        memcpy(values, lights[i].cosine_attenuation, 3 * sizeof *values);
        memcpy(values + 3, lights[i].distance_attenuation, 3 * sizeof *values);
        memcpy(values + 6, lights[i].position, 3 * sizeof *values);
        memcpy(values + 9, lights[i].direction, 3 * sizeof *values);
        facet_j3d_stream_xf_word(s, 0x603 + 16 * i,
                                 (uint32_t)c->r << 24 | (uint32_t)c->g << 16 | (uint32_t)c->b << 8 |
                                     c->a);
        facet_j3d_stream_xf_floats(s, 0x604 + 16 * i, values, 12);
    }
}

/* -- Materials ---------------------------------------------------------- */

void facet_j3d_put_material(facet_j3d_stream *stream, const facet_j3d_posed *posed, uint32_t slot,
                            const facet_j3d_addresses *addresses, const facet_j3d_view *view,
                            const double world[12], bool has_ramps)
{
    const facet_j3d *document = &posed->document;
    const facet_j3d_material *material = &posed->materials[slot];
    uint8_t bytes[FACET_J3D_PACKET_CAPACITY];
    facet_j3d_packet baked;
    const facet_j3d_packet *packet = &baked;
    bool is_baked = document->has_packets && slot < document->packets.count;
    bool is_exact = !is_baked || posed->is_moved[slot];
    if (is_exact)
        facet_j3d_bake_packet(material, &document->textures, facet_j3d_has_narrow_mask(document),
                              bytes, &baked);
    else
        packet = &document->packets.items[slot];
    put_packet(stream, document, packet, addresses);
    put_lights(stream, &material->gx, has_ramps);
    put_texture_matrices(stream, &material->gx, is_exact, view, world);
    facet_j3d_stream_cp(stream, 0x30, packet->matrix_indices[0]);
    facet_j3d_stream_cp(stream, 0x40, packet->matrix_indices[1]);
    facet_j3d_stream_xf(stream, 0x1018, packet->matrix_indices, 2);
}
