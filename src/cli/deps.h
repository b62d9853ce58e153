/* cli/deps.h - files for make and ninja. */
#ifndef FACET_CLI_DEPS_H
#define FACET_CLI_DEPS_H

#include "cli/record.h"

/* Write "target: in sides..." into a new output, which the caller commits and frees, also
 * after an error. A name that make or ninja would read as something else is
 * FACET_ERROR_UNSUPPORTED (DEPFILE-NAME). */
facet_status cli_write_depfile(const char *path, const char *target, const char *in,
                               const cli_paths *sides, facet_output **output, facet_error *error);

#endif
