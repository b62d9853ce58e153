/* IQM: numbers of every component type, and fields of a document that are rarely used. */
#include "formats/iqm/view.h"

#include <facet/iqm.h>
#include <math.h>
#include <stdlib.h>

#include "support/iqm.h"
#include "support/support.h"

/* -- Components --------------------------------------------------------- */

typedef struct number {
    uint32_t format;
    uint8_t bytes[8];
    double value, fraction; /* fraction: of the largest integer of the type */
} number;

/* Halves by IEEE 754: (1024 + fraction) * 2^(exponent - 25), or fraction * 2^-24. */
static const number numbers[] = {
    {FACET_IQM_INT8, {0x7F}, 127, 1},
    {FACET_IQM_INT8, {0x80}, -128, -1},
    {FACET_IQM_INT8, {0x81}, -127, -1},
    {FACET_IQM_UINT8, {0xFF}, 255, 1},
    {FACET_IQM_UINT8, {51}, 51, 0.2},
    {FACET_IQM_INT16, {0xFF, 0x7F}, 32767, 1},
    {FACET_IQM_INT16, {0x00, 0x80}, -32768, -1},
    {FACET_IQM_UINT16, {0xFF, 0xFF}, 65535, 1},
    {FACET_IQM_UINT16, {0x01, 0x02}, 513, 513 / 65535.0},
    {FACET_IQM_INT32, {0xFF, 0xFF, 0xFF, 0x7F}, 2147483647, 1},
    {FACET_IQM_INT32, {0x00, 0x00, 0x00, 0x80}, -2147483648.0, -1},
    {FACET_IQM_UINT32, {0xFF, 0xFF, 0xFF, 0xFF}, 4294967295.0, 1},
    {FACET_IQM_FLOAT16, {0x00, 0x3C}, 1, 1},
    {FACET_IQM_FLOAT16, {0x00, 0xC0}, -2, -2},
    {FACET_IQM_FLOAT16, {0x55, 0x35}, 0.333251953125, 0.333251953125},
    {FACET_IQM_FLOAT16, {0x01, 0x00}, 1 / 16777216.0, 1 / 16777216.0},
    {FACET_IQM_FLOAT16, {0xFF, 0x03}, 1023 / 16777216.0, 1023 / 16777216.0},
    {FACET_IQM_FLOAT16, {0x00, 0x04}, 1 / 16384.0, 1 / 16384.0},
    {FACET_IQM_FLOAT16, {0xFF, 0x7B}, 65504, 65504},
    {FACET_IQM_FLOAT16, {0x00, 0x7C}, INFINITY, INFINITY},
    {FACET_IQM_FLOAT16, {0x00, 0xFC}, -INFINITY, -INFINITY},
    {FACET_IQM_FLOAT32, {0x00, 0x00, 0x20, 0xC0}, -2.5, -2.5},
    {FACET_IQM_FLOAT64, {0, 0, 0, 0, 0, 0, 0x04, 0x40}, 2.5, 2.5},
};

static void expect_number(const number *n, bool normalized)
{
    double expected = normalized ? n->fraction : n->value, found = 0;
    facet_iqm_components(n->bytes, n->format, normalized, &found, 1);
    if (found != expected || facet_iqm_component(n->bytes, n->format, normalized) != expected)
        fail_msg("number %td is %.17g, expected %.17g", n - numbers, found, expected);
}

TEST(components_are_those_of_their_format)
{
    static const uint8_t nan[] = {0x01, 0x7E};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        expect_number(&numbers[i], false);
        expect_number(&numbers[i], true);
    }
    assert_true(isnan(facet_iqm_component(nan, FACET_IQM_FLOAT16, false)));
}

/* -- Version 1 ---------------------------------------------------------- */

enum { V1_SIZE = 276 };

/* A joint whose rotation has z = 0.6 in frame 0 and -0.6 in frame 1: w is -0.8 in both. */
TEST(rotation_of_one_w_gets_no_channel)
{
    static const float still[] = {0, 0, 0, 0, 0, -0.6F, 1, 1, 1};
    uint8_t file[V1_SIZE] = {0};
    memcpy(file, "INTERQUAKEMODEL", 16);
    iqm_put_words(file + 16, (const uint32_t[]){1, V1_SIZE, 0, 4, 124}, 5);
    iqm_put_words(file + 68, (const uint32_t[]){1, 128, 1, 172, 1, 252, 2, 1, 272}, 9);
    memcpy(file + 124, "\0z\0", 4);
    iqm_put(file + 132, 0xFFFFFFFF);
    iqm_put_floats(file + 136, still, 9);
    iqm_put(file + 172, 0xFFFFFFFF);
    iqm_put(file + 176, 0x20);
    iqm_put_floats(file + 180, still, 9);
    iqm_put_float(file + 180 + 36 + 20, 1.2F); /* frames 0 and 1 */
    iqm_put_words(file + 252, (const uint32_t[]){1, 0, 2}, 3);
    iqm_put_float(file + 264, 24);
    iqm_put(file + 272, 0x00000001);
    facet_iqm *document = test_read_iqm(file, sizeof file);
    assert_int_equal(document->poses[0].mask, 0x20);
    assert_int_equal(document->channel_count, 1);
    assert_true(fabsf(document->poses[0].offset[6] + 0.8F) < 1e-6F);
    assert_true(document->frames[0] == 1 && document->frames[1] == 0);
    facet_iqm_free(document);
}

/* -- Documents ---------------------------------------------------------- */

/* Two extensions, the second before the first. */
TEST(extensions_are_kept_in_their_order)
{
    enum { SECOND = IQM_SIZE, SIZE = IQM_SIZE + 24 };
    uint8_t file[SIZE] = {0};
    iqm_build(file);
    iqm_put(file + 20, SIZE);
    iqm_put(file + 116, 2);
    iqm_put(file + 120, SECOND);
    iqm_put_words(file + SECOND, (const uint32_t[]){IQM_ROOT, 8, SECOND + 16, IQM_EXTENSION}, 4);
    memcpy(file + SECOND + 16, "abcdefgh", 8);
    facet_iqm *document = test_read_iqm(file, sizeof file);
    facet_output *output = test_write_iqm(document);
    assert_int_equal(facet_output_size(output), SIZE);
    assert_memory_equal(facet_output_data(output), file, SIZE);
    facet_output_free(output);
    /* At a new position as well. */
    document->comment = "longer than it was";
    document->comment_size = 18;
    output = test_write_iqm(document);
    facet_iqm *again = test_read_iqm(facet_output_data(output), (size_t)facet_output_size(output));
    assert_int_equal(again->extension_count, 2);
    assert_memory_equal(again->extensions[0].data, "abcdefgh", 8);
    assert_memory_equal(again->extensions[1].data, "12345678", 8);
    facet_iqm_free(again);
    facet_output_free(output);
    facet_iqm_free(document);
}

/* Padding zeros between sections are not findings; the section after them is not padding. */
TEST(padding_is_not_reported)
{
    enum { SIZE = IQM_SIZE + 24 };
    uint8_t file[SIZE] = {0};
    facet_options options = {0};
    facet_iqm *document = NULL;
    facet_error error;
    iqm_build(file);
    memcpy(file + IQM_SIZE + 16, file + IQM_COMMENT, 8);
    memset(file + IQM_COMMENT, 0, 8);
    iqm_put(file + 112, IQM_SIZE + 16);
    TEST_OK(facet_report_create(NULL, &options.report, &error), &error);
    TEST_OK(facet_iqm_read(TEST_SOURCE(file, sizeof file), &options, &document, &error), &error);
    assert_null(test_finding(options.report, "LOSS-UNREAD"));
    facet_iqm_free(document);
    file[IQM_SIZE + 3] = 1;
    TEST_OK(facet_iqm_read(TEST_SOURCE(file, sizeof file), &options, &document, &error), &error);
    const facet_finding *lost = test_finding(options.report, "LOSS-UNREAD");
    assert_non_null(lost);
    assert_int_equal(lost->offset, IQM_SIZE);
    assert_string_equal(lost->message, "16 bytes outside of all sections are not kept");
    facet_iqm_free(document);
    facet_report_free(options.report);
}
