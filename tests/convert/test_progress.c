/* Long work reports its progress: the number of callbacks grows with the work, fractions grow, and
 * each callback can cancel. */
#include "support/mesh.h"
#include "support/models.h"

#include <facet/facet.h>

enum { SIDE = 400, TRIANGLES = SIDE * SIDE * 2 };

/* -- The callback ------------------------------------------------------- */

typedef struct listener {
    unsigned calls, stop_at; /* 0: never */
    char step[32];
    double fraction;
} listener;

static bool hear(void *user, const char *step, double fraction)
{
    listener *l = user;
    l->calls++;
    assert_true(fraction >= 0 && fraction <= 1);
    if (strcmp(step, l->step) == 0)
        assert_true(fraction >= l->fraction);
    snprintf(l->step, sizeof l->step, "%s", step);
    l->fraction = fraction;
    return l->calls != l->stop_at;
}

/* -- The mesh ----------------------------------------------------------- */

/* A grid with texture coordinates: side * side squares of two triangles. */
static facet_scene *make_grid(uint32_t side)
{
    uint32_t triangles = side * side * 2, vertices = (side + 1) * (side + 1);
    facet_scene *scene = test_scene();
    facet_mesh *mesh = test_mesh(scene, triangles, NULL);
    float *positions = malloc(sizeof(float) * vertices * 3);
    float *texcoords = malloc(sizeof(float) * vertices * 2);
    uint32_t *indices = malloc(sizeof(uint32_t) * triangles * 3);
    assert_true(mesh && positions && texcoords && indices);
    for (uint32_t v = 0; v < vertices; v++) {
        float x = (float)(v % (side + 1)), y = (float)(v / (side + 1)), size = (float)side;
        const float position[3] = {x, y, x * y / size}, texcoord[2] = {x / size, y / size};
        memcpy(positions + (size_t)v * 3, position, sizeof position);
        memcpy(texcoords + (size_t)v * 2, texcoord, sizeof texcoord);
    }
    for (uint32_t i = 0; i < side * side; i++) {
        uint32_t a = i / side * (side + 1) + i % side;
        const uint32_t square[6] = {a, a + 1, a + side + 2, a, a + side + 2, a + side + 1};
        memcpy(indices + (size_t)i * 6, square, sizeof square);
    }
    assert_true(test_stream(scene, mesh, FACET_POSITION, 3, vertices, positions, indices) &&
                test_stream(scene, mesh, FACET_TEXCOORD, 2, vertices, texcoords, indices));
    mesh->streams[1].indices = mesh->streams[0].indices;
    free(positions);
    free(texcoords);
    free(indices);
    TEST_OK(facet_mesh_normals(mesh, NULL, NULL, NULL, NULL), &(facet_error){0});
    TEST_OK(facet_mesh_index(mesh, NULL, NULL, NULL), &(facet_error){0});
    return scene;
}

/* -- Jobs --------------------------------------------------------------- */

typedef struct job {
    const char *name;
    unsigned least; /* minimum number of calls for the mesh above; see `jobs` */
    facet_status (*run)(facet_scene *scene, const facet_options *options);
} job;

static facet_status save(const facet_scene *scene, const char *name, const facet_options *options,
                         facet_output **output)
{
    facet_status status = facet_output_open_memory(NULL, output, NULL);
    if (!status)
        status = facet_save(scene, facet_format_named(name), options, *output, NULL);
    return status ? status : facet_output_commit(*output, NULL);
}

static facet_status write_obj(facet_scene *scene, const facet_options *options)
{
    facet_output *output = NULL;
    facet_status status = save(scene, "obj", options, &output);
    facet_output_free(output);
    return status;
}

static facet_status write_binarymesh(facet_scene *scene, const facet_options *options)
{
    facet_output *output = NULL;
    facet_status status = save(scene, "binarymesh", options, &output);
    facet_output_free(output);
    return status;
}

static facet_status write_stl(facet_scene *scene, const facet_options *options)
{
    facet_output *output = NULL;
    facet_status status = save(scene, "stl", options, &output);
    facet_output_free(output);
    return status;
}

static facet_status write_glb(facet_scene *scene, const facet_options *options)
{
    facet_output *output = NULL;
    facet_status status = save(scene, "glb", options, &output);
    facet_output_free(output);
    return status;
}

static facet_status read_again(facet_scene *scene, const char *name, const facet_options *options)
{
    facet_output *output = NULL;
    facet_scene *again = NULL;
    facet_status status = save(scene, name, NULL, &output);
    facet_source source = facet_source_from_memory(facet_output_data(output),
                                                   (size_t)facet_output_size(output), NULL);
    if (!status)
        status = facet_load(&source, facet_format_named(name), NULL, options, &again, NULL);
    facet_scene_free(again);
    facet_output_free(output);
    return status;
}

/* Triangles and quads in turn, so that adjacent records have different sizes. */
static facet_status read_ply(facet_scene *scene, const facet_options *options)
{
    static const uint8_t triangle[13] = {3, 0, 0, 0, 0, 1, 0, 0, 0, 2},
                         quad[17] = {4, 0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3};
    enum { PAIRS = TRIANGLES / 3, SPACE = 200 + 48 + PAIRS * 30 };
    (void)scene;
    uint8_t *data = calloc(SPACE, 1);
    assert_non_null(data);
    int used = snprintf((char *)data, 200,
                        "ply\nformat binary_little_endian 1.0\nelement vertex 4\n"
                        "property float x\nproperty float y\nproperty float z\nelement face %d\n"
                        "property list uchar int vertex_indices\nend_header\n",
                        PAIRS * 2);
    uint8_t *at = data + used + 48; /* all vertices at the origin */
    for (int i = 0; i < PAIRS; i++, at += sizeof triangle + sizeof quad) {
        memcpy(at, triangle, sizeof triangle);
        memcpy(at + sizeof triangle, quad, sizeof quad);
    }
    facet_source source = facet_source_from_memory(data, (size_t)(at - data), NULL);
    facet_scene *again = NULL;
    facet_status status =
        facet_load(&source, facet_format_named("ply"), NULL, options, &again, NULL);
    facet_scene_free(again);
    free(data);
    return status;
}

static facet_status read_obj(facet_scene *scene, const facet_options *options)
{
    return read_again(scene, "obj", options);
}

static facet_status read_stl(facet_scene *scene, const facet_options *options)
{
    return read_again(scene, "stl", options);
}

static facet_status make_tangents(facet_scene *scene, const facet_options *options)
{
    facet_mesh *mesh = scene->meshes[0];
    facet_status status = facet_mesh_tangents(mesh, options, NULL, NULL);
    facet_stream *tangents = facet_mesh_find(mesh, FACET_TANGENT, 0);
    if (tangents)
        facet_mesh_remove_stream(mesh, tangents);
    return status;
}

static facet_status optimize(facet_scene *scene, const facet_options *options)
{
    facet_status status = facet_mesh_optimize(scene->meshes[0], options, NULL, NULL);
    TEST_WHOLE(scene); /* also after a cancel */
    return status;
}

static facet_status make_normals(facet_scene *scene, const facet_options *options)
{
    const facet_normals_options anew = {.replace = true};
    facet_status status = facet_mesh_normals(scene->meshes[0], &anew, options, NULL, NULL);
    TEST_WHOLE(scene);
    return status;
}

static facet_status reduce(facet_scene *scene, const facet_options *options)
{
    const facet_reduce_options half = {.ratio = 0.5F};
    facet_scene *copy = NULL;
    assert_int_equal(facet_scene_copy(scene, NULL, &copy, NULL), FACET_OK);
    facet_status status = facet_mesh_reduce(copy->meshes[0], &half, options, NULL, NULL, NULL);
    TEST_WHOLE(copy);
    facet_scene_free(copy);
    return status;
}

/* A smaller grid, because a comparison takes ten times as long as all other jobs. */
static facet_status compare(facet_scene *scene, const facet_options *options)
{
    const facet_compare_options few = {.samples = 16384};
    facet_scene *grids[2] = {make_grid(100), make_grid(100)};
    facet_report *report = NULL;
    (void)scene;
    assert_int_equal(facet_report_create(NULL, &report, NULL), FACET_OK);
    facet_status status =
        facet_compare_scenes(grids[0], grids[1], &few, options, report, NULL, NULL);
    facet_report_free(report);
    facet_scene_free(grids[0]);
    facet_scene_free(grids[1]);
    return status;
}

static facet_status pack(facet_scene *scene, const facet_options *options)
{
    facet_packed *packed = NULL;
    facet_status status = facet_mesh_pack(scene->meshes[0], NULL, options, &packed, NULL);
    facet_packed_free(packed);
    return status;
}

/* The minimum numbers of calls:
 * - OBJ is written in blocks of 32,768 lines. 160,801 vertices in three elements, and 320,000
 * faces, are 24.
 * - GLB has 160,801 * 32 + 320,000 * 12 = 8,985,632 bytes, a call per MiB: 8.
 * - BinaryMesh is written in blocks of 256 KiB: 160,801 * 32 + 320,000 * 40 bytes are 68.
 * - STL is created and written in blocks of 65,536 triangles: 5 and 5. Reading has 5 more, then
 * numbers 960,000 corners in two passes, 262,144 a call: 8.
 * - PLY is read in blocks of 65,536 records. 213,332 faces in two passes are 8.
 * - OBJ is read in parts of the text.
 * - Tangents have 4,096 vertices a task. 40 tasks in at most 32 equal rounds are 20 and more.
 * - Packing has 65,536 vertices a call, in three attributes: 9.
 * - Triangles are optimized in blocks of 32,768 if this duplicates few vertices, else all at once:
 * one call, and two in the middle.
 * - Halving the triangles takes at least one pass over 960,000 edges, 32,768 a call: 30. Before
 * that, 320,000 triangles, 65,536 a call, are 5.
 * - A comparison runs in both directions over 1,024 items a call: 10,201 points, 16,384 samples and
 * 20,000 triangles are 10, 16 and 20, so 92 calls.
 * - Normals of 160,801 vertices, 65,536 a call, are 3, and one at first. */
static const job jobs[] = {
    {"write OBJ", 24, write_obj},
    {"write GLB", 8, write_glb},
    {"write BinaryMesh", 68, write_binarymesh},
    {"write STL", 10, write_stl},
    {"read PLY", 8, read_ply},
    {"read OBJ", 8, read_obj},
    {"read STL", 13, read_stl},
    {"tangents", 20, make_tangents},
    {"pack", 9, pack},
    {"optimize", 4, optimize},
    {"reduce", 35, reduce},
    {"compare", 92, compare},
    {"normals", 4, make_normals}, /* last: they get a separate index */
};

TEST(progress_is_called_often_enough)
{
    facet_scene *scene = make_grid(SIDE);
    for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++) {
        listener l = {.stop_at = 0};
        facet_options options = {.progress = hear, .progress_user = &l};
        assert_int_equal(jobs[i].run(scene, &options), FACET_OK);
        print_message("%s: %u calls\n", jobs[i].name, l.calls);
        if (l.calls < jobs[i].least)
            fail_msg("%s: %u calls, expected %u or more", jobs[i].name, l.calls, jobs[i].least);
    }
    facet_scene_free(scene);
}

/* Cancel at the first call, and at the last call that every run makes. */
TEST(every_progress_call_can_cancel)
{
    facet_scene *scene = make_grid(SIDE);
    for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++) {
        const unsigned stops[2] = {1, jobs[i].least};
        for (size_t k = 0; k < 2; k++) {
            listener l = {.stop_at = stops[k]};
            facet_options options = {.progress = hear, .progress_user = &l};
            facet_status status = jobs[i].run(scene, &options);
            if (status != FACET_ERROR_CANCELED || l.calls != stops[k])
                fail_msg("%s: status %d after %u calls, stopped at %u", jobs[i].name, status,
                         l.calls, stops[k]);
        }
    }
    facet_scene_free(scene);
}
