/* glTF: files that are refused, with the rule and the sentence. */
#include "support/gltf.h"

#include <math.h>

/* -- Errors ------------------------------------------------------------- */

#define ONE_ACCESSOR(view, accessor)                                                \
    "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[%B],\"bufferViews\":[" view "]," \
    "\"accessors\":[" accessor "],\"meshes\":[{\"primitives\":[{\"attributes\":{"   \
    "\"POSITION\":0}}]}]}"
#define WHOLE_VIEW "{\"buffer\":0,\"byteLength\":48}"
#define VECTORS(rest) "{\"bufferView\":0,\"componentType\":5126,\"type\":\"VEC3\"," rest "}"
#define NODES(list) "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[" list "]}"

typedef struct fault {
    const char *json, *rule, *words;
} fault;

static const fault faults[] = {
    {"{\"asset\":", "GLTF-JSON", "JSON"},
    {"[]", "GLTF-JSON", "object"},
    {"{}", "GLTF-VERSION", "asset.version"},
    {"{\"asset\":{\"version\":\"1.0\"}}", "GLTF-VERSION", "1.0"},
    {"{\"asset\":{\"version\":\"2.0\",\"minVersion\":\"2.1\"}}", "GLTF-VERSION", "2.1"},
    {"{\"asset\":{\"version\":\"2.0\"},\"extensionsRequired\":[\"EXT_unheard\"]}", "GLTF-EXTENSION",
     "EXT_unheard"},
    {"{\"asset\":{\"version\":\"2.0\"},\"nodes\":{}}", "GLTF-PROPERTY", "/nodes"},
    {"{\"asset\":{\"version\":\"2.0\"},\"meshes\":[{\"name\":\"m\"}]}", "GLTF-PROPERTY",
     "/meshes/0/primitives is missing"},
    {"{\"asset\":{\"version\":\"2.0\"},\"meshes\":[{\"primitives\":{}}]}", "GLTF-PROPERTY",
     "/meshes/0/primitives is not an array"},
    {"{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":{}}]}", "GLTF-PROPERTY",
     "/scenes/0/nodes is not an array"},
    {"{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"children\":{}}]}", "GLTF-PROPERTY",
     "/nodes/0/children is not an array"},
    {"{\"asset\":{\"version\":\"2.0\"},\"animations\":[{\"samplers\":{\"0\":1},\"channels\":[]}]}",
     "GLTF-PROPERTY", "/animations/0/samplers is not an array"},
    {NODES("{\"mesh\":-1}"), "GLTF-PROPERTY", "/nodes/0/mesh"},
    {NODES("{\"mesh\":4294967296}"), "GLTF-PROPERTY", "/nodes/0/mesh"},
    {NODES("{\"mesh\":1.5}"), "GLTF-PROPERTY", "/nodes/0/mesh"},
    {NODES("{\"mesh\":0}"), "GLTF-NODE", "mesh 0 of 0"},
    {NODES("{\"skin\":3}"), "GLTF-NODE", "skin 3 of 0"},
    {NODES("{\"children\":[1]}"), "GLTF-NODE", "child 1 of 1"},
    {NODES("{\"children\":[\"x\"]}"), "GLTF-PROPERTY", "children"},
    {NODES("{\"rotation\":[0,0,1]}"), "GLTF-PROPERTY", "rotation"},
    {"{\"asset\":{\"version\":\"2.0\"},\"extensionsUsed\":[\"KHR_lights_punctual\"],\"extensions\":"
     "{"
     "\"KHR_lights_punctual\":{\"lights\":[{\"type\":\"area\"}]}}}",
     "GLTF-PROPERTY", "type is unknown"},
    {NODES("{\"children\":[2]},{\"children\":[2]},{}"), "GLTF-NODE-PARENT", "node 0"},
    {NODES("{\"children\":[1]},{\"children\":[2]},{\"children\":[0]}"), "GLTF-NODE-CYCLE", "cycle"},
    {NODES("{\"children\":[0]}"), "GLTF-NODE-CYCLE", "node 0"},
    {"{\"asset\":{\"version\":\"2.0\"},\"scene\":1,\"scenes\":[{}]}", "GLTF-SCENE", "has index 1"},
    {"{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0]}]}", "GLTF-SCENE", "root 0"},
    {"{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{}],\"skins\":[{\"joints\":[7]}]}", "GLTF-SKIN",
     "node 7 of 1"},
    {"{\"asset\":{\"version\":\"2.0\"},\"materials\":[{\"alphaMode\":\"GLASS\"}]}", "GLTF-MATERIAL",
     "GLASS"},
    {"{\"asset\":{\"version\":\"2.0\"},\"materials\":[{\"normalTexture\":{\"index\":2}}]}",
     "GLTF-MATERIAL", "texture 2 of 0"},
    {"{\"asset\":{\"version\":\"2.0\"},\"images\":[{\"bufferView\":0}]}", "GLTF-IMAGE",
     "buffer view 0 of 0"},
    {"{\"asset\":{\"version\":\"2.0\"},\"images\":[{}]}", "GLTF-PROPERTY", "/images/0"},
    {ONE_ACCESSOR("{\"buffer\":1,\"byteLength\":48}", VECTORS("\"count\":4")), "GLTF-VIEW",
     "buffer 1 of 1"},
    {ONE_ACCESSOR("{\"buffer\":0,\"byteOffset\":1,\"byteLength\":48}", VECTORS("\"count\":4")),
     "GLTF-VIEW", "48 bytes at 1"},
    {ONE_ACCESSOR("{\"buffer\":0,\"byteLength\":9007199254740992}", VECTORS("\"count\":4")),
     "GLTF-VIEW", "9007199254740992"},
    {ONE_ACCESSOR("{\"buffer\":0,\"byteLength\":48,\"byteStride\":256}", VECTORS("\"count\":1")),
     "GLTF-PROPERTY", "byteStride"},
    {ONE_ACCESSOR(WHOLE_VIEW, VECTORS("\"count\":5")), "GLTF-ACCESSOR", "beyond the end"},
    {ONE_ACCESSOR(WHOLE_VIEW, VECTORS("\"count\":2147483647")), "GLTF-ACCESSOR", "beyond the end"},
    {ONE_ACCESSOR(WHOLE_VIEW, VECTORS("\"byteOffset\":9007199254740992,\"count\":1")),
     "GLTF-ACCESSOR", "beyond the end"},
    {ONE_ACCESSOR("{\"buffer\":0,\"byteLength\":48,\"byteStride\":16}", VECTORS("\"count\":4")),
     "GLTF-ACCESSOR", "beyond the end"},
    {ONE_ACCESSOR(WHOLE_VIEW,
                  "{\"bufferView\":1,\"componentType\":5126,\"type\":\"VEC3\",\"count\":1}"),
     "GLTF-ACCESSOR", "buffer view 1 of 1"},
    {ONE_ACCESSOR(WHOLE_VIEW,
                  "{\"bufferView\":0,\"componentType\":5124,\"type\":\"VEC3\",\"count\":1}"),
     "GLTF-ACCESSOR", "5124"},
    {ONE_ACCESSOR(WHOLE_VIEW,
                  "{\"bufferView\":0,\"componentType\":5126,\"type\":\"VEC5\",\"count\":1}"),
     "GLTF-PROPERTY", "VEC5"},
    {ONE_ACCESSOR(WHOLE_VIEW,
                  "{\"bufferView\":0,\"componentType\":5126,\"type\":\"VEC2\",\"count\":1}"),
     "GLTF-PRIMITIVE", "2 components"},
    {ONE_ACCESSOR(WHOLE_VIEW, "{\"componentType\":5126,\"type\":\"VEC3\",\"count\":2000000000}"),
     "GLTF-PRIMITIVE", "no buffer view"},
    {ONE_ACCESSOR(
         WHOLE_VIEW,
         VECTORS("\"count\":4,\"sparse\":{\"count\":2,\"indices\":{\"bufferView\":0,"
                 "\"byteOffset\":3,\"componentType\":5121},\"values\":{\"bufferView\":0}}")),
     "GLTF-ACCESSOR", "replaces element"},
    {"{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":4}],\"bufferViews\":[{"
     "\"buffer\":0,\"byteLength\":4}]}",
     "GLTF-BUFFER-ABSENT", "no bytes"},
    {"{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":4,\"uri\":\"data:;base64\"}]}",
     "GLTF-URI", "base64"},
    {"{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":4,"
     "\"uri\":\"data:;base64,AAA=\"}]}",
     "GLTF-BUFFER", "2 bytes"},
    {"{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":4,"
     "\"uri\":\"https://example.com/a.bin\"}]}",
     "GLTF-URI", "does not download files"},
};

/* An empty key is found in every list of words: the search for it must end. */
TEST(an_empty_key_is_left_out)
{
    static const char text[] = "{\"asset\":{\"version\":\"2.0\",\"\":1},\"\":{\"\":[{\"\":2}]}}";
    facet_scene *scene = NULL;
    facet_error error;
    TEST_OK(test_gltf_read(text, strlen(text), NULL, &scene, &error), &error);
    facet_scene_free(scene);
}

TEST(faults_are_named)
{
    /* The second and third byte, used as sparse indices, are out of range. */
    uint8_t bytes[48] = {0};
    bytes[3] = 200;
    bytes[4] = 1;
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        facet_scene *scene = NULL;
        facet_error error = {0};
        const char *text = test_gltf_text(faults[i].json, bytes, sizeof bytes);
        facet_status status = test_gltf_read(text, strlen(text), NULL, &scene, &error);
        if (status == FACET_OK || strcmp(error.rule, faults[i].rule) != 0 ||
            !strstr(error.message, faults[i].words))
            fail_msg("%s: status %d, [%s] %s", faults[i].json, (int)status, error.rule,
                     error.message);
        assert_null(scene);
    }
}

/* An animated node with a matrix is decomposed: half a turn about z, scaled by (2, 3, 4), moved
 * to (5, 6, 7). The animation sets its rotation to the same value: the third row and column of
 * the matrix are kept. */
TEST(an_animated_matrix_is_decomposed)
{
    static const float keys[5] = {0, 0, 0, 1, 0};
    static const char json[] =
        "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"matrix\":[-2,0,0,0,0,-3,0,0,0,0,4,0,5,6,7,"
        "1]},"
        "{\"matrix\":[-2,0,0,0,0,-3,0,0,0,0,4,0,5,6,7,1]}],"
        "\"animations\":[{\"samplers\":[{\"input\":0,\"output\":1}],\"channels\":[{\"sampler\":0,"
        "\"target\":{\"node\":0,\"path\":\"rotation\"}}]}],"
        "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":1,\"type\":\"SCALAR\"},"
        "{\"bufferView\":0,\"byteOffset\":4,\"componentType\":5126,\"count\":1,\"type\":\"VEC4\"}],"
        "\"bufferViews\":[{\"buffer\":0,\"byteLength\":20}],\"buffers\":[%B]}";
    facet_scene *scene = test_gltf_read_text(json, keys, sizeof keys, NULL);
    const facet_node *node = scene->nodes[0];
    assert_false(node->has_matrix);
    assert_true(scene->nodes[1]->has_matrix);
    static const float expected[10] = {5, 6, 7, 0, 0, 1, 0, 2, 3, 4};
    const float found[10] = {node->transform.translation[0], node->transform.translation[1],
                             node->transform.translation[2], node->transform.rotation[0],
                             node->transform.rotation[1],    node->transform.rotation[2],
                             node->transform.rotation[3],    node->transform.scale[0],
                             node->transform.scale[1],       node->transform.scale[2]};
    for (int i = 0; i < 10; i++)
        assert_float_equal(i == 5 ? fabsf(found[i]) : found[i], expected[i], 1e-6F);
    facet_scene_free(scene);
}

TEST(deep_nesting_is_refused)
{
    static char text[200100];
    size_t used =
        (size_t)snprintf(text, sizeof text, "{\"asset\":{\"version\":\"2.0\"},\"extras\":");
    memset(text + used, '[', 100000);
    memset(text + used + 100000, ']', 99000);
    facet_scene *scene = NULL;
    facet_error error;
    assert_int_equal(test_gltf_read(text, used + 199000, NULL, &scene, &error), FACET_ERROR_LIMIT);
    assert_string_equal(error.rule, "GLTF-JSON");
}

/* 17 accessors in turn, with 65,536 vertices each and no bytes: 65,537 primitives have more than
 * 2^32. Fewer accessors would be recognized as shared. */
TEST(vertices_of_a_mesh_have_32_bit_numbers)
{
    size_t space = 48 * 65537 + 2000, used;
    char *json = malloc(space);
    assert_non_null(json);
    used = (size_t)snprintf(json, space, "{\"asset\":{\"version\":\"2.0\"},\"accessors\":[");
    for (int i = 0; i < 17; i++)
        used += (size_t)snprintf(json + used, space - used,
                                 "%s{\"componentType\":5126,\"count\":65536,\"type\":\"VEC3\"}",
                                 i ? "," : "");
    used += (size_t)snprintf(json + used, space - used, "],\"meshes\":[{\"primitives\":[");
    for (int i = 0; i < 65537; i++)
        used += (size_t)snprintf(json + used, space - used, "%s{\"attributes\":{\"POSITION\":%d}}",
                                 i ? "," : "", i % 17);
    used += (size_t)snprintf(json + used, space - used, "]}]}");
    facet_scene *scene = NULL;
    facet_error error;
    assert_int_equal(test_gltf_read(json, used, NULL, &scene, &error), FACET_ERROR_LIMIT);
    assert_string_equal(error.rule, "GLTF-LIMIT");
    free(json);
}

/* A thousand targets on the same million vertices would be 12 GB. */
TEST(small_files_do_not_become_large)
{
    static char json[200000];
    size_t size = 12 * 40000, total;
    float *zeros = calloc(1, size);
    assert_non_null(zeros);
    size_t used = (size_t)snprintf(
        json, sizeof json,
        "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":480000}],\"bufferViews\":[{"
        "\"buffer\":0,\"byteLength\":480000}],\"accessors\":[{\"bufferView\":0,"
        "\"componentType\":5126,\"count\":40000,\"type\":\"VEC3\"}],\"meshes\":[{\"primitives\":[{"
        "\"attributes\":{\"POSITION\":0},\"targets\":[");
    for (int i = 0; i < 2000; i++)
        used +=
            (size_t)snprintf(json + used, sizeof json - used, "%s{\"POSITION\":0}", i ? "," : "");
    snprintf(json + used, sizeof json - used, "]}]}]}");
    uint8_t *glb = test_glb(json, zeros, size, &total);
    facet_scene *scene = NULL;
    facet_error error;
    assert_int_equal(test_gltf_read(glb, total, NULL, &scene, &error), FACET_ERROR_LIMIT);
    assert_string_equal(error.rule, "GROWTH-LIMIT");
    free(glb);
    free(zeros);
}
