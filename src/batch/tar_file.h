/* batch/tar_file.h - the file that members of a tar (cli/tar.h) are appended to. */
#ifndef FACET_BATCH_TAR_FILE_H
#define FACET_BATCH_TAR_FILE_H

#include "batch/hook.h"
#include "batch/line.h"
#include "cli/tar.h"

/* A tar that grows. */
typedef struct cli_tar {
    const char *path; /* NULL: there is none; "-" is standard output */
    int descriptor;
    bool seekable, sync;
    bool ready;            /* cli_tar_continue went well */
    bool told;             /* earlier results have a line about it */
    uint64_t end;          /* of what is in it, or will be when what waits is written */
    uint64_t kept;         /* of what earlier runs wrote, and have told of */
    const cli_hook *store; /* that takes it when it is complete; NULL: none */
    /* Several tars, one after another. */
    const char *pattern;                        /* their path, with {part}; NULL: there is one */
    char *part_path;                            /* of this one, owned */
    uint64_t part, items, max_bytes, max_items; /* most of each, 0: any number */
} cli_tar;

/* Open the part that an earlier run wrote last, or the first. `limits` has the pattern and what a
 * part may hold. An exit status. */
int cli_tar_open_parts(cli_tar *tar, const cli_tar *limits, bool resume, bool sync);
/* True when so many more bytes belong into the next part. An item is never parted. */
bool cli_tar_is_full(const cli_tar *tar, uint64_t size);
/* End this part and begin the next one, which must not be there. False, errno, and
 * a message. */
bool cli_tar_next_part(cli_tar *tar);
/* Open a part before this one that a line is about, for reading; cli_tar_close ends that. False:
 * it is not about one that is there. */
bool cli_tar_open_earlier(const cli_tar *tar, const cli_line *line, cli_tar *part);

/* The tar as earlier runs left it, to be read while this one goes on to other parts; cli_tar_close
 * ends that. False without memory or descriptors. */
bool cli_tar_open_again(const cli_tar *tar, cli_tar *again);
/* Open or create. An exit status; without `resume` a tar that is there is refused. */
int cli_tar_open(cli_tar *tar, const char *path, bool resume, bool sync);
/* True when a piece that an earlier run told of is there. */
bool cli_tar_has(const cli_tar *tar, uint64_t offset, uint64_t size);
/* SHA-256 of the next plain file of a piece; goes past it. False when there is none. */
bool cli_tar_sum_next(const cli_tar *tar, uint64_t *offset, uint64_t *size, char sha256[65]);
/* The bytes of it, in memory to be freed. The same otherwise. */
bool cli_tar_read_next(const cli_tar *tar, uint64_t *offset, uint64_t *size, uint8_t **data,
                       uint64_t *bytes);
/* Where a line of results says that its outputs are in this tar. False when it does not. */
bool cli_tar_piece(const cli_tar *tar, const cli_line *line, uint64_t *offset, uint64_t *size);
/* Refuse a file with bytes when no line of the results is about it: it is another
 * tar, or no tar at all. A run that was stopped at once leaves a tar and results that
 * are there and empty. An exit status. */
int cli_tar_refuse_untold(const cli_tar *tar, const char *results, bool results_are_empty);
/* Go on behind the last piece that was told of: what is behind it is taken away.
 * False, and errno, when that cannot be done. */
bool cli_tar_continue(cli_tar *tar);
/* Write pieces that end where `end` was when they were taken. Whoever reads the tar
 * meanwhile, or after this process was killed, finds all of them or none. False,
 * and errno, when they cannot be written. */
bool cli_tar_write(const cli_tar *tar, uint64_t end, const cli_tar_bytes *bytes);
/* Write the end that a tar has, and close. */
bool cli_tar_close(cli_tar *tar);

#endif
