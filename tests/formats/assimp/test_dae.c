/* Reading COLLADA: elements that assimp drops or fails at. */
#include "support/models.h"

#include <math.h>

#ifdef FACET_HAVE_ASSIMP

/* -- A file ------------------------------------------------------------- */

#define XYZ                                                                               \
    "<accessor source=\"#a\" count=\"3\" stride=\"3\"><param name=\"X\" type=\"float\"/>" \
    "<param name=\"Y\" type=\"float\"/><param name=\"Z\" type=\"float\"/></accessor>"

/* A triangle on a node; `libraries` is on line 2, `inputs` on line 4, `placing` on line 6. */
static const char form[] =
    "<COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" version=\"1.4.1\">\n%s\n"
    "<library_geometries><geometry id=\"g\"><mesh><source id=\"p\"><float_array id=\"a\" "
    "count=\"9\">0 0 0 1 0 0 0 1 0</float_array><technique_common>" XYZ
    "</technique_common></source><vertices id=\"v\">\n%s<input semantic=\"POSITION\" "
    "source=\"#p\"/></vertices>\n<triangles count=\"1\"><input semantic=\"VERTEX\" source=\"#v\" "
    "offset=\"0\"/><p>0 1 2</p></triangles></mesh></geometry></library_geometries>"
    "<library_visual_scenes><visual_scene id=\"s\"><node id=\"n\">\n%s<instance_geometry "
    "url=\"#g\"/></node></visual_scene></library_visual_scenes><scene><instance_visual_scene "
    "url=\"#s\"/></scene></COLLADA>\n";

static facet_status load(const char *libraries, const char *inputs, const char *placing,
                         facet_report *report, facet_scene **scene, facet_error *error)
{
    static char text[8000];
    int size = snprintf(text, sizeof text, form, libraries, inputs, placing);
    assert_true(size > 0 && (size_t)size < sizeof text);
    facet_source source = {.data = (uint8_t *)text, .size = (size_t)size, .name = "a.dae"};
    facet_options options = {.report = report};
    *scene = NULL;
    return facet_load(&source, NULL, NULL, &options, scene, error);
}

/* -- Errors ------------------------------------------------------------- */

/* assimp ends the process at a <skew> of a node, with an assertion. */
TEST(skew_is_an_error_with_its_line)
{
    static const char skew[] = "<skew>45 0 1 0 1 0 0</skew>";
    facet_scene *scene;
    facet_error error = {0};
    assert_int_equal(load("", "", skew, NULL, &scene, &error), FACET_ERROR_UNSUPPORTED);
    assert_string_equal(error.rule, "ASSIMP");
    assert_int_equal(error.line, 6);
    /* Not elements of a node. */
    TEST_OK(
        load("", "", "<!-- <skew>1</skew> --><extra><skew>1</skew></extra>", NULL, &scene, &error),
        &error);
    assert_int_equal(count_faces(scene), 1);
    facet_scene_free(scene);
}

/* assimp reads behind an array that is shorter than its accessor needs: 3 x 3 values from offset 0
 * or 1. It reads "0.5" as 0. */
TEST(arrays_hold_what_their_accessors_need)
{
    static const struct {
        const char *count, *offset;
        bool is_valid;
    } cases[] = {{"9", "0", true},    {"10", "1", true},          {"9", "1", false},
                 {"8", "0", false},   {"0", "0", false},          {"", "0", false},
                 {"0.5", "0", false}, {"-9", "0", false},         {"9", "x", false},
                 {"9 ", "0", true},   {"99999999999", "0", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char source[400];
        facet_scene *scene = NULL;
        facet_error error = {0};
        snprintf(source, sizeof source,
                 "<library_geometries><geometry id=\"h\"><mesh><source id=\"q\"><float_array "
                 "id=\"b\" count=\"%s\">0 0 0 1 0 0 0 1 0 0</float_array><technique_common>"
                 "<accessor source=\"#b\" offset=\"%s\" count=\"3\" stride=\"3\"/>"
                 "</technique_common></source></mesh></geometry></library_geometries>",
                 cases[i].count, cases[i].offset);
        facet_status status = load(source, "", "", NULL, &scene, &error);
        assert_int_equal(status, cases[i].is_valid ? FACET_OK : FACET_ERROR_MALFORMED);
        if (!cases[i].is_valid)
            assert_int_equal(error.line, 2);
        facet_scene_free(scene);
    }
}

TEST(input_before_position_is_an_error_with_its_line)
{
    facet_scene *scene;
    facet_error error = {0};
    assert_int_equal(
        load("", "<input semantic=\"NORMAL\" source=\"#p\"/>", "", NULL, &scene, &error),
        FACET_ERROR_UNSUPPORTED);
    assert_int_equal(error.line, 4);
}

/* FCOLLADA and OpenCOLLADA write the visibility of nodes, which assimp does not read. */
TEST(hidden_nodes_are_reported)
{
    static const struct {
        const char *placing;
        bool is_lost;
    } cases[] = {
#define TECHNIQUE(value)                                                                      \
    "<extra><technique profile=\"FCOLLADA\"><visibility>" value "</visibility></technique></" \
    "extra>"
        {TECHNIQUE("0"), true},
        {TECHNIQUE("false"), true},
        {TECHNIQUE("1"), false},
        {TECHNIQUE("0.5"), false},
        {"<extra><visibility>0</visibility></extra>", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        facet_scene *scene;
        facet_error error = {0};
        facet_report *report = NULL;
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        TEST_OK(load("", "", cases[i].placing, report, &scene, &error), &error);
        const facet_finding *finding = test_finding(report, "LOSS-NODES");
        assert_true((finding != NULL) == cases[i].is_lost);
        assert_true(!finding || finding->line == 6);
        facet_scene_free(scene);
        facet_report_free(report);
    }
}

/* A controller with the id `morph` that is a morph of `source`. */
#define MORPH(morph, source)                                                       \
    "<controller id=\"" morph "\"><morph source=\"#" source                        \
    "\"><source id=\"t\"><IDREF_array id=\"ta\" count=\"1\">h</IDREF_array>"       \
    "</source><targets><input semantic=\"MORPH_TARGET\" source=\"#t\"/></targets>" \
    "</morph></controller>"

/* assimp reads no mesh of a file with a morph: it is removed. The triangle is shown by a
 * node's own instance, by one of the morph, and by one of a morph of the morph. */
TEST(meshes_of_morphs_keep_their_shape)
{
    static const char two[] =
        "<library_controllers>" MORPH("c", "g") "\n" MORPH("d", "c") "</library_controllers>";
    static const char *const placings[] = {
        "", "<node id=\"k\"><instance_controller url=\"#c\"/></node>",
        "<node id=\"k\"><instance_controller "
        "url='#d'><bind_material/></instance_controller></node>"};
    for (size_t i = 0; i < sizeof placings / sizeof *placings; i++) {
        facet_scene *scene;
        facet_error error = {0};
        facet_options options = {0};
        TEST_OK(facet_report_create(NULL, &options.report, &error), &error);
        TEST_OK(load(two, "", placings[i], options.report, &scene, &error), &error);
        uint32_t shown = 0;
        for (uint32_t n = 0; n < scene->node_count; n++)
            shown += scene->nodes[n]->mesh != FACET_NONE;
        assert_int_equal(count_faces(scene), 1);
        assert_int_equal(shown, i > 0 ? 2 : 1);
        assert_int_equal(facet_report_count(options.report), 1);
        const facet_finding *lost = facet_report_get(options.report, 0);
        assert_string_equal(lost->rule, "LOSS-MORPHS");
        assert_int_equal(lost->line, 2);
        assert_int_equal(lost->count, 2);
        facet_report_free(options.report);
        facet_scene_free(scene);
    }
}

/* -- Losses ------------------------------------------------------------- */

#define CAMERA(optics)                                                    \
    "<library_cameras><camera id=\"c\"><optics><technique_common>" optics \
    "</technique_common></optics></camera></library_cameras>"
#define LIGHT(kind)                                           \
    "<library_lights><light id=\"l\"><technique_common>" kind \
    "</technique_common></light></library_lights>"
#define EFFECT(inner)                                                                            \
    "<library_effects><effect id=\"e\"><profile_COMMON><newparam sid=\"s\"><sampler2D>" inner    \
    "</sampler2D></newparam><technique sid=\"t\"><phong/></technique></profile_COMMON></effect>" \
    "</library_effects>"
#define KEYS(names)                                                                   \
    "<library_animations><animation id=\"m\"><source id=\"i\"><Name_array id=\"ia\" " \
    "count=\"2\">" names "</Name_array></source></animation></library_animations>"

/* The test expects a report of each thing that assimp drops, and none of its right counterpart. */
TEST(dropped_elements_are_reported)
{
    static const struct {
        const char *libraries, *rule, *words; /* words NULL: no finding */
    } cases[] = {
        {CAMERA("<perspective><xfov>45</xfov></perspective>"), "LOSS-CAMERA", "xfov"},
        {CAMERA("<perspective><yfov>45</yfov></perspective>"), "LOSS-CAMERA", NULL},
        {CAMERA("<perspective><yfov>45</yfov><aspect_ratio>2</aspect_ratio></perspective>"),
         "LOSS-CAMERA", NULL},
        {CAMERA("<orthographic><xmag>3</xmag></orthographic>"), "LOSS-CAMERA", NULL},
        {CAMERA("<orthographic><xmag>-3</xmag></orthographic>"), "LOSS-CAMERA", "orthographic"},
        {LIGHT("<ambient><color>1 1 1</color></ambient>"), "LOSS-CAMERA", "ambient"},
        {LIGHT("<point><color>1 1 1</color></point>"), "LOSS-CAMERA", NULL},
        {LIGHT("<spot><falloff_exponent>2</falloff_exponent></spot>"), "LOSS-CAMERA", "falloff"},
        {LIGHT("<spot><falloff_exponent> 0 </falloff_exponent></spot>"), "LOSS-CAMERA", NULL},
        {EFFECT("<wrap_s>BORDER</wrap_s>"), "LOSS-TEXTURES", "border"},
        {EFFECT("<wrap_s>CLAMP</wrap_s>"), "LOSS-TEXTURES", NULL},
        {EFFECT("<wrap_s>WRAP</wrap_s>"), "LOSS-TEXTURES", NULL},
        {KEYS("LINEAR STEP"), "LOSS-ANIMATIONS", "straight lines"},
        {KEYS("LINEAR\nLINEAR"), "LOSS-ANIMATIONS", NULL},
        {"<library_animation_clips><animation_clip/></library_animation_clips>", "LOSS-ANIMATIONS",
         NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        facet_scene *scene;
        facet_error error;
        facet_report *report;
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        TEST_OK(load(cases[i].libraries, "", "", report, &scene, &error), &error);
        const facet_finding *found = test_finding(report, cases[i].rule);
        if (cases[i].words) {
            assert_non_null(found);
            assert_non_null(strstr(found->message, cases[i].words));
            assert_int_equal(found->line, 2);
        } else {
            assert_null(found);
        }
        facet_scene_free(scene);
        facet_report_free(report);
    }
}

/* An intensity of 1 that fades by 0.5 d^2, with the distance d, is one of 2 that fades by d^2. By
 * default, a light does not fade. */
TEST(lights_that_fade_otherwise_are_reported)
{
    static const struct {
        const char *kind, *attenuation;
        const char *words; /* NULL: no finding */
        float intensity;
    } cases[] = {
        {"point",
         "<constant_attenuation>0</constant_attenuation>"
         "<quadratic_attenuation>0.5</quadratic_attenuation>",
         NULL, 2},
        {"point", "<linear_attenuation>0.25</linear_attenuation>",
         "'n' fades by 1 + 0.25 d + 0 d^2", 1},
        {"spot", "", "by 1 + 0 d + 0 d^2", 1},
        {"directional", "", NULL, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        facet_scene *scene;
        facet_error error;
        facet_report *report;
        char libraries[600];
        snprintf(libraries, sizeof libraries,
                 "<library_lights><light id=\"l\"><technique_common><%s><color>1 1 1</color>%s</%s>"
                 "</technique_common></light></library_lights>",
                 cases[i].kind, cases[i].attenuation, cases[i].kind);
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        TEST_OK(load(libraries, "", "<instance_light url=\"#l\"/>", report, &scene, &error),
                &error);
        assert_int_equal(scene->light_count, 1);
        assert_float_equal(scene->lights[0]->intensity, cases[i].intensity, 1e-6);
        assert_int_equal(test_finding(report, "LOSS-CAMERA") != NULL, cases[i].words != NULL);
        if (cases[i].words)
            assert_non_null(test_finding_saying(report, "LOSS-CAMERA", cases[i].words));
        facet_scene_free(scene);
        facet_report_free(report);
    }
}

/* assimp names a light like its node. */
TEST(names_of_lights_are_reported)
{
    for (int i = 0; i < 2; i++) {
        facet_scene *scene;
        facet_error error;
        facet_report *report;
        char libraries[400];
        snprintf(libraries, sizeof libraries,
                 "<library_lights><light id=\"l\" name=\"%s\"><technique_common><directional>"
                 "<color>1 1 1</color></directional></technique_common></light></library_lights>",
                 i ? "n" : "lamp");
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        TEST_OK(load(libraries, "", "<instance_light url=\"#l\"/>", report, &scene, &error),
                &error);
        assert_string_equal(scene->lights[0]->name, "n");
        assert_int_equal(test_finding_saying(report, "LOSS-NAMES", "'lamp'") != NULL, i == 0);
        facet_scene_free(scene);
        facet_report_free(report);
    }
}

/* assimp looks for the symbol among the materials before it looks at the target. */
TEST(lines_have_the_material_of_their_primitive)
{
    static const char text[] =
        "<COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" version=\"1.4.1\">"
        "<library_effects><effect id=\"e\"><profile_COMMON><technique sid=\"c\"><lambert><diffuse>"
        "<color>1 0 0 1</color></diffuse></lambert></technique></profile_COMMON></effect>"
        "</library_effects><library_materials><material id=\"m\"><instance_effect url=\"#e\"/>"
        "</material></library_materials><library_geometries><geometry id=\"g\"><mesh>"
        "<source id=\"p\"><float_array id=\"a\" count=\"9\">0 0 0 1 0 0 0 1 0</float_array>"
        "<technique_common>" XYZ "</technique_common></source><vertices id=\"v\"><input "
        "semantic=\"POSITION\" source=\"#p\"/></vertices><lines count=\"1\" material=\"m\">"
        "<input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/><p>0 1</p></lines></mesh>"
        "</geometry></library_geometries><library_visual_scenes><visual_scene id=\"s\">"
        "<node id=\"n\"><instance_geometry url=\"#g\"><bind_material><technique_common>"
        "<instance_material symbol=\"m\" target=\"#m\"/></technique_common></bind_material>"
        "</instance_geometry></node></visual_scene></library_visual_scenes><scene>"
        "<instance_visual_scene url=\"#s\"/></scene></COLLADA>";
    facet_source source = {.data = (const uint8_t *)text, .size = sizeof text - 1, .name = "a.dae"};
    facet_options options = {0};
    facet_scene *scene = NULL;
    facet_error error;
    TEST_OK(facet_report_create(NULL, &options.report, &error), &error);
    TEST_OK(facet_load(&source, NULL, NULL, &options, &scene, &error), &error);
    assert_int_equal(scene->meshes[0]->line_count, 1);
    assert_non_null(scene->meshes[0]->line_materials);
    assert_int_equal(scene->meshes[0]->line_materials[0], 0);
    assert_float_equal(scene->materials[0]->base_color[1], 0, 0); /* red */
    assert_null(test_finding(options.report, "LOSS-MATERIALS"));
    facet_scene_free(scene);
    facet_report_free(options.report);
}

/* A full angle of 45 degrees: half of it is pi / 8. */
TEST(falloff_angle_is_the_cone_of_a_spot_light)
{
    static const char light[] =
        LIGHT("<spot><color>1 1 1</color><falloff_angle>45</falloff_angle></spot>");
    facet_scene *scene;
    facet_error error;
    TEST_OK(load(light, "", "<instance_light url=\"#l\"/>", NULL, &scene, &error), &error);
    assert_int_equal(scene->light_count, 1);
    assert_float_equal(scene->lights[0]->outer_cone_angle, 0.3926991F, 1e-6F);
    assert_float_equal(scene->lights[0]->inner_cone_angle, 0, 0);
    facet_scene_free(scene);
}

/* A point (x, y, z, 1) becomes (x + 5, y + 6, z + 8, 2): half of that. A fourth row is a
 * projection, which no scene has. */
TEST(matrices_of_nodes_are_affine)
{
    static const struct {
        const char *row;
        bool is_lost;
    } cases[] = {{"0 0 0 2", false}, {"0 0.5 0 2", true}};
    for (size_t i = 0; i < 2; i++) {
        char matrix[100];
        facet_scene *scene;
        facet_error error;
        facet_report *report;
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        snprintf(matrix, sizeof matrix, "<matrix>1 0 0 5 0 1 0 6 0 0 1 8 %s</matrix>",
                 cases[i].row);
        TEST_OK(load("", "", matrix, report, &scene, &error), &error);
        const facet_node *node = scene->nodes[scene->node_count - 1];
        assert_false(node->has_matrix);
        assert_float_equal(node->transform.translation[0], 2.5F, 0);
        assert_float_equal(node->transform.translation[1], 3, 0);
        assert_float_equal(node->transform.translation[2], 4, 0);
        assert_float_equal(node->transform.scale[0], 0.5F, 0);
        assert_int_equal(test_finding(report, "LOSS-NODES") != NULL, cases[i].is_lost);
        facet_scene_free(scene);
        facet_report_free(report);
    }
}

/* assimp's own gray material for a file without materials is dropped. */
TEST(file_without_materials_has_none)
{
    facet_scene *scene;
    facet_error error;
    TEST_OK(load("", "", "", NULL, &scene, &error), &error);
    assert_int_equal(scene->material_count, 0);
    facet_scene_free(scene);
}

#endif
