/* Reading OBJ: statements, spellings, materials, errors, real files. */
#include "formats/obj/obj.h"
#include "support/support.h"

#include <facet/convert.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct fixture {
    facet_scene *scene;
    facet_report *report;
    facet_error error;
    facet_status status;
} fixture;

/* Read `text`; after success the scene must be valid. */
static fixture read_bytes(const char *text, size_t size)
{
    fixture f = {0};
    TEST_OK(facet_report_create(NULL, &f.report, &f.error), &f.error);
    uint8_t *copy = malloc(size ? size : 1); /* the exact size, for AddressSanitizer */
    assert_non_null(copy);
    memcpy(copy, text, size);
    facet_source source = {0};
    source.data = copy;
    source.size = size;
    facet_options options = {0};
    options.report = f.report;
    f.status = facet_obj_read(&source, NULL, &options, &f.scene, &f.error);
    free(copy);
    if (f.status == FACET_OK) {
        facet_error error;
        TEST_OK(facet_scene_check(f.scene, NULL, &error), &error);
    }
    return f;
}

static fixture read_text(const char *text)
{
    return read_bytes(text, strlen(text));
}

static fixture read_good(const char *text)
{
    fixture f = read_text(text);
    if (f.status)
        fail_msg("%s: %s", text, f.error.message);
    return f;
}

static void done(fixture f)
{
    facet_scene_free(f.scene);
    facet_report_free(f.report);
}

static void expect_error(const char *text, const char *rule, uint64_t line)
{
    fixture f = read_text(text);
    assert_int_equal(f.status, FACET_ERROR_MALFORMED);
    assert_string_equal(f.error.rule, rule);
    assert_int_equal(f.error.line, line);
    assert_true(strlen(f.error.message) > 10);
    done(f);
}

static const facet_mesh *mesh_of(fixture f)
{
    assert_int_equal(f.scene->mesh_count, 1);
    return f.scene->meshes[0];
}

static const float *values(const facet_mesh *mesh, facet_semantic semantic)
{
    const facet_stream *stream = facet_mesh_find(mesh, semantic, 0);
    assert_non_null(stream);
    return stream->data;
}

static const uint32_t *indices(const facet_mesh *mesh, facet_semantic semantic)
{
    const facet_stream *stream = facet_mesh_find(mesh, semantic, 0);
    assert_non_null(stream);
    return stream->indices;
}

#define TRIANGLE "v 0 0 0\nv 1 0 0\nv 0 1 0\n"

/* -- Statements --------------------------------------------------------- */

TEST(every_index_form_is_read)
{
    fixture f = read_good(TRIANGLE "vt 0 0\nvt 1 0\nvn 0 0 1\nvn 0 1 0\n"
                                   "f 1 2 3\nf 1/2 2/1 3/2\nf 1//2 2//1 3//2\nf 1/1/2 2/2/1 3/1/1\n"
                                   "f -3/-2/-1 -2/-1/-2 -1/-2/-1\nf 1/ 2// 3/1/\n");
    const facet_mesh *mesh = mesh_of(f);
    static const uint32_t positions[18] = {0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2};
    static const uint32_t none = FACET_NONE;
    const uint32_t texcoords[18] = {none, none, none, 1, 0, 1, none, none, none,
                                    0,    1,    0,    0, 1, 0, none, none, 0};
    const uint32_t normals[18] = {none, none, none, none, none, none, 1,    0,    1,
                                  1,    0,    0,    1,    0,    1,    none, none, none};
    assert_int_equal(mesh->face_count, 6);
    assert_int_equal(mesh->corner_count, 18);
    assert_null(mesh->face_offsets);
    assert_memory_equal(indices(mesh, FACET_POSITION), positions, sizeof positions);
    assert_memory_equal(indices(mesh, FACET_TEXCOORD), texcoords, sizeof texcoords);
    assert_memory_equal(indices(mesh, FACET_NORMAL), normals, sizeof normals);
    assert_null(mesh->face_materials);
    assert_null(mesh->face_smoothing);
    assert_int_equal(mesh->part_count, 0);
    done(f);
}

TEST(polygons_and_order)
{
    /* A face may refer to later vertices, and a polygon may follow triangles. */
    fixture f = read_good("f 1 2 3\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\nf 4 3 2\n");
    const facet_mesh *mesh = mesh_of(f);
    static const uint32_t offsets[4] = {0, 3, 7, 10};
    static const uint32_t corners[10] = {0, 1, 2, 0, 1, 2, 3, 3, 2, 1};
    assert_int_equal(mesh->face_count, 3);
    assert_memory_equal(mesh->face_offsets, offsets, sizeof offsets);
    assert_memory_equal(indices(mesh, FACET_POSITION), corners, sizeof corners);
    done(f);
}

TEST(number_and_line_spellings_are_equal)
{
    static const char *const spellings[] = {
        "v 0.5 -1 100\nv 1 0 0\nv 0 1 0\nf 1 2 3\n",
        "v .5 -1. +1e2\nv 1 0 0\nv 0 1 0\nf 1 2 3",
        "v\t5e-1\t-1.0\t1E+2\r\nv 1 0 0\r\nv 0 1 0\r\nf 1 2 3\r\n",
        "v 0.5 -1 100\rv 1 0 0\rv 0 1 0\rf 1 2 3\r",
        "v 0.5 \\\n -1 100\nv 1 0 0\nv 0 1 0\nf 1 \\\r\n2 \\\r\n3\n",
        "\xEF\xBB\xBFv 0.5 -1 100\nv 1 0 0\nv 0 1 0\nf 1 2 3\n",
        "  v   0.5   -1  100   \n\tv 1 0 0 # comment\nv 0 1 0\nf  1  2  3  \n",
        "# C:\\path\\\nv 0.5 -1 100\n\n\nv 1 0 0\n#\nv 0 1 0\nfo 1 2 3\n",
        "v 0.50000000000000000000000000001 -1 100.0 1\nv 1 0 0\nv 0 1 0\nf 01 +2 3\n",
    };
    static const float expected[9] = {0.5f, -1, 100, 1, 0, 0, 0, 1, 0};
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++) {
        fixture f = read_good(spellings[i]);
        assert_memory_equal(values(mesh_of(f), FACET_POSITION), expected, sizeof expected);
        assert_int_equal(mesh_of(f)->face_count, 1);
        assert_int_equal(facet_report_count(f.report), 0);
        done(f);
    }
}

TEST(weights_and_colors)
{
    fixture f = read_good("v 1 2 3\nv 4 5 6 0.5\nv 7 8 9 0.1 0.2 0.3\nv 1 1 1 0.4 0.5 0.6 0.7\n"
                          "f 1 2 3 4\n");
    const facet_mesh *mesh = mesh_of(f);
    static const float positions[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 1, 1};
    /* By the sRGB curve, ((c + 0.055) / 1.055)^2.4. */
    static const float colors[12] = {1,          1,           1,           1,
                                     1,          1,           0.01002283f, 0.03310477f,
                                     0.0732390f, 0.13286832f, 0.21404114f, 0.31854678f};
    assert_memory_equal(values(mesh, FACET_POSITION), positions, sizeof positions);
    for (int i = 0; i < 12; i++)
        assert_float_equal(values(mesh, FACET_COLOR)[i], colors[i], 1e-7f);
    assert_ptr_equal(indices(mesh, FACET_COLOR), indices(mesh, FACET_POSITION));
    assert_int_equal(test_finding(f.report, "LOSS-UNREAD")->line, 2);
    assert_non_null(test_finding(f.report, "OBJ-COLOR-MISSING"));
    assert_int_equal(test_finding(f.report, "OBJ-NUMBERS-EXTRA")->line, 4); /* alpha */
    done(f);
}

/* Whole numbers up to 255 are bytes: 255 is 1, 128 by the sRGB curve ((128 / 255 + 0.055) /
 * 1.055)^2.4 = 0.21586050. Not bytes: only ones and zeros; small numbers; 1.5; a vertex without
 * color. */
TEST(colors_as_bytes)
{
    fixture f = read_good("v 0 0 0 255 0 0\nv 1 0 0 0 128 0\nv 0 1 0 0 0 1\nf 1 2 3\n");
    assert_float_equal(values(mesh_of(f), FACET_COLOR)[0], 1, 0);
    assert_float_equal(values(mesh_of(f), FACET_COLOR)[4], 0.21586050F, 1e-6F);
    assert_non_null(test_finding(f.report, "OBJ-COLOR-BYTES"));
    done(f);
    f = read_good("v 0 0 0 1 0 0\nv 1 0 0 0 1 0\nv 0 1 0 0 0 1\nf 1 2 3\n");
    assert_float_equal(values(mesh_of(f), FACET_COLOR)[0], 1, 0);
    assert_null(test_finding(f.report, "OBJ-COLOR-BYTES"));
    done(f);
    static const char *const others[] = {
        "v 0 0 0 200 0 0\nv 1 0 0 0 1.5 0\nv 0 1 0 0 0 1\nf 1 2 3\n",
        "v 0 0 0 4 0 0\nv 1 0 0 0 3 0\nv 0 1 0 0 0 1\nf 1 2 3\n",
        "v 0 0 0 255 0 0\nv 1 0 0\nv 0 1 0 0 0 255\nf 1 2 3\n",
        "v 0 0 0 256 0 0\nv 1 0 0 0 0 0\nv 0 1 0 0 0 255\nf 1 2 3\n"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        f = read_good(others[i]);
        assert_null(test_finding(f.report, "OBJ-COLOR-BYTES"));
        done(f);
    }
}

/* A backslash also continues a line before blanks and at the end of the file. */
TEST(continued_lines_extend_faces)
{
    static const char *const texts[] = {"v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 \\ \n4\n",
                                        "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 \\ \t\r\n3 4\\",
                                        "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4 \\  "};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        fixture f = read_good(texts[i]);
        assert_int_equal(mesh_of(f)->corner_count, 4);
        assert_int_equal(mesh_of(f)->face_count, 1);
        done(f);
    }
}

TEST(texcoord_components_follow_the_file)
{
    fixture f = read_good(TRIANGLE "vt 0.5\nvt 0.25 0.75 0\nvt 1 2 3\nf 1/1 2/2 3/3\n");
    const facet_stream *stream = facet_mesh_find(mesh_of(f), FACET_TEXCOORD, 0);
    static const float expected[9] = {0.5f, 0, 0, 0.25f, 0.75f, 0, 1, 2, 3};
    assert_int_equal(stream->components, 3);
    assert_memory_equal(stream->data, expected, sizeof expected);
    done(f);
    f = read_good(TRIANGLE "vt 0.5 0 0\nf 1/1 2/1 3/1\n");
    assert_int_equal(facet_mesh_find(mesh_of(f), FACET_TEXCOORD, 0)->components, 2);
    done(f);
}

TEST(equal_indices_become_one_index)
{
    fixture f = read_good(TRIANGLE "vt 0 0\nvt 1 0\nvt 0 1\nvn 0 0 1\nvn 0 0 1\nvn 0 0 1\n"
                                   "f 1/1/1 2/2/2 3/3/3\n");
    assert_true(facet_mesh_is_indexed(mesh_of(f)));
    assert_int_equal(mesh_of(f)->stream_count, 3);
    done(f);
}

TEST(parts_materials_smoothing)
{
    fixture f = read_good(TRIANGLE "f 1 2 3\no box\nusemtl red wood \nf 1 2 3\ng left arm\ns 3\n"
                                   "f 1 2 3\ng left arm\nf 1 2 3\no box\ns off\nusemtl blue\n"
                                   "usemtl green\nf 1 2 3\no lid\no\ng\nusemtl\ns 0\nf 1 2 3\n");
    const facet_mesh *mesh = mesh_of(f);
    static const struct {
        const char *name, *group;
        uint32_t first, count;
    } parts[] = {{"", "", 0, 1}, {"box", "", 1, 1}, {"box", "left arm", 2, 3}, {"", "", 5, 1}};
    assert_int_equal(mesh->part_count, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_string_equal(mesh->parts[i].name, parts[i].name);
        assert_string_equal(mesh->parts[i].group, parts[i].group);
        assert_int_equal(mesh->parts[i].first_face, parts[i].first);
        assert_int_equal(mesh->parts[i].face_count, parts[i].count);
    }
    const uint32_t materials[6] = {FACET_NONE, 0, 0, 0, 2, FACET_NONE};
    static const uint32_t smoothing[6] = {0, 0, 3, 3, 0, 0};
    assert_memory_equal(mesh->face_materials, materials, sizeof materials);
    assert_memory_equal(mesh->face_smoothing, smoothing, sizeof smoothing);
    assert_int_equal(f.scene->material_count, 3);
    assert_string_equal(f.scene->materials[0]->name, "red wood");
    assert_string_equal(f.scene->materials[2]->name, "green");
    assert_int_equal(test_finding(f.report, "OBJ-MATERIAL-UNDEFINED")->count, 3);
    done(f);
}

TEST(what_is_lost_is_said)
{
    fixture f =
        read_good(TRIANGLE "l 1 2\np 1\nl 1/1 2/1 3\nf 1 2\nf\nf 1 2 3\nvp 0 0\ncstype bezier\n"
                           "curv 0 1 1 2\nlod 3\nfrobnicate 7\nfrobnicate 8\ns maybe\n"
                           "v 1 2 3 4 5\n");
    static const struct {
        const char *rule, *words;
        uint64_t line, count;
        facet_severity severity;
    } expected[] = {
        {"LOSS-LINES", "", 6, 1, FACET_SEVERITY_WARNING},
        {"OBJ-FACE-SMALL", "", 7, 2, FACET_SEVERITY_WARNING},
        {"LOSS-UNREAD", "curve", 10, 3, FACET_SEVERITY_WARNING},
        {"LOSS-UNREAD", "display", 13, 1, FACET_SEVERITY_NOTE},
        {"OBJ-STATEMENT", "", 14, 2, FACET_SEVERITY_WARNING},
        {"OBJ-SMOOTHING", "", 16, 1, FACET_SEVERITY_WARNING},
        {"OBJ-NUMBERS-EXTRA", "", 17, 1, FACET_SEVERITY_WARNING},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        const facet_finding *finding =
            test_finding_saying(f.report, expected[i].rule, expected[i].words);
        if (!finding)
            fail_msg("no finding %s", expected[i].rule);
        assert_int_equal(finding->line, expected[i].line);
        assert_int_equal(finding->count, expected[i].count);
        assert_int_equal(finding->severity, expected[i].severity);
    }
    assert_int_equal(mesh_of(f)->face_count, 1);
    done(f);
}

TEST(names_in_latin)
{
    fixture f = read_good(TRIANGLE "o B\xE4r\nf 1 2 3\n");
    assert_string_equal(mesh_of(f)->parts[0].name, "B\xC3\xA4r");
    assert_int_equal(test_finding(f.report, "OBJ-ENCODING")->line, 4);
    done(f);
}

TEST(files_without_faces_are_reported)
{
    fixture f = read_good("");
    assert_int_equal(f.scene->mesh_count, 0);
    assert_non_null(test_finding(f.report, "OBJ-EMPTY"));
    done(f);
    f = read_good("v 1 2 3\nv 1 2 4\nvn 0 0 1\n");
    assert_int_equal(mesh_of(f)->face_count, 0);
    assert_int_equal(mesh_of(f)->stream_count, 1);
    assert_non_null(test_finding(f.report, "OBJ-UNUSED"));
    done(f);
}

/* Lines and points. Neighbors in `l` are the ends of a line; numbers count from 1, and back from
 * -1. Without any element all vertices are points, with the normals of the same rank. */
TEST(lines_and_points)
{
    static const uint32_t lines[6] = {0, 1, 1, 3, 0, 2}, points[3] = {2, 1, 3};
    fixture f =
        read_good("v 0 0 0\nv 1 0 0\nv 0 1 0\np -1 2\nv 7 0 0\nl 1 2 -1\nl 1 3\np 4\nl 1\n");
    assert_int_equal(mesh_of(f)->line_count, 3);
    assert_memory_equal(mesh_of(f)->lines, lines, sizeof lines);
    assert_int_equal(mesh_of(f)->point_count, 3);
    assert_memory_equal(mesh_of(f)->points, points, sizeof points);
    assert_int_equal(facet_report_count(f.report), 0);
    done(f);
    f = read_good("v 1 2 3\nvn 0 0 1\nv 4 5 6\nvn 0 1 0\n");
    assert_int_equal(mesh_of(f)->point_count, 2);
    assert_int_equal(mesh_of(f)->points[1], 1);
    assert_true(facet_mesh_is_indexed(mesh_of(f)));
    assert_float_equal(((const float *)facet_mesh_find(mesh_of(f), FACET_NORMAL, 0)->data)[4], 1,
                       0);
    done(f);
    static const char *const wrong[] = {"v 0 0 0\np 2\n", "v 0 0 0\np 0\n", "v 0 0 0\nl 1 -2\n",
                                        "v 0 0 0\nl 1 x\n", "v 0 0 0\nl 1 2\nv 0 0 0\np 3\n"};
    static const uint64_t at[] = {2, 2, 2, 2, 4};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        f = read_bytes(wrong[i], strlen(wrong[i]));
        assert_int_equal(f.status, FACET_ERROR_MALFORMED);
        assert_int_equal(f.error.line, at[i]);
        facet_source source = facet_source_from_memory(wrong[i], strlen(wrong[i]), "a.obj");
        facet_report *findings = NULL;
        TEST_OK(facet_report_create(NULL, &findings, &f.error), &f.error);
        TEST_OK(facet_obj_check(&source, NULL, findings, &f.error), &f.error);
        assert_int_equal(facet_report_severity_count(findings, FACET_SEVERITY_ERROR), 1);
        facet_report_free(findings);
        done(f);
    }
}

/* Faces name texture coordinates and normals of a file that has none: a warning, and no index. If
 * the file has some, an index beyond them is an error. */
TEST(indices_of_nothing)
{
    fixture f = read_good(TRIANGLE "f 1/1/1 2/2/1 3/3/1\nf 3//7 2 1\n");
    assert_int_equal(mesh_of(f)->face_count, 2);
    assert_int_equal(mesh_of(f)->stream_count, 1);
    assert_int_equal(test_finding(f.report, "OBJ-INDEX-NONE")->severity, FACET_SEVERITY_WARNING);
    assert_int_equal(facet_report_severity_count(f.report, FACET_SEVERITY_WARNING), 2);
    done(f);
}

/* -- Errors ------------------------------------------------------------- */

TEST(errors_have_lines)
{
    expect_error(TRIANGLE "f 1 2 4\n", "OBJ-INDEX", 4);
    expect_error(TRIANGLE "f 1 2 3\nf 0 1 2\nf 1 2 9\n", "OBJ-INDEX", 5);
    expect_error(TRIANGLE "f 1 2 3\nf 1 2 9\nf 0 1 2\n", "OBJ-INDEX", 5);
    expect_error(TRIANGLE "f 1 2 -4\n", "OBJ-INDEX", 4);
    expect_error(TRIANGLE "f 1 2 99999999999999999999\n", "OBJ-INDEX", 4);
    expect_error(TRIANGLE "f 1/0 2/1 3/1\n", "OBJ-INDEX", 4);
    expect_error(TRIANGLE "f 1/1 2/1 3/-1\n", "OBJ-INDEX", 4);
    expect_error(TRIANGLE "vn 0 0 1\nf 1//1 2//1 3//2\n", "OBJ-INDEX", 5);
    expect_error(TRIANGLE "vt 0 0\nf 1/1 2/0 3/1\n", "OBJ-INDEX", 5);
    expect_error(TRIANGLE "f 1 2 x\n", "OBJ-FACE", 4);
    expect_error(TRIANGLE "f 1 2 3/1/1/1\n", "OBJ-FACE", 4);
    expect_error(TRIANGLE "f 1 2 3.5\n", "OBJ-FACE", 4);
    expect_error(TRIANGLE "f 1 2 /3\n", "OBJ-FACE", 4);
    expect_error("\nv 1 2\n", "OBJ-NUMBER", 2);
    expect_error("v 1 2 three\n", "OBJ-NUMBER", 1);
    expect_error("# a\rv 1 2 nan\n", "OBJ-NUMBER", 2);
    expect_error("# a\r\n\r\nv 1 2 1e39\n", "OBJ-NUMBER", 3);
    expect_error("v 0 0 0\nv 1 2 -1.#IND\n", "OBJ-NUMBER", 2);
    expect_error("v 1 2 3.1+e2\n", "OBJ-NUMBER", 1);
    expect_error("vn 0 0 inf\n", "OBJ-NUMBER", 1);
    expect_error("vt\n", "OBJ-NUMBER", 1);
}

/* facet_load converts UTF-16 of either byte order: the reader receives the same text as UTF-8. */
TEST(utf_16_is_converted)
{
    static const char text[] = TRIANGLE "f 1 2 3\n";
    for (int little = 0; little < 2; little++) {
        uint8_t wide[2 * sizeof text] = {little ? 0xFF : 0xFE, little ? 0xFE : 0xFF};
        for (size_t i = 0; i + 1 < sizeof text; i++)
            wide[2 * i + 2 + !little] = (uint8_t)text[i];
        facet_source source = {.data = wide, .size = sizeof wide, .name = "a.obj"};
        facet_scene *scene = NULL;
        facet_error error;
        TEST_OK(facet_load(&source, facet_format_named("obj"), NULL, NULL, &scene, &error), &error);
        assert_int_equal(scene->meshes[0]->face_count, 1);
        assert_int_equal(scene->meshes[0]->streams[0].count, 3);
        facet_scene_free(scene);
    }
}

/* The fast path far from the end of the file gives the same errors and statements as the full
 * grammar at the end. */
TEST(both_ways_agree)
{
    static const char *const lines[] = {
        "f 1 2 3",
        "f 1/1 2/2 3/3",
        "f 1//1 2//1 3//1",
        "f 1/1/1 2/2/1 3/3/1",
        "f 1 2 3 4",
        "f 1 2/2 3",
        "f 1//1 2/2/1 3",
        "f 1  2\t3 ",
        "f 1 2",
        "f -1 -2 -3",
        "v 1 2 3",
        "v -1.5 2.25 1e3",
        "v 1 2 3 0.5 1 0",
        "vt 0.5 0.25",
        "vt 1",
        "vt 1 2 3",
        "vn 0 0 1",
        "vn 0.6 0.8 0",
        "usemtl m",
        "g a b",
        "s 1",
        "f 1 2 9",
        "f 0 1 2",
        "f 1/9 2/1 3/1",
        "f 1//9 2//1 3//1",
        "f 1/1/1 2/1/9 3/1/1",
        "f 1 2 3x",
        "f 1/ 2/ 3/",
        "v 1 2 nan",
        "v 1 2",
        "v 1 2 3e",
        "f 12345678901 1 2",
        "vt 0.12345678901234567 16777217",
        "v 12345678.5 0.00000000001 1.",
        "f 1/1/1/1 2 3",
        "v 1..2 2 3",
        "v - 1 2",
        "f 1 2 3 # c",
        "v 1.500000 -0.250000 -0.000000",
        "v 8388608.5 8388609.5 -8388610.5", /* halfway between two floats */
        "v 1.0 2.0 3.0 ",
        "v 1.0 2.0 3.0\r",
        "v 1.0 2.0 3.0e1",
        "v 1.0 2.0",
        "v\t1.0\t2.0\t3.0\t",
        "v \t 1.0 2.0 \t\t\t3.0",
        "vn\t0.6\t0.8\t0",
        "f\t3/3/1\t2/2/1 1/1/1",
        "v 1.0 2.0 3",
        "v 1.0 2.0 3.",
        "v 1.0 2.0 3.0 0.5 1.0 0.25",
        "v 1234567.1 0.1234567 12345678.1",
        "v 1.5                                                    2.5 3.5",  /* ends at byte 63, */
        "v 1.5 2.5 3.5                                                   ",  /* 64 */
        "v 1.5 2.5 3.5                                                    ", /* and 65 */
        "f 00000001/00000002/00000001 00000002/2/00000001 3/00000003/0001\r",
        "f 000000001/1/1 2/2/1 3/3/1",
        /* Longer than 64 bytes. */
        "f 00000001/00000002/00000001 00000002/00000002/00000001 00000003/00000003/00000001",
        "f 00000001/00000002/00000001 00000002/00000002/00000001 00000003/00000003/00000001 ",
        "f 00000001/00000002/00000001 00000002/00000002/00000001 00000003/00000003/000001\r",
        "f 00000004/00000002/00000001 00000002/00000002/00000001 00000003/00000003/00000001 1/1/1",
        "f 00000004/00000002/00000001 00000002/00000002/00000001 00000003/00000003/00000001 x",
        "f 00000001/00000002/00000001 00000002/00000002/00000001 00000003/00000009/00000001",
        "f 00000001//00000001 00000002//00000001                             00000003//00000001",
        "f 0000000000000000000000000000000000000000000000000000000000000000000000000000001 2 3",
        "f 1/1/00000000000000000000000000000000000000000000000000000000000000000000000001 2/2/1 "
        "3/3/1",
        "f 1                                                                  2 3",
        "vt 0.5 -0.25",
        "vt 0.5 0.25 0.125",
        "vt 0.5",
        "vn 0.600000 -0.800000 0.0",
        "vn 0.6 0.8",
        "f 0/1/1 2/2/1 3/3/1",
        "f 1/0/1 2/2/1 3/3/1",
        "f 4/1/1 3/2/1 2/3/1 1/1/1",
        "f 4/1/1 3/2/1 2/3/1 1/1/1 2/2/1",
        "f 4/1/1 3/2/1 2/3/1 1/1",
        "f 3/3/1 2/2/1 1/1/1\r",
        "f 3/3/1 2/2/1 1/1/1 ",
        "f 3/3/1 2/2/1",
        "f 3/3/1 2/2/ 1/1/1",
        "f 1//1 2/1/1 3//1",
        "f 1//1 2//1 3//1 4//1",
        "f",
        "v",
        "vn",
        "vt ",
    };
    static const char prefix[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nvt 0 0\nvt 1 0\nvt 0 1\n"
                                 "vn 0 0 1\nf 1/1/1 2/2/1 3/3/1\n";
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        for (size_t j = 0; j < sizeof lines / sizeof *lines; j++) {
            char text[2048];
            int short_size =
                snprintf(text, sizeof text, "%s%s\n%s\nf 1 2 3\n", prefix, lines[i], lines[j]);
            fixture slow = read_bytes(text, (size_t)short_size);
            memset(text + short_size, '\n', 1000);
            fixture fast = read_bytes(text, (size_t)short_size + 1000);
            assert_int_equal(slow.status, fast.status);
            if (slow.status) {
                assert_string_equal(slow.error.message, fast.error.message);
                assert_int_equal(slow.error.line, fast.error.line);
            } else {
                const facet_mesh *a = mesh_of(slow), *b = mesh_of(fast);
                assert_int_equal(a->face_count, b->face_count);
                assert_int_equal(a->corner_count, b->corner_count);
                assert_int_equal(a->stream_count, b->stream_count);
                assert_int_equal(!a->face_offsets, !b->face_offsets);
                for (uint32_t k = 0; k < a->stream_count; k++) {
                    const facet_stream *s = &a->streams[k], *t = &b->streams[k];
                    assert_int_equal(s->count, t->count);
                    assert_memory_equal(s->data, t->data, s->count * s->components * sizeof(float));
                    assert_memory_equal(s->indices, t->indices,
                                        a->corner_count * sizeof *s->indices);
                }
            }
            done(slow);
            done(fast);
        }
    }
}

/* -- Materials ---------------------------------------------------------- */

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(test_temporary(name), "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static fixture read_file(const char *path)
{
    fixture f = {0};
    facet_file *file = NULL;
    TEST_OK(facet_report_create(NULL, &f.report, &f.error), &f.error);
    TEST_OK(facet_file_open(path, NULL, &file, &f.error), &f.error);
    facet_source source = facet_file_source(file);
    facet_options options = {0};
    options.report = f.report;
    f.status = facet_obj_read(&source, NULL, &options, &f.scene, &f.error);
    facet_file_close(file);
    if (f.status == FACET_OK) {
        facet_error error;
        TEST_OK(facet_scene_check(f.scene, NULL, &error), &error);
    }
    return f;
}

/* Tr 0.75 means opacity 1 - 0.75 = 0.25. Expected: the opacity, and whether it is reported. */
TEST(a_transparency_that_contradicts_d_is_reported)
{
    static const struct {
        const char *lines;
        float opacity;
        bool reported;
    } cases[] = {{"d 1\nTr 1\n", 1, true},
                 {"Tr 1\nd 1\n", 1, true},
                 {"d 0.25\nTr 0.75\n", 0.25F, false},
                 {"Tr 0.75\nd 0.25\n", 0.25F, false},
                 {"Tr 0.75\n", 0.25F, false},
                 {"d 1\nnewmtl b\nTr 1\n", 1, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[200];
        snprintf(text, sizeof text, "newmtl a\n%s", cases[i].lines);
        write_file("opacity.mtl", text);
        write_file("opacity.obj", "mtllib opacity.mtl\n" TRIANGLE "usemtl a\nf 1 2 3\n");
        fixture f = read_file(test_temporary("opacity.obj"));
        TEST_OK(f.status, &f.error);
        assert_float_equal(f.scene->materials[0]->base_color[3], cases[i].opacity, 0);
        assert_int_equal(test_finding(f.report, "OBJ-MTL-OPACITY") != NULL, cases[i].reported);
        done(f);
    }
}

TEST(library_values_become_material_values)
{
    write_file("two words.mtl",
               "# comment \\\nnewmtl a\nKa 0.1\nKd 0.2 0.3 0.4\nKs 1 1 1\nKe 0 0 1\nTf 1 0.5 0\n"
               "Ns 250\nNi 1.5\nTr 0.25\nillum 7\nPr 0.5\nPm 0.25\nPs 0.125\nPc 1\nPcr 0.0625\n"
               "aniso 0.75\nanisor 0.5\nmap_Kd -s 2 2 -o 0.5 -clamp on my wood.png\n"
               "map_kd second.png\nbump -bm 0.3 bump.png\nnorm n.png\ndisp d.png\n"
               "refl -type sphere sky.hdr\nmap_Pr r.png\nKd spectral x.rfl\nNs many\nshiny 3\n"
               "newmtl unused\nKd 1 0 0\nnewmtl a\nKd 9 9 9\nnewmtl b\nd -halo 0.5\nTr 0.9\n");
    write_file("library.obj", "mtllib two words.mtl\n" TRIANGLE "usemtl a\nf 1 2 3\n"
                              "usemtl b\nf 1 2 3\n");
    fixture f = read_file(test_temporary("library.obj"));
    TEST_OK(f.status, &f.error);
    assert_int_equal(f.scene->material_count, 2);
    const facet_material *a = f.scene->materials[0];
    static const float ambient[3] = {0.1f, 0.1f, 0.1f}, diffuse[3] = {0.2f, 0.3f, 0.4f},
                       transmission[3] = {1, 0.5f, 0};
    const facet_classic *c = a->classic;
    assert_memory_equal(c->ambient, ambient, sizeof ambient);
    assert_memory_equal(c->diffuse, diffuse, sizeof diffuse);
    assert_memory_equal(c->transmission, transmission, sizeof transmission);
    assert_true(c->shininess == 250 && c->refraction_index == 1.5f && c->opacity == 0.75f);
    assert_true(c->roughness == 0.5f && c->metallic == 0.25f && c->sheen == 0.125f);
    assert_true(c->clearcoat == 1 && c->clearcoat_roughness == 0.0625f);
    assert_true(c->anisotropy == 0.75f && c->anisotropy_rotation == 0.5f);
    assert_int_equal(c->illumination, 7);
    assert_int_equal(c->stated, (1 << 16) - 1); /* all sixteen */
    /* The values of the later statements. */
    static const float base_color[4] = {0.2f, 0.3f, 0.4f, 0.75f}, emissive[3] = {0, 0, 1};
    assert_memory_equal(a->base_color, base_color, sizeof base_color);
    assert_memory_equal(a->emissive, emissive, sizeof emissive);
    assert_int_equal(a->alpha_mode, FACET_ALPHA_BLEND);
    assert_true(a->roughness == 0.5f && a->metallic == 0.25f && a->sides_unknown);
    const facet_texture *wood = a->maps[FACET_MAP_DIFFUSE];
    assert_string_equal(wood->path, "my wood.png");
    assert_true(wood->has_transform && wood->scale[0] == 2 && wood->scale[1] == 2);
    assert_true(wood->offset[0] == 0.5f && wood->offset[1] == 0 && wood->rotation == 0);
    assert_int_equal(wood->wrap_u, FACET_WRAP_CLAMP);
    assert_int_equal(wood->wrap_v, FACET_WRAP_CLAMP);
    assert_string_equal(a->maps[FACET_MAP_BUMP]->path, "bump.png");
    assert_true(a->maps[FACET_MAP_BUMP]->strength == 0.3f);
    assert_true(a->maps[FACET_MAP_NORMAL]->strength == 1);
    assert_string_equal(a->maps[FACET_MAP_NORMAL]->path, "n.png");
    assert_string_equal(a->maps[FACET_MAP_DISPLACEMENT]->path, "d.png");
    assert_int_equal(test_finding(f.report, "OBJ-MTL-OPTION")->line, 24); /* -type sphere */
    assert_string_equal(a->maps[FACET_MAP_ROUGHNESS]->path, "r.png");
    assert_null(a->maps[FACET_MAP_METALLIC]);
    /* d is used, not the Tr after it. */
    assert_true(f.scene->materials[1]->base_color[3] == 0.5f);
    assert_int_equal(test_finding(f.report, "OBJ-MTL-MAP")->line, 20);
    assert_int_equal(test_finding(f.report, "OBJ-MTL-STATEMENT")->count, 2);
    assert_int_equal(test_finding(f.report, "OBJ-MTL-NUMBER")->line, 27);
    /* Lines are counted in the library, and after it in the OBJ again. */
    assert_non_null(strstr(test_finding(f.report, "OBJ-MTL-NUMBER")->file, ".mtl"));
    assert_null(test_finding(f.report, "OBJ-MATERIAL-UNUSED")->file);
    assert_int_equal(test_finding(f.report, "OBJ-MATERIAL-UNUSED")->count, 1);
    assert_int_equal(test_finding(f.report, "OBJ-MATERIAL-DUPLICATE")->count, 1);
    assert_null(test_finding(f.report, "OBJ-MATERIAL-UNDEFINED"));
    done(f);
}

/* An option without effect is not a loss. Options that a scene cannot store and wrong values are
 * reported once per line. An option that is not followed by a path is the path. */
TEST(map_options_become_texture_data)
{
    static const struct {
        const char *line;
        int lost;
        const char *path;
        float offset[2], scale[2], strength;
    } cases[] = {
        {"map_Kd -blendu on -blendv on -mm 0 1 -boost 0 -cc off -t 0 0 0 a.png",
         0,
         "a.png",
         {0, 0},
         {1, 1},
         1},
        {"map_Kd -s 3 a.png", 0, "a.png", {0, 0}, {3, 1}, 1},
        {"map_Kd -s 3 -2 1 a.png", 0, "a.png", {0, 0}, {3, -2}, 1},
        {"map_Kd -o 0.25 0.5 0 b c.png", 0, "b c.png", {0.25f, 0.5f}, {1, 1}, 1},
        {"map_Kd -o 0.25 0.5 1 a.png", 0, "a.png", {0.25f, 0.5f}, {1, 1}, 1},
        {"map_Kd -s many a.png", 1, "a.png", {0, 0}, {1, 1}, 1},
        {"map_Kd -t 0 0.5 0 a.png", 1, "a.png", {0, 0}, {1, 1}, 1},
        {"map_Kd -mm 0 2 a.png", 1, "a.png", {0, 0}, {1, 1}, 1},
        {"map_Kd -blendu off a.png", 1, "a.png", {0, 0}, {1, 1}, 1},
        {"map_Kd -clamp maybe a.png", 1, "a.png", {0, 0}, {1, 1}, 1},
        {"map_Kd -bm 2 a.png", 1, "a.png", {0, 0}, {1, 1}, 2},
        {"map_Kd -imfchan r a.png", 1, "a.png", {0, 0}, {1, 1}, 1},
        {"map_Kd -clamp on", 0, "-clamp on", {0, 0}, {1, 1}, 1},
        /* Options or a comment after the path. */
        {"map_Kd my wood.png -s 3 2 1  -bm 0.5", 1, "my wood.png", {0, 0}, {3, 2}, 0.5f},
        {"map_Kd \"a.png\" -o 0.25 0.5", 0, "a.png", {0.25f, 0.5f}, {1, 1}, 1},
        {"map_Kd a.png  # the wood", 0, "a.png", {0, 0}, {1, 1}, 1},
        {"map_Kd a -s 3.png", 0, "a -s 3.png", {0, 0}, {1, 1}, 1},
        {"map_Kd no.1 #2.png", 0, "no.1 #2.png", {0, 0}, {1, 1}, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[160];
        snprintf(text, sizeof text, "newmtl a\n%s\n", cases[i].line);
        write_file("options.mtl", text);
        write_file("options.obj", "mtllib options.mtl\n" TRIANGLE "usemtl a\nf 1 2 3\n");
        fixture f = read_file(test_temporary("options.obj"));
        TEST_OK(f.status, &f.error);
        const facet_texture *texture = f.scene->materials[0]->maps[FACET_MAP_DIFFUSE];
        assert_string_equal(texture->path, cases[i].path);
        assert_memory_equal(texture->offset, cases[i].offset, sizeof texture->offset);
        assert_memory_equal(texture->scale, cases[i].scale, sizeof texture->scale);
        assert_true(texture->strength == cases[i].strength);
        assert_int_equal(test_finding(f.report, "OBJ-MTL-OPTION") != NULL, cases[i].lost);
        done(f);
    }
}

/* With a factor of 0 a map would have no effect, but programs show it. A map of an unknown kind is a
 * loss. */
TEST(factors_of_zero_do_not_remove_maps)
{
    write_file("zero.mtl", "newmtl a\nKe 0 0 0\nPr 0\nPm 0\nmap_Ke e.png\nmap_Pr r.png\n"
                           "map_Pm m.png\nmap_opacity o.png\nnewmtl b\nKe 0 0 0\nPr 0\nPm 0\n"
                           "newmtl c\nKe 0.5 0 0\nPr 0.25\nmap_Ke e.png\nmap_Pr r.png\n");
    write_file("zero.obj", "mtllib zero.mtl\n" TRIANGLE
                           "usemtl a\nf 1 2 3\nusemtl b\nf 1 2 3\nusemtl c\nf 1 2 3\n");
    fixture f = read_file(test_temporary("zero.obj"));
    TEST_OK(f.status, &f.error);
    const facet_material *a = f.scene->materials[0], *b = f.scene->materials[1];
    const facet_material *c = f.scene->materials[2];
    for (int i = 0; i < 3; i++)
        assert_true(a->emissive[i] == 1 && b->emissive[i] == 0);
    assert_true(a->roughness == 1 && a->metallic == 1);
    assert_true(b->roughness == 0 && b->metallic == 0);
    assert_true(c->emissive[0] == 0.5f && c->emissive[1] == 0 && c->roughness == 0.25f);
    const facet_finding *lost = test_finding(f.report, "LOSS-TEXTURES");
    assert_non_null(lost);
    assert_int_equal(lost->count, 1);
    assert_int_equal(lost->line, 8);
    done(f);
}

TEST(mtllib_names_several_libraries)
{
    write_file("one.mtl", "newmtl a\nKd 1 0 0\n");
    write_file("my two.mtl", "newmtl b\r\nKd 0 1 0");
    write_file("several.obj", "mtllib one.mtl my two.mtl gone.mtl ../outside.mtl\n" TRIANGLE
                              "usemtl a\nf 1 2 3\nusemtl b\nf 1 2 3\nusemtl c\nf 1 2 3\n");
    fixture f = read_file(test_temporary("several.obj"));
    TEST_OK(f.status, &f.error);
    assert_true(f.scene->materials[0]->base_color[1] == 0);
    assert_true(f.scene->materials[1]->base_color[0] == 0);
    assert_true(f.scene->materials[2]->base_color[0] == 1);
    int missing = 0;
    for (size_t i = 0; i < facet_report_count(f.report); i++)
        missing += strcmp(facet_report_get(f.report, i)->rule, "OBJ-MTL-MISSING") == 0;
    assert_int_equal(missing, 2);
    assert_non_null(strstr(test_finding(f.report, "OBJ-MTL-MISSING")->message, "gone.mtl"));
    assert_int_equal(test_finding(f.report, "OBJ-MTL-MISSING")->line, 1);
    done(f);
}

static facet_status open_huge(const facet_source *source, const char *name, facet_source *sibling,
                              facet_error *error)
{
    static const uint8_t text[] = "newmtl a\n";
    (void)source, (void)name, (void)error;
    sibling->data = text; /* the size counts, the bytes are not read */
    sibling->size = ((size_t)1 << 28) + 1;
    return FACET_OK;
}

TEST(libraries_have_256_mib_together)
{
    static const char text[] = "\nmtllib a.mtl\n" TRIANGLE "f 1 2 3\n";
    facet_source source = {.data = (const uint8_t *)text,
                           .size = sizeof text - 1,
                           .name = "a.obj",
                           .open_sibling = open_huge};
    facet_scene *scene = NULL;
    facet_error error;
    assert_int_equal(facet_load(&source, NULL, NULL, NULL, &scene, &error), FACET_ERROR_LIMIT);
    assert_string_equal(error.rule, "OBJ-LIMIT");
    assert_int_equal(error.line, 2);
}

/* -- Check -------------------------------------------------------------- */

TEST(check_reports_every_error)
{
    static const char text[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv nan 0 0\nv 5 5 5\nvn 0 0 0\nvn 0 0 3\n"
                               "f 1 2 9\nf 1 2\nf 1 1 2\nf a b c\nf 1 2 -9\n";
    facet_source source = {0};
    source.data = (const uint8_t *)text;
    source.size = sizeof text - 1;
    facet_error error;
    facet_report *report = NULL;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    TEST_OK(facet_obj_check(&source, NULL, report, &error), &error);
    static const uint64_t lines[] = {4, 8, 11, 12};
    assert_int_equal(facet_report_severity_count(report, FACET_SEVERITY_ERROR), 4);
    for (size_t i = 0; i < 4; i++) {
        bool found = false;
        for (size_t k = 0; k < facet_report_count(report); k++)
            found |= facet_report_get(report, k)->severity == FACET_SEVERITY_ERROR &&
                     facet_report_get(report, k)->line == lines[i];
        if (!found)
            fail_msg("no error at line %d", (int)lines[i]);
    }
    assert_non_null(test_finding(report, "OBJ-FACE-SMALL"));
    facet_report_free(report);

    static const char whole[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 2 0 0\nv 5 5 5\nvn 0 0 0\nvn 0 0 3\n"
                                "f 1//1 2//2 3//2\nf 1 2\nf 1 1 2\nf 1 2 4\n";
    source.data = (const uint8_t *)whole;
    source.size = sizeof whole - 1;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    TEST_OK(facet_obj_check(&source, NULL, report, &error), &error);
    assert_int_equal(facet_report_severity_count(report, FACET_SEVERITY_ERROR), 0);
    assert_int_equal(test_finding(report, "OBJ-FACE-REPEATED")->line, 10);
    assert_int_equal(test_finding(report, "OBJ-FACE-DEGENERATE")->line, 10);
    assert_int_equal(test_finding(report, "OBJ-FACE-DEGENERATE")->count, 2);
    assert_int_equal(test_finding(report, "OBJ-UNUSED")->severity, FACET_SEVERITY_NOTE);
    assert_non_null(test_finding(report, "OBJ-NORMAL-ZERO"));
    assert_non_null(test_finding(report, "OBJ-NORMAL-LENGTH"));
    facet_report_free(report);
}

/* -- Describe ----------------------------------------------------------- */

TEST(describe_counts_elements_and_materials)
{
    static const char text[] = "o box\nv 0 0 0\nv 1 0 0\nv 1 2 0\nv 0 2 -3\nvn 0 0 1\n"
                               "usemtl a\nf 1//1 2//1 3//1 4//1\nf 1//1 2//1 3//1\n";
    facet_source source = facet_source_from_memory(text, sizeof text - 1, "box.obj");
    facet_description *d = NULL;
    facet_error error;
    TEST_OK(facet_describe(&source, facet_format_named("obj"), NULL, &d, &error), &error);
    assert_int_equal(d->bytes, sizeof text - 1);
    assert_int_equal(d->meshes, 1);
    assert_int_equal(d->vertices, 4);
    assert_int_equal(d->faces, 2);
    assert_int_equal(d->triangles, 3); /* a quad is two */
    assert_int_equal(d->materials, 1);
    assert_true(d->has_bounds && d->maximum[1] == 2 && d->minimum[2] == -3);
    assert_int_equal(facet_tree_find(d->detail, "normals")->integer, 1);
    const facet_tree *part = facet_tree_find(d->detail, "parts")->first;
    assert_string_equal(facet_tree_find(part, "object")->string, "box");
    facet_description_free(d);

    d = NULL;
    source = facet_source_from_memory("f 1 2 3\n", 8, NULL);
    assert_int_equal(facet_describe(&source, facet_format_named("obj"), NULL, &d, &error),
                     FACET_ERROR_MALFORMED);
    assert_null(d);
}

/* -- Real files --------------------------------------------------------- */

/* Counts by `grep -c` of the statements, corners by counting words on f lines. */
TEST(real_files_have_expected_counts)
{
    TEST_NEEDS_CORPUS();
    static const struct {
        const char *name;
        uint32_t vertices, texcoords, normals, faces, corners, parts, materials;
    } files[] = {
        {"obj/boat.obj", 16210, 16665, 0, 32416, 97248, 0, 0},
        {"obj/box_longline.obj", 8, 0, 0, 6, 956, 1, 1},
        {"obj/concave_polygon.obj", 64, 0, 1, 1, 66, 1, 1},
        {"obj/cube_usemtl.obj", 8, 0, 6, 12, 36, 1, 3},
        {"obj/fish_control_mesh.obj", 112, 141, 0, 112, 444, 0, 0},
        {"obj/mixed_attribs_reverse.obj", 24, 12, 12, 8, 24, 8, 0},
        {"obj/nefertiti-lowres.obj", 35002, 0, 0, 70000, 210000, 0, 0},
        {"obj/negative_indices.obj", 8, 14, 6, 6, 24, 0, 0},
        {"obj/quadknot.obj", 1440, 3, 1440, 1440, 5760, 0, 1},
        {"obj/rabbit.obj", 644, 0, 732, 678, 2608, 9, 1},
        {"obj/skull.obj", 49999, 0, 0, 100002, 300006, 0, 0},
        {"obj/smoothing_group_162.obj", 8, 4, 6, 12, 36, 2, 2},
        {"obj/spider.obj", 762, 302, 747, 1368, 4104, 19, 4},
        {"obj/spot_control_mesh.obj", 188, 267, 0, 180, 732, 0, 0},
        {"obj/testmixed.obj", 8, 0, 0, 6, 24, 0, 1},
        {"obj/wallhole.obj", 92, 92, 92, 13, 92, 0, 0},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        fixture f = read_file(test_corpus(files[i].name));
        if (f.status)
            fail_msg("%s: %s", files[i].name, f.error.message);
        const facet_mesh *mesh = mesh_of(f);
        const facet_stream *texcoords = facet_mesh_find(mesh, FACET_TEXCOORD, 0),
                           *normals = facet_mesh_find(mesh, FACET_NORMAL, 0);
        assert_int_equal(mesh->streams[0].count, files[i].vertices);
        assert_int_equal(texcoords ? texcoords->count : 0, files[i].texcoords);
        assert_int_equal(normals ? normals->count : 0, files[i].normals);
        assert_int_equal(mesh->face_count, files[i].faces);
        assert_int_equal(mesh->corner_count, files[i].corners);
        assert_int_equal(mesh->part_count, files[i].parts);
        assert_int_equal(f.scene->material_count, files[i].materials);
        done(f);
    }
}

TEST(broken_files_have_expected_errors)
{
    TEST_NEEDS_CORPUS();
    static const struct {
        const char *name, *rule;
        uint64_t line;
    } files[] = {{"broken/invalid-relative-vertex-index.obj", "OBJ-INDEX", 1},
                 {"broken/malformed_index_out_of_range.obj", "OBJ-INDEX", 23},
                 {"broken/test-nan.obj", "OBJ-NUMBER", 12}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        fixture f = read_file(test_corpus(files[i].name));
        assert_int_equal(f.status, FACET_ERROR_MALFORMED);
        assert_string_equal(f.error.rule, files[i].rule);
        assert_int_equal(f.error.line, files[i].line);
        done(f);
    }
    fixture f = read_file(test_corpus("broken/malformed_missing_material.obj"));
    TEST_OK(f.status, &f.error);
    assert_int_equal(mesh_of(f)->face_count, 5);
    assert_int_equal(test_finding(f.report, "OBJ-FACE-SMALL")->line, 23);
    assert_non_null(test_finding(f.report, "OBJ-MATERIAL-UNDEFINED"));
    done(f);
}

/* -- Untrusted input ---------------------------------------------------- */

static const char small[] = "mtllib a.mtl\no x\nv 0 0 0 1 0 0\nv 1 0 0\nv -.5 1e-3 0\nvt 0 0\n"
                            "vt 1 2 3\nvn 0 0 1\nusemtl m\ns 1\ng a b\nf 1/1/1 2/2/1 3//1\n"
                            "f -1 -2 -3 1\nl 1 2\nf 1 2 \\\n3\n";

static void attempt_bytes(const uint8_t *data, size_t size, void *user)
{
    (void)user;
    facet_source source = {0};
    source.data = data;
    source.size = size;
    facet_error error;
    facet_scene *scene = NULL;
    if (facet_obj_read(&source, NULL, NULL, &scene, &error) == FACET_OK) {
        TEST_OK(facet_scene_check(scene, NULL, &error), &error);
        facet_scene_free(scene);
    } else {
        assert_true(error.message[0] != '\0');
    }
}

TEST(any_byte_change_is_safe)
{
    test_every_mutation((const uint8_t *)small, sizeof small - 1, attempt_bytes, NULL);
    /* Again where the fast path is used. */
    char padded[sizeof small + 700];
    memcpy(padded, small, sizeof small - 1);
    memset(padded + sizeof small - 1, '\n', sizeof padded - sizeof small + 1);
    test_every_mutation((const uint8_t *)padded, sizeof padded, attempt_bytes, NULL);
}

static facet_status attempt_allocation(const facet_allocator *allocator, void *user)
{
    (void)user;
    facet_source source = {0};
    source.data = (const uint8_t *)small;
    source.size = sizeof small - 1;
    facet_options options = {0};
    options.allocator = allocator;
    facet_scene *scene = NULL;
    facet_status status = facet_obj_read(&source, NULL, &options, &scene, NULL);
    if (status == FACET_OK)
        facet_scene_free(scene);
    return status;
}

TEST(read_reports_every_failed_allocation)
{
    test_every_allocation(attempt_allocation, NULL);
}

/* More elements than the samples predict: all in one part of a large file. */
TEST(wrong_size_estimate_loses_nothing)
{
    size_t size = (size_t)3 << 20, used;
    char *text = malloc(size);
    assert_non_null(text);
    memset(text, '#', size);
    for (size_t i = 99; i < size; i += 100)
        text[i] = '\n';
    used =
        (size_t)sprintf(text, "v 0 0 0 1 1 1\nv 1 0 0 0 0 0\nv 0 1 0 1 0 1\nvt 0 0 5\nvn 0 0 1\n");
    uint32_t faces = 0;
    for (; used < 400000; faces++)
        used += (size_t)sprintf(text + used,
                                "v 1 2 3 0.5 0 1\nf 1/1/1 2/1/1 3/1/1%s\nvt 1 1\nvn 1 0 0\n",
                                faces % 2 ? " 3/1/1" : "");
    text[used] = '#';
    fixture f = read_bytes(text, size);
    TEST_OK(f.status, &f.error);
    assert_int_equal(mesh_of(f)->face_count, faces);
    assert_int_equal(mesh_of(f)->streams[0].count, faces + 3);
    assert_true(values(mesh_of(f), FACET_COLOR)[(faces + 2) * 3] == 0.21404114f);
    done(f);
    free(text);
}
