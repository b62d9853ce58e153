/* cli/restrict_win32.c - stubs: a process on Windows cannot give up such rights. */
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
