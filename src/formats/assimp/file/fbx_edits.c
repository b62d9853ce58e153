/* formats/assimp/file/fbx_edits.c - changes of an FBX. A binary file has the offset of the end
 * of each record, so all of them change. */
#include "formats/assimp/file/fbx_edits.h"
#include "base/bytes.h"
#include "base/size.h"

#include <stdlib.h>
#include <string.h>

static bool add(facet_fbx_edits *edits, const uint8_t *at, const uint8_t *bytes, size_t size,
                size_t gone)
{
    if (!FACET_GROW(edits->fbx->arena, edits->items, edits->count, edits->capacity))
        return false;
    size_t offset = (size_t)(at - edits->fbx->data);
    edits->items[edits->count++] = (facet_fbx_edit){offset, bytes, size, gone, 0};
    return true;
}

bool facet_fbx_insert(facet_fbx_edits *edits, const uint8_t *at, const uint8_t *bytes, size_t size)
{
    return add(edits, at, bytes, size, 0);
}

bool facet_fbx_replace(facet_fbx_edits *edits, const facet_fbx_record *record, const uint8_t *bytes,
                       size_t size)
{
    const uint8_t *end = facet_fbx_end(edits->fbx, record);
    return add(edits, record->begin, bytes, size, (size_t)(end - record->begin));
}

const uint8_t *facet_fbx_end_of_list(const facet_fbx *fbx, facet_fbx_span list)
{
    size_t head = fbx->is_wide ? 25 : 13;
    if (!fbx->is_binary)
        return list.end;
    if (facet_fbx_size(list) < head)
        return NULL;
    for (size_t i = 1; i <= head; i++) {
        if (list.end[-(ptrdiff_t)i] != 0)
            return NULL;
    }
    return list.end - head;
}

uint64_t facet_fbx_next_id(const facet_fbx *fbx)
{
    uint64_t next = 1;
    for (uint32_t i = 0; i < fbx->object_count; i++) {
        uint64_t id = fbx->objects[i].id;
        next = id >= next && id < INT64_MAX ? id + 1 : next;
    }
    return next;
}

static int by_offset(const void *a, const void *b)
{
    const facet_fbx_edit *left = a, *right = b;
    if (left->at != right->at)
        return left->at < right->at ? -1 : 1;
    return (left->gone > right->gone) - (left->gone < right->gone); /* insertions first */
}

/* Bytes that are added before an offset; with those at the offset if `inclusive`. */
static size_t shift_at(const facet_fbx_edits *edits, size_t offset, bool inclusive)
{
    uint32_t low = 0, high = edits->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        size_t at = edits->items[middle].at;
        if (at < offset || (inclusive && at == offset))
            low = middle + 1;
        else
            high = middle;
    }
    return low == edits->count ? edits->total : edits->items[low].before;
}

static void store_end(const facet_fbx *fbx, uint8_t *to, size_t end)
{
    if (fbx->is_wide)
        facet_store_u64le(to, end);
    else
        facet_store_u32le(to, (uint32_t)end);
}

/* True if the record at an offset is replaced. */
static bool is_replaced(const facet_fbx_edits *edits, size_t offset)
{
    uint32_t low = 0, high = edits->count;
    while (low < high) { /* the last change up to the offset */
        uint32_t middle = low + (high - low) / 2;
        if (edits->items[middle].at <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 && edits->items[low - 1].at == offset && edits->items[low - 1].gone > 0;
}

/* Shift the ends of all records that stay. */
static void shift_ends(const facet_fbx_edits *edits, uint8_t *to)
{
    const facet_fbx *fbx = edits->fbx;
    facet_fbx_span records = facet_fbx_whole(fbx);
    const uint8_t *top = records.at;
    facet_fbx_record record;
    while (facet_fbx_next_nested(fbx, &records, &top, &record)) {
        size_t begin = (size_t)(record.begin - fbx->data);
        size_t end = (size_t)(record.list.end - fbx->data);
        if (is_replaced(edits, begin))
            continue;
        store_end(fbx, to + begin + shift_at(edits, begin, true),
                  end + shift_at(edits, end, false));
    }
}

/* Set the ends of an added record and of those in its lists, which are relative to it. */
static void set_ends(const facet_fbx *fbx, uint8_t *to, size_t begin, size_t size)
{
    size_t word = fbx->is_wide ? 8 : 4, head = 3 * word + 1;
    const uint8_t *bytes = to + begin;
    for (size_t at = 0; size - at >= head;) {
        uint64_t end = fbx->is_wide ? facet_load_u64le(bytes + at) : facet_load_u32le(bytes + at);
        uint64_t values =
            fbx->is_wide ? facet_load_u64le(bytes + at + 16) : facet_load_u32le(bytes + at + 8);
        size_t first = at + head + bytes[at + head - 1];
        if (at == 0)
            end = size;
        if (end > 0) /* not the empty record at the end of a list */
            store_end(fbx, to + begin + at, begin + (size_t)end);
        if (first > size || values > size - first)
            return;
        at = first + (size_t)values;
    }
}

/* Remove changes inside a record that is replaced, as in damaged files. */
static void drop_inner(facet_fbx_edits *edits)
{
    uint32_t kept = 0;
    size_t end = 0;
    for (uint32_t i = 0; i < edits->count; i++) {
        const facet_fbx_edit edit = edits->items[i];
        if (edit.at < end || edit.gone > edits->fbx->size - edit.at)
            continue;
        end = edit.at + edit.gone;
        edits->items[kept++] = edit;
    }
    edits->count = kept;
}

facet_status facet_fbx_apply(facet_fbx_edits *edits, const uint8_t **data, size_t *size,
                             facet_error *error)
{
    const facet_fbx *fbx = edits->fbx;
    size_t made = *size, from = 0, used = 0;
    if (edits->count == 0)
        return FACET_OK;
    qsort(edits->items, edits->count, sizeof *edits->items, by_offset);
    drop_inner(edits);
    for (uint32_t i = 0; i < edits->count; i++) {
        edits->items[i].before = edits->total;
        edits->total += edits->items[i].size - edits->items[i].gone;
        if (!facet_size_add(made, edits->items[i].size, &made))
            return facet_fail_memory(error, SIZE_MAX);
        made -= edits->items[i].gone;
    }
    if (fbx->is_binary && !fbx->is_wide && made > UINT32_MAX)
        return facet_fail(error, FACET_ERROR_LIMIT, "ASSIMP", FACET_NO_OFFSET,
                          "the file has more than 4 GiB with what assimp needs");
    uint8_t *to = facet_arena_allocate(fbx->arena, made, 1);
    if (!to)
        return facet_fail_arena(fbx->arena, error);
    for (uint32_t i = 0; i < edits->count; i++) {
        const facet_fbx_edit *edit = &edits->items[i];
        memcpy(to + used, *data + from, edit->at - from);
        used += edit->at - from;
        from = edit->at + edit->gone;
        memcpy(to + used, edit->bytes, edit->size);
        if (fbx->is_binary && edit->size > 0)
            set_ends(fbx, to, used, edit->size);
        used += edit->size;
    }
    memcpy(to + used, *data + from, *size - from);
    if (fbx->is_binary)
        shift_ends(edits, to);
    *data = to;
    *size = made;
    return FACET_OK;
}
