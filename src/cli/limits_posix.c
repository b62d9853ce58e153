/* cli/limits_posix.c - the memory limit of the program: from an option, or half of the machine's
 * memory. The system enforces it, so it includes everything: inputs that are not files, JSON,
 * images, and libraries. Their allocations then fail, which is reported. */
#include "base/atomic.h"
#include "base/system.h"
#include "base/threads.h"
#include "cli/cgroup.h"
#include "cli/cli.h"

#include <fcntl.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* Sanitizers need most of the address space, and more memory. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
    __has_feature(memory_sanitizer)
#define SANITIZED 1
#endif
#endif
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !defined(SANITIZED)
#define LIMITS_HOLD 1
#endif
#define MIB ((uint64_t)1 << 20)
/* Memory of the program before any work, with the first stack. */
#define START (24 * MIB)
#define USUAL_THREADS 64

/* 0: unknown. */
static uint64_t memory_of_machine(void)
{
#ifdef __wasm__
    return 0; /* only the memory used so far is known */
#endif
    long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    uint64_t memory = pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size : 0;
    return memory;
}

/* Constant, but necessary for each item of a batch. 0: unknown. */
static uint64_t memory_of_process(void)
{
    static FACET_ATOMIC(uint64_t) known;
    uint64_t memory = atomic_load(&known);
    if (memory > 0)
        return memory;
    memory = memory_of_machine();
#ifndef FACET_CORE_MODULE /* a page has no such files */
    uint64_t group = cli_cgroup_limit("/proc/self/cgroup", "/sys/fs/cgroup");
    if (group > 0 && (memory == 0 || group < memory))
        memory = group;
#endif
    atomic_store(&known, memory);
    return memory;
}

uint64_t cli_memory_limit(unsigned mebibytes)
{
    return mebibytes ? mebibytes * MIB : memory_of_process() / 2;
}

void cli_limit_memory(uint64_t bytes, unsigned threads)
{
#if defined(RLIMIT_DATA) && defined(LIMITS_HOLD)
    struct rlimit limit;
    /* Stacks of threads count also. The limit must not depend on the number of threads, so there is
     * space for many. */
    uint64_t count = threads ? threads : facet_system_processors();
    count = count < USUAL_THREADS ? USUAL_THREADS : count;
    uint64_t stacks = count * FACET_TASK_STACK;
    if (bytes == 0 || bytes > UINT64_MAX / 2 || getrlimit(RLIMIT_DATA, &limit) != 0)
        return;
    rlim_t wanted = (rlim_t)(bytes + stacks + START);
    if (limit.rlim_cur == RLIM_INFINITY || wanted < limit.rlim_cur) {
        limit.rlim_cur = wanted;
        setrlimit(RLIMIT_DATA, &limit);
    }
#else
    (void)bytes;
    (void)threads;
#endif
}

void cli_keep_memory(void)
{
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 16 << 20);
    mallopt(M_TRIM_THRESHOLD, 64 << 20);
    mallopt(M_TOP_PAD, 4 << 20);
#endif
}

void cli_limit_thumbnail(void)
{
    /* Processor time; and time on the clock, for a file that does not answer. On a busy machine a
     * picture takes several times its processor time. */
    enum { SECONDS = 10, CLOCK_SECONDS = 60 };
    const struct rlimit time = {SECONDS, SECONDS};
    setrlimit(RLIMIT_CPU, &time);
#ifdef LIMITS_HOLD
    const struct rlimit space = {(rlim_t)2 << 30, (rlim_t)2 << 30};
    setrlimit(RLIMIT_AS, &space);
#endif
    alarm(CLOCK_SECONDS);
}

/* -- Memory in use ------------------------------------------------------- */

#ifdef FACET_CORE_MODULE

uint64_t cli_memory_peak(void)
{
    return 0; /* unknown */
}

void cli_forget_memory_peak(void)
{
}

#else

uint64_t cli_memory_peak(void)
{
    char text[4096];
    int file = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
    ssize_t length = file >= 0 ? read(file, text, sizeof text - 1) : -1;
    if (file >= 0)
        close(file);
    text[length > 0 ? length : 0] = '\0';
    const char *found = strstr(text, "VmHWM:");
    if (found)
        return strtoull(found + 6, NULL, 10) * 1024;
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? (uint64_t)usage.ru_maxrss * 1024 : 0;
}

void cli_forget_memory_peak(void)
{
    int file = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);
    if (file < 0)
        return;
    if (write(file, "5", 1) < 1) {
        /* Without the reset, the peak is that of all steps so far. */
    }
    close(file);
}

#endif
