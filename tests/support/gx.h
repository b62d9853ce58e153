/* tests/support/gx.h - GX textures: every format, random bytes, and the meaning of a 16-bit word by
 * the format's tables. */
#ifndef FACET_TESTS_GX_H
#define FACET_TESTS_GX_H

#include "support/mesh.h"
#include "support/support.h"

#include "base/bytes.h"

#include <facet/gx.h>

static const facet_gx_format every_format[] = {
    FACET_GX_I4,     FACET_GX_I8, FACET_GX_IA4, FACET_GX_IA8,   FACET_GX_RGB565, FACET_GX_RGB5A3,
    FACET_GX_RGBA32, FACET_GX_C4, FACET_GX_C8,  FACET_GX_C14X2, FACET_GX_CMPR};
#define FORMATS (sizeof every_format / sizeof *every_format)

static inline size_t size_of(facet_gx_format format, uint32_t width, uint32_t height,
                             uint32_t levels)
{
    size_t bytes = 0;
    facet_error error;
    TEST_OK(facet_gx_texture_size(format, width, height, levels, &bytes, &error), &error);
    return bytes;
}

static inline void fill(uint8_t *bytes, size_t size, uint32_t seed)
{
    uint32_t state = seed * 2654435761u | 1;
    for (size_t i = 0; i < size; i++)
        bytes[i] = (uint8_t)(test_random(&state) >> 7);
}

static inline uint32_t texel_at(const uint8_t *rgba, uint32_t width, uint32_t x, uint32_t y)
{
    return facet_load_u32le(rgba + ((size_t)y * width + x) * 4);
}

/* The bits of v, repeated until there are 8: the definition of widening. */
static inline uint32_t repeat_bits(uint32_t v, unsigned bits)
{
    uint32_t result = 0;
    for (unsigned i = 0; i < 8; i++)
        result |= (v >> (bits - 1 - i % bits) & 1) << (7 - i);
    return result;
}

/* Meaning of 16 bits. */
static inline uint32_t word_means(facet_gx_format format, uint32_t v)
{
    uint32_t r, g, b, a = 255;
    if (format == FACET_GX_IA8) {
        r = g = b = v & 255;
        a = v >> 8;
    } else if (format == FACET_GX_RGB565) {
        r = repeat_bits(v >> 11 & 31, 5);
        g = repeat_bits(v >> 5 & 63, 6);
        b = repeat_bits(v & 31, 5);
    } else if (v & 0x8000) {
        r = repeat_bits(v >> 10 & 31, 5);
        g = repeat_bits(v >> 5 & 31, 5);
        b = repeat_bits(v & 31, 5);
    } else {
        a = repeat_bits(v >> 12 & 7, 3);
        r = repeat_bits(v >> 8 & 15, 4);
        g = repeat_bits(v >> 4 & 15, 4);
        b = repeat_bits(v & 15, 4);
    }
    return r | g << 8 | b << 16 | a << 24;
}

#endif
