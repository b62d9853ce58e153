/* Skins of handwritten scenes in J3D documents: joints, envelopes and names. */
#include "support/j3d_write.h"

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
            "2 vertices keep only the 1 largest weights: up to 50 %",
            "1 vertex keeps only the 2 largest weights: up to 20 %"};
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
