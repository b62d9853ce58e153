/* base/output_state.h - the state of an output. */
#ifndef FACET_BASE_OUTPUT_STATE_H
#define FACET_BASE_OUTPUT_STATE_H

#include "base/atomic.h"
#include "base/new_file.h"
#include "base/output.h"
#include "base/output_names.h"
#include "base/sha256.h"

#include <signal.h>

#define FACET_OUTPUT_BUFFER_SIZE ((size_t)256 * 1024)

typedef enum facet_output_kind {
    FACET_OUTPUT_TO_FILE,       /* temporary file, renamed on commit */
    FACET_OUTPUT_TO_DESCRIPTOR, /* written immediately: pipes, devices, standard output */
    FACET_OUTPUT_TO_MEMORY,
    FACET_OUTPUT_TO_CALLBACKS
} facet_output_kind;

struct facet_output {
    facet_arena *arena;
    facet_output_kind kind;
    facet_new_file
        file;         /* for FACET_OUTPUT_TO_FILE; other kinds also use its descriptor and path */
    const char *name; /* of a sibling, before links were resolved; NULL: that of the path */
    bool unsynced;    /* set by facet_output_set_sync */
    bool hashed;      /* set by facet_output_begin_hash */
    facet_sha256 hash;
    facet_error failure; /* the first failure */
    uint64_t written;
    uint8_t *buffer; /* pending bytes; in memory, all bytes, allocated directly from the
                        allocator */
    size_t used, capacity;
    size_t limit; /* in memory: maximum bytes of the output and its siblings; 0: no limit */
    facet_output_callbacks callbacks;
    facet_output *sibling, *last_sibling;
    facet_output *first; /* for siblings: the output that they belong to; otherwise NULL */
    /* Only the members of the first one are used. */
    facet_output_names names;  /* of its siblings */
    size_t family_used;        /* bytes in memory of the output and its siblings */
    facet_output *oldest_open; /* queue of siblings whose files are open */
    facet_output *newest_open;
    uint32_t open_count;
    facet_output *next_open; /* in the queue */
    bool is_parked;          /* closed before it was finished */
    /* Outputs that are committed together, and their state; only the members of the first one are
     * used. */
    facet_output *group;
    volatile sig_atomic_t committed;
    FACET_ATOMIC(facet_output *) next; /* next in the list of uncommitted files */
    facet_output *previous;
    bool listed;
};

/* Create an output without a destination. */
facet_status facet_output_create(facet_output_kind kind, const facet_allocator *allocator,
                                 facet_output **output, facet_error *error);
/* Write the pending bytes. */
void facet_output_flush(facet_output *output);
/* Report the failure of a callback. Add a sentence if the callback set none. */
facet_status facet_output_fail_callback(const facet_output *output, facet_status status,
                                        const char *verb, facet_error *fault);
/* Add a sibling whose file was opened to the queue. If too many are open, close the one that was
 * opened first: writers usually complete a file before they open the next one. */
void facet_output_note_open(facet_output *output);

#endif
