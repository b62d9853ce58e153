/* Remove the nodes above a skeleton that only carry axes or units. The position of every vertex
 * stays. */
#include "support/mesh.h"

#include "base/arena.h"
#include "scene/axis_nodes.h"
#include "scene/matrix.h"
#include "scene/scene.h"

#include <facet/pose.h>
#include <math.h>

/* root, rotated by -90 degrees about x > armature, rotated by 90 about z, scaled by 100, moved >
 * (bone > (joint > (end, sword), lamp), box, skin) */
enum { ROOT, ARMATURE, BONE, JOINT, END, SWORD, LAMP, BOX, SKINNED, NODES };
static const uint32_t parents[NODES] = {FACET_NONE, ROOT, ARMATURE, BONE,    JOINT,
                                        JOINT,      BONE, ARMATURE, ARMATURE};
#define HALF 0.70710678F

static void place(facet_node *node, float x, float y, float z, const float q[4], float scale)
{
    const float t[3] = {x, y, z};
    memcpy(node->transform.translation, t, sizeof t);
    memcpy(node->transform.rotation, q, 4 * sizeof *q);
    for (int i = 0; i < 3; i++)
        node->transform.scale[i] = scale;
}

static facet_channel channel_of(facet_scene *scene, uint32_t node, facet_channel_target target,
                                facet_interpolation how, const float *values, uint32_t width)
{
    size_t count = how == FACET_INTERPOLATION_CUBIC ? 6 : 2;
    float *times = facet_arena_allocate(scene->arena, 2, sizeof *times);
    float *copy = facet_arena_allocate(scene->arena, count, width * sizeof *copy);
    assert_non_null(times);
    assert_non_null(copy);
    times[0] = 0;
    times[1] = 1;
    memcpy(copy, values, count * width * sizeof *copy);
    return (facet_channel){.node = node,
                           .target = target,
                           .interpolation = how,
                           .width = width,
                           .key_count = 2,
                           .times = times,
                           .values = copy};
}

static facet_scene *make_scene(void)
{
    static const float about_x[4] = {-HALF, 0, 0, HALF}, about_z[4] = {0, 0, HALF, HALF},
                       odd[4] = {0.1F, 0.5F, -0.1F, 0.8544004F}, none[4] = {0, 0, 0, 1};
    static const float arc[18] = {0, 1, 0, 0.01F, 0.02F, 0,     1, 0, 0,
                                  0, 0, 2, 0.03F, 0.01F, 0.02F, 0, 1, 0};
    static const float turn[8] = {0, 0, 0, 1, 0.6F, 0, 0, 0.8F}, grow[6] = {1, 1, 1, 1, 1.5F, 0.5F},
                       rest[8] = {0, 0, HALF, HALF, 0, 0, HALF, HALF};
    facet_scene *scene = NULL;
    facet_skin *skin = NULL;
    facet_animation *animation = NULL;
    assert_int_equal(facet_scene_create(NULL, &scene, NULL), FACET_OK);
    for (int i = 0; i < 2; i++) {
        facet_mesh *mesh = NULL;
        assert_int_equal(facet_scene_add_mesh(scene, &mesh, NULL), FACET_OK);
    }
    for (uint32_t i = 0; i < NODES; i++) {
        facet_node *node = NULL;
        assert_int_equal(facet_scene_add_node(scene, "", &node, NULL), FACET_OK);
        node->parent = parents[i];
    }
    place(scene->nodes[ROOT], 0, 0, 0, about_x, 1);
    place(scene->nodes[ARMATURE], 1, 2, 3, about_z, 100);
    place(scene->nodes[BONE], 0.01F, 0.02F, 0, odd, 1);
    place(scene->nodes[JOINT], 0, 0.5F, 0, about_x, 1);
    place(scene->nodes[END], 0, 0.25F, 0, none, 1);
    place(scene->nodes[SWORD], 0.1F, 0, 0, odd, 0.5F);
    place(scene->nodes[BOX], 0.3F, 0, 0.1F, odd, 2);
    scene->nodes[LAMP]->has_matrix = true;
    static const float sheared[16] = {1, 0, 0, 0, 0.5F, 1, 0, 0, 0, 0, 2, 0, 0.1F, 0.2F, 0.3F, 1};
    memcpy(scene->nodes[LAMP]->matrix, sheared, sizeof sheared);
    scene->nodes[LAMP]->light = 0;
    scene->nodes[SWORD]->mesh = scene->nodes[BOX]->mesh = 0;
    scene->nodes[SKINNED]->mesh = 1;
    scene->nodes[SKINNED]->skin = 0;
    assert_int_equal(facet_scene_add_skin(scene, "", 2, &skin, NULL), FACET_OK);
    skin->joints[0] = BONE;
    skin->joints[1] = JOINT;
    for (int i = 0; i < 32; i++)
        skin->inverse_bind[i] = i % 4 == 3 ? (float)(i % 16 == 15) : (float)(i * 7 % 11) / 10;
    assert_int_equal(facet_scene_add_animation(scene, "", 4, &animation, NULL), FACET_OK);
    animation->channels[0] =
        channel_of(scene, BONE, FACET_TARGET_TRANSLATION, FACET_INTERPOLATION_CUBIC, arc, 3);
    animation->channels[1] =
        channel_of(scene, JOINT, FACET_TARGET_ROTATION, FACET_INTERPOLATION_LINEAR, turn, 4);
    animation->channels[2] =
        channel_of(scene, SWORD, FACET_TARGET_SCALE, FACET_INTERPOLATION_LINEAR, grow, 3);
    animation->channels[3] =
        channel_of(scene, ARMATURE, FACET_TARGET_ROTATION, FACET_INTERPOLATION_LINEAR, rest, 4);
    return scene;
}

static const facet_scene *fold(const facet_scene *scene, uint32_t unit)
{
    static const bool joints[NODES] = {[BONE] = true, [JOINT] = true};
    uint32_t depth[NODES], order[NODES];
    const facet_scene *folded = NULL;
    assert_int_equal(facet_scene_order(scene, depth, order, NULL), FACET_OK);
    assert_int_equal(
        facet_scene_fold_axis_nodes(scene, joints, order, unit, scene->arena, &folded, NULL),
        FACET_OK);
    return folded;
}

static void expect_near(const float *a, const float *b)
{
    for (int i = 0; i < 16; i++)
        assert_float_equal((double)a[i], (double)b[i], 2e-4);
}

static void expect_same_places(const facet_scene *before, const facet_scene *after,
                               uint32_t animation, double time)
{
    facet_pose poses[2] = {{0}, {0}};
    const facet_scene *scenes[2] = {before, after};
    static const uint32_t shown[] = {SWORD, LAMP, BOX};
    for (int s = 0; s < 2; s++)
        assert_int_equal(facet_scene_pose(scenes[s], animation, time, NULL, &poses[s], NULL),
                         FACET_OK);
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
        expect_near(poses[0].global + (size_t)shown[i] * 16,
                    poses[1].global + (size_t)shown[i] * 16);
    for (uint32_t j = 0; j < 2; j++) {
        float made[2][16];
        for (int s = 0; s < 2; s++)
            facet_matrix_multiply(poses[s].global + (size_t)before->skins[0]->joints[j] * 16,
                                  scenes[s]->skins[0]->inverse_bind + (size_t)j * 16, made[s]);
        expect_near(made[0], made[1]);
    }
    for (int s = 0; s < 2; s++)
        facet_pose_free(&poses[s]);
}

TEST(axis_nodes_are_removed_from_skeletons)
{
    static const facet_transform origin = {.rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};
    facet_scene *scene = make_scene();
    const facet_scene *folded = fold(scene, FACET_NONE);
    assert_ptr_not_equal(folded, scene);
    assert_memory_equal(&folded->nodes[ROOT]->transform, &origin, sizeof origin);
    assert_memory_equal(&folded->nodes[ARMATURE]->transform, &origin, sizeof origin);
    /* The skeleton has no scale, and its lengths are in world units: 100 * 0.5. */
    assert_float_equal((double)folded->nodes[BONE]->transform.scale[0], 1, 0);
    assert_float_equal((double)folded->nodes[JOINT]->transform.translation[1], 50, 1e-5);
    assert_float_equal((double)folded->nodes[END]->transform.translation[1], 25, 1e-5);
    assert_float_equal((double)folded->nodes[END]->transform.scale[1], 1, 0);
    /* Nodes with a mesh get the scale instead: 100 * 0.5. */
    assert_float_equal((double)folded->nodes[SWORD]->transform.scale[2], 50, 1e-5);
    assert_int_equal(folded->animations[0]->channel_count, 3);
    expect_same_places(scene, folded, FACET_NONE, 0);
    for (double time = 0; time <= 1; time += 0.25)
        expect_same_places(scene, folded, 0, time);
    /* A second call changes nothing, and the input scene is unchanged. */
    assert_ptr_equal(fold(folded, FACET_NONE), folded);
    assert_float_equal((double)scene->nodes[ARMATURE]->transform.scale[0], 100, 0);
    facet_scene_free(scene);
}

/* A node that is animated, has a mesh, or is scaled along one axis is not removed. */
TEST(nodes_with_a_purpose_are_kept)
{
    facet_scene *scene = make_scene();
    facet_channel *channel = &scene->animations[0]->channels[3];
    channel->values[4] = 0.6F;
    channel->values[5] = channel->values[6] = 0;
    channel->values[7] = 0.8F;
    const facet_scene *folded = fold(scene, FACET_NONE);
    assert_float_equal((double)folded->nodes[ARMATURE]->transform.scale[0], 100, 0);
    /* The root above it is still removed. */
    assert_float_equal((double)folded->nodes[ROOT]->transform.rotation[0], 0, 0);
    expect_same_places(scene, folded, 0, 0.5);
    facet_scene_free(scene);

    scene = make_scene();
    scene->nodes[ROOT]->mesh = 0;
    assert_ptr_equal(fold(scene, FACET_NONE), scene);
    scene->nodes[ROOT]->mesh = FACET_NONE;
    scene->nodes[ROOT]->transform.scale[1] = 2;
    assert_ptr_equal(fold(scene, FACET_NONE), scene);
    scene->nodes[ROOT]->transform.scale[1] = -1;
    assert_ptr_equal(fold(scene, FACET_NONE), scene);
    facet_scene_free(scene);
}

/* A root that carries the unit of the scene is reported as such to callers that ask for units. */
TEST(root_with_the_unit_is_reported)
{
    static const float none[4] = {0, 0, 0, 1};
    facet_scene *scene = make_scene();
    place(scene->nodes[ROOT], 0, 0, 0, none, 0.01F);
    place(scene->nodes[ARMATURE], 0, 0, 0, none, 1);
    assert_ptr_equal(fold(scene, ROOT), scene);
    const facet_scene *folded = fold(scene, FACET_NONE);
    assert_ptr_not_equal(folded, scene);
    expect_same_places(scene, folded, 0, 0.5);
    facet_scene_free(scene);
}

/* An armature of Blender can have a unit as scale, a rotation and a translation. Its node keeps the
 * scale. The rest moves into its children. */
TEST(unit_node_keeps_its_scale_and_loses_the_rest)
{
    static const float about_x[4] = {HALF, 0, 0, HALF}, none[4] = {0, 0, 0, 1};
    facet_scene *scene = make_scene();
    place(scene->nodes[ROOT], 0.5F, 2, 3, about_x, 0.01F);
    place(scene->nodes[ARMATURE], 1, 2, 3, none, 1);
    scene->animations[0]->channel_count = 3;
    const facet_scene *folded = fold(scene, ROOT);
    assert_ptr_not_equal(folded, scene);
    const facet_transform *unit = &folded->nodes[ROOT]->transform;
    const facet_transform origin = {.rotation = {0, 0, 0, 1}, .scale = {0.01F, 0.01F, 0.01F}};
    assert_memory_equal(unit, &origin, sizeof origin);
    /* A rotation by 90 degrees about x turns (x, y, z) to (x, -z, y). The translation is
     * (0.5, 2, 3) / 0.01. That of the armature and the bone, (1.01, 2.02, 3), is added after the
     * rotation. */
    const float *moved = folded->nodes[BONE]->transform.translation;
    assert_float_equal((double)moved[0], 51.01, 1e-4);
    assert_float_equal((double)moved[1], 197, 1e-4);
    assert_float_equal((double)moved[2], 302.02, 1e-4);
    expect_same_places(scene, folded, FACET_NONE, 0);
    for (double time = 0; time <= 1; time += 0.25)
        expect_same_places(scene, folded, 0, time);
    assert_ptr_equal(fold(folded, ROOT), folded);
    facet_scene_free(scene);
}
