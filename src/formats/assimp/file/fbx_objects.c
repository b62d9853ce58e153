/* formats/assimp/file/fbx_objects.c - objects, connections and properties of an FBX. */
#include "base/bytes.h"
#include "formats/assimp/file/fbx.h"

#include <stdlib.h>
#include <string.h>

/* -- Objects ------------------------------------------------------------ */

/* Number of an id, with a new object if it is new. FACET_NONE if out of memory. */
static uint32_t add_object(facet_fbx *fbx, uint64_t id)
{
    uint32_t number = facet_names_put_copy(&fbx->ids, (const char *)&id, sizeof id);
    if (number == UINT32_MAX || number < fbx->object_count)
        return number;
    if (!FACET_GROW(fbx->arena, fbx->objects, fbx->object_count, fbx->object_capacity))
        return UINT32_MAX;
    fbx->objects[fbx->object_count++] = (facet_fbx_object){.id = id};
    return number;
}

facet_fbx_span facet_fbx_label(const facet_fbx *fbx, facet_fbx_span text)
{
    for (const uint8_t *at = text.at; text.end - at >= 2; at++) {
        if (fbx->is_binary && at[0] == 0 && at[1] == 1)
            return (facet_fbx_span){text.at, at};
        if (!fbx->is_binary && at[0] == ':' && at[1] == ':')
            return (facet_fbx_span){at + 2, text.end};
    }
    return text;
}

static bool read_objects(facet_fbx *fbx, facet_fbx_span list)
{
    facet_fbx_record record;
    while (facet_fbx_next(fbx, &list, &record)) {
        facet_fbx_value id, label, type;
        facet_fbx_span values = record.values;
        if (!facet_fbx_next_value(fbx, &values, &id) || id.is_text)
            continue;
        if (!facet_fbx_next_value(fbx, &values, &label))
            label.text = record.list;
        if (!facet_fbx_next_value(fbx, &values, &type))
            type.text = (facet_fbx_span){record.name.end, record.name.end};
        uint32_t number = add_object(fbx, id.integer);
        if (number == UINT32_MAX)
            return false;
        facet_fbx_object *o = &fbx->objects[number]; /* the last object with an id is valid */
        o->kind = record.name;
        o->type = type.text;
        o->label = facet_fbx_label(fbx, label.text);
        o->list = record.list;
        o->begin = record.begin;
    }
    return true;
}

/* -- Connections -------------------------------------------------------- */

static int by_destination(const void *a, const void *b)
{
    const facet_fbx_link *left = a, *right = b;
    if (left->to != right->to)
        return left->to < right->to ? -1 : 1;
    return (left->begin > right->begin) - (left->begin < right->begin);
}

/* List the numbers of links by source. */
static bool sort_by_source(facet_fbx *fbx)
{
    fbx->from = facet_arena_allocate(fbx->arena, fbx->link_count, sizeof *fbx->from);
    uint32_t first = 0;
    for (uint32_t i = 0; fbx->from && i < fbx->object_count; i++) {
        fbx->objects[i].first_from = first;
        first += fbx->objects[i].from_count;
        fbx->objects[i].from_count = 0;
    }
    for (uint32_t i = 0; fbx->from && i < fbx->link_count; i++) {
        facet_fbx_object *o = &fbx->objects[fbx->links[i].from];
        fbx->from[o->first_from + o->from_count++] = i;
    }
    return fbx->from != NULL;
}

/* Read the connections between objects that exist. */
static bool read_links(facet_fbx *fbx, facet_fbx_span list)
{
    facet_fbx_record record;
    while (facet_fbx_next(fbx, &list, &record)) {
        facet_fbx_value type, from, to, property;
        facet_fbx_span values = record.values;
        if (!facet_fbx_is(record.name, "C") || !facet_fbx_next_value(fbx, &values, &type) ||
            facet_fbx_is(type.text, "PP") || !facet_fbx_next_value(fbx, &values, &from) ||
            !facet_fbx_next_value(fbx, &values, &to))
            continue;
        property.text = (facet_fbx_span){values.end, values.end};
        if (facet_fbx_is(type.text, "OP"))
            facet_fbx_next_value(fbx, &values, &property);
        uint32_t ends[2] = {
            facet_names_find(&fbx->ids, (const char *)&from.integer, sizeof from.integer),
            facet_names_find(&fbx->ids, (const char *)&to.integer, sizeof to.integer)};
        if (ends[0] == UINT32_MAX || ends[1] == UINT32_MAX)
            continue;
        if (!FACET_GROW(fbx->arena, fbx->links, fbx->link_count, fbx->link_capacity))
            return false;
        fbx->links[fbx->link_count++] =
            (facet_fbx_link){ends[0], ends[1], property.text, record.begin};
    }
    if (fbx->link_count > 0)
        qsort(fbx->links, fbx->link_count, sizeof *fbx->links, by_destination);
    for (uint32_t i = fbx->link_count; i-- > 0;) {
        facet_fbx_object *to = &fbx->objects[fbx->links[i].to];
        to->first_link = i;
        to->link_count++;
        fbx->objects[fbx->links[i].from].from_count++;
    }
    return sort_by_source(fbx);
}

/* -- Templates ---------------------------------------------------------- */

static bool read_templates(facet_fbx *fbx, facet_fbx_span list)
{
    facet_fbx_record type, template;
    while (facet_fbx_next(fbx, &list, &type)) {
        facet_fbx_value kind;
        if (!facet_fbx_is(type.name, "ObjectType") ||
            !facet_fbx_next_value(fbx, &type.values, &kind) ||
            !facet_fbx_find(fbx, type.list, "PropertyTemplate", &template))
            continue;
        uint32_t number =
            facet_names_put(&fbx->kinds, (const char *)kind.text.at, facet_fbx_size(kind.text));
        if (number == UINT32_MAX)
            return false;
        if (number < fbx->template_count)
            continue;
        if (!FACET_GROW(fbx->arena, fbx->templates, fbx->template_count, fbx->template_capacity))
            return false;
        fbx->templates[fbx->template_count++] = template.list;
    }
    return true;
}

/* -- Files -------------------------------------------------------------- */

uint32_t facet_fbx_version(const facet_fbx *fbx)
{
    facet_fbx_record header, version;
    facet_fbx_value value;
    if (fbx->is_binary)
        return facet_load_u32le(fbx->data + 23);
    if (!facet_fbx_find(fbx, facet_fbx_whole(fbx), "FBXHeaderExtension", &header) ||
        !facet_fbx_find(fbx, header.list, "FBXVersion", &version) ||
        !facet_fbx_next_value(fbx, &version.values, &value) || value.integer > 99999)
        return 0;
    return (uint32_t)value.integer;
}

facet_status facet_fbx_open(facet_fbx *fbx, const uint8_t *data, size_t size, facet_arena *arena,
                            facet_error *error)
{
    *fbx = (facet_fbx){
        .ids = facet_names_make(arena), .kinds = facet_names_make(arena), .arena = arena};
    facet_fbx_record record;
    if (!facet_fbx_begin(fbx, data, size))
        return FACET_OK;
    fbx->version = facet_fbx_version(fbx);
    if (add_object(fbx, 0) == UINT32_MAX)
        return facet_fail_arena(arena, error);
    if (facet_fbx_find(fbx, facet_fbx_whole(fbx), "Definitions", &record) &&
        !read_templates(fbx, record.list))
        return facet_fail_arena(arena, error);
    if (facet_fbx_find(fbx, facet_fbx_whole(fbx), "Objects", &record) &&
        !read_objects(fbx, record.list))
        return facet_fail_arena(arena, error);
    if (facet_fbx_find(fbx, facet_fbx_whole(fbx), "Connections", &record) &&
        !read_links(fbx, record.list))
        return facet_fail_arena(arena, error);
    return FACET_OK;
}

uint32_t facet_fbx_next_link(const facet_fbx *fbx, uint32_t object, const char *kind, uint32_t i)
{
    const facet_fbx_object *to = &fbx->objects[object];
    for (i = i < to->first_link ? to->first_link : i; i < to->first_link + to->link_count; i++) {
        const facet_fbx_link *link = &fbx->links[i];
        if (facet_fbx_size(link->property) == 0 &&
            facet_fbx_is(fbx->objects[link->from].kind, kind))
            return i;
    }
    return FACET_NONE;
}

/* -- Properties --------------------------------------------------------- */

/* Read a property from the list of an object or template. */
static uint32_t read_property(const facet_fbx *fbx, facet_fbx_span list, const char *name,
                              facet_fbx_value *values, uint32_t most)
{
    facet_fbx_record properties, p;
    if (!facet_fbx_find(fbx, list, "Properties70", &properties))
        return 0;
    while (facet_fbx_next(fbx, &properties.list, &p)) {
        facet_fbx_value value; /* the name, the type, the label, the flags, the numbers */
        uint32_t count = 0;
        if (!facet_fbx_next_value(fbx, &p.values, &value) || !facet_fbx_is(value.text, name))
            continue;
        for (int i = 0; i < 3; i++)
            facet_fbx_next_value(fbx, &p.values, &value);
        while (count < most && facet_fbx_next_value(fbx, &p.values, &values[count]))
            count++;
        return count;
    }
    return 0;
}

uint32_t facet_fbx_property(const facet_fbx *fbx, uint32_t object, const char *name,
                            facet_fbx_value *values, uint32_t most)
{
    const facet_fbx_object *o = &fbx->objects[object];
    uint32_t count = read_property(fbx, o->list, name, values, most);
    if (count > 0)
        return count;
    uint32_t number =
        facet_names_find(&fbx->kinds, (const char *)o->kind.at, facet_fbx_size(o->kind));
    return number == UINT32_MAX ? 0
                                : read_property(fbx, fbx->templates[number], name, values, most);
}

double facet_fbx_number(const facet_fbx *fbx, uint32_t object, const char *name, double otherwise)
{
    facet_fbx_value value;
    return facet_fbx_property(fbx, object, name, &value, 1) ? value.number : otherwise;
}
