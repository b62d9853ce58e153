/* Tests of baked J3D materials and their disassembly. The expected bytes and registers were
 * computed manually from the format description. */
#include "support/j3d_golden.h"
#include "support/j3d_make.h"
#include "support/support.h"

#include "base/arena.h"
#include "base/bytes.h"
#include "formats/j3d/gpu/mdl3_bake.h"
#include "formats/j3d/gpu/mdl3_disassemble.h"

#include <math.h>
#include <stdlib.h>

/* -- Helpers ------------------------------------------------------------ */

typedef struct baked {
    uint8_t bytes[FACET_J3D_PACKET_CAPACITY];
    facet_j3d_packet packet;
} baked;

static facet_bti_header small_texture(void)
{
    facet_bti_header header;
    uint8_t golden[TEST_J3D_GOLDEN_SIZE];
    test_j3d_golden(golden);
    facet_bti_header_load(golden + TEST_J3D_GOLDEN_TEX1 + 0x20, &header);
    return header;
}

static baked bake_with(const facet_j3d_material *material, const facet_bti_header *header,
                       bool narrow)
{
    facet_j3d_texture items[4];
    facet_j3d_textures textures = {.items = items, .count = 4};
    baked result;
    memset(items, 0, sizeof items);
    for (int i = 0; i < 4; i++)
        items[i].header = *header;
    memset(result.bytes, 0xAA, sizeof result.bytes);
    facet_j3d_bake_packet(material, &textures, narrow, result.bytes, &result.packet);
    result.packet.bytes = NULL;
    assert_int_equal(result.packet.size % 32, 0);
    assert_true(result.packet.size < sizeof result.bytes);
    return result;
}

static baked bake(const facet_j3d_material *material)
{
    facet_bti_header header = small_texture();
    return bake_with(material, &header, false);
}

/* The `nth` command that writes to an address. */
static facet_j3d_load find_load(const baked *b, facet_j3d_space space, uint32_t address, int nth)
{
    facet_j3d_load_list list = facet_j3d_loads_of(b->bytes, b->packet.size);
    facet_j3d_load load;
    while (facet_j3d_next_load(&list, &load)) {
        if (load.space == space && load.address == address && nth-- == 0)
            return load;
    }
    fail_msg("nothing writes to 0x%X", address);
    return load;
}

static void expect_bp_at(const baked *b, uint32_t address, int nth, uint32_t value)
{
    facet_j3d_load load = find_load(b, FACET_J3D_SPACE_BP, address, nth);
    if (load.value != value)
        fail_msg("BP 0x%02X is 0x%06X, not 0x%06X", address, load.value, value);
}

static void expect_bp(const baked *b, uint32_t address, uint32_t value)
{
    expect_bp_at(b, address, 0, value);
}

static void expect_no_bp(const baked *b, uint32_t address)
{
    facet_j3d_load_list list = facet_j3d_loads_of(b->bytes, b->packet.size);
    facet_j3d_load load;
    while (facet_j3d_next_load(&list, &load))
        assert_false(load.space == FACET_J3D_SPACE_BP && load.address == address);
}

static void expect_xf(const baked *b, uint32_t address, uint32_t count, const uint32_t *values)
{
    facet_j3d_load load = find_load(b, FACET_J3D_SPACE_XF, address, 0);
    assert_int_equal(load.count, count);
    for (uint32_t i = 0; i < count; i++)
        assert_int_equal(facet_load_u32be(load.words + 4 * i), values[i]);
}

static int count_loads(const baked *b, facet_j3d_space space, uint32_t address)
{
    facet_j3d_load_list list = facet_j3d_loads_of(b->bytes, b->packet.size);
    facet_j3d_load load;
    int count = 0;
    while (facet_j3d_next_load(&list, &load))
        count += load.space == space && load.address == address;
    assert_int_equal(list.position, list.size);
    return count;
}

/* -- The golden packet -------------------------------------------------- */

TEST(baked_packet_equals_the_golden_one)
{
    uint8_t golden[TEST_J3D_GOLDEN_SIZE];
    const uint8_t *mdl3 = golden + TEST_J3D_GOLDEN_MDL3;
    facet_bti_header header = small_texture();
    facet_j3d_material material = test_j3d_textured_material("mat0", 0);
    test_j3d_golden(golden);
    baked b = bake_with(&material, &header, true);
    assert_int_equal(b.packet.size, 0x1C0);
    assert_memory_equal(b.bytes, mdl3 + 0x60, 0x1C0);
    const uint16_t offsets[6] = {b.packet.channel_colors,
                                 b.packet.channel_control,
                                 b.packet.texgens,
                                 b.packet.textures,
                                 b.packet.tev,
                                 b.packet.pixel_engine};
    for (int i = 0; i < 6; i++)
        assert_int_equal(offsets[i], facet_load_u16be(mdl3 + 0x220 + 2 * i));
    assert_memory_equal(b.packet.reserved, mdl3 + 0x22C, 4);
    assert_int_equal(b.packet.matrix_indices[0], 0x3CF3CF00);
    assert_int_equal(b.packet.matrix_indices[1], 0x00F3CF3C);
    assert_int_equal(b.packet.mode, 1);
    /* The later generation differs only in the mask before the blend register. */
    baked later = bake_with(&material, &header, false);
    int differing = 0;
    for (uint32_t i = 0; i < b.packet.size; i++)
        differing += b.bytes[i] != later.bytes[i];
    assert_int_equal(later.packet.size, b.packet.size);
    assert_int_equal(differing, 1);
}

/* -- Computed registers ------------------------------------------------- */

TEST(textures_bake_their_sampler_registers)
{
    facet_j3d_material m = test_j3d_textured_material("m", 0);
    facet_bti_header h = {.format = 14,
                          .width = 64,
                          .height = 32,
                          .wrap_s = 2,
                          .edge_lod = 1,
                          .lod_bias_clamp = 1,
                          .max_anisotropy = 2,
                          .min_filter = 5,
                          .min_lod = 8,
                          .max_lod = 16,
                          .lod_bias = -50};
    m.gx.textures[5] = 3;
    m.given.textures |= 1 << 5;
    m.gx.tev_orders[0] = (facet_gx_tev_order){2, 5, 5, 255};
    baked b = bake_with(&m, &h, false);
    expect_bp(&b, 0xB5, 3);        /* texture number */
    expect_bp(&b, 0xA9, 0xE07C3F); /* 63 | 31 << 10 | 14 << 20 */
    /* mirror, trilinear 6 << 5, LOD at edges: bit 8 off, -16 << 9, 2 << 19, 1 << 21 */
    expect_bp(&b, 0xA1, 0x31E0C2);
    expect_bp(&b, 0xA5, 0x2010); /* 1 and 2 levels in sixteenths */
    expect_no_bp(&b, 0x94);      /* the material has map 0, but no stage uses it */
    expect_no_bp(&b, 0x65);
    /* map 5, coordinate 2, enabled, raster 1; the unused stage has map 7 */
    expect_bp(&b, 0x28, 0x0070D5);
    expect_bp(&b, 0x34, 63);
    expect_bp(&b, 0x35, 31);
    expect_bp(&b, 0x3E, 0);
    expect_bp(&b, 0x3F, 0);
    h.mag_filter = 1; /* the other bits */
    h.edge_lod = 0;
    h.min_filter = 3;
    h.wrap_t = 1;
    h.lod_bias = 0;
    h.lod_bias_clamp = h.max_anisotropy = 0;
    b = bake_with(&m, &h, false);
    expect_bp(&b, 0xA1, 2 | 1 << 2 | 1 << 4 | 5 << 5 | 1 << 8);
    /* a map without a texture is referenced, but not loaded */
    m.gx.textures[5] = FACET_J3D_NONE;
    b = bake_with(&m, &h, false);
    expect_no_bp(&b, 0xB5);
    expect_bp(&b, 0x28, 0x0070D5);
    assert_int_equal(count_loads(&b, FACET_J3D_SPACE_BP, 0x3E), 2);
}

TEST(palettes_bake_their_memory_addresses)
{
    facet_j3d_material m = test_j3d_textured_material("m", 1);
    facet_bti_header h = {.format = 9,
                          .width = 8,
                          .height = 4,
                          .has_palette = 1,
                          .palette_format = 2,
                          .palette_count = 200};
    m.gx.textures[5] = 1;
    m.gx.tev_orders[0].texmap = 5;
    baked b = bake_with(&m, &h, false);
    expect_bp(&b, 0xB5, 1);
    expect_bp(&b, 0x64, 0);
    expect_bp(&b, 0x65, 0x43D0); /* 0x380 + 16 * 5 | 16 << 10 */
    expect_bp(&b, 0xB9, 0x0BD0); /* 0x380 + 16 * 5 | RGB5A3 << 10 */
    /* mask, 0F, 64, 65, mask, 0F, TLUT follow one another */
    facet_j3d_load first = find_load(&b, FACET_J3D_SPACE_BP, 0xFE, 0);
    assert_int_equal(first.value, 0xFFFF00);
    static const uint8_t order[7] = {0xFE, 0x0F, 0x64, 0x65, 0xFE, 0x0F, 0xB9};
    for (uint32_t i = 0; i < 7; i++)
        assert_int_equal(b.bytes[first.offset + 5 * i + 1], order[i]);
    expect_bp_at(&b, 0xFE, 1, 0xFFFF00);
    h.palette_count = 16;
    b = bake_with(&m, &h, false);
    expect_bp(&b, 0x65, 0x07D0); /* one block of 16 */
    h.palette_count = 17;
    b = bake_with(&m, &h, false);
    expect_bp(&b, 0x65, 0x43D0);
    /* Texels of C8 have indices up to 255. */
    h.palette_count = 300;
    b = bake_with(&m, &h, false);
    expect_bp(&b, 0x65, 0x43D0);
    /* Above 256 colors of C14X2 the number of blocks is exact, here 19. The limit is the palette of
     * the next map or the end of texture memory: 0x400 - 0x3D0 = 48 blocks. */
    h.format = 10;
    b = bake_with(&m, &h, false);
    expect_bp(&b, 0x65, 19 << 10 | 0x3D0);
    h.palette_count = 994;
    b = bake_with(&m, &h, false);
    expect_bp(&b, 0x65, 48 << 10 | 0x3D0);
    m.gx.textures[6] = 1;
    m.gx.stage_count = 2;
    m.gx.tev_orders[1] = m.gx.tev_orders[0];
    m.gx.tev_orders[1].texmap = 6;
    b = bake_with(&m, &h, false);
    expect_bp(&b, 0x65, 16 << 10 | 0x3D0);
}

TEST(tev_stages_bake_their_registers)
{
    facet_j3d_material m = test_j3d_minimal_material("m");
    m.gx.stage_count = 3;
    m.gx.tev_stages[1] = (facet_gx_tev_stage){
        255, {{8, 2, 14, 15}, 9, 1, 2, 0, 2}, {{4, 1, 6, 0}, 1, 2, 3, 1, 3}, 255};
    m.gx.tev_stages[2] = m.gx.tev_stages[1];
    m.gx.tev_stages[2].alpha.operation = 14;
    m.gx.swap_modes[1] = (facet_gx_swap_mode){1, 2, {255, 255}};
    for (int i = 1; i < 3; i++)
        m.gx.tev_orders[i] = (facet_gx_tev_order){255, 255, i == 1 ? 8 : 255, 255};
    baked b = bake(&m);
    /* R8 equal: marker 3, scale bits (9 >> 1) & 3 = 0, low bit 1, to C1 */
    expect_bp(&b, 0xC2, 0xF | 14 << 4 | 2 << 8 | 8 << 12 | 3 << 16 | 1 << 18 | 2 << 22);
    /* subtract, -1/2, halved, clamped, to C2; swap tables 1 and 2 */
    expect_bp(&b, 0xC3, 0xFE8709);
    /* A8 greater: scale bits (14 >> 1) & 3 = 3, low bit 0 */
    expect_bp(&b, 0xC5, 0x8700 | 3 << 16 | 1 << 19 | 3 << 20 | 3 << 22);
    expect_bp(&b, 0x10, 0);
    expect_bp(&b, 0x28, 7 | (7 | 6 << 7) << 12); /* the second is normalized bump alpha */
}

TEST(tev_colors_and_swaps_bake_registers)
{
    facet_j3d_material m = test_j3d_minimal_material("m");
    m.gx.tev_registers[0] = (facet_gx_rgba16){-1, 300, 255, -1024};
    m.gx.tev_registers[3] = (facet_gx_rgba16){1, 1, 1, 1};
    m.gx.konst_colors[0] = (facet_gx_rgba8){1, 2, 3, 4};
    m.gx.swap_tables[1] = (facet_gx_swap_table){3, 2, 1, 0};
    m.gx.konst_color_selections[4] = 16;
    m.gx.konst_color_selections[5] = 31;
    m.gx.konst_alpha_selections[4] = 7;
    m.gx.konst_alpha_selections[5] = 1;
    baked b = bake(&m);
    expect_bp(&b, 0xE2, 0x4007FF); /* -1 and -1024 in eleven bits */
    for (int i = 0; i < 3; i++)
        expect_bp_at(&b, 0xE3, i, 0x12C0FF);
    expect_bp_at(&b, 0xE0, 0, 0x804001); /* the first konst color; PREV is never written */
    expect_bp_at(&b, 0xE1, 0, 0x802003);
    assert_int_equal(count_loads(&b, FACET_J3D_SPACE_BP, 0xE0), 1);
    assert_int_equal(count_loads(&b, FACET_J3D_SPACE_BP, 0xE3), 4);
    expect_bp(&b, 0xF8, 3 | 2 << 2 | 16 << 4 | 7 << 9 | 31 << 14 | 1 << 19);
    expect_bp(&b, 0xF9, 1 | 0 << 2 | 12 << 4 | 28 << 9 | 12 << 14 | 28 << 19);
}

TEST(tev_orders_bake_only_used_stages)
{
    facet_j3d_material m = test_j3d_textured_material("m", 0);
    static const struct {
        uint8_t channel, raster;
    } cases[] = {{0, 0}, {1, 1}, {2, 0}, {3, 1}, {4, 0}, {5, 1}, {6, 7}, {7, 5}, {8, 6}, {255, 7}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        m.gx.tev_orders[0] = (facet_gx_tev_order){255, 255, cases[i].channel, 255};
        baked b = bake(&m);
        expect_bp(&b, 0x28, 7u | (uint32_t)cases[i].raster << 7 | 7 << 12);
    }
    /* The second of a pair is twelve bits higher and has its own sizes. */
    m.gx.stage_count = 2;
    m.gx.tev_orders[0] = (facet_gx_tev_order){0, 0, 4, 255};
    m.gx.tev_orders[1] = (facet_gx_tev_order){1, 0, 255, 255};
    m.gx.tev_stages[1] = m.gx.tev_stages[0];
    baked b = bake(&m);
    expect_bp(&b, 0x28, 1 << 6 | (1 << 3 | 1 << 6 | 7 << 7) << 12);
    expect_bp(&b, 0x32, 7);
    expect_bp(&b, 0x33, 7);
    expect_bp_at(&b, 0xFE, 1, 0x03FFFF);
    assert_int_equal(count_loads(&b, FACET_J3D_SPACE_BP, 0x3E), 0);
    assert_int_equal(count_loads(&b, FACET_J3D_SPACE_BP, 0x29), 0);
}

TEST(indirect_textures_bake_their_registers)
{
    facet_j3d_material m = test_j3d_textured_material("m", 0);
    facet_gx_indirect *indirect = &m.gx.indirect;
    m.gx.textures[2] = m.gx.textures[3] = 1;
    m.given.textures |= 12;
    indirect->enabled = 1;
    indirect->stage_count = 2;
    indirect->orders[0] = (facet_gx_indirect_order){1, 2, {255, 255}};
    indirect->orders[1] = (facet_gx_indirect_order){0, 3, {255, 255}};
    indirect->matrices[0] =
        (facet_gx_indirect_matrix){{{0.5f, -0.25f, 0}, {0, 0.75f, -0.5f}}, -3, {255, 255, 255}};
    indirect->scales[0] = (facet_gx_indirect_scale){1, 2, {255, 255}};
    indirect->scales[1] = (facet_gx_indirect_scale){3, 4, {255, 255}};
    indirect->stages[0] = (facet_gx_indirect_stage){1, 2, 5, 9, 3, 6, 1, 1, 3, {255, 255, 255}};
    baked b = bake(&m);
    /* exponent -3 + 17 = 14 = 00 11 10, two bits in each of the three */
    expect_bp(&b, 0x06, 512 | 0 << 11 | 2 << 22);
    expect_bp(&b, 0x07, (2048u - 256) | 768 << 11 | 3u << 22);
    expect_bp(&b, 0x08, 0 | (2048u - 512) << 11 | 0 << 22);
    expect_bp(&b, 0x09, 512 | 2 << 22); /* 0.5, exponent 1 + 17 = 01 00 10 */
    expect_bp(&b, 0x0A, 512 << 11);
    expect_bp(&b, 0x0B, 1 << 22);
    expect_bp(&b, 0x25, 0x4321);
    expect_no_bp(&b, 0x26);
    expect_bp(&b, 0x27, 0xFFF0CA);
    assert_int_equal(find_load(&b, FACET_J3D_SPACE_BP, 0x0F, 0).value, 0x0C);
    expect_bp(&b, 0x10, 0x1E73D9);
    /* textures of indirect stages are loaded, and their coordinates get sizes */
    expect_bp(&b, 0x96, 1);
    expect_bp(&b, 0x97, 1);
    expect_bp(&b, 0x32, 7);
    assert_int_equal(count_loads(&b, FACET_J3D_SPACE_BP, 0x2E), 2); /* the other two stages */
    expect_bp(&b, 0x00, 1 | 1 << 4 | 1 << 14 | 2 << 16);
    /* If the indirect stages are off, the stages and orders keep the values of the record. */
    indirect->enabled = 0;
    b = bake(&m);
    expect_no_bp(&b, 0x06);
    expect_no_bp(&b, 0x25);
    expect_no_bp(&b, 0x96);
    expect_bp(&b, 0x10, 0x1E73D9);
    expect_bp(&b, 0x27, 0xFFF0CA);
    expect_bp(&b, 0x0F, 0);
    expect_bp(&b, 0x00, 1 | 1 << 4 | 1 << 14);
    assert_int_equal(count_loads(&b, FACET_J3D_SPACE_BP, 0x2E), 4);
    /* Four stages, but three matrices: 0x0F is not the register of a fourth. */
    indirect->enabled = 1;
    indirect->stage_count = 4;
    b = bake(&m);
    assert_int_equal(count_loads(&b, FACET_J3D_SPACE_BP, 0x0F), 1);
    assert_int_equal(count_loads(&b, FACET_J3D_SPACE_BP, 0x26), 1);
}

/* Indirect stages that are off write to BP 2E and 2F, which also hold the maps of the stages 13
 * to 16. The value is 1 | 1 << 3 | 1 << 6 for both stages of a pair. */
TEST(sixteen_stages_keep_their_maps)
{
    facet_j3d_material m = test_j3d_textured_material("m", 0);
    const uint32_t half = 1 | 1 << 3 | 1 << 6;
    m.gx.textures[1] = 1;
    m.given.textures |= 2;
    m.gx.texgen_count = 2;
    for (uint32_t stages = 12; stages <= 16; stages++) {
        m.gx.stage_count = (uint8_t)stages;
        for (uint32_t i = 0; i < stages; i++)
            m.gx.tev_orders[i] = (facet_gx_tev_order){1, 1, 4, 255};
        baked b = bake(&m);
        uint32_t registers[2] = {0xABCDEF, 0xABCDEF}, mask = 0xFFFFFF; /* values that a console
                                                                        * has */
        facet_j3d_load_list list = facet_j3d_loads_of(b.bytes, b.packet.size);
        facet_j3d_load load;
        while (facet_j3d_next_load(&list, &load)) {
            if (load.space != FACET_J3D_SPACE_BP)
                continue;
            if (load.address == 0x2E || load.address == 0x2F) {
                uint32_t *to = &registers[load.address - 0x2E];
                *to = (*to & ~mask) | (load.value & mask);
            }
            mask = load.address == 0xFE ? load.value : 0xFFFFFF;
        }
        for (uint32_t stage = 12; stage < stages; stage++)
            assert_int_equal(registers[(stage - 12) / 2] >> (stage & 1 ? 12 : 0) & 0x3FF, half);
    }
}

/* A stage uses matrix 1, and there is one indirect stage. Without the matrix the chip would use
 * that of the previous material. 0.5 * 1024 = 512, exponent 1 + 17 = 01 00 10. */
TEST(matrices_that_stages_use_are_loaded)
{
    facet_j3d_material m = test_j3d_textured_material("m", 0);
    facet_gx_indirect *indirect = &m.gx.indirect;
    indirect->enabled = 1;
    indirect->stage_count = 1;
    indirect->orders[0] = (facet_gx_indirect_order){0, 0, {255, 255}};
    indirect->matrices[1].rows[0][0] = 0.5f;
    indirect->stages[0].matrix = 6; /* matrix 1, S only */
    baked b = bake(&m);
    expect_bp(&b, 0x09, 512 | 2 << 22);
    expect_bp(&b, 0x0B, 1 << 22);
    expect_no_bp(&b, 0x0C);
    indirect->stages[0].matrix = 0;
    b = bake(&m);
    expect_no_bp(&b, 0x09);
}

TEST(fog_bakes_registers_for_any_range)
{
    facet_j3d_material m = test_j3d_minimal_material("m");
    m.gx.fog = (facet_gx_fog){.type = 2,
                              .range_center = 320,
                              .start = 50,
                              .end = 150,
                              .near_z = 100,
                              .far_z = 300,
                              .color = {1, 2, 3, 4}};
    baked b = bake(&m);
    /* A = 300 * 100 / (200 * 100) = 1.5, B = 300 / 200 = 1.5, C = 50 / 100 = 0.5. B is halved
     * once, so the shift is 2, and A = 1.5 / 4 = 0.375. */
    expect_bp(&b, 0xEE, 0x3EC00000 >> 12);
    expect_bp(&b, 0xEF, 6291478); /* 8388638 * 0.75 = 6291478.5 */
    expect_bp(&b, 0xF0, 2);
    expect_bp(&b, 0xF1, 0x3F000000 >> 12 | 2 << 21);
    expect_bp(&b, 0xF2, 0x010203);
    expect_bp(&b, 0xE8, 320 + 342);
    expect_no_bp(&b, 0xE9);
    /* B = 300 / 1200 = 0.25 is doubled once: shift 0 */
    m.gx.fog.near_z = -900;
    b = bake(&m);
    expect_bp(&b, 0xEF, 4194319);
    expect_bp(&b, 0xF0, 0);
    /* orthographic: A = 200 / 100, C = (50 - 100) / 100 */
    m.gx.fog.near_z = 100;
    m.gx.fog.type = 10;
    b = bake(&m);
    expect_bp(&b, 0xEE, 0x40000000 >> 12);
    expect_bp(&b, 0xF1, 0xBF000 | 1 << 20 | 2 << 21);
    m.gx.fog.range_adjust = 1;
    for (uint16_t i = 0; i < 10; i++)
        m.gx.fog.range_table[i] = (uint16_t)(0x100 + i);
    b = bake(&m);
    for (uint32_t i = 0; i < 5; i++)
        expect_bp(&b, 0xE9 + i, (0x100 + 2 * i) | (0x101 + 2 * i) << 12);
    expect_bp(&b, 0xE8, (320 + 342) | 1 << 10);
    /* NaN and extreme values also finish */
    m.gx.fog.type = 2;
    m.gx.fog.far_z = INFINITY;
    bake(&m);
    m.gx.fog.near_z = NAN;
    bake(&m);
    m.gx.fog.far_z = 1e-44f;
    m.gx.fog.near_z = -3e38f;
    bake(&m);
}

TEST(pixel_engine_state_bakes_its_registers)
{
    facet_j3d_material m = test_j3d_minimal_material("m");
    m.gx.alpha_compare = (facet_gx_alpha_compare){6, 128, 2, 3, 255, {255, 255, 255}};
    m.gx.blend = (facet_gx_blend){3, 4, 5, 6};
    m.gx.depth = (facet_gx_depth){1, 5, 0, 255};
    m.gx.dither = m.gx.early_depth = 0;
    m.gx.cull_mode = 1;
    m.gx.channel_count = 2;
    m.gx.texgen_count = 2;
    m.gx.texgens[0] = m.gx.texgens[1] = (facet_gx_texgen){1, 4, 60, 255};
    m.gx.stage_count = 3;
    m.gx.tev_stages[1] = m.gx.tev_stages[2] = m.gx.tev_stages[0];
    m.gx.tev_orders[1] = m.gx.tev_orders[2] = m.gx.tev_orders[0];
    baked b = bake(&m);
    expect_bp(&b, 0xF3, 128 | 255 << 8 | 6 << 16 | 3 << 19 | 2 << 22);
    expect_bp(&b, 0x41, 1 | 5 << 5 | 4 << 8 | 1 << 11 | 6 << 12);
    expect_bp(&b, 0x40, 1 | 5 << 1);
    expect_bp(&b, 0x43, 0);
    expect_bp(&b, 0x00, 2 | 2 << 4 | 2 << 10 | 2 << 14);
    m.gx.blend.type = 2;
    m.gx.cull_mode = 0;
    b = bake(&m);
    expect_bp(&b, 0x41, 2 | 5 << 5 | 4 << 8 | 6 << 12);
    expect_bp(&b, 0x00, 2 | 2 << 4 | 2 << 10);
    m.gx.blend.type = 1;
    m.gx.cull_mode = 3;
    b = bake(&m);
    expect_bp(&b, 0x41, 1 | 5 << 5 | 4 << 8 | 6 << 12);
    expect_bp(&b, 0x00, 2 | 2 << 4 | 2 << 10 | 3 << 14);
}

TEST(texgens_bake_sources_and_matrices)
{
    facet_j3d_material m = test_j3d_minimal_material("m");
    static const struct {
        facet_gx_texgen texgen;
        uint32_t bits;
    } cases[] = {
        {{0, 1, 33, 255}, 1 << 1 | 1 << 2 | 1 << 7 | 5 << 12},   /* normal, 3x4 */
        {{5, 14, 60, 255}, 1 << 4 | 5 << 7 | 2 << 12 | 3 << 15}, /* bump by light 3 */
        {{10, 19, 60, 255}, 2 << 4 | 2 << 7 | 5 << 12},          /* from color 0 */
        {{10, 20, 60, 255}, 3 << 4 | 2 << 7 | 5 << 12},          /* from color 1 */
        {{1, 0, 60, 255}, 1 << 2 | 0 << 7 | 5 << 12},            /* position */
        {{1, 2, 60, 255}, 1 << 2 | 3 << 7 | 5 << 12},            /* binormal */
        {{1, 3, 60, 255}, 1 << 2 | 4 << 7 | 5 << 12},            /* tangent */
        {{1, 11, 60, 255}, 12 << 7 | 5 << 12},                   /* texcoord 7 */
    };
    uint32_t bits[8], identity[8];
    m.gx.texgen_count = 8;
    for (uint32_t i = 0; i < 8; i++) {
        m.gx.texgens[i] = cases[i].texgen;
        bits[i] = cases[i].bits;
        identity[i] = 0x3D;
    }
    m.given.texgens = 0xFF;
    baked b = bake(&m);
    expect_xf(&b, 0x1040, 8, bits);
    expect_xf(&b, 0x1050, 8, identity);
    assert_int_equal(count_loads(&b, FACET_J3D_SPACE_XF, 0x84), 0); /* the material has no record */
    assert_int_equal(b.packet.matrix_indices[0], 33 << 6 | 60 << 12 | 60 << 18 | 60u << 24);
    m.gx.texgen_count = 0;
    b = bake(&m);
    assert_int_equal(count_loads(&b, FACET_J3D_SPACE_XF, 0x1040), 0);
    assert_int_equal(b.packet.texgens, b.packet.channel_colors);
    assert_int_equal(b.packet.matrix_indices[0], 0x3CF3CF00);
}

/* Expect the words of a texture matrix, by row. */
static void expect_matrix(const baked *b, uint32_t address, uint32_t count, const float *expected)
{
    facet_j3d_load load = find_load(b, FACET_J3D_SPACE_XF, address, 0);
    assert_int_equal(load.count, count);
    for (uint32_t i = 0; i < count; i++) {
        float value = facet_load_f32be(load.words + 4 * i);
        if (!(fabsf(value - expected[i]) < 1e-6f))
            fail_msg("element %u is %g, not %g", i, (double)value, (double)expected[i]);
    }
}

TEST(texture_matrices_bake_by_their_mode)
{
    facet_j3d_material m = test_j3d_minimal_material("m");
    facet_gx_texture_matrix *record = &m.gx.texture_matrices[1];
    m.gx.texgen_count = 1;
    m.gx.texgens[0] = (facet_gx_texgen){1, 4, 33, 255};
    m.given.texgens = 1;
    m.given.texture_matrices = 2;
    *record = (facet_gx_texture_matrix){.projection = 1,
                                        .center = {0.5f, 0.5f, 0.5f},
                                        .scale = {2, 3},
                                        .translation = {0.25f, 0.125f},
                                        .effect = {1, 0, 0, 5, 0, 1, 0, 6, 0, 0, 1, 7, 0, 0, 0, 1}};
    /* ts = -2/2 + 1/2 + 1/4, tt = -3/2 + 1/2 + 1/8 */
    static const float plain[8] = {2, 0, 0, -0.25f, 0, 3, 0, -0.875f};
    baked b = bake(&m);
    expect_matrix(&b, 0x84, 8, plain);
    facet_j3d_load load = find_load(&b, FACET_J3D_SPACE_XF, 0x84, 0);
    assert_int_equal(facet_load_u32be(load.words + 4), 0x80000000); /* -(2 * 0) */
    assert_int_equal(facet_load_u32be(load.words + 16), 0);
    /* A quarter turn: a = 0, b = -2, d = 3, e = 0. */
    static const float turned[8] = {0, -2, 0, 1.75f, 3, 0, 0, -0.875f};
    record->rotation = 16384;
    b = bake(&m);
    expect_matrix(&b, 0x84, 8, turned);
    /* Entry 1 of 2048 is used for all of 32 to 63; in generation A entry 3 of 4096. */
    for (int narrow_blend_mask = 0; narrow_blend_mask < 2; narrow_blend_mask++) {
        const float angle = 3.14159265f * (narrow_blend_mask ? 3 / 2048.0f : 1 / 1024.0f);
        const float s = sinf(angle), c = cosf(angle);
        const float little[8] = {2 * c, -2 * s, 0, -c + s + 0.75f,
                                 3 * s, 3 * c,  0, -1.5f * s - 1.5f * c + 0.625f};
        facet_bti_header header = small_texture();
        record->rotation = 63;
        b = bake_with(&m, &header, narrow_blend_mask != 0);
        expect_matrix(&b, 0x84, 8, little);
    }
    /* Exact bits: pi is rounded to a float, so a quarter turn less one unit, entry 511, has this
     * cosine. Generation A uses entry 1023. */
    for (int narrow_blend_mask = 0; narrow_blend_mask < 2; narrow_blend_mask++) {
        facet_bti_header header = small_texture();
        record->rotation = 16383;
        record->scale[0] = 1;
        b = bake_with(&m, &header, narrow_blend_mask != 0);
        facet_j3d_load turned_load = find_load(&b, FACET_J3D_SPACE_XF, 0x84, 0);
        assert_int_equal(facet_load_u32be(turned_load.words),
                         narrow_blend_mask ? 0x3AC90D0C : 0x3B490F0B);
        record->scale[0] = 2;
    }
    /* Maya: p = -1/4, q = -3/8: ts = p + 1/2, tt = -(q + 3) + 1/2. */
    static const float maya[8] = {2, 0, 0, 0.25f, 0, 3, 0, -2.125f};
    record->rotation = 0;
    record->mode = 0x80;
    b = bake(&m);
    expect_matrix(&b, 0x84, 8, maya);
    /* Projected, all rows: New * Q * Effect. New * Q = [1 0 .75 0; 0 -1.5 .625 0;
     * 0 0 1 0]; the effect translates by 5, 6, 7. */
    static const float projected[12] = {
        1, 0, 0.75f, 5 + 7 * 0.75f, 0, -1.5f, 0.625f, -9 + 7 * 0.625f, 0, 0, 1, 7};
    record->projection = 0;
    record->mode = 8;
    b = bake(&m);
    expect_matrix(&b, 0x84, 12, projected);
    /* Environment: Old * Q2 = [1 0 0 1 - .25; 0 -1.5 0 1.5 - .875]. */
    static const float environment[8] = {1, 0, 0, 0.75f, 0, -1.5f, 0, 0.625f};
    record->projection = 1;
    record->mode = 6;
    b = bake(&m);
    expect_matrix(&b, 0x84, 8, environment);
    /* Old * Effect. */
    static const float effect[8] = {2, 0, 0, 9.75f, 0, 3, 0, 17.125f};
    record->mode = 4;
    b = bake(&m);
    expect_matrix(&b, 0x84, 8, effect);
    /* Environment with one row for both: New * Q. */
    static const float newer[8] = {1, 0, 0.75f, 0, 0, -1.5f, 0.625f, 0};
    record->mode = 7;
    b = bake(&m);
    expect_matrix(&b, 0x84, 8, newer);
}

TEST(channels_and_lights_bake_their_registers)
{
    facet_j3d_material m = test_j3d_minimal_material("m");
    static const facet_gx_light light = {
        {1, 2, 3}, {4, 5, 6}, {7, 8, 9, 10}, {11, 12, 13}, {14, 15, 16}};
    m.gx.channels[0] = (facet_gx_channel){1, 0, 0xF4, 1, 0, 1, {255, 255}}; /* specular */
    m.gx.channels[1] = (facet_gx_channel){0, 1, 0, 1, 2, 0xFF, {255, 255}}; /* no attenuation */
    m.gx.material_colors[1] = (facet_gx_rgba8){1, 2, 3, 4};
    m.gx.lights[2] = light;
    m.given.lights = 4;
    baked b = bake(&m);
    /* color 0 and 1, alpha 0 and 1; specular drops the diffuse function */
    const uint32_t control[4] = {1 << 1 | 4 << 2 | 1 << 6 | 1 << 9 | 15 << 11, 1 << 10,
                                 1 | 1 << 7 | 1 << 10, 1 << 10};
    expect_xf(&b, 0x100E, 4, control);
    expect_xf(&b, 0x100C, 2, (const uint32_t[]){0xFFFFFFFF, 0x01020304});
    expect_xf(&b, 0x100A, 2, (const uint32_t[]){0x32323232, 0x32323232});
    expect_xf(&b, 0x1009, 1, (const uint32_t[]){1});
    expect_xf(&b, 0x103F, 1, (const uint32_t[]){0});
    expect_matrix(&b, 0x62A, 3, (const float[]){1, 2, 3});
    expect_matrix(&b, 0x624, 6, (const float[]){11, 12, 13, 14, 15, 16});
    expect_xf(&b, 0x623, 1, (const uint32_t[]){0x0708090A});
    expect_matrix(&b, 0x62D, 3, (const float[]){4, 5, 6});
}

/* All features enabled: the longest possible packet. */
TEST(longest_packet_fits_its_capacity)
{
    facet_j3d_material m = test_j3d_textured_material("m", 0);
    facet_bti_header h = small_texture();
    h.has_palette = 1;
    m.gx.stage_count = 16;
    m.gx.texgen_count = 8;
    for (uint8_t i = 0; i < 16; i++) {
        m.gx.tev_stages[i] = m.gx.tev_stages[0];
        m.gx.tev_orders[i] = (facet_gx_tev_order){i & 7, i & 7, 4, 255};
        m.gx.textures[i & 7] = 0;
        m.gx.texgens[i & 7] = (facet_gx_texgen){0, 4, (uint8_t)(30 + 3 * (i & 7)), 255};
    }
    m.given.texture_matrices = 0x3FF;
    m.given.lights = 0xFF;
    m.gx.fog.range_adjust = 1;
    m.gx.indirect.enabled = 1;
    m.gx.indirect.stage_count = 4;
    for (uint8_t i = 0; i < 4; i++)
        m.gx.indirect.orders[i] = (facet_gx_indirect_order){i, i, {255, 255}};
    baked b = bake_with(&m, &h, false);
    assert_int_equal(count_loads(&b, FACET_J3D_SPACE_XF, 0x103F), 1); /* the last command */
    assert_true(b.packet.size <= FACET_J3D_PACKET_CAPACITY);
    /* Invalid counts do not exceed the capacity either. */
    m.gx.stage_count = m.gx.texgen_count = m.gx.channel_count = m.gx.indirect.stage_count = 255;
    m.gx.cull_mode = 0xFFFFFFFF;
    b = bake_with(&m, &h, false);
    assert_int_equal(count_loads(&b, FACET_J3D_SPACE_XF, 0x103F), 1);
    m.gx.stage_count = 0;
    b = bake_with(&m, &h, false);
    assert_int_equal(count_loads(&b, FACET_J3D_SPACE_BP, 0xC0), 1);
}
