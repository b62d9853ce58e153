/* formats/binarymesh/lzo.h - LZO1X, the compression of version 2. */
#ifndef FACET_BINARYMESH_LZO_H
#define FACET_BINARYMESH_LZO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Decompress an LZO1X stream. True when it ends with its end mark and the last
 * of its `from_size` bytes, and made exactly `to_size` bytes. Nothing outside of
 * the two buffers is touched; what a damaged stream left in `to` is of no use. */
bool facet_lzo_decompress(const uint8_t *from, size_t from_size, uint8_t *to, size_t to_size);

#endif
