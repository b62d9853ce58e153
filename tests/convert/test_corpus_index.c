/* No two vertices of a compiled mesh are equal. Every real file is converted to every format with a
 * single index and read again. Its vertices are compared as bytes, -0 as 0. BPX has no indices, and
 * a display list of BMD has one per attribute. */
#include "scene/scene.h"
#include "support/support.h"

#include <facet/convert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const files[] = {"bga/fish.big-endian.v2.bga",
                                    "bga/teapot.v1.bga",
                                    "bga/teapot.v2.bga",
                                    "binarymesh/archive_84bd9df4.v4.binarymesh",
                                    "binarymesh/juice_00.v2.binarymesh",
                                    "binarymesh/material_preview_ground.v1.binarymesh",
                                    "binarymesh/material_preview_lamp.v3.binarymesh",
                                    "binarymesh/orennayar_Sphere.v3.binarymesh",
                                    "binarymesh/studio_teapot.v3.binarymesh",
                                    "bsm/test.bsm",
                                    "gltf/AnimatedMorphCube.gltf",
                                    "gltf/BoxInterleaved.glb",
                                    "gltf/BoxMeshopt.glb",
                                    "gltf/CesiumMan.glb",
                                    "gltf/Fox.glb",
                                    "gltf/cakeBirthday.glb",
                                    "gltf/greenman.glb",
                                    "gltf/robot.glb",
                                    "gltf/simple_skin.gltf",
                                    "j3d/fish_static.bmd",
                                    "j3d/greenman_skinned.bdl",
                                    "obj/boat.obj",
                                    "obj/box_longline.obj",
                                    "obj/concave_polygon.obj",
                                    "obj/cube_usemtl.obj",
                                    "obj/fish_control_mesh.obj",
                                    "obj/mixed_attribs_reverse.obj",
                                    "obj/nefertiti-lowres.obj",
                                    "obj/negative_indices.obj",
                                    "obj/quadknot.obj",
                                    "obj/rabbit.obj",
                                    "obj/skull.obj",
                                    "obj/smoothing_group_162.obj",
                                    "obj/spider.obj",
                                    "obj/spot_control_mesh.obj",
                                    "obj/testmixed.obj",
                                    "obj/wallhole.obj",
                                    "ply/Box_material_element.ply",
                                    "ply/cycloidal.ply",
                                    "ply/fuze.ply",
                                    "ply/platonic_shelf_ascii.ply",
                                    "ply/platonic_shelf_big_endian.ply",
                                    "stl/20mm-xyz-cube.stl",
                                    "stl/3DSMaxExport.STL",
                                    "stl/Spider_ascii.stl",
                                    "stl/angle_block.STL",
                                    "stl/multibody.stl"};
static const char *const formats[] = {"bsm", "bga", "glb"};

static size_t row_size;

static int compare_rows(const void *a, const void *b)
{
    return memcmp(a, b, row_size);
}

/* Number of vertices of a mesh with a single index that equal another vertex. */
static uint32_t count_equal(const facet_mesh *mesh)
{
    uint32_t count = mesh->streams[0].count, equal = 0;
    row_size = 0;
    for (uint32_t s = 0; s < mesh->stream_count; s++) {
        const facet_stream *stream = &mesh->streams[s];
        assert_int_equal(stream->count, count);
        assert_memory_equal(stream->indices, mesh->streams[0].indices,
                            mesh->corner_count * sizeof(uint32_t));
        row_size += facet_component_size(stream->component) * stream->components;
    }
    uint8_t *rows = calloc(count + 1u, row_size), *row = rows;
    for (uint32_t v = 0; v < count; v++) {
        for (uint32_t s = 0; s < mesh->stream_count; s++) {
            const facet_stream *stream = &mesh->streams[s];
            size_t size = facet_component_size(stream->component) * stream->components;
            memcpy(row, (const uint8_t *)stream->data + v * size, size);
            for (uint32_t c = 0; stream->component == FACET_FLOAT32 && c < stream->components;
                 c++) {
                float value;
                memcpy(&value, row + c * sizeof value, sizeof value);
                value = value == 0 ? 0 : value;
                memcpy(row + c * sizeof value, &value, sizeof value);
            }
            row += size;
        }
    }
    qsort(rows, count, row_size, compare_rows);
    for (uint32_t v = 1; v < count; v++)
        equal += memcmp(rows + (v - 1) * row_size, rows + v * row_size, row_size) == 0;
    free(rows);
    return equal;
}

static facet_scene *load(const char *name)
{
    facet_file *file = NULL;
    facet_scene *scene = NULL;
    facet_error error;
    TEST_OK(facet_file_open(test_corpus(name), NULL, &file, &error), &error);
    facet_source source = facet_file_source(file);
    if (facet_load(&source, NULL, NULL, NULL, &scene, &error))
        fail_msg("%s: %s", name, error.message);
    facet_file_close(file);
    return scene;
}

/* Number of compared meshes. */
static uint32_t compile(facet_scene *scene, const char *name, const char *format_name, bool keep)
{
    const facet_format *format = facet_format_named(format_name);
    facet_scene *back = NULL;
    facet_output *output = NULL;
    facet_error error;
    facet_prepare_options prepare = {.keep_vertices = keep};
    uint32_t looked_at = 0, equal = 0;
    TEST_OK(facet_prepare(scene, format, &prepare, NULL, NULL, &error), &error);
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    if (facet_save(scene, format, NULL, output, &error) || facet_output_commit(output, &error)) {
        fail_msg("%s to %s: %s", name, format_name, error.message);
    }
    facet_source source = {.data = facet_output_data(output),
                           .size = (size_t)facet_output_size(output)};
    TEST_OK(facet_load(&source, format, NULL, NULL, &back, &error), &error);
    for (uint32_t m = 0; m < back->mesh_count; m++, looked_at++)
        equal += back->meshes[m]->stream_count > 0 ? count_equal(back->meshes[m]) : 0;
    if (equal > 0 && !keep)
        fail_msg("%s to %s: %u vertices equal another one", name, format_name, equal);
    facet_scene_free(back);
    facet_output_free(output);
    facet_scene_free(scene);
    return keep ? equal : looked_at;
}

TEST(compiled_corpus_has_no_equal_vertices)
{
    TEST_NEEDS_CORPUS();
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        for (size_t f = 0; f < sizeof formats / sizeof *formats; f++)
            assert_true(compile(load(files[i]), files[i], formats[f], false) > 0);
    }
}

/* count_equal finds duplicates: two corners of the second triangle equal two of the first, with
 * other indices. */
TEST(equal_vertices_are_counted)
{
    static const char text[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"
                               "vn 0 0 1\nvt 0 0\nf 1/1/1 2/1/1 3/1/1\nf 4/1/1 5/1/1 6/1/1\n";
    facet_error error;
    facet_scene *scene = NULL;
    TEST_OK(facet_load(TEST_SOURCE((const uint8_t *)text, sizeof text - 1),
                       facet_format_named("obj"), NULL, NULL, &scene, &error),
            &error);
    assert_int_equal(compile(scene, "two triangles", "bsm", true), 2);
}
