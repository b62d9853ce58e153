/* Tests of J3D materials converted to scene materials and back. The appearance is kept; what a
 * scene material cannot express is computed into an image or kept in extras. */
#include "base/arena.h"
#include "formats/j3d/json/json.h"
#include "formats/j3d/scene/from_scene/material.h"
#include "formats/j3d/scene/to_scene/material.h"
#include "gx/json/file_state.h"
#include "support/j3d_make.h"
#include "support/j3d_random.h"
#include "support/j3d_shown.h"
#include "support/support.h"

#include <facet/convert.h>

#include <math.h>
#include <stdlib.h>

/* -- Plain materials ---------------------------------------------------- */

TEST(a_plain_material_is_its_texture)
{
    facet_j3d_material m;
    test_j3d_plain_material(&m, "plain");
    modulate(&m);
    shown s = show(&m);
    assert_string_equal(s.material->name, "plain");
    assert_true(s.material->unlit);
    assert_int_equal(s.material->alpha_mode, FACET_ALPHA_OPAQUE);
    assert_false(s.material->double_sided);
    for (int i = 0; i < 4; i++)
        near(s.material->base_color[i], 1);
    assert_true(s.map->has_image);
    assert_false(s.map->has_transform);
    assert_int_equal(s.map->uv_set, 0);
    assert_int_equal(s.map->wrap_u, FACET_WRAP_CLAMP);
    assert_int_equal(s.map->minify, FACET_FILTER_NEAREST);
    assert_true(s.wants->color);
    assert_false(s.wants->alpha); /* nothing uses it */
    /* All three textures are one image, whose extras list each of them. */
    assert_int_equal(s.scene->image_count, 1);
    assert_int_equal(s.scene->images[0]->width, 8);
    assert_string_equal(s.scene->images[0]->name, "checker");
    facet_error error;
    const facet_gx_file_image *file = s.scene->images[0]->gx_file;
    assert_null(s.scene->images[0]->extras);
    assert_int_equal(file->texture_count, 3);
    assert_string_equal(file->textures[1].name, "other");
    assert_string_equal(file->textures[2].name, "checker:1");
    assert_int_equal(facet_report_count(s.report), 0);
    /* The file data gives the same material. */
    facet_j3d_material back, whole;
    assert_null(s.material->extras);
    TEST_OK(facet_j3d_material_from_file(s.material->gx_file, &s.document->textures, &back, &error),
            &error);
    TEST_OK(facet_j3d_get_material(s.document, 0, &whole, &error), &error);
    test_j3d_same_material(&whole, &back);
    finish(&s);
}

TEST(colors_become_factors)
{
    facet_j3d_material m;
    test_j3d_plain_material(&m, "register");
    modulate(&m);
    /* The color of the register; 188 / 255 is 0.5029 in linear light by the sRGB curve. */
    m.gx.channels[0].material_source = 0;
    m.gx.channels[1].material_source = 0;
    m.gx.material_colors[0] = (facet_gx_rgba8){255, 188, 0, 128};
    m.gx.blend = (facet_gx_blend){1, 4, 5, 3};
    m.gx.channels[0].lighting = 1;
    shown s = show(&m);
    assert_false(s.material->unlit);
    assert_false(s.wants->color);
    assert_false(s.wants->alpha);
    near(s.material->base_color[0], 1);
    near(s.material->base_color[1], 0.50289f);
    near(s.material->base_color[2], 0);
    near(s.material->base_color[3], 128.0f / 255);
    assert_int_equal(s.material->alpha_mode, FACET_ALPHA_BLEND);
    assert_int_equal(s.scene->image_count, 1);
    finish(&s);
    /* Without a texture. */
    const facet_gx_tev_stage raster = {
        255, {{15, 15, 15, 10}, 0, 0, 0, 1, 0}, {{7, 7, 7, 5}, 0, 0, 0, 1, 0}, 255};
    m.gx.tev_stages[0] = raster;
    s = show(&m);
    assert_null(s.map);
    near(s.material->base_color[1], 0.50289f);
    finish(&s);
}

/* -- Alpha -------------------------------------------------------------- */

TEST(tests_of_alpha_become_cutoffs)
{
    static const struct {
        facet_gx_alpha_compare test;
        facet_alpha_mode mode;
        float cutoff;
        bool noted;
    } cases[] = {
        {{6, 128, 0, 3, 255, {0}}, FACET_ALPHA_MASK, 128.0f / 255, false},
        {{4, 127, 0, 7, 0, {0}}, FACET_ALPHA_MASK, 128.0f / 255, false},
        {{7, 0, 1, 0, 0, {0}}, FACET_ALPHA_OPAQUE, 0.5f, false},
        {{6, 0, 0, 3, 255, {0}}, FACET_ALPHA_OPAQUE, 0.5f, false},
        {{5, 0, 0, 7, 0, {0}}, FACET_ALPHA_MASK, 1.0f / 255, false},
        /* A band from 64 to 250: the 5 values above it fail. */
        {{6, 64, 0, 3, 250, {0}}, FACET_ALPHA_MASK, 64.0f / 255, true},
        {{0, 0, 0, 0, 0, {0}}, FACET_ALPHA_MASK, 256.0f / 255, false},
        {{6, 128, 2, 6, 200, {0}}, FACET_ALPHA_MASK, 128.0f / 255, true},
        {{6, 128, 3, 6, 128, {0}}, FACET_ALPHA_OPAQUE, 0.5f, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        facet_j3d_material m;
        test_j3d_plain_material(&m, "cut");
        modulate(&m);
        m.gx.alpha_compare = cases[i].test;
        shown s = show(&m);
        assert_int_equal(s.material->alpha_mode, cases[i].mode);
        near(s.material->alpha_cutoff, cases[i].cutoff);
        assert_int_equal(test_finding(s.report, "J3D-MATERIAL") != NULL, cases[i].noted);
        assert_int_equal(s.wants->alpha, cases[i].mode == FACET_ALPHA_MASK);
        finish(&s);
    }
}

/* The color of the register with its alpha, drawn after an alpha comparison and blended. */
static void blended(facet_j3d_material *m, uint8_t alpha, facet_gx_blend blend, uint8_t least)
{
    const facet_gx_tev_stage raster = {
        255, {{15, 15, 15, 10}, 0, 0, 0, 1, 0}, {{7, 7, 7, 5}, 0, 0, 0, 1, 0}, 255};
    test_j3d_plain_material(m, "blended");
    m->gx.tev_stages[0] = raster;
    m->gx.channels[0].material_source = m->gx.channels[1].material_source = 0;
    m->gx.material_colors[0] = (facet_gx_rgba8){255, 255, 255, alpha};
    m->gx.blend = blend;
    m->gx.alpha_compare = (facet_gx_alpha_compare){6, least, 0, 7, 0, {0}};
    m->gx.depth = (facet_gx_depth){1, 3, 1, 0};
}

TEST(what_nothing_is_seen_through_is_opaque)
{
    static const struct {
        facet_gx_blend blend;
        uint8_t alpha, least; /* the smallest alpha that passes */
        uint8_t mode;         /* of the draw list: 1 opaque, 4 translucent */
        facet_alpha_mode expected;
        float cutoff;
    } cases[] = {
        {{1, 4, 5, 3}, 255, 0, 4, FACET_ALPHA_OPAQUE, 0.5f},
        {{1, 4, 5, 3}, 254, 0, 4, FACET_ALPHA_BLEND, 0.5f},
        {{1, 1, 5, 3}, 255, 0, 4, FACET_ALPHA_OPAQUE, 0.5f}, /* one to the rest */
        {{1, 4, 1, 3}, 255, 0, 4, FACET_ALPHA_BLEND, 0.5f},  /* added to the framebuffer */
        {{0, 4, 5, 3}, 255, 128, 1, FACET_ALPHA_OPAQUE, 0.5f},
        {{1, 4, 5, 3}, 200, 1, 1, FACET_ALPHA_MASK, 128.0f / 255}, /* cutouts, not translucent */
        {{1, 4, 5, 3}, 210, 200, 1, FACET_ALPHA_MASK, 200.0f / 255},
        {{1, 4, 5, 3}, 200, 1, 4, FACET_ALPHA_BLEND, 0.5f},
        {{1, 4, 5, 3}, 200, 0, 1, FACET_ALPHA_BLEND, 0.5f},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        facet_j3d_material m;
        blended(&m, cases[i].alpha, cases[i].blend, cases[i].least);
        m.mode = cases[i].mode;
        shown s = show(&m);
        if (s.material->alpha_mode != cases[i].expected)
            fail_msg("case %zu: alpha mode %d", i, (int)s.material->alpha_mode);
        near(s.material->alpha_cutoff, cases[i].cutoff);
        finish(&s);
    }
}

/* Highlights are visible only where a light is reflected. Elsewhere the color is 204 * 51 / 255 =
 * 40, and the sRGB curve gives ((40 / 255 + 0.055) / 1.055)^2.4 = 0.021219. */
TEST(highlights_are_not_everywhere)
{
    facet_j3d_material m;
    blended(&m, 255, (facet_gx_blend){0, 4, 5, 3}, 0);
    m.gx.material_colors[0] = (facet_gx_rgba8){204, 204, 204, 255};
    m.gx.ambient_colors[0] = (facet_gx_rgba8){51, 51, 51, 255};
    m.gx.channels[0].lighting = 1;
    m.gx.channels[0].ambient_source = 0;
    m.gx.channels[0].attenuation_function = 0;
    shown s = show(&m);
    near(s.material->base_color[0], 0.021219f);
    finish(&s);
    m.gx.channels[0].attenuation_function = 1; /* a light reaches the whole surface */
    s = show(&m);
    near(s.material->base_color[0], 0.603827f);
    finish(&s);
}

/* -- Texture coordinates ------------------------------------------------ */

TEST(texture_matrices_move_coordinates)
{
    facet_j3d_material m;
    test_j3d_plain_material(&m, "moved");
    modulate(&m);
    m.gx.texgens[0].source = 5; /* texcoord 1 */
    m.gx.texgens[0].matrix = 30;
    m.gx.texture_matrices[0].scale[0] = 2;
    m.gx.texture_matrices[0].translation[1] = 0.25f;
    shown s = show(&m);
    /* About the center: u' = 2 (u - 1/2) + 1/2, v' = v + 1/4. */
    assert_int_equal(s.map->uv_set, 1);
    assert_true(s.map->has_transform);
    near(s.map->scale[0], 2);
    near(s.map->scale[1], 1);
    near(s.map->offset[0], -0.5f);
    near(s.map->offset[1], 0.25f);
    near(s.map->rotation, 0);
    assert_int_equal(s.wants->baked_count, 0);
    finish(&s);
    /* A quarter turn about the center: u' = -(v - 1/2) * 2 + 1/2, v' = u. */
    m.gx.texture_matrices[0].rotation = 16384;
    m.gx.texture_matrices[0].translation[1] = 0;
    s = show(&m);
    assert_false(s.map->has_transform);
    assert_int_equal(s.wants->baked_count, 1);
    assert_int_equal(s.map->uv_set, 2); /* after the two of the document */
    assert_int_equal(s.wants->baked[0].texcoord, 1);
    const float expected[8] = {0, -2, 0, 1.5f, 1, 0, 0, 0};
    for (int i = 0; i < 8; i++)
        near(s.wants->baked[0].matrix[i], expected[i]);
    finish(&s);
    m.gx.cull_mode = 1;
    s = show(&m);
    assert_true(s.wants->reverse);
    finish(&s);
}

/* -- More than a texture ------------------------------------------------ */

TEST(two_tones_are_computed)
{
    facet_j3d_material m;
    test_j3d_plain_material(&m, "tones");
    const facet_gx_tev_stage tones = {
        255, {{2, 14, 8, 15}, 0, 0, 0, 1, 0}, {{7, 7, 7, 6}, 0, 0, 0, 1, 0}, 255};
    m.gx.tev_stages[0] = tones;
    m.gx.tev_registers[0] = (facet_gx_rgba16){10, 20, 30, 0};
    m.gx.konst_colors[0] = (facet_gx_rgba8){200, 100, 50, 255};
    shown s = show(&m);
    assert_int_equal(s.scene->image_count, 2);
    assert_int_equal(s.map->image, 1);
    const facet_image *image = s.scene->images[1];
    assert_true(image->gx_file->is_computed);
    assert_int_equal(image->channels, 3);
    assert_int_equal(image->width, 8);
    const uint8_t *pixels = image->pixels;
    const uint8_t light[3] = {200, 100, 50}, dark[3] = {10, 20, 30};
    assert_memory_equal(pixels, light, 3);
    assert_memory_equal(pixels + 3, dark, 3);
    assert_memory_equal(pixels + 8 * 3, dark, 3);
    assert_null(test_finding(s.report, "J3D-MATERIAL"));
    assert_false(s.wants->color);
    assert_true(s.material->unlit);
    finish(&s);
    /* With the alpha of the texture, and times the vertex colors. */
    m.gx.tev_stages[0].alpha = (facet_gx_tev_combiner){{7, 4, 5, 7}, 0, 0, 0, 1, 0};
    const facet_gx_tev_stage times = {
        255, {{15, 0, 10, 15}, 0, 0, 0, 1, 0}, {{7, 7, 7, 0}, 0, 0, 0, 1, 0}, 255};
    m.gx.tev_stages[1] = times;
    m.given.tev_stages = m.given.tev_orders = m.given.swap_modes = 3;
    m.gx.tev_orders[1] = (facet_gx_tev_order){255, 255, 4, 255};
    m.gx.stage_count = 2;
    m.gx.blend = (facet_gx_blend){1, 4, 5, 3};
    s = show(&m);
    assert_true(s.wants->color);
    assert_true(s.wants->alpha);
    image = s.scene->images[1];
    assert_int_equal(image->channels, 4);
    pixels = image->pixels;
    assert_int_equal(pixels[0], 200);
    assert_int_equal(pixels[3], 255);
    assert_int_equal(pixels[7], 0);
    finish(&s);
}

/* The same over 4,096 x 4,104 texels, which exceed the limit of 2^24 for computed images. */
TEST(images_too_large_to_compute_are_reported)
{
    enum { WIDTH = 4096, HEIGHT = 4104 };
    for (int large = 0; large < 2; large++) {
        facet_error error;
        facet_report *report;
        facet_scene *scene = NULL;
        size_t size = large ? (size_t)WIDTH * HEIGHT / 2 : sizeof checker;
        uint8_t *texels = calloc(size, 1);
        assert_non_null(texels);
        memcpy(texels, checker, sizeof checker);
        test_j3d *model = test_j3d_small();
        model->textures[0].header.width = large ? WIDTH : 8;
        model->textures[0].header.height = large ? HEIGHT : 8;
        test_bytes_free(&model->textures[0].image);
        model->textures[0].image = (test_bytes){0};
        test_bytes_put(&model->textures[0].image, texels, size);
        facet_gx_material *gx = &model->materials[0].gx;
        gx->tev_stages[0] = (facet_gx_tev_stage){
            255, {{2, 14, 8, 15}, 0, 0, 0, 1, 0}, {{7, 7, 7, 6}, 0, 0, 0, 1, 0}, 255};
        gx->tev_registers[0] = (facet_gx_rgba16){10, 20, 30, 0};
        gx->konst_colors[0] = (facet_gx_rgba8){200, 100, 50, 255};
        test_bytes file = test_j3d_write(model, FACET_J3D_BMD3);
        test_j3d_free(model);
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        facet_options options = {.report = report};
        TEST_OK(facet_load(TEST_SOURCE(file.data, file.size), NULL, NULL, &options, &scene, &error),
                &error);
        assert_int_equal(test_finding(report, "J3D-MATERIAL-BAKE") != NULL, large);
        facet_scene_free(scene);
        facet_report_free(report);
        test_bytes_free(&file);
        free(texels);
    }
}

/* Vertex colors select between two constants, and the texture multiplies them: from blue at black
 * to yellow at white. A component that is white in one is black in the other. */
TEST(functions_of_vertex_colors_are_reported)
{
    static const uint8_t nothing[4];
    facet_j3d_material m;
    test_j3d_plain_material(&m, "mixed");
    const facet_gx_tev_stage mix = {
        255, {{2, 14, 10, 15}, 0, 0, 0, 1, 0}, {{7, 7, 7, 6}, 0, 0, 0, 1, 0}, 255};
    const facet_gx_tev_stage times = {
        255, {{15, 0, 8, 15}, 0, 0, 0, 1, 0}, {{7, 7, 7, 0}, 0, 0, 0, 1, 0}, 255};
    m.gx.tev_stages[0] = mix;
    m.gx.tev_stages[1] = times;
    m.gx.tev_orders[0] = (facet_gx_tev_order){255, 255, 4, 255};
    m.gx.tev_orders[1] = (facet_gx_tev_order){0, 0, 255, 255};
    m.given.tev_stages = m.given.tev_orders = m.given.swap_modes = 3;
    m.gx.stage_count = 2;
    m.gx.tev_registers[0] = (facet_gx_rgba16){51, 51, 255, 0};
    m.gx.konst_colors[0] = (facet_gx_rgba8){255, 204, 0, 255};
    /* Missing vertex colors are white. */
    shown s = show(&m);
    assert_false(s.wants->color);
    finish(&s);
    s = show_with(&m, nothing);
    assert_true(s.wants->color && s.wants->maps_color);
    const float ends[3][2] = {{0.2f, 1}, {0.25f, 1}, {1, 0}};
    for (int c = 0; c < 3; c++) {
        near(s.wants->color_offset[c], ends[c][0]);
        near(s.wants->color_offset[c] + s.wants->color_scale[c], ends[c][1]);
    }
    /* Then times (255, 204, 255) / 255 of the texture; 0.8 is 0.6038 linear. */
    near(s.material->base_color[0], 1);
    near(s.material->base_color[1], 0.60383f);
    near(s.material->base_color[2], 1);
    assert_int_equal(s.scene->image_count, 1);
    assert_null(test_finding(s.report, "J3D-MATERIAL"));
    finish(&s);
}

/* An added reflection is omitted; the texture below stays the same. */
TEST(reflections_are_left_out)
{
    facet_j3d_material m;
    test_j3d_plain_material(&m, "shiny");
    modulate(&m);
    const facet_gx_tev_stage shine = {
        255, {{8, 15, 15, 0}, 0, 0, 0, 1, 0}, {{7, 7, 7, 0}, 0, 0, 0, 1, 0}, 255};
    m.gx.tev_stages[1] = shine;
    m.given.tev_stages = m.given.tev_orders = m.given.swap_modes = m.given.texture_matrices = 3;
    m.given.texgens = m.given.textures = 3;
    m.gx.texgen_count = m.gx.stage_count = 2;
    m.gx.tev_orders[1] = (facet_gx_tev_order){1, 1, 255, 255};
    m.gx.textures[1] = 1;
    m.gx.texgens[1] = (facet_gx_texgen){0, 1, 33, 255};
    m.gx.texture_matrices[1].mode = 7;
    shown s = show(&m);
    assert_int_equal(s.scene->image_count, 1);
    assert_int_equal(s.map->image, 0);
    near(s.material->base_color[0], 1);
    assert_true(s.wants->color);
    const facet_finding *note = test_finding(s.report, "J3D-MATERIAL");
    assert_non_null(note);
    assert_int_equal(note->severity, FACET_SEVERITY_NOTE);
    finish(&s);
}

/* Show the material with `texels` as its textures, and nothing else in the scene. */
static void show_texels(shown *s, const facet_j3d_material *m, const uint8_t *texels)
{
    static const char *const names[] = {"checker", "other", "checker"};
    static const uint8_t nothing[12];
    facet_error error;
    *s = (shown){.document = test_j3d_document(NULL)};
    assert_true(test_j3d_textures(s->document, names, 3, texels));
    s->document->vertices.arrays[FACET_J3D_ARRAY_TEXCOORD0].bytes = nothing;
    s->document->vertices.arrays[FACET_J3D_ARRAY_COLOR0].bytes = nothing;
    TEST_OK(facet_j3d_set_materials(s->document, m, 1, &error), &error);
    TEST_OK(facet_scene_create(NULL, &s->scene, &error), &error);
    TEST_OK(facet_report_create(NULL, &s->report, &error), &error);
    facet_options options = {.report = s->report};
    TEST_OK(facet_j3d_scene_materials(s->document, s->scene, &s->wants, &options, &error), &error);
    s->material = s->scene->materials[0];
    s->map = s->material->maps[FACET_MAP_DIFFUSE];
}

static void expect_doubt(const shown *s, const char *words)
{
    const facet_finding *note = test_finding(s->report, "J3D-MATERIAL");
    assert_non_null(note);
    if (!strstr(note->message, words) || !strstr(note->message, "material 0 '"))
        fail_msg("'%s' does not say '%s'", note->message, words);
}

/* Twice the texture times the vertex color: the texture is kept, and the vertices get the factor.
 * A light darkens in the same way; without either the image is brighter. */
TEST(brightness_is_cut_last)
{
    static const uint8_t nothing[4];
    facet_j3d_material m;
    test_j3d_plain_material(&m, "bright");
    modulate(&m);
    m.gx.tev_stages[0].color.scale = 1;
    shown s = show_with(&m, nothing);
    assert_true(s.wants->color && s.wants->maps_color);
    for (int c = 0; c < 3; c++) {
        near(s.wants->color_offset[c], 0);
        near(s.wants->color_scale[c], 2);
        near(s.material->base_color[c], 1);
    }
    assert_int_equal(s.scene->image_count, 1); /* no image is computed */
    expect_doubt(&s, "brighter than 1");
    finish(&s);
    /* Lit, without vertex colors. */
    m.gx.channels[0].material_source = m.gx.channels[1].material_source = 0;
    m.gx.channels[0].lighting = 1;
    m.gx.material_colors[0] = (facet_gx_rgba8){255, 255, 255, 255};
    s = show(&m);
    assert_false(s.material->unlit || s.wants->color);
    assert_int_equal(s.scene->image_count, 1);
    near(s.material->base_color[0], 1);
    finish(&s);
    /* Without light the sum is exact: gray 0x88 of 0xFF becomes white. */
    uint8_t gray[32];
    memset(gray, 0x88, sizeof gray);
    m.gx.channels[0].lighting = 0;
    show_texels(&s, &m, gray);
    assert_int_equal(s.scene->image_count, 2);
    assert_int_equal(((const uint8_t *)s.scene->images[1]->pixels)[0], 255);
    assert_null(test_finding(s.report, "J3D-MATERIAL"));
    finish(&s);
}

/* The alpha of an addition is its brightness. The gray 0x66 times konst (255, 128, 0) adds (102,
 * 51, 0), which is (255, 127, 0) at an alpha of 102. */
TEST(additions_are_seen_through)
{
    facet_j3d_material m;
    shown s;
    uint8_t texels[32];
    memset(texels, 0x66, sizeof texels);
    texels[0] = 0x06; /* the first texel is black */
    test_j3d_plain_material(&m, "glow");
    const facet_gx_tev_stage tinted = {
        255, {{15, 8, 14, 15}, 0, 0, 0, 1, 0}, {{7, 7, 7, 4}, 0, 0, 0, 1, 0}, 255};
    m.gx.tev_stages[0] = tinted;
    m.gx.konst_colors[0] = (facet_gx_rgba8){255, 128, 0, 255};
    m.gx.blend = (facet_gx_blend){1, 1, 1, 3};
    show_texels(&s, &m, texels);
    assert_int_equal(s.material->alpha_mode, FACET_ALPHA_BLEND);
    assert_int_equal(s.scene->image_count, 2);
    const facet_image *image = s.scene->images[1];
    const uint8_t none[4] = {0, 0, 0, 0}, some[4] = {255, 127, 0, 102};
    assert_int_equal(image->channels, 4);
    assert_memory_equal(image->pixels, none, 4);
    assert_memory_equal((const uint8_t *)image->pixels + 4, some, 4);
    expect_doubt(&s, "additive or subtractive");
    finish(&s);
    /* Added by the alpha of the texture. I4 has the same value in all components: 102 * 102 / 255
     * = 40.8. */
    m.gx.blend.source = 4;
    show_texels(&s, &m, texels);
    assert_int_equal(((const uint8_t *)s.scene->images[1]->pixels)[7], 41);
    finish(&s);
    /* A subtracted color becomes black, with its brightness as alpha. */
    m.gx.blend = (facet_gx_blend){3, 1, 1, 3};
    show_texels(&s, &m, texels);
    const uint8_t dark[4] = {0, 0, 0, 102};
    assert_memory_equal((const uint8_t *)s.scene->images[1]->pixels + 4, dark, 4);
    finish(&s);
}

/* A ramp of eight columns: 0, 0, 1, 1, 2, 2, C, F in 4 bits. The lit half is the columns 4 to 7,
 * and its middle is 6: 0xCC. */
TEST(ramps_are_lit)
{
    facet_j3d_material m;
    shown s;
    uint8_t ramp[32];
    for (int i = 0; i < 32; i++) {
        static const uint8_t pairs[4] = {0x00, 0x11, 0x22, 0xCF};
        ramp[i] = pairs[i % 4];
    }
    test_j3d_plain_material(&m, "toon");
    modulate(&m);
    m.gx.tev_stages[0].color = (facet_gx_tev_combiner){{15, 15, 15, 8}, 0, 0, 0, 1, 0};
    m.gx.texgens[0] = (facet_gx_texgen){10, 19, 60, 255};
    m.gx.channels[0].lighting = 1;
    show_texels(&s, &m, ramp);
    assert_null(s.map);
    near(s.material->base_color[0], 0.60383f); /* 0xCC is 0.8, here in linear light */
    assert_false(s.material->unlit);
    expect_doubt(&s, "a ramp texture that follows the light");
    finish(&s);
}

/* A reflection map that is the whole color becomes metal; an added one becomes a polish. */
TEST(reflections_are_hinted_at)
{
    facet_j3d_material m;
    shown s;
    uint8_t texels[32];
    memset(texels, 0x33, sizeof texels);
    test_j3d_plain_material(&m, "chrome");
    m.gx.tev_stages[0] = (facet_gx_tev_stage){
        255, {{15, 15, 15, 8}, 0, 0, 0, 1, 0}, {{7, 7, 7, 6}, 0, 0, 0, 1, 0}, 255};
    m.given.texture_matrices = 1;
    m.gx.texgens[0] = (facet_gx_texgen){0, 1, 30, 255};
    m.gx.texture_matrices[0].mode = 7;
    show_texels(&s, &m, texels);
    near(s.material->metallic, 1);
    near(s.material->roughness, 0.25f);
    near(s.material->base_color[0], 0.03310f); /* 0x33 is 0.2 */
    assert_false(s.material->unlit);
    expect_doubt(&s, "reflections of the surroundings");
    finish(&s);
    /* Added to a constant. */
    m.gx.tev_stages[0].color = (facet_gx_tev_combiner){{8, 15, 15, 14}, 0, 0, 0, 1, 0};
    m.gx.konst_colors[0] = (facet_gx_rgba8){51, 51, 51, 255};
    show_texels(&s, &m, texels);
    near(s.material->metallic, 0);
    near(s.material->roughness, 0.4f);
    near(s.material->base_color[0], 0.03310f);
    finish(&s);
}
