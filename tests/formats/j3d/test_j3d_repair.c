/* Tests of the repair of models that games cannot read: it fixes the faulty bytes and keeps the
 * others. */
#include "formats/j3d/format.h"
#include "support/j3d_golden.h"
#include "support/j3d_make.h"
#include "support/support.h"

#include "base/bytes.h"

#include <facet/convert.h>
#include <string.h>

enum { OPEN = 1, CLOSE, JOINT = 0x10, MATERIAL, SHAPE };

static test_bytes repair(const test_bytes *file, facet_report *report)
{
    static const facet_j3d_options j3d = {.repair = true};
    const facet_options options = {.j3d = &j3d, .report = report};
    facet_error error;
    facet_output *output;
    test_bytes made = {0};
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    bool is_baked = memcmp(file->data + 4, "bdl4", 4) == 0;
    TEST_OK(facet_copy(TEST_SOURCE(file->data, file->size),
                       facet_format_named(is_baked ? "bdl" : "bmd"), &options, output, &error),
            &error);
    TEST_OK(facet_output_commit(output, &error), &error);
    test_bytes_put(&made, facet_output_data(output), (size_t)facet_output_size(output));
    facet_output_free(output);
    return made;
}

static facet_report *new_report(void)
{
    facet_report *report;
    facet_error error;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    return report;
}

static size_t count_errors(const test_bytes *file)
{
    facet_report *report = new_report();
    facet_error error;
    TEST_OK(facet_j3d_check(TEST_SOURCE(file->data, file->size), NULL, report, &error), &error);
    size_t errors = facet_report_severity_count(report, FACET_SEVERITY_ERROR);
    facet_report_free(report);
    return errors;
}

static bool has_finding(const test_bytes *file, const char *rule)
{
    facet_report *report = new_report();
    facet_error error;
    TEST_OK(facet_j3d_check(TEST_SOURCE(file->data, file->size), NULL, report, &error), &error);
    bool has = test_finding(report, rule) != NULL;
    facet_report_free(report);
    return has;
}

/* Expect that all sections except `changed` keep their bytes. */
static void expect_rest(const test_bytes *before, const test_bytes *after, const char *changed)
{
    static const char *const names[] = {"INF1", "VTX1", "EVP1", "DRW1",
                                        "JNT1", "SHP1", "MAT3", "TEX1"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t a = test_j3d_section(before, names[i]), b = test_j3d_section(after, names[i]);
        if (a == SIZE_MAX || strstr(changed, names[i]))
            continue;
        uint32_t size = facet_load_u32be(before->data + a + 4);
        assert_int_equal(size, facet_load_u32be(after->data + b + 4));
        assert_memory_equal(before->data + a, after->data + b, size);
    }
}

static bool is_repaired(const facet_report *report, const char *rule)
{
    for (size_t i = 0; i < facet_report_count(report); i++) {
        const facet_finding *finding = facet_report_get(report, i);
        if (strcmp(finding->rule, "J3D-REPAIRED") == 0 && strstr(finding->message, rule))
            return true;
    }
    return false;
}

#define NODES 12

TEST(hierarchies_are_repaired)
{
    static const struct {
        const char *rule;
        uint16_t nodes[NODES][2];
    } cases[] = {
        {"J3D-INF1-OUTSIDE",
         {{MATERIAL, 0}, {OPEN}, {SHAPE, 0}, {CLOSE}, {JOINT, 0}, {OPEN}, {JOINT, 1}, {CLOSE}}},
        {"J3D-INF1-ROOTS",
         {{JOINT, 0}, {OPEN}, {MATERIAL, 0}, {OPEN}, {SHAPE, 0}, {CLOSE}, {CLOSE}, {JOINT, 1}}},
        {"J3D-INF1-SHAPE-MATERIAL",
         {{JOINT, 0}, {OPEN}, {SHAPE, 0}, {MATERIAL, 0}, {JOINT, 1}, {CLOSE}}},
        {"J3D-INF1-SHAPE-MATERIAL",
         {{JOINT, 0}, {OPEN}, {JOINT, 1}, {MATERIAL, 0}, {OPEN}, {SHAPE, 0}, {CLOSE}, {CLOSE}}},
        {"J3D-INF1-LOOP",
         {{JOINT, 0},
          {OPEN},
          {MATERIAL, 0},
          {SHAPE, 0},
          {MATERIAL, 0},
          {SHAPE, 0},
          {JOINT, 1},
          {CLOSE}}},
    };
    static const double points[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    static const uint16_t values[3] = {0, 1, 2}, matrix = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        test_j3d *model = test_j3d_new();
        facet_report *report = new_report();
        facet_j3d_material material = test_j3d_minimal_material("skin");
        test_j3d_add_joint(model, "root", TEST_J3D_NONE);
        test_j3d_add_joint(model, "arm", 0);
        test_j3d_add_values(model, FACET_J3D_ARRAY_POSITION, 1, FACET_J3D_F32, 0, points, 3);
        test_j3d_add_draw(model, 0, 0);
        test_j3d_add_material(model, &material);
        uint32_t shape = test_j3d_add_shape(model, FACET_J3D_SHAPE_SINGLE, 0, 0);
        test_j3d_add_part(model, shape, FACET_J3D_POSITION, FACET_J3D_INPUT_INDEX8);
        test_j3d_add_packet(model, shape, &matrix, 1);
        test_j3d_draw(model, shape, 0x90, values, 3);
        for (size_t n = 0; n < NODES && cases[i].nodes[n][0]; n++) {
            test_bytes_u16(&model->nodes, cases[i].nodes[n][0]);
            test_bytes_u16(&model->nodes, cases[i].nodes[n][1]);
        }
        test_bytes file = test_j3d_write(model, FACET_J3D_BMD3), made = repair(&file, report);
        assert_true(count_errors(&file) > 0);
        assert_int_equal(count_errors(&made), 0);
        assert_true(is_repaired(report, cases[i].rule));
        expect_rest(&file, &made, "INF1");
        facet_report_free(report);
        test_bytes_free(&made);
        test_bytes_free(&file);
        test_j3d_free(model);
    }
}

/* A model of two shapes with one triangle each, one or two joints and materials, and these nodes.
 */
static test_j3d *make_two_shapes(const uint16_t (*nodes)[2], size_t count, int joints,
                                 int materials)
{
    static const double points[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    static const uint16_t values[3] = {0, 1, 2}, matrix = 0;
    static const char *const names[2] = {"skin", "cloth"};
    test_j3d *model = test_j3d_new();
    test_j3d_add_joint(model, "root", TEST_J3D_NONE);
    if (joints > 1)
        test_j3d_add_joint(model, "arm", 0);
    test_j3d_add_values(model, FACET_J3D_ARRAY_POSITION, 1, FACET_J3D_F32, 0, points, 3);
    test_j3d_add_draw(model, 0, 0);
    for (int i = 0; i < materials; i++) {
        facet_j3d_material material = test_j3d_minimal_material(names[i]);
        test_j3d_add_material(model, &material);
    }
    for (int i = 0; i < 2; i++) {
        uint32_t shape = test_j3d_add_shape(model, FACET_J3D_SHAPE_SINGLE, 0, 0);
        test_j3d_add_part(model, shape, FACET_J3D_POSITION, FACET_J3D_INPUT_INDEX8);
        test_j3d_add_packet(model, shape, &matrix, 1);
        test_j3d_draw(model, shape, 0x90, values, 3);
    }
    for (size_t n = 0; n < count; n++) {
        test_bytes_u16(&model->nodes, nodes[n][0]);
        test_bytes_u16(&model->nodes, nodes[n][1]);
    }
    return model;
}

/* The second material names the shape of the first, so the shape with its own number is missing. */
TEST(a_missing_shape_replaces_a_repeated_one)
{
    static const uint16_t nodes[][2] = {{JOINT, 0}, {OPEN, 0}, {MATERIAL, 0}, {SHAPE, 0},
                                        {JOINT, 1}, {OPEN, 0}, {MATERIAL, 1}, {SHAPE, 0},
                                        {CLOSE, 0}, {CLOSE, 0}};
    enum { REPEATED = 7 };
    test_j3d *model = make_two_shapes(nodes, sizeof nodes / sizeof *nodes, 2, 2);
    facet_report *report = new_report();
    test_bytes file = test_j3d_write(model, FACET_J3D_BMD3), made = repair(&file, report);
    assert_true(is_repaired(report, "J3D-INF1-UNUSED"));
    assert_true(is_repaired(report, "J3D-INF1-REPEATED"));
    assert_int_equal(made.size, file.size);
    size_t node = test_j3d_section(&file, "INF1") + 0x18 + REPEATED * 4;
    assert_int_equal(facet_load_u16be(made.data + node + 2), 1);
    test_bytes_set16(&made, node + 2, 0);
    assert_memory_equal(made.data, file.data, file.size);
    facet_report_free(report);
    test_bytes_free(&made);
    test_bytes_free(&file);
    test_j3d_free(model);
}

static facet_j3d *read_model(const test_bytes *file)
{
    facet_j3d *document;
    facet_error error;
    TEST_OK(facet_j3d_read(TEST_SOURCE(file->data, file->size), NULL, &document, &error), &error);
    return document;
}

/* The file lists the envelopes once, and the second before the first: games use the position as
 * the number. After the repair each entry has the joints and weights that its number named. */
TEST(envelopes_are_listed_twice_in_order)
{
    for (int turned = 0; turned < 2; turned++) {
        test_j3d *model = test_j3d_small();
        facet_report *report = new_report();
        model->single_envelopes = true;
        test_bytes file = test_j3d_write(model, FACET_J3D_BMD3);
        size_t drw1 = test_j3d_section(&file, "DRW1");
        size_t indices = drw1 + facet_load_u32be(file.data + drw1 + 0x10);
        if (turned) { /* joints 0, 1, 2, then envelopes 1 and 0 */
            test_bytes_set16(&file, indices + 6, 1);
            test_bytes_set16(&file, indices + 8, 0);
        }
        test_bytes made = repair(&file, report);
        assert_int_equal(count_errors(&file), 1);
        assert_int_equal(count_errors(&made), 0);
        assert_true(is_repaired(report, "J3D-DRW1-COPIES"));
        assert_int_equal(is_repaired(report, "J3D-DRW1-ENVELOPES"), turned);
        expect_rest(&file, &made, turned ? "DRW1 EVP1" : "DRW1");
        facet_j3d *before = read_model(&file), *after = read_model(&made);
        assert_int_equal(after->draw_matrices.count, 3 + 2 * 2);
        for (uint32_t i = 0; i < 2; i++) {
            const facet_j3d_envelope *was =
                &before->envelopes.items[before->draw_matrices.items[3 + i].index];
            const facet_j3d_envelope *is =
                &after->envelopes.items[after->draw_matrices.items[3 + i].index];
            assert_int_equal(after->draw_matrices.items[3 + i].index, i);
            assert_int_equal(after->draw_matrices.items[5 + i].index, i);
            assert_int_equal(was->count, is->count);
            for (uint32_t k = 0; k < was->count; k++) {
                const facet_j3d_influence a = before->envelopes.influences[was->first + k];
                const facet_j3d_influence b = after->envelopes.influences[is->first + k];
                assert_int_equal(a.joint, b.joint);
                assert_true(a.weight == b.weight);
            }
        }
        facet_j3d_free(before);
        facet_j3d_free(after);
        facet_report_free(report);
        test_bytes_free(&made);
        test_bytes_free(&file);
        test_j3d_free(model);
    }
}

/* A wrong hash and wrong counts: only these bytes change. A correct file is copied. */
TEST(hashes_and_counts_are_repaired)
{
    test_j3d *model = test_j3d_small();
    test_bytes right = test_j3d_write(model, FACET_J3D_BMD3), wrong = {0};
    test_bytes_put(&wrong, right.data, right.size);
    facet_report *report = new_report();
    test_bytes made = repair(&right, report);
    assert_int_equal(made.size, right.size);
    assert_memory_equal(made.data, right.data, right.size);
    assert_true(is_repaired(report, "nothing was repaired"));
    test_bytes_free(&made);
    facet_report_free(report);

    size_t inf1 = test_j3d_section(&wrong, "INF1"), jnt1 = test_j3d_section(&wrong, "JNT1");
    wrong.data[jnt1 + facet_load_u32be(wrong.data + jnt1 + 0x14) + 4] ^= 1;
    wrong.data[inf1 + 0x0F] ^= 1;
    wrong.data[inf1 + 0x13] ^= 1;
    report = new_report();
    made = repair(&wrong, report);
    assert_int_equal(made.size, right.size);
    assert_memory_equal(made.data, right.data, right.size);
    assert_true(is_repaired(report, "J3D-NAMES-HASH"));
    assert_true(is_repaired(report, "J3D-INF1-PACKETS"));
    assert_true(is_repaired(report, "J3D-INF1-VERTICES"));
    facet_report_free(report);
    test_bytes_free(&made);
    test_bytes_free(&wrong);
    test_bytes_free(&right);
    test_j3d_free(model);
}

/* The last joint, material and texture have names that the counts of their tables leave out. */
TEST(counts_of_names_are_repaired)
{
    static const struct {
        const char *section;
        uint32_t field;
    } tables[] = {{"JNT1", 0x14}, {"MAT3", 0x14}, {"TEX1", 0x10}};
    test_j3d *model = test_j3d_small();
    test_bytes right = test_j3d_write(model, FACET_J3D_BMD3), wrong = {0};
    test_bytes_put(&wrong, right.data, right.size);
    facet_report *report = new_report();
    for (size_t i = 0; i < 3; i++) {
        size_t section = test_j3d_section(&wrong, tables[i].section);
        uint8_t *count =
            wrong.data + section + facet_load_u32be(wrong.data + section + tables[i].field);
        assert_true(facet_load_u16be(count) > 0);
        count[1]--;
    }
    test_bytes made = repair(&wrong, report);
    assert_int_equal(made.size, right.size);
    assert_memory_equal(made.data, right.data, right.size);
    assert_true(is_repaired(report, "J3D-NAMES-COUNT"));
    facet_report_free(report);
    test_bytes_free(&made);
    test_bytes_free(&wrong);
    test_bytes_free(&right);
    test_j3d_free(model);
}

/* A count of names that is too low, followed by an entry with a wrong hash, stays. So does another
 * text in the padding. */
TEST(a_file_without_repairs_keeps_its_bytes)
{
    test_j3d *model = test_j3d_small();
    test_bytes file = test_j3d_write(model, FACET_J3D_BMD3);
    facet_report *report = new_report();
    size_t jnt1 = test_j3d_section(&file, "JNT1");
    uint8_t *names = file.data + jnt1 + facet_load_u32be(file.data + jnt1 + 0x14);
    uint16_t count = --names[1];
    names[4 + 4 * count] ^= 1;
    file.data[test_j3d_section(&file, "VTX1") - 1] = 0xAB; /* the padding of INF1 */
    test_bytes made = repair(&file, report);
    assert_int_equal(made.size, file.size);
    assert_memory_equal(made.data, file.data, file.size);
    assert_true(is_repaired(report, "nothing was repaired"));
    facet_report_free(report);
    test_bytes_free(&made);
    test_bytes_free(&file);
    test_j3d_free(model);
}

/* Two shapes have the same material, and the file does not show which one needs another. */
TEST(what_cannot_be_repaired_is_reported)
{
    static const uint16_t nodes[][2] = {{JOINT, 0},    {OPEN, 0},  {MATERIAL, 0}, {SHAPE, 0},
                                        {MATERIAL, 0}, {SHAPE, 1}, {CLOSE, 0}};
    test_j3d *model = make_two_shapes(nodes, sizeof nodes / sizeof *nodes, 1, 1);
    facet_report *report = new_report();
    test_bytes file = test_j3d_write(model, FACET_J3D_BMD3), made = repair(&file, report);
    const facet_finding *finding = test_finding(report, "J3D-UNREPAIRED");
    assert_non_null(finding);
    assert_non_null(strstr(finding->message, "J3D-INF1-LOOP"));
    expect_rest(&file, &made, "");
    facet_report_free(report);
    test_bytes_free(&made);
    test_bytes_free(&file);
    test_j3d_free(model);
}

/* Weights that do not sum to 1: the file does not show which one is wrong. */
TEST(warnings_that_stay_are_reported)
{
    test_j3d *model = test_j3d_small();
    facet_report *report = new_report();
    test_bytes file = test_j3d_write(model, FACET_J3D_BMD3);
    size_t evp1 = test_j3d_section(&file, "EVP1");
    test_bytes_set32(&file, evp1 + facet_load_u32be(file.data + evp1 + 0x14), 0x3DCCCCCD); /* 0.1 */
    test_bytes made = repair(&file, report);
    const facet_finding *finding = test_finding(report, "J3D-UNREPAIRED");
    assert_non_null(finding);
    assert_int_equal(finding->severity, FACET_SEVERITY_NOTE);
    assert_non_null(strstr(finding->message, "J3D-EVP1-WEIGHTS"));
    assert_true(is_repaired(report, "nothing was repaired"));
    assert_int_equal(made.size, file.size);
    assert_memory_equal(made.data, file.data, file.size);
    facet_report_free(report);
    test_bytes_free(&made);
    test_bytes_free(&file);
    test_j3d_free(model);
}

/* The second shape of a material is not drawn. A tree that names the material before each of its
 * shapes would make the game hang (J3D-INF1-LOOP), so the second root also stays. */
TEST(repair_adds_no_error)
{
    static const uint16_t nodes[][2] = {{JOINT, 0}, {OPEN, 0},  {MATERIAL, 0}, {SHAPE, 0},
                                        {SHAPE, 1}, {CLOSE, 0}, {JOINT, 1}};
    test_j3d *model = make_two_shapes(nodes, sizeof nodes / sizeof *nodes, 2, 1);
    facet_report *report = new_report();
    test_bytes file = test_j3d_write(model, FACET_J3D_BMD3), made = repair(&file, report);
    assert_int_equal(count_errors(&file), 1);
    assert_int_equal(count_errors(&made), 1);
    expect_rest(&file, &made, "");
    assert_non_null(strstr(test_finding(report, "J3D-UNREPAIRED")->message, "J3D-INF1-ROOTS"));
    facet_report_free(report);
    test_bytes_free(&made);
    test_bytes_free(&file);
    test_j3d_free(model);
}

/* The three positions use 36 of 64 bytes, so a count of 4 or 5 also fits into the array. */
TEST(vertices_that_no_shape_uses_are_not_counted)
{
    static const double points[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    static const uint16_t values[3] = {0, 1, 2}, matrix = 0;
    test_j3d *model = test_j3d_new();
    facet_report *report = new_report();
    facet_j3d_material material = test_j3d_minimal_material("skin");
    test_j3d_add_joint(model, "root", TEST_J3D_NONE);
    test_j3d_add_values(model, FACET_J3D_ARRAY_POSITION, 1, FACET_J3D_F32, 0, points, 3);
    test_j3d_add_draw(model, 0, 0);
    test_j3d_add_material(model, &material);
    uint32_t shape = test_j3d_add_shape(model, FACET_J3D_SHAPE_SINGLE, 0, 0);
    test_j3d_add_part(model, shape, FACET_J3D_POSITION, FACET_J3D_INPUT_INDEX8);
    test_j3d_add_packet(model, shape, &matrix, 1);
    test_j3d_draw(model, shape, 0x90, values, 3);
    test_bytes file = test_j3d_write(model, FACET_J3D_BMD3);
    size_t count = test_j3d_section(&file, "INF1") + 0x10;
    assert_int_equal(facet_load_u32be(file.data + count), 3);
    file.data[count + 3] = 5;
    test_bytes made = repair(&file, report);
    assert_true(is_repaired(report, "J3D-INF1-VERTICES"));
    assert_int_equal(made.size, file.size);
    assert_int_equal(facet_load_u32be(made.data + count), 3);
    made.data[count + 3] = 5;
    assert_memory_equal(made.data, file.data, file.size);
    facet_report_free(report);
    test_bytes_free(&made);
    test_bytes_free(&file);
    test_j3d_free(model);
}

/* -- Alignment ---------------------------------------------------------- */

/* Insert zeros at `at` of a section, and add their number to the offsets in the `fields`. Zeros at
 * the end of the section fill its size to a multiple of 32. */
static void insert(test_bytes *file, const char *magic, size_t at, size_t count,
                   const size_t fields[8])
{
    test_bytes longer = {0};
    size_t section = test_j3d_section(file, magic);
    size_t size = facet_load_u32be(file->data + section + 4), end = section + size;
    for (size_t i = 0; i < 8 && fields[i]; i++) {
        uint8_t *field = file->data + section + fields[i];
        facet_store_u32be(field, facet_load_u32be(field) + (uint32_t)count);
    }
    test_bytes_put(&longer, file->data, section + at);
    for (size_t i = 0; i < count; i++)
        test_bytes_u8(&longer, 0);
    test_bytes_put(&longer, file->data + section + at, size - at);
    test_bytes_zeros(&longer, section, 32);
    test_bytes_set32(&longer, section + 4, (uint32_t)(longer.size - section));
    test_bytes_put(&longer, file->data + end, file->size - end);
    test_bytes_set32(&longer, 8, (uint32_t)longer.size);
    test_bytes_free(file);
    *file = longer;
}

/* The golden model. Its texture gets a palette: C4 with 16 colors, before the image. A repair
 * changes the packet with it. */
static test_bytes golden_with_palette(void)
{
    static const size_t fields[8] = {0x20 + 0x1C, 0x10};
    static const uint8_t palette[4] = {1, 0, 0, 16}; /* has one, IA8, 16 colors */
    uint8_t bytes[TEST_J3D_GOLDEN_SIZE];
    test_bytes file = {0};
    test_j3d_golden(bytes);
    test_bytes_put(&file, bytes, sizeof bytes);
    insert(&file, "TEX1", 0x40, 32, fields);
    size_t header = test_j3d_section(&file, "TEX1") + 0x20;
    file.data[header] = FACET_GX_C4;
    memcpy(file.data + header + 8, palette, sizeof palette);
    test_bytes_set32(&file, header + 0x0C, 0x20);
    facet_report *report = new_report();
    test_bytes right = repair(&file, report);
    facet_report_free(report);
    test_bytes_free(&file);
    return right;
}

/* The console ignores the low five bits of the addresses of texels, palettes and commands. Data
 * that is moved by 8 bytes returns to its place, so the repaired file is the original. */
TEST(misaligned_data_is_reported_and_aligned)
{
    static const struct {
        const char *section, *what;
        size_t at, fields[8];
        facet_severity severity;
    } cases[] = {
        {"TEX1", "image", 0x60, {0x20 + 0x1C, 0x10}, FACET_SEVERITY_ERROR},
        {"TEX1", "palette", 0x40, {0x20 + 0x0C, 0x20 + 0x1C, 0x10}, FACET_SEVERITY_ERROR},
        {"SHP1", "display list", 0, {0x20, 0x24, 0x28}, FACET_SEVERITY_ERROR},
        {"MDL3", "packet", 0x60, {0x40, 0x10, 0x14, 0x18, 0x1C, 0x20}, FACET_SEVERITY_ERROR},
        {"VTX1", "vertex array", 0, {0x0C, 0x10, 0x18, 0x20}, FACET_SEVERITY_WARNING},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        test_bytes right = golden_with_palette(), wrong = golden_with_palette();
        facet_report *found = new_report(), *report = new_report();
        facet_error error;
        assert_int_equal(count_errors(&right), 0);
        size_t at = cases[i].at; /* 0: where the first field points */
        if (at == 0)
            at = facet_load_u32be(wrong.data + test_j3d_section(&wrong, cases[i].section) +
                                  cases[i].fields[0]);
        insert(&wrong, cases[i].section, at, 8, cases[i].fields);
        TEST_OK(facet_j3d_check(TEST_SOURCE(wrong.data, wrong.size), NULL, found, &error), &error);
        const facet_finding *finding = test_finding(found, "J3D-ALIGNMENT");
        assert_non_null(finding);
        assert_non_null(strstr(finding->message, cases[i].what));
        assert_int_equal(finding->severity, cases[i].severity);
        test_bytes made = repair(&wrong, report);
        assert_true(is_repaired(report, "J3D-ALIGNMENT"));
        if (cases[i].severity == FACET_SEVERITY_ERROR) {
            assert_int_equal(made.size, right.size);
            assert_memory_equal(made.data, right.data, right.size);
        } else { /* the last array keeps the zeros after it, because arrays have no counts */
            assert_int_equal(made.size, wrong.size);
            expect_rest(&right, &made, cases[i].section);
        }
        assert_false(has_finding(&made, "J3D-ALIGNMENT"));
        facet_report_free(found);
        facet_report_free(report);
        test_bytes_free(&made);
        test_bytes_free(&right);
        test_bytes_free(&wrong);
    }
}

/* A packet of 0x1C0 bytes whose size is without the last eight bytes of its padding. */
TEST(packets_get_sizes_of_whole_blocks)
{
    uint8_t bytes[TEST_J3D_GOLDEN_SIZE];
    test_bytes right = {0}, wrong = {0};
    test_j3d_golden(bytes);
    test_bytes_put(&right, bytes, sizeof bytes);
    test_bytes_put(&wrong, bytes, sizeof bytes);
    size_t line = test_j3d_section(&wrong, "MDL3") + 0x40;
    assert_int_equal(facet_load_u32be(wrong.data + line + 4), 0x1C0);
    test_bytes_set32(&wrong, line + 4, 0x1B8);
    facet_report *report = new_report();
    test_bytes made = repair(&wrong, report);
    assert_true(is_repaired(report, "J3D-PACKET-SIZE"));
    assert_int_equal(made.size, right.size);
    assert_memory_equal(made.data, right.data, right.size);
    facet_report_free(report);
    test_bytes_free(&made);
    test_bytes_free(&right);
    test_bytes_free(&wrong);
}
