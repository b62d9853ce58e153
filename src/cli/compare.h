/* cli/compare.h - what the files of facet compare share. */
#ifndef FACET_CLI_COMPARE_H
#define FACET_CLI_COMPARE_H

#include "cli/cli.h"

#include <facet/render.h>

/* compare_picture.c: both files, drawn from one place in units of the first, and their
 * difference, side by side as a PNG; an exit status. */
int cli_compare_picture(const cli_arguments *arguments, const facet_source sources[2],
                        const facet_format *from, const facet_options *options, const char *path,
                        facet_picture_difference *difference, facet_error *error);

#endif
