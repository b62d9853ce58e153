/* mesh/meshoptimizer.h - meshoptimizer behind a C face: its functions ask for memory by
 * operator new, and what that throws ends here. Each is false, or 0, without memory. */
#ifndef FACET_MESH_MESHOPTIMIZER_H
#define FACET_MESH_MESHOPTIMIZER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Triangles in the order of a vertex cache of `size` vertices. */
bool facet_meshoptimizer_cache(uint32_t *to, const uint32_t *from, size_t count,
                               size_t vertex_count, unsigned size);
/* Triangles so that few are drawn behind others, keeping the cache up to a factor. */
bool facet_meshoptimizer_overdraw(uint32_t *to, const uint32_t *from, size_t count,
                                  const float (*positions)[3], size_t vertex_count,
                                  float threshold);
/* Triangles as strips, with `restart` between them; *strip_count indices. `scratch` has
 * `count` items, `to` has facet_meshoptimizer_strip_bound(count). */
bool facet_meshoptimizer_strips(uint32_t *to, uint32_t *scratch, const uint32_t *from, size_t count,
                                size_t vertex_count, uint32_t restart, size_t *strip_count);
size_t facet_meshoptimizer_strip_bound(size_t count);
/* Fewer triangles; *left indices. */
bool facet_meshoptimizer_simplify(uint32_t *to, const uint32_t *from, size_t count,
                                  const float *positions, size_t vertex_count, size_t wanted,
                                  float error, size_t *left);

#ifdef __cplusplus
}
#endif
#endif
