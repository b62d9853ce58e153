/* cli/deps.h - files for make and ninja. */
#ifndef FACET_CLI_DEPS_H
#define FACET_CLI_DEPS_H

#include "cli/record.h"

/* Write "target: in sides..." to a file. */
facet_status cli_write_depfile(const char *path, const char *target, const char *in,
                               const cli_paths *sides, facet_error *error);

#endif
