/* Animated materials in pictures. The expected color follows from the values of the channels, or
 * from the picture of a scene at rest in that state. */
#include "support/pictures.h"

/* A channel with two keys, at 0 and 1 second. */
static void set_channel(facet_scene *scene, facet_channel *channel, facet_channel_target target,
                        uint32_t width, facet_interpolation interpolation, const float *values)
{
    channel->node = FACET_NONE;
    channel->target = target;
    channel->map = FACET_MAP_DIFFUSE;
    channel->interpolation = interpolation;
    channel->width = width;
    channel->key_count = 2;
    channel->times = facet_scene_allocate(scene, 2, sizeof *channel->times);
    channel->times[0] = 0;
    channel->times[1] = 1;
    channel->values = facet_scene_allocate(scene, (size_t)2 * width, sizeof *channel->values);
    memcpy(channel->values, values, 2 * width * sizeof *values);
}

static facet_picture draw_at(const facet_scene *scene, double time)
{
    return draw(scene, (facet_render_options){.has_time = true, .time = time}, NULL);
}

static facet_animation *animate(facet_scene *scene, uint32_t channels)
{
    facet_animation *animation = NULL;
    facet_error error;
    TEST_OK(facet_scene_add_animation(scene, "a", channels, &animation, &error), &error);
    return animation;
}

/* A linear half is 188 in sRGB: ((1.055 * 0.5 ^ (1 / 2.4)) - 0.055) * 255 = 187.5. At rest nothing
 * changes. */
TEST(animated_colors_are_drawn)
{
    static const float values[8] = {1, 0, 0, 1, 0, 0, 1, 1};
    facet_scene *scene = scene_of();
    add_square(scene, add_material(scene, 0, 1, 0, 1), 0, 0, 0, 1);
    set_channel(scene, animate(scene, 1)->channels, FACET_TARGET_BASE_COLOR, 4,
                FACET_INTERPOLATION_LINEAR, values);
    static const uint8_t expected[3][3] = {{255, 0, 0}, {188, 0, 188}, {0, 0, 255}};
    for (int i = 0; i < 3; i++) {
        facet_picture picture = draw_at(scene, i / 2.0);
        ASSERT_PIXEL(picture, 32, 32, expected[i][0], expected[i][1], expected[i][2], 255);
        facet_picture_free(&picture);
    }
    facet_picture rest = draw(scene, (facet_render_options){0}, NULL);
    ASSERT_PIXEL(rest, 32, 32, 0, 255, 0, 255);
    facet_picture_free(&rest);
    facet_scene_free(scene);
}

/* Four texels, red and green above blue and white. The upper left quarter of the square shows red.
 * Half a texture to the right it shows green, half a texture down blue. After a half turn around
 * its corner, with repeat, it shows white; so it does with texture coordinates scaled by 3. */
TEST(animated_texture_transforms_are_drawn)
{
    static const uint8_t texels[16] = {255, 0, 0,   255, 0,   255, 0,   255,
                                       0,   0, 255, 255, 255, 255, 255, 255};
    static const struct {
        facet_channel_target path;
        uint32_t width;
        float values[4];
        uint8_t color[3];
    } cases[] = {{FACET_TARGET_TEXTURE_OFFSET, 2, {0, 0, 0.5f, 0}, {0, 255, 0}},
                 {FACET_TARGET_TEXTURE_OFFSET, 2, {0, 0, 0, 0.5f}, {0, 0, 255}},
                 {FACET_TARGET_TEXTURE_ROTATION, 1, {0, 3.14159265f}, {255, 255, 255}},
                 {FACET_TARGET_TEXTURE_SCALE, 2, {1, 1, 3, 3}, {255, 255, 255}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        facet_scene *scene = scene_of();
        uint32_t material = add_material(scene, 1, 1, 1, 1);
        set_texture(scene, material, add_image(scene, texels));
        add_square(scene, material, 0, 0, 0, 1);
        set_channel(scene, animate(scene, 1)->channels, cases[i].path, cases[i].width,
                    FACET_INTERPOLATION_LINEAR, cases[i].values);
        facet_picture before = draw_at(scene, 0), after = draw_at(scene, 1);
        ASSERT_PIXEL(before, 16, 16, 255, 0, 0, 255);
        ASSERT_PIXEL(after, 16, 16, cases[i].color[0], cases[i].color[1], cases[i].color[2], 255);
        facet_picture_free(&before);
        facet_picture_free(&after);
        facet_scene_free(scene);
    }
}

/* An image that no material shows at rest. */
TEST(animated_images_are_chosen)
{
    static const float values[2] = {0, 1};
    uint8_t red[16], blue[16];
    for (int i = 0; i < 16; i++) {
        red[i] = i % 4 == 0 || i % 4 == 3 ? 255 : 0;
        blue[i] = i % 4 >= 2 ? 255 : 0;
    }
    facet_scene *scene = scene_of();
    uint32_t material = add_material(scene, 1, 1, 1, 1);
    set_texture(scene, material, add_image(scene, red));
    add_image(scene, blue);
    add_square(scene, material, 0, 0, 0, 1);
    set_channel(scene, animate(scene, 1)->channels, FACET_TARGET_TEXTURE_IMAGE, 1,
                FACET_INTERPOLATION_STEP, values);
    facet_picture before = draw_at(scene, 0.9), after = draw_at(scene, 1);
    ASSERT_PIXEL(before, 32, 32, 255, 0, 0, 255);
    ASSERT_PIXEL(after, 32, 32, 0, 0, 255, 255);
    facet_picture_free(&before);
    facet_picture_free(&after);
    facet_scene_free(scene);
}

/* A material whose color is that of a TEV register, in another state than at rest. */
TEST(animated_console_states_are_drawn)
{
    facet_scene *scene = scene_of();
    uint32_t material;
    facet_gx_material *gx = add_console(scene, &material), states[2];
    gx->tev_stages[0].color.inputs[3] = 2; /* C0 */
    gx->tev_registers[0] = (facet_gx_rgba16){10, 20, 30, 255};
    add_square(scene, material, 0, 0, 0, 1);
    add_square(scene, add_material(scene, 1, 1, 1, 1), 5, 0, 0, 1);
    states[0] = *gx;
    states[0].tev_registers[0] = (facet_gx_rgba16){40, 50, 60, 255};
    facet_picture rest = draw(scene, (facet_render_options){0}, NULL);
    facet_picture moved = draw(scene, (facet_render_options){.console = states}, NULL);
    ASSERT_PIXEL(rest, 32, 32, 10, 20, 30, 255);
    ASSERT_PIXEL(moved, 32, 32, 40, 50, 60, 255);
    facet_picture_free(&rest);
    facet_picture_free(&moved);
    facet_scene_free(scene);
}
