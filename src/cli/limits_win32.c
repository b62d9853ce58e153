/* cli/limits_win32.c - the memory limit of the program on Windows: a job for this process has the
 * limit. */
#include "cli/cli.h"
#include "cli/stop.h"

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include <psapi.h>

#define MIB ((uint64_t)1 << 20)
#define STACK (8 * MIB)
#define START (16 * MIB)

uint64_t cli_memory_limit(unsigned mebibytes)
{
    MEMORYSTATUSEX memory = {.dwLength = sizeof memory};
    if (mebibytes)
        return mebibytes * MIB;
    return GlobalMemoryStatusEx(&memory) ? memory.ullTotalPhys / 2 : 0;
}

void cli_limit_memory(uint64_t bytes, unsigned threads)
{
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limit = {0};
    HANDLE job;
    if (bytes == 0 || bytes > SIZE_MAX / 2 || !(job = CreateJobObjectW(NULL, NULL)))
        return;
    limit.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_PROCESS_MEMORY;
    limit.ProcessMemoryLimit = (SIZE_T)(bytes + (threads ? threads : 1) * STACK + START);
    if (SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limit, sizeof limit))
        AssignProcessToJobObject(job, GetCurrentProcess());
    /* The process stays in its job. */
    CloseHandle(job);
}

void cli_keep_memory(void)
{
}

void cli_limit_thumbnail(void)
{
    cli_limit_memory((uint64_t)2 << 30, 0);
    cli_stop_after(10);
}

uint64_t cli_memory_peak(void)
{
    PROCESS_MEMORY_COUNTERS counters = {.cb = sizeof counters};
    return K32GetProcessMemoryInfo(GetCurrentProcess(), &counters, sizeof counters)
               ? counters.PeakWorkingSetSize
               : 0;
}

void cli_forget_memory_peak(void)
{
    /* Windows cannot reset the peak: it is that of all steps so far. */
}
