/* formats/binarymesh/lz4.h - LZ4's block format, the compression of versions 3 and 4, for builds
 * without liblz4, which is faster. */
#ifndef FACET_BINARYMESH_LZ4_H
#define FACET_BINARYMESH_LZ4_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Decompress one block. True when it ends with the last of its `from_size` bytes, and
 * made exactly `to_size` bytes. Nothing outside of the two buffers is touched; what a
 * damaged block left in `to` is of no use. */
bool facet_lz4_decompress(const uint8_t *from, size_t from_size, uint8_t *to, size_t to_size);

#endif
