/* formats/gltf/file/meshopt.h - decoders for the additions of KHR_meshopt_compression to
 * EXT_meshopt_compression. meshoptimizer has them from 0.23 and 1.0 on. */
#ifndef FACET_GLTF_FILE_MESHOPT_H
#define FACET_GLTF_FILE_MESHOPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Decode mode 0 of version 1: `count` elements of `stride` bytes (a multiple of 4, at most 256).
 * False if the bytes are invalid. Linear; allocates nothing. */
bool facet_meshopt_decode_vertices(uint8_t *to, size_t count, size_t stride, const uint8_t *from,
                                   size_t size);
/* Apply filter 4 in place: `count` colors of four components, with 8 bits (stride 4) or 16 bits
 * (stride 8). */
void facet_meshopt_decode_colors(uint8_t *colors, size_t count, size_t stride);

#endif
