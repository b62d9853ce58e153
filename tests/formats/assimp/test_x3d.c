/* X3D: what assimp drops or reads wrongly. */
#include "mesh/vector.h"
#include "support/models.h"

#ifdef FACET_HAVE_ASSIMP

/* Read an X3D with this content of its scene, in line 2. */
static facet_status read_x3d(const char *content, facet_report *report, facet_scene **scene,
                             facet_error *error)
{
    char text[2000];
    int size =
        snprintf(text, sizeof text, "<X3D version=\"3.0\"><Scene>\n%s</Scene></X3D>\n", content);
    facet_source source = {.data = (uint8_t *)text, .size = (size_t)size, .name = "a.x3d"};
    facet_options options = {.report = report};
    *scene = NULL;
    return facet_load(&source, NULL, NULL, &options, scene, error);
}

#define SET(attributes, more)                                             \
    "<Shape><IndexedFaceSet coordIndex=\"0 1 2 -1 3 2 1 -1\" " attributes \
    "><Coordinate point=\"0 0 0 1 0 0 0 1 0 1 1 0\"/>" more "</IndexedFaceSet></Shape>"
#define TEXCOORDS "<TextureCoordinate point=\"0 0 1 0 0 1 1 1\"/>"

/* A vertex of assimp has one texture coordinate. In the first case, vertices 2 and 1 have others in
 * the second face; in the second case, all have one. */
TEST(x3d_reports_what_assimp_drops)
{
    static const struct {
        const char *content, *rule;
    } cases[] = {
        {SET("texCoordIndex=\"0 1 2 -1 3 1 2 -1\"", TEXCOORDS), "LOSS-TEXCOORDS"},
        {SET("texCoordIndex=\"0 2 1 -1 3 1 2 -1\"", TEXCOORDS), NULL},
        {SET("", "<TextureCoordinateGenerator/>"), "LOSS-TEXCOORDS"},
        {"<Shape><Appearance><TextureTransform scale=\"2 2\"/></Appearance></Shape>",
         "LOSS-TEXTURES"},
        {"<Shape><IndexedLineSet coordIndex=\"0 1 2\"><Coordinate point=\"0 0 0 1 0 0 0 1 0\"/>"
         "</IndexedLineSet></Shape>",
         "LOSS-LINES"},
        {"<Shape><IndexedLineSet coordIndex=\"0 1 -1 1 2\"><Coordinate point=\"0 0 0 1 0 0 0 1 "
         "0\"/>"
         "</IndexedLineSet></Shape>",
         NULL},
        {"<Viewpoint/>", "LOSS-CAMERA"},
        {"<LOD>" SET("", "") "</LOD>", "LOSS-UNREAD"},
        {"<Transform>" SET("", "") "</Transform>", NULL},
        {SET("colorPerVertex=\"false\"", "<Color color=\"1 0 0 0 0 1\"/>"), "LOSS-COLORS"},
        {SET("colorPerVertex=\"true\"", "<Color color=\"1 0 0 0 0 1 1 1 1 1 1 1\"/>"), NULL},
        {SET("colorPerVertex=\"false\"", ""), NULL},
        {SET("colorIndex=\"0 0 0 -1 1 1 1 -1\"", "<Color color=\"1 0 0 0 0 1\"/>"), "LOSS-COLORS"},
        {SET("colorIndex=\"0 0 0 -1 1 0 0 -1\"", "<Color color=\"1 0 0 0 0 1\"/>"), NULL},
        {SET("normalPerVertex=\"false\"", "<Normal vector=\"0 0 1 0 0 1\"/>"), "LOSS-NORMALS"},
        {SET("normalIndex=\"0 0 0 -1 1 1 1 -1\"", "<Normal vector=\"0 0 1 0 0 1\"/>"),
         "LOSS-NORMALS"},
        {SET("", "<Normal vector=\"0 0 1 0 0 1 0 0 1 0 0 1\"/>"), NULL},
        {SET("creaseAngle=\"0.5\"", ""), "LOSS-NORMALS"},
        {SET("creaseAngle=\"0.0\"", ""), NULL},
        {"<Shape><TriangleSet ccw=\"false\"><Coordinate point=\"0 0 0 1 0 0 0 1 0\"/>"
         "</TriangleSet></Shape>",
         "LOSS-MESHES"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        facet_error error;
        facet_scene *scene;
        facet_report *report = NULL;
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        TEST_OK(read_x3d(cases[i].content, report, &scene, &error), &error);
        for (size_t k = 0; k < facet_report_count(report); k++) {
            const facet_finding *finding = facet_report_get(report, k);
            if (strcmp(finding->rule, "LOSS-MATERIALS") != 0) /* of lines */
                assert_string_equal(finding->rule, cases[i].rule ? cases[i].rule : "none");
        }
        if (cases[i].rule)
            assert_int_equal(test_finding(report, cases[i].rule)->line, 2);
        facet_scene_free(scene);
        facet_report_free(report);
    }
}

/* assimp ignores the order, and reads no numbers after a comma. The normal of a counterclockwise
 * face points up; the faces have 3 and 4 corners. */
TEST(clockwise_faces_of_x3d_are_reversed)
{
    for (int i = 0; i < 2; i++) {
        char content[400];
        facet_error error;
        facet_scene *scene;
        snprintf(content, sizeof content,
                 "<Shape><IndexedFaceSet ccw=\"%s\" coordIndex=\"0,1,  2,-1,0,10,2 3\"><Coordinate "
                 "point=\"0 0 0 1 0 0 1 1 0 0 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 1 0 0\"/>"
                 "</IndexedFaceSet></Shape>",
                 i ? "false" : "true");
        TEST_OK(read_x3d(content, NULL, &scene, &error), &error);
        const facet_mesh *mesh = scene->meshes[0];
        assert_int_equal(mesh->corner_count, 7);
        for (uint32_t face = 0; face < 2; face++) {
            uint32_t begin = facet_face_begin(mesh, face);
            double area[3];
            facet_area_vector(mesh, begin, facet_face_end(mesh, face), area);
            assert_true(i ? area[2] < 0 : area[2] > 0);
        }
        facet_scene_free(scene);
    }
}

/* assimp reads a part of a file as an empty scene. */
TEST(truncated_x3d_is_an_error)
{
    facet_error error;
    facet_scene *scene;
    TEST_REFUSED(read_x3d("<Shape><IndexedFaceSet>", NULL, &scene, &error), FACET_ERROR_MALFORMED,
                 "ASSIMP", &error);
    TEST_REFUSED(read_x3d("<Transform>" SET("", ""), NULL, &scene, &error), FACET_ERROR_MALFORMED,
                 "ASSIMP", &error);
}

TEST(lost_second_sides_are_reported)
{
    static const char ac[] = "AC3Db\nMATERIAL \"r\" rgb 1 0 0  amb 0 0 0  emis 0 0 0  spec 0 0 0  "
                             "shi 4  trans 0\nOBJECT poly\nnumvert 3\n0 0 0\n1 0 0\n1 1 0\n"
                             "numsurf 1\nSURF 0x%s\nmat 0\nrefs 3\n0 0 0\n1 0 0\n2 0 0\nkids 0\n";
    for (int i = 0; i < 4; i++) {
        char text[400];
        facet_error error;
        facet_report *report;
        facet_scene *scene;
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        const facet_options options = {.report = report};
        if (i < 2) {
            snprintf(text, sizeof text, ac, i ? "30" : "10");
            scene = load_bytes(text, strlen(text), "a.ac", &options);
        } else {
            TEST_OK(read_x3d(i == 3 ? SET("solid=\"false\"", "") : SET("solid=\"true\"", ""),
                             report, &scene, &error),
                    &error);
        }
        const facet_finding *lost = test_finding_saying(report, "LOSS-MATERIALS", "one-sided");
        assert_int_equal(lost != NULL, i % 2);
        assert_true(!lost || lost->line == (i == 1 ? 9 : 2));
        facet_scene_free(scene);
        facet_report_free(report);
    }
}

/* assimp names such a light by its address, which differs in each run. */
TEST(x3d_lights_without_a_name_have_equal_names)
{
    facet_error error;
    facet_scene *scene;
    TEST_OK(
        read_x3d("<PointLight/><SpotLight DEF=\"SpotLight_1\"/>" SET("", ""), NULL, &scene, &error),
        &error);
    assert_int_equal(scene->light_count, 2);
    assert_string_equal(scene->lights[0]->name, "PointLight");
    assert_string_equal(scene->lights[1]->name, "SpotLight_1");
    bool found = false;
    for (uint32_t i = 0; i < scene->node_count; i++)
        found |= strcmp(scene->nodes[i]->name, "PointLight") == 0;
    assert_true(found);
    facet_scene_free(scene);
}

/* assimp 5.2 ends the process at the shape after such a group. */
TEST(x3d_with_empty_groups_is_read)
{
    static const char *const groups[] = {
        "<Group/>", "<Transform DEF=\"a\"></Transform>", "<Switch> </Switch >",
        "<Transform><StaticGroup/></Transform>",
        "<Group DEF=\"a\">" SET("", "") "</Group><Group USE=\"a\"/>"};
    facet_error error;
    facet_scene *scene;
    char content[1200];
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        facet_report *report = NULL;
        snprintf(content, sizeof content, "%s%s", groups[i], SET("", ""));
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        TEST_OK(read_x3d(content, report, &scene, &error), &error);
        assert_int_equal(scene->mesh_count, i == 4 ? 2 : 1);
        assert_int_equal(scene->meshes[0]->face_count, 2);
        assert_int_equal(test_finding(report, "LOSS-NODES") != NULL, i == 4);
        facet_scene_free(scene);
        facet_report_free(report);
    }
    assert_int_equal(read_x3d("<Group USE=\"a\">" SET("", "") "</Group>", NULL, &scene, &error),
                     FACET_ERROR_UNSUPPORTED);
    assert_int_equal(error.line, 2);
}
#endif
