/* base/threads.c - a small pool: workers that wait for a job and process its indices one by one. */
#include "base/threads.h"

#include "base/allocator.h"
#include "base/atomic.h"
#include "base/error.h"
#include "base/system.h"

#include <pthread.h>
#include <string.h>

#define MAX_THREADS 256

typedef struct pool {
    facet_threads threads; /* must be the first member: a pointer to it is a pointer to the pool */
    pthread_mutex_t mutex;
    pthread_cond_t wake, done;
    void (*task)(void *argument, size_t index);
    void *argument;
    size_t count;
    atomic_size_t next;
    uint64_t job;     /* number of the job, so that a worker joins it once */
    bool open;        /* workers may still join the job */
    unsigned working; /* number of workers inside the current job */
    bool stop;
    bool started;
    unsigned worker_count;
    pthread_t workers[MAX_THREADS];
} pool;

bool facet_thread_start(pthread_t *thread, size_t stack, void *(*main)(void *), void *argument)
{
    pthread_attr_t with;
    if (pthread_attr_init(&with) != 0)
        return false;
    bool started = pthread_attr_setstacksize(&with, stack) == 0 &&
                   pthread_create(thread, &with, main, argument) == 0;
    pthread_attr_destroy(&with);
    return started;
}

static void take_indices(pool *p)
{
    for (;;) {
        size_t index = atomic_fetch_add_explicit(&p->next, 1, memory_order_relaxed);
        if (index >= p->count)
            return;
        p->task(p->argument, index);
    }
}

static void *work(void *argument)
{
    pool *p = argument;
    uint64_t seen = 0;
    pthread_mutex_lock(&p->mutex);
    for (;;) {
        while (!p->stop && (!p->open || p->job == seen))
            pthread_cond_wait(&p->wake, &p->mutex);
        if (p->stop)
            break;
        seen = p->job;
        p->working++;
        pthread_mutex_unlock(&p->mutex);
        take_indices(p);
        pthread_mutex_lock(&p->mutex);
        if (--p->working == 0)
            pthread_cond_signal(&p->done);
    }
    pthread_mutex_unlock(&p->mutex);
    return NULL;
}

/* Start workers when there is work: small files need none. The pool also works with fewer threads
 * than requested. */
static void start_workers(pool *p)
{
    p->started = true;
    while (p->worker_count + 1 < p->threads.count &&
           facet_thread_start(&p->workers[p->worker_count], FACET_TASK_STACK, work, p))
        p->worker_count++;
}

static void run(void *user, void (*task)(void *argument, size_t index), void *argument,
                size_t count)
{
    pool *p = user;
    if (!p->started && count > 1)
        start_workers(p);
    pthread_mutex_lock(&p->mutex);
    p->task = task;
    p->argument = argument;
    p->count = count;
    atomic_store_explicit(&p->next, 0, memory_order_relaxed);
    p->open = true;
    p->job++;
    pthread_cond_broadcast(&p->wake);
    pthread_mutex_unlock(&p->mutex);
    take_indices(p);
    /* Workers that have not joined yet need not be waited for: nothing is left to do. */
    pthread_mutex_lock(&p->mutex);
    p->open = false;
    while (p->working > 0)
        pthread_cond_wait(&p->done, &p->mutex);
    pthread_mutex_unlock(&p->mutex);
}

facet_status facet_threads_create(unsigned count, const facet_threads **threads, facet_error *error)
{
    if (count == 0) {
        count = facet_system_processors();
    }
    if (count > MAX_THREADS)
        count = MAX_THREADS;
    const facet_allocator *allocator = facet_allocator_or_default(NULL);
    pool *p = allocator->allocate(allocator->user, sizeof *p);
    if (!p)
        return facet_fail_memory(error, sizeof *p);
    memset(p, 0, sizeof *p);
    pthread_mutex_init(&p->mutex, NULL);
    pthread_cond_init(&p->wake, NULL);
    pthread_cond_init(&p->done, NULL);
    atomic_init(&p->next, 0);
    p->threads.run = run;
    p->threads.user = p;
    p->threads.count = count;
    *threads = &p->threads;
    return FACET_OK;
}

void facet_threads_free(const facet_threads *threads)
{
    if (!threads)
        return;
    pool *p = threads->user;
    pthread_mutex_lock(&p->mutex);
    p->stop = true;
    pthread_cond_broadcast(&p->wake);
    pthread_mutex_unlock(&p->mutex);
    for (unsigned i = 0; i < p->worker_count; i++)
        pthread_join(p->workers[i], NULL);
    pthread_cond_destroy(&p->done);
    pthread_cond_destroy(&p->wake);
    pthread_mutex_destroy(&p->mutex);
    const facet_allocator *allocator = facet_allocator_or_default(NULL);
    allocator->release(allocator->user, p, sizeof *p);
}

/* -- The caller's threads ----------------------------------------------- */

unsigned facet_thread_count(const facet_options *options)
{
    return options && options->threads && options->threads->count > 1 ? options->threads->count : 1;
}

void facet_run(const facet_options *options, void (*task)(void *argument, size_t index),
               void *argument, size_t count)
{
    if (count > 1 && facet_thread_count(options) > 1) {
        options->threads->run(options->threads->user, task, argument, count);
        return;
    }
    for (size_t i = 0; i < count; i++)
        task(argument, i);
}

typedef struct parted {
    facet_part_task task;
    void *argument;
    size_t count, part;
} parted;

static void take_part(void *argument, size_t part)
{
    const parted *p = argument;
    size_t first = part * p->part, left = p->count - first;
    p->task(p->argument, part, first, first + (left < p->part ? left : p->part));
}

size_t facet_run_parts(const facet_options *options, facet_part_task task, void *argument,
                       size_t count, size_t least)
{
    size_t part = count / FACET_MAX_PARTS + (count % FACET_MAX_PARTS > 0);
    parted p = {task, argument, count, part > least ? part : least};
    size_t parts = count / p.part + (count % p.part > 0);
    facet_run(options, take_part, &p, parts);
    return parts;
}

/* -- With progress ------------------------------------------------------ */

#define MAX_ROUNDS 32
/* Maximum number of callback calls: for many small tasks, not every task is reported. */
#define MAX_CALLS 1024

typedef struct heard_tasks {
    void (*task)(void *argument, size_t index);
    void *argument;
    size_t first, count;
    const facet_options *options;
    const char *step;
    const double *range;
    facet_error *error;
    pthread_t caller;
    bool heard;          /* the callback was called in this round */
    size_t reported;     /* number of finished tasks at the last callback call */
    facet_status status; /* of the callback. Only the calling thread uses this member and the two
                            before it */
    atomic_size_t done;
    atomic_bool canceled;
} heard_tasks;

static void tell(heard_tasks *h)
{
    size_t done = atomic_load_explicit(&h->done, memory_order_relaxed);
    h->heard = true;
    h->reported = done;
    h->status = facet_step_within(h->options, h->step, h->range, done, h->count, h->error);
    if (h->status)
        atomic_store_explicit(&h->canceled, true, memory_order_relaxed);
}

static void take_heard(void *argument, size_t index)
{
    heard_tasks *h = argument;
    if (atomic_load_explicit(&h->canceled, memory_order_relaxed))
        return;
    h->task(h->argument, h->first + index);
    size_t done = atomic_fetch_add_explicit(&h->done, 1, memory_order_relaxed) + 1;
    if (pthread_equal(pthread_self(), h->caller) && done - h->reported > h->count / MAX_CALLS)
        tell(h);
}

facet_status facet_run_steps(const facet_options *options,
                             void (*task)(void *argument, size_t index), void *argument,
                             size_t count, const char *step, const double range[2],
                             facet_error *error)
{
    heard_tasks h = {.task = task,
                     .argument = argument,
                     .count = count,
                     .options = options,
                     .step = step,
                     .range = range,
                     .error = error,
                     .caller = pthread_self()};
    if (!options || !options->progress) {
        facet_run(options, task, argument, count);
        return FACET_OK;
    }
    atomic_init(&h.done, 0);
    atomic_init(&h.canceled, false);
    /* Whole rounds of all threads, so that no thread waits longer than necessary. */
    size_t threads = facet_thread_count(options);
    size_t turns = (count + threads * MAX_ROUNDS - 1) / (threads * MAX_ROUNDS);
    size_t most = threads * (turns > 0 ? turns : 1);
    for (; h.first < count && !h.status; h.first += most) {
        if (!h.heard)
            tell(&h);
        h.heard = false;
        if (!h.status)
            facet_run(options, take_heard, &h, count - h.first < most ? count - h.first : most);
    }
    return h.status;
}
