/* Steps and curves between the keys of a COLLADA's animations, and targets of channels. */
#include "support/dae.h"
#include "support/models.h"
#include "support/text.h"

#ifdef FACET_HAVE_ASSIMP

static void put_start(text *t)
{
    put(t, DAE_BEGIN);
    put(t, DAE_GEOMETRY(DAE_VERTICES DAE_FACE) "<library_animations>");
}

static void put_source(text *t, const char *id, const char *array, int count, int stride,
                       const char *words)
{
    put(t, "<source id=\"%s\"><%s id=\"%sa\" count=\"%d\">", id, array, id, count * stride);
    put(t, "%s", words);
    put(t,
        "</%s><technique_common><accessor source=\"#%sa\" count=\"%d\" stride=\"%d\"><param "
        "name=\"%s\" type=\"%s\"/></accessor></technique_common></source>\n",
        array, id, count, stride, stride == 1 ? "X" : "TRANSFORM",
        stride == 1 ? "float" : "float4x4");
}

static void put_sampler(text *t, const char *id, const char *output, const char *target)
{
    put(t,
        "<sampler id=\"%s\"><input semantic=\"INPUT\" source=\"#t\"/><input semantic=\"OUTPUT\" "
        "source=\"#%s\"/><input semantic=\"INTERPOLATION\" source=\"#i\"/></sampler><channel "
        "source=\"#%s\" target=\"%s\"/>",
        id, output, id, target);
}

static facet_scene *load(text *t, const char *place, facet_report *report)
{
    facet_scene *scene = NULL;
    facet_error error;
    const facet_options options = {.report = report};
    put(t,
        "</library_animations>" DAE_NODES
        "<node id=\"n\">%s<instance_geometry url=\"#g\"/></node>" DAE_END,
        place);
    facet_source source = {.data = (uint8_t *)t->at, .size = t->size, .name = "a.dae"};
    TEST_OK(facet_load(&source, NULL, NULL, &options, &scene, &error), &error);
    TEST_WHOLE(scene);
    free(t->at);
    return scene;
}

/* x and y of the node at a time, within a distance. */
static void assert_near_place(const facet_scene *scene, double time, double x, double y,
                              double allowed)
{
    facet_pose pose = {0};
    facet_error error;
    uint32_t node = 0;
    while (scene->nodes[node]->mesh == FACET_NONE)
        node++;
    TEST_OK(facet_scene_pose(scene, 0, time, NULL, &pose, &error), &error);
    assert_float_equal((double)pose.global[(size_t)node * 16 + 12], x, allowed);
    assert_float_equal((double)pose.global[(size_t)node * 16 + 13], y, allowed);
    facet_pose_free(&pose);
}

static void assert_place(const facet_scene *scene, double time, double x, double y)
{
    assert_near_place(scene, time, x, y, 1e-5);
}

static facet_report *new_report(void)
{
    facet_report *report = NULL;
    facet_error error;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    return report;
}

/* x and y share their times. A step holds its value; the key after it begins a line. */
TEST(steps_hold_their_value)
{
    text t = {0};
    facet_report *report = new_report();
    put_start(&t);
    put(&t, "<animation id=\"a\">");
    put_source(&t, "t", "float_array", 4, 1, "0 1\n2 2.0005");
    put_source(&t, "x", "float_array", 4, 1, "1 5 9 11");
    put_source(&t, "y", "float_array", 4, 1, "0 -2 -4 -6");
    put_source(&t, "i", "Name_array", 4, 1, "STEP LINEAR STEP STEP");
    put_sampler(&t, "sx", "x", "n/go.X");
    put_sampler(&t, "sy", "y", "n/go.Y");
    put(&t, "</animation>");
    facet_scene *scene = load(&t, "<translate sid=\"go\">0 0 0</translate>", report);
    assert_place(scene, 0, 1, 0);
    assert_place(scene, 0.5, 1, 0);
    assert_place(scene, 0.998, 1, 0);
    assert_place(scene, 1, 5, -2);
    assert_place(scene, 1.5, 7, -3);
    assert_place(scene, 2.0001, 9, -4); /* half of a span below two milliseconds is the ramp */
    assert_place(scene, 3, 11, -6);
    const facet_finding *finding = test_finding(report, "LOSS-ANIMATIONS");
    assert_non_null(finding);
    assert_int_equal(finding->severity, FACET_SEVERITY_NOTE);
    assert_int_equal(finding->count, 2);
    facet_scene_free(scene);
    facet_report_free(report);
}

TEST(steps_of_matrices_hold_their_value)
{
    text t = {0};
    facet_report *report = new_report();
    put_start(&t);
    put(&t, "<animation id=\"a\"><animation id=\"b\">");
    put_source(&t, "t", "float_array", 2, 1, "0 1");
    put_source(&t, "m", "float_array", 2, 16,
               "1 0 0 2 0 1 0 3 0 0 1 0 0 0 0 1 1 0 0 4 0 1 0 5 0 0 1 0 0 0 0 1");
    put_source(&t, "i", "Name_array", 2, 1, "STEP STEP");
    put_sampler(&t, "s", "m", "n/at");
    put(&t, "</animation></animation>");
    facet_scene *scene =
        load(&t, "<matrix sid=\"at\">1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</matrix>", report);
    assert_place(scene, 0.9, 2, 3);
    assert_place(scene, 1, 4, 5);
    facet_scene_free(scene);
    facet_report_free(report);
}

/* A pair of numbers per key. */
static void put_tangents(text *t, const char *id, int count, const char *words)
{
    put(t, "<source id=\"%s\"><float_array id=\"%sa\" count=\"%d\">%s</float_array>", id, id,
        2 * count, words);
    put(t,
        "<technique_common><accessor source=\"#%sa\" count=\"%d\" stride=\"2\">" DAE_PARAM(
            "X", "float") DAE_PARAM("Y", "float") "</accessor></technique_common></source>\n",
        id, count);
}

static facet_scene *load_curve(int keys, const char *times, const char *values, const char *kinds,
                               const char *in, const char *out, facet_report *report)
{
    text t = {0};
    put_start(&t);
    put(&t, "<animation id=\"a\">");
    put_source(&t, "t", "float_array", keys, 1, times);
    put_source(&t, "x", "float_array", keys, 1, values);
    put_source(&t, "i", "Name_array", keys, 1, kinds);
    put_tangents(&t, "f", keys, in);
    put_tangents(&t, "o", keys, out);
    put(&t, "<sampler id=\"s\"><input semantic=\"INPUT\" source=\"#t\"/><input semantic=\"OUTPUT\" "
            "source=\"#x\"/><input semantic=\"INTERPOLATION\" source=\"#i\"/><input "
            "semantic=\"IN_TANGENT\" source=\"#f\"/><input semantic=\"OUT_TANGENT\" "
            "source=\"#o\"/></sampler><channel source=\"#s\" target=\"n/go.X\"/></animation>");
    return load(&t, "<translate sid=\"go\">0 0 0</translate>", report);
}

/* COLLADA 1.4.1, chapter 5: the segment after a key of BEZIER has four control points. They are P0,
 * OUT_TANGENT, IN_TANGENT of the next key, and P1.
 *
 * Up to 3, the times are at thirds, so that time is 3 t. The values 0, 3, -3 and 6 give 9 u^2 t -
 * 9 u t^2 + 6 t^3, with u = 1 - t. That is 0.9375 at t = 1/4, and 0.75 at t = 1/2.
 *
 * From 3 to 4, times and values have the same shares: a straight line. From 4 to 5 also, because
 * the point at 6 is moved to 5, and its value by half. HERMITE has three times the distances of the
 * points. The tolerance is 0.05 % of the range of 12: 0.006. */
TEST(curves_are_read_from_their_tangents)
{
    facet_report *report = new_report();
    facet_scene *scene = load_curve(4, "0 3 4 5", "0 6 10 12", "BEZIER BEZIER BEZIER BEZIER",
                                    "0 0  2 -3  4 10  5 12", "1 3  3 6  6 14  5 12", report);
    assert_null(test_finding(report, "LOSS-ANIMATIONS"));
    assert_near_place(scene, 0.75, 0.9375, 0, 0.006);
    assert_near_place(scene, 1.5, 0.75, 0, 0.006);
    assert_place(scene, 3, 6, 0);
    assert_near_place(scene, 3.25, 7, 0, 0.006);
    assert_near_place(scene, 4.5, 11, 0, 0.006);
    assert_place(scene, 5, 12, 0);
    facet_scene_free(scene);
    facet_report_free(report);
    report = new_report();
    scene = load_curve(2, "0 3", "0 6", "HERMITE HERMITE", "0 0  3 27", "3 9  0 0", report);
    assert_null(test_finding(report, "LOSS-ANIMATIONS"));
    assert_near_place(scene, 0.75, 0.9375, 0, 0.006);
    assert_near_place(scene, 1.5, 0.75, 0, 0.006);
    facet_scene_free(scene);
    facet_report_free(report);
}

/* CARDINAL has no tangents: the neighbors of a key give its slope. */
TEST(other_curves_are_reported)
{
    facet_report *report = new_report();
    facet_scene_free(
        load_curve(2, "0 3", "0 6", "CARDINAL LINEAR", "0 0  2 -3", "1 3  0 0", report));
    assert_non_null(test_finding_saying(report, "LOSS-ANIMATIONS", "straight lines"));
    facet_report_free(report);
}

/* Arrays that do not fit together stay as they are, with the warning for straight lines. */
TEST(steps_of_wrong_arrays_are_reported)
{
    static const struct {
        const char *times, *values;
        int count; /* of the kinds */
        const char *kinds;
    } cases[] = {{"0 1 2", "1 5 9", 2, "STEP STEP"}, {"0 1 2", "1 5 9", 3, "STEP BEZIER STEP"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        text t = {0};
        facet_report *report = new_report();
        put_start(&t);
        put(&t, "<animation id=\"a\">");
        put_source(&t, "t", "float_array", 3, 1, cases[i].times);
        put_source(&t, "x", "float_array", 3, 1, cases[i].values);
        put_source(&t, "i", "Name_array", cases[i].count, 1, cases[i].kinds);
        put_sampler(&t, "s", "x", "n/go.X");
        put(&t, "</animation>");
        facet_scene_free(load(&t, "<translate sid=\"go\">0 0 0</translate>", report));
        assert_non_null(test_finding_saying(report, "LOSS-ANIMATIONS", "straight lines"));
        facet_report_free(report);
    }
}

/* 2,000 samplers share arrays of 60 KB: their copies would have 120 MB, of a file of 0.6 MB. */
TEST(copies_of_shared_arrays_are_limited)
{
    enum { KEYS = 10000, SAMPLERS = 2000 };
    text t = {0}, times = {0}, kinds = {0};
    facet_report *report = new_report();
    for (int i = 0; i < KEYS; i++) {
        put(&times, "%d ", i);
        put(&kinds, "STEP ");
    }
    put_start(&t);
    put(&t, "<animation id=\"a\"><source id=\"t\"><float_array id=\"ta\" count=\"%d\">", KEYS);
    for (size_t at = 0; at < times.size; at += 500)
        put(&t, "%.*s", times.size - at < 500 ? (int)(times.size - at) : 500, times.at + at);
    put(&t,
        "</float_array><technique_common><accessor source=\"#ta\" count=\"%d\"/>"
        "</technique_common></source><source id=\"i\"><Name_array id=\"ia\" count=\"%d\">",
        KEYS, KEYS);
    for (size_t at = 0; at < kinds.size; at += 500)
        put(&t, "%.*s", kinds.size - at < 500 ? (int)(kinds.size - at) : 500, kinds.at + at);
    put(&t, "</Name_array></source>");
    for (int i = 0; i < SAMPLERS; i++) {
        char id[20];
        snprintf(id, sizeof id, "s%d", i);
        put_sampler(&t, id, "t", "nowhere/go.X");
    }
    put(&t, "</animation>");
    facet_scene_free(load(&t, "", report));
    const facet_finding *finding = test_finding_saying(report, "LOSS-ANIMATIONS", "millisecond");
    assert_true(finding && finding->count < 100);
    assert_non_null(test_finding_saying(report, "LOSS-ANIMATIONS", "straight lines"));
    facet_report_free(report);
    free(times.at);
    free(kinds.at);
}

/* assimp drops channels of cameras, materials and other properties of nodes. */
TEST(channels_of_other_targets_are_reported)
{
    static const struct {
        const char *target;
        bool is_read;
    } cases[] = {{"n/go.X", true},        {"n/go", true},      {"n/go(0)", true},
                 {"n/visibility", false}, {"m/go.X", false},   {"n-camera/xfov", false},
                 {"go.X", false},         {"./n/go.X", false}, {"", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        text t = {0};
        facet_report *report = new_report();
        put_start(&t);
        put(&t, "<animation id=\"a\">");
        put_source(&t, "t", "float_array", 2, 1, "0 1");
        put_source(&t, "x", "float_array", 2, 1, "1 5");
        put_source(&t, "i", "Name_array", 2, 1, "LINEAR LINEAR");
        put_sampler(&t, "s", "x", cases[i].target);
        put(&t, "</animation>");
        facet_scene_free(load(&t, "<translate sid=\"go\">0 0 0</translate>", report));
        const facet_finding *finding =
            test_finding_saying(report, "LOSS-ANIMATIONS", "only transforms");
        assert_true((finding == NULL) == cases[i].is_read);
        assert_true(!finding || finding->line == 4); /* after three sources with line ends */
        facet_report_free(report);
    }
}

#endif
