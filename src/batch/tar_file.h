/* batch/tar_file.h - the file that members of a tar (cli/tar.h) are appended to. */
#ifndef FACET_BATCH_TAR_FILE_H
#define FACET_BATCH_TAR_FILE_H

#include "batch/hook.h"
#include "batch/line.h"
#include "cli/tar.h"

/* A tar file that grows. */
typedef struct cli_tar {
    const char *path; /* NULL: no tar; "-" is standard output */
    int descriptor;
    bool seekable, sync;
    bool ready;            /* cli_tar_continue succeeded */
    bool is_listed;        /* lines of earlier results mention the tar */
    uint64_t end;          /* end of its data, including data that waits */
    uint64_t kept;         /* end of the data of earlier runs that lines cover */
    const cli_hook *store; /* stores the complete tar; NULL: none */
    /* Members for several tars, written in sequence. */
    const char *pattern;                        /* path with {part}; NULL: only one tar */
    char *part_path;                            /* path of this part, owned */
    uint64_t part, items, max_bytes, max_items; /* limits per part; 0: no limit */
} cli_tar;

/* Open the last part that an earlier run wrote, or the first part. `limits` has the pattern and the
 * limits of a part. An exit status. */
int cli_tar_open_parts(cli_tar *tar, const cli_tar *limits, bool resume, bool sync);
/* True if this many more bytes belong to the next part. An item is never split. */
bool cli_tar_is_full(const cli_tar *tar, uint64_t size);
/* End this part and begin the next one, which must not exist. False, errno, and a message. */
bool cli_tar_next_part(cli_tar *tar);
/* Open an earlier part that a line refers to, for reading; cli_tar_close closes it. False if the
 * line does not refer to an existing part. */
bool cli_tar_open_earlier(const cli_tar *tar, const cli_line *line, cli_tar *part);

/* Open the tar of earlier runs again for reading, while this one begins other parts; cli_tar_close
 * closes it. False if memory or descriptors are exhausted. */
bool cli_tar_open_again(const cli_tar *tar, cli_tar *again);
/* Open or create a tar. An exit status; without `resume`, an existing tar is an error. */
int cli_tar_open(cli_tar *tar, const char *path, bool resume, bool sync);
/* True if a piece that a line of an earlier run describes exists. */
bool cli_tar_has(const cli_tar *tar, uint64_t offset, uint64_t size);
/* SHA-256 of the next plain file of a piece; moves past the file. False if no file is left. */
bool cli_tar_sum_next(const cli_tar *tar, uint64_t *offset, uint64_t *size, char sha256[65]);
/* Bytes of the next file, which the caller frees. Otherwise like cli_tar_sum_next. */
bool cli_tar_read_next(const cli_tar *tar, uint64_t *offset, uint64_t *size, uint8_t **data,
                       uint64_t *bytes);
/* Position in this tar of the outputs of a line. False if the line has no outputs in it. */
bool cli_tar_piece(const cli_tar *tar, const cli_line *line, uint64_t *offset, uint64_t *size);
/* Reject a non-empty file that no line of the results mentions: it is another tar, or not a tar. A
 * run that was stopped immediately leaves an empty tar and empty results. An exit status. */
int cli_tar_check_is_ours(const cli_tar *tar, const char *results, bool results_are_empty);
/* Continue after the last piece that a line mentions: the rest of the file is removed. False, and
 * errno, on failure. */
bool cli_tar_continue(cli_tar *tar);
/* Write pieces whose end was at `end` when they were added. A process that reads the tar meanwhile,
 * or after this process was killed, finds all or none of them. False, and errno, on failure. */
bool cli_tar_write(const cli_tar *tar, uint64_t end, const cli_tar_bytes *bytes);
/* Write the end of the tar, and close it. */
bool cli_tar_close(cli_tar *tar);

#endif
