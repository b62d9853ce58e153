/* view/canvas.c - drawing into a buffer of pixels. */
#include "view/canvas.h"
#include "render/font.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static void blend(uint8_t *pixel, facet_color color)
{
    unsigned alpha = color & 255;
    for (int c = 0; c < 3; c++) {
        unsigned over = color >> (24 - 8 * c) & 255;
        pixel[c] = (uint8_t)((over * alpha + pixel[c] * (255 - alpha) + 127) / 255);
    }
    pixel[3] = 255;
}

/* Clip a range to the canvas. */
static void clip(int *begin, int *length, int most)
{
    int64_t end = (int64_t)*begin + *length;
    int low = *begin > 0 ? *begin : 0;
    int high = end < most ? (int)end : most;
    *begin = low;
    *length = high > low ? high - low : 0;
}

void facet_canvas_fill(const facet_canvas *canvas, int x, int y, int width, int height,
                       facet_color color)
{
    clip(&x, &width, canvas->width);
    clip(&y, &height, canvas->height);
    for (int j = 0; j < height; j++) {
        uint8_t *row = canvas->pixels + ((size_t)(y + j) * canvas->width + x) * 4;
        for (int i = 0; i < width; i++)
            blend(row + (size_t)i * 4, color);
    }
}

/* -- Lines -------------------------------------------------------------- */

/* Clip a line at one side: keep the part where `place` times `sign` is above `limit`. */
static int cut(double *a, double *b, double *other_a, double *other_b, double limit, double sign)
{
    double da = (*a - limit) * sign, db = (*b - limit) * sign;
    if (da < 0 && db < 0)
        return 0;
    if (da < 0 || db < 0) {
        double t = da / (da - db);
        double at = *a + (*b - *a) * t, other = *other_a + (*other_b - *other_a) * t;
        double *cut_at = da < 0 ? a : b, *cut_other = da < 0 ? other_a : other_b;
        *cut_at = at;
        *cut_other = other;
    }
    return 1;
}

void facet_canvas_line(const facet_canvas *canvas, double x0, double y0, double x1, double y1,
                       int dots, facet_color color)
{
    if (!isfinite(x0) || !isfinite(y0) || !isfinite(x1) || !isfinite(y1) ||
        !cut(&x0, &x1, &y0, &y1, -dots, 1) || !cut(&x0, &x1, &y0, &y1, canvas->width + dots, -1) ||
        !cut(&y0, &y1, &x0, &x1, -dots, 1) || !cut(&y0, &y1, &x0, &x1, canvas->height + dots, -1))
        return;
    double longest = fmax(fabs(x1 - x0), fabs(y1 - y0));
    int steps = (int)longest + 1;
    for (int i = 0; i <= steps; i++) {
        double t = (double)i / steps;
        facet_canvas_fill(canvas, (int)floor(x0 + (x1 - x0) * t) - dots / 2,
                          (int)floor(y0 + (y1 - y0) * t) - dots / 2, dots, dots, color);
    }
}

/* -- Text --------------------------------------------------------------- */

int facet_canvas_letter_width(const facet_canvas *canvas)
{
    return FACET_FONT_WIDTH * canvas->scale;
}

int facet_canvas_line_height(const facet_canvas *canvas)
{
    return (FACET_FONT_HEIGHT + 2) * canvas->scale;
}

static void draw_letter(const facet_canvas *canvas, int x, int y, facet_color color,
                        unsigned letter)
{
    for (unsigned j = 0; j < FACET_FONT_HEIGHT; j++) {
        for (unsigned i = 0; i < FACET_FONT_WIDTH; i++) {
            if (facet_font_has_dot(letter, i, j))
                facet_canvas_fill(canvas, x + (int)i * canvas->scale, y + (int)j * canvas->scale,
                                  canvas->scale, canvas->scale, color);
        }
    }
}

/* An ASCII letter, or 0 for the first byte of other characters; their later bytes are skipped. */
static unsigned next_letter(const char **text)
{
    unsigned char first = (unsigned char)*(*text)++;
    if (first < 0x80)
        return first;
    while (((unsigned char)**text & 0xC0) == 0x80)
        (*text)++;
    return 0;
}

int facet_canvas_text(const facet_canvas *canvas, int x, int y, int most, facet_color color,
                      const char *text)
{
    int width = facet_canvas_letter_width(canvas), count = 0;
    while (*text && (most == 0 || count < most) && x + count * width < canvas->width) {
        draw_letter(canvas, x + count * width, y, color, next_letter(&text));
        count++;
    }
    return count;
}

/* -- Pictures ----------------------------------------------------------- */

static void copy_row(uint8_t *to, int count, int skipped, int width, const uint8_t *from,
                     uint32_t from_width)
{
    bool is_plain = width == (int)from_width;
    for (int i = 0; i < count; i++) {
        int column = skipped + i;
        const uint8_t *p =
            from + (size_t)(is_plain ? column : (int64_t)column * from_width / width) * 4;
        if (p[3] == 255)
            memcpy(to + (size_t)i * 4, p, 4);
        else if (p[3] > 0)
            blend(to + (size_t)i * 4,
                  (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3]);
    }
}

void facet_canvas_picture(const facet_canvas *canvas, int x, int y, int width, int height,
                          const uint8_t *pixels, uint32_t from_width, uint32_t from_height)
{
    int left = x, top = y, columns = width, rows = height;
    if (width <= 0 || height <= 0 || from_width == 0 || from_height == 0)
        return;
    clip(&left, &columns, canvas->width);
    clip(&top, &rows, canvas->height);
    for (int j = 0; j < rows; j++) {
        int64_t source = (int64_t)(top - y + j) * from_height / height;
        copy_row(canvas->pixels + ((size_t)(top + j) * canvas->width + left) * 4, columns, left - x,
                 width, pixels + (size_t)source * from_width * 4, from_width);
    }
}

void facet_canvas_checks(const facet_canvas *canvas, int x, int y, int width, int height)
{
    enum { SIDE = 12 };
    for (int j = 0; j < height; j += SIDE) {
        for (int i = 0; i < width; i += SIDE)
            facet_canvas_fill(canvas, x + i, y + j, i + SIDE < width ? SIDE : width - i,
                              j + SIDE < height ? SIDE : height - j,
                              (i + j) / SIDE % 2 ? 0x9A9A9AFF : 0x666666FF);
    }
}
