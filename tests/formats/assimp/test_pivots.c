/* FBX nodes as Maya and 3ds Max write them: with pivots, joint orients, geometric transforms.
 *
 * The expected transforms come from the formula of the FBX SDK, T * Roff * Rp * Rpre * R *
 * Rpost^-1 * Rp^-1 * Soff * Sp * S * Sp^-1. */
#include "support/models.h"

#include <facet/pose.h>
#include <math.h>

#ifdef FACET_HAVE_ASSIMP

/* -- A file ------------------------------------------------------------- */

static const char *const head =
    "; FBX 7.4.0 project file\nFBXHeaderExtension:  {\n\tFBXHeaderVersion: 1003\n\tFBXVersion: "
    "7400\n}\nGlobalSettings:  {\n\tVersion: 1000\n\tProperties70:  {\n"
    "\t\tP: \"UpAxis\", \"int\", \"Integer\", \"\",1\n"
    "\t\tP: \"UpAxisSign\", \"int\", \"Integer\", \"\",1\n"
    "\t\tP: \"FrontAxis\", \"int\", \"Integer\", \"\",2\n"
    "\t\tP: \"FrontAxisSign\", \"int\", \"Integer\", \"\",1\n"
    "\t\tP: \"CoordAxis\", \"int\", \"Integer\", \"\",0\n"
    "\t\tP: \"CoordAxisSign\", \"int\", \"Integer\", \"\",1\n"
    "\t\tP: \"UnitScaleFactor\", \"double\", \"Number\", \"\",1\n"
    "\t\tP: \"TimeMode\", \"enum\", \"\", \"\",6\n\t}\n}\n"
    "Definitions:  {\n\tVersion: 100\n\tCount: 1\n}\nObjects:  {\n"
    "\tGeometry: 100, \"Geometry::plate\", \"Mesh\" {\n"
    "\t\tVertices: *9 {\n\t\t\ta: 0,0,0,1,0,0,0,1,0\n\t\t}\n"
    "\t\tPolygonVertexIndex: *3 {\n\t\t\ta: 0,1,-3\n\t\t}\n\t}\n";

static const char *const links =
    "Connections:  {\n\tC: \"OO\",1,0\n\tC: \"OO\",2,1\n\tC: \"OO\",3,2\n\tC: \"OO\",100,2\n"
    "\tC: \"OO\",601,600\n\tC: \"OO\",602,601\n\tC: \"OP\",602,2, \"Lcl Rotation\"\n"
    "\tC: \"OP\",603,602, \"d|X\"\n\tC: \"OP\",604,602, \"d|Y\"\n\tC: \"OP\",605,602, \"d|Z\"\n"
    "\tC: \"OO\",612,601\n\tC: \"OP\",612,2, \"Lcl Scaling\"\n"
    "\tC: \"OP\",613,612, \"d|X\"\n\tC: \"OP\",614,612, \"d|Y\"\n\tC: \"OP\",615,612, \"d|Z\"\n"
    "}\n";

/* Degrees about x, y and z at the first second; 0 at the start. */
static const double turn[3] = {30, 40, 60};

/* A curve node with three curves, whose ids follow that of the node. */
static void add_curve_node(char *text, size_t space, int id, const char *name, double from,
                           const double to[3])
{
    size_t used = strlen(text);
    used += (size_t)snprintf(text + used, space - used,
                             "\tAnimationCurveNode: %d, \"AnimCurveNode::%s\", \"\" {\n"
                             "\t\tProperties70:  {\n"
                             "\t\t\tP: \"d|X\", \"Number\", \"\", \"A\",%g\n"
                             "\t\t\tP: \"d|Y\", \"Number\", \"\", \"A\",%g\n"
                             "\t\t\tP: \"d|Z\", \"Number\", \"\", \"A\",%g\n\t\t}\n\t}\n",
                             id, name, from, from, from);
    for (int i = 0; i < 3; i++)
        used += (size_t)snprintf(
            text + used, space - used,
            "\tAnimationCurve: %d, \"AnimCurve::\", \"\" {\n\t\tDefault: 0\n\t\tKeyVer: 4008\n"
            "\t\tKeyTime: *2 {\n\t\t\ta: 0,46186158000\n\t\t}\n"
            "\t\tKeyValueFloat: *2 {\n\t\t\ta: %g,%g\n\t\t}\n"
            "\t\tKeyAttrFlags: *1 {\n\t\t\ta: 24840\n\t\t}\n"
            "\t\tKeyAttrDataFloat: *4 {\n\t\t\ta: 0,0,0,0\n\t\t}\n"
            "\t\tKeyAttrRefCount: *1 {\n\t\t\ta: 2\n\t\t}\n\t}\n",
            id + 1 + i, from, to[i]);
    assert_true(used < space);
}

/* True if the node's scale grows from 0 while it turns. */
static bool grows;

static void add_curves(char *text, size_t space)
{
    static const double whole[3] = {1, 1, 1};
    size_t used = strlen(text);
    snprintf(text + used, space - used,
             "\tAnimationStack: 600, \"AnimStack::move\", \"\" {\n\t\tProperties70:  {\n"
             "\t\t\tP: \"LocalStop\", \"KTime\", \"Time\", \"\",46186158000\n\t\t}\n\t}\n"
             "\tAnimationLayer: 601, \"AnimLayer::base\", \"\" {\n\t}\n");
    add_curve_node(text, space, 602, "R", 0, turn);
    if (grows)
        add_curve_node(text, space, 612, "S", 0, whole);
}

/* The vectors of a node's transform; zeros (and ones in `scaling`) are not written. */
typedef struct placing {
    const char *name;
    double translation[3], rotation_offset[3], rotation_pivot[3], pre_rotation[3], post_rotation[3],
        scaling_offset[3], scaling_pivot[3], scaling[3];
    double geometric[3]; /* a translation */
} placing;

static void add_vector(char *text, size_t space, const char *name, const char *type,
                       const double v[3], double unless)
{
    size_t used = strlen(text);
    if (v[0] != unless || v[1] != unless || v[2] != unless)
        used += (size_t)snprintf(text + used, space - used,
                                 "\t\t\tP: \"%s\", \"%s\", \"\", \"A\",%g,%g,%g\n", name, type,
                                 v[0], v[1], v[2]);
    assert_true(used < space);
}

/* True if +Z is up, else +Y. */
static bool is_z_up;
/* Per direction (up, front, right): the axis and its sign. Or NULL. */
static const int (*axes_of_file)[2];
/* The report of the reader, or NULL. */
static facet_report *heard;

/* base > hand > tip; hand has the mesh and is animated if `moved`. */
static facet_scene *load(const placing *p, bool moved)
{
    static char text[20000];
    snprintf(text, sizeof text,
             "%s\tModel: 1, \"Model::base\", \"Null\" {\n\t\tVersion: 232\n\t}\n"
             "\tModel: 3, \"Model::tip\", \"Null\" {\n\t\tVersion: 232\n\t\tProperties70:  {\n"
             "\t\t\tP: \"Lcl Translation\", \"Lcl Translation\", \"\", \"A\",0,5,0\n\t\t}\n\t}\n"
             "\tModel: 2, \"Model::hand\", \"Mesh\" {\n\t\tVersion: 232\n\t\tProperties70:  {\n",
             head);
    add_vector(text, sizeof text, "RotationOffset", "Vector3D", p->rotation_offset, 0);
    add_vector(text, sizeof text, "RotationPivot", "Vector3D", p->rotation_pivot, 0);
    add_vector(text, sizeof text, "PreRotation", "Vector3D", p->pre_rotation, 0);
    add_vector(text, sizeof text, "PostRotation", "Vector3D", p->post_rotation, 0);
    add_vector(text, sizeof text, "ScalingOffset", "Vector3D", p->scaling_offset, 0);
    add_vector(text, sizeof text, "ScalingPivot", "Vector3D", p->scaling_pivot, 0);
    add_vector(text, sizeof text, "GeometricTranslation", "Vector3D", p->geometric, 0);
    add_vector(text, sizeof text, "Lcl Translation", "Lcl Translation", p->translation, 0);
    add_vector(text, sizeof text, "Lcl Scaling", "Lcl Scaling", p->scaling, 1);
    size_t used = strlen(text);
    snprintf(text + used, sizeof text - used, "\t\t}\n\t}\n");
    if (is_z_up) {
        *strstr(strstr(text, "UpAxis\""), "1") = '2';
        memcpy(strstr(strstr(text, "FrontAxis\""), "2"), "1", 1);
        memcpy(strstr(strstr(text, "FrontAxisSign"), ",1"), ",-1\n", 4);
    }
    static const char *const directions[3] = {"UpAxis", "FrontAxis", "CoordAxis"};
    for (int i = 0; axes_of_file && i < 3; i++) {
        char *axis = strstr(text, directions[i]), *sign = strstr(axis, "Sign");
        memcpy(strstr(axis, "\"\",") + 3, &"0123"[axes_of_file[i][0]], 1);
        if (axes_of_file[i][1] < 0) /* without the blanks, the line has the same length */
            memcpy(strstr(sign, " \"\",1"), "\"\",-1", 5);
    }
    if (moved)
        add_curves(text, sizeof text);
    used = strlen(text);
    snprintf(text + used, sizeof text - used, "}\n%s", links);
    facet_scene *scene = NULL;
    facet_error error = {0};
    facet_source source = {.data = (const uint8_t *)text, .size = strlen(text), .name = "a.fbx"};
    facet_options options = {.report = heard};
    TEST_OK(facet_load(&source, NULL, NULL, &options, &scene, &error), &error);
    return scene;
}

/* -- Transforms ---------------------------------------------------------- */

typedef double matrix[16]; /* column-major */

static void one(matrix m)
{
    for (int i = 0; i < 16; i++)
        m[i] = i % 5 == 0;
}

static void then(matrix m, const matrix by)
{
    matrix made;
    for (int c = 0; c < 4; c++) {
        for (int r = 0; r < 4; r++) {
            made[c * 4 + r] = 0;
            for (int k = 0; k < 4; k++)
                made[c * 4 + r] += m[k * 4 + r] * by[c * 4 + k];
        }
    }
    memcpy(m, made, sizeof made);
}

static void then_move(matrix m, const double v[3], double sign)
{
    matrix by;
    one(by);
    for (int i = 0; i < 3; i++)
        by[12 + i] = sign * v[i];
    then(m, by);
}

/* About x first, then y, then z: Rz * Ry * Rx; or the inverse. */
static void then_turn(matrix m, const double degrees[3], bool inverse)
{
    for (int step = 0; step < 3; step++) {
        int axis = inverse ? step : 2 - step, a = (axis + 1) % 3, b = (axis + 2) % 3;
        double angle = degrees[axis] * 3.14159265358979323846 / 180 * (inverse ? -1 : 1);
        matrix by;
        one(by);
        by[a * 4 + a] = by[b * 4 + b] = cos(angle);
        by[a * 4 + b] = sin(angle);
        by[b * 4 + a] = -sin(angle);
        then(m, by);
    }
}

static void expected_place(const placing *p, const double rotation[3], matrix m)
{
    matrix scale;
    one(m);
    one(scale);
    for (int i = 0; i < 3; i++)
        scale[i * 5] = p->scaling[i];
    then_move(m, p->translation, 1);
    then_move(m, p->rotation_offset, 1);
    then_move(m, p->rotation_pivot, 1);
    then_turn(m, p->pre_rotation, false);
    then_turn(m, rotation, false);
    then_turn(m, p->post_rotation, true);
    then_move(m, p->rotation_pivot, -1);
    then_move(m, p->scaling_offset, 1);
    then_move(m, p->scaling_pivot, 1);
    then(m, scale);
    then_move(m, p->scaling_pivot, -1);
}

static uint32_t node_called(const facet_scene *scene, const char *name)
{
    for (uint32_t i = 0; i < scene->node_count; i++) {
        if (strcmp(scene->nodes[i]->name, name) == 0)
            return i;
    }
    fail_msg("no node is called '%s'", name);
    return 0;
}

static void expect_place(const facet_scene *scene, uint32_t animation, double time,
                         const matrix expected)
{
    facet_pose pose = {0};
    assert_int_equal(facet_scene_pose(scene, animation, time, NULL, &pose, NULL), FACET_OK);
    const float *found = pose.local + (size_t)node_called(scene, "hand") * 16;
    for (int i = 0; i < 16; i++)
        assert_float_equal((double)found[i], expected[i], 1e-4);
    facet_pose_free(&pose);
}

#define PLAIN .translation = {1, 2, 3}, .scaling = {1, 1, 1}

static const placing placings[] = {
    {"nothing", PLAIN},
    {"joint orient", PLAIN, .pre_rotation = {0, 0, 40}},
    {"both orients", PLAIN, .pre_rotation = {10, 20, 40}, .post_rotation = {-15, 5, 25}},
    {"rotation pivot", PLAIN, .rotation_pivot = {0, 10, 0}, .rotation_offset = {0, 3, 1}},
    {"pivot and orients", PLAIN, .rotation_pivot = {1, 10, 0}, .pre_rotation = {10, 20, 40},
     .post_rotation = {-15, 5, 25}},
    {"scaling pivot", .translation = {1, 2, 3}, .scaling = {2, 3, 1}, .scaling_pivot = {1, 4, 0},
     .scaling_offset = {0, 0, 2}},
    {"all", .translation = {1, 2, 3}, .scaling = {2, 2, 2}, .scaling_pivot = {1, 4, 0},
     .scaling_offset = {0, 0, 2}, .rotation_pivot = {1, 10, 0}, .rotation_offset = {0, 3, 1},
     .pre_rotation = {10, 20, 40}, .post_rotation = {-15, 5, 25}},
};

TEST(pivot_transforms_match_the_sdk_formula)
{
    static const double none[3] = {0};
    for (size_t i = 0; i < sizeof placings / sizeof *placings; i++) {
        const placing *p = &placings[i];
        facet_scene *scene = load(p, true);
        matrix expected;
        /* The nodes of the file, and the root that assimp adds above them. */
        assert_int_equal(scene->node_count, 4);
        assert_int_equal(scene->nodes[node_called(scene, "tip")]->parent,
                         node_called(scene, "hand"));
        assert_int_equal(scene->animation_count, 1);
        expected_place(p, none, expected);
        expect_place(scene, FACET_NONE, 0, expected);
        expect_place(scene, 0, 0, expected);
        expected_place(p, turn, expected);
        expect_place(scene, 0, 1, expected);
        facet_scene_free(scene);
    }
}

/* A rotation about a pivot follows an arc: a point on the pivot does not move. */
TEST(rotation_about_a_pivot_follows_an_arc)
{
    const placing p = {"pivot", PLAIN, .rotation_pivot = {0, 10, 0}};
    facet_scene *scene = load(&p, true);
    for (double time = 0; time <= 1; time += 0.03) {
        facet_pose pose = {0};
        assert_int_equal(facet_scene_pose(scene, 0, time, NULL, &pose, NULL), FACET_OK);
        const float *m = pose.local + (size_t)node_called(scene, "hand") * 16;
        /* A straight line from start to end would deviate by 1.5 in the middle. */
        assert_float_equal((double)(m[4] * 10 + m[12]), 1, 0.02);
        assert_float_equal((double)(m[5] * 10 + m[13]), 12, 0.02);
        assert_float_equal((double)(m[6] * 10 + m[14]), 3, 0.02);
        facet_pose_free(&pose);
    }
    facet_scene_free(scene);
}

/* Joints keep their axes: a rotation from +Z up to +Y up, (x, y, z) to (x, z, -y), is applied
 * above all of them. */
TEST(z_up_turn_is_above_all_joints)
{
    const placing p = {"joint orient", PLAIN, .pre_rotation = {0, 0, 40}};
    static const double none[3] = {0};
    matrix expected;
    is_z_up = true;
    facet_scene *scene = load(&p, true);
    is_z_up = false;
    assert_int_equal(scene->axes.up, FACET_AXIS_Y);
    expected_place(&p, none, expected);
    expect_place(scene, 0, 0, expected);
    facet_pose pose = {0};
    assert_int_equal(facet_scene_pose(scene, FACET_NONE, 0, NULL, &pose, NULL), FACET_OK);
    const float *found = pose.global + (size_t)node_called(scene, "hand") * 16;
    for (int c = 0; c < 4; c++) {
        assert_float_equal((double)found[c * 4], expected[c * 4], 1e-4);
        assert_float_equal((double)found[c * 4 + 1], expected[c * 4 + 2], 1e-4);
        assert_float_equal((double)found[c * 4 + 2], -expected[c * 4 + 1], 1e-4);
    }
    facet_pose_free(&pose);
    facet_scene_free(scene);
}

/* The position in the scene of the second vertex of the plate. */
static void second_vertex(const facet_scene *scene, float at[3])
{
    facet_pose pose = {0};
    const float *v = (float *)facet_mesh_find(scene->meshes[0], FACET_POSITION, 0)->data + 3;
    assert_int_equal(facet_scene_pose(scene, FACET_NONE, 0, NULL, &pose, NULL), FACET_OK);
    const float *m = pose.global + (size_t)node_called(scene, "hand") * 16;
    for (int i = 0; i < 3; i++)
        at[i] = m[i] * v[0] + m[4 + i] * v[1] + m[8 + i] * v[2] + m[12 + i];
    facet_pose_free(&pose);
}

/* All 48 axes of an FBX, with and without motion. The second vertex, 1 0 0 of a node at 4 2 3, is
 * at v = 5 2 3 of the file. The right axis of the file becomes x, the up axis y, the front axis
 * z. */
TEST(axes_of_an_fbx_become_right_up_front)
{
    const placing p = {"plain", .translation = {4, 2, 3}, .scaling = {1, 1, 1}};
    const facet_axes target = {.up = FACET_AXIS_Y};
    const float v[3] = {5, 2, 3};
    int places = 0;
    for (int i = 0; i < 6 * 8 * 2; i++) {
        int first = i % 3, second = (first + 1 + i / 3 % 2) % 3, signs = i / 6 % 8;
        const int axes[3][2] = {{first, signs & 1 ? -1 : 1},
                                {second, signs & 2 ? -1 : 1},
                                {3 - first - second, signs & 4 ? -1 : 1}};
        axes_of_file = axes;
        facet_scene *scene = load(&p, i >= 48);
        axes_of_file = NULL;
        facet_error error;
        TEST_OK(facet_scene_set_axes(scene, &target, &error), &error);
        float at[3];
        second_vertex(scene, at);
        for (int k = 0; k < 3; k++) {
            const int *from = axes[(k + 2) % 3]; /* right, up, front */
            places += fabsf(at[k] - (float)from[1] * v[from[0]]) < 1e-5F;
        }
        facet_scene_free(scene);
    }
    assert_int_equal(places, 48 * 2 * 3);
}

/* Up and right are both x. */
TEST(contradicting_axes_are_reported)
{
    const placing p = {"plain", PLAIN};
    static const int axes[3][2] = {{0, 1}, {1, 1}, {0, 1}};
    facet_error error;
    TEST_OK(facet_report_create(NULL, &heard, &error), &error);
    axes_of_file = axes;
    facet_scene *scene = load(&p, false);
    axes_of_file = NULL;
    assert_non_null(test_finding(heard, "ASSIMP-AXES"));
    assert_int_equal(scene->axes.up, FACET_AXIS_Y);
    facet_scene_free(scene);
    facet_report_free(heard);
    heard = NULL;
}

static const facet_channel *channel_of(const facet_scene *scene, facet_channel_target target)
{
    const facet_animation *animation = scene->animations[0];
    for (uint32_t i = 0; i < animation->channel_count; i++) {
        if (animation->channels[i].target == target)
            return &animation->channels[i];
    }
    fail();
    return NULL;
}

/* The cosine of half the angle between the rotations of the first and the last key; the scale
 * begins at 0. */
static double turned_while_growing(const placing *p, bool *reported)
{
    facet_error error;
    TEST_OK(facet_report_create(NULL, &heard, &error), &error);
    grows = true;
    facet_scene *scene = load(p, true);
    grows = false;
    *reported = test_finding(heard, "ASSIMP-ZERO-SCALE") != NULL;
    facet_report_free(heard);
    heard = NULL;
    const facet_channel *scale = channel_of(scene, FACET_TARGET_SCALE);
    const facet_channel *rotation = channel_of(scene, FACET_TARGET_ROTATION);
    assert_float_equal((double)scale->values[0], 0, 0);
    assert_float_equal((double)scale->values[(size_t)(scale->key_count - 1) * 3], 1, 1e-6);
    double dot = 0;
    for (int k = 0; k < 4; k++)
        dot += (double)rotation->values[k] *
               (double)rotation->values[(size_t)(rotation->key_count - 1) * 4 + k];
    facet_scene_free(scene);
    return fabs(dot);
}

/* R turns about x by 30, y by 40, z by 60 degrees. w of qz qy qx is cz cy cx + sz sy sx, of half
 * the angles. */
static double whole_turn(void)
{
    const double half = acos(-1) / 360;
    return cos(60 * half) * cos(40 * half) * cos(30 * half) +
           sin(60 * half) * sin(40 * half) * sin(30 * half);
}

/* assimp gives one matrix per key; a matrix with scale 0 has no rotation. The curves are resampled,
 * so the nearest key is less than a degree away. */
TEST(rotation_at_scale_zero_is_that_of_the_nearest_key)
{
    const placing p = {"plain", .scaling = {1, 1, 1}};
    bool reported;
    assert_float_equal(turned_while_growing(&p, &reported), whole_turn(), 0.005);
    assert_true(reported);
}

/* With a pivot the factors are available. */
TEST(rotation_at_scale_zero_is_known_from_factors)
{
    const placing p = {"pivot", .scaling = {1, 1, 1}, .rotation_pivot = {1, 0, 0}};
    bool reported;
    assert_float_equal(turned_while_growing(&p, &reported), whole_turn(), 1e-5);
    assert_false(reported);
}

/* The mesh is moved; the children of the node are not. */
TEST(geometric_transform_moves_only_the_mesh)
{
    const placing p = {"geometric", PLAIN, .geometric = {0, 0, 7}};
    facet_scene *scene = load(&p, false);
    uint32_t hand = node_called(scene, "hand"), tip = node_called(scene, "tip");
    assert_int_equal(scene->node_count, 5);
    assert_int_equal(scene->nodes[hand]->mesh, FACET_NONE);
    assert_int_equal(scene->nodes[tip]->parent, hand);
    assert_float_equal((double)scene->nodes[tip]->transform.translation[1], 5, 0);
    const facet_node *shown = scene->nodes[4];
    assert_int_equal(shown->parent, hand);
    assert_int_equal(shown->mesh, 0);
    assert_float_equal((double)shown->transform.translation[2], 7, 0);
    assert_float_equal((double)scene->nodes[hand]->transform.translation[2], 3, 0);
    facet_scene_free(scene);
}

#endif
