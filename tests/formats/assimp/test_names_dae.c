/* Nodes of a COLLADA with equal names. assimp finds nodes by their names. */
#include "support/dae.h"
#include "support/models.h"
#include "support/text.h"

#ifdef FACET_HAVE_ASSIMP

static void put_geometry(text *t)
{
    put(t, DAE_BEGIN);
    put(t, DAE_GEOMETRY(DAE_VERTICES DAE_FACE));
}

/* A skin of the joints `hip` and `knee`. */
static void put_controller(text *t, const char *id)
{
    put(t, "<controller id=\"%s\"><skin source=\"#g\">", id);
    put(t, DAE_SOURCE("j", "<Name_array id=\"ja\" count=\"2\">hip knee</Name_array>", "2", "1",
                      DAE_PARAM("J", "name")));
    put(t, DAE_SOURCE("b", DAE_FLOATS("b", "32", DAE_IDENTITY " " DAE_IDENTITY), "2", "16",
                      DAE_PARAM("T", "float4x4")));
    put(t, DAE_SOURCE("w", DAE_FLOATS("w", "1", "1"), "1", "1", DAE_PARAM("W", "float")));
    put(t, "<joints><input semantic=\"JOINT\" source=\"#j\"/><input semantic=\"INV_BIND_MATRIX\" "
           "source=\"#b\"/></joints><vertex_weights count=\"3\"><input semantic=\"JOINT\" "
           "source=\"#j\" offset=\"0\"/><input semantic=\"WEIGHT\" source=\"#w\" offset=\"1\"/>"
           "<vcount>1 1 1</vcount><v>0 0 1 0 1 0</v></vertex_weights></skin></controller>");
}

/* A skeleton at x. Its joints have ids only if `id` is given, or if it begins the skeleton. */
static void put_skeleton(text *t, const char *id, int x, bool has_ids)
{
    put(t, "<node id=\"%s\" name=\"%s\"><translate>%d 0 0</translate><node id=\"%s_hip\" ", id, id,
        x, id);
    put(t, "name=\"hip\" sid=\"hip\" type=\"JOINT\"><node ");
    if (has_ids)
        put(t, "id=\"%s_knee\" ", id);
    put(t, "name=\"knee\" sid=\"knee\" type=\"JOINT\"><translate>0 1 0</translate></node></node>"
           "</node>");
}

static void put_shown(text *t, const char *controller, const char *skeleton)
{
    put(t,
        "<node id=\"of_%s\"><instance_controller url=\"#%s\"><skeleton>#%s_hip</skeleton>"
        "</instance_controller></node>",
        skeleton, controller, skeleton);
}

static facet_scene *load(text *t)
{
    facet_scene *scene = NULL;
    facet_error error;
    put(t, DAE_END);
    facet_source source = {.data = (uint8_t *)t->at, .size = t->size, .name = "a.dae"};
    TEST_OK(facet_load(&source, NULL, NULL, NULL, &scene, &error), &error);
    TEST_WHOLE(scene);
    free(t->at);
    return scene;
}

/* The name of the node above a joint's skeleton. */
static const char *top_of(const facet_scene *scene, uint32_t joint)
{
    while (strcmp(scene->nodes[joint]->name, "A") != 0 &&
           strcmp(scene->nodes[joint]->name, "B") != 0) {
        joint = scene->nodes[joint]->parent;
        assert_true(joint < scene->node_count);
    }
    return scene->nodes[joint]->name;
}

/* Two skins: both are of the same controller, or each has its own. */
static void assert_own_skeletons(const char *second, bool has_ids)
{
    text t = {0};
    put_geometry(&t);
    put(&t, "<library_controllers>");
    put_controller(&t, "first");
    put_controller(&t, "second");
    put(&t, "</library_controllers><library_visual_scenes><visual_scene id=\"s\">");
    put_skeleton(&t, "A", 0, has_ids);
    put_skeleton(&t, "B", 5, has_ids);
    put_shown(&t, "first", "A");
    put_shown(&t, second, "B");
    facet_scene *scene = load(&t);
    assert_int_equal(scene->skin_count, 2);
    for (uint32_t i = 0; i < 2; i++) {
        const facet_skin *skin = scene->skins[i];
        assert_int_equal(skin->joint_count, 2);
        assert_string_equal(scene->nodes[skin->joints[0]]->name, "hip");
        assert_string_equal(scene->nodes[skin->joints[1]]->name, "knee");
        assert_string_equal(scene->meshes[i]->name, i == 0 ? "first" : second);
        assert_string_equal(top_of(scene, skin->joints[0]), top_of(scene, skin->joints[1]));
    }
    assert_string_not_equal(top_of(scene, scene->skins[0]->joints[0]),
                            top_of(scene, scene->skins[1]->joints[0]));
    /* A missing <bind_shape_matrix> is the identity. */
    double low[3], high[3];
    bool any;
    facet_error error;
    TEST_OK(facet_scene_bounds(scene, NULL, low, high, &any, &error), &error);
    /* The second vertex is 1 to the right; the second and third are bound to the knee at y = 1. */
    assert_true(low[0] == 0 && high[0] == 6 && low[1] == 0 && high[1] == 2);
    facet_scene_free(scene);
}

TEST(skins_follow_their_own_skeletons)
{
    assert_own_skeletons("first", true);
    assert_own_skeletons("second", true);
    assert_own_skeletons("first", false);
    assert_own_skeletons("second", false);
}

TEST(animations_move_the_node_with_their_target)
{
    text t = {0};
    put_geometry(&t);
    put(&t, "<library_animations><animation id=\"a\">");
    put(&t, DAE_SOURCE("ti", DAE_FLOATS("ti", "2", "0 1"), "2", "1", DAE_PARAM("TIME", "float")));
    put(&t, DAE_SOURCE("o", DAE_FLOATS("o", "2", "0 4"), "2", "1", DAE_PARAM("X", "float")));
    put(&t, "<sampler id=\"sa\"><input semantic=\"INPUT\" source=\"#ti\"/><input "
            "semantic=\"OUTPUT\" source=\"#o\"/></sampler><channel source=\"#sa\" "
            "target=\"n2/go.X\"/></animation></library_animations><library_visual_scenes>"
            "<visual_scene id=\"s\">");
    for (int i = 1; i <= 2; i++)
        put(&t,
            "<node id=\"n%d\" name=\"part\"><translate sid=\"go\">0 %d 0</translate>"
            "<instance_geometry url=\"#g\"/></node>",
            i, i);
    facet_scene *scene = load(&t);
    assert_int_equal(scene->animation_count, 1);
    for (uint32_t i = 0; i < scene->animations[0]->channel_count; i++) {
        const facet_node *node = scene->nodes[scene->animations[0]->channels[i].node];
        assert_string_equal(node->name, "part");
        assert_true(node->transform.translation[1] == 2);
    }
    facet_scene_free(scene);
}

/* A node may have the id of another as its name. Its name stays. */
TEST(names_that_are_ids_of_other_nodes_are_kept)
{
    text t = {0};
    put_geometry(&t);
    put(&t, "<library_visual_scenes><visual_scene id=\"s\"><node id=\"x\" name=\"y\"/>"
            "<node id=\"y\"><instance_geometry url=\"#g\"/></node><node name=\"y\"/>");
    facet_scene *scene = load(&t);
    uint32_t named = 0;
    for (uint32_t i = 0; i < scene->node_count; i++)
        named += strcmp(scene->nodes[i]->name, "y") == 0;
    assert_int_equal(named, 3);
    facet_scene_free(scene);
}

/* Facet adds marks to names before assimp reads them. A file can have names that look like these
 * marks. Before, a node "_$FacetMorph$0 r 1 x" was dropped, and "_$FacetNumber$2" was cut off. */
TEST(names_like_marks_are_kept)
{
    static const char *const names[] = {"_$FacetMorph$0 r 1 x", "_$FacetMorph$0",
                                        "a_$FacetNumber$2", "FacetMorph$0 r 1 x", "FacetNumber$1"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char file[3000];
        snprintf(file, sizeof file,
                 DAE_BEGIN DAE_GEOMETRY(DAE_VERTICES DAE_FACE) DAE_NODES
                 "<node id=\"n\" name=\"n\"/><node id=\"m\" name=\"%s\"><instance_geometry "
                 "url=\"#g\"/></node>" DAE_END,
                 names[i]);
        facet_scene *scene = load_bytes(file, strlen(file), "a.dae", NULL);
        bool is_found = false;
        for (uint32_t k = 0; k < scene->node_count; k++)
            is_found |= strcmp(scene->nodes[k]->name, names[i]) == 0;
        assert_true(is_found);
        assert_int_equal(scene->mesh_count, 1);
        assert_int_equal(scene->meshes[0]->face_count, 1);
        facet_scene_free(scene);
    }
}

/* XML 1.0, 2.2 forbids U+0001, which begins Facet's marks. It is a blank, also as a reference;
 * pugixml computes references modulo 2^32: 4294967297 is 1. */
TEST(forbidden_characters_are_blanks)
{
    static const char *const marks[] = {"\1", "&#1;", "&#x01;", "&#4294967297;"};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        char file[3000];
        snprintf(file, sizeof file,
                 DAE_BEGIN DAE_GEOMETRY(DAE_VERTICES DAE_FACE) DAE_NODES
                 "<node id=\"n\" name=\"n\"/><node id=\"m\" name=\"%sFacetMorph$0 r 1 x\">"
                 "<instance_geometry url=\"#g\"/></node>" DAE_END,
                 marks[i]);
        facet_scene *scene = load_bytes(file, strlen(file), "a.dae", NULL);
        assert_int_equal(scene->mesh_count, 1);
        bool is_found = false;
        for (uint32_t k = 0; k < scene->node_count; k++) {
            const char *end = strstr(scene->nodes[k]->name, "FacetMorph$0 r 1 x");
            is_found |= end && end > scene->nodes[k]->name && end[-1] == ' ';
        }
        assert_true(is_found);
        facet_scene_free(scene);
    }
}

#endif
