/* formats/assimp/file/marks_dae.c - the character that begins Facet's own names in a COLLADA. */
#include "formats/assimp/file/marks_dae.h"

#include <string.h>

/* The value of a digit; 16 for other characters. */
static uint32_t digit_of(uint8_t byte)
{
    if (byte >= '0' && byte <= '9')
        return byte - '0';
    byte |= 0x20;
    return byte >= 'a' && byte <= 'f' ? byte - 'a' + 10U : 16;
}

/* Size of a reference to U+0001, or 0. pugixml, which assimp uses, computes with 32 bits. */
static size_t reference_size(const uint8_t *at, const uint8_t *end)
{
    const uint8_t *first = at;
    uint32_t base = 10, value = 0;
    if (end - at < 4 || at[0] != '&' || at[1] != '#')
        return 0;
    at += 2;
    if (*at == 'x') {
        base = 16;
        at++;
    }
    for (; at < end && digit_of(*at) < base; at++)
        value = value * base + digit_of(*at);
    return at < end && *at == ';' && value == 1 ? (size_t)(at - first) + 1 : 0;
}

static size_t mark_size(const uint8_t *at, const uint8_t *end)
{
    return *at == 1 ? 1 : *at == '&' ? reference_size(at, end) : 0;
}

facet_status facet_dae_clear_marks(const uint8_t **data, size_t size, facet_arena *scratch,
                                   facet_error *error)
{
    const uint8_t *at = *data, *end = at + size;
    while (at < end && mark_size(at, end) == 0)
        at++;
    if (at == end)
        return FACET_OK;
    uint8_t *made = facet_arena_allocate(scratch, size, 1);
    if (!made)
        return facet_fail_arena(scratch, error);
    memcpy(made, *data, size);
    for (size_t i = (size_t)(at - *data), mark; i < size; i += mark ? mark : 1) {
        mark = mark_size(made + i, made + size);
        memset(made + i, ' ', mark);
    }
    *data = made;
    return FACET_OK;
}
