/* terminal/terminal.h - the capabilities of a terminal, and pictures in its protocol.
 *
 * A terminal's name does not identify it. So the program queries it (probe_posix.c), and parses the
 * answers (reply.c). Sources: the kitty graphics protocol, iTerm2's inline images, the VT340's
 * sixels, and XTerm's list of control sequences. */
#ifndef FACET_TERMINAL_TERMINAL_H
#define FACET_TERMINAL_TERMINAL_H

#include <facet/base.h>
#include <facet/scene.h>

typedef enum facet_terminal_protocol {
    FACET_TERMINAL_NONE = 0, /* no pictures */
    FACET_TERMINAL_KITTY,    /* sent as PNG */
    FACET_TERMINAL_ITERM,    /* sent as PNG */
    FACET_TERMINAL_SIXEL,    /* at most 255 colors */
    FACET_TERMINAL_BLOCKS,   /* half blocks of text in 24-bit colors, two pixels per character */
} facet_terminal_protocol;

typedef struct facet_terminal {
    facet_terminal_protocol protocol;
    uint32_t columns, rows;           /* in characters */
    uint32_t cell_width, cell_height; /* pixels of a character */
    bool has_background;
    uint8_t background[3]; /* sRGB background behind a picture, if known */
} facet_terminal;

/* -- Asking (probe_posix.c, probe_win32.c) ------------------------------ */

/* Query the terminal of this process, and wait at most a second for its answers. Standard output
 * must be connected to it. Text typed meanwhile is lost. No query is sent in the background, or if
 * TERM=dumb, or to the console of Linux, which would print the questions. */
void facet_terminal_probe(facet_terminal *terminal);

/* -- Answers (reply.c) -------------------------------------------------- */

/* The questions: every terminal answers the last one. */
#define FACET_TERMINAL_QUESTIONS                                                \
    "\033_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\033\\" /* kitty's graphics? */        \
    "\033[>0q"                                   /* name and version? */        \
    "\033[16t"                                   /* pixels of a character? */   \
    "\033]11;?\033\\"                            /* color of the background? */ \
    "\033[48;2;1;2;3m\033P$qm\033\\\033[0m"      /* is a 24-bit color kept? */  \
    "\033[c"                                     /* attributes; 4: sixels */

/* True if the bytes, which may have any content, include the answer to the last question. */
bool facet_terminal_is_answered(const char *bytes, size_t size);
/* Parse the answers. `has_colors`: 24-bit colors are known to work; `has_unicode`: text is
 * UTF-8. */
void facet_terminal_read_reply(facet_terminal *terminal, const char *bytes, size_t size,
                               bool has_colors, bool has_unicode);

/* -- Sizes and colors (terminal.c) -------------------------------------- */

/* Set a terminal of common size without pictures: 80 x 24 characters of 10 x 20 pixels, as a
 * VT340. */
void facet_terminal_init(facet_terminal *terminal);
/* Size of the largest picture that is completely visible, with two lines left for text. At most 4
 * by 3 in shape, and 1024 pixels wide. */
void facet_terminal_fit(const facet_terminal *terminal, uint32_t *width, uint32_t *height);

/* Color of a pixel in front of the terminal's background; false if the background is visible
 * instead. */
bool facet_terminal_blend(const facet_terminal *terminal, const uint8_t rgba[4], uint8_t rgb[3]);

/* -- Pictures (pictures.c, sixel.c) ------------------------------------- */

/* Write `image`, of 4 channels of 8 bits, in the terminal's protocol, and a line feed. It must fit
 * into the columns for FACET_TERMINAL_BLOCKS. Errors: FACET_ERROR_ARGUMENT for FACET_TERMINAL_NONE;
 * errors of facet_image_encode for protocols with PNG; FACET_ERROR_MEMORY; errors of the output at
 * its commit. */
facet_status facet_terminal_put(const facet_terminal *terminal, const facet_image *image,
                                const facet_options *options, facet_output *output,
                                facet_error *error);
/* sixel.c: the same, only for sixels. */
facet_status facet_terminal_put_sixels(const facet_terminal *terminal, const facet_image *image,
                                       const facet_options *options, facet_output *output,
                                       facet_error *error);

#endif
