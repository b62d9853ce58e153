/* cli/restrict.h - rights that a process gives up before it looks at a file of a stranger. */
#ifndef FACET_CLI_RESTRICT_H
#define FACET_CLI_RESTRICT_H

#include <stdbool.h>
#include <stddef.h>

/* Folders and files below which something is allowed; what is not there is passed over. */
typedef struct cli_allowed {
    const char *const *paths;
    size_t count;
    bool all; /* everywhere */
} cli_allowed;

/* For good, and for all threads that are started later: start no program, open no connection, look
 * into no other process, make no device, pipe or socket, and read and write files only as allowed.
 * What the system cannot do (it takes Landlock and seccomp, of Linux) is left out. Call it while
 * there is one thread. */
void cli_restrict(const cli_allowed *read, const cli_allowed *write);

/* The same for pictures of files in OUT. The files and what is next to them can be read, and the
 * libraries of the system and the program; the folder of OUT can be written, and of "-" none.
 * False without memory; then nothing is given up. */
bool cli_restrict_to_pictures(const char *const *in, size_t count, const char *out);

#endif
