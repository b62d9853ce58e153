/* view/canvas.h - drawing into a buffer of pixels: rectangles, lines, text, other pictures. All is
 * clipped; colors are 0xRRGGBBAA, and laid over what is there. */
#ifndef FACET_VIEW_CANVAS_H
#define FACET_VIEW_CANVAS_H

#include <stddef.h>
#include <stdint.h>

typedef struct facet_canvas {
    uint8_t *pixels; /* RGBA, top row first */
    int width, height;
    int scale; /* of letters: pixels a dot, at least 1 */
} facet_canvas;

typedef uint32_t facet_color;

void facet_canvas_fill(const facet_canvas *canvas, int x, int y, int width, int height,
                       facet_color color);
/* `dots` pixels wide. */
void facet_canvas_line(const facet_canvas *canvas, double x0, double y0, double x1, double y1,
                       int dots, facet_color color);
/* One line of UTF-8, cut where `most` letters are over (0: at the canvas' side); returns the
 * letters. */
int facet_canvas_text(const facet_canvas *canvas, int x, int y, int most, facet_color color,
                      const char *text);
/* Size of a letter's cell. */
int facet_canvas_letter_width(const facet_canvas *canvas);
int facet_canvas_line_height(const facet_canvas *canvas);

/* A picture (RGBA, not premultiplied) over a part of the canvas, stretched without smoothing. */
void facet_canvas_picture(const facet_canvas *canvas, int x, int y, int width, int height,
                          const uint8_t *pixels, uint32_t from_width, uint32_t from_height);
/* Squares of two grays, as a background for what is transparent. */
void facet_canvas_checks(const facet_canvas *canvas, int x, int y, int width, int height);

#endif
