/* Four indices or numbers at once, compared with one at a time. */
#include "support/support.h"

#include "base/lanes.h"

#include <stdio.h>
#include <stdlib.h>

/* A reproducible sequence (splitmix64). */
static uint64_t next_random(uint64_t *state)
{
    uint64_t z = (*state += 0x9E3779B97F4A7C15u);
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

TEST(window_marks_digits_and_newlines)
{
    uint64_t seed = 3;
    uint8_t bytes[64];
    for (int round = 0; round < 2000; round++) {
        for (size_t i = 0; i < sizeof bytes; i++) {
            uint64_t random = next_random(&seed);
            /* All bytes, and many near the digits and the line feed. */
            bytes[i] = (uint8_t)(random & 256   ? random
                                 : random & 512 ? '\n' - 1 + (random >> 16) % 3
                                                : '/' + (random >> 16) % 12);
        }
        facet_window window = facet_window_of(bytes);
        for (size_t i = 0; i < sizeof bytes; i++) {
            assert_int_equal(window.newlines >> i & 1, bytes[i] == '\n');
            assert_int_equal(window.others >> i & 1, bytes[i] < '0' || bytes[i] > '9');
        }
    }
}

TEST(four_integers_match_one_at_a_time)
{
    uint64_t seed = 4, words[4];
    uint32_t expected[4], values[4], before[4] = {0, UINT32_MAX, 0x80000000u, 0x7FFFFFFFu};
    for (int round = 0; round < 20000; round++) {
        for (int i = 0; i < 4; i++) {
            uint64_t random = next_random(&seed);
            char text[16];
            int count = 1 + (int)(random % 8);
            uint32_t limit = 1;
            for (int k = 0; k < count; k++)
                limit *= 10;
            expected[i] = round == 0 ? limit - 1 : (uint32_t)(random >> 8) % limit;
            snprintf(text, sizeof text, "%0*u;;;;;;;", count, expected[i]);
            words[i] = facet_digits_word((const uint8_t *)text, (size_t)count);
        }
        facet_four four = facet_four_digits(words);
        facet_four_store(values, four);
        assert_memory_equal(values, expected, sizeof values);
        for (int i = 0; i < 4; i++) {
            facet_four_store(values, facet_four_max(four, facet_four_of(before[i])));
            for (int k = 0; k < 4; k++)
                assert_int_equal(values[k], expected[k] > before[i] ? expected[k] : before[i]);
        }
        facet_four sum = facet_four_add(four, facet_four_of(UINT32_MAX));
        facet_four_store(values, sum);
        for (int k = 0; k < 4; k++)
            assert_int_equal(values[k], expected[k] - 1);
        facet_four_store(values, facet_four_or_different(facet_four_of(1), four, sum));
        for (int k = 0; k < 4; k++)
            assert_int_equal(values[k], 1 | (expected[k] ^ (expected[k] - 1)));
    }
}

/* Each lane equals strtof, or all four are refused because one is halfway between two floats. Above
 * 2^23 the halfway numbers are the halves. Smaller ones have 25 bits and, for each decimal, a last
 * digit 5: more than 8 digits. */
TEST(four_numbers_match_strtof)
{
    static const double powers[8] = {1, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7};
    uint64_t seed = 5, words[4];
    for (int round = 0; round < 20000; round++) {
        double scales[4];
        float values[4], expected[4];
        bool middle = false;
        for (int i = 0; i < 4; i++) {
            uint64_t random = next_random(&seed);
            char text[32], digits[16];
            int places = 1 + (int)(random % 7);
            uint32_t value = (uint32_t)(random >> 8) % (random & 64 ? 100000000 : 1000);
            snprintf(digits, sizeof digits, "%08u", value);
            snprintf(text, sizeof text, "%s%.*s.%s", random & 128 ? "-" : "", 8 - places, digits,
                     digits + 8 - places);
            words[i] = facet_digits_word((const uint8_t *)digits, 8);
            scales[i] = random & 128 ? -powers[places] : powers[places];
            expected[i] = strtof(text, NULL);
            middle |= places == 1 && value > 83886080 && value % 10 == 5;
        }
        assert_int_equal(facet_four_scale(words, scales, values), !middle);
        if (!middle)
            assert_memory_equal(values, expected, sizeof values);
    }
    static const char half[] = "83886085", above[] = "83886086";
    for (int lane = 0; lane < 4; lane++) {
        double scales[4] = {0.1, 0.1, 0.1, 0.1};
        float values[4];
        for (int i = 0; i < 4; i++)
            words[i] = facet_digits_word((const uint8_t *)above, 8);
        assert_true(facet_four_scale(words, scales, values));
        assert_true(values[lane] == 8388609.0f);
        words[lane] = facet_digits_word((const uint8_t *)half, 8); /* 8388608.5 */
        assert_false(facet_four_scale(words, scales, values));
        scales[lane] = -0.1;
        assert_false(facet_four_scale(words, scales, values));
    }
}

/* The words of a line in order. Plain numbers equal strtof, others are refused, and indices end at
 * the right byte. */
TEST(words_of_a_line_match_strtof)
{
    static const struct {
        const char *text;
        bool plain;
    } numbers[] = {{"1.5", true},         {"-12.345678", true},  {"0.1234567", true},
                   {"1234567.8", true},   {"-0.0", true},        {"12345678", false},
                   {"12345678.9", false}, {"0.12345678", false}, {".5", false},
                   {"5.", false},         {"-", false},          {"1.2.3", true}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        uint8_t line[96];
        memset(line, ' ', sizeof line);
        memcpy(line + 1, numbers[i].text, strlen(numbers[i].text));
        facet_digit_scanner w = {line, 0, facet_window_of(line).others & ~UINT64_C(1)};
        uint64_t words[4] = {0};
        double powers[4] = {0};
        float values[4];
        assert_int_equal(facet_digit_scanner_number(&w, &words[0], &powers[0]), numbers[i].plain);
        if (!numbers[i].plain)
            continue;
        char *end;
        float expected = strtof(numbers[i].text, &end);
        assert_int_equal(w.at, 1 + (end - numbers[i].text));
        assert_true(facet_four_scale(words, powers, values));
        assert_memory_equal(&values[0], &expected, sizeof expected);
    }
    uint8_t line[96];
    memset(line, ' ', sizeof line);
    memcpy(line, " 12345678/9 123456789", 21);
    facet_digit_scanner w = {line, 0, facet_window_of(line).others & ~UINT64_C(1)};
    uint64_t words[4] = {0};
    uint32_t values[4];
    assert_true(facet_digit_scanner_index(&w, &words[0]));
    assert_int_equal(w.at, 9);
    assert_true(facet_digit_scanner_index(&w, &words[1]));
    assert_int_equal(w.at, 11);
    facet_four_store(values, facet_four_digits(words));
    assert_int_equal(values[0], 12345678);
    assert_int_equal(values[1], 9);
    assert_false(facet_digit_scanner_index(&w, &words[2]));
}
