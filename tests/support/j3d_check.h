/* tests/support/j3d_check.h - findings of a check of J3D files. */
#ifndef FACET_TESTS_J3D_CHECK_H
#define FACET_TESTS_J3D_CHECK_H

#include "formats/j3d/format.h"
#include "support/j3d_golden.h"
#include "support/j3d_make.h"
#include "support/support.h"

#include "base/bytes.h"

#include <stdio.h>
#include <stdlib.h>

#define INF1 TEST_J3D_GOLDEN_INF1
#define VTX1 TEST_J3D_GOLDEN_VTX1
#define EVP1 TEST_J3D_GOLDEN_EVP1
#define DRW1 TEST_J3D_GOLDEN_DRW1
#define JNT1 TEST_J3D_GOLDEN_JNT1
#define SHP1 TEST_J3D_GOLDEN_SHP1
#define MAT3 TEST_J3D_GOLDEN_MAT3
#define MDL3 TEST_J3D_GOLDEN_MDL3
#define TEX1 TEST_J3D_GOLDEN_TEX1

#define E FACET_SEVERITY_ERROR
#define W FACET_SEVERITY_WARNING
#define N FACET_SEVERITY_NOTE

/* True if the report has a finding of this rule and severity at this offset. */
static inline bool has(const facet_report *report, const char *rule, facet_severity severity,
                       uint64_t offset)
{
    for (size_t i = 0; i < facet_report_count(report); i++) {
        const facet_finding *finding = facet_report_get(report, i);
        if (strcmp(finding->rule, rule) == 0 && finding->severity == severity &&
            finding->offset == offset)
            return true;
    }
    return false;
}

/* True if a finding of this rule and severity counts several offsets. */
static inline bool has_several(const facet_report *report, const char *rule,
                               facet_severity severity)
{
    for (size_t i = 0; i < facet_report_count(report); i++) {
        const facet_finding *finding = facet_report_get(report, i);
        if (strcmp(finding->rule, rule) == 0 && finding->severity == severity && finding->count > 1)
            return true;
    }
    return false;
}

static inline void expect_reported(const facet_report *report, const char *rule,
                                   facet_severity severity, uint64_t offset)
{
    if (!has(report, rule, severity, offset) && !has_several(report, rule, severity))
        print_message("AGREE %s %d at 0x%X\n", rule, (int)severity, (unsigned)offset);
}

/* Every finding of the reader is also one of the check: with the same rule, severity and offset. */
static inline void expect_agreement(const facet_report *report, const uint8_t *data, size_t size)
{
    facet_j3d *document;
    facet_error error;
    facet_options options = {0};
    TEST_OK(facet_report_create(NULL, &options.report, &error), &error);
    if (facet_j3d_read(TEST_SOURCE(data, size), &options, &document, &error) == FACET_OK)
        facet_j3d_free(document);
    else
        expect_reported(report, error.rule, E, error.offset);
    for (size_t i = 0; i < facet_report_count(options.report); i++) {
        const facet_finding *finding = facet_report_get(options.report, i);
        expect_reported(report, finding->rule, finding->severity, finding->offset);
    }
    facet_report_free(options.report);
}

static inline facet_report *check(const uint8_t *data, size_t size)
{
    facet_report *report;
    facet_error error;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    TEST_OK(facet_j3d_check(TEST_SOURCE(data, size), NULL, report, &error), &error);
    expect_agreement(report, data, size);
    return report;
}

static inline void print_report(const facet_report *report)
{
    for (size_t i = 0; i < facet_report_count(report); i++) {
        const facet_finding *finding = facet_report_get(report, i);
        print_message("%d %s: %s\n", (int)finding->severity, finding->rule, finding->message);
    }
}

static inline const facet_finding *find(const facet_report *report, const char *rule,
                                        facet_severity severity)
{
    for (size_t i = 0; i < facet_report_count(report); i++) {
        const facet_finding *finding = facet_report_get(report, i);
        if (strcmp(finding->rule, rule) == 0 && finding->severity == severity)
            return finding;
    }
    return NULL;
}

/* Expect the rule at an offset inside the file. The file can be read if the severity is below
 * error. */
static inline void expect(const uint8_t *data, size_t size, const char *rule,
                          facet_severity severity)
{
    facet_report *report = check(data, size);
    const facet_finding *finding = find(report, rule, severity);
    if (!finding) {
        print_report(report);
        fail_msg("%s is missing", rule);
        return;
    }
    assert_true(finding->offset <= size);
    assert_true(strlen(finding->message) > 10);
    if (facet_report_severity_count(report, FACET_SEVERITY_ERROR) == 0) {
        facet_j3d *document;
        facet_error error;
        TEST_OK(facet_j3d_read(TEST_SOURCE(data, size), NULL, &document, &error), &error);
        facet_j3d_free(document);
    }
    facet_report_free(report);
}

static inline void expect_file(const test_bytes *file, const char *rule, facet_severity severity)
{
    expect(file->data, file->size, rule, severity);
}

static inline void expect_clean(const uint8_t *data, size_t size)
{
    facet_report *report = check(data, size);
    if (facet_report_count(report) > 0) {
        print_report(report);
        fail_msg("there are findings");
    }
    facet_report_free(report);
}

/* Expect no error, and no finding of a rule that begins with `rules`. */
static inline void expect_none_of(const test_bytes *file, const char *rules)
{
    facet_report *report = check(file->data, file->size);
    if (facet_report_severity_count(report, E) > 0)
        print_report(report);
    assert_int_equal(facet_report_severity_count(report, E), 0);
    for (size_t i = 0; i < facet_report_count(report); i++)
        assert_int_not_equal(strncmp(facet_report_get(report, i)->rule, rules, strlen(rules)), 0);
    facet_report_free(report);
}

static inline void store(uint8_t *at, int width, uint32_t value)
{
    for (int i = 0; i < width; i++)
        at[i] = (uint8_t)(value >> 8 * (width - 1 - i));
}

#endif
