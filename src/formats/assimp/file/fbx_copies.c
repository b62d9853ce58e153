/* formats/assimp/file/fbx_copies.c - a geometry for each list of materials that its nodes have.
 * assimp gives all nodes with one geometry the materials of the first. */
#include "base/bytes.h"
#include "formats/assimp/file/fbx_edits.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct copier {
    facet_fbx_edits *edits;
    const uint8_t *at; /* the end of the list of objects */
    uint64_t next_id;
    facet_names lists;     /* of materials, after the number of the geometry */
    uint32_t *key;         /* the list of a node */
    uint32_t key_geometry; /* the last one with a list */
    uint64_t *ids;         /* per list: of its copy; 0: it has the geometry itself */
    uint32_t id_count, id_capacity;
} copier;

/* -- Records ------------------------------------------------------------ */

/* The ends of binary records become relative to the copy. */
static void copy_binary(const facet_fbx *fbx, const facet_fbx_record *record, uint8_t *to)
{
    facet_fbx_span records = {record->begin, record->list.end};
    const uint8_t *top = records.at;
    facet_fbx_record inner;
    memcpy(to, record->begin, facet_fbx_size(records));
    while (facet_fbx_next_nested(fbx, &records, &top, &inner)) {
        uint8_t *at = to + (inner.begin - record->begin);
        uint64_t end = (uint64_t)(inner.list.end - record->begin);
        if (fbx->is_wide)
            facet_store_u64le(at, end);
        else
            facet_store_u32le(at, (uint32_t)end);
    }
}

/* A copy of an object with another id. NULL if out of memory, or if the id does not fit. */
static uint8_t *make_copy(const facet_fbx *fbx, uint32_t object, uint64_t id, size_t *size)
{
    facet_fbx_span list = {fbx->objects[object].begin, fbx->data + fbx->size};
    facet_fbx_record record;
    facet_fbx_value value;
    if (!facet_fbx_next(fbx, &list, &record))
        return NULL;
    facet_fbx_span values = record.values;
    if (!facet_fbx_next_value(fbx, &values, &value) || facet_fbx_size(value.raw) == 0)
        return NULL;
    size_t before = (size_t)(value.raw.at - record.begin);
    size_t all = (size_t)(facet_fbx_end(fbx, &record) - record.begin);
    if (fbx->is_binary) {
        uint8_t *bytes = facet_arena_allocate(fbx->arena, all, 1);
        if (!bytes || facet_fbx_size(value.raw) != 8)
            return NULL;
        copy_binary(fbx, &record, bytes);
        facet_store_u64le(bytes + before, id);
        *size = all;
        return bytes;
    }
    enum { DIGITS = 24 };
    char digits[DIGITS];
    int length = snprintf(digits, sizeof digits, "%" PRId64, (int64_t)id);
    size_t after = all - before - facet_fbx_size(value.raw);
    *size = before + (size_t)length + after + 1;
    uint8_t *text = facet_arena_allocate(fbx->arena, *size, 1);
    if (!text)
        return NULL;
    memcpy(text, record.begin, before);
    memcpy(text + before, digits, (size_t)length);
    memcpy(text + before + (size_t)length, value.raw.end, after);
    text[*size - 1] = '\n';
    return text;
}

/* -- Copies ------------------------------------------------------------- */

static bool add_link(copier *c, const uint8_t *at, uint64_t from, uint64_t to)
{
    size_t size;
    uint8_t *bytes = facet_fbx_make_link(c->edits->fbx, from, to, NULL, &size);
    return bytes && facet_fbx_insert(c->edits, at, bytes, size);
}

/* Copy a geometry with the connections to it. 0: it cannot be copied, or out of memory. */
static uint64_t copy_geometry(copier *c, uint32_t geometry, const uint8_t *links)
{
    const facet_fbx *fbx = c->edits->fbx;
    const facet_fbx_object *o = &fbx->objects[geometry];
    const size_t link_size = 64;
    uint64_t id = c->next_id, bytes = (uint64_t)o->link_count * link_size;
    bytes += (uint64_t)(o->list.end - o->begin);
    if (facet_budget_spend(fbx->key_budget, bytes, "copies of geometry", NULL))
        return 0;
    size_t size;
    uint8_t *copy = make_copy(fbx, geometry, id, &size);
    if (!copy || !facet_fbx_insert(c->edits, c->at, copy, size))
        return 0;
    c->next_id++;
    for (uint32_t i = 0; i < o->link_count; i++) {
        const facet_fbx_link *link = &fbx->links[o->first_link + i];
        if (facet_fbx_size(link->property) == 0 &&
            !add_link(c, links, fbx->objects[link->from].id, id))
            return 0;
    }
    return id;
}

/* Find the number of the list of materials of a node, with its geometry. Its name is the key.
 * FACET_NONE if out of memory or of the budget. */
static uint32_t list_of(copier *c, uint32_t geometry, uint32_t node)
{
    const facet_fbx *fbx = c->edits->fbx;
    uint32_t count = 0;
    c->key[count++] = geometry;
    for (uint32_t i = 0; (i = facet_fbx_next_link(fbx, node, "Material", i)) != FACET_NONE; i++)
        c->key[count++] = fbx->links[i].from;
    size_t bytes = count * sizeof *c->key;
    if (facet_budget_spend(fbx->key_budget, bytes, "lists of materials", NULL))
        return FACET_NONE;
    return facet_names_put_copy(&c->lists, (const char *)c->key, bytes);
}

/* Connect the nodes of a geometry to copies, one for each list of materials except the first. */
static void separate(copier *c, uint32_t geometry)
{
    const facet_fbx *fbx = c->edits->fbx;
    const facet_fbx_object *o = &fbx->objects[geometry];
    for (uint32_t i = 0; i < o->from_count; i++) {
        const facet_fbx_link *link = &fbx->links[fbx->from[o->first_from + i]];
        if (facet_fbx_size(link->property) > 0 ||
            !facet_fbx_is(fbx->objects[link->to].kind, "Model"))
            continue;
        uint32_t list = list_of(c, geometry, link->to), had = c->id_count;
        if (list == FACET_NONE ||
            (list == had && !FACET_GROW(fbx->arena, c->ids, c->id_count, c->id_capacity)))
            return;
        if (list == had) {
            bool is_first = c->key_geometry != geometry;
            c->ids[c->id_count++] = is_first ? 0 : copy_geometry(c, geometry, link->begin);
            c->key_geometry = geometry;
        }
        facet_fbx_record record;
        facet_fbx_span rest = {link->begin, fbx->data + fbx->size};
        if (c->ids[list] != 0 &&
            add_link(c, link->begin, c->ids[list], fbx->objects[link->to].id) &&
            facet_fbx_next(fbx, &rest, &record))
            facet_fbx_replace(c->edits, &record, fbx->data, 0);
    }
}

facet_status facet_fbx_copy_geometries(const facet_fbx *fbx, const uint8_t **data, size_t *size,
                                       facet_error *error)
{
    facet_fbx_edits edits = {.fbx = fbx};
    facet_fbx_record objects;
    copier c = {.edits = &edits, .lists = facet_names_make(fbx->arena)};
    if (fbx->object_count == 0 || !facet_fbx_find(fbx, facet_fbx_whole(fbx), "Objects", &objects))
        return FACET_OK;
    c.at = facet_fbx_end_of_list(fbx, objects.list);
    c.next_id = facet_fbx_next_id(fbx);
    c.key = facet_arena_allocate(fbx->arena, (size_t)fbx->link_count + 1, sizeof *c.key);
    for (uint32_t i = 1; i < fbx->object_count && c.at && c.key; i++) {
        const facet_fbx_object *o = &fbx->objects[i];
        if (facet_fbx_is(o->kind, "Geometry") && facet_fbx_is(o->type, "Mesh") && o->from_count > 1)
            separate(&c, i);
    }
    TRY(facet_arena_status(fbx->arena, error));
    return facet_fbx_apply(&edits, data, size, error);
}
