/* BinaryMesh: bytes to document and back. */
#include "base/arena.h"
#include "base/bytes.h"
#include "formats/binarymesh/binarymesh.h"
#include "formats/binarymesh/scene.h"
#include "support/binarymesh.h"

#include <math.h>
#include <stdio.h>

/* -- The worked examples of the format's description ----------------------- */

/* Version 1, bytes from the description: 180 bytes. */
static bytes worked_example_1(void)
{
    static const uint8_t one[8] = {0, 0, 0, 0, 0, 0, 0xF0, 0x3F}, zeros[72] = {0};
    static const uint8_t corners[36] = {0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255, //
                                        1, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255, //
                                        2, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255};
    bytes file = {0};
    put(&file, "BINARYMESH\1\0\3\0tri\3\0\0\0", 21);
    put(&file, zeros, 24);
    put(&file, one, 8);
    put(&file, zeros, 24);
    put(&file, one, 8);
    put(&file, zeros, 8);
    put(&file, "\1\0\0\0", 4);
    put(&file, zeros, 16);
    put(&file, one, 8);
    put(&file, zeros, 4);
    put(&file, "\1\0\7\0default\1\0\0\0\3\0", 17);
    put(&file, corners, 36);
    put(&file, zeros, 2);
    assert_int_equal(file.size, 180);
    return file;
}

static void assert_example(const facet_binarymesh *document)
{
    static const double positions[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0}, normal[3] = {0, 0, 1};
    assert_int_equal(document->object_count, 1);
    const facet_binarymesh_object *object = &document->objects[0];
    assert_text(object->name, "tri");
    assert_int_equal(object->position_count, 3);
    assert_int_equal(object->normal_count, 1);
    assert_int_equal(object->texcoord_count, 0);
    for (size_t i = 0; i < 9; i++)
        assert_true(facet_binarymesh_real(document, object->positions, i) == positions[i]);
    for (size_t i = 0; i < 3; i++)
        assert_true(facet_binarymesh_real(document, object->normals, i) == normal[i]);
    assert_int_equal(object->slot_count, 1);
    assert_text(object->slots[0], "default");
    assert_int_equal(object->face_count, 1);
    assert_int_equal(object->corner_count, 3);
    assert_null(object->face_offsets);
    assert_null(object->texcoord_indices);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(object->position_indices[i], i);
        assert_int_equal(object->normal_indices[i], 0);
    }
}

TEST(version_1_byte_by_byte)
{
    bytes file = worked_example_1();
    facet_binarymesh *document = read_document(file.data, file.size, NULL);
    assert_int_equal(document->version, 1);
    assert_true(document->double_precision);
    assert_example(document);
    facet_output *output = write_document(document, 1, NULL);
    assert_int_equal(facet_output_size(output), 180);
    assert_memory_equal(facet_output_data(output), file.data, 180);
    facet_output_free(output);
    facet_binarymesh_free(document);
    free(file.data);
}

/* The LZ4 block of the description is one run of literals: token 15, then 105 in the next byte. */
TEST(version_4_of_literals)
{
    bytes data = example_data(4), file = {0};
    assert_int_equal(data.size, 120);
    put_header(&file, 4);
    put_number(&file, 120, 8);
    put_number(&file, 122, 8);
    put(&file, "\xF0\x69", 2);
    put(&file, data.data, 120);
    assert_int_equal(file.size, 150);
    facet_binarymesh *document = read_document(file.data, file.size, NULL);
    assert_int_equal(document->version, 4);
    assert_false(document->double_precision);
    assert_example(document);
    assert_int_equal(document->block_count, 1);
    assert_int_equal(document->blocks[0].offset, 12);
    assert_int_equal(document->blocks[0].compressed_size, 122);
    facet_binarymesh_free(document);
    free(data.data);
    free(file.data);
}

/* -- All versions ---------------------------------------------------------- */

TEST(versions_say_the_same)
{
    facet_binarymesh *documents[5] = {NULL};
    for (uint32_t version = 1; version <= 4; version++) {
        bytes data = mixed_data(version), file = pack(version, data, 0);
        documents[version] = read_document(file.data, file.size, NULL);
        assert_int_equal(documents[version]->version, version);
        assert_documents(documents[version], documents[1]);
        free(data.data);
        free(file.data);
    }
    const facet_binarymesh_object *object = &documents[2]->objects[0];
    static const uint32_t offsets[4] = {0, 4, 7, 12};
    assert_memory_equal(object->face_offsets, offsets, sizeof offsets);
    assert_int_equal(object->face_slots[0], 1);
    assert_int_equal(object->face_slots[1], 0);
    assert_int_equal(object->normal_indices[3], 1);
    assert_int_equal(object->normal_indices[4], FACET_NONE);
    assert_text(object->slots[1], "blau \xC3\xBC");
    /* Indices into empty arrays mean "none". */
    assert_null(documents[2]->objects[1].normal_indices);
    assert_null(documents[2]->objects[1].texcoord_indices);
    assert_null(documents[2]->objects[1].face_slots);
    for (uint32_t version = 1; version <= 4; version++)
        facet_binarymesh_free(documents[version]);
}

TEST(what_is_written_reads_the_same)
{
    static const uint32_t written[3] = {1, 3, 4};
    for (uint32_t from = 1; from <= 4; from++) {
        bytes data = mixed_data(from), file = pack(from, data, 0);
        facet_binarymesh *document = read_document(file.data, file.size, NULL);
        for (size_t i = 0; i < 3; i++) {
            facet_output *output = write_document(document, written[i], NULL);
            facet_binarymesh *back = read_output(output);
            assert_int_equal(back->version, written[i]);
            assert_documents(document, back);
            /* A file that Facet wrote is written again byte for byte. */
            facet_output *again = write_document(back, written[i], NULL);
            assert_int_equal(facet_output_size(again), facet_output_size(output));
            assert_memory_equal(facet_output_data(again), facet_output_data(output),
                                facet_output_size(output));
            facet_output_free(again);
            facet_output_free(output);
            facet_binarymesh_free(back);
        }
        facet_binarymesh_free(document);
        free(data.data);
        free(file.data);
    }
}

TEST(double_precision_is_kept)
{
    static const double positions[9] = {0.1, 1e300, -1.0 / 3, 2, 3, 4, 5, 6, 7};
    static const uint32_t face[9] = {0, 0, 0, 1, 0, 0, 2, 0, 0};
    bytes data = {0};
    put_text(&data, "d");
    put_reals(&data, 3, 3, 3, positions);
    put_u32(&data, 0);
    put_u32(&data, 0);
    put_u16(&data, 0);
    put_u32(&data, 1);
    put_face(&data, 3, face, 0);
    bytes file = pack(3, data, 0);
    facet_binarymesh *document = read_document(file.data, file.size, NULL);
    facet_output *output = write_document(document, 3, NULL);
    facet_binarymesh *back = read_output(output);
    for (size_t i = 0; i < 9; i++)
        assert_true(((const double *)back->objects[0].positions)[i] == positions[i]);
    facet_output_free(output);
    facet_binarymesh_free(back);

    /* 1e300 cannot be stored in version 4; 0.1 can, rounded. */
    facet_error error;
    facet_report *report = NULL;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    facet_options options = {.report = report, .format_version = 4};
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    assert_int_equal(facet_binarymesh_write(document, &options, output, &error), FACET_ERROR_LIMIT);
    assert_string_equal(error.rule, "BM-FLOAT-RANGE");
    facet_output_free(output);
    ((double *)document->objects[0].positions)[1] = 1;
    facet_output_free(write_document(document, 4, &options));
    const facet_finding *loss = test_finding(report, "LOSS-PRECISION");
    assert_non_null(loss);
    assert_string_equal(loss->message,
                        "2 numbers are rounded to the single precision of version 4");
    facet_report_free(report);
    facet_binarymesh_free(document);
    free(data.data);
    free(file.data);
}

/* -- Documents that the writer refuses ---------------------------------------- */

static void assert_refused(const facet_binarymesh *document, uint32_t version, facet_status status,
                           const char *rule)
{
    facet_error error;
    facet_output *output = NULL;
    facet_options write = {.format_version = version};
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    assert_int_equal(facet_binarymesh_write(document, &write, output, &error), status);
    assert_string_equal(error.rule, rule);
    facet_output_free(output);
}

TEST(writer_refuses_inconsistent_documents)
{
    bytes data = mixed_data(4), file = pack(4, data, 0);
    facet_binarymesh *document = read_document(file.data, file.size, NULL);
    facet_binarymesh_object *object = &document->objects[0];
    assert_refused(document, 2, FACET_ERROR_UNSUPPORTED, "BM-VERSION-2");
    assert_refused(document, 5, FACET_ERROR_UNSUPPORTED, "BM-VERSION-UNKNOWN");
    object->face_offsets[1] = 2;
    assert_refused(document, 4, FACET_ERROR_ARGUMENT, "BM-FACE-CORNERS");
    object->face_offsets[1] = 4;
    object->position_indices[11] = 7;
    assert_refused(document, 4, FACET_ERROR_ARGUMENT, "BM-FACE-VERTEX-RANGE");
    object->position_indices[11] = FACET_NONE;
    assert_refused(document, 4, FACET_ERROR_ARGUMENT, "BM-FACE-VERTEX-RANGE");
    object->position_indices[11] = 6;
    object->normal_indices[0] = 2;
    assert_refused(document, 4, FACET_ERROR_ARGUMENT, "BM-FACE-NORMAL-RANGE");
    object->normal_indices[0] = 1;
    object->texcoord_indices[0] = 4;
    assert_refused(document, 4, FACET_ERROR_ARGUMENT, "BM-FACE-UV-RANGE");
    object->texcoord_indices[0] = 3;
    ((float *)object->texcoords)[7] = NAN;
    assert_refused(document, 1, FACET_ERROR_ARGUMENT, "BM-FLOAT-NONFINITE");
    ((float *)object->texcoords)[7] = 0;
    object->slots[1].length = 65536;
    assert_refused(document, 4, FACET_ERROR_LIMIT, "BM-LIMIT");
    object->slots[1].length = 4;
    facet_output_free(write_document(document, 0, NULL));
    facet_binarymesh_free(document);
    free(data.data);
    free(file.data);
}

/* Neither a writer nor a scene reads a missing array. */
static void assert_missing(const facet_binarymesh *document)
{
    facet_scene *scene = NULL;
    facet_error error = {0};
    assert_refused(document, 4, FACET_ERROR_ARGUMENT, "BM-DOCUMENT");
    assert_int_equal(facet_binarymesh_to_scene(document, NULL, NULL, &scene, &error),
                     FACET_ERROR_ARGUMENT);
    assert_string_equal(error.rule, "BM-DOCUMENT");
    assert_null(scene);
}

TEST(missing_arrays_are_refused)
{
    bytes data = mixed_data(4), file = pack(4, data, 0);
    facet_binarymesh *document = read_document(file.data, file.size, NULL);
    facet_binarymesh_object *object = &document->objects[0];
    const facet_binarymesh_object whole = *object;
    object->name.text = NULL;
    assert_missing(document);
    *object = whole;
    object->positions = NULL;
    assert_missing(document);
    *object = whole;
    object->normals = NULL;
    assert_missing(document);
    *object = whole;
    object->texcoords = NULL;
    assert_missing(document);
    *object = whole;
    object->slots = NULL;
    assert_missing(document);
    *object = whole;
    object->position_indices = NULL;
    assert_missing(document);
    *object = whole;
    object->face_offsets = NULL; /* the number of corners is not that of triangles */
    assert_missing(document);
    *object = whole;
    object->slots[0].text = NULL;
    assert_missing(document);
    object->slots[0].length = 0;
    object->face_slots = NULL; /* all 0 */
    object->normal_indices = object->texcoord_indices = NULL;
    facet_output_free(write_document(document, 4, NULL));
    document->objects = NULL;
    assert_missing(document);
    facet_binarymesh_free(document);
    free(data.data);
    free(file.data);
}

/* -- Real files ------------------------------------------------------------- */

static const char *const corpus_names[] = {"archive_84bd9df4.v4",
                                           "archive_f36a07a9.v4",
                                           "juice_00.v2",
                                           "juice_00.v3",
                                           "material_preview_ground.v1",
                                           "material_preview_ground.v3",
                                           "material_preview_lamp.v3",
                                           "orennayar_Sphere.v3",
                                           "pPlaneShape3.v3",
                                           "studio_teapot.v3",
                                           "swatchRenderBg.v3",
                                           "swatchRenderSphere.v3"};

TEST(corpus_round_trip)
{
    TEST_NEEDS_CORPUS();
    for (size_t i = 0; i < sizeof corpus_names / sizeof *corpus_names; i++) {
        facet_binarymesh *document = read_corpus(corpus_names[i]);
        uint32_t version = document->version == 2 ? 3 : document->version;
        facet_output *output = write_document(document, version, NULL);
        facet_binarymesh *back = read_output(output);
        assert_documents(document, back);
        /* Blocks end at the same offsets as those of their writer, appleseed. */
        assert_int_equal(back->data_size, document->data_size);
        assert_int_equal(back->block_count, document->block_count);
        for (size_t at = 0; at < back->block_count; at++)
            assert_int_equal(back->blocks[at].size, document->blocks[at].size);
        facet_binarymesh_free(back);
        facet_output_free(output);
        facet_binarymesh_free(document);
    }
}

/* The same mesh in two versions, by different releases of appleseed. */
TEST(corpus_versions_agree)
{
    TEST_NEEDS_CORPUS();
    facet_binarymesh *a = read_corpus("juice_00.v2"), *b = read_corpus("juice_00.v3");
    assert_int_equal(a->version, 2);
    assert_documents(a, b);
    facet_binarymesh_free(a);
    facet_binarymesh_free(b);
    a = read_corpus("material_preview_ground.v1");
    b = read_corpus("material_preview_ground.v3");
    assert_int_equal(a->version, 1);
    assert_documents(a, b);
    facet_binarymesh_free(a);
    facet_binarymesh_free(b);
}

TEST(lamp_file_has_expected_values)
{
    TEST_NEEDS_CORPUS();
    facet_binarymesh *document = read_corpus("material_preview_lamp.v3");
    assert_int_equal(document->object_count, 1);
    const facet_binarymesh_object *object = &document->objects[0];
    assert_text(object->name, "part_0");
    assert_int_equal(object->position_count, 4);
    assert_int_equal(object->normal_count, 1);
    assert_int_equal(object->texcoord_count, 0);
    assert_int_equal(object->slot_count, 0);
    assert_int_equal(object->face_count, 1);
    assert_int_equal(object->corner_count, 4);
    assert_null(object->texcoord_indices);
    assert_int_equal(document->data_size, 198);
    facet_binarymesh_free(document);
}
