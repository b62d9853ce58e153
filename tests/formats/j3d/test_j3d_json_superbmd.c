/* J3D materials as JSON of SuperBMD. The samples are handwritten in the form of its serializer. The
 * expected values are what its code would write into a file. */
#include "gx/enumerations.h"
#include "support/j3d_json.h"

#include <stdlib.h>

/* -- SuperBMD ----------------------------------------------------------- */

TEST(superbmd_materials_are_understood)
{
    facet_error error;
    facet_report *report;
    facet_j3d *document = document_with_textures();
    facet_j3d_material in[3], m;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    test_j3d_plain_material(&in[0], "skin");
    test_j3d_plain_material(&in[1], "red_Hat_2");
    test_j3d_plain_material(&in[2], "hair");
    in[1].gx.textures[0] = in[2].gx.textures[0] = 3;
    TEST_OK(facet_j3d_set_materials(document, in, 3, &error), &error);
    TEST_OK(apply(document, superbmd, NULL, report, &error), &error);

    TEST_OK(facet_j3d_get_material(document, 0, &m, &error), &error);
    assert_int_equal(m.mode, 4);
    assert_int_equal(m.gx.cull_mode, 0);
    assert_int_equal(m.gx.early_depth, 0);
    assert_int_equal(m.gx.dither, 1);
    assert_int_equal(m.gx.stage_count, 2);
    assert_int_equal(m.gx.texgen_count, 2);
    assert_int_equal(m.gx.channel_count, 2); /* Color1A1 is used */
    assert_int_equal(m.given.textures, 9);
    assert_int_equal(m.gx.textures[0], 2);
    assert_int_equal(m.gx.textures[3], 1);
    assert_int_equal(m.gx.indirect.enabled, 1);
    assert_int_equal(m.gx.indirect.orders[0].texmap, 2);
    assert_int_equal(m.gx.indirect.orders[1].texcoord, 0xFF);
    assert_true(m.gx.indirect.matrices[0].rows[1][1] == 0.25f);
    assert_int_equal(m.gx.indirect.matrices[0].exponent, -1);
    assert_int_equal(m.gx.indirect.scales[0].s, 2);
    const facet_gx_indirect_stage indirect = {1, 2, 7, 6, 0, 6, 1, 0, 3, {255, 255, 255}};
    assert_memory_equal(&m.gx.indirect.stages[0], &indirect, sizeof indirect);
    assert_int_equal(m.given.material_colors, 1);
    assert_int_equal(m.gx.material_colors[0].g, 128);
    assert_int_equal(m.gx.ambient_colors[0].a, 50);
    const facet_gx_channel lit = {1, 1, 4, 2, 2, 0, {255, 255}};
    const facet_gx_channel spec = {0, 0, 3, 1, 1, 0, {255, 255}};
    assert_memory_equal(&m.gx.channels[0], &lit, sizeof lit);
    assert_memory_equal(&m.gx.channels[1], &spec, sizeof spec);
    assert_int_equal(m.given.channels, 3);
    assert_int_equal(m.gx.texgens[1].type, 10);
    assert_int_equal(m.gx.texgens[1].source, 19);
    assert_int_equal(m.gx.texgens[1].matrix, 57);
    assert_int_equal(m.gx.texture_matrices[0].mode, 7);
    assert_int_equal(m.gx.texture_matrices[0].rotation, 16384);
    assert_int_equal(m.given.texture_matrices, 1);
    assert_int_equal(m.given.post_matrices, 0);
    assert_int_equal(m.gx.tev_orders[1].channel, 5);
    assert_int_equal(m.gx.konst_color_selections[1], 5);
    assert_int_equal(m.gx.konst_alpha_selections[0], 0x1F);
    assert_int_equal(m.gx.tev_registers[0].r, -255);
    assert_int_equal(m.gx.tev_registers[0].b, 1020);
    assert_int_equal(m.gx.konst_colors[0].a, 51);
    const facet_gx_tev_stage stage = {
        255, {{15, 10, 8, 15}, 0, 2, 3, 1, 2}, {{4, 6, 7, 3}, 15, 0, 2, 0, 0}, 255};
    assert_memory_equal(&m.gx.tev_stages[1], &stage, sizeof stage);
    assert_int_equal(m.gx.swap_modes[0].texture_table, 1);
    assert_int_equal(m.given.swap_tables, 3);
    assert_int_equal(m.gx.swap_tables[1].b, 3);
    assert_int_equal(m.gx.fog.type, 2);
    assert_int_equal(m.gx.fog.range_table[1], 0x101);
    assert_int_equal(m.gx.fog.range_table[9], 0x80);
    const facet_gx_alpha_compare alpha = {6, 128, 3, 3, 255, {255, 255, 255}};
    assert_memory_equal(&m.gx.alpha_compare, &alpha, sizeof alpha);
    const facet_gx_blend blend = {1, 3, 7, 2};
    assert_memory_equal(&m.gx.blend, &blend, sizeof blend);
    assert_int_equal(m.gx.depth.write, 0);
    assert_true(m.gx.nbt_scale.scale[0] == 0);

    /* A value that the file omits is the default of its type; the texture is kept. */
    TEST_OK(facet_j3d_get_material(document, 1, &m, &error), &error);
    assert_int_equal(m.gx.cull_mode, 1);
    assert_int_equal(m.gx.textures[0], 3);
    assert_int_equal(m.gx.textures[1], 1);
    TEST_OK(facet_j3d_get_material(document, 2, &m, &error), &error);
    assert_int_equal(m.gx.cull_mode, 3);
    assert_int_equal(m.gx.textures[0], 3);
    assert_non_null(test_finding(report, "J3D-JSON-NAME"));
    assert_null(test_finding(report, "J3D-JSON-KEY"));
    assert_null(test_finding(report, "LOSS-UNREAD"));

    /* Two lights, and the fifth of six swap tables: the sixth is null. */
    TEST_OK(apply(document,
                  "[{\"Name\":\"hair\",\"LightingColors\":[null,{\"R\":1},{\"R\":0},null],"
                  "\"SwapTables\":[null,null,null,null,{\"R\":1},null]}]",
                  NULL, report, &error),
            &error);
    const facet_finding *loss = test_finding(report, "LOSS-UNREAD");
    assert_non_null(loss);
    assert_non_null(strstr(loss->message, " 3 values"));
    assert_true(strstr(loss->message, "LightingColors") || strstr(loss->message, "SwapTables"));

    assert_int_equal(
        apply(document, "[{\"Name\":\"hair\",\"CullMode\":\"NONE_\"}]", NULL, report, &error),
        FACET_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "[0].CullMode"));
    facet_report_free(report);
    facet_j3d_free(document);
}

TEST(superbmd_textures_are_understood)
{
    facet_error error;
    facet_j3d *document = document_with_textures();
    TEST_OK(
        apply(document, NULL,
              "[{\"Name\":\"eye\",\"Format\":\"I4\",\"AlphaSetting\":2,\"WrapS\":\"ClampToEdge\""
              ",\"WrapT\":\"MirroredRepeat\",\"PaletteFormat\":\"IA8\",\"MipMap\":1,\"EdgeLOD\":"
              "true,\"BiasClamp\":false,\"MaxAniso\":2,\"MinFilter\":\"NearestMipmapLinear\","
              "\"MagFilter\":\"Linear\",\"MinLOD\":0.0,\"MaxLOD\":2.5,\"LodBias\":-1.0},"
              "{\"Name\":\"body\",\"WrapS\":\"Repeat\"},"
              "{\"Name\":\"body\",\"WrapS\":\"ClampToEdge\",\"WrapT\":\"Repeat\"}]",
              NULL, &error),
        &error);
    const facet_bti_header *h = &document->textures.items[1].header;
    assert_int_equal(h->transparency, 2);
    assert_int_equal(h->wrap_t, 2);
    assert_int_equal(h->has_mipmaps, 1);
    assert_int_equal(h->max_anisotropy, 2);
    assert_int_equal(h->min_filter, 3); /* the name is that of OpenGL, the number is correct */
    assert_int_equal(h->max_lod, 20);
    assert_int_equal(h->lod_bias, -100);
    assert_int_equal(document->textures.items[0].header.wrap_s, 1);
    assert_int_equal(document->textures.items[2].header.wrap_s, 0);
    assert_int_equal(document->textures.items[2].header.wrap_t, 1);
    /* The older version has numbers as in the file, and another name. */
    TEST_OK(apply(document, NULL,
                  "[{\"Name\":\"eye\",\"Format\":\"I4\",\"EmbeddedPaletteOffset\":0,\"MinLOD\":-8,"
                  "\"MagLOD\":24,\"LodBias\":50}]",
                  NULL, &error),
            &error);
    assert_int_equal(h->min_lod, -8);
    assert_int_equal(h->max_lod, 24);
    assert_int_equal(h->lod_bias, 50);
    facet_j3d_free(document);
}
