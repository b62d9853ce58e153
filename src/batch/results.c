/* batch/results.c - the lines of results: appended when their outputs are on disk, and read again
 * when a batch is resumed. */
#include "base/file.h"
#include "base/grow.h"
#include "base/json.h"
#include "base/system.h"
#include "batch/batch.h"
#include "batch/lines.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* -- Opening ------------------------------------------------------------ */

static int complain_system(const char *path)
{
    cli_complain(NULL, "%s: %s", path, strerror(errno));
    return EXIT_SYSTEM;
}

/* Length of the file up to the end of its last complete line. */
static off_t whole_lines(int descriptor, off_t size)
{
    char bytes[4096];
    while (size > 0) {
        size_t count = size < (off_t)sizeof bytes ? (size_t)size : sizeof bytes;
        if (pread(descriptor, bytes, count, size - (off_t)count) != (ssize_t)count)
            return -1;
        for (size_t i = count; i-- > 0; size--) {
            if (bytes[i] == '\n')
                return size;
        }
    }
    return 0;
}

/* True if the end of the file, from `first` on, is the beginning of a line of results. False if it
 * is a complete object, or the file may be another one. */
static bool is_truncated_line(int descriptor, off_t first, off_t size)
{
    enum { MAX_LINE = 1 << 20 };
    static const char begin[] = "{\"id\":";
    size_t length = size - first < MAX_LINE ? (size_t)(size - first) : MAX_LINE;
    char *text = malloc(length);
    cli_line line;
    bool is = text && pread(descriptor, text, length, first) == (ssize_t)length &&
              length >= strlen(begin) && memcmp(text, begin, strlen(begin)) == 0 &&
              !cli_line_scan(text, length, &line);
    free(text);
    return is;
}

/* Remove a last line that was truncated, for example by a power failure: its item runs again. Any
 * other last line only gets an end. */
static bool end_last_line(int descriptor)
{
    off_t size = lseek(descriptor, 0, SEEK_END), whole = whole_lines(descriptor, size);
    if (size <= 0 || whole < 0 || whole == size)
        return true;
    if (is_truncated_line(descriptor, whole, size))
        return ftruncate(descriptor, whole) == 0;
    return write(descriptor, "\n", 1) == 1;
}

/* True for an empty file, and for one that begins like a line of results. A power failure may leave
 * zeros. */
static bool may_be_results(int descriptor)
{
    struct stat info;
    char first = '{';
    bool is_file = fstat(descriptor, &info) == 0 && S_ISREG(info.st_mode);
    return !is_file || pread(descriptor, &first, 1, 0) < 0 || first == '{' || first == '\0';
}

int cli_results_open(cli_results *results, const char *path, bool sync)
{
    *results = (cli_results){.path = path, .sync = sync, .descriptor = STDOUT_FILENO};
    pthread_mutex_init(&results->mutex, NULL);
    pthread_mutex_init(&results->flushing, NULL);
    if (strcmp(path, "-") == 0) {
        results->path = cli_output_name(path);
        return EXIT_DONE;
    }
    int how = O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC;
    results->descriptor = open(path, how | O_EXCL, 0666);
    results->created = results->descriptor >= 0;
    if (!results->created)
        results->descriptor = open(path, how, 0666);
    if (results->descriptor < 0)
        return complain_system(path);
    /* If the file system has no locks, do not prevent two writers. */
    if (flock(results->descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        cli_complain(NULL, "%s: another batch writes to it", path);
        results->created = false; /* from now on the file belongs to the other batch */
        return EXIT_SYSTEM;
    }
    if (!may_be_results(results->descriptor)) {
        cli_complain(NULL,
                     "--results: '%s' has other content than lines of results; nothing is written",
                     path);
        return EXIT_USAGE;
    }
    return end_last_line(results->descriptor) ? EXIT_DONE : complain_system(path);
}

/* -- Adding ------------------------------------------------------------- */

static bool append(char **text, size_t *used, size_t *space, const char *more, size_t length)
{
    if (!FACET_GROW_HEAP(*text, *used + length, *space))
        return false;
    memcpy(*text + *used, more, length);
    *used += length;
    return true;
}

static bool append_path(cli_results *results, const facet_json *path)
{
    const char *text = facet_json_string_value(path);
    size_t before = results->path_bytes;
    if (!text)
        return true;
    if (!append(&results->paths, &results->path_bytes, &results->path_space, text,
                strlen(text) + 1))
        return false;
    cli_decode_name(results->paths + before);
    results->path_bytes = before + strlen(results->paths + before) + 1;
    return true;
}

static void count(cli_batch_counts *counts, const facet_json *line)
{
    const char *status = facet_json_string_value(facet_json_object_get(line, "status"));
    int64_t bytes = facet_json_integer_value(facet_json_object_get(line, "in_bytes"));
    counts->bytes += bytes > 0 ? (uint64_t)bytes : 0;
    if (status && strcmp(status, "ok") == 0) {
        counts->ok++;
    } else if (status && strcmp(status, "skipped") == 0) {
        const char *code = facet_json_string_value(facet_json_object_get(line, "code"));
        counts->skipped++;
        counts->filtered += code && strcmp(code, "FILTER") == 0;
    } else {
        counts->failed++;
        counts->again += facet_json_is_true(facet_json_object_get(line, "retry"));
    }
}

/* Subtract items whose lines were not written: a resumed batch runs them again. */
static void discount(cli_batch_counts *counts, const cli_batch_counts *lost)
{
    counts->ok -= lost->ok;
    counts->skipped -= lost->skipped;
    counts->failed -= lost->failed;
    counts->filtered -= lost->filtered;
    counts->again -= lost->again;
    counts->bytes -= lost->bytes;
}

static bool append_paths(cli_results *results, const facet_json *line)
{
    const facet_json *outputs = facet_json_object_get(line, "outputs");
    bool added = !facet_json_is_string(facet_json_object_get(line, "out_sha256")) ||
                 append_path(results, facet_json_object_get(line, "out"));
    for (size_t i = 0; i < facet_json_array_size(outputs); i++)
        added &=
            append_path(results, facet_json_object_get(facet_json_array_get(outputs, i), "path"));
    return added;
}

/* Append the outputs of a successful item, and add their position in the tar to the line. */
static bool pack(cli_results *results, facet_json *line, const cli_tar_bytes *packed)
{
    cli_tar *tar = &results->tar;
    const char *status = facet_json_string_value(facet_json_object_get(line, "status"));
    size_t size = packed ? packed->size : 0;
    bool makes = facet_json_object_get(line, "out") || size > 0;
    if (!status || strcmp(status, "ok") != 0 || !makes)
        return true;
    if (size > 0 && !cli_tar_append(&results->packed, packed->data, size))
        return false;
    facet_json_set(line, "tar", cli_json_name(tar->path));
    facet_json_set(line, "tar_offset", facet_json_integer((int64_t)tar->end));
    facet_json_set(line, "tar_bytes", facet_json_integer((int64_t)size));
    tar->end += size;
    tar->items += size > 0;
    return true;
}

/* If the part of the tar has no space for the outputs of an item, write all waiting data and begin
 * the next part. The mutex is locked on entry and exit. */
static bool begin_part(cli_results *results, size_t size)
{
    bool began = true;
    while (began && !results->failed && cli_tar_is_full(&results->tar, size)) {
        pthread_mutex_unlock(&results->mutex);
        cli_results_flush(results);
        pthread_mutex_lock(&results->flushing);
        pthread_mutex_lock(&results->mutex);
        if (results->waiting == 0 && cli_tar_is_full(&results->tar, size) && !results->failed)
            began = cli_tar_next_part(&results->tar);
        if (!began)
            results->fault = errno;
        pthread_mutex_unlock(&results->flushing);
    }
    return began;
}

/* A run without items has no header. */
static bool append_header(cli_results *results)
{
    char *header = results->header;
    bool added = !header || append(&results->lines, &results->line_bytes, &results->line_space,
                                   header, strlen(header));
    results->header = NULL;
    free(header);
    return added;
}

/* Bytes of outputs that may wait in memory. */
#define MAX_WAITING ((size_t)32 << 20)

void cli_results_add(cli_results *results, facet_json *line, const cli_tar_bytes *packed)
{
    pthread_mutex_lock(&results->mutex);
    bool added = append_header(results);
    added = added && (!results->tar.path || (begin_part(results, packed ? packed->size : 0) &&
                                             pack(results, line, packed)));
    char *text = added ? cli_json_line(line) : NULL;
    added = text &&
            append(&results->lines, &results->line_bytes, &results->line_space, text, strlen(text));
    if (added) {
        results->waiting++;
        count(&results->counts, line);
        count(&results->unwritten, line);
    }
    if (results->sync && !results->tar.path)
        added &= append_paths(results, line);
    results->failed |= !added;
    bool full = results->packed.size > MAX_WAITING;
    pthread_mutex_unlock(&results->mutex);
    free(text);
    facet_json_free(line);
    if (full)
        cli_results_flush(results);
}

/* -- Writing ------------------------------------------------------------ */

static bool sync_file(const char *path)
{
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return true;
    bool synced = fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP;
    close(descriptor);
    return synced;
}

/* From this number of files on, it is faster to sync the whole file system. */
enum { MANY_FILES = 16 };

/* Sync once for each sequence of files in one file system, such as the files of a folder. False if
 * the system cannot do that. */
static bool sync_file_systems(const char *paths, size_t size)
{
    dev_t synced = 0;
    bool done = true, any = false;
    const char *last = NULL;
    for (size_t at = 0; at < size && done; at += strlen(paths + at) + 1) {
        struct stat info;
        size_t folder = facet_path_folder_length(paths + at);
        bool same = last && facet_path_folder_length(last) == folder &&
                    memcmp(last, paths + at, folder) == 0;
        last = paths + at;
        if (same || stat(paths + at, &info) != 0 || (any && info.st_dev == synced))
            continue;
        int descriptor = open(paths + at, O_RDONLY | O_CLOEXEC);
        if (descriptor < 0)
            continue;
        done = facet_system_sync_file_system(descriptor);
        close(descriptor);
        synced = info.st_dev;
        any = true;
    }
    return done;
}

static bool sync_files(const char *paths, size_t size)
{
    bool synced = true;
    size_t count = 0;
    for (size_t at = 0; at < size && count < MANY_FILES; at += strlen(paths + at) + 1)
        count++;
    if (count == MANY_FILES && sync_file_systems(paths, size))
        return true;
    for (size_t at = 0; at < size; at += strlen(paths + at) + 1)
        synced &= sync_file(paths + at);
    return synced;
}

/* Write all lines. If that fails, remove those that were written. */
static bool write_lines(int descriptor, const char *lines, size_t size)
{
    off_t before = descriptor == STDOUT_FILENO ? -1 : lseek(descriptor, 0, SEEK_END);
    while (size > 0) {
        ssize_t written = write(descriptor, lines, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0) {
            int fault = errno;
            bool removed = before >= 0 && ftruncate(descriptor, before) == 0;
            (void)removed; /* else a resumed batch removes the truncated line */
            errno = fault;
            return false;
        }
        lines += written;
        size -= (size_t)written;
    }
    return true;
}

void cli_results_flush(cli_results *results)
{
    pthread_mutex_lock(&results->flushing); /* keeps the order of writes */
    pthread_mutex_lock(&results->mutex);
    cli_results taken = *results;
    results->packed = (cli_tar_bytes){0};
    results->lines = results->paths = NULL;
    results->line_bytes = results->line_space = results->path_bytes = results->path_space = 0;
    results->waiting = 0;
    results->unwritten = (cli_batch_counts){0};
    pthread_mutex_unlock(&results->mutex);
    int fault = 0;
    /* After a failed write, write nothing more: a gap ends a tar. */
    bool written = !taken.failed;
    if (written && taken.tar.path && !cli_tar_write(&taken.tar, taken.tar.end, &taken.packed)) {
        fault = errno;
        complain_system(taken.tar.path);
        taken.failed = true;
        written = false;
    }
    written = written && sync_files(taken.paths, taken.path_bytes);
    if (taken.line_bytes > 0) {
        written = written && write_lines(results->descriptor, taken.lines, taken.line_bytes);
        if (written && results->sync && results->descriptor != STDOUT_FILENO)
            written = fdatasync(results->descriptor) == 0 || errno == EINVAL || errno == ENOTSUP;
    }
    if (!written && !taken.failed) {
        fault = errno;
        complain_system(results->path);
    }
    free(taken.lines);
    free(taken.paths);
    cli_tar_free(&taken.packed);
    pthread_mutex_lock(&results->mutex);
    results->failed |= !written;
    results->fault = results->fault ? results->fault : fault;
    if (!written)
        discount(&results->counts, &taken.unwritten);
    pthread_mutex_unlock(&results->mutex);
    pthread_mutex_unlock(&results->flushing);
}

bool cli_results_close(cli_results *results)
{
    cli_results_flush(results);
    free(results->header);
    results->header = NULL;
    results->tar.ready &= !results->failed;
    if (results->tar.path && !cli_tar_close(&results->tar)) {
        complain_system(results->tar.path);
        results->failed = true;
    }
    if (results->descriptor > STDOUT_FILENO)
        close(results->descriptor);
    pthread_mutex_destroy(&results->mutex);
    pthread_mutex_destroy(&results->flushing);
    return !results->failed;
}

/* -- Reading ------------------------------------------------------------ */

/* Note the piece of the tar that a line covers. */
static void keep_piece(cli_tar *tar, const cli_line *line)
{
    uint64_t offset, size;
    cli_tar earlier;
    if (tar->path && !tar->is_listed && cli_tar_open_earlier(tar, line, &earlier)) {
        cli_tar_close(&earlier);
        tar->is_listed = true;
    }
    if (!tar->path || !cli_tar_piece(tar, line, &offset, &size))
        return;
    tar->is_listed = true;
    tar->items += size > 0;
    if ((size == 0 || cli_tar_has(tar, offset, size)) && offset + size > tar->kept)
        tar->kept = offset + size;
}

static unsigned bounded_at(const cli_line *line, cli_line_key key)
{
    uint64_t value = cli_line_count(line, key);
    return value > 0 && value < 1000000 ? (unsigned)value : 1;
}

cli_batch_rank cli_batch_rank_of(const cli_line *line)
{
    bool has_run = line->values[CLI_LINE_RUN].text != NULL; /* lines of version 0.2 have no run */
    return (cli_batch_rank){bounded_at(line, has_run ? CLI_LINE_RUN : CLI_LINE_ATTEMPT),
                            cli_line_is(line, CLI_LINE_STATUS, "ok") ||
                                cli_line_is(line, CLI_LINE_STATUS, "skipped")};
}

bool cli_batch_outranks(cli_batch_rank a, cli_batch_rank b)
{
    return a.run != b.run ? a.run > b.run : a.good >= b.good;
}

void cli_results_forget(const facet_file *file)
{
    facet_source source = facet_file_source(file);
    facet_source_forget(&source, source.data, source.data + source.size);
}

typedef struct scanned {
    cli_line line;
    bool is_whole;
} scanned;

typedef struct taker {
    bool (*take)(void *user, const cli_line *line, const char *text, size_t length);
    void *user;
} taker;

static void scan_line(void *record, const char *text, size_t length)
{
    scanned *made = record;
    made->is_whole = cli_line_scan(text, length, &made->line);
}

static bool take_line(void *user, void *record, const char *text, size_t length)
{
    const taker *t = user;
    const scanned *made = record;
    return length == 0 || (made->is_whole && cli_batch_is_header(text, length)) ||
           t->take(t->user, made->is_whole ? &made->line : NULL, text, length);
}

bool cli_results_each_line(const facet_file *file, unsigned threads,
                           bool (*take)(void *user, const cli_line *line, const char *text,
                                        size_t length),
                           void *user)
{
    const facet_source source = facet_file_source(file);
    taker t = {take, user};
    const cli_line_steps steps = {sizeof(scanned), scan_line, take_line, &t, false};
    bool lacks;
    return cli_each_line(&source, 0, threads, &steps, &lacks);
}

typedef struct matcher {
    cli_batch_items *items;
    cli_tar *tar;
} matcher;

static bool match_line(void *user, const cli_line *line, const char *text, size_t length)
{
    const matcher *m = user;
    char space[CLI_LINE_SPACE];
    size_t id_length;
    if (length > UINT32_MAX || !line) /* the line is truncated */
        return true;
    const char *id = cli_line_string(line, CLI_LINE_ID, space, &id_length);
    uint32_t index = cli_batch_items_find(m->items, id, id_length);
    cli_batch_item *item = index != UINT32_MAX   ? &m->items->items[index]
                           : m->items->remembers ? cli_batch_items_remember(m->items, id, id_length)
                                                 : NULL;
    cli_batch_rank rank = cli_batch_rank_of(line);
    if (item &&
        (!item->line || cli_batch_outranks(rank, (cli_batch_rank){item->run, item->good}))) {
        item->line = text;
        item->line_length = (uint32_t)length;
        item->attempt = bounded_at(line, CLI_LINE_ATTEMPT);
        item->run = rank.run;
        item->good = rank.good;
    }
    keep_piece(m->tar, line);
    return true;
}

bool cli_results_match(const facet_file *file, unsigned threads, cli_batch_items *items,
                       cli_tar *tar)
{
    matcher m = {items, tar};
    return cli_results_each_line(file, threads, match_line, &m);
}

/* -- Failures ----------------------------------------------------------- */

bool cli_batch_allowance_suits(const char *text)
{
    char *end;
    double number = text ? strtod(text, &end) : 0;
    bool right =
        !text ||
        (*text >= '0' && *text <= '9' &&
         (strspn(text, "0123456789") == strlen(text) || (strcmp(end, "%") == 0 && number <= 100)));
    if (!right)
        cli_complain(NULL, "--allow-failures takes a number N or a share P%%, not '%s'", text);
    return right;
}

bool cli_batch_allows(const char *text, uint64_t failed, uint64_t items)
{
    char *end;
    double number = text ? strtod(text, &end) : 0;
    bool share = text && *end == '%';
    /* 0.7 % of 1000 is 7, although 0.7 is not exact in binary. */
    return (double)failed <= (share ? number * (double)items / 100 * (1 + 1e-12) : number);
}
