/* Repair of models in archives: only they change. */
#include "support/j3d_make.h"
#include "support/support.h"

#include "convert/repair.h"

#include <facet/convert.h>
#include <string.h>

static facet_report *new_report(void)
{
    facet_report *report;
    facet_error error;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    return report;
}

static void write_archive(const facet_archive *archive, test_bytes *bytes)
{
    facet_error error;
    facet_output *output;
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(facet_archive_write(archive, NULL, output, &error), &error);
    TEST_OK(facet_output_commit(output, &error), &error);
    test_bytes_put(bytes, facet_output_data(output), (size_t)facet_output_size(output));
    facet_output_free(output);
}

static void repair(const test_bytes *archive, facet_report *report, test_bytes *made)
{
    static const facet_j3d_options j3d = {.repair = true};
    const facet_options options = {.j3d = &j3d, .report = report};
    facet_error error;
    facet_output *output;
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(
        facet_repair_archive(TEST_SOURCE(archive->data, archive->size), &options, output, &error),
        &error);
    TEST_OK(facet_output_commit(output, &error), &error);
    test_bytes_put(made, facet_output_data(output), (size_t)facet_output_size(output));
    facet_output_free(output);
}

static size_t count_errors(const facet_archive *archive, const char *path)
{
    facet_report *report = new_report();
    facet_error error;
    facet_source source;
    uint32_t member = facet_archive_find(archive, FACET_NONE, path);
    assert_int_not_equal(member, FACET_NONE);
    TEST_OK(facet_archive_open(archive, member, NULL, NULL, &source, &error), &error);
    TEST_OK(facet_check(&source, facet_format_named("bmd"), NULL, report, &error), &error);
    size_t errors = facet_report_severity_count(report, FACET_SEVERITY_ERROR);
    facet_source_close(&source);
    facet_report_free(report);
    return errors;
}

static void expect_member(const facet_archive *archive, const char *path, const test_bytes *bytes)
{
    const uint8_t *data;
    size_t size;
    facet_error error;
    uint32_t member = facet_archive_find(archive, FACET_NONE, path);
    TEST_OK(facet_archive_get(archive, member, &data, &size, &error), &error);
    assert_int_equal(size, bytes->size);
    assert_memory_equal(data, bytes->data, size);
}

static void compress(const test_bytes *bytes, test_bytes *made)
{
    facet_error error;
    facet_output *output;
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(facet_compress(bytes->data, bytes->size, FACET_COMPRESSION_YAZ0,
                           FACET_COMPRESSION_OFFICIAL, 32, NULL, output, &error),
            &error);
    TEST_OK(facet_output_commit(output, &error), &error);
    test_bytes_put(made, facet_output_data(output), (size_t)facet_output_size(output));
    facet_output_free(output);
}

static test_bytes make_model(bool has_fault)
{
    test_j3d *model = test_j3d_small();
    model->single_envelopes = has_fault; /* stored once, like some tools do */
    test_bytes bytes = test_j3d_write(model, FACET_J3D_BMD3);
    test_j3d_free(model);
    return bytes;
}

TEST(archive_is_repaired_member_by_member)
{
    static const char text[] = "not a model";
    test_bytes good = make_model(false), bad = make_model(true), packed = {0}, bytes = {0},
               inner = {0}, made = {0}, torn = {0};
    facet_archive *archive, *after, *nested;
    facet_report *report = new_report();
    facet_error error;
    compress(&bad, &packed);
    TEST_OK(facet_archive_create(FACET_ARCHIVE_RARC, "inner", NULL, &nested, &error), &error);
    TEST_OK(facet_archive_add(nested, "deep.bmd", bad.data, bad.size, NULL, &error), &error);
    write_archive(nested, &inner);
    facet_archive_free(nested);
    test_bytes_put(&torn, bad.data, bad.size / 2);
    TEST_OK(facet_archive_create(FACET_ARCHIVE_RARC, "all", NULL, &archive, &error), &error);
    TEST_OK(facet_archive_add(archive, "a/good.bmd", good.data, good.size, NULL, &error), &error);
    TEST_OK(facet_archive_add(archive, "a/bad.bmd", bad.data, bad.size, NULL, &error), &error);
    TEST_OK(facet_archive_add(archive, "a/packed.szs", packed.data, packed.size, NULL, &error),
            &error);
    TEST_OK(facet_archive_add(archive, "a/torn.bmd", torn.data, torn.size, NULL, &error), &error);
    TEST_OK(facet_archive_add(archive, "b/inner.arc", inner.data, inner.size, NULL, &error),
            &error);
    TEST_OK(facet_archive_add(archive, "b/read.txt", text, sizeof text, NULL, &error), &error);
    write_archive(archive, &bytes);
    assert_int_equal(count_errors(archive, "a/bad.bmd"), 1);
    repair(&bytes, report, &made);
    TEST_OK(facet_archive_read(TEST_SOURCE(made.data, made.size), NULL, &after, &error), &error);
    assert_int_equal(after->member_count, archive->member_count);
    assert_int_equal(count_errors(after, "a/bad.bmd"), 0);
    assert_int_equal(count_errors(after, "a/packed.szs"), 0);
    expect_member(after, "a/good.bmd", &good);
    expect_member(after, "a/torn.bmd", &torn);
    /* The compressed member is still compressed, and the inner archive still exists. */
    const uint8_t *data;
    size_t size;
    uint32_t member = facet_archive_find(after, FACET_NONE, "a/packed.szs");
    TEST_OK(facet_archive_get(after, member, &data, &size, &error), &error);
    assert_int_equal(facet_get_compression(data, size), FACET_COMPRESSION_YAZ0);
    member = facet_archive_find(after, FACET_NONE, "b/inner.arc");
    TEST_OK(facet_archive_get(after, member, &data, &size, &error), &error);
    TEST_OK(facet_archive_read(TEST_SOURCE(data, size), NULL, &nested, &error), &error);
    assert_int_equal(count_errors(nested, "deep.bmd"), 0);
    /* Three models were repaired and are named. The truncated one is kept and reported. */
    uint32_t named = 0, kept = 0;
    for (size_t i = 0; i < facet_report_count(report); i++) {
        const facet_finding *finding = facet_report_get(report, i);
        named += strcmp(finding->rule, "J3D-REPAIRED") == 0 &&
                 (strstr(finding->message, "a/bad.bmd: ") ||
                  strstr(finding->message, "a/packed.szs: ") ||
                  strstr(finding->message, "b/inner.arc/deep.bmd: "));
        kept += strcmp(finding->rule, "J3D-UNREPAIRED") == 0 &&
                finding->severity == FACET_SEVERITY_WARNING &&
                strstr(finding->message, "a/torn.bmd: ");
        assert_null(strstr(finding->message, "good.bmd"));
    }
    assert_int_equal(named, 3);
    assert_int_equal(kept, 1);
    facet_archive_free(nested);
    facet_archive_free(after);
    facet_archive_free(archive);
    facet_report_free(report);
    test_bytes *all[] = {&good, &bad, &packed, &bytes, &inner, &made, &torn};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        test_bytes_free(all[i]);
}

/* An archive without errors is copied byte for byte. */
TEST(archive_without_errors_is_copied)
{
    test_bytes good = make_model(false), bytes = {0}, made = {0};
    facet_archive *archive;
    facet_report *report = new_report();
    facet_error error;
    TEST_OK(facet_archive_create(FACET_ARCHIVE_RARC, "all", NULL, &archive, &error), &error);
    TEST_OK(facet_archive_add(archive, "a/good.bmd", good.data, good.size, NULL, &error), &error);
    write_archive(archive, &bytes);
    repair(&bytes, report, &made);
    assert_int_equal(made.size, bytes.size);
    assert_memory_equal(made.data, bytes.data, bytes.size);
    assert_int_equal(facet_report_count(report), 0);
    facet_archive_free(archive);
    facet_report_free(report);
    test_bytes_free(&good);
    test_bytes_free(&bytes);
    test_bytes_free(&made);
}
