/* gx/json/text.c - JSON as text. */
#include "gx/json/text.h"

#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

/* -- Building ------------------------------------------------------------ */

bool facet_gx_json_put(facet_json *object, const char *key, facet_json *value)
{
    return facet_json_set(object, key, value);
}

bool facet_gx_json_append(facet_json *array, facet_json *value)
{
    return facet_json_append(array, value);
}

facet_json *facet_gx_json_if(bool ok, facet_json *value)
{
    if (ok)
        return value;
    facet_json_free(value);
    return NULL;
}

facet_json *facet_gx_json_with_name(facet_json *name, facet_json *object)
{
    facet_json *named = facet_json_object();
    bool ok = facet_gx_json_put(named, "name", name);
    ok = ok && facet_json_update(named, object);
    facet_json_free(object);
    return facet_gx_json_if(ok, named);
}

/* -- Text --------------------------------------------------------------- */

/* Put arrays of numbers and strings on one line. The indented text has one line per element. */
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

facet_json *facet_gx_json_file(const char *format)
{
    facet_json *file = facet_json_object();
    bool ok = facet_gx_json_put(file, "format", facet_json_string(format)) &&
              facet_gx_json_put(file, "version", facet_json_integer(1));
    return facet_gx_json_if(ok, file);
}

const char *facet_gx_json_extras_text(facet_json *extras, facet_arena *arena)
{
    char *text = facet_json_print(extras, &(facet_json_style){.digits = 9});
    facet_json_free(extras);
    const char *kept = text ? facet_arena_string(arena, text, strlen(text)) : NULL;
    free(text);
    return kept;
}

const char *facet_gx_json_file_text(facet_json *file, facet_arena *arena)
{
    char *text = facet_json_print(file, &(facet_json_style){.indent = 2, .digits = 9});
    facet_json_free(file);
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

const facet_json *facet_gx_json_in_extras(const facet_json *extras, const char *key)
{
    return facet_json_object_get(facet_json_object_get(extras, "j3d"), key);
}
