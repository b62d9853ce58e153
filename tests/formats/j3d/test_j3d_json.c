/* Tests of J3D materials, textures, joints and shapes as JSON: every value is kept, and errors name
 * the member. */
#include "base/arena.h"
#include "formats/j3d/json/json.h"
#include "gx/enumerations.h"
#include "gx/json/file_part.h"
#include "gx/json/file_state.h"
#include "gx/json/record.h"
#include "support/j3d_json.h"
#include "support/j3d_random.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* -- Numbers ------------------------------------------------------------ */

/* The float nearest to 1e-17 is 9.99999983775159e-18, rounded to nine digits. */
TEST(small_numbers_have_nine_digits)
{
    facet_json *number = facet_gx_json_float(1e-17F);
    assert_true(facet_json_number_value(number) == 9.99999984e-18);
    facet_json_free(number);
}

/* -- Names -------------------------------------------------------------- */

TEST(every_enumeration_name_has_its_value)
{
    const facet_gx_enumeration *all[] = {
        &facet_gx_material_modes,
        &facet_gx_cull_modes,
        &facet_gx_color_sources,
        &facet_gx_diffuse_functions,
        &facet_gx_attenuation_functions,
        &facet_gx_texgen_types,
        &facet_gx_texgen_sources,
        &facet_gx_texgen_matrices,
        &facet_gx_projections,
        &facet_gx_matrix_modes,
        &facet_gx_texcoords,
        &facet_gx_texmaps,
        &facet_gx_tev_channels,
        &facet_gx_color_inputs,
        &facet_gx_alpha_inputs,
        &facet_gx_tev_operations,
        &facet_gx_tev_biases,
        &facet_gx_tev_scales,
        &facet_gx_tev_registers,
        &facet_gx_konst_colors,
        &facet_gx_konst_alphas,
        &facet_gx_swap_components,
        &facet_gx_indirect_formats,
        &facet_gx_indirect_biases,
        &facet_gx_indirect_matrices,
        &facet_gx_indirect_wraps,
        &facet_gx_indirect_alphas,
        &facet_gx_indirect_scales,
        &facet_gx_fog_types,
        &facet_gx_comparisons,
        &facet_gx_alpha_operations,
        &facet_gx_blend_types,
        &facet_gx_source_factors,
        &facet_gx_destination_factors,
        &facet_gx_logic_operations,
        &facet_gx_texture_formats,
        &facet_gx_palette_formats,
        &facet_gx_wraps,
        &facet_gx_filters,
        &facet_gx_anisotropies,
        &facet_gx_file_kinds,
        &facet_gx_scalings,
        &facet_gx_node_types,
        &facet_gx_attributes,
        &facet_gx_joint_kinds,
        &facet_gx_shape_types,
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        for (size_t k = 0; k < all[i]->count; k++) {
            const facet_gx_value_name *v = &all[i]->values[k];
            uint32_t value;
            assert_true(facet_gx_enumeration_value(all[i], v->name, false, &value));
            assert_int_equal(value, v->value);
            assert_non_null(facet_gx_enumeration_name(all[i], v->value));
            if (v->superbmd) {
                assert_true(facet_gx_enumeration_value(all[i], v->superbmd, true, &value));
                assert_int_equal(value, v->value);
            }
        }
        assert_null(facet_gx_enumeration_name(all[i], 77));
    }
    uint32_t value;
    assert_true(facet_gx_enumeration_value(&facet_gx_comparisons, "gEqual", false, &value));
    assert_int_equal(value, 6);
    assert_false(facet_gx_enumeration_value(&facet_gx_comparisons, "GEQUALS", false, &value));
    assert_string_equal(facet_gx_enumeration_name(&facet_gx_konst_colors, 0x1A), "K2_B");
    assert_string_equal(facet_gx_enumeration_name(&facet_gx_texgen_matrices, 33), "TEXMTX1");
}

/* -- Round trips -------------------------------------------------------- */

TEST(materials_come_back_from_extras)
{
    facet_error error;
    for (uint32_t seed = 0; seed < 60; seed++) {
        test_random random = {seed};
        facet_j3d *document = document_with_textures();
        facet_j3d_extras parsed = facet_j3d_extras_make(document->arena);
        facet_j3d_material in, out;
        test_j3d_material(&random, 4, &in);
        if (seed == 1)
            in.gx.texture_matrices[0].effect[3] = NAN;
        if (seed == 2)
            in.gx.texture_matrices[0].translation[1] = -0.0f;
        if (seed == 3)
            in.gx.fog.start = -INFINITY, in.gx.fog.far_z = 0.1f;
        TEST_OK(facet_j3d_set_materials(document, &in, 1, &error), &error);
        facet_j3d_naming naming;
        assert_true(facet_j3d_naming_make(document, document->arena, &naming));
        TEST_OK(facet_j3d_get_material(document, 0, &in, &error), &error);
        facet_gx_file_material *file =
            facet_j3d_file_material(document, &naming, &in, document->arena);
        const facet_gx_file_material *read;
        assert_non_null(file);
        memset(&out, 0, sizeof out);
        TEST_OK(facet_j3d_material_from_file(file, &document->textures, &out, &error), &error);
        test_j3d_same_material(&in, &out);
        /* The same through text. */
        facet_json *json = facet_gx_file_material_json(file);
        char *text = facet_json_print(json, &(facet_json_style){.digits = 9});
        TEST_OK(facet_j3d_file_material_now(&parsed, text, file, &read, &error), &error);
        assert_non_null(read);
        assert_ptr_not_equal(read, file);
        assert_true(read->is_known && !read->wrong && !read->wrong_textures && !read->has_others);
        memset(&out, 0, sizeof out);
        TEST_OK(facet_j3d_material_from_file(read, &document->textures, &out, &error), &error);
        test_j3d_same_material(&in, &out);
        facet_gx_file_material twice = *file;
        assert_int_equal(facet_gx_file_material_compare(file, &twice), 0);
        twice.mode ^= 7;
        assert_int_not_equal(facet_gx_file_material_compare(file, &twice), 0);
        facet_json_free(json);
        free(text);
        facet_j3d_extras_free(&parsed);
        facet_j3d_free(document);
    }
}

/* Apply a complete file to other materials with the same names: they become equal, except for
 * reserved bytes. A finding reports those only where they differ from the usual ones. */
TEST(materials_come_back_from_files)
{
    facet_error error;
    for (uint32_t seed = 100; seed < 130; seed++) {
        test_random random = {seed};
        facet_j3d *from = document_with_textures(), *to = document_with_textures();
        facet_j3d_material in[3], other[3], out;
        const char *const names[] = {"one", "two", "one"};
        for (int i = 0; i < 3; i++) {
            test_j3d_material(&random, 4, &in[i]);
            test_j3d_material(&random, 4, &other[i]);
            in[i].name.bytes = other[i].name.bytes = names[i];
            memset(in[i].unused, 1, sizeof in[i].unused);
        }
        TEST_OK(facet_j3d_set_materials(from, in, 3, &error), &error);
        TEST_OK(facet_j3d_set_materials(to, other, 3, &error), &error);
        facet_j3d_options how = {.materials = facet_j3d_materials_json(from, from->arena)};
        facet_options options = {.j3d = &how};
        bool changed = false;
        assert_non_null(how.materials);
        TEST_OK(facet_j3d_apply_json(to, &options, &changed, &error), &error);
        assert_true(changed);
        TEST_OK(facet_j3d_get_material(to, 1, &out, &error), &error);
        assert_string_equal(out.name.bytes, "two");
        assert_int_equal(out.mode, in[1].mode);
        assert_memory_equal(&out.given, &in[1].given, sizeof out.given);
        assert_memory_equal(out.gx.konst_color_selections, in[1].gx.konst_color_selections, 16);
        for (int i = 0; i < 16; i++) {
            assert_memory_equal(&out.gx.tev_stages[i].color, &in[1].gx.tev_stages[i].color, 9);
            assert_memory_equal(&out.gx.tev_stages[i].alpha, &in[1].gx.tev_stages[i].alpha, 9);
        }
        assert_memory_equal(out.gx.textures, in[1].gx.textures, sizeof out.gx.textures);
        TEST_OK(facet_j3d_get_material(to, 2, &out, &error), &error);
        assert_int_equal(out.mode, in[2].mode);
        assert_memory_equal(out.gx.konst_colors, in[2].gx.konst_colors, sizeof out.gx.konst_colors);
        facet_j3d_free(from);
        facet_j3d_free(to);
    }
}

static const char *text_of(facet_gx_file_part *part, facet_arena *arena)
{
    assert_non_null(part);
    const char *text = facet_gx_json_extras_text(facet_gx_file_part_json(part, arena), arena);
    assert_non_null(text);
    return text;
}

TEST(textures_joints_and_shapes_come_back)
{
    facet_error error;
    facet_j3d *document = document_with_textures();
    facet_bti_header header = {14, 0xCC, 64, 32, 1, 2,  0,  0, 0, 0,   1,
                               1,  0,    2,  5,  1, -4, 16, 3, 7, -50, 0};
    document->textures.items[2].header = header;
    facet_j3d_joint joints[2] = {{.kind = 0x21,
                                  .scale_compensate = 0xFF,
                                  .unknown = 0xFF,
                                  .scale = {1, 2, 0.1f},
                                  .rotation = {-32768, 16383, 1},
                                  .unknown2 = 0xFFFF,
                                  .translation = {0.333333343f, 1e-30f, -1e20f},
                                  .radius = 3,
                                  .minimum = {-1, -2, -3},
                                  .maximum = {1, 2, 3},
                                  .parent = FACET_J3D_NONE}};
    facet_j3d_shape shapes[1] = {{.type = 3,
                                  .unknown = 0xFF,
                                  .unknown2 = 5,
                                  .radius = 0.7f,
                                  .minimum = {-1, -2, -3},
                                  .maximum = {1, 2, 3},
                                  .material = FACET_J3D_NONE,
                                  .joint = FACET_J3D_NONE}};
    document->joints.items = joints;
    document->joints.count = 1;
    document->shapes.items = shapes;
    document->shapes.count = 1;
    document->kind = FACET_J3D_BDL4;
    document->hierarchy.flags = 2;
    document->layout.generation_a = true;

    facet_j3d_joint joint = joints[0];
    facet_gx_file_part *part;
    facet_j3d_extras parsed = facet_j3d_extras_make(document->arena);
#define PARSED(text) facet_j3d_extras_of(&parsed, text)
    facet_arena *arena = document->arena;
    const char *extras = text_of(facet_j3d_file_joint(&joints[0], arena), arena);
    assert_non_null(strstr(extras, "0.1,") ? strstr(extras, "0.1") : strstr(extras, "0.1]"));
    TEST_OK(facet_gx_file_part_now(extras, NULL, arena, &part, &error), &error);
    assert_non_null(part->joint);
    assert_null(part->shape);
    assert_false(part->has_others);
    joint.kind = joint.unknown = 99;
    memset(joint.maximum, 0, sizeof joint.maximum);
    facet_j3d_joint_from_file(part->joint, &joint);
    assert_memory_equal(&joint, &joints[0], sizeof joint);
    extras = text_of(facet_j3d_file_shape(&shapes[0], arena), arena);
    TEST_OK(facet_gx_file_part_now(extras, NULL, arena, &part, &error), &error);
    assert_null(part->joint);
    assert_int_equal(part->shape->type, 3);
    assert_int_equal(part->shape->unknown2, 5);
    assert_memory_equal(part->shape->minimum, shapes[0].minimum, sizeof part->shape->minimum);
    extras = text_of(facet_j3d_file_model(document, arena), arena);
    TEST_OK(facet_gx_file_part_now(extras, NULL, arena, &part, &error), &error);
    assert_int_equal(part->model->kind, FACET_J3D_BDL4);
    assert_int_equal(part->model->flags, 2);
    assert_true(part->model->generation_a);

    const uint32_t which[] = {2, 0};
    facet_j3d_naming naming;
    assert_true(facet_j3d_naming_make(document, document->arena, &naming));
    facet_gx_file_image *file = facet_j3d_file_image(document, &naming, which, 2, document->arena);
    assert_non_null(file);
    facet_json *json = facet_gx_file_image_json(file);
    char *text = facet_json_print(json, NULL);
    const facet_gx_file_image *read;
    TEST_OK(facet_j3d_file_image_now(&parsed, text, file, &read, &error), &error);
    for (int way = 0; way < 2; way++) {
        const facet_gx_file_image *found_file = way ? read : file;
        assert_int_equal(found_file->texture_count, 2);
        assert_false(found_file->is_computed);
        assert_string_equal(found_file->textures[0].name, "body:1");
        assert_int_equal(found_file->textures[0].index, 2);
        assert_memory_equal(&found_file->textures[0].header, &header, sizeof header);
        assert_string_equal(found_file->textures[1].name, "body");
    }
    facet_json_free(json);
    free(text);
    TEST_OK(
        facet_j3d_file_image_now(&parsed, "{\"j3d\": {\"computed\": true}}", NULL, &read, &error),
        &error);
    assert_true(read->is_computed);

    /* Extras without J3D data change nothing. */
    TEST_OK(facet_gx_file_part_now("{\"mass\": 3}", part, arena, &part, &error), &error);
    assert_true(part->has_others);
    assert_null(part->model);
    TEST_OK(facet_gx_file_part_now(NULL, part, arena, &part, &error), &error);
    assert_null(part);
    TEST_OK(facet_j3d_file_image_now(&parsed, NULL, NULL, &read, &error), &error);
    assert_null(read);
    TEST_OK(facet_j3d_file_image_now(&parsed, "{\"mass\": 3}", file, &read, &error), &error);
    assert_null(read);
    /* Equal texts are parsed once, wherever they are stored; invalid JSON gives NULL each time. */
    char one[] = "{\"mass\": 3}", other[] = "{\"mass\": 3}";
    assert_non_null(PARSED(one));
    assert_ptr_equal(PARSED(one), PARSED(other));
    assert_null(PARSED("mass"));
    assert_null(PARSED("mass"));
    facet_j3d_extras_free(&parsed);
    facet_j3d_free(document);
}

/* -- Meaning of the members --------------------------------------------- */

TEST(a_file_changes_what_it_speaks_of)
{
    facet_error error;
    facet_j3d *document = document_with_textures();
    facet_j3d_material in, out;
    test_j3d_plain_material(&in, "skin");
    in.gx.textures[0] = 1;
    TEST_OK(facet_j3d_set_materials(document, &in, 1, &error), &error);
    TEST_OK(apply(document,
                  "{\"materials\": [{\"name\": \"skin\", \"cullMode\": \"none\", \"mode\": "
                  "\"TRANSLUCENT\", \"fog\": null,"
                  "\"textures\": [\"body:1\", null, 3.0], \"blend\": {\"type\": \"BLEND\", "
                  "\"destination\": \"INVSRCALPHA\"},"
                  "\"texgens\": [{\"matrix\": \"TEXMTX2\"}],"
                  "\"textureMatrices\": [{\"rotation\": 45, \"center\": [0, 0.25, 1]}],"
                  "\"konstColorSelections\": [\"7_8\", \"K3_A\"],"
                  "\"tevRegisters\": [[-1024, 0, 255, 1023]],"
                  "\"swapTables\": [[\"A\", \"A\", \"A\", \"R\"]]}]}",
                  NULL, NULL, &error),
            &error);
    TEST_OK(facet_j3d_get_material(document, 0, &out, &error), &error);
    assert_int_equal(out.gx.cull_mode, 0);
    assert_int_equal(out.mode, 4);
    assert_false(out.given.fog);
    assert_int_equal(out.given.textures, 5);
    assert_int_equal(out.gx.textures[0], 2);
    assert_int_equal(out.gx.textures[2], 3);
    assert_int_equal(out.gx.blend.type, 1);
    assert_int_equal(out.gx.blend.source, in.gx.blend.source); /* not in the JSON */
    assert_int_equal(out.gx.blend.destination, 5);
    assert_int_equal(out.gx.texgens[0].matrix, 36);
    assert_int_equal(out.gx.texgens[0].source, 4);
    assert_int_equal(out.gx.texture_matrices[0].rotation, 8192); /* 45/360 of 65536 */
    assert_true(out.gx.texture_matrices[0].center[1] == 0.25f);
    assert_true(out.gx.texture_matrices[0].scale[0] == 1);
    assert_int_equal(out.gx.konst_color_selections[0], 1);
    assert_int_equal(out.gx.konst_color_selections[1], 31);
    assert_int_equal(out.gx.konst_color_selections[2], 0x0C);
    assert_int_equal(out.given.tev_registers, 1);
    assert_int_equal(out.gx.tev_registers[0].r, -1024);
    assert_int_equal(out.given.swap_tables, 1);
    assert_int_equal(out.gx.swap_tables[0].r, 3);
    assert_int_equal(out.gx.swap_tables[0].a, 0);
    facet_j3d_free(document);
}

TEST(faults_are_reported_with_their_position)
{
    static const struct {
        const char *json, *says;
    } faults[] = {
        {"{\"materials\": [", "not JSON: the text ends, expected a value"},
        {"{\"textures\": []}", "the list \"materials\" is missing"},
        {"{\"materials\": [{\"mode\": 1}]}", "materials[0]: the name is missing"},
        {"{\"materials\": [{\"name\": \"skim\"}]}",
         "material \"skim\" does not exist; the model has skin, hair"},
        {"{\"materials\": [{\"name\": \"skin\", \"color\": 1}]}",
         "materials[0].color: unknown key; valid keys are mode, cullMode"},
        {"{\"materials\": [{\"name\": \"skin\"}, {\"name\": \"hair\", \"cullMode\": \"BOTH\"}]}",
         "materials[1].cullMode: found \"BOTH\", expected a cull mode: NONE, FRONT, BACK, ALL"},
        {"{\"materials\": [{\"name\": \"skin\", \"tevStages\": [{\"color\": {\"inputs\": "
         "[\"ZERO\", \"TEXC\", 16.5, \"ZERO\"]}}]}]}",
         "materials[0].tevStages[0].color.inputs[2]: found 16.5, expected a color input"},
        {"{\"materials\": [{\"name\": \"skin\", \"textures\": [\"nose\"]}]}",
         "textures[0]: texture \"nose\" does not exist; the model has body, eye, body, a:1"},
        {"{\"materials\": [{\"name\": \"skin\", \"materialColors\": [[1, 2, 3]]}]}",
         "materialColors[0]: found an array of 3, expected an array of 4"},
        {"{\"materials\": [{\"name\": \"skin\", \"materialColors\": [[1, 2, 3, 256]]}]}",
         "materialColors[0][3]: found 256, expected a whole number from 0 to 255"},
        {"{\"materials\": [{\"name\": \"skin\", \"konstColors\": [[1,1,1,1],[1,1,1,1],[1,1,1,1],"
         "[1,1,1,1],[1,1,1,1]]}]}",
         "konstColors: found an array of 5, expected an array of at most 4"},
        {"{\"materials\": [{\"name\": \"skin\", \"dither\": \"yes\"}]}",
         "dither: found \"yes\", expected true or false"},
        {"{\"materials\": [{\"name\": \"skin\", \"fog\": {\"start\": \"near\"}}]}",
         "fog.start: found \"near\", expected a number"},
        {"{\"materials\": [{\"name\": \"skin\", \"fog\": 3}]}", "fog: found 3, expected an object"},
        {"{\"materials\": [{\"name\": \"skin\", \"textureMatrices\": [{\"rotation\": 200}]}]}",
         "rotation: found 200, expected a number from -180 to 179.995"},
    };
    facet_error error;
    facet_j3d *document = document_with_textures();
    facet_j3d_material in[2], out;
    test_j3d_plain_material(&in[0], "skin");
    test_j3d_plain_material(&in[1], "hair");
    TEST_OK(facet_j3d_set_materials(document, in, 2, &error), &error);
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        assert_int_equal(apply(document, faults[i].json, NULL, NULL, &error), FACET_ERROR_ARGUMENT);
        assert_string_equal(error.rule, "J3D-JSON-MATERIALS");
        if (!strstr(error.message, faults[i].says))
            fail_msg("'%s' does not say '%s'", error.message, faults[i].says);
        TEST_OK(facet_j3d_get_material(document, 1, &out, &error), &error);
        assert_int_equal(out.gx.cull_mode, 2);
    }
    facet_j3d_free(document);
}

/* -- Textures ----------------------------------------------------------- */

/* 4 by 4 texels of RGB565, 0xF0F0: 30, 7, 16 of 31, 63, 31. A gray palette would lose these
 * colors. */
TEST(new_palettes_have_the_colors_of_the_picture)
{
    facet_error error;
    facet_j3d *document = document_with_textures();
    facet_bti_header *header = &document->textures.items[1].header;
    header->width = header->height = 4;
    header->format = FACET_GX_RGB565;
    TEST_OK(apply(document, NULL, "{\"textures\": [{\"name\": \"eye\", \"format\": \"C8\"}]}", NULL,
                  &error),
            &error);
    assert_int_equal(header->format, FACET_GX_C8);
    assert_int_equal(header->palette_format, FACET_GX_PALETTE_RGB565);
    facet_j3d_free(document);
}

TEST(textures_change_their_headers_and_formats)
{
    facet_error error;
    facet_j3d *document = document_with_textures();
    TEST_OK(apply(document, NULL,
                  "{\"textures\": [{\"name\": \"eye\", \"wrapS\": \"MIRROR\", \"minFilter\": "
                  "\"LIN_MIP_NEAR\", \"maxLod\": 1.5, \"lodBias\": -0.25},"
                  "{\"name\": \"body:1\", \"format\": \"I8\"}]}",
                  NULL, &error),
            &error);
    const facet_j3d_textures *t = &document->textures;
    assert_int_equal(t->items[1].header.wrap_s, 2);
    assert_int_equal(t->items[1].header.min_filter, 3);
    assert_int_equal(t->items[1].header.max_lod, 12);
    assert_int_equal(t->items[1].header.lod_bias, -25);
    assert_int_equal(t->items[1].header.format, 0);
    assert_int_equal(t->items[2].header.format, 1);
    assert_int_equal(t->items[0].image, 0);
    assert_int_equal(t->items[2].image, 1);
    assert_int_equal(t->texels_count, 2);
    /* I4 F0F0F0F0 is FF 00 FF 00 ... in I8, in blocks of 8 x 4. */
    assert_int_equal(t->texels[1].size, 64);
    assert_int_equal(t->texels[1].bytes[0], 0xFF);
    assert_int_equal(t->texels[1].bytes[1], 0x00);
    assert_int_equal(t->texels[1].bytes[8], 0x00);
    assert_int_equal(t->texels[1].bytes[9], 0xFF);
    facet_gx_texture texture;
    TEST_OK(facet_j3d_get_texture(document, 2, &texture, &error), &error);
    assert_int_equal(texture.format, FACET_GX_I8);
    assert_ptr_equal(texture.data, t->texels[1].bytes);
    TEST_REFUSED(facet_j3d_get_texture(document, t->count, &texture, &error), FACET_ERROR_ARGUMENT,
                 "J3D-TEX1-COUNT", &error);
    /* The filter and the largest level of detail, in eighths, follow the number of levels. */
    TEST_OK(apply(document, NULL, "{\"textures\": [{\"name\": \"body:1\", \"levelCount\": 3}]}",
                  NULL, &error),
            &error);
    assert_int_equal(t->items[2].header.level_count, 3);
    assert_int_equal(t->items[2].header.has_mipmaps, 1);
    assert_int_equal(t->items[2].header.max_lod, 16);
    assert_int_equal(t->items[2].header.min_filter, 5);
    TEST_OK(apply(document, NULL,
                  "{\"textures\": [{\"name\": \"body:1\", \"levelCount\": 2, \"maxLod\": 0.5}]}",
                  NULL, &error),
            &error);
    assert_int_equal(t->items[2].header.level_count, 2);
    assert_int_equal(t->items[2].header.max_lod, 4);
    assert_int_equal(
        apply(document, NULL, "{\"textures\": [{\"name\": \"eye\", \"width\": 4}]}", NULL, &error),
        FACET_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "8 by 8"));
    assert_int_equal(apply(document, NULL, "{\"textures\": [{\"name\": \"nose\"}]}", NULL, &error),
                     FACET_ERROR_ARGUMENT);
    assert_string_equal(error.rule, "J3D-JSON-TEXTURES");
    facet_j3d_free(document);
}

/* -- The documentation -------------------------------------------------- */

/* The text of a file; free it with free. */
static char *whole_file(const char *path)
{
    facet_file *file;
    facet_error error;
    TEST_OK(facet_file_open(path, NULL, &file, &error), &error);
    size_t size = facet_file_source(file).size;
    char *text = malloc(size + 1);
    memcpy(text, facet_file_source(file).data, size);
    text[size] = '\0';
    facet_file_close(file);
    return text;
}

/* Every recipe of docs/reference/formats/j3d-materials.md is valid JSON of a material. */
TEST(recipes_are_right)
{
    static const char *const names[] = {"wall", "leaves", "glass", "skin", "water", "chrome"};
    static const char *const textures[] = {"body", "shine"};
    facet_error error;
    char *text = whole_file(test_path("../docs/reference/formats/j3d-materials.md"));
    facet_j3d *document = test_j3d_document(NULL);
    assert_true(test_j3d_textures(document, textures, 2, texels));
    facet_j3d_material m[6];
    for (int i = 0; i < 6; i++)
        test_j3d_plain_material(&m[i], names[i]);
    TEST_OK(facet_j3d_set_materials(document, m, 6, &error), &error);
    unsigned recipes = 0;
    for (char *at = strstr(text, "## Recipes"); at && (at = strstr(at, "```json\n")) != NULL;) {
        char *end = strstr(at + 8, "```"), *json = malloc((size_t)(end - at) + 40);
        *end = '\0';
        sprintf(json, "{\"materials\": [%s]}", at + 8);
        TEST_OK(apply(document, json, NULL, NULL, &error), &error);
        free(json);
        recipes++;
        at = end + 1;
    }
    assert_int_equal(recipes, 6);
    facet_j3d_material chrome;
    TEST_OK(facet_j3d_get_material(document, 5, &chrome, &error), &error);
    assert_int_equal(chrome.gx.texture_matrices[1].mode, 7);
    assert_int_equal(chrome.gx.textures[1], 1);
    assert_int_equal(chrome.gx.tev_stages[1].color.inputs[0], 8);
    assert_int_equal(chrome.given.swap_modes, 3);
    facet_j3d_free(document);
    free(text);
}

/* -- Hostile input ------------------------------------------------------ */

static void mutate(const uint8_t *data, size_t size, void *user)
{
    facet_error error;
    facet_j3d *document = user;
    char *text = malloc(size + 1);
    memcpy(text, data, size);
    text[size] = '\0';
    facet_j3d_options how = {.materials = text};
    facet_options options = {.j3d = &how};
    bool changed;
    facet_j3d_apply_json(document, &options, &changed, &error);
    free(text);
}

TEST(any_bytes_come_back)
{
    facet_error error;
    static const char text[] =
        "{\"materials\":[{\"name\":\"skin\",\"mode\":1,\"cullMode\":null,\"textures\":[\"eye\"],"
        "\"materialColors\":[[1,2,3,4]],\"fog\":{\"start\":\"0x7FC00000\"},\"konstColorSelections\""
        ":[\"K0\"],\"texgens\":[{\"type\":\"SRTG\"}]}]}";
    facet_j3d *document = document_with_textures();
    facet_j3d_material in;
    test_j3d_plain_material(&in, "skin");
    TEST_OK(facet_j3d_set_materials(document, &in, 1, &error), &error);
    TEST_OK(apply(document, text, NULL, NULL, &error), &error);
    test_every_mutation((const uint8_t *)text, sizeof text - 1, mutate, document);
    facet_j3d_free(document);
}
