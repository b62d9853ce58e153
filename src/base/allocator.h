/* base/allocator.h - the default allocator. */
#ifndef FACET_BASE_ALLOCATOR_H
#define FACET_BASE_ALLOCATOR_H

#include "base/arena.h"

/* Systems where large blocks are mapped directly. With AddressSanitizer, malloc must see all
 * blocks. Emscripten's mmap is only an allocation that is cleared, and parts of it cannot be freed.
 */
#if (defined(__unix__) || defined(__APPLE__)) && !defined(FACET_ARENA_EXACT) && \
    !defined(__EMSCRIPTEN__)
#define FACET_HUGE_PAGES 1
#define FACET_HUGE_PAGE ((size_t)2 << 20)
#endif

/* `allocator`, or the default if it is NULL: malloc, and pages of the system for blocks of several
 * MiB, huge pages if available. Up to FACET_KEPT_BYTES of freed blocks stay cached for the next
 * call. Reason: clearing a new page takes about as long as filling it, and several times that in
 * virtual machines. Cached blocks are freed before another block is mapped, so the total never
 * exceeds the peak use of such blocks. */
const facet_allocator *facet_allocator_or_default(const facet_allocator *allocator);

#define FACET_KEPT_BYTES ((size_t)32 << 20)

#endif
