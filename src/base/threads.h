/* base/threads.h - tasks over a range of indices, on the caller's threads. */
#ifndef FACET_BASE_THREADS_H
#define FACET_BASE_THREADS_H

#include <facet/base.h>
#include <pthread.h>

/* Stack sizes of threads that Facet starts. Tasks use less than 32 KiB
 * (tests/convert/test_stacks.c); whole commands also run other libraries. The size is set
 * explicitly, because musl's default is only 128 KiB. */
#define FACET_TASK_STACK ((size_t)256 << 10)
#define FACET_COMMAND_STACK ((size_t)8 << 20)

/* Start a thread. False if the system has no more threads. */
bool facet_thread_start(pthread_t *thread, size_t stack, void *(*main)(void *), void *argument);

/* Number of threads that the caller provides, at least 1. options may be NULL. */
unsigned facet_thread_count(const facet_options *options);
/* Run task(argument, i) for every i below count, on the caller's threads or on this one. Tasks must
 * not allocate from arenas, nor depend on their order. */
void facet_run(const facet_options *options, void (*task)(void *argument, size_t index),
               void *argument, size_t count);

/* Run task(argument, part, first, end) for parts of the range from 0 to `count`, and return the
 * number of parts. Each part has at least `least` indices, except the last one. The parts are the
 * same for any number of threads. */
#define FACET_MAX_PARTS ((size_t)64)
typedef void (*facet_part_task)(void *argument, size_t part, size_t first, size_t end);
size_t facet_run_parts(const facet_options *options, facet_part_task task, void *argument,
                       size_t count, size_t least);

/* Like facet_run, with calls of the progress callback for `step`, with fractions from range[0] to
 * range[1]. They are made on the calling thread, after each task that it runs, and at least 32
 * times if it runs none. FACET_ERROR_CANCELED if the callback returns false; then some tasks were
 * not run. */
facet_status facet_run_steps(const facet_options *options,
                             void (*task)(void *argument, size_t index), void *argument,
                             size_t count, const char *step, const double range[2],
                             facet_error *error);

#endif
