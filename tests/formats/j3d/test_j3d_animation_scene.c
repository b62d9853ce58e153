/* Tests of animations and their models: matching, joints in a scene, and conversion back. */
#include "support/j3d_animation.h"
#include "support/j3d_make.h"
#include "support/j3d_motion.h"
#include "support/support.h"

#include "base/bytes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* -- Conversion back ---------------------------------------------------- */

static facet_output *save_animation(const facet_scene *scene, const test_bytes *file,
                                    const char *format)
{
    facet_source like = facet_source_from_memory(file->data, file->size, "a.bmd");
    facet_j3d_options j3d = {.like = &like};
    facet_options options = {.j3d = &j3d};
    facet_output *output;
    facet_error error;
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(facet_save(scene, facet_format_named(format), &options, output, &error), &error);
    TEST_OK(facet_output_commit(output, &error), &error);
    return output;
}

/* Convert a scene to GLB and back. */
static facet_scene *through_glb(const facet_scene *scene)
{
    facet_output *output;
    facet_scene *again = NULL;
    facet_error error;
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(facet_save(scene, facet_format_named("glb"), NULL, output, &error), &error);
    TEST_OK(facet_output_commit(output, &error), &error);
    facet_source source = test_source_of(output, "a.glb");
    TEST_OK(facet_load(&source, NULL, NULL, NULL, &again, &error), &error);
    facet_output_free(output);
    return again;
}

static void expect_back(const facet_j3d_animation *document, const test_bytes *file,
                        const char *format)
{
    facet_output *original = write_animation(document);
    facet_scene *scene = load_with(file, document, NULL), *again = through_glb(scene);
    facet_output *back = save_animation(again, file, format);
    assert_int_equal(facet_output_size(back), facet_output_size(original));
    assert_memory_equal(facet_output_data(back), facet_output_data(original),
                        facet_output_size(back));
    facet_output_free(back);
    facet_output_free(original);
    facet_scene_free(again);
    facet_scene_free(scene);
}

/* Files with more joints than the model: the additional joints are kept. Scales that differ by axis
 * shear the joints below. */
TEST(unedited_joint_animations_keep_bytes)
{
    for (unsigned scaling = 0; scaling < 3; scaling++) {
        for (unsigned more = 0; more < 4; more++) {
            test_bytes file = make_model(scaling, 1);
            facet_j3d_animation *document = make_animation(1 + more / 2, JOINTS + more % 2),
                                *other = NULL;
            facet_error error;
            expect_back(document, &file, "bck");
            TEST_OK(facet_j3d_animation_convert(document, FACET_J3D_BCA, 0, NULL, &other, &error),
                    &error);
            expect_back(other, &file, "bca");
            facet_j3d_animation_free(other);
            facet_j3d_animation_free(document);
            test_bytes_free(&file);
        }
    }
}

typedef struct moved_model {
    facet_scene *scene;
    test_bytes file;
} moved_model;

static facet_status back_with(const facet_allocator *allocator, void *user)
{
    const moved_model *moved = user;
    facet_source like = facet_source_from_memory(moved->file.data, moved->file.size, "a.bmd");
    facet_j3d_options j3d = {.like = &like};
    facet_options options = {.allocator = allocator, .j3d = &j3d};
    facet_j3d_animation *made = NULL;
    facet_error error;
    facet_status status =
        facet_j3d_animation_from_scene(moved->scene, FACET_J3D_BCK, &options, &made, &error);
    facet_j3d_animation_free(made);
    return status;
}

/* The first allocations that fail are for the file in the extras, before a document exists. */
TEST(joints_without_memory)
{
    moved_model moved = {.file = make_model(1, 1)};
    facet_j3d_animation *document = make_animation(2, JOINTS);
    moved.scene = load_with(&moved.file, document, NULL);
    test_every_allocation(back_with, &moved);
    facet_scene_free(moved.scene);
    facet_j3d_animation_free(document);
    test_bytes_free(&moved.file);
}

/* Expect equal animations at whole frames; tolerances are in degrees and units. */
static void expect_alike(const facet_j3d_animation *one, const facet_j3d_animation *two,
                         double distance, double degrees, unsigned but)
{
    assert_int_equal(one->frames, two->frames);
    for (int frame = 0; frame <= FRAMES; frame++) {
        facet_j3d_joint_pose a[JOINTS], b[JOINTS];
        facet_j3d_moment moment = {.frame = frame};
        facet_j3d_animation_joints(one, &moment, a);
        facet_j3d_animation_joints(two, &moment, b);
        for (unsigned j = 0; j < JOINTS; j++) {
            matrix m, n;
            const double none[3] = {0};
            turn(none, a[j].angles, m);
            turn(none, b[j].angles, n);
            for (int k = 0; k < 12; k++)
                assert_true(fabs(m[k] - n[k]) <= degrees * PI / 180);
            for (int i = 0; i < 3 && j != but; i++) {
                assert_true(fabsf(a[j].translation[i] - b[j].translation[i]) <= (float)distance);
                assert_true(fabsf(a[j].scale[i] - b[j].scale[i]) <= (float)distance / 10);
            }
        }
    }
}

/* Without extras all keys are computed again, for every scaling rule. */
TEST(keys_without_extras_fit_every_scaling)
{
    for (unsigned scaling = 0; scaling < 3; scaling++) {
        test_bytes file = make_model(scaling, 1);
        facet_j3d_animation *document = make_animation(1, JOINTS), *fitted = NULL;
        facet_scene *scene = load_with(&file, document, NULL);
        scene->animations[0]->extras = NULL;
        scene->animations[0]->gx_file = NULL;
        facet_output *output = save_animation(scene, &file, "bck");
        facet_source source = test_source_of(output, "walk.bck");
        facet_error error;
        TEST_OK(facet_j3d_animation_read(&source, NULL, &fitted, &error), &error);
        assert_int_equal(fitted->loop, FACET_J3D_LOOP_REPEAT); /* the last frame equals the first */
        /* The error of the keys, and a small one for sampling the scene. */
        expect_alike(document, fitted, 0.0105, 0.075, UINT32_MAX);
        assert_true(facet_output_size(output) < 8192);
        facet_j3d_animation_free(fitted);
        facet_output_free(output);
        output = save_animation(scene, &file, "bca");
        source = test_source_of(output, "walk.bca");
        TEST_OK(facet_j3d_animation_read(&source, NULL, &fitted, &error), &error);
        expect_alike(document, fitted, 0.0105, 0.1, UINT32_MAX);
        facet_j3d_animation_free(fitted);
        facet_output_free(output);
        facet_scene_free(scene);
        facet_j3d_animation_free(document);
        test_bytes_free(&file);
    }
}

/* Mirror the nodes of the joints from 1 along x, with C = diag(-1, 1, 1). The local matrix N of
 * joint 1 becomes N * C. Those below become C * N * C. A rotation C * R * C has the quaternion of R
 * with y and z negated. */
static void mirror_values(unsigned j, facet_channel_target target, float *v)
{
    if (j == 1 && target == FACET_TARGET_SCALE)
        v[0] = -v[0];
    if (j > 1 && target == FACET_TARGET_TRANSLATION)
        v[0] = -v[0];
    for (int i = 1; i < 3 && j > 1 && target == FACET_TARGET_ROTATION; i++)
        v[i] = -v[i];
}

static void mirror_below_root(facet_scene *scene)
{
    static const char *const names[JOINTS] = {"root", "arm", "hand", "tip"};
    for (unsigned j = 1; j < JOINTS; j++) {
        for (uint32_t n = 0; n < scene->node_count; n++) {
            facet_transform *place = &scene->nodes[n]->transform;
            if (strcmp(scene->nodes[n]->name, names[j]) != 0)
                continue;
            mirror_values(j, FACET_TARGET_TRANSLATION, place->translation);
            mirror_values(j, FACET_TARGET_ROTATION, place->rotation);
            mirror_values(j, FACET_TARGET_SCALE, place->scale);
            for (uint32_t i = 0; i < scene->animations[0]->channel_count; i++) {
                const facet_channel *channel = &scene->animations[0]->channels[i];
                uint32_t keys = channel->key_count *
                                (channel->interpolation == FACET_INTERPOLATION_CUBIC ? 3 : 1);
                for (uint32_t k = 0; k < keys && channel->node == n; k++)
                    mirror_values(j, channel->target, channel->values + k * channel->width);
            }
        }
    }
}

/* The model has no mirrored joints, because its writer mirrors the vertices instead. The animation
 * must fit that model. */
TEST(mirrored_nodes_move_joints_that_are_not)
{
    for (unsigned scaling = 0; scaling < 3; scaling++) {
        test_bytes file = make_model(scaling, 1);
        facet_j3d_animation *document = make_animation(1, JOINTS), *fitted = NULL;
        facet_scene *scene = load_with(&file, document, NULL);
        scene->animations[0]->extras = NULL;
        scene->animations[0]->gx_file = NULL;
        mirror_below_root(scene);
        facet_output *output = save_animation(scene, &file, "bck");
        facet_source source = test_source_of(output, "walk.bck");
        facet_error error;
        TEST_OK(facet_j3d_animation_read(&source, NULL, &fitted, &error), &error);
        /* The tolerances of keys_without_extras_fit_every_scaling. */
        expect_alike(document, fitted, 0.0105, 0.075, UINT32_MAX);
        facet_j3d_animation_free(fitted);
        facet_output_free(output);
        facet_scene_free(scene);
        facet_j3d_animation_free(document);
        test_bytes_free(&file);
    }
}

/* If y is near a right angle, x and z turn around the same axis, and each value alone is noise.
 * Here they also make several turns. */
TEST(rotations_near_gimbal_lock_keep_pose)
{
    char text[4096];
    size_t used = (size_t)snprintf(text, sizeof text,
                                   "{\"format\": \"facet-j3d-animation\", \"kind\": \"bck\", "
                                   "\"name\": \"walk\", \"frames\": %d, \"loop\": \"once\", "
                                   "\"rotation_shift\": 3, \"joints\": [",
                                   FRAMES);
    for (unsigned j = 0; j < JOINTS; j++) {
        used += (size_t)snprintf(text + used, sizeof text - used,
                                 "%s{\"scale\": [1, 1, 1], \"translation\": [0, 0, 0], "
                                 "\"rotation\": [[[0, 0, 0], [%d, 1400, 0]], %s, [[0, 30, 0], "
                                 "[%d, %d, 0]]]}",
                                 j ? ", " : "", FRAMES,
                                 j == 1   ? "89.98"
                                 : j == 2 ? "-89.98"
                                          : "20",
                                 FRAMES, j == 2 ? -1300 : 1350);
    }
    snprintf(text + used, sizeof text - used, "]}");
    test_bytes file = make_model(0, 0);
    facet_j3d_animation *document = NULL, *fitted = NULL;
    facet_error error;
    TEST_OK(facet_j3d_animation_from_json(text, strlen(text), NULL, &document, &error), &error);
    facet_scene *scene = load_with(&file, document, NULL);
    scene->animations[0]->extras = NULL;
    scene->animations[0]->gx_file = NULL;
    facet_output *output = save_animation(scene, &file, "bck");
    facet_source source = test_source_of(output, "walk.bck");
    TEST_OK(facet_j3d_animation_read(&source, NULL, &fitted, &error), &error);
    /* From 30 to -1300 degrees, shifted by two turns: 750 to -580. These are 136,529 units, more
     * than 32768 << 2. */
    assert_int_equal(fitted->rotation_shift, 3);
    /* The error of the keys, and of three angles truncated to 8 units, 0.044 degrees. */
    expect_alike(document, fitted, 0.0105, 0.05 + 3 * 0.044, UINT32_MAX);
    facet_j3d_animation_free(fitted);
    facet_j3d_animation_free(document);
    facet_output_free(output);
    facet_scene_free(scene);
    test_bytes_free(&file);
}

/* Convert numbers from the axes of J3D to other axes: the table of facet/scene.h
 * (docs/reference/formats/gltf.md), backward. */
static void to_frame(const facet_axes *frame, float v[3])
{
    float x = v[0], y = v[1], z = frame->left_handed ? -v[2] : v[2];
    const float turned[3][3] = {{x, y, z}, {x, -z, y}, {y, -x, z}};
    memcpy(v, turned[frame->up], 3 * sizeof *v);
}

static void channel_to_frame(const facet_axes *frame, const facet_channel *channel)
{
    uint32_t keys =
        channel->key_count * (channel->interpolation == FACET_INTERPOLATION_CUBIC ? 3 : 1);
    for (uint32_t k = 0; k < keys; k++) {
        float *v = channel->values + (size_t)k * channel->width;
        to_frame(frame, v);
        for (int i = 0; i < 3; i++) {
            if (channel->target == FACET_TARGET_TRANSLATION)
                v[i] /= (float)(frame->unit / FACET_J3D_UNIT);
            if (channel->target == FACET_TARGET_SCALE) /* all are positive, or slopes */
                v[i] = channel->interpolation == FACET_INTERPOLATION_CUBIC ? v[i] : fabsf(v[i]);
            if (channel->target == FACET_TARGET_ROTATION && frame->left_handed)
                v[i] = -v[i];
        }
    }
}

/* The same motion in a scene with other axes and units gives the same keys. */
TEST(other_axes_and_units_keep_keys)
{
    static const facet_axes frames[] = {{.up = FACET_AXIS_Z, .unit = 0.01},
                                        {.up = FACET_AXIS_X, .unit = 0.04},
                                        {.up = FACET_AXIS_Y, .left_handed = true, .unit = 0.005},
                                        {.up = FACET_AXIS_Z, .left_handed = true, .unit = 0.02}};
    test_bytes file = make_model(0, 0);
    facet_j3d_animation *document = make_animation(0, JOINTS);
    facet_output *original = write_animation(document);
    for (size_t f = 0; f < sizeof frames / sizeof *frames; f++) {
        facet_scene *scene = load_with(&file, document, NULL);
        for (uint32_t i = 0; i < scene->node_count; i++) {
            facet_transform *t = &scene->nodes[i]->transform;
            to_frame(&frames[f], t->translation);
            to_frame(&frames[f], t->rotation);
            for (int k = 0; k < 3; k++) {
                t->translation[k] /= (float)(frames[f].unit / FACET_J3D_UNIT);
                t->rotation[k] *= frames[f].left_handed ? -1.0F : 1.0F;
            }
        }
        for (uint32_t c = 0; c < scene->animations[0]->channel_count; c++)
            channel_to_frame(&frames[f], &scene->animations[0]->channels[c]);
        scene->axes = frames[f];
        facet_output *back = save_animation(scene, &file, "bck");
        assert_int_equal(facet_output_size(back), facet_output_size(original));
        assert_memory_equal(facet_output_data(back), facet_output_data(original),
                            facet_output_size(back));
        facet_output_free(back);
        facet_scene_free(scene);
    }
    facet_output_free(original);
    facet_j3d_animation_free(document);
    test_bytes_free(&file);
}

/* Twenty keys move a joint by 1 each, `rate` per second, the first at frame `first`. Returns the
 * animation at `asked` frames per second (0: the default). `report` gets the findings. */
static facet_j3d_animation *from_twenty_keys(double rate, uint32_t first, double asked,
                                             facet_report *report)
{
    test_bytes file = make_model(0, 0);
    facet_j3d_animation *document = make_animation(0, JOINTS), *made = NULL;
    facet_scene *scene = load_with(&file, document, NULL);
    facet_animation *animation = scene->animations[0];
    facet_error error;
    animation->extras = NULL;
    animation->gx_file = NULL;
    for (uint32_t i = 0; i < animation->channel_count; i++) {
        if (animation->channels[i].target == FACET_TARGET_TRANSLATION)
            animation->channels[0] = animation->channels[i];
    }
    facet_channel *channel = &animation->channels[0];
    animation->channel_count = 1;
    channel->interpolation = FACET_INTERPOLATION_LINEAR;
    channel->key_count = 20;
    channel->times = facet_scene_allocate(scene, 20, sizeof(float));
    channel->values = facet_scene_allocate(scene, 60, sizeof(float));
    memset(channel->values, 0, 60 * sizeof(float));
    for (uint32_t k = 0; k < 20; k++) {
        channel->times[k] = (float)((k + first) / rate);
        channel->values[k * 3] = (float)(k * FACET_J3D_UNIT / scene->axes.unit);
    }
    const facet_j3d_options j3d = {.like = TEST_SOURCE(file.data, file.size), .rate = asked};
    const facet_options options = {.j3d = &j3d, .report = report};
    TEST_OK(facet_j3d_animation_from_scene(scene, FACET_J3D_BCK, &options, &made, &error), &error);
    facet_scene_free(scene);
    facet_j3d_animation_free(document);
    test_bytes_free(&file);
    return made;
}

TEST(frames_of_other_programs)
{
    static const struct {
        double rate;
        uint32_t first;
        double asked;
        int frames; /* of the file: 19 steps and the frames before them */
        bool warns, folds;
    } cases[] = {{24, 1, 24, 19, false, true}, {24, 1, 0, 24, true, true}, /* 19 / 24 * 30 */
                 {24, 0, 0, 24, true, false},  {30, 0, 0, 19, false, false},
                 {30, 1, 0, 19, false, true},  {30, 5, 0, 24, false, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        facet_error error;
        facet_report *report;
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        facet_j3d_animation *made =
            from_twenty_keys(cases[i].rate, cases[i].first, cases[i].asked, report);
        assert_int_equal(made->frames, cases[i].frames);
        const facet_finding *warning = test_finding(report, "J3D-FRAME-RATE");
        assert_int_equal(warning != NULL, cases[i].warns);
        assert_true(!warning || strstr(warning->message, "--fps 24"));
        assert_int_equal(test_finding(report, "J3D-FIRST-FRAME") != NULL, cases[i].folds);
        facet_j3d_animation_free(made);
        facet_report_free(report);
    }
}

/* One joint is moved; the others keep exactly their keys. */
TEST(editing_one_joint_keeps_other_keys)
{
    test_bytes file = make_model(0, 0);
    facet_j3d_animation *document = make_animation(0, JOINTS), *edited = NULL;
    facet_scene *scene = load_with(&file, document, NULL);
    facet_animation *animation = scene->animations[0];
    for (uint32_t i = 0; i < animation->channel_count; i++) {
        facet_channel *channel = &animation->channels[i];
        for (uint32_t k = 0; k < channel->key_count && channel->node == 2 &&
                             channel->target == FACET_TARGET_TRANSLATION;
             k++)
            channel->values[k * 9 + 5] += 3; /* z of the values */
    }
    facet_output *output = save_animation(scene, &file, "bck");
    facet_source source = test_source_of(output, "walk.bck");
    facet_error error;
    TEST_OK(facet_j3d_animation_read(&source, NULL, &edited, &error), &error);
    expect_alike(document, edited, 1e-6, 1e-6, 2);
    for (unsigned i = 0; i < JOINTS * 9; i++) {
        const facet_j3d_track *a = &document->sets[0].tracks[i], *b = &edited->sets[0].tracks[i];
        if (i / 9 != 2 || i % 3 != 2)
            assert_int_equal(a->count, b->count);
    }
    facet_j3d_joint_pose poses[JOINTS];
    facet_j3d_moment moment = {.frame = 5};
    facet_j3d_animation_joints(edited, &moment, poses);
    assert_true(fabsf(poses[2].translation[2] - 3) < 0.011F);
    facet_j3d_animation_free(edited);
    facet_output_free(output);
    facet_scene_free(scene);
    facet_j3d_animation_free(document);
    test_bytes_free(&file);
}

/* The scene keeps files of kinds that move no nodes, and a finding reports that they are not
 * shown. */
TEST(animations_without_joints_keep_their_bytes)
{
    test_bytes file = make_model(0, 0);
    facet_source model = facet_source_from_memory(file.data, file.size, "a.bmd");
    facet_report *report = NULL;
    facet_scene *scene = NULL;
    facet_error error;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    facet_options options = {.report = report};
    TEST_OK(facet_load(&model, NULL, NULL, NULL, &scene, &error), &error);
    for (unsigned kind = 2; kind < TEST_ANIMATION_KINDS; kind++) {
        uint8_t copy[4096];
        size_t size = test_animation_copy(kind, copy);
        facet_source source = facet_source_from_memory(copy, size, "eyes.xyz");
        TEST_OK(facet_load_animation(&source, NULL, &model, &options, scene, &error), &error);
    }
    assert_non_null(test_finding(report, "LOSS-ANIMATIONS"));
    facet_scene *again = through_glb(scene);
    for (unsigned kind = 2; kind < TEST_ANIMATION_KINDS; kind++) {
        uint8_t copy[4096];
        size_t size = test_animation_copy(kind, copy);
        facet_output *output = save_animation(again, &file, test_animation_names[kind]);
        assert_int_equal(facet_output_size(output), size);
        assert_memory_equal(facet_output_data(output), copy, size);
        facet_output_free(output);
    }
    facet_j3d_animation *none = NULL;
    facet_j3d_options j3d = {.clip = "mouth"};
    options.j3d = &j3d;
    assert_int_equal(facet_j3d_animation_from_scene(again, FACET_J3D_BTP, &options, &none, &error),
                     FACET_ERROR_UNSUPPORTED);
    assert_string_equal(error.rule, "J3D-CLIP");
    assert_int_equal(facet_j3d_animation_from_scene(again, 99, NULL, &none, &error),
                     FACET_ERROR_ARGUMENT);
    again->extras = "{\"j3d\": {\"animations\": [{\"kind\": \"btp\", \"file\": \"?\"}]}}";
    assert_int_equal(facet_j3d_animation_from_scene(again, FACET_J3D_BTP, NULL, &none, &error),
                     FACET_ERROR_MALFORMED);
    facet_scene_free(again);
    facet_scene_free(scene);
    facet_report_free(report);
    test_bytes_free(&file);
}

/* A scene that already has extras text keeps it and gets one more file. */
TEST(animation_is_carried_in_text_that_is_there)
{
    test_bytes file = make_model(0, 0);
    facet_source model = facet_source_from_memory(file.data, file.size, "a.bmd");
    facet_scene *scene = NULL;
    facet_error error;
    TEST_OK(facet_load(&model, NULL, NULL, NULL, &scene, &error), &error);
    scene->extras = "{\"title\":\"x\",\"j3d\":{\"odd\":1,\"animations\":[{\"kind\":\"blk\"}]}}";
    for (unsigned kind = 2; kind < TEST_ANIMATION_KINDS; kind++) {
        uint8_t copy[4096];
        facet_source source =
            facet_source_from_memory(copy, test_animation_copy(kind, copy), "eyes.xyz");
        TEST_OK(facet_load_animation(&source, NULL, &model, NULL, scene, &error), &error);
    }
    uint32_t count = scene->gx_file->carried_count;
    assert_true(count > 2);
    assert_string_equal(scene->gx_file->carried[0].kind, "blk");
    assert_ptr_equal(scene->extras, scene->gx_file->extras);
    assert_non_null(strstr(scene->extras, "{\"title\":\"x\",\"j3d\":{\"odd\":1,"));
    facet_scene *again = through_glb(scene);
    assert_true(again->gx_file->has_others);
    assert_int_equal(again->gx_file->carried_count, count);
    for (uint32_t i = 0; i < count; i++) {
        const facet_gx_file_animation *was = &scene->gx_file->carried[i],
                                      *is = &again->gx_file->carried[i];
        assert_string_equal(is->kind, was->kind);
        assert_int_equal(is->size, was->size);
        assert_true(!is->bytes || memcmp(is->bytes, was->bytes, is->size) == 0);
    }
    facet_scene_free(again);
    facet_scene_free(scene);
    test_bytes_free(&file);
}

TEST(animation_import_and_export_reject_mismatches)
{
    test_bytes file = make_model(0, 0);
    facet_source like = facet_source_from_memory(file.data, file.size, "a.bmd");
    facet_j3d_animation *document = make_animation(0, JOINTS), *none = NULL;
    facet_scene *scene = load_with(&file, document, NULL);
    facet_j3d_options j3d = {.like = NULL};
    facet_options options = {.j3d = &j3d};
    facet_error error;
    assert_int_equal(facet_j3d_animation_from_scene(scene, FACET_J3D_BCK, NULL, &none, &error),
                     FACET_ERROR_ARGUMENT);
    assert_string_equal(error.rule, "J3D-LIKE");
    j3d.like = &like;
    j3d.clip = "Run";
    assert_int_equal(facet_j3d_animation_from_scene(scene, FACET_J3D_BCK, &options, &none, &error),
                     FACET_ERROR_ARGUMENT);
    assert_string_equal(error.rule, "J3D-CLIP");
    facet_scene_free(scene);
    facet_j3d_animation_free(document);
    /* Too few joints; and a kind that moves no joints. */
    document = make_animation(0, JOINTS - 1);
    facet_j3d *model = read_model(&file);
    TEST_OK(facet_load(&like, NULL, NULL, NULL, &scene, &error), &error);
    assert_int_equal(facet_j3d_animation_to_scene(document, model, NULL, scene, &error),
                     FACET_ERROR_UNSUPPORTED);
    assert_string_equal(error.rule, "JA40");
    facet_scene_free(scene);
    facet_j3d_free(model);
    facet_j3d_animation_free(document);
    test_bytes_free(&file);
}

/* -- Matching ----------------------------------------------------------- */

static void expect_fit(const facet_j3d_animation *document, const test_bytes *file,
                       const char *rule, facet_severity severity, bool expected)
{
    facet_report *report = NULL;
    facet_error error;
    facet_j3d *model = read_model(file);
    bool fits = !expected;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    TEST_OK(facet_j3d_animation_check_fit(document, model, NULL, report, &fits, &error), &error);
    assert_int_equal(fits, expected);
    const facet_finding *finding = rule ? test_finding(report, rule) : NULL;
    if (rule && (!finding || finding->severity != severity))
        fail_msg("%s is not said", rule);
    if (!rule)
        assert_int_equal(facet_report_count(report), 0);
    facet_report_free(report);
    facet_j3d_free(model);
}

static facet_j3d_animation *read_kind(unsigned kind)
{
    size_t size;
    const uint8_t *data = test_animation(kind, &size);
    facet_source source = facet_source_from_memory(data, size, NULL);
    facet_j3d_animation *document = NULL;
    facet_error error;
    TEST_OK(facet_j3d_animation_read(&source, NULL, &document, &error), &error);
    return document;
}

TEST(animation_check_reports_mismatches_with_model)
{
    test_bytes file = make_model(FACET_J3D_SCALING_MAYA, 1);
    facet_j3d_animation *a = make_animation(0, JOINTS);
    expect_fit(a, &file, NULL, 0, true);
    facet_j3d_animation_free(a);
    a = make_animation(0, JOINTS - 1);
    expect_fit(a, &file, "JA40", FACET_SEVERITY_ERROR, false);
    facet_j3d_animation_free(a);
    a = make_animation(0, JOINTS + 1);
    expect_fit(a, &file, "JA40", FACET_SEVERITY_WARNING, true);
    facet_j3d_animation_free(a);
    a = make_animation(1, JOINTS);
    expect_fit(a, &file, "JA45", FACET_SEVERITY_NOTE, true);
    a->sets[0].elements[0].reals[a->sets[0].tracks[0].first + 1] = 0;
    expect_fit(a, &file, "JA33", FACET_SEVERITY_WARNING, true);
    facet_j3d_animation_free(a);

    a = read_kind(2); /* mat0 has no texture matrix */
    expect_fit(a, &file, "JA44", FACET_SEVERITY_WARNING, true);
    a->sets[0].names.items[0].bytes = "mat1";
    expect_fit(a, &file, "JA41", FACET_SEVERITY_WARNING, false);
    facet_j3d_animation_free(a);
    a = read_kind(6); /* the model has no textures */
    expect_fit(a, &file, "JA42", FACET_SEVERITY_WARNING, true);
    facet_j3d_animation_free(a);
    a = read_kind(7); /* three shapes, but the model has one */
    expect_fit(a, &file, "JA43", FACET_SEVERITY_WARNING, true);
    a->sets[0].count = 0;
    expect_fit(a, &file, "JA43", FACET_SEVERITY_ERROR, false);
    facet_j3d_animation_free(a);
    a = read_kind(3);
    expect_fit(a, &file, NULL, 0, true);
    facet_j3d_animation_free(a);
    test_bytes_free(&file);
}
