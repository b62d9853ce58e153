/* Elements of a COLLADA that assimp misreads: weights of the bind shape, images of version 1.5,
 * and polygons with holes. */
#include "support/dae.h"
#include "support/models.h"

#ifdef FACET_HAVE_ASSIMP

/* The parts: version, libraries, primitives, <vcount> and <v> of 3 vertices, and what the node
 * shows. */
static const char form[] = "<COLLADA version=\"%s\">%s" DAE_GEOMETRY(
    DAE_VERTICES
    "%s") "<library_controllers>"
          "<controller id=\"c\"><skin source=\"#g\">" DAE_SOURCE(
              "j", "<Name_array id=\"ja\" count=\"2\">a b</Name_array>", "2", "1",
              DAE_PARAM("J", "name"))
              DAE_SOURCE("b", DAE_FLOATS("b", "32", DAE_IDENTITY " " DAE_IDENTITY), "2", "16",
                         DAE_PARAM("T", "float4x4"))
                  DAE_SOURCE(
                      "w", DAE_FLOATS("w", "2", "1 0.5"), "2", "1",
                      DAE_PARAM("W",
                                "float")) "<joints><input semantic=\"JOINT\" source=\"#j\"/><input "
                                          "semantic=\"INV_BIND_MATRIX\" "
                                          "source=\"#b\"/></joints><vertex_weights "
                                          "count=\"3\"><input semantic=\"JOINT\" "
                                          "source=\"#j\" offset=\"0\"/><input semantic=\"WEIGHT\" "
                                          "source=\"#w\" offset=\"1\"/>%s"
                                          "</vertex_weights></skin></controller></"
                                          "library_controllers>" DAE_NODES
                                          "<node id=\"a\" name=\"a\" sid=\"a\" "
                                          "type=\"JOINT\"><node id=\"b\" name=\"b\" sid=\"b\" "
                                          "type=\"JOINT\"/></node><node id=\"n\">%s</node>" DAE_END;

#define TRIANGLES                                                                     \
    "<triangles material=\"y\" count=\"1\"><input semantic=\"VERTEX\" source=\"#v\" " \
    "offset=\"0\"/><p>0 1 2</p></triangles>"
#define SKIN "<instance_controller url=\"#c\"><skeleton>#a</skeleton></instance_controller>"
#define MESH                                                                             \
    "<instance_geometry url=\"#g\"><bind_material><technique_common><instance_material " \
    "symbol=\"y\" target=\"#m\"/></technique_common></bind_material></instance_geometry>"

static size_t make(char *text, size_t space, const char *version, const char *libraries,
                   const char *primitives, const char *weights, const char *shown)
{
    int size = snprintf(text, space, form, version, libraries, primitives, weights, shown);
    assert_true(size > 0 && (size_t)size < space);
    return (size_t)size;
}

/* Weight of a joint for a vertex. */
static double weight_of(const facet_mesh *mesh, uint32_t vertex, uint32_t joint)
{
    const facet_stream *weights = facet_mesh_find(mesh, FACET_WEIGHTS, 0);
    const facet_stream *joints = facet_mesh_find(mesh, FACET_JOINTS, 0);
    double sum = 0;
    assert_true(weights && joints);
    for (size_t i = 0; i < 4; i++) {
        if (((const uint16_t *)joints->data)[vertex * 4 + i] == joint)
            sum += (double)((const float *)weights->data)[vertex * 4 + i];
    }
    return sum;
}

/* COLLADA 1.4.1, <v>: -1 is the bind shape. The weights are 1 and 0.5. The
 * second vertex has the bind shape and joint b, the third joints a and b. */
TEST(weights_after_those_of_the_bind_shape_are_right)
{
    static const struct {
        const char *weights;
        bool is_lost;
    } cases[] = {{"<vcount>1 2 2</vcount><v>0 0 -1 1 1 1 0 1 1 1</v>", true},
                 {"<vcount> 1 2\n2 </vcount><v> 0 0\n1 1 -1 1 1 1 0 1 </v>", true},
                 {"<vcount>1 1 2</vcount><v>0 0 1 0 0 1 1 1</v>", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        static char text[6000];
        facet_error error;
        facet_options options = {0};
        TEST_OK(facet_report_create(NULL, &options.report, &error), &error);
        size_t size = make(text, sizeof text, "1.4.1", "", TRIANGLES, cases[i].weights, SKIN);
        facet_scene *scene = load_bytes(text, size, "a.dae", &options);
        assert_int_equal(scene->skin_count, 1);
        const facet_skin *skin = scene->skins[0];
        uint32_t a = strcmp(scene->nodes[skin->joints[0]]->name, "a") == 0 ? 0 : 1;
        static const double expected[3] = {1, 0, 0.5}; /* of joint a */
        for (uint32_t v = 0; v < 3; v++) {
            assert_float_equal(weight_of(scene->meshes[0], v, a), expected[v], 1e-6);
            assert_float_equal(weight_of(scene->meshes[0], v, 1 - a), (float)(1 - expected[v]),
                               1e-6);
        }
        assert_int_equal(test_finding(options.report, "LOSS-SKIN") != NULL, cases[i].is_lost);
        facet_scene_free(scene);
        facet_report_free(options.report);
    }
}

/* COLLADA 1.5: a sampler has an <instance_image>, and an image a <ref>. */
/* assimp writes beyond its array of joints, and its assertion on weights ends the process. */
TEST(indices_of_joints_and_weights_are_in_range)
{
    static const char *const pairs[] = {"0 0 1 1 0 0", "0 0 2 1 0 0", "0 0 1 2 0 0"};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        char text[6000], weights[100];
        facet_scene *scene = NULL;
        facet_error error;
        snprintf(weights, sizeof weights, "<vcount>1 1 1</vcount><v>%s</v>", pairs[i]);
        size_t size = make(text, sizeof text, "1.4.1", "", TRIANGLES, weights, SKIN);
        facet_source source = facet_source_from_memory(text, size, "a.dae");
        facet_status status = facet_load(&source, NULL, NULL, NULL, &scene, &error);
        assert_int_equal(status, i == 0 ? FACET_OK : FACET_ERROR_MALFORMED);
        if (status)
            assert_string_equal(error.rule, "ASSIMP");
        facet_scene_free(scene);
    }
}

TEST(image_of_version_1_5_is_read)
{
    static char text[6000];
    size_t size = make(
        text, sizeof text, "1.5.0",
        "<library_images><image id=\"i\"><init_from><ref>a.png</ref></init_from></image>"
        "</library_images><library_effects><effect id=\"e\"><profile_COMMON><newparam sid=\"k\">"
        "<sampler2D><instance_image url=\"#i\"/></sampler2D></newparam><technique sid=\"t\">"
        "<lambert><diffuse><texture texture=\"k\" texcoord=\"u\"/></diffuse></lambert></technique>"
        "</profile_COMMON></effect></library_effects><library_materials><material id=\"m\">"
        "<instance_effect url=\"#e\"/></material></library_materials>",
        TRIANGLES, "<vcount>1 1 1</vcount><v>0 0 0 0 0 0</v>", MESH);
    facet_scene *scene = load_bytes(text, size, "a.dae", NULL);
    assert_int_equal(scene->material_count, 1);
    assert_non_null(scene->materials[0]->maps[FACET_MAP_DIFFUSE]);
    assert_string_equal(scene->materials[0]->maps[FACET_MAP_DIFFUSE]->path, "a.png");
    facet_scene_free(scene);
}

TEST(polygons_with_holes_are_an_error)
{
    static char text[6000];
    facet_scene *scene = NULL;
    facet_error error;
    facet_source source = {.data = (uint8_t *)text, .name = "a.dae"};
    source.size = make(text, sizeof text, "1.4.1", "",
                       "<polygons count=\"1\"><input semantic=\"VERTEX\" source=\"#v\" "
                       "offset=\"0\"/><ph><p>0 1 2</p><h>0 1 2</h></ph></polygons>",
                       "<vcount>1 1 1</vcount><v>0 0 0 0 0 0</v>", MESH);
    TEST_REFUSED(facet_load(&source, NULL, NULL, NULL, &scene, &error), FACET_ERROR_UNSUPPORTED,
                 "ASSIMP", &error);
    assert_non_null(strstr(error.message, "holes"));
}

#endif
