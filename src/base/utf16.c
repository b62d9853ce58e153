/* base/utf16.c - conversion of UTF-16 to UTF-8. */
#include "base/utf16.h"

#include "base/arena.h"
#include "base/bytes.h"

bool facet_is_utf16(const uint8_t *data, size_t size)
{
    if (size < 6)
        return false;
    bool little = data[0] == 0xFF && data[1] == 0xFE, big = data[0] == 0xFE && data[1] == 0xFF;
    unsigned high = little ? 3 : 2, low = little ? 2 : 3;
    return (little || big) && data[high] == 0 && data[high + 2] == 0 && data[low] >= 9 &&
           data[low] < 0x80 && data[low + 2] >= 9 && data[low + 2] < 0x80;
}

static uint32_t unit_at(const uint8_t *data, size_t i, bool big)
{
    return big ? facet_load_u16be(data + i * 2) : facet_load_u16le(data + i * 2);
}

static uint8_t *put_character(uint8_t *to, uint32_t c)
{
    if (c < 0x80) {
        *to++ = (uint8_t)c;
        return to;
    }
    int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    static const uint8_t first[4] = {0, 0xC0, 0xE0, 0xF0};
    *to++ = (uint8_t)(first[more] | c >> (6 * more));
    while (more-- > 0)
        *to++ = (uint8_t)(0x80 | (c >> (6 * more) & 0x3F));
    return to;
}

uint8_t *facet_text_from_utf16(facet_arena *arena, const uint8_t *data, size_t size, size_t *length)
{
    size_t units = size / 2;
    bool big = data[0] == 0xFE;
    uint8_t *made = facet_arena_allocate(arena, units, 3), *to = made;
    for (size_t i = 1; made && i < units; i++) {
        uint32_t c = unit_at(data, i, big);
        if (c >= 0xD800 && c < 0xE000) { /* one half of a surrogate pair (Unicode 15, 3.9) */
            uint32_t next = i + 1 < units ? unit_at(data, i + 1, big) : 0;
            bool pair = c < 0xDC00 && next >= 0xDC00 && next < 0xE000;
            c = pair ? 0x10000 + ((c - 0xD800) << 10) + (next - 0xDC00) : 0xFFFD;
            i += pair;
        }
        to = put_character(to, c);
    }
    *length = made ? (size_t)(to - made) : 0;
    return made;
}
