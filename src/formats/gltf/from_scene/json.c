/* formats/gltf/from_scene/json.c - functions that build JSON. A failed allocation sets w->failed,
 * which is tested once at the end. */
#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"
#include "formats/gltf/from_scene/writer.h"
#include "gx/json/file_part.h"

#include <math.h>
#include <string.h>

facet_json *facet_gltf_number(facet_gltf_writer *w, double value)
{
    if (!isfinite(value))
        return facet_json_integer_in(w->arena, 0);
    if (value == floor(value) && fabs(value) < 1e15)
        return facet_json_integer_in(w->arena, (int64_t)value);
    return facet_json_real_in(w->arena, value);
}

facet_json *facet_gltf_floats(facet_gltf_writer *w, const float *values, size_t count)
{
    facet_json *array = facet_json_array_in(w->arena);
    for (size_t i = 0; array && i < count; i++)
        facet_gltf_append(w, array, facet_gltf_number(w, (double)values[i]));
    return array;
}

void facet_gltf_put(facet_gltf_writer *w, facet_json *object, const char *key, facet_json *value)
{
    if (!facet_json_set_in(w->arena, object, key, value))
        w->failed = true;
}

void facet_gltf_append(facet_gltf_writer *w, facet_json *array, facet_json *value)
{
    if (!facet_json_append_in(w->arena, array, value))
        w->failed = true;
}

facet_json *facet_gltf_adopt(facet_gltf_writer *w, facet_json *value)
{
    facet_json *copy = facet_json_copy_in(w->arena, value);
    facet_json_free(value);
    return copy;
}

void facet_gltf_put_text(facet_gltf_writer *w, facet_json *object, const char *key,
                         const char *text)
{
    if (!text || !*text)
        return;
    const char *whole = facet_arena_utf8(w->arena, text, strlen(text));
    facet_gltf_put(w, object, key, whole ? facet_json_string_in(w->arena, whole) : NULL);
}

static bool is_plain(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           strchr("-._~/!$&'()*+,;=@", c);
}

char *facet_gltf_uri_of_path(facet_arena *arena, const char *path)
{
    static const char digits[] = "0123456789ABCDEF";
    size_t length = strlen(path), used = 0;
    char *uri = length < SIZE_MAX / 3 ? facet_arena_allocate(arena, length + 1, 3) : NULL;
    if (!uri)
        return NULL;
    for (size_t i = 0; i < length; i++) {
        char c = path[i] == '\\' ? '/' : path[i];
        if (is_plain(c)) {
            uri[used++] = c;
        } else {
            uri[used++] = '%';
            uri[used++] = digits[(unsigned char)c >> 4];
            uri[used++] = digits[(unsigned char)c & 15];
        }
    }
    uri[used] = '\0';
    return uri;
}

void facet_gltf_put_uri(facet_gltf_writer *w, facet_json *object, const char *key, const char *path)
{
    const char *uri = facet_gltf_uri_of_path(w->arena, path);
    facet_gltf_put(w, object, key, uri ? facet_json_string_in(w->arena, uri) : NULL);
}

/* Read a text into w->arena. A separate arena has the memory for reading, which is more than most
 * texts need. */
static facet_json *read_text(facet_gltf_writer *w, const char *text, facet_json_fault *fault)
{
    facet_options options = {.allocator = facet_arena_allocator(w->arena)};
    facet_arena *reading = NULL;
    facet_json *copy = NULL;
    fault->memory = facet_arena_create(&options, &reading, NULL) != FACET_OK;
    if (fault->memory)
        return NULL;
    const facet_json *value =
        facet_json_read_in(reading, text, strlen(text), FACET_JSON_NUL | FACET_JSON_LARGE, fault);
    if (value) {
        copy = facet_json_copy_in(w->arena, value);
        fault->memory = !copy;
    }
    facet_arena_free(reading);
    return copy;
}

void facet_gltf_put_extras(facet_gltf_writer *w, facet_json *object, const char *extras)
{
    if (!extras)
        return;
    facet_json_fault fault = {0};
    facet_json *value = read_text(w, extras, &fault);
    if (value || fault.memory)
        facet_gltf_put(w, object, "extras", value);
    else
        facet_report_add(facet_gltf_writer_report(w), "LOSS-EXTRAS", FACET_SEVERITY_WARNING,
                         FACET_NO_OFFSET, "extras that are not JSON are dropped");
}

void facet_gltf_put_file_extras(facet_gltf_writer *w, facet_json *object, const char *extras,
                                const facet_gx_file_part *file)
{
    if (file && !extras && !file->extras)
        facet_gltf_put(w, object, "extras",
                       facet_gltf_adopt(w, facet_gx_file_part_json(file, w->arena)));
    facet_gltf_put_extras(w, object, extras);
}

/* Parse text as a JSON object; NULL if it is not one. */
static facet_json *object_of(facet_gltf_writer *w, const char *text)
{
    facet_json_fault fault = {0};
    facet_json *value = read_text(w, text, &fault);
    w->failed |= fault.memory;
    if (facet_json_is_object(value))
        return value;
    if (!fault.memory)
        facet_report_add(facet_gltf_writer_report(w), "LOSS-EXTRAS", FACET_SEVERITY_WARNING,
                         FACET_NO_OFFSET, "extensions that are not a JSON object are dropped");
    return NULL;
}

static void put_all(facet_gltf_writer *w, facet_json *object, const facet_json *from)
{
    for (size_t i = 0; i < facet_json_object_size(from); i++) {
        const char *name = facet_json_object_key(from, i);
        facet_json *extensions = facet_gltf_extensions_of(w, object);
        if (facet_json_object_get(extensions, name))
            continue;
        const char *copy = facet_arena_string(w->arena, name, strlen(name));
        w->failed |= !copy || facet_names_put(&w->kept, copy, strlen(copy)) == UINT32_MAX;
        facet_gltf_put(w, extensions, name, facet_json_object_value(from, i));
    }
}

void facet_gltf_put_kept(facet_gltf_writer *w, facet_json *object, const char *extensions)
{
    facet_json *from = extensions ? object_of(w, extensions) : NULL;
    if (from)
        put_all(w, object, from);
}

void facet_gltf_put_asset(facet_gltf_writer *w, facet_json *object, const char *asset)
{
    facet_json *from = asset ? object_of(w, asset) : NULL;
    for (size_t i = 0; i < facet_json_object_size(from); i++) {
        const char *key = facet_json_object_key(from, i);
        facet_json *value = facet_json_object_value(from, i);
        if (strcmp(key, "extensions") == 0)
            put_all(w, object, value);
        else if (!facet_json_object_get(object, key))
            facet_gltf_put(w, object, key, value);
    }
}

void facet_gltf_put_array(facet_gltf_writer *w, const char *key, facet_json *array)
{
    if (facet_json_array_size(array) > 0)
        facet_gltf_put(w, w->root, key, array);
}

facet_json *facet_gltf_extensions_of(facet_gltf_writer *w, facet_json *object)
{
    facet_json *extensions = facet_json_object_get(object, "extensions");
    if (!extensions) {
        extensions = facet_json_object_in(w->arena);
        facet_gltf_put(w, object, "extensions", extensions);
    }
    return extensions;
}
