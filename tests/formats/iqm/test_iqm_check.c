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
    size_t size; /* 0: that of the file */
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
    /* the positions and half of the texture coordinates; 64 bytes are free */
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
    /* an index whose weight is 0 counts nothing */
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
    /* in a circle: as often as the file has space for it, 1052 / 16 = 65 records, of which 64
     * and their data share bytes with the first */
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
