/* cli/info_sizes.h - the sizes of a file's parts. */
#ifndef FACET_CLI_INFO_SIZES_H
#define FACET_CLI_INFO_SIZES_H

#include "cli/cli.h"

/* Print the lists of a description whose objects have sizes, largest first: ten of each as text,
 * all as JSON. False if out of memory. */
bool cli_print_sizes(const char *path, const facet_description *d);
bool cli_print_sizes_json(cli_record *record, const char *path, const facet_description *d);

#endif
