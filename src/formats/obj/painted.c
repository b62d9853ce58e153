/* formats/obj/painted.c - vertex colors in comments (ZBrush). "#MRGB" is
 * followed by eight hexadecimal digits per vertex: mask, red, green and blue. */
#include "base/error.h"
#include "formats/obj/reader.h"

#include <string.h>

bool facet_obj_is_painted(const uint8_t *at, const uint8_t *end)
{
    return end - at > 6 && memcmp(at, "#MRGB ", 6) == 0;
}

static int digit_of(uint8_t c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Read eight digits at `at`; false for other characters. */
static bool read_color(const uint8_t *at, const uint8_t *end, uint32_t *color)
{
    *color = 0;
    for (int i = 0; i < 8; i++) {
        int digit = at + i < end ? digit_of(at[i]) : -1;
        if (digit < 0)
            return false;
        *color = *color << 4 | (uint32_t)digit;
    }
    return true;
}

facet_status facet_obj_read_painted(facet_obj_reader *r, const uint8_t *line)
{
    uint32_t color;
    for (const uint8_t *at = line + 6; read_color(at, r->end, &color); at += 8) {
        TRY(facet_obj_space(r, (void **)&r->painted, r->painted_count, &r->painted_capacity,
                            sizeof *r->painted, line));
        r->painted[r->painted_count++] = color;
    }
    return FACET_OK;
}

facet_status facet_obj_finish_painted(facet_obj_reader *r)
{
    const facet_obj_elements *positions = &r->elements[FACET_OBJ_POSITION];
    if (r->colors || r->painted_count == 0)
        return FACET_OK;
    TRY(facet_obj_resize(r, r->arena, (void **)&r->colors, 0, positions->capacity,
                         3 * sizeof *r->colors));
    for (uint32_t i = 0; i < positions->count; i++) {
        uint32_t color = i < r->painted_count ? r->painted[i] : 0xFFFFFF;
        for (int k = 0; k < 3; k++)
            r->colors[(size_t)i * 3 + (size_t)k] = (float)(color >> (16 - 8 * k) & 0xFF) / 255;
    }
    if (r->painted_count < positions->count)
        r->colorless = positions->count - r->painted_count;
    return FACET_OK;
}
