/* base/atomic.h - atomic values, with the names of C11's <stdatomic.h>.
 *
 * MSVC has <stdatomic.h> for C only with an experimental option, and defines __STDC_NO_ATOMICS__
 * without it. For x86-64 the names are then defined here, for the types that Facet uses. Unless
 * /volatile:iso is given, MSVC compiles an access to a volatile object as an acquiring load or a
 * releasing store. */
#ifndef FACET_BASE_ATOMIC_H
#define FACET_BASE_ATOMIC_H

#ifndef __STDC_NO_ATOMICS__
#include <stdatomic.h>

#define FACET_ATOMIC(type) _Atomic(type)
#else
#ifndef _M_X64
#error "no atomic values for this compiler: use <stdatomic.h> (MSVC: /experimental:c11atomics)"
#endif
#include <intrin.h>
#include <stdbool.h>
#include <stddef.h>

#define FACET_ATOMIC(type) type volatile
typedef volatile bool atomic_bool;
typedef volatile unsigned atomic_uint;
typedef volatile size_t atomic_size_t;
typedef struct atomic_flag {
    volatile long taken;
} atomic_flag;
#define ATOMIC_FLAG_INIT \
    {                    \
        0                \
    }

#define atomic_init(object, value) ((void)(*(object) = (value)))
#define atomic_load(object) (*(object))
#define atomic_load_explicit(object, order) (*(object))
#define atomic_store(object, value) ((void)(*(object) = (value)), _mm_mfence())
#define atomic_store_explicit(object, value, order) ((void)(*(object) = (value)))

/* For objects of 4 and 8 bytes. */
static inline unsigned long long facet_atomic_add(volatile void *object, size_t size,
                                                  long long addend)
{
    return size == sizeof(long)
               ? (unsigned long)_InterlockedExchangeAdd((volatile long *)object, (long)addend)
               : (unsigned long long)_InterlockedExchangeAdd64((volatile long long *)object,
                                                               addend);
}
#define atomic_fetch_add(object, addend) \
    facet_atomic_add(object, sizeof *(object), (long long)(addend))
#define atomic_fetch_sub(object, addend) \
    facet_atomic_add(object, sizeof *(object), -(long long)(addend))
#define atomic_fetch_add_explicit(object, addend, order) atomic_fetch_add(object, addend)

static inline bool atomic_exchange(atomic_bool *object, bool value)
{
    return _InterlockedExchange8((volatile char *)object, (char)value) != 0;
}

static inline bool atomic_compare_exchange_weak(atomic_size_t *object, size_t *expected,
                                                size_t desired)
{
    size_t found = (size_t)_InterlockedCompareExchange64((volatile long long *)object,
                                                         (long long)desired, (long long)*expected);
    bool is_equal = found == *expected;
    *expected = found;
    return is_equal;
}

static inline bool atomic_flag_test_and_set(atomic_flag *flag)
{
    return _InterlockedExchange(&flag->taken, 1) != 0;
}

static inline void atomic_flag_clear(atomic_flag *flag)
{
    (void)_InterlockedExchange(&flag->taken, 0);
}
#define atomic_flag_test_and_set_explicit(flag, order) atomic_flag_test_and_set(flag)
#define atomic_flag_clear_explicit(flag, order) atomic_flag_clear(flag)
#endif

#endif
