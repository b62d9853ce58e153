/* Rules of glTF 2.0 about bytes and their use: one valid file, and copies with one error each.
 *
 * The rules are those of the specification (3.6.2.4, 3.7.2.1, 3.7.3.3, 3.11), the tolerances
 * those of the Khronos validator. Converting a file with such an error gives a valid file. */
#include "formats/gltf/format.h"
#include "support/gltf.h"

/* Offsets of the arrays in the buffer. */
enum {
    NORMALS = 36,
    TANGENTS = 72,
    JOINTS = 120,
    WEIGHTS = 132,
    INDICES = 180,
    TIMES = 188,
    KEYS = 196,
    SPARSE = 220,
    SIZE = 224
};

#define NODES                                                            \
    "\"scenes\":[{\"nodes\":[0,1]}],\"nodes\":[{\"mesh\":0,\"skin\":0}," \
    "{\"children\":[2,3]},{},{}],\"skins\":[{\"joints\":[1,2],\"skeleton\":1}]"
#define CHANNEL "{\"sampler\":0,\"target\":{\"node\":2,\"path\":\"translation\"}}"
#define VIEW(offset, size) "{\"buffer\":0,\"byteOffset\":" offset ",\"byteLength\":" size "}"
#define VIEW_WITH(offset, size, more) \
    "{\"buffer\":0,\"byteOffset\":" offset ",\"byteLength\":" size "," more "}"
#define ACCESSOR(view, component, count, type)                                  \
    "{\"bufferView\":" view ",\"componentType\":" component ",\"count\":" count \
    ",\"type\":\"" type "\""

static const char sound[] =
    "{\"asset\":{\"version\":\"2.0\"},\"scene\":0," NODES ",\"materials\":[{"
    "\"pbrMetallicRoughness\":{\"baseColorTexture\":{\"index\":0}}}],\"textures\":[{\"extensions\":"
    "{}}],"
    "\"meshes\":[{\"primitives\":[{\"attributes\":{\"JOINTS_0\":3,\"NORMAL\":1,\"POSITION\":0,"
    "\"TANGENT\":2,\"WEIGHTS_0\":4},\"indices\":5}]}],\"animations\":[{\"samplers\":["
    "{\"input\":6,\"output\":7}],\"channels\":[" CHANNEL
    "]}],\"accessors\":[" ACCESSOR("0", "5126", "3",
                                   "VEC3") ",\"min\":[0,0,0],\"max\":[1,1,0]}"
                                           "," ACCESSOR("1", "5126", "3", "VEC3") "}," ACCESSOR(
                                               "2", "5126", "3",
                                               "VEC4") "}," ACCESSOR("3",
                                                                     "51"
                                                                     "2"
                                                                     "1",
                                                                     "3",
                                                                     "VE"
                                                                     "C"
                                                                     "4") "}," ACCESSOR("4", "5126",
                                                                                        "3", "VEC4") "}," ACCESSOR("5", "5123", "3", "SCALAR") "}," ACCESSOR("6", "5126", "2", "SCALAR") ",\"min\":[0],\"max\":[1]}," ACCESSOR("7", "5126", "2", "VEC3") "}],\"bufferViews\":[" VIEW("0", "36") "," VIEW("36", "36") "," VIEW("72", "48") "," VIEW("120",
                                                                                                                                                                                                                                                                                                                                                   "12") "," VIEW("132",
                                                                                                                                                                                                                                                                                                                                                                  "48") "," VIEW("180", "12") "," VIEW("188",
                                                                                                                                                                                                                                                                                                                                                                                                       "8") "," VIEW("196",
                                                                                                                                                                                                                                                                                                                                                                                                                     "24") "," VIEW("220",
                                                                                                                                                                                                                                                                                                                                                                                                                                    "4") "],\"buffers\":[%B]}";

static void fill(uint8_t bytes[SIZE])
{
    static const float positions[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0}, normal[3] = {0, 0, 1},
                       tangent[4] = {1, 0, 0, 1}, weights[4] = {0.5F, 0.5F, 0, 0},
                       times[2] = {0, 1}, keys[6] = {0, 0, 0, 1, 1, 1};
    static const uint8_t joints[4] = {0, 1, 0, 0}, indices[8] = {0, 0, 1, 0, 2, 0, 0, 0},
                         sparse[4] = {2, 1, 0, 0};
    memcpy(bytes, positions, sizeof positions);
    for (size_t i = 0; i < 3; i++) {
        memcpy(bytes + NORMALS + i * 12, normal, 12);
        memcpy(bytes + TANGENTS + i * 16, tangent, 16);
        memcpy(bytes + JOINTS + i * 4, joints, 4);
        memcpy(bytes + WEIGHTS + i * 16, weights, 16);
    }
    memcpy(bytes + INDICES, indices, sizeof indices);
    memcpy(bytes + TIMES, times, sizeof times);
    memcpy(bytes + KEYS, keys, sizeof keys);
    memcpy(bytes + SPARSE, sparse, sizeof sparse);
}

/* The valid file with one text replaced by another, and one value replaced: a float, or a joint.
 * `to` NULL and `at` 0: no change. */
static const char *changed(const char *from, const char *to, size_t at, float value)
{
    static char json[8000];
    uint8_t bytes[SIZE], joint = (uint8_t)value;
    fill(bytes);
    if (at >= JOINTS && at < WEIGHTS)
        bytes[at] = joint;
    else if (at > 0)
        memcpy(bytes + at, &value, sizeof value);
    snprintf(json, sizeof json, "%s", sound);
    if (to) {
        const char *place = strstr(sound, from);
        assert_non_null(place);
        snprintf(json, sizeof json, "%.*s%s%s", (int)(place - sound), sound, to,
                 place + strlen(from));
    }
    return test_gltf_text(json, bytes, SIZE);
}

static facet_report *check(const void *data, size_t size)
{
    facet_report *report = NULL;
    facet_source source = facet_source_from_memory(data, size, "a.gltf");
    assert_int_equal(facet_report_create(NULL, &report, NULL), FACET_OK);
    assert_int_equal(facet_gltf_check(&source, NULL, report, NULL), FACET_OK);
    return report;
}

static bool has_error(const facet_report *report, const char *rule)
{
    for (size_t i = 0; i < facet_report_count(report); i++) {
        const facet_finding *finding = facet_report_get(report, i);
        if (finding->severity == FACET_SEVERITY_ERROR && strcmp(finding->rule, rule) == 0)
            return true;
    }
    return false;
}

typedef struct change {
    const char *from, *to;
    size_t at;
    float value;
    const char *rule; /* NULL: still valid */
} change;

static const change changes[] = {
    {NULL, NULL, 0, 0, NULL},
    /* Unit length: 0.00674. */
    {NULL, NULL, NORMALS + 8, 1.0067F, NULL},
    {NULL, NULL, NORMALS + 8, 1.0068F, "GLTF-NORMAL"},
    {NULL, NULL, NORMALS + 8, 0.9933F, NULL},
    {NULL, NULL, NORMALS + 8, 0.9932F, "GLTF-NORMAL"},
    {NULL, NULL, NORMALS + 8, 0, "GLTF-NORMAL"},
    {NULL, NULL, TANGENTS, 3, "GLTF-NORMAL"},
    {NULL, NULL, TANGENTS + 12, -1, NULL},
    {NULL, NULL, TANGENTS + 12, 2, "GLTF-NORMAL"},
    {NULL, NULL, TANGENTS + 12, 0, "GLTF-NORMAL"},
    /* The sum of two weights: 4e-7. */
    {NULL, NULL, WEIGHTS, 0.5000003F, NULL},
    {NULL, NULL, WEIGHTS, 0.5000006F, "GLTF-WEIGHT"},
    {NULL, NULL, WEIGHTS, -0.5F, "GLTF-WEIGHT"},
    {NULL, NULL, JOINTS, 1, "GLTF-JOINT"},     /* the vertex already uses joint 1 */
    {NULL, NULL, JOINTS + 2, 7, "GLTF-JOINT"}, /* joint 7 of 2, with weight 0 */
    {NULL, NULL, JOINTS + 2, 1, NULL},         /* already used, and again with weight 0 */
    /* Alignment and strides. */
    {VIEW("180", "12"), VIEW_WITH("180", "12", "\"byteStride\":4"), 0, 0, "GLTF-VIEW"},
    {VIEW("36", "36"), VIEW_WITH("36", "36", "\"byteStride\":8"), 0, 0, "GLTF-ACCESSOR"},
    {VIEW("36", "36"), VIEW_WITH("36", "36", "\"byteStride\":12"), 0, 0, NULL},
    {VIEW("188", "8"), VIEW_WITH("188", "8", "\"byteStride\":4"), 0, 0, "GLTF-VIEW"},
    {VIEW("196", "24"), VIEW_WITH("196", "24", "\"byteStride\":12"), 0, 0, "GLTF-VIEW"},
    {ACCESSOR("3", "5121", "3", "VEC4") "}",
     ACCESSOR("3", "5121", "2", "VEC4") ",\"byteOffset\":2}", 0, 0, "GLTF-ALIGN"},
    {ACCESSOR("2", "5126", "3", "VEC4"), ACCESSOR("4", "5126", "3", "VEC4"), 0, 0, "GLTF-VIEW"},
    /* Each view has only one purpose. */
    {VIEW("180", "12"), VIEW_WITH("180", "12", "\"target\":34962"), 0, 0, "GLTF-VIEW"},
    {VIEW("180", "12"), VIEW_WITH("180", "12", "\"target\":34963"), 0, 0, NULL},
    {VIEW("196", "24"), VIEW_WITH("196", "24", "\"target\":34962"), 0, 0, "GLTF-VIEW"},
    {"\"output\":7", "\"output\":1", 0, 0, "GLTF-ACCESSOR"},
    {ACCESSOR("1", "5126", "3", "VEC3"),
     ACCESSOR("1", "5126", "3", "VEC3") ",\"sparse\":{\"count\":2,\"indices\":{\"bufferView\":8,"
                                        "\"componentType\":5121},\"values\":{\"bufferView\":7}}",
     0, 0, "GLTF-ACCESSOR"},
    /* Names and references. */
    {"\"indices\":5", "\"indices\":5,\"material\":0", 0, 0, "GLTF-TEXCOORD"},
    {"\"WEIGHTS_0\":4", "\"WEIGHTS_0\":4,\"COLOR_1\":1", 0, 0, "GLTF-PRIMITIVE"},
    {CHANNEL, CHANNEL "," CHANNEL, 0, 0, "GLTF-ANIMATION"},
    {"\"skeleton\":1", "\"skeleton\":2", 0, 0, "GLTF-SKIN"},
    {"\"scene\":0,", "\"scene\":0,\"extensionsUsed\":[\"KHR_x\"],\"extensions\":{\"KHR_x\":5},", 0,
     0, "GLTF-PROPERTY"},
    {"\"scene\":0,", "\"scene\":0,\"extensions\":[],", 0, 0, "GLTF-PROPERTY"},
};

TEST(faults_of_bytes_and_uses_are_found)
{
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        const change *c = &changes[i];
        const char *text = changed(c->from, c->to, c->at, c->value);
        facet_report *report = check(text, strlen(text));
        size_t errors = facet_report_severity_count(report, FACET_SEVERITY_ERROR);
        if (c->rule && !has_error(report, c->rule))
            fail_msg("change %zu: no error %s", i, c->rule);
        if (!c->rule && errors > 0)
            fail_msg("change %zu: %s", i, facet_report_get(report, 0)->message);
        facet_report_free(report);
    }
}

/* -- Conversion --------------------------------------------------------- */

/* The scene of a GLB that was converted from the file. Reader and writer together warn once, by
 * this rule. */
static facet_scene *convert(const char *text, const char *rule)
{
    facet_report *report = NULL;
    facet_scene *scene = NULL, *back = NULL;
    facet_output *output = NULL;
    facet_error error;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    const facet_options options = {.report = report};
    TEST_OK(test_gltf_read(text, strlen(text), report, &scene, &error), &error);
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(facet_gltf_write_binary(scene, &options, output, &error), &error);
    TEST_OK(facet_output_commit(output, &error), &error);
    const facet_finding *finding = test_finding(report, rule);
    assert_non_null(finding);
    assert_int_equal(finding->severity, FACET_SEVERITY_WARNING);
    for (size_t i = 0; i < facet_report_count(report); i++)
        assert_string_equal(facet_report_get(report, i)->rule, rule);
    facet_report_free(report);
    const void *data = facet_output_data(output);
    size_t size = (size_t)facet_output_size(output);
    report = check(data, size);
    assert_int_equal(facet_report_severity_count(report, FACET_SEVERITY_ERROR), 0);
    facet_report_free(report);
    TEST_OK(test_gltf_read(data, size, NULL, &back, &error), &error);
    facet_output_free(output);
    facet_scene_free(scene);
    return back;
}

/* The stream of a mesh, in the order of its vertices. */
static const void *data_of(const facet_scene *scene, facet_semantic semantic)
{
    const facet_stream *stream = facet_mesh_find(scene->meshes[0], semantic, 0);
    assert_non_null(stream);
    return stream->data;
}

TEST(conversion_corrects_directions)
{
    facet_scene *scene = convert(changed(NULL, NULL, NORMALS + 8, 2), "GLTF-NORMAL");
    const float *normals = data_of(scene, FACET_NORMAL);
    assert_true(normals[0] == 0 && normals[1] == 0 && normals[2] == 1);
    facet_scene_free(scene);
    scene = convert(changed(NULL, NULL, TANGENTS, 3), "GLTF-NORMAL");
    assert_true(((const float *)data_of(scene, FACET_TANGENT))[0] == 1);
    facet_scene_free(scene);
    /* The bitangent of a scene has the opposite direction. */
    scene = convert(changed(NULL, NULL, TANGENTS + 12, -2), "GLTF-NORMAL");
    assert_true(((const float *)data_of(scene, FACET_TANGENT))[3] == 1);
    facet_scene_free(scene);
}

TEST(conversion_corrects_influences)
{
    /* -0.5 of joint 0 and 0.5 of joint 1: only the second remains. */
    facet_scene *scene = convert(changed(NULL, NULL, WEIGHTS, -0.5F), "GLTF-WEIGHT");
    const float *weights = data_of(scene, FACET_WEIGHTS);
    const uint16_t *joints = data_of(scene, FACET_JOINTS);
    assert_true(weights[0] == 1 && weights[1] == 0 && weights[2] == 0 && weights[3] == 0);
    assert_int_equal(joints[0], 1);
    assert_true(weights[4] == 0.5F && weights[5] == 0.5F); /* the next vertex */
    facet_scene_free(scene);
    /* Joint 1 with 0.5 twice. */
    scene = convert(changed(NULL, NULL, JOINTS, 1), "GLTF-WEIGHT");
    weights = data_of(scene, FACET_WEIGHTS);
    joints = data_of(scene, FACET_JOINTS);
    assert_true(weights[0] == 1 && weights[1] == 0);
    assert_int_equal(joints[0], 1);
    facet_scene_free(scene);
    /* 0.25 and 0.5 are a third and two thirds. */
    scene = convert(changed(NULL, NULL, WEIGHTS, 0.25F), "GLTF-WEIGHT");
    weights = data_of(scene, FACET_WEIGHTS);
    assert_float_equal(weights[0], 1.0F / 3, 1e-7F);
    assert_float_equal(weights[1], 2.0F / 3, 1e-7F);
    facet_scene_free(scene);
    /* Set 2 is not written because set 1 is missing. */
    scene =
        convert(changed("\"JOINTS_0\":3", "\"JOINTS_0\":3,\"JOINTS_2\":3,\"WEIGHTS_2\":4", 0, 0),
                "LOSS-CUSTOM");
    assert_true(((const float *)data_of(scene, FACET_WEIGHTS))[0] == 0.5F);
    facet_scene_free(scene);
}

TEST(conversion_drops_repeated_channels)
{
    /* The second channel uses step interpolation, and is the one that applies. */
    facet_scene *scene = convert(
        changed("{\"input\":6,\"output\":7}],\"channels\":[" CHANNEL,
                "{\"input\":6,\"output\":7},{\"input\":6,\"output\":7,\"interpolation\":\"STEP\"}],"
                "\"channels\":[" CHANNEL
                ",{\"sampler\":1,\"target\":{\"node\":2,\"path\":\"translation\"}}",
                0, 0),
        "GLTF-ANIMATION");
    assert_int_equal(scene->animations[0]->channel_count, 1);
    assert_int_equal(scene->animations[0]->channels[0].interpolation, FACET_INTERPOLATION_STEP);
    facet_scene_free(scene);
}

TEST(conversion_gives_joints_a_root)
{
    facet_scene *scene = convert(
        changed(NODES,
                "\"scenes\":[{\"nodes\":[0,1,2,3]}],\"nodes\":[{\"mesh\":0,\"skin\":0},{},{},{}],"
                "\"skins\":[{\"joints\":[1,2],\"skeleton\":1}]",
                0, 0),
        "GLTF-SKIN");
    uint32_t root = scene->nodes[1]->parent;
    assert_int_not_equal(root, FACET_NONE);
    assert_int_equal(scene->nodes[2]->parent, root);
    assert_int_equal(scene->nodes[3]->parent, FACET_NONE); /* not a joint */
    assert_int_equal(scene->skins[0]->skeleton, root);
    facet_scene_free(scene);
}

TEST(conversion_leaves_out_a_wrong_skeleton)
{
    facet_scene *scene = convert(changed("\"skeleton\":1", "\"skeleton\":2", 0, 0), "GLTF-SKIN");
    assert_int_equal(scene->skins[0]->skeleton, FACET_NONE);
    facet_scene_free(scene);
}
