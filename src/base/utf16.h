/* base/utf16.h - text in UTF-16, as some editors on Windows save it. */
#ifndef FACET_BASE_UTF16_H
#define FACET_BASE_UTF16_H

#include <facet/base.h>

/* True for text in UTF-16: a byte order mark, then two ASCII characters. */
bool facet_is_utf16(const uint8_t *data, size_t size);
/* Convert text to UTF-8 without its byte order mark, in the arena. The size grows by at most a
 * half; invalid characters become U+FFFD. NULL if out of memory. */
uint8_t *facet_text_from_utf16(facet_arena *arena, const uint8_t *data, size_t size,
                               size_t *length);

#endif
