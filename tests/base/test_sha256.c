/* SHA-256: the examples of FIPS 180-4 and of NIST's page of examples. */
#include "base/sha256.h"
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

static void expect(const void *bytes, size_t size, const char *digest)
{
    char text[65];
    facet_sha256_text(bytes, size, text);
    assert_string_equal(text, digest);
}

TEST(sums_match_the_examples)
{
    expect("", 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    expect("abc", 3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    const char *two = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
    expect(two, strlen(two), "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    const char *four = "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
                       "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu";
    expect(four, strlen(four), "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1");
}

/* Long enough for the processor's SHA instructions. */
TEST(sum_of_a_million_letters_is_known)
{
    char *text = malloc(1000000);
    memset(text, 'a', 1000000);
    expect(text, 1000000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    free(text);
}

/* Pieces of any size give the same sum. Pieces of up to 127 bytes never use the processor's
 * instructions; the whole text does. */
TEST(pieces_give_the_same_sum)
{
    uint8_t bytes[2000];
    char whole[65], pieces[65];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(i * i + 3 * i);
    for (size_t size = 0; size <= sizeof bytes; size += 13) {
        facet_sha256_text(bytes, size, whole);
        for (size_t piece = 1; piece < 512; piece = piece * 2 + 1) {
            facet_sha256 hash;
            facet_sha256_begin(&hash);
            for (size_t at = 0; at < size; at += piece)
                facet_sha256_add(&hash, bytes + at, piece < size - at ? piece : size - at);
            facet_sha256_end_text(&hash, pieces);
            assert_string_equal(pieces, whole);
        }
    }
}
