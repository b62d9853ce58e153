/* mesh/meshoptimizer.h - a table of the functions of meshoptimizer.
 *
 * They are in a module that is opened when a mesh needs it. Functions that need memory take it
 * from operator new. An exception does not leave the table: the function returns false if out of
 * memory. */
#ifndef FACET_MESH_MESHOPTIMIZER_H
#define FACET_MESH_MESHOPTIMIZER_H

#include <facet/base.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct facet_meshoptimizer {
    /* Order triangles for a vertex cache of `size` vertices. */
    bool (*cache)(uint32_t *to, const uint32_t *from, size_t count, size_t vertex_count,
                  unsigned size);
    /* Order triangles in strips. They take few bytes then, and few misses of a vertex cache. */
    bool (*in_strips)(uint32_t *to, const uint32_t *from, size_t count, size_t vertex_count);
    /* Order triangles to reduce overdraw; cache misses may grow by a factor. */
    bool (*overdraw)(uint32_t *to, const uint32_t *from, size_t count, const float (*positions)[3],
                     size_t vertex_count, float threshold);
    /* Turn triangles into strips of *strip_count indices, separated by `restart`. `scratch`
     * needs space for `count` items, `to` for strip_bound(count). */
    bool (*strips)(uint32_t *to, uint32_t *scratch, const uint32_t *from, size_t count,
                   size_t vertex_count, uint32_t restart, size_t *strip_count);
    size_t (*strip_bound)(size_t count);
    /* Reduce the triangles to *left indices. */
    bool (*simplify)(uint32_t *to, const uint32_t *from, size_t count, const float *positions,
                     size_t vertex_count, size_t wanted, float error, size_t *left);

    /* Codecs of KHR_meshopt_compression and EXT_meshopt_compression; they need no memory. Bounds
     * are in bytes. An encoder returns the bytes that it used; a decoder returns 0 if the bytes
     * are valid. */
    size_t (*triangles_bound)(size_t count, size_t vertex_count);
    size_t (*encode_triangles)(uint8_t *to, size_t space, const uint32_t *indices, size_t count);
    int (*decode_triangles)(void *to, size_t count, size_t stride, const uint8_t *from,
                            size_t size);
    size_t (*indices_bound)(size_t count, size_t vertex_count);
    size_t (*encode_indices)(uint8_t *to, size_t space, const uint32_t *indices, size_t count);
    int (*decode_indices)(void *to, size_t count, size_t stride, const uint8_t *from, size_t size);
    size_t (*vertices_bound)(size_t count, size_t stride);
    size_t (*encode_vertices)(uint8_t *to, size_t space, const void *vertices, size_t count,
                              size_t stride);
    int (*decode_vertices)(void *to, size_t count, size_t stride, const uint8_t *from, size_t size);
    void (*decode_octahedral)(void *values, size_t count, size_t stride);
    void (*decode_quaternions)(void *values, size_t count, size_t stride);
    void (*decode_exponential)(void *values, size_t count, size_t stride);
} facet_meshoptimizer;

/* Get the table. A build without meshoptimizer has only the functions for order and strips, and
 * triangles then keep their order. */
facet_status facet_meshoptimizer_open(const facet_meshoptimizer **functions, facet_error *error);

#ifdef __cplusplus
}
#endif
#endif
