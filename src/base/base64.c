/* base/base64.c - conversion of bytes to base64 and back. RFC 4648, section 4. */
#include "base/base64.h"

#include "base/arena.h"

#include <string.h>

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* -- Bytes to text ------------------------------------------------------ */

void facet_base64_group(const uint8_t *bytes, size_t count, char text[4])
{
    uint32_t group = (uint32_t)bytes[0] << 16 | (count > 1 ? (uint32_t)bytes[1] << 8 : 0) |
                     (count > 2 ? bytes[2] : 0);
    for (size_t i = 0; i < 4; i++)
        text[i] = i <= count ? digits[group >> (18 - 6 * i) & 63] : '=';
}

char *facet_base64_encode(facet_arena *arena, const uint8_t *bytes, size_t size)
{
    if (size > SIZE_MAX / 2)
        return NULL;
    char *text = facet_arena_allocate(arena, (size + 2) / 3 * 4 + 1, 1), *to = text;
    if (!text)
        return NULL;
    for (size_t i = 0; i < size; i += 3, to += 4)
        facet_base64_group(bytes + i, size - i < 3 ? size - i : 3, to);
    *to = '\0';
    return text;
}

/* -- Text to bytes ------------------------------------------------------ */

#define NO_DIGIT 0x80

bool facet_base64_decode(facet_arena *arena, const char *text, size_t length, uint8_t **bytes,
                         size_t *size)
{
    *bytes = NULL;
    *size = 0;
    size_t padded = length;
    for (int i = 0; i < 2 && length > 0 && text[length - 1] == '='; i++)
        length--;
    if (length < padded && length % 4 == 0) /* no padding is missing */
        return false;
    size_t most = length / 4 * 3 + 2, used = 0;
    uint8_t *made = length % 4 == 1 ? NULL : facet_arena_allocate(arena, most, 1);
    if (!made)
        return false;
    uint8_t values[256];
    uint32_t group = 0, all = 0; /* all: bitwise OR of all values */
    memset(values, NO_DIGIT, sizeof values);
    for (uint8_t i = 0; i < 64; i++)
        values[(uint8_t)digits[i]] = i;
    const uint8_t *from = (const uint8_t *)text;
    size_t i = 0;
    for (; i + 4 <= length; i += 4, used += 3) {
        uint32_t a = values[from[i]], b = values[from[i + 1]], c = values[from[i + 2]],
                 d = values[from[i + 3]];
        all |= a | b | c | d;
        group = a << 18 | b << 12 | c << 6 | d;
        made[used] = (uint8_t)(group >> 16);
        made[used + 1] = (uint8_t)(group >> 8);
        made[used + 2] = (uint8_t)group;
    }
    for (; i < length; i++) {
        all |= values[from[i]];
        group = group << 6 | values[from[i]];
        if (i % 4 != 0)
            made[used++] = (uint8_t)(group >> (6 - i % 4 * 2));
    }
    if (all & NO_DIGIT) {
        facet_arena_release(arena, made, most, 1);
        return false;
    }
    *bytes = made;
    *size = used;
    return true;
}
