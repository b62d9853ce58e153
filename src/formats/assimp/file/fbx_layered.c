/* formats/assimp/file/fbx_layered.c - layered textures of an FBX.
 *
 * assimp drops those of version 7. It reads the lists of their blend modes and opacities as single
 * numbers. */
#include "formats/assimp/file/fbx_edits.h"

bool facet_fbx_keep_layered(facet_fbx_edits *edits)
{
    static const char *const names[] = {"BlendModes", "Alphas"};
    const facet_fbx *fbx = edits->fbx;
    for (uint32_t i = 1; i < fbx->object_count; i++) {
        const facet_fbx_object *o = &fbx->objects[i];
        facet_fbx_record record;
        for (size_t k = 0; k < 2 && facet_fbx_is(o->kind, "LayeredTexture"); k++) {
            if (facet_fbx_find(fbx, o->list, names[k], &record) &&
                !facet_fbx_replace(edits, &record, (const uint8_t *)"", 0))
                return false;
        }
    }
    return true;
}
