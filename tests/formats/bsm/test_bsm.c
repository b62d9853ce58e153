/* BSM: view, document, writer. */
#include <facet/bsm.h>
#include <math.h>
#include <stdlib.h>

#include "formats/bsm/scene.h"
#include "support/bsm.h"
#include "support/support.h"

/* -- View --------------------------------------------------------------- */

TEST(view_points_into_the_bytes)
{
    uint8_t file[BSM_FULL_SIZE];
    facet_bsm_layout layout;
    facet_error error;
    bsm_build_full(file);
    TEST_OK(facet_bsm_view(file, sizeof file, &layout, &error), &error);
    assert_int_equal(layout.version, 1);
    assert_int_equal(layout.count[FACET_BSM_TANGENTS], 3);
    assert_ptr_equal(layout.raw[FACET_BSM_TANGENTS], file + 0xE4);
    assert_ptr_equal(layout.raw[FACET_BSM_OCCLUDER_TRIANGLES], file + 0x284);
    assert_true(layout.center[0] == 0.5F && layout.radius == 0.70710677F);
    assert_true(layout.maximum[1] == 1 && layout.maximum[2] == 0);

    /* The reader withholds names until they are verified. */
    facet_bsm_mesh mesh;
    facet_bsm_hull hull;
    uint32_t indices[3];
    assert_null(facet_bsm_indices(&layout, FACET_BSM_TRIANGLES));
    assert_int_equal(facet_bsm_copy(&layout, FACET_BSM_TRIANGLES, 0, 1, indices, NULL),
                     FACET_ERROR_ARGUMENT);
    assert_int_equal(facet_bsm_copy(&layout, FACET_BSM_MESHES, 0, 1, &mesh, NULL),
                     FACET_ERROR_ARGUMENT);
    assert_int_equal(facet_bsm_copy(&layout, FACET_BSM_HULLS, 0, 1, &hull, NULL),
                     FACET_ERROR_ARGUMENT);
    TEST_OK(facet_bsm_verify(&layout, &error), &error);
    TEST_OK(facet_bsm_copy(&layout, FACET_BSM_TRIANGLES, 0, 1, indices, &error), &error);
    assert_int_equal(indices[2], 2);
    TEST_OK(facet_bsm_copy(&layout, FACET_BSM_MESHES, 0, 1, &mesh, &error), &error);
    assert_string_equal(mesh.material, "red.tga");
    assert_int_equal(mesh.triangle_count, 1);
    TEST_OK(facet_bsm_copy(&layout, FACET_BSM_HULLS, 0, 1, &hull, &error), &error);
    assert_int_equal(hull.point_count, 4);
    assert_int_equal(facet_bsm_copy(&layout, FACET_BSM_HULLS, 1, 1, &hull, NULL),
                     FACET_ERROR_ARGUMENT);
    assert_int_equal(facet_bsm_copy(&layout, FACET_BSM_TRIANGLES, 1, 1, indices, NULL),
                     FACET_ERROR_ARGUMENT);
    assert_int_equal(facet_bsm_copy(&layout, FACET_BSM_MESHES, 0, 2, &mesh, NULL),
                     FACET_ERROR_ARGUMENT);
    assert_null(facet_bsm_floats(&layout, FACET_BSM_TRIANGLES));
    assert_null(facet_bsm_indices(&layout, FACET_BSM_POSITIONS));
}

TEST(view_at_any_alignment)
{
    uint32_t aligned[BSM_FULL_SIZE / 4 + 1];
    for (size_t shift = 0; shift < 4; shift++) {
        uint8_t *file = (uint8_t *)aligned + shift;
        facet_bsm_layout layout;
        facet_error error;
        float positions[9];
        bsm_build_full(file);
        TEST_OK(facet_bsm_view(file, BSM_FULL_SIZE, &layout, &error), &error);
        TEST_OK(facet_bsm_verify(&layout, &error), &error);
        TEST_OK(facet_bsm_copy(&layout, FACET_BSM_POSITIONS, 0, 3, positions, &error), &error);
        assert_true(positions[3] == 1 && positions[7] == 1 && positions[8] == 0);
        const float *in_place = facet_bsm_floats(&layout, FACET_BSM_POSITIONS);
        const uint32_t *indices = facet_bsm_indices(&layout, FACET_BSM_TRIANGLES);
        if (shift == 0 && in_place) { /* not on big-endian hosts */
            assert_true(in_place[3] == 1);
            assert_int_equal(indices[1], 1);
        }
        if (shift != 0) {
            assert_null(in_place);
            assert_null(indices);
        }
    }
}

static void expect_refusal(const uint8_t *file, size_t size, const char *rule, uint64_t offset)
{
    facet_bsm_layout layout;
    facet_error error = {0};
    memset(&layout, 0x55, sizeof layout);
    facet_status status = facet_bsm_view(file, size, &layout, &error);
    if (!status)
        status = facet_bsm_verify(&layout, &error);
    assert_int_equal(status, FACET_ERROR_MALFORMED);
    assert_string_equal(error.rule, rule);
    assert_int_equal(error.offset, offset);
    assert_true(strlen(error.message) > 10);
}

TEST(view_refuses_malformed_headers)
{
    static const struct {
        uint32_t at, word;
        const char *rule;
        uint32_t offset;
    } faults[] = {
        {0x00, 0x414E4943, "BSM-MAGIC", 0},
        {0x10, 0, "BSM-VERSION-INVALID", 0x10},
        {0x10, 0xFFFFFFFB, "BSM-VERSION-INVALID", 0x10},
        {0x40, 0xFFFFFFFF, "BSM-COUNT-NEGATIVE", 0x40},
        {0x50, 0x80000000, "BSM-OFFSET-NEGATIVE", 0x50},
        {0x40, 0x7FFFFFFF, "BSM-ARRAY-BOUNDS", 0x44},
        {0x80, BSM_FULL_SIZE - 11, "BSM-ARRAY-BOUNDS", 0x80},
        {0x58, 0x80, "BSM-ARRAY-IN-HEADER", 0x58},
        {0x11C, 3, "BSM-TRI-INDEX-RANGE", 0x11C},
        {0x114, 0xFFFFFFFF, "BSM-TRI-INDEX-RANGE", 0x114},
        {0x120, 1, "BSM-MESH-RANGE", 0x120},
        {0x120, 0xFFFFFFFF, "BSM-MESH-RANGE", 0x120},
        {0x124, 2, "BSM-MESH-RANGE", 0x120},
        {0x25C, 0x80000000, "BSM-HULL-RANGE", 0x258},
        {0x288, 3, "BSM-OCC-INDEX-RANGE", 0x288},
    };
    uint8_t file[BSM_FULL_SIZE];
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        bsm_build_full(file);
        bsm_put(file + faults[i].at, faults[i].word);
        expect_refusal(file, sizeof file, faults[i].rule, faults[i].offset);
    }
    bsm_build_full(file);
    expect_refusal(file, 131, "BSM-SIZE-HEADER", 131);
    expect_refusal(file, 0, "BSM-SIZE-HEADER", 0);
}

TEST(view_tolerates_extensions_and_shared_bytes)
{
    uint8_t file[BSM_FULL_SIZE + 8] = {0};
    facet_bsm_layout layout;
    facet_error error;
    bsm_build_full(file);
    bsm_put(file + 0x10, 3);          /* a later version */
    bsm_put(file + 0x14, 0xFFFFFFFF); /* an extension */
    bsm_put(file + 0x78, 0x84);       /* shared bytes */
    bsm_put(file + 0x6C, 0);          /* an empty array that points somewhere */
    TEST_OK(facet_bsm_view(file, sizeof file, &layout, &error), &error);
    TEST_OK(facet_bsm_verify(&layout, &error), &error);
    assert_int_equal(layout.version, 3);
    assert_int_equal(layout.extension, -1);
    assert_null(layout.raw[FACET_BSM_HULLS]);

    /* The smallest file: a header of zeros. */
    memset(file, 0, sizeof file);
    memcpy(file, "BINARYSTATICMESH\1", 17);
    TEST_OK(facet_bsm_view(file, 132, &layout, &error), &error);
    TEST_OK(facet_bsm_verify(&layout, &error), &error);
    assert_null(facet_bsm_floats(&layout, FACET_BSM_POSITIONS));
}

/* An out-of-range index in a large array, at the edges of the blocks that are checked together. */
TEST(verify_finds_any_index)
{
    const uint32_t triangles = 1400; /* 4,200 indices */
    size_t size = BSM_TRIANGLE_SIZE + triangles * 12;
    uint8_t *file = calloc(1, size);
    assert_non_null(file);
    bsm_build_triangle(file);
    bsm_put(file + 0x54, triangles);
    bsm_put(file + 0x58, BSM_TRIANGLE_SIZE);
    for (uint32_t i = 0; i < triangles * 3; i += i < 1020 || i > 1030 ? 257 : 1) {
        bsm_put(file + BSM_TRIANGLE_SIZE + 4 * i, 3);
        expect_refusal(file, size, "BSM-TRI-INDEX-RANGE", BSM_TRIANGLE_SIZE + 4 * i);
        bsm_put(file + BSM_TRIANGLE_SIZE + 4 * i, 2);
    }
    free(file);
}

TEST(view_reads_the_published_sample)
{
    TEST_NEEDS_CORPUS();
    facet_file *file = NULL;
    facet_bsm_layout layout;
    facet_error error;
    static const uint32_t offsets[] = {0x84, 0x31B0, 0x5278, 0x83A4, 0xC534, 0xF294};
    TEST_OK(facet_file_open(test_corpus("bsm/test.bsm"), NULL, &file, &error), &error);
    TEST_OK(
        facet_bsm_view(facet_file_source(file).data, facet_file_source(file).size, &layout, &error),
        &error);
    TEST_OK(facet_bsm_verify(&layout, &error), &error);
    assert_int_equal(facet_file_source(file).size, 62364);
    for (int array = 0; array < 6; array++)
        assert_int_equal(layout.offset[array], offsets[array]);
    assert_int_equal(layout.count[FACET_BSM_POSITIONS], 1049);
    assert_int_equal(layout.count[FACET_BSM_TRIANGLES], 968);
    assert_int_equal(layout.count[FACET_BSM_MESHES], 1);
    assert_true(fabsf(layout.center[1] - 0.08398338F) < 1e-8F);
    assert_true(fabsf(layout.radius - 1.39740443F) < 1e-7F);
    assert_true(layout.minimum[0] == -1.3671875F && layout.maximum[2] == 0.8515625F);
    facet_file_close(file);
}

/* -- Document ----------------------------------------------------------- */

static const float positions[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
static const float texcoords[] = {0, 0, 1, 0, 0, 1};
static const float normals[] = {0, 0, 1, 0, 0, 1, 0, 0, 1};
static const float tangents[] = {1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1};
static const uint32_t triangle[] = {0, 1, 2};
static const facet_bsm_mesh red = {0, 1, "red.tga"};

static facet_bsm triangle_document(void)
{
    facet_bsm document = {0};
    document.center[0] = document.center[1] = 0.5F;
    document.radius = 0.70710677F;
    document.maximum[0] = document.maximum[1] = 1;
    document.vertex_count = 3;
    document.positions = positions;
    document.texcoords = texcoords;
    document.normals = normals;
    document.tangents = tangents;
    document.triangle_count = 1;
    document.triangles = triangle;
    document.mesh_count = 1;
    document.meshes = &red;
    return document;
}

/* Write the document to memory and compare the bytes. */
static void expect_bytes(const facet_bsm *document, const uint8_t *bytes, size_t size)
{
    facet_output *output = NULL;
    facet_error error;
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(facet_bsm_write(document, NULL, output, &error), &error);
    TEST_OK(facet_output_commit(output, &error), &error);
    assert_int_equal(facet_output_size(output), size);
    assert_memory_equal(facet_output_data(output), bytes, size);
    facet_output_free(output);
}

TEST(write_the_worked_example)
{
    uint8_t file[BSM_TRIANGLE_SIZE];
    facet_bsm document = triangle_document();
    bsm_build_triangle(file);
    expect_bytes(&document, file, sizeof file);

    /* Missing texture coordinates are written as zeros. */
    document.texcoords = NULL;
    memset(file + 0xA8, 0, 24);
    expect_bytes(&document, file, sizeof file);

    /* -0.0 is kept. */
    const float minus[] = {0, -0.0F, 0, 1, 0, 0, 0, 1, 0};
    document.positions = minus;
    bsm_put(file + 0x88, 0x80000000);
    expect_bytes(&document, file, sizeof file);

    /* The smallest file. */
    facet_bsm empty = {0};
    memset(file, 0, sizeof file);
    memcpy(file, "BINARYSTATICMESH\1", 17);
    expect_bytes(&empty, file, 132);
}

static facet_report *make_report(void)
{
    facet_report *report = NULL;
    assert_int_equal(facet_report_create(NULL, &report, NULL), FACET_OK);
    return report;
}

TEST(read_then_write_gives_the_same_bytes)
{
    uint8_t file[BSM_FULL_SIZE];
    facet_options options = {0};
    facet_bsm *document = NULL;
    facet_error error;
    bsm_build_full(file);
    options.report = make_report();
    TEST_OK(facet_bsm_read(TEST_SOURCE(file, sizeof file), &options, &document, &error), &error);
    assert_int_equal(document->hull_count, 1);
    assert_int_equal(document->hulls[0].point_count, 4);
    assert_int_equal(document->occluder_triangle_count, 1);
    assert_int_equal(facet_report_count(options.report), 0);
    expect_bytes(document, file, sizeof file);
    facet_bsm_free(document);
    facet_report_free(options.report);
}

TEST(the_sample_file_survives)
{
    TEST_NEEDS_CORPUS();
    facet_file *file = NULL;
    facet_bsm *document = NULL;
    facet_error error;
    TEST_OK(facet_file_open(test_corpus("bsm/test.bsm"), NULL, &file, &error), &error);
    TEST_OK(facet_bsm_read(TEST_SOURCE(facet_file_source(file).data, facet_file_source(file).size),
                           NULL, &document, &error),
            &error);
    /* The file is already in the order that the writer uses. */
    expect_bytes(document, facet_file_source(file).data, facet_file_source(file).size);
    facet_bsm_free(document);
    facet_file_close(file);
}

TEST(an_extension_keeps_its_header)
{
    /* A secondary header of 8 bytes, and 4 bytes after the arrays. */
    uint8_t plain[BSM_TRIANGLE_SIZE], file[BSM_TRIANGLE_SIZE + 12] = {0};
    static const uint32_t offsets_at[] = {0x44, 0x48, 0x4C, 0x50, 0x58, 0x60};
    bsm_build_triangle(plain);
    memcpy(file, plain, 132);
    memcpy(file + 132, "SECOND!!", 8);
    memcpy(file + 140, plain + 132, sizeof plain - 132);
    memcpy(file + sizeof plain + 8, "tail", 4);
    bsm_put(file + 0x14, 77);
    for (size_t i = 0; i < 6; i++)
        bsm_put(file + offsets_at[i], plain[offsets_at[i]] + 256U * plain[offsets_at[i] + 1] + 8);
    facet_options options = {0};
    facet_bsm *document = NULL;
    facet_error error;
    options.report = make_report();
    TEST_OK(facet_bsm_read(TEST_SOURCE(file, sizeof file), &options, &document, &error), &error);
    assert_int_equal(document->secondary_size, 8);
    assert_int_equal(facet_report_count(options.report), 1);
    assert_string_equal(facet_report_get(options.report, 0)->rule, "LOSS-UNREAD");
    expect_bytes(document, file, sizeof file - 4);
    facet_bsm_free(document);
    facet_report_free(options.report);
}

TEST(read_refuses_infinite_floats_anywhere)
{
    static const uint32_t at[] = {0x18, 0x24, 0x3C, 0x84, 0xA8, 0xC0, 0xE4, 0x228, 0x260};
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        uint8_t file[BSM_FULL_SIZE];
        facet_bsm *document = NULL;
        facet_error error;
        bsm_build_full(file);
        bsm_put(file + at[i], 0x7F800000);
        assert_int_equal(facet_bsm_read(TEST_SOURCE(file, sizeof file), NULL, &document, &error),
                         FACET_ERROR_MALFORMED);
        assert_string_equal(error.rule, "BSM-FLOAT-NONFINITE");
        assert_int_equal(error.offset, at[i]);
        assert_null(document);
    }
}

static void expect_write_refusal(const facet_bsm *document, facet_status status, const char *rule)
{
    facet_output *output = NULL;
    facet_error error;
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    assert_int_equal(facet_bsm_write(document, NULL, output, &error), status);
    assert_string_equal(error.rule, rule);
    assert_int_equal(facet_output_size(output), 0);
    facet_output_free(output);
}

TEST(write_refuses_documents_that_break_a_rule)
{
    static const uint32_t beyond[] = {0, 1, 3};
    static const facet_bsm_mesh wide = {0, 2, "wide"};
    static const facet_bsm_hull hull = {0, 1};
    const float nan[] = {0, 0, 0, 0, 0, NAN, 0, 0, 0};
    facet_bsm document = triangle_document();
    document.normals = nan;
    expect_write_refusal(&document, FACET_ERROR_ARGUMENT, "BSM-FLOAT-NONFINITE");
    document = triangle_document();
    document.radius = INFINITY;
    expect_write_refusal(&document, FACET_ERROR_ARGUMENT, "BSM-FLOAT-NONFINITE");
    document.radius = -1;
    expect_write_refusal(&document, FACET_ERROR_ARGUMENT, "BSM-SPHERE-RADIUS");
    document = triangle_document();
    document.minimum[2] = 1;
    expect_write_refusal(&document, FACET_ERROR_ARGUMENT, "BSM-BOX-ORDER");
    document = triangle_document();
    document.triangles = beyond;
    expect_write_refusal(&document, FACET_ERROR_ARGUMENT, "BSM-TRI-INDEX-RANGE");
    document = triangle_document();
    document.meshes = &wide;
    expect_write_refusal(&document, FACET_ERROR_ARGUMENT, "BSM-MESH-RANGE");
    document = triangle_document();
    document.hulls = &hull;
    document.hull_count = 1;
    expect_write_refusal(&document, FACET_ERROR_ARGUMENT, "BSM-HULL-RANGE");
    document = triangle_document();
    document.version = -1;
    expect_write_refusal(&document, FACET_ERROR_ARGUMENT, "BSM-VERSION-INVALID");
    /* 48 million vertices: the tangents begin at 1.5 GB, and the arrays after them beyond 2 GiB.
     * The writer checks this before it reads any array. */
    document = triangle_document();
    document.vertex_count = 48000000;
    expect_write_refusal(&document, FACET_ERROR_LIMIT, "");
}

/* Each array in turn is missing: neither a writer nor a scene reads NULL. */
TEST(missing_arrays_are_refused)
{
    static const facet_bsm_hull hull = {0, 3};
    facet_bsm whole = triangle_document();
    whole.hull_point_count = whole.occluder_vertex_count = 3;
    whole.hull_points = whole.occluder_positions = positions;
    whole.hull_count = whole.occluder_triangle_count = 1;
    whole.hulls = &hull;
    whole.occluder_triangles = triangle;
    whole.secondary_size = 3;
    whole.secondary = (const uint8_t *)"abc";
    for (int missing = 0; missing <= 10; missing++) {
        facet_bsm document = whole;
        facet_scene *scene = NULL;
        facet_error error = {0};
        if (missing == 0)
            document.positions = NULL;
        else if (missing == 1)
            document.normals = NULL;
        else if (missing == 2)
            document.tangents = NULL;
        else if (missing == 3)
            document.triangles = NULL;
        else if (missing == 4)
            document.meshes = NULL;
        else if (missing == 5)
            document.hull_points = NULL;
        else if (missing == 6)
            document.hulls = NULL;
        else if (missing == 7)
            document.occluder_positions = NULL;
        else if (missing == 8)
            document.occluder_triangles = NULL;
        else if (missing == 9)
            document.secondary = NULL;
        if (missing < 10)
            expect_write_refusal(&document, FACET_ERROR_ARGUMENT, "BSM-DOCUMENT");
        if (missing < 9) {
            assert_int_equal(facet_bsm_to_scene(&document, NULL, NULL, &scene, &error),
                             FACET_ERROR_ARGUMENT);
            assert_string_equal(error.rule, "BSM-DOCUMENT");
        } else { /* a scene does not have this array; in the last round nothing is missing */
            TEST_OK(facet_bsm_to_scene(&document, NULL, NULL, &scene, &error), &error);
            facet_scene_free(scene);
        }
    }
    static const uint32_t beyond[] = {0, 1, 3};
    facet_scene *scene = NULL;
    facet_error error = {0};
    whole.occluder_triangles = beyond;
    expect_write_refusal(&whole, FACET_ERROR_ARGUMENT, "BSM-OCC-INDEX-RANGE");
    assert_int_equal(facet_bsm_to_scene(&whole, NULL, NULL, &scene, &error), FACET_ERROR_ARGUMENT);
    assert_string_equal(error.rule, "BSM-OCC-INDEX-RANGE");
}

TEST(names_are_cut_between_code_points)
{
    facet_bsm_mesh mesh = {0, 1, ""};
    char name[300];
    memset(name, 'a', sizeof name);
    name[255] = '\0';
    assert_true(facet_bsm_set_material(&mesh, name));
    assert_int_equal(strlen(mesh.material), 255);
    /* A euro sign of three bytes that ends at byte 256. */
    strcpy(name + 253, "\xE2\x82\xAC");
    assert_false(facet_bsm_set_material(&mesh, name));
    assert_int_equal(strlen(mesh.material), 253);
    /* A euro sign that ends at byte 255 is kept. */
    strcpy(name + 252, "\xE2\x82\xAC"
                       "b");
    assert_false(facet_bsm_set_material(&mesh, name));
    assert_int_equal(strlen(mesh.material), 255);

    /* A name that fills all 256 bytes of its field is read, and truncated when written. */
    uint8_t file[BSM_TRIANGLE_SIZE];
    facet_options options = {0};
    facet_bsm *document = NULL;
    facet_output *output = NULL;
    facet_error error;
    bsm_build_triangle(file);
    memset(file + 0x128, 'x', 256);
    options.report = make_report();
    TEST_OK(facet_bsm_read(TEST_SOURCE(file, sizeof file), &options, &document, &error), &error);
    assert_int_equal(strlen(document->meshes[0].material), 256);
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(facet_bsm_write(document, &options, output, &error), &error);
    assert_non_null(test_finding(options.report, "LOSS-NAMES"));
    assert_int_equal(facet_output_data(output)[0x226], 'x');
    assert_int_equal(facet_output_data(output)[0x227], 0);
    facet_output_free(output);
    facet_bsm_free(document);
    facet_report_free(options.report);
}

/* -- Errors ------------------------------------------------------------- */

static void attempt_everything(const uint8_t *data, size_t size, void *user)
{
    (void)user;
    facet_bsm *document = NULL;
    facet_output *output = NULL;
    if (facet_bsm_read(TEST_SOURCE(data, size), NULL, &document, NULL))
        return;
    assert_int_equal(facet_output_open_memory(NULL, &output, NULL), FACET_OK);
    facet_bsm_write(document, NULL, output, NULL);
    facet_output_free(output);
    facet_bsm_free(document);
}

TEST(document_survives_any_byte_change)
{
    uint8_t file[BSM_FULL_SIZE];
    bsm_build_full(file);
    test_every_mutation(file, sizeof file, attempt_everything, NULL);
}

static facet_status attempt_read(const facet_allocator *allocator, void *user)
{
    facet_options options = {0};
    facet_bsm *document = NULL;
    options.allocator = allocator;
    facet_status status =
        facet_bsm_read(TEST_SOURCE(user, BSM_FULL_SIZE), &options, &document, NULL);
    facet_bsm_free(document);
    return status;
}

TEST(document_reports_failed_allocations)
{
    uint8_t file[BSM_FULL_SIZE];
    bsm_build_full(file);
    test_every_allocation(attempt_read, file);
}
