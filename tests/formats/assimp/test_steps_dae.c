/* Steps between the keys of a COLLADA's animations, and targets of channels. */
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

/* x and y of the node at a time. */
static void assert_place(const facet_scene *scene, double time, double x, double y)
{
    facet_pose pose = {0};
    facet_error error;
    uint32_t node = 0;
    while (scene->nodes[node]->mesh == FACET_NONE)
        node++;
    TEST_OK(facet_scene_pose(scene, 0, time, NULL, &pose, &error), &error);
    assert_float_equal((double)pose.global[(size_t)node * 16 + 12], x, 1e-5);
    assert_float_equal((double)pose.global[(size_t)node * 16 + 13], y, 1e-5);
    facet_pose_free(&pose);
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
