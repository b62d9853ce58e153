/* cli/kept_archive.h - the archive of the last member, kept open. For many items of one archive,
 * its tables are read, and it is decompressed, only once. */
#ifndef FACET_CLI_KEPT_ARCHIVE_H
#define FACET_CLI_KEPT_ARCHIVE_H

#include "base/system.h"

#include <facet/archive.h>

typedef struct cli_kept_archive {
    char *path;
    facet_file_info was; /* file identity when it was opened */
    facet_input *input;
    facet_archive *archive;
    bool in_memory; /* the caller or `block` has the bytes */
    void *block;    /* freed with the archive */
} cli_kept_archive;

/* Keep an archive in memory under a path, until cli_kept_close. False if it is not an archive. */
bool cli_kept_sample(cli_kept_archive *kept, const char *path, const void *data, size_t size);
/* Length of the part of a path that is the archive in memory; 0 if the path is not in it. */
size_t cli_kept_in_memory(const cli_kept_archive *kept, const char *path);

/* Open a member of the archive at the first `length` bytes of a path, as stored. False if it does
 * not exist, or is in a nested archive: then facet_input_open opens it, or returns an error. Close
 * the input before another archive is opened. For one thread at a time. */
bool cli_kept_open(cli_kept_archive *kept, const char *path, size_t length,
                   const facet_options *options, facet_input **input);
void cli_kept_close(cli_kept_archive *kept);

#endif
