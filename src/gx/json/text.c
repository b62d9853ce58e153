/* gx/json/text.c - JSON as text. */
#include "gx/json/text.h"

#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

/* -- Building ------------------------------------------------------------ */

/* Jansson releases what it was to take over when it cannot, and takes NULL for any
 * of the two. */
bool facet_gx_json_put(json_t *object, const char *key, json_t *value)
{
    return json_object_set_new(object, key, value) == 0;
}

bool facet_gx_json_append(json_t *array, json_t *value)
{
    return json_array_append_new(array, value) == 0;
}

json_t *facet_gx_json_if(bool ok, json_t *value)
{
    if (ok)
        return value;
    json_decref(value);
    return NULL;
}

json_t *facet_gx_json_with_name(json_t *name, json_t *object)
{
    json_t *named = json_object();
    bool ok = facet_gx_json_put(named, "name", name);
    ok = ok && json_object_update(named, object) == 0;
    json_decref(object);
    return facet_gx_json_if(ok, named);
}

/* -- Text --------------------------------------------------------------- */

/* Arrays of numbers and strings, which the indented text has a line for each
 * of, on one line. */
static void fold_lists(char *text)
{
    char *to = text;
    for (char *at = text; *at;) {
        char *end = at + 1;
        bool quoted = false;
        for (; *at == '[' && *end && (quoted || (*end != '[' && *end != '{' && *end != ']'));
             end++) {
            if (quoted && *end == '\\')
                end++;
            else if (*end == '"')
                quoted = !quoted;
        }
        if (*at != '[' || *end != ']') {
            *to++ = *at++;
            continue;
        }
        for (quoted = false; at <= end; at++) {
            if (quoted && *at == '\\')
                *to++ = *at++;
            else if (*at == '"')
                quoted = !quoted;
            if (quoted || (*at != ' ' && *at != '\n')) {
                *to++ = *at;
                if (!quoted && *at == ',')
                    *to++ = ' ';
            }
        }
    }
    *to = '\0';
}

/* Takes the value over. */
static char *dump(json_t *value, size_t flags)
{
    char *text = value ? json_dumps(value, flags | JSON_REAL_PRECISION(9)) : NULL;
    json_decref(value);
    return text;
}

const char *facet_gx_json_extras(const char *key, json_t *value, facet_arena *arena)
{
    json_t *j3d = json_object(), *root = json_object();
    bool ok = facet_gx_json_put(j3d, key, value);
    ok = facet_gx_json_put(root, "j3d", j3d) && ok;
    char *text = dump(facet_gx_json_if(ok, root), JSON_COMPACT);
    const char *kept = text ? facet_arena_string(arena, text, strlen(text)) : NULL;
    free(text);
    return kept;
}

json_t *facet_gx_json_file(const char *format)
{
    json_t *file = json_object();
    bool ok = facet_gx_json_put(file, "format", json_string(format)) &&
              facet_gx_json_put(file, "version", json_integer(1));
    return facet_gx_json_if(ok, file);
}

const char *facet_gx_json_file_text(json_t *file, facet_arena *arena)
{
    char *text = dump(file, JSON_INDENT(2));
    if (!text)
        return NULL;
    fold_lists(text);
    size_t length = strlen(text);
    char *kept = facet_arena_allocate(arena, length + 2, 1);
    if (kept) {
        memcpy(kept, text, length);
        memcpy(kept + length, "\n", 2);
    }
    free(text);
    return kept;
}

const json_t *facet_gx_json_of_extras(const char *extras, const char *key, json_t **root)
{
    *root = extras ? json_loads(extras, 0, NULL) : NULL;
    return json_object_get(json_object_get(*root, "j3d"), key);
}
