/* Tests of J3D documents that are read and written: byte for byte, and as another kind. */
#include "support/j3d_document.h"
#include "support/j3d_make.h"

#include "base/bytes.h"

#include <facet/convert.h>

/* -- The golden model --------------------------------------------------- */

TEST(golden_is_written_again)
{
    size_t size;
    for (int bdl = 0; bdl < 2; bdl++) {
        uint8_t *bytes = golden_copy(&size, bdl);
        expect_same_copy(bytes, size);
        free(bytes);
    }
}

static void expect_converted(const char *format, const uint8_t *from, size_t from_size,
                             const uint8_t *to, size_t to_size)
{
    facet_error error;
    facet_output *output;
    facet_source source = {.data = from, .size = from_size};
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(facet_copy(&source, facet_format_named(format), NULL, output, &error), &error);
    TEST_OK(facet_output_commit(output, &error), &error);
    assert_int_equal(facet_output_size(output), to_size);
    assert_memory_equal(facet_output_data(output), to, to_size);
    facet_output_free(output);
}

TEST(kinds_become_each_other)
{
    size_t bmd_size, bdl_size;
    uint8_t *bmd = golden_copy(&bmd_size, false), *bdl = golden_copy(&bdl_size, true);
    expect_converted("bdl", bmd, bmd_size, bdl, bdl_size);
    expect_converted("bmd", bdl, bdl_size, bmd, bmd_size);
    expect_converted("bdl", bdl, bdl_size, bdl, bdl_size);
    assert_true(facet_format_copies(facet_format_named("bmd"), facet_format_named("bdl")));
    assert_false(facet_format_copies(facet_format_named("bmd"), facet_format_named("obj")));
    free(bmd);
    free(bdl);
}

/* The file has the materials and textures of a model and nothing else. It cannot become a model. */
TEST(materials_become_a_file)
{
    facet_error error;
    facet_output *output, *none;
    size_t size;
    uint8_t *bytes = golden_copy(&size, true);
    facet_source source = {.data = bytes, .size = size};
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(facet_output_open_memory(NULL, &none, &error), &error);
    TEST_OK(facet_copy(&source, facet_format_named("bmt"), NULL, output, &error), &error);
    TEST_OK(facet_output_commit(output, &error), &error);
    const uint8_t *made = facet_output_data(output);
    /* Header, MAT3 of 0x440 bytes, TEX1 of 0x80 bytes. */
    assert_int_equal(facet_output_size(output), 0x20 + 0x440 + 0x80);
    assert_memory_equal(made, "J3D2bmt3", 8);
    assert_int_equal(facet_load_u32be(made + 0x0C), 2);
    assert_memory_equal(made + 0x20, bytes + TEST_J3D_GOLDEN_MAT3, 0x440);
    assert_memory_equal(made + 0x460, bytes + TEST_J3D_GOLDEN_TEX1, 0x80);
    source.data = made;
    source.size = (size_t)facet_output_size(output);
    assert_int_equal(facet_copy(&source, facet_format_named("bmd"), NULL, none, &error),
                     FACET_ERROR_UNSUPPORTED);
    assert_string_equal(error.rule, "J3D-KIND");
    facet_output_free(none);
    facet_output_free(output);
    free(bytes);
}

/* -- A model with every feature ----------------------------------------- */

TEST(small_model_is_copied)
{
    test_j3d *model = test_j3d_small();
    for (int kind = FACET_J3D_BMD3; kind <= FACET_J3D_BDL4; kind++) {
        test_bytes file = test_j3d_write(model, (facet_j3d_kind)kind);
        facet_j3d *document = read_file(file.data, file.size);
        assert_int_equal(document->joints.count, model->joint_count);
        assert_int_equal(document->envelopes.count, model->envelope_count);
        /* The file lists the envelopes a second time. */
        assert_int_equal(document->draw_matrices.count, model->draw_count + model->envelope_count);
        assert_int_equal(document->draw_matrices.effective_count, model->draw_count);
        assert_int_equal(document->shapes.count, model->shape_count);
        for (uint32_t i = 0; i < model->envelope_count; i++) {
            const facet_j3d_envelope *envelope = &document->envelopes.items[i];
            assert_int_equal(envelope->count, model->envelopes[i].count);
            for (uint32_t k = 0; k < envelope->count; k++) {
                const facet_j3d_influence *influence =
                    &document->envelopes.influences[envelope->first + k];
                assert_int_equal(influence->joint, model->envelopes[i].joints[k]);
                assert_float_equal(influence->weight, model->envelopes[i].weights[k], 0);
            }
        }
        for (uint32_t i = 0; i < model->joint_count; i++)
            assert_int_equal(document->joints.items[i].parent, model->joints[i].parent);
        for (int i = 0; i < FACET_J3D_ARRAY_COUNT; i++)
            assert_true(document->vertices.arrays[i].count <= model->arrays[i].count);
        facet_j3d_free(document);
        test_bytes_free(&file);
    }
    test_j3d_free(model);
}

/* -- Files of other tools ----------------------------------------------- */

/* j3dview wrote these files from free models. Their layout is that of the exporters, except for
 * empty arrays and the padding text. */
TEST(corpus_is_copied)
{
    static const struct {
        const char *name;
        uint32_t joints, envelopes, shapes, materials, textures;
    } files[] = {{"j3d/fish_static.bmd", 1, 0, 2, 2, 1},
                 {"j3d/greenman_skinned.bmd", 13, 123, 1, 1, 1},
                 {"j3d/greenman_skinned.bdl", 13, 123, 1, 1, 1}};
    TEST_NEEDS_CORPUS();
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        facet_error error;
        facet_file *file;
        TEST_OK(facet_file_open(test_corpus(files[i].name), NULL, &file, &error), &error);
        facet_j3d *document = read_file(facet_file_source(file).data, facet_file_source(file).size);
        assert_int_equal(document->joints.count, files[i].joints);
        assert_int_equal(document->envelopes.count, files[i].envelopes);
        assert_int_equal(document->shapes.count, files[i].shapes);
        assert_int_equal(document->materials.slot_count, files[i].materials);
        assert_int_equal(document->textures.count, files[i].textures);
        expect_written(document, facet_file_source(file).data, facet_file_source(file).size);
        facet_j3d_free(document);
        facet_file_close(file);
    }
}
