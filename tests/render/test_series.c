/* A series of pictures: each equals the one of a new renderer, whatever was drawn before. */
#include "render/series.h"
#include "support/pictures.h"

#include <facet/gx_material.h>
#include <math.h>

/* cmocka's comparison is for floats. */
#define assert_near(a, b, most) assert_true(fabs((double)(a) - (double)(b)) <= (most))

typedef struct pair {
    facet_scene *scene;
    facet_renderer *renderer;
    facet_render_series *series;
} pair;

static pair start(facet_scene *scene)
{
    pair p = {.scene = scene};
    facet_error error;
    TEST_OK(facet_renderer_create(scene, NULL, &p.renderer, &error), &error);
    TEST_OK(facet_render_series_create(p.renderer, &p.series, &error), &error);
    return p;
}

static void end(pair *p)
{
    facet_render_series_free(p->series);
    facet_renderer_free(p->renderer);
    facet_scene_free(p->scene);
}

/* Check that series and renderer draw the same picture. */
static void compare(pair *p, const facet_render_options *how)
{
    facet_picture one, other;
    facet_error error;
    TEST_OK(facet_render_series_draw(p->series, how, NULL, &one, &error), &error);
    TEST_OK(facet_renderer_draw(p->renderer, how, NULL, &other, &error), &error);
    size_t bytes = (size_t)one.image.width * one.image.height * 4;
    assert_int_equal(one.image.width, other.image.width);
    assert_memory_equal(one.image.pixels, other.image.pixels, bytes);
    assert_memory_equal(&one.camera, &other.camera, sizeof one.camera);
    assert_memory_equal(one.minimum, other.minimum, sizeof one.minimum);
    assert_memory_equal(one.maximum, other.maximum, sizeof one.maximum);
    assert_int_equal(one.vertices, other.vertices);
    assert_int_equal(one.triangles, other.triangles);
    facet_picture_free(&one);
    facet_picture_free(&other);
}

static uint32_t add_node(facet_scene *scene, uint32_t mesh, float z)
{
    facet_node *node = NULL;
    facet_error error;
    TEST_OK(facet_scene_add_node(scene, "n", &node, &error), &error);
    node->mesh = mesh;
    node->transform.translation[2] = z;
    return scene->node_count - 1;
}

/* Add a node that moves from x 0 to x 1 in a second. */
static void add_motion(facet_scene *scene, uint32_t node)
{
    static const float values[6] = {0, 0, 0, 1, 0, 0};
    facet_animation *animation = NULL;
    facet_error error;
    TEST_OK(facet_scene_add_animation(scene, "a", 1, &animation, &error), &error);
    facet_channel *channel = animation->channels;
    channel->node = node;
    channel->target = FACET_TARGET_TRANSLATION;
    channel->interpolation = FACET_INTERPOLATION_LINEAR;
    channel->width = 3;
    channel->key_count = 2;
    channel->times = facet_scene_allocate(scene, 2, sizeof *channel->times);
    channel->times[0] = 0;
    channel->times[1] = 1;
    channel->values = facet_scene_allocate(scene, 6, sizeof *channel->values);
    memcpy(channel->values, values, sizeof values);
}

static facet_scene *two_squares(void)
{
    facet_scene *scene = scene_of();
    add_square(scene, add_material(scene, 1, 0, 0, 1), 0, 0, 0, 1);
    add_square(scene, add_material(scene, 0, 0, 1, 1), 0.5f, 0.25f, 0, 0.5f);
    add_motion(scene, add_node(scene, 0, 0));
    add_node(scene, 1, 1);
    return scene;
}

TEST(series_equals_single_pictures)
{
    static const facet_render_camera near = {{0.5, 1, 4}, {0, 0, 0}, {0, 1, 0}, 40, 0};
    static const facet_render_camera flat = {{3, 1, 4}, {0, 0, 0}, {0, 1, 0}, 0, 3};
    static const unsigned modes[] = {0, FACET_RENDER_NORMALS, FACET_RENDER_TANGENTS,
                                     FACET_RENDER_SHADED | FACET_RENDER_WIREFRAME, 0};
    pair p = start(two_squares());
    for (uint32_t samples = 1; samples <= 16; samples *= 4) {
        facet_render_options how = {.width = 70, .height = 50, .samples = samples};
        compare(&p, &how);
        for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
            how.modes = modes[i];
            how.camera = &near;
            compare(&p, &how);
            how.camera = &flat;
            how.has_time = true;
            how.time = 0.25 * (double)i;
            compare(&p, &how);
            compare(&p, &how);
            how.has_time = false;
            compare(&p, &how);
            how.camera = NULL;
            compare(&p, &how);
        }
    }
    end(&p);
}

/* Hidden nodes are not drawn, and the camera fits the rest: the second square, from -0 to 1 and
 * -0.25 to 0.75. */
TEST(series_hides_nodes)
{
    static const bool hidden[2] = {true, false};
    pair p = start(two_squares());
    const facet_render_options how = {.width = 64, .height = 64, .samples = 1};
    facet_picture picture;
    facet_error error;
    compare(&p, &how);
    facet_render_series_hide(p.series, hidden);
    TEST_OK(facet_render_series_draw(p.series, &how, NULL, &picture, &error), &error);
    assert_int_equal(picture.triangles, 2);
    assert_int_equal(picture.vertices, 4);
    assert_near(picture.minimum[0], 0, 1e-6);
    assert_near(picture.maximum[1], 0.75, 1e-6);
    ASSERT_PIXEL(picture, 32, 32, 0, 0, 255, 255);
    facet_picture_free(&picture);
    facet_render_series_hide(p.series, NULL);
    compare(&p, &how);
    end(&p);
}

/* Three environments, two of them of one size. Each is drawn twice, rotated, and removed; the next
 * picture keeps nothing of the one before. */
TEST(series_reuses_equal_environments)
{
    float warm[8 * 4 * 3], cold[8 * 4 * 3];
    for (size_t i = 0; i < sizeof warm / sizeof *warm; i++) {
        warm[i] = i % 3 == 0 ? (float)(i % 7) : 0.1f;
        cold[i] = i % 3 == 2 ? (float)(i % 5) : 0.2f;
    }
    const facet_image images[3] = {
        {.pixels = warm, .width = 8, .height = 4, .channels = 3, .is_float = true},
        {.pixels = cold, .width = 8, .height = 4, .channels = 3, .is_float = true},
        {.pixels = warm, .width = 4, .height = 4, .channels = 3, .is_float = true}};
    facet_scene *scene = two_squares();
    for (uint32_t i = 0; i < scene->material_count; i++) {
        scene->materials[i]->unlit = false;
        scene->materials[i]->metallic = 1;
    }
    pair p = start(scene);
    facet_render_options how = {.width = 32, .height = 32, .samples = 1};
    compare(&p, &how);
    for (int i = 0; i < 3; i++) {
        how.environment = &images[i];
        how.environment_rotation = 0;
        compare(&p, &how);
        how.environment_rotation = 90;
        compare(&p, &how);
        how.environment = NULL;
        compare(&p, &how);
    }
    end(&p);
}

/* Corners in world space: the second square's node is at z 1, the first one's moved by 0.5. */
TEST(series_returns_triangles)
{
    pair p = start(two_squares());
    const facet_render_options how = {.width = 8, .height = 8, .has_time = true, .time = 0.5};
    facet_picture picture;
    facet_error error;
    double corners[3][3];
    assert_false(facet_render_series_triangle(p.series, 0, 0, corners));
    TEST_OK(facet_render_series_draw(p.series, &how, NULL, &picture, &error), &error);
    assert_true(facet_render_series_triangle(p.series, 1, 0, corners));
    assert_near(corners[0][0], 0, 1e-6);
    assert_near(corners[0][1], -0.25, 1e-6);
    assert_near(corners[0][2], 1, 1e-6);
    assert_true(facet_render_series_triangle(p.series, 0, 1, corners));
    assert_near(corners[0][0], -0.5, 1e-6);
    assert_false(facet_render_series_triangle(p.series, 0, 2, corners));
    assert_false(facet_render_series_triangle(p.series, 2, 0, corners));
    facet_picture_free(&picture);
    end(&p);
}

static bool stop(void *user, const char *step, double fraction)
{
    (void)step;
    (void)fraction;
    return (*(int *)user)-- > 0;
}

/* A canceled draw leaves no picture, and the next one is complete. */
TEST(canceled_picture_does_not_damage_the_next)
{
    pair p = start(two_squares());
    for (int left = 0; left < 6; left++) {
        int count = left;
        const facet_options options = {.progress = stop, .progress_user = &count};
        const facet_render_options how = {.width = 512, .height = 512, .samples = 4};
        facet_picture picture;
        facet_error error;
        assert_int_equal(facet_render_series_draw(p.series, &how, &options, &picture, &error),
                         FACET_ERROR_CANCELED);
        compare(&p, &how);
    }
    end(&p);
}
