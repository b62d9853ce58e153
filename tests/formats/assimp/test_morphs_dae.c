/* Morph targets of a COLLADA. */
#include "support/dae.h"
#include "support/models.h"
#include "support/text.h"

#ifdef FACET_HAVE_ASSIMP

#define GEOMETRY(id, name, positions)                                                           \
    "<geometry id=\"" id "\"" name                                                              \
    ">\n<mesh>" DAE_SOURCE(id "p", DAE_FLOATS(id "p", "18", positions), "6", "3",               \
                           DAE_XYZ) "<vertices id=\"" id                                        \
                                    "v\"><input semantic=\"POSITION\" source=\"#" id            \
                                    "p\"/></vertices><triangles material=\"x\" "                \
                                    "count=\"1\"><input semantic=\"VERTEX\" source=\"#" id      \
                                    "v\" offset=\"0\"/><p>2 0 1</p>"                            \
                                    "</triangles><triangles material=\"y\" count=\"1\"><input " \
                                    "semantic=\"VERTEX\" source=\"#" id                         \
                                    "v\" offset=\"0\"/><p>3 4 5</p></triangles></mesh></geometry>"

#define BASE "0 0 0 1 0 0 0 1 0 5 0 0 6 0 0 5 1 0"
/* The first vertex is moved by 2, the last one by 3. */
#define FIRST "0 0 2 1 0 0 0 1 0 5 0 0 6 0 0 5 1 0"
#define LAST "0 0 0 1 0 0 0 1 0 5 0 0 6 0 0 5 1 3"
#define FIRST_OFFSETS "0 0 2 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0"
#define LAST_OFFSETS "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 3"

#define MORPH(id, method, targets) MORPH_OF("g", id, method, targets)
#define MORPH_OF(base, id, method, targets)                                                       \
    "<controller id=\"" id "\"><morph source=\"#" base "\"" method                                \
    ">" DAE_SOURCE("t", "<IDREF_array id=\"ta\" count=\"2\">" targets "</IDREF_array>", "2", "1", \
                   DAE_PARAM("M", "IDREF"))                                                       \
        DAE_SOURCE("w", DAE_FLOATS("w", "2", "0.25 0.5"), "2", "1",                               \
                   DAE_PARAM("W", "float")) "<targets><input "                                    \
                                            "semantic=\"MORPH_TARGET\" source=\"#t\"/><input "    \
                                            "semantic=\"MORPH_WEIGHT\" source=\"#w\"/>"           \
                                            "</targets></morph></controller>"

#define SKIN                                                                                    \
    "<controller id=\"k\"><skin source=\"#c\">" DAE_SOURCE(                                     \
        "j", "<Name_array id=\"ja\" count=\"1\">a</Name_array>", "1", "1",                      \
        DAE_PARAM("J", "name")) DAE_SOURCE("b", DAE_FLOATS("b", "16", DAE_IDENTITY), "1", "16", \
                                           DAE_PARAM("T", "float4x4"))                          \
        DAE_SOURCE(                                                                             \
            "u", DAE_FLOATS("u", "1", "1"), "1", "1",                                           \
            DAE_PARAM(                                                                          \
                "W",                                                                            \
                "float")) "<joints>"                                                            \
                          "<input semantic=\"JOINT\" source=\"#j\"/><input "                    \
                          "semantic=\"INV_BIND_MATRIX\" source=\"#b\""                          \
                          "/></joints><vertex_weights count=\"6\"><input semantic=\"JOINT\" "   \
                          "source=\"#j\" offset="                                               \
                          "\"0\"/><input semantic=\"WEIGHT\" source=\"#u\" "                    \
                          "offset=\"1\"/><vcount>1 1 1 1 1 1</vcount>"                          \
                          "<v>0 0 0 0 0 0 0 0 0 0 0 0</v></vertex_weights></skin></controller>"

/* `nodes` show the controllers c, a morph, and k, a skin of it. */
static facet_scene *load(const char *geometries, const char *morph, const char *nodes,
                         facet_report *report)
{
    text t = {0};
    const facet_options options = {.report = report};
    put(&t, DAE_BEGIN "<library_effects>" DAE_EFFECT("e", "<lambert/>") "</library_effects>");
    put(&t, "<library_materials>" DAE_MATERIAL("red", "e")
                DAE_MATERIAL("blue", "e") "</library_materials><library_geometries>");
    put(&t, GEOMETRY("g", "", BASE));
    put(&t, "%s</library_geometries><library_controllers>", geometries);
    put(&t, "%s", morph);
    put(&t, SKIN);
    put(&t,
        "</library_controllers>" DAE_NODES "<node id=\"a\" name=\"a\" sid=\"a\" type=\"JOINT\"/>");
    put(&t, "%s" DAE_END, nodes);
    facet_scene *scene = load_bytes(t.at, t.size, "a.dae", &options);
    free(t.at);
    return scene;
}

static facet_report *new_report(void)
{
    facet_report *report = NULL;
    facet_error error;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    return report;
}

/* Check that a target moves the corners at a position by `height`, and no other. Returns the number
 * of these corners. */
static int count_moved(const facet_mesh *mesh, uint32_t target, float x, float y, float height)
{
    const facet_stream *positions = facet_mesh_find(mesh, FACET_POSITION, 0),
                       *offsets = facet_mesh_find(mesh, FACET_MORPH_POSITION, target);
    int moved = 0;
    assert_true(positions && offsets);
    for (uint32_t i = 0; i < mesh->corner_count; i++) {
        const float *at = corner_of(mesh, positions, i), *by = corner_of(mesh, offsets, i);
        bool is_moved = at[0] == x && at[1] == y;
        assert_true(by[0] == 0 && by[1] == 0 && by[2] == (is_moved ? height : 0));
        moved += is_moved;
    }
    return moved;
}

/* Check the targets of all meshes that nodes of this name, or below one, show. */
static void assert_targets(const facet_scene *scene, const char *name)
{
    int first = 0, last = 0;
    for (uint32_t i = 0; i < scene->node_count; i++) {
        const facet_node *node = scene->nodes[i];
        bool is_below =
            node->parent != FACET_NONE && strcmp(scene->nodes[node->parent]->name, name) == 0;
        if (node->mesh == FACET_NONE || (!is_below && strcmp(node->name, name) != 0))
            continue;
        const facet_mesh *mesh = scene->meshes[node->mesh];
        assert_int_equal(mesh->morph_count, 2);
        assert_string_equal(mesh->morphs[0].name, "smile");
        assert_string_equal(mesh->morphs[1].name, "B");
        assert_float_equal(mesh->morphs[0].weight, 0.25F, 0);
        assert_float_equal(mesh->morphs[1].weight, 0.5F, 0);
        first += count_moved(mesh, 0, 0, 0, 2);
        last += count_moved(mesh, 1, 5, 1, 3);
    }
    assert_int_equal(first, 1);
    assert_int_equal(last, 1);
}

static uint32_t count_named(const facet_scene *scene, const char *part)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < scene->node_count; i++)
        count += strstr(scene->nodes[i]->name, part) != NULL;
    for (uint32_t i = 0; i < scene->mesh_count; i++)
        count += strstr(scene->meshes[i]->name, part) != NULL;
    return count;
}

#define INSTANCE(url, skeleton, x, y)                                                     \
    "<instance_controller url=\"#" url "\">" skeleton "<bind_material><technique_common>" \
    "<instance_material symbol=\"x\" target=\"#" x                                        \
    "\"/><instance_material symbol=\"y\" target=\"#" y                                    \
    "\"/></technique_common></bind_material></instance_controller>"
#define TARGETS(first, last) GEOMETRY("A", " name=\"smile\"", first) GEOMETRY("B", "", last)

/* COLLADA 1.4.1, morph: NORMALIZED, the default, has whole shapes: base (1 - sum of weights) + sum
 * of weight * target, which is base + sum of weight * (target - base). RELATIVE has differences. */
TEST(targets_of_a_morph_are_read)
{
    static const struct {
        const char *geometries, *morph;
    } cases[] = {{TARGETS(FIRST, LAST), MORPH("c", "", "A B")},
                 {TARGETS(FIRST, LAST), MORPH("c", " method=\"NORMALIZED\"", "A\nB")},
                 {TARGETS(FIRST_OFFSETS, LAST_OFFSETS), MORPH("c", " method=\"RELATIVE\"", "A B")}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        facet_report *report = new_report();
        facet_scene *scene =
            load(cases[i].geometries, cases[i].morph,
                 "<node id=\"n\">" INSTANCE("c", "", "red",
                                            "blue") "</node>"
                                                    "<node id=\"o\">" INSTANCE(
                                                        "c", "", "blue",
                                                        "red") "</node>"
                                                               "<node id=\"s\">" INSTANCE(
                                                                   "k", "<skeleton>#a</skeleton>",
                                                                   "red", "blue") "</node>",
                 report);
        assert_null(test_finding(report, "LOSS-MORPHS"));
        assert_targets(scene, "n");
        assert_targets(scene, "o");
        uint32_t skinned = 0;
        for (uint32_t k = 0; k < scene->node_count; k++) {
            const facet_node *node = scene->nodes[k];
            if (node->skin == FACET_NONE)
                continue;
            skinned++;
            assert_int_equal(scene->meshes[node->mesh]->morph_count, 2);
        }
        assert_true(skinned > 0);
        assert_int_equal(count_named(scene, "$"), 0);
        facet_scene_free(scene);
        facet_report_free(report);
    }
}

/* A plain instance of the geometry keeps its shape and has no targets. */
TEST(geometry_of_a_morph_has_no_targets_itself)
{
    facet_report *report = new_report();
    facet_scene *scene =
        load(TARGETS(FIRST, LAST), MORPH("c", "", "A B"),
             "<node id=\"n\">" INSTANCE(
                 "c", "", "red", "blue") "</node>"
                                         "<node id=\"q\"><instance_geometry url=\"#g\"/></node>",
             report);
    assert_targets(scene, "n");
    for (uint32_t i = 0; i < scene->node_count; i++) {
        const facet_node *node = scene->nodes[i];
        if (node->mesh != FACET_NONE && node->parent != FACET_NONE &&
            strcmp(scene->nodes[node->parent]->name, "q") == 0)
            assert_int_equal(scene->meshes[node->mesh]->morph_count, 0);
    }
    facet_scene_free(scene);
    facet_report_free(report);
}

/* assimp makes no mesh of a geometry without faces, and so none of its targets. LeakSanitizer sees
 * whether assimp gets its nodes back. */
TEST(geometry_without_faces_has_no_targets)
{
    static const char triangles[] = "<triangles material";
    static const char base[] = GEOMETRY("h", "", BASE);
    text t = {0};
    put(&t, "%.*s</mesh></geometry>", (int)(strstr(base, triangles) - base), base);
    put(&t, "%s", GEOMETRY("A", "", FIRST) GEOMETRY("B", "", LAST));
    facet_scene *scene = load(t.at, MORPH_OF("h", "c", "", "A B"),
                              "<node id=\"n\"><instance_geometry url=\"#g\"/></node><node id=\"m\">"
                              "<instance_controller url=\"#c\"/></node>",
                              NULL);
    assert_int_equal(count_faces(scene), 2);
    assert_int_equal(count_named(scene, "Morph"), 0);
    facet_scene_free(scene);
    free(t.at);
}

/* Targets that are missing, or that have another number of positions. */
TEST(morphs_with_other_targets_are_reported)
{
    static const char *const geometries[] = {
        GEOMETRY("A", "", FIRST), GEOMETRY("A", "", FIRST) GEOMETRY("B", "", LAST " 7"),
        GEOMETRY("A", "", FIRST) "<geometry id=\"B\"><mesh/></geometry>"};
    for (size_t i = 0; i < sizeof geometries / sizeof *geometries; i++) {
        facet_report *report = new_report();
        facet_scene *scene =
            load(geometries[i], MORPH("c", "", "A B"),
                 "<node id=\"n\">" INSTANCE("c", "", "red", "blue") "</node>", report);
        assert_non_null(test_finding(report, "LOSS-MORPHS"));
        assert_int_equal(count_faces(scene), 2);
        facet_scene_free(scene);
        facet_report_free(report);
    }
}

#endif
