/* Transforms, visibility and morph targets of an FBX that assimp drops or reads wrongly. All files
 * are read as text and as binary. */
#include "support/fbx.h"

#ifdef FACET_HAVE_ASSIMP

#include <facet/pose.h>

/* -- Transforms --------------------------------------------------------- */

/* Turn (0, 0, 1) by 90 degrees about x, then y: x moves it to (0, -1, 0), which is on the axis y.
 * RotationOrder 3 turns about y, then x: y moves it to (1, 0, 0), which is on the axis x.
 * PreRotation follows: 90 degrees about z move the last one to (0, 1, 0). FBX SDK, FbxNode:
 * RotationActive enables both properties. With RotationSpaceForLimitOnly, they affect only limits.
 */
TEST(inactive_rotation_orders_are_ignored)
{
    static const struct {
        const char *flag;
        int value;
        float expected[3];
    } cases[] = {{"RotationActive", 1, {0, 1, 0}},
                 {"RotationActive", 0, {0, -1, 0}},
                 {"RotationSpaceForLimitOnly", 1, {0, -1, 0}},
                 {"RotationSpaceForLimitOnly", 0, {0, 1, 0}}};
    static const double turn[3] = {90, 90, 0}, before[3] = {0, 0, 90};
    for (size_t i = 0; i < 2 * (sizeof cases / sizeof *cases); i++) {
        size_t k = i / 2;
        fbx_writer w;
        fbx_start(&w, i % 2);
        begin_node(&w, 11, "n");
        fbx_number(&w, "RotationOrder", "enum", 3);
        fbx_number(&w, cases[k].flag, "bool", cases[k].value);
        fbx_property(&w, "PreRotation", "Vector3D", 3, before);
        fbx_property(&w, "Lcl Rotation", "Lcl Rotation", 3, turn);
        end_node(&w);
        fbx_links(&w);
        fbx_link(&w, 11, 0, NULL);
        facet_scene *scene = load(&w);
        facet_pose pose = {0};
        assert_int_equal(facet_scene_pose(scene, FACET_NONE, 0, NULL, &pose, NULL), FACET_OK);
        const float *m = pose.local + (size_t)node_called(scene, "n") * 16;
        for (int axis = 0; axis < 3; axis++)
            assert_float_equal((double)m[8 + axis], (double)cases[k].expected[axis], 1e-6);
        facet_pose_free(&pose);
        release(scene);
    }
}

/* The node of a skinned mesh has a geometric translation of 5 along z. Its joint is at the origin,
 * where it was when it was bound. So the mesh is at z = 5. */
TEST(geometric_transforms_of_skins_are_applied)
{
    static const double move[3] = {0, 0, 5}, all[3] = {0, 1, 2}, whole[3] = {1, 1, 1};
    static const double one[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    for (int binary = 0; binary < 2; binary++) {
        fbx_writer w;
        fbx_start(&w, binary);
        fbx_triangle(&w, 10);
        begin_node(&w, 11, "n");
        fbx_property(&w, "GeometricTranslation", "Vector3D", 3, move);
        end_node(&w);
        begin_node(&w, 12, "joint");
        end_node(&w);
        fbx_object(&w, "Deformer", 13, "Deformer", "skin", "Skin");
        fbx_end(&w);
        fbx_object(&w, "Deformer", 14, "SubDeformer", "cluster", "Cluster");
        fbx_array(&w, "Indexes", 'i', all, 3);
        fbx_array(&w, "Weights", 'd', whole, 3);
        fbx_array(&w, "Transform", 'd', one, 16);
        fbx_array(&w, "TransformLink", 'd', one, 16);
        fbx_end(&w);
        fbx_links(&w);
        fbx_link(&w, 11, 0, NULL);
        fbx_link(&w, 12, 0, NULL);
        fbx_link(&w, 10, 11, NULL);
        fbx_link(&w, 13, 10, NULL);
        fbx_link(&w, 14, 13, NULL);
        fbx_link(&w, 12, 14, NULL);
        facet_scene *scene = load(&w);
        assert_int_equal(scene->skin_count, 1);
        assert_int_equal(scene->skins[0]->joint_count, 1);
        assert_float_equal((double)scene->skins[0]->inverse_bind[14], 5, 0);
        release(scene);
    }
}

/* GeometricRotation turns about x, then y, whatever the order of the node: (0, 0, 1) goes to (0,
 * -1, 0), as above. FBX SDK, FbxNode: the geometric transform has no rotation order. */
TEST(geometric_rotations_have_no_order)
{
    static const double turn[3] = {90, 90, 0};
    for (int binary = 0; binary < 2; binary++) {
        fbx_writer w;
        fbx_start(&w, binary);
        fbx_triangle(&w, 10);
        begin_node(&w, 11, "n");
        fbx_number(&w, "RotationOrder", "enum", 3);
        fbx_property(&w, "GeometricRotation", "Vector3D", 3, turn);
        end_node(&w);
        fbx_links(&w);
        fbx_link(&w, 11, 0, NULL);
        fbx_link(&w, 10, 11, NULL);
        facet_scene *scene = load(&w);
        facet_pose pose = {0};
        assert_int_equal(facet_scene_pose(scene, FACET_NONE, 0, NULL, &pose, NULL), FACET_OK);
        uint32_t shown = 0;
        while (scene->nodes[shown]->mesh == FACET_NONE)
            shown++;
        const float *m = pose.global + (size_t)shown * 16;
        assert_float_equal((double)m[8], 0, 1e-6);
        assert_float_equal((double)m[9], -1, 1e-6);
        assert_float_equal((double)m[10], 0, 1e-6);
        facet_pose_free(&pose);
        release(scene);
    }
}

/* -- Inherited scales --------------------------------------------------- */

/* A node "p" with a scale, and below it "c" at 1 0 0, turned by 90 degrees about z. If `moves`, the
 * scale begins at 1 1 1 and reaches its value at second 1. */
static facet_scene *load_scaled(bool is_binary, int type, const double scale[3], bool moves)
{
    static const double at[3] = {1, 0, 0}, turn[3] = {0, 0, 90}, times[2] = {0, 1};
    fbx_writer w;
    fbx_start(&w, is_binary);
    begin_node(&w, 11, "p");
    fbx_property(&w, "Lcl Scaling", "Lcl Scaling", 3, scale);
    end_node(&w);
    begin_node(&w, 12, "c");
    fbx_number(&w, "InheritType", "enum", type);
    fbx_property(&w, "Lcl Translation", "Lcl Translation", 3, at);
    fbx_property(&w, "Lcl Rotation", "Lcl Rotation", 3, turn);
    end_node(&w);
    if (moves) {
        add_stack(&w);
        for (int i = 0; i < 3; i++) {
            const double values[2] = {1, scale[i]};
            add_curve(&w, 22 + 2 * i, "S", times, values, 2, 24836);
        }
    }
    fbx_links(&w);
    fbx_link(&w, 11, 0, NULL);
    fbx_link(&w, 12, 11, NULL);
    if (moves) {
        fbx_link(&w, 21, 20, NULL);
        fbx_link(&w, 22, 21, NULL);
        fbx_link(&w, 22, 11, "Lcl Scaling");
        for (int i = 0; i < 3; i++)
            fbx_link(&w, 23 + 2 * i, 22, i == 0 ? "d|X" : i == 1 ? "d|Y" : "d|Z");
    }
    return load(&w);
}

static void expect_columns(const facet_scene *scene, uint32_t animation, double time,
                           const double columns[4][3])
{
    facet_pose pose = {0};
    assert_int_equal(facet_scene_pose(scene, animation, time, NULL, &pose, NULL), FACET_OK);
    const float *m = pose.global + (size_t)node_called(scene, "c") * 16;
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 3; k++)
            assert_float_equal((double)m[i * 4 + k], columns[i][k], 1e-5);
    }
    facet_pose_free(&pose);
}

/* R moves x to y, and y to -x. FBX SDK, FbxTransform::EInheritType. RrSs is R * S: x becomes (0,
 * Sx, 0). RSrs is S * R: x becomes (0, Sy, 0). Rrs is R. All move the node to (Sx, 0, 0). */
TEST(scales_are_inherited_by_the_type_of_the_node)
{
    static const double scales[3][3] = {{2, 2, 2}, {2, 3, 4}, {-2, 3, 4}};
    for (int i = 0; i < 2 * 9; i++) {
        const double *s = scales[i / 2 % 3];
        int type = i / 6;
        double x = type == 0   ? s[0]
                   : type == 1 ? s[1]
                               : 1,
               y = type == 0   ? s[1]
                   : type == 1 ? s[0]
                               : 1;
        const double expected[4][3] = {
            {0, x, 0}, {-y, 0, 0}, {0, 0, type == 2 ? 1 : s[2]}, {s[0], 0, 0}};
        facet_scene *scene = load_scaled(i % 2, type, s, false);
        expect_columns(scene, FACET_NONE, 0, expected);
        release(scene);
    }
}

/* Half way, the scale is the mean of 1 1 1 and its value. The joint keeps its size. */
TEST(animated_scales_of_parents_are_not_inherited)
{
    static const double scales[3][3] = {{2, 2, 2}, {2, 3, 4}, {0.5, 3, 4}};
    for (int i = 0; i < 6; i++) {
        const double *s = scales[i / 2];
        facet_scene *scene = load_scaled(i % 2, 2, s, true);
        for (double time = 0; time <= 1; time += 0.5) {
            const double expected[4][3] = {
                {0, 1, 0}, {-1, 0, 0}, {0, 0, 1}, {1 + time * (s[0] - 1), 0, 0}};
            expect_columns(scene, 0, time, expected);
        }
        assert_null(test_finding(report, "LOSS-NODES"));
        release(scene);
    }
}

/* -- Visibility --------------------------------------------------------- */

TEST(visibility_and_its_steps_are_read)
{
    static const double times[3] = {0, 1, 2}, values[3] = {1, 0, 1};
    for (int i = 0; i < 4; i++) {
        bool binary = i % 2, is_next = i / 2;
        fbx_writer w;
        fbx_start(&w, binary);
        fbx_triangle(&w, 10);
        begin_node(&w, 11, "hidden");
        fbx_number(&w, "Visibility", "Visibility", 0);
        end_node(&w);
        begin_node(&w, 12, "blinks");
        fbx_number(&w, "Visibility", "Visibility", 1);
        end_node(&w);
        begin_node(&w, 13, "not shown");
        fbx_number(&w, "Show", "bool", 0);
        end_node(&w);
        add_stack(&w);
        add_curve(&w, 22, "Visibility", times, values, 3, is_next ? 24834 : 24578);
        fbx_links(&w);
        fbx_link(&w, 11, 0, NULL);
        fbx_link(&w, 13, 0, NULL);
        fbx_link(&w, 12, 0, NULL);
        fbx_link(&w, 10, 11, NULL);
        fbx_link(&w, 10, 12, NULL);
        fbx_link(&w, 21, 20, NULL);
        link_curve(&w, 22, 12, "Visibility");
        facet_scene *scene = load(&w);
        assert_true(scene->nodes[node_called(scene, "hidden")]->hidden);
        assert_true(scene->nodes[node_called(scene, "not shown")]->hidden);
        assert_false(scene->nodes[node_called(scene, "blinks")]->hidden);
        assert_int_equal(scene->animation_count, 1);
        assert_string_equal(scene->animations[0]->name, "take");
        const facet_channel *channel = channel_of(scene, FACET_TARGET_VISIBILITY);
        assert_int_equal(channel->node, node_called(scene, "blinks"));
        assert_int_equal(channel->interpolation, FACET_INTERPOLATION_STEP);
        assert_int_equal(channel->key_count, is_next ? 2 : 3);
        for (uint32_t k = 0; k < channel->key_count; k++) {
            assert_float_equal((double)channel->times[k], times[k], 1e-6);
            assert_float_equal((double)channel->values[k], values[is_next ? k + 1 : k], 0);
        }
        assert_null(test_finding(report, "LOSS-NODES"));
        release(scene);
    }
}

/* -- Morph targets ------------------------------------------------------ */

/* A shape that moves the first vertex along z, with or without normals. */
static void add_shape(fbx_writer *w, int id, double z, bool has_normals)
{
    const double first = 0, move[3] = {0, 0, z}, normal[3] = {0, 0, 0};
    fbx_object(w, "Geometry", id, "Geometry", "s", "Shape");
    fbx_array(w, "Indexes", 'i', &first, 1);
    fbx_array(w, "Vertices", 'd', move, 3);
    if (has_normals)
        fbx_array(w, "Normals", 'd', normal, 3);
    fbx_end(w);
}

static void add_morph_channel(fbx_writer *w, int id, double percent, const double *full,
                              size_t count)
{
    fbx_object(w, "Deformer", id, "SubDeformer", "c", "BlendShapeChannel");
    fbx_begin(w, "Version");
    fbx_integer(w, 'I', 100);
    fbx_end(w);
    fbx_begin(w, "DeformPercent");
    fbx_double(w, percent);
    fbx_end(w);
    fbx_array(w, "FullWeights", 'd', full, count);
    fbx_end(w);
}

/* Channel 40 has one shape without normals, at 100. Channel 41 has two, at 50 and 100. Both are
 * animated with different keys. The caller adds curves after this, and then the links. */
static void begin_morphs(fbx_writer *w, bool is_binary, double first, double second)
{
    static const double whole = 100, half[2] = {50, 100};
    fbx_start(w, is_binary);
    fbx_triangle(w, 10);
    begin_node(w, 11, "n");
    end_node(w);
    add_shape(w, 30, 1, false);
    add_shape(w, 31, 2, true);
    add_shape(w, 32, 3, false);
    fbx_object(w, "Deformer", 33, "Deformer", "b", "BlendShape");
    fbx_end(w);
    add_morph_channel(w, 40, first, &whole, 1);
    add_morph_channel(w, 41, second, half, 2);
}

static void link_morphs(fbx_writer *w)
{
    fbx_links(w);
    fbx_link(w, 11, 0, NULL);
    fbx_link(w, 10, 11, NULL);
    fbx_link(w, 33, 10, NULL);
    fbx_link(w, 40, 33, NULL);
    fbx_link(w, 41, 33, NULL);
    fbx_link(w, 30, 40, NULL);
    fbx_link(w, 31, 41, NULL);
    fbx_link(w, 32, 41, NULL);
}

/* Channel 40 gives its shape the weight percent / 100. Channel 41 has shapes at 50 and 100 %. At 75
 * %, both have half the weight. Beyond 100 %, both are extended: at 125 %, to -0.5 and 1.5. FBX
 * SDK, FbxBlendShapeChannel: full weights of the targets in between. */
TEST(weights_of_morph_targets_at_rest_are_read)
{
    static const struct {
        double first, second;
        float expected[3];
    } cases[] = {{0, 0, {0, 0, 0}},          {30, 25, {0.3F, 0.5F, 0}}, {-20, 50, {-0.2F, 1, 0}},
                 {100, 75, {1, 0.5F, 0.5F}}, {150, 100, {1.5F, 0, 1}},  {0, 125, {0, -0.5F, 1.5F}},
                 {0, -25, {0, -0.5F, 0}}};
    for (size_t i = 0; i < 2 * (sizeof cases / sizeof *cases); i++) {
        size_t k = i / 2;
        fbx_writer w;
        begin_morphs(&w, i % 2, cases[k].first, cases[k].second);
        link_morphs(&w);
        facet_scene *scene = load(&w);
        assert_int_equal(scene->mesh_count, 1);
        const facet_mesh *mesh = scene->meshes[0];
        assert_int_equal(mesh->morph_count, 3);
        for (uint32_t n = 0; n < 3; n++) {
            const facet_stream *stream = facet_mesh_find(mesh, FACET_MORPH_POSITION, n);
            assert_non_null(stream);
            assert_float_equal((double)corner_of(mesh, stream, 0)[2], n + 1, 1e-6);
            assert_float_equal((double)mesh->morphs[n].weight, (double)cases[k].expected[n], 1e-6);
        }
        assert_null(test_finding(report, "LOSS-MORPHS"));
        release(scene);
    }
}

/* Channel 40 goes from 0 to 100 % in seconds 0 to 2. Channel 41 goes from 0 to 100 % in seconds 1
 * to 3, and passes its first shape at second 2. */
TEST(morph_channels_with_different_keys_are_combined)
{
    static const double values[2] = {0, 100}, early[2] = {0, 2}, late[2] = {1, 3};
    static const double at[5][4] = {
        {0, 0, 0, 0}, {1, 0.5, 0, 0}, {1.5, 0.75, 0.5, 0}, {2, 1, 1, 0}, {2.5, 1, 0.5, 0.5}};
    for (int binary = 0; binary < 2; binary++) {
        fbx_writer w;
        begin_morphs(&w, binary, 0, 0);
        add_stack(&w);
        add_curve(&w, 22, "DeformPercent", early, values, 2, 24836); /* 24832 + 4 */
        add_curve(&w, 24, "DeformPercent", late, values, 2, 24836);
        link_morphs(&w);
        fbx_link(&w, 21, 20, NULL);
        link_curve(&w, 22, 40, "DeformPercent");
        link_curve(&w, 24, 41, "DeformPercent");
        facet_scene *scene = load(&w);
        assert_int_equal(scene->animation_count, 1);
        assert_int_equal(scene->animations[0]->channel_count, 1);
        const facet_channel *channel = channel_of(scene, FACET_TARGET_WEIGHTS);
        assert_int_equal(channel->width, 3);
        for (size_t i = 0; i < 5; i++) {
            float weights[3];
            facet_channel_sample(channel, at[i][0], weights);
            for (int k = 0; k < 3; k++)
                assert_float_equal((double)weights[k], at[i][k + 1], 1e-6);
        }
        release(scene);
    }
}

#endif
