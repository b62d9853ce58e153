/* The check of J3D models: rules of joints, envelopes and matrices, and what games reject. */
#include "support/j3d_check.h"

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
                 {9, 1, 256, NULL},
                 {9, 1, 257, "J3D-TEX1-PALETTE-COUNT"}, /* C8: the last is never loaded */
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
