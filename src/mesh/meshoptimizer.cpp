/* mesh/meshoptimizer.cpp - meshoptimizer behind a C face. */
#include "mesh/meshoptimizer.h"

#include <meshoptimizer.h>

namespace
{

/* Nothing but want of memory is thrown there. */
template <typename F> bool survives(F work) noexcept
{
    try {
        work();
        return true;
    } catch (...) {
        return false;
    }
}

} // namespace

bool facet_meshoptimizer_cache(uint32_t *to, const uint32_t *from, size_t count,
                               size_t vertex_count, unsigned size)
{
    return survives([=] { meshopt_optimizeVertexCacheFifo(to, from, count, vertex_count, size); });
}

bool facet_meshoptimizer_overdraw(uint32_t *to, const uint32_t *from, size_t count,
                                  const float (*positions)[3], size_t vertex_count, float threshold)
{
    return survives([=] {
        meshopt_optimizeOverdraw(to, from, count, positions[0], vertex_count, sizeof *positions,
                                 threshold);
    });
}

bool facet_meshoptimizer_strips(uint32_t *to, uint32_t *scratch, const uint32_t *from, size_t count,
                                size_t vertex_count, uint32_t restart, size_t *strip_count)
{
    return survives([=] {
        meshopt_optimizeVertexCacheStrip(scratch, from, count, vertex_count);
        *strip_count = meshopt_stripify(to, scratch, count, vertex_count, restart);
    });
}

size_t facet_meshoptimizer_strip_bound(size_t count)
{
    return meshopt_stripifyBound(count);
}

bool facet_meshoptimizer_simplify(uint32_t *to, const uint32_t *from, size_t count,
                                  const float *positions, size_t vertex_count, size_t wanted,
                                  float error, size_t *left)
{
    return survives([=] {
        *left = meshopt_simplify(to, from, count, positions, vertex_count, 3 * sizeof *positions,
                                 wanted, error, 0, nullptr);
    });
}
