/* formats/assimp/file/sides_dae.c - double-sided materials in a COLLADA that assimp wrote. COLLADA
 * has no such flag. Other programs read it from an <extra> of the profile GOOGLEEARTH. */
#include "formats/assimp/file/file.h"

#include <string.h>

#define END_OF_EFFECT "</profile_COMMON>"
#define SIDES                                                                                \
    "  <extra><technique profile=\"GOOGLEEARTH\"><double_sided>1</double_sided></technique>" \
    "</extra>\n      "

/* The next end of an effect, or NULL. */
static const uint8_t *next_end(const uint8_t *at, const uint8_t *end)
{
    const size_t length = sizeof END_OF_EFFECT - 1;
    while ((at = memchr(at, '<', (size_t)(end - at)))) {
        if ((size_t)(end - at) >= length && memcmp(at, END_OF_EFFECT, length) == 0)
            return at;
        at++;
    }
    return NULL;
}

bool facet_assimp_add_sides(facet_arena *arena, const facet_assimp_added *added, uint8_t **data,
                            size_t *size)
{
    const facet_assimp_bytes *sides = &added->double_sided;
    const uint8_t *from = *data, *end = from + *size, *at = from;
    size_t count = 0;
    for (uint32_t i = 0; i < sides->count; i++)
        count += sides->each[i];
    if (count == 0)
        return true;
    uint8_t *made = facet_arena_allocate(arena, *size + count * (sizeof SIDES - 1), 1), *to = made;
    if (!made)
        return false;
    for (uint32_t i = 0; i < sides->count && (at = next_end(at, end)); i++, at++) {
        if (!sides->each[i])
            continue;
        memcpy(to, from, (size_t)(at - from));
        to += at - from;
        memcpy(to, SIDES, sizeof SIDES - 1);
        to += sizeof SIDES - 1;
        from = at;
    }
    memcpy(to, from, (size_t)(end - from));
    to += end - from;
    *data = made;
    *size = (size_t)(to - made);
    return true;
}
