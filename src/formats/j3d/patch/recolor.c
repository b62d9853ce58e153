/* formats/j3d/patch/recolor.c - edited colors of a scene that still has the stored ones. Programs
 * keep the stored colors (J3D_COLOR_0) as they are, whatever a user paints. A vertex is edited if
 * the original shows its stored color as another one. */
#include "formats/j3d/patch/compare.h"

#include "base/bytes.h"
#include "base/error.h"

#include <stdlib.h>

static int compare_colorings(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

facet_status facet_j3d_like_decode_colors(const facet_j3d_builder *b)
{
    for (uint32_t i = 0; i < b->like->shape_count * 2; i++) {
        facet_j3d_known_shape *known = &b->like->known[i / 2];
        const uint8_t *stored = known->colors[i % 2], *shown = known->shown[i % 2];
        if (!stored || !shown || known->vertex_count == 0)
            continue;
        uint64_t *list = facet_j3d_builder_scratch(b, known->vertex_count, sizeof *list);
        uint32_t count = 0;
        if (!list)
            return facet_j3d_builder_no_memory(b);
        for (size_t v = 0; v < known->vertex_count; v++)
            list[v] =
                (uint64_t)facet_load_u32be(stored + v * 4) << 32 | facet_load_u32be(shown + v * 4);
        qsort(list, known->vertex_count, sizeof *list, compare_colorings);
        for (uint32_t v = 0; v < known->vertex_count; v++) {
            if (count == 0 || list[v] != list[count - 1])
                list[count++] = list[v];
        }
        known->colorings[i % 2] = list;
        known->coloring_count[i % 2] = count;
    }
    return FACET_OK;
}

bool facet_j3d_like_is_recolored(const facet_j3d_builder *b, uint32_t node, uint32_t set,
                                 uint32_t stored, uint32_t shown)
{
    enum { MAX_LOOKED_AT = 64 };
    uint32_t shape = node == FACET_NONE ? FACET_NONE : b->like->shape_of_node[node];
    if (shape == FACET_NONE)
        return false;
    const facet_j3d_known_shape *known = &b->like->known[shape];
    const uint64_t *list = known->colorings[set];
    uint32_t low = 0, high = known->coloring_count[set];
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (list[middle] >> 32 < stored)
            low = middle + 1;
        else
            high = middle;
    }
    uint8_t now[4], was[4];
    bool found = false;
    facet_store_u32be(now, shown);
    for (uint32_t i = 0; i < MAX_LOOKED_AT && low + i < known->coloring_count[set]; i++) {
        if (list[low + i] >> 32 != stored)
            break;
        found = true;
        facet_store_u32be(was, (uint32_t)list[low + i]);
        if (facet_j3d_like_same_color(was, now))
            return false;
    }
    return found;
}
