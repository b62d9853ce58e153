/* mesh/meshoptimizer.h - meshoptimizer by a table of its functions: it is in a module that
 * is opened when a mesh needs it. Those that ask for memory do so by operator new, and what
 * that throws ends behind the table: they are false without memory. */
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
    /* Triangles in the order of a vertex cache of `size` vertices. */
    bool (*cache)(uint32_t *to, const uint32_t *from, size_t count, size_t vertex_count,
                  unsigned size);
    /* Triangles so that few are drawn behind others, keeping the cache up to a factor. */
    bool (*overdraw)(uint32_t *to, const uint32_t *from, size_t count, const float (*positions)[3],
                     size_t vertex_count, float threshold);
    /* Triangles as strips, with `restart` between them; *strip_count indices. `scratch` has
     * `count` items, `to` has strip_bound(count). */
    bool (*strips)(uint32_t *to, uint32_t *scratch, const uint32_t *from, size_t count,
                   size_t vertex_count, uint32_t restart, size_t *strip_count);
    size_t (*strip_bound)(size_t count);
    /* Fewer triangles; *left indices. */
    bool (*simplify)(uint32_t *to, const uint32_t *from, size_t count, const float *positions,
                     size_t vertex_count, size_t wanted, float error, size_t *left);

    /* The codecs of KHR_meshopt_compression and EXT_meshopt_compression; they need no memory. A
     * bound is of bytes. What encodes gives the bytes that were used, what decodes gives 0 when the
     * bytes are sound. */
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

/* The table. In a build without meshoptimizer it has what order and strips need alone:
 * triangles then keep their order. */
facet_status facet_meshoptimizer_open(const facet_meshoptimizer **functions, facet_error *error);

#ifdef __cplusplus
}
#endif
#endif
