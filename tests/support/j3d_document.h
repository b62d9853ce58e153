/* tests/support/j3d_document.h - read and write J3D documents, starting with the golden model. */
#ifndef FACET_TESTS_J3D_DOCUMENT_H
#define FACET_TESTS_J3D_DOCUMENT_H

#include "support/j3d_golden.h"
#include "support/support.h"

#include <facet/j3d.h>
#include <stdlib.h>

/* Read a document. The caller still owns the bytes. */
static inline facet_j3d *read_file(const uint8_t *data, size_t size)
{
    facet_error error;
    facet_j3d *document = NULL;
    TEST_OK(facet_j3d_read(TEST_SOURCE(data, size), NULL, &document, &error), &error);
    return document;
}

/* A copy of the golden model. The caller frees it with free(). */
static inline uint8_t *golden_copy(size_t *size, bool bdl)
{
    uint8_t *bytes = malloc(TEST_J3D_GOLDEN_SIZE);
    assert_non_null(bytes);
    *size = TEST_J3D_GOLDEN_SIZE;
    if (bdl)
        test_j3d_golden(bytes);
    else
        *size = test_j3d_golden_bmd(bytes);
    return bytes;
}

/* Write the document and compare it with the expected bytes. */
static inline void expect_written(const facet_j3d *document, const uint8_t *bytes, size_t size)
{
    facet_error error;
    facet_output *output;
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(facet_j3d_write(document, NULL, output, &error), &error);
    TEST_OK(facet_output_commit(output, &error), &error);
    assert_int_equal(facet_output_size(output), size);
    assert_memory_equal(facet_output_data(output), bytes, size);
    facet_output_free(output);
}

/* Check that reading and writing gives the same bytes. */
static inline void expect_same_copy(const uint8_t *bytes, size_t size)
{
    facet_j3d *document = read_file(bytes, size);
    expect_written(document, bytes, size);
    facet_j3d_free(document);
}

#endif
