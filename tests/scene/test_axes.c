/* Axes, transforms and units: the new directions of up, right and front, their effect on winding,
 * and matrices decomposed. Expected numbers are computed here. */
#include "support/mesh.h"

#include "scene/axes.h"
#include "scene/matrix.h"
#include "scene/transform.h"
#include "scene/units.h"

#include <facet/convert.h>
#include <math.h>

/* -- Axes --------------------------------------------------------------- */

/* Right-handed axes are rotated by the quarter turn that moves their up axis to +Y. About x by -90
 * degrees, (x, y, z) becomes (x, z, -y); about z by +90 degrees, (-y, x, z). For left-handed axes,
 * the front is mirrored. */
static const struct {
    facet_axes axes;
    float turned[3]; /* (1, 2, 3) after the turn */
} cases[] = {
    {{FACET_AXIS_Y, false, 0, false}, {1, 2, 3}},  {{FACET_AXIS_Y, true, 0, false}, {1, 2, -3}},
    {{FACET_AXIS_Z, false, 0, false}, {1, 3, -2}}, {{FACET_AXIS_Z, true, 0, false}, {1, 3, 2}},
    {{FACET_AXIS_X, false, 0, false}, {-2, 1, 3}}, {{FACET_AXIS_X, true, 0, false}, {-2, 1, -3}},
};
#define CASES (sizeof cases / sizeof *cases)

static void cross(const float *a, const float *b, float *out)
{
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        out[i] = a[j] * b[k] - a[k] * b[j];
    }
}

TEST(turned_vectors_have_y_up)
{
    for (size_t f = 0; f < CASES; f++) {
        const facet_axes *axes = &cases[f].axes;
        float v[3] = {1, 2, 3}, m[16], moved[3];
        facet_axes_turn(axes, v);
        facet_axes_matrix(axes, m);
        const float point[3] = {1, 2, 3};
        facet_matrix_point(m, point, moved);
        for (int i = 0; i < 3; i++) {
            assert_float_equal(v[i], cases[f].turned[i], 0);
            assert_float_equal(moved[i], cases[f].turned[i], 0);
        }
        /* Up remains up, and left-handed becomes right-handed by a mirror. Nothing else changes. */
        float up[3] = {0, 0, 0};
        up[axes->up == FACET_AXIS_X ? 0 : axes->up == FACET_AXIS_Y ? 1 : 2] = 1;
        facet_axes_turn(axes, up);
        assert_float_equal(up[1], 1, 0);
        assert_float_equal(facet_matrix_determinant(m), axes->left_handed ? -1 : 1, 0);
        assert_int_equal(facet_axes_is_turned(axes), f > 0);
    }
}

/* The outside of a triangle a b c is the direction ab x ac. To the viewer it is counter-clockwise
 * in right-handed axes and clockwise in left-handed ones. A mirror inverts cross products. With the
 * winding reversed, the normal of the turned triangle is the turned normal. */
TEST(turn_keeps_the_outside_outside)
{
    for (size_t f = 0; f < CASES; f++) {
        const facet_axes *axes = &cases[f].axes;
        float ab[3] = {1, 2, 4}, ac[3] = {-3, 1, 2}, outside[3], found[3];
        cross(ab, ac, outside);
        facet_axes_turn(axes, ab);
        facet_axes_turn(axes, ac);
        facet_axes_turn(axes, outside);
        cross(axes->left_handed ? ac : ab, axes->left_handed ? ab : ac, found);
        for (int i = 0; i < 3; i++)
            assert_float_equal(found[i], outside[i], 0);
    }
}

/* The matrix as the transform of a node, in centimeters: a hundredth of the turned vector. */
TEST(turn_is_a_transform)
{
    for (size_t f = 0; f < CASES; f++) {
        facet_axes axes = cases[f].axes;
        facet_transform transform;
        float m[16], moved[3];
        const float point[3] = {1, 2, 3};
        assert_int_equal(facet_axes_transform(&axes, &transform), f > 0);
        axes.unit = 0.01;
        assert_true(facet_axes_transform(&axes, &transform));
        facet_matrix_of_transform(&transform, m);
        facet_matrix_point(m, point, moved);
        for (int i = 0; i < 3; i++)
            assert_float_equal(moved[i], cases[f].turned[i] / 100, 1e-7F);
    }
}

/* -- Writers ------------------------------------------------------------ */

/* A triangle with corners (0, 0, 0), (1, 2, 3), (0, 2, 0) in these axes. */
static facet_scene *make_triangle(const facet_axes *axes)
{
    static const float points[9] = {0, 0, 0, 1, 2, 3, 0, 2, 0};
    facet_scene *scene = test_scene();
    facet_mesh *mesh = test_mesh(scene, 1, NULL);
    assert_true(mesh && test_stream(scene, mesh, FACET_POSITION, 3, 3, points, NULL));
    scene->axes = *axes;
    return scene;
}

static facet_scene *write_and_read(facet_scene *scene, const facet_format *format)
{
    facet_scene *again = NULL;
    facet_output *output = NULL;
    facet_error error;
    facet_prepare_options prepare = {.extra = FACET_NEED_TRIANGLES};
    TEST_OK(facet_prepare(scene, format, &prepare, NULL, NULL, &error), &error);
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(facet_save(scene, format, NULL, output, &error), &error);
    TEST_OK(facet_output_commit(output, &error), &error);
    facet_source source = facet_source_from_memory(facet_output_data(output),
                                                   (size_t)facet_output_size(output), NULL);
    TEST_OK(facet_load(&source, format, NULL, NULL, &again, &error), &error);
    facet_output_free(output);
    /* Nodes may contain the turn. */
    TEST_OK(facet_scene_flatten(again, NULL, NULL, &error), &error);
    assert_int_equal(again->mesh_count, 1);
    TEST_OK(facet_mesh_triangulate(again->meshes[0], NULL, NULL, &error), &error);
    assert_int_equal(again->meshes[0]->face_count, 1);
    return again;
}

/* Every format writes the same turned numbers, in an order that keeps the outside. In the scene the
 * outside is (1, 2, 3) x (0, 2, 0), which turns like a vector. The test applies the axes that a
 * file declares. */
TEST(every_writer_turns_vertices_alike)
{
    static const char *const names[] = {"obj", "bsm", "binarymesh", "bga", "glb",
                                        "bpx", "bmd", "ply",        "stl", "dae"};
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        const facet_format *format = facet_format_named(names[n]);
        if (!facet_format_can_write(format))
            continue;
        for (size_t f = 0; f < CASES; f++) {
            facet_scene *scene = make_triangle(&cases[f].axes);
            float outside[3], found[3], sides[2][3];
            static const float ab[3] = {1, 2, 3}, ac[3] = {0, 2, 0};
            cross(ab, ac, outside);
            facet_axes_turn(&cases[f].axes, outside);
            facet_scene *again = write_and_read(scene, format);
            facet_axes read = again->axes;
            const facet_mesh *mesh = again->meshes[0];
            bool seen = false;
            const float *first = test_element(&mesh->streams[0], 0);
            for (uint32_t corner = 0; corner < 3; corner++) {
                float v[3];
                memcpy(v, test_element(&mesh->streams[0], corner), sizeof v);
                for (int i = 0; i < 3 && corner > 0; i++)
                    sides[corner - 1][i] = v[i] - first[i];
                facet_axes_turn(&read, v);
                float distance = 0;
                for (int i = 0; i < 3; i++)
                    distance = fmaxf(distance, fabsf(v[i] - cases[f].turned[i]));
                seen |= distance < 1e-5F;
            }
            if (!seen)
                fail_msg("%s of axes %zu lost the corner (1, 2, 3)", names[n], f);
            assert_false(read.left_handed);
            cross(sides[0], sides[1], found);
            facet_axes_turn(&read, found);
            for (int i = 0; i < 3; i++) {
                if (fabsf(found[i] - outside[i]) > 1e-4F)
                    fail_msg("%s of axes %zu turned inside out", names[n], f);
            }
            facet_scene_free(again);
            facet_scene_free(scene);
        }
    }
}

/* -- Decomposed matrices ------------------------------------------------ */

static void assert_near(const float *found, const float *expected, int count, float tolerance)
{
    for (int i = 0; i < count; i++)
        assert_float_equal(found[i], expected[i], tolerance);
}

/* Half, third and quarter turns. Each component of their quaternions is the largest once, or
 * several are equal. */
TEST(rotations_become_quaternions)
{
    static const float h = 0.70710678F;
    static const struct {
        double axes[9];
        float q[4];
    } rows[] = {
        {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0, 1}},
        {{1, 0, 0, 0, -1, 0, 0, 0, -1}, {1, 0, 0, 0}},
        {{-1, 0, 0, 0, 1, 0, 0, 0, -1}, {0, 1, 0, 0}},
        {{-1, 0, 0, 0, -1, 0, 0, 0, 1}, {0, 0, 1, 0}},
        {{0, 1, 0, -1, 0, 0, 0, 0, 1}, {0, 0, h, h}},                /* x to y */
        {{0, 1, 0, 0, 0, 1, 1, 0, 0}, {0.5F, 0.5F, 0.5F, 0.5F}},     /* x to y to z to x */
        {{0, 1, 0, 1, 0, 0, 0, 0, -1}, {h, h, 0, 0}},                /* half, about x = y */
        {{0, -1, 0, 0, 0, 1, -1, 0, 0}, {0.5F, -0.5F, -0.5F, 0.5F}}, /* x to -y, y to z */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        float q[4], dot = 0;
        facet_quaternion_of_axes(rows[i].axes, q);
        for (int c = 0; c < 4; c++)
            dot += q[c] * rows[i].q[c];
        /* q and -q are the same rotation. */
        for (int c = 0; c < 4; c++)
            assert_float_equal(q[c] * (dot < 0 ? -1.0F : 1.0F), rows[i].q[c], 1e-7F);
    }
}

/* The matrix of a transform decomposes into that transform: exactly if the rotation has axes of
 * integers, else up to rounding. */
TEST(transform_survives_its_matrix)
{
    static const facet_transform places[] = {
        {{1, 2, 3}, {0, 0, 0, 1}, {1, 1, 1}},
        {{1, 2, 3}, {0, 0, 1, 0}, {2, 0.5F, 7}},
        {{0, 0, 0}, {0.5F, 0.5F, 0.5F, 0.5F}, {1, 2, 3}},
        {{0, -1, 0}, {0.18257419F, 0.36514837F, 0.54772256F, 0.73029674F}, {0.1F, 10, 1}},
    };
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        float m[16], tolerance = i < 3 ? 0 : 1e-6F;
        facet_transform found;
        facet_matrix_of_transform(&places[i], m);
        assert_true(facet_transform_of_matrix(m, FACET_MIRROR_X, &found) < 1e-6);
        assert_near(found.translation, places[i].translation, 3, 0);
        assert_near(found.rotation, places[i].rotation, 4, tolerance);
        assert_near(found.scale, places[i].scale, 3, tolerance * 10);
    }
}

/* A mirror across the plane of x and y. With FACET_MIRROR_X that is (-1, 1, 1) and half a turn
 * about y; with FACET_MIRROR_LEAST it is (1, 1, -1) and no rotation. */
TEST(mirrors_are_decomposed_by_rule)
{
    static const float m[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1};
    static const float by_x[3] = {-1, 1, 1}, half_turn[4] = {0, 1, 0, 0};
    static const float by_z[3] = {1, 1, -1}, none[4] = {0, 0, 0, 1};
    facet_transform found;
    assert_true(facet_transform_of_matrix(m, FACET_MIRROR_X, &found) == 0);
    assert_near(found.scale, by_x, 3, 0);
    assert_near(found.rotation, half_turn, 4, 0);
    facet_transform_of_matrix(m, FACET_MIRROR_LEAST, &found);
    assert_near(found.scale, by_z, 3, 0);
    assert_near(found.rotation, none, 4, 0);
}

/* Axes (2, 0, 0), (1, 1, 0), (0, 0, 3): the cosine between the first two is 1 / sqrt 2, and (0, 1,
 * 0) remains of the second. */
TEST(shear_is_measured)
{
    static const float m[16] = {2, 0, 0, 0, 1, 1, 0, 0, 0, 0, 3, 0, 0, 0, 0, 1};
    static const float none[4] = {0, 0, 0, 1}, scale[3] = {2, 1.41421356F, 3};
    facet_transform found;
    assert_float_equal((float)facet_transform_of_matrix(m, FACET_MIRROR_X, &found), 0.70710678F,
                       1e-7F);
    assert_near(found.rotation, none, 4, 0);
    assert_near(found.scale, scale, 3, 0);
}

/* Columns of length 0: the other axes determine the rotation, and a flat matrix is never a mirror.
 * The transform gives the matrix again. */
TEST(flat_matrices_are_not_mirrors)
{
    static const float rows[][9] = {
        {0, 0, 0, 0, 0, 0, 0, 0, 0},  {0, 0, 0, 0, 2, 0, 0, 0, 3}, {0, 3, 0, 0, 0, 0, 2, 0, 0},
        {0, 3, 0, 2, 0, 0, 0, 0, 0},  {0, 0, 0, 0, 0, 0, 0, 5, 0}, {0, 0, -1, 0, 0, 0, 0, 0, 0},
        {1, 1, 0, 0, 0, 0, -1, 1, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        float m[16] = {0}, again[16], norm = 0;
        for (int c = 0; c < 9; c++)
            m[c / 3 * 4 + c % 3] = rows[i][c];
        m[15] = 1;
        facet_transform found;
        facet_transform_of_matrix(m, FACET_MIRROR_X, &found);
        facet_matrix_of_transform(&found, again);
        assert_near(again, m, 16, 1e-6F);
        for (int c = 0; c < 4; c++)
            norm += found.rotation[c] * found.rotation[c];
        assert_float_equal(norm, 1, 1e-6F);
        for (int c = 0; c < 3; c++)
            assert_true(found.scale[c] >= 0);
    }
}

/* -- Units -------------------------------------------------------------- */

static uint32_t put_node(facet_scene *scene, uint32_t parent, float scale)
{
    facet_error error;
    facet_node *node = NULL;
    uint32_t index = scene->node_count;
    TEST_OK(facet_scene_add_node(scene, "", &node, &error), &error);
    node->parent = parent;
    for (int i = 0; i < 3; i++)
        node->transform.scale[i] = scale;
    return index;
}

/* Parents come before their children here. `root_scale` is the first node's own. */
static facet_units units_beyond(const facet_scene *scene, float root_scale)
{
    uint32_t order[8], below[8];
    float own[8];
    assert_true(scene->node_count <= 8);
    for (uint32_t i = 0; i < scene->node_count; i++) {
        order[i] = i;
        own[i] = i == 0 ? root_scale : 1;
    }
    return facet_units_of_scene(scene, 0.01, order, own, below);
}

static facet_units units_of(const facet_scene *scene)
{
    return units_beyond(scene, 1);
}

/* A root of scale 0.01 in meters with two children. A hundredth of a meter is exactly one
 * centimeter, although no float is 0.01. */
static facet_scene *scene_on_a_scale(void)
{
    facet_scene *scene = test_scene();
    scene->axes.unit = 1;
    uint32_t root = put_node(scene, FACET_NONE, 0.01F);
    put_node(scene, root, 1);
    put_node(scene, root, 1);
    return scene;
}

static void expect_units(const facet_scene *scene, double unit, uint32_t top, double root_scale)
{
    facet_units units = units_of(scene);
    assert_true(fabs(units.unit - unit) <= 1e-9 * unit);
    assert_int_equal(units.top, top);
    assert_true(units.root_scale == root_scale);
}

/* A node of scale 50 that is a joint of scale 0.5 has a hundredfold unit. */
TEST(own_scale_of_a_root_is_no_unit)
{
    static const float even[3] = {0.5F, 0.5F, 0.5F}, uneven[3] = {0.5F, 0.5F, 1};
    facet_scene *scene = scene_on_a_scale();
    assert_true(facet_units_own_scale(even) == 0.5F);
    assert_true(facet_units_own_scale(uneven) == 1);
    assert_true(units_beyond(scene, 0.01F).root_scale == 1);
    assert_true(units_beyond(scene, 0.01F).top == FACET_NONE);
    assert_true(units_beyond(scene, 0.01F).unit == 100); /* meters in centimeters */
    for (int i = 0; i < 3; i++)
        scene->nodes[0]->transform.scale[i] = 50;
    assert_true(units_beyond(scene, 0.5F).root_scale == 100);
    assert_true(units_beyond(scene, 0.5F).unit == 10000);
    facet_scene_free(scene);
}

TEST(root_scale_is_a_unit_for_most_nodes)
{
    facet_scene *scene = scene_on_a_scale();
    facet_node *root = scene->nodes[0];
    assert_true(units_of(scene).unit == 1);
    expect_units(scene, 1, 0, (double)0.01F);
    scene->axes.unit = 0.0254; /* an inch is 2.54 centimeters */
    expect_units(scene, 2.54 * (double)0.01F, 0, (double)0.01F);
    scene->axes.unit = 0; /* an unknown unit is kept */
    expect_units(scene, 1, FACET_NONE, 1);
    scene->axes.unit = 1;
    root->transform.scale[1] = 0.02F; /* a nonuniform scale is not a unit */
    expect_units(scene, 100, FACET_NONE, 1);
    root->transform.scale[1] = 0.01F;
    root->transform.rotation[0] = root->transform.rotation[3] = 0.70710678F; /* may rotate */
    assert_int_equal(units_of(scene).top, 0);
    put_node(scene, put_node(scene, FACET_NONE, 1), 1);
    put_node(scene, FACET_NONE, 1);
    put_node(scene, FACET_NONE, 1);
    assert_int_equal(units_of(scene).top, 0); /* 3 of 5 nodes: two are separate, like a camera */
    put_node(scene, 3, 1);
    expect_units(scene, 100, FACET_NONE, 1); /* 3 of 6: half is not a majority */
    facet_scene_free(scene);
}

/* A node that a skin binds or an animation moves is a joint, with any scale. */
TEST(joints_do_not_give_units)
{
    facet_scene *scene = scene_on_a_scale();
    uint32_t joint = 0;
    facet_skin skin = {.joints = &joint, .joint_count = 1};
    facet_skin *skins[1] = {&skin};
    scene->skins = skins;
    scene->skin_count = 1;
    expect_units(scene, 100, FACET_NONE, 1);
    joint = 1;
    assert_int_equal(units_of(scene).top, 0);
    facet_channel channel = {.node = 0, .target = FACET_TARGET_TRANSLATION};
    facet_animation animation = {.channels = &channel, .channel_count = 1};
    facet_animation *animations[1] = {&animation};
    scene->animations = animations;
    scene->animation_count = 1;
    expect_units(scene, 100, FACET_NONE, 1);
    channel.node = 1;
    assert_int_equal(units_of(scene).top, 0);
    channel.node = 0;
    channel.target = FACET_TARGET_VISIBILITY; /* this channel moves nothing */
    assert_int_equal(units_of(scene).top, 0);
    scene->skins = NULL;
    scene->animations = NULL;
    scene->skin_count = scene->animation_count = 0;
    facet_scene_free(scene);
}

/* Lengths converted to meters and back: short decimal numbers are exact, others have an error of at
 * most the last bit of a float. */
TEST(lengths_survive_a_change_of_unit)
{
    uint32_t seed = 1;
    for (int i = 0; i < 200000; i++) {
        seed = seed * 1664525u + 1013904223u;
        float integer = (float)((int)(seed >> 16) - 32768) / (float)(1 << (seed & 15));
        double back = facet_units_length(100, (float)((double)integer * 0.01));
        assert_true((float)back == integer);
        float any = (float)seed / 65536.0F;
        back = facet_units_length(100, (float)((double)any * 0.01));
        assert_true(fabs(back / (double)any - 1) < 1.2e-7);
        assert_true(facet_units_length(1, any) == (double)any);
    }
}
