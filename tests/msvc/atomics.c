/* atomics.c - base/atomic.h without <stdatomic.h>, as MSVC compiles it, used by four threads.
 * Compiled by mingw-w64 and run by wine. */
#include <intrin.h>

/* MSVC has this function; the headers of mingw-w64 do not. */
static inline char _InterlockedExchange8(volatile char *object, char value)
{
    return __atomic_exchange_n(object, value, __ATOMIC_SEQ_CST);
}

#include "base/atomic.h"

#include <pthread.h>
#include <stdio.h>

#define THREADS 4
#define ROUNDS 1000000

static atomic_uint words, waiting = THREADS;
static atomic_size_t longs, exchanged;

static void *work(void *argument)
{
    atomic_fetch_sub(&waiting, 1);
    while (atomic_load(&waiting)) /* until all threads run */
        continue;
    for (size_t i = 0; i < ROUNDS; i++) {
        atomic_fetch_add(&words, 3);
        atomic_fetch_sub(&words, 2);
        atomic_fetch_add_explicit(&longs, (size_t)1 << 32, memory_order_relaxed);
        size_t expected = atomic_load(&exchanged);
        while (!atomic_compare_exchange_weak(&exchanged, &expected, expected + 1))
            continue;
    }
    return argument;
}

static int differs(const char *what, unsigned long long found, unsigned long long expected)
{
    if (found != expected)
        printf("%s: %llu, expected %llu\n", what, found, expected);
    return found != expected;
}

/* Results of each function, on one thread. */
static int differ_results(void)
{
    atomic_uint value = 0;
    int failed = differs("fetch_sub", atomic_fetch_sub(&value, 1), 0);
    failed |= differs("after fetch_sub", atomic_load(&value), 0xffffffff);
    failed |= differs("fetch_add", atomic_fetch_add(&value, 2), 0xffffffff);
    failed |= differs("after fetch_add", atomic_load(&value), 1);
    atomic_bool flag = false;
    failed |= differs("exchange", atomic_exchange(&flag, true), false);
    failed |= differs("second exchange", atomic_exchange(&flag, true), true);
    atomic_flag taken = ATOMIC_FLAG_INIT;
    failed |= differs("test_and_set", atomic_flag_test_and_set(&taken), false);
    failed |= differs("second test_and_set", atomic_flag_test_and_set(&taken), true);
    atomic_flag_clear(&taken);
    failed |= differs("test_and_set after clear", atomic_flag_test_and_set(&taken), false);
    atomic_size_t large = (size_t)7 << 40;
    size_t expected = 7;
    failed |=
        differs("compare_exchange", atomic_compare_exchange_weak(&large, &expected, 8), false);
    failed |= differs("expected after it", expected, 7ULL << 40);
    failed |= differs("object after it", atomic_load(&large), 7ULL << 40);
    failed |= differs("second compare_exchange", atomic_compare_exchange_weak(&large, &expected, 8),
                      true);
    failed |= differs("object after the second", atomic_load(&large), 8);
    atomic_store(&large, 9);
    return failed | differs("store", atomic_load(&large), 9);
}

int main(void)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, work, NULL) != 0)
            return 2;
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    const unsigned long long all = (unsigned long long)THREADS * ROUNDS;
    return differ_results() | differs("words", atomic_load(&words), all) |
           differs("longs", atomic_load(&longs), all << 32) |
           differs("exchanged", atomic_load(&exchanged), all);
}
