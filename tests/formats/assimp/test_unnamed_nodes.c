/* Nodes of a large COLLADA, which assimp writes without names: they get their names again. */
#include "support/mesh.h"
#include "support/models.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef FACET_HAVE_ASSIMP

/* More than the meshes and bones that assimp may search for each node. */
#define MESHES 1001

static facet_scene *make_scene(void)
{
    static const float positions[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    facet_scene *scene = NULL;
    facet_node *node;
    assert_int_equal(facet_scene_create(NULL, &scene, NULL), FACET_OK);
    for (uint32_t i = 0; i < MESHES; i++) {
        char name[32];
        snprintf(name, sizeof name, "<%u> & \"'", i);
        facet_mesh *mesh = test_mesh(scene, 1, NULL);
        assert_true(mesh && test_stream(scene, mesh, FACET_POSITION, 3, 3, positions, NULL));
        assert_int_equal(facet_scene_add_node(scene, name, &node, NULL), FACET_OK);
        node->mesh = i;
        node->parent = i % 2 ? i - 1 : FACET_NONE;
    }
    return scene;
}

/* XML 1.0, section 2.4: "<" and "&" are escaped, and the quote around the value. */
TEST(names_are_escaped)
{
    facet_scene *scene = make_scene();
    facet_output *output = save_scene(scene, "dae", NULL);
    size_t size = (size_t)facet_output_size(output);
    char *text = calloc(size + 1, 1);
    assert_non_null(text);
    memcpy(text, facet_output_data(output), size);
    assert_non_null(strstr(text, "name=\"&lt;1000&gt; &amp; &quot;&apos;\" type=\"NODE\">"));
    assert_null(strstr(text, " name=\"\" type=\"NODE\""));
    free(text);
    facet_output_free(output);
    facet_scene_free(scene);
}

TEST(nodes_keep_names_and_parents)
{
    facet_scene *scene = make_scene();
    facet_light *light;
    assert_int_equal(facet_scene_add_light(scene, "light", &light, NULL), FACET_OK);
    facet_node *node;
    assert_int_equal(facet_scene_add_node(scene, "lamp", &node, NULL), FACET_OK);
    node->light = 0;
    facet_output *output = save_scene(scene, "dae", NULL);
    facet_scene *again = load_output(output, "a.dae", NULL);
    uint32_t found = 0, lamps = 0;
    for (uint32_t i = 0; i < again->node_count; i++) {
        const facet_node *of = again->nodes[i];
        unsigned number, above = MESHES;
        if (sscanf(of->name, "<%u> & \"'", &number) == 1) {
            found++;
            if (of->parent != FACET_NONE)
                sscanf(again->nodes[of->parent]->name, "<%u>", &above);
            assert_int_equal(above, number % 2 ? number - 1 : MESHES);
        }
        lamps += strcmp(of->name, "lamp") == 0 && of->light != FACET_NONE;
    }
    assert_int_equal(found, MESHES);
    assert_int_equal(lamps, 1);
    facet_scene_free(again);
    facet_output_free(output);
    facet_scene_free(scene);
}

#endif
