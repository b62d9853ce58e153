/* cli/deps.h - files for make and ninja. */
#ifndef FACET_CLI_DEPS_H
#define FACET_CLI_DEPS_H

#include "cli/record.h"

/* Write "target: in sides..." to a new output; the caller commits and frees it, also after an
 * error. FACET_ERROR_UNSUPPORTED (DEPFILE-NAME) for a name that make or ninja would read
 * differently. */
facet_status cli_write_depfile(const char *path, const char *target, const char *in,
                               const cli_paths *sides, facet_output **output, facet_error *error);

#endif
