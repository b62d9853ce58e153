/* Tests of the fields of a J3D document. The expected values are those of a handwritten model
 * that follows the format description (support/j3d_golden.h). */
#include "support/j3d_document.h"

#include <facet/gx.h>

TEST(golden_hierarchy_has_the_documented_nodes)
{
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

TEST(golden_vertices_have_the_documented_formats)
{
    size_t size;
    uint8_t *bytes = golden_copy(&size, true);
    const uint8_t *section = bytes + TEST_J3D_GOLDEN_VTX1;
    facet_j3d *document = read_file(bytes, size);
    const facet_j3d_array *arrays = document->vertices.arrays;
    assert_int_equal(document->vertices.format_count, 4);
    /* Three positions, one normal, one color and three texcoords, in 64, 32, 32 and the last 32
     * bytes. */
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

TEST(golden_skeleton_has_the_documented_joints)
{
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

TEST(golden_shapes_have_the_documented_fields)
{
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

/* The distances between the offsets of the arrays in the header, and the values at these
 * offsets. */
TEST(golden_materials_have_the_documented_fields)
{
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

TEST(golden_packets_and_textures)
{
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
    /* Only early games write a single run of padding before the descriptors of SHP1. */
    assert_false(document->layout.generation_a);
    assert_true(document->layout.narrow_blend_mask);

    const facet_j3d_texture *texture = &document->textures.items[0];
    assert_int_equal(document->textures.count, 1);
    assert_int_equal(texture->header.format, FACET_GX_I4);
    assert_int_equal(texture->header.width, 8);
    assert_int_equal(texture->header.height, 8);
    assert_int_equal(texture->header.wrap_s, 1);
    assert_int_equal(texture->image, 0);
    assert_int_equal(texture->palette, FACET_J3D_NO_TEXELS);
    assert_int_equal(document->textures.texels_count, 1);
    assert_int_equal(document->textures.texels[0].size, 32);
    assert_ptr_equal(document->textures.texels[0].bytes, bytes + TEST_J3D_GOLDEN_TEX1 + 0x40);
    assert_string_equal(document->textures.names.items[0].bytes, "tex0");
    facet_j3d_free(document);
    free(bytes);
}
