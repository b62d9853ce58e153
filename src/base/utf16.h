/* base/utf16.h - text in UTF-16, as some editors of Windows save it. */
#ifndef FACET_BASE_UTF16_H
#define FACET_BASE_UTF16_H

#include <facet/base.h>

/* True of text in UTF-16: a byte order mark, then two characters of ASCII. */
bool facet_is_utf16(const uint8_t *data, size_t size);
/* The same text in UTF-8 without its mark, in the arena, at most half as long again; what is no
 * character becomes U+FFFD. NULL without memory. */
uint8_t *facet_text_from_utf16(facet_arena *arena, const uint8_t *data, size_t size,
                               size_t *length);

#endif
