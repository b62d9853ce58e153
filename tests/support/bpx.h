/* tests/support/bpx.h - BPX files built byte by byte from the layout tables of the specification.
 * It uses zlib's compressor and checksum and nothing of the library. */
#ifndef FACET_TESTS_BPX_H
#define FACET_TESTS_BPX_H

#include "support/support.h"

#include <facet/convert.h>
#include <stdlib.h>
#include <zlib.h>

/* -- Bytes -------------------------------------------------------------- */

/* A growing array of bytes. */
typedef struct bytes {
    uint8_t *data;
    size_t size;
} bytes;

static inline void put_bytes(bytes *b, const void *data, size_t size)
{
    b->data = realloc(b->data, b->size + size + 1);
    assert_non_null(b->data);
    if (size > 0)
        memcpy(b->data + b->size, data, size);
    b->size += size;
}
/* The same byte `count` times. */
static inline void put_fill(bytes *b, int value, size_t count)
{
    uint8_t *run = malloc(count + 1);
    assert_non_null(run);
    memset(run, value, count);
    put_bytes(b, run, count);
    free(run);
}
static inline void put_number(bytes *b, uint64_t value, int size)
{
    for (int i = 0; i < size; i++) {
        uint8_t byte = (uint8_t)(i < 8 ? value >> 8 * i : 0);
        put_bytes(b, &byte, 1);
    }
}
static inline void put_u8(bytes *b, unsigned value)
{
    put_number(b, value, 1);
}
static inline void put_u16(bytes *b, unsigned value)
{
    put_number(b, value, 2);
}
static inline void put_u32(bytes *b, uint32_t value)
{
    put_number(b, value, 4);
}
static inline void put_float(bytes *b, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, 4);
    put_u32(b, bits);
}
static inline void put_floats(bytes *b, const float *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        put_float(b, values[i]);
}
static inline void set_number(bytes *b, size_t at, uint64_t value, int size)
{
    assert_true(at + (size_t)size <= b->size);
    for (int i = 0; i < size; i++)
        b->data[at + (size_t)i] = (uint8_t)(value >> 8 * i);
}
static inline void set_float(bytes *b, size_t at, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, 4);
    set_number(b, at, bits, 4);
}
static inline uint64_t get_number(const uint8_t *at, int size)
{
    uint64_t value = 0;
    for (int i = size; i-- > 0;)
        value = value << 8 | at[i];
    return value;
}
static inline float get_float(const uint8_t *at)
{
    uint32_t bits = (uint32_t)get_number(at, 4);
    float value;
    memcpy(&value, &bits, 4);
    return value;
}
static inline void drop(bytes *b)
{
    free(b->data);
    b->data = NULL;
    b->size = 0;
}

/* Compress as a zlib stream. */
static inline bytes deflated(const bytes *contents)
{
    bytes b = {0};
    uLongf size = compressBound((uLong)contents->size);
    b.data = malloc(size);
    assert_int_equal(compress2(b.data, &size, contents->data, (uLong)contents->size, 9), Z_OK);
    b.size = size;
    return b;
}

/* -- Version 0 ---------------------------------------------------------- */

typedef struct section_of {
    uint8_t type, flags;
    const bytes *contents; /* as stored */
} section_of;

/* Store FileSize and the CRC-32 of everything except its own field. */
static inline void seal(bytes *file)
{
    set_number(file, 8, file->size - 24, 8);
    uLong crc = crc32(0, file->data, 4);
    crc = crc32(crc, file->data + 8, (uInt)(file->size - 8));
    set_number(file, 4, crc, 4);
}

static inline bytes build_file(char type, const uint8_t extension[5], const section_of *sections,
                               size_t count)
{
    bytes file = {0};
    put_bytes(&file, "BPX", 3);
    put_u8(&file, (unsigned char)type);
    put_number(&file, 0, 12); /* checksum and size: see seal */
    put_u16(&file, (unsigned)count);
    put_u8(&file, 0);
    put_bytes(&file, extension, 5);
    size_t position = 24 + 16 * count;
    for (size_t i = 0; i < count; i++) {
        put_number(&file, position, 8);
        put_u32(&file, (uint32_t)sections[i].contents->size);
        put_u8(&file, sections[i].type);
        put_u8(&file, sections[i].flags);
        put_u16(&file, 0);
        position += sections[i].contents->size;
    }
    for (size_t i = 0; i < count; i++)
        put_bytes(&file, sections[i].contents->data, sections[i].contents->size);
    seal(&file);
    return file;
}

/* Content of a section of a version 0 file, inflated by zlib. The caller drops it. */
static inline bytes section_contents(const uint8_t *file, size_t index)
{
    bytes b = {0};
    const uint8_t *entry = file + 24 + 16 * index;
    const uint8_t *stored = file + get_number(entry, 8);
    uint32_t size = (uint32_t)get_number(entry + 8, 4);
    if (!(entry[13] & 2)) {
        put_bytes(&b, stored, size);
        return b;
    }
    z_stream stream;
    memset(&stream, 0, sizeof stream);
    assert_int_equal(inflateInit(&stream), Z_OK);
    stream.next_in = (Bytef *)(uintptr_t)stored;
    stream.avail_in = size;
    int result = Z_OK;
    while (result == Z_OK) {
        uint8_t block[65536];
        stream.next_out = block;
        stream.avail_out = sizeof block;
        result = inflate(&stream, Z_NO_FLUSH);
        put_bytes(&b, block, sizeof block - stream.avail_out);
    }
    assert_int_equal(result, Z_STREAM_END);
    inflateEnd(&stream);
    return b;
}

/* Index of the first section of a type. Fails if the file has no such section. */
static inline size_t section_of_type(const uint8_t *file, uint8_t type)
{
    size_t count = get_number(file + 16, 2);
    for (size_t i = 0; i < count; i++) {
        if (file[24 + 16 * i + 12] == type)
            return i;
    }
    fail_msg("no section of type %u", type);
    return 0;
}

/* -- Versions 1 and 2 --------------------------------------------------- */

typedef struct later_section {
    uint8_t type, flags;
    const bytes *stored;
    uint32_t size, checksum; /* of the contents */
} later_section;

static inline uint32_t byte_sum(const uint8_t *data, size_t size)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < size; i++)
        sum += data[i];
    return sum;
}

static inline bytes build_later(char type, uint32_t version, const uint8_t extension[16],
                                const later_section *sections, size_t count)
{
    bytes file = {0};
    put_bytes(&file, "BPX", 3);
    put_u8(&file, (unsigned char)type);
    put_number(&file, 0, 12);
    put_u32(&file, (uint32_t)count);
    put_u32(&file, version);
    put_bytes(&file, extension, 16);
    size_t position = 40 + 24 * count;
    for (size_t i = 0; i < count; i++) {
        put_number(&file, position, 8);
        put_u32(&file, (uint32_t)sections[i].stored->size);
        put_u32(&file, sections[i].size);
        put_u32(&file, sections[i].checksum);
        put_u8(&file, sections[i].type);
        put_u8(&file, sections[i].flags);
        put_u16(&file, 0);
        position += sections[i].stored->size;
    }
    for (size_t i = 0; i < count; i++)
        put_bytes(&file, sections[i].stored->data, sections[i].stored->size);
    set_number(&file, 8, file.size, 8);
    size_t table = 40 + 24 * count;
    set_number(&file, 4, byte_sum(file.data, 4) + byte_sum(file.data + 8, table - 8), 4);
    return file;
}

/* -- Calls of the library ----------------------------------------------- */

static inline facet_source source_of_bytes(const uint8_t *data, size_t size)
{
    facet_source source = {0};
    source.data = data;
    source.size = size;
    return source;
}

static inline facet_report *check_bytes(const uint8_t *data, size_t size)
{
    facet_report *report;
    facet_error error;
    facet_source source = source_of_bytes(data, size);
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    TEST_OK(facet_check(&source, facet_format_named("bpx"), NULL, report, &error), &error);
    return report;
}

/* Check that there are neither errors nor warnings. */
static inline void expect_clean(const uint8_t *data, size_t size)
{
    facet_report *report = check_bytes(data, size);
    for (size_t i = 0; i < facet_report_count(report); i++) {
        const facet_finding *finding = facet_report_get(report, i);
        if (finding->severity != FACET_SEVERITY_NOTE)
            fail_msg("%s: %s", finding->rule, finding->message);
    }
    facet_report_free(report);
}

/* Check that there is a finding of this rule and severity. */
static inline void expect_finding(const uint8_t *data, size_t size, const char *rule,
                                  facet_severity severity)
{
    facet_report *report = check_bytes(data, size);
    bool found = false, other = false;
    for (size_t i = 0; i < facet_report_count(report); i++) {
        const facet_finding *finding = facet_report_get(report, i);
        bool same = strcmp(finding->rule, rule) == 0;
        found |= same && finding->severity == severity;
        other |= same;
    }
    if (!found)
        fail_msg("%s %s", rule, other ? "has another severity" : "is not reported");
    facet_report_free(report);
}

static inline bool has_finding(const uint8_t *data, size_t size, const char *rule)
{
    facet_report *report = check_bytes(data, size);
    bool found = test_finding(report, rule) != NULL;
    facet_report_free(report);
    return found;
}

/* Write a scene. The caller frees the output. */
static inline facet_output *save_bpx(facet_scene *scene, const facet_options *options)
{
    facet_error error;
    facet_output *output;
    const facet_format *bpx = facet_format_named("bpx");
    TEST_OK(facet_prepare(scene, bpx, NULL, options, NULL, &error), &error);
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(facet_save(scene, bpx, options, output, &error), &error);
    TEST_OK(facet_output_commit(output, &error), &error);
    return output;
}

static inline facet_scene *load_bpx(const uint8_t *data, size_t size)
{
    facet_scene *scene;
    facet_error error;
    facet_source source = source_of_bytes(data, size);
    TEST_OK(facet_load(&source, facet_format_named("bpx"), NULL, NULL, &scene, &error), &error);
    TEST_OK(facet_scene_check(scene, NULL, &error), &error);
    return scene;
}

#endif
