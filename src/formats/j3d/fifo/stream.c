/* formats/j3d/fifo/stream.c - commands for the graphics chip, in sequence in memory. */
#include "formats/j3d/fifo/stream.h"

#include "base/bytes.h"

#include <string.h>

/* Extend by `size` bytes; NULL if out of memory. */
static uint8_t *extend(facet_j3d_stream *s, size_t size)
{
    if (size > s->capacity - s->size) {
        size_t wanted = s->capacity > size ? s->capacity * 2 : s->capacity + size + 4096;
        uint8_t *bytes = facet_arena_resize(s->arena, s->bytes, s->capacity, wanted, 1);
        if (!bytes)
            return NULL;
        s->bytes = bytes;
        s->capacity = wanted;
    }
    s->size += size;
    return s->bytes + s->size - size;
}

void facet_j3d_stream_raw(facet_j3d_stream *stream, const uint8_t *bytes, size_t size)
{
    uint8_t *at = size > 0 ? extend(stream, size) : NULL;
    if (at)
        memcpy(at, bytes, size);
}

void facet_j3d_stream_bp(facet_j3d_stream *stream, uint32_t address, uint32_t value)
{
    uint8_t *at = extend(stream, 5);
    if (!at)
        return;
    at[0] = 0x61;
    facet_store_u32be(at + 1, (address & 0xFF) << 24 | (value & 0xFFFFFF));
}

void facet_j3d_stream_cp(facet_j3d_stream *stream, uint32_t address, uint32_t value)
{
    uint8_t *at = extend(stream, 6);
    if (!at)
        return;
    at[0] = 0x08;
    at[1] = (uint8_t)address;
    facet_store_u32be(at + 2, value);
}

void facet_j3d_stream_xf(facet_j3d_stream *stream, uint32_t address, const uint32_t *words,
                         uint32_t count)
{
    enum { MAX_WORDS = 16 }; /* of one command */
    for (uint32_t first = 0; first < count; first += MAX_WORDS) {
        uint32_t part = count - first < MAX_WORDS ? count - first : MAX_WORDS;
        uint8_t *at = extend(stream, 5 + (size_t)part * 4);
        if (!at)
            return;
        at[0] = 0x10;
        facet_store_u32be(at + 1, (part - 1) << 16 | (address + first));
        for (uint32_t i = 0; i < part; i++)
            facet_store_u32be(at + 5 + (size_t)i * 4, words[first + i]);
    }
}

void facet_j3d_stream_xf_word(facet_j3d_stream *stream, uint32_t address, uint32_t word)
{
    facet_j3d_stream_xf(stream, address, &word, 1);
}

void facet_j3d_stream_xf_floats(facet_j3d_stream *stream, uint32_t address, const float *values,
                                uint32_t count)
{
    uint32_t words[16];
    for (uint32_t first = 0; first < count; first += 16) {
        uint32_t part = count - first < 16 ? count - first : 16;
        for (uint32_t i = 0; i < part; i++)
            words[i] = facet_bits_of_float(values[first + i]);
        facet_j3d_stream_xf(stream, address + first, words, part);
    }
}
