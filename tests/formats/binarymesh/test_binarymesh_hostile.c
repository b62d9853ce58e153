/* BinaryMesh: damaged files, failed allocations, canceled reads. */
#include "formats/binarymesh/binarymesh.h"
#include "support/binarymesh.h"

#include <stdlib.h>

/* -- Untrusted input --------------------------------------------------------- */

/* The largest block that was requested. */
static size_t largest_allocation;

static void *note_allocate(void *user, size_t size)
{
    (void)user;
    if (size > largest_allocation)
        largest_allocation = size;
    return size < ((size_t)1 << 30) ? malloc(size) : NULL;
}

static void note_release(void *user, void *pointer, size_t size)
{
    (void)user;
    (void)size;
    free(pointer);
}

static void assert_malformed(const bytes *file, const char *rule, size_t limit)
{
    static const facet_allocator allocator = {note_allocate, note_release, NULL};
    facet_options options = {.allocator = &allocator};
    facet_binarymesh *document = NULL;
    facet_error error;
    largest_allocation = 0;
    assert_int_equal(
        facet_binarymesh_read(TEST_SOURCE(file->data, file->size), &options, &document, &error),
        FACET_ERROR_MALFORMED);
    assert_string_equal(error.rule, rule);
    assert_true(largest_allocation <= limit);
    assert_null(document);

    /* A check reports the same. */
    facet_report *report = NULL;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    TEST_OK(facet_binarymesh_check(TEST_SOURCE(file->data, file->size), &options, report, &error),
            &error);
    const facet_finding *finding = test_finding(report, rule);
    assert_non_null(finding);
    assert_int_equal(finding->severity, FACET_SEVERITY_ERROR);
    facet_report_free(report);
}

/* A file of version 4 with one block whose header has these sizes. */
static bytes lying_block(uint64_t size, uint64_t compressed, const void *data, size_t data_size)
{
    bytes file = {0};
    put_header(&file, 4);
    put_number(&file, size, 8);
    put_number(&file, compressed, 8);
    put(&file, data, data_size);
    return file;
}

TEST(damaged_blocks_are_refused_early)
{
    static const struct {
        uint64_t size, compressed;
        const char *rule;
    } cases[] = {
        {UINT64_C(1) << 63, 4, "BM-BLOCK-LIMIT"},
        {4, UINT64_C(1) << 63, "BM-BLOCK-LIMIT"},
        {UINT64_MAX, UINT64_MAX, "BM-BLOCK-LIMIT"},
        {0x80000000, 4, "BM-BLOCK-LIMIT"},
        {0x7FFFFFFF, 4, "BM-BLOCK-RATIO"},
        {255 * 4 + 65, 4, "BM-BLOCK-RATIO"},
        {255 * 4 + 64, 4, "BM-BLOCK-LZ4"}, /* possible in general, but not from these four bytes */
        {5, 4, "BM-BLOCK-LZ4"},            /* they decompress to 3 bytes */
        {2, 4, "BM-BLOCK-LZ4"},
        {3, 5, "BM-BLOCK-TRUNCATED"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        /* LZ4: a token for three literals, and the literals. */
        bytes file = lying_block(cases[i].size, cases[i].compressed, "\x30\1\0x", 4);
        assert_malformed(&file, cases[i].rule, 8192);
        free(file.data);
    }
    bytes file = lying_block(3, 4, "\x30\1\0x", 4);
    put_number(&file, 0, 8);
    put_number(&file, 0, 7);
    assert_malformed(&file, "BM-BLOCK-TRUNCATED", 8192);
    free(file.data);
}

/* LZO that decompresses to too little or too much, or lacks the end mark. */
TEST(damaged_lzo_blocks_are_refused)
{
    bytes data = example_data(2), good = pack(2, data, 0);
    for (int change = 0; change < 3; change++) {
        bytes file = {0};
        put(&file, good.data, good.size);
        file.data[12] = (uint8_t)(file.data[12] + (change == 0 ? 1 : change == 1 ? -1 : 0));
        if (change == 2)
            file.data[file.size - 1] = 1; /* the end mark is 11 00 00 */
        assert_malformed(&file, "BM-BLOCK-LZO", 8192);
        free(file.data);
    }
    free(data.data);
    free(good.data);
}

TEST(damaged_headers_have_their_rule)
{
    static const struct {
        const char *bytes;
        size_t size;
        const char *rule;
    } cases[] = {
        {"", 0, "BM-SIZE-HEADER"},
        {"BINARYMESH\1", 11, "BM-SIZE-HEADER"},
        {"BINARYMESS\1\0", 12, "BM-SIGNATURE"},
        {"BINARYMESH\0\0", 12, "BM-VERSION-UNKNOWN"},
        {"BINARYMESH\5\0", 12, "BM-VERSION-UNKNOWN"},
        {"BINARYMESH\0\3", 12, "BM-VERSION-SWAPPED"},
        {"BINARYMESH\1\0x", 13, "BM-DATA-TRUNCATED"},
        {"BINARYMESH\1\0\5\0abc", 17, "BM-DATA-TRUNCATED"},
        {"BINARYMESH\1\0\0\0\377\377\377\377", 18, "BM-COUNT-IMPLAUSIBLE"},
        {"BINARYMESH\1\0\0\0\0\0\0\0\1\0\0\0", 22, "BM-COUNT-IMPLAUSIBLE"},
        {"BINARYMESH\1\0\0\0\0\0\0\0\0\0\0\0\1\0\0\0", 26, "BM-COUNT-IMPLAUSIBLE"},
        {"BINARYMESH\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\2\0\0", 29, "BM-COUNT-IMPLAUSIBLE"},
        {"BINARYMESH\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1\0\0\0", 32, "BM-COUNT-IMPLAUSIBLE"},
        {"BINARYMESH\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1\0\0\0\377\377\0\0", 36,
         "BM-DATA-TRUNCATED"},
        {"BINARYMESH\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 33, "BM-DATA-TRAILING"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bytes file = {0};
        put(&file, cases[i].bytes, cases[i].size);
        put(&file, NULL, 0);
        assert_malformed(&file, cases[i].rule, 8192);
        free(file.data);
    }
}

TEST(empty_file_is_no_error)
{
    bytes file = {0};
    put_header(&file, 4);
    facet_binarymesh *document = read_document(file.data, file.size, NULL);
    assert_int_equal(document->object_count, 0);
    facet_binarymesh_free(document);
    free(file.data);
}

static facet_status read_once(const facet_allocator *allocator, void *user)
{
    const bytes *file = user;
    facet_options options = {.allocator = allocator};
    facet_binarymesh *document = NULL;
    facet_status status =
        facet_binarymesh_read(TEST_SOURCE(file->data, file->size), &options, &document, NULL);
    if (status)
        return status;
    facet_output *output = NULL;
    status = facet_output_open_memory(allocator, &output, NULL);
    if (!status)
        status = facet_binarymesh_write(document, &options, output, NULL);
    if (!status)
        status = facet_output_commit(output, NULL);
    facet_output_free(output);
    facet_binarymesh_free(document);
    return status;
}

TEST(read_reports_failed_allocations)
{
    for (uint32_t version = 1; version <= 4; version++) {
        bytes data = mixed_data(version), file = pack(version, data, 100);
        test_every_allocation(read_once, &file);
        free(data.data);
        free(file.data);
    }
}

/* For any bytes: a document that is read has only values in range. */
static void read_mutated(const uint8_t *data, size_t size, void *user)
{
    (void)user;
    facet_options options = {.memory_limit = (uint64_t)1 << 24};
    facet_binarymesh *document = NULL;
    if (facet_binarymesh_read(TEST_SOURCE(data, size), &options, &document, NULL))
        return;
    /* The writer refuses what is out of range. */
    if (document->object_count > 0)
        facet_output_free(write_document(document, document->double_precision ? 3 : 4, NULL));
    facet_binarymesh_free(document);
}

TEST(read_survives_any_byte_change)
{
    for (uint32_t version = 1; version <= 4; version++) {
        bytes data = mixed_data(version), file = pack(version, data, 0);
        test_every_mutation(file.data, file.size, read_mutated, NULL);
        free(data.data);
        free(file.data);
    }
}

static bool stop(void *user, const char *step, double fraction)
{
    (void)user;
    (void)step;
    (void)fraction;
    return false;
}

TEST(reading_can_be_canceled)
{
    bytes data = mixed_data(4), file = pack(4, data, 0);
    facet_options options = {.progress = stop};
    facet_binarymesh *document = NULL;
    assert_int_equal(
        facet_binarymesh_read(TEST_SOURCE(file.data, file.size), &options, &document, NULL),
        FACET_ERROR_CANCELED);
    free(data.data);
    free(file.data);
}
