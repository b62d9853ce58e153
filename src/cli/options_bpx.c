/* cli/options_bpx.c - how BPX is written. */
#include "cli/cli.h"

static int apply(void *given, facet_options *options)
{
    options->bpx = given;
    return EXIT_DONE;
}

static const cli_option options[] = {
    {"fps", "N", "frames a second of baked animations; default: 30", CLI_NUMBER,
     .offset = offsetof(facet_bpx_options, frame_rate)},
    {0}};

const cli_option_set cli_bpx = {.heading = "BPX",
                                .formats = "bpx",
                                .options = options,
                                .settings_size = sizeof(facet_bpx_options),
                                .apply = apply};
