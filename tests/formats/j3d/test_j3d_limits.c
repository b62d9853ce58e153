/* Tests of scenes that exceed a 16-bit count of J3D by the smallest amount. */
#include "support/mesh.h"
#include "support/support.h"

#include <facet/convert.h>
#include <facet/j3d.h>
#include <stdlib.h>

/* -- Scenes ------------------------------------------------------------- */

/* `faces` triangles on a grid; no two share a corner. */
static facet_mesh *add_grid(facet_scene *scene, uint32_t faces)
{
    static const float corner[3][2] = {{0, 0}, {0.5F, 0}, {0, 0.5F}};
    facet_mesh *mesh = test_mesh(scene, faces, NULL);
    assert_non_null(mesh);
    float *values = malloc((size_t)faces * 9 * sizeof *values);
    assert_non_null(values);
    for (uint32_t i = 0; i < faces * 3; i++) {
        values[i * 3] = (float)(i / 3 % 256) + corner[i % 3][0];
        values[i * 3 + 1] = (float)(i / 3 / 256) + corner[i % 3][1];
        values[i * 3 + 2] = 0;
    }
    assert_true(test_stream(scene, mesh, FACET_POSITION, 3, faces * 3, values, NULL));
    free(values);
    return mesh;
}

/* Add a material for each face. */
static void add_materials(facet_scene *scene, facet_mesh *mesh)
{
    mesh->face_materials = facet_scene_allocate(scene, mesh->face_count, sizeof(uint32_t));
    assert_non_null(mesh->face_materials);
    for (uint32_t i = 0; i < mesh->face_count; i++) {
        facet_error error;
        facet_material *material;
        TEST_OK(facet_scene_add_material(scene, "m", &material, &error), &error);
        mesh->face_materials[i] = i;
    }
}

static void add_nodes(facet_scene *scene, uint32_t count, uint32_t mesh, const char *name)
{
    facet_error error;
    facet_node *node;
    for (uint32_t i = 0; i < count; i++) {
        TEST_OK(facet_scene_add_node(scene, name, &node, &error), &error);
        node->mesh = mesh;
    }
}

/* Expect that the scene becomes a file, or that `rule` rejects it. */
static void expect_limit(facet_scene *scene, const char *rule)
{
    static const facet_prepare_options quick = {.skip = FACET_NEED_OPTIMIZED,
                                                .keep_vertices = true};
    static const facet_options options = {.growth_limit = UINT32_MAX};
    const facet_format *bmd = facet_format_named("bmd");
    facet_output *output = NULL;
    facet_error error = {0};
    TEST_OK(facet_prepare(scene, bmd, &quick, NULL, NULL, &error), &error);
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    facet_status status = facet_save(scene, bmd, &options, output, &error);
    if (rule) {
        assert_string_equal(error.rule, rule);
        assert_int_equal(status, FACET_ERROR_LIMIT);
    } else {
        TEST_OK(status, &error);
    }
    facet_output_free(output);
    facet_scene_free(scene);
}

/* -- Joints, shapes, names, vertices ------------------------------------ */

/* Each node becomes a joint, and one joint is added above them: 65,535 fit. A mesh of two
 * materials has two shapes on each of its joints: 65,534 fit. */
TEST(joints_and_shapes_are_counted_in_16_bits)
{
    facet_scene *scene = test_scene();
    add_grid(scene, 1);
    add_nodes(scene, 65535, 0, "n");
    expect_limit(scene, "J3D-LIMIT-JOINTS");

    scene = test_scene();
    add_materials(scene, add_grid(scene, 2));
    add_nodes(scene, 32768, 0, "n");
    expect_limit(scene, "J3D-LIMIT-SHAPES");
}

/* The offset of a name has 16 bits and starts at the table: 4 bytes, and 4 for each of the 252
 * nodes and the root. Each name has 255 letters and a 0. The last one begins at 4 + 1,012 + 251 *
 * 256 = 65,272, and the name of the root follows. One more node puts it beyond 65,532. */
TEST(names_have_65535_bytes_together)
{
    char name[256];
    memset(name, 'n', 255);
    name[255] = '\0';
    for (uint32_t more = 0; more < 2; more++) {
        facet_scene *scene = test_scene();
        add_grid(scene, 1);
        add_nodes(scene, 252 + more, 0, name);
        expect_limit(scene, more ? "J3D-NAMES-SIZE" : NULL);
    }
}

/* Readers follow 1,023 bytes of a name. The name of a scene, or of an OBJ, can be longer. */
TEST(a_name_has_1023_bytes)
{
    char name[1025];
    memset(name, 'n', 1024);
    name[1024] = '\0';
    for (uint32_t more = 0; more < 2; more++) {
        facet_scene *scene = test_scene();
        add_grid(scene, 1);
        add_nodes(scene, 1, 0, name + 1 - more);
        expect_limit(scene, more ? "J3D-NAMES-SIZE" : NULL);
    }
}

/* 2^28 - 1 vertices of instances: the mesh has 196,608, repeated 1,366 times. */
TEST(vertices_of_instances_are_counted)
{
    facet_scene *scene = test_scene();
    add_grid(scene, 65536);
    add_nodes(scene, 1366, 0, "n");
    expect_limit(scene, "J3D-LIMIT-VERTICES");
}

/* -- Materials, envelopes ----------------------------------------------- */

/* A material has a slot per shape, so the number of shapes exceeds its limit first. */
TEST(materials_are_counted_as_shapes)
{
    facet_scene *scene = test_scene();
    facet_mesh *mesh = add_grid(scene, 65535);
    for (uint32_t i = 0; i < mesh->corner_count; i++)
        mesh->streams[0].indices[i] = i % 3; /* positions also have a 16-bit count */
    add_materials(scene, mesh);
    expect_limit(scene, "J3D-LIMIT-SHAPES");
}

/* Each blend of weights takes two draw matrices. 32,767 blends and a joint are 65,535, which fit;
 * one more blend does not. */
TEST(envelopes_are_counted_twice)
{
    for (uint32_t more = 0; more < 2; more++) {
        uint32_t count = 32767 + 3 * more;
        facet_scene *scene = test_scene();
        facet_mesh *mesh = add_grid(scene, count / 3 + 1);
        facet_skin *skin;
        facet_stream *joints;
        facet_error error;
        uint32_t vertices = mesh->streams[0].count;
        add_nodes(scene, 2, FACET_NONE, "bone");
        add_nodes(scene, 1, 0, "mesh");
        TEST_OK(facet_scene_add_skin(scene, "s", 2, &skin, &error), &error);
        skin->joints[0] = 0;
        skin->joints[1] = 1;
        scene->nodes[2]->skin = 0;
        float *shares = malloc((size_t)vertices * 4 * sizeof *shares);
        assert_non_null(shares);
        for (uint32_t i = 0; i < vertices; i++) {
            shares[i * 4] = i < count ? (float)(i + 1) / 65536.0F : 1; /* exact in a float, like the
                                                                        * other share */
            shares[i * 4 + 1] = 1 - shares[i * 4];
            shares[i * 4 + 2] = shares[i * 4 + 3] = 0;
        }
        assert_true(test_stream(scene, mesh, FACET_WEIGHTS, 4, vertices, shares, NULL));
        free(shares);
        TEST_OK(facet_mesh_add_stream(mesh, FACET_JOINTS, 0, NULL, FACET_UINT16, 4, vertices,
                                      &joints, &error),
                &error);
        joints->indices = mesh->streams[0].indices;
        for (uint32_t i = 0; i < vertices * 4; i++)
            ((uint16_t *)joints->data)[i] = i % 4 == 1;
        expect_limit(scene, more ? "J3D-LIMIT-ENVELOPES" : NULL);
    }
}
