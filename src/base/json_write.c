/* base/json_write.c - printing of JSON values. */
#include "base/arena.h"
#include "base/grow.h"
#include "base/json_value.h"
#include "base/numbers.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct writer {
    facet_json_style style;
    facet_arena *arena; /* of the text; NULL: malloc */
    char *text;
    size_t length, capacity;
    bool failed;
} writer;

/* Make space for `wanted` bytes of text; false if out of memory. */
static bool has_space(writer *w, size_t wanted)
{
    if (!w->arena)
        return FACET_GROW_HEAP(w->text, wanted, w->capacity);
    if (wanted <= w->capacity)
        return true;
    size_t capacity = wanted < SIZE_MAX / 2 ? wanted * 2 : SIZE_MAX;
    char *text = facet_arena_resize(w->arena, w->text, w->capacity, capacity, 1);
    if (text) {
        w->text = text;
        w->capacity = capacity;
    }
    return text != NULL;
}

static void put(writer *w, const char *bytes, size_t count)
{
    w->failed |= !has_space(w, w->length + count + 1);
    if (w->failed)
        return;
    memcpy(w->text + w->length, bytes, count);
    w->length += count;
    w->text[w->length] = '\0';
}

static void put_line(writer *w, size_t depth)
{
    if (w->style.indent == 0)
        return;
    put(w, "\n", 1);
    for (size_t i = 0; i < depth * w->style.indent; i++)
        put(w, " ", 1);
}

/* True for characters that JSON or the style escapes. */
static bool is_escaped(const writer *w, uint32_t c)
{
    return c < 0x20 || c == '"' || c == '\\' || (w->style.tame && facet_steers_terminal(c));
}

static void put_escape(writer *w, uint32_t c)
{
    static const char names[] = "\"\\bfnrt", bytes[] = "\"\\\b\f\n\r\t";
    char escape[16];
    const char *found = c && c < 0x80 ? strchr(bytes, (int)c) : NULL;
    int count = found ? snprintf(escape, sizeof escape, "\\%c", names[found - bytes])
                      : snprintf(escape, sizeof escape, "\\u%04X", (unsigned)c);
    put(w, escape, (size_t)count);
}

static void put_string(writer *w, const char *text, size_t length)
{
    size_t start = 0, taken;
    put(w, "\"", 1);
    for (size_t i = 0; i < length; i += taken) {
        taken = w->style.tame ? facet_utf8_sequence(text + i, length - i) : 1;
        taken = taken ? taken : 1; /* strings are valid; this is only a safeguard */
        uint32_t c = taken > 1 ? facet_utf8_code_point(text + i, taken) : (unsigned char)text[i];
        if (!is_escaped(w, c))
            continue;
        put(w, text + start, i - start);
        put_escape(w, c);
        start = i + taken;
    }
    put(w, text + start, length - start);
    put(w, "\"", 1);
}

/* Print a real with a point in any locale, and at least one character that distinguishes it from an
 * integer. The exponent has no plus sign and no leading zeros. */
static void put_real(writer *w, double value)
{
    char text[40];
    unsigned digits = w->style.digits ? w->style.digits : 17;
    if (w->style.shortest)
        text[facet_number_print_double(value, text)] = '\0';
    else
        snprintf(text, sizeof text, "%.*g", (int)digits, value);
    char *exponent = strchr(text, 'e');
    size_t mantissa = exponent ? (size_t)(exponent - text) : strlen(text);
    bool point = false;
    for (size_t i = 0; i < mantissa; i++) {
        if (text[i] != '-' && (text[i] < '0' || text[i] > '9')) {
            text[i] = '.';
            point = true;
        }
    }
    put(w, text, mantissa);
    if (!exponent) {
        put(w, ".0", point ? 0 : 2);
        return;
    }
    bool negative = exponent[1] == '-';
    exponent += exponent[1] == '-' || exponent[1] == '+' ? 2 : 1;
    exponent += strspn(exponent, "0");
    put(w, negative ? "e-" : "e", negative ? 2 : 1);
    put(w, exponent, strlen(exponent));
}

static int by_key(const void *a, const void *b)
{
    const facet_json_member *one = a, *other = b;
    size_t length = one->length < other->length ? one->length : other->length;
    int order = memcmp(one->key, other->key, length);
    return order ? order : (one->length > other->length) - (one->length < other->length);
}

static void put_value(writer *w, const facet_json *value, size_t depth);

static void put_list(writer *w, const facet_json *list, size_t depth)
{
    bool object = list->kind == FACET_JSON_IS_OBJECT;
    size_t count = list->as.list.count;
    w->failed |= list->as.list.is_incomplete;
    const facet_json_member *items = object && count > 0 ? list->as.list.of.members->items : NULL;
    facet_json_member *sorted = NULL;
    if (object && w->style.sorted && count > 0) {
        sorted = w->arena ? facet_arena_allocate(w->arena, count, sizeof *sorted)
                          : malloc(count * sizeof *sorted);
        if (!sorted) {
            w->failed = true;
            return;
        }
        memcpy(sorted, items, count * sizeof *sorted);
        qsort(sorted, count, sizeof *sorted, by_key);
        items = sorted;
    }
    put(w, object ? "{" : "[", 1);
    for (size_t i = 0; i < count && !w->failed; i++) {
        put(w, ",", i > 0);
        put_line(w, depth + 1);
        if (object) {
            put_string(w, items[i].key, items[i].length);
            put(w, ": ", w->style.indent ? 2 : 1);
        }
        put_value(w, object ? items[i].value : list->as.list.of.values[i], depth + 1);
    }
    if (count > 0)
        put_line(w, depth);
    put(w, object ? "}" : "]", 1);
    if (!w->arena)
        free(sorted);
}

/* Recursion is as deep as the nesting: FACET_JSON_DEPTH for values that were read. */
static void put_value(writer *w, const facet_json *value, size_t depth)
{
    char text[24];
    switch (value->kind) {
    case FACET_JSON_IS_NULL:
        put(w, "null", 4);
        break;
    case FACET_JSON_IS_BOOLEAN:
        put(w, value->as.integer ? "true" : "false", value->as.integer ? 4 : 5);
        break;
    case FACET_JSON_IS_INTEGER:
        put(w, text, (size_t)snprintf(text, sizeof text, "%" PRId64, value->as.integer));
        break;
    case FACET_JSON_IS_REAL:
        put_real(w, value->as.real);
        break;
    case FACET_JSON_IS_STRING:
        put_string(w, facet_json_characters(value), value->as.length);
        break;
    default:
        put_list(w, value, depth);
    }
}

char *facet_json_print_in(facet_arena *arena, const facet_json *value,
                          const facet_json_style *style)
{
    writer w = {.style = style ? *style : (facet_json_style){0}, .arena = arena};
    if (!value)
        return NULL;
    put_value(&w, value, 0);
    if (!w.failed)
        return w.text;
    if (!arena)
        free(w.text);
    return NULL;
}

char *facet_json_print(const facet_json *value, const facet_json_style *style)
{
    return facet_json_print_in(NULL, value, style);
}
