/* formats/assimp/file/fbx_old.c - the frame of a converted FBX: its objects, settings and
 * connections. */
#include "formats/assimp/file/fbx_old.h"
#include "base/error.h"

#include <string.h>

/* -- Objects ------------------------------------------------------------ */

/* List the objects. The first one with a name is valid. */
static void list_objects(facet_fbx_old *o, facet_fbx_span list)
{
    facet_fbx_record record;
    while (facet_fbx_next(o->fbx, &list, &record)) {
        facet_fbx_value key, type;
        facet_fbx_span values = record.values;
        if (!facet_fbx_next_value(o->fbx, &values, &key) || !key.is_text)
            continue;
        if (!facet_fbx_next_value(o->fbx, &values, &type) || !type.is_text)
            type.text = (facet_fbx_span){values.end, values.end};
        uint32_t number =
            facet_names_put(&o->keys, (const char *)key.text.at, facet_fbx_size(key.text));
        if (number != UINT32_MAX && number < o->object_count)
            continue;
        o->failed |= number == UINT32_MAX ||
                     !FACET_GROW(o->arena, o->objects, o->object_count, o->object_capacity);
        if (o->failed)
            return;
        o->objects[o->object_count++] = (facet_fbx_named){
            .record = record, .key = key.text, .type = type.text, .id = o->next_id++};
    }
}

/* -- Connections -------------------------------------------------------- */

/* A connection of the file. False if it is not between objects that exist. */
static bool read_link(facet_fbx_old *o, const facet_fbx_record *record, facet_fbx_named **from,
                      facet_fbx_named **to, facet_fbx_span *property)
{
    facet_fbx_span values = record->values;
    facet_fbx_value type, ends[2];
    if (!facet_fbx_is(record->name, "Connect") || !facet_fbx_next_value(o->fbx, &values, &type) ||
        !facet_fbx_next_value(o->fbx, &values, &ends[0]) ||
        !facet_fbx_next_value(o->fbx, &values, &ends[1]))
        return false;
    facet_fbx_value value = {.text = {values.end, values.end}};
    if (facet_fbx_is(type.text, "OP"))
        facet_fbx_next_value(o->fbx, &values, &value);
    *property = value.text;
    *from = facet_fbx_old_find(o, ends[0].text);
    *to = facet_fbx_old_find(o, ends[1].text);
    bool is_scene =
        facet_fbx_is(ends[1].text, "Model::Scene") ||
        (facet_fbx_size(ends[1].text) == 12 && memcmp(ends[1].text.at, "Scene\0\1Model", 12) == 0);
    return *from && (*to || is_scene);
}

static void put_link(facet_fbx_old *o, const facet_fbx_named *from, facet_fbx_named *to,
                     facet_fbx_span property)
{
    char name[80];
    size_t size = facet_fbx_size(property);
    bool is_node = to && facet_fbx_is(to->record.name, "Model");
    if (size >= sizeof name || (size > 0 && memchr(property.at, '"', size)))
        return;
    if (size > 0) {
        memcpy(name, property.at, size);
        name[size] = '\0';
        facet_fbx_old_link(o, from->id, to ? to->id : 0, name);
    } else if (is_node && facet_fbx_is(from->record.name, "Texture")) {
        facet_fbx_old_put_texture(o, from, to);
    } else {
        bool deforms = is_node && to->geometry && facet_fbx_is(from->record.name, "Deformer");
        facet_fbx_old_link(o, from->id, !to ? 0 : deforms ? to->geometry : to->id, NULL);
    }
}

static void add_material(facet_fbx_old *o, facet_fbx_named *node, uint64_t material)
{
    o->failed |=
        !FACET_GROW(o->arena, node->materials, node->material_count, node->material_capacity);
    if (!o->failed)
        node->materials[node->material_count++] = material;
}

static void read_links(facet_fbx_old *o, facet_fbx_span list, bool put)
{
    facet_fbx_span property;
    facet_fbx_record record;
    facet_fbx_named *from, *to;
    while (facet_fbx_next(o->fbx, &list, &record)) {
        if (!read_link(o, &record, &from, &to, &property))
            continue;
        from->is_linked = true;
        if (put)
            put_link(o, from, to, property);
        else if (to && facet_fbx_is(from->record.name, "Material"))
            add_material(o, to, from->id);
    }
}

/* -- Files -------------------------------------------------------------- */

static void put_settings(facet_fbx_old *o, facet_fbx_span objects)
{
    facet_fbx_record settings, properties;
    if (!facet_fbx_find(o->fbx, objects, "GlobalSettings", &settings) ||
        !facet_fbx_find(o->fbx, settings.list, "Properties60", &properties))
        return;
    facet_fbx_old_print(o, "GlobalSettings: {\nVersion: 1000\n");
    facet_fbx_old_copy(o, &properties, 0);
    facet_fbx_old_print(o, "}\n");
}

static void put_header(facet_fbx_old *o)
{
    facet_fbx_record header, creator;
    facet_fbx_old_print(o, "; FBX 7.4.0 project file\nFBXHeaderExtension: {\nFBXHeaderVersion: "
                           "1003\nFBXVersion: 7400\n");
    if (facet_fbx_find(o->fbx, facet_fbx_whole(o->fbx), "FBXHeaderExtension", &header) &&
        facet_fbx_find(o->fbx, header.list, "Creator", &creator)) {
        facet_fbx_old_print(o, "Creator: ");
        facet_fbx_old_quote(o, facet_fbx_old_text_of(o->fbx, &creator));
        facet_fbx_old_print(o, "\n");
    }
    facet_fbx_old_print(o, "}\n");
}

static void convert(facet_fbx_old *o)
{
    facet_fbx_record objects, links;
    facet_fbx_span whole = facet_fbx_whole(o->fbx), none = {whole.end, whole.end};
    if (!facet_fbx_find(o->fbx, whole, "Objects", &objects))
        objects.list = none;
    if (!facet_fbx_find(o->fbx, whole, "Connections", &links))
        links.list = none;
    put_header(o);
    put_settings(o, objects.list);
    facet_fbx_old_print(o, "Definitions: {\nVersion: 100\nCount: 0\n}\nObjects: {\n");
    list_objects(o, objects.list);
    read_links(o, links.list, false);
    for (uint32_t i = 0; i < o->object_count; i++) {
        const facet_fbx_named *object = &o->objects[i];
        /* Cameras of viewports are not part of the scene. */
        if (object->is_linked || !facet_fbx_is(object->record.name, "Model"))
            facet_fbx_old_put_object(o, &o->objects[i]);
    }
    facet_fbx_old_put_takes(o);
    read_links(o, links.list, true);
    facet_fbx_old_print(o, "}\nConnections: {\n");
    facet_fbx_old_put(o, o->links, o->links_used);
    facet_fbx_old_print(o, "}\n");
}

facet_status facet_fbx_convert_old(const uint8_t **data, size_t *size, facet_arena *arena,
                                   facet_report *report, bool *is_converted, facet_error *error)
{
    enum { FIRST = 6000, LAST = 6999 };
    facet_fbx fbx = {.arena = arena};
    *is_converted = false;
    if (!facet_fbx_begin(&fbx, *data, *size))
        return FACET_OK;
    fbx.version = facet_fbx_version(&fbx);
    if (fbx.version < FIRST || fbx.version > LAST || (fbx.is_binary && (*data)[22] == 1))
        return FACET_OK;
    facet_fbx_old o = {.fbx = &fbx,
                       .arena = arena,
                       .keys = facet_names_make(arena),
                       .shapes = facet_names_make(arena),
                       .next_id = 1};
    convert(&o);
    if (o.failed)
        return facet_fail_arena(arena, error);
    facet_report_add_tally(report, "LOSS-ANIMATIONS", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                           &o.damaged, "the keys of a curve are damaged, and left out");
    facet_report_add_tally(report, "LOSS-ANIMATIONS", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                           &o.others,
                           "an animation of a property of a material, light, camera or constraint, "
                           "or of a custom one, is not read");
    *data = (const uint8_t *)o.text;
    *size = o.used;
    *is_converted = true;
    return FACET_OK;
}
