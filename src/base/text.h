/* base/text.h - UTF-8, and text that comes from a file. */
#ifndef FACET_BASE_TEXT_H
#define FACET_BASE_TEXT_H

#include <facet/base.h>
#include <string.h>

/* Length in bytes of the valid UTF-8 sequence at text[0], 1 to 4; 0 when it is
 * not one (overlong, surrogate, cut short). */
size_t facet_utf8_sequence(const char *text, size_t length);
/* Length of a run of ASCII at text[0] without quotes, backslashes and control characters: a
 * multiple of 8, and it may end before such a one comes. */
size_t facet_text_plain_run(const char *text, size_t length);
/* True when all of text is valid UTF-8. */
bool facet_utf8_valid(const char *text, size_t length);

/* The character of a valid sequence of that length. */
uint32_t facet_utf8_code_point(const char *sequence, size_t length);
/* True of characters that make a terminal show other text than is there: control characters
 * (C0, DEL, C1), separators of lines, and controls of the direction of writing. */
bool facet_steers_terminal(uint32_t code_point);

/* The character at text[0] as it may be shown on a terminal: as it is, or each
 * byte of one that steers it and the first of broken UTF-8 as
 * \xNN. Returns the bytes of `text` that it stands for, 1 to 4; `length` is at
 * least 1. */
typedef struct facet_shown {
    char text[13];
} facet_shown;
size_t facet_show_character(facet_shown *shown, const char *text, size_t length);

/* True of bytes that are no text: there is a NUL among the first 4,096. Archives and
 * binary formats have one in their headers, whatever text they store behind that. */
static inline bool facet_is_binary(const facet_source *source)
{
    return source->size > 0 &&
           memchr(source->data, 0, source->size < 4096 ? source->size : 4096) != NULL;
}

/* Text from a file made fit for a message: characters as above, cut with "..."
 * when long. */
typedef struct facet_quoted {
    char text[100];
} facet_quoted;
const char *facet_quote(facet_quoted *quoted, const char *text, size_t length);

/* The length of a name without the ".001" that Blender puts behind those it has already; its
 * own when it ends otherwise. */
size_t facet_bare_length(const char *name);

#endif
