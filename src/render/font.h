/* render/font.h - letters as dots. */
#ifndef FACET_RENDER_FONT_H
#define FACET_RENDER_FONT_H

#include <stdbool.h>

/* Size of a cell, including the space to the next one. */
enum { FACET_FONT_WIDTH = 6, FACET_FONT_HEIGHT = 9 };

/* True if a letter has a dot at x, y; `letter` is a code point. */
bool facet_font_has_dot(unsigned letter, unsigned x, unsigned y);

#endif
