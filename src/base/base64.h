/* base/base64.h - bytes as text. */
#ifndef FACET_BASE_BASE64_H
#define FACET_BASE_BASE64_H

#include <facet/base.h>

/* One group of four characters, with padding, of 1 to 3 bytes. */
void facet_base64_group(const uint8_t *bytes, size_t count, char text[4]);

/* The bytes as base64 with padding, NUL-terminated, in `arena`; NULL without memory. */
char *facet_base64_encode(facet_arena *arena, const uint8_t *bytes, size_t size);
/* The way back: at most length / 4 * 3 + 2 bytes in `arena`; padding may be missing. False
 * without memory, and when the text is no base64: then *bytes is NULL. */
bool facet_base64_decode(facet_arena *arena, const char *text, size_t length, uint8_t **bytes,
                         size_t *size);

#endif
