/* batch/split.h - the splitting of a streamed tar into samples: consecutive files that belong
 * together. Only one sample is in memory. */
#ifndef FACET_BATCH_SPLIT_H
#define FACET_BATCH_SPLIT_H

#include "cli/tar.h"

#include <facet/archive.h>

/* Rule that decides which files form a sample. */
typedef enum cli_split_by {
    CLI_SPLIT_BY_STEM,  /* a/1.obj, a/1.side.png: same path up to the first dot of the name */
    CLI_SPLIT_BY_FOLDER /* a/1.obj, a/t.png: same folder */
} cli_split_by;

/* Receive a sample, a tar without its end. The function may take over the bytes; the caller frees
 * the rest. */
typedef facet_status (*cli_split_sample)(void *user, cli_tar_bytes *sample, facet_error *error);

/* All zero except the first four members. */
typedef struct cli_split {
    cli_split_by by;
    uint64_t limit; /* maximal size of a sample, in bytes */
    cli_split_sample take;
    void *user;
    cli_tar_bytes member, sample;
    char *key;      /* key of the sample */
    size_t header;  /* offset in `member` of the current header */
    size_t needed;  /* bytes of `member` that the next step needs */
    uint64_t at;    /* offset in the tar: the end of the input so far */
    uint64_t links; /* number of skipped members that are not files */
    uint64_t size;  /* size of the file from a pax record */
    bool has_size;
    bool data, ended; /* reading data of the header; the end of the tar was found */
} cli_split;

/* True for the first block of a tar, even a tar without members. */
bool cli_split_begins(const uint8_t *data, size_t size);
/* Feed bytes of the tar. Errors: FACET_ERROR_MALFORMED with AR34, and errors of `take`. */
facet_status cli_split_feed(cli_split *split, const uint8_t *data, size_t size, facet_error *error);
/* Add a file of another kind of archive. */
facet_status cli_split_add(cli_split *split, const char *path, const void *data, size_t size,
                           facet_error *error);
/* Pass the last sample on, after the last byte. A truncated tar has no complete last sample; the
 * error is AR34 or AR35. */
facet_status cli_split_end(cli_split *split, facet_error *error);
void cli_split_free(cli_split *split);

#endif
