/* mesh/module.cpp - the module of meshoptimizer: the functions that Facet calls, as a C
 * interface. */
#include "mesh/meshoptimizer.h"

#include <algorithm>
#include <meshoptimizer.h>
#include <vector>

namespace
{

/* The only exception that meshoptimizer can throw is for lack of memory. */
template <typename F> bool survives(F work) noexcept
{
    try {
        work();
        return true;
    } catch (...) {
        return false;
    }
}

bool cache(uint32_t *to, const uint32_t *from, size_t count, size_t vertex_count, unsigned size)
{
    return survives([=] { meshopt_optimizeVertexCacheFifo(to, from, count, vertex_count, size); });
}

bool overdraw(uint32_t *to, const uint32_t *from, size_t count, const float (*positions)[3],
              size_t vertex_count, float threshold)
{
    return survives([=] {
        meshopt_optimizeOverdraw(to, from, count, positions[0], vertex_count, sizeof *positions,
                                 threshold);
    });
}

/* The order for strips searches all triangles of a vertex for each of them. If vertices have very
 * many, the triangles are ordered in pieces. */
size_t piece_for_strips(const uint32_t *from, size_t count, size_t vertex_count)
{
    constexpr uint64_t usual = 64;
    std::vector<uint64_t> uses(vertex_count);
    uint64_t searched = 0;
    for (size_t i = 0; i < count; i++)
        searched += 2 * uses[from[i]]++ + 1;
    return searched > usual * count ? 3 * (1024 + vertex_count / 16) : count;
}

void order_in_strips(uint32_t *to, const uint32_t *from, size_t count, size_t vertex_count)
{
    size_t piece = piece_for_strips(from, count, vertex_count);
    for (size_t at = 0; at < count; at += piece)
        meshopt_optimizeVertexCacheStrip(to + at, from + at, std::min(piece, count - at),
                                         vertex_count);
}

bool in_strips(uint32_t *to, const uint32_t *from, size_t count, size_t vertex_count)
{
    return survives([=] { order_in_strips(to, from, count, vertex_count); });
}

bool strips(uint32_t *to, uint32_t *scratch, const uint32_t *from, size_t count,
            size_t vertex_count, uint32_t restart, size_t *strip_count)
{
    return survives([=] {
        order_in_strips(scratch, from, count, vertex_count);
        *strip_count = meshopt_stripify(to, scratch, count, vertex_count, restart);
    });
}

bool simplify(uint32_t *to, const uint32_t *from, size_t count, const float *positions,
              size_t vertex_count, size_t wanted, float error, size_t *left)
{
    return survives([=] {
        *left = meshopt_simplify(to, from, count, positions, vertex_count, 3 * sizeof *positions,
                                 wanted, error, 0, nullptr);
    });
}

/* EXT_meshopt_compression requires version 0; later releases of meshoptimizer encode 1 by
 * default. */
size_t encode_vertices(uint8_t *to, size_t space, const void *vertices, size_t count, size_t stride)
{
    static const bool is_set = [] {
        meshopt_encodeVertexVersion(0);
        return true;
    }();
    return is_set ? meshopt_encodeVertexBuffer(to, space, vertices, count, stride) : 0;
}

} // namespace

extern "C" __attribute__((visibility("default")))
const facet_meshoptimizer facet_meshoptimizer_table;
extern "C" const facet_meshoptimizer facet_meshoptimizer_table = {
    cache,
    in_strips,
    overdraw,
    strips,
    meshopt_stripifyBound,
    simplify,
    meshopt_encodeIndexBufferBound,
    meshopt_encodeIndexBuffer,
    meshopt_decodeIndexBuffer,
    meshopt_encodeIndexSequenceBound,
    meshopt_encodeIndexSequence,
    meshopt_decodeIndexSequence,
    meshopt_encodeVertexBufferBound,
    encode_vertices,
    meshopt_decodeVertexBuffer,
    meshopt_decodeFilterOct,
    meshopt_decodeFilterQuat,
    meshopt_decodeFilterExp,
};
