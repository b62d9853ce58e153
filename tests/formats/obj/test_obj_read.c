/* Reading OBJ: statements, spellings, errors, real files. */
#include "support/obj_read.h"

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

static void expect_error(const char *text, const char *rule, uint64_t line)
{
    fixture f = read_text(text);
    assert_int_equal(f.status, FACET_ERROR_MALFORMED);
    assert_string_equal(f.error.rule, rule);
    assert_int_equal(f.error.line, line);
    assert_true(strlen(f.error.message) > 10);
    done(f);
}

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

/* Lines have the name of the mesh. Names that the mesh cannot have are reported. */
TEST(names_of_lines_are_kept_or_reported)
{
    static const struct {
        const char *text, *name;
        uint64_t lost;
    } cases[] = {
        {"o wire\nl 1 2\nl 2 3\n", "wire", 0}, {"l 1 2\n", "", 0},
        {"o a\nf 1 2 3\nl 1 2\n", "a", 0},     {"o a\nf 1 2 3\no b\np 1\n", "a", 1},
        {"o a\nl 1 2\no b\nl 2 3\n", "", 2},   {"g a\nl 1 2\n", "", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[100];
        snprintf(text, sizeof text, TRIANGLE "%s", cases[i].text);
        fixture f = read_good(text);
        const facet_finding *lost = test_finding(f.report, "LOSS-NAMES");
        assert_string_equal(mesh_of(f)->name, cases[i].name);
        assert_int_equal(lost ? lost->count : 0, cases[i].lost);
        done(f);
    }
}

/* The material of the last usemtl applies to all elements, whatever their kind. */
TEST(lines_and_points_have_materials)
{
    static const uint32_t lines[4] = {FACET_NONE, 0, 0, 1}, points[3] = {0, 1, FACET_NONE};
    fixture f = read_good(TRIANGLE "l 1 2\nusemtl red\nl 1 2 3\np 1\nusemtl blue\nf 1 2 3\n"
                                   "p 2\nl 2 3\nusemtl\np 3\n");
    const facet_mesh *mesh = mesh_of(f);
    assert_int_equal(mesh->line_count, 4);
    assert_memory_equal(mesh->line_materials, lines, sizeof lines);
    assert_int_equal(mesh->point_count, 3);
    assert_memory_equal(mesh->point_materials, points, sizeof points);
    assert_null(test_finding(f.report, "LOSS-MATERIALS"));
    done(f);
    f = read_good(TRIANGLE "l 1 2\nusemtl red\nf 1 2 3\n");
    assert_null(mesh_of(f)->line_materials);
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
