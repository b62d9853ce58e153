/* Invalid values that the glTF reader reads as valid ones: each is a warning there, and a finding
 * of the check. */
#include "support/gltf.h"

/* A triangle, times, rotations and matrices, each with its accessor. */
typedef struct numbers {
    float positions[9];
    float times[2];
    float rotations[8];
    float bind[16];
} numbers;

static const numbers plain = {{0, 0, 0, 1, 0, 0, 0, 1, 0},
                              {0, 1},
                              {0, 0, 0, 1, 0, 0, 0, 1},
                              {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}};

/* The rest of the file goes between the accessors and the end. */
static const char *text_of(const numbers *n, const char *rest)
{
    char json[4000];
    snprintf(json, sizeof json,
             "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[%%B],\"bufferViews\":["
             "{\"buffer\":0,\"byteOffset\":0,\"byteLength\":36},"
             "{\"buffer\":0,\"byteOffset\":36,\"byteLength\":8},"
             "{\"buffer\":0,\"byteOffset\":44,\"byteLength\":32},"
             "{\"buffer\":0,\"byteOffset\":76,\"byteLength\":64}],\"accessors\":["
             "{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\","
             "\"min\":[0,0,0],\"max\":[1,1,0]},"
             "{\"bufferView\":1,\"componentType\":5126,\"count\":2,\"type\":\"SCALAR\","
             "\"min\":[0],\"max\":[1]},"
             "{\"bufferView\":2,\"componentType\":5126,\"count\":2,\"type\":\"VEC4\"},"
             "{\"bufferView\":3,\"componentType\":5126,\"count\":1,\"type\":\"MAT4\"}],"
             "\"scene\":0,\"scenes\":[{\"nodes\":[0]}],%s}",
             rest);
    return test_gltf_text(json, n, sizeof *n);
}

#define MESH "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}]"
#define MOVED                                                                                      \
    "\"animations\":[{\"channels\":[{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"rotation\"}}" \
    "],"                                                                                           \
    "\"samplers\":[{\"input\":1,\"output\":2}]}]"
#define MATRIX "\"matrix\":[1,0,0,0,0,1,0,0,0,0,1,0,5,0,0,1]"

/* Read a file. Its only warning has the rule, and the check has a finding of it. */
static facet_scene *read_corrected(const char *text, const char *rule, const char *words)
{
    facet_error error;
    facet_scene *scene = NULL;
    facet_report *report = NULL, *checked = NULL;
    facet_source source = {.data = (const uint8_t *)text, .size = strlen(text)};
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    TEST_OK(facet_report_create(NULL, &checked, &error), &error);
    TEST_OK(test_gltf_read(text, strlen(text), report, &scene, &error), &error);
    TEST_OK(facet_gltf_check(&source, NULL, checked, &error), &error);
    assert_int_equal(facet_report_count(report), rule != NULL);
    assert_int_equal(facet_report_count(checked), rule != NULL);
    if (rule) {
        const facet_finding *warning = facet_report_get(report, 0);
        assert_string_equal(warning->rule, rule);
        assert_int_equal(warning->severity, FACET_SEVERITY_WARNING);
        assert_non_null(strstr(warning->message, words));
        assert_string_equal(facet_report_get(checked, 0)->rule, rule);
    }
    facet_report_free(report);
    facet_report_free(checked);
    return scene;
}

static void expect_rotation(const float *rotation, float z, float w)
{
    assert_true(rotation[0] == 0 && rotation[1] == 0);
    assert_float_equal(rotation[2], z, 1e-6);
    assert_float_equal(rotation[3], w, 1e-6);
}

/* (0 0 0.3 0.4) has the length 0.5. */
TEST(rotations_of_nodes_are_normalized)
{
    static const struct {
        const char *rotation, *words;
        float z, w;
    } cases[] = {{"0,0,0.3,0.4", "length 0.5", 0.6F, 0.8F},
                 {"0,0,0,0", "no rotation", 0, 1},
                 {"0,0,0.6,0.8", NULL, 0.6F, 0.8F}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char rest[400];
        snprintf(rest, sizeof rest, MESH ",\"nodes\":[{\"mesh\":0,\"rotation\":[%s]}]",
                 cases[i].rotation);
        facet_scene *scene = read_corrected(text_of(&plain, rest),
                                            cases[i].words ? "GLTF-NODE" : NULL, cases[i].words);
        expect_rotation(scene->nodes[0]->transform.rotation, cases[i].z, cases[i].w);
        facet_scene_free(scene);
    }
}

TEST(a_matrix_has_priority_over_translation)
{
    facet_scene *scene = read_corrected(
        text_of(&plain, MESH ",\"nodes\":[{\"mesh\":0," MATRIX ",\"translation\":[0,7,0]}]"),
        "GLTF-NODE", "only the matrix");
    assert_true(scene->nodes[0]->has_matrix && scene->nodes[0]->matrix[12] == 5);
    facet_scene_free(scene);
}

TEST(skins_without_meshes_or_weights_are_dropped)
{
    facet_scene *scene = read_corrected(
        text_of(&plain, MESH ",\"skins\":[{\"joints\":[1]}],"
                             "\"nodes\":[{\"mesh\":0,\"skin\":0,\"children\":[1]},{}]"),
        "GLTF-NODE", "no joints and weights");
    assert_int_equal(scene->nodes[0]->skin, FACET_NONE);
    facet_scene_free(scene);
    scene = read_corrected(text_of(&plain, MESH ",\"skins\":[{\"joints\":[1]}],"
                                                "\"nodes\":[{\"mesh\":0,\"children\":[1]},"
                                                "{\"skin\":0}]"),
                           "GLTF-NODE", "no mesh");
    assert_int_equal(scene->nodes[1]->skin, FACET_NONE);
    facet_scene_free(scene);
}

TEST(inverse_bind_matrices_become_affine)
{
    numbers n = plain;
    n.bind[3] = 0.5F;
    facet_scene *scene =
        read_corrected(text_of(&n, MESH ",\"skins\":[{\"joints\":[1],\"inverseBindMatrices\":3}],"
                                        "\"nodes\":[{\"mesh\":0,\"children\":[1]},{}]"),
                       "GLTF-SKIN", "fourth row");
    assert_true(scene->skins[0]->inverse_bind[3] == 0);
    facet_scene_free(scene);
}

TEST(rotations_of_animations_are_normalized)
{
    static const float keys[8] = {0, 0, 3, 4, 0, 0, 0, 0};
    numbers n = plain;
    memcpy(n.rotations, keys, sizeof keys);
    facet_scene *scene = read_corrected(text_of(&n, MESH ",\"nodes\":[{\"mesh\":0}]," MOVED),
                                        "GLTF-ANIMATION", "normalized");
    const facet_channel *channel = &scene->animations[0]->channels[0];
    expect_rotation(channel->values, 0.6F, 0.8F);
    expect_rotation(channel->values + 4, 0, 1);
    facet_scene_free(scene);
}

TEST(an_animated_matrix_becomes_a_decomposed_one)
{
    facet_scene *scene =
        read_corrected(text_of(&plain, MESH ",\"nodes\":[{\"mesh\":0," MATRIX "}]," MOVED),
                       "GLTF-ANIMATION", "translation, rotation and scale");
    assert_false(scene->nodes[0]->has_matrix);
    assert_true(scene->nodes[0]->transform.translation[0] == 5);
    facet_scene_free(scene);
}

TEST(weights_without_targets_are_dropped)
{
    facet_scene *scene = read_corrected(
        text_of(&plain, "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}],"
                        "\"weights\":[1]}],\"nodes\":[{\"mesh\":0}]"),
        "GLTF-PRIMITIVE", "1 weights for 0");
    assert_int_equal(scene->meshes[0]->morph_count, 0);
    facet_scene_free(scene);
}

/* Wrap modes and filters: glTF 2.0, schema sampler. */
TEST(unknown_modes_of_samplers_are_defaults)
{
    static const struct {
        const char *sampler, *words;
    } cases[] = {{"\"wrapS\":999", "wrap mode"}, {"\"wrapT\":9729", "wrap mode"},
                 {"\"minFilter\":1", "filter"},  {"\"magFilter\":9987", "filter"},
                 {"\"wrapS\":33648", NULL},      {"\"minFilter\":9984", NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char rest[400];
        snprintf(rest, sizeof rest, MESH ",\"nodes\":[{\"mesh\":0}],\"samplers\":[{%s}]",
                 cases[i].sampler);
        const char *rule = cases[i].words ? "GLTF-TEXTURE" : NULL;
        facet_scene_free(read_corrected(text_of(&plain, rest), rule, cases[i].words));
    }
}

/* The texture of an extension may have none. */
TEST(textures_without_an_image_are_reported)
{
    static const char *const textures[] = {"{}", "{\"extensions\":{}}"};
    for (int i = 0; i < 2; i++) {
        char rest[400];
        facet_error error;
        facet_scene *scene = NULL;
        facet_report *reports[2] = {NULL};
        snprintf(rest, sizeof rest,
                 MESH ",\"nodes\":[{\"mesh\":0}],\"textures\":[%s],"
                      "\"materials\":[{\"emissiveTexture\":{\"index\":0}}]",
                 textures[i]);
        const char *text = text_of(&plain, rest);
        facet_source source = {.data = (const uint8_t *)text, .size = strlen(text)};
        for (int k = 0; k < 2; k++)
            TEST_OK(facet_report_create(NULL, &reports[k], &error), &error);
        TEST_OK(test_gltf_read(text, strlen(text), reports[0], &scene, &error), &error);
        TEST_OK(facet_gltf_check(&source, NULL, reports[1], &error), &error);
        assert_null(scene->materials[0]->maps[FACET_MAP_EMISSIVE]);
        for (int k = 0; k < 2; k++) {
            assert_int_equal(test_finding_saying(reports[k], "GLTF-TEXTURE", "no image") != NULL,
                             i == 0);
            facet_report_free(reports[k]);
        }
        facet_scene_free(scene);
    }
}

/* KHR_lights_punctual: color from 0 to 1, intensity of 0 or more, range above 0, and 0 <= inner <
 * outer <= pi / 2. */
TEST(check_finds_invalid_lights)
{
    static const struct {
        const char *light;
        uint64_t faults;
    } cases[] = {{"\"type\":\"point\",\"color\":[1,0.5,0],\"range\":2", 0},
                 {"\"type\":\"point\",\"color\":[2,0,0]", 1},
                 {"\"type\":\"point\",\"intensity\":-1", 1},
                 {"\"type\":\"point\",\"range\":0", 1},
                 {"\"type\":\"spot\",\"spot\":{\"innerConeAngle\":0.5,\"outerConeAngle\":1}", 0},
                 {"\"type\":\"spot\",\"spot\":{\"innerConeAngle\":1,\"outerConeAngle\":0.5}", 1},
                 {"\"type\":\"spot\",\"spot\":{\"innerConeAngle\":1}", 1},
                 {"\"type\":\"spot\",\"spot\":{\"outerConeAngle\":2}", 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char rest[600];
        facet_error error;
        facet_report *report = NULL;
        snprintf(rest, sizeof rest,
                 MESH ",\"extensionsUsed\":[\"KHR_lights_punctual\"],\"extensions\":{"
                      "\"KHR_lights_punctual\":{\"lights\":[{%s}]}},\"nodes\":[{\"mesh\":0,"
                      "\"extensions\":{\"KHR_lights_punctual\":{\"light\":0}}}]",
                 cases[i].light);
        const char *text = text_of(&plain, rest);
        facet_source source = {.data = (const uint8_t *)text, .size = strlen(text)};
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        TEST_OK(facet_gltf_check(&source, NULL, report, &error), &error);
        assert_int_equal(facet_report_count(report), cases[i].faults);
        assert_int_equal(test_finding(report, "GLTF-LIGHT") != NULL, cases[i].faults > 0);
        facet_report_free(report);
    }
}
