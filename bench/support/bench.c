#include "support/bench.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MAX_ROUNDS 101

double bench_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static double user_seconds(const struct rusage *usage)
{
    return (double)usage->ru_utime.tv_sec + (double)usage->ru_utime.tv_usec * 1e-6;
}

static double user_now(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return user_seconds(&usage);
}

/* Times in the child process that runs one job. */
static double started, counted;
static double (*now)(void) = bench_now;

void bench_start(void)
{
    started = now();
}

void bench_stop(void)
{
    counted += now() - started;
}

static void run_child(const bench_job *job, int report)
{
    if (job->command) {
        int null = open("/dev/null", O_RDWR);
        dup2(null, STDOUT_FILENO);
        dup2(null, STDERR_FILENO);
        execvp(job->command[0], (char *const *)(uintptr_t)job->command);
        _exit(127);
    }
    counted = 0;
    now = job->user_time ? user_now : bench_now;
    double begin = now();
    long result = job->run(job->user);
    double seconds = now() - begin;
    if (counted > 0)
        seconds = counted;
    if (write(report, &seconds, sizeof seconds) != (ssize_t)sizeof seconds)
        _exit(1);
    _exit(result < 0 ? 1 : 0);
}

/* Touch twice the peak memory of the jobs (at most 768 MB), and free it.
 *
 * A virtual machine returns unused memory to its host. To get it again costs several times the time
 * of clearing it. Touched memory stays with the machine for a while, so no job pays for what the
 * job before it returned. */
static void wake_memory(const bench_job *jobs, size_t count)
{
    double most = 0;
    for (size_t i = 0; i < count; i++)
        most = jobs[i].peak > most ? jobs[i].peak : most;
    size_t size = (size_t)(2 * most < 768e6 ? 2 * most : 768e6);
    char *block = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED) /* size is 0 before the first round */
        return;
#ifdef MADV_HUGEPAGE
    madvise(block, size, MADV_HUGEPAGE);
#endif
    for (size_t i = 0; i < size; i += 4096)
        ((volatile char *)block)[i] = 1;
    munmap(block, size);
}

static pid_t start(const bench_job *job, int *report)
{
    int ends[2];
    if (pipe(ends) != 0)
        exit(1);
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        run_child(job, ends[1]);
    }
    close(ends[1]);
    *report = ends[0];
    return child;
}

#define MAX_COPIES 8

static void run_once(bench_job *job, double *seconds)
{
    pid_t children[MAX_COPIES];
    int reports[MAX_COPIES];
    int copies = job->copies < 1 ? 1 : job->copies > MAX_COPIES ? MAX_COPIES : job->copies;
    fflush(stdout);
    double begin = bench_now();
    for (int i = 0; i < copies; i++)
        children[i] = start(job, &reports[i]);
    *seconds = 0;
    for (int i = 0; i < copies; i++) {
        double mine = 0;
        if (job->command || read(reports[i], &mine, sizeof mine) != (ssize_t)sizeof mine)
            mine = 0;
        close(reports[i]);
        int status;
        struct rusage usage;
        wait4(children[i], &status, 0, &usage);
        if (job->command)
            mine = job->user_time ? user_seconds(&usage) : bench_now() - begin;
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
            job->failed = 1;
        double peak = (double)usage.ru_maxrss * 1024;
        job->peak = peak > job->peak ? peak : job->peak;
        *seconds = mine > *seconds ? mine : *seconds;
    }
}

/* Append the results to the file that FACET_BENCH_CSV names: the title, the job, milliseconds, and
 * the peak memory in megabytes. Titles and names contain no quotation marks. */
static void record(const char *title, const bench_job *jobs, size_t count)
{
    const char *path = getenv("FACET_BENCH_CSV");
    FILE *file = path ? fopen(path, "a") : NULL;
    if (!file)
        return;
    for (size_t i = 0; i < count; i++) {
        if (!jobs[i].failed)
            fprintf(file, "\"%s\",\"%s\",%.4g,%.4g\n", title, jobs[i].name, jobs[i].median * 1e3,
                    jobs[i].peak / 1e6);
    }
    fclose(file);
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

void bench_compare(const char *title, bench_job *jobs, size_t count, int rounds, double bytes)
{
    double *times = calloc(count * MAX_ROUNDS, sizeof *times);
    if (!times)
        exit(1);
    if (rounds > MAX_ROUNDS)
        rounds = MAX_ROUNDS;
    /* Round -1 warms the caches and the machine's memory; its times are overwritten. */
    for (int round = -1; round < rounds; round++) {
        for (size_t i = 0; i < count; i++) {
            if (jobs[i].failed)
                continue;
            wake_memory(jobs, count);
            run_once(&jobs[i], &times[i * MAX_ROUNDS + (size_t)(round < 0 ? 0 : round)]);
        }
    }
    printf("\n%s (median of %d, in turn)\n", title, rounds);
    for (size_t i = 0; i < count; i++) {
        double *mine = &times[i * MAX_ROUNDS];
        qsort(mine, (size_t)rounds, sizeof *mine, ascending);
        jobs[i].median = mine[rounds / 2];
        printf("  %-44s", jobs[i].name);
        if (jobs[i].failed) {
            printf("  failed\n");
            continue;
        }
        printf(" %10.2f ms", jobs[i].median * 1e3);
        if (bytes > 0)
            printf(" %9.1f MB/s", bytes / jobs[i].median / 1e6);
        printf(" %8.1f MB peak", jobs[i].peak / 1e6);
        if (i > 0 && !jobs[0].failed)
            printf("   1 : %.2f", jobs[i].median / jobs[0].median);
        printf("\n");
    }
    fflush(stdout);
    record(title, jobs, count);
    free(times);
}
