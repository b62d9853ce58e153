/* Compare the tangents pass with MikkTSpace itself: the npm package mikktspace, run by node.
 * FACET_NPM names the folder that contains node_modules. Without it these tests are skipped with a
 * message. */
#include "support/jumble.h"

#include <facet/convert.h>
#include <facet/mesh.h>
#include <stdio.h>
#include <unistd.h>

#define NEEDS_NPM()                                           \
    do {                                                      \
        if (!getenv("FACET_NPM")) {                           \
            print_message("FACET_NPM is not set: skipped\n"); \
            skip();                                           \
        }                                                     \
    } while (0)

/* -- Run MikkTSpace ----------------------------------------------------- */

static void write_corners(FILE *file, const facet_mesh *mesh, facet_semantic semantic, size_t width)
{
    static const float none[3] = {0};
    const facet_stream *stream = facet_mesh_find(mesh, semantic, 0);
    for (uint32_t corner = 0; corner < mesh->corner_count; corner++) {
        bool is_hole = stream->indices[corner] == FACET_NONE;
        const float *element = is_hole ? none : test_element(stream, corner);
        assert_int_equal(fwrite(element, sizeof(float), width, file), width);
    }
}

/* MikkTSpace's tangents, four floats per corner. The caller frees them. */
static float (*reference_tangents(const facet_mesh *mesh))[4]
{
    char in[4096], out[4096], command[16384];
    snprintf(in, sizeof in, "%s", test_temporary("corners"));
    snprintf(out, sizeof out, "%s", test_temporary("tangents"));
    FILE *file = fopen(in, "wb");
    assert_non_null(file);
    write_corners(file, mesh, FACET_POSITION, 3);
    write_corners(file, mesh, FACET_NORMAL, 3);
    write_corners(file, mesh, FACET_TEXCOORD, 2);
    assert_int_equal(fclose(file), 0);
    snprintf(command, sizeof command, "node '%s' '%s' '%s'", test_path("mesh/mikktspace.js"), in,
             out);
    assert_int_equal(system(command), 0);
    float(*tangents)[4] = malloc(mesh->corner_count * sizeof *tangents);
    file = fopen(out, "rb");
    assert_true(tangents && file);
    assert_int_equal(fread(tangents, sizeof *tangents, mesh->corner_count, file),
                     mesh->corner_count);
    fclose(file);
    return tangents;
}

/* -- Comparison --------------------------------------------------------- */

static double angle_between(const float a[4], const float b[4])
{
    double x = (double)a[1] * b[2] - (double)a[2] * b[1];
    double y = (double)a[2] * b[0] - (double)a[0] * b[2];
    double z = (double)a[0] * b[1] - (double)a[1] * b[0];
    double dot = (double)a[0] * b[0] + (double)a[1] * b[1] + (double)a[2] * b[2];
    return atan2(sqrt(x * x + y * y + z * z), dot);
}

static bool agree(const float a[4], const float b[4])
{
    return a[3] == b[3] && angle_between(a, b) < 1e-3;
}

/* True if the texture space gives no direction. If directions cancel, MikkTSpace returns zero;
 * otherwise +x and -1, whatever the normal is. Facet's tangent is orthogonal to the normal. In the
 * second case it is as near to +x as possible. */
static bool means_nothing(const float reference[4], const float ours[4], const float normal[3])
{
    if (reference[0] == 0 && reference[1] == 0 && reference[2] == 0)
        return true;
    if (reference[1] != 0 || reference[2] != 0 || agree(reference, ours))
        return false;
    double along = normal[0], nearest = sqrt(1 - along * along);
    bool is_nearest = along * along > 0.89 || fabs(ours[0] - nearest) < 1e-3;
    return reference[0] == 1 && reference[3] == -1 && ours[3] == -1 && is_nearest;
}

/* Corners that share a position, normal and texture coordinate by index must be split in the same
 * way. Each is compared with the first of its vertex. */
static void compare(const char *name, facet_mesh *mesh)
{
    facet_error error;
    TEST_OK(facet_mesh_tangents(mesh, NULL, NULL, &error), &error);
    const facet_stream *tangents = facet_mesh_find(mesh, FACET_TANGENT, 0);
    const facet_stream *positions = facet_mesh_find(mesh, FACET_POSITION, 0);
    const facet_stream *normals = facet_mesh_find(mesh, FACET_NORMAL, 0);
    const facet_stream *texcoords = facet_mesh_find(mesh, FACET_TEXCOORD, 0);
    float(*reference)[4] = reference_tangents(mesh);
    uint32_t *firsts = malloc(positions->count * sizeof *firsts);
    assert_non_null(firsts);
    memset(firsts, 0xFF, positions->count * sizeof *firsts);
    uint32_t compared = 0, different = 0, pairs = 0, split_otherwise = 0;
    for (uint32_t corner = 0; corner < mesh->corner_count; corner++) {
        const float *ours = test_element(tangents, corner);
        if (means_nothing(reference[corner], ours, test_element(normals, corner)))
            continue;
        compared++;
        different += !agree(reference[corner], ours);
        uint32_t *first = &firsts[positions->indices[corner]];
        if (*first == FACET_NONE)
            *first = corner;
        if (normals->indices[corner] != normals->indices[*first] ||
            texcoords->indices[corner] != texcoords->indices[*first])
            continue;
        pairs++;
        split_otherwise += agree(reference[corner], reference[*first]) !=
                           agree(ours, test_element(tangents, *first));
    }
    print_message("%s: %u of %u corners differ, %u have no texture space; %u of %u splits differ\n",
                  name, different, compared, mesh->corner_count - compared, split_otherwise, pairs);
    free(firsts);
    free(reference);
    assert_true(different * 1000ull <= compared);
    assert_true(split_otherwise * 1000ull <= pairs);
}

/* -- Meshes ------------------------------------------------------------- */

TEST(corpus_meshes_match_mikktspace)
{
    TEST_NEEDS_CORPUS();
    NEEDS_NPM();
    static const char *const names[] = {"boat",
                                        "fish_control_mesh",
                                        "mixed_attribs_reverse",
                                        "negative_indices",
                                        "quadknot",
                                        "smoothing_group_162",
                                        "spider",
                                        "spot_control_mesh",
                                        "wallhole"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char relative[64];
        snprintf(relative, sizeof relative, "obj/%s.obj", names[i]);
        facet_error error;
        facet_file *file = NULL;
        facet_scene *scene = NULL;
        TEST_OK(facet_file_open(test_corpus(relative), NULL, &file, &error), &error);
        facet_source source = facet_file_source(file);
        TEST_OK(facet_load(&source, NULL, NULL, NULL, &scene, &error), &error);
        for (uint32_t m = 0; m < scene->mesh_count; m++) {
            facet_mesh *mesh = scene->meshes[m];
            TEST_OK(facet_mesh_triangulate(mesh, NULL, NULL, &error), &error);
            TEST_OK(facet_mesh_normals(mesh, NULL, NULL, NULL, &error), &error);
            if (i % 2 == 0)
                TEST_OK(facet_mesh_index(mesh, NULL, NULL, &error), &error);
            compare(names[i], mesh);
        }
        facet_scene_free(scene);
        facet_file_close(file);
    }
}

/* Equal values, mirrored and degenerate texture space, degenerate triangles, edges of many
 * triangles, and fans of every size that the pass treats differently. */
TEST(jumbled_meshes_match_mikktspace)
{
    NEEDS_NPM();
    static const uint32_t sizes[][2] = {{5, 20}, {60, 1200}, {300, 1000}, {5000, 10000}};
    for (uint32_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        facet_scene *scene = NULL;
        assert_int_equal(facet_scene_create(NULL, &scene, NULL), FACET_OK);
        facet_mesh *mesh = test_jumble(scene, sizes[i][0], sizes[i][1], true, i + 1);
        assert_non_null(mesh);
        compare("jumble", mesh);
        facet_scene_free(scene);
    }
}

/* A cone with one apex, u once around. At the apex every direction has an opposite, and each corner
 * leaves out the direction opposite to its own. */
TEST(cone_matches_mikktspace)
{
    NEEDS_NPM();
    for (uint32_t sides = 4; sides <= 64; sides *= 4) {
        float positions[65][3] = {{0, 0, 1}}, normals[65][3] = {{0, 0, 1}};
        float texcoords[66][2] = {{0.5f, 1}};
        uint32_t indices[192], texcoord_indices[192];
        for (uint32_t i = 0; i < sides; i++) {
            double angle = 6.283185307179586 * i / sides;
            positions[i + 1][0] = normals[i + 1][0] = (float)cos(angle);
            positions[i + 1][1] = normals[i + 1][1] = (float)sin(angle);
            const uint32_t corners[3] = {0, i + 1, (i + 1) % sides + 1};
            memcpy(indices + 3 * i, corners, sizeof corners);
            texcoord_indices[3 * i] = 0;
            texcoord_indices[3 * i + 1] = i + 1;
            texcoord_indices[3 * i + 2] = i + 2;
        }
        for (uint32_t i = 0; i <= sides; i++)
            texcoords[i + 1][0] = (float)i / (float)sides;
        facet_scene *scene = NULL;
        assert_int_equal(facet_scene_create(NULL, &scene, NULL), FACET_OK);
        facet_mesh *mesh = test_mesh(scene, sides, NULL);
        test_stream(scene, mesh, FACET_POSITION, 3, sides + 1, positions[0], indices);
        test_stream(scene, mesh, FACET_NORMAL, 3, sides + 1, normals[0], indices);
        test_stream(scene, mesh, FACET_TEXCOORD, 2, sides + 2, texcoords[0], texcoord_indices);
        compare("cone", mesh);
        facet_scene_free(scene);
    }
}
