/* Encoding of GX textures: the nearest texel in each format, and palettes for an image.
 * test_gx_cmpr.c tests CMPR. */
#include "gx/choose.h"
#include "support/gx.h"

#include "gx/texels.h"

#include <math.h>
#include <stdlib.h>

/* -- Palettes ----------------------------------------------------------- */

static uint32_t make_palette(const uint8_t *rgba, uint32_t width, uint32_t height,
                             facet_gx_palette_format format, uint32_t most, uint8_t *entries)
{
    uint32_t count = 0;
    facet_error error;
    TEST_OK(facet_gx_make_palette(&(facet_gx_pixels){rgba, width * 4, width, height}, format, most,
                                  NULL, entries, &count, &error),
            &error);
    return count;
}

/* An image whose colors fit in the palette survives exactly. */
TEST(few_colors_survive_exactly)
{
    static const struct {
        facet_gx_format format;
        uint32_t colors;
    } cases[] = {{FACET_GX_C4, 16}, {FACET_GX_C8, 256}, {FACET_GX_C14X2, 3000}};
    enum { WIDTH = 61, HEIGHT = 67 };
    for (size_t c = 0; c < 3; c++) {
        uint8_t *rgba = malloc(WIDTH * HEIGHT * 4), *back = malloc(WIDTH * HEIGHT * 4);
        uint8_t entries[32768];
        uint32_t seed = 9;
        for (uint32_t i = 0; i < WIDTH * HEIGHT; i++) {
            uint32_t k = i < cases[c].colors ? i : test_random(&seed) % cases[c].colors;
            facet_store_u32le(rgba + (size_t)i * 4, word_means(FACET_GX_RGB565, k * 21 + 5));
        }
        uint32_t count = make_palette(rgba, WIDTH, HEIGHT, FACET_GX_PALETTE_RGB565,
                                      facet_gx_palette_limit(cases[c].format), entries);
        assert_int_equal(count, cases[c].colors);
        size_t size = size_of(cases[c].format, WIDTH, HEIGHT, 1);
        uint8_t *data = malloc(size);
        facet_gx_texture texture = {cases[c].format,
                                    WIDTH,
                                    HEIGHT,
                                    1,
                                    data,
                                    size,
                                    {FACET_GX_PALETTE_RGB565, entries, count}};
        facet_error error;
        for (int dither = 0; dither < 2; dither++) {
            facet_gx_encode_options how = {.quality = FACET_GX_NORMAL, .dither = dither};
            TEST_OK(facet_gx_encode(
                        &(facet_gx_pixels){rgba, WIDTH * 4, WIDTH, HEIGHT}, &how, NULL,
                        &(facet_gx_target){cases[c].format, &texture.palette, data, size}, &error),
                    &error);
            TEST_OK(facet_gx_decode(&texture, 0, NULL, back, WIDTH * 4, &error), &error);
            assert_memory_equal(rgba, back, WIDTH * HEIGHT * 4);
        }
        free(rgba);
        free(back);
        free(data);
    }
}

/* Each texel gets the nearest entry, found by linear search. */
TEST(texels_get_the_nearest_entry)
{
    enum { SIDE = 40, COUNT = 200 };
    uint8_t rgba[SIDE * SIDE * 4], back[SIDE * SIDE * 4], entries[COUNT * 2];
    uint8_t data[SIDE * SIDE];
    fill(rgba, sizeof rgba, 1);
    fill(entries, sizeof entries, 2);
    facet_gx_palette palette = {FACET_GX_PALETTE_RGB5A3, entries, COUNT};
    facet_error error;
    TEST_OK(facet_gx_encode(&(facet_gx_pixels){rgba, SIDE * 4, SIDE, SIDE}, NULL, NULL,
                            &(facet_gx_target){FACET_GX_C8, &palette, data, sizeof data}, &error),
            &error);
    facet_gx_texture texture = {FACET_GX_C8, SIDE, SIDE, 1, data, sizeof data, palette};
    TEST_OK(facet_gx_decode(&texture, 0, NULL, back, SIDE * 4, &error), &error);
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        uint32_t texel = texel_at(rgba, SIDE, i % SIDE, i / SIDE), nearest = UINT32_MAX;
        for (uint32_t k = 0; k < COUNT; k++) {
            uint32_t entry = word_means(FACET_GX_RGB5A3, facet_load_u16be(entries + k * 2));
            uint32_t distance = 0;
            for (int c = 0; c < 4; c++) {
                int d = (int)(texel >> (c * 8) & 255) - (int)(entry >> (c * 8) & 255);
                distance += (uint32_t)(d * d);
            }
            nearest = distance < nearest ? distance : nearest;
        }
        assert_int_equal(facet_gx_distance(texel_at(back, SIDE, i % SIDE, i / SIDE), texel),
                         nearest);
    }
}

/* Small pictures are counted by another method than large ones: a picture repeated four times gets
 * the same palette. */
TEST(repeated_pictures_have_the_same_palette)
{
    uint8_t rgba[4 * 32 * 16 * 4], few[512], many[512];
    uint32_t seed = 5;
    for (size_t i = 0; i < sizeof rgba / 4; i++)
        rgba[i] = (uint8_t)(test_random(&seed) % 200);
    for (size_t copy = 1; copy < 4; copy++)
        memcpy(rgba + copy * sizeof rgba / 4, rgba, sizeof rgba / 4);
    for (int format = FACET_GX_PALETTE_IA8; format <= FACET_GX_PALETTE_RGB5A3; format++) {
        for (uint32_t most = 16; most <= 256; most *= 16) {
            facet_gx_palette_format f = (facet_gx_palette_format)format;
            uint32_t count = make_palette(rgba, 32, 16, f, most, few);
            assert_int_equal(make_palette(rgba, 32, 64, f, most, many), count);
            assert_memory_equal(few, many, (size_t)count * 2);
        }
    }
}

/* Median cut: three clusters give three entries; a ramp gives evenly spaced ones. */
TEST(median_cut_finds_clusters_and_ramps)
{
    uint8_t rgba[256 * 4], entries[32];
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t gray = (i % 4 == 0 ? 20 : i % 4 == 1 ? 120 : 220) + i / 64;
        facet_store_u32le(rgba + (size_t)i * 4, gray * 0x010101u | 0xFF000000u);
    }
    uint32_t count = make_palette(rgba, 16, 16, FACET_GX_PALETTE_IA8, 3, entries);
    assert_int_equal(count, 3);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(entries[i * 2], 255);
        /* The middles of 20 to 23, 120 to 123 and 220 to 223, in any order. */
        uint32_t off = (entries[i * 2 + 1] + 80u) % 100;
        assert_true(off == 1 || off == 2);
    }
    for (uint32_t i = 0; i < 256; i++)
        facet_store_u32le(rgba + (size_t)i * 4, i * 0x010101u | 0xFF000000u);
    count = make_palette(rgba, 16, 16, FACET_GX_PALETTE_IA8, 16, entries);
    assert_int_equal(count, 16);
    for (uint32_t v = 0; v < 256; v++) {
        int nearest = 255;
        for (uint32_t k = 0; k < 16; k++) {
            int d = abs((int)v - entries[k * 2 + 1]);
            nearest = d < nearest ? d : nearest;
        }
        assert_true(nearest <= 12); /* 8 would be perfect */
    }
}

/* -- Round trips -------------------------------------------------------- */

/* True for words that the encoder itself would choose. */
static bool is_canonical(facet_gx_format format, uint32_t word)
{
    /* An opaque texel with 4 bits per color is stored with 5 bits if these also represent the
     * color: black and white of each channel. */
    if (format != FACET_GX_RGB5A3 || word >> 12 != 7)
        return true;
    for (int c = 0; c < 3; c++) {
        uint32_t v = word >> (c * 4) & 15;
        if (v != 0 && v != 15)
            return true;
    }
    return false;
}

TEST(canonical_words_survive_the_round_trip)
{
    static const facet_gx_format formats[] = {
        FACET_GX_I4,     FACET_GX_I8,     FACET_GX_IA4, FACET_GX_IA8, FACET_GX_RGB565,
        FACET_GX_RGB5A3, FACET_GX_RGBA32, FACET_GX_C4,  FACET_GX_C8,  FACET_GX_C14X2};
    enum { SIDE = 64 };
    uint8_t *entries = malloc(32768);
    for (uint32_t i = 0; i < 16384; i++)
        facet_store_u16be(entries + (size_t)i * 2, (uint16_t)(i * 3)); /* all different */
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
        size_t size = size_of(formats[f], SIDE, SIDE, 1);
        uint8_t *data = malloc(size), *again = malloc(size), *rgba = malloc(SIDE * SIDE * 4);
        fill(data, size, (uint32_t)f + 40);
        for (size_t i = 0; i < size; i += 2) {
            uint32_t word = facet_load_u16be(data + i);
            if (formats[f] == FACET_GX_C14X2)
                data[i] &= 0x3F;
            if (!is_canonical(formats[f], word))
                data[i] |= 0x80;
        }
        facet_gx_palette palette = {FACET_GX_PALETTE_RGB565, entries,
                                    facet_gx_palette_limit(formats[f])};
        facet_gx_texture texture = {formats[f], SIDE, SIDE, 1, data, size, palette};
        facet_error error;
        TEST_OK(facet_gx_decode(&texture, 0, NULL, rgba, SIDE * 4, &error), &error);
        TEST_OK(facet_gx_encode(&(facet_gx_pixels){rgba, SIDE * 4, SIDE, SIDE}, NULL, NULL,
                                &(facet_gx_target){formats[f], &palette, again, size}, &error),
                &error);
        assert_memory_equal(data, again, size);
        free(data);
        free(again);
        free(rgba);
    }
    free(entries);
}

/* A color that no word represents becomes the nearest one, compared with all words. */
TEST(texels_become_the_nearest_word)
{
    static const facet_gx_format formats[] = {FACET_GX_RGB565, FACET_GX_RGB5A3};
    uint32_t seed = 77;
    uint8_t rgba[4 * 4 * 4], back[4 * 4 * 4], data[32];
    for (int round = 0; round < 4; round++) {
        for (size_t i = 0; i < sizeof rgba; i++)
            rgba[i] = i % 4 == 3 && round % 2 ? 255 : (uint8_t)(test_random(&seed) >> 9);
        for (size_t f = 0; f < 2; f++) {
            facet_gx_texture texture = {formats[f], 4, 4, 1, data, 32, {0}};
            facet_error error;
            TEST_OK(facet_gx_encode(&(facet_gx_pixels){rgba, 16, 4, 4}, NULL, NULL,
                                    &(facet_gx_target){formats[f], NULL, data, 32}, &error),
                    &error);
            TEST_OK(facet_gx_decode(&texture, 0, NULL, back, 16, &error), &error);
            for (uint32_t i = 0; i < 16; i++) {
                uint32_t wanted = texel_at(rgba, 4, i % 4, i / 4), nearest = UINT32_MAX;
                if (formats[f] == FACET_GX_RGB565)
                    wanted |= 0xFF000000u;
                for (uint32_t word = 0; word < 65536; word++) {
                    uint32_t distance = facet_gx_distance(word_means(formats[f], word), wanted);
                    nearest = distance < nearest ? distance : nearest;
                }
                assert_int_equal(facet_gx_distance(texel_at(back, 4, i % 4, i / 4), wanted),
                                 nearest);
            }
        }
    }
}

/* -- Dithering ---------------------------------------------------------- */

/* A gray between two levels: rounding gives one level, dithering keeps the mean. */
TEST(dither_keeps_the_mean)
{
    enum { SIDE = 64 };
    static const facet_gx_format formats[] = {FACET_GX_I4, FACET_GX_IA4, FACET_GX_RGB5A3,
                                              FACET_GX_RGB565};
    uint8_t *rgba = malloc(SIDE * SIDE * 4), *back = malloc(SIDE * SIDE * 4);
    uint8_t data[SIDE * SIDE * 2];
    for (uint32_t gray = 3; gray < 250; gray += 13) {
        for (uint32_t i = 0; i < SIDE * SIDE; i++)
            facet_store_u32le(rgba + (size_t)i * 4, gray * 0x010101u | 0xFF000000u);
        for (size_t f = 0; f < 4; f++) {
            size_t size = size_of(formats[f], SIDE, SIDE, 1);
            facet_gx_texture texture = {formats[f], SIDE, SIDE, 1, data, size, {0}};
            facet_gx_encode_options how = {.quality = FACET_GX_NORMAL, .dither = true};
            facet_error error;
            TEST_OK(facet_gx_encode(&(facet_gx_pixels){rgba, SIDE * 4, SIDE, SIDE}, &how, NULL,
                                    &(facet_gx_target){formats[f], NULL, data, size}, &error),
                    &error);
            TEST_OK(facet_gx_decode(&texture, 0, NULL, back, SIDE * 4, &error), &error);
            for (int c = 0; c < 3; c++) {
                double sum = 0;
                for (size_t i = 0; i < SIDE * SIDE; i++)
                    sum += back[i * 4 + (size_t)c];
                assert_true(fabs(sum / (SIDE * SIDE) - gray) < 0.5);
            }
        }
    }
    free(rgba);
    free(back);
}

/* One row: 7/16 of the error goes to the right, in integers, halves rounded up. */
TEST(dither_passes_on_7_of_16_parts)
{
    enum { WIDTH = 40 };
    uint8_t rgba[WIDTH * 4], data[5 * 32], back[WIDTH * 4];
    facet_gx_encode_options how = {.quality = FACET_GX_NORMAL, .dither = true};
    facet_gx_texture texture = {FACET_GX_I4, WIDTH, 1, 1, data, sizeof data, {0}};
    facet_error error;
    for (int gray = 1; gray < 250; gray++) {
        double miss = 0;
        memset(rgba, gray, sizeof rgba);
        TEST_OK(facet_gx_encode(&(facet_gx_pixels){rgba, WIDTH * 4, WIDTH, 1}, &how, NULL,
                                &(facet_gx_target){FACET_GX_I4, NULL, data, sizeof data}, &error),
                &error);
        TEST_OK(facet_gx_decode(&texture, 0, NULL, back, WIDTH * 4, &error), &error);
        for (int i = 0; i < WIDTH; i++) {
            double wanted = gray + floor(miss * 7 / 16 + 0.5);
            double got = 17 * floor(wanted / 17 + 0.5);
            assert_int_equal(back[i * 4], (int)got);
            miss = wanted - got;
        }
    }
}

/* -- Padding ------------------------------------------------------------ */

/* Texels outside of the image repeat the last row and column. An opaque color that both forms of
 * RGB5A3 represent uses the opaque form. */
TEST(padding_repeats_the_edge)
{
    static const uint8_t expected[32] = {1, 2, 3, 3, 3, 3, 3, 3, 4, 5, 6, 6, 6, 6, 6, 6,
                                         4, 5, 6, 6, 6, 6, 6, 6, 4, 5, 6, 6, 6, 6, 6, 6};
    uint8_t rgba[6 * 4], data[32];
    facet_error error;
    for (uint32_t i = 0; i < 6; i++)
        memset(rgba + i * 4, (int)i + 1, 4);
    TEST_OK(facet_gx_encode(&(facet_gx_pixels){rgba, 12, 3, 2}, NULL, NULL,
                            &(facet_gx_target){FACET_GX_I8, NULL, data, 32}, &error),
            &error);
    assert_memory_equal(data, expected, 32);
    static const uint8_t corners[8] = {255, 255, 255, 255, 0, 0, 0, 255};
    TEST_OK(facet_gx_encode(&(facet_gx_pixels){corners, 8, 2, 1}, NULL, NULL,
                            &(facet_gx_target){FACET_GX_RGB5A3, NULL, data, 32}, &error),
            &error);
    assert_int_equal(facet_load_u16be(data), 0xFFFF);
    assert_int_equal(facet_load_u16be(data + 2), 0x8000);
}

/* -- Choosing ----------------------------------------------------------- */

TEST(smallest_exact_format_is_chosen)
{
    static const struct {
        uint32_t texels[8];
        facet_gx_format format;
    } cases[] = {
        {{0x11111111, 0xFFFFFFFF, 0, 0xEEEEEEEE}, FACET_GX_I4},
        {{0x11111111, 0xFFFFFFFF, 0, 0xEDEDEDED}, FACET_GX_I8},
        {{0xFF111111, 0x00FFFFFF, 0xFF000000, 0x44EEEEEE}, FACET_GX_IA4},
        {{0xFF111111, 0x00FFFFFF, 0xFF000000, 0x43EEEEEE}, FACET_GX_IA8},
        {{0xFF111111, 0xFFFFFFFF, 0xFF000000, 0xFFEDEDED}, FACET_GX_IA8},
        {{0xFF111111, 0xFF0000FF, 0xFF000000, 0xFFEDEDED}, FACET_GX_CMPR},
        {{0xFF111111, 0xFF0000FF, 0x00000000, 0xFFEDEDED}, FACET_GX_CMPR},
        /* 3 bits of alpha: 0x49 is 010, 0x92 is 100 */
        {{0x49112233, 0x92445566, 0x49112233, 0x92445566, 0xFF0000FF, 0x49FFEEDD, 0, 0x49112233},
         FACET_GX_RGB5A3},
        {{0x4A112233, 0x93445567, 0xFF010203, 0xFF0000FF}, FACET_GX_RGB5A3}, /* 2 of 8 */
        {{0x4A112233, 0x93445567, 0x4A010203, 0xFF0000FF}, FACET_GX_RGBA32}, /* 3 of 8 */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint8_t rgba[2 * 20 + 16]; /* 4 x 2 with a gap between the rows */
        memset(rgba, 0xCD, sizeof rgba);
        for (size_t k = 0; k < 8; k++)
            facet_store_u32le(rgba + k / 4 * 20 + k % 4 * 4, cases[i].texels[k]);
        facet_gx_content content = facet_gx_content_of(&(facet_gx_pixels){rgba, 20, 4, 2});
        assert_int_equal(facet_gx_format_for(&content), cases[i].format);
    }
}

/* -- Threads ------------------------------------------------------------ */

TEST(textures_are_the_same_for_any_thread_count)
{
    enum { WIDTH = 250, HEIGHT = 180 };
    const facet_threads *threads = NULL;
    facet_error error;
    TEST_OK(facet_threads_create(3, &threads, &error), &error);
    uint8_t *rgba = malloc(WIDTH * HEIGHT * 4), *one = malloc(WIDTH * HEIGHT * 4);
    uint8_t *many = malloc(WIDTH * HEIGHT * 4), entries[512];
    fill(rgba, WIDTH * HEIGHT * 4, 8);
    fill(entries, sizeof entries, 9);
    facet_options options = {.threads = threads};
    for (size_t f = 0; f < FORMATS; f++) {
        uint32_t limit = facet_gx_palette_limit(every_format[f]);
        facet_gx_palette palette = {FACET_GX_PALETTE_RGB5A3, entries, limit < 256 ? limit : 256};
        size_t size = size_of(every_format[f], WIDTH, HEIGHT, 1);
        uint8_t *a = malloc(size), *b = malloc(size);
        TEST_OK(facet_gx_encode(&(facet_gx_pixels){rgba, WIDTH * 4, WIDTH, HEIGHT}, NULL, NULL,
                                &(facet_gx_target){every_format[f], &palette, a, size}, &error),
                &error);
        TEST_OK(facet_gx_encode(&(facet_gx_pixels){rgba, WIDTH * 4, WIDTH, HEIGHT}, NULL, &options,
                                &(facet_gx_target){every_format[f], &palette, b, size}, &error),
                &error);
        assert_memory_equal(a, b, size);
        facet_gx_texture texture = {every_format[f], WIDTH, HEIGHT, 1, a, size, palette};
        TEST_OK(facet_gx_decode(&texture, 0, NULL, one, WIDTH * 4, &error), &error);
        TEST_OK(facet_gx_decode(&texture, 0, &options, many, WIDTH * 4, &error), &error);
        assert_memory_equal(one, many, WIDTH * HEIGHT * 4);
        free(a);
        free(b);
    }
    free(rgba);
    free(one);
    free(many);
    facet_threads_free(threads);
}
