/* base/scratch.h - temporary memory of a task. It is too large for the stack, of which a caller's
 * threads may have only 64 KiB, and is needed too frequently to allocate. There is one piece per
 * thread. If a memory limit leaves less, there is a single piece: whether the limit is exceeded
 * must not depend on the number of threads. */
#ifndef FACET_BASE_SCRATCH_H
#define FACET_BASE_SCRATCH_H

#include "base/atomic.h"

#include <facet/base.h>

typedef struct facet_scratch {
    unsigned char *bytes;
    atomic_flag *taken; /* one per piece */
    size_t size;
    unsigned count;
} facet_scratch;

/* Copy the options, without threads if the limit of an arena leaves less than `bytes`, the maximum
 * that a pass needs with these threads. options may be NULL. */
facet_options facet_options_within(const facet_options *options, const facet_arena *arena,
                                   uint64_t bytes);

/* Allocate pieces of `size` bytes for the tasks of facet_run with these options. False if out of
 * memory, which the arena records. */
bool facet_scratch_make(facet_scratch *scratch, facet_arena *arena, const facet_options *options,
                        size_t size);
void facet_scratch_release(facet_scratch *scratch, facet_arena *arena);
/* Take a piece, which has the content that the previous task left, and return it. If a caller runs
 * more tasks at once than facet_threads.count, some of them wait here. */
void *facet_scratch_take(facet_scratch *scratch);
void facet_scratch_return(facet_scratch *scratch, void *piece);

#endif
