/* tests/support/j3d_motion.h - a model of joints, and random animations of it. */
#ifndef FACET_TESTS_SUPPORT_J3D_MOTION_H
#define FACET_TESTS_SUPPORT_J3D_MOTION_H

#include "base/bytes.h"
#include "support/j3d_animation.h"
#include "support/j3d_make.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define PI 3.14159265358979323846

enum { JOINTS = 4, FRAMES = 24 };

/* A chain of joints with one triangle that is skinned to all of them. */
static inline test_bytes make_model(unsigned scaling, unsigned compensate)
{
    static const char *const names[JOINTS] = {"root", "arm", "hand", "tip"};
    static const double xyz[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    test_j3d *model = test_j3d_new();
    model->flags = (uint16_t)scaling;
    for (uint32_t j = 0; j < JOINTS; j++) {
        test_j3d_add_joint(model, names[j], j ? j - 1 : TEST_J3D_NONE);
        model->joints[j].scale_compensate = (uint8_t)compensate;
        model->joints[j].translation[0] = 1;
        model->joints[j].rotation[1] = (int16_t)(1000 * j);
    }
    test_j3d_add_values(model, FACET_J3D_ARRAY_POSITION, 1, FACET_J3D_F32, 0, xyz, 3);
    uint16_t draw = (uint16_t)test_j3d_add_draw(model, 0, 0);
    uint32_t shape = test_j3d_add_shape(model, FACET_J3D_SHAPE_SINGLE, 0, 0);
    test_j3d_add_part(model, shape, FACET_J3D_POSITION, FACET_J3D_INPUT_INDEX16);
    test_j3d_add_packet(model, shape, &draw, 1);
    static const uint16_t corners[] = {0, 1, 2};
    test_j3d_draw(model, shape, 0x90, corners, 3);
    facet_j3d_material material = test_j3d_minimal_material("mat0");
    test_j3d_add_material(model, &material);
    test_bytes file = test_j3d_write(model, FACET_J3D_BMD3);
    test_j3d_free(model);
    return file;
}

static inline facet_j3d *read_model(const test_bytes *file)
{
    facet_j3d *model = NULL;
    facet_error error;
    facet_source source = facet_source_from_memory(file->data, file->size, "a.bmd");
    TEST_OK(facet_j3d_read(&source, NULL, &model, &error), &error);
    return model;
}

static uint32_t seed = 7;

static inline double dice(double most)
{
    seed = seed * 1664525 + 1013904223;
    return (seed >> 8) / 16777216.0 * most;
}

static inline size_t put_track(char *text, size_t space, double base, double spread, bool moves)
{
    if (!moves)
        return (size_t)snprintf(text, space, "%g", base);
    size_t used = (size_t)snprintf(text, space, "[");
    for (int frame = 0; frame <= FRAMES; frame += FRAMES / 4) {
        double value = frame % FRAMES == 0 ? base : base + (dice(2) - 1) * spread;
        used += (size_t)snprintf(text + used, space - used, "%s[%d, %.4f, %.4f]", frame ? ", " : "",
                                 frame, value, (dice(2) - 1) * spread / 10);
    }
    return used + (size_t)snprintf(text + used, space - used, "]");
}

/* `scales`: 0 for none, 1 for uniform scales, 2 for any. */
static inline facet_j3d_animation *make_animation(unsigned scales, unsigned joints)
{
    static char text[65536];
    size_t used = (size_t)snprintf(text, sizeof text,
                                   "{\"format\": \"facet-j3d-animation\", \"kind\": \"bck\", "
                                   "\"name\": \"walk\", \"frames\": %d, \"loop\": \"repeat\", "
                                   "\"rotation_shift\": 1, \"joints\": [",
                                   FRAMES);
    for (unsigned j = 0; j < joints; j++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "%s{\"scale\": [", j ? "," : "");
        char scale[1024];
        put_track(scale, sizeof scale, 1, 0.4, scales > 0 && j < 3);
        for (int axis = 0; axis < 3; axis++) {
            used += (size_t)snprintf(text + used, sizeof text - used, "%s", axis ? ", " : "");
            if (scales == 1)
                used += (size_t)snprintf(text + used, sizeof text - used, "%s", scale);
            else
                used += put_track(text + used, sizeof text - used, 1, 0.4, scales > 0 && j < 3);
        }
        used += (size_t)snprintf(text + used, sizeof text - used, "], \"rotation\": [");
        for (int axis = 0; axis < 3; axis++) {
            used += (size_t)snprintf(text + used, sizeof text - used, "%s", axis ? ", " : "");
            used += put_track(text + used, sizeof text - used, 0, 70, true);
        }
        used += (size_t)snprintf(text + used, sizeof text - used, "], \"translation\": [");
        for (int axis = 0; axis < 3; axis++) {
            used += (size_t)snprintf(text + used, sizeof text - used, "%s", axis ? ", " : "");
            used += put_track(text + used, sizeof text - used, axis == 0, 0.5, axis == 1);
        }
        used += (size_t)snprintf(text + used, sizeof text - used, "]}");
    }
    snprintf(text + used, sizeof text - used, "]}");
    facet_j3d_animation *document = NULL;
    facet_error error;
    TEST_OK(facet_j3d_animation_from_json(text, strlen(text), NULL, &document, &error), &error);
    return document;
}

static inline facet_output *write_animation(const facet_j3d_animation *document)
{
    facet_output *output;
    facet_error error;
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(facet_j3d_animation_write(document, NULL, output, &error), &error);
    TEST_OK(facet_output_commit(output, &error), &error);
    return output;
}

/* The scene of the model with the animation. */
static inline facet_scene *load_with(const test_bytes *file, const facet_j3d_animation *document,
                                     facet_report *report)
{
    facet_scene *scene = NULL;
    facet_error error;
    facet_options options = {.report = report};
    facet_output *output = write_animation(document);
    facet_source model = facet_source_from_memory(file->data, file->size, "a.bmd");
    facet_source walk = test_source_of(output, "walk.bck");
    TEST_OK(facet_load(&model, NULL, NULL, &options, &scene, &error), &error);
    TEST_OK(facet_load_animation(&walk, NULL, &model, &options, scene, &error), &error);
    TEST_OK(facet_scene_check(scene, NULL, &error), &error);
    facet_output_free(output);
    return scene;
}

typedef double matrix[12]; /* three rows, each with its translation */

static inline void multiply(const matrix a, const matrix b, matrix out)
{
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 4; c++)
            out[r * 4 + c] = a[r * 4] * b[c] + a[r * 4 + 1] * b[4 + c] + a[r * 4 + 2] * b[8 + c] +
                             (c == 3 ? a[r * 4 + 3] : 0);
    }
}

/* T * R, with angles in degrees. */
static inline void turn(const double t[3], const double degrees[3], matrix m)
{
    double s[3], c[3];
    for (int i = 0; i < 3; i++) {
        s[i] = sin(degrees[i] * PI / 180);
        c[i] = cos(degrees[i] * PI / 180);
    }
    const matrix made = {c[1] * c[2],
                         s[0] * s[1] * c[2] - c[0] * s[2],
                         c[0] * s[1] * c[2] + s[0] * s[2],
                         t[0],
                         c[1] * s[2],
                         s[0] * s[1] * s[2] + c[0] * c[2],
                         c[0] * s[1] * s[2] - s[0] * c[2],
                         t[1],
                         -s[1],
                         s[0] * c[1],
                         c[0] * c[1],
                         t[2]};
    memcpy(m, made, sizeof made);
}

#endif
