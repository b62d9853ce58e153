/* Names of nodes that assimp also uses for nodes that it creates. */
#include "support/mesh.h"
#include "support/models.h"

#include <facet/pose.h>

#ifdef FACET_HAVE_ASSIMP

static facet_node *add_node(facet_scene *scene, const char *name, uint32_t parent, float x)
{
    facet_error error;
    facet_node *node = NULL;
    TEST_OK(facet_scene_add_node(scene, name, &node, &error), &error);
    node->parent = parent;
    node->mesh = parent == FACET_NONE ? FACET_NONE : 0;
    node->transform.translation[0] = x;
    return node;
}

static facet_scene *make_triangle(void)
{
    static const float positions[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    facet_scene *scene = test_scene();
    facet_mesh *mesh = test_mesh(scene, 1, NULL);
    assert_true(mesh && test_stream(scene, mesh, FACET_POSITION, 3, 3, positions, NULL));
    return scene;
}

static facet_scene *back_from_fbx(facet_scene *scene)
{
    facet_output *output = save_scene(scene, "fbx", NULL);
    facet_scene *again = load_output(output, "a.fbx", NULL);
    facet_output_free(output);
    facet_scene_free(scene);
    return again;
}

/* The triangle is at 5 + 2 to 5 + 2 + 1. */
TEST(nodes_named_like_factors_keep_their_transform)
{
    double low[3], high[3];
    bool any;
    facet_error error;
    facet_scene *scene = make_triangle();
    add_node(scene, "arm_$AssimpFbx$_PreRotation", FACET_NONE, 5);
    add_node(scene, "arm", 0, 2);
    scene = back_from_fbx(scene);
    TEST_OK(facet_scene_bounds(scene, NULL, low, high, &any, &error), &error);
    assert_float_equal(low[0], 7, 1e-5);
    assert_float_equal(high[0], 8, 1e-5);
    assert_string_equal(scene->nodes[1]->name, "arm_PreRotation");
    facet_scene_free(scene);
}

/* Only node "RootNode" moves, not "other", which is below assimp's root of the same name. */
TEST(node_named_like_the_root_moves_alone)
{
    static const float keys[6] = {0, 0, 0, 4, 0, 0}, times[2] = {0, 1};
    facet_error error;
    facet_animation *animation = NULL;
    facet_scene *scene = make_triangle();
    add_node(scene, "RootNode", FACET_NONE, 0)->mesh = 0;
    add_node(scene, "other", FACET_NONE, 9)->mesh = 0;
    TEST_OK(facet_scene_add_animation(scene, "a", 1, &animation, &error), &error);
    animation->channels[0] = (facet_channel){.target = FACET_TARGET_TRANSLATION,
                                             .width = 3,
                                             .key_count = 2,
                                             .times = test_copy(scene, times, 2),
                                             .values = test_copy(scene, keys, 6)};
    scene = back_from_fbx(scene);
    facet_pose pose = {0};
    TEST_OK(facet_scene_pose(scene, 0, 1, NULL, &pose, &error), &error);
    uint32_t count = 0;
    for (uint32_t i = 0; i < scene->node_count; i++) {
        if (scene->nodes[i]->mesh == FACET_NONE)
            continue;
        bool is_other = strcmp(scene->nodes[i]->name, "other") == 0;
        assert_float_equal((double)pose.global[(size_t)i * 16 + 12], is_other ? 9 : 4, 1e-5);
        count++;
    }
    assert_int_equal(count, 2);
    facet_pose_free(&pose);
    facet_scene_free(scene);
}

/* assimp stores 1023 bytes of a name. A name of that length is kept. */
TEST(names_that_are_cut_are_reported)
{
    static const char *const formats[] = {"fbx", "dae"};
    for (int i = 0; i < 4; i++) {
        char name[1025];
        size_t length = i % 2 ? 1024 : 1023;
        memset(name, 'n', length);
        name[length] = '\0';
        facet_error error;
        facet_report *report = NULL;
        facet_scene *scene = make_triangle();
        add_node(scene, name, FACET_NONE, 0)->mesh = 0;
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        const facet_options options = {.report = report};
        facet_output_free(save_scene(scene, formats[i / 2], &options));
        assert_int_equal(test_finding(report, "LOSS-NAMES") != NULL, length == 1024);
        facet_report_free(report);
        facet_scene_free(scene);
    }
}

#endif
