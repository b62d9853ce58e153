/* The rest pose of J3D models: matrices of joints, and their inverses. */
#include "formats/j3d/gpu/skeleton.h"
#include "support/j3d_geometry.h"

#include <math.h>

/* -- The rest pose ------------------------------------------------------ */

/* Three joints in a row, 10 apart along x. `turn` is the rotation of each about z in joint angle
 * units, `scale` the scale of each. */
static subject chain_of(uint16_t flags, const int16_t turn[3], const float (*scale)[3],
                        uint8_t compensate)
{
    test_j3d *model = plain_model();
    test_j3d_add_joint(model, "b", 0);
    test_j3d_add_joint(model, "c", 1);
    model->flags = flags;
    for (int i = 0; i < 3; i++) {
        model->joints[i].translation[0] = i ? 10 : 0;
        model->joints[i].rotation[2] = turn[i];
        model->joints[i].scale_compensate = compensate;
        memcpy(model->joints[i].scale, scale[i], sizeof *scale);
    }
    static const double xyz[3] = {0, 0, 0};
    static const uint16_t indices[3] = {0, 0, 0};
    uint32_t shape = plain_shape(model);
    test_j3d_add_values(model, FACET_J3D_ARRAY_POSITION, 1, FACET_J3D_F32, 0, xyz, 1);
    test_j3d_add_part(model, shape, FACET_J3D_POSITION, FACET_J3D_INPUT_INDEX8);
    test_j3d_draw(model, shape, 0x90, indices, 3);
    return read_model(model);
}

/* Tolerance: 16383 is half a unit less than a quarter turn, 4.8e-5. */
static void expect_global(const facet_j3d_skeleton *skeleton, uint32_t joint,
                          const double expected[12])
{
    for (int i = 0; i < 12; i++)
        assert_near(skeleton->globals[joint][i], expected[i], 1e-3);
}

static const int16_t no_turns[3] = {0, 0, 0};
/* A quarter turn of joint 1, as exporters store it: 16383 of 32767. */
static const int16_t one_turn[3] = {0, 16383, 0};

TEST(basic_scaling_multiplies_parent_transforms)
{
    static const float scale[3][3] = {{2, 2, 2}, {1, 3, 1}, {0.5F, 1, 1}};
    /* b: T(10) in the space of a, scaled by 2; its axes x -> y, y -> -x, y scaled by 3. */
    static const double b[12] = {0, -6, 0, 20, 2, 0, 0, 0, 0, 0, 2, 0};
    /* c: 10 along the x axis of b, x scaled by a half. */
    static const double c[12] = {0, -6, 0, 20, 1, 0, 0, 20, 0, 0, 2, 0};
    subject s = chain_of(FACET_J3D_SCALING_BASIC, one_turn, scale, 1);
    facet_j3d_skeleton skeleton;
    TEST_OK(facet_j3d_skeleton_create(s.document, s.document->arena, &skeleton, &s.error),
            &s.error);
    expect_global(&skeleton, 1, b);
    expect_global(&skeleton, 2, c);
    assert_true(skeleton.is_plain[0] && skeleton.is_plain[1] && skeleton.is_plain[2]);
    end(&s);
}

/* If the product of the scales above and its own is exactly 1, the joint's own scale is ignored. */
TEST(scaling_basic_quirk)
{
    static const float scale[3][3] = {{2, 2, 2}, {0.5F, 0.5F, 0.5F}, {1, 1, 1}};
    static const double b[12] = {2, 0, 0, 20, 0, 2, 0, 0, 0, 0, 2, 0};
    static const double c[12] = {2, 0, 0, 40, 0, 2, 0, 0, 0, 0, 2, 0};
    subject s = chain_of(FACET_J3D_SCALING_BASIC, no_turns, scale, 0);
    facet_j3d_skeleton skeleton;
    TEST_OK(facet_j3d_skeleton_create(s.document, s.document->arena, &skeleton, &s.error),
            &s.error);
    expect_global(&skeleton, 1, b);
    expect_global(&skeleton, 2, c);
    assert_true(skeleton.is_plain[0]);
    assert_false(skeleton.is_plain[1]);
    assert_true(skeleton.is_plain[2]); /* its own scale is 1, so ignoring it changes nothing */
    end(&s);
}

/* Scales multiply along the chain but apply after all rotations. The scales of parents apply to
 * translations. */
TEST(softimage_scaling_acts_after_rotations)
{
    static const float scale[3][3] = {{2, 1, 1}, {1, 3, 1}, {1, 1, 5}};
    /* U: at 10 * 2, a quarter turn, times S(2, 3, 1). */
    static const double b[12] = {0, -3, 0, 20, 2, 0, 0, 0, 0, 0, 1, 0};
    /* 10 * 2 along the unscaled x axis of b, which is y; times S(2, 3, 5). */
    static const double c[12] = {0, -3, 0, 20, 2, 0, 0, 20, 0, 0, 5, 0};
    subject s = chain_of(FACET_J3D_SCALING_SOFTIMAGE, one_turn, scale, 1);
    facet_j3d_skeleton skeleton;
    TEST_OK(facet_j3d_skeleton_create(s.document, s.document->arena, &skeleton, &s.error),
            &s.error);
    expect_global(&skeleton, 1, b);
    expect_global(&skeleton, 2, c);
    assert_false(skeleton.is_plain[1]);
    end(&s);
}

/* The 3x3 part is divided by the scale of the parent; the translation is not. */
TEST(maya_scaling_divides_out_parent_scale)
{
    static const float scale[3][3] = {{2, 4, 1}, {1, 3, 1}, {1, 1, 5}};
    static const double b[12] = {0, -3, 0, 20, 1, 0, 0, 0, 0, 0, 1, 0};
    /* The scale (1, 3, 1) of b divides the rows of c: (1, 1/3, 5). The columns of b give 3 * 1/3
     * again. 10 along the x axis of b is y. */
    static const double c[12] = {0, -1, 0, 20, 1, 0, 0, 10, 0, 0, 5, 0};
    static const double kept[12] = {0, -6, 0, 20, 4, 0, 0, 0, 0, 0, 1, 0};
    facet_j3d_skeleton skeleton;
    subject s = chain_of(FACET_J3D_SCALING_MAYA, one_turn, scale, 1);
    TEST_OK(facet_j3d_skeleton_create(s.document, s.document->arena, &skeleton, &s.error),
            &s.error);
    expect_global(&skeleton, 1, b);
    expect_global(&skeleton, 2, c);
    assert_false(skeleton.is_plain[1]);
    end(&s);
    for (unsigned off = 0; off < 2; off++) { /* 0 and 0xFF: no compensation */
        s = chain_of(FACET_J3D_SCALING_MAYA, one_turn, scale, off ? 0xFF : 0);
        TEST_OK(facet_j3d_skeleton_create(s.document, s.document->arena, &skeleton, &s.error),
                &s.error);
        expect_global(&skeleton, 1, kept);
        assert_true(skeleton.is_plain[1]);
        end(&s);
    }
}

/* Rz * Ry * Rx, applied to the axes one after another. */
TEST(rotations_apply_x_then_y_then_z)
{
    static const double half_turn = 3.14159265358979323846;
    facet_j3d_joint joint;
    facet_j3d_matrix m;
    memset(&joint, 0, sizeof joint);
    static const int16_t turns[3] = {5000, -12000, 29000};
    static const float scale[3] = {2, 3, 4}, place[3] = {7, 8, 9};
    memcpy(joint.rotation, turns, sizeof turns);
    memcpy(joint.scale, scale, sizeof scale);
    memcpy(joint.translation, place, sizeof place);
    facet_j3d_joint_local(&joint, m);
    for (int axis = 0; axis < 3; axis++) {
        double v[3] = {0, 0, 0};
        v[axis] = (double)scale[axis];
        for (int about = 0; about < 3; about++) {
            double angle = turns[about] * half_turn / 32767;
            int i = (about + 1) % 3, j = (about + 2) % 3;
            double a = v[i] * cos(angle) - v[j] * sin(angle);
            v[j] = v[i] * sin(angle) + v[j] * cos(angle);
            v[i] = a;
        }
        for (int row = 0; row < 3; row++)
            assert_near(m[row * 4 + axis], v[row], 1e-12);
        assert_near(m[axis * 4 + 3], (double)place[axis], 0);
    }
}

/* Envelopes of the small model. At rest every joint is in its bind pose, so a blend is the
 * identity, except for the error of 16383 in the quarter turn. */
TEST(envelopes_at_rest_are_the_identity)
{
    static const double hand[12] = {0, -1, 0, 1, 1, 0, 0, 2, 0, 0, 1, 0};
    static const double identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    subject s = read_model(test_j3d_small());
    facet_j3d_skeleton skeleton;
    TEST_OK(facet_j3d_skeleton_create(s.document, s.document->arena, &skeleton, &s.error),
            &s.error);
    expect_global(&skeleton, 2, hand);
    for (uint32_t d = 3; d < 5; d++) {
        for (int i = 0; i < 12; i++)
            assert_near(facet_j3d_skeleton_draw_matrix(s.document, &skeleton, d)[i], identity[i],
                        1e-3);
    }
    assert_ptr_equal(facet_j3d_skeleton_draw_matrix(s.document, &skeleton, 1), skeleton.globals[1]);
    /* Move the hand by 4 along z: by half of it for the first envelope (arm and hand), by a
     * quarter for the second. */
    s.document->joints.items[2].translation[2] += 4;
    TEST_OK(facet_j3d_skeleton_create(s.document, s.document->arena, &skeleton, &s.error),
            &s.error);
    assert_near(facet_j3d_skeleton_draw_matrix(s.document, &skeleton, 3)[11], 2, 1e-6);
    assert_near(facet_j3d_skeleton_draw_matrix(s.document, &skeleton, 4)[11], 1, 1e-6);
    /* Cyclic parents never come from a file. */
    s.document->joints.items[0].parent = 2;
    assert_int_equal(facet_j3d_skeleton_create(s.document, s.document->arena, &skeleton, &s.error),
                     FACET_ERROR_ARGUMENT);
    end(&s);
}

TEST(matrices_times_their_inverse_are_identity)
{
    static const double m[12] = {2, 1, 0, 5, 0, -3, 1, 6, 1, 0, 4, 7};
    static const double flat[12] = {1, 2, 3, 0, 2, 4, 6, 0, 1, 0, 0, 0};
    double inverse[12], product[12];
    assert_true(facet_j3d_matrix_invert(m, inverse));
    facet_j3d_matrix_multiply(m, inverse, product);
    for (int i = 0; i < 12; i++)
        assert_near(product[i], i % 5 == 0 ? 1 : 0, 1e-12);
    assert_false(facet_j3d_matrix_invert(flat, inverse));
    double unending[12];
    memcpy(unending, m, sizeof m);
    unending[0] = (double)INFINITY;
    assert_false(facet_j3d_matrix_invert(unending, inverse));
    /* A matrix with small values is not singular. */
    for (int i = 0; i < 12; i++)
        unending[i] = m[i] * 1e-6;
    assert_true(facet_j3d_matrix_invert(unending, inverse));
}
