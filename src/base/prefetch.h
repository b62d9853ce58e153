/* base/prefetch.h - asking for memory before it is needed. */
#ifndef FACET_BASE_PREFETCH_H
#define FACET_BASE_PREFETCH_H

#include "base/processor.h"

/* The line of the cache at an address, which need not be one: what is not there is not asked for.
 * A function that does nothing else has to be inlined, too, for GCC leaves calls of it out as
 * being without an effect. */
static FACET_ALWAYS_INLINE void facet_prefetch(const void *address)
{
#if defined(__GNUC__)
    __builtin_prefetch(address);
#else
    (void)address;
#endif
}

#endif
