/* terminal/terminal.c - the maximal size of a picture, and the background behind it. */
#include "terminal/terminal.h"

void facet_terminal_init(facet_terminal *terminal)
{
    *terminal = (facet_terminal){.columns = 80, .rows = 24, .cell_width = 10, .cell_height = 20};
}

void facet_terminal_fit(const facet_terminal *terminal, uint32_t *width, uint32_t *height)
{
    enum { MAX_SIDE = 1024 };
    bool is_blocks = terminal->protocol == FACET_TERMINAL_BLOCKS;
    uint32_t rows = terminal->rows > 3 ? terminal->rows - 2 : 1;
    uint64_t high = (uint64_t)rows * (is_blocks ? 2 : terminal->cell_height);
    uint64_t wide = (uint64_t)terminal->columns * (is_blocks ? 1 : terminal->cell_width);
    if (high > MAX_SIDE * 3 / 4)
        high = MAX_SIDE * 3 / 4;
    if (wide > high * 4 / 3)
        wide = high * 4 / 3;
    *width = wide ? (uint32_t)wide : 1;
    *height = high ? (uint32_t)high : 1;
}

bool facet_terminal_blend(const facet_terminal *terminal, const uint8_t rgba[4], uint8_t rgb[3])
{
    unsigned alpha = rgba[3];
    if (alpha == 0 || (!terminal->has_background && alpha < 128))
        return false;
    if (!terminal->has_background)
        alpha = 255;
    for (int i = 0; i < 3; i++)
        rgb[i] = (uint8_t)((rgba[i] * alpha + terminal->background[i] * (255 - alpha) + 127) / 255);
    return true;
}
