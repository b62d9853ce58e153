/* bench/support/bench.h - functions that compare the time and memory of jobs.
 *
 * An absolute time means little on a shared machine, so medians and ratios are printed. Jobs run in
 * turn, round by round, each in a separate process. This way, no job profits from another's warm
 * memory, and each has its own peak. */
#ifndef FACET_BENCH_BENCH_H
#define FACET_BENCH_BENCH_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bench_job {
    const char *name;
    /* Run the job. A negative result means failure. Return something computed from the work, so
     * that the compiler cannot remove it. */
    long (*run)(void *user);
    void *user;
    /* Alternative to run: a program and its arguments, NULL-terminated, found in the PATH. Its
     * output is discarded. */
    const char *const *command;
    /* Number of processes that run it at the same time, 0 for one. The time is that of the slowest.
     * They share nothing, so with half of a job each, they show the maximum speed of two
     * threads. */
    int copies;
    /* Nonzero: measure user time, which does not depend on other programs on the machine. */
    int user_time;
    /* Results: */
    double median, peak; /* seconds; bytes of the whole process */
    int failed;
} bench_job;

/* Seconds of a monotonic clock. */
double bench_now(void);
/* Called in a job's function around the part to measure. Without these calls, all of it is
 * measured. */
void bench_start(void);
void bench_stop(void);

/* Run every job `rounds` times in turn. Then print the title and a line per job: median, megabytes
 * per second of `bytes` (if not 0), peak memory, and the ratio to the time of the first job. The
 * medians are also appended to the CSV file that the environment variable FACET_BENCH_CSV names. */
void bench_compare(const char *title, bench_job *jobs, size_t count, int rounds, double bytes);

#ifdef __cplusplus
}
#endif
#endif
