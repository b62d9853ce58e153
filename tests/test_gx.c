/* GX textures: every format against its table, both ways. */
#include "support/mesh.h"
#include "support/support.h"

#include "image/gx_texels.h"

#include <facet/convert.h>
#include <facet/image.h>
#include <math.h>
#include <stdlib.h>

static const facet_gx_format every_format[] = {
    FACET_GX_I4,     FACET_GX_I8, FACET_GX_IA4, FACET_GX_IA8,   FACET_GX_RGB565, FACET_GX_RGB5A3,
    FACET_GX_RGBA32, FACET_GX_C4, FACET_GX_C8,  FACET_GX_C14X2, FACET_GX_CMPR};
#define FORMATS (sizeof every_format / sizeof *every_format)

static size_t size_of(facet_gx_format format, uint32_t width, uint32_t height, uint32_t levels)
{
    size_t bytes = 0;
    facet_error error;
    TEST_OK(facet_gx_texture_size(format, width, height, levels, &bytes, &error), &error);
    return bytes;
}

static void fill(uint8_t *bytes, size_t size, uint32_t seed)
{
    uint32_t state = seed * 2654435761u | 1;
    for (size_t i = 0; i < size; i++)
        bytes[i] = (uint8_t)(test_random(&state) >> 7);
}

/* -- Formats ------------------------------------------------------------ */

static void test_formats(void **state)
{
    (void)state;
    /* The table of the formats: number, name, block, bytes of a block, palette. */
    static const struct {
        unsigned number;
        const char *name;
        uint32_t width, height, bytes, palette;
    } table[] = {
        {0, "I4", 8, 8, 32, 0},         {1, "I8", 8, 4, 32, 0},     {2, "IA4", 8, 4, 32, 0},
        {3, "IA8", 4, 4, 32, 0},        {4, "RGB565", 4, 4, 32, 0}, {5, "RGB5A3", 4, 4, 32, 0},
        {6, "RGBA32", 4, 4, 64, 0},     {8, "C4", 8, 8, 32, 16},    {9, "C8", 8, 4, 32, 256},
        {10, "C14X2", 4, 4, 32, 16384}, {14, "CMPR", 8, 8, 32, 0}};
    unsigned known = 0;
    for (size_t i = 0; i < FORMATS; i++) {
        facet_gx_format format = (facet_gx_format)table[i].number, named;
        facet_gx_block block;
        assert_int_equal(every_format[i], table[i].number);
        assert_string_equal(facet_gx_format_name(format), table[i].name);
        assert_true(facet_gx_format_named(table[i].name, &named));
        assert_int_equal(named, format);
        assert_true(facet_gx_format_block(format, &block));
        assert_int_equal(block.width, table[i].width);
        assert_int_equal(block.height, table[i].height);
        assert_int_equal(block.bytes, table[i].bytes);
        assert_int_equal(facet_gx_palette_limit(format), table[i].palette);
        known |= 1u << table[i].number;
    }
    for (unsigned i = 0; i < 32; i++) {
        if (!(known >> i & 1)) {
            facet_gx_block block;
            assert_null(facet_gx_format_name((facet_gx_format)i));
            assert_false(facet_gx_format_block((facet_gx_format)i, &block));
        }
    }
    facet_gx_format format = FACET_GX_CMPR;
    facet_gx_palette_format palette;
    assert_true(facet_gx_format_named("rgba8", &format) && format == FACET_GX_RGBA32);
    assert_true(facet_gx_format_named("CI8", &format) && format == FACET_GX_C8);
    assert_false(facet_gx_format_named("DXT1", &format));
    assert_int_equal(format, FACET_GX_C8);
    assert_true(facet_gx_palette_format_named("rgb5a3", &palette) && palette == 2);
    assert_false(facet_gx_palette_format_named("CMPR", &palette));
    assert_null(facet_gx_palette_format_name((facet_gx_palette_format)3));
}

static void test_sizes(void **state)
{
    (void)state;
    /* 64 x 32 is 8 by 4 blocks of 32 bytes, then 4 by 2, then 2 by 1. */
    assert_int_equal(size_of(FACET_GX_CMPR, 64, 32, 1), 1024);
    assert_int_equal(size_of(FACET_GX_CMPR, 64, 32, 3), 1024 + 256 + 64);
    assert_int_equal(size_of(FACET_GX_CMPR, 64, 32, 0), 0);
    assert_int_equal(size_of(FACET_GX_I4, 1, 1, 1), 32);
    assert_int_equal(size_of(FACET_GX_I8, 9, 5, 1), 2 * 2 * 32);
    assert_int_equal(size_of(FACET_GX_RGBA32, 5, 4, 1), 2 * 64);
    /* 16, 8, 4, 2 and 1 texels wide: 16, 4, 1, 1 and 1 blocks. */
    assert_int_equal(size_of(FACET_GX_IA8, 16, 16, 5), 23 * 32);
    assert_int_equal(facet_gx_level_limit(1024, 3), 11);
    assert_int_equal(facet_gx_level_limit(1, 1), 1);
    /* 65,535 texels are 8,192 blocks of 8 and 16,384 of 4. */
    assert_int_equal(size_of(FACET_GX_CMPR, 65535, 65535, 1), (size_t)8192 * 8192 * 32);
    assert_int_equal(size_of(FACET_GX_RGBA32, 65535, 65535, 1), (size_t)16384 * 16384 * 64);

    facet_error error;
    size_t bytes = 77;
    assert_int_equal(facet_gx_texture_size((facet_gx_format)7, 8, 8, 1, &bytes, &error),
                     FACET_ERROR_MALFORMED);
    assert_string_equal(error.rule, "GX-FORMAT");
    static const uint32_t sides[][2] = {{0, 8}, {8, 0}, {65536, 8}, {8, UINT32_MAX}};
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(
            facet_gx_texture_size(FACET_GX_I4, sides[i][0], sides[i][1], 1, &bytes, &error),
            FACET_ERROR_MALFORMED);
        assert_string_equal(error.rule, "GX-SIZE");
    }
    assert_int_equal(facet_gx_texture_size(FACET_GX_I4, 8, 4, 5, &bytes, &error),
                     FACET_ERROR_MALFORMED);
    assert_string_equal(error.rule, "GX-LEVELS");
    assert_int_equal(bytes, 77);
}

/* -- Single texels, as the tables say ----------------------------------- */

/* The bits of v, repeated until there are 8: what widening means. */
static uint32_t repeat_bits(uint32_t v, unsigned bits)
{
    uint32_t result = 0;
    for (unsigned i = 0; i < 8; i++)
        result |= (v >> (bits - 1 - i % bits) & 1) << (7 - i);
    return result;
}

/* What 16 bits mean. */
static uint32_t word_means(facet_gx_format format, uint32_t v)
{
    uint32_t r, g, b, a = 255;
    if (format == FACET_GX_IA8) {
        r = g = b = v & 255;
        a = v >> 8;
    } else if (format == FACET_GX_RGB565) {
        r = repeat_bits(v >> 11 & 31, 5);
        g = repeat_bits(v >> 5 & 63, 6);
        b = repeat_bits(v & 31, 5);
    } else if (v & 0x8000) {
        r = repeat_bits(v >> 10 & 31, 5);
        g = repeat_bits(v >> 5 & 31, 5);
        b = repeat_bits(v & 31, 5);
    } else {
        a = repeat_bits(v >> 12 & 7, 3);
        r = repeat_bits(v >> 8 & 15, 4);
        g = repeat_bits(v >> 4 & 15, 4);
        b = repeat_bits(v & 15, 4);
    }
    return r | g << 8 | b << 16 | a << 24;
}

static uint32_t texel_at(const uint8_t *rgba, uint32_t width, uint32_t x, uint32_t y)
{
    return facet_load_u32le(rgba + ((size_t)y * width + x) * 4);
}

/* Every word of 16 bits: 256 x 256 texels, 4 x 4 blocks row by row. */
static void test_every_word(void **state)
{
    (void)state;
    static const facet_gx_format formats[] = {FACET_GX_IA8, FACET_GX_RGB565, FACET_GX_RGB5A3};
    uint8_t *data = malloc(65536 * 2), *rgba = malloc(65536 * 4);
    for (uint32_t i = 0; i < 65536; i++)
        facet_store_u16be(data + (size_t)i * 2, (uint16_t)i);
    for (size_t f = 0; f < 3; f++) {
        facet_gx_texture texture = {formats[f], 256, 256, 1, data, 65536 * 2, {0}};
        facet_error error;
        TEST_OK(facet_gx_decode(&texture, 0, NULL, rgba, 1024, &error), &error);
        for (uint32_t y = 0; y < 256; y++) {
            for (uint32_t x = 0; x < 256; x++) {
                uint32_t word = (y / 4 * 64 + x / 4) * 16 + y % 4 * 4 + x % 4;
                assert_int_equal(texel_at(rgba, 256, x, y), word_means(formats[f], word));
            }
        }
    }
    /* By hand: 5 bits 10110 are 10110101, 3 bits 101 are 10110110. */
    assert_int_equal(repeat_bits(22, 5), 0xB5);
    assert_int_equal(repeat_bits(5, 3), 0xB6);
    free(data);
    free(rgba);
}

/* A texel of 4 or 8 bits, or of RGBA32, found by itself in the bytes. */
static uint32_t means_at(facet_gx_format format, const uint8_t *data, uint32_t width, uint32_t x,
                         uint32_t y)
{
    bool wide = format != FACET_GX_RGBA32, nibbles = format == FACET_GX_I4;
    uint32_t block_width = wide ? 8 : 4, block_height = nibbles ? 8 : 4;
    uint32_t across = (width + block_width - 1) / block_width;
    const uint8_t *block =
        data + (size_t)(y / block_height * across + x / block_width) * (wide ? 32 : 64);
    uint32_t i = y % block_height * block_width + x % block_width, v;
    switch (format) {
    case FACET_GX_I4:
        v = i % 2 ? block[i / 2] & 15 : block[i / 2] >> 4;
        return v * 17 * 0x01010101u;
    case FACET_GX_I8:
        return block[i] * 0x01010101u;
    case FACET_GX_IA4:
        return (block[i] & 15u) * 17 * 0x010101u | (block[i] >> 4) * 17u << 24;
    default:
        return block[2 * i + 1] | (uint32_t)block[32 + 2 * i] << 8 |
               (uint32_t)block[33 + 2 * i] << 16 | (uint32_t)block[2 * i] << 24;
    }
}

static void test_bytes(void **state)
{
    (void)state;
    static const facet_gx_format formats[] = {FACET_GX_I4, FACET_GX_I8, FACET_GX_IA4,
                                              FACET_GX_RGBA32};
    for (size_t f = 0; f < 4; f++) {
        uint32_t width = 37, height = 19; /* hang over both edges */
        size_t size = size_of(formats[f], width, height, 1);
        uint8_t *data = malloc(size), *rgba = malloc((size_t)width * height * 4);
        fill(data, size, (uint32_t)f);
        facet_gx_texture texture = {formats[f], width, height, 1, data, size, {0}};
        facet_error error;
        TEST_OK(facet_gx_decode(&texture, 0, NULL, rgba, width * 4, &error), &error);
        for (uint32_t y = 0; y < height; y++) {
            for (uint32_t x = 0; x < width; x++)
                assert_int_equal(texel_at(rgba, width, x, y),
                                 means_at(formats[f], data, width, x, y));
        }
        free(data);
        free(rgba);
    }
}

/* -- CMPR --------------------------------------------------------------- */

static void test_cmpr_by_hand(void **state)
{
    (void)state;
    /* Four sub-blocks: red and blue in the order of four colours, in that of three,
     * white and black, and one colour twice. The index is 0, 1, 2, 3 from the left
     * in the first row, 3, 2, 1, 0 in the second. */
    static const uint8_t data[32] = {
        0xF8, 0x00, 0x00, 0x1F, 0x1B, 0xE4, 0, 0, 0x00, 0x1F, 0xF8, 0x00, 0x1B, 0xE4, 0, 0,
        0xFF, 0xFF, 0x00, 0x00, 0x1B, 0xE4, 0, 0, 0x07, 0xE0, 0x07, 0xE0, 0x1B, 0xE4, 0, 0};
    /* 5 * 255 / 8 = 159.4, 3 * 255 / 8 = 95.6, 255 / 2 = 127.5; all rounded down. */
    static const uint32_t expected[2][8] = {{0xFF0000FF, 0xFFFF0000, 0xFF5F009F, 0xFF9F005F,
                                             0xFFFF0000, 0xFF0000FF, 0xFF7F007F, 0x007F007F},
                                            {0xFFFFFFFF, 0xFF000000, 0xFF9F9F9F, 0xFF5F5F5F,
                                             0xFF00FF00, 0xFF00FF00, 0xFF00FF00, 0x0000FF00}};
    uint8_t rgba[8 * 8 * 4];
    facet_gx_texture texture = {FACET_GX_CMPR, 8, 8, 1, data, 32, {0}};
    facet_error error;
    TEST_OK(facet_gx_decode(&texture, 0, NULL, rgba, 32, &error), &error);
    for (uint32_t half = 0; half < 2; half++) {
        for (uint32_t x = 0; x < 8; x++) {
            assert_int_equal(texel_at(rgba, 8, x, half * 4), expected[half][x]);
            assert_int_equal(texel_at(rgba, 8, x, half * 4 + 1),
                             expected[half][x / 4 * 4 + 3 - x % 4]);
            assert_int_equal(texel_at(rgba, 8, x, half * 4 + 2), expected[half][x / 4 * 4]);
        }
    }
}

/* The texture of the smallest whole model: a checker of 8 x 8 in I4. */
static void test_checker(void **state)
{
    (void)state;
    uint8_t data[32], rgba[8 * 8 * 4];
    for (int i = 0; i < 32; i++)
        data[i] = i / 4 % 2 ? 0x0F : 0xF0;
    facet_gx_texture texture = {FACET_GX_I4, 8, 8, 1, data, 32, {0}};
    facet_error error;
    TEST_OK(facet_gx_decode(&texture, 0, NULL, rgba, 32, &error), &error);
    for (uint32_t y = 0; y < 8; y++) {
        for (uint32_t x = 0; x < 8; x++)
            assert_int_equal(texel_at(rgba, 8, x, y), (x + y) % 2 ? 0 : 0xFFFFFFFF);
    }
}

/* -- Vectors ------------------------------------------------------------ */

static void test_vectors_equal_plain(void **state)
{
    (void)state;
    enum { MOST = 9, STRIDE = MOST * 32 + 12 };
    uint32_t table[256];
    fill((uint8_t *)table, sizeof table, 99);
    for (size_t f = 0; f < FORMATS; f++) {
        gx_row_decoder *plain = gx_plain_decoder(every_format[f]);
        facet_gx_block block;
        assert_true(facet_gx_format_block(every_format[f], &block));
        assert_true(plain || every_format[f] == FACET_GX_C14X2);
        for (int level = GX_SSSE3; level <= (int)gx_processor(); level++) {
            gx_row_decoder *vector = gx_vector_decoder(every_format[f], (gx_level)level);
            if (!vector)
                continue;
            for (uint32_t round = 0; round < 600; round++) {
                size_t count = round % (MOST + 1), size = count * block.bytes;
                /* Exact blocks, so that a step too far is seen. */
                uint8_t *data = malloc(size ? size : 1);
                uint8_t *a = malloc(8 * STRIDE), *b = malloc(8 * STRIDE);
                fill(data, size, round);
                for (size_t i = 0; i < size && round % 3 == 1; i++)
                    data[i] = data[i] & 1 ? 0xFF : 0; /* the ends of every range */
                for (size_t i = 0; i + 4 <= size && round % 3 == 2; i += 8)
                    memcpy(data + i + 2, data + i, 2); /* CMPR: end points that are equal */
                memset(a, 0xA5, 8 * STRIDE);
                memset(b, 0xA5, 8 * STRIDE);
                plain(data, count, a, STRIDE, table);
                vector(data, count, b, STRIDE, table);
                assert_memory_equal(a, b, 8 * STRIDE);
                free(data);
                free(a);
                free(b);
            }
        }
    }
}

/* -- Hostile input ------------------------------------------------------ */

static void test_truncated(void **state)
{
    (void)state;
    static uint8_t entries[512];
    for (size_t f = 0; f < FORMATS; f++) {
        size_t size = size_of(every_format[f], 13, 9, 3);
        for (size_t cut = 0; cut <= size; cut++) {
            uint8_t *data = calloc(cut ? cut : 1, 1), rgba[13 * 9 * 4];
            facet_gx_texture texture = {every_format[f], 13, 9, 3, data, cut, {0, entries, 256}};
            for (uint32_t level = 0; level < 3; level++) {
                facet_error error;
                size_t end = size_of(every_format[f], 13, 9, level + 1);
                memset(rgba, 0x5A, sizeof rgba);
                facet_status status = facet_gx_decode(&texture, level, NULL, rgba, 13 * 4, &error);
                assert_int_equal(status, cut < end ? FACET_ERROR_MALFORMED : FACET_OK);
                if (cut < end) {
                    assert_string_equal(error.rule, "GX-TRUNCATED");
                    assert_int_equal(rgba[0], 0x5A);
                }
            }
            free(data);
        }
    }
}

static void test_bad_calls(void **state)
{
    (void)state;
    uint8_t data[64] = {0}, rgba[8 * 8 * 4];
    facet_error error;
    facet_gx_texture texture = {FACET_GX_I4, 8, 8, 1, data, 32, {0}};
    assert_int_equal(facet_gx_decode(&texture, 1, NULL, rgba, 32, &error), FACET_ERROR_ARGUMENT);
    assert_int_equal(facet_gx_decode(&texture, 0, NULL, rgba, 31, &error), FACET_ERROR_ARGUMENT);
    texture.levels = 0;
    assert_int_equal(facet_gx_decode(&texture, 0, NULL, rgba, 32, &error), FACET_ERROR_ARGUMENT);
    texture.levels = 9;
    assert_int_equal(facet_gx_decode(&texture, 8, NULL, rgba, 32, &error), FACET_ERROR_MALFORMED);
    texture.format = FACET_GX_C4;
    texture.levels = 1;
    assert_int_equal(facet_gx_decode(&texture, 0, NULL, rgba, 32, &error), FACET_ERROR_MALFORMED);
    assert_string_equal(error.rule, "GX-PALETTE");
    texture.palette.entries = data;
    texture.palette.count = 1;
    texture.palette.format = (facet_gx_palette_format)3;
    assert_int_equal(facet_gx_decode(&texture, 0, NULL, rgba, 32, &error), FACET_ERROR_MALFORMED);
    assert_string_equal(error.rule, "GX-PALETTE");
    assert_int_equal(
        facet_gx_encode(FACET_GX_I4, rgba, 32, 8, 8, NULL, NULL, NULL, data, 64, &error),
        FACET_ERROR_ARGUMENT);
    assert_int_equal(
        facet_gx_encode(FACET_GX_C4, rgba, 32, 8, 8, NULL, NULL, NULL, data, 32, &error),
        FACET_ERROR_ARGUMENT);
}

/* -- Palettes ----------------------------------------------------------- */

static void test_palette_indices(void **state)
{
    (void)state;
    static const facet_gx_format formats[] = {FACET_GX_C4, FACET_GX_C8, FACET_GX_C14X2};
    /* IA8: alpha, then intensity. */
    static const uint8_t entries[6] = {0xFF, 0x10, 0x80, 0x20, 0x00, 0x30};
    for (size_t f = 0; f < 3; f++) {
        /* 3 x 2 texels: indices 0 1 2, 3 1 15; the padding is full of 15. */
        uint8_t data[32], *exact = malloc(6);
        memcpy(exact, entries, 6);
        if (formats[f] == FACET_GX_C4) {
            memset(data, 0xFF, 32);
            memcpy(data, "\x01\x2F", 2);
            memcpy(data + 4, "\x31\xFF", 2);
        } else if (formats[f] == FACET_GX_C8) {
            memset(data, 15, 32);
            memcpy(data, "\0\1\2", 3);
            memcpy(data + 8, "\3\1\17", 3);
        } else {
            memset(data, 15, 32);
            memcpy(data, "\xC0\0\x40\1\0\2", 6); /* the two upper bits mean nothing */
            memcpy(data + 8, "\0\3\0\1\0\17", 6);
        }
        facet_gx_texture texture = {formats[f], 3, 2, 1, data, 32, {0, exact, 3}};
        facet_report *report = NULL;
        facet_error error;
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        facet_options options = {.report = report};
        uint8_t rgba[3 * 2 * 4];
        TEST_OK(facet_gx_decode(&texture, 0, &options, rgba, 12, &error), &error);
        static const uint32_t expected[6] = {0xFF101010, 0x80202020, 0x00303030, 0, 0x80202020, 0};
        for (uint32_t i = 0; i < 6; i++)
            assert_int_equal(texel_at(rgba, 3, i % 3, i / 3), expected[i]);
        const facet_finding *finding = test_finding(report, "GX-PALETTE-INDEX");
        assert_non_null(finding);
        assert_int_equal(finding->count, 2);
        assert_int_equal(facet_report_count(report), 1);
        facet_report_free(report);
        free(exact);
    }
}

/* Every way for an entry to be read: against the words above. */
static void test_palette_formats(void **state)
{
    (void)state;
    static const facet_gx_format formats[] = {FACET_GX_IA8, FACET_GX_RGB565, FACET_GX_RGB5A3};
    uint8_t data[256], entries[512], rgba[16 * 16 * 4];
    for (uint32_t i = 0; i < 256; i++) /* 16 x 16: two blocks of 8 x 4 across */
        data[i] = (uint8_t)i;
    fill(entries, sizeof entries, 5);
    for (size_t p = 0; p < 3; p++) {
        facet_gx_texture texture = {
            FACET_GX_C8, 16, 16, 1, data, 256, {(facet_gx_palette_format)p, entries, 256}};
        facet_error error;
        TEST_OK(facet_gx_decode(&texture, 0, NULL, rgba, 64, &error), &error);
        for (uint32_t y = 0; y < 16; y++) {
            for (uint32_t x = 0; x < 16; x++) {
                uint32_t index = (y / 4 * 2 + x / 8) * 32 + y % 4 * 8 + x % 8;
                assert_int_equal(texel_at(rgba, 16, x, y),
                                 word_means(formats[p], facet_load_u16be(entries + index * 2)));
            }
        }
    }
}

static uint32_t make_palette(const uint8_t *rgba, uint32_t width, uint32_t height,
                             facet_gx_palette_format format, uint32_t most, uint8_t *entries)
{
    uint32_t count = 0;
    facet_error error;
    TEST_OK(facet_gx_make_palette(rgba, width * 4, width, height, format, most, NULL, entries,
                                  &count, &error),
            &error);
    return count;
}

/* An image with no more colours than the palette has room for comes back exactly. */
static void test_few_colors(void **state)
{
    (void)state;
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
            facet_gx_encode_options how = {FACET_GX_NORMAL, dither};
            TEST_OK(facet_gx_encode(cases[c].format, rgba, WIDTH * 4, WIDTH, HEIGHT,
                                    &texture.palette, &how, NULL, data, size, &error),
                    &error);
            TEST_OK(facet_gx_decode(&texture, 0, NULL, back, WIDTH * 4, &error), &error);
            assert_memory_equal(rgba, back, WIDTH * HEIGHT * 4);
        }
        free(rgba);
        free(back);
        free(data);
    }
}

/* Each texel gets the nearest entry, found by looking at all of them. */
static void test_nearest_entry(void **state)
{
    (void)state;
    enum { SIDE = 40, COUNT = 200 };
    uint8_t rgba[SIDE * SIDE * 4], back[SIDE * SIDE * 4], entries[COUNT * 2];
    uint8_t data[SIDE * SIDE];
    fill(rgba, sizeof rgba, 1);
    fill(entries, sizeof entries, 2);
    facet_gx_palette palette = {FACET_GX_PALETTE_RGB5A3, entries, COUNT};
    facet_error error;
    TEST_OK(facet_gx_encode(FACET_GX_C8, rgba, SIDE * 4, SIDE, SIDE, &palette, NULL, NULL, data,
                            sizeof data, &error),
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
        assert_int_equal(gx_distance(texel_at(back, SIDE, i % SIDE, i / SIDE), texel), nearest);
    }
}

/* Median cut: of three clusters three entries; of a ramp evenly spaced ones. */
static void test_median_cut(void **state)
{
    (void)state;
    uint8_t rgba[256 * 4], entries[32];
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t grey = (i % 4 == 0 ? 20 : i % 4 == 1 ? 120 : 220) + i / 64;
        facet_store_u32le(rgba + (size_t)i * 4, grey * 0x010101u | 0xFF000000u);
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
        assert_true(nearest <= 12); /* 8 when perfect */
    }
}

/* -- There and back ----------------------------------------------------- */

/* Words that the encoder itself would choose. */
static bool is_canonical(facet_gx_format format, uint32_t word)
{
    /* Opaque with 4 bits a colour is written with 5, where 5 have the colour, too:
     * black and white of each channel. */
    if (format != FACET_GX_RGB5A3 || word >> 12 != 7)
        return true;
    for (int c = 0; c < 3; c++) {
        uint32_t v = word >> (c * 4) & 15;
        if (v != 0 && v != 15)
            return true;
    }
    return false;
}

static void test_bytes_come_back(void **state)
{
    (void)state;
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
        TEST_OK(facet_gx_encode(formats[f], rgba, SIDE * 4, SIDE, SIDE, &palette, NULL, NULL, again,
                                size, &error),
                &error);
        assert_memory_equal(data, again, size);
        free(data);
        free(again);
        free(rgba);
    }
    free(entries);
}

/* What no word can hold becomes the nearest that one can: against all words. */
static void test_nearest_word(void **state)
{
    (void)state;
    static const facet_gx_format formats[] = {FACET_GX_RGB565, FACET_GX_RGB5A3};
    uint32_t seed = 77;
    uint8_t rgba[4 * 4 * 4], back[4 * 4 * 4], data[32];
    for (int round = 0; round < 4; round++) {
        for (size_t i = 0; i < sizeof rgba; i++)
            rgba[i] = i % 4 == 3 && round % 2 ? 255 : (uint8_t)(test_random(&seed) >> 9);
        for (size_t f = 0; f < 2; f++) {
            facet_gx_texture texture = {formats[f], 4, 4, 1, data, 32, {0}};
            facet_error error;
            TEST_OK(facet_gx_encode(formats[f], rgba, 16, 4, 4, NULL, NULL, NULL, data, 32, &error),
                    &error);
            TEST_OK(facet_gx_decode(&texture, 0, NULL, back, 16, &error), &error);
            for (uint32_t i = 0; i < 16; i++) {
                uint32_t wanted = texel_at(rgba, 4, i % 4, i / 4), nearest = UINT32_MAX;
                if (formats[f] == FACET_GX_RGB565)
                    wanted |= 0xFF000000u;
                for (uint32_t word = 0; word < 65536; word++) {
                    uint32_t distance = gx_distance(word_means(formats[f], word), wanted);
                    nearest = distance < nearest ? distance : nearest;
                }
                assert_int_equal(gx_distance(texel_at(back, 4, i % 4, i / 4), wanted), nearest);
            }
        }
    }
}

/* Whatever CMPR has once been is CMPR again without change to the picture, the
 * colour of its transparent texels included. */
static void test_cmpr_comes_back(void **state)
{
    (void)state;
    enum { WIDTH = 512, HEIGHT = 256 };
    size_t size = size_of(FACET_GX_CMPR, WIDTH, HEIGHT, 1), texels = WIDTH * HEIGHT * 4;
    uint8_t *data = malloc(size), *again = malloc(size);
    uint8_t *rgba = malloc(texels), *back = malloc(texels);
    uint32_t seed = 4711;
    for (size_t i = 0; i < size; i += 8) {
        fill(data + i, 8, (uint32_t)i + 1);
        /* Near end points, equal ones, and few indices, which leave ends unseen. */
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
    TEST_OK(facet_gx_encode(FACET_GX_CMPR, rgba, WIDTH * 4, WIDTH, HEIGHT, NULL, NULL, NULL, again,
                            size, &error),
            &error);
    texture.data = again;
    TEST_OK(facet_gx_decode(&texture, 0, NULL, back, WIDTH * 4, &error), &error);
    assert_memory_equal(rgba, back, texels);
    free(data);
    free(again);
    free(rgba);
    free(back);
}

/* Every pair of ends that a channel can have, every choice of indices that are
 * seen: the solver finds ends that show the same. */
static void test_cmpr_every_pair(void **state)
{
    (void)state;
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
        gx_cmpr_colors(c0, c1, colors);
        for (uint32_t seen = 1; seen < 16; seen++) {
            uint32_t texels[16], again[4];
            uint8_t out[8];
            for (uint32_t i = 0, k = 0; i < 16; i++) {
                while (!(seen >> (k & 3) & 1))
                    k++;
                texels[i] = colors[k++ & 3];
            }
            if (!gx_encode_cmpr_exactly(texels, out))
                fail_msg("ends %04x and %04x, indices %x", c0, c1, seen);
            gx_cmpr_colors(facet_load_u16be(out), facet_load_u16be(out + 2), again);
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
    facet_gx_encode_options how = {quality, false};
    facet_gx_texture texture = {FACET_GX_CMPR, image->width, image->height, 1, data, size, {0}};
    facet_error error;
    TEST_OK(facet_gx_encode(FACET_GX_CMPR, image->pixels, stride, image->width, image->height, NULL,
                            &how, NULL, data, size, &error),
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
    TEST_OK(facet_file_open(path, &file, &error), &error);
    facet_source source = facet_file_source(file);
    TEST_OK(facet_load(&source, NULL, NULL, NULL, &scene, &error), &error);
    facet_file_close(file);
    TEST_OK(facet_image_set_channels(scene->arena, &scene->images[0], channels, &error), &error);
    return scene;
}

/* libsquish 1.15 with kDxt1 | kColourRangeFit, decoded by itself, gives these
 * ratios in decibels. */
static void test_cmpr_quality(void **state)
{
    (void)state;
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
        double fast = cmpr_ratio(&scene->images[0], FACET_GX_FAST);
        double normal = cmpr_ratio(&scene->images[0], FACET_GX_NORMAL);
        double best = cmpr_ratio(&scene->images[0], FACET_GX_BEST);
        assert_true(fast > photographs[i].squish - 0.5);
        assert_true(normal > photographs[i].squish + 0.5);
        assert_true(normal > fast && best > normal);
        facet_scene_free(scene);
    }
}

/* Single colours that CMPR does not have: no channel is off by more than its mixes
 * allow, which is less than half a step. */
static void test_cmpr_one_color(void **state)
{
    (void)state;
    uint32_t texels[16], colors[4];
    uint8_t out[8];
    for (uint32_t v = 0; v < 256; v++) {
        for (int i = 0; i < 16; i++)
            texels[i] = v | (255 - v) << 8 | v / 2 << 16 | 255u << 24;
        gx_encode_cmpr(texels, FACET_GX_NORMAL, out);
        gx_cmpr_colors(facet_load_u16be(out), facet_load_u16be(out + 2), colors);
        uint32_t got = colors[out[4] >> 6];
        for (int i = 4; i < 8; i++)
            assert_int_equal(out[i], (out[4] >> 6) * 0x55);
        for (int c = 0; c < 3; c++) {
            int miss = abs((int)(got >> (c * 8) & 255) - (int)(texels[0] >> (c * 8) & 255));
            assert_true(miss <= (c == 1 ? 1 : 2));
        }
    }
}

/* Black, white and what lies in the middle, with a little noise: three colours suit
 * that, four do not, whose mixes are 95 and 159. */
static void test_cmpr_three_colors(void **state)
{
    (void)state;
    uint32_t texels[16], colors[4];
    uint8_t out[8];
    for (uint32_t i = 0; i < 16; i++) {
        uint32_t grey = i < 5 ? 0 : i < 10 ? 255 : 124 + i % 6;
        texels[i] = grey * 0x010101u | 0xFF000000u;
    }
    gx_encode_cmpr(texels, FACET_GX_BEST, out);
    gx_cmpr_colors(facet_load_u16be(out), facet_load_u16be(out + 2), colors);
    for (uint32_t i = 0; i < 16; i++) {
        uint32_t got = colors[out[4 + i / 4] >> (6 - i % 4 * 2) & 3];
        assert_int_equal(gx_alpha(got), 255);
        assert_true(gx_distance(got, texels[i]) <= 3 * 4 * 4);
    }
}

/* Half of the texels transparent, of every kind of block. */
static void test_cmpr_alpha(void **state)
{
    (void)state;
    uint32_t seed = 3;
    for (int round = 0; round < 3000; round++) {
        uint32_t texels[16], colors[4];
        uint8_t out[8];
        for (int i = 0; i < 16; i++) {
            uint32_t alpha = test_random(&seed) % (unsigned)(1 + round % 3) ? 127 : 128;
            texels[i] = (test_random(&seed) & 0xFFFFFF) | alpha << 24;
        }
        gx_encode_cmpr(texels, (facet_gx_quality)(round % 3), out);
        gx_cmpr_colors(facet_load_u16be(out), facet_load_u16be(out + 2), colors);
        for (int i = 0; i < 16; i++) {
            uint32_t got = colors[out[4 + i / 4] >> (6 - i % 4 * 2) & 3];
            assert_int_equal(gx_alpha(got), gx_alpha(texels[i]) < 128 ? 0 : 255);
        }
    }
}

/* A grey between two levels: plain rounding makes one level of it, dithering keeps
 * the mean. */
static void test_dither(void **state)
{
    (void)state;
    enum { SIDE = 64 };
    static const facet_gx_format formats[] = {FACET_GX_I4, FACET_GX_IA4, FACET_GX_RGB5A3,
                                              FACET_GX_RGB565};
    uint8_t *rgba = malloc(SIDE * SIDE * 4), *back = malloc(SIDE * SIDE * 4);
    uint8_t data[SIDE * SIDE * 2];
    for (uint32_t grey = 3; grey < 250; grey += 13) {
        for (uint32_t i = 0; i < SIDE * SIDE; i++)
            facet_store_u32le(rgba + (size_t)i * 4, grey * 0x010101u | 0xFF000000u);
        for (size_t f = 0; f < 4; f++) {
            size_t size = size_of(formats[f], SIDE, SIDE, 1);
            facet_gx_texture texture = {formats[f], SIDE, SIDE, 1, data, size, {0}};
            facet_gx_encode_options how = {FACET_GX_NORMAL, true};
            facet_error error;
            TEST_OK(facet_gx_encode(formats[f], rgba, SIDE * 4, SIDE, SIDE, NULL, &how, NULL, data,
                                    size, &error),
                    &error);
            TEST_OK(facet_gx_decode(&texture, 0, NULL, back, SIDE * 4, &error), &error);
            for (int c = 0; c < 3; c++) {
                double sum = 0;
                for (size_t i = 0; i < SIDE * SIDE; i++)
                    sum += back[i * 4 + (size_t)c];
                assert_true(fabs(sum / (SIDE * SIDE) - grey) < 0.5);
            }
        }
    }
    free(rgba);
    free(back);
}

/* One row: 7/16 of what was missed goes to the right, in whole numbers, halves up. */
static void test_dither_weights(void **state)
{
    (void)state;
    enum { WIDTH = 40 };
    uint8_t rgba[WIDTH * 4], data[5 * 32], back[WIDTH * 4];
    facet_gx_encode_options how = {FACET_GX_NORMAL, true};
    facet_gx_texture texture = {FACET_GX_I4, WIDTH, 1, 1, data, sizeof data, {0}};
    facet_error error;
    for (int grey = 1; grey < 250; grey++) {
        double miss = 0;
        memset(rgba, grey, sizeof rgba);
        TEST_OK(facet_gx_encode(FACET_GX_I4, rgba, WIDTH * 4, WIDTH, 1, NULL, &how, NULL, data,
                                sizeof data, &error),
                &error);
        TEST_OK(facet_gx_decode(&texture, 0, NULL, back, WIDTH * 4, &error), &error);
        for (int i = 0; i < WIDTH; i++) {
            double wanted = grey + floor(miss * 7 / 16 + 0.5);
            double got = 17 * floor(wanted / 17 + 0.5);
            assert_int_equal(back[i * 4], (int)got);
            miss = wanted - got;
        }
    }
}

/* What hangs over an edge repeats the last row and column; an opaque colour that
 * both forms of RGB5A3 have is written as the opaque one. */
static void test_padding(void **state)
{
    (void)state;
    static const uint8_t expected[32] = {1, 2, 3, 3, 3, 3, 3, 3, 4, 5, 6, 6, 6, 6, 6, 6,
                                         4, 5, 6, 6, 6, 6, 6, 6, 4, 5, 6, 6, 6, 6, 6, 6};
    uint8_t rgba[6 * 4], data[32];
    facet_error error;
    for (uint32_t i = 0; i < 6; i++)
        memset(rgba + i * 4, (int)i + 1, 4);
    TEST_OK(facet_gx_encode(FACET_GX_I8, rgba, 12, 3, 2, NULL, NULL, NULL, data, 32, &error),
            &error);
    assert_memory_equal(data, expected, 32);
    static const uint8_t corners[8] = {255, 255, 255, 255, 0, 0, 0, 255};
    TEST_OK(facet_gx_encode(FACET_GX_RGB5A3, corners, 8, 2, 1, NULL, NULL, NULL, data, 32, &error),
            &error);
    assert_int_equal(facet_load_u16be(data), 0xFFFF);
    assert_int_equal(facet_load_u16be(data + 2), 0x8000);
}

/* -- Choosing ----------------------------------------------------------- */

static void test_choose(void **state)
{
    (void)state;
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
        {{0x4A112233, 0x93445567, 0xFF010203, 0xFF0000FF}, FACET_GX_RGB5A3}, /* 2 of 8 graded */
        {{0x4A112233, 0x93445567, 0x4A010203, 0xFF0000FF}, FACET_GX_RGBA32}, /* 3 of 8 */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint8_t rgba[2 * 20 + 16]; /* 4 x 2 with a gap between the rows */
        memset(rgba, 0xCD, sizeof rgba);
        for (size_t k = 0; k < 8; k++)
            facet_store_u32le(rgba + k / 4 * 20 + k % 4 * 4, cases[i].texels[k]);
        assert_int_equal(facet_gx_choose_format(rgba, 20, 4, 2), cases[i].format);
    }
}

/* -- Threads ------------------------------------------------------------ */

static void test_threads(void **state)
{
    (void)state;
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
        TEST_OK(facet_gx_encode(every_format[f], rgba, WIDTH * 4, WIDTH, HEIGHT, &palette, NULL,
                                NULL, a, size, &error),
                &error);
        TEST_OK(facet_gx_encode(every_format[f], rgba, WIDTH * 4, WIDTH, HEIGHT, &palette, NULL,
                                &options, b, size, &error),
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

/* -- Images ------------------------------------------------------------- */

static facet_status encode_image(facet_scene *scene, uint32_t width, uint32_t height,
                                 uint32_t channels, uint8_t *pixels,
                                 const facet_gx_texture_options *how, const facet_options *options,
                                 facet_gx_texture *texture, facet_error *error)
{
    facet_image image = {
        .name = "a", .pixels = pixels, .width = width, .height = height, .channels = channels};
    return facet_gx_encode_image(scene->arena, &image, how, options, texture, error);
}

static void test_image_levels(void **state)
{
    (void)state;
    facet_error error;
    facet_scene *scene = NULL;
    TEST_OK(facet_scene_create(NULL, &scene, &error), &error);
    static uint8_t pixels[64 * 64 * 3];
    memset(pixels, 85, sizeof pixels); /* a grey that I4 has */
    static const struct {
        uint32_t width, height, levels, expected;
    } cases[] = {{64, 32, 0, 1},  {64, 32, 3, 3}, {64, 32, FACET_GX_ALL_LEVELS, 7},
                 {64, 32, 50, 7}, {48, 32, 2, 2}, {48, 32, FACET_GX_ALL_LEVELS, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        facet_gx_texture texture;
        facet_gx_texture_options how = {
            .has_format = true, .format = FACET_GX_IA4, .levels = cases[i].levels};
        TEST_OK(encode_image(scene, cases[i].width, cases[i].height, 3, pixels, &how, NULL,
                             &texture, &error),
                &error);
        assert_int_equal(texture.levels, cases[i].expected);
        assert_int_equal(texture.size,
                         size_of(FACET_GX_IA4, cases[i].width, cases[i].height, cases[i].expected));
        for (size_t k = 0; k < texture.size; k++)
            assert_int_equal(texture.data[k], 0xF5); /* opaque, and 5 * 17 at every level */
    }
    facet_scene_free(scene);
}

static void test_image_losses(void **state)
{
    (void)state;
    static const struct {
        uint32_t texel;
        facet_gx_format format;
        const char *rule;
    } cases[] = {
        {0xFF0000FF, FACET_GX_IA8, "LOSS-COLOR"},  {0x80808080, FACET_GX_RGB565, "LOSS-ALPHA"},
        {0x80808080, FACET_GX_CMPR, "LOSS-ALPHA"}, {0x81808080, FACET_GX_I8, "LOSS-ALPHA"},
        {0x80808080, FACET_GX_I8, NULL},           {0xFF0000FF, FACET_GX_CMPR, NULL},
        {0x000000FF, FACET_GX_CMPR, NULL},         {0x800000FF, FACET_GX_C8, NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        facet_error error;
        facet_scene *scene = NULL;
        facet_report *report = NULL;
        uint8_t pixels[4];
        facet_store_u32le(pixels, cases[i].texel);
        TEST_OK(facet_scene_create(NULL, &scene, &error), &error);
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        facet_options options = {.report = report};
        facet_gx_texture_options how = {.has_format = true, .format = cases[i].format};
        facet_gx_texture texture;
        TEST_OK(encode_image(scene, 1, 1, 4, pixels, &how, &options, &texture, &error), &error);
        assert_int_equal(facet_report_count(report), cases[i].rule != NULL);
        assert_true(!cases[i].rule || test_finding(report, cases[i].rule));
        facet_report_free(report);
        facet_scene_free(scene);
    }
}

static void test_image_limits(void **state)
{
    (void)state;
    facet_error error;
    facet_scene *scene = NULL;
    static uint8_t pixels[1025];
    facet_gx_texture texture;
    TEST_OK(facet_scene_create(NULL, &scene, &error), &error);
    assert_int_equal(encode_image(scene, 1025, 1, 1, pixels, NULL, NULL, &texture, &error),
                     FACET_ERROR_LIMIT);
    assert_string_equal(error.rule, "GX-SIZE");
    assert_int_equal(encode_image(scene, 4, 4, 1, NULL, NULL, NULL, &texture, &error),
                     FACET_ERROR_ARGUMENT);
    TEST_OK(encode_image(scene, 1024, 1, 1, pixels, NULL, NULL, &texture, &error), &error);
    /* More is claimed than there is: no memory is asked for. */
    facet_gx_texture huge = {FACET_GX_RGBA32, 65535, 65535, 1, pixels, sizeof pixels, {0}};
    facet_image image = {0};
    assert_int_equal(facet_gx_decode_image(scene->arena, &huge, NULL, &image, &error),
                     FACET_ERROR_MALFORMED);
    assert_string_equal(error.rule, "GX-TRUNCATED");
    assert_null(image.pixels);
    facet_scene_free(scene);
}

/* PNG pixels of 1, 2, 3 and 4 channels, and back as 3 or 4. */
static void test_image_channels(void **state)
{
    (void)state;
    static const uint8_t pixels[8] = {10, 20, 30, 255, 40, 50, 60, 255};
    static const uint32_t expected[4][2] = {{0xFF0A0A0A, 0xFF141414},
                                            {0x140A0A0A, 0xFF1E1E1E},
                                            {0xFF1E140A, 0xFF3228FF},
                                            {0xFF1E140A, 0xFF3C3228}};
    for (uint32_t channels = 1; channels <= 4; channels++) {
        facet_error error;
        facet_scene *scene = NULL;
        TEST_OK(facet_scene_create(NULL, &scene, &error), &error);
        facet_gx_texture_options how = {.has_format = true, .format = FACET_GX_RGBA32};
        facet_gx_texture texture;
        uint8_t copy[8];
        memcpy(copy, pixels, 8);
        TEST_OK(encode_image(scene, 2, 1, channels, copy, &how, NULL, &texture, &error), &error);
        facet_image image = {.name = "kept"};
        TEST_OK(facet_gx_decode_image(scene->arena, &texture, NULL, &image, &error), &error);
        assert_string_equal(image.name, "kept");
        assert_int_equal(image.channels, channels == 2 ? 4 : 3);
        for (uint32_t i = 0; i < 2; i++) {
            for (uint32_t c = 0; c < image.channels; c++)
                assert_int_equal(((uint8_t *)image.pixels)[i * image.channels + c],
                                 expected[channels - 1][i] >> (c * 8) & 255);
        }
        facet_scene_free(scene);
    }
}

static facet_status attempt_all(const facet_allocator *allocator, void *user)
{
    facet_options options = {.allocator = allocator};
    facet_error error;
    facet_scene *scene = NULL;
    facet_status status = facet_scene_create(&options, &scene, &error);
    if (status)
        return status;
    facet_gx_texture_options how = {.has_format = true,
                                    .format = FACET_GX_C4,
                                    .levels = FACET_GX_ALL_LEVELS,
                                    .encode = {0, true}};
    facet_gx_texture texture;
    facet_image image = {0};
    status = encode_image(scene, 16, 16, 3, user, &how, &options, &texture, &error);
    if (!status)
        status = facet_gx_decode_image(scene->arena, &texture, &options, &image, &error);
    facet_scene_free(scene);
    return status;
}

static void test_allocations(void **state)
{
    (void)state;
    uint8_t pixels[16 * 16 * 3];
    fill(pixels, sizeof pixels, 6);
    test_every_allocation(attempt_all, pixels);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_formats),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_every_word),
        cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_cmpr_by_hand),
        cmocka_unit_test(test_checker),
        cmocka_unit_test(test_vectors_equal_plain),
        cmocka_unit_test(test_truncated),
        cmocka_unit_test(test_bad_calls),
        cmocka_unit_test(test_palette_indices),
        cmocka_unit_test(test_palette_formats),
        cmocka_unit_test(test_few_colors),
        cmocka_unit_test(test_nearest_entry),
        cmocka_unit_test(test_median_cut),
        cmocka_unit_test(test_bytes_come_back),
        cmocka_unit_test(test_nearest_word),
        cmocka_unit_test(test_cmpr_comes_back),
        cmocka_unit_test(test_cmpr_every_pair),
        cmocka_unit_test(test_cmpr_quality),
        cmocka_unit_test(test_cmpr_one_color),
        cmocka_unit_test(test_cmpr_three_colors),
        cmocka_unit_test(test_cmpr_alpha),
        cmocka_unit_test(test_dither),
        cmocka_unit_test(test_dither_weights),
        cmocka_unit_test(test_padding),
        cmocka_unit_test(test_choose),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_image_levels),
        cmocka_unit_test(test_image_losses),
        cmocka_unit_test(test_image_limits),
        cmocka_unit_test(test_image_channels),
        cmocka_unit_test(test_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
