/* formats/j3d/test_j3d_like.c - save like an original (--like): nothing edited. */
#include "support/j3d_like.h"
#include "support/mesh.h"
#include "support/support.h"

#include <facet/convert.h>
#include <facet/j3d.h>
#include <stdlib.h>
#include <string.h>

static const test_j3d_kind_of_character floats = {FACET_J3D_F32, 0}, shorts = {FACET_J3D_S16, 6};

/* The character has the counts that its header documents. */
TEST(character_has_the_documented_counts)
{
    test_bytes bytes = test_like_character(&floats, FACET_J3D_BDL4);
    facet_j3d *document = test_like_read(&bytes);
    test_like_assert_clean(&bytes);
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
        test_bytes original = test_like_character(kinds[i], FACET_J3D_BDL4);
        test_bytes made = test_like_save(test_like_through_glb(&original), &original, "bdl", NULL);
        test_like_assert_same(&original, &made);
        test_bytes_free(&made);
        /* The BMD equals the original without its packets. */
        made = test_like_save(test_like_through_glb(&original), &original, "bmd", NULL);
        test_like_assert_same_section(&original, &made, "VTX1");
        test_like_assert_same_section(&original, &made, "SHP1");
        test_like_assert_same_section(&original, &made, "MAT3");
        test_like_assert_same_section(&original, &made, "TEX1");
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
    test_bytes plain = test_like_character(&floats, FACET_J3D_BDL4), original = {0};
    facet_j3d *before = test_like_read(&plain);
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
        facet_scene *scene = test_like_through_glb(&original);
        for (uint32_t i = 0; i < scene->node_count; i++)
            assert_false(scene->nodes[i]->has_matrix);
        test_bytes made = test_like_save(scene, way ? &original : NULL, "bdl", NULL);
        facet_j3d *after = test_like_read(&made);
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
        test_bytes original = test_like_character(&floats, FACET_J3D_BDL4);
        facet_scene *scene = test_like_through_glb(&original);
        facet_report *report = NULL;
        facet_error error;
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        facet_scene_scale(scene, factors[i]);
        test_bytes made = test_like_save(scene, &original, "bdl", report);
        assert_non_null(test_finding(report, "J3D-LIKE-SCALE"));
        test_like_assert_same(&original, &made);
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
    test_bytes original = test_like_save(scene, NULL, "bmd", NULL);
    facet_report *report = NULL;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    test_bytes made = test_like_save(test_like_through_glb(&original), &original, "bmd", report);
    assert_null(test_finding(report, "J3D-LIKE-SHAPE"));
    test_like_assert_same(&original, &made);
    facet_report_free(report);
    test_bytes_free(&made);
    test_bytes_free(&original);
}

/* Changes that Blender makes to a scene: unused images are removed, names get numbers, the order
 * differs, extras are missing. */
TEST(as_other_programs_leave_it)
{
    test_bytes original = test_like_character(&floats, FACET_J3D_BDL4);
    facet_scene *scene = test_like_through_glb(&original);
    test_like_drop_extras(scene);
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
    test_bytes made = test_like_save(scene, &original, "bdl", NULL);
    test_like_assert_same(&original, &made);
    free(number);
    free(shown);
    test_bytes_free(&made);
    test_bytes_free(&original);
}

/* The rest pose of Blender is the bind pose of the model: other node transforms change nothing. */
TEST(bound_is_rest)
{
    test_bytes original = test_like_character(&floats, FACET_J3D_BDL4);
    facet_scene *scene = test_like_through_glb(&original);
    test_like_drop_extras(scene);
    for (uint32_t i = 0; i < scene->node_count; i++) {
        static const float none[4] = {0, 0, 0, 1};
        if (scene->nodes[i]->mesh != FACET_NONE)
            continue;
        memcpy(scene->nodes[i]->transform.rotation, none, sizeof none);
        for (int k = 0; k < 3; k++)
            scene->nodes[i]->transform.scale[k] = 1;
    }
    test_bytes made = test_like_save(scene, &original, "bdl", NULL);
    test_like_assert_same(&original, &made);
    test_bytes_free(&made);
    test_bytes_free(&original);
}
