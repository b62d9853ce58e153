/* STL: files built by the layout of the format; every rule has a file that breaks it. */
#include "formats/stl/stl.h"
#include "support/mesh.h"
#include "support/models.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* -- Files -------------------------------------------------------------- */

static void put_u32(uint8_t *at, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

static void put_float(uint8_t *at, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, 4);
    put_u32(at, bits);
}

/* Two triangles of the unit square in the plane z = 0, facing +Z: 84 + 2 * 50 bytes. */
#define SQUARE_SIZE 184
static void make_square(uint8_t data[SQUARE_SIZE], const char *header)
{
    static const float corners[2][9] = {{0, 0, 0, 1, 0, 0, 1, 1, 0}, {0, 0, 0, 1, 1, 0, 0, 1, 0}};
    memset(data, 0, SQUARE_SIZE);
    memcpy(data, header, strlen(header));
    put_u32(data + 80, 2);
    for (int i = 0; i < 2; i++) {
        uint8_t *at = data + 84 + i * 50;
        put_float(at + 8, 1);
        for (int k = 0; k < 9; k++)
            put_float(at + 12 + k * 4, corners[i][k]);
    }
}

static const char text[] = "solid first one\n"
                           " facet normal 0 0 1\n  outer loop\n   vertex 0 0 0\n"
                           "   vertex 1 0 0\n   vertex 0 1e0 -0\n  endloop\n endfacet\n"
                           "endsolid first one\n"
                           "solid empty\nendsolid empty\n"
                           "SOLID second\r\n\tFACET NORMAL nan -nan(ind) 1.#QNAN\r\nOuter Loop\r\n"
                           "Vertex 0 0 2 vertex 1 0 2 vertex 0 1 2\r\nEndLoop EndFacet\r\n"
                           "endsolid\r\n";

static facet_stl *read_document(const void *data, size_t size, const facet_options *options)
{
    facet_error error;
    facet_stl *document = NULL;
    TEST_OK(facet_stl_read(TEST_SOURCE(data, size), options, &document, &error), &error);
    return document;
}

/* -- Reading ------------------------------------------------------------ */

TEST(binary_document_points_to_triangles)
{
    uint8_t data[SQUARE_SIZE];
    make_square(data, "solid but binary");
    facet_stl *stl = read_document(data, sizeof data, NULL);
    assert_int_equal(stl->encoding, FACET_STL_BINARY);
    assert_int_equal(stl->triangle_count, 2);
    assert_ptr_equal(stl->triangles, data + 84); /* not copied */
    assert_int_equal(stl->colors, FACET_STL_COLORS_NONE);
    facet_stl_triangle triangle = facet_stl_get(stl, 1);
    assert_true(triangle.normal[2] == 1 && triangle.corners[1][0] == 1 &&
                triangle.corners[2][1] == 1 && triangle.attributes == 0);
    uint8_t record[50];
    facet_stl_put(record, &triangle);
    assert_memory_equal(record, data + 84 + 50, 50);
    facet_stl_free(stl);
    facet_stl_free(NULL);
}

TEST(ascii_document_lists_named_solids)
{
    facet_stl *stl = read_document(text, sizeof text - 1, NULL);
    assert_int_equal(stl->encoding, FACET_STL_ASCII);
    assert_int_equal(stl->triangle_count, 2);
    assert_int_equal(stl->solid_count, 3);
    assert_string_equal(stl->solids[0].name, "first one");
    assert_string_equal(stl->solids[1].name, "empty");
    assert_string_equal(stl->solids[2].name, "second");
    assert_int_equal(stl->solids[1].triangle_count, 0);
    assert_int_equal(stl->solids[2].first_triangle, 1);
    facet_stl_triangle first = facet_stl_get(stl, 0), second = facet_stl_get(stl, 1);
    assert_true(first.normal[2] == 1 && first.corners[2][1] == 1);
    assert_true(isnan(second.normal[0]) && second.corners[2][2] == 2);
    facet_stl_free(stl);
}

/* The word that distinguishes text from binary may follow any number of blanks. */
/* Text that programs write beyond the grammar: two words for one, comments, colors of facets. */
TEST(dialects_of_text)
{
    static const char dialect[] = "solid a # not a comment\nfacet normal 0 0 1 # up\n "
                                  "COLOR 1 0 0.5\nouter loop\n"
                                  "vertex 0 0 0\n#vertex 9 9 9\nvertex 1 0 0\nvertex 0 1 0\nend "
                                  "loop\nend facet\nend solid a\n";
    facet_report *report = NULL;
    facet_options options = {0};
    facet_stl *stl = NULL;
    facet_error error;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    options.report = report;
    facet_source source = facet_source_from_memory(dialect, sizeof dialect - 1, "a.stl");
    TEST_OK(facet_stl_read(&source, &options, &stl, &error), &error);
    assert_int_equal(stl->triangle_count, 1);
    assert_string_equal(stl->solids[0].name, "a # not a comment");
    assert_true(facet_stl_get(stl, 0).corners[1][0] == 1);
    assert_int_equal(facet_report_count(report), 1);
    assert_string_equal(facet_report_get(report, 0)->rule, "LOSS-COLORS");
    assert_int_equal(facet_report_get(report, 0)->line, 3);
    facet_stl_free(stl);
    facet_report_free(report);
}

/* A count that was left at 0: two triangles follow it. */
TEST(count_of_zero)
{
    uint8_t bytes[84 + 100] = {0};
    facet_report *report = NULL;
    facet_options options = {0};
    facet_stl *stl = NULL;
    facet_error error;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    options.report = report;
    facet_source source = facet_source_from_memory(bytes, sizeof bytes, "a.stl");
    TEST_OK(facet_stl_read(&source, &options, &stl, &error), &error);
    assert_int_equal(stl->triangle_count, 2);
    assert_string_equal(facet_report_get(report, 0)->rule, "STL-SIZE");
    facet_stl_free(stl);
    source.size = sizeof bytes - 1;
    TEST_OK(facet_stl_read(&source, NULL, &stl, &error), &error);
    assert_int_equal(stl->triangle_count, 0);
    facet_stl_free(stl);
    facet_report_free(report);
}

TEST(blanks_before_text)
{
    char *blank = malloc(300 + sizeof text);
    assert_non_null(blank);
    memset(blank, '\n', 300);
    memcpy(blank + 300, text, sizeof text - 1);
    facet_stl *stl = read_document(blank, 300 + sizeof text - 1, NULL);
    assert_int_equal(stl->encoding, FACET_STL_ASCII);
    assert_int_equal(stl->triangle_count, 2);
    facet_stl_free(stl);
    free(blank);
}

/* Corners of equal value share a position, -0 equals 0; each solid becomes a mesh. */
TEST(scene_of_text)
{
    facet_scene *scene = load_bytes(text, sizeof text - 1, "a.stl", NULL);
    assert_int_equal(scene->mesh_count, 2);
    assert_string_equal(scene->meshes[0]->name, "first one");
    assert_string_equal(scene->meshes[1]->name, "second");
    assert_true(scene->axes.unit == 0); /* unknown */
    assert_int_equal(scene->meshes[0]->stream_count, 1);
    facet_scene_free(scene);
    uint8_t data[SQUARE_SIZE];
    make_square(data, "x");
    put_float(data + 84 + 50 + 12, -0.0F);
    scene = load_bytes(data, sizeof data, "a.stl", NULL);
    assert_int_equal(scene->meshes[0]->corner_count, 6);
    assert_int_equal(scene->meshes[0]->streams[0].count, 4);
    static const uint32_t indices[6] = {0, 1, 2, 0, 2, 3};
    assert_memory_equal(scene->meshes[0]->streams[0].indices, indices, sizeof indices);
    facet_scene_free(scene);
}

/* Red 31, green 0, blue 10. VisCAM: 31 << 10 | 10 with bit 15 set. Magics: red is in the low
 * bits, and bit 15 means the object's color, here 51 102 255. */
TEST(viscam_and_magics_colors_are_read)
{
    uint8_t data[SQUARE_SIZE];
    float rgb[3];
    make_square(data, "x");
    data[84 + 48] = (uint8_t)(31 << 10 | 10);
    data[84 + 49] = (uint8_t)(0x80 | 31 << 10 >> 8);
    facet_stl *stl = read_document(data, sizeof data, NULL);
    assert_int_equal(stl->colors, FACET_STL_COLORS_VISCAM);
    assert_true(facet_stl_color(stl, facet_stl_get(stl, 0).attributes, rgb));
    assert_true(rgb[0] == 1 && rgb[1] == 0 && fabsf(rgb[2] - 10 / 31.0F) < 1e-6F);
    assert_false(facet_stl_color(stl, facet_stl_get(stl, 1).attributes, rgb));
    facet_stl_free(stl);
    facet_scene *scene = load_bytes(data, sizeof data, "a.stl", NULL);
    const facet_stream *colors = facet_mesh_find(scene->meshes[0], FACET_COLOR, 0);
    assert_int_equal(colors->count, 1);
    assert_int_equal(colors->indices[2], 0);
    assert_int_equal(colors->indices[3], FACET_NONE);
    facet_scene_free(scene);

    make_square(data, "COLOR=\x33\x66\xFF\x80");
    data[84 + 48] = 31;
    data[84 + 50 + 49] = 0x80;
    stl = read_document(data, sizeof data, NULL);
    assert_int_equal(stl->colors, FACET_STL_COLORS_MATERIALISE);
    assert_true(facet_stl_color(stl, facet_stl_get(stl, 0).attributes, rgb));
    assert_true(rgb[0] == 1 && rgb[1] == 0 && rgb[2] == 0);
    assert_true(facet_stl_color(stl, facet_stl_get(stl, 1).attributes, rgb));
    assert_true(fabsf(rgb[0] - 0.2F) < 1e-6F && fabsf(rgb[1] - 0.4F) < 1e-6F && rgb[2] == 1);
    facet_stl_free(stl);
    scene = load_bytes(data, sizeof data, "a.stl", NULL);
    colors = facet_mesh_find(scene->meshes[0], FACET_COLOR, 0);
    assert_int_equal(colors->components, 4); /* the object's alpha is 128 */
    assert_int_equal(colors->count, 2);
    /* The object's color 51 102 255 is the second, by the sRGB curve; alpha is linear. */
    const float *object = (const float *)colors->data + 4;
    assert_float_equal(object[0], 0.03310477F, 1e-6F);
    assert_float_equal(object[1], 0.13286832F, 1e-6F);
    assert_float_equal(object[3], 128 / 255.0F, 1e-6F);
    facet_scene_free(scene);
}

/* Diffuse 51 102 255, specular 255 0 0, ambient 0 0 51. The curve of sRGB: 51 is 0.0331. The
 * diffuse color has priority over COLOR=. It belongs to the material, unless a triangle has its own
 * color. */
TEST(material_of_magics_is_read)
{
    static const char header[] = "COLOR=\x01\x02\x03\xFF,MATERIAL=\x33\x66\xFF\x80"
                                 "\xFF\x01\x01\xFF\x01\x01\x33\xFF";
    for (int own = 0; own < 2; own++) {
        uint8_t data[SQUARE_SIZE];
        make_square(data, header);
        data[84 + 49] = own ? 0 : 0x80;
        data[84 + 48] = own ? 31 : 0;
        data[84 + 50 + 49] = 0x80;
        facet_scene *scene = load_bytes(data, sizeof data, "a.stl", NULL);
        assert_int_equal(scene->material_count, 1);
        assert_int_equal(scene->meshes[0]->face_materials[1], 0);
        const facet_material *m = scene->materials[0];
        assert_float_equal(m->classic->specular[0], 1, 1e-6);
        assert_float_equal(m->classic->ambient[2], 0.03310477, 1e-6);
        const facet_stream *colors = facet_mesh_find(scene->meshes[0], FACET_COLOR, 0);
        assert_int_equal(colors != NULL, own);
        const float *diffuse = own ? (const float *)colors->data + 4 : m->base_color;
        assert_float_equal(diffuse[0], 0.03310477, 1e-6);
        assert_float_equal(diffuse[2], 1, 1e-6);
        assert_float_equal(diffuse[3], 128 / 255.0F, 1e-6);
        assert_float_equal(m->base_color[1], own ? 1 : 0.13286832F, 1e-6);
        facet_scene_free(scene);
    }
}

/* -- Rules -------------------------------------------------------------- */

static void expect_rule(const void *data, size_t size, const char *rule, facet_severity severity)
{
    facet_error error;
    facet_report *report = NULL;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    TEST_OK(facet_stl_check(TEST_SOURCE(data, size), NULL, report, &error), &error);
    const facet_finding *finding = test_finding(report, rule);
    if (!finding)
        fail_msg("%s is not found", rule);
    assert_int_equal(finding->severity, severity);
    facet_report_free(report);
}

TEST(rules_of_text)
{
#define SOLID "solid a\nfacet normal 0 0 1\nouter loop\n"
    static const struct {
        const char *text, *rule;
        facet_severity severity;
        uint64_t line; /* of an error; 0: none */
    } cases[] = {
        {"solid a\nrubbish\n", "STL-STATEMENT", FACET_SEVERITY_ERROR, 2},
        {"solid a\nfacet norm 0 0 1", "STL-STATEMENT", FACET_SEVERITY_ERROR, 2},
        {"solid a\nendsolid\nfacet normal 0 0 1", "STL-STATEMENT", FACET_SEVERITY_ERROR, 3},
        {"solid a\nfacet normal 0 zero 1", "STL-NUMBER", FACET_SEVERITY_ERROR, 2},
        {SOLID "vertex 0 0 1e99", "STL-NUMBER", FACET_SEVERITY_ERROR, 4},
        {SOLID "vertex 0 0 0\nvertex 1 0 0\nendloop", "STL-FACET", FACET_SEVERITY_ERROR, 6},
        {SOLID "vertex 0 0 0 vertex 1 0 0 vertex 0 1 0\nvertex 1 1 1", "STL-FACET",
         FACET_SEVERITY_ERROR, 5},
        {SOLID "vertex 0 0 0 vertex 1 0 0 vertex 0 1 0 endloop endfacet", "STL-END",
         FACET_SEVERITY_WARNING, 0},
        {"solid a\nendsolid a\n", "STL-EMPTY", FACET_SEVERITY_WARNING, 0},
        {SOLID "vertex 0 0 0 vertex 1 0 0 vertex 0 1 nan endloop endfacet", "STL-NONFINITE",
         FACET_SEVERITY_ERROR, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        expect_rule(cases[i].text, strlen(cases[i].text), cases[i].rule, cases[i].severity);
        facet_error error = {0};
        facet_stl *stl = NULL;
        facet_status status = facet_stl_read(
            TEST_SOURCE((const uint8_t *)cases[i].text, strlen(cases[i].text)), NULL, &stl, &error);
        if (cases[i].line > 0) {
            assert_int_equal(status, FACET_ERROR_MALFORMED);
            assert_string_equal(error.rule, cases[i].rule);
            assert_int_equal(error.line, cases[i].line);
        }
        facet_stl_free(stl);
    }
}

TEST(rules_of_bytes)
{
    uint8_t data[SQUARE_SIZE + 1] = {0};
    make_square(data, "x");
    expect_rule(data, 83, "STL-HEADER", FACET_SEVERITY_ERROR);
    expect_rule(data, SQUARE_SIZE - 1, "STL-SIZE", FACET_SEVERITY_ERROR);
    expect_rule(data, SQUARE_SIZE + 1, "STL-TRAILING", FACET_SEVERITY_WARNING);
    put_float(data + 84 + 8, -1);
    expect_rule(data, SQUARE_SIZE, "STL-NORMAL", FACET_SEVERITY_WARNING);
    put_float(data + 84 + 8, 0);
    expect_rule(data, SQUARE_SIZE, "STL-NORMAL-ZERO", FACET_SEVERITY_NOTE);
    put_float(data + 84 + 8, (float)INFINITY);
    expect_rule(data, SQUARE_SIZE, "STL-NORMAL-NONFINITE", FACET_SEVERITY_WARNING);
    put_float(data + 84 + 12 + 12, 0); /* the second corner equals the first */
    expect_rule(data, SQUARE_SIZE, "STL-DEGENERATE", FACET_SEVERITY_WARNING);
    data[84 + 48] = 1;
    expect_rule(data, SQUARE_SIZE, "STL-ATTRIBUTES", FACET_SEVERITY_NOTE);
    put_float(data + 84 + 12, NAN);
    expect_rule(data, SQUARE_SIZE, "STL-NONFINITE", FACET_SEVERITY_ERROR);
    facet_error error = {0};
    facet_scene *scene = NULL;
    facet_source source = {.data = data, .size = SQUARE_SIZE, .name = "a.stl"};
    assert_int_equal(facet_load(&source, NULL, NULL, NULL, &scene, &error), FACET_ERROR_MALFORMED);
    assert_string_equal(error.rule, "SCENE-NONFINITE");
}

/* A valid file has no findings. */
TEST(valid_file_has_no_findings)
{
    uint8_t data[SQUARE_SIZE];
    facet_error error;
    facet_report *report = NULL;
    make_square(data, "x");
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    TEST_OK(facet_stl_check(TEST_SOURCE(data, sizeof data), NULL, report, &error), &error);
    assert_int_equal(facet_report_count(report), 0);
    facet_report_free(report);
}

/* -- Writing ------------------------------------------------------------ */

static facet_output *write_document(const facet_stl *stl, facet_stl_encoding encoding,
                                    facet_report *report)
{
    facet_error error;
    facet_output *output = NULL;
    facet_stl_options how = {.encoding = encoding};
    facet_options options = {.stl = &how, .report = report};
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(facet_stl_write(stl, &options, output, &error), &error);
    TEST_OK(facet_output_commit(output, &error), &error);
    return output;
}

/* Binary to binary gives the same bytes; to text and back the same numbers. */
TEST(round_trips_keep_bytes_and_numbers)
{
    uint8_t data[SQUARE_SIZE];
    facet_error error;
    facet_report *report = NULL;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    make_square(data, "COLOR=\x33\x66\xFF\xFF");
    data[84 + 48] = 31;
    put_float(data + 84 + 12, 0.1F);
    facet_stl *stl = read_document(data, sizeof data, NULL);
    facet_output *output = write_document(stl, FACET_STL_BINARY, report);
    assert_int_equal(facet_output_size(output), sizeof data);
    assert_memory_equal(facet_output_data(output), data, sizeof data);
    assert_int_equal(facet_report_count(report), 0);
    facet_output_free(output);
    output = write_document(stl, FACET_STL_ASCII, report);
    assert_non_null(test_finding(report, "LOSS-UNREAD"));
    facet_stl *again =
        read_document(facet_output_data(output), (size_t)facet_output_size(output), NULL);
    assert_int_equal(again->encoding, FACET_STL_ASCII);
    assert_int_equal(again->triangle_count, 2);
    for (size_t i = 0; i < 2; i++)
        assert_memory_equal(again->triangles + i * 50, data + 84 + i * 50, 48);
    facet_stl_free(again);
    facet_output_free(output);
    facet_stl_free(stl);

    stl = read_document(text, sizeof text - 1, NULL);
    output = write_document(stl, FACET_STL_BINARY, report);
    assert_non_null(test_finding(report, "LOSS-NAMES"));
    assert_memory_equal(facet_output_data(output), "facet\0", 6);
    facet_output_free(output);
    output = write_document(stl, FACET_STL_ASCII, report);
    again = read_document(facet_output_data(output), (size_t)facet_output_size(output), NULL);
    assert_int_equal(again->solid_count, 3);
    assert_string_equal(again->solids[2].name, "second");
    facet_stl_free(again);
    facet_output_free(output);
    facet_stl_free(stl);
    facet_report_free(report);
}

TEST(write_refuses_inconsistent_documents)
{
    uint8_t record[50] = {0};
    facet_stl_solid solids[2] = {{"a", 0, 1}, {"b", 2, 0}};
    facet_stl stl = {.triangle_count = 1};
    facet_error error;
    facet_output *output = NULL;
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    assert_int_equal(facet_stl_write(&stl, NULL, output, &error), FACET_ERROR_ARGUMENT);
    assert_string_equal(error.rule, "STL-DOCUMENT");
    stl.triangles = record;
    stl.solids = solids;
    stl.solid_count = 2; /* the second does not begin where the first ends */
    assert_int_equal(facet_stl_write(&stl, NULL, output, &error), FACET_ERROR_ARGUMENT);
    stl.solid_count = 1;
    TEST_OK(facet_stl_write(&stl, NULL, output, &error), &error);
    put_float(record + 12, NAN);
    facet_stl_options how = {.encoding = FACET_STL_ASCII};
    facet_options options = {.stl = &how};
    assert_int_equal(facet_stl_write(&stl, &options, output, &error), FACET_ERROR_ARGUMENT);
    assert_string_equal(error.rule, "STL-NONFINITE");
    facet_output_free(output);
}

/* A third of 2^32 triangles has one corner more than 32 bits can count. The triangles are not
 * read. */
TEST(more_corners_than_32_bits_are_refused)
{
    static const uint8_t record[50] = {0};
    facet_stl stl = {.triangles = record, .triangle_count = UINT32_MAX / 3};
    facet_scene *scene = NULL;
    facet_error error;
    assert_int_equal(facet_stl_to_scene(&stl, NULL, NULL, &scene, &error), FACET_ERROR_LIMIT);
    assert_string_equal(error.rule, "STL-LIMIT");
    assert_null(scene);
}

/* Mesh parts become solids; data that STL cannot hold is reported. */
TEST(mesh_parts_become_solids)
{
    static const float points[9] = {0, 0, 0, 2, 0, 0, 0, 3, 0};
    static const uint32_t indices[6] = {0, 1, 2, 0, 2, 1}, sizes[1] = {4};
    facet_error error;
    facet_stl *stl = NULL;
    facet_options options = {0};
    TEST_OK(facet_report_create(NULL, &options.report, &error), &error);
    facet_scene *scene = test_scene();
    facet_mesh *mesh = test_mesh(scene, 2, NULL);
    assert_true(test_stream(scene, mesh, FACET_POSITION, 3, 3, points, indices));
    assert_true(test_stream(scene, mesh, FACET_COLOR, 3, 3, points, indices));
    facet_part part = {"back", "", 1, 1};
    mesh->parts = &part;
    mesh->part_count = 1;
    TEST_OK(facet_stl_from_scene(scene, &options, &stl, &error), &error);
    assert_non_null(test_finding(options.report, "LOSS-COLORS"));
    assert_int_equal(stl->solid_count, 2);
    assert_string_equal(stl->solids[1].name, "back");
    assert_true(facet_stl_get(stl, 0).normal[2] == 1);
    assert_true(facet_stl_get(stl, 1).normal[2] == -1);
    facet_stl_free(stl);
    mesh->part_count = 0;
    facet_scene_free(scene);
    scene = test_scene();
    mesh = test_mesh(scene, 1, sizes);
    assert_true(test_stream(scene, mesh, FACET_POSITION, 3, 3, points, indices));
    assert_int_equal(facet_stl_from_scene(scene, &options, &stl, &error), FACET_ERROR_ARGUMENT);
    assert_string_equal(error.rule, "STL-NEEDS");
    facet_scene_free(scene);
    facet_report_free(options.report);
}

/* An empty scene is written as a file that is read again. */
TEST(empty_scene_is_written_and_read)
{
    facet_error error;
    facet_output *output = NULL;
    facet_stl *stl = NULL;
    facet_scene *scene = test_scene();
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(facet_save(scene, facet_format_named("stl"), NULL, output, &error), &error);
    TEST_OK(facet_output_commit(output, &error), &error);
    assert_int_equal(facet_output_size(output), 84);
    stl = read_document(facet_output_data(output), 84, NULL);
    assert_int_equal(stl->triangle_count, 0);
    facet_stl_free(stl);
    facet_output_free(output);
    facet_scene_free(scene);
}

/* -- The corpus --------------------------------------------------------- */

/* A binary STL has 84 bytes and 50 per triangle, an ASCII one has an "endfacet" for each. The
 * header of 20mm-xyz-cube has COLOR=; all its facets are 0x4E73: 19 of 31 per channel. */
TEST(corpus_files_have_expected_counts)
{
    static const struct {
        const char *name;
        uint32_t triangles, meshes;
    } files[] = {{"stl/20mm-xyz-cube.stl", (13084 - 84) / 50, 1},
                 {"stl/3DSMaxExport.STL", (100084 - 84) / 50, 1},
                 {"stl/angle_block.STL", (35284 - 84) / 50, 1}, /* binary, begins with "solid" */
                 {"stl/Spider_ascii.stl", 1368, 1},
                 {"stl/multibody.stl", 12 + 20, 2},
                 {"broken/busted.STL", (193984 - 84) / 50, 1}};
    TEST_NEEDS_CORPUS();
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        facet_scene *scene = load_file(test_corpus(files[i].name), NULL);
        assert_int_equal(scene->mesh_count, files[i].meshes);
        assert_int_equal(count_faces(scene), files[i].triangles);
        const facet_stream *colors = facet_mesh_find(scene->meshes[0], FACET_COLOR, 0);
        assert_int_equal(colors != NULL, i == 0);
        if (colors)
            assert_true(colors->count == 1 && fabsf(((const float *)colors->data)[0] -
                                                    0.33381557F) < 1e-6F); /* 19 of 31 */
        facet_scene_free(scene);
    }
}

/* -- Describe ----------------------------------------------------------- */

TEST(describe_counts_triangles_and_solids)
{
    facet_error error;
    facet_description *description = NULL;
    TEST_OK(facet_describe(TEST_SOURCE((const uint8_t *)text, sizeof text - 1),
                           facet_format_named("stl"), NULL, &description, &error),
            &error);
    assert_int_equal(description->triangles, 2);
    assert_int_equal(description->meshes, 3);
    assert_true(description->maximum[2] == 2 && description->minimum[2] == 0);
    assert_string_equal(facet_tree_find(description->detail, "encoding")->string, "ascii");
    facet_description_free(description);
}

/* -- Untrusted input ---------------------------------------------------- */

static facet_status load_with(const facet_allocator *allocator, void *user)
{
    uint8_t data[SQUARE_SIZE];
    facet_options options = {.allocator = allocator};
    facet_scene *scene = NULL;
    facet_output *output = NULL;
    make_square(data, "COLOR=abcd");
    facet_source source = {.data = data, .size = sizeof data, .name = "a.stl"};
    if (user) {
        source.data = (const uint8_t *)text;
        source.size = sizeof text - 1;
    }
    facet_status status = facet_load(&source, NULL, NULL, &options, &scene, NULL);
    if (!status)
        status = facet_output_open_memory(NULL, &output, NULL);
    if (!status)
        status = facet_save(scene, facet_format_named("stl"), &options, output, NULL);
    facet_output_free(output);
    facet_scene_free(scene);
    return status;
}

TEST(any_failed_allocation_is_reported)
{
    test_every_allocation(load_with, NULL);
    test_every_allocation(load_with, (void *)(uintptr_t)text);
}

static void attempt(const uint8_t *data, size_t size, void *user)
{
    (void)user;
    facet_source source = {.data = data, .size = size, .name = "a.stl"};
    facet_scene *scene = NULL;
    facet_error error = {0};
    facet_status status =
        facet_load(&source, facet_format_named("stl"), NULL, NULL, &scene, &error);
    if (status == FACET_OK)
        TEST_OK(facet_scene_check(scene, NULL, &error), &error);
    else
        assert_true(error.message[0] != '\0');
    facet_scene_free(scene);
    facet_report *report = NULL;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    TEST_OK(facet_stl_check(&source, NULL, report, &error), &error);
    facet_report_free(report);
}

TEST(any_byte_change_is_safe)
{
    uint8_t data[SQUARE_SIZE];
    make_square(data, "COLOR=abcd");
    test_every_mutation(data, sizeof data, attempt, NULL);
    test_every_mutation((const uint8_t *)text, sizeof text - 1, attempt, NULL);
}
