/* cli/render_terminal.c - abilities of the terminal, and the size of pictures for it. */
#include "cli/render.h"

int cli_render_query_terminal(cli_rendering *r)
{
    facet_terminal_protocol asked = r->terminal.protocol;
    facet_terminal_probe(&r->terminal);
    if (asked)
        r->terminal.protocol = asked;
    if (r->terminal.protocol)
        return EXIT_DONE;
    cli_complain(
        r->arguments->record,
        "this terminal shows no pictures: expected the protocol of kitty or iTerm2, sixels, "
        "or 24-bit colors with UTF-8 (COLORTERM, LANG); 'facet render IN OUT.png' writes a "
        "file");
    return EXIT_USAGE;
}

/* A sheet is three pictures wide and two high. */
int cli_render_fit_terminal(cli_rendering *r)
{
    uint32_t width, height;
    unsigned across = r->settings->sheet ? 3 : 1, down = r->settings->sheet ? 2 : 1;
    facet_terminal_fit(&r->terminal, &width, &height);
    if (!r->how.width) {
        r->how.width = width > across ? width / across : 1;
        r->how.height = height > down ? height / down : 1;
    }
    if (r->terminal.protocol != FACET_TERMINAL_BLOCKS ||
        r->how.width <= r->terminal.columns / across)
        return EXIT_DONE;
    cli_complain(r->arguments->record,
                 "--size: a picture of %u columns does not fit into a terminal of %u",
                 r->how.width * across, r->terminal.columns);
    return EXIT_USAGE;
}
