/* base/size.h - arithmetic on sizes that detects overflow. Ranges are compared with the bytes that
 * remain. */
#ifndef FACET_BASE_SIZE_H
#define FACET_BASE_SIZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* result = a + b; on overflow returns false, and *result is unchanged. */
static inline bool facet_size_add(size_t a, size_t b, size_t *result)
{
    if (b > SIZE_MAX - a)
        return false;
    *result = a + b;
    return true;
}

/* result = a * b; on overflow returns false, and *result is unchanged. */
static inline bool facet_size_multiply(size_t a, size_t b, size_t *result)
{
    if (a != 0 && b > SIZE_MAX / a)
        return false;
    *result = a * b;
    return true;
}

/* True if `count` records of `size` bytes (at least 1) at `offset` fit into `total` bytes. Never
 * wraps. */
static inline bool facet_range_fits(uint64_t offset, uint64_t count, uint64_t size, uint64_t total)
{
    return offset <= total && count <= (total - offset) / size;
}

/* `value` rounded up to a multiple of `alignment`, a power of two. The caller must ensure that it
 * cannot overflow. */
static inline size_t facet_align_up(size_t value, size_t alignment)
{
    return (value + alignment - 1) & ~(alignment - 1);
}

#endif
