/* The rules of BSM: one small file for each that breaks it, and the published
 * sample file. */
#include "formats/bsm/layout.h"
#include <facet/bsm.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/bsm.h"
#include "support/support.h"

/* -- One file per rule -------------------------------------------------- */

/* A change to the full file: a word, a float or a byte at an offset. */
typedef struct patch {
    char kind; /* 'w', 'f', 'b'; 0 ends the list */
    uint32_t at;
    double value;
} patch;

typedef struct rule_case {
    const char *expected; /* all findings in order: severity rule count */
    uint32_t offset;      /* offset of the first finding */
    patch patches[16];
    size_t size; /* in bytes; 0: size of the full file */
} rule_case;

#define CAPACITY 2048

static const rule_case cases[] = {
    {"", 0, {{0, 0, 0}}, 0},
    /* header */
    {"E BSM-SIZE-HEADER 1\n", 131, {{0, 0, 0}}, 131},
    {"E BSM-MAGIC 1\n", 0, {{'b', 15, 'h'}}, 0},
    {"E BSM-VERSION-INVALID 1\n", 0x10, {{'w', 0x10, 0}}, 0},
    {"W BSM-VERSION-NEWER 1\n", 0x10, {{'w', 0x10, 2}}, 0},
    {"N BSM-EXT-PRESENT 1\n", 0x14, {{'w', 0x14, 7}}, 0},
    /* arrays */
    {"E BSM-COUNT-NEGATIVE 1\nN BSM-GAP 1\n", 0x6C, {{'w', 0x6C, -1}}, 0},
    {"E BSM-OFFSET-NEGATIVE 1\nN BSM-GAP 1\n", 0x70, {{'w', 0x70, -4}}, 0},
    {"E BSM-ARRAY-BOUNDS 1\nN BSM-TRAILING 1\n", 0x80, {{'w', 0x7C, 2}}, 0},
    {"E BSM-ARRAY-BOUNDS 1\nN BSM-TRAILING 1\n", 0x80, {{'w', 0x7C, 0x7FFFFFFF}}, 0},
    /* an empty array whose offset is beyond the file */
    {"E BSM-ARRAY-BOUNDS 1\nN BSM-ARRAY-EMPTY-OFFSET 1\nN BSM-TRAILING 1\nN BSM-OCC-UNUSED 3\n",
     0x80,
     {{'w', 0x7C, 0}, {'w', 0x80, 0x291}},
     0},
    /* the hull's record is V and the offset of the positions: 3, 0x84 */
    {"E BSM-ARRAY-IN-HEADER 1\nN BSM-GAP 1\nE BSM-HULL-RANGE 1\nN BSM-HULL-UNUSED 4\n",
     0x70,
     {{'w', 0x70, 0x40}},
     0},
    {"W BSM-ARRAY-OVERLAP 1\nN BSM-GAP 1\n", 0x84, {{'w', 0x48, 0x84}}, 0},
    {"N BSM-ARRAY-OVERLAP 1\nN BSM-GAP 1\n", 0x84, {{'w', 0x78, 0x84}}, 0},
    {"W BSM-ARRAY-ALIGN 1\nN BSM-GAP 1\n",
     0x80,
     {{'w', 0x80, 0x285}, {'w', 0x285, 0}, {'w', 0x289, 1}, {'w', 0x28D, 2}},
     0x291},
    {"N BSM-ARRAY-EMPTY-OFFSET 1\nN BSM-ARRAY-EMPTY-OFFSET 1\nN BSM-GAP 1\n",
     0x68,
     {{'w', 0x64, 0}, {'w', 0x6C, 0}},
     0},
    {"N BSM-GAP 1\n", 0x228, {{'w', 0x64, 0}, {'w', 0x68, 0}, {'w', 0x6C, 0}, {'w', 0x70, 0}}, 0},
    {"N BSM-TRAILING 1\n", 0x290, {{0, 0, 0}}, 0x294},
    {"N BSM-GAP 1\nW BSM-MODEL-EMPTY 1\nN BSM-VERT-UNUSED 3\n",
     0x114,
     {{'w', 0x54, 0}, {'w', 0x58, 0}, {'w', 0x5C, 0}, {'w', 0x60, 0}},
     0},
    /* several errors at once: all are reported */
    {"E BSM-VERSION-INVALID 1\nE BSM-COUNT-NEGATIVE 1\nE BSM-OFFSET-NEGATIVE 1\nN BSM-GAP 1\n"
     "E BSM-FLOAT-NONFINITE 1\nE BSM-NORMAL-ZERO 1\nE BSM-OCC-INDEX-RANGE 1\nN BSM-OCC-UNUSED 3\n",
     0x10,
     {{'w', 0x10, -5},
      {'w', 0x6C, -1},
      {'w', 0x70, -1},
      {'f', 0xA8, INFINITY},
      {'w', 0xC8, 0},
      {'w', 0x284, 99}},
     0},
    /* floats */
    {"E BSM-FLOAT-NONFINITE 1\n", 0xA8, {{'w', 0xA8, 0x7FC00000}}, 0},
    {"E BSM-FLOAT-NONFINITE 2\n", 0xA8, {{'f', 0xA8, -INFINITY}, {'f', 0xB0, INFINITY}}, 0},
    {"N BSM-FLOAT-DENORMAL 1\n", 0xA8, {{'w', 0xA8, 1}}, 0},
    /* bounds */
    {"E BSM-BOX-ORDER 1\n", 0x28, {{'f', 0x28, 2}}, 0},
    {"W BSM-BOX-CONTAIN 1\n", 0x90, {{'f', 0x34, 0.5}}, 0},
    {"N BSM-BOX-LOOSE 1\n", 0x28, {{'f', 0x34, 1.1}}, 0},
    {"E BSM-SPHERE-RADIUS 1\n", 0x24, {{'f', 0x24, -1}}, 0},
    {"W BSM-SPHERE-ZERO 1\nW BSM-SPHERE-CONTAIN 3\n", 0x24, {{'f', 0x24, 0}}, 0},
    {"W BSM-SPHERE-CONTAIN 3\n", 0x84, {{'f', 0x24, 0.7}}, 0},
    /* 1.2 * sqrt(0.5) = 0.8485 */
    {"", 0, {{'f', 0x24, 0.848}}, 0},
    {"N BSM-SPHERE-LOOSE 1\n", 0x24, {{'f', 0x24, 0.851}}, 0},
    /* normals and tangents */
    {"E BSM-NORMAL-ZERO 1\n", 0xCC, {{'f', 0xD4, 0}}, 0},
    {"W BSM-NORMAL-LENGTH 1\n", 0xC0, {{'f', 0xC8, 0.9989}}, 0},
    {"", 0, {{'f', 0xC8, 0.9991}}, 0},
    {"W BSM-TANGENT-ZERO 1\n", 0xE4, {{'f', 0xE4, 0}}, 0},
    {"W BSM-TANGENT-LENGTH 1\n", 0xF4, {{'f', 0xF4, 1.0011}}, 0},
    {"W BSM-TANGENT-ORTHO 1\n", 0xE4, {{'f', 0xE4, 0.6}, {'f', 0xEC, 0.8}}, 0},
    {"W BSM-TANGENT-HAND 1\n", 0xF0, {{'f', 0xF0, 0.5}}, 0},
    {"N BSM-TANGENT-HAND-UV 3\n", 0x114, {{'f', 0xF0, -1}, {'f', 0x100, -1}, {'f', 0x110, -1}}, 0},
    {"N BSM-TANGENT-HAND-UV 1\nN BSM-TANGENT-HAND-MIXED 1\n", 0x114, {{'f', 0xF0, -1}}, 0},
    /* triangles */
    {"E BSM-TRI-INDEX-RANGE 1\nN BSM-VERT-UNUSED 3\n", 0x114, {{'w', 0x114, 3}}, 0},
    {"E BSM-TRI-INDEX-RANGE 1\nN BSM-VERT-UNUSED 3\n", 0x114, {{'w', 0x11C, -1}}, 0},
    {"W BSM-TRI-DEGENERATE 1\nN BSM-VERT-UNUSED 1\n", 0x114, {{'w', 0x11C, 0}}, 0},
    /* the third position is moved onto the edge; box and sphere follow */
    {"N BSM-TRI-ZERO-AREA 1\nN BSM-OCC-OUTSIDE 3\n",
     0x114,
     {{'f', 0x9C, 0.5}, {'f', 0xA0, 0}, {'f', 0x38, 0}, {'f', 0x1C, 0}, {'f', 0x24, 0.5}},
     0},
    {"W BSM-TRI-WINDING 1\nN BSM-TANGENT-HAND-UV 3\n",
     0x114,
     {{'w', 0x118, 2}, {'w', 0x11C, 1}},
     0},
    /* triangles 0 1 2 and 1 2 0 at the end */
    {"N BSM-GAP 1\nN BSM-TRI-DUPLICATE 1\n",
     0x114,
     {{'w', 0x54, 2},
      {'w', 0x58, 0x290},
      {'w', 0x124, 2},
      {'w', 0x294, 1},
      {'w', 0x298, 2},
      {'w', 0x29C, 1},
      {'w', 0x2A0, 2}},
     0x2A8},
    /* vertex 1 becomes vertex 0 */
    {"N BSM-VERT-DUPLICATE 1\nN BSM-BOX-LOOSE 1\nN BSM-SPHERE-LOOSE 1\nN BSM-TRI-ZERO-AREA 1\n",
     0x90,
     {{'f', 0x90, 0}, {'f', 0xB0, 0}},
     0},
    /* meshes */
    {"E BSM-MESH-RANGE 1\nW BSM-MESH-COVERAGE 1\n", 0x120, {{'w', 0x124, 2}}, 0},
    {"E BSM-MESH-RANGE 1\nW BSM-MESH-COVERAGE 1\n", 0x120, {{'w', 0x120, -1}}, 0},
    {"N BSM-MESH-EMPTY 1\nW BSM-MESH-COVERAGE 1\n", 0x120, {{'w', 0x124, 0}}, 0},
    {"N BSM-GAP 1\nW BSM-MESH-NONE 1\n", 0x120, {{'w', 0x5C, 0}, {'w', 0x60, 0}}, 0},
    /* two records at the end: both contain triangle 0, named a and b */
    {"N BSM-GAP 1\nW BSM-MESH-OVERLAP 1\n",
     0x120,
     {{'w', 0x5C, 2},
      {'w', 0x60, 0x290},
      {'w', 0x294, 1},
      {'b', 0x298, 'a'},
      {'w', 0x39C, 1},
      {'b', 0x3A0, 'b'}},
     0x4A0},
    /* the first record has no triangles and begins at 1 */
    {"N BSM-GAP 1\nN BSM-MESH-ORDER 1\nN BSM-MESH-EMPTY 1\n",
     0x120,
     {{'w', 0x5C, 2},
      {'w', 0x60, 0x290},
      {'w', 0x290, 1},
      {'b', 0x298, 'a'},
      {'w', 0x39C, 1},
      {'b', 0x3A0, 'b'}},
     0x4A0},
    {"N BSM-GAP 1\nN BSM-MESH-EMPTY 1\nW BSM-MAT-DUPLICATE 1\n",
     0x120,
     {{'w', 0x5C, 2},
      {'w', 0x60, 0x290},
      {'w', 0x294, 1},
      {'b', 0x298, 'a'},
      {'w', 0x398, 1},
      {'b', 0x3A0, 'a'}},
     0x4A0},
    /* names; 'n' fills all 256 bytes */
    {"W BSM-MAT-UNTERMINATED 1\n", 0x120, {{'n', 0x128, 'a'}}, 0},
    {"W BSM-MAT-UTF8 1\n", 0x120, {{'b', 0x129, 0xFF}}, 0},
    {"N BSM-MAT-EMPTY 1\n", 0x120, {{'w', 0x128, 0}, {'w', 0x12C, 0}}, 0},
    {"W BSM-MAT-CONTROL 1\n", 0x120, {{'b', 0x129, 0x7F}}, 0},
    {"W BSM-MAT-CONTROL 1\n", 0x120, {{'b', 0x129, 0x1F}}, 0},
    {"N BSM-MAT-TAIL 1\n", 0x120, {{'b', 0x227, 1}}, 0},
    /* hulls */
    {"E BSM-HULL-RANGE 1\nN BSM-HULL-UNUSED 4\n", 0x258, {{'w', 0x25C, 5}}, 0},
    {"W BSM-HULL-SMALL 1\nN BSM-HULL-UNUSED 1\n", 0x258, {{'w', 0x25C, 3}}, 0},
    {"W BSM-HULL-SMALL 1\n", 0x258, {{'f', 0x254, 0}, {'f', 0x250, 1}, {'f', 0x24C, 1}}, 0},
    /* five points at the end: the corners and one inside, or on a face */
    {"N BSM-GAP 1\nN BSM-HULL-INTERIOR 1\n",
     0x228,
     {{'w', 0x64, 5},
      {'w', 0x68, 0x290},
      {'w', 0x25C, 5},
      {'f', 0x29C, 1},
      {'f', 0x2AC, 1},
      {'f', 0x2BC, 1},
      {'f', 0x2C0, 0.1},
      {'f', 0x2C4, 0.1},
      {'f', 0x2C8, 0.1}},
     0x2CC},
    {"N BSM-GAP 1\n",
     0x228,
     {{'w', 0x64, 5},
      {'w', 0x68, 0x290},
      {'w', 0x25C, 5},
      {'f', 0x29C, 1},
      {'f', 0x2AC, 1},
      {'f', 0x2BC, 1},
      {'f', 0x2C0, 0.5},
      {'f', 0x2C4, 0.25},
      {'f', 0x2C8, 0.25}},
     0x2CC},
    {"N BSM-GAP 1\nN BSM-HULL-UNUSED 4\n", 0x258, {{'w', 0x6C, 0}, {'w', 0x70, 0}}, 0},
    /* occluder */
    {"E BSM-OCC-INDEX-RANGE 1\nN BSM-OCC-UNUSED 3\n", 0x284, {{'w', 0x284, 3}}, 0},
    {"W BSM-OCC-DEGENERATE 1\nN BSM-OCC-UNUSED 1\n", 0x284, {{'w', 0x28C, 0}}, 0},
    {"N BSM-OCC-OUTSIDE 1\n", 0x260, {{'f', 0x260, -1}}, 0},
};

static void apply(uint8_t *file, const patch *p)
{
    float number = (float)p->value;
    uint32_t word;
    switch (p->kind) {
    case 'w':
        bsm_put(file + p->at, (uint32_t)(int64_t)p->value);
        break;
    case 'f':
        memcpy(&word, &number, 4);
        bsm_put(file + p->at, word);
        break;
    case 'n':
        memset(file + p->at, (int)p->value, 256);
        break;
    default:
        file[p->at] = (uint8_t)p->value;
    }
}

/* Check bytes in a block of their exact size. */
static facet_report *check(const uint8_t *bytes, size_t size)
{
    facet_report *report = NULL;
    facet_error error;
    uint8_t *exact = malloc(size ? size : 1);
    assert_non_null(exact);
    memcpy(exact, bytes, size);
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    TEST_OK(facet_bsm_check(TEST_SOURCE(exact, size), NULL, report, &error), &error);
    free(exact);
    return report;
}

TEST(each_rule_is_reported_at_its_offset)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint8_t file[CAPACITY] = {0};
        char found[1000] = "";
        bsm_build_full(file);
        for (const patch *p = cases[i].patches; p->kind; p++)
            apply(file, p);
        facet_report *report = check(file, cases[i].size ? cases[i].size : BSM_FULL_SIZE);
        for (size_t k = 0; k < facet_report_count(report); k++) {
            const facet_finding *finding = facet_report_get(report, k);
            snprintf(found + strlen(found), sizeof found - strlen(found), "%c %s %d\n",
                     "NWE"[finding->severity], finding -> rule, (int)finding -> count);
        }
        if (strcmp(found, cases[i].expected) != 0)
            fail_msg("case %zu: expected\n%sfound\n%s", i, cases[i].expected, found);
        if (found[0] && facet_report_get(report, 0)->offset != cases[i].offset)
            fail_msg("case %zu: %s at %#x, expected %#x", i, facet_report_get(report, 0)->rule,
                     (unsigned)facet_report_get(report, 0)->offset, (unsigned)cases[i].offset);
        facet_report_free(report);
    }
}

/* -- Many of a kind ----------------------------------------------------- */

/* Overlapping hulls must not cost unbounded work or create unbounded findings. The file has
 * 20,000 hulls of the same 200 points. */
TEST(overlapping_hulls_cost_little)
{
    const uint32_t points = 200, hulls = 20000;
    size_t size = 132 + points * 12 + hulls * 8;
    uint8_t *file = calloc(1, size);
    assert_non_null(file);
    bsm_build_triangle(file);
    memset(file + 0x18, 0, size - 0x18);
    const uint32_t header[] = {points, 132, hulls, 132 + points * 12};
    bsm_put_words(file + 0x64, header, 4);
    for (uint32_t i = 0; i < points; i++) {
        const float point[3] = {(float)cos(i), (float)sin(i), (float)cos(i * 0.7)};
        memcpy(file + 132 + i * 12, point, 12); /* little-endian hosts */
    }
    for (uint32_t i = 0; i < hulls; i++)
        bsm_put(file + 132 + points * 12 + i * 8 + 4, points);
    facet_report *report = check(file, size);
    const facet_finding *last = facet_report_get(report, facet_report_count(report) - 1);
    assert_string_equal(last->rule, "BSM-HULL-INTERIOR");
    assert_true(last->count > 19000);
    facet_report_free(report);
    free(file);
}

/* A grid in the plane z = 0 with errors far apart, and the findings for them. They are the same
 * for any number of threads. */
enum { SIDE = 400, GRID = (SIDE + 1) * (SIDE + 1), CELLS = SIDE * SIDE * 2, TWICE = 10, AGAIN = 5 };

static facet_output *make_grid(void)
{
    float *positions = malloc((GRID + TWICE) * 3 * sizeof(float));
    float *texcoords = malloc((GRID + TWICE) * 2 * sizeof(float));
    float *normals = malloc((GRID + TWICE) * 3 * sizeof(float));
    float *tangents = malloc((GRID + TWICE) * 4 * sizeof(float));
    uint32_t *triangles = malloc((CELLS + AGAIN) * 3 * sizeof(uint32_t));
    assert_true(positions && texcoords && normals && tangents && triangles);
    for (uint32_t i = 0; i < GRID + TWICE; i++) {
        uint32_t v = i < GRID ? i : (i - GRID) * 7000; /* the last ones differ from all others */
        float x = (float)(v % (SIDE + 1)), y = (float)(v / (SIDE + 1));
        memcpy(positions + i * 3, (float[]){x, y, 0}, 12);
        memcpy(texcoords + i * 2, (float[]){x / SIDE, y / SIDE}, 8);
        memcpy(normals + i * 3, (float[]){0, 0, 1}, 12);
        memcpy(tangents + i * 4, (float[]){1, 0, 0, 1}, 16);
    }
    for (uint32_t i = 0; i < CELLS / 2; i++) {
        uint32_t a = i / SIDE * (SIDE + 1) + i % SIDE, b = a + 1, c = a + SIDE + 1;
        memcpy(triangles + i * 6, (uint32_t[]){a, b, c + 1, a, c + 1, c}, 24);
    }
    for (uint32_t i = 0; i < AGAIN; i++) { /* reversed winding */
        const uint32_t *t = triangles + i * 60000 * 3;
        memcpy(triangles + (CELLS + i) * 3, (uint32_t[]){t[1], t[2], t[0]}, 12);
    }
    uint32_t *one = triangles + 200001 * 3, *other = triangles + 300001 * 3, swap = one[0];
    one[0] = one[1], one[1] = swap, swap = other[0];
    other[0] = other[1], other[1] = swap;
    triangles[250000 * 3] = triangles[250000 * 3 + 1];
    facet_bsm_mesh mesh = {.triangle_count = CELLS + AGAIN, .material = "all"};
    facet_bsm bsm = {.center = {SIDE / 2, SIDE / 2, 0},
                     .radius = SIDE * 0.70710678f + 0.001f,
                     .maximum = {SIDE, SIDE, 0},
                     .vertex_count = GRID + TWICE,
                     .positions = positions,
                     .texcoords = texcoords,
                     .normals = normals,
                     .tangents = tangents,
                     .triangle_count = CELLS + AGAIN,
                     .triangles = triangles,
                     .mesh_count = 1,
                     .meshes = &mesh};
    facet_output *output = NULL;
    facet_error error;
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(facet_bsm_write(&bsm, NULL, output, &error), &error);
    TEST_OK(facet_output_commit(output, &error), &error);
    free(positions);
    free(texcoords);
    free(normals);
    free(tangents);
    free(triangles);
    return output;
}

TEST(large_file_findings_equal_for_all_threads)
{
    static const struct {
        const char *rule;
        uint64_t count;
        const char *message;
    } expected[] = {
        {"BSM-VERT-DUPLICATE", TWICE, "vertex 160801 equals vertex 0 bit for bit"},
        {"BSM-TRI-DEGENERATE", 1, "triangle 250000 has two equal indices"},
        {"BSM-TRI-WINDING", 2, "triangle 200001 faces away from its vertex normals"},
        {"BSM-TANGENT-HAND-UV", 2 * 3, "a corner of triangle 200001 has a handedness"},
        {"BSM-VERT-UNUSED", TWICE, "vertex 160801 is in no triangle"},
        {"BSM-TRI-DUPLICATE", AGAIN, "triangle 320000 has the vertices of triangle 0"},
    };
    facet_output *output = make_grid();
    facet_source source =
        facet_source_from_memory(facet_output_data(output), facet_output_size(output), "a.bsm");
    static const unsigned threads[] = {1, 2, 5};
    for (size_t i = 0; i < 3; i++) {
        facet_error error;
        facet_options options = {0};
        facet_report *report = NULL;
        TEST_OK(facet_threads_create(threads[i], &options.threads, &error), &error);
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        TEST_OK(facet_bsm_check(&source, &options, report, &error), &error);
        assert_int_equal(facet_report_count(report), sizeof expected / sizeof *expected);
        for (size_t k = 0; k < sizeof expected / sizeof *expected; k++) {
            const facet_finding *finding = facet_report_get(report, k);
            assert_string_equal(finding->rule, expected[k].rule);
            assert_int_equal(finding->count, expected[k].count);
            assert_memory_equal(finding->message, expected[k].message, strlen(expected[k].message));
        }
        facet_report_free(report);
        facet_threads_free(options.threads);
    }
    facet_output_free(output);
}

/* -- The published sample ----------------------------------------------- */

static uint64_t count_of(const facet_report *report, const char *rule)
{
    const facet_finding *finding = test_finding(report, rule);
    return finding ? finding->count : 0;
}

/* Known facts: one zero tangent; 966 of 968 triangles agree with their vertex normals. There are
 * 96 triangles with vertices of different handedness. 170 corners contradict their texture
 * coordinates. */
TEST(published_sample_has_five_findings)
{
    TEST_NEEDS_CORPUS();
    facet_file *file = NULL;
    facet_error error;
    TEST_OK(facet_file_open(test_corpus("bsm/test.bsm"), NULL, &file, &error), &error);
    facet_report *report = check(facet_file_source(file).data, facet_file_source(file).size);
    assert_int_equal(facet_report_severity_count(report, FACET_SEVERITY_ERROR), 0);
    assert_int_equal(count_of(report, "BSM-TANGENT-ZERO"), 1);
    assert_int_equal(count_of(report, "BSM-TRI-WINDING"), 968 - 966);
    assert_int_equal(count_of(report, "BSM-TANGENT-HAND-MIXED"), 96);
    assert_int_equal(count_of(report, "BSM-TANGENT-HAND-UV"), 170);
    assert_int_equal(count_of(report, "BSM-MAT-EMPTY"), 1);
    /* no other finding: all vertices distinct and used, bounds tight */
    assert_int_equal(facet_report_count(report), 5);
    facet_report_free(report);
    facet_file_close(file);
}

/* -- Errors ------------------------------------------------------------- */

static void attempt_check(const uint8_t *data, size_t size, void *user)
{
    (void)user;
    facet_report *report = NULL;
    assert_int_equal(facet_report_create(NULL, &report, NULL), FACET_OK);
    assert_int_equal(facet_bsm_check(TEST_SOURCE(data, size), NULL, report, NULL), FACET_OK);
    facet_report_free(report);
}

TEST(check_survives_any_byte_change)
{
    uint8_t file[BSM_FULL_SIZE];
    bsm_build_full(file);
    test_every_mutation(file, sizeof file, attempt_check, NULL);
}

static facet_status attempt_allocation(const facet_allocator *allocator, void *user)
{
    facet_options options = {0};
    options.allocator = allocator;
    facet_report *report = NULL;
    facet_error error;
    facet_status status = facet_report_create(allocator, &report, &error);
    if (!status)
        status = facet_bsm_check(TEST_SOURCE(user, BSM_FULL_SIZE), &options, report, &error);
    facet_report_free(report);
    return status;
}

TEST(check_reports_failed_allocations)
{
    uint8_t file[BSM_FULL_SIZE];
    bsm_build_full(file);
    bsm_put(file + 0x114, 9); /* an index out of range, so that there is a finding */
    test_every_allocation(attempt_allocation, file);
}

static bool cancel(void *user, const char *step, double fraction)
{
    (void)step;
    (void)fraction;
    return --*(int *)user > 0;
}

TEST(check_returns_canceled)
{
    uint8_t file[BSM_FULL_SIZE];
    facet_report *report = NULL;
    facet_options options = {0};
    int calls = 2;
    bsm_build_full(file);
    options.progress = cancel;
    options.progress_user = &calls;
    assert_int_equal(facet_report_create(NULL, &report, NULL), FACET_OK);
    assert_int_equal(facet_bsm_check(TEST_SOURCE(file, sizeof file), &options, report, NULL),
                     FACET_ERROR_CANCELED);
    facet_report_free(report);
}
