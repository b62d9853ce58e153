/* cli/json.c - JSON output. */
#include "base/json.h"
#include "base/error.h"
#include "base/text.h"
#include "cli/cli.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

facet_json *cli_json_text(const char *text)
{
    facet_json *string = facet_json_string(text);
    if (string)
        return string;
    /* Not UTF-8, since a file name can have any bytes: show as much as possible. */
    size_t length = strlen(text), used = 0;
    char *shown = malloc(length * (sizeof(facet_shown) - 1) + 1);
    while (shown && length > 0) {
        facet_shown next;
        size_t taken = facet_show_character(&next, text, length);
        memcpy(shown + used, next.text, strlen(next.text));
        used += strlen(next.text);
        text += taken;
        length -= taken;
    }
    if (shown)
        string = facet_json_text(shown, used);
    free(shown);
    return string;
}

/* -- Names -------------------------------------------------------------- */

static int hex_digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* The byte of an escape "\xNN" that cli_json_name writes, or -1. */
static int escaped_byte(const char *text)
{
    if (text[0] != '\\' || text[1] != 'x' || hex_digit(text[2]) < 0 || hex_digit(text[3]) < 0)
        return -1;
    int byte = hex_digit(text[2]) * 16 + hex_digit(text[3]);
    return byte >= 0x80 || byte == '\\' ? byte : -1;
}

facet_json *cli_json_name(const char *name)
{
    size_t length = strlen(name), used = 0;
    char *text = malloc(length * 4 + 1);
    if (!text)
        return NULL;
    while (length > 0) {
        facet_shown shown;
        size_t taken = facet_show_character(&shown, name, length);
        bool plain = facet_utf8_valid(name, taken) && escaped_byte(name) < 0;
        for (size_t i = 0; i < taken; i++)
            used += plain ? (text[used] = name[i], 1)
                          : (size_t)sprintf(text + used, "\\x%02X", (unsigned char)name[i]);
        name += taken;
        length -= taken;
    }
    facet_json *string = facet_json_text(text, used);
    free(text);
    return string;
}

void cli_decode_name(char *name)
{
    char *to = name;
    while (*name) {
        int byte = escaped_byte(name);
        *to++ = byte < 0 ? *name : (char)byte;
        name += byte < 0 ? 1 : 4;
    }
    *to = '\0';
}

const char *cli_json_text_at(const facet_json *object, const char *key)
{
    const char *text = facet_json_string_value(facet_json_object_get(object, key));
    return text ? text : "";
}

bool cli_json_name_at(const facet_json *object, const char *key, char name[FACET_PATH_MAX])
{
    const char *text = cli_json_text_at(object, key);
    bool fits = strlen(text) < FACET_PATH_MAX;
    if (fits)
        cli_decode_name(strcpy(name, text));
    return fits;
}

facet_json *cli_json_vector(const double vector[3])
{
    facet_json *array = facet_json_array();
    for (int i = 0; i < 3; i++)
        facet_json_append(array, facet_json_real(vector[i]));
    return array;
}

/* -- Values ------------------------------------------------------------- */

facet_json *cli_json_of_tree(const facet_tree *tree)
{
    /* Trees from describe functions have only a few levels. */
    facet_json *value = NULL;
    switch (tree->kind) {
    case FACET_TREE_OBJECT:
        value = facet_json_object();
        for (const facet_tree *child = tree->first; child; child = child->next)
            facet_json_set(value, child->key, cli_json_of_tree(child));
        break;
    case FACET_TREE_ARRAY:
        value = facet_json_array();
        for (const facet_tree *child = tree->first; child; child = child->next)
            facet_json_append(value, cli_json_of_tree(child));
        break;
    case FACET_TREE_STRING:
        value = cli_json_text(tree->string);
        break;
    case FACET_TREE_INTEGER:
        value = facet_json_integer(tree->integer);
        break;
    case FACET_TREE_REAL:
        /* JSON has no NaN and infinity. */
        value = isfinite(tree->real) ? facet_json_real(tree->real) : facet_json_null();
        break;
    case FACET_TREE_BOOLEAN:
        value = facet_json_boolean(tree->integer);
        break;
    }
    return value;
}

static void set_index(facet_json *object, const char *key, uint64_t index)
{
    if (index != FACET_NO_INDEX)
        facet_json_set(object, key, facet_json_integer((int64_t)index));
}

facet_json *cli_json_of_finding(const facet_finding *finding)
{
    facet_json *object = facet_json_object();
    facet_json_set(object, "rule", cli_json_text(finding->rule));
    facet_json_set(object, "severity", facet_json_string(facet_severity_name(finding->severity)));
    facet_json_set(object, "offset",
                   finding->offset == FACET_NO_OFFSET
                       ? facet_json_null()
                       : facet_json_integer((int64_t)finding->offset));
    if (finding->line)
        facet_json_set(object, "line", facet_json_integer((int64_t)finding->line));
    if (finding->file)
        facet_json_set(object, "file", cli_json_text(finding->file));
    set_index(object, "mesh", finding->mesh);
    set_index(object, "face", finding->face);
    set_index(object, "vertex", finding->vertex);
    facet_json_set(object, "count", facet_json_integer((int64_t)finding->count));
    facet_json_set(object, "message", cli_json_text(finding->message));
    return object;
}

facet_json *cli_json_of_error(const facet_error *error)
{
    facet_finding finding = {.rule = *error->rule ? error->rule : facet_status_name(error->status),
                             .severity = FACET_SEVERITY_ERROR,
                             .offset = error->offset,
                             .line = error->line,
                             .count = 1,
                             .message = error->message,
                             .mesh = FACET_NO_INDEX,
                             .face = FACET_NO_INDEX,
                             .vertex = FACET_NO_INDEX};
    return cli_json_of_finding(&finding);
}

facet_json *cli_json_of_format(const facet_format *format)
{
    return format ? facet_json_string(facet_format_name(format)) : facet_json_null();
}

/* -- Lines -------------------------------------------------------------- */

char *cli_json_line(const facet_json *object)
{
    /* Nine digits restore every float exactly. */
    char *text = facet_json_print(object, &(facet_json_style){.digits = 9, .tame = true});
    size_t length = text ? strlen(text) : 0;
    char *line = text ? realloc(text, length + 2) : NULL;
    if (line)
        memcpy(line + length, "\n", 2);
    else
        free(text);
    return line;
}
