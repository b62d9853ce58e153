/* batch/isolate.c - all items, run by processes of 'facet worker'. An item that crashes, hangs or
 * uses all memory ends only its process. */
#include "base/grow.h"
#include "base/json.h"
#include "batch/dedup.h"
#include "batch/hooked_item.h"
#include "batch/identify.h"
#include "batch/products.h"
#include "batch/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* A worker process, and the item that it runs. */
typedef struct child {
    pid_t process;              /* 0: no process */
    int to, from;               /* its standard input and output */
    cli_batch_item *item;       /* current item */
    cli_hooked_item hooked;     /* the item with its hooks, if it has any */
    const cli_batch_item *last; /* last item sent; NULL: from a stream */
    double began;
    unsigned items;  /* number of items sent */
    uint64_t sample; /* number of its last sample; 0: none */
    bool late;       /* the process or a hook was killed after a timeout */
    bool lacks;      /* killed: no memory for its answer */
    bool worn;       /* an item used up its memory: replaced before the next item */
    bool repeats;    /* the item runs again, in a new process */
    char *text;      /* answer received so far */
    size_t used, space;
    facet_json *answer; /* line of the answer; NULL: not complete yet */
    size_t packed;      /* offset in `text` of the outputs after the line */
} child;

/* -- Processes ---------------------------------------------------------- */

static bool spawn(const cli_batch *batch, child *c, char **words)
{
    int requests[2] = {-1, -1}, answers[2] = {-1, -1};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    /* A signal to the whole group must not end a worker that does not ignore it yet. */
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t blocked = cli_batch_stopping_signals();
    posix_spawnattr_setsigmask(&attributes, &blocked);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    bool made = cli_hook_open_pipe(requests) && cli_hook_open_pipe(answers);
    if (made) {
        errno = posix_spawn_file_actions_adddup2(&actions, requests[0], STDIN_FILENO);
        if (errno == 0)
            errno = posix_spawn_file_actions_adddup2(&actions, answers[1], STDOUT_FILENO);
        made = errno == 0;
    }
    if (made) {
        const char *self = "/proc/self/exe";
        const char *program = access(self, X_OK) == 0 ? self : batch->program;
        errno = posix_spawnp(&c->process, program, &actions, &attributes, words, environ);
        made = errno == 0;
    }
    int code = errno;
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    close(requests[0]);
    close(answers[1]);
    if (!made) {
        close(requests[1]);
        close(answers[0]);
        c->process = 0;
        errno = code; /* closing -1 sets another */
        return false;
    }
    c->to = requests[1];
    c->from = answers[0];
    c->items = 0;
    c->sample = 0;
    c->used = 0;
    c->late = c->lacks = c->worn = false;
    return true;
}

/* Wait for a process that is about to end. Its status. */
static int reap(child *c)
{
    int status = 0;
    close(c->to);
    close(c->from);
    while (waitpid(c->process, &status, 0) < 0 && errno == EINTR)
        continue;
    c->process = 0;
    return status;
}

/* -- Items -------------------------------------------------------------- */

static void write_all(int descriptor, const void *bytes, size_t size)
{
    const char *text = bytes;
    for (size_t left = size; left > 0;) {
        ssize_t written = write(descriptor, text, left);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return; /* the process ended: the missing answer shows that */
        text += written;
        left -= (size_t)written;
    }
}

static void let_go(const cli_batch *batch, child *c)
{
    cli_hooked_item_end(&c->hooked);
    if (batch->stream)
        cli_stream_release(c->item);
    c->item = NULL;
}

/* The item with the paths that its process uses. */
static const cli_batch_item *seen(const child *c)
{
    return c->hooked.arena ? &c->hooked.item : c->item;
}

/* Stop the batch: this system cannot run the item of the child. */
static bool stop_at(cli_batch *batch, child *c, const char *what)
{
    char sentence[200];
    snprintf(sentence, sizeof sentence, "%s: %s", what, strerror(errno));
    cli_batch_stop_for_system(batch, sentence);
    let_go(batch, c);
    return false;
}

/* The request that sends an item to a worker, as a line that the caller frees; NULL if out of
 * memory. `sample`: the sample of the item, or NULL; `follows`: its bytes follow the request. */
static char *make_request(const cli_batch_job *job, const cli_batch_item *item,
                          const cli_tar_bytes *sample, bool follows)
{
    facet_json *request = facet_json_object(), *words = facet_json_array();
    for (int i = 0; i < cli_batch_more_of(item)->word_count; i++)
        facet_json_append(words, cli_json_name(cli_batch_more_of(item)->words[i]));
    facet_json_set(request, "id", facet_json_string(item->id));
    facet_json_set(request, "in", cli_json_name(item->in));
    if (item->out)
        facet_json_set(request, "out", cli_json_name(item->out));
    facet_json_set(request, "args", words);
    facet_json_set(request, "attempt", facet_json_integer((int64_t)item->attempt));
    if (cli_batch_more_of(item)->sha256)
        facet_json_set(request, "sha256", facet_json_string(cli_batch_more_of(item)->sha256));
    if (item->changed > 0)
        facet_json_set(request, "in_ns", facet_json_integer(item->changed));
    facet_json_set(request, "run", facet_json_integer((int64_t)item->run));
    size_t also_count = cli_batch_more_of(item)->also_count;
    facet_json *also = also_count > 0 ? facet_json_array() : NULL;
    for (size_t i = 0; i < also_count; i++)
        facet_json_append(also, cli_json_name(cli_batch_more_of(item)->also[i]));
    if (also_count > 0)
        facet_json_set(request, "also", also);
    if (cli_batch_products_has_line(job))
        cli_batch_add_columns(request, item);
    /* A request that lost a name has no line: the worker would read the sample as requests. */
    char *archive = sample ? strndup(item->in, item->in_archive) : NULL;
    if (sample)
        facet_json_set(request, "archive", archive ? cli_json_name(archive) : NULL);
    if (sample && follows)
        facet_json_set(request, "archive_bytes", facet_json_integer((int64_t)sample->size));
    free(archive);
    char *line = cli_json_line(request);
    facet_json_free(request);
    return line;
}

/* Send a child its item. False if that fails. */
static bool send_item(cli_batch *batch, child *c, char **words)
{
    uint64_t number = 0;
    const cli_tar_bytes *sample = batch->stream ? cli_stream_sample(c->item, &number) : NULL;
    bool runs = c->process || spawn(batch, c, words), follows = runs && c->sample != number;
    char *request = runs ? make_request(batch->job, seen(c), sample, follows) : NULL;
    if (!request)
        return stop_at(batch, c, "cannot start a process");
    c->last = sample ? NULL : c->item;
    c->began = cli_seconds();
    c->items++;
    write_all(c->to, request, strlen(request));
    if (follows)
        write_all(c->to, sample->data, sample->size);
    c->sample = number;
    free(request);
    return true;
}

/* Write a line for an item whose hook failed. */
static void fail_hook(cli_batch *batch, child *c, const char *code, cli_hook_result result,
                      const char *failure)
{
    char sentence[200], options[65];
    const cli_hook *hook = strcmp(code, "HOOK-FETCH") == 0 ? batch->fetch : batch->store;
    snprintf(sentence, sizeof sentence, "the command of --%s %s", hook->option,
             result == CLI_HOOK_SYSTEM ? "cannot be run, or asks to be run later (exit status 75)"
             : c->late                 ? "took too long"
                                       : failure);
    if (result == CLI_HOOK_SYSTEM)
        cli_batch_stop_for_system(batch, sentence);
    /* A signal that stops the batch also stops its hooks. */
    bool drops = result == CLI_HOOK_SYSTEM || (atomic_load(&batch->stop) && !c->late);
    facet_json *line =
        drops ? NULL
              : cli_batch_line(c->item, c->late ? "timeout" : "failed", c->late ? "TIMEOUT" : code,
                               result != CLI_HOOK_FAILED, sentence);
    cli_identify_options(batch->job, c->item, options);
    if (line) {
        facet_json_set(line, "options", facet_json_string(options));
        cli_batch_finish(batch, line, NULL);
    }
    c->late = false;
    let_go(batch, c);
}

static cli_hook_result not_started(void)
{
    return errno == EINVAL ? CLI_HOOK_FAILED : CLI_HOOK_SYSTEM;
}

/* Give an item to a child. False if no item is left, or none can be sent. */
static bool give(cli_batch *batch, child *c, unsigned slot, char **words)
{
    cli_batch_item *item = batch->stream ? cli_stream_take(batch->stream) : cli_batch_take(batch);
    if (!item)
        return false;
    if (item->endless && batch->timeout == 0) {
        const char *sentence = CLI_ENDLESS_INPUT ", or --timeout";
        cli_batch_finish(batch, cli_batch_line(item, "failed", "INPUT-KIND", false, sentence),
                         NULL);
        return !atomic_load(&batch->stop);
    }
    c->item = item;
    c->began = cli_seconds();
    c->late = false;
    if (batch->folder && !cli_hooked_item_begin(&c->hooked, batch, slot, item))
        return stop_at(batch, c, "the folder of an item");
    cli_batch_journal_begin(batch, slot, item);
    if (!batch->fetch)
        return send_item(batch, c, words);
    if (!cli_hooked_item_fetch(&c->hooked, batch, item))
        fail_hook(batch, c, "HOOK-FETCH", not_started(), "failed");
    return !atomic_load(&batch->stop);
}

/* -- Hooks -------------------------------------------------------------- */

/* Store the next output of the item, or write its line when all outputs are stored. */
static void store_next(cli_batch *batch, child *c)
{
    cli_hooked_item *e = &c->hooked;
    c->began = cli_seconds();
    if (e->stored < e->count) {
        if (!cli_hooked_item_store(e, batch))
            fail_hook(batch, c, "HOOK-STORE", not_started(), "failed");
        return;
    }
    facet_json *line = e->line;
    e->line = NULL;
    cli_batch_finish(batch, line, NULL);
    let_go(batch, c);
}

/* Continue with the item of a child if its hook has ended. */
static void follow_hook(cli_batch *batch, child *c, char **words)
{
    cli_hooked_item *e = &c->hooked;
    cli_hook_result result;
    if (!cli_hook_has_ended(e->process, &result))
        return;
    e->process = 0;
    const char *failure = "failed";
    if (result == CLI_HOOK_DONE && !e->line && access(e->item.in, F_OK) != 0) {
        result = CLI_HOOK_RETRY;
        failure = "ended without writing {file}";
    }
    if (result != CLI_HOOK_DONE)
        fail_hook(batch, c, e->line ? "HOOK-STORE" : "HOOK-FETCH", result, failure);
    else if (!e->line)
        send_item(batch, c, words);
    else {
        e->stored++;
        store_next(batch, c);
    }
}

/* -- Answers ------------------------------------------------------------ */

/* Write the line of an item whose process ended without an answer. */
static void explain_end(const cli_batch *batch, const child *c, int status, facet_json **line)
{
    char sentence[200], code[32];
    int number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    static const struct {
        int number;
        const char *name;
    } names[] = {{SIGSEGV, "SIGSEGV"}, {SIGABRT, "SIGABRT"}, {SIGBUS, "SIGBUS"},
                 {SIGFPE, "SIGFPE"},   {SIGILL, "SIGILL"},   {SIGKILL, "SIGKILL"},
                 {SIGTERM, "SIGTERM"}, {SIGXCPU, "SIGXCPU"}, {SIGTRAP, "SIGTRAP"}};
    if (c->late) {
        snprintf(sentence, sizeof sentence, "not done after %g seconds", batch->timeout);
        *line = cli_batch_line(c->item, "timeout", "TIMEOUT", true, sentence);
        return;
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == CLI_BATCH_WORKER_LOST_INPUT) {
        *line = cli_batch_line(c->item, "failed", "FILE-CHANGED", true,
                               "the file became shorter, or its disk failed, while it was read");
        return;
    }
    snprintf(code, sizeof code, number ? "SIGNAL-%d" : "EXIT-%d",
             number ? number : WEXITSTATUS(status));
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (number == names[i].number)
            snprintf(code, sizeof code, "%s", names[i].name);
    }
    /* A SIGKILL usually means that the system is out of memory. If a worker lacks memory for a
     * sample, it reports that itself. */
    bool lacks =
        c->lacks || (WIFEXITED(status) && WEXITSTATUS(status) == CLI_BATCH_WORKER_LACKS_MEMORY);
    bool memory = number == SIGKILL || lacks;
    if (lacks)
        snprintf(code, sizeof code, "out of memory");
    snprintf(sentence, sizeof sentence, "the process that worked on it ended (%s)%s", code,
             memory ? ", as when out of memory" : "");
    *line = cli_batch_line(c->item, memory ? "memory" : "crashed", code, memory, sentence);
}

/* Add the hashes of an item whose process did not compute them. */
static void identify(const cli_batch *batch, const child *c, facet_json *line)
{
    cli_kept_archive kept = {0};
    if (batch->stream) {
        const cli_tar_bytes *sample = cli_stream_sample(c->item, NULL);
        char *archive = strndup(c->item->in, c->item->in_archive);
        if (archive)
            cli_kept_sample(&kept, archive, sample->data, sample->size);
        free(archive);
    }
    cli_batch_identify(line, batch->job, seen(c), &kept);
    cli_kept_close(&kept);
}

/* True if the result of an item may differ in a new process. Earlier items of a process leave less
 * of its memory: parts of the heap, and modules that were opened. */
static bool lacks_what_others_took(const cli_batch *batch, const child *c)
{
    return batch->memory > 0 && c->item && c->items > 1 && !c->late;
}

/* End the process of a child, and run its item again in a new one. */
static void repeat(child *c)
{
    long process = (long)c->process;
    kill(c->process, SIGKILL);
    reap(c);
    cli_batch_remove_leftovers(seen(c), process);
    facet_json_free(c->answer);
    c->answer = NULL;
    c->used = 0;
    c->repeats = true;
    c->began = cli_seconds();
}

static void bury(cli_batch *batch, child *c, bool dropped)
{
    if (!dropped && c->process > 0 && lacks_what_others_took(batch, c)) {
        repeat(c);
        return;
    }
    long process = (long)c->process;
    int status = process > 0 ? reap(c) : 0;
    c->repeats = false;
    if (!c->item)
        return;
    cli_batch_remove_leftovers(seen(c), process);
    facet_json *line = NULL;
    if (!dropped)
        explain_end(batch, c, status, &line);
    if (line)
        identify(batch, c, line);
    if (line)
        facet_json_set(line, "ms",
                       facet_json_real((double)(int64_t)((cli_seconds() - c->began) * 1e3)));
    if (line)
        cli_batch_finish(batch, line, NULL);
    facet_json_free(c->answer);
    c->answer = NULL;
    let_go(batch, c);
}

static const char *status_of(const facet_json *line)
{
    const char *status = facet_json_string_value(facet_json_object_get(line, "status"));
    return status ? status : "";
}

/* Read from a child. False if its process ended. */
static bool hear(cli_batch *batch, child *c)
{
    if (!FACET_GROW_HEAP(c->text, c->used + 4096, c->space)) {
        c->lacks = true;
        return false;
    }
    ssize_t got = read(c->from, c->text + c->used, c->space - c->used);
    if (got < 0 && errno == EINTR)
        return true;
    if (got <= 0)
        return false;
    size_t before = c->used;
    c->used += (size_t)got;
    char *end = c->answer ? NULL : memchr(c->text + before, '\n', (size_t)got);
    if (!c->item || (!c->answer && !end))
        return true;
    if (end) {
        c->packed = (size_t)(end - c->text) + 1;
        facet_json_fault fault = {0};
        c->answer = facet_json_read(c->text, c->packed, 0, &fault);
        c->lacks |= !c->answer && fault.memory;
    }
    int64_t size = facet_json_integer_value(facet_json_object_get(c->answer, "tar_bytes"));
    if (!c->answer || size < 0)
        return false;
    if (c->used - c->packed < (size_t)size)
        return true;
    const char *code = facet_json_string_value(facet_json_object_get(c->answer, "code"));
    c->worn |= strcmp(status_of(c->answer), "memory") == 0;
    if (c->worn && lacks_what_others_took(batch, c)) {
        repeat(c);
        return true;
    }
    if (code && strcmp(code, "REQUEST") == 0) /* the worker may not have read the sample */
        c->sample = 0;
    cli_tar_bytes packed = {(uint8_t *)c->text + c->packed, (size_t)size, 0};
    cli_batch_add_columns(c->answer, c->item);
    facet_json *line = c->answer;
    c->answer = NULL;
    c->used = 0;
    if (batch->folder && !cli_hooked_item_restore(&c->hooked, batch, c->item, line)) {
        facet_json_free(line);
        return stop_at(batch, c, "the line of an item");
    }
    if (c->hooked.count > 0 && strcmp(status_of(line), "ok") == 0) {
        c->hooked.line = line;
        store_next(batch, c);
        return true;
    }
    cli_dedup_keep(batch, c->item, line);
    cli_batch_finish(batch, line, &packed);
    let_go(batch, c);
    return true;
}

/* -- All items ---------------------------------------------------------- */

/* Collect the working children; *polled is their descriptors, after the wake descriptor. */
static nfds_t gather(child *children, unsigned count, int descriptor, struct pollfd *polled,
                     child **who)
{
    nfds_t used = 1;
    polled[0] = (struct pollfd){descriptor, POLLIN, 0};
    for (unsigned i = 0; i < count; i++) {
        if (!children[i].item)
            continue;
        who[used] = &children[i];
        bool hooked = children[i].hooked.process > 0;
        int from = hooked ? -1 : children[i].from; /* the end of a hook wakes this process */
        polled[used++] = (struct pollfd){from, POLLIN, 0};
    }
    return used;
}

/* Milliseconds until the next timed action. */
static int pause_for(const cli_batch *batch, child *const *who, nfds_t count)
{
    double least = 0.2, now = cli_seconds();
    for (nfds_t i = 1; i < count && batch->timeout > 0; i++) {
        double left = who[i]->began + batch->timeout - now;
        least = left < least ? left : least;
    }
    return least > 0 ? (int)(least * 1000) + 1 : 0;
}

static void kill_late(const cli_batch *batch, child *const *who, nfds_t count)
{
    double now = cli_seconds();
    for (nfds_t i = 1; i < count && batch->timeout > 0; i++) {
        if (now - who[i]->began < batch->timeout || who[i]->late)
            continue;
        who[i]->late = true;
        if (who[i]->hooked.process > 0)
            cli_hook_kill(who[i]->hooked.process);
        else
            kill(who[i]->process, SIGKILL);
    }
}

/* Number of items until a process is replaced. A new process reads the archive of its items again.
 * So it is replaced at most 16 times for the items of one archive. */
static unsigned life_of(const cli_batch *batch, const cli_batch_item *last)
{
    size_t share = (batch->todo + 15) / 16;
    return last && last->in_archive > 0 && share > batch->recycle ? (unsigned)share
                                                                  : batch->recycle;
}

static void feed(cli_batch *batch, child *children, unsigned count, char **words)
{
    for (unsigned i = 0; i < count; i++) {
        if (children[i].repeats)
            send_item(batch, &children[i], words);
        children[i].repeats = false;
    }
    for (unsigned i = 0; i < count; i++) {
        child *c = &children[i];
        if (c->item)
            continue;
        if (c->process && (c->worn || c->items >= life_of(batch, c->last)))
            bury(batch, c, true);
        while (!c->item) { /* an item whose input cannot be fetched ends immediately */
            if (!give(batch, c, i, words))
                return;
        }
    }
}

static void work(cli_batch *batch, child *children, unsigned count, int descriptor, char **words,
                 struct pollfd *polled, child **who)
{
    double stopped = 0, flushed = cli_seconds();
    for (;;) {
        unsigned signals = cli_batch_signals();
        if (signals > 0 && stopped == 0) {
            stopped = cli_seconds();
            atomic_store(&batch->stop, true);
        }
        for (unsigned i = 0; i < count; i++) {
            if (children[i].item && children[i].hooked.process > 0)
                follow_hook(batch, &children[i], words);
        }
        feed(batch, children, count, words);
        nfds_t used = gather(children, count, descriptor, polled, who);
        if (used == 1 && (!batch->stream || cli_stream_is_over(batch->stream)))
            return;
        bool drop = signals > 1 || (stopped > 0 && cli_seconds() - stopped > batch->grace);
        for (nfds_t i = 1; i < used && drop; i++) {
            if (who[i]->process > 0) /* the hook may be its first process */
                kill(who[i]->process, SIGKILL);
            bury(batch, who[i], true);
        }
        if (drop)
            return;
        int ready = poll(polled, used, pause_for(batch, who, used));
        for (nfds_t i = 1; i < used && ready > 0; i++) {
            if (polled[i].revents && !hear(batch, who[i]))
                bury(batch, who[i], false);
        }
        used = gather(children, count, descriptor, polled, who);
        kill_late(batch, who, used);
        if (cli_seconds() - flushed > 0.2) {
            cli_results_flush(&batch->results);
            flushed = cli_seconds();
        }
        cli_claim_touch(batch->claim);
        cli_progress_tick(batch->progress, &batch->results.counts);
    }
}

/* "facet worker --bound --unsynced --memory 100 -- convert --strict" */
static char **make_words(const cli_batch *batch, char memory[16])
{
    static char facet[] = "facet", worker[] = "worker", bound[] = "--bound",
                unsynced[] = "--unsynced", tar[] = "--tar", option[] = "--memory", end[] = "--";
    static char also[] = "--also", filter[] = "--filter";
    size_t most =
        (size_t)batch->job->count + 2 * (batch->job->also_count + batch->job->filter_count) + 10;
    char **words = calloc(most, sizeof *words);
    int count = 0;
    if (!words)
        return NULL;
    words[count++] = facet;
    words[count++] = worker;
    words[count++] = bound;
    words[count++] = unsynced;
    if (batch->results.tar.path)
        words[count++] = tar;
    if (batch->memory > 0) {
        snprintf(memory, 16, "%u", batch->memory);
        words[count++] = option;
        words[count++] = memory;
    }
    for (size_t i = 0; i < batch->job->also_count; i++) {
        words[count++] = also;
        words[count++] = (char *)batch->job->also[i].given;
    }
    for (size_t i = 0; i < batch->job->filter_count; i++) {
        words[count++] = filter;
        words[count++] = (char *)batch->job->filters[i].given;
    }
    words[count++] = end;
    words[count++] = (char *)batch->job->command->name;
    for (int i = 0; i < batch->job->count; i++)
        words[count++] = batch->job->words[i];
    return words;
}

int cli_batch_isolate(cli_batch *batch, int descriptor)
{
    unsigned count = batch->jobs;
    size_t next = atomic_load(&batch->next);
    if (!batch->stream && count > batch->todo - next)
        count = batch->todo > next ? (unsigned)(batch->todo - next) : 1;
    char memory[16], **words = make_words(batch, memory);
    child *children = calloc(count, sizeof *children);
    struct pollfd *polled = calloc(count + 1, sizeof *polled);
    child **who = calloc(count + 1, sizeof(child *));
    bool made = words && children && polled && who;
    if (made)
        work(batch, children, count, descriptor, words, polled, who);
    else
        cli_complain_memory(NULL);
    for (unsigned i = 0; i < count && made; i++) {
        if (children[i].process)
            bury(batch, &children[i], true); /* the worker ends at the end of its input */
        free(children[i].text);
    }
    free(words);
    free(children);
    free(polled);
    free(who);
    return made ? EXIT_DONE : EXIT_SYSTEM;
}
