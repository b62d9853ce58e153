/* cli/compare.h - shared functions of facet compare. */
#ifndef FACET_CLI_COMPARE_H
#define FACET_CLI_COMPARE_H

#include "cli/cli.h"

#include <facet/render.h>

/* compare_picture.c: write a PNG with both files and their difference side by side. Both use the
 * same camera and the unit of the first. Returns an exit status. */
int cli_compare_picture(const cli_arguments *arguments, const facet_source sources[2],
                        const facet_format *from, const facet_options *options, const char *path,
                        facet_picture_difference *difference, facet_error *error);

#endif
