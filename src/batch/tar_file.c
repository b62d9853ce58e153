/* batch/tar_file.c - the tar file that outputs are appended to. */
#include "batch/tar_file.h"
#include "base/sha256.h"
#include "cli/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static int complain(const char *path)
{
    cli_complain(NULL, "%s: %s", path, strerror(errno));
    return EXIT_SYSTEM;
}

static uint64_t size_with_padding(uint64_t bytes)
{
    return (bytes + CLI_TAR_BLOCK - 1) / CLI_TAR_BLOCK * CLI_TAR_BLOCK;
}

/* True if a batch wrote all data from an offset on. These are members, and the block of zeros that
 * is stored until a piece is complete. Either may be truncated. Otherwise *offset is that of the
 * foreign data. */
static bool is_own_from(const cli_tar *tar, uint64_t *offset)
{
    static const uint8_t zeros[CLI_TAR_BLOCK];
    uint8_t block[CLI_TAR_BLOCK];
    ssize_t size;
    bool has_records = false;
    while ((size = pread(tar->descriptor, block, sizeof block, (off_t)*offset)) ==
               (ssize_t)sizeof block &&
           memcmp(block, zeros, sizeof block) != 0) {
        if (!cli_tar_is_own_header(block))
            return false;
        uint64_t bytes = cli_tar_size_of(block);
        if (has_records && bytes == 0) /* only the records have the size of a very large file */
            return true;
        has_records = !cli_tar_is_file(block);
        *offset += sizeof block + size_with_padding(bytes);
    }
    return size >= 0;
}

int cli_tar_open(cli_tar *tar, const char *path, bool resume, bool sync)
{
    struct stat info;
    bool standard = strcmp(path, "-") == 0;
    *tar = (cli_tar){.path = path, .descriptor = STDOUT_FILENO};
    if (standard && resume)
        cli_complain(NULL, "--resume needs an --output-tar that is a file, not '-'");
    if (standard)
        return resume ? EXIT_USAGE : EXIT_DONE;
    tar->descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (tar->descriptor < 0)
        return complain(path);
    /* Lock the file before its size is read: another batch may be writing. */
    if (flock(tar->descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        cli_complain(NULL, "%s: another batch writes to it", path);
        return EXIT_SYSTEM;
    }
    if (fstat(tar->descriptor, &info) != 0)
        return complain(path);
    tar->seekable = S_ISREG(info.st_mode);
    tar->sync = sync && tar->seekable;
    if (tar->seekable && info.st_size > 0 && !resume) {
        cli_complain(NULL, "%s exists already: continue it with --resume, or remove it", path);
        return EXIT_USAGE;
    }
    if (resume && !tar->seekable) {
        cli_complain(NULL, "--resume needs an --output-tar that is a file, not '%s'", path);
        return EXIT_USAGE;
    }
    return EXIT_DONE;
}

bool cli_tar_has(const cli_tar *tar, uint64_t offset, uint64_t size)
{
    uint8_t block[CLI_TAR_BLOCK];
    struct stat info;
    return tar->seekable && fstat(tar->descriptor, &info) == 0 &&
           offset <= (uint64_t)info.st_size && size <= (uint64_t)info.st_size - offset &&
           size >= sizeof block && offset % sizeof block == 0 &&
           pread(tar->descriptor, block, sizeof block, (off_t)offset) == (ssize_t)sizeof block &&
           cli_tar_is_own_header(block);
}

static bool sum_bytes(const cli_tar *tar, uint64_t offset, uint64_t size, char sha256[65])
{
    uint8_t bytes[1 << 13];
    facet_sha256 hash;
    facet_sha256_begin(&hash);
    while (size > 0) {
        size_t part = size < sizeof bytes ? (size_t)size : sizeof bytes;
        if (pread(tar->descriptor, bytes, part, (off_t)offset) != (ssize_t)part)
            return false;
        facet_sha256_add(&hash, bytes, part);
        offset += part;
        size -= part;
    }
    facet_sha256_end_text(&hash, sha256);
    return true;
}

/* Find the next plain file of a piece, and move past it. */
static bool find_next(const cli_tar *tar, uint64_t *offset, uint64_t *size, uint64_t *data,
                      uint64_t *bytes)
{
    uint8_t block[CLI_TAR_BLOCK];
    while (*size >= sizeof block &&
           pread(tar->descriptor, block, sizeof block, (off_t)*offset) == (ssize_t)sizeof block &&
           cli_tar_is_header(block)) {
        *data = *offset + sizeof block;
        *bytes = cli_tar_size_of(block);
        uint64_t whole = sizeof block + size_with_padding(*bytes);
        if (whole > *size)
            return false;
        *offset += whole;
        *size -= whole;
        if (cli_tar_is_file(block))
            return true;
    }
    return false;
}

bool cli_tar_sum_next(const cli_tar *tar, uint64_t *offset, uint64_t *size, char sha256[65])
{
    uint64_t data, bytes;
    return find_next(tar, offset, size, &data, &bytes) && sum_bytes(tar, data, bytes, sha256);
}

bool cli_tar_read_next(const cli_tar *tar, uint64_t *offset, uint64_t *size, uint8_t **data,
                       uint64_t *bytes)
{
    uint64_t from;
    if (!find_next(tar, offset, size, &from, bytes))
        return false;
    uint8_t *block = malloc((size_t)*bytes + 1);
    bool read = block != NULL;
    for (uint64_t at = 0; at < *bytes && read;) {
        ssize_t got = pread(tar->descriptor, block + at, (size_t)(*bytes - at), (off_t)(from + at));
        read = got > 0;
        at += read ? (uint64_t)got : 0;
    }
    if (!read)
        free(block);
    *data = read ? block : NULL;
    return read;
}

/* True for a path of this tar, regardless of spelling. */
static bool is_path_of(const cli_tar *tar, const char *path)
{
    struct stat named, open_one;
    return strcmp(path, tar->path) == 0 ||
           (tar->seekable && stat(path, &named) == 0 && fstat(tar->descriptor, &open_one) == 0 &&
            named.st_dev == open_one.st_dev && named.st_ino == open_one.st_ino);
}

/* Path of the tar in a line, or NULL, and the position in the tar. */
static const char *piece_of(const cli_line *line, char path[CLI_LINE_SPACE], uint64_t *offset,
                            uint64_t *size)
{
    size_t length;
    const char *text = cli_line_string(line, CLI_LINE_TAR, path, &length);
    *offset = cli_line_count(line, CLI_LINE_TAR_OFFSET);
    *size = cli_line_count(line, CLI_LINE_TAR_BYTES);
    if (length == 0 || length >= CLI_LINE_SPACE || *offset > INT64_MAX || *size > INT64_MAX)
        return NULL;
    memmove(path, text, length);
    path[length] = '\0';
    cli_decode_name(path);
    return path;
}

bool cli_tar_piece(const cli_tar *tar, const cli_line *line, uint64_t *offset, uint64_t *size)
{
    char space[CLI_LINE_SPACE];
    const char *path = piece_of(line, space, offset, size);
    return path && is_path_of(tar, path);
}

/* -- Parts -------------------------------------------------------------- */

static const char part_mark[] = "{part}";

static char *path_of_part(const char *pattern, uint64_t part)
{
    const char *mark = strstr(pattern, part_mark);
    size_t space = strlen(pattern) + 24;
    char *path = malloc(space);
    if (path)
        snprintf(path, space, "%.*s%05llu%s", (int)(mark - pattern), pattern,
                 (unsigned long long)part, mark + strlen(part_mark));
    return path;
}

static bool is_there(const char *path)
{
    struct stat info;
    return path && lstat(path, &info) == 0;
}

int cli_tar_open_parts(cli_tar *tar, const cli_tar *limits, bool resume, bool sync)
{
    uint64_t part = 0;
    char *path = path_of_part(limits->pattern, part), *next = NULL;
    /* Parts are numbered without gaps. */
    while (resume && is_there(path) && is_there(next = path_of_part(limits->pattern, part + 1))) {
        free(path);
        path = next;
        next = NULL;
        part++;
    }
    free(next);
    if (!path) {
        cli_complain_memory(NULL);
        return EXIT_SYSTEM;
    }
    int result = cli_tar_open(tar, path, resume, sync);
    tar->part_path = path;
    tar->part = part;
    tar->pattern = limits->pattern;
    tar->max_bytes = limits->max_bytes;
    tar->max_items = limits->max_items;
    return result;
}

bool cli_tar_is_full(const cli_tar *tar, uint64_t size)
{
    enum { END = 2 * CLI_TAR_BLOCK };
    return tar->pattern && tar->items > 0 &&
           ((tar->max_items > 0 && tar->items >= tar->max_items) ||
            (tar->max_bytes > 0 && tar->end + size + END > tar->max_bytes));
}

bool cli_tar_next_part(cli_tar *tar)
{
    char *path = path_of_part(tar->pattern, tar->part + 1);
    int next = path ? open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666) : -1;
    bool locked = next >= 0 && (flock(next, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK);
    if (!locked || !cli_tar_close(tar)) {
        int saved = errno;
        cli_complain(NULL, "%s: %s", path ? path : tar->pattern,
                     saved == EEXIST ? "exists already, and does not belong to this run"
                                     : strerror(saved));
        if (next >= 0)
            close(next);
        if (locked) /* the next part exists, so this one was stored */
            unlink(path);
        free(path);
        errno = saved;
        return false;
    }
    tar->path = tar->part_path = path;
    tar->descriptor = next;
    tar->part++;
    tar->items = tar->end = tar->kept = 0;
    tar->ready = true;
    return true;
}

bool cli_tar_open_earlier(const cli_tar *tar, const cli_line *line, cli_tar *part)
{
    char space[CLI_LINE_SPACE];
    uint64_t offset, size;
    const char *path = tar->pattern ? piece_of(line, space, &offset, &size) : NULL;
    const char *mark = tar->pattern ? strstr(tar->pattern, part_mark) : NULL;
    size_t before = mark ? (size_t)(mark - tar->pattern) : 0;
    if (!path || strncmp(path, tar->pattern, before) != 0)
        return false;
    uint64_t number = strtoull(path + before, NULL, 10);
    char *right = path_of_part(tar->pattern, number);
    bool is_earlier = right && strcmp(right, path) == 0 && number < tar->part;
    free(right);
    int descriptor = is_earlier ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    char *own = descriptor >= 0 ? strdup(path) : NULL;
    *part = (cli_tar){.path = own, .part_path = own, .descriptor = descriptor, .seekable = true};
    if (descriptor >= 0 && !own)
        close(descriptor);
    return own != NULL;
}

bool cli_tar_open_again(const cli_tar *tar, cli_tar *again)
{
    *again = *tar;
    again->ready = false; /* the copy is never written to */
    again->part_path = tar->path ? strdup(tar->path) : NULL;
    again->path = again->part_path;
    again->descriptor = tar->path ? fcntl(tar->descriptor, F_DUPFD_CLOEXEC, 3) : -1;
    bool opened = !tar->path || (again->path && again->descriptor >= 0);
    if (!opened)
        cli_tar_close(again);
    return opened;
}

/* -- Resuming ------------------------------------------------------------ */

/* True for a tar without members. A run whose items all failed leaves one. */
static bool is_empty_tar(const cli_tar *tar, off_t size)
{
    static const uint8_t zeros[2 * CLI_TAR_BLOCK];
    uint8_t bytes[sizeof zeros];
    return size == (off_t)sizeof zeros &&
           pread(tar->descriptor, bytes, sizeof bytes, 0) == (ssize_t)sizeof bytes &&
           memcmp(bytes, zeros, sizeof bytes) == 0;
}

int cli_tar_check_is_ours(const cli_tar *tar, const char *results, bool results_are_empty)
{
    struct stat info;
    uint64_t offset = tar->kept;
    if (!tar->seekable || fstat(tar->descriptor, &info) != 0 || info.st_size == 0 ||
        is_empty_tar(tar, info.st_size))
        return EXIT_DONE;
    /* A run that was killed before its first line wrote at most to the first part. */
    bool may_be_own =
        tar->is_listed || (results_are_empty && tar->part == 0 && info.st_size >= CLI_TAR_BLOCK);
    if (may_be_own && is_own_from(tar, &offset))
        return EXIT_DONE;
    if (may_be_own && offset > 0) {
        cli_complain(NULL,
                     "%s: this batch did not write the member at offset %llu, and --resume would "
                     "remove it; move it to another file",
                     tar->path, (unsigned long long)offset);
        return EXIT_USAGE;
    }
    cli_complain(NULL,
                 "%s: %llu bytes, which --results %s does not list; expected the results that "
                 "were written with it, or no such file",
                 tar->path, (unsigned long long)info.st_size, results);
    return EXIT_USAGE;
}

bool cli_tar_continue(cli_tar *tar)
{
    tar->end = tar->kept;
    tar->ready = !tar->seekable || ftruncate(tar->descriptor, (off_t)tar->end) == 0;
    return tar->ready;
}

static bool write_at(const cli_tar *tar, const uint8_t *data, size_t size, uint64_t offset)
{
    while (size > 0) {
        ssize_t written = tar->seekable ? pwrite(tar->descriptor, data, size, (off_t)offset)
                                        : write(tar->descriptor, data, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return false;
        data += written;
        size -= (size_t)written;
        offset += (uint64_t)written;
    }
    return true;
}

static bool sync_tar(const cli_tar *tar)
{
    return !tar->sync || fdatasync(tar->descriptor) == 0 || errno == EINVAL || errno == ENOTSUP;
}

bool cli_tar_write(const cli_tar *tar, uint64_t end, const cli_tar_bytes *bytes)
{
    uint64_t begin = end - bytes->size;
    if (bytes->size < CLI_TAR_BLOCK)
        return true;
    if (!tar->seekable)
        return write_at(tar, bytes->data, bytes->size, begin);
    /* Write the first header last: until then, a block of zeros in its place ends the tar. */
    return write_at(tar, bytes->data + CLI_TAR_BLOCK, bytes->size - CLI_TAR_BLOCK,
                    begin + CLI_TAR_BLOCK) &&
           sync_tar(tar) && write_at(tar, bytes->data, CLI_TAR_BLOCK, begin) && sync_tar(tar);
}

/* Let the command of --store store the tar. False, errno, and a message. */
static bool store(const cli_tar *tar)
{
    const cli_hook_names names = {.out = tar->path, .file = tar->path};
    cli_hook_result result = cli_hook_run(tar->store, &names);
    if (result == CLI_HOOK_DONE)
        return true;
    cli_complain(NULL, "%s: the command of --store %s", tar->path,
                 result == CLI_HOOK_SYSTEM
                     ? "cannot be run, or asks to be run later (exit status 75)"
                     : "failed");
    errno = result == CLI_HOOK_SYSTEM ? ENOSPC : EIO;
    return false;
}

bool cli_tar_close(cli_tar *tar)
{
    static const uint8_t zeros[2 * CLI_TAR_BLOCK];
    bool closed = true;
    if (tar->ready)
        closed = write_at(tar, zeros, sizeof zeros, tar->end) && sync_tar(tar);
    if (tar->descriptor > STDOUT_FILENO)
        closed &= close(tar->descriptor) == 0;
    if (closed && tar->ready && tar->store)
        closed = store(tar);
    free(tar->part_path);
    tar->part_path = NULL;
    tar->descriptor = -1;
    tar->ready = false;
    return closed;
}
