/* cli/memory.c - how much memory the program may use: what an option says, or half of
 * what the machine has. The system holds it, so that it counts for everything: input
 * that is not a file, JSON, images, and libraries that do not ask us. What they get is
 * no memory, which every part tells. */
#include "cli/cli.h"

#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#define MIB ((uint64_t)1 << 20)
/* The stacks of threads count, too. */
#define STACK (8 * MIB)
/* What the program is before it does anything. */
#define START (16 * MIB)

/* 0: not known. */
static uint64_t memory_of_machine(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    uint64_t memory = pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size : 0;
    /* A container may have less. */
    FILE *file = fopen("/sys/fs/cgroup/memory.max", "r");
    char text[32] = "";
    if (file && fgets(text, sizeof text, file) && *text >= '0' && *text <= '9') {
        uint64_t most = strtoull(text, NULL, 10);
        memory = memory == 0 || most < memory ? most : memory;
    }
    if (file)
        fclose(file);
    return memory;
}

uint64_t cli_memory_limit(unsigned mebibytes)
{
    return mebibytes ? mebibytes * MIB : memory_of_machine() / 2;
}

void cli_limit_memory(uint64_t bytes, unsigned threads)
{
/* The sanitizer's own memory would count. */
#if defined(RLIMIT_DATA) && !defined(__SANITIZE_ADDRESS__)
    struct rlimit limit;
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    uint64_t stacks = (threads ? threads : processors > 0 ? (uint64_t)processors : 1) * STACK;
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
