/* formats/gltf/file/meshopt.h - what KHR_meshopt_compression adds to EXT_meshopt_compression, and
 * meshoptimizer has from 0.23 and 1.0 on. */
#ifndef FACET_GLTF_FILE_MESHOPT_H
#define FACET_GLTF_FILE_MESHOPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Mode 0 of version 1: `count` elements of `stride` bytes (a multiple of 4 up to 256). False when
 * the bytes are not sound. Linear; no memory. */
bool facet_meshopt_decode_vertices(uint8_t *to, size_t count, size_t stride, const uint8_t *from,
                                   size_t size);
/* Filter 4, in place: `count` colors of four components, of 8 bits (stride 4) or 16 (8). */
void facet_meshopt_decode_colors(uint8_t *colors, size_t count, size_t stride);

#endif
