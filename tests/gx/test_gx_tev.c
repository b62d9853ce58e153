/* The texture environment: integers as the hardware computes them, with literal results, and
 * formulas compared with those integers. */
#include "gx/tev.h"
#include "support/j3d_random.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>

enum { CPREV, APREV, C0, A0, C1, A1, C2, A2, TEXC, TEXA, RASC, RASA, ONE, HALF, KONST, ZERO };
enum { AA_PREV, AA_0, AA_1, AA_2, AA_TEX, AA_RAS, AA_KONST, AA_ZERO };

/* One stage with these color inputs. Alpha is the texture's. */
static void set_stage(facet_gx_material *m, unsigned i, uint8_t a, uint8_t b, uint8_t c, uint8_t d)
{
    const facet_gx_tev_stage stage = {
        255, {{a, b, c, d}, 0, 0, 0, 1, 0}, {{7, 7, 7, AA_TEX}, 0, 0, 0, 1, 0}, 255};
    m->tev_stages[i] = stage;
    m->stage_count = (uint8_t)(i + 1);
}

static void run(const facet_gx_material *m, const uint8_t texel[4], const uint8_t raster[4],
                uint8_t out[4])
{
    facet_gx_tev_inputs inputs;
    for (int i = 0; i < 16; i++) {
        memcpy(inputs.texels[i], texel, 4);
        memcpy(inputs.rasters[i], raster, 4);
    }
    facet_gx_tev_evaluate(m, &inputs, out);
}

static const uint8_t texel[4] = {200, 100, 0, 77}, raster[4] = {128, 255, 9, 50};

#define ASSERT_COLOR(out, x, y, z)   \
    do {                             \
        assert_int_equal(out[0], x); \
        assert_int_equal(out[1], y); \
        assert_int_equal(out[2], z); \
    } while (0)

/* -- Integers ----------------------------------------------------------- */

TEST(stages_compute_as_the_hardware_does)
{
    facet_gx_material m;
    uint8_t out[4];
    facet_gx_material_init(&m);
    /* Product: C' = 128 + 1 = 129, (200 * 129 + 128) >> 8 = 101; 255 counts as 256. */
    set_stage(&m, 0, ZERO, TEXC, RASC, ZERO);
    run(&m, texel, raster, out);
    ASSERT_COLOR(out, 101, 100, 0);
    assert_int_equal(out[3], 77);
    /* Sum, clamped: 200 + 128, 100 + 255, 0 + 9. */
    set_stage(&m, 0, RASC, ZERO, ZERO, TEXC);
    run(&m, texel, raster, out);
    ASSERT_COLOR(out, 255, 255, 9);
    /* Not clamped, reduced to 8 bits: 328 & 255. */
    m.tev_stages[0].color.clamp = 0;
    run(&m, texel, raster, out);
    ASSERT_COLOR(out, 72, 99, 9);
    /* Subtract, add a half, double: (9 - 0 + 128) * 2 in blue. */
    set_stage(&m, 0, TEXC, ZERO, ZERO, RASC);
    m.tev_stages[0].color.operation = 1;
    m.tev_stages[0].color.bias = 1;
    m.tev_stages[0].color.scale = 1;
    run(&m, texel, raster, out);
    ASSERT_COLOR(out, 112, 255, 255);
    /* Half of 255 + 128: 191. */
    set_stage(&m, 0, ONE, ZERO, ZERO, HALF);
    m.tev_stages[0].color.scale = 3;
    run(&m, texel, raster, out);
    ASSERT_COLOR(out, 191, 191, 191);
    /* Between two constants: 40 + ((240 - 40) * (100 + 0)) / 256 = 118.6 in green. */
    m.konst_colors[0] = (facet_gx_rgba8){240, 240, 240, 255};
    m.tev_registers[0] = (facet_gx_rgba16){40, 40, 40, 0};
    set_stage(&m, 0, C0, KONST, TEXC, ZERO);
    run(&m, texel, raster, out);
    ASSERT_COLOR(out, 197, 118, 40);
}

/* Only coordinate 0 exists. Its size is that of the last map ordered with it, for any order with
 * coordinate 3 before or after. If only coordinate 3 has a map, that map is used. Indirect orders
 * do the same. */
TEST(orders_give_coordinates_their_size)
{
    static const struct {
        uint8_t texcoords[2], maps[2], expected;
    } cases[] = {{{0, 3}, {0, 1}, 0},    {{3, 0}, {1, 0}, 0},
                 {{0, 0}, {0, 1}, 1},    {{3, 3}, {1, 1}, 1},
                 {{0, 3}, {0xFF, 1}, 1}, {{0xFF, 0xFF}, {0, 1}, FACET_GX_NO_MAP}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int indirect = 0; indirect < 2; indirect++) {
            facet_gx_material material;
            facet_gx_program program;
            facet_gx_material_init(&material);
            material.texgen_count = 1;
            material.stage_count = indirect ? 1 : 2;
            material.tev_orders[0] =
                (facet_gx_tev_order){cases[i].texcoords[0], cases[i].maps[0], 4, 0};
            material.tev_orders[1] =
                (facet_gx_tev_order){cases[i].texcoords[1], cases[i].maps[1], 4, 0};
            material.indirect.enabled = indirect != 0;
            material.indirect.stage_count = 1;
            material.indirect.orders[0].texcoord = cases[i].texcoords[1];
            material.indirect.orders[0].texmap = cases[i].maps[1];
            facet_gx_program_make(&material, &program);
            assert_int_equal(program.coordinate_maps[0], cases[i].expected);
            assert_int_equal(program.coordinate_maps[3], FACET_GX_NO_MAP);
        }
    }
}

TEST(stages_choose_constants_and_keep_registers)
{
    facet_gx_material m;
    uint8_t out[4];
    facet_gx_material_init(&m);
    /* Konst 5/8 is 159, and selection 22 is K2's green. Swap table 1 shows alpha as red. */
    m.konst_colors[2] = (facet_gx_rgba8){1, 2, 3, 4};
    m.konst_color_selections[0] = 22;
    set_stage(&m, 0, ZERO, ZERO, ZERO, KONST);
    run(&m, texel, raster, out);
    ASSERT_COLOR(out, 2, 2, 2);
    m.konst_color_selections[0] = 3;
    run(&m, texel, raster, out);
    ASSERT_COLOR(out, 159, 159, 159);
    m.konst_color_selections[0] = 0xFF; /* in the oldest files: K0 */
    run(&m, texel, raster, out);
    ASSERT_COLOR(out, 255, 255, 255);
    set_stage(&m, 0, ZERO, ZERO, ZERO, TEXC);
    m.swap_modes[0].texture_table = 1;
    m.swap_tables[1] = (facet_gx_swap_table){3, 0, 0, 1};
    run(&m, texel, raster, out);
    ASSERT_COLOR(out, 77, 200, 200);
    assert_int_equal(out[3], 100);
    /* The output of the last stage is visible in any register. C1 is read unchanged. */
    facet_gx_material_init(&m);
    set_stage(&m, 0, ZERO, ZERO, ZERO, TEXC);
    m.tev_stages[0].color.destination = 2;
    set_stage(&m, 1, C1, ZERO, ZERO, RASC);
    m.tev_stages[1].color.destination = 1;
    run(&m, texel, raster, out);
    ASSERT_COLOR(out, 255, 255, 9);
    /* A negative register wraps in inputs of 8 bits, but not in D. */
    m.tev_registers[0] = (facet_gx_rgba16){-1, -1, 256, 0};
    set_stage(&m, 0, C0, ZERO, ZERO, ZERO);
    run(&m, texel, raster, out);
    ASSERT_COLOR(out, 255, 255, 0);
    set_stage(&m, 0, ZERO, ZERO, ZERO, C0);
    run(&m, texel, raster, out);
    ASSERT_COLOR(out, 0, 0, 255);
}

TEST(stages_compare_by_operation)
{
    facet_gx_material m;
    uint8_t out[4];
    facet_gx_material_init(&m);
    /* D + (A > B ? C : 0), separately for each component: 200 > 128, 100 < 255, 0 < 9. */
    set_stage(&m, 0, TEXC, RASC, HALF, RASC);
    m.tev_stages[0].color.operation = 14;
    run(&m, texel, raster, out);
    ASSERT_COLOR(out, 255, 255, 9);
    /* Only red decides. */
    m.tev_stages[0].color.operation = 8;
    run(&m, texel, raster, out);
    ASSERT_COLOR(out, 255, 255, 137);
    /* Green and red as 16 bits: 100 * 256 + 200 < 255 * 256 + 128. */
    m.tev_stages[0].color.operation = 10;
    run(&m, texel, raster, out);
    ASSERT_COLOR(out, 128, 255, 9);
    /* Equal. */
    set_stage(&m, 0, TEXC, TEXC, ONE, ZERO);
    m.tev_stages[0].color.operation = 13;
    run(&m, texel, raster, out);
    ASSERT_COLOR(out, 255, 255, 255);
}

/* -- Formulas ----------------------------------------------------------- */

static void leave_open(facet_gx_tev_leaf leaves[16])
{
    for (int i = 0; i < 16; i++) {
        memset(&leaves[i], 0, sizeof leaves[i]);
        leaves[i].texture = i % 2;
        leaves[i].raster = 0;
    }
}

static float value_of(const facet_gx_tev_formula *f, const uint8_t texels[2][4],
                      const uint8_t color[4])
{
    float sum = 0;
    for (uint32_t i = 0; i < f->count; i++) {
        float term = f->terms[i].factor;
        for (unsigned k = 0; k < f->terms[i].count; k++) {
            unsigned v = f->terms[i].variables[k];
            term *= (float)(v < 64 ? texels[v / 4][v % 4] : color[v - 64]) / 255;
        }
        sum += term;
    }
    return sum * 255;
}

TEST(formulas_are_short)
{
    facet_gx_material m;
    facet_gx_tev_leaf leaves[16];
    facet_gx_tev_formula f[4];
    leave_open(leaves);
    facet_gx_material_init(&m);
    /* Texture times vertex color times K0. */
    m.konst_colors[0] = (facet_gx_rgba8){51, 255, 0, 255};
    set_stage(&m, 0, ZERO, TEXC, RASC, ZERO);
    set_stage(&m, 1, ZERO, CPREV, KONST, ZERO);
    facet_gx_tev_analyze(&m, leaves, f);
    assert_int_equal(f[0].count, 1);
    assert_true(f[0].terms[0].factor > 0.1999f && f[0].terms[0].factor < 0.2001f);
    assert_int_equal(f[0].terms[0].count, 2);
    assert_int_equal(f[0].terms[0].variables[0], 0);
    assert_int_equal(f[0].terms[0].variables[1], 64);
    assert_int_equal(f[1].terms[0].variables[0], 1);
    assert_int_equal(f[2].count, 0);
    assert_int_equal(f[0].textures, 1);
    assert_int_equal(f[0].rasters, 1);
    assert_int_equal(f[3].terms[0].variables[0], 4 + 3); /* alpha of stage 1's texture */
    assert_false(f[0].complex || f[0].clamps);
    /* A + (B - A) * 1, and terms that cancel. */
    set_stage(&m, 0, RASC, TEXC, ONE, ZERO);
    set_stage(&m, 1, CPREV, CPREV, RASC, ZERO);
    facet_gx_tev_analyze(&m, leaves, f);
    assert_int_equal(f[0].count, 1);
    assert_int_equal(f[0].rasters, 0);
    /* Twice a texture is clamped at 1. A comparison is not a formula. */
    set_stage(&m, 0, ZERO, ZERO, ZERO, TEXC);
    m.stage_count = 1;
    m.tev_stages[0].color.scale = 1;
    facet_gx_tev_analyze(&m, leaves, f);
    assert_true(f[0].clamps);
    m.tev_stages[0].color.operation = 8;
    facet_gx_tev_analyze(&m, leaves, f);
    assert_true(f[0].complex);
    assert_int_equal(f[0].textures, 1);
    assert_int_equal(f[0].rasters, 0);
}

/* If a formula is exact, its values are near the integers: each stage adds a rounding error of at
 * most one and scales the earlier ones. */
TEST(formulas_agree_with_integers)
{
    test_random random = {11};
    facet_gx_tev_leaf leaves[16];
    unsigned compared = 0;
    leave_open(leaves);
    for (int round = 0; round < 4000; round++) {
        facet_gx_material m;
        facet_gx_tev_formula f[4];
        facet_gx_tev_inputs inputs;
        uint8_t texels[2][4], color[4], out[4];
        facet_gx_material_init(&m);
        for (int i = 0; i < 8; i++)
            texels[i / 4][i % 4] = (uint8_t)test_random_below(&random, 256);
        for (int i = 0; i < 4; i++) {
            color[i] = (uint8_t)test_random_below(&random, 256);
            m.konst_colors[i] = (facet_gx_rgba8){(uint8_t)test_random_below(&random, 256), 128,
                                                 (uint8_t)test_random_below(&random, 256), 9};
        }
        m.stage_count = (uint8_t)(1 + test_random_below(&random, 3));
        for (unsigned i = 0; i < m.stage_count; i++) {
            uint8_t in[8];
            for (int k = 0; k < 8; k++)
                in[k] = (uint8_t)test_random_below(&random, k < 4 ? 16 : 8);
            const facet_gx_tev_stage stage = {
                255,
                {{in[0], in[1], in[2], in[3]}, 0, 0, 0, 1, (uint8_t)test_random_below(&random, 2)},
                {{in[4], in[5], in[6], in[7]}, 0, 0, 0, 1, (uint8_t)test_random_below(&random, 2)},
                255};
            m.tev_stages[i] = stage;
            m.konst_color_selections[i] = (uint8_t)(12 + test_random_below(&random, 20));
        }
        for (int i = 0; i < 16; i++) {
            memcpy(inputs.texels[i], texels[i % 2], 4);
            memcpy(inputs.rasters[i], color, 4);
        }
        facet_gx_tev_evaluate(&m, &inputs, out);
        facet_gx_tev_analyze(&m, leaves, f);
        for (unsigned c = 0; c < 4; c++) {
            if (f[c].complex || f[c].clamps)
                continue;
            float expected = value_of(&f[c], (const uint8_t(*)[4])texels, color);
            if (expected < out[c] - 6.0f || expected > out[c] + 6.0f)
                fail_msg("round %d, component %u: %g, and the hardware has %u", round, c,
                         (double)expected, out[c]);
            compared++;
        }
    }
    assert_true(compared > 8000);
}

/* -- Numbers ------------------------------------------------------------ */

TEST(invalid_numbers_are_found)
{
    facet_error error;
    facet_gx_material m;
    facet_gx_material_init(&m);
    TEST_OK(facet_gx_material_check(&m, &error), &error);
    m.tev_stages[1].color.operation = 200; /* of an unused stage */
    m.texture_matrices[0].scale[0] = NAN;  /* that no texgen uses */
    TEST_OK(facet_gx_material_check(&m, &error), &error);
    m.stage_count = 2;
    assert_int_equal(facet_gx_material_check(&m, &error), FACET_ERROR_ARGUMENT);
    assert_string_equal(error.rule, "GX-NUMBER");
    m.stage_count = 1, m.texgen_count = 1, m.texgens[0].matrix = 30;
    assert_int_equal(facet_gx_material_check(&m, &error), FACET_ERROR_ARGUMENT);
    assert_string_equal(error.rule, "GX-FLOAT");
    m.texture_matrices[0].scale[0] = 1;
    TEST_OK(facet_gx_material_check(&m, &error), &error);
    m.stage_count = 17;
    assert_int_equal(facet_gx_material_check(&m, &error), FACET_ERROR_ARGUMENT);
    assert_string_equal(error.rule, "GX-COUNT");
    m.stage_count = 1, m.konst_color_selections[0] = 0xFF; /* the oldest files' */
    TEST_OK(facet_gx_material_check(&m, &error), &error);
    m.konst_color_selections[0] = 0x20; /* five bits */
    assert_int_equal(facet_gx_material_check(&m, &error), FACET_ERROR_ARGUMENT);
}
