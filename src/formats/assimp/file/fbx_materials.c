/* formats/assimp/file/fbx_materials.c - geometries without materials of faces, in an FBX. The faces
 * have the first material of the node. assimp gives them a default one. */
#include "formats/assimp/file/fbx_edits.h"

/* True if a geometry has no materials of faces, and a node with a material shows it. */
static bool lacks_materials(const facet_fbx *fbx, const facet_fbx_object *o)
{
    facet_fbx_record record;
    if (facet_fbx_find(fbx, o->list, "LayerElementMaterial", &record))
        return false;
    for (uint32_t i = 0; i < o->from_count; i++) {
        const facet_fbx_link *link = &fbx->links[fbx->from[o->first_from + i]];
        if (facet_fbx_size(link->property) == 0 &&
            facet_fbx_is(fbx->objects[link->to].kind, "Model") &&
            facet_fbx_next_link(fbx, link->to, "Material", 0) != FACET_NONE)
            return true;
    }
    return false;
}

bool facet_fbx_add_materials(facet_fbx_edits *edits)
{
    const facet_fbx *fbx = edits->fbx;
    size_t sizes[2];
    uint8_t *records[2] = {NULL};
    for (uint32_t i = 1; i < fbx->object_count; i++) {
        const facet_fbx_object *o = &fbx->objects[i];
        const uint8_t *end = facet_fbx_end_of_list(fbx, o->list);
        if (!end || !facet_fbx_is(o->kind, "Geometry") || !facet_fbx_is(o->type, "Mesh") ||
            !lacks_materials(fbx, o))
            continue;
        if (!records[0]) {
            records[0] = facet_fbx_make_material(fbx, &sizes[0]);
            records[1] = facet_fbx_make_layer(fbx, "LayerElementMaterial", &sizes[1]);
        }
        if (!records[0] || !records[1] || !facet_fbx_insert(edits, end, records[0], sizes[0]) ||
            !facet_fbx_insert(edits, end, records[1], sizes[1]))
            return false;
    }
    return true;
}
