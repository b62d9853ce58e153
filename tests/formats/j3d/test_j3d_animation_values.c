/* Tests of the values of J3D animations at a frame, against a second evaluator that reads the
 * bytes of the file. Also tests of playback time and of keys fitted to samples. */
#include "support/j3d_animation.h"
#include "support/support.h"

#include "base/bytes.h"
#include "formats/j3d/animation/fit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static facet_j3d_animation *read_bytes(const uint8_t *data, size_t size)
{
    facet_source source = facet_source_from_memory(data, size, NULL);
    facet_j3d_animation *document = NULL;
    facet_error error;
    TEST_OK(facet_j3d_animation_read(&source, NULL, &document, &error), &error);
    return document;
}

static facet_j3d_animation *read_kind(unsigned kind)
{
    size_t size;
    const uint8_t *data = test_animation(kind, &size);
    return read_bytes(data, size);
}

/* -- The second evaluator ----------------------------------------------- */

/* An array of the file. */
typedef struct array {
    const uint8_t *bytes;
    char type; /* 'f' float, 's' 16 bits, 'b' byte */
} array;

static double at(array a, unsigned index)
{
    if (a.type == 'f')
        return (double)facet_load_f32be(a.bytes + 4 * (size_t)index);
    return a.type == 's' ? (int16_t)facet_load_u16be(a.bytes + 2 * (size_t)index) : a.bytes[index];
}

/* Follow the format description: the value of the first key before it, of the last key after it,
 * and the cubic of the two nearest keys between. The search is linear. */
static double curve(array a, const uint8_t *track, double frame, double otherwise)
{
    unsigned count = facet_load_u16be(track), first = facet_load_u16be(track + 2);
    unsigned size = facet_load_u16be(track + 4) == 0 ? 3 : 4;
    if (count == 0)
        return otherwise;
    if (count == 1)
        return at(a, first);
    if (frame < at(a, first))
        return at(a, first + 1);
    if (frame >= at(a, first + (count - 1) * size))
        return at(a, first + (count - 1) * size + 1);
    unsigned key = count - 2;
    while (at(a, first + key * size) > frame)
        key--;
    unsigned k = first + key * size, n = k + size;
    double d = at(a, n) - at(a, k), s = (frame - at(a, k)) / d;
    double out = at(a, k + size - 1), in = at(a, n + 2);
    /* The Bezier form is another way to compute the same curve. */
    double p0 = at(a, k + 1), p3 = at(a, n + 1);
    double p1 = p0 + out * d / 3, p2 = p3 - in * d / 3, r = 1 - s;
    return p0 * r * r * r + 3 * p1 * r * r * s + 3 * p2 * r * s * s + p3 * s * s * s;
}

static const uint8_t *section_of(const uint8_t *data, size_t field)
{
    return data + 0x20 + facet_load_u32be(data + 0x20 + field);
}

/* -- Random files ------------------------------------------------------- */

static uint32_t seed = 1;

static uint32_t dice(uint32_t sides)
{
    seed = seed * 1664525 + 1013904223;
    return (seed >> 8) % sides;
}

enum { JOINTS = 12, FRAMES = 50, SCALES = 3 * JOINTS * 40 };

/* Write a BCK whose tracks have up to nine keys of both types. */
static size_t make_random(uint8_t *data, unsigned shift)
{
    static uint8_t arrays[3][SCALES * 4];
    unsigned used[3] = {0, 0, 0};
    size_t table = 0x60;
    memset(data, 0, table);
    memcpy(data, "J3D1bck1", 8);
    facet_store_u32be(data + 0x0C, 1);
    memset(data + 0x10, 0xFF, 16);
    memcpy(data + 0x20, "ANK1", 4);
    data[0x29] = (uint8_t)shift;
    facet_store_u16be(data + 0x2A, FRAMES);
    facet_store_u16be(data + 0x2C, JOINTS);
    facet_store_u32be(data + 0x34, 0x40);
    for (unsigned i = 0; i < JOINTS * 9; i++) {
        unsigned component = i % 3, count = 1 + dice(9), type = dice(2);
        unsigned size = count == 1 ? 1 : count * (3 + type), time = 0;
        uint8_t *track = data + table + 6 * (size_t)i;
        facet_store_u16be(track, (uint16_t)count);
        facet_store_u16be(track + 2, (uint16_t)used[component]);
        facet_store_u16be(track + 4, (uint16_t)type);
        for (unsigned k = 0; k < size; k++) {
            bool is_time = count > 1 && k % (3 + type) == 0;
            time += is_time ? dice(3) ? 1 + dice(10) : 0 : 0; /* a third are steps */
            int value = (int)dice(component == 1 ? 20000 : 400) - (component == 1 ? 10000 : 200);
            if (is_time)
                value = (int)time;
            else if (count > 1 && k % (3 + type) > 1)
                value /= 10;
            unsigned to = used[component]++;
            if (component == 1) {
                facet_store_u16be(arrays[1] + 2 * to, (uint16_t)value);
            } else {
                float real = is_time ? (float)value : (float)value / 16.0F;
                facet_store_u32be(arrays[component] + 4 * to, facet_bits_of_float(real));
            }
        }
    }
    size_t end = table + JOINTS * 54;
    for (unsigned c = 0; c < 3; c++) {
        size_t length = used[c] * (c == 1 ? 2u : 4u);
        facet_store_u32be(data + 0x38 + 4 * c, (uint32_t)(end - 0x20));
        facet_store_u16be(data + 0x2E + 2 * c, (uint16_t)used[c]);
        memcpy(data + end, arrays[c], length);
        end += (length + 31) / 32 * 32;
    }
    facet_store_u32be(data + 0x08, (uint32_t)end);
    facet_store_u32be(data + 0x24, (uint32_t)end - 0x20);
    return end;
}

static void compare_joint(const uint8_t *data, unsigned joint, double frame, unsigned shift,
                          const facet_j3d_joint_pose *pose)
{
    for (unsigned axis = 0; axis < 3; axis++) {
        const uint8_t *tracks = section_of(data, 0x14) + joint * 54 + axis * 18;
        double scale = curve((array){section_of(data, 0x18), 'f'}, tracks, frame, 1);
        double angle = curve((array){section_of(data, 0x1C), 's'}, tracks + 6, frame, 0);
        double place = curve((array){section_of(data, 0x20), 'f'}, tracks + 12, frame, 0);
        assert_true(fabs((double)pose->scale[axis] - scale) <= 1e-4);
        assert_true(fabs((double)pose->translation[axis] - place) <= 1e-4);
        assert_true(fabs(pose->angles[axis] - angle * (1 << shift) * 180 / 32767) <= 1e-4);
        int expected = (int16_t)(uint16_t)((unsigned)(int)trunc(angle) << shift);
        int step = (int16_t)(uint16_t)(pose->rotation[axis] - expected);
        /* a float and a double can round to two sides of a whole number */
        assert_true(abs(step) <= 1 << shift);
    }
}

/* Every quarter frame, and frames beyond both ends; in doubles and as consoles compute. */
TEST(joint_values_match_reference_at_frames)
{
    static uint8_t data[65536];
    for (unsigned round = 0; round < 6; round++) {
        unsigned shift = round % 3;
        size_t size = make_random(data, shift);
        facet_j3d_animation *a = read_bytes(data, size);
        facet_j3d_joint_pose poses[JOINTS];
        for (int quarter = -4; quarter <= FRAMES * 4 + 8; quarter++) {
            facet_j3d_moment moment = {.frame = quarter / 4.0};
            facet_j3d_animation_joints(a, &moment, poses);
            for (unsigned j = 0; j < JOINTS; j++)
                compare_joint(data, j, moment.frame, shift, &poses[j]);
        }
        facet_j3d_animation_free(a);
    }
}

/* For real tracks the floats of the console differ from doubles by less than 0.004 units of an
 * angle, and by 4e-6 of a real. */
TEST(exact_and_float_values_nearly_agree)
{
    static uint8_t data[65536];
    size_t size = make_random(data, 0);
    facet_j3d_animation *a = read_bytes(data, size);
    facet_j3d_joint_pose exact[JOINTS], smooth[JOINTS];
    unsigned differences = 0, total = 0;
    for (int quarter = 0; quarter <= FRAMES * 4; quarter++) {
        for (int runtime = 0; runtime < 2; runtime++) {
            facet_j3d_moment moment = {.frame = quarter / 4.0};
            facet_j3d_animation_joints(a, &moment, smooth);
            moment.exact = true;
            moment.runtime = (facet_j3d_runtime)runtime;
            facet_j3d_animation_joints(a, &moment, exact);
            for (unsigned i = 0; i < JOINTS * 3; i++) {
                float one = exact[i / 3].translation[i % 3], two = smooth[i / 3].translation[i % 3];
                assert_true(fabsf(one - two) <= 4e-6F * fmaxf(50, fabsf(two)));
                int step = exact[i / 3].rotation[i % 3] - smooth[i / 3].rotation[i % 3];
                assert_true(abs(step) <= 1);
                differences += step != 0;
                total++;
            }
        }
    }
    assert_true(differences * 100 < total);
    facet_j3d_animation_free(a);
}

/* -- Examples of the description ---------------------------------------- */

TEST(examples_have_the_documented_values)
{
    size_t size;
    const uint8_t *data = test_animation(0, &size);
    facet_j3d_animation *a = read_bytes(data, size);
    facet_j3d_joint_pose joints[2];
    for (int exact = 0; exact < 2; exact++) {
        facet_j3d_moment moment = {.frame = 10, .exact = exact};
        facet_j3d_animation_joints(a, &moment, joints);
        assert_int_equal(joints[1].rotation[2], 16382);
        moment.frame = 5; /* 8191 / 2 + 819 * 10 / 8 = 5119.25 */
        facet_j3d_animation_joints(a, &moment, joints);
        assert_int_equal(joints[1].rotation[2], 10238);
        double angle = exact ? 10238.0 : 10238.5;
        assert_true(fabs(joints[1].angles[2] - angle * 180 / 32767) < 1e-9);
        assert_float_equal(joints[0].translation[1], 10, 0);
        assert_float_equal(joints[1].scale[0], 1, 0);
    }
    double slope;
    assert_float_equal(facet_j3d_animation_curve(a, 0, 16, 0, &slope), 0, 1e-9);
    assert_true(fabs(slope - 819) < 1e-9);
    facet_j3d_animation_free(a);

    data = test_animation(2, &size);
    a = read_bytes(data, size);
    facet_j3d_texture_pose texture;
    facet_j3d_moment half = {.frame = 30};
    facet_j3d_animation_texture(a, 0, 0, &half, &texture);
    assert_true(fabsf(texture.translation[0] - 0.5F) < 1e-6F);
    assert_float_equal(texture.translation[1], 0, 0);
    assert_float_equal(texture.scale[1], 1, 0);
    facet_j3d_animation_free(a);
}

/* Curves of color keys overshoot and are clamped; a constant is not. */
TEST(color_keys_clamp_constants_do_not)
{
    facet_j3d_animation *a = read_kind(3);
    int16_t color[4];
    for (int frame = 0; frame <= 31; frame++) {
        facet_j3d_moment moment = {.frame = frame};
        facet_j3d_animation_color(a, 1, 0, &moment, color);
        /* (0, 10, 2, 2) to (31, 100, -1, -1), by the formula */
        double s = frame / 31.0, d = 31;
        double value = 10 * (2 * s * s * s - 3 * s * s + 1) + 2 * d * (s * s * s - 2 * s * s + s) +
                       100 * (3 * s * s - 2 * s * s * s) - d * (s * s * s - s * s);
        assert_int_equal(color[1], (int)trunc(value + 1e-9));
        assert_int_equal(color[0], 255);
    }
    a->sets[1].elements[1].integers[5] = 900;
    a->sets[1].elements[0].integers[0] = 256 + 7;
    facet_j3d_moment late = {.frame = 31};
    facet_j3d_animation_color(a, 1, 0, &late, color);
    assert_int_equal(color[1], 255);
    assert_int_equal(color[0], 7);
    facet_j3d_animation_free(a);
}

/* Values per frame: some kinds round the frame, others truncate it. */
TEST(frame_values_round_or_truncate_by_kind)
{
    facet_j3d_animation *btp = read_kind(6);
    facet_j3d_moment two = {.frame = 0.75}, one = {.frame = 0.75, .runtime = FACET_J3D_RUNTIME_1};
    assert_int_equal(facet_j3d_animation_texture_number(btp, 0, &two), 0);
    two.frame = -1;
    assert_int_equal(facet_j3d_animation_texture_number(btp, 1, &two), 0);
    two.frame = 99;
    assert_int_equal(facet_j3d_animation_texture_number(btp, 0, &two), 2);
    facet_j3d_animation_free(btp);

    facet_j3d_animation *bva = read_kind(7);
    /* seen in frames 0 and 1 of 5 */
    two.frame = one.frame = 1.5;
    assert_false(facet_j3d_animation_visible(bva, 1, &two));
    assert_true(facet_j3d_animation_visible(bva, 1, &one));
    assert_true(facet_j3d_animation_visible(bva, 0, &two));
    facet_j3d_animation_free(bva);

    facet_j3d_animation *bla = read_kind(9);
    /* 0.25, 0.5, 0.75, 1 */
    two.frame = one.frame = 0.5;
    assert_float_equal(facet_j3d_animation_weight(bla, 1, &two), 0.5, 0);
    assert_float_equal(facet_j3d_animation_weight(bla, 1, &one), 0.25, 0);
    facet_j3d_animation_free(bla);

    facet_j3d_animation *bca = read_kind(1);
    facet_j3d_joint_pose joint;
    /* y turns by 0x2000 a frame: 0x6000 at 3, 0x8000 at 4, which is -0x8000 */
    two.frame = 3.5;
    two.interpolate = true;
    facet_j3d_animation_joints(bca, &two, &joint);
    assert_int_equal(joint.rotation[1], 0x7000);
    assert_float_equal(joint.translation[0], (9 + 16) * 0.25 / 2, 1e-6); /* squares / 4 */
    two.interpolate = false;
    facet_j3d_animation_joints(bca, &two, &joint);
    assert_int_equal(joint.rotation[1], -0x8000);
    facet_j3d_animation_free(bca);
}

TEST(texture_matrix_turns_about_its_center)
{
    const float scale[2] = {2, 3}, move[2] = {0.25F, -0.5F}, center[2] = {0.5F, 0.5F};
    double m[6];
    /* Without rotation: u' = 2 (u - 0.5) + 0.5 + 0.25 */
    facet_j3d_texture_matrix(scale, 0, move, center, false, m);
    assert_true(fabs(m[0] - 2) < 1e-12 && fabs(m[1]) < 1e-12 && fabs(m[2] - -0.25) < 1e-12);
    assert_true(fabs(m[4] - 3) < 1e-12 && fabs(m[5] - -1.5) < 1e-12);
    /* A quarter turn keeps the center, except for the translation. */
    facet_j3d_texture_matrix(scale, acos(-1) / 2, move, center, false, m);
    assert_true(fabs(m[0] * 0.5 + m[1] * 0.5 + m[2] - 0.75) < 1e-12);
    assert_true(fabs(m[3] * 0.5 + m[4] * 0.5 + m[5] - 0) < 1e-12);
    /* Maya: ts = p c - s (q + Sy) + 1/2, tt = -p s - c (q + Sy) + 1/2 */
    facet_j3d_texture_matrix(scale, 0, move, center, true, m);
    assert_true(fabs(m[2] - 0.25) < 1e-12 && fabs(m[5] - (-(-1.0 + 3) + 0.5)) < 1e-12);
}

/* -- Time --------------------------------------------------------------- */

TEST(players_follow_every_loop_mode)
{
    facet_j3d_animation a = {.kind = FACET_J3D_BCK, .frames = 10};
    for (uint8_t mode = 0; mode <= 5; mode++) {
        for (int runtime = 0; runtime < 2; runtime++) {
            a.loop = mode;
            facet_j3d_player player = facet_j3d_get_player(&a);
            for (int tick = 1; tick <= 45; tick++) {
                facet_j3d_player_step(&player, (facet_j3d_runtime)runtime);
                double expected = facet_j3d_loop_frame(mode, (facet_j3d_runtime)runtime, 10, tick);
                /* At the end of the way back the later runtime turns once more and stops. */
                if (mode == 3 && runtime == 0 && tick > 20)
                    expected = 1;
                /* The earlier runtime loses a thousandth at each turn. */
                double slack = mode == 0 || runtime == 1 ? 0.01 : 1e-6;
                if (fabs((double)player.frame - expected) > slack)
                    fail_msg("mode %u, runtime %d, tick %d: %g, expected %g", mode, runtime, tick,
                             (double)player.frame, expected);
            }
            assert_int_equal(player.rate == 0, mode == 0 || mode == 1 || mode == 3);
        }
    }
    /* Exactly as the table of the description gives it. */
    facet_j3d_player p = {.frame = 9.5F, .rate = 1, .end = 10, .mode = FACET_J3D_LOOP_ONCE};
    facet_j3d_player_step(&p, FACET_J3D_RUNTIME_2);
    assert_true(p.frame == 10.0F - 0.001F && p.rate == 0);
    assert_int_equal(p.state, FACET_J3D_PLAYER_FINISHED);
    p = (facet_j3d_player){.frame = 9.5F, .rate = 1, .end = 10, .loop = 4, .mode = 2};
    facet_j3d_player_step(&p, FACET_J3D_RUNTIME_2);
    assert_true(p.frame == 4.5F);
    assert_int_equal(p.state, FACET_J3D_PLAYER_WRAPPED);
    p = (facet_j3d_player){.frame = 0.5F, .rate = -1, .end = 10, .mode = 2};
    facet_j3d_player_step(&p, FACET_J3D_RUNTIME_2);
    assert_true(p.frame == -0.5F); /* a quirk: it never returns */
    p = (facet_j3d_player){.frame = 8.5F, .rate = 1, .end = 10, .mode = 4};
    facet_j3d_player_step(&p, FACET_J3D_RUNTIME_2);
    assert_true(p.frame == 8.5F && p.rate == -1); /* 2 * 9 - 9.5 */
    p = (facet_j3d_player){.frame = 0.25F, .rate = -1, .end = 10, .mode = 4};
    facet_j3d_player_step(&p, FACET_J3D_RUNTIME_2);
    assert_true(p.frame == 0.75F && p.rate == 1);
    assert_int_equal(p.state, FACET_J3D_PLAYER_WRAPPED);
    /* Even a very large rate gives a finite frame. */
    p = (facet_j3d_player){.frame = 0, .rate = 1e30F, .end = 10, .mode = 2};
    facet_j3d_player_step(&p, FACET_J3D_RUNTIME_2);
    assert_true(isfinite(p.frame));
}

/* -- Fitting ------------------------------------------------------------ */

/* The value at a frame of the curve through fitted keys. */
static double fitted(const double *elements, uint32_t keys, uint16_t type, double frame)
{
    uint32_t size = type ? 4 : 3, k = 0;
    if (keys == 1)
        return elements[0];
    while (k + 2 < keys && elements[(k + 1) * size] <= frame)
        k++;
    const double *a = elements + (size_t)k * size, *b = a + size;
    double d = b[0] - a[0], s = (frame - a[0]) / d, s2 = s * s, s3 = s2 * s;
    return a[1] * (2 * s3 - 3 * s2 + 1) + a[size - 1] * d * (s3 - 2 * s2 + s) +
           b[1] * (3 * s2 - 2 * s3) + b[2] * d * (s3 - s2);
}

static uint32_t expect_fit(const double *samples, uint32_t count, double tolerance, bool whole)
{
    static double elements[4 * 2001];
    uint16_t type;
    uint32_t keys = facet_j3d_fit_keys(samples, count, tolerance, whole, elements, &type);
    for (uint32_t i = 0; i < count; i++) {
        double error = fabs(fitted(elements, keys, type, i) - samples[i]);
        if (error > fmax(tolerance, whole ? 0.5 : 0) + 1e-5)
            fail_msg("frame %u of %u: off by %g", i, count, error);
    }
    for (uint32_t i = 0; i < keys * (type ? 4u : 3u) && whole && keys > 1; i++)
        assert_true(elements[i] == nearbyint(elements[i]));
    return keys;
}

/* Expect that the curve stays between the values of two neighboring frames, and that tangents fit
 * into 16 bits. */
static void expect_between(const double *samples, uint32_t count, double tolerance, bool whole)
{
    static double elements[4 * 2001];
    uint16_t type;
    uint32_t keys = facet_j3d_fit_keys(samples, count, tolerance, whole, elements, &type);
    for (uint32_t i = 0; i + 1 < count; i++) {
        double value = fitted(elements, keys, type, i + 0.5), slack = fmax(tolerance, 0.5) + 1e-5;
        if (value < fmin(samples[i], samples[i + 1]) - slack ||
            value > fmax(samples[i], samples[i + 1]) + slack)
            fail_msg("frame %u.5 of %u: %g", i, count, value);
    }
    for (uint32_t i = 0; i < keys * (type ? 4u : 3u); i++)
        assert_true(elements[i] >= -32768 && elements[i] <= 32767);
}

TEST(fitted_keys_are_few_and_accurate)
{
    static double samples[2001];
    for (int i = 0; i <= 2000; i++)
        samples[i] = 5;
    assert_int_equal(expect_fit(samples, 2001, 0.01, false), 1);
    assert_int_equal(expect_fit(samples, 1, 0.01, true), 1);
    samples[1] = 7;
    assert_int_equal(expect_fit(samples, 2, 0.01, true), 2);
    /* A line and a cubic each need one piece. */
    for (int i = 0; i <= 100; i++)
        samples[i] = 3 - 0.5 * i;
    assert_int_equal(expect_fit(samples, 101, 1e-4, false), 2);
    for (int i = 0; i <= 100; i++)
        samples[i] = 1e-4 * i * i * i - 0.01 * i * i + 2;
    assert_int_equal(expect_fit(samples, 101, 1e-4, false), 2);
    /* A sine of ten periods needs far fewer keys than frames. */
    for (int i = 0; i <= 2000; i++)
        samples[i] = 100 * sin(i * 2 * acos(-1) / 200);
    uint32_t keys = expect_fit(samples, 2001, 0.01, false);
    assert_in_range(keys, 21, 140);
    for (int i = 0; i <= 2000; i++)
        samples[i] *= 100;
    expect_fit(samples, 2001, 9, true);
    /* A step, and noise. */
    for (int i = 0; i <= 100; i++)
        samples[i] = i < 50 ? 0 : 1000;
    assert_in_range(expect_fit(samples, 101, 0.01, false), 3, 4);
    /* A step by more than a tangent of 16 bits can rise in a frame. It takes that frame, and the
     * curve does not overshoot the values before and after. */
    for (int i = 0; i <= 100; i++)
        samples[i] = i < 50 ? -20000 : 30000;
    assert_in_range(expect_fit(samples, 101, 1, true), 3, 4);
    expect_between(samples, 101, 1, true);
    /* A turn of 120 degrees a frame for three frames, in units of 180 / 32767 degrees. */
    for (int i = 0; i <= 20; i++)
        samples[i] = (i < 10 ? 0 : i < 13 ? i - 10 : 3) * 120 * 32767 / 180.0 / 4;
    expect_between(samples, 21, 1, true);
    for (int i = 0; i <= 500; i++)
        samples[i] = dice(1000);
    expect_fit(samples, 501, 0.01, true);
    expect_fit(samples, 501, 0, false);
}
