/* cli/options_ply.c - options for writing PLY. */
#include "cli/cli.h"

typedef struct settings {
    facet_ply_options ply;
    unsigned encoding;
} settings;

static int apply(cli_record *record, void *given, facet_options *options, facet_error *error)
{
    (void)record, (void)error; /* reads no file */
    settings *s = given;
    if (s->encoding > 0) /* the words are in the order of the encodings */
        s->ply.encoding = (facet_ply_encoding)(s->encoding - 1);
    options->ply = &s->ply;
    return EXIT_DONE;
}

static const char *const words[] = {"little-endian", "big-endian", "ascii", NULL};
static const cli_option options[] = {
    {"ply-encoding", "ENCODING", "set the encoding: little-endian, big-endian or ascii", CLI_WORD,
     .default_text = "little-endian", .offset = offsetof(settings, encoding), .words = words,
     .fields = "facet_ply_options.encoding"},
    {0}};

const cli_option_set cli_ply = {.heading = "PLY",
                                .formats = "ply",
                                .options = options,
                                .settings_size = sizeof(settings),
                                .apply = apply};
