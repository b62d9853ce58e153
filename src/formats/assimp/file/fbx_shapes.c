/* formats/assimp/file/fbx_shapes.c - normals of shapes. assimp drops a shape without normals.
 * Maya writes such shapes. */
#include "formats/assimp/file/fbx_edits.h"

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
