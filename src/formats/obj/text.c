/* formats/obj/text.c - lines and words. */
#include "formats/obj/text.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/size.h"

#include <string.h>

/* -- Lines -------------------------------------------------------------- */

const uint8_t *facet_text_begin(const facet_source *source)
{
    static const uint8_t mark[3] = {0xEF, 0xBB, 0xBF};
    bool marked = source->size >= 3 && memcmp(source->data, mark, 3) == 0;
    return marked ? source->data + 3 : source->data;
}

const uint8_t *facet_text_end(const facet_source *source)
{
    return source->size > 0 ? source->data + source->size : source->data;
}

const uint8_t *facet_text_skip_blanks(const uint8_t *at, const uint8_t *end)
{
    while (at < end) {
        size_t step = facet_text_is_blank(*at) ? 1 : facet_text_continuation(at, end);
        if (step == 0)
            break;
        at += step;
    }
    return at;
}

/* End of the line that contains `at`, including continuations. */
static const uint8_t *line_end(const uint8_t *at, const uint8_t *end)
{
    while (at < end && !facet_text_is_newline(*at)) {
        size_t step = facet_text_continuation(at, end);
        at += step ? step : 1;
    }
    return at;
}

const uint8_t *facet_text_next_line(const uint8_t *at, const uint8_t *end)
{
    if (at < end && *at == '#') {
        while (at < end && !facet_text_is_newline(*at))
            at++;
    } else {
        at = line_end(at, end);
    }
    if (end - at >= 2 && at[0] == '\r' && at[1] == '\n')
        return at + 2;
    return at < end ? at + 1 : end;
}

uint64_t facet_text_line_number(const uint8_t *start, const uint8_t *at)
{
    uint64_t line = 1;
    for (const uint8_t *p = start; p < at; p++)
        line += *p == '\n' || (*p == '\r' && !(p + 1 < at && p[1] == '\n'));
    return line;
}

/* -- Words -------------------------------------------------------------- */

facet_text facet_text_word(const uint8_t *at, const uint8_t *end)
{
    facet_text word = {at, at};
    while (word.end < end && !facet_text_is_newline(*word.end) && !facet_text_is_blank(*word.end) &&
           !facet_text_continuation(word.end, end))
        word.end++;
    return word;
}

facet_text facet_text_rest(const uint8_t *at, const uint8_t *end)
{
    facet_text rest = {facet_text_skip_blanks(at, end), NULL};
    rest.end = line_end(rest.at, end);
    while (rest.end > rest.at && facet_text_is_blank(rest.end[-1]))
        rest.end--;
    return rest;
}

bool facet_text_is(facet_text text, const char *word)
{
    size_t length = strlen(word);
    return facet_text_length(text) == length && memcmp(text.at, word, length) == 0;
}

static uint8_t lower(uint8_t c)
{
    return c >= 'A' && c <= 'Z' ? (uint8_t)(c | 0x20) : c;
}

bool facet_text_is_any_case(facet_text text, const char *word)
{
    size_t length = strlen(word);
    if (facet_text_length(text) != length)
        return false;
    for (size_t i = 0; i < length; i++) {
        if (lower(text.at[i]) != lower((uint8_t)word[i]))
            return false;
    }
    return true;
}

/* -- Strings ------------------------------------------------------------ */

/* Append a Latin-1 byte as UTF-8, of at most three bytes. NUL becomes U+FFFD. */
static char *append_latin(char *out, uint8_t c)
{
    if (c == 0) {
        memcpy(out, "\xEF\xBF\xBD", 3);
        return out + 3;
    }
    if (c >= 0x80) {
        *out++ = (char)(0xC0 | c >> 6);
        c = (uint8_t)(0x80 | (c & 0x3F));
    }
    *out++ = (char)c;
    return out;
}

const char *facet_text_string(facet_arena *arena, facet_text text, bool *changed)
{
    size_t length = facet_text_length(text), space;
    const char *bytes = (const char *)text.at;
    bool plain = facet_utf8_valid(bytes, length) && !memchr(bytes, 0, length);
    if (!facet_size_multiply(length, plain ? 1 : 3, &space) || !facet_size_add(space, 1, &space))
        return NULL;
    char *string = facet_arena_allocate(arena, space, 1);
    if (!string)
        return NULL;
    char *out = string;
    for (const uint8_t *at = text.at; at < text.end;) {
        size_t step = facet_text_continuation(at, text.end);
        if (step)
            *out++ = ' ';
        else if (plain)
            *out++ = (char)*at;
        else
            out = append_latin(out, *at);
        at += step ? step : 1;
    }
    *out = '\0';
    if (!plain)
        *changed = true;
    return string;
}

facet_text facet_text_unquoted(facet_text name)
{
    if (facet_text_length(name) > 2 && *name.at == '"' && name.end[-1] == '"')
        return (facet_text){name.at + 1, name.end - 1};
    return name;
}
