/* formats/assimp/file/fbx_shapes.c - normals of shapes. assimp drops a shape that has none, as Maya
 * and others write it. */
#include "base/bytes.h"
#include "formats/assimp/file/fbx_edits.h"

#include <stdio.h>
#include <string.h>

/* A binary record of `count` vectors 0: end, count and bytes of its values, name, type 'f', count,
 * not compressed, bytes, numbers. */
static uint8_t *binary_normals(const facet_fbx *fbx, size_t count, size_t *size)
{
    static const char name[] = "Normals";
    size_t word = fbx->is_wide ? 8 : 4, head = 3 * word + 1 + strlen(name),
           values = 13 + count * 12;
    *size = head + values;
    uint8_t *bytes = facet_arena_allocate_zeroed(fbx->arena, *size, 1);
    if (!bytes)
        return NULL;
    bytes[word] = 1;
    facet_store_u32le(bytes + 2 * word, (uint32_t)values);
    bytes[3 * word] = (uint8_t)strlen(name);
    memcpy(bytes + 3 * word + 1, name, strlen(name));
    bytes[head] = 'f';
    facet_store_u32le(bytes + head + 1, (uint32_t)count * 3);
    facet_store_u32le(bytes + head + 9, (uint32_t)count * 12);
    return bytes;
}

static uint8_t *text_normals(const facet_fbx *fbx, size_t count, size_t *size)
{
    char head[64];
    size_t used = (size_t)snprintf(head, sizeof head, "\nNormals: *%zu {\na: ", count * 3);
    *size = used + count * 6 + 1;
    char *text = facet_arena_allocate(fbx->arena, *size, 1);
    if (!text)
        return NULL;
    memcpy(text, head, used);
    for (size_t i = 0; i < count; i++)
        memcpy(text + used + i * 6, "0,0,0,", 6);
    memcpy(text + *size - 2, "}\n", 2); /* instead of the last comma */
    return (uint8_t *)text;
}

/* The end of a list before the empty record, or NULL if that is missing. */
static const uint8_t *end_of_list(const facet_fbx *fbx, facet_fbx_span list)
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
        const uint8_t *at = end_of_list(fbx, o->list);
        if (count == 0 || count > UINT32_MAX / 12 - 2 || !at)
            continue;
        uint8_t *bytes =
            fbx->is_binary ? binary_normals(fbx, count, &size) : text_normals(fbx, count, &size);
        if (!bytes || !facet_fbx_insert(edits, at, bytes, size))
            return false;
    }
    return true;
}
