/* Tests of the J3D document: reading, writing, copying. Expected values are
 * those of a model that was put together by hand from the format's description
 * (support/j3d_golden.h), byte for byte. */
#include "support/j3d_golden.h"
#include "support/j3d_make.h"
#include "support/support.h"

#include "base/bytes.h"

#include <facet/convert.h>
#include <facet/gx.h>
#include <facet/j3d.h>
#include <stdlib.h>

/* -- Helpers ------------------------------------------------------------ */

#define MDL3_SIZE 0x260

static facet_j3d *read_file(const uint8_t *data, size_t size)
{
    facet_error error;
    facet_j3d *document = NULL;
    TEST_OK(facet_j3d_read(data, size, NULL, &document, &error), &error);
    return document;
}

/* The golden model, in a block of its own. */
static uint8_t *golden_copy(size_t *size, bool bdl)
{
    uint8_t *bytes = malloc(TEST_J3D_GOLDEN_SIZE);
    assert_non_null(bytes);
    *size = TEST_J3D_GOLDEN_SIZE;
    if (bdl)
        test_j3d_golden(bytes);
    else
        *size = test_j3d_golden_bmd(bytes);
    return bytes;
}

/* Write the document and compare. */
static void expect_written(const facet_j3d *document, const uint8_t *bytes, size_t size)
{
    facet_error error;
    facet_output *output;
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(facet_j3d_write(document, NULL, output, &error), &error);
    TEST_OK(facet_output_commit(output, &error), &error);
    assert_int_equal(facet_output_size(output), size);
    assert_memory_equal(facet_output_data(output), bytes, size);
    facet_output_free(output);
}

static void expect_same_copy(const uint8_t *bytes, size_t size)
{
    facet_j3d *document = read_file(bytes, size);
    expect_written(document, bytes, size);
    facet_j3d_free(document);
}

/* A finding of the reader, as a warning. */
static void expect_odd(const uint8_t *bytes, size_t size, const char *rule)
{
    facet_error error;
    facet_options options = {0};
    facet_j3d *document = NULL;
    TEST_OK(facet_report_create(NULL, &options.report, &error), &error);
    TEST_OK(facet_j3d_read(bytes, size, &options, &document, &error), &error);
    if (!test_finding(options.report, rule))
        fail_msg("there is no finding %s", rule);
    facet_j3d_free(document);
    facet_report_free(options.report);
}

/* -- Golden: fields ----------------------------------------------------- */

static void golden_hierarchy(void **state)
{
    (void)state;
    static const facet_j3d_node nodes[] = {{0x10, 0}, {1, 0}, {0x11, 0}, {1, 0},
                                           {0x12, 0}, {2, 0}, {2, 0}};
    size_t size;
    uint8_t *bytes = golden_copy(&size, true);
    facet_j3d *document = read_file(bytes, size);
    assert_int_equal(document->kind, FACET_J3D_BDL4);
    assert_memory_equal(document->signature, "SVR3\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF",
                        16);
    assert_true(document->has_hierarchy && document->has_vertices && document->has_envelopes &&
                document->has_draw_matrices && document->has_joints && document->has_shapes &&
                document->has_materials && document->has_packets && document->has_textures);
    assert_false(document->textures_before_packets);
    assert_int_equal(document->hierarchy.flags, FACET_J3D_SCALING_BASIC);
    assert_int_equal(document->hierarchy.packet_count, 1);
    assert_int_equal(document->hierarchy.vertex_count, 3);
    assert_int_equal(document->hierarchy.node_count, 7);
    for (size_t i = 0; i < 7; i++) {
        assert_int_equal(document->hierarchy.nodes[i].type, nodes[i].type);
        assert_int_equal(document->hierarchy.nodes[i].index, nodes[i].index);
    }
    assert_int_equal(document->joints.items[0].parent, FACET_J3D_NONE);
    assert_int_equal(document->shapes.items[0].material, 0);
    assert_int_equal(document->shapes.items[0].joint, 0);
    facet_j3d_free(document);
    free(bytes);
}

static void expect_array(const facet_j3d_array *array, const uint8_t *bytes, uint32_t count,
                         uint32_t stride, size_t size, uint32_t attribute, uint32_t component,
                         uint8_t fraction)
{
    assert_ptr_equal(array->bytes, bytes);
    assert_int_equal(array->count, count);
    assert_int_equal(array->stride, stride);
    assert_int_equal(array->size, size);
    assert_int_equal(array->format->attribute, attribute);
    assert_int_equal(array->format->component, component);
    assert_int_equal(array->format->fraction_bits, fraction);
}

static void golden_vertices(void **state)
{
    (void)state;
    size_t size;
    uint8_t *bytes = golden_copy(&size, true);
    const uint8_t *section = bytes + TEST_J3D_GOLDEN_VTX1;
    facet_j3d *document = read_file(bytes, size);
    const facet_j3d_array *arrays = document->vertices.arrays;
    assert_int_equal(document->vertices.format_count, 4);
    /* Three positions, one normal, one colour, three texcoords, in 64, 32, 32 and
     * the last 32 bytes. */
    expect_array(&arrays[FACET_J3D_ARRAY_POSITION], section + 0xA0, 3, 12, 0x40, 9, FACET_J3D_F32,
                 0);
    expect_array(&arrays[FACET_J3D_ARRAY_NORMAL], section + 0xE0, 1, 6, 0x20, 10, FACET_J3D_S16,
                 14);
    expect_array(&arrays[FACET_J3D_ARRAY_COLOR0], section + 0x100, 1, 4, 0x20, 11, FACET_J3D_RGBA8,
                 0);
    expect_array(&arrays[FACET_J3D_ARRAY_TEXCOORD0], section + 0x120, 3, 4, 0x20, 13, FACET_J3D_S16,
                 8);
    assert_null(arrays[FACET_J3D_ARRAY_NBT].bytes);
    assert_null(arrays[FACET_J3D_ARRAY_COLOR0 + 1].bytes);
    facet_j3d_free(document);
    free(bytes);
}

static void golden_skeleton(void **state)
{
    (void)state;
    size_t size;
    uint8_t *bytes = golden_copy(&size, true);
    facet_j3d *document = read_file(bytes, size);
    assert_int_equal(document->envelopes.count, 0);
    assert_int_equal(document->envelopes.inverse_bind_count, 0);
    assert_int_equal(document->draw_matrices.count, 1);
    assert_int_equal(document->draw_matrices.effective_count, 1);
    assert_int_equal(document->draw_matrices.items[0].is_envelope, 0);
    assert_int_equal(document->draw_matrices.items[0].index, 0);
    assert_int_equal(document->joints.count, 1);
    const facet_j3d_joint *joint = &document->joints.items[0];
    assert_int_equal(joint->kind, 0);
    assert_int_equal(joint->scale_compensate, 0);
    assert_int_equal(joint->unknown, 0xFF);
    assert_int_equal(joint->unknown2, 0xFFFF);
    for (int i = 0; i < 3; i++) {
        assert_float_equal(joint->scale[i], 1, 0);
        assert_int_equal(joint->rotation[i], 0);
        assert_float_equal(joint->translation[i], 0, 0);
        assert_float_equal(joint->minimum[i], 0, 0);
        assert_float_equal(joint->maximum[i], i < 2 ? 100 : 0, 0);
    }
    assert_float_equal(joint->radius, 100, 0);
    assert_int_equal(document->joints.remap[0], 0);
    assert_int_equal(document->joints.names.count, 1);
    assert_string_equal(document->joints.names.items[0].bytes, "root");
    assert_int_equal(document->joints.names.items[0].hash, 0x11AE);
    facet_j3d_free(document);
    free(bytes);
}

static void golden_shapes(void **state)
{
    (void)state;
    static const uint32_t attributes[] = {9, 10, 11, 13, 0xFF};
    size_t size;
    uint8_t *bytes = golden_copy(&size, true);
    facet_j3d *document = read_file(bytes, size);
    const facet_j3d_shapes *shapes = &document->shapes;
    assert_int_equal(shapes->count, 1);
    assert_int_equal(shapes->items[0].type, FACET_J3D_SHAPE_SINGLE);
    assert_int_equal(shapes->items[0].unknown, 0xFF);
    assert_int_equal(shapes->items[0].packet_count, 1);
    assert_int_equal(shapes->items[0].first_descriptor, 0);
    assert_float_equal(shapes->items[0].radius, 100, 0);
    assert_float_equal(shapes->items[0].maximum[1], 100, 0);
    assert_int_equal(shapes->descriptor_count, 5);
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(shapes->descriptors[i].attribute, attributes[i]);
        assert_int_equal(shapes->descriptors[i].input, i < 4 ? FACET_J3D_INPUT_INDEX16 : 0);
    }
    assert_int_equal(shapes->matrix_table_count, 1);
    assert_int_equal(shapes->matrix_table[0], 0);
    assert_int_equal(shapes->group_count, 1);
    assert_int_equal(shapes->groups[0].use_matrix, 0);
    assert_int_equal(shapes->groups[0].count, 1);
    assert_int_equal(shapes->groups[0].first, 0);
    assert_int_equal(shapes->display_list_count, 1);
    assert_int_equal(shapes->display_lists[0].size, 0x20);
    assert_ptr_equal(shapes->display_lists[0].bytes, bytes + TEST_J3D_GOLDEN_SHP1 + 0xA0);
    facet_j3d_free(document);
    free(bytes);
}

/* The distances of the arrays' offsets in the header, and what stands there. */
static void golden_materials(void **state)
{
    (void)state;
    size_t size;
    uint8_t *bytes = golden_copy(&size, true);
    facet_j3d *document = read_file(bytes, size);
    const facet_j3d_materials *m = &document->materials;
    const facet_j3d_material_entry *entry = &m->entries[0];
    assert_false(m->is_mat2);
    assert_int_equal(m->slot_count, 1);
    assert_int_equal(m->entry_count, 1);
    assert_string_equal(m->names.items[0].bytes, "mat0");
    assert_int_equal(m->indirect_count, 1);
    assert_int_equal(m->indirects[0].enabled, 0);
    assert_float_equal(m->indirects[0].matrices[2].rows[1][1], 0.5, 0);
    assert_int_equal(m->indirects[0].matrices[2].exponent, 1);
    assert_int_equal(m->cull_mode_count, 3);
    assert_int_equal(m->cull_modes[0], 2);
    assert_int_equal(m->material_color_count, 1);
    assert_int_equal(m->channel_count_count, 1);
    assert_int_equal(m->channel_counts[0], 1);
    assert_int_equal(m->channel_count, 2);
    assert_int_equal(m->channels[0].material_source, 1);
    assert_int_equal(m->channels[1].attenuation_function, 2);
    assert_int_equal(m->ambient_color_count, 1);
    assert_int_equal(m->ambient_colors[0].g, 0x32);
    assert_int_equal(m->light_count, 0);
    assert_int_equal(m->texgen_count_count, 1);
    assert_int_equal(m->texgen_count, 1);
    assert_int_equal(m->texgens[0].matrix, 60);
    assert_int_equal(m->post_texgen_count, 0);
    assert_int_equal(m->texture_matrix_count, 1);
    assert_int_equal(m->texture_matrices[0].projection, 1);
    assert_float_equal(m->texture_matrices[0].center[2], 0.5, 0);
    assert_float_equal(m->texture_matrices[0].effect[15], 1, 0);
    assert_int_equal(m->post_matrix_count, 0);
    assert_int_equal(m->texture_number_count, 1);
    assert_int_equal(m->tev_order_count, 1);
    assert_int_equal(m->tev_orders[0].channel, 4);
    assert_int_equal(m->tev_register_count, 1);
    assert_int_equal(m->konst_color_count, 1);
    assert_int_equal(m->stage_count_count, 1);
    assert_int_equal(m->tev_stage_count, 1);
    assert_int_equal(m->tev_stages[0].color.inputs[2], 10);
    assert_int_equal(m->tev_stages[0].alpha.inputs[0], 7);
    assert_int_equal(m->swap_mode_count, 1);
    assert_int_equal(m->swap_table_count, 1);
    assert_int_equal(m->swap_tables[0].a, 3);
    assert_int_equal(m->fog_count, 1);
    assert_int_equal(m->fogs[0].color.r, 0xFF);
    assert_int_equal(m->alpha_compare_count, 1);
    assert_int_equal(m->alpha_compares[0].comparison1, 7);
    assert_int_equal(m->blend_count, 1);
    assert_int_equal(m->blends[0].logic, 3);
    assert_int_equal(m->depth_count, 1);
    assert_int_equal(m->early_depth_count, 2);
    assert_int_equal(m->dither_count, 2);
    assert_int_equal(m->nbt_scale_count, 1);
    assert_float_equal(m->nbt_scales[0].scale[2], 1, 0);
    assert_int_equal(entry->mode, 1);
    assert_int_equal(entry->early_depth, 1);
    assert_int_equal(entry->channels[3], 1);
    assert_int_equal(entry->lights[0], 0xFFFF);
    assert_int_equal(entry->texgens[0], 0);
    assert_int_equal(entry->texgens[1], 0xFFFF);
    assert_int_equal(entry->konst_color_selections[15], 0x0C);
    assert_int_equal(entry->konst_alpha_selections[0], 0x1C);
    assert_int_equal(entry->tev_registers[3], 0);
    assert_int_equal(entry->unused[11], 0xFFFF);
    assert_int_equal(entry->nbt_scale, 0);
    facet_j3d_free(document);
    free(bytes);
}

static void golden_packets_and_textures(void **state)
{
    (void)state;
    size_t size;
    uint8_t *bytes = golden_copy(&size, true);
    facet_j3d *document = read_file(bytes, size);
    const facet_j3d_packet *packet = &document->packets.items[0];
    assert_int_equal(document->packets.count, 1);
    assert_ptr_equal(packet->bytes, bytes + TEST_J3D_GOLDEN_MDL3 + 0x60);
    assert_int_equal(packet->size, 0x1C0);
    assert_int_equal(packet->channel_colors, 0x170);
    assert_int_equal(packet->channel_control, 0x18A);
    assert_int_equal(packet->texgens, 0x15E);
    assert_int_equal(packet->textures, 0);
    assert_int_equal(packet->tev, 0x37);
    assert_int_equal(packet->pixel_engine, 0x118);
    assert_int_equal(packet->matrix_indices[0], 0x3CF3CF00);
    assert_int_equal(packet->matrix_indices[1], 0x00F3CF3C);
    assert_int_equal(packet->mode, 1);
    assert_string_equal(document->packets.names.items[0].bytes, "mat0");
    /* One run of padding before SHP1's descriptors would be the early games'. */
    assert_false(document->layout.generation_a);
    assert_true(document->layout.narrow_blend_mask);

    const facet_j3d_texture *texture = &document->textures.items[0];
    assert_int_equal(document->textures.count, 1);
    assert_int_equal(texture->header.format, FACET_GX_I4);
    assert_int_equal(texture->header.width, 8);
    assert_int_equal(texture->header.height, 8);
    assert_int_equal(texture->header.wrap_s, 1);
    assert_int_equal(texture->image, 0);
    assert_int_equal(texture->palette, FACET_NO_TEXELS);
    assert_int_equal(document->textures.texels_count, 1);
    assert_int_equal(document->textures.texels[0].size, 32);
    assert_ptr_equal(document->textures.texels[0].bytes, bytes + TEST_J3D_GOLDEN_TEX1 + 0x40);
    assert_string_equal(document->textures.names.items[0].bytes, "tex0");
    facet_j3d_free(document);
    free(bytes);
}

/* -- Golden: bytes ------------------------------------------------------ */

static void golden_is_written_again(void **state)
{
    (void)state;
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

static void kinds_become_each_other(void **state)
{
    (void)state;
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

/* Materials and textures of a model, and nothing else; but no model of them. */
static void materials_become_a_file(void **state)
{
    (void)state;
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
    /* Header, MAT3 of 0x440 bytes, TEX1 of 0x80. */
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

/* -- Other layouts ------------------------------------------------------ */

static void generation_a_pads_once(void **state)
{
    (void)state;
    size_t size;
    uint8_t *bytes = golden_copy(&size, false);
    memcpy(bytes + TEST_J3D_GOLDEN_SHP1 + 0x56, "This is pa", 10);
    facet_j3d *document = read_file(bytes, size);
    assert_true(document->layout.generation_a);
    expect_written(document, bytes, size);
    facet_j3d_free(document);
    free(bytes);
}

/* Another exporter's text is kept, and its signature. The longest run that is
 * learnt from is the 23 bytes at the end of JNT1; in longer ones it begins anew. */
static void foreign_padding_is_kept(void **state)
{
    (void)state;
    static const char usual[] = "This is padding data to alignme";
    static const char other[] = "Other text of 23 bytes.Other te";
    size_t size;
    uint8_t *bytes = golden_copy(&size, true);
    memcpy(bytes + 0x10, "Another exporter", 16);
    bytes[TEST_J3D_GOLDEN_DRW1 + 0x15] = 'O';
    for (size_t at = 0x20; at + 2 < size; at++) {
        size_t run = 0;
        while (run < 31 && at + run < size && bytes[at + run] == (uint8_t)usual[run])
            run++;
        if (run >= 2)
            memcpy(bytes + at, other, run);
    }
    expect_same_copy(bytes, size);
    free(bytes);
}

/* Move MDL3 behind TEX1. */
static void order_of_packets_and_textures(void **state)
{
    (void)state;
    size_t size;
    uint8_t *bytes = golden_copy(&size, true), *swapped = malloc(size);
    assert_non_null(swapped);
    memcpy(swapped, bytes, TEST_J3D_GOLDEN_MDL3);
    memcpy(swapped + TEST_J3D_GOLDEN_MDL3, bytes + TEST_J3D_GOLDEN_TEX1, 0x80);
    memcpy(swapped + TEST_J3D_GOLDEN_MDL3 + 0x80, bytes + TEST_J3D_GOLDEN_MDL3, MDL3_SIZE);
    expect_same_copy(swapped, size);
    free(swapped);
    free(bytes);
}

static void section_count_may_be_wrong(void **state)
{
    (void)state;
    size_t size;
    uint8_t *bytes = golden_copy(&size, true);
    for (uint8_t count = 0; count < 12; count++) {
        bytes[0x0F] = count;
        facet_j3d *document = read_file(bytes, size);
        assert_true(document->has_textures);
        facet_j3d_free(document);
        if (count != 9)
            expect_odd(bytes, size, "J3D-SECTION-COUNT");
    }
    free(bytes);
}

/* A section that nobody knows comes out again, at the end. */
static void unknown_section_is_kept(void **state)
{
    (void)state;
    size_t size;
    uint8_t *bytes = golden_copy(&size, false), *more = malloc(size + 0x20);
    assert_non_null(more);
    memcpy(more, bytes, size);
    memset(more + size, 0xAB, 0x20);
    memcpy(more + size, "XYZ1\0\0\0\x20", 8);
    facet_store_u32be(more + 0x08, (uint32_t)size + 0x20);
    facet_store_u32be(more + 0x0C, 9);
    expect_same_copy(more, size + 0x20);
    expect_odd(more, size + 0x20, "J3D-SECTION-UNKNOWN");
    free(more);
    free(bytes);
}

/* Elements that no display list uses, and what stands behind them, stay. */
static void unused_elements_are_kept(void **state)
{
    (void)state;
    size_t size;
    uint8_t *bytes = golden_copy(&size, false);
    facet_store_u32be(bytes + TEST_J3D_GOLDEN_VTX1 + 0xA0 + 36, 0x42280000);
    expect_same_copy(bytes, size);
    free(bytes);
}

/* INF1's counts are those of the shapes and positions, whatever was stored. */
static void counts_are_computed(void **state)
{
    (void)state;
    size_t size;
    uint8_t *bytes = golden_copy(&size, false);
    facet_store_u32be(bytes + TEST_J3D_GOLDEN_INF1 + 0x0C, 77);
    facet_store_u32be(bytes + TEST_J3D_GOLDEN_INF1 + 0x10, 1);
    facet_j3d *document = read_file(bytes, size);
    assert_int_equal(document->hierarchy.packet_count, 77);
    facet_store_u32be(bytes + TEST_J3D_GOLDEN_INF1 + 0x0C, 1);
    facet_store_u32be(bytes + TEST_J3D_GOLDEN_INF1 + 0x10, 3);
    expect_written(document, bytes, size);
    facet_j3d_free(document);
    free(bytes);
}

/* Without an image a texture has no texels, and offset 0 when it is written. */
static void headers_without_images(void **state)
{
    (void)state;
    size_t size;
    uint8_t *bytes = golden_copy(&size, false);
    size_t header = size - 0x80 + 0x20;
    facet_store_u32be(bytes + header + 0x1C, 0);
    expect_odd(bytes, size, "J3D-TEX1-NO-IMAGE");
    facet_j3d *document = read_file(bytes, size);
    assert_int_equal(document->textures.items[0].image, FACET_NO_TEXELS);
    assert_int_equal(document->textures.texels_count, 0);
    facet_j3d_free(document);
    free(bytes);
}

/* Zeros between the arrays of MAT3, and the usual text elsewhere. */
static void zeros_between_arrays_are_kept(void **state)
{
    (void)state;
    /* Behind counts, the texture number, and flags. */
    static const struct {
        uint16_t at, size;
    } gaps[] = {{0x32D, 3}, {0x345, 3}, {0x3B2, 2}, {0x3C5, 3}, {0x422, 2}, {0x426, 2}};
    size_t size;
    uint8_t *bytes = golden_copy(&size, false);
    for (size_t i = 0; i < sizeof gaps / sizeof *gaps; i++)
        memset(bytes + TEST_J3D_GOLDEN_MAT3 + gaps[i].at, 0, gaps[i].size);
    facet_j3d *document = read_file(bytes, size);
    assert_int_equal(document->materials.texgen_count_count, 1);
    assert_int_equal(document->materials.texture_number_count, 1);
    assert_true(document->layout.zeros_between_materials);
    expect_written(document, bytes, size);
    facet_j3d_free(document);
    free(bytes);
}

/* As the first exporters do: the offset of ambient colours, and that of the lights
 * that there are none of, point into the channels. The runtime takes for ambient
 * colours what is there: the second channel's first four bytes. The golden model
 * has one ambient colour, at 0x340, behind two channels at 0x330. */
static void hidden_ambient_colors(void **state)
{
    (void)state;
    size_t size;
    uint8_t *bytes = golden_copy(&size, false), *section = bytes + TEST_J3D_GOLDEN_MAT3;
    assert_int_equal(facet_load_u32be(section + 0x2C), 0x340);
    assert_int_equal(facet_load_u32be(section + 0x34), 0x344);
    facet_store_u32be(section + 0x2C, 0x334);
    facet_store_u32be(section + 0x30, 0x334);
    facet_j3d *document = read_file(bytes, size);
    const facet_j3d_materials *m = &document->materials;
    assert_int_equal(m->channel_count, 2);
    assert_int_equal(m->light_count, 0);
    assert_int_equal(m->ambient_color_count, 1);
    assert_memory_equal(&m->ambient_colors[0], section + 0x334, 4);
    assert_int_equal(document->layout.hidden_ambient_color_count, 1);
    expect_written(document, bytes, size);
    /* A new ambient colour is written where it is looked for. */
    m->ambient_colors[0].r = 0x77;
    facet_error error;
    facet_output *output;
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(facet_j3d_write(document, NULL, output, &error), &error);
    TEST_OK(facet_output_commit(output, &error), &error);
    facet_j3d *again = read_file(facet_output_data(output), (size_t)facet_output_size(output));
    assert_int_equal(again->layout.hidden_ambient_color_count, 0);
    assert_int_equal(again->materials.ambient_colors[0].r, 0x77);
    assert_int_equal(again->materials.channel_count, 2);
    facet_j3d_free(again);
    facet_output_free(output);
    facet_j3d_free(document);
    free(bytes);
}

/* Without materials a BMT announces two sections all the same. */
static void textures_alone(void **state)
{
    (void)state;
    uint8_t file[0x20 + 0x80] = "J3D2bmt3\0\0\0\xA0\0\0\0\2SVR3";
    size_t size;
    uint8_t *bytes = golden_copy(&size, false);
    memset(file + 0x14, 0xFF, 12);
    memcpy(file + 0x20, bytes + size - 0x80, 0x80);
    facet_j3d *document = read_file(file, sizeof file);
    assert_int_equal(document->kind, FACET_J3D_BMT3);
    assert_false(document->has_materials);
    assert_int_equal(document->textures.count, 1);
    expect_written(document, file, sizeof file);
    facet_j3d_free(document);
    free(bytes);
}

/* -- MAT2 --------------------------------------------------------------- */

/* The golden BMD as bmd2: the header of 0x78 bytes and the entry of 0x138 as the
 * format's description lays them out; everything behind stays, 0x20 bytes
 * earlier (0x0C less in the header, 0x14 less in the entry). */
static uint8_t *make_bmd2(size_t *size)
{
    static const struct {
        uint8_t from, to;
    } fields[] = {{0x10, 0x10}, {0x14, 0x14}, {0x1C, 0x18}, {0x20, 0x1C}, {0x24, 0x20},
                  {0x28, 0x24}, {0x34, 0x28}, {0x38, 0x2C}, {0x3C, 0x30}, {0x40, 0x34},
                  {0x44, 0x38}, {0x48, 0x3C}, {0x4C, 0x40}, {0x50, 0x44}, {0x54, 0x48},
                  {0x58, 0x4C}, {0x5C, 0x50}, {0x60, 0x54}, {0x64, 0x58}, {0x68, 0x5C},
                  {0x6C, 0x60}, {0x70, 0x64}, {0x74, 0x68}, {0x78, 0x6C}, {0x7C, 0x70},
                  {0x80, 0x74}};
    uint8_t *bytes = golden_copy(size, false), old[0x440];
    uint8_t *section = bytes + TEST_J3D_GOLDEN_MAT3, *entry = section + 0x78;
    memcpy(old, section, sizeof old);
    memcpy(bytes, "J3D2bmd2", 8);
    memset(bytes + 0x10, 0xFF, 16);
    memcpy(section, "MAT2", 4);
    memset(section + 0x0C, 0, 0x6C);
    facet_store_u32be(section + 0x0C, 0x78);
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        uint32_t offset = facet_load_u32be(old + fields[i].from);
        facet_store_u32be(section + fields[i].to, offset ? offset - 0x20 : 0);
    }
    memcpy(entry, old + 0x84, 0x14);                /* up to the channels */
    memcpy(entry + 0x14, old + 0x84 + 0x28, 0x124); /* without ambient colours and lights */
    memcpy(section + 0x1B0, old + 0x1D0, 0x440 - 0x1D0);
    /* Early files leave these unset. */
    section[facet_load_u32be(section + 0x24) + 5] = 0xFF;
    memset(entry + 0x88, 0xFF, 16);
    memset(entry + 0x98, 0xFF, 16);
    return bytes;
}

static void bmd2_is_read(void **state)
{
    (void)state;
    size_t size;
    uint8_t *bytes = make_bmd2(&size);
    facet_j3d *document = read_file(bytes, size);
    const facet_j3d_materials *m = &document->materials;
    const facet_j3d_material_entry *entry = &m->entries[0];
    assert_int_equal(document->kind, FACET_J3D_BMD2);
    assert_true(m->is_mat2);
    assert_string_equal(m->names.items[0].bytes, "mat0");
    assert_int_equal(m->cull_mode_count, 3);
    assert_int_equal(m->channel_count, 2);
    assert_int_equal(m->ambient_color_count, 0);
    assert_int_equal(m->indirect_count, 0);
    assert_int_equal(m->tev_stage_count, 1);
    assert_int_equal(m->tev_stages[0].color.inputs[1], 8);
    assert_int_equal(entry->ambient_colors[0], 0xFFFF);
    assert_int_equal(entry->lights[7], 0xFFFF);
    assert_int_equal(entry->texgens[0], 0);
    assert_int_equal(entry->textures[0], 0);
    assert_int_equal(entry->swap_tables[3], 0);
    assert_int_equal(entry->nbt_scale, 0);
    facet_j3d_free(document);
    free(bytes);
}

/* Written as bmd3, with the selections and sources that later runtimes want. */
static void bmd2_becomes_bmd3(void **state)
{
    (void)state;
    facet_error error;
    facet_options options = {0};
    facet_output *output;
    size_t size;
    uint8_t *bytes = make_bmd2(&size);
    facet_j3d *document = read_file(bytes, size);
    TEST_OK(facet_report_create(NULL, &options.report, &error), &error);
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(facet_j3d_write(document, &options, output, &error), &error);
    TEST_OK(facet_output_commit(output, &error), &error);
    assert_non_null(test_finding(options.report, "J3D-KIND"));
    facet_j3d *again = read_file(facet_output_data(output), (size_t)facet_output_size(output));
    assert_int_equal(again->kind, FACET_J3D_BMD3);
    assert_memory_equal(again->signature, "SVR3", 4);
    assert_false(again->materials.is_mat2);
    assert_int_equal(again->materials.entries[0].konst_color_selections[3], 0x0C);
    assert_int_equal(again->materials.entries[0].konst_alpha_selections[3], 0x1C);
    assert_int_equal(again->materials.channels[0].ambient_source, 0);
    assert_int_equal(again->materials.entries[0].texgens[0], 0);
    facet_j3d_free(again);
    facet_output_free(output);
    facet_report_free(options.report);
    facet_j3d_free(document);
    free(bytes);
}

/* -- Refused ------------------------------------------------------------ */

static void others_are_refused_by_name(void **state)
{
    (void)state;
    static const struct {
        const char *magic, *rule, *word;
        facet_status status;
    } others[] = {
        {"Yaz0", "J3D-COMPRESSED", "Yaz0", FACET_ERROR_UNSUPPORTED},
        {"Yay0", "J3D-COMPRESSED", "Yay0", FACET_ERROR_UNSUPPORTED},
        {"LZ77", "J3D-COMPRESSED", "LZ77", FACET_ERROR_UNSUPPORTED},
        {"RARC", "J3D-COMPRESSED", "archive", FACET_ERROR_UNSUPPORTED},
        {"J3D1bmd1", "J3D-MAGIC", "J3D1", FACET_ERROR_UNSUPPORTED},
        {"J3D2bck1", "J3D-MAGIC", "bck1", FACET_ERROR_UNSUPPORTED},
        {"J3E2bmd3", "J3D-MAGIC", "J3D2", FACET_ERROR_MALFORMED},
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        uint8_t bytes[64] = {0};
        facet_error error = {0};
        facet_j3d *document;
        memcpy(bytes, others[i].magic, strlen(others[i].magic));
        assert_int_equal(facet_j3d_read(bytes, sizeof bytes, NULL, &document, &error),
                         others[i].status);
        assert_string_equal(error.rule, others[i].rule);
        assert_non_null(strstr(error.message, others[i].word));
    }
}

/* A model of Super Mario 64 DS: scale 5, one bone at 0x3C, one display list at
 * 0x7C, no textures, all little-endian. */
static void nintendo_ds_is_refused_by_name(void **state)
{
    (void)state;
    uint8_t bytes[0x100] = {5, 0, 0, 0, 1, 0, 0, 0, 0x3C, 0, 0, 0, 1, 0, 0, 0, 0x7C, 0, 0, 0};
    facet_error error = {0};
    facet_j3d *document;
    facet_source source = {.data = bytes, .size = sizeof bytes, .name = "thwomp.bmd"};
    assert_int_equal(facet_j3d_read(bytes, sizeof bytes, NULL, &document, &error),
                     FACET_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.message, "Nintendo DS"));
    assert_string_equal(facet_format_name(facet_format_probe(&source)), "bmd");
    source.name = "thwomp.bin";
    const facet_format *probed = facet_format_probe(&source);
    assert_true(!probed || strcmp(facet_format_name(probed), "bmd") != 0);
}

/* -- Faults ------------------------------------------------------------- */

/* One number of the golden BDL changed. */
typedef struct change {
    uint32_t at;
    uint8_t width; /* bytes */
    uint32_t value;
    const char *rule;
} change;

static void every_fault_is_found(void **state)
{
    (void)state;
    enum {
        INF1 = TEST_J3D_GOLDEN_INF1,
        VTX1 = TEST_J3D_GOLDEN_VTX1,
        EVP1 = TEST_J3D_GOLDEN_EVP1,
        DRW1 = TEST_J3D_GOLDEN_DRW1,
        JNT1 = TEST_J3D_GOLDEN_JNT1,
        SHP1 = TEST_J3D_GOLDEN_SHP1,
        MAT3 = TEST_J3D_GOLDEN_MAT3,
        MDL3 = TEST_J3D_GOLDEN_MDL3,
        TEX1 = TEST_J3D_GOLDEN_TEX1,
        ENTRY = MAT3 + 0x84
    };
    static const change changes[] = {
        {INF1 + 4, 4, 0x42, "J3D-SECTION-SIZE"},
        {INF1 + 4, 4, 4, "J3D-SECTION-SIZE"},
        {INF1 + 4, 4, 0xFFFFFFFC, "J3D-SECTION-SIZE"},
        {INF1, 4, 0x56545831, "J3D-SECTION-TWICE"},
        {INF1, 4, 0x494E4632, "J3D-SECTION-MISSING"},
        {MAT3, 4, 0x4D415434, "J3D-SECTION-VARIANT"}, /* MAT4 */
        {INF1 + 0x14, 4, 0x40, "J3D-INF1-END"},
        {INF1 + 0x18, 2, 0x13, "J3D-INF1-NODE-TYPE"},
        {INF1 + 0x18, 2, 2, "J3D-INF1-BALANCE"},
        {INF1 + 0x2C, 2, 0x12, "J3D-INF1-BALANCE"},
        {INF1 + 0x1A, 2, 1, "J3D-INF1-INDEX"},
        {INF1 + 0x22, 2, 1, "J3D-INF1-INDEX"},
        {INF1 + 0x2A, 2, 1, "J3D-INF1-INDEX"},
        {INF1 + 0x20, 2, 0x10, "J3D-INF1-JOINT-TWICE"},
        {INF1 + 0x18, 2, 0x11, "J3D-INF1-JOINT-MISSING"},
        {VTX1 + 0x08, 4, 0x90, "J3D-VTX1-FORMATS"},
        {VTX1 + 0x44, 4, 2, "J3D-VTX1-COMPONENT"},
        {VTX1 + 0x48, 4, 5, "J3D-VTX1-COMPONENT"},
        {VTX1 + 0x0C, 4, 0x141, "J3D-VTX1-ARRAY"},
        {VTX1 + 0x0C, 4, 0, "J3D-VTX1-POSITION"},
        {VTX1 + 0x18, 4, 0, "J3D-DL-ARRAY"},
        {EVP1 + 0x08, 2, 1, "J3D-EVP1-ENVELOPES"},
        {DRW1 + 0x08, 2, 0xFF, "J3D-DRW1-ENTRIES"},
        {DRW1 + 0x14, 1, 2, "J3D-DRW1-TYPE"},
        {DRW1 + 0x14, 1, 1, "J3D-DRW1-INDEX"}, /* there is no envelope */
        {DRW1 + 0x16, 2, 1, "J3D-DRW1-INDEX"},
        {JNT1 + 0x08, 2, 2, "J3D-JNT1-ENTRIES"},
        {JNT1 + 0x1C, 4, 0x7F800000, "J3D-JNT1-SCALE"},
        {JNT1 + 0x58, 2, 1, "J3D-JNT1-REMAP"},
        {JNT1 + 0x14, 4, 0x7F, "J3D-NAMES-TABLE"},
        {JNT1 + 0x5C, 2, 9, "J3D-NAMES-TABLE"},
        {JNT1 + 0x62, 2, 0x24, "J3D-NAMES-STRING"},
        {SHP1 + 0x08, 2, 9, "J3D-SHP1-ENTRIES"},
        {SHP1 + 0x2C, 1, 4, "J3D-SHP1-TYPE"},
        {SHP1 + 0x30, 2, 4, "J3D-SHP1-DESCRIPTOR"},
        {SHP1 + 0x80, 4, 0x20, "J3D-SHP1-DESCRIPTOR"}, /* no end */
        {SHP1 + 0x60, 4, 0x15, "J3D-SHP1-DESCRIPTOR"},
        {SHP1 + 0x64, 4, 1, "J3D-SHP1-DESCRIPTOR"}, /* direct */
        {SHP1 + 0x68, 4, 9, "J3D-SHP1-DESCRIPTOR"}, /* twice */
        {SHP1 + 0x32, 2, 99, "J3D-SHP1-GROUP"},
        {SHP1 + 0x34, 2, 99, "J3D-SHP1-LIST"},
        {SHP1 + 0xC2, 2, 11, "J3D-SHP1-GROUP"},
        {SHP1 + 0xC4, 4, 0xFFFFFFFF, "J3D-SHP1-MATRIX-TABLE"},
        {SHP1 + 0x88, 2, 1, "J3D-SHP1-MATRIX"},
        {SHP1 + 0xC8, 4, 0x41, "J3D-SHP1-LIST"},
        {SHP1 + 0xCC, 4, 0xFFFFFFF0, "J3D-SHP1-LIST"},
        {SHP1 + 0xA0, 1, 0x61, "J3D-DL-OPCODE"},
        {SHP1 + 0xA0, 1, 0xC0, "J3D-DL-OPCODE"},
        {SHP1 + 0xA1, 2, 4, "J3D-DL-VERTICES"},
        {SHP1 + 0xA3, 2, 5, "J3D-DL-INDEX"}, /* 5 positions fit into 64 bytes */
        {MAT3 + 0x08, 2, 2, "J3D-MAT3-REMAP"},
        {MAT3 + 0x1D0, 2, 1, "J3D-MAT3-REMAP"},
        {MAT3 + 0x40, 4, 0x441, "J3D-MAT3-TABLE"},
        {ENTRY + 0x08, 2, 0x200, "J3D-MAT3-INDEX"},
        {ENTRY + 0x28, 2, 0x200, "J3D-MAT3-INDEX"},
        {ENTRY + 0xE4, 2, 0x200, "J3D-MAT3-INDEX"},
        {ENTRY + 0x01, 1, 0xFE, "J3D-MAT3-INDEX"},
        {MAT3 + 0x344, 1, 9, "J3D-MAT3-COUNT"},
        {MAT3 + 0x3C4, 1, 0, "J3D-MAT3-COUNT"},
        {MAT3 + 0x3C4, 1, 17, "J3D-MAT3-COUNT"},
        {MAT3 + 0x32C, 1, 3, "J3D-MAT3-COUNT"},
        {MAT3 + 0x3B0, 2, 1, "J3D-MAT3-TEXTURE"},
        {MDL3 + 0x40, 4, 0x200, "J3D-MDL3-PACKET"},
        {MDL3 + 0x08, 2, 0x80, "J3D-MDL3-TABLE"},
        {TEX1 + 0x08, 2, 4, "J3D-TEX1-HEADERS"},
        {TEX1 + 0x20, 1, 7, "J3D-TEX1-FORMAT"},
        {TEX1 + 0x22, 2, 0, "J3D-TEX1-SIZE"},
        {TEX1 + 0x22, 2, 32, "J3D-TEX1-DATA"},
        {TEX1 + 0x20, 1, 8, "J3D-TEX1-PALETTE"},
    };
    size_t size;
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        uint8_t *bytes = golden_copy(&size, true);
        uint32_t value = changes[i].value;
        for (uint32_t k = changes[i].width; k-- > 0; value >>= 8)
            bytes[changes[i].at + k] = (uint8_t)value;
        facet_error error = {0};
        facet_j3d *document = NULL;
        facet_status status = facet_j3d_read(bytes, size, NULL, &document, &error);
        bool variant = strcmp(changes[i].rule, "J3D-SECTION-VARIANT") == 0;
        if (status != (variant ? FACET_ERROR_UNSUPPORTED : FACET_ERROR_MALFORMED) ||
            strcmp(error.rule, changes[i].rule) != 0)
            fail_msg("0x%X = 0x%X: expected %s, got status %d, '%s' (%s)", (unsigned)changes[i].at,
                     (unsigned)changes[i].value, changes[i].rule, (int)status, error.rule,
                     error.message);
        free(bytes);
    }
}

/* Values of materials that are not in use may be anything. */
static void unused_indices_are_no_fault(void **state)
{
    (void)state;
    size_t size;
    uint8_t *bytes = golden_copy(&size, false);
    uint8_t *entry = bytes + TEST_J3D_GOLDEN_MAT3 + 0x84;
    facet_store_u16be(entry + 0x2A, 0x1234);  /* the second of one texgen */
    facet_store_u16be(entry + 0xE6, 0x1234);  /* the second of one TEV stage */
    facet_store_u16be(entry + 0x18, 0x1234);  /* a light, and there are none */
    facet_store_u16be(entry + 0x12C, 0x1234); /* exporters' garbage */
    expect_same_copy(bytes, size);
    free(bytes);
}

/* Depth costs no stack: 200,000 levels. */
static void deep_hierarchy(void **state)
{
    (void)state;
    enum { LEVELS = 200000 };
    size_t size;
    uint8_t *bytes = golden_copy(&size, false), *deep = calloc(1, size + LEVELS * 8);
    assert_non_null(deep);
    memcpy(deep, bytes, 0x38);
    uint8_t *at = deep + 0x38;
    facet_store_u32be(deep + 8, (uint32_t)(size + LEVELS * 8));
    facet_store_u32be(deep + 0x24, 0x40 + LEVELS * 8);
    for (int i = 0; i < LEVELS; i++, at += 4)
        facet_store_u32be(at, 0x00010000);
    for (int i = 0; i < LEVELS; i++, at += 4)
        facet_store_u32be(at, 0x00020000);
    memcpy(at, bytes + 0x38, size - 0x38);
    expect_same_copy(deep, size + LEVELS * 8);
    free(deep);
    free(bytes);
}

/* Every packet of every shape names the same list: refused before it takes
 * long. */
static void shared_display_lists_are_bounded(void **state)
{
    (void)state;
    enum { SHAPES = 2000, PACKETS = 2000, LIST = 0x8000 };
    facet_error error = {0};
    facet_j3d *document;
    test_j3d *model = test_j3d_small();
    test_bytes file = test_j3d_write(model, FACET_J3D_BMD3);
    size_t shp1 = test_j3d_section(&file, "SHP1");
    size_t head = 0x2C + SHAPES * 0x28, size = head + 0x20 + LIST + PACKETS * 16;
    size = (size + 31) / 32 * 32;
    uint8_t *bytes = calloc(1, shp1 + size);
    assert_non_null(bytes);
    memcpy(bytes, file.data, shp1);
    uint8_t *section = bytes + shp1;
    memcpy(section, "SHP1", 4);
    facet_store_u32be(section + 0x04, (uint32_t)size);
    facet_store_u16be(section + 0x08, SHAPES);
    facet_store_u32be(section + 0x0C, 0x2C);
    facet_store_u32be(section + 0x18, (uint32_t)head);
    facet_store_u32be(section + 0x1C, (uint32_t)head + 0x10);
    facet_store_u32be(section + 0x20, (uint32_t)head + 0x20);
    facet_store_u32be(section + 0x24, (uint32_t)head + 0x20 + LIST);
    facet_store_u32be(section + 0x28, (uint32_t)head + 0x20 + LIST + PACKETS * 8);
    for (size_t i = 0; i < SHAPES; i++)
        facet_store_u16be(section + 0x2C + i * 0x28 + 2, PACKETS);
    facet_store_u32be(section + head, 9);
    facet_store_u32be(section + head + 4, 3);
    facet_store_u32be(section + head + 8, 0xFF);
    for (size_t i = 0; i < PACKETS; i++) {
        facet_store_u16be(section + head + 0x20 + LIST + i * 8 + 2, 1);
        facet_store_u32be(section + head + 0x20 + LIST + PACKETS * 8 + i * 8, LIST);
    }
    /* MAT3 is not reached, but it has to be there. */
    facet_store_u32be(bytes + 0x0C, 6);
    size_t whole = shp1 + size;
    uint8_t *complete = malloc(whole + 8);
    assert_non_null(complete);
    memcpy(complete, bytes, whole);
    memcpy(complete + whole, "MAT3\0\0\0\x08", 8);
    assert_int_equal(facet_j3d_read(complete, whole + 8, NULL, &document, &error),
                     FACET_ERROR_MALFORMED);
    assert_string_equal(error.rule, "J3D-SHP1-SHARED");
    free(complete);
    free(bytes);
    test_bytes_free(&file);
    test_j3d_free(model);
}

/* -- Something of everything -------------------------------------------- */

static void small_model_is_copied(void **state)
{
    (void)state;
    test_j3d *model = test_j3d_small();
    for (int kind = FACET_J3D_BMD3; kind <= FACET_J3D_BDL4; kind++) {
        test_bytes file = test_j3d_write(model, (facet_j3d_kind)kind);
        facet_j3d *document = read_file(file.data, file.size);
        assert_int_equal(document->joints.count, model->joint_count);
        assert_int_equal(document->envelopes.count, model->envelope_count);
        /* Once more the envelopes. */
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

/* -- Names -------------------------------------------------------------- */

static void hashes(void **state)
{
    (void)state;
    /* The format's description computes these. */
    assert_int_equal(facet_j3d_hash(""), 0);
    assert_int_equal(facet_j3d_hash("a"), 0x0061);
    assert_int_equal(facet_j3d_hash("ab"), 0x0185);
    assert_int_equal(facet_j3d_hash("root"), 0x11AE);
    assert_int_equal(facet_j3d_hash("mat0"), 0x1074);
    assert_int_equal(facet_j3d_hash("tex0"), 0x1161);
    assert_int_equal(facet_j3d_hash("skl_root"), 0x9D65);
    assert_int_equal(facet_j3d_hash("\x82\xA0"), 0xFE26);
}

static void names_are_shift_jis(void **state)
{
    (void)state;
    /* By the code page's table: 82 A0 hiragana a, 88 9F and 93 FA kanji, 83 7E
     * and 83 80 katakana mi and mu (on either side of the byte 7F that is never
     * second), E0 40 the first of the second half, B1 half-width a, 84 40 the
     * first Cyrillic letter, EA A4 the last kanji. */
    static const struct {
        const char *bytes, *text;
    } names[] = {
        {"plain_name", "plain_name"},
        {"\x82\xA0", "\xE3\x81\x82"},
        {"\x88\x9F\x93\xFA", "\xE4\xBA\x9C\xE6\x97\xA5"},
        {"\x83\x7E\x83\x80", "\xE3\x83\x9F\xE3\x83\xA0"},
        {"\xE0\x40", "\xE6\xBC\xBE"},
        {"a\xB1z", "a\xEF\xBD\xB1z"},
        {"\x84\x40", "\xD0\x90"},
        {"\xEA\xA4", "\xE7\x86\x99"},
    };
    char made[64];
    size_t lost = 9;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        assert_int_equal(facet_j3d_name_text(names[i].bytes, made, sizeof made),
                         strlen(names[i].text));
        assert_string_equal(made, names[i].text);
        assert_int_equal(facet_j3d_name_bytes(names[i].text, made, sizeof made, &lost),
                         strlen(names[i].bytes));
        assert_string_equal(made, names[i].bytes);
        assert_int_equal(lost, 0);
    }
}

static void names_that_do_not_fit(void **state)
{
    (void)state;
    char made[4] = "xyz";
    size_t lost;
    /* A lone lead byte, an unused pair, a byte that leads nothing. */
    assert_int_equal(facet_j3d_name_text("\x82", made, sizeof made), 3);
    assert_string_equal(made, "\xEF\xBF\xBD");
    assert_int_equal(facet_j3d_name_text("\xFE", NULL, 0), 3);
    /* Cut between characters, and never inside one. */
    assert_int_equal(facet_j3d_name_text("ab\x82\xA0", made, sizeof made), 5);
    assert_string_equal(made, "ab");
    assert_int_equal(
        facet_j3d_name_bytes("\xE3\x81\x82\xE3\x81\x82\xE3\x81\x82", made, sizeof made, &lost), 6);
    assert_string_equal(made, "\x82\xA0");
    assert_int_equal(lost, 0);
    /* An accent, a smile, a byte that is no UTF-8. */
    assert_int_equal(facet_j3d_name_bytes("\xC3\xA9\xF0\x9F\x98\x80\xFF", made, sizeof made, &lost),
                     3);
    assert_string_equal(made, "___");
    assert_int_equal(lost, 3);
}

/* -- Writing what cannot be --------------------------------------------- */

static void expect_unwritten(const facet_j3d *document, facet_status status, const char *rule)
{
    facet_error error = {0};
    facet_output *output;
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    facet_status got = facet_j3d_write(document, NULL, output, &error);
    if (got != status || strcmp(error.rule, rule) != 0)
        fail_msg("expected %s, got status %d, '%s' (%s)", rule, (int)got, error.rule,
                 error.message);
    assert_int_equal(facet_output_size(output), 0);
    facet_output_free(output);
}

static void invalid_documents_are_not_written(void **state)
{
    (void)state;
    size_t size;
    uint8_t *bytes = golden_copy(&size, false);
    facet_j3d *document = read_file(bytes, size);
    facet_j3d changed = *document;
    changed.kind = FACET_J3D_BDL4;
    expect_unwritten(&changed, FACET_ERROR_ARGUMENT, "J3D-SECTION-MISSING");
    changed = *document;
    changed.vertices.arrays[FACET_J3D_ARRAY_POSITION].size = 35;
    expect_unwritten(&changed, FACET_ERROR_ARGUMENT, "J3D-VTX1-ARRAY");
    changed = *document;
    changed.hierarchy.node_count = 6;
    expect_unwritten(&changed, FACET_ERROR_ARGUMENT, "J3D-INF1-BALANCE");
    changed = *document;
    changed.has_joints = false;
    expect_unwritten(&changed, FACET_ERROR_ARGUMENT, "J3D-SECTION-MISSING");
    changed = *document;
    facet_j3d_joint joint = document->joints.items[0];
    joint.scale[1] = (float)(1e30 * 1e30);
    changed.joints.items = &joint;
    expect_unwritten(&changed, FACET_ERROR_ARGUMENT, "J3D-JNT1-SCALE");
    changed = *document;
    changed.draw_matrices.count = 70000;
    expect_unwritten(&changed, FACET_ERROR_LIMIT, "J3D-DRW1-ENTRIES");
    facet_j3d_free(document);
    free(bytes);
}

/* -- Hostile bytes ------------------------------------------------------ */

/* What can be read can be written, and reads as before. */
static void read_and_write(const uint8_t *data, size_t size, void *user)
{
    (void)user;
    facet_j3d *document;
    facet_output *output;
    facet_error error;
    if (facet_j3d_read(data, size, NULL, &document, NULL) != FACET_OK)
        return;
    assert_int_equal(facet_output_open_memory(NULL, &output, NULL), FACET_OK);
    facet_status status = facet_j3d_write(document, NULL, output, &error);
    bool without_packets = document->kind == FACET_J3D_BDL4 && !document->has_packets;
    if (status && !without_packets)
        fail_msg("what was read is not written: '%s' (%s)", error.rule, error.message);
    facet_output_free(output);
    facet_j3d_free(document);
}

static void golden_mutated(void **state)
{
    (void)state;
    size_t size;
    uint8_t *bytes = golden_copy(&size, true);
    test_every_mutation(bytes, size, read_and_write, NULL);
    free(bytes);
}

static facet_status read_with(const facet_allocator *allocator, void *user)
{
    facet_options options = {0};
    const test_bytes *file = user;
    facet_j3d *document;
    facet_output *output;
    options.allocator = allocator;
    facet_status status = facet_j3d_read(file->data, file->size, &options, &document, NULL);
    if (status)
        return status;
    status = facet_output_open_memory(NULL, &output, NULL);
    if (!status) {
        status = facet_j3d_write(document, &options, output, NULL);
        facet_output_free(output);
    }
    facet_j3d_free(document);
    return status;
}

static void without_memory(void **state)
{
    (void)state;
    test_j3d *model = test_j3d_small();
    test_bytes file = test_j3d_write(model, FACET_J3D_BDL4);
    test_every_allocation(read_with, &file);
    test_bytes_free(&file);
    test_j3d_free(model);
}

/* -- Files of others ---------------------------------------------------- */

/* Written by j3dview from free models; its layout of what these have is the
 * exporters' but for empty arrays and the text of padding. */
static void corpus_is_copied(void **state)
{
    (void)state;
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
        TEST_OK(facet_file_open(test_corpus(files[i].name), &file, &error), &error);
        facet_j3d *document = read_file(facet_file_data(file), facet_file_size(file));
        assert_int_equal(document->joints.count, files[i].joints);
        assert_int_equal(document->envelopes.count, files[i].envelopes);
        assert_int_equal(document->shapes.count, files[i].shapes);
        assert_int_equal(document->materials.slot_count, files[i].materials);
        assert_int_equal(document->textures.count, files[i].textures);
        expect_written(document, facet_file_data(file), facet_file_size(file));
        facet_j3d_free(document);
        facet_file_close(file);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden_hierarchy),
        cmocka_unit_test(golden_vertices),
        cmocka_unit_test(golden_skeleton),
        cmocka_unit_test(golden_shapes),
        cmocka_unit_test(golden_materials),
        cmocka_unit_test(golden_packets_and_textures),
        cmocka_unit_test(golden_is_written_again),
        cmocka_unit_test(kinds_become_each_other),
        cmocka_unit_test(materials_become_a_file),
        cmocka_unit_test(generation_a_pads_once),
        cmocka_unit_test(foreign_padding_is_kept),
        cmocka_unit_test(order_of_packets_and_textures),
        cmocka_unit_test(section_count_may_be_wrong),
        cmocka_unit_test(unknown_section_is_kept),
        cmocka_unit_test(unused_elements_are_kept),
        cmocka_unit_test(counts_are_computed),
        cmocka_unit_test(headers_without_images),
        cmocka_unit_test(zeros_between_arrays_are_kept),
        cmocka_unit_test(hidden_ambient_colors),
        cmocka_unit_test(textures_alone),
        cmocka_unit_test(bmd2_is_read),
        cmocka_unit_test(bmd2_becomes_bmd3),
        cmocka_unit_test(others_are_refused_by_name),
        cmocka_unit_test(nintendo_ds_is_refused_by_name),
        cmocka_unit_test(every_fault_is_found),
        cmocka_unit_test(unused_indices_are_no_fault),
        cmocka_unit_test(deep_hierarchy),
        cmocka_unit_test(shared_display_lists_are_bounded),
        cmocka_unit_test(small_model_is_copied),
        cmocka_unit_test(hashes),
        cmocka_unit_test(names_are_shift_jis),
        cmocka_unit_test(names_that_do_not_fit),
        cmocka_unit_test(invalid_documents_are_not_written),
        cmocka_unit_test(golden_mutated),
        cmocka_unit_test(without_memory),
        cmocka_unit_test(corpus_is_copied),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
