/* render/label.c - text in pictures. Letters have 5 x 7 squares. They are dark with a light rim, to
 * be readable on any background. */
#include "render/label.h"
#include "render/font.h"

#include <string.h>

enum { STEP = FACET_FONT_WIDTH };

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

/* Draw each square of the text, wider by `rim` on all sides. */
static void write_text(const facet_image *image, int64_t left, int64_t top, int64_t scale,
                       const char *text, int64_t rim, uint8_t value)
{
    for (; *text; text++, left += STEP * scale) {
        for (unsigned i = 0; i < FACET_FONT_WIDTH * FACET_FONT_HEIGHT; i++) {
            unsigned x = i % FACET_FONT_WIDTH, y = i / FACET_FONT_WIDTH;
            if (facet_font_has_dot((unsigned char)*text, x, y))
                fill(image, left + x * scale - rim, top + y * scale - rim, scale + 2 * rim, value);
        }
    }
}

void facet_render_label(const facet_image *image, uint32_t x, uint32_t y, uint32_t width,
                        const char *text)
{
    uint32_t scale = width / 256 > 1 ? width / 256 : 1, edge = 4 * scale;
    if (strlen(text) * STEP * scale + 2 * (size_t)edge > width)
        return;
    write_text(image, x + edge, y + edge, scale, text, scale, 250);
    write_text(image, x + edge, y + edge, scale, text, 0, 40);
}
