/* Locations of objects in an AC3D. */
#include "support/models.h"

#ifdef FACET_HAVE_ASSIMP

#include "scene/matrix.h"

#define HEAD                                                                                \
    "AC3Db\nMATERIAL \"r\" rgb 1 0 0  amb 0 0 0  emis 0 0 0  spec 0 0 0  shi 10  trans 0\n" \
    "OBJECT world\nkids 1\n"
#define VERTICES "numvert 3\n0 0 0\n1 0 0\n0 1 0\n"
#define FACE "SURF 0x10\nmat 0\nrefs 3\n0 0 0\n1 0 0\n2 0 0\n"
#define LINE "SURF 0x2\nmat 0\nrefs 2\n0 0 0\n1 0 0\n"
#define CHILD "OBJECT poly\nname \"c\"\n" VERTICES "numsurf 1\n" FACE "kids 0\n"

/* Smallest corner of all vertices that lines and faces use, in the axes of the file. */
static void find_corner(const facet_scene *scene, float least[3])
{
    for (int i = 0; i < 3; i++)
        least[i] = 1e9F;
    float world[16 * 8];
    assert_true(scene->node_count <= 8);
    for (uint32_t n = 0; n < scene->node_count; n++) {
        const facet_node *node = scene->nodes[n];
        float own[16];
        facet_matrix_of_node(node, own);
        if (node->parent != FACET_NONE)
            facet_matrix_multiply(world + node->parent * 16, own, world + n * 16);
        else
            memcpy(world + n * 16, own, sizeof own);
        if (node->mesh == FACET_NONE)
            continue;
        const facet_stream *positions = &scene->meshes[node->mesh]->streams[0];
        for (uint32_t v = 0; v < positions->count; v++) {
            const float *p = (const float *)positions->data + (size_t)v * 3, *m = world + n * 16;
            for (int i = 0; i < 3; i++) {
                float at = m[i] * p[0] + m[4 + i] * p[1] + m[8 + i] * p[2] + m[12 + i];
                least[i] = at < least[i] ? at : least[i];
            }
        }
    }
}

/* "loc" is the translation of an object, its lines and its children. The least corner is that of
 * the triangle or line from (0, 0, 0), moved to (1, 2, 3). A half turn
 * moves it by (-1, -1, 0) first. */
TEST(location_applies_to_lines_children_and_rotations)
{
    static const struct {
        const char *object;
        float x, y;
    } cases[] = {
        {"OBJECT poly\nloc 1 2 3\n" VERTICES "numsurf 1\n" FACE "kids 0\n", 1, 2},
        {"OBJECT poly\nloc 1 2 3\n" VERTICES "numsurf 1\n" LINE "kids 0\n", 1, 2},
        {"OBJECT poly\nloc 1 2 3\n" VERTICES "numsurf 2\n" FACE LINE "kids 0\n", 1, 2},
        {"OBJECT poly\nloc 1 2 3\n" VERTICES "numsurf 1\n" FACE "kids 1\n" CHILD, 1, 2},
        {"OBJECT poly\nrot 1 0 0 0 1 0 0 0 1\nloc 1 2 3\n" VERTICES "numsurf 1\n" FACE "kids 0\n",
         1, 2},
        {"OBJECT group\nloc 1 2 3\nkids 1\n" CHILD, 1, 2},
        {"OBJECT poly\nrot -1 0 0 0 -1 0 0 0 1\nloc 1 2 3\n" VERTICES "numsurf 1\n" FACE "kids 0\n",
         0, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1500];
        float least[3];
        int size = snprintf(text, sizeof text, HEAD "%s", cases[i].object);
        facet_scene *scene = load_bytes(text, (size_t)size, "a.ac", NULL);
        find_corner(scene, least);
        assert_float_equal((double)least[0], (double)cases[i].x, 1e-6);
        assert_float_equal((double)least[1], (double)cases[i].y, 1e-6);
        assert_float_equal((double)least[2], 3, 1e-6);
        facet_scene_free(scene);
    }
}

#endif
