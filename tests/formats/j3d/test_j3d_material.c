/* Tests of J3D materials: full values, and their conversion back to arrays of distinct values.
 * The expected values follow the layout of files of the console makers. Each array lists its
 * values in the order of first use, after a few fixed ones. */
#include "support/j3d_golden.h"
#include "support/j3d_random.h"
#include "support/support.h"

#include <facet/j3d.h>
#include <stdlib.h>

/* -- Order of first use ------------------------------------------------- */

TEST(lists_values_in_order_of_first_use)
{
    facet_error error;
    facet_j3d *document = test_j3d_document(NULL);
    facet_j3d_material materials[3];
    test_j3d_plain_material(&materials[0], "first");
    test_j3d_plain_material(&materials[1], "second");
    test_j3d_plain_material(&materials[2], "third");
    materials[1].gx.cull_mode = 0;
    materials[1].given.texgens = 3;
    materials[1].gx.texgens[1] = (facet_gx_texgen){0, 1, 30, 255};
    materials[1].gx.texgen_count = 2;
    /* The third material equals the first one but has another name. */
    TEST_OK(facet_j3d_set_materials(document, materials, 3, &error), &error);

    const facet_j3d_materials *m = &document->materials;
    assert_true(document->has_materials);
    assert_int_equal(m->slot_count, 3);
    assert_int_equal(m->entry_count, 2);
    assert_int_equal(m->remap[0], 0);
    assert_int_equal(m->remap[1], 1);
    assert_int_equal(m->remap[2], 0);
    assert_int_equal(m->indirect_count, 3);
    assert_string_equal(m->names.items[2].bytes, "third");
    /* Back, front and none come first; so do 0 and 1 of the flags. */
    assert_int_equal(m->cull_mode_count, 3);
    assert_int_equal(m->cull_modes[0], 2);
    assert_int_equal(m->cull_modes[1], 1);
    assert_int_equal(m->cull_modes[2], 0);
    assert_int_equal(m->entries[0].cull_mode, 0);
    assert_int_equal(m->entries[1].cull_mode, 2);
    assert_int_equal(m->early_depth_count, 2);
    assert_int_equal(m->dither_count, 2);
    assert_int_equal(m->entries[0].early_depth, 1);
    /* C0 and A0 share one channel, C1 and A1 the other. */
    assert_int_equal(m->channel_count, 2);
    assert_int_equal(m->entries[0].channels[1], 0);
    assert_int_equal(m->entries[0].channels[2], 1);
    assert_int_equal(m->material_color_count, 1);
    assert_int_equal(m->light_count, 0);
    assert_int_equal(m->entries[0].lights[0], 0xFFFF);
    assert_int_equal(m->texgen_count_count, 2);
    assert_int_equal(m->texgen_counts[1], 2);
    /* Unused slots have the default texgen, which equals that of the first material. */
    assert_int_equal(m->texgen_count, 2);
    assert_int_equal(m->entries[1].texgens[1], 1);
    assert_int_equal(m->entries[0].texgens[1], 0xFFFF);
    assert_int_equal(m->post_matrix_count, 0);
    facet_j3d_free(document);
}

/* The array also lists an unused texgen: after the first material with fewer than eight. */
TEST(unused_texgens_are_listed)
{
    facet_error error;
    facet_j3d *document = test_j3d_document(NULL);
    facet_j3d_material m[2];
    test_j3d_plain_material(&m[0], "first");
    test_j3d_plain_material(&m[1], "second");
    m[0].gx.texgens[0].matrix = 30;
    m[1].gx.texgens[0].matrix = 33;
    TEST_OK(facet_j3d_set_materials(document, m, 2, &error), &error);
    const facet_j3d_materials *s = &document->materials;
    assert_int_equal(s->texgen_count, 3);
    assert_int_equal(s->texgens[0].matrix, 30);
    assert_int_equal(s->texgens[1].matrix, 60);
    assert_int_equal(s->texgens[2].matrix, 33);
    assert_int_equal(s->entries[1].texgens[0], 2);
    assert_int_equal(s->entries[1].texgens[1], 0xFFFF);
    facet_j3d_free(document);
}

/* Stages that differ only in their swap modes are two stages. The array of swap modes repeats a
 * value that two stages use. */
TEST(stages_and_swap_modes_are_pairs)
{
    facet_error error;
    facet_j3d *document = test_j3d_document(NULL);
    facet_j3d_material m;
    test_j3d_plain_material(&m, "pairs");
    m.gx.stage_count = 3;
    m.given.tev_orders = m.given.tev_stages = m.given.swap_modes = 7;
    m.gx.swap_modes[1].texture_table = 1;
    m.gx.tev_stages[2].color.scale = 1;
    TEST_OK(facet_j3d_set_materials(document, &m, 1, &error), &error);
    const facet_j3d_materials *s = &document->materials;
    assert_int_equal(s->tev_stage_count, 3);
    assert_int_equal(s->swap_mode_count, 3);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(s->entries[0].tev_stages[i], i);
        assert_int_equal(s->entries[0].swap_modes[i], i);
    }
    assert_memory_equal(&s->tev_stages[0], &s->tev_stages[1], sizeof s->tev_stages[0]);
    assert_memory_equal(&s->swap_modes[0], &s->swap_modes[2], sizeof s->swap_modes[0]);
    assert_int_equal(s->swap_modes[1].texture_table, 1);
    facet_j3d_free(document);
}

/* -- Missing values ----------------------------------------------------- */

TEST(absent_values_are_the_defaults)
{
    facet_error error;
    facet_j3d *document = test_j3d_document(NULL);
    facet_j3d_material bare, back;
    facet_j3d_material_init(&bare);
    bare.mode = 4;
    TEST_OK(facet_j3d_set_materials(document, &bare, 1, &error), &error);
    assert_int_equal(document->materials.indirect_count, 0);
    assert_int_equal(document->materials.entries[0].cull_mode, 0xFF);
    assert_int_equal(document->materials.entries[0].depth, 0xFF);
    assert_int_equal(document->materials.entries[0].fog, 0xFFFF);
    TEST_OK(facet_j3d_get_material(document, 0, &back, &error), &error);
    assert_int_equal(back.mode, 4);
    assert_false(back.given.cull_mode);
    assert_int_equal(back.gx.cull_mode, 2);
    assert_int_equal(back.gx.stage_count, 1);
    assert_int_equal(back.gx.dither, 1);
    assert_int_equal(back.gx.depth.comparison, 3);
    assert_int_equal(back.gx.ambient_colors[1].g, 0x32);
    assert_int_equal(back.gx.textures[7], FACET_J3D_NONE);
    assert_int_equal(back.gx.tev_stages[0].color.inputs[0], 10);
    assert_int_equal(back.gx.swap_tables[3].a, 3);
    assert_int_equal(back.gx.fog.range_center, 320);
    assert_int_equal(back.gx.blend.destination, 5);
    /* An index may be valid although its array is missing. */
    document->materials.entries[0].post_matrices[0] = 0;
    document->materials.entries[0].fog = 3;
    TEST_OK(facet_j3d_get_material(document, 0, &back, &error), &error);
    assert_int_equal(back.given.post_matrices, 0);
    assert_false(back.given.fog);
    assert_int_equal(facet_j3d_get_material(document, 1, &back, &error), FACET_ERROR_ARGUMENT);
    facet_j3d_free(document);
}

/* -- Round trips -------------------------------------------------------- */

TEST(materials_come_back)
{
    facet_error error;
    for (uint32_t seed = 0; seed < 200; seed++) {
        test_random random = {seed};
        facet_j3d *document = test_j3d_document(NULL);
        uint32_t count = 1 + test_random_below(&random, 12);
        facet_j3d_material *in = calloc(count, sizeof *in);
        facet_j3d_material out;
        for (uint32_t i = 0; i < count; i++)
            test_j3d_material(&random, 9, &in[i]);
        TEST_OK(facet_j3d_set_materials(document, in, count, &error), &error);
        for (uint32_t i = 0; i < count; i++) {
            memset(&out, 0, sizeof out);
            TEST_OK(facet_j3d_get_material(document, i, &out, &error), &error);
            assert_string_equal(in[i].name.bytes, out.name.bytes);
            assert_int_equal(in[i].name.hash, out.name.hash);
            test_j3d_same_material(&in[i], &out);
        }
        /* Values are listed in order of first use, in entries as well. */
        uint32_t next = 0;
        for (uint32_t i = 0; i < count; i++) {
            assert_true(document->materials.remap[i] <= next);
            next += document->materials.remap[i] == next;
        }
        assert_int_equal(next, document->materials.entry_count);
        free(in);
        facet_j3d_free(document);
    }
}

/* Remove the material of a handwritten file and insert it again: the arrays stay the same. */
TEST(the_golden_material_is_made_again)
{
    uint8_t golden[TEST_J3D_GOLDEN_SIZE];
    facet_error error;
    facet_j3d *document;
    facet_j3d_material material;
    facet_output *output;
    test_j3d_golden(golden);
    TEST_OK(facet_j3d_read(TEST_SOURCE(golden, sizeof golden), NULL, &document, &error), &error);
    TEST_OK(facet_j3d_get_material(document, 0, &material, &error), &error);
    memset(&document->materials, 0, sizeof document->materials);
    TEST_OK(facet_j3d_set_materials(document, &material, 1, &error), &error);
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(facet_j3d_write(document, NULL, output, &error), &error);
    assert_int_equal(facet_output_size(output), sizeof golden);
    assert_memory_equal(facet_output_data(output), golden, sizeof golden);
    facet_output_free(output);
    facet_j3d_free(document);
}

TEST(an_index_of_8_bits_has_its_limit)
{
    facet_error error;
    facet_j3d *document = test_j3d_document(NULL);
    /* 3 cull modes come first, so 253 more make 256; index 255 means "absent". */
    facet_j3d_material *many = calloc(253, sizeof *many);
    for (uint32_t i = 0; i < 253; i++) {
        facet_j3d_material_init(&many[i]);
        many[i].given.cull_mode = true;
        many[i].gx.cull_mode = 100 + i;
    }
    TEST_OK(facet_j3d_set_materials(document, many, 252, &error), &error);
    assert_int_equal(document->materials.cull_mode_count, 255);
    assert_int_equal(facet_j3d_set_materials(document, many, 253, &error), FACET_ERROR_LIMIT);
    assert_string_equal(error.rule, "J3D-MAT3-LIMIT");
    assert_int_equal(document->materials.slot_count, 252);
    free(many);
    facet_j3d_free(document);
}

static facet_status set_with(const facet_allocator *allocator, void *user)
{
    facet_error error;
    facet_j3d *document = test_j3d_document(allocator);
    if (!document)
        return FACET_ERROR_MEMORY;
    facet_status status = facet_j3d_set_materials(document, user, 3, &error);
    facet_j3d_free(document);
    return status;
}

TEST(material_access_survives_failed_allocations)
{
    facet_j3d_material materials[3];
    test_random random = {7};
    for (int i = 0; i < 3; i++)
        test_j3d_material(&random, 9, &materials[i]);
    test_every_allocation(set_with, materials);
}
