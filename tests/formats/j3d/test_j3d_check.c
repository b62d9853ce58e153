/* Tests of `check` for J3D. A change of a few bytes of a correct file breaks each rule of
 * docs/reference/rules/j3d.md. */
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

/* -- Helpers ------------------------------------------------------------ */

/* True if the report has a finding of this rule and severity at this offset. */
static bool has(const facet_report *report, const char *rule, facet_severity severity,
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
static bool has_several(const facet_report *report, const char *rule, facet_severity severity)
{
    for (size_t i = 0; i < facet_report_count(report); i++) {
        const facet_finding *finding = facet_report_get(report, i);
        if (strcmp(finding->rule, rule) == 0 && finding->severity == severity && finding->count > 1)
            return true;
    }
    return false;
}

static void expect_reported(const facet_report *report, const char *rule, facet_severity severity,
                        uint64_t offset)
{
    if (!has(report, rule, severity, offset) && !has_several(report, rule, severity))
        print_message("AGREE %s %d at 0x%X\n", rule, (int)severity, (unsigned)offset);
}

/* Every finding of the reader is also one of the check: with the same rule, severity and offset. */
static void expect_agreement(const facet_report *report, const uint8_t *data, size_t size)
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

static facet_report *check(const uint8_t *data, size_t size)
{
    facet_report *report;
    facet_error error;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    TEST_OK(facet_j3d_check(TEST_SOURCE(data, size), NULL, report, &error), &error);
    expect_agreement(report, data, size);
    return report;
}

static void print_report(const facet_report *report)
{
    for (size_t i = 0; i < facet_report_count(report); i++) {
        const facet_finding *finding = facet_report_get(report, i);
        print_message("%d %s: %s\n", (int)finding->severity, finding->rule, finding->message);
    }
}

static const facet_finding *find(const facet_report *report, const char *rule,
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
static void expect(const uint8_t *data, size_t size, const char *rule, facet_severity severity)
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

static void expect_file(const test_bytes *file, const char *rule, facet_severity severity)
{
    expect(file->data, file->size, rule, severity);
}

static void expect_clean(const uint8_t *data, size_t size)
{
    facet_report *report = check(data, size);
    if (facet_report_count(report) > 0) {
        print_report(report);
        fail_msg("there are findings");
    }
    facet_report_free(report);
}

/* Expect no error, and no finding of a rule that begins with `rules`. */
static void expect_none_of(const test_bytes *file, const char *rules)
{
    facet_report *report = check(file->data, file->size);
    if (facet_report_severity_count(report, E) > 0)
        print_report(report);
    assert_int_equal(facet_report_severity_count(report, E), 0);
    for (size_t i = 0; i < facet_report_count(report); i++)
        assert_int_not_equal(strncmp(facet_report_get(report, i)->rule, rules, strlen(rules)), 0);
    facet_report_free(report);
}

static void store(uint8_t *at, int width, uint32_t value)
{
    for (int i = 0; i < width; i++)
        at[i] = (uint8_t)(value >> 8 * (width - 1 - i));
}

/* -- The golden file ---------------------------------------------------- */

TEST(golden_model_has_no_findings)
{
    uint8_t file[TEST_J3D_GOLDEN_SIZE];
    test_j3d_golden(file);
    expect_clean(file, sizeof file);
    expect_clean(file, test_j3d_golden_bmd(file));
}

typedef struct change {
    uint32_t at;
    int width;
    uint32_t value;
    const char *rule;
    facet_severity severity;
} change;

static const change changes[] = {
    {0x00, 1, 'X', "J3D-MAGIC", E},
    {0x04, 4, 0x626D6439, "J3D-MAGIC", E}, /* bmd9 */
    {0x00, 4, 0x59617A30, "J3D-COMPRESSED", E},
    {0x08, 4, 0xA80, "J3D-FILE-SIZE", E},
    {0x08, 4, 0xA40, "J3D-FILE-SIZE", W},
    {0x0C, 4, 10, "J3D-SECTION-COUNT", W},
    {0x0C, 4, 3, "J3D-SECTION-COUNT", E}, /* games do not load the other sections */
    {0x04, 4, 0x626D6433, "J3D-SECTION-KIND", W}, /* bmd3 */
    {INF1 + 4, 4, 0x7FFFFFE0, "J3D-SECTION-SIZE", E},
    {INF1 + 4, 4, 0x41, "J3D-SECTION-SIZE", E},
    {TEX1 + 4, 4, 0x7C, "J3D-SECTION-ALIGN", W},
    {EVP1 + 3, 1, 'X', "J3D-SECTION-UNKNOWN", W},
    {EVP1 + 3, 1, 'X', "J3D-SECTION-MISSING", W},
    {TEX1 + 3, 1, 'X', "J3D-SECTION-MISSING", E},
    {MAT3 + 3, 1, '4', "J3D-SECTION-VARIANT", E},
    {EVP1, 4, 0x494E4631, "J3D-SECTION-TWICE", E},
    {MDL3 + 3, 1, 'X', "J3D-MDL3-MISSING", E},
    /* hierarchy: joint, open, material, open, shape, close, close, end */
    {INF1 + 4, 4, 0x10, "J3D-INF1-SIZE", E},
    {INF1 + 0x14, 4, 0x3E, "J3D-INF1-END", E},
    {INF1 + 0x28, 2, 0x20, "J3D-INF1-NODE-TYPE", E},
    {INF1 + 0x22, 2, 5, "J3D-INF1-INDEX", E},
    {INF1 + 0x30, 2, 0, "J3D-INF1-BALANCE", E},
    {INF1 + 0x1C, 2, 2, "J3D-INF1-BALANCE", E},
    {INF1 + 0x20, 2, 0x10, "J3D-INF1-JOINT-TWICE", E},
    {INF1 + 0x18, 2, 0x11, "J3D-INF1-JOINT-MISSING", E},
    {INF1 + 0x28, 2, 0x11, "J3D-INF1-REPEATED", W},
    {INF1 + 0x28, 2, 0x11, "J3D-INF1-UNUSED", W},
    {INF1 + 0x28, 2, 0x11, "J3D-INF1-NO-SHAPE", E},
    {INF1 + 0x08, 2, 0x10, "J3D-INF1-FLAGS", W},
    {INF1 + 0x08, 2, 3, "J3D-INF1-SCALING", E},
    {INF1 + 0x08, 2, 0x1F, "J3D-INF1-SCALING", E},
    {INF1 + 0x0C, 4, 9, "J3D-INF1-PACKETS", W},
    {INF1 + 0x10, 4, 9, "J3D-INF1-VERTICES", W},
    {INF1 + 0x38, 4, 0, "J3D-PADDING", W},
    {VTX1 + 4, 4, 0x20, "J3D-VTX1-SIZE", E},
    {VTX1 + 0x80, 4, 0x0E, "J3D-VTX1-FORMATS", E},
    {VTX1 + 0x0C, 4, 0, "J3D-VTX1-POSITION", E},
    {VTX1 + 0x10, 4, 0x1000, "J3D-VTX1-ARRAY", E},
    {VTX1 + 0x48, 4, 9, "J3D-VTX1-COMPONENT", E},
    {VTX1 + 0x44, 4, 2, "J3D-VTX1-COMPONENT", E},
    {VTX1 + 0x48, 4, 1, "J3D-VTX1-RUNTIME", W},
    {VTX1 + 0x10, 4, 0, "J3D-VTX1-ARRAY-MISSING", W},
    {VTX1 + 0x10, 4, 0, "J3D-DL-ARRAY", E},
    {VTX1 + 0x60, 4, 0x0C, "J3D-VTX1-FORMAT-MISSING", W},
    {VTX1 + 0x60, 4, 0x15, "J3D-VTX1-ATTRIBUTE", W},
    {VTX1 + 0xA0, 4, 0x7FC00000, "J3D-FLOAT", W},
    {EVP1 + 4, 4, 0x10, "J3D-EVP1-SIZE", E},
    {EVP1 + 8, 2, 5000, "J3D-EVP1-ENVELOPES", E},
    {DRW1 + 4, 4, 0x10, "J3D-DRW1-SIZE", E},
    {DRW1 + 0x0C, 4, 0x1000, "J3D-DRW1-ENTRIES", E},
    {DRW1 + 0x14, 1, 2, "J3D-DRW1-TYPE", E},
    {DRW1 + 0x16, 2, 9, "J3D-DRW1-INDEX", E},
    {JNT1 + 4, 4, 0x10, "J3D-JNT1-SIZE", E},
    {JNT1 + 0x0C, 4, 0x1000, "J3D-JNT1-ENTRIES", E},
    {JNT1 + 0x58, 2, 3, "J3D-JNT1-REMAP", E},
    {JNT1 + 0x18, 2, 5, "J3D-JNT1-KIND", W},
    {JNT1 + 0x18, 2, 0x50, "J3D-JNT1-KIND", W},
    {JNT1 + 0x1C, 4, 0x7F800000, "J3D-JNT1-SCALE", E},
    {JNT1 + 0x30, 4, 0xFF800000, "J3D-FLOAT", W},
    {JNT1 + 0x14, 4, 0x1000, "J3D-NAMES-TABLE", E},
    {JNT1 + 0x5C, 2, 0, "J3D-NAMES-COUNT", W},
    {JNT1 + 0x60, 2, 0, "J3D-NAMES-HASH", W},
    {JNT1 + 0x62, 2, 0xFFFF, "J3D-NAMES-STRING", E},
    {SHP1 + 4, 4, 0x20, "J3D-SHP1-SIZE", E},
    {SHP1 + 0x0C, 4, 0x1000, "J3D-SHP1-ENTRIES", E},
    {SHP1 + 0x54, 2, 4, "J3D-SHP1-REMAP", E},
    {SHP1 + 0x2C, 1, 9, "J3D-SHP1-TYPE", E},
    {SHP1 + 0x38, 4, 0x7FC00000, "J3D-FLOAT", W},
    {SHP1 + 0x24, 4, 0x1000, "J3D-SHP1-GROUP", E},
    {SHP1 + 0xC2, 2, 0, "J3D-SHP1-GROUP", E},
    {SHP1 + 0xC2, 2, 11, "J3D-SHP1-GROUP", E},
    {SHP1 + 0xC4, 4, 0x7000, "J3D-SHP1-MATRIX-TABLE", E},
    {SHP1 + 0x88, 2, 7, "J3D-SHP1-MATRIX", E},
    {SHP1 + 0x88, 2, 0xFFFF, "J3D-SHP1-SLOT", E},
    {SHP1 + 0xC0, 2, 3, "J3D-SHP1-USE-MATRIX", W},
    {SHP1 + 0xC2, 2, 2, "J3D-SHP1-SINGLE", E},
    {SHP1 + 0x28, 4, 0x1000, "J3D-SHP1-LIST", E},
    {SHP1 + 0xC8, 4, 0x10000, "J3D-SHP1-LIST", E},
    {SHP1 + 0x64, 4, 1, "J3D-SHP1-DESCRIPTOR", E},  /* positions stored directly in the list */
    {SHP1 + 0x68, 4, 9, "J3D-SHP1-DESCRIPTOR", E},  /* attribute listed twice */
    {SHP1 + 0x68, 4, 30, "J3D-SHP1-DESCRIPTOR", E}, /* unknown attribute */
    {SHP1 + 0x2C, 1, 3, "J3D-SHP1-MATRIX-INDEX", W},
    {SHP1 + 0xA0, 1, 0x61, "J3D-DL-OPCODE", E},
    {SHP1 + 0xA0, 1, 0x91, "J3D-DL-FORMAT", E},
    {SHP1 + 0xA1, 2, 0x7FFF, "J3D-DL-VERTICES", E},
    {SHP1 + 0xBB, 1, 'T', "J3D-DL-TAIL", W},
    {SHP1 + 0xA0, 1, 0x80, "J3D-DL-COUNT", W}, /* three vertices do not make a quad */
    {SHP1 + 0xC8, 4, 0x1C, "J3D-DL-SIZE", W},
    {SHP1 + 0xA3, 2, 0x100, "J3D-DL-INDEX", E},
    {MAT3 + 4, 4, 0x20, "J3D-MAT3-SIZE", E},
    {MAT3 + 0x1C, 4, 0x5000, "J3D-MAT3-TABLE", E},
    {MAT3 + 0x1D0, 2, 9, "J3D-MAT3-REMAP", E},
    {MAT3 + 0x84 + 0x08, 2, 0x7000, "J3D-MAT3-INDEX", E},
    {MAT3 + 0x84 + 0xBC, 2, 0x100, "J3D-MAT3-INDEX", E},
    {MAT3 + 0x84 + 0xBC, 2, 7, "J3D-MAT3-OVERLAP", W},
    {MAT3 + 0x344, 1, 9, "J3D-MAT3-COUNT", E}, /* texgens */
    {MAT3 + 0x3C4, 1, 0, "J3D-MAT3-COUNT", E}, /* stages */
    {MAT3 + 0x3C4, 1, 17, "J3D-MAT3-COUNT", E},
    {MAT3 + 0x84, 1, 3, "J3D-MAT3-MODE", W},
    {MAT3 + 0x3B6, 1, 0x30, "J3D-MAT3-NUMBER", E}, /* channel of an order */
    {MAT3 + 0x3B6, 1, 9, "J3D-MAT3-NUMBER", W},
    {MAT3 + 0x120, 1, 9, "J3D-MAT3-NUMBER", W},  /* konst color selection */
    {MAT3 + 0x34D, 1, 12, "J3D-MAT3-NUMBER", W}, /* mode of a texture matrix */
    {MAT3 + 0x344, 1, 0, "J3D-MAT3-TEXCOORD", W},
    {MAT3 + 0x3B5, 1, 1, "J3D-MAT3-MAP", W},
    {MAT3 + 0x3B0, 2, 5, "J3D-MAT3-TEXTURE", E},
    {MAT3 + 0x1C, 4, 0x1F0, "J3D-MAT3-INDIRECT", W},
    {MAT3 + 0x35C, 4, 0x7FC00000, "J3D-FLOAT", W}, /* scale of a texture matrix */
    {MDL3 + 4, 4, 0x20, "J3D-MDL3-SIZE", E},
    {MDL3 + 0x10, 4, 0x1000, "J3D-MDL3-TABLE", E},
    {MDL3 + 0x44, 4, 0x10000, "J3D-MDL3-PACKET", E},
    {MDL3 + 0x23C, 2, 5, "J3D-MDL3-REMAP", E},
    {MDL3 + 0x220, 2, 1, "J3D-MDL3-ORDER", W},
    {MDL3 + 0x60, 1, 0x62, "J3D-MDL3-COMMAND", W},
    {MDL3 + 0x08, 2, 0, "J3D-MDL3-COUNT", W},
    {MDL3 + 0x64, 1, 1, "J3D-MDL3-REGISTER", W}, /* texture 1 */
    {MDL3 + 0x76, 1, 0x38, "J3D-MDL3-STALE", N}, /* the unused stage */
    {MDL3 + 0x228, 2, 0x36, "J3D-MDL3-INFO", W},
    {MDL3 + 0x230, 1, 0, "J3D-MDL3-MATRIX-INDICES", W},
    {MDL3 + 0x238, 1, 4, "J3D-MDL3-MODE", W},
    {TEX1 + 4, 4, 0x10, "J3D-TEX1-SIZE", E},
    {TEX1 + 0x0C, 4, 0x1000, "J3D-TEX1-HEADERS", E},
    {TEX1 + 0x20, 1, 7, "J3D-TEX1-FORMAT", E},
    {TEX1 + 0x22, 2, 0, "J3D-TEX1-SIZE", E},
    {TEX1 + 0x22, 2, 0x800, "J3D-TEX1-SIZE", W},
    {TEX1 + 0x3C, 4, 0, "J3D-TEX1-NO-IMAGE", W},
    {TEX1 + 0x3C, 4, 0x50, "J3D-TEX1-NO-IMAGE", W}, /* the offset points to the names */
    {TEX1 + 0x22, 2, 0x400, "J3D-TEX1-DATA", E},
    {TEX1 + 0x20, 1, 8, "J3D-TEX1-PALETTE", E},
    {TEX1 + 0x37, 1, 8, "J3D-TEX1-LOD", W},
    {TEX1 + 0x38, 1, 2, "J3D-TEX1-FILTER", W},
    {TEX1 + 0x38, 1, 10, "J3D-TEX1-LEVELS", W},
    {TEX1 + 0x22, 2, 6, "TEX1-SIDES", W},
    {TEX1 + 0x24, 2, 6, "TEX1-SIDES", W},
    {TEX1 + 0x26, 1, 9, "J3D-TEX1-NUMBER", W},
};

TEST(changed_golden_fields_name_their_rule)
{
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        uint8_t file[TEST_J3D_GOLDEN_SIZE];
        test_j3d_golden(file);
        store(file + changes[i].at, changes[i].width, changes[i].value);
        expect(file, sizeof file, changes[i].rule, changes[i].severity);
    }
}

/* Faults of the whole file: their offsets, and whether the file can be read. The reader and the
 * check report the same. */
TEST(check_and_reader_agree_on_files)
{
    static const struct {
        change change;
        uint64_t offset;
        bool is_read;
    } cases[] = {
        {{0x00, 4, 0x59617A30, "J3D-COMPRESSED", E}, 0, false},
        {{0x04, 4, 0x626D6439, "J3D-MAGIC", E}, 4, false},
        {{0x08, 4, 0xA80, "J3D-FILE-SIZE", E}, 8, true},
        {{0x08, 4, 0xA40, "J3D-FILE-SIZE", W}, 8, true},
        {{0x0C, 4, 10, "J3D-SECTION-COUNT", W}, 0x0C, true},
        {{0x04, 4, 0x626D6433, "J3D-SECTION-KIND", W}, MDL3, true},
        {{INF1 + 4, 4, 0x41, "J3D-SECTION-SIZE", E}, INF1 + 4, false},
        {{TEX1 + 4, 4, 0x7C, "J3D-SECTION-ALIGN", W}, TEX1 + 4, true},
        {{TEX1 + 4, 4, 0x7C, "J3D-FILE-SIZE", W}, TEX1 + 0x7C, true},
        {{EVP1 + 3, 1, 'X', "J3D-SECTION-UNKNOWN", W}, EVP1, true},
        {{EVP1 + 3, 1, 'X', "J3D-SECTION-MISSING", W}, 0x20, true},
        {{TEX1 + 3, 1, 'X', "J3D-SECTION-MISSING", E}, 0x20, true},
        {{JNT1 + 3, 1, 'X', "J3D-SECTION-MISSING", E}, 0x20, false},
        {{MAT3 + 3, 1, '4', "J3D-SECTION-VARIANT", E}, MAT3, false},
        {{EVP1, 4, 0x494E4631, "J3D-SECTION-TWICE", E}, EVP1, false},
        {{MDL3 + 3, 1, 'X', "J3D-MDL3-MISSING", E}, 0x20, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint8_t file[TEST_J3D_GOLDEN_SIZE];
        const change *c = &cases[i].change;
        facet_j3d *document = NULL;
        facet_error error = {0};
        facet_options options = {0};
        test_j3d_golden(file);
        store(file + c->at, c->width, c->value);
        facet_report *report = check(file, sizeof file);
        assert_true(has(report, c->rule, c->severity, cases[i].offset));
        TEST_OK(facet_report_create(NULL, &options.report, &error), &error);
        facet_status status =
            facet_j3d_read(TEST_SOURCE(file, sizeof file), &options, &document, &error);
        assert_int_equal(status == FACET_OK, cases[i].is_read);
        if (cases[i].is_read) {
            assert_true(has(options.report, c->rule, c->severity, cases[i].offset));
        } else {
            assert_string_equal(error.rule, c->rule);
            assert_int_equal(error.offset, cases[i].offset);
        }
        facet_j3d_free(document);
        facet_report_free(options.report);
        facet_report_free(report);
    }
}

/* A section with a wrong size hides the following ones, and none of them is reported as missing. */
TEST(cut_file_reports_no_missing_sections)
{
    uint8_t file[TEST_J3D_GOLDEN_SIZE];
    test_j3d_golden(file);
    facet_report *report = check(file, SHP1 + 0x20);
    assert_true(has(report, "J3D-SECTION-SIZE", E, SHP1 + 4));
    assert_null(find(report, "J3D-SECTION-MISSING", E));
    facet_report_free(report);
}

/* 65 sections of 8 bytes. */
TEST(more_than_64_sections_are_rejected)
{
    enum { COUNT = 65 };
    uint8_t file[0x20 + COUNT * 8] = "J3D2bmd3";
    store(file + 0x08, 4, sizeof file);
    store(file + 0x0C, 4, COUNT);
    for (size_t i = 0; i < COUNT; i++)
        memcpy(file + 0x20 + i * 8, "XYZ1\0\0\0\x08", 8);
    facet_report *report = check(file, sizeof file);
    assert_true(has(report, "J3D-SECTION-COUNT", E, 0x20 + 64 * 8));
    facet_report_free(report);
}

/* Exporters announce two sections in a file that has only textures. */
TEST(texture_file_may_announce_two_sections)
{
    uint8_t golden[TEST_J3D_GOLDEN_SIZE], file[0x20 + 0x80] = "J3D2bmt3";
    test_j3d_golden(golden);
    store(file + 0x08, 4, sizeof file);
    store(file + 0x0C, 4, 2);
    memcpy(file + 0x20, golden + TEX1, 0x80);
    expect_clean(file, sizeof file);
    store(file + 0x0C, 4, 3);
    expect(file, sizeof file, "J3D-SECTION-COUNT", W);
}

/* The check still finds errors in the sections after an invalid one. */
TEST(check_continues_after_a_faulty_section)
{
    uint8_t file[TEST_J3D_GOLDEN_SIZE];
    test_j3d_golden(file);
    store(file + INF1 + 0x28, 2, 0x20);
    store(file + DRW1 + 0x14, 1, 2);
    store(file + SHP1 + 0xA3, 2, 0x100);
    store(file + MAT3 + 0x84 + 0x08, 2, 0x7000);
    store(file + TEX1 + 0x20, 1, 7);
    expect(file, sizeof file, "J3D-INF1-NODE-TYPE", E);
    expect(file, sizeof file, "J3D-DRW1-TYPE", E);
    expect(file, sizeof file, "J3D-DL-INDEX", E);
    expect(file, sizeof file, "J3D-MAT3-INDEX", E);
    expect(file, sizeof file, "J3D-TEX1-FORMAT", E);
}

TEST(register_is_named)
{
    uint8_t file[TEST_J3D_GOLDEN_SIZE];
    test_j3d_golden(file);
    store(file + MDL3 + 0x6E, 1, 0x96); /* wrap modes */
    facet_report *report = check(file, sizeof file);
    const facet_finding *finding = find(report, "J3D-MDL3-REGISTER", W);
    assert_non_null(finding);
    assert_non_null(strstr(finding->message, "TX_SETMODE0[0]"));
    assert_non_null(strstr(finding->message, "wrap_s=mirror"));
    assert_int_equal(finding->offset, MDL3 + 0x6A);
    facet_report_free(report);
}

TEST(sections_and_attributes_out_of_order_warn)
{
    uint8_t file[TEST_J3D_GOLDEN_SIZE], section[0x20];
    test_j3d_golden(file);
    memcpy(section, file + EVP1, sizeof section);
    memcpy(file + EVP1, file + DRW1, sizeof section);
    memcpy(file + DRW1, section, sizeof section);
    expect(file, sizeof file, "J3D-SECTION-ORDER", W);
    test_j3d_golden(file); /* attributes of a vertex out of order */
    store(file + SHP1 + 0x68, 4, 0x0B);
    store(file + SHP1 + 0x70, 4, 0x0A);
    expect(file, sizeof file, "J3D-SHP1-DESCRIPTOR-ORDER", W);
}

/* -- Models ------------------------------------------------------------- */

TEST(small_model_has_no_errors)
{
    test_j3d *model = test_j3d_small();
    test_bytes file = test_j3d_write(model, FACET_J3D_BMD3);
    facet_report *report = check(file.data, file.size);
    if (facet_report_severity_count(report, FACET_SEVERITY_ERROR) > 0) {
        print_report(report);
        fail_msg("there are errors");
    }
    facet_report_free(report);
    test_bytes_free(&file);
    test_j3d_free(model);
}

/* Expect this rule for the small model with a change relative to a section. */
static void expect_change(const char *section, uint32_t field, uint32_t in_table, int width,
                          uint32_t value, const char *rule, facet_severity severity)
{
    test_j3d *model = test_j3d_small();
    test_bytes file = test_j3d_write(model, FACET_J3D_BMD3);
    size_t at = test_j3d_section(&file, section);
    at += field ? facet_load_u32be(file.data + at + field) + in_table : in_table;
    store(file.data + at, width, value);
    expect_file(&file, rule, severity);
    test_bytes_free(&file);
    test_j3d_free(model);
}

static facet_report *check_as(const test_bytes *file, facet_j3d_profile profile)
{
    facet_error error;
    facet_report *report;
    const facet_j3d_options j3d = {.profile = profile};
    const facet_options options = {.j3d = &j3d};
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    TEST_OK(facet_j3d_check(TEST_SOURCE(file->data, file->size), &options, report, &error), &error);
    return report;
}

TEST(envelope_faults_name_their_rule)
{
    expect_change("EVP1", 0, 0x10, 4, 0x7FFFFFF0, "J3D-EVP1-INFLUENCES", E);
    expect_change("EVP1", 0x10, 0, 2, 99, "J3D-EVP1-JOINT", E);
    expect_change("EVP1", 0x14, 0, 4, 0x40A00000, "J3D-EVP1-WEIGHTS", W);
    expect_change("EVP1", 0x14, 0, 4, 0x7FC00000, "J3D-FLOAT", W);
    expect_change("EVP1", 0x0C, 0, 1, 0, "J3D-EVP1-EMPTY", W);
    expect_change("EVP1", 0x0C, 0, 2, 0, "J3D-EVP1-EMPTY", W); /* both: no weights at all */
    expect_change("EVP1", 0, 0x18, 4, 0, "J3D-EVP1-INVERSE-BIND", E);
    expect_change("JNT1", 0x10, 0, 4, 0x00010000, "J3D-JNT1-REMAP", W);
    expect_change("SHP1", 0x10, 0, 4, 0x00010000, "J3D-SHP1-REMAP", W);
    /* joints 0, 1, 2, then envelopes 0, 1 twice */
    expect_change("DRW1", 0x0C, 0, 4, 0x01000000, "J3D-DRW1-ORDER", E);
    expect_change("DRW1", 0x10, 6, 4, 0x00010000, "J3D-DRW1-ENVELOPES", W);
    test_j3d *model = test_j3d_small();
    model->single_envelopes = true;
    test_bytes file = test_j3d_write(model, FACET_J3D_BMD3);
    expect_file(&file, "J3D-DRW1-COPIES", E);
    facet_report *report = check_as(&file, FACET_J3D_PROFILE_WIND_WAKER);
    assert_non_null(find(report, "J3D-DRW1-COPIES", W));
    assert_int_equal(facet_report_severity_count(report, E), 0);
    facet_report_free(report);
    test_bytes_free(&file);
    test_j3d_add_joint(model, "tail", 0); /* no influence uses this joint */
    file = test_j3d_write(model, FACET_J3D_BMD3);
    size_t at = test_j3d_section(&file, "EVP1");
    test_bytes_set32(&file, at + 0x18, facet_load_u32be(file.data + at + 0x18) + 48);
    expect_file(&file, "J3D-EVP1-INVERSE-BIND-COUNT", W);
    test_bytes_free(&file);
    test_j3d_free(model);
}

TEST(parent_joint_after_its_child_warns)
{
    static const uint16_t nodes[] = {0x10, 1, 1, 0, 0x10, 0, 2, 0};
    test_j3d *model = test_j3d_new();
    static const double point[3] = {0, 0, 0};
    test_j3d_add_joint(model, "child", 1);
    test_j3d_add_joint(model, "root", TEST_J3D_NONE);
    test_j3d_add_values(model, FACET_J3D_ARRAY_POSITION, 1, FACET_J3D_F32, 0, point, 1);
    test_j3d_add_draw(model, 0, 0);
    for (size_t i = 0; i < sizeof nodes / sizeof *nodes; i++)
        test_bytes_u16(&model->nodes, nodes[i]);
    test_bytes file = test_j3d_write(model, FACET_J3D_BMD3);
    expect_file(&file, "J3D-INF1-ORDER", W);
    test_bytes_free(&file);
    test_j3d_free(model);
}

/* Games load 16 or 256 colors: loadTexNo compares the count with 16 only. */
TEST(palettes_that_games_do_not_load)
{
    static const struct {
        unsigned format, has_palette, colors;
        const char *rule;                                /* NULL if no finding is expected */
    } cases[] = {{10, 1, 257, "J3D-TEX1-PALETTE-COUNT"}, /* C14X2 */
                 {10, 1, 256, NULL},
                 {9, 1, 257, NULL}, /* C8 uses 256 of them */
                 {9, 0, 16, "J3D-TEX1-PALETTE-FLAG"}};
    static const uint8_t texels[2 * 257 + 30];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        test_j3d *model = test_j3d_small();
        test_j3d_add_texture(model, "indexed", 1, 4, 4, texels, sizeof texels);
        test_bytes file = test_j3d_write(model, FACET_J3D_BMD3);
        size_t tex1 = test_j3d_section(&file, "TEX1");
        size_t header = tex1 + facet_load_u32be(file.data + tex1 + 0x0C) +
                        ((size_t)facet_load_u16be(file.data + tex1 + 8) - 1) * 32;
        file.data[header] = (uint8_t)cases[i].format;
        file.data[header + 8] = (uint8_t)cases[i].has_palette;
        store(file.data + header + 0x0A, 2, cases[i].colors);
        store(file.data + header + 0x0C, 4, facet_load_u32be(file.data + header + 0x1C));
        if (cases[i].rule)
            expect_file(&file, cases[i].rule, W);
        else
            expect_none_of(&file, "J3D-TEX1-PALETTE");
        test_bytes_free(&file);
        test_j3d_free(model);
    }
}

/* HD re-releases keep only the headers, whose offsets point to the names. */
TEST(image_in_the_names_is_none)
{
    static const uint8_t texels[32];
    test_j3d *model = test_j3d_small();
    test_j3d_add_texture(model, "gone", 1, 8, 4, texels, sizeof texels);
    test_bytes file = test_j3d_write(model, FACET_J3D_BMD3);
    size_t tex1 = test_j3d_section(&file, "TEX1");
    uint32_t names = facet_load_u32be(file.data + tex1 + 0x10);
    uint32_t header = facet_load_u32be(file.data + tex1 + 0x0C) +
                      (facet_load_u16be(file.data + tex1 + 8) - 1u) * 32;
    store(file.data + tex1 + header + 2, 4, 0x00400040); /* 64 x 64 needs more bytes than the
                                                          * section has */
    store(file.data + tex1 + header + 0x1C, 4, names - header);
    expect_file(&file, "J3D-TEX1-NO-IMAGE", W);
    expect_none_of(&file, "J3D-TEX1-DATA");
    test_bytes_free(&file);
    test_j3d_free(model);
}

/* -- Hierarchies that games reject --------------------------------------- */

enum { OPEN = 1, CLOSE, JOINT = 0x10, MATERIAL, SHAPE };

/* A file with two joints, this hierarchy, and as many materials as shapes. */
static test_bytes file_of_nodes(const uint16_t (*nodes)[2], size_t count, uint32_t shapes)
{
    static const double points[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    static const uint16_t values[3] = {0, 1, 2}, matrix = 0;
    test_j3d *model = test_j3d_new();
    test_j3d_add_joint(model, "root", TEST_J3D_NONE);
    test_j3d_add_joint(model, "arm", 0);
    test_j3d_add_values(model, FACET_J3D_ARRAY_POSITION, 1, FACET_J3D_F32, 0, points, 3);
    test_j3d_add_draw(model, 0, 0);
    for (uint32_t i = 0; i < shapes; i++) {
        facet_j3d_material material = test_j3d_minimal_material(i ? "second" : "first");
        test_j3d_add_material(model, &material);
        uint32_t shape = test_j3d_add_shape(model, FACET_J3D_SHAPE_SINGLE, i, 0);
        test_j3d_add_part(model, shape, FACET_J3D_POSITION, FACET_J3D_INPUT_INDEX8);
        test_j3d_add_packet(model, shape, &matrix, 1);
        test_j3d_draw(model, shape, 0x90, values, 3);
    }
    for (size_t i = 0; i < count; i++) {
        test_bytes_u16(&model->nodes, nodes[i][0]);
        test_bytes_u16(&model->nodes, nodes[i][1]);
    }
    test_bytes file = test_j3d_write(model, FACET_J3D_BMD3);
    test_j3d_free(model);
    return file;
}

#define NODES 12

/* The actions of makeHierarchy in the decompiled games: a material belongs to the joint of its
 * level, a shape to the last material of that joint. */
TEST(loaders_of_games)
{
    static const struct {
        uint32_t shapes;
        const char *rule; /* NULL if the hierarchy has no error and no warning */
        facet_severity severity;
        uint16_t nodes[NODES][2];
    } cases[] = {
        {1,
         NULL,
         E,
         {{JOINT, 0},
          {OPEN},
          {MATERIAL, 0},
          {OPEN},
          {SHAPE, 0},
          {OPEN},
          {JOINT, 1},
          {CLOSE},
          {CLOSE},
          {CLOSE}}},
        {1, NULL, E, {{JOINT, 0}, {OPEN}, {MATERIAL, 0}, {SHAPE, 0}, {JOINT, 1}, {CLOSE}}},
        {1,
         "J3D-INF1-OUTSIDE",
         E,
         {{MATERIAL, 0}, {OPEN}, {SHAPE, 0}, {CLOSE}, {JOINT, 0}, {OPEN}, {JOINT, 1}, {CLOSE}}},
        {1,
         "J3D-INF1-OUTSIDE",
         E,
         {{JOINT, 0}, {OPEN}, {JOINT, 1}, {CLOSE}, {MATERIAL, 0}, {SHAPE, 0}}},
        {1,
         "J3D-INF1-ROOTS",
         E,
         {{JOINT, 0}, {OPEN}, {MATERIAL, 0}, {OPEN}, {SHAPE, 0}, {CLOSE}, {CLOSE}, {JOINT, 1}}},
        {1,
         "J3D-INF1-SHAPE-MATERIAL",
         E,
         {{JOINT, 0}, {OPEN}, {SHAPE, 0}, {MATERIAL, 0}, {JOINT, 1}, {CLOSE}}},
        {1,
         "J3D-INF1-SHAPE-MATERIAL",
         E,
         {{JOINT, 0}, {OPEN}, {JOINT, 1}, {MATERIAL, 0}, {OPEN}, {SHAPE, 0}, {CLOSE}, {CLOSE}}},
        {2,
         "J3D-INF1-NO-SHAPE",
         E,
         {{JOINT, 0}, {OPEN}, {MATERIAL, 0}, {SHAPE, 0}, {JOINT, 1}, {CLOSE}}},
        {2,
         "J3D-INF1-REPLACED",
         W,
         {{JOINT, 0}, {OPEN}, {MATERIAL, 0}, {SHAPE, 0}, {SHAPE, 1}, {JOINT, 1}, {CLOSE}}},
        {1,
         "J3D-INF1-LOOP",
         E,
         {{JOINT, 0},
          {OPEN},
          {MATERIAL, 0},
          {SHAPE, 0},
          {MATERIAL, 0},
          {SHAPE, 0},
          {JOINT, 1},
          {CLOSE}}},
        {2,
         "J3D-INF1-LOOP",
         E,
         {{JOINT, 0},
          {OPEN},
          {MATERIAL, 0},
          {SHAPE, 0},
          {MATERIAL, 1},
          {SHAPE, 1},
          {MATERIAL, 0},
          {SHAPE, 0},
          {JOINT, 1},
          {CLOSE}}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t count = NODES;
        while (cases[i].nodes[count - 1][0] == 0)
            count--;
        test_bytes file = file_of_nodes(cases[i].nodes, count, cases[i].shapes);
        if (cases[i].rule) {
            expect_file(&file, cases[i].rule, cases[i].severity);
        } else {
            facet_report *report = check(file.data, file.size);
            assert_int_equal(facet_report_severity_count(report, E), 0);
            assert_null(find(report, "J3D-INF1-REPEATED", W));
            facet_report_free(report);
        }
        test_bytes_free(&file);
    }
}

/* A shape uses the last material of its joint, even if another joint names a later one. */
TEST(shape_takes_the_material_of_its_joint)
{
    static const uint16_t nodes[][2] = {{JOINT, 0}, {OPEN, 0},     {MATERIAL, 0}, {JOINT, 1},
                                        {OPEN, 0},  {MATERIAL, 1}, {SHAPE, 1},    {CLOSE, 0},
                                        {SHAPE, 0}, {CLOSE, 0}};
    test_bytes file = file_of_nodes(nodes, sizeof nodes / sizeof *nodes, 2);
    facet_j3d *document;
    facet_error error;
    TEST_OK(facet_j3d_read(TEST_SOURCE(file.data, file.size), NULL, &document, &error), &error);
    assert_int_equal(document->shapes.items[0].material, 0);
    assert_int_equal(document->shapes.items[0].joint, 0);
    assert_int_equal(document->shapes.items[1].material, 1);
    facet_j3d_free(document);
    test_bytes_free(&file);
}

/* A multi-matrix shape whose vertices are a position matrix, a texture matrix
 * and a position. */
static test_bytes multi_file(uint16_t position_matrix, uint16_t texture_matrix)
{
    static const double points[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    const uint16_t values[9] = {position_matrix, texture_matrix, 0, 0, 30, 1, 0, 30, 2};
    const uint16_t matrix = 0;
    test_j3d *model = test_j3d_new();
    test_j3d_add_joint(model, "root", TEST_J3D_NONE);
    test_j3d_add_values(model, FACET_J3D_ARRAY_POSITION, 1, FACET_J3D_F32, 0, points, 3);
    test_j3d_add_draw(model, 0, 0);
    facet_j3d_material material = test_j3d_minimal_material("plain");
    test_j3d_add_material(model, &material);
    uint32_t shape = test_j3d_add_shape(model, FACET_J3D_SHAPE_MULTI, 0, 0);
    test_j3d_add_part(model, shape, FACET_J3D_POSITION_MATRIX, FACET_J3D_INPUT_DIRECT);
    test_j3d_add_part(model, shape, FACET_J3D_TEXTURE_MATRIX0, FACET_J3D_INPUT_DIRECT);
    test_j3d_add_part(model, shape, FACET_J3D_POSITION, FACET_J3D_INPUT_INDEX8);
    test_j3d_add_packet(model, shape, &matrix, 1);
    test_j3d_draw(model, shape, 0x98, values, 3);
    test_bytes file = test_j3d_write(model, FACET_J3D_BMD3);
    test_j3d_free(model);
    return file;
}

TEST(matrix_indices_must_name_loaded_slots)
{
    static const struct {
        uint16_t position, texture;
        const char *rule;
        facet_severity severity;
    } cases[] = {
        {1, 30, "J3D-DL-MATRIX", E},  /* not a multiple of 3 */
        {3, 30, "J3D-DL-MATRIX", E},  /* this slot is not loaded */
        {30, 30, "J3D-DL-MATRIX", E}, /* this slot does not exist */
        {0, 31, "J3D-DL-TEXTURE-MATRIX", W}, {0, 0, "J3D-DL-TEXTURE-MATRIX", W},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        test_bytes file = multi_file(cases[i].position, cases[i].texture);
        expect_file(&file, cases[i].rule, cases[i].severity);
        test_bytes_free(&file);
    }
    test_bytes file = multi_file(0, 60);
    facet_report *report = check(file.data, file.size);
    assert_null(find(report, "J3D-DL-TEXTURE-MATRIX", W));
    assert_int_equal(facet_report_severity_count(report, FACET_SEVERITY_ERROR), 0);
    facet_report_free(report);
    test_bytes_free(&file);
}

/* -- Shared bytes ------------------------------------------------------- */

/* A model whose shapes all draw one list that fills most of their section. */
static test_bytes shared_lists_file(uint32_t shapes)
{
    enum { VERTICES = 3000 };
    static const double point[3] = {0, 0, 0};
    static uint16_t values[VERTICES];
    const uint16_t matrix = 0;
    test_j3d *model = test_j3d_new();
    test_j3d_add_joint(model, "root", TEST_J3D_NONE);
    test_j3d_add_values(model, FACET_J3D_ARRAY_POSITION, 1, FACET_J3D_F32, 0, point, 1);
    test_j3d_add_draw(model, 0, 0);
    for (uint32_t i = 0; i < shapes; i++) {
        facet_j3d_material material = test_j3d_minimal_material("plain");
        test_j3d_add_material(model, &material);
        uint32_t shape = test_j3d_add_shape(model, FACET_J3D_SHAPE_SINGLE, i, 0);
        test_j3d_add_part(model, shape, FACET_J3D_POSITION, FACET_J3D_INPUT_INDEX16);
        test_j3d_add_packet(model, shape, &matrix, 1);
        test_j3d_draw(model, shape, 0x98, values, i == 0 ? VERTICES : 3);
    }
    test_bytes file = test_j3d_write(model, FACET_J3D_BMD3);
    size_t section = test_j3d_section(&file, "SHP1");
    for (size_t i = 0; i < shapes; i++) /* all of them draw the first list */
        test_bytes_set16(&file, section + 0x2C + i * 0x28 + 0x08, 0);
    test_j3d_free(model);
    return file;
}

TEST(excessively_shared_lists_are_rejected)
{
    test_bytes file = shared_lists_file(3);
    expect_none_of(&file, "J3D-SHP1-SHARED");
    test_bytes_free(&file);
    file = shared_lists_file(6);
    expect_file(&file, "J3D-SHP1-SHARED", E);
    test_bytes_free(&file);
}

TEST(excessively_shared_packets_are_rejected)
{
    enum { PACKETS = 200, SIZE = 0x2000 };
    uint8_t golden[TEST_J3D_GOLDEN_SIZE];
    test_bytes file = {0}, section = {0};
    test_j3d_golden(golden);
    const uint32_t lines = 0x40, packet = lines + PACKETS * 8, infos = packet + SIZE;
    const uint32_t indices = infos + PACKETS * 16, modes = indices + PACKETS * 8;
    const uint32_t size = (modes + PACKETS + 31) / 32 * 32;
    test_bytes_put(&section, "MDL3", 4);
    test_bytes_u32(&section, size);
    test_bytes_u32(&section, PACKETS << 16 | 0xFFFF);
    test_bytes_u32(&section, lines);
    test_bytes_u32(&section, infos);
    test_bytes_u32(&section, indices);
    test_bytes_u32(&section, modes);
    while (section.size < lines)
        test_bytes_u32(&section, 0);
    for (uint32_t i = 0; i < PACKETS; i++) {
        test_bytes_u32(&section, packet - lines - i * 8);
        test_bytes_u32(&section, SIZE);
    }
    while (section.size < size)
        test_bytes_u8(&section, 0);
    test_bytes_put(&file, golden, MDL3);
    test_bytes_put(&file, section.data, section.size);
    test_bytes_put(&file, golden + TEX1, sizeof golden - TEX1);
    test_bytes_set32(&file, 8, (uint32_t)file.size);
    expect_file(&file, "J3D-MDL3-SHARED", E);
    test_bytes_free(&section);
    test_bytes_free(&file);
}

TEST(excessively_shared_images_are_rejected)
{
    enum { TEXTURES = 40, SIDE = 256, SIZE = SIDE * SIDE * 4 };
    static uint8_t texels[SIZE];
    test_j3d *model = test_j3d_small();
    for (uint32_t i = 0; i < TEXTURES; i++)
        test_j3d_add_texture(model, "t", 6, i == 0 ? SIDE : 4, i == 0 ? SIDE : 4, texels,
                             i == 0 ? SIZE : 64);
    test_bytes file = test_j3d_write(model, FACET_J3D_BMD3);
    size_t headers = test_j3d_section(&file, "TEX1") + 0x20;
    uint32_t image = facet_load_u32be(file.data + headers + 0x20 + 0x1C) + 0x20;
    for (uint32_t i = 2; i <= TEXTURES; i++) { /* each uses half of the large one and a few bytes
                                                * more */
        test_bytes_set16(&file, headers + i * 0x20 + 2, SIDE / 2);
        test_bytes_set16(&file, headers + i * 0x20 + 4, SIDE);
        test_bytes_set32(&file, headers + i * 0x20 + 0x1C, image + 32 * i - 0x20 * i);
    }
    expect_file(&file, "J3D-TEX1-SHARED", E);
    test_bytes_free(&file);
    test_j3d_free(model);
}

/* -- Baked packets ------------------------------------------------------- */

/* The golden model with a texture matrix, baked and written. */
static facet_output *baked_file(facet_j3d_material *material)
{
    uint8_t golden[TEST_J3D_GOLDEN_SIZE];
    facet_j3d *document;
    facet_output *output;
    facet_error error;
    test_j3d_golden(golden);
    TEST_OK(facet_j3d_read(TEST_SOURCE(golden, sizeof golden), NULL, &document, &error), &error);
    TEST_OK(facet_j3d_get_material(document, 0, material, &error), &error);
    material->gx.texgens[0].matrix = 30;
    TEST_OK(facet_j3d_set_materials(document, material, 1, &error), &error);
    TEST_OK(facet_j3d_bake_materials(document, NULL, &error), &error);
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(facet_j3d_write(document, NULL, output, &error), &error);
    TEST_OK(facet_output_commit(output, &error), &error);
    facet_j3d_free(document);
    return output;
}

TEST(last_bit_difference_is_only_rounding)
{
    facet_j3d_material material;
    facet_output *output = baked_file(&material);
    size_t size = (size_t)facet_output_size(output), at = 0;
    uint8_t *file = malloc(size);
    static const uint8_t command[] = {0x10, 0x00, 0x07, 0x00, 0x78};
    assert_non_null(file);
    memcpy(file, facet_output_data(output), size);
    expect_clean(file, size);
    while (memcmp(file + at, command, sizeof command) != 0)
        assert_true(++at + sizeof command < size);
    file[at + 8] ^= 1; /* the last bit of m00 */
    expect(file, size, "J3D-MDL3-ROUNDING", N);
    file[at + 5] ^= 1;
    expect(file, size, "J3D-MDL3-REGISTER", W);
    free(file);
    facet_output_free(output);
}

/* -- Other formats ------------------------------------------------------- */

TEST(check_names_other_formats)
{
    uint8_t file[0x80] = {0};
    facet_store_u32le(file + 4, 1);    /* one bone */
    facet_store_u32le(file + 8, 0x3C); /* at the end of the header */
    facet_report *report = check(file, sizeof file);
    const facet_finding *finding = find(report, "J3D-MAGIC", E);
    assert_non_null(finding);
    assert_non_null(strstr(finding->message, "Nintendo DS"));
    facet_report_free(report);
    expect(file, 0, "J3D-MAGIC", E);
    expect((const uint8_t *)"J3D2bmd3", 8, "J3D-FILE-SIZE", E);
}

/* -- Changed bytes ------------------------------------------------------ */

static void check_anything(const uint8_t *data, size_t size, void *user)
{
    (void)user;
    facet_report *report = check(data, size);
    facet_j3d *document = NULL;
    /* A file that the reader rejects has an error. */
    if (facet_j3d_read(TEST_SOURCE(data, size), NULL, &document, NULL) != FACET_OK)
        assert_true(facet_report_severity_count(report, FACET_SEVERITY_ERROR) > 0);
    facet_j3d_free(document);
    facet_report_free(report);
}

TEST(check_survives_every_mutation)
{
    uint8_t golden[TEST_J3D_GOLDEN_SIZE];
    test_j3d_golden(golden);
    test_every_mutation(golden, sizeof golden, check_anything, NULL);
}

static facet_status check_allocating(const facet_allocator *allocator, void *user)
{
    facet_report *report = NULL;
    facet_options options = {.allocator = allocator};
    const test_bytes *file = user;
    facet_status status = facet_report_create(allocator, &report, NULL);
    if (status)
        return status;
    status = facet_j3d_check(TEST_SOURCE(file->data, file->size), &options, report, NULL);
    facet_report_free(report);
    return status;
}

TEST(check_survives_failed_allocations)
{
    test_j3d *model = test_j3d_small();
    test_bytes file = test_j3d_write(model, FACET_J3D_BMD3);
    test_every_allocation(check_allocating, &file);
    test_bytes_free(&file);
    test_j3d_free(model);
}

/* The check reads a sound file into a document, with the allocator and the memory limit of its
 * options. A limit that is too low for reading makes the check fail. The joints have no shapes,
 * so the rest of the check needs almost no memory. */
TEST(check_respects_the_memory_limit)
{
    enum { JOINTS = 500 };
    static const double point[3] = {0, 0, 0};
    test_j3d *model = test_j3d_new();
    for (uint32_t i = 0; i < JOINTS; i++)
        test_j3d_add_joint(model, "joint", i ? 0 : TEST_J3D_NONE);
    test_j3d_add_values(model, FACET_J3D_ARRAY_POSITION, 1, FACET_J3D_F32, 0, point, 1);
    test_j3d_add_draw(model, 0, 0);
    test_bytes file = test_j3d_write(model, FACET_J3D_BMD3);
    const facet_source *source = TEST_SOURCE(file.data, file.size);
    uint32_t refused = 0;
    for (uint64_t limit = 4096; limit <= 1 << 20; limit += 4096) {
        test_allocator reading, checking;
        facet_j3d *document = NULL;
        facet_report *report;
        test_allocator_init(&reading, 0);
        test_allocator_init(&checking, 0);
        facet_options options = {.allocator = &reading.allocator, .memory_limit = limit};
        facet_status read = facet_j3d_read(source, &options, &document, NULL);
        facet_j3d_free(document);
        options.allocator = &checking.allocator;
        assert_int_equal(facet_report_create(NULL, &report, NULL), FACET_OK);
        facet_status status = facet_j3d_check(source, &options, report, NULL);
        assert_int_equal(facet_report_severity_count(report, FACET_SEVERITY_ERROR), 0);
        if (read == FACET_ERROR_MEMORY_LIMIT) {
            assert_int_equal(status, FACET_ERROR_MEMORY_LIMIT);
            refused++;
        } else {
            assert_int_equal(read, FACET_OK);
            assert_int_equal(status, FACET_OK);
            assert_true(checking.allocations > reading.allocations);
        }
        assert_int_equal(checking.live, 0);
        facet_report_free(report);
    }
    assert_in_range(refused, 2, 200);
    test_bytes_free(&file);
    test_j3d_free(model);
}

/* -- Real files --------------------------------------------------------- */

/* The nodes of the skinned models end in JOINT 12, MATERIAL 0, OPEN, SHAPE 0. The shape is on the
 * level of joint 12, the material on that of the root. They list 3 joints and 123 envelopes as
 * 126 draw matrices, so each envelope once. */
TEST(corpus_models_have_only_known_errors)
{
    static const char *const names[] = {"j3d/fish_static.bmd", "j3d/greenman_skinned.bdl",
                                        "j3d/greenman_skinned.bmd"};
    TEST_NEEDS_CORPUS();
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        facet_file *file;
        facet_error error;
        TEST_OK(facet_file_open(test_corpus(names[i]), NULL, &file, &error), &error);
        facet_report *report = check(facet_file_data(file), facet_file_size(file));
        size_t expected = 0;
        if (i > 0) { /* not tested in a game: see the comment above */
            static const char *const faults[] = {"J3D-DRW1-COPIES", "J3D-INF1-SHAPE-MATERIAL",
                                                 "J3D-INF1-NO-SHAPE"};
            expected = sizeof faults / sizeof *faults;
            for (size_t k = 0; k < expected; k++)
                assert_non_null(find(report, faults[k], E));
        }
        if (facet_report_severity_count(report, FACET_SEVERITY_ERROR) != expected) {
            print_report(report);
            fail_msg("%s has other errors", names[i]);
        }
        /* The writer of this file fills the unused stage in its own way. */
        assert_null(find(report, "J3D-MDL3-REGISTER", W));
        assert_int_equal(find(report, "J3D-MDL3-STALE", N) != NULL, i == 1);
        facet_report_free(report);
        facet_file_close(file);
    }
}

/* Habits of SuperBMD give one note if the file contains its name or the options select its
 * profile. */
TEST(superbmd_has_habits)
{
    static const facet_j3d_options console = {.profile = FACET_J3D_PROFILE_CONSOLE},
                                   superbmd = {.profile = FACET_J3D_PROFILE_SUPERBMD};
    static const struct {
        const char *signature;
        const facet_j3d_options *j3d;
        bool one_note;
    } cases[] = {{"SuperBMD - Gamma", NULL, true},
                 {"SVR3............", NULL, false},
                 {"SuperBMD - Gamma", &console, false},
                 {"SVR3............", &superbmd, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        facet_error error;
        facet_report *report;
        uint8_t *bytes = malloc(TEST_J3D_GOLDEN_SIZE);
        assert_non_null(bytes);
        test_j3d_golden(bytes);
        memcpy(bytes + 0x10, cases[i].signature, 16);
        bytes[TEST_J3D_GOLDEN_SHP1 - 4] = '!'; /* in the padding of JNT1 */
        const facet_options options = {.j3d = cases[i].j3d};
        facet_source source = {.data = bytes, .size = TEST_J3D_GOLDEN_SIZE};
        assert_int_equal(facet_report_create(NULL, &report, &error), FACET_OK);
        TEST_OK(facet_j3d_check(&source, &options, report, &error), &error);
        const facet_finding *note = test_finding(report, "J3D-SUPERBMD");
        assert_int_equal(note != NULL, cases[i].one_note);
        assert_int_equal(test_finding(report, "J3D-PADDING") == NULL, cases[i].one_note);
        if (note)
            assert_non_null(strstr(note->message, "MAT3: J3D-PADDING"));
        facet_report_free(report);
        free(bytes);
    }
}
