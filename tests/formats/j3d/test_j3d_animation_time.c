/* Tests of frames and rates of animations of visibility that are made from keys of a scene. */
#include "formats/j3d/animation/animation.h"
#include "support/j3d_make.h"
#include "support/support.h"

#include <facet/j3d_animation.h>
#include <facet/pose.h>
#include <string.h>

static test_bytes make_model(void)
{
    static const double xyz[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    static const uint16_t corners[] = {0, 1, 2};
    test_j3d *model = test_j3d_new();
    test_j3d_add_joint(model, "root", TEST_J3D_NONE);
    test_j3d_add_values(model, FACET_J3D_ARRAY_POSITION, 1, FACET_J3D_F32, 0, xyz, 3);
    uint16_t draw = (uint16_t)test_j3d_add_draw(model, 0, 0);
    uint32_t shape = test_j3d_add_shape(model, FACET_J3D_SHAPE_SINGLE, 0, 0);
    test_j3d_add_part(model, shape, FACET_J3D_POSITION, FACET_J3D_INPUT_INDEX16);
    test_j3d_add_packet(model, shape, &draw, 1);
    test_j3d_draw(model, shape, 0x90, corners, 3);
    facet_j3d_material material = test_j3d_minimal_material("flat");
    test_j3d_add_material(model, &material);
    test_bytes file = test_j3d_write(model, FACET_J3D_BMD3);
    test_j3d_free(model);
    return file;
}

/* Make a BVA from keys of the visibility of the model's shape. Keys are in frames. */
static facet_j3d_animation *make(const double *frames, const float *values, uint32_t count,
                                 double rate, facet_report *report)
{
    test_bytes file = make_model();
    facet_scene *scene = NULL;
    facet_animation *animation = NULL;
    facet_j3d_animation *made = NULL;
    facet_error error;
    facet_source model = facet_source_from_memory(file.data, file.size, "a.bmd");
    facet_j3d_options j3d = {.like = &model};
    facet_options options = {.j3d = &j3d, .report = report};
    float times[4];
    TEST_OK(facet_load(&model, NULL, NULL, NULL, &scene, &error), &error);
    TEST_OK(facet_scene_add_animation(scene, "blink", 1, &animation, &error), &error);
    for (uint32_t i = 0; i < count; i++)
        times[i] = (float)(frames[i] / rate);
    facet_channel *channel = &animation->channels[0];
    for (uint32_t i = 0; i < scene->node_count; i++) {
        if (scene->nodes[i]->mesh != FACET_NONE)
            channel->node = i;
    }
    channel->target = FACET_TARGET_VISIBILITY;
    channel->interpolation = FACET_INTERPOLATION_STEP;
    channel->width = 1;
    channel->key_count = count;
    channel->times = times;
    channel->values = (float[4]){0};
    memcpy(channel->values, values, count * sizeof *values);
    TEST_OK(facet_scene_check(scene, NULL, &error), &error);
    TEST_OK(facet_j3d_animation_from_scene(scene, FACET_J3D_BVA, &options, &made, &error), &error);
    facet_scene_free(scene);
    test_bytes_free(&file);
    return made;
}

/* The number of a BVA's frames, and the number of the first frame that hides the shape. */
static void expect(const facet_j3d_animation *made, int frames, uint32_t hidden)
{
    const facet_j3d_track *track = &made->sets[0].tracks[0];
    uint32_t first = 0;
    assert_int_equal(made->frames, frames);
    while (first < track->count && made->sets[0].elements[0].integers[track->first + first])
        first++;
    assert_int_equal(first, hidden);
}

/* Frames of a file with n frames are 0 to n - 1. A step on the last key needs a frame. A return to
 * the first value does not: it is frame 0 of the next round. */
TEST(a_step_on_the_last_key_has_a_frame)
{
    facet_j3d_animation *made = make((const double[]){0, 5}, (const float[]){1, 0}, 2, 30, NULL);
    expect(made, 6, 5);
    facet_j3d_animation_free(made);
    made = make((const double[]){0, 5, 8}, (const float[]){1, 0, 1}, 3, 30, NULL);
    expect(made, 8, 5);
    facet_j3d_animation_free(made);
    made = make((const double[]){0, 5, 8}, (const float[]){1, 0, 0}, 3, 30, NULL);
    expect(made, 8, 5);
    facet_j3d_animation_free(made);
}

/* 24 frames at 24 per second are one second, which is 30 frames of the file. Frame 7 is 8.75 of
 * the file, so 9 is the first that hides the shape. If the keys begin at
 * frame 1, it becomes frame 0. */
TEST(other_rates_and_first_frames_are_reported)
{
    facet_report *report = NULL;
    assert_int_equal(facet_report_create(NULL, &report, NULL), FACET_OK);
    facet_j3d_animation *made =
        make((const double[]){0, 7, 24}, (const float[]){1, 0, 1}, 3, 24, report);
    expect(made, 30, 9);
    facet_j3d_animation_free(made);
    assert_non_null(test_finding(report, "J3D-FRAME-RATE"));
    assert_null(test_finding(report, "J3D-FIRST-FRAME"));
    made = make((const double[]){1, 6, 11}, (const float[]){1, 0, 1}, 3, 30, report);
    expect(made, 10, 5);
    facet_j3d_animation_free(made);
    assert_non_null(test_finding(report, "J3D-FIRST-FRAME"));
    facet_report_free(report);
}

/* Formats without steps have a key a millisecond before a step, which is 0.024 frames at 24 per
 * second. It counts for no rate: 30 keys per second stay 30, and 24 stay 24. Otherwise, the keys
 * 0, 9.976, 10 and 21 of 24 per second would be off the frames of each rate above 20. */
TEST(ramps_of_steps_do_not_hide_the_rate)
{
    for (int i = 0; i < 2; i++) {
        facet_report *report = NULL;
        int rate = i == 0 ? 24 : 30;
        double ramp = 0.001 * rate;
        assert_int_equal(facet_report_create(NULL, &report, NULL), FACET_OK);
        facet_j3d_animation *made = make((const double[]){0, 10 - ramp, 10, 21},
                                         (const float[]){1, 1, 0, 1}, 4, rate, report);
        facet_j3d_animation_free(made);
        assert_true((test_finding(report, "J3D-FRAME-RATE") != NULL) == (i == 0));
        facet_report_free(report);
    }
}

/* A shape that a BVA of 21 frames hides at all of them: at 30 frames per second, the animation of
 * the scene lasts 0.7 s. */
TEST(animation_without_motion_keeps_its_length)
{
    test_bytes file = make_model();
    facet_j3d_animation *made = make((double[]){0, 20}, (float[]){1, 0}, 2, 30, NULL);
    facet_source source = facet_source_from_memory(file.data, file.size, "a.bmd");
    facet_j3d *model = NULL;
    facet_scene *scene = NULL;
    facet_error error;
    assert_int_equal(made->frames, 21);
    for (uint32_t i = 0; i < made->sets[0].elements[0].count; i++)
        made->sets[0].elements[0].integers[i] = 0;
    TEST_OK(facet_j3d_read(&source, NULL, &model, &error), &error);
    TEST_OK(facet_load(&source, NULL, NULL, NULL, &scene, &error), &error);
    TEST_OK(facet_j3d_animation_to_scene(made, model, NULL, scene, &error), &error);
    assert_int_equal(scene->animation_count, 1);
    assert_float_equal(facet_animation_duration(scene->animations[0]), 0.7, 1e-6);
    TEST_OK(facet_scene_check(scene, NULL, &error), &error);
    facet_scene_free(scene);
    facet_j3d_free(model);
    facet_j3d_animation_free(made);
    test_bytes_free(&file);
}
