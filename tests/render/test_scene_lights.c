/* Lights and cameras of the scene. A white wall of color 0.5 faces +Z under a black environment, so
 * that every expected value follows from the formulas of KHR_lights_punctual and glTF 2.0. */
#include "support/pictures.h"

#include <stdlib.h>

static const float PI_F = 3.14159265f;

/* -- Scenes ------------------------------------------------------------- */

static facet_node *add_node(facet_scene *scene, const char *name, float z)
{
    facet_node *node;
    facet_error error;
    TEST_OK(facet_scene_add_node(scene, name, &node, &error), &error);
    node->transform.translation[2] = z;
    return node;
}

static facet_scene *wall(void)
{
    facet_scene *scene = scene_of();
    uint32_t m = add_material(scene, 0.5F, 0.5F, 0.5F, 1);
    scene->materials[m]->unlit = false;
    scene->materials[m]->metallic = 0;
    scene->materials[m]->roughness = 1;
    add_square(scene, m, 0, 0, 0, 1);
    add_node(scene, "wall", 0)->mesh = 0;
    return scene;
}

/* A light at distance z, which shines toward -z. */
static facet_light *add_light(facet_scene *scene, facet_light_kind kind, float intensity, float z)
{
    facet_light *light;
    facet_error error;
    TEST_OK(facet_scene_add_light(scene, "", &light, &error), &error);
    light->kind = kind;
    light->intensity = intensity;
    add_node(scene, "lamp", z)->light = scene->light_count - 1;
    return light;
}

static facet_picture draw_dark(const facet_scene *scene, facet_render_options how)
{
    static const float black[6] = {0};
    facet_image image = {.name = "",
                         .media_type = "",
                         .pixels = (void *)(uintptr_t)black,
                         .is_float = true,
                         .width = 2,
                         .height = 1,
                         .channels = 3};
    how.environment = &image;
    how.scene_lights = true;
    return draw(scene, how, NULL);
}

static void assert_gray(const facet_scene *scene, uint32_t x, int expected)
{
    facet_picture p = draw_dark(scene, (facet_render_options){0});
    for (int c = 0; c < 3; c++)
        assert_in_range(pixel(&p, x, 32)[c], expected ? expected - 1 : 0, expected + 1);
    facet_picture_free(&p);
}

/* -- Lights ------------------------------------------------------------- */

/* Illuminance pi on a rough surface that light and viewer face: F0 is 0.04, so it reflects 0.5 *
 * 0.96 diffusely. The distribution is 1 and the visibility 1 / 4: 0.04 / 4 more. The tone
 * curve subtracts 0.04 from 0.49; sRGB of 0.45 is 1.055 * 0.45^(1 / 2.4) - 0.055 = 0.7014, the byte
 * 179. */
TEST(a_directional_light_gives_its_illuminance)
{
    facet_scene *scene = wall();
    add_light(scene, FACET_LIGHT_DIRECTIONAL, PI_F, 3);
    assert_gray(scene, 32, 179);
    scene->lights[0]->color[0] = scene->lights[0]->color[2] = 0;
    facet_picture p = draw_dark(scene, (facet_render_options){0});
    assert_true(pixel(&p, 32, 32)[0] == 0 && pixel(&p, 32, 32)[1] > 150);
    facet_picture_free(&p);
    facet_scene_free(scene);
}

/* Two meters away, 4 pi candela are pi lux. A range of four meters leaves 1 - (2 / 4)^4 = 0.9375 of
 * 0.49: 0.4594, less 0.04, is the byte 173. A range below the distance leaves nothing. */
TEST(a_point_light_fades_with_distance_and_range)
{
    facet_scene *scene = wall();
    facet_light *light = add_light(scene, FACET_LIGHT_POINT, 4 * PI_F, 2);
    assert_gray(scene, 32, 179);
    light->range = 4;
    assert_gray(scene, 32, 173);
    light->range = 1.9F;
    assert_gray(scene, 32, 0);
    facet_scene_free(scene);
}

/* The same light at a distance of four units of half a meter. */
TEST(a_point_light_measures_in_meters)
{
    facet_scene *scene = wall();
    add_light(scene, FACET_LIGHT_POINT, 4 * PI_F, 4);
    scene->axes.unit = 0.5;
    assert_gray(scene, 32, 179);
    facet_scene_free(scene);
}

/* The axis of a spot light meets the middle pixel. Pixel 56 is at x = (56.5 - 32) / 32 = 0.766.
 * Its angle from the axis is atan(0.766 / 2) = 0.366. Pixel 42 is at 0.328: atan(0.328 / 2) =
 * 0.1626. Between cones of 0.1 and 0.2, (cos 0.1626 - cos 0.2) / (cos 0.1 - cos 0.2) = 0.4557, and
 * its square is 0.2077. The light also comes from farther away and at an angle: 1 / cos^-3 =
 * 0.9612. So it reflects nearly 0.49 * 0.2077 * 0.9612 = 0.0978, less 0.04: the byte 68. */
TEST(a_spot_light_fades_between_its_cones)
{
    facet_scene *scene = wall();
    facet_light *light = add_light(scene, FACET_LIGHT_SPOT, 4 * PI_F, 2);
    light->inner_cone_angle = 0.1F;
    light->outer_cone_angle = 0.2F;
    assert_gray(scene, 32, 179);
    assert_gray(scene, 56, 0);
    facet_picture p = draw_dark(scene, (facet_render_options){0});
    assert_in_range(pixel(&p, 42, 32)[1], 64, 71);
    facet_picture_free(&p);
    facet_scene_free(scene);
}

/* A light behind the wall, a hidden one and one that is turned away give no light. */
TEST(lights_that_do_not_reach_a_surface_are_dark)
{
    facet_scene *scene = wall();
    add_light(scene, FACET_LIGHT_POINT, 40, -2);
    assert_gray(scene, 32, 0);
    add_light(scene, FACET_LIGHT_POINT, 40, 2);
    scene->nodes[2]->hidden = true;
    assert_gray(scene, 32, 0);
    add_light(scene, FACET_LIGHT_DIRECTIONAL, 40, 2);
    scene->nodes[3]->transform.rotation[1] = 1; /* half a turn about y */
    scene->nodes[3]->transform.rotation[3] = 0;
    assert_gray(scene, 32, 0);
    facet_scene_free(scene);
}

/* Without the option, and with only hidden lights, nothing changes. */
TEST(lights_are_drawn_on_request)
{
    facet_scene *scene = wall();
    facet_options options = {0};
    facet_error error;
    facet_renderer *renderer;
    TEST_OK(facet_report_create(NULL, &options.report, &error), &error);
    facet_picture plain = draw(scene, (facet_render_options){0}, NULL), other;
    add_light(scene, FACET_LIGHT_POINT, 4, 2);
    facet_picture off = draw(scene, (facet_render_options){0}, NULL);
    assert_memory_equal(pixel(&plain, 0, 0), pixel(&off, 0, 0), (size_t)64 * 64 * 4);
    scene->nodes[1]->hidden = true;
    static const facet_render_camera camera = {{0, 0, 10}, {0, 0, 0}, {0, 1, 0}, 0, 2};
    const facet_render_options how = {
        .width = 64, .height = 64, .camera = &camera, .scene_lights = true};
    TEST_OK(facet_renderer_create(scene, &options, &renderer, &error), &error);
    TEST_OK(facet_renderer_draw(renderer, &how, &options, &other, &error), &error);
    assert_memory_equal(pixel(&plain, 0, 0), pixel(&other, 0, 0), (size_t)64 * 64 * 4);
    assert_int_equal(facet_report_count(options.report), 1);
    assert_string_equal(facet_report_get(options.report, 0)->rule, "RENDER-LIGHTS");
    facet_renderer_free(renderer);
    facet_picture_free(&plain);
    facet_picture_free(&off);
    facet_picture_free(&other);
    facet_report_free(options.report);
    facet_scene_free(scene);
}

/* -- Cameras ------------------------------------------------------------ */

/* A camera at z = 3 that sees two units up and down there: the wall takes the middle half. */
static facet_camera *add_eye(facet_scene *scene)
{
    facet_camera *camera;
    facet_error error;
    TEST_OK(facet_scene_add_camera(scene, "eye", &camera, &error), &error);
    camera->field_of_view = 2 * atanf(2.0F / 3);
    camera->near_distance = 0.1F;
    add_node(scene, "eye node", 3)->camera = scene->camera_count - 1;
    return camera;
}

static void assert_box(const facet_scene *scene, const char *name, const uint32_t size[2],
                       const uint32_t box[4])
{
    facet_picture p =
        draw(scene,
             (facet_render_options){
                 .width = size[0], .height = size[1], .has_direction = true, .scene_camera = name},
             NULL);
    uint32_t seen[4] = {size[0], size[1], 0, 0};
    for (uint32_t i = 0; i < size[0] * size[1]; i++) {
        uint32_t x = i % size[0], y = i / size[0];
        if (pixel(&p, x, y)[3] == 0)
            continue;
        seen[0] = x < seen[0] ? x : seen[0];
        seen[1] = y < seen[1] ? y : seen[1];
        seen[2] = x + 1 > seen[2] ? x + 1 : seen[2];
        seen[3] = y + 1 > seen[3] ? y + 1 : seen[3];
    }
    for (int i = 0; i < 4; i++)
        assert_int_equal(seen[i], box[i]);
    facet_picture_free(&p);
}

/* Found by the camera's name, its node's name, and its number. */
TEST(a_camera_is_found_by_name_and_number)
{
    static const char *const names[] = {"eye", "eye node", "0"};
    facet_scene *scene = wall();
    add_eye(scene);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_box(scene, names[i], (const uint32_t[]){64, 64}, (const uint32_t[]){16, 16, 48, 48});
    facet_scene_free(scene);
}

/* Without a ratio, the angle is that of the picture's height. A camera twice as wide as high sees
 * four units to each side, and nothing of that is cut. */
TEST(a_camera_shows_all_that_it_sees)
{
    facet_scene *scene = wall();
    facet_camera *camera = add_eye(scene);
    assert_box(scene, "eye", (const uint32_t[]){32, 64}, (const uint32_t[]){0, 16, 32, 48});
    assert_box(scene, "eye", (const uint32_t[]){64, 32}, (const uint32_t[]){24, 8, 40, 24});
    camera->aspect_ratio = 2;
    assert_box(scene, "eye", (const uint32_t[]){64, 64}, (const uint32_t[]){24, 24, 40, 40});
    assert_box(scene, "eye", (const uint32_t[]){96, 32}, (const uint32_t[]){40, 8, 56, 24});
    camera->is_orthographic = true;
    camera->width = 4;
    camera->height = 2;
    assert_box(scene, "eye", (const uint32_t[]){64, 64}, (const uint32_t[]){24, 24, 40, 40});
    assert_box(scene, "eye", (const uint32_t[]){64, 32}, (const uint32_t[]){24, 8, 40, 24});
    facet_scene_free(scene);
}

/* The camera belongs to a node whose parent moves it by one unit: the wall is 16 pixels lower. In a
 * scene with +Z up, it is the same. */
TEST(a_camera_moves_with_its_parent)
{
    facet_scene *scene = wall();
    add_eye(scene);
    facet_node *parent = add_node(scene, "crane", 0);
    parent->transform.translation[1] = 1;
    scene->nodes[1]->parent = 2;
    for (int up = FACET_AXIS_X; up <= FACET_AXIS_Z; up++) {
        scene->axes.up = (facet_axis)up;
        assert_box(scene, "eye", (const uint32_t[]){64, 64}, (const uint32_t[]){16, 32, 48, 64});
    }
    facet_scene_free(scene);
}

TEST(an_unknown_camera_is_an_error)
{
    facet_scene *scene = wall();
    facet_renderer *renderer;
    facet_picture picture;
    facet_error error;
    TEST_OK(facet_renderer_create(scene, NULL, &renderer, &error), &error);
    const facet_render_options how = {.width = 8, .height = 8, .scene_camera = "eye"};
    for (int has = 0; has < 2; has++) {
        assert_int_equal(facet_renderer_draw(renderer, &how, NULL, &picture, &error),
                         FACET_ERROR_ARGUMENT);
        assert_string_equal(error.rule, "RENDER-CAMERA");
        assert_non_null(strstr(error.message, has ? "number 0 of 1 is 'ear'" : "has none"));
        if (!has) {
            add_eye(scene)->name = "ear";
            scene->nodes[1]->name = "";
        }
    }
    facet_renderer_free(renderer);
    facet_scene_free(scene);
}

/* A face without a position, which the invariants of a scene allow, is not read. Without the other
 * face, nothing is visible. */
TEST(faces_without_positions_are_left_out)
{
    for (int both = 0; both < 2; both++) {
        facet_scene *scene = wall();
        uint32_t *corners = scene->meshes[0]->streams[0].indices;
        corners[1] = corners[both ? 4 : 1] = FACET_NONE;
        facet_picture p = draw(scene, (facet_render_options){.has_direction = true}, NULL);
        assert_int_equal(p.any, !both);
        facet_picture_free(&p);
        facet_scene_free(scene);
    }
}
