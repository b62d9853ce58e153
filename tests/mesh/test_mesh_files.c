/* The passes on real files. Their guarantees are computed in another way. */
#include "formats/obj/obj.h"
#include "mesh/passes.h"
#include "support/mesh.h"

#include <facet/mesh.h>
#include <math.h>
#include <stdlib.h>

static const char *const files[] = {"obj/skull.obj",
                                    "obj/boat.obj",
                                    "obj/nefertiti-lowres.obj",
                                    "obj/quadknot.obj",
                                    "obj/rabbit.obj",
                                    "obj/spider.obj",
                                    "obj/cube_usemtl.obj",
                                    "obj/wallhole.obj",
                                    "obj/concave_polygon.obj",
                                    "obj/box_longline.obj",
                                    "obj/testmixed.obj",
                                    "obj/mixed_attribs_reverse.obj",
                                    "obj/spot_control_mesh.obj",
                                    "obj/smoothing_group_162.obj"};

static facet_scene *read_file(const char *name)
{
    facet_file *file = NULL;
    facet_scene *scene = NULL;
    facet_error error;
    TEST_OK(facet_file_open(test_corpus(name), NULL, &file, &error), &error);
    facet_source source = facet_file_source(file);
    TEST_OK(facet_obj_read(&source, NULL, NULL, &scene, &error), &error);
    facet_file_close(file);
    return scene;
}

/* Sum of the lengths of the faces' area vectors. For planar polygons this is the area. A
 * triangulation that leaves the polygon gives more. */
static double area_of(const facet_mesh *mesh)
{
    double total = 0;
    for (uint32_t face = 0; face < mesh->face_count; face++) {
        uint32_t begin = facet_face_begin(mesh, face), end = facet_face_end(mesh, face);
        double sum[3] = {0, 0, 0};
        for (uint32_t i = begin; i < end; i++) {
            const float *a = test_element(&mesh->streams[0], i);
            const float *b = test_element(&mesh->streams[0], i + 1 == end ? begin : i + 1);
            for (int k = 0; k < 3; k++)
                sum[k] += (double)a[(k + 1) % 3] * b[(k + 2) % 3] -
                          (double)a[(k + 2) % 3] * b[(k + 1) % 3];
        }
        total += sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]) / 2;
    }
    return total;
}

/* Index tuples of the corners. After sorting, the number of different tuples is the number of
 * vertices. */
typedef struct tuple {
    uint32_t indices[4];
} tuple;

static int compare_tuples(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(tuple));
}

static uint32_t count_tuples(const facet_mesh *mesh)
{
    assert_true(mesh->stream_count <= 4);
    tuple *tuples = calloc((size_t)mesh->corner_count + 1, sizeof *tuples);
    for (uint32_t i = 0; i < mesh->corner_count; i++) {
        for (uint32_t k = 0; k < mesh->stream_count; k++)
            tuples[i].indices[k] = mesh->streams[k].indices[i];
    }
    qsort(tuples, mesh->corner_count, sizeof *tuples, compare_tuples);
    uint32_t count = mesh->corner_count > 0;
    for (uint32_t i = 1; i < mesh->corner_count; i++)
        count += compare_tuples(&tuples[i], &tuples[i - 1]) != 0;
    free(tuples);
    return count;
}

static void run_passes(const char *name, facet_scene *scene, facet_mesh *mesh)
{
    facet_error error;
    uint32_t triangles = mesh->corner_count - 2 * mesh->face_count;
    bool plane = strcmp(name, "obj/concave_polygon.obj") == 0 ||
                 strcmp(name, "obj/wallhole.obj") == 0 || facet_mesh_is_triangles(mesh);
    double area = area_of(mesh);
    TEST_OK(facet_mesh_triangulate(mesh, NULL, NULL, &error), &error);
    assert_int_equal(mesh->face_count, triangles);
    if (plane && fabs(area_of(mesh) - area) > 1e-5 * area)
        fail_msg("%s: area %g, in triangles %g", name, area, area_of(mesh));
    TEST_OK(facet_mesh_normals(mesh, NULL, NULL, NULL, &error), &error);
    uint32_t tuples = count_tuples(mesh);
    TEST_OK(facet_mesh_index(mesh, NULL, NULL, &error), &error);
    assert_int_equal(mesh->streams[0].count, tuples);
    TEST_OK(facet_mesh_sort(mesh, NULL, NULL, &error), &error);
    area = area_of(mesh);
    TEST_OK(facet_mesh_optimize(mesh, NULL, NULL, &error), &error);
    assert_int_equal(mesh->streams[0].count, tuples);
    assert_true(fabs(area_of(mesh) - area) <= 1e-9 * area);
    TEST_OK(facet_scene_check(scene, NULL, &error), &error);
    const facet_stream *normals = facet_mesh_find(mesh, FACET_NORMAL, 0);
    for (uint32_t i = 0; i < normals->count; i++) {
        const float *n = (const float *)normals->data + (size_t)i * 3;
        assert_true(fabs(sqrt((double)n[0] * n[0] + (double)n[1] * n[1] + (double)n[2] * n[2]) -
                         1) < 1.1e-3);
    }
}

TEST(passes_keep_guarantees_on_real_files)
{
    TEST_NEEDS_CORPUS();
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        facet_scene *scene = read_file(files[i]);
        assert_true(scene->mesh_count > 0);
        for (uint32_t k = 0; k < scene->mesh_count; k++)
            run_passes(files[i], scene, scene->meshes[k]);
        facet_scene_free(scene);
    }
}
