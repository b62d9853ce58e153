/* tests/support/bga_file.h - BGA files from headers, and documents to files. */
#ifndef FACET_TESTS_BGA_FILE_H
#define FACET_TESTS_BGA_FILE_H

#include "formats/bga/bga.h"
#include "formats/bga/document.h"
#include "support/support.h"

#include "base/bytes.h"

#include <facet/bga.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* A header and `data_size` zero bytes after it, in a static block. */
static const uint8_t *file_of(const char *header, size_t data_size, size_t *size)
{
    static uint8_t bytes[200000];
    size_t length = strlen(header);
    assert_true(length + data_size <= sizeof bytes);
    memcpy(bytes, header, length);
    memset(bytes + length, 0, data_size);
    *size = length + data_size;
    return bytes;
}

static inline void view_header(const char *header, size_t data_size, facet_bga *bga)
{
    size_t size;
    facet_error error;
    const uint8_t *data = file_of(header, data_size, &size);
    TEST_OK(facet_bga_view(data, size, NULL, bga, &error), &error);
}

static inline void expect_attribute(const facet_bga *bga, const char *buffer, const char *name,
                                    facet_bga_base base, uint32_t components, uint64_t offset,
                                    uint64_t stride, uint64_t count)
{
    const facet_bga_attribute *attribute = facet_bga_find(bga, buffer, name);
    assert_non_null(attribute);
    assert_int_equal(attribute->base, base);
    assert_int_equal(attribute->components, components);
    assert_int_equal(attribute->offset, offset);
    assert_int_equal(attribute->stride, stride);
    assert_int_equal(attribute->count, count);
    if (count > 0)
        assert_ptr_equal(attribute->data, bga->data + offset);
    else
        assert_null(attribute->data);
}

static inline void expect_rule(const char *header, size_t data_size, const char *rule)
{
    size_t size;
    facet_error error = {0};
    facet_bga bga;
    const uint8_t *data = file_of(header, data_size, &size);
    facet_status status = facet_bga_view(data, size, NULL, &bga, &error);
    if (status == FACET_OK || strcmp(error.rule, rule) != 0)
        fail_msg("expected %s, got '%s' (%s)", rule, error.rule, error.message);
    assert_int_equal(bga.buffer_count, 0);
}

static inline void write_document(const facet_bga *bga, const facet_options *options,
                                  facet_output **output)
{
    facet_error error;
    TEST_OK(facet_output_open_memory(NULL, output, &error), &error);
    TEST_OK(facet_bga_write(bga, options, *output, &error), &error);
    TEST_OK(facet_output_commit(*output, &error), &error);
}

/* -- Malformed files ---------------------------------------------------- */
#define START "BGA 2.0\nlittle endian\n"

#endif
