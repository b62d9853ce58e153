/* Pixels of the overlay. */
#include "render/font.h"
#include "support/support.h"
#include "view/canvas.h"

#include <math.h>

enum { WIDTH = 40, HEIGHT = 30 };

static unsigned count_of(const uint8_t *pixels, uint8_t red)
{
    unsigned count = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        count += pixels[i * 4] == red;
    return count;
}

/* 40 x 30 from -5, -5 leaves 35 x 25 on the canvas. 50 % over black is (200 * 128 + 127) / 255. */
TEST(canvas_clips_and_blends)
{
    uint8_t pixels[WIDTH * HEIGHT * 4] = {0};
    const facet_canvas canvas = {pixels, WIDTH, HEIGHT, 1};
    facet_canvas_fill(&canvas, -5, -5, WIDTH, HEIGHT, 0xFF0000FF);
    assert_int_equal(count_of(pixels, 255), 35 * 25);
    facet_canvas_fill(&canvas, 36, 26, 100, 100, 0xC8000080);
    assert_int_equal(count_of(pixels, 100), 4 * 4);
    facet_canvas_fill(&canvas, 50, 50, 10, 10, 0xFFFFFFFF);
    facet_canvas_fill(&canvas, 5, 5, -3, 10, 0xFFFFFFFF);
    facet_canvas_fill(&canvas, INT32_MAX - 5, 0, 100, 100, 0xFFFFFFFF);
    assert_int_equal(count_of(pixels, 255), 35 * 25);
}

TEST(canvas_clips_lines)
{
    uint8_t pixels[WIDTH * HEIGHT * 4] = {0};
    const facet_canvas canvas = {pixels, WIDTH, HEIGHT, 1};
    facet_canvas_line(&canvas, -1e9, 10.5, 1e9, 10.5, 1, 0xFF0000FF);
    assert_int_equal(count_of(pixels, 255), WIDTH);
    facet_canvas_line(&canvas, 0, -20, WIDTH, -20, 1, 0xFF0000FF);
    facet_canvas_line(&canvas, 0, (double)NAN, WIDTH, 5, 1, 0xFF0000FF);
    assert_int_equal(count_of(pixels, 255), WIDTH);
}

/* A vertical bar is 7 dots high. At twice the size each dot has 4 pixels. */
TEST(canvas_writes_text)
{
    uint8_t pixels[WIDTH * HEIGHT * 4] = {0};
    facet_canvas canvas = {pixels, WIDTH, HEIGHT, 1};
    assert_int_equal(facet_canvas_text(&canvas, 1, 1, 0, 0xFF0000FF, "||"), 2);
    assert_int_equal(count_of(pixels, 255), 14);
    memset(pixels, 0, sizeof pixels);
    canvas.scale = 2;
    assert_int_equal(facet_canvas_text(&canvas, 1, 1, 1, 0xFF0000FF, "||"), 1);
    assert_int_equal(count_of(pixels, 255), 7 * 4);
    /* A non-ASCII character is one box, for any number of bytes; so is an invalid byte. */
    memset(pixels, 0, sizeof pixels);
    canvas.scale = 1;
    assert_int_equal(facet_canvas_text(&canvas, 0, 0, 0, 0xFF0000FF, "\xE3\x81\x82\xFF"), 2);
    assert_int_equal(count_of(pixels, 255), 2 * 20);
}

/* Each character differs from all others. */
TEST(font_letters_differ)
{
    for (unsigned a = 32; a <= 127; a++) {
        for (unsigned b = 32; b < a; b++) {
            bool same = true;
            for (unsigned i = 0; i < FACET_FONT_WIDTH * FACET_FONT_HEIGHT; i++)
                same &= facet_font_has_dot(a, i % FACET_FONT_WIDTH, i / FACET_FONT_WIDTH) ==
                        facet_font_has_dot(b, i % FACET_FONT_WIDTH, i / FACET_FONT_WIDTH);
            assert_false(same);
        }
        /* The last column is the space before the next character. */
        for (unsigned y = 0; y < FACET_FONT_HEIGHT; y++)
            assert_false(facet_font_has_dot(a, FACET_FONT_WIDTH - 1, y));
    }
}

/* Two texels to 4 x 2 pixels; the left half is outside of the canvas. */
TEST(canvas_stretches_pictures)
{
    static const uint8_t texels[8] = {255, 0, 0, 255, 0, 255, 0, 128};
    uint8_t pixels[WIDTH * HEIGHT * 4] = {0};
    const facet_canvas canvas = {pixels, WIDTH, HEIGHT, 1};
    facet_canvas_picture(&canvas, -1, 0, 4, 2, texels, 2, 1);
    assert_int_equal(pixels[0], 255);
    assert_int_equal(pixels[4], 0);
    assert_int_equal(pixels[5], 128);
    assert_int_equal(pixels[9], 128);
    assert_int_equal(pixels[13], 0);
}
