/* cli/options_stl.c - options for writing STL. */
#include "cli/cli.h"

typedef struct settings {
    facet_stl_options stl;
    unsigned encoding;
} settings;

static int apply(cli_record *record, void *given, facet_options *options, facet_error *error)
{
    (void)record, (void)error; /* reads no file */
    settings *s = given;
    if (s->encoding > 0) /* the words are in the order of the encodings */
        s->stl.encoding = (facet_stl_encoding)(s->encoding - 1);
    options->stl = &s->stl;
    return EXIT_DONE;
}

static const char *const words[] = {"binary", "ascii", NULL};
static const cli_option options[] = {
    {"stl-encoding", "ENCODING", "set the encoding: binary or ascii", CLI_WORD,
     .default_text = "binary", .offset = offsetof(settings, encoding), .words = words,
     .fields = "facet_stl_options.encoding"},
    {0}};

const cli_option_set cli_stl = {.heading = "STL",
                                .formats = "stl",
                                .options = options,
                                .settings_size = sizeof(settings),
                                .apply = apply};
