/* view/canvas.h - drawing into a buffer of pixels: rectangles, lines, text, other pictures.
 * Everything is clipped. Colors are 0xRRGGBBAA, and are blended over the present pixels. */
#ifndef FACET_VIEW_CANVAS_H
#define FACET_VIEW_CANVAS_H

#include <stddef.h>
#include <stdint.h>

typedef struct facet_canvas {
    uint8_t *pixels; /* RGBA, top row first */
    int width, height;
    int scale; /* pixels per dot of a letter, at least 1 */
} facet_canvas;

typedef uint32_t facet_color;

void facet_canvas_fill(const facet_canvas *canvas, int x, int y, int width, int height,
                       facet_color color);
/* Draw a line that is `dots` pixels wide. */
void facet_canvas_line(const facet_canvas *canvas, double x0, double y0, double x1, double y1,
                       int dots, facet_color color);
/* Draw one line of UTF-8, at most `most` letters (0: up to the side of the canvas). The number of
 * letters. */
int facet_canvas_text(const facet_canvas *canvas, int x, int y, int most, facet_color color,
                      const char *text);
/* Size of a letter's cell. */
int facet_canvas_letter_width(const facet_canvas *canvas);
int facet_canvas_line_height(const facet_canvas *canvas);

/* Draw a picture (RGBA, not premultiplied) over a part of the canvas, scaled without smoothing. */
void facet_canvas_picture(const facet_canvas *canvas, int x, int y, int width, int height,
                          const uint8_t *pixels, uint32_t from_width, uint32_t from_height);
/* Draw squares of two grays, as the background of transparent pictures. */
void facet_canvas_checks(const facet_canvas *canvas, int x, int y, int width, int height);

#endif
