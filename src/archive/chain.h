/* archive/chain.h - the archives that a path runs through. */
#ifndef FACET_ARCHIVE_CHAIN_H
#define FACET_ARCHIVE_CHAIN_H

#include "archive/archive.h"
#include "archive/codec.h"

/* An archive on the way, which may be compressed. */
typedef struct facet_chain_link {
    facet_layers layers; /* as it is stored in the file, or in the archive before */
    facet_archive *archive;
    uint32_t member;  /* that the path goes on to; FACET_NONE: it is not there, or is a folder */
    const char *path; /* up to this archive */
} facet_chain_link;

typedef struct facet_chain {
    facet_arena *arena;
    facet_file *file;
    const char *path; /* of the file */
    facet_chain_link links[FACET_ARCHIVE_MAX_NESTING];
    unsigned count;
    const char *rest; /* what the path says of the last archive's members */
} facet_chain;

/* Follow a path whose first `length` bytes are a file, as far as there are
 * members. The chain is to be closed, also on failure. */
facet_status facet_chain_open(const char *path, size_t length, const facet_options *options,
                              facet_chain *chain, facet_error *error);
void facet_chain_close(facet_chain *chain);
/* The last archive. */
static inline facet_chain_link *facet_chain_last(facet_chain *chain)
{
    return &chain->links[chain->count - 1];
}
/* Raise the error that the path leads to nothing. */
facet_status facet_chain_fail(const facet_chain *chain, facet_error *error);

#endif
