/* gx/texels_x86.c - rows of GX blocks to texels with the vector instructions of x86. On other
 * processors, this file is empty and the plain decoders are used. */
#include "gx/texels.h"

#if defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__))

#include <immintrin.h>

#define SSSE3 __attribute__((target("ssse3")))
#define AVX2 __attribute__((target("avx2")))
#define AVX512 __attribute__((target("avx512bw")))

/* -- Lanes -------------------------------------------------------------- */

SSSE3 static inline __m128i load(const uint8_t *at)
{
    return _mm_loadu_si128((const __m128i *)(const void *)at);
}
SSSE3 static inline void store(uint8_t *at, __m128i v)
{
    _mm_storeu_si128((__m128i *)(void *)at, v);
}
/* Swap the bytes of each 16 bits. */
SSSE3 static inline __m128i swap16(__m128i v)
{
    return _mm_shuffle_epi8(v, _mm_setr_epi8(1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14));
}
/* Bytes n to n + 3, four times each. */
SSSE3 static inline __m128i four_times(__m128i v, char n)
{
    __m128i order = _mm_setr_epi8(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3);
    return _mm_shuffle_epi8(v, _mm_add_epi8(order, _mm_set1_epi8(n)));
}
/* Widen bytes below 16: times 17. */
SSSE3 static inline __m128i widen4(__m128i v)
{
    return _mm_or_si128(v, _mm_slli_epi16(v, 4));
}
SSSE3 static inline __m128i high_nibbles(__m128i v)
{
    return _mm_and_si128(_mm_srli_epi16(v, 4), _mm_set1_epi8(15));
}
SSSE3 static inline __m128i low_nibbles(__m128i v)
{
    return _mm_and_si128(v, _mm_set1_epi8(15));
}
/* Widen 5 or 6 bits of v, from bit `shift` on, to 8 bits in each 16 bits. */
SSSE3 static inline __m128i field5(__m128i v, int shift)
{
    v = _mm_and_si128(_mm_srli_epi16(v, shift), _mm_set1_epi16(31));
    return _mm_or_si128(_mm_slli_epi16(v, 3), _mm_srli_epi16(v, 2));
}
SSSE3 static inline __m128i field6(__m128i v, int shift)
{
    v = _mm_and_si128(_mm_srli_epi16(v, shift), _mm_set1_epi16(63));
    return _mm_or_si128(_mm_slli_epi16(v, 2), _mm_srli_epi16(v, 4));
}
SSSE3 static inline __m128i field4(__m128i v, int shift)
{
    v = _mm_and_si128(_mm_srli_epi16(v, shift), _mm_set1_epi16(15));
    return _mm_or_si128(_mm_slli_epi16(v, 4), v);
}
/* a where mask is set, else b */
SSSE3 static inline __m128i choose(__m128i mask, __m128i a, __m128i b)
{
    return _mm_or_si128(_mm_and_si128(mask, a), _mm_andnot_si128(mask, b));
}
/* Store eight texels as two rows of four. Each has 16 bits of red and green, and 16 of blue and
 * alpha. */
SSSE3 static inline void store_two_rows(uint8_t *out, size_t stride, __m128i rg, __m128i ba)
{
    store(out, _mm_unpacklo_epi16(rg, ba));
    store(out + stride, _mm_unpackhi_epi16(rg, ba));
}
/* Join the low and high bytes to 16 bits. */
SSSE3 static inline __m128i pair(__m128i low, __m128i high)
{
    return _mm_or_si128(low, _mm_slli_epi16(high, 8));
}

/* -- Intensity ---------------------------------------------------------- */

/* Store sixteen bytes as two rows of eight gray texels. */
SSSE3 static inline void store_gray(uint8_t *out, size_t stride, __m128i v)
{
    store(out, four_times(v, 0));
    store(out + 16, four_times(v, 4));
    store(out + stride, four_times(v, 8));
    store(out + stride + 16, four_times(v, 12));
}

SSSE3 static void row_i4(const uint8_t *in, size_t count, uint8_t *out, size_t stride,
                         const uint32_t *table)
{
    (void)table;
    for (; count > 0; count--, in += 32, out += 32) {
        for (size_t half = 0; half < 2; half++) {
            __m128i v = load(in + half * 16);
            __m128i left = widen4(high_nibbles(v)), right = widen4(low_nibbles(v));
            uint8_t *to = out + half * 4 * stride;
            store_gray(to, stride, _mm_unpacklo_epi8(left, right));
            store_gray(to + 2 * stride, stride, _mm_unpackhi_epi8(left, right));
        }
    }
}

SSSE3 static void row_i8(const uint8_t *in, size_t count, uint8_t *out, size_t stride,
                         const uint32_t *table)
{
    (void)table;
    for (; count > 0; count--, in += 32, out += 32) {
        store_gray(out, stride, load(in));
        store_gray(out + 2 * stride, stride, load(in + 16));
    }
}

SSSE3 static void row_ia4(const uint8_t *in, size_t count, uint8_t *out, size_t stride,
                          const uint32_t *table)
{
    (void)table;
    const __m128i first = _mm_setr_epi8(0, 0, 0, 1, 2, 2, 2, 3, 4, 4, 4, 5, 6, 6, 6, 7);
    const __m128i second = _mm_add_epi8(first, _mm_set1_epi8(8));
    for (; count > 0; count--, in += 32, out += 32) {
        for (size_t half = 0; half < 2; half++) {
            __m128i v = load(in + half * 16);
            __m128i gray = widen4(low_nibbles(v)), alpha = widen4(high_nibbles(v));
            __m128i top = _mm_unpacklo_epi8(gray, alpha), bottom = _mm_unpackhi_epi8(gray, alpha);
            uint8_t *to = out + half * 2 * stride;
            store(to, _mm_shuffle_epi8(top, first));
            store(to + 16, _mm_shuffle_epi8(top, second));
            store(to + stride, _mm_shuffle_epi8(bottom, first));
            store(to + stride + 16, _mm_shuffle_epi8(bottom, second));
        }
    }
}

SSSE3 static void row_ia8(const uint8_t *in, size_t count, uint8_t *out, size_t stride,
                          const uint32_t *table)
{
    (void)table;
    const __m128i first = _mm_setr_epi8(1, 1, 1, 0, 3, 3, 3, 2, 5, 5, 5, 4, 7, 7, 7, 6);
    const __m128i second = _mm_add_epi8(first, _mm_set1_epi8(8));
    for (; count > 0; count--, in += 32, out += 16) {
        for (size_t half = 0; half < 2; half++) {
            __m128i v = load(in + half * 16);
            store(out + half * 2 * stride, _mm_shuffle_epi8(v, first));
            store(out + (half * 2 + 1) * stride, _mm_shuffle_epi8(v, second));
        }
    }
}

/* -- Colors ------------------------------------------------------------ */

SSSE3 static void row_rgb565(const uint8_t *in, size_t count, uint8_t *out, size_t stride,
                             const uint32_t *table)
{
    (void)table;
    const __m128i opaque = _mm_set1_epi16((short)0xFF00);
    for (; count > 0; count--, in += 32, out += 16) {
        for (size_t half = 0; half < 2; half++) {
            __m128i v = swap16(load(in + half * 16));
            __m128i rg = pair(field5(v, 11), field6(v, 5));
            store_two_rows(out + half * 2 * stride, stride, rg, _mm_or_si128(field5(v, 0), opaque));
        }
    }
}

SSSE3 static void row_rgb5a3(const uint8_t *in, size_t count, uint8_t *out, size_t stride,
                             const uint32_t *table)
{
    (void)table;
    const __m128i opaque = _mm_set1_epi16((short)0xFF00), seven = _mm_set1_epi16(7);
    for (; count > 0; count--, in += 32, out += 16) {
        for (size_t half = 0; half < 2; half++) {
            __m128i v = swap16(load(in + half * 16)), top = _mm_srai_epi16(v, 15);
            __m128i a = _mm_and_si128(_mm_srli_epi16(v, 12), seven);
            a = _mm_or_si128(_mm_or_si128(_mm_slli_epi16(a, 5), _mm_slli_epi16(a, 2)),
                             _mm_srli_epi16(a, 1));
            __m128i rg =
                choose(top, pair(field5(v, 10), field5(v, 5)), pair(field4(v, 8), field4(v, 4)));
            __m128i ba = choose(top, _mm_or_si128(field5(v, 0), opaque), pair(field4(v, 0), a));
            store_two_rows(out + half * 2 * stride, stride, rg, ba);
        }
    }
}

/* Load two blocks: 2 rows of 8 texels. */
AVX2 static inline __m256i load_halves(const uint8_t *in)
{
    return _mm256_inserti128_si256(_mm256_castsi128_si256(load(in)), load(in + 32), 1);
}
AVX2 static inline __m256i swap_bytes(__m256i v)
{
    const __m256i swapped = _mm256_setr_epi8(1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14,
                                             1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14);
    return _mm256_shuffle_epi8(v, swapped);
}
/* Mask v in each 16 bits after a shift to the left, or to the right if `shift` is negative. */
AVX2 static inline __m256i bits_at(__m256i v, int shift, int mask)
{
    v = shift < 0 ? _mm256_srli_epi16(v, -shift) : shift > 0 ? _mm256_slli_epi16(v, shift) : v;
    return _mm256_and_si256(v, _mm256_set1_epi16((short)mask));
}
/* Combine bits of two shifts of v. */
AVX2 static inline __m256i widen(__m256i v, int high, int high_mask, int low, int low_mask)
{
    return _mm256_or_si256(bits_at(v, high, high_mask), bits_at(v, low, low_mask));
}
AVX2 static inline void store_two_wide_rows(uint8_t *out, size_t stride, __m256i rg, __m256i ba)
{
    _mm256_storeu_si256((__m256i *)(void *)out, _mm256_unpacklo_epi16(rg, ba));
    _mm256_storeu_si256((__m256i *)(void *)(out + stride), _mm256_unpackhi_epi16(rg, ba));
}

AVX2 static void row_rgb565_avx2(const uint8_t *in, size_t count, uint8_t *out, size_t stride,
                                 const uint32_t *table)
{
    const __m256i opaque = _mm256_set1_epi16((short)0xFF00);
    for (; count > 1; count -= 2, in += 64, out += 32) {
        for (size_t half = 0; half < 2; half++) {
            __m256i v = swap_bytes(load_halves(in + half * 16));
            __m256i rg =
                _mm256_or_si256(widen(v, -8, 0xF8, -13, 7), widen(v, 5, 0xFC00, -1, 0x300));
            __m256i ba = _mm256_or_si256(widen(v, 3, 0xF8, -2, 7), opaque);
            store_two_wide_rows(out + half * 2 * stride, stride, rg, ba);
        }
    }
    row_rgb565(in, count, out, stride, table);
}

/* Texels with 15 bits, and with 12 bits plus 3 of alpha. They are split into red and blue, and
 * green. Products widen them: 5 bits times 8.25, rounded down; 4 bits times 17. */
AVX2 static inline __m256i high_product(__m256i v, int factor)
{
    return _mm256_mulhi_epu16(v, _mm256_set1_epi16((short)factor));
}
AVX2 static inline __m256i low_product(__m256i v, int factor)
{
    return _mm256_mullo_epi16(v, _mm256_set1_epi16((short)factor));
}
AVX2 static inline void opaque_texels(__m256i v, __m256i *rb, __m256i *g)
{
    __m256i r = high_product(bits_at(v, 0, 0x7C00), 33 << 4);
    __m256i b = low_product(bits_at(v, 0, 0x001F), 33 << 6);
    *rb = _mm256_blendv_epi8(r, b, _mm256_set1_epi16((short)0xFF00));
    *g = high_product(bits_at(v, 0, 0x03E0), 33 << 9);
}
/* `bytes` are the bytes of v in stored order. The lower half of each has one component. */
AVX2 static inline void clear_texels(__m256i bytes, __m256i v, __m256i *rb, __m256i *g)
{
    *rb = low_product(bits_at(bytes, 0, 0x0F0F), 17);
    *g = low_product(bits_at(v, -4, 0x000F), 17);
}
/* The alpha from the upper four bits, in the upper byte. */
AVX2 static inline __m256i alpha_of(__m256i v)
{
    const __m256i table = _mm256_broadcastsi128_si256(_mm_setr_epi8(
        0, 0x24, 0x49, 0x6D, -0x6E, -0x4A, -0x25, -1, -1, -1, -1, -1, -1, -1, -1, -1));
    return _mm256_shuffle_epi8(table, bits_at(v, -4, 0x0F00));
}

AVX2 static void row_rgb5a3_avx2(const uint8_t *in, size_t count, uint8_t *out, size_t stride,
                                 const uint32_t *table)
{
    for (; count > 1; count -= 2, in += 64, out += 32) {
        for (size_t half = 0; half < 2; half++) {
            __m256i bytes = load_halves(in + half * 16), v = swap_bytes(bytes), rb, g;
            __m256i top = _mm256_srai_epi16(v, 15);
            int mask = _mm256_movemask_epi8(top);
            if (mask == -1) { /* most blocks have only one kind */
                opaque_texels(v, &rb, &g);
            } else {
                clear_texels(bytes, v, &rb, &g);
            }
            if (mask != -1 && mask != 0) {
                __m256i opaque_rb, opaque_g;
                opaque_texels(v, &opaque_rb, &opaque_g);
                rb = _mm256_blendv_epi8(rb, opaque_rb, top);
                g = _mm256_blendv_epi8(g, opaque_g, top);
            }
            __m256i ga = _mm256_or_si256(g, alpha_of(v));
            __m256i *to = (__m256i *)(void *)(out + half * 2 * stride);
            _mm256_storeu_si256(to, _mm256_unpacklo_epi8(rb, ga));
            to = (__m256i *)(void *)(out + (half * 2 + 1) * stride);
            _mm256_storeu_si256(to, _mm256_unpackhi_epi8(rb, ga));
        }
    }
    row_rgb5a3(in, count, out, stride, table);
}

/* Load two blocks: rows 0 and 1 of both, then rows 2 and 3 of both. */
AVX512 static inline __m512i load_two_blocks(const uint8_t *in)
{
    const __m512i order = _mm512_setr_epi64(0, 1, 4, 5, 2, 3, 6, 7);
    return _mm512_permutexvar_epi64(order, _mm512_loadu_si512(in));
}
AVX512 static inline __m512i masked(__m512i v, int mask)
{
    return _mm512_and_si512(v, _mm512_set1_epi16((short)mask));
}
AVX512 static inline void store_half(uint8_t *out, __m256i row)
{
    _mm256_storeu_si256((__m256i *)(void *)out, row);
}

/* Compute both kinds of texels, as above, and select by a mask. */
AVX512 static void row_rgb5a3_avx512(const uint8_t *in, size_t count, uint8_t *out, size_t stride,
                                     const uint32_t *table)
{
    const __m512i swapped =
        _mm512_broadcast_i32x4(_mm_setr_epi8(1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14));
    const __m512i alphas = _mm512_broadcast_i32x4(_mm_setr_epi8(
        0, 0x24, 0x49, 0x6D, -0x6E, -0x4A, -0x25, -1, -1, -1, -1, -1, -1, -1, -1, -1));
    const __m512i seventeen = _mm512_set1_epi16(17);
    enum { FIRST_OR_UPPER_OF_SECOND = 0xF8 }; /* a | (b & c) */
    for (; count > 1; count -= 2, in += 64, out += 32) {
        __m512i bytes = load_two_blocks(in), v = _mm512_shuffle_epi8(bytes, swapped);
        __m512i upper = _mm512_srli_epi16(v, 4);
        __mmask32 opaque = _mm512_movepi16_mask(v);
        __m512i r = _mm512_mulhi_epu16(masked(v, 0x7C00), _mm512_set1_epi16(33 << 4));
        __m512i b = _mm512_mullo_epi16(masked(v, 0x001F), _mm512_set1_epi16(33 << 6));
        __m512i rb = _mm512_ternarylogic_epi32(r, b, _mm512_set1_epi16((short)0xFF00),
                                               FIRST_OR_UPPER_OF_SECOND);
        __m512i g = _mm512_mullo_epi16(masked(upper, 0x000F), seventeen);
        rb = _mm512_mask_mullo_epi16(rb, _knot_mask32(opaque), masked(bytes, 0x0F0F), seventeen);
        g = _mm512_mask_mulhi_epu16(g, opaque, masked(v, 0x03E0), _mm512_set1_epi16(33 << 9));
        __m512i a = _mm512_shuffle_epi8(alphas, masked(upper, 0x0F00));
        __m512i ga = _mm512_or_si512(g, a);
        __m512i even = _mm512_unpacklo_epi8(rb, ga), odd = _mm512_unpackhi_epi8(rb, ga);
        store_half(out, _mm512_castsi512_si256(even));
        store_half(out + stride, _mm512_castsi512_si256(odd));
        store_half(out + 2 * stride, _mm512_extracti64x4_epi64(even, 1));
        store_half(out + 3 * stride, _mm512_extracti64x4_epi64(odd, 1));
    }
    row_rgb5a3(in, count, out, stride, table);
}

SSSE3 static void row_rgba32(const uint8_t *in, size_t count, uint8_t *out, size_t stride,
                             const uint32_t *table)
{
    (void)table;
    const __m128i order = _mm_setr_epi8(1, 2, 3, 0, 5, 6, 7, 4, 9, 10, 11, 8, 13, 14, 15, 12);
    for (; count > 0; count--, in += 64, out += 16) {
        for (size_t half = 0; half < 2; half++) {
            __m128i ar = load(in + half * 16), gb = load(in + 32 + half * 16);
            uint8_t *to = out + half * 2 * stride;
            store(to, _mm_shuffle_epi8(_mm_unpacklo_epi16(ar, gb), order));
            store(to + stride, _mm_shuffle_epi8(_mm_unpackhi_epi16(ar, gb), order));
        }
    }
}

/* -- Palettes of 16 ----------------------------------------------------- */

/* Store sixteen texels, two rows of eight, by their indices. */
SSSE3 static inline void store_indexed(uint8_t *out, size_t stride, __m128i index,
                                       const __m128i planes[4])
{
    __m128i r = _mm_shuffle_epi8(planes[0], index), g = _mm_shuffle_epi8(planes[1], index);
    __m128i b = _mm_shuffle_epi8(planes[2], index), a = _mm_shuffle_epi8(planes[3], index);
    __m128i rg = _mm_unpacklo_epi8(r, g), ba = _mm_unpacklo_epi8(b, a);
    store_two_rows(out, 16, rg, ba);
    rg = _mm_unpackhi_epi8(r, g);
    ba = _mm_unpackhi_epi8(b, a);
    store_two_rows(out + stride, 16, rg, ba);
}

SSSE3 static void row_c4(const uint8_t *in, size_t count, uint8_t *out, size_t stride,
                         const uint32_t *table)
{
    uint8_t bytes[4][16];
    __m128i planes[4];
    for (int c = 0; c < 4; c++) {
        for (int i = 0; i < 16; i++)
            bytes[c][i] = (uint8_t)(table[i] >> (c * 8));
        planes[c] = load(bytes[c]);
    }
    for (; count > 0; count--, in += 32, out += 32) {
        for (size_t half = 0; half < 2; half++) {
            __m128i v = load(in + half * 16), left = high_nibbles(v), right = low_nibbles(v);
            uint8_t *to = out + half * 4 * stride;
            store_indexed(to, stride, _mm_unpacklo_epi8(left, right), planes);
            store_indexed(to + 2 * stride, stride, _mm_unpackhi_epi8(left, right), planes);
        }
    }
}

/* -- CMPR --------------------------------------------------------------- */

/* In each 16 bits: (5 a + 3 b) >> 3 where `four` is set, else (a + b) >> 1. */
SSSE3 static inline __m128i mix(__m128i a, __m128i b, __m128i four)
{
    __m128i sum = _mm_add_epi16(a, b), twice = _mm_add_epi16(a, a);
    __m128i eighths = _mm_add_epi16(_mm_add_epi16(sum, sum), _mm_add_epi16(sum, twice));
    return choose(four, _mm_srli_epi16(eighths, 3), _mm_srli_epi16(sum, 1));
}
SSSE3 static inline __m128i swap_pairs(__m128i v)
{
    return _mm_shufflehi_epi16(_mm_shufflelo_epi16(v, 0xB1), 0xB1);
}

/* The four colors of each of the four sub-blocks of a block. */
SSSE3 static inline void block_colors(const uint8_t *in, __m128i colors[4])
{
    const __m128i ends = _mm_setr_epi8(1, 0, 3, 2, 9, 8, 11, 10, -1, -1, -1, -1, -1, -1, -1, -1);
    __m128i v =
        _mm_unpacklo_epi64(_mm_shuffle_epi8(load(in), ends), _mm_shuffle_epi8(load(in + 16), ends));
    __m128i other = swap_pairs(v); /* swap c0 and c1 */
    __m128i three = _mm_cmpeq_epi16(_mm_subs_epu16(v, other), _mm_setzero_si128()); /* c0 <= c1 */
    three = _mm_shufflehi_epi16(_mm_shufflelo_epi16(three, 0xA0), 0xA0);
    __m128i four = _mm_xor_si128(three, _mm_set1_epi16(-1));
    __m128i r = field5(v, 11), g = field6(v, 5), b = field5(v, 0);
    __m128i rg = pair(r, g), ba = _mm_or_si128(b, _mm_set1_epi16((short)0xFF00));
    /* All are opaque, except the second mix of three colors. */
    __m128i alpha = _mm_or_si128(four, _mm_set1_epi32(0x0000FFFF));
    r = mix(r, swap_pairs(r), four);
    g = mix(g, swap_pairs(g), four);
    b = mix(b, swap_pairs(b), four);
    __m128i mixed_rg = pair(r, g);
    __m128i mixed_ba = _mm_or_si128(b, _mm_slli_epi16(alpha, 8));
    __m128i low = _mm_unpacklo_epi16(rg, ba), mixed_low = _mm_unpacklo_epi16(mixed_rg, mixed_ba);
    __m128i high = _mm_unpackhi_epi16(rg, ba), mixed_high = _mm_unpackhi_epi16(mixed_rg, mixed_ba);
    colors[0] = _mm_unpacklo_epi64(low, mixed_low);
    colors[1] = _mm_unpackhi_epi64(low, mixed_low);
    colors[2] = _mm_unpacklo_epi64(high, mixed_high);
    colors[3] = _mm_unpackhi_epi64(high, mixed_high);
}

SSSE3 static void row_cmpr(const uint8_t *in, size_t count, uint8_t *out, size_t stride,
                           const uint32_t *table)
{
    (void)table;
    const __m128i high_bit = _mm_setr_epi32((int)0x80808080u, 0x20202020, 0x08080808, 0x02020202);
    const __m128i low_bit = _mm_setr_epi32(0x40404040, 0x10101010, 0x04040404, 0x01010101);
    const __m128i bytes = _mm_set1_epi32(0x03020100);
    for (; count > 0; count--, in += 32, out += 32) {
        __m128i colors[4];
        block_colors(in, colors);
        for (size_t part = 0; part < 4; part++) {
            uint8_t *to = out + part / 2 * 4 * stride + part % 2 * 16;
            for (size_t y = 0; y < 4; y++) {
                /* The index of a texel times 4 is the offset of its color. */
                __m128i row = _mm_set1_epi8((char)in[part * 8 + 4 + y]);
                __m128i is_high = _mm_cmpeq_epi8(_mm_and_si128(row, high_bit), high_bit);
                __m128i is_low = _mm_cmpeq_epi8(_mm_and_si128(row, low_bit), low_bit);
                __m128i order = _mm_or_si128(_mm_and_si128(is_high, _mm_set1_epi8(8)),
                                             _mm_and_si128(is_low, _mm_set1_epi8(4)));
                store(to + y * stride, _mm_shuffle_epi8(colors[part], _mm_or_si128(order, bytes)));
            }
        }
    }
}

/* Store two neighboring sub-blocks: 4 rows of 8 texels. */
AVX2 static inline void store_sub_blocks(const uint8_t *in, uint8_t *out, size_t stride,
                                         __m128i left, __m128i right)
{
    const __m256i first = _mm256_setr_epi32(6, 4, 2, 0, 6, 4, 2, 0);
    __m256 colors =
        _mm256_castsi256_ps(_mm256_inserti128_si256(_mm256_castsi128_si256(left), right, 1));
    __m256i bits = _mm256_inserti128_si256(
        _mm256_castsi128_si256(_mm_set1_epi32((int)facet_load_u32le(in + 4))),
        _mm_set1_epi32((int)facet_load_u32le(in + 12)), 1);
    for (size_t y = 0; y < 4; y++, out += stride) {
        __m256i index = _mm256_srlv_epi32(bits, first); /* only the lowest two bits are used */
        _mm256_storeu_ps((float *)(void *)out, _mm256_permutevar_ps(colors, index));
        bits = _mm256_srli_epi32(bits, 8);
    }
}

AVX2 static void row_cmpr_avx2(const uint8_t *in, size_t count, uint8_t *out, size_t stride,
                               const uint32_t *table)
{
    (void)table;
    for (; count > 0; count--, in += 32, out += 32) {
        __m128i colors[4];
        block_colors(in, colors);
        store_sub_blocks(in, out, stride, colors[0], colors[1]);
        store_sub_blocks(in + 16, out + 4 * stride, stride, colors[2], colors[3]);
    }
}

/* -- Choice of a decoder ----------------------------------------------- */

facet_gx_instructions facet_gx_processor(void)
{
    if (__builtin_cpu_supports("avx512bw"))
        return FACET_GX_AVX512;
    if (__builtin_cpu_supports("avx2"))
        return FACET_GX_AVX2;
    return __builtin_cpu_supports("ssse3") ? FACET_GX_SSSE3 : FACET_GX_PLAIN;
}

facet_gx_row_decoder *facet_gx_vector_decoder(facet_gx_format format, facet_gx_instructions level)
{
    if (level == FACET_GX_PLAIN)
        return NULL;
    switch (format) {
    case FACET_GX_I4:
        return row_i4;
    case FACET_GX_I8:
        return row_i8;
    case FACET_GX_IA4:
        return row_ia4;
    case FACET_GX_IA8:
        return row_ia8;
    case FACET_GX_RGB565:
        return level >= FACET_GX_AVX2 ? row_rgb565_avx2 : row_rgb565;
    case FACET_GX_RGB5A3:
        return level >= FACET_GX_AVX512 ? row_rgb5a3_avx512
               : level >= FACET_GX_AVX2 ? row_rgb5a3_avx2
                                        : row_rgb5a3;
    case FACET_GX_RGBA32:
        return row_rgba32;
    case FACET_GX_C4:
        return row_c4;
    case FACET_GX_CMPR:
        return level >= FACET_GX_AVX2 ? row_cmpr_avx2 : row_cmpr;
    case FACET_GX_C8: /* a lookup in 1 KiB is as fast one texel at a time */
    case FACET_GX_C14X2:
        break;
    }
    return NULL;
}

#else

facet_gx_instructions facet_gx_processor(void)
{
    return FACET_GX_PLAIN;
}

facet_gx_row_decoder *facet_gx_vector_decoder(facet_gx_format format, facet_gx_instructions level)
{
    (void)format;
    (void)level;
    return NULL;
}

#endif
