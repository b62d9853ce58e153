/* cli/restrict_win32.c - Windows has no rights that a process could give up by itself. */
#include "cli/restrict.h"

void cli_restrict(const cli_allowed *read, const cli_allowed *write)
{
    (void)read;
    (void)write;
}

bool cli_restrict_to_pictures(const char *const *in, size_t count, const char *out)
{
    (void)in;
    (void)count;
    (void)out;
    return true;
}
