/* Geometries of a COLLADA or FBX that no node shows. */
#include "support/dae.h"
#include "support/models.h"
#include "support/text.h"

#ifdef FACET_HAVE_ASSIMP

#define GEOMETRY(id)                                                                       \
    "\n<geometry id=\"" id                                                                 \
    "\"><mesh>" DAE_SOURCE("p" id, DAE_FLOATS("p" id, "9", "0 0 0 1 0 0 0 1 0"), "3", "3", \
                           DAE_XYZ) "<vertices id=\"v" id                                  \
                                    "\"><input semantic=\"POSITION\" source=\"#p" id       \
                                    "\"/></vertices><triangles count=\"1\">"               \
                                    "<input semantic=\"VERTEX\" source=\"#v" id            \
                                    "\" offset=\"0\"/><p>0 1 2</p></triangles></mesh>"     \
                                    "</geometry>"

/* The geometries a, on line 2, and b, on line 3. */
static facet_scene *load_after(const char *start, const char *nodes, const char *scenes,
                               facet_report *report)
{
    text t = {0};
    const facet_options options = {.report = report};
    put(&t, "%s" DAE_BEGIN "<library_geometries>", start);
    put(&t, GEOMETRY("a"));
    put(&t, GEOMETRY("b"));
    put(&t,
        "</library_geometries><library_nodes>%s</library_nodes><library_visual_scenes>%s"
        "</library_visual_scenes><scene><instance_visual_scene url=\"#s\"/></scene></COLLADA>",
        nodes, scenes);
    facet_scene *scene = load_bytes(t.at, t.size, "a.dae", &options);
    free(t.at);
    return scene;
}

static facet_scene *load(const char *nodes, const char *scenes, facet_report *report)
{
    return load_after("", nodes, scenes, report);
}

#define SHOW(id) "<instance_geometry url=\"#" id "\"/>"
#define SCENE(id, nodes) "<visual_scene id=\"" id "\">" nodes "</visual_scene>"

TEST(geometries_without_a_node_are_reported)
{
    static const struct {
        const char *nodes, *scenes, *found;
    } cases[] = {
        {"", SCENE("s", "<node>" SHOW("a") "</node><node id=\"n\">" SHOW("b") "</node>"), NULL},
        {"", SCENE("s", "<node><node>" SHOW("a") "<node id=\"n\"/></node>" SHOW("b") "</node>"),
         NULL},
        {"", SCENE("s", "<node>" SHOW("a") "</node>"), "'b'"},
        {"", SCENE("s", "<node>" SHOW("b") "</node>") SCENE("o", "<node>" SHOW("a") "</node>"),
         "'a'"},
        {"<node id=\"l\">" SHOW("b") "</node>",
         SCENE("s", "<node>" SHOW("a") "<instance_node url=\"#l\"/></node>"), NULL},
        {"<node id=\"l\">" SHOW("b") "</node>", SCENE("s", "<node>" SHOW("a") "</node>"), "'b'"},
        {"<node id=\"l\">" SHOW("b") "</node><node id=\"m\"><instance_node url=\"#l\"/></node>",
         SCENE("s", "<node>" SHOW("a") "</node>"), "'b'"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        facet_report *report = NULL;
        facet_error error;
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        facet_scene *scene = load(cases[i].nodes, cases[i].scenes, report);
        const facet_finding *finding = test_finding(report, "LOSS-MESHES");
        assert_true((finding != NULL) == (cases[i].found != NULL));
        if (finding) {
            assert_non_null(strstr(finding->message, cases[i].found));
            assert_int_equal(finding->line, strcmp(cases[i].found, "'a'") == 0 ? 2 : 3);
            assert_int_equal(finding->count, 1);
        }
        facet_scene_free(scene);
        facet_report_free(report);
    }
}

/* XML 1.0, 2.8: a document type declaration can precede the first element. The scans skip it, and
 * what a comment has. */
TEST(a_document_type_does_not_end_the_scans)
{
    static const char *const starts[] = {"<!DOCTYPE COLLADA>",
                                         "<?xml version=\"1.0\"?><!-- <a> -->",
                                         "<!DOCTYPE COLLADA SYSTEM \"a>b\">"};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        facet_report *report = NULL;
        facet_error error;
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        facet_scene_free(
            load_after(starts[i], "", SCENE("s", "<node>" SHOW("a") "</node>"), report));
        assert_non_null(test_finding_saying(report, "LOSS-MESHES", "'b'"));
        facet_report_free(report);
    }
}

/* assimp finds the outer nodes of a library, and all nodes of the scene. */
TEST(instances_of_inner_nodes_of_a_library_are_reported)
{
    static const char library[] = "<node id=\"l\"><node id=\"m\">" SHOW("b") "</node></node>";
    static const char *const targets[] = {"l", "n", "m"};
    for (size_t i = 0; i < 3; i++) {
        char scenes[500];
        facet_report *report = NULL;
        facet_error error;
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        snprintf(scenes, sizeof scenes,
                 SCENE("s", "<node id=\"o\"><node id=\"n\">" SHOW(
                                "a") "</node></node><node id=\"q\">"
                                     "<instance_node url=\"#%s\"/></node>"),
                 targets[i]);
        facet_scene_free(load(library, scenes, report));
        const facet_finding *finding = test_finding(report, "LOSS-NODES");
        assert_true((finding != NULL) == (i == 2));
        assert_true(!finding || strstr(finding->message, "'m'"));
        facet_report_free(report);
    }
}

/* COLLADA 1.4.1: the url of an instance names an object of the file. */
TEST(instances_of_missing_objects_are_reported)
{
    static const struct {
        const char *instance;
        bool is_lost;
    } cases[] = {{"<instance_geometry url=\"#c\"/>", true}, {"<instance_light url=\"#c\"/>", true},
                 {"<instance_camera url=\"#c\"/>", true},   {"<instance_node url=\"#c\"/>", true},
                 {"<instance_node url=\"#l\"/>", false},    {SHOW("b"), false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char scenes[500];
        facet_report *report = NULL;
        facet_error error;
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        snprintf(scenes, sizeof scenes, SCENE("s", "<node>" SHOW("a") "%s</node>"),
                 cases[i].instance);
        facet_scene_free(load("<node id=\"l\"/>", scenes, report));
        const facet_finding *finding = test_finding(report, "LOSS-NODES");
        assert_true((finding != NULL) == cases[i].is_lost);
        assert_true(!finding || (strstr(finding->message, "'c'") && finding->count == 1));
        facet_report_free(report);
    }
}

/* assimp reads only the <mesh> of a geometry. */
TEST(splines_are_reported)
{
    static const char form[] = DAE_BEGIN
        "<library_geometries><geometry id=\"g\"><%s/></geometry></library_geometries>" DAE_NODES
        "<node><instance_geometry url=\"#g\"/></node>" DAE_END;
    static const char *const kinds[] = {"spline", "convex_mesh", "brep"};
    for (size_t i = 0; i < 3; i++) {
        char bytes[500];
        facet_report *report = NULL;
        facet_scene *scene = NULL;
        facet_error error;
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        const facet_options options = {.report = report};
        snprintf(bytes, sizeof bytes, form, kinds[i]);
        facet_source source = {.data = (uint8_t *)bytes, .size = strlen(bytes), .name = "a.dae"};
        TEST_OK(facet_load(&source, NULL, NULL, &options, &scene, &error), &error);
        assert_non_null(test_finding_saying(report, "LOSS-MESHES", "<spline>"));
        facet_scene_free(scene);
        facet_report_free(report);
    }
}

/* An FBX with two triangles. Connections: the node 3 to the root, and geometries to nodes. */
TEST(geometries_of_an_fbx_without_a_node_are_reported)
{
    static const struct {
        const char *connections;
        uint64_t lost;
    } cases[] = {{"C: \"OO\",3,0\nC: \"OO\",1,3\nC: \"OO\",4,3\nC: \"OO\",2,4\n", 0},
                 {"C: \"OO\",3,0\nC: \"OO\",1,3\n", 1},
                 {"C: \"OO\",3,0\nC: \"OO\",1,3\nC: \"OO\",2,4\n", 1},
                 {"C: \"OO\",3,0\n", 2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        text t = {0};
        facet_report *report = NULL;
        facet_scene *scene = NULL;
        facet_error error;
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        const facet_options options = {.report = report};
        put(&t, "; FBX 7.4.0 project file\nFBXHeaderExtension:  {\nFBXVersion: 7400\n}\nObjects:  "
                "{\n");
        for (int k = 1; k <= 2; k++)
            put(&t,
                "Geometry: %d, \"Geometry::g\", \"Mesh\" {\nVertices: *9 {\na: "
                "0,0,0,1,0,0,0,1,0\n}\n"
                "PolygonVertexIndex: *3 {\na: 0,1,-3\n}\nGeometryVersion: 124\n}\n"
                "Model: %d, \"Model::m\", \"Mesh\" {\nVersion: 232\n}\n",
                k, k + 2);
        put(&t, "}\nConnections:  {\n%s}\n", cases[i].connections);
        facet_source source = {.data = (uint8_t *)t.at, .size = t.size, .name = "a.fbx"};
        TEST_OK(facet_load(&source, NULL, NULL, &options, &scene, &error), &error);
        const facet_finding *finding = test_finding_saying(report, "LOSS-MESHES", "shows it");
        assert_int_equal(finding ? finding->count : 0, cases[i].lost);
        facet_scene_free(scene);
        facet_report_free(report);
        free(t.at);
    }
}

#endif
