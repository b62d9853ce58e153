/* Labels in pictures: positions of the squares of their letters. */
#include "render/label.h"
#include "support/support.h"

#include <string.h>

/* A label starts 4 squares from the corner of its part. A letter is 6 squares wide. Dark squares
 * have a rim of one square. */
TEST(labels_have_the_squares_of_their_letters)
{
    static const char *const rows[7] = {"#####..###.", "..#...#...#", "..#...#...#", "..#...#...#",
                                        "..#...#...#", "..#...#...#", "..#....###."};
    uint8_t pixels[16][40][4];
    facet_image image = {.pixels = pixels, .width = 40, .height = 16, .channels = 4};
    memset(pixels, 0, sizeof pixels);
    facet_render_label(&image, 10, 1, 30, "TO");
    for (int y = 0; y < 7; y++) {
        for (int x = 0; x < 11; x++) {
            const uint8_t *pixel = pixels[1 + 4 + y][10 + 4 + x];
            assert_int_equal(pixel[0] == 40 && pixel[3] == 255, rows[y][x] == '#');
        }
    }
    assert_int_equal(pixels[1 + 3][10 + 4][0], 250); /* the rim */
    assert_int_equal(pixels[1 + 3][10 + 4][3], 255);
    assert_int_equal(pixels[1 + 2][10 + 4][3], 0);
    /* Letters that do not fit are left out. */
    memset(pixels, 0, sizeof pixels);
    facet_render_label(&image, 10, 1, 19, "TO");
    for (size_t i = 0; i < sizeof pixels; i++)
        assert_int_equal(((uint8_t *)pixels)[i], 0);
}
