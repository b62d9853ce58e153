/* base/allocator.h - the allocator of whoever gives none. */
#ifndef FACET_BASE_ALLOCATOR_H
#define FACET_BASE_ALLOCATOR_H

#include "base/arena.h"

/* Where large blocks come from the system itself. With AddressSanitizer malloc watches all, and
 * Emscripten's mmap is an allocation that is cleared, of which nothing can be given back. */
#if (defined(__unix__) || defined(__APPLE__)) && !defined(FACET_ARENA_EXACT) && \
    !defined(__EMSCRIPTEN__)
#define FACET_HUGE_PAGES 1
#define FACET_HUGE_PAGE ((size_t)2 << 20)
#endif

/* `allocator`, or the default when it is NULL: malloc, and for blocks of several MiB pages of the
 * system, huge ones where it has them. Of those that are released it keeps up to
 * FACET_KEPT_BYTES, for whoever asks next: to clear a fresh page takes about as long as to fill it,
 * and several times that where a virtual machine has to ask its host for it. What is kept goes
 * back before another block is mapped: of such blocks no more is held than was in use at once. */
const facet_allocator *facet_allocator_or_default(const facet_allocator *allocator);

#define FACET_KEPT_BYTES ((size_t)32 << 20)

#endif
