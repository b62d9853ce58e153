/* tests/support/zip.h - ZIP archives for tests. */
#ifndef FACET_TESTS_SUPPORT_ZIP_H
#define FACET_TESTS_SUPPORT_ZIP_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef struct zip_bytes {
    uint8_t data[4096];
    size_t size;
} zip_bytes;

static inline void put_number(zip_bytes *zip, unsigned bytes, uint64_t value)
{
    for (unsigned i = 0; i < bytes; i++)
        zip->data[zip->size++] = (uint8_t)(value >> (8 * i));
}

static inline void put_bytes(zip_bytes *zip, const void *from, size_t size)
{
    memcpy(zip->data + zip->size, from, size);
    zip->size += size;
}

static inline uint32_t checksum(const char *text)
{
    uint32_t crc = UINT32_MAX;
    for (; *text; text++) {
        crc ^= (uint8_t)*text;
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320U : 0);
    }
    return ~crc;
}

/* An archive of up to three files, stored without compression. Sizes and offsets are in ZIP64
 * fields; with `record` the offset of the directory is too (APPNOTE 6.3, 4.3.7 to 4.3.16, 4.5.3).
 */
static inline void make_zip(zip_bytes *zip, const char *const (*parts)[2], int count, bool record)
{
    uint64_t offsets[3];
    zip->size = 0;
    for (int i = 0; i < count; i++) {
        const char *name = parts[i][0], *text = parts[i][1];
        offsets[i] = zip->size;
        put_bytes(zip, "PK\3\4\x2D\0\0\0\0\0\0\0\0\0", 14);
        put_number(zip, 4, checksum(text));
        put_number(zip, 8, UINT64_MAX);
        put_number(zip, 2, strlen(name));
        put_number(zip, 2, 20);
        put_bytes(zip, name, strlen(name));
        put_number(zip, 2, 1);
        put_number(zip, 2, 16);
        put_number(zip, 8, strlen(text));
        put_number(zip, 8, strlen(text));
        put_bytes(zip, text, strlen(text));
    }
    uint64_t directory = zip->size;
    for (int i = 0; i < count; i++) {
        const char *name = parts[i][0], *text = parts[i][1];
        put_bytes(zip, "PK\1\2\x2D\0\x2D\0\0\0\0\0\0\0\0\0", 16);
        put_number(zip, 4, checksum(text));
        put_number(zip, 8, UINT64_MAX);
        put_number(zip, 2, strlen(name));
        put_number(zip, 2, 28);
        put_bytes(zip, "\0\0\0\0\0\0\0\0\0\0", 10);
        put_number(zip, 4, UINT32_MAX);
        put_bytes(zip, name, strlen(name));
        put_number(zip, 2, 1);
        put_number(zip, 2, 24);
        put_number(zip, 8, strlen(text));
        put_number(zip, 8, strlen(text));
        put_number(zip, 8, offsets[i]);
    }
    uint64_t end = zip->size;
    if (record) {
        put_bytes(zip, "PK\6\6\x2C\0\0\0\0\0\0\0\x2D\0\x2D\0\0\0\0\0\0\0\0\0", 24);
        put_number(zip, 8, count);
        put_number(zip, 8, count);
        put_number(zip, 8, end - directory);
        put_number(zip, 8, directory);
        put_bytes(zip, "PK\6\7\0\0\0\0", 8);
        put_number(zip, 8, end);
        put_number(zip, 4, 1);
    }
    put_bytes(zip, "PK\5\6\0\0\0\0", 8);
    put_number(zip, 2, count);
    put_number(zip, 2, count);
    put_number(zip, 4, end - directory);
    put_number(zip, 4, record ? UINT32_MAX : directory);
    put_number(zip, 2, 0);
}

#endif
