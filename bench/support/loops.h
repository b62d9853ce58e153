/* bench/support/loops.h - loops that do nothing but what no full check can leave out: they
 * tell what the machine allows. */
#ifndef FACET_BENCH_LOOPS_H
#define FACET_BENCH_LOOPS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* All bytes, 32 at a time. What is returned keeps the compiler from leaving it out. */
long bench_read_all(const uint8_t *data, size_t size);

/* What each corner points to, in two arrays of elements `stride` bytes apart, a constant: 16 bytes
 * of each. */
static inline long bench_load_corners(const uint32_t *indices, size_t count, const uint8_t *first,
                                      const uint8_t *second, size_t stride)
{
    typedef uint64_t vector2 __attribute__((vector_size(16)));
    vector2 a = {0}, b = {0}, c = {0}, d = {0}, loaded[4];
    for (size_t i = 0; i + 2 <= count; i += 2) {
        memcpy(&loaded[0], first + indices[i] * stride, sizeof *loaded);
        memcpy(&loaded[1], second + indices[i] * stride, sizeof *loaded);
        memcpy(&loaded[2], first + indices[i + 1] * stride, sizeof *loaded);
        memcpy(&loaded[3], second + indices[i + 1] * stride, sizeof *loaded);
        a ^= loaded[0], b ^= loaded[1], c ^= loaded[2], d ^= loaded[3];
    }
    a ^= b ^ c ^ d;
    return (long)((a[0] ^ a[1]) & 0xFF);
}
/* A mark for each corner's vertex. */
void bench_mark_corners(const uint32_t *indices, size_t count, uint32_t *used);

#endif
