/* cli/deps.h - files for make and ninja. */
#ifndef FACET_CLI_DEPS_H
#define FACET_CLI_DEPS_H

#include "cli/record.h"

/* Write "target: in sides..." to a new output, with the files that the record has as read and as
 * missing. The caller commits and frees it, also after an error. FACET_ERROR_UNSUPPORTED
 * (DEPFILE-NAME) for a name that make or ninja would read differently. */
facet_status cli_write_depfile(const char *path, const char *target, const char *in,
                               cli_record *record, facet_output **output, facet_error *error);

#endif
