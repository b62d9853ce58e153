/* formats/j3d/test_j3d_like_shapes.c - save like an original: edited shapes. */
#include "scene/scene.h"
#include "support/gltf.h"
#include "support/j3d_like.h"
#include "support/support.h"

#include <facet/j3d.h>
#include <facet/pose.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const test_j3d_kind_of_character floats = {FACET_J3D_F32, 0}, shorts = {FACET_J3D_S16, 6};

/* A moved vertex changes only its shape, and the other vertices of the shape keep their
 * elements. */
TEST(moved_vertex_changes_only_its_shape)
{
    const test_j3d_kind_of_character *kinds[] = {&floats, &shorts};
    for (int i = 0; i < 2; i++) {
        test_bytes original = test_like_character(kinds[i], FACET_J3D_BDL4);
        facet_scene *scene = test_like_through_glb(&original);
        facet_mesh *body = test_like_mesh(scene, "shape1");
        float *p = (float *)facet_mesh_find(body, FACET_POSITION, 0)->data;
        /* Move all copies of one position by 0.5 units: the first ring, in the space of the hip. */
        float at[3];
        memcpy(at, p, sizeof at);
        for (uint32_t v = 0; v < facet_mesh_find(body, FACET_POSITION, 0)->count; v++) {
            if (memcmp(p + (size_t)v * 3, at, sizeof at) == 0)
                p[(size_t)v * 3 + 2] += 0.5F;
        }
        test_bytes made = test_like_save(scene, &original, "bdl", NULL);
        facet_j3d *before = test_like_read(&original), *after = test_like_read(&made);
        test_like_assert_clean(&made);
        test_like_assert_same_shapes_but(before, after, 1);
        test_like_assert_same_section(&original, &made, "MAT3");
        test_like_assert_same_section(&original, &made, "TEX1");
        test_like_assert_same_section(&original, &made, "JNT1");
        test_like_assert_same_section(&original, &made, "MDL3");
        test_like_assert_same_section(&original, &made, "EVP1");
        test_like_assert_same_section(&original, &made, "DRW1");
        /* One position more, and no other change. */
        assert_int_equal(after->vertices.arrays[FACET_J3D_ARRAY_POSITION].count,
                         before->vertices.arrays[FACET_J3D_ARRAY_POSITION].count + 1);
        assert_int_equal(after->vertices.arrays[FACET_J3D_ARRAY_NORMAL].count,
                         before->vertices.arrays[FACET_J3D_ARRAY_NORMAL].count);
        assert_int_equal(after->vertices.arrays[FACET_J3D_ARRAY_TEXCOORD0].count,
                         before->vertices.arrays[FACET_J3D_ARRAY_TEXCOORD0].count);
        facet_j3d_free(before);
        facet_j3d_free(after);
        test_bytes_free(&made);
        test_bytes_free(&original);
    }
}

/* A vertex that moves far exceeds 16 bits with 6 fraction bits (511.98). The positions become
 * floats, and every value is kept. */
TEST(far_vertex_turns_positions_into_floats)
{
    test_bytes original = test_like_character(&shorts, FACET_J3D_BDL4);
    facet_scene *scene = test_like_through_glb(&original);
    facet_mesh *hat = test_like_mesh(scene, "shape2");
    float *p = (float *)facet_mesh_find(hat, FACET_POSITION, 0)->data;
    p[0] = 5000;
    facet_report *report = NULL;
    facet_error error;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    test_bytes made = test_like_save(scene, &original, "bdl", report);
    assert_non_null(test_finding(report, "J3D-LIKE-FLOATS"));
    facet_report_free(report);
    test_like_assert_clean(&made);
    facet_j3d *before = test_like_read(&original), *after = test_like_read(&made);
    const facet_j3d_array *x = &before->vertices.arrays[FACET_J3D_ARRAY_POSITION],
                          *y = &after->vertices.arrays[FACET_J3D_ARRAY_POSITION];
    assert_int_equal(y->format->component, FACET_J3D_F32);
    for (uint32_t i = 0; i < x->count * 3; i++) {
        int16_t raw = (int16_t)(x->bytes[i * 2] << 8 | x->bytes[i * 2 + 1]);
        const uint8_t *at = y->bytes + (size_t)i * 4;
        uint32_t bits =
            (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
        float value;
        memcpy(&value, &bits, sizeof value);
        assert_true(value == (float)raw / 64);
    }
    facet_j3d_free(before);
    facet_j3d_free(after);
    test_bytes_free(&made);
    test_bytes_free(&original);
}

/* A deleted shape keeps its number and its material, and draws nothing. */
TEST(deleted_shape_keeps_number_and_material)
{
    test_bytes original = test_like_character(&floats, FACET_J3D_BDL4);
    facet_scene *scene = test_like_through_glb(&original);
    test_like_mesh(scene, "shape1")->face_count = 0;
    test_like_mesh(scene, "shape1")->corner_count = 0;
    test_bytes made = test_like_save(scene, &original, "bdl", NULL);
    test_like_assert_clean(&made);
    facet_j3d *before = test_like_read(&original), *after = test_like_read(&made);
    test_like_assert_same_shapes_but(before, after, 1);
    assert_int_equal(after->shapes.count, 5);
    assert_int_equal(after->shapes.items[1].material, before->shapes.items[1].material);
    facet_scene *again = test_like_load(made.data, made.size, "bdl");
    for (uint32_t i = 0; i < again->mesh_count; i++)
        assert_true(strncmp(again->meshes[i]->name, "shape1", 6) != 0 ||
                    again->meshes[i]->face_count == 0);
    facet_scene_free(again);
    facet_j3d_free(before);
    facet_j3d_free(after);
    test_bytes_free(&made);
    test_bytes_free(&original);
}

/* A mesh with a new name and a new material becomes a shape, slot and material after the existing
 * ones. */
TEST(new_mesh_is_appended_after_others)
{
    test_bytes original = test_like_character(&floats, FACET_J3D_BDL4);
    facet_scene *scene = test_like_through_glb(&original);
    facet_error error;
    facet_mesh *mesh;
    facet_node *node;
    facet_material *material;
    facet_stream *stream;
    TEST_OK(facet_scene_add_material(scene, "scarf", &material, &error), &error);
    TEST_OK(facet_scene_add_mesh(scene, &mesh, &error), &error);
    mesh->name = "scarf";
    mesh->face_count = 1;
    mesh->corner_count = 3;
    mesh->face_materials = facet_scene_allocate(scene, 1, sizeof(uint32_t));
    mesh->face_materials[0] = scene->material_count - 1;
    TEST_OK(
        facet_mesh_add_stream(mesh, FACET_POSITION, 0, NULL, FACET_FLOAT32, 3, 3, &stream, &error),
        &error);
    static const float corners[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    memcpy(stream->data, corners, sizeof corners);
    stream->indices = facet_scene_allocate(scene, 3, sizeof(uint32_t));
    for (uint32_t i = 0; i < 3; i++)
        stream->indices[i] = i;
    TEST_OK(facet_scene_add_node(scene, "scarf", &node, &error), &error);
    node->mesh = scene->mesh_count - 1;
    for (uint32_t i = 0; i < scene->node_count; i++) {
        if (strcmp(scene->nodes[i]->name, "neck") == 0)
            node->parent = i;
    }
    scene->roots = NULL;
    test_bytes made = test_like_save(scene, &original, "bdl", NULL);
    test_like_assert_clean(&made);
    facet_j3d *before = test_like_read(&original), *after = test_like_read(&made);
    test_like_assert_same_shapes_but(before, after, FACET_NONE);
    assert_int_equal(after->shapes.count, 6);
    assert_int_equal(after->materials.slot_count, 6);
    assert_string_equal(after->materials.names.items[5].bytes, "scarf");
    assert_int_equal(after->shapes.items[5].material, 5);
    assert_int_equal(after->shapes.items[5].joint, 4); /* neck */
    assert_int_equal(after->joints.count, 12);
    facet_j3d_free(before);
    facet_j3d_free(after);
    test_bytes_free(&made);
    test_bytes_free(&original);
}

/* The weights of one vertex have a sum of a half. */
TEST(weights_that_do_not_sum_to_1_are_scaled)
{
    test_bytes original = test_like_character(&floats, FACET_J3D_BDL4);
    for (int halved = 0; halved < 2; halved++) {
        facet_error error;
        facet_report *report;
        facet_scene *scene = test_like_through_glb(&original);
        facet_stream *weights = facet_mesh_find(test_like_mesh(scene, "shape1"), FACET_WEIGHTS, 0);
        for (uint32_t k = 0; halved && k < weights->components; k++)
            ((float *)weights->data)[k] /= 2;
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        test_bytes made = test_like_save(scene, NULL, "bdl", report);
        const facet_finding *finding = test_finding(report, "J3D-WEIGHTS");
        assert_int_equal(finding ? finding->count : 0, halved);
        test_like_assert_clean(&made);
        test_bytes_free(&made);
        facet_report_free(report);
    }
    test_bytes_free(&original);
}

/* Blender 3.4 confuses the colors of corners: the colors of the original stay. */
TEST(colors_of_blender_3_4_are_not_taken)
{
    static const char *const generators[] = {"Khronos glTF Blender I/O v3.4.50",
                                             "Khronos glTF Blender I/O v3.6.27"};
    test_bytes original = test_like_character(&floats, FACET_J3D_BDL4);
    for (int other = 0; other < 2; other++) {
        facet_error error;
        facet_report *report;
        facet_scene *scene = test_like_through_glb(&original);
        scene->generator = generators[other];
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        test_bytes made = test_like_save(scene, &original, "bdl", report);
        assert_int_equal(test_finding(report, "J3D-LIKE-COLORS") != NULL, !other);
        test_like_assert_same_section(&original, &made, "VTX1");
        test_bytes_free(&made);
        facet_report_free(report);
    }
    test_bytes_free(&original);
}

/* The character with a color of alpha 128, which its opaque materials do not show. */
static test_bytes make_hidden_alpha(void)
{
    test_bytes plain = test_like_character(&floats, FACET_J3D_BDL4), made = {0};
    facet_j3d *model = test_like_read(&plain);
    facet_j3d_array *array = &model->vertices.arrays[FACET_J3D_ARRAY_COLOR0];
    uint8_t *colors = malloc(array->size); /* with the padding */
    facet_output *output;
    facet_error error;
    assert_true(colors && array->stride == 4);
    memcpy(colors, array->bytes, array->size);
    colors[4 + 3] = 128;
    array->bytes = colors;
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(facet_j3d_write(model, NULL, output, &error), &error);
    TEST_OK(facet_output_commit(output, &error), &error);
    test_bytes_put(&made, facet_output_data(output), (size_t)facet_output_size(output));
    facet_output_free(output);
    facet_j3d_free(model);
    free(colors);
    test_bytes_free(&plain);
    return made;
}

/* Black vertex colors are written with the stored alpha, with and without the custom attribute of
 * the stored colors, which programs keep. An edited alpha that no material shows is reported. */
TEST(painted_vertex_colors_are_written)
{
    for (int way = 0; way < 3; way++) {
        test_bytes original = make_hidden_alpha();
        facet_scene *scene = test_like_through_glb(&original);
        facet_mesh *hat = test_like_mesh(scene, "shape2");
        facet_report *report;
        facet_error error;
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        facet_stream *shown = facet_mesh_find(hat, FACET_COLOR, 0);
        const facet_stream *stored = facet_mesh_find_custom(hat, "J3D_COLOR_0", FACET_UINT8, 4);
        assert_true(shown && stored && shown->components == 4);
        for (uint32_t v = 0; v < shown->count; v++) {
            float *color = (float *)shown->data + (size_t)v * 4;
            if (way == 2)
                color[3] = 0.25F;
            else
                color[0] = color[1] = color[2] = 0;
        }
        if (way != 0)
            hat->streams[stored - hat->streams] = hat->streams[--hat->stream_count];
        test_bytes made = test_like_save(scene, &original, "bdl", report);
        facet_j3d *before = test_like_read(&original), *after = test_like_read(&made);
        const facet_j3d_array *x = &before->vertices.arrays[FACET_J3D_ARRAY_COLOR0],
                              *y = &after->vertices.arrays[FACET_J3D_ARRAY_COLOR0];
        bool alphas[256] = {false};
        assert_int_equal(test_finding(report, "J3D-LIKE-COLORS") != NULL, way == 2);
        for (uint32_t i = x->count; i < y->count && way < 2; i++) {
            for (int c = 0; c < 3; c++)
                assert_int_equal(y->bytes[i * 4 + c], 0);
            alphas[y->bytes[i * 4 + 3]] = true;
        }
        assert_int_equal(alphas[128] && alphas[255], way < 2);
        test_like_assert_same_shapes_but(before, after, 2);
        facet_report_free(report);
        facet_j3d_free(before);
        facet_j3d_free(after);
        test_bytes_free(&made);
        test_bytes_free(&original);
    }
}

/* A square ABCD of two triangles and one triangle B C E without area: E is at C with another
 * texture coordinate. One normal can be tilted, that of E by 2.3 degrees, and D can move to x. */
static facet_scene *make_flat(int tilted, float x)
{
    float values[40] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 1, 1, 0};
    static const float texcoords[10] = {0, 0, 1, 0, 1, 1, 0, 1, 0.5F, 0.5F};
    static const uint16_t indices[9] = {0, 1, 2, 0, 2, 3, 1, 2, 4};
    uint8_t buffer[160 + 18 + 2] = {0};
    facet_scene *scene;
    facet_error error;
    values[9] = x;
    for (int v = 0; v < 5; v++) {
        float y = v != tilted ? 0 : v == 4 ? 0.04F : 0.8F;
        values[15 + v * 3 + 1] = y;
        values[15 + v * 3 + 2] = sqrtf(1 - y * y);
    }
    memcpy(values + 30, texcoords, sizeof texcoords);
    memcpy(buffer, values, sizeof values);
    memcpy(buffer + 160, indices, sizeof indices);
    const char *text =
        test_gltf_text("{\"asset\":{\"version\":\"2.0\"},\"buffers\":[%B],\"scene\":0,"
                       "\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"name\":\"body\",\"mesh\":0}],"
                       "\"materials\":[{\"name\":\"skin\"}],"
                       "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"NORMAL\":1,"
                       "\"TEXCOORD_0\":2},\"indices\":3,\"material\":0}]}],"
                       "\"bufferViews\":[{\"buffer\":0,\"byteLength\":180}],\"accessors\":["
                       "{\"bufferView\":0,\"componentType\":5126,\"count\":5,\"type\":\"VEC3\","
                       "\"min\":[0,0,0],\"max\":[1,1,0]},"
                       "{\"bufferView\":0,\"byteOffset\":60,\"componentType\":5126,\"count\":5,"
                       "\"type\":\"VEC3\"},"
                       "{\"bufferView\":0,\"byteOffset\":120,\"componentType\":5126,\"count\":5,"
                       "\"type\":\"VEC2\"},"
                       "{\"bufferView\":0,\"byteOffset\":160,\"componentType\":5123,\"count\":9,"
                       "\"type\":\"SCALAR\"}]}",
                       buffer, sizeof buffer);
    TEST_OK(test_gltf_read(text, strlen(text), NULL, &scene, &error), &error);
    return scene;
}

/* Blender spoils the normals next to a triangle without area. Without other differences it is the
 * same shape, also if another part of the shape is edited. */
TEST(normals_next_to_triangles_without_area_are_kept)
{
    enum { NONE = -1, C = 2, D = 3 };
    static const struct {
        int tilted;
        float x;
        bool is_same, is_kept;
        uint32_t normals; /* elements in VTX1: 1 of the original, and the new ones */
    } cases[] = {{NONE, 0, true, false, 1},
                 {C, 0, true, true, 1},
                 {D, 0, false, false, 2}, /* D has no such triangle next to it */
                 {C, 0.25F, false, true, 1},
                 {D, 0.25F, false, false, 2}};
    test_bytes original = test_like_save(make_flat(NONE, 0), NULL, "bmd", NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        facet_report *report;
        facet_error error;
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        test_bytes made =
            test_like_save(make_flat(cases[i].tilted, cases[i].x), &original, "bmd", report);
        facet_j3d *document = test_like_read(&made);
        if (cases[i].is_same)
            test_like_assert_same(&original, &made);
        else
            assert_true(made.size != original.size ||
                        memcmp(made.data, original.data, made.size) != 0);
        assert_int_equal(test_finding_saying(report, "J3D-LIKE", "1 of 1 kept") != NULL,
                         cases[i].is_same);
        assert_int_equal(document->vertices.arrays[FACET_J3D_ARRAY_NORMAL].count, cases[i].normals);
        assert_int_equal(
            test_finding_saying(report, "J3D-LIKE-NORMALS", "1 normal next to triangles") != NULL,
            cases[i].is_kept);
        facet_j3d_free(document);
        facet_report_free(report);
        test_bytes_free(&made);
    }
    test_bytes_free(&original);
}

/* Two vertices at one position have normals that a comparison with Blender's takes for equal. If
 * another part of the shape is edited, each keeps its own. */
TEST(near_normals_at_one_position_are_kept)
{
    test_bytes original = test_like_save(make_flat(4, 0), NULL, "bmd", NULL);
    test_bytes made = test_like_save(make_flat(4, 0.25F), &original, "bmd", NULL);
    facet_scene *scene = test_like_through_glb(&made);
    const facet_mesh *mesh = scene->meshes[0];
    const float *texcoords = facet_mesh_find(mesh, FACET_TEXCOORD, 0)->data;
    const facet_stream *normals = facet_mesh_find(mesh, FACET_NORMAL, 0);
    assert_int_equal(normals->count, 5);
    for (int v = 0; v < 5; v++) {
        bool is_e = texcoords[(size_t)v * 2] == 0.5F;
        assert_float_equal(((const float *)normals->data)[v * 3 + 1], is_e ? 0.04F : 0, 1e-3F);
    }
    facet_scene_free(scene);
    test_bytes_free(&made);
    test_bytes_free(&original);
}

/* A skinned shape whose mesh lost its weights, and another that has them. */
TEST(lost_weights_are_reported)
{
    test_bytes original = test_like_character(&floats, FACET_J3D_BDL4);
    for (int lost = 0; lost < 2; lost++) {
        facet_scene *scene = test_like_through_glb(&original);
        facet_report *report;
        facet_error error;
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        for (uint32_t i = 0; i < scene->node_count && lost; i++) {
            if (strncmp(scene->nodes[i]->name, "shape1", 6) == 0)
                scene->nodes[i]->skin = FACET_NONE;
        }
        /* A shape that was rigid may be redrawn without a warning. */
        ((float *)facet_mesh_find(test_like_mesh(scene, "shape2"), FACET_POSITION, 0)->data)[0] +=
            1;
        test_bytes made = test_like_save(scene, &original, "bdl", report);
        const facet_finding *finding = test_finding(report, "J3D-LIKE-WEIGHTS");
        assert_int_equal(finding != NULL, lost);
        if (lost) {
            assert_int_equal(finding->severity, FACET_SEVERITY_WARNING);
            assert_int_equal(finding->count, 1);
        }
        facet_report_free(report);
        test_bytes_free(&made);
    }
    test_bytes_free(&original);
}

/* Vertices of a small model have more than 15 fraction bits, up to 31. Only their positions differ.
 */
TEST(small_model_in_16_bits_is_kept)
{
    static const char square[] = "v 0 0 0\nv .1 0 0\nv .1 .1 0\nv 0 .1 0\nf 1 2 3 4\n";
    test_bytes small =
        test_like_save(test_like_load(square, sizeof square - 1, "obj"), NULL, "bdl", NULL);
    facet_j3d *document = test_like_read(&small);
    const facet_j3d_vertex_format *format =
        document->vertices.arrays[FACET_J3D_ARRAY_POSITION].format;
    /* 0.1 * 2^18 is 26214.4, and 16 bits hold up to 32767. */
    assert_int_equal(format->component, FACET_J3D_S16);
    assert_int_equal(format->fraction_bits, 18);
    test_bytes made = test_like_save(test_like_through_glb(&small), &small, "bdl", NULL);
    test_like_assert_same(&small, &made);
    facet_j3d_free(document);
    test_bytes_free(&made);
    test_bytes_free(&small);
}

/* Shape 1 has texture coordinates; other shapes also. Without those of one mesh, all stay with a
 * warning: they were deleted. If no mesh has any, the format of the scene may have none. */
TEST(lost_texture_coordinates_are_reported)
{
    test_bytes original = test_like_character(&floats, FACET_J3D_BDL4);
    enum { NONE, ONE, ALL } lost;
    for (lost = NONE; lost <= ALL; lost++) {
        facet_scene *scene = test_like_through_glb(&original);
        facet_mesh *body = test_like_mesh(scene, "shape1");
        facet_report *report;
        facet_error error;
        uint32_t lacking = 0;
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        for (uint32_t i = 0; i < scene->mesh_count; i++) {
            facet_stream *stream = facet_mesh_find(scene->meshes[i], FACET_TEXCOORD, 0);
            if (stream && (lost == ALL || (lost == ONE && scene->meshes[i] == body))) {
                facet_mesh_remove_stream(scene->meshes[i], stream);
                lacking++;
            }
        }
        test_bytes made = test_like_save(scene, &original, "bdl", report);
        const facet_finding *finding = test_finding(report, "J3D-LIKE-STREAMS");
        assert_int_equal(finding != NULL, lost != NONE);
        if (finding) {
            assert_int_equal(finding->severity,
                             lost == ONE ? FACET_SEVERITY_WARNING : FACET_SEVERITY_NOTE);
            assert_int_equal(finding->count, lacking);
            assert_non_null(strstr(finding->message, "texture coordinates of shape 1"));
        }
        test_like_assert_same(&original, &made);
        facet_report_free(report);
        test_bytes_free(&made);
    }
    test_bytes_free(&original);
}

/* The model at rest without skins, as an OBJ has it. */
static facet_scene *without_weights(const test_bytes *model)
{
    facet_scene *scene = test_like_through_glb(model);
    facet_error error;
    TEST_OK(facet_scene_flatten(scene, NULL, NULL, &error), &error);
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        facet_node *node;
        TEST_OK(facet_scene_add_node(scene, scene->meshes[i]->name, &node, &error), &error);
        node->mesh = i;
    }
    test_like_drop_extras(scene);
    return scene;
}

/* Shapes 1 and 4 are skinned. The scene has no weights, and all shapes stay. */
TEST(scene_without_weights_keeps_those_of_the_original)
{
    const test_j3d_kind_of_character *kinds[] = {&floats, &shorts};
    for (int i = 0; i < 2; i++) {
        test_bytes original = test_like_character(kinds[i], FACET_J3D_BDL4);
        facet_report *report;
        facet_error error;
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        test_bytes made = test_like_save(without_weights(&original), &original, "bdl", report);
        test_like_assert_same(&original, &made);
        const facet_finding *finding = test_finding(report, "J3D-LIKE-WEIGHTS");
        assert_non_null(finding);
        assert_int_equal(finding->severity, FACET_SEVERITY_NOTE);
        assert_int_equal(finding->count, 2);
        facet_report_free(report);
        test_bytes_free(&made);
        test_bytes_free(&original);
    }
}

static uint32_t count_at(const facet_mesh *mesh, const float at[3])
{
    const facet_stream *positions = facet_mesh_find(mesh, FACET_POSITION, 0);
    uint32_t found = 0;
    for (uint32_t v = 0; v < positions->count; v++) {
        const float *p = (const float *)positions->data + (size_t)v * 3;
        found += fabsf(p[0] - at[0]) < 0.02F && fabsf(p[1] - at[1]) < 0.02F &&
                 fabsf(p[2] - at[2]) < 0.02F;
    }
    return found;
}

/* Move vertex `which` of the body, and its copies. */
static void edit_without_weights(const test_bytes *original, uint32_t which)
{
    facet_scene *scene = without_weights(original);
    facet_mesh *body = test_like_mesh(scene, "shape1");
    const facet_stream *positions = facet_mesh_find(body, FACET_POSITION, 0);
    float *p = (float *)positions->data, at[3];
    facet_report *report;
    facet_error error;
    memcpy(at, p + (size_t)(which % positions->count) * 3, sizeof at);
    for (uint32_t v = 0; v < positions->count; v++) {
        if (memcmp(p + (size_t)v * 3, at, sizeof at) == 0)
            p[(size_t)v * 3 + 2] += 0.5F;
    }
    at[2] += 0.5F;
    uint32_t moved = count_at(body, at);
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    test_bytes made = test_like_save(scene, original, "bdl", report);
    assert_non_null(test_finding_saying(report, "J3D-LIKE-WEIGHTS", "weights of a neighbor"));
    test_like_assert_clean(&made);
    facet_j3d *before = test_like_read(original), *after = test_like_read(&made);
    test_like_assert_same_shapes_but(before, after, 1);
    test_like_assert_same_section(original, &made, "MDL3");
    test_like_assert_same_section(original, &made, "EVP1");
    test_like_assert_same_section(original, &made, "DRW1");
    assert_true(after->vertices.arrays[FACET_J3D_ARRAY_POSITION].count >
                before->vertices.arrays[FACET_J3D_ARRAY_POSITION].count);
    scene = without_weights(&made);
    assert_true(moved > 0 && count_at(test_like_mesh(scene, "shape1"), at) > 0);
    facet_scene_free(scene);
    facet_j3d_free(before);
    facet_j3d_free(after);
    facet_report_free(report);
    test_bytes_free(&made);
}

/* A moved vertex gets the weights of a neighbor, and the position in the scene. Nothing else
 * changes. */
TEST(edited_vertex_without_weights_follows_a_neighbor)
{
    test_bytes original = test_like_character(&shorts, FACET_J3D_BDL4);
    for (uint32_t which = 0; which < 24; which += 3)
        edit_without_weights(&original, which);
    test_bytes_free(&original);
}

/* A normal that was edited is stored in the space of the draw matrix. (0.06 is the tolerance of
 * equal normals.) */
TEST(edited_normal_without_weights_is_stored_in_joint_space)
{
    static const char *const shapes[] = {"shape1", "shape4"};
    static const float edited[3] = {0.6F, 0, 0.8F};
    test_bytes original = test_like_character(&floats, FACET_J3D_BDL4);
    for (int s = 0; s < 2; s++) {
        facet_scene *scene = without_weights(&original);
        facet_stream *normals = facet_mesh_find(test_like_mesh(scene, shapes[s]), FACET_NORMAL, 0);
        for (uint32_t v = 0; v < normals->count; v++)
            memcpy((float *)normals->data + (size_t)v * 3, edited, sizeof edited);
        test_bytes made = test_like_save(scene, &original, "bdl", NULL);
        scene = without_weights(&made);
        normals = facet_mesh_find(test_like_mesh(scene, shapes[s]), FACET_NORMAL, 0);
        for (uint32_t v = 0; v < normals->count * 3; v++)
            assert_true(fabsf(((float *)normals->data)[v] - edited[v % 3]) < 0.06F);
        facet_scene_free(scene);
        test_bytes_free(&made);
    }
    test_bytes_free(&original);
}
