/* cli/label.c - words in pictures: capitals and digits of 5 by 7 squares, dark with a light rim, to
 * be read on any background. */
#include "cli/label.h"

#include <string.h>

enum { WIDE = 5, HIGH = 7, STEP = 6 };

/* Rows from the top; the highest of five bits is on the left. */
static const struct {
    char letter;
    uint8_t rows[HIGH];
} glyphs[] = {
    {'A', {14, 17, 17, 31, 17, 17, 17}}, {'B', {30, 17, 17, 30, 17, 17, 30}},
    {'C', {14, 17, 16, 16, 16, 17, 14}}, {'D', {30, 17, 17, 17, 17, 17, 30}},
    {'E', {31, 16, 16, 30, 16, 16, 31}}, {'F', {31, 16, 16, 30, 16, 16, 16}},
    {'G', {14, 17, 16, 23, 17, 17, 14}}, {'H', {17, 17, 17, 31, 17, 17, 17}},
    {'I', {14, 4, 4, 4, 4, 4, 14}},      {'K', {17, 18, 20, 24, 20, 18, 17}},
    {'L', {16, 16, 16, 16, 16, 16, 31}}, {'M', {17, 27, 21, 21, 17, 17, 17}},
    {'N', {17, 25, 21, 19, 17, 17, 17}}, {'O', {14, 17, 17, 17, 17, 17, 14}},
    {'P', {30, 17, 17, 30, 16, 16, 16}}, {'R', {30, 17, 17, 30, 20, 18, 17}},
    {'S', {15, 16, 16, 14, 1, 1, 30}},   {'T', {31, 4, 4, 4, 4, 4, 4}},
    {'U', {17, 17, 17, 17, 17, 17, 14}}, {'V', {17, 17, 17, 17, 17, 10, 4}},
    {'X', {17, 17, 10, 4, 10, 17, 17}},  {'Y', {17, 17, 10, 4, 4, 4, 4}},
    {'0', {14, 17, 17, 21, 17, 17, 14}}, {'1', {4, 12, 4, 4, 4, 4, 14}},
    {'2', {14, 17, 1, 6, 8, 16, 31}},    {'3', {30, 1, 1, 14, 1, 1, 30}},
    {'4', {2, 6, 10, 18, 31, 2, 2}},     {'5', {31, 16, 30, 1, 1, 17, 14}},
    {'6', {14, 16, 16, 30, 17, 17, 14}}, {'7', {31, 1, 2, 4, 8, 8, 8}},
    {'8', {14, 17, 17, 14, 17, 17, 14}}, {'9', {14, 17, 17, 15, 1, 1, 14}},
    {',', {0, 0, 0, 0, 12, 4, 8}},
};

static void fill(const facet_image *image, int64_t left, int64_t top, int64_t side, uint8_t value)
{
    uint8_t *pixels = image->pixels;
    for (int64_t y = top; y < top + side; y++) {
        for (int64_t x = left; x < left + side; x++) {
            if (x < 0 || y < 0 || x >= image->width || y >= image->height)
                continue;
            uint8_t *at = pixels + ((size_t)y * image->width + (size_t)x) * image->channels;
            memset(at, value, 3);
            if (image->channels == 4)
                at[3] = 255;
        }
    }
}

/* Each square of the text, wider by `rim` on all sides. */
static void write_text(const facet_image *image, int64_t left, int64_t top, int64_t scale,
                       const char *text, int64_t rim, uint8_t value)
{
    for (; *text; text++, left += STEP * scale) {
        for (size_t g = 0; g < sizeof glyphs / sizeof *glyphs; g++) {
            for (int i = 0; i < WIDE * HIGH && glyphs[g].letter == *text; i++) {
                if (glyphs[g].rows[i / WIDE] >> (WIDE - 1 - i % WIDE) & 1)
                    fill(image, left + i % WIDE * scale - rim, top + i / WIDE * scale - rim,
                         scale + 2 * rim, value);
            }
        }
    }
}

void cli_label(const facet_image *image, uint32_t x, uint32_t y, uint32_t width, const char *text)
{
    uint32_t scale = width / 256 > 1 ? width / 256 : 1, edge = 4 * scale;
    if (strlen(text) * STEP * scale + 2 * (size_t)edge > width)
        return;
    write_text(image, x + edge, y + edge, scale, text, scale, 250);
    write_text(image, x + edge, y + edge, scale, text, 0, 40);
}
