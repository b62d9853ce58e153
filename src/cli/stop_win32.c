/* cli/stop_win32.c - early ends of the program on Windows: Ctrl+C, a closing console, and the time
 * limit, each on its thread. */
#include "cli/stop.h"

#include "base/output.h"
#include "cli/cli.h"

#define WIN32_LEAN_AND_MEAN
#include <stdio.h>
#include <stdlib.h>
#include <windows.h>

static BOOL WINAPI on_console(DWORD event)
{
    (void)event;
    facet_outputs_abandon();
    return FALSE; /* the next handler ends the process */
}

static double limit;

static DWORD WINAPI wait_for_limit(void *unused)
{
    (void)unused;
    Sleep((DWORD)(limit * 1000));
    facet_outputs_abandon();
    fprintf(stderr, "facet: error: not done after %g seconds, the --time-limit\n", limit);
    fflush(stderr);
    TerminateProcess(GetCurrentProcess(), EXIT_SYSTEM);
    return 0;
}

void cli_stop_setup(void)
{
    SetConsoleCtrlHandler(on_console, TRUE);
}

/* Windows does not allow the truncation of a mapped file. */
void cli_stop_for_lost_inputs(int status)
{
    (void)status;
}

void cli_stop_after(double seconds)
{
    limit = seconds < 4e6 ? seconds : 4e6; /* its milliseconds fit a DWORD */
    HANDLE thread = CreateThread(NULL, 0, wait_for_limit, NULL, 0, NULL);
    if (thread)
        CloseHandle(thread);
}
