/* Pictures of scenes built here. The pixels follow from arithmetic: positions, colors of unlit and
 * of console materials, tests, blending. Threads change no bit. */
#include "render/render.h"
#include "support/pictures.h"

#include <math.h>
#include <stdlib.h>

/* -- Positions ---------------------------------------------------------- */

TEST(squares_cover_their_pixels)
{
    facet_scene *scene = scene_of();
    add_square(scene, add_material(scene, 1, 0, 0, 1), 0, 0, 0, 0.5f);
    facet_picture p = draw(scene, (facet_render_options){0}, NULL);
    /* From -0.5 to 0.5 of -1 to 1: pixels 16 to 47, to the edge. */
    ASSERT_PIXEL(p, 16, 16, 255, 0, 0, 255);
    ASSERT_PIXEL(p, 47, 47, 255, 0, 0, 255);
    ASSERT_PIXEL(p, 15, 30, 0, 0, 0, 0);
    ASSERT_PIXEL(p, 48, 30, 0, 0, 0, 0);
    ASSERT_PIXEL(p, 30, 15, 0, 0, 0, 0);
    ASSERT_PIXEL(p, 30, 48, 0, 0, 0, 0);
    uint32_t covered = 0;
    for (uint32_t i = 0; i < 64 * 64; i++)
        covered += pixel(&p, i % 64, i / 64)[3] == 255;
    assert_int_equal(covered, 32 * 32);
    facet_picture_free(&p);
    /* An edge in the middle of a pixel covers half of its samples. */
    facet_scene_free(scene);
    scene = scene_of();
    add_square(scene, add_material(scene, 0, 1, 0, 1), 0, 0, 0, 0.5f + 1.0f / 64);
    p = draw(scene, (facet_render_options){0}, NULL);
    ASSERT_PIXEL(p, 15, 30, 0, 255, 0, 128);
    ASSERT_PIXEL(p, 15, 15, 0, 255, 0, 64);
    facet_picture_free(&p);
    facet_scene_free(scene);
}

/* In front of a wall; another square behind the wall is hidden. */
TEST(squares_of_every_size_are_whole)
{
    for (int size = 1; size <= 64; size++) {
        facet_scene *scene = scene_of();
        uint32_t red = add_material(scene, 1, 0, 0, 1), blue = add_material(scene, 0, 0, 1, 1),
                 green = add_material(scene, 0, 1, 0, 1), covered = 0, wall = 0;
        /* From the corner -1, 1 of the picture, whose pixels are 1/32. */
        float side = (float)size / 64;
        add_square(scene, blue, 0, 0, 0, 1);
        add_square(scene, red, -1 + side, 1 - side, 0.5f, side);
        add_square(scene, green, -1 + side, 1 - side, -0.5f, side);
        facet_picture p = draw(scene, (facet_render_options){.samples = 1}, NULL);
        for (uint32_t i = 0; i < 64 * 64; i++) {
            covered += pixel(&p, i % 64, i / 64)[0] == 255;
            wall += pixel(&p, i % 64, i / 64)[2] == 255;
        }
        assert_int_equal(covered, size * size);
        assert_int_equal(wall, 64 * 64 - size * size);
        facet_picture_free(&p);
        facet_scene_free(scene);
    }
}

TEST(near_squares_hide_far_squares)
{
    facet_scene *scene = scene_of();
    uint32_t red = add_material(scene, 1, 0, 0, 1), blue = add_material(scene, 0, 0, 1, 1);
    add_square(scene, red, 0, 0, 1, 0.25f);
    add_square(scene, blue, 0, 0, -1, 0.75f);
    facet_picture p = draw(scene, (facet_render_options){0}, NULL);
    ASSERT_PIXEL(p, 32, 32, 255, 0, 0, 255);
    ASSERT_PIXEL(p, 12, 32, 0, 0, 255, 255);
    facet_picture_free(&p);
    /* Seen from behind, back faces are culled: the material is single-sided. */
    static const facet_render_camera behind = {{0, 0, -10}, {0, 0, 0}, {0, 1, 0}, 0, 2};
    p = draw(scene, (facet_render_options){.camera = &behind}, NULL);
    ASSERT_PIXEL(p, 32, 32, 0, 0, 0, 0);
    facet_picture_free(&p);
    scene->materials[blue]->double_sided = true;
    p = draw(scene, (facet_render_options){.camera = &behind}, NULL);
    ASSERT_PIXEL(p, 32, 32, 0, 0, 255, 255);
    facet_picture_free(&p);
    /* In perspective, the near square at 8 of 10 units is enlarged by 1.25. */
    scene->materials[blue]->double_sided = false;
    static const facet_render_camera near_camera = {{0, 0, 3}, {0, 0, 0}, {0, 1, 0}, 90, 0};
    p = draw(scene, (facet_render_options){.camera = &near_camera}, NULL);
    /* At z 1, 2 away, 90 degrees show 4 units: 0.25 is 4 pixels from the middle. */
    ASSERT_PIXEL(p, 28, 32, 255, 0, 0, 255);
    ASSERT_PIXEL(p, 27, 32, 0, 0, 255, 255);
    /* At z -1, 4 away, 8 units: 0.75 is 6 pixels. */
    ASSERT_PIXEL(p, 26, 32, 0, 0, 255, 255);
    ASSERT_PIXEL(p, 25, 32, 0, 0, 0, 0);
    facet_picture_free(&p);
    facet_scene_free(scene);
}

TEST(animations_hide_nodes)
{
    facet_scene *scene = scene_of();
    facet_node *node;
    facet_animation *animation;
    facet_error error;
    add_square(scene, add_material(scene, 1, 0, 0, 1), 0, 0, 1, 0.25f);
    add_square(scene, add_material(scene, 0, 0, 1, 1), 0, 0, -1, 0.75f);
    for (uint32_t i = 0; i < 2; i++) {
        TEST_OK(facet_scene_add_node(scene, "", &node, &error), &error);
        node->mesh = i;
    }
    TEST_OK(facet_scene_add_animation(scene, "", 1, &animation, &error), &error);
    float times[2] = {0, 1}, values[2] = {1, 0}; /* visible, then hidden */
    animation->channels[0] = (facet_channel){.node = 0,
                                             .target = FACET_TARGET_VISIBILITY,
                                             .interpolation = FACET_INTERPOLATION_STEP,
                                             .width = 1,
                                             .key_count = 2,
                                             .times = times,
                                             .values = values};
    facet_picture p = draw(scene, (facet_render_options){.has_time = true, .time = 0.9}, NULL);
    ASSERT_PIXEL(p, 32, 32, 255, 0, 0, 255);
    facet_picture_free(&p);
    p = draw(scene, (facet_render_options){.has_time = true, .time = 1}, NULL);
    ASSERT_PIXEL(p, 32, 32, 0, 0, 255, 255);
    facet_picture_free(&p);
    p = draw(scene, (facet_render_options){0}, NULL);
    ASSERT_PIXEL(p, 32, 32, 255, 0, 0, 255);
    facet_picture_free(&p);
    facet_scene_free(scene);
}

TEST(triangles_are_cut_at_the_camera)
{
    facet_scene *scene = scene_of();
    facet_mesh *mesh = add_square(scene, add_material(scene, 1, 1, 1, 1), 0, 0, 0, 1);
    /* A floor that continues below the camera and behind it. */
    static const float floor_[12] = {-50, -1, 50, 50, -1, 50, 50, -1, -50, -50, -1, -50};
    memcpy(mesh->streams[0].data, floor_, sizeof floor_);
    static const facet_render_camera camera = {{0, 0, 0}, {0, 0, -1}, {0, 1, 0}, 90, 0};
    facet_picture p = draw(scene, (facet_render_options){.camera = &camera}, NULL);
    /* The horizon is in the middle. The floor ends 50 units away, at 1/50 of the half height. */
    ASSERT_PIXEL(p, 32, 63, 255, 255, 255, 255);
    ASSERT_PIXEL(p, 0, 40, 255, 255, 255, 255);
    ASSERT_PIXEL(p, 32, 33, 255, 255, 255, 255);
    ASSERT_PIXEL(p, 32, 30, 0, 0, 0, 0);
    facet_picture_free(&p);
    facet_scene_free(scene);
}

/* -- Materials ---------------------------------------------------------- */

TEST(textures_and_alpha_give_exact_pixels)
{
    static const uint8_t texels[16] = {255, 0, 0,   255, 0,   255, 0,  255,
                                       0,   0, 255, 255, 200, 100, 50, 0};
    facet_scene *scene = scene_of();
    uint32_t m = add_material(scene, 1, 1, 1, 1);
    set_texture(scene, m, add_image(scene, texels));
    add_square(scene, m, 0, 0, 0, 1);
    facet_picture p = draw(scene, (facet_render_options){0}, NULL);
    ASSERT_PIXEL(p, 10, 10, 255, 0, 0, 255);
    ASSERT_PIXEL(p, 50, 10, 0, 255, 0, 255);
    ASSERT_PIXEL(p, 10, 50, 0, 0, 255, 255);
    ASSERT_PIXEL(p, 50, 50, 200, 100, 50, 255); /* opaque: alpha is ignored */
    facet_picture_free(&p);
    scene->materials[m]->alpha_mode = FACET_ALPHA_MASK;
    scene->materials[m]->alpha_cutoff = 0.5f;
    p = draw(scene, (facet_render_options){0}, NULL);
    ASSERT_PIXEL(p, 10, 50, 0, 0, 255, 255);
    ASSERT_PIXEL(p, 50, 50, 0, 0, 0, 0);
    facet_picture_free(&p);
    /* Half of white over black is half the light: the byte of 0.5 is 188. */
    static const uint8_t black[4] = {0, 0, 0, 255};
    facet_scene_free(scene);
    scene = scene_of();
    m = add_material(scene, 1, 1, 1, 0.5f);
    scene->materials[m]->alpha_mode = FACET_ALPHA_BLEND;
    add_square(scene, m, 0, 0, 0, 1);
    p = draw(scene, (facet_render_options){.background = black}, NULL);
    ASSERT_PIXEL(p, 32, 32, 188, 188, 188, 255);
    facet_picture_free(&p);
    /* Two layers leave a quarter, in either order of the scene. */
    uint32_t red = add_material(scene, 1, 0, 0, 0.5f);
    scene->materials[red]->alpha_mode = FACET_ALPHA_BLEND;
    add_square(scene, red, 0, 0, 1, 1);
    p = draw(scene, (facet_render_options){0}, NULL);
    assert_int_equal(pixel(&p, 32, 32)[3], 191); /* 0.75 */
    /* Premultiplied: red 0.5 + 0.25, the others 0.25, of 0.75: 1 and 1/3. */
    assert_int_equal(pixel(&p, 32, 32)[0], 255);
    assert_int_equal(pixel(&p, 32, 32)[1], 156); /* sRGB of 1/3 */
    facet_picture_free(&p);
    facet_scene_free(scene);
}

/* Brighter where it faces the light, and at least as bright as the environment. */
TEST(light_comes_from_above)
{
    facet_scene *scene = scene_of();
    uint32_t m = add_material(scene, 0.5f, 0.5f, 0.5f, 1);
    scene->materials[m]->unlit = false;
    scene->materials[m]->metallic = 0;
    scene->materials[m]->roughness = 1;
    facet_mesh *mesh = add_square(scene, m, 0, 0, 0, 1);
    float *normals = mesh->streams[1].data;
    uint8_t levels[3];
    static const float ways[3][3] = {{-0.4f, 0.6f, 0.69f}, {0, 0, 1}, {0.57f, -0.57f, 0.59f}};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 4; k++)
            memcpy(normals + (size_t)k * 3, ways[i], sizeof ways[i]);
        facet_picture p = draw(scene, (facet_render_options){0}, NULL);
        levels[i] = pixel(&p, 32, 32)[0];
        facet_picture_free(&p);
    }
    assert_true(levels[0] > levels[1]);
    assert_true(levels[1] > levels[2] + 30);
    assert_in_range(levels[2], 40, 120);
    assert_in_range(levels[0], 170, 230);
    facet_scene_free(scene);
}

/* -- Console materials -------------------------------------------------- */

TEST(console_colors_are_exact)
{
    static const uint8_t texels[16] = {100, 200, 50, 255, 1, 2, 3, 4, 5, 6, 7, 8, 90, 80, 70, 60};
    facet_scene *scene = scene_of();
    uint32_t m;
    facet_gx_material *gx = add_console(scene, &m);
    gx->material_colors[0] = (facet_gx_rgba8){128, 64, 255, 255};
    add_square(scene, m, 0, 0, 0, 1);
    facet_picture p = draw(scene, (facet_render_options){0}, NULL);
    ASSERT_PIXEL(p, 32, 32, 128, 64, 255, 255);
    facet_picture_free(&p);
    /* Texture times raster: (100 * 129 + 128) >> 8 = 50, (200 * 64 + 128) >> 8 = 50, 50. */
    gx->tev_stages[0].color.inputs[1] = 8;
    gx->tev_stages[0].color.inputs[2] = 10;
    gx->tev_stages[0].color.inputs[3] = 15;
    gx->tev_orders[0] = (facet_gx_tev_order){0, 0, 4, 0};
    gx->texgen_count = 1;
    gx->textures[0] = (uint16_t)add_image(scene, texels);
    gx->samplers[0] = (facet_gx_sampler){0};
    p = draw(scene, (facet_render_options){0}, NULL);
    ASSERT_PIXEL(p, 10, 10, 50, 50, 50, 255);
    ASSERT_PIXEL(p, 50, 50, 45, 20, 70, 255); /* (90 * 129 + 128) >> 8, (80 * 64 + 128) >> 8 */
    facet_picture_free(&p);
    /* Alpha above 100 passes: only the first of the texels. */
    gx->tev_stages[0].alpha.inputs[3] = 4;
    gx->alpha_compare = (facet_gx_alpha_compare){4, 100, 0, 7, 0, {0}};
    gx->early_depth = 0;
    p = draw(scene, (facet_render_options){0}, NULL);
    ASSERT_PIXEL(p, 10, 10, 50, 50, 50, 255);
    ASSERT_PIXEL(p, 50, 50, 0, 0, 0, 0);
    facet_picture_free(&p);
    facet_scene_free(scene);
}

TEST(console_frames_blend_in_order)
{
    static const uint8_t gray[4] = {20, 40, 60, 255};
    facet_scene *scene = scene_of();
    uint32_t m, other;
    facet_gx_material *gx = add_console(scene, &m);
    gx->material_colors[0] = (facet_gx_rgba8){200, 100, 50, 128};
    gx->blend.type = 1;
    gx->translucent = 1;
    add_square(scene, m, 0, 0, 0, 1);
    facet_picture p = draw(scene, (facet_render_options){.background = gray}, NULL);
    ASSERT_PIXEL(p, 32, 32, 110, 70, 54, 255); /* (200 * 129 + 20 * 127) >> 8 ... */
    facet_picture_free(&p);
    /* The opaque square is drawn first, although it is last in the scene. In the order of the file
     * it would be hidden: the translucent square writes its depth and is nearer. */
    facet_gx_material *solid = add_console(scene, &other);
    solid->material_colors[0] = (facet_gx_rgba8){20, 40, 60, 255};
    add_square(scene, other, 0, 0, -1, 1);
    p = draw(scene, (facet_render_options){0}, NULL);
    ASSERT_PIXEL(p, 32, 32, 110, 70, 54, 255);
    facet_picture_free(&p);
    p = draw(scene, (facet_render_options){.file_order = true, .background = gray}, NULL);
    ASSERT_PIXEL(p, 32, 32, 110, 70, 54, 255);
    facet_picture_free(&p);
    solid->material_colors[0] = (facet_gx_rgba8){255, 255, 255, 255};
    p = draw(scene, (facet_render_options){.file_order = true, .background = gray}, NULL);
    ASSERT_PIXEL(p, 32, 32, 110, 70, 54, 255);
    facet_picture_free(&p);
    /* (200 * 129 + 255 * 127) >> 8 = 227 */
    p = draw(scene, (facet_render_options){.background = gray}, NULL);
    ASSERT_PIXEL(p, 32, 32, 227, 176, 151, 255);
    facet_picture_free(&p);
    facet_scene_free(scene);
}

/* -- Equal bits --------------------------------------------------------- */

static facet_scene *crowd(void)
{
    facet_scene *scene = scene_of();
    uint32_t seed = 7, gx, materials[4];
    static const uint8_t texels[16] = {255, 128, 0, 255, 0, 128, 255, 99,
                                       40,  80,  7, 200, 9, 255, 120, 255};
    add_console(scene, &gx);
    for (int i = 0; i < 3; i++) {
        materials[i] = add_material(scene, 0.9f, 0.2f * (float)i, 0.4f, 0.6f);
        scene->materials[materials[i]]->unlit = false;
        scene->materials[materials[i]]->double_sided = true;
        scene->materials[materials[i]]->alpha_mode = (facet_alpha_mode)i;
    }
    materials[3] = gx;
    set_texture(scene, materials[1], add_image(scene, texels));
    for (int i = 0; i < 400; i++) {
        float at[4];
        for (int k = 0; k < 4; k++) {
            seed = seed * 1664525u + 1013904223u;
            at[k] = (float)(seed >> 16) / 32768 - 1;
        }
        facet_mesh *mesh =
            add_square(scene, materials[i % 4], at[0], at[1], at[2], 0.1f + at[3] * at[3] * 0.2f);
        float *positions = mesh->streams[0].data;
        positions[2] += at[3]; /* tilted, so that they intersect */
        positions[7] -= at[2];
    }
    return scene;
}

TEST(pixels_are_the_same_for_any_thread_count)
{
    facet_scene *scene = crowd();
    static const unsigned modes[] = {0, FACET_RENDER_CLAY | FACET_RENDER_WIREFRAME,
                                     FACET_RENDER_OVERDRAW};
    for (size_t mode = 0; mode < 3; mode++) {
        facet_render_options how = {.has_direction = true, .azimuth = 30, .elevation = 20};
        how.width = 200, how.height = 150, how.modes = modes[mode];
        facet_picture first = draw(scene, how, NULL);
        for (unsigned count = 2; count < 9; count += 3) {
            const facet_threads *threads = NULL;
            facet_error error;
            TEST_OK(facet_threads_create(count, &threads, &error), &error);
            facet_picture p = draw(scene, how, threads);
            assert_memory_equal(p.image.pixels, first.image.pixels, 200 * 150 * 4);
            facet_picture_free(&p);
            facet_threads_free(threads);
        }
        facet_picture_free(&first);
    }
    facet_scene_free(scene);
}

/* Opaque squares, from left to right or from right to left, tilted and intersecting. They have more
 * triangles than one batch of bins, and none of the first batch is at the far right. */
enum { ROW = 2600 };

static facet_scene *row_of_squares(bool backwards)
{
    facet_scene *scene = scene_of();
    for (int i = 0; i < 60; i++) {
        uint32_t material =
            add_material(scene, (float)(i % 5) / 4, (float)(i % 4) / 3, (float)(i % 3) / 2, 1);
        scene->materials[material]->double_sided = true;
    }
    for (int k = 0; k < ROW; k++) {
        int i = backwards ? ROW - 1 - k : k;
        uint32_t seed = (uint32_t)i;
        float at[5];
        for (int n = 0; n < 5; n++) {
            seed = seed * 1664525u + 1013904223u;
            at[n] = (float)(seed >> 16) / 32768 - 1;
        }
        float x = 2 * (float)i / ROW - 1;
        facet_mesh *mesh = add_square(scene, (uint32_t)i % 60, x, at[0] * 0.4f, at[1] * 0.5f,
                                      0.03f + at[2] * at[2] * 0.2f);
        float *positions = mesh->streams[0].data;
        positions[2] += at[3] * 0.5f, positions[8] -= at[3] * 0.5f;
        positions[5] += at[4] * 0.5f, positions[11] -= at[4] * 0.5f;
    }
    return scene;
}

/* A pixel that is hidden from the start in one order is overdrawn in the other. */
TEST(the_order_of_opaque_triangles_changes_nothing)
{
    facet_scene *forth = row_of_squares(false), *back = row_of_squares(true);
    for (uint32_t samples = 1; samples <= 16; samples *= 4) {
        facet_render_options how = {.width = 300, .height = 150, .samples = samples};
        facet_picture a = draw(forth, how, NULL), b = draw(back, how, NULL);
        assert_memory_equal(a.image.pixels, b.image.pixels, 300 * 150 * 4);
        facet_picture_free(&a);
        facet_picture_free(&b);
    }
    facet_scene_free(forth);
    facet_scene_free(back);
}

/* Lit squares with normals that differ from their planes, intersecting. A white texture or a mask
 * of alpha 1 changes no pixel, although the renderer draws them with other code. */
enum look { PLAIN, TEXTURED, MASKED };

static facet_scene *lit_squares(enum look look)
{
    static const uint8_t white[16] = {255, 255, 255, 255, 255, 255, 255, 255,
                                      255, 255, 255, 255, 255, 255, 255, 255};
    facet_scene *scene = scene_of();
    uint32_t seed = 5, image = look == TEXTURED ? add_image(scene, white) : 0;
    for (uint32_t i = 0; i < 300; i++) {
        float at[8];
        for (int n = 0; n < 8; n++) {
            seed = seed * 1664525u + 1013904223u;
            at[n] = (float)(seed >> 16) / 32768 - 1;
        }
        if (i < 8) {
            uint32_t material = add_material(scene, 0.8f, 0.3f, 0.5f, 1);
            facet_material *m = scene->materials[material];
            m->unlit = false;
            m->double_sided = true;
            m->roughness = 0.2f + 0.1f * (float)i;
            m->metallic = i % 3 ? 0 : 1;
            m->emissive[0] = i % 2 ? 0.1f : 0;
            m->alpha_mode = look == MASKED ? FACET_ALPHA_MASK : FACET_ALPHA_OPAQUE;
            if (look == TEXTURED)
                set_texture(scene, i, image);
        }
        facet_mesh *mesh = add_square(scene, i % 8, at[0], at[1], at[2], 0.02f + at[3] * at[3]);
        float *positions = mesh->streams[0].data, *normals = mesh->streams[1].data;
        positions[2] += at[4], positions[5] -= at[5];
        normals[0] = at[6], normals[4] = at[7];
        for (int n = 0; n < 3 && i % 16 == 0; n++) /* too short to be used */
            normals[n] = normals[3 + n] = normals[6 + n] = normals[9 + n] = 0;
    }
    return scene;
}

TEST(white_textures_and_whole_masks_change_nothing)
{
    facet_scene *plain = lit_squares(PLAIN), *textured = lit_squares(TEXTURED);
    facet_scene *masked = lit_squares(MASKED);
    static const facet_render_camera near = {{0.3, 0.2, 3}, {0, 0, 0}, {0, 1, 0}, 40, 0};
    for (uint32_t samples = 1; samples <= 16; samples *= 4) {
        for (int k = 0; k < 2; k++) {
            facet_render_options how = {.width = 230, .height = 150, .samples = samples};
            how.camera = k ? &near : NULL; /* otherwise without perspective */
            facet_picture a = draw(plain, how, NULL), b = draw(textured, how, NULL);
            facet_picture c = draw(masked, how, NULL);
            assert_memory_equal(a.image.pixels, b.image.pixels, 230 * 150 * 4);
            assert_memory_equal(a.image.pixels, c.image.pixels, 230 * 150 * 4);
            facet_picture_free(&a);
            facet_picture_free(&b);
            facet_picture_free(&c);
        }
    }
    facet_scene_free(plain);
    facet_scene_free(textured);
    facet_scene_free(masked);
}

/* -- Errors ------------------------------------------------------------- */

TEST(what_cannot_be_drawn_is_reported)
{
    facet_scene *scene = scene_of();
    facet_renderer *renderer = NULL;
    facet_picture picture;
    facet_error error;
    add_square(scene, FACET_NONE, 0, 0, 0, 1);
    TEST_OK(facet_renderer_create(scene, NULL, &renderer, &error), &error);
    const struct {
        facet_render_options how;
        const char *rule;
    } wrong[] = {{{.width = 9000}, "RENDER-SIZE"},
                 {{.line_width = 9000}, "RENDER-SIZE"},
                 {{.width = 4097, .samples = 16}, "RENDER-SAMPLES"},
                 {{.samples = 2}, "RENDER-SAMPLES"},
                 {{.exposure = 33}, "RENDER-EXPOSURE"},
                 {{.environment_rotation = 40000}, "RENDER-ENVIRONMENT"},
                 {{.has_time = true}, "RENDER-ANIMATION"},
                 {{.modes = FACET_RENDER_TEXTURE}, "RENDER-TEXTURE"},
                 {{.camera = &(facet_render_camera){.field_of_view = 30}}, "RENDER-CAMERA"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        TEST_REFUSED(facet_renderer_draw(renderer, &wrong[i].how, NULL, &picture, &error),
                     FACET_ERROR_ARGUMENT, wrong[i].rule, &error);
    facet_renderer_free(renderer);
    /* A mesh of polygons must be prepared first. */
    static uint32_t offsets[2] = {0, 6};
    scene->meshes[0]->face_offsets = offsets;
    scene->meshes[0]->face_count = 1;
    TEST_REFUSED(facet_renderer_create(scene, NULL, &renderer, &error), FACET_ERROR_ARGUMENT,
                 "RENDER-MESH", &error);
    facet_scene_free(scene);
    /* An empty picture is valid. */
    scene = scene_of();
    picture = draw(scene, (facet_render_options){.has_direction = true}, NULL);
    assert_false(picture.any);
    ASSERT_PIXEL(picture, 5, 5, 0, 0, 0, 0);
    facet_picture_free(&picture);
    facet_scene_free(scene);
}

/* -- Mip levels ---------------------------------------------------------- */

/* A step of two texels selects the next level, of half the size; a step of four the one after it.
 * The level is the binary logarithm of the step (glTF 2.0 3.8.4, OpenGL 4.6 8.14.1). Each level has
 * one value here, 1 / 2^level. Values between two levels are interpolated in 16 steps. */
TEST(mip_levels_follow_the_step)
{
    enum { SIDE = 16 };
    static uint8_t texels[5][SIDE * SIDE * 4];
    static const uint8_t values[5] = {255, 128, 64, 32, 16};
    facet_render_image image = {.level_count = 5};
    for (unsigned i = 0; i < 5; i++) {
        memset(texels[i], values[i], sizeof texels[i]);
        image.levels[i] = (facet_gx_level){texels[i], SIDE >> i, SIDE >> i};
    }
    const facet_render_map map = {.image = &image, .mips = true, .rows = {{1, 0, 0}, {0, 1, 0}}};
    const struct {
        float step; /* texels */
        float value;
    } cases[] = {{0.5f, 255},      {1, 255}, {2, 128}, {4, 64},
                 {8, 32},          {16, 16}, {64, 16}, {1.41421356f, 191.5f},
                 {2.82842712f, 96}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const float uv[2] = {0.3f, 0.7f}, step = cases[i].step / SIDE;
        float out[4];
        facet_render_sample(&map, uv, step * step, out);
        /* A sixteenth of a level is at most 8 of 255 here. */
        assert_float_equal(out[0] * 255, cases[i].value, cases[i].step > 1.5f ? 4.1f : 8.1f);
        if (cases[i].step == 1 || cases[i].step == 2 || cases[i].step == 4)
            assert_float_equal(out[0] * 255, cases[i].value, 0.01f);
    }
}

/* The front of a triangle is the cross product of its edges from the first corner. Here it is (1,
 * 2, 3) x (4, 5, 6) = (2 * 6 - 3 * 5, 3 * 4 - 1 * 6, 1 * 5 - 2 * 4) = (-3, 6, -3). */
TEST(fronts_are_cross_products)
{
    float positions[3][3] = {{10, 20, 30}, {11, 22, 33}, {14, 25, 36}};
    const facet_render_view view = {.positions = positions};
    const facet_render_instance instance = {.ends = NULL};
    for (int mirrored = 0; mirrored < 2; mirrored++) {
        const facet_render_draw draw_ = {.instance = &instance, .mirrored = mirrored != 0};
        const float sign = mirrored ? -1 : 1;
        facet_render_triangle triangle = {.corners = {0, 1, 2}, .draw = &draw_};
        facet_render_set_front(&view, &triangle);
        assert_float_equal(triangle.front[0], sign * -3, 0);
        assert_float_equal(triangle.front[1], sign * 6, 0);
        assert_float_equal(triangle.front[2], sign * -3, 0);
    }
}

/* The curve of IEC 61966-2-1: c / 12.92 up to 0.04045, ((c + 0.055) / 1.055)^2.4 above. A value
 * becomes the nearest byte, where the limit is the middle of two linear values. 65,537 values from
 * 0 to 1 visit every entry of the tables. */
TEST(colors_follow_the_curve)
{
    double linear[257];
    for (int i = 0; i <= 255; i++) {
        double c = i / 255.0;
        linear[i] = c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
        assert_true(fabs((double)facet_render_linear[i] - linear[i]) <= 6e-8 * linear[i] + 1e-12);
        assert_int_equal(facet_render_to_byte(facet_render_linear[i]), i);
    }
    for (uint32_t i = 0, byte = 0; i <= 65536; i++) {
        float value = (float)i / 65536;
        while (byte < 255 &&
               value >= (facet_render_linear[byte] + facet_render_linear[byte + 1]) / 2)
            byte++;
        assert_int_equal(facet_render_to_byte(value), byte);
    }
    assert_int_equal(facet_render_to_byte(-1), 0);
    assert_int_equal(facet_render_to_byte(NAN), 0);
    assert_int_equal(facet_render_to_byte(2), 255);
}

/* 65,536 vertices, 32,768 times: 2^31. */
TEST(fewer_than_2_31_vertices_are_drawn)
{
    static const uint32_t corners[3] = {0, 1, 2};
    const facet_options options = {.growth_limit = UINT32_MAX};
    facet_scene *scene = test_scene();
    facet_mesh *mesh = test_mesh(scene, 1, NULL);
    facet_renderer *renderer = NULL;
    facet_error error;
    float *points = calloc((size_t)65536 * 3, sizeof *points);
    assert_true(mesh && points);
    assert_true(test_stream(scene, mesh, FACET_POSITION, 3, 65536, points, corners));
    for (uint32_t i = 0; i < 32768; i++) {
        facet_node *node;
        TEST_OK(facet_scene_add_node(scene, "n", &node, &error), &error);
        node->mesh = 0;
    }
    assert_int_equal(facet_renderer_create(scene, &options, &renderer, &error), FACET_ERROR_LIMIT);
    assert_string_equal(error.rule, "RENDER-COUNT");
    free(points);
    facet_scene_free(scene);
}

/* Draw `squares` squares that cover the picture, each nearer than the one before or, if `hides`,
 * behind it. A growth limit of 1 allows 2^28 + 32 * samples + 64 * triangles steps. */
static facet_status draw_layers(int squares, uint32_t size, bool hides, float alpha,
                                facet_error *error)
{
    static const facet_render_camera camera = {{0, 0, 10}, {0, 0, 0}, {0, 1, 0}, 0, 2};
    const facet_render_options how = {
        .width = size, .height = size, .samples = 1, .camera = &camera};
    const facet_options options = {.growth_limit = 1};
    facet_scene *scene = scene_of();
    uint32_t red = add_material(scene, 1, 0, 0, alpha);
    facet_renderer *renderer = NULL;
    facet_picture picture = {0};
    if (alpha < 1)
        scene->materials[red]->alpha_mode = FACET_ALPHA_BLEND;
    for (int i = 0; i < squares; i++)
        add_square(scene, red, 0, 0, (float)(hides ? -i : i) / 1024, 1);
    TEST_OK(facet_renderer_create(scene, &options, &renderer, error), error);
    facet_status status = facet_renderer_draw(renderer, &how, &options, &picture, error);
    if (!status)
        facet_picture_free(&picture);
    facet_renderer_free(renderer);
    facet_scene_free(scene);
    return status;
}

/* 1,024 * 1,024 samples have 256 tiles. Each of the two triangles of a square has a box of all
 * samples: 2 * (128 * 256 + 2 * 2^20) = 4,259,840 steps. The limit is 2^28 + 32 * 2^20 =
 * 301,989,888 steps, and 128 for each square. That is enough for 70 squares. */
TEST(work_of_solid_layers_is_limited)
{
    facet_error error = {0};
    TEST_OK(draw_layers(70, 1024, true, 1, &error), &error);
    assert_int_equal(draw_layers(71, 1024, true, 1, &error), FACET_ERROR_LIMIT);
    assert_string_equal(error.rule, "RENDER-LIMIT");
}

/* 512 * 512 samples have 64 tiles. The limit is 2^28 + 32 * 2^18 = 276,824,064 steps, and 128 for
 * each square. n squares have n layers. The bins visit all squares, each layer visits them, and a
 * last visit finds nothing. A layer colors all samples, with 64 steps each.
 * A visit of a square takes 2 * (128 * 64 + 2 * 2^18) = 1,064,960 steps.
 * Three squares take 5 * 3 * 1,064,960 + 3 * 64 * 2^18 = 66,306,048 steps.
 * Twelve squares take 14 * 12 * 1,064,960 + 12 * 64 * 2^18 = 380,239,872 steps. */
TEST(work_of_transparent_layers_is_limited)
{
    facet_error error = {0};
    TEST_OK(draw_layers(3, 512, true, 0.01f, &error), &error);
    assert_int_equal(draw_layers(12, 512, true, 0.01f, &error), FACET_ERROR_LIMIT);
    assert_string_equal(error.rule, "RENDER-LIMIT");
}
