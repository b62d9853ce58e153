/* cli/options_image.c - options for writing images. */
#include "cli/cli.h"

typedef struct settings {
    facet_image_options image;
    unsigned effort;
} settings;

static int apply(cli_record *record, void *given, facet_options *options, facet_error *error)
{
    (void)record, (void)error; /* reads no file */
    settings *s = given;
    s->image.png = (facet_png_effort)s->effort; /* the words are in the order of the efforts */
    options->image = &s->image;
    return EXIT_DONE;
}

static const char *const words[] = {"fast", "small", "none", NULL};
static const cli_option options[] = {
    {"png", "EFFORT", CLI_HELP("compress PNGs: fast, small or none"), CLI_WORD,
     .default_text = CLI_HELP("between fast and small"), .offset = offsetof(settings, effort),
     .words = words, .fields = CLI_HELP("facet_image_options.png"), .first_word = 1},
    {0}};

const cli_option_set cli_image = {
    .heading = "Images", .options = options, .settings_size = sizeof(settings), .apply = apply};
