/* base/crc32.c - CRC-32 for builds without the table of libdeflate, which is much faster. */
#include "base/crc32.h"

#ifndef FACET_HAVE_DEFLATE_CRC32
/* Remainders of the 16 half bytes. */
static const uint32_t remainders[16] = {
    0x00000000, 0x1DB71064, 0x3B6E20C8, 0x26D930AC, 0x76DC4190, 0x6B6B51F4, 0x4DB26158, 0x5005713C,
    0xEDB88320, 0xF00F9344, 0xD6D6A3E8, 0xCB61B38C, 0x9B64C2B0, 0x86D3D2D4, 0xA00AE278, 0xBDBDF21C};

uint32_t facet_crc32(uint32_t crc, const void *data, size_t size)
{
    const uint8_t *bytes = (const uint8_t *)data;
    uint32_t table[256]; /* remainders of bytes */
    size_t i = 0;
    crc = ~crc;
    if (size >= 4 * sizeof table) {
        for (uint32_t byte = 0; byte < 256; byte++) {
            uint32_t half = byte >> 4 ^ remainders[byte & 15];
            table[byte] = half >> 4 ^ remainders[half & 15];
        }
        for (; i < size; i++)
            crc = crc >> 8 ^ table[(crc ^ bytes[i]) & 255];
    }
    for (; i < size; i++) {
        crc ^= bytes[i];
        crc = crc >> 4 ^ remainders[crc & 15];
        crc = crc >> 4 ^ remainders[crc & 15];
    }
    return ~crc;
}
#endif
