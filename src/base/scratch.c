/* base/scratch.c - space that a task needs while it runs. */
#include "base/scratch.h"
#include "base/arena.h"
#include "base/threads.h"

#include <string.h>

/* No two pieces share a line of a cache. */
#define LINE ((size_t)64)

bool facet_scratch_make(facet_scratch *scratch, facet_arena *arena, const facet_options *options,
                        size_t size)
{
    *scratch = (facet_scratch){.size = (size + LINE - 1) / LINE * LINE,
                               .count = facet_thread_count(options)};
    scratch->bytes = facet_arena_allocate(arena, scratch->count, scratch->size);
    scratch->taken = facet_arena_allocate(arena, scratch->count, sizeof *scratch->taken);
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

void facet_scratch_give(facet_scratch *scratch, void *piece)
{
    size_t place = (size_t)((unsigned char *)piece - scratch->bytes) / scratch->size;
    atomic_flag_clear_explicit(&scratch->taken[place], memory_order_release);
}
