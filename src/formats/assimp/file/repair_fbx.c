/* formats/assimp/file/repair_fbx.c - corrections to the records of a binary FBX that assimp 5.2
 * wrote.
 *
 * assimp omits the empty record at the end of a list. Without it, no program reads the file,
 * including assimp. repair_fbx_heads.c and repair_fbx_values.c fix other errors. */
#include "formats/assimp/file/repair_fbx.h"

#include "base/bytes.h"

#include <string.h>

#define FILE_HEADER 27
#define FOOT_BEGIN 16
#define FOOT_END 144

/* True for records that have a list even if it is empty. */
static bool has_empty_list(const uint8_t *record)
{
    static const char *const names[] = {"References", "Objects", "Connections", "AnimationStack",
                                        "AnimationLayer"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (facet_fbx_is_called(record, names[i]))
            return true;
    }
    return false;
}

/* -- All records -------------------------------------------------------- */

static bool is_empty_record(const facet_fbx_repair *r, size_t end)
{
    static const uint8_t empty[FACET_FBX_EMPTY_RECORD];
    return end - r->at == FACET_FBX_EMPTY_RECORD &&
           memcmp(r->from + r->at, empty, sizeof empty) == 0;
}

/* Copy all records, and terminate their lists. False if the bytes do not have assimp's layout. */
static bool copy_records(facet_fbx_repair *r)
{
    for (;;) {
        size_t end = r->depth > 0 ? r->levels[r->depth - 1].end : r->size;
        if (r->depth > 0 && is_empty_record(r, end)) /* later versions of assimp write it */
            r->at = end;
        if (r->depth > 0 && r->at == end) {
            if (r->levels[r->depth - 1].is_values)
                facet_fbx_put_values(r);
            facet_fbx_put_zeros(r, FACET_FBX_EMPTY_RECORD);
            facet_fbx_set(r, r->levels[--r->depth].begin, r->used);
            continue;
        }
        size_t head = facet_fbx_head_of(r, r->at, end);
        if (head == 0)
            return r->depth == 0;
        facet_fbx_level record = {(size_t)facet_load_u64le(r->from + r->at), r->used, false, false,
                                  false};
        bool empty_list = has_empty_list(r->from + r->at);
        record.is_material = r->depth == 1 && facet_fbx_is_called(r->from + r->at, "Material");
        record.is_texture = r->depth == 1 && (facet_fbx_is_called(r->from + r->at, "Texture") ||
                                              facet_fbx_is_called(r->from + r->at, "Video"));
        record.is_values = r->depth == 2 && r->levels[1].is_material &&
                           facet_fbx_is_called(r->from + r->at, "Properties70");
        facet_fbx_copy_head(r, head);
        if (r->at == record.end && empty_list)
            facet_fbx_put_zeros(r, FACET_FBX_EMPTY_RECORD);
        if (r->at == record.end)
            facet_fbx_set(r, record.begin, r->used);
        else if (r->depth < FACET_FBX_DEEPEST)
            r->levels[r->depth++] = record;
        else
            return false;
    }
}

bool facet_assimp_repair_records(facet_arena *arena, const struct aiScene *from, uint8_t **data,
                                 size_t *size)
{
    if (*size < FILE_HEADER)
        return true;
    facet_fbx_repair r = {.from = *data, .size = *size, .arena = arena, .scene = from};
    facet_fbx_copy(&r, FILE_HEADER);
    const size_t least = FACET_FBX_EMPTY_RECORD + FOOT_BEGIN + 1 + FOOT_END;
    bool known = copy_records(&r);
    if (r.failed)
        return false;
    if (!known || r.size - r.at < least || r.size - r.at > least + 15) {
        facet_arena_release(arena, r.to, r.space, 1);
        return true;
    }
    facet_fbx_copy(&r, FACET_FBX_EMPTY_RECORD);
    facet_fbx_copy(&r, FOOT_BEGIN);
    facet_fbx_put_zeros(&r, 16 - r.used % 16);
    r.at = r.size - FOOT_END;
    facet_fbx_copy(&r, FOOT_END);
    if (r.failed)
        return false;
    *data = r.to;
    *size = r.used;
    return true;
}
