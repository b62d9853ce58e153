/* batch/split.h - a tar as it comes, split into samples: files that follow one another and belong
 * together. Memory is that of one sample. */
#ifndef FACET_BATCH_SPLIT_H
#define FACET_BATCH_SPLIT_H

#include "cli/tar.h"

#include <facet/archive.h>

/* Which files are of one sample. */
typedef enum cli_split_by {
    CLI_SPLIT_BY_STEM,  /* a/1.obj, a/1.mtl, a/1.side.png: the same name up to its first dot */
    CLI_SPLIT_BY_FOLDER /* a/1.obj, a/t.png */
} cli_split_by;

/* Take a sample, a tar without its end. The bytes may be taken over: what is left is freed. */
typedef facet_status (*cli_split_sample)(void *user, cli_tar_bytes *sample, facet_error *error);

/* All zero but the first four. */
typedef struct cli_split {
    cli_split_by by;
    uint64_t limit; /* bytes of a sample */
    cli_split_sample take;
    void *user;
    cli_tar_bytes member, sample;
    char *key;      /* of the sample */
    size_t header;  /* in `member`: the header that is being read */
    size_t needed;  /* of `member`, until the next step */
    uint64_t at;    /* in the tar: the end of what was fed */
    uint64_t links; /* members that are no files, and are left out */
    uint64_t size;  /* of the file, where a pax record has it */
    bool has_size;
    bool data, ended; /* the data of the header is being read; the end of the tar was seen */
} cli_split;

/* True of the first block of a tar, also of one without members. */
bool cli_split_begins(const uint8_t *data, size_t size);
/* Errors: FACET_ERROR_MALFORMED with AR34, and those of `take`. */
facet_status cli_split_feed(cli_split *split, const uint8_t *data, size_t size, facet_error *error);
/* Add a file of an archive of another kind. */
facet_status cli_split_add(cli_split *split, const char *path, const void *data, size_t size,
                           facet_error *error);
/* After the last byte: give the last sample away. A tar that was cut short has none; the error is
 * AR34 or AR35. */
facet_status cli_split_end(cli_split *split, facet_error *error);
void cli_split_free(cli_split *split);

#endif
