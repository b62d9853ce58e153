/* base/threads.h - running a task over indices on the caller's threads. */
#ifndef FACET_BASE_THREADS_H
#define FACET_BASE_THREADS_H

#include <facet/base.h>
#include <pthread.h>

/* The stacks of threads that Facet starts: for tasks, which take less than 32 KiB
 * (tests/convert/test_stacks.c), and for whole commands with libraries by others. musl gives
 * 128 KiB to threads that ask for nothing. */
#define FACET_TASK_STACK ((size_t)256 << 10)
#define FACET_COMMAND_STACK ((size_t)8 << 20)

/* False when the system has no more threads. */
bool facet_thread_start(pthread_t *thread, size_t stack, void *(*main)(void *), void *argument);

/* How many threads the caller gave, at least 1. options may be NULL. */
unsigned facet_thread_count(const facet_options *options);
/* task(argument, i) for every i below count, on the caller's threads or here.
 * Tasks must not allocate from arenas, nor depend on order. */
void facet_run(const facet_options *options, void (*task)(void *argument, size_t index),
               void *argument, size_t count);

/* task(argument, part, first, end) for the parts of a range from 0 to `count`, each of `least`
 * or more but the last one; returns how many there are. They are the same for any number of
 * threads. */
#define FACET_MAX_PARTS ((size_t)64)
typedef void (*facet_part_task)(void *argument, size_t part, size_t first, size_t end);
size_t facet_run_parts(const facet_options *options, facet_part_task task, void *argument,
                       size_t count, size_t least);

/* The same as facet_run, while the progress callback hears of `step`, with fractions from range[0]
 * to range[1]: on the calling thread, behind each task that it takes, and at least 32 times where
 * it takes none. FACET_ERROR_CANCELED when the callback says stop; then some tasks were not run. */
facet_status facet_run_steps(const facet_options *options,
                             void (*task)(void *argument, size_t index), void *argument,
                             size_t count, const char *step, const double range[2],
                             facet_error *error);

#endif
