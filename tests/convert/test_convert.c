/* The format table, and the passes that facet_prepare runs. */
#include "mesh/simplify.h"
#include "support/mesh.h"
#include "support/shapes.h"
#include "support/support.h"

#include <facet/compare.h>
#include <facet/convert.h>
#include <facet/gx_material.h>
#include <stdlib.h>

/* -- The table ---------------------------------------------------------- */

TEST(every_format_has_name_title_and_extensions)
{
    for (size_t i = 0; i < facet_format_count(); i++) {
        const facet_format *format = facet_format_get(i);
        assert_ptr_equal(facet_format_named(facet_format_name(format)), format);
        assert_true(strlen(facet_format_title(format)) > 0);
        const char *const *extensions = facet_format_extensions(format);
        assert_non_null(extensions[0]);
        for (; *extensions; extensions++) {
            assert_int_equal((*extensions)[0], '.');
            assert_ptr_equal(facet_format_from_path(*extensions), format);
        }
        assert_true(facet_format_can_read(format) || facet_format_can_write(format) ||
                    facet_format_is_folder(format));
    }
    assert_null(facet_format_get(facet_format_count()));
}

TEST(formats_are_found_by_name)
{
    assert_non_null(facet_format_named("BSM"));
    assert_ptr_equal(facet_format_from_path("/a.obj/b.BsM"), facet_format_named("bsm"));
    assert_null(facet_format_from_path("/a.bsm/b"));
    assert_null(facet_format_from_path("bsm"));
    assert_null(facet_format_named("nonsense"));
}

TEST(content_beats_the_name)
{
    const uint8_t bsm[] = "BINARYSTATICMESH then anything";
    facet_source source = {.data = bsm, .size = sizeof bsm, .name = "wrong.obj"};
    assert_ptr_equal(facet_format_probe(&source), facet_format_named("bsm"));
    const uint8_t noise[] = {0x13, 0x37, 0x00, 0xFF};
    facet_source nothing = {.data = noise, .size = sizeof noise, .name = "mesh.bsm"};
    assert_null(facet_format_probe(&nothing));
}

/* Name of the format that the probe returns for bytes without a name; "" if unknown. */
static const char *probe_bytes(const void *data, size_t size, const char *name)
{
    facet_source source = {.data = data, .size = size, .name = name};
    const facet_format *format = facet_format_probe(&source);
    return format ? facet_format_name(format) : "";
}

/* A file with an archive's magic number is an archive or unknown, even if it stores text. The text
 * is not read as a file. */
TEST(archives_are_not_read_as_text)
{
    static const char *const stored[] = {
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 2 3\nf 1 2 3\nf 1 2 3\n",
        "solid a\nfacet normal 0 0 1\nouter loop\n", "<COLLADA xmlns=\"\">\n</COLLADA>\n"};
    for (size_t i = 0; i < sizeof stored / sizeof *stored; i++) {
        size_t length = strlen(stored[i]);
        uint8_t zip[512] = "PK\3\4\n", tar[2048] = "one.obj";
        /* The header of a ZIP's member has 30 bytes; name and data follow. */
        zip[26] = 7;
        zip[18] = zip[22] = (uint8_t)length;
        memcpy(zip + 30, "one.obj", 7);
        memcpy(zip + 37, stored[i], length);
        assert_string_equal(probe_bytes(zip, 37 + length, NULL), "zip");
        assert_string_equal(probe_bytes(zip, 37 + length, "a.obj"), "zip");
        memcpy(tar + 257, "ustar", 6);
        memcpy(tar + 512, stored[i], length);
        assert_string_equal(probe_bytes(tar, sizeof tar, NULL), "");
        assert_string_equal(probe_bytes(tar, sizeof tar, "a.tar"), "");
    }
}

/* A binary STL has 84 bytes and 50 per triangle. Other files have zeros at the position of the
 * count, or a count that happens to fit. They are not STL: the first 44 bytes here are those of a
 * WAV. */
TEST(binary_stl_is_recognized_by_size)
{
    uint8_t bytes[84 + 3 * 50] = "RIFF\xe6\0\0\0WAVEfmt \x10\0\0\0\1\0\1\0@\x1f";
    assert_string_equal(probe_bytes(bytes, sizeof bytes, NULL), "");
    assert_string_equal(probe_bytes(bytes, sizeof bytes, "a.wav"), "");
    bytes[80] = 2; /* triangles; three would fit */
    assert_string_equal(probe_bytes(bytes, sizeof bytes, NULL), "");
    bytes[80] = 3;
    assert_string_equal(probe_bytes(bytes, sizeof bytes, NULL), "stl");
    assert_string_equal(probe_bytes(bytes, sizeof bytes - 1, NULL), "");
    /* A damaged file with the extension .stl is STL, so that the error names the damage. */
    assert_string_equal(probe_bytes(bytes, sizeof bytes - 1, "a.stl"), "stl");
}

/* -- Prepare ------------------------------------------------------------ */

static facet_scene *load_obj(const char *text)
{
    facet_source source = {.data = (const uint8_t *)text, .size = strlen(text)};
    facet_scene *scene = NULL;
    facet_error error;
    TEST_OK(facet_load(&source, facet_format_named("obj"), NULL, NULL, &scene, &error), &error);
    return scene;
}

static void assert_passes(const facet_passes *passes, const char *expected)
{
    char names[256] = "";
    for (size_t i = 0; i < passes->count; i++) {
        strcat(names, passes->names[i]);
        strcat(names, " ");
    }
    assert_string_equal(names, expected);
}

static const char *const quad = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"
                                "vt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nf 1/1 2/2 3/3 4/4\n";

TEST(only_missing_passes_run)
{
    facet_scene *scene = load_obj(quad);
    facet_passes passes;
    facet_error error;
    const facet_format *bsm = facet_format_named("bsm"), *obj = facet_format_named("obj");
    TEST_OK(facet_prepare(scene, obj, NULL, NULL, &passes, &error), &error);
    assert_passes(&passes, "");
    assert_int_equal(scene->meshes[0]->corner_count, 4); /* still a quad */

    facet_prepare_options plain = {.skip = FACET_NEED_OPTIMIZED};
    TEST_OK(facet_prepare(scene, bsm, &plain, NULL, &passes, &error), &error);
    assert_passes(&passes, "triangulate normals index tangents ");
    TEST_OK(facet_prepare(scene, bsm, &plain, NULL, &passes, &error), &error);
    assert_passes(&passes, "");
    /* Two triangles are already in an optimal order. */
    TEST_OK(facet_prepare(scene, bsm, NULL, NULL, &passes, &error), &error);
    assert_passes(&passes, "");
    TEST_OK(facet_scene_check(scene, NULL, &error), &error);
    assert_true(facet_mesh_is_indexed(scene->meshes[0]));
    assert_int_equal(scene->meshes[0]->streams[0].count, 4);
    facet_scene_free(scene);
}

TEST(existing_normals_are_replaced_on_request)
{
    /* A tilted normal is kept, unless all normals are replaced. */
    facet_scene *scene = load_obj("v 0 0 0\nv 1 0 0\nv 0 1 0\nvn 0.6 0 0.8\nf 1//1 2//1 3//1\n");
    facet_passes passes;
    facet_error error;
    facet_prepare_options prepare = {.extra = FACET_NEED_NORMALS};
    const facet_format *obj = facet_format_named("obj");
    TEST_OK(facet_prepare(scene, obj, &prepare, NULL, &passes, &error), &error);
    assert_passes(&passes, "");
    const facet_normals_options replacing = {.replace = true};
    prepare.normals = &replacing;
    TEST_OK(facet_prepare(scene, obj, &prepare, NULL, &passes, &error), &error);
    assert_passes(&passes, "normals ");
    const facet_stream *normals = facet_mesh_find(scene->meshes[0], FACET_NORMAL, 0);
    assert_true(((const float *)normals->data)[normals->indices[0] * 3 + 2] == 1.0f);
    facet_scene_free(scene);
}

/* The new normal is (0, 0, 1). Tangents are orthogonal to it, and u grows along x. */
TEST(replaced_normals_get_new_tangents)
{
    static const float tangents[4] = {0.8F, 0, -0.6F, 1}, difference[3] = {1, 0, 0};
    static const uint32_t zeros[3];
    facet_scene *scene = load_obj("v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 0 1\n"
                                  "vn 0.6 0 0.8\nf 1/1/1 2/2/1 3/3/1\n");
    facet_passes passes;
    facet_error error;
    facet_report *report;
    facet_mesh *mesh = scene->meshes[0];
    const facet_normals_options replacing = {.replace = true};
    const facet_prepare_options prepare = {.normals = &replacing};
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    const facet_options options = {.report = report};
    mesh->morph_count = 1;
    mesh->morphs = facet_scene_allocate(scene, 1, sizeof *mesh->morphs);
    mesh->morphs[0].name = "";
    assert_true(test_stream(scene, mesh, FACET_TANGENT, 4, 1, tangents, zeros));
    assert_true(test_stream(scene, mesh, FACET_MORPH_NORMAL, 3, 1, difference, zeros));
    TEST_OK(facet_prepare(scene, facet_format_named("glb"), &prepare, &options, &passes, &error),
            &error);
    const facet_stream *made = facet_mesh_find(mesh, FACET_TANGENT, 0);
    assert_non_null(made);
    const float *first = (const float *)made->data + (size_t)made->indices[0] * 4;
    assert_float_equal((double)first[0], 1, 1e-6);
    assert_float_equal((double)first[2], 0, 1e-6);
    assert_null(facet_mesh_find(mesh, FACET_MORPH_NORMAL, 0));
    assert_non_null(test_finding(report, "LOSS-MORPHS"));
    facet_report_free(report);
    facet_scene_free(scene);
}

TEST(normals_against_the_winding_are_replaced)
{
    /* The first triangle's normal agrees with its winding, the second's does not. */
    facet_scene *scene = load_obj("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nvn 0 0.6 0.8\n"
                                  "vn 0 0.6 -0.8\nf 1//1 2//1 3//1\nf 2//2 4//2 3//2\n");
    facet_passes passes;
    facet_error error;
    facet_options options = {0};
    facet_prepare_options prepare = {.extra = FACET_NEED_NORMALS | FACET_NEED_FACING};
    TEST_OK(facet_report_create(NULL, &options.report, &error), &error);
    TEST_OK(facet_prepare(scene, facet_format_named("obj"), &prepare, &options, &passes, &error),
            &error);
    assert_passes(&passes, "facing ");
    const facet_finding *finding = test_finding(options.report, "MESH-FACING");
    assert_non_null(finding);
    assert_int_equal(finding->count, 1);
    const facet_stream *normals = facet_mesh_find(scene->meshes[0], FACET_NORMAL, 0);
    const float *data = normals->data;
    assert_true(data[normals->indices[0] * 3 + 1] == 0.6f);
    for (int corner = 3; corner < 6; corner++)
        assert_true(data[normals->indices[corner] * 3 + 2] == 1.0f);
    TEST_OK(facet_scene_check(scene, NULL, &error), &error);
    facet_report_free(options.report);
    facet_scene_free(scene);
}

static bool stop_at_weld(void *user, const char *step, double fraction)
{
    (void)user;
    (void)fraction;
    return strcmp(step, "index") != 0;
}

TEST(prepare_can_be_canceled)
{
    facet_scene *scene = load_obj(quad);
    facet_options options = {.progress = stop_at_weld};
    facet_error error;
    assert_int_equal(facet_prepare(scene, facet_format_named("bsm"), NULL, &options, NULL, &error),
                     FACET_ERROR_CANCELED);
    TEST_OK(facet_scene_check(scene, NULL, &error), &error); /* canceled, but valid */
    facet_scene_free(scene);
}

/* Write a prepared scene and read it back. */
static facet_scene *save_and_load(const facet_scene *scene, const facet_format *format)
{
    facet_output *output = NULL;
    facet_scene *again = NULL;
    facet_error error;
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(facet_save(scene, format, NULL, output, &error), &error);
    TEST_OK(facet_output_commit(output, &error), &error);
    facet_source source = {.data = facet_output_data(output),
                           .size = (size_t)facet_output_size(output)};
    TEST_OK(facet_load(&source, format, NULL, NULL, &again, &error), &error);
    facet_output_free(output);
    return again;
}

static uint32_t count_gpu_vertices(facet_scene *scene)
{
    facet_error error;
    TEST_OK(facet_prepare(scene, NULL, NULL, NULL, NULL, &error), &error);
    uint32_t count = scene->meshes[0]->streams[0].count;
    facet_scene_free(scene);
    return count;
}

/* Two triangles meet at 30 degrees: tan 30 is 0.57735. Without normals they share the two vertices
 * of their edge. In glTF they are flat (3.7.2.1), also by way of an OBJ. */
TEST(edges_without_normals_are_flat_only_in_gltf)
{
    static const char *const roof = "v 0 0 0\nv 1 0 0\nv 0.5 1 0\nv 0.5 -1 -0.57735\n"
                                    "f 1 2 3\nf 2 1 4\n";
    facet_scene *scene = load_obj(roof), *gltf = save_and_load(scene, facet_format_named("glb"));
    assert_null(facet_mesh_find(gltf->meshes[0], FACET_NORMAL, 0));
    assert_int_equal(count_gpu_vertices(save_and_load(gltf, facet_format_named("obj"))), 6);
    assert_int_equal(count_gpu_vertices(gltf), 6);
    assert_int_equal(count_gpu_vertices(save_and_load(scene, facet_format_named("stl"))), 4);
    assert_int_equal(count_gpu_vertices(scene), 4);
}

/* Unused vertices are not written to formats with one index. From each text the triangle (0, 0, 0)
 * (1, 0, 0) (0, 1, 0) remains, with given or computed normals +Z. The first two have equal indices
 * per stream, but other counts. The third and the fourth also have a line, once to a vertex without
 * a face. */
TEST(unused_vertices_convert_to_every_format)
{
    static const char *const texts[] = {
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 5 5 5\nvt 0 0\nvt 1 0\nvt 0 1\nf 1/1 2/2 3/3\n",
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 5 5 5\nv 6 6 6\nvn 0 0 1\nvn 0 0 1\nvn 0 0 1\n"
        "f 1//1 2//2 3//3\n",
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 5 5 5\nf 1 2 3\nl 1 2\nl 1 4\np 4\n",
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 0 1\nvt 1 1\nf 1/1 2/2 3/3\nl 1 2\n"};
    static const float corners[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, up[3] = {0, 0, 1};
    static const char *const formats[] = {"gltf", "glb", "ply", "obj", "stl", "bga", "bsm"};
    size_t done = 0;
    for (size_t k = 0; k < 4 * (sizeof texts / sizeof *texts) * facet_format_count(); k++) {
        const facet_format *format = facet_format_get(k / 4 % facet_format_count());
        const char *text = texts[k / 4 / facet_format_count()];
        if (!facet_format_can_write(format))
            continue;
        const facet_normals_options replacing = {.replace = true};
        facet_prepare_options prepare = {.keep_vertices = k % 2,
                                         .extra = FACET_NEED_SINGLE_INDEX | FACET_NEED_NORMALS,
                                         .normals = k / 2 % 2 ? &replacing : NULL};
        facet_scene *scene = load_obj(text);
        facet_error error;
        TEST_OK(facet_prepare(scene, format, &prepare, NULL, NULL, &error), &error);
        TEST_OK(facet_scene_check(scene, NULL, &error), &error);
        const facet_mesh *mesh = scene->meshes[0];
        assert_true(facet_mesh_is_indexed(mesh));
        const facet_stream *normals = facet_mesh_find(mesh, FACET_NORMAL, 0);
        for (uint32_t i = 0; i < 3; i++) {
            uint32_t vertex = mesh->streams[0].indices[i];
            const float *position = (const float *)mesh->streams[0].data + vertex * 3;
            bool found = false;
            for (uint32_t c = 0; c < 3; c++)
                found |= memcmp(position, corners[c], sizeof corners[c]) == 0;
            assert_true(found);
            assert_memory_equal((const float *)normals->data + vertex * 3, up, sizeof up);
        }
        for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
            if (facet_format_named(formats[f]) != format)
                continue;
            facet_scene *again = save_and_load(scene, format);
            uint32_t count = again->meshes[0]->streams[0].count;
            assert_true(count == mesh->streams[0].count);
            assert_memory_equal(again->meshes[0]->streams[0].data, mesh->streams[0].data,
                                count * 3 * sizeof(float));
            facet_scene_free(again);
            done++;
        }
        facet_scene_free(scene);
    }
    assert_true(done > 0);
}

/* Lines and points reach the formats that store them, and return to OBJ from each. Other formats
 * report them and keep no vertex of them. */
TEST(lines_and_points_convert)
{
    static const char text[] =
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 5 5 5\nv 6 6 6\nf 1 2 3\nl 1 4\np 5\np 2\n";
    static const char *const holds[] = {"obj", "glb", "gltf", "bga"}, *const lacks[] = {
                                                                          "stl", "bsm", "bpx"};
    static const float line[6] = {0, 0, 0, 5, 5, 5}, points[6] = {6, 6, 6, 1, 0, 0};
    facet_error error;
    for (size_t i = 0; i < sizeof holds / sizeof *holds; i++) {
        const facet_format *format = facet_format_named(holds[i]);
        facet_scene *scene = load_obj(text);
        TEST_OK(facet_prepare(scene, format, NULL, NULL, NULL, &error), &error);
        facet_scene *again = save_and_load(scene, format);
        const facet_mesh *mesh = again->meshes[0];
        assert_int_equal(mesh->face_count, 1);
        assert_int_equal(mesh->line_count, 1);
        assert_int_equal(mesh->point_count, 2);
        const float *positions = mesh->streams[0].data;
        for (uint32_t k = 0; k < 2; k++) {
            assert_memory_equal(positions + mesh->lines[k] * 3, line + k * 3, 12);
            assert_memory_equal(positions + mesh->points[k] * 3, points + k * 3, 12);
        }
        facet_scene_free(again);
        facet_scene_free(scene);
    }
    for (size_t i = 0; i < sizeof lacks / sizeof *lacks; i++) {
        facet_options options = {0};
        facet_passes passes;
        TEST_OK(facet_report_create(NULL, &options.report, &error), &error);
        facet_scene *scene = load_obj(text);
        TEST_OK(facet_prepare(scene, facet_format_named(lacks[i]), NULL, &options, &passes, &error),
                &error);
        assert_int_equal(scene->meshes[0]->line_count + scene->meshes[0]->point_count, 0);
        assert_int_equal(test_finding(options.report, "LOSS-LINES")->count, 1);
        assert_int_equal(test_finding(options.report, "LOSS-POINTS")->count, 2);
        facet_scene_free(scene);
        facet_report_free(options.report);
    }
}

/* Without a format, a scene is prepared for a GPU: triangles, one index, normals, sorted and
 * optimized. */
TEST(prepare_without_format_is_for_a_gpu)
{
    facet_scene *scene = load_obj(quad);
    facet_node *node;
    facet_passes passes;
    facet_error error;
    TEST_OK(facet_scene_add_node(scene, "stays", &node, &error), &error);
    node->mesh = 0;
    TEST_OK(facet_prepare(scene, NULL, NULL, NULL, &passes, &error), &error);
    const facet_mesh *mesh = scene->meshes[0];
    assert_true(facet_mesh_is_triangles(mesh) && facet_mesh_is_indexed(mesh));
    assert_non_null(facet_mesh_find(mesh, FACET_NORMAL, 0));
    assert_null(facet_mesh_find(mesh, FACET_TANGENT, 0));
    assert_int_equal(scene->node_count, 1);
    assert_string_equal(passes.names[0], "triangulate");
    assert_string_equal(passes.names[1], "normals");
    assert_int_equal(facet_format_needs(NULL), FACET_NEED_TRIANGLES | FACET_NEED_SINGLE_INDEX |
                                                   FACET_NEED_NORMALS | FACET_NEED_SORTED |
                                                   FACET_NEED_OPTIMIZED);
    facet_prepare_options prepare = {.extra = FACET_NEED_TANGENTS};
    TEST_OK(facet_prepare(scene, NULL, &prepare, NULL, &passes, &error), &error);
    assert_non_null(facet_mesh_find(mesh, FACET_TANGENT, 0));
    assert_passes(&passes, "tangents ");
    facet_scene_free(scene);
    /* A picture needs no passes. */
    facet_image *image;
    TEST_OK(facet_scene_create(NULL, &scene, &error), &error);
    TEST_OK(facet_scene_add_image(scene, "picture", &image, &error), &error);
    TEST_OK(facet_prepare(scene, NULL, NULL, NULL, &passes, &error), &error);
    assert_passes(&passes, "");
    facet_scene_free(scene);
}

/* -- Wrong calls -------------------------------------------------------- */

TEST(functions_accept_a_missing_format)
{
    facet_scene *scene = load_obj(quad);
    facet_output *output = NULL;
    facet_error error;
    const facet_format *obj = facet_format_named("obj");
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    assert_int_equal(facet_save(scene, NULL, NULL, output, &error), FACET_ERROR_ARGUMENT);
    assert_int_equal(facet_output_size(output), 0);
    facet_output_free(output);
    facet_scene_free(scene);
    assert_null(facet_format_named(NULL));
    assert_null(facet_format_from_path(NULL));
    assert_null(facet_format_probe(NULL));
    assert_null(facet_format_get(facet_format_count()));
    assert_null(facet_format_name(NULL));
    assert_null(facet_format_title(NULL));
    assert_null(facet_format_extensions(NULL));
    assert_false(facet_format_can_read(NULL) || facet_format_can_write(NULL));
    assert_false(facet_format_can_load_animation(NULL));
    assert_false(facet_format_is_folder(NULL));
    assert_false(facet_format_copies(NULL, obj) || facet_format_copies(obj, NULL));
}

static facet_status put_nothing(void *user, const char *name, const void *data, size_t size,
                                facet_error *error)
{
    (void)user, (void)name, (void)data, (void)size, (void)error;
    return FACET_OK;
}

/* A reader uses its content if the format is NULL, also if the content is unknown. */
TEST(unknown_bytes_without_a_format_are_refused)
{
    facet_source unknown = {.data = (const uint8_t *)"\1\2\3\4\5\6\7\10", .size = 8};
    facet_source known = {.data = (const uint8_t *)quad, .size = strlen(quad)};
    const facet_extractor extractor = {.put = put_nothing};
    facet_scene *scene = load_obj(quad), *none = NULL;
    facet_output *output = NULL;
    facet_report *report = NULL;
    facet_description *description = NULL;
    facet_comparison comparison;
    facet_error error;
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    const facet_status refused[] = {
        facet_load(&unknown, NULL, NULL, NULL, &none, NULL),
        facet_load_animation(&unknown, NULL, &known, NULL, scene, NULL),
        facet_copy(&unknown, NULL, NULL, output, NULL),
        facet_extract(&unknown, NULL, NULL, &extractor, NULL),
        facet_check(&unknown, NULL, NULL, report, NULL),
        facet_describe(&unknown, NULL, NULL, &description, NULL),
        facet_compare(&known, NULL, &unknown, NULL, NULL, NULL, report, &comparison, NULL),
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        assert_int_equal(refused[i], FACET_ERROR_UNSUPPORTED);
    assert_true(!none && !description && facet_output_size(output) == 0);
    TEST_OK(facet_load(&known, NULL, NULL, NULL, &none, &error), &error);
    TEST_OK(facet_check(&known, NULL, NULL, report, &error), &error);
    TEST_OK(facet_describe(&known, NULL, NULL, &description, &error), &error);
    facet_description_free(description);
    facet_report_free(report);
    facet_output_free(output);
    facet_scene_free(none);
    facet_scene_free(scene);
}

/* struct_size may be that of this library, or 0. A larger one is of a newer release, and every
 * function refuses it. */
TEST(newer_struct_sizes_are_refused)
{
    facet_source source = {.data = (const uint8_t *)quad, .size = strlen(quad)};
    const facet_format *obj = facet_format_named("obj");
    const facet_extractor extractor = {.put = put_nothing};
    facet_options newer = {.struct_size = sizeof newer + 8};
    facet_options own = {.struct_size = sizeof own};
    facet_scene *scene = NULL, *none = NULL;
    facet_output *output = NULL;
    facet_report *report = NULL;
    facet_description *description = NULL;
    facet_error error;
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    facet_load_options load = {.struct_size = sizeof load};
    facet_prepare_options prepare = {.struct_size = sizeof prepare};
    TEST_OK(facet_load(&source, obj, &load, &own, &scene, &error), &error);
    TEST_OK(facet_prepare(scene, obj, &prepare, &own, NULL, &error), &error);
    TEST_OK(facet_save(scene, obj, &own, output, &error), &error);
    const facet_status refused[] = {
        facet_load(&source, obj, NULL, &newer, &none, NULL),
        facet_prepare(scene, obj, NULL, &newer, NULL, NULL),
        facet_save(scene, obj, &newer, output, NULL),
        facet_check(&source, obj, &newer, report, NULL),
        facet_describe(&source, obj, &newer, &description, NULL),
        facet_copy(&source, facet_format_named("bsm"), &newer, output, NULL),
        facet_extract(&source, obj, &newer, &extractor, NULL),
        facet_scene_create(&newer, &none, NULL),
        facet_scene_flatten(scene, NULL, &newer, NULL),
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        assert_int_equal(refused[i], FACET_ERROR_ARGUMENT);
    assert_null(none);
    assert_null(description);

    load.struct_size = sizeof load + 8;
    assert_int_equal(facet_load(&source, obj, &load, NULL, &none, &error), FACET_ERROR_ARGUMENT);
    assert_string_equal(error.rule, "STRUCT-SIZE");
    prepare.struct_size = 4; /* of no release */
    assert_int_equal(facet_prepare(scene, obj, &prepare, NULL, NULL, NULL), FACET_ERROR_ARGUMENT);
    const facet_normals_options normals = {.struct_size = sizeof normals + 8};
    const facet_hulls_options hulls = {.struct_size = sizeof hulls + 8};
    const facet_simplify_options simplify = {.struct_size = sizeof simplify + 8};
    const facet_occluder_options occluder = {.struct_size = sizeof occluder + 8};
    const facet_occluder_options by_simplify = {.simplify = &simplify};
    const facet_flatten_options flatten = {.struct_size = sizeof flatten + 8};
    facet_mesh *mesh = scene->meshes[0], *simplified;
    TEST_OK(facet_mesh_triangulate(mesh, NULL, NULL, &error), &error);
    TEST_OK(facet_scene_add_mesh(scene, &simplified, &error), &error);
    const facet_status also_refused[] = {
        facet_mesh_normals(mesh, &normals, NULL, NULL, NULL),
        facet_mesh_hulls(mesh, &hulls, NULL, scene, NULL, NULL),
        facet_mesh_simplify(mesh, &simplify, NULL, simplified, NULL),
        facet_mesh_occluder(mesh, &occluder, NULL, scene, NULL, NULL),
        facet_mesh_occluder(mesh, &by_simplify, NULL, scene, NULL, NULL),
        facet_scene_flatten(scene, &flatten, NULL, NULL),
    };
    for (size_t i = 0; i < sizeof also_refused / sizeof *also_refused; i++)
        assert_int_equal(also_refused[i], FACET_ERROR_ARGUMENT);
    facet_report_free(report);
    facet_output_free(output);
    facet_scene_free(scene);
}

/* -- A whole conversion without memory ---------------------------------- */

static facet_status convert(const facet_allocator *allocator, void *user)
{
    facet_options options = {.allocator = allocator};
    facet_source source = {.data = user, .size = strlen(user)};
    const facet_format *obj = facet_format_named("obj"), *bsm = facet_format_named("bsm");
    facet_scene *scene = NULL;
    facet_output *output = NULL;
    facet_error error;
    facet_status status = facet_load(&source, obj, NULL, &options, &scene, &error);
    if (!status)
        status = facet_prepare(scene, bsm, NULL, &options, NULL, &error);
    if (!status)
        status = facet_output_open_memory(allocator, &output, &error);
    if (!status)
        status = facet_save(scene, bsm, &options, output, &error);
    if (!status)
        status = facet_output_commit(output, &error);
    facet_output_free(output);
    facet_scene_free(scene);
    return status;
}

TEST(convert_reports_failed_allocations)
{
    char text[512];
    strcpy(text, quad);
    test_every_allocation(convert, text);
}

/* Options of a format family also have a struct_size, which writers of the family check. */
TEST(writers_refuse_newer_family_options)
{
    facet_scene *scene = load_obj("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    const facet_bga_options bga = {.struct_size = sizeof bga + 8};
    const facet_bpx_options bpx = {.struct_size = 4};
    const facet_j3d_options j3d = {.struct_size = sizeof j3d + 8};
    const facet_ply_options ply = {.struct_size = sizeof ply + 8};
    const facet_stl_options stl = {.struct_size = 1};
    const facet_gltf_options gltf = {.struct_size = sizeof gltf + 8};
    const facet_options all = {
        .bga = &bga, .bpx = &bpx, .j3d = &j3d, .ply = &ply, .stl = &stl, .gltf = &gltf};
    static const char *const names[] = {"bga", "bpx", "bmd", "bdl", "ply", "stl", "gltf", "glb"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const facet_format *format = facet_format_named(names[i]);
        facet_output *output = NULL;
        facet_error error;
        if (!facet_format_can_write(format))
            continue;
        TEST_OK(facet_prepare(scene, format, NULL, NULL, NULL, &error), &error);
        TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
        assert_int_equal(facet_save(scene, format, &all, output, &error), FACET_ERROR_ARGUMENT);
        assert_string_equal(error.rule, "STRUCT-SIZE");
        facet_output_free(output);
    }
    facet_scene_free(scene);
}

/* A square whose normals have separate indices, as the OBJ reader returns them. No writer accepts
 * it before facet_prepare. */
TEST(unprepared_meshes_are_refused)
{
    static const struct {
        const char *format, *rule;
    } targets[] = {{"glb", "GLTF-NEEDS"},   {"bga", "BGA-NEEDS"},     {"ply", "PLY-NEEDS"},
                   {"stl", "STL-NEEDS"},    {"bsm", "BSM-NOT-READY"}, {"iqm", "IQM-NOT-READY"},
                   {"bmd", "J3D-NOT-READY"}};
    facet_scene *scene = load_obj("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvn 0 0 1\n"
                                  "f 1//1 2//1 3//1 4//1\n");
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
        facet_output *output = NULL;
        facet_error error;
        TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
        TEST_REFUSED(facet_save(scene, facet_format_named(targets[i].format), NULL, output, &error),
                     FACET_ERROR_ARGUMENT, targets[i].rule, &error);
        facet_output_free(output);
    }
    facet_scene_free(scene);
}

/* -- By paths ------------------------------------------------------------ */

TEST(scenes_are_saved_and_loaded_by_path)
{
    static const char *const names[] = {"a.bsm", "a.glb", "a.ply"};
    facet_scene *scene = load_obj("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n");
    facet_scene *again = NULL;
    facet_error error;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        TEST_OK(facet_save_path(scene, test_temporary(names[i]), NULL, NULL, &error), &error);
        TEST_OK(facet_load_path(test_temporary(names[i]), NULL, NULL, &again, &error), &error);
        assert_int_equal(again->mesh_count, 1);
        assert_int_equal(again->meshes[0]->face_count, 2); /* a square is two triangles */
        facet_scene_free(again);
    }
    assert_int_equal(facet_load_path(test_temporary("none.obj"), NULL, NULL, &again, &error),
                     FACET_ERROR_IO);
    assert_int_equal(facet_save_path(scene, test_temporary("a.nothing"), NULL, NULL, &error),
                     FACET_ERROR_ARGUMENT);
    assert_string_equal(error.rule, "FORMAT-UNKNOWN");
    assert_non_null(strstr(error.message, "a.nothing"));
    /* If the output cannot be written, no file remains. */
    const facet_options little = {.memory_limit = 10};
    assert_int_not_equal(facet_save_path(scene, test_temporary("b.bsm"), NULL, &little, &error),
                         FACET_OK);
    assert_int_equal(facet_load_path(test_temporary("b.bsm"), NULL, NULL, &again, &error),
                     FACET_ERROR_IO);
    facet_scene_free(scene);
}

/* The console shades vertices without normals with the ambient color; other materials need
 * normals. */
TEST(normals_are_left_out_only_for_the_console)
{
    test_shape *box = test_shape_new();
    test_shape_box(box, 0, 0, 0, 1, 1, 1);
    for (unsigned run = 0; run < 4; run++) {
        bool console = run & 1, skips = run & 2;
        facet_prepare_options prepare = {.skip = skips ? FACET_NEED_NORMALS : 0};
        facet_scene *scene = test_shape_scene(box);
        facet_material *material;
        facet_gx_material gx;
        facet_error error;
        facet_gx_material_init(&gx);
        TEST_OK(facet_scene_add_material(scene, "m", &material, &error), &error);
        material->gx = console ? &gx : NULL;
        scene->meshes[0]->face_materials =
            facet_scene_allocate(scene, scene->meshes[0]->face_count, sizeof(uint32_t));
        assert_non_null(scene->meshes[0]->face_materials);
        for (uint32_t i = 0; i < scene->meshes[0]->face_count; i++)
            scene->meshes[0]->face_materials[i] = 0;
        TEST_OK(facet_prepare(scene, NULL, &prepare, NULL, NULL, &error), &error);
        bool has = facet_mesh_find(scene->meshes[0], FACET_NORMAL, 0) != NULL;
        assert_true(has == !(console && skips));
        facet_scene_free(scene);
    }
    free(box);
}

/* Without options no report exists. */
TEST(files_are_copied_without_options)
{
    static const char ply[] = "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\n"
                              "property float y\nproperty float z\nend_header\n1 2 3\n";
    facet_source source = facet_source_from_memory(ply, sizeof ply - 1, "a.ply");
    facet_output *output = NULL;
    facet_error error;
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(facet_copy(&source, NULL, NULL, output, &error), &error);
    assert_true(facet_output_size(output) > 12);
    facet_output_free(output);
}
