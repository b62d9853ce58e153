/* LZ4 blocks: from the description of the format, and compared with liblz4.
 *
 * Both decoders must accept and refuse the same bytes, and give the same output. */
#include "support/repeats.h"
#include "support/support.h"

#include "formats/binarymesh/lz4.h"

#include <lz4.h>
#include <lz4hc.h>
#include <stdlib.h>

/* Decompress in memory of the exact size, so that the sanitizer detects reads past the end. */
static bool decompress(const uint8_t *block, size_t size, uint8_t *to, size_t to_size)
{
    uint8_t *from = malloc(size ? size : 1), *made = malloc(to_size ? to_size : 1);
    assert_true(from && made);
    memcpy(from, block, size);
    bool valid = facet_lz4_decompress(from, size, made, to_size);
    if (valid)
        memcpy(to, made, to_size);
    free(from);
    free(made);
    return valid;
}

/* -- From the description ------------------------------------------------- */

#define BLOCK(bytes) (const uint8_t *)bytes, sizeof(bytes) - 1

static void expect(const uint8_t *block, size_t size, const char *text)
{
    uint8_t to[512];
    size_t length = strlen(text);
    assert_true(decompress(block, size, to, length));
    assert_memory_equal(to, text, length);
    assert_false(decompress(block, size, to, length + 1));
    assert_false(length > 0 && decompress(block, size, to, length - 1));
    for (size_t cut = 0; cut < size; cut++)
        assert_false(decompress(block, cut, to, length));
}

TEST(lz4_sequences_decompress_as_described)
{
    char text[300];
    expect(BLOCK("\0"), "");
    expect(BLOCK("\x50"
                 "abcde"),
           "abcde");
    /* 4 literals; 4 + 4 bytes at distance 4; 5 literals. */
    expect(BLOCK("\x44"
                 "abcd\4\0\x50vwxyz"),
           "abcdabcdabcdvwxyz");
    /* 1 literal; a match that overlaps itself: 15 + 255 + 1 + 4 = 275 times 'a'. */
    memset(text, 'a', 276);
    memcpy(text + 276, "vwxyz", 6);
    expect(BLOCK("\x1F"
                 "a\1\0\xFF\1\x50vwxyz"),
           text);
    /* 15 + 0 literals: the count continues with a byte 0. */
    expect(BLOCK("\xF0\0abcdefghijklmno"), "abcdefghijklmno");
}

TEST(damaged_lz4_blocks_are_refused)
{
    static const struct {
        const uint8_t *bytes;
        size_t size;
    } blocks[] = {
        {BLOCK("\x44"
               "abcd\0\0\x50vwxyz")}, /* distance 0 */
        {BLOCK("\x44"
               "abcd\5\0\x50vwxyz")}, /* distance 5 after 4 bytes */
        {BLOCK("\x44"
               "abcd\4\0\x40wxyz")}, /* a match that ends 4 bytes before the end */
        {BLOCK("\x20"
               "ab\2\0\x50vwxyz")}, /* and a match that begins 9 bytes before the end */
        {BLOCK("\xF0\xFF\xFF\xFF")},
    };
    uint8_t to[64];
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        for (size_t size = 0; size <= sizeof to; size++)
            assert_false(decompress(blocks[i].bytes, blocks[i].size, to, size));
    }
}

/* -- Compared with liblz4 -------------------------------------------------- */

/* The description calls a distance of 0 an error; liblz4 does not check it. */
static bool may_have_no_distance(const uint8_t *block, size_t size)
{
    for (size_t i = 1; i < size; i++) {
        if (block[i - 1] == 0 && block[i] == 0)
            return true;
    }
    return false;
}

/* Assert equal results and equal bytes; returns true if the block was accepted. */
static bool compare(const uint8_t *block, size_t size, size_t to_size)
{
    uint8_t *ours = calloc(to_size + 1, 1), *theirs = calloc(to_size + 1, 1);
    assert_true(ours && theirs);
    bool wanted = LZ4_decompress_safe((const char *)block, (char *)theirs, (int)size,
                                      (int)to_size) == (int)to_size;
    bool valid = decompress(block, size, ours, to_size);
    if (valid != wanted && !(wanted && may_have_no_distance(block, size))) {
        for (size_t i = 0; i < size && i < 100; i++)
            print_message("%02X ", block[i]);
        fail_msg("liblz4 %s %zu bytes that make %zu", wanted ? "takes" : "refuses", size, to_size);
    }
    if (valid)
        assert_memory_equal(ours, theirs, to_size);
    free(ours);
    free(theirs);
    return valid;
}

TEST(compressed_data_equals_liblz4)
{
    uint32_t seed = 1;
    size_t most = 70000, accepted = 0, refused = 0, space = (size_t)LZ4_compressBound((int)most);
    uint8_t *data = malloc(most), *block = malloc(space), *back = malloc(most);
    assert_true(data && block && back);
    for (int round = 0; round < 400; round++) {
        size_t size = next_number(&seed) % (round % 8 == 0 ? (uint32_t)most : 600u);
        make_repeats(data, size, &seed);
        int used = round % 2 ? LZ4_compress_default((const char *)data, (char *)block, (int)size,
                                                    (int)space)
                             : LZ4_compress_HC((const char *)data, (char *)block, (int)size,
                                               (int)space, LZ4HC_CLEVEL_MAX);
        assert_true(used > 0);
        assert_true(decompress(block, (size_t)used, back, size));
        assert_memory_equal(back, data, size);
        assert_false(compare(block, (size_t)used, size + 1));
        for (int change = 0; change < (size < 600 ? 200 : 4); change++) {
            size_t at = next_number(&seed) % (size_t)used;
            uint8_t old = block[at];
            block[at] = (uint8_t)next_number(&seed);
            *(compare(block, (size_t)used, size) ? &accepted : &refused) += 1;
            block[at] = old;
        }
    }
    free(data);
    free(block);
    free(back);
    /* Both results occurred often. */
    assert_true(accepted > 1000 && refused > 1000);
}

/* Random sequences, which no compressor would create: literals and matches of any length.
 * Distances are mostly valid, and the last sequence is mostly long enough. If it is not, liblz4
 * checks some blocks and not others. */
TEST(random_blocks_equal_liblz4)
{
    uint32_t seed = 7;
    size_t accepted = 0;
    for (int round = 0; round < 100000; round++) {
        uint8_t block[256], to[4096];
        size_t size = 0, made = 0, matched = 0;
        for (uint32_t left = next_number(&seed) % 6; left > 0; left--) {
            uint32_t literals = next_number(&seed) % 15, match = next_number(&seed) % 16;
            uint32_t distance = 1 + next_number(&seed) % (uint32_t)(made + literals + 1);
            block[size++] = (uint8_t)(literals << 4 | match);
            for (uint32_t i = 0; i < literals; i++)
                block[size++] = (uint8_t)next_number(&seed);
            block[size++] = (uint8_t)distance;
            block[size++] = (uint8_t)(distance >> 8);
            if (match == 15)
                block[size++] = (uint8_t)(next_number(&seed) % 255);
            matched = match + 4 + (match == 15 ? block[size - 1] : 0u);
            made += literals + matched;
        }
        uint32_t last = 4 + next_number(&seed) % 11;
        block[size++] = (uint8_t)(last << 4);
        for (uint32_t i = 0; i < last; i++)
            block[size++] = (uint8_t)next_number(&seed);
        if (matched > 0 && (last < 5 || matched + last < 12))
            assert_false(decompress(block, size, to, made + last));
        else
            accepted += compare(block, size, made + last);
    }
    assert_true(accepted > 1000 && accepted < 99000);
}
