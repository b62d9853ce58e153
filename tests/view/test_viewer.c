/* The viewer without a window: the test sends events and compares pixels. The host provides squares
 * of one color, and a clock that the test sets. */
#include "base/report.h"
#include "support/pictures.h"
#include "view/keys.h"
#include "view/state.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* cmocka's comparison is for floats. */
#define assert_near(a, b, most) assert_true(fabs((double)(a) - (double)(b)) <= (most))

enum { WIDTH = 120, HEIGHT = 90 };

typedef struct stage {
    facet_view_host host;
    facet_viewer *viewer;
    double now;
    float green;    /* of the next file that is read */
    float distance; /* of the second file's square from the first one's */
    bool fails;
    int64_t changed;
    int loads, with_normals;
    uint8_t pixels[WIDTH * HEIGHT * 4];
    facet_render_camera saved;
    uint8_t *shot;
    bool has_finding;
    uint64_t face; /* of the finding */
} stage;

/* -- The host ----------------------------------------------------------- */

static void add_motion(facet_scene *scene)
{
    static const float values[6] = {0, 0, 0, 100, 0, 0};
    facet_animation *animation = NULL;
    facet_error error;
    TEST_OK(facet_scene_add_animation(scene, "go", 1, &animation, &error), &error);
    facet_channel *channel = animation->channels;
    channel->target = FACET_TARGET_TRANSLATION;
    channel->interpolation = FACET_INTERPOLATION_LINEAR;
    channel->width = 3;
    channel->key_count = 2;
    channel->times = facet_scene_allocate(scene, 2, sizeof *channel->times);
    channel->times[0] = 0;
    channel->times[1] = 2;
    channel->values = facet_scene_allocate(scene, 6, sizeof *channel->values);
    memcpy(channel->values, values, sizeof values);
}

static facet_status load(void *user, const facet_view_files *files, const facet_options *options,
                         facet_scene **scene, facet_error *error)
{
    stage *s = user;
    (void)options;
    s->loads++;
    s->with_normals += files->with_normals;
    if (s->fails) {
        memset(error, 0, sizeof *error);
        error->status = FACET_ERROR_MALFORMED;
        snprintf(error->message, sizeof error->message, "half of it is missing");
        return FACET_ERROR_MALFORMED;
    }
    bool is_second = strcmp(files->paths[0], "b") == 0;
    *scene = scene_of();
    add_square(*scene, add_material(*scene, 1, s->green, 0, 1), 0, 0,
               is_second ? s->distance : 0.0f, 1);
    facet_node *node = NULL;
    facet_error own;
    TEST_OK(facet_scene_add_node(*scene, "root", &node, &own), &own);
    node->mesh = 0;
    add_motion(*scene);
    return FACET_OK;
}

static facet_status check(void *user, const char *path, const facet_options *options,
                          facet_report *report, facet_error *error)
{
    stage *s = user;
    (void)path;
    (void)options;
    (void)error;
    if (s->has_finding)
        facet_report_add_where(report, "TEST", FACET_SEVERITY_ERROR,
                               facet_where_face(FACET_NO_OFFSET, s->face), "a triangle");
    return FACET_OK;
}

static facet_status save(void *user, const facet_view_files *files, const facet_picture *picture,
                         const facet_render_options *render, const char *clip, const char *path,
                         facet_error *error)
{
    stage *s = user;
    size_t size = (size_t)picture->image.width * picture->image.height * 4;
    (void)files;
    (void)clip;
    (void)path;
    (void)error;
    s->saved = *render->camera;
    free(s->shot);
    s->shot = malloc(size);
    memcpy(s->shot, picture->image.pixels, size);
    return FACET_OK;
}

static facet_status list(void *user, const char *path, char ***paths, size_t *count, size_t *here,
                         facet_error *error)
{
    (void)user;
    (void)path;
    (void)error;
    *paths = calloc(3, sizeof **paths);
    *count = 3;
    *here = 1;
    for (size_t i = 0; i < 3; i++) {
        (*paths)[i] = malloc(2);
        memcpy((*paths)[i], (const char *const[]){"0", "a", "b"}[i], 2);
    }
    return FACET_OK;
}

static void free_list(void *user, char **paths, size_t count)
{
    (void)user;
    for (size_t i = 0; i < count; i++)
        free(paths[i]);
    free(paths);
}

static int64_t changed(void *user, const char *path)
{
    return strncmp(path, "facet-", 6) == 0 ? 0 : ((stage *)user)->changed;
}

static double now(void *user)
{
    return ((stage *)user)->now;
}

/* -- Actions ------------------------------------------------------------ */

static stage *start(const char *const *paths, size_t count)
{
    stage *s = calloc(1, sizeof *s);
    facet_error error;
    const facet_view_settings settings = {.rests = true, .watches = true};
    const facet_options options = {0};
    assert_non_null(s);
    s->host = (facet_view_host){s, load, check, save, list, free_list, changed, now};
    s->changed = 1;
    s->now = 1000;
    TEST_OK(facet_viewer_create(&s->host, &settings, &options, &s->viewer, &error), &error);
    for (size_t i = 0; i < count; i++)
        TEST_OK(facet_viewer_add(s->viewer, &(const facet_view_files){paths + i, 1, false}, &error),
                &error);
    TEST_OK(facet_viewer_open(s->viewer, &error), &error);
    return s;
}

static void end(stage *s)
{
    facet_viewer_free(s->viewer);
    free(s->shot);
    free(s);
}

static bool step(stage *s)
{
    int wait;
    return facet_viewer_step(s->viewer, s->pixels, WIDTH, HEIGHT, &wait);
}

static void settle(stage *s)
{
    for (int i = 0; i < 8; i++) {
        step(s);
        s->now += 200;
    }
}

static void press(stage *s, uint32_t key, bool shift)
{
    const facet_window_event event = {.kind = FACET_WINDOW_KEY_DOWN, .key = key, .shift = shift};
    facet_viewer_handle(s->viewer, &event);
}

static void drag(stage *s, int dx, int dy)
{
    const facet_window_event event = {.kind = FACET_WINDOW_MOVE,
                                      .x = WIDTH / 2,
                                      .y = HEIGHT / 2,
                                      .dx = dx,
                                      .dy = dy,
                                      .buttons = 1};
    facet_viewer_handle(s->viewer, &event);
}

static void expect(const stage *s, int x, int y, int r, int g, int b)
{
    const uint8_t *p = s->pixels + (y * WIDTH + x) * 4;
    assert_int_equal(p[0], r);
    assert_int_equal(p[1], g);
    assert_int_equal(p[2], b);
}

static const char *const one[] = {"a"}, *const two[] = {"a", "b"};

/* -- Tests -------------------------------------------------------------- */

/* 1 sample at first, then 4, then 16, then no more. Any motion starts again. */
TEST(viewer_refines_pictures_at_rest)
{
    stage *s = start(one, 1);
    assert_true(step(s));
    assert_int_equal(s->viewer->quality, 1);
    assert_false(step(s));
    for (int quality = 2; quality <= 3; quality++) {
        s->now += 200;
        assert_true(step(s));
        assert_int_equal(s->viewer->quality, quality);
    }
    s->now += 1000;
    assert_false(step(s));
    expect(s, WIDTH / 2, HEIGHT / 3, 255, 0, 0);
    drag(s, 10, 0);
    assert_true(step(s));
    assert_int_equal(s->viewer->quality, 1);
    end(s);
}

static bool always(void *user)
{
    (void)user;
    return true;
}

/* An event cancels the refinement of a picture, and the former picture stays. */
TEST(events_stop_the_refinement)
{
    stage *s = start(one, 1);
    step(s);
    facet_viewer_set_interrupt(s->viewer, always, NULL);
    s->now += 200;
    assert_false(step(s));
    assert_int_equal(s->viewer->quality, 1);
    expect(s, WIDTH / 2, HEIGHT / 3, 255, 0, 0);
    facet_viewer_set_interrupt(s->viewer, NULL, NULL);
    s->now += 200;
    assert_true(step(s));
    assert_int_equal(s->viewer->quality, 2);
    end(s);
}

/* The smaller side has 90 pixels. Half of them are 100 degrees. */
TEST(viewer_turns_by_the_mouse)
{
    stage *s = start(one, 1);
    step(s);
    press(s, '1', false);
    step(s);
    double before = s->viewer->orbit.azimuth;
    drag(s, -45, 0);
    assert_near(s->viewer->orbit.azimuth - before, 100, 1e-6);
    end(s);
}

/* The saved picture equals that of a renderer at the printed camera, bit for bit. */
TEST(viewer_saves_what_render_draws)
{
    stage *s = start(one, 1);
    step(s);
    drag(s, 7, 3);
    drag(s, -31, 11);
    press(s, 'p', false);
    assert_non_null(s->shot);
    facet_scene *scene = NULL;
    facet_error error;
    const facet_view_files files = {one, 1, false};
    assert_int_equal(load(s, &files, NULL, &scene, &error), FACET_OK);
    facet_picture picture =
        draw(scene,
             (facet_render_options){.width = WIDTH,
                                    .height = HEIGHT,
                                    .camera = &s->saved,
                                    .background = facet_view_backgrounds[0].color},
             NULL);
    assert_memory_equal(s->shot, picture.image.pixels, WIDTH * HEIGHT * 4);
    facet_picture_free(&picture);
    facet_scene_free(scene);
    end(s);
}

/* A file is read again when it has stopped changing. Camera and time stay. If it cannot be read,
 * the picture stays. */
TEST(viewer_reads_changed_files)
{
    stage *s = start(one, 1);
    settle(s);
    drag(s, 5, 5);
    press(s, ' ', false);
    s->now += 100;
    step(s);
    press(s, ' ', false);
    double azimuth = s->viewer->orbit.azimuth, time = s->viewer->time;
    assert_true(time > 0);
    press(s, 't', false); /* back to rest: the square is at its first position */
    settle(s);
    s->green = 1;
    s->changed = 2;
    int loads = s->loads;
    s->now += 300;
    step(s);
    assert_int_equal(s->loads, loads); /* it may still be written */
    s->now += 300;
    step(s);
    assert_int_equal(s->loads, loads + 1);
    expect(s, WIDTH / 2, HEIGHT / 2, 255, 255, 0);
    assert_true(s->viewer->orbit.azimuth == azimuth);
    s->fails = true;
    s->changed = 3;
    settle(s);
    assert_int_equal(s->loads, loads + 2);
    expect(s, WIDTH / 2, HEIGHT / 2, 255, 255, 0);
    end(s);
}

/* One second of two is half of the motion. Time repeats, and follows the speed. */
TEST(viewer_plays_at_its_speed)
{
    stage *s = start(one, 1);
    step(s);
    press(s, ' ', false);
    s->now += 1000;
    step(s);
    assert_near(s->viewer->time, 1, 1e-9);
    press(s, ']', false);
    s->now += 1000;
    step(s);
    assert_near(s->viewer->time, 1, 1e-9);
    press(s, '.', false);
    assert_near(s->viewer->time, 31.0 / 30, 1e-9);
    assert_false(s->viewer->is_playing);
    press(s, FACET_KEY_HOME, false);
    assert_near(s->viewer->time, 0, 1e-9);
    /* The middle of the timeline. */
    facet_window_event event = {.kind = FACET_WINDOW_PRESS, .x = WIDTH / 2, .buttons = 1};
    for (event.y = HEIGHT - 1; facet_view_timeline_at(s->viewer, event.x, event.y) < 0; event.y--)
        assert_true(event.y > 0);
    facet_viewer_handle(s->viewer, &event);
    assert_near(s->viewer->time, 1, 0.05);
    end(s);
}

/* Keys step through the folder of a single path: 0, a, b. */
TEST(viewer_steps_through_a_folder)
{
    stage *s = start(one, 1);
    step(s);
    press(s, 'n', false);
    assert_int_equal(s->viewer->entry_count, 3);
    assert_string_equal(s->viewer->entries[s->viewer->current].paths[0], "b");
    press(s, 'n', false);
    assert_string_equal(s->viewer->entries[s->viewer->current].paths[0], "0");
    press(s, 'n', true);
    press(s, 'n', true);
    assert_string_equal(s->viewer->entries[s->viewer->current].paths[0], "a");
    assert_null(s->viewer->entries[2].model); /* only the shown file is open */
    s->fails = true;
    press(s, 'n', false);
    assert_true(step(s)); /* an unreadable file gives a message, and the viewer continues */
    s->fails = false;
    press(s, 'n', false);
    settle(s);
    expect(s, WIDTH / 2, HEIGHT / 3, 255, 0, 0);
    end(s);
}

/* Both files with the same camera. In turn, each has its time. Then the distance, which is 0.5
 * everywhere. */
TEST(viewer_compares_two_files)
{
    stage *s = start(two, 2);
    step(s);
    press(s, '1', false);
    step(s);
    s->distance = 0.5f;
    s->green = 1;
    press(s, 'c', false);
    assert_int_equal(s->viewer->layout, FACET_LAYOUT_BOTH);
    settle(s);
    expect(s, WIDTH / 4, HEIGHT / 2, 255, 0, 0);
    expect(s, WIDTH * 3 / 4, HEIGHT / 2, 255, 255, 0);
    press(s, 'c', false);
    s->now += 600;
    step(s);
    s->now += 1;
    step(s);
    expect(s, WIDTH / 2, HEIGHT / 2, 255, 255, 0);
    s->now += 600;
    step(s);
    expect(s, WIDTH / 2, HEIGHT / 2, 255, 0, 0);
    press(s, 'c', false);
    settle(s);
    assert_near(s->viewer->distances.greatest, 0.5, 1e-6);
    expect(s, WIDTH / 2, HEIGHT / 2, 215, 40, 40);
    press(s, 'c', false);
    settle(s);
    expect(s, WIDTH / 2, HEIGHT / 2, 255, 0, 0);
    end(s);
}

/* The only node is hidden: only the background is drawn. */
TEST(viewer_hides_nodes)
{
    stage *s = start(one, 1);
    step(s);
    press(s, FACET_KEY_F1 + 2, false);
    press(s, FACET_KEY_ENTER, false);
    press(s, FACET_KEY_ESCAPE, false);
    settle(s);
    const uint8_t *slate = facet_view_backgrounds[0].color;
    expect(s, WIDTH / 2, HEIGHT / 2, slate[0], slate[1], slate[2]);
    press(s, 'z', false);
    settle(s);
    expect(s, WIDTH / 2, HEIGHT / 2, 255, 0, 0);
    end(s);
}

/* Nodes 0 to 4, whose parents are -, 0, 0, 1, 1, are listed as 0 1 3 4 2. Hiding 1 hides its
 * descendants, and showing only 1 hides the others. */
TEST(nodes_are_listed_as_a_tree)
{
    static const uint32_t parents[5] = {FACET_NONE, 0, 0, 1, 1}, order[5] = {0, 1, 3, 4, 2};
    static const bool hidden[5] = {false, true, false, true, true};
    facet_view_model *model = NULL;
    facet_error error;
    const facet_options options = {0};
    facet_scene *scene = scene_of();
    for (uint32_t i = 0; i < 5; i++) {
        facet_node *node = NULL;
        TEST_OK(facet_scene_add_node(scene, "", &node, &error), &error);
        node->parent = parents[i];
    }
    TEST_OK(facet_view_model_create(scene, &options, &model, &error), &error);
    assert_memory_equal(model->order, order, sizeof order);
    assert_int_equal(model->depth[4], 2);
    facet_view_model_hide(model, 1, true);
    assert_memory_equal(model->hidden, hidden, sizeof hidden);
    facet_view_model_isolate(model, 1);
    for (int i = 0; i < 5; i++)
        assert_int_equal(model->hidden[i], !hidden[i]);
    facet_view_model_show_all(model);
    for (int i = 0; i < 5; i++)
        assert_false(model->hidden[i]);
    facet_view_model_free(model);
}

/* After the last mode comes the first. Each draws something. */
TEST(viewer_cycles_through_all_modes)
{
    stage *s = start(one, 1);
    step(s);
    for (int i = 0; i < 10; i++) {
        press(s, 'm', false);
        assert_true(step(s));
        assert_string_equal(s->viewer->message, ""); /* otherwise why nothing was drawn */
    }
    assert_int_equal(s->viewer->render.modes, 0);
    press(s, 'm', true);
    assert_int_equal(s->viewer->render.modes, FACET_RENDER_MATERIAL);
    press(s, 'x', false);
    assert_int_equal(s->viewer->render.modes, FACET_RENDER_MATERIAL | FACET_RENDER_WIREFRAME);
    end(s);
}

/* Faces of findings in two meshes, each a square of 2 triangles and 4 vertices. */
TEST(findings_give_mesh_and_face)
{
    const uint64_t no = FACET_NO_INDEX;
    const uint32_t none = FACET_NONE;
    const struct {
        uint64_t mesh, face, vertex;
        bool found;
        uint32_t in_mesh, in_face;
    } cases[] = {
        {no, 1, no, true, 0, 1},  {no, 2, no, true, 1, 0},   {no, 4, no, false, 0, 0},
        {1, 1, no, true, 1, 1},   {1, 2, no, false, 0, 0},   {1, no, no, true, 1, none},
        {2, no, no, false, 0, 0}, {2, 0, no, false, 0, 0},   {no, no, 3, true, 0, 1},
        {no, no, 5, true, 1, 0},  {1, no, 1, true, 1, 0},    {1, no, 4, false, 0, 0},
        {no, no, 8, false, 0, 0}, {no, no, no, false, 0, 0}, {no, UINT64_MAX - 1, no, false, 0, 0}};
    facet_scene *scene = scene_of();
    add_square(scene, add_material(scene, 1, 0, 0, 1), 0, 0, 0, 1);
    add_square(scene, 0, 0, 0, 1, 1);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const facet_finding finding = {
            .mesh = cases[i].mesh, .face = cases[i].face, .vertex = cases[i].vertex};
        facet_view_mark mark;
        if (facet_view_find_element(scene, &finding, &mark) != cases[i].found ||
            mark.is_set != cases[i].found)
            fail_msg("case %zu", i);
        if (cases[i].found && (mark.mesh != cases[i].in_mesh || mark.face != cases[i].in_face))
            fail_msg("case %zu: mesh %u, face %u", i, mark.mesh, mark.face);
    }
    facet_scene_free(scene);
}

/* The camera looks at the middle of the triangle's box: at 1, half right, half up. */
TEST(viewer_jumps_to_findings)
{
    stage *s = start(one, 1);
    step(s);
    s->has_finding = true;
    s->face = 1;
    press(s, FACET_KEY_F1 + 5, false);
    press(s, FACET_KEY_ENTER, false);
    assert_true(s->viewer->mark.is_set);
    assert_near(s->viewer->orbit.target[0], 0, 1e-6);
    assert_near(s->viewer->orbit.target[2], 0, 1e-6);
    assert_true(step(s));
    end(s);
}

/* Every panel is drawn at any size. No key is in the table twice. */
TEST(viewer_draws_every_panel)
{
    stage *s = start(two, 2);
    int wait;
    for (uint32_t panel = 0; panel < 7; panel++) {
        press(s, FACET_KEY_F1 + panel, false);
        static const int sizes[][2] = {{WIDTH, HEIGHT}, {1, 1}, {3, 60}, {100, 2}};
        for (size_t i = 0; i < 4; i++)
            assert_true(facet_viewer_step(s->viewer, s->pixels, sizes[i][0], sizes[i][1], &wait));
        press(s, FACET_KEY_DOWN, false);
        press(s, 'g', false);
    }
    for (size_t i = 0; facet_view_keys[i].key; i++) {
        for (size_t k = 0; k < i; k++)
            assert_false(facet_view_keys[i].key == facet_view_keys[k].key &&
                         facet_view_keys[i].shift == facet_view_keys[k].shift);
        assert_true(i > 0 || facet_view_keys[i].name != NULL);
    }
    end(s);
}

TEST(escape_closes_the_panel_then_the_viewer)
{
    stage *s = start(one, 1);
    step(s);
    press(s, FACET_KEY_F1, false);
    press(s, FACET_KEY_ESCAPE, false);
    assert_false(facet_viewer_is_done(s->viewer));
    press(s, FACET_KEY_ESCAPE, false);
    assert_true(facet_viewer_is_done(s->viewer));
    end(s);
}
