/* formats/assimp/file/shapes_dae.c - the bind shape matrices of a COLLADA that assimp wrote. assimp
 * writes the identity. Blender places a mesh by this matrix, and the joints move it from there. */
#include "formats/assimp/file/edits_dae.h"
#include "formats/assimp/file/file.h"

#include "base/numbers.h"

#include <string.h>

/* The matrix as text: 16 numbers, row by row. */
static bool print_matrix(facet_arena *arena, const float m[16], facet_xml_part *made)
{
    char *text = facet_arena_allocate(arena, 16, FACET_NUMBER_LENGTH + 1);
    size_t used = 0;
    for (int i = 0; text && i < 16; i++) {
        used += facet_number_print(m[i % 4 * 4 + i / 4], text + used);
        text[used++] = ' ';
    }
    *made = (facet_xml_part){(const uint8_t *)text, used > 0 ? used - 1 : 0};
    return text != NULL;
}

/* The next occurrence of a text, or NULL. */
static const uint8_t *find(const uint8_t *at, const uint8_t *end, const char *text)
{
    size_t length = strlen(text);
    while ((at = memchr(at, '<', (size_t)(end - at)))) {
        if ((size_t)(end - at) >= length && memcmp(at, text, length) == 0)
            return at;
        at++;
    }
    return NULL;
}

bool facet_assimp_set_bind_shapes(facet_arena *arena, const struct aiScene *from,
                                  const float *const *shapes, uint8_t **data, size_t *size)
{
    static const char opens[] = "<bind_shape_matrix>", closes[] = "</bind_shape_matrix>";
    const uint8_t *at = *data, *end = *data + *size, *changed = *data;
    facet_dae_edits edits = {.arena = arena};
    facet_error ignored;
    for (uint32_t i = 0; i < from->mNumMeshes && shapes; i++) {
        facet_xml_part made;
        if (from->mMeshes[i]->mNumBones == 0) /* assimp writes one controller for the others */
            continue;
        const uint8_t *begin = find(at, end, opens);
        at = begin ? find(begin, end, closes) : NULL;
        if (!at)
            break;
        begin += sizeof opens - 1;
        if (shapes[i] &&
            (!print_matrix(arena, shapes[i], &made) ||
             !facet_dae_add_edit(&edits, (facet_xml_part){begin, (size_t)(at - begin)}, made)))
            return false;
    }
    if (facet_dae_apply(&edits, &changed, size, &ignored))
        return false;
    *data = (uint8_t *)(uintptr_t)changed;
    return true;
}
