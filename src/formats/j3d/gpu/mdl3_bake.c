/* formats/j3d/gpu/mdl3_bake.c - MDL3 from MAT3 and TEX1: each material as register writes, in the
 * order of the runtime's material classes. Games patch packets at stored offsets, so every write
 * must have its exact position, even if the hardware does not need it. */
#include "formats/j3d/gpu/mdl3_bake.h"

#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/size.h"
#include "formats/j3d/file/mdl3.h"
#include "gx/texture_matrix.h"

#include <facet/gx.h>
#include <math.h>
#include <string.h>

/* -- Commands ----------------------------------------------------------- */

typedef struct packet_writer {
    uint8_t *bytes;
    uint32_t size;
} packet_writer;

static void put_byte(packet_writer *w, uint32_t value)
{
    if (w->size < FACET_J3D_PACKET_CAPACITY)
        w->bytes[w->size++] = (uint8_t)value;
}

static void put_word(packet_writer *w, uint32_t value)
{
    for (int shift = 24; shift >= 0; shift -= 8)
        put_byte(w, value >> shift);
}

static void put_bp(packet_writer *w, uint32_t bp_register, uint32_t value)
{
    put_byte(w, 0x61);
    put_word(w, (bp_register & 0xFF) << 24 | (value & 0xFFFFFF));
}

/* Limit the next register write to these bits. */
static void put_mask(packet_writer *w, uint32_t mask)
{
    put_bp(w, 0xFE, mask);
}

/* Begin a command with `count` words, at least one. */
static void put_xf(packet_writer *w, uint32_t address, uint32_t count)
{
    put_byte(w, 0x10);
    put_word(w, (count - 1) << 16 | address);
}

static void put_floats(packet_writer *w, const float *values, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        put_word(w, facet_bits_of_float(values[i]));
}

/* -- Parts that a material uses ----------------------------------------- */

typedef struct bake {
    const facet_j3d_material *material;
    const facet_gx_material *gx; /* the GX state of `material` */
    const facet_j3d_textures *textures;
    facet_gx_indirect indirect; /* all zero if the material has none */
    uint32_t texgens, channels, stages, indirect_stages;
    bool narrow_mask;
} bake;

static uint32_t at_most(uint32_t value, uint32_t most)
{
    return value < most ? value : most;
}

static void set_up(bake *b, const facet_j3d_material *material, const facet_j3d_textures *textures)
{
    const facet_gx_material *gx = &material->gx;
    memset(b, 0, sizeof *b);
    b->material = material;
    b->gx = gx;
    b->textures = textures;
    b->texgens = at_most(gx->texgen_count, 8);
    b->channels = at_most(gx->channel_count, 2);
    b->stages = gx->stage_count ? at_most(gx->stage_count, 16) : 1;
    memset(b->indirect.orders, 0xFF, sizeof b->indirect.orders);
    if (material->given.indirect) {
        b->indirect = gx->indirect;
        /* If indirect texturing is off, skip the matrices; keep the rest as stored. */
        if (gx->indirect.enabled)
            b->indirect_stages = at_most(gx->indirect.stage_count, 4);
    }
}

/* The texture on a map, or NULL. */
static const facet_j3d_texture *texture_on(const bake *b, uint32_t map)
{
    if (map >= 8 || b->gx->textures[map] >= b->textures->count)
        return NULL;
    return &b->textures->items[b->gx->textures[map]];
}

static bool uses_map(const bake *b, uint32_t map)
{
    for (uint32_t i = 0; i < b->stages; i++) {
        if (b->gx->tev_orders[i].texmap == map)
            return true;
    }
    for (uint32_t i = 0; i < b->indirect_stages; i++) {
        if (b->indirect.orders[i].texmap == map)
            return true;
    }
    return false;
}

/* -- Textures ----------------------------------------------------------- */

/* Registers of maps 0 to 3 are consecutive; those of maps 4 to 7 follow at +0x20. */
static uint32_t map_register(uint32_t first, uint32_t map)
{
    return first + (map & 3) + (map >= 4 ? 0x20 : 0);
}

/* Number of loads of 16 palette colors: 1 or 16, as in the runtime. If texels can have indices
 * above 255, a larger palette ends at the next map with a palette, or at the end of texture memory.
 */
static uint32_t palette_lines(const bake *b, uint32_t map, const facet_bti_header *h)
{
    uint32_t colors = h->palette_count;
    if (colors <= 256 || facet_gx_palette_limit((facet_gx_format)h->format) <= 256)
        return colors > 16 ? 16 : 1;
    uint32_t next = map + 1;
    for (; next < 8; next++) {
        const facet_j3d_texture *other = uses_map(b, next) ? texture_on(b, next) : NULL;
        if (other && other->header.has_palette)
            break;
    }
    return at_most((colors + 15) / 16, 16 * (next - map));
}

static void put_palette(packet_writer *w, const bake *b, uint32_t map, const facet_bti_header *h)
{
    uint32_t place = 0x380 + 16 * map; /* address in texture memory */
    put_mask(w, 0xFFFF00);
    put_bp(w, 0x0F, 0);
    put_bp(w, 0x64, 0); /* the loader fills in the address */
    put_bp(w, 0x65, place | palette_lines(b, map, h) << 10);
    put_mask(w, 0xFFFF00);
    put_bp(w, 0x0F, 0);
    put_bp(w, map_register(0x98, map), place | (uint32_t)(h->palette_format & 3) << 10);
}

static void put_texture(packet_writer *w, const bake *b, uint32_t map)
{
    static const uint8_t filters[6] = {0, 4, 1, 5, 2, 6};
    const facet_j3d_texture *texture = texture_on(b, map);
    if (!texture)
        return;
    const facet_bti_header *h = &texture->header;
    /* Truncate toward zero, then take eight bits. */
    uint32_t bias = (uint32_t)(h->lod_bias * 32 / 100) & 0xFF;
    uint32_t filter = h->min_filter < 6 ? filters[h->min_filter] : 0;
    put_bp(w, map_register(0x94, map), b->gx->textures[map]);
    put_bp(w, map_register(0x88, map),
           ((h->width - 1u) & 0x3FF) | ((h->height - 1u) & 0x3FF) << 10 |
               (uint32_t)(h->format & 15) << 20);
    put_bp(w, map_register(0x80, map),
           (h->wrap_s & 3u) | (h->wrap_t & 3u) << 2 | (h->mag_filter == 1 ? 1u << 4 : 0) |
               filter << 5 | (h->edge_lod ? 0 : 1u << 8) | bias << 9 |
               (h->max_anisotropy & 3u) << 19 | (h->lod_bias_clamp ? 1u << 21 : 0));
    put_bp(w, map_register(0x84, map),
           ((uint32_t)(h->min_lod * 2) & 0xFF) | ((uint32_t)(h->max_lod * 2) & 0xFF) << 8);
    if (h->has_palette)
        put_palette(w, b, map, h);
}

/* Write the size of the texture that uses a coordinate; GX scales the coordinate by it. `nothing`
 * marks an unused one: the last coordinate gets zeros. */
static void put_coordinate_size(packet_writer *w, const bake *b, uint32_t coordinate, uint32_t map,
                                uint32_t nothing)
{
    const facet_j3d_texture *texture = coordinate < 8 ? texture_on(b, map) : NULL;
    uint32_t first = texture ? 0x30 + 2 * coordinate : nothing;
    put_mask(w, 0x03FFFF);
    put_bp(w, first, texture ? (texture->header.width - 1u) & 0xFFFF : 0);
    put_bp(w, first + 1, texture ? (texture->header.height - 1u) & 0xFFFF : 0);
}

/* Half of a TREF register. */
static uint32_t order_bits(const facet_gx_tev_order *order)
{
    static const uint8_t rasters[16] = {0, 1, 0, 1, 0, 1, 7, 5, 6, 0, 0, 0, 0, 0, 0, 7};
    return (order->texmap & 7u) | (order->texcoord < 8 ? (uint32_t)order->texcoord << 3 : 0) |
           (order->texmap != 0xFF ? 1u << 6 : 0) | (uint32_t)rasters[order->channel & 15] << 7;
}

/* The register with the maps and coordinates of two stages. */
static uint32_t pair_bits(const bake *b, uint32_t pair)
{
    /* Exporters leave old data in the unused half of the last pair. Most often it is this: map 7,
     * disabled, first raster color. */
    static const facet_gx_tev_order filler = {0xFF, 0xFF, 0, 0xFF};
    const facet_gx_tev_order *first = &b->gx->tev_orders[pair * 2];
    return order_bits(first) | order_bits(pair * 2 + 1 < b->stages ? first + 1 : &filler) << 12;
}

static void put_textures(packet_writer *w, const bake *b)
{
    for (uint32_t map = 0; map < 8; map++) {
        if (uses_map(b, map))
            put_texture(w, b, map);
    }
    for (uint32_t pair = 0; pair * 2 < b->stages; pair++) {
        put_bp(w, 0x28 + pair, pair_bits(b, pair));
        for (uint32_t i = pair * 2; i < pair * 2 + 2; i++) {
            const facet_gx_tev_order *order = &b->gx->tev_orders[i];
            bool is_on = i < b->stages;
            put_coordinate_size(w, b, is_on ? order->texcoord : 0xFF, is_on ? order->texmap : 0xFF,
                                0x3E);
        }
    }
}

/* -- TEV ---------------------------------------------------------------- */

static void put_registers(packet_writer *w, const facet_gx_material *m)
{
    for (uint32_t i = 0; i < 3; i++) {
        const facet_gx_rgba16 *c = &m->tev_registers[i];
        put_bp(w, 0xE2 + 2 * i, (c->r & 0x7FFu) | (c->a & 0x7FFu) << 12);
        for (int repeat = 0; repeat < 3; repeat++) /* hardware can miss a single write */
            put_bp(w, 0xE3 + 2 * i, (c->b & 0x7FFu) | (c->g & 0x7FFu) << 12);
    }
    for (uint32_t i = 0; i < 4; i++) {
        const facet_gx_rgba8 *c = &m->konst_colors[i];
        put_bp(w, 0xE0 + 2 * i, 1u << 23 | c->r | (uint32_t)c->a << 12);
        put_bp(w, 0xE1 + 2 * i, 1u << 23 | c->b | (uint32_t)c->g << 12);
    }
}

/* The bits that the color and alpha registers of a stage have in common. */
static uint32_t operation_bits(const facet_gx_tev_combiner *c)
{
    bool compares = c->operation >= 8;
    uint32_t bias = compares ? 3 : c->bias & 3u;
    uint32_t scale = compares ? (uint32_t)(c->operation >> 1) & 3 : c->scale & 3u;
    return bias << 16 | (c->operation & 1u) << 18 | (c->clamp ? 1u << 19 : 0) | scale << 20 |
           (c->destination & 3u) << 22;
}

static void put_stage(packet_writer *w, const bake *b, uint32_t i)
{
    const facet_gx_tev_stage *stage = &b->gx->tev_stages[i];
    const facet_gx_swap_mode *swap = &b->gx->swap_modes[i];
    const facet_gx_indirect_stage *indirect = &b->indirect.stages[i];
    const uint8_t *color = stage->color.inputs, *alpha = stage->alpha.inputs;
    put_bp(w, 0xC0 + 2 * i,
           (color[3] & 15u) | (color[2] & 15u) << 4 | (color[1] & 15u) << 8 |
               (color[0] & 15u) << 12 | operation_bits(&stage->color));
    put_bp(w, 0xC1 + 2 * i,
           (swap->raster_table & 3u) | (swap->texture_table & 3u) << 2 | (alpha[3] & 7u) << 4 |
               (alpha[2] & 7u) << 7 | (alpha[1] & 7u) << 10 | (alpha[0] & 7u) << 13 |
               operation_bits(&stage->alpha));
    put_bp(w, 0x10 + i,
           (indirect->stage & 3u) | (indirect->format & 3u) << 2 | (indirect->bias & 7u) << 4 |
               (indirect->bump_alpha & 3u) << 7 | (indirect->matrix & 15u) << 9 |
               (indirect->wrap_s & 7u) << 13 | (indirect->wrap_t & 7u) << 16 |
               (indirect->unmodified_lod ? 1u << 19 : 0) | (indirect->add_previous ? 1u << 20 : 0));
}

static void put_selections(packet_writer *w, const facet_gx_material *m)
{
    for (uint32_t i = 0; i < 8; i++) {
        const facet_gx_swap_table *table = &m->swap_tables[i / 2];
        const uint8_t *color = &m->konst_color_selections[i * 2];
        const uint8_t *alpha = &m->konst_alpha_selections[i * 2];
        uint32_t swap =
            i & 1 ? (table->b & 3u) | (table->a & 3u) << 2 : (table->r & 3u) | (table->g & 3u) << 2;
        put_bp(w, 0xF6 + i,
               swap | (color[0] & 31u) << 4 | (alpha[0] & 31u) << 9 | (color[1] & 31u) << 14 |
                   (alpha[1] & 31u) << 19);
    }
}

/* An element of an indirect matrix: 11 bits, 10 of them fraction. */
static uint32_t indirect_element(float value)
{
    float scaled = value * 1024;
    return scaled > -2147483648.0f && scaled < 2147483648.0f ? (uint32_t)(int32_t)scaled & 0x7FF
                                                             : 0;
}

/* Number of matrices to write: one per indirect stage, as in exporters, and more if a stage uses
 * them. Otherwise a register keeps the matrix of the material drawn before. */
static uint32_t count_matrices(const bake *b)
{
    uint32_t count = at_most(b->indirect_stages, 3);
    for (uint32_t i = 0; i < b->stages && b->indirect_stages; i++) {
        uint32_t used = b->indirect.stages[i].matrix & 3u; /* 0: no matrix */
        count = b->indirect.stages[i].matrix < 12 && used > count ? used : count;
    }
    return count;
}

/* Write the zeros of a disabled indirect stage, which go to the coordinate before the first. These
 * are the registers of stages 13 to 16, which keep their maps. */
static void put_no_coordinate(packet_writer *w, const bake *b)
{
    for (uint32_t pair = 6; pair < 8; pair++) {
        if (pair == 6)
            put_mask(w, 0x03FFFF);
        put_bp(w, 0x28 + pair, pair * 2 < b->stages ? pair_bits(b, pair) : 0);
    }
}

static void put_indirect(packet_writer *w, const bake *b)
{
    const facet_gx_indirect *indirect = &b->indirect;
    uint32_t matrices = count_matrices(b);
    for (uint32_t k = 0; k < matrices; k++) {
        const facet_gx_indirect_matrix *matrix = &indirect->matrices[k];
        uint32_t exponent = (uint32_t)(matrix->exponent + 17);
        for (uint32_t column = 0; column < 3; column++)
            put_bp(w, 0x06 + 3 * k + column,
                   indirect_element(matrix->rows[0][column]) |
                       indirect_element(matrix->rows[1][column]) << 11 |
                       (exponent >> (2 * column) & 3) << 22);
    }
    for (uint32_t pair = 0; pair * 2 < b->indirect_stages; pair++) {
        const facet_gx_indirect_scale *scale = &indirect->scales[pair * 2];
        put_bp(w, 0x25 + pair,
               (scale[0].s & 15u) | (scale[0].t & 15u) << 4 | (scale[1].s & 15u) << 8 |
                   (scale[1].t & 15u) << 12);
    }
    uint32_t maps = 0, reference = 0;
    for (uint32_t k = 0; k < 4; k++) {
        const facet_gx_indirect_order *order = &indirect->orders[k];
        bool is_on = k < b->indirect_stages;
        if (is_on && order->texcoord < 8 && texture_on(b, order->texmap))
            put_coordinate_size(w, b, order->texcoord, order->texmap, 0);
        else
            put_no_coordinate(w, b);
        reference |= ((order->texmap & 7u) | (order->texcoord & 7u) << 3) << 6 * k;
        maps |= is_on && order->texmap < 8 ? 1u << order->texmap : 0;
    }
    put_bp(w, 0x27, reference);
    put_bp(w, 0x0F, maps);
}

/* -- Pixel engine ------------------------------------------------------- */

typedef struct fog_values {
    float a, c;
    uint32_t b_mantissa, b_shift;
} fog_values;

/* Registers of fog: a / (b - z) - c for perspective, else a * z - c. */
static fog_values fog_of(const facet_gx_fog *fog)
{
    fog_values values = {0, 0, 0, 0};
    float depth = fog->far_z - fog->near_z, range = fog->end - fog->start, b = 0.5f;
    bool is_flat = fog->far_z == fog->near_z || fog->end == fog->start;
    if (fog->type & 8) {
        values.a = is_flat ? 0 : depth / range;
        values.c = is_flat ? 0 : (fog->start - fog->near_z) / range;
        return values;
    }
    if (!is_flat) {
        values.a = fog->far_z * fog->near_z / (depth * range);
        b = fog->far_z / depth;
        values.c = fog->start / range;
    }
    if (!(b > 0 && b <= 3.4e38f)) { /* the hardware cannot compute such fog */
        b = b > 0 ? 1 : 0;
    }
    int shift = 1;
    for (; b > 1; b *= 0.5f)
        shift++;
    for (; b > 0 && b < 0.5f; b *= 2)
        shift--;
    values.a = ldexpf(values.a, -shift);
    values.b_mantissa = (uint32_t)(8388638.0f * b);
    values.b_shift = (uint32_t)shift;
    return values;
}

static void put_fog(packet_writer *w, const facet_gx_fog *fog)
{
    fog_values values = fog_of(fog);
    put_bp(w, 0xEE, facet_bits_of_float(values.a) >> 12);
    put_bp(w, 0xEF, values.b_mantissa);
    put_bp(w, 0xF0, values.b_shift & 31);
    put_bp(w, 0xF1,
           facet_bits_of_float(values.c) >> 12 | (fog->type & 8 ? 1u << 20 : 0) |
               (fog->type & 7u) << 21);
    put_bp(w, 0xF2, (uint32_t)fog->color.r << 16 | (uint32_t)fog->color.g << 8 | fog->color.b);
    for (uint32_t i = 0; i < 5 && fog->range_adjust; i++)
        put_bp(w, 0xE9 + i,
               (fog->range_table[2 * i] & 0xFFFu) | (fog->range_table[2 * i + 1] & 0xFFFu) << 12);
    put_bp(w, 0xE8, ((fog->range_center + 342u) & 0x3FF) | (fog->range_adjust ? 1u << 10 : 0));
}

static void put_pixel_engine(packet_writer *w, const bake *b)
{
    static const uint8_t culls[4] = {0, 2, 1, 3};
    const facet_gx_material *m = b->gx;
    const facet_gx_alpha_compare *alpha = &m->alpha_compare;
    const facet_gx_blend *blend = &m->blend;
    put_fog(w, &m->fog);
    put_bp(w, 0xF3,
           alpha->reference0 | (uint32_t)alpha->reference1 << 8 | (alpha->comparison0 & 7u) << 16 |
               (alpha->comparison1 & 7u) << 19 | (alpha->operation & 3u) << 22);
    put_mask(w, b->narrow_mask ? 0x001FE7 : 0x00FFE7);
    put_bp(w, 0x41,
           (blend->type == 1 || blend->type == 3 ? 1u : 0) | (blend->type == 2 ? 1u << 1 : 0) |
               (m->dither ? 1u << 2 : 0) | (blend->destination & 7u) << 5 |
               (blend->source & 7u) << 8 | (blend->type == 3 ? 1u << 11 : 0) |
               (blend->logic & 15u) << 12);
    put_bp(w, 0x40,
           (m->depth.test ? 1u : 0) | (m->depth.comparison & 7u) << 1 |
               (m->depth.write ? 1u << 4 : 0));
    put_mask(w, 0x000040);
    put_bp(w, 0x43, m->early_depth ? 1u << 6 : 0);
    put_mask(w, 0x07FC3F);
    put_bp(w, 0x00,
           b->texgens | b->channels << 4 | (b->stages - 1) << 10 |
               (uint32_t)culls[m->cull_mode & 3] << 14 | b->indirect_stages << 16);
}

/* -- Texture coordinates ------------------------------------------------ */

static uint32_t texgen_bits(const facet_gx_texgen *texgen)
{
    uint32_t row = 5, form = 0, kind = 0, projection = texgen->type == 0, emboss = 5, light = 0;
    uint32_t source = texgen->source;
    if (source <= 3) { /* position, normal, binormal, tangent */
        row = source < 2 ? source : source + 1;
        form = 1;
    } else if (source <= 11) {
        row = source + 1;
    } else if (source <= 18) {
        emboss = source - 12;
    } else {
        row = 2;
    }
    if (texgen->type >= 2 && texgen->type <= 9) {
        kind = 1;
        light = texgen->type - 2u;
    } else if (texgen->type == 10) {
        kind = source == 19 ? 2 : 3;
    }
    return projection << 1 | form << 2 | kind << 4 | row << 7 | emboss << 12 | light << 15;
}

static bool uses_texture_matrix(const bake *b, uint32_t index)
{
    for (uint32_t i = 0; i < b->texgens; i++) {
        if (b->gx->texgens[i].matrix == 30 + 3 * index)
            return (b->material->given.texture_matrices >> index & 1) != 0;
    }
    return false;
}

static void put_texgens(packet_writer *w, const bake *b)
{
    for (uint32_t i = 0; i < 10; i++) {
        const facet_gx_texture_matrix *record = &b->gx->texture_matrices[i];
        if (!uses_texture_matrix(b, i))
            continue;
        float rows[3][4];
        uint32_t count = record->projection ? 8 : 12;
        facet_gx_texture_matrix_rows(
            record, facet_gx_table_rotation(record->rotation, b->narrow_mask), rows);
        put_xf(w, 0x78 + 12 * i, count);
        put_floats(w, &rows[0][0], count);
    }
    if (b->texgens == 0)
        return;
    put_xf(w, 0x1040, b->texgens);
    for (uint32_t i = 0; i < b->texgens; i++)
        put_word(w, texgen_bits(&b->gx->texgens[i]));
    put_xf(w, 0x1050, b->texgens);
    for (uint32_t i = 0; i < b->texgens; i++)
        put_word(w, 0x3D); /* post matrix: identity */
}

static void set_matrix_indices(const bake *b, uint32_t indices[2])
{
    uint32_t t[8];
    for (uint32_t i = 0; i < 8; i++)
        t[i] = i < b->texgens ? b->gx->texgens[i].matrix & 63u : 60;
    indices[0] = t[0] << 6 | t[1] << 12 | t[2] << 18 | t[3] << 24;
    indices[1] = t[4] | t[5] << 6 | t[6] << 12 | t[7] << 18;
}

/* -- Channels ----------------------------------------------------------- */

static uint32_t rgba_word(const facet_gx_rgba8 *c)
{
    return (uint32_t)c->r << 24 | (uint32_t)c->g << 16 | (uint32_t)c->b << 8 | c->a;
}

static void put_channel_colors(packet_writer *w, const facet_gx_material *m)
{
    put_xf(w, 0x100C, 2);
    for (int i = 0; i < 2; i++)
        put_word(w, rgba_word(&m->material_colors[i]));
    put_xf(w, 0x100A, 2);
    for (int i = 0; i < 2; i++)
        put_word(w, rgba_word(&m->ambient_colors[i]));
}

static uint32_t channel_bits(const facet_gx_channel *c)
{
    bool is_specular = c->attenuation_function == 0, is_none = c->attenuation_function == 2;
    return (c->material_source & 1u) | (c->lighting ? 1u << 1 : 0) | (c->light_mask & 15u) << 2 |
           (c->ambient_source == 1 ? 1u << 6 : 0) |
           (is_specular ? 0 : (c->diffuse_function & 3u) << 7) | (is_none ? 0 : 1u << 9) |
           (is_specular ? 0 : 1u << 10) | (uint32_t)(c->light_mask >> 4) << 11;
}

static void put_light(packet_writer *w, uint32_t index, const facet_gx_light *light)
{
    uint32_t base = 0x600 + 0x10 * index;
    put_xf(w, base + 0xA, 3);
    put_floats(w, light->position, 3);
    put_xf(w, base + 0x4, 6);
    put_floats(w, light->cosine_attenuation, 3);
    put_floats(w, light->distance_attenuation, 3);
    put_xf(w, base + 0x3, 1);
    put_word(w, rgba_word(&light->color));
    put_xf(w, base + 0xD, 3);
    put_floats(w, light->direction, 3);
}

static void put_channel_control(packet_writer *w, const bake *b)
{
    /* Both colors, then both alphas. */
    static const uint8_t order[4] = {0, 2, 1, 3};
    put_xf(w, 0x100E, 4);
    for (int i = 0; i < 4; i++)
        put_word(w, channel_bits(&b->gx->channels[order[i]]));
    for (uint32_t i = 0; i < 8; i++) {
        if (b->material->given.lights >> i & 1)
            put_light(w, i, &b->gx->lights[i]);
    }
    put_xf(w, 0x1009, 1);
    put_word(w, b->channels);
    put_xf(w, 0x103F, 1);
    put_word(w, b->texgens);
}

/* -- A packet ----------------------------------------------------------- */

void facet_j3d_bake_packet(const facet_j3d_material *material, const facet_j3d_textures *textures,
                           bool narrow_mask, uint8_t bytes[FACET_J3D_PACKET_CAPACITY],
                           facet_j3d_packet *packet)
{
    bake b;
    packet_writer w = {bytes, 0};
    set_up(&b, material, textures);
    b.narrow_mask = narrow_mask;
    memset(packet, 0, sizeof *packet);
    packet->textures = 0;
    put_textures(&w, &b);
    packet->tev = (uint16_t)w.size;
    put_registers(&w, b.gx);
    for (uint32_t i = 0; i < b.stages; i++)
        put_stage(&w, &b, i);
    put_selections(&w, b.gx);
    put_indirect(&w, &b);
    packet->pixel_engine = (uint16_t)w.size;
    put_pixel_engine(&w, &b);
    packet->texgens = (uint16_t)w.size;
    put_texgens(&w, &b);
    packet->channel_colors = (uint16_t)w.size;
    put_channel_colors(&w, b.gx);
    packet->channel_control = (uint16_t)w.size;
    put_channel_control(&w, &b);
    while (w.size % 32 != 0)
        put_byte(&w, 0);
    packet->bytes = bytes;
    packet->size = w.size;
    memset(packet->reserved, 0xFF, sizeof packet->reserved);
    set_matrix_indices(&b, packet->matrix_indices);
    packet->mode = material->mode;
}

/* -- All packets -------------------------------------------------------- */

static facet_status allocate_packets(facet_j3d *document, uint32_t count, facet_j3d_packets *made,
                                     facet_error *error)
{
    facet_arena *arena = document->arena;
    uint32_t names = document->materials.names.count;
    memset(made, 0, sizeof *made);
    made->items = facet_arena_allocate(arena, count, sizeof *made->items);
    made->remap = facet_arena_allocate(arena, count, sizeof *made->remap);
    made->names.items = facet_arena_allocate(arena, names, sizeof *made->names.items);
    if (!made->items || !made->remap || !made->names.items)
        return facet_fail_arena(arena, error);
    made->count = count;
    made->names.count = names;
    for (uint32_t i = 0; i < names; i++)
        made->names.items[i] = document->materials.names.items[i];
    for (uint32_t i = 0; i < count; i++)
        made->remap[i] = (uint16_t)i;
    return FACET_OK;
}

static facet_status bake_slot(facet_j3d *document, uint32_t slot, bool narrow_mask,
                              facet_j3d_material *material, facet_j3d_packet *packet,
                              facet_error *error)
{
    uint8_t bytes[FACET_J3D_PACKET_CAPACITY];
    TRY(facet_j3d_get_material(document, slot, material, error));
    facet_j3d_bake_packet(material, &document->textures, narrow_mask, bytes, packet);
    uint8_t *kept = facet_arena_allocate(document->arena, packet->size, 1);
    if (!kept)
        return facet_fail_arena(document->arena, error);
    memcpy(kept, bytes, packet->size);
    packet->bytes = kept;
    return FACET_OK;
}

facet_status facet_j3d_bake_materials(facet_j3d *document, const facet_options *options,
                                      facet_error *error)
{
    if (!document->arena)
        return facet_fail(error, FACET_ERROR_ARGUMENT, "J3D-MDL3-BAKE", FACET_NO_OFFSET,
                          "the document has no arena for packets");
    if (!document->has_materials || document->kind == FACET_J3D_BMT3)
        return facet_fail(error, FACET_ERROR_ARGUMENT, "J3D-MDL3-BAKE", FACET_NO_OFFSET,
                          "only a model with materials can be baked");
    uint32_t count = document->materials.slot_count;
    bool narrow_mask = facet_j3d_has_narrow_mask(document);
    facet_j3d_packets made;
    facet_j3d_material *material = facet_arena_allocate(document->arena, 1, sizeof *material);
    if (!material)
        return facet_fail_arena(document->arena, error);
    facet_status status = allocate_packets(document, count, &made, error);
    if (!status)
        status = facet_step(options, "bake", 0, error);
    for (uint32_t slot = 0; slot < count && !status; slot++)
        status = bake_slot(document, slot, narrow_mask, material, &made.items[slot], error);
    if (status)
        return status;
    document->packets = made;
    document->has_packets = true;
    document->kind = FACET_J3D_BDL4;
    return FACET_OK;
}
