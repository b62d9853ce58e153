/* base/sha256.c - SHA-256 of FIPS 180-4, with the processor's instructions for it if available. */
#include "base/sha256.h"
#include "base/atomic.h"

#include <stdbool.h>
#include <string.h>

static const uint32_t rounds[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

/* -- Blocks ------------------------------------------------------------- */

static uint32_t rotate(uint32_t word, unsigned by)
{
    return word >> by | word << (32 - by);
}

static uint32_t big_endian(const uint8_t *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static void take_block(uint32_t state[8], const uint8_t *block)
{
    uint32_t w[64], s[8];
    for (int i = 0; i < 16; i++)
        w[i] = big_endian(block + 4 * i);
    for (int i = 16; i < 64; i++) {
        uint32_t a = w[i - 15], b = w[i - 2];
        w[i] = w[i - 16] + (rotate(a, 7) ^ rotate(a, 18) ^ a >> 3) + w[i - 7] +
               (rotate(b, 17) ^ rotate(b, 19) ^ b >> 10);
    }
    memcpy(s, state, sizeof s);
    for (int i = 0; i < 64; i++) {
        uint32_t e = s[4], a = s[0];
        uint32_t one = s[7] + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) +
                       ((e & s[5]) ^ (~e & s[6])) + rounds[i] + w[i];
        uint32_t two = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) +
                       ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));
        memmove(s + 1, s, 7 * sizeof *s);
        s[4] += one;
        s[0] = one + two;
    }
    for (int i = 0; i < 8; i++)
        state[i] += s[i];
}

static void take_plain(uint32_t state[8], const uint8_t *blocks, size_t count)
{
    for (size_t i = 0; i < count; i++)
        take_block(state, blocks + 64 * i);
}

#if defined(__GNUC__) && defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>

/* The instructions store the state as the words ABEF and CDGH. */
__attribute__((target("sha,sse4.1,ssse3"))) static void
take_fast(uint32_t state[8], const uint8_t *blocks, size_t count)
{
    const __m128i swap = _mm_set_epi8(12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3);
    __m128i dcba = _mm_loadu_si128((const __m128i *)(const void *)state);
    __m128i hgfe = _mm_loadu_si128((const __m128i *)(const void *)(state + 4));
    __m128i cdab = _mm_shuffle_epi32(dcba, 0xB1), efgh = _mm_shuffle_epi32(hgfe, 0x1B);
    __m128i abef = _mm_alignr_epi8(cdab, efgh, 8), cdgh = _mm_blend_epi16(efgh, cdab, 0xF0);
    for (; count > 0; count--, blocks += 64) {
        __m128i abef_before = abef, cdgh_before = cdgh, w[4];
        for (int i = 0; i < 16; i++) {
            __m128i *now = &w[i & 3];
            if (i < 4) {
                *now = _mm_shuffle_epi8(
                    _mm_loadu_si128((const __m128i *)(const void *)(blocks + 16 * i)), swap);
            } else {
                __m128i last = w[(i + 3) & 3], middle = _mm_alignr_epi8(last, w[(i + 2) & 3], 4);
                *now = _mm_sha256msg1_epu32(*now, w[(i + 1) & 3]);
                *now = _mm_sha256msg2_epu32(_mm_add_epi32(*now, middle), last);
            }
            __m128i sum = _mm_add_epi32(
                *now, _mm_loadu_si128((const __m128i *)(const void *)(rounds + 4 * i)));
            cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
            abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0E));
        }
        abef = _mm_add_epi32(abef, abef_before);
        cdgh = _mm_add_epi32(cdgh, cdgh_before);
    }
    __m128i feba = _mm_shuffle_epi32(abef, 0x1B), dchg = _mm_shuffle_epi32(cdgh, 0xB1);
    _mm_storeu_si128((__m128i *)(void *)state, _mm_blend_epi16(feba, dchg, 0xF0));
    _mm_storeu_si128((__m128i *)(void *)(state + 4), _mm_alignr_epi8(dchg, feba, 8));
}

/* CPUID leaves a virtual machine and takes longer than ten blocks. So its answer is stored, which
 * is the same in all threads. */
static bool is_fast(void)
{
    static atomic_uint answer; /* 0: not known yet, 1: no, 2: yes */
    unsigned known = atomic_load_explicit(&answer, memory_order_relaxed), a, b, c, d;
    if (known == 0) {
        bool fast = __builtin_cpu_supports("sse4.1") && __builtin_cpu_supports("ssse3") &&
                    __get_cpuid_count(7, 0, &a, &b, &c, &d) && b >> 29 & 1;
        known = fast ? 2 : 1;
        atomic_store_explicit(&answer, known, memory_order_relaxed);
    }
    return known == 2;
}

#else
#define take_fast take_plain
static bool is_fast(void)
{
    return false;
}
#endif

static void take(uint32_t state[8], const uint8_t *blocks, size_t count)
{
    if (count > 1 && is_fast())
        take_fast(state, blocks, count);
    else
        take_plain(state, blocks, count);
}

/* -- Runs of bytes ------------------------------------------------------ */

void facet_sha256_begin(facet_sha256 *hash)
{
    static const uint32_t start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    memcpy(hash->state, start, sizeof start);
    hash->size = 0;
}

void facet_sha256_add(facet_sha256 *hash, const void *bytes, size_t size)
{
    const uint8_t *at = bytes;
    size_t used = (size_t)(hash->size % 64);
    hash->size += size;
    if (used > 0) {
        size_t taken = size < 64 - used ? size : 64 - used;
        if (taken > 0)
            memcpy(hash->block + used, at, taken);
        at += taken;
        size -= taken;
        if (used + taken < 64)
            return;
        take(hash->state, hash->block, 1);
    }
    take(hash->state, at, size / 64);
    if (size % 64 > 0)
        memcpy(hash->block, at + size / 64 * 64, size % 64);
}

void facet_sha256_end(facet_sha256 *hash, uint8_t digest[32])
{
    static const uint8_t padding[64] = {0x80};
    uint64_t bits = hash->size * 8;
    uint8_t length[8];
    for (int i = 0; i < 8; i++)
        length[i] = (uint8_t)(bits >> (56 - 8 * i));
    facet_sha256_add(hash, padding, 1 + (119 - (size_t)(hash->size % 64)) % 64);
    facet_sha256_add(hash, length, 8);
    for (int i = 0; i < 32; i++)
        digest[i] = (uint8_t)(hash->state[i / 4] >> (24 - 8 * (i % 4)));
}

/* -- As text ------------------------------------------------------------ */

void facet_sha256_end_text(facet_sha256 *hash, char text[65])
{
    uint8_t digest[32];
    facet_sha256_end(hash, digest);
    for (int i = 0; i < 32; i++) {
        text[2 * i] = "0123456789abcdef"[digest[i] >> 4];
        text[2 * i + 1] = "0123456789abcdef"[digest[i] & 15];
    }
    text[64] = '\0';
}

void facet_sha256_text(const void *bytes, size_t size, char text[65])
{
    facet_sha256 hash;
    facet_sha256_begin(&hash);
    facet_sha256_add(&hash, bytes, size);
    facet_sha256_end_text(&hash, text);
}
