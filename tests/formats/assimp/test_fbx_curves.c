/* Curves of an FBX between their keys: constant, cubic, weighted, automatic; and angles. Expected
 * values are those of cubic polynomials and Euler angles. */
#include "support/mesh.h"
#include "support/models.h"

#include <math.h>

#ifdef FACET_HAVE_ASSIMP

/* -- Files -------------------------------------------------------------- */

enum {
    CONSTANT = 2,
    LINEAR = 4,
    CUBIC = 8,
    NEXT = 0x100,
    TCB = 0x200,
    USER = 0x400,
    EVEN = 0x2000
};

/* A node with up to three curves, of its translation or rotation. */
typedef struct curve_file {
    const char *property;               /* T, R, or V for visibility */
    const char *values[3];              /* of x, y, z; NULL: no curve */
    const char *times;                  /* in quarters of a second */
    int count, version;                 /* keys; 0: 7400 */
    const char *flags, *runs;           /* of runs of keys */
    const char *attributes;             /* four per run */
    const char *more, *objects, *links; /* members of the curves; objects and connections */
} curve_file;

static size_t put_curve(const curve_file *f, int axis, char *to, size_t space)
{
    char times[200] = "";
    const char *at = f->times;
    for (int i = 0; i < f->count; i++) {
        char *end;
        long long quarters = strtoll(at, &end, 10);
        at = end + 1;
        snprintf(times + strlen(times), sizeof times - strlen(times), "%s%lld", i > 0 ? "," : "",
                 quarters * 46186158000 / 4);
    }
    int runs = 1;
    for (const char *comma = f->runs; *comma; comma++)
        runs += *comma == ',';
    return (size_t)snprintf(
        to, space,
        "\tAnimationCurve: %d, \"AnimCurve::\", \"\" {\n\t\tDefault: 0\n\t\tKeyVer: 4009\n"
        "\t\tKeyTime: *%d {\n\t\t\ta: %s\n\t\t} \n\t\tKeyValueFloat: *%d {\n\t\t\ta: %s\n\t\t} \n"
        "\t\t;KeyAttrFlags: a comment\n\t\tKeyAttrFlags: *%d {\n\t\t\ta: %s\n\t\t} \n"
        "\t\tKeyAttrDataFloat: *%d {\n\t\t\ta: %s\n\t\t} \n"
        "\t\tKeyAttrRefCount: *%d {\n\t\t\ta: %s\n\t\t} \n%s\t}\n",
        23 + axis, f->count, times, f->count, f->values[axis], runs, f->flags, 4 * runs,
        f->attributes, runs, f->runs, f->more ? f->more : "");
}

static facet_scene *load_curves(const curve_file *f, facet_report *report)
{
    static char text[20000];
    static const char *const axes[] = {"X", "Y", "Z"};
    char links[400] = "";
    size_t used = (size_t)snprintf(
        text, sizeof text,
        "; FBX project file\nFBXHeaderExtension:  {\n\tFBXHeaderVersion: 1003\n"
        "\tFBXVersion: %d\n}\nDefinitions:  {\n\tVersion: 100\n\tCount: 1\n}\nObjects:  {\n"
        "\tModel: 11, \"Model::n\", \"Null\" {\n\t\tVersion: 232\n\t\tProperties70:  "
        "{\n\t\t}\n\t}\n"
        "\tAnimationStack: 20, \"AnimStack::move\", \"\" {\n\t\tProperties70:  {\n"
        "\t\t\tP: \"LocalStart\", \"KTime\", \"Time\", \"\",0\n"
        "\t\t\tP: \"LocalStop\", \"KTime\", \"Time\", \"\",46186158000\n\t\t}\n\t}\n"
        "\tAnimationLayer: 21, \"AnimLayer::base\", \"\" {\n\t}\n"
        "\tAnimationCurveNode: 22, \"AnimCurveNode::%s\", \"\" {\n\t}\n%s",
        f->version ? f->version : 7400, f->property, f->objects ? f->objects : "");
    for (int axis = 0; axis < 3; axis++) {
        if (!f->values[axis])
            continue;
        used += put_curve(f, axis, text + used, sizeof text - used);
        snprintf(links + strlen(links), sizeof links - strlen(links),
                 "\tC: \"OP\",%d,22, \"d|%s\"\n", 23 + axis, axes[axis]);
    }
    used += (size_t)snprintf(text + used, sizeof text - used,
                             "}\nConnections:  {\n\tC: \"OO\",11,0\n\tC: \"OO\",21,20\n"
                             "\tC: \"OO\",22,21\n\tC: \"OP\",22,11, \"%s\"\n%s%s}\n",
                             *f->property == 'T'   ? "Lcl Translation"
                             : *f->property == 'R' ? "Lcl Rotation"
                                                   : "Visibility",
                             links, f->links ? f->links : "");
    assert_true(used < sizeof text);
    facet_options options = {.report = report};
    return load_bytes(text, used, "a.fbx", &options);
}

static const facet_channel *channel_of(const facet_scene *scene, facet_channel_target target)
{
    assert_int_equal(scene->animation_count, 1);
    for (uint32_t i = 0; i < scene->animations[0]->channel_count; i++) {
        if (scene->animations[0]->channels[i].target == target)
            return &scene->animations[0]->channels[i];
    }
    fail_msg("no channel %d", target);
    return NULL;
}

static float x_at(const facet_scene *scene, double time)
{
    float value[4];
    facet_channel_sample(channel_of(scene, FACET_TARGET_TRANSLATION), time, value);
    return value[0];
}

static void assert_x(const facet_scene *scene, double time, double expected)
{
    float found = x_at(scene, time);
    if (!(fabs((double)found - expected) < 0.02))
        fail_msg("x is %.4f at %.3f s, expected %.4f", (double)found, time, expected);
}

/* Bits of floats, as texts have them since version 7200. */
#define SLOPE_10 "1092616192"
#define SLOPE_20 "1101004800"
#define SLOPE_MINUS_20 "-1046478848"

/* -- Interpolation ------------------------------------------------------ */

/* Hermite's polynomials for 0 to 10 in a second. Slopes of 0 give 10 (3 t^2 - 2 t^3). A slope of 20
 * at the start adds 20 (t^3 - 2 t^2 + t), and one of -20 at the end -20 (t^3 - t^2). */
TEST(stored_slopes_give_cubic_curves)
{
    static const struct {
        const char *attributes;
        double start, end;
    } cases[] = {
        {"0,0,0,0", 0, 0}, {SLOPE_20 ",0,0,0", 20, 0}, {"0," SLOPE_MINUS_20 ",0,0", 0, -20}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const curve_file f = {.property = "T",
                              .values = {"0,10"},
                              .times = "0,4",
                              .count = 2,
                              .flags = "1032", /* CUBIC + USER */
                              .runs = "2",
                              .attributes = cases[i].attributes};
        facet_scene *scene = load_curves(&f, NULL);
        for (double t = 0; t <= 1; t += 0.0625)
            assert_x(scene, t,
                     10 * (3 * t * t - 2 * t * t * t) +
                         cases[i].start * (t * t * t - 2 * t * t + t) +
                         cases[i].end * (t * t * t - t * t));
        facet_scene_free(scene);
    }
}

/* Texts before version 7200 have floats instead of their bits. */
TEST(slopes_of_an_old_text_are_decimal)
{
    const curve_file f = {.property = "T",
                          .values = {"0,10"},
                          .times = "0,4",
                          .count = 2,
                          .version = 7100,
                          .flags = "1032",
                          .runs = "2",
                          .attributes = "20,0,0,0"};
    facet_scene *scene = load_curves(&f, NULL);
    assert_x(scene, 0.5, 5 + 20 * 0.125);
    facet_scene_free(scene);
}

/* A weight of 0.9 after the first key, in the lower half of the third attribute: 9000 = 0x2328, and
 * 3333 = 0x0D05 in the upper one. Bezier's control points of time are 0, 0.9, 2 / 3, 1. At
 * parameter 1 / 2 the time is (0 + 3 * 0.9 + 3 * 2 / 3 + 1) / 8 = 0.7125, and the value half of 10.
 */
TEST(weighted_tangents_bend_the_time)
{
    const curve_file f = {.property = "T",
                          .values = {"0,10"},
                          .times = "0,4",
                          .count = 2,
                          .flags = "16778248", /* 0x1000000 + USER + CUBIC */
                          .runs = "2",
                          .attributes = "0,0,218440488,0" /* 0x0D052328 */};
    facet_scene *scene = load_curves(&f, NULL);
    assert_x(scene, 0.7125, 5);
    facet_scene_free(scene);
}

/* Automatic slopes at the middle key of 0, 4, 10 at 0, 1 / 4 and 1 s. Independent of the times:
 * (10 - 0) / 1 = 10. Otherwise the mean of this and of the chords, 16 and 8, weighted with 3 / 4
 * and 1 / 4: (10 + 14) / 2 = 12. From the key to the next, a slope m at the start and the chord 8
 * at the end: at the middle (4 + 10) / 2 + 3 / 4 (m - 8) / 8. */
TEST(automatic_slopes_follow_from_the_keys)
{
    static const char *const flags[] = {"8456", "264"}; /* 0x100 + CUBIC, with EVEN and without */
    static const double slopes[] = {10, 12};
    for (int i = 0; i < 2; i++) {
        const curve_file f = {.property = "T",
                              .values = {"0,4,10"},
                              .times = "0,1,4",
                              .count = 3,
                              .flags = flags[i],
                              .runs = "3",
                              .attributes = "0,0,0,0"};
        facet_scene *scene = load_curves(&f, NULL);
        assert_x(scene, 0.25, 4);
        assert_x(scene, 0.625, 7 + 0.75 * (slopes[i] - 8) / 8);
        facet_scene_free(scene);
    }
}

/* Without tension, continuity and bias, the slope is the mean of the chords, 16 and 8. At the last
 * key it is the chord. */
TEST(tension_continuity_and_bias_give_slopes)
{
    const curve_file f = {.property = "T",
                          .values = {"0,4,10"},
                          .times = "0,1,4",
                          .count = 3,
                          .flags = "520", /* TCB + CUBIC */
                          .runs = "3",
                          .attributes = "0,0,0,0"};
    facet_scene *scene = load_curves(&f, NULL);
    assert_x(scene, 0.625, 7 + 0.75 * (12 - 8) / 8);
    facet_scene_free(scene);
}

TEST(constant_keys_are_steps)
{
    const curve_file f = {.property = "T",
                          .values = {"0,10,20"},
                          .times = "0,2,4",
                          .count = 3,
                          .flags = "2,258,4", /* CONSTANT, CONSTANT + NEXT, LINEAR */
                          .runs = "1,1,1",
                          .attributes = "0,0,0,0,0,0,0,0,0,0,0,0"};
    facet_error error;
    facet_report *report;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    facet_scene *scene = load_curves(&f, report);
    assert_x(scene, 0.25, 0);
    assert_x(scene, 0.498, 0);
    assert_x(scene, 0.502, 20); /* the value of the next key */
    assert_x(scene, 0.75, 20);
    const facet_finding *found = test_finding(report, "LOSS-ANIMATIONS");
    assert_non_null(found);
    assert_int_equal(found->severity, FACET_SEVERITY_NOTE);
    assert_true(found->line > 0);
    facet_report_free(report);
    facet_scene_free(scene);
}

/* Straight lines have no more keys than the file. */
TEST(straight_lines_keep_their_keys)
{
    const curve_file f = {.property = "T",
                          .values = {"0,100", "0,7"},
                          .times = "0,4",
                          .count = 2,
                          .flags = "24836",
                          .runs = "2",
                          .attributes = SLOPE_10 ",0,0,0"};
    facet_scene *scene = load_curves(&f, NULL);
    assert_int_equal(channel_of(scene, FACET_TARGET_TRANSLATION)->key_count, 2);
    facet_scene_free(scene);
}

/* -- Angles ------------------------------------------------------------- */

/* A turn by 100 degrees about x and y: at a third, both angles are 33.3 degrees. About x, then y,
 * the rotation is q(y) q(x) = (sin cos, cos sin, -sin sin, cos cos) of half the angle. */
TEST(angles_turn_about_their_axes)
{
    const curve_file f = {.property = "R",
                          .values = {"0,100", "0,100", "0,0"},
                          .times = "0,4",
                          .count = 2,
                          .flags = "24836",
                          .runs = "2",
                          .attributes = "0,0,0,0"};
    facet_error error;
    facet_report *report;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    facet_scene *scene = load_curves(&f, report);
    for (double t = 0; t <= 1; t += 1.0 / 12) {
        float q[4];
        double half = t * 50 * 3.14159265358979 / 180, s = sin(half), c = cos(half);
        facet_channel_sample(channel_of(scene, FACET_TARGET_ROTATION), t, q);
        double dot = (double)q[0] * s * c + (double)q[1] * c * s - (double)q[2] * s * s +
                     (double)q[3] * c * c;
        assert_true(fabs(dot) > cos(0.1 * 3.14159265358979 / 180)); /* 0.2 degrees */
    }
    assert_null(test_finding(report, "LOSS-ANIMATIONS"));
    facet_report_free(report);
    facet_scene_free(scene);
}

/* More than a whole turn: 720 degrees in a second are 180 after a quarter. */
TEST(angles_turn_more_than_once)
{
    const curve_file f = {.property = "R",
                          .values = {"0,0", "0,0", "0,720"},
                          .times = "0,4",
                          .count = 2,
                          .flags = "24836",
                          .runs = "2",
                          .attributes = "0,0,0,0"};
    facet_scene *scene = load_curves(&f, NULL);
    float q[4];
    facet_channel_sample(channel_of(scene, FACET_TARGET_ROTATION), 0.25, q);
    assert_float_equal(fabsf(q[2]), 1, 1e-3F);
    facet_channel_sample(channel_of(scene, FACET_TARGET_ROTATION), 0.5, q);
    assert_float_equal(fabsf(q[3]), 1, 1e-3F);
    facet_scene_free(scene);
}

/* -- What is left out --------------------------------------------------- */

static bool loses(const curve_file *f)
{
    facet_error error;
    facet_report *report;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    facet_scene_free(load_curves(f, report));
    bool found = test_finding(report, "LOSS-ANIMATIONS") != NULL;
    facet_report_free(report);
    return found;
}

/* assimp does not read these curves, but the scene has them. */
TEST(damaged_curves_of_visibility_are_reported)
{
    curve_file f = {.property = "V",
                    .values = {"1,0"},
                    .times = "0,2",
                    .count = 2,
                    .flags = "2",
                    .runs = "2",
                    .attributes = "0,0,0,0"};
    assert_false(loses(&f));
    f.runs = "1"; /* of two keys: damaged */
    assert_true(loses(&f));
}

/* Curves with missing or wrong arrays stay as they are, and are reported. */
TEST(damaged_curves_are_reported)
{
    const curve_file files[] = {
        {"T", {"0,10"}, "0,4", 2, 0, "1032", "1", "0,0,0,0", NULL, NULL, NULL},
        {"T", {"0,10"}, "0,4", 2, 0, "1032,1032", "2", "0,0,0,0", NULL, NULL, NULL},
        {"T", {"0,10"}, "0,4", 2, 0, "1032", "2", "2139095040,0,0,0", NULL, NULL, NULL}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        assert_true(loses(&files[i]));
}

/* -- Binary ------------------------------------------------------------- */

/* Records nest: each has the offset of its end. This file is written by Facet, then its curves
 * become cubic: in the flags of keys, and with slopes of 0. */
TEST(curves_of_a_binary_file_are_read_alike)
{
    static const float points[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    facet_error error;
    facet_scene *scene = test_scene();
    facet_mesh *mesh = test_mesh(scene, 1, NULL);
    facet_node *node = NULL;
    assert_true(test_stream(scene, mesh, FACET_POSITION, 3, 3, points, NULL));
    TEST_OK(facet_scene_add_node(scene, "a", &node, &error), &error);
    node->mesh = 0;
    facet_animation *animation;
    float times[2] = {0, 1}, values[6] = {0, 0, 0, 10, 0, 0};
    TEST_OK(facet_scene_add_animation(scene, "move", 1, &animation, &error), &error);
    animation->channels[0] = (facet_channel){.node = 0,
                                             .target = FACET_TARGET_TRANSLATION,
                                             .width = 3,
                                             .key_count = 2,
                                             .times = times,
                                             .values = values};
    facet_output *output = save_scene(scene, "fbx", NULL);
    facet_scene_free(scene);
    size_t size = (size_t)facet_output_size(output), found = 0;
    uint8_t *bytes = malloc(size);
    assert_non_null(bytes);
    memcpy(bytes, facet_output_data(output), size);
    facet_output_free(output);
    for (size_t i = 0; i + 40 < size; i++) {
        static const char flags[] = "KeyAttrFlags", data[] = "KeyAttrDataFloat";
        if (memcmp(bytes + i, flags, sizeof flags - 1) == 0) {
            bytes[i + 12 + 13] = 0x08; /* after 'i', three numbers */
            bytes[i + 12 + 14] = 0x04;
            found++;
        }
        if (memcmp(bytes + i, data, sizeof data - 1) == 0)
            memset(bytes + i + 16 + 13, 0, 8);
    }
    assert_true(found > 0);
    scene = load_bytes((const char *)bytes, size, "a.fbx", NULL);
    assert_x(scene, 0.25, 10 * (3 * 0.0625 - 2 * 0.015625));
    assert_x(scene, 0.5, 5);
    facet_scene_free(scene);
    for (size_t at = 27; at < size; at += 7) { /* damaged offsets and counts: no crash */
        uint8_t before = bytes[at];
        bytes[at] = (uint8_t)(before ^ 0x81);
        facet_source source = {.data = bytes, .size = size, .name = "a.fbx"};
        scene = NULL;
        (void)facet_load(&source, NULL, NULL, NULL, &scene, &error);
        facet_scene_free(scene);
        bytes[at] = before;
    }
    free(bytes);
}
#endif
