/* bench/support/loops.h - minimal loops: the memory access that every full check needs. They
 * measure the limits of the machine. */
#ifndef FACET_BENCH_LOOPS_H
#define FACET_BENCH_LOOPS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Read all bytes, 32 at a time. The result only keeps the compiler from removing the loop. */
long bench_read_all(const uint8_t *data, size_t size);

/* Load 16 bytes for each corner from each of two arrays. `stride` is the size of an element in
 * bytes, and should be a constant. */
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
/* Set used[v] to 1 for the vertex v of each corner. */
void bench_mark_corners(const uint32_t *indices, size_t count, uint32_t *used);

#endif
