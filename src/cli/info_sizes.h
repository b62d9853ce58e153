/* cli/info_sizes.h - what of a file takes how many bytes. */
#ifndef FACET_CLI_INFO_SIZES_H
#define FACET_CLI_INFO_SIZES_H

#include "cli/cli.h"

/* The lists of a description whose objects tell their bytes, the largest first: ten of
 * each as text, all as JSON. False without memory. */
bool cli_print_sizes(const char *path, const facet_description *d);
bool cli_print_sizes_json(const char *path, const facet_description *d);

#endif
