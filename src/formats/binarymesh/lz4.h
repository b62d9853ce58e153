/* formats/binarymesh/lz4.h - decompression of LZ4 blocks (versions 3 and 4), for builds without
 * liblz4, which is faster. */
#ifndef FACET_BINARYMESH_LZ4_H
#define FACET_BINARYMESH_LZ4_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Decompress one block. True if it ends at the last of its `from_size` bytes, and has exactly
 * `to_size` bytes. Never accesses memory outside the two buffers. After a failure, `to` has no
 * usable data. */
bool facet_lz4_decompress(const uint8_t *from, size_t from_size, uint8_t *to, size_t to_size);

#endif
