/* LZO1X: streams from its description, and compared with liblzo2.
 *
 * Both decoders must accept and refuse the same bytes, and give the same output. */
#include "support/repeats.h"
#include "support/support.h"

#include "base/bytes.h"
#include "formats/binarymesh/lzo.h"

#include <lzo/lzo1x.h>
#include <stdio.h>
#include <stdlib.h>

/* A copy of exact size, so that the sanitizer detects reads past the end. */
static uint8_t *exactly(const void *bytes, size_t size)
{
    uint8_t *copy = malloc(size ? size : 1);
    assert_non_null(copy);
    if (size > 0)
        memcpy(copy, bytes, size);
    return copy;
}

static bool decompress(const uint8_t *stream, size_t size, uint8_t *to, size_t to_size)
{
    uint8_t *from = exactly(stream, size), *made = exactly(to, to_size);
    bool valid = facet_lzo_decompress(from, size, made, to_size);
    if (valid && to_size > 0)
        memcpy(to, made, to_size);
    free(from);
    free(made);
    return valid;
}

/* -- From the description ------------------------------------------------- */

static void expect(const char *stream, size_t size, const char *text)
{
    uint8_t to[128] = {0};
    size_t length = strlen(text);
    assert_true(decompress((const uint8_t *)stream, size, to, length));
    assert_memory_equal(to, text, length);
    assert_false(decompress((const uint8_t *)stream, size, to, length + 1));
    assert_false(length > 0 && decompress((const uint8_t *)stream, size, to, length - 1));
    for (size_t cut = 0; cut < size; cut++)
        assert_false(decompress((const uint8_t *)stream, cut, to, length));
}

#define STREAM(bytes) bytes, sizeof(bytes) - 1

TEST(lzo_instructions_decompress_as_described)
{
    expect(STREAM("\x11\0\0"), "");
    /* The first byte: 17 + 4 literals. */
    expect(STREAM("\x15"
                  "abcd\x11\0\0"),
           "abcd");
    /* A literal run of 1 + 3; M2: (5 << 5 | 3 << 2): 6 bytes, distance 4. */
    expect(STREAM("\1abcd\xac\0\x11\0\0"), "abcdabcdab");
    /* M3: 3 + 2 bytes at distance 1 + 0; two literals after it. */
    expect(STREAM("\1abcd\x23\2\0xy\x11\0\0"), "abcddddddxy");
    /* M3 with a long length: 31 + 4 + 2 = 37 bytes at distance 2. */
    expect(STREAM("\1abcd\x20\4\4\0\x11\0\0"), "abcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdc");
    /* One literal from the first byte, then 2 bytes at distance 1. */
    expect(STREAM("\x12"
                  "a\0\0\x11\0\0"),
           "aaa");
    /* A long run: no further zero byte, 15 + 1 + 3 literals. */
    expect(STREAM("\0\1abcdefghijklmnopqrs\x11\0\0"), "abcdefghijklmnopqrs");
}

TEST(damaged_lzo_streams_are_refused)
{
    static const struct {
        const char *bytes;
        size_t size;
    } streams[] = {
        {STREAM("\x11\0\0x")}, /* a byte after the end */
        {STREAM("\x12"
                "a\0\4\x11\0\0")},      /* distance 17 after one byte */
        {STREAM("\1abcd\0\0\x11\0\0")}, /* 2,049 after a run of four */
        {STREAM("\0\0\0\0\0\0\0\0")},   /* a length without an end */
        {STREAM("\x20\0\0\0\0\0\0")},
    };
    uint8_t to[64];
    for (size_t i = 0; i < sizeof streams / sizeof *streams; i++) {
        for (size_t size = 0; size <= sizeof to; size++)
            assert_false(decompress((const uint8_t *)streams[i].bytes, streams[i].size, to, size));
    }
}

/* -- Compared with liblzo2 ------------------------------------------------- */

/* Assert equal results and equal bytes; returns true if the stream was accepted. */
static bool compare(const uint8_t *stream, size_t size, size_t to_size)
{
    uint8_t *ours = calloc(to_size + 1, 1), *theirs = calloc(to_size + 1, 1);
    assert_true(ours && theirs);
    lzo_uint made = to_size;
    bool wanted =
        lzo1x_decompress_safe(stream, size, theirs, &made, NULL) == LZO_E_OK && made == to_size;
    if (decompress(stream, size, ours, to_size) != wanted) {
        for (size_t i = 0; i < size && i < 100; i++)
            print_message("%02X ", stream[i]);
        fail_msg("liblzo2 %s %zu bytes that make %zu", wanted ? "takes" : "refuses", size, to_size);
    }
    if (wanted)
        assert_memory_equal(ours, theirs, to_size);
    free(ours);
    free(theirs);
    return wanted;
}

TEST(compressed_data_equals_liblzo2)
{
    assert_int_equal(lzo_init(), LZO_E_OK);
    uint32_t seed = 1;
    size_t most = 70000, accepted = 0, refused = 0;
    uint8_t *data = malloc(most), *stream = malloc(most * 2),
            *work = malloc(LZO1X_999_MEM_COMPRESS);
    assert_true(data && stream && work);
    for (int round = 0; round < 400; round++) {
        size_t size = next_number(&seed) % (round % 8 == 0 ? (uint32_t)most : 600u);
        make_repeats(data, size, &seed);
        lzo_uint used = most * 2;
        int made = round % 2 ? lzo1x_1_compress(data, size, stream, &used, work)
                             : lzo1x_999_compress(data, size, stream, &used, work);
        assert_int_equal(made, LZO_E_OK);
        assert_true(compare(stream, used, size));
        uint8_t *back = malloc(size + 1);
        assert_true(back && decompress(stream, used, back, size));
        assert_true(size == 0 || memcmp(back, data, size) == 0);
        free(back);
        assert_false(compare(stream, used, size + 1));
        for (int change = 0; change < (size < 600 ? 200 : 4); change++) {
            size_t at = next_number(&seed) % used;
            uint8_t old = stream[at];
            stream[at] = (uint8_t)next_number(&seed);
            *(compare(stream, used, size) ? &accepted : &refused) += 1;
            stream[at] = old;
        }
    }
    free(data);
    free(stream);
    free(work);
    /* Both results occurred often. */
    assert_true(accepted > 1000 && refused > 1000);
}

/* Random instructions, which no compressor would create, with an end mark. */
TEST(random_streams_equal_liblzo2)
{
    assert_int_equal(lzo_init(), LZO_E_OK);
    uint32_t seed = 7;
    size_t accepted = 0;
    for (int round = 0; round < 200000; round++) {
        uint8_t stream[64];
        size_t size = 4 + next_number(&seed) % 28;
        for (size_t i = 0; i < size; i++) {
            uint32_t kind = next_number(&seed) % 4;
            stream[i] = (uint8_t)(kind == 0   ? next_number(&seed)
                                  : kind == 1 ? 0
                                              : next_number(&seed) % 24);
        }
        memcpy(stream + size, "\x11\0\0", 3);
        lzo_uint made = 4096;
        uint8_t to[4096];
        /* The size of the output is not known before. */
        if (lzo1x_decompress_safe(stream, size + 3, to, &made, NULL) == LZO_E_OK)
            accepted += compare(stream, size + 3, made);
        else
            compare(stream, size + 3, next_number(&seed) % 300);
    }
    assert_true(accepted > 1000);
}

/* The blocks of a file that appleseed wrote. */
TEST(real_file_equals_liblzo2)
{
    const char *corpus = getenv("FACET_CORPUS");
    if (!corpus)
        skip();
    assert_int_equal(lzo_init(), LZO_E_OK);
    char path[4096];
    snprintf(path, sizeof path, "%s/binarymesh/juice_00.v2.binarymesh", corpus);
    facet_file *file = NULL;
    assert_int_equal(facet_file_open(path, NULL, &file, NULL), FACET_OK);
    const uint8_t *data = facet_file_source(file).data;
    size_t size = facet_file_source(file).size, blocks = 0;
    for (size_t at = 12; at < size; blocks++) {
        size_t to_size = (size_t)facet_load_u64le(data + at);
        size_t used = (size_t)facet_load_u64le(data + at + 8);
        assert_true(used <= size - at - 16);
        assert_true(compare(data + at + 16, used, to_size));
        at += 16 + used;
    }
    assert_true(blocks > 0);
    facet_file_close(file);
}
