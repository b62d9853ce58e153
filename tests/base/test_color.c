/* The sRGB curve: literal values by IEC 61966-2-1, and round trips. */
#include "base/color.h"
#include "support/support.h"

#include <math.h>

TEST(srgb_curve_matches_the_standard)
{
    static const struct {
        double encoded, linear;
    } pairs[] = {{0, 0},
                 {0.04045, 0.0031308}, /* the parts of the curve meet here */
                 {0.02, 0.02 / 12.92},
                 {0.5, 0.21404114},
                 {188 / 255.0, 0.50288646},
                 {1, 1}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        assert_true(fabs(facet_srgb_decode(pairs[i].encoded) - pairs[i].linear) < 1e-7);
        assert_true(fabs(facet_srgb_encode(pairs[i].linear) - pairs[i].encoded) < 1e-6);
    }
    assert_int_equal(facet_srgb_byte(0.5), 188);
    assert_int_equal(facet_srgb_byte(-1), 0);
    assert_int_equal(facet_srgb_byte(2), 255);
    assert_int_equal(facet_srgb_byte((double)NAN), 0);
}

/* A byte value becomes the same float again, with a table or without. Alpha is unchanged. */
TEST(byte_colors_survive_the_round_trip)
{
    static float few[4], many[256 * 4];
    float bytes[256];
    facet_srgb_linear_of_bytes(bytes);
    for (int i = 0; i < 256; i++) {
        float value = (float)i / 255;
        for (int c = 0; c < 4; c++)
            many[i * 4 + c] = few[c] = value;
        facet_srgb_decode_colors(few, 1, 4);
        assert_true(few[3] == value && few[0] == bytes[i]);
        assert_int_equal(facet_srgb_byte((double)few[0]), i);
        facet_srgb_encode_colors(few, 1, 4);
        for (int c = 0; c < 4; c++)
            assert_true(few[c] == value);
    }
    facet_srgb_decode_colors(many, 256, 4);
    for (int i = 0; i < 256; i++)
        assert_true(many[i * 4 + 2] == bytes[i]);
    facet_srgb_encode_colors(many, 256, 4);
    for (int i = 0; i < 256; i++)
        assert_true(many[i * 4 + 1] == (float)i / 255 && many[i * 4 + 3] == (float)i / 255);
}

/* Six-digit decimals of an OBJ survive reading and writing, except where a byte value is as near:
 * one in 10,000, by two units in the last place. */
TEST(six_digit_decimals_survive_the_round_trip)
{
    int apart = 0;
    for (int i = 0; i <= 1000000; i++) {
        float value = (float)(i / 1e6), color[3] = {value, value, value};
        facet_srgb_decode_colors(color, 1, 3);
        facet_srgb_encode_colors(color, 1, 3);
        apart += color[0] != value;
        if (fabsf(color[0] - value) > value * 2.5e-7F)
            fail_msg("%.9g becomes %.9g", (double)value, (double)color[0]);
    }
    assert_in_range(apart, 0, 100);
}
