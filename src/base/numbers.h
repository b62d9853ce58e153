/* base/numbers.h - conversion of decimal text to the nearest float and back, in any locale.
 *
 * For reading, the digits become an integer, which is multiplied by a power of ten in double. The
 * error is at most a few units in the last of its 53 bits, so it usually rounds to the right float
 * (24 bits). Exceptions are results near the midpoint between two floats, or outside the range of
 * normal floats. Only then, exact integer arithmetic decides. */
#ifndef FACET_BASE_NUMBERS_H
#define FACET_BASE_NUMBERS_H

#include "base/bytes.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
/* Define FACET_NUMBERS_PLAIN to disable vector instructions. */
#if defined(__SSE2__) && !defined(FACET_NUMBERS_PLAIN)
#define FACET_NUMBERS_SSE2 1
#include <emmintrin.h>
#endif

/* Powers of ten: 10^(index - FACET_POWER_ZERO), for -FACET_POWER_ZERO to +38. */
#define FACET_POWER_ZERO 64
extern const double facet_powers_of_ten[FACET_POWER_ZERO + 39];

/* True if `value`, with an error of at most 8 units in its last place, rounds to the same float as
 * the exact value. For 0 and the range of normal floats. */
static inline bool facet_rounds_safely(double value)
{
    uint64_t bits = facet_bits_of_double(value);
    return ((bits - 0x10000000u + 8) & 0x1FFFFFFF) > 16;
}

/* Parse the number at `at`, which ends before `end`: a sign, digits with or without a point, an
 * exponent. Returns the first byte after it, or NULL on failure. On failure *value is infinite if
 * the number is too large for a float, and NaN if the text is not a number. The value is rounded to
 * nearest, ties to even. */
const uint8_t *facet_number_parse(const uint8_t *at, const uint8_t *end, float *value);

/* Like facet_number_parse, for a double. */
const uint8_t *facet_number_parse_double(const uint8_t *at, const uint8_t *end, double *value);

/* Parse a word that is NaN or infinite as programs write it: nan, -nan(ind), inf, 1.#QNAN. */
bool facet_number_parse_nonfinite(const uint8_t *at, const uint8_t *end, double *value);

/* Longest text of a float: "-1.17549435e-38". */
#define FACET_NUMBER_LENGTH 16

/* Write the shortest decimal number that reads back as exactly this float, without a NUL. Returns
 * its length. The value must be finite. */
size_t facet_number_print(float value, char text[FACET_NUMBER_LENGTH]);

/* Like facet_number_print, for a double, in 15 to 17 digits: "-2.2250738585072014e-308". */
#define FACET_NUMBER_DOUBLE_LENGTH 26
size_t facet_number_print_double(double value, char text[FACET_NUMBER_DOUBLE_LENGTH]);

/* -- Many digits at once ------------------------------------------------ */

/* Bit i is set if at[i] is a digit, for i below 16. */
static inline uint32_t facet_digits_mask(const uint8_t *at)
{
#if defined(FACET_NUMBERS_SSE2)
    const __m128i offset = _mm_set1_epi8((char)(0x80 - '0')), ten = _mm_set1_epi8(-128 + 10);
    __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)at);
    return (uint32_t)_mm_movemask_epi8(_mm_cmpgt_epi8(ten, _mm_add_epi8(bytes, offset)));
#else
    uint32_t mask = 0;
    for (int i = 0; i < 16; i += 8) {
        uint64_t digits = facet_load_u64le(at + i) ^ 0x3030303030303030u;
        uint64_t others = ((digits & 0x7F7F7F7F7F7F7F7Fu) + 0x7676767676767676u) | digits;
        /* Gather the high bit of each byte in the top byte. */
        others = (~others >> 7 & 0x0101010101010101u) * 0x0102040810204080u;
        mask |= (uint32_t)(others >> 56) << i;
    }
    return mask;
#endif
}

/* Mask of the ends of digits: bit i is set if at[i] is not a digit. Bits from 32 on are set. */
static inline uint64_t facet_digits_ends(const uint8_t *at)
{
    return ~(uint64_t)(facet_digits_mask(at) | facet_digits_mask(at + 16) << 16);
}

/* Index of the lowest set bit; at least one must be set. */
static inline size_t facet_lowest_bit(uint64_t bits)
{
#if defined(__GNUC__)
    return (size_t)__builtin_ctzll(bits);
#else
    size_t first = 0;
    while (!(bits >> first & 1))
        first++;
    return first;
#endif
}

/* Value of eight digits, the first in the lowest byte; bytes of 0 count as the digit 0. Digits are
 * summed in pairs, fours and eights. */
static inline uint32_t facet_digits_sum(uint64_t digits)
{
    digits &= 0x0F0F0F0F0F0F0F0Fu;
    digits = digits * 10 + (digits >> 8);
    uint64_t low = (digits & 0x000000FF000000FFu) * (100 + (UINT64_C(1000000) << 32));
    uint64_t high = (digits >> 16 & 0x000000FF000000FFu) * (1 + (UINT64_C(10000) << 32));
    return (uint32_t)((low + high) >> 32);
}

/* Value of the `count` digits at `at`, 1 to 8. Reads eight bytes. */
static inline uint32_t facet_digits_value(const uint8_t *at, size_t count)
{
    return facet_digits_sum(facet_load_u64le(at) << ((0 - 8 * count) & 63));
}

/* Number of bytes from `at` that facet_number_fast may read. */
#define FACET_NUMBER_REACH 48

/* Like facet_number_fast, after the sign, for numbers of more than 8 digits. */
const uint8_t *facet_number_fast_long(const uint8_t *at, uint32_t sign, float *value);

/* Parse the form that nearly all files use, such as -123.456789: at most 8 digits before the point,
 * 16 after it and 18 in total, without exponent. FACET_NUMBER_REACH bytes must be readable at `at`.
 * Returns the first byte after the number, or NULL if it needs facet_number_parse. A number with an
 * exponent also needs that; the caller must detect it. */
static inline const uint8_t *facet_number_fast(const uint8_t *at, float *value)
{
    uint32_t sign = *at == '-';
    at += sign;
    uint64_t ends = ~(uint64_t)facet_digits_mask(at);
    size_t count = facet_lowest_bit(ends);
    size_t places = facet_lowest_bit(ends & (ends - 1)) - count - 1;
    if (count - 1 >= 7 || at[count] != '.' || places - 1 >= 8 - count)
        return facet_number_fast_long(at, sign, value);
    /* Integer part and fraction together: one number of at most 8 digits. */
    const uint8_t *fraction = at + count + 1;
    uint64_t joined = facet_load_u64le(fraction) << ((0 - 8 * places) & 63);
    joined |= facet_load_u64le(at) << ((0 - 8 * count) & 63) >> 8 * places;
    uint32_t digits = facet_digits_sum(joined);
    double result = (double)(int32_t)digits * facet_powers_of_ten[FACET_POWER_ZERO - places];
    if (!facet_rounds_safely(result))
        return NULL;
    *value = facet_float_of_bits(facet_bits_of_float((float)result) | sign << 31);
    return fraction + places;
}

#endif
