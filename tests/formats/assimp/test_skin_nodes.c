/* Nodes of skinned meshes. glTF ignores their transforms, and readers of FBX and COLLADA apply
 * them. */
#include "formats/assimp/file/fbx.h"
#include "support/mesh.h"
#include "support/models.h"

#include <math.h>

#ifdef FACET_HAVE_ASSIMP

enum { ARMATURE, BONE, SKINNED, HAT, NODES };

/* armature at (5, 0, 0), halved > (bone at (0, 2, 0), skinned mesh > hat at (0, 0, 1)). The inverse
 * bind matrix makes the mesh appear at (0, 0, `z`). */
static facet_scene *make_scene(float z)
{
    static const float positions[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0},
                       weights[12] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};
    static const uint32_t parents[NODES] = {FACET_NONE, ARMATURE, ARMATURE, SKINNED};
    static const char *const names[NODES] = {"armature", "bone", "skinned", "hat"};
    facet_error error;
    facet_scene *scene = test_scene();
    facet_mesh *mesh = test_mesh(scene, 1, NULL);
    facet_stream *joints = NULL;
    facet_skin *skin = NULL;
    assert_true(test_stream(scene, mesh, FACET_POSITION, 3, 3, positions, NULL));
    TEST_OK(facet_mesh_add_stream(mesh, FACET_JOINTS, 0, NULL, FACET_UINT16, 4, 3, &joints, &error),
            &error);
    memset(joints->data, 0, 3 * 4 * sizeof(uint16_t));
    joints->indices = mesh->streams[0].indices;
    assert_true(test_stream(scene, mesh, FACET_WEIGHTS, 4, 3, weights, NULL));
    for (uint32_t i = 0; i < NODES; i++) {
        facet_node *node = NULL;
        TEST_OK(facet_scene_add_node(scene, names[i], &node, &error), &error);
        node->parent = parents[i];
    }
    facet_transform *armature = &scene->nodes[ARMATURE]->transform;
    armature->translation[0] = 5;
    for (int i = 0; i < 3; i++)
        armature->scale[i] = 0.5F;
    scene->nodes[BONE]->transform.translation[1] = 2;
    scene->nodes[HAT]->transform.translation[2] = 1;
    scene->nodes[SKINNED]->mesh = 0;
    scene->nodes[SKINNED]->skin = 0;
    TEST_OK(facet_scene_add_skin(scene, "", 1, &skin, &error), &error);
    skin->joints[0] = BONE;
    /* The joint is at (5, 1, 0), halved: its matrix times (2 x - 10, 2 y - 2, 2 z) is (x, y, z). */
    const float inverse[16] = {2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, -10, -2, 2 * z, 1};
    memcpy(skin->inverse_bind, inverse, sizeof inverse);
    return scene;
}

static uint32_t node_named(const facet_scene *scene, const char *name)
{
    for (uint32_t i = 0; i < scene->node_count; i++) {
        if (strcmp(scene->nodes[i]->name, name) == 0)
            return i;
    }
    fail_msg("no node has the name %s", name);
    return 0;
}

/* Write and read a scene. Expect the mesh's node at (0, 0, z), without rotation or scale. The
 * caller frees the result. */
static facet_scene *expect_place(facet_scene *scene, const char *format, float z, uint32_t *shower)
{
    facet_error error;
    facet_options options = {0};
    facet_pose pose = {0};
    char name[8];
    TEST_OK(facet_report_create(NULL, &options.report, &error), &error);
    facet_output *output = save_scene(scene, format, &options);
    snprintf(name, sizeof name, "a.%s", format);
    facet_scene *again = load_output(output, name, NULL);
    for (*shower = 0; again->nodes[*shower]->mesh == FACET_NONE; ++*shower)
        ;
    TEST_OK(facet_scene_pose(again, FACET_NONE, 0, NULL, &pose, &error), &error);
    for (int i = 0; i < 16; i++) {
        float expected = i == 14 ? z : i % 5 == 0 ? 1 : 0;
        assert_float_equal(pose.global[(size_t)*shower * 16 + i], expected, 1e-5);
    }
    assert_non_null(test_finding(options.report, "ASSIMP-SKIN-NODE"));
    assert_null(test_finding(options.report, "LOSS-SKIN"));
    facet_pose_free(&pose);
    facet_report_free(options.report);
    facet_output_free(output);
    return again;
}

/* COLLADA stores the inverse bind matrix, which has the whole transform. FBX has that of the node
 * instead. */
TEST(skinned_mesh_is_where_its_joints_leave_it)
{
    uint32_t shower;
    for (int i = 0; i < 4; i++) {
        bool fbx = i % 2 == 1;
        float z = i < 2 ? 0 : 3;
        facet_scene *scene = make_scene(z);
        scene->nodes[HAT]->parent = ARMATURE;
        facet_scene *again = expect_place(scene, fbx ? "fbx" : "dae", fbx ? z : 0, &shower);
        assert_string_equal(again->nodes[shower]->name, "skinned");
        facet_scene_free(again);
        facet_scene_free(scene);
    }
}

/* A node with children keeps its transform for them. The mesh moves to another node. */
TEST(children_of_a_skinned_node_stay)
{
    static const char *const formats[] = {"dae", "fbx"};
    uint32_t shower, roots[1] = {ARMATURE};
    for (int i = 0; i < 4; i++) {
        facet_error error;
        facet_pose pose = {0};
        facet_scene *scene = make_scene(0);
        if (i >= 2) {
            scene->roots = roots;
            scene->root_count = 1;
        }
        facet_scene *again = expect_place(scene, formats[i % 2], 0, &shower);
        uint32_t hat = node_named(again, "hat");
        TEST_OK(facet_scene_pose(again, FACET_NONE, 0, NULL, &pose, &error), &error);
        assert_string_equal(again->nodes[again->nodes[hat]->parent]->name, "skinned");
        /* (0, 0, 1) halved, plus (5, 0, 0) */
        assert_float_equal((double)pose.global[(size_t)hat * 16 + 12], 5, 1e-5);
        assert_float_equal((double)pose.global[(size_t)hat * 16 + 14], 0.5, 1e-5);
        facet_pose_free(&pose);
        facet_scene_free(again);
        facet_scene_free(scene);
    }
}

/* The transform of a hidden node does not matter: its mesh is not written. */
TEST(hidden_skinned_node_is_unchanged)
{
    facet_error error;
    facet_options options = {0};
    facet_scene *scene = make_scene(0);
    scene->nodes[ARMATURE]->hidden = true;
    TEST_OK(facet_report_create(NULL, &options.report, &error), &error);
    facet_output *output = save_scene(scene, "fbx", &options);
    assert_null(test_finding(options.report, "ASSIMP-SKIN-NODE"));
    facet_report_free(options.report);
    facet_output_free(output);
    facet_scene_free(scene);
}

/* A joint without weights is a bone in an FBX. Its cluster has the global transforms of the joint
 * and of the node above the bones. */
TEST(joints_without_weights_are_bones)
{
    facet_error error;
    facet_fbx fbx;
    facet_arena *arena = NULL;
    facet_skin *skin = NULL;
    facet_scene *scene = make_scene(0);
    TEST_OK(facet_scene_add_skin(scene, "", 2, &skin, &error), &error);
    memcpy(skin->inverse_bind, scene->skins[0]->inverse_bind, 16 * sizeof(float));
    /* The hat is at (5, 0, 0.5), halved. */
    const float inverse[16] = {2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, -10, 0, -1, 1};
    memcpy(skin->inverse_bind + 16, inverse, sizeof inverse);
    skin->joints[0] = BONE;
    skin->joints[1] = HAT;
    scene->nodes[SKINNED]->skin = 1;
    scene->nodes[HAT]->parent = BONE;
    scene->nodes[HAT]->transform.translation[1] = -2;
    facet_output *output = save_scene(scene, "fbx", NULL);
    size_t size = (size_t)facet_output_size(output);
    const uint8_t *data = facet_output_data(output);
    TEST_OK(facet_arena_create(NULL, &arena, &error), &error);
    TEST_OK(facet_fbx_open(&fbx, data, size, arena, &error), &error);
    uint32_t clusters = 0;
    for (uint32_t i = 0; i < fbx.object_count; i++) {
        facet_fbx_record record;
        double *numbers = NULL;
        size_t count;
        uint32_t link = facet_fbx_next_link(&fbx, i, "Model", 0);
        if (!facet_fbx_is(fbx.objects[i].type, "Cluster") || link == FACET_NONE)
            continue;
        const facet_fbx_object *bone = &fbx.objects[fbx.links[link].from];
        bool is_hat = facet_fbx_is(bone->label, "hat");
        assert_true(facet_fbx_is(bone->type, "LimbNode"));
        assert_true(facet_fbx_find(&fbx, fbx.objects[i].list, "TransformLink", &record));
        assert_true(facet_fbx_numbers(&fbx, &record, &numbers, &count));
        assert_int_equal(count, 16);
        assert_float_equal(numbers[0], 0.5, 1e-6);
        assert_float_equal(numbers[13], is_hat ? 0 : 1, 1e-5);
        assert_float_equal(numbers[14], is_hat ? 0.5 : 0, 1e-5);
        assert_true(facet_fbx_find(&fbx, fbx.objects[i].list, "TransformAssociateModel", &record));
        assert_true(facet_fbx_numbers(&fbx, &record, &numbers, &count));
        assert_int_equal(count, 16);
        assert_float_equal(numbers[0], 0.5, 1e-6);
        assert_float_equal(numbers[12], 5, 1e-6);
        assert_float_equal(numbers[13], 0, 1e-6);
        clusters++;
    }
    assert_int_equal(clusters, 2);
    facet_arena_free(arena);
    facet_output_free(output);
    facet_scene_free(scene);
}

/* Type of the model with this name in an FBX. */
static void expect_type(const facet_fbx *fbx, const char *name, const char *type)
{
    for (uint32_t i = 0; i < fbx->object_count; i++) {
        const facet_fbx_object *o = &fbx->objects[i];
        if (facet_fbx_is(o->kind, "Model") && facet_fbx_is(o->label, name)) {
            assert_true(facet_fbx_is(o->type, type));
            return;
        }
    }
    fail_msg("no model has the name %s", name);
}

/* The armature has two branches, each with a joint. The nodes between are bones as well, but not
 * the armature. The mesh of a joint is at a node below it. Blender needs both. */
TEST(nodes_between_joints_are_bones)
{
    facet_error error;
    facet_fbx fbx;
    facet_arena *arena = NULL;
    facet_skin *skin = NULL;
    facet_node *branch = NULL;
    facet_mesh *mesh = NULL;
    facet_options options = {0};
    facet_scene *scene = make_scene(0);
    static const float positions[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    mesh = test_mesh(scene, 1, NULL);
    assert_true(test_stream(scene, mesh, FACET_POSITION, 3, 3, positions, NULL));
    TEST_OK(facet_scene_add_node(scene, "branch", &branch, &error), &error);
    branch->parent = ARMATURE;
    scene->nodes[HAT]->parent = scene->node_count - 1;
    scene->nodes[HAT]->mesh = 1;
    TEST_OK(facet_scene_add_skin(scene, "", 2, &skin, &error), &error);
    skin->joints[0] = BONE;
    skin->joints[1] = HAT;
    scene->nodes[SKINNED]->skin = 1;
    TEST_OK(facet_report_create(NULL, &options.report, &error), &error);
    facet_output *output = save_scene(scene, "fbx", &options);
    TEST_OK(facet_arena_create(NULL, &arena, &error), &error);
    TEST_OK(facet_fbx_open(&fbx, facet_output_data(output), (size_t)facet_output_size(output),
                           arena, &error),
            &error);
    expect_type(&fbx, "armature", "Null");
    expect_type(&fbx, "branch", "LimbNode");
    expect_type(&fbx, "bone", "LimbNode");
    expect_type(&fbx, "hat", "LimbNode");
    expect_type(&fbx, "hat_5", "Mesh"); /* node 5, with the name of another */
    assert_non_null(test_finding_saying(options.report, "ASSIMP-SKIN-NODE", "is a joint"));
    facet_arena_free(arena);
    facet_report_free(options.report);
    facet_output_free(output);
    facet_scene_free(scene);
}

/* Blender ignores the scale of a bone, but not that of the armature. */
TEST(scaled_joints_are_reported)
{
    for (int i = 0; i < 2; i++) {
        facet_error error;
        facet_options options = {0};
        facet_scene *scene = make_scene(0);
        float *bind = scene->skins[0]->inverse_bind;
        for (int k = 0; k < 3; k++)
            scene->nodes[BONE]->transform.scale[k] = i ? 2 : 1;
        for (int k = 0; k < 16 && i; k++) /* the joint is not halved any more */
            bind[k] /= k == 15 ? 1 : 2;
        TEST_OK(facet_report_create(NULL, &options.report, &error), &error);
        facet_output *output = save_scene(scene, "fbx", &options);
        assert_int_equal(test_finding(options.report, "ASSIMP-BONE-SCALE") != NULL, i == 1);
        facet_report_free(options.report);
        facet_output_free(output);
        facet_scene_free(scene);
    }
}

static facet_status save_with(const facet_allocator *allocator, void *user)
{
    facet_options options = {.allocator = allocator};
    facet_output *output = NULL;
    facet_status status = facet_output_open_memory(NULL, &output, NULL);
    if (!status)
        status = facet_save(user, facet_format_named("fbx"), &options, output, NULL);
    facet_output_free(output);
    return status;
}

TEST(moving_skins_reports_failed_allocations)
{
    facet_scene *scene = make_scene(0);
    facet_error error;
    scene->nodes[BONE]->mesh = 0; /* a mesh at a joint */
    TEST_OK(facet_prepare(scene, facet_format_named("fbx"), NULL, NULL, NULL, &error), &error);
    test_every_allocation(save_with, scene);
    facet_scene_free(scene);
}

#else

TEST(assimp_is_missing)
{
    skip();
}

#endif
