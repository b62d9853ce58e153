/* base/prefetch.h - loading of memory into the cache before it is needed. */
#ifndef FACET_BASE_PREFETCH_H
#define FACET_BASE_PREFETCH_H

#include "base/processor.h"

/* Load the cache line at an address. An invalid address is ignored. A function that does nothing
 * else must be inlined: GCC removes calls of it, because they have no visible effect. */
static FACET_ALWAYS_INLINE void facet_prefetch(const void *address)
{
#if defined(__GNUC__)
    __builtin_prefetch(address);
#else
    (void)address;
#endif
}

#endif
