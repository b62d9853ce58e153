/* base/base64.h - conversion of bytes to base64 and back. */
#ifndef FACET_BASE_BASE64_H
#define FACET_BASE_BASE64_H

#include <facet/base.h>

/* Encode 1 to 3 bytes as one group of four characters, with padding. */
void facet_base64_group(const uint8_t *bytes, size_t count, char text[4]);

/* Encode bytes as base64 with padding, NUL-terminated, in `arena`. NULL if out of memory. */
char *facet_base64_encode(facet_arena *arena, const uint8_t *bytes, size_t size);
/* Decode base64: at most length / 4 * 3 + 2 bytes in `arena`; padding may be missing. False, with
 * *bytes NULL, if out of memory or if the text is not base64. */
bool facet_base64_decode(facet_arena *arena, const char *text, size_t length, uint8_t **bytes,
                         size_t *size);

#endif
