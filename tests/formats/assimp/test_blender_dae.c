/* Reading COLLADA files as Blender 3.4 writes them. */
#include "support/models.h"

#include <math.h>

#ifdef FACET_HAVE_ASSIMP

/* A <source> with an array, and the names of the parameters of its elements. */
#define SOURCE(id, array, count, stride, parameters)                           \
    "<source id=\"" id "\">" array "<technique_common><accessor source=\"#" id \
    "a\" count=\"" count "\" stride=\"" stride "\">" parameters                \
    "</accessor></technique_common></source>"
#define PARAMETER(name, type) "<param name=\"" name "\" type=\"" type "\"/>"

#define POSITIONS                                                                               \
    SOURCE("p", "<float_array id=\"pa\" count=\"9\">0 0 0 1 0 0 0 2 0</float_array>", "3", "3", \
           PARAMETER("X", "float") PARAMETER("Y", "float") PARAMETER("Z", "float"))
#define JOINTS                                                                   \
    SOURCE("j", "<Name_array id=\"ja\" count=\"1\">bone</Name_array>", "1", "1", \
           PARAMETER("JOINT", "name"))
#define BINDS                                                                      \
    SOURCE("b", "<float_array id=\"ba\" count=\"16\">%s</float_array>", "1", "16", \
           PARAMETER("TRANSFORM", "float4x4"))
#define WEIGHTS                                                                 \
    SOURCE("w", "<float_array id=\"wa\" count=\"1\">1</float_array>", "1", "1", \
           PARAMETER("WEIGHT", "float"))

/* A triangle with the corners (0, 0, 0), (1, 0, 0) and (0, 2, 0), bound to the joint `bone`. The
 * parts: program, <bind_shape_matrix>, inverse bind matrix, weights per vertex, armature, bone. */
static const char form[] =
    "<COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" version=\"1.4.1\"><asset>"
    "<contributor><authoring_tool>%s</authoring_tool></contributor><unit name=\"meter\" "
    "meter=\"1\"/><up_axis>Z_UP</up_axis></asset><library_geometries><geometry id=\"g\"><mesh>" //
    POSITIONS
    "<vertices id=\"v\"><input semantic=\"POSITION\" source=\"#p\"/></vertices><triangles "
    "count=\"1\"><input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/><p>0 1 2</p></triangles>"
    "</mesh></geometry></library_geometries><library_controllers><controller id=\"c\"><skin "
    "source=\"#g\"><bind_shape_matrix>%s</bind_shape_matrix>" //
    JOINTS BINDS WEIGHTS
    "<joints><input semantic=\"JOINT\" source=\"#j\"/><input semantic=\"INV_BIND_MATRIX\" "
    "source=\"#b\"/></joints><vertex_weights count=\"3\"><input semantic=\"JOINT\" source=\"#j\" "
    "offset=\"0\"/><input semantic=\"WEIGHT\" source=\"#w\" offset=\"1\"/>%s</vertex_weights>"
    "</skin></controller></library_controllers><library_visual_scenes><visual_scene id=\"s\">"
    "<node id=\"armature\" name=\"armature\"><matrix sid=\"transform\">%s</matrix><node "
    "id=\"bone\" name=\"bone\" sid=\"bone\" type=\"JOINT\"><matrix sid=\"transform\">%s</matrix>"
    "</node><node id=\"n\" name=\"n\"><matrix sid=\"transform\">1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1"
    "</matrix><instance_controller url=\"#c\"><skeleton>#bone</skeleton></instance_controller>"
    "</node></node></visual_scene></library_visual_scenes><scene><instance_visual_scene "
    "url=\"#s\"/></scene></COLLADA>";

#define ALL_WEIGHTED "<vcount>1 1 1</vcount><v>0 0 0 0 0 0</v>"
#define TWO_WEIGHTED "<vcount>1 1 0</vcount><v>0 0 0 0</v>"

/* The armature: halved, turned by 90 degrees about x, so that (x, y, z) becomes (x, -z, y), and
 * moved to (0, 0, 3). The bone is at (0, 1, 0) of the armature, in the scene at (0, 0, 3.5). */
#define ARMATURE "0.5 0 0 0 0 0 -0.5 0 0 0.5 0 3 0 0 0 1"
#define BONE "1 0 0 0 0 1 0 1 0 0 1 0 0 0 0 1"
/* The inverse of their product: (x, y, z) becomes (2x, 2z - 7, -2y). */
#define INVERSE "2 0 0 0 0 0 2 -7 0 -2 0 0 0 0 0 1"
/* The transform of the mesh below the armature: (0, 1, 0). */
#define LOCAL "1 0 0 0 0 1 0 1 0 0 1 0 0 0 0 1"
/* The product of ARMATURE and LOCAL. */
#define GLOBAL "0.5 0 0 0 0 0 -0.5 0 0 0.5 0 3.5 0 0 0 1"

static facet_report *read_bounds(const char *program, const char *bind_shape, const char *weights,
                                 double minimum[3], double maximum[3])
{
    static char text[8000];
    facet_error error;
    facet_options options = {0};
    bool any;
    TEST_OK(facet_report_create(NULL, &options.report, &error), &error);
    int size =
        snprintf(text, sizeof text, form, program, bind_shape, INVERSE, weights, ARMATURE, BONE);
    assert_true(size > 0 && (size_t)size < sizeof text);
    facet_scene *scene = load_bytes(text, (size_t)size, "a.dae", &options);
    TEST_OK(facet_scene_bounds(scene, NULL, minimum, maximum, &any, &error), &error);
    facet_scene_free(scene);
    return options.report;
}

/* Blender shows the mesh below its armature, where its corners are (0, 1, 0), (1, 1, 0) and
 * (0, 3, 0). In the scene, they are (0, 0, 3.5), (0.5, 0, 3.5) and (0, 0, 4.5). With y up, (x, y,
 * z) is (x, z, -y). Other programs store the product of the transforms, as COLLADA requires. A skin
 * of theirs like Blender's is where the formula leaves it: (0, 1, 0), (1, 1, 0) and (0, 3, 0). */
TEST(skin_of_blender_has_the_transform_of_its_armature)
{
    static const struct {
        const char *program, *bind_shape, *weights;
        bool is_changed, is_literal;
    } cases[] = {{"Blender 3.4.1", LOCAL, ALL_WEIGHTED, true, false},
                 {"Blender 3.4.1", LOCAL, TWO_WEIGHTED, true, false},
                 {"Blender 3.4.1", GLOBAL, ALL_WEIGHTED, false, false},
                 {"Other", GLOBAL, ALL_WEIGHTED, false, false},
                 {"Other", LOCAL, ALL_WEIGHTED, false, true}};
    static const double right[2][3] = {{0, 3.5, 0}, {0.5, 4.5, 0}};
    static const double literal[2][3] = {{0, 0, -3}, {1, 0, -1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double bounds[2][3];
        facet_report *report = read_bounds(cases[i].program, cases[i].bind_shape, cases[i].weights,
                                           bounds[0], bounds[1]);
        for (int k = 0; k < 6; k++)
            assert_float_equal(bounds[k / 3][k % 3],
                               (cases[i].is_literal ? literal : right)[k / 3][k % 3], 1e-5);
        assert_int_equal(test_finding(report, "ASSIMP-BIND") != NULL, cases[i].is_changed);
        facet_report_free(report);
    }
}

#endif
