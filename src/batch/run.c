/* batch/run.c - all items, run by threads of this process. A thread without an item helps the
 * others. */
#include "base/json.h"
#include "base/threads.h"
#include "batch/dedup.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* -- Signals ------------------------------------------------------------ */

/* Global, because a signal handler has no other data. */
static int wake_descriptors[2] = {-1, -1};
static volatile sig_atomic_t signal_count;

static void on_signal(int number)
{
    int saved = errno;
    if (number != SIGCHLD) /* a process that ends only wakes the batch */
        signal_count++;
    cli_batch_wake();
    errno = saved;
}

void cli_batch_wake(void)
{
    /* If the pipe is full, the reader wakes anyway. */
    if (write(wake_descriptors[1], "", 1) < 0)
        return;
}

static const int stopping[] = {SIGTERM, SIGINT, SIGHUP};

sigset_t cli_batch_stopping_signals(void)
{
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < sizeof stopping / sizeof *stopping; i++)
        sigaddset(&set, stopping[i]);
    return set;
}

int cli_batch_catch_signals(void)
{
    if (wake_descriptors[0] >= 0) /* created for an earlier shard */
        return wake_descriptors[0];
    if (pipe(wake_descriptors) != 0)
        return -1;
    for (int i = 0; i < 2; i++) {
        fcntl(wake_descriptors[i], F_SETFL, O_NONBLOCK);
        fcntl(wake_descriptors[i], F_SETFD, FD_CLOEXEC);
    }
    struct sigaction action = {0};
    action.sa_handler = on_signal;
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof stopping / sizeof *stopping; i++)
        sigaction(stopping[i], &action, NULL);
    action.sa_flags = SA_RESTART | SA_NOCLDSTOP;
    sigaction(SIGCHLD, &action, NULL);
    action.sa_flags = 0;
    action.sa_handler = SIG_IGN; /* report a closed reader of the results as a write error */
    sigaction(SIGPIPE, &action, NULL);
    return wake_descriptors[0];
}

unsigned cli_batch_signals(void)
{
    char bytes[64];
    while (read(wake_descriptors[0], bytes, sizeof bytes) > 0)
        continue;
    return (unsigned)signal_count;
}

/* -- Items -------------------------------------------------------------- */

cli_batch_item *cli_batch_take(cli_batch *batch)
{
    if (atomic_load(&batch->stop))
        return NULL;
    size_t next = atomic_fetch_add(&batch->next, 1);
    return next < batch->todo ? &batch->items.items[batch->order[next]] : NULL;
}

void cli_batch_stop_for_system(cli_batch *batch, const char *sentence)
{
    atomic_store(&batch->stop, true);
    if (!atomic_exchange(&batch->faulted, true))
        cli_complain(NULL, "stopped: %s; run it again with --resume", sentence);
}

/* Message for a system error, or NULL if the item caused the error. */
static const char *fault_of_system(const facet_json *line)
{
    const char *code = facet_json_string_value(facet_json_object_get(line, "code"));
    const facet_json *first = facet_json_array_get(facet_json_object_get(line, "findings"), 0);
    if (!code || strcmp(code, "SYSTEM-FAULT") != 0)
        return NULL;
    const char *sentence = facet_json_string_value(facet_json_object_get(first, "message"));
    return sentence ? sentence : code;
}

/* Fail an item that wrote a file next to its output which belongs to another item. Names of such
 * files are known only now. */
static void check_files_next_to_output(cli_batch *batch, facet_json *line)
{
    const facet_json *outputs = facet_json_object_get(line, "outputs");
    const char *id = facet_json_string_value(facet_json_object_get(line, "id"));
    const char *status = facet_json_string_value(facet_json_object_get(line, "status"));
    if (!id || !status || strcmp(status, "ok") != 0)
        return;
    for (size_t i = 0; i < facet_json_array_size(outputs); i++) {
        const char *text = facet_json_string_value(
            facet_json_object_get(facet_json_array_get(outputs, i), "path"));
        char path[FACET_PATH_MAX];
        if (!text || strlen(text) >= sizeof path)
            continue;
        cli_decode_name(strcpy(path, text));
        const char *owner =
            cli_batch_paths_owner(&batch->items, path, id, batch->results.tar.path != NULL);
        if (!owner)
            continue;
        facet_error error = {.status = FACET_ERROR_IO, .offset = FACET_NO_OFFSET};
        snprintf(error.rule, sizeof error.rule, "OUTPUT-CLASH");
        snprintf(error.message, sizeof error.message,
                 "'%.150s' is also a file of item '%.150s'; name the outputs in another way", path,
                 owner);
        facet_json *findings = facet_json_array();
        facet_json_append(findings, cli_json_of_error(&error));
        facet_json_set(line, "status", facet_json_string("failed"));
        facet_json_set(line, "code", facet_json_string(error.rule));
        facet_json_set(line, "findings", findings);
        return;
    }
}

void cli_batch_finish(cli_batch *batch, facet_json *line, const cli_tar_bytes *packed)
{
    const char *fault = fault_of_system(line);
    if (fault) { /* the item has no line, so the attempt is not counted */
        cli_batch_stop_for_system(batch, fault);
        facet_json_free(line);
        return;
    }
    /* After too many attempts, do not try again. */
    if (facet_json_integer_value(facet_json_object_get(line, "attempt")) >=
        (int64_t)batch->attempts)
        facet_json_set(line, "retry", facet_json_boolean(false));
    if (facet_json_object_get(line, "outputs")) {
        pthread_mutex_lock(&batch->results.mutex);
        check_files_next_to_output(batch, line);
        pthread_mutex_unlock(&batch->results.mutex);
    }
    cli_results_add(&batch->results, line, packed);
    pthread_mutex_lock(&batch->results.mutex);
    bool enough = batch->results.failed || (batch->most_failures > 0 &&
                                            batch->results.counts.failed >= batch->most_failures);
    pthread_mutex_unlock(&batch->results.mutex);
    if (enough)
        atomic_store(&batch->stop, true);
}

/* -- The thread pool ----------------------------------------------------- */

/* Work that a thread shares with others: one task for each index. */
typedef struct share {
    void (*task)(void *argument, size_t index);
    void *argument;
    size_t count;
    atomic_size_t next;
    unsigned helpers;
    struct share *following;
} share;

typedef struct pool {
    facet_threads threads;
    cli_batch *batch;
    bool packs; /* outputs go to a tar, whose path changes from part to part */
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    share *shares;
    unsigned busy;                                 /* number of threads that run an item */
    FACET_ATOMIC(const cli_batch_item *) *running; /* current item of each thread, or NULL */
} pool;

typedef struct worker {
    pool *pool;
    unsigned number;
} worker;

static void take_indices(share *s)
{
    for (size_t i; (i = atomic_fetch_add(&s->next, 1)) < s->count;)
        s->task(s->argument, i);
}

/* Implements facet_threads.run: idle threads help. */
static void run_shared(void *user, void (*task)(void *argument, size_t index), void *argument,
                       size_t count)
{
    pool *p = user;
    share own = {.task = task, .argument = argument, .count = count};
    atomic_init(&own.next, 0);
    pthread_mutex_lock(&p->mutex);
    own.following = p->shares;
    p->shares = &own;
    if (p->busy < p->threads.count)
        pthread_cond_broadcast(&p->changed);
    pthread_mutex_unlock(&p->mutex);
    take_indices(&own);
    pthread_mutex_lock(&p->mutex);
    share **link = &p->shares;
    while (*link != &own)
        link = &(*link)->following;
    *link = own.following;
    while (own.helpers > 0)
        pthread_cond_wait(&p->changed, &p->mutex);
    pthread_mutex_unlock(&p->mutex);
}

/* Help the others until the last item is done. */
static void help(pool *p)
{
    pthread_mutex_lock(&p->mutex);
    p->busy--;
    pthread_cond_broadcast(&p->changed);
    while (p->busy > 0) {
        share *s = p->shares;
        while (s && atomic_load(&s->next) >= s->count)
            s = s->following;
        if (!s) {
            pthread_cond_wait(&p->changed, &p->mutex);
            continue;
        }
        s->helpers++;
        pthread_mutex_unlock(&p->mutex);
        take_indices(s);
        pthread_mutex_lock(&p->mutex);
        if (--s->helpers == 0)
            pthread_cond_broadcast(&p->changed);
    }
    pthread_mutex_unlock(&p->mutex);
}

static bool may_go_on(void *user, const char *step, double fraction)
{
    const cli_batch *batch = user;
    (void)step, (void)fraction;
    return !atomic_load(&batch->cancel);
}

/* Minimal size of an item whose work is shared: it may run longer than the other items. */
#define WORTH_HELP ((uint64_t)4 << 20)

/* Line of an item, or NULL: it was canceled, or must run in a separate process. */
static facet_json *run_item(cli_batch *batch, cli_batch_item *item, cli_record *record)
{
    facet_json *copied = batch->copies ? cli_dedup_copy(batch, item, record) : NULL;
    item->apart = batch->copies && !copied && item->risky;
    return copied || item->apart ? copied : cli_batch_run_item(batch->job, item, record);
}

static void *work(void *argument)
{
    const worker *w = argument;
    pool *p = w->pool;
    cli_batch *batch = p->batch;
    cli_kept_archive kept = {0};
    cli_record record = {.kept = &kept,
                         .progress = may_go_on,
                         .progress_user = batch,
                         .unsynced = true,
                         .packs = p->packs};
    for (cli_batch_item *item; (item = cli_batch_take(batch));) {
        cli_batch_journal_begin(batch, w->number, item);
        bool last = atomic_load(&batch->next) + p->threads.count > batch->todo;
        record.threads =
            p->threads.count > 1 && (last || item->bytes >= WORTH_HELP) ? &p->threads : NULL;
        atomic_store(&p->running[w->number], item);
        facet_json *line = run_item(batch, item, &record);
        if (line)
            cli_dedup_keep(batch, item, line);
        if (line)
            cli_batch_finish(batch, line, &record.tar);
        atomic_store(&p->running[w->number], NULL);
    }
    cli_record_free(&record);
    free(record.folder);
    cli_kept_close(&kept);
    help(p);
    cli_batch_wake();
    return NULL;
}

/* -- All items ---------------------------------------------------------- */

static bool is_over(pool *p)
{
    pthread_mutex_lock(&p->mutex);
    bool over = p->busy == 0;
    pthread_mutex_unlock(&p->mutex);
    return over;
}

/* Wait for the threads, and write results meanwhile. False if items continue although they should
 * have stopped. */
static bool attend(pool *p, int descriptor)
{
    cli_batch *batch = p->batch;
    double stopped = 0;
    while (!is_over(p)) {
        struct pollfd wake = {descriptor, POLLIN, 0};
        poll(&wake, 1, 200);
        unsigned signals = cli_batch_signals();
        if (signals > 0 && stopped == 0) {
            stopped = cli_seconds();
            atomic_store(&batch->stop, true);
        }
        if (signals > 1 || (stopped > 0 && cli_seconds() - stopped > batch->grace))
            atomic_store(&batch->cancel, true);
        cli_results_flush(&batch->results);
        cli_claim_touch(batch->claim);
        cli_progress_tick(batch->progress, &batch->results.counts);
        if (stopped > 0 && cli_seconds() - stopped > batch->grace + (signals > 1 ? 0 : 2))
            return false;
    }
    return true;
}

/* Items hang: remove their incomplete files, and exit without waiting for their threads. */
static void abandon(pool *p)
{
    for (unsigned i = 0; i < p->threads.count; i++) {
        const cli_batch_item *item = atomic_load(&p->running[i]);
        if (item)
            cli_batch_remove_leftovers(item, (long)getpid());
    }
    cli_results_flush(&p->batch->results);
    _exit(EXIT_RESUME);
}

int cli_batch_run(cli_batch *batch, int descriptor)
{
    unsigned count = batch->jobs;
    pool p = {.batch = batch, .packs = batch->results.tar.path != NULL};
    pthread_t *threads = calloc(count, sizeof *threads);
    worker *workers = calloc(count, sizeof *workers);
    p.running = calloc(count, sizeof *p.running);
    bool made = threads && workers && p.running;
    p.threads = (facet_threads){run_shared, &p, count};
    pthread_mutex_init(&p.mutex, NULL);
    pthread_cond_init(&p.changed, NULL);
    p.busy = count;
    unsigned started = 0;
    for (; made && started < count; started++) {
        workers[started] = (worker){&p, started};
        if (!facet_thread_start(&threads[started], FACET_COMMAND_STACK, work, &workers[started]))
            break;
    }
    pthread_mutex_lock(&p.mutex); /* the batch also works with fewer threads */
    p.busy -= count - started;
    pthread_mutex_unlock(&p.mutex);
    if (started == 0)
        cli_complain(NULL, "cannot start a thread");
    else if (!attend(&p, descriptor))
        abandon(&p);
    for (unsigned i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    pthread_mutex_destroy(&p.mutex);
    pthread_cond_destroy(&p.changed);
    free(p.running);
    free(workers);
    free(threads);
    return started > 0 ? EXIT_DONE : EXIT_SYSTEM;
}
