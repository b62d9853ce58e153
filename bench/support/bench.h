/* bench/support/bench.h - measuring jobs beside each other.
 *
 * A time alone says nothing on a shared machine. Jobs run in turn, round after
 * round, each in a process of its own, so that none inherits another's warm
 * memory and each has its own peak; medians and ratios are printed. */
#ifndef FACET_BENCH_BENCH_H
#define FACET_BENCH_BENCH_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bench_job {
    const char *name;
    /* Does the job; the return value is thrown away, and keeps the compiler
     * from doing so with the work. A negative value means failure. */
    long (*run)(void *user);
    void *user;
    /* Or a program to run, NULL-terminated, found on the PATH; its output is dropped. */
    const char *const *command;
    /* How many processes do it at once, 0 for one; the time is that of the slowest. They share
     * nothing and wait for nothing: with one half of a job each, this is what no two threads of
     * this machine can be faster than at the whole. */
    int copies;
    /* Count the time in user code instead: what does not change with the machine's other work. */
    int user_time;
    /* Filled in: */
    double median, peak; /* seconds; bytes, the process as a whole */
    int failed;
} bench_job;

/* Seconds of a monotonic clock. */
double bench_now(void);
/* A job's function may call these around the part that counts; without them
 * all of it counts. */
void bench_start(void);
void bench_stop(void);

/* Run every job `rounds` times in turn and print, under a title, a line each:
 * median, megabytes per second of `bytes` (0: not shown), peak memory, and how
 * many times faster the first job is. */
void bench_compare(const char *title, bench_job *jobs, size_t count, int rounds, double bytes);

#ifdef __cplusplus
}
#endif
#endif
