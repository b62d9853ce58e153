/* Numbers: text to the nearest float and back, compared with the C library in the C locale. */
#include "base/numbers.h"
#include "support/support.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const uint8_t *parse(const char *text, float *value)
{
    size_t length = strlen(text);
    /* The exact size, so that a read past the end is detected. */
    uint8_t *copy = malloc(length ? length : 1);
    assert_non_null(copy);
    memcpy(copy, text, length);
    const uint8_t *end = facet_number_parse(copy, copy + length, value);
    const uint8_t *result = end ? (const uint8_t *)text + (end - copy) : NULL;
    free(copy);
    return result;
}

static void expect_bits(const char *text, uint32_t bits)
{
    float value;
    const uint8_t *end = parse(text, &value);
    if (!end || *end || facet_bits_of_float(value) != bits)
        fail_msg("'%s' is read as %08" PRIX32 ", expected %08" PRIX32, text,
                 facet_bits_of_float(value), bits);
    uint8_t padded[FACET_NUMBER_REACH * 4] = {0};
    if (strlen(text) >= sizeof padded - FACET_NUMBER_REACH)
        return;
    memcpy(padded, text, strlen(text));
    end = facet_number_fast(padded, &value);
    if (end && (*end | 0x20) != 'e' && (*end || facet_bits_of_float(value) != bits))
        fail_msg("'%s' is read as %08" PRIX32 " the quick way, expected %08" PRIX32, text,
                 facet_bits_of_float(value), bits);
}

static void expect_strtof(const char *text)
{
    expect_bits(text, facet_bits_of_float(strtof(text, NULL)));
}

TEST(every_spelling_matches_strtof)
{
    static const char *const texts[] = {"0",       "-0",       "+0",
                                        "1",       "+1",       "-1",
                                        "5.",      ".5",       "-.5",
                                        "+.5",     "1e5",      "1E5",
                                        "1e+5",    "1e-5",     "1.5e2",
                                        ".5e1",    "5.e1",     "000012",
                                        "0.00000", "00.500",   "1e0",
                                        "1e00005", "0e99999",  "12345678",
                                        "1e-99",   "1e-50",    "123456789012345678901234567890",
                                        "0.1",     "-0.000001"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        expect_strtof(texts[i]);
}

TEST(halfway_values_round_to_even)
{
    expect_bits("1", 0x3F800000);
    expect_bits("-2.5", 0xC0200000);
    /* Halfway between 2^24 and the next float, 2^24 + 2: round to even, which is down... */
    expect_bits("16777217", 0x4B800000);
    /* ... up if anything follows, and at the next halfway point (the even number is above). */
    expect_bits("16777217.0000000000000000000000000000000000000000000000000001", 0x4B800001);
    expect_bits("16777219", 0x4B800002);
    /* FLT_MAX, the largest number that rounds to it, the smallest subnormal and its half. */
    expect_bits("340282346638528859811704183484516925440", 0x7F7FFFFF);
    expect_bits("3.4028235677973366e38", 0x7F7FFFFF);
    expect_bits("1.40129846432481707e-45", 1);
    expect_bits("7.0064923216240853546186479164495806564013097093825788587853e-46", 0);
    expect_bits("7.0064923216240853546186479164495806564013097093825788587854e-46", 1);
    /* Largest subnormal, smallest normal. */
    expect_bits("1.17549421069244107548702944484928734882705242874589333385717e-38", 0x007FFFFF);
    expect_bits("1.17549435082228750796873653722224567781866555677208752150875e-38", 0x00800000);
}

TEST(invalid_numbers_are_refused)
{
    static const char *const bad[] = {"",    "-",   "+", ".",   "-.", "e5",
                                      "nan", "inf", "x", "--1", " 1"};
    float value;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_null(parse(bad[i], &value));
        assert_true(isnan(value));
    }
    static const char *const large[] = {"1e39", "-1e39", "3.4028235677973367e38", "1e999999999999"};
    for (size_t i = 0; i < sizeof large / sizeof *large; i++) {
        assert_null(parse(large[i], &value));
        assert_true(isinf(value));
    }
    /* Text after a number is not consumed. */
    assert_string_equal((const char *)parse("1e", &value), "e");
    assert_string_equal((const char *)parse("1e+", &value), "e+");
    assert_string_equal((const char *)parse("1.5.5", &value), ".5");
    assert_string_equal((const char *)parse("3.1+e2", &value), "+e2");
    assert_string_equal((const char *)parse("1.#INF", &value), "#INF");
}

/* Floats with reproducible random bits (splitmix64). */
static uint64_t next_random(uint64_t *state)
{
    uint64_t z = (*state += 0x9E3779B97F4A7C15u);
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

TEST(random_texts_match_strtof)
{
    uint64_t seed = 1;
    char text[128];
    for (int i = 0; i < 40000; i++) {
        float value = facet_float_of_bits((uint32_t)next_random(&seed));
        if (!isfinite(value))
            continue;
        int digits = (int)(next_random(&seed) % 20);
        snprintf(text, sizeof text, "%.*e", digits, (double)value);
        if (isfinite(strtof(text, NULL)))
            expect_strtof(text);
        double small = (double)(int64_t)next_random(&seed) / 4e17;
        snprintf(text, sizeof text, "%.*f", digits, small);
        expect_strtof(text);
        /* Halfway numbers between floats, exactly and with one digit more or less. */
        double middle = (double)value + ((double)nextafterf(value, INFINITY) - (double)value) / 2;
        snprintf(text, sizeof text, "%.120e", middle);
        if (isfinite((float)middle))
            expect_strtof(text);
        snprintf(text, sizeof text, "%.17e", middle);
        if (isfinite(strtof(text, NULL)))
            expect_strtof(text);
    }
}

static void expect_shortest(float value)
{
    char text[FACET_NUMBER_LENGTH + 1], printed[64];
    size_t length = facet_number_print(value, text);
    assert_true(length <= FACET_NUMBER_LENGTH);
    text[length] = '\0';
    if (facet_bits_of_float(strtof(text, NULL)) != facet_bits_of_float(value))
        fail_msg("%a is written as %s", (double)value, text);
    /* Minimal length: count digits and compare with the C library's minimum. */
    int digits = 0, zeros = 0;
    for (size_t i = 0; i < length && text[i] != 'e'; i++) {
        if (text[i] >= '0' && text[i] <= '9' && (digits > 0 || text[i] != '0')) {
            digits++;
            zeros = text[i] == '0' ? zeros + 1 : 0;
        }
    }
    digits -= zeros;
    for (int fewer = 0; fewer < digits - 1; fewer++) {
        snprintf(printed, sizeof printed, "%.*e", fewer, (double)value);
        if (strtof(printed, NULL) == value && value != 0)
            fail_msg("%s could be written as %s", text, printed);
    }
}

TEST(printed_floats_are_shortest)
{
    static const struct {
        float value;
        const char *text;
    } by_hand[] = {{0.0f, "0"},
                   {-0.0f, "-0"},
                   {1.0f, "1"},
                   {-2.5f, "-2.5"},
                   {0.1f, "0.1"},
                   {100.0f, "100"},
                   {123456.0f, "123456"},
                   {1e9f, "1e9"},
                   {1e8f, "100000000"},
                   {0.00001f, "0.00001"},
                   {1e-6f, "1e-6"},
                   {FLT_MAX, "3.4028235e38"},
                   {FLT_MIN, "1.1754944e-38"},
                   {-1.5e-20f, "-1.5e-20"},
                   {0.5f, "0.5"}};
    for (size_t i = 0; i < sizeof by_hand / sizeof *by_hand; i++) {
        char text[FACET_NUMBER_LENGTH + 1];
        text[facet_number_print(by_hand[i].value, text)] = '\0';
        assert_string_equal(text, by_hand[i].text);
    }
    uint64_t seed = 2;
    for (int i = 0; i < 40000; i++) {
        float value = facet_float_of_bits((uint32_t)next_random(&seed));
        if (isfinite(value))
            expect_shortest(value);
        expect_shortest((float)((double)(int64_t)next_random(&seed) / 1e17));
        expect_shortest((float)(next_random(&seed) % 1000000) / 1000);
    }
    for (uint32_t bits = 1; bits < 0x01000000; bits = bits * 3 + 1)
        expect_shortest(facet_float_of_bits(bits));
}

/* -- Doubles ------------------------------------------------------------ */

static void expect_strtod(const char *text)
{
    double value = 0, expected = strtod(text, NULL);
    size_t length = strlen(text);
    const uint8_t *at = (const uint8_t *)text;
    if (facet_number_parse_double(at, at + length, &value) != at + length ||
        facet_bits_of_double(value) != facet_bits_of_double(expected))
        fail_msg("'%s' is read as %.17g, expected %.17g", text, value, expected);
}

/* Compared with the C library: decimals of every length and size, ties, the ends of the range.
 * Printed numbers read back unchanged. */
TEST(doubles_match_strtod)
{
    static const char *const texts[] = {"0",
                                        "-0.0",
                                        "0.1",
                                        "1e22",
                                        "1e23",
                                        "9007199254740993",
                                        "9007199254740992.5",
                                        "2.2250738585072011e-308",
                                        "4.9406564584124654e-324",
                                        "2.4e-324",
                                        "1.7976931348623157e308",
                                        "123456789012345678901234567890e-20",
                                        "0.500000000000000166533453693773481063544750213623046875"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        expect_strtod(texts[i]);
    uint64_t random = 88172645463325252u;
    for (int i = 0; i < 20000; i++) {
        char text[64];
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        double value = facet_double_of_bits(random);
        if (!isfinite(value))
            continue;
        snprintf(text, sizeof text, "%.*e", (int)(random % 25), value);
        if (isfinite(strtod(text, NULL)))
            expect_strtod(text);
        double again;
        size_t length = facet_number_print_double(value, text);
        assert_true(length <= FACET_NUMBER_DOUBLE_LENGTH);
        assert_non_null(
            facet_number_parse_double((uint8_t *)text, (uint8_t *)text + length, &again));
        assert_true(again == value);
    }
    static const uint8_t large[] = "1e309";
    double value;
    assert_null(facet_number_parse_double(large, large + 5, &value));
}
