/* formats/assimp/file/fbx_ends.c - sets the ends of records of a binary FBX.
 *
 * Maya writes 0 for some records. assimp and fbx_records.c take them for the end of a list. */
#include "base/bytes.h"
#include "formats/assimp/file/fbx.h"

#include <string.h>

/* Set the end of a record without a list, in a copy. */
static bool set_end(const facet_fbx *fbx, facet_arena *arena, uint8_t **copy, size_t at, size_t end)
{
    if (!*copy) {
        *copy = facet_arena_allocate(arena, fbx->size, 1);
        if (!*copy)
            return false;
        memcpy(*copy, fbx->data, fbx->size);
    }
    if (fbx->is_wide)
        facet_store_u64le(*copy + at, end);
    else
        facet_store_u32le(*copy + at, (uint32_t)end);
    return true;
}

facet_status facet_fbx_set_ends(const uint8_t **data, size_t size, facet_arena *arena,
                                facet_error *error)
{
    facet_fbx fbx = {.version = 0};
    uint8_t *copy = NULL;
    if (!facet_fbx_begin(&fbx, *data, size) || !fbx.is_binary)
        return FACET_OK;
    size_t head = fbx.is_wide ? 25 : 13;
    size_t top = 0; /* end of the last record outside of all lists */
    for (size_t at = (size_t)(facet_fbx_whole(&fbx).at - *data); size - at >= head;) {
        const uint8_t *record = *data + at;
        uint64_t end = fbx.is_wide ? facet_load_u64le(record) : facet_load_u32le(record);
        uint64_t values =
            fbx.is_wide ? facet_load_u64le(record + 16) : facet_load_u32le(record + 8);
        size_t first = at + head + record[head - 1];
        if (end == 0 && record[head - 1] == 0) { /* the end of a list, or of the file */
            if (at >= top)
                break;
            at += head;
            continue;
        }
        if (first > size || values > size - first || end > size)
            break;
        if (end == 0 && !set_end(&fbx, arena, &copy, at, first + (size_t)values))
            return facet_fail_arena(arena, error);
        if (at >= top)
            top = end == 0 ? first + (size_t)values : (size_t)end;
        at = first + (size_t)values;
    }
    *data = copy ? copy : *data;
    return FACET_OK;
}
