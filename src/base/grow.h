/* base/grow.h - arrays from malloc that grow. What belongs to an arena grows by FACET_GROW. */
#ifndef FACET_BASE_GROW_H
#define FACET_BASE_GROW_H

#include <stdbool.h>
#include <stddef.h>

/* Make space for `wanted` items of `size` bytes in an array from malloc, or NULL with *space 0. Space at
 * least doubles where it grows, so that appending one item costs constant time on average. False
 * without memory: then the array stays. `items` points to the array. */
bool facet_grow(void *items, size_t wanted, size_t *space, size_t size);
#define FACET_GROW_HEAP(items, wanted, space) \
    facet_grow(&(items), wanted, &(space), sizeof *(items))

#endif
