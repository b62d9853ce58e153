/* image/literal_png.h - PNG files written from the definitions of the specification. */
#ifndef TESTS_IMAGE_LITERAL_PNG_H
#define TESTS_IMAGE_LITERAL_PNG_H

#include "base/bytes.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct bytes {
    uint8_t data[4096];
    size_t size;
} bytes;

static inline void put(bytes *to, const void *data, size_t size)
{
    memcpy(to->data + to->size, data, size);
    to->size += size;
}

static inline void put_u32(bytes *to, uint32_t value)
{
    facet_store_u32be(to->data + to->size, value);
    to->size += 4;
}

/* CRC-32 by the definition of the PNG specification, bit by bit. */
static inline uint32_t crc(const uint8_t *data, size_t size)
{
    uint32_t value = 0xFFFFFFFF;
    for (size_t i = 0; i < size; i++) {
        value ^= data[i];
        for (int bit = 0; bit < 8; bit++)
            value = value & 1 ? value >> 1 ^ 0xEDB88320 : value >> 1;
    }
    return ~value;
}

static inline void put_chunk(bytes *to, const char *type, const void *data, size_t size)
{
    put_u32(to, (uint32_t)size);
    size_t start = to->size;
    put(to, type, 4);
    put(to, data, size);
    put_u32(to, crc(to->data + start, to->size - start));
}

/* A zlib stream of one stored block, with its Adler-32. */
static inline void put_pixels(bytes *to, const uint8_t *rows, size_t size)
{
    bytes stream = {.size = 0};
    const uint8_t head[7] = {0x78,
                             0x01,
                             0x01,
                             (uint8_t)size,
                             (uint8_t)(size >> 8),
                             (uint8_t)~size,
                             (uint8_t)(~size >> 8)};
    put(&stream, head, sizeof head);
    put(&stream, rows, size);
    uint32_t a = 1, b = 0;
    for (size_t i = 0; i < size; i++) {
        a = (a + rows[i]) % 65521;
        b = (b + a) % 65521;
    }
    put_u32(&stream, b << 16 | a);
    put_chunk(to, "IDAT", stream.data, stream.size);
}

static inline void begin_png(bytes *to, uint32_t width, uint32_t height, uint8_t depth,
                             uint8_t type)
{
    bytes header = {.size = 0};
    put_u32(&header, width);
    put_u32(&header, height);
    const uint8_t rest[5] = {depth, type, 0, 0, 0};
    put(&header, rest, sizeof rest);
    put(to, "\x89PNG\r\n\x1A\n", 8);
    put_chunk(to, "IHDR", header.data, header.size);
}

#endif
