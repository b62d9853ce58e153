/* Tests of handwritten scenes and their J3D documents. The expected vertex positions are computed
 * here from the joints and display lists of the document. */
#include "support/j3d_write.h"

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

/* A color of a J3D model has bytes from 0 to 1. */
TEST(bright_vertex_colors_are_reported)
{
    for (int i = 0; i < 2; i++) {
        facet_scene *scene = test_scene();
        facet_report *report = NULL;
        assert_int_equal(facet_report_create(NULL, &report, NULL), FACET_OK);
        const facet_options options = {.report = report};
        uint32_t mesh = add_triangle(scene);
        const float colors[9] = {i == 0 ? 1 : 1.5F, 0, 0, 0, 1, 0, 0, 0, 1};
        assert_true(test_stream(scene, scene->meshes[mesh], FACET_COLOR, 3, 3, colors, NULL));
        add_node(scene, "shown", FACET_NONE, mesh);
        facet_j3d_free(write_document(scene, FACET_J3D_BMD3, &options));
        assert_int_equal(test_finding(report, "LOSS-COLORS") != NULL, i == 1);
        facet_report_free(report);
        facet_scene_free(scene);
    }
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

/* The mesh has texture coordinates 0, and the material shows its texture with 1. */
TEST(texture_without_its_coordinates_is_reported)
{
    for (uint32_t set = 0; set < 2; set++) {
        facet_scene *scene = make_textured(8, FACET_WRAP_REPEAT, FACET_FILTER_LINEAR);
        facet_report *report = NULL;
        assert_int_equal(facet_report_create(NULL, &report, NULL), FACET_OK);
        const facet_options options = {.report = report};
        scene->materials[0]->maps[FACET_MAP_DIFFUSE]->uv_set = set;
        facet_j3d *document = write_document(scene, FACET_J3D_BMD3, &options);
        assert_int_equal(test_finding(report, "LOSS-TEXTURES") != NULL, set == 1);
        facet_report_free(report);
        facet_j3d_free(document);
        facet_scene_free(scene);
    }
}
