/* tests/support/repeats.h - data for compressors: few symbols, with repeats. */
#ifndef FACET_TESTS_REPEATS_H
#define FACET_TESTS_REPEATS_H

#include <stddef.h>
#include <stdint.h>

static inline uint32_t next_number(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

/* Data of a few symbols, with repeats at small and large distances. */
static inline void make_repeats(uint8_t *data, size_t size, uint32_t *seed)
{
    uint32_t symbols = 1 + next_number(seed) % 256;
    for (size_t at = 0; at < size;) {
        size_t length = 1 + next_number(seed) % 300;
        if (length > size - at)
            length = size - at;
        if (at > 0 && next_number(seed) % 3 > 0) {
            size_t distance = 1 + next_number(seed) % (next_number(seed) % 2 ? at
                                                       : at < 40             ? at
                                                                             : 40);
            for (size_t i = 0; i < length; i++)
                data[at + i] = data[at + i - distance];
        } else {
            for (size_t i = 0; i < length; i++)
                data[at + i] = (uint8_t)(next_number(seed) % symbols);
        }
        at += length;
    }
}

#endif
