/* bga/lines.h - the shapes of the lines of a header, as the JavaScript parser's
 * expressions accept them. */
#ifndef FACET_BGA_LINES_H
#define FACET_BGA_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* -- Scanning a line ---------------------------------------------------- */

/* A run of characters of the header: what is left of a line, or a word of it. */
typedef struct span {
    const char *at;
    size_t length;
} span;

static inline bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static inline bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static inline bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_';
}

static inline bool is_visible(char c)
{
    return !is_space(c);
}

/* The characters of one kind at the front of *rest, which moves past them. */
static inline span take(span *rest, bool (*kind)(char))
{
    span taken = {rest->at, 0};
    while (taken.length < rest->length && kind(rest->at[taken.length]))
        taken.length++;
    rest->at += taken.length;
    rest->length -= taken.length;
    return taken;
}

static inline bool starts_with(span rest, const char *text)
{
    size_t length = strlen(text);
    return rest.length >= length && memcmp(rest.at, text, length) == 0;
}

static inline bool take_text(span *rest, const char *text)
{
    if (!starts_with(*rest, text))
        return false;
    rest->at += strlen(text);
    rest->length -= strlen(text);
    return true;
}

/* True when nothing is left but white space and a comment. */
static inline bool ends(span rest)
{
    take(&rest, is_space);
    return rest.length == 0 || starts_with(rest, "//");
}

/* The value of a run of digits; false when it is larger than `limit`. */
static inline bool number_of(span digits, uint64_t limit, uint64_t *number)
{
    uint64_t value = 0;
    for (size_t i = 0; i < digits.length; i++) {
        uint64_t digit = (uint64_t)(digits.at[i] - '0');
        if (value > (limit - digit) / 10)
            return false;
        value = value * 10 + digit;
    }
    *number = value;
    return true;
}

static inline bool same(const char *name, size_t length, span word)
{
    return length == word.length && memcmp(name, word.at, length) == 0;
}

/* -- Lines -------------------------------------------------------------- */

/* "little endian", "big endian". */
static inline bool scan_endianness(span line, bool *big)
{
    *big = starts_with(line, "big");
    return (take_text(&line, "little endian") || take_text(&line, "big endian")) && ends(line);
}

typedef struct attribute_line {
    span type, buffer, name;
    span repeat; /* digits; empty without brackets */
} attribute_line;

/* A type: a word that begins with a lower-case letter, and white space. */
static inline bool scan_type(span *line, span *type)
{
    bool lower = line->length > 0 && line->at[0] >= 'a' && line->at[0] <= 'z';
    *type = take(line, is_word);
    return lower && take(line, is_space).length > 0;
}

/* "vec3 vertex.position", "uint32 triangle.cell[3]". */
static inline bool scan_attribute(span line, attribute_line *found)
{
    found->repeat.length = 0;
    if (!scan_type(&line, &found->type))
        return false;
    found->buffer = take(&line, is_word);
    if (found->buffer.length == 0 || !take_text(&line, "."))
        return false;
    found->name = take(&line, is_word);
    take(&line, is_space);
    if (found->name.length == 0)
        return false;
    if (take_text(&line, "[")) {
        found->repeat = take(&line, is_digit);
        if (found->repeat.length == 0 || !take_text(&line, "]"))
            return false;
    }
    return ends(line);
}

/* "792 vertex". The name may be any visible characters; what follows "//" in it
 * is a comment only where the line cannot be read otherwise, which is what the
 * JavaScript parser's expression does. */
static inline bool scan_count(span line, span *digits, span *buffer)
{
    *digits = take(&line, is_digit);
    if (digits->length == 0 || !take_text(&line, " "))
        return false;
    *buffer = take(&line, is_visible);
    if (ends(line))
        return buffer->length > 0;
    for (size_t i = buffer->length; i-- > 1;) {
        span rest = {buffer->at + i, buffer->length - i};
        if (starts_with(rest, "//")) {
            buffer->length = i;
            return true;
        }
    }
    return false;
}

/* 1.x: "attribute vec3 position". */
static inline bool scan_attribute_1(span line, attribute_line *found)
{
    found->repeat.length = 0;
    if (!take_text(&line, "attribute") || take(&line, is_space).length == 0 ||
        !scan_type(&line, &found->type))
        return false;
    found->name = take(&line, is_word);
    return found->name.length > 0 && ends(line);
}

/* 1.x: "792 vertex", "0 edge uint16". */
static inline bool scan_count_1(span line, span *digits, span *buffer, span *type)
{
    *digits = take(&line, is_digit);
    if (digits->length == 0 || take(&line, is_space).length == 0)
        return false;
    *buffer = take(&line, is_word);
    take(&line, is_space);
    *type = take(&line, is_word);
    return buffer->length > 0 && ends(line);
}

#endif
