/* base/lanes.h - four indices or numbers of a text at once, with SSE2, which every x86-64 has. A
 * plain version gives the same bits. */
#ifndef FACET_BASE_LANES_H
#define FACET_BASE_LANES_H

#include "base/numbers.h"
#include "base/processor.h"

#include <string.h>

/* -- Ends of words ------------------------------------------------------ */

/* Masks of 64 bytes: one bit per byte that is not a digit, and one per line feed. */
typedef struct facet_window {
    uint64_t others, newlines;
} facet_window;

static FACET_ALWAYS_INLINE facet_window facet_window_of(const uint8_t *at)
{
    facet_window window = {0, 0};
    for (int i = 0; i < 64; i += 16) {
        window.others |= (uint64_t)facet_digits_mask(at + i) << i;
#if defined(FACET_NUMBERS_SSE2)
        __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)(at + i));
        bytes = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\n'));
        window.newlines |= (uint64_t)(uint32_t)_mm_movemask_epi8(bytes) << i;
#endif
    }
#if !defined(FACET_NUMBERS_SSE2)
    for (int i = 0; i < 64; i++)
        window.newlines |= (uint64_t)(at[i] == '\n') << i;
#endif
    window.others = ~window.others;
    return window;
}

/* The `count` digits at `at`, 1 to 8, as the last of eight digits: the form of words below. Reads
 * eight bytes. */
static inline uint64_t facet_digits_word(const uint8_t *at, size_t count)
{
    return facet_load_u64le(at) << ((0 - 8 * count) & 63);
}

/* -- Sequences of words ------------------------------------------------- */

/* A window of 64 bytes of text; the words before `at` are consumed. The end of a word does not
 * depend on values, so the processor works on several words at once. */
typedef struct facet_digit_scanner {
    const uint8_t *text;
    size_t at;       /* position of the byte that ended the last word */
    uint64_t others; /* bits of the bytes after `at` that are not digits */
} facet_digit_scanner;

/* Position of the next byte that is not a digit; there must be one. */
static FACET_ALWAYS_INLINE size_t facet_digit_scanner_next(facet_digit_scanner *w)
{
    size_t other = facet_lowest_bit(w->others);
    w->others &= w->others - 1;
    return other;
}

/* Read the next number, which begins one byte after `at`. It has a point, at most 8 digits and no
 * exponent. */
static FACET_ALWAYS_INLINE bool facet_digit_scanner_number(facet_digit_scanner *w, uint64_t *word,
                                                           double *power)
{
    static const double powers[2][8] = {{1, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7},
                                        {-1, -1e-1, -1e-2, -1e-3, -1e-4, -1e-5, -1e-6, -1e-7}};
    size_t sign = w->text[w->at + 1] == '-', first = w->at + 1 + sign;
    w->others &= w->others - sign; /* the bit of the sign is the lowest */
    size_t point = facet_digit_scanner_next(w);
    if (w->text[point] != '.')
        return false;
    w->at = facet_digit_scanner_next(w);
    size_t count = point - first, places = w->at - point - 1;
    if (count - 1 >= 7 || places - 1 >= 8 - count)
        return false;
    *word = facet_digits_word(w->text + point + 1, places) |
            facet_digits_word(w->text + first, count) >> 8 * places;
    *power = powers[sign][places];
    return true;
}

/* Read the next index, of at most 8 digits, which begins one byte after `at`. */
static FACET_ALWAYS_INLINE bool facet_digit_scanner_index(facet_digit_scanner *w, uint64_t *word)
{
    size_t first = w->at + 1;
    w->at = facet_digit_scanner_next(w);
    *word = facet_digits_word(w->text + first, w->at - first);
    return w->at - first - 1 < 8;
}

/* -- Four at once ------------------------------------------------------- */

#if defined(FACET_NUMBERS_SSE2)

typedef __m128i facet_four; /* four uint32_t */

static inline facet_four facet_four_of(uint32_t value)
{
    return _mm_set1_epi32((int)value);
}

static inline void facet_four_store(uint32_t *to, facet_four a)
{
    _mm_storeu_si128((__m128i *)(void *)to, a);
}

static inline facet_four facet_four_add(facet_four a, facet_four b)
{
    return _mm_add_epi32(a, b);
}

/* a | (b ^ c) */
static inline facet_four facet_four_or_different(facet_four a, facet_four b, facet_four c)
{
    return _mm_or_si128(a, _mm_xor_si128(b, c));
}

static inline facet_four facet_four_max(facet_four a, facet_four b)
{
    const __m128i top = _mm_set1_epi32(INT32_MIN); /* the comparison uses signed numbers */
    __m128i larger = _mm_cmpgt_epi32(_mm_xor_si128(a, top), _mm_xor_si128(b, top));
    return _mm_or_si128(_mm_and_si128(larger, a), _mm_andnot_si128(larger, b));
}

/* Values of four words. */
static FACET_ALWAYS_INLINE facet_four facet_four_digits(const uint64_t words[4])
{
    const __m128i low = _mm_set1_epi8(0x0F), tens = _mm_set1_epi16(2561); /* 10 * 256 + 1 */
    const __m128i hundreds = _mm_set1_epi32(100 + (1 << 16));
    const __m128i thousands = _mm_set1_epi32(10000 + (1 << 16));
    __m128i a = _mm_set_epi64x((int64_t)words[1], (int64_t)words[0]);
    __m128i b = _mm_set_epi64x((int64_t)words[3], (int64_t)words[2]);
    /* Pairs of digits: the high byte of the product is ten times the first plus the second. */
    a = _mm_srli_epi16(_mm_mullo_epi16(_mm_and_si128(a, low), tens), 8);
    b = _mm_srli_epi16(_mm_mullo_epi16(_mm_and_si128(b, low), tens), 8);
    a = _mm_packs_epi32(_mm_madd_epi16(a, hundreds), _mm_madd_epi16(b, hundreds));
    return _mm_madd_epi16(a, thousands);
}

/* Two numbers times two powers of ten; *unsafe gets bits if rounding needs exact arithmetic. */
static FACET_ALWAYS_INLINE __m128 facet_two_scaled(__m128i digits, const double powers[2],
                                                   __m128i *unsafe)
{
    __m128d result = _mm_mul_pd(_mm_cvtepi32_pd(digits), _mm_loadu_pd(powers));
    /* Same test as facet_rounds_safely; the compared values are below 2^29. */
    __m128i rest = _mm_add_epi64(_mm_castpd_si128(result), _mm_set1_epi64x(8 - 0x10000000));
    rest = _mm_and_si128(rest, _mm_set1_epi64x(0x1FFFFFFF));
    *unsafe = _mm_or_si128(*unsafe, _mm_cmplt_epi32(rest, _mm_set_epi32(0, 17, 0, 17)));
    return _mm_cvtpd_ps(result);
}

/* Values of four words times powers of ten, as floats. False if one of them may round to another
 * float than the exact number does. */
static FACET_ALWAYS_INLINE bool facet_four_scale(const uint64_t words[4], const double powers[4],
                                                 float values[4])
{
    __m128i digits = facet_four_digits(words), unsafe = _mm_setzero_si128();
    __m128 a = facet_two_scaled(digits, powers, &unsafe);
    __m128 b = facet_two_scaled(_mm_unpackhi_epi64(digits, digits), powers + 2, &unsafe);
    _mm_storeu_ps(values, _mm_movelh_ps(a, b));
    return _mm_movemask_epi8(unsafe) == 0;
}

#else

typedef struct facet_four {
    uint32_t lanes[4];
} facet_four;

static inline facet_four facet_four_of(uint32_t value)
{
    facet_four four = {{value, value, value, value}};
    return four;
}

static inline void facet_four_store(uint32_t *to, facet_four a)
{
    memcpy(to, a.lanes, sizeof a.lanes);
}

static inline facet_four facet_four_add(facet_four a, facet_four b)
{
    for (int i = 0; i < 4; i++)
        a.lanes[i] += b.lanes[i];
    return a;
}

static inline facet_four facet_four_or_different(facet_four a, facet_four b, facet_four c)
{
    for (int i = 0; i < 4; i++)
        a.lanes[i] |= b.lanes[i] ^ c.lanes[i];
    return a;
}

static inline facet_four facet_four_max(facet_four a, facet_four b)
{
    for (int i = 0; i < 4; i++)
        a.lanes[i] = a.lanes[i] > b.lanes[i] ? a.lanes[i] : b.lanes[i];
    return a;
}

static FACET_ALWAYS_INLINE facet_four facet_four_digits(const uint64_t words[4])
{
    facet_four four;
    for (int i = 0; i < 4; i++)
        four.lanes[i] = facet_digits_sum(words[i]);
    return four;
}

static FACET_ALWAYS_INLINE bool facet_four_scale(const uint64_t words[4], const double powers[4],
                                                 float values[4])
{
    bool safe = true;
    for (int i = 0; i < 4; i++) {
        double result = (double)(int32_t)facet_digits_sum(words[i]) * powers[i];
        safe &= facet_rounds_safely(result);
        values[i] = (float)result;
    }
    return safe;
}

#endif
#endif
