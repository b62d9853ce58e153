/* Tests of `check` for J3D. A change of a few bytes of a correct file breaks each rule of
 * docs/reference/rules/j3d.md. */
#include "support/j3d_check.h"

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
    {0x0C, 4, 3, "J3D-SECTION-COUNT", E},         /* games do not load the other sections */
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
    {MDL3 + 0x44, 4, 0x1B8, "J3D-PACKET-SIZE", W}, /* 0x1C0 with its padding */
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
        facet_report *report = check(facet_file_source(file).data, facet_file_source(file).size);
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
