/* cli/tar.h - members of a tar as POSIX.1-2001 has them (ustar, and pax where a name
 * or a size does not fit). The same bytes each time: of no user, at no time.
 *
 * Bytes of several members grow in memory (tar.c); cli_tar appends such pieces to a
 * file (tar_file.c). */
#ifndef FACET_CLI_TAR_H
#define FACET_CLI_TAR_H

#include "base/json.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CLI_TAR_BLOCK = 512 };

typedef struct cli_tar_bytes {
    uint8_t *data;
    size_t size, space;
} cli_tar_bytes;

/* Add a plain file: its header, its bytes, zeros up to a whole block. False without
 * memory. */
bool cli_tar_add(cli_tar_bytes *bytes, const char *name, const void *data, size_t size);
bool cli_tar_append(cli_tar_bytes *bytes, const void *data, size_t size);
void cli_tar_free(cli_tar_bytes *bytes);
/* True when a block is the header of a member. */
bool cli_tar_is_header(const uint8_t block[CLI_TAR_BLOCK]);
/* True of a name that tar takes out below the folder that it is told to. */
bool cli_tar_name_suits(const char *name);

/* A tar that grows. */
typedef struct cli_tar {
    const char *path; /* NULL: there is none; "-" is standard output */
    int descriptor;
    bool seekable, sync;
    bool ready;    /* cli_tar_continue went well */
    bool told;     /* earlier results have a line about it */
    uint64_t end;  /* of what is in it, or will be when what waits is written */
    uint64_t kept; /* of what earlier runs wrote, and have told of */
} cli_tar;

/* Open or create. An exit status; without `resume` a tar that is there is refused. */
int cli_tar_open(cli_tar *tar, const char *path, bool resume, bool sync);
/* True when a piece that an earlier run told of is there. */
bool cli_tar_has(const cli_tar *tar, uint64_t offset, uint64_t size);
/* Where a line of results says that its outputs are in this tar. False when it does not. */
bool cli_tar_piece(const cli_tar *tar, const facet_json *line, uint64_t *offset, uint64_t *size);
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
