/* Tests of animations of materials and shapes: in the scene of their model, in glTF, and back.
 * The expected values are computed here from the format description. */
#include "formats/j3d/animation/animation.h"
#include "support/gltf.h"
#include "support/j3d_make.h"
#include "support/support.h"

#include <facet/gx_material.h>
#include <facet/j3d_animation.h>
#include <facet/pose.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { FRAMES = 20, KINDS = 6 };

#define PI 3.14159265358979323846

/* -- A model ------------------------------------------------------------ */

/* Three shapes. "paint" shows one of two textures. "lamp" shows the color of a TEV register,
 * doubled if the scale is 1. "flat" shows the material color. */
static test_bytes make_model(unsigned scale)
{
    static const double xyz[] = {0, 0, 0, 1, 0, 0, 0, 1, 0}, uv[] = {0, 0, 1, 0, 0, 1};
    static const char *const names[3] = {"paint", "lamp", "flat"};
    static const uint16_t corners[] = {0, 0, 1, 1, 2, 2};
    uint8_t texels[2][32];
    test_j3d *model = test_j3d_new();
    test_j3d_add_joint(model, "root", TEST_J3D_NONE);
    test_j3d_add_values(model, FACET_J3D_ARRAY_POSITION, 1, FACET_J3D_F32, 0, xyz, 3);
    test_j3d_add_values(model, FACET_J3D_ARRAY_TEXCOORD0, 1, FACET_J3D_F32, 0, uv, 3);
    uint16_t draw = (uint16_t)test_j3d_add_draw(model, 0, 0);
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t shape = test_j3d_add_shape(model, FACET_J3D_SHAPE_SINGLE, i, 0);
        test_j3d_add_part(model, shape, FACET_J3D_POSITION, FACET_J3D_INPUT_INDEX16);
        test_j3d_add_part(model, shape, FACET_J3D_TEXCOORD0, FACET_J3D_INPUT_INDEX16);
        test_j3d_add_packet(model, shape, &draw, 1);
        test_j3d_draw(model, shape, 0x90, corners, 3);
        memset(texels[i % 2], 0x40 + 0x33 * (int)i, 32);
        facet_j3d_material m =
            i == 0 ? test_j3d_textured_material(names[i], 0) : test_j3d_minimal_material(names[i]);
        m.gx.channels[0].material_source = m.gx.channels[1].material_source = 0;
        if (i == 0) {
            m.given.texture_matrices = 1;
            m.gx.texgens[0].matrix = 30;
            m.gx.texture_matrices[0].projection = 1;
            m.gx.texture_matrices[0].scale[0] = m.gx.texture_matrices[0].scale[1] = 1;
        } else if (i == 1) { /* the color of C0, without alpha */
            const facet_gx_tev_stage c0 = {255,
                                           {{15, 15, 15, 2}, 0, 0, (uint8_t)scale, 1, 0},
                                           {{7, 7, 7, 5}, 0, 0, 0, 1, 0},
                                           255};
            m.gx.tev_stages[0] = c0;
        }
        test_j3d_add_material(model, &m);
    }
    test_j3d_add_texture(model, "first", 1, 8, 4, texels[0], 32); /* I8 */
    test_j3d_add_texture(model, "second", 1, 8, 4, texels[1], 32);
    test_bytes file = test_j3d_write(model, FACET_J3D_BMD3);
    test_j3d_free(model);
    return file;
}

/* -- Animations --------------------------------------------------------- */

#define HEAD(kind, more)                                                      \
    "{\"format\": \"facet-j3d-animation\", \"version\": 1, \"kind\": \"" kind \
    "\", \"name\": \"glow\", \"frames\": 20, \"loop\": \"repeat\", " more

#define BTK(center, tracks)                                                                \
    HEAD("btk", "\"rotation_shift\": 1, \"texture_matrices\": [{\"material\": \"paint\", " \
                "\"matrix\": 0, \"center\": " center ", " tracks "}]}")

/* From 0 to 1 in s; scaled by 2 about the center. */
static const char scroll[] =
    BTK("[0.5, 0.5, 0.5]", "\"scale\": [2, 2, 1], \"rotation\": [0, 0, 0], \"translation\": "
                           "[[[0, 0, 0.05, 0.05], [20, 1, 0.05, 0.05]], 0.25, 0]");
/* A quarter turn about the corner. */
static const char turn[] =
    BTK("[0, 0, 0]", "\"scale\": [1, 1, 1], \"rotation\": [[[0, 0, 4.5, 4.5], [20, 90, 4.5, 4.5]],"
                     " [[0, 0, 4.5, 4.5], [20, 90, 4.5, 4.5]], [[0, 0, 4.5, 4.5], [20, 90, 4.5, "
                     "4.5]]], \"translation\": [0, 0, 0]");

/* Register C0 from black to a gray of 200 and then to red. */
static const char glow[] =
    HEAD("brk", "\"registers\": [{\"material\": \"lamp\", \"register\": 0, "
                "\"R\": [[0, 0, 20, 20], [10, 200, 20, 0], [20, 200, 0, 0]], "
                "\"G\": [[0, 0, 20, 20], [10, 200, 20, -20], [20, 0, -20, 0]], "
                "\"B\": [[0, 0, 20, 20], [10, 200, 20, -20], [20, 0, -20, 0]], \"A\": 255}], "
                "\"konst_colors\": []}");
static const char fade[] =
    HEAD("bpk", "\"material_colors\": [{\"material\": \"flat\", \"R\": [[0, 255, 0, -5], [20, 155, "
                "-5, 0]], \"G\": 255, \"B\": 100, \"A\": 255}]}");
static const char swap[] =
    HEAD("btp", "\"texture_maps\": [{\"material\": \"paint\", \"map\": 0, \"textures\": [0, 0, 0, "
                "0, 0, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 1, 1, 1, 1, 0]}]}");
static const char hide[] =
    HEAD("bva", "\"shapes\": [{\"visible\": [1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, "
                "1, 1]}, {\"visible\": [1]}, {\"visible\": [0]}]}");

static const struct {
    const char *text, *name;
    facet_j3d_animation_kind kind;
} all[KINDS] = {{scroll, "btk", FACET_J3D_BTK}, {turn, "btk", FACET_J3D_BTK},
                {glow, "brk", FACET_J3D_BRK},   {fade, "bpk", FACET_J3D_BPK},
                {swap, "btp", FACET_J3D_BTP},   {hide, "bva", FACET_J3D_BVA}};

static facet_output *write_json(const char *text)
{
    facet_j3d_animation *document = NULL;
    facet_output *output;
    facet_error error;
    TEST_OK(facet_j3d_animation_from_json(text, strlen(text), NULL, &document, &error), &error);
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(facet_j3d_animation_write(document, NULL, output, &error), &error);
    TEST_OK(facet_output_commit(output, &error), &error);
    facet_j3d_animation_free(document);
    return output;
}

static facet_scene *load_with(const test_bytes *file, const facet_output *animation,
                              facet_report *report)
{
    facet_scene *scene = NULL;
    facet_error error;
    facet_options options = {.report = report};
    const facet_load_options load = {.struct_size = sizeof load, .images = true};
    facet_source model = facet_source_from_memory(file->data, file->size, "a.bmd");
    facet_source added = test_source_of(animation, "glow.xyz");
    TEST_OK(facet_load(&model, NULL, &load, NULL, &scene, &error), &error);
    TEST_OK(facet_load_animation(&added, NULL, &model, &options, scene, &error), &error);
    TEST_OK(facet_scene_check(scene, NULL, &error), &error);
    return scene;
}

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
    TEST_OK(facet_scene_check(again, NULL, &error), &error);
    facet_output_free(output);
    return again;
}

static facet_output *save(const facet_scene *scene, const test_bytes *file, const char *format,
                          facet_report *report)
{
    facet_source like = facet_source_from_memory(file->data, file->size, "a.bmd");
    facet_j3d_options j3d = {.like = &like};
    facet_options options = {.j3d = &j3d, .report = report};
    facet_output *output;
    facet_error error;
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(facet_save(scene, facet_format_named(format), &options, output, &error), &error);
    TEST_OK(facet_output_commit(output, &error), &error);
    return output;
}

static facet_j3d_animation *read_back(const facet_output *output)
{
    facet_j3d_animation *document = NULL;
    facet_error error;
    facet_report *report = NULL;
    facet_source source = test_source_of(output, "glow");
    assert_int_equal(facet_report_create(NULL, &report, NULL), FACET_OK);
    TEST_OK(facet_j3d_animation_read(&source, NULL, &document, &error), &error);
    TEST_OK(facet_j3d_animation_check(&source, NULL, report, &error), &error);
    for (size_t i = 0; i < facet_report_count(report); i++) {
        if (facet_report_get(report, i)->severity == FACET_SEVERITY_ERROR)
            fail_msg("%s", facet_report_get(report, i)->message);
    }
    facet_report_free(report);
    return document;
}

static const facet_channel *find(const facet_scene *scene, facet_channel_target target)
{
    for (uint32_t i = 0; i < scene->animation_count; i++) {
        for (uint32_t c = 0; c < scene->animations[i]->channel_count; c++) {
            if (scene->animations[i]->channels[c].target == target)
                return &scene->animations[i]->channels[c];
        }
    }
    return NULL;
}

/* -- To the scene ------------------------------------------------------- */

/* Transform a texture coordinate as the scene does at a frame. */
static void place(const facet_scene *scene, double frame, const double uv[2], double out[2])
{
    const facet_texture *map = scene->materials[0]->maps[FACET_MAP_DIFFUSE];
    float o[2] = {0, 0}, r = 0, s[2] = {1, 1};
    if (map->has_transform) {
        memcpy(o, map->offset, sizeof o);
        memcpy(s, map->scale, sizeof s);
        r = map->rotation;
    }
    if (find(scene, FACET_TARGET_TEXTURE_OFFSET))
        facet_channel_sample(find(scene, FACET_TARGET_TEXTURE_OFFSET), frame / 30, o);
    if (find(scene, FACET_TARGET_TEXTURE_ROTATION))
        facet_channel_sample(find(scene, FACET_TARGET_TEXTURE_ROTATION), frame / 30, &r);
    if (find(scene, FACET_TARGET_TEXTURE_SCALE))
        facet_channel_sample(find(scene, FACET_TARGET_TEXTURE_SCALE), frame / 30, s);
    double x = uv[0] * (double)s[0], y = uv[1] * (double)s[1], c = cos((double)r);
    double sine = sin((double)r);
    out[0] = (double)o[0] + c * x + sine * y;
    out[1] = (double)o[1] - sine * x + c * y;
}

/* Section 19 of the description, basic mode: u' = a u + b v + ts. Here a = Sx cos, b = -Sx sin, d
 * = Sy sin, e = Sy cos, ts = -a cs - b ct + cs + Tx. */
TEST(texture_animation_moves_coordinates_as_documented)
{
    test_bytes file = make_model(0);
    for (int which = 0; which < 2; which++) {
        facet_output *output = write_json(all[which].text);
        facet_scene *scene = load_with(&file, output, NULL);
        const double uv[2] = {0.3, 0.9};
        for (int frame = 0; frame <= FRAMES; frame++) {
            double found[2], part = frame / 20.0;
            place(scene, frame, uv, found);
            double angle = which ? part * PI / 2 * 32767 / 32768 : 0, scale = which ? 1 : 2;
            double center = which ? 0 : 0.5, a = scale * cos(angle), b = -scale * sin(angle);
            double u = a * uv[0] + b * uv[1] - a * center - b * center + center;
            double v = -b * uv[0] + a * uv[1] + b * center - a * center + center;
            u += which ? 0 : part;
            v += which ? 0 : 0.25;
            if (fabs(found[0] - u) > 2e-4 || fabs(found[1] - v) > 2e-4)
                fail_msg("frame %d: %g %g are not %g %g", frame, found[0], found[1], u, v);
        }
        /* A straight line has two keys. Tangents are whole units: 409 and 410 are next to 409.55,
         * which changes the angle by at most 0.0096 degrees. */
        const facet_channel *straight =
            find(scene, which ? FACET_TARGET_TEXTURE_ROTATION : FACET_TARGET_TEXTURE_OFFSET);
        assert_int_equal(straight->key_count, 2);
        facet_scene_free(scene);
        facet_output_free(output);
    }
    test_bytes_free(&file);
}

/* Colors of the console are gamma-encoded; the sRGB curve makes them linear. */
static double linear(double byte)
{
    double c = byte / 255;
    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

/* The console computes a track value with 24 bits and truncates it: 80 may become 79. */
static void expect_color(float found, double byte)
{
    double least = linear(byte > 0 ? byte - 1 : 0) - 1.01e-4, most = linear(byte) + 1.01e-4;
    if (!((double)found >= least && (double)found <= most))
        fail_msg("%g is not between %g and %g", (double)found, least, most);
}

TEST(color_animation_becomes_base_color_channel)
{
    test_bytes file = make_model(0);
    facet_output *output = write_json(glow);
    facet_scene *scene = load_with(&file, output, NULL);
    const facet_channel *channel = find(scene, FACET_TARGET_BASE_COLOR);
    assert_non_null(channel);
    assert_int_equal(channel->material, 1);
    for (int frame = 0; frame <= FRAMES; frame++) {
        float color[4];
        facet_channel_sample(channel, frame / 30.0, color);
        double red = frame < 10 ? 20 * frame : 200, other = frame < 10 ? red : 400 - 20 * frame;
        expect_color(color[0], red);
        expect_color(color[1], other);
        expect_color(color[2], other);
    }
    facet_scene_free(scene);
    facet_output_free(output);
    output = write_json(fade);
    scene = load_with(&file, output, NULL);
    channel = find(scene, FACET_TARGET_BASE_COLOR);
    assert_int_equal(channel->material, 2);
    for (int frame = 0; frame <= FRAMES; frame += 5) {
        float color[4];
        facet_channel_sample(channel, frame / 30.0, color);
        expect_color(color[0], 255 - 5 * frame);
        expect_color(color[2], 100);
    }
    facet_scene_free(scene);
    facet_output_free(output);
    test_bytes_free(&file);
}

TEST(texture_choices_become_step_channels)
{
    test_bytes file = make_model(0);
    facet_output *output = write_json(swap);
    facet_scene *scene = load_with(&file, output, NULL);
    const facet_channel *channel = find(scene, FACET_TARGET_TEXTURE_IMAGE);
    static const float times[] = {0, 5, 10, 15, 19, 20};
    assert_int_equal(channel->key_count, 6);
    for (uint32_t k = 0; k < 6; k++) {
        assert_float_equal(channel->times[k], times[k] / 30, 1e-6F);
        assert_string_equal(scene->images[(uint32_t)channel->values[k]]->name,
                            k == 1 || k == 3 ? "second" : "first");
    }
    facet_scene_free(scene);
    facet_output_free(output);
    output = write_json(hide);
    scene = load_with(&file, output, NULL);
    facet_pose pose = {0};
    facet_error error;
    for (int frame = 0; frame <= FRAMES; frame++) {
        TEST_OK(facet_scene_pose(scene, 0, frame / 30.0, NULL, &pose, &error), &error);
        assert_int_equal(pose.seen[1], frame < 5 || frame >= 10); /* node 0 is the joint */
        assert_true(pose.seen[2]);
        assert_false(pose.seen[3]);
    }
    facet_pose_free(&pose);
    facet_scene_free(scene);
    facet_output_free(output);
    test_bytes_free(&file);
}

/* glTF can hold a choice of textures only in extras, which other programs ignore. */
TEST(texture_choices_are_reported_by_gltf)
{
    test_bytes file = make_model(0);
    for (int i = 0; i < KINDS; i++) {
        facet_output *animation = write_json(all[i].text), *output;
        facet_scene *scene = load_with(&file, animation, NULL);
        facet_report *report;
        facet_error error;
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        const facet_options options = {.report = report};
        TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
        TEST_OK(facet_save(scene, facet_format_named("glb"), &options, output, &error), &error);
        const facet_finding *finding =
            test_finding_saying(report, "LOSS-ANIMATIONS", "changes the texture of material 0");
        assert_int_equal(finding != NULL, all[i].kind == FACET_J3D_BTP);
        facet_output_free(output);
        facet_report_free(report);
        facet_scene_free(scene);
        facet_output_free(animation);
    }
    test_bytes_free(&file);
}

/* -- States of the console ---------------------------------------------- */

/* States at a frame, of the loaded scene and of the scene after a glTF round trip. */
static void pose_both(const test_bytes *file, const char *text, double frame,
                      facet_gx_material states[2][3], facet_scene *scenes[2])
{
    facet_output *output = write_json(text);
    scenes[0] = load_with(file, output, NULL);
    scenes[1] = through_glb(scenes[0]);
    for (int i = 0; i < 2; i++) {
        facet_error error;
        uint32_t count = 0;
        assert_int_equal(scenes[i]->material_count, 3);
        TEST_OK(facet_j3d_pose_materials(scenes[i], "glow", frame / 30, NULL, states[i], &count,
                                         &error),
                &error);
        assert_int_equal(count, 1);
    }
    facet_output_free(output);
}

TEST(posed_materials_have_console_values)
{
    test_bytes file = make_model(0);
    facet_gx_material states[2][3];
    facet_scene *scenes[2];
    static const double frames[] = {0, 5, 10, 20, 500};
    for (size_t f = 0; f < sizeof frames / sizeof *frames; f++) {
        double frame = frames[f], last = frame < 20 ? frame : 20;
        pose_both(&file, glow, frame, states, scenes);
        for (int i = 0; i < 2; i++) { /* the line from 0 to 200, then green and blue fall */
            const facet_gx_rgba16 *c = &states[i][1].tev_registers[0];
            assert_int_equal(c->r, last < 10 ? 20 * last : 200);
            assert_int_equal(c->g, last < 10 ? 20 * last : 400 - 20 * last);
            assert_int_equal(c->a, 255);
            facet_scene_free(scenes[i]);
        }
        pose_both(&file, fade, frame, states, scenes);
        for (int i = 0; i < 2; i++) {
            assert_int_equal(states[i][2].material_colors[0].r, 255 - 5 * last);
            assert_int_equal(states[i][2].material_colors[0].b, 100);
            facet_scene_free(scenes[i]);
        }
        pose_both(&file, scroll, frame, states, scenes);
        for (int i = 0; i < 2; i++) {
            const facet_gx_texture_matrix *m = &states[i][0].texture_matrices[0];
            assert_float_equal(m->translation[0], last / 20, 1e-6);
            assert_float_equal(m->translation[1], 0.25, 0);
            assert_float_equal(m->scale[0], 2, 0);
            assert_int_equal(states[i][0].texgens[0].matrix, 30);
            facet_scene_free(scenes[i]);
        }
        pose_both(&file, swap, frame, states, scenes);
        for (int i = 0; i < 2; i++) { /* frames 5 to 9 and 15 to 18 show the second texture */
            uint16_t image = states[i][0].textures[0];
            assert_true(image < scenes[i]->image_count);
            assert_string_equal(scenes[i]->images[image]->name, last == 5 ? "second" : "first");
            facet_scene_free(scenes[i]);
        }
    }
    test_bytes_free(&file);
}

/* Animations with another name, and those of nodes, change no material. */
TEST(console_states_at_rest)
{
    test_bytes file = make_model(0);
    static const char *const texts[2] = {glow, hide}, *const names[2] = {"other", NULL};
    for (int i = 0; i < 2; i++) {
        facet_output *output = write_json(texts[i]);
        facet_scene *scene = load_with(&file, output, NULL);
        facet_gx_material states[3];
        facet_error error;
        uint32_t count = 9;
        TEST_OK(facet_j3d_pose_materials(scene, names[i], 0.2, NULL, states, &count, &error),
                &error);
        assert_int_equal(count, 0);
        for (int m = 0; m < 3; m++)
            assert_memory_equal(&states[m], scene->materials[m]->gx, sizeof states[m]);
        facet_scene_free(scene);
        facet_output_free(output);
    }
    test_bytes_free(&file);
}

/* -- Conversion back ---------------------------------------------------- */

TEST(unedited_material_animations_keep_bytes)
{
    test_bytes file = make_model(0);
    for (int i = 0; i < KINDS; i++) {
        facet_output *original = write_json(all[i].text);
        facet_scene *scene = load_with(&file, original, NULL), *again = through_glb(scene);
        facet_output *back = save(again, &file, all[i].name, NULL);
        if (facet_output_size(back) != facet_output_size(original) ||
            memcmp(facet_output_data(back), facet_output_data(original),
                   (size_t)facet_output_size(back)) != 0)
            fail_msg("%s %d is not what it was", all[i].name, i);
        facet_output_free(back);
        facet_output_free(original);
        facet_scene_free(again);
        facet_scene_free(scene);
    }
    test_bytes_free(&file);
}

/* Without the file in the extras the channels alone give an animation that looks the same. */
TEST(material_animations_rebuild_from_channels)
{
    test_bytes file = make_model(0);
    for (int i = 0; i < KINDS; i++) {
        facet_report *report = NULL;
        assert_int_equal(facet_report_create(NULL, &report, NULL), FACET_OK);
        facet_output *original = write_json(all[i].text);
        facet_scene *scene = load_with(&file, original, NULL), *again = through_glb(scene);
        again->animations[0]->extras = NULL;
        again->animations[0]->gx_file = NULL;
        facet_output *back = save(again, &file, all[i].name, report);
        assert_null(test_finding(report, "LOSS-ANIMATIONS"));
        facet_j3d_animation *before = read_back(original), *after = read_back(back);
        assert_int_equal(before->frames, after->frames);
        for (int frame = 0; frame < after->frames; frame++) {
            facet_j3d_moment moment = {.frame = frame};
            facet_j3d_texture_pose one, two;
            int16_t a[4], b[4];
            switch (all[i].kind) {
            case FACET_J3D_BTK: {
                double m[6], n[6];
                facet_j3d_animation_texture(before, 0, 0, &moment, &one);
                facet_j3d_animation_texture(after, 0, 0, &moment, &two);
                facet_j3d_texture_matrix(one.scale, one.angle * PI / 180, one.translation,
                                         before->sets[0].centers[0], false, m);
                facet_j3d_texture_matrix(two.scale, two.angle * PI / 180, two.translation,
                                         after->sets[0].centers[0], after->convention == 1, n);
                for (int k = 0; k < 6; k++)
                    assert_true(fabs(m[k] - n[k]) < 3e-3);
                break;
            }
            case FACET_J3D_BRK:
            case FACET_J3D_BPK:
                facet_j3d_animation_color(before, 0, 0, &moment, a);
                facet_j3d_animation_color(after, 0, 0, &moment, b);
                for (int k = 0; k < 3; k++) /* truncation costs at most one step, and the fit
                                             * another */
                    assert_true(abs(a[k] - b[k]) <= 2);
                break;
            case FACET_J3D_BTP:
                assert_int_equal(facet_j3d_animation_texture_number(before, 0, &moment),
                                 facet_j3d_animation_texture_number(after, 0, &moment));
                break;
            default:
                for (uint32_t shape = 0; shape < 3; shape++)
                    assert_int_equal(facet_j3d_animation_visible(before, shape, &moment),
                                     facet_j3d_animation_visible(after, shape, &moment));
            }
        }
        facet_j3d_animation_free(before);
        facet_j3d_animation_free(after);
        facet_output_free(back);
        facet_output_free(original);
        facet_scene_free(again);
        facet_scene_free(scene);
        facet_report_free(report);
    }
    test_bytes_free(&file);
}

/* A register that is doubled is white from 128 on, so the original value is unknown. */
TEST(made_anew_where_cut)
{
    test_bytes file = make_model(1);
    facet_report *report = NULL;
    assert_int_equal(facet_report_create(NULL, &report, NULL), FACET_OK);
    facet_output *original = write_json(glow);
    facet_scene *scene = load_with(&file, original, NULL);
    scene->animations[0]->extras = NULL;
    scene->animations[0]->gx_file = NULL;
    facet_output *back = save(scene, &file, "brk", report);
    assert_null(test_finding(report, "LOSS-ANIMATIONS"));
    facet_j3d_animation *before = read_back(original), *after = read_back(back);
    for (int frame = 0; frame <= FRAMES; frame++) {
        facet_j3d_moment moment = {.frame = frame};
        int16_t a[4], b[4];
        facet_j3d_animation_color(before, 0, 0, &moment, a);
        facet_j3d_animation_color(after, 0, 0, &moment, b);
        for (int k = 0; k < 3; k++) {
            int x = a[k] > 127 ? 255 : 2 * a[k], y = b[k] > 127 ? 255 : 2 * b[k];
            assert_true(abs(x - y) <= 4);
        }
    }
    facet_j3d_animation_free(before);
    facet_j3d_animation_free(after);
    facet_output_free(back);
    facet_output_free(original);
    facet_scene_free(scene);
    facet_report_free(report);
    test_bytes_free(&file);
}

/* An edited channel gives a new animation although the extras contain a file. */
TEST(edited_texture_animation_is_rebuilt)
{
    test_bytes file = make_model(0);
    facet_output *original = write_json(scroll);
    facet_scene *scene = load_with(&file, original, NULL), *again = through_glb(scene);
    facet_channel *channel = (facet_channel *)(uintptr_t)find(again, FACET_TARGET_TEXTURE_OFFSET);
    channel->values[(channel->key_count - 1) * 2 + 1] += 0.5F; /* t of the last frame */
    facet_output *back = save(again, &file, "btk", NULL);
    facet_j3d_animation *after = read_back(back);
    for (int frame = 0; frame <= FRAMES; frame++) {
        facet_j3d_moment moment = {.frame = frame};
        facet_j3d_texture_pose pose;
        facet_j3d_animation_texture(after, 0, 0, &moment, &pose);
        assert_true(fabs((double)pose.translation[0] - frame / 20.0) < 2e-3);
        assert_true(fabs((double)pose.translation[1] - 0.25 - 0.5 * frame / 20) < 2e-3);
    }
    assert_int_equal(after->loop, FACET_J3D_LOOP_REPEAT);
    assert_int_equal(after->sets[0].count, 1);
    facet_j3d_animation_free(after);
    facet_output_free(back);
    facet_scene_free(again);
    facet_scene_free(scene);
    facet_output_free(original);
    test_bytes_free(&file);
}

/* Without extras, an animation repeats if its last frame is like its first. `scroll` moves a
 * texture by a whole repeat. `turn`, `glow` and `fade` end elsewhere, and so does the last `hide`.
 */
TEST(loop_mode_depends_on_the_last_frame)
{
    static const char gone[] = HEAD(
        "bva", "\"shapes\": [{\"visible\": [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, "
               "1, 1, 0]}, {\"visible\": [1]}, {\"visible\": [0]}]}");
    static const struct {
        const char *text, *name;
        uint8_t loop;
    } cases[] = {{scroll, "btk", FACET_J3D_LOOP_REPEAT}, {turn, "btk", FACET_J3D_LOOP_ONCE},
                 {glow, "brk", FACET_J3D_LOOP_ONCE},     {fade, "bpk", FACET_J3D_LOOP_ONCE},
                 {swap, "btp", FACET_J3D_LOOP_REPEAT},   {hide, "bva", FACET_J3D_LOOP_REPEAT},
                 {gone, "bva", FACET_J3D_LOOP_ONCE}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        test_bytes file = make_model(0);
        facet_output *original = write_json(cases[i].text);
        facet_scene *scene = load_with(&file, original, NULL);
        scene->animations[0]->extras = NULL;
        scene->animations[0]->gx_file = NULL;
        facet_output *back = save(scene, &file, cases[i].name, NULL);
        facet_j3d_animation *after = read_back(back);
        assert_int_equal(after->loop, cases[i].loop);
        facet_j3d_animation_free(after);
        facet_output_free(back);
        facet_scene_free(scene);
        facet_output_free(original);
        test_bytes_free(&file);
    }
}

/* A file for a model with more shapes: the entry without a shape is reported, and comes back. */
TEST(visibility_of_missing_shapes_is_kept)
{
    static const char more[] = HEAD(
        "bva", "\"shapes\": [{\"visible\": [1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, "
               "1, 1, 1]}, {\"visible\": [1]}, {\"visible\": [0]}, {\"visible\": [1, 0, 1, 0, "
               "1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0]}]}");
    test_bytes file = make_model(0);
    facet_report *report = NULL;
    assert_int_equal(facet_report_create(NULL, &report, NULL), FACET_OK);
    facet_output *original = write_json(more);
    facet_scene *scene = load_with(&file, original, report), *again = through_glb(scene);
    assert_non_null(test_finding_saying(report, "LOSS-ANIMATIONS",
                                        "entry 3 of the bva 'glow' moves a shape that the model"));
    facet_output *back = save(again, &file, "bva", NULL);
    assert_int_equal(facet_output_size(back), facet_output_size(original));
    assert_memory_equal(facet_output_data(back), facet_output_data(original),
                        facet_output_size(back));
    facet_output_free(back);
    facet_output_free(original);
    facet_scene_free(again);
    facet_scene_free(scene);
    facet_report_free(report);
    test_bytes_free(&file);
}

/* No scene can show this material: the scene keeps the file, and a finding reports that. */
TEST(what_is_lost)
{
    static const char sheared[] =
        BTK("[0, 0, 0]", "\"scale\": [1, 3, 1], \"rotation\": [30, 30, 30], \"translation\": [0, "
                         "0, 0]");
    test_bytes file = make_model(0);
    facet_report *report = NULL;
    assert_int_equal(facet_report_create(NULL, &report, NULL), FACET_OK);
    facet_output *original = write_json(sheared);
    facet_scene *scene = load_with(&file, original, report), *again;
    assert_int_equal(scene->animation_count, 0);
    assert_non_null(test_finding(report, "LOSS-ANIMATIONS"));
    again = through_glb(scene);
    facet_output *back = save(again, &file, "btk", NULL);
    assert_int_equal(facet_output_size(back), facet_output_size(original));
    assert_memory_equal(facet_output_data(back), facet_output_data(original),
                        facet_output_size(back));
    /* Without the model it is unknown whether the channels changed. */
    facet_output *plain = write_json(scroll);
    facet_scene *moving = load_with(&file, plain, NULL);
    facet_j3d_animation *none = NULL;
    facet_error error;
    assert_int_equal(facet_j3d_animation_from_scene(moving, FACET_J3D_BTK, NULL, &none, &error),
                     FACET_ERROR_ARGUMENT);
    assert_string_equal(error.rule, "J3D-LIKE");
    facet_scene_free(moving);
    facet_output_free(plain);
    facet_output_free(back);
    facet_output_free(original);
    facet_scene_free(again);
    facet_scene_free(scene);
    facet_report_free(report);
    test_bytes_free(&file);
}

/* Every kind of animation as a GLB: the Khronos validator has no messages. */
TEST(exported_animations_pass_the_khronos_validator)
{
    static const char walk[] =
        HEAD("bck", "\"rotation_shift\": 1, \"joints\": [{\"scale\": [1, 1, [[0, 1, 0], [20, 2, "
                    "0]]], \"rotation\": [0, 0, [[0, 0, 9], [10, 90, 0], [20, 0, -9]]], "
                    "\"translation\": [0, [[0, 0, 1], [20, 9, 1]], 0]}]}");
    char files[4096] = "";
    if (!test_gltf_validator_is_there())
        skip();
    test_bytes file = make_model(0);
    for (int i = 0; i <= KINDS; i++) {
        facet_output *original = write_json(i < KINDS ? all[i].text : walk), *output;
        facet_scene *scene = load_with(&file, original, NULL);
        facet_error error;
        char name[20];
        snprintf(name, sizeof name, "animated%d.glb", i);
        size_t used = strlen(files);
        snprintf(files + used, sizeof files - used, " '%s'", test_temporary(name));
        TEST_OK(facet_output_open(test_temporary(name), &output, &error), &error);
        TEST_OK(facet_save(scene, facet_format_named("glb"), NULL, output, &error), &error);
        TEST_OK(facet_output_commit(output, &error), &error);
        facet_output_free(output);
        facet_output_free(original);
        facet_scene_free(scene);
    }
    test_gltf_expect_valid(files);
    test_bytes_free(&file);
}
