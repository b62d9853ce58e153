/* base/json_read.c - reading of JSON text, without recursion. */
#include "base/arena.h"
#include "base/bytes.h"
#include "base/json_value.h"
#include "base/numbers.h"
#include "base/text.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A string or key, unescaped. */
typedef struct buffer {
    char *bytes;
    size_t length, capacity;
} buffer;

typedef struct reader {
    facet_arena *arena; /* owner of all values; NULL: malloc */
    size_t key_at;      /* position of the last key */
    const char *text, *at, *end;
    unsigned flags;
    facet_json_fault fault;
    buffer string; /* the last string */
    buffer spare;  /* memory of a finished string */
    size_t depth;
    facet_json *open[FACET_JSON_DEPTH]; /* arrays and objects that enclose the current position */
    buffer keys[FACET_JSON_DEPTH];      /* per object: key of the next value */
} reader;

/* -- Errors ------------------------------------------------------------- */

static bool fail_at(reader *r, const char *at, const char *what)
{
    r->fault.position = (size_t)(at - r->text);
    r->fault.line = 1;
    for (const char *each = r->text; each < at; each++)
        r->fault.line += *each == '\n';
    snprintf(r->fault.text, sizeof r->fault.text, "%s", what);
    return false;
}

/* Report what was found, and what was expected. */
static bool fail_found(reader *r, const char *expected)
{
    facet_shown shown;
    char what[sizeof r->fault.text];
    if (r->at == r->end) {
        snprintf(what, sizeof what, "the text ends, expected %s", expected);
    } else {
        facet_show_character(&shown, r->at, (size_t)(r->end - r->at));
        snprintf(what, sizeof what, "found '%s', expected %s", shown.text, expected);
    }
    return fail_at(r, r->at, what);
}

static bool fail_memory(reader *r)
{
    r->fault.memory = true;
    return fail_at(r, r->at, "the text needs more memory than is available");
}

/* -- Strings ------------------------------------------------------------ */

static bool put(reader *r, const char *bytes, size_t count)
{
    buffer *string = &r->string;
    if (count >= string->capacity - string->length) {
        size_t capacity = (string->capacity + count + 64) * 2;
        char *grown =
            r->arena ? facet_arena_resize(r->arena, string->bytes, string->capacity, capacity, 1)
                     : realloc(string->bytes, capacity);
        if (!grown)
            return fail_memory(r);
        string->bytes = grown;
        string->capacity = capacity;
    }
    memcpy(string->bytes + string->length, bytes, count);
    string->length += count;
    string->bytes[string->length] = '\0';
    return true;
}

/* Read four hexadecimal digits; -1 if they are missing. */
static int32_t read_unit(reader *r)
{
    int32_t unit = 0;
    if (r->end - r->at < 4)
        return -1;
    for (int i = 0; i < 4; i++) {
        char c = *r->at++;
        int32_t digit = c >= '0' && c <= '9'   ? c - '0'
                        : c >= 'a' && c <= 'f' ? c - 'a' + 10
                        : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                               : -1;
        if (digit < 0)
            return -1;
        unit = unit << 4 | digit;
    }
    return unit;
}

static bool put_character(reader *r, uint32_t character)
{
    char bytes[4];
    size_t count = 0;
    if (character < 0x80) {
        bytes[count++] = (char)character;
    } else if (character < 0x800) {
        bytes[count++] = (char)(0xC0 | character >> 6);
    } else if (character < 0x10000) {
        bytes[count++] = (char)(0xE0 | character >> 12);
        bytes[count++] = (char)(0x80 | (character >> 6 & 0x3F));
    } else {
        bytes[count++] = (char)(0xF0 | character >> 18);
        bytes[count++] = (char)(0x80 | (character >> 12 & 0x3F));
        bytes[count++] = (char)(0x80 | (character >> 6 & 0x3F));
    }
    if (character >= 0x80)
        bytes[count++] = (char)(0x80 | (character & 0x3F));
    return put(r, bytes, count);
}

/* Read a character after \u. */
static bool read_unicode(reader *r, bool nul)
{
    const char *start = r->at - 2;
    int32_t high = read_unit(r), low = 0;
    uint32_t character = (uint32_t)high;
    if (high >= 0xD800 && high < 0xDC00) {
        bool pair = r->end - r->at >= 2 && r->at[0] == '\\' && r->at[1] == 'u';
        r->at += pair ? 2 : 0;
        low = pair ? read_unit(r) : -1;
        if (low < 0xDC00 || low > 0xDFFF)
            return fail_at(r, start, "a surrogate in a \\u escape has no partner");
        character = 0x10000 + (((uint32_t)high & 0x3FF) << 10 | ((uint32_t)low & 0x3FF));
    } else if (high >= 0xDC00 && high < 0xE000) {
        return fail_at(r, start, "a surrogate in a \\u escape has no partner");
    }
    if (high < 0)
        return fail_at(r, start, "\\u is not followed by four hexadecimal digits");
    if (character == 0 && !nul)
        return fail_at(r, start, "the character U+0000 is not allowed here");
    return put_character(r, character);
}

static bool read_escape(reader *r, bool nul)
{
    static const char names[] = "\"\\/bfnrt", bytes[] = "\"\\/\b\f\n\r\t";
    char c = r->at < r->end ? *r->at : '\0';
    const char *found = c ? strchr(names, c) : NULL;
    if (c == 'u') {
        r->at++;
        return read_unicode(r, nul);
    }
    if (!found)
        return fail_found(r, "an escape: one of \"\\/bfnrtu");
    r->at++;
    return put(r, &bytes[found - names], 1);
}

/* Read a string from its first quote into r->string. */
static bool read_string(reader *r, bool nul)
{
    if (r->string.capacity == 0) {
        r->string = r->spare;
        r->spare = (buffer){0};
    }
    r->string.length = 0;
    r->at++;
    if (!put(r, "", 0))
        return false;
    for (;;) {
        const char *start = r->at;
        r->at += facet_text_plain_run(r->at, (size_t)(r->end - r->at));
        while (r->at < r->end && *r->at != '"' && *r->at != '\\' && (unsigned char)*r->at >= 0x20)
            r->at++;
        size_t length = (size_t)(r->at - start);
        if (!facet_utf8_valid(start, length)) {
            while (facet_utf8_sequence(start, (size_t)(r->at - start)) > 0)
                start += facet_utf8_sequence(start, (size_t)(r->at - start));
            return fail_at(r, start, "the text is not UTF-8");
        }
        if (!put(r, start, length))
            return false;
        if (r->at == r->end || (unsigned char)*r->at < 0x20)
            return fail_found(r, "the end of the string, '\"'");
        if (*r->at++ == '"')
            return true;
        if (!read_escape(r, nul))
            return false;
    }
}

/* -- Numbers ------------------------------------------------------------ */

static size_t skip_digits(reader *r)
{
    const char *start = r->at;
    while (r->at < r->end && *r->at >= '0' && *r->at <= '9')
        r->at++;
    return (size_t)(r->at - start);
}

static facet_json *real_of(reader *r, const char *start)
{
    double value = 0;
    facet_number_parse_double((const uint8_t *)start, (const uint8_t *)r->at, &value);
    if (!isfinite(value)) {
        fail_at(r, start, "the number is too large");
        return NULL;
    }
    facet_json *made = facet_json_real_in(r->arena, value);
    if (!made)
        fail_memory(r);
    return made;
}

static facet_json *integer_of(reader *r, const char *start)
{
    bool negative = *start == '-';
    uint64_t most = (uint64_t)INT64_MAX + negative, value = 0;
    for (const char *at = start + negative; at < r->at; at++) {
        uint64_t digit = (uint64_t)(*at - '0');
        if (value > (most - digit) / 10 && (r->flags & FACET_JSON_LARGE))
            return real_of(r, start);
        if (value > (most - digit) / 10) {
            fail_at(r, start, "the integer is too large");
            return NULL;
        }
        value = value * 10 + digit;
    }
    facet_json *made = facet_json_integer_in(r->arena, (int64_t)(negative ? 0 - value : value));
    if (!made)
        fail_memory(r);
    return made;
}

static facet_json *read_number(reader *r)
{
    const char *start = r->at;
    bool real = false;
    r->at += *r->at == '-';
    const char *first = r->at;
    if (skip_digits(r) == 0) {
        fail_found(r, "a digit");
        return NULL;
    }
    if (*first == '0' && r->at - first > 1) {
        fail_at(r, start, "the number begins with zeros");
        return NULL;
    }
    if (r->at < r->end && *r->at == '.') {
        real = true;
        r->at++;
        if (skip_digits(r) == 0) {
            fail_found(r, "a digit after the point");
            return NULL;
        }
    }
    if (r->at < r->end && (*r->at == 'e' || *r->at == 'E')) {
        real = true;
        r->at++;
        if (r->at < r->end && (*r->at == '+' || *r->at == '-'))
            r->at++;
        if (skip_digits(r) == 0) {
            fail_found(r, "a digit of the exponent");
            return NULL;
        }
    }
    return real ? real_of(r, start) : integer_of(r, start);
}

/* -- Values ------------------------------------------------------------- */

static void skip_spaces(reader *r)
{
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\n' || *r->at == '\r' || *r->at == '\t'))
        r->at++;
}

static facet_json *read_word(reader *r, const char *word, facet_json *value)
{
    size_t length = strlen(word);
    if ((size_t)(r->end - r->at) >= length && memcmp(r->at, word, length) == 0) {
        r->at += length;
        return value;
    }
    fail_found(r, "a value");
    return NULL;
}

/* Read a value without its content: of an array or object only the opening bracket. */
static facet_json *read_value(reader *r)
{
    facet_json *value = NULL;
    char c = r->at < r->end ? *r->at : '\0';
    switch (c) {
    case '"':
        if (!read_string(r, (r->flags & FACET_JSON_NUL) != 0))
            return NULL;
        value = facet_json_bytes_in(r->arena, r->string.bytes, r->string.length);
        break;
    case '[':
    case '{':
        if (r->depth == FACET_JSON_DEPTH) {
            fail_at(r, r->at, "arrays and objects are nested too deeply");
            return NULL;
        }
        value = facet_json_make_in(r->arena, c == '[' ? FACET_JSON_IS_ARRAY : FACET_JSON_IS_OBJECT);
        r->at++;
        break;
    case 't':
        return read_word(r, "true", facet_json_boolean(true));
    case 'f':
        return read_word(r, "false", facet_json_boolean(false));
    case 'n':
        return read_word(r, "null", facet_json_null());
    default:
        if (c == '-' || (c >= '0' && c <= '9'))
            return read_number(r);
        fail_found(r, "a value");
        return NULL;
    }
    if (!value)
        fail_memory(r);
    return value;
}

/* Read the key of the next member and the colon after it. */
static bool read_key(reader *r)
{
    const char *start = r->at;
    if (r->at == r->end || *r->at != '"')
        return fail_found(r, "a key in quotes");
    if (!read_string(r, false))
        return false;
    const facet_json *object = r->open[r->depth - 1];
    if ((r->flags & FACET_JSON_UNIQUE_KEYS) &&
        facet_json_find(object, r->string.bytes, r->string.length) != SIZE_MAX) {
        char what[sizeof r->fault.text];
        facet_quoted quoted;
        snprintf(what, sizeof what, "the key \"%.60s\" occurs twice",
                 facet_quote(&quoted, r->string.bytes, r->string.length));
        return fail_at(r, start, what);
    }
    r->key_at = (size_t)(start - r->text);
    /* The string becomes the key without a copy; the next string gets new memory. */
    r->keys[r->depth - 1] = r->string;
    r->string = (buffer){0};
    skip_spaces(r);
    if (r->at == r->end || *r->at != ':')
        return fail_found(r, "':'");
    r->at++;
    skip_spaces(r);
    return true;
}

static void drop(reader *r, buffer *string)
{
    if (r->arena)
        facet_arena_release(r->arena, string->bytes, string->capacity, 1);
    else
        free(string->bytes);
}

static void note_repeat(reader *r, const buffer *key)
{
    facet_quoted quoted;
    if (r->fault.repeats++ > 0)
        return;
    r->fault.repeat_position = r->key_at;
    snprintf(r->fault.repeated, sizeof r->fault.repeated, "%.50s",
             facet_quote(&quoted, key->bytes, key->length));
}

/* Add a value to the enclosing array or object, which becomes its only owner. */
static bool place(reader *r, facet_json *value)
{
    facet_json *around = r->open[r->depth - 1];
    bool placed;
    if (around->kind == FACET_JSON_IS_ARRAY) {
        placed = facet_json_append_in(r->arena, around, value);
    } else {
        buffer *key = &r->keys[r->depth - 1];
        size_t before = facet_json_object_size(around);
        placed = facet_json_set_text_in(r->arena, around, key->bytes, key->length, value);
        if (placed && facet_json_object_size(around) == before)
            note_repeat(r, key);
        if (r->string.capacity == 0) /* its memory is reused for the next string */
            r->string = *key;
        else if (r->spare.capacity == 0)
            r->spare = *key;
        else
            drop(r, key);
        *key = (buffer){0};
    }
    return placed || fail_memory(r);
}

/* After a value, close the arrays and objects that end here. *more becomes true if another member
 * or value follows. */
static bool read_ends(reader *r, bool *more)
{
    *more = false;
    while (r->depth > 0) {
        bool array = r->open[r->depth - 1]->kind == FACET_JSON_IS_ARRAY;
        skip_spaces(r);
        char c = r->at < r->end ? *r->at : '\0';
        if (c == ',') {
            r->at++;
            skip_spaces(r);
            *more = true;
            return array || read_key(r);
        }
        if (c != (array ? ']' : '}'))
            return fail_found(r, array ? "',' or ']'" : "',' or '}'");
        r->at++;
        r->depth--;
        facet_json_fit(r->arena, r->open[r->depth]);
    }
    return true;
}

/* Open an array or object. False on an error; *empty is set if it ends immediately. */
static bool descend(reader *r, facet_json *value, bool *empty)
{
    bool array = value->kind == FACET_JSON_IS_ARRAY;
    r->keys[r->depth] = (buffer){0};
    r->open[r->depth++] = value;
    skip_spaces(r);
    *empty = r->at < r->end && *r->at == (array ? ']' : '}');
    return *empty || array || read_key(r);
}

static bool read_tree(reader *r, facet_json **root)
{
    for (bool more = true; more;) {
        skip_spaces(r);
        facet_json *value = read_value(r);
        if (!value)
            return false;
        if (!*root)
            *root = value;
        else if (!place(r, value))
            return false;
        if (value->kind == FACET_JSON_IS_ARRAY || value->kind == FACET_JSON_IS_OBJECT) {
            bool empty;
            if (!descend(r, value, &empty))
                return false;
            if (!empty)
                continue;
        }
        if (!read_ends(r, &more))
            return false;
    }
    skip_spaces(r);
    return r->at == r->end || fail_found(r, "the end of the text");
}

facet_json *facet_json_read_in(facet_arena *arena, const char *text, size_t size, unsigned flags,
                               facet_json_fault *fault)
{
    facet_json *root = NULL;
    reader *r = arena ? facet_arena_allocate(arena, 1, sizeof *r) : malloc(sizeof *r);
    if (!r) {
        if (fault)
            *fault = (facet_json_fault){.line = 1, .memory = true, .text = "out of memory"};
        return NULL;
    }
    /* Memory for each depth is initialized when that depth is reached, because small texts are read
     * by the million. */
    memset(r, 0, offsetof(reader, open));
    r->arena = arena;
    r->text = r->at = text ? text : "";
    r->end = r->text + (text ? size : 0);
    r->flags = flags;
    if (!read_tree(r, &root)) {
        facet_json_free(root);
        root = NULL;
    }
    if (fault)
        *fault = r->fault;
    for (size_t i = 0; i < r->depth; i++)
        drop(r, &r->keys[i]);
    drop(r, &r->spare);
    drop(r, &r->string);
    if (arena)
        facet_arena_release(arena, r, 1, sizeof *r);
    else
        free(r);
    return root;
}

facet_json *facet_json_read(const char *text, size_t size, unsigned flags, facet_json_fault *fault)
{
    return facet_json_read_in(NULL, text, size, flags, fault);
}

facet_json *facet_json_read_text(const char *text)
{
    return text ? facet_json_read(text, strlen(text), 0, NULL) : NULL;
}
