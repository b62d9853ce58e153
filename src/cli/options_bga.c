/* cli/options_bga.c - options for writing BGA. */
#include "cli/cli.h"

typedef struct settings {
    facet_bga_options bga;
    unsigned endian, interleave;
} settings;

static int apply(cli_record *record, void *given, facet_options *options, facet_error *error)
{
    (void)record, (void)error; /* reads no file */
    enum { BIG = 2, NO = 2 };  /* indices of words */
    settings *s = given;
    s->bga.big_endian = s->endian == BIG;
    s->bga.separate_buffers = s->interleave == NO;
    options->bga = &s->bga;
    return EXIT_DONE;
}

static const char *const endian_words[] = {"little", "big", NULL};
static const char *const interleave_words[] = {"yes", "no", NULL};
static const cli_option options[] = {
    {"endian", "ORDER", "set the byte order: little or big", CLI_WORD, .default_text = "little",
     .offset = offsetof(settings, endian), .words = endian_words,
     .fields = "facet_bga_options.big_endian"},
    {"interleave", "YES/NO", "store all attributes in one buffer: yes or no", CLI_WORD,
     .default_text = "yes", .offset = offsetof(settings, interleave), .words = interleave_words,
     .fields = "facet_bga_options.separate_buffers"},
    {0}};

const cli_option_set cli_bga = {.heading = "BGA",
                                .formats = "bga",
                                .options = options,
                                .settings_size = sizeof(settings),
                                .apply = apply};
