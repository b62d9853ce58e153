/* formats/bga/check.h - what the files of the check share. */
#ifndef FACET_BGA_CHECK_H
#define FACET_BGA_CHECK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What cells refer to. Vectors are read from 4 bytes before their x on, which
 * always lie in the same memory. */
typedef struct facet_bga_vertices {
    uint64_t count;
    _Atomic uint32_t *used; /* of each vertex, for words are stored twice as fast as bytes; NULL
                               without vertices in memory. All who mark one store the same */
    const uint8_t *positions, *normals; /* NULL when winding cannot be told */
    size_t position_stride, normal_stride;
    bool swapped; /* they are in the other byte order than the host's */
} facet_bga_vertices;

static inline void facet_bga_use(_Atomic uint32_t *used)
{
    atomic_store_explicit(used, 1, memory_order_relaxed);
}

/* How many triangles from the front are certainly good: in range, without a
 * repeated vertex, and wound as the normals of their vertices say. A multiple of
 * eight, perhaps 0: it stops where a doubt arises. Marks their vertices as used.
 * `vertices` has positions, normals and `used`. */
size_t facet_bga_good_triangles(const facet_bga_vertices *vertices, const uint32_t *indices,
                                size_t count);

/* The squares of the shortest and the longest length that is still 1. */
#define FACET_BGA_UNIT_LOW 0.998001F  /* (1 - 1e-3)^2 */
#define FACET_BGA_UNIT_HIGH 1.002001F /* (1 + 1e-3)^2 */

/* The same for vectors of three floats, `stride` bytes apart, in the host's byte order or
 * the other: how many from the front are certainly of length 1. The 4 bytes before the first
 * are read, too. */
size_t facet_bga_unit_vectors(const uint8_t *x, size_t stride, size_t count, bool swapped);

#endif
