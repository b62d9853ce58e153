/* base/scratch.c - temporary memory of a task. */
#include "base/scratch.h"
#include "base/arena.h"
#include "base/threads.h"

#include <string.h>

/* Pieces do not share a cache line. */
#define LINE ((size_t)64)

facet_options facet_options_within(const facet_options *options, const facet_arena *arena,
                                   uint64_t bytes)
{
    facet_options own = options ? *options : (facet_options){0};
    if (facet_arena_left(arena) < bytes)
        own.threads = NULL;
    return own;
}

static void allocate(facet_scratch *scratch, facet_arena *arena, unsigned count)
{
    scratch->count = count;
    scratch->bytes = facet_arena_allocate(arena, count, scratch->size);
    scratch->taken = facet_arena_allocate(arena, count, sizeof *scratch->taken);
}

bool facet_scratch_make(facet_scratch *scratch, facet_arena *arena, const facet_options *options,
                        size_t size)
{
    *scratch = (facet_scratch){.size = (size + LINE - 1) / LINE * LINE};
    bool failed = facet_arena_status(arena, NULL) != FACET_OK;
    allocate(scratch, arena, facet_thread_count(options));
    if (scratch->count > 1 && !failed && (!scratch->bytes || !scratch->taken)) {
        facet_scratch_release(scratch, arena);
        facet_arena_forget_failure(arena);
        allocate(scratch, arena, 1);
    }
    if (!scratch->bytes || !scratch->taken)
        return false;
    for (unsigned i = 0; i < scratch->count; i++)
        atomic_flag_clear(&scratch->taken[i]);
    return true;
}

void facet_scratch_release(facet_scratch *scratch, facet_arena *arena)
{
    facet_arena_release(arena, scratch->taken, scratch->count, sizeof *scratch->taken);
    facet_arena_release(arena, scratch->bytes, scratch->count, scratch->size);
}

void *facet_scratch_take(facet_scratch *scratch)
{
    for (unsigned i = 0;; i = (i + 1) % scratch->count) {
        if (!atomic_flag_test_and_set_explicit(&scratch->taken[i], memory_order_acquire))
            return scratch->bytes + i * scratch->size;
    }
}

void facet_scratch_return(facet_scratch *scratch, void *piece)
{
    size_t place = (size_t)((unsigned char *)piece - scratch->bytes) / scratch->size;
    atomic_flag_clear_explicit(&scratch->taken[place], memory_order_release);
}
