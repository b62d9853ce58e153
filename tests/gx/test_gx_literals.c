/* The chip's arithmetic, part by part, compared with literal vectors. */
#include "gx/pixel.h"
#include "gx/sample.h"
#include "gx/tev.h"
#include "gx/texture_matrix.h"
#include "gx/vertex.h"
#include "support/support.h"

#include <math.h>

/* -- Literal vectors ---------------------------------------------------- */

TEST(comparisons_are_by_number)
{
    for (uint32_t i = 0; i < 8; i++) { /* bit 0 less, bit 1 equal, bit 2 greater */
        assert_int_equal(facet_gx_compare((uint8_t)i, 1, 2), (i & 1) != 0);
        assert_int_equal(facet_gx_compare((uint8_t)i, 2, 2), (i & 2) != 0);
        assert_int_equal(facet_gx_compare((uint8_t)i, 3, 2), (i & 4) != 0);
    }
    facet_gx_alpha_compare both = {4, 127, 0, 3, 200, {0}}; /* > 127 and <= 200 */
    assert_true(facet_gx_alpha_passes(&both, 128));
    assert_true(facet_gx_alpha_passes(&both, 200));
    assert_false(facet_gx_alpha_passes(&both, 127));
    assert_false(facet_gx_alpha_passes(&both, 201));
    both.operation = 1;
    assert_true(facet_gx_alpha_passes(&both, 201));
    both.operation = 2; /* exactly one of the two */
    assert_true(facet_gx_alpha_passes(&both, 201));
    assert_false(facet_gx_alpha_passes(&both, 150));
    both.operation = 3;
    assert_true(facet_gx_alpha_passes(&both, 150));
}

TEST(blending_rounds_down_once)
{
    /* Alpha 128 counts as 129 of 256, its inverse as 127: (200 * 129 + 20 * 127) >> 8 = 110. */
    const facet_gx_blend mix = {1, 4, 5, 0};
    const uint8_t source[4] = {200, 100, 50, 128};
    uint8_t frame[4] = {20, 40, 60, 255};
    facet_gx_blend_into(&mix, source, frame);
    assert_int_equal(frame[0], 110);
    assert_int_equal(frame[1], 70); /* (12900 + 5080) >> 8 */
    assert_int_equal(frame[2], 54); /* (6450 + 7620) >> 8 */
    const facet_gx_blend xor = {2, 1, 0, 6}, less = {3, 1, 1, 0}, none = {0, 4, 5, 0};
    uint8_t other[4] = {0xF0, 0, 0xFF, 255};
    const uint8_t bits[4] = {0x3C, 7, 0x0F, 1};
    facet_gx_blend_into(&xor, bits, other);
    assert_int_equal(other[0], 0xCC);
    assert_int_equal(other[1], 7);
    assert_int_equal(other[2], 0xF0);
    facet_gx_blend_into(&less, bits, other);
    assert_int_equal(other[0], 0xCC - 0x3C);
    assert_int_equal(other[1], 0);
    facet_gx_blend_into(&none, bits, other);
    assert_memory_equal(other, bits, 4);
}

TEST(texels_are_sampled_and_wrapped)
{
    uint8_t pixels[4 * 4] = {0, 10, 20, 30, 100, 110, 120, 130, 200, 210, 220, 230, 60, 70, 80, 90};
    facet_gx_texture_unit unit = {.levels = {{pixels, 2, 2}}, .level_count = 1, .mag_filter = 1};
    uint8_t out[4];
    const int32_t middle[2] = {128, 128}, corner[2] = {0, 0}, quarter[2] = {96, 64};
    facet_gx_sample(&unit, middle, 0, false, out); /* all four equally: 360 / 4 */
    assert_int_equal(out[0], 90);
    facet_gx_sample(&unit, corner, 0, false, out);
    assert_int_equal(out[0], 0);
    facet_gx_sample(&unit, quarter, 0, false, out); /* a quarter of the way from 0 to 100 */
    assert_int_equal(out[0], 25);
    unit.mag_filter = 0;
    facet_gx_sample(&unit, middle, 0, false, out); /* texel 1, 1 */
    assert_int_equal(out[0], 60);
    /* -1 is the last texel if repeated, the first if mirrored. 6 sizes as a modulus, or by the
     * chip's masks: 6 & 5 = 4. */
    assert_int_equal(facet_gx_wrap(-1, 1, 8, false), 7);
    assert_int_equal(facet_gx_wrap(-1, 2, 8, false), 0);
    assert_int_equal(facet_gx_wrap(-1, 0, 8, false), 0);
    assert_int_equal(facet_gx_wrap(6, 1, 6, false), 0);
    assert_int_equal(facet_gx_wrap(6, 1, 6, true), 4);
    assert_int_equal(facet_gx_wrap(7, 2, 6, false), 4);  /* 0 1 2 3 4 5 5 4 */
    assert_int_equal(facet_gx_wrap(-7, 2, 6, false), 5); /* 0 1 .. 5 5 in reverse */
    assert_int_equal(facet_gx_fixed(-0.3f, 64), -2457);  /* -2457.6 rounds towards 0 */
}

TEST(levels_follow_the_lod)
{
    facet_gx_texture_unit unit = {.max_lod = 80};
    bool smaller;
    assert_int_equal(facet_gx_lod(&unit, 1, &smaller), 0);
    assert_false(smaller);
    assert_int_equal(facet_gx_lod(&unit, 6, &smaller), 40); /* 4 to 8 in sixteen steps */
    assert_true(smaller);
    assert_int_equal(facet_gx_lod(&unit, 64, &smaller), 80);
    uint8_t zero[16] = {0}, one[4] = {160, 160, 160, 160}, out[4];
    unit.levels[0] = (facet_gx_level){zero, 2, 2};
    unit.levels[1] = (facet_gx_level){one, 1, 1};
    unit.level_count = 2;
    unit.min_filter = 5;
    const int32_t at[2] = {100, 100};
    facet_gx_sample(&unit, at, 4, true, out); /* a quarter of the way to 160 */
    assert_int_equal(out[0], 40);
    unit.min_filter = 3;
    facet_gx_sample(&unit, at, 7, true, out);
    assert_int_equal(out[0], 0);
    facet_gx_sample(&unit, at, 8, true, out);
    assert_int_equal(out[0], 160);
    /* A magnified texture uses the minimum level that it allows. */
    unit.min_lod = 16;
    int lod = facet_gx_lod(&unit, 0.5f, &smaller);
    assert_false(smaller);
    facet_gx_sample(&unit, at, lod, smaller, out);
    assert_int_equal(out[0], 160);
}

/* PNMTX0 is the matrix that moves positions to the camera. Here it moves by 10 along x, then the
 * camera rotates x to y. (1, 2, 3) becomes (11, 2, 3), then (-2, 11, 3). */
TEST(texgens_take_the_matrix_of_positions)
{
    static const float world[3][4] = {{1, 0, 0, 10}, {0, 1, 0, 0}, {0, 0, 1, 0}};
    static const float view[3][4] = {{0, -1, 0, 0}, {1, 0, 0, 0}, {0, 0, 1, 0}};
    facet_gx_light lights[8];
    const facet_gx_vertex vertex = {.position = {1, 2, 3}};
    const uint8_t rasters[2][4] = {{0}};
    facet_gx_material m;
    facet_gx_texgens texgens;
    float out[8][3];
    memset(lights, 0, sizeof lights);
    facet_gx_material_init(&m);
    m.texgen_count = 1;
    m.texgens[0] = (facet_gx_texgen){.type = 0, .source = 0, .matrix = 0};
    facet_gx_texgens_make(&m, world, view, &texgens);
    facet_gx_texgens_run(&texgens, lights, &vertex, rasters, out);
    assert_true(out[0][0] == -2 && out[0][1] == 11 && out[0][2] == 3);
}

TEST(lights_add_up)
{
    facet_gx_material m;
    uint8_t out[2][4];
    facet_gx_material_init(&m);
    m.channel_count = 1;
    m.channels[0] = (facet_gx_channel){1, 0, 1, 2, 1, 0, {0}};
    m.ambient_colors[0] = (facet_gx_rgba8){50, 0, 0, 0};
    m.lights[0] = (facet_gx_light){{0, 3, 4}, {0, 0, 1}, {100, 200, 0, 0}, {1, 0, 0}, {1, 0, 0}};
    facet_gx_vertex v = {.view_normal = {0, 0, 1}};
    /* The direction to the light is (0, .6, .8): 0.8 of it. 50 + 80 counts as 131 of 256. */
    facet_gx_light_vertex(&m, m.lights, &v, out);
    assert_int_equal(out[0][0], 255 * 131 >> 8);
    assert_int_equal(out[0][1], 255 * 161 >> 8);
    assert_int_equal(out[0][2], 0);
    /* At distance 5 the brightness is halved, because it is 1 / (0 + 0.4 d). */
    m.lights[0].distance_attenuation[0] = 0;
    m.lights[0].distance_attenuation[1] = 0.4f;
    facet_gx_light_vertex(&m, m.lights, &v, out);
    assert_int_equal(out[0][1], 255 * 80 >> 8);
    /* Without a normal, only ambient light remains. */
    v.view_normal[2] = 0;
    facet_gx_light_vertex(&m, m.lights, &v, out);
    assert_int_equal(out[0][0], 255 * 50 >> 8);
    assert_int_equal(out[0][3], 255);
}

/* A texel of 200 in s and 100 in t moves a coordinate by 0.5 * 2^1 texels for each step of
 * difference from 128. */
TEST(indirect_textures_move_coordinates)
{
    facet_gx_material m;
    facet_gx_material_init(&m);
    m.indirect.enabled = m.indirect.stage_count = 1;
    m.indirect.stages[0].bias = 7;
    m.indirect.stages[0].matrix = 1;
    facet_gx_program program;
    facet_gx_program_make(&m, &program);
    const uint8_t texel[4] = {0, 128, 100, 200};
    const int32_t at[2] = {1000, 2000}, before[2] = {5, 6};
    int32_t out[2];
    uint8_t bump = 0;
    facet_gx_indirect_move(&program, &program.stages[0], texel, at, before, out, &bump);
    assert_int_equal(out[0], 1000 + 72 * 128);
    assert_int_equal(out[1], 2000 - 28 * 128);
    m.indirect.stages[0].wrap_s = 5; /* 16 texels: 1000 is below 2048 */
    m.indirect.stages[0].wrap_t = 6;
    m.indirect.stages[0].add_previous = 1;
    facet_gx_program_make(&m, &program);
    facet_gx_indirect_move(&program, &program.stages[0], texel, at, before, out, &bump);
    assert_int_equal(out[0], 1005 + 72 * 128);
    assert_int_equal(out[1], 6 - 28 * 128);
}
