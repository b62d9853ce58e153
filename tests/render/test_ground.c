/* The shadow on the ground, as the alpha of a transparent background: compared with form factors in
 * closed form (J. R. Howell, "A Catalog of Radiation Heat Transfer Configuration Factors", B-3 and
 * B-4). Shadows leave the model, and pictures without one, unchanged. */
#include "support/pictures.h"

#include <stdlib.h>

static const float PI_F = 3.14159265f;

enum { SIDE = 256, PER_UNIT = 32 };

/* From above, without perspective: x to the right, z down. */
static const facet_render_camera above = {{0, 10, 0}, {0, 0, 0}, {0, 0, -1}, 0, 8};

/* Walls and the top of a box on the ground, with the middle at 0. */
static void add_box(facet_scene *scene, uint32_t material, float width, float height, float depth)
{
    static const uint32_t corners[30] = {0, 1, 5, 0, 5, 4, 1, 2, 6, 1, 6, 5, 2, 3, 7,
                                         2, 7, 6, 3, 0, 4, 3, 4, 7, 4, 5, 6, 4, 6, 7};
    float x = width / 2, z = depth / 2;
    const float positions[24] = {-x, 0,      z, x, 0,      z, x, 0,      -z, -x, 0,      -z,
                                 -x, height, z, x, height, z, x, height, -z, -x, height, -z};
    facet_mesh *mesh;
    facet_error error;
    TEST_OK(facet_scene_add_mesh(scene, &mesh, &error), &error);
    mesh->face_count = 10;
    mesh->corner_count = 30;
    mesh->face_materials = facet_scene_allocate(scene, 10, sizeof *mesh->face_materials);
    for (int i = 0; i < 10; i++)
        mesh->face_materials[i] = material;
    TEST_OK(facet_mesh_add_stream_copy(mesh, FACET_POSITION, 0, NULL, FACET_FLOAT32, 3, 8,
                                       positions, corners, NULL, &error),
            &error);
}

static facet_picture draw_above(const facet_scene *scene, double shadow)
{
    return draw(
        scene,
        (facet_render_options){.width = SIDE, .height = SIDE, .camera = &above, .shadow = shadow},
        NULL);
}

static float share_at(const facet_picture *p, float x, float z)
{
    return (float)pixel(p, (uint32_t)(SIDE / 2 + x * PER_UNIT),
                        (uint32_t)(SIDE / 2 + z * PER_UNIT))[3] /
           255;
}

/* A bell curve is close to the kernel, whose ends are heavier. */
static void assert_share(const facet_picture *p, float x, float z, float expected)
{
    float found = share_at(p, x, z);
    if (!(fabsf(found - expected) < 0.07f))
        fail_msg("%.3f of the light at %.3f %.3f is taken, expected %.3f", (double)found, (double)x,
                 (double)z, (double)expected);
}

TEST(ground_beside_a_box_is_as_dark_as_beside_a_wall)
{
    facet_scene *scene = scene_of();
    add_box(scene, add_material(scene, 1, 0, 0, 1), 4, 0.5f, 1);
    facet_picture p = draw_above(scene, 1);
    for (float d = 0.1f; d < 1.2f; d += 0.1f) {
        /* A wall of 4 x 0.5 at distance d, in front of its middle. */
        float slant = sqrtf(d * d + 0.25f);
        assert_share(&p, 0, 0.5f + d, (atanf(2 / d) - d / slant * atanf(2 / slant)) / PI_F);
    }
    ASSERT_PIXEL(p, SIDE / 2, SIDE / 2, 255, 0, 0, 255);
    facet_picture_free(&p);
    facet_scene_free(scene);
}

/* Form factor of a rectangle from 0 to a and from 0 to b at height h. */
static float over_corner(float a, float b, float h)
{
    float slant_a = sqrtf(a * a + h * h), slant_b = sqrtf(b * b + h * h);
    return (a / slant_a * atanf(b / slant_a) + b / slant_b * atanf(a / slant_b)) / (2 * PI_F);
}

/* The ground is at the foot, a speck below the plate. */
TEST(shadow_of_a_plate_is_softer_the_higher_it_is)
{
    for (float h = 0.25f; h < 1.1f; h *= 2) {
        facet_scene *scene = scene_of();
        uint32_t red = add_material(scene, 1, 0, 0, 1);
        scene->materials[red]->double_sided = true;
        float *plate = add_square(scene, red, 0, 0, 0, 1)->streams[0].data;
        float *foot = add_square(scene, red, 0, 0, 0, 1.0f / 4096)->streams[0].data;
        for (int i = 0; i < 4; i++) { /* from z = 0 to a height */
            plate[i * 3 + 2] = plate[i * 3 + 1];
            plate[i * 3 + 1] = h;
            foot[i * 3 + 2] = foot[i * 3 + 1];
            foot[i * 3 + 1] = 0;
        }
        facet_picture p = draw_above(scene, 1);
        for (float d = 0.05f; d < 0.4f; d += 0.05f)
            assert_share(&p, 0, 1 + d, 2 * (over_corner(1, d + 2, h) - over_corner(1, d, h)));
        facet_picture_free(&p);
        facet_scene_free(scene);
    }
}

TEST(strength_scales_the_shadow_and_0_draws_none)
{
    facet_scene *scene = scene_of();
    add_box(scene, add_material(scene, 1, 0, 0, 1), 4, 0.5f, 1);
    facet_picture whole = draw_above(scene, 1), half = draw_above(scene, 0.5);
    facet_picture none = draw_above(scene, 0);
    assert_float_equal(share_at(&half, 0, 0.7f), share_at(&whole, 0, 0.7f) / 2, 0.6f / 255);
    assert_float_equal(share_at(&none, 0, 0.7f), 0, 0);
    facet_picture_free(&whole);
    facet_picture_free(&half);
    facet_picture_free(&none);
    facet_scene_free(scene);
}

/* On white, linear light is 1 - share; on the console's frame as well. */
TEST(shadow_darkens_a_background)
{
    static const uint8_t white[4] = {255, 255, 255, 255};
    for (int console = 0; console < 2; console++) {
        facet_scene *scene = scene_of();
        uint32_t material = add_material(scene, 1, 0, 0, 1);
        if (console)
            add_console(scene, &material);
        add_box(scene, material, 4, 0.5f, 1);
        facet_picture clear = draw_above(scene, 0.8);
        facet_picture p = draw(scene,
                               (facet_render_options){.width = SIDE,
                                                      .height = SIDE,
                                                      .camera = &above,
                                                      .background = white,
                                                      .shadow = 0.8},
                               NULL);
        for (uint32_t y = 150; y < 200; y += 7) {
            float light = 1 - (float)pixel(&clear, 100, y)[3] / 255;
            float screen =
                light <= 0.0031308f ? light * 12.92f : 1.055f * powf(light, 1 / 2.4f) - 0.055f;
            const uint8_t *found = pixel(&p, 100, y);
            assert_true(fabsf((float)found[0] - screen * 255) < 1.6f);
            assert_true(found[0] == found[1] && found[1] == found[2] && found[3] == 255);
        }
        facet_picture_free(&clear);
        facet_picture_free(&p);
        facet_scene_free(scene);
    }
}

TEST(ground_is_not_seen_from_below_or_in_other_modes)
{
    static const facet_render_camera below = {{0, -10, 0}, {0, 0, 0}, {0, 0, -1}, 0, 8};
    facet_scene *scene = scene_of();
    add_box(scene, add_material(scene, 1, 0, 0, 1), 4, 0.5f, 1);
    const facet_render_options hows[] = {
        {.width = SIDE, .height = SIDE, .camera = &below, .shadow = 1},
        {.width = SIDE,
         .height = SIDE,
         .camera = &above,
         .shadow = 1,
         .modes = FACET_RENDER_NORMALS}};
    for (int i = 0; i < 2; i++) {
        facet_picture p = draw(scene, hows[i], NULL);
        assert_float_equal(share_at(&p, 0, 0.7f), 0, 0);
        facet_picture_free(&p);
    }
    facet_scene_free(scene);
}

TEST(strengths_beyond_0_to_1_are_refused)
{
    facet_scene *scene = scene_of();
    add_square(scene, add_material(scene, 1, 0, 0, 1), 0, 0, 0, 1);
    const double wrong[] = {-0.5, 1.5, (double)NAN};
    for (int i = 0; i < 3; i++) {
        facet_renderer *renderer;
        facet_picture picture;
        facet_error error;
        const facet_render_options how = {.shadow = wrong[i]};
        TEST_OK(facet_renderer_create(scene, NULL, &renderer, &error), &error);
        assert_int_equal(facet_renderer_draw(renderer, &how, NULL, &picture, &error),
                         FACET_ERROR_ARGUMENT);
        assert_string_equal(error.rule, "RENDER-SHADOW");
        facet_renderer_free(renderer);
    }
    facet_scene_free(scene);
}
