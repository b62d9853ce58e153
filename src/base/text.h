/* base/text.h - UTF-8, and untrusted text from files. */
#ifndef FACET_BASE_TEXT_H
#define FACET_BASE_TEXT_H

#include <facet/base.h>
#include <string.h>

/* Length in bytes of the valid UTF-8 sequence at text[0], 1 to 4; 0 if it is invalid (overlong,
 * surrogate, truncated). */
size_t facet_utf8_sequence(const char *text, size_t length);
/* Length of a run of ASCII at text[0] without quotes, backslashes and control characters. It is a
 * multiple of 8, so the run may be longer. */
size_t facet_text_plain_run(const char *text, size_t length);
/* True if all of text is valid UTF-8. */
bool facet_utf8_valid(const char *text, size_t length);

/* Code point of a valid sequence of that length. */
uint32_t facet_utf8_code_point(const char *sequence, size_t length);
/* True for characters that make a terminal show other text than is stored: control characters (C0,
 * DEL, C1), line separators, and controls of the text direction. */
bool facet_steers_terminal(uint32_t code_point);

/* The character at text[0] in a form that is safe on a terminal. A character that controls the
 * terminal becomes \xNN for each byte, an invalid byte becomes \xNN; others are unchanged. Returns
 * the number of bytes of `text` used, 1 to 4; `length` is at least 1. */
typedef struct facet_shown {
    char text[13];
} facet_shown;
size_t facet_show_character(facet_shown *shown, const char *text, size_t length);

/* True for bytes that are not text: the first 4,096 contain a NUL. The headers of archives and
 * binary formats contain one, whatever text they store after it. */
static inline bool facet_is_binary(const facet_source *source)
{
    return source->size > 0 &&
           memchr(source->data, 0, source->size < 4096 ? source->size : 4096) != NULL;
}

/* Text from a file, escaped for messages as above, and truncated with "..." if it is long. */
typedef struct facet_quoted {
    char text[100];
} facet_quoted;
const char *facet_quote(facet_quoted *quoted, const char *text, size_t length);

/* The form of a word for a count: "1 mesh", "0 meshes". */
static inline const char *facet_plural(uint64_t count, const char *one, const char *many)
{
    return count == 1 ? one : many;
}

/* Length of a name without the suffix ".001" that Blender adds to duplicates; the full length if it
 * has none. */
size_t facet_bare_length(const char *name);

#endif
