/* base/text.h - UTF-8, and text that comes from a file. */
#ifndef FACET_BASE_TEXT_H
#define FACET_BASE_TEXT_H

#include <facet/base.h>

/* Length in bytes of the valid UTF-8 sequence at text[0], 1 to 4; 0 when it is
 * not one (overlong, surrogate, cut short). */
size_t facet_utf8_sequence(const char *text, size_t length);
/* True when all of text is valid UTF-8. */
bool facet_utf8_valid(const char *text, size_t length);
/* Text made fit for a message: control characters and broken UTF-8 as \xNN, cut
 * with "..." when it is long. */
typedef struct facet_quoted {
    char text[100];
} facet_quoted;
const char *facet_quote(facet_quoted *quoted, const char *text, size_t length);

#endif
