/* formats/j3d/test_j3d_like_layouts.c - save like an original: vertices that other programs see
 * only in part, such as those without texture coordinates or with tangents. */
#include "scene/scene.h"
#include "support/j3d_like.h"
#include "support/j3d_make.h"
#include "support/support.h"

#include <facet/j3d.h>
#include <facet/j3d_animation.h>
#include <string.h>

/* -- A model of two triangles ------------------------------------------- */

typedef enum tangents {
    NO_NORMALS,
    PLAIN_NORMALS,
    NINE_NUMBERS,  /* normal, binormal and tangent in one element */
    THREE_INDICES, /* the same with an index each */
    OWN_ARRAY,     /* in the array and attribute NBT */
} tangents;

typedef struct layout {
    tangents tangents;
    bool has_texcoords;
    unsigned input;
    float root_scale;
    uint32_t shapes;
    bool is_turned;  /* the root is turned and moved, and the second shape is on a second joint */
    bool is_skinned; /* shapes are on both joints, which are far apart */
} layout;

static const layout usual = {PLAIN_NORMALS, true, FACET_J3D_INPUT_INDEX16, 1, 1, false, false};

static void add_shape(test_j3d *model, const layout *how, uint32_t number)
{
    uint16_t matrix = how->is_turned ? (uint16_t)number : 0, all[3] = {0, 1, 2};
    unsigned type = how->is_skinned ? FACET_J3D_SHAPE_MULTI : FACET_J3D_SHAPE_SINGLE;
    static const uint8_t texels[32] = {0xF0, 0x0F};
    static const char *const materials[] = {"mat0", "mat1"}, *const images[] = {"tex0", "tex1"};
    facet_j3d_material look = test_j3d_textured_material(materials[number], number);
    test_j3d_add_texture(model, images[number], FACET_GX_I4, 8, 8, texels, sizeof texels);
    test_j3d_add_material(model, &look);
    uint32_t shape = test_j3d_add_shape(model, type, number, matrix);
    if (how->is_skinned)
        test_j3d_add_part(model, shape, FACET_J3D_POSITION_MATRIX, FACET_J3D_INPUT_DIRECT);
    test_j3d_add_part(model, shape, FACET_J3D_POSITION, how->input);
    if (how->tangents != NO_NORMALS)
        test_j3d_add_part(model, shape,
                          how->tangents == OWN_ARRAY ? FACET_J3D_NBT : FACET_J3D_NORMAL,
                          how->input);
    if (how->has_texcoords)
        test_j3d_add_part(model, shape, FACET_J3D_TEXCOORD0, how->input);
    test_j3d_add_packet(model, shape, how->is_skinned ? all : &matrix, how->is_skinned ? 3 : 1);
    uint16_t values[4 * 6];
    uint32_t count = 0;
    for (uint32_t v = 0; v < 4; v++) {
        if (how->is_skinned)
            values[count++] = v < 2 ? 0 : (uint16_t)(3 * v - 3);
        values[count++] = (uint16_t)(number * 4 + v);
        for (int i = 0; i < (how->tangents == THREE_INDICES ? 3 : how->tangents != NO_NORMALS); i++)
            values[count++] = (uint16_t)i;
        if (how->has_texcoords)
            values[count++] = (uint16_t)v;
    }
    test_j3d_draw(model, shape, 0x98, values, 4);
}

/* An envelope of both joints, bound at rest. */
static void bind_both(test_j3d *model)
{
    static const uint16_t joints[2] = {0, 1};
    static const float weights[2] = {0.5F, 0.5F};
    test_j3d_add_envelope(model, joints, weights, 2);
    test_j3d_add_draw(model, 1, 0);
    for (int k = 0; k < 3; k++) {
        float root = model->joints[0].translation[k];
        model->inverse_bind[0][k * 4 + 3] = -root;
        model->inverse_bind[1][k * 4 + 3] = -root - model->joints[1].translation[k];
    }
}

static test_bytes make(const layout *how)
{
    static const double places[4][3] = {{0, 0, 0}, {10, 0, 0}, {0, 10, 0}, {10, 10, 0}};
    static const double texcoords[4 * 2] = {0, 0, 1, 0, 0, 1, 1, 1};
    static const double frame[9] = {0, 0, 1, 0, 1, 0, 1, 0, 0};
    test_j3d *model = test_j3d_new();
    test_j3d_add_joint(model, "root", TEST_J3D_NONE);
    for (int i = 0; i < 3; i++)
        model->joints[0].scale[i] = how->root_scale;
    test_j3d_add_draw(model, 0, 0);
    if (how->is_turned || how->is_skinned) {
        const float moves[2][3] = {{3, 4, 5}, {7, how->is_skinned ? 7000 : 0, 0}};
        test_j3d_add_joint(model, "tip", 0);
        test_j3d_add_draw(model, 0, 1);
        if (how->is_turned)
            model->joints[0].rotation[2] = 0x2000; /* 45 degrees */
        for (int k = 0; k < 2; k++)
            memcpy(model->joints[k].translation, moves[k], sizeof moves[k]);
        if (how->is_skinned)
            bind_both(model);
    }
    for (uint32_t s = 0; s < how->shapes; s++) {
        for (int v = 0; v < 4; v++) {
            double place[3] = {places[v][0] + 20.0 * s, places[v][1], places[v][2]};
            test_j3d_add_values(model, FACET_J3D_ARRAY_POSITION, 1, FACET_J3D_F32, 0, place, 1);
        }
    }
    if (how->tangents == THREE_INDICES)
        test_j3d_add_values(model, FACET_J3D_ARRAY_NORMAL, 2, FACET_J3D_F32, 0, frame, 3);
    else if (how->tangents != NO_NORMALS)
        test_j3d_add_values(
            model, how->tangents == OWN_ARRAY ? FACET_J3D_ARRAY_NBT : FACET_J3D_ARRAY_NORMAL,
            how->tangents != PLAIN_NORMALS, FACET_J3D_F32, 0, frame, 1);
    if (how->has_texcoords)
        test_j3d_add_values(model, FACET_J3D_ARRAY_TEXCOORD0, 1, FACET_J3D_F32, 0, texcoords, 4);
    for (uint32_t s = 0; s < how->shapes; s++)
        add_shape(model, how, s);
    test_bytes bytes = test_j3d_write(model, FACET_J3D_BMD3);
    test_j3d_free(model);
    return test_like_bdl(bytes);
}

static void assert_kept(const layout *how)
{
    test_bytes original = make(how);
    facet_report *report = NULL;
    facet_error error;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    facet_scene *scene = test_like_through_glb(&original);
    test_bytes made = test_like_save(scene, &original, "bdl", report);
    assert_null(test_finding(report, "J3D-LIKE-BONE-PLACE"));
    assert_null(test_finding(report, "J3D-LIKE-MATERIAL"));
    test_like_assert_same(&made, &original);
    facet_report_free(report);
    test_bytes_free(&made);
    test_bytes_free(&original);
}

/* -- Nothing edited ----------------------------------------------------- */

/* glTF has a copy of the material without a map for a mesh without texture coordinates. */
TEST(map_without_texture_coordinates_is_no_edit)
{
    for (tangents kind = NO_NORMALS; kind <= OWN_ARRAY; kind++) {
        layout how = usual;
        how.tangents = kind;
        assert_kept(&how);
        how.has_texcoords = false;
        assert_kept(&how);
    }
}

/* The scale of a root joint does not express a unit. */
TEST(scaled_root_joint_is_no_edit)
{
    static const float scales[] = {0.5F, 0.01F, 100, 1.25F};
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
        layout how = usual;
        how.root_scale = scales[i];
        assert_kept(&how);
        test_bytes original = make(&how);
        facet_scene *scene = test_like_through_glb(&original);
        test_bytes made = test_like_save(scene, NULL, "bdl", NULL);
        facet_j3d *document = test_like_read(&made);
        assert_true(document->joints.items[0].scale[1] == scales[i]);
        facet_j3d_free(document);
        test_bytes_free(&made);
        test_bytes_free(&original);
    }
}

/* The root of the model has the scale 0.5. In its BCK, the tip moves from 7 to 9 units, as in the
 * GLB: there from 0.07 to 0.09 meters. */
TEST(animation_below_a_scaled_root_keeps_its_lengths)
{
    static const float times[2] = {0, 1}, places[6] = {0.07F, 0, 0, 0.09F, 0, 0};
    layout how = usual;
    how.shapes = 2;
    how.is_turned = true;
    how.root_scale = 0.5F;
    test_bytes original = make(&how);
    facet_scene *scene = test_like_through_glb(&original);
    test_like_drop_extras(scene);
    facet_source like = *TEST_SOURCE(original.data, original.size);
    facet_j3d_options j3d = {.like = &like};
    facet_options options = {.j3d = &j3d};
    facet_animation *animation = NULL;
    facet_j3d_animation *document = NULL;
    facet_error error;
    TEST_OK(facet_scene_add_animation(scene, "walk", 1, &animation, &error), &error);
    facet_channel *channel = &animation->channels[0];
    for (uint32_t i = 0; i < scene->node_count; i++) {
        if (strcmp(scene->nodes[i]->name, "tip") == 0)
            channel->node = i;
    }
    channel->target = FACET_TARGET_TRANSLATION;
    channel->interpolation = FACET_INTERPOLATION_LINEAR;
    channel->width = 3;
    channel->key_count = 2;
    channel->times = facet_scene_allocate(scene, 2, sizeof *times);
    channel->values = facet_scene_allocate(scene, 6, sizeof *places);
    memcpy(channel->times, times, sizeof times);
    memcpy(channel->values, places, sizeof places);
    TEST_OK(facet_j3d_animation_from_scene(scene, FACET_J3D_BCK, &options, &document, &error),
            &error);
    for (int frame = 0; frame <= 30; frame += 30) {
        facet_j3d_joint_pose poses[2];
        facet_j3d_moment moment = {.frame = frame};
        assert_int_equal(document->sets[0].count, 2);
        facet_j3d_animation_joints(document, &moment, poses);
        assert_float_equal(poses[1].translation[0], 7 + (float)frame / 15, 0.02F);
    }
    facet_j3d_animation_free(document);
    facet_scene_free(scene);
    test_bytes_free(&original);
}

/* A scene without nodes, such as that of an OBJ file, has vertices in the world. They are not moved
 * by the joints again, whether meshes or only materials name the shapes. */
TEST(scene_without_nodes_is_no_edit)
{
    layout how = usual;
    how.shapes = 2;
    how.is_turned = true;
    for (int named = 0; named < 2; named++) {
        test_bytes original = make(&how);
        facet_scene *scene = test_like_load(original.data, original.size, "bdl");
        facet_error error;
        TEST_OK(facet_prepare(scene, facet_format_named("obj"), NULL, NULL, NULL, &error), &error);
        assert_int_equal(scene->node_count, 0);
        for (uint32_t i = 0; i < scene->mesh_count && !named; i++)
            scene->meshes[i]->name = "part";
        test_bytes made = test_like_save(scene, &original, "bdl", NULL);
        test_like_assert_same(&made, &original);
        test_bytes_free(&made);
        test_bytes_free(&original);
    }
}

/* Lay a mesh on its back, a hundred times as large, as in an FBX from Blender. The inverse bind
 * matrices of its skin get the inverse. */
static void lay_down(facet_scene *scene)
{
    facet_mesh *mesh = test_like_mesh(scene, "shape0");
    for (int k = 0; k < 2; k++) {
        facet_stream *stream = facet_mesh_find(mesh, k ? FACET_NORMAL : FACET_POSITION, 0);
        float *p = stream->data, size = k ? 1 : 100;
        for (uint32_t v = 0; v < stream->count; v++, p += 3) {
            float y = p[1];
            p[0] *= size;
            p[1] = -p[2] * size;
            p[2] = y * size;
        }
    }
    for (uint32_t j = 0; scene->skin_count > 0 && j < scene->skins[0]->joint_count; j++) {
        float *m = scene->skins[0]->inverse_bind + (size_t)j * 16;
        for (int r = 0; r < 4; r++) { /* columns y and z swap, one of them with a sign */
            float y = m[4 + r] / 100;
            m[r] /= 100;
            m[4 + r] = -m[8 + r] / 100;
            m[8 + r] = y;
        }
    }
}

/* Rounding errors of joints far from the origin do not hide that all have one change: here 4
 * hundredths of a millimeter of 70 meters. */
TEST(lying_skin_with_far_joints_is_kept)
{
    layout how = usual;
    how.is_skinned = true;
    test_bytes original = make(&how);
    facet_scene *scene = test_like_through_glb(&original);
    assert_int_equal(scene->skin_count, 1);
    lay_down(scene);
    for (uint32_t i = 0; i < scene->node_count; i++) {
        if (strcmp(scene->nodes[i]->name, "tip") == 0)
            scene->nodes[i]->transform.translation[1] += 4e-5F;
    }
    test_bytes made = test_like_save(scene, &original, "bdl", NULL);
    test_like_assert_same(&made, &original);
    test_bytes_free(&made);
    test_bytes_free(&original);
}

/* Blender turns the axes of nodes in FBX and COLLADA, and turns the vertices back. */
TEST(turned_axes_of_all_nodes_are_not_an_edit)
{
    layout how = usual;
    test_bytes original = make(&how);
    facet_report *report = NULL;
    facet_error error;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    facet_scene *scene = test_like_through_glb(&original);
    lay_down(scene);
    facet_node *root = test_like_node(scene, "root");
    root->transform.rotation[0] = -0.70710678F;
    root->transform.rotation[3] = 0.70710678F;
    for (int i = 0; i < 3; i++)
        root->transform.scale[i] = 0.01F;
    test_bytes made = test_like_save(scene, &original, "bdl", report);
    assert_null(test_finding(report, "J3D-LIKE-BONE-PLACE"));
    test_like_assert_same(&made, &original);
    facet_report_free(report);
    test_bytes_free(&made);
    test_bytes_free(&original);
}

/* The same scene in meters is a hundredth as large, which a format without units cannot say. */
TEST(scene_without_units_of_another_size_is_reported)
{
    test_bytes original = make(&usual);
    for (int i = 0; i < 2; i++) {
        facet_scene *scene = test_like_load(original.data, original.size, "bdl");
        facet_report *report = NULL;
        facet_error error;
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        TEST_OK(facet_prepare(scene, facet_format_named("obj"), NULL, NULL, NULL, &error), &error);
        facet_stream *positions = facet_mesh_find(scene->meshes[0], FACET_POSITION, 0);
        for (size_t k = 0; k < (size_t)positions->count * 3 && i == 1; k++)
            ((float *)positions->data)[k] /= 100;
        test_bytes made = test_like_save(scene, &original, "bdl", report);
        const facet_finding *found = test_finding(report, "J3D-LIKE-SIZE");
        assert_int_equal(found != NULL, i == 1);
        assert_true(!found || strstr(found->message, "--scale 100 "));
        facet_report_free(report);
        test_bytes_free(&made);
    }
    test_bytes_free(&original);
}

/* -- Edits -------------------------------------------------------------- */

/* A changed shape keeps normals with tangents, and their attribute. Those with three indices are
 * lost with a warning. */
TEST(changed_shape_keeps_tangents)
{
    static const uint32_t attributes[] = {[NINE_NUMBERS] = FACET_J3D_NORMAL,
                                          [THREE_INDICES] = FACET_J3D_TEXCOORD0,
                                          [OWN_ARRAY] = FACET_J3D_NBT};
    for (tangents kind = NINE_NUMBERS; kind <= OWN_ARRAY; kind++) {
        for (int edit = 0; edit < 2; edit++) {
            layout how = usual;
            how.tangents = kind;
            test_bytes original = make(&how);
            facet_report *report = NULL;
            facet_error error;
            TEST_OK(facet_report_create(NULL, &report, &error), &error);
            facet_scene *scene = test_like_through_glb(&original);
            facet_mesh *mesh = test_like_mesh(scene, "shape0");
            facet_stream *stream =
                facet_mesh_find(mesh, edit == 0 ? FACET_POSITION : FACET_NORMAL, 0);
            float *values = stream->data;
            for (uint32_t v = 0; v < (edit == 0 ? 1 : stream->count); v++) {
                values[v * 3] = edit == 0 ? -0.05F : 1; /* 5 units in meters; along x */
                values[v * 3 + 2] = 0;
            }
            test_bytes made = test_like_save(scene, &original, "bdl", report);
            test_like_assert_clean(&made);
            facet_j3d *document = test_like_read(&made);
            assert_int_equal(document->shapes.descriptors[1].attribute, attributes[kind]);
            assert_int_equal(test_finding(report, "J3D-LIKE-TANGENTS") != NULL,
                             edit == 1 || kind == THREE_INDICES);
            facet_j3d_free(document);
            facet_report_free(report);
            test_bytes_free(&made);
            test_bytes_free(&original);
        }
    }
}

/* A shape with other attributes than before leaves no list behind, which would be taken for
 * padding. */
TEST(changed_shape_leaves_no_attributes_behind)
{
    layout how = usual;
    how.input = FACET_J3D_INPUT_INDEX8;
    how.shapes = 2;
    for (int i = 0; i < 2; i++) {
        test_bytes original = make(&how);
        facet_scene *scene = test_like_through_glb(&original);
        for (int k = 0; k <= i; k++) {
            facet_mesh *mesh = test_like_mesh(scene, k == 0 ? "shape1" : "shape0");
            ((float *)facet_mesh_find(mesh, FACET_POSITION, 0)->data)[2] += 0.05F;
        }
        test_bytes made = test_like_save(scene, &original, "bdl", NULL);
        test_like_assert_clean(&made);
        facet_j3d *document = test_like_read(&made);
        /* lists of three attributes and an end: one byte each, or two, and now both or one */
        assert_int_equal(document->shapes.descriptor_count, i == 0 ? 8 : 4);
        facet_j3d_free(document);
        test_bytes_free(&made);
        test_bytes_free(&original);
    }
}

/* INF1 counts the positions that shapes draw: four of the first, and one of the hidden one. */
TEST(hidden_shape_is_not_counted)
{
    layout how = usual;
    how.shapes = 2;
    test_bytes original = make(&how);
    facet_scene *scene = test_like_through_glb(&original);
    for (uint32_t i = 0; i < scene->node_count; i++) {
        if (strcmp(scene->nodes[i]->name, "shape1_mat1") == 0)
            scene->nodes[i]->mesh = FACET_NONE;
    }
    test_bytes made = test_like_save(scene, &original, "bdl", NULL);
    test_like_assert_clean(&made);
    facet_j3d *before = test_like_read(&original), *after = test_like_read(&made);
    assert_int_equal(before->hierarchy.vertex_count, 8);
    assert_int_equal(after->hierarchy.vertex_count, 5);
    facet_j3d_free(before);
    facet_j3d_free(after);
    test_bytes_free(&made);
    test_bytes_free(&original);
}

/* A skin that no mesh uses any more says nothing about its bones. */
TEST(bones_of_an_unused_skin_are_not_moved)
{
    layout how = usual;
    how.is_turned = how.is_skinned = true;
    test_bytes original = make(&how);
    facet_report *report = NULL;
    facet_error error;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    facet_scene *scene = test_like_through_glb(&original);
    assert_int_equal(scene->skin_count, 1);
    for (uint32_t i = 0; i < scene->node_count; i++)
        scene->nodes[i]->skin = FACET_NONE;
    test_bytes made = test_like_save(scene, &original, "bdl", report);
    assert_null(test_finding(report, "J3D-LIKE-BONE-PLACE"));
    facet_report_free(report);
    test_bytes_free(&made);
    test_bytes_free(&original);
}

/* The only joint has another name, which no skin and no child shows to be the same joint. */
TEST(joint_that_lost_its_name_is_reported)
{
    test_bytes original = make(&usual);
    facet_report *report = NULL;
    facet_error error;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    facet_scene *scene = test_like_through_glb(&original);
    test_like_node(scene, "root")->name = "base";
    test_bytes made = test_like_save(scene, &original, "bdl", report);
    assert_non_null(test_finding(report, "J3D-LIKE-BONE-GONE"));
    test_like_assert_same(&made, &original);
    facet_report_free(report);
    test_bytes_free(&made);
    test_bytes_free(&original);
}
