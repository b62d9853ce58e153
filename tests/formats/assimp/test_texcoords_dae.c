/* Texture coordinates of the textures in a COLLADA. */
#include "support/models.h"

#ifdef FACET_HAVE_ASSIMP

#define ACCESSOR(array, stride, names)                                                           \
    "<technique_common><accessor source=\"#" array "\" count=\"3\" stride=\"" stride "\">" names \
    "</accessor></technique_common>"
#define XYZ                                                                                  \
    "<param name=\"X\" type=\"float\"/><param name=\"Y\" type=\"float\"/><param name=\"Z\" " \
    "type=\"float\"/>"
#define ST "<param name=\"S\" type=\"float\"/><param name=\"T\" type=\"float\"/>"
#define COORDINATES(id)                           \
    "<source id=\"" id "\"><float_array id=\"" id \
    "a\" count=\"6\">0 0 1 0 0 1</float_array>" ACCESSOR(id "a", "2", ST) "</source>"
#define MATERIAL(id) "<material id=\"" id "\"><instance_effect url=\"#e\"/></material>"
#define BINDING(semantic, set)                                                                  \
    "<bind_vertex_input semantic=\"" semantic "\" input_semantic=\"TEXCOORD\" input_set=\"" set \
    "\"/>"

/* A triangle with sets 0 and 1. The parts: name of the texture's coordinates, bindings, more nodes
 * on line 2. */
static const char form[] =
    "<COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" version=\"1.4.1\">"
    "<library_images><image id=\"i\"><init_from>a.png</init_from></image></library_images>"
    "<library_effects><effect id=\"e\"><profile_COMMON><newparam sid=\"f\"><surface type=\"2D\">"
    "<init_from>i</init_from></surface></newparam><newparam sid=\"k\"><sampler2D><source>f"
    "</source></sampler2D></newparam><technique sid=\"t\"><lambert><diffuse><texture "
    "texture=\"k\" texcoord=\"%s\"/></diffuse></lambert></technique></profile_COMMON></effect>"
    "</library_effects><library_materials>" MATERIAL("m") MATERIAL(
        "o") "</library_materials>"
             "<library_geometries><geometry id=\"g\"><mesh><source id=\"p\"><float_array id=\"pa\" "
             "count=\"9\">0 0 0 1 0 0 0 1 0</float_array>" ACCESSOR(
                 "pa", "3", XYZ) "</source>" COORDINATES("s")
                 COORDINATES("u") "<vertices id=\"v\"><input semantic=\"POSITION\" "
                                  "source=\"#p\"/></vertices><triangles material=\"y\" "
                                  "count=\"1\"><input semantic=\"VERTEX\" "
                                  "source=\"#v\" offset=\"0\"/><input semantic=\"TEXCOORD\" "
                                  "source=\"#s\" offset=\"0\" "
                                  "set=\"0\"/><input semantic=\"TEXCOORD\" source=\"#u\" "
                                  "offset=\"0\" set=\"1\"/><p>0 1 2</p>"
                                  "</triangles></mesh></geometry></"
                                  "library_geometries><library_visual_scenes>"
                                  "<visual_scene id=\"w\"><node id=\"n\"><instance_geometry "
                                  "url=\"#g\"><bind_material>"
                                  "<technique_common><instance_material symbol=\"y\" "
                                  "target=\"#m\">%s</instance_material>"
                                  "</technique_common></bind_material></instance_geometry></"
                                  "node>\n%s</visual_scene>"
                                  "</library_visual_scenes><scene><instance_visual_scene "
                                  "url=\"#w\"/></scene></COLLADA>";

/* Another node that shows the triangle, with material o. */
#define OTHER(binding)                                                               \
    "<node id=\"q\"><instance_geometry url=\"#g\"><bind_material><technique_common>" \
    "<instance_material symbol=\"y\" target=\"#o\">" binding "</instance_material>"  \
    "</technique_common></bind_material></instance_geometry></node>"

/* COLLADA 1.4.1, bind_vertex_input: input_set is the set for the name `semantic` of the effect. A
 * number in the name has no meaning. */
TEST(binding_gives_a_texture_its_set)
{
    static const struct {
        const char *name, *binding, *other;
        uint32_t set;
        const char *rule;
    } cases[] = {
        {"shape1_a-tex0", BINDING("shape1_a-tex0", "0"), "", 0, NULL},
        {"UVMap", BINDING("UVMap", "1"), "", 1, NULL},
        {"map7", BINDING("map7", "1"), "", 1, NULL},
        {"b", BINDING("a", "0") BINDING("b", "1"), "", 1, NULL},
        {"a", BINDING("a", "0") BINDING("b", "1"), "", 0, NULL},
        {"a1", BINDING("a1", "0"), OTHER(BINDING("a1", "0")), 0, NULL},
        {"a1", BINDING("a1", "0"), OTHER(BINDING("a1", "1")), 0, "LOSS-TEXTURES"},
        {"TEX1", "", "", 1, NULL},            /* a habit of exporters */
        {"map3", "", "", 0, "ASSIMP-UV-SET"}, /* the mesh has no set 3 */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        static char text[8000];
        facet_error error;
        facet_options options = {0};
        TEST_OK(facet_report_create(NULL, &options.report, &error), &error);
        int size =
            snprintf(text, sizeof text, form, cases[i].name, cases[i].binding, cases[i].other);
        assert_true(size > 0 && (size_t)size < sizeof text);
        facet_scene *scene = load_bytes(text, (size_t)size, "a.dae", &options);
        assert_true(scene->material_count > 0);
        const facet_texture *map = scene->materials[0]->maps[FACET_MAP_DIFFUSE];
        assert_non_null(map);
        assert_int_equal(map->uv_set, cases[i].set);
        const facet_finding *lost = test_finding(options.report, "LOSS-TEXTURES");
        const facet_finding *guessed = test_finding(options.report, "ASSIMP-UV-SET");
        assert_int_equal(lost != NULL, cases[i].rule && *cases[i].rule == 'L');
        assert_int_equal(guessed != NULL, cases[i].rule && *cases[i].rule == 'A');
        if (lost)
            assert_int_equal(lost->line, 2);
        facet_scene_free(scene);
        facet_report_free(options.report);
    }
}

/* COLLADA 1.4.1: input_set is the number that the <input> of the mesh has, not an index. assimp
 * drops sets from 8 on. */
TEST(sets_of_a_mesh_have_any_numbers)
{
    static const struct {
        char sets[3], binding;
        uint32_t set;
    } cases[] = {{"12", '1', 0}, {"12", '2', 1}, {"03", '3', 1}, {"30", '0', 0},
                 {"30", '3', 1}, {"89", '9', 1}, {"28", '8', 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        static char text[8000];
        int size = snprintf(text, sizeof text, form, "UVMap", BINDING("UVMap", "X"), "");
        assert_true(size > 0 && (size_t)size < sizeof text);
        char *first = strstr(text, " set=\"0\""), *second = strstr(text, " set=\"1\"");
        char *binding = strstr(text, "input_set=\"X\"");
        assert_true(first && second && binding);
        first[6] = cases[i].sets[0];
        second[6] = cases[i].sets[1];
        binding[11] = cases[i].binding;
        facet_scene *scene = load_bytes(text, (size_t)size, "a.dae", NULL);
        const facet_texture *map = scene->materials[0]->maps[FACET_MAP_DIFFUSE];
        assert_non_null(map);
        assert_int_equal(map->uv_set, cases[i].set);
        assert_non_null(facet_mesh_find(scene->meshes[0], FACET_TEXCOORD, 1));
        facet_scene_free(scene);
    }
}

#endif
