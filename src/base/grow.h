/* base/grow.h - arrays from malloc that grow. For arrays in an arena, use FACET_GROW. */
#ifndef FACET_BASE_GROW_H
#define FACET_BASE_GROW_H

#include <stdbool.h>
#include <stddef.h>

/* Make space for `wanted` items of `size` bytes in an array from malloc, or NULL with *space 0. The
 * capacity at least doubles when it grows, so that appending an item takes constant time on
 * average. False if out of memory; the array is then unchanged. `items` points to the array. */
bool facet_grow(void *items, size_t wanted, size_t *space, size_t size);
#define FACET_GROW_HEAP(items, wanted, space) \
    facet_grow(&(items), wanted, &(space), sizeof *(items))

#endif
