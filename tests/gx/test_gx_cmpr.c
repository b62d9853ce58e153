/* CMPR textures: blocks with an exact solution, and the quality of the others. */
#include "image/image.h"
#include "support/gx.h"

#include "base/processor.h"
#include "gx/texels.h"

#include <facet/convert.h>
#include <facet/image.h>
#include <math.h>
#include <stdlib.h>

/* The fit again, as on processors without wide vectors. */
#define facet_is_wide() false
#define facet_gx_fit_cmpr fit_plainly
#include "gx/cmpr_fit.c"
#undef facet_is_wide
#undef facet_gx_fit_cmpr
void facet_gx_fit_cmpr(uint32_t texels[16][LANES], facet_gx_quality quality,
                       facet_gx_cmpr_answers *answers);

static void encode_one(const uint32_t texels[16], facet_gx_quality quality, uint8_t out[8])
{
    facet_gx_cmpr cmpr;
    cmpr.quality = quality;
    cmpr.count = 0;
    facet_gx_cmpr_add(&cmpr, texels, out);
    facet_gx_cmpr_finish(&cmpr);
}

/* -- Round trips -------------------------------------------------------- */

/* Decoded CMPR becomes CMPR again without a change of the picture, including the color of
 * transparent texels. */
TEST(cmpr_survives_the_round_trip)
{
    enum { WIDTH = 512, HEIGHT = 256 };
    size_t size = size_of(FACET_GX_CMPR, WIDTH, HEIGHT, 1), texels = WIDTH * HEIGHT * 4;
    uint8_t *data = malloc(size), *again = malloc(size);
    uint8_t *rgba = malloc(texels), *back = malloc(texels);
    uint32_t seed = 4711;
    for (size_t i = 0; i < size; i += 8) {
        fill(data + i, 8, (uint32_t)i + 1);
        /* Near end points, equal ones, and few indices, which leave end points unused. */
        if (i % 3 == 0)
            facet_store_u16be(data + i + 2, (uint16_t)(facet_load_u16be(data + i) ^
                                                       (1u << test_random(&seed) % 16)));
        if (i % 40 == 0)
            memcpy(data + i, data + i + 2, 2);
        for (size_t k = 4; k < 8 && i % 5 < 3; k++)
            data[i + k] &= i % 5 == 0 ? 0x55 : i % 5 == 1 ? 0xAA : 0x11;
        for (size_t k = 4; k < 8 && i % 56 == 0; k++)
            data[i + k] |= 0xAA;
        if (i % 104 == 0)
            memset(data + i + 4, (int)(i % 416 / 104 * 0x55), 4);
    }
    facet_gx_texture texture = {FACET_GX_CMPR, WIDTH, HEIGHT, 1, data, size, {0}};
    facet_error error;
    TEST_OK(facet_gx_decode(&texture, 0, NULL, rgba, WIDTH * 4, &error), &error);
    TEST_OK(facet_gx_encode(&(facet_gx_pixels){rgba, WIDTH * 4, WIDTH, HEIGHT}, NULL, NULL,
                            &(facet_gx_target){FACET_GX_CMPR, NULL, again, size}, &error),
            &error);
    texture.data = again;
    TEST_OK(facet_gx_decode(&texture, 0, NULL, back, WIDTH * 4, &error), &error);
    assert_memory_equal(rgba, back, texels);
    free(data);
    free(again);
    free(rgba);
    free(back);
}

/* For every pair of end points of a channel and every set of used indices, the solver finds end
 * points that show the same. */
TEST(cmpr_solves_every_pair_of_end_points)
{
    for (uint32_t pair = 0; pair < 64 * 64 + 2 * 32 * 32; pair++) {
        uint32_t c0, c1, colors[4];
        if (pair < 64 * 64) {
            c0 = pair / 64 << 5;
            c1 = pair % 64 << 5;
        } else {
            uint32_t shift = pair < 64 * 64 + 32 * 32 ? 0 : 11;
            c0 = pair / 32 % 32 << shift;
            c1 = pair % 32 << shift;
        }
        facet_gx_cmpr_colors(c0, c1, colors);
        for (uint32_t shown = 1; shown < 16; shown++) {
            uint32_t texels[16], again[4];
            uint8_t out[8];
            for (uint32_t i = 0, k = 0; i < 16; i++) {
                while (!(shown >> (k & 3) & 1))
                    k++;
                texels[i] = colors[k++ & 3];
            }
            if (!facet_gx_encode_cmpr_exactly(texels, out))
                fail_msg("ends %04x and %04x, indices %x", c0, c1, shown);
            facet_gx_cmpr_colors(facet_load_u16be(out), facet_load_u16be(out + 2), again);
            for (uint32_t i = 0; i < 16; i++)
                assert_int_equal(again[out[4 + i / 4] >> (6 - i % 4 * 2) & 3], texels[i]);
        }
    }
}

/* -- Quality ------------------------------------------------------------ */

static double noise_ratio(const uint8_t *a, const uint8_t *b, size_t texels)
{
    double sum = 0;
    for (size_t i = 0; i < texels * 4; i++)
        sum += i % 4 == 3 ? 0 : pow((double)a[i] - b[i], 2);
    return 10 * log10(255.0 * 255.0 * 3 * (double)texels / sum);
}

static double cmpr_ratio(const facet_image *image, facet_gx_quality quality)
{
    size_t size = size_of(FACET_GX_CMPR, image->width, image->height, 1);
    size_t stride = (size_t)image->width * 4;
    uint8_t *data = malloc(size), *back = malloc(stride * image->height);
    facet_gx_encode_options how = {.quality = quality, .dither = false};
    facet_gx_texture texture = {FACET_GX_CMPR, image->width, image->height, 1, data, size, {0}};
    facet_error error;
    TEST_OK(facet_gx_encode(&(facet_gx_pixels){image->pixels, stride, image->width, image->height},
                            &how, NULL, &(facet_gx_target){FACET_GX_CMPR, NULL, data, size},
                            &error),
            &error);
    TEST_OK(facet_gx_decode(&texture, 0, NULL, back, stride, &error), &error);
    double ratio = noise_ratio(image->pixels, back, (size_t)image->width * image->height);
    free(data);
    free(back);
    return ratio;
}

static facet_scene *load_image(const char *path, uint32_t channels)
{
    facet_error error;
    facet_file *file = NULL;
    facet_scene *scene = NULL;
    TEST_OK(facet_file_open(path, NULL, &file, &error), &error);
    facet_source source = facet_file_source(file);
    TEST_OK(facet_load(&source, NULL, NULL, NULL, &scene, &error), &error);
    facet_file_close(file);
    TEST_OK(facet_image_set_channels(scene->arena, scene->images[0], channels, &error), &error);
    return scene;
}

/* Signal-to-noise ratios in decibels of libsquish 1.15 with kDxt1 | kColorRangeFit, decoded by
 * itself. */
TEST(cmpr_is_at_least_as_good_as_libsquish)
{
    static const struct {
        const char *path;
        double squish;
    } photographs[] = {{"obj/wal67ar_small.jpg", 36.907},
                       {"obj/wal69ar_small.jpg", 37.930},
                       {"obj/SpiderTex.jpg", 29.588},
                       {"obj/engineflare1.jpg", 36.760}};
    TEST_NEEDS_CORPUS();
    for (size_t i = 0; i < 4; i++) {
        facet_scene *scene = load_image(test_corpus(photographs[i].path), 4);
        double fast = cmpr_ratio(scene->images[0], FACET_GX_FAST);
        double normal = cmpr_ratio(scene->images[0], FACET_GX_NORMAL);
        double best = cmpr_ratio(scene->images[0], FACET_GX_BEST);
        assert_true(fast > photographs[i].squish - 0.5);
        assert_true(normal > photographs[i].squish + 0.5);
        assert_true(normal > fast && best > normal);
        facet_scene_free(scene);
    }
}

/* Single colors that CMPR cannot represent: the error of each channel is at most that of its mixes,
 * less than half a step. */
TEST(cmpr_of_one_color_is_within_half_a_step)
{
    uint32_t texels[16], colors[4];
    uint8_t out[8];
    for (uint32_t v = 0; v < 256; v++) {
        for (int i = 0; i < 16; i++)
            texels[i] = v | (255 - v) << 8 | v / 2 << 16 | 255u << 24;
        encode_one(texels, FACET_GX_NORMAL, out);
        facet_gx_cmpr_colors(facet_load_u16be(out), facet_load_u16be(out + 2), colors);
        uint32_t got = colors[out[4] >> 6];
        for (int i = 4; i < 8; i++)
            assert_int_equal(out[i], (out[4] >> 6) * 0x55);
        for (int c = 0; c < 3; c++) {
            int miss = abs((int)(got >> (c * 8) & 255) - (int)(texels[0] >> (c * 8) & 255));
            assert_true(miss <= (c == 1 ? 1 : 2));
        }
    }
}

/* Black, white and the middle, with a little noise. Three colors fit; four do not, because their
 * mixes are 95 and 159. */
TEST(cmpr_uses_three_colors_where_they_fit)
{
    uint32_t texels[16], colors[4];
    uint8_t out[8];
    for (uint32_t i = 0; i < 16; i++) {
        uint32_t gray = i < 5 ? 0 : i < 10 ? 255 : 124 + i % 6;
        texels[i] = gray * 0x010101u | 0xFF000000u;
    }
    encode_one(texels, FACET_GX_BEST, out);
    facet_gx_cmpr_colors(facet_load_u16be(out), facet_load_u16be(out + 2), colors);
    for (uint32_t i = 0; i < 16; i++) {
        uint32_t got = colors[out[4 + i / 4] >> (6 - i % 4 * 2) & 3];
        assert_int_equal(facet_gx_alpha(got), 255);
        assert_true(facet_gx_distance(got, texels[i]) <= 3 * 4 * 4);
    }
}

/* Half of the texels transparent, for every kind of block. */
TEST(cmpr_keeps_transparent_texels)
{
    uint32_t seed = 3;
    for (int round = 0; round < 3000; round++) {
        uint32_t texels[16], colors[4];
        uint8_t out[8];
        for (int i = 0; i < 16; i++) {
            uint32_t alpha = test_random(&seed) % (unsigned)(1 + round % 3) ? 127 : 128;
            texels[i] = (test_random(&seed) & 0xFFFFFF) | alpha << 24;
        }
        encode_one(texels, (facet_gx_quality)(round % 3), out);
        facet_gx_cmpr_colors(facet_load_u16be(out), facet_load_u16be(out + 2), colors);
        for (int i = 0; i < 16; i++) {
            uint32_t got = colors[out[4 + i / 4] >> (6 - i % 4 * 2) & 3];
            assert_int_equal(facet_gx_alpha(got), facet_gx_alpha(texels[i]) < 128 ? 0 : 255);
        }
    }
}

/* -- Independence ------------------------------------------------------- */

/* Random, near one another, few colors, or gray; opaque or partly transparent. */
static void fill_texels(uint32_t *texels, uint32_t *seed)
{
    uint32_t kind = test_random(seed) % 4, color = test_random(seed) & 0x7F7F7F;
    uint32_t clear = test_random(seed) % 4;
    for (int i = 0; i < 16; i++) {
        uint32_t v = test_random(seed), alpha = clear == 0 && v >> 24 & 1 ? v >> 25 & 127 : 255;
        texels[i] = kind == 0   ? v & 0xFFFFFF
                    : kind == 1 ? color + (v & 0x1F0F1F)
                    : kind == 2 ? color + v % 6 * 0x000701
                                : (v & 255) * 0x010101;
        texels[i] |= alpha << 24;
    }
}

/* The result of a sub-block does not depend on those fitted with it. */
TEST(cmpr_of_a_block_does_not_depend_on_others)
{
    enum { COUNT = 500 };
    static uint32_t texels[COUNT][16];
    static uint8_t together[COUNT][8];
    uint32_t seed = 12;
    for (int i = 0; i < COUNT; i++)
        fill_texels(texels[i], &seed);
    for (int quality = FACET_GX_NORMAL; quality <= FACET_GX_BEST; quality++) {
        facet_gx_cmpr cmpr;
        cmpr.quality = (facet_gx_quality)quality;
        cmpr.count = 0;
        for (int i = 0; i < COUNT; i++)
            facet_gx_cmpr_add(&cmpr, texels[i], together[i]);
        facet_gx_cmpr_finish(&cmpr);
        for (int i = 0; i < COUNT; i++) {
            uint8_t alone[8];
            encode_one(texels[i], cmpr.quality, alone);
            assert_memory_equal(alone, together[i], sizeof alone);
        }
    }
}

/* It does not depend on the processor. */
TEST(cmpr_is_the_same_without_vectors)
{
    uint32_t seed = 13, texels[16][LANES];
    for (int round = 0; round < 600; round++) {
        facet_gx_cmpr_answers answers, plain;
        for (int l = 0; l < LANES; l++) {
            uint32_t own[16];
            fill_texels(own, &seed);
            own[test_random(&seed) % 16] |= 0xFF000000u;
            for (int i = 0; i < 16; i++)
                texels[i][l] = own[i];
        }
        facet_gx_fit_cmpr(texels, (facet_gx_quality)(round % 3), &answers);
        fit_plainly(texels, (facet_gx_quality)(round % 3), &plain);
        assert_memory_equal(&answers, &plain, sizeof plain);
    }
}
