/* formats/assimp/file/fbx_old.c - the frame of a converted FBX: its objects, settings and
 * connections. */
#include "formats/assimp/file/fbx_old.h"
#include "base/error.h"
#include "base/numbers.h"
#include "base/size.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* -- Text --------------------------------------------------------------- */

static void append(facet_fbx_old *o, char **text, size_t *used, size_t *capacity, const void *bytes,
                   size_t size)
{
    if (o->failed)
        return;
    if (size > *capacity - *used) {
        size_t more;
        char *grown = NULL;
        if (facet_size_add(*capacity, size, &more) && facet_size_multiply(more, 2, &more))
            grown = facet_arena_resize(o->arena, *text, *capacity, more, 1);
        o->failed = !grown;
        if (!grown)
            return;
        *text = grown;
        *capacity = more;
    }
    memcpy(*text + *used, bytes, size);
    *used += size;
}

void facet_fbx_old_put(facet_fbx_old *o, const void *bytes, size_t size)
{
    append(o, &o->text, &o->used, &o->capacity, bytes, size);
}

void facet_fbx_old_print(facet_fbx_old *o, const char *format, ...)
{
    char line[200];
    va_list arguments;
    va_start(arguments, format);
    int size = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (size > 0)
        facet_fbx_old_put(o, line, (size_t)size < sizeof line ? (size_t)size : sizeof line - 1);
}

void facet_fbx_old_double(facet_fbx_old *o, double number)
{
    char text[FACET_NUMBER_DOUBLE_LENGTH];
    facet_fbx_old_put(o, text, facet_number_print_double(number, text));
}

void facet_fbx_old_quote(facet_fbx_old *o, facet_fbx_span text)
{
    facet_fbx_old_put(o, "\"", 1);
    for (const uint8_t *at = text.at; at < text.end; at++) {
        if (*at == '"')
            facet_fbx_old_put(o, "&quot;", 6);
        else if (*at != 0)
            facet_fbx_old_put(o, at, 1);
    }
    facet_fbx_old_put(o, "\"", 1);
}

/* -- Records ------------------------------------------------------------ */

/* Copy a value. Numbers of a text stay as they are. */
static void copy_value(facet_fbx_old *o, uint8_t type, const facet_fbx_value *value)
{
    const facet_fbx *fbx = o->fbx;
    if (value->is_text && !fbx->is_binary && value->text.at[-1] != '"')
        facet_fbx_old_put(o, value->text.at, facet_fbx_size(value->text)); /* a flag */
    else if (value->is_text)
        facet_fbx_old_quote(o, value->text);
    else if (!fbx->is_binary)
        facet_fbx_old_put(o, value->raw.at, facet_fbx_size(value->raw));
    else if (type == 'F' || type == 'D')
        facet_fbx_old_double(o, value->number);
    else
        facet_fbx_old_print(o, "%" PRId64, (int64_t)value->number);
}

/* Copy the values from number `first` on. Returns how many there are. */
static size_t copy_values(facet_fbx_old *o, facet_fbx_span values, bool copy)
{
    facet_fbx_value value;
    size_t count = 0;
    for (const uint8_t *type = values.at; facet_fbx_next_value(o->fbx, &values, &value);
         type = values.at, count++) {
        if (!copy)
            continue;
        if (count > 0)
            facet_fbx_old_put(o, ",", 1);
        copy_value(o, type < values.end ? *type : 0, &value);
    }
    return count;
}

/* The name, the type, the flags, the values; version 7 has a label after the type. */
static void copy_properties(facet_fbx_old *o, facet_fbx_span list)
{
    facet_fbx_record record;
    facet_fbx_value value;
    facet_fbx_old_print(o, "Properties70: {\n");
    while (facet_fbx_next(o->fbx, &list, &record)) {
        if (!facet_fbx_is(record.name, "Property"))
            continue;
        facet_fbx_old_print(o, "P: ");
        facet_fbx_span values = record.values;
        for (int i = 0; i < 2 && facet_fbx_next_value(o->fbx, &values, &value); i++) {
            facet_fbx_old_quote(o, value.text);
            facet_fbx_old_print(o, ", ");
        }
        facet_fbx_old_print(o, "\"\", ");
        copy_values(o, values, true);
        facet_fbx_old_print(o, "\n");
    }
    facet_fbx_old_print(o, "}\n");
}

static bool is_array(facet_fbx_span name)
{
    static const char *const names[] = {
        "Vertices", "PolygonVertexIndex", "Edges",   "Normals",   "NormalsIndex", "Tangents",
        "UV",       "Binormals",          "UVIndex", "Colors",    "ColorIndex",   "Materials",
        "Weights",  "Smoothing",          "Indexes", "Transform", "TransformLink"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (facet_fbx_is(name, names[i]))
            return true;
    }
    return false;
}

void facet_fbx_old_copy(facet_fbx_old *o, const facet_fbx_record *record, int depth)
{
    enum { MAX_DEPTH = 8 };
    facet_fbx_record inner;
    facet_fbx_span list = record->list;
    if (facet_fbx_is(record->name, "Properties60")) {
        copy_properties(o, list);
        return;
    }
    facet_fbx_old_put(o, record->name.at, facet_fbx_size(record->name));
    facet_fbx_old_print(o, ": ");
    if (is_array(record->name)) {
        facet_fbx_old_print(o, "*%zu {\na: ", copy_values(o, record->values, false));
        copy_values(o, record->values, true);
        facet_fbx_old_print(o, "\n}\n");
        return;
    }
    copy_values(o, record->values, true);
    if (list.at < list.end && depth < MAX_DEPTH) {
        facet_fbx_old_print(o, " {\n");
        while (facet_fbx_next(o->fbx, &list, &inner))
            facet_fbx_old_copy(o, &inner, depth + 1);
        facet_fbx_old_print(o, "}");
    }
    facet_fbx_old_print(o, "\n");
}

facet_fbx_span facet_fbx_old_text_of(const facet_fbx *fbx, const facet_fbx_record *record)
{
    facet_fbx_value value;
    facet_fbx_span values = record->values, none = {values.end, values.end};
    return facet_fbx_next_value(fbx, &values, &value) && value.is_text ? value.text : none;
}

/* -- Objects ------------------------------------------------------------ */

facet_fbx_named *facet_fbx_old_find(facet_fbx_old *o, facet_fbx_span key)
{
    uint32_t number = facet_names_find(&o->keys, (const char *)key.at, facet_fbx_size(key));
    return number == UINT32_MAX ? NULL : &o->objects[number];
}

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

void facet_fbx_old_link(facet_fbx_old *o, uint64_t from, uint64_t to, const char *property)
{
    char line[160];
    int size = property
                   ? snprintf(line, sizeof line, "C: \"OP\",%" PRIu64 ",%" PRIu64 ", \"%.80s\"\n",
                              from, to, property)
                   : snprintf(line, sizeof line, "C: \"OO\",%" PRIu64 ",%" PRIu64 "\n", from, to);
    append(o, &o->links, &o->links_used, &o->links_capacity, line, (size_t)size);
}

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
    *data = (const uint8_t *)o.text;
    *size = o.used;
    *is_converted = true;
    return FACET_OK;
}
