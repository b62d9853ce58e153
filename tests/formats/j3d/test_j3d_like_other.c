/* formats/j3d/test_j3d_like_other.c - save like an original: another model, meshes without bones,
 * and refusals. */
#include "support/gltf.h"
#include "support/j3d_like.h"
#include "support/support.h"

#include <facet/convert.h>
#include <facet/j3d.h>
#include <stdio.h>
#include <string.h>

static const test_j3d_kind_of_character floats = {FACET_J3D_F32, 0};

/* A scene whose bones have other names and other positions belongs to another model, also if its
 * meshes are rigid. */
TEST(another_model_needs_force)
{
    test_bytes original = test_like_character(&floats, FACET_J3D_BDL4);
    for (int rigid = 0; rigid < 2; rigid++) {
        facet_scene *scene = test_like_through_glb(&original);
        facet_error error;
        facet_j3d *document = NULL;
        for (uint32_t i = 0; i < scene->node_count; i++) {
            if (rigid)
                scene->nodes[i]->skin = FACET_NONE;
            if (scene->nodes[i]->mesh != FACET_NONE)
                continue;
            scene->nodes[i]->name = "bone of another model";
            scene->nodes[i]->transform.translation[0] += 1 + (float)i; /* meters; the model has a
                                                                        * size of 2 */
        }
        TEST_OK(facet_prepare(scene, facet_format_named("bdl"), NULL, NULL, NULL, &error), &error);
        facet_j3d_options j3d = {.like = TEST_SOURCE(original.data, original.size)};
        const facet_options options = {.j3d = &j3d};
        assert_int_equal(facet_j3d_from_scene(scene, &options, &document, &error),
                         FACET_ERROR_ARGUMENT);
        assert_string_equal(error.rule, "J3D-LIKE-OTHER");
        j3d.force = true;
        TEST_OK(facet_j3d_from_scene(scene, &options, &document, &error), &error);
        facet_j3d_free(document);
        facet_scene_free(scene);
    }
    test_bytes_free(&original);
}

/* Two squares of 12 numbers each, as in another program: rigid on the nodes of two joints. With
 * bones, one square is skinned to them. */
static facet_scene *make_squares(const char *names[2], const char *material, float x, bool bones)
{
    static const char rigid[] = "\"nodes\":[{\"name\":\"%s\",\"mesh\":0,\"children\":[1]},"
                                "{\"name\":\"%s\",\"mesh\":1,\"translation\":[0,3,0]}]",
                      skinned[] = "\"nodes\":[{\"name\":\"%s\",\"children\":[1]},{\"name\":\"%s\"},"
                                  "{\"mesh\":0,\"skin\":0}],\"skins\":[{\"joints\":[0,1]}]";
    static const uint8_t joints[16] = {0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0};
    static const float weights[16] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};
    static const uint16_t indices[6] = {0, 1, 2, 0, 2, 3};
    float squares[24] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 0, 2, 0, 0, 2, 2, 0, 0, 2, 0};
    uint8_t buffer[96 + 16 + 64 + 12];
    char nodes[400], json[3000];
    facet_scene *scene;
    facet_error error;
    squares[12] = x;
    memcpy(buffer, squares, 96);
    memcpy(buffer + 96, joints, 16);
    memcpy(buffer + 112, weights, 64);
    memcpy(buffer + 176, indices, 12);
    snprintf(nodes, sizeof nodes, bones ? skinned : rigid, names[0], names[1]);
    snprintf(
        json, sizeof json,
        "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[%%B],\"scene\":0,"
        "\"scenes\":[{\"nodes\":%s}],%s,"
        "\"materials\":[{\"name\":\"%s\"},{\"name\":\"%s 2\"}],"
        "\"meshes\":[{\"name\":\"Mesh.001\",\"primitives\":[{\"attributes\":{\"POSITION\":0%s},"
        "\"indices\":4,\"material\":0}]},{\"name\":\"Mesh.002\",\"primitives\":[{"
        "\"attributes\":{\"POSITION\":1},\"indices\":4,\"material\":1}]}],"
        "\"bufferViews\":[{\"buffer\":0,\"byteLength\":188}],\"accessors\":["
        "{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\","
        "\"min\":[0,0,0],\"max\":[1,1,0]},"
        "{\"bufferView\":0,\"byteOffset\":48,\"componentType\":5126,\"count\":4,"
        "\"type\":\"VEC3\",\"min\":[0,0,0],\"max\":[2,2,0]},"
        "{\"bufferView\":0,\"byteOffset\":96,\"componentType\":5121,\"count\":4,"
        "\"type\":\"VEC4\"},"
        "{\"bufferView\":0,\"byteOffset\":112,\"componentType\":5126,\"count\":4,"
        "\"type\":\"VEC4\"},"
        "{\"bufferView\":0,\"byteOffset\":176,\"componentType\":5123,\"count\":6,"
        "\"type\":\"SCALAR\"}]}",
        bones ? "[0,2]" : "[0]", nodes, material, material,
        bones ? ",\"JOINTS_0\":2,\"WEIGHTS_0\":3" : "");
    const char *text = test_gltf_text(json, buffer, sizeof buffer);
    TEST_OK(test_gltf_read(text, strlen(text), NULL, &scene, &error), &error);
    return scene;
}

/* A shape of triangles without area is not built again. Games crash at its material, which is
 * omitted. */
TEST(material_without_a_shape_is_left_out)
{
    facet_error error;
    facet_report *report;
    test_bytes original = test_like_character(&floats, FACET_J3D_BDL4);
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    test_bytes made = test_like_save(test_like_through_glb(&original), NULL, "bdl", report);
    assert_non_null(test_finding(report, "J3D-MATERIAL-UNUSED"));
    test_like_assert_clean(&made);
    facet_j3d *before = test_like_read(&original), *after = test_like_read(&made);
    assert_int_equal(before->materials.slot_count, 5);
    assert_int_equal(after->materials.slot_count, 4);
    assert_int_equal(after->shapes.count, 4);
    facet_j3d_free(before);
    facet_j3d_free(after);
    facet_report_free(report);
    test_bytes_free(&made);
    test_bytes_free(&original);
}

/* Other programs attach a rigid mesh to the node of its joint and rename the mesh. It is the
 * shape of the joint, not a new one. */
TEST(rigid_mesh_on_the_node_of_its_joint_is_its_shape)
{
    static const char *names[2] = {"body", "wheel"};
    facet_scene *first = make_squares(names, "paint", 0, false);
    test_bytes original = test_like_save(first, NULL, "bmd", NULL);
    facet_j3d *before = test_like_read(&original);
    assert_int_equal(before->shapes.count, 2);
    for (int edited = 0; edited < 2; edited++) { /* one vertex of the second */
        facet_scene *scene = make_squares(names, "paint", edited ? 0.25F : 0, false);
        test_bytes made = test_like_save(scene, &original, "bmd", NULL);
        facet_j3d *after = test_like_read(&made);
        if (!edited)
            test_like_assert_same(&original, &made);
        assert_int_equal(after->shapes.count, 2);
        assert_int_equal(after->materials.slot_count, 2);
        for (uint32_t i = 0; i < 2; i++) {
            assert_int_equal(after->shapes.items[i].joint, before->shapes.items[i].joint);
            assert_int_equal(after->shapes.items[i].material, before->shapes.items[i].material);
        }
        test_like_assert_same_shapes_but(before, after, edited ? 1 : FACET_NONE);
        facet_j3d_free(after);
        test_bytes_free(&made);
    }
    facet_j3d_free(before);
    test_bytes_free(&original);
}

/* With few bones, one name must be equal; a material name also counts. */
TEST(another_model_of_few_bones_needs_force)
{
    static const char *names[2] = {"hip", "knee"}, *others[2] = {"door", "handle"};
    facet_scene *first = make_squares(names, "skin", 0, true);
    test_bytes original = test_like_save(first, NULL, "bmd", NULL);
    for (int i = 0; i < 4; i++) { /* another name of the bones, then of the materials */
        facet_scene *scene = make_squares(i & 1 ? others : names, i & 2 ? "wood" : "skin", 0, true);
        const facet_j3d_options j3d = {.like = TEST_SOURCE(original.data, original.size)};
        const facet_options options = {.j3d = &j3d};
        facet_j3d *document = NULL;
        facet_error error;
        TEST_OK(facet_prepare(scene, facet_format_named("bmd"), NULL, NULL, NULL, &error), &error);
        facet_status status = facet_j3d_from_scene(scene, &options, &document, &error);
        assert_int_equal(status, i == 3 ? FACET_ERROR_ARGUMENT : FACET_OK);
        if (status)
            assert_string_equal(error.rule, "J3D-LIKE-OTHER");
        facet_j3d_free(document);
        facet_scene_free(scene);
    }
    test_bytes_free(&original);
}

static facet_status try_like(facet_scene *scene, const test_bytes *original, bool force)
{
    const facet_j3d_options j3d = {.like = TEST_SOURCE(original->data, original->size),
                                   .force = force};
    const facet_options options = {.j3d = &j3d};
    facet_j3d *document = NULL;
    facet_error error;
    TEST_OK(facet_prepare(scene, facet_format_named("bmd"), NULL, NULL, NULL, &error), &error);
    facet_status status = facet_j3d_from_scene(scene, &options, &document, &error);
    if (status)
        assert_string_equal(error.rule, "J3D-LIKE-OTHER");
    facet_j3d_free(document);
    facet_scene_free(scene);
    return status;
}

/* A skeleton of 2 bones for 12 joints: 10 are missing although both names are known. */
TEST(another_model_that_shares_joint_names_needs_force)
{
    test_bytes original = test_like_character(&floats, FACET_J3D_BMD3);
    facet_j3d *document = test_like_read(&original);
    const char *both[2] = {document->joints.names.items[0].bytes,
                           document->joints.names.items[1].bytes};
    const char *one[2] = {both[0], "handle"};
    const char *skin = document->materials.names.items[0].bytes;
    assert_int_equal(document->joints.count, 12);
    for (int force = 0; force < 2; force++) {
        facet_status expected = force ? FACET_OK : FACET_ERROR_ARGUMENT;
        assert_int_equal(try_like(make_squares(one, "wood", 0, true), &original, force), expected);
        assert_int_equal(try_like(make_squares(both, "wood", 0, true), &original, force), expected);
        assert_int_equal(try_like(make_squares(both, skin, 0, true), &original, force), expected);
    }
    facet_j3d_free(document);
    test_bytes_free(&original);
}

/* One of two joints is missing, and one of two bones is new: less than half is shared. */
TEST(another_model_of_few_bones_that_shares_one_name_needs_force)
{
    static const char *names[2] = {"hip", "knee"}, *others[2] = {"hip", "handle"};
    test_bytes original = test_like_save(make_squares(names, "skin", 0, true), NULL, "bmd", NULL);
    for (int i = 0; i < 3;
         i++) { /* equal except for the bone; with the material name, also; forced */
        facet_scene *scene = make_squares(others, i == 1 ? "skin" : "wood", 0, true);
        for (uint32_t n = 0; n < scene->node_count; n++) {
            if (strcmp(scene->nodes[n]->name, "handle") == 0)
                scene->nodes[n]->transform.translation[0] += 9; /* or it is the knee, renamed */
        }
        assert_int_equal(try_like(scene, &original, i == 2),
                         i == 0 ? FACET_ERROR_ARGUMENT : FACET_OK);
    }
    test_bytes_free(&original);
}

TEST(original_must_be_a_complete_model)
{
    test_bytes original = test_like_character(&floats, FACET_J3D_BDL4);
    facet_error error;
    facet_output *output = NULL;
    facet_scene *scene = test_like_through_glb(&original);
    TEST_OK(facet_prepare(scene, facet_format_named("bdl"), NULL, NULL, NULL, &error), &error);
    /* A file that has only materials is not a model. */
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(facet_copy(TEST_SOURCE(original.data, original.size), facet_format_named("bmt"), NULL,
                       output, &error),
            &error);
    TEST_OK(facet_output_commit(output, &error), &error);
    facet_j3d_options j3d = {
        .like = TEST_SOURCE(facet_output_data(output), (size_t)facet_output_size(output))};
    facet_options options = {.j3d = &j3d};
    facet_j3d *document = NULL;
    assert_int_equal(facet_j3d_from_scene(scene, &options, &document, &error),
                     FACET_ERROR_ARGUMENT);
    assert_string_equal(error.rule, "J3D-LIKE");
    facet_output_free(output);
    /* A truncated file is not a model either. */
    for (size_t size = 0; size < original.size; size += size < 64 ? 1 : 997) {
        j3d.like = TEST_SOURCE(original.data, size);
        assert_true(facet_j3d_from_scene(scene, &options, &document, &error) != FACET_OK);
    }
    facet_scene_free(scene);
    test_bytes_free(&original);
}
