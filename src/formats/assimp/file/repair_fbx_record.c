/* formats/assimp/file/repair_fbx_record.c - functions that read and write records of a binary FBX.
 */
#include "base/bytes.h"
#include "base/size.h"
#include "formats/assimp/file/repair_fbx.h"

#include <string.h>

/* -- Writing ------------------------------------------------------------ */

/* Reserve space for `count` more bytes. False if out of memory, which r->failed remembers. */
static bool reserve(facet_fbx_repair *r, size_t count)
{
    size_t needed, grown;
    if (r->failed)
        return false;
    if (facet_size_add(r->used, count, &needed) && needed <= r->space)
        return true;
    r->failed = true;
    if (!facet_size_add(r->used, count, &needed) ||
        !facet_size_add(needed, r->space > 0 ? r->space : r->size, &grown))
        return false;
    uint8_t *to = facet_arena_resize(r->arena, r->to, r->space, grown, 1);
    if (!to)
        return false;
    r->to = to;
    r->space = grown;
    r->failed = false;
    return true;
}

void facet_fbx_put(facet_fbx_repair *r, const void *bytes, size_t count)
{
    if (!reserve(r, count))
        return;
    memcpy(r->to + r->used, bytes, count);
    r->used += count;
}

void facet_fbx_put_zeros(facet_fbx_repair *r, size_t count)
{
    if (!reserve(r, count))
        return;
    memset(r->to + r->used, 0, count);
    r->used += count;
}

void facet_fbx_copy(facet_fbx_repair *r, size_t count)
{
    facet_fbx_put(r, r->from + r->at, count);
    r->at += count;
}

void facet_fbx_set(facet_fbx_repair *r, size_t at, uint64_t number)
{
    if (!r->failed)
        facet_store_u64le(r->to + at, number);
}

/* -- Reading ------------------------------------------------------------ */

size_t facet_fbx_head_of(const facet_fbx_repair *r, size_t at, size_t end)
{
    if (end - at < FACET_FBX_EMPTY_RECORD)
        return 0;
    const uint8_t *record = r->from + at;
    uint64_t stop = facet_load_u64le(record), bytes = facet_load_u64le(record + 16);
    size_t head = FACET_FBX_EMPTY_RECORD + (size_t)record[24];
    if (stop > end || stop < at + head || bytes > stop - at - head)
        return 0;
    return head + (size_t)bytes;
}

bool facet_fbx_is_called(const uint8_t *record, const char *name)
{
    return record[24] == strlen(name) && memcmp(record + 25, name, record[24]) == 0;
}
