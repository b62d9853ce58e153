/* Inter-Quake models as scenes. */
#include "support/iqm_scene.h"

/* -- To a scene --------------------------------------------------------- */

TEST(file_becomes_meshes_with_streams)
{
    uint8_t file[IQM_SIZE];
    iqm_build(file);
    facet_scene *scene = load_built(file, NULL);
    const facet_mesh *mesh = scene->meshes[0];
    assert_int_equal(scene->axes.up, FACET_AXIS_Z);
    assert_true(scene->axes.uv_origin_top && !scene->axes.left_handed && scene->axes.unit == 1);
    assert_string_equal(mesh->name, "body");
    assert_string_equal(scene->materials[mesh->face_materials[0]]->name, "skin.tga");
    assert_string_equal(scene->materials[0]->maps[FACET_MAP_DIFFUSE]->path, "skin.tga");
    /* Counter-clockwise: (0 2 1) becomes (0 1 2). */
    static const uint32_t corners[] = {0, 1, 2, 0, 2, 3};
    assert_memory_equal(mesh->streams[0].indices, corners, sizeof corners);
    /* w * cross(normal, tangent) is along -v in the file, along +v in the scene. */
    static const float tangent[] = {1, 0, 0, -1};
    expect_near(facet_mesh_find(mesh, FACET_TANGENT, 0)->data, tangent, 4, 0);
    /* 188 of 255 on a screen: ((188 / 255 + 0.055) / 1.055)^2.4 = 0.5029. Alpha is linear. */
    static const float colors[] = {1, 0, 0, 1, 0.5029F, 0.5029F, 0.5029F, 1, 0, 0, 0, 0};
    expect_near(facet_mesh_find(mesh, FACET_COLOR, 0)->data, colors, 12, 1e-4F);
    static const float weights[] = {128 / 255.0F, 127 / 255.0F};
    expect_near((float *)facet_mesh_find(mesh, FACET_WEIGHTS, 0)->data + 8, weights, 2, 1e-7F);
    const facet_stream *glow = facet_mesh_find(mesh, FACET_CUSTOM, 0);
    assert_string_equal(glow->name, "glow");
    assert_true(((float *)glow->data)[3] == 3.5F);
    facet_scene_free(scene);
}

TEST(file_becomes_joints_and_clips)
{
    uint8_t file[IQM_SIZE];
    facet_report *report = make_report();
    iqm_build(file);
    facet_scene *scene = load_built(file, report);
    assert_int_equal(scene->node_count, 3);
    assert_string_equal(scene->nodes[1]->name, "arm");
    assert_int_equal(scene->nodes[1]->parent, 0);
    assert_int_equal(scene->skins[0]->joint_count, 2);
    /* The arm is bound at x = 1. */
    assert_true(scene->skins[0]->inverse_bind[16 + 12] == -1);
    assert_int_equal(scene->nodes[2]->skin, 0);
    const facet_animation *wave = scene->animations[0];
    assert_string_equal(wave->name, "wave");
    assert_non_null(strstr(wave->extras, "\"loop\":true"));
    assert_non_null(strstr(scene->extras, "hello"));
    /* A joint that does not move has no channel. */
    assert_int_equal(wave->channel_count, 2);
    static const float times[] = {0, 0.1F}, moves[] = {1, 0, 0, 2, 0, 0},
                       turns[] = {0, 0, 0, 1, 0, 0, 1, 0};
    assert_int_equal(wave->channels[0].node, 1);
    expect_near(wave->channels[0].times, times, 2, 1e-7F);
    expect_near(wave->channels[0].values, moves, 6, 1e-6F);
    expect_near(wave->channels[1].values, turns, 8, 1e-6F);
    assert_non_null(test_finding(report, "LOSS-UNREAD"));
    facet_scene_free(scene);
    facet_report_free(report);
}

/* The file has two frames: both without an animation, and the second if its animation has one. */
TEST(frames_in_no_animation_are_reported)
{
    static const char *const said[] = {"frame 0 is in no animation and is left out",
                                       "frame 1 is in no animation and is left out"};
    for (uint32_t left = 0; left < 2; left++) {
        uint8_t file[IQM_SIZE];
        facet_report *report = make_report();
        iqm_build(file);
        iqm_put(left ? file + IQM_ANIMATION + 8 : file + 84, left); /* count of frames; of clips */
        facet_scene_free(load_built(file, report));
        const facet_finding *lost = test_finding_saying(report, "LOSS-UNREAD", said[left]);
        assert_non_null(lost);
        assert_int_equal(lost->count, 2 - left);
        facet_report_free(report);
    }
}

/* Positions in frame 1, as tests/support/iqm.h computes them. */
TEST(frames_move_vertices_as_the_bounds_say)
{
    uint8_t file[IQM_SIZE];
    facet_pose pose = {0};
    facet_error error;
    float positions[12];
    iqm_build(file);
    facet_scene *scene = load_built(file, NULL);
    TEST_OK(facet_scene_pose(scene, 0, 0.1, NULL, &pose, &error), &error);
    TEST_OK(facet_pose_positions(scene, &pose, 2, NULL, positions, &error), &error);
    static const float expected[] = {0, 0, 0, 2, 0, 0, 1 + 128 / 255.0F, -1 / 255.0F, 0, 0, 1, 0};
    expect_near(positions, expected, 12, 2e-6F);
    facet_pose_free(&pose);
    facet_scene_free(scene);
}

TEST(animation_without_joints_makes_its_own_skeleton)
{
    uint8_t file[IQM_SIZE];
    facet_scene *scene = NULL;
    facet_error error;
    iqm_build(file);
    for (uint32_t at = 36; at < 76; at += 4) /* no meshes, arrays, vertices, triangles, joints */
        iqm_put(file + at, 0);
    TEST_OK(load(file, IQM_SIZE, NULL, &scene, &error), &error);
    assert_int_equal(scene->node_count, 2);
    assert_int_equal(scene->nodes[1]->parent, 0);
    assert_true(scene->nodes[1]->transform.translation[0] == 1);
    assert_int_equal(scene->skin_count, 0);
    /* The root does not move: its only key marks it as a joint. */
    const facet_animation *wave = scene->animations[0];
    assert_int_equal(wave->channel_count, 3);
    assert_int_equal(wave->channels[0].node, 0);
    assert_int_equal(wave->channels[0].key_count, 1);
    /* Both are written back, in their order. */
    facet_iqm *document = NULL;
    TEST_OK(facet_iqm_from_scene(scene, NULL, &document, &error), &error);
    assert_int_equal(document->pose_count, 2);
    assert_int_equal(document->poses[0].parent, -1);
    assert_int_equal(document->poses[0].mask, 0);
    assert_int_equal(document->poses[1].parent, 0);
    facet_iqm_free(document);
    facet_scene_free(scene);
}

/* -- Animations of another file ----------------------------------------- */

/* Splits the file into a model and its animations without meshes: clears words of the header. */
static void take_out(uint8_t *file, uint32_t begin, uint32_t end)
{
    iqm_build(file);
    for (uint32_t at = begin; at < end; at += 4)
        iqm_put(file + at, 0);
}

static facet_status add(const uint8_t *model, const uint8_t *moves, facet_report *report,
                        facet_scene **scene, facet_error *error)
{
    facet_options options = {.report = report};
    facet_source of = facet_source_from_memory(model, IQM_SIZE, "model.iqm");
    facet_source source = facet_source_from_memory(moves, IQM_SIZE, "moves.iqm");
    TEST_OK(facet_load(&of, NULL, NULL, NULL, scene, error), error);
    return facet_load_animation(&source, NULL, &of, &options, *scene, error);
}

/* Meshes and animations from two files give the same scene as one file with both. */
TEST(animations_of_another_file_are_those_of_the_whole_file)
{
    uint8_t whole[IQM_SIZE], model[IQM_SIZE], moves[IQM_SIZE];
    facet_scene *scene = NULL;
    facet_error error;
    iqm_build(whole);
    take_out(model, 76, 108); /* poses, animations, frames */
    take_out(moves, 36, 76);  /* meshes, arrays, triangles, joints */
    assert_true(facet_format_can_load_animation(facet_format_named("iqm")));
    TEST_OK(add(model, moves, NULL, &scene, &error), &error);
    TEST_OK(facet_scene_check(scene, NULL, &error), &error);
    facet_scene *expected = load_built(whole, NULL);
    assert_int_equal(scene->animation_count, 1);
    const facet_animation *found = scene->animations[0], *one = expected->animations[0];
    assert_string_equal(found->name, "wave");
    assert_string_equal(found->extras, one->extras);
    assert_int_equal(found->channel_count, one->channel_count);
    for (uint32_t i = 0; i < one->channel_count; i++) {
        const facet_channel *a = &found->channels[i], *b = &one->channels[i];
        assert_int_equal(a->node, b->node);
        assert_int_equal(a->target, b->target);
        assert_int_equal(a->key_count, b->key_count);
        assert_memory_equal(a->times, b->times, b->key_count * sizeof *b->times);
        assert_memory_equal(a->values, b->values, b->key_count * (size_t)b->width * 4);
    }
    facet_scene_free(expected);
    facet_scene_free(scene);
}

/* The whole file is added to its own model: data that cannot be added is reported. */
TEST(meshes_of_added_animations_are_reported)
{
    uint8_t whole[IQM_SIZE], model[IQM_SIZE];
    facet_scene *scene = NULL;
    facet_error error;
    facet_report *report = make_report();
    iqm_build(whole);
    take_out(model, 76, 108);
    TEST_OK(add(model, whole, report, &scene, &error), &error);
    assert_non_null(test_finding_saying(report, "LOSS-UNREAD", "1 mesh is left out"));
    assert_non_null(test_finding_saying(report, "LOSS-UNREAD", "extension"));
    assert_int_equal(scene->mesh_count, 1);
    assert_int_equal(scene->animation_count, 1);
    facet_report_free(report);
    facet_scene_free(scene);
}

/* Lost flags are reported like a lost comment; without both, nothing is reported. */
TEST(comments_and_flags_of_added_animations_are_reported)
{
    uint8_t moves[IQM_SIZE], model[IQM_SIZE];
    take_out(model, 76, 108);
    for (uint32_t kept = 0; kept < 3; kept++) {
        facet_scene *scene = NULL;
        facet_error error;
        facet_report *report = make_report();
        take_out(moves, 36, 76);
        if (kept != 1)
            iqm_put(moves + 108, 0); /* no comment */
        iqm_put(moves + 24, kept == 2);
        TEST_OK(add(model, moves, report, &scene, &error), &error);
        assert_int_equal(test_finding(report, "LOSS-EXTRAS") != NULL, kept > 0);
        facet_report_free(report);
        facet_scene_free(scene);
    }
}

static void expect_no_fit(const uint8_t *model, const uint8_t *moves, const char *why)
{
    facet_scene *scene = NULL;
    facet_error error = {0};
    assert_int_equal(add(model, moves, NULL, &scene, &error), FACET_ERROR_UNSUPPORTED);
    assert_string_equal(error.rule, "IQM-ANIMATION-FIT");
    assert_string_equal(error.file, "moves.iqm");
    assert_non_null(strstr(error.message, why));
    facet_scene_free(scene);
}

TEST(animations_of_another_skeleton_are_refused)
{
    uint8_t model[IQM_SIZE], moves[IQM_SIZE];
    take_out(model, 76, 108);
    take_out(moves, 36, 76);
    iqm_put(moves + IQM_POSES + 88, (uint32_t)-1); /* the arm is a root */
    expect_no_fit(model, moves, "the parent of pose 1 is -1, expected 0");
    take_out(moves, 36, 76);
    iqm_put(moves + 76, 1); /* one pose */
    expect_no_fit(model, moves, "the file has 1 poses, expected 2");
    take_out(moves, 84, 92); /* no animations */
    expect_no_fit(model, moves, "no animations");
    take_out(moves, 36, 68);
    iqm_put(moves + IQM_JOINTS, 0); /* another name of the first joint */
    expect_no_fit(model, moves, "joint 0 is ''");
    /* A model that is not an IQM. */
    static const char obj[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    facet_source of = facet_source_from_memory((const uint8_t *)obj, sizeof obj - 1, "a.obj");
    facet_scene *scene = NULL;
    facet_error error = {0};
    take_out(moves, 36, 76);
    TEST_OK(facet_load(&of, NULL, NULL, NULL, &scene, &error), &error);
    assert_int_equal(
        facet_load_animation(TEST_SOURCE(moves, IQM_SIZE), NULL, &of, NULL, scene, &error),
        FACET_ERROR_UNSUPPORTED);
    assert_string_equal(error.rule, "IQM-ANIMATION-FIT");
    facet_scene_free(scene);
}

static void expect_warning(uint8_t *file, const char *rule)
{
    facet_report *report = make_report();
    facet_scene *scene = load_built(file, report);
    if (!test_finding(report, rule))
        fail_msg("%s is not reported", rule);
    facet_scene_free(scene);
    facet_report_free(report);
}

TEST(repairs_are_reported)
{
    uint8_t file[IQM_SIZE];
    iqm_build(file);
    file[IQM_WEIGHTS] = 128;
    expect_warning(file, "IQM-WEIGHT-REPAIRED");
    file[IQM_WEIGHTS] = 0;
    expect_warning(file, "IQM-WEIGHT-ZERO");
    iqm_build(file);
    iqm_put_float(file + IQM_NORMALS, 1);
    expect_warning(file, "IQM-NORMAL-LENGTH");
    iqm_build(file);
    iqm_put_float(file + IQM_JOINTS + 48 + 36, 0);
    expect_warning(file, "IQM-BASE-POSE");
    iqm_build(file);
    iqm_put_float(file + IQM_ANIMATION + 12, -1);
    expect_warning(file, "IQM-ANIMATION-RATE");
    iqm_build(file);
    iqm_put(file + IQM_ARRAYS + 7 * 20, 7);
    expect_warning(file, "LOSS-UNREAD");
    iqm_build(file);
    iqm_put(file + IQM_MESH + 20, 1);
    iqm_put(file + IQM_MESH + 12, 3);
    expect_warning(file, "IQM-MESH-COVERAGE");
    expect_warning(file, "LOSS-MESHES");
}

static void expect_failure(const uint8_t *file, size_t size, facet_status status, const char *rule)
{
    facet_scene *scene = NULL;
    facet_error error = {0};
    assert_int_equal(load(file, size, NULL, &scene, &error), status);
    assert_string_equal(error.rule, rule);
}

/* A small file does not become a large scene. */
TEST(shared_records_do_not_multiply_the_file)
{
    enum { COPIES = 20 };
    uint8_t file[IQM_SIZE + COPIES * 24];
    iqm_build(file);
    iqm_put(file + 36, COPIES);
    iqm_put(file + 40, IQM_SIZE);
    for (int i = 0; i < COPIES; i++)
        memcpy(file + IQM_SIZE + i * 24, file + IQM_MESH, 24);
    expect_failure(file, sizeof file, FACET_ERROR_LIMIT, "IQM-MESH-SHARED");
    iqm_build(file);
    iqm_put(file + 84, COPIES);
    iqm_put(file + 88, IQM_SIZE);
    for (int i = 0; i < COPIES; i++)
        memcpy(file + IQM_SIZE + i * 20, file + IQM_ANIMATION, 20);
    expect_failure(file, sizeof file, FACET_ERROR_LIMIT, "IQM-FRAME-SHARED");
    iqm_build(file);
    iqm_put(file + IQM_ARRAYS, 7);
    expect_failure(file, IQM_SIZE, FACET_ERROR_MALFORMED, "IQM-POSITION-MISSING");
}

/* Meshes without vertices have streams as well: 200 meshes with 207 arrays would have 41,400. */
TEST(empty_meshes_do_not_multiply_the_arrays)
{
    enum { COPIES = 200, MESHES = IQM_SIZE, ARRAYS = MESHES + COPIES * 24 };
    static uint8_t file[ARRAYS + (COPIES + 7) * 20];
    iqm_build(file);
    iqm_put(file + 36, COPIES);
    iqm_put(file + 40, MESHES);
    iqm_put(file + 44, COPIES + 7);
    iqm_put(file + 52, ARRAYS);
    memcpy(file + ARRAYS, file + IQM_ARRAYS, 7 * 20);
    for (int i = 0; i < COPIES; i++)
        iqm_put_words(file + ARRAYS + (7 + i) * 20,
                      (const uint32_t[]){16 + IQM_GLOW_NAME, 0, 1, 1, IQM_GLOW}, 5);
    expect_failure(file, sizeof file, FACET_ERROR_LIMIT, "IQM-MESH-SHARED");
}
