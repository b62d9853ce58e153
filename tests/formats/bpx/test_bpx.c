/* BPX: containers, textures, models and shader packages.
 *
 * The files are the worked examples of the specification's reference, byte by byte. Real files
 * are packages of versions 1 and 2. */
#include "formats/bpx/bpx.h"
#include "formats/bpx/glsl.h"
#include "formats/bpx/scene.h"
#include "support/bpx.h"
#include "support/bpx_files.h"

#include <facet/facet.h>
#include <lzma.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>

/* -- The worked examples ------------------------------------------------ */

/* Change one byte of a copy, check it, and expect a rule. */
static void expect_rule(const uint8_t *data, size_t size, size_t at, uint8_t value,
                        const char *rule, facet_severity severity)
{
    uint8_t *copy = malloc(size);
    memcpy(copy, data, size);
    copy[at] = value;
    facet_report *report = check_bytes(copy, size);
    const facet_finding *finding = test_finding(report, rule);
    if (!finding)
        fail_msg("byte 0x%zX = 0x%02X: no %s", at, value, rule);
    assert_int_equal(finding->severity, severity);
    facet_report_free(report);
    free(copy);
}

TEST(examples_pass_the_check)
{
    expect_clean(texture_file, sizeof texture_file);
    expect_clean(model_file, sizeof model_file);
    expect_clean(shader_file, sizeof shader_file);
}

TEST(view_tells_the_table)
{
    facet_bpx_layout bpx;
    facet_error error;
    TEST_OK(facet_bpx_view(model_file, sizeof model_file, &bpx, &error), &error);
    assert_int_equal(bpx.revision, FACET_BPX_0A);
    assert_int_equal(bpx.type, 'M');
    assert_int_equal(bpx.section_count, 3);
    TEST_OK(facet_bpx_verify(&bpx, &error), &error);
    facet_bpx_section s = facet_bpx_section_at(&bpx, 1);
    assert_int_equal(s.offset, 0x4E);
    assert_int_equal(s.stored_size, 20);
    assert_int_equal(s.compression, FACET_BPX_ZLIB);
    s = facet_bpx_section_at(&bpx, 2);
    assert_int_equal(s.type, 5);
    assert_int_equal(s.offset, 0x62);
}

TEST(rules_of_the_container)
{
    const uint8_t *m = model_file;
    size_t size = sizeof model_file;
    expect_rule(m, size, 1, 'Q', "BPX-SIGNATURE", FACET_SEVERITY_ERROR);
    expect_rule(m, size, 3, 'Q', "BPX-TYPE-UNKNOWN", FACET_SEVERITY_ERROR);
    expect_rule(m, size, 4, 0, "BPX-CRC", FACET_SEVERITY_ERROR);
    expect_rule(m, size, 8, 0x54, "BPX-FILESIZE", FACET_SEVERITY_ERROR);
    expect_rule(m, size, 8, 107, "BPX-FILESIZE-FORM", FACET_SEVERITY_WARNING);
    expect_rule(m, size, 0x10, 99, "BPX-TABLE-BOUNDS", FACET_SEVERITY_ERROR);
    expect_rule(m, size, 0x12, 9, "BPX-VERSION", FACET_SEVERITY_ERROR);
    expect_rule(m, size, 0x13, 1, "BPX-EXT-UNUSED", FACET_SEVERITY_WARNING);
    expect_rule(m, size, 0x26, 1, "BPX-SECTION-RESERVED", FACET_SEVERITY_WARNING);
    expect_rule(m, size, 0x25, 4, "BPX-SECTION-FLAGS", FACET_SEVERITY_WARNING);
    expect_rule(m, size, 0x24, 7, "BPX-SECTION-TYPE", FACET_SEVERITY_WARNING);
    expect_rule(m, size, 0x24, 7, "BPX-SECTION-MISSING", FACET_SEVERITY_ERROR);
    expect_rule(m, size, 0x18, 2, "BPX-SECTION-IN-HEADER", FACET_SEVERITY_ERROR);
    expect_rule(m, size, 0x40, 90, "BPX-SECTION-BOUNDS", FACET_SEVERITY_ERROR);
    expect_rule(m, size, 0x20, 7, "BPX-SECTION-OVERLAP", FACET_SEVERITY_WARNING);
    expect_rule(m, size, 0x20, 5, "BPX-SECTION-GAP", FACET_SEVERITY_NOTE);
    expect_rule(m, size, 0x54, 0xFF, "BPX-ZLIB", FACET_SEVERITY_ERROR);
    expect_rule(m, size, 0x30, 68, "BPX-ZLIB-SIZE", FACET_SEVERITY_WARNING);
    facet_report *report = check_bytes(m, 20);
    assert_non_null(test_finding(report, "BPX-SIZE-HEADER"));
    facet_report_free(report);
}

TEST(rules_of_the_types)
{
    const uint8_t *m = model_file, *t = texture_file, *s = shader_file;
    expect_rule(m, sizeof model_file, 0x4A, 0, "BPX-M-VF-COUNT", FACET_SEVERITY_ERROR);
    expect_rule(m, sizeof model_file, 0x4A, 3, "BPX-M-VF-SIZE", FACET_SEVERITY_ERROR);
    expect_rule(m, sizeof model_file, 0x4B, 1, "BPX-M-VF-RESERVED", FACET_SEVERITY_WARNING);
    expect_rule(m, sizeof model_file, 0x4C, 0x35, "BPX-M-VF-TYPE", FACET_SEVERITY_ERROR);
    /* Read in the other nibble order: four unsigned, then one signed: 20 bytes. */
    expect_rule(m, sizeof model_file, 0x4C, 0x34, "BPX-M-VF-NIBBLES", FACET_SEVERITY_WARNING);
    expect_rule(m, sizeof model_file, 0x4C, 0x01, "BPX-M-VF-ELEMS", FACET_SEVERITY_ERROR);
    expect_rule(m, sizeof model_file, 0x48, 0x18, "BPX-M-VF-VERTEXSIZE", FACET_SEVERITY_ERROR);
    expect_rule(t, sizeof texture_file, 0x16, 0x07, "BPX-T-FORMAT", FACET_SEVERITY_ERROR);
    expect_rule(t, sizeof texture_file, 0x16, 0x03, "BPX-T-SIZE", FACET_SEVERITY_ERROR);
    expect_rule(t, sizeof texture_file, 0x16, 0x20, "BPX-T-NIBBLES", FACET_SEVERITY_WARNING);
    expect_rule(t, sizeof texture_file, 0x16, 0x82, "BPX-T-FLAGS", FACET_SEVERITY_WARNING);
    expect_rule(t, sizeof texture_file, 0x16, 0x42, "BPX-T-CUBE", FACET_SEVERITY_ERROR);
    expect_rule(t, sizeof texture_file, 0x17, 9, "BPX-T-MIPS", FACET_SEVERITY_WARNING);
    expect_rule(t, sizeof texture_file, 0x13, 3, "BPX-T-ARRAY-FLAG", FACET_SEVERITY_WARNING);
    expect_rule(s, sizeof shader_file, 0x13, 3, "BPX-S-COUNT", FACET_SEVERITY_WARNING);
    expect_rule(s, sizeof shader_file, 0x17, 0x12, "BPX-S-FLAGS", FACET_SEVERITY_WARNING);
    expect_rule(s, sizeof shader_file, 0x17, 0x03, "BPX-S-FLAGS-ASM", FACET_SEVERITY_WARNING);
    expect_rule(s, sizeof shader_file, 0x50, 39, "BPX-S-ASM-VERSION", FACET_SEVERITY_WARNING);
    expect_rule(s, sizeof shader_file, 0x54, 9, "BPX-S-ASM-ID", FACET_SEVERITY_ERROR);
    expect_rule(s, sizeof shader_file, 0x58, 0, "BPX-S-ASM-VERTEX", FACET_SEVERITY_WARNING);
    expect_rule(s, sizeof shader_file, 0x5A, 1, "BPX-S-ASM-RESERVED", FACET_SEVERITY_WARNING);
    expect_rule(s, sizeof shader_file, 0x58, 1, "BPX-S-SHADER-UNUSED", FACET_SEVERITY_NOTE);
}

/* -- Contents ----------------------------------------------------------- */

TEST(model_is_read)
{
    facet_bpx *document;
    facet_bpx_model model;
    facet_error error;
    TEST_OK(facet_bpx_read(TEST_SOURCE(model_file, sizeof model_file), NULL, &document, &error),
            &error);
    TEST_OK(facet_bpx_get_model(document, &model, &error), &error);
    assert_int_equal(model.vertex_size, 20);
    assert_int_equal(model.component_count, 2);
    assert_int_equal(model.components[1].meaning, FACET_BPX_TEXCOORD);
    assert_int_equal(model.array_count, 1);
    assert_int_equal(model.arrays[0].vertex_count, 3);
    assert_string_equal(facet_bpx_string(&model.strings, model.arrays[0].material), "red.mat");
    assert_null(facet_bpx_string(&model.strings, 9));
    facet_bpx_free(document);
}

/* A file is written back with the same sections and the bytes of the example. All contents are
 * too short to be compressed, except one. */
TEST(texture_is_written_as_the_example)
{
    facet_scene *scene;
    facet_error error;
    facet_output *output;
    facet_source source = source_of_bytes(texture_file, sizeof texture_file);
    const facet_format *bpx = facet_format_named("bpx");
    TEST_OK(facet_load(&source, bpx, NULL, NULL, &scene, &error), &error);
    assert_int_equal(scene->image_count, 1);
    assert_int_equal(scene->images[0]->width, 4);
    assert_int_equal(scene->images[0]->height, 2);
    assert_memory_equal(scene->images[0]->pixels, texture_file + 40, 32);
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(facet_save(scene, bpx, NULL, output, &error), &error);
    TEST_OK(facet_output_commit(output, &error), &error);
    assert_int_equal(facet_output_size(output), sizeof texture_file);
    assert_memory_equal(facet_output_data(output), texture_file, sizeof texture_file);
    facet_output_free(output);
    facet_scene_free(scene);
}

TEST(shaders_are_written_as_the_example)
{
    facet_error error;
    facet_output *output;
    facet_bpx_program gl = {.least_version = 30};
    gl.vertex = (facet_bpx_shader){"VERT", 4, "v"};
    gl.pixel = (facet_bpx_shader){"FRAG", 4, "p"};
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    facet_bpx *made;
    TEST_OK(facet_bpx_from_programs(&gl, NULL, NULL, &made, &error), &error);
    TEST_OK(facet_bpx_write(made, NULL, output, &error), &error);
    facet_bpx_free(made);
    TEST_OK(facet_output_commit(output, &error), &error);
    assert_int_equal(facet_output_size(output), sizeof shader_file);
    assert_memory_equal(facet_output_data(output), shader_file, sizeof shader_file);
    facet_output_free(output);
}

/* Many threads check sources at once, from the first call on. This test runs before any other
 * that initializes glslang. */
static void *check_many(void *user)
{
    static const char good[] = "#version 330 core\nvoid main() { gl_Position = vec4(0); }\n";
    static const char bad[] = "#version 330\nvoid main()\n{\n    nothing = 1;\n}\n";
    int *faults = user;
    for (int i = 0; i < 10; i++) {
        facet_error error;
        uint32_t version = 0;
        facet_bpx_shader shader = {good, sizeof good - 1, "good"};
        facet_status status = facet_glsl_check(&shader, FACET_GLSL_VERTEX, &version, &error);
        if (status == FACET_ERROR_UNSUPPORTED)
            return NULL;
        *faults += status != FACET_OK || version != 33;
        shader = (facet_bpx_shader){bad, sizeof bad - 1, "bad"};
        status = facet_glsl_check(&shader, FACET_GLSL_PIXEL, &version, &error);
        *faults += status != FACET_ERROR_MALFORMED || error.line != 4;
    }
    return NULL;
}

TEST(many_threads_check_glsl)
{
    enum { THREADS = 8 };
    pthread_t threads[THREADS];
    int faults[THREADS] = {0};
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, check_many, &faults[i]), 0);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(faults[i], 0);
    }
}

TEST(glsl_is_checked)
{
    facet_error error;
    uint32_t version = 0;
    static const char good[] = "#version 330 core\nvoid main() { gl_Position = vec4(0); }\n";
    static const char bad[] = "#version 330\nvoid main()\n{\n    nothing = 1;\n}\n";
    facet_bpx_shader shader = {good, sizeof good - 1, "v.glsl"};
    facet_status status = facet_glsl_check(&shader, FACET_GLSL_VERTEX, &version, &error);
    if (status == FACET_ERROR_UNSUPPORTED)
        skip();
    TEST_OK(status, &error);
    assert_int_equal(version, 33);
    shader = (facet_bpx_shader){bad, sizeof bad - 1, "v.glsl"};
    assert_int_equal(facet_glsl_check(&shader, FACET_GLSL_VERTEX, &version, &error),
                     FACET_ERROR_MALFORMED);
    assert_int_equal(error.line, 4);
    assert_non_null(strstr(error.message, "nothing"));
}

/* Only comments may precede the version. OpenGL 3.0 to 3.2 have GLSL 1.30 to 1.50; other targets
 * than OpenGL are refused. */
TEST(glsl_versions_are_read)
{
    static const struct {
        const char *source;
        uint32_t version; /* 0: refused */
    } cases[] = {
        {"#version 130\nvoid main() { gl_Position = vec4(0); }\n", 30},
        {"#version 150\nvoid main() { gl_Position = vec4(0); }\n", 32},
        {"#version 450 core\nvoid main() { gl_Position = vec4(0); }\n", 45},
        {"// #version 110\n/* #version\n120 */ # version 410\n"
         "void main() { gl_Position = vec4(0); }\n",
         41},
        {"void main() { gl_Position = vec4(0); }\n#version 330\n", 0},
        {"#version 300 es\nvoid main() { gl_Position = vec4(0); }\n", 0},
        {"#version 999\nvoid main() { gl_Position = vec4(0); }\n", 0},
        {"#version\n", 0},
        {"/* no end", 0},
        {"", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        facet_error error;
        uint32_t version = 0;
        facet_bpx_shader shader = {cases[i].source, strlen(cases[i].source), "v"};
        facet_status status = facet_glsl_check(&shader, FACET_GLSL_VERTEX, &version, &error);
        if (status == FACET_ERROR_UNSUPPORTED)
            skip();
        if (cases[i].version) {
            TEST_OK(status, &error);
            assert_int_equal(version, cases[i].version);
        } else {
            assert_int_equal(status, FACET_ERROR_MALFORMED);
            assert_string_equal(error.rule, "GLSL-SOURCE");
        }
    }
}

/* Shaders of both APIs: those of OpenGL first, ids from 1, DirectX's assembly before OpenGL's. If
 * ids count from 0, the same programs are read. */
TEST(programs_of_both_are_read_either_way)
{
    facet_error error;
    facet_output *output;
    facet_bpx_program gl = {.least_version = 45}, dx = {.least_version = 110};
    gl.vertex = (facet_bpx_shader){"glv", 3, "v"};
    gl.geometry = (facet_bpx_shader){"glg", 3, "g"};
    gl.pixel = (facet_bpx_shader){"glp", 3, "p"};
    dx.vertex = (facet_bpx_shader){"dxv", 3, "v"};
    dx.pixel = (facet_bpx_shader){"dxp", 3, "p"};
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    facet_bpx *made;
    TEST_OK(facet_bpx_from_programs(&gl, &dx, NULL, &made, &error), &error);
    TEST_OK(facet_bpx_write(made, NULL, output, &error), &error);
    facet_bpx_free(made);
    TEST_OK(facet_output_commit(output, &error), &error);
    bytes file = {0};
    put_bytes(&file, facet_output_data(output), (size_t)facet_output_size(output));
    expect_clean(file.data, file.size);
    /* Five shaders, two assemblies; flags DirectX and OpenGL. */
    static const uint8_t extension[5] = {5, 0, 0, 0, 3};
    assert_memory_equal(file.data + 0x13, extension, 5);
    static const uint8_t gl_assembly[12] = {45, 0, 0, 0, 1, 0, 2, 0, 3, 0, 0, 0};
    static const uint8_t dx_assembly[12] = {110, 0, 0, 0, 4, 0, 0, 0, 5, 0, 0, 0};
    size_t at = file.size - 24;
    assert_memory_equal(file.data + at, dx_assembly, 12);
    assert_memory_equal(file.data + at + 12, gl_assembly, 12);
    for (int base = 1; base >= 0; base--) {
        facet_bpx *document;
        facet_bpx_shaders s;
        TEST_OK(facet_bpx_read(TEST_SOURCE(file.data, file.size), NULL, &document, &error), &error);
        TEST_OK(facet_bpx_get_shaders(document, &s, &error), &error);
        assert_int_equal(s.zero_based, base == 0);
        assert_int_equal(s.dx.vertex, 3);
        assert_int_equal(s.dx.pixel, 4);
        assert_true(s.dx.geometry == FACET_NONE);
        assert_int_equal(s.gl.geometry, 1);
        assert_memory_equal(document->sections[s.gl.geometry].data, "glg", 3);
        facet_bpx_free(document);
        /* The same, counted from 0; "none" is 0xFFFF. */
        for (size_t i = 4; i < 10; i += 2) {
            uint64_t dx_id = get_number(file.data + at + i, 2);
            set_number(&file, at + i, dx_id ? dx_id - 1 : 0xFFFF, 2);
            set_number(&file, at + 12 + i, get_number(file.data + at + 12 + i, 2) - 1, 2);
        }
        seal(&file);
    }
    drop(&file);
    facet_output_free(output);
}

/* -- Documents ---------------------------------------------------------- */

static void expect_refusal(const facet_bpx *document, facet_status status, const char *rule)
{
    facet_output *output;
    facet_error error = {0};
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    assert_int_equal(facet_bpx_write(document, NULL, output, &error), status);
    assert_string_equal(error.rule, rule);
    assert_int_equal(facet_output_size(output), 0);
    facet_output_free(output);
}

/* A document, filled in by a program, that lacks the arrays that it counts. */
TEST(documents_that_are_not_whole)
{
    static const uint8_t data[] = {1, 2, 3, 4};
    facet_bpx_contents sections[2] = {{.data = data, .size = 4}, {.type = 1}};
    facet_bpx document = {.type = 'T', .section_count = 2, .sections = sections};
    facet_scene *scene = NULL;
    facet_bpx_model model;
    facet_error error = {0};
    facet_output *output;
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(facet_bpx_write(&document, NULL, output, &error), &error);
    facet_output_free(output);
    for (int missing = 0; missing < 2; missing++) {
        sections[0].data = NULL;
        if (missing)
            document.sections = NULL;
        expect_refusal(&document, FACET_ERROR_ARGUMENT, "BPX-DOCUMENT");
        assert_int_equal(facet_bpx_to_scene(&document, NULL, NULL, &scene, &error),
                         FACET_ERROR_ARGUMENT);
        assert_string_equal(error.rule, "BPX-DOCUMENT");
    }
    document.section_count = 65536;
    expect_refusal(&document, FACET_ERROR_LIMIT, "BPX-TABLE-BOUNDS");
    document.section_count = 0;
    document.revision = FACET_BPX_1;
    expect_refusal(&document, FACET_ERROR_UNSUPPORTED, "BPX-VERSION-LATER");
    document.revision = FACET_BPX_0A;
    document.type = 'M';
    assert_int_equal(facet_bpx_get_model(&document, &model, &error), FACET_ERROR_ARGUMENT);
    assert_string_equal(error.rule, "BPX-DOCUMENT");
}

/* The bytes of a document, or of a scene through the format table. */
static facet_output *write_either(const facet_bpx *document, const facet_scene *scene)
{
    facet_output *output;
    facet_error error;
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    if (document)
        TEST_OK(facet_bpx_write(document, NULL, output, &error), &error);
    else
        TEST_OK(facet_save(scene, facet_format_named("bpx"), NULL, output, &error), &error);
    TEST_OK(facet_output_commit(output, &error), &error);
    return output;
}

static void expect_same(facet_output *one, facet_output *other)
{
    assert_int_equal(facet_output_size(one), facet_output_size(other));
    assert_memory_equal(facet_output_data(one), facet_output_data(other),
                        (size_t)facet_output_size(one));
    facet_output_free(one);
    facet_output_free(other);
}

/* A document becomes the scene of its file, even if a program filled it in without an arena. A
 * scene becomes the document of its file. */
TEST(documents_and_scenes)
{
    facet_bpx *document, *back;
    facet_scene *scene, *loaded;
    facet_error error;
    TEST_OK(
        facet_load(TEST_SOURCE(model_file, sizeof model_file), NULL, NULL, NULL, &loaded, &error),
        &error);
    TEST_OK(facet_bpx_read(TEST_SOURCE(model_file, sizeof model_file), NULL, &document, &error),
            &error);
    facet_bpx by_hand = *document;
    by_hand.arena = NULL;
    TEST_OK(facet_bpx_to_scene(&by_hand, NULL, NULL, &scene, &error), &error);
    TEST_OK(facet_scene_check(scene, NULL, &error), &error);
    expect_same(write_either(NULL, scene), write_either(NULL, loaded));
    facet_bpx_free(document); /* the scene does not depend on the document */
    TEST_OK(facet_bpx_from_scene(scene, NULL, &back, &error), &error);
    facet_scene_free(scene); /* nor the document on the scene */
    expect_same(write_either(back, NULL), write_either(NULL, loaded));
    facet_bpx_free(back);
    facet_scene_free(loaded);
}

/* FACET_OK if the sums are right, for BSM, BPX and BGA. */
TEST(verify_knows_every_sum)
{
    uint8_t bad[sizeof model_file];
    facet_bpx_layout layout;
    facet_error error = {0};
    TEST_OK(facet_bpx_view(model_file, sizeof model_file, &layout, &error), &error);
    TEST_OK(facet_bpx_verify(&layout, &error), &error);
    memcpy(bad, model_file, sizeof bad);
    bad[sizeof bad - 1] ^= 1;
    TEST_OK(facet_bpx_view(bad, sizeof bad, &layout, &error), &error);
    assert_int_equal(facet_bpx_verify(&layout, &error), FACET_ERROR_MALFORMED);
    assert_string_equal(error.rule, "BPX-CRC");
    memset(bad + 4, 0, 4);
    TEST_OK(facet_bpx_view(bad, sizeof bad, &layout, &error), &error);
    assert_int_equal(facet_bpx_verify(&layout, &error), FACET_ERROR_MALFORMED);
    assert_string_equal(error.rule, "BPX-CRC-ABSENT");
    bytes file = package(1, "n", 60);
    TEST_OK(facet_bpx_view(file.data, file.size, &layout, &error), &error);
    TEST_OK(facet_bpx_verify(&layout, &error), &error);
    file.data[4] ^= 1;
    assert_int_equal(facet_bpx_view(file.data, file.size, &layout, &error), FACET_OK);
    assert_int_equal(facet_bpx_verify(&layout, &error), FACET_ERROR_MALFORMED);
    assert_string_equal(error.rule, "BPX2-SUM");
    drop(&file);
}

/* -- Threads ------------------------------------------------------------ */

/* Many sections, read and written with 1, 2 and 5 threads: the same bytes. */
TEST(threads_change_nothing)
{
    enum { SECTIONS = 40 };
    static uint8_t contents[SECTIONS][6000];
    facet_bpx_contents sections[SECTIONS];
    const facet_bpx made = {.type = 'C', .section_count = SECTIONS, .sections = sections};
    facet_output *outputs[3];
    facet_error error;
    uint32_t noise = 1;
    for (size_t i = 0; i < SECTIONS; i++) {
        for (size_t k = 0; k < sizeof contents[i]; k++) {
            noise = noise * 1664525 + 1013904223;
            contents[i][k] = (uint8_t)(noise >> 30);
        }
        sections[i] = (facet_bpx_contents){.type = (uint8_t)i,
                                           .plain = i % 5 == 0,
                                           .data = contents[i],
                                           .size = sizeof contents[i] - i};
    }
    static const unsigned counts[] = {1, 2, 5};
    for (size_t t = 0; t < 3; t++) {
        facet_options options = {0};
        facet_bpx *document;
        TEST_OK(facet_threads_create(counts[t], &options.threads, &error), &error);
        TEST_OK(facet_output_open_memory(NULL, &outputs[t], &error), &error);
        TEST_OK(facet_bpx_write(&made, &options, outputs[t], &error), &error);
        TEST_OK(facet_output_commit(outputs[t], &error), &error);
        size_t size = (size_t)facet_output_size(outputs[t]);
        assert_int_equal(size, facet_output_size(outputs[0]));
        assert_memory_equal(facet_output_data(outputs[t]), facet_output_data(outputs[0]), size);
        TEST_OK(facet_bpx_read(TEST_SOURCE(facet_output_data(outputs[t]), size), &options,
                               &document, &error),
                &error);
        for (size_t i = 0; i < SECTIONS; i++) {
            assert_int_equal(document->sections[i].size, sections[i].size);
            assert_memory_equal(document->sections[i].data, contents[i], sections[i].size);
        }
        facet_bpx_free(document);
        facet_threads_free(options.threads);
    }
    for (size_t t = 0; t < 3; t++)
        facet_output_free(outputs[t]);
}

/* -- Untrusted input --------------------------------------------------- */

static void attempt_mutation(const uint8_t *data, size_t size, void *user)
{
    (void)user;
    facet_source source = source_of_bytes(data, size);
    const facet_format *bpx = facet_format_named("bpx");
    facet_scene *scene;
    facet_description *description;
    if (facet_load(&source, bpx, NULL, NULL, &scene, NULL) == FACET_OK) {
        assert_int_equal(facet_scene_check(scene, NULL, NULL), FACET_OK);
        facet_scene_free(scene);
    }
    if (facet_describe(&source, bpx, NULL, &description, NULL) == FACET_OK)
        facet_description_free(description);
    facet_report_free(check_bytes(data, size));
    size_t taken = 0;
    facet_extractor extractor = {add_size, &taken};
    facet_extract(&source, bpx, NULL, &extractor, NULL);
}

TEST(mutations_are_survived)
{
    test_every_mutation(texture_file, sizeof texture_file, attempt_mutation, NULL);
    test_every_mutation(model_file, sizeof model_file, attempt_mutation, NULL);
    test_every_mutation(shader_file, sizeof shader_file, attempt_mutation, NULL);
    for (uint32_t version = 1; version <= 2; version++) {
        bytes file = package(version, "n", 40);
        test_every_mutation(file.data, file.size, attempt_mutation, NULL);
        drop(&file);
    }
}

typedef struct attempt {
    const uint8_t *data;
    size_t size;
    facet_error error;
} attempt;

/* Check, describe, load, save again, extract, copy. */
static facet_status attempt_allocations(const facet_allocator *allocator, void *user)
{
    attempt *a = user;
    facet_options options = {.allocator = allocator};
    facet_source source = source_of_bytes(a->data, a->size);
    facet_scene *scene = NULL;
    facet_output *output = NULL;
    facet_description *description;
    facet_report *report = NULL;
    size_t taken = 0;
    facet_extractor extractor = {add_size, &taken};
    const facet_format *bpx = facet_format_named("bpx");
    facet_status status = facet_report_create(allocator, &report, &a->error);
    if (!status)
        status = facet_check(&source, bpx, &options, report, &a->error);
    facet_report_free(report);
    if (!status)
        status = facet_describe(&source, bpx, &options, &description, &a->error);
    if (status)
        return status;
    facet_description_free(description);
    status = facet_extract(&source, bpx, &options, &extractor, &a->error);
    if (!status)
        status = facet_output_open_memory(allocator, &output, &a->error);
    if (!status)
        status = facet_copy(&source, bpx, &options, output, &a->error);
    if (status == FACET_ERROR_UNSUPPORTED && a->data[3] == 'P')
        status = FACET_OK; /* of a later version: cannot be written */
    facet_output_free(output);
    output = NULL;
    if (status || a->data[3] == 'P' || a->data[3] == 'S')
        return status;
    status = facet_load(&source, bpx, NULL, &options, &scene, &a->error);
    if (!status)
        status = facet_output_open_memory(allocator, &output, &a->error);
    if (!status)
        status = facet_save(scene, bpx, &options, output, &a->error);
    if (!status)
        status = facet_output_commit(output, &a->error);
    facet_output_free(output);
    facet_scene_free(scene);
    return status;
}

TEST(failed_allocations_leave_nothing)
{
    attempt texture = {.data = texture_file, .size = sizeof texture_file};
    attempt model = {.data = model_file, .size = sizeof model_file};
    attempt shader = {.data = shader_file, .size = sizeof shader_file};
    test_every_allocation(attempt_allocations, &texture);
    test_every_allocation(attempt_allocations, &model);
    test_every_allocation(attempt_allocations, &shader);
    bytes file = package(2, "a/b.txt", 40);
    attempt packed = {.data = file.data, .size = file.size};
    test_every_allocation(attempt_allocations, &packed);
    drop(&file);
}

/* -- Real files --------------------------------------------------------- */

typedef struct taken {
    unsigned count;
    size_t bytes;
} taken;

static facet_status count_file(void *user, const char *name, const void *data, size_t size,
                               facet_error *error)
{
    taken *t = user;
    (void)data, (void)error;
    assert_true(*name != '\0');
    t->count++;
    t->bytes += size;
    return FACET_OK;
}

TEST(packages_are_extracted)
{
    static const char *const names[] = {"bpx/bpx-rs_test.bpx", "bpx/bpx-tools_test_1632.bpx"};
    TEST_NEEDS_CORPUS();
    for (size_t i = 0; i < 2; i++) {
        facet_file *file;
        facet_error error;
        facet_report *report;
        taken t = {0, 0};
        facet_extractor extractor = {count_file, &t};
        TEST_OK(facet_file_open(test_corpus(names[i]), NULL, &file, &error), &error);
        facet_source source = facet_file_source(file);
        TEST_OK(facet_extract(&source, NULL, NULL, &extractor, &error), &error);
        assert_true(t.count > 0);
        assert_true(t.bytes > 0);
        report = check_bytes(source.data, source.size);
        assert_int_equal(facet_report_severity_count(report, FACET_SEVERITY_ERROR), 0);
        assert_non_null(test_finding(report, "BPX-VERSION-LATER"));
        facet_report_free(report);
        facet_file_close(file);
    }
}
