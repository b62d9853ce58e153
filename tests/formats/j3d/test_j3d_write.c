/* Tests of handwritten scenes and their J3D documents. The expected vertex positions are computed
 * here from the joints and display lists of the document. */
#include "support/mesh.h"
#include "support/support.h"

#include "base/arena.h"
#include "formats/j3d/gpu/geometry.h"
#include "formats/j3d/gpu/skeleton.h"
#include "formats/j3d/scene/from_scene/packets.h"

#include <facet/convert.h>
#include <facet/j3d.h>
#include <math.h>
#include <stdlib.h>

/* -- Documents ---------------------------------------------------------- */

static facet_j3d *write_document(facet_scene *scene, facet_j3d_kind kind,
                                 const facet_options *options)
{
    facet_error error;
    facet_options of_kind = options ? *options : (facet_options){0};
    facet_j3d_options how = of_kind.j3d ? *of_kind.j3d : (facet_j3d_options){0};
    facet_j3d *document = NULL;
    how.kind = kind;
    of_kind.j3d = &how;
    TEST_OK(facet_prepare(scene, facet_format_named("bmd"), NULL, NULL, NULL, &error), &error);
    TEST_OK(facet_j3d_from_scene(scene, &of_kind, &document, &error), &error);
    assert_int_equal(document->kind, kind);
    return document;
}

static facet_status write_error(facet_scene *scene, facet_error *error)
{
    facet_j3d *document = NULL;
    TEST_OK(facet_prepare(scene, facet_format_named("bmd"), NULL, NULL, NULL, error), error);
    facet_status status = facet_j3d_from_scene(scene, NULL, &document, error);
    if (!status)
        facet_j3d_free(document);
    return status;
}

/* Write a document to memory. */
static facet_output *bytes_of(const facet_j3d *document)
{
    facet_error error;
    facet_output *output = NULL;
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(facet_j3d_write(document, NULL, output, &error), &error);
    TEST_OK(facet_output_commit(output, &error), &error);
    return output;
}

/* The corners of every triangle in model space, counter-clockwise: nine floats each. */
typedef struct placed {
    float *corners;
    size_t count;
} placed;

static placed place(const facet_j3d *document)
{
    facet_error error;
    facet_arena *arena = NULL;
    facet_j3d_skeleton skeleton;
    placed made = {0};
    TEST_OK(facet_arena_create(NULL, &arena, &error), &error);
    TEST_OK(facet_j3d_skeleton_create(document, arena, &skeleton, &error), &error);
    facet_j3d_decoder decoder = {.document = document, .arena = arena};
    for (uint32_t i = 0; i < document->shapes.count; i++) {
        facet_j3d_geometry geometry;
        TEST_OK(facet_j3d_decode_shape(&decoder, i, &geometry, &error), &error);
        float *positions = malloc((size_t)geometry.vertex_count * 12 + 12);
        facet_j3d_geometry_positions(&geometry, positions);
        made.corners = realloc(made.corners, (made.count + geometry.triangle_count) * 36 + 36);
        for (uint32_t k = 0; k < geometry.triangle_count * 3; k++) {
            uint32_t vertex = geometry.corners[k];
            facet_j3d_matrix_point(
                facet_j3d_skeleton_draw_matrix(document, &skeleton,
                                               facet_j3d_geometry_draw_matrix(&geometry, vertex)),
                positions + (size_t)vertex * 3, made.corners + made.count * 9 + (size_t)k * 3);
        }
        made.count += geometry.triangle_count;
        free(positions);
    }
    facet_j3d_decoder_free(&decoder);
    facet_arena_free(arena);
    return made;
}

/* True if a triangle has these corners in this winding order. */
static bool has_triangle(const placed *p, const float corners[9], float most)
{
    for (size_t i = 0; i < p->count; i++) {
        for (int turn = 0; turn < 3; turn++) {
            bool same = true;
            for (int k = 0; k < 9; k++)
                same &=
                    fabsf(p->corners[i * 9 + (size_t)((k + turn * 3) % 9)] - corners[k]) <= most;
            if (same)
                return true;
        }
    }
    return false;
}

static uint16_t joint_named(const facet_j3d *document, const char *name)
{
    for (uint16_t i = 0; i < document->joints.count; i++) {
        if (strcmp(document->joints.names.items[i].bytes, name) == 0)
            return i;
    }
    fail_msg("no joint '%s'", name);
    return 0;
}

/* -- Scenes ------------------------------------------------------------- */

static const float corner_points[9] = {0, 0, 0, 1, 0, 0, 0, 2, 0};

/* One triangle: (0 0 0), (1 0 0), (0 2 0). */
static uint32_t add_triangle(facet_scene *scene)
{
    facet_mesh *mesh = test_mesh(scene, 1, NULL);
    assert_non_null(mesh);
    assert_true(test_stream(scene, mesh, FACET_POSITION, 3, 3, corner_points, NULL));
    return scene->mesh_count - 1;
}

static uint32_t add_node(facet_scene *scene, const char *name, uint32_t parent, uint32_t mesh)
{
    facet_node *node = NULL;
    assert_int_equal(facet_scene_add_node(scene, name, &node, NULL), FACET_OK);
    node->parent = parent;
    node->mesh = mesh;
    return scene->node_count - 1;
}

/* A quarter turn about z. */
static void turn_about_z(facet_node *node)
{
    node->transform.rotation[2] = node->transform.rotation[3] = 0.70710678F;
}

static facet_scene *make_textured(uint32_t side, facet_wrap wrap, facet_filter minify);

/* -- Joints ------------------------------------------------------------- */

/* root (a quarter turn about z, at x = 5) > arm (scaled by 2) with the triangle. A point (x y 0)
 * moves to (5 - 2y, 2x, 0). */
TEST(nodes_are_joints)
{
    facet_scene *scene = test_scene();
    uint32_t root = add_node(scene, "root", FACET_NONE, FACET_NONE);
    uint32_t arm = add_node(scene, "arm", root, add_triangle(scene));
    add_node(scene, "end", arm, FACET_NONE);
    turn_about_z(scene->nodes[root]);
    scene->nodes[root]->transform.translation[0] = 5;
    for (int i = 0; i < 3; i++)
        scene->nodes[arm]->transform.scale[i] = 2;
    facet_j3d *document = write_document(scene, FACET_J3D_BMD3, NULL);
    assert_int_equal(document->joints.count, 3);
    const facet_j3d_joint *joints = document->joints.items;
    assert_string_equal(document->joints.names.items[0].bytes, "root");
    assert_string_equal(document->joints.names.items[1].bytes, "arm");
    assert_string_equal(document->joints.names.items[2].bytes, "end");
    assert_int_equal(document->joints.names.items[0].hash, 0x11AE); /* hash of "root" */
    /* 90 degrees are 16383.5 of 32767. */
    assert_true(joints[0].rotation[2] == 16383 || joints[0].rotation[2] == 16384);
    assert_int_equal(joints[0].rotation[0], 0);
    assert_int_equal(joints[0].parent, FACET_J3D_NONE);
    assert_int_equal(joints[1].parent, 0);
    assert_int_equal(joints[2].parent, 1);
    assert_float_equal(joints[1].scale[1], 2, 0);
    assert_float_equal(joints[0].translation[0], 5, 0);
    /* kinds: the root is a group, the arm has a shape */
    assert_int_equal(joints[0].kind, 2);
    assert_int_equal(joints[1].kind, 0);
    assert_int_equal(document->envelopes.count, 0);
    assert_int_equal(document->shapes.count, 1);
    assert_int_equal(document->shapes.items[0].type, FACET_J3D_SHAPE_SINGLE);
    assert_int_equal(document->shapes.items[0].joint, 1);
    /* bounds are in joint space */
    assert_float_equal(joints[1].maximum[1], 2, 1e-4);
    assert_float_equal(joints[1].radius, 2, 1e-4);
    assert_float_equal(document->shapes.items[0].maximum[0], 1, 1e-4);
    assert_float_equal(joints[0].radius, 0, 0);
    placed p = place(document);
    assert_int_equal(p.count, 1);
    const float expected[9] = {5, 0, 0, 5, 2, 0, 1, 0, 0};
    assert_true(has_triangle(&p, expected, 1e-3F));
    free(p.corners);
    facet_j3d_free(document);
    facet_scene_free(scene);
}

/* The hierarchy of two joints with a shape each, as the exporters nest it. */
TEST(hierarchy_nests_joints_materials_shapes)
{
    static const facet_j3d_node expected[] = {
        {FACET_J3D_NODE_JOINT, 0}, {FACET_J3D_NODE_OPEN, 0},  {FACET_J3D_NODE_MATERIAL, 0},
        {FACET_J3D_NODE_OPEN, 0},  {FACET_J3D_NODE_SHAPE, 0}, {FACET_J3D_NODE_OPEN, 0},
        {FACET_J3D_NODE_JOINT, 1}, {FACET_J3D_NODE_OPEN, 0},  {FACET_J3D_NODE_MATERIAL, 1},
        {FACET_J3D_NODE_OPEN, 0},  {FACET_J3D_NODE_SHAPE, 1}, {FACET_J3D_NODE_CLOSE, 0},
        {FACET_J3D_NODE_CLOSE, 0}, {FACET_J3D_NODE_JOINT, 2}, {FACET_J3D_NODE_CLOSE, 0},
        {FACET_J3D_NODE_CLOSE, 0}, {FACET_J3D_NODE_CLOSE, 0},
    };
    facet_scene *scene = test_scene();
    uint32_t mesh = add_triangle(scene);
    uint32_t root = add_node(scene, "a", FACET_NONE, mesh);
    add_node(scene, "b", root, mesh);
    add_node(scene, "c", root, FACET_NONE);
    facet_j3d *document = write_document(scene, FACET_J3D_BMD3, NULL);
    const facet_j3d_hierarchy *hierarchy = &document->hierarchy;
    assert_int_equal(hierarchy->node_count, sizeof expected / sizeof *expected);
    for (uint32_t i = 0; i < hierarchy->node_count; i++) {
        assert_int_equal(hierarchy->nodes[i].type, expected[i].type);
        assert_int_equal(hierarchy->nodes[i].index, expected[i].index);
    }
    assert_int_equal(hierarchy->packet_count, 2);
    assert_int_equal(hierarchy->vertex_count, 3); /* both joints draw the same three points */
    /* The same material on two joints: two slots with its name, one entry. */
    assert_int_equal(document->materials.slot_count, 2);
    assert_int_equal(document->materials.entry_count, 1);
    assert_string_equal(document->materials.names.items[0].bytes, "material");
    assert_string_equal(document->materials.names.items[1].bytes, "material");
    facet_j3d_free(document);
    facet_scene_free(scene);
}

/* Two roots get a common parent; a lamp does not become a joint. */
TEST(several_roots_get_a_common_parent)
{
    facet_scene *scene = test_scene();
    uint32_t mesh = add_triangle(scene);
    add_node(scene, "left", FACET_NONE, mesh);
    add_node(scene, "right", FACET_NONE, mesh);
    scene->nodes[1]->transform.translation[0] = 10;
    uint32_t lamp = add_node(scene, "lamp", FACET_NONE, FACET_NONE);
    facet_light *light = NULL;
    assert_int_equal(facet_scene_add_light(scene, "sun", &light, NULL), FACET_OK);
    scene->nodes[lamp]->light = 0;
    facet_j3d *document = write_document(scene, FACET_J3D_BMD3, NULL);
    assert_int_equal(document->joints.count, 3);
    assert_string_equal(document->joints.names.items[0].bytes, "root");
    assert_int_equal(document->joints.items[1].parent, 0);
    assert_int_equal(document->joints.items[2].parent, 0);
    placed p = place(document);
    const float expected[9] = {10, 0, 0, 11, 0, 0, 10, 2, 0};
    assert_true(has_triangle(&p, corner_points, 1e-4F));
    assert_true(has_triangle(&p, expected, 1e-4F));
    free(p.corners);
    facet_j3d_free(document);
    facet_scene_free(scene);
}

/* The mesh of a hidden node is dropped and reported. */
TEST(hidden_meshes_are_dropped_and_reported)
{
    facet_scene *scene = test_scene();
    facet_report *report = NULL;
    uint32_t mesh = add_triangle(scene);
    add_node(scene, "shown", FACET_NONE, mesh);
    add_node(scene, "hidden", FACET_NONE, mesh);
    assert_int_equal(facet_report_create(NULL, &report, NULL), FACET_OK);
    const facet_options options = {.report = report};
    facet_j3d_free(write_document(scene, FACET_J3D_BMD3, &options));
    assert_null(test_finding(report, "LOSS-MESHES"));
    scene->nodes[1]->hidden = true;
    facet_j3d *document = write_document(scene, FACET_J3D_BMD3, &options);
    placed p = place(document);
    assert_int_equal(p.count, 1);
    assert_non_null(test_finding(report, "LOSS-MESHES"));
    free(p.corners);
    facet_j3d_free(document);
    facet_report_free(report);
    facet_scene_free(scene);
}

/* The joint of a mirrored node is not mirrored. Its vertices are, and the triangles are reversed
 * to keep their front. */
TEST(mirrored_node_moves_into_its_vertices)
{
    facet_scene *scene = test_scene();
    uint32_t node = add_node(scene, "mirror", FACET_NONE, add_triangle(scene));
    scene->nodes[node]->transform.scale[0] = -1;
    scene->nodes[node]->transform.translation[1] = 1;
    facet_j3d *document = write_document(scene, FACET_J3D_BMD3, NULL);
    for (int i = 0; i < 3; i++)
        assert_float_equal(document->joints.items[0].scale[i], 1, 0);
    placed p = place(document);
    const float expected[9] = {0, 1, 0, 0, 3, 0, -1, 1, 0};
    assert_int_equal(p.count, 1);
    assert_true(has_triangle(&p, expected, 1e-4F));
    free(p.corners);
    facet_j3d_free(document);
    facet_scene_free(scene);
}

/* A joint cannot have shear: the vertices get it, with a warning. */
TEST(shear_moves_into_the_vertices)
{
    static const float shear[16] = {1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 3, 1};
    facet_scene *scene = test_scene();
    facet_report *report = NULL;
    assert_int_equal(facet_report_create(NULL, &report, NULL), FACET_OK);
    facet_options options = {.report = report};
    uint32_t node = add_node(scene, "lean", FACET_NONE, add_triangle(scene));
    scene->nodes[node]->has_matrix = true;
    memcpy(scene->nodes[node]->matrix, shear, sizeof shear);
    facet_j3d *document = write_document(scene, FACET_J3D_BMD3, &options);
    assert_non_null(test_finding(report, "LOSS-NODES"));
    placed p = place(document);
    const float expected[9] = {0, 0, 3, 1, 0, 3, 2, 2, 3}; /* x' = x + y */
    assert_true(has_triangle(&p, expected, 1e-3F));
    free(p.corners);
    facet_report_free(report);
    facet_j3d_free(document);
    facet_scene_free(scene);
}

/* Scaled by 2, then by a half: the product of all scales is 1, and the basic rule would ignore
 * the half. */
TEST(scales_that_cancel)
{
    facet_scene *scene = test_scene();
    uint32_t root = add_node(scene, "large", FACET_NONE, FACET_NONE);
    uint32_t child = add_node(scene, "small", root, add_triangle(scene));
    for (int i = 0; i < 3; i++) {
        scene->nodes[root]->transform.scale[i] = 2;
        scene->nodes[child]->transform.scale[i] = 0.5F;
    }
    facet_j3d *document = write_document(scene, FACET_J3D_BMD3, NULL);
    assert_int_equal(document->hierarchy.flags, FACET_J3D_SCALING_MAYA);
    placed p = place(document);
    assert_true(has_triangle(&p, corner_points, 1e-4F));
    free(p.corners);
    facet_j3d_free(document);
    facet_scene_free(scene);
}

/* +Z up, left-handed, millimeters: (x y z) becomes (x z y) / 10, since a unit is a centimeter.
 * The triangles are reversed. */
TEST(scene_axes_convert_to_y_up_centimeters)
{
    static const float points[9] = {100, 0, 0, 0, 200, 0, 0, 0, 300};
    facet_scene *scene = test_scene();
    facet_mesh *mesh = test_mesh(scene, 1, NULL);
    assert_true(test_stream(scene, mesh, FACET_POSITION, 3, 3, points, NULL));
    scene->axes = (facet_axes){.up = FACET_AXIS_Z, .left_handed = true, .unit = 0.001};
    facet_j3d *document = write_document(scene, FACET_J3D_BMD3, NULL);
    placed p = place(document);
    const float expected[9] = {10, 0, 0, 0, 30, 0, 0, 0, 20};
    assert_int_equal(p.count, 1);
    assert_true(has_triangle(&p, expected, 1e-3F));
    free(p.corners);
    facet_j3d_free(document);
    facet_scene_free(scene);
}

/* -- Skins -------------------------------------------------------------- */

/* A rig as Blender exports it: Armature > (body, hip > leg). It has four vertices: one follows
 * the hip, one the leg, and two follow both with the same weights. */
static facet_scene *make_rig(void)
{
    static const float points[12] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};
    static const uint16_t joints[16] = {0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0};
    static const float weights[16] = {1,     0,     0, 0, 1,     0,     0, 0,
                                      0.25F, 0.75F, 0, 0, 0.75F, 0.25F, 0, 0};
    static const uint32_t indices[6] = {0, 1, 2, 0, 2, 3};
    facet_scene *scene = test_scene();
    facet_mesh *mesh = test_mesh(scene, 2, NULL);
    facet_stream *stream = NULL;
    facet_skin *skin = NULL;
    assert_true(test_stream(scene, mesh, FACET_POSITION, 3, 4, points, indices));
    uint32_t *shared = mesh->streams[0].indices;
    assert_int_equal(
        facet_mesh_add_stream(mesh, FACET_JOINTS, 0, NULL, FACET_UINT16, 4, 4, &stream, NULL),
        FACET_OK);
    memcpy(stream->data, joints, sizeof joints);
    stream->indices = shared;
    assert_int_equal(
        facet_mesh_add_stream(mesh, FACET_WEIGHTS, 0, NULL, FACET_FLOAT32, 4, 4, &stream, NULL),
        FACET_OK);
    memcpy(stream->data, weights, sizeof weights);
    stream->indices = shared;
    uint32_t armature = add_node(scene, "Armature", FACET_NONE, FACET_NONE);
    uint32_t body = add_node(scene, "body", armature, 0);
    uint32_t hip = add_node(scene, "hip", armature, FACET_NONE);
    uint32_t leg = add_node(scene, "leg", hip, FACET_NONE);
    scene->nodes[hip]->transform.translation[1] = 1;
    scene->nodes[leg]->transform.translation[1] = -0.5F;
    assert_int_equal(facet_scene_add_skin(scene, "rig", 2, &skin, NULL), FACET_OK);
    skin->joints[0] = hip;
    skin->joints[1] = leg;
    skin->inverse_bind[13] = -1;         /* the hip is at y = 1 */
    skin->inverse_bind[16 + 13] = -0.5F; /* the leg at y = 0.5 */
    scene->nodes[body]->skin = 0;
    return scene;
}

TEST(skin_bones_become_joints_and_envelopes)
{
    facet_scene *scene = make_rig();
    facet_j3d *document = write_document(scene, FACET_J3D_BDL4, NULL);
    /* Only the bones are joints: animations count them. */
    assert_int_equal(document->joints.count, 2);
    assert_int_equal(joint_named(document, "hip"), 0);
    assert_int_equal(joint_named(document, "leg"), 1);
    /* Two matrices of one joint each, then one blend, which is listed twice. */
    const facet_j3d_draw_matrices *draw = &document->draw_matrices;
    static const facet_j3d_draw_matrix expected[] = {{0, 0}, {0, 1}, {1, 0}, {1, 0}};
    assert_int_equal(draw->count, 4);
    assert_int_equal(draw->effective_count, 3);
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(draw->items[i].is_envelope, expected[i].is_envelope);
        assert_int_equal(draw->items[i].index, expected[i].index);
    }
    assert_int_equal(document->envelopes.count, 1);
    assert_int_equal(document->envelopes.items[0].count, 2);
    assert_int_equal(document->envelopes.inverse_bind_count, 2);
    assert_float_equal(document->envelopes.inverse_bind[1][7], -0.5F, 0);
    assert_int_equal(document->shapes.items[0].type, FACET_J3D_SHAPE_MULTI);
    assert_int_equal(document->shapes.group_count, 1);
    assert_int_equal(document->shapes.groups[0].count, 3);
    assert_int_equal(document->shapes.matrix_table[document->shapes.groups[0].first],
                     document->shapes.groups[0].use_matrix);
    placed p = place(document);
    const float one[9] = {0, 0, 0, 1, 0, 0, 1, 1, 0}, two[9] = {0, 0, 0, 1, 1, 0, 0, 1, 0};
    assert_int_equal(p.count, 2);
    assert_true(has_triangle(&p, one, 1e-4F));
    assert_true(has_triangle(&p, two, 1e-4F));
    free(p.corners);
    facet_j3d_free(document);
    facet_scene_free(scene);
}

/* Corner 2 has the weights 0.3, 0.2 and 0.5. With two, these are 0.3 / 0.8 and 0.5 / 0.8. A fifth
 * moves with other joints. */
TEST(weights_are_limited)
{
    static const float weights[3] = {0.3F, 0.2F, 0.5F};
    for (uint32_t most = 1; most <= 4; most++) {
        facet_scene *scene = make_rig();
        facet_skin *skin = NULL;
        uint32_t foot = add_node(scene, "foot", 3, FACET_NONE);
        assert_int_equal(facet_scene_add_skin(scene, "three", 3, &skin, NULL), FACET_OK);
        memcpy(skin->joints, scene->skins[0]->joints, 2 * sizeof *skin->joints);
        memcpy(skin->inverse_bind, scene->skins[0]->inverse_bind, 32 * sizeof(float));
        skin->joints[2] = foot;
        skin->inverse_bind[32 + 13] = -0.5F;
        scene->nodes[1]->skin = 1;
        for (uint16_t k = 0; k < 3; k++) {
            ((uint16_t *)facet_mesh_find(scene->meshes[0], FACET_JOINTS, 0)->data)[8 + k] = k;
            ((float *)facet_mesh_find(scene->meshes[0], FACET_WEIGHTS, 0)->data)[8 + k] =
                weights[k];
        }
        facet_report *report = NULL;
        assert_int_equal(facet_report_create(NULL, &report, NULL), FACET_OK);
        const facet_j3d_options j3d = {.weights = most};
        const facet_options options = {.report = report, .j3d = &j3d};
        facet_j3d *document = write_document(scene, FACET_J3D_BMD3, &options);
        const facet_finding *lost = test_finding(report, "LOSS-SKIN");
        const facet_j3d_influence *left = document->envelopes.influences;
        static const char *const messages[] = {
            "2 vertices keep their 1 largest weights: up to 50 %",
            "1 vertices keep their 2 largest weights: up to 20 %"};
        if (most <= 2)
            assert_non_null(strstr(lost->message, messages[most - 1]));
        else
            assert_null(lost);
        assert_int_equal(document->envelopes.count, most == 1 ? 0 : 2);
        if (most > 1)
            assert_int_equal(document->envelopes.items[0].count, most < 3 ? most : 3);
        if (most == 2) {
            assert_int_equal(left[0].joint, 0);
            assert_float_equal(left[0].weight, 0.3F / 0.8F, 1e-6F);
            assert_int_equal(left[1].joint, 2);
            assert_float_equal(left[1].weight, 0.5F / 0.8F, 1e-6F);
        }
        facet_report_free(report);
        facet_j3d_free(document);
        facet_scene_free(scene);
    }
}

/* A name makes a billboard of a mesh with one joint; a skin with several joints cannot be one. */
TEST(billboards_by_name)
{
    static const struct {
        const char *mesh, *node;
        uint8_t type;
    } cases[] = {{"BillXY", "a", 1}, {"a", "x.BillXY.001", 1}, {"BillX_a", "a", 2},
                 {"a", "BillX", 2},  {"BillX", "BillXY", 2},   {"billxy", "Bill", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        facet_scene *scene = test_scene();
        uint32_t mesh = add_triangle(scene);
        add_node(scene, cases[i].node, FACET_NONE, mesh);
        scene->meshes[mesh]->name = cases[i].mesh;
        facet_j3d *document = write_document(scene, FACET_J3D_BMD3, NULL);
        assert_int_equal(document->shapes.items[0].type, cases[i].type);
        facet_j3d_free(document);
        facet_scene_free(scene);
    }
    facet_scene *scene = make_rig();
    facet_report *report = NULL;
    assert_int_equal(facet_report_create(NULL, &report, NULL), FACET_OK);
    const facet_options options = {.report = report};
    scene->meshes[0]->name = "BillXY";
    facet_j3d *document = write_document(scene, FACET_J3D_BMD3, &options);
    assert_int_equal(document->shapes.items[0].type, FACET_J3D_SHAPE_MULTI);
    assert_non_null(test_finding_saying(report, "J3D-BILLBOARD", "several joints"));
    facet_report_free(report);
    facet_j3d_free(document);
    facet_scene_free(scene);
}

/* A rig that was bound ten higher than its position: vertices are stored as seen, and joints are
 * bound at their position. */
TEST(bind_pose_elsewhere)
{
    facet_scene *scene = make_rig();
    float *points = scene->meshes[0]->streams[0].data;
    for (int i = 0; i < 4; i++)
        points[i * 3 + 1] += 10;
    scene->skins[0]->inverse_bind[13] = -11;
    scene->skins[0]->inverse_bind[16 + 13] = -10.5F;
    facet_j3d *document = write_document(scene, FACET_J3D_BMD3, NULL);
    assert_float_equal(document->envelopes.inverse_bind[0][7], -1, 1e-6);
    assert_float_equal(document->envelopes.inverse_bind[1][7], -0.5F, 1e-6);
    placed p = place(document);
    const float one[9] = {0, 0, 0, 1, 0, 0, 1, 1, 0};
    assert_true(has_triangle(&p, one, 1e-4F));
    free(p.corners);
    facet_j3d_free(document);
    facet_scene_free(scene);
}

/* Invalid J3D extras are reported, and the rest is written. */
TEST(invalid_extras_are_reported_and_skipped)
{
    facet_scene *scene = make_textured(8, FACET_WRAP_REPEAT, FACET_FILTER_LINEAR);
    facet_report *report = NULL;
    assert_int_equal(facet_report_create(NULL, &report, NULL), FACET_OK);
    facet_options options = {.report = report};
    uint32_t node = add_node(scene, "root", FACET_NONE, 0);
    scene->extras = "{\"j3d\": {\"model\": {\"kind\": \"BMD3\", \"scaling\": \"BASIC\"}}}";
    scene->nodes[node]->extras = "{\"j3d\": {\"joint\": {\"scale\": \"large\"}}}";
    scene->meshes[0]->extras = "{\"j3d\": {\"shape\": {\"type\": 77}}}";
    scene->materials[0]->extras = "{\"j3d\": {\"material\": {\"cullMode\": \"SOME\"}}}";
    scene->images[0]->extras = "{\"j3d\": {\"textures\": [{\"name\": 5}]}}";
    facet_j3d *document = write_document(scene, FACET_J3D_BMD3, &options);
    assert_non_null(test_finding(report, "LOSS-EXTRAS"));
    assert_int_equal(document->joints.count, 1);
    assert_int_equal(document->textures.count, 1);
    assert_int_equal(document->materials.slot_count, 1);
    facet_report_free(report);
    facet_j3d_free(document);
    scene->extras = scene->nodes[node]->extras = scene->meshes[0]->extras = NULL;
    facet_scene_free(scene);
}

/* "bone08" and "bone15" have the same hash: 3 * '0' + '8' = 3 * '1' + '5'. */
TEST(names_with_equal_hashes_are_reported)
{
    facet_scene *scene = test_scene();
    facet_report *report = NULL;
    assert_int_equal(facet_report_create(NULL, &report, NULL), FACET_OK);
    facet_options options = {.report = report};
    uint32_t root = add_node(scene, "bone08", FACET_NONE, add_triangle(scene));
    add_node(scene, "bone15", root, FACET_NONE);
    facet_j3d *document = write_document(scene, FACET_J3D_BMD3, &options);
    const facet_finding *finding = test_finding(report, "J3D-NAMES-ALIKE");
    assert_non_null(finding);
    assert_int_equal(finding->severity, FACET_SEVERITY_NOTE);
    assert_int_equal(document->joints.names.items[0].hash, document->joints.names.items[1].hash);
    facet_report_free(report);
    facet_j3d_free(document);
    facet_scene_free(scene);
}

/* A second mesh whose skin was bound 10 to the right: both can share a bind pose. */
TEST(skins_that_differ_by_a_place)
{
    facet_scene *scene = make_rig();
    facet_skin *skin = NULL;
    uint32_t node = add_node(scene, "twin", 0, 0);
    assert_int_equal(facet_scene_add_skin(scene, "moved", 2, &skin, NULL), FACET_OK);
    memcpy(skin->joints, scene->skins[0]->joints, 2 * sizeof *skin->joints);
    memcpy(skin->inverse_bind, scene->skins[0]->inverse_bind, 32 * sizeof(float));
    skin->inverse_bind[12] = skin->inverse_bind[16 + 12] = 10;
    scene->nodes[node]->skin = 1;
    facet_report *report = NULL;
    assert_int_equal(facet_report_create(NULL, &report, NULL), FACET_OK);
    facet_options options = {.report = report};
    facet_j3d *document = write_document(scene, FACET_J3D_BMD3, &options);
    assert_null(test_finding(report, "LOSS-SKIN"));
    placed p = place(document);
    const float one[9] = {0, 0, 0, 1, 0, 0, 1, 1, 0}, moved[9] = {10, 0, 0, 11, 0, 0, 11, 1, 0};
    assert_int_equal(p.count, 4);
    assert_true(has_triangle(&p, one, 1e-3F));
    assert_true(has_triangle(&p, moved, 1e-3F));
    free(p.corners);
    facet_j3d_free(document);
    /* The same skin bound in another pose: correct at rest, and reported. */
    scene->skins[1]->inverse_bind[16 + 13] = 4;
    document = write_document(scene, FACET_J3D_BMD3, &options);
    assert_non_null(test_finding(report, "LOSS-SKIN"));
    /* vertex 1 of the leg alone moves up by 4.5, the blend of 0.25 and 0.75 by 3.375 */
    const float posed[9] = {10, 0, 0, 11, 4.5F, 0, 11, 1 + 3.375F, 0};
    p = place(document);
    assert_true(has_triangle(&p, posed, 1e-3F));
    free(p.corners);
    facet_report_free(report);
    facet_j3d_free(document);
    facet_scene_free(scene);
}

/* -- Packets and strips ------------------------------------------------- */

static void check_packets(const uint32_t *triangles, uint32_t count, const uint32_t *matrix_of,
                          uint32_t matrices, uint32_t most_packets)
{
    facet_error error;
    facet_arena *arena = NULL;
    facet_j3d_packet_plans made;
    bool *drawn = calloc(count, sizeof *drawn);
    uint32_t next = 0;
    TEST_OK(facet_arena_create(NULL, &arena, &error), &error);
    TEST_OK(facet_j3d_make_packets(arena, triangles, count, matrix_of, matrices, &made, &error),
            &error);
    for (uint32_t i = 0; i < made.packet_count; i++) {
        const facet_j3d_packet_plan *packet = &made.packets[i];
        assert_true(packet->matrix_count >= 1 && packet->matrix_count <= 10);
        assert_int_equal(packet->first, next);
        assert_true(packet->count > 0);
        next += packet->count;
        for (uint32_t k = 0; k < packet->count; k++) {
            uint32_t t = made.order[packet->first + k];
            assert_true(t < count && !drawn[t]);
            drawn[t] = true;
            for (uint32_t c = 0; c < 3; c++) {
                bool found = false;
                for (uint32_t m = 0; m < packet->matrix_count; m++)
                    found |= packet->matrices[m] == matrix_of[triangles[t * 3 + c]];
                assert_true(found);
            }
        }
    }
    assert_int_equal(next, count);
    if (made.packet_count > most_packets)
        fail_msg("%u packets for %u matrices, more than %u", made.packet_count, matrices,
                 most_packets);
    facet_arena_free(arena);
    free(drawn);
}

TEST(packets_need_few_matrix_loads)
{
    enum { SIDE = 40, TRIANGLES = (SIDE - 1) * (SIDE - 1) * 2 };
    static uint32_t triangles[TRIANGLES * 3], matrix_of[SIDE * SIDE];
    uint32_t count = 0, random = 7;
    for (uint32_t y = 0; y + 1 < SIDE; y++) {
        for (uint32_t x = 0; x + 1 < SIDE; x++) {
            uint32_t at = y * SIDE + x;
            const uint32_t corners[6] = {at, at + 1, at + SIDE, at + SIDE, at + 1, at + SIDE + 1};
            memcpy(triangles + count * 3, corners, sizeof corners);
            count += 2;
        }
    }
    /* One matrix: one packet. Ten bands: one packet. A hundred tiles of 4 x 4 vertices: at best
     * ten tiles per packet. */
    memset(matrix_of, 0, sizeof matrix_of);
    check_packets(triangles, count, matrix_of, 1, 1);
    for (uint32_t i = 0; i < SIDE * SIDE; i++)
        matrix_of[i] = i / SIDE / 4;
    check_packets(triangles, count, matrix_of, 10, 1);
    for (uint32_t i = 0; i < SIDE * SIDE; i++)
        matrix_of[i] = i / SIDE / 4 * 10 + i % SIDE / 4;
    check_packets(triangles, count, matrix_of, 100, 30);
    /* A matrix per vertex; then random matrices. */
    for (uint32_t i = 0; i < SIDE * SIDE; i++)
        matrix_of[i] = i;
    check_packets(triangles, count, matrix_of, SIDE * SIDE, 420);
    for (uint32_t i = 0; i < SIDE * SIDE; i++)
        matrix_of[i] = test_random(&random) % 50;
    check_packets(triangles, count, matrix_of, 50, TRIANGLES);
}

/* A strip of 70,000 triangles around a ring: one command cannot count as many vertices. */
TEST(long_strips_are_split)
{
    enum { RING = 1000, COUNT = 70000 };
    facet_scene *scene = test_scene();
    facet_mesh *mesh = test_mesh(scene, COUNT, NULL);
    float *points = malloc((COUNT + 2) * 3 * sizeof *points);
    float *texcoords = malloc((COUNT + 2) * 2 * sizeof *texcoords);
    uint32_t *indices = malloc(COUNT * 3 * sizeof *indices);
    for (uint32_t i = 0; i < COUNT + 2; i++) {
        points[i * 3] = (float)(i % RING);
        points[i * 3 + 1] = (float)(i % 2);
        points[i * 3 + 2] = (float)(i % 7);
        texcoords[i * 2] = (float)(i / RING);
        texcoords[i * 2 + 1] = 0;
    }
    for (uint32_t i = 0; i < COUNT; i++) {
        indices[i * 3] = i;
        indices[i * 3 + 1] = i + 1 + i % 2;
        indices[i * 3 + 2] = i + 2 - i % 2;
    }
    assert_true(test_stream(scene, mesh, FACET_POSITION, 3, COUNT + 2, points, indices));
    assert_true(test_stream(scene, mesh, FACET_TEXCOORD, 2, COUNT + 2, texcoords, indices));
    facet_j3d *document = write_document(scene, FACET_J3D_BMD3, NULL);
    placed p = place(document);
    assert_int_equal(p.count, COUNT);
    double areas[2] = {0, 0}; /* signed areas of the input and the output */
    for (uint32_t i = 0; i < COUNT; i++) {
        const float *t = p.corners + (size_t)i * 9;
        const float *s[3];
        for (int k = 0; k < 3; k++)
            s[k] = points + (size_t)indices[i * 3 + (uint32_t)k] * 3;
        areas[0] += (double)(s[1][0] - s[0][0]) * (double)(s[2][1] - s[0][1]) -
                    (double)(s[2][0] - s[0][0]) * (double)(s[1][1] - s[0][1]);
        areas[1] += (double)(t[3] - t[0]) * (double)(t[7] - t[1]) -
                    (double)(t[6] - t[0]) * (double)(t[4] - t[1]);
    }
    assert_true(fabs(areas[0] - areas[1]) <= fabs(areas[0]) * 1e-3);
    free(p.corners);
    free(points);
    free(texcoords);
    free(indices);
    facet_j3d_free(document);
    facet_scene_free(scene);
}

/* -- Numbers ------------------------------------------------------------ */

TEST(precision_selects_sixteen_bits_or_floats)
{
    facet_scene *scene = test_scene();
    add_triangle(scene);
    facet_j3d_options how = {0};
    facet_options options = {.j3d = &how};
    facet_j3d *document = write_document(scene, FACET_J3D_BMD3, &options);
    const facet_j3d_vertex_format *format = document->vertices.formats;
    /* The largest number is 2: 2 * 2^13 = 16,384 fits into 16 bits, and twice that does not. */
    assert_int_equal(format[0].attribute, FACET_J3D_POSITION);
    assert_int_equal(format[0].component, FACET_J3D_S16);
    assert_int_equal(format[0].fraction_bits, 13);
    assert_int_equal(format[1].attribute, FACET_J3D_NORMAL);
    assert_int_equal(format[1].component, FACET_J3D_S16);
    assert_int_equal(format[1].fraction_bits, 14);
    facet_j3d_free(document);
    how.quantize = FACET_J3D_QUANTIZE_NONE;
    document = write_document(scene, FACET_J3D_BMD3, &options);
    assert_int_equal(document->vertices.formats[0].component, FACET_J3D_F32);
    assert_int_equal(document->vertices.formats[0].fraction_bits, 0);
    assert_int_equal(document->vertices.arrays[0].stride, 12);
    assert_int_equal(document->vertices.formats[1].component, FACET_J3D_F32);
    facet_j3d_free(document);
    /* A small object far away: 16 bits are too coarse, unless the options request them. */
    float *points = scene->meshes[0]->streams[0].data;
    for (int i = 0; i < 3; i++)
        points[i * 3] += 1000;
    how.quantize = FACET_J3D_QUANTIZE_AUTO;
    document = write_document(scene, FACET_J3D_BMD3, &options);
    assert_int_equal(document->vertices.formats[0].component, FACET_J3D_F32);
    facet_j3d_free(document);
    how.quantize = FACET_J3D_QUANTIZE_S16;
    document = write_document(scene, FACET_J3D_BMD3, &options);
    assert_int_equal(document->vertices.formats[0].component, FACET_J3D_S16);
    assert_int_equal(document->vertices.formats[0].fraction_bits, 5); /* 1001 * 32 = 32,032 */
    facet_j3d_free(document);
    facet_scene_free(scene);
}

/* `count` different points in a grid, with triangles that overlap. */
static facet_scene *make_points(uint32_t count)
{
    facet_scene *scene = test_scene();
    facet_mesh *mesh = test_mesh(scene, count - 2, NULL);
    float *points = malloc((size_t)count * 3 * sizeof *points);
    uint32_t *indices = malloc((size_t)count * 3 * sizeof *indices);
    for (uint32_t i = 0; i < count; i++) {
        points[i * 3] = (float)(i % 256);
        points[i * 3 + 1] = (float)(i / 256);
        points[i * 3 + 2] = (float)(i % 3);
    }
    for (uint32_t i = 0; i + 2 < count; i++) {
        for (uint32_t k = 0; k < 3; k++)
            indices[i * 3 + k] = i + k;
    }
    assert_true(test_stream(scene, mesh, FACET_POSITION, 3, count, points, indices));
    free(points);
    free(indices);
    return scene;
}

/* A vertex on a scaled joint is stored in joint space; precision matters in model space. A box of
 * 300 leaves 6 fraction bits, 1/64. Under a scale of 100 a step is 1.56, and the error half of
 * it. */
TEST(steps_under_a_scale)
{
    static const float large[] = {0, 0, 0, 300, 0, 0, 0, 300, 0};
    static const float small[] = {0, 0, 0, 0.3F, 0, 0, 0, 0.3F, 0};
    for (int scaled = 0; scaled < 2; scaled++) {
        facet_scene *scene = NULL;
        assert_int_equal(facet_scene_create(NULL, &scene, NULL), FACET_OK);
        for (int i = 0; i < 2; i++) {
            facet_mesh *mesh = test_mesh(scene, 1, NULL);
            assert_true(mesh &&
                        test_stream(scene, mesh, FACET_POSITION, 3, 3, i ? small : large, NULL));
            uint32_t node = add_node(scene, i ? "small" : "large", FACET_NONE, (uint32_t)i);
            for (int k = 0; k < 3 && i && scaled; k++)
                scene->nodes[node]->transform.scale[k] = 100;
        }
        facet_j3d *document = write_document(scene, FACET_J3D_BMD3, NULL);
        assert_int_equal(document->vertices.arrays[FACET_J3D_ARRAY_POSITION].format->component,
                         scaled ? FACET_J3D_F32 : FACET_J3D_S16);
        facet_j3d_free(document);

        facet_report *report = NULL;
        assert_int_equal(facet_report_create(NULL, &report, NULL), FACET_OK);
        facet_j3d_options j3d = {.quantize = FACET_J3D_QUANTIZE_S16};
        facet_options options = {.report = report, .j3d = &j3d};
        facet_j3d_free(write_document(scene, FACET_J3D_BMD3, &options));
        const facet_finding *said = test_finding(report, "J3D-QUANTIZED");
        assert_non_null(said);
        assert_non_null(strstr(said->message, scaled ? "the largest error is 0.781"
                                                     : "the largest error is 0.00781"));
        facet_report_free(report);
        facet_scene_free(scene);
    }
}

TEST(too_many_elements_are_rejected)
{
    facet_error error;
    /* The index 65,535, FFFF, makes the hardware skip the vertex. */
    facet_scene *scene = make_points(65535);
    assert_int_equal(write_error(scene, &error), FACET_OK);
    facet_scene_free(scene);
    scene = make_points(65536);
    assert_int_equal(write_error(scene, &error), FACET_ERROR_LIMIT);
    assert_string_equal(error.rule, "J3D-LIMIT-ELEMENTS");
    assert_non_null(strstr(error.message, "65536"));
    facet_scene_free(scene);

    /* 70,000 normals on 400 points are rounded until they are few enough. */
    scene = make_points(70000);
    facet_mesh *mesh = scene->meshes[0];
    float *points = mesh->streams[0].data;
    float *normals = malloc(70000 * 3 * sizeof *normals);
    for (uint32_t i = 0; i < 70000; i++) {
        double around = i * 0.0001, up = i / 70000.0 * 2 - 1, flat = sqrt(1 - up * up);
        points[i * 3] = (float)(i % 20);
        points[i * 3 + 1] = (float)(i / 20 % 20);
        points[i * 3 + 2] = 0;
        normals[i * 3] = (float)(flat * cos(around));
        normals[i * 3 + 1] = (float)up;
        normals[i * 3 + 2] = (float)(flat * sin(around));
    }
    assert_true(
        test_stream(scene, mesh, FACET_NORMAL, 3, 70000, normals, mesh->streams[0].indices));
    free(normals);
    facet_report *report = NULL;
    assert_int_equal(facet_report_create(NULL, &report, NULL), FACET_OK);
    facet_options options = {.report = report};
    facet_j3d *document = write_document(scene, FACET_J3D_BMD3, &options);
    assert_true(document->vertices.arrays[FACET_J3D_ARRAY_NORMAL].count <= 65535);
    assert_non_null(test_finding(report, "LOSS-PRECISION"));
    facet_report_free(report);
    facet_j3d_free(document);
    facet_scene_free(scene);

    scene = test_scene();
    add_node(scene, "nothing", FACET_NONE, FACET_NONE);
    assert_int_equal(write_error(scene, &error), FACET_ERROR_LIMIT);
    assert_string_equal(error.rule, "J3D-NO-MESH");
    facet_scene_free(scene);

    scene = test_scene();
    add_triangle(scene);
    ((float *)scene->meshes[0]->streams[0].data)[4] = INFINITY;
    assert_int_equal(write_error(scene, &error), FACET_ERROR_LIMIT);
    assert_string_equal(error.rule, "J3D-VTX1-FINITE");
    facet_scene_free(scene);
}

/* -- Textures ----------------------------------------------------------- */

/* The triangle with texture coordinates and a material with a gray image of
 * `side` texels. */
static facet_scene *make_textured(uint32_t side, facet_wrap wrap, facet_filter minify)
{
    static const float texcoords[6] = {0, 0, 1, 0, 0, 1};
    facet_scene *scene = test_scene();
    facet_image *image = NULL;
    facet_material *material = NULL;
    add_triangle(scene);
    assert_true(test_stream(scene, scene->meshes[0], FACET_TEXCOORD, 2, 3, texcoords, NULL));
    assert_int_equal(facet_scene_add_image(scene, "wall", &image, NULL), FACET_OK);
    image->width = image->height = side;
    image->channels = 3;
    image->pixels = facet_scene_allocate(scene, (size_t)side * side, 3);
    memset(image->pixels, 0x77, (size_t)side * side * 3);
    assert_int_equal(facet_scene_add_material(scene, "brick", &material, NULL), FACET_OK);
    facet_texture *texture = test_map(scene, material, FACET_MAP_DIFFUSE);
    texture->has_image = true;
    texture->wrap_u = texture->wrap_v = wrap;
    texture->minify = minify;
    scene->meshes[0]->face_materials = facet_scene_allocate(scene, 1, sizeof(uint32_t));
    scene->meshes[0]->face_materials[0] = 0;
    return scene;
}

TEST(textures_are_resized_and_mipmapped)
{
    facet_scene *scene = make_textured(16, FACET_WRAP_MIRROR, FACET_FILTER_LINEAR_MIPMAP_LINEAR);
    facet_j3d *document = write_document(scene, FACET_J3D_BMD3, NULL);
    assert_int_equal(document->textures.count, 1);
    const facet_bti_header *header = &document->textures.items[0].header;
    assert_string_equal(document->textures.names.items[0].bytes, "wall");
    assert_int_equal(header->width, 16);
    assert_int_equal(header->wrap_s, 2);
    assert_int_equal(header->level_count, 2); /* 16 8: smaller levels do not fill a block */
    assert_int_equal(header->min_filter, 5);
    assert_int_equal(header->max_lod, 8);
    assert_string_equal(document->materials.names.items[0].bytes, "brick");
    assert_int_equal(document->materials.texture_number_count, 1);
    facet_j3d_free(document);
    /* All levels if the options request them: 16 8 4 2 1. */
    static const facet_bti_options all = {.levels = FACET_GX_ALL_LEVELS};
    const facet_options asked = {.bti = &all};
    document = write_document(scene, FACET_J3D_BMD3, &asked);
    assert_int_equal(document->textures.items[0].header.level_count, 5);
    facet_j3d_free(document);
    facet_scene_free(scene);
    /* A texture with one level has no filter between levels. */
    scene = make_textured(8, FACET_WRAP_REPEAT, FACET_FILTER_LINEAR_MIPMAP_LINEAR);
    document = write_document(scene, FACET_J3D_BMD3, NULL);
    assert_int_equal(document->textures.items[0].header.level_count, 1);
    assert_int_equal(document->textures.items[0].header.min_filter, 1);
    facet_j3d_free(document);
    facet_scene_free(scene);

    /* 24 is not a power of two: a repeated texture is resized, a clamped one is not. */
    scene = make_textured(24, FACET_WRAP_REPEAT, FACET_FILTER_LINEAR);
    facet_report *report = NULL;
    assert_int_equal(facet_report_create(NULL, &report, NULL), FACET_OK);
    facet_options options = {.report = report};
    document = write_document(scene, FACET_J3D_BMD3, &options);
    assert_int_equal(document->textures.items[0].header.width, 32);
    assert_non_null(test_finding(report, "LOSS-TEXTURES"));
    const uint8_t *pixels = scene->images[0]->pixels; /* the scene is unchanged */
    assert_int_equal(pixels[24 * 24 * 3 - 1], 0x77);
    facet_report_free(report);
    facet_j3d_free(document);
    facet_scene_free(scene);
    scene = make_textured(24, FACET_WRAP_CLAMP, FACET_FILTER_LINEAR_MIPMAP_LINEAR);
    document = write_document(scene, FACET_J3D_BMD3, NULL);
    assert_int_equal(document->textures.items[0].header.width, 24);
    assert_int_equal(document->textures.items[0].header.level_count, 1);
    assert_int_equal(document->textures.items[0].header.min_filter, 1);
    facet_j3d_free(document);
    facet_scene_free(scene);

    /* The texture has no alpha; the scene keeps it. */
    scene = make_textured(16, FACET_WRAP_REPEAT, FACET_FILTER_LINEAR);
    facet_image *image = scene->images[0];
    image->channels = 4;
    image->pixels = facet_scene_allocate(scene, 16 * 16, 4);
    memset(image->pixels, 0x77, 16 * 16 * 4);
    document = write_document(scene, FACET_J3D_BMD3, NULL);
    assert_int_equal(document->textures.count, 1);
    pixels = image->pixels;
    assert_int_equal(pixels[16 * 16 * 4 - 1], 0x77);
    facet_j3d_free(document);
    facet_scene_free(scene);

    facet_error error;
    scene = make_textured(1025, FACET_WRAP_CLAMP, FACET_FILTER_LINEAR);
    assert_int_equal(write_error(scene, &error), FACET_ERROR_LIMIT);
    assert_string_equal(error.rule, "J3D-LIMIT-TEXTURE");
    facet_scene_free(scene);
}

/* -- Kinds -------------------------------------------------------------- */

/* A BMD is the default. A BDL has a packet per material slot. Scenes cannot be written as other
 * kinds. */
TEST(scene_writes_only_bmd_or_bdl)
{
    facet_error error;
    facet_scene *scene = test_scene();
    add_triangle(scene);
    facet_j3d_options how = {0};
    facet_options options = {.j3d = &how};
    const facet_options *without[3] = {NULL, &(facet_options){0}, &options};
    for (int i = 0; i < 3; i++) {
        facet_j3d *document = NULL;
        TEST_OK(facet_j3d_from_scene(scene, without[i], &document, &error), &error);
        assert_int_equal(document->kind, FACET_J3D_BMD3);
        assert_false(document->has_packets);
        facet_j3d_free(document);
    }
    facet_j3d *baked = write_document(scene, FACET_J3D_BDL4, NULL);
    assert_true(baked->has_packets);
    assert_int_equal(baked->packets.count, 1);
    facet_j3d_free(baked);
    static const facet_j3d_kind others[3] = {FACET_J3D_BMD2, FACET_J3D_BMT3, (facet_j3d_kind)1};
    for (int i = 0; i < 3; i++) {
        facet_j3d *document = NULL;
        how.kind = others[i];
        assert_int_equal(facet_j3d_from_scene(scene, &options, &document, &error),
                         FACET_ERROR_ARGUMENT);
        assert_string_equal(error.rule, "J3D-KIND");
        assert_null(document);
    }
    facet_scene_free(scene);
}

/* The named format decides, not the kind in the options. */
TEST(kind_of_format)
{
    facet_error error;
    facet_scene *scene = test_scene();
    add_triangle(scene);
    facet_j3d_options how = {.kind = FACET_J3D_BDL4};
    facet_options options = {.j3d = &how};
    static const char *const names[2] = {"bmd", "bdl"};
    for (int i = 0; i < 2; i++) {
        facet_output *output = NULL;
        TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
        TEST_OK(facet_save(scene, facet_format_named(names[i]), &options, output, &error), &error);
        TEST_OK(facet_output_commit(output, &error), &error);
        assert_memory_equal(facet_output_data(output), i ? "J3D2bdl4" : "J3D2bmd3", 8);
        facet_output_free(output);
    }
    facet_scene_free(scene);
}

/* -- Deterministic output ----------------------------------------------- */

TEST(threads_do_not_change_the_bytes)
{
    const facet_threads *threads = NULL;
    facet_scene *scene = make_textured(64, FACET_WRAP_REPEAT, FACET_FILTER_LINEAR);
    assert_int_equal(facet_threads_create(3, &threads, NULL), FACET_OK);
    facet_options options = {.threads = threads};
    facet_j3d *one = write_document(scene, FACET_J3D_BDL4, NULL);
    facet_j3d *three = write_document(scene, FACET_J3D_BDL4, &options);
    facet_output *a = bytes_of(one), *b = bytes_of(three);
    assert_int_equal(facet_output_size(a), facet_output_size(b));
    assert_memory_equal(facet_output_data(a), facet_output_data(b), (size_t)facet_output_size(a));
    facet_output_free(a);
    facet_output_free(b);
    facet_j3d_free(one);
    facet_j3d_free(three);
    facet_threads_free(threads);
    facet_scene_free(scene);
}

static facet_status attempt(const facet_allocator *allocator, void *user)
{
    facet_j3d_options how = {.kind = FACET_J3D_BDL4};
    facet_options options = {.allocator = allocator, .j3d = &how};
    facet_j3d *document = NULL;
    facet_status status = facet_j3d_from_scene(user, &options, &document, NULL);
    if (!status)
        facet_j3d_free(document);
    return status;
}

TEST(writer_survives_failed_allocations)
{
    facet_error error;
    facet_scene *scenes[2] = {make_rig(), make_textured(8, FACET_WRAP_REPEAT, FACET_FILTER_LINEAR)};
    for (int i = 0; i < 2; i++) {
        TEST_OK(facet_prepare(scenes[i], facet_format_named("bmd"), NULL, NULL, NULL, &error),
                &error);
        test_every_allocation(attempt, scenes[i]);
        facet_scene_free(scenes[i]);
    }
}
