/* Console materials in pictures: stages, texture coordinates, billboards, depth, blending, fog.
 * Expected values follow from the chip's integer arithmetic. */
#include "support/pictures.h"

#include <math.h>
#include <stdlib.h>

/* A square whose raster color is 128, 64, 255 and alpha 200, shown unchanged. */
static facet_scene *console_square(facet_gx_material **gx)
{
    facet_scene *scene = scene_of();
    uint32_t m;
    *gx = add_console(scene, &m);
    (*gx)->material_colors[0] = (facet_gx_rgba8){128, 64, 255, 200};
    add_square(scene, m, 0, 0, 0, 1);
    return scene;
}

static void expect(facet_scene *scene, facet_render_options how, int r, int g, int b, int a)
{
    facet_picture p = draw(scene, how, NULL);
    ASSERT_PIXEL(p, 32, 32, r, g, b, a);
    facet_picture_free(&p);
}

TEST(console_stages_compute_exact_colors)
{
    facet_gx_material *gx;
    facet_scene *scene = console_square(&gx);
    const facet_render_options plain = {0};
    /* Red and blue are exchanged between the rasterizer and the stage. */
    gx->swap_tables[1] = (facet_gx_swap_table){2, 1, 0, 3};
    gx->swap_modes[0].raster_table = 1;
    expect(scene, plain, 255, 64, 128, 255);
    gx->swap_modes[0].raster_table = 0;
    /* D is konst: the whole color 2, then only its red (selection 0x12), then 5/8 (0x03): 159. */
    gx->tev_stages[0].color.inputs[3] = 14;
    gx->konst_colors[2] = (facet_gx_rgba8){10, 20, 30, 40};
    gx->konst_color_selections[0] = 0x0E;
    expect(scene, plain, 10, 20, 30, 255);
    gx->konst_color_selections[0] = 0x12;
    expect(scene, plain, 10, 10, 10, 255);
    gx->konst_color_selections[0] = 0x03;
    expect(scene, plain, 159, 159, 159, 255);
    /* D - ((1 - C) A + C B) with A = raster, C = 0: 159 - 128, 159 - 64, 159 - 255 to 0. With a
     * bias and a scale of a half: (31 + 128) / 2 = 79, (95 + 128) / 2 = 111, (-96 + 128) / 2 =
     * 16. */
    gx->tev_stages[0].color.inputs[0] = 10;
    gx->tev_stages[0].color.operation = 1;
    expect(scene, plain, 31, 95, 0, 255);
    gx->tev_stages[0].color.bias = 1;
    gx->tev_stages[0].color.scale = 3;
    expect(scene, plain, 79, 111, 16, 255);
    /* By channel (operation 14): C is added to D = 0 where raster > konst. */
    gx->tev_stages[0].color = (facet_gx_tev_combiner){{10, 14, 12, 15}, 14, 0, 0, 1, 0};
    gx->konst_color_selections[0] = 0x06; /* 2/8: 64 */
    expect(scene, plain, 255, 0, 255, 255);
    gx->tev_stages[0].color.operation = 15; /* where they are equal */
    expect(scene, plain, 0, 255, 0, 255);
    facet_scene_free(scene);
}

/* Show texture 0, two columns of red and green, at a texture coordinate of the console. */
static void show_columns(facet_scene *scene, facet_gx_material *gx, uint8_t source)
{
    static const uint8_t columns[16] = {255, 0, 0, 255, 0, 255, 0, 255,
                                        255, 0, 0, 255, 0, 255, 0, 255};
    gx->textures[0] = (uint16_t)add_image(scene, columns);
    gx->samplers[0].min_filter = gx->samplers[0].mag_filter = 0;
    gx->samplers[0].wrap_s = gx->samplers[0].wrap_t = 1;
    gx->texgen_count = 1;
    gx->texgens[0] = (facet_gx_texgen){.type = 1, .source = source, .matrix = 60};
    gx->tev_orders[0] = (facet_gx_tev_order){0, 0, 4, 0};
    gx->tev_stages[0].color.inputs[3] = 8;
}

/* Texture matrix 0 keeps a coordinate in the red column, and matrix 1 moves it by a half to the
 * green one. Their numbers are 30 and 33. 60 is not a matrix, and 94 is 30 in the chip's six
 * bits. */
TEST(vertices_choose_texture_matrices)
{
    static const struct {
        uint8_t number;
        int red;
    } cases[] = {{30, 255}, {33, 0}, {60, 255}, {94, 255}, {97, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const uint8_t numbers[4] = {cases[i].number, cases[i].number, cases[i].number,
                                    cases[i].number};
        facet_gx_material *gx;
        facet_scene *scene = console_square(&gx);
        facet_error error;
        show_columns(scene, gx, 4);
        for (int k = 0; k < 2; k++) {
            gx->texture_matrices[k].projection = 1;
            gx->texture_matrices[k].scale[0] = gx->texture_matrices[k].scale[1] = 1;
            gx->texture_matrices[k].translation[0] = k ? 0.5f : 0;
        }
        TEST_OK(facet_mesh_add_stream_copy(scene->meshes[0], FACET_CUSTOM, 0,
                                           "J3D_TEXTURE_MATRIX_0", FACET_UINT8, 1, 4, numbers, NULL,
                                           NULL, &error),
                &error);
        facet_picture p = draw(scene, (facet_render_options){0}, NULL);
        ASSERT_PIXEL(p, 16, 32, cases[i].red, 255 - cases[i].red, 0, 255);
        facet_picture_free(&p);
        facet_scene_free(scene);
    }
}

/* A node turns a square by 90 degrees about y, and then about z, so that only its edge is seen. As
 * a billboard it is the original square of 2 units, scaled and moved by the node. The pictures have
 * 16 pixels per unit. */
TEST(billboards_face_the_camera)
{
    static const float turns[2][4] = {{0, 0.70710678f, 0, 0.70710678f}, /* y by 90 degrees */
                                      {0.5f, 0.5f, 0.5f, 0.5f}};        /* x to y to z to x */
    static const facet_render_camera cameras[2] = {{{0, 0, 10}, {0, 0, 0}, {0, 1, 0}, 0, 4},
                                                   {{10, 0, 0}, {0, 0, 0}, {0, 1, 0}, 0, 4}};
    for (int i = 0; i < 4; i++) {
        facet_gx_material *gx;
        facet_scene *scene = console_square(&gx);
        facet_node *node;
        facet_error error;
        TEST_OK(facet_scene_add_node(scene, "n", &node, &error), &error);
        node->mesh = 0;
        memcpy(node->transform.rotation, turns[i % 2], sizeof turns[0]);
        for (int k = 0; k < 3; k++)
            node->transform.scale[k] = 0.5f;
        node->transform.translation[1] = 1;
        gx->cull_mode = 0;
        const facet_render_options how = {.camera = &cameras[i / 2]};
        facet_picture flat = draw(scene, how, NULL);
        scene->meshes[0]->billboard = FACET_BILLBOARD_ALL;
        facet_picture turned = draw(scene, how, NULL);
        /* 16 pixels per unit: y from 1 - 0.5 to 1 + 0.5 is rows 8 to 24, and columns 24 to 40. */
        uint32_t seen = 0;
        for (uint32_t y = 0; y < 64; y++) {
            for (uint32_t x = 0; x < 64; x++) {
                bool inside = x >= 24 && x < 40 && y >= 8 && y < 24;
                assert_int_equal(pixel(&turned, x, y)[3], inside ? 255 : 0);
                seen += pixel(&flat, x, y)[3] > 0;
            }
        }
        if (i == 0) /* only its edge */
            assert_int_equal(seen, 0);
        facet_picture_free(&flat);
        facet_picture_free(&turned);
        facet_scene_free(scene);
    }
}

/* A camera that looks down by 60 degrees sees a y billboard of 2 units with half its height, 16 of
 * 32 pixels, because its y axis stays upright. Its width is unchanged. */
TEST(upright_billboards_keep_their_y)
{
    static const facet_render_camera camera = {{0, 8.6602540, 5}, {0, 0, 0}, {0, 1, 0}, 0, 4};
    static const facet_billboard kinds[2] = {FACET_BILLBOARD_Y, FACET_BILLBOARD_ALL};
    for (int i = 0; i < 2; i++) {
        facet_gx_material *gx;
        facet_scene *scene = console_square(&gx);
        facet_node *node;
        facet_error error;
        uint32_t rows = 0, columns = 0;
        TEST_OK(facet_scene_add_node(scene, "n", &node, &error), &error);
        node->mesh = 0;
        node->transform.rotation[1] = node->transform.rotation[3] = 0.70710678f;
        gx->cull_mode = 0;
        scene->meshes[0]->billboard = kinds[i];
        facet_picture p = draw(scene, (facet_render_options){.camera = &camera}, NULL);
        for (uint32_t k = 0; k < 64; k++) {
            rows += pixel(&p, 32, k)[3] > 0;
            columns += pixel(&p, k, 32)[3] > 0;
        }
        assert_in_range(rows, i == 0 ? 15 : 32, i == 0 ? 17 : 32);
        assert_int_equal(columns, 32);
        facet_picture_free(&p);
        facet_scene_free(scene);
    }
}

/* An image has 2 x 2 black texels and a level of 1 x 1 marked as blue. A texture whose minimum
 * level is 1 shows blue. */
TEST(levels_of_the_source_are_drawn)
{
    static const uint8_t black[16] = {0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255};
    static const uint8_t blue[4] = {0, 0, 255, 255};
    facet_gx_material *gx;
    facet_scene *scene = console_square(&gx);
    show_columns(scene, gx, 4);
    memcpy(scene->images[0]->pixels, black, sizeof black);
    gx->samplers[0].min_filter = 2;
    gx->samplers[0].min_lod = gx->samplers[0].max_lod = 8;
    expect(scene, (facet_render_options){0}, 0, 0, 0, 255);
    scene->images[0]->smaller = blue;
    scene->images[0]->smaller_count = 1;
    expect(scene, (facet_render_options){0}, 0, 0, 255, 255);
    facet_scene_free(scene);
}

/* The normal's x is the coordinate. 0.6 is in the green half of a texture. With half the length,
 * 0.3 is in the red half; with twice the length, 1.2 is in the next red half. */
TEST(texture_coordinates_use_the_length_of_normals)
{
    for (int i = 0; i < 3; i++) {
        static const float all[3] = {1, 0.5f, 2};
        const float lengths[4] = {all[i], all[i], all[i], all[i]};
        facet_gx_material *gx;
        facet_scene *scene = console_square(&gx);
        facet_error error;
        show_columns(scene, gx, 1);
        set_normals(scene->meshes[0], 0.6f, 0, 0.8f);
        TEST_OK(facet_mesh_add_stream_copy(scene->meshes[0], FACET_CUSTOM, 0,
                                           i == 1 ? "_J3D_NORMAL_LENGTH" : "J3D_NORMAL_LENGTH",
                                           FACET_FLOAT32, 1, 4, lengths, NULL, NULL, &error),
                &error);
        expect(scene, (facet_render_options){0}, i == 0 ? 0 : 255, i == 0 ? 255 : 0, 0, 255);
        facet_scene_free(scene);
    }
}

/* A register passes a color from one stage to the next. */
TEST(console_registers_pass_colors_between_stages)
{
    facet_gx_material *gx;
    facet_scene *scene = console_square(&gx);
    gx->stage_count = 2;
    gx->tev_stages[1] = gx->tev_stages[0];
    gx->tev_orders[1] = gx->tev_orders[0];
    gx->tev_stages[0].color.destination = 2; /* C1 = raster */
    gx->tev_stages[1].color.inputs[0] = 4;   /* A: C1 */
    gx->tev_stages[1].color.inputs[1] = 2;   /* B: C0 */
    gx->tev_stages[1].color.inputs[2] = 13;  /* C: a half */
    gx->tev_stages[1].color.inputs[3] = 15;
    gx->tev_registers[0] = (facet_gx_rgba16){0, 255, 100, 255};
    /* C = 128 counts as 129: (128 * 127 + 0 * 129 + 128) >> 8 = 64, (64 * 127 + 255 * 129 + 128) >>
     * 8 = 160, (255 * 127 + 100 * 129 + 128) >> 8 = 177. */
    expect(scene, (facet_render_options){0}, 64, 160, 177, 255);
    facet_scene_free(scene);
}

/* Two squares, the second nearer. The depth comparison decides which is visible. */
TEST(console_depth_comparison_decides_what_is_seen)
{
    static const struct {
        uint8_t test, comparison;
        bool near_wins;
    } cases[] = {{1, 3, true},  {1, 1, true}, {1, 0, false},
                 {1, 4, false}, {1, 7, true}, {0, 0, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        facet_gx_material *gx;
        facet_scene *scene = console_square(&gx);
        uint32_t m;
        facet_gx_material *other = add_console(scene, &m);
        other->material_colors[0] = (facet_gx_rgba8){1, 2, 3, 255};
        other->depth.test = cases[i].test;
        other->depth.comparison = cases[i].comparison;
        add_square(scene, m, 0, 0, 0.5f, 1);
        if (cases[i].near_wins)
            expect(scene, (facet_render_options){.file_order = true}, 1, 2, 3, 255);
        else
            expect(scene, (facet_render_options){.file_order = true}, 128, 64, 255, 255);
        facet_scene_free(scene);
    }
}

/* Onto a frame of 20, 40, 60. */
TEST(console_blending_is_exact)
{
    static const uint8_t gray[4] = {20, 40, 60, 255};
    const facet_render_options how = {.background = gray};
    facet_gx_material *gx;
    facet_scene *scene = console_square(&gx);
    gx->blend = (facet_gx_blend){1, 1, 1, 0}; /* one and one */
    expect(scene, how, 148, 104, 255, 255);
    gx->blend = (facet_gx_blend){3, 0, 0, 0}; /* subtract: the frame minus the color */
    expect(scene, how, 0, 0, 0, 255);
    gx->material_colors[0] = (facet_gx_rgba8){5, 50, 10, 255};
    expect(scene, how, 15, 0, 50, 255);
    gx->blend = (facet_gx_blend){2, 0, 0, 6}; /* logic: exclusive or */
    expect(scene, how, 5 ^ 20, 50 ^ 40, 10 ^ 60, 255);
    gx->blend = (facet_gx_blend){2, 0, 0, 12}; /* the inverted color */
    expect(scene, how, 250, 205, 245, 255);
    gx->blend = (facet_gx_blend){0, 0, 0, 0};
    expect(scene, how, 5, 50, 10, 255);
    gx->cull_mode = 3; /* both sides are culled */
    expect(scene, how, 20, 40, 60, 255);
    facet_scene_free(scene);
}

/* Linear fog from 8 to 12 in front of the eye. The square at 10 has half of it, 128 / 256. The
 * planes of the original projection and the kind of camera do not matter. Fog is drawn only on
 * request. */
TEST(console_fog_is_drawn_on_request)
{
    facet_gx_material *gx;
    facet_scene *scene = console_square(&gx);
    static const facet_render_camera wide = {{0, 0, 10}, {0, 0, 0}, {0, 1, 0}, 20, 0};
    static const float planes[3][2] = {{1, 100}, {5, 20}, {0.1f, 10000}};
    gx->fog.start = 8, gx->fog.end = 12;
    gx->fog.color = (facet_gx_rgba8){255, 255, 255, 0};
    for (int i = 0; i < 12; i++) {
        gx->fog.type = i & 1 ? 10 : 2; /* orthographic or perspective */
        gx->fog.near_z = planes[i / 4][0], gx->fog.far_z = planes[i / 4][1];
        expect(scene, (facet_render_options){0}, 128, 64, 255, 255);
        facet_picture p =
            draw(scene, (facet_render_options){.fog = true, .camera = i & 2 ? &wide : NULL}, NULL);
        assert_in_range(pixel(&p, 32, 32)[0], 189, 194); /* (128 + 255) / 2 */
        assert_in_range(pixel(&p, 32, 32)[1], 157, 162); /* (64 + 255) / 2 */
        assert_int_equal(pixel(&p, 32, 32)[2], 255);
        facet_picture_free(&p);
    }
    facet_scene_free(scene);
}
