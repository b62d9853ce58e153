/* tests/support/gltf_looks.h - glTF files of one triangle, and the JSON that is written for them.
 */
#ifndef FACET_TESTS_SUPPORT_GLTF_LOOKS_H
#define FACET_TESTS_SUPPORT_GLTF_LOOKS_H

#include "formats/gltf/format.h"
#include "support/gltf.h"

#include <jansson.h>

#define HEAD(more) "{\"asset\":{\"version\":\"2.0\"" more "},\"buffers\":[%%B],"
#define TRIANGLE                                                                             \
    "\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],\"accessors\":[{\"bufferView\":0,"   \
    "\"componentType\":5126,\"count\":3,\"type\":\"VEC3\",\"min\":[0,0,0],\"max\":[1,1,0]}," \
    "{\"componentType\":5126,\"count\":3,\"type\":\"VEC2\"}],\"nodes\":[{\"mesh\":0}],"      \
    "\"scenes\":[{\"nodes\":[0]}],\"scene\":0"
#define PRIMITIVE(more) \
    "{\"attributes\":{\"POSITION\":0,\"TEXCOORD_0\":1,\"TEXCOORD_1\":1}" more "}"

static const float triangle[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};

/* Three primitives of material 0: with a mapping, with another, without. */
static const char variants[] =
    "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[%B],"
    "\"extensionsUsed\":["
    "\"KHR_materials_variants\"],\"extensionsRequired\":[\"KHR_"
    "materials_variants\"],"
    "\"extensions\":{\"KHR_materials_variants\":{\"variants\":[{"
    "\"name\":\"day\"},{\"name\":"
    "\"night\"}]}},\"materials\":[{\"name\":\"a\"},{\"name\":\"b\"},{"
    "\"name\":\"c\"}],\"meshes\":["
    "{\"primitives\":[" PRIMITIVE(
        ",\"material\":0,\"extensions\":{\"KHR_materials_variants\":{"
        "\"mappings\":["
        "{\"material\":1,\"variants\":[1]},{\"material\":2,\"variants\":"
        "[0]}]}}") "," PRIMITIVE(",\"material\":0,\"extensions\":{\"KHR_"
                                 "materials_variants\":{\"mappings\":["
                                 "{\"material\":2,\"variants\":[0,1]}]}"
                                 "}") "," PRIMITIVE(",\"material\":0") "]}]," TRIANGLE "}";

static inline facet_scene *read_text(const char *json, facet_report *report)
{
    facet_scene *scene = NULL;
    facet_error error;
    static char whole[20000];
    snprintf(whole, sizeof whole, "%s", test_gltf_text(json, triangle, sizeof triangle));
    TEST_OK(test_gltf_read(whole, strlen(whole), report, &scene, &error), &error);
    return scene;
}

/* The JSON of the written scene. */
static inline json_t *json_of(const facet_scene *scene, facet_report *report)
{
    facet_output *output = NULL;
    facet_error error;
    const facet_options options = {.report = report};
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(facet_gltf_write_text(scene, &options, output, &error), &error);
    TEST_OK(facet_output_commit(output, &error), &error);
    json_t *root = json_loadb((const char *)facet_output_data(output),
                              (size_t)facet_output_size(output), 0, NULL);
    assert_non_null(root);
    facet_output_free(output);
    return root;
}

/* The value at a path of keys and array indices: "materials/0/name". */
static inline json_t *at(json_t *value, const char *path)
{
    char key[64];
    while (*path) {
        size_t length = strcspn(path, "/");
        snprintf(key, sizeof key, "%.*s", (int)length, path);
        value = json_is_array(value) ? json_array_get(value, (size_t)atoi(key))
                                     : json_object_get(value, key);
        path += length + (path[length] == '/');
    }
    return value;
}

static inline void expect_json(json_t *value, const char *expected)
{
    json_t *wanted = json_loads(expected, JSON_DECODE_ANY, NULL);
    char *text = json_dumps(value, JSON_ENCODE_ANY);
    if (!json_equal(value, wanted))
        fail_msg("%s, expected %s", text ? text : "nothing", expected);
    free(text);
    json_decref(wanted);
}

static inline facet_report *new_report(void)
{
    facet_report *report = NULL;
    facet_error error;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    return report;
}

#endif
