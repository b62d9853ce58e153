/* Materials of J3D models to a scene and back: what was edited, and what stays. */
#include "base/arena.h"
#include "formats/j3d/json/json.h"
#include "formats/j3d/scene/from_scene/material.h"
#include "gx/json/file_state.h"
#include "support/j3d_random.h"
#include "support/j3d_shown.h"

#include <math.h>
#include <stdlib.h>

/* -- Back --------------------------------------------------------------- */

/* Convert a scene material that does not come from J3D to J3D and back. */
/* glTF 2.0, 3.9.4: a cutoff above 1 hides everything. At 1, full opacity stays visible. GX compares
 * by 0 (never), 3 (at most) and 6 (at least), and combines by 0 (and). */
TEST(a_cutoff_above_one_hides_the_material)
{
    static const float cutoffs[2] = {1, 1.5f};
    static const facet_gx_alpha_compare expected[2] = {{6, 255, 0, 3, 255, {255, 255, 255}},
                                                       {0, 0, 0, 0, 0, {255, 255, 255}}};
    for (int i = 0; i < 2; i++) {
        facet_error error;
        facet_scene *scene;
        facet_material *in;
        facet_j3d_material m;
        TEST_OK(facet_scene_create(NULL, &scene, &error), &error);
        TEST_OK(facet_scene_add_material(scene, "made", &in, &error), &error);
        in->alpha_mode = FACET_ALPHA_MASK;
        in->alpha_cutoff = cutoffs[i];
        facet_j3d_material_source from = {.scene = scene, .texture = FACET_J3D_NONE};
        facet_j3d_material_from_scene(&from, NULL, &m);
        assert_memory_equal(&m.gx.alpha_compare, &expected[i], sizeof expected[i]);
        facet_scene_free(scene);
    }
}

TEST(made_materials_look_the_same)
{
    facet_error error;
    for (unsigned round = 0; round < 64; round++) {
        facet_scene *scene;
        facet_material *in;
        facet_j3d_material m;
        TEST_OK(facet_scene_create(NULL, &scene, &error), &error);
        scene->axes.uv_origin_top = (round & 1) != 0;
        TEST_OK(facet_scene_add_material(scene, "made", &in, &error), &error);
        const float color[4] = {1, 0.25f, 0.5f, round & 2 ? 0.5f : 1};
        memcpy(in->base_color, color, sizeof color);
        in->alpha_mode = (facet_alpha_mode)(round >> 2 & 3) % 3;
        in->alpha_cutoff = 0.25f;
        in->double_sided = (round & 16) != 0;
        in->unlit = (round & 32) != 0;
        facet_texture *t;
        TEST_OK(facet_scene_add_map(scene, in, FACET_MAP_DIFFUSE, &t, &error), &error);
        t->has_transform = true;
        t->scale[0] = 3;
        t->scale[1] = 3;
        t->offset[0] = 0.125f;
        t->offset[1] = -2;
        t->rotation = round & 8 ? 0.5f : 0;
        facet_j3d_material_source from = {.scene = scene,
                                          .texture = 1,
                                          .has_normals = true,
                                          .has_color = (round & 4) != 0,
                                          .has_alpha = (round & 4) != 0};
        facet_j3d_material_from_scene(&from, NULL, &m);
        m.name.bytes = "made";
        shown s = show(&m);
        bool opaque = in->alpha_mode == FACET_ALPHA_OPAQUE;
        assert_int_equal(s.material->alpha_mode, in->alpha_mode);
        assert_int_equal(s.material->double_sided, in->double_sided);
        assert_int_equal(s.material->unlit, in->unlit);
        if (in->alpha_mode == FACET_ALPHA_MASK) /* 64 / 255 */
            assert_true(fabsf(s.material->alpha_cutoff - 0.25f) < 0.003f);
        for (int i = 0; i < 4; i++) {
            float expected = i == 3 && opaque ? 1 : color[i];
            /* 8 bits by the sRGB curve: half a step is 0.0035 at 0.5. */
            assert_true(fabsf(s.material->base_color[i] - expected) < 0.005f);
        }
        assert_int_equal(s.wants->color, from.has_color);
        assert_int_equal(s.wants->alpha, from.has_alpha && !opaque);
        assert_int_equal(s.map->image, 0);
        /* (u, v) from the top, transformed by the original map and by the converted one. */
        float u = 0.3f, v = 0.7f, w = scene->axes.uv_origin_top ? v : 1 - v;
        float c = cosf(t->rotation), sn = sinf(t->rotation);
        float u1 = t->offset[0] + 3 * (c * u + sn * w), v1 = t->offset[1] + 3 * (c * w - sn * u);
        v1 = scene->axes.uv_origin_top ? v1 : 1 - v1;
        float u2 = s.map->offset[0] + s.map->scale[0] * u;
        float v2 = s.map->offset[1] + s.map->scale[1] * v;
        if (s.wants->baked_count) {
            const float *b = s.wants->baked[0].matrix;
            u2 = b[0] * u + b[1] * v + b[2] + b[3];
            v2 = b[4] * u + b[5] * v + b[6] + b[7];
        }
        assert_int_equal(s.wants->baked_count, t->rotation != 0);
        near(u2, u1);
        near(v2, v1);
        assert_null(test_finding(s.report, "J3D-MATERIAL"));
        finish(&s);
        facet_scene_free(scene);
    }
}

TEST(extras_speak_first)
{
    facet_error error;
    facet_j3d_material m, back;
    test_random random = {3};
    test_j3d_material(&random, 3, &m);
    m.name.bytes = "exact";
    shown s = show(&m);
    TEST_OK(facet_j3d_material_from_file(s.material->gx_file, &s.document->textures, &m, &error),
            &error);
    facet_j3d_extras_data extras_data = {.state = &m};
    facet_j3d_material_source from = {
        .scene = s.scene, .extras_data = &extras_data, .texture = FACET_J3D_NONE};
    facet_j3d_material_from_scene(&from, NULL, &back);
    TEST_OK(facet_j3d_get_material(s.document, 0, &m, &error), &error);
    test_j3d_same_material(&m, &back);
    /* Invalid extras are reported, and the conversion ignores them. */
    extras_data = (facet_j3d_extras_data){.wrong = "extras: material.cullMode is wrong"};
    facet_options options = {.report = s.report};
    facet_j3d_material_from_scene(&from, &options, &back);
    assert_int_equal(back.gx.stage_count, 1);
    const facet_finding *loss = test_finding(s.report, "LOSS-EXTRAS");
    assert_non_null(loss);
    assert_non_null(strstr(loss->message, "cullMode"));
    finish(&s);
}

/* A glTF file has the values of the text that facet_scene_print_extras makes of the scene. A copy
 * has the same values, without any pointer into the scene. The extras give the same material. */
TEST(what_files_say_is_copied_and_printed)
{
    facet_error error;
    facet_j3d_material m, back, whole;
    test_random random = {9};
    test_j3d_material(&random, 3, &m);
    m.name.bytes = "printed";
    m.given.texture_matrices = 1;
    m.gx.texture_matrices[0].translation[0] = 0.1f;
    m.gx.texture_matrices[0].effect[3] = 1.17549435e-38f;
    m.gx.texture_matrices[0].effect[2] = -3.2e-17f;
    m.given.textures = 3;
    m.gx.textures[0] = 2;
    m.gx.textures[1] = 1;
    shown s = show(&m);
    facet_scene *copy, *again;
    TEST_OK(facet_scene_copy(s.scene, NULL, &copy, &error), &error);
    assert_null(copy->materials[0]->extras);
    assert_ptr_not_equal(copy->materials[0]->gx_file, s.material->gx_file);
    facet_output *output = NULL;
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(facet_save(s.scene, facet_format_named("glb"), NULL, output, &error), &error);
    TEST_OK(facet_output_commit(output, &error), &error);
    TEST_OK(facet_j3d_get_material(s.document, 0, &whole, &error), &error);
    facet_scene_free(s.scene);
    TEST_OK(facet_scene_print_extras(copy, &error), &error);
    const facet_gx_file_material *file = copy->materials[0]->gx_file;
    assert_ptr_equal(copy->materials[0]->extras, file->extras);
    assert_ptr_equal(copy->images[0]->extras, copy->images[0]->gx_file->extras);
    assert_non_null(strstr(copy->images[0]->extras, "\"checker:1\""));
    facet_json *json = facet_json_read_text(file->extras);
    char *text = facet_json_print(json, NULL);
    assert_non_null(text);
    assert_non_null(strstr((const char *)facet_output_data(output) + 20, text));
    facet_json_free(json);
    free(text);
    const facet_source source = {.data = facet_output_data(output),
                                 .size = (size_t)facet_output_size(output)};
    TEST_OK(facet_load(&source, facet_format_named("glb"), NULL, NULL, &again, &error), &error);
    const facet_gx_file_material *read = again->materials[0]->gx_file;
    assert_ptr_equal(read->extras, again->materials[0]->extras);
    assert_false(read->has_others);
    assert_int_equal(read->texture_count, 2);
    assert_string_equal(read->textures[0].name, "checker:1");
    assert_int_equal(read->textures[0].index, 2);
    TEST_OK(facet_j3d_material_from_file(read, &s.document->textures, &back, &error), &error);
    back.name = whole.name;
    test_j3d_same_material(&whole, &back);
    TEST_OK(facet_j3d_material_from_file(file, &s.document->textures, &back, &error), &error);
    back.name = whole.name;
    test_j3d_same_material(&whole, &back);
    s.scene = again;
    facet_output_free(output);
    facet_scene_free(copy);
    finish(&s);
}

/* A number that exceeds the bits of the chip is not written into a file: alpha operations are 0
 * to 3. */
TEST(states_that_mean_nothing_are_left)
{
    facet_j3d_material m, back;
    test_j3d_plain_material(&m, "odd");
    modulate(&m);
    m.gx.alpha_compare.operation = 129;
    shown s = show(&m);
    assert_non_null(s.material->gx);
    facet_options options = {.report = s.report};
    facet_error error;
    TEST_OK(facet_j3d_material_from_file(s.material->gx_file, &s.document->textures, &m, &error),
            &error);
    facet_j3d_extras_data extras_data = {.state = &m};
    facet_j3d_material_source from = {
        .scene = s.scene, .extras_data = &extras_data, .texture = FACET_J3D_NONE};
    facet_j3d_material_from_scene(&from, &options, &back);
    assert_true(back.gx.alpha_compare.operation < 4);
    const facet_finding *loss = test_finding(s.report, "LOSS-MATERIALS");
    assert_non_null(loss);
    assert_non_null(strstr(loss->message, "129 is not a valid alpha"));
    finish(&s);
}

/* Every material, valid or not, becomes a scene material. */
TEST(any_material_is_shown)
{
    for (uint32_t seed = 0; seed < 300; seed++) {
        test_random random = {seed * 77 + 5};
        facet_error error;
        facet_j3d_material m;
        test_j3d_material(&random, 3, &m);
        for (int i = 0; i < 16; i++) {
            m.gx.tev_orders[i].texmap = (uint8_t)test_random_below(&random, 9);
            m.gx.tev_orders[i].texcoord = (uint8_t)test_random_below(&random, 9);
            m.gx.tev_orders[i].channel = (uint8_t)test_random_below(&random, 9);
            for (int k = 0; k < 4; k++) {
                m.gx.tev_stages[i].color.inputs[k] = (uint8_t)test_random_below(&random, 18);
                m.gx.tev_stages[i].alpha.inputs[k] = (uint8_t)test_random_below(&random, 9);
            }
            m.gx.tev_stages[i].color.operation = (uint8_t)test_random_below(&random, 18);
        }
        m.given.tev_orders = m.given.tev_stages = 0xFFFF;
        for (int i = 0; i < 8; i++) {
            m.gx.texgens[i].source = (uint8_t)test_random_below(&random, 22);
            m.gx.texgens[i].matrix = (uint8_t)test_random_below(&random, 70);
        }
        shown s = show(&m);
        TEST_OK(facet_scene_check(s.scene, NULL, &error), &error);
        finish(&s);
    }
}
