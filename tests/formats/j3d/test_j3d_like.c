/* Tests of models that are written like an original: what the scene does not change stays the
 * same. */
#include "formats/j3d/format.h"
#include "scene/scene.h"
#include "support/gltf.h"
#include "support/j3d_character.h"
#include "support/mesh.h"
#include "support/support.h"

#include <facet/convert.h>
#include <facet/image.h>
#include <facet/j3d.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const test_j3d_kind_of_character floats = {FACET_J3D_F32, 0}, shorts = {FACET_J3D_S16, 6};

/* -- Round trips -------------------------------------------------------- */

static test_bytes make_character(const test_j3d_kind_of_character *kind, facet_j3d_kind file)
{
    test_j3d *model = test_j3d_character(kind);
    test_bytes bytes = test_j3d_write(model, FACET_J3D_BMD3);
    test_j3d_free(model);
    if (file == FACET_J3D_BMD3)
        return bytes;
    facet_error error;
    facet_output *output = NULL;
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(facet_copy(TEST_SOURCE(bytes.data, bytes.size), facet_format_named("bdl"), NULL, output,
                       &error),
            &error);
    TEST_OK(facet_output_commit(output, &error), &error);
    test_bytes made = {0};
    test_bytes_put(&made, facet_output_data(output), (size_t)facet_output_size(output));
    facet_output_free(output);
    test_bytes_free(&bytes);
    return made;
}

static facet_scene *load(const void *data, size_t size, const char *format)
{
    facet_error error;
    facet_scene *scene = NULL;
    facet_load_options how = {.images = true};
    TEST_OK(
        facet_load(TEST_SOURCE(data, size), facet_format_named(format), &how, NULL, &scene, &error),
        &error);
    return scene;
}

/* Convert a model to GLB and load it, as another program would. */
static facet_scene *through_glb(const test_bytes *model)
{
    facet_error error;
    facet_output *output = NULL;
    facet_scene *scene = load(model->data, model->size, "bdl");
    TEST_OK(facet_prepare(scene, facet_format_named("glb"), NULL, NULL, NULL, &error), &error);
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(facet_save(scene, facet_format_named("glb"), NULL, output, &error), &error);
    TEST_OK(facet_output_commit(output, &error), &error);
    facet_scene_free(scene);
    scene = load(facet_output_data(output), (size_t)facet_output_size(output), "glb");
    facet_output_free(output);
    return scene;
}

/* Save the scene like `original`, or without an original if it is NULL. */
static test_bytes save_like(facet_scene *scene, const test_bytes *original, const char *format,
                            facet_report *report)
{
    facet_error error;
    facet_output *output = NULL;
    facet_source like = {0};
    if (original)
        like = *TEST_SOURCE(original->data, original->size);
    facet_j3d_options j3d = {.like = original ? &like : NULL};
    facet_options options = {.j3d = &j3d, .report = report};
    TEST_OK(facet_prepare(scene, facet_format_named(format), NULL, NULL, NULL, &error), &error);
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(facet_save(scene, facet_format_named(format), &options, output, &error), &error);
    TEST_OK(facet_output_commit(output, &error), &error);
    test_bytes made = {0};
    test_bytes_put(&made, facet_output_data(output), (size_t)facet_output_size(output));
    facet_output_free(output);
    facet_scene_free(scene);
    return made;
}

static void assert_same(const test_bytes *a, const test_bytes *b)
{
    assert_int_equal(a->size, b->size);
    for (size_t i = 0; i < a->size; i++) {
        if (a->data[i] != b->data[i])
            fail_msg("byte %zu is %02X, not %02X", i, a->data[i], b->data[i]);
    }
}

static facet_j3d *read_model(const test_bytes *bytes)
{
    facet_error error;
    facet_j3d *document = NULL;
    TEST_OK(facet_j3d_read(TEST_SOURCE(bytes->data, bytes->size), NULL, &document, &error), &error);
    return document;
}

static void assert_clean(const test_bytes *bytes)
{
    facet_error error;
    facet_report *report = NULL;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    TEST_OK(facet_j3d_check(TEST_SOURCE(bytes->data, bytes->size), NULL, report, &error), &error);
    for (size_t i = 0; i < facet_report_count(report); i++) {
        const facet_finding *finding = facet_report_get(report, i);
        if (finding->severity == FACET_SEVERITY_ERROR)
            fail_msg("%s %s", finding->rule, finding->message);
    }
    facet_report_free(report);
}

/* Expect equal bytes of a section. */
static void assert_same_section(const test_bytes *a, const test_bytes *b, const char *magic)
{
    size_t at = test_j3d_section(a, magic), there = test_j3d_section(b, magic);
    assert_true(at != SIZE_MAX && there != SIZE_MAX);
    size_t size = (size_t)a->data[at + 5] << 16 | (size_t)a->data[at + 6] << 8 | a->data[at + 7];
    assert_memory_equal(a->data + at, b->data + there, size);
}

/* Expect that the display lists of all shapes except one are equal, byte for byte. */
static void assert_same_shapes_but(const facet_j3d *a, const facet_j3d *b, uint32_t shape)
{
    for (uint32_t i = 0; i < a->shapes.count; i++) {
        const facet_j3d_shape *x = &a->shapes.items[i], *y = &b->shapes.items[i];
        if (i == shape)
            continue;
        assert_int_equal(x->packet_count, y->packet_count);
        assert_int_equal(x->type, y->type);
        assert_memory_equal(x->minimum, y->minimum, sizeof x->minimum);
        for (uint32_t k = 0; k < x->packet_count; k++) {
            const facet_j3d_display_list *one = &a->shapes.display_lists[x->first_display_list + k],
                                         *two = &b->shapes.display_lists[y->first_display_list + k];
            assert_int_equal(one->size, two->size);
            assert_memory_equal(one->bytes, two->bytes, one->size);
        }
    }
    for (int i = 0; i < FACET_J3D_ARRAY_COUNT; i++) {
        const facet_j3d_array *x = &a->vertices.arrays[i], *y = &b->vertices.arrays[i];
        if (!x->bytes)
            continue;
        assert_int_equal(x->format->component, y->format->component);
        assert_int_equal(x->format->fraction_bits, y->format->fraction_bits);
        assert_true(y->count >= x->count);
        assert_memory_equal(x->bytes, y->bytes, (size_t)x->count * x->stride);
    }
}

/* -- Nothing edited ----------------------------------------------------- */

/* The character has the counts that its header documents. */
TEST(character_has_the_documented_counts)
{
    test_bytes bytes = make_character(&floats, FACET_J3D_BDL4);
    facet_j3d *document = read_model(&bytes);
    assert_clean(&bytes);
    assert_int_equal(document->joints.count, 12);
    assert_int_equal(document->shapes.count, 5);
    assert_int_equal(document->textures.count, 7);
    assert_int_equal(document->materials.slot_count, 5);
    assert_string_equal(document->textures.names.items[1].bytes, "eye");
    assert_string_equal(document->textures.names.items[2].bytes, "eye");
    facet_j3d_free(document);
    test_bytes_free(&bytes);
}

/* A conversion to GLB and back gives the same file. */
TEST(unedited_model_comes_back_unchanged)
{
    const test_j3d_kind_of_character *kinds[] = {&floats, &shorts};
    for (int i = 0; i < 2; i++) {
        test_bytes original = make_character(kinds[i], FACET_J3D_BDL4);
        test_bytes made = save_like(through_glb(&original), &original, "bdl", NULL);
        assert_same(&original, &made);
        test_bytes_free(&made);
        /* The BMD equals the original without its packets. */
        made = save_like(through_glb(&original), &original, "bmd", NULL);
        assert_same_section(&original, &made, "VTX1");
        assert_same_section(&original, &made, "SHP1");
        assert_same_section(&original, &made, "MAT3");
        assert_same_section(&original, &made, "TEX1");
        assert_int_equal(test_j3d_section(&made, "MDL3"), SIZE_MAX);
        test_bytes_free(&made);
        test_bytes_free(&original);
    }
}

/* With the scaling of Softimage the scale of a joint applies after the rotation of its children.
 * The arm of scale (1, 2, 1) shears its hand, which is rotated about x. glTF nodes cannot be
 * sheared, so the GLB has no shear. The joints are still restored, with the original and
 * without. */
TEST(sheared_joints_keep_their_transforms)
{
    test_bytes plain = make_character(&floats, FACET_J3D_BDL4), original = {0};
    facet_j3d *before = read_model(&plain);
    facet_output *output = NULL;
    facet_error error;
    before->hierarchy.flags = FACET_J3D_SCALING_SOFTIMAGE;
    assert_int_not_equal(before->joints.items[9].rotation[0], 0);
    assert_int_equal(before->joints.items[9].parent, 8);
    before->joints.items[8].scale[1] = 2;
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(facet_j3d_write(before, NULL, output, &error), &error);
    TEST_OK(facet_output_commit(output, &error), &error);
    test_bytes_put(&original, facet_output_data(output), (size_t)facet_output_size(output));
    facet_report *report;
    facet_scene *sheared;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    facet_options options = {.report = report};
    TEST_OK(facet_load(TEST_SOURCE(original.data, original.size), NULL, NULL, &options, &sheared,
                       &error),
            &error);
    assert_true(sheared->nodes[9]->has_matrix);
    assert_non_null(test_finding_saying(report, "J3D-JOINT-MATRIX", "joint 9 is sheared"));
    facet_report_free(report);
    facet_scene_free(sheared);
    /* The description of the file names the joint that is sheared. */
    facet_description *said = NULL;
    TEST_OK(facet_describe(TEST_SOURCE(original.data, original.size), NULL, NULL, &said, &error),
            &error);
    const facet_tree *joint = facet_tree_find(said->detail, "joints")->first;
    for (int i = 0; i < 9; i++) {
        const facet_tree *otherwise = facet_tree_find(joint, "shown_otherwise");
        assert_true(!otherwise || !strstr(otherwise->string, "sheared"));
        joint = joint->next;
    }
    assert_non_null(strstr(facet_tree_find(joint, "shown_otherwise")->string, "sheared"));
    facet_description_free(said);
    for (int way = 0; way < 2; way++) {
        facet_scene *scene = through_glb(&original);
        for (uint32_t i = 0; i < scene->node_count; i++)
            assert_false(scene->nodes[i]->has_matrix);
        test_bytes made = save_like(scene, way ? &original : NULL, "bdl", NULL);
        facet_j3d *after = read_model(&made);
        assert_int_equal(after->hierarchy.flags, FACET_J3D_SCALING_SOFTIMAGE);
        assert_int_equal(after->joints.count, before->joints.count);
        for (uint32_t j = 0; j < before->joints.count; j++) {
            const facet_j3d_joint *x = &before->joints.items[j], *y = &after->joints.items[j];
            assert_memory_equal(x->scale, y->scale, sizeof x->scale);
            assert_memory_equal(x->rotation, y->rotation, sizeof x->rotation);
            assert_memory_equal(x->translation, y->translation, sizeof x->translation);
        }
        facet_j3d_free(after);
        test_bytes_free(&made);
    }
    facet_output_free(output);
    facet_j3d_free(before);
    test_bytes_free(&original);
    test_bytes_free(&plain);
}

/* A scene scaled by 0.01 or 3 gives the same file: skinned shapes and shapes on a joint. */
TEST(scaled_scene_returns_the_same_file)
{
    static const float factors[] = {0.01F, 3};
    for (int i = 0; i < 2; i++) {
        test_bytes original = make_character(&floats, FACET_J3D_BDL4);
        facet_scene *scene = through_glb(&original);
        facet_report *report = NULL;
        facet_error error;
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        facet_scene_scale(scene, factors[i]);
        test_bytes made = save_like(scene, &original, "bdl", report);
        assert_non_null(test_finding(report, "J3D-LIKE-SCALE"));
        assert_same(&original, &made);
        facet_report_free(report);
        test_bytes_free(&made);
        test_bytes_free(&original);
    }
}

/* A triangle with sides of 0.0002, 26 away from the origin. A float has a precision of 0.000002
 * there: a hundredth of the side, not a fifty-thousandth. */
TEST(small_and_far)
{
    static const float corners[9] = {22.36F, 13.305F, 0.743F,   22.3602F, 13.305F,
                                     0.743F, 22.36F,  13.3052F, 0.743F};
    facet_error error;
    facet_scene *scene = test_scene();
    facet_mesh *mesh = test_mesh(scene, 1, NULL);
    assert_true(test_stream(scene, mesh, FACET_POSITION, 3, 3, corners, NULL));
    test_bytes original = save_like(scene, NULL, "bmd", NULL);
    facet_report *report = NULL;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    test_bytes made = save_like(through_glb(&original), &original, "bmd", report);
    assert_null(test_finding(report, "J3D-LIKE-SHAPE"));
    assert_same(&original, &made);
    facet_report_free(report);
    test_bytes_free(&made);
    test_bytes_free(&original);
}

static void drop_extras(facet_scene *scene)
{
    scene->extras = NULL;
    scene->gx_file = NULL;
    for (uint32_t i = 0; i < scene->node_count; i++)
        scene->nodes[i]->extras = NULL, scene->nodes[i]->gx_file = NULL;
    for (uint32_t i = 0; i < scene->mesh_count; i++)
        scene->meshes[i]->extras = NULL, scene->meshes[i]->gx_file = NULL;
    for (uint32_t i = 0; i < scene->material_count; i++) {
        scene->materials[i]->extras = NULL;
        scene->materials[i]->gx_file = NULL;
    }
    for (uint32_t i = 0; i < scene->image_count; i++)
        scene->images[i]->extras = NULL;
}

/* Changes that Blender makes to a scene: unused images are removed, names get numbers, the order
 * differs, extras are missing. */
TEST(as_other_programs_leave_it)
{
    test_bytes original = make_character(&floats, FACET_J3D_BDL4);
    facet_scene *scene = through_glb(&original);
    drop_extras(scene);
    uint32_t arms = 0, kept = 0;
    for (uint32_t i = 0; i < scene->node_count; i++) {
        if (strcmp(scene->nodes[i]->name, "arm") == 0 && arms++ == 1)
            scene->nodes[i]->name = "arm.001";
    }
    assert_int_equal(arms, 2);
    /* Reverse the order of the materials. */
    for (uint32_t i = 0; i < scene->material_count / 2; i++) {
        facet_material *one = scene->materials[i];
        scene->materials[i] = scene->materials[scene->material_count - 1 - i];
        scene->materials[scene->material_count - 1 - i] = one;
    }
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        for (uint32_t f = 0; f < scene->meshes[i]->face_count; f++)
            scene->meshes[i]->face_materials[f] =
                scene->material_count - 1 - scene->meshes[i]->face_materials[f];
    }
    /* Remove images that no material uses. */
    uint32_t *number = calloc(scene->image_count, sizeof *number);
    bool *shown = calloc(scene->image_count, sizeof *shown);
    for (uint32_t m = 0; m < scene->material_count; m++) {
        facet_texture *t = scene->materials[m]->maps[FACET_MAP_DIFFUSE];
        if (t && t->has_image)
            shown[t->image] = true;
    }
    for (uint32_t i = 0; i < scene->image_count; i++) {
        number[i] = kept;
        if (shown[i])
            scene->images[kept++] = scene->images[i];
    }
    assert_true(kept < scene->image_count);
    scene->image_count = kept;
    for (uint32_t m = 0; m < scene->material_count; m++) {
        facet_texture *t = scene->materials[m]->maps[FACET_MAP_DIFFUSE];
        if (t && t->has_image)
            t->image = number[t->image];
    }
    test_bytes made = save_like(scene, &original, "bdl", NULL);
    assert_same(&original, &made);
    free(number);
    free(shown);
    test_bytes_free(&made);
    test_bytes_free(&original);
}

/* The rest pose of Blender is the bind pose of the model: other node transforms change nothing. */
TEST(bound_is_rest)
{
    test_bytes original = make_character(&floats, FACET_J3D_BDL4);
    facet_scene *scene = through_glb(&original);
    drop_extras(scene);
    for (uint32_t i = 0; i < scene->node_count; i++) {
        static const float none[4] = {0, 0, 0, 1};
        if (scene->nodes[i]->mesh != FACET_NONE)
            continue;
        memcpy(scene->nodes[i]->transform.rotation, none, sizeof none);
        for (int k = 0; k < 3; k++)
            scene->nodes[i]->transform.scale[k] = 1;
    }
    test_bytes made = save_like(scene, &original, "bdl", NULL);
    assert_same(&original, &made);
    test_bytes_free(&made);
    test_bytes_free(&original);
}

/* -- One thing edited --------------------------------------------------- */

static facet_mesh *mesh_of(facet_scene *scene, const char *name)
{
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        if (strncmp(scene->meshes[i]->name, name, strlen(name)) == 0)
            return scene->meshes[i];
    }
    fail_msg("there is no mesh %s", name);
    return NULL;
}

/* A moved vertex changes only its shape, and the other vertices of the shape keep their
 * elements. */
TEST(moved_vertex_changes_only_its_shape)
{
    const test_j3d_kind_of_character *kinds[] = {&floats, &shorts};
    for (int i = 0; i < 2; i++) {
        test_bytes original = make_character(kinds[i], FACET_J3D_BDL4);
        facet_scene *scene = through_glb(&original);
        facet_mesh *body = mesh_of(scene, "shape1");
        float *p = (float *)facet_mesh_find(body, FACET_POSITION, 0)->data;
        /* Move all copies of one position by 0.5 units: the first ring, in the space of the hip. */
        float at[3];
        memcpy(at, p, sizeof at);
        for (uint32_t v = 0; v < facet_mesh_find(body, FACET_POSITION, 0)->count; v++) {
            if (memcmp(p + (size_t)v * 3, at, sizeof at) == 0)
                p[(size_t)v * 3 + 2] += 0.5F;
        }
        test_bytes made = save_like(scene, &original, "bdl", NULL);
        facet_j3d *before = read_model(&original), *after = read_model(&made);
        assert_clean(&made);
        assert_same_shapes_but(before, after, 1);
        assert_same_section(&original, &made, "MAT3");
        assert_same_section(&original, &made, "TEX1");
        assert_same_section(&original, &made, "JNT1");
        assert_same_section(&original, &made, "MDL3");
        assert_same_section(&original, &made, "EVP1");
        assert_same_section(&original, &made, "DRW1");
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
    test_bytes original = make_character(&shorts, FACET_J3D_BDL4);
    facet_scene *scene = through_glb(&original);
    facet_mesh *hat = mesh_of(scene, "shape2");
    float *p = (float *)facet_mesh_find(hat, FACET_POSITION, 0)->data;
    p[0] = 5000;
    facet_report *report = NULL;
    facet_error error;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    test_bytes made = save_like(scene, &original, "bdl", report);
    assert_non_null(test_finding(report, "J3D-LIKE-FLOATS"));
    facet_report_free(report);
    assert_clean(&made);
    facet_j3d *before = read_model(&original), *after = read_model(&made);
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
    test_bytes original = make_character(&floats, FACET_J3D_BDL4);
    facet_scene *scene = through_glb(&original);
    mesh_of(scene, "shape1")->face_count = 0;
    mesh_of(scene, "shape1")->corner_count = 0;
    test_bytes made = save_like(scene, &original, "bdl", NULL);
    assert_clean(&made);
    facet_j3d *before = read_model(&original), *after = read_model(&made);
    assert_same_shapes_but(before, after, 1);
    assert_int_equal(after->shapes.count, 5);
    assert_int_equal(after->shapes.items[1].material, before->shapes.items[1].material);
    facet_scene *again = load(made.data, made.size, "bdl");
    for (uint32_t i = 0; i < again->mesh_count; i++)
        assert_true(strncmp(again->meshes[i]->name, "shape1", 6) != 0 ||
                    again->meshes[i]->face_count == 0);
    facet_scene_free(again);
    facet_j3d_free(before);
    facet_j3d_free(after);
    test_bytes_free(&made);
    test_bytes_free(&original);
}

/* A material with a changed color comes from the scene; the others keep all fields. */
TEST(edited_material_leaves_others_unchanged)
{
    test_bytes original = make_character(&floats, FACET_J3D_BDL4);
    facet_scene *scene = through_glb(&original);
    facet_material *hat = NULL;
    for (uint32_t i = 0; i < scene->material_count; i++) {
        if (strcmp(scene->materials[i]->name, "hat_m") == 0)
            hat = scene->materials[i];
    }
    assert_non_null(hat);
    hat->base_color[0] = 0.5F;
    facet_report *report = NULL;
    facet_error error;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    test_bytes made = save_like(scene, &original, "bdl", report);
    const facet_finding *finding = test_finding(report, "J3D-LIKE-MATERIAL");
    assert_non_null(finding);
    assert_non_null(strstr(finding->message, "hat_m"));
    facet_report_free(report);
    assert_clean(&made);
    facet_j3d *before = read_model(&original), *after = read_model(&made);
    for (uint32_t i = 0; i < 5; i++) {
        facet_j3d_material x, y;
        TEST_OK(facet_j3d_get_material(before, i, &x, &error), &error);
        TEST_OK(facet_j3d_get_material(after, i, &y, &error), &error);
        assert_string_equal(x.name.bytes, y.name.bytes);
        if (i != 2) {
            assert_memory_equal(&x.gx, &y.gx, sizeof x.gx);
            continue;
        }
        /* Half of red in linear light is 188 of 255 on the screen: 255 * (1.055 * 0.5^(1/2.4) -
         * 0.055) = 187.5. The model has vertex colors, so a second stage multiplies by it. */
        assert_int_equal(y.gx.stage_count, 2);
        assert_int_equal(y.gx.konst_colors[0].r, 188);
    }
    facet_j3d_free(before);
    facet_j3d_free(after);
    test_bytes_free(&made);
    test_bytes_free(&original);
}

/* A picture of 10 x 6 for a mirrored texture gets sides that are powers of two, with a warning,
 * with an original and with extras. */
TEST(odd_sides_of_repeating_textures_are_resized)
{
    for (int way = 0; way < 2; way++) {
        test_bytes original = make_character(&floats, FACET_J3D_BDL4);
        facet_scene *scene = through_glb(&original);
        facet_report *report;
        facet_error error;
        uint32_t i = 0;
        while (strcmp(scene->images[i]->name, "eye") != 0)
            i++;
        TEST_OK(facet_image_decode(scene->arena, scene->images[i], NULL, &error), &error);
        TEST_OK(facet_image_resize(scene->arena, scene->images[i], 10, 6, true, &error), &error);
        scene->images[i]->data = NULL;
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        test_bytes made = save_like(scene, way ? &original : NULL, "bdl", report);
        assert_non_null(test_finding_saying(report, "LOSS-TEXTURES", "of 10 x 6 texels"));
        facet_j3d *after = read_model(&made);
        assert_int_equal(after->textures.items[1].header.width, 8);
        assert_true(after->textures.items[1].header.height == 8 ||
                    after->textures.items[1].header.height == 4);
        facet_j3d_free(after);
        facet_report_free(report);
        test_bytes_free(&made);
        test_bytes_free(&original);
    }
}

/* A removed material is kept, with a warning. */
TEST(removed_material_is_reported)
{
    test_bytes original = make_character(&floats, FACET_J3D_BDL4);
    for (int removed = 0; removed < 2; removed++) {
        facet_scene *scene = through_glb(&original);
        facet_mesh *hat = mesh_of(scene, "shape2");
        facet_report *report;
        facet_error error;
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        for (uint32_t f = 0; f < hat->face_count && removed; f++)
            hat->face_materials[f] = FACET_NONE;
        test_bytes made = save_like(scene, &original, "bdl", report);
        assert_same(&original, &made);
        assert_int_equal(
            test_finding_saying(report, "J3D-LIKE-MATERIAL", "shape 2 have no material") != NULL,
            removed);
        facet_report_free(report);
        test_bytes_free(&made);
    }
    test_bytes_free(&original);
}

/* J3D has no roughness: a value that another program sets does not count as an edit. */
TEST(roughness_is_no_edit)
{
    test_bytes original = make_character(&floats, FACET_J3D_BDL4);
    facet_scene *scene = through_glb(&original);
    for (uint32_t i = 0; i < scene->material_count; i++) {
        scene->materials[i]->roughness = 0.5F;
        scene->materials[i]->metallic = 0.25F;
    }
    test_bytes made = save_like(scene, &original, "bdl", NULL);
    assert_same(&original, &made);
    test_bytes_free(&made);
    test_bytes_free(&original);
}

/* Paint the first image "eye" white, also if all images have the names of files. The texture is
 * encoded in its previous format; the others keep their bytes. */
static void paint_eye(bool is_file)
{
    test_bytes original = make_character(&floats, FACET_J3D_BDL4);
    facet_scene *scene = through_glb(&original);
    facet_error error;
    uint32_t painted = 0;
    for (uint32_t i = 0; i < scene->image_count; i++) {
        facet_image *image = scene->images[i];
        bool is_eye = strcmp(image->name, "eye") == 0;
        if (is_file && is_eye)
            image->name = painted == 0 ? "eye.png" : "eye.png.001";
        if (!is_eye || painted++ > 0)
            continue;
        TEST_OK(facet_image_decode(scene->arena, image, NULL, &error), &error);
        for (size_t k = 0; k < (size_t)image->width * image->height * image->channels; k++)
            ((uint8_t *)image->pixels)[k] = 255;
        image->data = NULL;
    }
    assert_int_equal(painted, 2);
    test_bytes made = save_like(scene, &original, "bdl", NULL);
    assert_clean(&made);
    facet_j3d *before = read_model(&original), *after = read_model(&made);
    assert_int_equal(after->textures.count, 7);
    for (uint32_t i = 0; i < 7; i++) {
        const facet_j3d_texture *x = &before->textures.items[i], *y = &after->textures.items[i];
        assert_string_equal(before->textures.names.items[i].bytes,
                            after->textures.names.items[i].bytes);
        assert_int_equal(x->header.format, y->header.format);
        assert_int_equal(x->header.wrap_s, y->header.wrap_s);
        assert_int_equal(x->header.level_count, y->header.level_count);
        const facet_j3d_texels *one = &before->textures.texels[x->image],
                               *two = &after->textures.texels[y->image];
        assert_int_equal(one->size, two->size);
        if (i != 1)
            assert_memory_equal(one->bytes, two->bytes, one->size);
        for (size_t k = 0; i == 1 && k < two->size; k++) /* white in RGB5A3 */
            assert_int_equal(two->bytes[k], 0xFF);
    }
    facet_j3d_free(before);
    facet_j3d_free(after);
    test_bytes_free(&made);
    test_bytes_free(&original);
}

TEST(repainted_texture_keeps_its_format)
{
    paint_eye(false);
    paint_eye(true);
}

/* A mesh with a new name and a new material becomes a shape, slot and material after the existing
 * ones. */
TEST(new_mesh_is_appended_after_others)
{
    test_bytes original = make_character(&floats, FACET_J3D_BDL4);
    facet_scene *scene = through_glb(&original);
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
    test_bytes made = save_like(scene, &original, "bdl", NULL);
    assert_clean(&made);
    facet_j3d *before = read_model(&original), *after = read_model(&made);
    assert_same_shapes_but(before, after, FACET_NONE);
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

/* A new bone with weighted vertices becomes a joint and an envelope; all earlier numbers stay the
 * same. */
TEST(new_bone_is_appended_after_others)
{
    test_bytes original = make_character(&floats, FACET_J3D_BDL4);
    facet_scene *scene = through_glb(&original);
    facet_error error;
    facet_node *node;
    uint32_t neck = FACET_NONE, bone = scene->node_count;
    for (uint32_t i = 0; i < scene->node_count; i++) {
        if (strcmp(scene->nodes[i]->name, "neck") == 0)
            neck = i;
    }
    TEST_OK(facet_scene_add_node(scene, "tail", &node, &error), &error);
    node->parent = neck;
    node->transform.translation[2] = -0.05F; /* meters */
    facet_skin *skin = scene->skins[0];
    uint32_t *joints = facet_scene_allocate(scene, skin->joint_count + 1, sizeof *joints);
    float *binds = facet_scene_allocate(scene, ((size_t)skin->joint_count + 1) * 16, sizeof *binds);
    memcpy(joints, skin->joints, skin->joint_count * sizeof *joints);
    memcpy(binds, skin->inverse_bind, (size_t)skin->joint_count * 16 * sizeof *binds);
    joints[skin->joint_count] = bone;
    /* Bound at (0, 125, -5): the position of the neck plus its own. */
    float *m = binds + (size_t)skin->joint_count * 16;
    memset(m, 0, 16 * sizeof *m);
    m[0] = m[5] = m[10] = m[15] = 1;
    m[13] = -1.25F;
    m[14] = 0.05F;
    skin->joints = joints;
    skin->inverse_bind = binds;
    skin->joint_count++;
    facet_mesh *body = mesh_of(scene, "shape1");
    uint16_t *of = (uint16_t *)facet_mesh_find(body, FACET_JOINTS, 0)->data;
    float *weights = (float *)facet_mesh_find(body, FACET_WEIGHTS, 0)->data;
    uint32_t count = facet_mesh_find(body, FACET_JOINTS, 0)->count;
    for (uint32_t v = count - 4; v < count; v++) {
        static const float halves[4] = {0.5F, 0.5F, 0, 0};
        of[(size_t)v * 4 + 1] = 12;
        memcpy(weights + (size_t)v * 4, halves, sizeof halves);
    }
    test_bytes made = save_like(scene, &original, "bdl", NULL);
    assert_clean(&made);
    facet_j3d *before = read_model(&original), *after = read_model(&made);
    assert_same_shapes_but(before, after, 1);
    assert_int_equal(after->joints.count, 13);
    assert_string_equal(after->joints.names.items[12].bytes, "tail");
    assert_int_equal(after->joints.items[12].parent, 4);
    assert_true(after->joints.items[12].translation[2] == -5);
    assert_true(after->envelopes.count > before->envelopes.count);
    assert_memory_equal(before->envelopes.influences, after->envelopes.influences,
                        before->envelopes.influence_count * sizeof *before->envelopes.influences);
    facet_j3d_free(before);
    facet_j3d_free(after);
    test_bytes_free(&made);
    test_bytes_free(&original);
}

/* Add the bone to the end of a skin, bound at its position: the origin of the scene. */
static uint32_t add_bone_to_skin(facet_scene *scene, const char *name, uint32_t parent)
{
    facet_error error;
    facet_node *node;
    facet_skin *skin = scene->skins[0];
    TEST_OK(facet_scene_add_node(scene, name, &node, &error), &error);
    node->parent = parent;
    scene->roots = NULL;
    uint32_t *joints = facet_scene_allocate(scene, skin->joint_count + 1, sizeof *joints);
    float *binds = facet_scene_allocate(scene, ((size_t)skin->joint_count + 1) * 16, sizeof *binds);
    memcpy(joints, skin->joints, skin->joint_count * sizeof *joints);
    memcpy(binds, skin->inverse_bind, (size_t)skin->joint_count * 16 * sizeof *binds);
    joints[skin->joint_count] = scene->node_count - 1;
    for (int i = 0; i < 16; i++)
        binds[(size_t)skin->joint_count * 16 + i] = i % 5 == 0;
    skin->joints = joints;
    skin->inverse_bind = binds;
    return skin->joint_count++;
}

/* A new bone can be the child of any joint. The others keep their parents, shapes keep their
 * joints and materials, and games can read the hierarchy. */
TEST(new_bone_adopts_nothing)
{
    test_bytes original = make_character(&floats, FACET_J3D_BDL4);
    facet_j3d *before = read_model(&original);
    for (uint32_t joint = 0; joint < before->joints.count; joint++) {
        facet_scene *scene = through_glb(&original);
        const char *name = before->joints.names.items[joint].bytes;
        uint32_t parent = FACET_NONE, again = 0; /* two joints have the same name */
        for (uint32_t i = 0; i < joint; i++)
            again += strcmp(before->joints.names.items[i].bytes, name) == 0;
        for (uint32_t i = 0; i < scene->node_count && parent == FACET_NONE; i++) {
            if (strcmp(scene->nodes[i]->name, name) == 0 && again-- == 0)
                parent = i;
        }
        assert_true(parent != FACET_NONE);
        add_bone_to_skin(scene, "new", parent);
        test_bytes made = save_like(scene, &original, "bdl", NULL);
        assert_clean(&made);
        facet_j3d *after = read_model(&made);
        assert_int_equal(after->joints.count, before->joints.count + 1);
        assert_int_equal(after->joints.items[before->joints.count].parent, joint);
        assert_int_equal(after->envelopes.inverse_bind_count, after->joints.count);
        for (uint32_t i = 0; i < before->joints.count; i++)
            assert_int_equal(after->joints.items[i].parent, before->joints.items[i].parent);
        for (uint32_t i = 0; i < before->shapes.count; i++) {
            assert_int_equal(after->shapes.items[i].joint, before->shapes.items[i].joint);
            assert_int_equal(after->shapes.items[i].material, before->shapes.items[i].material);
        }
        facet_j3d_free(after);
        test_bytes_free(&made);
    }
    facet_j3d_free(before);
    test_bytes_free(&original);
}

/* The glTF exporter of Blender adds a bone for vertices without weights. It does not become a
 * joint. */
TEST(neutral_bone_does_not_become_joint)
{
    test_bytes original = make_character(&floats, FACET_J3D_BDL4);
    facet_j3d *before = read_model(&original);
    for (int like = 0; like < 2; like++) {
        facet_error error;
        facet_report *report;
        facet_scene *scene = through_glb(&original);
        uint32_t bone = add_bone_to_skin(scene, "neutral_bone", FACET_NONE);
        facet_mesh *body = mesh_of(scene, "shape1");
        facet_stream *joints = facet_mesh_find(body, FACET_JOINTS, 0);
        float *weights = facet_mesh_find(body, FACET_WEIGHTS, 0)->data;
        static const float whole[4] = {1, 0, 0, 0};
        for (uint32_t v = joints->count - 2; v < joints->count; v++) {
            ((uint16_t *)joints->data)[(size_t)v * 4] = (uint16_t)bone;
            memcpy(weights + (size_t)v * 4, whole, sizeof whole);
        }
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        test_bytes made = save_like(scene, like ? &original : NULL, "bdl", report);
        assert_non_null(test_finding(report, "J3D-UNWEIGHTED"));
        assert_int_equal(test_finding(report, "J3D-UNWEIGHTED")->count, 2);
        assert_clean(&made);
        facet_j3d *after = read_model(&made);
        assert_int_equal(after->joints.count, before->joints.count);
        for (uint32_t i = 0; i < before->joints.count; i++)
            assert_string_equal(after->joints.names.items[i].bytes,
                                before->joints.names.items[i].bytes);
        facet_j3d_free(after);
        test_bytes_free(&made);
        facet_report_free(report);
    }
    facet_j3d_free(before);
    test_bytes_free(&original);
}

/* The weights of one vertex have a sum of a half. */
TEST(weights_that_do_not_sum_to_1_are_scaled)
{
    test_bytes original = make_character(&floats, FACET_J3D_BDL4);
    for (int halved = 0; halved < 2; halved++) {
        facet_error error;
        facet_report *report;
        facet_scene *scene = through_glb(&original);
        facet_stream *weights = facet_mesh_find(mesh_of(scene, "shape1"), FACET_WEIGHTS, 0);
        for (uint32_t k = 0; halved && k < weights->components; k++)
            ((float *)weights->data)[k] /= 2;
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        test_bytes made = save_like(scene, NULL, "bdl", report);
        const facet_finding *finding = test_finding(report, "J3D-WEIGHTS");
        assert_int_equal(finding ? finding->count : 0, halved);
        assert_clean(&made);
        test_bytes_free(&made);
        facet_report_free(report);
    }
    test_bytes_free(&original);
}

/* Nodes with a skinned mesh do not become joints in a model of another program. */
TEST(nodes_that_become_no_joint_are_reported)
{
    facet_error error;
    facet_report *report;
    uint64_t skinned = 0;
    test_bytes original = make_character(&floats, FACET_J3D_BDL4);
    facet_scene *scene = through_glb(&original);
    for (uint32_t i = 0; i < scene->node_count; i++) {
        scene->nodes[i]->extras = NULL;
        skinned += scene->nodes[i]->skin != FACET_NONE;
    }
    scene->extras = NULL;
    assert_true(skinned > 0);
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    test_bytes made = save_like(scene, NULL, "bdl", report);
    assert_non_null(test_finding(report, "J3D-NODES"));
    assert_int_equal(test_finding(report, "J3D-NODES")->count, skinned);
    test_bytes_free(&made);
    facet_report_free(report);
    test_bytes_free(&original);
}

/* Blender 3.4 confuses the colors of corners: the colors of the original stay. */
TEST(colors_of_blender_3_4_are_not_taken)
{
    static const char *const generators[] = {"Khronos glTF Blender I/O v3.4.50",
                                             "Khronos glTF Blender I/O v3.6.27"};
    test_bytes original = make_character(&floats, FACET_J3D_BDL4);
    for (int other = 0; other < 2; other++) {
        facet_error error;
        facet_report *report;
        facet_scene *scene = through_glb(&original);
        scene->generator = generators[other];
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        test_bytes made = save_like(scene, &original, "bdl", report);
        assert_int_equal(test_finding(report, "J3D-LIKE-COLORS") != NULL, !other);
        assert_same_section(&original, &made, "VTX1");
        test_bytes_free(&made);
        facet_report_free(report);
    }
    test_bytes_free(&original);
}

/* -- Edits of the skeleton ---------------------------------------------- */

/* The character with a color of alpha 128, which its opaque materials do not show. */
static test_bytes make_hidden_alpha(void)
{
    test_bytes plain = make_character(&floats, FACET_J3D_BDL4), made = {0};
    facet_j3d *model = read_model(&plain);
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
        facet_scene *scene = through_glb(&original);
        facet_mesh *hat = mesh_of(scene, "shape2");
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
        test_bytes made = save_like(scene, &original, "bdl", report);
        facet_j3d *before = read_model(&original), *after = read_model(&made);
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
        assert_same_shapes_but(before, after, 2);
        facet_report_free(report);
        facet_j3d_free(before);
        facet_j3d_free(after);
        test_bytes_free(&made);
        test_bytes_free(&original);
    }
}

static facet_node *node_named(facet_scene *scene, const char *name)
{
    for (uint32_t i = 0; i < scene->node_count; i++) {
        if (strcmp(scene->nodes[i]->name, name) == 0 && scene->nodes[i]->mesh == FACET_NONE)
            return scene->nodes[i];
    }
    fail_msg("no node is called %s", name);
    return NULL;
}

static uint32_t index_of(const facet_scene *scene, const facet_node *node)
{
    uint32_t i = 0;
    while (scene->nodes[i] != node)
        i++;
    return i;
}

/* A bone with a new name at the position of a joint is that joint, with all that it moves. */
TEST(renamed_bone_is_its_joint)
{
    static const char *const names[] = {"neck", "head"};
    test_bytes original = make_character(&floats, FACET_J3D_BDL4);
    facet_j3d *before = read_model(&original);
    for (size_t n = 0; n < 2; n++) {
        facet_error error;
        facet_report *report;
        facet_scene *scene = through_glb(&original);
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        node_named(scene, names[n])->name = "other";
        test_bytes made = save_like(scene, &original, "bdl", report);
        assert_int_equal(test_finding(report, "J3D-LIKE-JOINT")->count, 1);
        assert_non_null(test_finding_saying(report, "J3D-LIKE-JOINT", "is called 'other' now"));
        facet_report_free(report);
        assert_clean(&made);
        facet_j3d *after = read_model(&made);
        assert_int_equal(after->joints.count, before->joints.count);
        for (uint32_t i = 0; i < before->joints.count; i++) {
            const char *name = before->joints.names.items[i].bytes;
            assert_string_equal(after->joints.names.items[i].bytes,
                                strcmp(name, names[n]) == 0 ? "other" : name);
            assert_int_equal(after->joints.items[i].parent, before->joints.items[i].parent);
        }
        assert_same_shapes_but(before, after, FACET_NONE);
        assert_int_equal(after->shapes.count, before->shapes.count);
        assert_same_section(&original, &made, "SHP1");
        facet_j3d_free(after);
        test_bytes_free(&made);
    }
    facet_j3d_free(before);
    test_bytes_free(&original);
}

/* All bones can have new names if they are at the positions of the joints. */
TEST(all_bones_can_be_renamed)
{
    test_bytes original = make_character(&floats, FACET_J3D_BDL4);
    facet_j3d *before = read_model(&original);
    facet_scene *scene = through_glb(&original);
    for (uint32_t i = 0; i < scene->node_count; i++) {
        if (scene->nodes[i]->mesh == FACET_NONE)
            scene->nodes[i]->name = "other";
    }
    test_bytes made = save_like(scene, &original, "bdl", NULL);
    assert_clean(&made);
    facet_j3d *after = read_model(&made);
    assert_int_equal(after->joints.count, before->joints.count);
    for (uint32_t i = 0; i < before->joints.count; i++)
        assert_string_equal(after->joints.names.items[i].bytes, "other");
    assert_same_section(&original, &made, "SHP1");
    facet_j3d_free(after);
    facet_j3d_free(before);
    test_bytes_free(&made);
    test_bytes_free(&original);
}

/* A finding reports other edits of bones, and the skeleton of the original stays. */
TEST(other_edits_of_bones_are_reported)
{
    static const char *const rules[] = {"J3D-LIKE-BONE-GONE", "J3D-LIKE-BONE-PARENT",
                                        "J3D-LIKE-BONE-PLACE"};
    test_bytes original = make_character(&floats, FACET_J3D_BDL4);
    for (int edit = 0; edit < 4; edit++) {
        facet_error error;
        facet_report *report;
        facet_scene *scene = through_glb(&original);
        facet_node *neck = node_named(scene, "neck"), *head = node_named(scene, "head");
        facet_skin *skin = scene->skins[0];
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        if (edit == 0) { /* deleted: its vertices move with its parent */
            uint32_t gone = index_of(scene, head), above = index_of(scene, neck);
            for (uint32_t j = 0; j < skin->joint_count; j++) {
                if (skin->joints[j] == gone)
                    skin->joints[j] = above;
            }
            head->name = "no bone";
        } else if (edit == 1) {
            head->parent = index_of(scene, node_named(scene, "hip"));
            scene->roots = NULL;
        } else if (edit == 2) {
            head->transform.translation[0] += 0.5F; /* meters; the model has a size of 2 */
        }
        test_bytes made = save_like(scene, &original, "bdl", report);
        assert_clean(&made);
        for (int rule = 0; rule < 3; rule++)
            assert_int_equal(test_finding(report, rules[rule]) != NULL, rule == edit);
        facet_j3d *after = read_model(&made);
        assert_int_equal(after->joints.count, 12);
        assert_null(test_finding(report, "J3D-LIKE-SCALE"));
        facet_j3d_free(after);
        test_bytes_free(&made);
        facet_report_free(report);
    }
    test_bytes_free(&original);
}

/* A scaled or rotated bone is reported by its name, and so is each of several, up to 16. The hat is
 * a mesh on the head. */
TEST(turned_and_scaled_bones_are_named)
{
    test_bytes original = make_character(&floats, FACET_J3D_BDL4);
    for (int edit = 0; edit < 3; edit++) {
        facet_error error;
        facet_report *report;
        facet_scene *scene = through_glb(&original);
        facet_transform *head = &node_named(scene, "head")->transform;
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        if (edit == 0) {
            for (int i = 0; i < 3; i++)
                head->scale[i] *= 2;
        } else if (edit == 1) { /* a turn by 180 degrees about z: (x, y, z, w) * (0, 0, 1, 0) */
            const float *q = head->rotation, turned[4] = {q[1], -q[0], q[3], -q[2]};
            memcpy(head->rotation, turned, sizeof turned);
        } else {
            head->translation[0] += 0.5F;
            node_named(scene, "hip")->transform.translation[1] += 0.5F;
        }
        test_bytes made = save_like(scene, &original, "bdl", report);
        assert_non_null(test_finding_saying(report, "J3D-LIKE-BONE-PLACE", "'head'"));
        assert_int_equal(test_finding_saying(report, "J3D-LIKE-BONE-PLACE", "rotation or scale") !=
                             NULL,
                         edit < 2);
        assert_int_equal(test_finding_saying(report, "J3D-LIKE-BONE-PLACE", "'hip'") != NULL,
                         edit == 2);
        facet_report_free(report);
        test_bytes_free(&made);
    }
    test_bytes_free(&original);
}

/* A new bone without a skin and a mesh does not become a joint, which is reported. The leaf bones
 * of FBX files do not count as bones. */
TEST(new_bone_that_moves_nothing_is_reported)
{
    static const char *const names[] = {"extra", "head_end"};
    test_bytes original = make_character(&floats, FACET_J3D_BDL4);
    for (int i = 0; i < 2; i++) {
        facet_scene *scene = through_glb(&original);
        facet_node *made;
        facet_error error;
        facet_report *report;
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        TEST_OK(facet_scene_add_node(scene, names[i], &made, &error), &error);
        made->parent = index_of(scene, node_named(scene, "head"));
        scene->roots = NULL;
        test_bytes after = save_like(scene, &original, "bdl", report);
        const facet_finding *finding = test_finding(report, "J3D-LIKE-BONE-UNUSED");
        assert_int_equal(finding != NULL, i == 0);
        if (finding)
            assert_non_null(strstr(finding->message, "'extra'"));
        assert_same_section(&original, &after, "JNT1");
        test_bytes_free(&after);
        facet_report_free(report);
    }
    test_bytes_free(&original);
}

/* A scene whose bones have other names and other positions belongs to another model. */
TEST(another_model_needs_force)
{
    test_bytes original = make_character(&floats, FACET_J3D_BDL4);
    facet_scene *scene = through_glb(&original);
    facet_error error;
    facet_j3d *document = NULL;
    for (uint32_t i = 0; i < scene->node_count; i++) {
        if (scene->nodes[i]->mesh != FACET_NONE)
            continue;
        scene->nodes[i]->name = "bone of another model";
        scene->nodes[i]->transform.translation[0] += 1 + (float)i; /* meters; the model has a size
                                                                    * of 2 */
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

/* With few bones, one name must be equal; a material name also counts. */
TEST(another_model_of_few_bones_needs_force)
{
    static const char *names[2] = {"hip", "knee"}, *others[2] = {"door", "handle"};
    facet_scene *first = make_squares(names, "skin", 0, true);
    test_bytes original = save_like(first, NULL, "bmd", NULL);
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
    test_bytes original = make_character(&floats, FACET_J3D_BMD3);
    facet_j3d *document = read_model(&original);
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
    test_bytes original = save_like(make_squares(names, "skin", 0, true), NULL, "bmd", NULL);
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

/* A square ABCD of two triangles and one triangle B C E without area: E is at C with another
 * texture coordinate. One normal can be tilted, and D can move to x. */
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
        values[15 + v * 3 + 1] = v == tilted ? 0.8F : 0;
        values[15 + v * 3 + 2] = v == tilted ? 0.6F : 1;
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
    test_bytes original = save_like(make_flat(NONE, 0), NULL, "bmd", NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        facet_report *report;
        facet_error error;
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        test_bytes made =
            save_like(make_flat(cases[i].tilted, cases[i].x), &original, "bmd", report);
        facet_j3d *document = read_model(&made);
        if (cases[i].is_same)
            assert_same(&original, &made);
        else
            assert_true(made.size != original.size ||
                        memcmp(made.data, original.data, made.size) != 0);
        assert_int_equal(test_finding_saying(report, "J3D-LIKE", "1 of 1 kept") != NULL,
                         cases[i].is_same);
        assert_int_equal(document->vertices.arrays[FACET_J3D_ARRAY_NORMAL].count, cases[i].normals);
        assert_int_equal(
            test_finding_saying(report, "J3D-LIKE-NORMALS", "1 normals next to triangles") != NULL,
            cases[i].is_kept);
        facet_j3d_free(document);
        facet_report_free(report);
        test_bytes_free(&made);
    }
    test_bytes_free(&original);
}

/* Other programs attach a rigid mesh to the node of its joint and rename the mesh. It is the
 * shape of the joint, not a new one. */
TEST(rigid_mesh_on_the_node_of_its_joint_is_its_shape)
{
    static const char *names[2] = {"body", "wheel"};
    facet_scene *first = make_squares(names, "paint", 0, false);
    test_bytes original = save_like(first, NULL, "bmd", NULL);
    facet_j3d *before = read_model(&original);
    assert_int_equal(before->shapes.count, 2);
    for (int edited = 0; edited < 2; edited++) { /* one vertex of the second */
        facet_scene *scene = make_squares(names, "paint", edited ? 0.25F : 0, false);
        test_bytes made = save_like(scene, &original, "bmd", NULL);
        facet_j3d *after = read_model(&made);
        if (!edited)
            assert_same(&original, &made);
        assert_int_equal(after->shapes.count, 2);
        assert_int_equal(after->materials.slot_count, 2);
        for (uint32_t i = 0; i < 2; i++) {
            assert_int_equal(after->shapes.items[i].joint, before->shapes.items[i].joint);
            assert_int_equal(after->shapes.items[i].material, before->shapes.items[i].material);
        }
        assert_same_shapes_but(before, after, edited ? 1 : FACET_NONE);
        facet_j3d_free(after);
        test_bytes_free(&made);
    }
    facet_j3d_free(before);
    test_bytes_free(&original);
}

/* A shape of triangles without area is not built again. Games crash at its material, which is
 * omitted. */
TEST(material_without_a_shape_is_left_out)
{
    facet_error error;
    facet_report *report;
    test_bytes original = make_character(&floats, FACET_J3D_BDL4);
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    test_bytes made = save_like(through_glb(&original), NULL, "bdl", report);
    assert_non_null(test_finding(report, "J3D-MATERIAL-UNUSED"));
    assert_clean(&made);
    facet_j3d *before = read_model(&original), *after = read_model(&made);
    assert_int_equal(before->materials.slot_count, 5);
    assert_int_equal(after->materials.slot_count, 4);
    assert_int_equal(after->shapes.count, 4);
    facet_j3d_free(before);
    facet_j3d_free(after);
    facet_report_free(report);
    test_bytes_free(&made);
    test_bytes_free(&original);
}

/* A missing image changes nothing: it is the texture of the original by its name, or of unknown
 * content. A material that is edited otherwise keeps the texture. */
TEST(missing_images_change_nothing)
{
    for (int way = 0; way < 3; way++) {
        test_bytes original = make_character(&floats, FACET_J3D_BDL4);
        facet_load_options how = {.images = true, .keep_missing_images = true};
        facet_scene *scene = through_glb(&original);
        facet_error error;
        drop_extras(scene);
        for (uint32_t i = 0; i < scene->image_count; i++) {
            scene->images[i]->data = NULL;
            scene->images[i]->size = 0;
            scene->images[i]->path = way == 1 ? "absent.png" : scene->images[i]->name;
            if (way == 1)
                scene->images[i]->name = "absent";
        }
        TEST_OK(
            facet_scene_load_images(scene, TEST_SOURCE((const uint8_t *)"", 0), &how, NULL, &error),
            &error);
        for (uint32_t m = 0; m < scene->material_count && way == 2; m++) {
            if (strcmp(scene->materials[m]->name, "hat_m") == 0)
                scene->materials[m]->base_color[0] = 0.5F;
        }
        test_bytes made = save_like(scene, &original, "bdl", NULL);
        if (way < 2) {
            assert_same(&original, &made);
        } else {
            facet_j3d *after = read_model(&made);
            facet_j3d_material hat;
            TEST_OK(facet_j3d_get_material(after, 2, &hat, &error), &error);
            assert_int_equal(hat.gx.konst_colors[0].r, 188);
            assert_int_equal(hat.gx.textures[0], 1);
            assert_same_section(&original, &made, "TEX1");
            facet_j3d_free(after);
        }
        test_bytes_free(&made);
        test_bytes_free(&original);
    }
}

/* -- Formats with plain materials --------------------------------------- */

/* Reduce the scene to what an FBX (`numbered` false: images have extensions) or a COLLADA (images
 * have only numbers) stores: colors, opacity and textures, without flags, samplers and extras. */
static void make_plain(facet_scene *scene, bool numbered)
{
    facet_error error;
    drop_extras(scene);
    for (uint32_t m = 0; m < scene->material_count; m++) {
        facet_material *material = scene->materials[m];
        facet_texture *texture = material->maps[FACET_MAP_DIFFUSE];
        facet_classic classic;
        facet_classic_init(&classic);
        for (int i = 0; i < 3; i++)
            classic.diffuse[i] = texture ? 1 : material->base_color[i];
        classic.stated = FACET_CLASSIC_DIFFUSE;
        TEST_OK(facet_scene_set_classic(scene, material, &classic, &error), &error);
        material->sides_unknown = true;
        material->double_sided = material->unlit = false;
        if (texture) {
            texture->wrap_u = texture->wrap_v = FACET_WRAP_REPEAT;
            texture->minify = texture->magnify = FACET_FILTER_DEFAULT;
            texture->has_transform = false;
        }
    }
    for (uint32_t i = 0; i < scene->image_count; i++) {
        char name[64], *copy = facet_scene_allocate(scene, 1, sizeof name);
        assert_non_null(copy);
        if (numbered)
            snprintf(name, sizeof name, "model_texture_%04u.png", (unsigned)i + 1);
        else
            snprintf(name, sizeof name, "%s.png", scene->images[i]->name);
        memcpy(copy, name, sizeof name);
        scene->images[i]->name = copy;
        scene->images[i]->gx_file = NULL;
    }
}

/* Properties that a format cannot express are unknown, not edited. The character has a two-sided
 * material, one with alpha test, and textures that are mirrored or clamped. */
TEST(plain_formats_change_nothing)
{
    for (int numbered = 0; numbered < 2; numbered++) {
        test_bytes original = make_character(&floats, FACET_J3D_BDL4);
        facet_scene *scene = through_glb(&original);
        uint32_t sides = 0, masks = 0, wraps = 0;
        for (uint32_t m = 0; m < scene->material_count; m++) {
            const facet_texture *texture = scene->materials[m]->maps[FACET_MAP_DIFFUSE];
            sides += scene->materials[m]->double_sided;
            masks += scene->materials[m]->alpha_mode == FACET_ALPHA_MASK;
            wraps += texture && texture->wrap_u + texture->wrap_v > 0;
        }
        assert_true(sides > 0 && masks > 0 && wraps > 0);
        make_plain(scene, numbered);
        test_bytes made = save_like(scene, &original, "bdl", NULL);
        assert_same(&original, &made);
        test_bytes_free(&made);
        test_bytes_free(&original);
    }
}

/* Images with other names are found by their pixels. */
TEST(renamed_images_change_nothing)
{
    static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h"};
    test_bytes original = make_character(&floats, FACET_J3D_BDL4);
    facet_scene *scene = through_glb(&original);
    drop_extras(scene);
    assert_true(scene->image_count <= 8);
    for (uint32_t i = 0; i < scene->image_count; i++)
        scene->images[i]->name = names[i];
    test_bytes made = save_like(scene, &original, "bdl", NULL);
    assert_same(&original, &made);
    test_bytes_free(&made);
    test_bytes_free(&original);
}

/* A repainted image without a known name is that of the material that shows it. A property that
 * such a format does express is an edit. */
TEST(plain_formats_keep_edits)
{
    test_bytes original = make_character(&floats, FACET_J3D_BDL4);
    facet_scene *scene = through_glb(&original);
    facet_error error;
    make_plain(scene, true);
    for (uint32_t m = 0; m < scene->material_count; m++) {
        facet_material *material = scene->materials[m];
        if (strcmp(material->name, "hat_m") == 0) {
            facet_image *image = scene->images[material->maps[FACET_MAP_DIFFUSE]->image];
            TEST_OK(facet_image_decode(scene->arena, image, NULL, &error), &error);
            memset(image->pixels, 255, (size_t)image->width * image->height * image->channels);
            image->data = NULL;
        }
        if (strcmp(material->name, "eyes") == 0)
            material->double_sided = true;
    }
    test_bytes made = save_like(scene, &original, "bdl", NULL);
    facet_j3d *before = read_model(&original), *after = read_model(&made);
    assert_int_equal(after->textures.count, 7);
    for (uint32_t i = 0; i < 5; i++) {
        facet_j3d_material x, y;
        TEST_OK(facet_j3d_get_material(before, i, &x, &error), &error);
        TEST_OK(facet_j3d_get_material(after, i, &y, &error), &error);
        if (i > 0)
            assert_memory_equal(&x.gx, &y.gx, sizeof x.gx);
        else
            assert_int_equal(y.gx.cull_mode, 0);
    }
    for (uint32_t i = 0; i < 7; i++) {
        const facet_j3d_texels *one = &before->textures.texels[before->textures.items[i].image],
                               *two = &after->textures.texels[after->textures.items[i].image];
        assert_int_equal(one->size, two->size);
        for (size_t k = 0; i == 1 && k < two->size; k++)
            assert_int_equal(two->bytes[k], 0xFF);
        if (i != 1)
            assert_memory_equal(one->bytes, two->bytes, one->size);
    }
    facet_j3d_free(before);
    facet_j3d_free(after);
    test_bytes_free(&made);
    test_bytes_free(&original);
}

/* -- Refusals ----------------------------------------------------------- */

TEST(original_must_be_a_complete_model)
{
    test_bytes original = make_character(&floats, FACET_J3D_BDL4);
    facet_error error;
    facet_output *output = NULL;
    facet_scene *scene = through_glb(&original);
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
