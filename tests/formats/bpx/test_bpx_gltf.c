/* Models baked from glTF: bones, frames and vertices are compared with the source.
 *
 * This file reads the source's JSON and accessors and samples its animations without the
 * library. */
#include "support/bpx.h"

#include <facet/facet.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>

/* -- Independent reader of the source ------------------------------------ */

typedef struct glb {
    facet_file *file;
    json_t *json;
    const uint8_t *binary;
} glb;

static void open_glb(const char *name, glb *g)
{
    facet_error error;
    TEST_OK(facet_file_open(test_corpus(name), NULL, &g->file, &error), &error);
    const uint8_t *data = facet_file_source(g->file).data;
    uint32_t json_size = (uint32_t)get_number(data + 12, 4);
    g->json = json_loadb((const char *)data + 20, json_size, 0, NULL);
    assert_non_null(g->json);
    g->binary = data + 20 + json_size + 8;
}

static void close_glb(glb *g)
{
    json_decref(g->json);
    facet_file_close(g->file);
}

static json_t *item(const json_t *parent, const char *array, json_int_t index)
{
    json_t *found = json_array_get(json_object_get(parent, array), (size_t)index);
    assert_non_null(found);
    return found;
}

static json_int_t integer(const json_t *object, const char *key, json_int_t otherwise)
{
    const json_t *value = json_object_get(object, key);
    return value ? json_integer_value(value) : otherwise;
}

/* Load element `index` of an accessor as doubles. Returns the number of components. */
static int load_element(const glb *g, json_int_t accessor, size_t index, double *out)
{
    static const struct {
        const char *name;
        int count;
    } types[] = {{"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4}, {"MAT4", 16}};
    const json_t *a = item(g->json, "accessors", accessor);
    const json_t *view = item(g->json, "bufferViews", integer(a, "bufferView", -1));
    json_int_t kind = integer(a, "componentType", 0);
    int size = kind == 5126 || kind == 5125 ? 4 : kind == 5123 ? 2 : 1, count = 0;
    for (size_t i = 0; i < 5; i++) {
        if (strcmp(types[i].name, json_string_value(json_object_get(a, "type"))) == 0)
            count = types[i].count;
    }
    assert_true(count > 0 && (kind == 5126 || kind == 5125 || kind == 5123 || kind == 5121));
    assert_false(json_is_true(json_object_get(a, "normalized")));
    const uint8_t *at = g->binary + integer(view, "byteOffset", 0) + integer(a, "byteOffset", 0) +
                        index * (size_t)integer(view, "byteStride", count * size);
    for (int i = 0; i < count; i++, at += size)
        out[i] = kind == 5126 ? (double)get_float(at) : (double)get_number(at, size);
    return count;
}

static size_t count_of(const glb *g, json_int_t accessor)
{
    return (size_t)integer(item(g->json, "accessors", accessor), "count", 0);
}

/* -- Transforms, in doubles ---------------------------------------------- */

/* Column-major, as in glTF. */
static void multiply(const double *a, const double *b, double *out)
{
    for (int c = 0; c < 4; c++) {
        for (int r = 0; r < 4; r++) {
            double sum = 0;
            for (int k = 0; k < 4; k++)
                sum += a[k * 4 + r] * b[c * 4 + k];
            out[c * 4 + r] = sum;
        }
    }
}

/* Rest pose of a node, 3 + 4 + 3 numbers: translation, rotation, scale. */
static void rest_of(const json_t *node, double *trs)
{
    static const double defaults[10] = {0, 0, 0, 0, 0, 0, 1, 1, 1, 1};
    static const char *const keys[] = {"translation", "rotation", "scale"};
    static const size_t firsts[] = {0, 3, 7, 10};
    memcpy(trs, defaults, sizeof defaults);
    for (size_t k = 0; k < 3; k++) {
        const json_t *values = json_object_get(node, keys[k]);
        for (size_t i = firsts[k]; values && i < firsts[k + 1]; i++)
            trs[i] = json_number_value(json_array_get(values, i - firsts[k]));
    }
}

static void matrix_of(const double *trs, double *m)
{
    double x = trs[3], y = trs[4], z = trs[5], w = trs[6];
    const double rotation[9] = {
        1 - 2 * (y * y + z * z), 2 * (x * y + z * w),     2 * (x * z - y * w),
        2 * (x * y - z * w),     1 - 2 * (x * x + z * z), 2 * (y * z + x * w),
        2 * (x * z + y * w),     2 * (y * z - x * w),     1 - 2 * (x * x + y * y)};
    for (int c = 0; c < 3; c++) {
        for (int r = 0; r < 3; r++)
            m[c * 4 + r] = rotation[c * 3 + r] * trs[7 + c];
        m[c * 4 + 3] = 0;
        m[12 + c] = trs[c];
    }
    m[15] = 1;
}

/* Shorter arc, constant speed. */
static void slerp(const double *a, const double *b, double t, double *out)
{
    double cosine = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3], sign = 1;
    if (cosine < 0) {
        cosine = -cosine;
        sign = -1;
    }
    double angle = acos(cosine < 1 ? cosine : 1), sine = sin(angle);
    double wa = sine > 1e-6 ? sin((1 - t) * angle) / sine : 1 - t;
    double wb = sine > 1e-6 ? sin(t * angle) / sine : t, length = 0;
    for (int i = 0; i < 4; i++) {
        out[i] = wa * a[i] + sign * wb * b[i];
        length += out[i] * out[i];
    }
    for (int i = 0; i < 4; i++)
        out[i] /= sqrt(length);
}

/* Sample a sampler at a time. Times are floats, as are the times of frames at keys. */
static void sample(const glb *g, const json_t *sampler, double time, bool rotation, double *out)
{
    json_int_t input = integer(sampler, "input", -1), output = integer(sampler, "output", -1);
    const char *how = json_string_value(json_object_get(sampler, "interpolation"));
    size_t count = count_of(g, input), next = 0;
    double at[16] = {0}, before[16], a[16], b[16];
    while (next < count && (load_element(g, input, next, at), at[0] <= time))
        next++;
    if (next == 0 || next == count) {
        load_element(g, output, next == 0 ? 0 : count - 1, out);
        return;
    }
    load_element(g, input, next - 1, before);
    int width = load_element(g, output, next - 1, a);
    load_element(g, output, next, b);
    double t = (time - before[0]) / (at[0] - before[0]);
    if (how && strcmp(how, "STEP") == 0)
        t = 0;
    else
        assert_true(!how || strcmp(how, "LINEAR") == 0);
    if (rotation) {
        slerp(a, b, t, out);
    } else {
        for (int i = 0; i < width; i++)
            out[i] = a[i] + t * (b[i] - a[i]);
    }
}

/* The world transforms of all nodes: 16 doubles each. */
static double *pose_of(const glb *g, const json_t *animation, double time)
{
    const json_t *nodes = json_object_get(g->json, "nodes");
    size_t count = json_array_size(nodes);
    double *trs = calloc(count, 10 * sizeof *trs), *local = calloc(count, 16 * sizeof *local),
           *global = calloc(count, 16 * sizeof *global);
    int *parents = malloc(count * sizeof *parents);
    assert_true(trs && local && global && parents);
    for (size_t i = 0; i < count; i++) {
        parents[i] = -1;
        rest_of(json_array_get(nodes, i), trs + i * 10);
    }
    const json_t *channels = json_object_get(animation, "channels");
    for (size_t i = 0; i < json_array_size(channels); i++) {
        const json_t *channel = json_array_get(channels, i);
        const json_t *target = json_object_get(channel, "target");
        const char *path = json_string_value(json_object_get(target, "path"));
        double value[16];
        bool turns = strcmp(path, "rotation") == 0;
        if (strcmp(path, "weights") == 0)
            continue;
        sample(g, item(animation, "samplers", integer(channel, "sampler", -1)), time, turns, value);
        double *to = trs + integer(target, "node", -1) * 10;
        memcpy(to + (turns                        ? 3
                     : strcmp(path, "scale") == 0 ? 7
                                                  : 0),
               value, (turns ? 4 : 3) * sizeof *value);
    }
    for (size_t i = 0; i < count; i++) {
        const json_t *node = json_array_get(nodes, i), *given = json_object_get(node, "matrix");
        matrix_of(trs + i * 10, local + i * 16);
        for (size_t k = 0; given && k < 16; k++)
            local[i * 16 + k] = json_number_value(json_array_get(given, k));
        const json_t *children = json_object_get(node, "children");
        for (size_t k = 0; k < json_array_size(children); k++)
            parents[json_integer_value(json_array_get(children, k))] = (int)i;
    }
    for (size_t i = 0; i < count; i++) {
        memcpy(global + i * 16, local + i * 16, 16 * sizeof *global);
        for (int up = parents[i]; up >= 0; up = parents[up]) {
            double product[16];
            multiply(local + up * 16, global + i * 16, product);
            memcpy(global + i * 16, product, sizeof product);
        }
    }
    free(parents);
    free(local);
    free(trs);
    return global;
}

static double duration_of(const glb *g, const json_t *animation)
{
    const json_t *samplers = json_object_get(animation, "samplers");
    double last = 0;
    for (size_t i = 0; i < json_array_size(samplers); i++) {
        json_int_t input = integer(json_array_get(samplers, i), "input", -1);
        double time[16];
        load_element(g, input, count_of(g, input) - 1, time);
        last = time[0] > last ? time[0] : last;
    }
    return last;
}

/* -- The written file ----------------------------------------------------- */

/* Convert a stored matrix, by rows in BPX's axes, to glTF's layout: y and z are swapped. */
static void load_stored(const uint8_t *at, double *m)
{
    static const int axes[] = {0, 2, 1, 3};
    for (int r = 0; r < 4; r++) {
        for (int c = 0; c < 4; c++)
            m[c * 4 + r] = (double)get_float(at + (axes[r] * 4 + axes[c]) * 4);
    }
}

static const char *name_at(const bytes *strings, const uint8_t *offset)
{
    uint32_t at = (uint32_t)get_number(offset, 4);
    assert_true(at < strings->size && memchr(strings->data + at, 0, strings->size - at));
    return (const char *)strings->data + at;
}

/* Equal within 1e-5 of `size`, which is 1 for axes, and the distance from the origin for
 * positions. */
static void expect_near(double found, double expected, double size, const char *what, size_t frame,
                        size_t bone)
{
    if (!(fabs(found - expected) <= 1e-5 * size))
        fail_msg("%s of frame %zu, bone %zu: %.9g instead of %.9g", what, frame, bone, found,
                 expected);
}

static void expect_matrix(const double *found, const double *expected, const char *what,
                          size_t frame, size_t bone)
{
    const double *t = expected + 12;
    double far = fmax(1, sqrt(t[0] * t[0] + t[1] * t[1] + t[2] * t[2]));
    for (int k = 0; k < 16; k++)
        expect_near(found[k], expected[k], k < 12 ? 1 : far, what, frame, bone);
}

typedef struct baked {
    bytes bones, frames, strings;
    size_t bone_count, frame_count;
    int *nodes; /* index of the source's node, one per bone */
} baked;

/* The first skin's joints are first; the other bones have the names of nodes. */
static void take_apart(const glb *g, const facet_output *output, baked *b)
{
    const uint8_t *file = facet_output_data(output);
    b->bones = section_contents(file, section_of_type(file, 2));
    b->frames = section_contents(file, section_of_type(file, 3));
    b->strings = section_contents(file, section_of_type(file, 5));
    b->bone_count = get_number(b->bones.data, 2);
    b->frame_count = get_number(b->frames.data, 4);
    assert_int_equal(b->bones.size, 2 + 68 * b->bone_count);
    assert_int_equal(get_number(b->frames.data + 4, 2), b->bone_count);
    assert_int_equal(get_number(b->frames.data + 6, 2), 30);
    assert_int_equal(b->frames.size, 8 + 64 * b->bone_count * b->frame_count);
    b->nodes = malloc(b->bone_count * sizeof *b->nodes);
    const json_t *nodes = json_object_get(g->json, "nodes");
    const json_t *joints = json_object_get(item(g->json, "skins", 0), "joints");
    for (size_t i = 0; i < b->bone_count; i++) {
        const char *name = name_at(&b->strings, b->bones.data + 2 + 68 * i + 64);
        b->nodes[i] = -1;
        for (size_t k = 0; k < json_array_size(nodes); k++) {
            const char *own = json_string_value(json_object_get(json_array_get(nodes, k), "name"));
            bool here = i < json_array_size(joints)
                            ? json_integer_value(json_array_get(joints, i)) == (json_int_t)k
                            : own && strcmp(own, name) == 0;
            if (!here)
                continue;
            assert_int_equal(b->nodes[i], -1); /* names are unique in these files */
            assert_true(!own || strcmp(own, name) == 0);
            b->nodes[i] = (int)k;
        }
        assert_true(b->nodes[i] >= 0);
    }
}

static void compare_frames(const glb *g, const baked *b)
{
    const json_t *animations = json_object_get(g->json, "animations");
    size_t frame = 0;
    for (size_t a = 0; a < json_array_size(animations); a++) {
        const json_t *animation = json_array_get(animations, a);
        size_t count = (size_t)ceil(duration_of(g, animation) * 30 - 1e-4) + 1;
        for (size_t f = 0; f < count; f++, frame++) {
            double *pose = pose_of(g, animation, (double)f / 30);
            assert_true(frame < b->frame_count);
            for (size_t i = 0; i < b->bone_count; i++) {
                double m[16];
                load_stored(b->frames.data + 8 + 64 * (frame * b->bone_count + i), m);
                expect_matrix(m, pose + b->nodes[i] * 16, "the matrix", frame, i);
            }
            free(pose);
        }
    }
    assert_int_equal(frame, b->frame_count);
}

/* Vertices and bones may have been moved together. An initial matrix times the inverse bind
 * matrix of the source is then the same movement for all joints and vertices. */
static void compare_bones(const glb *g, const baked *b, double *movement)
{
    const json_t *skin = item(g->json, "skins", 0);
    size_t count = json_array_size(json_object_get(skin, "joints"));
    for (size_t j = 0; j < count; j++) {
        double inverse[16], stored[16], product[16];
        load_element(g, integer(skin, "inverseBindMatrices", -1), j, inverse);
        load_stored(b->bones.data + 2 + 68 * j, stored);
        multiply(stored, inverse, product);
        if (j == 0)
            memcpy(movement, product, sizeof product);
        expect_matrix(product, movement, "the movement", 0, j);
    }
}

/* The first primitive's corners, in order. */
static void compare_vertices(const glb *g, const facet_output *output, const double *movement,
                             json_int_t mesh)
{
    const uint8_t *file = facet_output_data(output);
    bytes format = section_contents(file, 0), array = section_contents(file, 1);
    const json_t *primitive = item(item(g->json, "meshes", mesh), "primitives", 0);
    const json_t *attributes = json_object_get(primitive, "attributes");
    json_int_t indices = integer(primitive, "indices", -1);
    json_int_t positions = integer(attributes, "POSITION", -1);
    size_t stride = get_number(format.data, 2);
    size_t count = count_of(g, indices >= 0 ? indices : positions);
    assert_true(get_number(array.data + 4, 4) >= count);
    for (size_t i = 0; i < count; i++) {
        double index[16] = {(double)i}, p[16];
        if (indices >= 0)
            load_element(g, indices, i, index);
        load_element(g, positions, (size_t)index[0], p);
        const uint8_t *at = array.data + 8 + i * stride;
        for (int k = 0; k < 3; k++) {
            static const int axes[] = {0, 2, 1};
            double expected = movement[k] * p[0] + movement[4 + k] * p[1] + movement[8 + k] * p[2] +
                              movement[12 + k];
            expect_near((double)get_float(at + axes[k] * 4), expected, fmax(1, fabs(expected)),
                        "a vertex", 0, i);
        }
    }
    drop(&format);
    drop(&array);
}

/* -- The files ---------------------------------------------------------- */

static facet_output *convert(const glb *g, facet_report *report)
{
    facet_error error;
    facet_scene *scene;
    facet_options options = {.report = report};
    facet_source source = facet_file_source(g->file);
    TEST_OK(facet_load(&source, NULL, NULL, &options, &scene, &error), &error);
    facet_output *output = save_bpx(scene, &options);
    facet_scene_free(scene);
    return output;
}

TEST(bones_and_frames_are_the_source_s)
{
    static const struct {
        const char *name;
        json_int_t first_mesh; /* -1: the vertices are not compared */
    } files[] = {{"gltf/CesiumMan.glb", 0},
                 {"gltf/Fox.glb", 0},
                 {"gltf/greenman.glb", 0},
                 {"gltf/robot.glb", -1}};
    TEST_NEEDS_CORPUS();
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        glb g;
        baked b;
        double movement[16];
        open_glb(files[i].name, &g);
        facet_output *output = convert(&g, NULL);
        expect_clean(facet_output_data(output), (size_t)facet_output_size(output));
        take_apart(&g, output, &b);
        compare_bones(&g, &b, movement);
        compare_frames(&g, &b);
        if (files[i].first_mesh >= 0)
            compare_vertices(&g, output, movement, files[i].first_mesh);
        print_message("%s: %zu bones, %zu frames\n", files[i].name, b.bone_count, b.frame_count);
        free(b.nodes);
        drop(&b.bones);
        drop(&b.frames);
        drop(&b.strings);
        facet_output_free(output);
        close_glb(&g);
    }
}

/* CesiumMan's vertices are on their back, and a node rotates them up. The written model is upright
 * and has the right height. */
TEST(skinned_models_stand_up)
{
    TEST_NEEDS_CORPUS();
    glb g;
    open_glb("gltf/CesiumMan.glb", &g);
    facet_output *output = convert(&g, NULL);
    const uint8_t *file = facet_output_data(output);
    bytes array = section_contents(file, 1);
    float low[3] = {9, 9, 9}, high[3] = {-9, -9, -9};
    for (size_t i = 0; i < get_number(array.data + 4, 4); i++) {
        for (int k = 0; k < 3; k++) {
            float x = get_float(array.data + 8 + i * 64 + (size_t)k * 4);
            low[k] = x < low[k] ? x : low[k];
            high[k] = x > high[k] ? x : high[k];
        }
    }
    /* Up is the third axis in BPX; he is 1.5 high, with his arms spread. */
    assert_true(fabsf(low[2]) < 0.02F && high[2] > 1.45F && high[2] < 1.55F);
    assert_true(fabsf(low[1] + high[1]) < 0.02F && high[1] - low[1] < 1.2F);
    drop(&array);
    facet_output_free(output);
    close_glb(&g);
}

/* Each loss is reported, each animation with its frames. */
TEST(losses_are_said)
{
    TEST_NEEDS_CORPUS();
    static const char *const rules[] = {"LOSS-IMAGES", "LOSS-MATERIALS", "LOSS-NODES", "LOSS-NAMES",
                                        "LOSS-NAMES"};
    glb g;
    facet_report *report;
    facet_error error;
    open_glb("gltf/Fox.glb", &g);
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    facet_output *output = convert(&g, report);
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        assert_non_null(test_finding(report, rules[i]));
    unsigned found = 0;
    static const char *const clips[] = {"'Survey' becomes frames 1 to 104",
                                        "'Walk' becomes frames 105 to 127",
                                        "'Run' becomes frames 128 to 163"};
    for (size_t i = 0; i < facet_report_count(report); i++) {
        for (unsigned k = 0; k < 3; k++) {
            if (strstr(facet_report_get(report, i)->message, clips[k]))
                found |= 1u << k;
        }
    }
    assert_int_equal(found, 7);
    facet_report_free(report);
    facet_output_free(output);
    close_glb(&g);
}
