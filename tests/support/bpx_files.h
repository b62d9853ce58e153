/* tests/support/bpx_files.h - the worked examples of the reference of BPX, and packages. */
#ifndef FACET_TESTS_SUPPORT_BPX_FILES_H
#define FACET_TESTS_SUPPORT_BPX_FILES_H

#include "formats/bpx/bpx.h"
#include "support/bpx.h"

#include <facet/facet.h>
#include <lzma.h>

static const uint8_t texture_file[72] = {
    0x42, 0x50, 0x58, 0x54, 0xD0, 0x67, 0x63, 0xFD, 0x30, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0x01,
    0x02, 0x01, 0x28, 0, 0, 0, 0, 0, 0, 0, 0x20, 0, 0, 0, 0, 0, 0, 0,
    /* red, green, blue, white; black */
    255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 255, 255, 255, 255, 0, 0, 0, 255, 0, 0, 0, 255,
    0, 0, 0, 255, 0, 0, 0, 255};

static const uint8_t model_file[107] = {
    0x42, 0x50, 0x58, 0x4D, 0x57, 0x72, 0xFF, 0xB9, 0x53, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0,
    0, 0x48, 0, 0, 0, 0, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0, 0x4E, 0, 0, 0, 0, 0, 0, 0, 0x14, 0, 0, 0,
    1, 2, 0, 0, 0x62, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 5, 0, 0, 0,
    /* format: 20 bytes, float3, float2 */
    0x14, 0, 2, 0, 0x31, 0x21,
    /* three vertices as a zlib stream */
    0x78, 0xDA, 0x63, 0x64, 0x60, 0x60, 0x60, 0x66, 0xC0, 0x05, 0x1A, 0xEC, 0x89, 0x61, 0x03, 0,
    0x3B, 0xFC, 0x03, 0x01, 0, 'r', 'e', 'd', '.', 'm', 'a', 't', 0};

static const uint8_t shader_file[92] = {
    0x42, 0x50, 0x58, 0x53, 0xFA, 0x52, 0xBF, 0x9C, 0x44, 0, 0, 0, 0, 0, 0, 0,   3,   0,   0,
    2,    0,    0,    0,    2,    0x48, 0,    0,    0,    0, 0, 0, 0, 4, 0, 0,   0,   0,   0,
    0,    0,    0x4C, 0,    0,    0,    0,    0,    0,    0, 4, 0, 0, 0, 0, 0,   0,   0,   0x50,
    0,    0,    0,    0,    0,    0,    0,    12,   0,    0, 0, 2, 0, 0, 0, 'V', 'E', 'R', 'T',
    'F',  'R',  'A',  'G',  30,   0,    0,    0,    1,    0, 0, 0, 2, 0, 0, 0};

/* A package of version 1 or 2 with one file of `size` times 'x', compressed with
 * XZ, in two data sections. */
static inline bytes package(uint32_t version, const char *name, size_t size)
{
    static const uint8_t extension[16] = {0, 0, 'P', 'K'};
    bytes strings = {0}, table = {0}, data[2] = {{0}, {0}}, stored[2] = {{0}, {0}};
    put_bytes(&strings, name, strlen(name) + 1);
    /* Version 1: the head precedes the bytes. Version 2: it is in a table, whose start section
     * counts from 0: the third. */
    bytes *head = version == 1 ? &data[0] : &table;
    put_number(head, size, 8);
    put_u32(head, 0);
    if (version == 2) {
        put_u32(head, 2);
        put_u32(head, 0);
    }
    for (size_t i = 0; i < size; i++)
        put_u8(&data[i >= size / 3], 'x');
    for (int i = 0; i < 2; i++) {
        size_t space = lzma_stream_buffer_bound(data[i].size);
        stored[i].data = malloc(space);
        assert_int_equal(lzma_easy_buffer_encode(0, LZMA_CHECK_NONE, NULL, data[i].data,
                                                 data[i].size, stored[i].data, &stored[i].size,
                                                 space),
                         LZMA_OK);
    }
    later_section sections[4] = {
        {0xFF, 8, &strings, (uint32_t)strings.size, byte_sum(strings.data, strings.size)},
        {2, 8, &table, (uint32_t)table.size, byte_sum(table.data, table.size)},
        {1, 0x0A, &stored[0], (uint32_t)data[0].size, byte_sum(data[0].data, data[0].size)},
        {1, 0x0A, &stored[1], (uint32_t)data[1].size, byte_sum(data[1].data, data[1].size)}};
    if (version == 1) /* without a table */
        memmove(&sections[1], &sections[2], 2 * sizeof *sections);
    bytes file = build_later('P', version, extension, sections, version == 1 ? 3 : 4);
    drop(&stored[0]);
    drop(&stored[1]);
    drop(&data[0]);
    drop(&data[1]);
    drop(&table);
    drop(&strings);
    return file;
}

static inline facet_status add_size(void *user, const char *name, const void *data, size_t size,
                                    facet_error *error)
{
    size_t *sum = user;
    (void)error;
    for (size_t i = 0; i < size; i++)
        *sum += ((const uint8_t *)data)[i] != 0;
    return *name ? FACET_OK : FACET_ERROR_ARGUMENT;
}

#endif
