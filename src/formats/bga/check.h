/* formats/bga/check.h - shared functions of the check. */
#ifndef FACET_BGA_CHECK_H
#define FACET_BGA_CHECK_H

#include "base/atomic.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The vertices that cells refer to. Vectors are loaded from 4 bytes before x, which are always in
 * the same memory. */
typedef struct facet_bga_vertices {
    uint64_t count;
    FACET_ATOMIC(uint32_t) *used; /* per vertex; words are stored twice as fast as bytes. NULL: no
                                   * vertices in memory. Racing threads store the same value */
    const uint8_t *positions, *normals; /* NULL if winding cannot be checked */
    size_t position_stride, normal_stride;
    bool swapped; /* in the byte order that is not the host's */
} facet_bga_vertices;

static inline void facet_bga_use(FACET_ATOMIC(uint32_t) *used)
{
    atomic_store_explicit(used, 1, memory_order_relaxed);
}

/* Number of leading triangles that are certainly valid: in range, without a repeated vertex, and
 * with the winding of the vertices' normals. A multiple of eight, possibly 0: it stops at the first
 * doubt. Marks their vertices as used. `vertices` needs positions, normals and `used`. */
size_t facet_bga_good_triangles(const facet_bga_vertices *vertices, const uint32_t *indices,
                                size_t count);

/* Squares of the minimum and maximum length of a unit vector. */
#define FACET_BGA_UNIT_LOW 0.998001F  /* (1 - 1e-3)^2 */
#define FACET_BGA_UNIT_HIGH 1.002001F /* (1 + 1e-3)^2 */

/* Number of leading vectors of three floats that certainly have length 1. They are `stride` bytes
 * apart, in either byte order. The 4 bytes before the first are read also. */
size_t facet_bga_unit_vectors(const uint8_t *x, size_t stride, size_t count, bool swapped);

#endif
