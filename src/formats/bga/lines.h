/* formats/bga/lines.h - syntax of header lines, as the regular expressions of the JavaScript parser
 * accept them. */
#ifndef FACET_BGA_LINES_H
#define FACET_BGA_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* -- Scanning a line ---------------------------------------------------- */

/* Characters of the header: the rest of a line, or a word. */
typedef struct facet_bga_span {
    const char *at;
    size_t length;
} facet_bga_span;

static inline bool facet_bga_is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static inline bool facet_bga_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static inline bool facet_bga_is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || facet_bga_is_digit(c) || c == '_';
}

static inline bool facet_bga_is_visible(char c)
{
    return !facet_bga_is_space(c);
}

/* Take the leading characters of one kind from *rest. */
static inline facet_bga_span facet_bga_take(facet_bga_span *rest, bool (*kind)(char))
{
    facet_bga_span taken = {rest->at, 0};
    while (taken.length < rest->length && kind(rest->at[taken.length]))
        taken.length++;
    rest->at += taken.length;
    rest->length -= taken.length;
    return taken;
}

static inline bool facet_bga_starts_with(facet_bga_span rest, const char *text)
{
    size_t length = strlen(text);
    return rest.length >= length && memcmp(rest.at, text, length) == 0;
}

static inline bool facet_bga_take_text(facet_bga_span *rest, const char *text)
{
    if (!facet_bga_starts_with(*rest, text))
        return false;
    rest->at += strlen(text);
    rest->length -= strlen(text);
    return true;
}

/* True if only white space and a comment are left. */
static inline bool facet_bga_ends(facet_bga_span rest)
{
    facet_bga_take(&rest, facet_bga_is_space);
    return rest.length == 0 || facet_bga_starts_with(rest, "//");
}

/* The value of digits; false if it exceeds `limit`. */
static inline bool facet_bga_number_of(facet_bga_span digits, uint64_t limit, uint64_t *number)
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

static inline bool facet_bga_same(const char *name, size_t length, facet_bga_span word)
{
    return length == word.length && memcmp(name, word.at, length) == 0;
}

/* -- Lines -------------------------------------------------------------- */

/* Scan "little endian" or "big endian". */
static inline bool facet_bga_scan_endianness(facet_bga_span line, bool *big)
{
    *big = facet_bga_starts_with(line, "big");
    return (facet_bga_take_text(&line, "little endian") ||
            facet_bga_take_text(&line, "big endian")) &&
           facet_bga_ends(line);
}

typedef struct facet_bga_attribute_line {
    facet_bga_span type, buffer, name;
    facet_bga_span repeat; /* digits; empty without brackets */
} facet_bga_attribute_line;

/* Scan a type: a word that begins with a lower-case letter, and white space. */
static inline bool facet_bga_scan_type(facet_bga_span *line, facet_bga_span *type)
{
    bool lower = line->length > 0 && line->at[0] >= 'a' && line->at[0] <= 'z';
    *type = facet_bga_take(line, facet_bga_is_word);
    return lower && facet_bga_take(line, facet_bga_is_space).length > 0;
}

/* Scan an attribute: "vec3 vertex.position", "uint32 triangle.cell[3]". */
static inline bool facet_bga_scan_attribute(facet_bga_span line, facet_bga_attribute_line *found)
{
    found->repeat.length = 0;
    if (!facet_bga_scan_type(&line, &found->type))
        return false;
    found->buffer = facet_bga_take(&line, facet_bga_is_word);
    if (found->buffer.length == 0 || !facet_bga_take_text(&line, "."))
        return false;
    found->name = facet_bga_take(&line, facet_bga_is_word);
    facet_bga_take(&line, facet_bga_is_space);
    if (found->name.length == 0)
        return false;
    if (facet_bga_take_text(&line, "[")) {
        found->repeat = facet_bga_take(&line, facet_bga_is_digit);
        if (found->repeat.length == 0 || !facet_bga_take_text(&line, "]"))
            return false;
    }
    return facet_bga_ends(line);
}

/* Scan a count: "792 vertex". The name can be any visible characters. "//" in it begins a comment
 * only if the line has no other interpretation, as in the JavaScript parser. */
static inline bool facet_bga_scan_count(facet_bga_span line, facet_bga_span *digits,
                                        facet_bga_span *buffer)
{
    *digits = facet_bga_take(&line, facet_bga_is_digit);
    if (digits->length == 0 || !facet_bga_take_text(&line, " "))
        return false;
    *buffer = facet_bga_take(&line, facet_bga_is_visible);
    if (facet_bga_ends(line))
        return buffer->length > 0;
    for (size_t i = buffer->length; i-- > 1;) {
        facet_bga_span rest = {buffer->at + i, buffer->length - i};
        if (facet_bga_starts_with(rest, "//")) {
            buffer->length = i;
            return true;
        }
    }
    return false;
}

/* Scan an attribute of 1.x: "attribute vec3 position". */
static inline bool facet_bga_scan_attribute_1(facet_bga_span line, facet_bga_attribute_line *found)
{
    found->repeat.length = 0;
    if (!facet_bga_take_text(&line, "attribute") ||
        facet_bga_take(&line, facet_bga_is_space).length == 0 ||
        !facet_bga_scan_type(&line, &found->type))
        return false;
    found->name = facet_bga_take(&line, facet_bga_is_word);
    return found->name.length > 0 && facet_bga_ends(line);
}

/* Scan a count of 1.x: "792 vertex", "0 edge uint16". */
static inline bool facet_bga_scan_count_1(facet_bga_span line, facet_bga_span *digits,
                                          facet_bga_span *buffer, facet_bga_span *type)
{
    *digits = facet_bga_take(&line, facet_bga_is_digit);
    if (digits->length == 0 || facet_bga_take(&line, facet_bga_is_space).length == 0)
        return false;
    *buffer = facet_bga_take(&line, facet_bga_is_word);
    facet_bga_take(&line, facet_bga_is_space);
    *type = facet_bga_take(&line, facet_bga_is_word);
    return buffer->length > 0 && facet_bga_ends(line);
}

#endif
