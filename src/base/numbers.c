/* base/numbers.c - reading and writing of numbers: the general cases. */
#include "base/numbers.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

const double facet_powers_of_ten[FACET_POWER_ZERO + 39] = {
    1e-64, 1e-63, 1e-62, 1e-61, 1e-60, 1e-59, 1e-58, 1e-57, 1e-56, 1e-55, 1e-54, 1e-53, 1e-52,
    1e-51, 1e-50, 1e-49, 1e-48, 1e-47, 1e-46, 1e-45, 1e-44, 1e-43, 1e-42, 1e-41, 1e-40, 1e-39,
    1e-38, 1e-37, 1e-36, 1e-35, 1e-34, 1e-33, 1e-32, 1e-31, 1e-30, 1e-29, 1e-28, 1e-27, 1e-26,
    1e-25, 1e-24, 1e-23, 1e-22, 1e-21, 1e-20, 1e-19, 1e-18, 1e-17, 1e-16, 1e-15, 1e-14, 1e-13,
    1e-12, 1e-11, 1e-10, 1e-9,  1e-8,  1e-7,  1e-6,  1e-5,  1e-4,  1e-3,  1e-2,  1e-1,  1e0,
    1e1,   1e2,   1e3,   1e4,   1e5,   1e6,   1e7,   1e8,   1e9,   1e10,  1e11,  1e12,  1e13,
    1e14,  1e15,  1e16,  1e17,  1e18,  1e19,  1e20,  1e21,  1e22,  1e23,  1e24,  1e25,  1e26,
    1e27,  1e28,  1e29,  1e30,  1e31,  1e32,  1e33,  1e34,  1e35,  1e36,  1e37,  1e38,
};

/* -- Exact arithmetic --------------------------------------------------- */

/* Maximum number of significant digits: the midpoint of two floats has at most 113. Further digits
 * are represented by one more digit that is not 0. (For doubles with more digits, the result may be
 * the neighbor of the nearest double.) */
#define MAXIMUM_DIGITS 128
/* Enough for numbers below 10^129 * 10^309, and powers of ten up to 10^453, times 2^30. */
#define LIMBS 50

/* A natural number; the lowest limb is first. */
typedef struct natural {
    uint32_t limbs[LIMBS];
    int count; /* without leading zeros */
} natural;

static void multiply_add(natural *n, uint32_t factor, uint32_t addend)
{
    uint64_t carry = addend;
    for (int i = 0; i < n->count; i++) {
        carry += (uint64_t)n->limbs[i] * factor;
        n->limbs[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry && n->count < LIMBS)
        n->limbs[n->count++] = (uint32_t)carry;
}

static void multiply_power_of_ten(natural *n, int power)
{
    for (; power >= 9; power -= 9)
        multiply_add(n, 1000000000, 0);
    for (; power > 0; power--)
        multiply_add(n, 10, 0);
}

static void shift_left(natural *n, int bits)
{
    for (; bits >= 31; bits -= 31)
        multiply_add(n, UINT32_C(1) << 31, 0);
    multiply_add(n, UINT32_C(1) << bits, 0);
}

static int compare(const natural *a, const natural *b)
{
    if (a->count != b->count)
        return a->count < b->count ? -1 : 1;
    for (int i = a->count; i-- > 0;) {
        if (a->limbs[i] != b->limbs[i])
            return a->limbs[i] < b->limbs[i] ? -1 : 1;
    }
    return 0;
}

/* a -= b, which is not larger. */
static void subtract(natural *a, const natural *b)
{
    uint64_t borrow = 0;
    for (int i = 0; i < a->count; i++) {
        uint64_t limb = (uint64_t)a->limbs[i] - (i < b->count ? b->limbs[i] : 0) - borrow;
        a->limbs[i] = (uint32_t)limb;
        borrow = limb >> 63;
    }
    while (a->count > 0 && a->limbs[a->count - 1] == 0)
        a->count--;
}

static int bit_length(const natural *n)
{
    int bits = 32 * n->count;
    for (uint32_t top = n->count ? n->limbs[n->count - 1] : 0; bits > 0 && !(top >> 31); top <<= 1)
        bits--;
    return bits;
}

/* Parameters of a binary floating-point format. */
typedef struct precision {
    int bits;           /* bits of the mantissa of a normal number */
    int least_exponent; /* minimum exponent of a normal number */
} precision;
static const precision of_floats = {24, -126};
static const precision of_doubles = {53, -1022};

/* Divide to the nearest number, ties to even: long division, one bit at a time, until all bits of
 * the result are known. Subnormal numbers have fewer bits. */
static double divide(natural *numerator, natural *denominator, precision p)
{
    /* Scale so that 1 <= numerator / denominator < 2; the value is that * 2^exponent. */
    int exponent = bit_length(numerator) - bit_length(denominator);
    if (exponent >= 0)
        shift_left(denominator, exponent);
    else
        shift_left(numerator, -exponent);
    if (compare(numerator, denominator) < 0) {
        shift_left(numerator, 1);
        exponent--;
    }
    int bits = exponent >= p.least_exponent ? p.bits : p.bits + exponent - p.least_exponent;
    if (bits < 0)
        return 0;
    uint64_t quotient = 0;
    for (int i = 0; i < bits; i++) {
        quotient <<= 1;
        if (compare(numerator, denominator) >= 0) {
            subtract(numerator, denominator);
            quotient |= 1;
        }
        shift_left(numerator, 1);
    }
    int rest = compare(numerator, denominator); /* decides about the next bit and all after it */
    if (rest > 0 || (rest == 0 && (quotient & 1)))
        quotient++;
    return ldexp((double)quotient, exponent + 1 - bits);
}

static float to_float(double value)
{
    return value > (double)FLT_MAX ? INFINITY : (float)value;
}

/* A number as text, without its sign: its digits from the first that is not 0, and the power of ten
 * of the last. */
typedef struct decimal {
    uint8_t digits[MAXIMUM_DIGITS + 1];
    int count;
    int64_t exponent;
} decimal;

/* Numbers below 10^least become 0, those above 10^most become infinite. */
static double exact_value(const decimal *d, precision p, int least, int most)
{
    if (d->count == 0 || d->exponent + d->count < least)
        return 0;
    if (d->exponent + d->count > most)
        return (double)INFINITY;
    natural numerator = {{0}, 0}, denominator = {{1}, 1};
    for (int i = 0; i < d->count; i++)
        multiply_add(&numerator, 10, d->digits[i]);
    if (d->exponent >= 0)
        multiply_power_of_ten(&numerator, (int)d->exponent);
    else
        multiply_power_of_ten(&denominator, (int)-d->exponent);
    return divide(&numerator, &denominator, p);
}

/* -- Reading ------------------------------------------------------------ */

/* digits * 10^exponent, if double arithmetic decides the rounding; digits < 10^19. */
static bool quick_value(uint64_t digits, int64_t exponent, float *value)
{
    if (exponent < -FACET_POWER_ZERO || exponent > 38)
        return false;
    double result = (double)digits * facet_powers_of_ten[FACET_POWER_ZERO + exponent];
    if (digits != 0 && (result < FLT_MIN * 1.001 || result > FLT_MAX * 0.999))
        return false;
    *value = (float)result;
    return facet_rounds_safely(result);
}

/* Read the digits at `at`; `shift` is added to the exponent for each digit. */
static const uint8_t *take_digits(const uint8_t *at, const uint8_t *end, int shift, decimal *d)
{
    for (; at < end && (uint8_t)(*at - '0') <= 9; at++) {
        uint8_t digit = (uint8_t)(*at - '0');
        if (d->count < MAXIMUM_DIGITS) {
            if (d->count > 0 || digit > 0)
                d->digits[d->count++] = digit;
            d->exponent += shift;
        } else {
            if (d->count == MAXIMUM_DIGITS && digit > 0)
                d->digits[d->count++] = 1; /* its position does not matter */
            d->exponent += shift + 1;
        }
    }
    return at;
}

/* Read the exponent at `at`, if there is one. Larger exponents are treated as 10,000,000. */
static const uint8_t *take_exponent(const uint8_t *at, const uint8_t *end, int64_t *exponent)
{
    const uint8_t *start = at;
    *exponent = 0;
    if (at == end || (*at | 0x20) != 'e')
        return start;
    at++;
    bool negative = at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+'))
        at++;
    if (at == end || (uint8_t)(*at - '0') > 9)
        return start;
    for (; at < end && (uint8_t)(*at - '0') <= 9; at++) {
        if (*exponent < 1000000)
            *exponent = *exponent * 10 + (*at - '0');
    }
    if (negative)
        *exponent = -*exponent;
    return at;
}

/* The first 19 digits as a number, and the number of digits. */
static uint64_t first_digits(const decimal *d, int *count)
{
    uint64_t digits = 0;
    *count = d->count < 19 ? d->count : 19;
    for (int i = 0; i < *count; i++)
        digits = digits * 10 + d->digits[i];
    return digits;
}

static float decimal_value(decimal *d)
{
    /* The digits are closer to the number than a double can distinguish. */
    int count;
    uint64_t digits = first_digits(d, &count);
    float value;
    int places = d->count < MAXIMUM_DIGITS ? d->count : MAXIMUM_DIGITS;
    if (quick_value(digits, d->exponent + places - count, &value))
        return value;
    if (d->count > MAXIMUM_DIGITS)
        d->exponent--; /* the digit that represents the rest */
    return to_float(exact_value(d, of_floats, -46, 40));
}

static double decimal_double(decimal *d)
{
    /* These integers (below 2^53) and powers of ten are exact doubles, so one operation rounds
     * once. */
    int count;
    uint64_t digits = first_digits(d, &count);
    if (d->count == count && digits <= UINT64_C(1) << 53 && d->exponent >= -22 && d->exponent <= 22)
        return d->exponent < 0
                   ? (double)digits / facet_powers_of_ten[FACET_POWER_ZERO - d->exponent]
                   : (double)digits * facet_powers_of_ten[FACET_POWER_ZERO + d->exponent];
    if (d->count > MAXIMUM_DIGITS)
        d->exponent--;
    return exact_value(d, of_doubles, -324, 309);
}

/* Read the number at `at` as written; NULL if it is not a number. */
static const uint8_t *take_decimal(const uint8_t *at, const uint8_t *end, decimal *d,
                                   bool *negative)
{
    *negative = at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+'))
        at++;
    const uint8_t *digits = at;
    at = take_digits(at, end, 0, d);
    bool any = at > digits;
    if (at < end && *at == '.') {
        digits = ++at;
        at = take_digits(at, end, -1, d);
        any |= at > digits;
    }
    if (!any)
        return NULL;
    int64_t exponent;
    at = take_exponent(at, end, &exponent);
    d->exponent += exponent;
    return at;
}

const uint8_t *facet_number_parse(const uint8_t *at, const uint8_t *end, float *value)
{
    decimal d = {{0}, 0, 0};
    bool negative;
    *value = NAN;
    at = take_decimal(at, end, &d, &negative);
    if (!at)
        return NULL;
    float magnitude = decimal_value(&d);
    *value = negative ? -magnitude : magnitude;
    return isfinite(magnitude) ? at : NULL;
}

const uint8_t *facet_number_parse_double(const uint8_t *at, const uint8_t *end, double *value)
{
    decimal d = {{0}, 0, 0};
    bool negative;
    *value = (double)NAN;
    at = take_decimal(at, end, &d, &negative);
    if (!at)
        return NULL;
    double magnitude = decimal_double(&d);
    *value = negative ? -magnitude : magnitude;
    return isfinite(magnitude) ? at : NULL;
}

bool facet_number_parse_nonfinite(const uint8_t *at, const uint8_t *end, double *value)
{
    bool negative = at < end && *at == '-';
    at += at < end && (*at == '-' || *at == '+');
    bool nan = end - at >= 3 && (at[0] | 0x20) == 'n' && (at[1] | 0x20) == 'a';
    bool infinite = end - at >= 3 && (at[0] | 0x20) == 'i' && (at[1] | 0x20) == 'n';
    bool microsoft = end - at >= 4 && at[0] == '1' && at[1] == '.' && at[2] == '#';
    if (!nan && !infinite && !microsoft)
        return false;
    *value = infinite ? negative ? -(double)INFINITY : (double)INFINITY : (double)NAN;
    return true;
}

const uint8_t *facet_number_fast_long(const uint8_t *at, uint32_t sign, float *value)
{
    static const uint32_t scale[9] = {1,      10,      100,      1000,     10000,
                                      100000, 1000000, 10000000, 100000000};
    uint64_t ends = facet_digits_ends(at);
    size_t count = facet_lowest_bit(ends), places = 0;
    if (count - 1 >= 8)
        return NULL;
    uint64_t digits = facet_digits_value(at, count);
    at += count;
    if (*at == '.') {
        places = facet_lowest_bit(ends & (ends - 1)) - count - 1;
        if (places == 0 || places > 16 || count + places > 18)
            return NULL;
        size_t first = places < 8 ? places : 8;
        digits = digits * scale[first] + facet_digits_value(at + 1, first);
        if (places > 8)
            digits = digits * scale[places - 8] + facet_digits_value(at + 9, places - 8);
        at += 1 + places;
    }
    double result = (double)(int64_t)digits * facet_powers_of_ten[FACET_POWER_ZERO - places];
    if (!facet_rounds_safely(result))
        return NULL;
    *value = facet_float_of_bits(facet_bits_of_float((float)result) | sign << 31);
    return at;
}

/* -- Writing ------------------------------------------------------------ */

/* Convert digits * 10^exponent back. */
static float value_of(uint32_t digits, int exponent)
{
    float value;
    if (quick_value(digits, exponent, &value))
        return value;
    natural numerator = {{digits}, 1}, denominator = {{1}, 1};
    multiply_power_of_ten(&numerator, exponent);
    multiply_power_of_ten(&denominator, -exponent);
    return to_float(divide(&numerator, &denominator, of_floats));
}

/* Find the fewest digits that read back as `value`, which is above 0. The value is *digits *
 * 10^(result). Nine digits distinguish any two floats. */
static int shortest(float value, uint32_t *digits)
{
    int binary;
    (void)frexpf(value, &binary);
    int magnitude = (int)floor((binary - 1) * 0.30102999566398120); /* power of ten of the first
                                                                       digit */
    if (magnitude < 38 && (double)value >= facet_powers_of_ten[FACET_POWER_ZERO + magnitude + 1])
        magnitude++;
    int exponent = magnitude;
    for (int count = 1; count <= 9; count++) {
        exponent = magnitude - count + 1;
        /* In two steps, because 10^-exponent may be outside the table. */
        int first = exponent < -38 ? 38 : -exponent;
        double scaled = (double)value * facet_powers_of_ten[FACET_POWER_ZERO + first] *
                        facet_powers_of_ten[FACET_POWER_ZERO - exponent - first];
        *digits = (uint32_t)(scaled + 0.5);
        if (value_of(*digits, exponent) == value)
            break;
    }
    for (; *digits % 10 == 0; *digits /= 10)
        exponent++;
    return exponent;
}

size_t facet_number_print(float value, char text[FACET_NUMBER_LENGTH])
{
    char *out = text;
    if (signbit(value))
        *out++ = '-';
    value = fabsf(value);
    if (!(value > 0)) {
        *out++ = '0';
        return (size_t)(out - text);
    }
    uint32_t rest;
    int exponent = shortest(value, &rest);
    char digits[10];
    int count = 0;
    for (uint32_t r = rest; r > 0; r /= 10)
        count++;
    for (int i = count; i-- > 0; rest /= 10)
        digits[i] = (char)('0' + rest % 10);
    int point = count + exponent; /* number of digits before the point */
    bool scientific = point > 9 || point < -4;
    int shown = scientific ? 1 : point;
    if (shown <= 0) {
        *out++ = '0';
        *out++ = '.';
        for (int i = shown; i < 0; i++)
            *out++ = '0';
    }
    for (int i = 0; i < count || i < shown; i++) {
        if (i == shown && i > 0)
            *out++ = '.';
        *out++ = i < count ? digits[i] : '0';
    }
    if (scientific) {
        int power = point - 1;
        *out++ = 'e';
        if (power < 0)
            *out++ = '-';
        power = power < 0 ? -power : power;
        if (power >= 10)
            *out++ = (char)('0' + power / 10);
        *out++ = (char)('0' + power % 10);
    }
    return (size_t)(out - text);
}

size_t facet_number_print_double(double value, char text[FACET_NUMBER_DOUBLE_LENGTH])
{
    int length = 0;
    for (int digits = 15; digits <= 17; digits++) {
        char printed[FACET_NUMBER_DOUBLE_LENGTH + 8];
        length = 0;
        bool pointed = false;
        snprintf(printed, sizeof printed, "%.*g", digits, value);
        /* The point depends on the locale, and may have several bytes. */
        for (const char *c = printed; *c; c++) {
            bool plain = (*c >= '0' && *c <= '9') || *c == '-' || *c == '+' || *c == 'e';
            if (plain || !pointed)
                text[length++] = plain ? *c : '.';
            pointed |= !plain;
        }
        double again;
        const uint8_t *at = (const uint8_t *)text;
        if (facet_number_parse_double(at, at + length, &again) && again == value)
            break;
    }
    return (size_t)length;
}
