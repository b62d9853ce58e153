/* formats/obj/text.h - the lines and words of OBJ and MTL files. */
#ifndef FACET_OBJ_TEXT_H
#define FACET_OBJ_TEXT_H

#include <facet/base.h>

static inline bool facet_text_is_newline(uint8_t c)
{
    return c == '\n' || c == '\r';
}
static inline bool facet_text_is_blank(uint8_t c)
{
    return c == ' ' || c == '\t';
}

/* Bytes of the file: a word or the rest of a line. */
typedef struct facet_text {
    const uint8_t *at, *end;
} facet_text;

static inline size_t facet_text_length(facet_text text)
{
    return (size_t)(text.end - text.at);
}

/* Length of a continuation at `at` ("\", " ", "\r", "\n"), or 0. A backslash before a line end, or
 * before the end of the file, continues the line; blanks between the two are ignored. */
static inline size_t facet_text_continuation(const uint8_t *at, const uint8_t *end)
{
    const uint8_t *next = at + 1;
    if (at == end || *at != '\\')
        return 0;
    while (next < end && facet_text_is_blank(*next))
        next++;
    if (next < end && !facet_text_is_newline(*next))
        return 0;
    next += end - next >= 2 && next[0] == '\r' && next[1] == '\n' ? 2 : next < end ? 1 : 0;
    return (size_t)(next - at);
}

/* Start of a source's text, after a byte order mark. */
const uint8_t *facet_text_begin(const facet_source *source);
/* End of the text; NULL if an empty source has no data. */
const uint8_t *facet_text_end(const facet_source *source);
/* Skip blanks and continuations. */
const uint8_t *facet_text_skip_blanks(const uint8_t *at, const uint8_t *end);
/* True at the end of a line or at a comment. */
static inline bool facet_text_at_end(const uint8_t *at, const uint8_t *end)
{
    return at == end || facet_text_is_newline(*at) || *at == '#';
}
/* The line after the statement or comment at `at`. A backslash at the end of a comment, as in "#
 * C:\models\", is not a continuation. */
const uint8_t *facet_text_next_line(const uint8_t *at, const uint8_t *end);
/* The word at `at`, up to a blank or the end of the line. */
facet_text facet_text_word(const uint8_t *at, const uint8_t *end);
/* The rest of the line, trimmed. */
facet_text facet_text_rest(const uint8_t *at, const uint8_t *end);
/* The name without quotes, which some programs write around it. */
facet_text facet_text_unquoted(facet_text name);
/* True if the text is this word. The second function ignores case. */
bool facet_text_is(facet_text text, const char *word);
bool facet_text_is_any_case(facet_text text, const char *word);
/* Number of the line that contains `at`, from 1. */
uint64_t facet_text_line_number(const uint8_t *start, const uint8_t *at);

/* The text as a string in the arena; NULL if out of memory. Continuations become blanks. Text that
 * is not UTF-8 is read as Latin-1 and sets *changed. */
const char *facet_text_string(facet_arena *arena, facet_text text, bool *changed);

#endif
