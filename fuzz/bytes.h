/* fuzz/bytes.h - a reader of the fuzzer's input, byte by byte. */
#ifndef FACET_FUZZ_BYTES_H
#define FACET_FUZZ_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct bytes {
    const uint8_t *data;
    size_t left;
} bytes;

/* The next byte; 0 after the end. */
static inline uint8_t take(bytes *b)
{
    if (b->left == 0)
        return 0;
    b->left--;
    return *b->data++;
}

static inline void must(bool condition)
{
    if (!condition)
        abort();
}

#endif
