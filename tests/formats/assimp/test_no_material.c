/* Faces without a material, next to faces with one, in formats that assimp reads. */
#include "support/dae.h"
#include "support/models.h"
#include "support/zip.h"

#ifdef FACET_HAVE_ASSIMP

#define RED "<instance_material symbol=\"y\" target=\"#red\"/>"
#define BIND(bindings) \
    "<bind_material><technique_common>" bindings "</technique_common></bind_material>"
#define NODE(id, content) \
    "<node id=\"" id "\"><instance_geometry url=\"#g\">" content "</instance_geometry></node>"

/* The parts: triangles of the geometry, nodes. */
static const char dae[] = DAE_BEGIN "<library_effects>" DAE_EFFECT(
    "e", DAE_DIFFUSE("1 0 0 1")) "</library_effects>"
                                 "<library_materials>" DAE_MATERIAL(
                                     "red",
                                     "e") "</library_materials>" DAE_GEOMETRY(DAE_VERTICES "%s")
                                     DAE_NODES "%s" DAE_END;

#define WITH DAE_FACE_OF("y")
#define WITHOUT DAE_FACE

/* Number of faces with the red material, and without one; others are an error. */
static void count_materials(const facet_scene *scene, uint32_t *red, uint32_t *none)
{
    *red = *none = 0;
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        const facet_mesh *mesh = scene->meshes[i];
        for (uint32_t face = 0; face < mesh->face_count; face++) {
            uint32_t number = mesh->face_materials ? mesh->face_materials[face] : FACET_NONE;
            *none += number == FACET_NONE;
            if (number == FACET_NONE)
                continue;
            assert_true(number < scene->material_count);
            const float *color = scene->materials[number]->base_color;
            assert_true(color[0] == 1 && color[1] == 0 && color[2] == 0);
            ++*red;
        }
    }
}

static void check(const void *text, size_t size, const char *name, uint32_t red, uint32_t none)
{
    uint32_t found_red, found_none;
    facet_scene *scene = load_bytes(text, size, name, NULL);
    count_materials(scene, &found_red, &found_none);
    assert_int_equal(found_red, red);
    assert_int_equal(found_none, none);
    assert_int_equal(scene->material_count, 1);
    facet_scene_free(scene);
}

/* COLLADA 1.4.1: a face has a material if an <instance_material> binds the symbol of its
 * primitive. */
TEST(collada_faces_without_a_binding_have_no_material)
{
    static const struct {
        const char *triangles, *nodes;
        uint32_t red, none;
    } cases[] = {
        {WITH, NODE("a", BIND(RED)), 1, 0},
        {WITH, NODE("a", ""), 0, 1},
        {WITH, NODE("a", BIND(RED)) NODE("b", ""), 1, 1},
        {WITHOUT, NODE("a", BIND(RED)), 0, 1},
        {WITH WITHOUT, NODE("a", BIND(RED)), 1, 1},
        {WITH WITHOUT, NODE("a", "<bind_material><technique_common/></bind_material>"), 0, 2},
        {WITH, NODE("a", BIND("<instance_material symbol=\"z\" target=\"#red\"/>")), 0, 1},
        {WITH, NODE("a", BIND("<instance_material symbol=\"y\" target=\"#gone\"/>")), 0, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        static char text[4000];
        int size = snprintf(text, sizeof text, dae, cases[i].triangles, cases[i].nodes);
        assert_true(size > 0 && (size_t)size < sizeof text);
        check(text, (size_t)size, "a.dae", cases[i].red, cases[i].none);
    }
}

#define FACES                                                                           \
    "<IndexedFaceSet coordIndex=\"0 1 2 -1\"><Coordinate point=\"0 0 0 1 0 0 0 1 0\"/>" \
    "</IndexedFaceSet>"

TEST(x3d_shapes_without_an_appearance_have_no_material)
{
    static const char text[] =
        "<X3D version=\"3.0\"><Scene><Shape><Appearance><Material diffuseColor=\"1 0 0\"/>"
        "</Appearance>" FACES "</Shape><Shape>" FACES "</Shape><Shape><Appearance/>" FACES
        "</Shape></Scene></X3D>";
    check(text, sizeof text - 1, "a.x3d", 1, 2);
}

/* A gray material of the file is not one that assimp makes. */
TEST(x3d_gray_materials_are_kept)
{
    static const char text[] =
        "<X3D version=\"3.0\"><Scene><Shape><Appearance><Material diffuseColor=\"0.5 0.5 0.5\"/>"
        "</Appearance>" FACES "</Shape></Scene></X3D>";
    facet_scene *scene = load_bytes(text, sizeof text - 1, "a.x3d", NULL);
    assert_int_equal(scene->material_count, 1);
    assert_float_equal((double)scene->materials[0]->base_color[0], 0.5, 1e-6);
    facet_scene_free(scene);
}

#define X_MESH(name, more)                                                                      \
    "Frame " name " {\nMesh m" name " {\n3;\n0.0;0.0;0.0;,\n1.0;0.0;0.0;,\n1.0;1.0;0.0;;\n1;\n" \
    "3;0,2,1;;\n" more "}\n}\n"

/* The color of a Material is ColorRGBA faceColor. */
TEST(x_meshes_without_a_material_have_none)
{
    static const char text[] = "xof 0303txt 0032\n" X_MESH(
        "A", "MeshMaterialList {\n1;\n1;\n0;;\nMaterial r {\n1.0;0.0;0.0;0.5;;\n10.0;\n"
             "0.0;0.0;0.0;;\n0.0;0.0;0.0;;\n}\n}\n") X_MESH("B", "");
    check(text, sizeof text - 1, "a.x", 1, 1);
    facet_scene *scene = load_bytes(text, sizeof text - 1, "a.x", NULL);
    assert_true(scene->materials[0]->base_color[3] == 0.5F);
    facet_scene_free(scene);
}

/* assimp gives a material without a name that of its line, from 0. */
TEST(x_materials_without_a_name_have_that_of_their_line)
{
    static const char text[] = "xof 0303txt 0032\n\nFrame A { Mesh m { 3; 0;0;0;, 1;0;0;, 1;1;0;; "
                               "1; 3;0,2,1;; MeshMaterialList { 1; 1; 0;; Material {\n"
                               "1.0;0.0;0.0;1.0;; 10.0; 0.0;0.0;0.0;; 0.0;0.0;0.0;; } } } }\n";
    facet_scene *scene = load_bytes(text, sizeof text - 1, "a.x", NULL);
    assert_int_equal(scene->material_count, 1);
    assert_string_equal(scene->materials[0]->name, "material2");
    facet_scene_free(scene);
}

#define OBJECT(id, attributes)                                                                     \
    "<object id=\"" id "\" type=\"model\" " attributes "><mesh><vertices><vertex x=\"0\" y=\"0\" " \
    "z=\"0\"/><vertex x=\"1\" y=\"0\" z=\"0\"/><vertex x=\"0\" y=\"1\" z=\"0\"/></vertices>"       \
    "<triangles><triangle v1=\"0\" v2=\"1\" v3=\"2\"/></triangles></mesh></object>"

static size_t make_3mf(zip_bytes *zip, const char *model)
{
    const char *const parts[3][2] = {
        {"[Content_Types].xml", "<Types/>"},
        {"_rels/.rels",
         "<Relationships><Relationship Target=\"/3D/3dmodel.model\" Id=\"a\" Type=\"http://"
         "schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel\"/></Relationships>"},
        {"3D/3dmodel.model", model}};
    make_zip(zip, parts, 3, false);
    return zip->size;
}

/* 3MF core specification: displaycolor is #RRGGBB or #RRGGBBAA, and a unit is millimeter by
 * default. An inch has 0.0254 m. */
TEST(objects_of_3mf_without_a_material_have_none)
{
    static const struct {
        const char *unit, *color;
        double meters;
        float alpha;
    } cases[] = {{"", "#FF0000", 0.001, 1},
                 {"unit=\"inch\"", "#FF000080", 0.0254, 128 / 255.0F},
                 {"unit=\"micron\"", "#FF0000FF", 1e-6, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        static char model[2000];
        zip_bytes zip;
        int size = snprintf(
            model, sizeof model,
            "<model %s><resources><basematerials id=\"5\"><base name=\"r\" "
            "displaycolor=\"%s\"/></basematerials>" OBJECT("1", "pid=\"5\" pindex=\"0\"") OBJECT(
                "2", "") "</resources>"
                         "<build><item objectid=\"1\"/><item objectid=\"2\"/></build></model>",
            cases[i].unit, cases[i].color);
        assert_true(size > 0 && (size_t)size < sizeof model);
        make_3mf(&zip, model);
        check(zip.data, zip.size, "a.3mf", 1, 1);
        facet_scene *scene = load_bytes(zip.data, zip.size, "a.3mf", NULL);
        assert_true(scene->materials[0]->base_color[3] == cases[i].alpha);
        assert_float_equal(scene->axes.unit, cases[i].meters, 0);
        facet_scene_free(scene);
    }
}

#define TRIANGLES_OF(properties, triangles)                                                   \
    "<object id=\"1\" type=\"model\" " properties "><mesh><vertices><vertex x=\"0\" y=\"0\" " \
    "z=\"0\"/><vertex x=\"1\" y=\"0\" z=\"0\"/><vertex x=\"0\" y=\"1\" z=\"0\"/></vertices>"  \
    "<triangles>" triangles "</triangles></mesh></object>"
#define T(properties) "<triangle v1=\"0\" v2=\"1\" v3=\"2\" " properties "/>"

/* Base materials 0 and 1 are red and green. assimp reads one material per mesh, and no colors. */
TEST(triangles_of_3mf_have_their_materials)
{
    static const struct {
        const char *object;
        uint32_t red, green, none;
        bool is_color_lost;
    } cases[] = {
        {TRIANGLES_OF("", T("pid=\"5\" p1=\"0\"") T("pid=\"5\" p1=\"0\"")), 2, 0, 0, false},
        {TRIANGLES_OF("", T("pid=\"5\" p1=\"1\"") T("pid=\"5\" p1=\"0\"")), 1, 1, 0, false},
        {TRIANGLES_OF("", T("pid=\"5\" p1=\"0\"") T("")), 1, 0, 1, false},
        {TRIANGLES_OF("pid=\"5\" pindex=\"0\"", T("") T("pid=\"5\" p1=\"1\"")), 1, 1, 0, false},
        {TRIANGLES_OF("pid=\"5\" pindex=\"0\"", T("") T("p1=\"1\"")), 1, 1, 0, false},
        {TRIANGLES_OF("pid=\"5\" pindex=\"0\"", T("p1=\"1\"")), 0, 1, 0, false},
        {TRIANGLES_OF("pid=\"5\" pindex=\"1\"", T("") T("pid=\"5\" p1=\"1\"")), 0, 2, 0, false},
        {TRIANGLES_OF("", T("pid=\"6\" p1=\"0\"")), 0, 0, 1, true},
        {TRIANGLES_OF("pid=\"6\" pindex=\"1\"", T("")), 0, 0, 1, true},
        {TRIANGLES_OF("", T("pid=\"6\" p1=\"0\"") T("pid=\"5\" p1=\"0\"")), 1, 0, 1, true},
        /* Indices that do not exist: assimp reads beyond its array. */
        {TRIANGLES_OF("", T("pid=\"5\" p1=\"90000\"")), 0, 0, 1, true},
        {TRIANGLES_OF("", T("pid=\"5\" p1=\"2\"") T("pid=\"5\" p1=\"0\"")), 1, 0, 1, true},
        {TRIANGLES_OF("", T("pid=\"5\" p1=\"-1\"")), 0, 0, 1, true},
        {TRIANGLES_OF("", T("pid=\"5\" p1=\"0x7FFFFF\"")), 0, 0, 1, true},
        {TRIANGLES_OF("pid=\"5\" pindex=\"90000\"", T("") T("")), 0, 0, 2, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        static char model[2000];
        uint32_t counts[3] = {0, 0, 0};
        zip_bytes zip;
        facet_error error;
        facet_options options = {0};
        TEST_OK(facet_report_create(NULL, &options.report, &error), &error);
        int size =
            snprintf(model, sizeof model,
                     "<model><resources><basematerials id=\"5\"><base name=\"r\" "
                     "displaycolor=\"#FF0000\"/><base name=\"g\" displaycolor=\"#00FF00\"/>"
                     "</basematerials><m:colorgroup id=\"6\"><m:color color=\"#0000FF\"/>"
                     "<m:color color=\"#FFFFFF80\"/></m:colorgroup>%s</resources><build><item "
                     "objectid=\"1\"/></build></model>",
                     cases[i].object);
        assert_true(size > 0 && (size_t)size < sizeof model);
        facet_scene *scene = load_bytes(zip.data, make_3mf(&zip, model), "a.3mf", &options);
        assert_int_equal(scene->mesh_count, 1);
        const facet_mesh *mesh = scene->meshes[0];
        for (uint32_t face = 0; face < mesh->face_count; face++) {
            uint32_t number = mesh->face_materials ? mesh->face_materials[face] : FACET_NONE;
            bool is_red = number != FACET_NONE && scene->materials[number]->base_color[0] == 1;
            counts[number == FACET_NONE ? 2 : is_red ? 0 : 1]++;
        }
        assert_int_equal(counts[0], cases[i].red);
        assert_int_equal(counts[1], cases[i].green);
        assert_int_equal(counts[2], cases[i].none);
        assert_null(test_finding(options.report, "LOSS-MATERIALS"));
        assert_int_equal(test_finding(options.report, "LOSS-COLORS") != NULL,
                         cases[i].is_color_lost);
        facet_scene_free(scene);
        facet_report_free(options.report);
    }
}

#endif
