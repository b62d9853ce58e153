/* formats/binarymesh/lzo.h - LZO1X decompression (version 2). */
#ifndef FACET_BINARYMESH_LZO_H
#define FACET_BINARYMESH_LZO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Decompress an LZO1X stream. True if it ends with its end mark at the last of its `from_size`
 * bytes, and has exactly `to_size` bytes. Never accesses memory outside the two buffers. After a
 * failure, `to` has no usable data. */
bool facet_lzo_decompress(const uint8_t *from, size_t from_size, uint8_t *to, size_t to_size);

#endif
