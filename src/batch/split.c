/* batch/split.c - the splitting of a streamed tar into samples. */
#include "batch/split.h"
#include "archive/archive.h"
#include "base/error.h"
#include "base/system.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static facet_status fail_tar(const cli_split *split, facet_error *error, const char *what)
{
    return facet_fail(error, FACET_ERROR_MALFORMED, "AR34", split->at, "%s", what);
}

/* The same at the header that has arrived last. */
static facet_status fail_header(const cli_split *split, facet_error *error, const char *what)
{
    return facet_fail(error, FACET_ERROR_MALFORMED, "AR34",
                      split->at - split->needed + split->header, "%s", what);
}

/* -- Samples ------------------------------------------------------------ */

/* Length of the start of a path that names its sample. */
static size_t key_length(const cli_split *split, const char *path)
{
    const char *slash = strrchr(path, '/');
    if (split->by == CLI_SPLIT_BY_FOLDER)
        return slash ? (size_t)(slash - path) : 0;
    const char *name = slash ? slash + 1 : path;
    const char *dot = *name ? strchr(name + 1, '.') : NULL; /* ".a" has no extension */
    return dot ? (size_t)(dot - path) : strlen(path);
}

static facet_status give_sample(cli_split *split, facet_error *error)
{
    facet_status status = FACET_OK;
    if (split->sample.size > 0)
        status = split->take(split->user, &split->sample, error);
    cli_tar_free(&split->sample);
    free(split->key);
    split->key = NULL;
    return status;
}

/* If the path belongs to another sample, pass on the current one, and begin the other. */
static facet_status begin_file(cli_split *split, const char *path, facet_error *error)
{
    size_t length = key_length(split, path);
    if (split->key && strlen(split->key) == length && memcmp(split->key, path, length) == 0)
        return FACET_OK;
    TRY(give_sample(split, error));
    split->key = strndup(path, length);
    return split->key ? FACET_OK : facet_fail_memory(error, length);
}

facet_status cli_split_add(cli_split *split, const char *path, const void *data, size_t size,
                           facet_error *error)
{
    TRY(begin_file(split, path, error));
    if (size > split->limit || split->sample.size > split->limit - size)
        return facet_fail_limit(error, size, (size_t)split->limit);
    return cli_tar_add(&split->sample, path, data, size) ? FACET_OK
                                                         : facet_fail_memory(error, size);
}

/* -- Members ------------------------------------------------------------ */

/* Read one member. An error gives the offset in the tar. */
static facet_status read_member(const cli_split *split, facet_archive **archive, facet_error *error)
{
    facet_error own = {0}, *given = error ? error : &own;
    facet_source source =
        facet_source_from_memory(split->member.data, split->member.size, "a member");
    facet_status status = facet_tar_read_source(&source, archive, given);
    if (status && given->offset != FACET_NO_OFFSET)
        given->offset += split->at - split->member.size;
    return status;
}

typedef enum kind { NO_FILE, A_FOLDER, A_FILE } kind;

/* Kind of a member, and the path of a file. */
static facet_status read_path(const cli_split *split, char path[FACET_PATH_MAX], kind *is,
                              facet_error *error)
{
    facet_archive *archive = NULL;
    *is = NO_FILE;
    TRY(read_member(split, &archive, error));
    for (uint32_t i = 0; i < archive->member_count; i++) {
        bool folder = archive->members[i].flags & FACET_ARCHIVE_FOLDER;
        if (!folder && facet_archive_path(archive, i, path, FACET_PATH_MAX) < FACET_PATH_MAX)
            *is = A_FILE;
        else /* the folders of a file are members as well */
            *is = *is == A_FILE ? A_FILE : folder ? A_FOLDER : NO_FILE;
    }
    facet_archive_free(archive);
    return FACET_OK;
}

/* Append a whole member, with the headers before it. */
static facet_status take_member(cli_split *split, char type, facet_error *error)
{
    char path[FACET_PATH_MAX];
    kind is = A_FOLDER;
    facet_status status = FACET_OK;
    if (type != 'g' && type != '5')
        status = read_path(split, path, &is, error);
    split->links += is == NO_FILE;
    if (status || is != A_FILE)
        return status;
    TRY(begin_file(split, path, error));
    return cli_tar_append(&split->sample, split->member.data, split->member.size)
               ? FACET_OK
               : facet_fail_memory(error, split->member.size);
}

static facet_status next_member(cli_split *split)
{
    split->member.size = split->header = 0;
    split->needed = CLI_TAR_BLOCK;
    split->data = split->has_size = false;
    return FACET_OK;
}

/* True for records before the header of a file: all of them, except global ones at a member's
 * start. */
static bool is_before_file(const cli_split *split, char type)
{
    return type == 'x' || type == 'L' || type == 'K' || (type == 'g' && split->header > 0);
}

/* Advance to the next header of the same member. */
static facet_status next_header(cli_split *split, char type, uint64_t size, facet_error *error)
{
    const uint8_t *records = split->member.data + split->header + CLI_TAR_BLOCK;
    const char *wrong =
        type == 'x' ? facet_tar_records_size(records, (size_t)size, &split->size, &split->has_size)
                    : NULL;
    if (wrong)
        return fail_header(split, error, wrong);
    split->header = split->needed;
    split->needed += CLI_TAR_BLOCK;
    split->data = false;
    return FACET_OK;
}

static bool is_zero(const uint8_t *block)
{
    static const uint8_t zeros[CLI_TAR_BLOCK];
    return memcmp(block, zeros, sizeof zeros) == 0;
}

bool cli_split_begins(const uint8_t *data, size_t size)
{
    uint64_t bytes;
    char type;
    return size >= CLI_TAR_BLOCK && (is_zero(data) || facet_tar_header(data, &bytes, &type));
}

/* Handle the needed bytes, after all of them arrived. */
static facet_status step(cli_split *split, facet_error *error)
{
    const uint8_t *block = split->member.data + split->header;
    uint64_t size;
    char type;
    if (!split->data && is_zero(block)) {
        if (split->header > 0)
            return fail_header(split, error, "the tar ends between two headers of one member");
        split->ended = true;
        return next_member(split);
    }
    if (!facet_tar_header(block, &size, &type))
        return fail_header(split, error, "invalid header of a member: its checksum does not match");
    split->ended = false;
    if (split->has_size && type != 'g' && !is_before_file(split, type))
        size = split->size;
    if (size > SIZE_MAX / 4)
        return fail_header(split, error, "a member is larger than memory");
    /* A few compressed bytes can expand to a large member. */
    if (size > split->limit || split->needed + split->sample.size > split->limit - size)
        return facet_fail_limit(error, (size_t)size, (size_t)split->limit);
    if (!split->data && size > 0) {
        split->needed += ((size_t)size + CLI_TAR_BLOCK - 1) / CLI_TAR_BLOCK * CLI_TAR_BLOCK;
        split->data = true;
        return FACET_OK;
    }
    if (is_before_file(split, type))
        return next_header(split, type, size, error);
    TRY(take_member(split, type, error));
    return next_member(split);
}

facet_status cli_split_feed(cli_split *split, const uint8_t *data, size_t size, facet_error *error)
{
    if (split->needed == 0)
        next_member(split);
    while (size > 0) {
        size_t part = split->needed - split->member.size;
        part = part < size ? part : size;
        if (!cli_tar_append(&split->member, data, part))
            return facet_fail_memory(error, part);
        data += part;
        size -= part;
        split->at += part;
        if (split->member.size == split->needed)
            TRY(step(split, error));
    }
    return FACET_OK;
}

facet_status cli_split_end(cli_split *split, facet_error *error)
{
    if (split->member.size > 0)
        return fail_tar(split, error, "the tar ends within a member: it was cut short");
    if (split->needed > 0 && !split->ended)
        return fail_tar(split, error, "the tar ends without a block of zeros: it was cut short");
    return give_sample(split, error);
}

void cli_split_free(cli_split *split)
{
    cli_tar_free(&split->member);
    cli_tar_free(&split->sample);
    free(split->key);
    split->key = NULL;
}
