#include "support/loops.h"

#include <string.h>

typedef uint64_t vector4 __attribute__((vector_size(32)));

long bench_read_all(const uint8_t *data, size_t size)
{
    vector4 sums[4] = {{0}}, loaded;
    for (size_t at = 0; at + 128 <= size; at += 128) {
        for (int i = 0; i < 4; i++) {
            memcpy(&loaded, data + at + i * 32, sizeof loaded);
            sums[i] ^= loaded;
        }
    }
    sums[0] ^= sums[1] ^ sums[2] ^ sums[3];
    return (long)((sums[0][0] ^ sums[0][1] ^ sums[0][2] ^ sums[0][3]) & 0xFF);
}

void bench_mark_corners(const uint32_t *indices, size_t count, uint32_t *used)
{
    for (size_t i = 0; i < count; i++)
        used[indices[i]] = 1;
    __asm__ volatile("" ::"r"(used) : "memory");
}
