/* archive/chain.h - the archives on a path. */
#ifndef FACET_ARCHIVE_CHAIN_H
#define FACET_ARCHIVE_CHAIN_H

#include "archive/archive.h"
#include "archive/codec.h"

/* An archive on the path, which can be compressed. */
typedef struct facet_chain_link {
    facet_layers layers; /* compression of its bytes in the file, or in the archive before */
    facet_archive *archive;
    uint32_t member;  /* next on the path; FACET_NONE: missing, or a folder */
    const char *path; /* path of this archive */
} facet_chain_link;

typedef struct facet_chain {
    facet_arena *arena;
    facet_file *file;
    const char *path; /* path of the file */
    facet_chain_link links[FACET_ARCHIVE_MAX_NESTING];
    unsigned count;
    const char *rest; /* the part of the path inside the last archive */
} facet_chain;

/* Resolve a path whose first `length` bytes are a file, as far as members exist. Close the chain,
 * even after an error. */
facet_status facet_chain_open(const char *path, size_t length, const facet_options *options,
                              facet_chain *chain, facet_error *error);
void facet_chain_close(facet_chain *chain);
/* The last archive. */
static inline facet_chain_link *facet_chain_last(facet_chain *chain)
{
    return &chain->links[chain->count - 1];
}
/* Fail because the target of the path does not exist. */
facet_status facet_chain_fail(const facet_chain *chain, facet_error *error);

#endif
