/* base/scratch.h - space that a task needs while it runs: too much for the stack, which a caller's
 * threads may have 64 KiB of, and too often to allocate. There is a piece for each thread, or one
 * where a memory limit leaves no more: what it refuses must not depend on the threads. */
#ifndef FACET_BASE_SCRATCH_H
#define FACET_BASE_SCRATCH_H

#include <facet/base.h>
#include <stdatomic.h>

typedef struct facet_scratch {
    unsigned char *bytes;
    atomic_flag *taken; /* of each piece */
    size_t size;
    unsigned count;
} facet_scratch;

/* The same options, without threads where the limit of an arena leaves less than `bytes`: as much
 * as a pass needs at most with these threads. options may be NULL. */
facet_options facet_options_within(const facet_options *options, const facet_arena *arena,
                                   uint64_t bytes);

/* Pieces of `size` bytes, for the tasks of facet_run with these options. False without memory,
 * which the arena tells. */
bool facet_scratch_make(facet_scratch *scratch, facet_arena *arena, const facet_options *options,
                        size_t size);
void facet_scratch_release(facet_scratch *scratch, facet_arena *arena);
/* Take a piece, with what the task before left there, and give it back. A caller that runs more
 * tasks at once than facet_threads.count says lets some of them wait here. */
void *facet_scratch_take(facet_scratch *scratch);
void facet_scratch_give(facet_scratch *scratch, void *piece);

#endif
