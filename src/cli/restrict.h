/* cli/restrict.h - rights that a process gives up before it reads an untrusted file. */
#ifndef FACET_CLI_RESTRICT_H
#define FACET_CLI_RESTRICT_H

#include <stdbool.h>
#include <stddef.h>

/* Files, and folders with all their contents, to which access is allowed. Paths that do not exist
 * are skipped. */
typedef struct cli_allowed {
    const char *const *paths;
    size_t count;
    bool all; /* everywhere */
} cli_allowed;

/* Restrict the process permanently, with all later threads: no new programs, connections, access to
 * other processes, devices, pipes or sockets; files only as allowed. Requires Landlock and seccomp
 * of Linux; missing parts are skipped. Call it while there is one thread. */
void cli_restrict(const cli_allowed *read, const cli_allowed *write);

/* Restrict the process to pictures of files in OUT. It can read the files, files next to them, and
 * libraries; it can write to the folder of OUT (none for "-"). False if out of memory; then nothing
 * is restricted. */
bool cli_restrict_to_pictures(const char *const *in, size_t count, const char *out);

#endif
