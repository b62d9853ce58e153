/* render/font.h - letters as dots. */
#ifndef FACET_RENDER_FONT_H
#define FACET_RENDER_FONT_H

#include <stdbool.h>

/* Of a cell, with the space to the next one. */
enum { FACET_FONT_WIDTH = 6, FACET_FONT_HEIGHT = 9 };

/* Whether a letter has a dot there; `letter` is a code point. */
bool facet_font_has_dot(unsigned letter, unsigned x, unsigned y);

#endif
