/* formats/assimp/file/fbx_shapes.c - normals of shapes, and weights of their vertices.
 *
 * assimp drops a shape without normals, as Maya writes it. It ignores the weights of vertices,
 * which only Blender writes. */
#include "formats/assimp/file/fbx_edits.h"

#include <math.h>

bool facet_fbx_add_normals(facet_fbx_edits *edits)
{
    const facet_fbx *fbx = edits->fbx;
    for (uint32_t i = 0; i < fbx->object_count; i++) {
        const facet_fbx_object *o = &fbx->objects[i];
        facet_fbx_record record;
        double *numbers;
        size_t count, size;
        if (!facet_fbx_is(o->kind, "Geometry") || !facet_fbx_is(o->type, "Shape") ||
            facet_fbx_find(fbx, o->list, "Normals", &record) ||
            !facet_fbx_find(fbx, o->list, "Indexes", &record))
            continue;
        if (!facet_fbx_numbers(fbx, &record, &numbers, &count))
            return false;
        facet_arena_release(fbx->arena, numbers, count, sizeof *numbers);
        const uint8_t *at = facet_fbx_end_of_list(fbx, o->list);
        if (count == 0 || !at)
            continue;
        numbers = facet_arena_allocate_zeroed(fbx->arena, count, 3 * sizeof *numbers);
        if (!numbers)
            return false;
        uint8_t *bytes = facet_fbx_make_array(fbx, "Normals", 'd', numbers, count * 3, &size);
        facet_arena_release(fbx->arena, numbers, count, 3 * sizeof *numbers);
        if (!bytes || !facet_fbx_insert(edits, at, bytes, size))
            return false;
    }
    return true;
}

/* -- Weights of vertices ------------------------------------------------ */

/* Read an array of an object. False if it is missing, or out of memory. */
static bool read_array(const facet_fbx *fbx, uint32_t object, const char *name,
                       facet_fbx_record *record, double **numbers, size_t *count)
{
    return facet_fbx_find(fbx, fbx->objects[object].list, name, record) &&
           facet_fbx_numbers(fbx, record, numbers, count) && *count > 0;
}

uint32_t facet_fbx_weighted_shape(const facet_fbx *fbx, uint32_t channel, double **weights,
                                  size_t *count)
{
    facet_fbx_record record;
    double *indices;
    size_t index_count;
    bool differs = false;
    uint32_t link = facet_fbx_next_link(fbx, channel, "Geometry", 0);
    if (link == FACET_NONE || facet_fbx_next_link(fbx, channel, "Geometry", link + 1) != FACET_NONE)
        return FACET_NONE;
    uint32_t shape = fbx->links[link].from;
    if (fbx->objects[shape].from_count != 1 ||
        !read_array(fbx, channel, "FullWeights", &record, weights, count) || *count == 1 ||
        !read_array(fbx, shape, "Indexes", &record, &indices, &index_count))
        return FACET_NONE;
    facet_arena_release(fbx->arena, indices, index_count, sizeof *indices);
    for (size_t i = 0; i < *count; i++)
        differs |= (*weights)[i] != 100;
    return differs && *count == index_count ? shape : FACET_NONE;
}

bool facet_fbx_scale_shapes(facet_fbx_edits *edits)
{
    const facet_fbx *fbx = edits->fbx;
    for (uint32_t i = 1; i < fbx->object_count; i++) {
        double *weights, *values;
        size_t count, value_count, size;
        facet_fbx_record record;
        if (!facet_fbx_is(fbx->objects[i].kind, "Deformer") ||
            !facet_fbx_is(fbx->objects[i].type, "BlendShapeChannel"))
            continue;
        uint32_t shape = facet_fbx_weighted_shape(fbx, i, &weights, &count);
        if (shape == FACET_NONE ||
            !read_array(fbx, shape, "Vertices", &record, &values, &value_count) ||
            value_count != count * 3)
            continue;
        for (size_t k = 0; k < value_count; k++)
            values[k] *= isfinite(weights[k / 3]) ? weights[k / 3] / 100 : 0;
        uint8_t *bytes = facet_fbx_make_array(fbx, "Vertices", 'd', values, value_count, &size);
        if (!bytes || !facet_fbx_replace(edits, &record, bytes, size))
            return false;
    }
    return facet_arena_status(fbx->arena, NULL) == FACET_OK;
}
