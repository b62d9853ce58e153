/* Instances of one geometry of a COLLADA that bind different materials. */
#include "support/dae.h"
#include "support/models.h"
#include "support/text.h"

#ifdef FACET_HAVE_ASSIMP

#define EFFECT(id) DAE_EFFECT("e" id, DAE_DIFFUSE("0 0 0 1"))
#define MATERIAL(id) DAE_MATERIAL(id, "e" id)
#define TRIANGLE(symbol, corners)                                                              \
    "<triangles material=\"" symbol "\" count=\"1\"><input semantic=\"VERTEX\" source=\"#v\" " \
    "offset=\"0\"/><p>" corners "</p></triangles>"

/* A triangle at x = 0 with the symbol A, and one at x = 5 with B. */
static void put_start(text *t)
{
    put(t, "<COLLADA version=\"1.4.1\"><library_effects>" EFFECT("red") EFFECT("green")
               EFFECT("blue") "</library_effects><library_materials>" MATERIAL("red")
                   MATERIAL("green") MATERIAL("blue") "</library_materials>");
    put(t, "<library_geometries><!-- <geometry id=\"g\"> -->\n<geometry id=\"g\" name=\"g\"><mesh>"
           "<source id=\"p\"><float_array id=\"pa\" count=\"18\">0 0 0 1 0 0 0 1 0\n5 0 0 6 0 0 5 "
           "1 0</float_array><technique_common><accessor source=\"#pa\" count=\"6\" "
           "stride=\"3\">" DAE_XYZ "</accessor></technique_common></source>"
           "<vertices id=\"v\"><input semantic=\"POSITION\" source=\"#p\"/></vertices>");
    put(t, TRIANGLE("A", "0 1 2")
               TRIANGLE("B", "3 4 5") "</mesh></geometry></library_geometries>"
                                      "<library_visual_scenes><visual_scene id=\"s\">");
}

/* An instance; NULL: no binding of B. */
static void put_instance(text *t, int number, const char *a, const char *b)
{
    put(t,
        "<node id=\"n%d\"><instance_geometry url=\"#g\"><bind_material><technique_common>"
        "<instance_material symbol=\"A\" target=\"#%s\"/>",
        number, a);
    if (b)
        put(t, "<instance_material symbol=\"B\" target=\"#%s\"/>", b);
    put(t, "</technique_common></bind_material></instance_geometry></node>\n");
}

static void put_end(text *t)
{
    put(t, DAE_END);
}

/* Count the triangles of the whole scene with a material, of which the first corner is at x. */
static int count(const facet_scene *scene, const char *material, float x)
{
    int found = 0;
    for (uint32_t i = 0; i < scene->node_count; i++) {
        const facet_mesh *mesh =
            scene->nodes[i]->mesh == FACET_NONE ? NULL : scene->meshes[scene->nodes[i]->mesh];
        for (uint32_t face = 0; mesh && face < mesh->face_count; face++) {
            uint32_t number = mesh->face_materials ? mesh->face_materials[face] : FACET_NONE;
            const char *name = number == FACET_NONE ? "" : scene->materials[number]->name;
            uint32_t corner = facet_face_begin(mesh, face);
            const float *at =
                (const float *)mesh->streams[0].data + mesh->streams[0].indices[corner] * 3;
            found += strcmp(name, material) == 0 && *at == x;
        }
    }
    return found;
}

/* assimp reads the second triangle of the second instance from the vertices of the first, if the
 * first has the same material in both instances. */
TEST(instances_with_other_materials_keep_their_vertices)
{
    static const struct {
        const char *a, *b; /* of the second instance; those of the first are red and green */
    } cases[] = {{"red", "blue"},  {"blue", "green"}, {"green", "red"},
                 {"red", "green"}, {"red", "red"},    {"red", NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        text t = {0};
        facet_scene *scene = NULL;
        facet_error error;
        put_start(&t);
        put_instance(&t, 1, "red", "green");
        put_instance(&t, 2, cases[i].a, cases[i].b);
        put_end(&t);
        facet_source source = {.data = (uint8_t *)t.at, .size = t.size, .name = "a.dae"};
        TEST_OK(facet_load(&source, NULL, NULL, NULL, &scene, &error), &error);
        TEST_WHOLE(scene);
        const char *a = cases[i].a, *b = cases[i].b ? cases[i].b : "";
        assert_int_equal(count(scene, "red", 0), 1 + (strcmp(a, "red") == 0));
        assert_int_equal(count(scene, "green", 5), 1 + (strcmp(b, "green") == 0));
        assert_true(count(scene, a, 0) > 0 && count(scene, b, 5) > 0);
        facet_scene_free(scene);
        free(t.at);
    }
}

/* COLLADA 1.4.1, instance_material: a symbol is a name inside the geometry. The id of another
 * material has no meaning as a symbol. Here two symbols are exchanged. */
TEST(symbols_that_are_ids_have_the_material_of_their_target)
{
    text t = {0};
    facet_report *report = NULL;
    facet_error error;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    const facet_options options = {.report = report};
    put(&t, DAE_BEGIN "<library_effects>" EFFECT("red") EFFECT("green") "</library_effects>");
    put(&t, "<library_materials>" MATERIAL("red") MATERIAL("green") "</library_materials>");
    put(&t, DAE_GEOMETRY(DAE_VERTICES DAE_FACE_OF("red") DAE_FACE_OF("green")) DAE_NODES);
    put(&t, "<node id=\"n\"><instance_geometry url=\"#g\"><bind_material><technique_common>"
            "<instance_material symbol=\"red\" target=\"#green\"/>"
            "<instance_material symbol=\"green\" target=\"#red\"/>"
            "</technique_common></bind_material></instance_geometry></node>" DAE_END);
    facet_scene *scene = load_bytes(t.at, t.size, "a.dae", &options);
    assert_null(test_finding(report, "LOSS-MATERIALS"));
    assert_int_equal(scene->mesh_count, 1);
    const facet_mesh *mesh = scene->meshes[0];
    assert_int_equal(mesh->face_count, 2);
    assert_string_equal(scene->materials[mesh->face_materials[0]]->name, "green");
    assert_string_equal(scene->materials[mesh->face_materials[1]]->name, "red");
    facet_scene_free(scene);
    facet_report_free(report);
    free(t.at);
}

/* 300 instances with 300 lists of materials need 299 copies of a geometry of 90 KB. */
TEST(copies_of_a_geometry_are_limited)
{
    enum { COUNT = 300 };
    text t = {0};
    facet_scene *scene = NULL;
    facet_error error;
    put(&t, "<COLLADA version=\"1.4.1\"><library_geometries><geometry id=\"g\"><mesh><!--");
    for (int i = 0; i < 3000; i++)
        put(&t, "%s", "012345678901234567890123456789");
    put(&t, "--></mesh></geometry></library_geometries><library_visual_scenes><visual_scene "
            "id=\"s\">");
    for (int i = 0; i < COUNT; i++) {
        char name[20];
        snprintf(name, sizeof name, "m%d", i);
        put_instance(&t, i, "red", name);
    }
    put_end(&t);
    facet_source source = {.data = (uint8_t *)t.at, .size = t.size, .name = "a.dae"};
    assert_int_equal(facet_load(&source, NULL, NULL, NULL, &scene, &error), FACET_ERROR_LIMIT);
    assert_non_null(strstr(error.message, "copies of geometry"));
    free(t.at);
}

#endif
