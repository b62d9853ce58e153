/* PLY: every rule has a file that breaks it. */
#include "support/ply.h"

#include <stdio.h>
#include <stdlib.h>

/* -- Rules -------------------------------------------------------------- */

/* Bytes stored in wider types: 255 is 1. Fractions and the largest integers keep their meaning. */
TEST(colors_of_wide_types_are_bytes_or_fractions)
{
    static const struct {
        const char *type, *value;
        bool bytes;
    } cases[] = {{"int", "255", true},         {"uint", "255", true},
                 {"float", "255", true},       {"double", "255", true},
                 {"float", "1", false},        {"ushort", "65535", false},
                 {"int", "2147483647", false}, {"uint", "4294967295", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[400];
        const char *t = cases[i].type, *v = cases[i].value;
        snprintf(text, sizeof text,
                 "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\n"
                 "property float z\nproperty %s red\nproperty %s green\nproperty %s blue\n"
                 "end_header\n0 0 0 %s %s 0\n",
                 t, t, t, v, v);
        facet_report *report = new_report();
        facet_scene *scene = load_text(text, report);
        const facet_stream *colors = facet_mesh_find(scene->meshes[0], FACET_COLOR, 0);
        const float *values = colors->data;
        assert_float_equal((double)values[0], 1, 1e-6);
        assert_float_equal((double)values[2], 0, 0);
        assert_int_equal(test_finding(report, "PLY-COLOR-BYTES") != NULL, cases[i].bytes);
        facet_scene_free(scene);
        facet_report_free(report);
    }
}

/* Alpha has a separate type and range: the color is always (1, 0, 1), alpha is 51 / 255 = 0.2. */
TEST(alpha_of_another_type_or_range_keeps_its_value)
{
    static const struct {
        const char *type, *full, *alpha_type, *alpha;
        double expected;
    } cases[] = {{"int", "255", "float", "1", 1},
                 {"int", "255", "float", "0.5", 0.5},
                 {"int", "255", "int", "1", 1},
                 {"int", "255", "int", "51", 0.2},
                 {"float", "255", "float", "1", 1},
                 {"double", "255", "double", "0.25", 0.25},
                 {"uchar", "255", "float", "51", 0.2},
                 {"uchar", "255", "float", "0.5", 0.5},
                 {"uchar", "255", "int", "255", 1},
                 {"float", "1", "int", "51", 0.2},
                 {"float", "1", "uchar", "51", 0.2},
                 {"int", "255", "uchar", "51", 0.2},
                 {"uchar", "255", "uint", "4294967295", 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[400];
        const char *t = cases[i].type, *v = cases[i].full;
        snprintf(text, sizeof text,
                 "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\n"
                 "property float z\nproperty %s red\nproperty %s green\nproperty %s blue\n"
                 "property %s alpha\nend_header\n0 0 0 %s 0 %s %s\n",
                 t, t, t, cases[i].alpha_type, v, v, cases[i].alpha);
        facet_scene *scene = load_text(text, NULL);
        const float *values = facet_mesh_find(scene->meshes[0], FACET_COLOR, 0)->data;
        assert_float_equal((double)values[0], 1, 1e-6);
        assert_float_equal((double)values[1], 0, 0);
        assert_float_equal((double)values[3], cases[i].expected, 1e-6);
        facet_scene_free(scene);
    }
}

TEST(normals_have_several_names)
{
    static const char *const names[][3] = {{"nx", "ny", "nz"},
                                           {"normal_x", "normal_y", "normal_z"},
                                           {"normalx", "normaly", "normalz"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char text[300];
        snprintf(text, sizeof text,
                 "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\n"
                 "property float z\nproperty float %s\nproperty float %s\nproperty float %s\n"
                 "end_header\n1 2 3 0 0.6 0.8\n",
                 names[i][0], names[i][1], names[i][2]);
        facet_scene *scene = load_text(text, NULL);
        const facet_stream *normals = facet_mesh_find(scene->meshes[0], FACET_NORMAL, 0);
        assert_non_null(normals);
        assert_float_equal((double)((const float *)normals->data)[2], 0.8, 1e-6);
        facet_scene_free(scene);
    }
}

static void check_text(const void *data, size_t size, const char *rule, facet_severity severity,
                       uint64_t line)
{
    facet_error error;
    facet_report *report = new_report();
    TEST_OK(facet_ply_check(TEST_SOURCE(data, size), NULL, report, &error), &error);
    const facet_finding *finding = test_finding(report, rule);
    if (!finding)
        fail_msg("%s is not found", rule);
    assert_int_equal(finding->severity, severity);
    if (line > 0)
        assert_int_equal(finding->line, line);
    facet_report_free(report);
}

#define FACE "element face 1\nproperty list uchar int vertex_indices\nend_header\n"

TEST(each_rule_is_reported)
{
    static const struct {
        const char *text, *rule;
        facet_severity severity;
        uint64_t line;
    } cases[] = {
        {"", "PLY-MAGIC", FACET_SEVERITY_ERROR, 1},
        {"plywood\n", "PLY-MAGIC", FACET_SEVERITY_ERROR, 1},
        {ASCII "element vertex 8\nproperty float x\n", "PLY-HEADER", FACET_SEVERITY_ERROR, 5},
        {"ply\nrubbish\nformat ascii 1.0\nend_header\n", "PLY-LINE", FACET_SEVERITY_WARNING, 2},
        {"ply\nend_header\n", "PLY-FORMAT", FACET_SEVERITY_ERROR, 2},
        {"ply\nformat utf16 1.0\nend_header\n", "PLY-FORMAT", FACET_SEVERITY_ERROR, 2},
        {"ply\nformat ascii 2.0\nend_header\n", "PLY-VERSION", FACET_SEVERITY_WARNING, 2},
        {"ply\nformat ascii 1.0 x\nend_header\n", "PLY-SURPLUS", FACET_SEVERITY_WARNING, 2},
        {ASCII "element vertex 0 x\nend_header\n", "PLY-SURPLUS", FACET_SEVERITY_WARNING, 3},
        {ASCII "element e 0\nproperty int x y\nend_header\n", "PLY-SURPLUS", FACET_SEVERITY_WARNING,
         4},
        {ASCII "end_header x\n", "PLY-SURPLUS", FACET_SEVERITY_WARNING, 3},
        {"ply x\nformat ascii 1.0\nend_header\n", "PLY-SURPLUS", FACET_SEVERITY_WARNING, 1},
        {ASCII "element vertex\nend_header\n", "PLY-ELEMENT", FACET_SEVERITY_ERROR, 3},
        {ASCII "element vertex -1\nend_header\n", "PLY-ELEMENT", FACET_SEVERITY_ERROR, 3},
        {ASCII "element\nend_header\n", "PLY-ELEMENT", FACET_SEVERITY_ERROR, 3},
        {ASCII "element vertex 4294967295\nend_header\n", "PLY-LIMIT", FACET_SEVERITY_ERROR, 3},
        {ASCII "element vertex 0\nproperty float a\001b\nend_header\n", "PLY-PROPERTY",
         FACET_SEVERITY_ERROR, 4},
        {ASCII "element a\177 0\nproperty float x\nend_header\n", "PLY-ELEMENT",
         FACET_SEVERITY_ERROR, 3},
        {ASCII "property float x\nend_header\n", "PLY-PROPERTY", FACET_SEVERITY_ERROR, 3},
        {ASCII "element e 1\nproperty float\nend_header\n", "PLY-PROPERTY", FACET_SEVERITY_ERROR,
         4},
        {ASCII "element e 1\nproperty half x\nend_header\n", "PLY-TYPE", FACET_SEVERITY_ERROR, 4},
        {ASCII "element e 1\nproperty list float int x\nend_header\n", "PLY-TYPE",
         FACET_SEVERITY_ERROR, 4},
        {ASCII "element e 0\nproperty int x\nproperty int x\nend_header\n", "PLY-DUPLICATE",
         FACET_SEVERITY_WARNING, 5},
        {ASCII "element e 0\nelement e 0\nend_header\n", "PLY-DUPLICATE", FACET_SEVERITY_WARNING,
         4},
        {ASCII "element vertex 4000000000\n" XYZ "end_header\n0 0 0\n", "PLY-SIZE",
         FACET_SEVERITY_ERROR, 8},
        {LITTLE "element vertex 2\n" XYZ "end_header\nabcdefghijkl", "PLY-SIZE",
         FACET_SEVERITY_ERROR, 0},
        {LITTLE "element face 2\nproperty list uint uchar vertex_index\nend_header\n\1\0\0\0x",
         "PLY-SIZE", FACET_SEVERITY_ERROR, 0},
        {THREE "end_header\n0 0 0\n1 0", "PLY-SIZE", FACET_SEVERITY_ERROR, 8},
        /* The file ends directly after the last digit of the second of three records. */
        {THREE "end_header\n0 0 0\n1 0 0", "PLY-SIZE", FACET_SEVERITY_ERROR, 8},
        {THREE "element face 2\nproperty list uchar int vertex_indices\nend_header\n" POINTS "3 0 1 2",
         "PLY-SIZE", FACET_SEVERITY_ERROR, 13},
        {THREE FACE POINTS "200 0 1 2", "PLY-SIZE", FACET_SEVERITY_ERROR, 13},
        {THREE "end_header\n0 0 0\n1 zero 0\n0 0 0\n", "PLY-NUMBER", FACET_SEVERITY_ERROR, 9},
        {THREE "end_header\n0 0 0\n1 1e99 0\n0 0 0\n", "PLY-NUMBER", FACET_SEVERITY_ERROR, 9},
        {ASCII "element e 1\nproperty char x\nend_header\n128\n", "PLY-NUMBER",
         FACET_SEVERITY_ERROR, 6},
        {ASCII "element e 1\nproperty int x\nend_header\n1.5\n", "PLY-NUMBER", FACET_SEVERITY_ERROR,
         6},
        {ASCII "element e 1\nproperty uchar x\nend_header\n-1\n", "PLY-NUMBER",
         FACET_SEVERITY_ERROR, 6},
        {THREE FACE POINTS "-3 0 1 2\n", "PLY-LIST", FACET_SEVERITY_ERROR, 13},
        {THREE FACE POINTS "x 0 1 2\n", "PLY-LIST", FACET_SEVERITY_ERROR, 13},
        {THREE FACE POINTS "3 0 1 2\n4\n", "PLY-TRAILING", FACET_SEVERITY_WARNING, 0},
        {THREE FACE POINTS "3 0 1 3\n", "PLY-INDEX", FACET_SEVERITY_ERROR, 13},
        {THREE FACE POINTS "3 0 1 -1\n", "PLY-INDEX", FACET_SEVERITY_ERROR, 13},
        {THREE "element face 1\nproperty list uchar float vertex_indices\nend_header\n" POINTS
               "3 0 1 2\n",
         "PLY-INDEX-TYPE", FACET_SEVERITY_ERROR, 0},
        {THREE FACE POINTS "2 0 1\n", "PLY-FACE-SMALL", FACET_SEVERITY_WARNING, 0},
        {THREE FACE POINTS "3 0 1 1\n", "PLY-FACE-REPEATED", FACET_SEVERITY_WARNING, 0},
        {THREE FACE POINTS "3 0 1 1\n", "PLY-UNUSED", FACET_SEVERITY_NOTE, 0},
        {THREE FACE "0 0 0\nnan 0 0\n0 1 0\n3 0 1 2\n", "PLY-NONFINITE", FACET_SEVERITY_ERROR, 11},
        {THREE "end_header\n" POINTS, "PLY-POINTS", FACET_SEVERITY_WARNING, 0},
        {ASCII "element vertex 0\n" XYZ "end_header\n", "PLY-EMPTY", FACET_SEVERITY_WARNING, 0},
        {ASCII "element vertex 0\nproperty float x\nend_header\n", "PLY-VERTEX-MISSING",
         FACET_SEVERITY_WARNING, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_text(cases[i].text, strlen(cases[i].text), cases[i].rule, cases[i].severity,
                   cases[i].line);
    /* A binary list of -1 numbers. */
    static const char negative[] =
        LITTLE "element face 1\nproperty list int uchar vertex_index\nend_header\n\377\377\377\377";
    check_text(negative, sizeof negative - 1, "PLY-LIST", FACET_SEVERITY_ERROR, 0);
}

static void expect_failure(const char *text, facet_status status, const char *rule, uint64_t line)
{
    facet_error error = {0};
    facet_scene *scene = NULL;
    facet_source source = {.data = (const uint8_t *)text, .size = strlen(text), .name = "a.ply"};
    assert_int_equal(facet_load(&source, facet_format_named("ply"), NULL, NULL, &scene, &error),
                     status);
    assert_null(scene);
    assert_string_equal(error.rule, rule);
    assert_int_equal(error.line, line);
}

TEST(read_errors_have_rule_and_line)
{
    expect_failure(THREE FACE POINTS "3 0 1 3\n", FACET_ERROR_MALFORMED, "PLY-INDEX", 13);
    expect_failure(THREE FACE POINTS "4 0 1 2 -1\n", FACET_ERROR_MALFORMED, "PLY-INDEX", 13);
    expect_failure(ASCII "element vertex 0\nend_header\n", FACET_ERROR_UNSUPPORTED,
                   "PLY-VERTEX-MISSING", 0);
    expect_failure(THREE FACE "0 0 0\nnan 0 0\n0 1 0\n3 0 1 2\n", FACET_ERROR_MALFORMED,
                   "SCENE-NONFINITE", 0);
    expect_failure(ASCII "element vertex 1\nproperty double x\nproperty double y\n"
                         "property double z\nend_header\n1e300 0 0\n",
                   FACET_ERROR_MALFORMED, "SCENE-NONFINITE", 0);
    TEST_NEEDS_CORPUS();
    facet_error error;
    facet_file *file = NULL;
    TEST_OK(facet_file_open(test_corpus("broken/crash-30d6d0f7.ply"), NULL, &file, &error), &error);
    facet_scene *scene = NULL;
    facet_source source = facet_file_source(file);
    assert_int_equal(facet_load(&source, facet_format_named("ply"), NULL, NULL, &scene, &error),
                     FACET_ERROR_MALFORMED);
    facet_file_close(file);
}
