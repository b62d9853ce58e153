/* base/processor.h - code for instructions that not all processors of a family have. One inlined
 * body is compiled to two functions, which return the same results. */
#ifndef FACET_BASE_PROCESSOR_H
#define FACET_BASE_PROCESSOR_H

#include <stdbool.h>

#if defined(__GNUC__)
#define FACET_ALWAYS_INLINE inline __attribute__((always_inline))
#else
#define FACET_ALWAYS_INLINE inline
#endif

/* For x86 of 2013 and later: vectors of 32 bytes, fast shifts and bit counts. */
#if defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__))
#define FACET_WIDE __attribute__((target("avx2,bmi,bmi2")))

static inline bool facet_is_wide(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2");
}
#else
#define FACET_WIDE

static inline bool facet_is_wide(void)
{
    return false;
}
#endif

#endif
