/* Yaz0 and Yay0: the worked example of their layouts, every kind of data compressed with every
 * effort and decompressed, and invalid streams. */
#include "support/support.h"

#include <facet/archive.h>
#include <stdlib.h>

/* "J3D1", 24 zeros, "J3D1bck1", 4 zeros. They compress to a run, a copy over eight bytes, and a
 * last copy that is longer than a greedy search at one byte finds. */
static void make_example(uint8_t data[40])
{
    memset(data, 0, 40);
    memcpy(data, "J3D1", 4);
    memcpy(data + 28, "J3D1bck1", 8);
}

static const uint8_t example_yaz0[33] = {0x59, 0x61, 0x7A, 0x30, 0x00, 0x00, 0x00, 0x28, 0x00,
                                         0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xF9, 'J',
                                         '3',  'D',  '1',  0x00, 0x00, 0x00, 0x05, 0x20, 0x1B,
                                         0x62, 0xC0, 0x63, 0x6B, 0x30, 0x1F};
static const uint8_t example_yay0[35] = {0x59, 0x61, 0x79, 0x30, 0x00, 0x00, 0x00, 0x28, 0x00,
                                         0x00, 0x00, 0x14, 0x00, 0x00, 0x00, 0x1A, 0xF9, 0xC0,
                                         0x00, 0x00, 0x00, 0x00, 0x20, 0x1B, 0x30, 0x1F, 'J',
                                         '3',  'D',  '1',  0x00, 0x05, 0x62, 0x63, 0x6B};

static facet_output *compress(const uint8_t *data, size_t size, facet_compression compression,
                              facet_compression_effort effort, size_t alignment)
{
    facet_output *output;
    facet_error error;
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(facet_compress(data, size, compression, effort, alignment, NULL, output, &error),
            &error);
    TEST_OK(facet_output_commit(output, &error), &error);
    return output;
}

TEST(yaz0_and_yay0_match_the_worked_example)
{
    uint8_t data[40];
    make_example(data);
    facet_output *output =
        compress(data, 40, FACET_COMPRESSION_YAZ0, FACET_COMPRESSION_OFFICIAL, 0);
    assert_int_equal(facet_output_size(output), sizeof example_yaz0);
    assert_memory_equal(facet_output_data(output), example_yaz0, sizeof example_yaz0);
    facet_output_free(output);
    output = compress(data, 40, FACET_COMPRESSION_YAY0, FACET_COMPRESSION_OFFICIAL, 0);
    assert_int_equal(facet_output_size(output), sizeof example_yay0);
    assert_memory_equal(facet_output_data(output), example_yay0, sizeof example_yay0);
    facet_output_free(output);
    /* 33 bytes are padded to 64 with zeros. */
    output = compress(data, 40, FACET_COMPRESSION_YAZ0, FACET_COMPRESSION_OFFICIAL, 32);
    assert_int_equal(facet_output_size(output), 64);
    for (int i = 33; i < 64; i++)
        assert_int_equal(facet_output_data(output)[i], 0);
    facet_output_free(output);
}

/* Eight literals fill a group: the official encoder has already started the next one. */
TEST(full_last_group_opens_the_next)
{
    static const uint8_t data[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    facet_output *output = compress(data, 8, FACET_COMPRESSION_YAZ0, FACET_COMPRESSION_OFFICIAL, 0);
    assert_int_equal(facet_output_size(output), 16 + 1 + 8 + 1);
    facet_output_free(output);
    output = compress(data, 8, FACET_COMPRESSION_YAZ0, FACET_COMPRESSION_FAST, 0);
    assert_int_equal(facet_output_size(output), 16 + 1 + 8);
    facet_output_free(output);
}

enum { MAX = 20000 };

/* Runs, repetitions, and noise of few and of many symbols. */
static void fill(uint8_t *data, size_t size, int kind)
{
    uint32_t random = 1;
    for (size_t i = 0; i < size; i++) {
        random = random * 1664525u + 1013904223u;
        data[i] = kind == 0   ? 0
                  : kind == 1 ? (uint8_t)(random >> 31)
                  : kind == 2 ? (uint8_t)(random >> 24)
                  : kind == 3 ? (uint8_t)(i % 300)
                              : (uint8_t)(i % 5000 < 4500 ? 7 : random >> 28);
    }
}

TEST(every_kind_of_data_survives_compression)
{
    static uint8_t data[MAX], back[MAX];
    static const size_t sizes[] = {1, 2, 3, 17, 18, 273, 274, 4096, 4097, MAX};
    facet_error error;
    for (int kind = 0; kind < 5; kind++) {
        fill(data, MAX, kind);
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            uint64_t by_effort[3];
            for (int i = 0; i < 6; i++) {
                facet_compression compression =
                    i < 3 ? FACET_COMPRESSION_YAZ0 : FACET_COMPRESSION_YAY0;
                facet_compression_effort effort = (facet_compression_effort)(i % 3);
                facet_output *output = compress(data, sizes[s], compression, effort, 0);
                const uint8_t *bytes = facet_output_data(output);
                size_t size = (size_t)facet_output_size(output), found;
                assert_int_equal(facet_get_compression(bytes, size), compression);
                TEST_OK(facet_decompressed_size(bytes, size, &found, &error), &error);
                assert_int_equal(found, sizes[s]);
                TEST_OK(facet_decompress(bytes, size, back, found, &error), &error);
                assert_memory_equal(back, data, found);
                if (i < 3)
                    by_effort[i] = size;
                facet_output_free(output);
            }
            /* The official encoder may add the byte of an empty group. */
            assert_true(by_effort[FACET_COMPRESSION_BEST] <= by_effort[FACET_COMPRESSION_OFFICIAL]);
            assert_true(by_effort[FACET_COMPRESSION_BEST] <= by_effort[FACET_COMPRESSION_FAST]);
        }
    }
}

static void expect_rule(const uint8_t *data, size_t size, const char *rule)
{
    uint8_t out[64];
    facet_error error = {0};
    assert_int_equal(facet_decompress(data, size, out, 40, &error), FACET_ERROR_MALFORMED);
    assert_string_equal(error.rule, rule);
}

TEST(damaged_streams_break_their_rule)
{
    uint8_t bytes[35];
    expect_rule(example_yaz0, 15, "AR01");
    memcpy(bytes, example_yaz0, 33);
    bytes[7] = 0; /* no bytes */
    expect_rule(bytes, 33, "AR01");
    bytes[4] = 0x7F; /* a size of 2 * 10^9 for 17 bytes */
    expect_rule(bytes, 33, "AR02");
    for (size_t size = 17; size < 33; size++)
        expect_rule(example_yaz0, size, "AR02");
    memcpy(bytes, example_yaz0, 33);
    bytes[23] = 0xFF; /* 256 back after five bytes */
    expect_rule(bytes, 33, "AR03");
    memcpy(bytes, example_yaz0, 33);
    bytes[31] = 0x40; /* six bytes where five are left */
    expect_rule(bytes, 33, "AR04");
    memcpy(bytes, example_yay0, 35);
    bytes[11] = 0x30; /* links past the end */
    expect_rule(bytes, 35, "AR08");
    for (size_t size = 27; size < 35; size++)
        expect_rule(example_yay0, size, "AR02");
}

/* Any change of one byte either decodes to 40 bytes or is refused. The sanitizer detects access
 * outside of the buffers. */
TEST(decompression_survives_any_byte_change)
{
    static const struct {
        const uint8_t *bytes;
        size_t size;
    } streams[] = {{example_yaz0, sizeof example_yaz0}, {example_yay0, sizeof example_yay0}};
    for (size_t s = 0; s < 2; s++) {
        for (size_t i = 0; i < streams[s].size; i++) {
            for (int value = 0; value < 256; value++) {
                uint8_t *copy = malloc(streams[s].size);
                size_t found = 0;
                assert_non_null(copy);
                memcpy(copy, streams[s].bytes, streams[s].size);
                copy[i] = (uint8_t)value;
                if (!facet_decompressed_size(copy, streams[s].size, &found, NULL)) {
                    uint8_t *out = malloc(found);
                    assert_non_null(out);
                    facet_decompress(copy, streams[s].size, out, found, NULL);
                    free(out);
                }
                free(copy);
            }
        }
    }
}

TEST(compress_refuses_invalid_arguments)
{
    facet_output *output;
    facet_error error;
    uint8_t data[40], out[8];
    size_t size;
    make_example(data);
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    assert_int_equal(facet_compress(data, 0, FACET_COMPRESSION_YAZ0, FACET_COMPRESSION_FAST, 0,
                                    NULL, output, &error),
                     FACET_ERROR_ARGUMENT);
    assert_int_equal(facet_compress(data, 40, FACET_COMPRESSION_NONE, FACET_COMPRESSION_FAST, 0,
                                    NULL, output, &error),
                     FACET_ERROR_ARGUMENT);
    assert_int_equal(facet_decompressed_size(data, 40, &size, &error), FACET_ERROR_UNSUPPORTED);
    assert_int_equal(facet_decompress(example_yaz0, 33, out, 8, &error), FACET_ERROR_ARGUMENT);
    facet_output_free(output);
}
