/* cli/show.c - facet show: a picture of any file in the terminal. */
#include "cli/render.h"

#include <unistd.h>

typedef struct settings {
    unsigned protocol; /* 1: FACET_TERMINAL_KITTY, and so on */
} settings;

static const cli_option options[] = {
    {"protocol", "PROTOCOL",
     "kitty, iterm, sixel or blocks, whatever the terminal says of itself, also into a file or a "
     "pipe; default: the first of these that it shows",
     CLI_WORD, .offset = offsetof(settings, protocol),
     .words = (const char *const[]){"kitty", "iterm", "sixel", "blocks", NULL}},
    {0}};
static const cli_option_set own = {.options = options, .settings_size = sizeof(settings)};
static const cli_option_set *const sets[] = {&cli_picture, &own, &cli_resources, NULL};

static int run(const cli_arguments *arguments)
{
    static const cli_render_settings none = {0};
    const settings *s = cli_settings_of(arguments, &own);
    cli_rendering r = {.arguments = arguments,
                       .settings = &none,
                       .picture = cli_settings_of(arguments, &cli_picture),
                       .inputs = arguments->count,
                       .out = "-",
                       .shows = true};
    r.terminal.protocol = (facet_terminal_protocol)s->protocol;
    if (!s->protocol && !isatty(STDOUT_FILENO)) {
        cli_complain(
            "standard output is not a terminal: give a --protocol, or write a file with 'facet "
            "render IN OUT.png'");
        return EXIT_USAGE;
    }
    int result = cli_render_ask_terminal(&r);
    return result == EXIT_DONE ? cli_render_run(&r) : result;
}

const cli_command cli_command_show = {
    "show",
    "IN [ANIMATION...]",
    "show a picture of a file in the terminal",
    "Draw IN as 'facet render' does, and show the picture where the command was typed: by\n"
    "the graphics protocol of kitty, the inline images of iTerm2, sixels, or half blocks\n"
    "of text in 24-bit colors. The terminal is asked which of them it knows; nothing is\n"
    "printed to one that knows none. --size is in pixels, of half blocks in columns and\n"
    "half rows; default: what fits.",
    sets,
    1,
    -1,
    run,
    CLI_ITEMS_NONE,
    false};
