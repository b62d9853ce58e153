/* Tests of files that are not valid J3D documents, documents that no file can represent, and
 * reading without memory. The files are of other formats, or have invalid values or changed
 * bytes. */
#include "support/j3d_document.h"
#include "support/j3d_make.h"

#include "base/bytes.h"

#include <facet/convert.h>

/* -- Refused ------------------------------------------------------------ */

TEST(others_are_refused_by_name)
{
    static const struct {
        const char *magic, *rule, *word;
        facet_status status;
    } others[] = {
        {"Yaz0", "J3D-COMPRESSED", "Yaz0", FACET_ERROR_UNSUPPORTED},
        {"Yay0", "J3D-COMPRESSED", "Yay0", FACET_ERROR_UNSUPPORTED},
        {"LZ77", "J3D-COMPRESSED", "LZ77", FACET_ERROR_UNSUPPORTED},
        {"RARC", "J3D-COMPRESSED", "archive", FACET_ERROR_UNSUPPORTED},
        {"J3D1bmd1", "J3D-MAGIC", "J3D1", FACET_ERROR_UNSUPPORTED},
        {"J3D2bck1", "J3D-MAGIC", "bck1", FACET_ERROR_UNSUPPORTED},
        {"J3E2bmd3", "J3D-MAGIC", "J3D2", FACET_ERROR_MALFORMED},
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        uint8_t bytes[64] = {0};
        facet_error error = {0};
        facet_j3d *document;
        memcpy(bytes, others[i].magic, strlen(others[i].magic));
        assert_int_equal(facet_j3d_read(TEST_SOURCE(bytes, sizeof bytes), NULL, &document, &error),
                         others[i].status);
        assert_string_equal(error.rule, others[i].rule);
        assert_non_null(strstr(error.message, others[i].word));
    }
}

/* A model of Super Mario 64 DS: scale 5, one bone at 0x3C, one display list at
 * 0x7C, no textures, all little-endian. */
TEST(nintendo_ds_is_refused_by_name)
{
    uint8_t bytes[0x100] = {5, 0, 0, 0, 1, 0, 0, 0, 0x3C, 0, 0, 0, 1, 0, 0, 0, 0x7C, 0, 0, 0};
    facet_error error = {0};
    facet_j3d *document;
    facet_source source = {.data = bytes, .size = sizeof bytes, .name = "thwomp.bmd"};
    assert_int_equal(facet_j3d_read(TEST_SOURCE(bytes, sizeof bytes), NULL, &document, &error),
                     FACET_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.message, "Nintendo DS"));
    assert_string_equal(facet_format_name(facet_format_probe(&source)), "bmd");
    /* Models of other DS games have a magic number that begins like that of a BMP. */
    memcpy(bytes, "BMD0\xFF\xFE\2", 8);
    source.name = "yoshi.bmd";
    assert_string_equal(facet_format_name(facet_format_probe(&source)), "bmd");
    assert_int_equal(facet_j3d_read(TEST_SOURCE(bytes, sizeof bytes), NULL, &document, &error),
                     FACET_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.message, "Nintendo DS"));
    source.name = "thwomp.bin";
    const facet_format *probed = facet_format_probe(&source);
    assert_true(!probed || strcmp(facet_format_name(probed), "bmd") != 0);
}

/* -- Faults ------------------------------------------------------------- */

/* A changed number of the golden BDL, and the rule that rejects it. */
typedef struct change {
    uint32_t at;
    uint8_t width; /* width in bytes */
    uint32_t value;
    const char *rule;
} change;

TEST(every_fault_is_found)
{
    enum {
        INF1 = TEST_J3D_GOLDEN_INF1,
        VTX1 = TEST_J3D_GOLDEN_VTX1,
        EVP1 = TEST_J3D_GOLDEN_EVP1,
        DRW1 = TEST_J3D_GOLDEN_DRW1,
        JNT1 = TEST_J3D_GOLDEN_JNT1,
        SHP1 = TEST_J3D_GOLDEN_SHP1,
        MAT3 = TEST_J3D_GOLDEN_MAT3,
        MDL3 = TEST_J3D_GOLDEN_MDL3,
        TEX1 = TEST_J3D_GOLDEN_TEX1,
        ENTRY = MAT3 + 0x84
    };
    static const change changes[] = {
        {INF1 + 4, 4, 0x42, "J3D-SECTION-SIZE"},
        {INF1 + 4, 4, 4, "J3D-SECTION-SIZE"},
        {INF1 + 4, 4, 0xFFFFFFFC, "J3D-SECTION-SIZE"},
        {INF1, 4, 0x56545831, "J3D-SECTION-TWICE"},
        {INF1, 4, 0x494E4632, "J3D-SECTION-MISSING"},
        {MAT3, 4, 0x4D415434, "J3D-SECTION-VARIANT"}, /* MAT4 */
        {INF1 + 0x14, 4, 0x40, "J3D-INF1-END"},
        {INF1 + 0x18, 2, 0x13, "J3D-INF1-NODE-TYPE"},
        {INF1 + 0x18, 2, 2, "J3D-INF1-BALANCE"},
        {INF1 + 0x2C, 2, 0x12, "J3D-INF1-BALANCE"},
        {INF1 + 0x1A, 2, 1, "J3D-INF1-INDEX"},
        {INF1 + 0x22, 2, 1, "J3D-INF1-INDEX"},
        {INF1 + 0x2A, 2, 1, "J3D-INF1-INDEX"},
        {INF1 + 0x20, 2, 0x10, "J3D-INF1-JOINT-TWICE"},
        {INF1 + 0x18, 2, 0x11, "J3D-INF1-JOINT-MISSING"},
        {VTX1 + 0x08, 4, 0x90, "J3D-VTX1-FORMATS"},
        {VTX1 + 0x44, 4, 2, "J3D-VTX1-COMPONENT"},
        {VTX1 + 0x48, 4, 5, "J3D-VTX1-COMPONENT"},
        {VTX1 + 0x0C, 4, 0x141, "J3D-VTX1-ARRAY"},
        {VTX1 + 0x0C, 4, 0, "J3D-VTX1-POSITION"},
        {VTX1 + 0x18, 4, 0, "J3D-DL-ARRAY"},
        {EVP1 + 0x08, 2, 1, "J3D-EVP1-ENVELOPES"},
        {DRW1 + 0x08, 2, 0xFF, "J3D-DRW1-ENTRIES"},
        {DRW1 + 0x14, 1, 2, "J3D-DRW1-TYPE"},
        {DRW1 + 0x14, 1, 1, "J3D-DRW1-INDEX"}, /* the model has no envelope */
        {DRW1 + 0x16, 2, 1, "J3D-DRW1-INDEX"},
        {JNT1 + 0x08, 2, 2, "J3D-JNT1-ENTRIES"},
        {JNT1 + 0x1C, 4, 0x7F800000, "J3D-JNT1-SCALE"},
        {JNT1 + 0x58, 2, 1, "J3D-JNT1-REMAP"},
        {JNT1 + 0x14, 4, 0x7F, "J3D-NAMES-TABLE"},
        {JNT1 + 0x5C, 2, 9, "J3D-NAMES-TABLE"},
        {JNT1 + 0x62, 2, 0x24, "J3D-NAMES-STRING"},
        {SHP1 + 0x08, 2, 9, "J3D-SHP1-ENTRIES"},
        {SHP1 + 0x2C, 1, 4, "J3D-SHP1-TYPE"},
        {SHP1 + 0x30, 2, 4, "J3D-SHP1-DESCRIPTOR"},
        {SHP1 + 0x80, 4, 0x20, "J3D-SHP1-DESCRIPTOR"}, /* end marker missing */
        {SHP1 + 0x60, 4, 0x15, "J3D-SHP1-DESCRIPTOR"},
        {SHP1 + 0x64, 4, 1, "J3D-SHP1-DESCRIPTOR"}, /* direct values */
        {SHP1 + 0x68, 4, 9, "J3D-SHP1-DESCRIPTOR"}, /* attribute listed twice */
        {SHP1 + 0x32, 2, 99, "J3D-SHP1-GROUP"},
        {SHP1 + 0x34, 2, 99, "J3D-SHP1-LIST"},
        {SHP1 + 0xC2, 2, 11, "J3D-SHP1-GROUP"},
        {SHP1 + 0xC4, 4, 0xFFFFFFFF, "J3D-SHP1-MATRIX-TABLE"},
        {SHP1 + 0x88, 2, 1, "J3D-SHP1-MATRIX"},
        {SHP1 + 0xC8, 4, 0x41, "J3D-SHP1-LIST"},
        {SHP1 + 0xCC, 4, 0xFFFFFFF0, "J3D-SHP1-LIST"},
        {SHP1 + 0xA0, 1, 0x61, "J3D-DL-OPCODE"},
        {SHP1 + 0xA0, 1, 0xC0, "J3D-DL-OPCODE"},
        {SHP1 + 0xA1, 2, 4, "J3D-DL-VERTICES"},
        {SHP1 + 0xA3, 2, 5, "J3D-DL-INDEX"}, /* 5 positions fit into 64 bytes */
        {MAT3 + 0x08, 2, 2, "J3D-MAT3-REMAP"},
        {MAT3 + 0x1D0, 2, 1, "J3D-MAT3-REMAP"},
        {MAT3 + 0x40, 4, 0x441, "J3D-MAT3-TABLE"},
        {ENTRY + 0x08, 2, 0x200, "J3D-MAT3-INDEX"},
        {ENTRY + 0x28, 2, 0x200, "J3D-MAT3-INDEX"},
        {ENTRY + 0xE4, 2, 0x200, "J3D-MAT3-INDEX"},
        {ENTRY + 0x01, 1, 0xFE, "J3D-MAT3-INDEX"},
        {MAT3 + 0x344, 1, 9, "J3D-MAT3-COUNT"},
        {MAT3 + 0x3C4, 1, 0, "J3D-MAT3-COUNT"},
        {MAT3 + 0x3C4, 1, 17, "J3D-MAT3-COUNT"},
        {MAT3 + 0x32C, 1, 3, "J3D-MAT3-COUNT"},
        {MAT3 + 0x3B0, 2, 1, "J3D-MAT3-TEXTURE"},
        {MDL3 + 0x40, 4, 0x200, "J3D-MDL3-PACKET"},
        {MDL3 + 0x08, 2, 0x80, "J3D-MDL3-TABLE"},
        {TEX1 + 0x08, 2, 4, "J3D-TEX1-HEADERS"},
        {TEX1 + 0x20, 1, 7, "J3D-TEX1-FORMAT"},
        {TEX1 + 0x22, 2, 0, "J3D-TEX1-SIZE"},
        {TEX1 + 0x22, 2, 32, "J3D-TEX1-DATA"},
    };
    size_t size;
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        uint8_t *bytes = golden_copy(&size, true);
        uint32_t value = changes[i].value;
        for (uint32_t k = changes[i].width; k-- > 0; value >>= 8)
            bytes[changes[i].at + k] = (uint8_t)value;
        facet_error error = {0};
        facet_j3d *document = NULL;
        facet_status status = facet_j3d_read(TEST_SOURCE(bytes, size), NULL, &document, &error);
        bool variant = strcmp(changes[i].rule, "J3D-SECTION-VARIANT") == 0;
        if (status != (variant ? FACET_ERROR_UNSUPPORTED : FACET_ERROR_MALFORMED) ||
            strcmp(error.rule, changes[i].rule) != 0)
            fail_msg("0x%X = 0x%X: expected %s, got status %d, '%s' (%s)", (unsigned)changes[i].at,
                     (unsigned)changes[i].value, changes[i].rule, (int)status, error.rule,
                     error.message);
        free(bytes);
    }
}

/* Unused values of materials are not checked. */
TEST(unused_indices_are_no_fault)
{
    size_t size;
    uint8_t *bytes = golden_copy(&size, false);
    uint8_t *entry = bytes + TEST_J3D_GOLDEN_MAT3 + 0x84;
    facet_store_u16be(entry + 0x2A, 0x1234);  /* second index, but one texgen */
    facet_store_u16be(entry + 0xE6, 0x1234);  /* second index, but one TEV stage */
    facet_store_u16be(entry + 0x18, 0x1234);  /* a light, but the file has none */
    facet_store_u16be(entry + 0x12C, 0x1234); /* exporters leave any value here */
    expect_same_copy(bytes, size);
    free(bytes);
}

/* The depth, here 200,000 levels, does not use stack memory. */
TEST(deep_hierarchy_needs_no_stack)
{
    enum { LEVELS = 200000 };
    size_t size;
    uint8_t *bytes = golden_copy(&size, false), *deep = calloc(1, size + LEVELS * 8);
    assert_non_null(deep);
    memcpy(deep, bytes, 0x38);
    uint8_t *at = deep + 0x38;
    facet_store_u32be(deep + 8, (uint32_t)(size + LEVELS * 8));
    facet_store_u32be(deep + 0x24, 0x40 + LEVELS * 8);
    for (int i = 0; i < LEVELS; i++, at += 4)
        facet_store_u32be(at, 0x00010000);
    for (int i = 0; i < LEVELS; i++, at += 4)
        facet_store_u32be(at, 0x00020000);
    memcpy(at, bytes + 0x38, size - 0x38);
    expect_same_copy(deep, size + LEVELS * 8);
    free(deep);
    free(bytes);
}

/* Every packet of every shape uses the same list: the reader rejects this early. */
TEST(shared_display_lists_are_bounded)
{
    enum { SHAPES = 2000, PACKETS = 2000, LIST = 0x8000 };
    facet_error error = {0};
    facet_j3d *document;
    test_j3d *model = test_j3d_small();
    test_bytes file = test_j3d_write(model, FACET_J3D_BMD3);
    size_t shp1 = test_j3d_section(&file, "SHP1");
    size_t head = 0x2C + SHAPES * 0x28, size = head + 0x20 + LIST + PACKETS * 16;
    size = (size + 31) / 32 * 32;
    uint8_t *bytes = calloc(1, shp1 + size);
    assert_non_null(bytes);
    memcpy(bytes, file.data, shp1);
    uint8_t *section = bytes + shp1;
    memcpy(section, "SHP1", 4);
    facet_store_u32be(section + 0x04, (uint32_t)size);
    facet_store_u16be(section + 0x08, SHAPES);
    facet_store_u32be(section + 0x0C, 0x2C);
    facet_store_u32be(section + 0x18, (uint32_t)head);
    facet_store_u32be(section + 0x1C, (uint32_t)head + 0x10);
    facet_store_u32be(section + 0x20, (uint32_t)head + 0x20);
    facet_store_u32be(section + 0x24, (uint32_t)head + 0x20 + LIST);
    facet_store_u32be(section + 0x28, (uint32_t)head + 0x20 + LIST + PACKETS * 8);
    for (size_t i = 0; i < SHAPES; i++)
        facet_store_u16be(section + 0x2C + i * 0x28 + 2, PACKETS);
    facet_store_u32be(section + head, 9);
    facet_store_u32be(section + head + 4, 3);
    facet_store_u32be(section + head + 8, 0xFF);
    for (size_t i = 0; i < PACKETS; i++) {
        facet_store_u16be(section + head + 0x20 + LIST + i * 8 + 2, 1);
        facet_store_u32be(section + head + 0x20 + LIST + PACKETS * 8 + i * 8, LIST);
    }
    /* The reader does not reach MAT3, but the section must exist. */
    facet_store_u32be(bytes + 0x0C, 6);
    size_t whole = shp1 + size;
    uint8_t *complete = malloc(whole + 8);
    assert_non_null(complete);
    memcpy(complete, bytes, whole);
    memcpy(complete + whole, "MAT3\0\0\0\x08", 8);
    assert_int_equal(facet_j3d_read(TEST_SOURCE(complete, whole + 8), NULL, &document, &error),
                     FACET_ERROR_MALFORMED);
    assert_string_equal(error.rule, "J3D-SHP1-SHARED");
    free(complete);
    free(bytes);
    test_bytes_free(&file);
    test_j3d_free(model);
}

/* -- Documents that cannot be written ----------------------------------- */

static void expect_unwritten(const facet_j3d *document, facet_status status, const char *rule)
{
    facet_error error = {0};
    facet_output *output;
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    facet_status got = facet_j3d_write(document, NULL, output, &error);
    if (got != status || strcmp(error.rule, rule) != 0)
        fail_msg("expected %s, got status %d, '%s' (%s)", rule, (int)got, error.rule,
                 error.message);
    assert_int_equal(facet_output_size(output), 0);
    facet_output_free(output);
}

TEST(invalid_documents_are_not_written)
{
    size_t size;
    uint8_t *bytes = golden_copy(&size, false);
    facet_j3d *document = read_file(bytes, size);
    facet_j3d changed = *document;
    changed.kind = FACET_J3D_BDL4;
    expect_unwritten(&changed, FACET_ERROR_ARGUMENT, "J3D-SECTION-MISSING");
    changed = *document;
    changed.vertices.arrays[FACET_J3D_ARRAY_POSITION].size = 35;
    expect_unwritten(&changed, FACET_ERROR_ARGUMENT, "J3D-VTX1-ARRAY");
    changed = *document;
    changed.hierarchy.node_count = 6;
    expect_unwritten(&changed, FACET_ERROR_ARGUMENT, "J3D-INF1-BALANCE");
    changed = *document;
    changed.has_joints = false;
    expect_unwritten(&changed, FACET_ERROR_ARGUMENT, "J3D-SECTION-MISSING");
    changed = *document;
    facet_j3d_joint joint = document->joints.items[0];
    joint.scale[1] = (float)(1e30 * 1e30);
    changed.joints.items = &joint;
    expect_unwritten(&changed, FACET_ERROR_ARGUMENT, "J3D-JNT1-SCALE");
    changed = *document;
    changed.draw_matrices.count = 70000;
    expect_unwritten(&changed, FACET_ERROR_LIMIT, "J3D-DRW1-ENTRIES");
    facet_j3d_free(document);
    free(bytes);
}

/* -- Shared texels ------------------------------------------------------ */

static facet_status add_size(void *user, const char *name, const void *data, size_t size,
                             facet_error *error)
{
    (void)name, (void)data, (void)error;
    *(uint64_t *)user += size;
    return FACET_OK;
}

/* Every texture would be a file of 32 KiB. The number of files is limited to 64 times the texels
 * plus 16 MiB. */
TEST(extracted_textures_are_bounded)
{
    enum { TEXTURES = 800, SIDE = 256, SIZE = SIDE * SIDE / 2 };
    static uint8_t texels[SIZE];
    facet_error error = {0};
    facet_report *report = NULL;
    test_j3d *model = test_j3d_small();
    for (uint32_t i = 0; i < TEXTURES; i++)
        test_j3d_add_texture(model, "t", 0, i ? 8 : SIDE, i ? 8 : SIDE, texels, i ? 32 : SIZE);
    test_bytes file = test_j3d_write(model, FACET_J3D_BMD3);
    size_t headers = test_j3d_section(&file, "TEX1") + 0x20;
    uint32_t image = facet_load_u32be(file.data + headers + 0x20 + 0x1C) + 0x20;
    for (uint32_t i = 2; i <= TEXTURES; i++) { /* all of them use the texels of the first */
        test_bytes_set16(&file, headers + i * 0x20 + 2, SIDE);
        test_bytes_set16(&file, headers + i * 0x20 + 4, SIDE);
        test_bytes_set32(&file, headers + i * 0x20 + 0x1C, image - 0x20 * i);
    }
    uint64_t total = 0;
    facet_extractor to = {add_size, &total};
    facet_source source = {.data = file.data, .size = file.size};
    assert_int_equal(facet_report_create(NULL, &report, NULL), FACET_OK);
    facet_options options = {.report = report};
    TEST_OK(facet_extract(&source, facet_format_named("bmd"), &options, &to, &error), &error);
    assert_non_null(test_finding(report, "LOSS-IMAGES"));
    /* Plus the JSON of 800 textures. */
    assert_in_range(total, 16 << 20, (16 << 20) + 64 * (SIZE + TEXTURES * 32) + TEXTURES * 1024);
    facet_report_free(report);
    test_bytes_free(&file);
    test_j3d_free(model);
}

/* All materials share one entry; the file stores only a number for each. */
TEST(extracted_materials_are_bounded)
{
    enum { SLOTS = 65535 };
    static uint16_t remap[SLOTS];
    uint64_t total = 0;
    facet_error error = {0};
    facet_j3d *document = NULL;
    facet_output *output = NULL;
    facet_report *report = NULL;
    test_j3d *model = test_j3d_small();
    test_bytes file = test_j3d_write(model, FACET_J3D_BMT3);
    TEST_OK(facet_j3d_read(TEST_SOURCE(file.data, file.size), NULL, &document, &error), &error);
    document->materials.remap = remap;
    document->materials.slot_count = SLOTS;
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(facet_j3d_write(document, NULL, output, &error), &error);
    TEST_OK(facet_output_commit(output, &error), &error);
    facet_extractor to = {add_size, &total};
    facet_source source = {.data = facet_output_data(output),
                           .size = (size_t)facet_output_size(output)};
    assert_int_equal(facet_report_create(NULL, &report, NULL), FACET_OK);
    facet_options options = {.report = report};
    TEST_OK(facet_extract(&source, facet_format_named("bmt"), &options, &to, &error), &error);
    assert_non_null(test_finding(report, "LOSS-MATERIALS"));
    assert_in_range(total, 1, 65536);
    facet_report_free(report);
    facet_output_free(output);
    facet_j3d_free(document);
    test_bytes_free(&file);
    test_j3d_free(model);
}

/* -- Changed bytes ------------------------------------------------------ */

/* A document that can be read can also be written. */
static void read_and_write(const uint8_t *data, size_t size, void *user)
{
    (void)user;
    facet_j3d *document;
    facet_output *output;
    facet_error error;
    if (facet_j3d_read(TEST_SOURCE(data, size), NULL, &document, NULL) != FACET_OK)
        return;
    assert_int_equal(facet_output_open_memory(NULL, &output, NULL), FACET_OK);
    facet_status status = facet_j3d_write(document, NULL, output, &error);
    bool without_packets = document->kind == FACET_J3D_BDL4 && !document->has_packets;
    if (status && !without_packets)
        fail_msg("what was read is not written: '%s' (%s)", error.rule, error.message);
    facet_output_free(output);
    facet_j3d_free(document);
}

TEST(mutated_models_that_read_can_write)
{
    size_t size;
    uint8_t *bytes = golden_copy(&size, true);
    test_every_mutation(bytes, size, read_and_write, NULL);
    free(bytes);
}

static facet_status read_with(const facet_allocator *allocator, void *user)
{
    facet_options options = {0};
    const test_bytes *file = user;
    facet_j3d *document;
    facet_output *output;
    options.allocator = allocator;
    facet_status status =
        facet_j3d_read(TEST_SOURCE(file->data, file->size), &options, &document, NULL);
    if (status)
        return status;
    status = facet_output_open_memory(NULL, &output, NULL);
    if (!status) {
        status = facet_j3d_write(document, &options, output, NULL);
        facet_output_free(output);
    }
    facet_j3d_free(document);
    return status;
}

TEST(reader_survives_failed_allocations)
{
    test_j3d *model = test_j3d_small();
    test_bytes file = test_j3d_write(model, FACET_J3D_BDL4);
    test_every_allocation(read_with, &file);
    test_bytes_free(&file);
    test_j3d_free(model);
}
