/* formats/assimp/file/fbx_old_text.c - text and connections of a converted FBX. */
#include "base/numbers.h"
#include "base/size.h"
#include "formats/assimp/file/fbx_old.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* -- Text --------------------------------------------------------------- */

static void append(facet_fbx_old *o, char **text, size_t *used, size_t *capacity, const void *bytes,
                   size_t size)
{
    if (o->failed || size == 0) /* memcpy takes no null pointer */
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

void facet_fbx_old_link(facet_fbx_old *o, uint64_t from, uint64_t to, const char *property)
{
    char line[160];
    int size = property
                   ? snprintf(line, sizeof line, "C: \"OP\",%" PRIu64 ",%" PRIu64 ", \"%.80s\"\n",
                              from, to, property)
                   : snprintf(line, sizeof line, "C: \"OO\",%" PRIu64 ",%" PRIu64 "\n", from, to);
    append(o, &o->links, &o->links_used, &o->links_capacity, line, (size_t)size);
}
