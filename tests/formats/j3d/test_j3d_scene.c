/* Tests of J3D models as scenes: nodes, skins, meshes. Positions are computed here from the
 * description of each model. The corpus models are compared with the models that they were
 * converted from. */
#include "formats/j3d/gpu/skeleton.h"
#include "formats/j3d/json/json.h"
#include "formats/j3d/scene/to_scene/scene.h"

#include "base/arena.h"
#include "base/bytes.h"
#include "support/j3d_make.h"
#include "support/support.h"

#include <facet/convert.h>
#include <facet/pose.h>
#include <math.h>
#include <stdlib.h>

/* -- A scene ------------------------------------------------------------ */

static facet_status load_bytes(const test_bytes *file, const facet_options *options,
                               facet_scene **scene, facet_error *error)
{
    facet_j3d *document;
    facet_status status =
        facet_j3d_read(TEST_SOURCE(file->data, file->size), options, &document, error);
    if (status)
        return status;
    status = facet_j3d_to_scene(document, options, scene, error);
    facet_j3d_free(document);
    return status;
}

/* Load the model as a scene and free it. */
static facet_scene *scene_of(test_j3d *model, facet_report *report)
{
    facet_options options = {0};
    facet_scene *scene;
    facet_error error;
    test_bytes file = test_j3d_write(model, FACET_J3D_BMD3);
    test_j3d_free(model);
    options.report = report;
    TEST_OK(load_bytes(&file, &options, &scene, &error), &error);
    TEST_OK(facet_scene_check(scene, NULL, &error), &error);
    test_bytes_free(&file);
    return scene;
}

static facet_scene *corpus_scene(const char *name)
{
    facet_file *file;
    facet_scene *scene;
    facet_error error;
    TEST_OK(facet_file_open(test_corpus(name), NULL, &file, &error), &error);
    facet_source source = facet_file_source(file);
    TEST_OK(facet_load(&source, NULL, NULL, NULL, &scene, &error), &error);
    TEST_OK(facet_scene_check(scene, NULL, &error), &error);
    facet_file_close(file);
    return scene;
}

static void assert_near(double value, double expected, double most)
{
    if (!(fabs(value - expected) <= most))
        fail_msg("%.9g where %.9g is right", value, expected);
}

static void assert_floats(const float *values, const double *expected, uint32_t count, double most)
{
    for (uint32_t i = 0; i < count; i++)
        assert_near((double)values[i], expected[i], most);
}

static const float *floats_of(const facet_mesh *mesh, facet_semantic semantic, uint32_t set)
{
    const facet_stream *stream = facet_mesh_find(mesh, semantic, set);
    assert_non_null(stream);
    return stream->data;
}

/* -- Structure ---------------------------------------------------------- */

static facet_output *glb_of(const facet_scene *scene)
{
    facet_output *output = NULL;
    facet_error error;
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(facet_save(scene, facet_format_named("glb"), NULL, output, &error), &error);
    TEST_OK(facet_output_commit(output, &error), &error);
    return output;
}

/* The text of the extras gives the same file as the structs that it was printed from. */
TEST(printed_extras_give_the_same_file)
{
    facet_scene *scene = scene_of(test_j3d_small(), NULL);
    facet_error error;
    facet_output *typed = glb_of(scene);
    TEST_OK(facet_scene_print_extras(scene, &error), &error);
    assert_non_null(strstr(scene->extras, "\"model\""));
    assert_non_null(strstr(scene->nodes[0]->extras, "\"joint\""));
    assert_non_null(strstr(scene->meshes[0]->extras, "\"shape\""));
    facet_output *printed = glb_of(scene);
    assert_int_equal(facet_output_size(typed), facet_output_size(printed));
    assert_memory_equal(facet_output_data(typed), facet_output_data(printed),
                        (size_t)facet_output_size(typed));
    facet_output_free(printed);
    facet_output_free(typed);
    facet_scene_free(scene);
}

TEST(joints_and_shapes_become_named_nodes)
{
    static const char *const names[6] = {"root",        "arm",          "hand",
                                         "shape0_skin", "shape1_cloth", "shape2_cloth"};
    static const uint32_t parents[6] = {FACET_NONE, 0, 1, 0, FACET_NONE, 1};
    facet_scene *scene = scene_of(test_j3d_small(), NULL);
    assert_int_equal(scene->node_count, 6);
    assert_int_equal(scene->mesh_count, 3);
    assert_int_equal(scene->skin_count, 1);
    assert_int_equal(scene->material_count, 2);
    assert_true(scene->axes.uv_origin_top);
    assert_int_equal(scene->axes.up, FACET_AXIS_Y);
    for (uint32_t i = 0; i < 6; i++) {
        const facet_node *node = scene->nodes[i];
        assert_string_equal(node->name, names[i]);
        assert_int_equal(node->parent, parents[i]);
        assert_int_equal(node->mesh, i < 3 ? FACET_NONE : i - 3);
        assert_int_equal(node->skin, i == 4 ? 0 : FACET_NONE);
        assert_false(node->has_matrix);
        if (i < 3)
            assert_true(node->gx_file && node->gx_file->joint && !node->extras);
    }
    for (uint32_t i = 0; i < 3; i++) {
        const facet_mesh *mesh = scene->meshes[i];
        assert_string_equal(mesh->name, names[3 + i]);
        assert_true(facet_mesh_is_triangles(mesh) && facet_mesh_is_indexed(mesh));
        assert_int_equal(mesh->face_materials[0], i ? 1 : 0);
        static const uint8_t types[3] = {FACET_J3D_SHAPE_SINGLE, FACET_J3D_SHAPE_MULTI,
                                         FACET_J3D_SHAPE_BILLBOARD};
        assert_non_null(mesh->gx_file->shape);
        assert_int_equal(mesh->gx_file->shape->type, types[i]);
    }
    /* The hand is 2 above its parent, with a quarter turn about z, which is 16383 of 32767 half
     * turns. */
    const facet_transform *hand = &scene->nodes[2]->transform;
    double half = 16383.0 / 32767 * 3.14159265358979323846 / 2;
    const double rotation[4] = {0, 0, sin(half), cos(half)}, place[3] = {0, 2, 0};
    assert_floats(hand->rotation, rotation, 4, 1e-7);
    assert_floats(hand->translation, place, 3, 0);
    facet_scene_free(scene);
}

/* Rigid vertices of a skinned shape are where their joint was bound: the arm 1 along x, the hand
 * at (1, 2) with its x axis along y. */
TEST(rigid_vertices_keep_their_bind_position)
{
    static const double positions[7][3] = {{0, 0, 0}, {1, 0, 0},   {0, 1, 0},  {1, 1, 0},
                                           {1, 1, 0}, {3, 0.5, 0}, {0.5, 4, 1}};
    static const uint16_t joints[7][3] = {{0}, {1, 2}, {2, 0, 1}, {1, 2}, {0}, {1}, {2}};
    static const float weights[7][3] = {{1}, {0.5F, 0.5F}, {0.25F, 0.5F, 0.25F}, {0.5F, 0.5F}, {1},
                                        {1}, {1}};
    facet_scene *scene = scene_of(test_j3d_small(), NULL);
    const facet_mesh *mesh = scene->meshes[1];
    const facet_skin *skin = scene->skins[0];
    assert_floats(floats_of(mesh, FACET_POSITION, 0), positions[0], 21, 1e-6);
    const uint16_t *found = facet_mesh_find(mesh, FACET_JOINTS, 0)->data;
    const float *shares = floats_of(mesh, FACET_WEIGHTS, 0);
    assert_null(facet_mesh_find(mesh, FACET_JOINTS, 1));
    for (uint32_t i = 0; i < 7; i++) {
        for (uint32_t k = 0; k < 4; k++) {
            assert_int_equal(found[i * 4 + k], k < 3 ? joints[i][k] : 0);
            assert_true(shares[i * 4 + k] == (k < 3 ? weights[i][k] : 0));
        }
        static const double up[3] = {0, 0, 1}; /* all rotations are about z */
        assert_floats(floats_of(mesh, FACET_NORMAL, 0) + i * 3, up, 3, 1e-6);
    }
    assert_int_equal(skin->joint_count, 3);
    static const double hand[16] = {0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, -2, 1, 0, 1};
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(skin->joints[i], i);
    assert_floats(skin->inverse_bind + 32, hand, 16, 0);
    facet_scene_free(scene);
}

TEST(scene_streams_have_the_stored_values)
{
    facet_scene *scene = scene_of(test_j3d_small(), NULL);
    const facet_mesh *single = scene->meshes[0], *multi = scene->meshes[1];
    /* The first quad's corners: texcoords (0,0) (0,1) (1,1), v0 v2 v1. */
    const float *st = floats_of(single, FACET_TEXCOORD, 0);
    static const double expected[3][2] = {{0, 0}, {1, 1}, {0, 1}};
    for (uint32_t c = 0; c < 3; c++)
        assert_floats(st + (size_t)single->streams[0].indices[c] * 2, expected[c], 2, 0);
    /* The file has only texcoord 1: set 0 is filled with zeros. */
    st = floats_of(multi, FACET_TEXCOORD, 1);
    static const double others[3][2] = {{0.25, 0.75}, {-1.5, 2}, {3, 3}};
    for (uint32_t i = 0; i < 3; i++) {
        assert_floats(st + i * 2, others[i], 2, 0);
        assert_true(floats_of(multi, FACET_TEXCOORD, 0)[i] == 0);
    }
    /* Half of the stored range is a fifth of the light: ((0.50196 + 0.055) / 1.055) ^ 2.4 =
     * 0.21586. The shape has white, red, green and blue. */
    const float *colors = floats_of(single, FACET_COLOR, 0);
    static const double red[3] = {1, 0, 0};
    assert_floats(colors + (size_t)single->streams[0].indices[2] * 4, red, 3, 0);
    assert_int_equal(single->line_count, 4);
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(single->line_materials[i], 0);
    facet_scene_free(scene);
}

/* K0 * texture + color 0. The vertex colors are not a factor, so their mean is computed into the
 * image. Triangles 0 1 2 and 2 1 3 of a strip use vertices 1 and 2 twice. Red is (0 + 2 * 30 + 2
 * * 60 + 60) / 6 = 40, green 12 / 6 = 2, blue (60 + 180 + 240 + 180) / 6 = 110. Missing colors
 * are white. */
TEST(vertex_colors_fold_into_texture_as_mean)
{
    static const uint8_t rgba[16] = {0,  0, 60,  255, 30, 0,  90,  255,
                                     60, 0, 120, 255, 60, 12, 180, 255};
    static const uint8_t texels[32] = {0, 255};
    static const double xyz[12] = {0, 0, 0, 1, 0, 0, 0, 9, 0, 5, 5, 0};
    static const uint16_t root = 0, with[8] = {0, 0, 1, 1, 2, 2, 3, 3}, without[4] = {0, 1, 2, 3};
    static const facet_gx_tev_stage added = {
        255, {{15, 14, 8, 10}, 0, 0, 0, 1, 0}, {{7, 7, 7, 5}, 0, 0, 0, 1, 0}, 255};
    static const uint8_t expected[2][6] = {{255, 255, 255, 255, 255, 255},
                                           {40, 2, 110, 40 + 51, 2, 110 + 102}};
    for (int colored = 0; colored < 2; colored++) {
        test_j3d *model = test_j3d_new();
        facet_j3d_material material = test_j3d_textured_material("m", 0);
        material.gx.tev_stages[0] = added;
        material.gx.konst_colors[0] = (facet_gx_rgba8){51, 0, 102, 255};
        test_j3d_add_joint(model, "root", TEST_J3D_NONE);
        test_j3d_add_draw(model, 0, 0);
        test_j3d_add_texture(model, "t", 1, 8, 4, texels, sizeof texels); /* I8 */
        test_j3d_add_material(model, &material);
        uint32_t shape = test_j3d_add_shape(model, FACET_J3D_SHAPE_SINGLE, 0, 0);
        test_j3d_add_values(model, FACET_J3D_ARRAY_POSITION, 1, FACET_J3D_F32, 0, xyz, 4);
        test_j3d_add_part(model, shape, FACET_J3D_POSITION, FACET_J3D_INPUT_INDEX16);
        if (colored) {
            test_j3d_add_colors(model, FACET_J3D_ARRAY_COLOR0, 1, FACET_J3D_RGBA8, rgba, 4);
            test_j3d_add_part(model, shape, FACET_J3D_COLOR0, FACET_J3D_INPUT_INDEX16);
        }
        test_j3d_add_packet(model, shape, &root, 1);
        test_j3d_draw(model, shape, 0x98, colored ? with : without, 4);
        facet_scene *scene = scene_of(model, NULL);
        assert_int_equal(scene->image_count, 2);
        assert_int_equal(scene->images[1]->channels, 3);
        assert_memory_equal(scene->images[1]->pixels, expected[colored], 6);
        assert_null(facet_mesh_find(scene->meshes[0], FACET_COLOR, 0));
        facet_scene_free(scene);
    }
}

/* If the material color comes from its register, the vertex colors are kept but not shown. */
TEST(vertex_colors_without_effect_are_kept)
{
    static const uint8_t rgba[8] = {128, 64, 32, 16, 1, 2, 3, 4};
    static const double xyz[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    static const uint16_t root = 0, values[6] = {0, 0, 1, 1, 2, 0};
    for (int seen = 0; seen < 2; seen++) {
        test_j3d *model = test_j3d_new();
        facet_j3d_material material = test_j3d_minimal_material("m");
        if (!seen)
            material.gx.channels[0].material_source = material.gx.channels[1].material_source = 0;
        test_j3d_add_joint(model, "root", TEST_J3D_NONE);
        test_j3d_add_draw(model, 0, 0);
        test_j3d_add_material(model, &material);
        uint32_t shape = test_j3d_add_shape(model, FACET_J3D_SHAPE_SINGLE, 0, 0);
        test_j3d_add_values(model, FACET_J3D_ARRAY_POSITION, 1, FACET_J3D_F32, 0, xyz, 3);
        test_j3d_add_colors(model, FACET_J3D_ARRAY_COLOR0, 1, FACET_J3D_RGBA8, rgba, 2);
        test_j3d_add_part(model, shape, FACET_J3D_POSITION, FACET_J3D_INPUT_INDEX16);
        test_j3d_add_part(model, shape, FACET_J3D_COLOR0, FACET_J3D_INPUT_INDEX16);
        test_j3d_add_packet(model, shape, &root, 1);
        test_j3d_draw(model, shape, 0x90, values, 3);
        facet_scene *scene = scene_of(model, NULL);
        const facet_mesh *mesh = scene->meshes[0];
        const facet_stream *linear = facet_mesh_find(mesh, FACET_COLOR, 0);
        if (seen) {
            /* The sRGB curve at 128, 64 and 32 of 255. */
            static const double expected[3] = {0.2158605, 0.0512695, 0.0144438};
            assert_non_null(linear);
            assert_floats(linear->data, expected, 3, 1e-6);
        } else {
            const facet_stream *kept = facet_mesh_find(mesh, FACET_CUSTOM, 0);
            assert_null(linear);
            assert_non_null(kept);
            assert_string_equal(kept->name, "J3D_COLOR_0");
            assert_memory_equal(kept->data, rgba, 8);
        }
        facet_scene_free(scene);
    }
}

/* A normal of (0, 3, 4) is (0, 0.6, 0.8) in the scene, with the length 5 stored separately. The
 * written file has (0, 3, 4) again, as floats: 16 bits with 14 of fraction cannot hold 3 and 4. */
TEST(normals_keep_their_length)
{
    static const double xyz[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0}, normal[3] = {0, 3, 4};
    static const double unit[3] = {0, 0.6, 0.8};
    static const uint16_t root = 0, values[6] = {0, 0, 1, 0, 2, 0};
    test_j3d *model = test_j3d_new();
    facet_j3d_material material = test_j3d_minimal_material("m");
    test_j3d_add_joint(model, "root", TEST_J3D_NONE);
    test_j3d_add_draw(model, 0, 0);
    test_j3d_add_material(model, &material);
    uint32_t shape = test_j3d_add_shape(model, FACET_J3D_SHAPE_SINGLE, 0, 0);
    test_j3d_add_values(model, FACET_J3D_ARRAY_POSITION, 1, FACET_J3D_F32, 0, xyz, 3);
    test_j3d_add_values(model, FACET_J3D_ARRAY_NORMAL, 0, FACET_J3D_F32, 0, normal, 1);
    test_j3d_add_part(model, shape, FACET_J3D_POSITION, FACET_J3D_INPUT_INDEX16);
    test_j3d_add_part(model, shape, FACET_J3D_NORMAL, FACET_J3D_INPUT_INDEX16);
    test_j3d_add_packet(model, shape, &root, 1);
    test_j3d_draw(model, shape, 0x90, values, 3);
    facet_scene *scene = scene_of(model, NULL);
    const facet_stream *lengths = facet_mesh_find(scene->meshes[0], FACET_CUSTOM, 0);
    assert_non_null(lengths);
    assert_string_equal(lengths->name, "J3D_NORMAL_LENGTH");
    assert_floats(floats_of(scene->meshes[0], FACET_NORMAL, 0), unit, 3, 1e-6);
    assert_near((double)((const float *)lengths->data)[2], 5, 1e-6);

    facet_j3d *document;
    facet_error error;
    TEST_OK(facet_j3d_from_scene(scene, NULL, &document, &error), &error);
    const facet_j3d_array *array = &document->vertices.arrays[FACET_J3D_ARRAY_NORMAL];
    assert_int_equal(array->format->component, FACET_J3D_F32);
    for (int i = 0; i < 3; i++)
        assert_near((double)facet_load_f32be(array->bytes + (size_t)i * 4), normal[i], 1e-6);
    facet_j3d_free(document);
    facet_scene_free(scene);
}

/* -- Positions ---------------------------------------------------------- */

static uint32_t next_random(uint32_t *state)
{
    return (*state = *state * 1664525u + 1013904223u) >> 16;
}

static double random_number(uint32_t *state, double low, double high)
{
    return low + (high - low) * next_random(state) / 65535;
}

/* A skeleton of eight joints with random scales and rotations. Each draw matrix has a shape, and
 * one more shape uses all of them. */
static test_j3d *random_model(uint32_t *random, uint16_t flags)
{
    enum { JOINTS = 8, ENVELOPES = 4, POINTS = 12 };
    test_j3d *model = test_j3d_new();
    facet_j3d_material material = test_j3d_minimal_material("m");
    double xyz[POINTS * 3];
    uint16_t all[10];
    model->flags = flags;
    test_j3d_add_material(model, &material);
    for (int i = 0; i < POINTS * 3; i++)
        xyz[i] = random_number(random, -4, 4);
    test_j3d_add_values(model, FACET_J3D_ARRAY_POSITION, 1, FACET_J3D_F32, 0, xyz, POINTS);
    for (uint32_t j = 0; j < JOINTS; j++) {
        test_j3d_add_joint(model, "j", j == 0 ? TEST_J3D_NONE : next_random(random) % j);
        test_j3d_joint *joint = &model->joints[j];
        joint->scale_compensate = next_random(random) % 2;
        for (int i = 0; i < 3; i++) {
            joint->scale[i] = next_random(random) % 2 ? (float)random_number(random, 0.5, 2) : 1.0F;
            joint->rotation[i] = (int16_t)next_random(random);
            joint->translation[i] = (float)random_number(random, -3, 3);
            model->inverse_bind[j][i * 4 + 3] = (float)random_number(random, -3, 3);
            model->inverse_bind[j][i * 4 + (i + 1) % 3] = (float)random_number(random, -0.3, 0.3);
        }
        if (j < 6)
            test_j3d_add_draw(model, 0, j);
    }
    for (uint32_t e = 0; e < ENVELOPES; e++) {
        uint16_t joints[3];
        static const float weights[3] = {0.5F, 0.125F, 0.375F};
        for (uint16_t i = 0; i < 3; i++)
            joints[i] = (uint16_t)((next_random(random) % 2 + i * 2) % JOINTS);
        test_j3d_add_envelope(model, joints, weights, 3);
        test_j3d_add_draw(model, 1, e);
    }
    for (uint16_t d = 0; d <= 10; d++) {
        bool many = d == 10;
        uint32_t s =
            test_j3d_add_shape(model, many ? FACET_J3D_SHAPE_MULTI : FACET_J3D_SHAPE_SINGLE, 0, 0);
        uint16_t values[POINTS * 2];
        if (many)
            test_j3d_add_part(model, s, FACET_J3D_POSITION_MATRIX, FACET_J3D_INPUT_DIRECT);
        test_j3d_add_part(model, s, FACET_J3D_POSITION, FACET_J3D_INPUT_INDEX16);
        for (uint16_t i = 0; i < 10; i++)
            all[i] = many ? i : d;
        test_j3d_add_packet(model, s, all, many ? 10 : 1);
        for (uint16_t i = 0; i < POINTS; i++) {
            if (many) {
                values[i * 2] = (uint16_t)(i % 10 * 3);
                values[i * 2 + 1] = i;
            } else {
                values[i] = i;
            }
        }
        test_j3d_draw(model, s, 0x98, values, POINTS);
    }
    return model;
}

/* The vertices of every scene are at draw matrix times stored position (test_j3d_geometry tests
 * the matrices). */
TEST(skinned_vertices_match_the_draw_matrices)
{
    uint32_t random = 1;
    for (uint32_t run = 0; run < 60; run++) {
        facet_error error;
        facet_j3d *document;
        facet_j3d_skeleton skeleton;
        facet_scene *scene;
        facet_pose pose = {0};
        test_j3d *model = random_model(&random, (uint16_t)(run % 3));
        test_bytes file = test_j3d_write(model, FACET_J3D_BMD3);
        test_j3d_free(model);
        TEST_OK(facet_j3d_read(TEST_SOURCE(file.data, file.size), NULL, &document, &error), &error);
        TEST_OK(facet_j3d_skeleton_create(document, document->arena, &skeleton, &error), &error);
        TEST_OK(load_bytes(&file, NULL, &scene, &error), &error);
        TEST_OK(facet_scene_pose(scene, FACET_NONE, 0, NULL, &pose, &error), &error);
        assert_int_equal(scene->mesh_count, 11);
        for (uint32_t m = 0; m < 11; m++) {
            float at[12 * 3], stored[3], expected[3];
            assert_int_equal(scene->meshes[m]->streams[0].count, 12);
            assert_int_equal(scene->nodes[8 + m]->skin, m < 6 ? FACET_NONE : 0);
            TEST_OK(facet_pose_positions(scene, &pose, 8 + m, NULL, at, &error), &error);
            for (uint32_t i = 0; i < 12; i++) {
                const uint8_t *bytes = document->vertices.arrays[0].bytes + (size_t)i * 12;
                for (int c = 0; c < 3; c++) {
                    uint32_t bits = (uint32_t)bytes[c * 4] << 24 |
                                    (uint32_t)bytes[c * 4 + 1] << 16 |
                                    (uint32_t)bytes[c * 4 + 2] << 8 | bytes[c * 4 + 3];
                    memcpy(&stored[c], &bits, 4);
                }
                facet_j3d_matrix_point(
                    facet_j3d_skeleton_draw_matrix(document, &skeleton, m < 10 ? m : i % 10),
                    stored, expected);
                for (int c = 0; c < 3; c++)
                    assert_near((double)at[i * 3 + c], (double)expected[c], 3e-4);
            }
        }
        facet_pose_free(&pose);
        facet_scene_free(scene);
        facet_j3d_free(document);
        test_bytes_free(&file);
    }
}

/* A mirrored joint reverses triangles on the console, but not in a scene. */
TEST(mirrored_joints_reverse_the_triangles)
{
    static const double xyz[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    static const uint16_t root = 0, values[3] = {0, 1, 2};
    for (int mirrored = 0; mirrored < 2; mirrored++) {
        test_j3d *model = test_j3d_new();
        facet_j3d_material material = test_j3d_minimal_material("m");
        test_j3d_add_joint(model, "root", TEST_J3D_NONE);
        model->joints[0].scale[0] = mirrored ? -1 : 1;
        test_j3d_add_draw(model, 0, 0);
        test_j3d_add_material(model, &material);
        uint32_t shape = test_j3d_add_shape(model, FACET_J3D_SHAPE_SINGLE, 0, 0);
        test_j3d_add_values(model, FACET_J3D_ARRAY_POSITION, 1, FACET_J3D_F32, 0, xyz, 3);
        test_j3d_add_part(model, shape, FACET_J3D_POSITION, FACET_J3D_INPUT_INDEX16);
        test_j3d_add_packet(model, shape, &root, 1);
        test_j3d_draw(model, shape, 0x90, values, 3);
        facet_scene *scene = scene_of(model, NULL);
        const uint32_t *corners = scene->meshes[0]->streams[0].indices;
        assert_int_equal(corners[0], 0);
        assert_int_equal(corners[1], mirrored ? 1 : 2);
        assert_int_equal(corners[2], mirrored ? 2 : 1);
        facet_scene_free(scene);
    }
}

/* -- Findings ----------------------------------------------------------- */

TEST(lost_features_are_reported)
{
    facet_report *report;
    facet_error error;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    test_j3d *model = test_j3d_small();
    model->envelopes[0].weights[0] = 3;
    static const uint16_t nodes[] = {0x10, 0, 1,    0, 0x11, 0, 0x12, 0,
                                     0x10, 1, 0x10, 2, 0x12, 1, 2,    0};
    for (size_t i = 0; i < sizeof nodes / sizeof *nodes; i++)
        test_bytes_u16(&model->nodes, nodes[i]); /* shape 2 is missing */
    facet_scene *scene = scene_of(model, report);
    assert_non_null(test_finding(report, "LOSS-POINTS"));
    assert_non_null(test_finding(report, "J3D-EVP1-WEIGHTS"));
    assert_non_null(test_finding(report, "J3D-INF1-UNUSED"));
    assert_int_equal(scene->mesh_count, 3);
    assert_int_equal(scene->node_count, 5);
    const float *shares = floats_of(scene->meshes[1], FACET_WEIGHTS, 0);
    static const double scaled[2] = {3 / 3.5, 0.5 / 3.5};
    assert_floats(shares + 4, scaled, 2, 1e-6);
    facet_scene_free(scene);
    facet_report_free(report);
}

/* The inverse bind matrix of the hand, which envelopes blend, is all zero, so the hand is bound
 * in its rest pose. That is a quarter turn about z at (1, 2), like the matrix of test_j3d_small. */
TEST(bind_matrices_that_invert_nothing_are_reported)
{
    facet_report *report;
    facet_error error;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    test_j3d *model = test_j3d_small();
    float expected[12];
    memcpy(expected, model->inverse_bind[2], sizeof expected);
    memset(model->inverse_bind[2], 0, sizeof expected);
    facet_scene *scene = scene_of(model, report);
    assert_int_equal(test_finding(report, "J3D-EVP1-INVERSE")->count, 1);
    assert_non_null(test_finding_saying(report, "J3D-EVP1-INVERSE", "joint 2"));
    const facet_skin *skin = scene->skins[0];
    for (uint32_t i = 0; i < skin->joint_count; i++) {
        for (int k = 0; k < 12 && skin->joints[i] == 2; k++) /* columns of the skin, rows of J3D */
            assert_near((double)skin->inverse_bind[16 * i + 4 * (size_t)(k % 4) + (size_t)(k / 4)],
                        (double)expected[k], 2e-4);
    }
    facet_scene_free(scene);
    facet_report_free(report);
}

TEST(normals_without_direction_are_reported)
{
    static const double xyz[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0}, normals[6] = {0, 0, 0, 0, 0, 1};
    static const uint16_t root = 0, values[6] = {0, 0, 1, 1, 2, 0};
    facet_report *report;
    facet_error error;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    test_j3d *model = test_j3d_new();
    facet_j3d_material material = test_j3d_minimal_material("m");
    test_j3d_add_joint(model, "root", TEST_J3D_NONE);
    test_j3d_add_draw(model, 0, 0);
    test_j3d_add_material(model, &material);
    uint32_t shape = test_j3d_add_shape(model, FACET_J3D_SHAPE_SINGLE, 0, 0);
    test_j3d_add_values(model, FACET_J3D_ARRAY_POSITION, 1, FACET_J3D_F32, 0, xyz, 3);
    test_j3d_add_values(model, FACET_J3D_ARRAY_NORMAL, 0, FACET_J3D_F32, 0, normals, 2);
    test_j3d_add_part(model, shape, FACET_J3D_POSITION, FACET_J3D_INPUT_INDEX16);
    test_j3d_add_part(model, shape, FACET_J3D_NORMAL, FACET_J3D_INPUT_INDEX16);
    test_j3d_add_packet(model, shape, &root, 1);
    test_j3d_draw(model, shape, 0x90, values, 3);
    facet_scene *scene = scene_of(model, report);
    assert_non_null(test_finding_saying(report, "J3D-NORMAL-ZERO", "shape 0 has 2 normals"));
    facet_scene_free(scene);
    facet_report_free(report);
}

/* A value that is infinite or NaN becomes 0, and a finding reports it. */
TEST(values_not_finite_become_zero)
{
    facet_report *report;
    facet_error error;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    test_j3d *model = test_j3d_small();
    model->joints[1].translation[0] = NAN;
    test_bytes_set32(&model->arrays[FACET_J3D_ARRAY_TEXCOORD0 + 1].bytes, 0, 0x7F800000);
    facet_scene *scene = scene_of(model, report);
    assert_non_null(test_finding(report, "J3D-FLOAT"));
    assert_true(scene->nodes[1]->transform.translation[0] == 0);
    assert_true(floats_of(scene->meshes[1], FACET_TEXCOORD, 1)[0] == 0);
    assert_true(floats_of(scene->meshes[1], FACET_TEXCOORD, 1)[1] == 0.75F);
    facet_scene_free(scene);
    facet_report_free(report);
}

/* -- Real files --------------------------------------------------------- */

/* All points of a scene at rest that faces use. */
typedef struct cloud {
    float (*points)[3];
    uint32_t count;
} cloud;

static cloud cloud_of(facet_scene *scene)
{
    facet_pose pose = {0};
    facet_error error;
    cloud c = {NULL, 0};
    if (scene->node_count > 0)
        TEST_OK(facet_scene_pose(scene, FACET_NONE, 0, NULL, &pose, &error), &error);
    uint32_t stands = scene->node_count > 0 ? scene->node_count : scene->mesh_count;
    for (uint32_t i = 0; i < stands; i++) {
        uint32_t number = scene->node_count > 0 ? scene->nodes[i]->mesh : i;
        if (number == FACET_NONE)
            continue;
        const facet_mesh *mesh = scene->meshes[number];
        const facet_stream *positions = &mesh->streams[0];
        float *at = malloc((size_t)positions->count * 12 + 1);
        memcpy(at, positions->data, (size_t)positions->count * 12);
        if (scene->node_count > 0)
            TEST_OK(facet_pose_positions(scene, &pose, i, NULL, at, &error), &error);
        c.points = realloc(c.points, (c.count + mesh->corner_count) * sizeof *c.points);
        for (uint32_t k = 0; k < mesh->corner_count; k++)
            memcpy(c.points[c.count++], at + (size_t)positions->indices[k] * 3, 12);
        free(at);
    }
    facet_pose_free(&pose);
    return c;
}

/* The largest distance from a point of `a` to the nearest one of `b`. */
static double distance(const cloud *a, const cloud *b)
{
    double most = 0;
    for (uint32_t i = 0; i < a->count; i++) {
        float least = INFINITY;
        for (uint32_t k = 0; k < b->count; k++) {
            float x = a->points[i][0] - b->points[k][0], y = a->points[i][1] - b->points[k][1],
                  z = a->points[i][2] - b->points[k][2], square = x * x + y * y + z * z;
            least = square < least ? square : least;
        }
        most = fmax(most, sqrt((double)least));
    }
    return most;
}

static void compare_models(const char *made, const char *source, uint32_t faces, double most)
{
    facet_scene *a = corpus_scene(made), *b = corpus_scene(source);
    cloud points = cloud_of(a), expected = cloud_of(b);
    uint32_t count = 0;
    for (uint32_t i = 0; i < a->mesh_count; i++)
        count += a->meshes[i]->face_count;
    assert_int_equal(count, faces);
    double there = distance(&points, &expected), back = distance(&expected, &points);
    if (there > most || back > most)
        fail_msg("%s is %g and %g away from %s", made, there, back, source);
    free(points.points);
    free(expected.points);
    facet_scene_free(a);
    facet_scene_free(b);
}

/* The skinned character of size 2 and its source: other joint matrices, other weights per draw
 * matrix, the same vertices. */
TEST(greenman_matches_its_gltf_source)
{
    TEST_NEEDS_CORPUS();
    compare_models("j3d/greenman_skinned.bmd", "gltf/greenman.glb", 356, 1e-4);
    compare_models("j3d/greenman_skinned.bdl", "gltf/greenman.glb", 356, 1e-4);
}

/* Positions with 13 fraction bits: half a step and the rounding of a float, in three directions.
 * Quads count twice. */
TEST(fish_matches_its_obj_source)
{
    TEST_NEEDS_CORPUS();
    compare_models("j3d/fish_static.bmd", "obj/fish_control_mesh.obj", 220,
                   0.5 / 8192 * 1.7321 + 1e-6);
}

/* -- Failed allocations, changed bytes ---------------------------------- */

static facet_status attempt(const facet_allocator *allocator, void *user)
{
    facet_options options = {0};
    facet_scene *scene;
    facet_error error;
    options.allocator = allocator;
    facet_status status = load_bytes(user, &options, &scene, &error);
    if (!status)
        facet_scene_free(scene);
    return status;
}

TEST(scene_import_survives_failed_allocations)
{
    test_j3d *model = test_j3d_small();
    test_bytes file = test_j3d_write(model, FACET_J3D_BDL4);
    test_j3d_free(model);
    test_every_allocation(attempt, &file);
    test_bytes_free(&file);
}

static void attempt_bytes(const uint8_t *data, size_t size, void *user)
{
    test_bytes file = {(uint8_t *)(uintptr_t)data, size, size};
    facet_scene *scene;
    facet_error error;
    (void)user;
    if (load_bytes(&file, NULL, &scene, &error) == FACET_OK) {
        TEST_OK(facet_scene_check(scene, NULL, &error), &error);
        facet_scene_free(scene);
    }
}

TEST(scene_import_survives_every_mutation)
{
    test_j3d *model = test_j3d_small();
    test_bytes file = test_j3d_write(model, FACET_J3D_BMD3);
    test_j3d_free(model);
    test_every_mutation(file.data, test_j3d_section(&file, "MAT3"), attempt_bytes, NULL);
    /* Some changes before MAT3 matter only if the materials follow. */
    for (size_t at = 32; at < test_j3d_section(&file, "MAT3"); at++) {
        for (int bit = 0; bit < 9; bit++) {
            uint8_t kept = file.data[at];
            file.data[at] = (uint8_t)(bit < 8 ? kept ^ 1 << bit : 0xFF);
            attempt_bytes(file.data, file.size, NULL);
            file.data[at] = kept;
        }
    }
    test_bytes_free(&file);
}
