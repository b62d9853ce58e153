/* batch/stream.c - items of shards that can be read only once. */
#include "batch/stream.h"
#include "archive/archive.h"
#include "archive/codec.h"
#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "base/system.h"
#include "base/text.h"
#include "base/threads.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Maximal bytes of waiting samples, in addition to the last one. */
#define MAX_WAITING ((size_t)64 << 20)

typedef struct sample {
    cli_tar_bytes bytes;
    uint64_t number; /* counts from 1 */
    unsigned users;  /* number of items that use the sample */
} sample;

typedef struct streamed {
    cli_batch_item item; /* first member: the address of the item is that of the struct */
    facet_arena *arena;
    sample *sample;
    cli_stream *stream;
    struct streamed *next;
} streamed;

typedef struct queue {
    streamed *first, **last;
    size_t count, bytes;
} queue;

struct cli_stream {
    cli_batch *batch;
    const cli_batch_origin *origin;
    const cli_batch_policy *policy;
    cli_split_by by;
    uint64_t limit; /* maximal size of a sample, in bytes */
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t taken;
    queue ready, suspects; /* waiting items */
    bool started, over;    /* the thread was started; the thread has ended */
    bool on_suspects;
    cli_stream_counts counts;
    cli_tar earlier; /* copy for reading: meanwhile the batch may begin other parts */
    /* Only the thread uses the following members. */
    const char *shard;
    uint64_t samples, repeated; /* repeated: items of the shard with the id or output of another */
    facet_arena *arena;
    facet_names ids, outs;
};

/* -- Queues ------------------------------------------------------------- */

static void push(queue *q, streamed *made)
{
    made->next = NULL;
    *q->last = made;
    q->last = &made->next;
    q->count++;
    q->bytes += made->sample->bytes.size;
}

static streamed *pop(queue *q)
{
    streamed *first = q->first;
    if (!first)
        return NULL;
    q->first = first->next;
    q->last = q->first ? q->last : &q->first;
    q->count--;
    q->bytes -= first->sample->bytes.size;
    return first;
}

static void release_sample(cli_stream *stream, sample *s)
{
    pthread_mutex_lock(&stream->mutex);
    bool last = --s->users == 0;
    pthread_mutex_unlock(&stream->mutex);
    if (last) {
        cli_tar_free(&s->bytes);
        free(s);
    }
}

static bool is_stopped(const cli_stream *stream)
{
    return atomic_load(&stream->batch->stop);
}

static facet_status fail_stopped(facet_error *error)
{
    return facet_fail(error, FACET_ERROR_CANCELED, NULL, FACET_NO_OFFSET, "stopped");
}

/* Append an item to a queue, after the queue has space. False if the batch stops. */
static bool enqueue(cli_stream *stream, streamed *made)
{
    pthread_mutex_lock(&stream->mutex);
    queue *q = made->item.deaths > 0 ? &stream->suspects : &stream->ready;
    while (q == &stream->ready && !is_stopped(stream) && q->count > 0 &&
           (q->count >= stream->batch->jobs || q->bytes >= MAX_WAITING)) {
        struct timespec until; /* with a timeout: a signal may stop the batch */
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_sec++;
        pthread_cond_timedwait(&stream->taken, &stream->mutex, &until);
    }
    bool stopped = is_stopped(stream);
    if (!stopped)
        push(q, made);
    pthread_mutex_unlock(&stream->mutex);
    if (!stopped)
        cli_batch_wake();
    return !stopped;
}

/* -- Items -------------------------------------------------------------- */

static void free_streamed(streamed *made)
{
    if (made->sample)
        release_sample(made->stream, made->sample);
    facet_arena_free(made->arena);
    free(made);
}

/* Find the line of an earlier run, and check whether it is still valid. True if the item is
 * done. */
static bool is_done(cli_stream *stream, cli_batch_item *item, const sample *s,
                    cli_shared_archive *shared)
{
    uint32_t index = cli_batch_items_find(&stream->batch->items, item->id, strlen(item->id));
    item->deaths = cli_batch_journal_deaths(stream->batch, item);
    if (index == UINT32_MAX)
        return false;
    const cli_batch_item *before = &stream->batch->items.items[index];
    item->line = before->line;
    item->line_length = before->line_length;
    item->attempt = before->attempt;
    item->run = before->run;
    item->good = before->good;
    if (!shared->in_memory)
        shared->in_memory =
            cli_kept_sample(&shared->kept, stream->shard, s->bytes.data, s->bytes.size);
    if (shared->in_memory)
        cli_batch_decide(stream->batch, &stream->earlier, stream->policy, item, shared);
    return item->done;
}

/* Add a name to `names`. EXIT_INPUT and a message if an earlier item has it. */
static int put_new(cli_stream *stream, facet_names *names, const char *name, const char *option)
{
    uint32_t before = names->count, put = facet_names_put_copy(names, name, strlen(name));
    if (put == before)
        return EXIT_DONE;
    if (put == UINT32_MAX) {
        cli_complain_memory(NULL);
        return EXIT_SYSTEM;
    }
    if (stream->repeated++ > 0) /* the number follows at the end of the shard */
        return EXIT_INPUT;
    if (option)
        cli_complain(NULL,
                     "%s: a second item has the output '%s' and is left out; use {name} or {id} in "
                     "--%s",
                     stream->shard, name, option);
    else
        cli_complain(NULL, "%s: a second item has the id '%s' and is left out", stream->shard,
                     name);
    return EXIT_INPUT;
}

/* Check that a new item is valid in this batch. An exit status, and a message. */
static int check_new(cli_stream *stream, const cli_batch_item *item)
{
    const cli_batch_more *more = cli_batch_more_of(item);
    int result = put_new(stream, &stream->ids, item->id, NULL);
    if (result == EXIT_DONE && item->out)
        result = put_new(stream, &stream->outs, item->out, "out");
    for (size_t i = 0; i < more->also_count && result == EXIT_DONE; i++)
        result = put_new(stream, &stream->outs, more->also[i], "also");
    return result;
}

static facet_status stop_reading(cli_stream *stream, int result, facet_error *error)
{
    stream->counts.result = result;
    return fail_stopped(error);
}

/* Add one file of a sample. `shared` holds the sample after the first item needs it. */
static facet_status add_item(cli_stream *stream, sample *s, cli_shared_archive *shared,
                             const char *path, uint64_t bytes, facet_error *error)
{
    streamed *made = calloc(1, sizeof *made);
    char in[2 * FACET_PATH_MAX];
    snprintf(in, sizeof in, "%s/%s", stream->shard, path);
    if (!made || facet_arena_create(NULL, &made->arena, error)) {
        free(made);
        return facet_fail_memory(error, sizeof *made);
    }
    made->stream = stream;
    made->item =
        (cli_batch_item){.in = in, .bytes = bytes, .in_archive = (uint32_t)strlen(stream->shard)};
    int result = cli_batch_item_complete(made->arena, stream->origin, stream->shard, &made->item,
                                         made->item.in_archive);
    bool elsewhere =
        result == EXIT_DONE && !cli_batch_shard_has(&stream->origin->shard, made->item.id);
    stream->counts.elsewhere += elsewhere;
    if (result == EXIT_DONE && !elsewhere)
        result = check_new(stream, &made->item);
    bool repeated = result == EXIT_INPUT;
    if ((result != EXIT_DONE && !repeated) || elsewhere) {
        free_streamed(made);
        return elsewhere ? FACET_OK : stop_reading(stream, result, error);
    }
    stream->counts.items++;
    if (repeated) {
        stream->counts.failed++;
        free_streamed(made);
        return FACET_OK;
    }
    if (is_done(stream, &made->item, s, shared)) {
        stream->counts.failed += made->item.failed;
        stream->counts.done += !made->item.failed;
        free_streamed(made);
        return FACET_OK;
    }
    pthread_mutex_lock(&stream->mutex);
    s->users++;
    pthread_mutex_unlock(&stream->mutex);
    made->sample = s;
    if (enqueue(stream, made))
        return FACET_OK;
    free_streamed(made);
    return fail_stopped(error);
}

/* Add the files of a sample that are items. */
static facet_status take_sample(void *user, cli_tar_bytes *bytes, facet_error *error)
{
    cli_stream *stream = user;
    facet_archive *archive = NULL;
    if (is_stopped(stream))
        return fail_stopped(error);
    sample *s = calloc(1, sizeof *s);
    if (!s)
        return facet_fail_memory(error, sizeof *s);
    *s = (sample){.bytes = *bytes, .number = ++stream->samples, .users = 1};
    cli_shared_archive shared = {.mutex = PTHREAD_MUTEX_INITIALIZER};
    *bytes = (cli_tar_bytes){0};
    facet_source source = facet_source_from_memory(s->bytes.data, s->bytes.size, stream->shard);
    facet_status status = facet_tar_read_source(&source, &archive, error);
    for (uint32_t i = 0; !status && i < archive->member_count; i++) {
        char path[FACET_PATH_MAX];
        if (!(archive->members[i].flags & FACET_ARCHIVE_FOLDER) &&
            facet_archive_path(archive, i, path, sizeof path) < sizeof path &&
            cli_batch_wants(&stream->batch->items.match, stream->origin, path))
            status = add_item(stream, s, &shared, path, archive->members[i].size, error);
    }
    cli_kept_close(&shared.kept);
    facet_archive_free(archive);
    release_sample(stream, s);
    return status;
}

/* -- Shards ------------------------------------------------------------- */

static facet_status feed(void *user, const uint8_t *data, size_t size, facet_error *error)
{
    return cli_split_feed(user, data, size, error);
}

/* Read the available bytes, at most `size`. Fewer bytes than a header only at the end. */
static facet_status read_some(const cli_stream *stream, int descriptor, uint8_t *bytes, size_t size,
                              size_t *used, facet_error *error)
{
    *used = 0;
    while (*used < CLI_TAR_BLOCK) {
        struct pollfd wait = {descriptor, POLLIN, 0};
        if (is_stopped(stream))
            return fail_stopped(error);
        if (poll(&wait, 1, 200) == 0) /* a pipe whose writer has no data now */
            continue;
        ssize_t got = read(descriptor, bytes + *used, size - *used);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return facet_fail_system(error, errno, "read", stream->shard);
        if (got == 0)
            break;
        *used += (size_t)got;
    }
    return FACET_OK;
}

/* Copy a pipe to a temporary file without a name, because it is not a plain tar. */
static facet_status spool(const cli_stream *stream, int descriptor, uint8_t *bytes, size_t size,
                          size_t used, int *copy, facet_error *error)
{
    char path[FACET_PATH_MAX];
    cli_temporary_template(path);
    *copy = mkstemp(path);
    if (*copy < 0)
        return facet_fail_system(error, errno, "create", path);
    fcntl(*copy, F_SETFD, FD_CLOEXEC);
    unlink(path);
    while (used > 0) {
        for (size_t at = 0; at < used;) {
            ssize_t written = write(*copy, bytes + at, used - at);
            if (written < 0 && errno != EINTR)
                return facet_fail_system(error, errno, "write", path);
            at += written > 0 ? (size_t)written : 0;
        }
        TRY(read_some(stream, descriptor, bytes, size, &used, error));
    }
    return lseek(*copy, 0, SEEK_SET) == 0 ? FACET_OK
                                          : facet_fail_system(error, errno, "read", path);
}

/* Read an archive that has a table of its members. */
static facet_status read_table(cli_split *split, const facet_source *source, facet_error *error)
{
    facet_archive *archive = NULL;
    facet_status status = facet_archive_read(source, NULL, &archive, error);
    for (uint32_t i = 0; !status && i < archive->member_count; i++) {
        char path[FACET_PATH_MAX];
        facet_input *input = NULL;
        if (archive->members[i].flags & FACET_ARCHIVE_FOLDER ||
            facet_archive_path(archive, i, path, sizeof path) >= sizeof path)
            continue;
        status = facet_input_open_member(archive, i, source->name, NULL, &input, error);
        facet_source member = status ? (facet_source){0} : facet_input_source(input);
        if (!status)
            status = cli_split_add(split, path, member.data, member.size, error);
        facet_input_close(input);
    }
    facet_archive_free(archive);
    return status;
}

/* Check that a tar has at least its end. */
static facet_status check_some(const cli_split *split, facet_error *error)
{
    return split->at > 0 ? FACET_OK
                         : facet_fail(error, FACET_ERROR_MALFORMED, "AR34", 0,
                                      "the shard is empty, expected an archive");
}

static facet_status read_mapped(cli_split *split, int descriptor, const char *name,
                                facet_error *error)
{
    facet_file *file = NULL;
    TRY(facet_file_open_descriptor(descriptor, name, NULL, &file, error));
    facet_source source = facet_file_source(file);
    const facet_codec *codec = facet_codec_of(source.data, source.size);
    facet_status status =
        codec ? facet_codec_decode_to(codec, source.data, source.size, feed, split, error)
              : read_table(split, &source, error);
    facet_file_close(file);
    if (!status && codec)
        status = check_some(split, error);
    return status;
}

static facet_status read_pieces(const cli_stream *stream, cli_split *split, int descriptor,
                                uint8_t *bytes, size_t size, facet_error *error)
{
    size_t used;
    TRY(read_some(stream, descriptor, bytes, size, &used, error));
    if (cli_split_begins(bytes, used) || used == 0) {
        while (used > 0) {
            TRY(cli_split_feed(split, bytes, used, error));
            TRY(read_some(stream, descriptor, bytes, size, &used, error));
        }
        return check_some(split, error);
    }
    if (lseek(descriptor, 0, SEEK_SET) == 0)
        return read_mapped(split, descriptor, stream->shard, error);
    int copy = -1;
    facet_status status = spool(stream, descriptor, bytes, size, used, &copy, error);
    if (!status)
        status = read_mapped(split, copy, stream->shard, error);
    if (copy >= 0)
        close(copy);
    return status;
}

/* Open a shard: a file, a pipe, or the output of the --fetch command; *process is that command, or
 * 0. */
static facet_status open_shard(const cli_stream *stream, const char *path, int *descriptor,
                               pid_t *process, facet_error *error)
{
    const cli_hook *fetch = stream->origin->fetch;
    const cli_hook_names names = {.in = path};
    *process = 0;
    if (strcmp(path, "-") == 0) {
        *descriptor = STDIN_FILENO;
        return FACET_OK;
    }
    if (fetch)
        return cli_hook_start(fetch, &names, process, descriptor)
                   ? FACET_OK
                   : facet_fail_system(error, errno, "fetch", path);
    /* A named pipe opens immediately; read_some waits for its writer. */
    *descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (*descriptor < 0)
        return facet_fail_system(error, errno, "open", path);
    fcntl(*descriptor, F_SETFL, O_RDONLY);
    return FACET_OK;
}

/* Close a shard. If its command fails, the shard may be truncated, although its end looks valid. */
static facet_status close_shard(int descriptor, pid_t process, facet_status status,
                                facet_error *error)
{
    if (descriptor != STDIN_FILENO)
        close(descriptor);
    if (process > 0 && status)
        cli_hook_kill(process);
    if (process > 0 && cli_hook_end(process) != CLI_HOOK_DONE && !status)
        return facet_fail(error, FACET_ERROR_IO, "HOOK-FETCH", FACET_NO_OFFSET,
                          "the command of --fetch failed");
    return status;
}

static facet_status read_shard(cli_stream *stream, const char *path, facet_error *error)
{
    enum { PIECE = 1 << 18 };
    int descriptor;
    pid_t process;
    stream->shard = path;
    stream->repeated = 0;
    TRY(open_shard(stream, path, &descriptor, &process, error));
    cli_split split = {
        .by = stream->by, .limit = stream->limit, .take = take_sample, .user = stream};
    uint8_t *bytes = malloc(PIECE);
    facet_status status = bytes ? read_pieces(stream, &split, descriptor, bytes, PIECE, error)
                                : facet_fail_memory(error, PIECE);
    if (!status)
        status = cli_split_end(&split, error);
    if (split.links > 0)
        cli_remark(NULL, "%s: %llu member%s left out: links, and paths longer than %d bytes", path,
                   (unsigned long long)split.links, facet_plural(split.links, " is", "s are"),
                   FACET_PATH_MAX - 1);
    if (stream->repeated > 1)
        cli_remark(NULL, "%s: %llu items have the id or output of another and are left out", path,
                   (unsigned long long)stream->repeated);
    cli_split_free(&split);
    free(bytes);
    return close_shard(descriptor, process, status, error);
}

static void *read_shards(void *argument)
{
    cli_stream *stream = argument;
    const cli_batch_origin *origin = stream->origin;
    facet_status status = FACET_OK;
    bool whole = true;
    for (int i = 0; i < origin->count && status != FACET_ERROR_CANCELED; i++) {
        facet_error error = {0};
        status = is_stopped(stream) ? FACET_ERROR_CANCELED
                                    : read_shard(stream, origin->paths[i], &error);
        whole &= status == FACET_OK;
        if (status && strcmp(error.rule, "SYSTEM-FAULT") == 0)
            cli_batch_stop_for_system(stream->batch, error.message);
        else if (status && status != FACET_ERROR_CANCELED)
            cli_complain_error(NULL, cli_input_name(origin->paths[i]), &error);
    }
    pthread_mutex_lock(&stream->mutex);
    stream->counts.whole = whole;
    stream->over = true;
    pthread_mutex_unlock(&stream->mutex);
    cli_batch_wake();
    return NULL;
}

/* -- Functions for the batch -------------------------------------------- */

cli_stream *cli_stream_create(cli_batch *batch, const cli_batch_origin *origin, cli_split_by by,
                              const cli_batch_policy *policy)
{
    cli_stream *stream = calloc(1, sizeof *stream);
    if (!stream || facet_arena_create(NULL, &stream->arena, NULL)) {
        cli_complain_memory(NULL);
        free(stream);
        return NULL;
    }
    stream->batch = batch;
    stream->origin = origin;
    stream->policy = policy;
    stream->by = by;
    stream->limit = cli_memory_limit(batch->job->memory_limit);
    stream->ready.last = &stream->ready.first;
    stream->suspects.last = &stream->suspects.first;
    stream->ids = facet_names_make(stream->arena);
    stream->outs = facet_names_make(stream->arena);
    pthread_mutex_init(&stream->mutex, NULL);
    pthread_cond_init(&stream->taken, NULL);
    return stream;
}

int cli_stream_start(cli_stream *stream)
{
    if (!cli_tar_open_again(&stream->batch->results.tar, &stream->earlier)) {
        cli_complain(NULL, "the output tar cannot be opened again: %s", strerror(errno));
        return EXIT_SYSTEM;
    }
    stream->started = facet_thread_start(&stream->thread, FACET_COMMAND_STACK, read_shards, stream);
    if (!stream->started)
        cli_complain(NULL, "cannot start a thread");
    return stream->started ? EXIT_DONE : EXIT_SYSTEM;
}

cli_batch_item *cli_stream_take(cli_stream *stream)
{
    if (is_stopped(stream))
        return NULL;
    pthread_mutex_lock(&stream->mutex);
    streamed *made = pop(stream->on_suspects ? &stream->suspects : &stream->ready);
    pthread_cond_signal(&stream->taken);
    pthread_mutex_unlock(&stream->mutex);
    return made ? &made->item : NULL;
}

bool cli_stream_is_over(cli_stream *stream)
{
    pthread_mutex_lock(&stream->mutex);
    const queue *q = stream->on_suspects ? &stream->suspects : &stream->ready;
    bool over = stream->over && q->count == 0;
    pthread_mutex_unlock(&stream->mutex);
    return over || is_stopped(stream);
}

void cli_stream_take_suspects(cli_stream *stream)
{
    stream->on_suspects = true;
}

const cli_tar_bytes *cli_stream_sample(const cli_batch_item *item, uint64_t *number)
{
    const sample *s = ((const streamed *)item)->sample;
    if (number)
        *number = s->number;
    return &s->bytes;
}

void cli_stream_release(cli_batch_item *item)
{
    free_streamed((streamed *)item);
}

cli_stream_counts cli_stream_end(cli_stream *stream)
{
    if (stream->started)
        pthread_join(stream->thread, NULL);
    stream->started = false;
    return stream->counts;
}

void cli_stream_free(cli_stream *stream)
{
    if (!stream)
        return;
    atomic_store(&stream->batch->stop, true);
    cli_stream_end(stream);
    for (streamed *made; (made = pop(&stream->ready)) || (made = pop(&stream->suspects));)
        free_streamed(made);
    cli_tar_close(&stream->earlier);
    pthread_mutex_destroy(&stream->mutex);
    pthread_cond_destroy(&stream->taken);
    facet_names_free(&stream->ids);
    facet_names_free(&stream->outs);
    facet_arena_free(stream->arena);
    free(stream);
}
