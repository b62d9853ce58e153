/* cli/show.c - facet show: a picture of any file in the terminal. */
#include "cli/render.h"

#include <unistd.h>

typedef struct settings {
    unsigned protocol; /* 1: FACET_TERMINAL_KITTY, and so on */
} settings;

static const cli_option options[] = {
    {"protocol", "PROTOCOL", "use kitty, iterm, sixel or blocks, also into a file or a pipe",
     CLI_WORD, .default_text = "the first that the terminal supports",
     .offset = offsetof(settings, protocol),
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
            arguments->record,
            "standard output is not a terminal: give a --protocol, or write a file with 'facet "
            "render IN OUT.png'");
        return EXIT_USAGE;
    }
    int result = cli_render_query_terminal(&r);
    return result == EXIT_DONE ? cli_render_run(&r) : result;
}

const cli_command cli_command_show = {
    "show",
    "IN [ANIMATION...]",
    "show a picture of a file in the terminal",
    "Draw IN like 'facet render', and show the picture in the terminal. Facet uses the graphics\n"
    "protocol of kitty, the inline images of iTerm2, sixels, or half blocks of text in 24-bit\n"
    "colors. It asks the terminal which of them it supports. If it supports none, Facet prints\n"
    "nothing. --size is in pixels; with half blocks, in columns and half rows (default: the\n"
    "largest that fits).",
    sets,
    1,
    -1,
    run,
    CLI_ITEMS_NONE,
    false,
    false};
