/* cli/kept_archive.h - the archive that members were read from last, kept open: many
 * items of one archive read its tables, and decompress it, once. */
#ifndef FACET_CLI_KEPT_ARCHIVE_H
#define FACET_CLI_KEPT_ARCHIVE_H

#include "base/system.h"

#include <facet/archive.h>

typedef struct cli_kept_archive {
    char *path;
    facet_place was; /* the file when it was opened */
    facet_input *input;
    facet_archive *archive;
    bool in_memory; /* not a file: the bytes are the caller's, or in `block` */
    void *block;    /* freed with the archive */
} cli_kept_archive;

/* Keep an archive that is in memory as if it were the file of a path, until cli_kept_close. False
 * when it is none. */
bool cli_kept_sample(cli_kept_archive *kept, const char *path, const void *data, size_t size);
/* How much of a path names the archive that is in memory; 0: it is none in it. */
size_t cli_kept_in_memory(const cli_kept_archive *kept, const char *path);

/* Open a member as it is stored, of the archive that the first `length` bytes of a
 * path name. False when there is none, or it lies in an archive in that one:
 * facet_input_open does it, or says why not. Close the input before another
 * archive is opened. One thread at once. */
bool cli_kept_open(cli_kept_archive *kept, const char *path, size_t length,
                   const facet_options *options, facet_input **input);
void cli_kept_close(cli_kept_archive *kept);

#endif
