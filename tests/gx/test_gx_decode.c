/* Sizes and decoding of every GX texture format, compared with the format tables. */
#include "support/gx.h"

#include "gx/texels.h"

#include <stdlib.h>

/* -- Formats ------------------------------------------------------------ */

TEST(formats_match_their_table)
{
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

TEST(sizes_of_all_levels_are_known)
{
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

/* -- Single texels by the tables ---------------------------------------- */

/* Every 16-bit word: 256 x 256 texels, 4 x 4 blocks row by row. */
TEST(every_word_is_decoded_by_the_tables)
{
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
    /* Literal: 5 bits 10110 are 10110101, 3 bits 101 are 10110110. */
    assert_int_equal(repeat_bits(22, 5), 0xB5);
    assert_int_equal(repeat_bits(5, 3), 0xB6);
    free(data);
    free(rgba);
}

/* Color of a texel of 4 or 8 bits or RGBA32, located independently in the bytes. */
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

TEST(texels_of_bytes_are_decoded_by_the_tables)
{
    static const facet_gx_format formats[] = {FACET_GX_I4, FACET_GX_I8, FACET_GX_IA4,
                                              FACET_GX_RGBA32};
    for (size_t f = 0; f < 4; f++) {
        uint32_t width = 37, height = 19; /* partial blocks at both edges */
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

TEST(cmpr_of_a_known_block_is_decoded)
{
    /* Four sub-blocks: red and blue in the order of four colors, in that of three, white and black,
     * and one color twice. The index is 0, 1, 2, 3 from the left in the first row, and 3, 2, 1, 0
     * in the second. */
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

/* Color of a texel, located independently. A block is four of 4 x 4 texels. */
static uint32_t cmpr_means_at(const uint8_t *data, uint32_t width, uint32_t x, uint32_t y)
{
    const uint8_t *block =
        data + (size_t)(y / 8 * ((width + 7) / 8) + x / 8) * 32 + (y / 4 % 2 * 2 + x / 4 % 2) * 8;
    uint32_t ends[2] = {facet_load_u16be(block), facet_load_u16be(block + 2)}, color = 0;
    uint32_t index = block[4 + y % 4] >> (6 - x % 4 * 2) & 3, bits[3] = {5, 6, 5}, at = 16;
    for (uint32_t channel = 0; channel < 3; channel++) {
        at -= bits[channel];
        uint32_t mask = (1u << bits[channel]) - 1;
        uint32_t a = repeat_bits(ends[0] >> at & mask, bits[channel]);
        uint32_t b = repeat_bits(ends[1] >> at & mask, bits[channel]);
        uint32_t mixed = index == 2 ? (5 * a + 3 * b) / 8 : (3 * a + 5 * b) / 8;
        if (ends[0] <= ends[1])
            mixed = (a + b) / 2;
        color |= (index == 0 ? a : index == 1 ? b : mixed) << channel * 8;
    }
    return color | (index == 3 && ends[0] <= ends[1] ? 0 : 0xFF000000u);
}

TEST(cmpr_of_random_bytes_is_decoded)
{
    uint32_t width = 43, height = 21;
    size_t size = size_of(FACET_GX_CMPR, width, height, 1);
    uint8_t *data = malloc(size), *rgba = malloc((size_t)width * height * 4);
    for (uint32_t round = 0; round < 200; round++) {
        fill(data, size, round);
        for (size_t i = 0; i < size && round % 2; i += 24)
            memcpy(data + i + 2, data + i, 2); /* equal end points */
        facet_gx_texture texture = {FACET_GX_CMPR, width, height, 1, data, size, {0}};
        facet_error error;
        TEST_OK(facet_gx_decode(&texture, 0, NULL, rgba, width * 4, &error), &error);
        for (uint32_t i = 0; i < width * height; i++)
            assert_int_equal(texel_at(rgba, width, i % width, i / width),
                             cmpr_means_at(data, width, i % width, i / width));
    }
    free(data);
    free(rgba);
}

/* The texture of the smallest complete model: a checkerboard of 8 x 8 in I4. */
TEST(checkerboard_is_decoded)
{
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

/* -- Palettes ----------------------------------------------------------- */

TEST(palette_indices_are_decoded)
{
    static const facet_gx_format formats[] = {FACET_GX_C4, FACET_GX_C8, FACET_GX_C14X2};
    /* IA8: alpha, then intensity. */
    static const uint8_t entries[6] = {0xFF, 0x10, 0x80, 0x20, 0x00, 0x30};
    for (size_t f = 0; f < 3; f++) {
        /* 3 x 2 texels: indices 0 1 2, 3 1 15. The padding is all 15. */
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
            memcpy(data, "\xC0\0\x40\1\0\2", 6); /* the two upper bits are ignored */
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

/* Every format of palette entries, compared with word_means. */
TEST(palette_formats_are_decoded_by_the_tables)
{
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

/* -- Vectors ------------------------------------------------------------ */

TEST(vector_decoders_match_the_plain_ones)
{
    enum { MAX = 9, STRIDE = MAX * 32 + 12 };
    uint32_t table[256];
    fill((uint8_t *)table, sizeof table, 99);
    for (size_t f = 0; f < FORMATS; f++) {
        facet_gx_row_decoder *plain = facet_gx_plain_decoder(every_format[f]);
        facet_gx_block block;
        assert_true(facet_gx_format_block(every_format[f], &block));
        assert_true(plain || every_format[f] == FACET_GX_C14X2);
        for (int level = FACET_GX_SSSE3; level <= (int)facet_gx_processor(); level++) {
            facet_gx_row_decoder *vector =
                facet_gx_vector_decoder(every_format[f], (facet_gx_instructions)level);
            if (!vector)
                continue;
            for (uint32_t round = 0; round < 600; round++) {
                size_t count = round % (MAX + 1), size = count * block.bytes;
                /* Blocks of exact size, so that a read past the end is detected. */
                uint8_t *data = malloc(size ? size : 1);
                uint8_t *a = malloc(8 * STRIDE), *b = malloc(8 * STRIDE);
                fill(data, size, round);
                for (size_t i = 0; i < size && round % 3 == 1; i++)
                    data[i] = data[i] & 1 ? 0xFF : 0; /* both ends of every range */
                for (size_t i = 0; i + 4 <= size && round % 3 == 2; i += 8)
                    memcpy(data + i + 2, data + i, 2); /* CMPR: equal end points */
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

/* -- Untrusted input ---------------------------------------------------- */

TEST(truncated_textures_are_refused)
{
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

TEST(decode_refuses_invalid_arguments)
{
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
    assert_int_equal(facet_gx_encode(&(facet_gx_pixels){rgba, 32, 8, 8}, NULL, NULL,
                                     &(facet_gx_target){FACET_GX_I4, NULL, data, 64}, &error),
                     FACET_ERROR_ARGUMENT);
    assert_int_equal(facet_gx_encode(&(facet_gx_pixels){rgba, 32, 8, 8}, NULL, NULL,
                                     &(facet_gx_target){FACET_GX_C4, NULL, data, 32}, &error),
                     FACET_ERROR_ARGUMENT);
}
