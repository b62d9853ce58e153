/* Layers of animations of an FBX, and curves before and after their keys. All files are read as
 * text and as binary. */
#include "support/fbx.h"

#include <math.h>

#ifdef FACET_HAVE_ASSIMP

/* -- Files -------------------------------------------------------------- */

/* The curves of one axis of a property, with straight lines between keys. */
typedef struct curve {
    const char *axis; /* "d|X", or NULL: no curve */
    size_t count;
    double times[4], values[4]; /* in seconds */
    const char *end, *type;     /* "Post-Extrapolation"; R, A, M or K */
    int repetitions;
    bool is_constant;
} curve;

typedef struct layer {
    int mode; /* 0: additive, 1: override, 2: blended by its weight */
    double weight;
    bool mute, solo, by_channel, adds_scales;
    curve curves[3], weights;
} layer;

enum { MAX_LAYERS = 3, NODE = 11, STACK = 20, FIRST_LAYER = 30 };

static void put_curve(fbx_writer *w, int id, const curve *c)
{
    static const double attributes[4] = {0};
    double times[4], flags[1] = {c->is_constant ? 2 : 4}, runs[1] = {(double)c->count};
    for (size_t i = 0; i < c->count; i++)
        times[i] = c->times[i] * SECOND;
    fbx_object(w, "AnimationCurve", id, "AnimCurve", "", "");
    fbx_array(w, "KeyTime", 'l', times, c->count);
    fbx_array(w, "KeyValueFloat", 'f', c->values, c->count);
    fbx_array(w, "KeyAttrFlags", 'i', flags, 1);
    fbx_array(w, "KeyAttrDataFloat", 'f', attributes, 4);
    fbx_array(w, "KeyAttrRefCount", 'i', runs, 1);
    if (c->end) {
        fbx_begin(w, c->end);
        fbx_list(w);
        fbx_begin(w, "Type");
        fbx_integer(w, 'C', *c->type);
        fbx_end(w);
        fbx_begin(w, "Repetition");
        fbx_integer(w, 'I', c->repetitions);
        fbx_end(w);
        fbx_end(w);
    }
    fbx_end(w);
}

static void put_node(fbx_writer *w, int id)
{
    fbx_object(w, "AnimationCurveNode", id, "AnimCurveNode", "N", "");
    fbx_end(w);
}

static void put_layer(fbx_writer *w, int id, const layer *l)
{
    fbx_object(w, "AnimationLayer", id, "AnimLayer", "layer", "");
    fbx_begin(w, "Properties70");
    fbx_list(w);
    fbx_number(w, "Weight", "Number", l->weight);
    fbx_number(w, "Mute", "bool", l->mute);
    fbx_number(w, "Solo", "bool", l->solo);
    fbx_number(w, "BlendMode", "enum", l->mode);
    fbx_number(w, "RotationAccumulationMode", "enum", l->by_channel);
    fbx_number(w, "ScaleAccumulationMode", "enum", l->adds_scales);
    fbx_end(w);
    fbx_end(w);
    put_node(w, id + 1);
    for (int i = 0; i < 3; i++) {
        if (l->curves[i].axis)
            put_curve(w, id + 2 + i, &l->curves[i]);
    }
    if (l->weights.axis) {
        put_node(w, id + 6);
        put_curve(w, id + 7, &l->weights);
    }
}

static void link_layer(fbx_writer *w, int id, const layer *l, const char *property)
{
    fbx_link(w, id, STACK, NULL);
    fbx_link(w, id + 1, id, NULL);
    fbx_link(w, id + 1, NODE, property);
    for (int i = 0; i < 3; i++) {
        if (l->curves[i].axis)
            fbx_link(w, id + 2 + i, id + 1, l->curves[i].axis);
    }
    if (l->weights.axis) {
        fbx_link(w, id + 6, id, NULL);
        fbx_link(w, id + 6, id, "Weight");
        fbx_link(w, id + 7, id + 6, l->weights.axis);
    }
}

/* Load a node with a triangle. An animation of two seconds has these layers. */
static facet_scene *load_layers(bool is_binary, const char *property, const layer *layers,
                                int count)
{
    fbx_writer w;
    fbx_start(&w, is_binary);
    fbx_triangle(&w, 10);
    begin_node(&w, NODE, "n");
    end_node(&w);
    fbx_object(&w, "AnimationStack", STACK, "AnimStack", "move", "");
    fbx_begin(&w, "Properties70");
    fbx_list(&w);
    fbx_begin(&w, "P");
    fbx_text(&w, "LocalStop");
    fbx_text(&w, "KTime");
    fbx_text(&w, "Time");
    fbx_text(&w, "");
    fbx_integer(&w, 'L', (int64_t)(2 * SECOND));
    fbx_end(&w);
    fbx_end(&w);
    fbx_end(&w);
    for (int i = 0; i < count; i++)
        put_layer(&w, FIRST_LAYER + 10 * i, &layers[i]);
    fbx_links(&w);
    fbx_link(&w, NODE, 0, NULL);
    fbx_link(&w, 10, NODE, NULL);
    for (int i = 0; i < count; i++)
        link_layer(&w, FIRST_LAYER + 10 * i, &layers[i], property);
    facet_scene *scene = load(&w);
    facet_report *found = report;
    assert_null(test_finding_saying(found, "LOSS-ANIMATIONS", "layers"));
    return scene;
}

static double sample(const facet_scene *scene, facet_channel_target target, double time, int axis)
{
    float value[4];
    facet_channel_sample(channel_of(scene, target), time, value);
    return (double)value[axis];
}

static void assert_near(double found, double expected, double time)
{
    if (!(fabs(found - expected) < 0.02))
        fail_msg("%.4f at %.3f s, expected %.4f", found, time, expected);
}

static void assert_x(const facet_scene *scene, double time, double expected)
{
    assert_near(sample(scene, FACET_TARGET_TRANSLATION, time, 0), expected, time);
}

/* -- Before and after the keys ------------------------------------------ */

/* A curve from 0 at 0.5 s to 10 at 0.75 s, in an animation of two seconds. */
TEST(curves_continue_before_and_after_their_keys)
{
    static const struct {
        const char *end, *type;
        int repetitions;
        double times[3], values[3];
    } cases[] = {
        {"Post-Extrapolation", "C", -1, {0.625, 1, 2}, {5, 10, 10}},
        {"Post-Extrapolation", "R", -1, {0.625, 0.875, 1.8125}, {5, 5, 2.5}},
        {"Post-Extrapolation", "R", 2, {0.875, 1.125, 1.5}, {5, 5, 10}},
        {"Post-Extrapolation", "A", -1, {0.875, 1.125, 2}, {15, 25, 60}},
        {"Post-Extrapolation", "M", -1, {0.8125, 1.0625, 1.3125}, {7.5, 2.5, 7.5}},
        {"Post-Extrapolation", "K", -1, {0.625, 1, 2}, {5, 20, 60}},
        {"Pre-Extrapolation", "R", -1, {0.0625, 0.375, 0.625}, {2.5, 5, 5}},
        {"Pre-Extrapolation", "A", -1, {0, 0.125, 0.375}, {-20, -15, -5}},
        {"Pre-Extrapolation", "M", -1, {0.1875, 0.4375, 2}, {7.5, 2.5, 10}},
        {"Pre-Extrapolation", "K", -1, {0, 0.25, 1}, {-20, -10, 10}},
    };
    for (size_t i = 0; i < 2 * (sizeof cases / sizeof *cases); i++) {
        size_t k = i / 2;
        const layer l = {.weight = 100,
                         .curves = {{.axis = "d|X",
                                     .count = 2,
                                     .times = {0.5, 0.75},
                                     .values = {0, 10},
                                     .end = cases[k].end,
                                     .type = cases[k].type,
                                     .repetitions = cases[k].repetitions}}};
        facet_scene *scene = load_layers(i % 2, "Lcl Translation", &l, 1);
        assert_null(test_finding(report, "LOSS-ANIMATIONS"));
        for (int n = 0; n < 3; n++)
            assert_x(scene, cases[k].times[n], cases[k].values[n]);
        release(scene);
    }
}

/* From 0 at -1 s to 40 at 3 s: 10 at the start of the animation, 30 at its end. assimp drops keys
 * outside of the animation. */
TEST(keys_outside_of_the_animation_have_an_effect)
{
    const layer l = {.weight = 100,
                     .curves = {{.axis = "d|X", .count = 2, .times = {-1, 3}, .values = {0, 40}}}};
    for (int binary = 0; binary < 2; binary++) {
        facet_scene *scene = load_layers(binary, "Lcl Translation", &l, 1);
        assert_x(scene, 0, 10);
        assert_x(scene, 1, 20);
        assert_x(scene, 2, 30);
        release(scene);
    }
}

/* The keys of an endless repetition are limited by the size of the file. */
TEST(endless_repetitions_are_limited)
{
    const layer l = {.weight = 100,
                     .curves = {{.axis = "d|X",
                                 .count = 2,
                                 .times = {0, 1e-9},
                                 .values = {0, 10},
                                 .end = "Post-Extrapolation",
                                 .type = "R",
                                 .repetitions = -1}}};
    for (int binary = 0; binary < 2; binary++) {
        facet_scene *scene = load_layers(binary, "Lcl Translation", &l, 1);
        assert_non_null(test_finding_saying(report, "LOSS-ANIMATIONS", "repeats too often"));
        release(scene);
    }
}

/* 200 nodes share a curve of 2,000 keys, a third of the file. assimp would copy its keys for
 * each: 600 KB became 800 MB. */
TEST(nodes_that_share_a_curve_are_limited)
{
    enum { CURVE = 29, SHARED = 100, KEYS = 2000, NODES = 200 };
    static const double attributes[4] = {0}, flags[1] = {4}, runs[1] = {KEYS};
    double numbers[KEYS];
    for (int i = 0; i < KEYS; i++)
        numbers[i] = i * 1e6;
    for (int count = 1; count <= NODES; count += NODES - 1) {
        fbx_writer w;
        facet_error error = {0};
        facet_scene *scene = NULL;
        fbx_start(&w, true);
        begin_node(&w, NODE, "n");
        end_node(&w);
        fbx_object(&w, "AnimationStack", STACK, "AnimStack", "move", "");
        fbx_end(&w);
        fbx_object(&w, "AnimationLayer", FIRST_LAYER, "AnimLayer", "layer", "");
        fbx_end(&w);
        fbx_object(&w, "AnimationCurve", CURVE, "AnimCurve", "", "");
        fbx_array(&w, "KeyTime", 'l', numbers, KEYS);
        fbx_array(&w, "KeyValueFloat", 'f', numbers, KEYS);
        fbx_array(&w, "KeyAttrFlags", 'i', flags, 1);
        fbx_array(&w, "KeyAttrDataFloat", 'f', attributes, 4);
        fbx_array(&w, "KeyAttrRefCount", 'i', runs, 1);
        fbx_end(&w);
        for (int i = 0; i < count; i++)
            put_node(&w, SHARED + i);
        fbx_links(&w);
        fbx_link(&w, NODE, 0, NULL);
        fbx_link(&w, FIRST_LAYER, STACK, NULL);
        for (int i = 0; i < count; i++) {
            fbx_link(&w, SHARED + i, FIRST_LAYER, NULL);
            fbx_link(&w, SHARED + i, NODE, "Lcl Translation");
            fbx_link(&w, CURVE, SHARED + i, "d|X");
        }
        facet_status status = fbx_load(&w, NULL, &scene, &error);
        assert_int_equal(status, count == 1 ? FACET_OK : FACET_ERROR_LIMIT);
        if (status)
            assert_string_equal(error.rule, "GROWTH-LIMIT");
        facet_scene_free(scene);
    }
}

/* -- Layers ------------------------------------------------------------- */

/* The first layer moves from 0 to 20 in two seconds: 10 t. The second one is 8. */
TEST(layers_are_added_and_override)
{
    static const struct {
        layer second;
        bool mute_first;
        double at_half, at_end; /* at 0.5 s and 2 s */
    } cases[] = {
        {{.mode = 0, .weight = 100}, false, 5 + 8, 20 + 8},
        {{.mode = 0, .weight = 50}, false, 5 + 4, 20 + 4},
        {{.mode = 1, .weight = 100}, false, 8, 8},
        {{.mode = 2, .weight = 25}, false, 0.75 * 5 + 0.25 * 8, 0.75 * 20 + 0.25 * 8},
        {{.mode = 0, .weight = 100, .mute = true}, false, 5, 20},
        {{.mode = 1, .weight = 100, .solo = true}, false, 8, 8},
        {{.mode = 0, .weight = 100}, true, 8, 8},
        /* A weight of 50 t percent. */
        {{.mode = 0,
          .weights = {.axis = "d|Weight", .count = 2, .times = {0, 2}, .values = {0, 100}}},
         false,
         5 + 0.25 * 8,
         20 + 8},
        {{.mode = 2,
          .weights = {.axis = "d|Weight", .count = 2, .times = {0, 2}, .values = {0, 100}}},
         false,
         0.75 * 5 + 0.25 * 8,
         8},
    };
    for (size_t i = 0; i < 2 * (sizeof cases / sizeof *cases); i++) {
        size_t k = i / 2;
        layer layers[2] = {
            {.weight = 100,
             .mute = cases[k].mute_first,
             .curves = {{.axis = "d|X", .count = 2, .times = {0, 2}, .values = {0, 20}}}},
            cases[k].second};
        layers[1].curves[0] = (curve){.axis = "d|X", .count = 2, .times = {0, 2}, .values = {8, 8}};
        facet_scene *scene = load_layers(i % 2, "Lcl Translation", layers, 2);
        assert_x(scene, 0.5, cases[k].at_half);
        assert_x(scene, 2, cases[k].at_end);
        release(scene);
    }
}

/* The only layer that moves a node is muted: it does not move. */
TEST(muted_layers_do_not_move)
{
    const layer l = {.weight = 100,
                     .mute = true,
                     .curves = {{.axis = "d|X", .count = 2, .times = {0, 2}, .values = {0, 20}}}};
    for (int binary = 0; binary < 2; binary++) {
        facet_scene *scene = load_layers(binary, "Lcl Translation", &l, 1);
        for (uint32_t i = 0; i < scene->animation_count; i++)
            assert_int_equal(scene->animations[i]->channel_count, 0);
        release(scene);
    }
}

/* A step of the second layer while the first one moves: 10 t, and 6 more after a second. */
TEST(steps_of_a_layer_stay_steps)
{
    const layer layers[2] = {
        {.weight = 100,
         .curves = {{.axis = "d|X", .count = 2, .times = {0, 2}, .values = {0, 20}}}},
        {.weight = 100,
         .curves = {{.axis = "d|X",
                     .count = 3,
                     .times = {0, 1, 2},
                     .values = {0, 6, 6},
                     .is_constant = true}}}};
    for (int binary = 0; binary < 2; binary++) {
        facet_scene *scene = load_layers(binary, "Lcl Translation", layers, 2);
        assert_x(scene, 0.5, 5);
        assert_x(scene, 0.99, 9.9);
        assert_x(scene, 1.01, 16.1);
        assert_x(scene, 1.5, 21);
        release(scene);
    }
}

/* The first layer turns by 90 degrees about x, the second one by 90 degrees about z. Rotations are
 * multiplied: y goes to -x by the second, and stays there. By channel, the angles are 90, 0, 90: y
 * goes to z by x, and stays there. */
TEST(rotations_of_layers_are_multiplied_or_added)
{
    for (int i = 0; i < 4; i++) {
        bool by_channel = i / 2;
        const layer layers[2] = {
            {.weight = 100,
             .curves = {{.axis = "d|X", .count = 2, .times = {0, 2}, .values = {90, 90}}}},
            {.weight = 100,
             .by_channel = by_channel,
             .curves = {{.axis = "d|Z", .count = 2, .times = {0, 2}, .values = {90, 90}}}}};
        facet_scene *scene = load_layers(i % 2, "Lcl Rotation", layers, 2);
        double q[4];
        for (int k = 0; k < 4; k++)
            q[k] = sample(scene, FACET_TARGET_ROTATION, 1, k);
        double y[3] = {2 * (q[0] * q[1] - q[2] * q[3]), 1 - 2 * (q[0] * q[0] + q[2] * q[2]),
                       2 * (q[1] * q[2] + q[0] * q[3])};
        assert_near(y[0], by_channel ? 0 : -1, 1);
        assert_near(y[1], 0, 1);
        assert_near(y[2], by_channel ? 1 : 0, 1);
        release(scene);
    }
}

/* A rotation by 120 degrees about z, of which the weight is 50 t percent: at t, the angle is 60 t.
 */
TEST(weights_of_rotations_are_shares_of_the_turn)
{
    const layer layers[2] = {
        {.weight = 100, .curves = {{.axis = "d|Z", .count = 2, .times = {0, 2}, .values = {0, 0}}}},
        {.mode = 2,
         .curves = {{.axis = "d|Z", .count = 2, .times = {0, 2}, .values = {120, 120}}},
         .weights = {.axis = "d|Weight", .count = 2, .times = {0, 2}, .values = {0, 100}}}};
    for (int binary = 0; binary < 2; binary++) {
        facet_scene *scene = load_layers(binary, "Lcl Rotation", layers, 2);
        for (int k = 0; k <= 4; k++) {
            double angle = 60 * 0.5 * k, sine = sin(angle / 2 * 3.14159265358979 / 180);
            assert_near(fabs(sample(scene, FACET_TARGET_ROTATION, 0.5 * k, 2)), sine, 0.5 * k);
        }
        release(scene);
    }
}

/* Scales 2 and 3 are multiplied, or added. */
TEST(scales_of_layers_are_multiplied_or_added)
{
    for (int i = 0; i < 4; i++) {
        bool adds = i / 2;
        const layer layers[2] = {
            {.weight = 100,
             .curves = {{.axis = "d|X", .count = 2, .times = {0, 2}, .values = {2, 2}}}},
            {.weight = 100,
             .adds_scales = adds,
             .curves = {{.axis = "d|X", .count = 2, .times = {0, 2}, .values = {3, 3}}}}};
        facet_scene *scene = load_layers(i % 2, "Lcl Scaling", layers, 2);
        assert_near(sample(scene, FACET_TARGET_SCALE, 1, 0), adds ? 5 : 6, 1);
        release(scene);
    }
}

/* The first layer hides the node after a second, the second one hides it in the first second. */
TEST(visibility_of_layers_is_blended)
{
    const layer layers[2] = {{.weight = 100,
                              .curves = {{.axis = "d|Visibility",
                                          .count = 2,
                                          .times = {0, 1},
                                          .values = {1, 0},
                                          .is_constant = true}}},
                             {.mode = 1,
                              .weight = 100,
                              .curves = {{.axis = "d|Visibility",
                                          .count = 2,
                                          .times = {0, 1},
                                          .values = {0, 1},
                                          .is_constant = true}}}};
    for (int binary = 0; binary < 2; binary++) {
        facet_scene *scene = load_layers(binary, "Visibility", layers, 2);
        assert_near(sample(scene, FACET_TARGET_VISIBILITY, 0.5, 0), 0, 0.5);
        assert_near(sample(scene, FACET_TARGET_VISIBILITY, 1.5, 0), 1, 1.5);
        release(scene);
    }
}
#endif
