/* base/base64.c - bytes as text. */
#include "base/base64.h"

#include "base/arena.h"

#include <string.h>

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

char *facet_base64_encode(facet_arena *arena, const uint8_t *bytes, size_t size)
{
    if (size > SIZE_MAX / 2)
        return NULL;
    char *text = facet_arena_allocate(arena, (size + 2) / 3 * 4 + 1, 1), *to = text;
    if (!text)
        return NULL;
    for (size_t i = 0; i < size; i += 3) {
        size_t left = size - i;
        uint32_t group = (uint32_t)bytes[i] << 16 | (left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0) |
                         (left > 2 ? bytes[i + 2] : 0);
        *to++ = digits[group >> 18];
        *to++ = digits[group >> 12 & 63];
        *to++ = '=';
        *to++ = '=';
        if (left > 1)
            to[-2] = digits[group >> 6 & 63];
        if (left > 2)
            to[-1] = digits[group & 63];
    }
    *to = '\0';
    return text;
}

static bool digit_of(char c, uint32_t *value)
{
    const char *at = c ? strchr(digits, c) : NULL;
    *value = at ? (uint32_t)(at - digits) : 0;
    return at != NULL;
}

bool facet_base64_decode(facet_arena *arena, const char *text, size_t length, uint8_t **bytes,
                         size_t *size)
{
    size_t padding = 0, used = 0;
    uint8_t *made = length % 4 == 0 ? facet_arena_allocate(arena, length / 4 * 3, 1) : NULL;
    if (!made)
        return false;
    while (padding < 2 && padding < length && text[length - padding - 1] == '=')
        padding++;
    for (size_t i = 0; i < length; i += 4) {
        uint32_t group = 0, value;
        size_t missing = i + 4 == length ? padding : 0;
        for (size_t k = 0; k < 4; k++) {
            if (k >= 4 - missing)
                value = 0;
            else if (!digit_of(text[i + k], &value))
                return false;
            group = group << 6 | value;
        }
        for (size_t k = 0; k < 3 - missing; k++)
            made[used++] = (uint8_t)(group >> (16 - 8 * k));
    }
    *bytes = made;
    *size = used;
    return true;
}
