/* The JSON of a written glTF counts for the memory limit. */
#include "formats/gltf/format.h"
#include "support/gltf.h"

#define NODES 3000

/* A scene of many nodes. Its extras and extensions have all kinds of values. */
static facet_scene *scene_of_nodes(void)
{
    facet_scene *scene = NULL;
    facet_material *material = NULL;
    facet_error error;
    TEST_OK(facet_scene_create(NULL, &scene, &error), &error);
    TEST_OK(facet_scene_add_material(scene, "paint", &material, &error), &error);
    material->extensions = "{\"X_a\":{\"b\":[1,2.5,true,null,\"c\"]}}";
    material->extras = "{\"d\":[]}";
    for (uint32_t i = 0; i < NODES; i++) {
        facet_node *node = NULL;
        TEST_OK(facet_scene_add_node(scene, "a name of some length", &node, &error), &error);
        node->transform.translation[0] = (float)i;
        node->extras = "{\"e\":[[0],{\"f\":-1}]}";
    }
    return scene;
}

static facet_status write_nodes(const facet_scene *scene, const facet_options *options,
                                uint64_t *size, facet_error *error)
{
    facet_output *output = NULL;
    TEST_OK(facet_output_open_memory(NULL, &output, error), error);
    facet_status status = facet_gltf_write_binary(scene, options, output, error);
    *size = facet_output_size(output);
    facet_output_free(output);
    return status;
}

/* The file is only JSON. A tree is not smaller than its text. */
TEST(written_json_counts_for_the_limit)
{
    facet_scene *scene = scene_of_nodes();
    facet_error error;
    uint64_t size = 0, limited = 0;
    TEST_OK(write_nodes(scene, NULL, &size, &error), &error);
    assert_true(size > (uint64_t)NODES * 40);
    facet_options options = {.struct_size = sizeof options, .memory_limit = size};
    assert_int_equal(write_nodes(scene, &options, &limited, &error), FACET_ERROR_MEMORY_LIMIT);
    assert_string_equal(error.rule, "MEMORY-LIMIT");
    assert_int_equal(limited, 0);
    options.memory_limit = 64 * size;
    TEST_OK(write_nodes(scene, &options, &limited, &error), &error);
    assert_int_equal(limited, size);
    facet_scene_free(scene);
}
