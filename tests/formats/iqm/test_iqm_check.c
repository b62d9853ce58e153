/* The rules of IQM: one small file for each that breaks it. */
#include "formats/iqm/file.h"

#include <facet/iqm.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/iqm.h"
#include "support/support.h"

/* A change to the file: a word, a float or a byte at an offset. */
typedef struct patch {
    char kind; /* 'w', 'f', 'b'; 0 ends the list */
    uint32_t at;
    double value;
} patch;

typedef struct rule_case {
    const char *expected; /* all findings in order, except the extension's: severity rule count */
    patch patches[10];
    size_t size; /* in bytes; 0: size of the built file */
} rule_case;

#define CAPACITY 2048
#define ARRAY(i) (IQM_ARRAYS + 20 * (i))

static const rule_case cases[] = {
    {"", {{0, 0, 0}}, 0},
    /* header */
    {"E IQM-SIZE-HEADER 1\n", {{0, 0, 0}}, 123},
    {"E IQM-MAGIC 1\n", {{'b', 0, 'X'}}, 0},
    {"E IQM-VERSION 1\n", {{'w', 16, 3}}, 0},
    {"W IQM-FILE-SIZE 1\n", {{'w', 20, IQM_SIZE + 4}}, 0},
    {"N IQM-FLAGS 1\n", {{'w', 24, 1}}, 0},
    {"N IQM-FLAGS 1\n", {{'w', ARRAY(0) + 4, 1}}, 0},
    /* sections */
    {"E IQM-SECTION-BOUNDS 1\n", {{'w', 36, 1000}}, 0},
    {"E IQM-SECTION-BOUNDS 1\n", {{'w', 60, IQM_SIZE - 20}}, 0},
    {"E IQM-SECTION-IN-HEADER 1\n", {{'w', 40, 120}}, 0},
    {"W IQM-ALIGN 1\nW IQM-OVERLAP 1\n", {{'w', 112, IQM_COMMENT - 1}}, 0},
    {"N IQM-EMPTY-OFFSET 1\nN IQM-GAP 1\n", {{'w', 108, 0}}, 0},
    /* positions and half of the texture coordinates; 64 bytes become unused */
    {"N IQM-GAP 1\nW IQM-OVERLAP 2\nW IQM-TANGENT-LENGTH 2\nW IQM-TANGENT-HAND 1\n",
     {{'w', ARRAY(3) + 16, IQM_POSITIONS}},
     0},
    {"N IQM-GAP 1\n", {{'w', 108, 0}, {'w', 112, 0}}, 0},
    {"W IQM-FILE-SIZE 1\nN IQM-TRAILING 1\n", {{0, 0, 0}}, IQM_SIZE + 1},
    /* text */
    {"W IQM-TEXT-START 1\n", {{'b', IQM_TEXT, 'a'}}, 0},
    {"W IQM-TEXT-END 1\n", {{'b', IQM_TEXT + 39, 'a'}}, 0},
    {"W IQM-TEXT-UTF8 1\n", {{'b', IQM_TEXT + 1, 0xFF}}, 0},
    {"E IQM-NAME 1\n", {{'w', IQM_MESH, 40}}, 0},
    {"E IQM-NAME 1\n", {{'w', IQM_ANIMATION, 99}}, 0},
    {"W IQM-TEXT-END 1\nE IQM-NAME 1\n",
     {{'b', IQM_TEXT + 37, 'x'}, {'b', IQM_TEXT + 38, 'x'}, {'b', IQM_TEXT + 39, 'x'}},
     0},
    {"N IQM-GAP 1\nW IQM-TEXT-END 1\nE IQM-NAME 1\n",
     {{'w', 28, 32},
      {'w', ARRAY(7), 16},
      {'w', IQM_EXTENSION, 0},
      {'w', IQM_ANIMATION, 31},
      {'b', IQM_TEXT + 33, 0}},
     0},
    /* vertex arrays */
    {"N IQM-GAP 1\nE IQM-ARRAY-FORMAT 1\n", {{'w', ARRAY(7) + 8, 9}}, 0},
    {"N IQM-GAP 1\nE IQM-ARRAY-FORMAT 1\n", {{'w', ARRAY(7) + 12, 0}}, 0},
    {"N IQM-GAP 1\nE IQM-ARRAY-BOUNDS 1\n", {{'w', ARRAY(7) + 16, IQM_SIZE - 12}}, 0},
    {"N IQM-GAP 1\nW IQM-OVERLAP 1\nE IQM-ARRAY-BOUNDS 1\n", {{'w', ARRAY(7) + 16, 100}}, 0},
    {"W IQM-ARRAY-TYPE 1\n", {{'w', ARRAY(7), 7}}, 0},
    {"W IQM-ARRAY-TYPE 1\n", {{'w', ARRAY(7), 15}}, 0},
    {"N IQM-ARRAY-UNUSUAL 1\nW IQM-ARRAY-ORDER 1\nW IQM-ARRAY-DUPLICATE 1\n",
     {{'w', ARRAY(7), 1}},
     0},
    /* the last known type: no later type hides the finding */
    {"N IQM-ARRAY-UNUSUAL 1\nW IQM-ARRAY-DUPLICATE 1\n", {{'w', ARRAY(7), 6}}, 0},
    {"N IQM-GAP 1\nN IQM-ARRAY-UNUSUAL 1\n", {{'w', ARRAY(6) + 12, 3}}, 0},
    {"W IQM-ARRAY-TYPE 1\nW IQM-ARRAY-ORDER 1\nE IQM-POSITION-MISSING 1\n",
     {{'w', ARRAY(0), 7}},
     0},
    {"W IQM-ARRAY-TYPE 1\nW IQM-ARRAY-ORDER 1\nW IQM-BLEND-MISSING 1\n", {{'w', ARRAY(5), 7}}, 0},
    /* values of vertices */
    {"E IQM-FLOAT-NONFINITE 2\n",
     {{'w', IQM_TEXCOORDS, 0x7FC00000}, {'f', IQM_TEXCOORDS + 4, -INFINITY}},
     0},
    {"W IQM-NORMAL-LENGTH 1\n", {{'f', IQM_NORMALS + 8, 2}}, 0},
    {"W IQM-TANGENT-LENGTH 1\n", {{'f', IQM_TANGENTS, 0}}, 0},
    {"W IQM-TANGENT-HAND 2\n", {{'f', IQM_TANGENTS + 12, 0}, {'f', IQM_TANGENTS + 28, 2}}, 0},
    {"W IQM-WEIGHT-SUM 1\n", {{'b', IQM_WEIGHTS, 254}}, 0},
    {"W IQM-WEIGHT-ZERO 1\n", {{'b', IQM_WEIGHTS, 0}}, 0},
    {"E IQM-BLEND-RANGE 1\n", {{'b', IQM_INDEXES, 2}}, 0},
    /* an index with weight 0 is ignored */
    {"", {{'b', IQM_INDEXES + 1, 2}}, 0},
    /* meshes, triangles */
    {"E IQM-MESH-RANGE 1\n", {{'w', IQM_MESH + 12, 5}}, 0},
    {"E IQM-MESH-RANGE 1\n", {{'w', IQM_MESH + 16, 1}}, 0},
    {"W IQM-MESH-COVERAGE 1\n", {{'w', IQM_MESH + 20, 1}}, 0},
    {"W IQM-MESH-VERTEX 1\n", {{'w', IQM_MESH + 12, 3}}, 0},
    {"W IQM-FILE-SIZE 1\nN IQM-GAP 1\nW IQM-MESH-OVERLAP 1\n",
     {{'w', 36, 2},
      {'w', 40, IQM_SIZE},
      {'w', IQM_SIZE + 12, 4},
      {'w', IQM_SIZE + 20, 2},
      {'w', IQM_SIZE + 36, 4},
      {'w', IQM_SIZE + 44, 1}},
     IQM_SIZE + 48},
    /* two meshes with one triangle each, in reverse order */
    {"W IQM-FILE-SIZE 1\nN IQM-GAP 1\n",
     {{'w', 36, 2},
      {'w', 40, IQM_SIZE},
      {'w', IQM_SIZE + 12, 4},
      {'w', IQM_SIZE + 16, 1},
      {'w', IQM_SIZE + 20, 1},
      {'w', IQM_SIZE + 36, 4},
      {'w', IQM_SIZE + 44, 1}},
     IQM_SIZE + 48},
    {"E IQM-TRIANGLE-RANGE 1\n", {{'w', IQM_TRIANGLES, 4}}, 0},
    {"W IQM-TRIANGLE-DEGENERATE 1\n", {{'w', IQM_TRIANGLES + 8, 0}}, 0},
    {"W IQM-TRIANGLE-WINDING 1\n", {{'w', IQM_TRIANGLES + 4, 1}, {'w', IQM_TRIANGLES + 8, 2}}, 0},
    {"E IQM-ADJACENCY-RANGE 1\n", {{'w', IQM_ADJACENCY, 2}}, 0},
    {"E IQM-ADJACENCY-RANGE 1\n", {{'w', IQM_ADJACENCY, 0xFFFFFFFE}}, 0},
    {"W IQM-ADJACENCY-MUTUAL 1\n", {{'w', IQM_ADJACENCY, -1}}, 0},
    {"N IQM-EMPTY-OFFSET 1\nN IQM-EMPTY-OFFSET 1\nN IQM-EMPTY-OFFSET 1\nN IQM-EMPTY-OFFSET 1\n"
     "N IQM-GAP 1\nN IQM-GAP 1\nN IQM-GAP 1\nW IQM-EMPTY 1\nN IQM-FRAME-UNUSED 2\n",
     {{'w', 36, 0}, {'w', 56, 0}, {'w', 84, 0}},
     0},
    /* joints, poses */
    {"E IQM-JOINT-PARENT 1\nW IQM-POSE-PARENT 1\n", {{'w', IQM_JOINTS + 52, 1}}, 0},
    {"E IQM-JOINT-PARENT 1\nW IQM-POSE-PARENT 1\n", {{'w', IQM_POSES + 88, 1}}, 0},
    {"N IQM-JOINT-NAME 1\n", {{'w', IQM_JOINTS + 48, IQM_ROOT}}, 0},
    {"W IQM-ROTATION-LENGTH 1\n", {{'f', IQM_JOINTS + 32, 2}}, 0},
    {"E IQM-FLOAT-NONFINITE 1\n", {{'f', IQM_JOINTS + 8, NAN}}, 0},
    {"E IQM-FLOAT-NONFINITE 1\n", {{'f', IQM_POSES + 8, NAN}}, 0},
    {"N IQM-GAP 1\nW IQM-POSE-COUNT 1\nW IQM-POSE-CHANNELS 1\n", {{'w', 76, 1}}, 0},
    {"E IQM-POSE-CHANNELS 1\n", {{'w', IQM_POSES + 4, 1}}, 0},
    /* a bit above those of the channels */
    {"W IQM-POSE-CHANNELS 1\n", {{'b', IQM_POSES + 7, 0x80}}, 0},
    {"W IQM-POSE-CHANNELS 1\n", {{'b', IQM_POSES + 5, 4}}, 0},
    /* animations */
    {"E IQM-ANIMATION-RANGE 1\n", {{'w', IQM_ANIMATION + 8, 3}}, 0},
    {"W IQM-ANIMATION-RATE 1\n", {{'f', IQM_ANIMATION + 12, 0}}, 0},
    {"W IQM-ANIMATION-EMPTY 1\nN IQM-FRAME-UNUSED 2\n", {{'w', IQM_ANIMATION + 8, 0}}, 0},
    {"N IQM-FRAME-UNUSED 1\n", {{'w', IQM_ANIMATION + 4, 1}, {'w', IQM_ANIMATION + 8, 1}}, 0},
    {"W IQM-BOUNDS 1\n", {{'f', IQM_BOUNDS, 2}}, 0},
    {"W IQM-BOUNDS 2\n", {{'f', IQM_BOUNDS + 24, -1}, {'f', IQM_BOUNDS + 60, NAN}}, 0},
    /* extensions */
    {"E IQM-EXTENSION 1\n", {{'w', 116, 2}}, 0},
    {"N IQM-TRAILING 1\nE IQM-EXTENSION 1\n", {{'w', IQM_EXTENSION + 8, IQM_SIZE}}, 0},
    /* in a circle: followed for at most 1052 / 16 = 65 records, as many as fit into the file; 64
     * of them and their data share bytes with the first */
    {"W IQM-OVERLAP 128\nE IQM-EXTENSION 1\n",
     {{'w', 116, 100}, {'w', IQM_EXTENSION + 12, IQM_EXTENSION}},
     0},
};

static void apply(uint8_t *file, const patch *p)
{
    if (p->kind == 'w')
        iqm_put(file + p->at, (uint32_t)(int64_t)p->value);
    else if (p->kind == 'f')
        iqm_put_float(file + p->at, (float)p->value);
    else
        file[p->at] = (uint8_t)p->value;
}

static void list_findings(const uint8_t *bytes, size_t size, char *found, size_t capacity)
{
    facet_report *report = NULL;
    facet_error error;
    uint8_t *exact = malloc(size);
    assert_non_null(exact);
    memcpy(exact, bytes, size);
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    TEST_OK(facet_iqm_check(TEST_SOURCE(exact, size), NULL, report, &error), &error);
    found[0] = '\0';
    for (size_t k = 0; k < facet_report_count(report); k++) {
        const facet_finding *f = facet_report_get(report, k);
        if (strcmp(f->rule, "IQM-EXTENSION-PRESENT") != 0)
            snprintf(found + strlen(found), capacity - strlen(found), "%c %s %d\n",
                     "NWE"[f->severity], f -> rule, (int)f -> count);
    }
    facet_report_free(report);
    free(exact);
}

TEST(check_reports_each_rule)
{
    int wrong = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint8_t file[CAPACITY] = {0};
        char found[1000];
        iqm_build(file);
        for (const patch *p = cases[i].patches; p->kind; p++)
            apply(file, p);
        list_findings(file, cases[i].size ? cases[i].size : IQM_SIZE, found, sizeof found);
        if (strcmp(found, cases[i].expected) != 0) {
            print_message("case %zu: expected\n%sfound\n%s", i, cases[i].expected, found);
            wrong++;
        }
    }
    assert_int_equal(wrong, 0);
}

/* A message names the record by its number. The offset is that of the invalid field. */
TEST(messages_name_the_record)
{
    static const struct {
        uint32_t at, value;
        const char *message;
    } messages[] = {
        {ARRAY(7), FACET_IQM_CUSTOM + 99, "the name of custom vertex array 7 is at offset 99 "},
        {IQM_JOINTS + 48, 99, "the name of joint 1 is at offset 99 "},
        {IQM_JOINTS + 52, 1, "joint 1 has joint 1 as parent, "},
        {IQM_POSES + 88, 1, "pose 1 has pose 1 as parent, "},
        {IQM_MESH + 4, 99, "the name of the material of mesh 0 is at offset 99 "},
        {ARRAY(2) + 16, 8, "vertex array 2 of 4 vertices "},
        {112, 0, "the offset of the comment is 0, inside the header"},
        {IQM_EXTENSION + 4, 9999, "the 9999 bytes of extension 0 at offset "},
    };
    for (size_t i = 0; i < sizeof messages / sizeof *messages; i++) {
        uint8_t file[IQM_SIZE];
        facet_iqm_layout layout;
        facet_error error;
        iqm_build(file);
        iqm_put(file + messages[i].at, messages[i].value);
        facet_status status = facet_iqm_view(file, sizeof file, &layout, &error);
        if (!status)
            status = facet_iqm_verify(&layout, &error);
        assert_int_equal(status, FACET_ERROR_MALFORMED);
        assert_int_equal(error.offset, messages[i].at);
        if (strncmp(error.message, messages[i].message, strlen(messages[i].message)) != 0)
            fail_msg("'%s' instead of '%s'", error.message, messages[i].message);
    }
}

/* A list of extensions that is too short: the place is the link to the missing record. In a circle,
 * it is the record with which the sum exceeds the file. */
TEST(extension_errors_are_at_the_link)
{
    for (int circle = 0; circle < 2; circle++) {
        uint8_t file[IQM_SIZE];
        facet_iqm_layout layout;
        facet_error error;
        iqm_build(file);
        iqm_put(file + 116, circle ? 100 : 2); /* count of extensions */
        iqm_put(file + IQM_EXTENSION + 12, circle ? IQM_EXTENSION : IQM_SIZE - 15);
        facet_status status = facet_iqm_view(file, sizeof file, &layout, &error);
        if (!status)
            status = facet_iqm_verify(&layout, &error);
        assert_int_equal(status, FACET_ERROR_MALFORMED);
        assert_string_equal(error.rule, "IQM-EXTENSION");
        assert_int_equal(error.offset, circle ? IQM_EXTENSION : IQM_EXTENSION + 12);
        assert_non_null(strstr(error.message, circle
                                                  ? "their list is a circle"
                                                  : "the record of extension 1 of 2 is at offset"));
    }
}

/* The offset of a range is that of its first number. */
TEST(messages_name_the_range)
{
    uint8_t file[IQM_SIZE];
    facet_iqm_layout layout;
    facet_error error;
    iqm_build(file);
    iqm_put(file + IQM_ANIMATION + 8, 0xFFFFFFFF);
    TEST_OK(facet_iqm_view(file, sizeof file, &layout, &error), &error);
    assert_int_equal(facet_iqm_verify(&layout, &error), FACET_ERROR_MALFORMED);
    assert_int_equal(error.offset, IQM_ANIMATION + 4);
    assert_string_equal(error.message, "animation 0 has 4294967295 frames from 0, expected a range "
                                       "of the 2 of the file");
}

TEST(findings_have_offsets)
{
    static const struct {
        const char *rule;
        patch patch;
        uint64_t offset;
    } places[] = {
        {"IQM-TEXT-START", {'b', IQM_TEXT, 'a'}, IQM_TEXT},
        {"IQM-TEXT-END", {'b', IQM_TEXT + 39, 'a'}, IQM_TEXT + 39},
        {"IQM-FLAGS", {'w', ARRAY(3) + 4, 1}, ARRAY(3) + 4},
        {"IQM-ARRAY-UNUSUAL", {'w', ARRAY(6) + 12, 3}, ARRAY(6) + 8},
        {"IQM-ALIGN", {'w', ARRAY(6) + 16, IQM_COLORS - 1}, ARRAY(6) + 16},
        {"IQM-ALIGN", {'w', 112, IQM_COMMENT - 1}, 112},
        {"IQM-GAP", {'w', ARRAY(6) + 12, 3}, IQM_COLORS + 12},
        {"IQM-FLOAT-NONFINITE", {'f', IQM_TEXCOORDS + 12, NAN}, IQM_TEXCOORDS + 12},
    };
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        uint8_t file[IQM_SIZE];
        facet_report *report = NULL;
        facet_error error;
        iqm_build(file);
        apply(file, &places[i].patch);
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        TEST_OK(facet_iqm_check(TEST_SOURCE(file, sizeof file), NULL, report, &error), &error);
        const facet_finding *f = test_finding(report, places[i].rule);
        assert_non_null(f);
        assert_int_equal(f->offset, places[i].offset);
        facet_report_free(report);
    }
}

/* A file that is only a header is valid and empty. */
TEST(header_alone_is_empty)
{
    uint8_t file[FACET_IQM_HEADER_SIZE] = {0};
    char found[200];
    facet_iqm_layout layout;
    facet_error error;
    memcpy(file, "INTERQUAKEMODEL", 16);
    iqm_put(file + 16, 2);
    iqm_put(file + 20, sizeof file);
    TEST_OK(facet_iqm_view(file, sizeof file, &layout, &error), &error);
    TEST_OK(facet_iqm_verify(&layout, &error), &error);
    list_findings(file, sizeof file, found, sizeof found);
    assert_string_equal(found, "W IQM-EMPTY 1\n");
}

TEST(check_mentions_extensions_and_version_1)
{
    uint8_t file[IQM_SIZE];
    facet_report *report = NULL;
    facet_error error;
    iqm_build(file);
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    TEST_OK(facet_iqm_check(TEST_SOURCE(file, sizeof file), NULL, report, &error), &error);
    assert_int_equal(facet_report_count(report), 1);
    assert_non_null(test_finding(report, "IQM-EXTENSION-PRESENT"));
    iqm_put(file + 16, 1);
    TEST_OK(facet_iqm_check(TEST_SOURCE(file, sizeof file), NULL, report, &error), &error);
    assert_non_null(test_finding(report, "IQM-VERSION-1"));
    facet_report_free(report);
}

/* -- Many vertices ------------------------------------------------------ */

/* More than one thread processes at once, and not a multiple of the block size. */
enum { MANY = 100001 };

typedef struct many_vertices {
    float positions[MANY][3], normals[MANY][3], tangents[MANY][4];
    uint8_t indexes[MANY][4], weights[MANY][4];
    uint32_t triangles[MANY][3], adjacency[MANY][3];
} many_vertices;

/* Triangle t has the vertices t, t + 1 and t + 2 and no neighbor. The vertices cycle through
 * three corners of the plane z = 0, clockwise as their normals require. */
static void fill_many(many_vertices *m)
{
    static const float corners[3][2] = {{0, 0}, {0, 1}, {1, 0}};
    memset(m, 0, sizeof *m);
    for (uint32_t v = 0; v < MANY; v++) {
        memcpy(m->positions[v], corners[v % 3], sizeof corners[0]);
        m->normals[v][2] = m->tangents[v][0] = m->tangents[v][3] = 1;
        m->weights[v][0] = 255;
        for (uint32_t k = 0; k < 3; k++) {
            m->triangles[v][k] = (v + k) % MANY;
            m->adjacency[v][k] = FACET_NONE;
        }
    }
    /* The last two triangles continue with vertex 0, which would repeat a corner. */
    for (uint32_t t = MANY - 2; t < MANY; t++)
        memcpy(m->triangles[t], m->triangles[0], sizeof m->triangles[0]);
}

static void check_many(const many_vertices *m, const facet_options *options, facet_report *report)
{
    const facet_iqm_mesh mesh = {.vertex_count = MANY, .triangle_count = MANY};
    const facet_iqm_array arrays[] = {
        {FACET_IQM_POSITION, 0, FACET_IQM_FLOAT32, 3, 0, m->positions},
        {FACET_IQM_NORMAL, 0, FACET_IQM_FLOAT32, 3, 0, m->normals},
        {FACET_IQM_TANGENT, 0, FACET_IQM_FLOAT32, 4, 0, m->tangents},
        {FACET_IQM_BLEND_INDEXES, 0, FACET_IQM_UINT8, 4, 0, m->indexes},
        {FACET_IQM_BLEND_WEIGHTS, 0, FACET_IQM_UINT8, 4, 0, m->weights}};
    const facet_iqm_joint joint = {.parent = -1, .rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};
    const facet_iqm document = {.text_size = 4,
                                .text = "\0\0\0",
                                .mesh_count = 1,
                                .meshes = &mesh,
                                .vertex_count = MANY,
                                .array_count = 5,
                                .arrays = arrays,
                                .triangle_count = MANY,
                                .triangles = m->triangles[0],
                                .adjacency = m->adjacency[0],
                                .joint_count = 1,
                                .joints = &joint};
    facet_output *output;
    facet_error error;
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(facet_iqm_write(&document, NULL, output, &error), &error);
    TEST_OK(
        facet_iqm_check(TEST_SOURCE(facet_output_data(output), (size_t)facet_output_size(output)),
                        options, report, &error),
        &error);
    facet_output_free(output);
}

static void expect_place(facet_report *report, const char *rule, uint64_t count, uint64_t vertex,
                         uint64_t face)
{
    const facet_finding *f = test_finding(report, rule);
    assert_non_null(f);
    assert_int_equal(f->count, count);
    assert_int_equal(f->vertex, vertex);
    assert_int_equal(f->face, face);
}

/* Errors far after the first block, in several parts. */
static void break_many(many_vertices *m)
{
    m->normals[40000][2] = m->normals[MANY - 1][2] = 1.02F;
    m->tangents[70001][0] = 0.98F;
    m->tangents[50000][3] = m->tangents[50001][3] = m->tangents[MANY - 1][3] = 0.5F;
    m->weights[33333][0] = 254;
    m->weights[66666][0] = m->weights[88888][0] = 0;
    m->triangles[20000][1] = m->triangles[20000][0];
    m->triangles[90000][2] = m->triangles[90000][1];
    uint32_t turned = m->triangles[60000][1];
    m->triangles[60000][1] = m->triangles[60000][2];
    m->triangles[60000][2] = turned;
    m->adjacency[45000][0] = 3;
    m->adjacency[80000][2] = 4;
}

TEST(check_names_the_first_of_many_vertices_by_any_number_of_threads)
{
    many_vertices *m = malloc(sizeof *m);
    assert_non_null(m);
    for (unsigned threads = 1; threads <= 4; threads += 3) {
        const facet_threads *pool;
        facet_report *report;
        facet_error error;
        TEST_OK(facet_threads_create(threads, &pool, &error), &error);
        facet_options options = {.threads = pool};
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        fill_many(m);
        check_many(m, &options, report);
        assert_int_equal(facet_report_count(report), 0);
        break_many(m);
        check_many(m, &options, report);
        expect_place(report, "IQM-NORMAL-LENGTH", 2, 40000, FACET_NO_INDEX);
        expect_place(report, "IQM-TANGENT-LENGTH", 1, 70001, FACET_NO_INDEX);
        expect_place(report, "IQM-TANGENT-HAND", 3, 50000, FACET_NO_INDEX);
        expect_place(report, "IQM-WEIGHT-SUM", 1, 33333, FACET_NO_INDEX);
        expect_place(report, "IQM-WEIGHT-ZERO", 2, 66666, FACET_NO_INDEX);
        expect_place(report, "IQM-TRIANGLE-DEGENERATE", 2, FACET_NO_INDEX, 20000);
        expect_place(report, "IQM-TRIANGLE-WINDING", 1, FACET_NO_INDEX, 60000);
        expect_place(report, "IQM-ADJACENCY-MUTUAL", 2, FACET_NO_INDEX, 45000);
        assert_int_equal(facet_report_count(report), 8);
        facet_report_free(report);
        facet_threads_free(pool);
    }
    free(m);
}
