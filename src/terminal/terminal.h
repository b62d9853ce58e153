/* terminal/terminal.h - what a terminal can show, and pictures in its own language.
 *
 * Nobody knows a terminal by its name: it is asked (probe_posix.c), and what it answers is
 * read here (reply.c). Sources: the kitty graphics protocol, iTerm2's inline images,
 * the VT340's sixels, and XTerm's list of control sequences. */
#ifndef FACET_TERMINAL_TERMINAL_H
#define FACET_TERMINAL_TERMINAL_H

#include <facet/base.h>
#include <facet/scene.h>

typedef enum facet_terminal_protocol {
    FACET_TERMINAL_NONE = 0, /* it shows no picture */
    FACET_TERMINAL_KITTY,    /* a PNG */
    FACET_TERMINAL_ITERM,    /* a PNG */
    FACET_TERMINAL_SIXEL,    /* at most 255 colors */
    FACET_TERMINAL_BLOCKS,   /* half blocks of text in 24-bit colors, two pixels a character */
} facet_terminal_protocol;

typedef struct facet_terminal {
    facet_terminal_protocol protocol;
    uint32_t columns, rows;           /* characters */
    uint32_t cell_width, cell_height; /* pixels of a character */
    bool has_background;
    uint8_t background[3]; /* sRGB; what shows through a picture, where that is known */
} facet_terminal;

/* -- Asking (probe_posix.c, probe_win32.c) ------------------------------ */

/* Ask the terminal of this process, which standard output must be connected to, and wait
 * for its answers, at most a second. What is typed meanwhile is lost. Nothing is asked in
 * the background, of TERM=dumb and of the console of Linux, which would print the questions. */
void facet_terminal_probe(facet_terminal *terminal);

/* -- Answers (reply.c) -------------------------------------------------- */

/* What is asked: the last question is one that every terminal answers. */
#define FACET_TERMINAL_QUESTIONS                                                \
    "\033_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\033\\" /* kitty's graphics? */        \
    "\033[>0q"                                   /* name and version? */        \
    "\033[16t"                                   /* pixels of a character? */   \
    "\033]11;?\033\\"                            /* color of the background? */ \
    "\033[48;2;1;2;3m\033P$qm\033\\\033[0m"      /* is a 24-bit color kept? */  \
    "\033[c"                                     /* attributes; 4: sixels */

/* True when the answer to the last question is in the bytes, which may hold anything. */
bool facet_terminal_is_answered(const char *bytes, size_t size);
/* Take to heart what the bytes say. `has_colors`: 24-bit colors are known of from elsewhere;
 * `has_unicode`: text is UTF-8. */
void facet_terminal_read_reply(facet_terminal *terminal, const char *bytes, size_t size,
                               bool has_colors, bool has_unicode);

/* -- Sizes and colors (terminal.c) -------------------------------------- */

/* What has a usual size and shows nothing: 80 x 24 characters of 10 x 20 pixels, as a VT340. */
void facet_terminal_init(facet_terminal *terminal);
/* The largest picture that is shown whole, with two lines left for text, and no wider than
 * 4 by 3, nor than 1024 pixels. */
void facet_terminal_fit(const facet_terminal *terminal, uint32_t *width, uint32_t *height);

/* The color of a pixel before the terminal's background; false where that shows instead. */
bool facet_terminal_blend(const facet_terminal *terminal, const uint8_t rgba[4], uint8_t rgb[3]);

/* -- Pictures (pictures.c, sixel.c) ------------------------------------- */

/* Write `image`, of 4 channels of 8 bits, as the terminal's protocol has it, and a line feed. It
 * must fit into the columns for FACET_TERMINAL_BLOCKS.
 * Errors: FACET_ERROR_ARGUMENT for FACET_TERMINAL_NONE, those of facet_image_encode for the
 * protocols that take a PNG, FACET_ERROR_MEMORY, and those of the output at its commit. */
facet_status facet_terminal_put(const facet_terminal *terminal, const facet_image *image,
                                const facet_options *options, facet_output *output,
                                facet_error *error);
/* sixel.c: the same of sixels alone. */
facet_status facet_terminal_put_sixels(const facet_terminal *terminal, const facet_image *image,
                                       const facet_options *options, facet_output *output,
                                       facet_error *error);

#endif
